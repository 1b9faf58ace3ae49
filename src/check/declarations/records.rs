//! Domains of records: their fields, elements with names, rows, and the tables that hold the values.

use crate::checker::Checker;
use crate::draft::Draft;
use crate::draft::tables::FieldTable;
use crate::messages::Messages;
use crate::names::name_table::Entity;
use crate::values::Val;
use houserule_base::limits;
use houserule_language::diagnostic::{Code, Diagnostic};
use houserule_language::syntax::{ElementKind, ElementRow, ExprKind as S, Name, TypeExpr, TypeKind};
use houserule_model::board::BitSet;
use houserule_model::*;

/// The domain of a record's field.
#[derive(Clone, Copy, Default)]
struct FieldDomain {
    /// The domain of its elements, or `None` for numbers.
    of: Option<DomainId>,
    /// The domain of its numbers, if it was declared.
    numbers: Option<DomainId>,
    /// The domain of the elements of its sets, for a field that holds sets.
    sets_of: Option<DomainId>,
}

/// The values of the fields of a named element; `None` for a field that the element lacks. The value of a set is its place
/// among all sets of the domain.
type RowValues = Vec<Option<i64>>;

/// A field with its value for each element that has it.
struct RecordField<'a> {
    name: &'a Name,
    ty: &'a TypeExpr,
    domain: FieldDomain,
    values: Vec<Option<i64>>,
}

impl<'a> RecordField<'a> {
    /// The field, with the sets that its values stand for. Elements without the field have empty sets.
    fn with_sets(&self, sets: &[BitSet]) -> Option<(&'a Name, SetField)> {
        let of = self.domain.sets_of?;
        let none = BitSet::empty(sets.first()?.size());
        let set = |place: &Option<i64>| place.map_or(none.clone(), |place| sets[place as usize].clone());
        let values = self.values.iter().map(set).collect();
        Some((self.name, SetField { name: self.name.text.clone(), of, values }))
    }
}

