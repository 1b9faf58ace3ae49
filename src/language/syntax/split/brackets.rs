//! Matches brackets. If they don't balance, indentation determines which bracket is missing or
//! superfluous, and the token list is repaired so that the rest of the file can be parsed.

use std::collections::HashSet;

use super::tokens::{Token, TokenKind, Tokens};
use crate::diagnostic::{Code, Diagnostic, FileId, Span};
use crate::vocabulary::keywords;
use houserule_base::limits;

/// Tokens with balanced brackets.
#[derive(Debug)]
pub(crate) struct Balanced {
    pub(crate) tokens: Vec<Token>,
    /// For a bracket its partner, for other tokens their own index.
    pub(crate) partner: Vec<usize>,
    /// Errors about a `}` within a line that closes nothing.
    pub(crate) strays: Vec<Diagnostic>,
}

/// Maximum number of `{` that [`Mender::run`] inserts, each of which can shift what follows. After that,
/// a stray `}` is dropped.
const TRIES: usize = 20;

/// Matches the brackets, and adds errors and their positions to `tokens`.
pub(crate) fn balance(file: FileId, text: &str, tokens: &mut Tokens) -> Balanced {
    let mut list = std::mem::take(&mut tokens.list);
    let cut = too_deep(file, text, &mut list, tokens);
    if let Some(partner) = partners(text, &list) {
        return Balanced { tokens: list, partner, strays: vec![] };
    }
    let indented = is_indented(text, &list);
    let mut headers = vec![];
    for attempt in 0..=TRIES {
        let mut mender = Mender::new(file, text, &list, indented, attempt < TRIES);
        match mender.run() {
            Some(opening) => {
                let after = list[opening];
                let span = Span::new(file, after.end as usize, after.end as usize);
                headers.push(
                    Diagnostic::error(Code::MissingBrace, span, "`{` is missing at the end of this line")
                        .label("put `{` here"),
                );
                tokens.bad.push(after.end);
                list.insert(opening + 1, made(b'{', after));
            }
            None => {
                // The omitted part may contain the brackets that now seem to be missing.
                if !cut {
                    tokens.messages.append(&mut headers);
                    tokens.messages.append(&mut mender.messages);
                }
                tokens.bad.append(&mut mender.bad);
                let out = mender.out;
                let partner = partners(text, &out).unwrap_or_else(|| (0..out.len()).collect());
                return Balanced { tokens: out, partner, strays: if cut { vec![] } else { mender.strays } };
            }
        }
    }
    Balanced { partner: (0..list.len()).collect(), tokens: list, strays: vec![] }
}

/// An inserted bracket without text, after `after`.
fn made(bracket: u8, after: Token) -> Token {
    Token {
        kind: TokenKind::Sign,
        start: after.end,
        end: after.end,
        first: false,
        made: Some(bracket),
        ..after
    }
}

/// The bracket that the token is, if any.
pub(crate) fn bracket(text: &str, token: &Token) -> Option<u8> {
    if token.made.is_some() {
        return token.made;
    }
    let byte = *text.as_bytes().get(token.start as usize)?;
    (token.kind == TokenKind::Sign && b"{}()[]".contains(&byte)).then_some(byte)
}

fn closer(open: u8) -> u8 {
    match open {
        b'{' => b'}',
        b'(' => b')',
        _ => b']',
    }
}

/// The partner of every bracket, or `None` if the brackets don't balance.
fn partners(text: &str, list: &[Token]) -> Option<Vec<usize>> {
    let mut partner: Vec<usize> = (0..list.len()).collect();
    let mut stack = vec![];
    for (i, token) in list.iter().enumerate() {
        match bracket(text, token) {
            Some(open @ (b'{' | b'(' | b'[')) => stack.push((open, i)),
            Some(close) => {
                let (open, at) = stack.pop()?;
                if closer(open) != close {
                    return None;
                }
                (partner[at], partner[i]) = (i, at);
            }
            None => {}
        }
    }
    stack.is_empty().then_some(partner)
}

/// Removes tokens that are nested too deep. Returns `true` if there were any.
fn too_deep(file: FileId, text: &str, list: &mut Vec<Token>, tokens: &mut Tokens) -> bool {
    let mut depth = 0_usize;
    let mut found = false;
    list.retain(|token| {
        let bracket = bracket(text, token);
        let opens = matches!(bracket, Some(b'{' | b'(' | b'['));
        depth += usize::from(opens);
        let keep = depth <= limits::NESTING;
        if !keep && !found {
            found = true;
            let span = Span::new(file, token.start as usize, token.end as usize);
            let message = format!("brackets are nested more than {} deep here", limits::NESTING);
            let help = "give the inner part a name with `define` or `procedure`";
            tokens.messages.push(Diagnostic::error(Code::Nesting, span, message).help(help));
        }
        if !keep {
            tokens.bad.push(token.start);
        }
        if bracket.is_some() && !opens {
            depth = depth.saturating_sub(1);
        }
        keep
    });
    found
}

