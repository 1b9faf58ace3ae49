//! The metrics of each game of a run, kept as rows of integers. Rows of two runs over the same games are pairs.
//!
//! Depends on [`Measure`], which plays one game; independent of what the rows are for.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;

use super::measure::{Measure, MetricColumn};
use super::plan::{SimulateError, last_index};
use super::simulate::IndexQueue;
use super::sums::AbortedGame;
use houserule_base::done::DoneCount;
use houserule_base::interrupt::{self, Interrupt};
use houserule_base::statistics::paired::Paired;
use houserule_game::Game;
use houserule_players::agents::Agent;

/// Maximum number of games, or matches, that a thread takes at a time.
const LARGEST_PART: u64 = 256;

/// How the games of a sample are played.
#[derive(Clone, Copy)]
pub struct SamplePlan<'p> {
    /// The seed of the run.
    pub seed: u64,
    /// Number of threads; at least 1.
    pub threads: usize,
    /// Play whole matches.
    pub match_play: bool,
    /// Once it is set, the run stops, even within a game.
    pub stop: &'p Interrupt,
}

/// The metrics of some consecutive games, or matches.
#[derive(Clone, Debug, Default)]
pub struct MetricSample {
    /// Number of columns.
    width: usize,
    /// A row for each game; zeros if an error ended it.
    rows: Vec<i64>,
    /// For each game, whether it was finished.
    finished: Vec<bool>,
    /// Some sides, but not all, shared the win of a game.
    shares_wins: bool,
    /// The first game that an error ended.
    pub first_aborted: Option<AbortedGame>,
}

/// A column of a sample, and the number that stands for 1 in it.
#[derive(Clone, Copy)]
pub struct ScaledColumn {
    /// Index of the column.
    pub index: usize,
    /// The number that stands for 1.
    pub scale: i64,
}

impl MetricSample {
    /// Returns the rows of the games, `None` for those that an error ended.
    pub fn rows(&self) -> impl Iterator<Item = Option<&[i64]>> {
        let rows = self.finished.iter().enumerate();
        rows.map(|(at, finished)| finished.then(|| &self.rows[at * self.width..][..self.width]))
    }

    /// Returns the number of games, finished or not.
    pub fn games(&self) -> usize {
        self.finished.len()
    }

    /// Returns the number of games that an error ended.
    pub fn aborted(&self) -> u64 {
        self.finished.iter().filter(|finished| !**finished).count() as u64
    }

    /// Returns `true` if some sides, but not all, shared the win of a game, as far as the columns show it.
    pub fn shares_wins(&self) -> bool {
        self.shares_wins
    }

    /// Appends the games of another sample with the same columns.
    pub fn extend(&mut self, later: MetricSample) {
        self.width = later.width;
        self.rows.extend(later.rows);
        self.finished.extend(later.finished);
        self.shares_wins |= later.shares_wins;
        self.first_aborted = self.first_aborted.take().or(later.first_aborted);
    }

    /// Returns the sums of a column over the finished games; the other side of the pairs is 0.
    pub fn sums(&self, column: usize, scale: i64) -> Paired {
        let mut sums = Paired::new(scale, 1);
        self.rows().flatten().for_each(|row| sums.add(row[column], 0));
        sums
    }

    /// Returns the sums over pairs of games, of those that were finished in both samples.
    pub fn pairs(&self, column: ScaledColumn, other: &MetricSample, other_column: ScaledColumn) -> Paired {
        let mut sums = Paired::new(column.scale, other_column.scale);
        for (a, b) in self.rows().zip(other.rows()) {
            if let (Some(a), Some(b)) = (a, b) {
                sums.add(a[column.index], b[other_column.index]);
            }
        }
        sums
    }
}

/// Plays and measures games, or matches. `progress` gets the number played so far. Fails with
/// [`SimulateError::Stopped`] if it was stopped before all were played.
pub fn sample(
    game: &Game,
    columns: &[MetricColumn],
    agents: &[Box<dyn Agent>],
    range: Range<u64>,
    plan: SamplePlan<'_>,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<MetricSample, SimulateError> {
    let games = range.end - range.start;
    last_index(game, plan.match_play, range.start, games)?;
    let threads = plan.threads.max(1).min(games.max(1) as usize);
    let part = (games / (threads as u64 * 16)).clamp(1, LARGEST_PART);
    let queue = IndexQueue { next: AtomicU64::new(range.start), end: range.end, part };
    let (done, parts) = (DoneCount::default(), Mutex::new(BTreeMap::<u64, MetricSample>::new()));
    let work = |mut measure: Measure<'_>| {
        while let Some(range) = queue.take() {
            let (start, games) = (range.start, range.end - range.start);
            let mut one = MetricSample { width: columns.len(), ..MetricSample::default() };
            for number in range {
                if plan.stop.is_set() {
                    return;
                }
                let Ok(played) = plan.stop.scope(|| measure.play(number)) else { return };
                one.finished.push(played.is_ok());
                match played {
                    Ok(()) => {
                        one.rows.extend(&measure.row);
                        one.shares_wins |= measure.shares_win();
                    }
                    Err((index, error)) => {
                        one.rows.extend(std::iter::repeat_n(0, columns.len()));
                        one.first_aborted = one.first_aborted.take().or(Some(AbortedGame { index, error }));
                    }
                }
            }
            parts.lock().unwrap_or_else(|e| e.into_inner()).insert(start, one);
            done.add(games, progress);
        }
    };
    let measure = || {
        let agents = agents.iter().map(|agent| agent.copy()).collect();
        Measure::new(game, columns, plan.seed, plan.match_play, agents)
    };
    let here = interrupt::current();
    std::thread::scope(|scope| {
        let (work, here) = (&work, &here);
        let spawn = |_| {
            let measure = measure();
            scope.spawn(move || here.scope(|| work(measure)))
        };
        let others: Vec<_> = (1..threads).map(spawn).collect();
        work(measure());
        for other in others {
            // The thread may have been interrupted from outside, which the check below reports.
            if let Err(panic) = other.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
    interrupt::check();
    let mut all = MetricSample { width: columns.len(), ..MetricSample::default() };
    parts.into_inner().unwrap_or_else(|e| e.into_inner()).into_values().for_each(|one| all.extend(one));
    if (all.games() as u64) < games { Err(SimulateError::Stopped) } else { Ok(all) }
}
