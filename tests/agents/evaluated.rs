//! Searches with an evaluator: the same results for any threads and batches, and evaluators that fail.

#![allow(clippy::unwrap_used)]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use houserule::agents::{AgentKind, OwnAgent};
use houserule::evaluated::{
    EvaluatedSearch, EvaluatorStopped, LeafAnswers, LeafBatch, LeafEvaluator, SearchError, SearchSettings,
    TreeKind, search_states,
};
use houserule::game::{Game, State};
use houserule::interrupt::Interrupt;
use houserule::loader::{Request, load};
use houserule::observe::Dtype;
use houserule::playtest::{GameSinks, Keep, RunMonitor, SimulateError, SimulationPlan, simulate_kept};

fn game(name: &str) -> Game {
    load(&Request { name, ..Request::default() }).unwrap().game
}

/// Gives all actions the same prior and positions the value 0, notes the sizes of the batches, and may fail at a call.
/// Its first calls may be slow, so that other threads have leaves by then.
#[derive(Clone, Default)]
struct Ignorant {
    sizes: Arc<Mutex<Vec<usize>>>,
    calls: Arc<AtomicUsize>,
    fails_at: Option<usize>,
    slow_calls: usize,
}

impl LeafEvaluator for Ignorant {
    fn evaluate(&self, batch: LeafBatch) -> Result<LeafAnswers, EvaluatorStopped> {
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        if self.fails_at == Some(call) {
            return Err(EvaluatorStopped);
        }
        if call < self.slow_calls {
            std::thread::sleep(Duration::from_millis(100));
        }
        assert_eq!(batch.masks.len(), batch.count * batch.form.actions());
        self.sizes.lock().unwrap().push(batch.count);
        let priors = vec![1.0; batch.masks.len()];
        let values_each = batch.form.players();
        Ok(LeafAnswers { priors, values: vec![0.0; batch.count * values_each], values_each })
    }
}

fn search(evaluator: &Ignorant, settings: SearchSettings) -> Arc<EvaluatedSearch> {
    let evaluator = Box::new(evaluator.clone());
    Arc::new(EvaluatedSearch::new("net".into(), settings, false, Dtype::Float32, evaluator).unwrap())
}

fn few(simulations: u32) -> SearchSettings {
    SearchSettings { simulations, leaves: 4, noise: Some(0.5), temperature: 0.7, ..SearchSettings::default() }
}

fn starts(game: &Game, count: u64) -> Vec<State> {
    (0..count).map(|index| game.start(3, index).unwrap()).filter(|state| !state.is_over()).collect()
}

#[test]
fn states_have_the_same_results_for_any_threads_and_batches() {
    for (name, tree) in
        [("connect-four", TreeKind::Mcts), ("dilido", TreeKind::Mcts), ("dominoes", TreeKind::Ismcts)]
    {
        let game = game(name);
        let found = |threads, batch| {
            let source = search(&Ignorant::default(), SearchSettings { batch, tree, ..few(60) });
            search_states(&source, &mut starts(&game, 11), 5, 6, threads).unwrap()
        };
        let first = found(1, 2048);
        assert_eq!(first.len(), 11);
        assert!(
            first
                .iter()
                .all(|one| (one.policy.iter().map(|(_, share)| share).sum::<f32>() - 1.0).abs() < 1e-4)
        );
        assert_eq!(first, found(2, 2048), "{name}");
        assert_eq!(first, found(3, 8), "{name}");
    }
}

#[test]
fn no_simulation_is_lost_or_counted_twice() {
    let evaluator = Ignorant::default();
    let game = game("connect-four");
    for leaves in [1, 3, 16] {
        let settings = SearchSettings { leaves, noise: None, temperature: 0.0, ..few(50) };
        let found = search_states(&search(&evaluator, settings), &mut starts(&game, 1), 1, 1, 1).unwrap();
        let visits: Vec<f32> = found[0].policy.iter().map(|(_, share)| share * 50.0).collect();
        assert!(visits.iter().all(|visits| (visits - visits.round()).abs() < 1e-3), "{visits:?}");
        assert_eq!(visits.iter().map(|visits| visits.round()).sum::<f32>(), 50.0);
        // All positions near the start of this game are leaves once; the root is one more.
        assert_eq!(evaluator.sizes.lock().unwrap().drain(..).sum::<usize>(), 51);
    }
}

#[test]
fn a_failed_evaluator_ends_the_search_of_states() {
    let game = game("tic-tac-toe");
    let evaluator = Ignorant { fails_at: Some(3), ..Ignorant::default() };
    let found = search_states(&search(&evaluator, few(40)), &mut starts(&game, 5), 1, 1, 2);
    assert!(matches!(found, Err(SearchError::Stopped)));
}

fn simulated(game: &Game, sources: &[Arc<EvaluatedSearch>], threads: usize) -> Result<String, SimulateError> {
    let kind = |source: &Arc<EvaluatedSearch>| AgentKind::Own(OwnAgent(source.clone()));
    let agents = sources.iter().map(kind).collect();
    let plan = SimulationPlan { games: 30, first: 0, seed: 2, threads, agents, match_play: false };
    let watch = RunMonitor { progress: &|_| (), stop: &Interrupt::new() };
    let found = simulate_kept(game, &plan, None, &watch, Keep::default(), GameSinks::default())?;
    Ok(format!("{:?}", found.0.players))
}

#[test]
fn games_on_many_threads_are_evaluated_together_and_end_the_same() {
    let game = game("connect-four");
    let (one, other) = (Ignorant { slow_calls: 20, ..Ignorant::default() }, Ignorant::default());
    let sources = [search(&one, few(20)), search(&other, SearchSettings { leaves: 2, ..few(12) })];
    let together = simulated(&game, &sources, 30).unwrap();
    let sizes = std::mem::take(&mut *one.sizes.lock().unwrap());
    assert!(sizes.iter().copied().max() > Some(4), "leaves of several games: {sizes:?}");
    assert_eq!(simulated(&game, &sources, 1).unwrap(), together);
    assert!(one.sizes.lock().unwrap().iter().all(|size| *size <= 4), "leaves of one game");
}

#[test]
fn a_failed_evaluator_ends_a_simulation_on_any_number_of_threads() {
    let game = game("connect-four");
    for threads in [1, 20] {
        let evaluator = Ignorant { fails_at: Some(7), ..Ignorant::default() };
        let source = search(&evaluator, few(20));
        assert!(matches!(simulated(&game, &[source], threads), Err(SimulateError::Stopped)));
    }
    // Nothing waits for the threads that are gone.
    simulated(&game, &[search(&Ignorant::default(), few(4))], 20).unwrap();
}
