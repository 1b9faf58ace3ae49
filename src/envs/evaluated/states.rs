//! Searches of many states at once, on threads that share them.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use super::leaves::{LeafBatch, LeafWriter};
use super::search::LeafSearch;
use super::{EvaluatedSearch, EvaluatorStopped, LeafForm};
use houserule_base::interrupt;
use houserule_base::pool::Pool;
use houserule_base::rng::Stream;
use houserule_game::many::Playout;
use houserule_game::{ActionId, RuntimeError, State};

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult {
    /// The action that was chosen.
    pub action: ActionId,
    /// The share of the simulations that began with each legal action, in no fixed order.
    pub policy: Vec<(ActionId, f32)>,
    /// The mean value of the simulations for the player to move: an expected return, or in a one-player game a score.
    pub value: f64,
}

/// Why states weren't searched.
#[derive(Debug)]
pub enum SearchError {
    /// The evaluator has failed.
    Stopped,
    /// The search of the state with this index has failed.
    State(usize, Box<RuntimeError>),
    /// The game doesn't have the layout of the observations.
    Form(String),
}

impl fmt::Display for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SearchError::Stopped => f.write_str("the evaluator has failed"),
            SearchError::State(at, error) => write!(f, "state {at}: {}", error.kind),
            SearchError::Form(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for SearchError {}

impl From<EvaluatorStopped> for SearchError {
    fn from(_: EvaluatorStopped) -> SearchError {
        SearchError::Stopped
    }
}

/// Some consecutive states, and what a thread needs to search them.
struct SharedPart<'s> {
    states: &'s mut [State],
    searches: Vec<LeafSearch>,
    /// The leaves of each search in the last call, and where they begin.
    rows: Vec<(usize, usize)>,
    playout: Playout,
    writer: LeafWriter,
    batch: LeafBatch,
    failed: Option<(usize, RuntimeError)>,
}

impl SharedPart<'_> {
    /// Begins the searches. `first` is the index of the first state.
    fn begin(&mut self, source: &EvaluatedSearch, first: usize, seed: u64, round: u64) {
        for (at, state) in self.states.iter_mut().enumerate() {
            // Rounds and states have streams of their own: the round is the game, the state the source.
            let stream = Stream::new(seed, round, (first + at) as u64);
            let player = state.current_player().unwrap_or_default();
            match LeafSearch::new(&state.seen_by(player), *source.settings(), stream) {
                Ok(search) => self.searches.push(search),
                Err(error) => return self.failed = Some((at, error)),
            }
        }
        self.rows = vec![(0, 0); self.searches.len()];
    }

    /// Collects the next leaves of all searches.
    fn collect(&mut self, form: &LeafForm) {
        self.batch = LeafBatch::new(form);
        for (at, (search, state)) in self.searches.iter_mut().zip(self.states.iter_mut()).enumerate() {
            interrupt::check();
            let player = state.current_player().unwrap_or_default();
            let (view, first) = (state.seen_by(player), self.batch.count);
            match search.collect(&view, &mut self.playout, &mut self.writer, &mut self.batch) {
                Ok(count) => self.rows[at] = (first, count),
                Err(error) => return self.failed = Some((at, error)),
            }
        }
    }
}

/// Searches states of one game, in each of which a decision is pending. Their leaves are evaluated together, as many
/// as a batch may have. All chance comes from (`seed`, `round`) and the index of the state.
///
/// # Panics
/// If a state has no pending decision, or is of another game than the first.
pub fn search_states(
    source: &EvaluatedSearch,
    states: &mut [State],
    seed: u64,
    round: u64,
    threads: usize,
) -> Result<Vec<SearchResult>, SearchError> {
    let Some(game) = states.first().map(|state| state.game().clone()) else { return Ok(vec![]) };
    for state in states.iter() {
        assert!(state.game().is(&game) && state.current_player().is_some(), "decisions of one game");
    }
    let form = source.form(&game).map_err(SearchError::Form)?;
    let mut pool = Pool::new(threads);
    let mut found = vec![];
    let playout = Playout::new(&game);
    for states in states.chunks_mut((source.settings().batch / source.settings().leaves).max(1) as usize) {
        let each = states.len().div_ceil(threads.max(1));
        let first = found.len();
        let parts: Vec<Mutex<SharedPart<'_>>> = states
            .chunks_mut(each)
            .map(|states| SharedPart {
                states,
                searches: vec![],
                rows: vec![],
                playout: playout.another(),
                writer: LeafWriter::new(&form),
                batch: LeafBatch::new(&form),
                failed: None,
            })
            .map(Mutex::new)
            .collect();
        let part = |at: usize| parts[at].lock().unwrap_or_else(PoisonError::into_inner);
        let has_failed = |at: usize| {
            let (state, error) = part(at).failed.take()?;
            Some(SearchError::State(first + at * each + state, Box::new(error)))
        };
        let check = || (0..parts.len()).find_map(has_failed).map_or(Ok(()), Err);
        pool.run(parts.len(), &|at| part(at).begin(source, first + at * each, seed, round));
        check()?;
        loop {
            pool.run(parts.len(), &|at| part(at).collect(&form));
            check()?;
            let mut batch = LeafBatch::new(&form);
            let mut starts = vec![];
            for at in 0..parts.len() {
                starts.push(batch.count);
                let collected = std::mem::replace(&mut part(at).batch, LeafBatch::new(&form));
                if batch.count == 0 {
                    batch = collected;
                } else {
                    batch.append(collected);
                }
            }
            if batch.count == 0 {
                break;
            }
            let answers = source.evaluate(batch)?;
            pool.run(parts.len(), &|at| {
                let SharedPart { searches, rows, .. } = &mut *part(at);
                for (search, (first, count)) in searches.iter_mut().zip(rows) {
                    if *count > 0 {
                        search.answer(&answers, starts[at] + *first);
                    }
                }
            });
        }
        for part in parts {
            let SharedPart { searches, .. } = part.into_inner().unwrap_or_else(PoisonError::into_inner);
            for mut search in searches {
                let action = search.choose().unwrap_or_else(|| unreachable!("a decision has an action"));
                found.push(SearchResult { action, policy: search.policy(), value: search.value() });
            }
        }
    }
    Ok(found)
}
