//! How much of some work several threads have done.

use std::sync::{Mutex, PoisonError};

/// Counts what threads have done. They report the sum one after another, so that no report says less than one before it.
#[derive(Debug, Default)]
pub struct DoneCount(Mutex<u64>);

impl DoneCount {
    /// Adds what was done, and reports the sum. Others wait for the report: it must not add.
    pub fn add<R>(&self, more: u64, report: impl FnOnce(u64) -> R) -> R {
        let mut done = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *done += more;
        report(*done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_report_says_less_than_one_before_it() {
        let (done, reports) = (DoneCount::default(), Mutex::new(vec![]));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        done.add(2, |sum| reports.lock().unwrap().push(sum));
                    }
                });
            }
        });
        let reports = reports.into_inner().unwrap();
        assert!(reports.iter().copied().eq((1..=2_000).map(|at| 2 * at)));
    }
}
