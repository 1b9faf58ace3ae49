//! Searches guided by learned values. `mcts:N:learned` and `ismcts:N:learned` evaluate the positions of their tree
//! by them. `flat:N:learned` plays rollouts by them (Tesauro and Galperin 1996).
//!
//! The prior of an action is the learned value of its afterstate, and counts as one simulation. A simulation ends
//! at a new position. Its value for the player to move is the learned value of the best action there; the other
//! players share the opposite. Chance is sampled, and worlds are drawn as in the other searches.

use std::sync::Arc;

use super::turn::{Aim, TurnSearch, WORST};
use super::{Learned, NODES};
use crate::agent::{
    Agent, Barred, Edge, SearchMethod, TRIALS_OF_ONE, Tree, no_world, or_random, trials_of_a_world, worlds,
};
use houserule_base::interrupt;
use houserule_base::rng::Stream;
use houserule_game::hidden::{View, Worlds};
use houserule_game::many::{ROOT, TRIAL};
use houserule_game::{ActionId, Game, RuntimeError};

/// Exploration constant, for values between -1 and 1. Learned values are less noisy than those of random playouts.
const EXPLORATION: f64 = 0.25;

/// Maximum number of decisions of a rollout.
const DECISIONS: usize = 3000;

/// A search agent guided by learned values.
pub(crate) struct Lookahead {
    name: String,
    method: SearchMethod,
    trials: u32,
    player: Arc<Learned>,
    turn: TurnSearch,
    tree: Tree,
    /// The smallest and the largest value so far.
    seen: (f64, f64),
    /// The value of the simulation for each player.
    values: Vec<f64>,
    /// The path of the simulation: node, edge, and the player who chose.
    path: Vec<(u32, u32, u32)>,
    legal: Vec<u32>,
    line: Vec<u32>,
    /// The learned value of each action in the position last evaluated.
    learned: Vec<(u32, f32)>,
}

impl Lookahead {
    /// Makes an agent with this name, method and number of simulations.
    pub(crate) fn new(
        name: String,
        method: SearchMethod,
        trials: u32,
        player: Arc<Learned>,
        game: &Game,
    ) -> Lookahead {
        let turn = TurnSearch::new(game, &player.plan, player.aim);
        Lookahead::with(name, method, trials, player, turn)
    }

    fn with(
        name: String,
        method: SearchMethod,
        trials: u32,
        player: Arc<Learned>,
        turn: TurnSearch,
    ) -> Lookahead {
        let players = turn.trials.game().players() as usize;
        Lookahead {
            name,
            method,
            trials,
            player,
            turn,
            tree: Tree::default(),
            seen: (f64::INFINITY, f64::NEG_INFINITY),
            values: vec![0.0; players],
            path: vec![],
            legal: vec![],
            line: vec![],
            learned: vec![],
        }
    }
}

impl Agent for Lookahead {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(&mut self, view: &mut View<'_>, stream: &mut Stream) -> Result<Option<ActionId>, RuntimeError> {
        let actions: Vec<u32> = view.legal_actions().iter().map(|action| action.0).collect();
        if let [] | [_] = actions.as_slice() {
            return Ok(actions.first().copied().map(ActionId));
        }
        self.tree.clear();
        self.seen = (f64::INFINITY, f64::NEG_INFINITY);
        self.turn.trials.reseed(TRIAL, stream.next_word());
        let searched = worlds(view, &self.method.world_options()).and_then(|mut worlds| match self.method {
            SearchMethod::Flat => self.play_on_from(&actions, view, &mut worlds, stream),
            SearchMethod::Mcts | SearchMethod::Ismcts | SearchMethod::Glance => {
                self.search(view, &mut worlds, stream)
            }
        });
        let best = searched.map(|()| self.best().map(|edge| ActionId(edge.action)));
        or_random(best, view, &Barred::default(), stream)
    }

    fn copy(&self) -> Box<dyn Agent> {
        let (name, player) = (self.name.clone(), Arc::clone(&self.player));
        Box::new(Lookahead::with(name, self.method, self.trials, player, self.turn.more()))
    }
}

impl Lookahead {
    /// Loads the next world as the root of simulations.
    fn enter(
        &mut self,
        view: &View<'_>,
        worlds: &mut Worlds,
        stream: &mut Stream,
    ) -> Result<(), RuntimeError> {
        let state = worlds.next(stream).map_err(|none| no_world(view, none))?;
        self.turn.trials.load(ROOT, state);
        Ok(())
    }

