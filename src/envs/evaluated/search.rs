//! The search of one decision, which stops at its leaves.

use super::leaves::{LeafBatch, LeafWriter};
use super::tree::{PriorEdge, PriorTree, Weighing};
use super::{LeafAnswers, SearchSettings, TreeKind};
use houserule_base::interrupt;
use houserule_base::rng::Stream;
use houserule_game::hidden::{View, WorldOptions, Worlds};
use houserule_game::many::Playout;
use houserule_game::{ActionId, RuntimeError, Seat, State};
use houserule_model::ScoreDirection;
use houserule_players::agent::{TRIALS_OF_ONE, no_world, trials_of_a_world, worlds};
use rand::RngExt;

/// The share of noise in the priors of the root.
const NOISE: f64 = 0.25;

/// How the positions that follow one action are told apart.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ChildKey {
    /// Not at all: an action always leads to the same position.
    None,
    /// By the whole position.
    Position,
    /// By what the searching seat sees.
    View,
}

/// A leaf that waits for its evaluation.
#[derive(Debug)]
struct WaitingLeaf {
    /// Its node; `None` in a full tree.
    node: Option<u32>,
    /// The player who decides there.
    player: u32,
    path: Path,
}

/// A simulation below the root: node, edge, and the player who chose.
type Path = Vec<(u32, u32, u32)>;

/// Where a simulation has stopped.
enum LeafStop {
    /// At a position to be evaluated.
    Leaf { node: Option<u32>, player: u32 },
    /// At the end of the game.
    End,
    /// At a leaf that waits for its evaluation already.
    Waiting,
}

/// The search of one decision. [`LeafSearch::collect`] and [`LeafSearch::answer`] alternate until there are no leaves.
#[derive(Debug)]
pub(super) struct LeafSearch {
    settings: SearchSettings,
    seat: Seat,
    direction: ScoreDirection,
    key: ChildKey,
    worlds: Worlds,
    /// The world of the simulations, if it serves for several calls.
    world: Option<State>,
    /// The number of simulations per world, and how many are left in this one.
    of_one: u32,
    left: u32,
    stream: Stream,
    tree: PriorTree,
    /// The number of simulations that were begun and not given up.
    begun: u32,
    waiting: Vec<WaitingLeaf>,
    /// Whether values lie between -1 and 1: see [`Game::has_unit_values`](houserule_game::Game::has_unit_values).
    unit: bool,
    /// Whether the value of a lone player is a score.
    scored: bool,
    /// If values have no known range, the smallest and the largest so far.
    seen: (f64, f64),
    path: Path,
    legal: Vec<u32>,
    values: Vec<f64>,
}

impl LeafSearch {
    /// Begins the search of a decision of the view's seat. All its chance comes from `stream`.
    pub(super) fn new(
        view: &View<'_>,
        settings: SearchSettings,
        stream: Stream,
    ) -> Result<LeafSearch, RuntimeError> {
        let game = view.game();
        let hides = game.hides();
        let key = match settings.tree {
            TreeKind::Ismcts if hides => ChildKey::View,
            TreeKind::Mcts | TreeKind::Ismcts => match game.program().uses_chance {
                true => ChildKey::Position,
                false => ChildKey::None,
            },
        };
        let worlds = worlds(view, &WorldOptions::default())?;
        let fewest = trials_of_a_world(&worlds, settings.simulations);
        let of_one = match key {
            _ if !hides => u32::MAX,
            ChildKey::View => fewest,
            ChildKey::None | ChildKey::Position => fewest.max(TRIALS_OF_ONE),
        };
        let mut search = LeafSearch {
            settings,
            seat: view.seat(),
            direction: game.model().score_direction,
            key,
            worlds,
            world: None,
            of_one,
            left: 0,
            stream,
            tree: PriorTree::default(),
            begun: 0,
            waiting: vec![],
            unit: game.has_unit_values(),
            scored: game.players() == 1 && !game.pays(),
            seen: (f64::INFINITY, f64::NEG_INFINITY),
            path: vec![],
            legal: view.legal_actions().iter().map(|action| action.0).collect(),
            values: vec![0.0; game.players() as usize],
        };
        search.turn_actions();
        search.tree.add(&search.legal);
        // The first world isn't drawn before the root is evaluated: the seat sees the same in all of them.
        Ok(search)
    }