/// Returns `true` if blocks are indented, so that indentation shows where a block ends.
fn is_indented(text: &str, list: &[Token]) -> bool {
    let (mut yes, mut no) = (0, 0);
    for pair in list.windows(2) {
        if bracket(text, &pair[0]) == Some(b'{') && pair[1].first && bracket(text, &pair[1]) != Some(b'}') {
            if pair[1].indent > pair[0].indent { yes += 1 } else { no += 1 }
        }
    }
    yes >= 2 * no
}

/// An open bracket.
#[derive(Clone, Copy)]
struct Open {
    bracket: u8,
    /// Index in the repaired list.
    at: usize,
    token: Token,
}

struct Mender<'a> {
    file: FileId,
    text: &'a str,
    list: &'a [Token],
    /// Indentation is reliable.
    indented: bool,
    /// A missing `{` may be inserted.
    may_open: bool,
    /// For each token the first token of the next line, or itself if it is the first of its line.
    next_line: Vec<usize>,
    stack: Vec<Open>,
    out: Vec<Token>,
    messages: Vec<Diagnostic>,
    strays: Vec<Diagnostic>,
    /// Lines that have an error.
    lines: HashSet<u32>,
    bad: Vec<u32>,
}

impl<'a> Mender<'a> {
    fn new(file: FileId, text: &'a str, list: &'a [Token], indented: bool, may_open: bool) -> Self {
        let (stack, out, messages, bad) = (vec![], vec![], vec![], vec![]);
        let mut next_line = vec![list.len(); list.len()];
        let mut next = list.len();
        for (i, token) in list.iter().enumerate().rev() {
            if token.first {
                next = i;
            }
            next_line[i] = next;
        }
        Mender {
            file,
            text,
            list,
            indented,
            may_open,
            next_line,
            stack,
            out,
            messages,
            strays: vec![],
            lines: HashSet::new(),
            bad,
        }
    }

    /// Repairs the list. Returns the token after which a missing `{` must be inserted first.
    fn run(&mut self) -> Option<usize> {
        for i in 0..self.list.len() {
            let token = self.list[i];
            let bracket = bracket(self.text, &token);
            if token.first && bracket != Some(b'}') {
                if self.stands_for_brace(i) {
                    continue;
                }
                self.line_begins(&token);
            }
            match bracket {
                Some(open @ (b'{' | b'(' | b'[')) => {
                    self.stack.push(Open { bracket: open, at: self.out.len(), token });
                    self.out.push(token);
                }
                Some(b'}') => {
                    if let Some(opening) = self.brace_closes(i) {
                        return Some(opening);
                    }
                }
                Some(close) => self.round_closes(i, close),
                None => self.out.push(token),
            }
        }
        while let Some(open) = self.stack.pop() {
            self.missing(open);
        }
        None
    }

    /// Closes brackets at the start of a line. Declarations and unambiguous statements end parentheses.
    /// A line indented no deeper than that of an open `{` is outside its block.
    fn line_begins(&mut self, token: &Token) {
        let word = self.word(token);
        if keywords::has(word, keywords::DECLARATION | keywords::ONLY_STATEMENT) {
            while self.stack.last().is_some_and(|open| open.bracket != b'{') {
                self.pop_missing();
            }
        }
        if !self.indented || token.kind != TokenKind::Word {
            return;
        }
        while self.stack.last().is_some_and(|open| {
            open.bracket != b'{' && open.token.line < token.line && open.token.indent >= token.indent
        }) {
            self.pop_missing();
        }
        if keywords::has(word, keywords::INFIX) && word != "else" {
            return;
        }
        while let Some(open) = self.stack.iter().rev().find(|open| open.bracket == b'{').copied()
            && open.token.line < token.line
            && open.token.indent >= token.indent
        {
            while self.stack.last().is_some_and(|top| top.at != open.at) {
                self.pop_missing();
            }
            self.pop_missing();
        }
    }

