//! Many games, over threads. Which games are played follows from the plan's seed and number alone.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use super::clock::cpu_seconds;
use super::report::{CountReport, MatchReport, Report, Run, ScoreReport, wins};
use super::sums::{Played, Sums};
use super::tally::Tally;
use crate::agents::{Agent, AgentError, AgentKind, agent_stream};
use crate::engine::batch::{Counts, Finished, play_random};
use crate::engine::matches::Match;
use crate::engine::record::Record;
use crate::engine::{ApplyError, Game, Player, RuntimeError, State};
use crate::rng::Stream;

/// Games, or matches, that a thread takes at a time at most.
const LARGEST_PART: u64 = 4096;

/// Takes the records of a run, in the order of the games.
pub type RecordSink<'a> = dyn FnMut(Record) + Send + 'a;

/// What to play.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How many games, or matches.
    pub games: u64,
    /// The number of the first of them.
    pub first: u64,
    /// The seed of the run.
    pub seed: u64,
    /// How many threads; at least 1.
    pub threads: usize,
    /// Who plays: one for all seats, or one for each.
    pub agents: Vec<AgentKind>,
    /// Play whole matches.
    pub match_play: bool,
}

impl Plan {
    /// The agent of each seat.
    pub(super) fn kinds(&self, players: u32) -> Result<Vec<AgentKind>, SimulateError> {
        match self.agents.as_slice() {
            [one] => Ok(vec![*one; players as usize]),
            many if many.len() == players as usize => Ok(many.to_vec()),
            many => Err(SimulateError::Agents { players, agents: many.len() }),
        }
    }
}

/// Why a plan can't be carried out.
#[derive(Debug)]
pub enum SimulateError {
    /// There are neither one agent nor as many as seats.
    Agents {
        /// How many seats.
        players: u32,
        /// How many agents.
        agents: usize,
    },
    /// An agent can't play this game.
    Agent(AgentError),
    /// The rules say nothing of matches.
    NoMatch,
}

impl fmt::Display for SimulateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SimulateError::Agents { players, agents } => {
                let plural = if *players == 1 { "" } else { "s" };
                write!(
                    f,
                    "{agents} agents for {players} player{plural}: name one for all seats, or one for each"
                )
            }
            SimulateError::Agent(error) => error.fmt(f),
            SimulateError::NoMatch => {
                write!(
                    f,
                    "the rules say nothing of matches: play single games, or add `match {{ games: 10 }}`"
                )
            }
        }
    }
}

impl std::error::Error for SimulateError {}