    /// Rotates the legal actions by a random number, so that equal actions are tried in no fixed order.
    fn turn_actions(&mut self) {
        if self.legal.len() > 1 {
            let by = self.stream.below(self.legal.len() as u64) as usize;
            self.legal.rotate_left(by);
        }
    }

    /// Runs simulations up to the next leaves and appends these to `batch`. Returns their number: 0 if the search is
    /// over. The playout is that of the game; nothing of it is kept.
    pub(super) fn collect(
        &mut self,
        view: &View<'_>,
        playout: &mut Playout,
        writer: &mut LeafWriter,
        batch: &mut LeafBatch,
    ) -> Result<usize, RuntimeError> {
        if self.begun >= self.settings.simulations && !self.tree.nodes[0].is_waiting {
            // How often a finished search is called depends on the others, so it draws nothing.
            return Ok(0);
        }
        playout.reseed(self.stream.next_word());
        if self.key == ChildKey::View {
            playout.look_as(self.seat);
        }
        self.begin_world(view, playout)?;
        if self.tree.nodes[0].is_waiting {
            playout.restart();
            writer.add(playout, batch);
            self.waiting.push(WaitingLeaf { node: Some(0), player: self.seat.0, path: vec![] });
            return Ok(1);
        }
        let mut given_up: Vec<Path> = vec![];
        let mut tries = 0;
        while self.begun < self.settings.simulations && tries < self.settings.leaves {
            interrupt::check();
            if self.left == 0 {
                if !self.waiting.is_empty() && self.key != ChildKey::View {
                    // The leaves belong to the tree of the last world.
                    break;
                }
                self.begin_world(view, playout)?;
            }
            playout.restart();
            match self.follow(playout) {
                LeafStop::Leaf { node, player } => {
                    writer.add(playout, batch);
                    let path = std::mem::take(&mut self.path);
                    self.waiting.push(WaitingLeaf { node, player, path });
                }
                LeafStop::End => {
                    self.value_end(playout);
                    let path = std::mem::take(&mut self.path);
                    self.back_up(&path);
                    self.path = path;
                }
                LeafStop::Waiting => {
                    // It counts as a loss until the end of this call, so that the next one goes elsewhere.
                    given_up.push(std::mem::take(&mut self.path));
                    tries += 1;
                    continue;
                }
            }
            self.begun += 1;
            self.left -= 1;
            // Ends need no evaluation: they may go on until there is a leaf.
            tries += u32::from(!self.waiting.is_empty());
        }
        for (node, edge, _) in given_up.into_iter().flatten() {
            self.edge(node, edge).pending -= 1;
        }
        Ok(self.waiting.len())
    }

    /// Moves the playout to the world of the next simulations.
    fn begin_world(&mut self, view: &View<'_>, playout: &mut Playout) -> Result<(), RuntimeError> {
        if self.left > 0
            && let Some(world) = &self.world
        {
            playout.begin_at(world);
            return Ok(());
        }
        // Before the first simulation, the root has no children yet.
        if self.begun > 0 && self.key != ChildKey::View {
            self.tree.keep_root();
        }
        let world = self.worlds.next(&mut self.stream).map_err(|none| no_world(view, none))?;
        playout.begin_at(world);
        self.left = self.of_one;
        self.world = (self.of_one > 1).then(|| world.clone());
        Ok(())
    }

    fn edge(&mut self, node: u32, edge: u32) -> &mut PriorEdge {
        &mut self.tree.nodes[node as usize].edges[edge as usize]
    }

