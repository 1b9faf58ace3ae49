//! The types of named things as text, as a declaration would write them.

use std::collections::HashMap;

use crate::checker::Checker;
use crate::draft::Draft;
use crate::draft::tables::TableDeclaration;
use crate::names::definitions::Names;
use crate::names::name_table::{Entity, ResolutionState};
use crate::names::recorder::NamedType;
use houserule_language::diagnostic::Span;
use houserule_model::{Content, DomainId, ParamKind, Role, SlotId, Type};

impl Checker<'_> {
    /// The recorded names, with their types.
    pub(crate) fn recorded(&mut self) -> Names {
        let recorder = std::mem::take(&mut self.recorder);
        let types = self.types_of_declarations();
        recorder.finish(&self.input.options, self.hooks.called(), |span, of_values, of_element| {
            let declared = types.get(&span).cloned();
            let from_values = || of_values.and_then(|ty| self.draft.shape_text(ty));
            let element = || of_element.map(|domain| self.draft.domain_name(domain).to_owned());
            declared.or_else(from_values).or_else(element)
        })
    }

    /// The types of declared names, by the places of the names.
    fn types_of_declarations(&self) -> HashMap<Span, String> {
        let mut types = HashMap::new();
        for declared in self.names.declared.values() {
            let ResolutionState::Done(entity) = &declared.state else { continue };
            let param = declared.decl.and_then(|decl| self.draft.params.get(&decl));
            let ty = match entity {
                Entity::Param(_) => param.map(|param| param_type(&param.kind)),
                Entity::Slot(slot) => Some(self.draft.slot_type(*slot)),
                Entity::Table(table) => Some(self.draft.table_type(*table)),
                Entity::Domain(domain) => Some(format!("set of {}", self.draft.domain_name(*domain))),
                Entity::Board(board) => {
                    let domain = self.draft.model.boards[board.index()].domain;
                    Some(format!("set of {}", self.draft.domain_name(domain)))
                }
                Entity::Define(_) | Entity::Procedure(_) | Entity::Poison => None,
            };
            types.extend(ty.map(|ty| (declared.span, ty)));
        }
        for field in self.draft.fields.values() {
            let of = match field.holds_sets {
                true => Content::Set(field.of),
                false => Content::Element { domain: field.of, optional: false },
            };
            types.insert(field.name, self.draft.content_text(of));
        }
        types
    }
}

impl Draft {
    fn table_type(&self, table: usize) -> String {
        match &self.tables[table] {
            TableDeclaration::Values { table, content } => {
                let index = &self.model.tables[table.index()].index;
                format!("{}{}", self.family_text(index), self.content_text(*content))
            }
            TableDeclaration::Sets { table: values } => {
                let of = self.elements_of_sets(*values).map(|of| self.content_text(Content::Set(of)));
                let index = self.index_of_table(table);
                format!("{}{}", self.family_text(&index), of.unwrap_or_default())
            }
            TableDeclaration::Points { index, .. } => format!("{}table", self.family_text(index)),
        }
    }

    fn slot_type(&self, slot: SlotId) -> String {
        let slot = &self.model.slots[slot.index()];
        let (index, of) = match (slot.role, slot.index.split_last()) {
            (Role::Dice { count, faces, .. }, Some((_, index))) => (index, format!("{count} of d{faces}")),
            (Role::Copies, Some((kind, index))) => (index, format!("set of {}", self.domain_name(*kind))),
            _ => (&slot.index[..], self.content_text(slot.content)),
        };
        format!("{}{of}", self.family_text(index))
    }

    /// The index of a family: `[player, colour] `.
    fn family_text(&self, index: &[DomainId]) -> String {
        let names: Vec<&str> = index.iter().map(|domain| self.domain_name(*domain)).collect();
        if names.is_empty() { String::new() } else { format!("[{}] ", names.join(", ")) }
    }

    fn content_text(&self, content: Content) -> String {
        match content {
            Content::Number { low, high } => range_text(low, high),
            Content::Bool => "bool".to_owned(),
            Content::Element { domain, optional } => {
                format!("{}{}", self.domain_name(domain), if optional { "?" } else { "" })
            }
            Content::Set(domain) => format!("set of {}", self.domain_name(domain)),
        }
    }

    fn shape_text(&self, shape: NamedType) -> Option<String> {
        Some(match shape {
            NamedType::Plain(Type::Number, _) => "int".to_owned(),
            NamedType::Plain(Type::Bool, _) => "bool".to_owned(),
            NamedType::Plain(Type::Element(domain), optional) => {
                self.content_text(Content::Element { domain, optional })
            }
            NamedType::Plain(Type::Set(domain), _) => self.content_text(Content::Set(domain)),
            NamedType::Declared(content) => self.content_text(content),
            NamedType::Dice => "dice".to_owned(),
            NamedType::Points => "table".to_owned(),
        })
    }
}

fn param_type(kind: &ParamKind) -> String {
    match kind {
        ParamKind::Number { low, high } => range_text(*low, *high),
        ParamKind::Choice(words) => words.join(" | "),
        ParamKind::Bool => "bool".to_owned(),
        ParamKind::Table => "table".to_owned(),
    }
}

fn range_text(low: i64, high: i64) -> String {
    if (low, high) == (i64::MIN, i64::MAX) { "int".to_owned() } else { format!("{low}..{high}") }
}
