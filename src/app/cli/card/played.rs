//! The games that the figures of a card stand on.

use super::CardArgs;
use crate::cli::budget::BudgetBar;
use crate::terminal::{CliError, Terminal};
use houserule_base::interrupt::Interrupt;
use houserule_game::Game;
use houserule_lab::analysis::{AnalysisPlan, AnalysisProgress, GameReport, Pace, analyse};
use houserule_lab::study::{AnswerPlan, AnswerStep, compare_by_best, compare_within};
use houserule_players::agents::AgentKind;
use houserule_playtest::{ComparePlan, CompareProgress, Comparison, RunBudget, answer_seconds};

/// Returns what ends the games. A number of games and a named player take their time, unless the card is to be quick.
fn budget(args: &CardArgs) -> RunBudget {
    let budget = args.budget.budget();
    let is_long = args.budget.games.is_some() || args.agent.is_some();
    let limit = (args.quick && is_long).then(|| answer_seconds(true));
    RunBudget { seconds: budget.seconds.or(limit), ..budget }
}

/// Plays a whole game.
pub(super) fn report(
    game: &Game,
    agent: Option<AgentKind>,
    args: &CardArgs,
    stop: &Interrupt,
    terminal: &mut Terminal<'_>,
) -> Result<GameReport, CliError> {
    let plan = AnalysisPlan {
        seed: args.run.seed,
        threads: args.run.threads()?,
        games: args.budget.games()?,
        budget: budget(args),
        agent,
        quick: args.quick,
        most_seconds: None,
        pages: 1,
        pace: Pace::default(),
    };
    let plan = AnalysisPlan { most_seconds: plan.usual_seconds(), ..plan };
    let bar = BudgetBar::new(terminal, "", plan.seconds(), &plan.budget);
    let told = |progress: AnalysisProgress| bar.show_share(progress.share);
    let found = analyse(game, &plan, &told, &mut |_| {}, stop);
    bar.wipe();
    Ok(found?)
}

/// Compares a house rule with the game that it changes: by a named player, or by the best that the time allows.
pub(super) fn compare(
    games: [&Game; 2],
    agent: Option<AgentKind>,
    args: &CardArgs,
    stop: &Interrupt,
    terminal: &mut Terminal<'_>,
) -> Result<Comparison, CliError> {
    let [a, b] = games;
    let plan = ComparePlan {
        games: args.budget.games()?,
        first: 0,
        seeds: [args.run.seed; 2],
        threads: args.run.threads()?,
        agents: agent.clone().into_iter().collect(),
        match_play: false,
        keep_partial: true,
    };
    let budget = budget(args);
    if agent.is_some() {
        let bar = BudgetBar::new(terminal, "pairs of games", budget.seconds, &budget);
        let progress = |done| {
            if let CompareProgress::Pairs(done, of) = done {
                bar.show(done, of);
            }
            true
        };
        let found = compare_within(a, b, &plan, &budget, &progress, stop);
        bar.wipe();
        return Ok(found?.found);
    }
    let plan = AnswerPlan { compare: plan, budget, quick: args.quick };
    let bar = BudgetBar::new(terminal, "", plan.seconds(), &plan.budget);
    let tell = |step: AnswerStep<'_>| {
        if let AnswerStep::Share(share) = step {
            bar.show_share(share);
        }
    };
    let found = compare_by_best(games, &plan, &tell, stop);
    bar.wipe();
    Ok(found?.found)
}
