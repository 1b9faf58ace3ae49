//! Simulations of one game from a position, for agents that look ahead.
//!
//! Chance and random players draw from the simulation's own streams, so nothing here reveals how the real
//! game will go.

use std::ops::Range;

use super::{Many, ROOT, Rejection, TRIAL};
use crate::hidden::knowledge::SeenWords;
use crate::outcome::return_all;
use crate::{Game, Patience, RuntimeError, Seat, State};
use houserule_base::hash::hash;
use houserule_base::interrupt;
use houserule_base::rng::{Stream, Streams};
use houserule_machine::native::RunKind;
use houserule_machine::program::{OVER, PENDING};
use houserule_machine::run::play;
use houserule_machine::run_state::Stop;

/// Index of a copy of the simulation while its actions are evaluated.
const KEPT: usize = 2;

/// Simulations of a game.
pub struct Playout {
    games: Many,
    /// The words that a player sees, and how.
    seen: SeenWords,
    /// How long the interpreter goes on.
    pub patience: Patience,
}

impl Playout {
    /// Prepares simulations of a game.
    pub fn new(game: &Game) -> Playout {
        let patience = Patience::new(game.program().code.len());
        Playout { games: Many::new(game, 3), seen: SeenWords::default(), patience }
    }

    /// Prepares simulations of the same game, which share the constant data.
    pub fn another(&self) -> Playout {
        Playout { games: self.games.more(3), seen: SeenWords::default(), patience: self.patience }
    }

    /// Returns the game.
    pub fn game(&self) -> &Game {
        &self.games.game
    }

    /// Returns `true` if the game has chance.
    pub fn has_chance(&self) -> bool {
        self.game().program().uses_chance
    }

    /// Sets the position at which simulations begin. The state must be of this very game.
    pub fn begin_at(&mut self, state: &State) {
        self.games.load(ROOT, state);
    }

    /// Seeds the streams of chance and of random players.
    pub fn reseed(&mut self, seed: u64) {
        self.games.streams = Streams::new(seed, 0, self.game().players() as usize);
        self.games.chance[TRIAL] = self.games.streams.chance;
    }

    /// Restarts the simulation at the position where simulations begin.
    #[inline]
    pub fn restart(&mut self) {
        self.games.copy(ROOT, TRIAL);
    }

    /// Number of words of a position for [`Playout::save`], or `None` if the past positions belong to it too.
    pub fn position_words(&self) -> Option<usize> {
        self.games.pasts.is_empty().then_some(self.game().program().live as usize + 1)
    }

    /// Appends the position of the simulation to `words`.
    pub fn save(&self, words: &mut Vec<u64>) {
        words.extend_from_slice(&self.games.frame(TRIAL)[..self.game().program().live as usize]);
        words.push(self.games.decisions[TRIAL]);
    }

    /// Goes to a saved position.
    pub fn go_to(&mut self, position: &[u64]) {
        // Words that are not live are written before they are read.
        let [live @ .., decisions] = position else { return };
        self.games.frame_mut(TRIAL)[..live.len()].copy_from_slice(live);
        self.games.decisions[TRIAL] = *decisions;
    }

    /// Computes the gain of each action for a player: by how much it improves the player's lead over the best
    /// of the others. Chance is drawn. The simulation itself does not change.
    pub fn gains(&mut self, player: u32, actions: &[u32], gains: &mut Vec<f64>) {
        gains.clear();
        self.games.copy(TRIAL, KEPT);
        let before = self.lead_as_it_stands(player);
        for action in actions {
            interrupt::check();
            self.games.copy(KEPT, TRIAL);
            // A failed action has no gain.
            let after = self.apply(*action).ok().and_then(|()| self.lead_as_it_stands(player));
            gains.push(match (before, after) {
                (Some(before), Some(after)) => after - before,
                _ => 0.0,
            });
        }
        self.games.copy(KEPT, TRIAL);
    }

    fn lead_as_it_stands(&mut self, player: u32) -> Option<f64> {
        self.games.compute_scores(TRIAL).ok()?;
        Some(self.lead(player))
    }

    /// Returns a player's lead over the best of the others, as last computed.
    fn lead(&self, player: u32) -> f64 {
        let others = (0..self.game().players()).filter(|other| *other != player);
        let best = others.map(|other| self.worth(other)).reduce(f64::max).unwrap_or(0.0);
        self.worth(player) - best
    }

    /// Returns a player's score as last computed, converted so that greater is better.
    fn worth(&self, player: u32) -> f64 {
        let direction = self.game().model().score_direction;
        direction.worth(self.games.score(TRIAL, player) as f64)
    }

    /// Returns the player to move, or `None` once the game is over.
    #[inline]
    pub fn current_player(&self) -> Option<u32> {
        self.games.current_player(TRIAL)
    }

