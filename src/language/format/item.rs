//! From tokens to lines: items on lines of their own, blocks on one line or indented, long lines
//! wrapped.

use super::lines::{CodeLine, write};
use super::marks::{Holds, Marks};
use super::tokens::{Comment, Gap, Tok, Toks, space};
use super::{CONTINUED, INDENT, WIDTH};
use crate::syntax::split::tokens::TokenKind;

pub(super) struct ItemLayout<'a> {
    toks: &'a [Tok<'a>],
    end: &'a Gap,
    marks: &'a Marks,
    lines: Vec<CodeLine>,
}

impl<'a> ItemLayout<'a> {
    pub(super) fn new(toks: &'a Toks<'a>, marks: &'a Marks) -> Self {
        ItemLayout { toks: &toks.list, end: &toks.end, marks, lines: vec![] }
    }

    /// Formats the whole file.
    pub(super) fn file(mut self) -> String {
        self.items(0, self.toks.len(), Holds::Decls, 0);
        self.comments(&self.end.comments, 0, false);
        write(self.lines)
    }

    fn holds(&self, at: usize) -> Option<Holds> {
        let tok = self.toks.get(at).filter(|tok| tok.text == "{" && tok.kind == TokenKind::Sign)?;
        self.marks.blocks.get(&tok.start).copied()
    }

    /// The index after the token at `at`, or after the bracket pair that it opens.
    fn after(&self, at: usize) -> usize {
        self.toks[at].partner.unwrap_or(at).max(at) + 1
    }

    /// The first tokens of the items in `from..to`.
    fn starts(&self, from: usize, to: usize) -> Vec<usize> {
        let mut starts = vec![];
        let mut at = from;
        while at < to {
            if at == from || self.marks.items.contains(&self.toks[at].start) {
                starts.push(at);
            }
            at = self.after(at);
        }
        starts
    }

    /// Writes comments on lines of their own. A first comment after code stays there.
    fn comments(&mut self, comments: &[Comment], indent: usize, first: bool) {
        for (number, comment) in comments.iter().enumerate() {
            let last = self.lines.last_mut().filter(|line| line.takes_comment() && number == 0);
            match last {
                Some(line) if !comment.own_line => line.comment.clone_from(&comment.text),
                _ => {
                    let mut line = CodeLine::new(indent, comment.text.clone());
                    line.blank = comment.blank && !(first && number == 0);
                    self.lines.push(line);
                }
            }
        }
    }

    /// Writes items, each on a line of its own.
    fn items(&mut self, from: usize, to: usize, holds: Holds, indent: usize) {
        let starts = self.starts(from, to);
        for (number, start) in starts.iter().copied().enumerate() {
            let end = starts.get(number + 1).copied().unwrap_or(to);
            let gap = &self.toks[start].gap;
            let before = self.lines.len();
            self.comments(&gap.comments, indent, number == 0);
            let line = self.lines.len();
            self.item(start, end, holds, indent);
            let first = number == 0 && line == before;
            let top = indent == 0 && number > 0;
            if let Some(line) = self.lines.get_mut(line) {
                line.blank = gap.blank && !first;
            }
            if let Some(line) = self.lines.get_mut(before)
                && top
            {
                line.blank = true;
            }
        }
    }

