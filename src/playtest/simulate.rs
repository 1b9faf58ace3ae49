//! Multi-threaded simulation of many games. The plan's seed and the index of a game determine the game.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use super::metric::{FinishedMatch, Metric};
use super::plan::{
    CustomAgents, GameSinks, Keep, RecordSink, RunMonitor, SimulateError, SimulationPlan, usual_length,
};
use super::precision::MetricSums;
use super::report::Report;
use super::rows::{Decision, GameRows, RowIdentity, RowPlan};
use super::sums::GameSums;
use super::watched::play_watched;
use crate::sums::match_sums::MatchSums;
use crate::sums::totals::{RunInfo, Totals};
use houserule_base::clock::{Instant, process_seconds};
use houserule_base::done::DoneCount;
use houserule_base::interrupt::{self, Interrupt, Interrupted};
use houserule_game::matches::Match;
use houserule_game::notation::record::Record;
use houserule_game::random_games::{Finished, UsageCounts, play_random};
use houserule_game::random_matches::play_random_match;
use houserule_game::{ActionId, Game, RuntimeError, Seat, State};
use houserule_players::agent::Agent;
use houserule_players::agents::AgentKind;

/// Maximum number of games, or matches, that a thread takes at a time if the executor plays them by itself.
const LARGEST_PART: u64 = 4096;

/// Like [`LARGEST_PART`], if agents decide.
const LARGEST_ASKED_PART: u64 = 64;

/// Target time between two checks of the stop flag while the executor plays games by itself.
const UNWATCHED: Duration = Duration::from_millis(10);

/// Target time of the games that a thread takes at a time, if the run may end at any game.
const PART_TIME: Duration = Duration::from_millis(40);

/// Number of finished parts, for each thread, that may wait for an earlier one.
const MOST_WAITING: usize = 4;

/// Plays the games of a plan. `progress` gets the number of games, or matches, played; `records` a record of
/// every game.
pub fn simulate(
    game: &Game,
    plan: &SimulationPlan,
    progress: &(dyn Fn(u64) + Sync),
    records: Option<&mut RecordSink<'_>>,
) -> Result<Report, SimulateError> {
    let watch = RunMonitor { progress, stop: &Interrupt::new() };
    let sinks = GameSinks { records, rows: None };
    Ok(simulate_kept(game, plan, None, &watch, Keep::default(), sinks)?.0)
}

/// Like [`simulate`], with `seats` instead of the plan's agents, with `watch` to stop it, and with the rows to
/// `keep`, in the order of the games. Rows that a sink receives aren't kept.
pub fn simulate_kept(
    game: &Game,
    plan: &SimulationPlan,
    seats: Option<CustomAgents>,
    watch: &RunMonitor<'_>,
    keep: Keep,
    sinks: GameSinks<'_, '_>,
) -> Result<(Report, GameRows), SimulateError> {
    SeatedPlan::new(game, plan, seats)?.play(watch, keep, sinks, &MetricSums::default())
}

/// A plan with its agents, checked against the game.
pub(super) struct SeatedPlan<'r> {
    game: &'r Game,
    plan: &'r SimulationPlan,
    /// The index after the last game, or match.
    end: u64,
    seats: CustomAgents,
    /// The agents are those of the plan.
    own_agents: bool,
}

