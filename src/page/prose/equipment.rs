//! What a game is played with: its boards, dice, pieces and zones.

use super::grammar::plural;
use super::kinds;
use super::{RulesEntry, for_each, help_of};
use houserule_base::names::{list_words, plain};
use houserule_base::numbers::counted;
use houserule_language::syntax::{Decl, DeclKind};
use houserule_model::board::{Shape, Site, Topology};
use houserule_model::{
    Board, Content, DisplayForm, DomainKind, Model, PLAYER, Role, Slot, SlotId, Visibility,
};

pub(super) fn equipment(model: &Model, decls: &[Decl]) -> Vec<RulesEntry> {
    let mut all: Vec<RulesEntry> =
        model.boards.iter().map(|board| board_entry(model, board, decls)).collect();
    for (slot, id) in model.slots.iter().zip((0..).map(SlotId)) {
        match slot.role {
            Role::Dice { count, faces, .. } => {
                let of = match &slot.shown {
                    shown if let Some(sides) = model.sides_of(id) => {
                        let each = if count == 1 { "" } else { " each" };
                        format!("{} sides{each}: {}", sides.iter().sum::<u32>(), sides_in_words(shown, sides))
                    }
                    DisplayForm::Faces(names) => {
                        let names: Vec<String> = names.iter().map(|name| plain(name)).collect();
                        format!("the faces {}", list_words(&names))
                    }
                    _ if count == 1 => format!("{faces} faces"),
                    _ => format!("{faces} faces each"),
                };
                let what =
                    if count == 1 { format!("a die with {of}") } else { format!("{count} dice with {of}") };
                let help = if slot.help.is_empty() { String::new() } else { format!("; {}", slot.help) };
                let text = format!("{what}{}{help}", for_each(model, slot, true));
                all.push(RulesEntry::new(plain(&slot.name), text));
            }
            Role::Piece(_) => {
                let each = if slot.help.is_empty() {
                    format!("pieces{}", for_each(model, slot, false))
                } else {
                    slot.help.clone()
                };
                all.push(RulesEntry::new(plain(&slot.name), each));
            }
            Role::Zone | Role::Copies => {
                let seen = match slot.visibility {
                    Visibility::Nobody if model.shows_top(slot) => Some("only the top is seen".to_owned()),
                    visibility => who_sees(model, visibility),
                };
                let seen = seen.map_or(String::new(), |seen| format!(" ({seen})"));
                let text = if slot.help.is_empty() { lying(model, slot) } else { slot.help.clone() };
                let first = kinds::first_copies(model, slot)
                    .map_or(String::new(), |first| format!("; at first {first}"));
                all.push(RulesEntry::new(plain(&slot.name), format!("{text}{seen}{first}")));
            }
            _ => {}
        }
    }
    all
}

/// The faces of dice of which some are on several sides: "blank (3 sides), hit".
fn sides_in_words(shown: &DisplayForm, sides: &[u32]) -> String {
    let face = |(number, count): (usize, &u32)| {
        let name = match shown {
            DisplayForm::Faces(names) => plain(&names[number]),
            _ => (number + 1).to_string(),
        };
        if *count == 1 { name } else { format!("{name} ({count} sides)") }
    };
    list_words(&sides.iter().enumerate().map(face).collect::<Vec<_>>())
}

/// Tells who sees a value, unless all do.
pub(super) fn who_sees(model: &Model, visibility: Visibility) -> Option<String> {
    match visibility {
        Visibility::All => None,
        Visibility::Owner => Some("seen by its owner only".to_owned()),
        Visibility::Others => Some("seen by all but its owner".to_owned()),
        Visibility::Player(seat) => Some(format!("seen by {} only", model.players.names[seat.index()])),
        Visibility::Nobody => Some("seen by nobody".to_owned()),
    }
}

/// Describes a zone without a help text: `cards of each player`.
fn lying(model: &Model, slot: &Slot) -> String {
    let (of, by) = match slot.content {
        Content::Set(domain) => (Some(domain), &slot.index[..]),
        _ => slot.index.split_last().map_or((None, &[][..]), |(last, by)| (Some(*last), by)),
    };
    let of = of.map_or_else(String::new, |domain| match model.domains[domain.index()].kind {
        DomainKind::Range { low } => {
            let high = low + i64::from(model.domains[domain.index()].size) - 1;
            format!("numbers from {low} to {high}")
        }
        _ => plural(&model.domains[domain.index()].name),
    });
    let by = by.iter().filter(|domain| **domain != PLAYER || model.players.count > 1);
    let by: Vec<String> =
        by.map(|domain| format!("each {}", plain(&model.domains[domain.index()].name))).collect();
    let alike = if slot.role == Role::Copies { ", of which several may be alike" } else { "" };
    match by.as_slice() {
        [] => format!("{of}{alike}"),
        by => format!("{of} of {}{alike}", by.join(" and ")),
    }
}

