//! Marks on a board: an arrow for the last move, and the sites that may be chosen.

use crate::draw::svg::canvas::{Canvas, ShapeOutline};
use crate::draw::svg::palette::{CAN, FRESH_EDGE, PAPER};
use crate::draw::svg::scene::{PaperPoint, Scene};
use crate::draw::svg::token::PieceShape;
use houserule_game::drawing::{Marked, SiteContents};
use houserule_model::board::{BitSet, Shape, Site};
use houserule_model::{Board, PLAYER, Seat};

/// How far from the middle of a piece an arrow ends, and from that of a picture, in units of the maximum radius of a piece.
const SHORT: (f64, f64) = (1.0, 0.77);
/// Half the side of a dashed frame, in the same unit.
const FRAME: f64 = 1.12;
/// Width of an arrow, in the same unit.
const WIDTH: f64 = 0.27;
/// Width of the rim of paper around an arrow, on both sides together.
const RIM: f64 = 2.0;

impl Scene<'_> {
    /// Draws an arrow for the last move, from where the piece that it moved stood. It belongs below the pieces. `r` is the
    /// maximum radius of a piece.
    pub(in crate::draw::svg) fn arrow(
        &self,
        canvas: &mut Canvas<'_>,
        at: &dyn Fn(Site) -> PaperPoint,
        r: f64,
    ) {
        let Some([from, to]) = self.went else { return };
        let ((ax, ay), (bx, by)) = (at(from), at(to));
        let is_picture = self.token(to).is_some_and(|token| matches!(token.shape, PieceShape::Picture(..)));
        let short = r * if is_picture { SHORT.1 } else { SHORT.0 };
        let (width, far) = (r * WIDTH, (bx - ax).hypot(by - ay));
        let shaft = far - short - 2.0 * width;
        if shaft <= 0.0 {
            return;
        }
        let (dx, dy) = ((bx - ax) / far, (by - ay) / far);
        let along = |way: f64, aside: f64| (ax + dx * way - dy * aside, ay + dy * way + dx * aside);
        let head = vec![along(far - short, 0.0), along(shaft, 1.35 * width), along(shaft, -1.35 * width)];
        canvas.part("arrow", |canvas| {
            canvas.pale(0.75, |canvas| {
                let line = [vec![(ax, ay), along(shaft, 0.0)]];
                let tip = [head];
                let rim = width + RIM;
                canvas.lines(&line, ShapeOutline { ink: PAPER, width: rim });
                canvas.shapes(&tip, RIM, PAPER);
                canvas.lines(&line, ShapeOutline { ink: FRESH_EDGE, width });
                canvas.shapes(&tip, 0.5, FRESH_EDGE);
            });
        });
    }

    /// Marks the sites of legal actions: empty ones with a dot, others with a ring.
    pub(in crate::draw::svg) fn hints(
        &self,
        canvas: &mut Canvas<'_>,
        at: &dyn Fn(Site) -> PaperPoint,
        r: f64,
    ) {
        canvas.part("framed", |canvas| {
            for site in self.framed.sites() {
                let ((x, y), half) = (at(site), r * FRAME);
                let edge = ShapeOutline { ink: CAN, width: r * 0.12 };
                canvas.dashed_rect(
                    (x - half, y - half),
                    (2.0 * half, 2.0 * half),
                    r * 0.2,
                    edge,
                    (r * 0.36, r * 0.24),
                );
            }
        });
        canvas.part("legal", |canvas| {
            for site in self.legal.sites() {
                match is_open(&self.marked, site) {
                    true => mark_point(canvas, at(site), r * 0.26),
                    false => {
                        // On a rim of paper, so that it is seen on pieces of any colour.
                        for (ink, width) in [(PAPER, r * 0.2), (CAN, r * 0.1)] {
                            canvas.circle(at(site), r * 1.02, None, Some(ShapeOutline { ink, width }));
                        }
                    }
                }
            }
        });
    }
}

/// Draws a dot for what may be chosen.
pub(in crate::draw::svg) fn mark_point(canvas: &mut Canvas<'_>, centre: PaperPoint, radius: f64) {
    let edge = ShapeOutline { ink: PAPER, width: radius * 0.2 };
    canvas.circle(centre, radius, Some(CAN), Some(edge));
}

/// Returns `true` if nothing is drawn on a site, or only that it lies face down.
pub(in crate::draw::svg) fn is_open(marked: &Marked<'_>, site: Site) -> bool {
    marked.is_empty(site) || marked.marks[site.index()] == SiteContents::Hidden
}

