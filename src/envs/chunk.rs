//! Chunks: environments that one thread steps one after the other.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::config::{EnvConfig, SeatAgents};
use super::measured::MeasuredValues;
use super::options::{Autoreset, EnvError, Illegal};
use super::{EnvBuffers, EpisodeEnd, Outputs};
use houserule_base::rng::{MAX_PLAYERS, Stream};
use houserule_game::many::{ActionResult, BatchResults, BatchScores, Many, Rejection};
use houserule_game::matches::Match;
use houserule_game::observe::{BATCH, Cells, Dtype, GameBatch, NOBODY, pack};
use houserule_game::{RuntimeError, State};
use houserule_machine::processor::has_bmi2;

/// Sources of random streams besides those of a game's players and agents: see [`houserule_players::agents::agent_stream`].
pub(super) const SEATS: u64 = 3 * MAX_PLAYERS as u64;
pub(super) const SAMPLES: u64 = SEATS + 1;
/// The draw of an episode's rule set.
pub(super) const RULES: u64 = SAMPLES + 1;
pub(super) const STARTS: u64 = RULES + 1;
pub(super) const OPPONENTS: u64 = STARTS + 1;

/// The progress of an environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum EnvPhase {
    /// Never reset.
    New,
    /// The learner must decide.
    Playing,
    /// The episode ended before the learner's first decision; the next step reports it.
    OverAtStart,
    /// The episode is over, and a step has reported it.
    Over,
}

/// The state of one environment, without its game.
#[derive(Clone, Debug)]
pub(super) struct Meta {
    pub(super) sample: Stream,
    pub(super) seed: u64,
    /// The index of the episode since the seed was set.
    pub(super) index: u64,
    /// The learner's score at its last step.
    pub(super) score: i64,
    /// The learner's seat; in self-play the seat that took the last step.
    pub(super) seat: u32,
    pub(super) phase: EnvPhase,
    pub(super) ended: EpisodeEnd,
    /// The index of the end that decided the last episode ended by the rules.
    pub(super) end: u16,
}

impl Meta {
    /// An environment that was never reset.
    pub(super) fn new(seed: u64) -> Meta {
        Meta {
            sample: Stream::new(seed, 0, SAMPLES),
            seed,
            index: 0,
            score: 0,
            seat: 0,
            phase: EnvPhase::New,
            ended: EpisodeEnd::No,
            end: 0,
        }
    }
}

/// The result of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepResult {
    pub(super) reward: f64,
    pub(super) terminated: bool,
    pub(super) truncated: bool,
}

/// Returns the rewards of the seats of an environment, which are empty if they aren't written.
#[inline(always)]
fn seats_of(rewards: &mut [f64], e: usize, players: usize) -> &mut [f64] {
    match rewards.is_empty() {
        true => &mut [],
        false => &mut rewards[e * players..][..players],
    }
}

const NOTHING: StepResult = StepResult { reward: 0.0, terminated: false, truncated: false };

/// Errors, by environment.
pub(super) type Errors = BTreeMap<usize, RuntimeError>;

/// How episodes ended, and the errors that aborted them, by environment.
pub(super) type FollowedEnds = BTreeMap<usize, (EpisodeEnd, Option<RuntimeError>)>;