    /// Runs rollouts after every action, equally many after each, with the same chance and in the same worlds.
    fn play_on_from(
        &mut self,
        actions: &[u32],
        view: &View<'_>,
        worlds: &mut Worlds,
        stream: &mut Stream,
    ) -> Result<(), RuntimeError> {
        self.tree.add(actions);
        let rounds = self.trials.div_ceil(actions.len() as u32);
        for round in 0..rounds {
            if round == 0 || view.game().hides() {
                self.enter(view, worlds, stream)?;
            }
            let chance = stream.next_word();
            for (edge, action) in (0..).zip(actions) {
                interrupt::check();
                self.turn.trials.copy(ROOT, TRIAL);
                self.turn.trials.reseed(TRIAL, chance);
                self.path.clear();
                self.path.push((0, edge, view.seat().0));
                if self.turn.trials.play(TRIAL, *action).is_ok() {
                    self.play_on(stream);
                }
                self.value_as_it_stands();
                self.add_values();
            }
        }
        Ok(())
    }

    /// Plays on with all players following the learned values, for at most [`DECISIONS`] decisions.
    fn play_on(&mut self, stream: &mut Stream) {
        for _ in 0..DECISIONS {
            let Some(seat) = self.turn.trials.current_player(TRIAL) else { break };
            self.turn.trials.legal_actions(TRIAL, &mut self.legal);
            let action = match self.legal[..] {
                [only] => only,
                _ => {
                    let (weights, nodes) = (&self.player.weights, &mut NODES.clone());
                    self.turn.best(weights, TRIAL, seat as usize, nodes, stream, &mut self.line);
                    let Some(action) = self.line.first() else { break };
                    *action
                }
            };
            if self.turn.trials.play(TRIAL, action).is_err() {
                break;
            }
        }
    }

    fn search(
        &mut self,
        view: &View<'_>,
        worlds: &mut Worlds,
        stream: &mut Stream,
    ) -> Result<(), RuntimeError> {
        let hides = view.game().hides();
        // One tree over information sets, or one for each world.
        let by_sight = hides && self.method.goes_by_sight();
        let of_one = match by_sight {
            true => trials_of_a_world(worlds, self.trials),
            false => trials_of_a_world(worlds, self.trials).max(TRIALS_OF_ONE),
        };
        if by_sight {
            self.turn.trials.look_as(view.seat());
        }
        self.enter(view, worlds, stream)?;
        self.turn.trials.copy(ROOT, TRIAL);
        self.grow(view.seat().0, stream);
        for trial in 0..self.trials {
            interrupt::check();
            if hides && trial > 0 && trial % of_one == 0 {
                self.enter(view, worlds, stream)?;
                if !by_sight {
                    self.tree.keep_root();
                }
            }
            self.turn.trials.copy(ROOT, TRIAL);
            self.try_one(by_sight, stream);
            self.add_values();
        }
        Ok(())
    }

    /// Runs one simulation: selects actions down to a new position or the end of the game.
    fn try_one(&mut self, by_sight: bool, stream: &mut Stream) {
        self.path.clear();
        let mut node = 0;
        while let Some(seat) = self.turn.trials.current_player(TRIAL) {
            if by_sight {
                self.set_legal(node, seat, stream);
            }
            let edge = self.pick(node, by_sight);
            self.path.push((node, edge, seat));
            let action = self.tree.nodes[node as usize].edges[edge as usize].action;
            if self.turn.trials.play(TRIAL, action).is_err() {
                break;
            }
            let Some(next) = self.turn.trials.current_player(TRIAL) else { break };
            let position = match by_sight {
                true => self.turn.trials.view(TRIAL),
                false => self.turn.trials.position(TRIAL),
            };
            match self.tree.outcomes.child(node, edge, position) {
                Some(child) => node = child,
                None => {
                    let child = self.grow(next, stream);
                    if let Some(child) = child {
                        self.tree.outcomes.add(node, edge, position, child);
                    }
                    return;
                }
            }
        }
        self.value_as_it_stands();
    }

    /// Sets the value of the simulation from its position, in which `seat` decides. Returns a new node for the
    /// position, or `None` if the tree is full.
    fn grow(&mut self, seat: u32, stream: &mut Stream) -> Option<u32> {
        // If every action ends in an error of the rules, the value is 0, as for a simulation that ends in one.
        let best =
            Some(self.value_actions(seat, stream)).filter(|best| *best > f64::from(WORST)).unwrap_or(0.0);
        let others = self.values.len() - 1;
        // As in the returns of a game, the others share the opposite.
        self.values.fill(-best / others.max(1) as f64);
        self.values[seat as usize] = best;
        if self.tree.is_full() {
            return None;
        }
        self.legal.clear();
        self.legal.extend(self.learned.iter().map(|(action, _)| *action));
        let node = self.tree.add(&self.legal);
        for (edge, (_, value)) in self.tree.nodes[node as usize].edges.iter_mut().zip(&self.learned) {
            edge.gain = *value;
        }
        Some(node)
    }

