//! Luck or skill? Ratings of named agents, what more search buys, and the parts of the variance.

use crate::analysis::evidence::{Evidence, Strength};
use crate::analysis::page::{FigureTable, FigureUnit, PlotData, PlotKind, PlotSeries, ReportSection, shown};
use crate::ladder::{Ladder, Rung};
use houserule_base::names::list_words;
use houserule_base::numbers::{counted, decimal, grouped};
use houserule_base::statistics::sample::{Interval, ratio_of_counts, share};
use houserule_playtest::follow::course::movements;
use houserule_playtest::follow::odds::Expectations;
use houserule_playtest::{Meeting, chance_in_words, has_partners};

const NO_LUCK: &str = "There is no luck: the rules have no chance events.";

/// Number of doublings between the two searches of the ladder.
const DOUBLINGS: f64 = 2.0;

pub(in crate::analysis) fn skill(all: &Evidence<'_>) -> ReportSection {
    let mut section = ReportSection { id: "skill", question: "Luck or skill?", ..all.section() };
    if all.strong.is_none() {
        let (why, remedy) = all.why_not_strong();
        section.answer = match all.game.program().uses_chance {
            true => "That takes games between players of several strengths.".to_owned(),
            false => NO_LUCK.to_owned(),
        };
        section.lacks("ratings, what more search buys, the parts of the variance", why, remedy);
        return section;
    }
    let agent = all.best().agent.clone();
    let aimless = all.game.players() == 1 && all.game.model().score.is_empty();
    match &all.strength {
        _ if aimless => section.lacks(
            "ratings, what more search buys",
            "a lone player without a score has no aim, so no player is better",
            "give the rules a `score`",
        ),
        Some(Strength::Ladder(ladder)) => add_ladder(&mut section, all, ladder),
        Some(Strength::Meetings(meetings)) => add_meetings(&mut section, all, meetings),
        None => {
            let (why, remedy) = all.why_not_played();
            section.lacks("ratings, what more search buys", why, remedy);
        }
    }
    add_variance_parts(&mut section, all, &agent);
    let chance = all.game.program().uses_chance;
    match all.trusted().and_then(|courses| all.moves_truly().map(|()| courses)) {
        Ok(courses) if chance => {
            let pairs: Vec<(f64, f64)> =
                courses.iter().map(|course: &&Expectations| movements(course)).collect();
            let found = ratio_of_counts(&pairs);
            section.figure(
                "luck_of_events",
                "squared movement of the expectations at chance events",
                found,
                FigureUnit::Share,
                &agent,
            );
        }
        Err((why, remedy)) if chance => section.lacks("what chance events move", why, remedy),
        Ok(_) | Err(_) => {}
    }
    section.answer = answer(&section, all, chance);
    section
}

/// Adds the win rates of one player among others of each kind.
fn add_meetings(section: &mut ReportSection, all: &Evidence<'_>, meetings: &[(String, Meeting)]) {
    let agent = &all.best().agent;
    let (rest, others) = match all.game.players() {
        2 => ("the other", "other"),
        _ => ("all others", "others"),
    };
    let mut table =
        FigureTable { title: format!("{agent} in one seat, {rest} played by"), ..FigureTable::default() };
    let sides = all.game.model().sides().count_ones();
    // With partners, the others without the agent are measured.
    let beside = match (has_partners(all.game), all.game.players()) {
        (true, 2) => "this one alone",
        (true, _) => "these alone",
        (false, _) => "an equal share",
    };
    table.columns = [others, "games", "win rate", beside].map(str::to_owned).to_vec();
    for (other, meeting) in meetings {
        // A number counts once: its games in all seats share their chance.
        let own = share(meeting.own.mean, meeting.games / u64::from(all.game.players().max(1)));
        let label = format!("win rate against {other}");
        let cell = section.cell("win_rate", label, own, FigureUnit::Share, agent);
        table.rows.push(vec![
            other.clone(),
            grouped(meeting.games),
            cell,
            shown(meeting.other.mean, None, FigureUnit::Share),
        ]);
    }
    section.tables.push(table);
    let with_two = all.with_players(2..=2).filter(|_| all.game.model().teams.is_empty());
    let (why, remedy) = match (sides, with_two) {
        (1, _) => (
            "all players win or lose together",
            "take the team out, if they play against each other".to_owned(),
        ),
        (2, _) => (
            "a report rates one player, or two",
            "use `houserule ladder`, which rates agents that play whole sides".to_owned(),
        ),
        (_, Some(remedy)) => ("ratings are of games for one player or two sides", remedy),
        (_, None) => {
            let sides = format!("there are {sides}");
            let why = if all.opponents() == "side" { sides } else { all.allowed_players() };
            section
                .notes
                .push(format!("No Elo: ratings are of games for one player or two sides, and {why}."));
            return;
        }
    };
    section.lacks("Elo", why, &remedy);
}

