//! Training of a player and its evaluation, at checkpoints and at the end.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use houserule_base::clock::Instant;
use houserule_base::statistics::interval::NORMAL;
use houserule_game::{Game, RuntimeError};
use houserule_players::agents::{AgentError, AgentKind, Learned};
use houserule_players::learned::{Checkpoint, Course, TrainingObserver, train};
use houserule_playtest::{Estimate, Meeting, RunMonitor, VERSION, meet};

/// Opponents in the evaluation. In a one-player game, checkpoints are compared with `random` only.
pub const OPPONENTS: [&str; 2] = ["greedy", "mcts:100"];

/// Games of an evaluation at a checkpoint and at the end, each played in all seats.
const AT_CHECKPOINTS: u64 = 100;
const AT_THE_END: u64 = 1000;

/// Seed of the evaluation games: the same for every player, so that curves are comparable.
const SEED: u64 = 1;

/// The results of a training.
#[derive(Clone, Debug, Serialize)]
pub struct Training {
    /// Version of the JSON format.
    pub version: u32,
    /// The game, as it can be loaded again.
    pub game: String,
    /// Number of players.
    pub players: u32,
    /// Seed of the training.
    pub seed: u64,
    /// The player, as restored from its file.
    #[serde(skip)]
    pub player: Arc<Learned>,
    /// What it learned to optimise: `score`, `lead` or `outcome`.
    pub aim: &'static str,
    /// Total number of training games.
    pub games: u64,
    /// CPU time of the training on each thread, in seconds, without evaluation.
    pub seconds: f64,
    /// Number of weights.
    pub weights: usize,
    /// Number of symmetries of the board that share them.
    pub symmetries: usize,
    /// The checkpoints, earliest first.
    pub curve: Vec<Stage>,
    /// Evaluation at the end.
    pub strength: Vec<Against>,
    /// Improvement of the last checkpoint over the one before, in returns, or in points for one player; `None`
    /// for a single checkpoint.
    pub gain: Option<Estimate>,
    /// `true` if the training was stopped; the player is then the best so far.
    pub interrupted: bool,
}

/// A checkpoint.
#[derive(Clone, Debug, Serialize)]
pub struct Stage {
    /// Training games so far.
    pub games: u64,
    /// CPU time so far, in seconds.
    pub seconds: f64,
    /// `true` if it was significantly worse than an earlier player, and is not kept.
    pub dropped: bool,
    /// Evaluation at this checkpoint.
    pub strength: Vec<Against>,
}

/// A player's evaluation against one opponent.
#[derive(Clone, Debug, Serialize)]
pub struct Against {
    /// Name of the opponent.
    pub opponent: String,
    /// The result.
    #[serde(flatten)]
    pub meeting: Meeting,
}

/// Why a training failed.
#[derive(Debug)]
pub enum TrainingError {
    /// There is nothing to learn, or an opponent can't play.
    Agent(AgentError),
    /// An error in the rules.
    Rules(RuntimeError),
}

impl From<AgentError> for TrainingError {
    fn from(error: AgentError) -> Self {
        TrainingError::Agent(error)
    }
}

impl Training {
    /// Returns `true` if the player was still improving: more training makes it better.
    pub fn is_rising(&self) -> bool {
        self.gain.is_some_and(|gain| gain.is_surely_positive())
    }
}

/// Trains a player and evaluates it at every checkpoint and at the end. If `watch` stops it, the result is the
/// best player so far.
pub fn learn(
    game: &Game,
    course: &Course,
    watch: &RunMonitor<'_>,
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

/// Evaluates a player during its training.
struct Judge<'j> {
    game: &'j Game,
    watch: &'j RunMonitor<'j>,
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
        // In a one-player game, its score is informative enough and takes little time.
        let opponents = if self.game.players() == 1 { &["random"] } else { &OPPONENTS[..] };
        let games = AT_CHECKPOINTS * if self.game.players() == 1 { 5 } else { 1 };
        let mut strength = vec![];
        for opponent in opponents {
            strength.push(self.against(&player, opponent, games, limit)?);
        }
        Ok(Stage { games: about.games, seconds: about.seconds, dropped: !at.is_best, strength })
    }
}

impl TrainingObserver for Judge<'_> {
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
