//! The part of a large board that is drawn while the rest is empty: what lies there and what may be chosen, with a margin.

use super::marks;
use super::pits;
use crate::draw::margin::Margin;
use crate::draw::svg::paper::points;
use crate::draw::svg::scene::Scene;
use crate::draw::svg::{land, tiles};
use houserule_game::drawing::SiteContents;
use houserule_game::explain::things::ActionThings;
use houserule_model::board::{BitSet, Shape, Site};
use houserule_model::{Board, BoardId, Model};

/// Columns and rows up to which a board is always drawn whole.
const WHOLE: u32 = 20;
/// The part of a board's sites that is drawn, at most: one of these.
const PART: u32 = 3;
/// Sites around those in use.
const MARGIN: u32 = 1;
/// Columns and rows by which the drawn part grows, so that it seldom does.
const STEP: u32 = 4;

/// Which part of a board is drawn.
#[derive(Clone, Copy)]
struct CropRule {
    /// The part is less than one of this number of parts of the board.
    most: u32,
    /// Columns and rows by which it grows.
    step: u32,
    /// Columns and rows around what is in use.
    margin: u32,
}

impl CropRule {
    const BOARD: CropRule = CropRule { most: PART, step: STEP, margin: MARGIN };
    const LANDSCAPE: CropRule = CropRule { most: 1, step: 1, margin: 0 };
}

/// A part of a board: its columns and rows on the page, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::draw::svg) struct BoardPart {
    /// The first column and row.
    pub(in crate::draw::svg) first: (u32, u32),
    pub(in crate::draw::svg) columns: u32,
    pub(in crate::draw::svg) rows: u32,
}

impl BoardPart {
    /// Returns `true` if a site of a board is in the part.
    pub(in crate::draw::svg) fn has_site(self, board: &Board, site: Site) -> bool {
        let (column, row) = place(board, site, board.topology.height());
        self.contains(column, row)
    }

    fn contains(self, column: u32, row: u32) -> bool {
        let columns = self.first.0..self.first.0 + self.columns;
        let rows = self.first.1..self.first.1 + self.rows;
        columns.contains(&column) && rows.contains(&row)
    }
}

/// Returns `true` if a board is so large that a part of it may be drawn.
pub(in crate::draw::svg) fn is_large(model: &Model, id: BoardId) -> bool {
    let board = &model.boards[id.index()];
    let topology = &board.topology;
    if land::is_landscape(model, id) {
        return true;
    }
    let squares = matches!(topology.shape(), Shape::Grid { .. } | Shape::Cut { hex: false, .. });
    let alone = board.sides_of.is_none() && board.own_sites.is_empty();
    squares && alone && topology.width() > WHOLE && topology.height() > WHOLE
}

/// Returns `true` if a part of a board may be drawn in some states.
pub(in crate::draw::svg) fn can_be_cropped(scene: &Scene<'_>) -> bool {
    let (board, game) = (scene.board, scene.state.game());
    let id = scene.instance.board;
    let is_plain = is_large(game.model(), id)
        && !land::lies_on_another(game.model(), id)
        && !points::are_crossings(board)
        && !pits::are_meant(game, id);
    let has_margin = !Margin::all(game, id).is_empty();
    is_plain && !has_margin && scene.sides.is_none() && scene.links.is_none()
}

/// Returns the part of a large board that is drawn, given the sites that may be chosen. Returns `None` if it is drawn whole:
/// most of it is in use, something stands at the ends of its rows, or its columns and rows may be chosen.
pub(in crate::draw::svg) fn find_part(scene: &Scene<'_>, open: &BitSet) -> Option<BoardPart> {
    let board = scene.board;
    if !can_be_cropped(scene) || tiles::names_lanes(scene, &ActionThings::from_state(scene.state)) {
        return None;
    }
    let lies = |site: &Site| {
        matches!(scene.marked.marks[site.index()], SiteContents::Piece(_) | SiteContents::Hidden)
            || scene.marked.number(*site).is_some()
            || !scene.marked.lying(*site).is_empty()
    };
    let below = land::tiles_in_use(scene);
    let in_use = |site: &Site| {
        lies(site)
            || below.contains(site.0)
            || open.contains(site.0)
            || scene.fresh.contains(site.0)
            || board.ground(*site).is_some()
    };
    let topology = &board.topology;
    let size = (topology.width(), topology.height());
    let used = topology.sites().filter(in_use).map(|site| place(board, site, size.1));
    if scene.over.is_none() {
        return part_around(used, size, marks::goes_on(board), CropRule::BOARD);
    }
    // A landscape has the same size whatever part of it is drawn. Where it may go on doesn't depend on what is chosen now.
    let lying = topology.sites().filter(|site| lies(site) || below.contains(site.0));
    let with_margin = lying.flat_map(|site| {
        let (column, row) = place(board, site, size.1);
        let last = (size.0 - 1, size.1 - 1);
        [(column.saturating_sub(1), row.saturating_sub(1)), ((column + 1).min(last.0), (row + 1).min(last.1))]
    });
    let all: Vec<(u32, u32)> = with_margin.chain(used).collect();
    part_around(all.into_iter(), size, marks::goes_on(board), CropRule::LANDSCAPE)
}

