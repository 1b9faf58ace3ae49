//! The parser: builds the syntax tree by parsing each fragment of the splitter with its grammar rule.
//!
//! A broken fragment yields one error and a hole. Independent of the meaning of names.

mod build;
mod conditionals;
mod decl;
mod edit;
mod edit_words;
mod expect;
mod habits;
mod message;
mod probe;
mod slips;
mod stmt;
#[cfg(test)]
mod tests;
mod two_names;

use pest::Parser as _;
use pest::error::{ErrorVariant, InputLocation};
use pest::iterators::Pair;

use self::build::TreeBuilder;
use self::expect::Expected;
pub use self::probe::{Expectation, expectation};
use super::split::{Fragments, names, split};
use crate::diagnostic::{Code, Diagnostic, FileId, Span, did_you_mean, without_lone_cr};
use crate::syntax::{Block, Expr, ExprKind, GameDecl, Item, Name, QuotedText, RuleFile, Variant};
use crate::vocabulary::{LANGUAGE, keywords};
use houserule_base::limits;

/// Code generated from the grammar.
mod grammar {
    #[derive(pest_derive::Parser)]
    #[grammar = "syntax/grammar.pest"]
    pub(super) struct Grammar;
}

use grammar::{Grammar, Rule};

/// Parses one rule file. Returns one message for each independent error, in the order of the text. A
/// part that doesn't parse is a hole in the tree.
pub fn parse(source: FileId, text: &str) -> (RuleFile, Vec<Diagnostic>) {
    if text.len() > limits::FILE_BYTES {
        let message =
            format!("this file has {} bytes; a rule file has at most {}", text.len(), limits::FILE_BYTES);
        let error = Diagnostic::error(Code::FileTooLarge, Span::new(source, 0, 0), message);
        let help = "leave out what the game doesn't need, or move a part of it into a variant";
        return (RuleFile::default(), vec![error.help(help)]);
    }
    let text = &*without_lone_cr(text);
    best_reading(text, |covered| parse_covered(source, text, covered))
}

/// Reads a text. If there are messages, reads it with covers over names; that reading counts if the file declares them, or
/// has fewer messages.
fn best_reading<T>(text: &str, read: impl Fn(&str) -> (T, Vec<Diagnostic>)) -> (T, Vec<Diagnostic>) {
    let plain = read(text);
    if plain.1.is_empty() {
        return plain;
    }
    let Some(covered) = names::cover(text) else { return plain };
    let (tree, mut messages) = read(&covered.text);
    messages.iter_mut().for_each(names::uncover_message);
    if covered.declared || messages.len() < plain.1.len() { (tree, messages) } else { plain }
}

fn parse_covered(source: FileId, text: &str, covered: &str) -> (RuleFile, Vec<Diagnostic>) {
    let (pieces, messages) = split(source, text, covered);
    let mut parser = Parser { pieces, messages, short: None, probe: None };
    let file = parser.file();
    let mut messages = parser.messages;
    // A bracket that closes nothing is reported only if no other error on its line explains it.
    for stray in std::mem::take(&mut parser.pieces.strays) {
        let line = |message: &Diagnostic| parser.pieces.line(message.primary.span.start);
        if !messages.iter().any(|message| line(message) == line(&stray)) {
            messages.push(stray);
        }
    }
    messages.sort_by_key(|message| message.primary.span);
    if messages.len() >= limits::COLLECTED
        && let Some(last) = messages.last_mut()
    {
        last.notes.push(format!("there are more errors; {} were collected", limits::COLLECTED));
    }
    (file, messages)
}

/// Parses a text that is a single expression, such as `score + 15 * jokers_left`. Returns `None` after an error.
pub fn parse_expression(source: FileId, text: &str) -> (Option<Expr>, Vec<Diagnostic>) {
    if text.len() > limits::FILE_BYTES {
        let message =
            format!("this text has {} bytes; an expression has at most {}", text.len(), limits::FILE_BYTES);
        let error = Diagnostic::error(Code::FileTooLarge, Span::new(source, 0, 0), message);
        return (None, vec![error.help("write a shorter expression, or a `define` in the rules")]);
    }
    let text = &*without_lone_cr(text);
    best_reading(text, |covered| {
        let (pieces, messages) = split(source, text, covered);
        let mut parser = Parser { pieces, messages, short: None, probe: None };
        let end = parser.pieces.tokens.len();
        let expr = parser.rule(Rule::lone_e, 0, end).map(|pair| parser.build(0).last_expr(pair));
        let mut messages = parser.messages;
        messages.append(&mut parser.pieces.strays);
        messages.sort_by_key(|message| message.primary.span);
        (expr.filter(|_| messages.is_empty()), messages)
    })
}

