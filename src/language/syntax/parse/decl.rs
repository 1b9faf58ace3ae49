//! Parses declarations.

use pest::iterators::Pair;

use super::build::is_expr;
use super::edit_words::{EditWord, edit_word};
use super::{Parser, Rule};
use crate::diagnostic::{Code, Diagnostic, Span, did_you_mean};
use crate::syntax::{
    Decl, DeclKind, ElementKind, EndPlace, EndResult, EndTiming, Expr, ExprKind, MatchEntry, MatchValue,
    Modifier, Name, PlayersDecl, QuotedText, ScoreEntry, TypeExpr, TypedDecl,
};
use crate::vocabulary::keywords;

impl<'a> Parser<'a> {
    /// Parses the declarations of a game. Its `{` is token `open`.
    pub(super) fn decls(&mut self, open: usize) -> Vec<Decl> {
        let close = self.pieces.partner(open);
        let mut decls = vec![];
        let mut i = open + 1;
        while i < close {
            if self.pieces.is(i, ";") {
                i += 1;
                continue;
            }
            let (decl, next) = self.decl(i, close, "a declaration");
            decls.push(decl);
            i = next.max(i + 1);
        }
        self.short = None;
        let places: Vec<Span> = decls.iter().map(|decl| decl.span).collect();
        allow_what_follows(decls.iter_mut().map(|decl| Some(&mut decl.kind)), &places);
        decls
    }

    /// Parses a declaration; also returns where the next begins.
    pub(super) fn decl(&mut self, i: usize, close: usize, what: &'static str) -> (Decl, usize) {
        let word = self.pieces.word(i);
        let rule = match word {
            "param" | "var" | "table" => Rule::typed,
            "enum" => Rule::enum_d,
            "domain" => Rule::domain,
            "board" => Rule::board,
            "edges" => Rule::edges,
            "zone" => Rule::zone,
            "dice" => Rule::dice,
            "piece" => Rule::piece,
            "players" => Rule::players,
            "team" => Rule::team,
            "define" => Rule::define,
            "shown" => Rule::shown,
            "end" => Rule::end_d,
            "winner" => Rule::winner,
            "ties" => Rule::ties,
            "payoff" => Rule::payoff,
            "limit" => Rule::limit,
            "require" => Rule::require,
            "allow" => Rule::allow,
            "script" => Rule::script,
            "procedure" | "setup" | "turn" | "round" | "score" | "match" => {
                return self.block_decl(i, close, word);
            }
            _ => return self.unknown_decl(i, close, what),
        };
        let end = self.pieces.decl_end(i, close);
        let span = self.pieces.span_of(i, end);
        let pair = self.rule(rule, i, end);
        let (kind, help) = match pair {
            Some(pair) => self.plain(rule, i, pair),
            None => (self.named_hole(i), None),
        };
        (Decl { kind, help, span }, end)
    }

    /// A hole with the names that the declaration would have introduced: its own, and those of its values.
    fn named_hole(&self, i: usize) -> DeclKind {
        // A look declares nothing.
        if self.pieces.is(i, "shown") || !self.pieces.is_word(i + 1) || !self.pieces.same_line(i, i + 1) {
            return DeclKind::Hole(vec![]);
        }
        let mut names = vec![self.name_at(i + 1)];
        if matches!(self.pieces.word(i), "enum" | "domain") && self.pieces.is(i + 2, "{") {
            // Of a record, these are the names of fields and their types.
            let is_value = |j: &usize| {
                self.pieces.is_word(*j) && !self.pieces.is(*j - 1, ":") && !self.pieces.is(*j + 1, ":")
            };
            names.extend((i + 3..self.pieces.after(i + 2)).filter(is_value).map(|j| self.name_at(j)));
        }
        DeclKind::Hole(names)
    }

