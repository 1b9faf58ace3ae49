//! Comparison of two games on paired samples: differences of their quantities, with intervals and tests.
//!
//! Game *i* of both uses the same random streams (common random numbers): the n-th roll is the same in both, and
//! so is the n-th word of every player's stream. Statistics are of the difference within a pair. Depends on games
//! and agents; does no input or output.

mod pair_sums;
mod run;

use std::ops::Range;
use std::sync::atomic::AtomicU64;

use super::comparison::{
    AgentComparison, ComparedGame, Comparison, Mean, Only, Quantity, RunSamples, others_of_first, relative,
};
use super::cost::{TRIED, work_of_games};
use super::measure::{Measure, MetricColumn, columns_of_both, common_side, metric_key};
use super::metric::Subject;
use super::plan::{SimulateError, last_index};
use super::report::VERSION;
use super::sentences::sentence;
use super::simulate::IndexQueue;
use super::sums::AbortedGame;
use houserule_base::clock::Instant;
use houserule_base::done::DoneCount;
use houserule_base::interrupt::{self, Interrupt};
use houserule_base::parts::{PLAYER, Parts};
use houserule_base::statistics::paired::{Paired, holm, variance_between};
use houserule_game::Game;
use houserule_game::matches::Match;
use houserule_model::ScoreDirection;
use houserule_players::agents::{Agent, AgentKind};
use houserule_players::learned::TrainingObserver;

use pair_sums::{PairSums, keep_first};
pub use run::{GamesRun, RunFigure};

/// Significance level: a quantity differs if its corrected p-value is below this.
pub const CHANCE: f64 = 0.05;

/// Players trained for each game, if the agent is trained. Their spread shows the influence of luck in training.
pub const TRAININGS: u64 = 2;

/// Maximum number of pairs that a thread takes at a time.
const LARGEST_PART: u64 = 256;

/// Work of a part of a comparison that another process plays, in random decisions: about a second.
const PART_WORK: u64 = 5_000_000;

/// Maximum number of parts of the games of a training.
const MOST_PARTS: u64 = 1024;

/// Settings of a comparison.
#[derive(Clone, Debug)]
pub struct ComparePlan {
    /// Games of each, or matches; `None` for as many as take a few seconds.
    pub games: Option<u64>,
    /// Index of the first game, or match.
    pub first: u64,
    /// The seed of each game. Samples are paired only if both are equal.
    pub seeds: [u64; 2],
    /// Number of threads; at least 1.
    pub threads: usize,
    /// The agents: each in turn plays all seats.
    pub agents: Vec<AgentKind>,
    /// Compare whole matches.
    pub match_play: bool,
    /// If the comparison is stopped, report on the finished pairs instead of failing with
    /// [`SimulateError::Stopped`].
    pub keep_partial: bool,
}

/// Progress of a comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CompareProgress {
    /// Pairs played so far, and their total.
    Pairs(u64, u64),
    /// Completed fraction of all training, from 0 to 1.
    Training(f64),
}

/// Plays and compares both games. `progress` gets the number of pairs played and their total, and returns `false`
/// to stop.
pub fn compare(
    a: &Game,
    b: &Game,
    plan: &ComparePlan,
    progress: &(dyn Fn(u64, u64) -> bool + Sync),
) -> Result<Comparison, SimulateError> {
    let progress = |done| match done {
        CompareProgress::Pairs(done, of) => progress(done, of),
        CompareProgress::Training(_) => true,
    };
    compare_watched(a, b, plan, &progress, &Interrupt::new())
}

/// Like [`compare`]; `progress` also hears of training. Once `stop` is set, it fails with
/// [`SimulateError::Stopped`], even within a game, unless [`ComparePlan::keep_partial`] is set.
pub fn compare_watched(
    a: &Game,
    b: &Game,
    plan: &ComparePlan,
    progress: &(dyn Fn(CompareProgress) -> bool + Sync),
    stop: &Interrupt,
) -> Result<Comparison, SimulateError> {
    compare_in_parts(a, b, plan, progress, stop, &Parts::here(), "")
}

