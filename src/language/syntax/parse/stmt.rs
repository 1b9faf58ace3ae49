//! Parses blocks, statements and options.

use pest::iterators::Pair;

use super::build::is_expr;
use super::{Parser, Rule};
use crate::diagnostic::{Code, Diagnostic, Span, did_you_mean};
use crate::syntax::split::tokens::TokenKind;
use crate::syntax::{
    AssignOp, Binder, BinderKind, Block, ChoiceOption, Choose, Expr, Modifier, ModifierKind, Name,
    QuotedText, Stmt, StmtKind,
};
use crate::vocabulary::keywords;

/// A block with its help text.
type HelpedBlock = (Option<QuotedText>, Block);

impl<'a> Parser<'a> {
    /// Parses the block whose `{` is token `open`.
    pub(super) fn block(&mut self, open: usize) -> Block {
        let close = self.pieces.partner(open);
        let mut stmts = vec![];
        let mut i = open + 1;
        while i < close {
            if self.pieces.is(i, ";") {
                i += 1;
                continue;
            }
            let (kind, next) = self.stmt(i, close);
            let next = next.max(i + 1);
            stmts.push(Stmt { kind, span: self.pieces.span_of(i, next) });
            i = next;
        }
        self.short = None;
        Block { stmts, span: self.pieces.span_of(open, close + 1) }
    }

    /// Parses a statement; also returns where the next begins.
    fn stmt(&mut self, i: usize, close: usize) -> (StmtKind, usize) {
        let word = self.pieces.word(i);
        let called = self.pieces.bracket(i + 1) == Some(b'(') && !keywords::has(word, keywords::RESERVED);
        if self.pieces.assigns(i) && !matches!(word, "let") {
            return self.simple(Rule::assign_s, i, close);
        }
        match word {
            "step" if !called => self.step(i, close),
            "choose" => self.choose(i, close),
            "if" => self.if_stmt(i, close),
            "for" | "while" | "as" => self.headed(i, close),
            "each" if !called => self.headed(i, close),
            "together" if !called => self.headed(i, close),
            "repeat" => self.tailed(i, close),
            "chance" if !called => self.tailed(i, close),
            "let" => self.simple(Rule::let_s, i, close),
            "put" => self.simple(Rule::put_s, i, close),
            "clear" => self.simple(Rule::clear_s, i, close),
            "move" if self.moves_several(i, close) => self.simple(Rule::move_n_s, i, close),
            "move" => self.simple(Rule::move_s, i, close),
            "roll" => self.simple(Rule::roll_s, i, close),
            "draw" => self.simple(Rule::draw_s, i, close),
            "deal" => self.simple(Rule::deal_s, i, close),
            "shuffle" => self.simple(Rule::shuffle_s, i, close),
            "reveal" => self.simple(Rule::reveal_s, i, close),
            "again" => self.simple(Rule::again_s, i, close),
            "done" => self.simple(Rule::done_s, i, close),
            "pick" if !called => self.simple(Rule::pick_s, i, close),
            "swap" if !called => self.simple(Rule::swap_s, i, close),
            "next" => self.simple(Rule::next_s, i, close),
            "skip" if !called => self.simple(Rule::skip_s, i, close),
            "end" if !called => self.simple(Rule::end_game_s, i, close),
            _ if called => self.simple(Rule::call_s, i, close),
            _ => self.unknown_stmt(i, close),
        }
    }

    /// Reports an unknown statement. Parses its block if the keyword can be guessed.
    fn unknown_stmt(&mut self, i: usize, close: usize) -> (StmtKind, usize) {
        let known = keywords::with(keywords::STATEMENT);
        let guess = did_you_mean(self.pieces.word(i), known.iter().copied());
        let guess = guess.filter(|_| self.pieces.is_word(i));
        self.unknown(i, "a statement", &known);
        if !self.pieces.is_word(i) {
            let end = self.pieces.after(i).min(close);
            return (
                StmtKind::Hole,
                if self.pieces.opens_block(i) { end } else { self.pieces.stmt_end(i, close) },
            );
        }
        match self.pieces.body(i, close, false) {
            Ok(open) => {
                // Without a guess at the keyword, the block can't be parsed.
                match guess {
                    Some("choose") => drop(self.options(open)),
                    Some(_) => drop(self.block(open)),
                    None => {}
                }
                (StmtKind::Hole, self.pieces.after(open))
            }
            Err(_) => (StmtKind::Hole, self.pieces.stmt_end(i, close)),
        }
    }

