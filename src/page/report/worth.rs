//! Formats what the rules of a game are worth: a sentence for each rule, those that change most first, then the
//! figures, and the rules that can't be removed.

use crate::report::columns::{TextTable, counted, decimal, name_end, nouns, trimmed, wrap};
use houserule_lab::study::{AgentWorth, RuleKind, RuleWorth, Worth, WorthPoints};
use houserule_picture::paint::Paint;
use houserule_playtest::sentences::{capital, digits, factor, number};
use houserule_playtest::{Quantity, Subject};

/// What stands in a table in place of a figure that is missing.
const NO_FIGURE: &str = "–";

/// Why a figure is missing.
const WITHOUT_FIGURE: &str = "the player had no time for it or can't do without a single option, or the game with the rule or \
    without it has no such quantity";

/// Formats the whole report; with `removals`, also the house rule that removes each rule.
pub fn report(found: &Worth, removals: bool, paint: Paint) -> String {
    let name = if found.game == found.title { String::new() } else { format!(" ({})", found.game) };
    let mut text = format!("{}\n", paint.head(&format!("What each rule of {}{name} is worth", found.title)));
    if found.run.interrupted {
        let ended = name_end(found.run.out_of_time);
        let line = match found.has_figures() {
            true => format!("{ended}: the figures are of the rules and agents that were finished"),
            false => format!("{ended} before any rule was finished: there is no figure"),
        };
        text.push_str(&format!("\n{}\n", paint.error(&wrap(&line, paint.columns()).join("\n"))));
    }
    text.push_str(&format!("{}\n\n", paint.quiet(&wrap(&facts(found), paint.columns()).join("\n"))));
    for rule in &found.rules {
        let lines = match found.players {
            1 => vec![alone(rule)],
            _ => several(rule, found.has_matches),
        };
        for (at, line) in lines.iter().enumerate() {
            let (indent, further) = if at == 0 { ("  ", "\n    ") } else { ("    ", "\n      ") };
            text.push_str(&format!("{indent}{}\n", wrap(line, paint.columns() - 6).join(further)));
        }
        if removals {
            for line in rule.removal.lines() {
                text.push_str(&format!("      {}\n", paint.quiet(line)));
            }
        }
    }
    if found.rules.is_empty() && !found.run.interrupted {
        text.push_str("  None of its rules can be removed.\n");
    }
    let tables = tables(found, paint);
    text.push_str(&tables);
    if tables.contains(NO_FIGURE) {
        let note = format!("{NO_FIGURE} is no figure: {WITHOUT_FIGURE}.");
        text.push_str(&format!("  {}\n", paint.quiet(&wrap(&note, paint.columns() - 4).join("\n  "))));
    }
    if !found.fixed.is_empty() {
        text.push_str(&format!("\n{}\n", paint.head("Rules that can't be removed")));
        for fixed in &found.fixed {
            let line = format!(
                "{}: {}.",
                capital(&rule_name(fixed.kind, &fixed.name)),
                fixed.reason.trim_end_matches('.')
            );
            text.push_str(&format!("  {}\n", wrap(&line, paint.columns() - 4).join("\n    ")));
        }
    }
    if found.tested > 0 {
        text.push('\n');
        for line in wrap(&found.note(), paint.columns()) {
            text.push_str(&format!("{}\n", paint.quiet(&line)));
        }
    }
    text.push_str(&format!("\n{}\n", paint.quiet(&format!("{} s", decimal(found.run.seconds, 2)))));
    text
}

/// Says who played how many games.
fn facts(found: &Worth) -> String {
    let played = found.run.agents.iter().filter_map(|name| {
        let agents = found.rules.iter().flat_map(|rule| &rule.agents).filter(|agent| agent.agent == *name);
        let games: Vec<u64> = agents.map(|agent| agent.games).filter(|games| *games > 0).collect();
        let (least, most) = (games.iter().min()?, games.iter().max()?);
        // Within a time each rule has games of its own number.
        let up_to = if least < most { "up to " } else { "" };
        Some(format!("{up_to}{} of {name} players", counted(*most, "game")))
    });
    let played: Vec<String> = played.collect();
    let several = if found.players == 1 { String::new() } else { format!("{} players · ", found.players) };
    let played = match played.as_slice() {
        [] => String::new(),
        some => format!(" · with each rule and without it: {}", some.join(", ")),
    };
    format!("{several}seed {}{played}", found.run.seed)
}

