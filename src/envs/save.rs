//! Saving environments as bytes, to continue them elsewhere in the middle of an episode: games, streams, episodes
//! and matches. Options aren't saved; the environments to restore must have the same ones.

use super::chunk::{Chunk, EnvPhase, Meta};
use super::group::EnvGroup;
use super::measured::MeasuredValues;
use super::options::EnvError;
use super::{Env, EpisodeEnd, VectorEnv};
use houserule_game::matches::Match;
use houserule_game::snapshot::{ByteReader, ByteWriter, SnapshotError};

/// The magic number and format version.
const MAGIC: [u8; 8] = *b"hrenvs\0\x01";

const PHASES: [EnvPhase; 4] = [EnvPhase::New, EnvPhase::Playing, EnvPhase::OverAtStart, EnvPhase::Over];

/// The header: everything that determines the layout of the bytes.
fn head(group: &EnvGroup, count: usize) -> [u64; 5] {
    let kind = group.kind();
    let self_play = u64::from(kind.self_play()) | u64::from(kind.line_ups.is_some()) << 1;
    // With a limit, the steps of episodes are saved.
    let matches = u64::from(kind.options.match_play)
        | kind.options.max_steps.map_or(0, |most| u64::from(most.get()) << 1);
    [group.fingerprint(), count as u64, self_play, kind.rewards_code(), matches]
}

pub(super) fn save(groups: &[EnvGroup], count: usize) -> Vec<u8> {
    let mut out = ByteWriter::new(MAGIC);
    out.words(&head(&groups[0], count));
    for group in groups {
        for e in 0..group.count() {
            if let EnvGroup::Mixed(mixed) = group {
                out.word(mixed.rules_of(e) as u64);
            }
            let (chunk, slot) = group.at(e);
            chunk.write(slot, &mut out);
        }
    }
    out.finish()
}

pub(super) fn restore_groups(
    groups: &[EnvGroup],
    count: usize,
    bytes: &[u8],
) -> Result<Vec<EnvGroup>, EnvError> {
    let mut from = ByteReader::new(bytes, MAGIC)?;
    let [fingerprint, options @ ..] = head(&groups[0], count);
    if from.word()? != fingerprint {
        return Err(SnapshotError::OtherGame.into());
    }
    for option in options {
        if from.word()? != option {
            return Err(EnvError::SavedOptions);
        }
    }
    let mut read = vec![];
    for group in groups {
        let mut fresh = group.fresh();
        for e in 0..fresh.count() {
            if let EnvGroup::Mixed(mixed) = &fresh {
                let set = from.small()? as usize;
                if set >= mixed.sets() {
                    return Err(SnapshotError::Damaged.into());
                }
                fresh.place(e, set);
            }
            let (chunk, slot) = fresh.at_mut(e);
            chunk.read(slot, &mut from)?;
        }
        read.push(fresh);
    }
    from.end()?;
    Ok(read)
}

impl Chunk {
    fn write(&self, e: usize, out: &mut ByteWriter) {
        let Meta { sample, seed, index, score, seat, phase, ended, end: _ } = &self.metas[e];
        out.words(&sample.to_words());
        out.words(&[*seed, *index, *score as u64, (*seat).into(), *phase as u64, *ended as u64]);
        self.steps.get(e).into_iter().for_each(|steps| out.word((*steps).into()));
        self.many.write(e, out);
        let players = e * self.kind.players..(e + 1) * self.kind.players;
        self.scores.get(players.clone()).unwrap_or_default().iter().for_each(|score| out.word(*score as u64));
        for values in self.measured.get(players.clone()).unwrap_or_default() {
            out.words(&values.to_words());
        }
        for stream in self.streams.get(players).unwrap_or_default().as_flattened() {
            out.words(&stream.to_words());
        }
        self.line_up_word(e).into_iter().for_each(|word| out.word(word));
        if let Some(play) = self.matches.get(e) {
            out.word(play.is_some().into());
            if let Some(play) = play {
                play.write(out);
            }
        }
    }

    fn read(&mut self, e: usize, from: &mut ByteReader<'_>) -> Result<(), SnapshotError> {
        fn one_of<T: Copy>(all: &[T], from: &mut ByteReader<'_>) -> Result<T, SnapshotError> {
            let number = from.small()? as usize;
            all.get(number).copied().ok_or(SnapshotError::Damaged)
        }
        self.metas[e] = Meta {
            sample: from.stream()?,
            seed: from.word()?,
            index: from.word()?,
            score: from.word()? as i64,
            seat: from.small()?,
            phase: one_of(&PHASES, from)?,
            ended: one_of(&EpisodeEnd::ALL, from)?,
            end: 0,
        };
        if self.metas[e].seat as usize >= self.kind.players {
            return Err(SnapshotError::Damaged);
        }
        if let Some(steps) = self.steps.get_mut(e) {
            *steps = from.small()?;
        }
        self.many.read(e, from)?;
        self.metas[e].end = self.many.end(e);
        let players = e * self.kind.players..(e + 1) * self.kind.players;
        for score in self.scores.get_mut(players.clone()).unwrap_or_default() {
            *score = from.word()? as i64;
        }
        for to in self.measured.get_mut(players.clone()).unwrap_or_default() {
            *to = MeasuredValues::from_words([from.word()?, from.word()?]);
        }
        for to in self.streams.get_mut(players).unwrap_or_default().as_flattened_mut() {
            *to = from.stream()?;
        }
        if !self.drawn.is_empty() {
            self.restore_line_up(e, from.word()?);
        }
        if let Some(play) = self.matches.get_mut(e) {
            *play = match from.word()? {
                0 => None,
                _ => Some(Match::read(&self.kind.game, from)?),
            };
        }
        Ok(())
    }
}

impl VectorEnv {
    /// Saves all environments. Doesn't save the error that aborted an episode, nor the end that decided an episode
    /// if the next one began in the same step.
    pub fn save(&self) -> Vec<u8> {
        save(&self.groups, self.count())
    }

    /// Restores environments saved with the same game, number and options, and any number of threads. On an error
    /// nothing changes.
    pub fn go_on_from(&mut self, bytes: &[u8]) -> Result<(), EnvError> {
        self.groups = restore_groups(&self.groups, self.count(), bytes)?;
        Ok(())
    }
}

impl Env {
    /// Saves the environment, without the error that aborted an episode.
    pub fn save(&self) -> Vec<u8> {
        save(std::slice::from_ref(&self.group), 1)
    }

    /// Restores an environment saved with the same game and options. On an error nothing changes.
    pub fn go_on_from(&mut self, bytes: &[u8]) -> Result<(), EnvError> {
        if let Some(group) = restore_groups(std::slice::from_ref(&self.group), 1, bytes)?.pop() {
            self.group = group;
        }
        Ok(())
    }
}
