//! A picture that is read back: its shapes and texts with their places, in the order in which they are drawn.

use std::collections::BTreeSet;

use roxmltree::{Document, Node};

/// A point on the page.
pub(super) type Point = (f64, f64);

/// A rectangle of the page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bounds {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Bounds {
    const NOTHING: Bounds = Bounds { left: f64::MAX, top: f64::MAX, right: f64::MIN, bottom: f64::MIN };

    fn with(self, point: Point) -> Bounds {
        Bounds {
            left: self.left.min(point.0),
            top: self.top.min(point.1),
            right: self.right.max(point.0),
            bottom: self.bottom.max(point.1),
        }
    }

    pub(super) fn join(self, other: Bounds) -> Bounds {
        self.with((other.left, other.top)).with((other.right, other.bottom))
    }

    pub(super) fn width(self) -> f64 {
        self.right - self.left
    }

    pub(super) fn height(self) -> f64 {
        self.bottom - self.top
    }

    pub(super) fn has(self, point: Point) -> bool {
        (self.left..=self.right).contains(&point.0) && (self.top..=self.bottom).contains(&point.1)
    }

    /// Returns `true` if another rectangle lies inside, but for a margin.
    pub(super) fn holds(self, other: Bounds, margin: f64) -> bool {
        other.left >= self.left - margin
            && other.top >= self.top - margin
            && other.right <= self.right + margin
            && other.bottom <= self.bottom + margin
    }

    /// Returns by how much two rectangles overlap across and down; at most 0 if they are apart.
    pub(super) fn shared(self, other: Bounds) -> Point {
        (
            self.right.min(other.right) - self.left.max(other.left),
            self.bottom.min(other.bottom) - self.top.max(other.top),
        )
    }

    fn grown(self, by: f64) -> Bounds {
        Bounds { left: self.left - by, top: self.top - by, right: self.right + by, bottom: self.bottom + by }
    }
}

/// An outline of a shape, as a polygon.
#[derive(Clone, Debug)]
pub(super) struct Outline {
    pub(super) points: Vec<Point>,
    pub(super) bounds: Bounds,
}

impl Outline {
    fn from_points(points: Vec<Point>) -> Outline {
        let bounds = points.iter().fold(Bounds::NOTHING, |bounds, point| bounds.with(*point));
        Outline { points, bounds }
    }

    /// Returns how often the outline goes around a point.
    fn turns(&self, point: Point) -> i64 {
        if !self.bounds.has(point) {
            return 0;
        }
        let (x, y) = point;
        let ends = self.points.iter().zip(self.points.iter().cycle().skip(1));
        let crossed = ends.filter(|((ax, ay), (bx, by))| {
            (*ay > y) != (*by > y) && x < ax + (y - ay) / (by - ay) * (bx - ax)
        });
        crossed.map(|((_, ay), (_, by))| if by > ay { 1 } else { -1 }).sum()
    }
}

/// A text and its font.
#[derive(Clone, Debug)]
pub(super) struct Written {
    pub(super) text: String,
    pub(super) size: f64,
}

/// Something that is drawn.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// The outlines of its parts; of a text, the rectangle around it.
    pub(super) outlines: Vec<Outline>,
    /// The rectangle around it, with its line.
    pub(super) bounds: Bounds,
    pub(super) fill: Option<String>,
    pub(super) line: Option<(String, f64)>,
    /// How much of what lies below it hides: from 0 to 1.
    pub(super) opacity: f64,
    pub(super) written: Option<Written>,
    /// The name that actions know it by.
    pub(super) thing: Option<String>,
    pub(super) title: Option<String>,
    /// The names of the parts that it belongs to.
    pub(super) parts: Vec<String>,
    /// The index of its area on the page.
    pub(super) area: Option<usize>,
}

impl Shape {
    /// Returns `true` if a point is inside of what it fills.
    pub(super) fn covers(&self, point: Point) -> bool {
        self.fill.is_some()
            && self.written.is_none()
            && self.bounds.has(point)
            && self.outlines.iter().map(|outline| outline.turns(point)).sum::<i64>() != 0
    }

    pub(super) fn is_in(&self, part: &str) -> bool {
        self.parts.iter().any(|own| own == part)
    }
}

/// An area of the page: the mat, a plate, a zone, a board, a table.
#[derive(Clone, Debug)]
pub(super) struct PageArea {
    pub(super) name: String,
    pub(super) bounds: Bounds,
}

/// A picture.
#[derive(Clone, Debug, Default)]
pub(super) struct ReadPicture {
    pub(super) size: Point,
    pub(super) shapes: Vec<Shape>,
    /// The areas, without the mat that others lie on.
    pub(super) areas: Vec<PageArea>,
}

/// What an element inherits from those around it.
#[derive(Clone, Debug)]
struct Around {
    shift: Point,
    scale: f64,
    opacity: f64,
    parts: Vec<String>,
    area: Option<usize>,
}

