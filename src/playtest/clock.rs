//! How long the processors worked.

/// Seconds of processor time of the whole program so far, where the system tells; else none.
pub(super) fn cpu_seconds() -> Option<f64> {
    cpu_time::ProcessTime::try_now().ok().map(|time| time.as_duration().as_secs_f64())
}