    /// Treats a word that is alone on its line, where the `}` of a block is expected, as that `}`.
    fn stands_for_brace(&mut self, i: usize) -> bool {
        let token = self.list[i];
        let alone = self.list.get(i + 1).is_none_or(|next| next.first);
        let Some(open) = self.stack.last().copied().filter(|open| open.bracket == b'{') else { return false };
        let there = open.token.line < token.line && open.token.indent == token.indent;
        let ends = matches!(self.word(&token), "again" | "done" | "skip" | "pass");
        if !self.indented || !alone || !there || ends || bracket(self.text, &token).is_some() {
            return false;
        }
        let span = Span::new(self.file, token.start as usize, token.end as usize);
        let opener = Span::new(self.file, open.token.start as usize, open.token.end as usize);
        let message = format!("expected `}}`, found `{}`", self.word(&token));
        self.messages
            .push(Diagnostic::error(Code::UnclosedBrace, span, message).also(opener, "this `{` is open"));
        self.bad.push(token.start);
        self.close(made(b'}', token));
        true
    }

    /// Adds an error, unless its line has one. Several unbalanced brackets on a line usually have one
    /// cause.
    fn report(&mut self, line: u32, message: Diagnostic) {
        if self.lines.insert(line) && self.messages.len() < limits::COLLECTED {
            self.messages.push(message);
        }
    }

    fn pop_missing(&mut self) {
        if let Some(open) = self.stack.pop() {
            self.missing(open);
        }
    }

    /// Reports an unclosed bracket and closes it here.
    fn missing(&mut self, open: Open) {
        let last = self.out.last().copied().unwrap_or(open.token);
        let opener = Span::new(self.file, open.token.start as usize, open.token.end as usize);
        let (sign, close) = (open.bracket as char, closer(open.bracket));
        let doubled = open.bracket == b'{'
            && (self.neighbour(open.at, -1) == Some(b'{') || self.neighbour(open.at, 1) == Some(b'{'));
        let message = format!("this `{sign}` is never closed");
        if doubled {
            let error = Diagnostic::error(Code::UnclosedBracket, opener, message);
            self.report(open.token.line, error.help("remove it, or add `}`"));
            self.out.remove(open.at);
            return;
        }
        let error = if open.bracket == b'{' && open.at + 1 < self.out.len() {
            let here = self.insertion(last);
            Diagnostic::error(Code::UnclosedBrace, here, "`}` is missing here")
                .label("put `}` here")
                .also(opener, message)
        } else {
            Diagnostic::error(Code::UnclosedBracket, opener, message).help(format!("add `{}`", close as char))
        };
        let line = if error.code == Code::UnclosedBrace { last.line } else { open.token.line };
        self.report(line, error);
        self.out.push(made(close, last));
    }

    fn neighbour(&self, at: usize, step: isize) -> Option<u8> {
        bracket(self.text, self.out.get(at.checked_add_signed(step)?)?)
    }

    /// The position for a missing closing brace after `last`: on its line, or on the empty line below.
    fn insertion(&self, last: Token) -> Span {
        let end = last.end as usize;
        let rest = self.text.get(end..).unwrap_or("");
        if let Some(n) = rest.find('\n') {
            let below = &rest[n + 1..];
            let line = below.split('\n').next().unwrap_or("");
            if line.trim().is_empty() && below.contains('\n') {
                let at = end + n + 1 + line.trim_end().len();
                return Span::new(self.file, at, at);
            }
        }
        Span::new(self.file, end, end)
    }

