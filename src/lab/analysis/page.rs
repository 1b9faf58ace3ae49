//! A report as data: sections that answer a question each, with figures, tables, charts and boards. Text, HTML,
//! Markdown and JSON are views on it.

use serde::Serialize;

use houserule_base::numbers::{decimal, grouped};
use houserule_base::statistics::interval::half_width;
use houserule_base::statistics::sample::Interval;
use houserule_playtest::sentences::{digits, percentage_points};
use houserule_playtest::{Precision, needed};

/// A report on one game.
#[derive(Clone, Debug, Serialize)]
pub struct GameReport {
    /// Version of the JSON format.
    pub version: u32,
    /// The game, as it can be loaded again.
    pub game: String,
    /// Its title.
    pub title: String,
    /// Fingerprint of the rules.
    pub rules_sha256: String,
    /// The params that differ from their defaults, as `name = value`.
    pub params: Vec<String>,
    /// Number of players.
    pub players: u32,
    /// The seed.
    pub seed: u64,
    /// `true` if the report was stopped before all was played.
    pub interrupted: bool,
    /// `true` if that was because its time was over.
    pub out_of_time: bool,
    /// Duration, in seconds.
    pub seconds: f64,
    /// Who played, and how many games.
    pub agents: Vec<AgentRun>,
    /// The three things to look at first; fewer if less is out of the ordinary.
    pub first: Vec<Flag>,
    /// The sections.
    pub sections: Vec<ReportSection>,
    /// Series over a game.
    pub series: Vec<SeriesFigures>,
}

/// A series over a game: statistics of each game, averaged over the games.
#[derive(Clone, Debug, Serialize)]
pub struct SeriesFigures {
    /// Its name, as in `docs/metrics.md`.
    pub series: &'static str,
    /// Games that have it.
    pub games: u64,
    /// The statistics.
    pub statistics: Vec<SeriesStatistic>,
}

/// A statistic of a series.
#[derive(Clone, Debug, Serialize)]
pub struct SeriesStatistic {
    /// Its name.
    pub statistic: &'static str,
    /// Its mean over the games.
    pub value: f64,
    /// The lower end of the 95 % interval; null for fewer than two games.
    pub low: Option<f64>,
    /// The upper end of the 95 % interval; null for fewer than two games.
    pub high: Option<f64>,
}

/// The games of an agent.
#[derive(Clone, Debug, Serialize)]
pub struct AgentRun {
    /// The agent, in all seats.
    pub agent: String,
    /// Finished games.
    pub games: u64,
    /// Games that an error ended; in no figure.
    pub aborted: u64,
    /// Number of trainings, each of which played an equal part of the games; null if it isn't trained.
    pub trainings: Option<u64>,
}

/// Fewer games of the strongest player don't tell that nothing is out of the ordinary.
const GAMES_TO_TELL: u64 = 30;

impl GameReport {
    /// What is said where nothing is to be looked at first.
    pub fn nothing_first(&self) -> &'static str {
        match self.agents.first().map_or(0, |strongest| strongest.games) {
            0 => "No game was finished, so nothing was looked at.",
            games if games < GAMES_TO_TELL => "Too little was played to say.",
            _ if self.interrupted => "Nothing of what was played is out of the ordinary.",
            _ => "Nothing is out of the ordinary.",
        }
    }

    /// Why something is missing that would have been played with more time; `None` if all was played.
    pub fn why_incomplete(&self) -> Option<&'static str> {
        self.interrupted.then_some(match self.out_of_time {
            true => "The time was over: what is missing was not played; `--for` allows more",
            false => "Interrupted: what is missing was not played",
        })
    }
}

/// Something out of the ordinary.
#[derive(Clone, Debug, Serialize)]
pub struct Flag {
    /// What it is, in a sentence.
    pub sentence: String,
    /// The rule by which it is out of the ordinary.
    pub rule: String,
    /// The metric.
    pub metric: &'static str,
}

/// An answer to a question of a designer.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ReportSection {
    /// Its name in links: `fair`.
    pub id: &'static str,
    /// The question.
    pub question: &'static str,
    /// The answer, in a sentence.
    pub answer: String,
    /// Figures with intervals.
    pub figures: Vec<Figure>,
    /// Tables.
    pub tables: Vec<FigureTable>,
    /// Charts.
    pub charts: Vec<PlotData>,
    /// Boards.
    pub boards: Vec<HeatMap>,
    /// What can't be had, with the reason and the remedy.
    pub missing: Vec<Missing>,
    /// How to read the section.
    pub notes: Vec<String>,
    /// An agent of whose games nearly all are alike: its figures have no intervals, for more such games would say no more.
    #[serde(skip)]
    pub(crate) alike: Option<String>,
}

