//! Fusing: runs of instructions that one instruction can do, and what is left behind taken out.
//!
//! A run is fused only where nothing jumps into its middle. Sites keep their meaning: where a fused
//! instruction decides, the instruction that a resumed game goes on with stays behind it.

use std::collections::HashSet;

use super::flow::leads_to;
use crate::program::{
    Block, Body, BodyRef, Flow, Imm, In, Instruction as I, Numbers, Operand, Program, SiteKind, SiteRef,
};

/// Fuses what can be fused.
pub(super) fn fuse(program: &mut Program) {
    thread_jumps(program);
    clean(program);
    imply_steps(program);
    choices(program);
    counts(program);
    clean(program);
    pairs(program);
    later_constants(program);
    pairs(program);
    thread_jumps(program);
    clean(program);
    straighten(program);
}

/// Everything that is jumped to, or that a site or an entry names.
pub(super) fn targets(program: &Program) -> HashSet<u16> {
    let mut found = entries(program);
    for instruction in &program.code {
        let mut instruction = *instruction;
        instruction.retarget(&mut |b| {
            found.insert(b.0);
            b
        });
    }
    found
}

/// Where code is entered from outside.
fn entries(program: &Program) -> HashSet<u16> {
    let mut found = HashSet::new();
    for site in &program.sites {
        found.extend([site.entry.0, site.at.0]);
        match &site.kind {
            SiteKind::Choice(choice) => found.extend(choice.parts.iter().map(|p| p.body.0)),
            // A chance event goes on behind itself.
            _ => {
                found.insert(site.at.0 + 1);
            }
        }
    }
    found.extend(program.bodies.iter().map(|b| b.at.0));
    found.extend([program.start.0, program.turn.0, program.derive.0]);
    found.extend(program.score.map(|b| b.0));
    found
}

/// A jump to a jump goes to where that one goes.
pub(super) fn thread_jumps(program: &mut Program) {
    let end = |mut b: Block, code: &[I]| {
        while let Some(I::Jump { to }) = code.get(usize::from(b.0)) {
            b = *to;
        }
        b
    };
    let code = program.code.clone();
    for instruction in &mut program.code {
        instruction.retarget(&mut |b| end(b, &code));
    }
    for site in &mut program.sites {
        if let SiteKind::Choice(choice) = &mut site.kind {
            choice.parts.iter_mut().for_each(|p| p.body = end(p.body, &code));
        }
    }
    program.bodies.iter_mut().for_each(|b| b.at = end(b.at, &code));
}

/// Takes out what is never reached and jumps to the next instruction.
pub(super) fn clean(program: &mut Program) {
    let mut kept = vec![false; program.code.len()];
    let mut open: Vec<u16> = entries(program).into_iter().collect();
    while let Some(at) = open.pop() {
        let Some(seen) = kept.get_mut(usize::from(at)) else { continue };
        if std::mem::replace(seen, true) {
            continue;
        }
        let mut instruction = program.code[usize::from(at)];
        if matches!(instruction.flow(), Flow::Next | Flow::Branch | Flow::Suspend) {
            open.push(at + 1);
        }
        instruction.retarget(&mut |b| {
            open.push(b.0);
            b
        });
    }
    for at in 0..program.code.len() {
        if let I::Jump { to } = program.code[at]
            && (at + 1..usize::from(to.0)).all(|k| !kept[k])
        {
            kept[at] = false;
        }
    }
    compact(program, &kept);
}

