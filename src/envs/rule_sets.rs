//! Rule sets: which of several games each episode of an environment plays.

use houserule_base::numbers::counted;
use std::sync::Arc;

use super::options::EnvError;
use houserule_base::rng::Stream;
use houserule_game::Game;
use houserule_game::observe::SharedLayout;

/// Maximum number of rule sets.
const MOST: usize = 100_000;

/// Chooses the rule set of an episode: from a seed, the index of the episode since that seed, and the environment. An
/// error stops the step or reset before anything has changed.
pub type RuleFunction = Arc<dyn Fn(u64, u64, usize) -> Result<usize, String> + Send + Sync>;

/// How the rule set of an episode is chosen.
#[derive(Clone)]
pub enum RuleChoice {
    /// Drawn with these weights, one for each rule set, from the seed and the index of the episode.
    Weights(Vec<f64>),
    /// Always the same: the first environments play the first rule set, and so on in equal slices.
    Slices,
    /// By a function. It is called on the thread of the caller before a step, at most one episode ahead.
    Function(RuleFunction),
}

/// Several rule sets for environments.
#[derive(Clone)]
pub struct RuleOptions {
    /// The games: one for each rule set, at least one.
    pub games: Vec<Game>,
    /// How the rule set of an episode is chosen.
    pub choice: RuleChoice,
    /// Whether observations show which rules are played.
    pub show: bool,
}

impl RuleOptions {
    /// Rule sets drawn uniformly at random, shown in observations.
    pub fn uniform(games: Vec<Game>) -> RuleOptions {
        RuleOptions { choice: RuleChoice::Weights(vec![1.0; games.len()]), games, show: true }
    }
}

