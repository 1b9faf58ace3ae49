//! Tiles of a landscape, from three by three spots: areas, lines and things on them.

use super::shapes::bend;
use crate::draw::svg::canvas::{Canvas, ShapeOutline};
use crate::draw::svg::icons;
use crate::draw::svg::palette::{self, Ink, ROAD_EDGE};
use crate::draw::svg::path::PathStep;
use crate::draw::svg::scene::PaperPoint;
use crate::layout::Icon;
use houserule_model::{Look, LookForm};

/// How far a line goes towards the middle of a tile if something stands there, and if an area is there.
const STOPS: (f64, f64) = (0.86, 0.45);
/// The width of a line and of its casing, as a part of the side of a tile.
const LINE: (f64, f64) = (0.1, 0.15);

/// What is on a spot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::draw::svg) struct SpotLook {
    form: LookForm,
    picture: Option<Icon>,
    fill: Ink,
    edge: Ink,
}

impl SpotLook {
    /// Returns that of a kind of piece with a look.
    pub(in crate::draw::svg) fn new(look: Look) -> SpotLook {
        let (fill, edge) = look.colour.map_or((palette::QUIET, palette::TEXT), palette::land);
        SpotLook { form: look.form, picture: look.picture, fill, edge }
    }

    /// Returns `true` for a picture that stands on a tile.
    pub(super) fn is_thing(self) -> bool {
        self.form == LookForm::Token && self.picture.is_some()
    }

    pub(super) fn is_area(self) -> bool {
        self.form == LookForm::Area
    }
}

/// The nine spots of a tile, row by row from the upper left.
pub(in crate::draw::svg) type TileSpots = [[Option<SpotLook>; 3]; 3];

/// Tiles that are drawn together, in layers: each layer is few elements.
#[derive(Default)]
pub(in crate::draw::svg) struct TileLayers {
    grounds: Vec<(Ink, Vec<PathStep>)>,
    areas: Vec<(Ink, Vec<PathStep>)>,
    walls: Vec<(Ink, Vec<PathStep>)>,
    casings: Vec<(Ink, Vec<PathStep>)>,
    roads: Vec<(Ink, Vec<PathStep>)>,
    borders: Vec<PathStep>,
    things: Vec<(SpotLook, PaperPoint, f64)>,
    side: f64,
}

fn add(layer: &mut Vec<(Ink, Vec<PathStep>)>, ink: Ink, steps: impl IntoIterator<Item = PathStep>) {
    match layer.iter_mut().find(|(known, _)| *known == ink) {
        Some((_, all)) => all.extend(steps),
        None => layer.push((ink, steps.into_iter().collect())),
    }
}

impl TileLayers {
    /// Prepares to draw tiles of a side.
    pub(in crate::draw::svg) fn new(side: f64) -> TileLayers {
        TileLayers { side, ..TileLayers::default() }
    }

    /// Adds a tile, given its upper left corner. `ground` is what is everywhere where nothing else is.
    pub(in crate::draw::svg) fn add(
        &mut self,
        corner: PaperPoint,
        spots: &TileSpots,
        ground: Option<SpotLook>,
    ) {
        let (x, y) = corner;
        let q = self.side;
        let corners = [(x, y), (x + q, y), (x + q, y + q), (x, y + q)];
        let square = [
            PathStep::Move(corners[0]),
            PathStep::Line(corners[1]),
            PathStep::Line(corners[2]),
            PathStep::Line(corners[3]),
            PathStep::Close,
        ];
        add(&mut self.grounds, ground.map_or(palette::TILE, |ground| ground.fill), square);
        self.borders.extend(square);
        let tile = TileShape { corners, centre: (x + q / 2.0, y + q / 2.0), spots, ground };
        let mut kinds: Vec<SpotLook> = vec![];
        for look in spots.iter().flatten().flatten() {
            if !kinds.contains(look) && Some(*look) != ground {
                kinds.push(*look);
            }
        }
        for kind in kinds.iter().filter(|kind| kind.is_area()) {
            let (shape, walls) = tile.area(*kind);
            add(&mut self.areas, kind.fill, shape);
            add(&mut self.walls, kind.edge, walls);
        }
        for kind in kinds.iter().filter(|kind| kind.form == LookForm::Line) {
            let line = tile.line(*kind);
            add(&mut self.casings, kind.edge, line.iter().copied());
            add(&mut self.roads, kind.fill, line);
        }
        let middle = spots[1][1].filter(|look| look.is_thing());
        if let Some(look) = middle {
            let is_crossing = tile.sides().iter().flatten().any(|side| side.form == LookForm::Line);
            self.things.push((look, tile.centre, q * if is_crossing { 0.15 } else { 0.24 }));
        }
    }