/// Like [`compare_watched`], in parts that several processes can do. A part is a training, or some pairs of an agent; the
/// names of the latter begin with `within`. If `parts` is a list or a single part, there is no result to return, and the
/// error is [`SimulateError::Stopped`].
pub fn compare_in_parts(
    a: &Game,
    b: &Game,
    plan: &ComparePlan,
    progress: &(dyn Fn(CompareProgress) -> bool + Sync),
    stop: &Interrupt,
    parts: &Parts,
    within: &str,
) -> Result<Comparison, SimulateError> {
    if plan.match_play && [a, b].iter().any(|game| game.model().match_rules.is_none()) {
        return Err(SimulateError::NoMatch);
    }
    let clock = Instant::now();
    let mut found = begun(a, b, plan);
    if found.same_rules {
        return Ok(found);
    }
    let both = GamePair::new(a, b, plan.match_play, parts, within);
    let games: Vec<u64> = match plan.games {
        Some(games) => vec![games; plan.agents.len()],
        None => {
            let usual = |kind: &AgentKind| match both.is_wanted(kind) {
                true => usual_pairs([a, b], kind, plan),
                false => Ok(0),
            };
            plan.agents.iter().map(usual).collect::<Result<_, _>>()?
        }
    };
    for (game, games) in [a, b].into_iter().zip([games.iter().max(); 2]) {
        last_index(game, plan.match_play, plan.first, games.copied().unwrap_or(0))?;
    }
    found.requested = games.clone();
    let (all, mut before) = (games.iter().sum(), 0);
    for (kind, games) in plan.agents.iter().zip(games).filter(|(kind, _)| both.is_wanted(kind)) {
        let progress = |done| match done {
            CompareProgress::Pairs(done, _) => progress(CompareProgress::Pairs(before + done, all)),
            training => progress(training),
        };
        let trained = both.play_all(kind, games, plan, &progress, stop)?;
        found.interrupted = stop.is_set();
        if found.interrupted && !plan.keep_partial {
            return Err(SimulateError::Stopped);
        }
        before += games;
        if trained.is_empty() {
            // Stopped during training.
            break;
        }
        let mut sums = both.sums();
        trained.iter().for_each(|part| sums.merge(part));
        found.agents.push(both.comparison(kind, &sums, &trained.iter().collect::<Vec<_>>()));
        for (first, aborted) in found.first_aborted.iter_mut().zip(sums.first_aborted) {
            *first = first.take().or_else(|| aborted.map(|aborted| (kind.clone(), aborted)));
        }
        if found.interrupted {
            break;
        }
    }
    if !parts.is_whole() {
        return Err(SimulateError::Stopped);
    }
    if found.interrupted {
        found.out_of_time = stop.is_late();
        let unplayed = plan.agents.iter().skip(found.agents.len());
        found.missing = unplayed.map(|kind| format!("{kind} players")).collect();
    }
    corrected(&mut found, [a, b], plan);
    found.seconds = clock.elapsed().as_secs_f64();
    Ok(found)
}

/// A comparison in which nothing was played.
fn begun(a: &Game, b: &Game, plan: &ComparePlan) -> Comparison {
    let sides = [a, b].map(ComparedGame::new);
    let same_rules = plan.seeds[0] == plan.seeds[1]
        && sides[0].rules_sha256 == sides[1].rules_sha256
        && (&sides[0].params.0, sides[0].players) == (&sides[1].params.0, sides[1].players);
    let [side_a, side_b] = sides;
    Comparison {
        version: VERSION,
        a: side_a,
        b: side_b,
        same_rules,
        match_play: plan.match_play,
        requested: Vec::new(),
        interrupted: false,
        out_of_time: false,
        missing: Vec::new(),
        seeds: plan.seeds,
        first: plan.first,
        threads: plan.threads.max(1),
        seconds: 0.0,
        tested: 0,
        agents: Vec::new(),
        depends: Vec::new(),
        verdict: String::new(),
        contest: None,
        first_aborted: [None, None],
    }
}

