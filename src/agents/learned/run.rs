//! A run of self-play on several threads, with the same result for any number of them.
//!
//! Games are played in rounds. All games of a round use the same weights. Meanwhile one thread learns from the
//! games of the round before; its updates take effect in the next round.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex, PoisonError, RwLock};

use super::selfplay::{TrainingGame, exploration, play};
use super::turn::{Aim, TurnSearch};
use super::weights::Learning;
use crate::interrupt;

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
    averages: Averages,
}

/// Averages of the weights over rounds, with less weight on older rounds. Each error moves weights far, so a player
/// with averaged weights is steadier than one with the last weights (Polyak and Juditsky 1992).
struct Averages {
    averages: Vec<f32>,
    /// The round in which each weight last changed.
    changed: Vec<u32>,
    round: u32,
}

/// Time constant of the averages, as a share of all rounds so far.
const MEMORY: f32 = 1.0 / 16.0;

impl Averages {
    /// Returns the average of a weight, given its value since it last changed.
    #[inline(always)]
    fn of(&self, at: usize, weight: f32) -> f32 {
        let rounds = (self.round - self.changed[at]) as f32;
        let average = self.averages[at];
        average + (weight - average) * rounds / (rounds + MEMORY * self.round as f32 + 1.0)
    }

    /// Updates the average of a weight that is about to change, given its value until now.
    #[inline(always)]
    fn note(&mut self, at: usize, weight: f32) {
        if self.changed[at] < self.round {
            self.averages[at] = self.of(at, weight);
            self.changed[at] = self.round;
        }
    }
}

/// The data shared by the threads of a run.
struct SharedTraining<'r> {
    weights: RwLock<&'r mut Vec<f32>>,
    learning: Mutex<&'r mut Learning>,
    played: RwLock<&'r mut Vec<TrainingGame>>,
    averages: Mutex<&'r mut Averages>,
    logs: Vec<Mutex<TrainingGame>>,
    barrier: Barrier,
    /// The next task of the round: 0 is learning, the others are games.
    task: AtomicUsize,
    /// The range of games of the round.
    first: AtomicU64,
    end: AtomicU64,
    /// The exploration rate of the round.
    explores: AtomicU64,
    stop: AtomicBool,
    seed: u64,
}

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
            averages: Averages { averages: vec![each; weights], changed: vec![0; weights], round: 0 },
        }
    }

    /// Returns the averages of the weights over past rounds.
    pub(super) fn averaged(&self) -> Vec<f32> {
        self.weights.iter().enumerate().map(|(at, weight)| self.averages.of(at, *weight)).collect()
    }

    /// Plays until the run has `until` games, or `enough` returns `true` between two rounds, given the number of
    /// games and their cost. Uses a thread for each turn. Unwinds early if the work is interrupted.
    pub(super) fn play(
        &mut self,
        turns: &mut [TurnSearch],
        until: u64,
        enough: &mut dyn FnMut(u64, u64) -> bool,
    ) {
        let TrainingRun { aim, weights, games, work, seed, learning, played, averages, .. } = self;
        turns.iter_mut().for_each(|turn| turn.aim = *aim);
        let [own, others @ ..] = turns else { return };
        let shared = SharedTraining {
            weights: RwLock::new(weights),
            learning: Mutex::new(learning),
            played: RwLock::new(played),
            averages: Mutex::new(averages),
            logs: (0..ROUND).map(|_| Mutex::default()).collect(),
            barrier: Barrier::new(1 + others.len()),
            task: AtomicUsize::new(0),
            first: AtomicU64::new(*games),
            end: AtomicU64::new(*games),
            explores: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            seed: *seed,
        };
        let here = interrupt::current();
        std::thread::scope(|scope| {
            for turn in others {
                let (shared, here) = (&shared, &here);
                let rounds = move || {
                    loop {
                        shared.barrier.wait();
                        if shared.stop.load(Ordering::Relaxed) {
                            break;
                        }
                        shared.work(turn);
                        shared.barrier.wait();
                    }
                };
                scope.spawn(move || here.scope(rounds));
            }
            while *games < until && !enough(*games, *work) && !interrupt::is_set() {
                let end = until.min(*games + ROUND);
                shared.explores.store(exploration(&own.trials, *work), Ordering::Relaxed);
                shared.first.store(*games, Ordering::Relaxed);
                shared.end.store(end, Ordering::Relaxed);
                shared.task.store(0, Ordering::Relaxed);
                shared.barrier.wait();
                shared.work(own);
                shared.barrier.wait();
                *work += shared.hand_over((end - *games) as usize);
                *games = end;
            }
            shared.stop.store(true, Ordering::Relaxed);
            shared.barrier.wait();
        });
        // Check only now: an interruption unwinds, and the other threads must have ended.
        interrupt::check();
    }
}

