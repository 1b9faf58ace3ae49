//! A variant that is written again without one of its changes, and where its other changes were before: so a message about
//! the new text names the change and the line that the user knows.

use std::ops::Range;

use houserule_language::diagnostic::{Source, SourceMap, Span};
use houserule_language::format::print;
use houserule_language::syntax::{Edit, Variant};

/// The text of a file in which a variant was written again.
#[derive(Clone, Debug)]
pub(super) struct EditedVariant {
    /// The variant in its new words.
    pub(super) rule: String,
    /// The file with it.
    pub(super) file: Source,
    /// The variant in the text as it was.
    before: Span,
    changes: Vec<LeftChange>,
}

/// A change that is left.
#[derive(Clone, Debug)]
struct LeftChange {
    name: String,
    /// Its bytes in the new words of the variant.
    now: Range<usize>,
    /// Its place in the text as it was.
    before: Span,
}

impl EditedVariant {
    /// Writes a variant with other edits, each with its name. The rest of its file stays as it is.
    pub(super) fn write(variant: &Variant, edits: &[(String, Edit)], sources: &SourceMap) -> Option<Self> {
        let (title, of) = (print::quoted(&variant.title.text), print::quoted(&variant.of.text));
        let mut rule = format!("variant {title} of {of} {{\n");
        let mut changes = vec![];
        for (name, edit) in edits {
            let begun = rule.len();
            rule.push_str(&format!("  {}\n", print::edit(edit)));
            changes.push(LeftChange { name: name.clone(), now: begun..rule.len(), before: edit.span });
        }
        rule.push('}');
        let source = sources.get(variant.span.file);
        let (start, end) = (variant.span.start as usize, variant.span.end as usize);
        let text = format!("{}{rule}{}", source.text.get(..start)?, source.text.get(end..)?);
        let file = Source { name: source.name.clone(), text };
        Some(EditedVariant { rule, file, before: variant.span, changes })
    }

    /// Returns the line in the text as it was of a byte of the new text, at which `word` stands, and the name of the change
    /// that it is in. `sources` has the text as it was.
    pub(super) fn place(&self, at: usize, word: &str, sources: &SourceMap) -> (usize, Option<&str>) {
        let line = |start: usize| sources.line_column(Span::new(self.before.file, start, start)).line;
        let (start, end) = (self.before.start as usize, self.before.end as usize);
        let Some(inside) = at.checked_sub(start) else { return (line(at), None) };
        if inside >= self.rule.len() {
            return (line(end + inside - self.rule.len()), None);
        }
        let Some(change) = self.changes.iter().find(|change| change.now.contains(&inside)) else {
            return (line(start), None);
        };
        // Both texts have the same words in the same order.
        let words_before =
            self.rule.get(change.now.start..inside).map_or(0, |text| text.matches(word).count());
        let text = sources.text(change.before);
        let found = text.match_indices(word).nth(words_before).map_or(0, |(found, _)| found);
        (line(change.before.start as usize + found), Some(&change.name))
    }
}