    /// Parses a `step`: its name, help and block.
    pub(super) fn step(&mut self, i: usize, close: usize) -> (StmtKind, usize) {
        let open = match self.pieces.body(i, close, false) {
            Ok(open) => open,
            Err(at) => return self.no_block(Rule::step_head, i, at, close, "what happens in the step"),
        };
        let head = self.rule(Rule::step_head, i, open);
        let body = self.block(open);
        let next = self.pieces.after(open);
        let Some(pair) = head else { return (StmtKind::Hole, next) };
        let (name, help) = self.label_and_help(i, &pair);
        (name.map_or(StmtKind::Hole, |name| StmtKind::Step { name, help, body }), next)
    }

    pub(super) fn label_and_help(
        &mut self,
        i: usize,
        pair: &Pair<'a, Rule>,
    ) -> (Option<Name>, Option<QuotedText>) {
        let build = self.build(i);
        let inner = || pair.clone().into_inner();
        let name = inner().find(|p| p.as_rule() == Rule::label).map(|p| build.name(&p));
        let help = inner().find(|p| p.as_rule() == Rule::text).map(|p| build.text(&p));
        (name, help)
    }

    /// Reports a header without a block. The header ends at token `at`.
    fn no_block(&mut self, rule: Rule, i: usize, at: usize, close: usize, what: &str) -> (StmtKind, usize) {
        let at = at.max(i + 1);
        if let Some(missing) = self.body_without_brace(rule, i, at) {
            self.missing_brace(missing, i);
        } else if self.rule(rule, i, at).is_some() {
            self.expected_block(at, i, what);
        }
        let next = if self.pieces.opens_block(at) { self.pieces.after(at) } else { at };
        (StmtKind::Hole, next.min(close))
    }

    /// Finds a missing `{`: returns the first token of a statement in `i..at` if a complete header
    /// precedes it.
    fn body_without_brace(&self, rule: Rule, i: usize, at: usize) -> Option<usize> {
        let begins = |j: &usize| self.pieces.ends_value(*j - 1) && self.pieces.stmt_starts(*j, false);
        let body = (i + 2..at).find(begins)?;
        self.fits(rule, i, body).then_some(body)
    }

    /// Reports that `{` is missing before token `j`. The header begins at token `i`.
    fn missing_brace(&mut self, j: usize, i: usize) {
        let end = self.pieces.span(j - 1).end as usize;
        let span = Span::new(self.pieces.file, end, end);
        let (header, before) = (self.pieces.word(i), self.pieces.word(j - 1));
        let error = Diagnostic::error(Code::MissingBrace, span, format!("`{{` is missing after `{before}`"));
        let error = error.label("put `{` here");
        self.push(error.also(self.pieces.span(i), format!("`{header}` needs a block")));
    }

    fn choose(&mut self, i: usize, close: usize) -> (StmtKind, usize) {
        let open = match self.pieces.body(i, close, false) {
            Ok(open) => open,
            Err(at) => return self.no_block(Rule::choose_head, i, at, close, "the options"),
        };
        let head = self.rule(Rule::choose_head, i, open);
        // `choose place { put … }`: the name is that of an option, and the block is its body.
        let puts = |at: usize| {
            self.pieces.is(at, "put")
                && self.fits(Rule::put_s, at, self.pieces.stmt_end(at, self.pieces.partner(open)))
        };
        let first = open + 1;
        // An option may be called `let`, too.
        let lets = self.pieces.is(first, "let")
            && self.pieces.is_word(first + 1)
            && matches!(self.pieces.word(first + 2), "=" | ":");
        if open == i + 2 && (self.pieces.assigns(first) || lets || puts(first)) {
            self.missing_brace(i + 1, i);
            self.block(open);
            return (StmtKind::Hole, self.pieces.after(open));
        }
        let (options, otherwise) = self.options(open);
        let (otherwise_help, otherwise) = otherwise.unzip();
        let mut next = self.pieces.after(open);
        let mut prefer = vec![];
        while next < close && self.pieces.is(next, "prefer") {
            let end = self.pieces.stmt_end(next, close);
            prefer.push(self.tail(Rule::prefer_tail, next, end));
            next = end;
        }
        let Some(pair) = head else { return (StmtKind::Hole, next) };
        let (name, _) = self.label_and_help(i, &pair);
        (
            StmtKind::Choose(Choose {
                name,
                options,
                otherwise,
                otherwise_help: otherwise_help.flatten(),
                prefer,
            }),
            next,
        )
    }

