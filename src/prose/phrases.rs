//! Conditions and values of the rules in plain words, with the values of the params filled in.
//!
//! An expression without words, such as a written-out table, is shown as source text.

use std::cell::RefCell;
use std::collections::BTreeSet;

use crate::format::print;
use crate::game::values::param_text;
use crate::model::fold::divide_down;
use crate::model::{Content, Model, PLAYER, ParamValue, Role, Slot};
use crate::prose::members::{Members, is_condition};
use crate::syntax::{Arg, BinaryOp, Decl, DeclKind, Expr, ExprKind, Name, UnaryOp};

/// Context for describing the rules of a model from a point of view.
#[derive(Clone, Copy)]
pub(crate) struct Wording<'a> {
    pub(crate) model: &'a Model,
    pub(crate) decls: &'a [Decl],
    /// The words for `me`: `you`, `the mover`.
    pub(crate) me: &'static str,
    /// Local names and their descriptions, innermost last.
    locals: &'a [LocalName],
    /// Collects the defines that the descriptions name.
    named: &'a NamedDefines,
    /// Whether statements and formulas are described beside the help texts that stand for them.
    pub(super) full: bool,
}

/// The defines that descriptions name, which the reader must know.
#[derive(Debug, Default)]
pub(crate) struct NamedDefines(RefCell<BTreeSet<String>>);

/// A local name and its description.
#[derive(Clone)]
pub(crate) struct LocalName {
    name: String,
    text: String,
    /// Whether it is a player, so that variables are described as the player's own.
    player: bool,
}

impl LocalName {
    /// Creates a local that stands for a player.
    pub(super) fn player(name: &str, text: &str) -> LocalName {
        LocalName { name: name.to_owned(), text: text.to_owned(), player: true }
    }
}

impl<'a> Wording<'a> {
    pub(crate) fn new(
        model: &'a Model,
        decls: &'a [Decl],
        me: &'static str,
        named: &'a NamedDefines,
    ) -> Self {
        Wording { model, decls, me, locals: &[], named, full: false }
    }

    /// Returns `true` if a description names this define.
    pub(super) fn names(&self, define: &str) -> bool {
        self.named.0.borrow().contains(define)
    }

    /// Notes that a description names a define.
    pub(super) fn note(&self, define: &str) {
        self.named.0.borrow_mut().insert(define.to_owned());
    }

    /// Creates a local that stands for an expression.
    pub(crate) fn local(&self, name: &str, value: &Expr) -> LocalName {
        LocalName { name: name.to_owned(), text: self.atom(value), player: self.player(value).is_some() }
    }

    /// Describes a condition in which a local has a description.
    pub(super) fn condition_with(&self, local: LocalName, e: &Expr) -> String {
        let locals = [self.locals, &[local]].concat();
        self.with(&locals).condition(e)
    }

