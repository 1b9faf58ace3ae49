//! The two or three figures at the head of a page and on a card: each a large number with its unit, its interval, and what it
//! was before.

use super::comparison::signed;
use super::html::{escaped, words};
use houserule_base::names::plain;
use houserule_base::numbers::{decimal, grouped, nouns};
use houserule_base::statistics::share_interval;
use houserule_lab::analysis::{Figure, FigureUnit, GameReport};
use houserule_playtest::sentences::{digits, factor, number, unit};
use houserule_playtest::{AgentComparison, Quantity, Subject};

/// Maximum number of figures.
pub const MOST_FIGURES: usize = 3;

/// Width and height of an axis, and the place of its line.
const AXIS: (f64, f64) = (260.0, 46.0);
const LINE: f64 = 20.0;

/// About the width of a letter of a label, and the least distance of two labels.
const LETTER: f64 = 7.2;
const APART: f64 = 8.0;

/// A figure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeadFigure {
    /// The number, with its sign if it is a difference.
    pub number: String,
    /// What it counts.
    pub unit: String,
    /// Its 95 % interval in words; empty if there is none.
    pub range: String,
    /// What it was before and is now: `100 instead of 65`. Empty without a game before.
    pub instead: String,
    /// Its axis.
    pub axis: Option<FigureAxis>,
}

/// An axis with what was before, and what is now with its interval.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureAxis {
    /// The mean before, in text, too; `None` without a game before.
    pub before: Option<(f64, String)>,
    /// The mean now.
    pub now: (f64, String),
    /// Half the width of the interval.
    pub half: f64,
    /// The ends of the axis.
    pub ends: (f64, f64),
}

/// Returns the figures of a comparison: the quantities that matter most, those that differ first, and how many games use what
/// is new. `before` are the words for the first game.
pub fn compared_figures(agent: &AgentComparison, before: &str, match_play: bool) -> Vec<HeadFigure> {
    let used = used(agent, match_play);
    let most = MOST_FIGURES - usize::from(used.is_some());
    let (mut told, others): (Vec<&Quantity>, Vec<&Quantity>) =
        agent.main_quantities().into_iter().partition(|quantity| quantity.differs);
    told.extend(others);
    let told = told.into_iter().filter(|quantity| quantity.low.is_some() && agent.games > 1);
    told.take(most).map(|quantity| of_quantity(quantity, before, match_play)).chain(used).collect()
}

/// The difference of a quantity.
fn of_quantity(quantity: &Quantity, before: &str, match_play: bool) -> HeadFigure {
    let factor = factor(quantity.kind);
    let half = quantity.half_width().unwrap_or(0.0) * factor;
    let places = if half > 0.0 { digits(half) } else { 2 };
    let shown = |value: f64| number(quantity.kind, value, places);
    let range = match (quantity.low, quantity.high) {
        (Some(low), Some(high)) if half > 0.0 => {
            format!("{} to {}", signed(low * factor, places), signed(high * factor, places))
        }
        _ => format!("in every {}", unit(match_play)),
    };
    let [a, b] = [quantity.a.mean, quantity.b.mean];
    let apart = (b - a).abs().max(8.0 * half / factor).max(f64::MIN_POSITIVE);
    let ends = match quantity.kind.is_share() {
        true => (0.0, 1.0),
        false => {
            let low = a.min(b) - apart;
            (if a.min(b) >= 0.0 { low.max(0.0) } else { low }, a.max(b) + apart)
        }
    };
    HeadFigure {
        number: signed(quantity.difference * factor, places),
        unit: unit_of(quantity, match_play),
        range,
        instead: format!("{} instead of {}", shown(b), shown(a)),
        axis: Some(FigureAxis {
            before: Some((a, format!("{} {before}", shown(a)))),
            now: (b, shown(b)),
            half: half / factor,
            ends,
        }),
    }
}

