//! Formats a comparison as text: sentences first, then the figures.

use crate::report::columns::{TextTable, counted, decimal, grouped, name_end, nouns, trimmed, wrap};
use houserule_base::names::list_words;
use houserule_base::statistics::interval::NORMAL;
use houserule_game::values::param_text_of_json;
use houserule_picture::paint::Paint;
use houserule_playtest::sentences::{
    GREEDY_WITHOUT_SCORE, bounded, capital, digits, factor, number, percentage_points, unit,
};
use houserule_playtest::{
    AgentComparison, ComparedGame, Comparison, CourseComparison, Disagreement, Estimate, Only, Quantity,
    Subject, describe_option,
};

/// Formats the whole report.
pub fn report(found: &Comparison, paint: Paint) -> String {
    let mut text = title(found, paint);
    if found.same_rules {
        text.push_str("\nA and B have the same rules and params: every game is the same.\n");
        return text;
    }
    if let Some(line) = why_incomplete(found) {
        text.push_str(&format!("\n{}\n", paint.error(&wrap(&line, paint.columns()).join("\n"))));
    }
    if !found.verdict.is_empty() {
        text.push_str(&format!("\n{}\n", paint.head("In short")));
        paragraphs(&mut text, std::slice::from_ref(&found.verdict), paint);
    }
    text.push_str(&answers(found, paint));
    text
}

/// Says which figures are missing or partial because the comparison was stopped. Returns `None` if it was not.
pub(super) fn why_incomplete(found: &Comparison) -> Option<String> {
    if !found.interrupted {
        return None;
    }
    let ended = name_end(found.out_of_time);
    let unit = unit(found.match_play);
    let has_played = found.agents.iter().any(|agent| agent.games + agent.aborted > 0);
    if found.out_of_time && !has_played {
        return Some(format!("{ended} before a {unit} of each was finished: there is no figure"));
    }
    let (mut whole, mut partial) = (vec![], vec![]);
    for (agent, wanted) in found.agents.iter().zip(&found.requested) {
        let (played, who) = (agent.games + agent.aborted, format!("{} players", agent.agent));
        match played < *wanted {
            true => partial.push((format!("{} of {}", grouped(played), counted(*wanted, unit)), who)),
            false => whole.push(who),
        }
    }
    let mut clauses = vec![];
    if !whole.is_empty() {
        clauses.push(format!("the figures of {} are whole", list_words(&whole)));
    }
    // Only the last agent that played may have been stopped in the midst.
    clauses.extend(partial.into_iter().map(|(games, who)| match whole.is_empty() {
        true => format!("all figures are partial, from {games} of {who}"),
        false => format!("those of {who} are partial, from {games}"),
    }));
    if !found.missing.is_empty() {
        let those = if clauses.is_empty() { "the figures" } else { "those" };
        clauses.push(format!("{those} of {} are missing", list_words(&found.missing)));
    }
    Some(if clauses.is_empty() { ended.to_owned() } else { format!("{ended}: {}", clauses.join("; ")) })
}

/// Formats the results of the agents, and how to read them. Where nobody named agents, the best come first.
fn answers(found: &Comparison, paint: Paint) -> String {
    let mut text = String::new();
    for agent in in_order(found) {
        text.push_str(&format!("\n{}\n", paint.head(&heading(agent, found))));
        if agent.aborted > 0 {
            let count = if agent.aborted == 1 { "counts" } else { "count" };
            let [a, b] = agent.aborted_of().map(grouped);
            let line = format!(
                "  {} with an aborted game {count} in no figure: A was aborted in {a}, B in {b}",
                counted(agent.aborted, "pair")
            );
            text.push_str(&format!("{}\n", paint.error(&line)));
        }
        paragraphs(&mut text, &describe(agent, found, SIDES), paint);
        text.push_str(&figures(agent, paint));
        if let Some(of_agent) = &agent.course {
            text.push_str(&course(of_agent, paint));
        }
        let has = |name: &str| agent.quantities.iter().any(|quantity| quantity.kind.name == name);
        if agent.agent == "greedy" && !has("score") {
            text.push_str(&format!("  {}\n", paint.quiet(GREEDY_WITHOUT_SCORE)));
        }
        if has_shared(agent) {
            text.push_str(&format!("  {}\n", paint.quiet(SHARED_WINS)));
        }
    }
    if !found.depends.is_empty() {
        text.push_str(&format!("\n{}\n", paint.head("What depends on how well the game is played")));
        paragraphs(&mut text, &dependences(found), paint);
    }
    if found.tested > 0 {
        text.push('\n');
        let saved = saved(found).map(|line| format!(" {line}")).unwrap_or_default();
        for line in wrap(&format!("{}{saved}", found.note()), paint.columns()) {
            text.push_str(&format!("{}\n", paint.quiet(&line)));
        }
    }
    text.push_str(&format!("\n{}\n", paint.quiet(&format!("{} s", decimal(found.seconds, 2)))));
    text
}