/// Decides which quantities differ, corrected for all that were tested.
fn corrected(found: &mut Comparison, games: [&Game; 2], plan: &ComparePlan) {
    let least = games.iter().all(|game| game.model().score_direction == ScoreDirection::Least);
    // Trained agents are corrected separately, because the results of the others are shown before them.
    for trains in [false, true] {
        let agents = plan.agents.iter().zip(&mut found.agents);
        let agents = agents.filter(|(kind, _)| kind.trains() == trains).map(|(_, agent)| agent);
        let mut tested: Vec<&mut Quantity> = agents.flat_map(|agent| &mut agent.quantities).collect();
        tested.retain(|quantity| quantity.is_tested());
        let corrected = holm(&tested.iter().map(|quantity| quantity.p).collect::<Vec<_>>());
        for (quantity, p) in tested.iter_mut().zip(corrected) {
            quantity.p_corrected = p;
            quantity.differs = p < CHANCE;
            if quantity.differs {
                quantity.sentence = sentence(quantity, plan.match_play, least);
            }
        }
        found.tested += tested.len();
    }
    found.depends = found.dependences();
    found.verdict = found.judged();
}

/// Returns the names of the metrics that two games have in common, see [`MetricColumn::key`].
pub fn compared_keys(a: &Game, b: &Game, match_play: bool) -> Vec<String> {
    let parts = Parts::here();
    let both = GamePair::new(a, b, match_play, &parts, "");
    both.shared.iter().map(|(at, _)| both.columns[0][*at].key()).collect()
}

/// Two games and the quantities measured in them.
struct GamePair<'g> {
    games: [&'g Game; 2],
    columns: [Vec<MetricColumn>; 2],
    /// Pairs of equal quantities: column of the first game, column of the second.
    shared: Vec<(usize, usize)>,
    /// Columns that only one game has.
    alone: [Vec<usize>; 2],
    /// The index of the common quantity of which a picture is drawn: the score, or the first count.
    shown: Option<usize>,
    match_play: bool,
    parts: &'g Parts,
    /// The beginning of the names of the parts.
    within: &'g str,
}

/// An agent for each seat of both games.
type SeatedPair = [Vec<Box<dyn Agent>>; 2];

impl<'g> GamePair<'g> {
    fn new(a: &'g Game, b: &'g Game, match_play: bool, parts: &'g Parts, within: &'g str) -> Self {
        let columns = columns_of_both([a, b], match_play);
        let partner = |mine: &MetricColumn, theirs: &[MetricColumn]| {
            let comparable = mine.is_comparable([a, b]);
            theirs.iter().position(|other| comparable && mine.matches(other))
        };
        let mine = columns[0].iter().enumerate();
        let shared: Vec<(usize, usize)> =
            mine.filter_map(|(at, column)| Some((at, partner(column, &columns[1])?))).collect();
        let without = |side: usize, taken: Vec<usize>| {
            (0..columns[side].len()).filter(|at| !taken.contains(at)).collect::<Vec<_>>()
        };
        let alone = [
            without(0, shared.iter().map(|pair| pair.0).collect()),
            without(1, shared.iter().map(|pair| pair.1).collect()),
        ];
        let of = |subject| shared.iter().position(|(at, _)| columns[0][*at].kind.subject == subject);
        let shown = of(Subject::Score).or_else(|| of(Subject::Count));
        GamePair { games: [a, b], columns, shared, alone, shown, match_play, parts, within }
    }

    /// Returns `false` if no part of an agent is wanted.
    fn is_wanted(&self, kind: &AgentKind) -> bool {
        self.parts.want(&self.named(kind)) || (kind.trains() && self.parts.want(PLAYER))
    }

    /// The beginning of the names of an agent's parts.
    fn named(&self, kind: &AgentKind) -> String {
        format!("{}{kind}, ", self.within)
    }