    /// Reports an unknown declaration. Parses its block if the keyword can be guessed.
    fn unknown_decl(&mut self, i: usize, close: usize, what: &'static str) -> (Decl, usize) {
        let word = self.pieces.word(i);
        let begins = keywords::DECLARATION | if what == "a change" { keywords::EDIT } else { 0 };
        let known = keywords::with(begins);
        let guess = did_you_mean(word, known.iter().copied()).filter(|_| self.pieces.is_word(i));
        self.unknown(i, what, &known);
        if let Some(guess @ ("procedure" | "setup" | "turn" | "round" | "score" | "match")) = guess
            && let Some(open) = (i + 1..self.pieces.decl_end(i, close)).find(|j| self.pieces.opens_block(*j))
        {
            if guess == "score" {
                self.score(open);
            } else if guess == "match" {
                self.match_entries(open);
            } else {
                self.block(open);
            }
        }
        let end = self.pieces.decl_end(i, close);
        // `wins: 0..9 = 0`: the word itself is the declared name.
        if self.pieces.is_word(i) && matches!(self.pieces.word(i + 1), ":" | "=") {
            let kind = DeclKind::Hole(vec![self.name_at(i)]);
            return (Decl { kind, help: None, span: self.pieces.span_of(i, end) }, end);
        }
        (Decl { kind: self.named_hole(i), help: None, span: self.pieces.span_of(i, end) }, end)
    }

    /// Parses `procedure`, `setup`, `turn`, `round`, `score` and `match`.
    fn block_decl(&mut self, i: usize, close: usize, word: &str) -> (Decl, usize) {
        let mut open = i + 1;
        let names = matches!(word, "procedure" | "setup") && self.pieces.is_word(open);
        let behind = i + 2 + usize::from(self.pieces.is_text(i + 2));
        if names && (self.pieces.opens_block(behind) || self.pieces.bracket(i + 2) == Some(b'(')) {
            open += 1;
        }
        while open < close && !self.pieces.opens_block(open) && !self.pieces.decl_starts(open) {
            open = self.pieces.after(open);
        }
        let hole = |kind, span| Decl { kind, help: None, span };
        if open >= close || !self.pieces.opens_block(open) {
            let upto = self.pieces.decl_end(i, close);
            let at = if word == "procedure" || self.pieces.is_word(i + 1) && word == "setup" {
                open
            } else {
                i + 1
            };
            let fine = word != "procedure" || self.rule(Rule::proc_head, i, open.max(i + 1)).is_some();
            if fine {
                self.expected_block(at.min(close), i, what_in(word));
            }
            return (hole(self.named_hole(i), self.pieces.span_of(i, upto)), upto);
        }
        let (mut name, mut params, mut help) = (None, vec![], None);
        let mut whole = true;
        if word == "procedure" {
            match self.rule(Rule::proc_head, i, open) {
                Some(pair) => {
                    let build = self.build(i);
                    for part in pair.into_inner() {
                        match part.as_rule() {
                            Rule::name => name = Some(build.name(&part)),
                            Rule::text => help = Some(build.text(&part)),
                            Rule::params => {
                                let names = part.into_inner().filter(|p| p.as_rule() == Rule::name);
                                params = names.map(|p| build.name(&p)).collect();
                            }
                            _ => {}
                        }
                    }
                }
                None => whole = false,
            }
            if let Some(name) = name
                .as_ref()
                .filter(|name| keywords::has(&name.text, keywords::CONTINUING | keywords::NO_PROCEDURE))
            {
                let message =
                    format!("no procedure can be called `{}`: it is a keyword of statements", name.text);
                let error = Diagnostic::error(Code::KeywordAsProcedure, name.span, message);
                self.push(error.help(format!("give it another name, such as `{}_it`", name.text)));
            }
        } else {
            let mut j = i + 1;
            if word == "setup" && self.pieces.is_word(j) && j < open {
                name = Some(self.name_at(j));
                j += 1;
            }
            if j < open && self.pieces.is_text(j) {
                help = Some(self.text_at(j));
                j += 1;
            }
            if j < open {
                whole = false;
                self.expected_block(j, i, what_in(word));
            }
        }
        let kind = match word {
            "score" => DeclKind::Score(self.score(open)),
            "match" => DeclKind::Match(self.match_entries(open)),
            _ => {
                let body = self.block(open);
                match (word, name) {
                    ("procedure", Some(name)) => DeclKind::Procedure { name, params, body },
                    ("setup", name) => DeclKind::Setup { name, body },
                    ("turn", _) => DeclKind::Turn(body),
                    ("round", _) => DeclKind::Round(body),
                    _ => self.named_hole(i),
                }
            }
        };
        let kind = if whole { kind } else { self.named_hole(i) };
        let mut next = self.pieces.after(open);
        if next < close && self.pieces.is_text(next) {
            help = Some(self.text_at(next));
            next += 1;
        }
        (Decl { kind, help, span: self.pieces.span_of(i, next) }, next)
    }

