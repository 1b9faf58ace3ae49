//! An array of games of one kind, each as small as possible: its words, its chance stream and its number of
//! decisions. Games have no history and no usage counts, and share what they need only while they run.
//!
//! Depends on how games run; independent of agents and purpose.

mod apply;
mod family;
mod masks;
mod playout;
mod slots;
mod trials;

use std::ops::Range;
use std::sync::Arc;

pub use apply::{ActionResult, BatchResults, BatchScores};
pub use playout::Playout;
pub use trials::{RolledDice, Trials};

use self::family::Kinds;
use self::masks::StopMask;
use crate::choice_layout::{ActionBit, ChoiceLayout};
use crate::game_words::score_in;
use crate::observe::{GameBatch, RowsFrom, own_scale};
use crate::outcome::{end_of, returned, winners};
use crate::snapshot::{ByteReader, ByteWriter, SnapshotError, check_words, pasts_of};
use crate::state::State;
use crate::{ActionId, Game, Patience, RuntimeError, Seat, Start};
use houserule_base::rng::{Stream, Streams};
use houserule_machine::candidates::Candidates;
use houserule_machine::native::RunKind;
use houserule_machine::past::Past;
use houserule_machine::program::{CodeAddress, OVER, PENDING, Program, StopKind, StopRef};
use houserule_machine::run::run;
use houserule_machine::run_state::{Fault, RunState, Stop};

/// The game in an array at which a search begins its simulations.
pub const ROOT: usize = 0;
/// The game in an array in which the simulations of a search run.
pub const TRIAL: usize = 1;

/// An array of games, indexed from 0: of one kind, or of a family of kinds (see [`family`]).
pub struct Many {
    /// The game; of a family the first one. All keep their states in the same words.
    game: Game,
    tables: Arc<Tables>,
    kinds: Kinds,
    /// Size of a frame, in words.
    frame: usize,
    words: Vec<u64>,
    chance: Vec<Stream>,
    decisions: Vec<u64>,
    /// Past positions by game; empty if the rules never use `repeated`.
    pasts: Vec<Vec<Past>>,
    streams: Streams,
    run_state: RunState,
    candidates: Candidates,
    /// How long the interpreter goes on.
    pub patience: Patience,
}

/// Why an action was not applied, or not completely.
pub enum Rejection {
    /// The action is not legal, or no decision is pending.
    Illegal,
    /// The rules failed.
    Failed(Box<RuntimeError>),
}

impl From<Box<RuntimeError>> for Rejection {
    fn from(error: Box<RuntimeError>) -> Self {
        Rejection::Failed(error)
    }
}

/// Data that all games of a kind share.
struct Tables {
    game: Game,
    /// By stop point; `None` for chance events.
    stops: Vec<Option<ChoiceLayout>>,
    /// By stop point, and last for no decision.
    masks: Vec<StopMask>,
    /// The words of a new game, up to its first chance event or decision.
    start: Vec<u64>,
    /// Where a game continues from there; `None` if a decision is pending or the game is over.
    go_on: Option<CodeAddress>,
    /// By stop point, the moves by action id; `None` if games can't be stepped together.
    moves: Option<Vec<Vec<ActionBit>>>,
    /// The words from which the scores are computed; `None` if they depend on more than words, or on many.
    scored: Option<Vec<u16>>,
}

impl Tables {
    fn new(game: &Game) -> Tables {
        let program = game.program();
        let layout = |stop: &houserule_machine::program::StopPoint| match &stop.kind {
            StopKind::Choice(choice) => Some(ChoiceLayout::new(game, choice)),
            _ => None,
        };
        let stops: Vec<Option<ChoiceLayout>> = program.stops.iter().map(layout).collect();
        let mut tables = Tables {
            game: game.clone(),
            moves: moves(game, &stops),
            masks: StopMask::all(&stops),
            stops,
            start: game.first_frame(),
            go_on: Some(program.start),
            scored: apply::scored(program),
        };
        // Past positions are noted on the way, so such games start at the beginning.
        if program.pasts.is_empty() {
            tables.run_ahead(program);
        }
        tables
    }

