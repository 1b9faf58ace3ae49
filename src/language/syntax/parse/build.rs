//! Converts the parser's pairs to expressions, types and other nodes of the tree.

use pest::iterators::Pair;

use super::Rule;
use crate::diagnostic::{Code, Diagnostic, FileId, Span};
use crate::syntax::split::{names::uncover, tokens::Token};
use crate::syntax::{
    Arg, BinaryOp, ComparisonOperator as C, ElementRow, EndResult, Expr, ExprKind, MapEntry, Modifier,
    ModifierKind, Name, Quantifier, QuotedText, TypeExpr, TypeKind, UnaryOp,
};

/// Builds nodes from the pairs of one fragment.
pub(super) struct TreeBuilder<'p> {
    pub(super) file: FileId,
    /// Byte offset of the fragment in the file.
    pub(super) base: usize,
    pub(super) tokens: &'p [Token],
    pub(super) messages: &'p mut Vec<Diagnostic>,
}

impl TreeBuilder<'_> {
    /// The span of a pair, without the white space that the grammar may include at its end.
    pub(super) fn span(&self, pair: &Pair<'_, Rule>) -> Span {
        let span = pair.as_span();
        let (start, end) = (self.base + span.start(), self.base + span.end());
        let behind = self.tokens.partition_point(|t| (t.start as usize) < end);
        let last = behind.checked_sub(1).and_then(|i| self.tokens.get(i));
        let end = last.map_or(end, |t| (t.end as usize).clamp(start, end));
        Span::new(self.file, start, end)
    }

    pub(super) fn name(&self, pair: &Pair<'_, Rule>) -> Name {
        Name { text: uncover(pair.as_str()), span: self.span(pair) }
    }

    pub(super) fn text(&self, pair: &Pair<'_, Rule>) -> QuotedText {
        let text = pair.as_str();
        let long =
            text.strip_prefix("\"\"\"").and_then(|t| t.strip_suffix("\"\"\"")).filter(|_| text.len() >= 6);
        let inner = long.unwrap_or_else(|| text.trim_matches('"'));
        QuotedText { text: inner.to_owned(), span: self.span(pair) }
    }

    /// A value of an enum or a domain with its help text.
    pub(super) fn value(&self, pair: &Pair<'_, Rule>) -> Option<(Name, Option<QuotedText>)> {
        let part_of = |rule| pair.clone().into_inner().find(move |inner| inner.as_rule() == rule);
        let help = part_of(Rule::text).map(|text| self.text(&text));
        Some((self.name(&part_of(Rule::name)?), help))
    }

    /// A row of a domain: a name, the values of its fields, and its help.
    pub(super) fn row(&mut self, pair: Pair<'_, Rule>) -> Option<ElementRow> {
        let (mut name, mut values, mut help) = (None, None, None);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::name => name = Some(self.name(&part)),
                Rule::text => help = Some(self.text(&part)),
                rule if is_expr(rule) => values = Some(self.expr(part)),
                _ => {}
            }
        }
        Some(ElementRow { name: name?, values: values?, help })
    }

    pub(super) fn error(&mut self, code: Code, span: Span, message: impl Into<String>, help: &str) {
        self.messages.push(Diagnostic::error(code, span, message).help(help));
    }

    /// The last expression among the inner pairs.
    pub(super) fn last_expr(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let span = self.span(&pair);
        match pair.into_inner().filter(|p| is_expr(p.as_rule())).last() {
            Some(pair) => self.expr(pair),
            None => Expr { kind: ExprKind::Hole, span },
        }
    }

    /// The result of an end.
    pub(super) fn end_result(&mut self, pair: Pair<'_, Rule>) -> EndResult {
        let has = |rule: Rule| pair.clone().into_inner().any(|p| p.as_rule() == rule);
        match (has(Rule::k_draw), has(Rule::k_win)) {
            (true, _) => EndResult::Draw,
            (false, true) => EndResult::Win(self.last_expr(pair)),
            (false, false) => EndResult::Lose(self.last_expr(pair)),
        }
    }

    /// The expressions inside brackets.
    pub(super) fn list(&mut self, pair: Pair<'_, Rule>) -> Vec<Expr> {
        pair.into_inner().filter(|p| is_expr(p.as_rule())).map(|p| self.expr(p)).collect()
    }

    pub(super) fn expr(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let span = self.span(&pair);
        let kind = match pair.as_rule() {
            Rule::expr => return self.only(pair),
            Rule::or_e | Rule::and_e | Rule::sum | Rule::term => return self.chain(pair),
            Rule::not_e | Rule::unary => return self.prefixed(pair),
            Rule::cmp => return self.compared(pair),
            Rule::postfix => return self.postfix(pair),
            Rule::cond => {
                let mut parts = self.list(pair).into_iter();
                match (parts.next(), parts.next(), parts.next()) {
                    (Some(c), Some(t), Some(e)) => ExprKind::If(Box::new(c), Box::new(t), Box::new(e)),
                    _ => ExprKind::Hole,
                }
            }
            Rule::range => {
                let mut parts = self.list(pair).into_iter();
                match (parts.next(), parts.next()) {
                    (Some(low), Some(high)) => ExprKind::Range(Box::new(low), Box::new(high)),
                    (Some(one), None) => return one,
                    _ => ExprKind::Hole,
                }
            }
            Rule::quant => self.quantified(pair),
            Rule::number => self.number(pair.as_str(), span).map_or(ExprKind::Hole, ExprKind::Number),
            Rule::die => self.number(&pair.as_str()[1..], span).map_or(ExprKind::Hole, ExprKind::Die),
            Rule::text => ExprKind::Text(self.text(&pair).text),
            Rule::seat => {
                let number = pair.clone().into_inner().last().map_or("", |number| number.as_str());
                self.number(number, span).map_or(ExprKind::Hole, ExprKind::Player)
            }
            Rule::site => {
                let span = Span { start: span.start + 1, ..span };
                ExprKind::Site(Name { text: pair.as_str()[1..].to_owned(), span })
            }
            Rule::k_true => ExprKind::Bool(true),
            Rule::k_false => ExprKind::Bool(false),
            Rule::k_none => ExprKind::None,
            Rule::paren => {
                let mut parts = self.list(pair);
                match parts.pop() {
                    Some(one) if parts.is_empty() => return Expr { kind: one.kind, span },
                    Some(last) => {
                        parts.push(last);
                        ExprKind::Tuple(parts)
                    }
                    None => ExprKind::Hole,
                }
            }
            Rule::map => ExprKind::Map(self.map(pair)),
            Rule::set => self.set(pair),
            Rule::named => self.named(pair),
            _ => ExprKind::Hole,
        };
        Expr { kind, span }
    }

    fn only(&mut self, pair: Pair<'_, Rule>) -> Expr {
        self.last_expr(pair)
    }

    /// Parses an integer. Reports a number that is too large and returns `None`.
    pub(super) fn number(&mut self, digits: &str, span: Span) -> Option<i64> {
        let value = digits.parse().ok();
        if value.is_none() {
            let message =
                format!("`{}` is too large for a number", digits.chars().take(40).collect::<String>());
            self.error(Code::NumberTooLarge, span, message, "numbers go up to 9223372036854775807");
        }
        value
    }

    /// Builds a left-associative chain of binary operators.
    fn chain(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let span = self.span(&pair);
        if self.reports_map(&pair) {
            return Expr { kind: ExprKind::Hole, span };
        }
        let mut left: Option<Expr> = None;
        let mut operator = None;
        for part in pair.into_inner() {
            if let Some(op) = binary(part.as_rule()) {
                operator = Some(op);
                continue;
            }
            let right = self.expr(part);
            left = Some(match (left, operator.take()) {
                (Some(left), Some(op)) => join(op, left, right),
                _ => right,
            });
        }
        left.unwrap_or(Expr { kind: ExprKind::Hole, span })
    }

    /// Reports a map `[a: 1]` beside an operator. Returns `true` if there is one. A function of its own in machine code too,
    /// as [`TreeBuilder::numbers_of`] is.
    #[inline(never)]
    fn reports_map(&mut self, pair: &Pair<'_, Rule>) -> bool {
        let parts: Vec<_> = pair.clone().into_inner().collect();
        // Only a map begins with a bracket.
        let is_map = |part: &Pair<'_, Rule>| part.as_str().starts_with('[');
        let beside = |at: usize| is_map(&parts[at - 1]) || is_map(&parts[at + 1]);
        let Some(at) = (1..parts.len()).step_by(2).find(|at| beside(*at)) else { return false };
        let entries = |part: &Pair<'_, Rule>| {
            let inside = part.as_str().trim().strip_prefix('[')?.strip_suffix(']')?;
            Some(inside.trim().trim_end_matches(',').to_owned())
        };
        let operator = parts[at].as_str();
        let all: Option<Vec<String>> = parts.iter().step_by(2).map(entries).collect();
        let help = match all.map(|all| format!("[{}]", all.join(", "))) {
            Some(map) if matches!(operator, "|" | "+") && map.len() <= 80 && !map.contains(['\n', '/']) => {
                format!("write all entries in one pair of brackets: `{map}`")
            }
            _ => "write one map with all entries, each with its whole value: `[a: 1, b: 2]`".to_owned(),
        };
        let message = format!("maps can't be joined or changed by `{operator}`");
        let sign = self.span(&parts[at]);
        self.error(Code::WrongSign, sign, message, &help);
        true
    }

    fn prefixed(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let span = self.span(&pair);
        let op = match pair.clone().into_inner().next().map(|p| p.as_rule()) {
            Some(Rule::op_negate) => UnaryOp::Negate,
            Some(Rule::k_not) => UnaryOp::Not,
            Some(Rule::k_no) => UnaryOp::NoAction,
            _ => return self.only(pair),
        };
        Expr { kind: ExprKind::Unary(op, Box::new(self.only(pair))), span }
    }

    fn compared(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let span = self.span(&pair);
        let mut parts = pair.into_inner();
        let Some(left) = parts.next().map(|p| self.expr(p)) else {
            return Expr { kind: ExprKind::Hole, span };
        };
        let Some(tail) = parts.next() else { return left };
        match tail.as_rule() {
            Rule::is_tail => {
                let negated = tail.clone().into_inner().any(|p| p.as_rule() == Rule::k_not);
                let name =
                    tail.into_inner().filter(|p| p.as_rule() == Rule::name).last().map(|p| self.name(&p));
                let kind =
                    name.map_or(ExprKind::Hole, |name| ExprKind::Is { value: Box::new(left), negated, name });
                Expr { kind, span }
            }
            Rule::in_tail => {
                let negated = tail.clone().into_inner().any(|p| p.as_rule() == Rule::k_not);
                let right = self.only(tail);
                join(if negated { BinaryOp::NotIn } else { BinaryOp::In }, left, right)
            }
            rule => match (binary(rule), parts.next()) {
                (Some(op), Some(right)) => {
                    let right = self.expr(right);
                    join(op, left, right)
                }
                _ => Expr { kind: ExprKind::Hole, span },
            },
        }
    }

    fn postfix(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let span = self.span(&pair);
        let mut parts = pair.into_inner();
        let Some(mut value) = parts.next().map(|p| self.expr(p)) else {
            return Expr { kind: ExprKind::Hole, span };
        };
        for part in parts {
            let whole = value.span.to(self.span(&part));
            let kind = match part.as_rule() {
                Rule::field => match part.into_inner().find(|p| p.as_rule() == Rule::label) {
                    Some(label) => ExprKind::Field(Box::new(value), self.name(&label)),
                    None => ExprKind::Hole,
                },
                _ => ExprKind::Index(Box::new(value), self.list(part)),
            };
            value = Expr { kind, span: whole };
        }
        value
    }

    fn quantified(&mut self, pair: Pair<'_, Rule>) -> ExprKind {
        let (mut op, mut name, mut filtered, mut by) = (None, None, false, None);
        let mut subsets = false;
        for part in pair.clone().into_inner() {
            match part.as_rule() {
                // A comment may stand between the two words of `all best`.
                Rule::quant_w => {
                    let word = if part.as_str().contains("//") { "all best" } else { part.as_str() };
                    op = Quantifier::named(word).map(|op| (op, self.name(&part)));
                }
                Rule::name => name = Some(self.name(&part)),
                Rule::k_subset => subsets = true,
                Rule::k_where => filtered = true,
                Rule::k_by => by = Some(self.span(&part)),
                _ => {}
            }
        }
        let mut parts = self.list(pair).into_iter();
        let over = parts.next();
        let filter = if filtered { parts.next() } else { None };
        let (Some((op, word)), Some(name), Some(over), Some(body)) = (op, name, over, parts.next()) else {
            return ExprKind::Hole;
        };
        if op.compares() != by.is_some() {
            if let Some(by) = by {
                let message = format!("`{}` has its value after `:`, not after `by`", word.text);
                let help = match op {
                    Quantifier::All => {
                        "write `:`; `all best x in S by …` gives all elements with the greatest value"
                    }
                    Quantifier::Min => {
                        "write `:`; `best x in S by -…` gives the element with the least value"
                    }
                    _ => "write `:`; `best x in S by …` gives the element",
                };
                self.error(Code::WrongSign, by, message, help);
            } else {
                let message = format!("`{}` has its value after `by`", op.word());
                let help = format!("write `{} x in S by value`", op.word());
                self.error(Code::WrongSign, word.span, message, &help);
            }
        }
        ExprKind::Quantified {
            op,
            name,
            subsets,
            over: Box::new(over),
            filter: filter.map(Box::new),
            body: Box::new(body),
        }
    }

    fn map(&mut self, pair: Pair<'_, Rule>) -> Vec<MapEntry> {
        let mut entries = vec![];
        for entry in pair.into_inner().filter(|p| p.as_rule() == Rule::pair) {
            let and_more = entry.clone().into_inner().any(|p| p.as_rule() == Rule::p_more);
            let mut parts = self.list(entry).into_iter();
            if let (Some(key), Some(value)) = (parts.next(), parts.next()) {
                entries.push(MapEntry { key, and_more, value });
            }
        }
        entries
    }

    fn set(&mut self, pair: Pair<'_, Rule>) -> ExprKind {
        let filtered = pair.clone().into_inner().any(|p| p.as_rule() == Rule::k_where);
        let mut parts = self.list(pair);
        if !filtered {
            return ExprKind::Set(parts);
        }
        let (Some(filter), Some(head)) = (parts.pop(), parts.pop()) else { return ExprKind::Hole };
        let place = head.span;
        if let ExprKind::Binary(BinaryOp::In, left, over) = head.kind
            && let ExprKind::Name(name) = left.kind
        {
            return ExprKind::Comprehension { name, over, filter: Box::new(filter) };
        }
        self.error(
            Code::WrongSet,
            place,
            "expected `name in set` before `where`",
            "write `{ c in S where condition }`",
        );
        ExprKind::Hole
    }

    fn named(&mut self, pair: Pair<'_, Rule>) -> ExprKind {
        let mut parts = pair.into_inner();
        let Some(word) = parts.next() else { return ExprKind::Hole };
        match parts.next() {
            None => ExprKind::Name(self.name(&word)),
            Some(args) => ExprKind::Call(self.name(&word), self.args(args)),
        }
    }

    pub(super) fn args(&mut self, pair: Pair<'_, Rule>) -> Vec<Arg> {
        let mut args = vec![];
        for arg in pair.into_inner().filter(|p| p.as_rule() == Rule::arg) {
            let name =
                arg.clone().into_inner().find(|p| p.as_rule() == Rule::arg_name).map(|p| self.name(&p));
            let names = arg.clone().into_inner().find(|p| p.as_rule() == Rule::names);
            let value = match names {
                Some(names) => self.names(names),
                None if arg.clone().into_inner().any(|p| p.as_rule() == Rule::values) => self.numbers_of(arg),
                None => self.only(arg),
            };
            args.push(Arg { name, value });
        }
        args
    }

    /// A number for each element of a set: `x in S where c: e`. A function of its own in machine code too: what it keeps
    /// on the stack must not make every call in a nested expression larger.
    #[inline(never)]
    fn numbers_of(&mut self, arg: Pair<'_, Rule>) -> Expr {
        let Some(each) = arg.clone().into_inner().find(|p| p.as_rule() == Rule::values) else {
            return self.only(arg);
        };
        let end = self.span(&each);
        let head = self.only(arg);
        let filtered = each.clone().into_inner().any(|p| p.as_rule() == Rule::k_where);
        let mut parts = self.list(each).into_iter();
        let filter = if filtered { parts.next().map(Box::new) } else { None };
        let span = head.span.to(end);
        let place = head.span;
        if let (ExprKind::Binary(BinaryOp::In, left, over), Some(body)) = (head.kind, parts.next())
            && let ExprKind::Name(name) = left.kind
        {
            return Expr { kind: ExprKind::Values { name, over, filter, body: Box::new(body) }, span };
        }
        self.error(
            Code::WrongSet,
            place,
            "expected `name in set` before `:`",
            "write a number for each element of a set as `lowest(x in S: number, 2)`",
        );
        Expr { kind: ExprKind::Hole, span }
    }

    /// Names: `[a, b]`
    fn names(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let span = self.span(&pair);
        let names = pair.into_inner().filter(|p| p.as_rule() == Rule::name);
        let names = names.map(|p| Expr { kind: ExprKind::Name(self.name(&p)), span: self.span(&p) });
        Expr { kind: ExprKind::Tuple(names.collect()), span }
    }

    pub(super) fn ty(&mut self, pair: Pair<'_, Rule>) -> TypeExpr {
        let span = self.span(&pair);
        let set = pair.clone().into_inner().any(|p| p.as_rule() == Rule::k_set);
        let one = pair.into_inner().find(|p| p.as_rule() == Rule::ty_one);
        let Some(one) = one.map(|p| self.ty_one(p)) else {
            return TypeExpr { kind: TypeKind::Hole, optional: false, span };
        };
        if set { TypeExpr { kind: TypeKind::Set(Box::new(one)), optional: false, span } } else { one }
    }

    fn ty_one(&mut self, pair: Pair<'_, Rule>) -> TypeExpr {
        let span = self.span(&pair);
        let (mut kind, mut optional) = (TypeKind::Hole, false);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::p_question => optional = true,
                Rule::choice => kind = self.choice(part),
                Rule::range => {
                    let value = self.expr(part);
                    kind = match value.kind {
                        ExprKind::Range(low, high) => TypeKind::Range(low, high),
                        ExprKind::Name(name) => TypeKind::Named(name),
                        ExprKind::Hole => TypeKind::Hole,
                        _ => {
                            let help = "a type is a range `0..3`, a domain such as `cell` or `cell?`, `bool`, `int`, \
                                        `table`, or a choice `a | b`";
                            self.error(
                                Code::ExpectedType,
                                value.span,
                                "expected a type, found a value",
                                help,
                            );
                            TypeKind::Hole
                        }
                    };
                }
                _ => {}
            }
        }
        TypeExpr { kind, optional, span }
    }

    fn choice(&mut self, pair: Pair<'_, Rule>) -> TypeKind {
        let span = self.span(&pair);
        let items: Vec<_> = pair.into_inner().filter(|p| p.as_rule() != Rule::p_bar).collect();
        let numbers = items.iter().filter(|p| p.as_rule() == Rule::number).count();
        if numbers == 0 {
            return TypeKind::Words(items.iter().map(|p| self.name(p)).collect());
        }
        if numbers < items.len() {
            self.error(
                Code::MixedChoice,
                span,
                "words and numbers can't be mixed in a choice",
                "use words only, or numbers only",
            );
            return TypeKind::Hole;
        }
        let mut values = vec![];
        for item in items {
            let place = self.span(&item);
            match self.number(item.as_str(), place) {
                Some(value) => values.push((value, place)),
                None => return TypeKind::Hole,
            }
        }
        TypeKind::Numbers(values)
    }

    /// Returns a name as an expression.
    pub(super) fn name_expr(&mut self, pair: &Pair<'_, Rule>) -> Expr {
        let name = self.name(pair);
        Expr { span: name.span, kind: ExprKind::Name(name) }
    }

    /// The modifiers that a pair stands for: `shown as disc at (7, 7)` is two.
    pub(super) fn modifiers(&mut self, pair: &Pair<'_, Rule>) -> Vec<Modifier> {
        let parts: Vec<Pair<'_, Rule>> = pair.clone().into_inner().collect();
        let mut looks = vec![];
        let mut kind = None;
        let mut start = self.span(pair);
        for part in &parts {
            match part.as_rule() {
                Rule::k_as => kind = Some(ModifierKind::Shown),
                Rule::k_at => kind = Some(ModifierKind::ShownAt),
                Rule::k_over => kind = Some(ModifierKind::ShownOver),
                Rule::k_shown => continue,
                rule => {
                    let Some(kind) = kind.take() else { continue };
                    let value =
                        if rule == Rule::name { self.name_expr(part) } else { self.expr(part.clone()) };
                    let span = start.to(value.span);
                    looks.push(Modifier { kind, value: Some(Box::new(value)), span });
                    continue;
                }
            }
            if !looks.is_empty() {
                start = self.span(part);
            }
        }
        if looks.is_empty() { vec![self.modifier(pair)] } else { looks }
    }

    fn modifier(&mut self, pair: &Pair<'_, Rule>) -> Modifier {
        let seen = pair.clone().into_inner().any(|part| part.as_rule() == Rule::k_seen);
        let kind = match pair.clone().into_inner().last().map(|p| p.as_rule()) {
            Some(Rule::k_top) if seen => ModifierKind::SeenByTop,
            Some(Rule::k_turn) => ModifierKind::EachTurn,
            Some(Rule::k_round) => ModifierKind::EachRound,
            Some(Rule::k_game) => ModifierKind::EachGame,
            Some(Rule::k_all) => ModifierKind::SeenByAll,
            Some(Rule::k_owner) => ModifierKind::SeenByOwner,
            Some(Rule::k_others) => ModifierKind::SeenByOthers,
            Some(Rule::k_none) => ModifierKind::SeenByNone,
            Some(Rule::k_ordered) => ModifierKind::Ordered,
            Some(Rule::k_top) => ModifierKind::FromTop,
            Some(Rule::k_match) => ModifierKind::Match,
            _ => ModifierKind::SeenByPlayer,
        };
        let name = pair.clone().into_inner().find(|part| part.as_rule() == Rule::name);
        let value = name.map(|name| Box::new(self.name_expr(&name)));
        Modifier { kind, value, span: self.span(pair) }
    }
}

