//! A state's cache of its seats' beliefs, so that each decision continues from the one before.
//!
//! A belief is computed on first request. It depends on the log alone, never on the time or the seed of
//! requests: the worlds of a seed are the same whether a caller requests them once or at every decision.

use std::sync::{Arc, Mutex};

use super::WorldOptions;
use super::chain::Trace;
use super::filter::Filter;
use super::log::Log;
use super::observed::Observed;
use super::repair::{SearchBudget, extend};
use super::ways::{OpponentModel, Rules};
use crate::{Event, Seat, State};
use houserule_base::rng::Stream;

/// Chain steps per hidden event at each decision of a seat.
const MIXES: usize = 1;

/// The cached beliefs of the seats.
#[derive(Debug, Default)]
pub(crate) struct BeliefCache(Mutex<CachedBeliefs>);

#[derive(Clone, Debug, Default)]
struct CachedBeliefs {
    beliefs: Vec<Arc<Belief>>,
    /// The number of events in a history that does not begin at the start of the game, if one was found.
    rootless: Option<usize>,
    /// By seat, the length of a history that the search could not explain.
    unexplained: Vec<(Seat, usize)>,
}

impl Clone for BeliefCache {
    fn clone(&self) -> Self {
        BeliefCache(Mutex::new(self.all().clone()))
    }
}

impl BeliefCache {
    fn all(&self) -> std::sync::MutexGuard<'_, CachedBeliefs> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Returns a cache of only this belief.
    pub(super) fn from_belief(belief: Arc<Belief>) -> BeliefCache {
        BeliefCache(Mutex::new(CachedBeliefs { beliefs: vec![belief], ..CachedBeliefs::default() }))
    }

    /// Returns the belief of a seat in `state`, which owns this cache, or `None` if the history of `state` does not
    /// begin at the start of the game.
    pub(super) fn belief(&self, observed: &Observed, state: &State, seat: Seat) -> Option<Arc<Belief>> {
        let mut known = self.all();
        // A continuation of such a history does not begin at the start of the game either.
        if known.rootless.is_some_and(|events| events <= state.history.len()) {
            return None;
        }
        let belief = known.beliefs.iter().position(|belief| belief.log.seat == seat);
        let belief = belief.map(|at| known.beliefs.swap_remove(at));
        match catch_up(belief, observed, state, seat) {
            Some(belief) => {
                known.beliefs.push(Arc::clone(&belief));
                Some(belief)
            }
            None => {
                known.rootless = Some(state.history.len());
                None
            }
        }
    }

    /// Caches a belief in place of the previous one of its seat.
    pub(super) fn keep(&self, belief: &Arc<Belief>) {
        let mut known = self.all();
        known.beliefs.retain(|known| known.log.seat != belief.log.seat);
        known.beliefs.push(Arc::clone(belief));
    }

    /// Returns `true` if the search could not explain the history of `state`, which owns this cache, or an
    /// earlier part of it. The same search would fail again at every later decision.
    pub(super) fn is_unexplained(&self, state: &State, seat: Seat) -> bool {
        self.all().unexplained.iter().any(|(of, events)| *of == seat && *events <= state.history.len())
    }

    /// Notes that the search could not explain the history of `state`, which owns this cache.
    pub(super) fn leave_unexplained(&self, state: &State, seat: Seat) {
        self.all().unexplained.push((seat, state.history.len()));
    }

    /// Removes a belief, so that the caller can change it without a copy.
    pub(super) fn take(&self, belief: Arc<Belief>) -> Arc<Belief> {
        self.all().beliefs.retain(|known| !Arc::ptr_eq(known, &belief));
        belief
    }
}

/// Brings a belief up to date with all events of a state. Returns `None` if the history of the state does not begin at
/// the start of the game.
fn catch_up(
    known: Option<Arc<Belief>>,
    observed: &Observed,
    state: &State,
    seat: Seat,
) -> Option<Arc<Belief>> {
    let mut belief = match known.filter(|belief| state.history.starts_with(&belief.covered)) {
        Some(belief) => belief,
        None => Arc::new(Belief::begin(observed, state, seat)?),
    };
    if belief.covered.len() < state.history.len() {
        let belief = Arc::make_mut(&mut belief);
        for event in &state.history[belief.covered.len()..] {
            if !belief.log.add(observed, &mut belief.mirror, event) {
                return None;
            }
            belief.covered.push(*event);
        }
    }
    observed.is_of(&belief.mirror, state).then_some(belief)
}

/// A seat's log and what was derived from it.
#[derive(Clone, Debug)]
pub(super) struct Belief {
    pub(super) log: Log,
    /// The events that the log covers; `mirror` is the observed state after them.
    pub(super) covered: Vec<Event>,
    pub(super) mirror: State,
    /// All states that agree with the log, under uniform opponents.
    pub(super) filter: Filter,
    /// A trace to the seat's last decision, and the number of the seat's decisions on it.
    pub(super) way: Option<(Trace, usize)>,
}

impl Belief {
    fn begin(observed: &Observed, state: &State, seat: Seat) -> Option<Belief> {
        let (log, mirror) = Log::begin(observed, state.started(), seat)?;
        let rules = Rules { observed, log: &log, opponents: &OpponentModel::Uniform };
        let filter = Filter::begin(rules, &mirror);
        Some(Belief { log, covered: vec![], mirror, filter, way: None })
    }

    /// Returns the number of observations up to which later ones tell nothing more of the events: the log's, or those before
    /// the first commitment in an open `together` block.
    pub(super) fn settled(&self, observed: &Observed) -> u64 {
        let first = self.mirror.commitments().first().map(|first| observed.noted(&first.before).progress());
        first.unwrap_or(self.log.progress())
    }

    /// Returns a trace that explains the whole log. The part up to the seat's last decision is cached. The
    /// chain makes [`MIXES`] steps per hidden event at each decision, so later worlds need not restart it.
    /// Returns `None` if the budget is used up.
    pub(super) fn explain(&mut self, observed: &Observed, options: &WorldOptions) -> Option<Trace> {
        let Belief { log, way, .. } = self;
        // The search ignores how likely the opponents' decisions are.
        let rules = Rules { observed, log, opponents: &OpponentModel::Unknown };
        let likely = Rules { opponents: &OpponentModel::Uniform, ..rules };
        let mut budget = SearchBudget::new(options.budget);
        let (mut trace, known) = match way.take() {
            Some(way) => way,
            None => {
                let first = observed.begin(&log.start, log.seat)?;
                (Trace::empty(rules, &first), 0)
            }
        };
        for (number, (progress, key)) in log.decisions().iter().enumerate().skip(known) {
            let mut stream = Stream::new(*key, number as u64, 0);
            if !extend(&mut trace, rules, *progress, &mut budget, &mut stream) {
                return None;
            }
            trace.walk(likely, MIXES, &mut stream);
        }
        *way = Some((trace.clone(), log.decisions().len()));
        let mut stream = Stream::new(log.progress(), log.decisions().len() as u64, 1);
        extend(&mut trace, rules, log.progress(), &mut budget, &mut stream).then(|| {
            trace.weigh(likely);
            trace
        })
    }
}
