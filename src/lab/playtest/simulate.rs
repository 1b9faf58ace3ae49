//! Multi-threaded simulation of many games. The plan's seed and the index of a game determine the game.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use super::match_sums::MatchSums;
use super::metric::{FinishedMatch, Metric};
use super::plan::{CustomAgents, GameSinks, Keep, RecordSink, RunMonitor, SimulateError, SimulationPlan};
use super::precision::MetricSums;
use super::report::Report;
use super::rows::{Decision, GameRows, RowIdentity, RowPlan};
use super::sums::GameSums;
use super::totals::{RunInfo, Totals};
use houserule_base::clock::{Instant, process_seconds};
use houserule_base::interrupt::{self, Interrupt, Interrupted};
use houserule_base::rng::Stream;
use houserule_game::matches::Match;
use houserule_game::notation::record::Record;
use houserule_game::random_games::{Finished, UsageCounts, play_random};
use houserule_game::{ActionId, Game, RuntimeError, Seat, State};
use houserule_players::agent::{Agent, agent_stream, apply_choice};
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
        let SeatedPlan { game, plan, end, seats: CustomAgents { names, agents }, own_agents } = self;
        let random = own_agents && plan.agents.iter().all(|kind| *kind == AgentKind::Random);
        let row_plan = RowPlan::new(game);
        let (streams, keeps_records) = (sinks.rows.is_some(), sinks.records.is_some());
        let is_in_order = streams || keeps_records || keep.prefix;
        let keep = Keep { rows: keep.rows || streams, ..keep };
        let rows_are_fast = !keep.rows || row_plan.is_fast();
        let fast = random
            && !keeps_records
            && !plan.match_play
            && !keep.decisions
            && rows_are_fast
            && !metrics.are_of_batches();

        let (clock, cpu) = (Instant::now(), process_seconds());
        let threads = plan.threads.max(1);
        if fast {
            game.prepare(plan.games);
        }
        let largest = match (fast, own_agents) {
            // A part of a match counts in no prefix.
            _ if keep.prefix && plan.match_play => 1,
            (true, _) => LARGEST_PART,
            (false, true) => LARGEST_ASKED_PART,
            // Custom agents can take any time.
            (false, false) => 1,
        };
        let part = (plan.games / (threads as u64 * 64)).clamp(1, largest);
        let parts = IndexQueue { next: AtomicU64::new(plan.first), end, part };
        let done = AtomicU64::new(0);
        let no_sums = || (GameSums::new(game).with(metrics), MatchSums::new(game));
        let in_order = is_in_order.then(|| {
            Mutex::new(InOrder {
                next: plan.first,
                waiting: BTreeMap::new(),
                sums: no_sums(),
                sinks,
                drops_parts: keep.prefix && plan.match_play,
            })
        });
        let (moved, left) = (Condvar::new(), AtomicBool::new(false));
        let kept: Mutex<BTreeMap<u64, GameRows>> = Mutex::default();

        let work = |mut worker: Worker<'_>| -> (GameSums, MatchSums) {
            let _leaving = Leaving { left: &left, moved: &moved };
            let mut size = if keep.prefix { 1 } else { part };
            while let Some(range) = parts.take_up_to(size) {
                let clock = Instant::now();
                let (start, games) = (range.start, range.end - range.start);
                let played = if fast { worker.play_fast(range) } else { worker.play(range) };
                let stopped = played.is_err() || worker.is_stopped();
                if keep.only_until_error && worker.sums.aborted > 0 {
                    parts.close();
                }
                if let Some(in_order) = &in_order {
                    let (sums, matches) = no_sums();
                    let part = RecordedPart {
                        games,
                        played: std::mem::take(&mut worker.played),
                        records: std::mem::take(&mut worker.records),
                        rows: if streams { std::mem::take(&mut worker.rows) } else { GameRows::default() },
                        sums: std::mem::replace(&mut worker.sums, sums),
                        matches: std::mem::replace(&mut worker.matches, matches),
                    };
                    let mut order = in_order.lock().unwrap_or_else(|e| e.into_inner());
                    order.put(start, part);
                    moved.notify_all();
                    // A thread far ahead of the others waits for them, so that little waits in memory.
                    while order.waiting.len() > MOST_WAITING * threads
                        && !left.load(Ordering::Relaxed)
                        && !worker.is_stopped()
                    {
                        order = match moved.wait_timeout(order, UNWATCHED) {
                            Ok((order, _)) => order,
                            Err(poisoned) => poisoned.into_inner().0,
                        };
                    }
                }
                if stopped {
                    break;
                }
                if keep.prefix {
                    size = match clock.elapsed() {
                        spent if spent < PART_TIME / 2 => (size * 2).min(largest),
                        spent if spent > PART_TIME => (size / 2).max(1),
                        _ => size,
                    };
                }
                if (keep.rows || keep.decisions) && !streams {
                    let rows = std::mem::take(&mut worker.rows);
                    kept.lock().unwrap_or_else(|e| e.into_inner()).insert(start, rows);
                }
                (watch.progress)(done.fetch_add(games, Ordering::Relaxed) + games);
            }
            (worker.sums, worker.matches)
        };
        let worker = || Worker {
            game,
            seed: plan.seed,
            match_play: plan.match_play,
            keep_records: keeps_records,
            keep,
            row_plan: &row_plan,
            stop: watch.stop,
            agents: agents.iter().map(|agent| agent.copy()).collect(),
            sums: no_sums().0,
            matches: MatchSums::new(game),
            played: 0,
            records: Vec::new(),
            rows: GameRows::default(),
            counts: UsageCounts::default(),
            at_once: 1,
        };
        let (mut sums, mut matches) = no_sums();
        let here = interrupt::current();
        std::thread::scope(|scope| {
            let (work, here) = (&work, &here);
            let spawn = |_| {
                let worker = worker();
                scope.spawn(move || here.scope(|| work(worker)))
            };
            let others: Vec<_> = (1..threads).map(spawn).collect();
            let mut add = |(other, other_matches): (GameSums, MatchSums)| {
                sums.merge(other);
                matches.merge(&other_matches);
            };
            add(work(worker()));
            for other in others {
                match other.join() {
                    Ok(found) => found.into_iter().for_each(&mut add),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
        });
        let mut requested = plan.games;
        if let Some(in_order) = in_order {
            let in_order = in_order.into_inner().unwrap_or_else(|e| e.into_inner());
            if keep.prefix {
                requested = in_order.next - plan.first;
            }
            (sums, matches) = in_order.sums;
        }
        let interrupted = watch.stop.is_set() && !(keep.prefix && watch.stop.is_late());
        if interrupted && !keep.what_was_found {
            return Err(SimulateError::Stopped);
        }
        interrupt::check();
        let seconds = clock.elapsed().as_secs_f64();
        let run = RunInfo {
            requested,
            interrupted,
            seed: plan.seed,
            first: plan.first,
            threads,
            agents: names,
            seconds,
            cpu_seconds: cpu.zip(process_seconds()).map_or(seconds, |(before, after)| after - before),
        };
        let matches = plan.match_play.then_some(matches);
        let rows = GameRows::concat(kept.into_inner().unwrap_or_else(|e| e.into_inner()).into_values());
        Ok((Report::new(game, Totals { sums, matches, run }), rows))
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
struct Leaving<'l> {
    left: &'l AtomicBool,
    moved: &'l Condvar,
}

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.left.store(true, Ordering::Relaxed);
        self.moved.notify_all();
    }
}

