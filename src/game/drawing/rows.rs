//! Draws boards of columns and rows: one line per row. Rows of hexagons are shifted by half a cell.

use super::page::{GlyphRole, Marked, Page};
use houserule_model::Board;
use houserule_model::board::Site;

/// A row of a drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawingRow {
    /// Its number.
    pub number: u32,
    /// Its sites, from the left.
    pub sites: Vec<Site>,
}

/// Returns the rows of a board of a family, from the top of the page.
pub fn rows(board: &Board, of: usize) -> Vec<DrawingRow> {
    let topology = &board.topology;
    let row = |number: u32| {
        let sites = (1..=i64::from(board.width_of(of))).filter_map(|c| topology.site_at(c, number.into()));
        DrawingRow { number, sites: sites.collect() }
    };
    let mut rows: Vec<DrawingRow> = match topology.places() {
        None => (1..=board.height_of(of)).map(row).collect(),
        Some(places) => {
            let mut numbers: Vec<u32> = places.iter().map(|(_, row)| *row).collect();
            numbers.dedup();
            let on = |number: u32| {
                topology.sites().zip(&places).filter(move |(_, at)| at.1 == number).map(|(s, _)| s)
            };
            numbers.into_iter().map(|number| DrawingRow { number, sites: on(number).collect() }).collect()
        }
    };
    if !board.from_top {
        rows.reverse();
    }
    rows
}

/// Returns the names of the columns of a board of a family.
pub fn columns(board: &Board, of: usize) -> Vec<String> {
    let mut names = board.topology.column_names();
    if !board.own_sites.is_empty() {
        names.truncate(board.width_of(of) as usize);
    }
    names
}

/// Returns the number of characters for what lies on a site of a board with `columns` columns.
pub(super) fn room(columns: usize, widest: usize) -> usize {
    const MOST: usize = 8;
    (widest.saturating_sub(4) / columns.max(1)).saturating_sub(1).clamp(2, MOST)
}

/// Draws the board with row numbers and column names on a page of at most `widest` characters, if the board
/// allows it.
pub(super) fn draw(board: &Board, of: usize, marked: &Marked<'_>, widest: usize) -> Page {
    let rows = rows(board, of);
    let columns = columns(board, of);
    let hex = board.topology.shape().is_hex();
    let margin = rows.iter().map(|row| row.number.to_string().len()).max().unwrap_or(0);
    let room = room(columns.len(), widest);
    let mark = marked.widest(room);
    let named = columns.iter().map(String::len).max().unwrap_or(1).max(mark) + 1;
    // The column names are placed like a row before row 1.
    let shift = |number: usize, pitch: usize| if hex { number * pitch / 2 } else { 0 };
    let base = |pitch: usize| margin + usize::from(pitch == mark);
    let width = |pitch: &usize| base(*pitch) + pitch * columns.len() + shift(rows.len(), *pitch);
    let pitch = [named, mark + 1].into_iter().find(|pitch| width(pitch) <= widest).unwrap_or(mark);
    let mut page = Page::default();
    let top = usize::from(hex && board.from_top);
    for (y, row) in (top..).zip(&rows) {
        let left = shift(row.number as usize, pitch);
        page.put(left, y, &format!("{:>margin$}", row.number), GlyphRole::Label);
        for site in &row.sites {
            let column = board.topology.column_of(*site) as usize;
            let glyphs = marked.site(*site, room);
            page.put_all(left + base(pitch) + column * pitch - glyphs.len(), y, &glyphs);
        }
    }
    let y = if top == 1 { 0 } else { rows.len() };
    for (column, name) in (1..).zip(&columns) {
        // With too little room for all names, draw every fifth.
        if pitch == named || column % 5 == 0 {
            page.put((base(pitch) + column * pitch).saturating_sub(name.len()), y, name, GlyphRole::Label);
        }
    }
    page
}
