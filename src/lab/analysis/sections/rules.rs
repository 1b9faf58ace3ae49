//! Which rules do something? Use of every step, option, end, score item and branch.

use crate::analysis::evidence::{AgentGames, Evidence};
use crate::analysis::page::{Figure, FigureTable, FigureUnit, ReportSection};
use houserule_base::numbers::{counted, decimal, grouped};
use houserule_base::statistics::sample::Interval;
use houserule_model::IMPLIED_END;
use houserule_playtest::Report;

/// Reads how often a rule of a report was used.
type TimesUsed = fn(&Report, &str) -> u64;

pub(in crate::analysis) fn rules(all: &Evidence<'_>) -> ReportSection {
    let mut section = ReportSection { id: "rules", question: "Which rules do something?", ..all.section() };
    let agents = all.agents();
    if agents.iter().all(|games| games.games() == 0) {
        section.answer = "No game came to an end, so nothing is known of the rules.".to_owned();
        return section;
    }
    let mut never: Vec<String> = vec![];
    let mut table = FigureTable { title: "Times a game".to_owned(), ..FigureTable::default() };
    table.columns = vec!["rule".to_owned()];
    table.columns.extend(agents.iter().map(|games| format!("{} players", games.agent)));
    let any = &all.random.parts[0];
    let kinds: [(&str, Vec<String>, TimesUsed); 4] = [
        ("step", names(&any.steps), |report, name| report.steps.get(name).copied().unwrap_or(0)),
        ("option", names(&any.options), |report, name| report.options.get(name).copied().unwrap_or(0)),
        ("otherwise", names(&any.otherwise), |report, name| report.otherwise.get(name).copied().unwrap_or(0)),
        ("end", names(&any.ends), |report, name| report.ends.get(name).copied().unwrap_or(0)),
    ];
    for (kind, names, times) in kinds {
        for name in names {
            let implied = kind == "end" && all.game.model().is_implied_end(&name);
            let label = match (implied, kind) {
                (true, _) => IMPLIED_END.to_owned(),
                (false, "otherwise") => format!("no legal option in `{name}`"),
                (false, _) => format!("{kind} `{name}`"),
            };
            let mut row = vec![label.clone()];
            let uses: Vec<u64> =
                agents.iter().map(|games| games.times(|report| times(report, &name))).collect();
            let is_used = uses.iter().any(|n| *n > 0);
            if implied && !is_used {
                continue;
            }
            for (games, n) in agents.iter().zip(uses) {
                row.push(often(n, games));
                if kind == "end" {
                    let share = games.share(|report| times(report, &name) as f64);
                    section.figure(
                        "ended_by",
                        format!("ended by `{name}`"),
                        share,
                        FigureUnit::Share,
                        &games.agent,
                    );
                } else {
                    let metric = match kind {
                        "step" => "step_use",
                        "option" => "option_use",
                        _ => "otherwise_use",
                    };
                    let mean =
                        Interval { value: n as f64 / games.games().max(1) as f64, low: None, high: None };
                    section.figure(
                        metric,
                        format!("{label}, times a game"),
                        Some(mean),
                        FigureUnit::Number,
                        &games.agent,
                    );
                }
            }
            // Of an `otherwise`, a check says it below, with its place.
            if !is_used && kind != "otherwise" {
                never.push(label);
            }
            table.rows.push(row);
        }
    }
    let several = all.game.model().score.len() > 1;
    for (name, _) in any.items.0.iter().filter(|_| several) {
        // A game with several players has points for each: told are those of the first.
        let label = match all.game.players() {
            1 => format!("points from `{name}`"),
            _ => format!("points from `{name}`, {}", all.seat(0)),
        };
        let mut row = vec![label.clone()];
        let mut gives = false;
        for games in &agents {
            let mean = games.mean(|report| report.items.get(name).and_then(|seats| seats.first()));
            let figure = section.figure("item", label.clone(), mean, FigureUnit::Points, &games.agent);
            let mut of_seats = games.parts.iter().filter_map(|part| part.items.get(name)).flatten();
            gives |= of_seats.any(|seat| seat.mean != 0.0);
            row.push(figure.as_ref().map_or_else(String::new, Figure::shown));
        }
        if !gives {
            never.push(format!("score item `{name}`"));
        }
        table.rows.push(row);
    }
    section.tables.push(table);
    if let Some(tried) = &all.tried {
        for diagnostic in tried.diagnostics.iter().filter(|found| found.message.contains("entered by nobody"))
        {
            never.push(format!("{} (`houserule check` shows where)", diagnostic.message));
        }
        if tried.cut_short && !tried.unreached.is_empty() {
            section.lacks(
                "branches that are never entered",
                "random games are so long that few were tried",
                "run `houserule check --play 10000`",
            );
        }
    }
    // What a match keeps may allow more in its later games, and a report plays the first ones.
    let is_later =
        |label: &String| all.tried.as_ref().is_some_and(|tried| tried.in_later_games.contains(label));
    let (later, never): (Vec<String>, Vec<String>) = never.into_iter().partition(is_later);
    let games: u64 = agents.iter().map(|games| games.games()).sum();
    let bound = Interval { value: 1.0 - 0.05f64.powf(1.0 / games.max(1) as f64), low: None, high: None };
    let bound = Figure::new("never", "", bound, FigureUnit::Share, "");
    section.answer = match never.len() {
        0 if !later.is_empty() => {
            let games = counted(games, "game");
            format!(
                "Every step, option, end and score item came up, but some not in {games} that were the first of a match."
            )
        }
        0 => format!("Every step, option, end and score item came up in {}.", counted(games, "game")),
        n => {
            let (rules, each) =
                if n == 1 { ("One rule".to_owned(), "it") } else { (format!("{n} rules"), "each") };
            format!(
                "{rules} never did anything in {}: {each} happens in fewer than {} of the games (95 %).",
                counted(games, "game"),
                bound_text(&bound)
            )
        }
    };
    section.notes.extend(never.iter().map(|what| format!("Never: {what}.")));
    section.notes.extend(later.iter().map(|what| format!("Only in later games of a match: {what}.")));
    section.notes.push(
        "A rule that never fired in n games has a probability below 1 − 0.05^(1/n), about 3/n, with 95 % confidence. Random \
         players miss what takes skill, strong ones avoid what is bad: look at both."
            .to_owned(),
    );
    section
}

fn bound_text(bound: &Figure) -> String {
    format!("{} %", houserule_base::numbers::trimmed((bound.value * 1e6).ceil() / 1e4))
}

fn names<V>(of: &houserule_game::ordered::Ordered<V>) -> Vec<String> {
    of.0.iter().map(|(name, _)| name.clone()).collect()
}

/// Formats how often a game has something.
fn often(times: u64, games: &AgentGames) -> String {
    let mean = times as f64 / games.games().max(1) as f64;
    match times {
        0 => "never".to_owned(),
        n if mean < 0.01 => format!("{} in {}", grouped(n), grouped(games.games())),
        _ => decimal(mean, if mean < 10.0 { 2 } else { 1 }),
    }
}
