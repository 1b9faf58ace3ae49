//! A game in progress as data: everything that decides how it goes on, without what can be computed.
//!
//! [`State::snapshot`] takes a snapshot, [`Game::restore`] continues from it, and [`Snapshot::to_bytes`]
//! makes it bytes to keep or send. It holds the persistent words, the streams, the counters and the positions
//! for `repeated`. It lacks the history, which grows with the game and which the caller has already (see
//! [`State::history`]).

use std::fmt;

use super::{Game, HistoryOrigin, Start, State};
use houserule_base::rng::{MAX_PLAYERS, Stream, Streams};
use houserule_machine::past::Past;
use houserule_machine::program::{OVER, PENDING, Program, StopKind};
use houserule_machine::run_state::Counters;
use houserule_model::{Content, Model, Role, Seat, value_len};

/// The first bytes of a snapshot: type and format version.
const MAGIC: [u8; 8] = *b"hrsnap\0\x03";

/// Maximum value of a counter in a snapshot, so that counting on from it can't overflow.
const MOST_COUNTED: u64 = 1 << 62;

/// The numbers of turns and rolls in a snapshot of a state that doesn't know them.
const NOT_COUNTED: u64 = u64::MAX;

/// Everything that decides how a game goes on. Valid for the rules, the params and the number of players it
/// was taken from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// See [`Game::fingerprint`].
    pub(crate) fingerprint: u64,
    pub(crate) start: Start,
    /// The persistent words.
    pub words: Vec<u64>,
    /// Chance, then every seat.
    pub(crate) streams: Vec<Stream>,
    /// Decisions, turns, repeated turns, rolls, rolls before the last `chance … given` block, and the spent part of
    /// the loop budget. Turns and rolls are `NOT_COUNTED` if the state doesn't know them.
    pub(crate) counters: [u64; 6],
    /// By block of actions, and by step.
    pub(crate) counts: [Vec<u64>; 2],
    /// For each thing that the rules compare: the positions, and how often each occurred.
    pub(crate) pasts: Vec<(Vec<u64>, Vec<u32>)>,
}

/// Why a snapshot can't be restored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SnapshotError {
    /// The bytes are not a snapshot, or not of this version.
    NotASnapshot,
    /// The bytes are cut short, too long or changed.
    Damaged,
    /// The snapshot was taken from other rules, params or players.
    OtherGame,
    /// A value is impossible in the game.
    Value {
        /// The slot's name.
        name: String,
    },
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SnapshotError::NotASnapshot => {
                write!(f, "these bytes are no saved state of this version of houserule; save the state again")
            }
            SnapshotError::Damaged => {
                write!(
                    f,
                    "the saved state is cut short or has been changed; use the bytes as they were saved"
                )
            }
            SnapshotError::OtherGame => write!(
                f,
                "the state was saved from other rules, params or players; load the game as it was then"
            ),
            SnapshotError::Value { name } => {
                write!(f, "the saved state has a value of `{name}` that this game can't have")
            }
        }
    }
}

impl std::error::Error for SnapshotError {}

impl State {
    /// Takes a snapshot. Copies the persistent words and, for rules with `repeated`, the positions so far.
    pub fn snapshot(&self) -> Snapshot {
        let streams = &mut self.streams.clone();
        let seats = 0..self.game.players() as usize;
        let run_state = &self.run_state;
        let Counters { decisions, mut turns, repeats, mut rolls } = run_state.counters;
        if self.origin == HistoryOrigin::Environment {
            (turns, rolls) = (NOT_COUNTED, NOT_COUNTED);
        }
        Snapshot {
            fingerprint: self.game.fingerprint(),
            start: self.start.clone(),
            words: self.persistent().to_vec(),
            streams: std::iter::once(streams.chance).chain(seats.map(|seat| *streams.seat(seat))).collect(),
            counters: [decisions, turns, repeats, rolls, run_state.rolls_before, run_state.spent.into()],
            counts: [run_state.options.clone(), run_state.steps.clone()],
            pasts: run_state.pasts.iter().map(Past::to_parts).collect(),
        }
    }
}