    fn sums(&self) -> PairSums {
        let scale = |side: usize, at: usize| self.columns[side][at].scale;
        let shared = self.shared.iter().map(|(a, b)| Paired::new(scale(0, *a), scale(1, *b)));
        let alone =
            |side: usize| self.alone[side].iter().map(|at| Paired::new(scale(side, *at), 1)).collect();
        PairSums {
            shared: shared.collect(),
            alone: [alone(0), alone(1)],
            pairs: 0,
            differing: 0,
            using: 0,
            samples: Default::default(),
            ordered: [0; 2],
            shares_wins: false,
            aborted: 0,
            aborted_of: [0, 0],
            first_aborted: [None, None],
        }
    }

    /// Plays all pairs of an agent. If it is trained, [`TRAININGS`] players are trained for each game, and each
    /// plays an equal part of the pairs.
    fn play_all(
        &self,
        kind: &AgentKind,
        games: u64,
        plan: &ComparePlan,
        progress: &(dyn Fn(CompareProgress) -> bool + Sync),
        stop: &Interrupt,
    ) -> Result<Vec<PairSums>, SimulateError> {
        let trainings = if kind.trains() { TRAININGS.min(games.max(1)) } else { 1 };
        let size = match self.parts.is_here() {
            true => games,
            false => {
                let work = pair_work(self.games, kind, self.match_play)?.max(1);
                (PART_WORK * TRIED / work).max(games.div_ceil(MOST_PARTS))
            }
        };
        let mut found = vec![];
        for training in 0..trainings {
            let Range { start: first, end } = part_of_training(games, training, trainings);
            let told = |side: usize, share: f64| {
                let before = (2 * training) as f64 + side as f64;
                progress(CompareProgress::Training((before + share) / (2 * trainings) as f64))
            };
            let seated = || {
                let seats = |side: usize| {
                    let told = |share: f64| told(side, share);
                    let mut trained = Trained { told: &told, stop };
                    let seated = seats(self.games[side], kind, 1 + training, &mut trained)?;
                    if kind.trains() && !told(1.0) {
                        stop.set();
                    }
                    Ok::<_, SimulateError>(seated)
                };
                stop.scope(|| Ok([seats(0)?, seats(1)?])).unwrap_or(Err(SimulateError::Stopped))
            };
            let (mut needs, mut players) = (vec![], vec![]);
            for side in (0..2).filter(|_| !self.parts.is_here()) {
                let told = |share: f64| told(side, share);
                let (game, mut trained) = (self.games[side], Trained { told: &told, stop });
                let player = kind.train_in_parts(game, 1 + training, &mut trained, self.parts);
                if let Some((name, player)) = player.map_err(SimulateError::Agent)? {
                    needs.push(name);
                    // Held, so that `seated` finds it.
                    players.push(player);
                }
            }
            let mut sums = None;
            for range in self.parts.ranges(plan.first + first..plan.first + end, size) {
                let name = format!("{}training {training}, pairs {range:?}", self.named(kind));
                let before = range.start - plan.first;
                let told = |done| progress(CompareProgress::Pairs(before + done, games));
                let make = || self.play(seated()?, range, plan, &told, stop);
                let load = |bytes: &[u8]| self.loaded(bytes, plan, &seated);
                match self.parts.saved_part(&name, &needs, make, PairSums::saved, load) {
                    Err(SimulateError::Stopped) => return Ok(found),
                    part => match (&mut sums, part?) {
                        (Some(sums), Some(part)) => PairSums::merge(sums, &part),
                        (sums, part) => *sums = sums.take().or(part),
                    },
                }
            }
            found.extend(sums);
        }
        Ok(found)
    }

    /// Restores saved sums. The first games that were aborted are played again for their errors.
    fn loaded(
        &self,
        bytes: &[u8],
        plan: &ComparePlan,
        seated: &dyn Fn() -> Result<SeatedPair, SimulateError>,
    ) -> Option<PairSums> {
        let (mut sums, aborted): (PairSums, [Option<u64>; 2]) = serde_json::from_slice(bytes).ok()?;
        for (side, index) in aborted.into_iter().enumerate() {
            let Some(index) = index else { continue };
            let number = match self.match_play {
                true => Match::number_of(self.games[side], index)?,
                false => index,
            };
            let played = self.measure(side, &seated().ok()?[side], plan).play(number);
            sums.first_aborted[side] = played.err().map(|(index, error)| AbortedGame { index, error });
        }
        Some(sums)
    }

