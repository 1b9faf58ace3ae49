//! Training a player, and how good it is: the curve on the way, and what stands at the end.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::interval::NORMAL;
use super::meeting::{Estimate, Meeting, meet};
use super::report::VERSION;
use super::simulate::Watch;
use crate::agents::learned::{Audience, Checkpoint, Course, train};
use crate::agents::{AgentError, AgentKind, Learned};
use crate::engine::{Game, RuntimeError};

/// Who a player is judged against. A lone player is held against `random` alone on the way.
pub const OPPONENTS: [&str; 2] = ["greedy", "mcts:100"];

/// Games of a judgement, at a checkpoint and at the end, each played in all seats.
const AT_CHECKPOINTS: u64 = 100;
const AT_THE_END: u64 = 1000;

/// The seed of these games: the same for every player, so that curves can be compared.
const SEED: u64 = 1;

/// What training came to.
#[derive(Clone, Debug, Serialize)]
pub struct Training {
    /// The version of the JSON format.
    pub version: u32,
    /// The game, as it can be loaded again.
    pub game: String,
    /// How many play.
    pub players: u32,
    /// The seed of the training.
    pub seed: u64,
    /// The player, as a file keeps it.
    #[serde(skip)]
    pub player: Arc<Learned>,
    /// What it learned to make much of: `score`, `lead` or `outcome`.
    pub aim: &'static str,
    /// Games of training in all.
    pub games: u64,
    /// Seconds of processor time on each thread, judging not counted.
    pub seconds: f64,
    /// How many numbers it has learned.
    pub weights: usize,
    /// How many ways to turn or mirror the board share them.
    pub symmetries: usize,
    /// The checkpoints, the earliest first.
    pub curve: Vec<Stage>,
    /// How strong it is at the end.
    pub strength: Vec<Against>,
    /// By how much the last checkpoint was better than the one before, by what games return, or points of a lone
    /// player; none of a single checkpoint.
    pub gain: Option<Estimate>,
    /// Somebody stopped it: it is the best player so far.
    pub interrupted: bool,
}

/// A checkpoint.
#[derive(Clone, Debug, Serialize)]
pub struct Stage {
    /// Games of training so far.
    pub games: u64,
    /// Seconds of processor time so far.
    pub seconds: f64,
    /// It is not kept: a player before was surely better.
    pub dropped: bool,
    /// How strong it was.
    pub strength: Vec<Against>,
}

/// A player against another.
#[derive(Clone, Debug, Serialize)]
pub struct Against {
    /// The name of the other.
    pub opponent: String,
    /// How it did.
    #[serde(flatten)]
    pub meeting: Meeting,
}

/// Why there is no player.
#[derive(Debug)]
pub enum TrainingError {
    /// There is nothing to learn, or nobody to be judged against.
    Agent(AgentError),
    /// The rules are at fault.
    Rules(RuntimeError),
}

impl From<AgentError> for TrainingError {
    fn from(error: AgentError) -> Self {
        TrainingError::Agent(error)
    }
}

impl Training {
    /// The player still rose at the end: more training makes it better.
    pub fn is_rising(&self) -> bool {
        self.gain.is_some_and(|gain| gain.is_surely_positive())
    }
}

/// Trains a player and judges it at every checkpoint and at the end. Once `watch` stops it, the best player so far is
/// the result.
pub fn learn(
    game: &Game,
    course: &Course,
    watch: &Watch<'_>,
    tell: &mut dyn FnMut(&Stage),
) -> Result<Training, TrainingError> {
    let mut judge = Judge { game, watch, tell, curve: vec![], gain: None, failed: None };
    let player = train(game, course, &mut judge).map_err(AgentError::Learn)?;
    let player = Arc::new(player.as_saved());
    if let Some(error) = judge.failed {
        return Err(error);
    }
    let interrupted = watch.stop.is_set();
    let limit = Duration::from_secs_f64(player.about().seconds.max(2.0));
    let mut strength = vec![];
    for opponent in OPPONENTS.iter().filter(|_| !interrupted) {
        strength.push(judge.against(&player, opponent, AT_THE_END, limit)?);
    }
    Ok(Training {
        version: VERSION,
        game: player.about().game.clone(),
        players: player.about().players,
        seed: player.about().seed,
        aim: player.aim().name(),
        games: player.about().games,
        seconds: player.about().seconds,
        weights: player.weights(),
        symmetries: player.symmetries(),
        curve: judge.curve,
        strength,
        gain: judge.gain,
        interrupted,
        player,
    })
}

/// Judges a player while it is trained.
struct Judge<'j> {
    game: &'j Game,
    watch: &'j Watch<'j>,
    tell: &'j mut dyn FnMut(&Stage),
    curve: Vec<Stage>,
    gain: Option<Estimate>,
    failed: Option<TrainingError>,
}

impl Judge<'_> {
    fn against(
        &self,
        player: &Arc<Learned>,
        opponent: &str,
        games: u64,
        limit: Duration,
    ) -> Result<Against, TrainingError> {
        let kinds = vec![AgentKind::parse(opponent)?; self.game.players() as usize];
        let mut others = AgentKind::seat_all(&kinds, self.game)?;
        let mut agent = player.agent(self.game, "learned");
        let begun = Instant::now();
        let enough = &mut || begun.elapsed() > limit || self.watch.stop.is_set();
        let meeting = meet(self.game, &mut agent, &mut *others[0], SEED, games, enough);
        Ok(Against { opponent: opponent.to_owned(), meeting: meeting.map_err(TrainingError::Rules)? })
    }

    fn stage(&self, at: &Checkpoint) -> Result<Stage, TrainingError> {
        let player = Arc::new(at.player.clone());
        let about = player.about();
        let limit = Duration::from_secs_f64((about.seconds / 4.0).max(0.5));
        // A lone player's score says enough, and takes no time to have.
        let opponents = if self.game.players() == 1 { &["random"] } else { &OPPONENTS[..] };
        let games = AT_CHECKPOINTS * if self.game.players() == 1 { 5 } else { 1 };
        let mut strength = vec![];
        for opponent in opponents {
            strength.push(self.against(&player, opponent, games, limit)?);
        }
        Ok(Stage { games: about.games, seconds: about.seconds, dropped: !at.is_best, strength })
    }
}

impl Audience for Judge<'_> {
    fn played(&mut self, games: u64, _share: f64) {
        (self.watch.progress)(games);
    }

    fn checkpoint(&mut self, at: Checkpoint) {
        self.gain = at.gain.map(|(mean, error)| Estimate { mean, half: Some(NORMAL * error) });
        match self.stage(&at) {
            Ok(stage) => {
                (self.tell)(&stage);
                self.curve.push(stage);
            }
            Err(error) => self.failed = Some(error),
        }
    }

    fn is_enough(&mut self) -> bool {
        self.failed.is_some() || self.watch.stop.is_set()
    }
}
