//! How long? Turns, rolls, decisions and minutes, the extremes, and games that don't end.

use crate::analysis::evidence::{AgentGames, Evidence};
use crate::analysis::flags::capital;
use crate::analysis::page::{Figure, FigureTable, FigureUnit, PlotData, PlotKind, PlotSeries, ReportSection};
use houserule_base::names::{shell_game, shell_word};
use houserule_base::numbers::{counted, grouped};
use houserule_base::statistics::sample::{Interval, mean, quantile, share};

pub(in crate::analysis) fn length(all: &Evidence<'_>) -> ReportSection {
    let mut section = ReportSection { id: "length", question: "How long does it take?", ..all.section() };
    let best = all.best();
    let agent = best.agent.as_str();
    let title = format!("Least and most between {agent} players, with a game that shows it");
    let mut table = FigureTable { title, ..FigureTable::default() };
    table.columns = ["", "least", "in game", "most", "in game"].map(str::to_owned).to_vec();
    for (name, metric, median) in [
        ("turns", "turns", "turns_median"),
        ("rolls", "rolls", "rolls_median"),
        ("decisions", "decisions", "decisions_median"),
    ] {
        let entries = best.lengths(name);
        if entries.iter().all(|(number, _)| *number == 0) {
            continue;
        }
        section.figure(metric, format!("{name}, mean"), best.count(name), FigureUnit::Number, agent);
        let mut numbers = spread_out(&entries);
        section.figure(
            median,
            format!("{name}, median"),
            quantile(&mut numbers, 0.5),
            FigureUnit::Number,
            agent,
        );
        if name == "turns" {
            let late = quantile(&mut numbers, 0.95);
            let label = "turns that at most 1 game in 20 exceeds";
            section.figure("turns_95", label, late, FigureUnit::Number, agent);
        }
        table.rows.extend(extremes(best, name));
    }
    let minutes = minutes(all);
    let label = if is_followed(all) { "minutes, mean" } else { "minutes, mean, at most" };
    let minutes = section.figure("minutes", label, minutes, FigureUnit::Minutes, agent);
    let shows_games = !table.rows.is_empty();
    if shows_games {
        section.tables.push(table);
    }
    let (aborted, games) = (best.aborted(), best.games() + best.aborted());
    let cut = share(aborted as f64 / games.max(1) as f64, games);
    section.figure("cut_off", "games that an error or a limit ended", cut, FigureUnit::Share, agent);
    if best.games() > 0 {
        section.charts.push(chart(all));
    }
    section.answer = answer(&section, all, minutes.as_ref());
    if minutes.is_some() {
        section.notes.push(paces(all));
    }
    if shows_games {
        section.notes.push(how_to_see(all));
    }
    section
}

/// Says what the minutes of a game assume.
fn paces(all: &Evidence<'_>) -> String {
    let pace = all.plan.pace;
    let (counting, flag) = match counting(all) {
        0.0 => (String::new(), ""),
        seconds => (format!(", and {seconds} s for counting the score"), ", `--counting-seconds`"),
    };
    let mut paces = format!(
        "Minutes assume {} s for a decision among several actions and {} s for a roll or another chance event{counting}: \
         `--decision-seconds`, `--roll-seconds`{flag} change that.",
        pace.decision, pace.roll
    );
    if all.followed.iter().flat_map(|followed| &followed.tracks.games).any(|track| track.set_up_events > 1) {
        paces += " All chance events of the setup, such as the cards of a deal, count as one.";
    }
    paces
}

/// Says how to see a game that the table names.
fn how_to_see(all: &Evidence<'_>) -> String {
    let best = all.best();
    let (name, agent_word) = (shell_game(&all.game.identity().name), shell_word(&best.agent));
    let flags: String = all.game.sheet().origin.flags().iter().map(|flag| format!(" {flag}")).collect();
    format!(
        "`houserule simulate {name}{flags} --agents {agent_word} --seed {} --first GAME -n 1 --record FILE.jsonl` writes such a game{}.",
        all.plan.seed,
        if best.parts.len() > 1 { "; games of the second half are those of the second training" } else { "" }
    )
}

/// Returns each number as often as it occurred, at most 100,000 numbers: beyond that in proportion.
fn spread_out(entries: &[(i64, u64)]) -> Vec<f64> {
    let sum: u64 = entries.iter().map(|(_, n)| n).sum();
    let part = (sum / 100_000).max(1);
    entries.iter().flat_map(|(number, n)| std::iter::repeat_n(*number as f64, (n / part) as usize)).collect()
}

fn extremes(games: &AgentGames, name: &str) -> Option<Vec<String>> {
    let of = games.parts.iter().filter_map(|part| part.counts.get(name));
    let least = of.clone().filter_map(|found| Some((found.min?, found.min_index?))).min()?;
    let most = of.filter_map(|found| Some((found.max?, std::cmp::Reverse(found.max_index?)))).max()?;
    Some(vec![name.to_owned(), grouped(least.0), grouped(least.1), grouped(most.0), grouped(most.1.0)])
}

