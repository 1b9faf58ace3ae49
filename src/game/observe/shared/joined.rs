//! The layouts of several games as one.

use std::collections::HashMap;

use super::kind::{KindEntry, SharedKind};
use super::{CellRun, SharedError, SharedPlaces};
use crate::observe::{EntryKind, ObservationEntry};

/// Names in the order in which they were first seen.
#[derive(Default)]
pub(super) struct Listed {
    pub(super) names: Vec<String>,
    pub(super) at: HashMap<String, usize>,
}

impl Listed {
    pub(super) fn add(&mut self, name: &str) -> usize {
        if let Some(at) = self.at.get(name) {
            return *at;
        }
        self.at.insert(name.to_owned(), self.names.len());
        self.names.push(name.to_owned());
        self.names.len() - 1
    }
}

/// An entry of several games.
pub(super) struct JoinedEntry {
    pub(super) entry: ObservationEntry,
    pub(super) dims: Vec<Listed>,
    /// The first game that has it, and its meaning there.
    pub(super) one: (String, String),
    /// The number of kinds of games that have it.
    pub(super) kinds: usize,
}

impl JoinedEntry {
    pub(super) fn highest(&self) -> u8 {
        match self.entry.kind {
            EntryKind::Number { low, high } => high.wrapping_sub(low) as u8,
            EntryKind::OneHot | EntryKind::Bits => 1,
        }
    }
}

/// The layouts of several games as one.
#[derive(Default)]
pub(super) struct Joined {
    pub(super) entries: Vec<JoinedEntry>,
    pub(super) at: HashMap<(String, usize), usize>,
    pub(super) actions: Vec<String>,
    pub(super) action_at: HashMap<(String, usize), usize>,
    pub(super) plane: Vec<usize>,
    pub(super) first: String,
}

impl Joined {
    pub(super) fn add(&mut self, kind: &SharedKind) -> Result<(), SharedError> {
        if self.first.is_empty() {
            (self.first, self.plane) = (kind.title.clone(), kind.plane.clone());
        }
        if let ([rows, columns], [own_rows, own_columns]) = (self.plane.as_slice(), kind.plane.as_slice())
            && (rows, columns) != (own_rows, own_columns)
        {
            let one = (self.first.clone(), [*rows, *columns]);
            return Err(SharedError::Size { one, other: (kind.title.clone(), [*own_rows, *own_columns]) });
        }
        let mut seen = HashMap::new();
        for own in &kind.entries {
            let at = self.entry_at(kind, own, nth(&mut seen, &own.entry.name))?;
            let entry = &mut self.entries[at];
            entry.kinds += 1;
            for (dim, names) in entry.dims.iter_mut().zip(&own.dims) {
                names.iter().for_each(|name| {
                    dim.add(name);
                });
            }
        }
        let mut seen = HashMap::new();
        let first = self.actions.is_empty();
        for (name, live) in &kind.names {
            let key = (name.clone(), nth(&mut seen, name));
            if (*live || first) && !self.action_at.contains_key(&key) {
                self.action_at.insert(key, self.actions.len());
                self.actions.push(name.clone());
            }
        }
        Ok(())
    }

    /// Returns the joined entry for an entry of a game, the `nth` of its name.
    pub(super) fn entry_at(
        &mut self,
        kind: &SharedKind,
        own: &KindEntry,
        nth: usize,
    ) -> Result<usize, SharedError> {
        let key = (own.entry.name.clone(), nth);
        let meaning = (kind.title.clone(), own.meaning());
        let Some(at) = self.at.get(&key).copied() else {
            let dims = own.dims.iter().map(|_| Listed::default()).collect();
            self.at.insert(key, self.entries.len());
            self.entries.push(JoinedEntry { entry: own.entry.clone(), dims, one: meaning, kinds: 0 });
            return Ok(self.entries.len() - 1);
        };
        let entry = &mut self.entries[at];
        if entry.one.1 != meaning.1 {
            let one = entry.one.clone();
            return Err(SharedError::Entry { entry: own.entry.name.clone(), one, other: meaning });
        }
        if let (EntryKind::Number { low, high }, EntryKind::Number { low: own_low, high: own_high }) =
            (entry.entry.kind, own.entry.kind)
            && high.wrapping_sub(low) < own_high.wrapping_sub(own_low)
        {
            // Numbers stay scaled to the range of their own game; the widest tells the greatest byte.
            entry.entry.kind = own.entry.kind;
        }
        Ok(at)
    }

    /// Returns the places of a game. The first `cells` cells of the layout are of entries.
    pub(super) fn places(
        &self,
        kind: &SharedKind,
        entries: &[ObservationEntry],
        cells: usize,
        size: usize,
    ) -> SharedPlaces {
        let mut places = SharedPlaces::default();
        let mut seen = HashMap::new();
        let mut filled = vec![false; cells];
        for own in &kind.entries {
            let at = self.at[&(own.entry.name.clone(), nth(&mut seen, &own.entry.name))];
            let joined = &self.entries[at];
            let dims = own.dims.iter().zip(&joined.dims);
            let to: Vec<Vec<usize>> =
                dims.map(|(names, listed)| names.iter().map(|name| listed.at[name]).collect()).collect();
            let sizes: Vec<usize> = joined.dims.iter().map(|dim| dim.names.len()).collect();
            for from in 0..own.entry.length / size {
                // The index of the cell along each dimension, the last one first.
                let (mut rest, mut cell, mut stride) = (from, 0, 1);
                for (dim, size) in to.iter().zip(&sizes).rev() {
                    cell += dim[rest % dim.len()] * stride;
                    (rest, stride) = (rest / dim.len(), stride * size);
                }
                let to = entries[at].offset + cell * size;
                push(&mut places.cells, CellRun { from: own.entry.offset + from * size, to, len: size });
                filled[to..][..size].fill(true);
            }
        }
        let mut at = 0;
        for same in filled.chunk_by(|a, b| a == b) {
            if !same[0] {
                places.holes.push((at, same.len()));
            }
            at += same.len();
        }
        places.own = vec![u32::MAX; self.actions.len()];
        let mut seen = HashMap::new();
        for (own, (name, _)) in kind.names.iter().enumerate() {
            let shared = self.action_at.get(&(name.clone(), nth(&mut seen, name)));
            places.shared.push(shared.map_or(u32::MAX, |shared| *shared as u32));
            if let Some(shared) = shared {
                places.own[*shared] = own as u32;
                push(&mut places.actions, CellRun { from: own, to: *shared, len: 1 });
            }
        }
        places.blocks_stay = kind.actions.iter().filter(|block| !block.dead).all(|block| {
            let block = &places.shared[block.first as usize..][..block.size as usize];
            block.windows(2).all(|pair| pair[1] == pair[0].wrapping_add(1))
        });
        places.same_actions = places.own.iter().zip(0..).all(|(own, shared)| *own == shared);
        places
    }
}

/// Returns how often a name was seen before.
pub(super) fn nth(seen: &mut HashMap<String, usize>, name: &str) -> usize {
    let count = seen.entry(name.to_owned()).or_insert(0);
    *count += 1;
    *count - 1
}

/// Adds a run, or lengthens the last one.
fn push(runs: &mut Vec<CellRun>, run: CellRun) {
    match runs.last_mut() {
        Some(last) if last.from + last.len == run.from && last.to + last.len == run.to => last.len += run.len,
        _ => runs.push(run),
    }
}
