//! A bar that tells how far a run has come.

use std::io::Write;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::Terminal;

/// A bar that fills as games are played, on a terminal only and not for what is done at once. Any thread
/// may fill it; one that comes second shows nothing.
pub(super) struct Progress<'a> {
    watched: bool,
    begun: Instant,
    bar: Mutex<Bar<'a>>,
}

struct Bar<'a> {
    shown: Option<Instant>,
    err: &'a mut (dyn Write + Send),
}

impl<'a> Progress<'a> {
    pub(super) fn new(terminal: &'a mut Terminal<'_>) -> Self {
        let bar = Bar { shown: None, err: &mut *terminal.err };
        Progress { watched: terminal.watched, begun: Instant::now(), bar: Mutex::new(bar) }
    }

    pub(super) fn show(&self, done: u64, of: u64) {
        let Ok(mut bar) = self.bar.try_lock() else { return };
        let due = bar.shown.unwrap_or(self.begun).elapsed() > Duration::from_millis(200);
        if !self.watched || !due {
            return;
        }
        bar.shown = Some(Instant::now());
        let share = done as f64 / of.max(1) as f64;
        let full = (share * 40.0) as usize;
        let text = format!("{}{}", "█".repeat(full), "░".repeat(40usize.saturating_sub(full)));
        // A progress bar that can't be written is no reason to stop.
        let _ = write!(bar.err, "\r{text} {:3.0} %", share * 100.0).and_then(|()| bar.err.flush());
    }

    pub(super) fn wipe(self) {
        let Ok(bar) = self.bar.into_inner() else { return };
        if bar.shown.is_some() {
            let _ = write!(bar.err, "\r{}\r", " ".repeat(50)).and_then(|()| bar.err.flush());
        }
    }
}