/// Returns the seconds for counting the score at the plan's pace: 0 in a game without one.
fn counting(all: &Evidence<'_>) -> f64 {
    if all.game.model().score.is_empty() { 0.0 } else { all.plan.pace.counting }
}

/// Returns `true` if games were followed, so that it is known which decisions are among several actions, and what a setup does.
fn is_followed(all: &Evidence<'_>) -> bool {
    all.followed.iter().any(|followed| !followed.tracks.games.is_empty())
}

/// Returns the minutes of a game at the plan's pace: at most these, if no games were [followed](is_followed).
fn minutes(all: &Evidence<'_>) -> Option<Interval> {
    let (pace, counting) = (all.plan.pace, counting(all));
    let tracks = all.followed.iter().flat_map(|followed| &followed.tracks.games);
    let each: Vec<f64> = tracks
        .map(|track| {
            let choices = track.choices.iter().filter(|choice| choice.legal > 1).count() as f64;
            let events = track.moments.len() as f64 - 1.0 - track.choices.len() as f64;
            // A setup is one event, however many cards it deals.
            let events = events - f64::from(track.set_up_events.saturating_sub(1));
            (pace.decision * choices + pace.roll * events + counting) / 60.0
        })
        .collect();
    if !each.is_empty() {
        return mean(&each);
    }
    let (decisions, rolls) = (all.best().count("decisions")?, all.best().count("rolls")?);
    let value = (pace.decision * decisions.value + pace.roll * rolls.value + counting) / 60.0;
    let half = decisions.half()?.mul_add(pace.decision, rolls.half()? * pace.roll) / 60.0;
    Some(Interval::around(value, Some(half)))
}

fn chart(all: &Evidence<'_>) -> PlotData {
    let unit = all.length_unit();
    let agents = all.agents();
    let entries: Vec<(String, Vec<(i64, u64)>)> =
        agents.iter().map(|games| (games.agent.clone(), games.lengths(unit))).collect();
    let most = entries.iter().flat_map(|(_, of)| of).map(|(turns, _)| *turns).max().unwrap_or(0);
    let width = (most / 40 + 1).max(1);
    let series = entries.into_iter().map(|(name, of)| {
        let mut bars = vec![0u64; (most / width + 1) as usize];
        of.iter().for_each(|(turns, n)| bars[(turns / width) as usize] += n);
        let sum = bars.iter().sum::<u64>().max(1) as f64;
        let point = |(at, n): (usize, &u64)| {
            (at as f64 * width as f64 + (width - 1) as f64 / 2.0, 100.0 * *n as f64 / sum, None, None)
        };
        PlotSeries { name, points: bars.iter().enumerate().map(point).collect() }
    });
    PlotData {
        title: capital(unit),
        x: unit.to_owned(),
        y: "games (%)".to_owned(),
        kind: PlotKind::Line,
        names: vec![],
        series: series.collect(),
    }
}

fn answer(section: &ReportSection, all: &Evidence<'_>, minutes: Option<&Figure>) -> String {
    let (best, unit) = (all.best(), all.length_unit());
    if best.games() == 0 {
        let aborted = counted(best.aborted(), "game");
        let agent = &best.agent;
        return format!("No game came to an end: an error or a limit ended {aborted} of {agent} players.");
    }
    let median = section.figures.iter().find(|figure| figure.metric == format!("{unit}_median"));
    let lengths: Vec<i64> =
        best.lengths(unit).into_iter().filter(|(_, games)| *games > 0).map(|(number, _)| number).collect();
    let mut told = match (median, lengths.as_slice()) {
        (Some(_), [only]) => {
            let length = counted(*only, unit.trim_end_matches('s'));
            match best.games() {
                1 => format!("The game between {} players lasts {length}", best.agent),
                _ => format!("Every game between {} players lasts {length}", best.agent),
            }
        }
        (Some(median), _) => {
            format!(
                "Half of the games between {} players last {} {unit} or fewer",
                best.agent,
                median.with_interval()
            )
        }
        (None, _) => "Games have no turns, decisions or rolls".to_owned(),
    };
    // Where many games are equally long, none may exceed the quantile, or half of them would.
    let most = lengths.last().copied().unwrap_or(0);
    let is_late = |late: &&Figure| {
        unit == "turns" && late.value < most as f64 && median.is_some_and(|median| median.value < late.value)
    };
    if let Some(late) = section.get("turns_95").filter(is_late) {
        told += &format!(", and one in twenty more than {}", late.shown());
    }
    told += ".";
    if let Some(minutes) = minutes {
        let most = if is_followed(all) { "" } else { "at most " };
        told += &format!(" At a usual pace a game takes {most}{} on average.", minutes.with_interval());
    }
    match best.aborted() {
        0 if best.games() == 1 => told += " The only game came to an end.",
        0 => told += &format!(" All {} games came to an end.", grouped(best.games())),
        n => {
            let all = grouped(n + best.games());
            told += &format!(" {} of {all} games were ended by an error or a limit.", grouped(n));
        }
    }
    told
}
