//! Monte Carlo search agents.
//!
//! `flat:N` plays equally many random playouts after each action. `mcts:N` searches the most promising actions
//! deeper (UCT: Kocsis and Szepesvári, <https://doi.org/10.1007/11871842_29>). Chance is sampled, and an action
//! that has led to different positions has a child node for each. In games without chance, decided positions are
//! solved (MCTS-Solver: Winands, Björnsson and Saito, <https://doi.org/10.1007/978-3-540-87608-3_3>).
//!
//! In a game with hidden information every simulation begins in a world: a determinization that agrees with all
//! that the seat has observed. `mcts:N` searches several worlds one after another. Each has its own tree below the
//! shared root. `ismcts:N` draws a world for each simulation, or for a few simulations if worlds are costly. Its
//! single tree has a node for each information set, as the agent's seat sees it (Cowling, Powley and Whitehouse,
//! <https://doi.org/10.1109/TCIAIG.2012.2200894>). `glance:N` does the same in worlds that agree only with what the seat sees
//! and knows now, which cost far less.
//!
//! If there are many actions, `mcts:N` uses progressive widening (see [`wide`]).
//!
//! The value of a simulation is the game's returns, or in a one-player game the score, negated if the least is
//! best. Scores and payoffs have no known range, so they are scaled by the values seen. With an evaluation script, a
//! simulation is cut off where the tree grows (with `flat:N` after a few random decisions) and has the script's value.

mod bounds;
mod positions;
mod wide;

use std::cmp::Ordering;

use super::script::{Scripted, leads};
use crate::agent::{
    Agent, Barred, Edge, SearchMethod, TRIALS_OF_ONE, Tree, no_world, or_random, shuffle, trials_of_a_world,
    worlds,
};
use bounds::{BoundScale, BoundTables};
use houserule_base::interrupt;
use houserule_base::rng::Stream;
use houserule_game::hidden::{View, Worlds};
use houserule_game::many::Playout;
use houserule_game::{ActionId, RuntimeError, RuntimeErrorKind, Seat};
use positions::KeptPositions;
use wide::Widening;

/// Exploration constant (UCB1), for values between -1 and 1.
const EXPLORATION: f64 = 1.0;

/// Truncation depth of `flat:N` playouts with a script, in random decisions. They make the simulations differ.
const BEFORE_JUDGED: u32 = 4;

/// A Monte Carlo search agent.
pub struct Search {
    name: String,
    method: SearchMethod,
    trials: u32,
    /// The script that evaluates simulations before the end of the game.
    judge: Option<Scripted>,
    /// The sum of the best leads that the script has found, and their number.
    judged: (f64, f64),
    /// The error of the script, if it failed.
    failed: Option<Box<RuntimeError>>,
    playout: Option<Playout>,
    tree: Tree,
    /// Whether values lie between -1 and 1: see [`Game::has_unit_values`](houserule_game::Game::has_unit_values).
    unit: bool,
    /// Otherwise, the smallest and the largest value of a simulation.
    seen: (f64, f64),
    /// The path of the simulation: node, edge, and the player who chose.
    path: Vec<(u32, u32, u32)>,
    legal: Vec<u32>,
    values: Vec<f64>,
    /// The state of progressive widening.
    wide: Widening,
    /// The positions of the tree's nodes, if actions always lead to the same position.
    positions: KeptPositions,
    bounds: BoundTables,
}

/// How the positions that follow one action are told apart.
#[derive(Clone, Copy, PartialEq)]
enum Apart {
    /// Not at all: an action always leads to the same position.
    Same,
    /// By the whole position.
    Position,
    /// By what the agent's seat sees.
    View,
}

