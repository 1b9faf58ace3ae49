//! Sampling worlds of a state for a seat.

use std::sync::Arc;

use super::chain::Trace;
use super::filter::Filter;
use super::memory::{Belief, BeliefCache};
use super::observed::Observed;
use super::ways::{OpponentModel, Rules};
use crate::hidden::View;
use crate::{Attached, NoWorld};
use crate::{Event, Game, HistoryOrigin, Seat, Start, State};
use houserule_base::rng::{Stream, Streams};

/// States, each with its probability.
type Weighted = Vec<(Arc<State>, f64)>;

/// Chain steps before the first world: a constant, and a number per hidden event. Few are enough, because the
/// chain continues from the decision before.
const FIRST_STEPS: (usize, usize) = (30, 2);

/// Minimum and maximum number of chain steps between two worlds. In between, one step per hidden event.
const STEPS: (usize, usize) = (5, 20);

/// Options for drawing worlds.
#[derive(Clone, Debug)]
pub struct WorldOptions {
    /// The opponent model.
    pub opponents: OpponentModel,
    /// Maximum number of states for exact probabilities. With more, worlds are samples; so they are if each state takes very
    /// much work.
    pub bound: usize,
    /// Maximum number of replays with which a first world is searched for. So many replays change one hidden event each, and
    /// as many after them may also exchange two. A replay that is much work counts as several. If none finds a world, worlds
    /// agree with what the seat sees and knows now, as those of a position without a history. With 0, nothing is searched:
    /// only exact probabilities keep the history.
    pub budget: u64,
    /// Whether worlds agree with everything that the seat has observed. Otherwise they agree with what it sees and knows now,
    /// which costs far less.
    pub with_history: bool,
}

impl Default for WorldOptions {
    fn default() -> Self {
        WorldOptions { opponents: OpponentModel::Uniform, bound: 2_000, budget: 5_000, with_history: true }
    }
}

/// Worlds for a seat: states that agree with everything the seat has observed.
#[derive(Debug)]
pub struct Worlds {
    seat: Seat,
    source: WorldSource,
    /// The world that was drawn last.
    drawn: State,
}

#[derive(Debug)]
enum WorldSource {
    /// Nothing is hidden: the world is the state itself.
    Open,
    /// A position without a history, or one with a history that the search could not explain.
    Position(Box<State>),
    /// All states with their probabilities, and the worlds made of them so far.
    Exact { belief: Arc<Belief>, states: Vec<(Arc<State>, f64)>, made: Vec<Option<State>> },
    /// A Markov chain.
    Chain { belief: Arc<Belief>, trace: Box<Trace>, free: Vec<usize>, options: WorldOptions, begun: bool },
}

impl State {
    /// Returns the beliefs of the seats, as far as computed.
    fn belief_cache(&self) -> &BeliefCache {
        self.beliefs.get_or(BeliefCache::default)
    }

    /// Returns the worlds of this state for a player: states that agree with everything that the player has
    /// observed since the start of the game. A state made from a position has no history: its worlds agree
    /// with what lies open, with what the player knows of zones, and with how many elements lie where. Worlds agree
    /// with no more than that, too, if the options are without the history, and in every state of a game after one in which the
    /// search used up its budget: see [`Worlds::keep_history`].
    pub fn worlds(&self, seat: Seat, options: &WorldOptions) -> Result<Worlds, NoWorld> {
        let drawn = self.without_chance();
        let source = self.find_source(seat, options)?;
        Ok(Worlds { seat, source, drawn })
    }

    /// Returns `true` if the history goes back to the start of the game, so that worlds agree with all of it.
    pub fn has_history(&self) -> bool {
        match self.game.observed() {
            Some(observed) => self.belief_cache().belief(observed, self, Seat(0)).is_some(),
            None => true,
        }
    }

    /// Returns where the worlds of a seat come from.
    fn find_source(&self, seat: Seat, options: &WorldOptions) -> Result<WorldSource, NoWorld> {
        let Some(observed) = self.game.observed() else {
            return Ok(match self.game.hides() {
                true => WorldSource::Position(Box::new(self.clone())),
                false => WorldSource::Open,
            });
        };
        let from_here = || Ok(WorldSource::Position(Box::new(self.clone())));
        if !options.with_history {
            return from_here();
        }
        let Some(belief) = self.belief_cache().belief(observed, self, seat) else { return from_here() };
        if self.belief_cache().is_unexplained(self, seat) {
            return from_here();
        }
        let mut belief = self.belief_cache().take(belief);
        let known = Arc::make_mut(&mut belief);
        let exact = known.states(observed, options)?;
        if let Some(states) = exact {
            self.belief_cache().keep(&belief);
            return Ok(WorldSource::Exact { belief, made: vec![None; states.len()], states });
        }
        if options.budget == 0 {
            self.belief_cache().keep(&belief);
            return from_here();
        }
        let trace = known.explain(observed, options);
        self.belief_cache().keep(&belief);
        let Some(trace) = trace else {
            self.belief_cache().leave_unexplained(self, seat);
            return from_here();
        };
        let (free, options) = (trace.free(), options.clone());
        Ok(WorldSource::Chain { belief, trace: Box::new(trace), free, options, begun: false })
    }

