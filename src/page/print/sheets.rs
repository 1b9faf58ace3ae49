//! What a game has to print, read from its rules: boards, boxes to cross, and tables for the score.

use super::rules::without_params;
use std::collections::BTreeSet;

use crate::prose::score_items;
use houserule_base::names::plain;
use houserule_game::drawing::{instances, numbers};
use houserule_game::explain::explain;
use houserule_game::{Game, State};
use houserule_model::{
    Arithmetic, BoardId, CheckedBlock, CheckedExprKind, CheckedStmtKind, Content, DisplayForm, HookKind,
    Life, MatchLength, MatchTotal, Model, PLAYER, Role, Seat, Slot, SlotId, Value, walk,
};
use houserule_picture::draw::panel::has_sheet;
use houserule_picture::draw::svg::page::{PaperBoard, paper_boards};

/// Number of score items up to which a game without boards has room for notes.
const FEW: usize = 2;

/// Greatest number of boxes for something that is used up. More is rather noted in another way.
const MOST_BOXES: i64 = 30;

/// Number of rows of a match that ends on a condition, and their greatest number.
const GAMES: u32 = 12;
const MOST_GAMES: u32 = 24;

/// Number of rows for notes.
const NOTES: u32 = 15;

/// A sheet of paper: for one player, or for all at the table.
#[derive(Clone, Debug)]
pub(super) struct PaperSheet {
    /// Its player, if each has one.
    pub(super) seat: Option<Seat>,
    /// The boards with their names, grouped by the first index.
    pub(super) groups: Vec<SheetBoards>,
    /// The tables to fill in.
    pub(super) tables: Vec<WritingTable>,
}

/// Boards that are drawn together.
#[derive(Clone, Debug)]
pub(super) struct SheetBoards {
    pub(super) name: Option<String>,
    pub(super) boards: Vec<(String, PaperBoard)>,
}

/// A table to fill in: a row for each thing that is noted, a column for each player.
#[derive(Clone, Debug)]
pub(super) struct WritingTable {
    pub(super) title: String,
    /// The players; empty for a single column.
    pub(super) seats: Vec<Seat>,
    pub(super) rows: Vec<WritingRow>,
}

