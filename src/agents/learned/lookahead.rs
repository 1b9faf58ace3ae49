//! Searches that are led by learned values: `mcts:N:learned` and `ismcts:N:learned` judge the positions of their tree
//! by them, and `flat:N:learned` has games played on by them (rollouts: Tesauro and Galperin 1996).
//!
//! An action is worth what was learned of the state that it leads to, until it is tried; its value counts as one trial.
//! A trial ends at a position that is new, and is worth what the best action there is worth to whoever is to decide.
//! Of several players the others share the opposite. Chance comes out as it does, and worlds are those of the other
//! searches.

use std::sync::Arc;

use super::turn::{Aim, Turn, WORST};
use super::{Learned, NODES};
use crate::agents::search::{Edge, TRIALS_OF_ONE, Tree, trials_of_a_world};
use crate::agents::{Agent, AgentKind, no_world, worlds};
use crate::engine::{ActionId, Game, RuntimeError, View, Worlds};
use crate::interrupt;
use crate::rng::Stream;

/// How much is tried that was seldom tried. Values lie between -1 and 1, and are not as far off as those of random
/// games.
const EXPLORATION: f64 = 0.25;

/// Decisions of a game that is played on.
const DECISIONS: usize = 3000;

/// Where trials begin, and where they are made.
const ROOT: usize = 0;
const TRIAL: usize = 1;

/// Looks ahead by so many trials.
pub(in crate::agents) struct Lookahead {
    kind: AgentKind,
    /// What the player is called.
    by: String,
    trials: u32,
    player: Arc<Learned>,
    turn: Turn,
    tree: Tree,
    /// The smallest and the largest value that was met.
    seen: (f64, f64),
    /// What a trial is worth to each player.
    values: Vec<f64>,
    /// The node, the edge, and who chose it.
    path: Vec<(u32, u32, u32)>,
    legal: Vec<u32>,
    line: Vec<u32>,
    /// By action of the position that is looked at: its learned value.
    learned: Vec<(u32, f32)>,
}

impl Lookahead {
    /// Of a kind that makes trials.
    pub(in crate::agents) fn new(kind: AgentKind, player: &Arc<Learned>, game: &Game, by: &str) -> Lookahead {
        let turn = Turn::new(game, &player.plan, player.aim);
        Lookahead::with(kind, by.to_owned(), Arc::clone(player), turn)
    }

    fn with(kind: AgentKind, by: String, player: Arc<Learned>, turn: Turn) -> Lookahead {
        let players = turn.trials.game().players() as usize;
        Lookahead {
            trials: kind.trials().unwrap_or(1),
            kind,
            by,
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
        format!("{}:{}", self.kind, self.by)
    }

    fn choose(&mut self, view: &mut View<'_>, stream: &mut Stream) -> Result<Option<ActionId>, RuntimeError> {
        let actions: Vec<u32> = view.legal_actions().iter().map(|action| action.0).collect();
        if let [] | [_] = actions.as_slice() {
            return Ok(actions.first().copied().map(ActionId));
        }
        self.tree.clear();
        self.seen = (f64::INFINITY, f64::NEG_INFINITY);
        self.turn.trials.reseed(TRIAL, stream.next_word());
        let mut worlds = worlds(view)?;
        if let AgentKind::Flat(_) = self.kind {
            self.play_on_from(&actions, view, &mut worlds, stream)?;
        } else {
            self.search(view, &mut worlds, stream)?;
        }
        Ok(self.best().map(|edge| ActionId(edge.action)))
    }

    fn copy(&self) -> Box<dyn Agent> {
        let (by, player) = (self.by.clone(), Arc::clone(&self.player));
        Box::new(Lookahead::with(self.kind.clone(), by, player, self.turn.more()))
    }
}

impl Lookahead {
    /// Loads a world to make trials in.
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