/// Returns `true` if a pair is an expression, and not a keyword, sign or name.
pub(super) fn is_expr(rule: Rule) -> bool {
    is_value(rule) || matches!(rule, Rule::text | Rule::k_true | Rule::k_false | Rule::k_none)
}

/// Returns `true` if a pair is an expression, and neither a text nor a keyword.
pub(super) fn is_value(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::expr
            | Rule::cond
            | Rule::or_e
            | Rule::and_e
            | Rule::not_e
            | Rule::quant
            | Rule::cmp
            | Rule::range
            | Rule::sum
            | Rule::term
            | Rule::unary
            | Rule::postfix
            | Rule::number
            | Rule::site
            | Rule::seat
            | Rule::die
            | Rule::map
            | Rule::set
            | Rule::paren
            | Rule::named
    )
}

fn join(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let span = left.span.to(right.span);
    Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span }
}

fn binary(rule: Rule) -> Option<BinaryOp> {
    Some(match rule {
        Rule::k_or => BinaryOp::Or,
        Rule::k_and => BinaryOp::And,
        Rule::op_add => BinaryOp::Add,
        Rule::op_subtract => BinaryOp::Subtract,
        Rule::op_union => BinaryOp::Union,
        Rule::op_multiply => BinaryOp::Multiply,
        Rule::op_divide => BinaryOp::Divide,
        Rule::op_modulo => BinaryOp::Modulo,
        Rule::op_intersect => BinaryOp::Intersect,
        Rule::op_equal => BinaryOp::Compare(C::Equal),
        Rule::op_not_equal => BinaryOp::Compare(C::NotEqual),
        Rule::op_less => BinaryOp::Compare(C::Less),
        Rule::op_at_most => BinaryOp::Compare(C::LessEqual),
        Rule::op_greater => BinaryOp::Compare(C::Greater),
        Rule::op_at_least => BinaryOp::Compare(C::GreaterEqual),
        _ => return None,
    })
}