/// A step that is entered whenever another is, or whenever a turn begins, needs no count.
fn imply_steps(program: &mut Program) {
    let targets = targets(program);
    let mut kept = vec![true; program.code.len()];
    let turn = usize::from(program.turn.0);
    // What the count of a mark at this place would be the same as.
    let mut same: Option<Option<u16>> = None;
    for (at, keep) in kept.iter_mut().enumerate() {
        if at == turn {
            // A round is no turn.
            same = (!program.rounds).then_some(None);
        } else if targets.contains(&(at as u16)) && !behind_chance(program, at) {
            same = None;
        }
        match program.code[at] {
            I::Mark { step } => match same {
                Some(of) if at >= turn && !counted_twice(program, step.0) => {
                    program.implied_steps.push((step.0, of));
                    *keep = false;
                }
                _ => same = Some(Some(step.0)).filter(|_| !counted_twice(program, step.0)),
            },
            instruction => match instruction.flow() {
                Flow::Next => {}
                Flow::Suspend
                    if matches!(instruction, I::Roll { .. } | I::Pick { .. } | I::PickBy { .. }) => {}
                _ => same = None,
            },
        }
    }
    compact(program, &kept);
}

/// Is a place a target only since a chance event goes on, or is found again, there?
fn behind_chance(program: &Program, at: usize) -> bool {
    let mut jumped = false;
    for instruction in &program.code {
        let mut instruction = *instruction;
        instruction.retarget(&mut |b| {
            jumped |= usize::from(b.0) == at;
            b
        });
    }
    let chance = |kind: &SiteKind| !matches!(kind, SiteKind::Choice(_));
    let named = program.sites.iter().any(|s| match &s.kind {
        SiteKind::Choice(choice) => choice.parts.iter().any(|p| usize::from(p.body.0) == at),
        _ => false,
    });
    let near = program.sites.iter().any(|s| {
        let entry = usize::from(s.entry.0) == at || usize::from(s.at.0) == at;
        entry || (chance(&s.kind) && usize::from(s.at.0) + 1 == at)
    });
    near && !jumped && !named
}

/// Does a step stand in several places, as one in a procedure may?
fn counted_twice(program: &Program, step: u16) -> bool {
    program.code.iter().filter(|i| matches!(i, I::Mark { step: s } if s.0 == step)).count() > 1
}

/// Choices among options without binders, and choices that place at once.
fn choices(program: &mut Program) {
    for at in 0..program.code.len() {
        match (program.code[at], program.code.get(at + 1).copied()) {
            (I::Choose { site, to }, _) => {
                if let Some(instruction) = choose_bits(program, site, to) {
                    program.code[at] = instruction;
                }
            }
            (I::ChooseOne { site, d, a, me, to, .. }, Some(I::Place { to: on, index, empty, e, size }))
                if a.0 == empty.0
                    && e.0 == d.0
                    && index == me
                    && u32::from(on.len) == u32::from(program.players)
                    && u32::from(size.0) <= u32::from(program.width) * 64 =>
            {
                program.code[at] = I::ChoosePlace { site, d, on, me, empty, to };
            }
            // The site is entered where its set is computed, which is where it now stops as well.
            (I::LookAnd { d: legal, table, index, a }, Some(I::ChooseOne { site, d, a: from, to, .. }))
                if legal.0 == from.0 && usize::from(program.sites[usize::from(site.0)].entry.0) == at =>
            {
                program.code[at] = I::LookChoose { site, d, table, index, a, to };
                program.sites[usize::from(site.0)].at = Block(at as u16);
                program.code[at + 1] = I::Jump { to: Block(at as u16 + 2) };
            }
            (I::LookFirst { d, table, index, a }, Some(I::Place { to, index: seat, empty, e, .. }))
                if a.0 == empty.0 && e.0 == d.0 && !targets(program).contains(&(at as u16 + 1)) =>
            {
                program.code[at] = I::PlaceFirst { d, to, seat, empty, table, index };
            }
            _ => {}
        }
    }
}

fn choose_bits(program: &mut Program, site: SiteRef, to: Block) -> Option<I> {
    let SiteKind::Choice(choice) = &program.sites[usize::from(site.0)].kind else { return None };
    if choice.words != 1 || choice.random_words != 1 || !choice.parts.iter().all(|p| p.sizes.is_empty()) {
        return None;
    }
    let (a, me) = (In(choice.region), In(choice.me));
    let first = BodyRef(u16::try_from(program.bodies.len()).ok()?);
    let none = Body { at: to, option: u16::MAX };
    let mut bodies = vec![none; 64];
    for part in &choice.parts {
        bodies[usize::from(part.bit)] = Body { at: part.body, option: part.block as u16 };
    }
    program.bodies.extend(bodies);
    Some(I::ChooseBits { site, a, me, first, to })
}