fn board_entry(model: &Model, board: &Board, decls: &[Decl]) -> RulesEntry {
    let (width, height) = (board.topology.width(), board.topology.height());
    let size = model.domains[board.domain.index()].size;
    let (mut text, wraps) = match *board.topology.shape() {
        _ if !board.own_sites.is_empty() => {
            let mut sizes: Vec<String> = (0..board.own_sites.len())
                .map(|of| format!("{} by {}", board.width_of(of), board.height_of(of)))
                .collect();
            sizes.dedup();
            (format!("boards of {} columns and rows,", list_words(&sizes)), false)
        }
        Shape::Grid { wrap, .. } => {
            let sides = format!("{} and {}", counted(width, "column"), counted(height, "row"));
            (format!("a board of {sides}"), wrap)
        }
        Shape::Hex { .. } => (format!("a rhombus of {width} by {height} hexagons"), false),
        Shape::Cut { hex, wrap, .. } => {
            let lines = board.topology.has_chosen_diagonals();
            let cells = match (hex, lines) {
                (true, _) => "hexagon",
                (false, true) => "point",
                (false, false) => "square",
            };
            let lines = if lines { diagonals(&board.topology) } else { String::new() };
            let gaps = if hex { lengths(&board.topology) } else { gaps(&board.topology) };
            let (cells, rows) = (counted(size, cells), counted(height, "row"));
            (format!("a board of {cells} in {rows}{gaps}{lines}"), wrap)
        }
        Shape::Track { wrap, .. } => (format!("a track of {}", counted(size, "place")), wrap),
        Shape::Graph => (format!("a board of {}", counted(size, "point")), false),
        Shape::Links => {
            let of = board.sides_of.map_or("", |of| model.boards[of.index()].name.as_str());
            (format!("the links between two of {of}, {size} in all"), false)
        }
        Shape::Sides { .. } => {
            let of = board.sides_of.map_or("", |of| model.boards[of.index()].name.as_str());
            (format!("the sides of every {of}, {size} in all"), false)
        }
    };
    if wraps {
        let ends = match board.topology.shape() {
            Shape::Track { .. } => "ends",
            _ => "opposite edges",
        };
        text.push_str(&format!(", whose {ends} join"));
    }
    let of = board.index.iter().filter(|domain| **domain != PLAYER || model.players.count > 1);
    let of: Vec<String> = of.map(|domain| plain(&model.domains[domain.index()].name)).collect();
    if !of.is_empty() {
        text.push_str(&format!(" for each {}", of.join(" and ")));
    }
    if let Some(seen) = who_sees(model, board.visibility).filter(|_| board.sides_of.is_none()) {
        text.push_str(&format!(", {seen}"));
    }
    let help = help_of(decls, |kind| matches!(kind, DeclKind::Board { name, .. } if name.text == board.name));
    if !help.is_empty() {
        text.push_str(&format!("; {help}"));
    }
    RulesEntry::new(plain(&board.name), text)
}

/// Tells which sites the rows of a board have, if some have gaps or are shorter: ` (rows 1 and 3: b to d; row 2: a to e)`.
fn gaps(topology: &Topology) -> String {
    let (columns, height) = (topology.column_names(), topology.height());
    let mut rows: Vec<(String, Vec<String>)> = vec![];
    for row in 1..=height {
        let has = |column: &usize| topology.site_at(*column as i64 + 1, i64::from(row)).is_some();
        let there: Vec<usize> = (0..columns.len()).filter(has).collect();
        let runs = there.chunk_by(|a, b| a + 1 == *b).map(|run| match run {
            [first, _, .., last] => format!("{} to {}", columns[*first], columns[*last]),
            run => run.iter().map(|column| columns[*column].clone()).collect::<Vec<_>>().join(", "),
        });
        let runs = runs.collect::<Vec<_>>().join(", ");
        match rows.iter_mut().find(|(known, _)| *known == runs) {
            Some((_, rows)) => rows.push(row.to_string()),
            None => rows.push((runs, vec![row.to_string()])),
        }
    }
    if rows.len() < 2 {
        return String::new();
    }
    let told = rows.iter().map(|(runs, rows)| {
        let s = if rows.len() == 1 { "" } else { "s" };
        format!("row{s} {}: {runs}", list_words(&kinds::ranges(rows)))
    });
    format!(" ({})", told.collect::<Vec<_>>().join("; "))
}

/// Tells how many sites each row of hexagons has: ` (2, 3 and 2 to a row)`.
fn lengths(topology: &Topology) -> String {
    let mut rows = vec![0_u32; topology.height() as usize];
    for site in topology.sites() {
        rows[topology.row_of(site) as usize - 1] += 1;
    }
    let rows: Vec<String> = rows.iter().map(u32::to_string).collect();
    format!(" ({} to a row)", list_words(&rows))
}

/// Tells which sites have diagonals, if the rules choose them.
fn diagonals(topology: &Topology) -> String {
    let slanted: Vec<u32> =
        (0..).zip(topology.directions()).filter(|(_, way)| !way.orthogonal).map(|(way, _)| way).collect();
    let has = |site: &Site| slanted.iter().any(|way| topology.step(*site, *way).is_some());
    let names: Vec<String> = topology.sites().filter(has).map(|site| topology.site_name(site)).collect();
    match names.is_empty() {
        true => ", without diagonals".to_owned(),
        false => format!(", with diagonals between neighbours among {}", list_words(&names)),
    }
}