/// What a share of wins is.
pub(super) const SHARED_WINS: &str =
    "A win that several share is split between them, so a draw of two counts half.";

/// Returns `true` if several won a game together: it was drawn, or some shared it.
pub(super) fn has_shared(agent: &AgentComparison) -> bool {
    let drawn =
        |quantity: &Quantity| quantity.kind.name == "draws" && quantity.a.mean + quantity.b.mean > 0.0;
    agent.quantities.iter().any(|quantity| drawn(quantity) || quantity.kind.is_share_of_wins())
}

/// The results of the agents in the order in which they are told.
pub(super) fn in_order(found: &Comparison) -> Vec<&AgentComparison> {
    let mut agents: Vec<&AgentComparison> = found.agents.iter().collect();
    if found.contest.is_some() {
        agents.reverse();
    }
    agents
}

/// Describes the differences that depend on how well the game is played, one per line.
pub fn dependences(found: &Comparison) -> Vec<String> {
    found.depends.iter().map(depends).collect()
}

/// Describes only the differences, one per line.
pub fn brief(found: &Comparison) -> Vec<String> {
    let several = found.agents.len() > 1;
    let mut lines = Vec::new();
    for agent in &found.agents {
        let who = if several { format!("{}: ", capital(&agent.agent)) } else { String::new() };
        lines.extend(differing(agent).map(|quantity| format!("{who}{}", quantity.sentence)));
    }
    if let Some(agent) = found.agents.first() {
        lines.extend(new_and_gone(agent, SIDES));
    }
    if lines.is_empty() {
        let same = found.agents.iter().all(|agent| agent.identical);
        let games = found.agents.first().map_or(0, |agent| agent.games);
        lines.push(match (found.same_rules, same) {
            (true, _) => "The rules are the same.".to_owned(),
            (_, true) => format!("The games are the same, {} of each.", counted(games, "game")),
            _ => format!("No difference found in {}.", counted(games, "game")),
        });
    }
    lines
}

fn title(found: &Comparison, paint: Paint) -> String {
    let side = |letter: &str, side: &ComparedGame, other: &ComparedGame| {
        let name = if side.game == side.title { String::new() } else { format!(" ({})", side.game) };
        let own = |name: &str, value: &serde_json::Value| other.params.get(name) != Some(value);
        let params = side.params.0.iter().filter(|(name, value)| own(name, value));
        let params: Vec<String> =
            params.map(|(name, value)| format!("{name} = {}", param_text_of_json(value))).collect();
        let players =
            if side.players == other.players { vec![] } else { vec![format!("{} players", side.players)] };
        let teams = if side.teams == other.teams { vec![] } else { side.teams.clone() };
        let facts = [players, teams, params].concat();
        let facts = if facts.is_empty() { String::new() } else { format!(" · {}", facts.join(", ")) };
        let lines =
            wrap(&format!("{letter}  {}{name}{facts}", side.title), paint.columns() - 3).join("\n   ");
        paint.head(&lines) + "\n"
    };
    let seed = match found.seeds {
        [a, b] if a == b => format!("seed {a}"),
        [a, b] => format!("seeds {a} and {b}"),
    };
    let players = match (found.a.players, found.b.players) {
        (1, 1) => String::new(),
        (a, b) if a == b => format!("{a} players · "),
        _ => String::new(),
    };
    let first = format!("first {} {}", if found.match_play { "match" } else { "game" }, found.first);
    let facts = paint.quiet(&format!("{players}{seed} · {first}"));
    format!("{}{}{facts}\n", side("A", &found.a, &found.b), side("B", &found.b, &found.a))
}

pub(super) fn heading(agent: &AgentComparison, found: &Comparison) -> String {
    let games = counted(agent.games, if found.match_play { "match" } else { "game" });
    let trained = match agent.trainings {
        Some(trainings) => format!(", {} for each game", counted(trainings, "training")),
        None => String::new(),
    };
    format!("{} players{trained}, {games} of each", capital(&agent.agent))
}

/// The names of both games in text.
pub(super) const SIDES: [&str; 2] = ["A", "B"];