struct Parser<'a> {
    pieces: Fragments<'a>,
    messages: Vec<Diagnostic>,
    /// Set if the last fragment ended too early. If an unknown word follows, that word is the cause of
    /// the error.
    short: Option<Short>,
    /// A byte, and what was expected there so far.
    probe: Option<(usize, Expectation)>,
}

/// A fragment that ended too early.
struct Short {
    /// Index of its first token.
    from: usize,
    /// Index of the token after it.
    at: usize,
    /// The missing part.
    expected: Expected,
    /// Index of its message.
    message: usize,
}

impl<'a> Parser<'a> {
    /// Parses the whole file.
    fn file(&mut self) -> RuleFile {
        let mut items = vec![];
        let (language, mut i) = self.language();
        let end = self.pieces.tokens.len();
        let mut lost = false;
        // Headers and braces are indexed once: searching again for each token would take quadratic time.
        let starts = |j: &usize| matches!(self.pieces.word(*j), "game" | "variant") && self.pieces.first(*j);
        let heads: Vec<usize> = (0..end).filter(starts).collect();
        let opens: Vec<usize> = (0..end).filter(|j| self.pieces.opens_block(*j)).collect();
        let next_of = |list: &[usize], i: usize| list.get(list.partition_point(|at| *at <= i)).copied();
        while i < end {
            let upto = next_of(&heads, i).unwrap_or(end);
            let open = next_of(&opens, i).filter(|open| *open < upto);
            let word = self.pieces.word(i);
            let known = ["game", "variant"];
            let guess = if known.contains(&word) { Some(word) } else { did_you_mean(word, known) };
            let heads = self.pieces.is_word(i)
                && (known.contains(&word) || self.pieces.is_text(i + 1) && open.is_some());
            if !heads {
                let shown = !word.is_empty();
                if shown && !lost && !self.pieces.line_reported(self.pieces.span(i).start) {
                    self.lost_at_top(i, guess);
                }
                lost = true;
                i = self.pieces.after(i);
                continue;
            }
            let astray = std::mem::take(&mut lost);
            let Some(open) = open else {
                let variant = word == "variant";
                let rule = if variant { Rule::variant_head } else { Rule::game_head };
                if self.rule(rule, i, upto).is_some() {
                    self.expected_block(upto, i, "what it contains");
                }
                i = upto;
                continue;
            };
            let close = self.pieces.partner(open);
            let variant = guess == Some("variant") || guess.is_none() && self.pieces.is(i + 2, "of");
            let help = self.doc_above(i);
            let span = self.pieces.span_of(i, close + 1);
            let unknown = !known.contains(&word);
            if unknown && !astray {
                self.lost_at_top(i, guess);
            }
            let unknown = unknown || astray && !self.pieces.first(i);
            if variant {
                let (title, of) = self.variant_head(i, open, unknown);
                let edits = self.edits(open, close);
                items.push(Item::Variant(Variant { title, of, help, edits, span }));
            } else {
                let title = self.game_head(i, open, unknown);
                let decls = self.decls(open);
                items.push(Item::Game(GameDecl { title, help, decls, span }));
            }
            i = close + 1;
        }
        if items.is_empty() && self.messages.is_empty() {
            let message = "this file has neither a game nor a variant";
            let help =
                "a game is written `game \"Title\" { … }`, a variant `variant \"Title\" of \"game\" { … }`";
            self.messages.push(Diagnostic::error(Code::EmptyFile, self.pieces.span(0), message).help(help));
        }
        RuleFile { language, items }
    }

    /// Parses `language 1` at the beginning of the file. Returns the version, and where the rest begins.
    fn language(&mut self) -> (Option<u32>, usize) {
        self.note_start(0, "an item", &["language"]);
        if !self.pieces.is(0, "language") {
            return (None, 0);
        }
        let Ok(version) = self.pieces.word(1).parse() else {
            // What else stands in the line is meant as the number.
            let end = self.pieces.tokens.len();
            let ends = |j: &usize| {
                !self.pieces.same_line(0, *j)
                    || self.pieces.opens_block(*j)
                    || matches!(self.pieces.word(*j), "game" | "variant")
            };
            let next = (1..end).find(ends).unwrap_or(end);
            let message = "the number of the language is missing";
            let error = Diagnostic::error(Code::LanguageVersion, self.pieces.span_of(0, next), message);
            self.messages.push(error.help(format!("write `language {LANGUAGE}`")));
            return (None, next);
        };
        let span = self.pieces.span_of(0, 2);
        if !(1..=LANGUAGE).contains(&version) {
            let message = format!("this file is written in language {version}, which isn't known here");
            let error = Diagnostic::error(Code::LanguageVersion, span, message)
                .note(format!("this program knows language {LANGUAGE}"))
                .help("use a later version of the program");
            self.messages.push(error);
        }
        (Some(version), 2)
    }