    /// Selects actions down to a leaf or to the end of the game. The edges of the path are pending then.
    fn follow(&mut self, playout: &mut Playout) -> LeafStop {
        self.path.clear();
        let mut node = 0;
        while let Some(player) = playout.current_player() {
            if self.tree.nodes[node as usize].is_waiting {
                return LeafStop::Waiting;
            }
            if self.key == ChildKey::View {
                playout.legal_actions(&mut self.legal);
                if !self.tree.set_legal(node, &self.legal) {
                    // In this world, actions are legal that had no priors in the worlds before.
                    self.tree.nodes[node as usize].is_waiting = true;
                    return LeafStop::Leaf { node: Some(node), player };
                }
            }
            let edge = self.tree.pick(node, self.weighing());
            self.path.push((node, edge, player));
            let taken = self.edge(node, edge);
            taken.pending += 1;
            let (action, only_child) = (taken.action, taken.child);
            // A game that ends with an error of the rules is valued as it stands.
            if playout.apply(action).is_err() {
                return LeafStop::End;
            }
            let position = match self.key {
                ChildKey::None => 0,
                ChildKey::Position => playout.position(),
                ChildKey::View => playout.view(),
            };
            let child = match self.key {
                ChildKey::None => only_child,
                ChildKey::Position | ChildKey::View => self.tree.outcomes.child(node, edge, position),
            };
            if let Some(child) = child {
                node = child;
                continue;
            }
            let Some(player) = playout.current_player() else { break };
            if self.tree.is_full() {
                return LeafStop::Leaf { node: None, player };
            }
            playout.legal_actions(&mut self.legal);
            self.turn_actions();
            let child = self.tree.add(&self.legal);
            match self.key {
                ChildKey::None => self.edge(node, edge).child = Some(child),
                ChildKey::Position | ChildKey::View => self.tree.outcomes.add(node, edge, position, child),
            }
            return LeafStop::Leaf { node: Some(child), player };
        }
        LeafStop::End
    }

    /// Scores of a one-player game and payoffs have no known range: they are scaled to the range seen.
    fn weighing(&self) -> Weighing {
        let exploration = self.settings.exploration;
        let (low, high) = self.seen;
        match self.unit {
            false if high > low => Weighing { exploration, least: low, scale: 2.0 / (high - low) },
            false => Weighing { exploration, least: 0.0, scale: 0.0 },
            true => Weighing { exploration, least: -1.0, scale: 1.0 },
        }
    }

    /// Sets the values of a simulation that came to an end.
    fn value_end(&mut self, playout: &mut Playout) {
        if playout.values(&mut self.values).is_err() {
            self.values.fill(0.0);
        }
    }

    /// Expands the leaves of the last [`LeafSearch::collect`] with their answers, which begin at `row`.
    pub(super) fn answer(&mut self, answers: &LeafAnswers, row: usize) {
        let waiting = std::mem::take(&mut self.waiting);
        for (row, leaf) in (row..).zip(&waiting) {
            let players = self.values.len();
            match (answers.values_of(row), self.values.as_mut_slice()) {
                ([score], [lone]) if self.scored => *lone = self.direction.worth(f64::from(*score)),
                ([value], values) => {
                    values.fill(-f64::from(*value));
                    values[leaf.player as usize] = f64::from(*value);
                }
                (given, values) => {
                    for (after, value) in given.iter().enumerate() {
                        values[(leaf.player as usize + after) % players] = f64::from(*value);
                    }
                }
            }
            if let Some(node) = leaf.node {
                let value = self.values[leaf.player as usize];
                let node = &mut self.tree.nodes[node as usize];
                node.set_priors(answers.priors_of(row));
                (node.is_waiting, node.value) = (false, value);
            }
            match leaf.path.is_empty() {
                // The evaluation of the root is no simulation.
                true => self.note_seen(),
                false => self.back_up(&leaf.path),
            }
            if let (true, Some(alpha)) = (leaf.path.is_empty(), self.settings.noise) {
                self.add_noise(alpha);
            }
        }
    }

    fn note_seen(&mut self) {
        if !self.unit {
            self.seen = self.values.iter().fold(self.seen, |(low, high), n| (low.min(*n), high.max(*n)));
        }
    }

    /// Adds the values of a simulation to the edges of its path.
    fn back_up(&mut self, path: &Path) {
        self.note_seen();
        for (node, edge, player) in path {
            let edge = &mut self.tree.nodes[*node as usize].edges[*edge as usize];
            edge.pending -= 1;
            edge.visits += 1;
            edge.total += self.values[*player as usize];
        }
    }