/// Describes what differs, what doesn't, what is new and what is gone. `sides` names both games.
pub fn describe(agent: &AgentComparison, found: &Comparison, sides: [&str; 2]) -> Vec<String> {
    if agent.games == 0 {
        return vec![];
    }
    let mut lines: Vec<String> = differing(agent).map(|quantity| quantity.sentence.clone()).collect();
    if agent.identical {
        lines.push(format!("Every {} is the same in both.", unit(found.match_play)));
    } else {
        let is_open = |quantity: &&Quantity| agent.games > 1 && quantity.is_tested() && !quantity.differs;
        let rest = agent.quantities.iter().filter(is_open);
        let (mut bounds, mut unknown) = (vec![], vec![]);
        for quantity in rest {
            match quantity.at_most() {
                Some(most) => bounds.push(format!("{} {}", quantity.label, bounded(quantity.kind, most))),
                None => unknown.push(quantity.label.as_str()),
            }
        }
        if agent.games == 1 {
            lines.push(format!("A single {} says nothing of differences.", unit(found.match_play)));
        }
        if !bounds.is_empty() {
            let list = bounds.join(", ");
            lines.push(format!("No difference found; if there is one, it is smaller than: {list}."));
        }
        if !unknown.is_empty() {
            let games = nouns(2, unit(found.match_play));
            let trainings = if agent.trainings.is_some() { " and trainings" } else { "" };
            lines.push(format!("Not known from so few {games}{trainings}: {}.", unknown.join(", ")));
        }
        let is_told = |quantity: &&Quantity| match quantity.kind.subject {
            // The wins of a side are told once.
            Subject::Result | Subject::Team => quantity.same_as.is_none(),
            _ => true,
        };
        let same = agent.quantities.iter().filter(|quantity| quantity.differing == 0 && !quantity.constant);
        let same = same.filter(is_told);
        let same: Vec<&str> = same.map(|quantity| quantity.label.as_str()).collect();
        if !same.is_empty() {
            lines.push(format!("The same in every {}: {}.", unit(found.match_play), same.join(", ")));
        }
    }
    lines.extend(new_and_gone(agent, sides));
    lines
}

fn differing(agent: &AgentComparison) -> impl Iterator<Item = &Quantity> {
    agent.quantities.iter().filter(|quantity| quantity.differs)
}

fn new_and_gone(agent: &AgentComparison, sides: [&str; 2]) -> Vec<String> {
    let list = |side: &str, only: &[Only]| {
        let told = only.iter().map(|only| {
            let value = number(only.kind, only.mean, 2);
            format!("{} ({value})", only.label)
        });
        let told: Vec<String> = told.collect();
        (!told.is_empty()).then(|| format!("Only {side} has: {}.", told.join(", ")))
    };
    list(sides[0], &agent.only_a).into_iter().chain(list(sides[1], &agent.only_b)).collect()
}

/// Formats `Score: -20.1 ± 0.9 with learned players, +0.9 ± 0.9 with greedy ones.` They are differences.
fn depends(of: &Disagreement) -> String {
    let factor = factor(of.kind);
    let shown = |of_them: Estimate| {
        let difference = of_them.mean * factor;
        let text = match of_them.half.map(|half| half * factor).filter(|half| *half > 0.0) {
            Some(half) => {
                let places = digits(half);
                format!("{} ± {}", signed(difference, places), decimal(half, places))
            }
            None => signed(difference, 2),
        };
        if of.kind.is_share() { format!("{text} {}", percentage_points(&text)) } else { text }
    };
    let opposite = if of.changes_sign { ", in the opposite direction" } else { "" };
    format!(
        "{}: {} with {} players, {} with {} ones{opposite}.",
        capital(&of.label),
        shown(of.by_learned),
        of.learned,
        shown(of.by_other),
        of.other
    )
}

/// Adds paragraphs with an indent of two columns and a hanging indent for further lines.
fn paragraphs(text: &mut String, lines: &[String], paint: Paint) {
    for line in lines {
        text.push_str(&format!("  {}\n", wrap(line, paint.columns() - 4).join("\n    ")));
    }
}

fn figures(agent: &AgentComparison, paint: Paint) -> String {
    let mut table = TextTable::default().head(&COLUMNS);
    rows(&agent.quantities, agent.games).into_iter().for_each(|row| table.row(row));
    if table.is_empty() { String::new() } else { format!("\n{}", table.text(paint)) }
}

/// Formats what was seen on the way of games.
fn course(course: &CourseComparison, paint: Paint) -> String {
    let figures = rows(&course.figures, course.games[0].min(course.games[1]));
    if figures.is_empty() && course.options.is_empty() && course.missing.is_none() {
        return String::new();
    }
    // Without figures it is only said why there are none.
    let has_seen = !figures.is_empty() || !course.options.is_empty();
    let mut text = if has_seen { format!("\n  {}:\n", course_heading(course)) } else { "\n".to_owned() };
    paragraphs(&mut text, &course.options.iter().map(describe_option).collect::<Vec<_>>(), paint);
    paragraphs(&mut text, &missing_course(course).into_iter().collect::<Vec<_>>(), paint);
    let mut table = TextTable::default().head(&COLUMNS);
    figures.into_iter().for_each(|row| table.row(row));
    if !table.is_empty() {
        text.push_str(&format!("\n{}", table.text(paint)));
    }
    text
}

