//! Time: by the clock, and CPU time of a thread and of the process.
//!
//! WebAssembly without a system has no clock. There no time passes, so limits of time are never reached.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

#[cfg(not(target_family = "wasm"))]
pub use std::time::Instant;
#[cfg(target_family = "wasm")]
pub use still::Instant;

#[cfg(target_family = "wasm")]
mod still {
    use std::ops::Add;
    use std::time::Duration;

    /// A moment where no time passes: its distance from the beginning.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Instant(Duration);

    impl Instant {
        /// The only moment.
        pub fn now() -> Instant {
            Instant(Duration::ZERO)
        }

        /// No time.
        pub fn elapsed(self) -> Duration {
            Duration::ZERO
        }

        /// No time, unless the moments were moved apart.
        pub fn duration_since(self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }

        /// A moment later than this one.
        pub fn checked_add(self, time: Duration) -> Option<Instant> {
            self.0.checked_add(time).map(Instant)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Instant;

        fn add(self, time: Duration) -> Instant {
            Instant(self.0.saturating_add(time))
        }
    }
}

/// When a run presumably ends. The run forecasts it, and what shows the time left reads it: a forecast beyond the time of the
/// run counts as none. Clones share the forecast.
#[derive(Clone, Debug, Default)]
pub struct EndForecast {
    until: Arc<Mutex<Option<Instant>>>,
    /// Seconds of other work that follows what is forecast.
    after: f64,
}

impl EndForecast {
    /// Forecasts the end: after some seconds from now, and those of the work that follows. `None` forgets it.
    pub fn expect(&self, seconds: Option<f64>) {
        let time =
            seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds.max(0.0) + self.after).ok());
        let until = time.and_then(|time| Instant::now().checked_add(time));
        *self.until.lock().unwrap_or_else(PoisonError::into_inner) = until;
    }

    /// Returns the forecast for one of its parts, which other work of some seconds follows.
    #[must_use]
    pub fn followed_by(&self, seconds: f64) -> EndForecast {
        EndForecast { until: Arc::clone(&self.until), after: self.after + seconds }
    }

    /// Returns the seconds from now until the end, if it is forecast.
    pub fn seconds_left(&self) -> Option<f64> {
        let until = *self.until.lock().unwrap_or_else(PoisonError::into_inner);
        until.map(|until| until.duration_since(Instant::now()).as_secs_f64())
    }
}

/// Returns the seconds that work presumably goes on for at its speed so far, if `share` of it took `elapsed` seconds. `None` if
/// nothing is done yet.
pub fn time_left(elapsed: f64, share: f64) -> Option<f64> {
    (share > 0.0).then(|| elapsed * (1.0 - share).max(0.0) / share)
}

/// The CPU time of a thread from a moment on.
#[derive(Clone, Copy, Debug)]
pub struct ThreadClock {
    #[cfg(any(unix, windows))]
    begun: cpu_time::ThreadTime,
}

impl ThreadClock {
    /// Returns a clock that begins now, for this thread only.
    pub fn start() -> ThreadClock {
        ThreadClock {
            #[cfg(any(unix, windows))]
            begun: cpu_time::ThreadTime::now(),
        }
    }

    /// Returns the seconds since its beginning.
    pub fn seconds(self) -> f64 {
        #[cfg(any(unix, windows))]
        return self.begun.elapsed().as_secs_f64();
        #[cfg(not(any(unix, windows)))]
        return 0.0;
    }
}

/// Returns the CPU time of the process so far, in seconds, or `None` if the system has no such clock.
pub fn process_seconds() -> Option<f64> {
    #[cfg(any(unix, windows))]
    return cpu_time::ProcessTime::try_now().ok().map(|time| time.as_duration().as_secs_f64());
    #[cfg(not(any(unix, windows)))]
    return None;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_that_of_the_speed_so_far() {
        // A quarter is done after 10 s: 30 s are left.
        assert_eq!(time_left(10.0, 0.25), Some(30.0));
        assert_eq!(time_left(10.0, 1.0), Some(0.0));
        assert_eq!(time_left(10.0, 0.0), None);
    }

    #[test]
    fn a_forecast_counts_what_follows() {
        let end = EndForecast::default();
        assert_eq!(end.seconds_left(), None);
        end.followed_by(500.0).expect(Some(1000.0));
        let left = end.seconds_left().unwrap();
        assert!((1400.0..=1500.0).contains(&left), "{left}");
        end.clone().expect(None);
        assert_eq!(end.seconds_left(), None, "clones share it");
    }
}
