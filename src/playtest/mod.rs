//! Simulation, comparison, rating and training of games and agents, with their statistics.
//!
//! All sums are integers, so a report is the same for any number of threads. Depends on games and agents; does no
//! input or output.

mod again;
mod clock;
mod compare;
mod comparison;
mod cost;
mod elo;
mod frame;
pub(crate) mod interval;
mod ladder;
mod line_counts;
mod match_sums;
mod meeting;
mod paired;
mod probes;
mod quantities;
mod reach;
mod report;
mod rows;
pub(crate) mod sentences;
mod simulate;
mod summary;
mod sums;
mod tally;
mod totals;
mod training;
mod wide;

pub use again::{Reopen, Stopped, play_again, reopen};
pub use compare::{ComparePlan, Done, compare, compare_watched};
pub use comparison::{AgentComparison, Comparison, Dependence, Mean, Only, Quantity, Side};
pub use cost::seconds_of_a_game;
pub use elo::{Pairing, Rated, Rating, rate};
pub use frame::{Column, Frame, Frames, Values};
pub use interval::{share_interval, student};
pub use ladder::{Ladder, LadderPlan, Rung, ladder};
pub use meeting::{Estimate, Meeting, meet};
pub use quantities::Kind;
pub use reach::{Tried, try_rules};
pub use report::{
    CountReport, ItemReport, MatchReport, QUANTILES, Report, ScoreReport, Share, VERSION, VariableReport,
};
pub use rows::{Decision, Rows};
pub use simulate::{Keep, LAST, Plan, RecordSink, Seats, SimulateError, Watch, simulate, simulate_kept};
pub use summary::{Summary, summary};
pub use sums::Aborted;
pub use tally::Tally;
pub use totals::MergeError;
pub use training::{Against, OPPONENTS, Stage, Training, TrainingError, learn};