impl SharedTraining<'_> {
    /// Works on tasks of the round until none is left.
    fn work(&self, turn: &mut TurnSearch) {
        let weights = self.weights.read().unwrap_or_else(PoisonError::into_inner);
        let explores = self.explores.load(Ordering::Relaxed);
        let (first, end) = (self.first.load(Ordering::Relaxed), self.end.load(Ordering::Relaxed));
        loop {
            let task = self.task.fetch_add(1, Ordering::Relaxed);
            let Some(game) = task.checked_sub(1) else {
                let mut learning = self.learning.lock().unwrap_or_else(PoisonError::into_inner);
                let played = self.played.read().unwrap_or_else(PoisonError::into_inner);
                played.iter().for_each(|log| learning.learn(log));
                continue;
            };
            let index = first + game as u64;
            if index >= end {
                break;
            }
            let mut log = self.logs[game].lock().unwrap_or_else(PoisonError::into_inner);
            turn.work = 0;
            // An interrupted thread still finishes the round, because the other threads wait for it.
            if interrupt::catch(|| play(turn, &weights, self.seed, index, explores, &mut log)).is_err() {
                log.clear();
            }
            log.work = turn.work;
        }
    }

    /// Runs between two rounds: publishes the learned weights and queues the games of the round for learning.
    /// Returns the cost of these games.
    fn hand_over(&self, games: usize) -> u64 {
        let mut weights = self.weights.write().unwrap_or_else(PoisonError::into_inner);
        let learning = self.learning.lock().unwrap_or_else(PoisonError::into_inner);
        let mut played = self.played.write().unwrap_or_else(PoisonError::into_inner);
        let mut averages = self.averages.lock().unwrap_or_else(PoisonError::into_inner);
        averages.round += 1;
        for at in played.iter().flat_map(|log| &log.features) {
            averages.note(*at as usize, weights[*at as usize]);
            weights[*at as usize] = learning.weights[*at as usize];
        }
        played.resize_with(games, TrainingGame::default);
        for (played, log) in played.iter_mut().zip(&self.logs) {
            std::mem::swap(played, &mut log.lock().unwrap_or_else(PoisonError::into_inner));
        }
        played.iter().map(|log| log.work).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::Averages;

    #[test]
    fn averages_follow_weights_and_forget() {
        let mut averages = Averages { averages: vec![0.0; 2], changed: vec![0; 2], round: 0 };
        // The first weight alternates, the second settles.
        let weights =
            |round: u32| [if round % 2 == 0 { 3.0 } else { 5.0 }, if round < 100 { 9.0 } else { 1.0 }];
        for round in 1..=2000 {
            averages.round = round;
            for (at, weight) in weights(round - 1).into_iter().enumerate() {
                averages.note(at, weight);
            }
        }
        let [alternates, settled] = weights(2000);
        let [first, second] = [averages.of(0, alternates), averages.of(1, settled)];
        assert!((first - 4.0).abs() < 0.1, "{first} is the mean of 3 and 5");
        assert!((second - 1.0).abs() < 0.1, "{second} has forgotten 9");
        // A round is added once, however many features a weight has in it.
        averages.note(0, 100.0);
        assert_eq!(averages.of(0, 100.0), first);
    }
}
