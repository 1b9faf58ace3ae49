//! Conditions and values of the rules in plain words, with the values of the params filled in.
//!
//! Covers the forms that rules mostly use. Other expressions are shown as source text.

use crate::format::print;
use crate::game::values::param_text;
use crate::model::fold::divide_down;
use crate::model::{Content, Model, PLAYER, ParamValue, Role, Slot};
use crate::syntax::{Arg, BinaryOp, Decl, DeclKind, Expr, ExprKind, Name, Quantifier, UnaryOp};

/// Context for describing the rules of a model from a point of view.
#[derive(Clone, Copy)]
pub(crate) struct Wording<'a> {
    pub(crate) model: &'a Model,
    pub(crate) decls: &'a [Decl],
    /// The words for `me`: `you`, `the mover`.
    pub(crate) me: &'static str,
    /// Local names and their descriptions, innermost last.
    locals: &'a [LocalName],
}

/// A local name and its description.
#[derive(Clone)]
pub(crate) struct LocalName {
    name: String,
    text: String,
    /// Whether it is a player, so that variables are described as the player's own.
    player: bool,
}

impl<'a> Wording<'a> {
    pub(crate) fn new(model: &'a Model, decls: &'a [Decl], me: &'static str) -> Self {
        Wording { model, decls, me, locals: &[] }
    }

    /// Creates a local that stands for an expression.
    pub(crate) fn local(&self, name: &str, value: &Expr) -> LocalName {
        LocalName { name: name.to_owned(), text: self.atom(value), player: self.player(value).is_some() }
    }

