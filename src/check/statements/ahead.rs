//! Options that are checked in advance: not to be chosen, but to know what could be chosen.

use super::choice::OptionParts;
use crate::checker::Checker;
use crate::checker::context::{LookAhead, StatementContext};
use crate::draft::Draft;
use houserule_language::syntax::ChoiceOption;
use houserule_model::CheckedExpr;

impl<'a> Checker<'a> {
    /// Expands options like a define, and returns what `f` makes of each of their cases; `None` if one has an error.
    pub(super) fn expand_ahead(
        &mut self,
        look: LookAhead,
        options: impl Iterator<Item = &'a ChoiceOption>,
        mut f: impl FnMut(&mut Draft, &'a ChoiceOption, OptionParts) -> Option<CheckedExpr>,
    ) -> Option<Vec<CheckedExpr>> {
        self.context.looks_ahead = look;
        let place = std::mem::replace(&mut self.context.place, StatementContext::Turn);
        let acting = std::mem::take(&mut self.context.acting);
        let mut all = vec![];
        self.in_isolation(|c| {
            c.discarded(|c| {
                for option in options {
                    let cases = c.option_cases(option, None).into_iter();
                    all.extend(cases.map(|parts| parts.and_then(|parts| f(&mut c.draft, option, parts))));
                }
            });
        });
        (self.context.place, self.context.acting) = (place, acting);
        self.context.looks_ahead = LookAhead::No;
        all.into_iter().collect()
    }
}
