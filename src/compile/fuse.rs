//! Fusing: runs of instructions that one instruction can do.
//!
//! A run is fused only where nothing jumps into its middle. The instructions that it leaves behind are
//! taken out, and every jump and site follows.

use crate::program::{Block, Instruction as I, Program, SiteKind};

/// Fuses what can be fused.
pub(super) fn fuse(program: &mut Program) {
    let targets = targets(program);
    let free = |at: usize| !targets.contains(&(at as u16));
    let mut kept = vec![true; program.code.len()];
    for at in 0..program.code.len() {
        if !kept[at] {
            continue;
        }
        let next = |k: usize| program.code.get(at + k).filter(|_| (1..=k).all(|j| free(at + j)));
        match (program.code[at], next(1).copied(), next(2).copied()) {
            // A line wins, a full board ends, else the next seat moves.
            (
                I::IfLine { from, index, lines, to: won },
                Some(I::IfEmpty { a: empty, to: full }),
                Some(I::NextTurn { mover, to }),
            ) if index.0 == mover.0 && to == program.turn => {
                program.code[at] = I::LineFullNext { from, mover, lines, empty, won, full };
                kept[at + 1] = false;
                kept[at + 2] = false;
            }
            _ => {}
        }
    }
    compact(program, &kept);
}

/// Everything that is jumped to, or that a site or an entry names.
fn targets(program: &Program) -> std::collections::HashSet<u16> {
    let mut found = std::collections::HashSet::new();
    for instruction in &program.code {
        let mut instruction = *instruction;
        instruction.retarget(&mut |b| {
            found.insert(b.0);
            b
        });
    }
    for site in &program.sites {
        found.extend([site.entry.0, site.at.0]);
        if let SiteKind::Choice(choice) = &site.kind {
            found.extend(choice.parts.iter().map(|p| p.body.0));
        }
    }
    found.extend([program.start.0, program.turn.0, program.derive.0]);
    found.extend(program.score.map(|b| b.0));
    found
}

/// Takes out the instructions that are not kept.
fn compact(program: &mut Program, kept: &[bool]) {
    let mut moved = Vec::with_capacity(kept.len() + 1);
    let mut at = 0;
    for keep in kept {
        moved.push(at);
        at += u16::from(*keep);
    }
    moved.push(at);
    let place = |b: Block| Block(moved[usize::from(b.0)]);
    let mut keep = kept.iter();
    program.code.retain(|_| *keep.next().unwrap_or(&true));
    let mut keep = kept.iter();
    program.spans.retain(|_| *keep.next().unwrap_or(&true));
    for instruction in &mut program.code {
        instruction.retarget(&mut |b| place(b));
    }
    for site in &mut program.sites {
        site.entry = place(site.entry);
        site.at = place(site.at);
        if let SiteKind::Choice(choice) = &mut site.kind {
            for part in &mut choice.parts {
                part.body = place(part.body);
            }
        }
    }
    for block in [&mut program.start, &mut program.turn, &mut program.derive] {
        *block = place(*block);
    }
    program.score = program.score.map(place);
}