fn number(node: Node<'_, '_>, name: &str) -> f64 {
    node.attribute(name).map_or(0.0, |text| text.parse().expect("a number"))
}

impl ReadPicture {
    /// Reads a picture.
    pub(super) fn from_svg(svg: &str) -> ReadPicture {
        let document = Document::parse(svg).expect("a picture");
        let root = document.root_element();
        let view: Vec<f64> = root
            .attribute("viewBox")
            .expect("a size")
            .split(' ')
            .map(|n| n.parse().expect("a number"))
            .collect();
        let mut picture = ReadPicture { size: (view[2], view[3]), ..ReadPicture::default() };
        let around = Around { shift: (0.0, 0.0), scale: 1.0, opacity: 1.0, parts: vec![], area: None };
        let body = body_of(root);
        let mut names = vec![];
        for child in root.children() {
            picture.read(child, &around, body, &mut names);
        }
        for (at, name) in names.into_iter().enumerate() {
            let own = picture.shapes.iter().filter(|shape| shape.area == Some(at) && shape.thing.is_none());
            let bounds = own.map(|shape| shape.bounds).reduce(Bounds::join);
            picture.areas.extend(bounds.map(|bounds| PageArea { name, bounds }));
        }
        picture
    }

    /// Returns the texts.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&Shape, &Written)> {
        self.shapes.iter().filter_map(|shape| Some((shape, shape.written.as_ref()?)))
    }

    fn read(
        &mut self,
        node: Node<'_, '_>,
        around: &Around,
        body: Option<Node<'_, '_>>,
        areas: &mut Vec<String>,
    ) {
        if !node.is_element() || node.has_tag_name("style") || node.has_tag_name("title") {
            return;
        }
        let mut around = around.clone();
        if body.is_some() && node.parent() == body && node.tag_name().name() == "g" {
            around.area = Some(areas.len());
            let part = node.attribute("data-part").or_else(|| first_part(node));
            areas.push(part.unwrap_or("part").to_owned());
        }
        if let Some(text) = node.attribute("transform") {
            let (x, y, scale) = transform(text);
            around.shift = (around.shift.0 + around.scale * x, around.shift.1 + around.scale * y);
            around.scale *= scale;
        }
        around.opacity *= node.attribute("opacity").map_or(1.0, |text| text.parse().expect("a number"));
        around.parts.extend(node.attribute("data-part").map(str::to_owned));
        if node.tag_name().name() == "g" {
            for child in node.children() {
                self.read(child, &around, body, areas);
            }
            return;
        }
        self.shapes.push(shape(node, around));
    }
}

/// Returns the group whose children are the areas of the page: after the head.
fn body_of<'d, 'i>(root: Node<'d, 'i>) -> Option<Node<'d, 'i>> {
    let groups = |node: Node<'d, 'i>| node.children().filter(|child| child.tag_name().name() == "g");
    let page = groups(root).next_back()?;
    groups(page).rfind(|group| group.has_attribute("transform"))
}

fn first_part<'d>(node: Node<'d, '_>) -> Option<&'d str> {
    node.descendants().find_map(|inner| inner.attribute("data-part"))
}

/// Reads `translate(1 2)` with or without `scale(3)`.
fn transform(text: &str) -> (f64, f64, f64) {
    let inside = |name: &str| {
        let (_, rest) = text.split_once(&format!("{name}("))?;
        rest.split_once(')').map(|(inside, _)| inside)
    };
    let (x, y) = inside("translate").and_then(|both| both.split_once(' ')).expect("two numbers");
    let scale = inside("scale").map_or(1.0, |scale| scale.parse().expect("a number"));
    (x.parse().expect("a number"), y.parse().expect("a number"), scale)
}

