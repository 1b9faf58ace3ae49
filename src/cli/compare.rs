//! `houserule compare`: two games on the same dice, and what differs.

use std::sync::Mutex;

use clap::Args;

use super::progress::Progress;
use super::simulate::{MOST_THREADS, whole};
use super::stopped::{self, Aborted};
use super::{Fault, Terminal, moved, names, setting};
use crate::agents::AgentKind;
use crate::lang::check::Setting;
use crate::loader::Loaded;
use crate::playtest::{ComparePlan, Comparison, Plan, SimulateError, compare, play_again};

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    houserule compare dilido dilido + second-joker\n  \
    houserule compare dilido mine.rules --agents greedy --games 2000\n  \
    houserule compare dilido --set-b penalty_limit=5")]
pub(super) struct CompareArgs {
    /// The two games, each with variants on top of it; of one game, `--set-b` makes the second
    #[arg(required = true, value_name = "A B")]
    games: Vec<String>,
    /// Set a param of both games
    #[arg(long = "set", value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Set a param of the first game only
    #[arg(long = "set-a", value_name = "NAME=VALUE")]
    set_a: Vec<String>,
    /// Set a param of the second game only
    #[arg(long = "set-b", value_name = "NAME=VALUE")]
    set_b: Vec<String>,
    /// How many play; without it, the fewest that both allow
    #[arg(long, value_name = "N")]
    players: Option<u32>,
    /// How many games of each (with `--match`, matches); without it, up to 10,000, fewer if they are long
    #[arg(long = "games", short = 'n', value_name = "N", value_parser = whole, allow_negative_numbers = true)]
    games_of_each: Option<u64>,
    /// The seed: the same seed means the same games
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole, allow_negative_numbers = true)]
    seed: u64,
    /// Kinds of players: each in turn sits in all seats
    #[arg(long, value_name = "A,B", default_value = "random,greedy")]
    agents: String,
    /// How many threads; without it, one for each processor
    #[arg(long, value_name = "T")]
    threads: Option<usize>,
    /// Compare whole matches
    #[arg(long = "match")]
    matches: bool,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &CompareArgs, terminal: &mut Terminal<'_>) -> Result<(), Fault> {
    let [name_a, name_b] = two_names(args)?;
    let plan = ComparePlan {
        games: args.games_of_each,
        seeds: [args.seed; 2],
        threads: threads(args.threads)?,
        agents: agents(&args.agents)?,
        match_play: args.matches,
    };
    if args.games_of_each == Some(0) {
        return Err(Fault::Command("`--games 0`: at least 1".to_owned()));
    }
    let settings = |own: &[String]| -> Result<Vec<Setting>, Fault> {
        args.set.iter().chain(own).map(|text| setting(text)).collect()
    };
    let (settings_a, settings_b) = (settings(&args.set_a)?, settings(&args.set_b)?);
    let mut a = load(terminal, "A", &name_a, &settings_a, args.players)?;
    let mut b = load(terminal, "B", &name_b, &settings_b, args.players)?;
    let (of_a, of_b) = (a.game.players(), b.game.players());
    if args.players.is_none() && of_a != of_b {
        // The fewest that both allow, if there is such a number; else what is comparable is compared.
        let least = of_a.max(of_b);
        let allows = |loaded: &Loaded| {
            (loaded.game.model().players.least..=loaded.game.model().players.most).contains(&least)
        };
        if allows(&a) && allows(&b) {
            a = load(terminal, "A", &name_a, &settings_a, Some(least))?;
            b = load(terminal, "B", &name_b, &settings_b, Some(least))?;
        }
    }

    let found = {
        let bar = Mutex::new((Progress::new(terminal.watched), &mut *terminal.err));
        let progress = |done: u64, of: u64| {
            if let Ok(mut bar) = bar.lock() {
                let (bar, err) = &mut *bar;
                bar.show(done, of, *err);
            }
            true
        };
        let found = compare(&a.game, &b.game, &plan, &progress);
        if let Ok(mut bar) = bar.lock() {
            let (bar, err) = &mut *bar;
            bar.wipe(*err);
        }
        found
    };
    let found = found.map_err(|error| match error {
        SimulateError::NoMatch => Fault::Rules(error.to_string()),
        _ => Fault::Command(error.to_string()),
    })?;
    if args.json {
        terminal.json(&found)?;
    } else {
        let text = moved::report(&found, terminal.paint);
        write!(terminal.out, "{text}")?;
    }
    aborted(args, [(&a, &name_a, &args.set_a), (&b, &name_b, &args.set_b)], &found, terminal)
}

