//! Games of one or two sets of rules, played chunk by chunk. After each chunk, everything is that of a single run of so
//! many games, except by agents that are trained: of these only the end is.
//!
//! A run has stages. In the first, all agents that need no training play together. Each agent that is trained has a
//! stage of its own, in which its players are trained one by one before they play.

use std::ops::Range;

use super::{
    ComparePlan, GamePair, PairSums, TRAININGS, begun, corrected, last_index, part_of_training, seats,
};
use crate::comparison::{AgentComparison, Comparison, RunSamples};
use crate::cost::TRIED;
use crate::plan::SimulateError;
use houserule_base::parts::Parts;
use houserule_base::statistics::paired::variance_between;
use houserule_game::Game;
use houserule_players::agents::{Agent, AgentError, AgentKind};
use houserule_players::learned::{TrainingObserver, can_learn};

/// Work of a chunk, in random decisions: about a tenth of a second.
const CHUNK_WORK: u64 = 300_000;

/// Work of a run whose number of games isn't given, and the most games of it.
const USUAL_WORK: u64 = 20_000_000;
const MOST_USUAL: u64 = 10_000;

/// Games of one or two sets of rules.
pub struct GamesRun {
    /// The same game twice if there is no other to compare with.
    games: [Game; 2],
    alone: bool,
    plan: ComparePlan,
    /// The agents of all stages, in their order.
    agents: Vec<SeatedRun>,
    /// The number of agents of the first stage; each later one has a stage of its own. 0 if all agents are trained.
    ready: usize,
    /// The first of the agents that played last.
    latest: usize,
    of: u64,
}

/// The games of an agent in all seats.
struct SeatedRun {
    kind: AgentKind,
    /// The players of each training, and the sums of their games. One for an agent that isn't trained.
    trainings: Vec<TrainedRun>,
    /// Games in a chunk.
    chunk: u64,
    /// The number of games played.
    played: u64,
}

/// The players of a training, and the sums of their games.
struct TrainedRun {
    /// The players of each of the games, once they are trained.
    seated: Vec<Vec<Box<dyn Agent>>>,
    sums: PairSums,
}

/// What was found of a quantity, for each game.
#[derive(Clone, Debug, PartialEq)]
pub struct RunFigure {
    /// Its name in text.
    pub label: String,
    /// The agent.
    pub agent: String,
    /// The mean in each game, with the ends of its interval.
    pub means: Vec<[Option<f64>; 3]>,
    /// The difference of two games, with the ends of its interval.
    pub difference: Option<[Option<f64>; 3]>,
}

struct PlayerTraining<'t>(&'t mut dyn FnMut(f64));

impl TrainingObserver for PlayerTraining<'_> {
    fn played(&mut self, _games: u64, share: f64) {
        (self.0)(share);
    }
}

impl GamesRun {
    /// Prepares games of `b`, compared with `a` if it is given. Agents are seated, or trained if they need it, by
    /// [`GamesRun::step`].
    pub fn new(a: Option<&Game>, b: &Game, mut plan: ComparePlan) -> Result<GamesRun, SimulateError> {
        plan.match_play = false;
        // Agents that are trained play last.
        plan.agents.sort_by_key(AgentKind::trains);
        let ready = plan.agents.iter().filter(|kind| !kind.trains()).count();
        let games = [a.unwrap_or(b).clone(), b.clone()];
        if ready < plan.agents.len() {
            for game in &games {
                can_learn(game).map_err(|error| SimulateError::Agent(AgentError::Learn(error)))?;
            }
        }
        let parts = Parts::here();
        let pair = GamePair::new(&games[0], &games[1], false, &parts, "");
        let mut of = plan.games;
        let mut agents = vec![];
        for kind in &plan.agents {
            let work = games.each_ref().map(|game| work_of_random(game, kind));
            let work = work[0].saturating_add(work[1]).max(1);
            let usual = (USUAL_WORK.saturating_mul(TRIED) / work).clamp(10, MOST_USUAL);
            of = of.map_or(Some(usual), |of| Some(if plan.games.is_none() { of.min(usual) } else { of }));
            let trainings = if kind.trains() { TRAININGS } else { 1 };
            let mut seated = SeatedRun {
                kind: kind.clone(),
                trainings: (0..trainings).map(|_| TrainedRun { seated: vec![], sums: pair.sums() }).collect(),
                chunk: (CHUNK_WORK * TRIED / work).max(1),
                played: 0,
            };
            // An agent that can't play a game is refused at once.
            while !kind.trains() && seated.seat_next(&games, &mut |_| {})? {}
            agents.push(seated);
        }
        let of = of.unwrap_or(0);
        for game in &games {
            last_index(game, false, plan.first, of)?;
        }
        for agent in &mut agents {
            // Fewer games than trainings need fewer of these.
            agent.trainings.truncate(of.max(1) as usize);
        }
        Ok(GamesRun { alone: a.is_none(), games, plan, agents, ready, latest: 0, of })
    }