/// Names a rule in a sentence: ``the option `joker` ``.
fn rule_name(kind: RuleKind, name: &str) -> String {
    match kind {
        RuleKind::Score => format!("the score item `{name}`"),
        RuleKind::Variant => format!("the variant {name} as a whole"),
        RuleKind::End if name.contains(' ') => format!("the ends {name}"),
        _ => format!("the {} `{name}`", kind.name()),
    }
}

/// The agents that have figures, the strongest first.
fn agents(rule: &RuleWorth) -> impl Iterator<Item = &AgentWorth> {
    rule.agents.iter().rev().filter(|agent| agent.note.is_none())
}

/// Says what a rule is worth to a lone player: to the strongest agent first, then to the others.
fn alone(rule: &RuleWorth) -> String {
    let name = capital(&rule_name(rule.kind, &rule.name));
    let (mut sentences, mut unclear): (Vec<String>, Vec<String>) = (vec![], vec![]);
    for agent in agents(rule) {
        let who = format!("{} players", agent.agent);
        let Some((points, score)) = agent.points.zip(agent.changes.first()) else { continue };
        if !points.differs {
            unclear.push(match (score.differing, score.at_most()) {
                (0, _) => format!("{who} (the same scores)"),
                (_, Some(most)) => format!("{who} (less than {} points)", decimal(most, digits(most))),
                (_, None) => who,
            });
            continue;
        }
        let subject = if sentences.is_empty() { name.as_str() } else { "It" };
        let [by, known] = amount(points);
        let places = half(points).map_or(2, digits);
        let unit = if by == "1" { "point" } else { "points" };
        let [with, without] = [score.b.mean, score.a.mean].map(|mean| decimal(mean, places));
        let means = format!("({known}): {with} with it, {without} without it");
        sentences.push(match points.mean < 0.0 {
            true => format!("{subject} costs {who} {by} {unit} {means}."),
            false => format!("{subject} is worth {by} {unit} to {who} {means}."),
        });
    }
    if !unclear.is_empty() {
        let found = format!("no difference was found for {}.", unclear.join(" and "));
        sentences.push(if sentences.is_empty() { format!("{name}: {found}") } else { capital(&found) });
    }
    if sentences.is_empty() {
        sentences.push(format!("{name}: no figures."));
    }
    sentences.extend(notes(rule));
    sentences.join(" ")
}

/// Says what a rule changes for several players, a line for each agent: the strongest first. Games are first ones of a match if
/// there are matches.
fn several(rule: &RuleWorth, has_matches: bool) -> Vec<String> {
    let name = capital(&rule_name(rule.kind, &rule.name));
    let help = if rule.help.is_empty() { String::new() } else { format!(": {}", rule.help) };
    let mut lines = vec![format!("{name}{help}")];
    for agent in agents(rule) {
        let who = capital(&agent.agent);
        let mut told: Vec<String> = agent
            .changes
            .iter()
            .filter(|change| change.differs)
            .map(|change| change.sentence.clone())
            .collect();
        if told.is_empty() && !agent.changes.is_empty() {
            let same = agent.changes.iter().all(|change| change.differing == 0);
            let words = match (same, has_matches) {
                (true, true) => "The games are the same, each as the first of a match.",
                (true, false) => "The games are the same.",
                (false, _) => "No difference found.",
            };
            told.push(words.to_owned());
        }
        if !told.is_empty() {
            lines.push(format!("{who}, with it: {}", told.join(" ")));
        }
        if let Some(one) = agent.restricted.first() {
            lines.push(format!("{who}, against the same player who must not use it: {}", restricted(one)));
        }
    }
    lines.extend(notes(rule));
    lines
}

