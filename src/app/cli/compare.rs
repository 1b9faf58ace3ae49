//! `houserule compare`: plays two games with the same random numbers and reports the differences.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use clap::Args;

use super::aborted::{self, AbortedCount, Again};
use super::budget::{BudgetBar, BudgetFlags};
use super::cost::Planned;
use super::pair::Pair;
use super::run_flags::{AgentFlags, SeriesFlags};
use super::{budget, cost};
use crate::terminal::{CliError, Terminal, on_ctrl_c};
use houserule_base::interrupt::Interrupt;
use houserule_base::numbers::duration;
use houserule_lab::study::{BudgetedStudy, StudyEnd, compare_within};
use houserule_loader::Loaded;
use houserule_page::report::comparison;
use houserule_players::agents::AgentKind;
use houserule_players::learned::can_learn;
use houserule_playtest::{ComparePlan, CompareProgress, Comparison, RunBudget, play_again};

#[derive(Debug, Args)]
#[command(mut_arg("count", |games| games.help(
    "Number of games to play of each (with `--match`, of matches) [default: up to 10,000, fewer if they take long]"
)))]
#[command(after_help = "Examples:\n  \
    houserule compare dilido dilido + second-joker\n  \
    houserule compare dilido mine.rules --agents greedy --games 2000\n  \
    houserule compare dilido --set-b penalty_limit=5\n  \
    houserule compare dilido mine.rules --for 5m\n  \
    houserule compare dilido mine.rules --quick --precision score=0.5")]
pub(super) struct CompareArgs {
    #[command(flatten)]
    pair: Pair,
    #[command(flatten)]
    agents: AgentFlags,
    #[command(flatten)]
    budget: BudgetFlags,
    #[command(flatten)]
    series: SeriesFlags,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &CompareArgs, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let plan = ComparePlan {
        games: args.budget.games()?,
        first: args.series.first,
        seeds: [args.series.run.seed; 2],
        threads: args.series.run.threads()?,
        agents: args.agents.before_training()?,
        match_play: args.series.matches,
        keep_partial: true,
    };
    let [(name_a, a), (name_b, b)] = args.pair.load("compare", terminal)?;

    for (kind, loaded) in plan.agents.iter().flat_map(|kind| [(kind, &a), (kind, &b)]) {
        let planned = Planned {
            game: &loaded.game,
            agents: vec![kind.clone(); loaded.game.players() as usize],
            games: plan.games,
            seed: args.series.run.seed,
            threads: plan.threads,
            match_play: plan.match_play,
        };
        cost::announce(&planned, terminal)?;
    }
    let clock = Instant::now();
    let all = args.budget.budget();
    let learns = args.agents.trains();
    let part = if learns { QUICK_SHARE } else { 1.0 };
    let budget = RunBudget { seconds: all.seconds.map(|seconds| part * seconds), ..all.clone() };
    let bar = BudgetBar::new(terminal, "pairs of games", budget.seconds);
    let stop = on_ctrl_c(terminal);
    let progress = |done| {
        if let CompareProgress::Pairs(done, of) = done {
            bar.show(done, of);
        }
        true
    };
    let study = compare_within(&a.game, &b.game, &plan, &budget, &progress, &stop);
    bar.wipe();
    let mut study = study?;
    if !args.json {
        write!(terminal.out, "{}", comparison::report(&study.found, terminal.paint))?;
        terminal.out.flush()?;
    }
    let told = if study.found.same_rules { Ok(()) } else { budget::report_end(&study, &budget, terminal) };
    let found = &mut study.found;
    if learns && !found.same_rules && !found.interrupted {
        let quick = found.agents.len();
        let left = all.seconds.map(|seconds| (seconds - clock.elapsed().as_secs_f64()).max(0.0));
        let budget = RunBudget { seconds: left, ..all };
        if let Some(later) = by_learned([&a, &b], &plan, &budget, &stop, terminal)? {
            let is_whole = later.end != StudyEnd::TooShort;
            let heard = BudgetedStudy { found: (), games: later.games, end: later.end };
            if is_whole {
                found.extend(later.found);
            } else {
                terminal.note(
                    "There was no time for players that learn: allow more, or leave them out with `--quick`.",
                )?;
            }
            if !args.json && found.agents.len() > quick {
                write!(terminal.out, "{}", comparison::answers(found, quick, terminal.paint))?;
            }
            if is_whole && !found.interrupted {
                budget::report_end(&heard, &budget, terminal)?;
            }
        }
    }
    if args.json {
        terminal.json(found)?;
    }
    told?;
    if found.interrupted {
        return Err(CliError::Interrupted);
    }
    aborted(args, [(&a, &name_a, &args.pair.set_a), (&b, &name_b, &args.pair.set_b)], found, terminal)
}

