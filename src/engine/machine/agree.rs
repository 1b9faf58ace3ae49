//! The two machines side by side: the same games by the interpreter and by compiled code, held to each other
//! in every word, draw, fault and count. For tests.

use super::Kind;
use super::native::Machine;
use crate::engine::Game;
use crate::engine::effects::{bind, find};
use crate::engine::run::run;
use crate::engine::tally::{BUDGET, Stop, Tally};
use crate::program::{Block, OVER, PENDING, Program, SiteKind};
use crate::rng::{Stream, Streams};

/// Steps of one game that are compared at most.
const STEPS: usize = 400;

/// Whole games that are played by one call.
const AT_ONCE: usize = 5;

/// One of the two runs.
#[derive(Clone)]
struct Side {
    words: Vec<u64>,
    streams: Streams,
    tally: Tally,
}

/// What each game begins with, beside its seed.
#[derive(Clone, Copy, Debug, Default)]
struct Strain {
    /// Of the loop budget, how much has been spent.
    spent: u32,
    /// Decisions that have been taken.
    decisions: u64,
}

/// Plays so many games of a seed by both machines, in every way of running them. Returns what differs first,
/// or how many games were compared; 0 where there is no compiled code.
pub fn agree(game: &Game, seed: u64, games: u64) -> Result<u64, String> {
    let program = game.program();
    let machines = Kind::ALL.map(|kind| Machine::new(program, kind));
    let [Some(whole), Some(rollout), Some(steps)] = &machines else { return Ok(0) };
    let mut sides = [side(game, true), side(game, true)];
    for first in (0..games).step_by(AT_ONCE) {
        let count = AT_ONCE.min((games - first) as usize);
        whole_games(game, whole, seed, first, count, &mut sides).map_err(|what| format!("whole: {what}"))?;
    }
    for index in (0..games).filter(|index| index % 4 == 1 || games < 50) {
        // Most games have all they need; some run out of it.
        let mut luck = Stream::new(seed, index, 99);
        let strain = match index % 8 {
            5 => Strain { decisions: program.limit - luck.below(program.limit.min(20)), ..Strain::default() },
            _ => Strain::default(),
        };
        stepwise(game, rollout, steps, seed, index, strain)
            .map_err(|what| format!("game {index}, step by step: {what}"))?;
    }
    Ok(games)
}

/// Plays some games of random players to their ends.
fn whole_games(
    game: &Game,
    whole: &Machine,
    seed: u64,
    first: u64,
    count: usize,
    sides: &mut [Side; 2],
) -> Result<(), String> {
    let program = game.program();
    let frame = program.frame as usize;
    let start = game.first_frame()[..program.reset as usize].to_vec();
    let mut frames = game.first_frame().repeat(count);
    let mut rows = vec![[u64::MAX; 4]; count];
    let [_, b] = &mut *sides;
    b.tally.forget();
    let (streams, tally) = (&mut b.streams, &mut b.tally);
    let (played, wrong) = whole.games(program, &start, &mut frames, &mut rows, streams, tally, (seed, first));
    for number in 0..count {
        let index = first + number as u64;
        let [a, b] = &mut *sides;
        a.words[..start.len()].copy_from_slice(&start);
        a.streams.restart(seed, index, game.players() as usize);
        a.tally.forget();
        (a.tally.decisions, a.tally.turns, a.tally.rolls, a.tally.repeats) = (0, 0, 0, 0);
        let mut stop = run(program, &mut a.words, &mut a.streams, &mut a.tally, program.start, true);
        if let (Stop::Over, Some(score)) = (stop, program.score) {
            stop = match run(program, &mut a.words, &mut a.streams, &mut a.tally, score, true) {
                Stop::Halt => Stop::Over,
                stop => stop,
            };
        }
        let compiled = match (number < played, wrong) {
            (true, _) => Some(Stop::Over),
            (false, wrong) => wrong,
        };
        if Some(stop) != compiled {
            return Err(format!("game {index}: {stop:?}, but compiled {compiled:?}"));
        }
        b.words.copy_from_slice(&frames[number * frame..][..frame]);
        let last = number + 1 == count || number == played;
        if !program.uses_chance {
            // Nobody draws from it.
            b.streams.chance = a.streams.chance;
        }
        if number < played {
            [b.tally.decisions, b.tally.turns, b.tally.repeats, b.tally.rolls] = rows[number];
        }
        compare(program, stop, sides, true, last).map_err(|what| format!("game {index}: {what}"))?;
        if number == played {
            break;
        }
    }
    Ok(())
}