impl<'a> Checker<'a> {
    /// Resolves `domain NAME { field: range, … } | { value, … }`.
    pub(crate) fn resolve_record(&mut self, name: &'a Name, kinds: &'a [ElementKind]) -> Entity {
        let mut columns: Vec<RecordField<'a>> = vec![];
        let mut named: Vec<(u32, String)> = vec![];
        let mut sets: Vec<BitSet> = vec![];
        let mut size = 0usize;
        for kind in kinds {
            match kind {
                ElementKind::Records(fields) => {
                    let Some((rows, domains)) = self.records(name, fields) else { return Entity::Poison };
                    let values = |i: usize| rows.iter().map(|row| Some(row[i])).collect();
                    if !self.draft.add_columns(&mut columns, fields, &domains, size, &values) {
                        return Entity::Poison;
                    }
                    size += rows.len();
                }
                ElementKind::Rows(fields, rows) => {
                    let Some((table, domains)) = self.rows(fields, rows, &mut sets) else {
                        return Entity::Poison;
                    };
                    let values = |i: usize| table.iter().map(|row| row[i]).collect();
                    if !self.draft.add_columns(&mut columns, fields, &domains, size, &values) {
                        return Entity::Poison;
                    }
                    named.extend((size as u32..).zip(rows.iter().map(|row| row.name.text.clone())));
                    size += rows.len();
                }
                // The loader has put the rows of the file here, or has said why it can't.
                ElementKind::File(_) => return Entity::Poison,
                ElementKind::Values(values) => {
                    named.extend((size as u32..).zip(values.iter().map(|(value, _)| value.text.clone())));
                    size += values.len();
                }
            }
            if size as i64 > limits::DOMAIN {
                self.draft.report_large_domain(&format!("`{}`", name.text), size as u64, name.span);
                return Entity::Poison;
            }
        }
        if columns.is_empty() {
            let message = format!("no element of `{}` has a field", name.text);
            let d = Diagnostic::error(Code::WrongType, name.span, message)
                .help(format!("for values without fields, write `enum {} {{ … }}`", name.text));
            self.draft.messages.report(d);
            return Entity::Poison;
        }
        columns.iter_mut().for_each(|column| column.values.resize(size, None));
        if let Some(unused) = columns.iter().find(|column| column.values.iter().all(Option::is_none)) {
            let field = &unused.name.text;
            let message = format!("no element of `{}` has the field `{field}`", name.text);
            let d = Diagnostic::error(Code::WrongType, unused.name.span, message)
                .help(format!("give an element a value of `{field}`, or leave the field out"));
            self.draft.messages.report(d);
            return Entity::Poison;
        }
        if !self.draft.afford_table(size * columns.len(), name.span) {
            return Entity::Poison;
        }
        let (of_sets, columns): (Vec<_>, Vec<_>) =
            columns.into_iter().partition(|column| column.domain.sets_of.is_some());
        let of_sets = of_sets.iter().filter_map(|column| column.with_sets(&sets)).collect::<Vec<_>>();
        let field = |column: &RecordField<'a>| houserule_model::Field {
            name: column.name.text.clone(),
            of: column.domain.of,
            numbers: column.domain.numbers,
            read: false,
            values: column.values.clone(),
        };
        let kind = DomainKind::Record {
            fields: columns.iter().map(field).collect(),
            named,
            sets: of_sets.iter().map(|(_, field)| field.clone()).collect(),
        };
        let domain =
            self.draft.add_domain(Domain { name: name.text.clone(), kind, size: size as u32, looks: vec![] });
        if kinds.len() > 1 && !self.draft.check_names_differ(name, domain) {
            return Entity::Poison;
        }
        for column in columns {
            if self.draft.add_field(domain, column).is_none() {
                return Entity::Poison;
            }
        }
        for (name, field) in of_sets {
            if self.draft.add_field_of_sets(domain, name, field).is_none() {
                return Entity::Poison;
            }
        }
        Entity::Domain(domain)
    }

    /// All records with these fields, and the domains of the fields.
    fn records(
        &mut self,
        name: &'a Name,
        fields: &'a [(Name, TypeExpr)],
    ) -> Option<(Vec<Vec<i64>>, Vec<FieldDomain>)> {
        if !report_different_fields(&mut self.draft.messages, fields) {
            return None;
        }
        let mut rows: Vec<Vec<i64>> = vec![];
        let mut domains = vec![FieldDomain::default(); fields.len()];
        if fields.is_empty() || !self.fill_record(name, fields, &mut vec![], &mut rows, &mut domains) {
            return None;
        }
        if rows.is_empty() {
            self.draft.messages.error(Code::EmptyRange, name.span, format!("`{}` has no element", name.text));
            return None;
        }
        Some((rows, domains))
    }

    /// The values of the fields of named elements, row by row, and the domains of the fields. A value is none for a
    /// field that the element lacks. Sets are added to `sets`.
    fn rows(
        &mut self,
        fields: &'a [(Name, TypeExpr)],
        rows: &'a [ElementRow],
        sets: &mut Vec<BitSet>,
    ) -> Option<(Vec<RowValues>, Vec<FieldDomain>)> {
        if !report_different_fields(&mut self.draft.messages, fields) {
            return None;
        }
        let mut domains = vec![];
        let mut contents = vec![];
        for (_, ty) in fields {
            let (domain, content) = self.field_of_rows(ty)?;
            domains.push(domain);
            contents.push(content);
        }
        let mut table = vec![];
        let mut whole = true;
        for row in rows {
            let written = row.values();
            if written.len() != fields.len() {
                report_row_length(&mut self.draft.messages, fields, row);
                whole = false;
                continue;
            }
            let values = written.iter().zip(fields).zip(&contents).zip(&domains);
            let values = values.map(|(((value, (field, ty)), content), domain)| {
                if matches!(value.kind, S::None) && !ty.optional {
                    let message = format!("`{}` of `{}` can't be none", field.text, row.name.text);
                    let d = Diagnostic::error(Code::MayBeNone, value.span, message)
                        .also(ty.span, "the type of the field")
                        .help("write `?` after the type of the field, or another value here");
                    self.draft.messages.report(d);
                    return None;
                }
                let low = match (content, domain.of) {
                    (Content::Element { domain, .. }, None) => self.draft.range_low(*domain).unwrap_or(0),
                    _ => 0,
                };
                match self.constant_value(value, *content)? {
                    Value::Number(n) => Some(Some(n)),
                    Value::Element(x) => Some(x.map(|x| low + i64::from(x))),
                    Value::Set(set) => {
                        sets.push(set);
                        Some(Some(sets.len() as i64 - 1))
                    }
                    Value::Bool(_) => None,
                }
            });
            match values.collect::<Vec<_>>().into_iter().collect::<Option<Vec<_>>>() {
                Some(values) => table.push(values),
                None => whole = false,
            }
        }
        whole.then_some((table, domains))
    }

    /// The domain of a field whose values are written in rows, and what such a value may be.
    fn field_of_rows(&mut self, ty: &'a TypeExpr) -> Option<(FieldDomain, Content)> {
        if matches!(&ty.kind, TypeKind::Named(name) if name.text == "bool") {
            let d = Diagnostic::error(Code::WrongType, ty.span, "a field can't be true or false")
                .help("write two words: `lasting: yes | no`");
            self.draft.messages.report(d);
            return None;
        }
        let content = self.content(ty)?;
        if let (Content::Set(of), TypeKind::Set(elements)) = (content, &ty.kind) {
            if let TypeKind::Named(name) = &elements.kind {
                self.enter_values_of_domain(&name.text);
            }
            return Some((FieldDomain { sets_of: Some(of), ..FieldDomain::default() }, content));
        }
        let domain = match content {
            Content::Element { domain, .. } => domain,
            _ => match &ty.kind {
                // The domain tells how drawings show its numbers.
                TypeKind::Named(name) if name.text != "int" => self.domain_named(name)?,
                _ => return Some((FieldDomain::default(), content)),
            },
        };
        if let TypeKind::Named(name) = &ty.kind {
            self.enter_values_of_domain(&name.text);
        }
        let number = self.draft.range_low(domain).is_some();
        let declared = number && matches!(ty.kind, TypeKind::Named(_));
        let of = FieldDomain {
            of: (!number).then_some(domain),
            numbers: declared.then_some(domain),
            sets_of: None,
        };
        Some((of, content))
    }

    /// Adds all records that begin with `row`. A field's range may use earlier fields. Returns `false`
    /// on error.
    fn fill_record(
        &mut self,
        name: &'a Name,
        fields: &'a [(Name, TypeExpr)],
        row: &mut Vec<i64>,
        rows: &mut Vec<Vec<i64>>,
        kinds: &mut [FieldDomain],
    ) -> bool {
        let i = row.len();
        let Some((_, ty)) = fields.get(i) else {
            rows.push(row.clone());
            if rows.len() as i64 > limits::DOMAIN {
                self.draft.report_large_domain(&format!("`{}`", name.text), rows.len() as u64, name.span);
                return false;
            }
            return true;
        };
        let range = match &ty.kind {
            TypeKind::Range(low, high) => {
                let before = fields.iter().zip(row.iter()).zip(kinds.iter());
                let before = before.map(|(((field, _), value), kind)| {
                    let value = match kind.of {
                        Some(of) => self.draft.constant_element(of, *value as u32, field.span),
                        None => self.draft.number_constant(*value, field.span),
                    };
                    (field, Val::sure(value))
                });
                let before = before.collect();
                let (low_value, high_value) = self.with_arguments(before, false, |c| {
                    (c.constant(low, "the range of a field"), c.constant(high, "the range of a field"))
                });
                let (Some(low), Some(high)) = (low_value, high_value) else { return false };
                if high.saturating_sub(low) >= limits::DOMAIN {
                    let size = high.saturating_sub(low).saturating_add(1);
                    self.draft.report_large_domain(&format!("`{low}..{high}`"), size as u64, ty.span);
                    return false;
                }
                (low, high)
            }
            TypeKind::Set(_) => {
                let message = "a field of all combinations can't hold a set";
                let d = Diagnostic::error(Code::WrongType, ty.span, message).help(
                    "give each element a row: `domain card { cost: 0..9, shows: set of gem } = [mine: (3, {red, blue})]`",
                );
                self.draft.messages.report(d);
                return false;
            }
            _ => {
                let Some(domain) = self.type_domain(ty) else { return false };
                match self.draft.range_low(domain) {
                    Some(low) => {
                        kinds[i].numbers = Some(domain);
                        (low, low + i64::from(self.draft.size(domain)) - 1)
                    }
                    None => {
                        kinds[i].of = Some(domain);
                        (0, i64::from(self.draft.size(domain)) - 1)
                    }
                }
            }
        };
        for value in range.0..=range.1 {
            row.push(value);
            let whole = self.fill_record(name, fields, row, rows, kinds);
            row.pop();
            if !whole {
                return false;
            }
        }
        true
    }
}