    /// Parses the options of a `choose`, and its `otherwise` with its help.
    fn options(&mut self, open: usize) -> (Vec<Option<ChoiceOption>>, Option<HelpedBlock>) {
        let close = self.pieces.partner(open);
        let (mut options, mut otherwise) = (vec![], None);
        let mut i = open + 1;
        while i < close {
            if self.pieces.is(i, ";") {
                i += 1;
            } else if self.pieces.is(i, "otherwise") {
                let (help, block, next) = self.otherwise(i, close);
                if otherwise.is_some() {
                    let span = self.pieces.span(i);
                    let error = Diagnostic::error(Code::Twice, span, "a second `otherwise`");
                    self.push(error.help("a choice has at most one `otherwise`"));
                }
                otherwise = otherwise.or(Some((help, block)));
                i = next;
            } else {
                let (option, next) = self.option(i, close);
                options.push(option);
                i = next.max(i + 1);
            }
        }
        self.short = None;
        (options, otherwise)
    }

    /// Parses `otherwise "help" { … }`; also returns where the next part begins.
    pub(super) fn otherwise(&mut self, i: usize, close: usize) -> (Option<QuotedText>, Block, usize) {
        let help = self.pieces.is_text(i + 1).then(|| self.text_at(i + 1));
        let at = i + 1 + usize::from(help.is_some());
        if at < close && self.pieces.opens_block(at) {
            return (help, self.block(at), self.pieces.after(at));
        }
        self.expected_block(at, i, "what happens when nothing is legal");
        let next = match self.pieces.body(i, close, true) {
            Ok(open) => {
                self.block(open);
                self.pieces.after(open)
            }
            Err(at) => at,
        };
        (help, self.empty_block(i), next)
    }

    /// Returns `true` if this is an option with the superfluous word `option` before its name.
    fn names_its_kind(&self, i: usize, end: usize) -> bool {
        let is_one_of = |at: usize, words: &[&str]| words.iter().any(|word| self.pieces.is(at, word));
        // `option` can be the name itself: `option k in S { … }`.
        let is_name = is_one_of(i + 1, &["where", "ensuring"]) || is_one_of(i + 2, &["in", "subset", "part"]);
        self.pieces.is(i, "option") && i + 1 < end && self.pieces.is_word(i + 1) && !is_name
    }

