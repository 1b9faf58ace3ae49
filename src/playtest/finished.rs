//! A finished game, as metrics and tables read it: its counters, its scores, and the values of its variables.
//!
//! The game is one of a batch, which the executor played by itself, or a state. Both are read in the same way.

use crate::board::BitSet;
use crate::game::random_games::Finished;
use crate::game::{Game, Player, RuntimeError, State};
use crate::matches::{Match, Standing};
use crate::model::{Content, DomainId, DomainKind, Life, Role, SlotId, Value};

/// The counters and scores of a finished game.
#[derive(Clone, Copy)]
pub(super) struct FinishedGame<'a> {
    pub(super) game: &'a Game,
    /// Index of the game; in match play, of its match.
    pub(super) index: u64,
    /// Index of the end: see [`Outcome::end`](crate::game::Outcome::end).
    pub(super) end: u32,
    /// A bit for each winner.
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
    pub(super) fn of_batch(game: &'a Game, finished: &Finished<'a>) -> Self {
        FinishedGame {
            game,
            index: finished.index,
            end: finished.end,
            winners: finished.winners,
            scores: finished.scores,
            turns: finished.turns,
            rolls: finished.rolls,
            decisions: finished.decisions,
        }
    }

    /// Reads a finished state, with its [`scores`].
    pub(super) fn of_state(state: &'a State, scores: &'a [i64]) -> Self {
        let outcome = state.outcome();
        FinishedGame {
            game: state.game(),
            index: state.started().index,
            end: outcome.as_ref().map_or(0, |outcome| outcome.end),
            winners: outcome.map_or(0, |outcome| mask(&outcome.winners)),
            scores,
            turns: state.turns(),
            rolls: state.rolls(),
            decisions: state.decisions(),
        }
    }

    /// Returns the score of a seat.
    pub(super) fn score(&self, seat: usize) -> i64 {
        let items = self.game.model().score.len();
        // No overflow: a game whose score does not fit is aborted.
        self.scores[seat * items..][..items].iter().sum()
    }
}

/// A finished match.
pub(super) struct FinishedMatch {
    pub(super) standings: Vec<Standing>,
    /// A bit for each winner.
    pub(super) winners: u32,
    pub(super) games: u64,
}

impl FinishedMatch {
    pub(super) fn new(one: &Match) -> FinishedMatch {
        FinishedMatch { standings: one.standings(), winners: mask(&one.leaders()), games: one.played() }
    }
}

/// Returns the items of each player's score, player by player.
pub(super) fn scores(state: &State) -> Result<Vec<i64>, RuntimeError> {
    let players = (0..state.game().players()).map(Player);
    let scores: Result<Vec<Vec<i64>>, _> = players.map(|player| state.scores(player)).collect();
    Ok(scores?.concat())
}

/// Returns a mask of the winners, a bit for each player.
fn mask(winners: &[bool]) -> u32 {
    let winners = winners.iter().enumerate().filter(|(_, won)| **won);
    winners.fold(0, |mask, (seat, _)| mask | 1 << seat)
}

/// Access to the values of a finished game.
pub(super) trait FinalValues {
    /// Returns a number, a boolean, an element's index (`none` is -1), or the size of a set. Returns `None` if the
    /// game doesn't store the value, because no rule changes it.
    fn raw(&self, slot: SlotId, position: usize, encoding: Encoding) -> Option<i64>;

    /// Returns a member of a family of sets.
    fn set(&self, slot: SlotId, position: usize) -> BitSet;

    /// Returns the state, or `None` for a game of a batch.
    fn state(&self) -> Option<&State>;
}

/// The values of a game of a batch.
pub(super) struct BatchValues<'a> {
    game: &'a Game,
    finished: &'a Finished<'a>,
    /// Size of a set, in words.
    width: usize,
}

impl<'a> BatchValues<'a> {
    #[inline(always)]
    pub(super) fn new(game: &'a Game, finished: &'a Finished<'a>) -> Self {
        BatchValues { game, finished, width: usize::from(game.program().width) }
    }
}

impl FinalValues for BatchValues<'_> {
    #[inline(always)]
    fn raw(&self, slot: SlotId, position: usize, encoding: Encoding) -> Option<i64> {
        match encoding {
            Encoding::Size => self.finished.set_count(slot, position, self.width).map(i64::from),
            _ => self.finished.value(slot, position),
        }
    }

    fn set(&self, slot: SlotId, position: usize) -> BitSet {
        let model = self.game.model();
        let declared = &model.slots[slot.index()];
        let size = match declared.content {
            Content::Set(domain) => model.domains[domain.index()].size,
            _ => 0,
        };
        let kept = self.finished.set(slot, position, self.width, size);
        kept.unwrap_or_else(|| match &declared.initial[position] {
            Value::Set(set) => set.clone(),
            _ => BitSet::empty(size),
        })
    }

    fn state(&self) -> Option<&State> {
        None
    }
}

