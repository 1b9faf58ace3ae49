//! Episodes up to the learner's next decision: resets, opponents, the games of a match, and the limit of steps.

use super::EpisodeEnd;
use super::chunk::{Chunk, EnvPhase, SAMPLES, SEATS, StepResult};
use super::options::SeatChoice;
use houserule_base::rng::Stream;
use houserule_game::many::Rejection;
use houserule_game::matches::Match;
use houserule_game::{ActionId, RuntimeError, RuntimeErrorKind, Seat, Start, State};
use houserule_players::agent::{Agent, agent_stream, illegal_choice};
use houserule_players::agents::{AgentKind, Random};

impl Chunk {
    /// Begins a new episode: the first of `seed`, or without a seed the next one.
    #[inline(always)]
    pub(super) fn reset_env<const BMI: bool>(&mut self, e: usize, seed: Option<u64>) {
        #[cfg(target_arch = "x86_64")]
        if BMI {
            // SAFETY: `BMI` is only set if the processor has the features that this function is compiled for.
            return unsafe { reset_fast(self, e, seed) };
        }
        self.reset_now::<BMI>(e, seed);
    }

    #[inline(always)]
    fn reset_now<const BMI: bool>(&mut self, e: usize, seed: Option<u64>) {
        let meta = &mut self.metas[e];
        match seed {
            Some(seed) => {
                (meta.seed, meta.index) = (seed, 0);
                meta.sample = Stream::new(seed, 0, SAMPLES);
            }
            None if meta.phase == EnvPhase::New => meta.index = 0,
            None => meta.index = meta.index.wrapping_add(1),
        }
        (meta.score, meta.ended) = (0, EpisodeEnd::No);
        let (seed, index) = (meta.seed, meta.index);
        if !self.errors.is_empty() {
            self.errors.remove(&e);
        }
        if !self.followed.is_empty() {
            self.followed.remove(&e);
        }
        if !self.scores.is_empty() {
            self.scores[e * self.kind.players..][..self.kind.players].fill(0);
        }
        if !self.measured.is_empty() {
            self.forget_measures(e);
        }
        if !self.kind.self_play() {
            self.metas[e].seat = match self.kind.options.seat {
                SeatChoice::Fixed(Seat(seat)) => seat,
                SeatChoice::Random => Stream::new(seed, index, SEATS).below(self.kind.players as u64) as u32,
            };
        }
        if !self.steps.is_empty() {
            self.steps[e] = 0;
        }
        if !self.drawn.is_empty() {
            self.draw_line_up(e);
        }
        let began = match self.kind.options.match_play {
            true => self.begin_match(e, seed, index),
            false => {
                self.seat_opponents(e, seed, index);
                match self.starts.is_empty() && self.next_starts.is_empty() {
                    true => self.many.start(e, seed, index),
                    false => self.start_elsewhere(e, seed, index),
                }
            }
        };
        let settled = match began {
            Ok(()) => self.advance_to_learner::<BMI>(e),
            Err(error) => Err(error),
        };
        self.metas[e].phase = match settled {
            Ok(true) => EnvPhase::Playing,
            Ok(false) => {
                self.metas[e].ended = EpisodeEnd::Over;
                EnvPhase::OverAtStart
            }
            Err(error) => {
                self.abort(e, *error);
                EnvPhase::OverAtStart
            }
        };
        if self.kind.measured.is_some() {
            self.begin_measures(e);
        }
    }

    #[inline(always)]
    fn seat_opponents(&mut self, e: usize, seed: u64, index: u64) {
        if self.kind.self_play() {
            return;
        }
        let random = self.kind.all_random();
        let own = self.metas[e].seat as usize;
        for seat in (0..self.kind.players).filter(|seat| *seat != own) {
            let of = &mut self.streams[e * self.kind.players + seat];
            of[0] = Stream::new(seed, index, seat as u64 + 1);
            if !random {
                of[1] = agent_stream(seed, index, Seat(seat as u32));
            }
        }
    }

    /// Aborts an episode with an error.
    #[cold]
    #[inline(never)]
    pub(super) fn abort(&mut self, e: usize, error: RuntimeError) {
        let limit = matches!(error.kind, RuntimeErrorKind::Limit { .. });
        self.metas[e].ended = if limit { EpisodeEnd::Limit } else { EpisodeEnd::Aborted };
        self.many.stop(e);
        self.errors.insert(e, error);
    }

    /// Advances to the learner's next decision or to the end of the episode. Returns `true` if the learner must
    /// decide.
    #[inline(always)]
    pub(super) fn advance_to_learner<const BMI: bool>(
        &mut self,
        e: usize,
    ) -> Result<bool, Box<RuntimeError>> {
        loop {
            if !self.many.is_waiting(e) {
                if !self.matches.is_empty() && self.next_game(e)? {
                    continue;
                }
                return Ok(false);
            }
            let action = if self.kind.options.skip_forced && self.many.legal_count(e) == 1 {
                self.many.any_action::<BMI>(e, &mut Stream::from_words([0; 4]))
            } else if self.kind.self_play() {
                return Ok(true);
            } else {
                match self.many.current_player(e) {
                    Some(player) if player != self.metas[e].seat => self.opponent::<BMI>(e, player)?,
                    _ => return Ok(true),
                }
            };
            let Some(action) = action else { return Err(self.illegal_choice(e, None)) };
            match self.many.apply(e, action, &mut 0) {
                Ok(()) => {}
                Err(Rejection::Failed(error)) => return Err(error),
                Err(Rejection::Illegal) => return Err(self.illegal_choice(e, Some(ActionId(action)))),
            }
        }
    }