impl Draft {
    /// Adds a field with the table of its values.
    fn add_field(&mut self, domain: DomainId, column: RecordField<'_>) -> Option<()> {
        let RecordField { name, ty, domain: FieldDomain { of, .. }, values } = column;
        let number = of.is_none();
        let known = || values.iter().copied().flatten();
        let of = match of {
            Some(of) => of,
            None => {
                let (low, high) = (known().min()?, known().max()?);
                self.range_domain(low, high, ty.span)?
            }
        };
        // A number that some elements lack is an element of its range.
        let partial = values.contains(&None);
        let low = if partial { self.range_low(of).unwrap_or(0) } else { 0 };
        let table = format!("{}.{}", self.domain_name(domain), name.text);
        let values = values.iter().map(|value| value.map_or(-1, |value| value - low)).collect();
        self.model.tables.push(ConstantTable { name: table, index: vec![domain], values });
        let id = TableId(self.model.tables.len() as u32 - 1);
        let elements = (partial || !number).then_some(id);
        let field = FieldTable { name: name.span, table: id, elements, of, holds_sets: false, partial };
        self.fields.insert((domain, name.text.clone()), field);
        Some(())
    }

    /// Adds a field that holds sets, with the table of their elements.
    fn add_field_of_sets(&mut self, domain: DomainId, name: &'_ Name, field: SetField) -> Option<()> {
        let SetField { of, values, .. } = field;
        let called = format!("{}.{}", self.domain_name(domain), name.text);
        let table = self.add_set_table(called, vec![domain], of, &values, name.span)?;
        let field =
            FieldTable { name: name.span, table, elements: None, of, holds_sets: true, partial: false };
        self.fields.insert((domain, name.text.clone()), field);
        Some(())
    }

