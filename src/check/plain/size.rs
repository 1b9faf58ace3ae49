//! Limits on the size of the state and of tables.

use crate::checker::Checker;
use houserule_base::limits;
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_model::*;

/// Possible sizes of a set, in words. All sets have the size of the one with the largest domain.
const WIDTHS: [u64; 6] = [1, 2, 4, 8, 20, 64];

fn set_words(elements: u32) -> u64 {
    let needed = u64::from(elements.div_ceil(64)).max(1);
    WIDTHS.into_iter().find(|w| *w >= needed).unwrap_or(needed)
}

impl Checker<'_> {
    /// Counts a family of sets before allocation. Reports an error and returns `false` above the limit.
    pub(crate) fn afford_sets(&mut self, elements: u32, family: usize, span: Span) -> bool {
        let words = set_words(elements).saturating_mul(family as u64);
        self.afford_words(words, span)
    }

    /// Like [`Self::afford_sets`], for a number of words.
    pub(crate) fn afford_words(&mut self, words: u64, span: Span) -> bool {
        self.state_words = self.state_words.saturating_add(words);
        if self.state_words <= limits::STATE_WORDS {
            return true;
        }
        if self.told(Code::LimitState) {
            return false;
        }
        let message = format!("the state of a game would take {} words or more", self.state_words);
        let mut d = Diagnostic::error(Code::LimitState, span, message)
            .label(format!("{words} of them are for this"))
            .note(format!("at most {} words of 64 bits are allowed", limits::STATE_WORDS))
            .help("use smaller boards and domains, or fewer index domains");
        if let Some(note) = self.params_note() {
            d = d.note(note);
        }
        self.report(d);
        false
    }

    /// Counts values of tables. Reports an error and returns `false` above the limit.
    pub(crate) fn afford_table(&mut self, values: usize, span: Span) -> bool {
        self.table_values = self.table_values.saturating_add(values as u64);
        if self.table_values <= limits::TABLE_VALUES {
            return true;
        }
        let message = format!("the tables have {} values or more", self.table_values);
        let d = Diagnostic::error(Code::LimitTables, span, message)
            .note(format!("all tables and records together may have at most {}", limits::TABLE_VALUES))
            .help("use smaller index domains");
        self.report(d);
        false
    }

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
        let span = largest.span.unwrap_or(self.game.title.span);
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
        self.report(d);
    }
}

#[cfg(test)]
mod tests {
    use super::set_words;

    #[test]
    fn sets_come_in_widths() {
        assert_eq!(
            [1, 64, 65, 128, 129, 512, 513, 1280, 1281, 4096].map(set_words),
            [1, 1, 2, 2, 4, 8, 20, 20, 64, 64]
        );
    }
}