    /// Returns this context with other locals.
    pub(crate) fn with<'b>(self, locals: &'b [LocalName]) -> Wording<'b>
    where
        'a: 'b,
    {
        Wording { locals, ..self }
    }

    /// Returns this context with statements described beside the help texts that stand for them.
    pub(super) fn in_full(self) -> Wording<'a> {
        Wording { full: true, ..self }
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
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), ..) => match self.settled(e) {
                Some(value) => value.to_string(),
                None => self.parts(*op, self.unsettled(e)),
            },
            ExprKind::Binary(op, a, b) => self.comparison(*op, a, b).unwrap_or_else(|| Self::code(e)),
            ExprKind::Is { value, negated, name } => self.being(value, *negated, name),
            ExprKind::Quantified { op, body, .. } => match Members::of(e) {
                Some(members) => self.quantified(*op, members, body),
                None => Self::code(e),
            },
            ExprKind::Call(name, args)
                if matches!(name.text.as_str(), "some" | "nothing") && args.len() == 1 =>
            {
                self.being(&args[0].value, false, name)
            }
            ExprKind::Call(name, args) => self.asked(&name.text, args),
            ExprKind::Bool(value) => value.to_string(),
            ExprKind::Name(_) => match self.settled(e) {
                Some(value) => value.to_string(),
                None => format!("{} is true", self.value(e)),
            },
            ExprKind::Index(..) | ExprKind::Field(..) => format!("{} is true", self.value(e)),
            ExprKind::If(condition, then, otherwise) => match self.settled(condition) {
                Some(true) => self.condition(then),
                Some(false) => self.condition(otherwise),
                None => format!(
                    "{} if {}, else {}",
                    self.part(BinaryOp::And, then, false),
                    self.condition(condition),
                    self.condition(otherwise)
                ),
            },
            ExprKind::Unary(UnaryOp::NoAction, player) => {
                format!("nothing is possible for {}", self.value(player))
            }
            ExprKind::Unary(UnaryOp::Not, value) => self.denied(value),
            _ => Self::code(e),
        }
    }

    /// Returns a condition without the sides of `and` and `or` that the params decide.
    pub(super) fn unsettled<'e>(&self, e: &'e Expr) -> &'e Expr {
        match &e.kind {
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                match (self.settled(a), self.settled(b)) {
                    (Some(_), None) => self.unsettled(b),
                    (None, Some(_)) => self.unsettled(a),
                    _ => e,
                }
            }
            _ => e,
        }
    }

    /// Describes conditions that `and` or `or` joins: `a and b and either c or d`.
    fn parts(&self, op: BinaryOp, e: &Expr) -> String {
        let mut parts = vec![];
        self.flat(op, e, &mut parts);
        let last = parts.len() - 1;
        let told = parts.iter().enumerate().map(|(at, part)| self.part(op, part, at == last));
        told.collect::<Vec<_>>().join(if op == BinaryOp::And { " and " } else { " or " })
    }

    /// Collects the conditions that one operator joins.
    fn flat<'e>(&self, op: BinaryOp, e: &'e Expr, parts: &mut Vec<&'e Expr>) {
        match (&e.kind, self.unsettled(e)) {
            (ExprKind::Binary(of, a, b), same) if *of == op && std::ptr::eq(same, e) => {
                self.flat(op, a, parts);
                self.flat(op, b, parts);
            }
            (_, part) if std::ptr::eq(part, e) => parts.push(part),
            (_, part) => self.flat(op, part, parts),
        }
    }

    /// Describes a condition as a side of `and` or `or`, in parentheses if the words beside it would seem to belong
    /// to it. `last` means that nothing follows it.
    pub(super) fn part(&self, op: BinaryOp, e: &Expr, last: bool) -> String {
        let e = self.unsettled(e);
        let told = self.condition(e);
        let joins =
            |e: &Expr| matches!(self.unsettled(e).kind, ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..));
        let wraps = match &e.kind {
            ExprKind::Binary(BinaryOp::Or, a, b) if op == BinaryOp::And => {
                if last && ![a, b].into_iter().any(|side| holds_and(self.unsettled(side))) {
                    return format!("either {told}");
                }
                true
            }
            ExprKind::Binary(BinaryOp::And, ..) => op == BinaryOp::Or,
            ExprKind::Binary(BinaryOp::Equal, a, b) if matches!(a.kind, ExprKind::Tuple(_)) => {
                op == BinaryOp::Or && matches!(b.kind, ExprKind::Tuple(_))
            }
            ExprKind::Binary(BinaryOp::Equal | BinaryOp::NotEqual, a, b) => {
                told.contains('(') && self.is_truth(a) && self.is_truth(b)
            }
            ExprKind::If(condition, ..) => self.settled(condition).is_none(),
            ExprKind::Quantified { body, .. } => told.starts_with("for ") || joins(body),
            _ => false,
        };
        let opens = !last
            && (["for ", "not for "].iter().any(|start| told.starts_with(start))
                || told.starts_with("it is not so that ") && !told.ends_with(')'));
        let decides = !last && told.ends_with(FIRST_DECIDES);
        if wraps || opens || decides { format!("({told})") } else { told }
    }

    /// Returns `true` if an expression is true or false, judging by its form.
    pub(super) fn is_truth(&self, e: &Expr) -> bool {
        self.is_truth_within(e, 4)
    }

    /// Like [`Wording::is_truth`], through at most `depth` nested defines.
    fn is_truth_within(&self, e: &Expr, depth: u32) -> bool {
        match &e.kind {
            _ if is_condition(e) => true,
            ExprKind::Bool(_) => true,
            ExprKind::Name(Name { text: name, .. }) | ExprKind::Call(Name { text: name, .. }, _)
                if self.find(name).is_none() && self.is_define(name) =>
            {
                depth > 0 && self.define(name).is_some_and(|value| self.is_truth_within(value, depth - 1))
            }
            ExprKind::Call(name, _) => {
                matches!(name.text.as_str(), "connected" | "double" | "repeated" | "some" | "nothing")
            }
            ExprKind::If(_, then, otherwise) => {
                self.is_truth_within(then, depth) && self.is_truth_within(otherwise, depth)
            }
            ExprKind::Name(_) | ExprKind::Index(..) => self.declared(e) == Some(Content::Bool),
            _ => false,
        }
    }

    /// Describes whether two conditions are both true or both false. Returns `None` for other values.
    fn agreement(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<String> {
        let same = match op {
            BinaryOp::Equal => true,
            BinaryOp::NotEqual => false,
            _ => return None,
        };
        if !self.is_truth(a) || !self.is_truth(b) {
            return None;
        }
        Some(match (&a.kind, &b.kind) {
            (ExprKind::Bool(value), _) if *value == same => self.condition(b),
            (ExprKind::Bool(_), _) => self.denied(b),
            (_, ExprKind::Bool(value)) if *value == same => self.condition(a),
            (_, ExprKind::Bool(_)) => self.denied(a),
            _ => {
                let (a, b) = (self.condition(a), self.condition(b));
                match same {
                    true => format!("({a}) exactly if ({b})"),
                    false => format!("exactly one of these holds: ({a}), ({b})"),
                }
            }
        })
    }

    /// Describes a value that is assigned: a condition as `true if …, else false`.
    pub(super) fn assigned(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Bool(_) | ExprKind::Name(_) | ExprKind::Index(..) => self.value(e),
            _ if self.settled(e).is_none() && self.is_truth(e) => {
                format!("true if {}, else false", self.condition(e))
            }
            _ => self.value(e),
        }
    }

    /// Describes a value in a comparison, in parentheses if what follows would seem to belong to it.
    fn operand(&self, e: &Expr) -> String {
        closed(self.value(e))
    }

    pub(super) fn comparison(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<String> {
        if let (ExprKind::Tuple(left), ExprKind::Tuple(right)) = (&a.kind, &b.kind) {
            return self.lists(op, left, right);
        }
        if let Some(told) = self.agreement(op, a, b) {
            return Some(told);
        }
        let bound = match &b.kind {
            ExprKind::Set(list) if list.len() > 1 => format!("({})", self.value(b)),
            _ => closed(self.either(b)),
        };
        if let BinaryOp::GreaterEqual | BinaryOp::Greater | BinaryOp::Equal = op
            && let ExprKind::Call(name, args) = &a.kind
            && let ([arg], "longest") = (args.as_slice(), name.text.as_str())
        {
            let how = match op {
                BinaryOp::GreaterEqual => "at least ",
                BinaryOp::Greater => "more than ",
                _ => "exactly ",
            };
            return Some(format!("{} make a line of {how}{bound}", self.value(&arg.value)));
        }
        let is = if is_several(&self.value(a)) { "are" } else { "is" };
        let subject = self.operand(a);
        if let BinaryOp::In | BinaryOp::NotIn = op
            && self.is_set(a)
        {
            let not = if op == BinaryOp::In { "" } else { "not " };
            return Some(format!("{subject} {is} {not}within {bound}"));
        }
        let how = match op {
            BinaryOp::Equal => "",
            BinaryOp::NotEqual => "not ",
            BinaryOp::Less => "less than ",
            BinaryOp::LessEqual => "at most ",
            BinaryOp::Greater => "more than ",
            BinaryOp::GreaterEqual => "at least ",
            BinaryOp::In => "one of ",
            BinaryOp::NotIn => "not one of ",
            _ => return None,
        };
        Some(format!("{subject} {is} {how}{bound}"))
    }

    /// Describes a comparison of lists.
    fn lists(&self, op: BinaryOp, left: &[Expr], right: &[Expr]) -> Option<String> {
        if op == BinaryOp::Equal {
            let pairs = left.iter().zip(right).map(|(a, b)| self.comparison(op, a, b));
            return Some(pairs.collect::<Option<Vec<_>>>()?.join(" and "));
        }
        let how = match op {
            BinaryOp::Less => "less than",
            BinaryOp::LessEqual => "at most",
            BinaryOp::Greater => "more than",
            BinaryOp::GreaterEqual => "at least",
            _ => return None,
        };
        let value = |e: &Expr| if is_condition(e) { self.condition(e) } else { self.value(e) };
        let list = |parts: &[Expr]| parts.iter().map(value).collect::<Vec<_>>().join(", then ");
        Some(format!("({}) is {how} ({}){FIRST_DECIDES}", list(left), list(right)))
    }

    pub(super) fn being(&self, value: &Expr, negated: bool, name: &Name) -> String {
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
            return format!("{} and {} have {common} in common", self.any_of(a), self.any_of(b));
        }
        let subject = self.either(value);
        if let "some" | "nothing" = name.text.as_str() {
            let none = (name.text == "nothing") != negated;
            let not = if none { "" } else { "not " };
            match self.declared(value) {
                _ if self.is_zone(value) => return format!("{subject} is {not}empty"),
                Some(Content::Set(_)) => return format!("{subject} is {not}empty"),
                Some(Content::Element { domain: PLAYER, .. }) => {
                    return format!("{subject} is {}", if none { "nobody" } else { "somebody" });
                }
                Some(Content::Element { .. }) => {
                    return format!("{subject} is {}", if none { "not set" } else { "set" });
                }
                _ => {}
            }
            let no = if none { "no " } else { "" };
            return match &value.kind {
                ExprKind::Name(Name { text: name, .. }) if name == "empty" && none => {
                    format!("there is no {} left", self.empty_one())
                }
                ExprKind::Name(Name { text: name, .. }) if name == "empty" => {
                    format!("there is an {}", self.empty_one())
                }
                // “no your cards” is no English.
                _ if subject.starts_with("your ") || subject.contains("'s ") || subject.contains("' ") => {
                    let are = if is_several(&subject) { "are" } else { "is" };
                    format!("{subject} {are} {not}empty")
                }
                _ if is_several(&subject) => format!("there are {no}{subject}"),
                _ => format!("there is {no}{subject}"),
            };
        }
        match (name.text.as_str(), negated) {
            ("double", false) => format!("{subject} is a double"),
            ("double", true) => format!("{subject} is no double"),
            (word, negated) => {
                if self.is_define(word) {
                    self.note(word);
                }
                format!("{subject} is {}{}", if negated { "not " } else { "" }, plain(word))
            }
        }
    }

    /// Describes a union as alternatives: `stones or walls`.
    pub(super) fn either(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Binary(BinaryOp::Union, a, b) => format!("{} or {}", self.either(a), self.either(b)),
            _ => self.value(e),
        }
    }

    /// Describes a set of which an element is asked for: like [`Wording::atom`], with a union as alternatives.
    fn any_of(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Binary(BinaryOp::Union, ..) => format!("({})", self.either(e)),
            _ => closed(self.atom(e)),
        }
    }

    /// Returns the content of a variable, given its name, with an index or without.
    fn declared(&self, value: &Expr) -> Option<Content> {
        let name = declared_name(value)?;
        if self.find(name).is_some() {
            return None;
        }
        let is = |slot: &&Slot| slot.name == *name && slot.role == Role::Variable;
        self.model.slots.iter().find(is).map(|slot| slot.content)
    }

    /// Returns the help text of a variable or a zone, given its name, with an index or without.
    pub(super) fn help_of_slot(&self, value: &Expr) -> Option<&'a str> {
        let name = declared_name(value)?;
        let slot = self.model.slots.iter().find(|slot| slot.name == *name)?;
        let is_kept = matches!(slot.role, Role::Variable | Role::Zone | Role::Copies);
        (is_kept && !slot.help.is_empty() && slot.help != plain(name)).then_some(slot.help.as_str())
    }

    fn empty_one(&self) -> String {
        match self.model.boards.as_slice() {
            [board] => format!("empty {}", board.name),
            _ => "empty place".to_owned(),
        }
    }

    pub(super) fn is_zone(&self, value: &Expr) -> bool {
        let Some(name) = declared_name(value) else { return false };
        self.model
            .slots
            .iter()
            .any(|slot| slot.name == *name && matches!(slot.role, Role::Zone | Role::Copies))
    }

    pub(super) fn is_piece(&self, name: &str) -> bool {
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
                (None, None) if matches!(name.as_str(), "mover" | "starter") => format!("the {name}"),
                (None, None) if name == "playing" => "the players who still play".to_owned(),
                (None, None) => {
                    if self.is_define(name) {
                        self.note(name);
                    }
                    plain(name)
                }
            },
            ExprKind::Range(low, high) => format!("{} to {}", self.value(low), self.value(high)),
            ExprKind::Set(list) if list.is_empty() => "nothing".to_owned(),
            ExprKind::Set(list) => list.iter().map(|one| self.value(one)).collect::<Vec<_>>().join(", "),
            ExprKind::Index(base, by) => match &base.kind {
                ExprKind::Name(Name { text: name, .. }) => self.indexed(name, by),
                _ => {
                    let by: Vec<String> = by.iter().map(|one| self.atom(one)).collect();
                    format!("{} of {}", self.atom(base), by.join(" and "))
                }
            },
            ExprKind::Field(of, field) => match &of.kind {
                ExprKind::Name(_) => format!("{}'s {}", self.value(of), plain(&field.text)),
                _ => format!("the {} of {}", plain(&field.text), self.atom(of)),
            },
            ExprKind::Call(name, args) => {
                self.place(&name.text, args).unwrap_or_else(|| self.called(&name.text, args))
            }
            ExprKind::Binary(..) if self.number(e).is_some() => {
                self.number(e).map_or_else(String::new, |number| number.to_string())
            }
            ExprKind::Binary(op, a, b) => {
                let sides = || (self.atom(a), self.atom(b));
                match (op, sides()) {
                    (BinaryOp::Add, _) => format!("{} + {}", self.term(a), self.term(b)),
                    (BinaryOp::Union, _) => format!("{} and {}", self.member(a), self.member(b)),
                    (BinaryOp::Subtract, _) if is_name(a, "players") && is_name(b, "me") => {
                        "the other players".to_owned()
                    }
                    (BinaryOp::Subtract, (a_text, b_text)) if self.is_set(a) || self.is_set(b) => {
                        format!("{a_text} without {b_text}")
                    }
                    (BinaryOp::Subtract, (_, b_text)) => format!("{} - {b_text}", self.term(a)),
                    (BinaryOp::Multiply, (a, b)) => format!("{a} times {b}"),
                    (BinaryOp::Divide, (a, b)) => format!("{a} divided by {b}"),
                    (BinaryOp::Modulo, (a, b)) => format!("the remainder of {a} divided by {b}"),
                    (BinaryOp::Intersect, _) => {
                        format!("what {} and {} have in common", self.any_of(a), self.any_of(b))
                    }
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
            ExprKind::Comprehension { name, over, filter } => self.those(name, over, filter),
            ExprKind::Quantified { .. } | ExprKind::Is { .. } => self.condition(e),
            ExprKind::Unary(UnaryOp::Not | UnaryOp::NoAction, _) => self.condition(e),
            ExprKind::Die(faces) => format!("a die with {faces} faces"),
            ExprKind::Text(text) => format!("“{text}”"),
            ExprKind::Tuple(parts) => {
                parts.iter().map(|part| self.value(part)).collect::<Vec<_>>().join(", then ")
            }
            ExprKind::Map(_) | ExprKind::Hole => Self::code(e),
        }
    }

    /// Describes a define: a condition or a value.
    pub(crate) fn meaning(&self, e: &Expr) -> String {
        if let Some(value) = self.settled(e) {
            return value.to_string();
        }
        match is_condition(e) {
            true => match self.condition(e) {
                told if told.starts_with('`') => told,
                told => format!("true if {told}"),
            },
            false => self.value(e),
        }
    }

    /// Describes a value inside another one, in parentheses if it is compound.
    pub(crate) fn atom(&self, e: &Expr) -> String {
        let one = match &e.kind {
            ExprKind::Binary(..) => self.number(e).is_some(),
            ExprKind::If(condition, ..) => self.settled(condition).is_some(),
            ExprKind::Quantified { .. } | ExprKind::Comprehension { .. } => false,
            _ => true,
        };
        match self.value(e) {
            told if one || told.starts_with('`') => told,
            told => format!("({told})"),
        }
    }

    /// Describes a term of a sum, in parentheses if what follows would seem to belong to it.
    fn term(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::If(..)
            | ExprKind::Quantified { .. }
            | ExprKind::Binary(BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Modulo, ..) => self.atom(e),
            _ => self.value(e),
        }
    }

    /// Describes a part of a union, in parentheses if what follows would seem to belong to it.
    fn member(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::If(..) | ExprKind::Quantified { .. } | ExprKind::Comprehension { .. } => self.atom(e),
            ExprKind::Binary(BinaryOp::Union, ..) => self.value(e),
            _ => closed(self.value(e)),
        }
    }

    /// Describes `name[by]`.
    fn indexed(&self, name: &str, by: &[Expr]) -> String {
        let noun = if self.is_piece(name) { plural(name) } else { plain(name) };
        let (of, rest) = match by {
            [first, rest @ ..] if self.by_player(name) => match (self.player(first), &first.kind) {
                (Some(player), _) => (owned(&player, &noun, rest.is_empty()), rest),
                (None, ExprKind::Name(_)) => (owned(&self.value(first), &noun, rest.is_empty()), rest),
                _ => (noun, by),
            },
            _ => (noun, by),
        };
        let rest: Vec<String> = rest.iter().map(|one| self.atom(one)).collect();
        of_all(&of, &rest)
    }

    fn by_player(&self, name: &str) -> bool {
        name == "turns"
            || self.model.slots.iter().any(|slot| slot.name == name && slot.index.first() == Some(&PLAYER))
    }
}