fn shape(node: Node<'_, '_>, around: Around) -> Shape {
    let mut written = None;
    let outlines: Vec<Vec<Point>> = match node.tag_name().name() {
        "rect" => {
            let (x, y) = (number(node, "x"), number(node, "y"));
            vec![corners(Bounds {
                left: x,
                top: y,
                right: x + number(node, "width"),
                bottom: y + number(node, "height"),
            })]
        }
        "circle" => {
            let (x, y, r) = (number(node, "cx"), number(node, "cy"), number(node, "r"));
            let turns = (0..24).map(|at| f64::from(at) * std::f64::consts::TAU / 24.0);
            vec![turns.map(|turn| (x + r * turn.cos(), y + r * turn.sin())).collect()]
        }
        "path" => path(node.attribute("d").expect("a path")),
        "text" => {
            let text = node.text().unwrap_or_default();
            let size = number(node, "font-size");
            let is_bold = node.attribute("font-weight").is_some();
            let width = houserule::lettering::width(text, size, is_bold);
            let before = match node.attribute("text-anchor") {
                Some("middle") => width / 2.0,
                Some("end") => width,
                _ => 0.0,
            };
            let (left, base) = (number(node, "x") - before, number(node, "y"));
            written = Some(Written { text: text.to_owned(), size: size * around.scale });
            vec![corners(Bounds { left, top: base - 0.73 * size, right: left + width, bottom: base })]
        }
        other => panic!("{other}"),
    };
    let place = |(x, y): Point| (around.shift.0 + around.scale * x, around.shift.1 + around.scale * y);
    let outlines: Vec<Outline> = outlines
        .into_iter()
        .map(|points| Outline::from_points(points.into_iter().map(place).collect()))
        .collect();
    let line =
        node.attribute("stroke").map(|ink| (ink.to_owned(), number(node, "stroke-width") * around.scale));
    let half = line.as_ref().map_or(0.0, |(_, width)| width / 2.0);
    let bounds =
        outlines.iter().map(|outline| outline.bounds).reduce(Bounds::join).expect("an outline").grown(half);
    let fill = node.attribute("fill").filter(|fill| *fill != "none").map(str::to_owned);
    let own = node.attribute("fill-opacity").map_or(1.0, |text| text.parse().expect("a number"));
    let thing = node.attribute("data-thing").map(str::to_owned);
    let title = node.children().find(|child| child.tag_name().name() == "title");
    Shape {
        outlines,
        bounds,
        fill: fill.filter(|_| thing.is_none()),
        line,
        opacity: around.opacity * own,
        written,
        thing,
        title: title.and_then(|title| title.text()).map(str::to_owned),
        parts: around.parts,
        area: around.area,
    }
}

fn corners(bounds: Bounds) -> Vec<Point> {
    let Bounds { left, top, right, bottom } = bounds;
    vec![(left, top), (right, top), (right, bottom), (left, bottom)]
}

/// Reads the outlines of a path. Of a curve, a few points are enough.
fn path(text: &str) -> Vec<Vec<Point>> {
    let (mut outlines, mut points): (Vec<Vec<Point>>, Vec<Point>) = (vec![], vec![]);
    let mut at = (0.0, 0.0);
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let end = rest[1..].find(|c: char| c.is_ascii_alphabetic()).map_or(rest.len(), |at| at + 1);
        let numbers = rest[1..end].replace('-', " -");
        let numbers: Vec<f64> = numbers.split_whitespace().map(|n| n.parse().expect("a number")).collect();
        rest = &rest[end..];
        // Small letters count from the point before.
        let (x, y) = if letter.is_ascii_lowercase() { at } else { (0.0, 0.0) };
        match (letter.to_ascii_uppercase(), numbers.as_slice()) {
            ('M', [dx, dy]) => {
                outlines.extend((!points.is_empty()).then(|| std::mem::take(&mut points)));
                at = (x + dx, y + dy);
                points.push(at);
            }
            ('L', [dx, dy]) => {
                at = (x + dx, y + dy);
                points.push(at);
            }
            ('H', [dx]) => {
                at.0 = x + dx;
                points.push(at);
            }
            ('V', [dy]) => {
                at.1 = y + dy;
                points.push(at);
            }
            ('C', [a, b, c, d, dx, dy]) => {
                let (from, one, other, to) = (at, (x + a, y + b), (x + c, y + d), (x + dx, y + dy));
                for part in [0.25f64, 0.5, 0.75, 1.0] {
                    let rest = 1.0 - part;
                    let mix = |p: fn(Point) -> f64| {
                        rest.powi(3) * p(from)
                            + 3.0 * rest * rest * part * p(one)
                            + 3.0 * rest * part * part * p(other)
                            + part.powi(3) * p(to)
                    };
                    points.push((mix(|p| p.0), mix(|p| p.1)));
                }
                at = to;
            }
            // Half a circle, begun at its left or right end.
            ('A', [r, _, _, _, way, dx, dy]) => {
                let to = (x + dx, y + dy);
                let middle = ((at.0 + to.0) / 2.0, (at.1 + to.1) / 2.0);
                let (left, down) = (at.0 > to.0, *way > 0.5);
                let sign = if left == down { 1.0 } else { -1.0 };
                for part in [0.25f64, 0.5, 0.75] {
                    let turn = part * std::f64::consts::PI;
                    let across = if left { turn.cos() } else { -turn.cos() };
                    points.push((middle.0 + r * across, middle.1 + sign * r * turn.sin()));
                }
                at = to;
                points.push(at);
            }
            ('Z', []) => at = points.first().copied().unwrap_or(at),
            other => panic!("{other:?} in {text}"),
        }
    }
    outlines.extend((!points.is_empty()).then_some(points));
    outlines
}

/// Returns the words of a picture that people read or hear: texts and titles.
pub(super) fn words(picture: &ReadPicture) -> BTreeSet<&str> {
    let texts = picture.texts().map(|(_, written)| written.text.as_str());
    texts.chain(picture.shapes.iter().filter_map(|shape| shape.title.as_deref())).collect()
}