impl Search {
    /// Makes an agent with this name, method and number of simulations, and perhaps an evaluation script.
    pub(super) fn new(name: String, method: SearchMethod, trials: u32, judge: Option<Scripted>) -> Search {
        Search {
            name,
            method,
            trials,
            judge,
            judged: (0.0, 0.0),
            failed: None,
            playout: None,
            tree: Tree::default(),
            unit: true,
            seen: (f64::INFINITY, f64::NEG_INFINITY),
            path: vec![],
            legal: vec![],
            values: vec![],
            wide: Widening::default(),
            positions: KeptPositions::default(),
            bounds: BoundTables::default(),
        }
    }
}

impl Agent for Search {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(&mut self, view: &mut View<'_>, stream: &mut Stream) -> Result<Option<ActionId>, RuntimeError> {
        let mut actions: Vec<u32> = view.legal_actions().iter().map(|action| action.0).collect();
        if let [] | [_] = actions.as_slice() {
            return Ok(actions.first().copied().map(ActionId));
        }
        let mut playout = match self.playout.take() {
            Some(playout) if playout.game().is(view.game()) => playout,
            _ => Playout::new(view.game()),
        };
        playout.reseed(stream.next_word());
        self.values.resize(view.game().players() as usize, 0.0);
        self.unit = view.game().has_unit_values();
        self.seen = (f64::INFINITY, f64::NEG_INFINITY);
        self.judged = (0.0, 0.0);
        self.tree.clear();
        // The actions of an information set can differ between visits, so its node isn't widened.
        let may = match self.method {
            SearchMethod::Flat => false,
            SearchMethod::Mcts => true,
            SearchMethod::Ismcts | SearchMethod::Glance => !view.game().hides(),
        };
        self.wide.begin(view.game(), actions.len(), may);
        if self.wide.on {
            self.tree.add_wide();
        } else {
            shuffle(&mut actions, stream);
            self.tree.add(&actions);
        }
        let searched = self.search(view, &mut playout, stream);
        self.playout = Some(playout);
        if let Err(error) = searched {
            return or_random(Err(error), view, &Barred::default(), stream);
        }
        if let Some(error) = self.failed.take() {
            return Err(*error);
        }
        Ok(self.best(view.seat()).map(|edge| ActionId(edge.action)))
    }

    fn copy(&self) -> Box<dyn Agent> {
        Box::new(Search::new(self.name.clone(), self.method, self.trials, self.judge.clone()))
    }
}

impl Search {
    fn search(
        &mut self,
        view: &View<'_>,
        playout: &mut Playout,
        stream: &mut Stream,
    ) -> Result<(), RuntimeError> {
        let (me, hides) = (view.seat(), view.game().hides());
        let apart = match playout.has_chance() {
            _ if hides && self.method.goes_by_sight() => Apart::View,
            true => Apart::Position,
            false => Apart::Same,
        };
        if apart == Apart::View {
            playout.look_as(me);
        }
        let mut worlds = worlds(view, &self.method.world_options())?;
        let of_one = self.trials_of_one(&worlds);
        for trial in 0..self.trials {
            interrupt::check();
            if trial == 0 || hides && trial % of_one == 0 {
                playout.begin_at(worlds.next(stream).map_err(|none| no_world(view, none))?);
                if trial > 0 && apart != Apart::View {
                    self.tree.keep_root();
                }
                playout.restart();
                self.tree.nodes[0].player = playout.current_player().map(|player| player as u8);
                self.positions.begin(playout);
                self.positions.keep(0, playout);
            }
            match self.method {
                SearchMethod::Flat => self.try_one(playout, me, trial, stream),
                SearchMethod::Mcts | SearchMethod::Ismcts | SearchMethod::Glance => {
                    self.try_deep(playout, apart, stream)
                }
            }
            if self.failed.is_some() || !hides && self.tree.nodes[0].is_solved() {
                break;
            }
        }
        if hides {
            // A proof holds only in the world in which it was found.
            self.tree.keep_root();
        }
        Ok(())
    }

    /// The number of simulations per world.
    fn trials_of_one(&self, worlds: &Worlds) -> u32 {
        let fewest = trials_of_a_world(worlds, self.trials);
        match self.method {
            SearchMethod::Mcts => fewest.max(TRIALS_OF_ONE),
            // Every action is tried in the same worlds.
            SearchMethod::Flat => fewest.next_multiple_of(self.tree.nodes[0].edges.len().max(1) as u32),
            SearchMethod::Ismcts | SearchMethod::Glance => fewest,
        }
    }