    /// Writes one item.
    fn item(&mut self, start: usize, end: usize, holds: Holds, indent: usize) {
        let sign = if holds == Holds::Entries { "," } else { "" };
        // The help after a declaration is aligned separately.
        let helped = end > start && self.marks.helps.contains(&self.toks[end - 1].start);
        let help = if helped { self.toks[end - 1].text } else { "" };
        let alone = helped && self.toks[end - 1].gap.comments.is_empty();
        let (body, help) = if alone { (end - 1, help) } else { (end, "") };
        let whole = self
            .flat(start, body)
            .filter(|text| indent + text.chars().count() <= WIDTH && !self.broken(start, body));
        if let Some(code) = whole {
            let equals = self.equals(start, &code);
            self.lines.push(CodeLine { help: help.to_owned(), sign, equals, ..CodeLine::new(indent, code) });
            return;
        }
        let mut at = start;
        // Code that precedes the next fragment on its line: the closing brace of the block before it.
        let mut lead = CodeLine::new(indent, String::new());
        while at < body || !lead.code.is_empty() {
            let open = self.block_from(at, body);
            let upto = open.unwrap_or(body);
            let comments = if lead.code.is_empty() { vec![] } else { self.behind(at, body) };
            let held = comments.is_empty();
            self.wrapped(&lead, at, upto, open.is_some(), indent, held);
            lead = CodeLine::new(indent, String::new());
            let Some(open) = open else { break };
            let close = self.toks[open].partner.unwrap_or(body).min(body);
            let quiet = |at: usize| self.toks[at].gap.comments.is_empty();
            if open + 1 >= close && quiet(close) && quiet(open) {
                lead = self.take_brace(indent);
                lead.code.push_str("{ }");
            } else {
                self.comments_within(open, indent + INDENT);
                self.items(open + 1, close, self.holds(open).unwrap_or(Holds::Stmts), indent + INDENT);
                let first = open + 1 >= close;
                self.comments(&self.toks[close].gap.comments, indent + INDENT, first);
                lead.code = "}".to_owned();
            }
            at = close + 1;
            if at >= body {
                self.lines.push(lead);
                break;
            }
        }
        if let Some(line) = self.lines.last_mut() {
            line.help = help.to_owned();
            line.sign = sign;
        }
    }

    /// Removes the last line and returns it without the brace at its end.
    fn take_brace(&mut self, indent: usize) -> CodeLine {
        let line = self.lines.pop().unwrap_or(CodeLine::new(indent, String::new()));
        CodeLine::new(line.indent, line.code.trim_end_matches('{').to_owned())
    }

    /// The comments before a token that continues an item after a block.
    fn behind(&self, at: usize, body: usize) -> Vec<Comment> {
        if at < body { self.toks[at].gap.comments.clone() } else { vec![] }
    }

    /// The first block in `from..to`.
    fn block_from(&self, from: usize, to: usize) -> Option<usize> {
        let mut at = from;
        while at < to {
            if self.holds(at).is_some() {
                return Some(at);
            }
            at = self.after(at);
        }
        None
    }

    /// Byte offset of the `=` of a define in its line.
    fn equals(&self, start: usize, code: &str) -> Option<usize> {
        let new = usize::from(self.toks[start].text == "new");
        if self.toks.get(start + new).is_none_or(|tok| tok.text != "define") {
            return None;
        }
        code.find(" = ").map(|at| at + 1)
    }

    /// Returns `true` if the source has a line break between these tokens that is kept.
    fn broken(&self, start: usize, end: usize) -> bool {
        (start + 1..end).any(|at| self.keeps_break(at))
    }

    /// Returns `true` if the line break before this token is kept.
    fn keeps_break(&self, at: usize) -> bool {
        let tok = &self.toks[at];
        let edge =
            tok.kind == TokenKind::Sign && matches!(tok.text, ")" | "]") || at > 0 && self.opens_list(at - 1);
        tok.gap.newline && (self.breakable(at) || edge || self.heads(at)) && !self.in_block(at)
    }

    /// Returns `true` if this is the help of a step or an option. It may have a line of its own before the brace.
    fn heads(&self, at: usize) -> bool {
        self.toks[at].kind == TokenKind::Text && self.holds(at + 1) == Some(Holds::Stmts)
    }

    /// Returns `true` if a block, or an item of one, begins at this token.
    fn in_block(&self, at: usize) -> bool {
        self.marks.items.contains(&self.toks[at].start) || self.holds(at).is_some()
    }

    fn opens_list(&self, at: usize) -> bool {
        self.toks[at].kind == TokenKind::Sign && matches!(self.toks[at].text, "(" | "[")
    }

    /// Returns `true` if the token at `at`, the word `shown`, begins how a declaration is shown.
    fn continues_with_look(&self, at: usize) -> bool {
        let word = |at: usize| self.toks.get(at).map_or("", |tok| tok.text);
        at > 0
            && match word(at + 1) {
                "as" => true,
                "at" | "over" => !matches!(word(at - 1), "put" | "move" | "to" | "from"),
                _ => false,
            }
    }

