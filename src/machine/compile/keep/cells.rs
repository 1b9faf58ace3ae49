//! KeptCells: values of expressions that are kept from one evaluation to the next, and forgotten when what they depend on changes.
//!
//! A cell has a value and a mark. The value is valid if the mark equals the number of the cell's group; where only the latest
//! value is kept, that number combined with the inputs for which the value is. A new number for the group forgets all its
//! values: wherever the program is entered, and after an instruction that writes a word of a slot that the group reads. So a
//! value is computed where and when the rules ask for it the first time, an error occurs where it did, and nothing of it
//! outlives a stop. Marks and numbers only grow, also from one game to the next in the same frame.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::canon::{Canon, FreeInput, shape};
use super::share::{KeptExpr, SharePlan};
use crate::compile::ValueKeeping;
use crate::compile::layout::slot_len;
use crate::compile::lower::{CodeLabel, Lowering};
use crate::program::{
    Failure, Flow, Imm, In, Instruction as I, KeptValues, Numbers, Out, SetIn, SetOut, Sets, Truth, ZERO,
};
use houserule_model::{CheckedExpr, Type};

/// Where the values of an expression are kept.
#[derive(Clone, Debug)]
struct CellValues {
    kept: KeptExpr,
    /// First word of the marks.
    marks: u16,
    /// First word of the values.
    values: u16,
}

/// The cells of a program.
#[derive(Debug)]
pub(in crate::compile) struct KeptCells {
    kept: HashMap<u128, CellValues>,
    /// The shapes of the expressions that are kept: a description costs more.
    shapes: HashSet<u64>,
    /// First word of the numbers of the groups.
    numbers: u16,
    groups: u16,
    /// A word that nobody reads.
    unread: Out,
    /// By word of the state: the groups that depend on it, a bit each.
    dependents: Vec<u8>,
    /// The groups that must get a new number before a value is asked for or control goes elsewhere.
    changed: u8,
    /// Key of the expression whose value is being computed.
    computing: u128,
}

/// A cell, as the lowering of an expression uses it.
pub(in crate::compile) struct CellUse {
    index: In,
    /// The mark of a valid value.
    valid: In,
    values: CellValues,
    outer: u128,
}

impl<'m> Lowering<'m> {
    /// Plans the cells, and takes the first temporaries for them.
    pub(in crate::compile) fn plan_cells(&mut self) {
        let SharePlan { kept: planned, groups } =
            super::share::plan(self.model, &self.unread.stmts, self.layout.width, &mut self.canons);
        if planned.is_empty() {
            return;
        }
        let mut dependents = vec![0; usize::from(self.layout.live)];
        for (number, slots) in groups.iter().enumerate() {
            for slot in slots {
                let Some(at) = self.layout.slots[slot.index()] else { continue };
                let len = slot_len(self.layout.width, self.model, *slot);
                dependents[usize::from(at)..][..len].iter_mut().for_each(|bits| *bits |= 1 << number);
            }
        }
        let numbers = self.temp(groups.len() as u16);
        let unread = Out(self.number_temp());
        let (mut kept, mut shapes) = (HashMap::new(), HashSet::new());
        for (key, one) in planned {
            shapes.insert(one.shape);
            let marks = self.temp(one.count as u16);
            let values = self.temp(one.count as u16 * one.words);
            let (values_kept, saves) = (one.count as u16, one.saves.min(f64::from(u32::MAX)) as u32);
            self.program.kept.push(KeptValues { span: one.span, values: values_kept, saves });
            kept.insert(key, CellValues { kept: one, marks, values });
        }
        let groups = groups.len() as u16;
        let (changed, computing) = (0, 0);
        self.cells =
            Some(KeptCells { kept, shapes, numbers, groups, unread, dependents, changed, computing });
    }

    /// All values are forgotten before the next is asked for: the program can be entered here.
    pub(in crate::compile) fn forget_cells(&mut self) {
        let forgets = self.options.keeping != ValueKeeping::Unforgotten || self.program.code.is_empty();
        if let Some(cells) = self.cells.as_mut().filter(|_| forgets) {
            cells.changed = (1u16 << cells.groups).wrapping_sub(1) as u8;
        }
    }