/// The environments of one thread.
pub(super) struct Chunk {
    pub(super) kind: Arc<EnvConfig>,
    pub(super) many: Many,
    pub(super) metas: Vec<Meta>,
    /// In self-play with rewards by score: each seat's score after the last step.
    pub(super) scores: Vec<i64>,
    /// By environment and seat: the values after the last step that measured rewards compare with.
    pub(super) measured: Vec<MeasuredValues>,
    /// By environment and seat: the stream of the seat's player, and the agent's own stream.
    pub(super) streams: Vec<[Stream; 2]>,
    pub(super) matches: Vec<Option<Match>>,
    /// The errors that aborted episodes.
    pub(super) errors: Errors,
    /// How the previous episode of an environment ended, if the next one began in the same step and was over
    /// before its first decision.
    pub(super) followed: FollowedEnds,
    pub(super) agents: SeatAgents,
    /// By environment: the line-up drawn for its episode; empty without a mixture.
    pub(super) drawn: Vec<u32>,
    /// By environment: the number of steps of its episode; empty without a limit.
    pub(super) steps: Vec<u32>,
    /// The positions in which episodes start; none for the start of the game.
    pub(super) starts: Vec<State>,
    /// The positions in which the next episodes of environments start.
    pub(super) next_starts: BTreeMap<usize, State>,
    pub(super) state: Option<State>,
    /// Buffers for the games that are shown and stepped at a time.
    pub(super) few: GameBatch,
    taken: BatchResults,
    /// Buffers for planes: flat observations, and one game's planes before they are packed.
    flat: Vec<f32>,
    flat_halves: Vec<u16>,
    flat_bytes: Vec<u8>,
    laid_out: Vec<u8>,
    pub(super) bmi: bool,
}

impl Chunk {
    /// Environments with seeds from `first` on, until they are reset with other seeds.
    pub(super) fn new(
        kind: &Arc<EnvConfig>,
        agents: SeatAgents,
        many: Many,
        first: u64,
        count: usize,
    ) -> Chunk {
        let self_play = kind.self_play();
        let none = [Stream::from_words([0; 4]); 2];
        // The lengths of the buffers for planes.
        let (flat, laid_out) =
            kind.planes.as_ref().map_or((0, 0), |p| (BATCH * kind.game.observation_len(), p.len()));
        let (floats, halves, bytes) = match kind.options.dtype {
            Dtype::Float32 => (flat, 0, 0),
            Dtype::Float16 => (0, flat, 0),
            Dtype::Uint8 | Dtype::Bool | Dtype::Bits => (0, 0, flat),
        };
        Chunk {
            metas: (first..first + count as u64).map(Meta::new).collect(),
            scores: if self_play && kind.rewards_score { vec![0; count * kind.players] } else { vec![] },
            measured: vec![
                MeasuredValues::default();
                if kind.measured.is_some() { count * kind.players } else { 0 }
            ],
            streams: if self_play { vec![] } else { vec![none; count * kind.players] },
            matches: if kind.options.match_play { (0..count).map(|_| None).collect() } else { vec![] },
            errors: BTreeMap::new(),
            followed: BTreeMap::new(),
            agents,
            steps: vec![0; if kind.options.max_steps.is_some() { count } else { 0 }],
            drawn: vec![0; if kind.line_ups.is_some() { count } else { 0 }],
            starts: vec![],
            next_starts: BTreeMap::new(),
            state: None,
            few: GameBatch::default(),
            taken: BatchResults::default(),
            flat: vec![0.0; floats],
            flat_halves: vec![0; halves],
            flat_bytes: vec![0; bytes],
            laid_out: vec![0; laid_out],
            bmi: has_bmi2(),
            kind: Arc::clone(kind),
            many,
        }
    }

    /// Returns as many new environments with the same configuration.
    pub(super) fn fresh(&self) -> Chunk {
        let agents = self.agents.iter().map(|agent| agent.copy()).collect();
        let fresh = Chunk::new(&self.kind, agents, self.many.more(self.count()), 0, self.count());
        Chunk { starts: self.starts.clone(), ..fresh }
    }

    /// Sets the seed of an environment before it is reset.
    pub(super) fn begin_with(&mut self, e: usize, seed: u64) {
        self.metas[e].seed = seed;
        self.metas[e].sample = Stream::new(seed, 0, SAMPLES);
    }

    /// The number of environments.
    pub(super) fn count(&self) -> usize {
        self.metas.len()
    }

    /// Memory of one environment, in bytes.
    pub(super) fn bytes_each(&self) -> usize {
        let per = |bytes: usize| bytes / self.count().max(1);
        self.many.bytes_each()
            + size_of::<Meta>()
            + per(size_of_val(self.scores.as_slice()))
            + per(size_of_val(self.measured.as_slice()))
            + per(size_of_val(self.streams.as_slice()))
            + per(size_of_val(self.matches.as_slice()))
    }

