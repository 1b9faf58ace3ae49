//! KeptCells: values of expressions that are kept from one evaluation to the next, and forgotten when what they depend on changes.
//!
//! A cell has a value and a mark. The value is valid if the mark equals the number of the cell's group. A new number for the
//! group forgets all its values: wherever the program is entered, and after an instruction that writes a word of a slot
//! that the group reads. So a value is computed where and when the rules ask for it the first time, an error occurs where it did,
//! and nothing of it outlives a stop. Marks and numbers only grow, also from one game to the next in the same frame.

use std::collections::HashMap;
use std::rc::Rc;

use super::canon::{Canon, Canons, FreeInput};
use super::share::{KeptExpr, SharePlan};
use crate::compile::ValueKeeping;
use crate::compile::layout::slot_len;
use crate::compile::lower::{CodeLabel, Lowering};
use crate::program::{
    Failure, Flow, Imm, In, Instruction as I, KeptValues, Numbers, Operand, Out, SetIn, SetOut, Sets, Truth,
    ZERO,
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
pub(in crate::compile) struct KeptCells<'m> {
    canons: Canons<'m>,
    kept: HashMap<u128, CellValues>,
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
    number: In,
    values: CellValues,
    outer: u128,
}

impl<'m> Lowering<'m> {
    /// Plans the cells, and takes the first temporaries for them.
    pub(in crate::compile) fn plan_cells(&mut self) {
        let mut canons = Canons::new(self.model);
        let SharePlan { kept: planned, groups } =
            super::share::plan(self.model, self.layout.width, &mut canons);
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
        let mut kept = HashMap::new();
        for (key, one) in planned {
            let marks = self.temp(one.count as u16);
            let values = self.temp(one.count as u16 * one.words);
            let (values_kept, saves) = (one.count as u16, one.saves.min(f64::from(u32::MAX)) as u32);
            self.program.kept.push(KeptValues { span: one.span, values: values_kept, saves });
            kept.insert(key, CellValues { kept: one, marks, values });
        }
        let groups = groups.len() as u16;
        self.cells =
            Some(KeptCells { canons, kept, numbers, groups, unread, dependents, changed: 0, computing: 0 });
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
        let width = usize::from(self.layout.width);
        let mut changed = 0;
        let mut writes = |at: u16, len: usize| {
            let live = cells.dependents.len();
            let (from, to) = (usize::from(at).min(live), (usize::from(at) + len).min(live));
            cells.dependents[from..to].iter().for_each(|bits| changed |= bits);
        };
        for (name, operand) in instruction.operands() {
            let is_written = matches!(name, "to" | "places" | "on" | "empty");
            match operand {
                Operand::Write(at) | Operand::Change(at) => writes(at, 1),
                Operand::WriteSet(at) | Operand::ChangeSet(at) => writes(at, width),
                Operand::Numbers(numbers) if is_written => writes(numbers.at, numbers.len.into()),
                Operand::Sets(sets) if is_written => writes(sets.at, usize::from(sets.len) * width),
                Operand::Words(words) => writes(words.at, words.len.into()),
                _ => {}
            }
        }
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
        let cells = self.cells.as_ref()?;
        let canon = cells.canons.describe(e);
        let values = cells.kept.get(&canon.key).filter(|_| cells.computing != canon.key)?;
        // An index must not be `none`.
        let is_sure = |input: &FreeInput| match input {
            FreeInput::Local(local) => self.sure.contains(local) && self.locals[local.index()].is_some(),
            FreeInput::Me => true,
        };
        canon.free.iter().all(is_sure).then_some((canon, values))
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
        let mut parts: Vec<(In, u32)> = vec![];
        for input in &canon.free {
            parts.push(match input {
                FreeInput::Me => (In(self.me), self.model.players.count),
                FreeInput::Local(local) => match self.model.locals[local.index()].ty {
                    Type::Element(domain) => {
                        (In(self.local(*local)), self.model.domains[domain.index()].size)
                    }
                    _ => continue,
                },
            });
        }
        self.renumber_cells();
        let mut index = In(ZERO);
        for (number, (part, size)) in parts.into_iter().enumerate() {
            if number == 0 {
                index = part;
                continue;
            }
            let d = self.number_temp();
            self.emit(I::ScaleAdd { d: Out(d), a: index, k: Imm(size as i32), b: part });
            index = In(d);
        }
        Some(CellUse { index, number, values, outer })
    }

