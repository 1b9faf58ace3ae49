//! Whole games, single decisions, playouts and batches on the reference interpreter, the interpreter and compiled code.

use super::{Both, Seen, fault, instructions, played};
use houserule::game::random_games::{Finished, UsageCounts, play_random};
use houserule::game::{ActionId, ApplyError, Game, Patience, RuntimeErrorKind, Seat, State};
use houserule::many::{BatchResults, BatchScores, Many, Playout};
use houserule::native::RunKind;
use houserule::observe::BATCH;
use houserule::rng::Stream;

/// Number of games of each file for the interpreter and compiled code.
const GAMES: u64 = 12;

/// Budgets with which a file may be played again. Every second file has one of them.
const SHORT: [u64; 2] = [8, 300];

/// Number of whole games that are compared with games played decision by decision.
const WHOLE: u64 = 16;

/// Number of games of each file for the reference interpreter, and maximum number of questions per game.
const WATCHED: (u64, u32) = (2, 25);

/// Number of games in a batch, and maximum number of their steps.
const SIDE_BY_SIDE: (usize, u32) = (BATCH + 3, 20);

/// Compares all ways in which a game can be played.
pub(super) fn attack(both: &Both, seed: u64, seen: &mut Seen) {
    let Both { compiled, interpreted } = both;
    seen.instructions.extend(instructions(compiled));
    let short = if seed.is_multiple_of(2) { &SHORT[(seed / 2 % 2) as usize..][..1] } else { &[] };
    executors(compiled, seed, GAMES, short, WATCHED);
    whole(both, seed, seen);
    batches(both, seed, seen);
    playouts(both, seed, seen);
    assert!(
        RunKind::ALL.into_iter().all(|kind| interpreted.machine_if_made(kind).is_none()),
        "it is interpreted"
    );
}

/// Compares fewer games of a variant, or of other params.
pub(super) fn attack_variant(game: &Game, seed: u64, seen: &mut Seen) {
    seen.instructions.extend(instructions(game));
    executors(game, seed, GAMES / 3, &[], (1, WATCHED.1));
}

/// Notes how whole games fail.
pub(super) fn look(game: &Game, seed: u64, seen: &mut Seen) {
    let mut failed = |_: u64, error: houserule::game::RuntimeError| {
        seen.faults.insert(fault(&error));
    };
    play_random(game, seed, 0..WHOLE, &mut UsageCounts::default(), &mut |_: Finished<'_>| {}, &mut failed);
}

/// Compares the three executors step by step.
fn executors(game: &Game, seed: u64, games: u64, short: &[u64], (watched, questions): (u64, u32)) {
    if let Err(what) = houserule::game::agree_within(game, seed, games, short) {
        panic!("{what}");
    }
    for index in 0..watched {
        crate::agree::agree(game, seed, index, questions);
    }
}

/// A finished game: its end, its winners, its scores, and its numbers of turns, rolls and decisions.
type Told = (u32, u32, Vec<i64>, [u64; 3]);

/// Compares whole games of compiled code with games that stop at every decision, and their counts.
fn whole(both: &Both, seed: u64, seen: &mut Seen) {
    let Both { compiled, interpreted } = both;
    let (mut told, mut failures) = (vec![None; WHOLE as usize], vec![None; WHOLE as usize]);
    let mut counts = UsageCounts::default();
    let mut finished = |f: Finished<'_>| {
        let numbers = [f.counters.turns, f.counters.rolls, f.counters.decisions];
        told[f.index as usize] = Some((f.end, f.winners, f.scores.to_vec(), numbers));
    };
    let mut failed = |index: u64, error: houserule::game::RuntimeError| {
        seen.faults.insert(fault(&error));
        failures[index as usize] = Some(error.kind);
    };
    play_random(compiled, seed, 0..WHOLE, &mut counts, &mut finished, &mut failed);
    let (mut options, mut steps) = (vec![0; counts.options.len()], vec![0; counts.steps.len()]);
    // Where play stops, all candidates are tried, which may take longer than trying those that are drawn.
    let choices = &compiled.model().choices;
    let tries = choices.iter().flat_map(|choice| &choice.options).any(|option| option.ensuring.is_some());
    let mut comparable = true;
    for (index, (told, failure)) in (0..).zip(told.into_iter().zip(failures)) {
        match by_decisions(interpreted, seed, index) {
            Ok((game, counts)) => {
                assert_eq!(
                    Some(game),
                    told,
                    "game {index}, played whole and decision by decision ({failure:?})"
                );
                options.iter_mut().zip(counts.options).for_each(|(sum, n)| *sum += n);
                steps.iter_mut().zip(counts.steps).for_each(|(sum, n)| *sum += n);
            }
            Err(RuntimeErrorKind::Budget) if tries => comparable &= told.is_none(),
            Err(kind) => assert_eq!(Some(kind), failure, "game {index}, played whole: {told:?}"),
        }
    }
    if comparable {
        assert_eq!((options, steps), (counts.options, counts.steps), "options and steps of whole games");
    }
    seen.note("whole games");
}

/// Plays a game decision by decision.
fn by_decisions(game: &Game, seed: u64, index: u64) -> Result<(Told, UsageCounts), RuntimeErrorKind> {
    let mut state = game.start(seed, index).map_err(|error| error.kind)?;
    while let Some(action) = state.random_action() {
        state.apply(action).map_err(kind)?;
    }
    assert!(state.is_over(), "a game without a decision is over");
    let scores: Result<Vec<Vec<i64>>, _> = (0..game.players()).map(|seat| state.scores(Seat(seat))).collect();
    let scores = scores.map_err(|error| error.kind)?;
    let outcome = state.outcome().expect("a game that is over and has scores has an outcome");
    let winners =
        (0..).zip(&outcome.winners).filter(|(_, won)| **won).fold(0, |set, (seat, _)| set | 1 << seat);
    let numbers = [state.turns(), state.rolls(), state.decisions()];
    Ok(((outcome.end, winners, scores.concat(), numbers), state.counts()))
}

