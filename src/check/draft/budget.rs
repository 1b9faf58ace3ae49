//! What a check may use: the size of the expanded rules, of the state and of the tables.

use super::Draft;
use houserule_base::limits;
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_model::fold::{Folder, Nothing, Why};
use houserule_model::{CheckedExpr, Model, Value};

/// The resources that a check has used.
#[derive(Debug)]
pub(crate) struct Budget {
    nodes: u32,
    depth: u32,
    is_exhausted: bool,
    state_words: u64,
    table_values: u64,
    fold_steps: u32,
}

impl Default for Budget {
    fn default() -> Self {
        Budget {
            nodes: 0,
            depth: 0,
            is_exhausted: false,
            state_words: 0,
            table_values: 0,
            fold_steps: 3_000_000,
        }
    }
}

impl Budget {
    /// Counts nodes of the expanded rules.
    pub(crate) fn add_nodes(&mut self, count: u32) {
        self.nodes = self.nodes.saturating_add(count);
    }

    /// Computes a constant expression.
    pub(crate) fn fold(&mut self, model: &Model, e: &CheckedExpr) -> Result<Value, Why> {
        let mut folder = Folder::new(model, Nothing, self.fold_steps);
        let value = folder.value(e);
        self.fold_steps = folder.steps_left();
        value
    }
}

impl Draft {
    /// Enters a level of nested expressions and blocks.
    pub(crate) fn enter_level(&mut self) {
        self.budget.depth += 1;
    }

    /// Leaves a level of nested expressions and blocks.
    pub(crate) fn leave_level(&mut self) {
        self.budget.depth -= 1;
    }

    /// Returns `true` if the rules have been reported as too large.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.budget.is_exhausted
    }

    /// Counts a node of the expanded rules. Reports an error once and returns `false` if there are too
    /// many.
    pub(crate) fn afford_node(&mut self, span: Span) -> bool {
        if self.messages.is_full() {
            return false;
        }
        self.budget.add_nodes(1);
        if self.budget.nodes <= limits::NODES && self.budget.depth <= limits::EXPANDED_NESTING {
            return true;
        }
        if !self.budget.is_exhausted {
            self.budget.is_exhausted = true;
            let d = if self.budget.depth > limits::EXPANDED_NESTING {
                Diagnostic::error(
                    Code::NestedTooDeeply,
                    span,
                    "expressions or blocks are nested too deeply here",
                )
                .note(format!(
                    "at most {} levels are allowed, with defines and procedures expanded",
                    limits::EXPANDED_NESTING
                ))
                .help("name a part with `define` and use it less deeply")
            } else {
                let message = "the rules become too large when defines and procedures are expanded";
                Diagnostic::error(Code::RulesTooLarge, span, message)
                    .note(format!("at most {} parts are allowed; here is where they ran out", limits::NODES))
                    .help("use a `let` or a `for` in place of defines that use each other several times")
            };
            self.messages.report(d);
        }
        false
    }

    /// Counts a family of sets before allocation. Reports an error and returns `false` above the limit.
    pub(crate) fn afford_sets(&mut self, elements: u32, family: usize, span: Span) -> bool {
        let words = set_words(elements).saturating_mul(family as u64);
        self.afford_words(words, span)
    }

    /// Like [`Self::afford_sets`], for a number of words.
    pub(crate) fn afford_words(&mut self, words: u64, span: Span) -> bool {
        self.budget.state_words = self.budget.state_words.saturating_add(words);
        if self.budget.state_words <= limits::STATE_WORDS {
            return true;
        }
        if self.messages.has_reported(Code::LimitState) {
            return false;
        }
        let message = format!("the state of a game would take {} words or more", self.budget.state_words);
        let mut d = Diagnostic::error(Code::LimitState, span, message)
            .label(format!("{words} of them are for this"))
            .note(format!("at most {} words of 64 bits are allowed", limits::STATE_WORDS))
            .help("use smaller boards and domains, or fewer index domains");
        if let Some(note) = self.params_note() {
            d = d.note(note);
        }
        self.messages.report(d);
        false
    }

    /// Counts values of tables. Reports an error and returns `false` above the limit.
    pub(crate) fn afford_table(&mut self, values: usize, span: Span) -> bool {
        self.budget.table_values = self.budget.table_values.saturating_add(values as u64);
        if self.budget.table_values <= limits::TABLE_VALUES {
            return true;
        }
        let message = format!("the tables have {} values or more", self.budget.table_values);
        let d = Diagnostic::error(Code::LimitTables, span, message)
            .note(format!("all tables and records together may have at most {}", limits::TABLE_VALUES))
            .help("use smaller index domains");
        self.messages.report(d);
        false
    }
}

/// Possible sizes of a set, in words. All sets have the size of the one with the largest domain.
const WIDTHS: [u64; 6] = [1, 2, 4, 8, 20, 64];

/// Returns the words of a set over a domain with this number of elements.
pub(crate) fn set_words(elements: u32) -> u64 {
    let needed = u64::from(elements.div_ceil(64)).max(1);
    WIDTHS.into_iter().find(|w| *w >= needed).unwrap_or(needed)
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