pub(super) fn is_name(e: &Expr, name: &str) -> bool {
    matches!(&e.kind, ExprKind::Name(one) if one.text == name)
}

/// Returns the name of an expression `name` or `name[…]`.
pub(super) fn declared_name(value: &Expr) -> Option<&String> {
    match &value.kind {
        ExprKind::Name(Name { text, .. }) => Some(text),
        ExprKind::Index(base, _) => match &base.kind {
            ExprKind::Name(Name { text, .. }) => Some(text),
            _ => None,
        },
        _ => None,
    }
}

/// Prepositions with which the name of a define may begin or end: `coins_of`, `in_check`.
const PREPOSITIONS: [&str; 13] =
    ["after", "at", "before", "behind", "beside", "by", "for", "from", "in", "of", "on", "to", "with"];

/// The words after a comparison of lists.
const FIRST_DECIDES: &str = ", where the first difference decides";

/// Splits the preposition off the end of a noun: `coins of` is `coins` and `of`.
pub(super) fn preposition_after(noun: &str) -> Option<(&str, &str)> {
    noun.rsplit_once(' ').filter(|(_, last)| PREPOSITIONS.contains(last))
}

/// Splits the preposition off the beginning of a noun: `of suit` is `of` and `suit`.
pub(super) fn preposition_before(noun: &str) -> Option<(&str, &str)> {
    noun.split_once(' ').filter(|(first, _)| PREPOSITIONS.contains(first))
}