impl<'r> SeatedPlan<'r> {
    /// Seats the agents: `seats`, or those of the plan.
    pub(super) fn new(
        game: &'r Game,
        plan: &'r SimulationPlan,
        seats: Option<CustomAgents>,
    ) -> Result<SeatedPlan<'r>, SimulateError> {
        let players = game.players();
        if plan.match_play && game.model().match_rules.is_none() {
            return Err(SimulateError::NoMatch);
        }
        let end = plan.end(game)?;
        let own_agents = seats.is_none();
        let seats = match seats {
            Some(seats) if seats.agents.len() == players as usize => seats,
            Some(seats) => return Err(SimulateError::Agents { players, agents: seats.agents.len() }),
            None => {
                let kinds = plan.kinds(players)?;
                let agents = AgentKind::seat_all(&kinds, game).map_err(SimulateError::Agent)?;
                CustomAgents { names: kinds.iter().map(AgentKind::to_string).collect(), agents }
            }
        };
        Ok(SeatedPlan { game, plan, end, seats, own_agents })
    }

    /// Plays the games, as [`simulate_kept`] does, with sums of some metrics.
    pub(super) fn play(
        self,
        watch: &RunMonitor<'_>,
        keep: Keep,
        sinks: GameSinks<'_, '_>,
        metrics: &MetricSums,
    ) -> Result<(Report, GameRows), SimulateError> {
        let (game, plan) = (self.game, self.plan);
        let row_plan = RowPlan::new(game);
        let mode = self.mode(keep, &sinks, &row_plan, metrics);
        let keep = mode.keep;
        let (clock, cpu) = (Instant::now(), process_seconds());
        match mode.fast {
            true if plan.match_play => {
                game.announce_series(plan.games.saturating_mul(usual_length(game, true)));
            }
            true => game.announce(plan.games),
            false => {}
        }
        let shared = self.share(watch, mode, sinks, metrics);
        let mut sums = RunSums::new(game, metrics);
        self.run_threads(&shared, &row_plan, |worker_sums| sums.merge(worker_sums));
        let SharedRun { in_order, rows, .. } = shared;
        let mut requested = plan.games;
        if let Some(in_order) = in_order {
            let in_order = in_order.into_inner().unwrap_or_else(PoisonError::into_inner);
            if keep.prefix {
                requested = in_order.next - plan.first;
            }
            sums = in_order.sums;
        }
        let interrupted = watch.stop.is_set() && !(keep.prefix && watch.stop.is_late());
        if interrupted && !keep.keep_partial {
            return Err(SimulateError::Stopped);
        }
        interrupt::check();
        let seconds = clock.elapsed().as_secs_f64();
        let run = RunInfo {
            requested,
            interrupted,
            seed: plan.seed,
            first: plan.first,
            threads: plan.threads.max(1),
            agents: self.seats.names,
            seconds,
            cpu_seconds: cpu.zip(process_seconds()).map_or(seconds, |(before, after)| after - before),
        };
        let matches = plan.match_play.then_some(sums.matches);
        let rows = GameRows::concat(rows.into_inner().unwrap_or_else(PoisonError::into_inner).into_values());
        Ok((Report::new(game, Totals { sums: sums.games, matches, run }), rows))
    }

    /// Returns how the threads play, and what they keep.
    fn mode(
        &self,
        keep: Keep,
        sinks: &GameSinks<'_, '_>,
        row_plan: &RowPlan,
        metrics: &MetricSums,
    ) -> RunMode {
        let SeatedPlan { plan, own_agents, .. } = *self;
        let (streams_rows, keeps_records) = (sinks.rows.is_some(), sinks.records.is_some());
        let keep = Keep { rows: keep.rows || streams_rows, ..keep };
        let all_random = own_agents && plan.agents.iter().all(|kind| *kind == AgentKind::Random);
        let fast = all_random
            && !keeps_records
            && !keep.decisions
            && (!keep.rows || row_plan.is_fast())
            && (plan.match_play || !metrics.are_of_batches());
        let largest = match (fast, own_agents) {
            // A part of a match counts in no prefix.
            _ if keep.prefix && plan.match_play => 1,
            (true, _) => LARGEST_PART,
            (false, true) => LARGEST_ASKED_PART,
            // Custom agents can take any time.
            (false, false) => 1,
        };
        RunMode { keep, keeps_records, streams_rows, fast, largest }
    }

    /// Returns what the threads share.
    fn share<'s, 'a>(
        &'s self,
        watch: &'s RunMonitor<'s>,
        mode: RunMode,
        sinks: GameSinks<'s, 'a>,
        metrics: &'s MetricSums,
    ) -> SharedRun<'s, 'a> {
        let SeatedPlan { game, plan, end, .. } = *self;
        let threads = plan.threads.max(1);
        let part = (plan.games / (threads as u64 * 64)).clamp(1, mode.largest);
        let is_in_order = mode.streams_rows || mode.keeps_records || mode.keep.prefix;
        let in_order = is_in_order.then(|| {
            Mutex::new(InOrder {
                next: plan.first,
                waiting: BTreeMap::new(),
                sums: RunSums::new(game, metrics),
                sinks,
                drops_parts: mode.keep.prefix && plan.match_play,
            })
        });
        SharedRun {
            game,
            metrics,
            mode,
            watch,
            most_waiting: MOST_WAITING * threads,
            queue: IndexQueue { next: AtomicU64::new(plan.first), end, part },
            done: DoneCount::default(),
            in_order,
            moved: Condvar::new(),
            left: AtomicBool::new(false),
            rows: Mutex::default(),
        }
    }

    /// Plays the games on the threads of the plan, of which this one is the first. `add` gets the sums of each thread.
    fn run_threads(&self, shared: &SharedRun<'_, '_>, row_plan: &RowPlan, mut add: impl FnMut(RunSums)) {
        let worker = || Worker {
            game: self.game,
            seed: self.plan.seed,
            match_play: self.plan.match_play,
            fast: shared.mode.fast,
            keep_records: shared.mode.keeps_records,
            keep: shared.mode.keep,
            row_plan,
            stop: shared.watch.stop,
            agents: self.seats.agents.iter().map(|agent| agent.copy()).collect(),
            sums: RunSums::new(self.game, shared.metrics),
            played: 0,
            records: Vec::new(),
            rows: GameRows::default(),
            counts: UsageCounts::default(),
            at_once: 1,
        };
        let here = &interrupt::current();
        std::thread::scope(|scope| {
            let spawn = |_| {
                let worker = worker();
                scope.spawn(move || here.scope(|| worker.run(shared)))
            };
            let others: Vec<_> = (1..self.plan.threads.max(1)).map(spawn).collect();
            add(worker().run(shared));
            for other in others {
                match other.join() {
                    Ok(sums) => sums.into_iter().for_each(&mut add),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
        });
    }
}

/// Sums over games, and over matches.
struct RunSums {
    games: GameSums,
    matches: MatchSums,
}

impl RunSums {
    /// No games yet, with sums of some metrics.
    fn new(game: &Game, metrics: &MetricSums) -> RunSums {
        RunSums { games: GameSums::new(game).with(metrics), matches: MatchSums::new(game) }
    }

    fn merge(&mut self, other: RunSums) {
        self.games.merge(other.games);
        self.matches.merge(&other.matches);
    }
}

/// How the threads play, and what they keep.
struct RunMode {
    keep: Keep,
    keeps_records: bool,
    /// Rows are passed to a sink instead of being kept.
    streams_rows: bool,
    /// The executor plays by itself.
    fast: bool,
    /// Maximum number of games, or matches, that a thread takes at a time.
    largest: u64,
}

/// What the threads of a run share.
struct SharedRun<'s, 'a> {
    game: &'s Game,
    metrics: &'s MetricSums,
    mode: RunMode,
    watch: &'s RunMonitor<'s>,
    /// Number of finished parts that may wait for an earlier one.
    most_waiting: usize,
    queue: IndexQueue,
    /// Number of games, or matches, played.
    done: DoneCount,
    /// The parts in order, if the order matters.
    in_order: Option<Mutex<InOrder<'s, 'a>>>,
    /// Notified when a part is finished, and when a thread ends.
    moved: Condvar,
    /// A thread has ended.
    left: AtomicBool,
    /// The rows that are kept, by the index of the first game of their part.
    rows: Mutex<BTreeMap<u64, GameRows>>,
}

impl SharedRun<'_, '_> {
    /// Adds a finished part to those in order. A thread far ahead of the others waits for them, so that little waits in
    /// memory.
    fn put_in_order(&self, in_order: &Mutex<InOrder<'_, '_>>, start: u64, part: RecordedPart) {
        let mut order = in_order.lock().unwrap_or_else(PoisonError::into_inner);
        order.put(start, part);
        self.moved.notify_all();
        while order.waiting.len() > self.most_waiting
            && !self.left.load(Ordering::Relaxed)
            && !self.watch.stop.is_set()
        {
            order = match self.moved.wait_timeout(order, UNWATCHED) {
                Ok((order, _)) => order,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
    }

    /// Keeps the rows of a part.
    fn keep_rows(&self, start: u64, rows: GameRows) {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner).insert(start, rows);
    }

    /// Reports the progress after some more games.
    fn report(&self, games: u64) {
        self.done.add(games, self.watch.progress);
    }
}

/// A queue of game indices, shared by the threads.
pub(super) struct IndexQueue {
    pub(super) next: AtomicU64,
    pub(super) end: u64,
    pub(super) part: u64,
}

impl IndexQueue {
    pub(super) fn take(&self) -> Option<Range<u64>> {
        self.take_up_to(self.part)
    }

    /// Takes at most `games`.
    fn take_up_to(&self, games: u64) -> Option<Range<u64>> {
        let start = self.next.fetch_add(games, Ordering::Relaxed);
        (start < self.end).then(|| start..start.saturating_add(games).min(self.end))
    }

    /// Empties the queue.
    fn close(&self) {
        self.next.fetch_max(self.end, Ordering::Relaxed);
    }
}

/// Tells the other threads that one has ended, so that they don't wait for it.
struct Leaving<'l, 's, 'a>(&'l SharedRun<'s, 'a>);

impl Drop for Leaving<'_, '_, '_> {
    fn drop(&mut self) {
        self.0.left.store(true, Ordering::Relaxed);
        self.0.moved.notify_all();
    }
}

