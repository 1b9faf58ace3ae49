//! At a glance: who wins, scores and length, for each agent.

use super::spread::add_spread;
use super::{SHARE_OF_WINS, SHARES_SPLIT};
use crate::analysis::evidence::{AgentGames, Evidence};
use crate::analysis::flags::capital;
use crate::analysis::page::{
    Figure, FigureTable, FigureUnit, Missing, PlotData, PlotKind, PlotSeries, ReportSection,
};
use houserule_base::names::list_words;
use houserule_base::statistics::sample::Interval;
use houserule_playtest::sentences::GREEDY_WITHOUT_SCORE;

pub(in crate::analysis) fn glance(all: &Evidence<'_>) -> ReportSection {
    let mut section = ReportSection { id: "glance", question: "At a glance", ..all.section() };
    let players = all.game.players() as usize;
    let scores = !all.game.model().score.is_empty();
    let mut table = FigureTable { title: "Players compared".to_owned(), ..FigureTable::default() };
    table.columns = vec!["players".to_owned(), "games".to_owned()];
    if players > 1 {
        table.columns.extend(all.sides().into_iter().map(|seat| all.wins_of(seat)));
    }
    if scores {
        table.columns.push("mean score".to_owned());
    }
    let unit = all.length_unit();
    table.columns.push(unit.to_owned());
    let mut told = vec![];
    for games in all.agents() {
        let agent = games.agent.as_str();
        let mut row = vec![agent.to_owned(), houserule_base::numbers::grouped(games.games())];
        if players > 1 {
            for seat in all.sides() {
                let wins = games.wins(seat);
                row.push(section.cell("wins", all.wins_of(seat), wins, FigureUnit::Share, agent));
            }
        }
        if scores {
            // The score of a game is the mean over its seats.
            let means: Vec<Interval> =
                (0..players).filter_map(|seat| games.mean(|report| report.score.get(seat))).collect();
            let n = means.len().max(1) as f64;
            let value = means.iter().map(|mean| mean.value).sum::<f64>() / n;
            // Seats of a game are correlated: the interval is that of the widest.
            let half = means.iter().filter_map(Interval::half).reduce(f64::max);
            let mean = Interval::around(value, half);
            row.push(section.cell("score", "score", Some(mean), FigureUnit::Points, agent));
            told.push((
                agent.to_owned(),
                section.figures.last().map_or_else(String::new, Figure::with_interval),
            ));
        }
        row.push(section.cell(unit, unit, games.count(unit), FigureUnit::Number, agent));
        table.rows.push(row);
    }
    section.tables.push(table);
    let best = all.best();
    section.answer = if players == 1 {
        match told.as_slice() {
            [] => {
                section.missing.push(Missing {
                    what: "a result to compare players by".to_owned(),
                    why: "a lone player without a score has no aim".to_owned(),
                    remedy: "give the rules a `score`".to_owned(),
                });
                "The game has no score.".to_owned()
            }
            [(agent, score)] => format!("The {agent} player scores {score}."),
            [(agent, score), others @ ..] => {
                let others: Vec<String> =
                    others.iter().map(|(agent, score)| format!("{agent} {score}")).collect();
                format!("The {agent} player scores {score}; {}.", list_words(&others))
            }
        }
    } else {
        let wins: Vec<String> = section
            .figures
            .iter()
            .filter(|figure| figure.metric == "wins" && figure.agent == best.agent)
            .enumerate()
            .map(|(at, figure)| match (all.shares_wins(), at) {
                (false, _) => format!("{} {}", figure.label, figure.with_interval()),
                (true, 0) => format!("{} is {}", figure.label, figure.with_interval()),
                // `green's is`, after the first.
                (true, _) => {
                    let whose = figure.label.trim_end_matches(SHARE_OF_WINS);
                    format!("{whose}is {}", figure.with_interval())
                }
            })
            .collect();
        let draws = |games: &&AgentGames| games.times(|report| report.winners.draws) > 0;
        let split = if all.shares_wins() { SHARES_SPLIT } else { "" };
        let drawn = if all.agents().iter().any(draws) { " A draw is a win shared by all." } else { "" };
        format!("Between {} players, {}.{split}{drawn}", best.agent, list_words(&wins))
    };
    if let Some(alike) = all.alike() {
        section.answer = format!("{} {}", capital(&alike), section.answer);
    }
    if let Some(alike) = best.alike {
        let different = Interval { value: alike.different as f64, low: None, high: None };
        let label = format!("different games, of {}", houserule_base::numbers::grouped(alike.games));
        section.figure("different_games", label, Some(different), FigureUnit::Number, &best.agent);
    }
    if best.agent == "greedy" && !scores {
        section.answer += &format!(" {GREEDY_WITHOUT_SCORE}");
    } else if all.greedy.is_some() && !scores {
        section.notes.push(GREEDY_WITHOUT_SCORE.to_owned());
    }
    add_contest(&mut section, all);
    if let Some(length) = section.figures.iter().find(|f| f.metric == unit && f.agent == best.agent) {
        section.answer += &format!(" Games last {} {unit}.", length.with_interval());
    }
    if let Some(exact) = all.solved().filter(|_| players == 1 && scores) {
        let label = "expected score under best play";
        let value = Some(Interval::exact(exact.start()[0]));
        let best = section.figure("best_play", label, value, FigureUnit::Points, "best play");
        section.answer += &best.map_or_else(String::new, |best| {
            format!(" Best play scores {} in the mean (exact).", best.shown())
        });
    }
    if scores {
        section.charts.extend(histogram(all, players));
    }
    add_spread(&mut section, all);
    section
}