/// A figure.
#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    /// The metric, as in `docs/metrics.md`.
    pub metric: &'static str,
    /// Its name in words.
    pub label: String,
    /// The value.
    pub value: f64,
    /// The lower end of the 95 % interval; null if there is none.
    pub low: Option<f64>,
    /// The upper end of the 95 % interval; null if there is none.
    pub high: Option<f64>,
    /// The unit.
    pub unit: FigureUnit,
    /// The agent that played, in all seats.
    pub agent: String,
    /// Whether it stands in a table of its section.
    #[serde(skip)]
    pub is_tabled: bool,
}

/// The unit of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FigureUnit {
    /// A share, from 0 to 1; shown in percent.
    Share,
    /// A difference of two shares; shown in percentage points.
    Difference,
    /// A number.
    Number,
    /// Points of the score.
    Points,
    /// Minutes.
    Minutes,
    /// Elo points.
    Elo,
}

/// The range of a figure that is computed, not measured.
const EXACT: &str = "exact";

/// The range of a figure that was the same in all games.
const CONSTANT: &str = "always";

/// Metrics of an agent's games against other agents.
const AGAINST_OTHERS: [&str; 4] = ["against_random", "win_rate", "elo", "elo_per_doubling"];

/// Metrics that are computed, and not measured, wherever their interval has no width.
const COMPUTED: [&str; 2] = ["best_play", "luck_share"];

/// Ends of the names of metrics that are order statistics. Their intervals can have no width although games differ.
const ORDER_STATISTICS: [&str; 2] = ["_median", "_95"];

impl Figure {
    /// Makes a figure of an interval.
    pub fn new(
        metric: &'static str,
        label: impl Into<String>,
        interval: Interval,
        unit: FigureUnit,
        agent: &str,
    ) -> Figure {
        let Interval { value, low, high } = interval;
        let agent = agent.to_owned();
        Figure { metric, label: label.into(), value, low, high, unit, agent, is_tabled: false }
    }

    /// The value in its unit, with digits that its interval supports.
    pub fn shown(&self) -> String {
        match self.range() == EXACT && self.unit != FigureUnit::Share {
            true => in_unit(&exact(self.value), self.unit),
            false => shown(self.value, self.digits_half(), self.unit),
        }
    }

    /// The half width that sets the digits. An order statistic of integers needs none.
    fn digits_half(&self) -> Option<f64> {
        let ends = [Some(self.value), self.low, self.high];
        let whole = self.unit == FigureUnit::Number && ends.iter().flatten().all(|end| end.fract() == 0.0);
        if whole { None } else { self.half() }
    }

    /// The value and half of its interval's width, for tables: `23.2 ± 0.5`.
    pub fn plus_minus(&self) -> String {
        match self.digits_half().filter(|half| *half > 1e-9 * self.value.abs()) {
            // What is left of the value and right of it is not the same at the ends of what a share can be.
            Some(half) if self.unit == FigureUnit::Share && !(half..=1.0 - half).contains(&self.value) => {
                self.with_interval()
            }
            Some(half) => {
                let number = bare(self.value, Some(half), self.unit);
                format!("{number} ± {}", shown(half, Some(half), self.unit))
            }
            None => self.shown(),
        }
    }

    /// The value with its interval.
    pub(crate) fn interval(&self) -> Interval {
        Interval { value: self.value, low: self.low, high: self.high }
    }

    /// Half of the interval's width.
    pub fn half(&self) -> Option<f64> {
        Some((self.high? - self.low?) / 2.0)
    }

    /// The interval without its unit, as `12.1 to 13.4`; `always` if all games had the value, empty if there is none.
    pub fn range(&self) -> String {
        let (Some(low), Some(high)) = (self.low, self.high) else { return String::new() };
        // Rounding of sums may leave a little.
        let is_order_statistic = ORDER_STATISTICS.iter().any(|end| self.metric.ends_with(end));
        if high - low <= 1e-9 * self.value.abs() && !is_order_statistic {
            // A sample without variation is still a sample.
            let is_computed = COMPUTED.contains(&self.metric) || self.agent.is_empty();
            return if is_computed { EXACT } else { CONSTANT }.to_owned();
        }
        let half = self.digits_half();
        format!("{} to {}", bare(low, half, self.unit), bare(high, half, self.unit))
    }

