//! Several reports side by side: numbers of players, or two games.

use super::page::{Figure, FigureTable, FigureUnit, GameReport, ReportSection};
use houserule_base::numbers::{counted, grouped};
use houserule_base::statistics::sample::Interval;

/// The figures that stand side by side, if the pages have them.
const SHOWN: &[&str] = &[
    "score",
    "seat_gap",
    "draws",
    "turns_median",
    "turns_95",
    "minutes",
    "decided_point",
    "decided_early",
    "lead_changes",
    "comebacks",
    "kingmaking",
    "open_variance",
    "choice",
    "branching",
    "stakes",
    "matter",
    "skill_share",
    "luck_share",
    "luck_of_events",
    "elo_per_doubling",
    "occupied",
];

/// Compares pages of the same game with different numbers of players.
pub fn by_players(pages: &[&GameReport]) -> ReportSection {
    let names: Vec<String> = pages.iter().map(|page| counted(page.players, "player")).collect();
    let mut section = ReportSection {
        id: "players",
        question: "With how many?",
        tables: vec![table(pages, &names)],
        ..ReportSection::default()
    };
    let told = |metric: &str| -> Vec<String> {
        let figures =
            pages.iter().zip(&names).filter_map(|(page, name)| Some((figure(page, metric, None)?, name)));
        figures.map(|(figure, name)| format!("{} with {name}", figure.with_interval())).collect()
    };
    let minutes = told("minutes");
    section.answer = match minutes.is_empty() {
        true => "No game was finished, so nothing is known.".to_owned(),
        false => format!("A game takes {}.", minutes.join(", ")),
    };
    let gaps = told("seat_gap");
    if !gaps.is_empty() {
        // The label of the figure says whether teams play.
        let mut labels = pages.iter().filter_map(|page| Some(&figure(page, "seat_gap", None)?.label));
        let opponents = if labels.any(|label| label.ends_with("sides")) { "sides" } else { "seats" };
        section.answer += &format!(" The wins of the {opponents} differ by {}.", gaps.join(", "));
    }
    section
}

/// Compares the pages of two games. The differences are between independent estimates, so on common dice they are
/// known better than their intervals say.
pub fn two_games(a: &GameReport, b: &GameReport) -> ReportSection {
    let names = ["A", "B"].map(str::to_owned);
    let mut table = table(&[a, b], &names);
    table.columns.push("B − A".to_owned());
    let mut beyond = vec![];
    for (row, (metric, label)) in table.rows.iter_mut().zip(metrics(&[a, b])) {
        let pair = (figure(a, metric, Some(&label)), figure(b, metric, Some(&label)));
        let difference = match pair {
            (Some(one), Some(other)) => {
                let half = one.half().zip(other.half()).map(|(one, other)| one.hypot(other));
                let of = Interval::around(other.value - one.value, half);
                let unit = match one.unit {
                    FigureUnit::Share => FigureUnit::Difference,
                    unit => unit,
                };
                let difference = Figure::new(metric, label.clone(), of, unit, "");
                if half.is_some_and(|half| of.value.abs() > half && half > 0.0) {
                    beyond.push(label);
                }
                difference.plus_minus()
            }
            _ => String::new(),
        };
        row.push(difference);
    }
    ReportSection {
        id: "difference",
        question: "What is different?",
        answer: match beyond.as_slice() {
            [] => "No figure of the two reports differs by more than its interval.".to_owned(),
            [one] => format!("One figure differs by more than its interval: {one}."),
            some => {
                let number = grouped(some.len() as u64);
                format!("{number} figures differ by more than their intervals: {}.", some.join("; "))
            }
        },
        tables: vec![table],
        notes: vec![
            "Differences are between independent estimates, each with its own players; `houserule compare` plays both games on \
             common dice, which tells smaller differences."
                .to_owned(),
        ],
        ..ReportSection::default()
    }
}

/// The metrics that any of the pages has, with their labels.
fn metrics(pages: &[&GameReport]) -> Vec<(&'static str, String)> {
    let mut found: Vec<(&'static str, String)> = vec![];
    for metric in SHOWN {
        for page in pages {
            let figures = page.sections.iter().flat_map(|section| &section.figures);
            for figure in figures.filter(|figure| figure.metric == *metric && is_of_best(page, figure)) {
                if !found.iter().any(|(known, label)| known == metric && *label == figure.label) {
                    found.push((metric, figure.label.clone()));
                }
            }
        }
    }
    found
}

fn table(pages: &[&GameReport], names: &[String]) -> FigureTable {
    let mut table =
        FigureTable { title: "The strongest players of each".to_owned(), ..FigureTable::default() };
    table.columns = [vec![String::new()], names.to_vec()].concat();
    for (metric, label) in metrics(pages) {
        let cells = pages.iter().map(|page| {
            figure(page, metric, Some(&label)).map_or_else(String::new, |figure| figure.plus_minus())
        });
        table.rows.push([vec![label.clone()], cells.collect()].concat());
    }
    table
}

/// Whether the figure is of the strongest player, or of several at once.
fn is_of_best(page: &GameReport, figure: &Figure) -> bool {
    let weaker = page.agents.iter().skip(1).any(|run| run.agent == figure.agent);
    !weaker
}

/// The figure of the strongest player.
fn figure<'p>(page: &'p GameReport, metric: &str, label: Option<&str>) -> Option<&'p Figure> {
    let figures = page.sections.iter().flat_map(|section| &section.figures);
    let mut of = figures.filter(|figure| figure.metric == metric && is_of_best(page, figure));
    of.find(|figure| label.is_none_or(|label| figure.label == label))
}
