//! The splitter: cuts a rule file into fragments that the grammar parses one by one.
//!
//! The grammar stops at its first error, so each fragment is parsed alone. Balanced brackets and opening keywords divide
//! a file into declarations, statements, headers and entries; where they leave a doubt, a line break decides. Depends on keywords and brackets; independent of the
//! meaning of fragments.

pub(crate) mod brackets;
pub(crate) mod names;
pub mod pieces;
pub mod tokens;

use self::tokens::{Token, TokenKind};
use crate::diagnostic::{Diagnostic, FileId, Span};
use crate::vocabulary::keywords;

/// A file as tokens with balanced brackets.
#[derive(Debug)]
pub(crate) struct Fragments<'a> {
    pub(crate) file: FileId,
    pub(crate) text: &'a str,
    pub(crate) tokens: Vec<Token>,
    partner: Vec<usize>,
    /// Byte offsets of reported errors, in ascending order.
    bad: Vec<u32>,
    /// Byte offsets of line breaks.
    breaks: Vec<u32>,
    /// `///` lines: line from 0, text.
    pub(crate) docs: Vec<(u32, String)>,
    /// Errors about a `}` that closes nothing and is not the first of its line. A `{` on the line may be missing.
    pub(crate) strays: Vec<Diagnostic>,
}

/// Tokenises a text and balances its brackets. `text` is the same with covers over some names.
pub(crate) fn split<'a>(file: FileId, plain: &str, text: &'a str) -> (Fragments<'a>, Vec<Diagnostic>) {
    let mut found = tokens::tokenise(file, plain);
    let balanced = brackets::balance(file, text, &mut found);
    let mut bad = found.bad;
    bad.sort_unstable();
    let breaks = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(at, _)| at as u32).collect();
    let (tokens, partner, strays) = (balanced.tokens, balanced.partner, balanced.strays);
    (Fragments { file, text, tokens, partner, bad, breaks, docs: found.docs, strays }, found.messages)
}