    /// Returns `true` if the game is over.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.games.is_over(TRIAL)
    }

    /// Returns the number of legal actions.
    #[inline]
    pub fn legal_count(&self) -> u32 {
        self.games.legal_count(TRIAL)
    }

    /// Puts every legal action into `actions`, in ascending order.
    pub fn legal_actions(&self, actions: &mut Vec<u32>) {
        actions.clear();
        self.games.for_each_legal(TRIAL, |action| actions.push(action));
    }

    /// Takes a legal action, draws chance, and continues to the next decision.
    #[inline]
    pub fn apply(&mut self, action: u32) -> Result<(), Box<RuntimeError>> {
        match self.games.apply(TRIAL, action, &mut 0) {
            Ok(()) => Ok(()),
            Err(Rejection::Failed(error)) => Err(error),
            Err(Rejection::Illegal) => unreachable!("the action is legal"),
        }
    }

    /// Makes [`Playout::view`] the view of a player.
    pub fn look_as(&mut self, player: Seat) {
        self.seen = self.game().words_seen(player);
    }

    /// Returns a hash of the position.
    #[inline]
    pub fn position(&self) -> u64 {
        let persistent = self.game().program().persistent as usize;
        hash(&self.games.frame(TRIAL)[..persistent])
    }

    /// Returns a hash of what the player of [`Playout::look_as`] sees of the position.
    pub fn view(&self) -> u64 {
        self.seen.hash(self.games.frame(TRIAL))
    }

    /// Returns the games of the playout and the index of the simulation, as a range, for its observations.
    pub fn simulated(&self) -> (&Many, Range<usize>) {
        (&self.games, TRIAL..TRIAL + 1)
    }

    /// Plays to the end with random players, who never take `deliberate` options.
    pub fn play_out(&mut self) -> Result<(), Box<RuntimeError>> {
        let Many { game, frame, words, chance, decisions, pasts, streams, run_state, .. } = &mut self.games;
        let words = &mut words[TRIAL * *frame..][..*frame];
        let pending = words[usize::from(PENDING)];
        if pending == OVER {
            return Ok(());
        }
        streams.chance = chance[TRIAL];
        (run_state.spent, run_state.counters.decisions) = (0, decisions[TRIAL]);
        if let Some(pasts) = pasts.get_mut(TRIAL) {
            std::mem::swap(pasts, &mut run_state.pasts);
        }
        let clock = self.patience.clock();
        let machine = match clock {
            None => game.machine(RunKind::Rollout),
            Some(_) => game.machine_if_made(RunKind::Rollout),
        };
        let program = game.program_if_made(RunKind::Rollout);
        let at = program.stops[pending as usize - 1].entry;
        // Neither program may take what the other has kept for its own.
        let (is_other, live) = (!std::ptr::eq(program, game.program()), program.live as usize);
        if is_other {
            words[live..].fill(0);
        }
        let stop = play(program, machine, &mut words[..program.frame as usize], streams, run_state, at);
        if is_other {
            words[live..].fill(0);
        }
        let played = match stop {
            Stop::Fault { at, fault, value } => Err(game.error_in(program, at, fault, value, run_state)),
            _ => Ok(()),
        };
        if let Some(clock) = clock {
            self.patience.spend(clock);
        }
        chance[TRIAL] = streams.chance;
        if let Some(pasts) = pasts.get_mut(TRIAL) {
            std::mem::swap(pasts, &mut run_state.pasts);
        }
        played.map_err(Box::new)
    }

    /// Plays at most `decisions` decisions with random players, who never take `deliberate` options.
    pub fn play_some(&mut self, decisions: u32, stream: &mut Stream) -> Result<(), Box<RuntimeError>> {
        for _ in 0..decisions {
            let Some(action) = self.games.random_action::<false>(TRIAL, stream) else { break };
            self.apply(action)?;
        }
        Ok(())
    }

    /// Returns the words of the simulation that hold the slots.
    pub fn live_words(&self) -> &[u64] {
        &self.games.frame(TRIAL)[..usize::from(self.game().program().places.end)]
    }

    /// Computes the players' scores in the current state of the simulation.
    pub fn scores(&mut self) -> Result<Vec<i64>, Box<RuntimeError>> {
        self.games.compute_scores(TRIAL)?;
        Ok((0..self.game().players()).map(|player| self.games.score(TRIAL, player)).collect())
    }

    /// Computes the simulation's value for each player: the returns of a finished game, or 0 before its end. For a
    /// lone player without payoffs it is the score, converted so that greater is better.
    pub fn values(&mut self, values: &mut [f64]) -> Result<(), Box<RuntimeError>> {
        self.games.compute_scores(TRIAL)?;
        match values {
            [lone] if !self.game().pays() => *lone = self.worth(0),
            _ if self.is_over() => return_all(self.game().program(), self.games.frame(TRIAL), values),
            _ => values.fill(0.0),
        }
        Ok(())
    }
}