    pub(super) fn text_at(&mut self, i: usize) -> QuotedText {
        QuotedText { text: self.pieces.word(i).trim_matches('"').to_owned(), span: self.pieces.span(i) }
    }

    /// The token ranges of the entries in a block.
    fn entries(&self, open: usize) -> Vec<(usize, usize)> {
        let close = self.pieces.partner(open);
        let mut entries = vec![];
        let mut i = open + 1;
        while i < close {
            let end = self.pieces.entry_end(i, close).max(i + 1);
            entries.push((i, end));
            let separated = end < close && matches!(self.pieces.word(end), "," | ";");
            i = if separated { end + 1 } else { end };
        }
        entries
    }

    fn score(&mut self, open: usize) -> Vec<ScoreEntry> {
        let mut entries = vec![];
        let mut is_added = false;
        for (a, b) in self.entries(open) {
            let was_added = std::mem::take(&mut is_added);
            let Some(pair) = self.rule(Rule::score_e, a, b) else {
                // Of `add ITEM: …`, the word is an entry of its own, and has been reported.
                is_added = b == a + 1 && edit_word(self.pieces.word(a)) == Some(EditWord::Adds);
                continue;
            };
            let span = self.pieces.span_of(a, b);
            let mut build = self.build(a);
            let (mut new, mut name, mut help, mut values) = (was_added, None, None, vec![]);
            for part in pair.into_inner() {
                match part.as_rule() {
                    Rule::k_new => new = true,
                    Rule::label => name = Some(build.name(&part)),
                    Rule::text => help = Some(build.text(&part)),
                    Rule::expr => values.push(build.expr(part)),
                    _ => {}
                }
            }
            let mut values = values.into_iter();
            if let (Some(name), Some(value)) = (name, values.next()) {
                entries.push(ScoreEntry { new, name, value, when: values.next(), help, span });
            }
        }
        entries
    }

    fn match_entries(&mut self, open: usize) -> Vec<MatchEntry> {
        let mut entries = vec![];
        for (a, b) in self.entries(open) {
            let Some(pair) = self.rule(Rule::match_e, a, b) else { continue };
            let span = self.pieces.span_of(a, b);
            let mut build = self.build(a);
            let (mut key, mut value) = (None, None);
            for part in pair.into_inner() {
                match part.as_rule() {
                    Rule::label => key = Some(build.name(&part)),
                    Rule::ranked => {
                        let best = part.clone().into_inner().any(|p| p.as_rule() == Rule::k_best);
                        value = Some(MatchValue::Ranked { best, count: build.last_expr(part) });
                    }
                    Rule::match_w => {
                        let place = build.span(&part);
                        value = Some(MatchValue::Word(Name {
                            text: part.as_str().split_whitespace().next().unwrap_or_default().to_owned(),
                            span: place,
                        }));
                    }
                    Rule::expr => value = Some(MatchValue::Expr(build.expr(part))),
                    _ => {}
                }
            }
            if let (Some(key), Some(value)) = (key, value) {
                entries.push(MatchEntry { key, value, span });
            }
        }
        entries
    }

    /// Builds a declaration without a block.
    fn plain(&mut self, rule: Rule, i: usize, pair: Pair<'a, Rule>) -> (DeclKind, Option<QuotedText>) {
        let parts = self.parts(i, pair);
        let help = parts.help.clone();
        if rule == Rule::domain
            && parts.kinds.is_empty()
            && let Some(value) = parts.values.first()
            && !matches!(value.kind, ExprKind::Range(..) | ExprKind::Hole)
        {
            let span = value.span;
            let message = "a domain is a range of numbers, or its kinds of elements in braces";
            let help =
                "write `domain rank = 1..13`, or `domain card { suit: suit, rank: 1..13 } | { joker }`";
            self.build(i).error(Code::WrongType, span, message, help);
        }
        let hole = self.named_hole(i);
        let kind = match rule {
            Rule::typed => parts.typed().map(|typed| match self.pieces.word(i) {
                "param" => DeclKind::Param(typed),
                "var" => DeclKind::Var(typed),
                _ => DeclKind::Table(typed),
            }),
            Rule::players => Some(parts.players()),
            Rule::end_d => self.end(i, parts),
            rule => parts.kind(rule),
        };
        (kind.unwrap_or(hole), help)
    }

