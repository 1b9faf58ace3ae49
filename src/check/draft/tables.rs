//! What names of tables and of fields stand for.

use houserule_language::diagnostic::Span;
use houserule_model::*;

/// A declared table.
#[derive(Clone, Debug)]
pub(crate) enum TableDeclaration {
    /// A table of integers, booleans or elements.
    Values {
        /// The table in the model.
        table: TableId,
        /// Type of its values.
        content: Content,
    },
    /// A table of sets.
    Sets {
        /// The table in the model. Its last index is the element that a set has or lacks.
        table: TableId,
    },
    /// A table of points for each element of the index domains.
    Points {
        /// Index domains.
        index: Vec<DomainId>,
        /// One table of points for each element.
        values: Vec<PointsTable>,
    },
}

/// A field of a record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldTable {
    /// Location of the field's name.
    pub(crate) name: Span,
    /// The table of its values: numbers, or the places of elements.
    pub(crate) table: TableId,
    /// The table of its values as elements of `of`, once there is one.
    pub(crate) elements: Option<TableId>,
    /// The domain of its values, or of the elements of its sets.
    pub(crate) of: DomainId,
    /// Its values are sets.
    pub(crate) holds_sets: bool,
    /// Some elements lack the field. Its value is none for them.
    pub(crate) partial: bool,
}
