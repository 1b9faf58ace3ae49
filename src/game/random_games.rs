//! Whole games of random players at full speed, and finished games as their readers see them.

use std::ops::Range;

use super::game_words::score_in;
use super::outcome::{end_of, winners};
use super::start::take_over;
use super::worth::GameCosts;
use super::{RuntimeError, Start, State};
use crate::Game;
use houserule_base::clock::Instant;
use houserule_base::rng::{ManyStreams, Streams};
use houserule_machine::native::{Machine, RunKind};
use houserule_machine::program::Program;
use houserule_machine::run::run;
use houserule_machine::run_state::{Counters, RunState, Stop};
use houserule_model::board::BitSet;
use houserule_model::{Content, Seat, SlotId, Value};

/// Maximum number of games in one call of compiled code, and maximum size of their frames, in words: they
/// stay in the cache.
const AT_ONCE: usize = 64;
const CACHED: usize = 1536;

/// Usage counts of one or several games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UsageCounts {
    /// How often each option was taken: see [`CountedUses`](houserule_model::CountedUses).
    pub options: Vec<u64>,
    /// How often each step was entered.
    pub steps: Vec<u64>,
    /// How often each `otherwise` was.
    pub otherwise: Vec<u64>,
}

impl UsageCounts {
    /// Sets all counts to 0.
    pub fn clear(&mut self) {
        [&mut self.options, &mut self.steps, &mut self.otherwise]
            .into_iter()
            .for_each(|counts| counts.fill(0));
    }

    /// Adds what another game counted.
    pub fn add(&mut self, more: &UsageCounts) {
        add(&mut self.options, &more.options);
        add(&mut self.steps, &more.steps);
        add(&mut self.otherwise, &more.otherwise);
    }

    /// Adds what a run counted of a game.
    pub(crate) fn add_run(&mut self, game: &Game, run_state: &RunState) {
        // A run without counts has none of either.
        let (steps, otherwise) =
            run_state.steps.split_at(game.model().steps.len().min(run_state.steps.len()));
        add(&mut self.options, &run_state.options);
        add(&mut self.steps, steps);
        add(&mut self.otherwise, otherwise);
    }
}

/// A finished game: its result, its scores, all counters of the executor, and its values at the end.
#[derive(Clone, Copy, Debug)]
pub struct Finished<'a> {
    /// The game that was played.
    pub game: &'a Game,
    /// The index of the game in the run.
    pub index: u64,
    /// The end that decided: see [`Outcome::end`](super::Outcome::end).
    pub end: u32,
    /// The players who share the win, one bit each.
    pub winners: u32,
    /// The items of each player's score, player by player.
    pub scores: &'a [i64],
    /// What is counted of the game.
    pub counters: Counters,
    /// The program whose words these are.
    program: &'a Program,
    words: &'a [u64],
    slots: &'a [Option<u16>],
}

impl<'a> Finished<'a> {
    /// Reads a frame with computed scores.
    #[inline(always)]
    fn new(game: &'a Game, program: &'a Program, index: u64, words: &'a [u64], counters: Counters) -> Self {
        Finished {
            game,
            program,
            index,
            end: end_of(words),
            winners: winners(program, words),
            scores: scores(program, words),
            counters,
            words,
            slots: game.slots(),
        }
    }

    /// Reads a state and its words with computed scores. A game that is not over has no winners, and the first end.
    #[inline]
    pub fn of_state(state: &'a State, scored: &'a [u64]) -> Self {
        let (game, index) = (state.game(), state.started().index);
        let finished = Finished::new(game, game.program(), index, scored, state.counters());
        if state.is_over() { finished } else { Finished { end: 0, winners: 0, ..finished } }
    }

    /// Returns the words, with computed scores.
    pub(crate) fn words(&self) -> &'a [u64] {
        self.words
    }

    /// Returns the score of a player.
    #[inline]
    pub fn score(&self, player: Seat) -> i64 {
        score_in(self.program, self.words, player)
    }

    /// Returns the payoff of a player; 0 if the rules have no payoffs.
    #[inline]
    pub fn payoff(&self, player: Seat) -> i64 {
        let first = self.program.payoffs;
        first.map_or(0, |first| self.words[usize::from(first) + player.index()] as i64)
    }

    /// Returns a number, boolean or element of the final state, with -1 for `none`. For a set see
    /// [`Finished::set_count`]. Returns `None` if the program does not keep the slot.
    #[inline]
    pub fn value(&self, slot: SlotId, place: usize) -> Option<i64> {
        Some(self.words[usize::from(self.slots[slot.index()]?) + place] as i64)
    }

    /// Returns the size of a set of the final state, or `None` if the program does not keep the slot.
    #[inline]
    pub fn set_count(&self, slot: SlotId, place: usize) -> Option<u32> {
        let words = usize::from(self.program.width);
        let at = usize::from(self.slots[slot.index()]?) + place * words;
        Some(self.words[at..at + words].iter().map(|w| w.count_ones()).sum())
    }

    /// Returns a set of the final state. A slot that the program does not keep has its initial value.
    pub fn set(&self, slot: SlotId, place: usize) -> BitSet {
        let model = self.game.model();
        let declared = &model.slots[slot.index()];
        match (declared.content, self.slots[slot.index()]) {
            (Content::Set(domain), Some(first)) => {
                let size = model.domains[domain.index()].size;
                let at = usize::from(first) + place * usize::from(self.program.width);
                BitSet::from_words(size, &self.words[at..at + size.div_ceil(64) as usize])
            }
            _ => match &declared.initial[place] {
                Value::Set(set) => set.clone(),
                _ => BitSet::empty(0),
            },
        }
    }
}

