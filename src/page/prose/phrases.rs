//! Values of the rules in plain words, with the values of the params filled in, and the context for all descriptions.
//!
//! An expression without words, such as a written-out table, is shown as source text.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use crate::prose::acting::ActorWords;
use crate::prose::grammar::{
    ROUNDED_DOWN, case_closed, choice_closed, clause_closed, closed, is_several, name_closed, of_all,
    operand_closed, ordinal, owned, piece, pieces, plural, preposition_after, with_article,
};
use crate::prose::sets::shared_sets;
use houserule_base::names::plain;
use houserule_game::values::param_text;
use houserule_language::diagnostic::Span;
use houserule_language::format::print;
use houserule_language::syntax::{BinaryOp, Decl, Expr, ExprKind, Name, Quantifier, UnaryOp};
use houserule_language::vocabulary::Function;
use houserule_model::{
    CheckedExprKind, Content, DomainId, DomainKind, Model, PLAYER, Role, Slot, Type, Value, walk,
};

/// Context for describing the rules of a model from a point of view.
#[derive(Clone, Copy)]
pub(crate) struct Wording<'a> {
    pub(crate) model: &'a Model,
    pub(crate) decls: &'a [Decl],
    /// The words for `me`: `you`, `the mover`.
    pub(crate) me: &'static str,
    /// The words for `me` and `other` in the block of `as p { … }`, instead of those above.
    pub(super) actor: Option<&'a ActorWords>,
    /// Local names and their descriptions, innermost last.
    locals: &'a [LocalName],
    /// Collects the defines that the descriptions name.
    named: &'a NamedDefines,
    /// Whether statements and formulas are described beside the help texts that stand for them.
    pub(super) full: bool,
}

/// The names in descriptions that the reader must know.
#[derive(Debug, Default)]
pub(crate) struct NamedDefines {
    /// The defines.
    defines: RefCell<BTreeSet<String>>,
    /// The other names that no description replaces, such as those of a `let` and of a loop.
    others: RefCell<BTreeSet<String>>,
    /// Where the rules have sets. The form of an expression alone doesn't tell it of parameters and of local names.
    sets: OnceCell<BTreeSet<Span>>,
    /// Where the rules have a player, or nobody.
    players: OnceCell<BTreeSet<Span>>,
    /// Where the rules have `none`, and what is missing there.
    missing: OnceCell<BTreeMap<Span, DomainId>>,
    /// Where the rules have `best … by`, and what it finds there.
    best: OnceCell<BTreeMap<Span, DomainId>>,
}

/// A local name and its description.
#[derive(Clone)]
pub(crate) struct LocalName {
    name: String,
    text: String,
    /// Whether it is a player, so that variables are described as the player's own.
    player: bool,
    /// Whether it stands for a single place.
    pub(super) is_place: bool,
    /// The names in its description.
    names: BTreeSet<String>,
}

impl LocalName {
    /// Creates a local that stands for a player.
    pub(super) fn player(name: &str, text: &str) -> LocalName {
        LocalName {
            name: name.to_owned(),
            text: text.to_owned(),
            player: true,
            is_place: false,
            names: BTreeSet::new(),
        }
    }
}

impl<'a> Wording<'a> {
    pub(crate) fn new(
        model: &'a Model,
        decls: &'a [Decl],
        me: &'static str,
        named: &'a NamedDefines,
    ) -> Self {
        Wording { model, decls, me, actor: None, locals: &[], named, full: false }
    }

    /// Returns the built-in function of a name, unless a define of the file has it.
    pub(super) fn function_named(&self, name: &str) -> Option<Function> {
        Function::named(name).filter(|_| !self.is_define(name))
    }

    /// Returns `true` for the word that stands for what a variant's base has in the same place: nothing has it as a name.
    pub(super) fn means_same(&self, name: &str) -> bool {
        name == "same"
            && self.find(name).is_none()
            && self.param(name).is_none()
            && !self.is_define(name)
            && self.model.slots.iter().all(|slot| slot.name != name)
            && !self.model.players.names.iter().any(|player| player == name)
            && !self.model.domains.iter().any(|domain| match &domain.kind {
                DomainKind::Enum(values) => values.iter().any(|value| value == name),
                DomainKind::Record { named, .. } => named.iter().any(|(_, value)| value == name),
                _ => false,
            })
    }