/// Passes games to the sinks in their order, and adds up those that it passed on. If the run is stopped, games after
/// the first one that wasn't finished count in neither.
struct InOrder<'s, 'a> {
    next: u64,
    waiting: BTreeMap<u64, RecordedPart>,
    sums: RunSums,
    sinks: GameSinks<'s, 'a>,
    /// Passes on nothing of a part that wasn't finished.
    drops_parts: bool,
}

/// The results of some consecutive games, or matches.
struct RecordedPart {
    /// Their number.
    games: u64,
    /// How many were finished before the run was stopped.
    played: u64,
    records: Vec<Record>,
    rows: GameRows,
    sums: RunSums,
}

impl InOrder<'_, '_> {
    fn put(&mut self, start: u64, part: RecordedPart) {
        self.waiting.insert(start, part);
        while let Some(part) = self.waiting.remove(&self.next) {
            if self.drops_parts && part.played < part.games {
                return;
            }
            if let Some(sink) = &mut self.sinks.records {
                part.records.into_iter().for_each(sink);
            }
            if let Some(sink) = &mut self.sinks.rows {
                sink(part.rows);
            }
            self.sums.merge(part.sums);
            self.next += part.played;
            if part.played < part.games {
                return;
            }
        }
    }
}

/// State of a thread.
struct Worker<'g> {
    game: &'g Game,
    seed: u64,
    match_play: bool,
    /// The executor plays by itself.
    fast: bool,
    keep_records: bool,
    keep: Keep,
    row_plan: &'g RowPlan,
    stop: &'g Interrupt,
    agents: Vec<Box<dyn Agent>>,
    sums: RunSums,
    /// Finished games, or matches, of this part, aborted ones too.
    played: u64,
    records: Vec<Record>,
    rows: GameRows,
    counts: UsageCounts,
    /// Random games played between two checks of the stop flag.
    at_once: u64,
}