/// Loads one side; what is wrong with the request says which.
fn load(
    terminal: &mut Terminal<'_>,
    side: &str,
    name: &str,
    settings: &[Setting],
    players: Option<u32>,
) -> Result<Loaded, Fault> {
    terminal.load(name, settings, players).map_err(|fault| match fault {
        Fault::Command(message) => {
            Fault::Command(message.lines().map(|line| format!("{side} ({name}): {line}\n")).collect())
        }
        other => other,
    })
}

fn two_names(args: &CompareArgs) -> Result<[String; 2], Fault> {
    match names(&args.games).as_slice() {
        [a, b] => Ok([a.clone(), b.clone()]),
        [one] if !args.set_a.is_empty() || !args.set_b.is_empty() => Ok([one.clone(), one.clone()]),
        [one] => Err(Fault::Command(format!(
            "name a second game (`houserule compare {one} {one} + VARIANT`), or change a param of it \
             (`--set-b NAME=VALUE`)"
        ))),
        many => Err(Fault::Command(format!(
            "name two games, not {}; variants are put on top of a game with `+`",
            many.len()
        ))),
    }
}

/// How many threads work.
pub(super) fn threads(asked: Option<usize>) -> Result<usize, Fault> {
    let threads = asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    if threads == 0 || threads > MOST_THREADS {
        return Err(Fault::Command(format!("`--threads {threads}`: from 1 to {MOST_THREADS}")));
    }
    Ok(threads)
}

/// Kinds of players, each once.
pub(super) fn agents(text: &str) -> Result<Vec<AgentKind>, Fault> {
    let mut kinds = Vec::new();
    for name in text.split(',') {
        let kind = AgentKind::parse(name).map_err(|error| Fault::Command(error.to_string()))?;
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    Ok(kinds)
}

/// Tells the first game of each side that an error ended.
fn aborted(
    args: &CompareArgs,
    sides: [(&Loaded, &str, &Vec<String>); 2],
    found: &Comparison,
    terminal: &mut Terminal<'_>,
) -> Result<(), Fault> {
    let mut wrong = false;
    for ((loaded, name, set), first) in sides.into_iter().zip(&found.first_aborted) {
        let Some((kind, first)) = first else { continue };
        wrong = true;
        let plan = Plan {
            games: 1,
            first: first.index,
            seed: args.seed,
            threads: 1,
            agents: vec![*kind],
            match_play: args.matches,
        };
        let stopped = play_again(&loaded.game, &plan, first.index);
        let number = stopped.as_ref().map_or(first.index, |stopped| stopped.number);
        let mut command = format!(
            "houserule simulate {name} --games 1 --first {number} --seed {} --agents {kind}",
            args.seed
        );
        for setting in args.set.iter().chain(set) {
            command.push_str(&format!(" --set {setting}"));
        }
        command.push_str(&format!(" --players {}", loaded.game.players()));
        if args.matches {
            command.push_str(" --match");
        }
        let of = found.agents.iter().filter(|agent| agent.agent == kind.to_string());
        let (aborted, games) = of.fold((0, 0), |sum, agent| (sum.0 + agent.aborted, sum.1 + agent.games));
        let counted = Aborted { games: aborted, of: aborted + games, index: first.index };
        stopped::tell(&first.error, stopped.as_ref(), &counted, &command, loaded, terminal)?;
    }
    if wrong { Err(Fault::Told) } else { Ok(()) }
}