    /// Mixes Dirichlet noise into the priors of the root.
    fn add_noise(&mut self, alpha: f64) {
        let count = self.tree.nodes[0].edges.len();
        let noise: Vec<f64> = (0..count).map(|_| gamma(alpha, &mut self.stream)).collect();
        let sum: f64 = noise.iter().sum();
        for (edge, noise) in self.tree.nodes[0].edges.iter_mut().zip(noise) {
            // For a very small alpha all of them can be 0.
            let share = if sum > 0.0 { noise / sum } else { 1.0 / count as f64 };
            edge.prior = ((1.0 - NOISE) * f64::from(edge.prior) + NOISE * share) as f32;
        }
    }

    /// Returns the share of the visits of each action of the root.
    pub(super) fn policy(&self) -> Vec<(ActionId, f32)> {
        let edges = &self.tree.nodes[0].edges;
        let visits: u32 = edges.iter().map(|edge| edge.visits).sum();
        let share = |edge: &PriorEdge| match visits {
            0 => edge.prior,
            _ => (f64::from(edge.visits) / f64::from(visits)) as f32,
        };
        edges.iter().map(|edge| (ActionId(edge.action), share(edge))).collect()
    }

    /// Returns the mean value of the simulations for the seat that decides: an expected return, or in a one-player
    /// game a score.
    pub(super) fn value(&self) -> f64 {
        let edges = &self.tree.nodes[0].edges;
        let visits: u32 = edges.iter().map(|edge| edge.visits).sum();
        let value = match visits {
            0 => self.tree.nodes[0].value,
            _ => edges.iter().map(|edge| edge.total).sum::<f64>() / f64::from(visits),
        };
        if self.scored { self.direction.worth(value) } else { value }
    }

    /// Chooses an action: the most visited one, of several the one with the best value; or, with a temperature, one
    /// drawn by its visits.
    pub(super) fn choose(&mut self) -> Option<ActionId> {
        let edges = &self.tree.nodes[0].edges;
        let most = edges.iter().map(|edge| edge.visits).max()?;
        if self.settings.temperature == 0.0 || most == 0 {
            let mean = |edge: &PriorEdge| edge.total / f64::from(edge.visits.max(1));
            let best = edges.iter().max_by(|a, b| {
                let visits = a.visits.cmp(&b.visits);
                visits.then(mean(a).total_cmp(&mean(b))).then(a.prior.total_cmp(&b.prior))
            });
            return best.map(|edge| ActionId(edge.action));
        }
        let power = 1.0 / self.settings.temperature;
        let weight = |edge: &PriorEdge| (f64::from(edge.visits) / f64::from(most)).powf(power);
        let sum: f64 = edges.iter().map(weight).sum();
        let mut left = self.stream.random::<f64>() * sum;
        let drawn = edges.iter().filter(|edge| edge.visits > 0).find(|edge| {
            left -= weight(edge);
            left < 0.0
        });
        let last = || edges.iter().rfind(|edge| edge.visits == most);
        drawn.or_else(last).map(|edge| ActionId(edge.action))
    }
}

/// Draws from a gamma distribution (Marsaglia and Tsang, <https://doi.org/10.1145/358407.358414>).
fn gamma(shape: f64, stream: &mut Stream) -> f64 {
    if shape < 1.0 {
        let uniform = 1.0 - stream.random::<f64>();
        return gamma(shape + 1.0, stream) * uniform.powf(1.0 / shape);
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        // Box and Muller.
        let radius = (-2.0 * (1.0 - stream.random::<f64>()).ln()).sqrt();
        let normal = radius * (std::f64::consts::TAU * stream.random::<f64>()).cos();
        let v = (1.0 + c * normal).powi(3);
        let uniform = 1.0 - stream.random::<f64>();
        if v > 0.0 && uniform.ln() < 0.5 * normal * normal + d - d * v + d * v.ln() {
            return d * v;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gamma_draws_have_the_mean_and_the_variance_of_their_shape() {
        let mut stream = Stream::new(1, 2, 3);
        for shape in [0.3, 1.0, 4.0] {
            let draws: Vec<f64> = (0..40_000).map(|_| gamma(shape, &mut stream)).collect();
            let mean = draws.iter().sum::<f64>() / draws.len() as f64;
            let variance = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / draws.len() as f64;
            assert!((mean - shape).abs() < 0.05 * shape.max(0.5), "{shape}: mean {mean}");
            assert!((variance - shape).abs() < 0.1 * shape.max(0.5), "{shape}: variance {variance}");
        }
    }
}
