//! Agents that play on at random to see what an action is worth.
//!
//! `flat:N` tries every action as often. `mcts:N` goes deeper where it looks best (UCT: Kocsis and Szepesvári,
//! <https://doi.org/10.1007/11871842_29>); chance comes out as it does, and an action that was followed by
//! different positions has a node for each. Where nothing is left to chance, positions that are decided are
//! worked out (MCTS-Solver: Winands, Björnsson and Saito, <https://doi.org/10.1007/978-3-540-87608-3_3>).
//!
//! Of a game with hidden parts an agent knows what its seat knows: every trial begins in a world, a state that
//! agrees with all that the seat has observed. `mcts:N` searches some worlds one after another, each with a tree
//! of its own below the first action. `ismcts:N` draws one for each trial, or for each of a few where worlds
//! take some work, and its one tree has a node for what the seat sees (Cowling, Powley and Whitehouse, <https://doi.org/10.1109/TCIAIG.2012.2200894>).
//!
//! Where there are many actions, `mcts:N` opens them one by one (see [`wide`]).
//!
//! A trial is worth what a game of several players returns, or a lone player's score; where the least is best,
//! its opposite. With a script that judges
//! a trial ends where the tree grows (with `flat:N` after a few random decisions), and is worth what the script
//! says of it.

mod tree;
mod wide;

use std::cmp::Ordering;

use super::script::{Scripted, leads};
use super::{Agent, AgentKind, no_world, worlds};
use crate::engine::many::Playout;
use crate::engine::{ActionId, Player, RuntimeError, RuntimeErrorKind, View, Worlds};
use crate::interrupt;
use crate::rng::Stream;
pub(super) use tree::{Edge, Tree};
use tree::{Node, shuffle};
use wide::Wide;

/// How much what was seldom tried is preferred. Values lie between -1 and 1.
const EXPLORATION: f64 = 1.0;

/// Trials of a state that could be the real one, where each has a tree of its own.
pub(super) const TRIALS_OF_ONE: u32 = 50;

/// Worlds of a decision at the most, where they are samples of a chain.
const WORLDS: u32 = 200;

/// How many trials of a decision are made of one world at the least. Where a world takes some work, at most [`WORLDS`]
/// are drawn.
pub(super) fn trials_of_a_world(worlds: &Worlds, trials: u32) -> u32 {
    if worlds.is_exact() { 1 } else { trials.div_ceil(WORLDS) }
}

/// Random decisions of a trial before it is judged, where no tree makes trials different.
const BEFORE_JUDGED: u32 = 4;

/// Looks for the best action by so many trials.
pub struct Search {
    kind: AgentKind,
    trials: u32,
    /// Judges trials before their end.
    judge: Option<Scripted>,
    /// What it has judged: the leads of the best, added up, and how many.
    judged: (f64, f64),
    /// It went wrong.
    failed: Option<Box<RuntimeError>>,
    playout: Option<Playout>,
    tree: Tree,
    /// The smallest and the largest worth that a trial had.
    seen: (f64, f64),
    /// The node, the edge, and who chose it.
    path: Vec<(u32, u32, u32)>,
    legal: Vec<u32>,
    values: Vec<f64>,
    /// What is known of games of many actions.
    wide: Wide,
}

/// What tells positions apart that an action led to.
#[derive(Clone, Copy, PartialEq)]
enum Apart {
    /// Nothing: it always leads to the same.
    Same,
    /// How it came out.
    Position,
    /// What the agent's seat sees of it.
    View,
}

impl Search {
    /// Of a kind that makes trials.
    pub(super) fn new(kind: AgentKind, trials: u32, judge: Option<Scripted>) -> Search {
        Search {
            kind,
            trials,
            judge,
            judged: (0.0, 0.0),
            failed: None,
            playout: None,
            tree: Tree::default(),
            seen: (f64::INFINITY, f64::NEG_INFINITY),
            path: vec![],
            legal: vec![],
            values: vec![],
            wide: Wide::default(),
        }
    }
}

