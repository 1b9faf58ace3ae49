//! What a state remembers of the beliefs of its seats, so that each decision goes on from the one before.
//!
//! Nothing is made before somebody asks. What is remembered follows from the log alone, never from who asked when
//! or with which seed: worlds of a seed are the same whether they are asked for once or at every decision.

use std::sync::{Arc, Mutex};

use super::chain::Trace;
use super::filter::Filter;
use super::log::Log;
use super::observed::Observed;
use super::repair::{Budget, extend};
use super::ways::{Opponents, Rules};
use super::{NoWorld, WorldOptions};
use crate::engine::{Event, Player, State};
use crate::rng::Stream;

/// Steps of the chain at each decision of a seat: so many for each hidden event.
const MIXES: usize = 1;

/// The beliefs of the seats that were asked for.
#[derive(Debug, Default)]
pub(in crate::engine) struct Memory(Mutex<Known>);

#[derive(Clone, Debug, Default)]
struct Known {
    beliefs: Vec<Arc<Belief>>,
    /// A history of so many events was found not to begin with the game.
    adrift: Option<usize>,
}

impl Clone for Memory {
    fn clone(&self) -> Self {
        Memory(Mutex::new(self.all().clone()))
    }
}

impl Memory {
    fn all(&self) -> std::sync::MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Only this belief.
    pub(super) fn of(belief: Arc<Belief>) -> Memory {
        Memory(Mutex::new(Known { beliefs: vec![belief], adrift: None }))
    }

    /// The belief of a seat in a state whose memory this is; `None` if the state's history does not begin with the
    /// game.
    pub(super) fn belief(&self, observed: &Observed, state: &State, seat: Player) -> Option<Arc<Belief>> {
        let mut known = self.all();
        // What was done since leads back to no beginning either.
        if known.adrift.is_some_and(|events| events <= state.history.len()) {
            return None;
        }
        let belief = known.beliefs.iter().position(|belief| belief.log.seat == seat);
        let belief = belief.map(|at| known.beliefs.swap_remove(at));
        match caught_up(belief, observed, state, seat) {
            Some(belief) => {
                known.beliefs.push(Arc::clone(&belief));
                Some(belief)
            }
            None => {
                known.adrift = Some(state.history.len());
                None
            }
        }
    }

    /// Keeps a belief in place of what was known of its seat.
    pub(super) fn keep(&self, belief: &Arc<Belief>) {
        let mut known = self.all();
        known.beliefs.retain(|known| known.log.seat != belief.log.seat);
        known.beliefs.push(Arc::clone(belief));
    }

    /// Forgets what is known of a seat, and returns it.
    pub(super) fn take(&self, belief: Arc<Belief>) -> Arc<Belief> {
        self.all().beliefs.retain(|known| !Arc::ptr_eq(known, &belief));
        belief
    }
}

/// What a seat believes after all events of a state, from what it believed before; `None` if the state's history does
/// not begin with the game.
fn caught_up(
    known: Option<Arc<Belief>>,
    observed: &Observed,
    state: &State,
    seat: Player,
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

/// What a seat has observed, and what follows from it.
#[derive(Clone, Debug)]
pub(super) struct Belief {
    pub(super) log: Log,
    /// The events that the log covers, and the observed state after them.
    pub(super) covered: Vec<Event>,
    pub(super) mirror: State,
    /// All states that agree with the log, under uniform opponents.
    pub(super) filter: Filter,
    /// A way to the last decision of the seat, and how many of its decisions lie on it.
    pub(super) way: Option<(Trace, usize)>,
}

impl Belief {
    fn begin(observed: &Observed, state: &State, seat: Player) -> Option<Belief> {
        let (log, mirror) = Log::begin(observed, state.started(), seat)?;
        let rules = Rules { observed, log: &log, opponents: &Opponents::Uniform };
        let filter = Filter::begin(rules, &mirror);
        Some(Belief { log, covered: vec![], mirror, filter, way: None })
    }

    /// Makes a way that explains the whole log. The part up to the seat's last decision is kept for the next time;
    /// the chain makes some steps at each of them, so that worlds need not begin it anew at every decision.
    pub(super) fn explain(&mut self, observed: &Observed, options: &WorldOptions) -> Result<Trace, NoWorld> {
        let Belief { log, way, .. } = self;
        // Who has which tile is not looked for by how likely it is.
        let rules = Rules { observed, log, opponents: &Opponents::Unknown };
        let likely = Rules { opponents: &Opponents::Uniform, ..rules };
        let mut budget = Budget { replays: options.budget, furthest: 0 };
        let missing = |budget: &Budget| {
            let (event, text) = log.event_after(observed, budget.furthest);
            NoWorld { event, text, replays: options.budget }
        };
        let (mut trace, known) = match way.take() {
            Some(way) => way,
            None => {
                let first = observed.begin(&log.start, log.seat).ok_or_else(|| missing(&budget))?;
                (Trace::empty(rules, &first), 0)
            }
        };
        for (number, (progress, key)) in log.decisions().iter().enumerate().skip(known) {
            let mut stream = Stream::new(*key, number as u64, 0);
            if !extend(&mut trace, rules, *progress, &mut budget, &mut stream) {
                return Err(missing(&budget));
            }
            trace.walk(likely, MIXES, &mut stream);
        }
        *way = Some((trace.clone(), log.decisions().len()));
        let mut stream = Stream::new(log.progress(), log.decisions().len() as u64, 1);
        match extend(&mut trace, rules, log.progress(), &mut budget, &mut stream) {
            true => {
                trace.weigh(likely);
                Ok(trace)
            }
            false => Err(missing(&budget)),
        }
    }
}
