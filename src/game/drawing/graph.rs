//! Draws graphs: sites where their names say, with lines between them; or a list of sites.

use super::page::{GlyphRole, Marked, Page};
use super::rows::{room, rows};
use houserule_model::Board;
use houserule_model::board::Site;

/// Characters that draw lines between sites. The parser of drawings ignores them.
pub(super) const LINES: [char; 5] = ['-', '|', '/', '\\', '+'];

/// Draws sites whose names are a letter and a number, each in its column and row.
pub(super) fn draw(board: &Board, places: &[(u32, u32)], marked: &Marked<'_>, widest: usize) -> Page {
    let topology = &board.topology;
    let rows = rows(board, 0);
    let names = topology.column_names();
    let margin = rows.iter().map(|row| row.number.to_string().len()).max().unwrap_or(0) + 1;
    let longest = room(names.len(), widest);
    let room = marked.widest(longest) + 1;
    let pitch = if margin + 4 * names.len() <= widest { room.max(4) } else { room.max(3) };
    let mut used: Vec<u32> = places.iter().map(|(column, _)| *column).collect();
    used.sort_unstable();
    used.dedup();
    let at = |site: Site| {
        let (column, number) = places[site.index()];
        let x = used.iter().position(|c| *c == column).unwrap_or(0);
        let y = rows.iter().position(|row| row.number == number).unwrap_or(0);
        (margin + x * pitch, 2 * y)
    };
    let mut page = Page::default();
    let mut undrawn = vec![];
    for line in topology.lines() {
        let back = line.cyclic.then(|| line.sites[0]);
        let next = line.sites.iter().copied().skip(1).chain(back);
        for (from, to) in line.sites.iter().copied().zip(next) {
            if !join(&mut page, at(from), at(to), pitch) {
                undrawn.push(format!("{}-{}", topology.site_name(from), topology.site_name(to)));
            }
        }
    }
    for site in topology.sites() {
        let (x, y) = at(site);
        page.put_all(x, y, &marked.site(site, longest));
    }
    for (y, row) in rows.iter().enumerate() {
        page.put(0, 2 * y, &format!("{:>width$}", row.number, width = margin - 1), GlyphRole::Label);
    }
    let below = page.lines.len();
    for (x, name) in names.iter().enumerate() {
        page.put(margin + x * pitch, below, name, GlyphRole::Label);
    }
    // As a comment, because the parser of drawings knows the edges.
    let room = widest.saturating_sub(margin + 16);
    let mut told = String::new();
    for (i, pair) in undrawn.iter().enumerate() {
        told.push_str(&format!(" {pair}"));
        if told.len() > room || i + 1 == undrawn.len() {
            page.put(margin, page.lines.len(), &format!("// and joined:{told}"), GlyphRole::Label);
            told.clear();
        }
    }
    page
}

/// Draws a straight line between two places. Returns `false` if no character has this slope.
fn join(page: &mut Page, from: (usize, usize), to: (usize, usize), pitch: usize) -> bool {
    let (from, to) = if from.0 <= to.0 { (from, to) } else { (to, from) };
    let (width, height) = (to.0 - from.0, from.1.abs_diff(to.1));
    let (stroke, crossed) = match (width, height) {
        (_, 0) => ('-', '|'),
        (0, _) => ('|', '-'),
        _ if width * 2 == height * pitch && pitch.is_multiple_of(2) => {
            if to.1 < from.1 {
                ('/', '\\')
            } else {
                ('\\', '/')
            }
        }
        _ => return false,
    };
    let steps = if height == 0 { width } else { height };
    for step in 1..steps {
        let x = from.0 + width * step / steps;
        let y = if to.1 < from.1 { from.1 - height * step / steps } else { from.1 + height * step / steps };
        let character =
            if page.at(x, y) == crossed { if height == 0 || width == 0 { '+' } else { 'x' } } else { stroke };
        page.put(x, y, &character.to_string(), GlyphRole::Frame);
    }
    true
}

/// Draws a list of sites: each name before its contents. They stand closer together if all of them fit in one row then.
pub(super) fn list(board: &Board, marked: &Marked<'_>, widest: usize) -> Page {
    let names: Vec<String> = board.topology.sites().map(|site| board.topology.site_name(site)).collect();
    let name = names.iter().map(String::len).max().unwrap_or(1);
    let room = room(1, widest);
    let entry = name + 1 + marked.widest(room);
    let all = names.len();
    let gap = if all * (entry + 3) > widest + 3 && all * (entry + 2) <= widest + 2 { 2 } else { 3 };
    let columns = ((widest + gap) / (entry + gap)).max(1);
    let mut page = Page::default();
    for (site, text) in names.iter().enumerate() {
        let (x, y) = (site % columns * (entry + gap), site / columns);
        page.put(x, y, &format!("{text:>name$}"), GlyphRole::Label);
        let glyphs = marked.site(Site(site as u32), room);
        page.put_all(x + entry - glyphs.len(), y, &glyphs);
    }
    page
}
