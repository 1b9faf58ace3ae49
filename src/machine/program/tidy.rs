//! Clean-up passes over a program: jump threading, dead-code elimination, and removal of redundant step counts.

use std::collections::HashSet;

use super::{CodeAddress, Flow, Instruction as I, Program, StopKind};

/// Runs all passes.
pub(crate) fn tidy(program: &mut Program) {
    thread_jumps(program);
    clean(program);
    imply_steps(program);
}

/// Returns the addresses at which the code is entered.
fn entries(program: &Program) -> HashSet<u16> {
    let mut found = HashSet::new();
    for stop in &program.stops {
        found.extend([stop.entry.0, stop.at.0]);
        match &stop.kind {
            StopKind::Choice(choice) => found.extend(choice.parts.iter().map(|p| p.body.0)),
            // A chance event resumes at the instruction after it.
            _ => {
                found.insert(stop.at.0 + 1);
            }
        }
    }
    found.extend([program.start.0, program.turn.0, program.derive.0]);
    found.extend(program.score.map(|b| b.0));
    found.extend(program.measure.map(|b| b.0));
    found
}

/// Retargets each jump to a jump to the final target.
fn thread_jumps(program: &mut Program) {
    let end = |mut b: CodeAddress, code: &[I]| {
        while let Some(I::Jump { to }) = code.get(usize::from(b.0)) {
            b = *to;
        }
        b
    };
    let code = program.code.clone();
    for instruction in &mut program.code {
        instruction.retarget(&mut |b| end(b, &code));
    }
    for stop in &mut program.stops {
        if let StopKind::Choice(choice) = &mut stop.kind {
            choice.parts.iter_mut().for_each(|p| p.body = end(p.body, &code));
        }
    }
}

/// Removes unreachable code and jumps to the next instruction.
fn clean(program: &mut Program) {
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

/// Removes the counts of steps that are entered whenever another step is entered, or whenever a turn begins.
fn imply_steps(program: &mut Program) {
    let merges = merges(program);
    let mut places = vec![0; program.steps.len()];
    for instruction in &program.code {
        if let I::Mark { step } = instruction {
            places[usize::from(step.0)] += 1;
        }
    }
    // A step in a procedure may occur in several places.
    let alone = |step: u16| places[usize::from(step)] == 1;
    let mut kept = vec![true; program.code.len()];
    let turn = usize::from(program.turn.0);
    // The step that has the same count as a mark here, or the turn, if `Some(None)`.
    let mut same: Option<Option<u16>> = None;
    for (at, keep) in kept.iter_mut().enumerate() {
        if at == turn {
            // With `round`, the entry starts a round, not a turn.
            same = (!program.rounds).then_some(None);
        } else if merges[at] {
            same = None;
        }
        match program.code[at] {
            I::Mark { step } => match same {
                Some(of) if at >= turn && alone(step.0) => {
                    program.implied_steps.push((step.0, of));
                    *keep = false;
                }
                _ => same = Some(Some(step.0)).filter(|_| alone(step.0)),
            },
            I::Roll { .. } | I::Pick { .. } | I::PickBy { .. } => {}
            instruction if instruction.flow() == Flow::Next => {}
            _ => same = None,
        }
    }
    compact(program, &kept);
}

/// Returns for each instruction whether control may come from elsewhere than the instruction before. A chance
/// event that is resumed doesn't count: control goes on from it.
fn merges(program: &Program) -> Vec<bool> {
    let mut merges = vec![false; program.code.len() + 1];
    let mut mark = |at: u16| merges[usize::from(at)] = true;
    for instruction in &program.code {
        let mut instruction = *instruction;
        instruction.retarget(&mut |b| {
            mark(b.0);
            b
        });
    }
    for stop in &program.stops {
        if let StopKind::Choice(choice) = &stop.kind {
            choice.parts.iter().for_each(|part| mark(part.body.0));
        }
    }
    let blocks = [program.start, program.turn, program.derive].into_iter();
    blocks.chain(program.score).chain(program.measure).for_each(|b| mark(b.0));
    merges
}

/// Removes the instructions that are not kept.
fn compact(program: &mut Program, kept: &[bool]) {
    let mut moved = Vec::with_capacity(kept.len() + 2);
    let mut at = 0;
    for keep in kept {
        moved.push(at);
        at += u16::from(*keep);
    }
    moved.extend([at, at]);
    let place = |b: CodeAddress| CodeAddress(moved[usize::from(b.0)]);
    let mut keep = kept.iter();
    program.code.retain(|_| *keep.next().unwrap_or(&true));
    let mut keep = kept.iter();
    program.spans.retain(|_| *keep.next().unwrap_or(&true));
    if let Some(origins) = &mut program.origins {
        let mut keep = kept.iter();
        origins.of_code.retain(|_| *keep.next().unwrap_or(&true));
    }
    relocate(program, &place);
}

/// Updates addresses after code has moved.
fn relocate(program: &mut Program, place: &dyn Fn(CodeAddress) -> CodeAddress) {
    for instruction in &mut program.code {
        instruction.retarget(&mut |b| place(b));
    }
    for stop in &mut program.stops {
        stop.entry = place(stop.entry);
        stop.at = place(stop.at);
        if let StopKind::Choice(choice) = &mut stop.kind {
            choice.parts.iter_mut().for_each(|p| p.body = place(p.body));
        }
    }
    for block in [&mut program.start, &mut program.turn, &mut program.derive] {
        *block = place(*block);
    }
    program.score = program.score.map(place);
    program.measure = program.measure.map(place);
}