    /// Gives groups whose slots were written new numbers.
    pub(in crate::compile) fn renumber_cells(&mut self) {
        let Some(cells) = &mut self.cells else { return };
        let changed = std::mem::take(&mut cells.changed);
        if changed == 0 {
            return;
        }
        let (numbers, groups, unread) = (cells.numbers, cells.groups, cells.unread);
        if changed.count_ones() == u32::from(groups) {
            // An access by index keeps the numbers in the frame, where the next run finds them.
            self.push(I::Load { d: unread, from: Numbers { at: numbers, len: groups }, index: In(ZERO) });
        }
        for group in (0..groups).filter(|group| changed >> group & 1 == 1) {
            let number = numbers + group;
            self.push(I::AddK { d: Out(number), a: In(number), k: Imm(1) });
        }
    }

    /// Notes the groups that depend on what an instruction writes.
    pub(in crate::compile) fn note_writes(&mut self, instruction: &I) {
        let Some(cells) = &mut self.cells else { return };
        let (dependents, mut changed) = (&cells.dependents, 0);
        instruction.for_each_write(self.layout.width, &mut |at, len| {
            let (from, to) = (at.min(dependents.len()), (at + len).min(dependents.len()));
            dependents[from..to].iter().for_each(|bits| changed |= bits);
        });
        if self.options.keeping != ValueKeeping::Unforgotten {
            cells.changed |= changed;
        }
        // What draws or asks is where a run goes on, and a script may write anything.
        if instruction.flow() == Flow::Suspend || matches!(instruction, I::Call { .. } | I::Given { .. }) {
            self.forget_cells();
        }
    }

    /// Returns where the values of an expression are kept, unless it is being computed.
    fn cell_of(&self, e: &CheckedExpr) -> Option<(Rc<Canon>, &CellValues)> {
        let cells = self.cells.as_ref().filter(|cells| cells.shapes.contains(&shape(e)))?;
        let canon = self.canons.describe(e);
        let values = cells.kept.get(&canon.key).filter(|_| cells.computing != canon.key)?;
        // An index must not be `none`.
        let is_sure = |input: &FreeInput| match input {
            FreeInput::Local(local) => self.sure.contains(local) && self.locals[local.index()].is_some(),
            FreeInput::Me => true,
        };
        canon.free.iter().all(is_sure).then_some((canon, values))
    }

    /// Returns `true` if all values of an expression are kept, wherever its locals are known.
    pub(in crate::compile) fn is_kept(&self, canon: &Canon) -> bool {
        let values = self.cells.as_ref().and_then(|cells| cells.kept.get(&canon.key));
        values.is_some_and(|values| values.kept.is_index.iter().all(|index| *index))
    }

    /// Returns `true` if a value is looked up before it is computed.
    pub(in crate::compile) fn has_cell(&self, e: &CheckedExpr) -> bool {
        self.cell_of(e).is_some()
    }

    /// Computes the index of an expression's value among those that are kept of it. Returns `None` if nothing is kept of it.
    fn begin_cell(&mut self, e: &CheckedExpr) -> Option<CellUse> {
        let (canon, values) = self.cell_of(e)?;
        let values = values.clone();
        let cells = self.cells.as_mut()?;
        let number = In(cells.numbers + values.kept.group as u16);
        let outer = std::mem::replace(&mut cells.computing, canon.key);
        let (mut index, mut latest) = (vec![], vec![]);
        for (input, is_index) in canon.free.iter().zip(&values.kept.is_index) {
            let part = match input {
                FreeInput::Me => (In(self.me), self.model.players.count),
                FreeInput::Local(local) => match self.model.locals[local.index()].ty {
                    Type::Element(domain) => {
                        (In(self.local(*local)), self.model.domains[domain.index()].size)
                    }
                    _ => continue,
                },
            };
            if *is_index { &mut index } else { &mut latest }.push(part);
        }
        self.renumber_cells();
        let index = self.combination(None, &index).unwrap_or(In(ZERO));
        let valid = self.combination(Some(number), &latest).unwrap_or(number);
        Some(CellUse { index, valid, values, outer })
    }

