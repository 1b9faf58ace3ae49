//! Conditions of the rules as clauses: comparisons, what `and` and `or` join, and what `not` denies.

use crate::prose::forms::is_condition;
use crate::prose::grammar::{
    are, clause_closed, closed, has_clause, is_role, is_several, is_verb, pieces, verb_of, with_article,
};
use crate::prose::members::Members;
use crate::prose::opposites::{are_lists, denied_inside, holds_and, opposite_of};
use crate::prose::phrases::{Wording, declared_name, is_name};
use crate::prose::sets::{shared_sets, whole_of};
use houserule_base::names::plain;
use houserule_language::syntax::{
    BinaryOp, ComparisonOperator as C, Expr, ExprKind, Name, Quantifier, UnaryOp,
};
use houserule_model::{Content, PLAYER};

/// The words after a comparison of lists.
const FIRST_DECIDES: &str = ", where the first difference decides";

impl Wording<'_> {
    /// Describes a condition as a clause: `the mover's discs make a line of at least 4`.
    pub(crate) fn condition(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), ..) => match self.settled(e) {
                Some(value) => value.to_string(),
                None => self.parts(*op, &denied_inside(e)),
            },
            ExprKind::Binary(op, a, b) => self.comparison(*op, a, b).unwrap_or_else(|| Self::code(e)),
            ExprKind::Is { value, negated, name } => self.being(value, *negated, name),
            ExprKind::Quantified { .. } => self.quantified(e).unwrap_or_else(|| Self::code(e)),
            ExprKind::Call(name, args)
                if matches!(name.text.as_str(), "some" | "nothing") && args.len() == 1 =>
            {
                self.being(&args[0].value, false, name)
            }
            ExprKind::Call(name, args) => self.call_condition(&name.text, args, false),
            ExprKind::Bool(value) => value.to_string(),
            ExprKind::Name(name) if self.means_same(&name.text) => "it is as before".to_owned(),
            ExprKind::Name(_) => match self.settled(e) {
                Some(value) => value.to_string(),
                None => self.truth(e, false),
            },
            ExprKind::Index(..) | ExprKind::Field(..) => self.truth(e, false),
            ExprKind::If(condition, then, otherwise) => match self.settled(condition) {
                Some(true) => self.condition(then),
                Some(false) => self.condition(otherwise),
                None => self.condition(&self.alternatives(condition, then, otherwise)),
            },
            ExprKind::Unary(UnaryOp::NoAction, player) => {
                format!("nothing is possible for {}", self.value(player))
            }
            ExprKind::Unary(UnaryOp::Not, value) => self.denied(value),
            _ => Self::code(e),
        }
    }

    /// Describes the opposite of a condition.
    pub(super) fn denied(&self, e: &Expr) -> String {
        use BinaryOp::{And, Compare, In, NotIn, Or};
        let opposite = |op: BinaryOp| match op {
            Compare(op) => Some(Compare(op.negated())),
            In => Some(NotIn),
            NotIn => Some(In),
            _ => None,
        };
        match &e.kind {
            _ if self.settled(e).is_some() => (self.settled(e) == Some(false)).to_string(),
            ExprKind::Is { value, negated, name } => self.being(value, !negated, name),
            ExprKind::Name(name) if self.means_same(&name.text) => "it is not as before".to_owned(),
            ExprKind::Name(_) | ExprKind::Index(..) | ExprKind::Field(..) => self.truth(e, true),
            ExprKind::Binary(And | Or, ..) | ExprKind::If(..) => self.condition(&opposite_of(e)),
            ExprKind::Binary(Compare(C::Equal), a, b) if are_lists(a, b) => self.condition(&opposite_of(e)),
            ExprKind::Binary(op, a, b) => opposite(*op)
                .and_then(|op| self.comparison(op, a, b))
                .unwrap_or_else(|| format!("it is not so that {}", self.condition(e))),
            ExprKind::Unary(UnaryOp::Not, inner) => self.condition(inner),
            ExprKind::Unary(UnaryOp::NoAction, player) => {
                format!("something is possible for {}", self.value(player))
            }
            ExprKind::Call(name, args)
                if args.len() == 1 && matches!(name.text.as_str(), "some" | "nothing") =>
            {
                self.being(&args[0].value, true, name)
            }
            ExprKind::Call(name, args) => self.call_condition(&name.text, args, true),
            ExprKind::Quantified { op: Quantifier::Any, body, .. } => match Members::from_expr(e) {
                Some(members) => {
                    format!("for no {}, {}", self.members(members, None, false), self.condition(body))
                }
                None => Self::code(e),
            },
            ExprKind::Quantified { op: Quantifier::All, .. } => self.condition(&opposite_of(e)),
            _ => format!("it is not so that {}", self.condition(e)),
        }
    }

    /// Describes whether a variable, a field or a define without arguments is true: `low is true`, `you stay`.
    fn truth(&self, e: &Expr, negated: bool) -> String {
        let told = match &e.kind {
            // What a local name stands for is told before.
            ExprKind::Name(Name { text, .. })
                if is_verb(text)
                    && self.find(text).is_none()
                    && (self.is_define(text) || self.declared(e).is_some()) =>
            {
                if self.is_define(text) {
                    self.note(text);
                }
                verb_of("it", text, negated)
            }
            ExprKind::Index(base, by) => match (&base.kind, by.as_slice()) {
                (ExprKind::Name(Name { text, .. }), [by]) if is_verb(text) => {
                    self.player(by).and_then(|player| verb_of(&player, text, negated))
                }
                _ => None,
            },
            _ => None,
        };
        told.unwrap_or_else(|| format!("{} is {}", self.value(e), !negated))
    }

    /// Returns a condition without the sides of `and` and `or` that the params decide.
    fn unsettled<'e>(&self, e: &'e Expr) -> &'e Expr {
        match &e.kind {
            _ if self.settled(e).is_some() => e,
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
    pub(super) fn flat<'e>(&self, op: BinaryOp, e: &'e Expr, parts: &mut Vec<&'e Expr>) {
        let e = self.unsettled(e);
        match &e.kind {
            ExprKind::Binary(of, a, b) if *of == op => {
                self.flat(op, a, parts);
                self.flat(op, b, parts);
            }
            _ => parts.push(e),
        }
    }

    /// Describes a condition as a side of `and` or `or`, in parentheses if the words beside it would seem to belong
    /// to it. `last` means that nothing follows it.
    pub(super) fn part(&self, op: BinaryOp, e: &Expr, last: bool) -> String {
        let plain = denied_inside(self.unsettled(e));
        let e = self.unsettled(&plain);
        if let ExprKind::If(condition, then, otherwise) = &e.kind {
            return match self.settled(condition) {
                Some(true) => self.part(op, then, last),
                Some(false) => self.part(op, otherwise, last),
                None => self.part(op, &self.alternatives(condition, then, otherwise), last),
            };
        }
        let told = self.condition(e);
        let joins = |e: &Expr| {
            let e = denied_inside(e);
            matches!(
                self.unsettled(&e).kind,
                ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) | ExprKind::If(..)
            )
        };
        let wraps = match &e.kind {
            _ if self.settled(e).is_some() => false,
            ExprKind::Binary(BinaryOp::Or, a, b) if op == BinaryOp::And => {
                if last && ![a, b].into_iter().any(|side| holds_and(self.unsettled(side))) {
                    return format!("either {told}");
                }
                true
            }
            ExprKind::Binary(BinaryOp::And, ..) => op == BinaryOp::Or,
            ExprKind::Binary(BinaryOp::Compare(C::Equal), a, b) if are_lists(a, b) => op == BinaryOp::Or,
            ExprKind::Binary(BinaryOp::Compare(C::NotEqual), a, b) if are_lists(a, b) => op == BinaryOp::And,
            ExprKind::Binary(BinaryOp::Compare(C::Equal | C::NotEqual), a, b) => {
                told.contains('(') && self.is_truth(a) && self.is_truth(b)
            }
            ExprKind::Unary(UnaryOp::Not, _) => {
                told.starts_with("exactly one of these ") || told.contains(") exactly if (")
            }
            ExprKind::Quantified { body, .. } => told.starts_with("for ") || joins(body),
            _ => false,
        };
        let opens = !last
            && (["for ", "not for "].iter().any(|start| told.starts_with(start))
                || told.starts_with("it is not so that ") && !told.ends_with(')')
                || has_clause(&told));
        let decides = !last && told.ends_with(FIRST_DECIDES);
        if wraps || opens || decides { format!("({told})") } else { told }
    }

    /// Returns what holds in one of two cases as what `and` and `or` join: `case and then or not case and otherwise`.
    fn alternatives(&self, case: &Expr, then: &Expr, otherwise: &Expr) -> Expr {
        use BinaryOp::{And, Or};
        let join = |op: BinaryOp, a: Expr, b: Expr| {
            let span = a.span;
            Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), span }
        };
        match (self.settled(then), self.settled(otherwise)) {
            (Some(true), _) => join(Or, case.clone(), otherwise.clone()),
            (Some(false), _) => join(And, opposite_of(case), otherwise.clone()),
            (_, Some(true)) => join(Or, opposite_of(case), then.clone()),
            (_, Some(false)) => join(And, case.clone(), then.clone()),
            _ => {
                let holds = join(And, case.clone(), then.clone());
                join(Or, holds, join(And, opposite_of(case), otherwise.clone()))
            }
        }
    }

    /// Describes a comparison of two values. Returns `None` if the operator doesn't compare, or has no words for lists.
    fn comparison(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<String> {
        if let (ExprKind::Tuple(left), ExprKind::Tuple(right)) = (&a.kind, &b.kind) {
            return self.lists(op, left, right);
        }
        if let Some(told) = self.agreement(op, a, b).or_else(|| self.among(op, a, b)) {
            return Some(told);
        }
        if let Some(told) = self.last_player(op, a, b).or_else(|| self.holding(op, a, b)) {
            return Some(told);
        }
        let bound = match &b.kind {
            ExprKind::Set(list) if list.len() > 1 => format!("({})", self.value(b)),
            _ if matches!(op, BinaryOp::In | BinaryOp::NotIn) => closed(match self.is_set(a) {
                true => self.all_within(b),
                false => self.elements_of(b),
            }),
            _ => closed(self.either(b)),
        };
        if let BinaryOp::Compare(C::GreaterEqual | C::Greater | C::Equal) = op
            && let ExprKind::Call(name, args) = &a.kind
            && let ([arg], "longest") = (args.as_slice(), name.text.as_str())
        {
            let how = match op {
                BinaryOp::Compare(C::GreaterEqual) => "at least ",
                BinaryOp::Compare(C::Greater) => "more than ",
                _ => "exactly ",
            };
            let set = clause_closed(self.value(&arg.value));
            return Some(format!("{set} make a line of {how}{bound}"));
        }
        // “You are the bidder”, not “bidder is you”.
        if let (Some(role), Some(player)) = (self.role(op, a), self.player(b)) {
            let not = if op == BinaryOp::Compare(C::Equal) { "" } else { "not " };
            return Some(format!("{player} {} {not}{role}", are(&player)));
        }
        let bound = self.counted(b).or_else(|| self.role(op, b)).unwrap_or(bound);
        let subject = self.counted(a).unwrap_or_else(|| self.value(a));
        let is = are(&subject);
        let subject = closed(subject);
        if let BinaryOp::In | BinaryOp::NotIn = op
            && self.is_set(a)
        {
            let not = if op == BinaryOp::In { "" } else { "not " };
            return Some(format!("{subject} {is} {not}within {bound}"));
        }
        let how = match op {
            BinaryOp::Compare(C::Equal) => "",
            BinaryOp::Compare(C::NotEqual) => "not ",
            BinaryOp::Compare(C::Less) => "less than ",
            BinaryOp::Compare(C::LessEqual) => "at most ",
            BinaryOp::Compare(C::Greater) => "more than ",
            BinaryOp::Compare(C::GreaterEqual) => "at least ",
            BinaryOp::In => "one of ",
            BinaryOp::NotIn => "not one of ",
            _ => return None,
        };
        Some(format!("{subject} {is} {how}{bound}"))
    }

    /// Describes whether a value is one of a few that are listed, or within a range: `o is either minus or over`. Returns
    /// `None` for other comparisons.
    fn among(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<String> {
        let negated = match op {
            BinaryOp::In => false,
            BinaryOp::NotIn => true,
            _ => return None,
        };
        if self.is_set(a) {
            return None;
        }
        let told = self.one_of_few(b, negated)?;
        let subject = self.value(a);
        let is = are(&subject);
        Some(format!("{} {is} {told}", closed(subject)))
    }

    /// Describes what an element of a short list or of a range is: `either minus or over`, `from 1 to 3`. Returns `None` for
    /// other sets.
    pub(super) fn one_of_few(&self, set: &Expr, negated: bool) -> Option<String> {
        match &set.kind {
            ExprKind::Range(low, high) => {
                let not = if negated { "not " } else { "" };
                Some(format!("{not}from {} to {}", self.value(low), self.value(high)))
            }
            ExprKind::Set(list) => {
                let told: Vec<String> = list.iter().map(|one| closed(self.value(one))).collect();
                let (last, rest) = told.split_last().filter(|(_, rest)| !rest.is_empty())?;
                let (first, and) = if negated { ("neither", "nor") } else { ("either", "or") };
                Some(format!("{first} {} {and} {last}", rest.join(", ")))
            }
            _ => None,
        }
    }

    /// Describes whether a player is the only one who still plays. Returns `None` for other comparisons.
    fn last_player(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<String> {
        let not = match op {
            BinaryOp::Compare(C::Equal) => "",
            BinaryOp::Compare(C::NotEqual) => "not ",
            _ => return None,
        };
        if !is_name(a, "playing") {
            return None;
        }
        let player = match &b.kind {
            ExprKind::Set(list) if list.len() == 1 => self.value(&list[0]),
            ExprKind::Name(Name { text, .. }) if self.find(text).is_some() || text == "me" => self.value(b),
            _ => return None,
        };
        Some(format!("{player} {} {not}the only player who still plays", are(&player)))
    }

    /// Describes the number of elements of a zone or of turns, if a value with the name of the thing stands for it:
    /// `the number of cards in your hand` for `hand_of(me)`. Returns `None` for other values.
    fn counted(&self, e: &Expr) -> Option<String> {
        match &e.kind {
            ExprKind::Index(base, _) if is_name(base, "turns") => {
                Some(format!("the number of {}", self.value(e)))
            }
            ExprKind::Call(name, args) => {
                let ExprKind::Call(count, of) = &self.define(&name.text)?.kind else { return None };
                let ([param], [arg], [of], "count") =
                    (self.params_of(&name.text)?, args.as_slice(), of.as_slice(), count.text.as_str())
                else {
                    return None;
                };
                if !matches!(of.value.kind, ExprKind::Index(..)) || !self.is_zone(&of.value) {
                    return None;
                }
                let local = self.local(&param.text, &arg.value);
                Some(self.value_with(local, self.define(&name.text)?))
            }
            _ => None,
        }
    }

    /// Describes a variable that holds a player and is named by what the player is: `the bidder`. Returns `None` for other
    /// values.
    fn role(&self, op: BinaryOp, e: &Expr) -> Option<String> {
        let ExprKind::Name(name) = &e.kind else { return None };
        let holds_player = matches!(self.declared(e), Some(Content::Element { domain: PLAYER, .. }));
        let is =
            matches!(op, BinaryOp::Compare(C::Equal | C::NotEqual)) && holds_player && is_role(&name.text);
        is.then(|| format!("the {}", self.value(e)))
    }

    /// Describes whether two conditions are both true or both false. Returns `None` for other values.
    fn agreement(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<String> {
        let same = match op {
            BinaryOp::Compare(C::Equal) => true,
            BinaryOp::Compare(C::NotEqual) => false,
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

    /// Describes a comparison of lists.
    fn lists(&self, op: BinaryOp, left: &[Expr], right: &[Expr]) -> Option<String> {
        if op == BinaryOp::Compare(C::Equal) {
            let pairs = left.iter().zip(right).map(|(a, b)| self.comparison(op, a, b));
            return Some(pairs.collect::<Option<Vec<_>>>()?.join(" and "));
        }
        if op == BinaryOp::Compare(C::NotEqual) {
            let pairs = left.iter().zip(right).map(|(a, b)| self.comparison(op, a, b));
            return Some(pairs.collect::<Option<Vec<_>>>()?.join(" or "));
        }
        let how = match op {
            BinaryOp::Compare(C::Less) => "less than",
            BinaryOp::Compare(C::LessEqual) => "at most",
            BinaryOp::Compare(C::Greater) => "more than",
            BinaryOp::Compare(C::GreaterEqual) => "at least",
            _ => return None,
        };
        let value = |e: &Expr| if is_condition(e) { self.condition(e) } else { self.value(e) };
        let list = |parts: &[Expr]| parts.iter().map(value).collect::<Vec<_>>().join(", then ");
        Some(format!("({}) is {how} ({}){FIRST_DECIDES}", list(left), list(right)))
    }

    /// Describes `VALUE is NAME`, or `VALUE is not NAME`: `folded is nobody`, `there is no empty cell left`.
    fn being(&self, value: &Expr, negated: bool, name: &Name) -> String {
        if let ExprKind::Index(base, by) = &value.kind
            && let (ExprKind::Name(Name { text: piece, .. }), [by]) = (&base.kind, by.as_slice())
            && let (true, Some(player)) = (self.is_piece(piece), self.player(by))
            && matches!(name.text.as_str(), "some" | "nothing")
        {
            let none = (name.text == "nothing") != negated;
            let has = have(&player);
            return format!("{player} {has} {}{}", if none { "no " } else { "" }, pieces(piece));
        }
        if let (ExprKind::Binary(BinaryOp::Intersect, ..), "some" | "nothing") =
            (&value.kind, name.text.as_str())
        {
            return self.sharing(&shared_sets(value), (name.text == "nothing") != negated);
        }
        if let "some" | "nothing" = name.text.as_str()
            && let Some(told) = self.having(value, (name.text == "nothing") != negated)
        {
            return told;
        }
        let subject = self.either(value);
        if let "some" | "nothing" = name.text.as_str() {
            if let Some(told) = self.being_those(value, &subject, (name.text == "nothing") != negated) {
                return told;
            }
            let none = (name.text == "nothing") != negated;
            let not = if none { "" } else { "not " };
            match self.declared(value) {
                _ if self.is_zone(value) && self.has_family(value) => {
                    return format!("{}{subject} are empty", if none { "" } else { "not " });
                }
                _ if self.is_zone(value) => return format!("{subject} {} {not}empty", are(&subject)),
                Some(Content::Set(_)) => return format!("{subject} is {not}empty"),
                Some(Content::Element { domain: PLAYER, .. }) => {
                    return format!("{subject} is {}", if none { "nobody" } else { "somebody" });
                }
                None if self.is_local_player(value) => {
                    return format!("{subject} is {}", if none { "nobody" } else { "somebody" });
                }
                Some(Content::Element { .. }) => {
                    return format!("{subject} is {}", if none { "not set" } else { "set" });
                }
                _ => {}
            }
            let no = if none { "no " } else { "" };
            if self.is_named_set(value) {
                return match none {
                    // Either of two is not empty; both are empty.
                    true if matches!(value.kind, ExprKind::Binary(..)) => {
                        format!("{} are empty", subject.replace(" or ", " and "))
                    }
                    false if self.has_family(value) => {
                        format!("{} are not all empty", subject.replace(" or ", " and "))
                    }
                    _ => format!("{subject} {} {not}empty", are(&subject)),
                };
            }
            if matches!(&value.kind, ExprKind::Name(name) if self.names_empty_places(&name.text)) {
                return match (self.missing_there(), none) {
                    (Some(missing), true) => {
                        format!("there is no {} left that holds no {missing}", self.one_place())
                    }
                    (Some(missing), false) => {
                        format!("there is {} that holds no {missing}", with_article(&self.one_place()))
                    }
                    (None, true) => format!("there is no empty {} left", self.one_place()),
                    (None, false) => format!("there is an empty {}", self.one_place()),
                };
            }
            // “no the places” is no English.
            let is_owned = subject.contains("'s ") || subject.contains("' ");
            // Empty places aren't empty themselves.
            if matches!(&value.kind, ExprKind::Index(..))
                && declared_name(value).is_some_and(|name| self.names_empty_places(name))
            {
                return match subject.strip_prefix("your ") {
                    Some(places) => format!("you have {no}{places}"),
                    None if is_owned => {
                        format!("there are {} of {subject}", if none { "none" } else { "some" })
                    }
                    None => format!("there are {no}{subject}"),
                };
            }
            if let Some(places) = subject.strip_prefix("all ").or_else(|| subject.strip_prefix("the "))
                && places.split(' ').next().is_some_and(is_several)
                && !is_owned
            {
                return format!("there are {no}{places}");
            }
            if let Some(place) = subject.strip_prefix("the place ") {
                return format!("there is {} place {place}", if none { "no" } else { "a" });
            }
            // Without some places, others would seem to be empty ones.
            if matches!(value.kind, ExprKind::Binary(BinaryOp::Subtract, ..))
                && !self.is_zone(whole_of(value))
                && !self.is_players(value)
            {
                return format!("{} is left of {subject}", if none { "nothing" } else { "something" });
            }
            // “no your cards” is no English.
            if subject.starts_with("your ") || is_owned {
                return format!("{subject} {} {not}empty", are(&subject));
            }
            let are = if is_several(&subject) { "are" } else { "is" };
            return format!("there {are} {no}{subject}");
        }
        match (name.text.as_str(), negated) {
            ("double", false) => format!("{subject} is a double"),
            ("double", true) => format!("{subject} is no double"),
            (word, negated) => {
                if self.is_define(word) {
                    self.note(word);
                }
                let told = verb_of(&subject, word, negated).filter(|_| self.is_define(word));
                told.unwrap_or_else(|| {
                    format!("{subject} is {}{}", if negated { "not " } else { "" }, plain(word))
                })
            }
        }
    }

    /// Describes whether an element has a field, or somebody has elements in a zone whose name says what has happened to
    /// them: `c has a rank`, `you have no taken cards`. Returns `None` for other values.
    fn having(&self, value: &Expr, none: bool) -> Option<String> {
        if let ExprKind::Field(of, field) = &value.kind
            && !self.is_set(value)
        {
            let (of, field) = (self.atom(of), plain(&field.text));
            let what = if none { format!("no {field}") } else { with_article(&field) };
            return Some(format!("{of} {} {what}", have(&of)));
        }
        let zone = declared_name(value).filter(|_| self.is_zone(value) && self.is_set(value))?;
        let things = format!("{} {}", plain(zone), self.kind_in_zone(zone)?);
        let (no, some) = if none { ("no ", "no ") } else { ("", "some ") };
        match &value.kind {
            ExprKind::Index(_, by) => match by.as_slice() {
                [by] => self.player(by).map(|player| format!("{player} {} {some}{things}", have(&player))),
                _ => None,
            },
            _ => Some(format!("there are {no}{things}")),
        }
    }

    /// Describes whether some elements satisfy a condition, or none: `for no c of row 1, c is free`, `there are none of your
    /// hand whose suit is hearts`. Returns `None` for other sets.
    fn being_those(&self, value: &Expr, subject: &str, none: bool) -> Option<String> {
        let ExprKind::Comprehension { name, over, filter } = &value.kind else { return None };
        if let Some(rest) = subject.strip_prefix("the ") {
            return Some(format!("there are {}{rest}", if none { "no " } else { "" }));
        }
        if let Some(rest) = subject.strip_prefix("those of ") {
            return Some(format!("there are {} of {rest}", if none { "none" } else { "some" }));
        }
        let all = self.each_of(name, over);
        Some(format!("for {} {all}, {}", if none { "no" } else { "some" }, self.condition(filter)))
    }

    /// Returns `true` if a set has a name without arguments: a define, a variable or a zone, or a union of such.
    fn is_named_set(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Binary(BinaryOp::Union, a, b) => self.is_named_set(a) && self.is_named_set(b),
            ExprKind::Name(Name { text, .. }) if self.is_define(text) => {
                self.find(text).is_none() && self.is_set(e)
            }
            _ => self.is_zone(e) || matches!(self.declared(e), Some(Content::Set(_))),
        }
    }

    /// Returns the noun for a place of the only board, or of several.
    fn one_place(&self) -> String {
        match self.model.boards.as_slice() {
            [board] => board.name.clone(),
            _ => "place".to_owned(),
        }
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

    /// Describes a define: a condition or a value.
    pub(crate) fn meaning(&self, e: &Expr) -> String {
        if let Some(value) = self.settled(e) {
            return value.to_string();
        }
        match self.is_truth(e) {
            true => match self.condition(e) {
                told if told.starts_with('`') => told,
                told => format!("true if {told}"),
            },
            false => self.value(e),
        }
    }
}

/// Returns the verb `have` as a subject needs it.
pub(super) fn have(subject: &str) -> &'static str {
    if is_several(subject) { "have" } else { "has" }
}
