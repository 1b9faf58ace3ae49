//! The messages of one check: what has been reported, and what prevents a model.

use crate::options::SettingError;
use houserule_base::limits;
use houserule_language::diagnostic::{Code, Diagnostic, Severity, Span};
use std::collections::{HashMap, HashSet};

/// Maximum number of uses of defines inside each other that a message shows.
const USES_SHOWN: usize = 4;

/// The use of a define or procedure that is being expanded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DefineUse {
    span: Span,
    has_arguments: bool,
}

/// Collects the messages of a check.
#[derive(Debug, Default)]
pub(crate) struct Messages {
    diagnostics: Vec<Diagnostic>,
    reported: HashSet<(Code, Span)>,
    /// Unknown names that have been reported: index of the message, and number of further occurrences.
    unknown: HashMap<String, (usize, usize)>,
    errors: usize,
    has_hole: bool,
    settings: Vec<SettingError>,
    /// Warnings that the rules accept, each with the part of the text where they do.
    allowed: Vec<(Code, Span)>,
    /// Where the defines and procedures that are being expanded are used, the outermost first.
    used_at: Vec<DefineUse>,
}

impl Messages {
    /// Reports a message, unless this location has a message with the same code, or the same unknown
    /// name has been reported elsewhere. In an expanded define or procedure, the message also shows the
    /// use.
    pub(crate) fn report(&mut self, mut d: Diagnostic) {
        if self.is_full() || self.is_allowed(&d) || !self.reported.insert((d.code, d.primary.span)) {
            return;
        }
        if d.code.is_unknown() {
            if let Some((_, more)) = self.unknown.get_mut(&d.message) {
                *more += 1;
                return;
            }
            self.unknown.insert(d.message.clone(), (self.diagnostics.len(), 0));
        }
        match d.severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => {}
        }
        for used in self.shown_uses(&d) {
            d = d.also(used, "used here");
        }
        if self.errors == limits::MESSAGES {
            d = d.note(format!("checking stopped after {} errors", limits::MESSAGES));
        }
        self.diagnostics.push(d);
    }

    /// The uses that a message shows, from the innermost to the outermost: the innermost, and as long as arguments are passed
    /// on, from which the cause may come, those around it. Of many, the outermost is the last.
    fn shown_uses(&self, d: &Diagnostic) -> Vec<Span> {
        let mut uses: Vec<Span> = vec![];
        for used in self.used_at.iter().rev() {
            let told = d.secondary.iter().any(|label| label.span == used.span);
            if !contains(used.span, d.primary.span) && !told && !uses.contains(&used.span) {
                uses.push(used.span);
            }
            if !used.has_arguments {
                break;
            }
        }
        if uses.len() > USES_SHOWN {
            uses.drain(USES_SHOWN - 1..uses.len() - 1);
        }
        uses
    }

    /// Reports an error that is only a message.
    pub(crate) fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(code, span, message));
    }

    /// Reports a language construct that is recognised but not implemented.
    pub(crate) fn report_unsupported(&mut self, span: Span, what: &str) {
        self.error(Code::NotYet, span, format!("this version doesn't support {what} yet"));
    }

    /// Reports a value that must be known when the rules are loaded.
    pub(crate) fn report_not_constant(&mut self, span: Span, what: &str) {
        let message = format!(
            "{what} must be known when the rules are loaded, and this depends on the state of a game"
        );
        let d = Diagnostic::error(Code::NotConstant, span, message)
            .label("changes during a game")
            .help("use numbers, params, tables and `count(players)` here");
        self.report(d);
    }

    /// Reports a set whose domain nothing shows.
    pub(crate) fn report_unknown_set(&mut self, at: Span) {
        let d = Diagnostic::error(Code::UnknownDomain, at, "the elements of this set are unknown").help(
            "name the domain where it is declared: `let s: set of cell = {}`, `var s: set of cell = {}`",
        );
        self.report(d);
    }

    /// Reports what a board of this kind can't have. `help` may be empty.
    pub(crate) fn report_unfit_board(&mut self, span: Span, message: String, help: &str) -> Option<()> {
        let mut d = Diagnostic::error(Code::NotOnThisBoard, span, message);
        if !help.is_empty() {
            d = d.help(help);
        }
        self.report(d);
        None
    }

    /// Reports further declarations of a part that a game has only once.
    pub(crate) fn report_repeated(&mut self, what: &str, all: &[Span]) {
        if let [first, rest @ ..] = all {
            for span in rest {
                let d = Diagnostic::error(Code::DeclaredTwice, *span, format!("there are two {what}"))
                    .also(*first, "the first is here")
                    .help("leave one of them out, or make one of the two");
                self.report(d);
            }
        }
    }

    /// Reports an empty range.
    pub(crate) fn report_empty_range(&mut self, low: i64, high: i64, span: Span) {
        let d = Diagnostic::error(Code::EmptyRange, span, format!("the range {low}..{high} is empty"))
            .help("the first number must not be greater than the second");
        self.report(d);
    }

    /// Adds an error in a setting.
    pub(crate) fn reject_setting(&mut self, error: SettingError) {
        self.settings.push(error);
    }

    /// Accepts the warnings with these codes in these parts of the text.
    pub(crate) fn allow(&mut self, allowed: &[(Code, Span)]) {
        self.allowed.extend_from_slice(allowed);
    }

    fn is_allowed(&self, d: &Diagnostic) -> bool {
        let accepts = |(code, within): &(Code, Span)| *code == d.code && contains(*within, d.primary.span);
        d.severity == Severity::Warning && self.allowed.iter().any(accepts)
    }

    /// Notes that a part of the rules didn't parse, so that there can be no model.
    pub(crate) fn add_hole(&mut self) {
        self.has_hole = true;
    }

    /// Returns `true` if a part of the rules that was checked didn't parse.
    pub(crate) fn has_hole(&self) -> bool {
        self.has_hole
    }

    /// Returns `true` if a message with this code has been reported, so that consequential errors can be
    /// omitted.
    pub(crate) fn has_reported(&self, code: Code) -> bool {
        self.reported.iter().any(|(reported, _)| *reported == code)
    }

    /// Returns `true` if the maximum number of errors is reached. Nothing more is reported then.
    pub(crate) fn is_full(&self) -> bool {
        self.errors >= limits::MESSAGES
    }

    /// Sets where the defines and procedures that are being expanded are used. Returns the previous places, which the caller
    /// sets again afterwards.
    pub(crate) fn set_uses(&mut self, used_at: Vec<DefineUse>) -> Vec<DefineUse> {
        std::mem::replace(&mut self.used_at, used_at)
    }

    /// Adds the place where a define or procedure is used that is now expanded.
    pub(crate) fn enter_use(&mut self, span: Span, has_arguments: bool) {
        self.used_at.push(DefineUse { span, has_arguments });
    }

    /// Removes the last of these places: the define or procedure is expanded.
    pub(crate) fn leave_use(&mut self) {
        self.used_at.pop();
    }

    /// Returns the messages in the order of the text, the errors in settings, and whether there can be a model.
    /// Without a model there are no warnings.
    pub(crate) fn finish(mut self) -> (Vec<Diagnostic>, Vec<SettingError>, bool) {
        for (at, more) in self.unknown.into_values().filter(|(_, more)| *more > 0) {
            if let Some(d) = self.diagnostics.get_mut(at) {
                let places = if more == 1 { "place" } else { "places" };
                d.notes.push(format!("the same in {more} other {places}"));
            }
        }
        self.diagnostics.sort_by_key(|d| d.primary.span);
        let is_wrong = self.has_hole || self.diagnostics.iter().any(|d| d.severity == Severity::Error);
        if is_wrong {
            self.diagnostics.retain(|d| d.severity == Severity::Error);
        }
        let is_sound = !is_wrong && self.settings.is_empty();
        (self.diagnostics, self.settings, is_sound)
    }
}

/// Returns `true` if a span lies within another.
pub(crate) fn contains(outer: Span, inner: Span) -> bool {
    outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
}

/// The part of a span that covers `word` at its end.
pub(crate) fn last_word(span: Span, word: &str) -> Span {
    let start = span.end.saturating_sub(word.len() as u32).max(span.start);
    Span { start, ..span }
}

/// The part of a span that covers `word` at its beginning, if long enough.
pub(crate) fn first_word(span: Span, word: &str) -> Option<Span> {
    let end = span.start.checked_add(word.len() as u32)?;
    (end <= span.end).then_some(Span { end, ..span })
}