    /// Runs one `flat:N` simulation: takes an action of the root, then plays on.
    fn try_one(&mut self, playout: &mut Playout, me: Seat, trial: u32, stream: &mut Stream) {
        playout.restart();
        let edges = &self.tree.nodes[0].edges;
        let edge = trial as usize % edges.len();
        self.path.clear();
        self.path.push((0, edge as u32, me.0));
        // A game that ends with an error of the rules is valued as it stands.
        if playout.apply(edges[edge].action).is_ok() {
            self.play_on(playout, stream);
        }
        self.value(playout);
        self.add_values();
    }

    /// Plays random actions, to the end of the game or to where the script evaluates the simulation: with a tree,
    /// at once. A game that ends with an error of the rules stays as it was then.
    fn play_on(&self, playout: &mut Playout, stream: &mut Stream) {
        let _ = match (&self.judge, self.method) {
            (None, _) => playout.play_out(),
            (Some(_), SearchMethod::Flat) => playout.play_some(BEFORE_JUDGED, stream),
            (Some(_), SearchMethod::Mcts | SearchMethod::Ismcts | SearchMethod::Glance) => Ok(()),
        };
    }

    /// Runs one tree-search simulation: selection, expansion, playout and backpropagation.
    fn try_deep(&mut self, playout: &mut Playout, apart: Apart, stream: &mut Stream) {
        self.path.clear();
        let nodes = self.tree.nodes.len();
        let played = match apart {
            Apart::Same => self.follow_kept(playout, stream),
            Apart::Position | Apart::View => self.follow(playout, apart, stream),
        };
        if played {
            self.play_on(playout, stream);
            self.value(playout);
        }
        self.add_values();
        if self.tree.nodes.len() > nodes && self.tree.nodes[nodes].is_solved() {
            let (most, players) = (self.unit.then_some(1.0), self.values.len());
            let _ = self
                .path
                .iter()
                .rev()
                .all(|(node, _, player)| self.tree.solve(*node, *player, players, most));
        }
    }

    /// Selects actions down to a new position and adds a node. Returns `false` if the value needs no playout.
    fn follow(&mut self, playout: &mut Playout, apart: Apart, stream: &mut Stream) -> bool {
        playout.restart();
        let mut node = 0;
        while let Some(player) = playout.current_player() {
            if apart == Apart::View {
                playout.legal_actions(&mut self.legal);
                self.tree.set_legal(node, &mut self.legal, stream);
            }
            self.open(node, player, playout, stream);
            let edge = self.pick(node, player, apart);
            self.path.push((node, edge, player));
            let taken = &self.tree.nodes[node as usize].edges[edge as usize];
            if playout.apply(taken.action).is_err() {
                break;
            }
            let position = match apart {
                Apart::View => playout.view(),
                Apart::Position | Apart::Same => playout.position(),
            };
            let Some(child) = self.tree.outcomes.child(node, edge, position) else {
                if !self.tree.is_full() {
                    let child = self.grow(playout, apart, stream);
                    self.tree.outcomes.add(node, edge, position, child);
                }
                return true;
            };
            node = child;
        }
        self.value(playout);
        false
    }

