//! A comparison as one HTML file to send: the verdict, what is changed, and for each agent the differences, a chart and a
//! table.

use std::fmt::Write as _;

use super::comparison::{
    COLUMNS, SHARED_WINS, SIDES, course_heading, dependences, describe, has_shared, heading, in_order,
    missing_course, rows, signed, why_incomplete,
};
use super::html::{document, escaped, rows as table, words};
use crate::chart::{Chart, ChartPanel, Kind, Point, Series};
use crate::prose::diff::RuleDifference;
use houserule_base::addresses::encode;
use houserule_base::numbers::counted;
use houserule_lab::analysis::FigureTable;
use houserule_playtest::sentences::{digits, factor, number};
use houserule_playtest::{AgentComparison, Comparison, CourseComparison, Quantity, describe_option};

/// Maximum number of figures at the head.
const CARDS: usize = 3;

/// The styles of the head, and of its figures.
const HEAD_STYLE: &str = ".top{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:2rem;align-items:start}\
.top img{max-width:100%;max-height:28rem;height:auto}.cards{display:flex;flex-wrap:wrap;gap:1rem;margin:1rem 0}\
.card{border:1px solid var(--hr-grid);border-radius:12px;padding:.6rem 1.2rem;flex:1 1 13rem;max-width:22rem}.card b{display:block;font-size:2.2em;line-height:1.2}\
.card svg{width:100%;height:auto}@media(max-width:44rem){.top{grid-template-columns:minmax(0,1fr)}}";

/// Formats a comparison as one HTML file. `changes` are the differences of the rules; `picture` is an SVG of the second game.
pub fn html(found: &Comparison, changes: &[RuleDifference], picture: Option<&str>) -> String {
    let title = format!("{} and {}", found.a.title, found.b.title);
    let mut out = format!(
        "<style>{HEAD_STYLE}</style>\n<p class=\"about\">{}</p>\n<h1>{}</h1>\n",
        escaped(&format!("Rules beside those of {}", found.a.title)),
        escaped(&found.b.title)
    );
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
    if let Some(why) = why_incomplete(found) {
        let _ = writeln!(out, "<p class=\"missing\">{}.</p>", escaped(&why));
    }
    out.push_str("<div class=\"top\">\n");
    if let Some(picture) = picture {
        let _ = writeln!(
            out,
            "<figure><img src=\"data:image/svg+xml,{}\" alt=\"{}\"><figcaption>A game of B.</figcaption></figure>",
            encode(picture, |byte| !byte.is_ascii_control() && !b"%#\"&<>".contains(&byte)),
            escaped(&format!("A game of {}", found.b.title))
        );
    }
    out.push_str("<div><h3>The rules that change</h3>\n");
    if changes.is_empty() {
        out.push_str("<p>The same rules, with other params or players.</p>\n");
    }
    for change in changes {
        let _ = writeln!(out, "<pre>{}</pre>", escaped(&change.text()));
    }
    if !found.verdict.is_empty() {
        let verdict = words(&found.verdict);
        let _ = writeln!(
            out,
            "<section class=\"first\"><h3>In short</h3>\n<p class=\"answer\">{verdict}</p></section>"
        );
    }
    out.push_str("</div>\n</div>\n");
    if let Some(best) = in_order(found).first().filter(|agent| agent.games > 0) {
        write_cards(&mut out, best);
    }
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

/// Writes the differences that matter most, each as a number with its interval, and both means on a line.
fn write_cards(out: &mut String, agent: &AgentComparison) {
    let main = agent.main_differences();
    if main.is_empty() {
        return;
    }
    out.push_str("<div class=\"cards\">\n");
    for quantity in main.into_iter().take(CARDS) {
        let factor = factor(quantity.kind);
        let half = quantity.half_width().unwrap_or(0.0) * factor;
        let places = digits(half);
        let unit = if quantity.kind.is_share() { " points" } else { "" };
        let shown = |value: f64| number(quantity.kind, value, places);
        let range = match (quantity.low, quantity.high) {
            (Some(low), Some(high)) if half > 0.0 => {
                format!("{} to {}", signed(low * factor, places), signed(high * factor, places))
            }
            _ => "in every game".to_owned(),
        };
        let _ = writeln!(
            out,
            "<div class=\"card\"><b>{}{unit}</b>{}<br><span class=\"range\">{range}; {} instead of {}</span>{}</div>",
            signed(quantity.difference * factor, places),
            escaped(&quantity.label),
            shown(quantity.b.mean),
            shown(quantity.a.mean),
            scale(quantity)
        );
    }
    out.push_str("</div>\n");
}

/// Draws both means and the interval of the second on a line from 0.
fn scale(quantity: &Quantity) -> String {
    const WIDE: f64 = 220.0;
    let most = quantity.a.mean.max(quantity.b.mean);
    if quantity.a.mean.min(quantity.b.mean) < 0.0 || most <= 0.0 {
        return String::new();
    }
    let at = |value: f64| 6.0 + (WIDE - 12.0) * value.max(0.0) / (1.15 * most);
    let (a, b) = (at(quantity.a.mean), at(quantity.b.mean));
    let half = quantity.half_width().unwrap_or(0.0);
    let (low, high) = (at(quantity.b.mean - half), at((quantity.b.mean + half).min(1.15 * most)));
    format!(
        "<svg viewBox=\"0 0 {WIDE} 24\" aria-hidden=\"true\"><path d=\"M6 12H{}\" stroke=\"var(--hr-grid)\" stroke-width=\"5\" \
         stroke-linecap=\"round\"/><path d=\"M{a:.1} 12H{b:.1}\" stroke=\"var(--hr-1)\" stroke-width=\"3\"/>\
         <path d=\"M{low:.1} 6v12M{high:.1} 6v12\" stroke=\"var(--hr-text)\"/><circle cx=\"{a:.1}\" cy=\"12\" r=\"5\" \
         fill=\"var(--hr-paper)\" stroke=\"var(--hr-0)\" stroke-width=\"2.5\"/><circle cx=\"{b:.1}\" cy=\"12\" r=\"5\" fill=\"var(--hr-1)\"/></svg>",
        WIDE - 6.0
    )
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