    /// Returns `true` if a description names this define.
    pub(super) fn names(&self, define: &str) -> bool {
        self.named.defines.borrow().contains(define)
    }

    /// Notes that a description names a define.
    pub(super) fn note(&self, define: &str) {
        self.named.defines.borrow_mut().insert(define.to_owned());
    }

    /// Makes descriptions, and returns with them the names in them that aren't defines.
    pub(super) fn naming<T>(&self, make: impl FnOnce() -> T) -> (T, BTreeSet<String>) {
        let before = self.named.others.take();
        let made = make();
        (made, self.named.others.replace(before))
    }

    /// Returns `true` if `-` takes one set away from another one.
    fn takes_away(&self, e: &Expr, a: &Expr, b: &Expr) -> bool {
        let found = || self.find_spans(|ty| matches!(ty, Type::Set(_)));
        self.is_set(a) || self.is_set(b) || self.named.sets.get_or_init(found).contains(&e.span)
    }

    /// Returns where the rules have expressions of some types.
    fn find_spans(&self, is_wanted: impl Fn(Type) -> bool) -> BTreeSet<Span> {
        let mut found = BTreeSet::new();
        walk::all_exprs(self.model, &mut |one| {
            if is_wanted(one.ty) {
                found.insert(one.span);
            }
        });
        found
    }

    /// Returns `true` if a local name without a description stands for a player, or for nobody.
    pub(super) fn is_local_player(&self, e: &Expr) -> bool {
        let ExprKind::Name(Name { text: name, .. }) = &e.kind else { return false };
        if self.player(e).is_some() || self.find(name).is_some() || self.is_define(name) {
            return false;
        }
        let found = || self.find_spans(|ty| ty == Type::Element(PLAYER));
        self.named.players.get_or_init(found).contains(&e.span)
    }

    /// Describes `none` by what is missing: `nobody`, `no card`.
    fn missing(&self, none: &Expr) -> String {
        let found = || {
            let mut found = BTreeMap::new();
            walk::all_exprs(self.model, &mut |one| {
                if let (CheckedExprKind::Constant(Value::Element(None)), Type::Element(of)) =
                    (&one.kind, one.ty)
                {
                    found.insert(one.span, of);
                }
            });
            found
        };
        let of = self.named.missing.get_or_init(found).get(&none.span);
        match of.map(|of| (*of, &self.model.domains[of.index()].name)) {
            Some((PLAYER, _)) => "nobody".to_owned(),
            // The name of a range without one is how it is written.
            Some((_, name)) if name.contains("..") => "no number".to_owned(),
            Some((_, name)) => format!("no {}", plain(name)),
            None => "nobody or nothing".to_owned(),
        }
    }

    /// Returns the domain of the element that `best … by` finds in a set.
    pub(super) fn domain_of_best(&self, best: &Expr, set: &Expr) -> Option<DomainId> {
        if let ExprKind::Name(Name { text, .. }) = &set.kind
            && self.is_domain(text)
        {
            let mut domains = (0..).map(DomainId).zip(&self.model.domains);
            return domains.find(|(_, domain)| domain.name == *text).map(|(id, _)| id);
        }
        let found = || {
            let mut found = BTreeMap::new();
            walk::all_exprs(self.model, &mut |one| {
                if let (CheckedExprKind::Quantified { op: Quantifier::Best, .. }, Type::Element(of)) =
                    (&one.kind, one.ty)
                {
                    found.insert(one.span, of);
                }
            });
            found
        };
        self.named.best.get_or_init(found).get(&best.span).copied()
    }

    /// Notes that a description has these names.
    pub(super) fn note_names(&self, names: &BTreeSet<String>) {
        self.named.others.borrow_mut().extend(names.iter().cloned());
    }

    /// Creates a local that stands for an expression.
    pub(crate) fn local(&self, name: &str, value: &Expr) -> LocalName {
        let (text, names) = self.naming(|| self.atom(value));
        LocalName {
            name: name.to_owned(),
            text,
            player: self.player(value).is_some(),
            is_place: self.is_one_place(value),
            names,
        }
    }

