//! Sums over the games of a run. They are integers, so parts of a run can be merged in any order. Adding a
//! finished game takes a few increments and no allocation.

use serde::{Deserialize, Serialize};

use crate::game::random_games::{Finished, UsageCounts};
use crate::game::{Game, Player, RuntimeError, State};
use crate::model::{Content, DomainKind, Life, Model, Role, SlotId, Value};
use crate::statistics::Histogram;

/// A followed number: a value of a declared variable at the end of each game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Followed {
    pub(super) slot: SlotId,
    pub(super) position: usize,
    told: NumberEncoding,
    /// Value at the start. Also the value at the end if no rule changes it, because games then don't store it.
    initial: i64,
}

/// Encoding of a value as a number.
#[derive(Clone, Copy, Debug)]
enum NumberEncoding {
    /// A number; a boolean is 0 or 1.
    Plain,
    /// Size of a set.
    Size,
    /// Number of an element of a range with this lower bound; 0 for `none`.
    From(i64),
    /// 1 for any element, 0 for `none`.
    Some,
}

impl Followed {
    /// Returns the value in a game of a batch.
    #[inline(always)]
    pub(super) fn of_batch(self, game: &Finished<'_>, width: usize) -> i64 {
        if let NumberEncoding::Size = self.told {
            return game.set_count(self.slot, self.position, width).map_or(self.initial, i64::from);
        }
        match (game.value(self.slot, self.position), self.told) {
            (None, _) => self.initial,
            (Some(value), NumberEncoding::Plain | NumberEncoding::Size) => value,
            (Some(element), NumberEncoding::From(low)) if element >= 0 => low + element,
            (Some(_), NumberEncoding::From(_)) => 0,
            (Some(element), NumberEncoding::Some) => i64::from(element >= 0),
        }
    }

    /// Returns the value in a state.
    pub(super) fn of_state(self, state: &State) -> i64 {
        self.told.number(&state.value(self.slot, self.position))
    }
}

impl NumberEncoding {
    fn number(self, value: &Value) -> i64 {
        match (value, self) {
            (Value::Number(number), _) => *number,
            (Value::Bool(value), _) => i64::from(*value),
            (Value::Set(set), _) => i64::from(set.len()),
            (Value::Element(Some(element)), NumberEncoding::From(low)) => low + i64::from(*element),
            (Value::Element(element), _) => i64::from(element.is_some()),
        }
    }
}

/// Maximum number of followed values. Variables that don't fit are left out.
const MOST_FOLLOWED: usize = 1024;

/// Returns the variables whose values at the end are reported, slot by slot in the order of the rules: numbers,
/// booleans (0 or 1), sets (their size), elements of number ranges (the number), and other optional elements (0
/// for `none`, 1 for any). Variables that live for only a turn are left out.
pub(super) fn followed(model: &Model) -> Vec<Followed> {
    let mut all = Vec::new();
    for (at, slot) in model.slots.iter().enumerate() {
        let told = match slot.content {
            Content::Number { .. } | Content::Bool => NumberEncoding::Plain,
            Content::Set(_) => NumberEncoding::Size,
            Content::Element { domain, optional } => match model.domains[domain.index()].kind {
                DomainKind::Range { low } => NumberEncoding::From(low),
                _ if optional => NumberEncoding::Some,
                _ => continue,
            },
        };
        let fits = all.len() + slot.initial.len() <= MOST_FOLLOWED;
        if slot.role == Role::Variable && slot.life != Life::Turn && fits {
            let slot_id = SlotId(at as u32);
            all.extend(slot.initial.iter().enumerate().map(|(position, value)| Followed {
                slot: slot_id,
                position,
                told,
                initial: told.number(value),
            }));
        }
    }
    all
}

