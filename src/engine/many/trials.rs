//! Games side by side that are tried out action by action, to look at the states that actions lead to before
//! anything is left to chance: for agents that judge such states.

use super::{Many, Refused};
use crate::engine::game::{Game, Player};
use crate::engine::knowledge::SeenWords;
use crate::engine::outcome::share;
use crate::engine::{RuntimeError, State};
use crate::hash::hash;
use crate::lang::model::Builtin;
use crate::program::{OVER, PENDING, SiteKind};
use crate::rng::{Stream, Streams};

/// Games that are tried out, by number from 0.
pub(crate) struct Trials {
    games: Many,
    frames: usize,
    /// What somebody sees of the words.
    seen: SeenWords,
}

impl Trials {
    /// As many games, none of which has begun.
    pub(crate) fn new(game: &Game, frames: usize) -> Trials {
        Trials { games: Many::new(game, frames), frames, seen: SeenWords::default() }
    }

    /// Others of the same kind; what does not change is shared.
    pub(crate) fn more(&self) -> Trials {
        Trials { games: self.games.more(self.frames), frames: self.frames, seen: SeenWords::default() }
    }

    /// The game.
    pub(crate) fn game(&self) -> &Game {
        &self.games.game
    }

    /// Is anything left to chance?
    pub(crate) fn has_chance(&self) -> bool {
        self.game().program().uses_chance
    }

    /// Begins a game of a run.
    pub(crate) fn start(&mut self, i: usize, seed: u64, index: u64) -> Result<(), Box<RuntimeError>> {
        self.games.tally.draws_chance = true;
        self.games.start(i, seed, index)
    }

    /// Makes a state of this very game a game.
    pub(crate) fn load(&mut self, i: usize, state: &State) {
        self.games.load(i, state);
    }

    /// Where chance comes from in a game from now on.
    pub(crate) fn reseed(&mut self, i: usize, seed: u64) {
        self.games.streams = Streams::new(seed, 0, self.game().players() as usize);
        self.games.chance[i] = self.games.streams.chance;
    }

    /// From now on [`Trials::view`] is what a player sees.
    pub(crate) fn look_as(&mut self, player: Player) {
        self.seen = self.game().words_seen(player);
    }

    /// A number that differs, as good as surely, between positions that look different.
    pub(crate) fn view(&self, i: usize) -> u64 {
        self.seen.hash(self.words(i))
    }

    /// A number that differs, as good as surely, between positions that differ.
    pub(crate) fn position(&self, i: usize) -> u64 {
        hash(&self.words(i)[..self.game().program().persistent as usize])
    }

    /// Makes a game a copy of another.
    #[inline]
    pub(crate) fn copy(&mut self, from: usize, to: usize) {
        self.games.copy(from, to);
    }

    /// Takes a legal action, and goes on to the next decision or chance event.
    #[inline]
    pub(crate) fn try_out(&mut self, i: usize, action: u32) -> Result<(), Refused> {
        self.games.tally.draws_chance = false;
        self.games.apply(i, action, &mut 0)
    }

    /// Takes a legal action, lets chance come out as it does, and goes on to the next decision.
    #[inline]
    pub(crate) fn play(&mut self, i: usize, action: u32) -> Result<(), Refused> {
        self.games.tally.draws_chance = true;
        self.games.apply(i, action, &mut 0)
    }

    /// The words of a game.
    #[inline]
    pub(crate) fn words(&self, i: usize) -> &[u64] {
        self.games.frame(i)
    }

    /// Is a game over?
    #[inline]
    pub(crate) fn is_over(&self, i: usize) -> bool {
        self.games.is_over(i)
    }

    /// Where the rules wait, for a decision or a chance event.
    #[inline]
    pub(crate) fn site(&self, i: usize) -> Option<usize> {
        match self.games.frame(i)[usize::from(PENDING)] {
            0 | OVER => None,
            site => Some(site as usize - 1),
        }
    }

    /// Who has to decide; nobody at a chance event, or once the game is over.
    #[inline]
    pub(crate) fn current_player(&self, i: usize) -> Option<u32> {
        self.games.current_player(i)
    }

    /// Who moves, also while chance is to come.
    #[inline]
    pub(crate) fn mover(&self, i: usize) -> u32 {
        let at = self.game().slots()[Builtin::Mover.slot().index()];
        at.map_or(0, |at| self.words(i)[usize::from(at)] as u32)
    }

    /// What a random player takes.
    pub(crate) fn random_action(&mut self, i: usize, stream: &mut Stream) -> Option<u32> {
        self.games.random_action::<false>(i, stream)
    }

    /// Puts every legal action into `actions`, in the order of the legal set.
    #[inline]
    pub(crate) fn legal_actions(&self, i: usize, actions: &mut Vec<u32>) {
        actions.clear();
        self.games.for_each_legal(i, |action| actions.push(action));
    }

    /// Works out what every player's score is worth: the greater, the better, whichever way it is good.
    #[inline]
    pub(crate) fn worths(&mut self, i: usize, worths: &mut [f64]) -> Result<(), Box<RuntimeError>> {
        self.games.work_out_scores(i)?;
        let direction = self.game().model().score_direction;
        for (player, worth) in (0..).zip(worths) {
            *worth = direction.worth(self.games.score(i, player) as f64);
        }
        Ok(())
    }

    /// What a finished game returns to a player; [`Trials::worths`] has been called.
    #[inline]
    pub(crate) fn returned(&self, i: usize, player: u32) -> f64 {
        share(self.games.winners(i), self.game().players(), player)
    }

    /// The dice that the chance event that a game waits for is about to roll, each as the word of its face.
    pub(crate) fn rolled(&self, i: usize, mut tell: impl FnMut(usize)) {
        let program = self.game().program();
        let Some(site) = self.site(i).map(|site| &program.sites[site]) else { return };
        let (dice, from) = match site.kind {
            SiteKind::Roll { dice } => (dice, None),
            SiteKind::RollSome { dice, from } => (dice, Some(from)),
            SiteKind::RollOne { dice, from, .. } => (dice, from),
            _ => return,
        };
        let dice = &program.dice[usize::from(dice)];
        let chosen = from.map_or(u64::MAX, |from| self.words(i)[usize::from(from)]);
        for die in 0..usize::from(dice.count) {
            if die >= 64 || chosen >> die & 1 == 1 {
                tell(usize::from(dice.faces_at) + die);
            }
        }
    }
}
