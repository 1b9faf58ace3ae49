//! Time: by the clock, and CPU time of a thread and of the process.
//!
//! WebAssembly without a system has no clock. There no time passes, so limits of time are never reached.

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
