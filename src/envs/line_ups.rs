//! Mixtures of opponents: every episode draws the agents of the other seats.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::chunk::{Chunk, EnvPhase, OPPONENTS};
use super::config::{EnvConfig, Guests, SeatAgents, seat};
use super::group::EnvGroup;
use super::options::{EnvError, EnvOptions, LineUp, Opponents};
use super::{Env, VectorEnv};
use houserule_base::rng::Stream;
use houserule_game::Seat;
use rand::RngExt;

/// The line-ups of a mixture. Those of episodes that began before [`VectorEnv::set_opponents`] come first, and aren't
/// drawn any more.
#[derive(Clone, Debug)]
pub(super) struct LineUps {
    names: Vec<String>,
    /// The number of line-ups that aren't drawn any more.
    old: usize,
    /// By line-up that is drawn: the sum of the weights up to it, divided by the sum of all.
    shares: Vec<f64>,
}

impl LineUps {
    pub(super) fn new(line_ups: &[LineUp]) -> Result<LineUps, EnvError> {
        let weights: Vec<f64> = line_ups.iter().map(|one| one.weight).collect();
        let sum: f64 = weights.iter().sum();
        if !weights.iter().all(|weight| weight.is_finite() && *weight >= 0.0)
            || !sum.is_finite()
            || sum <= 0.0
        {
            return Err(EnvError::Weights);
        }
        let mut upto = 0.0;
        let share = |weight: f64| {
            upto += weight;
            upto / sum
        };
        let shares = weights.into_iter().map(share).collect();
        Ok(LineUps { names: line_ups.iter().map(|one| one.name.clone()).collect(), old: 0, shares })
    }

    /// The line-up of an episode.
    fn draw(&self, seed: u64, index: u64) -> u32 {
        let at: f64 = Stream::new(seed, index, OPPONENTS).random();
        // Rounding must not lead beyond the last line-up, nor to one of weight 0.
        let drawn = self.shares.partition_point(|share| *share <= at);
        let last = self.shares.partition_point(|share| *share < 1.0).min(self.shares.len() - 1);
        (self.old + drawn.min(last)) as u32
    }
}

impl EnvConfig {
    /// The names of all line-ups of a mixture.
    pub(super) fn line_up_names(&self) -> &[String] {
        self.line_ups.as_ref().map_or(&[], |line_ups| &line_ups.names)
    }
}

impl Chunk {
    /// The index of the agent of a seat in an environment.
    #[inline(always)]
    pub(super) fn agent_of(&self, e: usize, seat: Seat) -> usize {
        match self.drawn.is_empty() {
            true => seat.0 as usize,
            false => self.drawn[e] as usize * self.kind.players + seat.0 as usize,
        }
    }

    /// Draws the line-up of an environment's episode.
    #[inline(never)]
    pub(super) fn draw_line_up(&mut self, e: usize) {
        if let Some(line_ups) = &self.kind.line_ups {
            self.drawn[e] = line_ups.draw(self.metas[e].seed, self.metas[e].index);
        }
    }

    /// The line-up of a saved environment, after the number of those that aren't drawn any more.
    pub(super) fn line_up_word(&self, e: usize) -> Option<u64> {
        let (drawn, line_ups) = (self.drawn.get(e)?, self.kind.line_ups.as_ref()?);
        Some((line_ups.old as u64) << 32 | u64::from(*drawn))
    }

    /// Restores the line-up of a saved environment. If it isn't there any more, the episode draws another.
    pub(super) fn restore_line_up(&mut self, e: usize, word: u64) {
        let Some(line_ups) = &self.kind.line_ups else { return };
        let (then, drawn) = ((word >> 32) as usize, word as u32 as usize);
        let place = match then == line_ups.old {
            true => Some(drawn),
            false => drawn.checked_sub(then).map(|drawn| drawn + line_ups.old),
        };
        match place.filter(|place| *place < line_ups.names.len()) {
            Some(place) => self.drawn[e] = place as u32,
            None => self.draw_line_up(e),
        }
    }

    /// The line-ups of the episodes in progress.
    fn used(&self) -> BTreeSet<usize> {
        let used =
            |(e, _): (usize, &super::chunk::Meta)| self.drawn.get(e).map_or(0, |drawn| *drawn as usize);
        let playing = |(_, meta): &(usize, &super::chunk::Meta)| {
            matches!(meta.phase, EnvPhase::Playing | EnvPhase::OverAtStart)
        };
        self.metas.iter().enumerate().filter(playing).map(used).collect()
    }