impl Game {
    /// Returns a hash of the rule texts, the params, the number of players and the layout of the words. Games
    /// whose states can't be exchanged have equal hashes with a probability of 2⁻⁶⁴.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint_with(&self.identity().rules_sha256)
    }

    /// Returns `true` for the fingerprint of this game, and for those that earlier versions gave it.
    pub fn has_fingerprint(&self, fingerprint: u64) -> bool {
        let mut before = self.identity().rules_sha256_before.iter();
        fingerprint == self.fingerprint() || before.any(|sha256| fingerprint == self.fingerprint_with(sha256))
    }

    /// Returns the hash of a game with another hash of the rule texts.
    fn fingerprint_with(&self, rules_sha256: &str) -> u64 {
        let mut sum = Sum::default();
        sum.bytes(rules_sha256.as_bytes());
        for param in &self.model().params {
            sum.bytes(param.name.as_bytes());
            sum.bytes(super::values::param_text(&param.value).as_bytes());
        }
        let program = self.program();
        sum.bytes(&self.players().to_le_bytes());
        sum.bytes(&program.persistent.to_le_bytes());
        sum.bytes(&(program.stops.len() as u64).to_le_bytes());
        program.initial.iter().for_each(|word| sum.bytes(&word.to_le_bytes()));
        sum.0
    }

    /// Returns the state of a snapshot, with an empty history. It plays on as the original, dice and players
    /// included.
    pub fn restore(&self, snapshot: &Snapshot) -> Result<State, SnapshotError> {
        let program = self.program();
        let fits = self.has_fingerprint(snapshot.fingerprint)
            && snapshot.words.len() == program.persistent as usize
            && snapshot.streams.len() == self.players() as usize + 1;
        if !fits {
            return Err(SnapshotError::OtherGame);
        }
        check_words(self, &snapshot.words)?;
        let mut state = self.unstarted(&snapshot.start);
        state.words[..snapshot.words.len()].copy_from_slice(&snapshot.words);
        // Past positions may decide which actions are legal.
        state.run_state.pasts = pasts_of(program, &snapshot.pasts)?;
        state.derive();
        state.streams = streams_of(&snapshot.streams);
        state.begin_history_here();
        let [decisions, mut turns, repeats, mut rolls, rolls_before, spent] = snapshot.counters;
        if (turns, rolls) == (NOT_COUNTED, NOT_COUNTED) {
            state.origin = HistoryOrigin::Environment;
            (turns, rolls) = (0, 0);
        }
        let counters = [decisions, turns, repeats, rolls, rolls_before, spent];
        let counted = counters.iter().chain(snapshot.counts.iter().flatten());
        if counted.copied().any(|count| count > MOST_COUNTED) {
            return Err(SnapshotError::Damaged);
        }
        let run_state = &mut state.run_state;
        run_state.counters = Counters { decisions, turns, repeats, rolls };
        run_state.rolls_before = rolls_before;
        let counts = [&mut run_state.options, &mut run_state.steps];
        for (to, from) in counts.into_iter().zip(&snapshot.counts) {
            if to.len() != from.len() {
                return Err(SnapshotError::Damaged);
            }
            to.copy_from_slice(from);
        }
        run_state.spent = u32::try_from(spent).map_err(|_| SnapshotError::Damaged)?;
        Ok(state)
    }
}

/// Returns the streams of chance and of the seats.
pub(crate) fn streams_of(streams: &[Stream]) -> Streams {
    let mut all = Streams::new(0, 0, 0);
    if let Some((chance, seats)) = streams.split_first() {
        all.chance = *chance;
        seats.iter().take(MAX_PLAYERS).enumerate().for_each(|(seat, stream)| *all.seat(seat) = *stream);
    }
    all
}

/// Restores the positions so far.
pub(crate) fn pasts_of(
    program: &Program,
    parts: &[(Vec<u64>, Vec<u32>)],
) -> Result<Vec<Past>, SnapshotError> {
    if parts.len() != program.pasts.len() {
        return Err(SnapshotError::Damaged);
    }
    let past = |(compared, (positions, counts)): (_, &(Vec<u64>, Vec<u32>))| {
        Past::from_parts(compared, positions, counts).ok_or(SnapshotError::Damaged)
    };
    program.pasts.iter().zip(parts).map(past).collect()
}

/// Returns an error unless these can be the words of a state of the game.
pub(crate) fn check_words(game: &Game, words: &[u64]) -> Result<(), SnapshotError> {
    let (model, program) = (game.model(), game.program());
    let pending = words[usize::from(PENDING)];
    if pending != OVER && pending > program.stops.len() as u64 || words[0] != 0 {
        return Err(SnapshotError::Damaged);
    }
    // These words decide who chooses, and belong to no slot.
    let stop = pending.checked_sub(1).and_then(|stop| program.stops.get(stop as usize));
    let word = |at: u16| words.get(usize::from(at)).copied().unwrap_or(0);
    let fits_stop = match stop.map(|stop| &stop.kind) {
        Some(StopKind::Choice(choice)) => word(choice.me) < u64::from(program.players),
        Some(StopKind::Draw { at }) => {
            word(*at) < u64::from(program.frame).saturating_sub(u64::from(*at) + 2)
        }
        _ => true,
    };
    for (slot, at) in model.slots.iter().zip(game.slots()) {
        let Some(at) = at.map(usize::from).filter(|at| *at < words.len()) else { continue };
        let width = usize::from(value_len(program.width, slot.content));
        let values = words[at..].chunks_exact(width).take(slot.initial.len());
        if values.clone().count() < slot.initial.len() || !values.clone().all(|v| fits(model, slot, v)) {
            return Err(SnapshotError::Value { name: slot.name.clone() });
        }
    }
    if fits_stop { Ok(()) } else { Err(SnapshotError::Damaged) }
}