    /// Computes the learned value of each action for `seat`, which must decide, and returns the best.
    fn value_actions(&mut self, seat: u32, stream: &mut Stream) -> f64 {
        let Lookahead { turn, player, learned, line, seen, .. } = self;
        learned.clear();
        let mut see = |action, value: f32| {
            learned.push((action, value));
            widen(seen, value.into());
        };
        let (weights, nodes) = (&player.weights, &mut NODES.clone());
        let best = turn.search_line(weights, TRIAL, seat as usize, nodes, stream, line, &mut see);
        f64::from(best)
    }

    /// Adds the actions of this world that the node of an information set lacks, with their learned values.
    fn set_legal(&mut self, node: u32, seat: u32, stream: &mut Stream) {
        self.turn.trials.legal_actions(TRIAL, &mut self.legal);
        let first = self.tree.set_legal(node, &mut self.legal, stream);
        if first == self.tree.nodes[node as usize].edges.len() {
            return;
        }
        self.value_actions(seat, stream);
        for edge in &mut self.tree.nodes[node as usize].edges[first..] {
            if let Some((_, value)) = self.learned.iter().find(|(action, _)| *action == edge.action) {
                edge.gain = *value;
            }
        }
    }

    /// Returns the legal edge with the greatest upper confidence bound.
    fn pick(&self, node: u32, by_sight: bool) -> u32 {
        let edges = &self.tree.nodes[node as usize].edges;
        let may = |edge: &&Edge| !by_sight || self.tree.is_legal(edge);
        let visits: u32 = edges.iter().filter(may).map(|edge| edge.visits).sum();
        let log = f64::from(1 + visits).ln();
        let (low, high) = self.seen;
        let scale = match self.player.aim {
            Aim::Outcome => 1.0,
            Aim::Score | Aim::Lead | Aim::Payoff if high > low => 2.0 / (high - low),
            Aim::Score | Aim::Lead | Aim::Payoff => 1.0,
        };
        let mut best = (f64::NEG_INFINITY, 0);
        for (at, edge) in (0..).zip(edges).filter(|(_, edge)| may(edge)) {
            let worth = scale * worth(edge) + EXPLORATION * (log / f64::from(1 + edge.visits)).sqrt();
            if worth > best.0 {
                best = (worth, at);
            }
        }
        best.1
    }

    /// Sets the value of the simulation to that of the finished game.
    fn value_as_it_stands(&mut self) {
        let over = self.turn.trials.is_over(TRIAL);
        let lone = self.values.len() == 1;
        for seat in 0..self.values.len() {
            // A game that ends in an error of the rules counts as 0; a one-player game keeps its score.
            self.values[seat] = if over || lone { self.turn.end(TRIAL, seat).into() } else { 0.0 };
        }
        if let Some(value) = self.values.first() {
            widen(&mut self.seen, *value);
        }
    }

    /// Backpropagation: adds the value of the simulation to the edges of its path.
    fn add_values(&mut self) {
        for (node, edge, seat) in &self.path {
            self.tree.add_value(*node, *edge, self.values[*seat as usize]);
        }
    }

    /// Returns the root's edge with the most visits; after rollouts, the one with the greatest mean.
    fn best(&self) -> Option<&Edge> {
        let flat = self.method == SearchMethod::Flat;
        let key = |edge: &Edge| if flat { (0, edge.mean) } else { (edge.visits, worth(edge)) };
        let better = |a: &&Edge, b: &&Edge| {
            let (a, b) = (key(a), key(b));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
        };
        self.tree.nodes.first()?.edges.iter().max_by(better)
    }
}

/// Extends a range by a value. Ignores [`WORST`], which would distort the scale.
fn widen(seen: &mut (f64, f64), value: f64) {
    if value > f64::from(WORST) {
        *seen = (seen.0.min(value), seen.1.max(value));
    }
}

/// The mean value of an action. Its learned value counts as one simulation.
fn worth(edge: &Edge) -> f64 {
    (f64::from(edge.gain) + edge.total) / f64::from(1 + edge.visits)
}
