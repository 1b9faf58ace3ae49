//! Atomic changes: an interrupted step or reset restores the environments.

use super::chunk::{Chunk, ReportedEnds};
use super::save::{go_on, save};
use super::{Env, VectorEnv};
use crate::interrupt;

/// A backup of environments.
struct Before {
    bytes: Vec<u8>,
    /// What the bytes lack, for each chunk.
    reported: Vec<ReportedEnds>,
}

impl Before {
    /// Backs up the environments, or returns `None` if a change of them can't be interrupted.
    fn of(chunks: &[Chunk]) -> Option<Before> {
        if !interrupt::is_possible() || !chunks.iter().any(|chunk| chunk.kind.takes_long()) {
            return None;
        }
        let bytes = save(chunks, chunks.iter().map(Chunk::count).sum());
        Some(Before { bytes, reported: chunks.iter().map(Chunk::reported_ends).collect() })
    }

    /// Restores the environments.
    fn put_back(self, chunks: &mut [Chunk]) {
        let count = chunks.iter().map(Chunk::count).sum();
        let Ok(fresh) = go_on(chunks, count, &self.bytes) else { unreachable!("they were just saved") };
        for ((chunk, fresh), reported) in chunks.iter_mut().zip(fresh).zip(self.reported) {
            *chunk = fresh;
            chunk.set_reported_ends(reported);
        }
    }
}

impl VectorEnv {
    /// Changes the environments. If the change is interrupted, restores them and unwinds.
    pub(super) fn whole(&mut self, change: impl FnOnce(&mut Self)) {
        let Some(before) = Before::of(&self.chunks) else { return change(self) };
        if interrupt::catch(|| change(self)).is_err() {
            before.put_back(&mut self.chunks);
            interrupt::unwind();
        }
    }
}

impl Env {
    /// Changes the environment. If the change is interrupted, restores it and unwinds.
    pub(super) fn whole<T>(&mut self, change: impl FnOnce(&mut Self) -> T) -> T {
        let Some(before) = Before::of(std::slice::from_ref(&self.chunk)) else { return change(self) };
        interrupt::catch(|| change(self)).unwrap_or_else(|_| {
            before.put_back(std::slice::from_mut(&mut self.chunk));
            interrupt::unwind()
        })
    }
}