    /// Returns this state for look-ahead: without a history, with explicit chance, and with random streams
    /// that no game uses.
    pub(crate) fn without_chance(&self) -> State {
        let players = self.game.players() as usize;
        let start = Start { seed: 0, index: 0, explicit_chance: true, ..self.start.clone() };
        State {
            game: self.game.clone(),
            words: self.words.clone(),
            streams: Streams::new(0, u64::MAX, players),
            run_state: self.run_state.clone(),
            start,
            history: vec![],
            origin: HistoryOrigin::Position,
            candidates: self.candidates.clone(),
            given: self.given.clone(),
            earlier: self.earlier.clone(),
            committed: None,
            beliefs: Attached::default(),
            veiled: None,
        }
    }

    /// Returns a determinization for a player, with random streams of its own: see [`State::worlds`]. In its
    /// history, what the player could not see is drawn.
    pub fn determinize(&self, player: Seat, stream: &mut Stream) -> Result<State, NoWorld> {
        let mut worlds = self.worlds(player, &WorldOptions::default())?;
        let mut world = worlds.next_played(self, stream)?;
        world.beliefs = Attached::default();
        world.beliefs.get_or(|| worlds.remember(&world));
        Ok(world)
    }
}

impl Belief {
    /// Returns all states with their probabilities, or `None` if too many.
    fn states(&mut self, observed: &Observed, options: &WorldOptions) -> Result<Option<Weighted>, NoWorld> {
        let settled = self.settled(observed);
        let Belief { log, filter, .. } = self;
        let rules = Rules { observed, log, opponents: &options.opponents };
        // The cached filter is independent of a caller's options.
        if matches!(options.opponents, OpponentModel::Uniform)
            && options.bound == WorldOptions::default().bound
        {
            filter.advance(rules, options.bound, settled);
            if settled == log.progress() {
                return Ok(filter.states());
            }
            let mut filter = filter.clone();
            filter.advance(rules, options.bound, log.progress());
            return Ok(filter.states());
        }
        let Some(first) = observed.begin(&log.start, log.seat) else { return Ok(None) };
        let mut filter = Filter::begin(rules, &first);
        filter.advance(rules, options.bound, log.progress());
        let states = filter.states();
        if states.as_ref().is_some_and(Vec::is_empty) {
            let text = "what the opponents did has no probability".to_owned();
            return Err(NoWorld { event: log.events(), text });
        }
        Ok(states)
    }
}

impl Worlds {
    /// Draws a world. Its chance is explicit. In its history, what the seat could not see is drawn.
    pub fn next(&mut self, stream: &mut Stream) -> Result<&State, NoWorld> {
        let none = NoWorld { event: 0, text: String::new() };
        match &mut self.source {
            WorldSource::Open => {}
            WorldSource::Position(of) => {
                self.drawn = of.redrawn(self.seat, stream).ok_or(none)?.without_chance();
            }
            WorldSource::Exact { belief, states, made } => {
                let mut left = stream.below(1 << 53) as f64 / (1u64 << 53) as f64;
                let at = states.iter().position(|(_, p)| {
                    left -= p;
                    left < 0.0
                });
                let at = at.unwrap_or(states.len().saturating_sub(1));
                let (state, _) = states.get(at).ok_or(none.clone())?;
                let (game, start) = (self.drawn.game.clone(), &belief.log.start);
                if made[at].is_none() {
                    made[at] = Some(replay_events(&game, start, &state.history).ok_or(none)?);
                }
                return made[at].as_ref().ok_or(NoWorld { event: 0, text: String::new() });
            }
            WorldSource::Chain { belief, trace, free, options, begun } => {
                let game = self.drawn.game.clone();
                let Some(observed) = game.observed() else { return Err(none) };
                let rules = Rules { observed, log: &belief.log, opponents: &options.opponents };
                let steps = match *begun {
                    false => FIRST_STEPS.0 + FIRST_STEPS.1 * free.len(),
                    true => free.len().clamp(STEPS.0, STEPS.1),
                };
                *begun = true;
                trace.mix(rules, free, steps, stream);
                self.drawn = replay_events(&game, &belief.log.start, &trace.last.history).ok_or(none)?;
            }
        }
        Ok(&self.drawn)
    }

