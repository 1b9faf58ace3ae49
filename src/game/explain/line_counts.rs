//! Counts of the runs that a score counted, by length and direction.
//!
//! Considers the items that are sums of `lines(…)`. If the sets of an item are made of slots alone, its runs are
//! counted from the words of a finished game; else the reference interpreter evaluates it.

use super::evaluate;
use crate::random_games::Finished;
use crate::{Game, RuntimeError, Seat, State};
use houserule_model::board::{BitSet, LineKinds, Topology, runs};
use houserule_model::{
    Arithmetic, BoardId, CheckedExpr, CheckedExprKind, Model, PointsTable, Role, ScoreItem, SlotId, Value,
};

/// The directions that are counted separately.
const KINDS: [LineKinds; 3] = [LineKinds::ACROSS, LineKinds::DOWN, LineKinds::DIAGONAL];

/// The runs counted for one item of the score.
#[derive(Debug)]
pub struct LineItem {
    /// The index of the item.
    pub item: usize,
    /// The direction and length of each column.
    pub columns: Vec<(LineKinds, u32)>,
    /// `None` if the item needs the reference interpreter.
    simple: Option<Vec<LinesExpr>>,
}

/// A `lines(…)` of a set that is made of slots.
#[derive(Debug)]
struct LinesExpr {
    board: BoardId,
    along: LineKinds,
    of: SlotSet,
    points: PointsTable,
}

/// A set made of slots.
#[derive(Debug)]
enum SlotSet {
    Constant(BitSet),
    /// The scoring player's member of a family of sets: `fixed + me * step`.
    Slot {
        slot: SlotId,
        fixed: usize,
        step: usize,
    },
    Union(Box<SlotSet>, Box<SlotSet>),
    Intersect(Box<SlotSet>, Box<SlotSet>),
    Minus(Box<SlotSet>, Box<SlotSet>),
}

/// Returns the items of a game's score that count runs.
pub fn line_items(game: &Game) -> Vec<LineItem> {
    let model = game.model();
    let items = model.score.iter().enumerate();
    items.filter_map(|(at, item)| line_item(model, at, item)).collect()
}

fn line_item(model: &Model, at: usize, item: &ScoreItem) -> Option<LineItem> {
    let (mut found, mut plain) = (Vec::new(), true);
    find(&item.value, &mut found, &mut plain);
    let mut columns = Vec::new();
    for kind in KINDS {
        let mut lengths: Vec<u32> = Vec::new();
        for (board, _, _, points) in found.iter().filter(|(_, along, ..)| along.contains(kind)) {
            let lines = model.boards[board.index()].topology.lines().iter().filter(|line| line.kind == kind);
            let longest = lines.map(|line| line.sites.len() as u32).max().unwrap_or(0);
            lengths.extend((1..=longest).filter(|length| points.get(i64::from(*length)) != 0));
        }
        lengths.sort_unstable();
        lengths.dedup();
        columns.extend(lengths.into_iter().map(|length| (kind, length)));
    }
    let simple = |(board, along, of, points): &(BoardId, LineKinds, &CheckedExpr, &PointsTable)| {
        Some(LinesExpr { board: *board, along: *along, of: sites(model, of)?, points: (*points).clone() })
    };
    let simple = if plain { found.iter().map(simple).collect() } else { None };
    (!columns.is_empty()).then_some(LineItem { item: at, columns, simple })
}

/// Collects the `lines(…)` terms of a sum. Clears `plain` if conditions decide which of them count.
fn find<'e>(
    value: &'e CheckedExpr,
    found: &mut Vec<(BoardId, LineKinds, &'e CheckedExpr, &'e PointsTable)>,
    plain: &mut bool,
) {
    match &value.kind {
        CheckedExprKind::Lines { board, along, of, points } => found.push((*board, *along, of, points)),
        CheckedExprKind::Arithmetic(Arithmetic::Add, left, right) => {
            find(left, found, plain);
            find(right, found, plain);
        }
        CheckedExprKind::If(_, then, otherwise) => {
            *plain = false;
            find(then, found, plain);
            find(otherwise, found, plain);
        }
        _ => {}
    }
}

