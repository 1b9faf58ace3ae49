//! Atomic changes: an interrupted step or reset restores the environments.

use super::group::{EnvGroup, ReportedEnds};
use super::save::{restore_groups, save};
use super::{Env, VectorEnv};
use houserule_base::interrupt;

/// A backup of environments.
struct Before {
    bytes: Vec<u8>,
    /// What the bytes lack, for each group.
    reported: Vec<ReportedEnds>,
}

impl Before {
    /// Backs up the environments, or returns `None` if a change of them can't be interrupted.
    fn new(groups: &[EnvGroup]) -> Option<Before> {
        if !interrupt::is_possible() || !groups.iter().any(|group| group.kind().takes_long) {
            return None;
        }
        let bytes = save(groups, groups.iter().map(EnvGroup::count).sum());
        Some(Before { bytes, reported: groups.iter().map(EnvGroup::reported_ends).collect() })
    }

    /// Restores the environments.
    fn put_back(self, groups: &mut [EnvGroup]) {
        let count = groups.iter().map(EnvGroup::count).sum();
        let Ok(fresh) = restore_groups(groups, count, &self.bytes) else {
            unreachable!("they were just saved")
        };
        for ((group, fresh), reported) in groups.iter_mut().zip(fresh).zip(self.reported) {
            *group = fresh;
            group.set_reported_ends(reported);
        }
    }
}

impl VectorEnv {
    /// Changes the environments. If the change is interrupted, restores them and unwinds.
    pub(super) fn whole(&mut self, change: impl FnOnce(&mut Self)) {
        let Some(before) = Before::new(&self.groups) else { return change(self) };
        if interrupt::catch(|| change(self)).is_err() {
            before.put_back(&mut self.groups);
            interrupt::unwind();
        }
    }
}

impl Env {
    /// Changes the environment. If the change is interrupted, restores it and unwinds.
    pub(super) fn whole<T>(&mut self, change: impl FnOnce(&mut Self) -> T) -> T {
        let Some(before) = Before::new(std::slice::from_ref(&self.group)) else { return change(self) };
        interrupt::catch(|| change(self)).unwrap_or_else(|_| {
            before.put_back(std::slice::from_mut(&mut self.group));
            interrupt::unwind()
        })
    }
}