    /// Keeps the line-ups in `used` before new ones.
    fn change_line_ups(&mut self, kind: &Arc<EnvConfig>, used: &[usize], new: &SeatAgents) {
        let players = kind.players;
        let mut old: Vec<_> = std::mem::take(&mut self.agents).into_iter().map(Some).collect();
        let kept = used.iter().flat_map(|line_up| line_up * players..(line_up + 1) * players);
        let mut agents: SeatAgents = kept.filter_map(|at| old[at].take()).collect();
        agents.extend(new.iter().map(|agent| agent.copy()));
        self.agents = agents;
        let drawn = |e: usize| self.drawn.get(e).map_or(0, |drawn| *drawn as usize);
        let place = |line_up: usize| used.iter().position(|one| *one == line_up).unwrap_or(0) as u32;
        self.drawn = (0..self.count()).map(|e| place(drawn(e))).collect();
        self.kind = Arc::clone(kind);
    }
}

/// Gives environments other opponents in later episodes.
fn set_opponents(
    kind: &mut Arc<EnvConfig>,
    groups: &mut [EnvGroup],
    opponents: Opponents,
    guests: Guests,
) -> Result<(), EnvError> {
    if opponents == Opponents::SelfPlay || kind.options.opponents == Opponents::SelfPlay {
        return Err(EnvError::SelfPlay);
    }
    let Some(mut chunks) = groups.iter_mut().map(EnvGroup::single_game).collect::<Option<Vec<&mut Chunk>>>()
    else {
        return Err(EnvError::RuleSets(
            "environments of several rule sets keep their opponents: make others with these opponents"
                .to_owned(),
        ));
    };
    let options = EnvOptions { opponents, ..kind.options.clone() };
    let (Some(kinds), Some(before)) = (options.agents(&kind.game)?, &kind.agents) else { return Ok(()) };
    let mut line_ups = match &options.opponents {
        Opponents::Mixture(line_ups) => LineUps::new(line_ups)?,
        Opponents::Agents(agents) => {
            let names: Vec<String> = agents.iter().map(ToString::to_string).collect();
            LineUps::new(&[LineUp { name: names.join(", "), weight: 1.0, agents: agents.clone() }])?
        }
        Opponents::SelfPlay => return Err(EnvError::SelfPlay),
    };
    let (names, seated) = seat(&kinds, guests, &kind.game)?;
    let used: Vec<usize> =
        chunks.iter().flat_map(|chunk| chunk.used()).collect::<BTreeSet<usize>>().into_iter().collect();
    let players = kind.players;
    let mut agents: Vec<_> =
        used.iter().flat_map(|line_up| before[line_up * players..][..players].to_vec()).collect();
    agents.extend(names);
    let name_of = |line_up: &usize| kind.line_up_names().get(*line_up).cloned().unwrap_or_default();
    line_ups.names.splice(0..0, used.iter().map(name_of));
    line_ups.old = used.len();
    let mut changed =
        EnvConfig { options, agents: Some(agents), line_ups: Some(line_ups), ..EnvConfig::clone(kind) };
    changed.takes_long = changed.may_take_long();
    *kind = Arc::new(changed);
    for chunk in &mut chunks {
        chunk.change_line_ups(kind, &used, &seated);
    }
    Ok(())
}

impl VectorEnv {
    /// Changes the opponents of later episodes; those in progress go on against theirs. `guests` are unnamed agents: an
    /// empty list, or an entry for each seat of each line-up. On an error nothing changes.
    pub fn set_opponents(&mut self, opponents: Opponents, guests: Guests) -> Result<(), EnvError> {
        set_opponents(&mut self.kind, &mut self.groups, opponents, guests)
    }

    /// The names of the line-ups of a mixture, which [`VectorEnv::line_up`] counts; empty without one.
    pub fn line_up_names(&self) -> &[String] {
        self.kind.line_up_names()
    }

    /// The index of the line-up in an environment's episode, or `None` without a mixture.
    ///
    /// # Panics
    /// If there is no such environment.
    pub fn line_up(&self, env: usize) -> Option<usize> {
        let (group, e) = self.at(env);
        let (chunk, e) = group.at(e);
        chunk.drawn.get(e).map(|drawn| *drawn as usize)
    }
}

impl Env {
    /// Changes the opponents of later episodes: see [`VectorEnv::set_opponents`].
    pub fn set_opponents(&mut self, opponents: Opponents, guests: Guests) -> Result<(), EnvError> {
        set_opponents(&mut self.kind, std::slice::from_mut(&mut self.group), opponents, guests)
    }

    /// The name of the line-up of the episode, or `None` without a mixture.
    pub fn line_up(&self) -> Option<&str> {
        let (chunk, slot) = self.group.at(0);
        let drawn = *chunk.drawn.get(slot)?;
        self.kind.line_up_names().get(drawn as usize).map(String::as_str)
    }
}