    /// Adds the values of the fields of one kind of elements to the columns. `size` elements have other kinds and come
    /// before.
    fn add_columns<'a>(
        &mut self,
        columns: &mut Vec<RecordField<'a>>,
        fields: &'a [(Name, TypeExpr)],
        domains: &[FieldDomain],
        size: usize,
        values: &dyn Fn(usize) -> Vec<Option<i64>>,
    ) -> bool {
        for (i, (field, ty)) in fields.iter().enumerate() {
            let Some(column) = self.column(columns, field, ty, domains[i]) else { return false };
            columns[column].values.resize(size, None);
            columns[column].values.extend(values(i));
        }
        true
    }

    /// The place of a field among the columns, with a new column for a new field. A field that several kinds of
    /// elements have must be of one type.
    fn column<'a>(
        &mut self,
        columns: &mut Vec<RecordField<'a>>,
        name: &'a Name,
        ty: &'a TypeExpr,
        domain: FieldDomain,
    ) -> Option<usize> {
        let Some(at) = columns.iter().position(|column| column.name.text == name.text) else {
            columns.push(RecordField { name, ty, domain, values: vec![] });
            return Some(columns.len() - 1);
        };
        let known = &mut columns[at];
        if known.domain.numbers != domain.numbers {
            known.domain.numbers = None;
        }
        if (known.domain.of, known.domain.sets_of) == (domain.of, domain.sets_of) {
            return Some(at);
        }
        let described = |c: &Self, field: FieldDomain| match (field.of, field.sets_of) {
            (Some(of), _) => format!("an element of `{}`", c.domain_name(of)),
            (None, Some(of)) => format!("a set of `{}`", c.domain_name(of)),
            (None, None) => "a number".to_owned(),
        };
        let (first, other) = (described(self, known.domain), described(self, domain));
        let message = format!("`{}` is {other} here and {first} in another kind of elements", name.text);
        let d = Diagnostic::error(Code::WrongType, name.span, message)
            .also(known.name.span, "first listed here")
            .help("give one of the two fields another name");
        self.messages.report(d);
        None
    }

    /// Reports two elements with the same name.
    fn check_names_differ(&mut self, name: &Name, domain: DomainId) -> bool {
        let mut known = std::collections::HashSet::new();
        for e in 0..self.size(domain) {
            let element = self.model.element_name(domain, e);
            if known.contains(&element) {
                let message = format!("two elements of `{}` are called `{element}`", name.text);
                let d = Diagnostic::error(Code::DuplicateName, name.span, message)
                    .help("let a field of one kind have other values, or give it one more field");
                self.messages.report(d);
                return false;
            }
            known.insert(element);
        }
        true
    }
}

/// Reports two fields with the same name, and too many fields.
fn report_different_fields(messages: &mut Messages, fields: &[(Name, TypeExpr)]) -> bool {
    for (i, (field, _)) in fields.iter().enumerate() {
        if let Some((first, _)) = fields[..i].iter().find(|(f, _)| f.text == field.text) {
            let d = Diagnostic::error(
                Code::DuplicateName,
                field.span,
                format!("`{}` is listed twice", field.text),
            )
            .also(first.span, "first listed here");
            messages.report(d);
            return false;
        }
    }
    if fields.len() > limits::FIELDS {
        let (field, _) = &fields[limits::FIELDS];
        let message = format!("{} fields are too many", fields.len());
        let d = Diagnostic::error(Code::LimitFields, field.span, message)
            .note(format!("a record may have at most {}", limits::FIELDS))
            .help("use two domains, or a table");
        messages.report(d);
        return false;
    }
    true
}

fn report_row_length(messages: &mut Messages, fields: &[(Name, TypeExpr)], row: &ElementRow) {
    let names: Vec<&str> = fields.iter().map(|(field, _)| field.text.as_str()).collect();
    let (needed, found) = (names.len(), row.values().len());
    let count = |n: usize| if n == 1 { "1 value".to_owned() } else { format!("{n} values") };
    let message = format!("`{}` needs {}, found {found}", row.name.text, count(needed));
    let form = match needed {
        1 => format!("`{}: {}`", row.name.text, names[0]),
        _ => format!("`{}: ({})`", row.name.text, names.join(", ")),
    };
    let d = Diagnostic::error(Code::IncompleteTable, row.values.span, message)
        .help(format!("write {form}, with a value for each field in this order"));
    messages.report(d);
}
