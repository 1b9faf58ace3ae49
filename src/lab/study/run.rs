//! How a study was run.

use serde::Serialize;

/// How a study was run: who played, from which seed, and for how long. The fields are keys of the study's JSON.
#[derive(Clone, Debug, Serialize)]
pub struct StudyRun {
    /// The agents.
    pub agents: Vec<String>,
    /// The seed of all games.
    pub seed: u64,
    /// Number of threads.
    pub threads: usize,
    /// Duration, in seconds.
    pub seconds: f64,
    /// `true` if the study was stopped; the results are then those so far.
    pub interrupted: bool,
    /// `true` if it was the time that stopped it.
    #[serde(skip)]
    pub out_of_time: bool,
}
