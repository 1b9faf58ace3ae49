//! Games of one or two sets of rules, played chunk by chunk. After each chunk, everything is that of a single run of so
//! many games.

use std::ops::Range;

use super::{ComparePlan, GamePair, PairSums, SeatedPair, begun, corrected, last_index, seats};
use crate::agents::learned::TrainingObserver;
use crate::agents::{AgentError, AgentKind};
use crate::game::Game;
use crate::parts::Parts;
use crate::playtest::comparison::Comparison;
use crate::playtest::cost::TRIED;
use crate::playtest::measure::MetricColumn;
use crate::playtest::metric::Subject;
use crate::playtest::plan::SimulateError;
use crate::statistics::Histogram;

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
    agents: Vec<SeatedRun>,
    of: u64,
    played: u64,
}

/// The games of an agent in all seats.
struct SeatedRun {
    kind: AgentKind,
    seated: SeatedPair,
    sums: PairSums,
    /// Of the quantity that is shown, for each of the games.
    histograms: [Histogram; 2],
    /// Games in a chunk.
    chunk: u64,
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

/// How often each value of a quantity occurred.
#[derive(Clone, Debug, PartialEq)]
pub struct RunSamples {
    /// Its name in text.
    pub label: String,
    /// The values are in units of 1/`scale`.
    pub scale: i64,
    /// For each game, with the first agent.
    pub histograms: Vec<Histogram>,
}

struct NoTraining;

impl TrainingObserver for NoTraining {
    fn played(&mut self, _games: u64, _share: f64) {}
}

impl GamesRun {
    /// Prepares games of `b`, compared with `a` if it is given.
    pub fn new(a: Option<&Game>, b: &Game, mut plan: ComparePlan) -> Result<GamesRun, SimulateError> {
        plan.match_play = false;
        let games = [a.unwrap_or(b).clone(), b.clone()];
        let trained = plan.agents.iter().find(|kind| kind.trains());
        if let Some(kind) = trained {
            let why = format!("`{kind}` has to be trained first: train it, and name its file");
            return Err(SimulateError::Agent(AgentError::Own(why)));
        }
        let parts = Parts::here();
        let pair = GamePair::new(&games[0], &games[1], false, (&parts, ""));
        let mut of = plan.games;
        let mut agents = vec![];
        for kind in &plan.agents {
            let work = games.each_ref().map(|game| work_of_random(game, kind));
            let work = work[0].saturating_add(work[1]).max(1);
            let usual = (USUAL_WORK.saturating_mul(TRIED) / work).clamp(10, MOST_USUAL);
            of = of.map_or(Some(usual), |of| Some(if plan.games.is_none() { of.min(usual) } else { of }));
            let seated =
                [seats(&games[0], kind, 1, &mut NoTraining)?, seats(&games[1], kind, 1, &mut NoTraining)?];
            agents.push(SeatedRun {
                kind: kind.clone(),
                seated,
                sums: pair.sums(),
                histograms: Default::default(),
                chunk: (CHUNK_WORK * TRIED / work).max(1),
            });
        }
        let of = of.unwrap_or(0);
        for game in &games {
            last_index(game, false, plan.first, of)?;
        }
        Ok(GamesRun { alone: a.is_none(), games, plan, agents, of, played: 0 })
    }

    /// The number of games played with each agent: a contiguous prefix.
    pub fn played(&self) -> u64 {
        self.played
    }

    /// The number of games to play with each agent.
    pub fn games(&self) -> u64 {
        self.of
    }

    /// Who plays.
    pub fn players(&self) -> String {
        self.plan.agents.iter().map(AgentKind::to_string).collect::<Vec<_>>().join(", ")
    }

    /// Plays the next chunk. Returns `true` if there is more.
    pub fn step(&mut self) -> bool {
        let chunk = self.agents.iter().map(|agent| agent.chunk).min().unwrap_or(1);
        // The first bars are to be seen soon.
        let chunk = if self.played == 0 { chunk.div_ceil(4) } else { chunk };
        let range = self.played..self.of.min(self.played + chunk);
        let parts = Parts::here();
        let pair = GamePair::new(&self.games[0], &self.games[1], false, (&parts, ""));
        let shown = shown(&pair);
        let first = self.plan.first;
        for agent in &mut self.agents {
            agent.play(&pair, first + range.start..first + range.end, &self.plan, shown, self.alone);
        }
        self.played = range.end;
        self.played < self.of
    }