    fn lost_at_top(&mut self, i: usize, guess: Option<&str>) {
        self.note_start(i, "an item", &["game", "variant"]);
        let word = self.pieces.word(i);
        let message = format!("expected `game` or `variant`, found `{word}`");
        let mut error = Diagnostic::error(Code::ExpectedGame, self.pieces.span(i), message);
        let sets = self.pieces.is_word(i) && self.pieces.is(i + 1, "=");
        let sets_param = self.pieces.is(i, "param") && self.pieces.is(i + 2, "=");
        if let Some(guess) = guess {
            error = error.help(format!("did you mean `{guess}`?"));
        } else if word == "language" {
            error = error.help(format!("`language {LANGUAGE}` stands at the beginning of a file"));
        } else if sets || sets_param {
            let name = self.pieces.word(i + usize::from(sets_param));
            let value = self.rest_of_line(i + 1 + usize::from(sets_param), false);
            error = error.note("a file that changes a game is a variant of it").help(format!(
                "write `variant \"Title\" of \"GAME\" {{ param {name} = {value} }}`; `--set {name}={value}` does it for one \
                 command"
            ));
        } else if keywords::has(word, keywords::EDIT) {
            error = error
                .note("changes of a game are written inside a variant")
                .help("write `variant \"Title\" of \"GAME\" { … }` around them");
        } else if keywords::has(word, keywords::DECLARATION) && i == 0 {
            error = error.help("declarations are written inside `game \"Title\" { … }`");
        } else if keywords::has(word, keywords::DECLARATION) {
            error = error
                .note("declarations are written inside `game \"Title\" { … }`")
                .help("is there a `}` too many above?");
        }
        self.messages.push(error);
    }

    fn game_head(&mut self, i: usize, open: usize, unknown: bool) -> QuotedText {
        let pair = if unknown { None } else { self.rule(Rule::game_head, i, open) };
        let texts = pair.map(|pair| self.texts(i, &pair)).unwrap_or_default();
        texts.into_iter().next().unwrap_or_else(|| self.title_at(i + 1))
    }

    fn variant_head(&mut self, i: usize, open: usize, unknown: bool) -> (QuotedText, QuotedText) {
        let pair = if unknown { None } else { self.rule(Rule::variant_head, i, open) };
        let mut texts = pair.map(|pair| self.texts(i, &pair)).unwrap_or_default().into_iter();
        let title = texts.next().unwrap_or_else(|| self.title_at(i + 1));
        let of = texts.next().unwrap_or_else(|| self.title_at(i + 3));
        (title, of)
    }

    /// The string at a token, if any; used for a header that didn't parse.
    fn title_at(&self, i: usize) -> QuotedText {
        let word = self.pieces.word(i);
        let text = if self.pieces.is_text(i) { word.trim_matches('"').to_owned() } else { String::new() };
        QuotedText { text, span: self.pieces.span(i) }
    }

    fn texts(&mut self, i: usize, pair: &Pair<'a, Rule>) -> Vec<QuotedText> {
        let build = self.build(i);
        pair.clone().into_inner().filter(|p| p.as_rule() == Rule::text).map(|p| build.text(&p)).collect()
    }

    /// The `///` lines directly above a token.
    fn doc_above(&self, i: usize) -> String {
        let Some(mut line) = self.pieces.tokens.get(i).map(|t| t.line) else { return String::new() };
        let above = self.pieces.docs.partition_point(|(at, _)| *at < line);
        let mut lines = vec![];
        for (at, text) in self.pieces.docs[..above].iter().rev() {
            if at + 1 != line {
                break;
            }
            line = *at;
            lines.push(text.as_str());
        }
        lines.reverse();
        lines.join(" ").trim().to_owned()
    }