    /// Returns `true` if a line may be broken before this token: after a comma, before an operator and before `shown as`.
    fn breakable(&self, at: usize) -> bool {
        let (tok, Some(before)) = (&self.toks[at], at.checked_sub(1).map(|at| &self.toks[at])) else {
            return false;
        };
        if before.kind == TokenKind::Sign && before.text == "," {
            return true;
        }
        match tok.kind {
            TokenKind::Word => {
                matches!(tok.text, "and" | "or" | "where" | "then" | "ensuring" | "when")
                    || tok.text == "else" && before.text != "}"
                    // `shown` is also a name.
                    || tok.text == "shown" && self.continues_with_look(at)
            }
            TokenKind::Sign => {
                matches!(tok.text, "+" | "-" | "*" | "/" | "%" | "&" | "|")
                    && !tok.unary
                    && self.toks.get(at + 1).is_none_or(|after| after.text != ":")
            }
            _ => false,
        }
    }

    /// Writes tokens on one line, including their blocks. Returns `None` if they contain a comment or a
    /// block with a line break.
    fn flat(&self, start: usize, end: usize) -> Option<String> {
        let mut text = String::new();
        let mut at = start;
        while at < end {
            let tok = &self.toks[at];
            if at > start && !tok.gap.comments.is_empty() {
                return None;
            }
            if at > start && self.spaced(at) {
                text.push(' ');
            }
            match self.holds(at) {
                Some(holds) => {
                    let close = tok.partner?;
                    text.push_str(&self.flat_block(at, close, holds)?);
                    at = close + 1;
                }
                None => {
                    text.push_str(tok.text);
                    at += 1;
                }
            }
        }
        Some(text)
    }

    fn flat_block(&self, open: usize, close: usize, holds: Holds) -> Option<String> {
        if !self.toks[close].gap.comments.is_empty() {
            return None;
        }
        if open + 1 >= close {
            return Some("{ }".to_owned());
        }
        if holds == Holds::Decls {
            return None;
        }
        let starts = self.starts(open + 1, close);
        let mut items = vec![];
        for (number, start) in starts.iter().copied().enumerate() {
            let gap = &self.toks[start].gap;
            if gap.newline || !gap.comments.is_empty() {
                return None;
            }
            items.push(self.flat(start, starts.get(number + 1).copied().unwrap_or(close))?);
        }
        let between = match holds {
            Holds::Stmts => "; ",
            Holds::Entries => ", ",
            Holds::Options | Holds::Decls => "  ",
        };
        Some(format!("{{ {} }}", items.join(between)))
    }