/// Returns whose piece or pile stands on a site.
fn owner(marked: &Marked<'_>, site: Site) -> Option<Seat> {
    match marked.marks[site.index()] {
        SiteContents::Piece(at) => marked.symbols[at].player,
        _ => marked.lying(site).first().and_then(|pile| pile.top().owner),
    }
}

/// Returns the legal ones of some sites, without those that say nothing: if every empty site may be chosen, every site of
/// the player who moves, or every other site on which something stands.
pub(in crate::draw::svg) fn without_plain(
    marked: &Marked<'_>,
    sites: &[Site],
    legal: &BitSet,
    mover: Option<Seat>,
) -> BitSet {
    let kind = |site: Site| match is_open(marked, site) {
        true => 0,
        false if mover.is_some() && owner(marked, site) == mover => 1,
        false => 2,
    };
    let says = |kind_of_site: usize| {
        let mut alike = sites.iter().filter(|site| kind(**site) == kind_of_site);
        alike.any(|site| !legal.contains(site.0))
    };
    let says = [says(0), says(1), says(2)];
    BitSet::from_sites(legal.size(), legal.sites().filter(|site| says[kind(*site)]))
}

/// Returns `true` if a board is that of a player other than the one who moves.
pub(in crate::draw::svg) fn is_of_another(scene: &Scene<'_>) -> bool {
    let board = scene.board;
    if board.index.first() != Some(&PLAYER) {
        return false;
    }
    let domains = &scene.state.game().model().domains;
    let each: usize = board.index[1..].iter().map(|domain| domains[domain.index()].size as usize).product();
    let owner = Seat((scene.instance.number / each.max(1)) as u32);
    scene.state.current_player().is_some_and(|mover| mover != owner)
}

/// Returns where the only piece that went from one site to another stood and stands, given the board before and after. A
/// piece that changes its kind on the way, such as a pawn that becomes a queen, is known by its owner.
pub(in crate::draw::svg) fn find_moved(was: &Marked<'_>, is: &Marked<'_>) -> Option<[Site; 2]> {
    let kind = |marked: &Marked<'_>, site: Site| match marked.marks[site.index()] {
        SiteContents::Piece(at) => Some(at),
        _ => None,
    };
    let changed: Vec<(Site, Option<usize>, Option<usize>)> = (0..is.marks.len() as u32)
        .map(|site| (Site(site), kind(was, Site(site)), kind(is, Site(site))))
        .filter(|(_, old, new)| old != new)
        .collect();
    let mut kinds: Vec<usize> = changed.iter().filter_map(|(_, _, new)| *new).collect();
    kinds.sort_unstable();
    kinds.dedup();
    // The sites that pieces of some kinds left, and those to which they came, if there are both.
    let ends = |is_own: &dyn Fn(usize) -> bool| {
        let own = |kind: &Option<usize>| kind.is_some_and(is_own);
        let left = changed.iter().filter(|(_, old, new)| own(old) && !own(new)).map(|(site, ..)| *site);
        let come = changed.iter().filter(|(_, old, new)| own(new) && !own(old)).map(|(site, ..)| *site);
        let ends = (left.collect::<Vec<Site>>(), come.collect::<Vec<Site>>());
        (!ends.0.is_empty() && !ends.1.is_empty()).then_some(ends)
    };
    let mut went: Vec<_> = kinds.iter().filter_map(|kind| ends(&|other| other == *kind)).collect();
    if went.is_empty() {
        let owner = |kind: usize| is.symbols[kind].player;
        let mut seats: Vec<Seat> = kinds.iter().filter_map(|kind| owner(*kind)).collect();
        seats.sort_unstable();
        seats.dedup();
        went = seats.iter().filter_map(|seat| ends(&|kind| owner(kind) == Some(*seat))).collect();
    }
    match went.as_slice() {
        [(left, come)] => match (left.as_slice(), come.as_slice()) {
            ([from], [to]) => Some([*from, *to]),
            _ => None,
        },
        _ => None,
    }
}

/// Returns `true` if a board goes on across its edges.
pub(in crate::draw::svg) fn goes_on(board: &Board) -> bool {
    matches!(board.topology.shape(), Shape::Grid { wrap: true, .. } | Shape::Cut { wrap: true, .. })
}

/// Returns `true` if the way between two sites would be shorter across the edges of a board that continues there.
pub(in crate::draw::svg) fn is_across_edges(scene: &Scene<'_>, ends: [Site; 2]) -> bool {
    let topology = &scene.board.topology;
    if !goes_on(scene.board) {
        return false;
    }
    let [from, to] = ends;
    let columns = topology.column_of(from).abs_diff(topology.column_of(to));
    let rows = topology.row_of(from).abs_diff(topology.row_of(to));
    2 * columns > topology.width() || 2 * rows > topology.height()
}