    /// Draws the tiles.
    pub(in crate::draw::svg) fn draw(self, canvas: &mut Canvas<'_>) {
        let q = self.side;
        for (ink, steps) in self.grounds.iter().chain(&self.areas) {
            canvas.path(steps, Some(*ink), None);
        }
        for (ink, steps) in &self.walls {
            canvas.pen(steps, ShapeOutline { ink: *ink, width: (q * 0.045).max(1.4) });
        }
        for (layer, part) in [(&self.casings, LINE.1), (&self.roads, LINE.0)] {
            for (ink, steps) in layer {
                // Lines end at the sides of the tiles.
                canvas.path(steps, None, Some(ShapeOutline { ink: *ink, width: q * part }));
            }
        }
        canvas.pale(0.55, |canvas| {
            canvas.path(&self.borders, None, Some(ShapeOutline { ink: ROAD_EDGE, width: 0.7 }))
        });
        for (look, centre, radius) in self.things {
            let edge = ShapeOutline { ink: ROAD_EDGE, width: 1.2 };
            canvas.circle(centre, radius, Some(palette::ROAD), Some(edge));
            if let Some(picture) = look.picture {
                icons::icon(canvas, picture, centre, radius * 1.3, look.edge, None);
            }
        }
    }
}

/// A tile that is being drawn.
struct TileShape<'t> {
    /// The corners clockwise from the upper left: each is before the side of the same index.
    corners: [PaperPoint; 4],
    centre: PaperPoint,
    spots: &'t TileSpots,
    ground: Option<SpotLook>,
}

