//! Drawing worlds of a state for a seat.

use std::fmt;
use std::sync::Arc;

use super::chain::Trace;
use super::filter::Filter;
use super::memory::{Belief, Memory};
use super::observed::Observed;
use super::ways::{Opponents, Rules};
use crate::engine::{Event, Game, Player, Start, State, View};
use crate::interrupt;
use crate::rng::{Stream, Streams};

/// States, each with its probability.
type Weighted = Vec<(Arc<State>, f64)>;

/// Steps of the chain before its first world, and for each hidden event so many more: it goes on from where it came to
/// at the decision before.
const FIRST_STEPS: (usize, usize) = (30, 2);

/// Steps of the chain between two worlds: as many as there are hidden events, between these bounds.
const STEPS: (usize, usize) = (5, 20);

/// How worlds are drawn.
#[derive(Clone, Debug)]
pub struct WorldOptions {
    /// What the decisions of the other players tell.
    pub opponents: Opponents,
    /// The most states that are kept to have all of them, with exact probabilities; above, worlds are samples.
    pub bound: usize,
    /// The most replays in search of a first world. When they are used up, there is [`NoWorld`].
    pub budget: u64,
}

impl Default for WorldOptions {
    fn default() -> Self {
        WorldOptions { opponents: Opponents::Uniform, bound: 2_000, budget: 50_000 }
    }
}

/// No world was found within the budget.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoWorld {
    /// The first event that no candidate could explain, counted from 1 among the events of which the seat could tell
    /// something; 0 if not even a first draw was possible.
    pub event: usize,
    /// What the event was.
    pub text: String,
    /// How many replays were made.
    pub replays: u64,
}

impl fmt::Display for NoWorld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.event {
            0 => f.write_str("no state was found that the position allows"),
            event => write!(
                f,
                "no world was found in {} replays that agrees with what was seen up to event {event} (`{}`)",
                self.replays, self.text
            ),
        }
    }
}

impl std::error::Error for NoWorld {}

/// Worlds for a seat: states that agree with everything the seat has observed.
#[derive(Debug)]
pub struct Worlds {
    seat: Player,
    source: Source,
    /// The world that was drawn last.
    drawn: State,
}

#[derive(Debug)]
enum Source {
    /// Nothing is hidden: the state itself.
    Open,
    /// A position without a history.
    Position(Box<State>),
    /// All states with their probabilities, and what was made of them.
    Exact { belief: Arc<Belief>, states: Vec<(Arc<State>, f64)>, made: Vec<Option<State>> },
    /// A chain.
    Chain { belief: Arc<Belief>, trace: Box<Trace>, free: Vec<usize>, options: WorldOptions, begun: bool },
}

impl State {
    /// Worlds for a player: states that agree with everything that the player has observed since the start of the
    /// game. If this state was begun from a position, its history is not known: then worlds agree with what lies
    /// open, with what the player knows of zones, and with how many lie where.
    pub fn worlds(&self, seat: Player, options: &WorldOptions) -> Result<Worlds, NoWorld> {
        let drawn = self.without_chance();
        let source = self.source(seat, options)?;
        Ok(Worlds { seat, source, drawn })
    }

    /// Is it known what happened since the start of the game, so that worlds agree with all of it?
    pub fn has_history(&self) -> bool {
        match self.game.observed() {
            Some(observed) => self.memory.belief(observed, self, Player(0)).is_some(),
            None => true,
        }
    }