/// Formats `How they are decided, in 400 games of each:`.
pub(super) fn course_heading(course: &CourseComparison) -> String {
    let games = match course.games {
        [a, b] if a == b => format!("{} of each", counted(a, "game")),
        [a, b] => format!("{} of A and {} of B", counted(a, "game"), grouped(b)),
    };
    format!("On the way, in {games}")
}

/// Why it isn't known how games are decided, but for what scores tell.
pub(super) fn missing_course(course: &CourseComparison) -> Option<String> {
    course.missing.as_ref().map(|why| format!("Favourites and comebacks are not known: {why}."))
}

/// The columns of a table of figures: quantity, both means, the difference, its part of the first mean.
pub(super) const COLUMNS: [&str; 5] = ["", "A", "B", "B − A", ""];

/// Returns the rows of the table of figures of some games. What equals another quantity in every game says nothing new, and one
/// game has no intervals.
pub(super) fn rows(quantities: &[Quantity], games: u64) -> Vec<[String; 5]> {
    let row = |quantity: &Quantity| {
        let half = quantity.half_width().filter(|_| quantity.differing > 0 && games > 1);
        let factor = factor(quantity.kind);
        let places = half.filter(|half| *half > 0.0).map_or(2, |half| digits(half * factor));
        let shown = |value: f64| number(quantity.kind, value, places);
        let difference = match half {
            Some(half) if half > 0.0 => {
                let by = signed(quantity.difference * factor, places);
                format!("{by} ± {}", decimal(half * factor, places))
            }
            _ if quantity.differing == 0 => "0".to_owned(),
            _ => trimmed(quantity.difference * factor),
        };
        let relative = match quantity.relative {
            Some(part) if quantity.differs && !quantity.kind.is_share() && !is_near_zero(quantity) => {
                let sign = if part < 0.0 { "-" } else { "+" };
                format!("{sign}{} %", decimal(100.0 * part.abs(), 1))
            }
            _ => String::new(),
        };
        [quantity.label.clone(), shown(quantity.a.mean), shown(quantity.b.mean), difference, relative]
    };
    let told = quantities.iter().filter(|quantity| !quantity.constant && quantity.same_as.is_none());
    told.map(row).collect()
}

/// Formats a difference with its sign, unless 0 is shown.
pub(super) fn signed(difference: f64, places: usize) -> String {
    let by = decimal(difference.abs(), places);
    let sign = match difference {
        _ if !by.bytes().any(|b| (b'1'..=b'9').contains(&b)) => "",
        below if below < 0.0 => "-",
        _ => "+",
    };
    format!("{sign}{by}")
}

/// The most that a difference can be, as a multiple of the first mean, to be told in percent.
const MOST_PARTS: f64 = 10.0;

/// Whether the first mean may be 0, or is next to nothing beside the difference: a percentage of it says nothing.
fn is_near_zero(quantity: &Quantity) -> bool {
    let mean = quantity.a.mean.abs();
    mean <= NORMAL * quantity.a.se || quantity.difference.abs() > MOST_PARTS * mean
}

/// Describes the gain from pairing games, for the first tested quantity, whose label is that of its row.
fn saved(found: &Comparison) -> Option<String> {
    let quantity = found.agents.first()?.quantities.iter().find(|quantity| quantity.is_tested())?;
    let times = quantity.pairing.filter(|times| *times >= 1.5 && found.seeds[0] == found.seeds[1])?;
    let times = if times < 10.0 { decimal(times, 1) } else { decimal(times, 0) };
    let games = if found.match_play { "matches" } else { "games" };
    let dice = found.common_chance().unwrap_or("seeds");
    Some(format!(
        "With different {dice}, the difference in the row `{}` would take {times} times as many {games} to be known as well.",
        quantity.label
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_playtest::NewOption;

    #[test]
    fn a_heading_stands_only_above_what_was_seen() {
        let mut seen = CourseComparison {
            games: [39; 2],
            different: [39; 2],
            figures: vec![],
            missing: Some("greedy players know no values of positions".to_owned()),
            options: vec![],
        };
        let why = "Favourites and comebacks are not known: greedy players know no values of positions.";
        assert_eq!(course(&seen, Paint::new(false)), format!("\n  {why}\n"));
        seen.options = vec![NewOption {
            name: "rest".to_owned(),
            offered: 1.0,
            open: 1.0,
            taken: 0.5,
            share: Some(0.5),
        }];
        let told = course(&seen, Paint::new(false));
        assert!(told.starts_with("\n  On the way, in 39 games of each:\n") && told.contains(why), "{told}");
        (seen.missing, seen.options) = (None, vec![]);
        assert!(course(&seen, Paint::new(false)).is_empty());
    }
}
