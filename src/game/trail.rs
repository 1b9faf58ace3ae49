//! Undo: what it takes to go back from a state, which is where its history begins and what players drew from
//! their streams. [`UndoHistory::back`] takes decisions back, [`UndoHistory::to_bytes`] saves a state with its history.
//!
//! Going back replays the history from its beginning. It costs nothing until it is used, and the same dice
//! come again afterwards.

use std::sync::Arc;

use super::replay_history::outcome;
use super::snapshot::{ByteReader, ByteWriter, Snapshot, SnapshotError, streams_from};
use super::{ActionId, ApplyError, Event, Game, RuntimeError, Start, State};
use houserule_base::rng::Stream;

/// The first bytes of a saved state with its history: type and format version.
pub const MAGIC: [u8; 8] = *b"hrstate\x01";

/// What it takes to go back from a state, in addition to its history.
#[derive(Clone, Debug, Default)]
pub struct UndoHistory {
    /// The state where the history begins; `None` for the start of the game.
    beginning: Option<Arc<State>>,
    draws: Vec<Draw>,
}

/// A player's draw.
#[derive(Clone, Copy, Debug)]
struct Draw {
    /// Number of events before the draw.
    at: usize,
    seat: usize,
    /// The player's random stream before the draw.
    stream: Stream,
}

impl UndoHistory {
    /// Returns the trail of a game that begins with this state, its history included.
    pub fn from_here(state: &State) -> UndoHistory {
        UndoHistory { beginning: Some(Arc::new(state.clone())), draws: vec![] }
    }

    /// Draws an action as [`State::random_action`] does; going back takes the draw back too.
    pub fn random_action(&mut self, state: &mut State) -> Option<ActionId> {
        let seat = state.current_player()?.0 as usize;
        let stream = *state.streams.seat(seat);
        let action = state.random_action();
        if *state.streams.seat(seat) != stream {
            self.draws.push(Draw { at: state.history().len(), seat, stream });
        }
        action
    }

    fn beginning(&self, game: &Game, start: &Start) -> Result<State, RuntimeError> {
        match &self.beginning {
            Some(state) => Ok((**state).clone()),
            None => game.start_at(start),
        }
    }

    /// Counts the calls of [`State::apply`] and [`State::apply_outcome`] that led from the beginning to
    /// `state`.
    pub fn applied(&self, state: &State) -> usize {
        if state.started().explicit_chance {
            // The caller did not apply chance events with a single outcome.
            return self.replay(state, usize::MAX).map_or(0, |(_, applied)| applied);
        }
        let from = self.beginning.as_ref().map_or(0, |state| state.history().len());
        let later = state.history().get(from..).unwrap_or_default();
        later.iter().filter(|event| matches!(event, Event::Action { .. })).count()
    }

    /// Returns the state before the last `count` applied actions and outcomes, with the random streams of
    /// that moment, or `None` if the history is shorter.
    pub fn back(&mut self, state: &State, count: usize) -> Option<State> {
        let keep = self.applied(state).checked_sub(count)?;
        let (mut before, applied) = self.replay(state, keep)?;
        if applied != keep {
            return None;
        }
        let at = before.history().len();
        let chance = before.streams.chance;
        before.streams = state.streams.clone();
        before.streams.chance = chance;
        let taken_back = |draw: &&Draw| draw.at >= at;
        for draw in self.draws.iter().rev().filter(taken_back) {
            *before.streams.seat(draw.seat) = draw.stream;
        }
        self.draws.retain(|draw| draw.at < at);
        Some(before)
    }

    /// Replays and counts at most `most` applied actions and outcomes. Returns `None` if the replay leads
    /// elsewhere.
    fn replay(&self, state: &State, most: usize) -> Option<(State, usize)> {
        let mut again = self.beginning(state.game(), state.started()).ok()?;
        let all = state.history();
        let mut applied = 0;
        while applied < most
            && let Some(event) = all.get(again.history().len())
        {
            applied += 1;
            if take(&mut again, event).is_err() {
                // A run-time error here occurred in the game, too.
                break;
            }
        }
        (all.get(..again.history().len())? == again.history()).then_some((again, applied))
    }