/// A row of a table.
#[derive(Clone, Debug)]
pub(super) struct WritingRow {
    pub(super) name: String,
    /// What it is, in small print; may be empty.
    pub(super) help: String,
    pub(super) kind: RowKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowKind {
    /// A number.
    Number,
    /// A part of the next number.
    Part,
    /// The sum.
    Total,
    /// Boxes to cross: their number for each player.
    Boxes(i64),
}

impl PaperSheet {
    /// Returns the number of boards.
    pub(super) fn boards(&self) -> usize {
        self.groups.iter().map(|group| group.boards.len()).sum()
    }
}

/// Returns the sheets of a game: one for each player if players have boards of their own, and one for all if there is
/// anything else.
pub(super) fn sheets(state: &State) -> Vec<PaperSheet> {
    let game = state.game();
    let model = game.model();
    let all = paper_boards(game);
    let owner = |board: &PaperBoard| owner(model, board);
    let own: Vec<Seat> = match model.players.count {
        1 => vec![],
        count => {
            (0..count).map(Seat).filter(|seat| all.iter().any(|one| owner(one) == Some(*seat))).collect()
        }
    };
    if own.is_empty() {
        let groups = groups(game, &all);
        let seats: Vec<Seat> =
            (0..model.players.count).map(Seat).filter(|_| model.players.count > 1).collect();
        return vec![PaperSheet { seat: None, groups, tables: tables(state, &seats) }];
    }
    let of = |seat: Option<Seat>| all.iter().filter(|one| owner(one) == seat).cloned().collect::<Vec<_>>();
    let shared = Some(of(None)).filter(|boards| !boards.is_empty());
    let shared =
        shared.map(|boards| PaperSheet { seat: None, groups: groups(game, &boards), tables: vec![] });
    let personal = own.iter().map(|seat| PaperSheet {
        seat: Some(*seat),
        groups: groups(game, &of(Some(*seat))),
        tables: tables(state, &[]),
    });
    shared.into_iter().chain(personal).collect()
}

/// Returns the player to whom a board of a family belongs. What is drawn together is of all.
fn owner(model: &Model, board: &PaperBoard) -> Option<Seat> {
    let instance = if board.is_shared() { return None } else { &board.instance };
    let (first, rest) = model.boards[instance.board.index()].index.split_first()?;
    let each: usize = rest.iter().map(|domain| model.domains[domain.index()].size as usize).product();
    (*first == PLAYER && model.players.count > 1).then(|| Seat((instance.number / each) as u32))
}

/// Groups boards by the first index that tells them apart, and names them by the others.
fn groups(game: &Game, all: &[PaperBoard]) -> Vec<SheetBoards> {
    let model = game.model();
    let families: BTreeSet<BoardId> = all.iter().map(|one| one.instance.board).collect();
    let mut groups: Vec<SheetBoards> = vec![];
    for drawn in all {
        let instance = &drawn.instance;
        let board = &model.boards[instance.board.index()];
        let mut number = instance.number as u32;
        let mut names: Vec<String> = vec![];
        for domain in board.index.iter().rev() {
            let size = model.domains[domain.index()].size;
            names.insert(0, game.element_name(*domain, number % size));
            number /= size;
        }
        // The name of the player stands at the top of the sheet.
        if owner(model, drawn).is_some() {
            names.remove(0);
        }
        if drawn.is_shared() {
            names.clear();
        }
        let family = plain(&board.name);
        let own = names.pop().map_or_else(|| family.clone(), |name| plain(&name));
        let of = Some(names.join(", ")).filter(|name| !name.is_empty());
        let name = match (families.len() > 1 && own != family, of) {
            (true, Some(name)) => Some(format!("{family} {name}")),
            (true, None) => Some(family),
            (false, name) => name,
        };
        match groups.last_mut().filter(|group| name.is_some() && group.name == name) {
            Some(group) => group.boards.push((own, drawn.clone())),
            None => groups.push(SheetBoards { name, boards: vec![(own, drawn.clone())] }),
        }
    }
    groups
}

/// Returns the tables for some players, or for the player of the sheet.
fn tables(state: &State, seats: &[Seat]) -> Vec<WritingTable> {
    let game = state.game();
    let model = game.model();
    let table = |title: &str, rows| WritingTable { title: title.to_owned(), seats: seats.to_vec(), rows };
    let counted = |id: SlotId, slot: &Slot| match (&slot.shown, slot.content) {
        (DisplayForm::Boxes, Content::Number { high, .. }) => Some(high),
        _ => resource(model, id, slot),
    };
    let mut score = vec![];
    let mut shared = vec![];
    let slots = (0..).map(SlotId).zip(&model.slots);
    for (id, slot) in slots.filter(|(_, slot)| slot.role == Role::Variable) {
        let Some(boxes) = counted(id, slot) else { continue };
        let row = |name| WritingRow { name, help: slot.help.clone(), kind: RowKind::Boxes(boxes) };
        match slot.index.as_slice() {
            [] if seats.is_empty() => score.push(row(plain(&slot.name))),
            [PLAYER] => score.push(row(plain(&slot.name))),
            [] => shared.push(row(plain(&slot.name))),
            [PLAYER, rows] | [rows] => {
                let elements = 0..model.domains[rows.index()].size;
                let names = elements
                    .map(|e| format!("{} {}", plain(&slot.name), plain(&game.element_name(*rows, e))));
                let of_all = slot.index.len() == 1 && !seats.is_empty();
                if of_all { shared.extend(names.map(row)) } else { score.extend(names.map(row)) }
            }
            _ => {}
        }
    }
    let items = score_items(game);
    // Without a board, players note how the score grows.
    if (1..=FEW).contains(&items.len()) && instances(game).is_empty() {
        let row = |n: u32| WritingRow { name: n.to_string(), help: String::new(), kind: RowKind::Part };
        score.extend((1..=NOTES).map(row));
    }
    for item in &items {
        score.extend(directions(state, &item.name).into_iter().map(|direction| WritingRow {
            name: direction.to_owned(),
            help: String::new(),
            kind: RowKind::Part,
        }));
        score.push(WritingRow {
            name: item.name.clone(),
            help: without_params(game, &item.text),
            kind: RowKind::Number,
        });
    }
    if items.len() > 1 {
        score.push(WritingRow { name: "total".to_owned(), help: String::new(), kind: RowKind::Total });
    }
    let mut all = vec![];
    if !score.is_empty() {
        all.push(table(if items.is_empty() { "" } else { "Score" }, score));
    }
    let noted: Vec<String> = items.iter().map(|item| item.name.clone()).collect();
    all.extend(families(game, &noted).map(|(title, rows)| table(&title, rows)));
    if !shared.is_empty() {
        all.push(WritingTable { title: String::new(), seats: vec![], rows: shared });
    }
    all
}

/// Returns how much of something there is at the start if the rules only use it up: a box for each is crossed. Returns `None`
/// for other variables.
fn resource(model: &Model, id: SlotId, slot: &Slot) -> Option<i64> {
    let Content::Number { low: 0, high } = slot.content else { return None };
    let is_kept = slot.is_declared_variable()
        && matches!(slot.life, Life::Game | Life::Match)
        && slot.shown == DisplayForm::Plainly
        && matches!(slot.index[..], [] | [PLAYER]);
    let starts = slot.initial.iter().all(|value| *value == Value::Number(high));
    if !is_kept || !starts || !(1..=MOST_BOXES).contains(&high) {
        return None;
    }
    let (mut is_used, mut only_falls) = (false, true);
    for block in walk::all_blocks(model) {
        walk::stmts(model, block, &mut |stmt| {
            if !walk::writes_slot(model, stmt, id) {
                return;
            }
            let CheckedStmtKind::Assign { value, .. } = &stmt.kind else {
                only_falls = false;
                return;
            };
            let falls = matches!(&value.kind, CheckedExprKind::Arithmetic(Arithmetic::Subtract, from, _)
                if matches!(&from.kind, CheckedExprKind::Read(target) if target.slot == id));
            (is_used, only_falls) = (true, only_falls && falls);
        });
    }
    (is_used && only_falls).then_some(high)
}

/// Returns the sheet of a match: a row for each game, and the total.
pub(super) fn match_sheet(model: &Model) -> Option<PaperSheet> {
    let rules = model.match_rules.as_ref()?;
    let games = match rules.length {
        MatchLength::Games(games) => games.clamp(1, MOST_GAMES),
        MatchLength::Until(_) => GAMES,
    };
    let row = |name: String, help: String, kind| WritingRow { name, help, kind };
    let mut rows: Vec<WritingRow> =
        (1..=games).map(|game| row(format!("game {game}"), String::new(), RowKind::Number)).collect();
    let help = match rules.total {
        MatchTotal::Sum => String::new(),
        MatchTotal::Highest(count) => format!("the sum of the {count} highest"),
        MatchTotal::Lowest(count) => format!("the sum of the {count} lowest"),
    };
    rows.push(row("total".to_owned(), help, RowKind::Total));
    let seats = (0..model.players.count).map(Seat).filter(|_| model.players.count > 1).collect();
    let tables = vec![WritingTable { title: "Match".to_owned(), seats, rows }];
    Some(PaperSheet { seat: None, groups: vec![], tables })
}

/// Returns the directions in which an item of the score counts lines, if there are several.
fn directions(state: &State, item: &str) -> Vec<&'static str> {
    let seats = (0..state.game().players()).map(Seat);
    let items = seats.flat_map(|seat| explain(state, seat).unwrap_or_default());
    let items = items.filter(|known| plain(&known.name) == item);
    // The longest list has all directions: a list is empty if a condition excludes the lines of that seat.
    let all = items.map(|item| item.directions).max_by_key(Vec::len).unwrap_or_default();
    if all.len() < 2 { vec![] } else { all.iter().map(|(direction, _)| direction.name()).collect() }
}

