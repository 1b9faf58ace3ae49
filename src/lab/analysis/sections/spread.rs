//! The exact distribution of the score or the winner.

use crate::analysis::evidence::Evidence;
use crate::analysis::page::{FigureTable, PlotData, PlotKind, PlotSeries, ReportSection};
use houserule_base::numbers::decimal;
use houserule_playtest::odds::{Distribution, OddsValue};

/// Values of a table; more are in a chart and by their quantiles.
const MOST_ROWS: usize = 12;

/// Adds the distribution, if it was computed.
pub(super) fn add_spread(section: &mut ReportSection, all: &Evidence<'_>) {
    let Some(odds) = &all.odds else { return };
    let by = if odds.agents.is_empty() { "" } else { " under best play" };
    let only = odds.distributions.len() == 1;
    for found in &odds.distributions {
        let seat = match found.seat {
            Some(seat) if !only => format!(" of {}", all.seat(seat as usize)),
            _ => String::new(),
        };
        let title = format!("Exact distribution of the {}{seat}{by}", odds.of);
        section.tables.push(match found.values.len() > MOST_ROWS {
            true => quantiles(title.clone(), found),
            false => values(title.clone(), &odds.of, found),
        });
        if found.values.iter().all(|value| value.name.is_none()) && found.values.len() > 2 {
            section.charts.push(chart(title, &odds.of, found));
        }
    }
}

/// A row for each value.
fn values(title: String, of: &str, found: &Distribution) -> FigureTable {
    let row = |value: &OddsValue| {
        let name = value.name.clone().unwrap_or_else(|| value.value.to_string());
        vec![name, value.probability.percent(), value.probability.short_fraction()]
    };
    FigureTable {
        title,
        columns: [of, "probability", "exact"].map(str::to_owned).to_vec(),
        rows: found.values.iter().map(row).collect(),
    }
}

/// The mean, the standard deviation, the ends and the quantiles.
fn quantiles(title: String, found: &Distribution) -> FigureTable {
    let mut rows = vec![];
    let mut add = |name: &str, value: String| rows.push(vec![name.to_owned(), value]);
    if let Some(mean) = &found.mean {
        let exact = Some(mean.short_fraction()).filter(|text| !text.is_empty());
        let exact = exact.map_or_else(String::new, |text| format!(" = {text}"));
        add("mean", format!("{}{exact}", decimal(mean.decimal, 6)));
    }
    if let Some(sd) = found.sd {
        add("standard deviation", decimal(sd, 4));
    }
    for quantile in &found.quantiles {
        add(&format!("{} % quantile", quantile.percent), quantile.value.to_string());
    }
    if let (Some(first), Some(last)) = (found.values.first(), found.values.last()) {
        add("least and most", format!("{} and {}", first.value, last.value));
    }
    FigureTable { title, columns: ["", "value"].map(str::to_owned).to_vec(), rows }
}

fn chart(title: String, of: &str, found: &Distribution) -> PlotData {
    let points =
        found.values.iter().map(|value| (value.value as f64, 100.0 * value.probability.decimal, None, None));
    PlotData {
        title,
        x: of.to_owned(),
        y: "probability (%)".to_owned(),
        kind: PlotKind::Bars,
        names: vec![],
        series: vec![PlotSeries { name: of.to_owned(), points: points.collect() }],
    }
}