/// Returns the column and the row of a site on the page, from 0. A smaller board of a family has fewer `rows` than the
/// topology. Its missing sites are never drawn.
pub(in crate::draw::svg) fn place(board: &Board, site: Site, rows: u32) -> (u32, u32) {
    let (column, row) = (board.topology.column_of(site) - 1, board.topology.row_of(site));
    (column, if board.from_top { row - 1 } else { rows.max(row) - row })
}

/// Returns the part around the columns and rows in use, if it is small enough. A board that `goes_on` across its edges is
/// whole if the margin would do so, too.
fn part_around(
    used: impl Iterator<Item = (u32, u32)>,
    size: (u32, u32),
    goes_on: bool,
    rule: CropRule,
) -> Option<BoardPart> {
    let bounds = used.map(|(column, row)| [column, row, column, row]);
    let [left, top, right, bottom] =
        bounds.reduce(|a, b| [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])])?;
    let is_inside =
        |least: u32, most: u32, size: u32| least >= rule.margin.max(1) && most + rule.margin.max(1) < size;
    if goes_on && !(is_inside(left, right, size.0) && is_inside(top, bottom, size.1)) {
        return None;
    }
    let begin = |least: u32| least.saturating_sub(rule.margin) / rule.step * rule.step;
    let end = |most: u32, size: u32| ((most + 1 + rule.margin).div_ceil(rule.step) * rule.step).min(size);
    let first = (begin(left), begin(top));
    let (columns, rows) = (end(right, size.0) - first.0, end(bottom, size.1) - first.1);
    (rule.most * columns * rows < size.0 * size.1).then_some(BoardPart { first, columns, rows })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(used: &[(u32, u32)], size: (u32, u32)) -> Option<[u32; 4]> {
        let part = part_around(used.iter().copied(), size, false, CropRule::BOARD)?;
        Some([part.first.0, part.first.1, part.columns, part.rows])
    }

    #[test]
    fn a_part_has_a_margin_and_grows_by_steps() {
        assert_eq!(part(&[(30, 30)], (63, 63)), Some([28, 28, 4, 4]));
        assert_eq!(part(&[(30, 30), (31, 30)], (63, 63)), Some([28, 28, 8, 4]));
        assert_eq!(part(&[(30, 30), (34, 30)], (63, 63)), Some([28, 28, 8, 4]));
        assert_eq!(part(&[(28, 28)], (63, 63)), Some([24, 24, 8, 8]));
        // At the edge there is no margin.
        assert_eq!(part(&[(0, 0), (62, 3)], (63, 63)), Some([0, 0, 63, 8]));
    }

    #[test]
    fn a_board_in_use_is_whole() {
        assert_eq!(part(&[], (63, 63)), None);
        assert_eq!(part(&[(1, 1), (61, 61)], (63, 63)), None);
        assert_eq!(part(&[(5, 5), (40, 36)], (63, 63)), None);
        assert_eq!(part(&[(5, 5), (30, 30)], (63, 63)), Some([4, 4, 28, 28]));
    }

    #[test]
    fn a_board_that_goes_on_is_whole_if_its_edges_are_in_use() {
        let has_part =
            |used: (u32, u32)| part_around([used].into_iter(), (63, 63), true, CropRule::BOARD).is_some();
        for used in [(30, 30), (1, 30), (30, 61)] {
            assert!(has_part(used), "{used:?}");
        }
        for used in [(0, 30), (62, 30), (30, 0), (30, 62)] {
            assert!(!has_part(used), "{used:?}");
        }
    }

    #[test]
    fn a_part_knows_its_columns_and_rows() {
        let part = BoardPart { first: (4, 8), columns: 8, rows: 4 };
        assert!(part.contains(4, 8) && part.contains(11, 11));
        assert!(!part.contains(3, 8) && !part.contains(12, 8) && !part.contains(4, 12));
    }
}
