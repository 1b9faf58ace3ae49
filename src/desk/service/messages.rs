//! The messages of a text: those of `houserule check`, without the ones that need random games.

use std::collections::BTreeSet;

use super::checked_file::CheckedItem;
use super::workspace::is_script;
use super::{TextPlace, Workspace};
use houserule_language::diagnostic::{Code, Diagnostic, Label, Severity, printable};
use houserule_language::syntax::{Item, RuleFile};

/// A message about a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextMessage {
    /// Error or warning.
    pub severity: Severity,
    /// The kind of message. `None` for an error without a place in the rules.
    pub code: Option<Code>,
    /// What is wrong.
    pub message: String,
    /// Where it is.
    pub place: TextPlace,
    /// The words beside the marked text; may be empty.
    pub label: String,
    /// Other places that explain it, each with its words.
    pub related: Vec<(TextPlace, String)>,
    /// Additional facts.
    pub notes: Vec<String>,
    /// How to fix it.
    pub help: Option<String>,
}

impl TextMessage {
    /// All its words, a line for each part.
    pub fn words(&self) -> String {
        let mut lines = vec![self.message.clone()];
        lines.extend(Some(&self.label).filter(|label| !label.is_empty()).cloned());
        lines.extend(self.notes.iter().map(|note| format!("note: {note}")));
        lines.extend(self.help.iter().map(|help| format!("help: {help}")));
        printable(&lines.join("\n")).into_owned()
    }
}

impl Workspace {
    /// The messages of a file, in the order of its text. Those of a script come from the rules that name it.
    pub fn messages(&mut self, file: &str) -> Vec<TextMessage> {
        let checked = match is_script(file) {
            true => self.checked_with(file),
            false => self.check(file).into_iter().collect(),
        };
        let head = self.tree(file).map_or(TextPlace::new(file, 0..0), |tree| head(file, &tree));
        let mut messages: Vec<TextMessage> = vec![];
        let mut known = BTreeSet::new();
        for item in checked.iter().flat_map(|checked| &checked.items).filter(|item| item.top) {
            let faults = item.faults.iter().filter(|_| !is_script(file));
            let faults = faults.map(|fault| fault_at(fault, head.clone()));
            let told = item.diagnostics.iter().filter_map(|one| told_in(one, item, file, &head));
            for message in told.chain(faults) {
                if known.insert((message.place.clone(), message.code, message.message.clone())) {
                    messages.push(message);
                }
            }
        }
        messages.sort_by_key(|message| message.place.start);
        messages
    }
}

/// Where a file tells what it is or stands on: the base of its last variant, the title of its last game, or its start.
fn head(file: &str, tree: &RuleFile) -> TextPlace {
    let span = match tree.items.last() {
        Some(Item::Game(game)) => game.title.span,
        Some(Item::Variant(variant)) => variant.of.span,
        None => return TextPlace::new(file, 0..0),
    };
    TextPlace::new(file, span.start as usize..span.end as usize)
}

fn fault_at(fault: &str, place: TextPlace) -> TextMessage {
    TextMessage {
        severity: Severity::Error,
        code: None,
        message: fault.to_owned(),
        place,
        label: String::new(),
        related: vec![],
        notes: vec![],
        help: None,
    }
}

/// A message as `file` shows it. An error in another file stands where `file` has a part in it, or at its head.
/// Returns `None` for a warning that is no matter of `file`.
fn told_in(diagnostic: &Diagnostic, item: &CheckedItem, file: &str, head: &TextPlace) -> Option<TextMessage> {
    let place = |label: &Label| (item.place(label.span), label.text.clone());
    let mut labels: Vec<(TextPlace, String)> =
        std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary).map(place).collect();
    let own = labels.iter().position(|(place, _)| place.file == file);
    let (place, label) = match own {
        Some(at) => {
            let own = labels.remove(at);
            // The place of the error itself has no words if the message says them.
            if at > 0 && labels[0].1.is_empty() {
                labels[0].1 = "the error is here".to_owned();
            }
            own
        }
        None if diagnostic.severity == Severity::Error && !is_script(file) => {
            labels[0].1 = "the error is here".to_owned();
            (head.clone(), String::new())
        }
        None => return None,
    };
    Some(TextMessage {
        severity: diagnostic.severity,
        code: Some(diagnostic.code),
        message: diagnostic.message.clone(),
        place,
        label,
        related: labels,
        notes: diagnostic.notes.clone(),
        help: diagnostic.help.clone(),
    })
}
