//! What the rules say about a board: lines that count or have won, edges to be joined, pieces that move.
//! Everything is derived from scores, ends and statements, so it works for every game.

use super::palette::{self, Ink};
use houserule_game::Onlookers;
use houserule_game::drawing::{Instance, instances};
use houserule_game::explain::evaluate;
use houserule_game::{Game, Seat, State};
use houserule_model::board::{BitSet, LineKinds, Site, Topology, runs};
use houserule_model::{
    BoardId, CheckedBlock, CheckedExpr, CheckedExprKind, CheckedStmtKind, Choice, ComparisonOperator, Value,
};

/// Lines of one colour.
#[derive(Clone, Debug)]
pub(super) struct Stroke {
    /// The colour of their owner.
    pub ink: Ink,
    /// `true` if they have won, `false` if they count.
    pub(super) won: bool,
    /// The sites of each line, in order.
    pub(super) runs: Vec<Vec<Site>>,
}

/// Returns the lines of a board that count for a player, as far as the viewer sees what they are of, and those that decided
/// the game.
pub(super) fn strokes(state: &State, instance: &Instance, sight: Onlookers) -> Vec<Stroke> {
    let game = state.game();
    // Rules name lines of one board only.
    if instances(game).len() > 1 || game.model().boards[instance.board.index()].sides_of.is_some() {
        return vec![];
    }
    let seats = &game.model().seat_looks();
    let ink = |seat: Seat| match game.players() {
        1 => palette::FRESH_EDGE,
        _ => palette::seat(seat, seats).stroke(),
    };
    let mut all = vec![];
    for seat in (0..game.players()).map(Seat) {
        let runs = counted(state, instance.board, seat, sight);
        all.push(Stroke { ink: ink(seat), won: false, runs });
        if let Some(runs) = winning(state, instance.board, seat) {
            all.push(Stroke { ink: palette::FRESH_EDGE, won: true, runs });
        }
    }
    all.retain(|stroke| !stroke.runs.is_empty());
    all
}

/// Returns the runs that a player's score counts, as far as the viewer sees the score.
fn counted(state: &State, board: BoardId, player: Seat, sight: Onlookers) -> Vec<Vec<Site>> {
    let topology = &state.game().model().boards[board.index()].topology;
    let items = state.explain_seen(player, &sight.seats().collect::<Vec<Seat>>()).unwrap_or_default();
    let runs = items.into_iter().flatten().flat_map(|item| item.runs);
    let sites = runs.filter_map(|run| run.sites.iter().map(|site| topology.parse_site(site)).collect());
    sites.flat_map(|sites: Vec<Site>| unbroken(topology, sites)).collect()
}

/// Splits a line where it crosses the seam of a torus.
fn unbroken(topology: &Topology, sites: Vec<Site>) -> Vec<Vec<Site>> {
    let mut parts: Vec<Vec<Site>> = vec![];
    for site in sites {
        let near = |last: Site| {
            let columns = topology.column_of(last).abs_diff(topology.column_of(site));
            !topology.has_rows() || columns <= 1 && topology.row_of(last).abs_diff(topology.row_of(site)) <= 1
        };
        match parts.last_mut() {
            Some(part) if part.last().is_some_and(|last| near(*last)) => part.push(site),
            _ => parts.push(vec![site]),
        }
    }
    parts
}

/// Returns the lines that won the game for a player, by the end that was reached.
fn winning(state: &State, board: BoardId, player: Seat) -> Option<Vec<Vec<Site>>> {
    let outcome = state.outcome()?;
    let alone = outcome.winners.iter().filter(|won| **won).count() == 1;
    if !alone || !*outcome.winners.get(player.0 as usize)? {
        return None;
    }
    let end = state.game().model().ends.get(outcome.end as usize)?;
    let mut runs = vec![];
    won_by(state, board, player, &end.when, &mut runs);
    Some(runs)
}

fn number(state: &State, expr: &CheckedExpr, player: Seat) -> Option<i64> {
    match evaluate(state, expr, player) {
        Ok(Value::Number(number)) => Some(number),
        _ => None,
    }
}

fn set(state: &State, expr: &CheckedExpr, player: Seat) -> Option<BitSet> {
    match evaluate(state, expr, player) {
        Ok(Value::Set(set)) => Some(set),
        _ => None,
    }
}