    fn source(&self, seat: Player, options: &WorldOptions) -> Result<Source, NoWorld> {
        let Some(observed) = self.game.observed() else {
            return Ok(match self.game.hides() {
                true => Source::Position(Box::new(self.clone())),
                false => Source::Open,
            });
        };
        let Some(belief) = self.memory.belief(observed, self, seat) else {
            return Ok(Source::Position(Box::new(self.clone())));
        };
        let mut belief = self.memory.take(belief);
        let known = Arc::make_mut(&mut belief);
        let exact = known.states(observed, options)?;
        let source = match exact {
            Some(states) => Ok((Some(states), None)),
            None => known.explain(observed, options).map(|trace| (None, Some(trace))),
        };
        self.memory.keep(&belief);
        Ok(match source? {
            (Some(states), _) => Source::Exact { belief, made: vec![None; states.len()], states },
            (None, trace) => {
                let trace = trace.unwrap_or_else(|| unreachable!("there is one or the other"));
                let free = trace.free();
                Source::Chain { belief, trace: Box::new(trace), free, options: options.clone(), begun: false }
            }
        })
    }

    /// This state to look ahead in: without a history, with explicit chance, and with streams that are those of no
    /// game.
    pub(in crate::engine) fn without_chance(&self) -> State {
        let players = self.game.players() as usize;
        let start = Start { seed: 0, index: 0, explicit_chance: true, ..self.start.clone() };
        State {
            game: self.game.clone(),
            words: self.words.clone(),
            streams: Streams::new(0, u64::MAX, players),
            tally: self.tally.clone(),
            start,
            history: vec![],
            candidates: self.candidates.clone(),
            given: self.given.clone(),
            earlier: self.earlier.clone(),
            memory: Memory::default(),
            veiled: None,
        }
    }

    /// A state that could be this one for all that a player knows, with chance of its own: see [`State::worlds`].
    /// It has a history, in which what the player could not see is drawn.
    pub fn determinize(&self, player: Player, stream: &mut Stream) -> Result<State, NoWorld> {
        let mut worlds = self.worlds(player, &WorldOptions::default())?;
        let mut world = worlds.next_played(self, stream)?;
        world.memory = worlds.memory(&world);
        Ok(world)
    }
}

impl Belief {
    /// All states with their probabilities, if they are few.
    fn states(&mut self, observed: &Observed, options: &WorldOptions) -> Result<Option<Weighted>, NoWorld> {
        let Belief { log, filter, .. } = self;
        let rules = Rules { observed, log, opponents: &options.opponents };
        // What is remembered does not depend on who asks.
        if matches!(options.opponents, Opponents::Uniform) && options.bound == WorldOptions::default().bound {
            filter.advance(rules, options.bound);
            return Ok(filter.states());
        }
        let Some(first) = observed.begin(&log.start, log.seat) else { return Ok(None) };
        let mut filter = Filter::begin(rules, &first);
        filter.advance(rules, options.bound);
        let states = filter.states();
        if states.as_ref().is_some_and(Vec::is_empty) {
            let text = "what the opponents did has no probability".to_owned();
            return Err(NoWorld { event: log.events(), text, replays: 0 });
        }
        Ok(states)
    }
}

impl Worlds {
    /// Draws a world. Its chance is explicit, and it has a history of its own, in which what the seat could not see
    /// is drawn.
    pub fn next(&mut self, stream: &mut Stream) -> Result<&State, NoWorld> {
        let none = NoWorld { event: 0, text: String::new(), replays: 0 };
        match &mut self.source {
            Source::Open => {}
            Source::Position(of) => {
                self.drawn = of.redrawn(self.seat, stream).ok_or(none)?.without_chance();
            }
            Source::Exact { belief, states, made } => {
                let mut left = stream.below(1 << 53) as f64 / (1u64 << 53) as f64;
                let at = states.iter().position(|(_, p)| {
                    left -= p;
                    left < 0.0
                });
                let at = at.unwrap_or(states.len().saturating_sub(1));
                let (state, _) = states.get(at).ok_or(none.clone())?;
                let (game, start) = (self.drawn.game.clone(), &belief.log.start);
                if made[at].is_none() {
                    made[at] = Some(replayed(&game, start, &state.history).ok_or(none)?);
                }
                return made[at].as_ref().ok_or(NoWorld { event: 0, text: String::new(), replays: 0 });
            }
            Source::Chain { belief, trace, free, options, begun } => {
                let game = self.drawn.game.clone();
                let Some(observed) = game.observed() else { return Err(none) };
                let rules = Rules { observed, log: &belief.log, opponents: &options.opponents };
                let steps = match *begun {
                    false => FIRST_STEPS.0 + FIRST_STEPS.1 * free.len(),
                    true => free.len().clamp(STEPS.0, STEPS.1),
                };
                *begun = true;
                for _ in 0..steps {
                    interrupt::check();
                    trace.step(rules, free, stream);
                }
                self.drawn = replayed(&game, &belief.log.start, &trace.last.history).ok_or(none)?;
            }
        }
        Ok(&self.drawn)
    }

