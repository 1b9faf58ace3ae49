//! Simulation, comparison, rating and training of games and agents, with their statistics.
//!
//! All sums are integers, so a report is the same for any number of threads. Depends on games and agents; does no
//! input or output.

mod again;
mod clock;
mod compare;
mod comparison;
mod cost;
mod coverage;
mod frame;
mod ladder;
mod line_counts;
mod match_sums;
mod measure;
mod meeting;
mod metric;
mod probes;
mod report;
mod rows;
pub(crate) mod sentences;
mod simulate;
mod summary;
mod sums;
mod totals;
mod training;
mod variables;

pub use again::{Reopen, Stopped, play_again, reopen};
pub use compare::{ComparePlan, CompareProgress, compare, compare_watched};
pub use comparison::{AgentComparison, ComparedGame, Comparison, Dependence, Mean, Only, Quantity};
pub use cost::seconds_of_a_game;
pub use coverage::{Tried, try_rules};
pub use frame::{Column, DataFrame, Frames, Values};
pub use ladder::{Ladder, LadderPlan, Rung, ladder};
pub use meeting::{Estimate, Meeting, meet};
pub use metric::{Metric, MetricKind, Subject, metrics};
pub use report::{MatchReport, QUANTILES, Report, Share, Statistics, VERSION, Winners};
pub use rows::{Decision, GameRows};
pub use simulate::{
    CustomAgents, Keep, LAST, RecordSink, RunMonitor, SimulateError, SimulationPlan, simulate, simulate_kept,
};
pub use summary::summary;
pub use sums::AbortedGame;
pub use totals::MergeError;
pub use training::{Against, OPPONENTS, Stage, Training, TrainingError, learn};