    /// Returns the state with its history as bytes: eight for type and version, how it began, what was
    /// applied, the players' streams and draws, and a checksum.
    pub fn to_bytes(&self, state: &State) -> Vec<u8> {
        let mut out = ByteWriter::new(MAGIC);
        let game = state.game();
        out.word(game.fingerprint());
        out.word(self.beginning.is_some().into());
        match &self.beginning {
            Some(beginning) => out.bytes(&beginning.snapshot().to_bytes()),
            None => out.start(state.started()),
        }
        let from = self.beginning.as_ref().map_or(0, |state| state.history().len());
        out.list(state.history().iter().skip(from).filter_map(|event| match event {
            Event::Action { action, .. } => Some(u64::from(action.0)),
            _ if !state.started().explicit_chance => None,
            Event::Roll { outcome, .. } | Event::Draw { outcome, .. } => Some(*outcome),
            Event::Pick { element, .. } => Some(u64::from(*element)),
        }));
        let mut streams = state.streams.clone();
        out.list((0..game.players() as usize).flat_map(|seat| streams.seat(seat).to_words()));
        out.list(self.draws.iter().flat_map(|draw| {
            let [a, b, c, d] = draw.stream.to_words();
            [draw.at.saturating_sub(from) as u64, draw.seat as u64, a, b, c, d]
        }));
        out.finish()
    }

    /// Reads the state that [`UndoHistory::to_bytes`] wrote, and its trail. Whatever the bytes are, the rules lead
    /// to this state from a state of the game.
    pub fn from_bytes(game: &Game, bytes: &[u8]) -> Result<(State, UndoHistory), SnapshotError> {
        let mut from = ByteReader::new(bytes, MAGIC)?;
        if !game.has_fingerprint(from.word()?) {
            return Err(SnapshotError::OtherGame);
        }
        let (mut trail, mut state);
        if from.word()? != 0 {
            state = game.restore(&Snapshot::from_bytes(&from.bytes()?)?)?;
            trail = UndoHistory::from_here(&state);
        } else {
            let start = from.start()?;
            let fits = start.totals.is_empty() || start.totals.len() == game.players() as usize;
            if start.starter.0 >= game.players() || !fits {
                return Err(SnapshotError::Damaged);
            }
            state = game.start_at(&start).map_err(|_| SnapshotError::Damaged)?;
            trail = UndoHistory::default();
        }
        follow(&mut state, &from.list()?)?;
        let streams = streams_from(&from.list()?)?;
        if streams.len() != game.players() as usize {
            return Err(SnapshotError::Damaged);
        }
        for (seat, stream) in streams.into_iter().enumerate() {
            *state.streams.seat(seat) = stream;
        }
        let words = from.list()?;
        let (draws, rest) = words.as_chunks::<6>();
        if !rest.is_empty() {
            return Err(SnapshotError::Damaged);
        }
        for [at, seat, stream @ ..] in draws {
            let (at, seat) = (usize::try_from(*at), usize::try_from(*seat));
            let (Ok(at), Ok(seat)) = (at, seat) else { return Err(SnapshotError::Damaged) };
            if seat >= game.players() as usize {
                return Err(SnapshotError::Damaged);
            }
            trail.draws.push(Draw { at, seat, stream: Stream::from_words(*stream) });
        }
        from.end()?;
        Ok((state, trail))
    }
}

/// Applies an event of a history.
fn take(state: &mut State, event: &Event) -> Result<(), ApplyError> {
    match event {
        Event::Action { action, .. } => state.apply(*action),
        _ => state.apply_outcome(outcome(state, event).ok_or(ApplyError::WrongKind)?),
    }
}

/// Applies saved events. With explicit chance these are all events, and chance events with a single outcome
/// happen by themselves; otherwise they are the decisions.
fn follow(state: &mut State, written: &[u64]) -> Result<(), SnapshotError> {
    let explicit = state.started().explicit_chance;
    let mut done = if explicit { state.history().len() } else { 0 };
    while let Some(number) = written.get(done) {
        let before = state.history().len();
        let step = if state.is_chance() {
            state.apply_outcome(outcome_of(state, *number).ok_or(SnapshotError::Damaged)?)
        } else {
            state.apply(ActionId(u32::try_from(*number).map_err(|_| SnapshotError::Damaged)?))
        };
        done += if explicit { state.history().len() - before } else { 1 };
        match step {
            Ok(()) => {}
            // A state in which the rules failed is kept as it is; nothing follows it.
            Err(ApplyError::Runtime(_)) if done == written.len() => {}
            Err(_) => return Err(SnapshotError::Damaged),
        }
    }
    if done == written.len() { Ok(()) } else { Err(SnapshotError::Damaged) }
}

/// Returns the outcome that a number in the list stands for.
fn outcome_of(state: &State, number: u64) -> Option<u64> {
    match state.chance_event(0)? {
        Event::Pick { .. } => {
            let mut all = state.distinct_outcomes().map(|(outcome, _)| outcome);
            all.find(|outcome| {
                matches!(state.chance_event(*outcome), Some(Event::Pick { element, .. }) if u64::from(element) == number)
            })
        }
        Event::Draw { .. } => (number < state.chance_outcomes()).then_some(number),
        _ => state.outcome_of_roll(number),
    }
}
