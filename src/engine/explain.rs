//! What a score counted, item by item and run by run: "row 3: c3–f3, 4 dots, 3 points".

use super::oracle::{self, value_of};
use super::{Player, RuntimeError, State};
use crate::board::{LineKinds, Run, Topology, runs};
use crate::lang::model::{Arithmetic, BoardId, Expr, ExprKind, PointsTable, ScoreItem, SlotId, Value};

/// What one item of a score counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemExplanation {
    /// The item.
    pub name: String,
    /// Its help text.
    pub help: String,
    /// The points.
    pub points: i64,
    /// The runs that gave points, if the item counts runs.
    pub runs: Vec<CountedRun>,
}

/// A run that gave points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedRun {
    /// `row 3`, `column c`, `rising diagonal`.
    pub line: String,
    /// The kind of line.
    pub kind: LineKinds,
    /// The sites, in the order of the line.
    pub sites: Vec<String>,
    /// What stands there: `4 dots`, `3 dots, 1 wild`.
    pub pieces: String,
    /// The points.
    pub points: i64,
}

/// What an expression without free locals is for a player.
pub fn evaluate(state: &State, expr: &Expr, player: Player) -> Result<Value, RuntimeError> {
    let model = state.game().model();
    let mut slow = oracle::State::initial(model, 0);
    for (slot, at) in model.slots.iter().zip(0..) {
        for place in 0..slot.initial.len() {
            slow.set(SlotId(at), place, state.value(SlotId(at), place));
        }
    }
    value_of(model, &slow, expr, player.0)
}

/// What each item of a player's score counted.
pub fn explain(state: &State, player: Player) -> Result<Vec<ItemExplanation>, RuntimeError> {
    let points = state.scores(player)?;
    let items = state.game().model().score.iter().zip(points);
    let told = items
        .map(|(item, points)| ItemExplanation {
            name: item.name.clone(),
            help: item.help.clone(),
            points,
            runs: counted_runs(state, player, item).filter(|runs| adds_up(runs, points)).unwrap_or_default(),
        })
        .collect();
    Ok(told)
}

/// Runs are told only if they are all that the item counted.
fn adds_up(runs: &[CountedRun], points: i64) -> bool {
    runs.iter().fold(0i64, |sum, run| sum.saturating_add(run.points)) == points
}

fn counted_runs(state: &State, player: Player, item: &ScoreItem) -> Option<Vec<CountedRun>> {
    let mut all = Vec::new();
    collect(state, player, &item.value, &mut all)?;
    Some(all)
}

/// Walks sums and conditions down to what is scored by lines; none where it can't follow.
fn collect(state: &State, player: Player, value: &Expr, all: &mut Vec<CountedRun>) -> Option<()> {
    match &value.kind {
        ExprKind::Lines { board, along, of, points } => {
            let Value::Set(set) = evaluate(state, of, player).ok()? else { return None };
            let topology = &state.game().model().boards[board.index()].topology;
            for run in runs(topology, &set, *along) {
                let worth = points_of(points, run);
                if worth != 0 {
                    all.push(counted(state, *board, topology, run, worth));
                }
            }
            Some(())
        }
        ExprKind::Arithmetic(Arithmetic::Add, left, right) => {
            collect(state, player, left, all)?;
            collect(state, player, right, all)
        }
        ExprKind::If(condition, then, otherwise) => match evaluate(state, condition, player).ok()? {
            Value::Bool(true) => collect(state, player, then, all),
            _ => collect(state, player, otherwise, all),
        },
        _ => Some(()),
    }
}

fn points_of(points: &PointsTable, run: Run) -> i64 {
    points.get(i64::from(run.length))
}

fn counted(state: &State, board: BoardId, topology: &Topology, run: Run, points: i64) -> CountedRun {
    let sites: Vec<u32> = run.sites(topology).collect();
    CountedRun {
        line: line_name(topology, &sites),
        kind: topology.lines()[run.line].kind,
        sites: sites.iter().map(|site| topology.site_name(*site)).collect(),
        pieces: pieces(state, board, &sites),
        points,
    }
}

fn line_name(topology: &Topology, sites: &[u32]) -> String {
    let (Some(first), Some(second)) = (sites.first(), sites.get(1).or(sites.first())) else {
        return String::new();
    };
    if !topology.has_rows() {
        return "line".to_owned();
    }
    let (column, row) = (topology.column_of(*first), topology.row_of(*first));
    let (next_column, next_row) = (topology.column_of(*second), topology.row_of(*second));
    if row == next_row {
        format!("row {row}")
    } else if column == next_column {
        let names = super::drawing::columns(topology);
        format!("column {}", names.get(column as usize - 1).map_or("", String::as_str))
    } else if !topology.has_corners() {
        "diagonal".to_owned()
    } else if next_row == row + 1 && next_column == column + 1 {
        "rising diagonal".to_owned()
    } else if next_row + 1 == row && next_column == column + 1 {
        "falling diagonal".to_owned()
    } else {
        "diagonal".to_owned()
    }
}

/// What stands on some sites of a board, counted by kind of piece.
fn pieces(state: &State, board: BoardId, sites: &[u32]) -> String {
    let model = state.game().model();
    let mut told = Vec::new();
    for slot in &model.boards[board.index()].pieces {
        let count = sites.iter().filter(|site| stands(state, *slot, **site)).count();
        let name = &model.slots[slot.index()].name;
        match count {
            0 => {}
            1 => told.push(format!("1 {name}")),
            _ => told.push(format!("{count} {}", plural(name))),
        }
    }
    told.join(", ")
}

fn stands(state: &State, slot: SlotId, site: u32) -> bool {
    let positions = state.game().model().slots[slot.index()].initial.len();
    (0..positions).any(|at| matches!(state.value(slot, at), Value::Set(set) if set.contains(site)))
}

/// A word for several of a piece.
pub fn plural(name: &str) -> String {
    if name.ends_with(['s', 'x']) || name.ends_with("ch") || name.ends_with("sh") {
        format!("{name}es")
    } else {
        format!("{name}s")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Notation;

    #[test]
    fn lines_have_names() {
        let board = Topology::grid(6, 6, false, Notation::Letters);
        let sites = |names: &[&str]| names.iter().map(|n| board.parse_site(n).unwrap()).collect::<Vec<_>>();
        assert_eq!(line_name(&board, &sites(&["c3", "d3", "e3"])), "row 3");
        assert_eq!(line_name(&board, &sites(&["b2", "b3"])), "column b");
        assert_eq!(line_name(&board, &sites(&["a1", "b2"])), "rising diagonal");
        assert_eq!(line_name(&board, &sites(&["a6", "b5"])), "falling diagonal");
    }

    #[test]
    fn plurals() {
        assert_eq!(["dot", "cross", "man"].map(plural), ["dots", "crosses", "mans"]);
    }
}
