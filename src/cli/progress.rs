//! A bar that tells how far a run has come.

use std::io::Write;
use std::time::{Duration, Instant};

/// A bar that fills as games are played, on a terminal only and not for what is done at once.
pub(super) struct Progress {
    watched: bool,
    begun: Instant,
    shown: Option<Instant>,
}

impl Progress {
    pub(super) fn new(watched: bool) -> Self {
        Progress { watched, begun: Instant::now(), shown: None }
    }

    pub(super) fn show(&mut self, done: u64, of: u64, err: &mut dyn Write) {
        let due = self.shown.unwrap_or(self.begun).elapsed() > Duration::from_millis(200);
        if !self.watched || !due {
            return;
        }
        self.shown = Some(Instant::now());
        let share = done as f64 / of.max(1) as f64;
        let full = (share * 40.0) as usize;
        let bar = format!("{}{}", "█".repeat(full), "░".repeat(40usize.saturating_sub(full)));
        // A progress bar that can't be written is no reason to stop.
        let _ = write!(err, "\r{bar} {:3.0} %", share * 100.0).and_then(|()| err.flush());
    }

    pub(super) fn wipe(&mut self, err: &mut dyn Write) {
        if self.shown.is_some() {
            let _ = write!(err, "\r{}\r", " ".repeat(50)).and_then(|()| err.flush());
        }
    }
}
