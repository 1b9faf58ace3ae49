//! Whole games of random players at full speed, and finished games as their readers see them.

use std::ops::Range;

use super::outcome::{end_of, winners};
use super::state::score_in;
use super::{RuntimeError, State};
use crate::Game;
use houserule_base::clock::Instant;
use houserule_base::rng::Streams;
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
    /// How often each block of actions was chosen from.
    pub options: Vec<u64>,
    /// How often each step was entered.
    pub steps: Vec<u64>,
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
    words: &'a [u64],
    slots: &'a [Option<u16>],
}

impl<'a> Finished<'a> {
    /// Reads a frame with computed scores.
    #[inline(always)]
    fn new(game: &'a Game, index: u64, words: &'a [u64], counters: Counters) -> Self {
        let program = game.program();
        Finished {
            game,
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
        let finished = Finished::new(state.game(), state.started().index, scored, state.counters());
        if state.is_over() { finished } else { Finished { end: 0, winners: 0, ..finished } }
    }

    /// Returns the score of a player.
    #[inline]
    pub fn score(&self, player: Seat) -> i64 {
        score_in(self.game.program(), self.words, player)
    }

    /// Returns the payoff of a player; 0 if the rules have no payoffs.
    #[inline]
    pub fn payoff(&self, player: Seat) -> i64 {
        let first = self.game.program().payoffs;
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
        let words = usize::from(self.game.program().width);
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
                let at = usize::from(first) + place * usize::from(self.game.program().width);
                BitSet::from_words(size, &self.words[at..at + size.div_ceil(64) as usize])
            }
            _ => match &declared.initial[place] {
                Value::Set(set) => set.clone(),
                _ => BitSet::empty(0),
            },
        }
    }
}

/// Plays the games of a run with the given indices, each from its own streams. Calls `finished` for every
/// game that ends and `failed` for every game that is aborted.
pub fn play_random(
    game: &Game,
    seed: u64,
    indices: Range<u64>,
    counts: &mut UsageCounts,
    finished: &mut impl FnMut(Finished<'_>),
    failed: &mut impl FnMut(u64, RuntimeError),
) {
    let program = game.program();
    let players = game.players() as usize;
    let mut run_state = RunState::new(game.model().actions.len(), program);
    let mut turns = 0;
    let mut streams = Streams::new(seed, indices.start, players);
    let mut words = game.first_frame();
    let start = words[..program.reset as usize].to_vec();
    let play = |index: u64, words: &mut [u64], streams: &mut Streams, run_state: &mut RunState| {
        words[..start.len()].copy_from_slice(&start);
        streams.restart(seed, index, players);
        run_state.counters = Counters::default();
        run_state.forget();
        match run(program, words, streams, run_state, program.start, true) {
            Stop::Over => match program.score {
                Some(score) => run(program, words, streams, run_state, score, true),
                None => Stop::Over,
            },
            stop => stop,
        }
    };
    let mut indices = indices;
    let mut machine = game.machine_for_games(indices.end.saturating_sub(indices.start));
    while machine.is_none() && indices.start < indices.end {
        let index = indices.start;
        indices.start += 1;
        let clock = Instant::now();
        let stop = play(index, &mut words, &mut streams, &mut run_state);
        game.costs().add(clock.elapsed());
        if let Stop::Fault { at, fault, value } = stop {
            // Aborted games don't count: playing this one again gives the counts to subtract.
            let mut aborted = RunState::new(game.model().actions.len(), program);
            play(index, &mut words, &mut streams, &mut aborted);
            run_state.take_back(&aborted);
            failed(index, game.error(at, fault, value, &run_state));
        } else {
            turns += run_state.counters.turns + run_state.counters.repeats;
            finished(Finished::new(game, index, &words, run_state.counters));
        }
        machine = game.machine_for_games(indices.end - indices.start);
    }
    if let (Some(machine), true) = (machine, indices.start < indices.end) {
        run_state.counters = Counters::default();
        run_state.forget();
        let frame = program.frame as usize;
        let most = (indices.end.saturating_sub(indices.start)).min(AT_ONCE as u64) as usize;
        let at_once = (CACHED / frame.max(1)).clamp(1, most.max(1));
        let mut frames = game.first_frame().repeat(at_once);
        let mut rows = vec![Counters::default(); at_once];
        let mut many = machine.streams(program, at_once);
        while indices.start < indices.end {
            let count = (indices.end - indices.start).min(at_once as u64) as usize;
            let (frames, rows) = (&mut frames[..count * frame], &mut rows[..count]);
            let (played, wrong) =
                machine.games(program, &start, frames, rows, &mut many, &mut run_state, seed, indices.start);
            for (words, row) in frames.chunks_exact(frame).zip(rows).take(played) {
                turns += row.turns + row.repeats;
                finished(Finished::new(game, indices.start, words, *row));
                indices.start += 1;
            }
            if let Some(Stop::Fault { at, fault, value }) = wrong {
                let mut aborted = RunState::new(game.model().actions.len(), program);
                play(indices.start, &mut words, &mut streams, &mut aborted);
                run_state.take_back(&aborted);
                failed(indices.start, game.error(at, fault, value, &run_state));
                indices.start += 1;
            }
        }
    }
    complete(program, &mut run_state, turns);
    add(&mut counts.options, &run_state.options);
    add(&mut counts.steps, &run_state.steps);
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
