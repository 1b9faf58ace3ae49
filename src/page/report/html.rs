//! A report as one HTML file: no network, no script, light and dark, and legible in print.

use std::fmt::Write as _;

use crate::chart::{Chart, ChartPanel, Kind, Point, STYLE, Series};
use crate::report::head::{GameGlance, write_game, write_style};
use crate::report::page::{about, extremes, heading, untabled};
use houserule_lab::analysis::{
    Figure, FigureTable, FigureUnit, GameReport, HeatMap, PlotData, PlotKind, ReportSection, shown,
};

/// Side of a site of a heat map, in pixels.
const SITE: f64 = 34.0;

/// Maximum number of columns of a heat map whose sites have numbers.
const NUMBERED: f64 = 14.0;

/// The style sheet of the page. Colours are those of the charts.
const PAGE_STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;background:var(--hr-paper);color:var(--hr-text);\
max-width:62rem;margin:0 auto;padding:1rem}h1{margin:.2em 0}h2{margin:1.8em 0 .3em;border-top:1px solid var(--hr-grid);\
padding-top:.8em}h3{font-size:1em;margin:1em 0 .2em}.about,.note,.missing,caption{color:var(--hr-quiet);font-size:.9em}\
.answer{font-size:1.1em}table{border-collapse:collapse;margin:.6em 0;font-variant-numeric:tabular-nums}\
caption{text-align:left}th,td{padding:.2em .8em .2em 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--hr-grid)}\
nav a{margin-right:1em}.first{border-left:4px solid var(--hr-1);padding:.1em 1em}.charts,.boards{display:flex;flex-wrap:wrap;gap:1rem}\
.range{color:var(--hr-quiet)}a{color:var(--hr-0)}figure{margin:0}figcaption{font-size:.9em;color:var(--hr-quiet)}\
.wide{overflow-x:auto}.two{max-width:none}.two .side{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:0 2.5rem}\
pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:.9em;margin:.3em 0}@media(max-width:60rem){.two .side{grid-template-columns:minmax(0,1fr)}}\
@media print{nav{display:none}h2,figure,tr{break-inside:avoid}body{max-width:none;font-size:11pt}}";

/// A report, with what its head shows of the game.
#[derive(Clone, Copy, Debug)]
pub struct GlancedReport<'p> {
    /// The report.
    pub page: &'p GameReport,
    /// What is shown of the game.
    pub glance: Option<&'p GameGlance>,
}

/// Formats reports as one HTML file. Two stand side by side; with more, links at the top of each lead to its sections.
pub fn html(title: &str, together: &[ReportSection], pages: &[GlancedReport<'_>]) -> String {
    let mut out = String::new();
    write_style(&mut out);
    if !together.is_empty() {
        let _ = writeln!(out, "<h1>{}</h1>", escaped(title));
        for part in together {
            section(&mut out, part, "");
        }
    }
    match pages {
        [a, b] => side_by_side(&mut out, [*a, *b]),
        _ => {
            for (number, page) in pages.iter().enumerate() {
                let prefix = if pages.len() > 1 { format!("{}-", number + 1) } else { String::new() };
                one(&mut out, *page, &prefix);
            }
        }
    }
    document(title, pages.len() == 2, &out)
}

/// Makes a file of the body of a page, in the common style.
pub(crate) fn document(title: &str, is_double: bool, body: &str) -> String {
    let class = if is_double { " class=\"two\"" } else { "" };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n<style>{STYLE}\n{PAGE_STYLE}</style>\n</head>\n<body{class}>\n\
         {body}</body>\n</html>\n",
        escaped(title)
    )
}

fn one(out: &mut String, glanced: GlancedReport<'_>, prefix: &str) {
    let page = glanced.page;
    head(out, page);
    write_game(out, glanced);
    contents(out, page, prefix);
    first(out, page);
    for part in &page.sections {
        section(out, part, prefix);
    }
    out.push_str(LEGEND);
}

/// How to read the figures.
pub(super) const LEGEND: &str = "<p class=\"note\">Figures in parentheses are 95 % intervals. docs/metrics.md of houserule defines every figure.</p>\n";