    /// Runs from the start to the first chance event or decision. All games have this part in common.
    fn run_ahead(&mut self, program: &Program) {
        let mut words = self.start.clone();
        let mut run_state = RunState::default();
        match run(program, &mut words, &mut Streams::new(0, 0, 0), &mut run_state, program.start, false) {
            Stop::Pending => {
                let number = words[usize::from(PENDING)] as usize - 1;
                self.go_on = match &self.stops[number] {
                    Some(stop) if !stop.tried => None,
                    _ => Some(program.stops[number].entry),
                };
                self.start = words;
            }
            Stop::Over => (self.start, self.go_on) = (words, None),
            // A fault occurs in every game and is reported there.
            _ => {}
        }
    }
}

/// Returns the moves of every stop point, or `None` if options are tried or past positions are compared.
fn moves(game: &Game, stops: &[Option<ChoiceLayout>]) -> Option<Vec<Vec<ActionBit>>> {
    if !game.program().pasts.is_empty() || stops.iter().flatten().any(|stop| stop.tried) {
        return None;
    }
    let moves = |stop: &Option<ChoiceLayout>| match stop {
        Some(stop) => stop.moves(game.actions()),
        None => Some(vec![]),
    };
    stops.iter().map(moves).collect()
}

impl Many {
    /// Creates `games` games, none of which has begun.
    pub fn new(game: &Game, games: usize) -> Many {
        Many::of_kinds(Kinds::one(Arc::new(Tables::new(game)), games), games)
    }

    /// Creates more games of the same kind, which share the constant data.
    pub fn more(&self, games: usize) -> Many {
        Many::of_kinds(self.kinds.more(games), games)
    }

    fn of_kinds(kinds: Kinds, games: usize) -> Many {
        let tables = Arc::clone(kinds.first());
        let game = tables.game.clone();
        let program = game.program();
        let frame = program.frame as usize;
        let pasts = || program.pasts.iter().map(Past::small).collect();
        Many {
            frame,
            words: tables.start.iter().copied().cycle().take(frame * games).collect(),
            chance: vec![Stream::from_words([0; 4]); games],
            decisions: vec![0; games],
            pasts: if program.pasts.is_empty() { vec![] } else { (0..games).map(|_| pasts()).collect() },
            streams: Streams::new(0, 0, 0),
            run_state: RunState { draws_chance: true, ..RunState::default() },
            candidates: Candidates::new(program),
            // Code that is already compiled is used at once.
            patience: match game.machine_if_made(RunKind::Steps) {
                Some(_) => Patience::OVER,
                None => Patience::new(program.code.len()),
            },
            kinds,
            game: game.clone(),
            tables,
        }
    }

    /// Returns the size of one game, in bytes, without the positions for `repeated`.
    pub fn bytes_each(&self) -> usize {
        8 * self.frame + size_of::<Stream>() + size_of::<u64>() + size_of::<u32>()
    }

    /// Starts game `index` of a run as game `i`.
    #[inline(always)]
    pub fn start(&mut self, i: usize, seed: u64, index: u64) -> Result<(), Box<RuntimeError>> {
        let kept = self.game.program().live as usize;
        let tables = self.kinds.tables(i);
        let go_on = tables.go_on;
        self.words[i * self.frame..][..kept].copy_from_slice(&tables.start[..kept]);
        self.decisions[i] = 0;
        if self.game.program().uses_chance {
            self.chance[i] = Stream::new(seed, index, 0);
        }
        if let Some(pasts) = self.pasts.get_mut(i) {
            pasts.iter_mut().for_each(Past::clear);
        }
        match go_on {
            Some(at) => self.go_on(i, at),
            None => Ok(()),
        }
    }

    /// Returns the words of a game.
    #[inline(always)]
    pub fn frame(&self, i: usize) -> &[u64] {
        &self.words[i * self.frame..][..self.frame]
    }

    fn frame_mut(&mut self, i: usize) -> &mut [u64] {
        &mut self.words[i * self.frame..][..self.frame]
    }

    #[inline(always)]
    fn pending_stop(&self, i: usize) -> Option<&ChoiceLayout> {
        match self.frame(i)[usize::from(PENDING)] {
            0 | OVER => None,
            stop => self.tables.stops[stop as usize - 1].as_ref(),
        }
    }