/// Says what an option brings the seat that has it: `a seat wins 38 percentage points more (±2): 50 % instead of 12 %`. Who
/// plays together wins together, and in a game with payoffs these are what counts.
fn restricted(one: &Quantity) -> String {
    let half = one.half_width().unwrap_or(0.0) * factor(one.kind);
    let places = if half > 0.0 { digits(half) } else { 2 };
    let shown = |value: f64| number(one.kind, value, places);
    match (one.differs, one.differing) {
        (_, 0) if !one.sentence.is_empty() => one.sentence.clone(),
        (_, 0) => "the results are the same in all games.".to_owned(),
        (false, _) => "no difference found.".to_owned(),
        _ => {
            let by = decimal(one.difference.abs() * factor(one.kind), places);
            let word = match (one.difference < 0.0, one.kind.is_share_of_wins()) {
                (true, false) => "fewer",
                (false, false) => "more",
                (true, true) => "smaller",
                (false, true) => "larger",
            };
            let [with, without] = [one.b.mean, one.a.mean].map(shown);
            let who = &one.seat_name;
            let (what, unit) = match one.kind.is_share() {
                true if one.kind.is_share_of_wins() => {
                    (format!("{who}'s share of the wins is"), "percentage point")
                }
                true => (format!("{who} wins"), "percentage point"),
                false => (format!("{who} gets"), "point"),
            };
            let unit = nouns(if by == "1" { 1 } else { 2 }, unit);
            format!("{what} {by} {unit} {word} (±{}): {with} instead of {without}.", decimal(half, places))
        }
    }
}

/// Says where agents disagree, where games were aborted, and which agents have no figures.
fn notes(rule: &RuleWorth) -> Vec<String> {
    let mut notes = vec![];
    if !rule.opposed.is_empty() {
        notes.push(format!(
            "Agents disagree on the sign ({}): how good the rule is depends on how well the game is played.",
            rule.opposed.join(", ")
        ));
    }
    for agent in &rule.agents {
        if let Some(note) = &agent.note {
            notes.push(format!("No figures of {} players: {note}.", agent.agent));
        }
        if agent.aborted > 0 {
            let pairs = counted(agent.aborted, "pair");
            notes.push(format!(
                "{} players: {pairs} with an aborted game are in no figure.",
                capital(&agent.agent)
            ));
        }
    }
    notes
}

fn half(points: WorthPoints) -> Option<f64> {
    Some((points.high? - points.low?) / 2.0).filter(|half| *half > 0.0)
}

/// Formats a number of points without its sign, and half its interval.
fn amount(points: WorthPoints) -> [String; 2] {
    match half(points) {
        Some(half) => [decimal(points.mean.abs(), digits(half)), format!("±{}", decimal(half, digits(half)))],
        None => [trimmed(points.mean.abs()), "in every game".to_owned()],
    }
}

/// Formats a difference with half its interval: `-2.1 ± 0.3`.
fn cell(quantity: &Quantity) -> String {
    let factor = factor(quantity.kind);
    match quantity.half_width() {
        _ if quantity.differing == 0 => "0".to_owned(),
        Some(half) if half > 0.0 => {
            let places = digits(half * factor);
            format!("{} ± {}", decimal(quantity.difference * factor, places), decimal(half * factor, places))
        }
        _ => trimmed(quantity.difference * factor),
    }
}

/// Says which of the differences are of shares: ` (wins and draws in percentage points)`. Empty if none is.
fn in_percentage_points<'q>(changes: impl Iterator<Item = &'q Quantity>) -> String {
    let (mut wins, mut draws) = (false, false);
    for change in changes.filter(|change| change.differing > 0 && change.kind.is_share()) {
        let is_draws = change.kind.name == "draws";
        draws |= is_draws;
        wins |= !is_draws;
    }
    let of = match (wins, draws) {
        (true, true) => "wins and draws",
        (true, false) => "wins",
        (false, true) => "draws",
        (false, false) => return String::new(),
    };
    format!(" ({of} in percentage points)")
}