/// Plays games of random players one after the other, each from the start that the caller gives.
pub(crate) struct SeriesRun<'g> {
    run: RandomRun<'g>,
    /// The streams of compiled code.
    streams: Option<ManyStreams>,
    /// What the last game used.
    counts: UsageCounts,
    has_played: bool,
}

impl<'g> SeriesRun<'g> {
    pub(crate) fn new(game: &'g Game, seed: u64) -> SeriesRun<'g> {
        let run = RandomRun::new(game, game.program(), seed);
        SeriesRun { run, streams: None, counts: UsageCounts::default(), has_played: false }
    }

    /// Plays a game with the match-long values of the one before. Returns it with what it used.
    pub(crate) fn play(&mut self, start: &Start) -> Result<(Finished<'_>, &UsageCounts), RuntimeError> {
        let game = self.run.game;
        let made = game.machine_for_series(false);
        let program = made.map_or_else(|| game.program(), |(program, _)| program);
        if !std::ptr::eq(program, self.run.program) {
            let words = std::mem::take(&mut self.run.words);
            self.run = RandomRun::new(game, program, self.run.seed);
            // Programs of a game differ only beyond the state.
            let kept = program.persistent as usize;
            self.run.words[..kept].copy_from_slice(&words[..kept]);
        }
        let mut words = game.first_frame_at(program, start);
        if std::mem::replace(&mut self.has_played, true) {
            take_over(game, &mut words, &self.run.words);
        }
        words.truncate(program.reset as usize);
        self.run.start = words;
        let (stop, counters) = match made {
            Some((_, machine)) => self.play_compiled(machine, start.index),
            None => self.run.play_timed(start.index, game.series_costs()),
        };
        let run = &mut self.run;
        if let Stop::Fault { at, fault, value } = stop {
            return Err(game.error_in(program, at, fault, value, &run.run_state));
        }
        complete(program, &mut run.run_state, counters.turns + counters.repeats);
        self.counts.clear();
        self.counts.add_run(game, &run.run_state);
        run.run_state.options.fill(0);
        run.run_state.steps.fill(0);
        Ok((Finished::new(game, program, start.index, &run.words, counters), &self.counts))
    }

    /// Returns the next game at its first decision, if it starts so.
    pub(crate) fn opening(&self, start: &Start) -> Result<State, RuntimeError> {
        let game = self.run.game;
        let mut state = game.unstarted(start);
        if self.has_played {
            take_over(game, &mut state.words, &self.run.words);
        }
        state.run_from(game.program().start)?;
        Ok(state)
    }

    fn play_compiled(&mut self, machine: &Machine, index: u64) -> (Stop, Counters) {
        let RandomRun { program, start, words, run_state, seed, .. } = &mut self.run;
        let streams = self.streams.get_or_insert_with(|| machine.streams(program, 1));
        // The code writes no word that it only reads.
        words[..start.len()].copy_from_slice(start);
        let mut rows = [Counters::default()];
        let (_, wrong) = machine.games(program, start, words, &mut rows, streams, run_state, *seed, index);
        (wrong.unwrap_or(Stop::Over), rows[0])
    }
}

/// Plays the games of a run with the given indices, each from its own streams. Calls `finished` for every
/// game that ends and `failed` for every game that is aborted.
pub fn play_random(
    game: &Game,
    seed: u64,
    mut indices: Range<u64>,
    counts: &mut UsageCounts,
    finished: &mut impl FnMut(Finished<'_>),
    failed: &mut impl FnMut(u64, RuntimeError),
) {
    while indices.start < indices.end {
        let machine = game.machine_for_games(indices.end - indices.start);
        let mut run = RandomRun::new(game, game.program_if_made(RunKind::Games), seed);
        match machine {
            Some(machine) => run.play_compiled(machine, &mut indices, finished, failed),
            None => run.interpret(&mut indices, finished, failed),
        }
        run.add_to(counts);
    }
}

/// A run of random games of one program.
struct RandomRun<'g> {
    game: &'g Game,
    program: &'g Program,
    seed: u64,
    streams: Streams,
    words: Vec<u64>,
    /// The words of a new game.
    start: Vec<u64>,
    run_state: RunState,
    turns: u64,
}

impl<'g> RandomRun<'g> {
    fn new(game: &'g Game, program: &'g Program, seed: u64) -> RandomRun<'g> {
        let words = game.first_frame_of(program);
        let start = words[..program.reset as usize].to_vec();
        let streams = Streams::new(seed, 0, game.players() as usize);
        let run_state = RunState::new(program);
        RandomRun { game, program, seed, streams, words, start, run_state, turns: 0 }
    }

