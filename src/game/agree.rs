//! Differential test of the two backends: plays the same games with the interpreter and with compiled code,
//! and compares every word, draw, fault and counter.

use super::Game;
use houserule_base::rng::{Stream, Streams};
use houserule_machine::candidates::Candidates;
use houserule_machine::effects::{bind, find};
use houserule_machine::native::{Machine, RunKind};
use houserule_machine::program::{CodeAddress, OVER, PENDING, Program, StopKind, StopRef};
use houserule_machine::run::{Runner, run};
use houserule_machine::run_state::{Counters, RunState, Stop};

/// Maximum number of compared steps of one game.
const STEPS: usize = 400;

/// Number of whole games in one call.
const AT_ONCE: usize = 5;

/// One of the two runs.
#[derive(Clone)]
struct ComparedRun {
    words: Vec<u64>,
    streams: Streams,
    run_state: RunState,
}

/// Upper bounds of the budgets with which games are played again: so small that any loop and any decision may exceed them.
const SHORT: [u64; 2] = [8, 300];

/// Plays `games` games of a seed with both backends, in every kind of run. Returns the first difference as an
/// error, or the number of games compared, which is 0 without compiled code.
pub fn agree(game: &Game, seed: u64, games: u64) -> Result<u64, String> {
    agree_within(game, seed, games, &SHORT)
}

/// Like [`agree`], where games are played again with budgets and limits below some numbers. Each takes as long to compile
/// as the game itself.
pub fn agree_within(game: &Game, seed: u64, games: u64, short: &[u64]) -> Result<u64, String> {
    let programs = RunKind::ALL.map(|kind| game.program_of(kind));
    let machines = RunKind::ALL.map(|kind| game.machine(kind));
    if !alike(game, programs, machines, seed, games)? {
        return Ok(0);
    }
    let mut luck = Stream::new(seed, games, 99);
    for &most in short {
        let budget = 1 + luck.below(most) as u32;
        let limit = programs[0].limit.min(luck.below(most / 2));
        let short = programs.map(|program| Program { budget, limit, ..program.clone() });
        let machines = RunKind::ALL.map(|kind| Machine::new(&short[kind as usize], kind));
        let machines = machines.each_ref().map(Option::as_ref);
        alike(game, short.each_ref(), machines, seed, (games / 4).max(AT_ONCE as u64))
            .map_err(|what| format!("budget {budget}, limit {limit}: {what}"))?;
    }
    Ok(games)
}

/// Plays games with the programs for each kind of run, which may have a smaller budget and limit than the game's own. Returns
/// `true` if there is compiled code.
fn alike(
    game: &Game,
    [random, rollouts, all]: [&Program; 3],
    machines: [Option<&Machine>; 3],
    seed: u64,
    games: u64,
) -> Result<bool, String> {
    let [Some(whole), Some(rollout), Some(steps)] = machines else { return Ok(false) };
    let mut sides = [side(game, random, true), side(game, random, true)];
    let mut first = 0;
    while first < games {
        let count = AT_ONCE.min((games - first) as usize);
        first += whole_games(game, random, whole, seed, first, count, &mut sides)
            .map_err(|what| format!("whole: {what}"))?;
    }
    for index in (0..games).filter(|index| index % 4 == 1 || games < 50) {
        stepwise(game, [all, rollouts], rollout, steps, seed, index)
            .map_err(|what| format!("game {index}, step by step: {what}"))?;
    }
    Ok(true)
}