    /// The error of an opponent that chose no legal action.
    #[cold]
    #[inline(never)]
    fn illegal_choice(&mut self, e: usize, action: Option<ActionId>) -> Box<RuntimeError> {
        let state = self.state(e);
        let seat = state.current_player().unwrap_or(Seat(0));
        let agent = self.agents.get(self.agent_of(e, seat)).map_or(&Random as &dyn Agent, |agent| &**agent);
        Box::new(illegal_choice(&state, agent, action))
    }

    /// Returns the action of an opponent.
    #[inline(always)]
    fn opponent<const BMI: bool>(&mut self, e: usize, player: u32) -> Result<Option<u32>, Box<RuntimeError>> {
        let at = e * self.kind.players + player as usize;
        let agent = self.agent_of(e, Seat(player));
        match self.kind.agents.as_ref().map(|kinds| &kinds[agent]) {
            Some(Some(AgentKind::Random)) => Ok(self.many.random_action::<BMI>(e, &mut self.streams[at][0])),
            _ => self.agent_action(e, player, agent, at),
        }
    }

    /// Returns the action of an agent that needs a state.
    #[inline(never)]
    fn agent_action(
        &mut self,
        e: usize,
        player: u32,
        agent: usize,
        at: usize,
    ) -> Result<Option<u32>, Box<RuntimeError>> {
        let state = self.state.get_or_insert_with(|| self.many.any_state(e));
        self.many.store(e, state);
        state.tell_seed(self.metas[e].seed, self.metas[e].index);
        *state.seat_stream(Seat(player)) = self.streams[at][0];
        let chosen = self.agents[agent].choose(&mut state.seen_by(Seat(player)), &mut self.streams[at][1]);
        self.streams[at][0] = *state.seat_stream(Seat(player));
        self.many.give_back(state);
        Ok(chosen?.map(|action| action.0))
    }

    #[inline(never)]
    fn begin_match(&mut self, e: usize, seed: u64, number: u64) -> Result<(), Box<RuntimeError>> {
        let Some(play) = Match::new(&self.kind.game, seed, number) else { return Ok(()) };
        self.matches[e] = Some(play);
        self.begin_game(e)
    }

    /// Begins the next game of the match.
    fn begin_game(&mut self, e: usize) -> Result<(), Box<RuntimeError>> {
        let Some(play) = &mut self.matches[e] else { return Ok(()) };
        let start = play.next_start();
        // An error before the game has begun ends the episode, so it must not look like a game in play.
        self.many.stop(e);
        let state = play.start()?;
        self.many.load(e, &state);
        self.seat_opponents(e, start.seed, start.index);
        Ok(())
    }

    /// Enters the finished game into the match. Returns `true` if it began another game.
    #[inline(never)]
    fn next_game(&mut self, e: usize) -> Result<bool, Box<RuntimeError>> {
        if !self.many.is_over(e) {
            return Ok(false);
        }
        // Use a new state: the match keeps it, and it must not share anything with other environments.
        let state = self.state(e);
        let Some(play) = &mut self.matches[e] else { return Ok(false) };
        play.enter(&state)?;
        if play.is_over() {
            return Ok(false);
        }
        self.begin_game(e)?;
        Ok(true)
    }

    /// Returns a step, which truncates the episode if the options allow no more.
    #[inline(always)]
    pub(super) fn limited(&mut self, e: usize, step: StepResult) -> StepResult {
        match self.kind.options.max_steps {
            Some(most) => self.limit_steps(e, most.get(), step),
            None => step,
        }
    }

    /// Counts a step. Truncates the episode if it goes on after as many steps as the options allow.
    #[inline(never)]
    fn limit_steps(&mut self, e: usize, most: u32, step: StepResult) -> StepResult {
        let meta = &mut self.metas[e];
        if meta.phase != EnvPhase::Playing {
            return step;
        }
        self.steps[e] += 1;
        if self.steps[e] < most {
            return step;
        }
        (meta.phase, meta.ended) = (EnvPhase::Over, EpisodeEnd::Steps);
        self.many.stop(e);
        StepResult { truncated: true, ..step }
    }

    /// Returns an environment's game as a state, without its history.
    pub(super) fn state(&mut self, e: usize) -> State {
        let start = self.start_of(e);
        let mut state = self.many.copied(e, &start);
        if !self.kind.self_play() {
            let own = self.metas[e].seat as usize;
            for seat in (0..self.kind.players).filter(|seat| *seat != own) {
                *state.seat_stream(Seat(seat as u32)) = self.streams[e * self.kind.players + seat][0];
            }
        }
        state
    }

    /// Returns how an environment's game started; in a match, its latest game.
    fn start_of(&self, e: usize) -> Start {
        match self.matches.get(e).and_then(Option::as_ref) {
            Some(play) if play.is_over() => {
                play.previous().map_or_else(Start::default, |s| s.started().clone())
            }
            Some(play) => play.next_start(),
            None => Start { seed: self.metas[e].seed, index: self.metas[e].index, ..Start::default() },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
#[inline(never)]
fn reset_fast(chunk: &mut Chunk, e: usize, seed: Option<u64>) {
    chunk.reset_now::<true>(e, seed);
}
