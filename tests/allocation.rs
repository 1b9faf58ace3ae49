//! Decisions don't allocate. Memory is allocated when a batch or a game starts, and afterwards only for the
//! growth of a history.

#[path = "support/extent.rs"]
mod extent;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use houserule::envs::{Autoreset, EnvBuffers, EnvOptions, Outputs, RuleOptions, VectorEnv};
use houserule::game::random_games::{Finished, UsageCounts, play_random};
use houserule::game::{Game, Start};
use houserule::loader::{Request, load};
use houserule::native::RunKind;
use houserule::rng::Stream;

thread_local! {
    static TAKEN: Cell<u64> = const { Cell::new(0) };
}

/// The system's allocator, which counts the allocations of the current thread.
struct Counting;

// SAFETY: every call goes to the system's allocator as it came; the counter is a plain thread-local
// number that needs no memory of its own.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        TAKEN.set(TAKEN.get() + 1);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        TAKEN.set(TAKEN.get() + 1);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.realloc(memory, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Returns the number of allocations in `work`.
fn allocations(work: impl FnOnce()) -> u64 {
    let before = TAKEN.get();
    work();
    TAKEN.get() - before
}

/// Returns the bundled games, except those that call scripts, which may allocate.
fn games(test: &str) -> impl Iterator<Item = (&'static str, Game)> {
    let game = |name| {
        let request = Request { name, ..Request::default() };
        (name, load(&request).unwrap_or_else(|error| panic!("{name}: {error}")).game)
    };
    let games = extent::bundled(test, 8).map(game);
    games.filter(|(_, game)| game.model().hooks.is_empty())
}

#[test]
fn the_allocator_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(Box::new(1)))), 1);
    assert_eq!(allocations(|| ()), 0);
}

#[test]
fn a_batch_of_many_games_takes_memory_as_often_as_one_of_few() {
    for (name, game) in games("batch") {
        // Compiling allocates, once.
        game.machine(RunKind::Games);
        let batch = |games: u64| {
            allocations(|| {
                let mut decisions = 0;
                let mut counts = UsageCounts::default();
                let mut finished = |f: Finished<'_>| decisions += f.counters.decisions + f.counters.rolls;
                let mut failed = |index, error| panic!("{name}: game {index}: {error}");
                play_random(&game, 1, 0..games, &mut counts, &mut finished, &mut failed);
                assert!(decisions + counts.steps.iter().sum::<u64>() > games, "{name}");
            })
        };
        assert_eq!(batch(400), batch(100), "{name}");
    }
}

/// Returns how often a list doubles its capacity while it grows to `events` entries one by one.
fn doublings(events: usize) -> u64 {
    if events == 0 { 0 } else { u64::from(events.next_power_of_two().ilog2().max(2)) - 1 }
}

#[test]
fn a_decision_takes_no_memory_but_for_its_place_in_the_history() {
    assert_eq!([0, 1, 4, 5, 8, 9].map(doublings), [0, 1, 1, 2, 2, 3]);
    for (name, game) in games("decision") {
        for explicit_chance in [false, true] {
            for index in 0..20 {
                let start = Start { seed: 4, index, explicit_chance, ..Start::default() };
                let mut state = game.start_at(&start).unwrap_or_else(|error| panic!("{name}: {error}"));
                let before = doublings(state.history().len());
                let (mut dice, mut taken) = (Stream::new(4, index, 99), 0);
                while !state.is_over() {
                    // Draws that may be rejected are enumerated first.
                    let looks_ahead = state.is_under_condition();
                    let step = allocations(|| {
                        if let Some(action) = state.random_action() {
                            state.apply(action).expect("a legal action can be taken");
                        } else {
                            let outcome = dice.below(state.chance_outcomes());
                            state.apply_outcome(outcome).expect("an outcome can be applied");
                        }
                    });
                    taken += if looks_ahead { 0 } else { step };
                }
                let grown = doublings(state.history().len()) - before;
                assert!(taken <= grown, "{name}: {taken} times for {} events", state.history().len());
            }
        }
    }
}

#[test]
fn an_environment_changes_its_rules_without_taking_memory() {
    let game = |name| {
        let request = Request { name, ..Request::default() };
        load(&request).unwrap_or_else(|error| panic!("{name}: {error}")).game
    };
    let games = [game("dilido"), game("dilido+torus"), game("dilido+second-joker")];
    // Compiling allocates, once.
    for game in &games {
        let _ = game.compiled_size(RunKind::Steps);
    }
    for autoreset in [Autoreset::NextStep, Autoreset::SameStep] {
        let options = EnvOptions { autoreset, ..EnvOptions::default() };
        let rules = RuleOptions::uniform(games.to_vec());
        let mut envs = VectorEnv::new(&rules, &options, 200, 1).expect("they fit");
        let mut observations = vec![0.0; 200 * envs.observation_len()];
        let mut masks = vec![0; 200 * envs.actions()];
        let (mut actions, mut rewards) = (vec![0; 200], vec![0.0; 200]);
        let (mut terminated, mut truncated) = (vec![false; 200], vec![false; 200]);
        envs.reset(&[], None, EnvBuffers::default()).expect("it resets");
        let mut changed = 0;
        let mut step = |envs: &mut VectorEnv| {
            envs.sample_actions(&mut actions).expect("the slice fits");
            let out = Outputs {
                view: EnvBuffers {
                    observations: (&mut observations).into(),
                    masks: &mut masks,
                    current_players: &mut [],
                },
                rewards: &mut rewards,
                terminated: &mut terminated,
                truncated: &mut truncated,
                ..Outputs::default()
            };
            envs.step(&actions, out).expect("the slices fit");
        };
        (0..50).for_each(|_| step(&mut envs));
        for _ in 0..200 {
            let before: Vec<usize> = (0..200).map(|env| envs.rules(env)).collect();
            assert_eq!(allocations(|| step(&mut envs)), 0, "{autoreset:?}");
            changed += (0..200).filter(|env| envs.rules(*env) != before[*env]).count();
        }
        assert!(changed > 500, "{changed}");
    }
}
