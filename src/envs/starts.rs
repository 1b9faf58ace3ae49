//! Positions in which episodes start: endgames, curricula, positions of recorded games.

use std::collections::BTreeMap;

use super::chunk::{Chunk, STARTS};
use super::config::EnvConfig;
use super::group::EnvGroup;
use super::options::EnvError;
use houserule_base::rng::Stream;
use houserule_game::{RuntimeError, State};

impl EnvConfig {
    /// Reads positions in which episodes can start.
    pub(super) fn starts(&self, texts: &[impl AsRef<str>]) -> Result<Vec<State>, EnvError> {
        texts.iter().enumerate().map(|(index, text)| self.start(index, text.as_ref())).collect()
    }

    /// Reads the positions in which the next episodes of some environments start.
    pub(super) fn next_starts(
        &self,
        texts: &[Option<impl AsRef<str>>],
    ) -> Result<BTreeMap<usize, State>, EnvError> {
        let given = texts.iter().enumerate().filter_map(|(env, text)| Some((env, text.as_ref()?)));
        // The same position often starts many environments.
        let mut last: Option<(&str, State)> = None;
        let mut starts = BTreeMap::new();
        for (env, text) in given {
            let text = text.as_ref();
            let start = match &last {
                Some((same, start)) if *same == text => start.clone(),
                _ => self.start(env, text)?,
            };
            starts.insert(env, start.clone());
            last = Some((text, start));
        }
        Ok(starts)
    }

    fn start(&self, index: usize, text: &str) -> Result<State, EnvError> {
        if self.options.match_play {
            return Err(EnvError::MatchStart);
        }
        let wrong = |message: String| EnvError::Start { index, message };
        let state = self.game.position(text).map_err(|errors| {
            let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
            wrong(lines.join("\n"))
        })?;
        if state.is_over() {
            return Err(wrong(
                "the game is over in this position: give one with a decision to take".to_owned(),
            ));
        }
        Ok(state)
    }
}

/// The chunks of environments of one game.
fn single_game_chunks(groups: &mut [EnvGroup]) -> Result<Vec<&mut Chunk>, EnvError> {
    groups.iter_mut().map(EnvGroup::single_game).collect::<Option<_>>().ok_or_else(|| {
        EnvError::RuleSets(
            "a position belongs to one game: environments of several rule sets start where their games do"
                .to_owned(),
        )
    })
}

/// Sets the positions in which later episodes of all environments start.
pub(super) fn set_starts(groups: &mut [EnvGroup], starts: &[impl AsRef<str>]) -> Result<(), EnvError> {
    let mut chunks = single_game_chunks(groups)?;
    let Some(first) = chunks.first() else { return Ok(()) };
    let starts = first.kind.starts(starts)?;
    chunks.iter_mut().for_each(|chunk| chunk.starts.clone_from(&starts));
    Ok(())
}

/// Sets the positions in which the next episodes of some environments start, `each` of which are in a group.
pub(super) fn start_next_in(
    groups: &mut [EnvGroup],
    each: usize,
    starts: &[Option<impl AsRef<str>>],
) -> Result<(), EnvError> {
    let mut chunks = single_game_chunks(groups)?;
    let Some(first) = chunks.first() else { return Ok(()) };
    let starts = first.kind.next_starts(starts)?;
    chunks.iter_mut().for_each(|chunk| chunk.next_starts.clear());
    for (env, start) in starts {
        chunks[env / each].next_starts.insert(env % each, start);
    }
    Ok(())
}

impl Chunk {
    /// Starts an episode in the position set for it, or in one of all positions.
    #[inline(never)]
    pub(super) fn start_elsewhere(
        &mut self,
        e: usize,
        seed: u64,
        index: u64,
    ) -> Result<(), Box<RuntimeError>> {
        let mut state = match self.next_starts.remove(&e) {
            Some(start) => start,
            None if self.starts.is_empty() => return self.many.start(e, seed, index),
            None => {
                let drawn = Stream::new(seed, index, STARTS).below(self.starts.len() as u64);
                self.starts[drawn as usize].clone()
            }
        };
        // An error before the first decision ends the episode, so it must not look like a game in play.
        self.many.stop(e);
        state.begin_here(seed, index, false)?;
        self.many.load(e, &state);
        if self.kind.rewards_score {
            self.many.compute_scores(e)?;
            self.metas[e].score = self.many.score(e, self.metas[e].seat);
            let players = self.kind.players;
            for (seat, score) in self.scores.iter_mut().skip(e * players).take(players).enumerate() {
                *score = self.many.score(e, seat as u32);
            }
        }
        self.note_margins(e)
    }
}