    /// The value with its interval in parentheses, for sentences.
    pub fn with_interval(&self) -> String {
        match self.range().as_str() {
            "" | EXACT | CONSTANT => self.shown(),
            // The digits that are shown don't tell the ends apart.
            range if range.split_once(" to ").is_some_and(|(low, high)| low == high) => self.shown(),
            range => format!("{} ({range})", self.shown()),
        }
    }
}

/// Formats an interval as [`Figure::with_interval`] does, for sentences.
pub(crate) fn shown_with_interval(interval: Interval, unit: FigureUnit) -> String {
    Figure::new("", "", interval, unit, "").with_interval()
}

/// Formats a number in a unit, with digits for an error of `half`.
pub fn shown(value: f64, half: Option<f64>, unit: FigureUnit) -> String {
    in_unit(&bare(value, half, unit), unit)
}

/// Adds the unit to a number.
fn in_unit(number: &str, unit: FigureUnit) -> String {
    match unit {
        FigureUnit::Share => format!("{number} %"),
        FigureUnit::Difference => format!("{number} {}", percentage_points(number)),
        FigureUnit::Number | FigureUnit::Points => number.to_owned(),
        FigureUnit::Minutes => format!("{number} minutes"),
        FigureUnit::Elo => format!("{number} Elo"),
    }
}

/// Decimals of a value that is exact.
const EXACT_DIGITS: usize = 6;

/// Formats an exact value with all its digits.
fn exact(value: f64) -> String {
    match value == value.round() && value.abs() < 1e15 {
        true => grouped(value as i64),
        false => decimal(value, EXACT_DIGITS).trim_end_matches('0').trim_end_matches('.').to_owned(),
    }
}

fn bare(value: f64, half: Option<f64>, unit: FigureUnit) -> String {
    let factor = match unit {
        FigureUnit::Share | FigureUnit::Difference => 100.0,
        FigureUnit::Number | FigureUnit::Points | FigureUnit::Minutes | FigureUnit::Elo => 1.0,
    };
    let value = value * factor;
    let most = match unit {
        FigureUnit::Minutes => 1,
        _ if factor == 1.0 => 3,
        _ => 2,
    };
    let is_exact = half.is_some_and(|half| half <= 1e-9 * value.abs());
    let half = half.filter(|_| !is_exact);
    let certain = unit == FigureUnit::Share && (value == 0.0 || value == 100.0);
    let whole = certain || (value == value.round() && half.is_none());
    match half {
        _ if whole && value.abs() < 1e15 => grouped(value as i64),
        Some(half) => decimal(value, digits(half * factor).min(most)),
        // All games had the value.
        None if is_exact => decimal(value, 2).trim_end_matches('0').trim_end_matches('.').to_owned(),
        None => decimal(value, 1),
    }
}

/// A table.
#[derive(Clone, Debug, Default, Serialize)]
pub struct FigureTable {
    /// Its heading.
    pub title: String,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Cells as text.
    pub rows: Vec<Vec<String>>,
}

/// A chart as data.
#[derive(Clone, Debug, Serialize)]
pub struct PlotData {
    /// Its heading.
    pub title: String,
    /// Name of the horizontal axis.
    pub x: String,
    /// Name of the vertical axis.
    pub y: String,
    /// How it is drawn.
    pub kind: PlotKind,
    /// Names of the positions 0, 1, 2 … of x; empty for numbers.
    pub names: Vec<String>,
    /// The curves.
    pub series: Vec<PlotSeries>,
}

/// How a chart is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PlotKind {
    /// A line, with a band between low and high.
    Line,
    /// Bars side by side.
    Bars,
    /// Points with error bars.
    Points,
}

/// A curve.
#[derive(Clone, Debug, Serialize)]
pub struct PlotSeries {
    /// Its name.
    pub name: String,
    /// Rows of x, y, low and high; low and high are null without a band.
    pub points: Vec<(f64, f64, Option<f64>, Option<f64>)>,
}

/// Numbers on the sites of a board.
#[derive(Clone, Debug, Serialize)]
pub struct HeatMap {
    /// Its heading.
    pub title: String,
    /// The board, as positions write it.
    pub board: String,
    /// The number of each site; null where there is none.
    pub values: Vec<Option<f64>>,
    /// The unit of the numbers.
    pub unit: FigureUnit,
    /// The name of each site.
    pub sites: Vec<String>,
    /// Where each site is drawn: column and row, from 0 at the upper left; fractions for hexagons.
    #[serde(skip)]
    pub positions: Vec<(f64, f64)>,
}