impl FinalValues for State {
    fn raw(&self, slot: SlotId, position: usize, _: Encoding) -> Option<i64> {
        Some(plain(&self.value(slot, position)))
    }

    fn set(&self, slot: SlotId, position: usize) -> BitSet {
        match self.value(slot, position) {
            Value::Set(set) => set,
            _ => BitSet::empty(0),
        }
    }

    fn state(&self) -> Option<&State> {
        Some(self)
    }
}

fn plain(value: &Value) -> i64 {
    match value {
        Value::Number(number) => *number,
        Value::Bool(value) => i64::from(*value),
        Value::Element(element) => element.map_or(-1, i64::from),
        Value::Set(set) => i64::from(set.len()),
    }
}

/// Encoding of a variable's value as an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Number,
    Bool,
    /// Size of a set.
    Size,
    /// Index of an element of a range with this lower bound; -1 is `none`.
    Range(i64),
    /// Index of a player; -1 is `none`.
    Seat,
    /// Index of an element that is shown by name; -1 is `none`.
    Name(DomainId),
}

/// A value of a declared variable at the end of each game.
#[derive(Clone, Copy, Debug)]
pub(super) struct EndValue {
    pub(super) slot: SlotId,
    pub(super) position: usize,
    encoding: Encoding,
    initial: i64,
}

impl EndValue {
    /// Returns the value as it is encoded.
    #[inline(always)]
    pub(super) fn raw(self, values: &(impl FinalValues + ?Sized)) -> i64 {
        values.raw(self.slot, self.position, self.encoding).unwrap_or(self.initial)
    }

    /// Returns the value as a number. An element of a range is its number, `none` is 0, any other element 1.
    #[inline(always)]
    pub(super) fn number(self, values: &(impl FinalValues + ?Sized)) -> i64 {
        match (self.raw(values), self.encoding) {
            (number, Encoding::Number | Encoding::Bool | Encoding::Size) => number,
            (element, Encoding::Range(low)) if element >= 0 => low + element,
            (_, Encoding::Range(_)) => 0,
            (element, Encoding::Seat | Encoding::Name(_)) => i64::from(element >= 0),
        }
    }
}

/// A declared variable whose values at the end are measured or kept.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) slot: SlotId,
    pub(super) encoding: Encoding,
    /// Its values are metrics. If not, they are names, or too many.
    pub(super) is_measured: bool,
    /// Its values are columns of tables.
    pub(super) is_tabled: bool,
    pub(super) values: Vec<EndValue>,
}

/// Maximum number of values that are metrics, and of those kept per game for tables.
const MOST_VALUES: usize = 1024;

/// Returns the variables of a game in the order of the rules, except those that live for only a turn. Of those with
/// too many values for metrics, each is left out; for tables, also all after the first.
pub(super) fn variables(game: &Game) -> Vec<Variable> {
    let model = game.model();
    let (mut measured, mut tabled) = (0, 0);
    let slots = (0..).map(SlotId).zip(&model.slots);
    let declared = slots.filter(|(_, slot)| slot.role == Role::Variable && slot.life != Life::Turn);
    let variable = |(id, slot): (SlotId, &crate::model::Slot)| {
        let (encoding, is_number) = match slot.content {
            Content::Number { .. } => (Encoding::Number, true),
            Content::Bool => (Encoding::Bool, true),
            Content::Set(_) => (Encoding::Size, true),
            Content::Element { domain, optional } => match model.domains[domain.index()].kind {
                DomainKind::Range { low } => (Encoding::Range(low), true),
                DomainKind::Player => (Encoding::Seat, optional),
                _ => (Encoding::Name(domain), optional),
            },
        };
        let count = slot.initial.len();
        let is_measured = is_number && measured + count <= MOST_VALUES;
        measured += if is_measured { count } else { 0 };
        tabled += count;
        let value = |(position, initial)| EndValue { slot: id, position, encoding, initial: plain(initial) };
        Variable {
            slot: id,
            encoding,
            is_measured,
            is_tabled: tabled <= MOST_VALUES,
            values: slot.initial.iter().enumerate().map(value).collect(),
        }
    };
    declared.map(variable).collect()
}

/// Returns the values that are metrics.
pub(super) fn measured_values(game: &Game) -> Vec<EndValue> {
    let measured = variables(game).into_iter().filter(|variable| variable.is_measured);
    measured.flat_map(|variable| variable.values).collect()
}