impl<'a> Fragments<'a> {
    /// The text of a token; empty for an inserted bracket.
    pub(crate) fn word(&self, i: usize) -> &'a str {
        self.tokens.get(i).map_or("", |t| self.text.get(t.start as usize..t.end as usize).unwrap_or(""))
    }

    pub(crate) fn is(&self, i: usize, word: &str) -> bool {
        self.word(i) == word
    }

    pub(crate) fn is_word(&self, i: usize) -> bool {
        self.kind(i) == Some(TokenKind::Word)
    }

    pub(crate) fn is_text(&self, i: usize) -> bool {
        self.kind(i) == Some(TokenKind::Text)
    }

    pub(crate) fn kind(&self, i: usize) -> Option<TokenKind> {
        self.tokens.get(i).map(|t| t.kind)
    }

    /// The bracket that a token is, if any.
    pub(crate) fn bracket(&self, i: usize) -> Option<u8> {
        self.tokens.get(i).and_then(|token| brackets::bracket(self.text, token))
    }

    pub(crate) fn opens_block(&self, i: usize) -> bool {
        self.bracket(i) == Some(b'{')
    }

    /// The index of the other bracket of a pair.
    pub(crate) fn partner(&self, i: usize) -> usize {
        self.partner[i]
    }

    /// The index after this token, or after the bracket pair that it opens.
    pub(crate) fn after(&self, i: usize) -> usize {
        self.partner.get(i).map_or(i, |p| (*p).max(i)) + 1
    }

    /// Returns `true` if the token is the first of its line.
    pub(crate) fn first(&self, i: usize) -> bool {
        self.tokens.get(i).is_some_and(|t| t.first)
    }

    pub(crate) fn same_line(&self, a: usize, b: usize) -> bool {
        match (self.tokens.get(a), self.tokens.get(b)) {
            (Some(a), Some(b)) => a.line == b.line,
            _ => false,
        }
    }

    pub(crate) fn span(&self, i: usize) -> Span {
        match self.tokens.get(i) {
            Some(t) => Span::new(self.file, t.start as usize, t.end as usize),
            None => Span::new(self.file, self.text.len(), self.text.len()),
        }
    }

    /// The span from the start of token `a` to the end of token `b - 1`.
    pub(crate) fn span_of(&self, a: usize, b: usize) -> Span {
        if b > a { self.span(a).to(self.span(b - 1)) } else { self.span(a) }
    }

    /// The text of the tokens `a..b`, and the byte offset of its start.
    pub(crate) fn slice(&self, a: usize, b: usize) -> (&'a str, usize) {
        let span = self.span_of(a, b);
        (self.text.get(span.start as usize..span.end as usize).unwrap_or(""), span.start as usize)
    }

    /// Returns `true` if an error inside these tokens, or before the next, has been reported.
    pub(crate) fn reported(&self, a: usize, b: usize) -> bool {
        if self.tokens.get(a..b).is_some_and(|tokens| tokens.iter().any(|t| t.made.is_some())) {
            return true;
        }
        let (start, end) = (self.span(a).start, self.span(b).start);
        let at = self.bad.partition_point(|bad| *bad < start);
        self.bad.get(at).is_some_and(|bad| *bad < end.max(start + 1))
    }

    /// The line of a byte offset, from 0.
    pub(crate) fn line(&self, at: u32) -> usize {
        self.breaks.partition_point(|end| *end < at)
    }

    /// Returns `true` if an error in a character or bracket of this line has been reported.
    pub(crate) fn line_reported(&self, at: u32) -> bool {
        let line = self.line(at);
        let start = line.checked_sub(1).map_or(0, |before| self.breaks[before]);
        let end = self.breaks.get(line).copied().unwrap_or(u32::MAX);
        let from = self.bad.partition_point(|bad| *bad < start);
        self.bad.get(from).is_some_and(|bad| *bad <= end)
    }

    /// Returns `true` if a value, a header or a statement can end with this token.
    pub(crate) fn ends_value(&self, i: usize) -> bool {
        match self.kind(i) {
            // `seen by all` may end an option.
            Some(TokenKind::Word) => {
                keywords::ends_value(self.word(i))
                    || self.word(i) == "all" && i > 0 && self.word(i - 1) == "by"
            }
            Some(TokenKind::Number | TokenKind::Text | TokenKind::Site) => true,
            Some(TokenKind::Sign) => matches!(self.bracket(i), Some(b')' | b']' | b'}')) || self.is(i, "?"),
            None => false,
        }
    }

    /// The end of a declaration that begins at `start`.
    pub(crate) fn decl_end(&self, start: usize, close: usize) -> usize {
        let mut j = self.after(start);
        let opens = |j: usize| keywords::has(self.word(j), keywords::DECLARATION | keywords::EDIT);
        let is_declared = |j: usize| matches!(self.word(j + 1), "=" | ":" | "(" | "[");
        let is_name =
            |j: usize| self.is_word(j) && (!self.first(j) || !opens(j) || is_declared(j)) && j < close;
        if is_name(j) {
            j += 1;
            // `end full before ring when …`: the place of an end.
            if self.is(start, "end") && self.places_an_end(j) {
                j += 1;
            }
            if self.is(start, "end") && self.places_an_end(j - 1) && is_name(j) {
                j += 1;
            }
            // An end may have any name, also that of a keyword: `end given when …`.
            if self.is(start, "end") && matches!(self.word(j + 1), "once" | "round") {
                j += 2;
            }
            if self.is(start, "end") && self.is(j, "when") && !(self.first(j + 1) && opens(j + 1)) {
                j = self.after(j + 1);
            }
        }
        while j < close && !self.decl_starts(j) && !self.is(j, ";") {
            j = self.after(j);
        }
        j.min(close)
    }

    /// Returns `true` if this is the `before` or `after` of `end NAME before NAME when …`.
    fn places_an_end(&self, j: usize) -> bool {
        matches!(self.word(j), "before" | "after") && self.is_word(j + 1) && !self.is(j + 2, "step")
    }

    /// Returns `true` if this word, the first of its line, continues what stands above: with the word before or after it, it
    /// is a part of one construct, and can begin nothing.
    fn continues(&self, j: usize) -> bool {
        let before = j.checked_sub(1).map_or("", |before| self.word(before));
        let after = self.word(j + 1);
        let may_begin = self.assigns(j) || self.bracket(j + 1) == Some(b'(');
        match self.word(j) {
            "action" => before == "no" && after == "for",
            "as" => self.names_the_end(j) && !matches!(self.word(j + 2), "{" | "[" | "." | "("),
            "for" => self.is_of_no_action(j),
            "game" => before == "end",
            "on" => self.is_word(j + 1) && !may_begin,
            "once" => before == "at" && !may_begin,
            "part" | "subset" => after == "of",
            "replacing" => !may_begin,
            "seen" => after == "by",
            "sum" => before == "zero",
            // A declaration has a name after its keyword; here it is a type, a function or a name: `= edges(cell)`.
            word if keywords::has(word, keywords::DECLARATION) && word != "setup" => {
                j > 0 && !self.ends_value(j - 1) && !self.is_word(j + 1)
            }
            _ => match before {
                "best" => matches!(after, "in" | "subset"),
                "draw" => after == "from",
                _ => false,
            },
        }
    }

    /// Returns `true` if a declaration, or an edit of a variant, begins here.
    pub(crate) fn decl_starts(&self, j: usize) -> bool {
        let word = self.word(j);
        if !self.is_word(j) || keywords::has(word, keywords::INFIX) {
            return false;
        }
        if self.first(j) && self.continues_declaration(j) {
            return false;
        }
        if self.begins_look(j) {
            return self.first(j) || j > 0 && self.ends_value(j - 1) && !self.joins(j - 1);
        }
        let opening = keywords::has(word, keywords::DECLARATION | keywords::EDIT);
        if self.first(j) {
            if opening {
                let sure = !keywords::has(word, keywords::DECLARATION_OR_VALUE | keywords::EDIT);
                return sure || self.decl_follows(j) || j > 0 && self.ends_value(j - 1) && !self.joins(j - 1);
            }
            let goes_on = keywords::has(word, keywords::GOES_ON);
            return !goes_on && j > 0 && self.ends_value(j - 1) && !self.joins(j - 1);
        }
        opening && j > 0 && self.ends_value(j - 1) && !self.joins(j - 1) && self.decl_follows(j)
    }

    /// Returns `true` if `shown NAME as …` begins here, and no `shown as …` of a declaration.
    fn begins_look(&self, j: usize) -> bool {
        let is_after_look = |j: usize| matches!(self.word(j), "as" | "at" | "over");
        self.is(j, "shown")
            && self.is_word(j + 1)
            && !self.is(j + 1, "as")
            && is_after_look(j + 2)
            && !(is_after_look(j + 1) && self.is_word(j + 3) && is_after_look(j + 3))
    }

    /// Returns `true` if this word, the first of its line, continues a declaration.
    fn continues_declaration(&self, j: usize) -> bool {
        let block = j + 1 + usize::from(self.is_text(j + 1));
        let has_block = self.opens_block(block) || self.is(j + 1, "(");
        match self.word(j) {
            "as" => self.is(j - usize::from(j > 0), "shown"),
            // `var wins: 0..9 = 0 match "games won"`, `var drawn: 0..9 each turn`
            "match" => !has_block,
            "turn" | "round" => self.is(j - usize::from(j > 0), "each") && !has_block,
            _ => self.continues(j),
        }
    }

    /// Returns `true` if this token joins what follows to what stands before: it is a keyword such as `and`, not a name.
    fn joins(&self, i: usize) -> bool {
        let word = self.word(i);
        self.is_word(i)
            && (keywords::has(word, keywords::INFIX | keywords::JOINING)
                || (keywords::has(word, keywords::CONTINUING | keywords::OPENING) || word == "on")
                    && self.is_keyword(i))
    }

    /// Returns `true` if a word that may be a name or a keyword is a keyword here: after a whole value, or where a
    /// construct begins, but not after an operator or a keyword.
    fn is_keyword(&self, i: usize) -> bool {
        i == 0
            || matches!(self.word(i - 1), "{" | ";")
            || self.is(i, "new") && self.is(i - 1, ",")
            || self.tokens[i - 1].made.is_some()
            || self.ends_value(i - 1) && !self.joins(i - 1)
    }

    /// Returns `true` if what follows the keyword of a declaration looks like one.
    fn decl_follows(&self, j: usize) -> bool {
        let next = self.word(j + 1);
        let is_name = self.is_word(j + 1) && !keywords::has(next, keywords::INFIX);
        match self.word(j) {
            // `var wins: 0..9 = 0 match "games won"`
            "match" if !self.first(j) => self.opens_block(j + 1),
            "score" | "match" | "turn" | "round" => self.opens_block(j + 1) || self.is_text(j + 1),
            "setup" => self.opens_block(j + 1) || self.opens_block(j + 2),
            "players" | "limit" => {
                matches!(self.kind(j + 1), Some(TokenKind::Number | TokenKind::Word))
                    && !keywords::has(next, keywords::INFIX)
            }
            "script" => self.is_text(j + 1),
            "fix" => is_name && self.is(j + 2, "="),
            "extend" => is_name && self.opens_block(j + 2),
            "before" | "after" => is_name && self.is(j + 2, "step"),
            "new" => keywords::has(next, keywords::DECLARATION | keywords::EDIT),
            "winner" | "ties" | "require" | "payoff" => {
                is_name || matches!(self.kind(j + 1), Some(TokenKind::Number))
            }
            _ => is_name,
        }
    }

    /// The end of a statement without a block that begins at `start`.
    pub(crate) fn stmt_end(&self, start: usize, close: usize) -> usize {
        let mut j = self.after(start);
        // Nothing begins directly after `prefer`, but the condition.
        if self.is(start, "prefer") {
            j = self.after(j);
        }
        while j < close && !self.is(j, ";") && !self.stmt_starts(j, false) {
            j = self.after(j);
        }
        j.min(close)
    }

    /// Returns `true` if a statement begins here. In a `header`, a name with an argument list or a `=`
    /// doesn't begin one.
    pub(crate) fn stmt_starts(&self, j: usize, header: bool) -> bool {
        let word = self.word(j);
        if !self.is_word(j) || keywords::has(word, keywords::INFIX) || j == 0 {
            return false;
        }
        let ended = self.ends_value(j - 1) && !self.joins(j - 1);
        if self.first(j) {
            if self.continues(j) {
                return false;
            }
            let strong = keywords::has(word, keywords::ONLY_STATEMENT)
                || keywords::has(word, keywords::DECLARATION)
                    && !keywords::has(word, keywords::DECLARATION_OR_VALUE);
            return strong || ended && (!keywords::has(word, keywords::CONTINUING) || self.assigns(j));
        }
        if !ended || self.names_the_end(j) || self.is_of_no_action(j) {
            return false;
        }
        if header {
            return keywords::has(word, keywords::ONLY_STATEMENT);
        }
        let called = self.bracket(j + 1) == Some(b'(') && !keywords::has(word, keywords::CONTINUING);
        self.opens_stmt(j) || self.assigns(j) || called
    }

    /// Returns `true` if this is the `as` of `end game as NAME`.
    fn names_the_end(&self, j: usize) -> bool {
        self.is(j, "as") && j >= 2 && self.is(j - 1, "game") && self.is(j - 2, "end")
    }

    /// Returns `true` if this is the `for` of `no action for p`.
    fn is_of_no_action(&self, j: usize) -> bool {
        self.is(j, "for") && j >= 2 && self.is(j - 1, "action") && self.is(j - 2, "no")
    }

    /// Returns `true` if a statement's keyword is here, with a plausible continuation.
    pub(crate) fn opens_stmt(&self, j: usize) -> bool {
        let word = self.word(j);
        if !keywords::has(word, keywords::STATEMENT) {
            return false;
        }
        match word {
            "skip" => true,
            "end" => self.is(j + 1, "game"),
            "chance" => self.opens_block(j + 1),
            // A word that can also be a name begins a statement only if another word follows.
            _ => {
                keywords::has(word, keywords::RESERVED)
                    || self.is_word(j + 1) && !keywords::has(self.word(j + 1), keywords::INFIX)
            }
        }
    }

    /// Returns `true` if `name[…] =`, `+=` or `-=` begins here.
    pub(crate) fn assigns(&self, j: usize) -> bool {
        let mut next = j + 1;
        while self.bracket(next) == Some(b'[') {
            next = self.after(next);
        }
        self.is_word(j) && matches!(self.word(next), "=" | "+=" | "-=")
    }

    /// Returns the `{` of the block whose header begins at `start`, or `Err` with the end of the header.
    pub(crate) fn body(&self, start: usize, close: usize, option: bool) -> Result<usize, usize> {
        let mut j = start + 1;
        while j < close {
            if self.opens_block(j) && (self.is_body(j) || self.behind_label(start, j, option)) {
                return Ok(j);
            }
            let next_option = option
                && matches!(self.word(j), "otherwise" | "pass" | "deliberate")
                && self.ends_value(j - 1)
                && !self.continues_option(start, j);
            let goes_on =
                if option { self.continues_option(start, j) } else { self.continues_header(start, j) };
            if self.is(j, ";") || self.stmt_starts(j, true) && !goes_on || next_option {
                return Err(j);
            }
            j = self.after(j);
        }
        Err(close)
    }

    /// Returns `true` if the word at `j`, which could begin a statement, continues the header that begins at `start`.
    fn continues_header(&self, start: usize, j: usize) -> bool {
        match self.word(start) {
            // `step deal { … }`: the name of a step may be any word.
            "step" => j == start + 1 && (!self.first(j) || self.opens_block(j + 1) || self.is_text(j + 1)),
            "each" | "together" => self.is(j, "as") && self.is(j + 1, "me") && self.opens_block(j + 2),
            _ => false,
        }
    }

    /// Returns `true` if the word at `j` continues the header of the option that begins at `start`: its name after
    /// `deliberate`, or what it binds.
    fn continues_option(&self, start: usize, j: usize) -> bool {
        let deliberate = self.is(start, "deliberate");
        if deliberate && j == start + 1 {
            return !keywords::has(self.word(j), keywords::ONLY_STATEMENT);
        }
        let binds = matches!(self.word(j + 1), "in" | "subset" | "part");
        binds && j == start + 1 + usize::from(deliberate)
    }

    /// Returns `true` if the token before `j` is the label of a step, a choose or an option. A label may be any word.
    fn behind_label(&self, start: usize, j: usize, option: bool) -> bool {
        let label = start + usize::from(!option || self.is(start, "deliberate"));
        j == label + 1 && self.is_word(label) && (option || matches!(self.word(start), "step" | "choose"))
    }

    /// Returns `true` if this `{` opens a block and not a set: it follows a value or contains statements.
    fn is_body(&self, j: usize) -> bool {
        if self.ends_value(j - 1) || self.is(j - 1, "choose") {
            return true;
        }
        let inside = j + 1;
        keywords::has(self.word(inside), keywords::ONLY_STATEMENT)
            || self.assigns(inside)
            || self.first(inside) && !self.continues_after(self.partner(j))
    }

    /// Returns `true` if the header goes on after this `}`, so that it closes a set.
    fn continues_after(&self, close: usize) -> bool {
        let next = close + 1;
        let word = self.word(next);
        self.opens_block(next)
            || self.is_text(next)
            || matches!(
                word,
                "+" | "-" | "*" | "/" | "%" | "&" | "|" | "," | "==" | "!=" | "<" | "<=" | ">" | ">="
            )
            || keywords::has(word, keywords::INFIX) && word != "else"
    }

    /// The end of an entry `name: value` that begins at `start`: at a comma or before the next entry.
    pub(crate) fn entry_end(&self, start: usize, close: usize) -> usize {
        let mut j = self.after(start);
        while j < close && !self.is(j, ",") && !self.is(j, ";") && !self.entry_starts(j) {
            j = self.after(j);
        }
        j.min(close)
    }

    fn entry_starts(&self, j: usize) -> bool {
        let named = |j: usize| self.is_word(j) && self.is(j + 1, ":");
        let ended = j > 0 && self.ends_value(j - 1) && !self.joins(j - 1);
        ended && (named(j) || self.is(j, "new") && named(j + 1))
    }
}