/// The data of one finished game.
pub(super) struct FinishedGame<'a> {
    /// Index of the game; in match play, of its match.
    pub(super) index: u64,
    /// Index of the end: see [`Outcome::end`](crate::game::Outcome::end).
    pub(super) end: u32,
    pub(super) winners: u32,
    /// The items of each player's score, player by player.
    pub(super) scores: &'a [i64],
    pub(super) turns: u64,
    pub(super) rolls: u64,
    pub(super) decisions: u64,
}

impl<'a> FinishedGame<'a> {
    /// Reads a game of a batch.
    #[inline(always)]
    pub(super) fn of_batch(game: &Finished<'a>) -> Self {
        FinishedGame {
            index: game.index,
            end: game.end,
            winners: game.winners,
            scores: game.scores,
            turns: game.turns,
            rolls: game.rolls,
            decisions: game.decisions,
        }
    }

    /// Reads a finished state, with its [`scores`].
    pub(super) fn of_state(state: &State, scores: &'a [i64]) -> Self {
        let outcome = state.outcome();
        FinishedGame {
            index: state.started().index,
            end: outcome.as_ref().map_or(0, |outcome| outcome.end),
            winners: outcome.map_or(0, |outcome| mask(&outcome.winners)),
            scores,
            turns: state.turns(),
            rolls: state.rolls(),
            decisions: state.decisions(),
        }
    }
}

/// Returns the items of each player's score, player by player.
pub(super) fn scores(state: &State) -> Result<Vec<i64>, RuntimeError> {
    let players = (0..state.game().players()).map(Player);
    let scores: Result<Vec<Vec<i64>>, _> = players.map(|player| state.scores(player)).collect();
    Ok(scores?.concat())
}

/// Returns a mask of the winners, a bit for each player.
pub(super) fn mask(winners: &[bool]) -> u32 {
    let winners = winners.iter().enumerate().filter(|(_, won)| **won);
    winners.fold(0, |mask, (seat, _)| mask | 1 << seat)
}

/// The first game of a run that an error ended.
#[derive(Clone, Debug)]
pub struct AbortedGame {
    /// Index of the game in the run.
    pub index: u64,
    /// The error.
    pub error: RuntimeError,
}

/// Sums over some games.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct GameSums {
    items_each: usize,
    /// From the model; not saved with the sums.
    #[serde(skip)]
    followed: Vec<Followed>,
    pub(super) scores: Vec<Histogram>,
    /// The items of each player's score, player by player; empty for at most one item, which `scores` has.
    items: Vec<Histogram>,
    /// Number of games by set of winners.
    pub(super) winners: Vec<u64>,
    pub(super) turns: Histogram,
    pub(super) rolls: Histogram,
    pub(super) decisions: Histogram,
    /// Number of games by end.
    pub(super) ends: Vec<u64>,
    pub(super) variables: Vec<Histogram>,
    pub(super) options: Vec<u64>,
    pub(super) steps: Vec<u64>,
    pub(super) aborted: u64,
    /// Not saved with the sums, because errors point into rule texts.
    #[serde(skip)]
    pub(super) first_aborted: Option<AbortedGame>,
}

impl GameSums {
    pub(super) fn new(game: &Game) -> GameSums {
        let model = game.model();
        let players = game.players() as usize;
        let items_each = model.score.len();
        let followed = followed(model);
        GameSums {
            items_each,
            scores: vec![Histogram::default(); players],
            items: vec![Histogram::default(); if items_each > 1 { players * items_each } else { 0 }],
            winners: vec![0; 1 << players.min(16)],
            turns: Histogram::default(),
            rolls: Histogram::default(),
            decisions: Histogram::default(),
            ends: vec![0; model.end_names().count()],
            variables: vec![Histogram::default(); followed.len()],
            followed,
            options: vec![0; model.actions.len()],
            steps: vec![0; model.steps.len()],
            aborted: 0,
            first_aborted: None,
        }
    }

