//! The limit on the size of the state, for the finished model.

use crate::draft::{Draft, set_words};
use houserule_base::limits;
use houserule_language::diagnostic::{Code, Diagnostic};
use houserule_model::*;

impl Draft {
    /// Reports a state that is too large.
    pub(crate) fn check_size(&mut self) {
        let sets = |slot: &&Slot| matches!(slot.content, Content::Set(_));
        let elements = |slot: &Slot| match slot.content {
            Content::Set(domain) => self.model.domains[domain.index()].size,
            _ => 0,
        };
        let widest = self.model.slots.iter().filter(sets).map(elements).max().unwrap_or(0);
        let width = set_words(widest);
        let words = |slot: &Slot| {
            let each = if matches!(slot.content, Content::Set(_)) { width } else { 1 };
            slot.initial.len() as u64 * each
        };
        let total: u64 = self.model.slots.iter().map(words).sum();
        if total <= limits::STATE_WORDS {
            return;
        }
        let Some(largest) = self.model.slots.iter().max_by_key(|slot| words(slot)) else { return };
        let span = largest.span.unwrap_or(self.title);
        let mut d = Diagnostic::error(
            Code::LimitState,
            span,
            format!("the state of a game would take {total} words"),
        )
        .label(format!("{} of them are for `{}`", words(largest), largest.name))
        .note(format!("at most {} words of 64 bits are allowed", limits::STATE_WORDS))
        .help("use smaller boards, or fewer families of sets");
        if let Some(note) = self.params_note() {
            d = d.note(note);
        }
        self.messages.report(d);
    }
}
