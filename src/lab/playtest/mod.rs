//! Simulation and comparison of games and agents, with their statistics.
//!
//! All sums are integers, so a report is the same for any number of threads. Depends on games and agents; does no
//! input or output.

mod again;
pub(crate) mod compare;
mod comparison;
mod cost;
mod frame;
mod match_sums;
mod measure;
mod meeting;
pub(crate) mod metric;
mod plan;
mod precision;
mod report;
mod rows;
mod sample;
pub mod sentences;
pub(crate) mod simulate;
mod summary;
mod sums;
mod totals;
mod variables;

pub use again::{Reopen, Stopped, play_again, reopen};
pub use compare::{
    ComparePlan, CompareProgress, GamesRun, RunFigure, RunSamples, compare, compare_in_parts, compare_watched,
};
pub(crate) use compare::{TRAININGS, compared_keys};
pub(crate) use comparison::relative;
pub use comparison::{AgentComparison, ComparedGame, Comparison, Disagreement, Mean, Only, Quantity};
pub(crate) use cost::games_within;
pub use cost::seconds_of_a_game;
pub use frame::{Column, DataFrame, Frames, Values};
pub(crate) use measure::{MetricColumn, keyed_columns, metric_key, metric_named};
pub(crate) use meeting::{Clock, Seating, meet_on, results_on_dice};
pub use meeting::{Estimate, Meeting, meet};
pub use metric::{Metric, MetricKind, Subject, metrics};
pub(crate) use plan::last_index;
pub use plan::{
    CustomAgents, GameSinks, Keep, LAST, RecordSink, RowSink, RunMonitor, SimulateError, SimulationPlan,
};
pub use precision::{FIRST_LOOK, MOST_IN_TIME, MOST_UNTIL_PRECISE, Precision, RunBudget, simulate_within};
pub use precision::{needed, next_look};
pub use report::{MatchReport, QUANTILES, Report, Share, Statistics, TeamWins, VERSION, Winners};
pub use rows::{Decision, GameRows};
pub(crate) use sample::{MetricSample, SamplePlan, ScaledColumn, sample};
pub use simulate::{simulate, simulate_kept};
pub use summary::summary;
pub use sums::AbortedGame;
pub use totals::MergeError;
