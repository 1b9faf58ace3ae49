//! A progress bar for long work: the amount done, the speed, and the remaining time.

use std::fmt::Write;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::Terminal;
use houserule_base::clock::{self, EndForecast};
use houserule_base::numbers::{decimal, grouped};

/// Minimum duration of work that shows a bar.
const SOON: Duration = Duration::from_secs(1);

/// The length of a bar of shares.
const WHOLE: u64 = 10_000;

/// Interval between redraws of the bar.
const TICK: Duration = Duration::from_millis(250);

/// A bar on standard error. It shows nothing if standard error isn't a terminal, or with `--quiet`. Any thread
/// may update it.
pub(crate) struct Progress(Option<ProgressDisplay>);

struct ProgressDisplay {
    bar: ProgressBar,
    /// Dropped at the end of the work, which ends the thread that waits to show the bar.
    over: Sender<()>,
    waiting: JoinHandle<()>,
}

impl Progress {
    /// Creates a bar that counts `what`, such as games.
    pub(crate) fn new(terminal: &Terminal<'_>, what: &'static str) -> Self {
        let template = template(terminal.err_screen.page());
        Progress::new_hidden(terminal, || style(template, what))
    }

    /// Creates a bar for work of several kinds, updated with [`Progress::show_share`].
    pub(crate) fn shares(terminal: &Terminal<'_>) -> Self {
        Progress::new_hidden(terminal, || style("{bar:12} {share}{left}", "shares"))
    }

    /// Creates a bar for work that ends after some seconds at the latest, or before by its forecast. It moves by itself.
    pub(crate) fn of_time(terminal: &Terminal<'_>, seconds: f64, end: EndForecast) -> Self {
        Progress::new_moving(terminal, Some((seconds, end)), || style("{bar:12} {share}{left}", "shares"))
    }

    /// Creates a line that shows how long an agent has been thinking about a move.
    pub(crate) fn thinking(terminal: &Terminal<'_>, agent: &str) -> Self {
        // A name may contain braces, which have a meaning in templates.
        let agent = agent.to_owned();
        Progress::new_hidden(terminal, || {
            let style = ProgressStyle::with_template("{spinner} {agent} is thinking · {elapsed}");
            let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
            style.with_key("agent", move |_: &ProgressState, out: &mut dyn Write| {
                let _ = write!(out, "{agent}");
            })
        })
    }

    fn new_hidden(terminal: &Terminal<'_>, style: impl FnOnce() -> ProgressStyle) -> Self {
        Progress::new_moving(terminal, None, style)
    }

    /// Creates a bar that is hidden at first. With a number of seconds, it shows the share of the time.
    fn new_moving(
        terminal: &Terminal<'_>,
        time: Option<(f64, EndForecast)>,
        style: impl FnOnce() -> ProgressStyle,
    ) -> Self {
        if !terminal.err_screen.shows_bars() || terminal.quiet {
            return Progress(None);
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()).with_style(style());
        let (over, is_over) = channel();
        let later = bar.clone();
        let begun = Instant::now();
        let waiting = std::thread::spawn(move || {
            if is_over.recv_timeout(SOON) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            later.set_draw_target(ProgressDrawTarget::stderr());
            later.enable_steady_tick(TICK);
            let Some((seconds, end)) = time else { return };
            later.set_length(WHOLE);
            loop {
                let share = share_of_time(begun.elapsed().as_secs_f64(), seconds, end.seconds_left());
                later.set_position((share * WHOLE as f64) as u64);
                if is_over.recv_timeout(TICK) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
            }
        });
        Progress(Some(ProgressDisplay { bar, over, waiting }))
    }

    /// Returns `true` if a bar may be shown. Values that only the bar needs are computed only in this case.
    pub(crate) fn is_shown(&self) -> bool {
        self.0.is_some()
    }

    /// Updates the amount done and the total; 0 if the total is unknown.
    pub(crate) fn show(&self, done: u64, of: u64) {
        if let Some(shown) = &self.0 {
            if of > 0 && shown.bar.length() != Some(of) {
                shown.bar.set_length(of);
            }
            // Threads may report out of order.
            if done > shown.bar.position() {
                shown.bar.set_position(done);
            }
        }
    }

    /// Updates the completed share, from 0 to 1.
    pub(crate) fn show_share(&self, share: f64) {
        self.show((share * WHOLE as f64) as u64, WHOLE);
    }

    /// Hides the bar while `write` writes to the terminal.
    pub(crate) fn without<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.0 {
            Some(shown) => shown.bar.suspend(write),
            None => write(),
        }
    }

    /// Removes the bar.
    pub(crate) fn wipe(self) {
        if let Some(ProgressDisplay { bar, over, waiting }) = self.0 {
            drop(over);
            // An error here would be a panic of the thread, and the work is done.
            let _ = waiting.join();
            bar.finish_and_clear();
        }
    }
}

/// Returns the template for a terminal width. The line must fit, because one that the terminal breaks is hard
/// to read while it changes.
fn template(columns: usize) -> &'static str {
    match columns {
        88.. => "{bar:24} {done} · {elapsed} · {rate}{left}",
        56.. => "{bar:12} {done}{left}",
        _ => "{bar:12} {share}{left}",
    }
}