    fn end(&self, i: usize, parts: DeclParts) -> Option<DeclKind> {
        let has = |rule: Rule| parts.rules.contains(&rule);
        let timing = if has(Rule::k_once) {
            EndTiming::AtOnce
        } else if has(Rule::k_round) {
            EndTiming::Round
        } else {
            EndTiming::Turn
        };
        let named = has(Rule::end_name);
        let place = has(Rule::end_place).then(|| {
            let at = i + 1 + usize::from(named);
            EndPlace { after: self.pieces.is(at, "after"), anchor: self.name_at(at + 1) }
        });
        let mut values = parts.values.into_iter();
        Some(DeclKind::End {
            name: named.then(|| self.name_at(i + 1)),
            place,
            timing,
            when: values.next()?,
            result: parts.result,
        })
    }

    /// Collects the parts of a declaration.
    fn parts(&mut self, i: usize, pair: Pair<'a, Rule>) -> DeclParts {
        let mut build = self.build(i);
        let mut parts = DeclParts { span: build.span(&pair), ..DeclParts::default_at(build.span(&pair)) };
        let script = pair.as_rule() == Rule::script;
        for part in pair.into_inner() {
            let rule = part.as_rule();
            parts.rules.push(rule);
            match rule {
                Rule::name | Rule::code => parts.names.push(build.name(&part)),
                Rule::index => parts.index = build.list(part),
                Rule::ty => parts.ty = Some(build.ty(part)),
                Rule::modifier | Rule::looks_of => parts.modifiers.extend(build.modifiers(&part)),
                Rule::text if script => parts.names.push(build.text(&part)),
                Rule::text => parts.help = Some(build.text(&part)),
                Rule::value => {
                    if let Some((name, help)) = build.value(&part) {
                        parts.names.push(name);
                        parts.helps.push(help);
                    }
                }
                Rule::params => {
                    let names = part.into_inner().filter(|p| p.as_rule() == Rule::name);
                    parts.params = names.map(|p| build.name(&p)).collect();
                }
                Rule::fields => {
                    let mut fields = vec![];
                    for field in part.into_inner().filter(|p| p.as_rule() == Rule::field_d) {
                        let name = field.clone().into_inner().find(|p| p.as_rule() == Rule::name);
                        let ty = field.into_inner().find(|p| p.as_rule() == Rule::ty);
                        if let (Some(name), Some(ty)) = (name, ty) {
                            let name = build.name(&name);
                            fields.push((name, build.ty(ty)));
                        }
                    }
                    parts.kinds.push(ElementKind::Records(fields));
                }
                Rule::rows => {
                    let rows = part.into_inner().filter(|p| p.as_rule() == Rule::row);
                    let rows = rows.filter_map(|row| build.row(row)).collect();
                    if let Some(kind) = parts.kinds.last_mut() {
                        *kind = ElementKind::Rows(kind.fields().to_vec(), rows);
                    }
                }
                Rule::from_file => {
                    let path = part.into_inner().find(|p| p.as_rule() == Rule::text);
                    parts.kinds.extend(path.map(|path| ElementKind::File(build.text(&path))));
                }
                Rule::listed => {
                    let values = part.into_inner().filter(|p| p.as_rule() == Rule::value);
                    let values = values.filter_map(|value| build.value(&value)).collect();
                    parts.kinds.push(ElementKind::Values(values));
                }
                Rule::result => parts.result = Some(build.end_result(part)),
                rule if is_expr(rule) => parts.values.push(build.expr(part)),
                _ => {}
            }
        }
        parts
    }
}

/// The parts of a declaration by kind.
struct DeclParts {
    span: Span,
    rules: Vec<Rule>,
    names: Vec<Name>,
    /// Of the values of an enum.
    helps: Vec<Option<QuotedText>>,
    index: Vec<Expr>,
    ty: Option<TypeExpr>,
    values: Vec<Expr>,
    modifiers: Vec<Modifier>,
    params: Vec<Name>,
    kinds: Vec<ElementKind>,
    result: Option<EndResult>,
    help: Option<QuotedText>,
}