/// What the difference of a quantity counts.
fn unit_of(quantity: &Quantity, match_play: bool) -> String {
    let (one, many) = (unit(match_play), nouns(2, unit(match_play)));
    match quantity.kind.subject {
        Subject::Score => format!("points a {one}"),
        Subject::Count => format!("{} a {one}", quantity.label),
        _ if quantity.kind.is_share() => format!("of 100 {many}: {}", plain(&quantity.label)),
        _ => plain(&quantity.label),
    }
}

/// The share of the games that use what is new.
fn used(agent: &AgentComparison, match_play: bool) -> Option<HeadFigure> {
    let using = agent.using.filter(|_| agent.games > 0)?;
    let share = using as f64 / agent.games as f64;
    let (low, high) = share_interval(share, agent.games)?;
    let places = digits(50.0 * (high - low)).min(1);
    let many = nouns(2, unit(match_play));
    let text = |share: f64| decimal(100.0 * share, if share == 1.0 || share == 0.0 { 0 } else { places });
    let of = format!("{} of {} {many}", grouped(using), grouped(agent.games));
    Some(HeadFigure {
        number: format!("{} %", text(share)),
        unit: format!("of the {many} use it"),
        range: format!("{} to {} %", text(low), text(high)),
        instead: of.clone(),
        axis: Some(FigureAxis { before: None, now: (share, of), half: 0.0, ends: (0.0, 1.0) }),
    })
}

/// Metrics for the head of a report, in the order of choice: of each row the first that the report has.
const TOLD: [&[&str]; 5] = [
    &["score", "success", "wins"],
    &["turns", "rolls", "decisions"],
    &["against_random", "minutes", "draws"],
    &["decisions"],
    &["branching"],
];

/// Returns figures of a report that say what a game is like: its result, its length, and how much strength matters.
pub fn game_figures(page: &GameReport) -> Vec<HeadFigure> {
    let Some(strongest) = page.agents.iter().find(|agent| agent.games > 0) else { return vec![] };
    let figures = || page.sections.iter().flat_map(|section| &section.figures);
    let mut told: Vec<&Figure> = vec![];
    for names in TOLD {
        let one = |name: &&str| {
            let is_own = |figure: &&Figure| {
                figure.metric == *name && figure.agent == strongest.agent && !figure.range().is_empty()
            };
            figures().find(is_own)
        };
        let new = names.iter().find_map(one);
        told.extend(new.filter(|new| told.iter().all(|known| known.metric != new.metric)));
    }
    told.into_iter().take(MOST_FIGURES).map(of_figure).collect()
}

fn of_figure(figure: &Figure) -> HeadFigure {
    let number = figure.shown().trim_end_matches(" minutes").to_owned();
    let range = match figure.unit {
        FigureUnit::Share if figure.range().contains(" to ") => format!("{} %", figure.range()),
        _ => figure.range(),
    };
    let axis = (figure.unit == FigureUnit::Share).then(|| FigureAxis {
        before: None,
        now: (figure.value, String::new()),
        half: figure.half().unwrap_or(0.0),
        ends: (0.0, 1.0),
    });
    HeadFigure { number, unit: figure.label.clone(), range, instead: String::new(), axis }
}

/// Writes a figure as HTML. The `first` one says what its interval is.
pub(super) fn html(figure: &HeadFigure, is_first: bool) -> String {
    let range = match (figure.range.is_empty(), is_first && figure.range.contains(" to ")) {
        (true, _) => String::new(),
        (_, true) => format!("{}, with 95 % confidence", figure.range),
        _ => figure.range.clone(),
    };
    format!(
        "<div class=\"card\"><b>{}</b><span class=\"unit\">{}</span><span class=\"range\">{}</span>{}</div>\n",
        escaped(&figure.number),
        words(&figure.unit),
        escaped(&range),
        figure.axis.as_ref().map(FigureAxis::svg).unwrap_or_default()
    )
}