fn style(template: &'static str, what: &'static str) -> ProgressStyle {
    // The template is a constant; an invalid one falls back to the default.
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    style
        .progress_chars("█▉▊▋▌▍▎▏░")
        .with_key("done", move |state: &ProgressState, out: &mut dyn Write| {
            let of = state.len().filter(|of| *of > 0).map(|of| format!(" of {}", grouped(of)));
            // Writing to a string can't fail.
            let _ = write!(out, "{}{} {what}", grouped(state.pos()), of.unwrap_or_default());
        })
        .with_key("share", move |state: &ProgressState, out: &mut dyn Write| {
            let _ = match state.len().filter(|of| *of > 0) {
                Some(of) => write!(out, "{} %", state.pos().min(of) * 100 / of),
                None => write!(out, "{} {what}", grouped(state.pos())),
            };
        })
        .with_key("rate", move |state: &ProgressState, out: &mut dyn Write| {
            let _ = write!(out, "{}", rate(state.pos(), state.elapsed().as_secs_f64()));
        })
        .with_key("left", |state: &ProgressState, out: &mut dyn Write| {
            let _ = match time_left(state.pos(), state.len().unwrap_or(0), state.elapsed()) {
                Some(left) => write!(out, " · {} left", in_seconds(left)),
                None => Ok(()),
            };
        })
}

/// Formats the speed as a rate per second, or as seconds per unit.
fn rate(done: u64, seconds: f64) -> String {
    match done as f64 / seconds {
        _ if done == 0 || seconds <= 0.0 => "none finished yet".to_owned(),
        rate if rate >= 10.0 => format!("{}/s", grouped(rate as u64)),
        rate if rate >= 1.0 => format!("{}/s", decimal(rate, 1)),
        rate => format!("{} s each", decimal(1.0 / rate, 1)),
    }
}

/// Formats a time of less than ten minutes with its seconds: `2m 40s`.
fn in_seconds(time: Duration) -> String {
    match time.as_secs_f64().round() as u64 {
        seconds if seconds < 60 => format!("{seconds}s"),
        seconds if seconds < 600 => format!("{}m {}s", seconds / 60, seconds % 60),
        _ => format!("{:#}", HumanDuration(time)),
    }
}

/// Returns the share of its time that a run has used, which ends when `budget` seconds are over, or before if only `left`
/// seconds are presumably left.
fn share_of_time(elapsed: f64, budget: f64, left: Option<f64>) -> f64 {
    let rest = (budget - elapsed).max(0.0);
    let left = left.map_or(rest, |left| left.min(rest));
    elapsed / (elapsed + left).max(1e-9)
}

/// Returns the remaining time at the speed so far.
fn time_left(done: u64, of: u64, elapsed: Duration) -> Option<Duration> {
    if done >= of {
        return None;
    }
    let left = clock::time_left(elapsed.as_secs_f64(), done as f64 / of as f64)?;
    Duration::try_from_secs_f64(left).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speed_and_time_left_in_words() {
        assert_eq!(rate(0, 31.0), "none finished yet");
        assert_eq!(rate(2, 62.0), "31.0 s each");
        assert_eq!(rate(30, 10.0), "3.0/s");
        assert_eq!(rate(50_000, 2.0), "25,000/s");
        assert_eq!(time_left(0, 10, SOON), None);
        assert_eq!(time_left(10, 10, SOON), None);
        assert_eq!(time_left(10, 40, Duration::from_secs(5)), Some(Duration::from_secs(15)));
    }

    #[test]
    fn the_bar_of_a_time_ends_with_the_run() {
        assert_eq!(share_of_time(40.0, 160.0, None), 0.25);
        // What ends after 20 s is two thirds done, and not a quarter.
        assert!((share_of_time(40.0, 160.0, Some(20.0)) - 2.0 / 3.0).abs() < 1e-12);
        // No forecast is longer than the time.
        assert_eq!(share_of_time(40.0, 160.0, Some(500.0)), 0.25);
        assert_eq!(share_of_time(10.0, 25.0, Some(30.0)), 0.4);
        assert_eq!(share_of_time(30.0, 25.0, Some(30.0)), 1.0);
        assert_eq!(
            (share_of_time(170.0, 160.0, Some(3.0)), share_of_time(5.0, 160.0, Some(0.0))),
            (1.0, 1.0)
        );
        assert_eq!(share_of_time(0.0, 160.0, None), 0.0);
    }

    #[test]
    fn a_time_left_has_its_seconds() {
        let words = [0.4, 59.4, 59.6, 160.0, 7200.0].map(|left| in_seconds(Duration::from_secs_f64(left)));
        assert_eq!(words, ["0s", "59s", "1m 0s", "2m 40s", "2h"]);
    }

    #[test]
    fn the_template_is_sound() {
        assert!([40, 60, 100].map(template).iter().all(|one| ProgressStyle::with_template(one).is_ok()));
    }

    #[test]
    fn a_narrow_terminal_has_a_short_line() {
        assert!(template(100).contains("{rate}") && template(88).contains("{rate}"));
        assert!(template(87).contains("{done}") && !template(87).contains("{rate}"));
        assert!(!template(55).contains("{done}") && template(40).contains("{share}"));
    }
}
