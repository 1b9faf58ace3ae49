//! The measures that those know who study games: they stand together at the end of a report.

use super::course::calibration;
use crate::analysis::evidence::Evidence;
use crate::analysis::page::ReportSection;

/// The metrics.
const MEASURES: [&str; 8] =
    ["killer_move", "drama", "volatility", "surprise", "uncertainty", "game_tree", "near_best", "response"];

/// Moves the measures of the trade out of the sections of a report, and adds how well its expectations come true. Returns `None`
/// if there are none.
pub(in crate::analysis) fn trade(
    all: &Evidence<'_>,
    sections: &mut [ReportSection],
) -> Option<ReportSection> {
    let mut found = ReportSection {
        id: "measures",
        question: "What do the measures of the trade say?",
        answer: "For those who know them: drama, surprise, open bits, complexity, and how well expectations come true."
            .to_owned(),
        ..all.section()
    };
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
    (!found.figures.is_empty()).then_some(found)
}