/// Passes games to the sinks in their order, and adds up those that it passed on. If the run is stopped, games after
/// the first one that wasn't finished count in neither.
struct InOrder<'s, 'a> {
    next: u64,
    waiting: BTreeMap<u64, RecordedPart>,
    sums: (GameSums, MatchSums),
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
    sums: GameSums,
    matches: MatchSums,
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
            self.sums.0.merge(part.sums);
            self.sums.1.merge(&part.matches);
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
    keep_records: bool,
    keep: Keep,
    row_plan: &'g RowPlan,
    stop: &'g Interrupt,
    agents: Vec<Box<dyn Agent>>,
    sums: GameSums,
    matches: MatchSums,
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
        let sums = &mut self.sums;
        let (game, keep_rows, row_plan, rows) = (self.game, self.keep.rows, self.row_plan, &mut self.rows);
        let mut finished = |done: Finished<'_>| {
            sums.add(&done);
            if !sums.metrics.is_empty() {
                sums.metrics.enter(|metric| metric.of_game(&done));
                sums.metrics.close();
            }
            if keep_rows {
                row_plan.add(rows, &RowIdentity::single(done.index), &done, None);
            }
        };
        let mut failed = |index: u64, error: RuntimeError| failures.push((index, error));
        play_random(game, self.seed, games, &mut counts, &mut finished, &mut failed);
        for (index, error) in failures {
            self.sums.abort(index, error);
        }
        self.sums.add_usage(&counts);
        counts.options.fill(0);
        counts.steps.fill(0);
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
                self.sums.abort(number, error);
                self.played += 1;
            }
            return;
        }
        let Some(mut one) = Match::new(self.game, self.seed, number) else { return };
        while !one.is_over() {
            let start = one.next_start();
            let place = RowIdentity {
                of_match: Some((number, one.played())),
                starter: start.starter,
                index: start.index,
            };
            let played = one.start().and_then(|state| self.finish(state, place));
            if self.is_stopped() {
                return;
            }
            if let Err(error) = played.and_then(|state| one.enter(&state)) {
                self.sums.abort(start.index, error);
                self.sums.metrics.forget();
                self.played += 1;
                return;
            }
        }
        let finished = FinishedMatch::new(&one);
        self.matches.add(&finished, number);
        self.sums.metrics.enter(|metric| metric.of_match(&finished).unwrap_or(0));
        self.sums.metrics.close();
        self.played += 1;
    }

    /// Plays a started game to its end and adds it to the sums.
    fn finish(&mut self, mut state: State, mut place: RowIdentity) -> Result<State, RuntimeError> {
        place.note_starter(&state);
        let before = self.rows.decisions.len();
        let keep_decisions = self.keep.decisions;
        let (agents, decisions) = (&mut self.agents, &mut self.rows.decisions);
        let mut see = |state: &State, player: Seat, action: ActionId| {
            if keep_decisions {
                decisions.push(Decision::of(state, place.index, player, action));
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
        let mut played = Finished::of_state(&state, &scored);
        played.index = place.of_match.map_or(place.index, |(number, _)| number);
        self.sums.add(&played);
        let counts = state.counts();
        self.sums.add_usage(&counts);
        let value = |metric: &Metric| metric.of_game(&played).saturating_add(metric.of_usage(&counts));
        self.sums.metrics.enter(value);
        if place.of_match.is_none() {
            self.sums.metrics.close();
        }
        if self.keep.rows {
            self.row_plan.add(&mut self.rows, &place, &played, Some(&state));
        }
        if self.keep_records {
            self.records.push(Record::from_state(&state)?);
        }
        self.played += u64::from(place.of_match.is_none());
        Ok(state)
    }
}

/// Plays a state to its end, or to the error that stops it. `see` gets every state with the player and action, before
/// it is applied.
pub(crate) fn play_watched(
    state: &mut State,
    agents: &mut [Box<dyn Agent>],
    seed: u64,
    index: u64,
    see: &mut dyn FnMut(&State, Seat, ActionId),
) -> Result<(), RuntimeError> {
    let seats = 0..agents.len() as u32;
    let mut streams: Vec<Stream> = seats.map(|seat| agent_stream(seed, index, Seat(seat))).collect();
    while let Some(player) = state.current_player() {
        interrupt::check();
        let seat = player.0 as usize;
        let chosen = agents[seat].choose(&mut state.seen_by(player), &mut streams[seat])?;
        if let Some(action) = chosen {
            see(state, player, action);
        }
        apply_choice(state, &*agents[seat], chosen)?;
    }
    Ok(())
}