    /// Describes a condition in which a local has a description.
    pub(super) fn condition_with(&self, local: LocalName, e: &Expr) -> String {
        let locals = self.with_local(local);
        self.with(&locals).condition(e)
    }

    /// Describes a value in which a local has a description.
    pub(super) fn value_with(&self, local: LocalName, e: &Expr) -> String {
        let locals = self.with_local(local);
        self.with(&locals).value(e)
    }

    /// Returns the locals of this context with another one.
    pub(super) fn with_local(&self, local: LocalName) -> Vec<LocalName> {
        [self.locals, &[local]].concat()
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
        Wording { me, actor: None, ..self }
    }

    /// Returns this context in the block of `as p { … }`.
    pub(super) fn acted_by<'b>(self, actor: &'b ActorWords) -> Wording<'b>
    where
        'a: 'b,
    {
        Wording { actor: Some(actor), ..self }
    }

    /// Returns `true` if a name means a domain.
    pub(super) fn is_domain(&self, name: &str) -> bool {
        self.find(name).is_none() && self.model.domains.iter().any(|domain| domain.name == name)
    }

    pub(super) fn find(&self, name: &str) -> Option<&'a LocalName> {
        self.locals.iter().rev().find(|local| local.name == name)
    }

    /// Returns the description of a local where it is used.
    fn text_of(&self, local: &LocalName) -> String {
        self.note_names(&local.names);
        local.text.clone()
    }

    pub(crate) fn code(e: &Expr) -> String {
        format!("`{}`", print::expr(e))
    }

    /// Describes a union as alternatives: `stones or walls`.
    pub(super) fn either(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Binary(BinaryOp::Union, a, b) => {
                format!("{} or {}", self.alternative(a), self.alternative(b))
            }
            _ => self.value(e),
        }
    }

    /// Describes a part of a union as one of several alternatives.
    pub(super) fn alternative(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Binary(BinaryOp::Union, ..) => self.either(e),
            ExprKind::Binary(BinaryOp::Intersect, ..) => self.atom(e),
            _ => closed(self.value(e)),
        }
    }

    /// Describes a set of which an element is asked for: like [`Wording::atom`], with a union as alternatives.
    pub(super) fn any_of(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Binary(BinaryOp::Union, ..) => format!("({})", self.either(e)),
            ExprKind::Set(list) if list.len() > 1 => format!("({})", self.value(e)),
            _ => self.all_elements(e).unwrap_or_else(|| closed(self.atom(e))),
        }
    }

    /// Returns the content of a variable, given its name, with an index or without.
    pub(super) fn declared(&self, value: &Expr) -> Option<Content> {
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
            ("me", _) => Some(self.acting_player()),
            ("other", _) => Some(self.other_player()),
            (_, Some(local)) => local.player.then(|| self.text_of(local)),
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
            ExprKind::None => self.missing(e),
            ExprKind::Site(site) => site.text.clone(),
            ExprKind::Player(number) => format!("player {number}"),
            ExprKind::Name(Name { text: name, .. }) if self.means_same(name) => "what it was".to_owned(),
            ExprKind::Name(Name { text: name, .. }) => match (self.find(name), self.param(name)) {
                (Some(local), _) => self.text_of(local),
                (None, Some(value)) => param_text(value),
                (None, None) if self.is_piece(name) => pieces(name),
                (None, None) if self.is_zone(e) => self.zone(name),
                (None, None) if self.names_empty_places(name) => self.empty_places(),
                (None, None) if matches!(name.as_str(), "mover" | "starter") => format!("the {name}"),
                (None, None) if name == "playing" => "the players who still play".to_owned(),
                (None, None) => {
                    match self.is_define(name) {
                        true => self.note(name),
                        false => self.note_names(&BTreeSet::from([name.clone()])),
                    }
                    name_closed(plain(name))
                }
            },
            ExprKind::Range(low, high) => format!("{} to {}", self.whole(low), self.whole(high)),
            ExprKind::Set(list) if list.is_empty() => "nothing".to_owned(),
            ExprKind::Set(list) => list.iter().map(|one| self.whole(one)).collect::<Vec<_>>().join(", "),
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
            ExprKind::Binary(..) if let Some(number) = self.number(e) => number.to_string(),
            ExprKind::Binary(op, a, b) => match op {
                BinaryOp::Add => format!("{} + {}", self.first_term(a), self.term(b)),
                BinaryOp::Union => format!("{} and {}", self.member(a), self.member(b)),
                BinaryOp::Subtract if let Some(others) = self.name_others(a, b) => others.to_owned(),
                BinaryOp::Subtract if self.takes_away(e, a, b) => self.without(a, b),
                BinaryOp::Subtract => format!("{} - {}", self.first_term(a), self.atom(b)),
                BinaryOp::Multiply => format!("{} times {}", self.factor(a), self.atom(b)),
                BinaryOp::Divide => {
                    format!("{} divided by {}{ROUNDED_DOWN}", self.factor(a), self.atom(b))
                }
                BinaryOp::Modulo => {
                    format!("the remainder of {} divided by {}", self.factor(a), self.atom(b))
                }
                BinaryOp::Intersect if let Some(place) = self.crossing_place(a, b) => place,
                BinaryOp::Intersect => self.in_common(&shared_sets(e)),
                _ => self.condition(e),
            },
            ExprKind::Unary(UnaryOp::Negate, value) => format!("minus {}", self.atom(value)),
            ExprKind::If(condition, then, otherwise) => match self.settled(condition) {
                Some(true) => self.value(then),
                Some(false) => self.value(otherwise),
                None if self.is_same_set(condition, then) => {
                    format!("{} if there are any, else {}", self.case(then), self.value(otherwise))
                }
                None => format!(
                    "{} if {}, else {}",
                    clause_closed(self.case(then)),
                    case_closed(self.condition(condition)),
                    self.value(otherwise)
                ),
            },
            ExprKind::Comprehension { name, over, filter } => self.those(name, over, filter),
            ExprKind::Values { name, over, filter, body } => self.values(name, over, filter.as_deref(), body),
            ExprKind::Quantified { .. } | ExprKind::Is { .. } => self.condition(e),
            ExprKind::Unary(UnaryOp::Not | UnaryOp::NoAction, _) => self.condition(e),
            ExprKind::Die(faces) => format!("a die with {faces} faces"),
            ExprKind::Text(text) => format!("“{text}”"),
            ExprKind::Tuple(parts) => {
                parts.iter().map(|part| self.whole(part)).collect::<Vec<_>>().join(", then ")
            }
            ExprKind::Map(_) | ExprKind::Hole => Self::code(e),
        }
    }

    /// Describes a set without another one, or without several: `cells without (stones and walls)`.
    fn without(&self, all: &Expr, gone: &Expr) -> String {
        let (mut all, mut gone) = (all, vec![gone]);
        while let ExprKind::Binary(BinaryOp::Subtract, more, less) = &all.kind
            && self.takes_away(all, more, less)
            && self.name_others(more, less).is_none()
        {
            gone.push(less);
            all = more;
        }
        let parts: Vec<&Expr> = gone
            .into_iter()
            .rev()
            .flat_map(|set| match &set.kind {
                ExprKind::Set(list) if list.len() > 1 => list.iter().collect(),
                _ => vec![set],
            })
            .collect();
        let gone = match parts.as_slice() {
            [one] => self.atom(one),
            parts => {
                let parts: Vec<String> = parts.iter().map(|part| self.member(part)).collect();
                format!("({})", parts.join(" and "))
            }
        };
        match self.all_elements(all).unwrap_or_else(|| self.atom(all)) {
            // “The players who still play without X” would seem to play without X.
            all if all.ends_with(" who still play") => format!("({all}) without {gone}"),
            all => format!("{all} without {gone}"),
        }
    }

    /// Returns `true` if a condition asks whether this set has elements.
    fn is_same_set(&self, condition: &Expr, set: &Expr) -> bool {
        let ExprKind::Is { value, negated: false, name } = &condition.kind else { return false };
        name.text == "some" && self.is_set(set) && print::expr(value) == print::expr(set)
    }

    /// Describes a value inside another one, in parentheses if it is compound.
    pub(crate) fn atom(&self, e: &Expr) -> String {
        let e = self.decided(e);
        let one = match &e.kind {
            ExprKind::Binary(..) => self.number(e).is_some(),
            ExprKind::If(..) => false,
            ExprKind::Quantified { .. } | ExprKind::Comprehension { .. } | ExprKind::Values { .. } => false,
            ExprKind::Call(name, args) => !self.follows_noun(&name.text, args),
            _ => true,
        };
        match self.value(e) {
            told if told.starts_with('`') => told,
            told if one => clause_closed(told),
            told => format!("({told})"),
        }
    }

    /// Describes the value in one of two cases. What sets have in common needs no parentheses if it has no clause.
    fn case(&self, e: &Expr) -> String {
        match &self.decided(e).kind {
            ExprKind::Binary(BinaryOp::Intersect, ..) => operand_closed(self.value(e)),
            _ => self.atom(e),
        }
    }

    /// Describes a value with words around it that belong to all of it: alternatives are in parentheses.
    pub(super) fn whole(&self, e: &Expr) -> String {
        match &self.decided(e).kind {
            ExprKind::If(..) => self.atom(e),
            _ => self.value(e),
        }
    }

    /// Describes a value to which the words after it belong, in parentheses if it has words to which they could belong, too:
    /// `(the places around a) and all that they surround`.
    pub(super) fn noun(&self, e: &Expr) -> String {
        let one = match &e.kind {
            ExprKind::Call(name, args) => self.place(&name.text, args).is_some(),
            ExprKind::Name(name) => self.find(&name.text).is_none_or(|local| !local.text.contains(" of ")),
            _ => true,
        };
        match self.atom(e) {
            told if one || told.starts_with('(') && told.ends_with(')') => told,
            told => format!("({told})"),
        }
    }

    /// Returns what stands for a value of which the params decide the case.
    fn decided<'e>(&self, e: &'e Expr) -> &'e Expr {
        match &e.kind {
            ExprKind::If(condition, then, otherwise) => match self.settled(condition) {
                Some(true) => self.decided(then),
                Some(false) => self.decided(otherwise),
                None => e,
            },
            _ => e,
        }
    }

    /// Describes the first term of a sum.
    fn first_term(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Call(name, _) if self.function_named(&name.text) == Some(Function::Abs) => {
                format!("({})", self.value(e))
            }
            _ => operand_closed(self.term(e)),
        }
    }

    /// Describes the first factor of a product, or what is divided.
    fn factor(&self, e: &Expr) -> String {
        operand_closed(self.atom(e))
    }

    /// Describes a term of a sum, in parentheses if what follows would seem to belong to it.
    fn term(&self, e: &Expr) -> String {
        let e = self.decided(e);
        match &e.kind {
            _ if self.is_truth(e) => format!("(1 if {}, else 0)", self.condition(e)),
            ExprKind::If(..)
            | ExprKind::Quantified { .. }
            | ExprKind::Binary(BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Modulo, ..) => self.atom(e),
            _ => self.value(e),
        }
    }

    /// Describes a part of a union, in parentheses if what follows would seem to belong to it.
    fn member(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::If(..)
            | ExprKind::Quantified { .. }
            | ExprKind::Comprehension { .. }
            | ExprKind::Binary(BinaryOp::Intersect, ..) => self.atom(e),
            ExprKind::Binary(BinaryOp::Union, ..) => self.value(e),
            _ => closed(self.value(e)),
        }
    }

    /// Describes the piece that is put on one place: `your mark`, `a stone of k`.
    pub(super) fn one_piece(&self, e: &Expr) -> String {
        let told = match &e.kind {
            ExprKind::Name(Name { text, .. }) if self.find(text).is_none() && self.is_piece(text) => {
                piece(text)
            }
            ExprKind::Index(base, by) => match &base.kind {
                ExprKind::Name(Name { text, .. }) if self.is_piece(text) => {
                    let (noun, by) = self.kind_of(text, by).unwrap_or((text, by));
                    match self.indexed_as(piece(noun), text, by) {
                        told if told.starts_with(&piece(noun)) => told,
                        owned => return owned,
                    }
                }
                _ => return self.value(e),
            },
            _ => return self.value(e),
        };
        with_article(&told)
    }

    /// Describes a part of a sentence that goes on after it, in parentheses if it has a clause or alternatives.
    pub(super) fn argument(&self, e: &Expr) -> String {
        clause_closed(self.value(e))
    }

    /// Describes the last part of a sentence, in parentheses if it has alternatives: they would seem to be of the sentence.
    pub(super) fn last_argument(&self, e: &Expr) -> String {
        choice_closed(self.value(e))
    }

    /// Describes a die: `the first die of pair`, `die n of pair`, or its name if there is one. Returns `None` for other values.
    fn one_die(&self, name: &str, by: &[Expr]) -> Option<String> {
        let [which] = by else { return None };
        let slot = self.model.slots.iter().find(|slot| slot.name == name && slot.index.len() == 1)?;
        let Role::Dice { count, .. } = slot.role else { return None };
        Some(match self.number(which) {
            Some(1) if count == 1 => plain(name),
            Some(number @ 1..=3) => format!("the {} die of {}", ordinal(&number.to_string()), plain(name)),
            _ => format!("die {} of {}", self.atom(which), plain(name)),
        })
    }

    /// Describes `name[by]`.
    fn indexed(&self, name: &str, by: &[Expr]) -> String {
        if let Some(die) = self.one_die(name, by) {
            return die;
        }
        if !self.is_piece(name) {
            let noun = match self.kind_in_zone(name) {
                Some(kind) => format!("{} {kind}", plain(name)),
                None if self.names_empty_places(name) => "empty places".to_owned(),
                None => plain(name),
            };
            return self.indexed_as(noun, name, by);
        }
        let (noun, by) = self.kind_of(name, by).unwrap_or((name, by));
        self.indexed_as(pieces(noun), name, by)
    }

    /// Splits the kind off the indices of a piece: `pawn` and `[me]` for `man[me, pawn]`. Returns `None` if other pieces
    /// are of these kinds, too.
    fn kind_of<'e>(&self, name: &str, by: &'e [Expr]) -> Option<(&'e str, &'e [Expr])> {
        let (last, rest) = by.split_last().filter(|(_, rest)| !rest.is_empty())?;
        let ExprKind::Name(Name { text: kind, .. }) = &last.kind else { return None };
        let slots = &self.model.slots;
        let kinds = *slots.iter().find(|slot| slot.name == name)?.index.last()?;
        let DomainKind::Enum(values) = &self.model.domains[kinds.index()].kind else { return None };
        let is_named_so = |slot: &Slot| slot.name == *kind || plain(&slot.name) == plural(kind);
        let is_of_kind = |slot: &Slot| self.is_piece(&slot.name) && slot.index.contains(&kinds);
        let mut others = slots.iter().filter(|slot| slot.name != name);
        let shared = others.any(|slot| is_named_so(slot) || is_of_kind(slot));
        (!shared && self.find(kind).is_none() && values.contains(kind)).then_some((kind, rest))
    }

    /// Describes a zone of copies by its indices: `your tray`.
    pub(super) fn zone_of(&self, name: &str, by: &[Expr]) -> String {
        self.indexed_as(plain(name), name, by)
    }

    /// Describes `name[by]` with a noun for its name.
    fn indexed_as(&self, noun: String, name: &str, by: &[Expr]) -> String {
        let (of, rest) = match by {
            [first, rest @ ..] if self.by_player(name) => match (self.player(first), &first.kind) {
                (Some(player), _) => (owned(&player, &noun, rest.is_empty()), rest),
                (None, ExprKind::Name(_)) => (owned(&self.value(first), &noun, rest.is_empty()), rest),
                _ => (noun, by),
            },
            _ => (noun, by),
        };
        let rest: Vec<String> = rest.iter().map(|one| self.atom(one)).collect();
        match rest.as_slice() {
            [site] if self.is_kept_on_sites(name) && is_several(&of) && preposition_after(&of).is_none() => {
                format!("{of} on {site}")
            }
            rest => of_all(&of, rest),
        }
    }

    /// Returns `true` if a variable is a number for each site of a board.
    fn is_kept_on_sites(&self, name: &str) -> bool {
        self.model.slots.iter().any(|slot| {
            let of_sites = |last: &DomainId| self.model.boards.iter().any(|board| board.domain == *last);
            slot.name == name
                && slot.role == Role::Variable
                && matches!(slot.content, Content::Number { .. })
                && slot.index.last().is_some_and(of_sites)
        })
    }

    pub(super) fn by_player(&self, name: &str) -> bool {
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