    fn spaced(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1).map(|at| &self.toks[at]) else { return false };
        space(before, &self.toks[at], self.toks.get(at + 1), self.marks)
    }

    /// Writes a part of an item without blocks on as many lines as needed, after `lead`, which is
    /// already on its line. If `opens` is set, adds the brace of a block.
    fn wrapped(&mut self, lead: &CodeLine, from: usize, to: usize, opens: bool, indent: usize, held: bool) {
        let mut breaks: Vec<usize> = vec![];
        for at in from..to {
            let comments = !self.toks[at].gap.comments.is_empty();
            if at > from && (comments || self.keeps_break(at)) || at == from && !held {
                breaks.push(at);
            }
        }
        let head = to.saturating_sub(1);
        if opens && head > from + 1 && self.heads(head) && !breaks.contains(&head) {
            let start = breaks.last().copied().unwrap_or(from);
            let column = if start == from { indent } else { indent + CONTINUED };
            let room =
                |column: usize, start: usize| column + self.tokens(start, to).chars().count() + 2 <= WIDTH;
            if !room(column, start) && room(indent + CONTINUED, head) {
                breaks.push(head);
            }
        }
        let mut pieces = vec![];
        let mut start = from;
        for at in breaks.into_iter().chain([to]) {
            if at > start || at == from {
                let before = lead.indent - indent + lead.code.chars().count() + 1;
                let width = if pieces.is_empty() { before } else { 0 };
                self.fitted(start, at, LineStart { from, indent, lead: width }, &mut pieces);
            }
            start = at;
        }
        if pieces.is_empty() {
            pieces.push((from, from));
        }
        let last = pieces.len() - 1;
        let starts: Vec<usize> = pieces.iter().map(|(start, _)| *start).collect();
        for (number, (start, end)) in pieces.into_iter().enumerate() {
            let mut code = if number == 0 { lead.code.clone() } else { String::new() };
            let mut column = lead.indent;
            if number > 0 {
                self.comments_within(start, indent + CONTINUED);
                column = self.continued(start, from, &starts[..=number], indent);
            }
            let text = self.tokens(start, end);
            if !code.is_empty() && !text.is_empty() {
                code.push(' ');
            }
            code.push_str(&text);
            if number == last && opens {
                code.push_str(if code.is_empty() { "{" } else { " {" });
            }
            self.lines.push(CodeLine::new(column, code));
        }
    }

    /// Writes comments inside an item, the first after the line before it.
    fn comments_within(&mut self, at: usize, indent: usize) {
        let comments = self.toks[at].gap.comments.clone();
        for comment in comments {
            match self.lines.last_mut() {
                Some(line) if line.takes_comment() => line.comment = comment.text,
                _ => self.lines.push(CodeLine::new(indent, comment.text)),
            }
        }
    }

    /// The column of a continuation line that begins with the token at `at`.
    fn continued(&self, at: usize, from: usize, starts: &[usize], indent: usize) -> usize {
        let mut open: Vec<usize> = vec![];
        for i in from..at {
            let tok = &self.toks[i];
            match tok.partner {
                Some(partner) if partner > i => open.push(i),
                Some(_) => {
                    open.pop();
                }
                None => {}
            }
        }
        let closes = self.toks[at].partner.is_some_and(|partner| partner < at);
        if closes {
            open.pop();
            return indent + INDENT * open.len();
        }
        match open.last() {
            // A list that begins on a line of its own.
            Some(last) if starts.contains(&(last + 1)) => indent + INDENT * open.len(),
            _ => indent + CONTINUED,
        }
    }

    /// Tokens with spaces between them.
    fn tokens(&self, start: usize, end: usize) -> String {
        let mut text = String::new();
        for at in start..end {
            if at > start && self.spaced(at) {
                text.push(' ');
            }
            text.push_str(self.toks[at].text);
        }
        text
    }

    /// The width of tokens in columns, without an unbreakable string at the end.
    fn width(&self, start: usize, end: usize) -> usize {
        let help = end > start && self.toks[end - 1].kind == TokenKind::Text;
        self.tokens(start, if help { end - 1 } else { end }).chars().count()
    }

    /// Splits tokens into fragments that fit on a line, at the outermost possible places.
    fn fitted(&self, start: usize, end: usize, line: LineStart, pieces: &mut Vec<(usize, usize)>) {
        if self.fits(start, end, line) {
            pieces.push((start, end));
            return;
        }
        let mut depth = 0_usize;
        let mut places: Vec<(usize, usize)> = vec![];
        for at in start..end {
            let tok = &self.toks[at];
            match tok.partner {
                Some(partner) if partner > at => depth += 1,
                Some(_) => depth = depth.saturating_sub(1),
                None if at > start && self.breakable(at) => places.push((depth, at)),
                None => {}
            }
            // An opening bracket may follow a comma.
            if at > start && tok.partner.is_some_and(|partner| partner > at) && self.breakable(at) {
                places.push((depth - 1, at));
            }
        }
        let Some(outermost) = places.iter().map(|(depth, _)| *depth).min() else {
            pieces.push((start, end));
            return;
        };
        let places: Vec<usize> =
            places.into_iter().filter(|(depth, _)| *depth == outermost).map(|(_, at)| at).collect();
        let mut first = start;
        for (number, at) in places.iter().copied().enumerate() {
            let next = places.get(number + 1).copied().unwrap_or(end);
            if !self.fits(first, next, line) {
                self.cut(first, at, line, pieces);
                first = at;
            }
        }
        self.cut(first, end, line, pieces);
    }

    /// Adds a fragment. If it is still too long, splits it at inner places.
    fn cut(&self, start: usize, end: usize, line: LineStart, pieces: &mut Vec<(usize, usize)>) {
        match self.fits(start, end, line) {
            true => pieces.push((start, end)),
            false => self.fitted(start, end, line, pieces),
        }
    }

    /// Returns `true` if tokens fit on a line, with a bracket after them.
    fn fits(&self, start: usize, end: usize, line: LineStart) -> bool {
        let column = line.indent + if start == line.from { line.lead } else { CONTINUED };
        column + self.width(start, end) + 2 <= WIDTH
    }
}

/// Where the lines of a fragment begin.
#[derive(Clone, Copy)]
struct LineStart {
    /// The first token of the first line.
    from: usize,
    /// The indent of the lines.
    indent: usize,
    /// The width of what precedes the first token on its line.
    lead: usize,
}