/// Share of the time for the agents that play before any training.
const QUICK_SHARE: f64 = 0.3;

/// Compares the games with agents trained for each of them. Returns `None` if no agent can be trained.
fn by_learned(
    games: [&Loaded; 2],
    plan: &ComparePlan,
    budget: &RunBudget,
    stop: &Interrupt,
    terminal: &mut Terminal<'_>,
) -> Result<Option<BudgetedStudy<Comparison>>, CliError> {
    if plan.match_play {
        terminal.note("`compare --match` trains no players, because they learn from single games; `--agents learned` compares with them nevertheless.")?;
        return Ok(None);
    }
    for loaded in games {
        if let Err(error) = can_learn(&loaded.game) {
            terminal.note(&format!("No player is trained for {}: {error}.", loaded.game.identity().name))?;
            return Ok(None);
        }
    }
    terminal.note(&format!(
        "Now two players are trained for each game, which takes about {} unless it was done before. Ctrl-C keeps \
         the results above; `--quick` skips the training.",
        duration(60.0 / plan.threads.min(2) as f64)
    ))?;
    let bar = BudgetBar::new(terminal, "", budget.seconds);
    // Training takes nearly all of the time.
    const TRAINING: f64 = 0.9;
    let (trained, played) = (AtomicU64::new(0), AtomicU64::new(0));
    let progress = |done| {
        match done {
            CompareProgress::Training(share) => trained.store(share.to_bits(), Ordering::Relaxed),
            CompareProgress::Pairs(done, of) => {
                played.store((done as f64 / of.max(1) as f64).to_bits(), Ordering::Relaxed)
            }
        }
        let [trained, played] =
            [&trained, &played].map(|share| f64::from_bits(share.load(Ordering::Relaxed)));
        bar.show_share(TRAINING * trained + (1.0 - TRAINING) * played);
        true
    };
    let learners = ComparePlan { agents: vec![AgentKind::Learned(None)], ..plan.clone() };
    let [a, b] = games;
    let later = compare_within(&a.game, &b.game, &learners, budget, &progress, stop);
    bar.wipe();
    Ok(Some(later?))
}

/// Reports the first game of each side that an error ended.
fn aborted(
    args: &CompareArgs,
    sides: [(&Loaded, &str, &Vec<String>); 2],
    found: &Comparison,
    terminal: &mut Terminal<'_>,
) -> Result<(), CliError> {
    let mut wrong = false;
    for (side, ((loaded, name, set), first)) in sides.into_iter().zip(&found.first_aborted).enumerate() {
        let Some((kind, first)) = first else { continue };
        wrong = true;
        let plan = args.series.alone(first.index, kind.clone());
        let stopped = play_again(&loaded.game, &plan, first.index);
        let number = stopped.as_ref().map_or(first.index, |stopped| stopped.number);
        let kind = kind.to_string();
        let again = Again {
            name,
            number,
            seed: args.series.run.seed,
            set: args.pair.set.iter().chain(set).collect(),
            players: Some(loaded.game.players()),
            agents: &kind,
            matches: args.series.matches,
        };
        let of = found.agents.iter().filter(|agent| agent.agent == kind);
        let (aborted, games) = of.fold((0, 0), |(aborted, games), agent| {
            (aborted + agent.aborted_of()[side], games + agent.games + agent.aborted)
        });
        let counted = AbortedCount { games: aborted, of: games, index: first.index };
        aborted::report(&first.error, stopped.as_ref(), &counted, &again, loaded, terminal)?;
    }
    if wrong { Err(CliError::AlreadyReported) } else { Ok(()) }
}
