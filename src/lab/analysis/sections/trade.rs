//! The measures that those know who study games: they stand together at the end of a report.

use super::course::calibration;
use crate::analysis::evidence::Evidence;
use crate::analysis::page::ReportSection;
use houserule_base::names::list_words;

/// The metrics.
const MEASURES: [&str; 8] =
    ["killer_move", "drama", "volatility", "surprise", "uncertainty", "game_tree", "near_best", "response"];

/// What they are about, by the first metric of each.
const NAMES: [(&str, &str); 6] = [
    ("drama", "drama"),
    ("surprise", "surprise"),
    ("uncertainty", "open bits"),
    ("game_tree", "complexity"),
    ("near_best", "how near actions are to the best"),
    ("calibration_error", "how well expectations come true"),
];

/// Moves the measures of the trade out of the sections of a report, and adds how well its expectations come true. Returns `None`
/// if there are none.
pub(in crate::analysis) fn trade(
    all: &Evidence<'_>,
    sections: &mut [ReportSection],
) -> Option<ReportSection> {
    let mut found =
        ReportSection { id: "measures", question: "What do the measures of the trade say?", ..all.section() };
    for section in sections {
        let (measures, others) = std::mem::take(&mut section.figures)
            .into_iter()
            .partition(|figure| MEASURES.contains(&figure.metric));
        section.figures = others;
        found.figures.extend::<Vec<_>>(measures);
    }
    if all.trusted().is_ok() {
        calibration(&mut found, all, &all.best().agent);
    }
    let has = |metric: &str| found.figures.iter().any(|figure| figure.metric == metric);
    let told: Vec<String> =
        NAMES.iter().filter(|(metric, _)| has(metric)).map(|(_, name)| (*name).to_owned()).collect();
    found.answer = match told.is_empty() {
        true => "For those who know them.".to_owned(),
        false => format!("For those who know them: {}.", list_words(&told)),
    };
    (!found.figures.is_empty()).then_some(found)
}