impl DeclParts {
    fn default_at(span: Span) -> Self {
        let (rules, names, helps, index, ty, values) = (vec![], vec![], vec![], vec![], None, vec![]);
        let (modifiers, params, kinds, result, help) = (vec![], vec![], vec![], None, None);
        DeclParts { span, rules, names, helps, index, ty, values, modifiers, params, kinds, result, help }
    }

    fn typed(self) -> Option<TypedDecl> {
        Some(TypedDecl {
            name: self.names.into_iter().next()?,
            index: self.index,
            ty: self.ty?,
            value: self.values.into_iter().next(),
            modifiers: self.modifiers,
        })
    }

    fn players(self) -> DeclKind {
        let players = match self.values.into_iter().next() {
            _ if !self.names.is_empty() => PlayersDecl::Named(self.names),
            Some(Expr { kind: ExprKind::Range(low, high), .. }) => PlayersDecl::Range(*low, *high),
            Some(count) => PlayersDecl::Count(count),
            None => PlayersDecl::Count(Expr { kind: ExprKind::Hole, span: self.span }),
        };
        DeclKind::Players(players, self.modifiers)
    }

    fn kind(self, rule: Rule) -> Option<DeclKind> {
        let DeclParts { span, rules, names, helps, index, ty, values, modifiers, params, kinds, .. } = self;
        let mut names = names.into_iter();
        let mut values = values.into_iter();
        Some(match rule {
            Rule::enum_d => DeclKind::Enum { name: names.next()?, values: names.collect(), helps, modifiers },
            Rule::domain if !kinds.is_empty() => DeclKind::Record { name: names.next()?, kinds, modifiers },
            Rule::domain => {
                let value = values.next()?;
                let (low, high) = match value.kind {
                    ExprKind::Range(low, high) => (*low, *high),
                    _ => return None,
                };
                DeclKind::Range { name: names.next()?, low, high, modifiers }
            }
            Rule::board => {
                DeclKind::Board { name: names.next()?, index, topology: values.next()?, modifiers }
            }
            Rule::edges => {
                DeclKind::Edges { name: names.next()?, of: names.next()?, by: values.next(), modifiers }
            }
            Rule::shown => DeclKind::Shown { name: names.next()?, modifiers },
            Rule::zone => {
                DeclKind::Zone { name: names.next()?, index, of: ty?, value: values.next(), modifiers }
            }
            Rule::dice => DeclKind::Dice {
                name: names.next()?,
                index,
                count: values.next()?,
                die: values.next()?,
                modifiers,
            },
            Rule::piece => DeclKind::Piece { name: names.next()?, index, on: names.next(), modifiers },
            Rule::team => DeclKind::Team { name: names.next()?, players: values.next()? },
            Rule::define => {
                DeclKind::Define { name: names.next()?, params, value: values.next()?, modifiers }
            }
            Rule::winner => DeclKind::Winner(values.next()?),
            Rule::ties => DeclKind::Ties(values.collect()),
            Rule::payoff => {
                DeclKind::Payoff { zero_sum: rules.contains(&Rule::k_zero), value: values.next()? }
            }
            Rule::limit => DeclKind::Limit(values.next()?),
            Rule::require => DeclKind::Require(values.next()?),
            Rule::allow => DeclKind::Allow { code: names.next()?, within: span },
            Rule::script => DeclKind::Script(names.next()?),
            _ => return None,
        })
    }
}

/// Sets what each `allow` of a list is about: the first item after it that is no `allow`. `None` stands for an item that
/// is no declaration.
pub(super) fn allow_what_follows<'d>(kinds: impl Iterator<Item = Option<&'d mut DeclKind>>, places: &[Span]) {
    let mut kinds: Vec<_> = kinds.collect();
    let mut next = None;
    for (kind, place) in kinds.iter_mut().zip(places).rev() {
        match kind {
            Some(DeclKind::Allow { within, .. }) => *within = next.unwrap_or(*place),
            _ => next = Some(*place),
        }
    }
}

fn what_in(word: &str) -> &'static str {
    match word {
        "score" => "the items of the score",
        "match" => "the rules of a match",
        "turn" => "what happens in a turn",
        "round" => "what happens in a round",
        "setup" => "what happens before the first turn",
        _ => "what the procedure does",
    }
}
