//! Tables, and maps for the values of a family: `[red: 1, blue: 2]`.

use crate::checker::Checker;
use crate::draft::Draft;
use crate::draft::tables::TableDeclaration;
use crate::names::name_table::Entity;
use crate::values::Val;
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_language::syntax;
use houserule_language::syntax::{ExprKind as S, MapEntry, TypeKind, TypedDecl};
use houserule_model::board::BitSet;
use houserule_model::*;

impl<'a> Checker<'a> {
    /// Resolves `table NAME[indices]: TYPE = map`.
    pub(crate) fn resolve_table(&mut self, typed: &'a TypedDecl) -> Entity {
        let index = self.index_domains(&typed.index);
        for modifier in typed.modifiers.iter().filter(|modifier| !modifier.kind.is_look()) {
            self.draft.messages.error(
                Code::Misplaced,
                modifier.span,
                "this does not go with a table, which never changes",
            );
        }
        let Some(value) = &typed.value else {
            self.draft.messages.error(
                Code::MissingDefault,
                typed.name.span,
                format!("`{}` has no values", typed.name.text),
            );
            return Entity::Poison;
        };
        let Some(index) = index else { return Entity::Poison };
        let Some(size) = self.draft.family(&index, typed.name.span) else { return Entity::Poison };
        if !self.draft.afford_table(size, typed.name.span) {
            return Entity::Poison;
        }
        self.refer_to_type_word(&typed.ty);
        let declared = if matches!(&typed.ty.kind, TypeKind::Named(n) if n.text == "table") {
            let mut values: Vec<Option<PointsTable>> = vec![None; size];
            self.fill(value, &index, &mut values, &mut |c, e| {
                let v = c.expr(e, None);
                c.draft.points(v, e.span)
            });
            TableDeclaration::Points {
                index,
                values: values.into_iter().map(Option::unwrap_or_default).collect(),
            }
        } else {
            let Some(content) = self.content(&typed.ty) else { return Entity::Poison };
            if let Content::Set(of) = content {
                let mut sets: Vec<Option<BitSet>> = vec![None; size];
                let whole =
                    self.fill(value, &index, &mut sets, &mut |c, e| match c.constant_value(e, content)? {
                        Value::Set(set) => Some(set),
                        Value::Number(_) | Value::Bool(_) | Value::Element(_) => None,
                    });
                let none = BitSet::empty(self.draft.size(of));
                let sets: Vec<BitSet> = sets.into_iter().map(|set| set.unwrap_or(none.clone())).collect();
                let (name, span) = (typed.name.text.clone(), typed.name.span);
                let table = whole.then(|| self.draft.add_set_table(name, index, of, &sets, span)).flatten();
                let Some(table) = table else { return Entity::Poison };
                self.draft.tables.push(TableDeclaration::Sets { table });
                return Entity::Table(self.draft.tables.len() - 1);
            }
            let mut values: Vec<Option<i64>> = vec![None; size];
            let whole = self.fill(value, &index, &mut values, &mut |c, e| {
                let value = c.constant_value(e, content)?;
                match value {
                    Value::Number(n) => Some(n),
                    Value::Bool(b) => Some(i64::from(b)),
                    Value::Element(x) => Some(x.map_or(-1, i64::from)),
                    Value::Set(_) => None,
                }
            });
            let rest = match content {
                Content::Number { low, high } if low <= 0 && 0 <= high => Some(0),
                Content::Bool => Some(0),
                Content::Element { optional: true, .. } => Some(-1),
                _ => None,
            };
            let Some(values) = values.into_iter().map(|v| v.or(rest)).collect::<Option<Vec<i64>>>() else {
                if whole {
                    let message = format!("`{}` does not say all its values", typed.name.text);
                    let d = Diagnostic::error(Code::IncompleteTable, value.span, message)
                        .help("give a value for every key");
                    self.draft.messages.report(d);
                }
                return Entity::Poison;
            };
            self.draft.model.tables.push(ConstantTable { name: typed.name.text.clone(), index, values });
            let table = TableId(self.draft.model.tables.len() as u32 - 1);
            self.shown_table(&typed.name, &typed.modifiers, table, content);
            TableDeclaration::Values { table, content }
        };
        self.draft.tables.push(declared);
        Entity::Table(self.draft.tables.len() - 1)
    }

    /// Fills the values of a family from a map, a map of maps, or a single value. Returns `false` after an error.
    pub(super) fn fill<T: Clone>(
        &mut self,
        value: &'a syntax::Expr,
        index: &[DomainId],
        values: &mut [Option<T>],
        one: &mut dyn FnMut(&mut Self, &'a syntax::Expr) -> Option<T>,
    ) -> bool {
        let (S::Map(entries), false) = (&value.kind, index.is_empty()) else {
            let Some(value) = one(self, value) else { return false };
            values.fill(Some(value));
            return true;
        };
        // In a family of tables of points, too, the outer map has keys of the index.
        let mut whole = true;
        for entry in entries {
            let keys: &'a [syntax::Expr] = match &entry.key.kind {
                S::Tuple(keys) => keys,
                _ => std::slice::from_ref(&entry.key),
            };
            whole &= self.fill_entry(entry, keys, index, values, one);
        }
        whole
    }