/// Plays `count` random games to their ends, up to the first that fails. Returns the number of games played.
fn whole_games(
    game: &Game,
    program: &Program,
    whole: &Machine,
    seed: u64,
    first: u64,
    count: usize,
    sides: &mut [ComparedRun; 2],
) -> Result<u64, String> {
    let frame = program.frame as usize;
    let start = game.first_frame_of(program)[..program.reset as usize].to_vec();
    let mut frames = game.first_frame_of(program).repeat(count);
    let mut rows = vec![Counters::default(); count];
    let [_, b] = &mut *sides;
    b.run_state.forget();
    let mut many = whole.streams(program, count);
    let (played, wrong) =
        whole.games(program, &start, &mut frames, &mut rows, &mut many, &mut b.run_state, seed, first);
    for number in 0..count {
        let index = first + number as u64;
        let [a, b] = &mut *sides;
        a.words[..start.len()].copy_from_slice(&start);
        a.streams.restart(seed, index, game.players() as usize);
        a.run_state.forget();
        a.run_state.counters = Counters::default();
        let mut stop = run(program, &mut a.words, &mut a.streams, &mut a.run_state, program.start, true);
        if let (Stop::Over, Some(score)) = (stop, program.score) {
            stop = match run(program, &mut a.words, &mut a.streams, &mut a.run_state, score, true) {
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
        if !many.go_on_as(number, &a.streams) {
            return Err(format!("game {index}: other draws"));
        }
        b.streams = a.streams.clone();
        let last = number + 1 == count || number == played;
        if number < played {
            b.run_state.counters = rows[number];
        }
        compare(program, stop, sides, true, last).map_err(|what| format!("game {index}: {what}"))?;
        if number == played {
            return Ok(number as u64 + 1);
        }
    }
    Ok(count as u64)
}

fn side(game: &Game, program: &Program, counts: bool) -> ComparedRun {
    let run_state = if counts { RunState::new(program) } else { RunState::default() };
    ComparedRun {
        words: game.first_frame_of(program),
        streams: Streams::new(0, 0, game.players() as usize),
        run_state,
    }
}

fn begin(game: &Game, sides: &mut [ComparedRun; 2], seed: u64, index: u64) {
    let program = game.program();
    let reset = program.reset as usize;
    let start = game.first_frame();
    for side in sides {
        side.words[..reset].copy_from_slice(&start[..reset]);
        side.streams.restart(seed, index, game.players() as usize);
        side.run_state.forget();
        let run_state = &mut side.run_state;
        (run_state.counters, run_state.spent) = (Counters::default(), 0);
    }
}

/// Plays a game from decision to decision, and at some of them to its end with random players.
fn stepwise(
    game: &Game,
    [program, random]: [&Program; 2],
    rollout: &Machine,
    steps: &Machine,
    seed: u64,
    index: u64,
) -> Result<(), String> {
    let mut luck = Stream::new(seed, index, 77);
    let counts = luck.below(2) == 0;
    let mut sides = [side(game, program, counts), side(game, program, counts)];
    begin(game, &mut sides, seed, index);
    let draws = luck.below(2) == 0;
    let mut at = program.start;
    for step in 0..STEPS {
        for side in &mut sides {
            side.run_state.draws_chance = draws;
        }
        if luck.below(3) == 0 {
            // A copy with hardly any budget left.
            let mut forks = sides.clone();
            let left = luck.below([3, 30, 300][step % 3]).min(u64::from(program.budget)) as u32;
            forks.iter_mut().for_each(|fork| fork.run_state.spent = program.budget - left);
            both(program, steps, &mut forks, at)
                .map_err(|what| format!("step {step}, {left} left: {what}"))?;
        }
        let stop = both(program, steps, &mut sides, at).map_err(|what| format!("step {step}: {what}"))?;
        match stop {
            Stop::Pending => {}
            Stop::Kept(next) => {
                at = CodeAddress(next);
                continue;
            }
            Stop::Over => {
                if let Some(score) = program.score {
                    sides.iter_mut().for_each(|side| side.run_state.spent = 0);
                    both(program, steps, &mut sides, score).map_err(|what| format!("scores: {what}"))?;
                }
                return Ok(());
            }
            _ => return Ok(()),
        }
        sides.iter_mut().for_each(|side| side.run_state.spent = 0);
        let number = sides[0].words[usize::from(PENDING)];
        if number == 0 || number == OVER {
            return Err("nothing is pending".to_owned());
        }
        let stop = &program.stops[number as usize - 1];
        let StopKind::Choice(choice) = &stop.kind else {
            sides.iter_mut().for_each(|side| side.run_state.draws_chance = true);
            match both(program, steps, &mut sides, stop.entry).map_err(|what| format!("chance: {what}"))? {
                Stop::Pending => {}
                _ => return Ok(()),
            }
            let number = sides[0].words[usize::from(PENDING)] as usize - 1;
            at = program.stops[number].entry;
            continue;
        };
        if choice.is_tried() {
            let stop = StopRef(number as u16 - 1);
            try_out(program, steps, sides.clone(), stop)
                .map_err(|what| format!("trials at {step}: {what}"))?;
        }
        if step % 5 == 1 {
            let mut forks = sides.clone();
            for fork in &mut forks {
                let decisions = fork.run_state.counters.decisions;
                fork.run_state = RunState {
                    pasts: fork.run_state.pasts.clone(),
                    counters: Counters { decisions, ..Counters::default() },
                    ..RunState::default()
                };
                fork.words[random.live as usize..].fill(0);
                fork.words.resize(random.frame as usize, 0);
            }
            let [a, b] = &mut forks;
            let at = random.stops[number as usize - 1].entry;
            let interpreted = run(random, &mut a.words, &mut a.streams, &mut a.run_state, at, true);
            b.run_state.begin_play(random);
            let compiled = rollout.run(random, &mut b.words, &mut b.streams, &mut b.run_state, at);
            same(random, interpreted, compiled, &forks, false)
                .map_err(|what| format!("rollout at {step}: {what}"))?;
        }
        // Take one of the legal actions.
        let legal = &sides[0].words[usize::from(choice.region)..][..usize::from(choice.words)];
        let n: u32 = legal.iter().map(|word| word.count_ones()).sum();
        if n == 0 {
            return Err("nothing is legal".to_owned());
        }
        let (word, bit) = find(legal, 0, luck.below(n.into()) as u32);
        for side in &mut sides {
            let words = &mut side.words;
            at = bind(choice, word, bit, |address, e| words[usize::from(address)] = e.into()).body;
            side.run_state.counters.decisions += 1;
        }
    }
    Ok(())
}

/// Tries all candidates of a choice, and compares the results.
fn try_out(
    program: &Program,
    steps: &Machine,
    mut sides: [ComparedRun; 2],
    stop: StopRef,
) -> Result<(), String> {
    let [a, b] = &mut sides;
    let [went, compiled] = [(None, a), (Some(steps), b)].map(|(machine, side)| {
        let ComparedRun { words, streams, run_state } = side;
        let mut candidates = Candidates::new(program);
        let next = candidates.try_out(Runner::new(program, machine), stop, words, streams, run_state);
        (next, candidates.work())
    });
    if went != compiled {
        return Err(format!("{went:?}, but compiled {compiled:?}"));
    }
    compare(program, Stop::Pending, &sides, false, true)
}

/// Runs both backends from a block, and compares the results.
fn both(
    program: &Program,
    steps: &Machine,
    sides: &mut [ComparedRun; 2],
    at: CodeAddress,
) -> Result<Stop, String> {
    let [a, b] = &mut *sides;
    let stop = run(program, &mut a.words, &mut a.streams, &mut a.run_state, at, false);
    let compiled = steps.run(program, &mut b.words, &mut b.streams, &mut b.run_state, at);
    same(program, stop, compiled, sides, false)?;
    Ok(stop)
}

/// Compares everything that callers can see of two runs.
fn same(
    program: &Program,
    stop: Stop,
    compiled: Option<Stop>,
    sides: &[ComparedRun; 2],
    whole: bool,
) -> Result<(), String> {
    let Some(compiled) = compiled else { return Err("the code can't be entered there".to_owned()) };
    if stop != compiled {
        return Err(format!("{stop:?}, but compiled {compiled:?}"));
    }
    compare(program, stop, sides, whole, true)
}

/// Compares everything but the reason for stopping. Totals over several games are compared only after the
/// `last` one.
fn compare(
    program: &Program,
    stop: Stop,
    sides: &[ComparedRun; 2],
    whole: bool,
    last: bool,
) -> Result<(), String> {
    let [a, b] = sides;
    let fails = matches!(stop, Stop::Fault { .. });
    if last && (&a.run_state.options, &a.run_state.steps) != (&b.run_state.options, &b.run_state.steps) {
        return Err(format!("the counts differ: {:?}, but compiled {:?}", a.run_state, b.run_state));
    }
    // A whole game that fails is discarded.
    if whole && fails {
        return Ok(());
    }
    let numbers = |t: &RunState| (t.counters, t.begun, t.closed);
    if numbers(&a.run_state) != numbers(&b.run_state) && (last || !whole) {
        return Err(format!("{:?}, but compiled {:?}", numbers(&a.run_state), numbers(&b.run_state)));
    }
    if matches!(stop, Stop::Pending | Stop::Kept(_) | Stop::Failed) && a.run_state.spent != b.run_state.spent
    {
        return Err(format!("{} spent, but compiled {}", a.run_state.spent, b.run_state.spent));
    }
    if last && a.run_state.pasts != b.run_state.pasts {
        return Err("the positions differ".to_owned());
    }
    if a.streams != b.streams {
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
    // A new game does not reset the mask of legal actions, which is written before it is read.
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
