//! A comparison as one HTML file to send: the verdict, what is changed, and for each agent the differences, a chart and a
//! table.

use std::fmt::Write as _;

use super::comparison::{COLUMNS, SIDES, dependences, describe, heading, in_order, rows};
use super::html::{document, escaped, rows as table, words};
use crate::chart::{Chart, ChartPanel, Kind, Point, Series};
use crate::prose::diff::RuleDifference;
use houserule_base::numbers::counted;
use houserule_lab::analysis::FigureTable;
use houserule_playtest::{AgentComparison, Comparison};

/// Formats a comparison as one HTML file. `changes` are the differences of the rules.
pub fn html(found: &Comparison, changes: &[RuleDifference]) -> String {
    let title = format!("{} and {}", found.a.title, found.b.title);
    let mut out = format!("<h1>{}</h1>\n", escaped(&title));
    let _ = writeln!(
        out,
        "<p class=\"about\">A: {} ({}) · B: {} ({}) · {} · seed {}</p>",
        escaped(&found.a.title),
        escaped(&found.a.game),
        escaped(&found.b.title),
        escaped(&found.b.game),
        counted(found.a.players, "player"),
        found.seeds[0]
    );
    if found.same_rules {
        out.push_str(
            "<p class=\"answer\">A and B have the same rules and params: every game is the same.</p>\n",
        );
        return document(&title, false, &out);
    }
    if found.interrupted {
        out.push_str("<p class=\"missing\">Interrupted: all figures are partial.</p>\n");
    }
    if !found.verdict.is_empty() {
        let verdict = words(&found.verdict);
        let _ = writeln!(
            out,
            "<section class=\"first\"><h3>In short</h3>\n<p class=\"answer\">{verdict}</p></section>"
        );
    }
    out.push_str("<section><h2>What changes</h2>\n");
    if changes.is_empty() {
        out.push_str("<p>The same rules, with other params or players.</p>\n");
    }
    for change in changes {
        let _ = writeln!(out, "<pre>{}</pre>", escaped(&change.text()));
    }
    out.push_str("</section>\n");
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
    let rows = rows(agent).into_iter().map(Vec::from).collect::<Vec<_>>();
    if !rows.is_empty() {
        let columns = COLUMNS.map(str::to_owned).to_vec();
        table(out, &FigureTable { title: "Means of both, and the difference".to_owned(), columns, rows });
    }
    out.push_str("</section>\n");
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
