//! `houserule compare`: plays two games with the same random numbers and reports the differences.

use std::sync::{Mutex, PoisonError};

use clap::Args;

use super::aborted::{self, AbortedCount, Again};
use super::budget::{BudgetBar, BudgetFlags};
use super::cost::Planned;
use super::page_file::{PageFile, PageForm};
use super::pair::Pair;
use super::run_flags::{AgentFlags, SeriesFlags};
use super::{budget, cost};
use crate::terminal::{CliError, Forecast, Terminal, on_ctrl_c, write_note};
use houserule_base::clock::Instant;
use houserule_base::interrupt::Interrupt;
use houserule_lab::study::{
    AnswerPlan, AnswerStep, BestComparison, BudgetedStudy, compare_by_best, compare_within,
};
use houserule_loader::Loaded;
use houserule_page::report::head::ComparedRules;
use houserule_page::report::{comparison, comparison_page};
use houserule_playtest::{ComparePlan, CompareProgress, Comparison, play_again};

/// What a comparison counts.
const PAIRS: &str = "pairs of games";

#[derive(Debug, Args)]
#[command(mut_arg("count", |games| games.help(
    "Number of games to play of each (with `--match`, of matches) [default: as many as three minutes allow, or ten seconds with `--quick`, 10,000 at most]"
)))]
#[command(mut_arg("output", |file| file.help("Write a page to send to a new file, by its ending `.html` or `.json`")))]
#[command(after_help = "Examples:\n  \
    houserule compare dilido dilido + second-joker\n  \
    houserule compare dilido mine.rules --agents greedy --games 2000\n  \
    houserule compare dilido --set-b penalty_limit=5\n  \
    houserule compare dilido mine.rules --for 5m\n  \
    houserule compare dilido mine.rules --quick --precision score=0.5\n  \
    houserule compare dilido mine.rules -o page.html")]
pub(super) struct CompareArgs {
    #[command(flatten)]
    pair: Pair,
    #[command(flatten)]
    agents: AgentFlags,
    #[command(flatten)]
    budget: BudgetFlags,
    #[command(flatten)]
    series: SeriesFlags,
    #[command(flatten)]
    file: PageFile,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &CompareArgs, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let clock = Instant::now();
    let file = args.file.target("a comparison", &[PageForm::Html, PageForm::Json])?;
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

    let mut is_announced = false;
    let named: &[_] = if args.agents.are_named() { &plan.agents } else { &[] };
    for (kind, loaded) in named.iter().flat_map(|kind| [(kind, &a), (kind, &b)]) {
        let planned = Planned {
            game: &loaded.game,
            agents: vec![kind.clone(); loaded.game.players() as usize],
            games: plan.games,
            seed: args.series.run.seed,
            threads: plan.threads,
            match_play: plan.match_play,
        };
        is_announced |= cost::announce(&planned, terminal)?;
    }
    let budget = args.budget.budget();
    let stop = on_ctrl_c(terminal);
    let (mut found, told) = if args.agents.are_named() {
        let bar = BudgetBar::new(terminal, PAIRS, budget.seconds, &budget);
        // Of several agents, the first plays as many as are asked for, and the others take their own time.
        let several = plan.agents.len() > 1;
        let is_open = !is_announced && !budget.is_bounded() && (plan.games.is_some() || !several);
        let forecast = if is_open { Forecast::new(terminal, PAIRS, several) } else { None };
        let progress = |done| {
            if let CompareProgress::Pairs(done, of) = done {
                bar.show(done, of);
                let each = plan.games.unwrap_or(of);
                if let Some(forecast) = forecast.as_ref().filter(|_| done <= each) {
                    forecast.hear(done, each);
                }
            }
            true
        };
        let study = compare_within(&a.game, &b.game, &plan, &budget, &progress, &stop);
        bar.wipe();
        let study = study?;
        let last = BudgetedStudy { found: (), games: study.games, end: study.end };
        (study.found, last)
    } else {
        let answer = by_best([&a, &b], args, plan, &stop, terminal)?;
        (answer.found, answer.last)
    };
    // Loading takes time as well.
    found.seconds = clock.elapsed().as_secs_f64();
    if let Some(file) = file {
        let text = match file.form {
            PageForm::Html | PageForm::Markdown => {
                let command = again(args, [&name_a, &name_b], &found);
                let told = ComparedRules::find([&a.game, &b.game], args.series.run.seed, command);
                comparison_page::html(&found, &told)
            }
            PageForm::Json => serde_json::to_string_pretty(&found)
                .map(|text| text + "\n")
                .map_err(|error| CliError::Rules(error.to_string()))?,
        };
        file.write(&text)?;
        writeln!(terminal.out, "{}", found.verdict)?;
        terminal.note(&format!("The comparison is in {}.", file.path.display()))?;
    } else if args.json {
        terminal.json(&found)?;
    } else {
        write!(terminal.out, "{}", comparison::report(&found, terminal.paint))?;
        terminal.out.flush()?;
    }
    if !found.same_rules {
        // Players that were chosen by the clock are named, so that the same play again.
        let best = found.agents.last().filter(|_| found.contest.is_some());
        let agents = best.map_or_else(String::new, |best| format!("--agents {} ", best.agent));
        let has_played = found.agents.iter().any(|agent| agent.games + agent.aborted > 0);
        budget::require_figures(&told, has_played)?;
        budget::report_end_with(&told, &budget, &agents, terminal)?;
    }
    if found.interrupted {
        return Err(CliError::Interrupted);
    }
    aborted(args, [(&a, &name_a, &args.pair.set_a), (&b, &name_b, &args.pair.set_b)], &found, terminal)
}

