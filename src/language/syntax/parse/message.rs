//! Messages about fragments that don't parse: the expected construct, the position, and the usual
//! mistakes.

use super::expect::Expected;
use super::habits::WordContext;
use super::{Parser, Short};
use crate::diagnostic::{Code, Diagnostic, Span, did_you_mean};
use crate::syntax::split::{names::uncover, tokens::TokenKind};
use crate::vocabulary::{keywords, statements};

impl Parser<'_> {
    /// Reports a parse error in the tokens `a..b` at byte `at`.
    pub(super) fn mismatch(&mut self, expected: Expected, a: usize, b: usize, at: usize) {
        let tokens = self.pieces.tokens.get(a..b).unwrap_or(&[]);
        let i = a + tokens.partition_point(|t| (t.end as usize) <= at);
        // The words of a help text without quotes may look like a declaration.
        let swept = self.messages.last().is_some_and(|m| m.primary.span.start < self.pieces.span(a).start);
        if swept
            && !self.pieces.first(a)
            && keywords::has(self.pieces.word(a), keywords::DECLARATION)
            && self.told_on_line(a)
        {
            return;
        }
        let number = self.messages.len();
        if i >= b {
            let found = b < self.pieces.tokens.len() && self.pieces.same_line(b - 1, b);
            let message = self.broken(&expected, a, i, found);
            self.push(message);
            if self.messages.len() > number {
                self.short = Some(Short { from: a, at: b, expected, message: number });
            }
        } else {
            let message = self.broken(&expected, a, i, true);
            self.push(message);
        }
    }

    /// Returns `true` if an error before token `a` on its line has been reported.
    fn told_on_line(&self, a: usize) -> bool {
        let first = (0..=a).rev().find(|i| self.pieces.first(*i)).unwrap_or(0);
        let (start, end) = (self.pieces.span(first).start, self.pieces.span(a).start);
        self.messages.iter().any(|m| (start..end).contains(&m.primary.span.start))
    }

    /// If token `i` follows a fragment that ended too early, reports it as the cause instead. Returns
    /// `true` if so.
    pub(super) fn blame(&mut self, i: usize) -> bool {
        match self.short.take() {
            Some(short) if short.at == i && short.message + 1 == self.messages.len() => {
                self.messages.pop();
                let message = self.broken(&short.expected, short.from, i, true);
                self.push(message);
                true
            }
            _ => false,
        }
    }

    /// The message for an unexpected token `i` or, without `found`, for something missing before it. The fragment begins
    /// at token `from`.
    fn broken(&self, expected: &Expected, from: usize, i: usize, found: bool) -> Diagnostic {
        let error = self.broken_at(expected, from, i, found);
        let word = self.pieces.word(from);
        // An option and an end may be called like a statement.
        let is_statement = !keywords::has(word, keywords::DECLARATION)
            && expected.words.iter().all(|expected| expected != "subset");
        let is_told = error.help.is_some() || !error.notes.is_empty();
        match statements::verb(word).and_then(|verb| verb.forms.first()) {
            Some(form) if is_statement && !is_told && error.code == Code::ExpectedWord => {
                error.help(format!("it is written `{form}`"))
            }
            _ => error,
        }
    }

    fn broken_at(&self, expected: &Expected, from: usize, i: usize, found: bool) -> Diagnostic {
        let before = self.pieces.word(i.wrapping_sub(1));
        let word = self.pieces.word(i);
        let mut after = if before.is_empty() { String::new() } else { format!(" after `{}`", short(before)) };
        if expected.ty {
            after.push_str(", such as `0..3` or `cell?`");
        }
        if !found {
            let end = self.pieces.span(i.saturating_sub(1)).end as usize;
            let span = Span::new(self.pieces.file, end, end);
            let message = format!("expected {}{after}", expected.phrase());
            let error = Diagnostic::error(expected.code(), span, message);
            return if (expected.operator || expected.end) && expected.words != ["else"] {
                error
            } else if expected.words == ["else"] {
                error
                    .label("something is missing here")
                    .help("an `if` that gives a value needs both: `if … then … else …`")
            } else {
                error.label("something is missing here")
            };
        }
        let span = self.pieces.span(i);
        if let Some(slip) = self.slip(expected, from, i) {
            return slip;
        }
        if let Some(meant) = self.misspelt_before(expected, i) {
            let message = format!("expected `{meant}`, found `{}`", short(before));
            let error = Diagnostic::error(Code::MisspeltWord, self.pieces.span(i - 1), message);
            return error.help(format!("did you mean `{meant}`?"));
        }
        let plain = uncover(word);
        if plain != word && expected.words.contains(&plain) {
            return read_as_name(Code::ExpectedWord, span, &plain);
        }
        let shown = short(word);
        let message =
            if expected.end && !expected.value && expected.words.is_empty() && expected.signs.is_empty() {
                format!("`{shown}` isn't allowed{after}")
            } else {
                format!("expected {}{after}, found `{shown}`", expected.phrase())
            };
        let mut error = Diagnostic::error(expected.code(), span, message);
        if self.pieces.is_word(i) {
            let mut candidates: Vec<&str> = expected.words.iter().map(String::as_str).collect();
            if expected.operator {
                candidates.extend(["and", "or", "in", "is"]);
            }
            if let Some(meant) = did_you_mean(word, candidates).filter(|_| word.len() > 1) {
                error.code = Code::MisspeltWord;
                return error.help(format!("did you mean `{meant}`?"));
            }
            if before == ":" && expected.words.iter().any(|word| word == "win") {
                return error.help("write who has won after it: `: win me`, `: lose me` or `: draw`");
            }
            if expected.value && keywords::has(word, keywords::STATEMENT) {
                return error.note(format!("`{word}` does something and has no value"));
            }
            if expected.text && before == "of" {
                let ends = |j: &usize| !self.pieces.same_line(i, *j) || self.pieces.opens_block(*j);
                let name = short(self.pieces.slice(i, self.skip_until(i, ends)).0);
                return error.help(format!("write `\"{name}\"`"));
            }
            if expected.text && matches!(before, "game" | "variant") {
                return error.help(format!("write `{before} \"{word}\"`"));
            }
            if expected.name && keywords::has(word, keywords::RESERVED) {
                let called = before == "procedure" && keywords::has(word, keywords::NAMEABLE);
                let note = match called {
                    true => format!("`{word}` begins a statement, so a call of it would be read as that"),
                    false => format!("`{word}` is a keyword and can't be a name"),
                };
                return error.note(note).help(format!("give it another name, such as `my_{word}`"));
            }
            if expected.name && is_die(word) {
                return error.note(format!("`{word}` means a die and can't be a name")).help(format!(
                    "give it another name, such as `{}_{}`",
                    &word[..1],
                    &word[1..]
                ));
            }
        }
        let listed = expected.signs.iter().all(|sign| matches!(*sign, "," | ")" | "]" | "}"));
        if expected.operator
            && listed
            && expected.words.is_empty()
            && (self.pieces.is_word(i) || self.pieces.kind(i) == Some(TokenKind::Number))
        {
            error = error.help(if expected.text {
                "a help text needs double quotes"
            } else {
                "is an operator or a comma missing before it?"
            });
        }
        if error.help.is_none()
            && expected.operator
            && self.pieces.same_line(i - 1, i)
            && self.pieces.ends_value(i - 1)
            && expected.words.iter().all(|word| matches!(word.as_str(), "ensuring" | "where" | "seen"))
            && !expected.signs.contains(&":")
            && (self.pieces.is_word(i) && !keywords::has(word, keywords::RESERVED)
                || self.pieces.kind(i) == Some(TokenKind::Number)
                || word == "(")
        {
            error = error.help(format!(
                "put an operator between them: `{before} & {word}` for what two sets have in common, `{before} | {word}` \
                 for both, `and` between conditions"
            ));
        }
        if expected.modifier {
            error =
                error.note("a value may be followed by `each turn`, `each round`, `match` or `seen by …`");
        }
        error
    }

    /// The expected keyword, if the word before `i`, parsed as a name, is a misspelling of it.
    fn misspelt_before(&self, expected: &Expected, i: usize) -> Option<String> {
        let before = self.pieces.word(i.checked_sub(1)?);
        let name =
            self.pieces.is_word(i - 1) && before.len() > 2 && !keywords::has(before, keywords::RESERVED);
        if !name || expected.words.iter().any(|word| *word == self.pieces.word(i)) {
            return None;
        }
        // After an option, any word but `where` begins a binder.
        let binds = expected.words.iter().any(|word| word == "subset");
        let words = expected.words.iter().map(String::as_str).chain(binds.then_some("where"));
        // A name that the rules declare is no misspelling of itself.
        Some(did_you_mean(before, words).filter(|meant| **meant != uncover(before))?.to_owned())
    }

    /// How an assignment of other languages is written here: `n++`, `S |= T`, `n *= 2` for the variable at token `i`.
    fn foreign_assignment(&self, i: usize) -> Option<String> {
        let end = self.target_end(i);
        let sign = self.pieces.word(end + 1);
        let next = self.pieces.word(end + 2);
        let target = short(self.pieces.slice(i, end + 1).0);
        match (sign, next) {
            ("+" | "-", _) if next == sign => Some(format!("write `{target} {sign}= 1`")),
            ("|", "=") => Some(format!("`{target} += …` adds elements to a set")),
            ("&", "=") => Some(format!("write `{target} = {target} & …`")),
            ("*" | "/" | "%", "=") => Some(format!("write `{target} = {target} {sign} …`")),
            _ => None,
        }
    }

    /// The last token of the target of an assignment, a name with its index, that begins at token `i`.
    fn target_end(&self, i: usize) -> usize {
        let mut next = i + 1;
        while self.pieces.bracket(next) == Some(b'[') {
            next = self.pieces.after(next);
        }
        next - 1
    }

    /// Returns `true` if a procedure of this name is declared anywhere in the text.
    fn declares_procedure(&self, name: &str) -> bool {
        (1..self.pieces.tokens.len()).any(|i| self.pieces.is(i - 1, "procedure") && self.pieces.is(i, name))
    }

    /// Reports that a block is missing at token `i`. Its header begins at `start`.
    pub(super) fn expected_block(&mut self, i: usize, start: usize, what: &str) {
        let header = self.pieces.word(start);
        let here = self.pieces.same_line(i.saturating_sub(1), i);
        let span = if here {
            self.pieces.span(i)
        } else {
            let end = self.pieces.span(i.saturating_sub(1)).end as usize;
            Span::new(self.pieces.file, end, end)
        };
        let word = self.pieces.word(i);
        let found =
            if here && !word.is_empty() { format!(", found `{}`", short(word)) } else { String::new() };
        let message = format!("expected `{{` and {what}{found}");
        let mut error = Diagnostic::error(Code::ExpectedBlock, span, message).label("put `{` here");
        if here && word == "then" {
            error = error.help("a statement is written `if … { … } else { … }`");
        } else if self.pieces.span(start) != span {
            error = error.also(self.pieces.span(start), format!("`{}` needs a block", short(header)));
        }
        if error.help.is_none()
            && let Some(help) = self.statement_on_condition(start)
        {
            error = error.help(help);
        }
        if what == "what the option does" && self.pieces.is_word(start) {
            error = error.help(format!("an option that does nothing is written `{} {{ }}`", short(header)));
        }
        self.push(error);
    }

    /// Reports that token `i` doesn't begin a declaration, a statement or whatever `what` names.
    pub(super) fn unknown(&mut self, i: usize, what: &'static str, known: &[&'static str]) {
        self.note_start(i, what, known);
        if self.pieces.first(i) && self.pieces.is_word(i) && self.blame(i) {
            return;
        }
        self.short = None;
        let word = self.pieces.word(i);
        let code = match what {
            "a declaration" | "a change" => Code::UnknownDeclaration,
            "a statement" => Code::UnknownStatement,
            _ => Code::StrayWord,
        };
        let plain = uncover(word);
        if plain != word && known.contains(&plain.as_str()) {
            self.push(read_as_name(code, self.pieces.span(i), &plain));
            return;
        }
        let message = format!("expected {what}, found `{}`", short(word));
        let mut error = Diagnostic::error(code, self.pieces.span(i), message);
        if self.pieces.is_word(i) {
            let next = self.pieces.word(i + 1);
            let sign = self.target_end(i) + 1;
            let place = match what {
                "a declaration" => Some(WordContext::Declaration),
                "a change" => Some(WordContext::Change),
                "a statement" => Some(WordContext::Statement),
                _ => None,
            };
            if what == "a statement" && word == "otherwise" {
                error =
                    error.note("`otherwise` is written inside the `{ … }` of a `choose`, after its options");
            } else if what == "a statement" && matches!(self.pieces.word(sign), ":=" | "==") {
                let target = short(self.pieces.slice(i, sign).0);
                let value = self.rest_of_line(sign, true);
                let value = if value.is_empty() { "…" } else { value.as_str() };
                let compares = if self.pieces.word(sign) == "==" { "; `==` compares" } else { "" };
                error = error.help(format!("to set a variable, write `{target} = {value}`{compares}"));
            } else if what == "a statement" && self.declares_procedure(word) {
                error = error.help(format!("a procedure is called with parentheses: `{}(…)`", short(word)));
            } else if let Some(help) = self.foreign_assignment(i).filter(|_| what == "a statement") {
                error = error.help(help);
            } else if matches!(what, "a declaration" | "a change")
                && next == ":"
                && !keywords::has(word, keywords::DECLARATION)
            {
                error = error.help(
                    format!("write `var {} {}`", short(word), self.rest_of_line(i, false)).replace(" :", ":"),
                );
            } else if what == "a declaration" && next == "=" && !keywords::has(word, keywords::DECLARATION) {
                error = error.help(format!(
                    "write `define {} {}`, or `var {}: 0..9 {}` if it changes",
                    short(word),
                    self.rest_of_line(i, false),
                    short(word),
                    self.rest_of_line(i, false)
                ));
            } else if what == "a change" && word == "step" {
                error = error.help(self.step_in_variant(i));
            } else if what == "a change" && matches!(word, "choose" | "otherwise" | "pass") {
                error = error.help("the options of a choice are changed by `extend CHOICE { … }`");
            } else if let Some(help) = place.and_then(|place| self.habit(place, i)) {
                error = error.help(help);
            } else if let Some(meant) = did_you_mean(word, known.iter().copied()) {
                error = error.help(format!("did you mean `{meant}`?"));
            } else if what == "a change" && next == "=" {
                error = error.help(format!("to change a param, write `param {} = …`", short(word)));
            } else if what == "a statement"
                && did_you_mean(word, ["else"]).is_some()
                && self.pieces.is(i - 1, "}")
            {
                error = error.help("did you mean `else`?");
            } else if keywords::has(word, keywords::INFIX) {
                error = error.note(format!("`{word}` joins two parts and can't begin one"));
            } else if what == "a statement" && keywords::has(word, keywords::DECLARATION) {
                error = error
                    .note("declarations are written directly inside `game \"…\" { … }`")
                    .help("is there a `}` missing above?");
            } else if what == "a declaration"
                && (keywords::has(word, keywords::STATEMENT) || word == "otherwise")
            {
                error = error
                    .note("statements are written inside `setup`, `turn`, `round` or `procedure`")
                    .help("is there a `}` too many above?");
            } else if what == "a change" && keywords::has(word, keywords::STATEMENT) {
                error = error.note("statements are written inside steps and options").help(
                    "write the whole `turn { … }` anew, add a step, `after STEP step NAME { … }`, or add to an option: \
                     `extend CHOICE { after OPTION { … } }`",
                );
            } else if what == "a declaration" && keywords::has(word, keywords::EDIT) {
                error = error.note("changes are written inside `variant \"…\" of \"…\" { … }`");
            }
        } else if word == "/" && self.pieces.is(i + 1, "*") {
            error = error.help("a comment begins with `//`");
        } else if matches!(word, ";" | ",") {
            error = error.help("remove it");
        }
        self.push(error);
    }
}

/// The message for a keyword that is read as a name, because the rules declare it as one.
fn read_as_name(code: Code, span: Span, word: &str) -> Diagnostic {
    let message = format!("`{word}` is read as the name that is declared here, not as the keyword");
    Diagnostic::error(code, span, message)
        .help(format!("give what it names another name, such as `my_{word}`"))
}

/// A word for display; long ones are truncated.
pub(super) fn short(word: &str) -> String {
    if word.chars().count() <= 40 {
        return word.replace(['\n', '\r', '\t'], " ");
    }
    let mut cut: String = word.chars().take(39).collect();
    cut.push('…');
    cut.replace(['\n', '\r', '\t'], " ")
}

/// Returns `true` for a die: `d6`.
pub(super) fn is_die(word: &str) -> bool {
    word.strip_prefix('d').is_some_and(|faces| !faces.is_empty() && faces.bytes().all(|b| b.is_ascii_digit()))
}