    /// The agents that play or are trained next, or played last at the end.
    fn stage(&self) -> Range<usize> {
        if self.ready > 0 && self.agents[0].played < self.of {
            return 0..self.ready;
        }
        let next = self.agents.iter().position(|agent| agent.played < self.of);
        match next.unwrap_or_else(|| self.agents.len().saturating_sub(1)) {
            last if last < self.ready => 0..self.ready,
            at => at..at + 1,
        }
    }

    /// The number of games of each agent that played last: a contiguous prefix.
    pub fn played(&self) -> u64 {
        self.agents.get(self.latest).map_or(0, |agent| agent.played)
    }

    /// The number of games to play with each agent.
    pub fn games(&self) -> u64 {
        self.of
    }

    /// The agents that have played.
    pub fn players(&self) -> String {
        let have_played = self.agents.iter().filter(|agent| agent.played > 0);
        have_played.map(|agent| agent.kind.to_string()).collect::<Vec<_>>().join(", ")
    }

    /// Returns `true` if the next step trains a player, which takes many seconds.
    pub fn trains_next(&self) -> bool {
        let stage = &self.agents[self.stage()];
        stage.iter().any(|agent| agent.played < self.of && !agent.is_seated())
    }

    /// Returns `true` if all games of the first stage are played, and the next step trains the first player.
    pub fn is_before_training(&self) -> bool {
        let at = self.stage().start;
        at > 0 && at == self.ready && self.agents[at].is_untouched()
    }

    /// Plays the next chunk, or trains the next player. `trained` follows the share of all training of this agent, from
    /// 0 to 1. Returns `true` if there is more.
    pub fn step(&mut self, trained: &mut dyn FnMut(f64)) -> Result<bool, SimulateError> {
        let stage = self.stage();
        if self.trains_next() {
            for agent in &mut self.agents[stage] {
                agent.seat_next(&self.games, trained)?;
            }
            return Ok(true);
        }
        self.latest = stage.start;
        let played = self.played();
        let chunk = self.agents[stage.clone()].iter().map(|agent| agent.chunk).min().unwrap_or(1);
        // The first bars are to be seen soon.
        let chunk = if played == 0 { chunk.div_ceil(4) } else { chunk };
        let range = played..self.of.min(played + chunk);
        let parts = Parts::here();
        let pair = GamePair::new(&self.games[0], &self.games[1], false, &parts, "");
        for agent in &mut self.agents[stage] {
            agent.play(&pair, range.clone(), self.of, &self.plan, self.alone);
        }
        Ok(self.agents.last().is_some_and(|agent| agent.played < self.of))
    }

    /// What was found so far of each quantity, without a verdict.
    pub fn figures(&self) -> Vec<RunFigure> {
        let parts = Parts::here();
        let pair = GamePair::new(&self.games[0], &self.games[1], false, &parts, "");
        let mut all = vec![];
        for agent in self.agents.iter().filter(|agent| agent.played > 0) {
            if self.alone {
                let columns = pair.shared.iter().map(|(at, _)| &pair.columns[0][*at]);
                let sums = agent.sums(&pair);
                let shares_wins = sums.shares_wins;
                let of = columns.zip(&sums.shared).enumerate().filter(|(_, (column, sums))| {
                    let is_told = column.side_key(&self.games[0]).is_none();
                    is_told && !(column.kind.is_omitted_at_zero && sums.is_constant() && sums.mean(0) == 0.0)
                });
                all.extend(of.map(|(number, (column, sums))| {
                    let [_, low, high] = column.interval(sums, agent.between(number, 0));
                    let mean = (sums.pairs() > 0).then(|| sums.mean(0));
                    let means = vec![[mean, low, high]];
                    let label = column.label(&self.games[0], shares_wins);
                    RunFigure { label, agent: agent.kind.to_string(), means, difference: None }
                }));
            } else {
                let found = agent.comparison(&pair);
                let quantities = found.quantities.into_iter().filter(|quantity| quantity.same_as.is_none());
                all.extend(quantities.map(|quantity| RunFigure {
                    label: quantity.label,
                    agent: agent.kind.to_string(),
                    means: vec![[Some(quantity.a.mean), None, None], [Some(quantity.b.mean), None, None]],
                    difference: Some([Some(quantity.difference), quantity.low, quantity.high]),
                }));
            }
        }
        all
    }

    /// How often each value of the first quantity that is worth a picture occurred: the score, or a count. Also the
    /// figures of that quantity.
    pub fn samples(&self) -> Option<(RunSamples, Vec<[Option<f64>; 3]>)> {
        let parts = Parts::here();
        let pair = GamePair::new(&self.games[0], &self.games[1], false, &parts, "");
        let (number, agent) = (pair.shown?, self.agents.first()?);
        let column = &pair.columns[0][pair.shared[number].0];
        let sides = if self.alone { 1 } else { 2 };
        let all = agent.sums(&pair);
        let sums = &all.shared[number];
        let mean = |side: usize| {
            let sums = sums.of_side(side);
            let [_, low, high] = column.interval(&sums, agent.between(number, side));
            [(sums.pairs() > 0).then(|| sums.mean(0)), low, high]
        };
        let samples = RunSamples { histograms: all.samples[..sides].to_vec(), ..pair.samples(&all)? };
        Some((samples, (0..sides).map(mean).collect()))
    }

