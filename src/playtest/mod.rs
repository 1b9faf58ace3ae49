//! Playing a game many times and saying what was found.
//!
//! All sums are whole numbers, so a report is the same for any number of threads. Knows games and
//! agents; writes no files and prints nothing.

mod again;
mod clock;
mod compare;
mod comparison;
mod frame;
mod line_counts;
pub(crate) mod numbers;
mod paired;
mod quantities;
mod reach;
mod report;
mod rows;
pub(crate) mod sentences;
mod simulate;
mod summary;
mod sums;
mod tally;

pub use again::{Reopen, Stopped, play_again, reopen};
pub use compare::{ComparePlan, compare, compare_watched};
pub use comparison::{AgentComparison, Comparison, Mean, Only, Quantity, Side};
pub use frame::{Column, Frame, Frames, Values};
pub use quantities::Kind;
pub use reach::unreached;
pub use report::{CountReport, ItemReport, MatchReport, QUANTILES, Report, ScoreReport, VariableReport};
pub use rows::{Decision, Rows};
pub use simulate::{Keep, Plan, RecordSink, Seats, SimulateError, Watch, simulate, simulate_kept};
pub use summary::{Summary, share_interval, student, summary};
pub use sums::Aborted;
pub use tally::Tally;