    /// Draws a world to play on in place of `state`: with random streams of its own, and explicit chance as
    /// in `state`. If nothing is hidden, it keeps the history of `state`.
    pub fn next_played(&mut self, state: &State, stream: &mut Stream) -> Result<State, NoWorld> {
        if let WorldSource::Open = self.source {
            let mut world = state.clone();
            world.begin_chance(stream.next_word());
            return Ok(world);
        }
        let mut world = self.next(stream)?.clone();
        world.begin_chance(stream.next_word());
        world.set_explicit_chance(state.start.explicit_chance);
        Ok(world)
    }

    /// Returns `true` if the probabilities are exact. Otherwise worlds are samples of a chain or of a
    /// position without a history.
    pub fn is_exact(&self) -> bool {
        matches!(self.source, WorldSource::Open | WorldSource::Exact { .. })
    }

    /// Returns `true` if every world agrees with all that the seat has observed since the start of the game.
    /// Otherwise worlds agree with what the seat sees and knows now.
    pub fn keep_history(&self) -> bool {
        !matches!(self.source, WorldSource::Position(_))
    }

    /// Returns the seat that the worlds are for.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// Returns all worlds as the filter has them, only to read their values: see [`Worlds::weighted`].
    pub(super) fn all(&self) -> Option<Vec<(State, f64)>> {
        match &self.source {
            WorldSource::Open => Some(vec![(self.drawn.clone(), 1.0)]),
            WorldSource::Exact { states, .. } => {
                Some(states.iter().map(|(state, p)| (State::clone(state), *p)).collect())
            }
            _ => None,
        }
    }

    /// Returns all worlds with their probabilities, or `None` if they are too many or there is no history.
    pub fn weighted(&self) -> Option<Vec<(State, f64)>> {
        match &self.source {
            WorldSource::Open => Some(vec![(self.drawn.clone(), 1.0)]),
            WorldSource::Exact { belief, states, .. } => {
                let world = |(state, p): &(Arc<State>, f64)| {
                    Some((replay_events(&self.drawn.game, &belief.log.start, &state.history)?, *p))
                };
                states.iter().map(world).collect()
            }
            _ => None,
        }
    }

    /// Returns the belief cache of a world that play continues from: to the seat it is the real state.
    fn remember(&self, world: &State) -> BeliefCache {
        let belief = match &self.source {
            WorldSource::Exact { belief, .. } | WorldSource::Chain { belief, .. } => belief,
            _ => return BeliefCache::default(),
        };
        let Some(observed) = world.game.observed() else { return BeliefCache::default() };
        let mirror = match &self.source {
            WorldSource::Chain { trace, .. } => Some(trace.last.clone()),
            WorldSource::Exact { states, .. } => {
                let same = |state: &&(Arc<State>, f64)| observed.is_of(&state.0, world);
                states.iter().find(same).map(|(state, _)| State::clone(state))
            }
            _ => None,
        };
        let Some(mirror) = mirror else { return BeliefCache::default() };
        BeliefCache::from_belief(Arc::new(Belief {
            covered: world.history.clone(),
            mirror,
            ..Belief::clone(belief)
        }))
    }
}

/// Returns a game for look-ahead, replayed from its start through `events`.
fn replay_events(game: &Game, start: &Start, events: &[Event]) -> Option<State> {
    let mut state = game.unstarted(start);
    state.streams = Streams::new(0, u64::MAX, game.players() as usize);
    state.origin = HistoryOrigin::Drawn;
    state.run_from(game.program().start).ok()?;
    for event in events {
        match event {
            Event::Action { action, .. } => state.apply(*action).ok()?,
            event => {
                let outcome = crate::replay_history::outcome(&state, event)?;
                state.apply_outcome(outcome).ok()?;
            }
        }
    }
    Some(state)
}

impl View<'_> {
    /// Returns worlds for the seat: see [`State::worlds`]. If nothing is hidden, this is the state itself.
    pub fn worlds(&self, options: &WorldOptions) -> Result<Worlds, NoWorld> {
        self.state().worlds(self.seat(), options)
    }
}
