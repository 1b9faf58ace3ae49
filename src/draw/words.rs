//! Conditions and values of the rules in plain words, with the params' values put in.
//!
//! It knows the forms that rules are mostly made of. What it has no words for is shown as it is written.

use crate::engine::values::param_text;
use crate::lang::model::{Model, PLAYER, ParamValue, Role};
use crate::lang::print;
use crate::lang::syntax::{Arg, BinaryOp, Decl, DeclKind, Expr, ExprKind, Name, Quantifier, UnaryOp};

/// Says the rules of one model, seen by somebody.
#[derive(Clone, Copy)]
pub(super) struct Words<'a> {
    pub(super) model: &'a Model,
    decls: &'a [Decl],
    /// What `me` is called: `you`, `the mover`.
    pub(super) me: &'static str,
    /// A local and what it stands for.
    local: Option<(&'a str, &'static str)>,
}

impl<'a> Words<'a> {
    pub(super) fn new(model: &'a Model, decls: &'a [Decl], me: &'static str) -> Self {
        Words { model, decls, me, local: None }
    }

    /// A number that the params alone decide.
    fn number(&self, e: &Expr) -> Option<i64> {
        self.number_within(e, 2)
    }

    /// The same, through so many defines at the most.
    fn number_within(&self, e: &Expr, depth: u32) -> Option<i64> {
        match &e.kind {
            ExprKind::Number(number) => Some(*number),
            ExprKind::Name(name) => match self.param(name) {
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
                    BinaryOp::Divide => a.checked_div(b),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A row, a column or a cell that the params alone decide.
    fn place(&self, call: &str, args: &[Arg]) -> Option<String> {
        let numbers: Vec<i64> = args.iter().map(|arg| self.number(&arg.value)).collect::<Option<_>>()?;
        match (call, numbers.as_slice(), self.model.boards.as_slice()) {
            ("row" | "column", [number], _) => Some(format!("{call} {number}")),
            ("cell", [column, row], [board]) => {
                Some(board.topology.site_name(board.topology.site_at(*column, *row)?))
            }
            _ => None,
        }
    }

    /// Whether a condition holds whatever happens, if the params alone decide that.
    pub(super) fn settled(&self, e: &Expr) -> Option<bool> {
        match &e.kind {
            ExprKind::Bool(value) => Some(*value),
            ExprKind::Name(name) => match self.param(name)? {
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

    /// A param's value, a number, or a word that a param may be.
    fn constant(&self, e: &Expr) -> Option<String> {
        match &e.kind {
            ExprKind::Number(number) => Some(number.to_string()),
            ExprKind::Name(name) => match self.param(name) {
                Some(value) => Some(param_text(value)),
                None => {
                    use crate::lang::model::ParamKind::Choice;
                    let words = |param: &crate::lang::model::Param| match &param.kind {
                        Choice(words) => words.contains(name),
                        _ => false,
                    };
                    self.model.params.iter().any(words).then(|| name.clone())
                }
            },
            _ => None,
        }
    }

    pub(super) fn code(e: &Expr) -> String {
        format!("`{}`", print::expr(e))
    }

    /// A condition as a clause: `the mover's discs make a line of at least 4`.
    pub(super) fn condition(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Binary(BinaryOp::And, a, b) => match (self.settled(a), self.settled(b)) {
                (Some(true), _) => self.condition(b),
                (_, Some(true)) => self.condition(a),
                _ => format!("{} and {}", self.condition(a), self.condition(b)),
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
                over,
                filter: None,
                body,
            } if matches!(&over.kind, ExprKind::Name(all) if all == "players") => {
                let who = if *op == Quantifier::Any { "a player" } else { "every player" };
                // The name lives as long as the tree, which outlives this call only in print.
                let inner = Words { local: Some((&name.text, who)), ..*self };
                let told = inner.condition(body);
                // A clause that does not name the player would be about somebody else.
                if told.contains(who) { told } else { Self::code(e) }
            }
            ExprKind::Name(_) => match self.settled(e) {
                Some(value) => value.to_string(),
                None => format!("{} is true", self.value(e)),
            },
            ExprKind::Unary(UnaryOp::Not, value) if matches!(value.kind, ExprKind::Name(_)) => {
                format!("{} is false", self.value(value))
            }
            _ => Self::code(e),
        }
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
            && let (ExprKind::Name(piece), [by]) = (&base.kind, by.as_slice())
            && let (true, Some(player)) = (self.is_piece(piece), self.player(by))
            && matches!(name.text.as_str(), "some" | "nothing")
        {
            let none = (name.text == "nothing") != negated;
            let has = if player == "you" { "have" } else { "has" };
            return format!("{player} {has} {}{}", if none { "no " } else { "" }, plural(piece));
        }
        let subject = self.value(value);
        if self.is_zone(value) && matches!(name.text.as_str(), "some" | "nothing") {
            let none = (name.text == "nothing") != negated;
            return format!("{subject} is {}empty", if none { "" } else { "not " });
        }
        match (name.text.as_str(), negated) {
            ("nothing", false) | ("some", true) => match &value.kind {
                ExprKind::Name(name) if name == "empty" => format!("there is no {} left", self.empty_one()),
                _ => format!("there is no {subject}"),
            },
            ("nothing", true) | ("some", false) => match &value.kind {
                ExprKind::Name(name) if name == "empty" => format!("there is an {}", self.empty_one()),
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
            ExprKind::Name(name) => name,
            ExprKind::Index(base, _) => match &base.kind {
                ExprKind::Name(name) => name,
                _ => return false,
            },
            _ => return false,
        };
        self.model
            .slots
            .iter()
            .any(|slot| slot.name == *name && matches!(slot.role, Role::Zone | Role::Copies))
    }

    fn is_piece(&self, name: &str) -> bool {
        self.model.slots.iter().any(|slot| slot.name == name && matches!(slot.role, Role::Piece(_)))
    }

    /// A player: `the mover`, `a player`, `X`.
    fn player(&self, e: &Expr) -> Option<String> {
        let ExprKind::Name(name) = &e.kind else { return None };
        match (name.as_str(), self.local) {
            ("me", _) => Some(self.me.to_owned()),
            ("other", _) => Some("the other player".to_owned()),
            (name, Some((local, who))) if name == local => Some(who.to_owned()),
            (name, _) => self.model.players.names.iter().find(|player| *player == name).cloned(),
        }
    }

    /// A value: `your penalties`, `3`, `the mover's discs`.
    pub(super) fn value(&self, e: &Expr) -> String {
        if let Some(player) = self.player(e) {
            return player;
        }
        match &e.kind {
            ExprKind::Number(number) => number.to_string(),
            ExprKind::Bool(value) => if *value { "true" } else { "false" }.to_owned(),
            ExprKind::None => "nobody or nothing".to_owned(),
            ExprKind::Site(site) => site.clone(),
            ExprKind::Name(name) => match self.param(name) {
                Some(value) => param_text(value),
                None if self.is_piece(name) => plural(name),
                None if name == "empty" => "empty places".to_owned(),
                None => plain(name),
            },
            ExprKind::Set(list) if !list.is_empty() => {
                list.iter().map(|one| self.value(one)).collect::<Vec<_>>().join(", ")
            }
            ExprKind::Index(base, by) => match (&base.kind, by.as_slice()) {
                (ExprKind::Name(name), [by]) if self.by_player(name) => match self.player(by) {
                    Some(player) => {
                        let noun = if self.is_piece(name) { plural(name) } else { plain(name) };
                        format!("{} {noun}", owner(&player))
                    }
                    None => Self::code(e),
                },
                _ => Self::code(e),
            },
            ExprKind::Call(name, args) => match (name.text.as_str(), args.as_slice()) {
                ("count", [arg]) => format!("the number of {}", self.value(&arg.value)),
                (call, args) => self.place(call, args).unwrap_or_else(|| Self::code(e)),
            },
            ExprKind::Binary(BinaryOp::Add, a, b) => format!("{} + {}", self.value(a), self.value(b)),
            ExprKind::Binary(BinaryOp::Union, a, b) => format!("{} or {}", self.value(a), self.value(b)),
            _ => Self::code(e),
        }
    }

    fn by_player(&self, name: &str) -> bool {
        self.model.slots.iter().any(|slot| slot.name == name && slot.index == [PLAYER])
    }
}

/// A name as people write it.
pub(super) fn plain(name: &str) -> String {
    name.replace('_', " ")
}

fn owner(player: &str) -> String {
    match player {
        "you" => "your".to_owned(),
        _ => format!("{player}'s"),
    }
}

/// More than one of a piece.
fn plural(noun: &str) -> String {
    let noun = plain(noun);
    match noun.strip_suffix("man") {
        Some(start) => format!("{start}men"),
        None if noun.ends_with('s') => noun,
        None => format!("{noun}s"),
    }
}