    /// Plays a game with the interpreter, and counts in `run_state`.
    fn play(&mut self, index: u64, run_state: &mut RunState) -> Stop {
        let RandomRun { program, words, streams, .. } = self;
        words[..self.start.len()].copy_from_slice(&self.start);
        streams.restart(self.seed, index, self.game.players() as usize);
        run_state.counters = Counters::default();
        run_state.forget();
        match run(program, words, streams, run_state, program.start, true) {
            Stop::Over => match program.score {
                Some(score) => run(program, words, streams, run_state, score, true),
                None => Stop::Over,
            },
            stop => stop,
        }
    }

    /// Plays a game with the interpreter, and notes what it costs.
    fn play_timed(&mut self, index: u64, costs: &GameCosts) -> (Stop, Counters) {
        let clock = Instant::now();
        let mut run_state = std::mem::take(&mut self.run_state);
        let stop = self.play(index, &mut run_state);
        self.run_state = run_state;
        costs.add(clock.elapsed());
        (stop, self.run_state.counters)
    }

    /// Tells of a game that was aborted. It doesn't count: playing it again gives the counts to subtract.
    fn abort(&mut self, index: u64, stop: Stop, failed: &mut impl FnMut(u64, RuntimeError)) {
        let Stop::Fault { at, fault, value } = stop else { return };
        let mut aborted = RunState::new(self.program);
        self.play(index, &mut aborted);
        self.run_state.take_back(&aborted);
        failed(index, self.game.error_in(self.program, at, fault, value, &self.run_state));
    }

    /// Plays games with the interpreter, until compiling the program pays.
    fn interpret(
        &mut self,
        indices: &mut Range<u64>,
        finished: &mut impl FnMut(Finished<'_>),
        failed: &mut impl FnMut(u64, RuntimeError),
    ) {
        while indices.start < indices.end {
            let index = indices.start;
            indices.start += 1;
            let (stop, counters) = self.play_timed(index, self.game.costs());
            if let Stop::Fault { .. } = stop {
                self.abort(index, stop, failed);
            } else {
                self.turns += counters.turns + counters.repeats;
                finished(Finished::new(self.game, self.program, index, &self.words, counters));
            }
            let is_compiled = self.game.machine_for_games(indices.end - indices.start).is_some();
            if is_compiled || !std::ptr::eq(self.program, self.game.program_if_made(RunKind::Games)) {
                return;
            }
        }
    }

    /// Plays games with compiled code.
    fn play_compiled(
        &mut self,
        machine: &Machine,
        indices: &mut Range<u64>,
        finished: &mut impl FnMut(Finished<'_>),
        failed: &mut impl FnMut(u64, RuntimeError),
    ) {
        let (game, program) = (self.game, self.program);
        let frame = program.frame as usize;
        let most = (indices.end.saturating_sub(indices.start)).min(AT_ONCE as u64) as usize;
        let at_once = (CACHED / frame.max(1)).clamp(1, most.max(1));
        let mut frames = game.first_frame_of(program).repeat(at_once);
        let mut rows = vec![Counters::default(); at_once];
        let mut many = machine.streams(program, at_once);
        while indices.start < indices.end {
            let count = (indices.end - indices.start).min(at_once as u64) as usize;
            let (frames, rows) = (&mut frames[..count * frame], &mut rows[..count]);
            let RandomRun { start, run_state, seed, .. } = &mut *self;
            let (played, wrong) =
                machine.games(program, start, frames, rows, &mut many, run_state, *seed, indices.start);
            for (words, row) in frames.chunks_exact(frame).zip(rows).take(played) {
                self.turns += row.turns + row.repeats;
                finished(Finished::new(game, program, indices.start, words, *row));
                indices.start += 1;
            }
            if let Some(stop) = wrong {
                self.abort(indices.start, stop, failed);
                indices.start += 1;
            }
        }
    }

    /// Adds what the run counted.
    fn add_to(mut self, counts: &mut UsageCounts) {
        complete(self.program, &mut self.run_state, self.turns);
        counts.add_run(self.game, &self.run_state);
    }
}

/// Fills in the counts that the program leaves out because other counts imply them.
pub(crate) fn complete(program: &Program, run_state: &mut RunState, turns: u64) {
    for (step, of) in &program.implied_steps {
        run_state.steps[usize::from(*step)] += match of {
            Some(other) => run_state.steps[usize::from(*other)],
            None => turns,
        };
    }
}

fn scores<'a>(program: &Program, words: &'a [u64]) -> &'a [i64] {
    let (first, len) =
        (usize::from(program.items), usize::from(program.item_count) * usize::from(program.players));
    let items = &words[first..first + len];
    // SAFETY: `u64` and `i64` have the same size and alignment, and every word is a valid `i64`.
    unsafe { std::slice::from_raw_parts(items.as_ptr().cast(), items.len()) }
}

fn add(sum: &mut Vec<u64>, more: &[u64]) {
    sum.resize(sum.len().max(more.len()), 0);
    sum.iter_mut().zip(more).for_each(|(s, m)| *s += m);
}