    /// The comparison by the agents whose results are final: those of the first stage once it is over, and all at the end.
    /// `None` before that, or without another game to compare with.
    pub fn settled(&self) -> Option<Comparison> {
        let is_over = |agents: &[SeatedRun]| agents.iter().all(|agent| agent.played >= self.of);
        match self.agents.split_at(self.ready) {
            _ if is_over(&self.agents) => self.comparison_of(&self.agents),
            (ready, _) if is_over(ready) => self.comparison_of(ready),
            _ => None,
        }
    }

    /// The comparison by the agents of the first stage, once others play. `None` before that.
    pub fn settled_before(&self) -> Option<Comparison> {
        if self.latest < self.ready { None } else { self.comparison_of(&self.agents[..self.ready]) }
    }

    fn comparison_of(&self, agents: &[SeatedRun]) -> Option<Comparison> {
        if self.alone || agents.is_empty() {
            return None;
        }
        let [a, b] = &self.games;
        let parts = Parts::here();
        let pair = GamePair::new(a, b, false, &parts, "");
        let mut found = begun(a, b, &self.plan);
        if found.same_rules {
            return Some(found);
        }
        for agent in agents {
            found.requested.push(agent.played);
            found.agents.push(agent.comparison(&pair));
            let sums = agent.sums(&pair);
            for (first, aborted) in found.first_aborted.iter_mut().zip(&sums.first_aborted) {
                *first =
                    first.take().or_else(|| aborted.clone().map(|aborted| (agent.kind.clone(), aborted)));
            }
        }
        corrected(&mut found, [a, b], &self.plan);
        Some(found)
    }
}

impl SeatedRun {
    fn is_seated(&self) -> bool {
        self.trainings.iter().all(|training| training.seated.len() == 2)
    }

    fn is_untouched(&self) -> bool {
        self.played == 0 && self.trainings.iter().all(|training| training.seated.is_empty())
    }

    /// Seats the next players of one of the games; agents that are trained are trained first. Returns `true` if there
    /// are more.
    fn seat_next(&mut self, games: &[Game; 2], trained: &mut dyn FnMut(f64)) -> Result<bool, SimulateError> {
        let all = 2 * self.trainings.len();
        let before: usize = self.trainings.iter().map(|training| training.seated.len()).sum();
        let Some(training) = self.trainings.get_mut(before / 2) else { return Ok(false) };
        let mut told = |share: f64| trained((before as f64 + share) / all as f64);
        told(0.0);
        let (game, seed) = (&games[training.seated.len()], 1 + before as u64 / 2);
        training.seated.push(seats(game, &self.kind, seed, &mut PlayerTraining(&mut told))?);
        told(1.0);
        Ok(before + 1 < all)
    }

    /// The sums of all trainings.
    fn sums(&self, pair: &GamePair<'_>) -> PairSums {
        let mut all = pair.sums();
        self.trainings.iter().for_each(|training| all.merge(&training.sums));
        all
    }

    /// The sums of the trainings whose players have played.
    fn sums_of_trainings(&self) -> Vec<&PairSums> {
        self.trainings.iter().map(|training| &training.sums).filter(|sums| sums.pairs > 0).collect()
    }

    /// The variance of a mean between trainings, beyond that of their games.
    fn between(&self, number: usize, side: usize) -> f64 {
        let of = |sums: &PairSums| {
            let sums = &sums.shared[number];
            (sums.mean(side), sums.error(side).powi(2))
        };
        variance_between(&self.sums_of_trainings().into_iter().map(of).collect::<Vec<_>>())
    }

    fn comparison(&self, pair: &GamePair<'_>) -> AgentComparison {
        pair.comparison(&self.kind, &self.sums(pair), &self.sums_of_trainings())
    }

    /// Plays games, of which each training plays its part, of `of` in all.
    fn play(&mut self, pair: &GamePair<'_>, range: Range<u64>, of: u64, plan: &ComparePlan, alone: bool) {
        let count = self.trainings.len() as u64;
        for (at, training) in (0..).zip(&mut self.trainings) {
            let TrainedRun { seated, sums } = training;
            let own = part_of_training(of, at, count);
            let own = own.start.max(range.start)..own.end.min(range.end);
            if own.is_empty() {
                continue;
            }
            let mut measures = [0, 1].map(|side| pair.measure(side, &seated[side], plan));
            for number in own {
                houserule_base::interrupt::check();
                let number = plan.first + number;
                match alone {
                    true => pair.single(number, &mut measures[0], sums),
                    false => pair.pair(number, &mut measures, sums),
                }
            }
        }
        self.played = range.end;
    }
}

/// Estimates the work of [`TRIED`] games of an agent, in random decisions, from as many random games: those of a slow
/// agent would take long.
fn work_of_random(game: &Game, kind: &AgentKind) -> u64 {
    let mut work = 0u64;
    for index in 0..TRIED {
        let Ok(mut state) = game.start(0, index) else { continue };
        while let Some(action) = state.random_action() {
            work = work.saturating_add(1 + kind.work(&state));
            if state.apply(action).is_err() {
                break;
            }
        }
    }
    work
}
