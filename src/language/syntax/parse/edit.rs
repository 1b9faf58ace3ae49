//! Parses the edits of a variant.

use super::decl::allow_what_follows;
use super::{Parser, Rule};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::syntax::{Edit, EditKind, ExtendPart, Stmt, StmtKind};
use crate::vocabulary::keywords;

impl Parser<'_> {
    /// Parses the edits of a variant. Its `{` is token `open`.
    pub(super) fn edits(&mut self, open: usize, close: usize) -> Vec<Edit> {
        let mut edits = vec![];
        let mut i = open + 1;
        while i < close {
            if self.pieces.is(i, ";") {
                i += 1;
                continue;
            }
            let (kind, next) = self.edit(i, close);
            let next = next.max(i + 1);
            edits.push(Edit { kind, span: self.pieces.span_of(i, next) });
            i = next;
        }
        self.short = None;
        let places: Vec<Span> = edits.iter().map(|edit| edit.span).collect();
        let kinds = edits.iter_mut().map(|edit| match &mut edit.kind {
            EditKind::Declare { decl, .. } => Some(&mut decl.kind),
            _ => None,
        });
        allow_what_follows(kinds, &places);
        edits
    }

    fn edit(&mut self, i: usize, close: usize) -> (EditKind, usize) {
        match self.pieces.word(i) {
            "new" if matches!(self.pieces.word(i + 1), "before" | "after") => self.insert(i + 1, close),
            "new" if matches!(self.pieces.word(i + 1), "extend" | "without" | "fix") => {
                let message = format!("`{}` needs no `new`", self.pieces.word(i + 1));
                let error = Diagnostic::error(Code::StrayWord, self.pieces.span(i), message);
                self.push(error.label("this word isn't needed").help("leave `new` out"));
                self.edit(i + 1, close)
            }
            "new" => {
                let (decl, next) = self.decl(i + 1, close, "a declaration");
                (EditKind::Declare { new: true, decl }, next)
            }
            "before" | "after" => self.insert(i, close),
            "extend" => self.extend(i, close),
            "without" => {
                let end = self.without_end(i, close);
                let Some(pair) = self.rule(Rule::without, i, end) else { return (EditKind::Hole, end) };
                let build = self.build(i);
                let mut labels =
                    pair.into_inner().filter(|p| p.as_rule() == Rule::label).map(|p| build.name(&p));
                let kind = labels.next().map(|kind| EditKind::Without { kind, name: labels.next() });
                (kind.unwrap_or(EditKind::Hole), end)
            }
            "step"
                if self.pieces.is_word(i + 1)
                    && self.pieces.is_text(i + 2)
                    && !self.pieces.opens_block(i + 3) =>
            {
                let end = i + 3;
                let Some(pair) = self.rule(Rule::step_head, i, end) else { return (EditKind::Hole, end) };
                let (name, help) = self.label_and_help(i, &pair);
                let kind = name.zip(help).map(|(name, help)| EditKind::StepHelp { name, help });
                (kind.unwrap_or(EditKind::Hole), end)
            }
            "step"
                if self.pieces.is_word(i + 1)
                    && (self.pieces.opens_block(i + 2)
                        || self.pieces.is_text(i + 2) && self.pieces.opens_block(i + 3)) =>
            {
                let (kind, next) = self.step(i, close);
                match kind {
                    StmtKind::Hole => (EditKind::Hole, next),
                    kind => (EditKind::Step(Stmt { kind, span: self.pieces.span_of(i, next) }), next),
                }
            }
            "fix" => {
                let end = self.pieces.decl_end(i, close);
                let Some(pair) = self.rule(Rule::fix, i, end) else { return (EditKind::Hole, end) };
                let mut build = self.build(i);
                let name =
                    pair.clone().into_inner().find(|p| p.as_rule() == Rule::name).map(|p| build.name(&p));
                let value = build.last_expr(pair);
                (name.map_or(EditKind::Hole, |name| EditKind::Fix { name, value }), end)
            }
            "param" if matches!(self.pieces.word(i + 2), "=" | "==") => {
                let end = self.pieces.decl_end(i, close);
                let Some(pair) = self.rule(Rule::set_default, i, end) else { return (EditKind::Hole, end) };
                let mut build = self.build(i);
                let (mut name, mut value, mut help) = (None, None, None);
                for part in pair.into_inner() {
                    match part.as_rule() {
                        Rule::name => name = Some(build.name(&part)),
                        Rule::expr => value = Some(build.expr(part)),
                        Rule::text => help = Some(build.text(&part)),
                        _ => {}
                    }
                }
                let kind = name.zip(value).map(|(name, value)| EditKind::Default { name, value, help });
                (kind.unwrap_or(EditKind::Hole), end)
            }
            _ => {
                let (decl, next) = self.decl(i, close, "a change");
                (EditKind::Declare { new: false, decl }, next)
            }
        }
    }

    /// The end of `without KIND` or `without KIND NAME`. The name begins no declaration.
    fn without_end(&self, i: usize, close: usize) -> usize {
        let more = |j: usize| {
            j < close && self.pieces.is_word(j) && (!self.pieces.first(j) || self.names_what_goes(i, j))
        };
        let mut end = i + 1;
        if more(end) {
            end += 1;
        }
        if more(end) && !(self.opens(end) && self.pieces.decl_starts(end)) {
            end += 1;
        }
        // The rest of the line belongs to it and is an error.
        while end < close
            && !self.pieces.first(end)
            && !self.pieces.is(end, ";")
            && !self.pieces.decl_starts(end)
        {
            end = self.pieces.after(end);
        }
        end.min(close)
    }

    /// Returns `true` if the word at `j`, the first of its line, is the kind or the name of what the `without` at `i` removes,
    /// and not the next change.
    fn names_what_goes(&self, i: usize, j: usize) -> bool {
        let is_kind = keywords::has(self.pieces.word(j), keywords::DECLARATION | keywords::PART);
        let ended = j + 1;
        let alone = |end: usize| self.pieces.first(end) || matches!(self.pieces.word(end), ";" | "}");
        if j == i + 1 {
            return is_kind && (alone(ended) || self.pieces.is_word(ended) && alone(ended + 1));
        }
        !self.opens(j) && alone(ended)
    }

    fn opens(&self, i: usize) -> bool {
        keywords::has(self.pieces.word(i), keywords::DECLARATION | keywords::EDIT)
    }

    /// Parses `before STEP step NAME { … }`.
    fn insert(&mut self, i: usize, close: usize) -> (EditKind, usize) {
        let after = self.pieces.is(i, "after");
        if !self.pieces.is(i + 2, "step") {
            let end = self.pieces.decl_end(i, close);
            if self.rule(Rule::insert_head, i, end.min(i + 2)).is_some() {
                let error = self.no_step_inserted(i);
                self.push(error);
            }
            return (EditKind::Hole, end);
        }
        let head = self.rule(Rule::insert_head, i, i + 2);
        let (kind, next) = self.step(i + 2, close);
        let step = Stmt { kind, span: self.pieces.span_of(i + 2, next) };
        if head.is_none() || matches!(step.kind, StmtKind::Hole) {
            return (EditKind::Hole, next);
        }
        (EditKind::InsertStep { after, anchor: self.name_at(i + 1), step }, next)
    }

    /// Parses `extend CHOOSE { … }`.
    fn extend(&mut self, i: usize, close: usize) -> (EditKind, usize) {
        if self.pieces.is(i + 1, "choose") && self.pieces.is_word(i + 2) && self.pieces.opens_block(i + 3) {
            let message = "`extend` needs only the name of the choice";
            let error = Diagnostic::error(Code::StrayWord, self.pieces.span(i + 1), message);
            self.push(error.label("this word isn't needed").help("leave `choose` out"));
            let parts = self.extend_parts(i + 3);
            return (EditKind::Extend { choose: self.name_at(i + 2), parts }, self.pieces.after(i + 3));
        }
        let mut open = i + 1;
        while open < close && !self.pieces.opens_block(open) && !(self.pieces.first(open) && self.opens(open))
        {
            open = self.pieces.after(open);
        }
        let head = self.rule(Rule::extend_head, i, open.min(close));
        if open >= close || !self.pieces.opens_block(open) {
            if head.is_some() {
                self.expected_block(open, i, "the options to add or change");
            }
            return (EditKind::Hole, open.min(close));
        }
        let parts = self.extend_parts(open);
        let next = self.pieces.after(open);
        if head.is_none() {
            return (EditKind::Hole, next);
        }
        (EditKind::Extend { choose: self.name_at(i + 1), parts }, next)
    }

    fn extend_parts(&mut self, open: usize) -> Vec<ExtendPart> {
        let close = self.pieces.partner(open);
        let mut parts = vec![];
        let mut i = open + 1;
        while i < close {
            let named_block = self.pieces.is_word(i + 1) && self.pieces.opens_block(i + 2);
            if let Some(next) = self.edit_word_in_extend(i, close) {
                parts.push(ExtendPart::Hole);
                i = next.max(i + 1);
                continue;
            }
            match self.pieces.word(i) {
                ";" => i += 1,
                "otherwise" => {
                    let (help, body, next) = self.otherwise(i, close);
                    parts.push(ExtendPart::Otherwise { help, body });
                    i = next.max(i + 1);
                }
                "before" | "after" if named_block => {
                    let after = self.pieces.is(i, "after");
                    let body = self.block(i + 2);
                    parts.push(ExtendPart::Around { after, option: self.name_at(i + 1), body });
                    i = self.pieces.after(i + 2);
                }
                "before" | "after"
                    if self.pieces.is_word(i + 1) && self.pieces.same_line(i, i + 1) && i + 1 < close =>
                {
                    self.expected_block(i + 2, i, "what happens there");
                    parts.push(ExtendPart::Hole);
                    i = match self.pieces.body(i, close, true) {
                        Ok(open) => self.pieces.after(open),
                        Err(at) => self.pieces.stmt_end(at.max(i + 2), close),
                    };
                }
                "without" if self.pieces.is_word(i + 1) && i + 1 < close => {
                    parts.push(ExtendPart::Without(self.name_at(i + 1)));
                    i += 2;
                }
                _ => {
                    let (option, next) = self.option(i, close);
                    parts.push(option.map_or(ExtendPart::Hole, ExtendPart::Option));
                    i = next.max(i + 1);
                }
            }
        }
        self.short = None;
        parts
    }
}
