//! A bar that shows how far long work is: how much of it, how fast, and how long it will take.

use std::fmt::Write;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::Terminal;
use crate::numbers::{decimal, grouped};

/// Work that is done sooner shows no bar.
const SOON: Duration = Duration::from_secs(1);

/// Between two looks of the bar at the clock.
const TICK: Duration = Duration::from_millis(250);

/// A bar on standard error. It shows nothing unless standard error is a terminal, or with `--quiet`. Any
/// thread may move it.
pub(super) struct Progress(Option<Shown>);

struct Shown {
    bar: ProgressBar,
    /// Dropped at the end of the work, so that the thread ends that waits to show the bar.
    over: Sender<()>,
    waiting: JoinHandle<()>,
}

impl Progress {
    /// A bar of `what`, such as games.
    pub(super) fn new(terminal: &Terminal<'_>, what: &'static str) -> Self {
        let template = template(terminal.err_screen.page());
        Progress::of(terminal, || style(template, what))
    }

    /// A bar of work of several kinds, that is told by shares of the whole.
    pub(super) fn shares(terminal: &Terminal<'_>) -> Self {
        Progress::of(terminal, || style("{bar:12} {share}{left}", "shares"))
    }

    /// A line that says how long an agent has been thinking about one move.
    pub(super) fn thinking(terminal: &Terminal<'_>, agent: &str) -> Self {
        // A name may have the braces of templates.
        let agent = agent.to_owned();
        Progress::of(terminal, || {
            let style = ProgressStyle::with_template("{spinner} {agent} is thinking · {elapsed}");
            let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
            style.with_key("agent", move |_: &ProgressState, out: &mut dyn Write| {
                let _ = write!(out, "{agent}");
            })
        })
    }

    fn of(terminal: &Terminal<'_>, style: impl FnOnce() -> ProgressStyle) -> Self {
        if !terminal.err_screen.terminal || terminal.err_screen.dumb || terminal.quiet {
            return Progress(None);
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()).with_style(style());
        let (over, is_over) = channel();
        let later = bar.clone();
        let waiting = std::thread::spawn(move || {
            if is_over.recv_timeout(SOON) == Err(RecvTimeoutError::Timeout) {
                later.set_draw_target(ProgressDrawTarget::stderr());
                later.enable_steady_tick(TICK);
            }
        });
        Progress(Some(Shown { bar, over, waiting }))
    }

    /// Returns `true` if a bar may be seen: what only the bar needs is computed for it alone.
    pub(super) fn is_shown(&self) -> bool {
        self.0.is_some()
    }

    /// Says how much is done, and of how much; of 0 if nobody knows.
    pub(super) fn show(&self, done: u64, of: u64) {
        if let Some(shown) = &self.0 {
            if of > 0 && shown.bar.length() != Some(of) {
                shown.bar.set_length(of);
            }
            // Threads may be late with what they have done.
            if done > shown.bar.position() {
                shown.bar.set_position(done);
            }
        }
    }

    /// Says which share of the whole is done, from 0 to 1.
    pub(super) fn show_share(&self, share: f64) {
        const WHOLE: u64 = 10_000;
        self.show((share * WHOLE as f64) as u64, WHOLE);
    }

    /// Does something that writes to the terminal, without the bar.
    pub(super) fn without<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.0 {
            Some(shown) => shown.bar.suspend(write),
            None => write(),
        }
    }

    /// Takes the bar away.
    pub(super) fn wipe(self) {
        if let Some(Shown { bar, over, waiting }) = self.0 {
            drop(over);
            // Only a panic of the thread could be told, and the work is done.
            let _ = waiting.join();
            bar.finish_and_clear();
        }
    }
}

/// What a bar shows in so many columns. A line that the terminal breaks is hard to read while it changes.
fn template(columns: usize) -> &'static str {
    match columns {
        88.. => "{bar:24} {done} · {elapsed} · {rate}{left}",
        56.. => "{bar:12} {done}{left}",
        _ => "{bar:12} {share}{left}",
    }
}

fn style(template: &'static str, what: &'static str) -> ProgressStyle {
    // The template is a constant; if it were wrong, the usual bar would do.
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    style
        .progress_chars("█▉▊▋▌▍▎▏░")
        .with_key("done", move |state: &ProgressState, out: &mut dyn Write| {
            let of = state.len().filter(|of| *of > 0).map(|of| format!(" of {}", grouped(of)));
            // What can't be written to a line of text is not there.
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
            let _ = match left(state.pos(), state.len().unwrap_or(0), state.elapsed()) {
                Some(left) => write!(out, " · {:#} left", HumanDuration(left)),
                None => Ok(()),
            };
        })
}

/// So many a second, or so many seconds for one.
fn rate(done: u64, seconds: f64) -> String {
    match done as f64 / seconds {
        _ if done == 0 || seconds <= 0.0 => "none finished yet".to_owned(),
        rate if rate >= 10.0 => format!("{}/s", grouped(rate as u64)),
        rate if rate >= 1.0 => format!("{}/s", decimal(rate, 1)),
        rate => format!("{} s each", decimal(1.0 / rate, 1)),
    }
}

/// How long the rest will take at the speed so far.
fn left(done: u64, of: u64, elapsed: Duration) -> Option<Duration> {
    let rest = of.checked_sub(done).filter(|rest| *rest > 0 && done > 0)?;
    Duration::try_from_secs_f64(elapsed.as_secs_f64() * rest as f64 / done as f64).ok()
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
        assert_eq!(left(0, 10, SOON), None);
        assert_eq!(left(10, 10, SOON), None);
        assert_eq!(left(10, 40, Duration::from_secs(5)), Some(Duration::from_secs(15)));
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