fn side(game: &Game, counts: bool) -> Side {
    let program = game.program();
    let tally = if counts { Tally::new(game.model().actions.len(), program) } else { Tally::default() };
    Side { words: game.first_frame(), streams: Streams::new(0, 0, game.players() as usize), tally }
}

fn begin(game: &Game, sides: &mut [Side; 2], seed: u64, index: u64, strain: Strain) {
    let program = game.program();
    let reset = program.reset as usize;
    let start = game.first_frame();
    for side in sides {
        side.words[..reset].copy_from_slice(&start[..reset]);
        side.streams.restart(seed, index, game.players() as usize);
        side.tally.forget();
        let tally = &mut side.tally;
        (tally.decisions, tally.turns, tally.rolls, tally.repeats) = (strain.decisions, 0, 0, 0);
        tally.spent = strain.spent;
    }
}

/// Plays a game from decision to decision, and at some of them to its end with random players.
fn stepwise(
    game: &Game,
    rollout: &Machine,
    steps: &Machine,
    seed: u64,
    index: u64,
    strain: Strain,
) -> Result<(), String> {
    let program = game.program();
    let mut luck = Stream::new(seed, index, 77);
    let counts = luck.below(2) == 0;
    let mut sides = [side(game, counts), side(game, counts)];
    begin(game, &mut sides, seed, index, strain);
    let draws = luck.below(2) == 0;
    let mut at = program.start;
    for step in 0..STEPS {
        for side in &mut sides {
            side.tally.draws_chance = draws;
            if luck_spends(step) {
                side.tally.spent = BUDGET - 1 - (step as u32 % 7);
            }
        }
        let stop = both(program, steps, &mut sides, at).map_err(|what| format!("step {step}: {what}"))?;
        match stop {
            Stop::Pending => {}
            Stop::Kept(next) => {
                at = Block(next);
                continue;
            }
            Stop::Over => {
                if let Some(score) = program.score {
                    sides.iter_mut().for_each(|side| side.tally.spent = 0);
                    both(program, steps, &mut sides, score).map_err(|what| format!("scores: {what}"))?;
                }
                return Ok(());
            }
            Stop::Fault { .. } if luck_spends(step) => return Ok(()),
            _ => return Ok(()),
        }
        sides.iter_mut().for_each(|side| side.tally.spent = 0);
        let number = sides[0].words[usize::from(PENDING)];
        if number == 0 || number == OVER {
            return Err("nothing is pending".to_owned());
        }
        let site = &program.sites[number as usize - 1];
        let SiteKind::Choice(choice) = &site.kind else {
            sides.iter_mut().for_each(|side| side.tally.draws_chance = true);
            match both(program, steps, &mut sides, site.entry).map_err(|what| format!("chance: {what}"))? {
                Stop::Pending => {}
                _ => return Ok(()),
            }
            let number = sides[0].words[usize::from(PENDING)] as usize - 1;
            at = program.sites[number].entry;
            continue;
        };
        if step % 5 == 1 {
            let mut forks = sides.clone();
            for fork in &mut forks {
                fork.tally = Tally { pasts: fork.tally.pasts.clone(), ..Tally::default() };
                fork.tally.decisions = strain.decisions;
            }
            let [a, b] = &mut forks;
            let stop = run(program, &mut a.words, &mut a.streams, &mut a.tally, site.entry, true);
            b.tally.begin_play(program);
            let compiled = rollout.run(program, &mut b.words, &mut b.streams, &mut b.tally, site.entry);
            same(program, stop, compiled, &forks, false)
                .map_err(|what| format!("rollout at {step}: {what}"))?;
        }
        // One of the legal actions.
        let legal = &sides[0].words[usize::from(choice.region)..][..usize::from(choice.words)];
        let n: u32 = legal.iter().map(|word| word.count_ones()).sum();
        if n == 0 {
            return Err("nothing is legal".to_owned());
        }
        let (word, bit) = find(legal, 0, luck.below(n.into()) as u32);
        for side in &mut sides {
            let words = &mut side.words;
            at = bind(choice, word, bit, |address, e| words[usize::from(address)] = e.into()).body;
            side.tally.decisions += 1;
        }
    }
    Ok(())
}