/// What environments play: a game, or several rule sets.
#[derive(Clone, Copy)]
pub enum EnvRules<'r> {
    /// A game.
    One(&'r Game),
    /// Several rule sets.
    Several(&'r RuleOptions),
}

impl<'r> From<&'r Game> for EnvRules<'r> {
    fn from(game: &'r Game) -> EnvRules<'r> {
        EnvRules::One(game)
    }
}

impl<'r> From<&'r RuleOptions> for EnvRules<'r> {
    fn from(rules: &'r RuleOptions) -> EnvRules<'r> {
        EnvRules::Several(rules)
    }
}

/// The rule sets of a vector.
#[derive(Clone)]
pub(super) struct RuleSets {
    pub(super) layout: Arc<SharedLayout>,
    pub(super) draws: RuleDraws,
    /// The names of all ends, and by rule set the index of each of its own.
    pub(super) ends: Arc<(Vec<String>, Vec<Vec<u16>>)>,
    /// A number that tells these rule sets from others.
    pub(super) fingerprint: u64,
    /// By rule set: its family.
    pub(super) homes: Arc<[Home]>,
}

/// The place of a rule set among the families. Rule sets of a family keep their states in the same words, and their
/// environments are in one chunk.
#[derive(Clone, Copy)]
pub(super) struct Home {
    pub(super) family: u32,
    /// Its index in the family.
    pub(super) kind: u32,
}

/// How rule sets are drawn.
#[derive(Clone)]
pub(super) enum RuleDraws {
    /// By rule set, the sum of the weights up to and with it, scaled to 64 bits. Draws lie below the last.
    Weights(Arc<[u64]>),
    /// The number of rule sets, and of environments in all.
    Slices(usize, usize),
    Function(RuleFunction),
}

impl RuleDraws {
    /// Checks how rule sets are chosen.
    pub(super) fn new(choice: &RuleChoice, sets: usize, envs: usize) -> Result<RuleDraws, EnvError> {
        if sets == 0 || sets > MOST {
            return Err(EnvError::RuleSets(format!("there are {sets} rule sets; give 1 to {MOST}")));
        }
        match choice {
            RuleChoice::Weights(weights) => Ok(RuleDraws::Weights(sums(weights, sets)?)),
            RuleChoice::Slices if sets > envs => Err(EnvError::RuleSets(format!(
                "{sets} rule sets need at least as many environments to have a slice each, and there are {envs}; ask for \
                 more environments, or draw the rules"
            ))),
            RuleChoice::Slices => Ok(RuleDraws::Slices(sets, envs)),
            RuleChoice::Function(function) => Ok(RuleDraws::Function(Arc::clone(function))),
        }
    }

    /// The rule set of an environment that has not begun, so that each has about its share of them.
    pub(super) fn before(&self, env: usize, sets: usize) -> usize {
        match self {
            RuleDraws::Slices(sets, envs) => slice_of(env, *sets, *envs),
            RuleDraws::Weights(_) | RuleDraws::Function(_) => env % sets,
        }
    }

    /// How many of `envs` environments are expected to play rule sets of a family at a time, at most; by family.
    pub(super) fn rooms(&self, homes: &[Home], envs: usize) -> Vec<usize> {
        let (sets, families) = (homes.len(), homes.iter().map(|home| home.family + 1).max().unwrap_or(0));
        // By family: its share of the environments, and the number of its rule sets.
        let mut shares = vec![(0.0, 0); families as usize];
        for (set, home) in homes.iter().enumerate() {
            let share = match self {
                RuleDraws::Weights(sums) => {
                    let before = if set == 0 { 0 } else { sums[set - 1] };
                    (sums[set] - before) as f64 / u64::MAX as f64
                }
                RuleDraws::Slices(..) | RuleDraws::Function(_) => 1.0 / sets as f64,
            };
            let of_family = &mut shares[home.family as usize];
            *of_family = (of_family.0 + share, of_family.1 + 1);
        }
        let room = |(share, of_family): (f64, usize)| {
            let share = share * envs as f64;
            // Six standard deviations above the mean, and at least what environments that have not begun take.
            let most = share + 6.0 * share.sqrt() + 8.0;
            (most as usize).max(of_family * envs.div_ceil(sets)).min(envs)
        };
        shares.into_iter().map(room).collect()
    }
}

/// The rule set of an environment's slice.
pub(super) fn slice_of(env: usize, sets: usize, envs: usize) -> usize {
    (env as u128 * sets as u128 / envs as u128) as usize
}

/// Draws a rule set for an episode. It depends on the episode and the weights alone.
#[inline]
pub(super) fn drawn(sums: &[u64], seed: u64, index: u64) -> usize {
    let last = sums[sums.len() - 1];
    let at = Stream::new(seed, index, super::chunk::RULES).below(last);
    sums.partition_point(|sum| *sum <= at)
}

/// Returns the sums of weights, scaled to 64 bits.
fn sums(weights: &[f64], sets: usize) -> Result<Arc<[u64]>, EnvError> {
    if weights.len() != sets {
        return Err(EnvError::RuleSets(format!(
            "{} for {}: give one for each",
            counted(weights.len(), "weight"),
            counted(sets, "rule set")
        )));
    }
    if let Some((set, weight)) = weights.iter().enumerate().find(|(_, w)| !w.is_finite() || **w < 0.0) {
        return Err(EnvError::RuleSets(format!(
            "the weight of rule set {set} is {weight}: weights must be 0 or more, and finite"
        )));
    }
    let greatest = weights.iter().copied().fold(0.0, f64::max);
    if greatest == 0.0 {
        return Err(EnvError::RuleSets("all weights are 0: at least one must be above 0".to_owned()));
    }
    // Divided first, so that the sum is finite.
    let total: f64 = weights.iter().map(|weight| weight / greatest).sum();
    let mut sum = 0.0;
    let last = weights.iter().rposition(|weight| *weight > 0.0).unwrap_or(0);
    let scaled = weights.iter().enumerate().map(|(set, weight)| {
        sum += weight / greatest / total;
        // No draw lies beyond the last rule set with a weight, however the sum is rounded.
        if set >= last { u64::MAX } else { (sum.min(1.0) * u64::MAX as f64) as u64 }
    });
    Ok(scaled.collect())
}
