//! The options that end a run by its number of games, its time or its precision, and what is said about it afterwards.

use clap::Args;

use crate::terminal::{CliError, Progress, Terminal};
use houserule_base::numbers::{counted, parse_count, parse_seconds};
use houserule_lab::study::{BudgetedStudy, StudyEnd};
use houserule_playtest::{Precision, RunBudget};

/// What ends a run.
#[derive(Clone, Debug, Args)]
pub(super) struct BudgetFlags {
    /// Number of games
    #[arg(long = "games", id = "count", short = 'n', value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub(super) games: Option<u64>,
    /// Time of the run instead of a number of games: `90s`, `5m` or `1h`
    #[arg(long = "for", id = "time", value_name = "TIME", value_parser = parse_seconds, conflicts_with = "count")]
    time: Option<f64>,
    /// End when the 95 % interval of a metric is at most ± this wide: `score=0.5`, `wins[1]=1%`; may be repeated.
    /// `--games` is then the maximum [default: 10,000,000]
    #[arg(long, value_name = "METRIC=HALF", value_parser = Precision::parse)]
    precision: Vec<Precision>,
}

impl BudgetFlags {
    /// Returns the number of games, if it is given; it must not be 0.
    pub(super) fn games(&self) -> Result<Option<u64>, CliError> {
        self.games.map(at_least_one).transpose()
    }

    pub(super) fn budget(&self) -> RunBudget {
        RunBudget { seconds: self.time, precision: self.precision.clone(), ..RunBudget::default() }
    }
}

/// Checks that a number of games is not 0.
pub(super) fn at_least_one(games: u64) -> Result<u64, CliError> {
    match games {
        0 => Err(CliError::Command("`--games` must be at least 1, found 0".to_owned())),
        games => Ok(games),
    }
}

/// Fails if the time of a study was over before it had a figure.
pub(super) fn require_figures<T>(study: &BudgetedStudy<T>, has_figures: bool) -> Result<(), CliError> {
    match study.end {
        StudyEnd::TooShort if !has_figures => Err(CliError::Command(
            "there was no time for any figure: allow more of it with a longer `--for`".to_owned(),
        )),
        _ => Ok(()),
    }
}

/// Says how many games a study took, and that the time was too short for it.
pub(super) fn report_end<T>(
    study: &BudgetedStudy<T>,
    budget: &RunBudget,
    terminal: &mut Terminal<'_>,
) -> Result<(), CliError> {
    report_end_with(study, budget, "", terminal)
}

/// Like [`report_end`]; `options` are others that such a run needs besides its number of games.
pub(super) fn report_end_with<T>(
    study: &BudgetedStudy<T>,
    budget: &RunBudget,
    options: &str,
    terminal: &mut Terminal<'_>,
) -> Result<(), CliError> {
    if !budget.is_bounded() {
        return Ok(());
    }
    let (number, games) = (study.games, counted(study.games, "game"));
    let again = format!("`{options}-n {number}` repeats them.");
    let told = match study.end {
        StudyEnd::Stopped => return Ok(()),
        StudyEnd::TooShort => {
            return Err(CliError::Command(
                "the time of `--for` was over before a few games of each kind were played: the figures above are \
                 partial, and more time completes them"
                    .to_owned(),
            ));
        }
        StudyEnd::Reached => format!("The precision is reached after {games}; {again}"),
        StudyEnd::UsedUp if budget.precision.is_empty() => {
            format!("The time was enough for {games}; {again}")
        }
        StudyEnd::UsedUp => format!(
            "The precision is not reached after {games}: allow more with `-n` or `--for`, or ask for less; {again}"
        ),
    };
    if !terminal.quiet {
        terminal.out.flush()?;
        terminal.note(&told)?;
    }
    Ok(())
}

/// The progress bar of a run: of its time, if that is what ends it.
pub(super) struct BudgetBar {
    bar: Progress,
    /// Whether it moves by itself.
    is_of_time: bool,
}

impl BudgetBar {
    /// Creates a bar that counts `what`, such as games, or the share of the work if that is empty; with a time it shows that,
    /// and ends before if the run of the budget forecasts it.
    pub(super) fn new(
        terminal: &Terminal<'_>,
        what: &'static str,
        seconds: Option<f64>,
        budget: &RunBudget,
    ) -> BudgetBar {
        let bar = match seconds {
            Some(seconds) => Progress::of_time(terminal, seconds, budget.end.clone()),
            None if what.is_empty() => Progress::shares(terminal),
            None => Progress::new(terminal, what),
        };
        BudgetBar { bar, is_of_time: seconds.is_some() }
    }

    /// Updates the amount done and the total; 0 if the total is unknown.
    pub(super) fn show(&self, done: u64, of: u64) {
        if !self.is_of_time {
            self.bar.show(done, of);
        }
    }

    /// Updates the completed share.
    pub(super) fn show_share(&self, share: f64) {
        if !self.is_of_time {
            self.bar.show_share(share);
        }
    }

    /// Hides the bar while `write` writes to the terminal.
    pub(super) fn without<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.without(write)
    }

    /// Removes the bar.
    pub(super) fn wipe(self) {
        self.bar.wipe();
    }
}
