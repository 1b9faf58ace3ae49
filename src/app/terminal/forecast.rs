//! A forecast for runs that no progress bar shows: how long all of a run takes, told once, soon after its beginning.

use std::io::Write;
use std::sync::{Mutex, PoisonError};

use super::Terminal;
use houserule_base::clock::Instant;
use houserule_base::numbers::{duration, grouped};

/// Seconds of progress from which the speed of a run is known.
const KNOWN: f64 = 1.0;

/// Minimum duration of a run, in seconds, that is told.
const LONG: f64 = 60.0;

/// Tells on standard error how long a run takes. Any thread may tell it of the progress.
pub(crate) struct Forecast {
    begun: Instant,
    /// `note:`, as messages paint it.
    head: String,
    /// What is counted, such as games.
    what: &'static str,
    /// Whether other work follows what is counted.
    more_follows: bool,
    seen: Mutex<SeenProgress>,
}

/// What has been seen of a run on its way.
#[derive(Debug, Default)]
struct SeenProgress {
    /// When the current part of the run was first heard of, in seconds, and what was done then.
    first: Option<(f64, u64)>,
    done: u64,
    is_told: bool,
}

impl Forecast {
    /// Creates a forecast that counts `what`, such as games. There is none where a bar tells the time, with `--quiet`, or if
    /// another program calls the command.
    pub(crate) fn new(terminal: &Terminal<'_>, what: &'static str, more_follows: bool) -> Option<Forecast> {
        let is_wanted = terminal.process && !terminal.quiet && !terminal.err_screen.shows_bars();
        is_wanted.then(|| Forecast {
            begun: Instant::now(),
            head: terminal.err_paint.head("note:"),
            what,
            more_follows,
            seen: Mutex::default(),
        })
    }

    /// Hears how much of all is done, and tells the time once it is known and long.
    pub(crate) fn hear(&self, done: u64, of: u64) {
        let now = self.begun.elapsed().as_secs_f64();
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(seconds) = seen.foretell(now, done, of) {
            let told = sentence(of, self.what, seconds, self.more_follows);
            // Nothing depends on the note.
            let _ = writeln!(std::io::stderr(), "{} {told}", self.head);
        }
    }
}

impl SeenProgress {
    /// Returns the seconds that the whole run takes at its speed so far, once: early, and only if they are many. `now` are the
    /// seconds since its beginning.
    fn foretell(&mut self, now: f64, done: u64, of: u64) -> Option<f64> {
        // Threads report slightly out of order; far less is a new part of the run.
        if done < self.done / 2 {
            self.first = None;
            self.done = 0;
        }
        self.done = self.done.max(done);
        let (since, before) = *self.first.get_or_insert((now, done));
        let (spent, played) = (now - since, self.done.saturating_sub(before));
        if self.is_told || spent < KNOWN || played == 0 {
            return None;
        }
        let left = spent * of.saturating_sub(self.done) as f64 / played as f64;
        let all = now + left;
        // After half of the time nobody needs a forecast.
        self.is_told = all >= LONG && left >= now;
        self.is_told.then_some(all)
    }
}

/// Says how long some games take, and how to set a time.
fn sentence(games: u64, what: &str, seconds: f64, more_follows: bool) -> String {
    let about = if more_follows { "at least about" } else { "about" };
    format!("{} {what} take {about} {}; `--for 10s` sets a time", grouped(games), duration(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the times that a run of a number of games tells, which reports `(seconds, done)`.
    fn forecasts(of: u64, reports: &[(f64, u64)]) -> Vec<u64> {
        let mut seen = SeenProgress::default();
        let all = reports.iter().filter_map(|report| seen.foretell(report.0, report.1, of));
        all.map(|seconds| seconds.round() as u64).collect()
    }

    #[test]
    fn a_long_run_is_foretold_once_after_its_first_second() {
        let steady = |each: u64| (0..100u64).map(|at| (at as f64 / 10.0, at * each)).collect::<Vec<_>>();
        assert_eq!(forecasts(400_000, &steady(500)), [80]);
        assert_eq!(forecasts(400_000, &steady(500)[..10]), Vec::<u64>::new());
        // Ten seconds are soon over.
        assert_eq!(forecasts(50_000, &steady(500)), Vec::<u64>::new());
        assert_eq!(forecasts(300_000, &steady(500)), [60]);
    }

    #[test]
    fn what_comes_before_the_first_game_is_not_taken_for_its_time() {
        // A training of a minute, then games that take two seconds.
        assert_eq!(forecasts(1_000, &[(60.0, 0), (61.0, 500), (62.0, 1_000)]), Vec::<u64>::new());
        // Each part of a run has a speed of its own; what came before it counts.
        assert_eq!(forecasts(2_000, &[(0.0, 10), (0.5, 2_000), (2.0, 10), (4.0, 60)]), [82]);
    }

    #[test]
    fn a_run_that_is_half_over_is_not_foretold() {
        assert_eq!(forecasts(4, &[(0.0, 0), (20.0, 3), (26.0, 4)]), Vec::<u64>::new());
        assert_eq!(forecasts(4, &[(0.0, 0), (20.0, 1), (40.0, 2)]), [80]);
    }

    #[test]
    fn threads_that_report_out_of_order_are_no_new_part() {
        assert_eq!(forecasts(100, &[(0.0, 0), (0.9, 9), (0.95, 8), (1.0, 10)]), Vec::<u64>::new());
        assert_eq!(forecasts(1_000, &[(0.0, 0), (0.9, 9), (0.95, 8), (1.0, 10)]), [100]);
    }

    #[test]
    fn the_time_is_told_in_words() {
        assert_eq!(
            sentence(200_000, "games", 40.2, false),
            "200,000 games take about 40 s; `--for 10s` sets a time"
        );
        assert_eq!(
            sentence(5_000, "pairs of games", 150.0, true),
            "5,000 pairs of games take at least about 2 min; `--for 10s` sets a time"
        );
    }
}