    /// Fills the values that an entry of a map sets. `keys` are the parts of its key that belong to `index`.
    fn fill_entry<T: Clone>(
        &mut self,
        entry: &'a MapEntry,
        keys: &'a [syntax::Expr],
        index: &[DomainId],
        values: &mut [Option<T>],
        one: &mut dyn FnMut(&mut Self, &'a syntax::Expr) -> Option<T>,
    ) -> bool {
        let Some((key, rest)) = keys.split_first() else { return true };
        let Some((domain, inner)) = index.split_first() else {
            let message = "this key has too many parts";
            self.draft.messages.error(Code::WrongIndexCount, entry.key.span, message);
            return false;
        };
        let Some(mut places) = self.places_of_key(key, *domain, inner) else { return false };
        if entry.and_more {
            let first = places.first().copied().unwrap_or(0);
            places = (first..self.draft.size(*domain)).collect();
        }
        let each = values.len() / self.draft.size(*domain).max(1) as usize;
        let mut whole = true;
        for place in places {
            let values = &mut values[place as usize * each..][..each];
            if !rest.is_empty() {
                whole &= self.fill_entry(entry, rest, inner, values, one);
                continue;
            }
            if values.iter().any(Option::is_some) {
                self.draft.messages.error(Code::DuplicateKey, key.span, "this key has a value already");
                return false;
            }
            whole &= self.fill(&entry.value, inner, values, one);
        }
        whole
    }

    /// Returns the elements of `domain` that a key names: one, those of a range, or those of a set. `inner` are the
    /// domains of the indices after it.
    fn places_of_key(
        &mut self,
        key: &'a syntax::Expr,
        domain: DomainId,
        inner: &[DomainId],
    ) -> Option<Vec<u32>> {
        if let S::Range(low, high) = &key.kind {
            let ends = [low, high].map(|end| {
                let value = self.expr(end, Some(domain));
                self.constant_key(value, end, domain, inner)
            });
            let [Some(least), Some(most)] = ends else { return None };
            if least > most {
                let message = "this range is empty";
                let d = Diagnostic::error(Code::EmptyRange, key.span, message)
                    .help("write its smaller end first");
                self.draft.messages.report(d);
                return None;
            }
            return Some((least..=most).collect());
        }
        let value = self.expr(key, Some(domain));
        let is_set = matches!(value, Val::Numbers(..)) || matches!(value.ty(), Some(Type::Set(_)));
        if !is_set {
            return self.constant_key(value, key, domain, inner).map(|place| vec![place]);
        }
        let set = self.set(value, Some(domain), key.span)?;
        let CheckedExprKind::Constant(Value::Set(places)) = set.kind else {
            self.draft.messages.report_not_constant(key.span, "a key");
            return None;
        };
        Some(places.iter().collect())
    }

    /// Returns the element of `domain` that is the value of a key.
    fn constant_key(
        &mut self,
        value: Val,
        key: &'a syntax::Expr,
        domain: DomainId,
        inner: &[DomainId],
    ) -> Option<u32> {
        if let (S::Number(number), PLAYER) = (&key.kind, domain)
            && let Some(name) = self.player_with_number(*number)
        {
            let message = format!("`{number}` is a number, and this key names a player");
            let d =
                Diagnostic::error(Code::TypeMismatch, key.span, message).help(format!("write `{name}: …`"));
            self.draft.messages.report(d);
            return None;
        }
        if let Some(later) = value.domain().filter(|of| *of != domain && inner.contains(of)) {
            let (first, later) = (self.draft.domain_name(domain), self.draft.domain_name(later));
            let message = format!("this key names no element of `{first}`");
            let help =
                format!("write `({first}, {later}): …` with an element of each, or a map for each `{first}`");
            self.draft
                .messages
                .report(Diagnostic::error(Code::WrongIndexCount, key.span, message).help(help));
            return None;
        }
        let element = self.some_element(value, domain, key.span)?;
        match element.kind {
            CheckedExprKind::Constant(Value::Element(place)) => place,
            _ => {
                self.draft.messages.report_not_constant(key.span, "a key");
                None
            }
        }
    }

    /// Checks a constant value of a slot or a table.
    pub(super) fn constant_value(&mut self, e: &'a syntax::Expr, content: Content) -> Option<Value> {
        let want = match content {
            Content::Element { domain, .. } | Content::Set(domain) => Some(domain),
            _ => None,
        };
        let value = self.expr(e, want);
        let expr = match content {
            Content::Number { .. } => self.number(value, e.span)?,
            Content::Bool => self.draft.truth(value, e.span)?,
            Content::Set(domain) => self.set(value, Some(domain), e.span)?,
            Content::Element { domain, optional: true } => self.element(value, domain, e.span)?.0,
            Content::Element { domain, optional: false } => self.some_element(value, domain, e.span)?,
        };
        let CheckedExprKind::Constant(value) = expr.kind else {
            self.draft.messages.report_not_constant(e.span, "this value");
            return None;
        };
        if let (Value::Number(n), Content::Number { low, high }) = (&value, content) {
            return self.draft.within(*n, low, high, e.span).then_some(value);
        }
        Some(value)
    }
}

impl Draft {
    /// The index domains of a declared table.
    pub(crate) fn index_of_table(&self, table: usize) -> Vec<DomainId> {
        let values = |table: TableId| &self.model.tables[table.index()].index[..];
        match &self.tables[table] {
            TableDeclaration::Points { index, .. } => index.clone(),
            TableDeclaration::Values { table, .. } => values(*table).to_vec(),
            TableDeclaration::Sets { table } => {
                values(*table).split_last().map_or(vec![], |(_, i)| i.to_vec())
            }
        }
    }

    /// Returns `true` if a constant is in its range; otherwise reports an error.
    pub(crate) fn within(&mut self, n: i64, low: i64, high: i64, span: Span) -> bool {
        if (n < low || n > high) && !self.is_dead() {
            let d = Diagnostic::error(Code::OutOfRange, span, format!("{n} is outside {low}..{high}"))
                .label(format!("this is {n}"))
                .help("widen the range where it is declared, or change this value");
            self.messages.report(d);
            return false;
        }
        true
    }
}