    fn word(&self, token: &Token) -> &'a str {
        self.text.get(token.start as usize..token.end as usize).unwrap_or("")
    }

    fn close(&mut self, token: Token) {
        self.stack.pop();
        self.out.push(token);
    }

    fn round_closes(&mut self, i: usize, close: u8) {
        let token = self.list[i];
        let inner = self.stack.iter().rposition(|open| open.bracket == b'{').map_or(0, |at| at + 1);
        let Some(found) = self.stack[inner..].iter().rposition(|open| closer(open.bracket) == close) else {
            let span = Span::new(self.file, token.start as usize, token.end as usize);
            let sign = close as char;
            if let Some(open) = self.stack[inner..].last().copied() {
                let wanted = closer(open.bracket);
                let error = self.wrong_bracket(open, &token, sign);
                self.report(token.line, error);
                self.bad.push(token.start);
                self.close(made(wanted, token));
            } else {
                let message = format!("this `{sign}` closes nothing");
                self.report(
                    token.line,
                    Diagnostic::error(Code::StrayBracket, span, message)
                        .help("remove it, or add what opens it"),
                );
                self.bad.push(token.start);
            }
            return;
        };
        // `f(pair[2)]`: the two brackets are swapped. `f(pair[2)`: the inner one is missing.
        if let Some(open) = self.stack.get(inner + found + 1).copied() {
            let error = self.wrong_bracket(open, &token, close as char);
            self.report(open.token.line, error);
            self.bad.push(token.start);
        }
        while self.stack.len() > inner + found + 1 {
            self.pop_missing();
        }
        self.close(token);
    }

    /// The error for a bracket that is closed by one of another kind. Its help is the probable intended
    /// text from the opening bracket on: with the two closing brackets swapped, or with the missing one
    /// inserted.
    fn wrong_bracket(&self, open: Open, found: &Token, sign: char) -> Diagnostic {
        let (opening, wanted) = (open.bracket as char, closer(open.bracket) as char);
        let opener = Span::new(self.file, open.token.start as usize, open.token.end as usize);
        let span = Span::new(self.file, found.start as usize, found.end as usize);
        let error = Diagnostic::error(Code::WrongBracket, span, format!("`{opening}` is closed by `{sign}`"))
            .label(format!("expected `{wanted}`"))
            .also(opener, "opened here");
        // If the bracket that `sign` closes is open around this one, close it, too.
        let outer = self.stack.iter().any(|other| other.at < open.at && closer(other.bracket) == sign as u8);
        let start = self.text[..open.token.start as usize]
            .rfind(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .map_or(0, |at| at + 1);
        let inside = self.text.get(start..found.start as usize).unwrap_or("");
        if inside.contains('\n') || inside.len() > 60 {
            return error.help(format!("write `{wanted}` here"));
        }
        let close = if outer { format!("{wanted}{sign}") } else { wanted.to_string() };
        error.help(format!("write `{inside}{close}`"))
    }

    /// Handles a `}`. Returns the token after which a `{` is missing, if that explains it.
    fn brace_closes(&mut self, i: usize) -> Option<usize> {
        let token = self.list[i];
        if self.stack.iter().any(|open| open.bracket == b'{') {
            while self.stack.last().is_some_and(|open| open.bracket != b'{') {
                self.pop_missing();
            }
        }
        let Some(top) = self.stack.last().copied().filter(|open| open.bracket == b'{') else {
            return self.stray(i);
        };
        if !self.indented || top.token.line == token.line {
            self.close(token);
            return None;
        }
        if token.first {
            let at_indent = |open: &Open| open.bracket == b'{' && open.token.indent == token.indent;
            if top.token.indent > token.indent && self.stack.iter().any(at_indent) {
                while self.stack.last().is_some_and(|open| !at_indent(open)) {
                    self.pop_missing();
                }
            } else if top.token.indent < token.indent {
                return self.stray(i);
            }
            self.close(token);
            return None;
        }
        // In the middle of a line, a `}` closes too early if the next line still belongs to the block.
        let next = self.list.get(self.next_line[i]);
        if next.is_some_and(|next| {
            next.indent > top.token.indent
                || next.indent == top.token.indent
                    && bracket(self.text, next) == Some(b'}')
                    && next.indent > 0
        }) {
            return self.stray(i);
        }
        self.close(token);
        None
    }

    /// Handles a `}` that closes nothing: either the `{` of an earlier line is missing, or the `}` is
    /// superfluous.
    fn stray(&mut self, i: usize) -> Option<usize> {
        let token = self.list[i];
        if self.may_open && self.indented && token.first {
            let line_start = self.list[..i].iter().rposition(|t| t.first && t.indent <= token.indent);
            if let Some(start) = line_start.filter(|at| self.list[*at].indent == token.indent) {
                let line = self.list[start].line;
                let length = self.list[start..i].iter().take_while(|t| t.line == line).count();
                let last = start + length - 1;
                let deeper = self.list.get(last + 1).is_some_and(|t| t.indent > token.indent);
                if deeper
                    && self.list[start].kind == TokenKind::Word
                    && bracket(self.text, &self.list[last]) != Some(b'{')
                {
                    return Some(last);
                }
            }
        }
        let span = Span::new(self.file, token.start as usize, token.end as usize);
        let help = "remove it, or add the `{` that it should close";
        let error = Diagnostic::error(Code::StrayBracket, span, "this `}` closes nothing").help(help);
        if token.first {
            self.report(token.line, error);
            self.bad.push(token.start);
        } else if self.lines.insert(token.line) {
            // Parsing this line may show where the `{` is missing.
            self.strays.push(error);
        }
        None
    }
}