    /// Computes the number of a combination of some values below their sizes, of which `first` is one without a size.
    fn combination(&mut self, first: Option<In>, parts: &[(In, u32)]) -> Option<In> {
        parts.iter().fold(first, |all, (part, size)| {
            let Some(all) = all else { return Some(*part) };
            let d = self.number_temp();
            self.emit(I::ScaleAdd { d: Out(d), a: all, k: Imm(*size as i32), b: *part });
            Some(In(d))
        })
    }

    /// Jumps if the value of a cell is valid, or if it isn't.
    fn branch_on_cell(&mut self, cell: &CellUse, wanted: bool, to: CodeLabel) {
        let mark = self.number_temp();
        self.emit(I::Load { d: Out(mark), from: cell.marks(), index: cell.index });
        self.emit(I::IfEqual { a: In(mark), b: cell.valid, is: Truth(wanted), to: to.block() });
    }

    /// Marks the value of a cell as valid.
    fn end_cell(&mut self, cell: &CellUse) {
        self.emit(I::Store { to: cell.marks(), index: cell.index, a: cell.valid });
        if let Some(cells) = &mut self.cells {
            cells.computing = cell.outer;
        }
    }

    /// Computes a value into `d` through its cell, if it has one: `compute` does so where it isn't valid. Returns `false` if it
    /// has none.
    pub(in crate::compile) fn by_cell(
        &mut self,
        e: &CheckedExpr,
        d: u16,
        compute: impl FnOnce(&mut Self, u16),
    ) -> bool {
        let Some(cell) = self.begin_cell(e) else { return false };
        let words = cell.values.kept.words;
        let (a, other, end) = (self.temp(words), self.label(), self.label());
        let checks = matches!(self.options.keeping, ValueKeeping::Checked | ValueKeeping::Unforgotten);
        if checks {
            compute(self, a);
            self.branch_on_cell(&cell, false, other);
            let kept = self.temp(words);
            self.emit(cell.load(kept));
            self.emit(cell.branch_if_equal(a, kept, other));
            self.emit(I::Fail { why: Failure::NoneValue });
            self.bind(other);
        } else {
            self.branch_on_cell(&cell, true, other);
            compute(self, a);
        }
        self.emit(cell.store(a));
        self.end_cell(&cell);
        self.emit(cell.copy(d, a));
        if !checks {
            self.jump(end);
            self.bind(other);
            self.emit(cell.load(d));
        }
        self.bind(end);
        true
    }
}

/// The instructions for a cell, by whether its value is a set.
impl CellUse {
    fn marks(&self) -> Numbers {
        Numbers { at: self.values.marks, len: self.values.kept.count as u16 }
    }

    fn numbers(&self) -> Numbers {
        Numbers { at: self.values.values, ..self.marks() }
    }

    fn sets(&self) -> Sets {
        Sets { at: self.values.values, len: self.values.kept.count as u16 }
    }

    fn load(&self, d: u16) -> I {
        let index = self.index;
        match self.values.kept.is_set {
            true => I::LoadSet { d: SetOut(d), from: self.sets(), index },
            false => I::Load { d: Out(d), from: self.numbers(), index },
        }
    }

    fn store(&self, a: u16) -> I {
        let index = self.index;
        match self.values.kept.is_set {
            true => I::StoreSet { to: self.sets(), index, a: SetIn(a) },
            false => I::Store { to: self.numbers(), index, a: In(a) },
        }
    }

    fn copy(&self, d: u16, a: u16) -> I {
        match self.values.kept.is_set {
            true => I::SetCopy { d: SetOut(d), a: SetIn(a) },
            false => I::Copy { d: Out(d), a: In(a) },
        }
    }

    fn branch_if_equal(&self, a: u16, b: u16, to: CodeLabel) -> I {
        let (is, to) = (Truth(true), to.block());
        match self.values.kept.is_set {
            true => I::IfSame { a: SetIn(a), b: SetIn(b), is, to },
            false => I::IfEqual { a: In(a), b: In(b), is, to },
        }
    }
}
