//! Formats exact distributions: the mean and the spread, answers, and a table with bars; and a chart of them.

use crate::chart::{Chart, ChartPanel, Kind, histogram};
use crate::report::columns::{TextTable, decimal, grouped, trimmed, wrap};
use houserule_base::numbers::counted;
use houserule_picture::paint::Paint;
use houserule_playtest::odds::{Distribution, Odds, OddsAnswer, OddsValue};

/// Maximum number of rows of a table. Of more values, those at both ends that are least likely are left out.
const MOST_ROWS: usize = 60;

/// Width of the longest bar.
const BAR: usize = 24;

/// Maximum number of bars of a chart.
const MOST_BARS: usize = 400;

/// Formats the whole result.
pub fn text(found: &Odds, paint: Paint) -> String {
    let head = if found.title == found.game {
        found.game.clone()
    } else {
        format!("{} ({})", found.title, found.game)
    };
    let mut text = format!("{}\n", paint.head(&head));
    let known = match found.exact {
        true => "exact".to_owned(),
        false => format!("to within {}", power(found.bound)),
    };
    let mut facts = vec![];
    if found.of != found.game {
        facts.push(format!("odds of {}", found.of));
    }
    if !found.agents.is_empty() {
        facts.push(format!("played by {}", found.agents.join(", ")));
    }
    facts.extend([known, counted(found.states, "state")]);
    for line in wrap(&facts.join(" · "), paint.columns()) {
        text.push_str(&format!("{}\n", paint.quiet(&line)));
    }
    for one in &found.distributions {
        text.push('\n');
        if let Some(name) = one.seat.and_then(|seat| found.players.get(seat as usize))
            && found.players.len() > 1
        {
            text.push_str(&format!("{}\n", paint.head(name)));
        }
        text.push_str(&distribution(one, paint));
    }
    text
}

fn distribution(one: &Distribution, paint: Paint) -> String {
    let mut table = TextTable::with_words().left(2);
    if let (Some(mean), Some(sd)) = (&one.mean, one.sd) {
        table.row(["mean".to_owned(), number(mean.decimal), mean.short_fraction()]);
        table.row(["standard deviation".to_owned(), number(sd), String::new()]);
        let quantiles = one
            .quantiles
            .iter()
            .map(|quantile| format!("{} %: {}", quantile.percent, grouped(quantile.value)));
        let first = one.values.first().map_or(0, |value| value.value);
        let last = one.values.last().map_or(0, |value| value.value);
        let range = format!("{} to {}", grouped(first), grouped(last));
        table.row(["values".to_owned(), range, quantiles.collect::<Vec<_>>().join(", ")]);
    }
    for answer in &one.asked {
        table.row(answered(answer));
    }
    let mut text = table.text(paint);
    if !table.is_empty() {
        text.push('\n');
    }
    text.push_str(&values(one, paint));
    text
}

fn answered(answer: &OddsAnswer) -> [String; 3] {
    match answer.question {
        "quantile" => [
            format!("quantile {} %", trimmed(100.0 * answer.of)),
            grouped(answer.answer.decimal as i64),
            format!("{} % of the games don't exceed it", trimmed(100.0 * answer.of)),
        ],
        question => {
            let sign = if question == "at_least" { '≥' } else { '≤' };
            let name = format!("P({sign} {})", grouped(answer.of as i64));
            [name, answer.answer.percent(), answer.answer.short_fraction()]
        }
    }
}

/// Formats the values as a table with bars. On a narrow page it has fewer fractions.
fn values(one: &Distribution, paint: Paint) -> String {
    let shown = likely(&one.values);
    let named = shown.iter().any(|value| value.name.is_some());
    let most = shown.iter().map(|value| value.probability.decimal).fold(0.0, f64::max);
    let column = |head: &str, cell: &dyn Fn(&OddsValue) -> String| {
        let cells: Vec<String> = std::iter::once(head.to_owned()).chain(shown.iter().map(cell)).collect();
        let width = cells.iter().map(|cell| cell.chars().count()).max().unwrap_or(0);
        (cells, width)
    };
    let equal = if named { "P" } else { "P(=)" };
    let mut columns = vec![
        column("", &|value| value.name.clone().unwrap_or_else(|| grouped(value.value))),
        column(equal, &|value| value.probability.percent()),
    ];
    let mut fractions = vec![column(equal, &|value| value.probability.short_fraction())];
    if !named {
        columns.push(column("P(≥)", &|value| value.at_least.percent()));
        fractions.push(column("P(≥)", &|value| value.at_least.short_fraction()));
    }
    let bars = column("", &|value| bar(value.probability.decimal / most));
    let width = |columns: &[(Vec<String>, usize)]| columns.iter().map(|(_, width)| width + 2).sum::<usize>();
    let room = paint.columns().saturating_sub(width(&columns) + BAR + 2);
    fractions.retain(|(cells, _)| cells.iter().skip(1).any(|cell| !cell.is_empty()));
    while width(&fractions) > room {
        fractions.pop();
    }
    columns.extend(fractions);
    columns.push(bars);
    let mut table = TextTable::default().head(&[]);
    for row in 0..=shown.len() {
        table.row(columns.iter().map(|(cells, _)| cells[row].clone()));
    }
    // The first row is the heading.
    let mut text: String = table.text(paint).lines().skip(1).map(|line| format!("{line}\n")).collect();
    let left = one.values.len() - shown.len();
    if left > 0 {
        let line = format!(
            "  {} less likely values at the ends are left out; `--json` has all.",
            grouped(left as u64)
        );
        text.push_str(&format!("{}\n", paint.quiet(&line)));
    }
    text
}

/// Draws a bar of a share of the longest.
fn bar(share: f64) -> String {
    let eighths = (share * (BAR * 8) as f64).round() as usize;
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let bar = format!("{}{}", "█".repeat(eighths / 8), parts[eighths % 8]);
    format!("{bar:<BAR$}")
}

/// Returns the values without the least likely ones at the ends, if there are too many.
fn likely(values: &[OddsValue]) -> &[OddsValue] {
    let mut shown = values;
    while shown.len() > MOST_ROWS {
        let [first, .., last] = shown else { break };
        shown = if first.probability.decimal < last.probability.decimal {
            &shown[1..]
        } else {
            &shown[..shown.len() - 1]
        };
    }
    shown
}

/// Formats a number with six decimals at most.
fn number(number: f64) -> String {
    let text = decimal(number, 6);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// Formats a maximum error as a power of ten.
fn power(bound: f64) -> String {
    format!("1e{}", bound.log10().ceil())
}

/// Draws the distributions of numbers, one beside the other.
pub fn chart(found: &Odds) -> Chart {
    /// The counts of a chart are integers: parts of this number.
    const WHOLE: f64 = 1e15;
    let panels = found.distributions.iter().map(|one| {
        let counts = one
            .values
            .iter()
            .map(|value| (value.value, (value.probability.decimal * WHOLE) as u64))
            .collect();
        let name =
            one.seat.and_then(|seat| found.players.get(seat as usize)).filter(|_| found.players.len() > 1);
        ChartPanel {
            title: name.cloned().unwrap_or_default(),
            x_label: found.of.clone(),
            y_label: "% of the games".to_owned(),
            kind: Kind::Histogram,
            series: histogram(&[("probability", counts)], MOST_BARS),
            ..ChartPanel::default()
        }
    });
    let title =
        if found.of == found.title { found.of.clone() } else { format!("{}: {}", found.title, found.of) };
    Chart { title, panels: panels.collect(), ..Chart::default() }
}
