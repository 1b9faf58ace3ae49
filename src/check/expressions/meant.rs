//! What is meant by a value of the wrong kind: how an element is named, what of an element is a number, and who has the
//! most. For the help of messages.

use crate::checker::Checker;
use crate::draft::Draft;
use crate::names::name_table::Entity;
use crate::values::{May, Val, constant_number};
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_language::format::print;
use houserule_language::syntax::{self, Arg, ExprKind as S, Name, Quantifier};
use houserule_language::vocabulary::BuiltInName;
use houserule_model::board::Shape;
use houserule_model::*;

impl Checker<'_> {
    /// What is written in place of a call of something that is no function.
    pub(super) fn call_meant(&self, name: &str, entity: &Entity, args: &[Arg]) -> Option<String> {
        let brackets = || Some(format!("an index is written in brackets: `{name}[…]`"));
        match entity {
            Entity::Slot(slot) if self.draft.model.slots[slot.index()].index.is_empty() => {
                Some(format!("it has no index: write `{name}`"))
            }
            Entity::Slot(_) | Entity::Table(_) | Entity::Param(Val::Points(..)) => brackets(),
            Entity::Param(_) => Some(format!("it has no index: write `{name}`")),
            Entity::Domain(domain) => {
                let given: Vec<String> = args.iter().map(|arg| print::expr(&arg.value)).collect();
                self.draft.element_meant(*domain, &given)
            }
            _ => None,
        }
    }

    /// What is written in place of an index of something that has none.
    pub(super) fn index_meant(
        &self,
        name: &str,
        entity: Option<&Entity>,
        index: &[syntax::Expr],
    ) -> Option<String> {
        let given: Vec<String> = index.iter().map(print::expr).collect();
        match entity {
            Some(Entity::Domain(domain)) => self.draft.element_meant(*domain, &given),
            Some(Entity::Board(board)) if self.draft.model.boards[board.index()].index.is_empty() => {
                Some(format!("a site is written with parentheses: `{name}({})`", given.join(", ")))
            }
            None => match BuiltInName::named(name) {
                Some(BuiltInName::Player | BuiltInName::Players) => {
                    let number = given.first().filter(|given| given.parse::<u32>().is_ok());
                    let number = number.map_or("1", String::as_str);
                    Some(format!("a player is `me`, `other` or `player {number}`"))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// What is meant by a word after `is` that is no property.
    pub(super) fn property_meant(&mut self, name: &Name, value: &Val, negated: bool) -> Option<String> {
        let text = name.text.as_str();
        let site = match (value, value.ty()) {
            (Val::Expr(_, May::Never), Some(Type::Element(domain))) => self.draft.board_of(domain),
            _ => None,
        };
        let is_number = matches!(value, Val::Expr(..))
            && match value.ty() {
                Some(Type::Number | Type::Bool) | None => true,
                Some(Type::Element(domain)) => {
                    matches!(value, Val::Expr(_, May::Never)) && self.draft.range_low(domain).is_some()
                }
                Some(Type::Set(_)) => false,
            };
        let is_free = match text {
            "empty" | "free" | "vacant" | "unoccupied" => Some(true),
            "full" | "occupied" | "taken" => Some(false),
            _ => None,
        };
        if let (Some(board), Some(is_free)) = (site, is_free) {
            let empty = match self.all_boards().len() {
                0 | 1 => "empty".to_owned(),
                _ => format!("empty({})", self.draft.model.boards[board.index()].name),
            };
            let not = if is_free == negated { "not " } else { "" };
            return Some(format!("to test a site, write `{not}in {empty}`"));
        }
        let is_nothing = match text {
            "empty" | "null" | "nil" | "missing" | "absent" | "unset" | "undefined" => Some(true),
            "present" | "there" | "nonempty" | "filled" => Some(false),
            _ => None,
        };
        if let Some(is_nothing) = is_nothing.filter(|_| !is_number) {
            let word = if is_nothing == negated { "some" } else { "nothing" };
            return Some(format!("write `is {word}`"));
        }
        let is_declared = self.names.is_declared(text) || self.scopes.local(text).is_some();
        if !is_declared && !self.names.values.contains_key(text) && BuiltInName::named(text).is_none() {
            return Some(format!("to give it a meaning, declare `define {text}(x) = …`"));
        }
        let is_set = match self.declared_entity(text, name.span) {
            Some(Entity::Domain(_) | Entity::Board(_)) => true,
            Some(Entity::Slot(slot)) => {
                matches!(self.draft.model.slots[slot.index()].role, Role::Piece(_) | Role::Zone)
            }
            _ => text == "empty",
        };
        let not = if negated { "not " } else { "" };
        let compares = if negated { "!=" } else { "==" };
        Some(match value.ty() {
            Some(Type::Element(_)) if is_set => format!("to test what it is in, write `{not}in {text}`"),
            _ => format!("to compare, write `{compares} {text}`"),
        })
    }

    /// What is meant by an unknown name that is made of the values of a record's fields: `clubs_7`, `seven_of_clubs`.
    pub(crate) fn element_named(&self, name: &str) -> Option<String> {
        let parts: Vec<String> = name.split('_').map(str::to_owned).collect();
        if parts.len() < 2 || parts.iter().any(String::is_empty) {
            return None;
        }
        let mut of = parts.iter().filter_map(|part| self.names.values.get(part.as_str())).flatten();
        let record = of.find_map(|(domain, _)| self.draft.record_of(*domain))?;
        self.draft.element_meant(record, &parts)
    }
}

impl<'a> Checker<'a> {
    /// Reports `max p in players: e` where a player is needed: it is a number, and `best` finds the player. Returns `true` if
    /// so.
    pub(crate) fn reports_best_player(&mut self, e: &'a syntax::Expr, value: &Val) -> bool {
        let S::Quantified { op: op @ (Quantifier::Max | Quantifier::Min), name, over, filter, body, .. } =
            &e.kind
        else {
            return false;
        };
        if !self.draft.is_number(value) || self.expr(over, None).domain() != Some(PLAYER) {
            return false;
        }
        let filter =
            filter.as_ref().map_or_else(String::new, |filter| format!(" where {}", print::expr(filter)));
        let body = print::expr(body);
        let (word, key) = match op {
            Quantifier::Max => ("max", body),
            _ if body.contains(' ') => ("min", format!("-({body})")),
            _ => ("min", format!("-{body}")),
        };
        let help = format!(
            "`{word}` gives the value; the player who has it is `best {} in {}{filter} by {key}`",
            name.text,
            print::expr(over)
        );
        let message = "expected an element of `player`, found a number";
        let d = Diagnostic::error(Code::TypeMismatch, e.span, message).label("this is a number");
        self.draft.messages.report(d.help(help));
        true
    }
}

impl Draft {
    /// How an element of a domain is named, of which these values are known: `card(clubs, 1)`.
    fn element_meant(&self, domain: DomainId, given: &[String]) -> Option<String> {
        let of = self.domain_name(domain);
        match &self.model.domains[domain.index()].kind {
            DomainKind::Enum(names) => {
                let value = names.iter().find(|name| given.contains(name))?;
                Some(format!("a value of `{of}` is written alone: `{value}`"))
            }
            DomainKind::Range { .. } => {
                Some(format!("a number of `{of}` is written alone: `{}`", given.first()?))
            }
            DomainKind::Record { fields, named, .. } => {
                if let Some((_, first)) = named.first().filter(|_| named.len() as u32 == self.size(domain)) {
                    return Some(format!("an element of `{of}` is called by its name, such as `{first}`"));
                }
                let mut left = given.to_vec();
                let mut conditions: Vec<String> = vec![];
                for field in fields {
                    let fits = |value: &String| match field.of {
                        Some(values) => self.enum_names(values).contains(value),
                        None => value.parse::<i64>().is_ok(),
                    };
                    match left.iter().position(fits) {
                        Some(at) => conditions.push(format!("c.{} == {}", field.name, left.remove(at))),
                        None if fields.len() <= given.len().max(2) => {
                            conditions.push(format!("c.{} == …", field.name));
                        }
                        None => {}
                    }
                }
                if conditions.is_empty() {
                    return None;
                }
                let condition = conditions.join(" and ");
                Some(format!(
                    "an element of `{of}` is found by its fields: the set `{{ c in {of} where {condition} }}`, and \
                     `lowest({{ … }})` for the element itself"
                ))
            }
            _ => None,
        }
    }

    /// The only domain of records with a field that has the values of a domain.
    fn record_of(&self, values: DomainId) -> Option<DomainId> {
        let has = |domain: &Domain| match &domain.kind {
            DomainKind::Record { fields, .. } => fields.iter().any(|field| field.of == Some(values)),
            _ => false,
        };
        let mut all = self.model.domains.iter().enumerate().filter(|(_, domain)| has(domain));
        match (all.next(), all.next()) {
            (Some((at, _)), None) => Some(DomainId(at as u32)),
            _ => None,
        }
    }

    /// What is meant by `clubs-7`, the name of an element in lists of moves, where it subtracts.
    pub(super) fn hyphenated_meant(&self, a: &Val, b: &Val) -> Option<String> {
        let (Val::Expr(first, _), Val::Expr(second, _)) = (a, b) else { return None };
        let Type::Element(of) = first.ty else { return None };
        if second.ty == first.ty {
            return None;
        }
        let second = match constant_number(second) {
            Some(number) => number.to_string(),
            None => self.value_name(second)?,
        };
        self.element_meant(self.record_of(of)?, &[self.value_name(first)?, second])
    }

    /// The name of a constant value of an enum.
    fn value_name(&self, e: &CheckedExpr) -> Option<String> {
        match (&e.kind, e.ty) {
            (CheckedExprKind::Constant(Value::Element(Some(place))), Type::Element(domain)) => {
                match &self.model.domains[domain.index()].kind {
                    DomainKind::Enum(names) => names.get(*place as usize).cloned(),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// What of an element is a number, where a number is needed.
    pub(super) fn number_meant(&self, domain: DomainId) -> Option<String> {
        match &self.model.domains[domain.index()].kind {
            DomainKind::Sites(board) if self.is_track(*board) => {
                Some("a site is no number: `column(c)` is its number, `step(c, forward)` the site after it".to_owned())
            }
            DomainKind::Sites(board) if self.is_grid(*board) => Some(
                "a site is no number: `column(c)` and `row(c)` are its numbers, `step(c, north)` is the site above it"
                    .to_owned(),
            ),
            DomainKind::Record { .. } => {
                let field = self.number_field(domain)?;
                Some(format!("its field `{field}` is a number: write `.{field}` after it"))
            }
            _ => None,
        }
    }

    /// What is meant by a number, where an element of a domain is needed.
    pub(super) fn element_for_number(&self, domain: DomainId) -> Option<String> {
        match &self.model.domains[domain.index()].kind {
            DomainKind::Player => Some(
                "a player is `me` or another; who has the most of all is `best p in players by …`".to_owned(),
            ),
            DomainKind::Sites(board) if self.is_track(*board) => {
                let name = &self.model.boards[board.index()].name;
                Some(format!("the site with a number is `{name}(…)`"))
            }
            DomainKind::Sites(board) if self.is_grid(*board) => {
                let name = &self.model.boards[board.index()].name;
                Some(format!("the site in a column and a row is `{name}(column, row)`"))
            }
            DomainKind::Record { .. } => {
                let field = self.number_field(domain)?;
                Some(format!("to compare a number, take the field of the element: `.{field}`"))
            }
            _ => None,
        }
    }

    /// What is compared where an element of a record and a value of its field can never be the same.
    pub(super) fn field_to_compare(&self, a: DomainId, b: DomainId) -> Option<String> {
        [(a, b), (b, a)].into_iter().find_map(|(record, values)| {
            let DomainKind::Record { fields, .. } = &self.model.domains[record.index()].kind else {
                return None;
            };
            let field = fields.iter().find(|field| field.of == Some(values))?;
            let of = self.domain_name(record);
            Some(format!("compare the field of the `{of}`: write `.{}` after it", field.name))
        })
    }

    /// The first field of a record that holds numbers.
    fn number_field(&self, domain: DomainId) -> Option<&str> {
        let DomainKind::Record { fields, .. } = &self.model.domains[domain.index()].kind else { return None };
        fields.iter().find(|field| field.of.is_none()).map(|field| field.name.as_str())
    }

    fn is_grid(&self, board: BoardId) -> bool {
        matches!(self.model.boards[board.index()].topology.shape(), Shape::Grid { .. })
    }

    /// Reports a value that has no index.
    pub(super) fn report_not_indexed(&mut self, value: &Val, base: Span, meant: Option<String>) {
        let found = self.describe(value);
        let d = Diagnostic::error(Code::NotIndexed, base, format!("this is {found} and has no index"));
        let of_set = matches!(value.ty(), Some(Type::Set(_)));
        self.messages.report(match meant {
            Some(help) => d.help(help),
            None if of_set => {
                d.help("one element of a set is `lowest(…)` or `highest(…)`, or `best x in … by …`")
            }
            None => d.help("leave the brackets out"),
        });
    }

    /// Reports `max(S)`, which is for dice and for numbers.
    pub(super) fn report_extreme_of_set(&mut self, function: &str, value: &Val, span: Span) {
        let found = self.describe(value);
        let least = if function == "min" { "-" } else { "" };
        let d = Diagnostic::error(Code::TypeMismatch, span, format!("expected dice, found {found}"))
            .label(format!("this is {found}"))
            .help(format!(
                "over a set, write `{function} x in S: VALUE`; the element that has it is `best x in S by {least}VALUE`"
            ));
        self.messages.report(d);
    }
}