fn fits(model: &Model, slot: &houserule_model::Slot, value: &[u64]) -> bool {
    let number = value[0] as i64;
    match (slot.content, slot.role) {
        (_, Role::Dice { faces, .. }) => (0..=i64::from(faces)).contains(&number),
        (Content::Number { low, high }, _) => (low..=high).contains(&number),
        (Content::Bool, _) => value[0] <= 1,
        (Content::Element { domain, .. }, _) => {
            number == -1 || value[0] < u64::from(model.domains[domain.index()].size)
        }
        (Content::Set(domain), _) => {
            let size = model.domains[domain.index()].size as usize;
            let beyond = |(i, word): (usize, &u64)| match size.saturating_sub(i * 64) {
                0 => *word == 0,
                bits => bits >= 64 || *word >> bits == 0,
            };
            value.iter().enumerate().all(beyond)
        }
    }
}

impl Snapshot {
    /// Returns the snapshot as bytes: eight for type and version, the parts with their lengths, and a
    /// checksum.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = ByteWriter::new(MAGIC);
        out.word(self.fingerprint);
        out.start(&self.start);
        out.list(self.words.iter().copied());
        out.list(self.streams.iter().flat_map(|stream| stream.to_words()));
        out.words(&self.counters);
        self.counts.iter().for_each(|counts| out.list(counts.iter().copied()));
        out.word(self.pasts.len() as u64);
        self.pasts.iter().for_each(|(positions, counts)| out.past(positions, counts));
        out.finish()
    }

    /// Reads the snapshot that [`Snapshot::to_bytes`] wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<Snapshot, SnapshotError> {
        let mut from = ByteReader::new(bytes, MAGIC)?;
        let fingerprint = from.word()?;
        let start = from.start()?;
        let words = from.list()?;
        let streams = streams_from(&from.list()?)?;
        let mut counters = [0; 6];
        for counter in &mut counters {
            *counter = from.word()?;
        }
        let counts = [from.list()?, from.list()?];
        let mut pasts = vec![];
        for _ in 0..from.word()? {
            pasts.push(from.past()?);
        }
        from.end()?;
        Ok(Snapshot { fingerprint, start, words, streams, counters, counts, pasts })
    }
}

/// Converts words to streams.
pub(crate) fn streams_from(words: &[u64]) -> Result<Vec<Stream>, SnapshotError> {
    let (streams, rest) = words.as_chunks::<4>();
    if !rest.is_empty() {
        return Err(SnapshotError::Damaged);
    }
    Ok(streams.iter().map(|words| Stream::from_words(*words)).collect())
}

/// A checksum and hash of bytes, eight at a time.
#[derive(Default)]
struct Sum(u64);

impl Sum {
    fn bytes(&mut self, bytes: &[u8]) {
        let mut add = |word: u64| {
            let product = u128::from(self.0 ^ word ^ 0x9e37_79b9_7f4a_7c15) * 0xd134_2543_de82_ef95_u128;
            self.0 = (product as u64) ^ ((product >> 64) as u64).rotate_left(29);
        };
        add(bytes.len() as u64);
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            add(u64::from_le_bytes(word));
        }
    }
}

/// Writes the format of [`ByteReader`]: 64-bit words, lowest byte first, in lists with their lengths.
pub struct ByteWriter(Vec<u8>);

impl ByteWriter {
    /// Starts with eight bytes for type and version.
    pub fn new(magic: [u8; 8]) -> ByteWriter {
        ByteWriter(magic.to_vec())
    }

    /// Writes a number.
    pub fn word(&mut self, word: u64) {
        self.0.extend_from_slice(&word.to_le_bytes());
    }

    /// Writes numbers without their count, which the reader knows.
    pub fn words(&mut self, words: &[u64]) {
        words.iter().for_each(|word| self.word(*word));
    }

