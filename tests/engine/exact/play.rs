//! The interface between facts and a game in progress, for either executor.

use std::hash::Hash;

use houserule::game::values::variables_json;
use houserule::game::{ActionId, Game, Seat, Start, State};
use houserule::notation::record::find_outcome;
use serde_json::Value;

/// A game in progress: at a decision, at a chance event, or over.
pub(crate) trait Play: Clone {
    /// A state at a chance event in compact form. Equal values have equal continuations.
    type Packed: Eq + Hash;

    /// The executor, as the key `long` of a fact names it.
    const EXECUTOR: &str;

    fn start_at(game: &Game, start: &Start) -> Self;
    fn game(&self) -> &Game;
    fn is_over(&self) -> bool;
    /// Returns the number of outcomes of the pending chance event, or 0 if none is pending.
    fn outcomes(&self) -> u64;
    fn legal(&self) -> Vec<ActionId>;
    fn decide(&mut self, action: ActionId);
    fn happen(&mut self, outcome: u64);
    /// Returns the items of a seat's score.
    fn items(&self, seat: u32) -> Vec<i64>;
    /// Returns the winners of a finished game, by seat.
    fn winners(&self) -> Vec<bool>;
    fn rolls(&self) -> u64;
    fn decisions(&self) -> u64;
    /// Returns the variables, in the format of records.
    fn variables(&self) -> Value;
    /// Returns the outcome of a roll.
    fn outcome_of(&self, dice: &str, faces: &[u32]) -> u64;
    fn pack(&mut self) -> Self::Packed;
    fn unpack(&mut self, packed: &Self::Packed);

    /// Starts a game with explicit chance.
    fn start(game: &Game) -> Self {
        let totals = vec![0; game.players() as usize];
        let start = Start { game_number: 1, totals, explicit_chance: true, ..Start::default() };
        Self::start_at(game, &start)
    }

    fn is_chance(&self) -> bool {
        self.outcomes() > 0
    }

    /// Returns the score of every seat.
    fn scores(&self) -> Vec<i64> {
        (0..self.game().players()).map(|seat| self.items(seat).iter().sum()).collect()
    }

    /// Returns the seat that won alone, or `None`.
    fn winner(&self) -> Option<usize> {
        let winners = self.winners();
        let mut won = winners.iter().enumerate().filter(|(_, won)| **won).map(|(seat, _)| seat);
        let first = won.next()?;
        won.next().is_none().then_some(first)
    }
}

impl Play for State {
    type Packed = Vec<u64>;

    const EXECUTOR: &str = "fast";

    fn start_at(game: &Game, start: &Start) -> Self {
        game.start_at(start).expect("the game starts")
    }

    fn game(&self) -> &Game {
        State::game(self)
    }

    fn is_over(&self) -> bool {
        State::is_over(self)
    }

    fn outcomes(&self) -> u64 {
        self.chance_outcomes()
    }

    fn legal(&self) -> Vec<ActionId> {
        self.legal_actions()
    }

    fn decide(&mut self, action: ActionId) {
        self.apply(action).expect("a legal action can be taken");
    }

    fn happen(&mut self, outcome: u64) {
        self.apply_outcome(outcome).expect("an outcome can be applied");
    }

    fn items(&self, seat: u32) -> Vec<i64> {
        State::scores(self, Seat(seat)).expect("the score can be counted")
    }

    fn winners(&self) -> Vec<bool> {
        self.outcome().expect("the game is over").winners
    }

    fn rolls(&self) -> u64 {
        State::rolls(self)
    }

    fn decisions(&self) -> u64 {
        State::decisions(self)
    }

    fn variables(&self) -> Value {
        serde_json::to_value(variables_json(self)).expect("variables are JSON")
    }

    fn outcome_of(&self, dice: &str, faces: &[u32]) -> u64 {
        let faces: Vec<String> = faces.iter().map(ToString::to_string).collect();
        let event = format!("roll {dice} {}", faces.join(" "));
        find_outcome(self, &event).unwrap_or_else(|known| panic!("no `{event}` among {known:?}"))
    }

    fn pack(&mut self) -> Vec<u64> {
        self.persistent().to_vec()
    }

    fn unpack(&mut self, packed: &Vec<u64>) {
        self.restore(packed);
    }
}