/// How many of some numbers are 1, how many 2, and so on, is counted at once.
fn counts(program: &mut Program) {
    let targets = targets(program);
    let mut kept = vec![true; program.code.len()];
    let mut at = 0;
    while at < program.code.len() {
        let first = at;
        // The constants that are counted, and what is counted of which numbers into which word.
        let mut constants: Vec<(u16, i32)> = vec![];
        let mut found: Vec<(Numbers, i32, u16)> = vec![];
        while at == first || !targets.contains(&(at as u16)) {
            match program.code.get(at) {
                Some(I::Const { d, k }) if u32::from(d.0) >= program.live => {
                    constants.retain(|(word, _)| *word != d.0);
                    constants.push((d.0, k.0));
                }
                Some(I::CountEqual { d, from, a }) => {
                    let Some((_, k)) = constants.iter().find(|(word, _)| *word == a.0) else { break };
                    found.push((*from, *k, d.0));
                }
                _ => break,
            }
            at += 1;
        }
        if let Some(code) = counted_at_once(found)
            && code.len() < at - first
            && constants.iter().all(|(word, _)| is_dead_after(program, at - 1, *word))
        {
            kept[first + code.len()..at].fill(false);
            program.code[first..first + code.len()].copy_from_slice(&code);
        }
        at = at.max(first + 1);
    }
    compact(program, &kept);
}

/// Counts of the same numbers for consecutive values into consecutive words, each as one instruction.
fn counted_at_once(mut found: Vec<(Numbers, i32, u16)>) -> Option<Vec<I>> {
    let counted: Vec<Numbers> = found.iter().map(|(from, ..)| *from).collect();
    let apart = |d: u16| counted.iter().all(|from| !(from.at..from.at + from.len).contains(&d));
    if found.is_empty() || !found.iter().all(|(_, _, d)| apart(*d)) {
        return None;
    }
    found.sort_by_key(|(from, k, d)| (from.at, from.len, *k, *d));
    let mut code: Vec<(Numbers, i32, Numbers)> = vec![];
    for (from, k, d) in found {
        match code.last_mut() {
            Some((to, low, of))
                if *of == from
                    && d == to.at + to.len
                    && i64::from(k) - i64::from(*low) == i64::from(to.len) =>
            {
                to.len += 1;
            }
            _ => code.push((Numbers { at: d, len: 1 }, k, from)),
        }
    }
    // What is written twice is written in order.
    let once = code.iter().enumerate().all(|(i, (one, ..))| {
        code[..i].iter().all(|(other, ..)| one.at >= other.at + other.len || other.at >= one.at + one.len)
    });
    once.then(|| code.into_iter().map(|(to, low, from)| I::CountEach { to, low: Imm(low), from }).collect())
}

