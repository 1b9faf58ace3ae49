//! A run of self-play on several threads, with the same result for any number of them.
//!
//! Games are played in rounds. All games of a round use the same weights. Meanwhile one thread learns from the
//! games of the round before; its updates take effect in the next round.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::selfplay::{TrainingGame, exploration, play, play_randomly};
use super::turn::{Aim, TurnSearch};
use super::weights::Learning;
use houserule_base::interrupt;
use houserule_base::pool::Pool;

/// Number of games in a round.
pub(super) const ROUND: u64 = 16;

/// The weights in training, and their progress.
pub(super) struct TrainingRun {
    pub(super) aim: Aim,
    /// The initial value of all weights.
    pub(super) start: f32,
    /// The weights that games are played with.
    pub(super) weights: Vec<f32>,
    /// The number of games played.
    pub(super) games: u64,
    /// The cost of these games, as [`TurnSearch::work`]: the same on any number of threads.
    pub(super) work: u64,
    seed: u64,
    learning: Learning,
    /// Games that have been played but not yet learned from.
    played: Vec<TrainingGame>,
}

/// Plays the game of an index with some weights, and logs it.
type PlayTrainingGame<'p> = dyn Fn(&mut TurnSearch, &[f32], u64, &mut TrainingGame) + Sync + 'p;

impl TrainingRun {
    /// Makes a run whose weights are all `each`.
    pub(super) fn new(weights: usize, each: f32, aim: Aim, lambda: f32, seed: u64) -> TrainingRun {
        TrainingRun {
            aim,
            start: each,
            weights: vec![each; weights],
            games: 0,
            work: 0,
            seed,
            learning: Learning::new(weights, each, aim, lambda),
            played: vec![],
        }
    }

    /// Returns the averages of the weights over past rounds.
    pub(super) fn averaged(&self) -> Vec<f32> {
        self.learning.averaged()
    }

    /// Plays until the run has `until` games, or `enough` returns `true` between two rounds, given the number of
    /// games and their cost. Uses a thread for each turn. Unwinds early if the work is interrupted.
    ///
    /// # Panics
    /// If a thread panics.
    pub(super) fn play(
        &mut self,
        turns: &mut [TurnSearch],
        until: u64,
        enough: &mut dyn FnMut(u64, u64) -> bool,
    ) {
        let mut pool = Pool::new(turns.len());
        let turns = self.share(turns);
        while self.games < until && !enough(self.games, self.work) {
            let end = until.min(self.games + ROUND);
            let (seed, work) = (self.seed, self.work);
            let games = self.round(&mut pool, &turns, self.games..end, &|turn, weights, index, log| {
                play(turn, weights, seed, index, exploration(turn, work), log);
            });
            self.work += games.iter().map(|game| game.work).sum::<u64>();
            self.hand_over(games);
            self.games = end;
        }
        interrupt::check();
    }

    /// Learns first from `games` games of random players, which cost little and don't count, or until `enough` returns `true`
    /// between two rounds.
    pub(super) fn warm_up(&mut self, turns: &mut [TurnSearch], games: u64, enough: &mut dyn FnMut() -> bool) {
        let mut pool = Pool::new(turns.len());
        let turns = self.share(turns);
        let seed = !self.seed;
        for first in (0..games).step_by(ROUND as usize) {
            if enough() {
                break;
            }
            let end = games.min(first + ROUND);
            let games = self.round(&mut pool, &turns, first..end, &|turn, _, index, log| {
                play_randomly(turn, seed, index, log);
            });
            self.hand_over(games);
        }
        self.played.drain(..).for_each(|log| self.learning.learn(&log));
        self.learning.publish(&mut self.weights);
        self.learning.begin_again();
        interrupt::check();
    }

    /// Plays a game of random players, and learns from it.
    pub(super) fn learn_from_random_game(
        &mut self,
        turn: &mut TurnSearch,
        index: u64,
        log: &mut TrainingGame,
    ) {
        play_randomly(turn, !self.seed, index, log);
        self.learning.learn(log);
    }

    /// Returns the turns as the threads share them: a thread takes any that no other thread uses.
    fn share<'t>(&self, turns: &'t mut [TurnSearch]) -> Mutex<Vec<&'t mut TurnSearch>> {
        turns.iter_mut().for_each(|turn| turn.aim = self.aim);
        Mutex::new(turns.iter_mut().rev().collect())
    }

    /// Plays the games of a round, and meanwhile learns from those of the round before.
    fn round(
        &mut self,
        pool: &mut Pool,
        turns: &Mutex<Vec<&mut TurnSearch>>,
        games: Range<u64>,
        play: &PlayTrainingGame<'_>,
    ) -> Vec<TrainingGame> {
        let (weights, played) = (&self.weights, &self.played);
        let learning = Mutex::new(&mut self.learning);
        let logs: Vec<Mutex<TrainingGame>> = games.clone().map(|_| Mutex::default()).collect();
        // Task 0 is learning, the others are games.
        pool.run(1 + logs.len(), &|task| {
            let Some(game) = task.checked_sub(1) else {
                let mut learning = lock(&learning);
                return played.iter().for_each(|log| learning.learn(log));
            };
            let Some(turn) = lock(turns).pop() else { unreachable!("there is a turn for each thread") };
            turn.work = 0;
            let mut log = lock(&logs[game]);
            let index = games.start + game as u64;
            let played = interrupt::catch(|| play(turn, weights, index, &mut log));
            log.work = turn.work;
            lock(turns).push(turn);
            if played.is_err() {
                interrupt::unwind();
            }
        });
        logs.into_iter().map(|log| log.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
    }

    /// Publishes the learned weights, and queues the games of a round for learning.
    fn hand_over(&mut self, games: Vec<TrainingGame>) {
        self.learning.publish(&mut self.weights);
        self.played = games;
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::super::kept;
    use super::super::selfplay::Afterstate;
    use super::*;
    use houserule_loader::{Request, load};

    #[test]
    fn a_thread_that_panics_ends_the_run() {
        let (over, is_over) = channel();
        // If the run never ends, neither does its thread.
        std::thread::spawn(move || {
            let game = load(&Request { name: "tic-tac-toe", ..Request::default() }).unwrap().game;
            let plan = kept::plan(&game);
            let mut run = TrainingRun::new(plan.weights(), 0.0, Aim::Outcome, 0.5, 1);
            // Learning from this game fails, while the other threads play.
            let step = Afterstate { seat: 0, features: 0..1, base: 0.0, instead_of: None };
            let features = vec![u32::MAX];
            run.played = vec![TrainingGame { features, steps: vec![step], ends: vec![1.0], work: 0 }];
            let mut turns: Vec<TurnSearch> =
                (0..3).map(|_| TurnSearch::new(&game, &plan, Aim::Outcome)).collect();
            let played = catch_unwind(AssertUnwindSafe(|| run.play(&mut turns, 64, &mut |_, _| false)));
            let _ = over.send(played.is_err());
        });
        assert_eq!(is_over.recv_timeout(Duration::from_secs(60)), Ok(true), "it panics, and doesn't wait");
    }
}
