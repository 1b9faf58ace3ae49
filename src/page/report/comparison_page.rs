//! A comparison as one HTML file to send: its head, and for each agent the differences, a chart and a table.

use std::fmt::Write as _;

use super::comparison::{
    COLUMNS, SHARED_WINS, SIDES, course_heading, dependences, describe, has_shared, heading, in_order,
    missing_course, rows,
};
use super::head::{ComparedRules, write_comparison};
use super::html::{document, escaped, rows as table, words};
use crate::chart::{Chart, ChartPanel, Kind, Point, Series};
use houserule_base::numbers::counted;
use houserule_lab::analysis::FigureTable;
use houserule_playtest::{AgentComparison, Comparison, CourseComparison, describe_option};

/// Formats a comparison as one HTML file. `told` is what its head tells beside the results.
pub fn html(found: &Comparison, told: &ComparedRules) -> String {
    let title = format!("{} and {}", found.a.title, found.b.title);
    let mut out = String::new();
    write_comparison(&mut out, found, told);
    if found.same_rules {
        return document(&title, false, &out);
    }
    if !found.verdict.is_empty() {
        let verdict = words(&found.verdict);
        let _ = writeln!(out, "<section class=\"first\"><h3>In short</h3>\n<p>{verdict}</p></section>");
    }
    let _ = writeln!(
        out,
        "<p class=\"about\">A: {} ({}) · B: {} ({}) · {}</p>",
        escaped(&found.a.title),
        escaped(&found.a.game),
        escaped(&found.b.title),
        escaped(&found.b.game),
        counted(found.a.players, "player"),
    );
    for agent in in_order(found) {
        one(&mut out, agent, found);
    }
    if !found.depends.is_empty() {
        out.push_str("<section><h2>What depends on how well the game is played</h2>\n");
        for line in dependences(found) {
            let _ = writeln!(out, "<p>{}</p>", words(&line));
        }
        out.push_str("</section>\n");
    }
    if found.agents.iter().any(has_shared) {
        let _ = writeln!(out, "<p class=\"note\">{SHARED_WINS}</p>");
    }
    if found.tested > 0 {
        let _ = writeln!(out, "<p class=\"note\">{}</p>", words(&found.note()));
    }
    document(&title, false, &out)
}

/// Writes the results of an agent.
fn one(out: &mut String, agent: &AgentComparison, found: &Comparison) {
    let _ = writeln!(out, "<section><h2>{}</h2>", escaped(&heading(agent, found)));
    for line in describe(agent, found, SIDES) {
        let _ = writeln!(out, "<p>{}</p>", words(&line));
    }
    if let Some(chart) = chart(agent) {
        let _ = writeln!(out, "<figure>{}</figure>", chart.svg(false));
    }
    let figures = rows(&agent.quantities, agent.games).into_iter().map(Vec::from).collect::<Vec<_>>();
    if !figures.is_empty() {
        let columns = COLUMNS.map(str::to_owned).to_vec();
        table(
            out,
            &FigureTable { title: "Means of both, and the difference".to_owned(), columns, rows: figures },
        );
    }
    if let Some(course) = &agent.course {
        write_course(out, course);
    }
    out.push_str("</section>\n");
}

/// Writes what was seen on the way of games.
fn write_course(out: &mut String, course: &CourseComparison) {
    let lines = course.options.iter().map(describe_option).chain(missing_course(course));
    for line in lines {
        let _ = writeln!(out, "<p>{}</p>", words(&line));
    }
    let figures = rows(&course.figures, course.games[0].min(course.games[1]))
        .into_iter()
        .map(Vec::from)
        .collect::<Vec<_>>();
    if !figures.is_empty() {
        let columns = COLUMNS.map(str::to_owned).to_vec();
        table(out, &FigureTable { title: course_heading(course), columns, rows: figures });
    }
}

/// Draws the differences that were found, as parts of the first mean.
fn chart(agent: &AgentComparison) -> Option<Chart> {
    let (mut names, mut points) = (vec![], vec![]);
    for quantity in agent.quantities.iter().filter(|quantity| quantity.differs && quantity.same_as.is_none())
    {
        let (Some(part), Some(low), Some(high)) = (quantity.relative, quantity.low, quantity.high) else {
            continue;
        };
        let of = |end: f64| 100.0 * end / quantity.a.mean.abs();
        points.push(Point::new(names.len() as f64, 100.0 * part).within(Some(of(low)), Some(of(high))));
        names.push(quantity.label.clone());
    }
    (!names.is_empty()).then(|| Chart {
        title: "Differences, in percent of A".to_owned(),
        panels: vec![ChartPanel {
            y_label: "difference (%)".to_owned(),
            kind: Kind::Points,
            names,
            guides: vec![0.0],
            series: vec![Series { name: agent.agent.clone(), points }],
            ..ChartPanel::default()
        }],
        ..Chart::default()
    })
}
