//! What a rule does to a game: the questions of a designer, each with figures, intervals, and the players who gave
//! them.
//!
//! [`analyse`] plays the games and makes a [`GameReport`]. Depends on agents, statistics and playtest; prints and draws
//! nothing. `docs/metrics.md` defines every figure.

mod beside;
mod choice;
#[cfg(test)]
mod coverage;
mod evidence;
mod exact;
mod flags;
mod page;
mod plan;
mod sections;
mod series;
mod strength;

pub use beside::{by_players, two_games};
pub use evidence::AnalysisProgress;
pub use page::{
    AgentRun, Figure, FigureTable, FigureUnit, Flag, GameReport, HeatMap, Missing, PlotData, PlotKind,
    PlotSeries, ReportSection, SeriesFigures, SeriesStatistic, shown,
};
pub use plan::{AnalysisPlan, PRECISE, Pace};

use evidence::{AgentGames, Evidence, gather};
use houserule_base::clock::Instant;
use houserule_base::interrupt::Interrupt;
use houserule_base::parts::Parts;
use houserule_game::Game;
use houserule_game::values::param_text;
use houserule_playtest::{SimulateError, VERSION};

/// Plays games and answers the questions of a designer. `first` gets a page of random and greedy players within
/// seconds. `report` gets the progress of the rest. If `stop` is set, the page has what was found until then.
pub fn analyse(
    game: &Game,
    plan: &AnalysisPlan,
    report: &(dyn Fn(AnalysisProgress) + Sync),
    first: &mut dyn FnMut(&GameReport),
    stop: &Interrupt,
) -> Result<GameReport, SimulateError> {
    let (clock, here) = (Instant::now(), Parts::here());
    let all = gather(game, plan, report, &mut |early| first(&page(early)), &lacking, stop, &here)?;
    Ok(timed(page(&all), clock))
}

/// Like [`analyse`], in parts that several processes can do: a part is a training, or some games. If `parts` is a list or
/// a single part, there is no result to return, and the error is [`SimulateError::Stopped`].
pub fn analyse_in_parts(
    game: &Game,
    plan: &AnalysisPlan,
    report: &(dyn Fn(AnalysisProgress) + Sync),
    stop: &Interrupt,
    parts: &Parts,
) -> Result<GameReport, SimulateError> {
    let clock = Instant::now();
    Ok(timed(page(&gather(game, plan, report, &mut |_| {}, &lacking, stop, parts)?), clock))
}

/// Sets the duration of a page to the time since its games were begun: its figures take time as well.
fn timed(page: GameReport, clock: Instant) -> GameReport {
    GameReport { seconds: clock.elapsed().as_secs_f64(), ..page }
}

/// Returns the number of games that will presumably reach the wanted precision; `None` if it is reached.
fn lacking(all: &Evidence<'_>) -> Option<f64> {
    let wanted = &all.plan.budget.precision;
    if wanted.is_empty() { None } else { page(all).lacking(wanted) }
}

/// Fewer games say little of ends that don't come.
const GAMES_FOR_ENDS: u64 = 100;

/// What to look at first where all games of all agents end in one of several ways.
fn only_end(all: &Evidence<'_>) -> Option<Flag> {
    let model = all.game.model();
    // An end of later games of a match does come.
    let is_later = |name: &str| {
        all.tried.as_ref().is_some_and(|tried| tried.in_later_games.contains(&format!("end `{name}`")))
    };
    let mut names: Vec<&str> = model.end_names().filter(|name| !model.is_implied_end(name)).collect();
    let games: u64 = all.agents().iter().map(|games| games.games()).sum();
    let times = |name: &str| -> u64 {
        let of = |games: &&AgentGames| games.times(|report| report.ends.get(name).copied().unwrap_or(0));
        all.agents().iter().map(of).sum()
    };
    names.retain(|name| times(name) > 0 || !is_later(name));
    let (came, never): (Vec<&str>, Vec<&str>) = names.iter().partition(|name| times(name) > 0);
    let ([only], true) = (came.as_slice(), games >= GAMES_FOR_ENDS && !never.is_empty()) else { return None };
    let whole = times(only) == games;
    let never: Vec<String> = never.iter().map(|name| format!("`{name}`")).collect();
    let come = if never.len() == 1 { "comes" } else { "come" };
    whole.then(|| Flag {
        sentence: format!(
            "All {} games end with `{only}`: {} never {come}.",
            houserule_base::numbers::grouped(games),
            houserule_base::names::list_words(&never)
        ),
        rule: "an end that never comes is no rule of the game that is played".to_owned(),
        metric: "ends",
    })
}

/// What to look at first where nobody can play the game yet.
fn unskilled(all: &Evidence<'_>) -> Option<Flag> {
    // Without a finished game there are no figures of anybody.
    all.unskilled().filter(|_| all.best().games() > 0).map(|sentence| Flag {
        sentence: sentence.to_owned(),
        rule: match all.game.model().is_cooperative() {
            true => {
                "a player who can play wins more often with random partners than a random player does, beyond its interval"
            }
            false => {
                "a player who can play wins more than an equal share against random ones, beyond its interval"
            }
        }
        .to_owned(),
        metric: "against_random",
    })
}