/// Adds the ratings of a ladder, and what more search buys.
fn add_ladder(section: &mut ReportSection, all: &Evidence<'_>, ladder: &Ladder) {
    let mut table = FigureTable { title: "Ladder".to_owned(), ..FigureTable::default() };
    table.columns = ["agent", "Elo", "points", "games", "ms a decision"].map(str::to_owned).to_vec();
    let mut points = vec![];
    for (at, rung) in ladder.agents.iter().enumerate() {
        let elo = Interval::around(rung.elo, Some(rung.half));
        let label = format!("Elo of {}", rung.agent);
        let elo = section.cell("elo", label, Some(elo), FigureUnit::Elo, &rung.agent);
        let share = shown(rung.points, None, FigureUnit::Share);
        table.rows.push(vec![
            rung.agent.clone(),
            elo,
            share,
            grouped(rung.games),
            decimal(rung.seconds * 1e3, 3),
        ]);
        points.push((at as f64, rung.elo, Some(rung.elo - rung.half), Some(rung.elo + rung.half)));
    }
    section.tables.push(table);
    let searches: Vec<(usize, &Rung)> = ladder
        .agents
        .iter()
        .enumerate()
        .filter(|(_, rung)| rung.agent.contains("mcts:") && !rung.agent.contains(":learned"))
        .collect();
    if let [one, other] = searches.as_slice() {
        let size = |rung: &Rung| rung.agent.rsplit(':').next().and_then(|n| n.parse::<u32>().ok());
        let ((_, more), (at, less)) = if size(one.1) > size(other.1) { (one, other) } else { (other, one) };
        let half = more.apart.get(*at).map(|half| half / DOUBLINGS);
        let gain = Interval::around((more.elo - less.elo) / DOUBLINGS, half);
        section.figure(
            "elo_per_doubling",
            "Elo for twice as much search",
            Some(gain),
            FigureUnit::Elo,
            &more.agent,
        );
    }
    section.charts.push(PlotData {
        title: "Ratings, strongest first".to_owned(),
        x: "place".to_owned(),
        y: "Elo".to_owned(),
        kind: PlotKind::Points,
        names: ladder.agents.iter().map(|rung| rung.agent.clone()).collect(),
        series: vec![PlotSeries { name: "Elo".to_owned(), points }],
    });
    let alone = match all.game.players() {
        1 => " All play the same games, and the better score wins.",
        _ => "",
    };
    section
        .notes
        .push(format!("Elo is relative to the mean of these agents; 400 more are odds of 10 to 1.{alone}"));
}

/// Adds the parts of the variance of a result.
fn add_variance_parts(section: &mut ReportSection, all: &Evidence<'_>, agent: &str) {
    if !all.game.program().uses_chance {
        section.figure(
            "luck_share",
            "part of the outcome that is chance's",
            Some(Interval::exact(0.0)),
            FigureUnit::Share,
            agent,
        );
        return;
    }
    let Some((agents, games, found)) = &all.luck else {
        let (why, remedy) = match (all.interrupted || all.plan.quick, all.best().aborted()) {
            (true, _) => all.why_not_played(),
            (_, 0) => {
                ("all results were the same".to_owned(), "look at the decisions: does any change a result?")
            }
            (_, n) => (
                format!(
                    "an error or the limit of decisions ended games, {} of the {agent} players",
                    grouped(n)
                ),
                "mend the rules so that games end, or raise `limit`",
            ),
        };
        section.lacks("the parts of the variance", why, remedy);
        return;
    };
    let agents = list_words(agents);
    let dice = chance_in_words(all.game).unwrap_or("seeds");
    section.figure(
        "skill_share",
        "variance between the players",
        Some(found.skill),
        FigureUnit::Share,
        &agents,
    );
    section.figure(
        "luck_share",
        format!("variance between the {dice}, for all players alike"),
        Some(found.dice),
        FigureUnit::Share,
        &agents,
    );
    section.figure(
        "rest_share",
        format!("the rest: {dice} that suit one player more, players' own draws"),
        Some(found.rest),
        FigureUnit::Share,
        &agents,
    );
    if let Some(half) = found.games_for_half {
        let half = Interval { value: half, low: None, high: None };
        section.figure(
            "games_for_half",
            "games after which half of the variance of a total is the players'",
            Some(half),
            FigureUnit::Number,
            &agents,
        );
    }
    let against = if all.game.players() == 1 { "" } else { ", each in every seat against greedy players" };
    section.notes.push(format!(
        "The parts of the variance are those of {agents} in {}, with the same {dice} for each of them{against} (two-way random \
         effects). They hold for these players: others would have other parts.",
        counted(*games, "game")
    ));
}

fn answer(section: &ReportSection, all: &Evidence<'_>, chance: bool) -> String {
    let mut answer = String::new();
    if !chance {
        answer += NO_LUCK;
    } else if let Some(share) = section.get("skill_share") {
        answer += &format!(
            "Of the variation among {} and their {}, {} is the player.",
            share.agent,
            chance_in_words(all.game).unwrap_or("seeds"),
            share.with_interval()
        );
        if let Some(moved) = section.get("luck_of_events") {
            answer += &format!(
                " Chance events make {} of the movement of the expectations in a game.",
                moved.with_interval()
            );
        }
    } else if all.luck.is_none() && (all.interrupted || all.plan.quick) {
        answer +=
            "Luck and skill were not told apart: that takes games between players of several strengths.";
    } else {
        answer += "The parts of luck and skill could not be told apart.";
    }
    if let Some(gain) = section.get("elo_per_doubling") {
        answer += &format!(" Twice as much search gains {}.", gain.with_interval());
    }
    if let Some(rate) =
        section.figures.iter().find(|figure| figure.metric == "win_rate" && figure.label.ends_with("greedy"))
    {
        answer +=
            &format!(" One {} player among greedy ones wins {}.", all.best().agent, rate.with_interval());
    }
    answer
}