    /// Writes numbers after their count.
    pub fn list(&mut self, words: impl Iterator<Item = u64>) {
        let at = self.0.len();
        self.word(0);
        words.for_each(|word| self.word(word));
        let count = (self.0.len() - at) as u64 / 8 - 1;
        self.0[at..at + 8].copy_from_slice(&count.to_le_bytes());
    }

    /// Writes the bytes of another finished writer, which are whole words.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.list(bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)));
    }

    /// Writes how a game starts.
    pub(crate) fn start(&mut self, start: &Start) {
        self.words(&[start.seed, start.index, start.starter.0.into(), start.game_number as u64]);
        self.word(start.explicit_chance.into());
        self.list(start.totals.iter().map(|total| *total as u64));
    }

    /// Writes positions, and how often each occurred.
    pub(crate) fn past(&mut self, positions: &[u64], counts: &[u32]) {
        self.list(positions.iter().copied());
        self.list(counts.iter().map(|count| u64::from(*count)));
    }

    /// Appends the checksum and returns all bytes.
    pub fn finish(mut self) -> Vec<u8> {
        let mut sum = Sum::default();
        sum.bytes(&self.0);
        self.word(sum.0);
        self.0
    }
}

/// Returns the bytes of a snapshot or of environments with a new checksum, after a test has changed them.
pub fn seal(bytes: &[u8]) -> Vec<u8> {
    ByteWriter(bytes[..bytes.len().saturating_sub(8)].to_vec()).finish()
}

/// Reads the format of [`ByteWriter`].
pub struct ByteReader<'a>(&'a [u8]);

impl<'a> ByteReader<'a> {
    /// Checks the first eight bytes and the checksum.
    pub fn new(bytes: &'a [u8], magic: [u8; 8]) -> Result<ByteReader<'a>, SnapshotError> {
        let rest = bytes.strip_prefix(&magic).ok_or(SnapshotError::NotASnapshot)?;
        let (_, sum) = rest.split_last_chunk::<8>().ok_or(SnapshotError::Damaged)?;
        let mut expected = Sum::default();
        expected.bytes(&bytes[..bytes.len() - 8]);
        if expected.0 != u64::from_le_bytes(*sum) {
            return Err(SnapshotError::Damaged);
        }
        Ok(ByteReader(&rest[..rest.len() - 8]))
    }

    /// Reads a number.
    pub fn word(&mut self) -> Result<u64, SnapshotError> {
        let (word, rest) = self.0.split_first_chunk::<8>().ok_or(SnapshotError::Damaged)?;
        self.0 = rest;
        Ok(u64::from_le_bytes(*word))
    }

    /// Reads a number of 32 bits.
    pub fn small(&mut self) -> Result<u32, SnapshotError> {
        u32::try_from(self.word()?).map_err(|_| SnapshotError::Damaged)
    }

    /// Reads a list.
    pub(crate) fn list(&mut self) -> Result<Vec<u64>, SnapshotError> {
        let count = self.word()?;
        let bytes = usize::try_from(count).ok().and_then(|n| n.checked_mul(8));
        let bytes = bytes.filter(|bytes| *bytes <= self.0.len()).ok_or(SnapshotError::Damaged)?;
        let (words, rest) = self.0.split_at(bytes);
        self.0 = rest;
        Ok(words.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).collect())
    }

    /// Reads the bytes of another writer.
    pub(crate) fn bytes(&mut self) -> Result<Vec<u8>, SnapshotError> {
        Ok(self.list()?.into_iter().flat_map(u64::to_le_bytes).collect())
    }

    /// Reads a stream.
    pub fn stream(&mut self) -> Result<Stream, SnapshotError> {
        Ok(Stream::from_words([self.word()?, self.word()?, self.word()?, self.word()?]))
    }

    /// Reads how a game starts.
    pub(crate) fn start(&mut self) -> Result<Start, SnapshotError> {
        Ok(Start {
            seed: self.word()?,
            index: self.word()?,
            starter: Seat(self.small()?),
            game_number: self.word()? as i64,
            explicit_chance: self.word()? != 0,
            totals: self.list()?.into_iter().map(|total| total as i64).collect(),
        })
    }

    /// Reads positions, and how often each occurred.
    pub(crate) fn past(&mut self) -> Result<(Vec<u64>, Vec<u32>), SnapshotError> {
        let positions = self.list()?;
        let counts: Result<Vec<u32>, _> = self.list()?.into_iter().map(u32::try_from).collect();
        Ok((positions, counts.map_err(|_| SnapshotError::Damaged)?))
    }

    /// Returns an error if bytes are left.
    pub fn end(&self) -> Result<(), SnapshotError> {
        if self.0.is_empty() { Ok(()) } else { Err(SnapshotError::Damaged) }
    }
}