impl Agent for Search {
    fn name(&self) -> String {
        match &self.judge {
            Some(judge) => format!("{}:{}", self.kind, judge.name()),
            None => self.kind.to_string(),
        }
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
        self.seen = (f64::INFINITY, f64::NEG_INFINITY);
        self.judged = (0.0, 0.0);
        self.tree.clear();
        // What the seat sees of a position can have other actions the next time.
        let may = match self.kind {
            AgentKind::Mcts(_) => true,
            AgentKind::Ismcts(_) => !view.game().hides(),
            _ => false,
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
        searched?;
        if let Some(error) = self.failed.take() {
            return Err(*error);
        }
        Ok(self.best(view.seat()).map(|edge| ActionId(edge.action)))
    }

    fn copy(&self) -> Box<dyn Agent> {
        Box::new(Search::new(self.kind.clone(), self.trials, self.judge.clone()))
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
        let apart = match self.kind {
            AgentKind::Ismcts(_) if hides => Apart::View,
            _ if playout.has_chance() => Apart::Position,
            _ => Apart::Same,
        };
        if apart == Apart::View {
            playout.look_as(me);
        }
        let mut worlds = worlds(view)?;
        let of_one = self.trials_of_one(&worlds);
        playout.begin_at(worlds.next(stream).map_err(|none| no_world(view, none))?);
        for trial in 0..self.trials {
            interrupt::check();
            if hides && trial > 0 && trial % of_one == 0 {
                playout.begin_at(worlds.next(stream).map_err(|none| no_world(view, none))?);
                if apart != Apart::View {
                    self.tree.keep_root();
                }
            }
            playout.restart();
            match self.kind {
                AgentKind::Flat(_) => self.try_one(playout, me, trial, stream),
                _ => self.try_deep(playout, apart, stream),
            }
            if self.failed.is_some() || !hides && self.tree.nodes[0].solved.is_some() {
                break;
            }
        }
        Ok(())
    }

    /// How many trials are made of one world.
    fn trials_of_one(&self, worlds: &Worlds) -> u32 {
        let fewest = trials_of_a_world(worlds, self.trials);
        match self.kind {
            AgentKind::Mcts(_) => fewest.max(TRIALS_OF_ONE),
            // Every action is tried in the same worlds.
            AgentKind::Flat(_) => fewest.next_multiple_of(self.tree.nodes[0].edges.len().max(1) as u32),
            _ => fewest,
        }
    }

    /// Takes an action of the root, and plays on at random.
    fn try_one(&mut self, playout: &mut Playout, me: Player, trial: u32, stream: &mut Stream) {
        let edges = &self.tree.nodes[0].edges;
        let edge = trial as usize % edges.len();
        self.path.clear();
        self.path.push((0, edge as u32, me.0));
        // A game that the rules end by an error is worth what it was worth then.
        if playout.apply(edges[edge].action).is_ok() {
            self.play_on(playout, stream);
        }
        self.value(playout);
        self.note();
    }

    /// Plays on at random: to the end, or to where the trial is judged, which with a tree is where it grows. A
    /// game that the rules end by an error stays where it was then.
    fn play_on(&self, playout: &mut Playout, stream: &mut Stream) {
        let _ = match (&self.judge, &self.kind) {
            (None, _) => playout.play_out(),
            (Some(_), AgentKind::Flat(_)) => playout.play_some(BEFORE_JUDGED, stream),
            (Some(_), _) => Ok(()),
        };
    }

    /// Follows what looks best to a position that is new, and plays on at random.
    fn try_deep(&mut self, playout: &mut Playout, apart: Apart, stream: &mut Stream) {
        self.path.clear();
        if self.follow(playout, apart, stream) {
            self.play_on(playout, stream);
            self.value(playout);
        }
        self.note();
        if apart == Apart::Same {
            let most = (self.values.len() > 1).then_some(1.0);
            let _ = self.path.iter().rev().all(|(node, _, player)| self.tree.solve(*node, *player, most));
        }
    }

    /// Goes to a position that is new. False if what the trial is worth is known without playing on.
    fn follow(&mut self, playout: &mut Playout, apart: Apart, stream: &mut Stream) -> bool {
        let mut node = 0;
        while let Some(player) = playout.current_player() {
            if apart == Apart::View {
                playout.legal_actions(&mut self.legal);
                self.tree.open(node, &mut self.legal, stream);
            }
            if self.tree.nodes[node as usize].wide {
                self.widen(node, player, playout, stream);
            }
            let edge = self.pick(node, player, apart);
            self.path.push((node, edge, player));
            let taken = &self.tree.nodes[node as usize].edges[edge as usize];
            if playout.apply(taken.action).is_err() {
                break;
            }
            let position = match apart {
                Apart::Same => 0,
                Apart::Position => playout.position(),
                Apart::View => playout.view(),
            };
            let child = match apart {
                Apart::Same => taken.child,
                _ => self.tree.outcome(node, edge, position),
            };
            let Some(child) = child else {
                if self.tree.is_full() {
                    return true;
                }
                let child = self.grow(playout, apart, stream);
                match apart {
                    Apart::Same => self.tree.nodes[node as usize].edges[edge as usize].child = Some(child),
                    _ => self.tree.add_outcome(node, edge, position, child),
                }
                return true;
            };
            if let Some(solved) = &self.tree.nodes[child as usize].solved {
                self.values.copy_from_slice(solved);
                return false;
            }
            node = child;
        }
        self.value(playout);
        false
    }

    /// A node for the position of the trial.
    fn grow(&mut self, playout: &mut Playout, apart: Apart, stream: &mut Stream) -> u32 {
        self.legal.clear();
        if apart != Apart::View {
            playout.legal_actions(&mut self.legal);
        }
        let node = if self.wide.on && self.legal.len() > wide::FEW {
            self.tree.add_wide()
        } else {
            shuffle(&mut self.legal, stream);
            self.tree.add(&self.legal)
        };
        if apart == Apart::Same && playout.is_over() {
            self.value(playout);
            self.tree.nodes[node as usize].solved = Some(self.values.as_slice().into());
        }
        node
    }

    /// Opens as many actions of a position as its visits are worth, those first that gain most.
    fn widen(&mut self, node: u32, player: u32, playout: &mut Playout, stream: &mut Stream) {
        let at = node as usize;
        if self.tree.nodes[at].edges.is_empty() {
            playout.legal_actions(&mut self.legal);
            shuffle(&mut self.legal, stream);
            self.tree.fill(node, &self.legal);
        }
        let Node { edges, open, ranked, .. } = &self.tree.nodes[at];
        let visits: u32 = edges[..*open as usize].iter().map(|edge| edge.visits).sum();
        if !ranked && self.wide.wants_to_look(player, visits) {
            self.wide.look(player, playout, &mut self.tree.nodes[at]);
        }
        let open = Wide::open(visits);
        let wide = &self.wide;
        self.tree.widen(node, open, |edge| wide.promise(player, edge));
    }

    /// The edge that looks best to a player, with a bonus for what was seldom tried.
    fn pick(&self, node: u32, player: u32, apart: Apart) -> u32 {
        let Node { edges, open, wide, .. } = &self.tree.nodes[node as usize];
        let edges = if *wide { &edges[..*open as usize] } else { edges.as_slice() };
        let exploration = if *wide { wide::EXPLORATION } else { EXPLORATION };
        let visits: u32 = edges.iter().map(|edge| edge.visits).sum();
        let log = f64::from(visits.max(1)).ln();
        let (low, high) = self.seen;
        // Only a lone player's scores have a scale that is not known beforehand.
        let scale = if self.values.len() == 1 && high > low { 2.0 / (high - low) } else { 1.0 };
        let worth = |edge: &Edge| {
            if let Some(values) = self.tree.solved(edge) {
                return values[player as usize] * scale;
            }
            if edge.visits == 0 {
                return f64::INFINITY;
            }
            let log = if apart == Apart::View { f64::from(edge.available).ln() } else { log };
            edge.mean() * scale + exploration * (log / f64::from(edge.visits)).sqrt()
        };
        let mut best = (f64::NEG_INFINITY, 0);
        for (at, edge) in edges.iter().enumerate() {
            if apart == Apart::View && !self.tree.is_open(edge) {
                continue;
            }
            let worth = worth(edge);
            if worth > best.0 {
                best = (worth, at as u32);
            }
        }
        best.1
    }

    /// What the trial is worth as it stands.
    fn value(&mut self, playout: &mut Playout) {
        let lone = self.values.len() == 1;
        let judge = self.judge.take_if(|_| lone || !playout.is_over());
        let valued = match &judge {
            Some(judge) => self.judge(judge, playout),
            None => playout.values(&mut self.values),
        };
        if judge.is_some() {
            self.judge = judge;
        }
        if let Err(error) = valued {
            self.values.fill(0.0);
            // Of a game that fails nothing more is said, of a script that does all.
            if matches!(&error.kind, RuntimeErrorKind::Script(mistake) if mistake.file.is_some()) {
                self.failed = Some(error);
            }
        }
        if let [score] = self.values.as_slice() {
            self.seen = (self.seen.0.min(*score), self.seen.1.max(*score));
        }
    }

    /// Has a trial judged that is not over. The scale of a script is not known: a lead as large as those that
    /// were met on average is worth half a win.
    fn judge(&mut self, judge: &Scripted, playout: &mut Playout) -> Result<(), Box<RuntimeError>> {
        let scores = if judge.asks_scores() { playout.scores()? } else { vec![] };
        let leads = leads(&judge.values(playout.game(), playout.live_words(), &scores)?);
        if let [value] = leads[..] {
            self.values[0] = value;
            return Ok(());
        }
        self.judged.0 += leads.iter().fold(0.0, |most: f64, lead| most.max(*lead));
        self.judged.1 += 1.0;
        let usual = self.judged.0 / self.judged.1;
        // As in what games return, those who lose share the loss.
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

    /// Notes along the path what came of it.
    fn note(&mut self) {
        for (node, edge, player) in &self.path {
            let edge = &mut self.tree.nodes[*node as usize].edges[*edge as usize];
            edge.visits += 1;
            edge.total += self.values[*player as usize];
        }
    }

    /// The action to take: what is known to be won and not what is known to be lost, then what was tried
    /// most, then what was worth most.
    fn best(&self, me: Player) -> Option<&Edge> {
        let root = self.tree.nodes.first()?;
        let flat = matches!(self.kind, AgentKind::Flat(_));
        let keys = |edge: &Edge| match self.tree.solved(edge) {
            _ if flat => [0.0, 0.0, edge.mean()],
            // A lone player's scores have no sign that says so.
            Some([score]) => [0.0, f64::from(edge.visits), *score],
            Some(values) => [values[me.0 as usize], f64::from(edge.visits), 0.0],
            None => [0.0, f64::from(edge.visits), edge.mean()],
        };
        let better = |a: &Edge, b: &Edge| keys(a).partial_cmp(&keys(b)).unwrap_or(Ordering::Equal);
        root.edges.iter().max_by(|a, b| better(a, b))
    }
}
