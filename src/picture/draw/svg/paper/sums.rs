//! The points of the lines on a board, by row and column: what players write into the margin of a sheet.

use houserule_game::drawing::Instance;
use houserule_game::explain::{LineDirection, evaluate};
use houserule_game::{Onlookers, Seat, State};
use houserule_model::board::runs;
use houserule_model::walk;
use houserule_model::{Arithmetic, CheckedExpr, CheckedExprKind, Model, PLAYER, Value};
use std::collections::BTreeMap;

/// A row or a column, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::draw::svg) enum Lane {
    Row(u32),
    Column(u32),
}

/// The points of the lines on a board.
#[derive(Clone, Debug, Default)]
pub(in crate::draw::svg) struct LaneSums {
    /// Whether rows and whether columns can have points.
    pub(in crate::draw::svg) lanes: (bool, bool),
    /// Those that have any.
    pub(in crate::draw::svg) points: BTreeMap<Lane, i64>,
}

/// A term of a score that counts lines on a board.
struct LineTerm<'m> {
    expr: &'m CheckedExpr,
    item: &'m CheckedExpr,
}

/// Adds up the lines of the only player who has a board, as far as those who look see the score.
pub(in crate::draw::svg) fn lane_sums(state: &State, instance: &Instance, sight: Onlookers) -> LaneSums {
    let model = state.game().model();
    let mut sums = LaneSums::default();
    let Some(seat) = only_owner(model, instance) else { return sums };
    let topology = &model.boards[instance.board.index()].topology;
    if !topology.has_corners() {
        return sums;
    }
    let is_seen = sight.sees(|viewer| state.sees_score(seat, viewer));
    for term in model.score.iter().flat_map(|item| line_terms(&item.value)) {
        let CheckedExprKind::Lines { board, along, of, points } = &term.expr.kind else { continue };
        if *board != instance.board || !is_of_instance(state, seat, instance, term.item) {
            continue;
        }
        let directions = (0..topology.lines().len())
            .filter(|line| along.contains(topology.lines()[*line].kind))
            .map(|line| LineDirection::from_line(topology, line));
        for direction in directions {
            sums.lanes.0 |= direction == LineDirection::Across;
            sums.lanes.1 |= direction == LineDirection::Down;
        }
        let Ok(Value::Set(set)) = evaluate(state, of, seat) else { continue };
        for run in runs(topology, &set, *along).into_iter().filter(|_| is_seen) {
            let value = points.get(i64::from(run.length));
            let Some(first) = run.sites(topology).next() else { continue };
            let lane = match LineDirection::from_line(topology, run.line) {
                LineDirection::Across => Lane::Row(topology.row_of(first)),
                LineDirection::Down => Lane::Column(topology.column_of(first)),
                _ => continue,
            };
            if value != 0 {
                *sums.points.entry(lane).or_default() += value;
            }
        }
    }
    sums
}

/// Returns the only player who can have something on a board.
fn only_owner(model: &Model, instance: &Instance) -> Option<Seat> {
    let board = &model.boards[instance.board.index()];
    if board.index.first() == Some(&PLAYER) {
        let rest: usize =
            board.index[1..].iter().map(|domain| model.domains[domain.index()].size as usize).product();
        return Some(Seat((instance.number / rest.max(1)) as u32));
    }
    (model.players.count == 1).then_some(Seat(0))
}

/// Returns the lines that a score adds up.
fn line_terms(item: &CheckedExpr) -> Vec<LineTerm<'_>> {
    match &item.kind {
        CheckedExprKind::Arithmetic(Arithmetic::Add, one, other) => {
            let mut terms = line_terms(one);
            terms.extend(line_terms(other));
            terms
        }
        CheckedExprKind::Lines { of, .. } => vec![LineTerm { expr: item, item: of }],
        _ => vec![],
    }
}

/// Returns `true` if an expression is about one of a family of boards: it reads pieces of that board.
fn is_of_instance(state: &State, seat: Seat, instance: &Instance, of: &CheckedExpr) -> bool {
    let model = state.game().model();
    let board = &model.boards[instance.board.index()];
    if board.index.is_empty() {
        return true;
    }
    let mut is_own = false;
    walk::expr(of, &mut |part| {
        let CheckedExprKind::Read(target) = &part.kind else { return };
        if !board.pieces.contains(&target.slot) {
            return;
        }
        let mut number = Some(0);
        for (domain, index) in board.index.iter().zip(&target.index) {
            let size = model.domains[domain.index()].size as usize;
            // Most indices need no evaluation, which takes long.
            let element = match &index.kind {
                CheckedExprKind::Me => Some(seat.0),
                CheckedExprKind::Constant(Value::Element(element)) => *element,
                _ => match evaluate(state, index, seat) {
                    Ok(Value::Element(element)) => element,
                    _ => None,
                },
            };
            number = number.zip(element).map(|(before, element)| before * size + element as usize);
        }
        is_own |= number == Some(instance.number);
    });
    is_own
}
