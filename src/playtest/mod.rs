//! Playing a game many times and saying what was found.
//!
//! All sums are whole numbers, so a report is the same for any number of threads. Knows games and
//! agents; writes no files and prints nothing.

mod again;
mod clock;
mod report;
mod simulate;
mod sums;
mod tally;

pub use again::{Stopped, play_again};
pub use report::{CountReport, ItemReport, MatchReport, QUANTILES, Report, ScoreReport, VariableReport};
pub use simulate::{Plan, RecordSink, SimulateError, simulate};
pub use sums::Aborted;
pub use tally::Tally;