/// Writes two reports side by side, section by section.
fn side_by_side(out: &mut String, pages: [GlancedReport<'_>; 2]) {
    let mut both = |write: &dyn Fn(&mut String, GlancedReport<'_>, &str)| {
        out.push_str("<div class=\"side\">\n");
        for (page, prefix) in pages.into_iter().zip(["1-", "2-"]) {
            out.push_str("<div>\n");
            write(out, page, prefix);
            out.push_str("</div>\n");
        }
        out.push_str("</div>\n");
    };
    both(&|out, glanced, prefix| {
        head(out, glanced.page);
        write_game(out, glanced);
        contents(out, glanced.page, prefix);
        first(out, glanced.page);
    });
    let count = pages.iter().map(|one| one.page.sections.len()).max().unwrap_or(0);
    for at in 0..count {
        both(&|out, glanced, prefix| {
            if let Some(part) = glanced.page.sections.get(at) {
                section(out, part, prefix);
            }
        });
    }
    out.push_str(LEGEND);
}

/// Writes the title of a report, and what it stands on.
fn head(out: &mut String, page: &GameReport) {
    let _ = writeln!(
        out,
        "<h1>{}</h1>\n<p class=\"about\">{}</p>",
        escaped(&heading(page)),
        escaped(&about(page))
    );
}

/// Writes links to the sections.
fn contents(out: &mut String, page: &GameReport, prefix: &str) {
    out.push_str("<nav aria-label=\"Sections\">");
    for section in &page.sections {
        let _ = write!(out, "<a href=\"#{prefix}{}\">{}</a> ", section.id, escaped(section.question));
    }
    out.push_str("</nav>\n");
}

/// Writes what to look at first.
fn first(out: &mut String, page: &GameReport) {
    if let Some(why) = page.why_incomplete() {
        let _ = writeln!(out, "<p class=\"missing\">{}.</p>", words(why));
    }
    out.push_str("<section class=\"first\"><h3>Look at this first</h3>\n");
    if page.first.is_empty() {
        let _ = writeln!(out, "<p>{}</p>", page.nothing_first());
    }
    for flag in &page.first {
        let _ = writeln!(
            out,
            "<p>{} <span class=\"note\">Rule: {}.</span></p>",
            words(&flag.sentence),
            words(&flag.rule)
        );
    }
    out.push_str("</section>\n");
}

fn section(out: &mut String, section: &ReportSection, prefix: &str) {
    let _ = writeln!(
        out,
        "<section id=\"{prefix}{}\">\n<h2>{}</h2>\n<p class=\"answer\">{}</p>",
        section.id,
        escaped(section.question),
        words(&section.answer)
    );
    for table in &section.tables {
        rows(out, table);
    }
    figures(out, section);
    if !section.charts.is_empty() {
        out.push_str("<div class=\"charts\">\n");
        for plot in &section.charts {
            let _ = writeln!(out, "<figure>{}</figure>", chart(plot).svg(false));
        }
        out.push_str("</div>\n");
    }
    if !section.boards.is_empty() {
        out.push_str("<div class=\"boards\">\n");
        section.boards.iter().for_each(|map| heat_map(out, map));
        out.push_str("</div>\n");
    }
    for missing in &section.missing {
        let _ = writeln!(
            out,
            "<p class=\"missing\">Not here: {}, because {}. To have it: {}.</p>",
            words(&missing.what),
            words(&missing.why),
            words(&missing.remedy)
        );
    }
    for note in &section.notes {
        let _ = writeln!(out, "<p class=\"note\">{}</p>", words(note));
    }
    out.push_str("</section>\n");
}

pub(super) fn rows(out: &mut String, table: &FigureTable) {
    let _ = write!(out, "<div class=\"wide\"><table><caption>{}</caption><thead><tr>", escaped(&table.title));
    for name in &table.columns {
        let _ = write!(out, "<th scope=\"col\">{}</th>", escaped(name));
    }
    out.push_str("</tr></thead><tbody>\n");
    for row in &table.rows {
        out.push_str("<tr>");
        for cell in row {
            let _ = write!(out, "<td>{}</td>", cell_of(cell));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
}

/// Formats a cell; what follows ± is set in a quieter colour.
fn cell_of(cell: &str) -> String {
    match cell.split_once(" ±") {
        Some((value, half)) => format!("{} <span class=\"range\">±{}</span>", escaped(value), escaped(half)),
        None => words(cell),
    }
}

fn figures(out: &mut String, section: &ReportSection) {
    let single: Vec<&Figure> = untabled(section).collect();
    if single.is_empty() {
        return;
    }
    out.push_str("<table><thead><tr><th scope=\"col\">figure</th><th scope=\"col\">value</th><th scope=\"col\">95 % interval</th><th scope=\"col\">players</th></tr></thead><tbody>\n");
    for figure in single {
        let _ = writeln!(
            out,
            "<tr><td>{}</td><td>{}</td><td class=\"range\">{}</td><td class=\"range\">{}</td></tr>",
            words(&figure.label),
            figure.shown(),
            figure.range(),
            escaped(&figure.agent)
        );
    }
    out.push_str("</tbody></table>\n");
}

/// Makes a chart of its data.
fn chart(plot: &PlotData) -> Chart {
    let has_band = plot.series.iter().flat_map(|series| &series.points).any(|point| point.2.is_some());
    let kind = match plot.kind {
        PlotKind::Line if has_band => Kind::Bands,
        PlotKind::Line => Kind::Lines,
        PlotKind::Bars => Kind::Histogram,
        PlotKind::Points => Kind::Points,
    };
    let series = plot.series.iter().map(|series| Series {
        name: series.name.clone(),
        points: series
            .points
            .iter()
            .map(|(x, y, low, high)| Point::new(*x, *y).within(*low, *high))
            .collect(),
    });
    Chart {
        title: plot.title.clone(),
        panels: vec![ChartPanel {
            x_label: plot.x.clone(),
            y_label: plot.y.clone(),
            kind,
            names: plot.names.clone(),
            series: series.collect(),
            ..ChartPanel::default()
        }],
        ..Chart::default()
    }
}

/// Draws numbers on the sites of a board: the stronger the colour, the further from 0.
fn heat_map(out: &mut String, map: &HeatMap) {
    let most = map.values.iter().flatten().map(|value| value.abs()).fold(0.0, f64::max);
    let (columns, rows) =
        map.positions.iter().fold((0.0f64, 0.0f64), |ends, at| (ends.0.max(at.0), ends.1.max(at.1)));
    let numbered = columns < NUMBERED;
    let side = if numbered { SITE } else { (SITE * NUMBERED / (columns + 1.0)).max(6.0) };
    let (width, height) = ((columns + 1.0) * side, (rows + 1.0) * side);
    let _ = write!(
        out,
        "<figure><svg class=\"hr-chart\" role=\"img\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\"><title>{}</title><desc>{}</desc>",
        escaped(&map.title),
        escaped(&extremes(map))
    );
    for ((value, (x, y)), site) in map.values.iter().zip(&map.positions).zip(&map.sites) {
        let (x, y) = (x * side, y * side);
        let strength = value.map_or(0.0, |value| if most > 0.0 { value.abs() / most } else { 0.0 });
        let colour = if value.is_some_and(|value| value < 0.0) { 5 } else { 0 };
        let text = value.map_or_else(|| "none".to_owned(), |value| shown(value, Some(most / 20.0), map.unit));
        let _ = write!(
            out,
            "<g><title>{}: {text}</title><rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"3\" class=\"hr-{colour}\" fill-opacity=\"{:.2}\" stroke-opacity=\".25\"/>",
            escaped(site),
            x + 1.0,
            y + 1.0,
            side - 2.0,
            side - 2.0,
            0.85 * strength
        );
        if numbered && value.is_some() {
            let _ = write!(
                out,
                "<text class=\"hr-text\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"10\">{}</text>",
                x + side / 2.0,
                y + side / 2.0 + 3.5,
                // The heading has the unit.
                text.split(' ').next().unwrap_or_default()
            );
        }
        out.push_str("</g>");
    }
    let unit = match map.unit {
        FigureUnit::Share => ", in percent",
        FigureUnit::Difference => ", in percentage points",
        _ => "",
    };
    let _ = writeln!(
        out,
        "</svg><figcaption>{} ({}{unit})</figcaption></figure>",
        escaped(&map.title),
        escaped(&map.board)
    );
}

/// Escapes text for HTML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Escapes a sentence for HTML, with what stands between backticks as code.
pub(super) fn words(text: &str) -> String {
    let text = escaped(text);
    let mut parts = text.split('`');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for (at, part) in parts.enumerate() {
        let tag = if at % 2 == 0 { "<code>" } else { "</code>" };
        out.push_str(tag);
        out.push_str(part);
    }
    out
}