/// Returns what a player has: `your coins`. A name such as `coins_of` has an `of` too many if nothing follows.
pub(super) fn owned(player: &str, noun: &str, last: bool) -> String {
    match preposition_after(noun) {
        Some((noun, "of")) if last => format!("{} {noun}", owner(player)),
        Some((noun, word)) if last => format!("{noun} {word} {player}"),
        _ => format!("{} {noun}", owner(player)),
    }
}

/// Returns `noun of a and b`, or the noun alone. A name such as `winner_of` or `points_for` has its preposition already.
pub(super) fn of_all(noun: &str, of: &[String]) -> String {
    match (of, preposition_after(noun)) {
        ([], _) => noun.to_owned(),
        (of, Some(_)) => format!("{noun} {}", of.join(" and ")),
        (of, None) => format!("{noun} of {}", of.join(" and ")),
    }
}

/// Returns words in parentheses if they contain, outside of parentheses, a word to which what follows could belong.
pub(super) fn closed(told: String) -> String {
    const OPEN: [&str; 6] = [" where ", " if ", " for every ", " for any ", " and ", " or "];
    let mut depth = 0;
    let is_open = told.char_indices().any(|(at, c)| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        depth == 0 && c == ' ' && OPEN.iter().any(|open| told[at..].starts_with(open))
    });
    if is_open && !told.starts_with('`') { format!("({told})") } else { told }
}

