//! A report on a game as text: for the terminal, and as Markdown.

use crate::report::columns::{GLUE, TextTable, wrap};
use houserule_base::numbers::{counted, decimal, duration};
use houserule_lab::analysis::{Figure, FigureTable, GameReport, HeatMap, ReportSection, shown};
use houserule_picture::paint::Paint;

/// Number of highest and lowest sites that text lists.
const SITES: usize = 5;

/// Formats a report for the terminal.
pub fn text(page: &GameReport, paint: Paint) -> String {
    let mut out = format!("{}\n", paint.head(&heading(page)));
    paragraph(&mut out, &about(page), paint, "", true);
    if let Some(why) = page.why_incomplete() {
        for line in wrap(why, paint.columns()) {
            out.push_str(&format!("{}\n", paint.error(&line)));
        }
    }
    out.push_str(&format!("\n{}\n", paint.head("Look at this first")));
    if page.first.is_empty() {
        paragraph(&mut out, page.nothing_first(), paint, "  ", false);
    }
    for flag in &page.first {
        paragraph(&mut out, &flag.sentence, paint, "  ", false);
        paragraph(&mut out, &format!("Rule: {}.", flag.rule), paint, "    ", true);
    }
    out.push_str(&sections(&page.sections, paint));
    out.push('\n');
    let end = format!(
        "± is half, and parentheses are the ends, of 95 % intervals. docs/metrics.md defines every figure. {} s",
        decimal(page.seconds, 1)
    );
    paragraph(&mut out, &end, paint, "", true);
    out
}

/// Formats sections for the terminal.
pub fn sections(all: &[ReportSection], paint: Paint) -> String {
    let mut out = String::new();
    for section in all {
        out.push_str(&format!("\n{}\n", paint.head(section.question)));
        paragraph(&mut out, &section.answer, paint, "  ", false);
        for table in &section.tables {
            out.push_str(&format!("\n  {}\n{}", paint.quiet(&table.title), rows(table).text(paint)));
        }
        let single = figures(section);
        if !single.is_empty() {
            out.push('\n');
            out.push_str(&single.text(paint));
        }
        for map in &section.boards {
            paragraph(&mut out, &extremes(map), paint, "  ", false);
        }
        for missing in &section.missing {
            let line = format!(
                "Not here: {}, because {}. To have it: {}.",
                missing.what, missing.why, missing.remedy
            );
            paragraph(&mut out, &line, paint, "  ", true);
        }
        for note in &section.notes {
            paragraph(&mut out, note, paint, "  ", true);
        }
    }
    out
}

/// Formats reports as Markdown, what stands side by side first.
pub fn document(beside: &[ReportSection], pages: &[&GameReport]) -> String {
    let mut out = String::new();
    beside.iter().for_each(|section| section_of(&mut out, section));
    for page in pages {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&markdown(page));
    }
    out
}

fn markdown(page: &GameReport) -> String {
    let mut out = format!("# {}\n\n{}\n\n## Look at this first\n\n", heading(page), about(page));
    if let Some(why) = page.why_incomplete() {
        out.push_str(&format!("{why}.\n\n"));
    }
    if page.first.is_empty() {
        out.push_str(&format!("{}\n", page.nothing_first()));
    }
    for flag in &page.first {
        out.push_str(&format!("- **{}** Rule: {}.\n", flag.sentence, flag.rule));
    }
    page.sections.iter().for_each(|section| section_of(&mut out, section));
    out
}

/// Adds a section as Markdown.
fn section_of(out: &mut String, section: &ReportSection) {
    let cell = |text: &str| text.replace('|', "\\|");
    out.push_str(&format!("\n## {}\n\n{}\n", section.question, section.answer));
    for table in &section.tables {
        out.push_str(&format!("\n{}:\n\n", table.title));
        out.push_str(&format!(
            "| {} |\n",
            table.columns.iter().map(|name| cell(name)).collect::<Vec<_>>().join(" | ")
        ));
        out.push_str(&format!("|{}\n", " --- |".repeat(table.columns.len())));
        for row in &table.rows {
            out.push_str(&format!(
                "| {} |\n",
                row.iter().map(|text| cell(text)).collect::<Vec<_>>().join(" | ")
            ));
        }
    }
    let single: Vec<&Figure> = untabled(section).collect();
    if !single.is_empty() {
        out.push_str("\n| figure | value | 95 % interval | players |\n| --- | --- | --- | --- |\n");
    }
    for figure in single {
        out.push_str(&format!(
            "| {} | {} | {} | {} |\n",
            cell(&figure.label),
            figure.shown(),
            figure.range(),
            figure.agent
        ));
    }
    for map in &section.boards {
        out.push_str(&format!("\n{}\n", extremes(map)));
    }
    for missing in &section.missing {
        out.push_str(&format!(
            "\n*Not here: {}, because {}. To have it: {}.*\n",
            missing.what, missing.why, missing.remedy
        ));
    }
    for note in &section.notes {
        out.push_str(&format!("\n{note}\n"));
    }
}

