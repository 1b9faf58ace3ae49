//! Rewards from values besides the plain score and outcome: margins, expressions of the rule language, potentials.
//!
//! The expressions are compiled with the rules, into a game that plays exactly as the one without them.

use super::EpisodeEnd;
use super::chunk::{Chunk, EnvPhase, StepResult};
use super::config::EnvConfig;
use super::options::{EnvError, EnvOptions, LoadMeasured, Potential, Reward};
use houserule_game::{Game, RuntimeError, Seat};
use houserule_language::variants::MeasureText;
use houserule_model::ScoreDirection;

/// What a reward is before a potential shapes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BaseReward {
    /// The score or outcome, which the step has already computed.
    Plain,
    /// The change of the margin.
    Margin,
    /// The change of the first measure of the game.
    Expression,
}

/// How a reward comes from measured values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Measured {
    base: BaseReward,
    /// The index of the potential among the measures of the game, and the discount.
    potential: Option<(usize, f64)>,
}

/// The values of a seat with which the next step compares.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MeasuredValues {
    /// The margin or the expression.
    base: i64,
    potential: i64,
}

impl MeasuredValues {
    pub(super) fn to_words(self) -> [u64; 2] {
        [self.base as u64, self.potential as u64]
    }

    pub(super) fn from_words(words: [u64; 2]) -> MeasuredValues {
        let [base, potential] = words;
        MeasuredValues { base: base as i64, potential: potential as i64 }
    }
}

impl Measured {
    /// Returns how rewards are measured, and the game with the expressions, if there are any.
    pub(super) fn new(
        game: &Game,
        options: &EnvOptions,
    ) -> Result<(Option<Measured>, Option<Game>), EnvError> {
        let mut measures = vec![];
        let base = match &options.reward {
            Reward::Auto | Reward::Score | Reward::Outcome | Reward::Payoff => BaseReward::Plain,
            Reward::Margin => BaseReward::Margin,
            Reward::Expression(text) => {
                measures.push(MeasureText { name: "reward".to_owned(), text: text.clone() });
                BaseReward::Expression
            }
        };
        let mut potential = None;
        if let Some(Potential { expression, gamma }) = &options.potential {
            if !(0.0..=1.0).contains(gamma) {
                return Err(EnvError::Gamma(*gamma));
            }
            potential = Some((measures.len(), *gamma));
            measures.push(MeasureText { name: "potential".to_owned(), text: expression.clone() });
        }
        if base == BaseReward::Plain && potential.is_none() {
            return Ok((None, None));
        }
        let measured = Some(Measured { base, potential });
        if measures.is_empty() {
            return Ok((measured, None));
        }
        if options.match_play {
            return Err(EnvError::MeasuredMatch);
        }
        let Some(LoadMeasured(load)) = options.load_measured else {
            return Err(EnvError::Expression(
                "expressions as rewards or potentials need `EnvOptions::load_measured`".to_owned(),
            ));
        };
        match load(&game.sheet().origin.measuring(measures)) {
            Ok(game) => Ok((measured, Some(game))),
            Err(error) => Err(EnvError::Expression(format!(
                "a reward is \"auto\", \"score\", \"outcome\", \"payoff\", \"margin\" or an expression of the rules, and a potential is \
                 such an expression:\n{error}"
            ))),
        }
    }
}

/// The number of rewards by payoff among the kinds of plain rewards, which are 0 by outcome and 1 by score.
const PAYOFF: u64 = 4;

impl EnvConfig {
    /// Returns a number for the kind of reward, by which saved environments find their like.
    pub(super) fn rewards_code(&self) -> u64 {
        let plain = if self.rewards_payoff { PAYOFF } else { self.rewards_score.into() };
        let Some(measured) = self.measured else { return plain };
        let base = match measured.base {
            BaseReward::Plain => plain,
            BaseReward::Margin => 2,
            BaseReward::Expression => 3,
        };
        // FNV-1a of the expressions and the discount.
        let texts =
            self.game.sheet().origin.measures.iter().flat_map(|measure| measure.text.bytes().chain([0]));
        let gamma = measured.potential.map_or(0, |(_, gamma)| gamma.to_bits()).to_le_bytes();
        let hash = texts.chain(gamma).fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        hash << 4 | u64::from(measured.potential.is_some()) << 3 | base
    }
}

impl Chunk {
    /// Forgets the values of the episode before.
    pub(super) fn forget_measures(&mut self, e: usize) {
        let players = self.kind.players;
        self.measured[e * players..][..players].fill(MeasuredValues::default());
    }