fn kind(error: ApplyError) -> RuntimeErrorKind {
    match error {
        ApplyError::Runtime(error) => error.kind,
        other => panic!("{other}"),
    }
}

/// Compares games side by side, on compiled code and interpreted, with states of their own.
fn batches(both: &Both, seed: u64, seen: &mut Seen) {
    let (count, most) = SIDE_BY_SIDE;
    let live = both.compiled.program().live as usize;
    let mut fast = Many::new(&both.compiled, count);
    let mut slow = Many::new(&both.interpreted, count);
    slow.patience = Patience::ENDLESS;
    let mut states: Vec<Option<State>> = vec![];
    for i in 0..count {
        let started =
            [&mut fast, &mut slow].map(|many| many.start(i, seed, i as u64).err().map(|error| error.kind));
        let state = both.interpreted.start(seed, i as u64);
        let failed = state.as_ref().err().map(|error| error.kind.clone());
        assert_eq!([&failed, &failed], started.each_ref(), "game {i} of a batch begins");
        if failed.is_some() {
            fast.stop(i);
            slow.stop(i);
        }
        states.push(state.ok());
    }
    let (mut taken, mut choices) = (BatchResults::default(), Stream::new(seed, 5, 0));
    for step in 0..most {
        for (i, state) in states.iter().enumerate() {
            let Some(state) = state else { continue };
            let what = || format!("game {i} of a batch after {step} steps");
            assert_eq!(fast.frame(i)[..live], slow.frame(i)[..live], "{}, compiled and interpreted", what());
            assert_eq!(slow.frame(i)[..live], state.words()[..live], "{} and alone", what());
            assert_eq!(fast.legal_actions(i), state.legal_actions(), "{}", what());
        }
        let mut actions = vec![0; count];
        let mut requested = vec![false; count];
        for i in 0..count {
            if let Some(action) = fast.any_action::<false>(i, &mut choices) {
                (actions[i], requested[i]) = (i64::from(action), true);
            }
        }
        if !requested.contains(&true) {
            break;
        }
        for first in (0..count).step_by(BATCH) {
            let batch = first..count.min(first + BATCH);
            taken.requested[..batch.len()].copy_from_slice(&requested[batch.clone()]);
            fast.apply_few(&batch, &actions[batch.clone()], BatchScores::Never, &mut taken);
            for (at, i) in batch.enumerate() {
                let failed = taken.error(at).map(|error| error.kind);
                apply_alone(&mut slow, &mut states[i], i, actions[i], requested[i], failed);
                if states[i].is_none() {
                    fast.stop(i);
                }
            }
        }
    }
    seen.note("batches");
}

/// Takes an action in an interpreted game and in its state. Both must fail as a compiled one did.
fn apply_alone(
    slow: &mut Many,
    state: &mut Option<State>,
    i: usize,
    action: i64,
    requested: bool,
    failed: Option<RuntimeErrorKind>,
) {
    let (true, Some(own)) = (requested, state.as_mut()) else { return };
    let went = own.apply(ActionId(action as u32)).map_err(kind);
    assert_eq!(went.as_ref().err(), failed.as_ref(), "game {i} of a batch, alone");
    let interpreted = match slow.apply(i, action as u32, &mut 0) {
        Ok(()) => None,
        Err(houserule::many::Rejection::Failed(error)) => Some(error.kind),
        Err(houserule::many::Rejection::Illegal) => panic!("game {i} of a batch: the action is legal"),
    };
    assert_eq!(interpreted, failed, "game {i} of a batch, interpreted");
    if failed.is_some() {
        *state = None;
        slow.stop(i);
    }
}

/// Compares playouts from positions, on compiled code and interpreted.
fn playouts(both: &Both, seed: u64, seen: &mut Seen) {
    let (mut fast, mut slow) = (Playout::new(&both.compiled), Playout::new(&both.interpreted));
    slow.patience = Patience::ENDLESS;
    for (index, decisions) in [(0, 0), (1, 2), (2, 5)] {
        let states = [&both.compiled, &both.interpreted].map(|game| played(game, seed, index, decisions));
        let [Some(a), Some(b)] = states else { continue };
        assert_eq!(a.persistent(), b.persistent(), "game {index} after {decisions} decisions");
        fast.begin_at(&a);
        slow.begin_at(&b);
        for round in 0..3 {
            let ended = [&mut fast, &mut slow].map(|playout| {
                playout.reseed(seed + round);
                playout.restart();
                let ended = playout.play_out().err().map(|error| error.kind);
                let scores = match ended {
                    None => playout.scores().map_err(|error| error.kind),
                    Some(_) => Ok(vec![]),
                };
                let mut words = playout.live_words().to_vec();
                // Compiled code leaves out what no random game reads.
                for unread in &both.compiled.program_of(RunKind::Rollout).unread {
                    words[usize::from(unread.at)..][..usize::from(unread.len)].fill(0);
                }
                (ended, scores, playout.is_over(), words)
            });
            let [fast, slow] = ended;
            if fast.0.is_some() {
                // What a game that fails has done so far isn't kept.
                assert_eq!(fast.0, slow.0, "playout {round} of game {index}");
            } else {
                assert_eq!(fast, slow, "playout {round} of game {index}");
            }
        }
        seen.note("playouts");
    }
}