impl Worker<'_> {
    fn is_stopped(&self) -> bool {
        self.stop.is_set()
    }

    /// Plays one part of the run after the other, until none is left or the run is stopped. Returns the sums of the
    /// parts, unless these are added up in order.
    fn run(mut self, shared: &SharedRun<'_, '_>) -> RunSums {
        let _leaving = Leaving(shared);
        let mode = &shared.mode;
        let mut size = if self.keep.prefix { 1 } else { shared.queue.part };
        while let Some(range) = shared.queue.take_up_to(size) {
            let clock = Instant::now();
            let (start, games) = (range.start, range.end - range.start);
            let at_once = mode.fast && !self.match_play;
            let played = if at_once { self.play_fast(range) } else { self.play(range) };
            let stopped = played.is_err() || self.is_stopped();
            if self.keep.only_until_error && self.sums.games.aborted > 0 {
                shared.queue.close();
            }
            if let Some(in_order) = &shared.in_order {
                let part = self.take_part(games, shared);
                shared.put_in_order(in_order, start, part);
            }
            if stopped {
                break;
            }
            if self.keep.prefix {
                size = match clock.elapsed() {
                    spent if spent < PART_TIME / 2 => (size * 2).min(mode.largest),
                    spent if spent > PART_TIME => (size / 2).max(1),
                    _ => size,
                };
            }
            if (self.keep.rows || self.keep.decisions) && !mode.streams_rows {
                shared.keep_rows(start, std::mem::take(&mut self.rows));
            }
            shared.report(games);
        }
        self.sums
    }

    /// Takes out what the worker has of a part of `games` games, and leaves it ready for the next part.
    fn take_part(&mut self, games: u64, shared: &SharedRun<'_, '_>) -> RecordedPart {
        let sums = RunSums::new(shared.game, shared.metrics);
        RecordedPart {
            games,
            played: std::mem::take(&mut self.played),
            records: std::mem::take(&mut self.records),
            rows: if shared.mode.streams_rows { std::mem::take(&mut self.rows) } else { GameRows::default() },
            sums: std::mem::replace(&mut self.sums, sums),
        }
    }

    /// Plays random games by the executor alone.
    fn play_fast(&mut self, games: Range<u64>) -> Result<(), Interrupted> {
        let mut next = games.start;
        while next < games.end && !self.is_stopped() {
            let clock = Instant::now();
            let until = next.saturating_add(self.at_once).min(games.end);
            // A single long game can be interrupted. A batch can't: its counts could include parts of games.
            match until - next {
                1 => self.stop.scope(|| self.play_at_once(next..until))?,
                _ => interrupt::not_within(|| self.play_at_once(next..until)),
            }
            self.played += until - next;
            next = until;
            let spent = clock.elapsed();
            if spent < UNWATCHED / 2 {
                self.at_once = (self.at_once * 2).min(LARGEST_PART);
            } else if spent > UNWATCHED * 2 {
                self.at_once = (self.at_once / 2).max(1);
            }
        }
        Ok(())
    }

    fn play_at_once(&mut self, games: Range<u64>) {
        let mut counts = std::mem::take(&mut self.counts);
        let mut failures = Vec::new();
        let sums = &mut self.sums.games;
        let (game, keep_rows, row_plan, rows) = (self.game, self.keep.rows, self.row_plan, &mut self.rows);
        let mut finished = |done: Finished<'_>| {
            sums.add(&done);
            if !sums.metrics.is_empty() {
                sums.metrics.enter(|metric| metric.measure_game(&done));
                sums.metrics.close();
            }
            if keep_rows {
                row_plan.add(rows, &RowIdentity::single(done.index), &done, None);
            }
        };
        let mut failed = |index: u64, error: RuntimeError| failures.push((index, error));
        play_random(game, self.seed, games, &mut counts, &mut finished, &mut failed);
        for (index, error) in failures {
            self.sums.games.abort(index, error);
        }
        self.sums.games.add_usage(&counts);
        counts.clear();
        self.counts = counts;
    }

    /// Plays games, or matches, one by one. An interrupted game leaves nothing.
    fn play(&mut self, numbers: Range<u64>) -> Result<(), Interrupted> {
        for number in numbers {
            if self.is_stopped() {
                break;
            }
            let (before, stop) = (self.rows.decisions.len(), self.stop);
            let played = stop.scope(|| self.play_one(number));
            played.inspect_err(|_| self.rows.decisions.truncate(before))?;
        }
        Ok(())
    }

    fn play_one(&mut self, number: u64) {
        if !self.match_play {
            let place = RowIdentity::single(number);
            let played = self.game.start(self.seed, number).and_then(|state| self.finish(state, place));
            if let Err(error) = played {
                self.sums.games.abort(number, error);
                self.played += 1;
            }
            return;
        }
        let played = match self.fast {
            true => self.play_match_fast(number),
            false => self.play_match(number),
        };
        let one = match played {
            Ok(Some(one)) => one,
            Ok(None) => return,
            Err((index, error)) => {
                self.sums.games.abort(index, error);
                self.sums.games.metrics.forget();
                self.played += 1;
                return;
            }
        };
        let finished = FinishedMatch::new(&one);
        self.sums.matches.add(&finished, number);
        self.sums.games.metrics.enter(|metric| metric.measure_match(&finished).unwrap_or(0));
        self.sums.games.metrics.close();
        self.played += 1;
    }

    /// Plays a match of random players, whose games the executor plays by itself.
    fn play_match_fast(&mut self, number: u64) -> Result<Option<Match>, (u64, RuntimeError)> {
        let mut played = 0;
        play_random_match(self.game, self.seed, number, &mut |start, done, counts| {
            let of_match = Some((number, played));
            let place = RowIdentity { of_match, starter: start.starter, index: start.index };
            self.add(&place, done, counts, None);
            played += 1;
        })
    }

    /// Plays a match. Returns `None` if there is none, or if the run was stopped.
    fn play_match(&mut self, number: u64) -> Result<Option<Match>, (u64, RuntimeError)> {
        let Some(mut one) = Match::new(self.game, self.seed, number) else { return Ok(None) };
        while !one.is_over() {
            let start = one.next_start();
            let place = RowIdentity {
                of_match: Some((number, one.played())),
                starter: start.starter,
                index: start.index,
            };
            let played = one.start().and_then(|state| self.finish(state, place));
            if self.is_stopped() {
                return Ok(None);
            }
            played.and_then(|state| one.enter(&state)).map_err(|error| (start.index, error))?;
        }
        Ok(Some(one))
    }

    /// Plays a started game to its end and adds it to the sums.
    fn finish(&mut self, mut state: State, mut place: RowIdentity) -> Result<State, RuntimeError> {
        place.note_starter(&state);
        let before = self.rows.decisions.len();
        let keep_decisions = self.keep.decisions;
        let (agents, decisions) = (&mut self.agents, &mut self.rows.decisions);
        let mut see = |state: &State, player: Seat, action: ActionId| {
            if keep_decisions {
                decisions.push(Decision::from_state(state, place.index, player, action));
            }
        };
        let over = play_watched(&mut state, agents, self.seed, place.index, &mut see);
        if over.is_err() || self.is_stopped() {
            self.rows.decisions.truncate(before);
            over?;
            return Ok(state);
        }
        let scored = state.scored();
        if scored.is_err() {
            self.rows.decisions.truncate(before);
        }
        let scored = scored?;
        self.add(&place, &Finished::of_state(&state, &scored), &state.counts(), Some(&state));
        if self.keep_records {
            self.records.push(Record::from_state(&state)?);
        }
        self.played += u64::from(place.of_match.is_none());
        Ok(state)
    }

    /// Adds a finished game to the sums and the rows. `state` is `None` if the executor played it by itself.
    fn add(
        &mut self,
        place: &RowIdentity,
        played: &Finished<'_>,
        counts: &UsageCounts,
        state: Option<&State>,
    ) {
        let mut played = *played;
        played.index = place.of_match.map_or(place.index, |(number, _)| number);
        self.sums.games.add(&played);
        self.sums.games.add_usage(counts);
        let value =
            |metric: &Metric| metric.measure_game(&played).saturating_add(metric.measure_usage(counts));
        self.sums.games.metrics.enter(value);
        if place.of_match.is_none() {
            self.sums.games.metrics.close();
        }
        if self.keep.rows {
            self.row_plan.add(&mut self.rows, place, &played, state);
        }
    }
}