/// Collects the lines and chains that a condition tests.
fn won_by(state: &State, on: BoardId, player: Seat, when: &CheckedExpr, found: &mut Vec<Vec<Site>>) {
    let topology = &state.game().model().boards[on.index()].topology;
    let long = |of: &CheckedExpr, along: LineKinds, enough: &dyn Fn(u32) -> bool| -> Vec<Vec<Site>> {
        let Some(set) = set(state, of, player) else { return vec![] };
        let all = runs(topology, &set, along).into_iter().filter(|run| enough(run.length));
        all.flat_map(|run| unbroken(topology, run.sites(topology).collect())).collect()
    };
    match &when.kind {
        CheckedExprKind::And(a, b) | CheckedExprKind::Or(a, b) => {
            won_by(state, on, player, a, found);
            won_by(state, on, player, b, found);
        }
        CheckedExprKind::Compare(op, a, b) => {
            let (more, less) = match op {
                ComparisonOperator::GreaterEqual
                | ComparisonOperator::Greater
                | ComparisonOperator::Equal => (a, b),
                ComparisonOperator::LessEqual | ComparisonOperator::Less => (b, a),
                ComparisonOperator::NotEqual => return,
            };
            let strict = matches!(op, ComparisonOperator::Greater | ComparisonOperator::Less);
            match &more.kind {
                CheckedExprKind::Longest { board, along, of } if *board == on => {
                    let Some(least) = number(state, less, player) else { return };
                    let least = least + i64::from(strict);
                    found.extend(long(of, *along, &|length| i64::from(length) >= least));
                }
                CheckedExprKind::Lines { board, along, of, points } if *board == on => {
                    found.extend(long(of, *along, &|length| points.get(i64::from(length)) > 0));
                }
                _ => {}
            }
        }
        CheckedExprKind::IsSome(inner) => {
            if let Some((board, _, _, within)) = joins(inner)
                && board == on
            {
                found.extend(chain(state, player, inner, within, topology));
            }
        }
        _ => {}
    }
}

/// Recognises `connected(s, a, b)` as the checker compiles it. Returns the board, a, b and s.
fn joins(expr: &CheckedExpr) -> Option<(BoardId, &CheckedExpr, &CheckedExpr, &CheckedExpr)> {
    let CheckedExprKind::Intersect(reached, far) = &expr.kind else { return None };
    let CheckedExprKind::Reach { board, seed, within, .. } = &reached.kind else { return None };
    Some((*board, seed, far, within))
}

/// Returns a shortest chain from one side to the other (breadth-first search).
fn chain(
    state: &State,
    player: Seat,
    joined: &CheckedExpr,
    within: &CheckedExpr,
    topology: &Topology,
) -> Option<Vec<Site>> {
    let (_, near, far, _) = joins(joined)?;
    let [near, far, within] = [near, far, within].map(|expr| set(state, expr, player));
    let (near, far, within) = (near?.intersect(within.as_ref()?), far?, within?);
    let mut from: Vec<Option<Site>> = vec![None; topology.size() as usize];
    let mut seen = near.clone();
    let mut open: Vec<Site> = near.sites().collect();
    let mut at = 0;
    while let Some(site) = open.get(at).copied() {
        at += 1;
        if far.contains(site.0) {
            let back = std::iter::successors(Some(site), |site| from[site.index()]);
            return Some(back.collect());
        }
        for next in topology.beside(site).intersect(&within).minus(&seen).sites() {
            seen.insert(next.0);
            from[next.index()] = Some(site);
            open.push(next);
        }
    }
    None
}

/// Returns the edges of a board that players have to join.
pub(super) fn borders(state: &State, on: BoardId) -> Vec<(Seat, BitSet)> {
    let model = state.game().model();
    let brink = model.boards[on.index()].topology.edge();
    let mut found: Vec<(Seat, BitSet)> = vec![];
    for seat in (0..state.game().players()).map(Seat) {
        for end in &model.ends {
            let CheckedExprKind::IsSome(inner) = &end.when.kind else { continue };
            let Some((board, near, far, _)) = joins(inner) else { continue };
            let both = [near, far].map(|side| set(state, side, seat));
            let [Some(near), Some(far)] = both else { continue };
            if board == on && [&near, &far].iter().all(|side| !side.is_empty() && side.is_subset(&brink)) {
                found.extend([(seat, near), (seat, far)]);
            }
        }
    }
    found
}

/// Returns `true` if the rules move pieces on a board.
pub(super) fn has_moves(game: &Game, board: BoardId) -> bool {
    let model = game.model();
    let mut blocks = model.choices.iter().flat_map(Choice::blocks).chain([&model.turn]);
    blocks.any(|block| moves(block, board))
}

fn moves(block: &CheckedBlock, on: BoardId) -> bool {
    block.stmts.iter().any(|stmt| {
        matches!(stmt.kind, CheckedStmtKind::Move { board, .. } if board == on)
            || stmt.blocks().into_iter().any(|inner| moves(inner, on))
    })
}
