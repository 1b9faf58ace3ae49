//! Types that the rules don't write.

use std::ops::Range;

use super::{TextPlace, Workspace};
use houserule_check::DefinitionKind;

/// A type behind a name that has none in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeHint {
    /// The byte where it would be written.
    pub byte: usize,
    /// What would be written: `: set of cell`.
    pub text: String,
}

impl Workspace {
    /// The types of the locals of `let` in a part of a file that have none in the text, in its order.
    pub fn type_hints(&mut self, file: &str, range: Range<usize>) -> Vec<TypeHint> {
        let (Some(text), Some(checked)) = (self.text(file), self.check(file)) else { return vec![] };
        let mut hints: Vec<TypeHint> = vec![];
        for item in &checked.items {
            for local in item.names.definitions.iter().filter(|one| one.kind == DefinitionKind::Local) {
                let (Some(span), Some(ty)) = (local.span, &local.ty) else { continue };
                let TextPlace { file: of, start, end } = item.place(span);
                let before = text.get(..start).unwrap_or("").trim_end();
                let after = text.get(end..).unwrap_or("").trim_start();
                let is_let = before.ends_with("let") && after.starts_with('=');
                if of == file && is_let && range.contains(&start) && !hints.iter().any(|one| one.byte == end)
                {
                    hints.push(TypeHint { byte: end, text: format!(": {ty}") });
                }
            }
        }
        hints.sort_by_key(|hint| hint.byte);
        hints
    }
}