fn tables(found: &Worth, paint: Paint) -> String {
    let alone = found.players == 1;
    let mut text = String::new();
    let mut add = |title: &str, table: &TextTable| {
        if !table.is_empty() {
            text.push_str(&format!("\n{}\n{}", paint.head(title), table.text(paint)));
        }
    };
    let of = |rule: &RuleWorth, name: &str| {
        rule.agents.iter().find(|agent| agent.agent == name && agent.note.is_none()).cloned()
    };
    let head: Vec<&str> = std::iter::once("").chain(found.run.agents.iter().map(String::as_str)).collect();
    let mut by_agent = |title: &str, figure: &dyn Fn(&AgentWorth) -> Option<String>| {
        let mut table = TextTable::default().head(&head);
        for rule in &found.rules {
            let cells: Vec<Option<String>> =
                found.run.agents.iter().map(|name| of(rule, name).and_then(|agent| figure(&agent))).collect();
            if cells.iter().any(Option::is_some) {
                let cells = cells.into_iter().map(|cell| cell.unwrap_or_else(|| NO_FIGURE.to_owned()));
                table.row(std::iter::once(rule.label()).chain(cells));
            }
        }
        add(title, &table);
    };
    if alone {
        by_agent("Points that a rule brings", &|agent| {
            let points = agent.points?;
            Some(match half(points) {
                Some(half) => {
                    format!("{} ± {}", decimal(points.mean, digits(half)), decimal(half, digits(half)))
                }
                None => trimmed(points.mean),
            })
        });
        by_agent("Score with an option, minus that of the same player without it", &|agent| {
            agent.restricted.first().map(cell)
        });
        return text;
    }
    let worths = || found.rules.iter().flat_map(|rule| &rule.agents).flat_map(|agent| &agent.restricted);
    let title = match worths().next() {
        Some(one) if !one.kind.is_share() => {
            "Payoff of a seat with an option, minus that without it".to_owned()
        }
        Some(one) if one.kind.subject == Subject::Success => format!(
            "Wins of {}, minus those if a seat is without an option, in percentage points",
            one.seat_name
        ),
        _ if worths().any(|one| one.kind.is_share_of_wins()) => {
            "Share of the wins of a seat with an option, minus that without it, in percentage points"
                .to_owned()
        }
        _ => "Win rate of a seat with an option, minus that without it, in percentage points".to_owned(),
    };
    by_agent(&title, &|agent| agent.restricted.first().map(cell));
    for name in found.run.agents.iter().rev() {
        let rows: Vec<(&RuleWorth, AgentWorth)> =
            found.rules.iter().filter_map(|rule| Some((rule, of(rule, name)?))).collect();
        let mut labels: Vec<&str> = vec![];
        for quantity in
            rows.iter().flat_map(|(_, agent)| &agent.changes).filter(|quantity| quantity.differing > 0)
        {
            if !labels.contains(&quantity.label.as_str()) {
                labels.push(&quantity.label);
            }
        }
        let head: Vec<&str> = std::iter::once("").chain(labels.iter().copied()).collect();
        let mut table = TextTable::default().head(&head);
        // Without what can't be removed no game was played.
        for (rule, agent) in rows.iter().filter(|(_, agent)| !agent.changes.is_empty()) {
            let cells = labels.iter().map(|label| {
                let found = agent.changes.iter().find(|quantity| quantity.label == **label);
                found.map_or_else(|| NO_FIGURE.to_owned(), cell)
            });
            table.row(std::iter::once(rule.label()).chain(cells));
        }
        if !labels.is_empty() {
            let shares = in_percentage_points(rows.iter().flat_map(|(_, agent)| &agent.changes));
            add(&format!("With a rule minus without it, {name} players{shares}"), &table);
        }
    }
    text
}