    /// Like [`Search::follow`], where an action always leads to the same position. The positions of nodes are kept, so
    /// the playout goes on from the last node.
    fn follow_kept(&mut self, playout: &mut Playout, stream: &mut Stream) -> bool {
        let (mut node, mut is_there) = (0, false);
        while let Some(player) = self.tree.nodes[node as usize].player {
            let player = player.into();
            let at = &self.tree.nodes[node as usize];
            if at.wide || at.lacks_edges() {
                if !std::mem::replace(&mut is_there, true) {
                    self.positions.enter(node, playout);
                }
                self.open(node, player, playout, stream);
            }
            let edge = self.pick(node, player, Apart::Same);
            self.path.push((node, edge, player));
            let taken = &self.tree.nodes[node as usize].edges[edge as usize];
            let child = taken.child();
            if child.is_some_and(|child| self.positions.has(child)) {
                is_there = false;
            } else {
                if !std::mem::replace(&mut is_there, true) {
                    self.positions.enter(node, playout);
                }
                if playout.apply(taken.action).is_err() {
                    break;
                }
            }
            let Some(child) = child else {
                if !self.tree.is_full() {
                    let child = self.grow(playout, Apart::Same, stream);
                    self.tree.set_child(node, edge, child);
                    self.positions.keep(child, playout);
                }
                return true;
            };
            if let Some(solved) = self.tree.values(child, self.values.len()) {
                self.values.copy_from_slice(solved);
                return false;
            }
            node = child;
        }
        if !is_there {
            self.positions.enter(node, playout);
        }
        self.value(playout);
        false
    }

    /// Adds a node for the position of the simulation.
    fn grow(&mut self, playout: &mut Playout, apart: Apart, stream: &mut Stream) -> u32 {
        // An information set gets its edges as they turn out to be legal.
        let actions = if apart == Apart::View { 0 } else { playout.legal_count() };
        let node = if self.wide.on && actions as usize > wide::FEW {
            self.tree.add_wide()
        } else {
            self.tree.add_later(actions, stream)
        };
        if apart == Apart::Same {
            self.tree.nodes[node as usize].player = playout.current_player().map(|player| player as u8);
            if playout.is_over() {
                self.value(playout);
                self.tree.set_solved(node, &self.values);
            }
        }
        node
    }

    /// Makes the edges of a node ready to be picked from. The playout must be at its position.
    #[inline]
    fn open(&mut self, node: u32, player: u32, playout: &mut Playout, stream: &mut Stream) {
        let at = &self.tree.nodes[node as usize];
        if at.wide {
            self.widen(node, player, playout, stream);
        } else if at.lacks_edges() {
            playout.legal_actions(&mut self.legal);
            self.tree.fill_later(node, &mut self.legal);
        }
    }

    /// Opens as many actions of a node as its visits allow, in order of their priors.
    fn widen(&mut self, node: u32, player: u32, playout: &mut Playout, stream: &mut Stream) {
        let at = node as usize;
        if self.tree.nodes[at].edges.is_empty() {
            playout.legal_actions(&mut self.legal);
            shuffle(&mut self.legal, stream);
            self.tree.fill(node, &self.legal);
        }
        let visits = self.tree.nodes[at].visits;
        if !self.tree.nodes[at].ranked && self.wide.wants_gains(player, visits) {
            self.wide.compute_gains(player, playout, &mut self.tree.nodes[at]);
        }
        let width = Widening::width(visits);
        let wide = &self.wide;
        self.tree.widen(node, width, |edge| wide.promise(player, edge));
    }

    /// Returns the edge with the greatest upper confidence bound (UCB1) for a player.
    fn pick(&mut self, node: u32, player: u32, apart: Apart) -> u32 {
        let at = &self.tree.nodes[node as usize];
        let edges = at.open();
        let (low, high) = self.seen;
        let scale = BoundScale {
            values: if !self.unit && high > low { 2.0 / (high - low) } else { 1.0 },
            exploration: if at.wide { wide::EXPLORATION } else { EXPLORATION },
        };
        if apart == Apart::View {
            return self.pick_legal(node, scale);
        }
        // Edges are visited in their order at first.
        if at.visited < edges.len() as u32 {
            return at.visited;
        }
        let (tree, players) = (&self.tree, self.values.len());
        let solved = |edge: &Edge| Some(tree.solved(edge, players)?[player as usize] * scale.values);
        self.bounds.best(edges, at.visits.max(1), scale, at.has_solved_edges().then_some(solved))
    }