/// Pairs and longer runs.
fn pairs(program: &mut Program) {
    let targets = targets(program);
    let free = |at: usize| !targets.contains(&(at as u16));
    let dead = |at: usize, a: u16| u32::from(a) >= program.live && is_dead_after(program, at, a);
    let mut fused: Vec<(usize, I)> = vec![];
    let mut kept = vec![true; program.code.len()];
    let mut at = 0;
    while at < program.code.len() {
        let next = |k: usize| program.code.get(at + k).copied();
        let straight = |k: usize| (1..=k).all(|j| free(at + j));
        let mut taken = 1;
        match (program.code[at], next(1), next(2), next(3), next(4)) {
            // A line wins, a full board ends, else the next seat moves.
            (
                I::IfNoLine { from, index, lines, to },
                Some(I::Over { .. }),
                Some(I::IfSome { a: empty, to: on }),
                Some(I::Over { .. }),
                Some(I::NextTurn { mover, to: head }),
            ) if usize::from(to.0) == at + 2
                && usize::from(on.0) == at + 4
                && index.0 == mover.0
                && head == program.turn =>
            {
                let (won, full) = (Block(at as u16 + 1), Block(at as u16 + 3));
                fused.push((at, I::LineFullNext { from, mover, lines, empty, won, full }));
            }
            (I::Load { d, from, index }, Some(I::Add { d: sum, a, b }), ..)
                if straight(1) && (a.0 == d.0) != (b.0 == d.0) && (sum == d || dead(at + 1, d.0)) =>
            {
                let a = if a.0 == d.0 { b } else { a };
                fused.push((at, I::LoadAdd { d: sum, from, index, a }));
                taken = 2;
            }
            (I::Load { d, from, index }, Some(I::IfLessK { a, k, to }), ..)
                if straight(1) && a.0 == d.0 && dead(at + 1, d.0) =>
            {
                fused.push((at, I::IfLoadLessK { from, index, k, to }));
                taken = 2;
            }
            (I::Load { d, from, index }, Some(I::IfGreaterEqualK { a, k, to }), ..)
                if straight(1) && a.0 == d.0 && dead(at + 1, d.0) =>
            {
                fused.push((at, I::IfLoadGreaterEqualK { from, index, k, to }));
                taken = 2;
            }
            (I::IfGreaterEqualK { a, k, to }, Some(I::RegionBit { d, bit }), ..)
                if straight(1) && usize::from(to.0) == at + 2 =>
            {
                fused.push((at, I::RegionBitIfLess { d, bit, a, k }));
                taken = 2;
            }
            (I::Const { d, k: bits }, Some(I::RegionBitIfLess { d: same, bit, a, k }), ..)
                if straight(1) && d == same && a.0 != d.0 =>
            {
                fused.push((at, I::RegionBitsIfLess { d, bits, bit, a, k }));
                taken = 2;
            }
            (I::Reset { words }, Some(I::NextTurn { mover, to }), ..) if straight(1) => {
                fused.push((at, I::ResetNextTurn { words, mover, to }));
                taken = 2;
            }
            _ => {}
        }
        kept[at + 1..at + taken].fill(false);
        at += taken;
    }
    for (at, instruction) in fused {
        program.code[at] = instruction;
    }
    compact(program, &kept);
}

/// Brings a constant down to where it is first used, past what has nothing to do with it.
fn later_constants(program: &mut Program) {
    let targets = targets(program);
    for at in 0..program.code.len().saturating_sub(2) {
        let (I::Const { d, .. }, I::LoadAdd { d: other, from, index, a }, I::RegionBitIfLess { d: used, .. }) =
            (program.code[at], program.code[at + 1], program.code[at + 2])
        else {
            continue;
        };
        let apart =
            d != other && index.0 != d.0 && a.0 != d.0 && !(from.at..from.at + from.len).contains(&d.0);
        if used == d && apart && !targets.contains(&(at as u16 + 1)) && !targets.contains(&(at as u16 + 2)) {
            program.code.swap(at, at + 1);
            program.spans.swap(at, at + 1);
        }
    }
}

/// Is a temporary number never read after an instruction before it is written again?
fn is_dead_after(program: &Program, at: usize, word: u16) -> bool {
    let mut seen = HashSet::new();
    let mut open = leads_to(program, at);
    while let Some(at) = open.pop() {
        if !seen.insert(at) {
            continue;
        }
        let Some(instruction) = program.code.get(usize::from(at)) else { continue };
        let mut written = false;
        for (_, operand) in instruction.operands() {
            let within = |first: u16, words: u32| {
                u32::from(word) >= u32::from(first) && u32::from(word) < u32::from(first) + words
            };
            let width = u32::from(program.width);
            match operand {
                Operand::Read(a) if a == word => return false,
                Operand::ReadSet(a) | Operand::ChangeSet(a) if within(a, width) => return false,
                Operand::Numbers(n) if within(n.at, n.len.into()) => return false,
                Operand::Sets(n) if within(n.at, u32::from(n.len) * width) => return false,
                Operand::Words(n) if within(n.at, n.len.into()) => return false,
                Operand::Write(a) if a == word => written = true,
                Operand::WriteSet(a) if within(a, width) => written = true,
                _ => {}
            }
        }
        if !written {
            open.extend(leads_to(program, usize::from(at)));
        }
    }
    true
}