/// Adds the players that were tried against random ones, and how good the chosen one is.
fn add_contest(section: &mut ReportSection, all: &Evidence<'_>) {
    let Some(contest) = &all.contest else { return };
    let alone = all.game.players() == 1;
    let with_partners = all.game.model().is_cooperative();
    let title = match with_partners {
        true => "Players tried, with random partners",
        false => "Players tried, against random ones",
    };
    let mut table = FigureTable { title: title.to_owned(), ..Default::default() };
    let result = if alone { "points more" } else { "wins" };
    table.columns = ["player", "games", result].map(str::to_owned).to_vec();
    for contender in &contest.contenders {
        let (of, unit) = match alone {
            true => (contender.better, FigureUnit::Points),
            false => (contender.own, FigureUnit::Share),
        };
        let label = match (alone, with_partners) {
            (true, _) => "points more than random players",
            (_, true) => "wins with random partners",
            _ => "wins against random players",
        };
        let interval = Interval::around(of.mean, of.half);
        let interval = if alone { interval } else { interval.within(0.0, 1.0) };
        let cell = section.cell("against_random", label, Some(interval), unit, &contender.agent);
        let games = houserule_base::numbers::grouped(contender.games);
        table.rows.push(vec![contender.agent.clone(), games, cell]);
    }
    if let Some(best) = section.get("against_random").filter(|best| best.agent == all.best().agent) {
        let (agent, found) = (&best.agent, best.with_interval());
        let told = match (alone, with_partners) {
            // The scores of both are told already, of more games.
            (true, _) => String::new(),
            (_, true) => format!(" One {agent} player with random partners wins {found}."),
            _ => format!(" One {agent} player among random ones wins {found}."),
        };
        section.answer += &told;
    }
    section.answer += &all.unskilled().map_or_else(String::new, |words| format!(" {words}"));
    section.answer += &all.unplayed().map_or_else(String::new, |words| format!(" {words}"));
    if !table.rows.is_empty() {
        section.tables.push(table);
    }
}

/// The distribution of scores of each agent, in at most 40 bars.
fn histogram(all: &Evidence<'_>, players: usize) -> Option<PlotData> {
    let mut series = vec![];
    let agents = all.agents();
    let entries = |games: &crate::analysis::evidence::AgentGames| -> Vec<(i64, u64)> {
        let scores = games.parts.iter().flat_map(|part| part.score.iter().take(players));
        scores.flat_map(|seat| seat.histogram.iter().copied()).collect()
    };
    let ends = agents.iter().flat_map(|games| entries(games)).map(|(score, _)| score);
    let (least, most) = ends.fold((i64::MAX, i64::MIN), |ends, score| (ends.0.min(score), ends.1.max(score)));
    if least >= most {
        return None;
    }
    // Two scores can lie further apart than a number of 64 bits says.
    let (least, most) = (i128::from(least), i128::from(most));
    let width = (most - least) / 40 + 1;
    let from = least.div_euclid(width) * width;
    for games in agents {
        let mut bars = vec![0u64; ((most - from) / width + 1) as usize];
        entries(games)
            .iter()
            .for_each(|(score, n)| bars[((i128::from(*score) - from) / width) as usize] += n);
        let sum = bars.iter().sum::<u64>().max(1) as f64;
        let point = |(at, n): (usize, &u64)| {
            (
                (from + at as i128 * width) as f64 + (width - 1) as f64 / 2.0,
                100.0 * *n as f64 / sum,
                None,
                None,
            )
        };
        series.push(PlotSeries {
            name: games.agent.clone(),
            points: bars.iter().enumerate().map(point).collect(),
        });
    }
    Some(PlotData {
        title: "Scores".to_owned(),
        x: "score".to_owned(),
        y: "games (%)".to_owned(),
        kind: PlotKind::Line,
        names: vec![],
        series,
    })
}