fn sites(model: &Model, of: &CheckedExpr) -> Option<SlotSet> {
    let both =
        |a: &CheckedExpr, b: &CheckedExpr| Some((Box::new(sites(model, a)?), Box::new(sites(model, b)?)));
    Some(match &of.kind {
        CheckedExprKind::Constant(Value::Set(set)) => SlotSet::Constant(set.clone()),
        CheckedExprKind::Union(a, b) => both(a, b).map(|(a, b)| SlotSet::Union(a, b))?,
        CheckedExprKind::Intersect(a, b) => both(a, b).map(|(a, b)| SlotSet::Intersect(a, b))?,
        CheckedExprKind::Minus(a, b) => both(a, b).map(|(a, b)| SlotSet::Minus(a, b))?,
        CheckedExprKind::Read(target) => {
            let slot = &model.slots[target.slot.index()];
            if !matches!(slot.role, Role::Piece(_) | Role::Variable) {
                return None;
            }
            let (mut fixed, mut step) = (0, 0);
            for (index, domain) in target.index.iter().zip(&slot.index) {
                let size = model.domains[domain.index()].size as usize;
                (fixed, step) = (fixed * size, step * size);
                match &index.kind {
                    CheckedExprKind::Constant(Value::Element(Some(element))) => fixed += *element as usize,
                    CheckedExprKind::Me => step += 1,
                    _ => return None,
                }
            }
            SlotSet::Slot { slot: target.slot, fixed, step }
        }
        _ => return None,
    })
}

impl LineItem {
    /// Returns `true` if it can be counted without a state.
    pub fn is_simple(&self) -> bool {
        self.simple.is_some()
    }

    /// Adds the runs that a player's score counted to `row`, a number for each column. Does nothing if the item
    /// needs a state and `state` is `None`.
    pub fn count(&self, player: Seat, game: &Finished<'_>, state: Option<&State>, row: &mut [i64]) {
        let model = game.game.model();
        if let Some(simple) = &self.simple {
            for lines in simple {
                let set = lines.of.read(player, game);
                self.add(&model.boards[lines.board.index()].topology, &set, lines.along, &lines.points, row);
            }
        } else if let Some(state) = state {
            // Ignore errors: they also occur in the score, which aborts the game.
            let _ = self.walk(state, player, &model.score[self.item].value, row);
        }
    }

    fn add(
        &self,
        topology: &Topology,
        set: &BitSet,
        along: LineKinds,
        points: &PointsTable,
        row: &mut [i64],
    ) {
        for run in runs(topology, set, along) {
            if points.get(i64::from(run.length)) == 0 {
                continue;
            }
            let kind = topology.lines()[run.line].kind;
            if let Some(at) = self.columns.iter().position(|column| *column == (kind, run.length)) {
                row[at] += 1;
            }
        }
    }

    fn walk(
        &self,
        state: &State,
        me: Seat,
        value: &CheckedExpr,
        row: &mut [i64],
    ) -> Result<(), RuntimeError> {
        match &value.kind {
            CheckedExprKind::Lines { board, along, of, points } => {
                if let Value::Set(set) = evaluate(state, of, me)? {
                    let topology = &state.game().model().boards[board.index()].topology;
                    self.add(topology, &set, *along, points, row);
                }
            }
            CheckedExprKind::Arithmetic(Arithmetic::Add, left, right) => {
                self.walk(state, me, left, row)?;
                self.walk(state, me, right, row)?;
            }
            CheckedExprKind::If(condition, then, otherwise) => {
                let holds = evaluate(state, condition, me)? == Value::Bool(true);
                self.walk(state, me, if holds { then } else { otherwise }, row)?;
            }
            _ => {}
        }
        Ok(())
    }
}

impl SlotSet {
    fn read(&self, me: Seat, game: &Finished<'_>) -> BitSet {
        match self {
            SlotSet::Constant(set) => set.clone(),
            SlotSet::Slot { slot, fixed, step } => game.set(*slot, fixed + step * me.index()),
            SlotSet::Union(a, b) => a.read(me, game).union(&b.read(me, game)),
            SlotSet::Intersect(a, b) => a.read(me, game).intersect(&b.read(me, game)),
            SlotSet::Minus(a, b) => a.read(me, game).minus(&b.read(me, game)),
        }
    }
}