impl FigureAxis {
    /// Draws the axis.
    fn svg(&self) -> String {
        let (wide, high) = AXIS;
        let (low, top) = self.ends;
        let at = |value: f64| 8.0 + (wide - 16.0) * ((value - low) / (top - low)).clamp(0.0, 1.0);
        let now = at(self.now.0);
        let Some((before, before_text)) = &self.before else {
            return format!(
                "<svg viewBox=\"0 0 {wide} {high}\" role=\"img\" aria-label=\"{label}\"><path d=\"M8 {LINE}H{}\" \
                 stroke=\"var(--hr-grid)\" stroke-width=\"10\" stroke-linecap=\"round\"/><path d=\"M8 {LINE}H{now:.1}\" \
                 stroke=\"var(--hr-1)\" stroke-width=\"10\" stroke-linecap=\"round\"/>{}<text x=\"{}\" y=\"43\" \
                 text-anchor=\"end\" class=\"quiet\">{label}</text></svg>",
                wide - 8.0,
                self.ticks(&at),
                wide - 8.0,
                label = escaped(&self.now.1),
            );
        };
        let was = at(*before);
        let widths = [before_text, &self.now.1].map(|text| text.chars().count() as f64 * LETTER);
        let [was_text, now_text] = places_of_labels([was, now], widths);
        format!(
            "<svg viewBox=\"0 0 {wide} {high}\" role=\"img\" aria-label=\"{}, {} now\"><path d=\"M8 {LINE}H{}\" \
             stroke=\"var(--hr-grid)\" stroke-width=\"6\" stroke-linecap=\"round\"/><path d=\"M{was:.1} {LINE}H{now:.1}\" \
             stroke=\"var(--hr-1)\" stroke-width=\"3\"/><circle cx=\"{was:.1}\" cy=\"{LINE}\" r=\"6\" fill=\"var(--hr-paper)\" \
             stroke=\"var(--hr-0)\" stroke-width=\"3\"/><circle cx=\"{now:.1}\" cy=\"{LINE}\" r=\"7\" fill=\"var(--hr-1)\"/>{}\
             <text x=\"{was_text:.1}\" y=\"43\" fill=\"var(--hr-0)\">{}</text><text x=\"{now_text:.1}\" \
             y=\"43\" font-weight=\"700\" fill=\"var(--hr-1)\">{}</text></svg>",
            escaped(before_text),
            escaped(&self.now.1),
            wide - 8.0,
            self.ticks(&at),
            escaped(before_text),
            escaped(&self.now.1),
        )
    }

    /// The ends of the interval, as two ticks.
    fn ticks(&self, at: &dyn Fn(f64) -> f64) -> String {
        if self.half <= 0.0 {
            return String::new();
        }
        let [low, high] = [self.now.0 - self.half, self.now.0 + self.half].map(at);
        format!("<path d=\"M{low:.1} 9V31M{high:.1} 9V31\" stroke=\"var(--hr-text)\" stroke-width=\"1.4\"/>")
    }
}

/// Returns where two labels begin, so that each is near the middle that it belongs to, and neither leaves the axis nor touches the
/// other.
fn places_of_labels(middles: [f64; 2], widths: [f64; 2]) -> [f64; 2] {
    let [left, right] = if middles[0] <= middles[1] { [0, 1] } else { [1, 0] };
    let most = AXIS.0 - widths[right] - 2.0;
    let first = (middles[left] - widths[left] / 2.0).min(most - APART - widths[left]).max(2.0);
    let second = (middles[right] - widths[right] / 2.0).max(first + widths[left] + APART).min(most);
    let gap = second - first - widths[left];
    let first = if gap < APART { (first + gap - APART).max(2.0) } else { first };
    if left == 0 { [first, second] } else { [second, first] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_lie_on_the_axis_and_apart() {
        for middles in [[8.0, 30.0], [30.0, 8.0], [120.0, 125.0], [250.0, 252.0], [20.0, 240.0]] {
            let widths = [80.0, 40.0];
            let found = places_of_labels(middles, widths);
            let [left, right] = if middles[0] <= middles[1] { [0, 1] } else { [1, 0] };
            assert!(found[left] + widths[left] + APART <= found[right] + 0.01, "{middles:?}: {found:?}");
            assert!(found[left] >= 2.0 && found[right] + widths[right] <= AXIS.0, "{middles:?}: {found:?}");
        }
    }
}