/// Returns the numbers that each player notes for each element of something, unless the score has the same rows.
fn families<'g>(game: &'g Game, noted: &'g [String]) -> impl Iterator<Item = (String, Vec<WritingRow>)> + 'g {
    let model = game.model();
    let drawn: Vec<SlotId> =
        (0..model.boards.len() as u32).filter_map(|at| numbers(game, BoardId(at))).collect();
    let slots = (0..).map(SlotId).zip(&model.slots);
    slots.filter_map(move |(id, slot)| {
        let [PLAYER, rows] = slot.index[..] else { return None };
        let written = slot.role == Role::Variable
            && matches!(slot.life, Life::Game | Life::Match)
            && matches!(slot.content, Content::Number { .. })
            && !matches!(slot.shown, DisplayForm::Boxes | DisplayForm::Nothing);
        if !written || drawn.contains(&id) || !has_sheet(game, rows) {
            return None;
        }
        let names = (0..model.domains[rows.index()].size).map(|e| plain(&game.element_name(rows, e)));
        let names: Vec<String> = names.collect();
        let row = |name| WritingRow { name, help: String::new(), kind: RowKind::Number };
        (!names.iter().all(|name| noted.contains(name)))
            .then(|| (plain(&slot.name), names.into_iter().map(row).collect()))
    })
}

/// Returns the slots whose values at the start are printed on boards: numbers that nothing in play changes, and pieces
/// of boards on which players only put more.
pub(super) fn fixed(model: &Model) -> BTreeSet<SlotId> {
    let written = walk::writes(model, &model.turn);
    let all = (0..).map(SlotId).zip(&model.slots);
    all.filter(|(id, slot)| match slot.role {
        Role::Piece(board) => !takes_away(model, &model.turn, board),
        _ => !written.contains(id),
    })
    .map(|(id, _)| id)
    .collect()
}

/// Returns `true` if a block removes, moves or covers pieces of a board.
fn takes_away(model: &Model, block: &CheckedBlock, on: BoardId) -> bool {
    let mut found = false;
    walk::stmts(model, block, &mut |stmt| {
        let slot_on = |slot: SlotId| model.slots[slot.index()].role == Role::Piece(on);
        found |= match &stmt.kind {
            CheckedStmtKind::Clear { board, .. } | CheckedStmtKind::Move { board, .. } => *board == on,
            CheckedStmtKind::ClearPiece { piece } => slot_on(piece.slot),
            CheckedStmtKind::Put { piece, meant, .. } => slot_on(piece.slot) && meant.replacing,
            CheckedStmtKind::Call { hook, .. } => model.hooks[hook.index()].kind == HookKind::Effect,
            _ => false,
        };
    });
    found
}