/// Returns `true` if a condition joins others with `and`, or with `or` of such.
fn holds_and(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Binary(BinaryOp::And, ..) => true,
        ExprKind::Binary(BinaryOp::Or, a, b) => holds_and(a) || holds_and(b),
        _ => false,
    }
}

/// Returns `true` if a description is plural, judging by its first noun.
pub(super) fn is_several(subject: &str) -> bool {
    let noun = subject.split(" of ").next().unwrap_or(subject);
    let noun = noun.split(" who ").next().unwrap_or(noun);
    let noun = noun.split(" for ").next().unwrap_or(noun);
    // A variable can have the name `s`.
    let ends_so = noun.len() > 2 && noun.ends_with('s') && !noun.ends_with("ss") && !noun.ends_with("us");
    subject == "you" || ends_so || noun.ends_with("men")
}

/// Returns a name with spaces instead of underscores.
pub(crate) fn plain(name: &str) -> String {
    name.replace('_', " ")
}

pub(crate) fn owner(player: &str) -> String {
    match player {
        "you" => "your".to_owned(),
        "they" => "their".to_owned(),
        _ if player.ends_with('s') => format!("{player}'"),
        _ => format!("{player}'s"),
    }
}

/// Returns the plural of the name of a piece or an element.
pub(super) fn plural(noun: &str) -> String {
    let noun = plain(noun);
    match noun.strip_suffix("man") {
        Some(start) => format!("{start}men"),
        None if noun.ends_with('s') => noun,
        None => format!("{noun}s"),
    }
}