    /// A builder of tree nodes for a fragment that begins at token `a`.
    fn build(&mut self, a: usize) -> TreeBuilder<'_> {
        let base = self.pieces.span(a).start as usize;
        TreeBuilder {
            file: self.pieces.file,
            base,
            tokens: &self.pieces.tokens,
            messages: &mut self.messages,
        }
    }

    /// Parses the tokens `a..b` with a grammar rule. `None` means a reported error.
    fn rule(&mut self, rule: Rule, a: usize, b: usize) -> Option<Pair<'a, Rule>> {
        if self.pieces.reported(a, b) || self.too_long(a, b) {
            return None;
        }
        let (slice, base) = self.pieces.slice(a, b);
        match Grammar::parse(rule, slice) {
            Ok(mut pairs) => pairs.next(),
            Err(error) => {
                let at = base
                    + match error.location {
                        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
                    };
                let expected = match &error.variant {
                    ErrorVariant::ParsingError { positives, .. } => Expected::new(positives),
                    ErrorVariant::CustomError { .. } => {
                        let message = "this is nested too deep to be read";
                        self.push(Diagnostic::error(Code::Nesting, self.pieces.span_of(a, b), message));
                        return None;
                    }
                };
                self.note_expected(at, &expected);
                self.mismatch(expected, a, b, at);
                None
            }
        }
    }

    /// Returns `true` if the tokens `a..b` match a grammar rule. Reports nothing.
    fn fits(&self, rule: Rule, a: usize, b: usize) -> bool {
        b - a <= limits::EXPRESSION_DEPTH && Grammar::parse(rule, self.pieces.slice(a, b).0).is_ok()
    }

    /// Parses the expression after the keyword at `a` with a rule such as `until_tail`.
    fn tail(&mut self, rule: Rule, a: usize, b: usize) -> Expr {
        match self.rule(rule, a, b) {
            Some(pair) => self.build(a).last_expr(pair),
            None => self.hole(a, b),
        }
    }

    fn hole(&self, a: usize, b: usize) -> Expr {
        Expr { kind: ExprKind::Hole, span: self.pieces.span_of(a, b) }
    }

    fn name_at(&self, i: usize) -> Name {
        Name { text: names::uncover(self.pieces.word(i)), span: self.pieces.span(i) }
    }

    /// Checks the limits on the grammar's recursion and memory.
    fn too_long(&mut self, a: usize, b: usize) -> bool {
        if b - a > limits::PIECE_TOKENS {
            let (long, most) = (b - a, limits::PIECE_TOKENS);
            let message = format!("this piece has {long} words and signs; a piece has at most {most}");
            let error = Diagnostic::error(Code::TooLong, self.pieces.span(a), message);
            self.push(error.help("split it up with `define`, `procedure` or several statements"));
            return true;
        }
        // Each level counts the operators that wait for their right operand. A comma or a closing
        // bracket releases them.
        let mut levels = vec![0_usize];
        let mut depth = 0;
        for i in a..b {
            match self.pieces.bracket(i) {
                Some(b'{' | b'(' | b'[') => {
                    levels.push(1);
                    depth += 1;
                }
                Some(_) => depth -= levels.pop().unwrap_or(0),
                None if self.pieces.is(i, ",") => depth -= levels.last_mut().map_or(0, std::mem::take),
                None if self.waits(i) => {
                    depth += 1;
                    if let Some(level) = levels.last_mut() {
                        *level += 1;
                    }
                }
                None => {}
            }
            if depth > limits::EXPRESSION_DEPTH {
                let message =
                    format!("this expression has more than {} operators in a row", limits::EXPRESSION_DEPTH);
                let error = Diagnostic::error(Code::Nesting, self.pieces.span(i), message);
                self.push(error.help("give parts of it a name with `define`"));
                return true;
            }
        }
        false
    }

    /// Returns `true` if the token is an operator, or a keyword that another expression follows.
    fn waits(&self, i: usize) -> bool {
        use super::split::tokens::TokenKind;
        match self.pieces.kind(i) {
            Some(TokenKind::Sign) => !matches!(self.pieces.word(i), ";" | "?"),
            Some(TokenKind::Word) => keywords::has(self.pieces.word(i), keywords::NESTS),
            _ => false,
        }
    }

    /// Adds a message, unless a reported character or bracket on its line explains it.
    fn push(&mut self, message: Diagnostic) {
        let enough = self.messages.len() >= limits::COLLECTED;
        if !enough && !self.pieces.line_reported(message.primary.span.start) {
            self.messages.push(message);
        }
    }

    fn empty_block(&self, at: usize) -> Block {
        Block { stmts: vec![], span: self.pieces.span(at) }
    }
}