    /// Jumps if the value of a cell is valid, or if it isn't.
    fn branch_on_cell(&mut self, cell: &CellUse, wanted: bool, to: CodeLabel) {
        let mark = self.number_temp();
        self.emit(I::Load { d: Out(mark), from: cell.marks(), index: cell.index });
        self.emit(I::IfEqual { a: In(mark), b: cell.number, is: Truth(wanted), to: to.block() });
    }

    /// Marks the value of a cell as valid.
    fn end_cell(&mut self, cell: &CellUse) {
        self.emit(I::Store { to: cell.marks(), index: cell.index, a: cell.number });
        if let Some(cells) = &mut self.cells {
            cells.computing = cell.outer;
        }
    }

    fn checks_cells(&self) -> bool {
        matches!(self.options.keeping, ValueKeeping::Checked | ValueKeeping::Unforgotten)
    }

    /// Computes a number, boolean or element through its cell, if it has one. Returns `false` if it has none.
    pub(in crate::compile) fn number_by_cell(
        &mut self,
        e: &CheckedExpr,
        d: Out,
        compute: impl FnOnce(&mut Self, Out),
    ) -> bool {
        let Some(cell) = self.begin_cell(e) else { return false };
        let values = Numbers { at: cell.values.values, len: cell.values.kept.count as u16 };
        let (index, a) = (cell.index, self.number_temp());
        let (other, end) = (self.label(), self.label());
        if self.checks_cells() {
            compute(self, Out(a));
            self.branch_on_cell(&cell, false, other);
            let kept = self.number_temp();
            self.emit(I::Load { d: Out(kept), from: values, index });
            self.emit(I::IfEqual { a: In(a), b: In(kept), is: Truth(true), to: other.block() });
            self.emit(I::Fail { why: Failure::NoneValue });
            self.bind(other);
        } else {
            self.branch_on_cell(&cell, true, other);
            compute(self, Out(a));
        }
        self.emit(I::Store { to: values, index, a: In(a) });
        self.end_cell(&cell);
        self.emit(I::Copy { d, a: In(a) });
        if !self.checks_cells() {
            self.jump(end);
            self.bind(other);
            self.emit(I::Load { d, from: values, index });
        }
        self.bind(end);
        true
    }

    /// Like [`Lowering::number_by_cell`], for a set.
    pub(in crate::compile) fn set_by_cell(
        &mut self,
        e: &CheckedExpr,
        d: SetOut,
        compute: impl FnOnce(&mut Self, SetOut),
    ) -> bool {
        let Some(cell) = self.begin_cell(e) else { return false };
        let values = Sets { at: cell.values.values, len: cell.values.kept.count as u16 };
        let (index, a) = (cell.index, self.set_temp());
        let (other, end) = (self.label(), self.label());
        if self.checks_cells() {
            compute(self, SetOut(a));
            self.branch_on_cell(&cell, false, other);
            let kept = self.set_temp();
            self.emit(I::LoadSet { d: SetOut(kept), from: values, index });
            self.emit(I::IfSame { a: SetIn(a), b: SetIn(kept), is: Truth(true), to: other.block() });
            self.emit(I::Fail { why: Failure::NoneValue });
            self.bind(other);
        } else {
            self.branch_on_cell(&cell, true, other);
            compute(self, SetOut(a));
        }
        self.emit(I::StoreSet { to: values, index, a: SetIn(a) });
        self.end_cell(&cell);
        self.emit(I::SetCopy { d, a: SetIn(a) });
        if !self.checks_cells() {
            self.jump(end);
            self.bind(other);
            self.emit(I::LoadSet { d, from: values, index });
        }
        self.bind(end);
        true
    }
}

impl CellUse {
    fn marks(&self) -> Numbers {
        Numbers { at: self.values.marks, len: self.values.kept.count as u16 }
    }
}