    /// Like [`Search::pick`], among the edges that are legal in the position of the playout. A bound takes only visits into
    /// account in which its action was legal.
    fn pick_legal(&mut self, node: u32, scale: BoundScale) -> u32 {
        let mut best = (f64::NEG_INFINITY, 0);
        for (at, edge) in (0..).zip(&self.tree.nodes[node as usize].edges) {
            if !self.tree.is_legal(edge) {
                continue;
            }
            let bound = match edge.visits {
                0 => f64::INFINITY,
                _ => scale.bound(edge, self.bounds.log(edge.available)[0]),
            };
            if bound > best.0 {
                best = (bound, at);
            }
        }
        best.1
    }

    /// Sets the value of the simulation as it stands.
    fn value(&mut self, playout: &mut Playout) {
        let scored = self.values.len() == 1 && !playout.game().pays();
        let judge = self.judge.take_if(|_| scored || !playout.is_over());
        let valued = match &judge {
            Some(judge) => self.judge(judge, playout),
            None => playout.values(&mut self.values),
        };
        if judge.is_some() {
            self.judge = judge;
        }
        if let Err(error) = valued {
            self.values.fill(0.0);
            // An error of the rules counts as 0. An error of the script is reported.
            if matches!(&error.kind, RuntimeErrorKind::Script(mistake) if mistake.file.is_some()) {
                self.failed = Some(error);
            }
        }
        if !self.unit {
            self.seen = self.values.iter().fold(self.seen, |(low, high), n| (low.min(*n), high.max(*n)));
        }
    }

    /// Has the script evaluate the simulation. In a game with payoffs its values are expected payoffs. Else their scale is
    /// unknown, so a lead of the average size counts as half a win.
    fn judge(&mut self, judge: &Scripted, playout: &mut Playout) -> Result<(), Box<RuntimeError>> {
        let scores = if judge.asks_scores() { playout.scores()? } else { vec![] };
        let values = judge.values(playout.game(), playout.live_words(), &scores)?;
        if playout.game().pays() {
            self.values.copy_from_slice(&values);
            return Ok(());
        }
        let leads = leads(&values);
        if let [value] = leads[..] {
            self.values[0] = value;
            return Ok(());
        }
        self.judged.0 += leads.iter().fold(0.0, |most: f64, lead| most.max(*lead));
        self.judged.1 += 1.0;
        let usual = self.judged.0 / self.judged.1;
        // As in the returns of a game, the losers share the loss.
        let losers = (leads.len() - 1) as f64;
        for (value, lead) in self.values.iter_mut().zip(leads) {
            *value = match lead {
                0.0 => 0.0,
                lead if lead < 0.0 => lead / (usual - lead) / losers,
                lead => lead / (usual + lead),
            };
        }
        Ok(())
    }

    /// Backpropagation: adds the value of the simulation to the edges of its path.
    fn add_values(&mut self) {
        for (node, edge, player) in &self.path {
            self.tree.add_value(*node, *edge, self.values[*player as usize]);
        }
    }

    /// Returns the best edge of the root. A proven win comes first and a proven loss last; then visits decide,
    /// then the mean value.
    fn best(&self, me: Seat) -> Option<&Edge> {
        let root = self.tree.nodes.first()?;
        let flat = self.method == SearchMethod::Flat;
        let decided = root.is_solved();
        let keys = |edge: &Edge| match self.tree.solved(edge, self.values.len()) {
            _ if flat => [0.0, 0.0, edge.mean],
            // As long as another action is open, a score or a payoff doesn't say whether it is the best.
            Some(values) if !self.unit && !decided => [0.0, f64::from(edge.visits), values[me.index()]],
            Some(values) => [values[me.index()], f64::from(edge.visits), 0.0],
            None => [0.0, f64::from(edge.visits), edge.mean],
        };
        let better = |a: &Edge, b: &Edge| keys(a).partial_cmp(&keys(b)).unwrap_or(Ordering::Equal);
        root.edges.iter().max_by(|a, b| better(a, b))
    }
}