/// What to look at first where the best player that was found finished no game.
fn unplayed(all: &Evidence<'_>) -> Option<Flag> {
    all.unplayed().filter(|_| all.best().games() > 0).map(|sentence| Flag {
        sentence,
        rule: "the figures are those of the best player that was found, if its games are over in time"
            .to_owned(),
        metric: "against_random",
    })
}

/// What to look at first where nearly all games are alike.
fn alike(all: &Evidence<'_>) -> Option<Flag> {
    all.alike().map(|sentence| Flag {
        sentence: format!(
            "{} Their figures say how these players play, and little of the rules, so they have no intervals.",
            flags::capital(&sentence)
        ),
        rule: "all games of a player are the same, or fewer than 1 in 10 is different, in a game without chance events"
            .to_owned(),
        metric: "different_games",
    })
}

fn page(all: &Evidence<'_>) -> GameReport {
    use sections::{board, course, decisions, fair, glance, length, rules, skill, trade};
    let mut sections = vec![
        glance(all),
        fair(all),
        length(all),
        course(all),
        decisions(all),
        skill(all),
        rules(all),
        board(all),
    ];
    let measures = trade(all, &mut sections);
    sections.extend(measures);
    if all.best().games() == 0 {
        // How long a game is, is told by why none came to its end.
        let is_empty =
            |id: &str| id == "glance" || id == "fair" || id == "length" && all.best().aborted() == 0;
        for section in sections.iter_mut().filter(|section| is_empty(section.id)) {
            let answer = "No game was finished, so nothing is known.".to_owned();
            *section = ReportSection {
                id: section.id,
                question: section.question,
                answer,
                ..ReportSection::default()
            };
        }
    }
    // Of games that are alike, only what is wrong with them is told.
    let tells = |flag: &Flag| all.best().alike.is_none() || flag.metric == "cut_off";
    let identity = all.game.identity();
    let model = all.game.model();
    let set = model.params.iter().filter(|param| param.value != param.default);
    let run = |games: &AgentGames| AgentRun {
        agent: games.agent.clone(),
        games: games.games(),
        aborted: games.aborted(),
        trainings: (games.parts.len() > 1).then_some(games.parts.len() as u64),
    };
    GameReport {
        version: VERSION,
        game: identity.name.clone(),
        title: model.title.clone(),
        rules_sha256: identity.rules_sha256.clone(),
        params: set.map(|param| format!("{} = {}", param.name, param_text(&param.value))).collect(),
        players: all.game.players(),
        seed: all.plan.seed,
        interrupted: all.interrupted,
        out_of_time: all.out_of_time,
        seconds: all.seconds,
        agents: all.agents().into_iter().map(run).collect(),
        first: alike(all)
            .into_iter()
            .chain(only_end(all))
            .chain(unskilled(all))
            .chain(unplayed(all))
            .chain(flags::flags(&sections, &all.best().agent, all.opponents()).into_iter().filter(tells))
            .collect(),
        sections,
        series: series::series(all),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_loader::{Request, load};
    use houserule_playtest::RunBudget;

    #[test]
    fn a_player_who_was_found_and_finished_no_game_is_named() {
        let game = load(&Request { name: "tic-tac-toe", ..Request::default() }).unwrap().game;
        let plan = AnalysisPlan {
            seed: 1,
            threads: 1,
            games: Some(5),
            budget: RunBudget::default(),
            agent: None,
            quick: true,
            most_seconds: None,
            pages: 1,
            pace: Pace::default(),
        };
        let (stop, here) = (Interrupt::new(), Parts::here());
        let mut all = gather(&game, &plan, &|_| {}, &mut |_| {}, &lacking, &stop, &here).unwrap();
        let kind = all.contest.as_ref().unwrap().kind.to_string();
        assert_eq!(all.strong.as_ref().unwrap().games(), 5);
        assert!(all.unplayed().is_none());
        // As if the time had been over before.
        (all.strong, all.followed) = (None, vec![]);
        (all.interrupted, all.out_of_time) = (true, true);
        let found = page(&all);
        let told = format!("The best player that was found, {kind}, finished no game in this time:");
        assert!(found.first.iter().any(|flag| flag.sentence.starts_with(&told)), "{:?}", found.first);
        assert!(found.sections[0].answer.contains(&told), "{}", found.sections[0].answer);
        let missing = found.sections.iter().flat_map(|section| &section.missing);
        let whys: Vec<&str> = missing.map(|missing| missing.why.as_str()).collect();
        let says = |part: &str| whys.iter().any(|why| why.contains(part));
        assert!(says("the time was over before the strong player") && !says("none was found"), "{whys:?}");
    }
}