    /// Plays games on after every action, as often after each, on the same chance and in the same worlds.
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
                self.note();
            }
        }
        Ok(())
    }

    /// Everybody plays by what was learned.
    fn play_on(&mut self, stream: &mut Stream) {
        for _ in 0..DECISIONS {
            let Some(seat) = self.turn.trials.current_player(TRIAL) else { break };
            let (weights, nodes) = (&self.player.weights, &mut NODES.clone());
            self.turn.best(weights, TRIAL, seat as usize, nodes, stream, &mut self.line);
            let Some(action) = self.line.first() else { break };
            if self.turn.trials.play(TRIAL, *action).is_err() {
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
        // One tree of what the seat sees, or one for each world.
        let by_sight = hides && matches!(self.kind, AgentKind::Ismcts(_));
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
            self.note();
        }
        Ok(())
    }

    /// Follows what looks best to a position that is new or the last one.
    fn try_one(&mut self, by_sight: bool, stream: &mut Stream) {
        self.path.clear();
        let mut node = 0;
        while let Some(seat) = self.turn.trials.current_player(TRIAL) {
            if by_sight {
                self.open(node, seat, stream);
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
            match self.tree.outcome(node, edge, position) {
                Some(child) => node = child,
                None => {
                    let child = self.grow(next, stream);
                    if let Some(child) = child {
                        self.tree.add_outcome(node, edge, position, child);
                    }
                    return;
                }
            }
        }
        self.value_as_it_stands();
    }

    /// A node for the position of the trial, in which a seat is to decide, unless the tree is full, and what the
    /// position is worth.
    fn grow(&mut self, seat: u32, stream: &mut Stream) -> Option<u32> {
        // What the rules end by an error in every way is worth nothing to anybody, as a trial that they end is.
        let best = Some(self.weigh(seat, stream)).filter(|best| *best > f64::from(WORST)).unwrap_or(0.0);
        let others = self.values.len() - 1;
        // As in what games return, the others share the opposite.
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

    /// What each action of the trial's position is worth to a seat that is to decide, and what the best one is.
    fn weigh(&mut self, seat: u32, stream: &mut Stream) -> f64 {
        let Lookahead { turn, player, learned, line, seen, .. } = self;
        learned.clear();
        let at = (TRIAL, seat as usize);
        let best = turn.weigh(&player.weights, at, &mut NODES.clone(), stream, line, &mut |action, value| {
            learned.push((action, value));
            widen(seen, value.into());
        });
        f64::from(best)
    }

    /// Makes sure that a node of what a seat sees has the actions of this world, and learned values of new ones.
    fn open(&mut self, node: u32, seat: u32, stream: &mut Stream) {
        self.turn.trials.legal_actions(TRIAL, &mut self.legal);
        let first = self.tree.open(node, &mut self.legal, stream);
        if first == self.tree.nodes[node as usize].edges.len() {
            return;
        }
        self.weigh(seat, stream);
        for edge in &mut self.tree.nodes[node as usize].edges[first..] {
            if let Some((_, value)) = self.learned.iter().find(|(action, _)| *action == edge.action) {
                edge.gain = *value;
            }
        }
    }

    /// The edge that looks best to who decides.
    fn pick(&self, node: u32, by_sight: bool) -> u32 {
        let edges = &self.tree.nodes[node as usize].edges;
        let may = |edge: &&Edge| !by_sight || self.tree.is_open(edge);
        let visits: u32 = edges.iter().filter(may).map(|edge| edge.visits).sum();
        let log = f64::from(1 + visits).ln();
        let (low, high) = self.seen;
        let scale = match self.player.aim {
            Aim::Outcome => 1.0,
            Aim::Score | Aim::Lead if high > low => 2.0 / (high - low),
            Aim::Score | Aim::Lead => 1.0,
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

    /// What the trial is worth as it stands: what a game that is over came to.
    fn value_as_it_stands(&mut self) {
        let over = self.turn.trials.is_over(TRIAL);
        let lone = self.values.len() == 1;
        for seat in 0..self.values.len() {
            // A game that the rules end by an error is worth nothing to anybody but a lone player.
            self.values[seat] = if over || lone { self.turn.end(TRIAL, seat).into() } else { 0.0 };
        }
        if let Some(value) = self.values.first() {
            widen(&mut self.seen, *value);
        }
    }

    /// Notes along the path what came of it.
    fn note(&mut self) {
        for (node, edge, seat) in &self.path {
            let edge = &mut self.tree.nodes[*node as usize].edges[*edge as usize];
            edge.visits += 1;
            edge.total += self.values[*seat as usize];
        }
    }

    /// What was tried most; of games that were played on what was worth most.
    fn best(&self) -> Option<&Edge> {
        let flat = matches!(self.kind, AgentKind::Flat(_));
        let key = |edge: &Edge| if flat { (0, edge.mean()) } else { (edge.visits, worth(edge)) };
        let better = |a: &&Edge, b: &&Edge| {
            let (a, b) = (key(a), key(b));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
        };
        self.tree.nodes.first()?.edges.iter().max_by(better)
    }
}

/// Takes a value into the smallest and the largest. What the rules end by an error is no measure of the others.
fn widen(seen: &mut (f64, f64), value: f64) {
    if value > f64::from(WORST) {
        *seen = (seen.0.min(value), seen.1.max(value));
    }
}

/// What an action has been worth on the average, where what was learned of it counts as one trial.
fn worth(edge: &Edge) -> f64 {
    (f64::from(edge.gain) + edge.total) / f64::from(1 + edge.visits)
}
