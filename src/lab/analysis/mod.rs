//! What a rule does to a game: the questions of a designer, each with figures, intervals, and the players who gave
//! them.
//!
//! [`analyse`] plays the games and makes a [`GameReport`]. Depends on agents, statistics and playtest; prints and draws
//! nothing. `docs/metrics.md` defines every figure.

mod beside;
mod course;
#[cfg(test)]
mod coverage;
mod evidence;
mod exact;
mod flags;
mod luck;
mod odds;
mod page;
mod places;
mod sections;
mod series;
mod track;

pub use beside::{by_players, two_games};
pub use evidence::{AnalysisPlan, AnalysisProgress, PRECISE, Pace};
pub use page::{
    AgentRun, Figure, FigureTable, FigureUnit, Flag, GameReport, HeatMap, Missing, PlotData, PlotKind,
    PlotSeries, ReportSection, SeriesFigures, SeriesStatistic, shown,
};

use evidence::{AgentGames, Evidence, gather};
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
    let here = Parts::here();
    let all = gather(game, plan, report, &mut |early| first(&page(early)), &lacking, stop, &here)?;
    Ok(page(&all))
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
    Ok(page(&gather(game, plan, report, &mut |_| {}, &lacking, stop, parts)?))
}

/// Returns the number of games that will presumably reach the wanted precision; `None` if it is reached.
fn lacking(all: &Evidence<'_>) -> Option<f64> {
    let wanted = &all.plan.budget.precision;
    if wanted.is_empty() { None } else { page(all).lacking(wanted) }
}

fn page(all: &Evidence<'_>) -> GameReport {
    use sections::{board, course, decisions, fair, glance, length, rules, skill};
    let sections = vec![
        glance(all),
        fair(all),
        length(all),
        course(all),
        decisions(all),
        skill(all),
        rules(all),
        board(all),
    ];
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
        seconds: all.seconds,
        agents: all.agents().into_iter().map(run).collect(),
        first: flags::flags(&sections, &all.best().agent),
        sections,
        series: series::series(all),
    }
}
