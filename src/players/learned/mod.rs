//! Agents that learn by self-play: TD(λ) on afterstates, with n-tuple networks and tables laid out from the
//! checked rules (Tesauro 1995; Szubert and Jaśkowski 2014; Konen 2019).
//!
//! A seat evaluates the afterstate of each action, before chance or other players act, and takes the action with
//! the greatest value. The values learn how afterstates turn out, whatever happens in between. So any number of
//! players, dice and hidden information are possible; a seat's features are what the seat sees.

mod file;
mod kept;
mod lookahead;
mod plan;
mod run;
mod selfplay;
mod train;
mod turn;
mod weights;

use std::fmt;
use std::sync::Arc;

pub use file::{MOST_BYTES, PlayerError, PlayerFile};
pub use kept::TrainedPart;
pub use kept::{is_trained, key, learned, learned_in_parts};
pub(crate) use lookahead::Lookahead;
pub use train::{Checkpoint, Course, LearnError, TrainingBudget, TrainingObserver, can_learn, train};
pub use train::{TrainingSpeed, measure_speed, usual_tenth};
pub use turn::Aim;

use crate::agent::{Agent, Barred, at_random, no_world, one_of, or_random};
use houserule_base::interrupt;
use houserule_base::rng::Stream;
use houserule_game::hidden::{View, WorldOptions};
use houserule_game::{ActionId, Game, RuntimeError, State};
use plan::FeaturePlan;
use turn::TurnSearch;

/// Maximum number of actions that an agent searches within its turn.
const NODES: usize = 300;

/// States evaluated in training from which on a player draws conclusions from what others did: as many as a usual training
/// evaluates. Worlds that agree with all of the history would cost a player of a few hundred games more than all else
/// (hearts: hundreds of times as much).
const CONCLUDES: f64 = 15e6;

/// Number of worlds in which actions are tried if they may reveal hidden information.
const WORLDS: usize = 8;

/// In a game of several players that has more decisions than this multiple of the random games, and some more, the players
/// presumably go round in circles.
const LONG: (f64, f64) = (50.0, 1_000.0);

/// One decision in this many is random then.
const LOOSENED: u64 = 5;

/// The weights of a trained agent. Cloning copies them.
#[derive(Clone)]
pub struct Learned {
    plan: Arc<FeaturePlan>,
    aim: Aim,
    /// The initial value of all weights.
    start: f32,
    weights: Vec<f32>,
    about: About,
}

/// How an agent was trained.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct About {
    /// The name of the game.
    pub game: String,
    /// The hash of the rules.
    pub rules_sha256: String,
    /// The params.
    pub params: Vec<(String, String)>,
    /// The number of players.
    pub players: u32,
    /// The seed of the training.
    pub seed: u64,
    /// The number of training games.
    pub games: u64,
    /// CPU time of the training on each thread, in seconds; 0 for a player from the cache.
    pub seconds: f64,
}

impl About {
    /// The description of an untrained agent.
    fn new(game: &Game) -> About {
        let params = game.model().params.iter();
        About {
            game: game.identity().name.clone(),
            rules_sha256: game.identity().rules_sha256.clone(),
            params: params.map(|param| (param.name.clone(), format!("{:?}", param.value))).collect(),
            players: game.players(),
            ..About::default()
        }
    }
}

impl fmt::Debug for Learned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Learned").field("about", &self.about).field("weights", &self.weights.len()).finish()
    }
}

impl Learned {
    /// How the agent was trained.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// What the agent's values estimate.
    pub fn aim(&self) -> Aim {
        self.aim
    }

    fn plays(&self) -> (&[f32], Aim) {
        (&self.weights, self.aim)
    }

    /// The number of symmetries of the board over which weights are shared, including the identity.
    pub fn symmetries(&self) -> usize {
        self.plan.symmetries
    }

    /// The number of weights.
    pub fn weights(&self) -> usize {
        self.weights.len()
    }

    /// Returns `true` if it has learned for long, and so thinks for long too: about what others did.
    fn concludes(&self) -> bool {
        let sample = &self.plan.sample;
        self.about.games as f64 * sample.decisions * sample.actions >= CONCLUDES
    }

    /// Returns an agent that plays by these weights.
    pub fn agent(self: &Arc<Self>, game: &Game, name: &str) -> LearnedAgent {
        let turn = TurnSearch::new(game, &self.plan, self.aim);
        LearnedAgent { name: name.to_owned(), player: Arc::clone(self), turn, line: vec![] }
    }
}

/// An agent that plays by learned weights.
pub struct LearnedAgent {
    name: String,
    player: Arc<Learned>,
    turn: TurnSearch,
    line: Vec<u32>,
}

