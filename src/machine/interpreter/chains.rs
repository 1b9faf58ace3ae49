//! Instructions for chains of actions: what the search keeps aside while it tries an action.

use super::{Fail, Interpreter};
use crate::program::{NumberMut, Numbers};
use crate::run_state::Fault;
use houserule_base::limits::{CHAIN_ACTIONS, CHAIN_TRIES};

impl<const W: usize> Interpreter<'_, W> {
    pub(super) fn descend(&mut self, from: Numbers, depth: NumberMut, tries: NumberMut) -> Result<(), Fail> {
        let depth = &mut self.words[usize::from(depth.0)];
        if *depth == 0 {
            // An error may have left something.
            self.run_state.aside.clear();
        }
        *depth += 1;
        let is_long = *depth > CHAIN_ACTIONS.into();
        let tries = &mut self.words[usize::from(tries.0)];
        *tries += 1;
        if is_long || *tries > CHAIN_TRIES.into() {
            return Err(Fault::Budget.into());
        }
        let words = &self.words[usize::from(from.at)..][..usize::from(from.len)];
        self.run_state.aside.extend_from_slice(words);
        Ok(())
    }

    pub(super) fn ascend(&mut self, to: Numbers, depth: NumberMut) {
        self.words[usize::from(depth.0)] -= 1;
        let aside = &mut self.run_state.aside;
        let words = &mut self.words[usize::from(to.at)..][..usize::from(to.len)];
        words.copy_from_slice(&aside[aside.len() - words.len()..]);
        aside.truncate(aside.len() - words.len());
    }
}