/// Plays the games of a plan. `progress` hears how many games, or matches, have been played; `records`
/// gets a record of every game.
pub fn simulate(
    game: &Game,
    plan: &Plan,
    progress: &(dyn Fn(u64) + Sync),
    records: Option<&mut RecordSink<'_>>,
) -> Result<Report, SimulateError> {
    let players = game.players();
    if plan.match_play && game.model().match_rules.is_none() {
        return Err(SimulateError::NoMatch);
    }
    let kinds = plan.kinds(players)?;
    let agents = AgentKind::seat_all(&kinds, game).map_err(SimulateError::Agent)?;
    let fast = records.is_none() && !plan.match_play && kinds.iter().all(|kind| *kind == AgentKind::Random);

    let (clock, cpu) = (Instant::now(), cpu_seconds());
    let threads = plan.threads.max(1);
    let part = (plan.games / (threads as u64 * 64)).clamp(1, LARGEST_PART);
    let parts = Parts { next: AtomicU64::new(plan.first), end: plan.first.saturating_add(plan.games), part };
    let done = AtomicU64::new(0);
    let in_order =
        records.map(|sink| Mutex::new(InOrder { next: plan.first, waiting: BTreeMap::new(), sink }));

    let work = |mut worker: Worker<'_>| -> (Sums, MatchSums) {
        while let Some(range) = parts.take() {
            let (start, games) = (range.start, range.end - range.start);
            if fast {
                worker.play_fast(range);
            } else {
                range.for_each(|number| worker.play(number));
            }
            if let Some(in_order) = &in_order {
                let records = std::mem::take(&mut worker.records);
                in_order.lock().unwrap_or_else(|e| e.into_inner()).put(start, games, records);
            }
            progress(done.fetch_add(games, Ordering::Relaxed) + games);
        }
        (worker.sums, worker.matches)
    };
    let worker = || Worker::new(game, plan, in_order.is_some(), agents.iter().map(|a| a.copy()).collect());
    let (mut sums, mut matches) = (Sums::new(game), MatchSums::new(players as usize));
    std::thread::scope(|scope| {
        let work = &work;
        let spawn = |_| {
            let worker = worker();
            scope.spawn(move || work(worker))
        };
        let others: Vec<_> = (1..threads).map(spawn).collect();
        let mut add = |(other, other_matches): (Sums, MatchSums)| {
            sums.merge(other);
            matches.merge(&other_matches);
        };
        add(work(worker()));
        for other in others {
            match other.join() {
                Ok(found) => add(found),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    let seconds = clock.elapsed().as_secs_f64();
    let run = Run {
        seed: plan.seed,
        threads,
        agents: kinds.iter().map(|kind| kind.to_string()).collect(),
        seconds,
        cpu_seconds: cpu.zip(cpu_seconds()).map_or(seconds, |(before, after)| after - before),
    };
    let matches = plan.match_play.then(|| matches.report(players as usize));
    Ok(Report::new(game, &sums, matches, run))
}

/// Hands out the games.
struct Parts {
    next: AtomicU64,
    end: u64,
    part: u64,
}

impl Parts {
    fn take(&self) -> Option<Range<u64>> {
        let start = self.next.fetch_add(self.part, Ordering::Relaxed);
        (start < self.end).then(|| start..start.saturating_add(self.part).min(self.end))
    }
}

/// Passes records on in the order of their games.
struct InOrder<'s, 'a> {
    next: u64,
    waiting: BTreeMap<u64, (u64, Vec<Record>)>,
    sink: &'s mut RecordSink<'a>,
}

impl InOrder<'_, '_> {
    fn put(&mut self, start: u64, games: u64, records: Vec<Record>) {
        self.waiting.insert(start, (games, records));
        while let Some((games, records)) = self.waiting.remove(&self.next) {
            records.into_iter().for_each(&mut *self.sink);
            self.next += games;
        }
    }
}

/// What one thread has.
struct Worker<'g> {
    game: &'g Game,
    seed: u64,
    match_play: bool,
    keep_records: bool,
    agents: Vec<Box<dyn Agent>>,
    sums: Sums,
    matches: MatchSums,
    records: Vec<Record>,
    counts: Counts,
}

impl<'g> Worker<'g> {
    fn new(game: &'g Game, plan: &Plan, keep_records: bool, agents: Vec<Box<dyn Agent>>) -> Self {
        Worker {
            game,
            seed: plan.seed,
            match_play: plan.match_play,
            keep_records,
            agents,
            sums: Sums::new(game),
            matches: MatchSums::new(game.players() as usize),
            records: Vec::new(),
            counts: Counts::default(),
        }
    }

    /// Random games at full speed.
    fn play_fast(&mut self, games: Range<u64>) {
        let mut counts = std::mem::take(&mut self.counts);
        let mut failures = Vec::new();
        let sums = &mut self.sums;
        let width = usize::from(self.game.program().width);
        let mut finished = |game: Finished<'_>| {
            let played = Played {
                end: game.end,
                winners: game.winners,
                scores: game.scores,
                turns: game.turns,
                rolls: game.rolls,
                decisions: game.decisions,
            };
            sums.add(&played, |followed| followed.of_batch(&game, width));
        };
        let mut failed = |index: u64, error: RuntimeError| failures.push((index, error));
        play_random(self.game, self.seed, games, &mut counts, &mut finished, &mut failed);
        for (index, error) in failures {
            self.sums.abort(index, error);
        }
        self.sums.count(&counts);
        counts.options.fill(0);
        counts.steps.fill(0);
        self.counts = counts;
    }

    /// One game, or one match.
    fn play(&mut self, number: u64) {
        if !self.match_play {
            let played = self.game.start(self.seed, number).and_then(|state| self.finish(state, number));
            if let Err(error) = played {
                self.sums.abort(number, error);
            }
            return;
        }
        let Some(mut one) = Match::new(self.game, self.seed, number) else { return };
        while !one.is_over() {
            let index = one.next_start().index;
            let played = one.start().and_then(|state| self.finish(state, index));
            if let Err(error) = played.and_then(|state| one.enter(&state)) {
                self.sums.abort(index, error);
                return;
            }
        }
        self.matches.add(&one);
    }

    /// Plays a started game to its end, and counts it.
    fn finish(&mut self, mut state: State, index: u64) -> Result<State, RuntimeError> {
        let players = self.game.players();
        play_on(&mut state, &mut self.agents, self.seed, index)?;
        let outcome = state.outcome();
        let winners = outcome.iter().flat_map(|outcome| &outcome.winners).enumerate();
        let scores: Result<Vec<Vec<i64>>, _> =
            (0..players).map(|player| state.scores(Player(player))).collect();
        let scores = scores?.concat();
        let played = Played {
            end: outcome.as_ref().and_then(|outcome| outcome.end),
            winners: winners.filter(|(_, won)| **won).fold(0, |mask, (seat, _)| mask | 1 << seat),
            scores: &scores,
            turns: state.turns(),
            rolls: state.rolls(),
            decisions: state.decisions(),
        };
        self.sums.add(&played, |followed| followed.of_state(&state));
        self.sums.count(&state.counts());
        if self.keep_records {
            self.records.push(Record::of(&state)?);
        }
        Ok(state)
    }
}

/// Plays a state to its end, or to where an error stops it.
pub(super) fn play_on(
    state: &mut State,
    agents: &mut [Box<dyn Agent>],
    seed: u64,
    index: u64,
) -> Result<(), RuntimeError> {
    let seats = 0..agents.len() as u32;
    let mut streams: Vec<Stream> = seats.map(|seat| agent_stream(seed, index, seat)).collect();
    while let Some(player) = state.current_player() {
        let seat = player.0 as usize;
        let Some(action) = agents[seat].choose(state, &mut streams[seat])? else { break };
        match state.apply(action) {
            Ok(()) => {}
            Err(ApplyError::Runtime(error)) => return Err(error),
            // Agents choose among the legal actions; one that does not ends the game where it is.
            Err(_) => break,
        }
    }
    Ok(())
}

/// The sums of some matches.
struct MatchSums {
    games: Tally,
    totals: Vec<Tally>,
    records: Vec<Tally>,
    winners: Vec<u64>,
}

impl MatchSums {
    fn new(players: usize) -> Self {
        MatchSums {
            games: Tally::default(),
            totals: vec![Tally::default(); players],
            records: vec![Tally::default(); players],
            winners: vec![0; 1 << players.min(16)],
        }
    }

    fn add(&mut self, one: &Match) {
        self.games.add(one.played() as i64);
        for (person, standing) in one.standings().into_iter().enumerate() {
            self.totals[person].add(standing.total);
            if let Some(record) = standing.record {
                self.records[person].add(record);
            }
        }
        let leaders = one.leaders().into_iter().enumerate();
        let mask = leaders.filter(|(_, leads)| *leads).fold(0, |mask, (person, _)| mask | 1 << person);
        let last = self.winners.len() - 1;
        self.winners[mask & last] += 1;
    }

    fn merge(&mut self, other: &MatchSums) {
        self.games.merge(&other.games);
        self.totals.iter_mut().zip(&other.totals).for_each(|(mine, other)| mine.merge(other));
        self.records.iter_mut().zip(&other.records).for_each(|(mine, other)| mine.merge(other));
        self.winners.iter_mut().zip(&other.winners).for_each(|(mine, other)| *mine += other);
    }

    fn report(&self, players: usize) -> MatchReport {
        let (wins, draws) = wins(&self.winners, players);
        let kept = self.records.iter().filter(|tally| !tally.is_empty());
        MatchReport {
            matches: self.games.len(),
            games: CountReport::from(&self.games),
            total: self.totals.iter().map(ScoreReport::from).collect(),
            record: kept.map(ScoreReport::from).collect(),
            wins,
            draws,
        }
    }
}