/// Brings what only one jump leads to behind that jump, which is then not needed.
fn straighten(program: &mut Program) {
    let mut from = 0;
    while from < program.code.len() {
        if let I::Jump { to } = program.code[from]
            && let Some(len) = tail(program, from, usize::from(to.0))
        {
            lift(program, from, usize::from(to.0), len);
        }
        from += 1;
    }
}

/// The length of the run of code at `to` that is entered by the jump at `from` alone and does not fall
/// out of its end.
fn tail(program: &Program, from: usize, to: usize) -> Option<usize> {
    if to <= from + 1 || falls_on(program, to - 1) {
        return None;
    }
    let end = (to..program.code.len()).find(|at| !falls_on(program, *at))? + 1;
    let inside = |at: usize| (to..end).contains(&at);
    if entries(program).iter().any(|at| inside(usize::from(*at))) {
        return None;
    }
    for (at, instruction) in program.code.iter().enumerate() {
        let mut instruction = *instruction;
        let mut enters = false;
        instruction.retarget(&mut |b| {
            enters |= inside(usize::from(b.0));
            b
        });
        if enters && at != from && !inside(at) {
            return None;
        }
    }
    Some(end - to)
}

fn falls_on(program: &Program, at: usize) -> bool {
    matches!(program.code[at].flow(), Flow::Next | Flow::Branch | Flow::Suspend)
}

/// Moves `len` instructions at `to` into the place of the jump at `from`.
fn lift(program: &mut Program, from: usize, to: usize, len: usize) {
    // Where each instruction goes; the jump goes where what it led to goes.
    let moved = |at: usize| {
        if at < from {
            at
        } else if (to..to + len).contains(&at) {
            at - to + from
        } else if at > from && at < to {
            at + len - 1
        } else if at == from {
            from
        } else {
            at - 1
        }
    };
    let place = |b: Block| Block(moved(usize::from(b.0)) as u16);
    let mut order: Vec<usize> = (0..program.code.len()).filter(|at| *at != from).collect();
    order.sort_by_key(|at| moved(*at));
    program.code = order.iter().map(|at| program.code[*at]).collect();
    program.spans = order.iter().map(|at| program.spans[*at]).collect();
    relocate(program, &place);
}

/// Takes out the instructions that are not kept.
pub(super) fn compact(program: &mut Program, kept: &[bool]) {
    let mut moved = Vec::with_capacity(kept.len() + 2);
    let mut at = 0;
    for keep in kept {
        moved.push(at);
        at += u16::from(*keep);
    }
    moved.extend([at, at]);
    let place = |b: Block| Block(moved[usize::from(b.0)]);
    let mut keep = kept.iter();
    program.code.retain(|_| *keep.next().unwrap_or(&true));
    let mut keep = kept.iter();
    program.spans.retain(|_| *keep.next().unwrap_or(&true));
    relocate(program, &place);
}

/// Follows the code to its new places.
fn relocate(program: &mut Program, place: &dyn Fn(Block) -> Block) {
    for instruction in &mut program.code {
        instruction.retarget(&mut |b| place(b));
    }
    for site in &mut program.sites {
        site.entry = place(site.entry);
        site.at = place(site.at);
        if let SiteKind::Choice(choice) = &mut site.kind {
            choice.parts.iter_mut().for_each(|p| p.body = place(p.body));
        }
    }
    program.bodies.iter_mut().for_each(|b| b.at = place(b.at));
    for block in [&mut program.start, &mut program.turn, &mut program.derive] {
        *block = place(*block);
    }
    program.score = program.score.map(place);
}