    /// Notes the margins in a position from which an episode starts: only their changes are rewards.
    pub(super) fn note_margins(&mut self, e: usize) -> Result<(), Box<RuntimeError>> {
        if self.kind.measured.is_some_and(|measured| measured.base == BaseReward::Margin) {
            self.many.compute_scores(e)?;
            for seat in 0..self.kind.players {
                self.measured[e * self.kind.players + seat].base = self.margin(e, seat as u32);
            }
        }
        Ok(())
    }

    /// Notes the values at the beginning of an episode. If they can't be computed, the episode is over.
    #[inline(never)]
    pub(super) fn begin_measures(&mut self, e: usize) {
        let (Some(measured), players) = (self.kind.measured, self.kind.players) else { return };
        if matches!(self.metas[e].ended, EpisodeEnd::Limit | EpisodeEnd::Aborted) {
            return;
        }
        if let Err(error) = self.work_out_measures(e, measured) {
            self.abort(e, *error);
            self.metas[e].phase = EnvPhase::OverAtStart;
            return;
        }
        for seat in 0..players {
            let mut values = self.measured_values(e, measured, seat as u32);
            let noted = &mut self.measured[e * players + seat];
            if measured.base == BaseReward::Margin {
                // Like scores, margins count from 0 or from the position in which the episode starts.
                values.base = noted.base;
            }
            *noted = values;
        }
    }

    fn work_out_measures(&mut self, e: usize, measured: Measured) -> Result<(), Box<RuntimeError>> {
        if measured.base == BaseReward::Margin {
            self.many.compute_scores(e)?;
        }
        self.many.measure(e)
    }

    fn measured_values(&self, e: usize, measured: Measured, seat: u32) -> MeasuredValues {
        let base = match measured.base {
            BaseReward::Plain => 0,
            BaseReward::Margin => self.margin(e, seat),
            BaseReward::Expression => self.many.measured(e, seat, 0),
        };
        MeasuredValues {
            base,
            potential: measured.potential.map_or(0, |(k, _)| self.many.measured(e, seat, k)),
        }
    }

    /// How much better a player's score is than the best of the others.
    fn margin(&self, e: usize, seat: u32) -> i64 {
        let direction = self.kind.game.model().score_direction;
        let own = self.score(e, Seat(seat));
        let others = (0..self.kind.players as u32).filter(|other| *other != seat);
        let best = direction.best(others.map(|other| self.score(e, Seat(other)))).unwrap_or(0);
        match direction {
            ScoreDirection::Most => own.saturating_sub(best),
            ScoreDirection::Least => best.saturating_sub(own),
        }
    }

    /// Completes the rewards of a step that began in a phase. If the values can't be computed, the episode is
    /// aborted.
    #[inline(never)]
    pub(super) fn measured_step(
        &mut self,
        e: usize,
        measured: Measured,
        phase: EnvPhase,
        step: StepResult,
        seats: &mut [f64],
    ) -> StepResult {
        if matches!(phase, EnvPhase::New | EnvPhase::Over) {
            return step;
        }
        let ended = self.metas[e].ended;
        if let Err(error) = self.work_out_measures(e, measured) {
            seats.fill(0.0);
            // An error that has already aborted the episode explains this one.
            if !step.truncated {
                self.abort(e, *error);
                self.metas[e].phase = EnvPhase::Over;
            }
            return StepResult { reward: 0.0, terminated: false, truncated: true };
        }
        let players = self.kind.players;
        let own = self.metas[e].seat as usize;
        let penalized = step.terminated && ended == EpisodeEnd::IllegalAction;
        let mut step = step;
        for seat in 0..players {
            if seat != own && !self.kind.self_play() {
                continue;
            }
            let now = self.measured_values(e, measured, seat as u32);
            let before = std::mem::replace(&mut self.measured[e * players + seat], now);
            let plain = if seat == own { step.reward } else { seats.get(seat).copied().unwrap_or(0.0) };
            let base = match measured.base {
                BaseReward::Margin | BaseReward::Expression if !penalized => {
                    (i128::from(now.base) - i128::from(before.base)) as f64
                }
                BaseReward::Plain | BaseReward::Margin | BaseReward::Expression => plain,
            };
            let shaped = measured.potential.map_or(0.0, |(_, gamma)| {
                let after = if step.terminated { 0.0 } else { gamma * now.potential as f64 };
                after - before.potential as f64
            });
            let reward = base + shaped;
            if let Some(to) = seats.get_mut(seat).filter(|_| self.kind.self_play()) {
                *to = reward;
            }
            if seat == own {
                step.reward = reward;
            }
        }
        step
    }
}
