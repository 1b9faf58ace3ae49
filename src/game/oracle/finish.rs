//! Scores and winners.

use super::eval::{Evaluator, fail};
use super::{Ending, GameCounters, SlotValues};
use crate::{RuntimeError, RuntimeErrorKind};
use houserule_model::board::BitSet;
use houserule_model::{CheckedEndResult, CheckedExpr, Model, Seat, Type, Value};

/// Returns the points of each item of a player's score, in any state of a game. Fails if their sum does not
/// fit 64 bits.
pub fn score_of(model: &Model, state: &SlotValues, player: Seat) -> Result<Vec<i64>, RuntimeError> {
    let mut locals = vec![None; model.locals.len()];
    let mut of = Evaluator::new(model, state, &mut locals, player);
    let items: Vec<i64> = model.score.iter().map(|item| of.number(&item.value)).collect::<Result<_, _>>()?;
    total_of(model, &items).map(|_| items)
}

/// Evaluates an expression without free locals for a player, in any state of a game.
pub fn value_of(
    model: &Model,
    state: &SlotValues,
    expr: &CheckedExpr,
    player: Seat,
) -> Result<Value, RuntimeError> {
    let mut locals = vec![None; model.locals.len()];
    Evaluator::new(model, state, &mut locals, player).eval(expr)
}

/// Evaluates an expression for a player, with these values of locals.
pub fn value_with(
    model: &Model,
    state: &SlotValues,
    locals: &mut [Option<Value>],
    expr: &CheckedExpr,
    player: Seat,
) -> Result<Value, RuntimeError> {
    Evaluator::new(model, state, locals, player).eval(expr)
}

/// Returns the sum of the items.
pub fn total_of(model: &Model, items: &[i64]) -> Result<i64, RuntimeError> {
    items.iter().zip(&model.score).try_fold(0i64, |sum, (points, item)| match sum.checked_add(*points) {
        Some(sum) => Ok(sum),
        None => fail(item.span, RuntimeErrorKind::ScoreOverflow { item: item.name.clone() }),
    })
}

impl Evaluator<'_> {
    /// Returns for each player whether the player shares the win.
    pub(crate) fn winners(&mut self, result: &CheckedEndResult) -> Result<Vec<bool>, RuntimeError> {
        let seats = 0..self.model.players.count;
        Ok(match result {
            CheckedEndResult::Win(players) => {
                let named = self.with_teams(players)?;
                seats.map(|p| named.contains(p)).collect()
            }
            CheckedEndResult::Lose(players) => {
                let named = self.with_teams(players)?;
                seats.map(|p| !named.contains(p)).collect()
            }
            CheckedEndResult::Draw => seats.map(|_| true).collect(),
        })
    }

    /// Returns the players named by a result, each with their team.
    fn with_teams(&mut self, players: &CheckedExpr) -> Result<BitSet, RuntimeError> {
        match players.ty {
            Type::Set(_) => {
                let mut all = BitSet::empty(self.model.players.count);
                self.set(players)?.iter().for_each(|p| all = all.union(&self.model.team_of(Seat(p))));
                Ok(all)
            }
            _ => Ok(self.model.team_of(self.seat(players)?)),
        }
    }
}

/// Returns the result of a game that is over, by the end with index `end`. `stated` is the winners that the statement
/// which ended the game states, if it does. `mover` moved last.
pub(crate) fn ending(
    model: &Model,
    state: &SlotValues,
    mover: Seat,
    end: usize,
    stated: Option<Vec<bool>>,
    counts: GameCounters,
) -> Result<Ending, RuntimeError> {
    let seats = 0..model.players.count;
    let scores: Vec<Vec<i64>> = seats.map(|p| score_of(model, state, Seat(p))).collect::<Result<_, _>>()?;
    let totals = scores.iter().map(|items| total_of(model, items)).collect::<Result<_, _>>()?;
    let mut locals = vec![None; model.locals.len()];
    let winners = match (stated, model.ends.get(end).and_then(|end| end.result.as_ref())) {
        (Some(winners), _) => winners,
        (None, Some(result)) => Evaluator::new(model, state, &mut locals, mover).winners(result)?,
        (None, None) => ranked(model, state)?,
    };
    Ok(Ending { end, scores, totals, winners, counts })
}

/// Returns the best players by the first key in which they differ. Equals share. The keys of a team are added up.
fn ranked(model: &Model, state: &SlotValues) -> Result<Vec<bool>, RuntimeError> {
    let mut locals = vec![None; model.locals.len()];
    let mut remaining: Vec<Seat> = (0..model.players.count).map(Seat).collect();
    for rank in &model.winner {
        let mut valued = vec![];
        for player in &remaining {
            let mut sum = 0;
            for me in model.team_of(*player).iter().map(Seat) {
                let mut of = Evaluator::new(model, state, &mut locals, me);
                sum += i128::from(of.number(&rank.value)?);
            }
            valued.push((sum, *player));
        }
        let values = valued.iter().map(|(value, _)| *value);
        let best = if rank.most { values.max() } else { values.min() };
        remaining = valued.into_iter().filter(|(v, _)| Some(*v) == best).map(|(_, p)| p).collect();
    }
    Ok((0..model.players.count).map(|p| remaining.contains(&Seat(p))).collect())
}
