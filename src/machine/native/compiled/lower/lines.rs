//! Lines and their points.

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Value};

use super::CodeGenerator;
use crate::native::compiled::calls;
use crate::native::compiled::flow::first_elements;
use crate::program::{In, LineRef, LineTable, Sets};
use houserule_model::board::kernel;
use houserule_model::board::kernel::LANES;

/// Maximum number of sites of a board for which a table lists the sets that have a line.
const BOARD: u32 = 12;

impl CodeGenerator<'_, '_> {
    /// Tests whether a set has a run of the tested length. Only for sets of one word on plain grids. `within`
    /// has the bits that may be set.
    pub(super) fn any_line(&mut self, lines: &LineTable, set: Value, within: u64) -> Value {
        let grid = lines.grid;
        let sites = grid.width * grid.height;
        if sites <= BOARD {
            let outside = within & !first_elements(sites);
            let set =
                if outside == 0 { set } else { self.b.ins().band_imm_u(set, first_elements(sites) as i64) };
            return self.any_line_in_table(lines, sites, set);
        }
        let mut any = None;
        for lane in 0..LANES {
            let mask = self.program.sets[lines.masks as usize + lane];
            if mask == 0 {
                continue;
            }
            let (mut found, mut have) = (set, 1);
            while have < lines.length {
                let more = have.min(lines.length - have);
                let by = self.b.ins().ushr_imm_u(found, i64::from((lines.strides[lane] * more) & 63));
                found = self.b.ins().band(found, by);
                have += more;
            }
            let found = self.b.ins().band_imm_u(found, mask as i64);
            any = Some(match any {
                Some(any) => self.b.ins().bor(any, found),
                None => found,
            });
        }
        any.unwrap_or_else(|| self.number(0))
    }

    /// Tests whether a set of several words has a line through an element.
    pub(super) fn line_through(&mut self, from: Sets, index: In, lines: LineRef, e: In) -> Value {
        let set = self.set_at(from, index);
        let e = self.get(e.0);
        let lines = self.address(&self.program.lines[usize::from(lines.0)]);
        let address = self.address(calls::line_through(self.program.width));
        self.calls_with(address, &[lines, set, e])
    }

    /// Like [`CodeGenerator::any_line`], on a small board: uses a table that has a byte for each set of its sites.
    fn any_line_in_table(&mut self, lines: &LineTable, sites: u32, set: Value) -> Value {
        let masks = &self.program.sets[lines.masks as usize..][..LANES];
        let mut table = vec![0u64; (1usize << sites).div_ceil(8)].into_boxed_slice();
        for of in 0..1u64 << sites {
            if kernel::any_line::<1>(&[of], &lines.strides, masks, lines.length) {
                let bytes = &mut table[(of / 8) as usize];
                *bytes |= u64::from_le(1 << (8 * (of % 8)));
            }
        }
        let start = self.address(table.as_ptr());
        self.tables.push(table);
        let from = self.b.ins().iadd(start, set);
        self.b.ins().uload8(I64, Self::tables(), from, 0)
    }

    /// Returns `true` if the lines are tested inline.
    pub(super) fn is_plain_line(&self, lines: u16) -> bool {
        self.width == 1 && self.program.lines[usize::from(lines)].lists.is_empty()
    }

    /// Returns the points of the lines of a set of one word on a plain grid.
    pub(super) fn points(&mut self, lines: &LineTable, set: Value) -> Value {
        let differences = &lines.second_differences;
        let first = differences.iter().take_while(|d| **d == 0).count();
        let lanes: Vec<usize> = (0..LANES).collect();
        let mut found = vec![set; LANES];
        let lengthen = |lower: &mut Self, found: &mut [Value], n: u32| {
            for (found, stride) in found.iter_mut().zip(lines.strides) {
                let by = lower.b.ins().ushr_imm_u(set, i64::from((stride * n) & 63));
                *found = lower.b.ins().band(*found, by);
            }
        };
        for n in 1..=first as u32 {
            lengthen(self, &mut found, n);
        }
        let done = self.new_node(false);
        let result = self.b.append_block_param(done, I64);
        let mut sum = self.number(0);
        for (n, difference) in differences.iter().enumerate().take(lines.length as usize).skip(first) {
            let mut counted = vec![];
            for lane in &lanes {
                let mask = self.program.sets[lines.masks as usize + n * LANES + lane];
                if mask != 0 {
                    counted.push(self.b.ins().band_imm_u(found[*lane], mask as i64));
                }
            }
            let Some((head, rest)) = counted.split_first() else { break };
            let mut any = *head;
            for more in rest {
                any = self.b.ins().bor(any, *more);
            }
            let (go_on, next) = (self.new_node(false), done);
            self.b.ins().brif(any, go_on, &[], next, &[BlockArg::Value(sum)]);
            self.continues_in(go_on);
            let mut windows = self.b.ins().popcnt(*head);
            for more in rest {
                let here = self.b.ins().popcnt(*more);
                windows = self.b.ins().iadd(windows, here);
            }
            let points = self.b.ins().imul_imm_s(windows, *difference);
            sum = self.b.ins().iadd(sum, points);
            lengthen(self, &mut found, n as u32 + 1);
        }
        self.b.ins().jump(done, &[BlockArg::Value(sum)]);
        self.continues_in(done);
        result
    }
}