impl LearnedAgent {
    /// Chooses like [`Agent::choose`], and calls `tell` with the value of each legal action, in the unit of
    /// [`Learned::aim`]. A single legal action is chosen without a value.
    pub fn choose_with_values(
        &mut self,
        view: &mut View<'_>,
        stream: &mut Stream,
        tell: &mut dyn FnMut(ActionId, f32),
    ) -> Result<Option<ActionId>, RuntimeError> {
        let mut actions = view.legal_actions();
        self.turn.barred.leave_out(&mut actions, |action| action.0);
        if let [] | [_] = actions.as_slice() {
            return Ok(actions.first().copied());
        }
        let hides = view.game().hides();
        // If no action reveals hidden information, any state that looks the same to the seat will do.
        if hides
            && !self.player.plan.shows
            && let Some(state) = view.redrawn(stream)
        {
            return Ok(self.best(view, &state, stream, tell));
        }
        let options = WorldOptions { with_history: self.player.concludes(), ..WorldOptions::default() };
        let mut worlds = view.worlds(&options).map_err(|none| no_world(view, none))?;
        if !hides {
            let state = worlds.next(stream).map_err(|none| no_world(view, none))?;
            return Ok(self.best(view, state, stream, tell));
        }
        let mut sums: Vec<(u32, f32)> = actions.iter().map(|action| (action.0, 0.0)).collect();
        for _ in 0..WORLDS {
            interrupt::check();
            let state = worlds.next(stream).map_err(|none| no_world(view, none))?;
            self.turn.trials.load(0, state);
            let (seat, nodes, line) = (view.seat().0 as usize, &mut NODES.clone(), &mut self.line);
            self.turn.search_line(
                &self.player.weights,
                0,
                seat,
                nodes,
                stream,
                line,
                &mut |action, value| {
                    if let Some(sum) = sums.iter_mut().find(|sum| sum.0 == action) {
                        sum.1 += value;
                    }
                },
            );
        }
        sums.iter().for_each(|(action, sum)| tell(ActionId(*action), sum / WORLDS as f32));
        let most = sums.iter().map(|sum| sum.1).fold(f32::NEG_INFINITY, f32::max);
        let best: Vec<ActionId> =
            sums.iter().filter(|sum| sum.1 == most).map(|sum| ActionId(sum.0)).collect();
        Ok(one_of(&best, stream))
    }

    /// Returns the best action in `state`, a possible state of the view.
    fn best(
        &mut self,
        view: &View<'_>,
        state: &State,
        stream: &mut Stream,
        tell: &mut dyn FnMut(ActionId, f32),
    ) -> Option<ActionId> {
        self.turn.trials.load(0, state);
        let (seat, nodes) = (view.seat().0 as usize, &mut NODES.clone());
        let mut tell = |action, value| tell(ActionId(action), value);
        self.turn.search_line(&self.player.weights, 0, seat, nodes, stream, &mut self.line, &mut tell);
        self.line.first().map(|action| ActionId(*action))
    }

    /// Returns the value of a state for a seat, in the unit of [`Learned::aim`]. At a decision of the seat it is the
    /// value before the decision, which the player learned less well than that of its best action.
    pub fn value(&mut self, state: &State, seat: u32) -> f32 {
        self.turn.trials.load(0, state);
        self.turn.value(&self.player.weights, 0, seat as usize)
    }

    /// Returns `true` if a game of several players is so long that they presumably go round in circles. In a one-player game, who
    /// plays well may play for long.
    fn goes_round(&self, view: &View<'_>) -> bool {
        let usual = self.player.plan.sample.decisions;
        view.game().players() > 1 && view.decisions() as f64 > LONG.0 * usual + LONG.1
    }

    /// Returns an equivalent player, for another thread.
    pub fn another(&self) -> LearnedAgent {
        self.restricted_to(&self.turn.barred)
    }

    /// Returns a player with the same weights, kept from some actions.
    fn restricted_to(&self, barred: &Barred) -> LearnedAgent {
        let mut turn = self.turn.more();
        turn.barred = barred.clone();
        LearnedAgent { name: self.name.clone(), player: Arc::clone(&self.player), turn, line: vec![] }
    }
}

impl Agent for LearnedAgent {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(&mut self, view: &mut View<'_>, stream: &mut Stream) -> Result<Option<ActionId>, RuntimeError> {
        if self.goes_round(view) && stream.below(LOOSENED) == 0 {
            return Ok(at_random(view, &self.turn.barred, stream));
        }
        let chosen = self.choose_with_values(view, stream, &mut |_, _| {});
        or_random(chosen, view, &self.turn.barred, stream)
    }

    fn copy(&self) -> Box<dyn Agent> {
        Box::new(self.another())
    }

    fn restricted(&self, barred: &Barred) -> Option<Box<dyn Agent>> {
        Some(Box::new(self.restricted_to(barred)))
    }
}