/// A metric that can't be had.
#[derive(Clone, Debug, Serialize)]
pub struct Missing {
    /// The metrics, in words.
    pub what: String,
    /// Why.
    pub why: String,
    /// What to do about it.
    pub remedy: String,
}

impl GameReport {
    /// Returns half the width of the widest interval of a metric in the games of the strongest agent; `None` if there is
    /// no such figure.
    pub fn half_width(&self, metric: &str) -> Option<f64> {
        let strongest = &self.agents.first()?.agent;
        let figures = self.sections.iter().flat_map(|section| &section.figures);
        let all = figures.filter(|figure| figure.metric == metric && figure.agent == *strongest);
        all.filter_map(|figure| half_width(figure.low, figure.high)).reduce(f64::max)
    }

    /// Returns the number of games of the strongest agent that will presumably reach a precision; `None` if it is
    /// reached. What the page has no interval of counts as reached.
    pub fn lacking(&self, precision: &[Precision]) -> Option<f64> {
        let halves = precision.iter().map(|one| (self.half_width(&one.metric).or(Some(0.0)), one.half_width));
        needed(self.agents.first()?.games, halves)
    }
}

impl ReportSection {
    /// Adds a figure if there is one.
    pub(crate) fn figure(
        &mut self,
        metric: &'static str,
        label: impl Into<String>,
        interval: Option<Interval>,
        unit: FigureUnit,
        agent: &str,
    ) -> Option<Figure> {
        let figure = Figure::new(metric, label, self.known(metric, interval?, agent), unit, agent);
        self.figures.push(figure.clone());
        Some(figure)
    }

    /// Adds a figure that stands in a table. Returns the cell of the table: empty if there is no figure.
    pub(crate) fn cell(
        &mut self,
        metric: &'static str,
        label: impl Into<String>,
        interval: Option<Interval>,
        unit: FigureUnit,
        agent: &str,
    ) -> String {
        let Some(interval) = interval else { return String::new() };
        let interval = self.known(metric, interval, agent);
        let figure = Figure { is_tabled: true, ..Figure::new(metric, label, interval, unit, agent) };
        let cell = figure.plus_minus();
        self.figures.push(figure);
        cell
    }

    /// What is known of a figure: no interval if nearly all games of the agent are alike, unless all had the value, or the
    /// games are against others.
    fn known(&self, metric: &str, interval: Interval, agent: &str) -> Interval {
        let is_alike = self.alike.as_deref() == Some(agent) && !AGAINST_OTHERS.contains(&metric);
        match interval.half() {
            Some(half) if half > 0.0 && is_alike => Interval { low: None, high: None, ..interval },
            _ => interval,
        }
    }

    /// Names a metric that can't be had, together with those that lack the same.
    pub(crate) fn lacks(&mut self, what: &str, why: impl Into<String>, remedy: &str) {
        let why = why.into();
        match self.missing.iter_mut().find(|other| other.why == why && other.remedy == remedy) {
            Some(other) => other.what += &format!(", {what}"),
            None => self.missing.push(Missing { what: what.to_owned(), why, remedy: remedy.to_owned() }),
        }
    }

    /// Returns the first figure of a metric.
    pub fn get(&self, metric: &str) -> Option<&Figure> {
        self.figures.iter().find(|figure| figure.metric == metric)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(ends: [f64; 3], unit: FigureUnit) -> Figure {
        let [value, low, high] = ends;
        Figure::new("", "", Interval { value, low: Some(low), high: Some(high) }, unit, "")
    }

    #[test]
    fn a_share_lies_within_what_it_can_be() {
        let told = |ends: [f64; 3]| figure(ends, FigureUnit::Share).plus_minus();
        assert_eq!(told([1.0, 0.2, 1.0]), "100 % (20 to 100)");
        assert_eq!(told([0.0, 0.0, 0.16]), "0 % (0 to 16)");
        assert_eq!(told([0.5, 0.4, 0.6]), "50 ± 10 %");
    }

    #[test]
    fn numbers_have_the_digits_that_say_something() {
        assert_eq!(figure([8.33, 8.32, 8.341], FigureUnit::Minutes).with_interval(), "8.3 minutes");
        assert_eq!(shown(0.01, Some(0.03), FigureUnit::Difference), "1 percentage point");
        assert_eq!(shown(0.02, Some(0.03), FigureUnit::Difference), "2 percentage points");
    }
}
