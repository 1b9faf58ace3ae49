//! Tables and fields that hold sets: the corners of a tile, the colours on a card. The model has a truth value for each
//! element that a set may have.

use crate::draft::Draft;
use houserule_language::diagnostic::Span;
use houserule_model::board::BitSet;
use houserule_model::*;

impl Draft {
    /// Adds a table of sets of elements of `of`. Returns `None` if there is no room for it.
    pub(super) fn add_set_table(
        &mut self,
        name: String,
        mut index: Vec<DomainId>,
        of: DomainId,
        sets: &[BitSet],
        span: Span,
    ) -> Option<TableId> {
        let size = self.size(of);
        if !self.afford_table(sets.len() * size as usize, span) {
            return None;
        }
        index.push(of);
        let has = |set: &BitSet| (0..size).map(|e| i64::from(set.contains(e))).collect::<Vec<_>>();
        let values = sets.iter().flat_map(has).collect();
        self.model.tables.push(ConstantTable { name, index, values });
        Some(TableId(self.model.tables.len() as u32 - 1))
    }

    /// The domain of the elements of the sets in a table.
    pub(crate) fn elements_of_sets(&self, table: TableId) -> Option<DomainId> {
        self.model.tables[table.index()].index.last().copied()
    }

    /// The set that a table of sets has at an index.
    pub(crate) fn set_in_table(
        &mut self,
        table: TableId,
        mut index: Vec<CheckedExpr>,
        span: Span,
    ) -> Option<CheckedExpr> {
        let of = self.elements_of_sets(table)?;
        let (ty, size) = (Type::Element(of), self.size(of));
        let known = index.iter().map(|e| match e.kind {
            CheckedExprKind::Constant(Value::Element(Some(place))) => Some(place as usize),
            _ => None,
        });
        if let Some(places) = known.collect::<Option<Vec<_>>>() {
            let values = &self.model.tables[table.index()];
            let domains = values.index.iter().zip(&places);
            let row = domains.fold(0, |row, (domain, place)| row * self.size(*domain) as usize + place);
            let first = row * size as usize;
            let mut set = BitSet::empty(size);
            (0..size).filter(|e| values.values[first + *e as usize] != 0).for_each(|e| set.insert(e));
            return Some(self.build(CheckedExprKind::Constant(Value::Set(set)), Type::Set(of), span));
        }
        let local = self.new_local("element", ty, span);
        index.push(self.build(CheckedExprKind::Local(local), ty, span));
        let has = self.build(CheckedExprKind::Table(table, index), Type::Number, span);
        let zero = self.number_constant(0, span);
        let condition = Box::new(self.compare(ComparisonOperator::NotEqual, has, zero, span));
        let over = Box::new(self.full_set(of, span));
        Some(self.build(CheckedExprKind::Filter { local, over, condition }, Type::Set(of), span))
    }
}