    /// Returns this context with other locals.
    pub(crate) fn with<'b>(self, locals: &'b [LocalName]) -> Wording<'b>
    where
        'a: 'b,
    {
        Wording { locals, ..self }
    }

    /// Returns this context with other words for `me`.
    pub(crate) fn seen_by(self, me: &'static str) -> Wording<'a> {
        Wording { me, ..self }
    }

    fn find(&self, name: &str) -> Option<&'a LocalName> {
        self.locals.iter().rev().find(|local| local.name == name)
    }

    /// Returns the value of a number that depends on the params only.
    fn number(&self, e: &Expr) -> Option<i64> {
        self.number_within(e, 2)
    }

    /// Like [`Wording::number`], through at most `depth` nested defines.
    fn number_within(&self, e: &Expr, depth: u32) -> Option<i64> {
        match &e.kind {
            ExprKind::Number(number) => Some(*number),
            ExprKind::Name(Name { text: name, .. }) => match self.param(name) {
                Some(ParamValue::Number(number)) => Some(*number),
                Some(ParamValue::Word(word)) => word.parse().ok(),
                Some(_) => None,
                None => self.decls.iter().find_map(|decl| match &decl.kind {
                    DeclKind::Define { name: n, params, value } if n.text == *name && params.is_empty() => {
                        self.number_within(value, depth.checked_sub(1)?)
                    }
                    _ => None,
                }),
            },
            ExprKind::Unary(UnaryOp::Negate, value) => self.number_within(value, depth)?.checked_neg(),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.number_within(a, depth)?, self.number_within(b, depth)?);
                match op {
                    BinaryOp::Add => a.checked_add(b),
                    BinaryOp::Subtract => a.checked_sub(b),
                    BinaryOp::Multiply => a.checked_mul(b),
                    BinaryOp::Divide => divide_down(a, b),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Describes a row, a column or a cell that depends on the params only.
    fn place(&self, call: &str, args: &[Arg]) -> Option<String> {
        let numbers: Vec<i64> = args.iter().map(|arg| self.number(&arg.value)).collect::<Option<_>>()?;
        match (call, numbers.as_slice(), self.model.boards.as_slice()) {
            ("row" | "column", [number], _) => Some(format!("{call} {number}")),
            (call, [column, row], [board]) if call == "cell" || call == board.name => {
                Some(board.topology.site_name(board.topology.site_at(*column, *row)?))
            }
            _ => None,
        }
    }

    /// Returns the value of a condition that the params alone decide, or `None`.
    pub(crate) fn settled(&self, e: &Expr) -> Option<bool> {
        match &e.kind {
            ExprKind::Bool(value) => Some(*value),
            ExprKind::Name(Name { text: name, .. }) => match self.param(name)? {
                ParamValue::Bool(value) => Some(*value),
                _ => None,
            },
            ExprKind::Unary(UnaryOp::Not, value) => self.settled(value).map(|value| !value),
            ExprKind::Binary(BinaryOp::And, a, b) => match (self.settled(a), self.settled(b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            ExprKind::Binary(BinaryOp::Or, a, b) => match (self.settled(a), self.settled(b)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.constant(a)?, self.constant(b)?);
                let numbers = a.parse::<i64>().ok().zip(b.parse::<i64>().ok());
                match (op, numbers) {
                    (BinaryOp::Equal, _) => Some(a == b),
                    (BinaryOp::NotEqual, _) => Some(a != b),
                    (BinaryOp::Less, Some((a, b))) => Some(a < b),
                    (BinaryOp::LessEqual, Some((a, b))) => Some(a <= b),
                    (BinaryOp::Greater, Some((a, b))) => Some(a > b),
                    (BinaryOp::GreaterEqual, Some((a, b))) => Some(a >= b),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn param(&self, name: &str) -> Option<&'a ParamValue> {
        self.model.params.iter().find(|param| param.name == name).map(|param| &param.value)
    }

    /// Returns the value of a param, a number, or a word that is a value of some param.
    fn constant(&self, e: &Expr) -> Option<String> {
        match &e.kind {
            ExprKind::Number(number) => Some(number.to_string()),
            ExprKind::Name(Name { text: name, .. }) => match self.param(name) {
                Some(value) => Some(param_text(value)),
                None => {
                    use crate::model::ParamKind::Choice;
                    let words = |param: &crate::model::Param| match &param.kind {
                        Choice(words) => words.contains(name),
                        _ => false,
                    };
                    self.model.params.iter().any(words).then(|| name.clone())
                }
            },
            _ => None,
        }
    }

    pub(crate) fn code(e: &Expr) -> String {
        format!("`{}`", print::expr(e))
    }

    /// Describes a condition as a clause: `the mover's discs make a line of at least 4`.
    pub(crate) fn condition(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Binary(BinaryOp::And, a, b) => match (self.settled(a), self.settled(b)) {
                (Some(true), _) => self.condition(b),
                (_, Some(true)) => self.condition(a),
                _ => format!("{} and {}", self.both(a), self.both(b)),
            },
            ExprKind::Binary(BinaryOp::Or, a, b) => match (self.settled(a), self.settled(b)) {
                (Some(false), _) => self.condition(b),
                (_, Some(false)) => self.condition(a),
                _ => format!("{} or {}", self.condition(a), self.condition(b)),
            },
            ExprKind::Binary(op, a, b) => self.comparison(*op, a, b).unwrap_or_else(|| Self::code(e)),
            ExprKind::Is { value, negated, name } => self.being(value, *negated, name),
            ExprKind::Quantified {
                op: op @ (Quantifier::Any | Quantifier::All),
                name,
                subsets: false,
                over,
                filter: None,
                body,
            } => {
                let any = *op == Quantifier::Any;
                if !matches!(&over.kind, ExprKind::Name(Name { text: all, .. }) if all == "players") {
                    let (how, name) = (if any { "some" } else { "every" }, plain(&name.text));
                    return format!("for {how} {name} of {}, {}", self.value(over), self.condition(body));
                }
                let who = if any { "a player" } else { "every player" };
                let local = LocalName { name: name.text.clone(), text: who.to_owned(), player: true };
                let locals = [self.locals, &[local]].concat();
                let told = self.with(&locals).condition(body);
                // A clause that doesn't name the player would refer to somebody else.
                if told.contains(who) { told } else { Self::code(e) }
            }
            ExprKind::Call(name, args)
                if matches!(name.text.as_str(), "some" | "nothing") && args.len() == 1 =>
            {
                self.being(&args[0].value, false, name)
            }
            ExprKind::Call(name, args) if name.text == "repeated" || self.all_plain(args) => {
                self.asked(&name.text, args)
            }
            ExprKind::Name(_) => match self.settled(e) {
                Some(value) => value.to_string(),
                None => format!("{} is true", self.value(e)),
            },
            ExprKind::Unary(UnaryOp::NoAction, player) => {
                format!("nothing is possible for {}", self.value(player))
            }
            ExprKind::Unary(UnaryOp::Not, inner) if matches!(inner.kind, ExprKind::Is { .. }) => {
                match &inner.kind {
                    ExprKind::Is { value, negated, name } => self.being(value, !negated, name),
                    _ => Self::code(e),
                }
            }
            ExprKind::Unary(UnaryOp::Not, value) if matches!(value.kind, ExprKind::Name(_)) => {
                format!("{} is false", self.value(value))
            }
            ExprKind::Unary(UnaryOp::Not, value) if matches!(value.kind, ExprKind::Call(..)) => {
                match self.condition(value) {
                    told if told.starts_with('`') => Self::code(e),
                    told => format!("not: {told}"),
                }
            }
            _ => Self::code(e),
        }
    }

    /// Describes a condition as one side of an `and`.
    fn both(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Binary(BinaryOp::Or, a, b) if self.settled(a).or(self.settled(b)).is_none() => {
                format!("either {}", self.condition(e))
            }
            _ => self.condition(e),
        }
    }

    fn all_plain(&self, args: &[Arg]) -> bool {
        !args.is_empty() && args.iter().all(|arg| arg.name.is_none())
    }

    fn comparison(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<String> {
        let bound = self.value(b);
        if let ExprKind::Call(name, args) = &a.kind
            && let ([arg], "longest") = (args.as_slice(), name.text.as_str())
        {
            let how = match op {
                BinaryOp::GreaterEqual => "at least ",
                BinaryOp::Greater => "more than ",
                BinaryOp::Equal => "exactly ",
                _ => return None,
            };
            return Some(format!("{} make a line of {how}{bound}", self.value(&arg.value)));
        }
        let subject = self.value(a);
        let several = subject.ends_with('s') && !subject.starts_with("the number") || subject == "you";
        let is = if several { "are" } else { "is" };
        let how = match op {
            BinaryOp::Equal => "",
            BinaryOp::NotEqual => "not ",
            BinaryOp::Less => "less than ",
            BinaryOp::LessEqual => "at most ",
            BinaryOp::Greater => "more than ",
            BinaryOp::GreaterEqual => "at least ",
            BinaryOp::In => "one of ",
            BinaryOp::NotIn => "none of ",
            _ => return None,
        };
        Some(format!("{subject} {is} {how}{bound}"))
    }

    fn being(&self, value: &Expr, negated: bool, name: &Name) -> String {
        if let ExprKind::Index(base, by) = &value.kind
            && let (ExprKind::Name(Name { text: piece, .. }), [by]) = (&base.kind, by.as_slice())
            && let (true, Some(player)) = (self.is_piece(piece), self.player(by))
            && matches!(name.text.as_str(), "some" | "nothing")
        {
            let none = (name.text == "nothing") != negated;
            let has = if player == "you" { "have" } else { "has" };
            return format!("{player} {has} {}{}", if none { "no " } else { "" }, plural(piece));
        }
        if let (ExprKind::Binary(BinaryOp::Intersect, a, b), "some" | "nothing") =
            (&value.kind, name.text.as_str())
        {
            let none = (name.text == "nothing") != negated;
            let common = if none { "nothing" } else { "something" };
            return format!("{} and {} have {common} in common", self.atom(a), self.atom(b));
        }
        let subject = self.value(value);
        if self.is_zone(value) && matches!(name.text.as_str(), "some" | "nothing") {
            let none = (name.text == "nothing") != negated;
            return format!("{subject} is {}empty", if none { "" } else { "not " });
        }
        match (name.text.as_str(), negated) {
            ("nothing", false) | ("some", true) => match &value.kind {
                ExprKind::Name(Name { text: name, .. }) if name == "empty" => {
                    format!("there is no {} left", self.empty_one())
                }
                _ => format!("there is no {subject}"),
            },
            ("nothing", true) | ("some", false) => match &value.kind {
                ExprKind::Name(Name { text: name, .. }) if name == "empty" => {
                    format!("there is an {}", self.empty_one())
                }
                _ => format!("there is {subject}"),
            },
            ("double", false) => format!("{subject} is a double"),
            ("double", true) => format!("{subject} is no double"),
            (word, negated) => {
                format!("{subject} is {}{}", if negated { "not " } else { "" }, plain(word))
            }
        }
    }

    fn empty_one(&self) -> String {
        match self.model.boards.as_slice() {
            [board] => format!("empty {}", board.name),
            _ => "empty place".to_owned(),
        }
    }

    fn is_zone(&self, value: &Expr) -> bool {
        let name = match &value.kind {
            ExprKind::Name(Name { text: name, .. }) => name,
            ExprKind::Index(base, _) => match &base.kind {
                ExprKind::Name(Name { text: name, .. }) => name,
                _ => return false,
            },
            _ => return false,
        };
        self.model
            .slots
            .iter()
            .any(|slot| slot.name == *name && matches!(slot.role, Role::Zone | Role::Copies))
    }

    /// Returns `true` if an expression is a set, judging by its form.
    fn is_set(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Set(_) | ExprKind::Comprehension { .. } => true,
            ExprKind::Name(Name { text: name, .. }) if name == "empty" || name == "cells" => true,
            ExprKind::Name(Name { text: name, .. }) => {
                let is = |slot: &Slot| slot.name == *name && matches!(slot.content, Content::Set(_));
                self.model.slots.iter().any(is) || self.is_piece(name) || self.is_zone(e)
            }
            ExprKind::Index(base, _) => self.is_set(base),
            ExprKind::Binary(BinaryOp::Union | BinaryOp::Intersect, ..) => true,
            ExprKind::Binary(BinaryOp::Subtract, a, b) => self.is_set(a) || self.is_set(b),
            _ => false,
        }
    }

    fn is_piece(&self, name: &str) -> bool {
        self.model.slots.iter().any(|slot| slot.name == name && matches!(slot.role, Role::Piece(_)))
    }

    /// Describes a player: `the mover`, `a player`, `X`.
    pub(crate) fn player(&self, e: &Expr) -> Option<String> {
        let ExprKind::Name(Name { text: name, .. }) = &e.kind else { return None };
        match (name.as_str(), self.find(name)) {
            ("me", _) => Some(self.me.to_owned()),
            ("other", _) => Some("the other player".to_owned()),
            (_, Some(local)) => local.player.then(|| local.text.clone()),
            (name, None) => self.model.players.names.iter().find(|player| *player == name).cloned(),
        }
    }

    /// Describes a value: `your penalties`, `3`, `the mover's discs`.
    pub(crate) fn value(&self, e: &Expr) -> String {
        if let Some(player) = self.player(e) {
            return player;
        }
        match &e.kind {
            ExprKind::Number(number) => number.to_string(),
            ExprKind::Bool(value) => if *value { "true" } else { "false" }.to_owned(),
            ExprKind::None => "nobody or nothing".to_owned(),
            ExprKind::Site(site) => site.text.clone(),
            ExprKind::Player(number) => format!("player {number}"),
            ExprKind::Name(Name { text: name, .. }) => match (self.find(name), self.param(name)) {
                (Some(local), _) => local.text.clone(),
                (None, Some(value)) => param_text(value),
                (None, None) if self.is_piece(name) => plural(name),
                (None, None) if name == "empty" => "empty places".to_owned(),
                (None, None) => plain(name),
            },
            ExprKind::Range(low, high) => format!("{} to {}", self.value(low), self.value(high)),
            ExprKind::Set(list) if list.is_empty() => "nothing".to_owned(),
            ExprKind::Set(list) => list.iter().map(|one| self.value(one)).collect::<Vec<_>>().join(", "),
            ExprKind::Index(base, by) => match &base.kind {
                ExprKind::Name(Name { text: name, .. }) => self.indexed(name, by),
                _ => Self::code(e),
            },
            ExprKind::Field(of, field) => match &of.kind {
                ExprKind::Name(_) => format!("{}'s {}", self.value(of), plain(&field.text)),
                _ => format!("the {} of {}", plain(&field.text), self.atom(of)),
            },
            ExprKind::Call(name, args) => self
                .place(&name.text, args)
                .or_else(|| self.all_plain(args).then(|| self.called(&name.text, args)).flatten())
                .unwrap_or_else(|| Self::code(e)),
            ExprKind::Binary(..) if self.number(e).is_some() => {
                self.number(e).map_or_else(String::new, |number| number.to_string())
            }
            ExprKind::Binary(op, a, b) => {
                let sides = || (self.atom(a), self.atom(b));
                match (op, sides()) {
                    (BinaryOp::Add, _) => format!("{} + {}", self.value(a), self.value(b)),
                    (BinaryOp::Union, _) => format!("{} or {}", self.value(a), self.value(b)),
                    (BinaryOp::Subtract, (a_text, b_text)) if self.is_set(a) || self.is_set(b) => {
                        format!("{a_text} without {b_text}")
                    }
                    (BinaryOp::Subtract, (_, b_text)) => format!("{} - {b_text}", self.value(a)),
                    (BinaryOp::Multiply, (a, b)) => format!("{a} times {b}"),
                    (BinaryOp::Divide, (a, b)) => format!("{a} divided by {b}"),
                    (BinaryOp::Modulo, (a, b)) => format!("the remainder of {a} divided by {b}"),
                    (BinaryOp::Intersect, (a, b)) => format!("what {a} and {b} have in common"),
                    _ => self.condition(e),
                }
            }
            ExprKind::Unary(UnaryOp::Negate, value) => format!("minus {}", self.atom(value)),
            ExprKind::If(condition, then, otherwise) => match self.settled(condition) {
                Some(true) => self.value(then),
                Some(false) => self.value(otherwise),
                None => format!(
                    "{} if {}, else {}",
                    self.atom(then),
                    self.condition(condition),
                    self.value(otherwise)
                ),
            },
            _ => Self::code(e),
        }
    }

    /// Describes a define: a condition or a value.
    pub(crate) fn meaning(&self, e: &Expr) -> String {
        use BinaryOp::{And, Equal, Greater, GreaterEqual, In, Less, LessEqual, NotEqual, NotIn, Or};
        match &e.kind {
            ExprKind::Binary(
                And | Or | Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual | In | NotIn,
                ..,
            )
            | ExprKind::Unary(UnaryOp::Not | UnaryOp::NoAction, _)
            | ExprKind::Is { .. }
            | ExprKind::Quantified { op: Quantifier::Any | Quantifier::All, .. } => match self.condition(e) {
                told if told.starts_with('`') => told,
                told => format!("true if {told}"),
            },
            _ => self.value(e),
        }
    }

    /// Describes a value inside another one, in parentheses if it is compound.
    pub(crate) fn atom(&self, e: &Expr) -> String {
        let one = match &e.kind {
            ExprKind::Binary(..) => self.number(e).is_some(),
            ExprKind::If(condition, ..) => self.settled(condition).is_some(),
            _ => true,
        };
        match self.value(e) {
            told if one || told.starts_with('`') => told,
            told => format!("({told})"),
        }
    }

    /// Describes `name[by]`.
    fn indexed(&self, name: &str, by: &[Expr]) -> String {
        let noun = if self.is_piece(name) { plural(name) } else { plain(name) };
        let (of, rest) = match by {
            [first, rest @ ..] if self.by_player(name) => match self.player(first) {
                Some(player) => (format!("{} {noun}", owner(&player)), rest),
                None => (noun, by),
            },
            _ => (noun, by),
        };
        match rest {
            [] => of,
            _ => {
                let rest: Vec<String> = rest.iter().map(|one| self.atom(one)).collect();
                format!("{of} of {}", rest.join(" and "))
            }
        }
    }

    fn by_player(&self, name: &str) -> bool {
        name == "turns"
            || self.model.slots.iter().any(|slot| slot.name == name && slot.index.first() == Some(&PLAYER))
    }
}

/// Returns a name with spaces instead of underscores.
pub(crate) fn plain(name: &str) -> String {
    name.replace('_', " ")
}

pub(crate) fn owner(player: &str) -> String {
    match player {
        "you" => "your".to_owned(),
        "they" => "their".to_owned(),
        _ => format!("{player}'s"),
    }
}

/// Returns the plural of a piece's name.
fn plural(noun: &str) -> String {
    let noun = plain(noun);
    match noun.strip_suffix("man") {
        Some(start) => format!("{start}men"),
        None if noun.ends_with('s') => noun,
        None => format!("{noun}s"),
    }
}