/// The title of a report.
pub fn heading(page: &GameReport) -> String {
    match page.game == page.title {
        true => page.title.clone(),
        false => format!("{} ({})", page.title, page.game),
    }
}

/// Who played, in a sentence.
pub(crate) fn about(page: &GameReport) -> String {
    let runs: Vec<String> = page
        .agents
        .iter()
        .map(|run| {
            let trainings =
                run.trainings.map(|n| format!(", {}", counted(n, "training"))).unwrap_or_default();
            format!("{} ({}{trainings})", run.agent, counted(run.games, "game"))
        })
        .collect();
    let mut facts = vec![counted(page.players, "player"), format!("played by {}", runs.join(", "))];
    facts.push(format!("seed {}", page.seed));
    facts.extend(page.params.iter().cloned());
    facts.push(duration(page.seconds));
    facts.join(" · ")
}

/// The figures of a section that are in none of its tables.
pub(crate) fn untabled(section: &ReportSection) -> impl Iterator<Item = &Figure> {
    let is_counted = |figure: &Figure| {
        matches!(figure.metric, "step_use" | "option_use" | "otherwise_use" | "item" | "ended_by")
    };
    section.figures.iter().filter(move |figure| !figure.is_tabled && !is_counted(figure))
}

fn figures(section: &ReportSection) -> TextTable {
    let mut table = TextTable::default();
    let all: Vec<&Figure> = untabled(section).collect();
    let agents = all.iter().map(|figure| &figure.agent).collect::<std::collections::BTreeSet<_>>().len();
    for figure in all {
        let mut row = vec![figure.label.clone(), figure.shown(), figure.range()];
        if agents > 1 {
            row.push(figure.agent.clone());
        }
        table.row(row);
    }
    table
}

fn rows(table: &FigureTable) -> TextTable {
    let names: Vec<&str> = table.columns.iter().map(String::as_str).collect();
    let mut rows = TextTable::default().head(&names);
    for row in &table.rows {
        rows.row(row.iter().cloned());
    }
    rows
}

/// Names the sites with the greatest and the least values of a board.
pub(crate) fn extremes(map: &HeatMap) -> String {
    let mut sites: Vec<(f64, &str)> = map
        .values
        .iter()
        .zip(&map.sites)
        .filter_map(|(value, site)| Some(((*value)?, site.as_str())))
        .collect();
    sites.sort_by(|a, b| b.0.total_cmp(&a.0));
    let tell = |of: &mut dyn Iterator<Item = &(f64, &str)>| {
        of.map(|(value, site)| format!("{site} {}", shown(*value, Some(value.abs() / 10.0), map.unit)))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let board = &map.board;
    if sites.len() <= 2 * SITES {
        return format!("{} ({board}): {}.", map.title, tell(&mut sites.iter()));
    }
    let (most, least) = (tell(&mut sites.iter().take(SITES)), tell(&mut sites.iter().rev().take(SITES)));
    format!("{} ({board}, {}): most {most}; least {least}.", map.title, counted(sites.len(), "site"))
}

/// Joins each number with its unit, so that no line is broken between them.
fn glued(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split(' ') {
        let unit = word.trim_end_matches(['.', ',', ';', ':', ')']);
        let is_of_number =
            matches!(unit, "%" | "s" | "min") && out.ends_with(|last: char| last.is_ascii_digit());
        if !out.is_empty() {
            out.push_str(if is_of_number { GLUE } else { " " });
        }
        out.push_str(word);
    }
    out
}

fn paragraph(out: &mut String, text: &str, paint: Paint, indent: &str, quiet: bool) {
    for line in wrap(&glued(text), paint.columns().saturating_sub(indent.len())) {
        let line = line.replace(GLUE, " ");
        let line = if quiet { paint.quiet(&line) } else { line };
        out.push_str(&format!("{indent}{line}\n"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_broken_between_a_number_and_its_unit() {
        let mut out = String::new();
        paragraph(&mut out, "seed 1 · 6 s and 25 % of it", Paint::plain().with_columns(10), "", false);
        assert_eq!(out, "seed 1 ·\n6 s and\n25 % of it\n");
    }
}