    /// Draws a world to be played on in place of a state: with chance of its own, drawn or explicit as in `state`.
    pub fn next_played(&mut self, state: &State, stream: &mut Stream) -> Result<State, NoWorld> {
        let mut world = self.next(stream)?.clone();
        world.begin_chance(stream.next_word());
        world.set_explicit_chance(state.start.explicit_chance);
        Ok(world)
    }

    /// Are the probabilities of worlds exact? Else they are samples of a chain, or of a position without a history.
    pub fn is_exact(&self) -> bool {
        matches!(self.source, Source::Open | Source::Exact { .. })
    }

    /// The seat that they are of.
    pub fn seat(&self) -> Player {
        self.seat
    }

    /// All worlds as the filter has them, whose values can be read: see [`Worlds::weighted`].
    pub(super) fn all(&self) -> Option<Vec<(State, f64)>> {
        match &self.source {
            Source::Open => Some(vec![(self.drawn.clone(), 1.0)]),
            Source::Exact { states, .. } => {
                Some(states.iter().map(|(state, p)| (State::clone(state), *p)).collect())
            }
            _ => None,
        }
    }

    /// All worlds with their probabilities; `None` if they are too many, and for a position without a history.
    pub fn weighted(&self) -> Option<Vec<(State, f64)>> {
        match &self.source {
            Source::Open => Some(vec![(self.drawn.clone(), 1.0)]),
            Source::Exact { belief, states, .. } => {
                let world = |(state, p): &(Arc<State>, f64)| {
                    Some((replayed(&self.drawn.game, &belief.log.start, &state.history)?, *p))
                };
                states.iter().map(world).collect()
            }
            _ => None,
        }
    }

    /// What a world is to remember, if play goes on from it: the seat can't tell it from the real one.
    fn memory(&self, world: &State) -> Memory {
        let belief = match &self.source {
            Source::Exact { belief, .. } | Source::Chain { belief, .. } => belief,
            _ => return Memory::default(),
        };
        let Some(observed) = world.game.observed() else { return Memory::default() };
        let mirror = match &self.source {
            Source::Chain { trace, .. } => Some(trace.last.clone()),
            Source::Exact { states, .. } => {
                let same = |state: &&(Arc<State>, f64)| observed.is_of(&state.0, world);
                states.iter().find(same).map(|(state, _)| State::clone(state))
            }
            _ => None,
        };
        let Some(mirror) = mirror else { return Memory::default() };
        Memory::of(Arc::new(Belief { covered: world.history.clone(), mirror, ..Belief::clone(belief) }))
    }
}

/// A game to look ahead in after some events.
fn replayed(game: &Game, start: &Start, events: &[Event]) -> Option<State> {
    let mut state = game.unstarted(start);
    state.streams = Streams::new(0, u64::MAX, game.players() as usize);
    state.run_from(game.program().start).ok()?;
    for event in events {
        match event {
            Event::Action { action, .. } => state.apply(*action).ok()?,
            event => {
                let outcome = crate::engine::again::outcome(&state, event)?;
                state.apply_outcome(outcome).ok()?;
            }
        }
    }
    Some(state)
}

impl View<'_> {
    /// Worlds for the seat: see [`State::worlds`]. Where everybody sees everything it is the state itself.
    pub fn worlds(&self, options: &WorldOptions) -> Result<Worlds, NoWorld> {
        self.state().worlds(self.seat(), options)
    }
}