    #[inline(always)]
    fn region<'a>(&'a self, i: usize, stop: &ChoiceLayout) -> &'a [u64] {
        &self.frame(i)[stop.region..][..stop.words]
    }

    /// Returns `true` if a decision or a chance event is pending.
    #[inline(always)]
    pub fn is_waiting(&self, i: usize) -> bool {
        !matches!(self.frame(i)[usize::from(PENDING)], 0 | OVER)
    }

    /// Returns `true` if a game is over.
    #[inline(always)]
    pub fn is_over(&self, i: usize) -> bool {
        self.frame(i)[usize::from(PENDING)] == OVER
    }

    /// Returns the player who has to decide.
    #[inline(always)]
    pub fn current_player(&self, i: usize) -> Option<u32> {
        self.pending_stop(i).map(|stop| self.frame(i)[stop.me] as u32)
    }

    /// Copies game `from` to game `to`, which keeps its own chance stream.
    #[inline]
    pub(crate) fn copy(&mut self, from: usize, to: usize) {
        let Many { frame, words, decisions, pasts, .. } = self;
        words.copy_within(from * *frame..(from + 1) * *frame, to * *frame);
        decisions[to] = decisions[from];
        if !pasts.is_empty() {
            let mut past = std::mem::take(&mut pasts[to]);
            past.clone_from(&pasts[from]);
            pasts[to] = past;
        }
    }

    /// Ends a game without an outcome: nothing is pending any more.
    pub fn stop(&mut self, i: usize) {
        self.frame_mut(i)[usize::from(PENDING)] = 0;
    }

    /// Applies an action and runs to the next decision. Sets `actor` to the player who decided, if a decision
    /// was pending.
    #[inline(always)]
    pub fn apply(&mut self, i: usize, action: u32, actor: &mut u32) -> Result<(), Rejection> {
        let frame = &mut self.words[i * self.frame..][..self.frame];
        let number = match frame[usize::from(PENDING)] {
            0 | OVER => return Err(Rejection::Illegal),
            stop => stop as usize - 1,
        };
        let tables = self.kinds.tables(i);
        let Some(stop) = &tables.stops[number] else { return Err(Rejection::Illegal) };
        *actor = frame[stop.me] as u32;
        let Some((part, word, bit)) = stop.place_of(ActionId(action)) else { return Err(Rejection::Illegal) };
        if frame[stop.region + word] >> bit & 1 == 0 {
            return Err(Rejection::Illegal);
        }
        part.bind(ActionId(action), |_, address, element| frame[usize::from(address)] = element.into());
        let body = part.body;
        self.decisions[i] += 1;
        let program = tables.game.program();
        if self.decisions[i] > program.limit {
            return Err(self.failed(i, program.stops[number].at.0.into(), Fault::Limit, 0).into());
        }
        Ok(self.go_on(i, body)?)
    }

    /// Runs a game to the next decision.
    #[inline(always)]
    fn go_on(&mut self, i: usize, at: CodeAddress) -> Result<(), Box<RuntimeError>> {
        let game = &self.kinds.tables(i).game;
        let program = game.program();
        let words = &mut self.words[i * self.frame..][..self.frame];
        let (streams, run_state) = (&mut self.streams, &mut self.run_state);
        if program.uses_chance {
            streams.chance = self.chance[i];
        }
        if let Some(pasts) = self.pasts.get_mut(i) {
            std::mem::swap(pasts, &mut run_state.pasts);
        }
        run_state.spent = 0;
        let clock = self.patience.clock();
        let steps = if clock.is_none() { game.compiled_steps() } else { game.steps() };
        let mut at = at;
        let stopped = loop {
            match steps.run(words, streams, run_state, at) {
                Stop::Pending => {
                    let stop = words[usize::from(PENDING)] as usize - 1;
                    if !self.tables.stops[stop].as_ref().is_some_and(|stop| stop.tried) {
                        break Ok(());
                    }
                    match self.candidates.try_out(steps, StopRef(stop as u16), words, streams, run_state) {
                        Ok(None) => break Ok(()),
                        Ok(Some(next)) => at = next,
                        Err(fault) => break Err((program.stops[stop].at.0.into(), fault, 0)),
                    }
                }
                // The candidate that is now taken was tried when the choice came up.
                Stop::Kept(next) => at = CodeAddress(next),
                Stop::Fault { at, fault, value } => break Err((at, fault, value)),
                _ => break Ok(()),
            }
        };
        if let Some(clock) = clock {
            self.patience.spend(clock);
        }
        if program.uses_chance {
            self.chance[i] = streams.chance;
        }
        if let Some(pasts) = self.pasts.get_mut(i) {
            std::mem::swap(pasts, &mut run_state.pasts);
        }
        match stopped {
            Ok(()) => Ok(()),
            Err((at, fault, value)) => Err(self.failed(i, at, fault, value)),
        }
    }

    #[cold]
    #[inline(never)]
    fn failed(&self, i: usize, at: u32, fault: Fault, value: i64) -> Box<RuntimeError> {
        Box::new(self.game_of(i).error(at, fault, value, &self.run_state))
    }

    /// Computes the scores of a game for [`Many::score`] and [`Many::winners`].
    #[inline(always)]
    pub fn compute_scores(&mut self, i: usize) -> Result<(), Box<RuntimeError>> {
        let game = &self.kinds.tables(i).game;
        let Some(score) = game.program().score else { return Ok(()) };
        let words = &mut self.words[i * self.frame..][..self.frame];
        self.run_state.spent = 0;
        match game.steps().run(words, &mut self.streams, &mut self.run_state, score) {
            Stop::Fault { at, fault, value } => Err(self.failed(i, at, fault, value)),
            _ => Ok(()),
        }
    }

    /// Computes the measures of a game for [`Many::measured`].
    pub fn measure(&mut self, i: usize) -> Result<(), Box<RuntimeError>> {
        let game = &self.kinds.tables(i).game;
        let Some(measure) = game.program().measure else { return Ok(()) };
        let words = &mut self.words[i * self.frame..][..self.frame];
        self.run_state.spent = 0;
        match game.steps().run(words, &mut self.streams, &mut self.run_state, measure) {
            Stop::Fault { at, fault, value } => Err(self.failed(i, at, fault, value)),
            _ => Ok(()),
        }
    }

    /// Returns measure `k` of a player as last computed.
    pub fn measured(&self, i: usize, player: u32, k: usize) -> i64 {
        let program = self.game.program();
        let first = usize::from(program.measures) + player as usize * usize::from(program.measure_count);
        self.frame(i)[first + k] as i64
    }

    /// Returns a player's score as last computed.
    #[inline(always)]
    pub fn score(&self, i: usize, player: u32) -> i64 {
        score_in(self.game.program(), self.frame(i), Seat(player))
    }

    /// Returns the players who share the win of a finished game, one bit each. The scores must have been
    /// computed.
    #[inline(always)]
    pub fn winners(&self, i: usize) -> u32 {
        winners(self.game.program(), self.frame(i))
    }

    /// Returns what a finished game returns to a player: see [`Outcome::returns`](crate::Outcome::returns). The
    /// scores must have been computed.
    #[inline(always)]
    pub fn returned(&self, i: usize, player: u32) -> f64 {
        returned(self.game.program(), self.frame(i), Seat(player))
    }

    /// Returns the end that decided a finished game: see [`Outcome::end`](crate::Outcome::end).
    #[inline(always)]
    pub fn end(&self, i: usize) -> u16 {
        // The number of ends fits in 16 bits.
        end_of(self.frame(i)) as u16
    }

    /// Returns the words of consecutive games.
    #[inline(always)]
    fn frames(&self, games: &Range<usize>) -> &[u64] {
        &self.words[games.start * self.frame..games.end * self.frame]
    }

    /// Reads what is pending in consecutive games.
    #[inline(always)]
    pub fn read_pending(&self, games: &Range<usize>, few: &mut GameBatch) {
        self.game.observation_plan().read_pending(self.frames(games), few);
    }

    /// Writes the observations of the viewers in games read by [`Many::read_pending`]. May overwrite the rest of
    /// `out`.
    #[inline(always)]
    pub fn observe<const BMI: bool>(&self, games: &Range<usize>, few: &mut GameBatch, out: &mut [f32]) {
        let plan = self.game.observation_plan();
        match self.kinds.scales(games) {
            None => plan.write::<BMI>(self.frames(games), few, out, RowsFrom(0), own_scale),
            Some(scales) => plan.write::<BMI>(self.frames(games), few, out, RowsFrom(0), scales),
        }
    }

    /// Like [`Many::observe`], in half-precision floats.
    #[inline(always)]
    pub fn observe_halves(&self, games: &Range<usize>, few: &mut GameBatch, out: &mut [u16]) {
        let plan = self.game.observation_plan();
        match self.kinds.scales(games) {
            None => plan.write_halves(self.frames(games), few, out, own_scale),
            Some(scales) => plan.write_halves(self.frames(games), few, out, scales),
        }
    }

    /// Like [`Many::observe`], in bytes: see [`Dtype::Uint8`](crate::observe::Dtype::Uint8).
    #[inline(always)]
    pub fn observe_bytes<const BMI: bool>(&self, games: &Range<usize>, few: &mut GameBatch, out: &mut [u8]) {
        self.game.observation_plan().write_bytes::<BMI>(self.frames(games), few, out, RowsFrom(0));
    }

    /// Like [`Many::observe`], in bits: see [`Dtype::Bits`](crate::observe::Dtype::Bits).
    #[inline(always)]
    pub fn observe_packed(&self, games: &Range<usize>, few: &mut GameBatch, out: &mut [u8]) {
        self.game.observation_plan().write_packed(self.frames(games), few, out);
    }

    /// Copies a game to a state of the same [`Game`], without history and usage counts, and lends it the
    /// candidates.
    pub fn store(&mut self, i: usize, state: &mut State) {
        state.words.copy_from_slice(self.frame(i));
        state.streams.chance = self.chance[i];
        state.run_state.counters.decisions = self.decisions[i];
        if let Some(pasts) = self.pasts.get(i) {
            state.run_state.pasts.clone_from(pasts);
        }
        std::mem::swap(&mut state.candidates, &mut self.candidates);
    }

    /// Returns a copy of game `i`, which began with `start`. It has neither a history nor the numbers of turns and
    /// rolls; the streams of the players are those of the start.
    pub fn copied(&mut self, i: usize, start: &Start) -> State {
        let mut lent = self.any_state(i);
        self.store(i, &mut lent);
        let mut state = lent.clone();
        self.give_back(&mut lent);
        let drawn = state.streams.chance;
        state.streams = Streams::new(start.seed, start.index, self.game.players() as usize);
        if self.game.program().uses_chance {
            state.streams.chance = drawn;
        }
        state.start = start.clone();
        state
    }

    /// Takes back what [`Many::store`] has lent.
    pub fn give_back(&mut self, state: &mut State) {
        std::mem::swap(&mut state.candidates, &mut self.candidates);
    }

    /// Copies a state to a game.
    pub fn load(&mut self, i: usize, state: &State) {
        self.frame_mut(i).copy_from_slice(&state.words);
        self.chance[i] = state.streams.chance;
        self.decisions[i] = state.run_state.counters.decisions;
        if let Some(pasts) = self.pasts.get_mut(i) {
            pasts.clone_from(&state.run_state.pasts);
        }
        self.candidates.clone_from(&state.candidates);
    }

    /// Saves a game.
    pub fn write(&self, i: usize, out: &mut ByteWriter) {
        let persistent = self.game.program().persistent as usize;
        out.list(self.frame(i)[..persistent].iter().copied());
        out.words(&self.chance[i].to_words());
        out.word(self.decisions[i]);
        for past in self.pasts.get(i).into_iter().flatten() {
            let (positions, counts) = past.to_parts();
            out.past(&positions, &counts);
        }
    }

    /// Loads a saved game. After an error the game is unchanged.
    pub fn read(&mut self, i: usize, from: &mut ByteReader<'_>) -> Result<(), SnapshotError> {
        let game = self.game_of(i);
        let program = game.program();
        let words = from.list()?;
        if words.len() != program.persistent as usize {
            return Err(SnapshotError::OtherGame);
        }
        check_words(game, &words)?;
        let mut state = game.unstarted(&Start::default());
        state.words[..words.len()].copy_from_slice(&words);
        let chance = from.stream()?;
        state.run_state.counters.decisions = from.word()?;
        if state.run_state.counters.decisions > program.limit.saturating_add(1) {
            return Err(SnapshotError::Damaged);
        }
        let pasts: Result<Vec<_>, _> = program.pasts.iter().map(|_| from.past()).collect();
        // Past positions may decide which actions are legal.
        state.run_state.pasts = pasts_of(program, &pasts?)?;
        state.derive();
        state.streams.chance = chance;
        self.load(i, &state);
        Ok(())
    }
}