    /// Completes deserialised sums. Returns `None` if they don't fit this game.
    pub(super) fn restored(self, game: &Game) -> Option<GameSums> {
        let new = GameSums::new(game);
        let lengths = |sums: &GameSums| {
            let tallies = [&sums.scores, &sums.items, &sums.variables].map(Vec::len);
            let numbers = [&sums.winners, &sums.ends, &sums.options, &sums.steps].map(Vec::len);
            (sums.items_each, tallies, numbers)
        };
        (lengths(&self) == lengths(&new)).then_some(GameSums { followed: new.followed, ..self })
    }

    /// Returns the histogram of an item of a player's score.
    pub(super) fn item(&self, player: usize, item: usize) -> &Histogram {
        if self.items.is_empty() {
            &self.scores[player]
        } else {
            &self.items[player * self.items_each + item]
        }
    }

    /// Adds a finished game.
    #[inline(always)]
    pub(super) fn add(&mut self, game: &FinishedGame<'_>, variable: impl Fn(Followed) -> i64) {
        match self.items_each {
            0 => self.scores.iter_mut().for_each(|run_state| run_state.add(0, game.index)),
            1 => self
                .scores
                .iter_mut()
                .zip(game.scores)
                .for_each(|(run_state, score)| run_state.add(*score, game.index)),
            _ => self.add_items(game.scores, game.index),
        }
        let last = self.winners.len() - 1;
        self.winners[game.winners as usize & last] += 1;
        self.turns.add(game.turns as i64, game.index);
        self.rolls.add(game.rolls as i64, game.index);
        self.decisions.add(game.decisions as i64, game.index);
        if let Some(games) = self.ends.get_mut(game.end as usize) {
            *games += 1;
        }
        for (run_state, followed) in self.variables.iter_mut().zip(&self.followed) {
            run_state.add(variable(*followed), game.index);
        }
    }

    #[inline(always)]
    fn add_items(&mut self, scores: &[i64], game: u64) {
        let players = self.scores.iter_mut().zip(self.items.chunks_exact_mut(self.items_each));
        for ((total, items), scores) in players.zip(scores.chunks_exact(self.items_each)) {
            items.iter_mut().zip(scores).for_each(|(run_state, score)| run_state.add(*score, game));
            // No overflow: a game whose score does not fit is aborted.
            total.add(scores.iter().sum(), game);
        }
    }

    /// Counts an aborted game.
    pub(super) fn abort(&mut self, index: u64, error: RuntimeError) {
        self.aborted += 1;
        if self.first_aborted.as_ref().is_none_or(|first| index < first.index) {
            self.first_aborted = Some(AbortedGame { index, error });
        }
    }

    /// Adds the counts of options and steps of some games.
    pub(super) fn count(&mut self, counts: &UsageCounts) {
        self.options.iter_mut().zip(&counts.options).for_each(|(sum, n)| *sum += n);
        self.steps.iter_mut().zip(&counts.steps).for_each(|(sum, n)| *sum += n);
    }

    /// Adds the sums of other games.
    pub(super) fn merge(&mut self, other: GameSums) {
        let tallies = |mine: &mut [Histogram], others: &[Histogram]| {
            mine.iter_mut().zip(others).for_each(|(run_state, other)| run_state.merge(other));
        };
        let numbers = |mine: &mut [u64], others: &[u64]| {
            mine.iter_mut().zip(others).for_each(|(sum, n)| *sum += n);
        };
        tallies(&mut self.scores, &other.scores);
        tallies(&mut self.items, &other.items);
        tallies(&mut self.variables, &other.variables);
        numbers(&mut self.winners, &other.winners);
        numbers(&mut self.ends, &other.ends);
        numbers(&mut self.options, &other.options);
        numbers(&mut self.steps, &other.steps);
        self.turns.merge(&other.turns);
        self.rolls.merge(&other.rolls);
        self.decisions.merge(&other.decisions);
        let aborted = self.aborted + other.aborted;
        if let Some(AbortedGame { index, error }) = other.first_aborted {
            self.abort(index, error);
        }
        self.aborted = aborted;
    }
}