/// At some steps hardly any budget is left.
fn luck_spends(step: usize) -> bool {
    step % 97 == 31
}

/// Runs both from a place, and compares what came of it.
fn both(program: &Program, steps: &Machine, sides: &mut [Side; 2], at: Block) -> Result<Stop, String> {
    let [a, b] = &mut *sides;
    let stop = run(program, &mut a.words, &mut a.streams, &mut a.tally, at, false);
    let compiled = steps.run(program, &mut b.words, &mut b.streams, &mut b.tally, at);
    same(program, stop, compiled, sides, false)?;
    Ok(stop)
}

/// Compares all that others see of two runs.
fn same(
    program: &Program,
    stop: Stop,
    compiled: Option<Stop>,
    sides: &[Side; 2],
    whole: bool,
) -> Result<(), String> {
    let Some(compiled) = compiled else { return Err("the code can't be entered there".to_owned()) };
    if stop != compiled {
        return Err(format!("{stop:?}, but compiled {compiled:?}"));
    }
    compare(program, stop, sides, whole, true)
}

/// Compares all but the reason for stopping; only after the last of several games what they all count.
fn compare(program: &Program, stop: Stop, sides: &[Side; 2], whole: bool, last: bool) -> Result<(), String> {
    let [a, b] = sides;
    let fails = matches!(stop, Stop::Fault { .. });
    if last && (&a.tally.options, &a.tally.steps) != (&b.tally.options, &b.tally.steps) {
        return Err(format!("the counts differ: {:?}, but compiled {:?}", a.tally, b.tally));
    }
    // A whole game that fails is thrown away.
    if whole && fails {
        return Ok(());
    }
    let numbers = |t: &Tally| (t.decisions, t.turns, t.repeats, t.rolls, t.begun, t.closed);
    if numbers(&a.tally) != numbers(&b.tally) && (last || !whole) {
        return Err(format!("{:?}, but compiled {:?}", numbers(&a.tally), numbers(&b.tally)));
    }
    if matches!(stop, Stop::Pending | Stop::Kept(_) | Stop::Failed) && a.tally.spent != b.tally.spent {
        return Err(format!("{} spent, but compiled {}", a.tally.spent, b.tally.spent));
    }
    if last && a.tally.pasts != b.tally.pasts {
        return Err("the positions differ".to_owned());
    }
    if last && a.streams != b.streams {
        return Err("the draws differ".to_owned());
    }
    let players = usize::from(program.players);
    let scores = [
        (program.items, usize::from(program.item_count) * players),
        (program.totals, usize::from(program.item_count.min(1)) * players),
        (program.keys, usize::from(program.key_count) * players),
    ];
    let scored = scores.into_iter().filter(|_| program.score.is_some() && (stop == Stop::Halt || whole));
    let seen = scored.flat_map(|(at, len)| usize::from(at)..usize::from(at) + len);
    // A new game does not reset the legal set, which is written before it is read.
    let kept = if whole { program.reset } else { program.live } as usize;
    for at in (0..kept).chain(seen) {
        if a.words[at] != b.words[at] {
            return Err(format!(
                "word {at} is {:#x}, but compiled {:#x}, after {stop:?}",
                a.words[at], b.words[at]
            ));
        }
    }
    Ok(())
}