    /// Parses an option; also returns where the next begins.
    pub(super) fn option(&mut self, i: usize, close: usize) -> (Option<ChoiceOption>, usize) {
        if !self.pieces.is_word(i) {
            self.unknown(i, "an option", &[]);
            return (None, self.pieces.after(i));
        }
        let (end, open) = match self.pieces.body(i, close, true) {
            Ok(open) => (open, Some(open)),
            Err(at) => (at.max(i + 1), None),
        };
        if self.names_its_kind(i, end) {
            let error =
                Diagnostic::error(Code::StrayWord, self.pieces.span(i), "an option begins with its name");
            let named = self.pieces.word(i + 1);
            self.push(error.label("this word isn't needed").help(format!("write `{named}`")));
            return self.option(i + 1, close);
        }
        let head = self.rule(Rule::option_head, i, end);
        let body = open.map(|open| self.block(open));
        let next = open.map_or(end, |open| self.pieces.after(open));
        let Some(pair) = head else { return (None, next) };
        let (name, help) = self.label_and_help(i, &pair);
        let Some(name) = name else { return (None, next) };
        let pass = name.text == "pass";
        if body.is_none() && !pass {
            self.expected_block(end, i, "what the option does");
            return (None, if self.pieces.opens_block(end) { self.pieces.after(end) } else { next });
        }
        let span = self.pieces.span_of(i, next);
        let body = body.unwrap_or(Block { stmts: vec![], span });
        let (mut deliberate, mut wanted) = (false, Rule::EOI);
        let (mut binders, mut filter, mut ensuring, mut seen) = (vec![], None, None, None);
        let mut build = self.build(i);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::k_deliberate => deliberate = true,
                Rule::binder => {
                    let word = |rule| part.clone().into_inner().any(|p| p.as_rule() == rule);
                    let kind = match (word(Rule::k_subset), word(Rule::k_part)) {
                        (true, _) => BinderKind::Subset,
                        (_, true) => BinderKind::Part,
                        _ => BinderKind::Element,
                    };
                    let local = part.clone().into_inner().find(|p| p.as_rule() == Rule::name);
                    if let Some(local) = local {
                        binders.push(Binder { name: build.name(&local), kind, over: build.last_expr(part) });
                    }
                }
                rule @ (Rule::k_where | Rule::k_ensuring) => wanted = rule,
                Rule::expr if wanted == Rule::k_where => filter = Some(build.expr(part)),
                Rule::expr => ensuring = Some(build.expr(part)),
                rule @ (Rule::k_all | Rule::k_owner | Rule::k_none | Rule::name) => {
                    let kind = match rule {
                        Rule::k_all => ModifierKind::SeenByAll,
                        Rule::k_owner => ModifierKind::SeenByOwner,
                        Rule::name => ModifierKind::SeenByPlayer,
                        _ => ModifierKind::SeenByNone,
                    };
                    let value = (rule == Rule::name).then(|| Box::new(build.name_expr(&part)));
                    seen = Some(Modifier { kind, value, span: build.span(&part) });
                }
                _ => {}
            }
        }
        let option =
            ChoiceOption { name, pass, deliberate, binders, filter, ensuring, seen, help, body, span };
        (Some(option), next)
    }

    fn if_stmt(&mut self, start: usize, close: usize) -> (StmtKind, usize) {
        // A chain of `else if` is parsed in a loop and assembled from its end, to avoid recursion.
        let mut arms = vec![];
        let (mut i, mut last) = (start, None);
        let mut next;
        loop {
            let open = match self.pieces.body(i, close, false) {
                Ok(open) => open,
                Err(at) => {
                    let (hole, at) = self.no_block(Rule::if_head, i, at, close, "what happens if it holds");
                    if arms.is_empty() {
                        return (hole, at);
                    }
                    next = at;
                    break;
                }
            };
            let condition = self.tail(Rule::if_head, i, open);
            arms.push((i, condition, self.block(open)));
            next = self.pieces.after(open);
            if next >= close || !self.pieces.is(next, "else") {
                break;
            }
            if self.pieces.is(next + 1, "if") && arms.len() < houserule_base::limits::NESTING {
                i = next + 1;
            } else if self.pieces.opens_block(next + 1) {
                last = Some(self.block(next + 1));
                next = self.pieces.after(next + 1);
                break;
            } else {
                let what = if self.pieces.is(next + 1, "if") {
                    "no further `else if`"
                } else {
                    "what happens if it doesn't hold"
                };
                self.expected_block(next + 1, next, what);
                next = self.pieces.stmt_end(next, close);
                break;
            }
        }
        let mut otherwise = last;
        let mut kind = StmtKind::Hole;
        while let Some((at, condition, then)) = arms.pop() {
            let end = next;
            kind = StmtKind::If { condition, then, otherwise: otherwise.take() };
            if arms.is_empty() {
                break;
            }
            let span = self.pieces.span_of(at, end);
            let inner = std::mem::replace(&mut kind, StmtKind::Hole);
            otherwise = Some(Block { stmts: vec![Stmt { kind: inner, span }], span });
        }
        (kind, next)
    }

    /// Parses `for`, `while`, `as`, `each player` and `together`: a header and a block.
    fn headed(&mut self, i: usize, close: usize) -> (StmtKind, usize) {
        let rule = match self.pieces.word(i) {
            "for" => Rule::for_head,
            "while" => Rule::while_head,
            "as" => Rule::as_head,
            "each" => Rule::each_head,
            _ => Rule::both_head,
        };
        let open = match self.pieces.body(i, close, false) {
            Ok(open) => open,
            Err(at) => return self.no_block(rule, i, at, close, "what happens"),
        };
        let head = self.rule(rule, i, open);
        let body = self.block(open);
        let next = self.pieces.after(open);
        let Some(pair) = head else { return (StmtKind::Hole, next) };
        let mut build = self.build(i);
        if rule == Rule::each_head {
            let (mut of, mut from, mut until) = (None, None, None);
            let mut word = Rule::EOI;
            for part in pair.into_inner() {
                match (part.as_rule(), word) {
                    (rule @ (Rule::k_of | Rule::k_from | Rule::k_until), _) => word = rule,
                    (Rule::expr, Rule::k_of) => of = Some(build.expr(part)),
                    (Rule::expr, Rule::k_from) => from = Some(build.expr(part)),
                    (Rule::expr, _) => until = Some(build.expr(part)),
                    _ => {}
                }
            }
            return (StmtKind::EachPlayer { of, from, until, body }, next);
        }
        let named = |p: &Pair<'_, Rule>| matches!(p.as_rule(), Rule::name | Rule::label);
        let name = pair.clone().into_inner().find(named).map(|p| build.name(&p));
        let mut values = build.list(pair).into_iter();
        let kind = match (rule, name) {
            (Rule::for_head, Some(name)) => match values.next() {
                Some(over) => StmtKind::For { name, over, from: values.next(), body },
                None => StmtKind::Hole,
            },
            (Rule::while_head, _) => {
                values.next().map_or(StmtKind::Hole, |condition| StmtKind::While { condition, body })
            }
            (Rule::as_head, _) => {
                values.next().map_or(StmtKind::Hole, |player| StmtKind::As { player, body })
            }
            (Rule::both_head, _) => StmtKind::Together(body),
            _ => StmtKind::Hole,
        };
        (kind, next)
    }

    /// Parses `repeat { … } until …` and `chance { … } given …`.
    fn tailed(&mut self, i: usize, close: usize) -> (StmtKind, usize) {
        let repeat = self.pieces.is(i, "repeat");
        let (word, rule) = if repeat { ("until", Rule::until_tail) } else { ("given", Rule::given_tail) };
        if !self.pieces.opens_block(i + 1) {
            self.expected_block(i + 1, i, if repeat { "what is repeated" } else { "what is left to chance" });
            return (StmtKind::Hole, self.pieces.stmt_end(i, close));
        }
        let body = self.block(i + 1);
        let tail = self.pieces.after(i + 1);
        let end = self.pieces.stmt_end(tail, close).max(tail);
        if tail >= close
            || !self.pieces.is(tail, word) && self.pieces.stmt_starts(tail, false) && self.known_stmt(tail)
        {
            let span = self.pieces.span(tail - 1);
            let message = format!("expected `{word}` and a condition after this block");
            let error = crate::diagnostic::Diagnostic::error(Code::ExpectedWord, span, message);
            let error = error.also(self.pieces.span(i), format!("`{}` begins here", self.pieces.word(i)));
            self.push(error);
            return (StmtKind::Hole, tail);
        }
        let value = self.tail(rule, tail, end);
        let kind = if repeat {
            StmtKind::Repeat { body, until: value }
        } else {
            StmtKind::Chance { body, given: value }
        };
        (kind, end)
    }

    fn known_stmt(&self, i: usize) -> bool {
        keywords::has(self.pieces.word(i), keywords::STATEMENT)
            || self.pieces.assigns(i)
            || self.pieces.bracket(i + 1) == Some(b'(')
    }

    /// Returns `true` if a number and what is moved follow the `move` at `i`: `move 3 ore from hand[me] to bank`.
    fn moves_several(&self, i: usize, close: usize) -> bool {
        let (pieces, mut j) = (&self.pieces, i + 1);
        // The checker says that a number below 0 can't be moved.
        j += usize::from(pieces.is(j, "-"));
        let number = pieces.kind(j) == Some(TokenKind::Number);
        let word = pieces.word(j);
        let called = pieces.bracket(j + 1) == Some(b'(') && !matches!(word, "if" | "not");
        let named = pieces.is_word(j)
            && (called || !keywords::has(word, keywords::RESERVED | keywords::QUANTIFIER | keywords::INFIX));
        if !number && !named && pieces.bracket(j) != Some(b'(') {
            return false;
        }
        j = pieces.after(j);
        while !number && (matches!(pieces.bracket(j), Some(b'[' | b'(')) || pieces.is(j, ".")) {
            j = if pieces.is(j, ".") { j + 2 } else { pieces.after(j) };
        }
        let end = pieces.stmt_end(i, close);
        let joins =
            |word| matches!(word, "from" | "to" | "on" | "replacing") || keywords::has(word, keywords::INFIX);
        let follows = pieces.is_word(j) && !joins(pieces.word(j)) || pieces.opens_block(j);
        j < end && follows && (number || (j + 1..end).any(|k| pieces.is(k, "from")))
    }

    /// Parses a statement without a block.
    fn simple(&mut self, rule: Rule, i: usize, close: usize) -> (StmtKind, usize) {
        let end = self.pieces.stmt_end(i, close);
        let Some(pair) = self.rule(rule, i, end) else { return (StmtKind::Hole, end) };
        let kind = self.simple_kind(rule, i, pair);
        (kind.unwrap_or(StmtKind::Hole), end)
    }

    fn simple_kind(&mut self, rule: Rule, i: usize, pair: Pair<'a, Rule>) -> Option<StmtKind> {
        let mut build = self.build(i);
        let has = |rule: Rule| pair.clone().into_inner().any(|p| p.as_rule() == rule);
        let named = |p: &Pair<'_, Rule>| matches!(p.as_rule(), Rule::name | Rule::label);
        let name = pair.clone().into_inner().find(named).map(|p| build.name(&p));
        let op = if has(Rule::p_add_to) {
            AssignOp::Add
        } else if has(Rule::p_take_off) {
            AssignOp::Subtract
        } else {
            AssignOp::Set
        };
        let (among, replacing) = (has(Rule::k_among), has(Rule::k_replacing));
        let (lower, below) = (has(Rule::lower), has(Rule::k_bottom));
        let (mut values, mut args, mut target, mut ty) = (vec![], vec![], None, None);
        let (mut on, mut onto, mut past_to) = (None, None, false);
        let (mut result, mut help) = (None, None);
        for part in pair.clone().into_inner() {
            match part.as_rule() {
                Rule::args => args = build.args(part),
                Rule::ty => ty = Some(build.ty(part)),
                Rule::k_to => past_to = true,
                Rule::on_board => {
                    let board = if past_to { &mut onto } else { &mut on };
                    *board = build.list(part).into_iter().next();
                }
                Rule::target => target = Some(target_of(&mut build, part)),
                Rule::result => result = Some(build.end_result(part)),
                Rule::text => help = Some(build.text(&part)),
                rule if is_expr(rule) => values.push(build.expr(part)),
                _ => {}
            }
        }
        if rule == Rule::roll_s {
            let among = if among { values.pop() } else { None };
            return Some(StmtKind::Roll { dice: values, among });
        }
        let count = (rule == Rule::move_n_s && !values.is_empty()).then(|| Box::new(values.remove(0)));
        let three = values.len() == 3 && matches!(rule, Rule::move_s | Rule::move_n_s | Rule::reveal_s);
        let from = three.then(|| values.remove(1));
        let mut values = values.into_iter();
        let mut value = || values.next();
        Some(match rule {
            Rule::let_s => StmtKind::Let { name: name?, ty, value: value()? },
            Rule::assign_s => StmtKind::Assign { target: target?, op, value: value()? },
            Rule::put_s => StmtKind::Put { piece: value()?, at: value()?, replacing },
            Rule::clear_s => StmtKind::Clear(value()?),
            Rule::move_s | Rule::move_n_s => {
                StmtKind::Move { count, what: value()?, on, onto, from, to: value()?, below, replacing }
            }
            Rule::pick_s => StmtKind::Pick { name: name?, over: value()? },
            Rule::draw_s => StmtKind::Draw { name: name?, from: value()?, lower, to: value(), below },
            Rule::deal_s => StmtKind::Deal { count: value()?, from: value()?, lower, to: value()?, below },
            Rule::shuffle_s => StmtKind::Shuffle(value()?),
            Rule::reveal_s => StmtKind::Reveal { what: value()?, from, to: value()? },
            Rule::swap_s => StmtKind::Swap(value()?, value()?, value()),
            Rule::next_s => StmtKind::Next(value()?),
            Rule::again_s => StmtKind::Again,
            Rule::done_s => StmtKind::Done,
            Rule::skip_s => StmtKind::Skip,
            Rule::end_game_s => StmtKind::EndGame { name, result, help },
            Rule::call_s => StmtKind::Call { name: name?, args },
            _ => return None,
        })
    }
}

/// The target of an assignment as an expression.
fn target_of(build: &mut super::build::TreeBuilder<'_>, pair: Pair<'_, Rule>) -> Expr {
    use crate::syntax::ExprKind;
    let span = build.span(&pair);
    let mut value = Expr { kind: ExprKind::Hole, span };
    for part in pair.into_inner() {
        let place = build.span(&part);
        value = match part.as_rule() {
            Rule::name => Expr { kind: ExprKind::Name(build.name(&part)), span: place },
            _ => {
                let span = value.span.to(place);
                Expr { kind: ExprKind::Index(Box::new(value), build.list(part)), span }
            }
        };
    }
    value
}
