//! CPU time of the process.

/// Returns the CPU time of the process so far, in seconds, or `None` if the system doesn't report it.
pub(super) fn cpu_seconds() -> Option<f64> {
    cpu_time::ProcessTime::try_now().ok().map(|time| time.as_duration().as_secs_f64())
}