impl TileShape<'_> {
    /// Returns what is at the north, east, south and west side.
    fn sides(&self) -> [Option<SpotLook>; 4] {
        [self.spots[0][1], self.spots[1][2], self.spots[2][1], self.spots[1][0]]
    }

    /// Returns what is in the corners, each that after the side of the same index.
    fn corner_spots(&self) -> [Option<SpotLook>; 4] {
        [self.spots[0][2], self.spots[2][2], self.spots[2][0], self.spots[0][0]]
    }

    /// Returns a point on the way from another one to the middle of the tile.
    fn inwards(&self, from: PaperPoint, part: f64) -> PaperPoint {
        (from.0 + (self.centre.0 - from.0) * part, from.1 + (self.centre.1 - from.1) * part)
    }

    /// Returns the sides of a kind of area, in groups that are one shape: joined by the middle or by a corner.
    fn groups(&self, kind: SpotLook) -> Vec<Vec<usize>> {
        let sides = self.sides();
        let is_own = |look: Option<SpotLook>| look == Some(kind);
        let own: Vec<usize> = (0..4).filter(|side| is_own(sides[*side])).collect();
        if is_own(self.spots[1][1]) && !own.is_empty() {
            return vec![own];
        }
        let corners = self.corner_spots();
        let mut groups: Vec<Vec<usize>> = vec![];
        let mut rest = own;
        for (side, corner) in corners.into_iter().enumerate() {
            let next = (side + 1) % 4;
            if is_own(corner) && rest.contains(&side) && rest.contains(&next) {
                groups.push(vec![side, next]);
                rest.retain(|one| *one != side && *one != next);
            }
        }
        groups.extend(rest.into_iter().map(|side| vec![side]));
        groups
    }

    /// Returns the shape of a kind of area, and its walls: its outline without the sides of the tile.
    fn area(&self, kind: SpotLook) -> (Vec<PathStep>, Vec<PathStep>) {
        let (mut shape, mut walls) = (vec![], vec![]);
        let corner = |at: usize| self.corners[at % 4];
        for group in self.groups(kind) {
            // The first side of those that follow each other.
            let is_first = |side: &&usize| !group.contains(&((**side + 3) % 4));
            let first = group.iter().find(is_first).copied();
            match (group.len(), first) {
                (_, None) => {
                    shape.extend([PathStep::Move(corner(0))]);
                    shape.extend((1..4).map(|at| PathStep::Line(corner(at))));
                    shape.push(PathStep::Close);
                }
                (1, Some(side)) => {
                    let (from, to) = (corner(side), corner(side + 1));
                    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
                    let middle = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
                    let (ux, uy) = ((self.centre.0 - middle.0) * 0.72, (self.centre.1 - middle.1) * 0.72);
                    let one = (from.0 + dx * 0.22 + ux, from.1 + dy * 0.22 + uy);
                    let other = (to.0 - dx * 0.22 + ux, to.1 - dy * 0.22 + uy);
                    let bow = [PathStep::Move(from), PathStep::Curve(one, other, to)];
                    walls.extend(bow);
                    shape.extend(bow);
                    shape.push(PathStep::Close);
                }
                (2, Some(side)) if group.contains(&((side + 2) % 4)) => {
                    let [a, b, c, d] = [0, 1, 2, 3].map(|step| corner(side + step));
                    let across = |from: PaperPoint, to: PaperPoint| {
                        PathStep::Curve(self.inwards(from, 0.38), self.inwards(to, 0.38), to)
                    };
                    shape.extend([PathStep::Move(a), PathStep::Line(b), across(b, c), PathStep::Line(d)]);
                    shape.extend([across(d, a), PathStep::Close]);
                    walls.extend([PathStep::Move(b), across(b, c), PathStep::Move(d), across(d, a)]);
                }
                (count, Some(side)) => {
                    let (from, to) = (corner(side), corner(side + count));
                    let pull = if count == 2 { 0.3 } else { 0.45 };
                    let wall = PathStep::Curve(self.inwards(to, pull), self.inwards(from, pull), from);
                    shape.push(PathStep::Move(from));
                    shape.extend((1..=count).map(|step| PathStep::Line(corner(side + step))));
                    shape.extend([wall, PathStep::Close]);
                    walls.extend([PathStep::Move(to), wall]);
                }
            }
        }
        let is_alone = shape.is_empty() && self.spots[1][1] == Some(kind);
        if is_alone {
            let radius = (self.corners[1].0 - self.corners[0].0) * 0.25;
            shape.push(PathStep::Disc(self.centre, radius));
            walls.push(PathStep::Disc(self.centre, radius));
        }
        (shape, walls)
    }

    /// Returns the way of a kind of line: from side to side around a bend, or from the sides to the middle.
    fn line(&self, kind: SpotLook) -> Vec<PathStep> {
        let sides = self.sides();
        let ends: Vec<PaperPoint> = (0..4)
            .filter(|side| sides[*side] == Some(kind))
            .map(|side| {
                let (from, to) = (self.corners[side], self.corners[(side + 1) % 4]);
                let end = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
                // A little further, so that there is no gap between two tiles.
                self.inwards(end, -0.01)
            })
            .collect();
        let middle = self.spots[1][1];
        if let ([from, to], true) = (ends.as_slice(), middle == Some(kind)) {
            return vec![PathStep::Move(*from), bend(*from, self.centre, *to)];
        }
        let stop = match middle {
            Some(look) if look == kind => 1.0,
            Some(look) if look.is_area() && middle != self.ground => STOPS.1,
            _ => STOPS.0,
        };
        ends.into_iter()
            .flat_map(|end| [PathStep::Move(end), PathStep::Line(self.inwards(end, stop))])
            .collect()
    }
}