    /// Returns what plays and measures one of the games.
    fn measure(&self, side: usize, agents: &[Box<dyn Agent>], plan: &ComparePlan) -> Measure<'_> {
        let agents = agents.iter().map(|agent| agent.copy()).collect();
        Measure::new(self.games[side], &self.columns[side], plan.seeds[side], self.match_play, agents)
    }

    fn play(
        &self,
        agents: SeatedPair,
        range: Range<u64>,
        plan: &ComparePlan,
        progress: &(dyn Fn(u64) -> bool + Sync),
        stop: &Interrupt,
    ) -> Result<PairSums, SimulateError> {
        let threads = plan.threads.max(1);
        let part = ((range.end - range.start) / (threads as u64 * 64)).clamp(1, LARGEST_PART);
        let parts = IndexQueue { next: AtomicU64::new(range.start), end: range.end, part };
        let done = DoneCount::default();
        let work = |mut measures: [Measure<'_>; 2]| {
            let mut sums = self.sums();
            while let Some(range) = parts.take() {
                let games = range.end - range.start;
                for number in range {
                    if stop.is_set() || stop.scope(|| self.pair(number, &mut measures, &mut sums)).is_err() {
                        return sums;
                    }
                }
                if !done.add(games, progress) {
                    stop.set();
                    break;
                }
            }
            sums
        };
        let measure = |side: usize| self.measure(side, &agents[side], plan);
        let mut sums = self.sums();
        let here = interrupt::current();
        std::thread::scope(|scope| {
            let (work, here) = (&work, &here);
            let spawn = |_| {
                let measures = [measure(0), measure(1)];
                scope.spawn(move || here.scope(|| work(measures)))
            };
            let others: Vec<_> = (1..threads).map(spawn).collect();
            sums.merge(&work([measure(0), measure(1)]));
            for other in others {
                match other.join() {
                    Ok(found) => found.iter().for_each(|found| sums.merge(found)),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
        });
        interrupt::check();
        Ok(sums)
    }

    /// Plays a game of the first rules alone.
    fn single(&self, number: u64, measure: &mut Measure<'_>, sums: &mut PairSums) {
        if let Err((index, error)) = measure.play(number) {
            sums.aborted += 1;
            sums.aborted_of[0] += 1;
            return keep_first(&mut sums.first_aborted[0], Some(AbortedGame { index, error }));
        }
        sums.pairs += 1;
        sums.shares_wins |= measure.shares_win();
        for (paired, (at, _)) in sums.shared.iter_mut().zip(&self.shared) {
            paired.add(measure.row[*at], 0);
        }
        if let Some((at, _)) = self.shown.map(|shown| self.shared[shown]) {
            sums.samples[0].add(measure.row[at], number);
        }
    }

    fn pair(&self, number: u64, measures: &mut [Measure<'_>; 2], sums: &mut PairSums) {
        let played = measures.each_mut().map(|measure| measure.play(number));
        if played.iter().any(Result::is_err) {
            sums.aborted += 1;
            for (side, played) in played.into_iter().enumerate() {
                if let Err((index, error)) = played {
                    sums.aborted_of[side] += 1;
                    keep_first(&mut sums.first_aborted[side], Some(AbortedGame { index, error }));
                }
            }
            return;
        }
        sums.pairs += 1;
        sums.shares_wins |= measures.iter().any(Measure::shares_win);
        let [a, b] = measures.each_ref().map(|measure| &measure.row);
        let mut differs = false;
        for (paired, (at_a, at_b)) in sums.shared.iter_mut().zip(&self.shared) {
            let before = paired.differing;
            paired.add(a[*at_a], b[*at_b]);
            differs |= paired.differing > before;
        }
        let mut takes = [false; 2];
        for (side, row) in [a, b].into_iter().enumerate() {
            for (paired, at) in sums.alone[side].iter_mut().zip(&self.alone[side]) {
                paired.add(row[*at], 0);
                takes[side] |= row[*at] != 0 && self.columns[side][*at].kind.subject == Subject::Option;
            }
        }
        sums.differing += u64::from(differs || takes != [false; 2]);
        sums.using += u64::from(takes[1]);
        if let Some((at_a, at_b)) = self.shown.map(|shown| self.shared[shown]) {
            let values = [a[at_a], b[at_b]];
            let scale = |side: usize, at: usize| i128::from(self.columns[side][at].scale);
            let [one, other] =
                [i128::from(values[0]) * scale(1, at_b), i128::from(values[1]) * scale(0, at_a)];
            sums.ordered[0] += u64::from(other > one);
            sums.ordered[1] += u64::from(other < one);
            sums.samples.iter_mut().zip(values).for_each(|(samples, value)| samples.add(value, number));
        }
    }

    /// How often each value of the quantity occurred of which a picture is drawn, in the first game alone or in both.
    fn samples(&self, sums: &PairSums) -> Option<RunSamples> {
        let (at, of_b) = self.shared[self.shown?];
        let (column, other) = (&self.columns[0][at], &self.columns[1][of_b]);
        let has_second = !sums.samples[1].is_empty() && column.scale == other.scale;
        let sides = if has_second { 2 } else { 1 };
        Some(RunSamples {
            label: column.label(self.games[0], false),
            scale: column.scale,
            histograms: sums.samples[..sides].to_vec(),
        })
    }

    /// The results of one agent. `parts` are the sums of each training, whose between-training variance enters
    /// all errors.
    fn comparison(&self, kind: &AgentKind, sums: &PairSums, parts: &[&PairSums]) -> AgentComparison {
        let mut quantities: Vec<Quantity> = Vec::new();
        // Quantities that equal no earlier one in every game, with their index.
        let mut kept: Vec<(&Paired, usize)> = Vec::new();
        let kind_of = |column: &MetricColumn| column.kind_where(sums.shares_wins);
        let label_of = |column: &MetricColumn, game: &Game| column.label(game, sums.shares_wins);
        let others = others_of_first(self.games);
        for (number, ((at, of_b), paired)) in self.shared.iter().zip(&sums.shared).enumerate() {
            let between = |of: &dyn Fn(&Paired) -> (f64, f64)| {
                let trainings: Vec<(f64, f64)> = parts.iter().map(|part| of(&part.shared[number])).collect();
                variance_between(&trainings)
            };
            let error = |side: usize| {
                let between = between(&|part| (part.mean(side), part.error(side).powi(2)));
                (paired.error(side).powi(2) + between).sqrt()
            };
            let column = &self.columns[0][*at];
            let constant = paired.is_constant();
            if constant && paired.mean(0) == 0.0 && column.kind.is_omitted_at_zero {
                continue;
            }
            // Constant quantities can be equal by coincidence.
            let varies = paired.variance(0) + paired.variance(1) > 0.0;
            // In both games the wins of the side say the same.
            let of_side = common_side([column, &self.columns[1][*of_b]], self.games);
            let of_side = of_side
                .and_then(|key| quantities.iter().position(|q| metric_key(q.kind, &q.name, q.seat) == key));
            let equal = || kept.iter().find(|(other, _)| varies && *other == paired).map(|(_, at)| *at);
            let twin = of_side.or_else(equal);
            if twin.is_none() {
                kept.push((paired, quantities.len()));
            }
            let between = between(&|part| {
                let difference = part.difference(0.0);
                (difference.mean, difference.se.powi(2))
            });
            let difference = match column.kind.is_share() {
                true => paired.difference_of_shares(between),
                false => paired.difference(between),
            };
            let bound = |sign: f64| {
                let bound = difference.mean + sign * difference.half_width;
                bound.is_finite().then_some(bound)
            };
            let variance = paired.variance_of_difference();
            let unpaired = paired.variance(0) + paired.variance(1);
            let mean = paired.mean(0);
            quantities.push(Quantity {
                kind: kind_of(column),
                name: column.name.clone(),
                seat: column.seat,
                seat_name: column.player(self.games[1]),
                others: others.clone(),
                label: label_of(column, self.games[1]),
                a: Mean { mean, se: error(0) },
                b: Mean { mean: paired.mean(1), se: error(1) },
                deviation: paired.variance(0).sqrt(),
                difference: difference.mean,
                se: difference.se,
                low: bound(-1.0),
                high: bound(1.0),
                relative: relative([mean, paired.mean(1)], difference.mean),
                p: difference.p,
                p_corrected: 1.0,
                differs: false,
                differing: paired.differing,
                pairing: (variance > 0.0).then(|| unpaired / variance),
                constant,
                same_as: twin.map(|at| quantities[at].label.clone()),
                sentence: String::new(),
            });
        }
        let only = |side: usize| {
            let columns = self.alone[side].iter().map(|at| &self.columns[side][*at]);
            let all = columns.zip(&sums.alone[side]).filter(|(column, _)| {
                // Results of seats aren't comparable between different numbers of players, and those of sides are there
                // already.
                !matches!(column.kind.subject, Subject::Result | Subject::Lead)
                    && column.side_key(self.games[side]).is_none()
            });
            all.map(|(column, paired)| Only {
                kind: kind_of(column),
                name: column.name.clone(),
                label: label_of(column, self.games[side]),
                mean: paired.mean(0),
            })
            .collect::<Vec<_>>()
        };
        let (only_a, only_b) = (only(0), only(1));
        let has_new = only_b.iter().any(|only| only.kind.subject == Subject::Option);
        AgentComparison {
            agent: kind.to_string(),
            trainings: kind.trains().then_some(parts.len() as u64),
            games: sums.pairs,
            differing: sums.differing,
            aborted: sums.aborted,
            aborted_a: sums.aborted_of[0],
            aborted_b: sums.aborted_of[1],
            identical: sums.aborted == 0 && quantities.iter().all(|quantity| quantity.differing == 0),
            quantities,
            only_a,
            only_b,
            using: has_new.then_some(sums.using),
            samples: self.samples(sums),
            ordered: sums.ordered,
            course: None,
        }
    }
}

/// The games that the players of a training play, of `games` in all.
pub(crate) fn part_of_training(games: u64, training: u64, trainings: u64) -> Range<u64> {
    let from = |training: u64| (u128::from(games) * u128::from(training) / u128::from(trainings)) as u64;
    from(training)..from(training + 1)
}

fn seats(
    game: &Game,
    kind: &AgentKind,
    training: u64,
    audience: &mut dyn TrainingObserver,
) -> Result<Vec<Box<dyn Agent>>, SimulateError> {
    let kinds = vec![kind.clone(); game.players() as usize];
    AgentKind::seat_trained(&kinds, game, training, audience).map_err(SimulateError::Agent)
}

/// Reports the progress of a training.
struct Trained<'t> {
    told: &'t dyn Fn(f64) -> bool,
    stop: &'t Interrupt,
}

impl TrainingObserver for Trained<'_> {
    fn played(&mut self, _games: u64, share: f64) {
        if !(self.told)(share) {
            self.stop.set();
        }
    }
}

/// Returns the number of games of each that take a few seconds. Estimated from work, not from time, so it is the same
/// on every machine.
pub fn usual_pairs(games: [&Game; 2], kind: &AgentKind, plan: &ComparePlan) -> Result<u64, SimulateError> {
    const MOST: u64 = 20_000_000;
    let wanted = MOST * TRIED / pair_work(games, kind, plan.match_play)?.max(1);
    let steps = [200, 500, 1_000, 2_000, 5_000, 10_000];
    Ok(steps.into_iter().rev().find(|games| *games <= wanted).unwrap_or(100))
}

/// Estimates the work of [`TRIED`] pairs, in random decisions.
fn pair_work(games: [&Game; 2], kind: &AgentKind, match_play: bool) -> Result<u64, SimulateError> {
    let [a, b] = games.map(|game| work_of_games(game, kind, match_play));
    Ok(a?.saturating_add(b?))
}
