//! Games side by side in which actions are tried, to evaluate the afterstates: the states that actions lead
//! to before any chance event. For agents that evaluate such states.

use super::{Many, Rejection};
use crate::hidden::knowledge::SeenWords;
use crate::{Game, Seat};
use crate::{RuntimeError, State};
use houserule_base::hash::hash;
use houserule_base::rng::{Stream, Streams};
use houserule_machine::program::{OVER, PENDING, StopKind};
use houserule_model::Builtin;

/// Games in which actions are tried, by index from 0.
pub struct Trials {
    games: Many,
    frames: usize,
    /// The words that a player sees, and how.
    seen: SeenWords,
}

impl Trials {
    /// Returns `frames` games that have not begun.
    pub fn new(game: &Game, frames: usize) -> Trials {
        Trials { games: Many::new(game, frames), frames, seen: SeenWords::default() }
    }

    /// Returns as many new games. They share what never changes.
    pub fn more(&self) -> Trials {
        Trials { games: self.games.more(self.frames), frames: self.frames, seen: SeenWords::default() }
    }

    /// Returns the game.
    pub fn game(&self) -> &Game {
        &self.games.game
    }

    /// Returns `true` if the game has chance.
    pub fn has_chance(&self) -> bool {
        self.game().program().uses_chance
    }

    /// Begins game `index` of a run.
    pub fn start(&mut self, i: usize, seed: u64, index: u64) -> Result<(), Box<RuntimeError>> {
        self.games.run_state.draws_chance = true;
        self.games.start(i, seed, index)
    }

    /// Replaces game `i` by a state of this very game.
    pub fn load(&mut self, i: usize, state: &State) {
        self.games.load(i, state);
    }

    /// Seeds the chance stream of a game.
    pub fn reseed(&mut self, i: usize, seed: u64) {
        self.games.streams = Streams::new(seed, 0, self.game().players() as usize);
        self.games.chance[i] = self.games.streams.chance;
    }

    /// Makes [`Trials::view`] the view of a player.
    pub fn look_as(&mut self, player: Seat) {
        self.seen = self.game().words_seen(player);
    }

    /// Returns a hash of what the player of [`Trials::look_as`] sees of the position.
    pub fn view(&self, i: usize) -> u64 {
        self.seen.hash(self.words(i))
    }

    /// Returns a hash of the position.
    pub fn position(&self, i: usize) -> u64 {
        hash(&self.words(i)[..self.game().program().persistent as usize])
    }

    /// Copies game `from` over game `to`.
    #[inline]
    pub fn copy(&mut self, from: usize, to: usize) {
        self.games.copy(from, to);
    }

    /// Takes a legal action, and continues to the next decision or chance event.
    #[inline]
    pub fn try_out(&mut self, i: usize, action: u32) -> Result<(), Rejection> {
        self.games.run_state.draws_chance = false;
        self.games.apply(i, action, &mut 0)
    }

    /// Takes a legal action, draws chance, and continues to the next decision.
    #[inline]
    pub fn play(&mut self, i: usize, action: u32) -> Result<(), Rejection> {
        self.games.run_state.draws_chance = true;
        self.games.apply(i, action, &mut 0)
    }

    /// Returns the words of a game.
    #[inline]
    pub fn words(&self, i: usize) -> &[u64] {
        self.games.frame(i)
    }

    /// Returns `true` if a game is over.
    #[inline]
    pub fn is_over(&self, i: usize) -> bool {
        self.games.is_over(i)
    }

    /// Returns the stop point of a pending decision or chance event.
    #[inline]
    pub fn pending_stop(&self, i: usize) -> Option<usize> {
        match self.games.frame(i)[usize::from(PENDING)] {
            0 | OVER => None,
            stop => Some(stop as usize - 1),
        }
    }

    /// Returns the player to move, or `None` at a chance event or once the game is over.
    #[inline]
    pub fn current_player(&self, i: usize) -> Option<u32> {
        self.games.current_player(i)
    }

    /// Returns the mover, at chance events too.
    #[inline]
    pub fn mover(&self, i: usize) -> u32 {
        let at = self.game().slots()[Builtin::Mover.slot().index()];
        at.map_or(0, |at| self.words(i)[usize::from(at)] as u32)
    }

    /// Draws the action of a random player.
    pub fn random_action(&mut self, i: usize, stream: &mut Stream) -> Option<u32> {
        self.games.random_action::<false>(i, stream)
    }

    /// Puts every legal action into `actions`, in ascending order.
    #[inline]
    pub fn legal_actions(&self, i: usize, actions: &mut Vec<u32>) {
        actions.clear();
        self.games.for_each_legal(i, |action| actions.push(action));
    }

    /// Computes every player's score, converted so that greater is better.
    #[inline]
    pub fn worths(&mut self, i: usize, worths: &mut [f64]) -> Result<(), Box<RuntimeError>> {
        self.games.compute_scores(i)?;
        let direction = self.game().model().score_direction;
        for (player, worth) in (0..).zip(worths) {
            *worth = direction.worth(self.games.score(i, player) as f64);
        }
        Ok(())
    }

    /// Returns a player's return of a finished game. [`Trials::worths`] must have been called.
    #[inline]
    pub fn returned(&self, i: usize, player: u32) -> f64 {
        self.games.returned(i, player)
    }

    /// Returns the dice that the pending chance event rolls.
    pub fn rolled(&self, i: usize) -> RolledDice {
        let program = self.game().program();
        let Some(stop) = self.pending_stop(i).map(|stop| &program.stops[stop]) else {
            return RolledDice::default();
        };
        let (dice, from) = match stop.kind {
            StopKind::Roll { dice } => (dice, None),
            StopKind::RollSome { dice, from } => (dice, Some(from)),
            StopKind::RollOne { dice, from, .. } => (dice, from),
            _ => return RolledDice::default(),
        };
        let dice = &program.dice[usize::from(dice)];
        let chosen = from.map_or(u64::MAX, |from| self.words(i)[usize::from(from)]);
        RolledDice { first: dice.faces_at.into(), count: dice.count.into(), chosen }
    }
}

/// The dice that a chance event rolls.
#[derive(Clone, Copy, Debug, Default)]
pub struct RolledDice {
    /// The address of the first face of the group.
    first: u32,
    /// The number of dice of the group.
    count: u32,
    /// Which of the first 64 are rolled, one bit each. Further dice always are.
    chosen: u64,
}

impl RolledDice {
    /// Returns `true` if the die with its face at this address is rolled.
    #[inline(always)]
    pub fn has(self, face_at: u32) -> bool {
        let die = face_at.wrapping_sub(self.first);
        die < self.count && (die >= 64 || self.chosen >> die & 1 == 1)
    }
}