    /// What was found so far of each quantity, without a verdict.
    pub fn figures(&self) -> Vec<RunFigure> {
        let parts = Parts::here();
        let pair = GamePair::new(&self.games[0], &self.games[1], false, (&parts, ""));
        let mut all = vec![];
        for agent in &self.agents {
            if self.alone {
                let columns = pair.shared.iter().map(|(at, _)| &pair.columns[0][*at]);
                let of = columns.zip(&agent.sums.shared).filter(|(column, sums)| {
                    !(column.kind.is_omitted_at_zero && sums.is_constant() && sums.mean(0) == 0.0)
                });
                all.extend(of.map(|(column, sums)| {
                    let [_, low, high] = column.interval(sums, 0.0);
                    let mean = (sums.pairs() > 0).then(|| sums.mean(0));
                    let means = vec![[mean, low, high]];
                    let (label, agent) = (column.label(&self.games[0]), agent.kind.to_string());
                    RunFigure { label, agent, means, difference: None }
                }));
            } else if agent.sums.pairs > 0 {
                let found = pair.found(&agent.kind, &agent.sums, std::slice::from_ref(&agent.sums));
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
        let pair = GamePair::new(&self.games[0], &self.games[1], false, (&parts, ""));
        let (number, agent) = (shown(&pair)?, self.agents.first()?);
        let column = &pair.columns[0][pair.shared[number].0];
        let sides = if self.alone { 1 } else { 2 };
        let sums = &agent.sums.shared[number];
        let mean = |side: usize| {
            let sums = sums.of_side(side);
            let [_, low, high] = column.interval(&sums, 0.0);
            [(sums.pairs() > 0).then(|| sums.mean(0)), low, high]
        };
        let samples = RunSamples {
            label: column.label(&self.games[0]),
            scale: column.scale,
            histograms: agent.histograms[..sides].to_vec(),
        };
        Some((samples, (0..sides).map(mean).collect()))
    }

    /// The comparison of the games played so far. Without another game to compare with, there is none.
    pub fn comparison(&self) -> Option<Comparison> {
        let [a, b] = &self.games;
        let parts = Parts::here();
        let pair = GamePair::new(a, b, false, (&parts, ""));
        let mut found = begun(a, b, &self.plan);
        if self.alone || found.same_rules {
            return (!self.alone).then_some(found);
        }
        found.requested = vec![self.played; self.agents.len()];
        for agent in &self.agents {
            found.agents.push(pair.found(&agent.kind, &agent.sums, std::slice::from_ref(&agent.sums)));
            for (first, aborted) in found.first_aborted.iter_mut().zip(&agent.sums.first_aborted) {
                *first =
                    first.take().or_else(|| aborted.clone().map(|aborted| (agent.kind.clone(), aborted)));
            }
        }
        corrected(&mut found, [a, b], &self.plan);
        Some(found)
    }
}

impl SeatedRun {
    fn play(
        &mut self,
        pair: &GamePair<'_>,
        range: Range<u64>,
        plan: &ComparePlan,
        shown: Option<usize>,
        alone: bool,
    ) {
        let mut measures = [0, 1].map(|side| pair.measure(side, &self.seated, plan));
        for number in range {
            crate::interrupt::check();
            let before = self.sums.pairs;
            match alone {
                true => pair.single(number, &mut measures[0], &mut self.sums),
                false => pair.pair(number, &mut measures, &mut self.sums),
            }
            let (Some(shown), true) = (shown, self.sums.pairs > before) else { continue };
            let (a, b) = pair.shared[shown];
            self.histograms[0].add(measures[0].row[a], number);
            if !alone {
                self.histograms[1].add(measures[1].row[b], number);
            }
        }
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

/// The index of the common quantity that is shown: the score, or the first count.
fn shown(pair: &GamePair<'_>) -> Option<usize> {
    let column = |at: usize| -> &MetricColumn { &pair.columns[0][pair.shared[at].0] };
    let of = |subject| (0..pair.shared.len()).find(|at| column(*at).kind.subject == subject);
    of(Subject::Score).or_else(|| of(Subject::Count))
}