    /// Returns an error if this step must be refused. Called only if the options allow refusing.
    pub(super) fn check(&self, first: usize, actions: &[i64]) -> Result<(), EnvError> {
        let by_hand = self.kind.options.autoreset == Autoreset::Disabled;
        for (e, action) in actions.iter().enumerate() {
            match self.metas[e].phase {
                EnvPhase::New => return Err(EnvError::NotBegun { env: first + e }),
                EnvPhase::Over if by_hand => return Err(EnvError::Over { env: first + e }),
                EnvPhase::Playing if self.kind.options.illegal == Illegal::Raise => {
                    self.check_action(e, first + e, *action)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns an error if an action isn't legal. `env` is the environment's index among all.
    pub(super) fn check_action(&self, e: usize, env: usize, action: i64) -> Result<(), EnvError> {
        if u32::try_from(action).is_ok_and(|action| self.many.is_legal(e, action)) {
            return Ok(());
        }
        let legal = self.many.legal_actions(e);
        let legal = legal.iter().map(|action| self.many.game_of(e).action_name(*action)).collect();
        Err(EnvError::Illegal { env, action, legal })
    }

    /// Steps every environment, a few at a time: each pass is then a short loop over games in the CPU cache.
    pub(super) fn step(&mut self, actions: &[i64], out: &mut Outputs<'_>) {
        for first in (0..actions.len()).step_by(BATCH) {
            let few = first..actions.len().min(first + BATCH);
            self.step_batch(actions, out, few.clone());
            self.show_batch(&mut out.view, few, first);
        }
    }

    /// Steps a batch of environments without showing them.
    #[inline]
    pub(super) fn step_batch(&mut self, actions: &[i64], out: &mut Outputs<'_>, few: Range<usize>) {
        #[cfg(target_arch = "x86_64")]
        if self.bmi {
            // SAFETY: `bmi` is only set if the processor has the features that this function is compiled for.
            return unsafe { step_batch_bmi(self, actions, out, few) };
        }
        step_batch_plain(self, actions, out, few);
    }

    /// Shows a batch of environments, the first of them in a row of the view.
    #[inline]
    pub(super) fn show_batch(&mut self, view: &mut EnvBuffers<'_>, few: Range<usize>, row: usize) {
        #[cfg(target_arch = "x86_64")]
        if self.bmi {
            // SAFETY: `bmi` is only set if the processor has the features that this function is compiled for.
            return unsafe { show_batch_bmi(self, view, few, row) };
        }
        show_batch_plain(self, view, few, row);
    }

    /// Begins the next episode in the step that ended one.
    pub(super) fn begin_next(&mut self, e: usize) {
        if self.bmi {
            return self.reset_and_keep_end::<true>(e);
        }
        self.reset_and_keep_end::<false>(e);
    }

    #[inline(always)]
    fn step_batch_on<const BMI: bool>(&mut self, actions: &[i64], out: &mut Outputs<'_>, few: Range<usize>) {
        let players = self.kind.players;
        if !out.seat_rewards.is_empty() {
            out.seat_rewards[few.start * players..few.end * players].fill(0.0);
        }
        out.rewards[few.clone()].fill(0.0);
        out.terminated[few.clone()].fill(false);
        out.truncated[few.clone()].fill(false);
        let mut rest = u32::MAX >> (BATCH - few.len().min(BATCH));
        if self.many.steps_together() {
            self.apply_batch(actions, &few);
            // Elsewhere, others may decide before the learner does, rewards need more than scores, or steps are counted.
            if self.kind.is_plain() && self.kind.measured.is_none() && self.kind.options.max_steps.is_none() {
                rest = self.complete_waiting(out, &few);
            }
        }
        while rest != 0 {
            let game = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            self.complete_in_batch::<BMI>(actions, out, few.start + game, game);
        }
    }

    /// Takes the actions of the environments of a batch in which the learner decides.
    #[inline(always)]
    fn apply_batch(&mut self, actions: &[i64], few: &Range<usize>) {
        for (game, meta) in self.metas[few.clone()].iter().enumerate().take(BATCH) {
            self.taken.requested[game] = meta.phase == EnvPhase::Playing;
        }
        let scores = match (self.kind.is_plain(), self.kind.rewards_score) {
            (false, _) => BatchScores::Never,
            (true, false) => BatchScores::AtEnds,
            (true, true) => BatchScores::Always,
        };
        self.many.apply_few(few, &actions[few.clone()], scores, &mut self.taken);
    }

    /// Completes the steps of environments whose games wait for another decision. Returns the others of the batch, one
    /// bit each.
    #[inline(always)]
    fn complete_waiting(&mut self, out: &mut Outputs<'_>, few: &Range<usize>) -> u32 {
        if !self.errors.is_empty() {
            few.clone()
                .zip(self.taken.waits)
                .filter(|(_, waits)| *waits)
                .for_each(|(e, _)| self.forget_end(e));
        }
        let (metas, mut rest) = (&mut self.metas[few.clone()], 0);
        for game in 0..metas.len().min(BATCH) {
            if self.taken.waits[game] {
                (metas[game].ended, metas[game].seat) = (EpisodeEnd::No, self.taken.actors[game]);
            } else {
                rest |= 1 << game;
            }
        }
        if self.kind.rewards_score {
            for game in 0..few.len().min(BATCH) {
                if self.taken.waits[game] {
                    let e = few.start + game;
                    let seats = seats_of(out.seat_rewards, e, self.kind.players);
                    out.rewards[e] = self.gained(e, seats, self.taken.results[game]);
                }
            }
        }
        rest
    }

    /// Takes or completes the step of an environment of a batch.
    #[inline(always)]
    fn complete_in_batch<const BMI: bool>(
        &mut self,
        actions: &[i64],
        out: &mut Outputs<'_>,
        e: usize,
        game: usize,
    ) {
        let seats = seats_of(out.seat_rewards, e, self.kind.players);
        let phase = self.metas[e].phase;
        let step = match phase {
            EnvPhase::Over | EnvPhase::New => {
                self.reset_env::<BMI>(e, None);
                NOTHING
            }
            EnvPhase::OverAtStart => {
                self.followed.remove(&e);
                self.finish(e, seats, ActionResult::Nothing)
            }
            EnvPhase::Playing if !self.many.steps_together() => {
                self.step_unmeasured::<BMI>(e, actions[e], seats)
            }
            EnvPhase::Playing => {
                let came = self.taken.results[game];
                let error = if came == ActionResult::Failed { self.taken.error(game) } else { None };
                let step = self.complete::<BMI>(e, came, error, self.taken.actors[game], seats);
                self.limited(e, step)
            }
        };
        // Three variables, because a struct whose address is taken anywhere is kept in memory everywhere.
        let StepResult { mut reward, mut terminated, mut truncated } = step;
        if let Some(measured) = self.kind.measured {
            let step = StepResult { reward, terminated, truncated };
            StepResult { reward, terminated, truncated } =
                self.measured_step(e, measured, phase, step, seats);
        }
        if self.kind.options.autoreset == Autoreset::SameStep && (terminated || truncated) {
            if !out.final_observations.is_empty() {
                let cells = self.kind.cells;
                let mut rest = out.final_observations.from(e * cells);
                self.observe(e, rest.cut(cells));
            }
            self.reset_and_keep_end::<BMI>(e);
        }
        out.rewards[e] = reward;
        out.terminated[e] = terminated;
        out.truncated[e] = truncated;
    }

    /// Shows a few environments as they are now, from row `row` of the view on.
    #[inline(always)]
    fn show_batch_on<const BMI: bool>(&mut self, view: &mut EnvBuffers<'_>, games: Range<usize>, row: usize) {
        let (cells, actions) = (self.kind.cells, self.kind.actions);
        self.many.read_pending(&games, &mut self.few);
        if !view.observations.is_empty() {
            self.observe_few::<BMI>(&games, view.observations.from(row * cells));
        }
        if !view.masks.is_empty() {
            self.many.write_masks::<BMI>(&games, &mut self.few, &mut view.masks[row * actions..]);
        }
        if !view.current_players.is_empty() {
            let (players, (actors, _)) = (&mut view.current_players[row..][..games.len()], self.few.seats());
            for game in 0..players.len().min(actors.len()) {
                // `NOBODY` becomes -1.
                players[game] = actors[game] as i32;
            }
        }
    }

    /// Writes the learner's observations of the environments last looked at: in self-play those of the seat that
    /// decides or, after the end of an episode, of the seat that took the last step.
    #[inline(always)]
    fn observe_few<const BMI: bool>(&mut self, games: &Range<usize>, out: Cells<'_>) {
        self.choose_viewers(games);
        let packed = self.kind.options.dtype == Dtype::Bits;
        match (out, self.kind.planes.is_some()) {
            (Cells::Floats(out), false) => self.many.observe::<BMI>(games, &mut self.few, out),
            (Cells::Halves(out), false) => self.many.observe_halves(games, &mut self.few, out),
            (Cells::Bytes(out), false) if packed => self.many.observe_packed(games, &mut self.few, out),
            (Cells::Bytes(out), false) => self.many.observe_bytes::<BMI>(games, &mut self.few, out),
            (out, true) => self.lay_out::<BMI>(games, out),
        }
    }

    /// Sets who sees each of the environments last looked at.
    #[inline(always)]
    pub(super) fn choose_viewers(&mut self, games: &Range<usize>) {
        let metas = &self.metas[games.clone()];
        // Without self-play it is nobody who acts: `NOBODY` has all bits.
        let others = if self.kind.self_play() { 0 } else { NOBODY };
        let (actors, viewers) = self.few.seats();
        for game in 0..metas.len().min(BATCH) {
            let (actor, seat) = (actors[game] | others, metas[game].seat);
            viewers[game] = if actor != NOBODY { actor } else { seat };
        }
    }

    /// Writes planes.
    #[inline(never)]
    fn lay_out<const BMI: bool>(&mut self, games: &Range<usize>, out: Cells<'_>) {
        let Some(planes) = &self.kind.planes else { return };
        let (flat, len) = (self.kind.game.observation_len(), planes.len());
        match out {
            Cells::Floats(out) => {
                self.many.observe::<BMI>(games, &mut self.few, &mut self.flat[..flat * games.len()]);
                let each = self.flat.chunks_exact(flat).zip(out.chunks_exact_mut(len));
                each.take(games.len()).for_each(|(flat, out)| planes.write(flat, out));
            }
            Cells::Halves(out) => {
                self.many.observe_halves(games, &mut self.few, &mut self.flat_halves[..flat * games.len()]);
                let each = self.flat_halves.chunks_exact(flat).zip(out.chunks_exact_mut(len));
                each.take(games.len()).for_each(|(flat, out)| planes.write(flat, out));
            }
            Cells::Bytes(out) => {
                let bytes = &mut self.flat_bytes[..flat * games.len()];
                self.many.observe_bytes::<BMI>(games, &mut self.few, bytes);
                let each = bytes.chunks_exact(flat).zip(out.chunks_exact_mut(self.kind.cells));
                for (flat, out) in each {
                    if self.kind.options.dtype == Dtype::Bits {
                        planes.write(flat, &mut self.laid_out);
                        pack(&self.laid_out, out);
                    } else {
                        planes.write(flat, out);
                    }
                }
            }
        }
    }

    /// Begins a new episode in the step that ended one, and keeps how that one ended.
    #[inline(always)]
    fn reset_and_keep_end<const BMI: bool>(&mut self, e: usize) {
        let ended = self.metas[e].ended;
        let error = if self.errors.is_empty() { None } else { self.errors.remove(&e) };
        self.reset_env::<BMI>(e, None);
        if self.metas[e].phase == EnvPhase::Playing {
            self.metas[e].ended = ended;
            if let Some(error) = error {
                self.errors.insert(e, error);
            }
        } else {
            self.followed.insert(e, (ended, error));
        }
    }

    /// How the episode ended that the last step reported.
    pub(super) fn ended(&self, e: usize) -> EpisodeEnd {
        self.followed.get(&e).map_or(self.metas[e].ended, |(ended, _)| *ended)
    }

    /// The error that aborted the episode that the last step reported, if any.
    pub(super) fn error(&self, e: usize) -> Option<&RuntimeError> {
        self.followed.get(&e).map_or_else(|| self.errors.get(&e), |(_, error)| error.as_ref())
    }

    /// Resets the environments in `mask`, or all.
    pub(super) fn reset(&mut self, seeds: &[Option<u64>], mask: Option<&[bool]>, view: &mut EnvBuffers<'_>) {
        for e in 0..self.count() {
            if mask.is_none_or(|mask| mask[e]) {
                self.reset_env::<false>(e, seeds.get(e).copied().flatten());
            }
        }
        for first in (0..self.count()).step_by(BATCH) {
            self.show_batch(view, first..self.count().min(first + BATCH), first);
        }
    }

    /// Draws a legal action for every environment in play, and 0 for the others.
    pub(super) fn sample(&mut self, actions: &mut [i64]) {
        #[cfg(target_arch = "x86_64")]
        if self.bmi {
            // SAFETY: `bmi` is only set if the processor has the features that this function is compiled for.
            return unsafe { sample_bmi(self, actions) };
        }
        self.sample_on::<false>(actions);
    }

    #[inline(always)]
    fn sample_on<const BMI: bool>(&mut self, actions: &mut [i64]) {
        let (masks, mut rest) = (self.many.masks(), self.many.all_frames());
        let metas = &mut self.metas[..];
        for e in 0..actions.len().min(metas.len()) {
            let (frame, more) = rest.split_at(masks.frame());
            rest = more;
            let meta = &mut metas[e];
            let any = match meta.phase {
                EnvPhase::Playing => masks.any_action::<BMI>(frame, &mut meta.sample),
                _ => None,
            };
            actions[e] = any.unwrap_or(0).into();
        }
    }

    /// Seeds the streams of sampled actions.
    pub(super) fn seed_samples(&mut self, first: u64, seed: u64) {
        for (meta, env) in self.metas.iter_mut().zip(first..) {
            meta.sample = Stream::new(seed, env, SAMPLES);
        }
    }

    /// Writes the learner's observation of one environment.
    #[inline(never)]
    pub(super) fn observe(&mut self, e: usize, out: Cells<'_>) {
        #[cfg(target_arch = "x86_64")]
        if self.bmi {
            // SAFETY: `bmi` is only set if the processor has the features that this function is compiled for.
            return unsafe { observe_bmi(self, e, out) };
        }
        self.observe_on::<false>(e, out);
    }

    #[inline(always)]
    fn observe_on<const BMI: bool>(&mut self, e: usize, out: Cells<'_>) {
        let games = e..e + 1;
        self.many.read_pending(&games, &mut self.few);
        self.observe_few::<BMI>(&games, out);
    }

    /// Takes a step in one environment, with its measured reward.
    pub(super) fn step_env(&mut self, e: usize, action: i64, seats: &mut [f64]) -> StepResult {
        let phase = self.metas[e].phase;
        let step = self.step_unmeasured::<false>(e, action, seats);
        match self.kind.measured {
            None => step,
            Some(measured) => self.measured_step(e, measured, phase, step, seats),
        }
    }

    /// Takes a step in one environment.
    #[inline(always)]
    pub(super) fn step_unmeasured<const BMI: bool>(
        &mut self,
        e: usize,
        action: i64,
        seats: &mut [f64],
    ) -> StepResult {
        if self.metas[e].phase == EnvPhase::OverAtStart {
            self.followed.remove(&e);
            return self.finish(e, seats, ActionResult::Nothing);
        }
        // No game has an action `u32::MAX`.
        let action = u32::try_from(action).unwrap_or(u32::MAX);
        let mut actor = 0;
        let (came, error) = match self.many.apply(e, action, &mut actor) {
            Ok(()) => (ActionResult::Taken, None),
            Err(Rejection::Illegal) => (ActionResult::Illegal, None),
            Err(Rejection::Failed(error)) => (ActionResult::Failed, Some(error)),
        };
        let step = self.complete::<BMI>(e, came, error, actor, seats);
        self.limited(e, step)
    }

    /// Forgets how the previous episode ended, which the last step has reported.
    #[inline(always)]
    fn forget_end(&mut self, e: usize) {
        if self.metas[e].ended != EpisodeEnd::No {
            self.metas[e].ended = EpisodeEnd::No;
            if !self.errors.is_empty() {
                self.errors.remove(&e);
            }
        }
    }

    /// Completes a step after its action.
    #[inline(always)]
    fn complete<const BMI: bool>(
        &mut self,
        e: usize,
        came: ActionResult,
        error: Option<Box<RuntimeError>>,
        actor: u32,
        seats: &mut [f64],
    ) -> StepResult {
        self.forget_end(e);
        if self.kind.self_play() {
            self.metas[e].seat = actor;
        }
        let waits = match (came, error) {
            (ActionResult::Illegal, _) if self.kind.options.illegal == Illegal::Penalize => {
                return self.penalize(e, seats);
            }
            (ActionResult::Illegal | ActionResult::Nothing, _) => return NOTHING,
            (_, Some(error)) => Err(error),
            _ if self.kind.is_plain() => Ok(self.many.is_waiting(e)),
            _ => self.advance_to_learner::<BMI>(e),
        };
        match waits {
            Ok(true) if self.kind.rewards_score => {
                StepResult { reward: self.gained(e, seats, came), ..NOTHING }
            }
            Ok(true) => NOTHING,
            Ok(false) => {
                self.metas[e].ended = EpisodeEnd::Over;
                self.finish(e, seats, came)
            }
            Err(error) => {
                self.abort(e, *error);
                self.finish(e, seats, ActionResult::Nothing)
            }
        }
    }

    /// Ends an episode because of an illegal action.
    #[cold]
    fn penalize(&mut self, e: usize, seats: &mut [f64]) -> StepResult {
        let meta = &mut self.metas[e];
        (meta.phase, meta.ended) = (EnvPhase::Over, EpisodeEnd::IllegalAction);
        if let Some(own) = seats.get_mut(meta.seat as usize) {
            *own = -1.0;
        }
        self.many.stop(e);
        StepResult { reward: -1.0, terminated: true, truncated: false }
    }
}

/// Without the features of a newer processor. A function of its own, so that its code doesn't stand in every caller.
#[inline(never)]
fn step_batch_plain(chunk: &mut Chunk, actions: &[i64], out: &mut Outputs<'_>, few: Range<usize>) {
    chunk.step_batch_on::<false>(actions, out, few);
}

/// Like [`step_batch_plain`].
#[inline(never)]
fn show_batch_plain(chunk: &mut Chunk, view: &mut EnvBuffers<'_>, few: Range<usize>, row: usize) {
    chunk.show_batch_on::<false>(view, few, row);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn step_batch_bmi(chunk: &mut Chunk, actions: &[i64], out: &mut Outputs<'_>, few: Range<usize>) {
    chunk.step_batch_on::<true>(actions, out, few);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn show_batch_bmi(chunk: &mut Chunk, view: &mut EnvBuffers<'_>, few: Range<usize>, row: usize) {
    chunk.show_batch_on::<true>(view, few, row);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn observe_bmi(chunk: &mut Chunk, e: usize, out: Cells<'_>) {
    chunk.observe_on::<true>(e, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn sample_bmi(chunk: &mut Chunk, actions: &mut [i64]) {
    chunk.sample_on::<true>(actions);
}
