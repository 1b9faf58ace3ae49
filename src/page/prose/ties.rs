//! Which of equals counts where a help text stands for the statements or the formula that choose.

use crate::prose::grammar::OF_EQUALS;
use crate::prose::phrases::Wording;
use houserule_base::names::plain;
use houserule_language::diagnostic::Span;
use houserule_language::syntax::Quantifier;
use houserule_model::{CheckedExprKind, DomainId, DomainKind, Type, walk};

/// Words of a help text that says itself who counts.
const TOLD_BY: [&str; 4] = ["equal", "equals", "tie", "ties"];

impl Wording<'_> {
    /// Says which of equals counts where the rules choose the best of some elements within a span: `Of equal players, the
    /// first in the order of seats counts.` Empty if the help text that stands for it says so.
    pub(super) fn hidden_ties(&self, within: Span, help: &str) -> Vec<String> {
        let mut words = help.split(|sign: char| !sign.is_alphanumeric());
        if words.any(|word| TOLD_BY.contains(&word.to_lowercase().as_str())) {
            return vec![];
        }
        let mut domains: Vec<DomainId> = vec![];
        walk::all_exprs(self.model, &mut |one| {
            let is_within =
                one.span.file == within.file && within.start <= one.span.start && one.span.end <= within.end;
            if let (CheckedExprKind::Quantified { op: Quantifier::Best, .. }, Type::Element(of), true) =
                (&one.kind, one.ty, is_within)
                && !domains.contains(&of)
            {
                domains.push(of);
            }
        });
        let domains = domains.into_iter().filter(|of| self.model.domains[of.index()].size > 1);
        let told = domains.map(|of| format!("Of equal {}, {} counts.", self.things(of), self.first_of(of)));
        told.collect()
    }

    /// Says which of the elements of a domain comes first: `the first in the order of seats`, `the lowest`.
    pub(super) fn first_of(&self, id: DomainId) -> String {
        let domain = &self.model.domains[id.index()];
        match domain.kind {
            DomainKind::Player => "the first in the order of seats".to_owned(),
            DomainKind::Range { .. } => "the lowest".to_owned(),
            _ => {
                let (shown, more) = if domain.size > 3 { (2, " and so on") } else { (domain.size, "") };
                let names = (0..shown).map(|e| plain(&self.model.element_name(id, e)));
                let names = names.collect::<Vec<_>>().join(", ");
                format!("the first in the order ({names}{more})")
            }
        }
    }
}

/// Returns `true` if a text says which of equals counts.
pub(super) fn tells_tie(text: &str) -> bool {
    text.contains(OF_EQUALS)
}