/// Returns the command that plays the games of the best players again.
fn again(args: &CompareArgs, names: [&str; 2], found: &Comparison) -> String {
    let mut words = vec!["houserule compare".to_owned()];
    words.extend(args.pair.words(names));
    if let Some(best) = found.strongest() {
        words.push(format!("--agents {} -n {}", best.agent, best.games + best.aborted));
    }
    words.push(format!("--seed {}", args.series.run.seed));
    words.extend((args.series.first > 0).then(|| format!("--first {}", args.series.first)));
    words.extend(args.series.matches.then(|| "--match".to_owned()));
    words.join(" ")
}

/// Compares the games with the best players that the time allows.
fn by_best(
    games: [&Loaded; 2],
    args: &CompareArgs,
    compare: ComparePlan,
    stop: &Interrupt,
    terminal: &mut Terminal<'_>,
) -> Result<BestComparison, CliError> {
    if compare.match_play && !args.agents.is_quick() {
        terminal.note(
            "`compare --match` trains no players for long, because they learn from single games; `--agents learned` \
             compares with them nevertheless.",
        )?;
    }
    let plan = AnswerPlan { compare, budget: args.budget.budget(), quick: args.agents.is_quick() };
    let bar = BudgetBar::new(terminal, "", plan.seconds(), &plan.budget);
    // Without a time, each agent plays as many games as are asked for.
    let games_of_each = plan.compare.games.filter(|_| !plan.budget.is_bounded());
    let forecast = games_of_each.and_then(|of| Some((Forecast::new(terminal, PAIRS, true)?, of)));
    let quiet = terminal.quiet;
    let err = Mutex::new(&mut *terminal.err);
    let tell = |step: AnswerStep<'_>| {
        let message = match step {
            AnswerStep::Share(share) => {
                if let Some((forecast, of)) = &forecast {
                    forecast.hear((share * *of as f64) as u64, *of);
                }
                return bar.show_share(share);
            }
            // A run that is short, or of a number of games, has nothing to tell before its end.
            AnswerStep::First(_) if quiet || plan.seconds().is_none() => return,
            // Without a game there is no verdict.
            AnswerStep::First(first) if first.verdict.is_empty() => return,
            AnswerStep::First(first) => format!("{} Better players follow.", first.verdict),
            AnswerStep::Untrained(error) => format!("No player is trained: {error}."),
            AnswerStep::NoTime => {
                "There was no time for players that learn for longer: allow more with `--for`.".to_owned()
            }
        };
        let mut err = err.lock().unwrap_or_else(PoisonError::into_inner);
        // Nothing depends on the note.
        let _ = bar.without(|| write_note(*err, &message));
    };
    let [a, b] = games;
    let answer = compare_by_best([&a.game, &b.game], &plan, &tell, stop);
    bar.wipe();
    Ok(answer?)
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
