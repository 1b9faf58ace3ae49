//! Neighbours from the tables of a program, and flood fill.

use crate::program::{Program, ShiftTable};
use houserule_model::board::kernel::{self, Words};
use houserule_model::board::spread;

/// Flood fill: extends `reached` through `within`. The neighbours of `fresh`, a part of `reached`, are still
/// to be visited.
#[inline(always)]
pub(crate) fn flood<const W: usize>(
    program: &Program,
    table: u16,
    moves: Option<&ShiftTable>,
    mut reached: Words<W>,
    mut fresh: Words<W>,
    within: &Words<W>,
) -> Words<W> {
    if let (Some(moves), true) = (moves, W <= 2) {
        return spread::flood(&reached, within, &moves_of(program, moves));
    }
    while !kernel::is_empty(&fresh) {
        let near = kernel::and(&neighbours(program, table, moves, &fresh), within);
        fresh = kernel::minus(&near, &reached);
        reached = kernel::or(&reached, &fresh);
    }
    reached
}

/// Converts the moves of a function to those of the kernel.
#[inline(always)]
fn moves_of<'p>(program: &'p Program, moves: &'p ShiftTable) -> spread::SetShifts<'p> {
    let width = usize::from(program.width);
    let masks = &program.sets[moves.masks as usize * width..][..moves.distances.len() * width];
    spread::SetShifts { distances: &moves.distances, up: moves.up, masks }
}

/// Returns the union of a table's rows for a set, by moves where these take less work.
#[inline(always)]
pub(crate) fn neighbours<const W: usize>(
    program: &Program,
    table: u16,
    moves: Option<&ShiftTable>,
    a: &Words<W>,
) -> Words<W> {
    match moves {
        Some(moves) if W <= 2 || kernel::count(a) > moves.distances.len() as u32 => {
            spread::spread(a, &moves_of(program, moves))
        }
        _ => union_of_rows(program, table, a),
    }
}

#[inline(always)]
fn union_of_rows<const W: usize>(program: &Program, table: u16, a: &Words<W>) -> Words<W> {
    let rows = program.set_tables[usize::from(table)];
    let mut union = kernel::none::<W>();
    kernel::for_each(a, |site| {
        let row = (rows.first as usize + (i64::from(site) - rows.low) as usize) * W;
        union = kernel::or(&union, kernel::words_at(&program.sets, row));
    });
    union
}
