//! Draws cells with their sides: corners, lines between them, and the contents of the cells.

use super::LINE;
use super::page::{Glyph, GlyphRole, Marked, Page, SiteContents};
use super::rows::rows;
use houserule_model::Board;
use houserule_model::board::{Shape, Site};

/// The corner of a cell.
pub(super) const CORNER: char = '+';

/// Returns the distance between neighbouring corners, in characters.
pub(super) fn pitch(board: &Board, widest: usize) -> usize {
    let margin = board.topology.height().to_string().len() + 1;
    if margin + 4 * (board.topology.width() as usize) < widest { 4 } else { 2 }
}

/// Returns the sides of row `number`, left to right: those above it, the upright ones in it, and those below
/// it.
pub(super) fn sides_of_row(board: &Board, sides: &Board, number: u32) -> (Vec<Site>, Vec<Site>, Vec<Site>) {
    let (topology, all) = (&board.topology, &sides.topology);
    let named = |column: u32, way: &str| {
        let site = topology.site_at(column.into(), number.into())?;
        all.parse_site(&format!("{}-{way}", topology.site_name(site)))
    };
    let width = topology.width();
    let above = (1..=width).filter_map(|column| named(column, "north")).collect();
    let below = (1..=width).filter_map(|column| named(column, "south")).collect();
    let first = named(1, "west");
    let upright = first.into_iter().chain((1..=width).filter_map(|column| named(column, "east"))).collect();
    (above, upright, below)
}

/// Draws the cells of a grid with their sides.
pub(super) fn draw(board: &Board, marked: &Marked<'_>, sides: &Marked<'_>, widest: usize) -> Page {
    let side_board = &sides.game.model().boards[sides.board.index()];
    debug_assert!(matches!(side_board.topology.shape(), Shape::Sides { .. }));
    let rows = rows(board, 0);
    let pitch = pitch(board, widest);
    let margin = board.topology.height().to_string().len() + 1;
    let mut page = Page::default();
    let lying = |page: &mut Page, y: usize, all: Vec<Site>| {
        for column in 0..=all.len() {
            page.put(margin + column * pitch, y, &CORNER.to_string(), GlyphRole::Frame);
        }
        for (column, side) in all.into_iter().enumerate() {
            let glyph = sides.site(side, 1)[0];
            let inside = pitch - 1;
            let text = match sides.marks[side.index()] {
                SiteContents::Piece(at) if sides.symbols[at].character == LINE => "-".repeat(inside),
                SiteContents::Piece(_) => format!("{:-^inside$}", glyph.character),
                _ => " ".repeat(inside),
            };
            page.put(margin + column * pitch + 1, y, &text, glyph.ink);
        }
    };
    for (at, row) in rows.iter().enumerate() {
        let (above, upright, below) = sides_of_row(board, side_board, row.number);
        let y = 2 * at + 1;
        lying(&mut page, y - 1, above);
        if at + 1 == rows.len() {
            lying(&mut page, y + 1, below);
        }
        page.put(0, y, &format!("{:>width$}", row.number, width = margin - 1), GlyphRole::Label);
        for (column, side) in upright.into_iter().enumerate() {
            let glyph = sides.site(side, 1)[0];
            let drawn = matches!(sides.marks[side.index()], SiteContents::Piece(_));
            let character = if drawn { glyph.character } else { ' ' };
            page.put_all(margin + column * pitch, y, &[Glyph { character, ..glyph }]);
        }
        for (column, site) in row.sites.iter().enumerate() {
            let mut glyphs = marked.site(*site, pitch - 1);
            if marked.is_empty(*site) {
                glyphs[0].character = ' ';
            }
            let aside = pitch.saturating_sub(glyphs.len() - 1).div_ceil(2);
            page.put_all(margin + column * pitch + aside.max(1), y, &glyphs);
        }
    }
    let names = board.topology.column_names();
    let roomy = names.iter().all(|name| name.len() < pitch);
    for (column, name) in names.iter().enumerate() {
        if roomy || (column + 1) % 5 == 0 {
            let x = margin + column * pitch + pitch / 2 + 1 - name.len();
            page.put(x, 2 * rows.len() + 1, name, GlyphRole::Label);
        }
    }
    page
}
