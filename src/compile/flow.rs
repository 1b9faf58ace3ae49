//! Where the instructions of a program hand on.

use crate::program::{Flow, Instruction as I, Operand, Program, SiteKind};

/// Where an instruction can hand on.
fn next_of(program: &Program, at: usize) -> Vec<u16> {
    let mut instruction = program.code[at];
    let mut next = vec![];
    if matches!(instruction.flow(), Flow::Next | Flow::Branch | Flow::Suspend) {
        next.push(at as u16 + 1);
    }
    for (_, operand) in instruction.operands() {
        if let Operand::Site(site) = operand
            && let SiteKind::Choice(choice) = &program.sites[usize::from(site)].kind
        {
            next.extend(choice.parts.iter().map(|p| p.body.0));
        }
    }
    if matches!(instruction, I::LineFullNext { .. }) {
        next.push(program.turn.0);
    }
    instruction.retarget(&mut |b| {
        next.push(b.0);
        b
    });
    next
}

/// Where an instruction hands on with the temporaries as they are. The bodies of options get what was
/// chosen and nothing else, for a game may be left and taken up there.
pub(super) fn leads_to(program: &Program, at: usize) -> Vec<u16> {
    let mut instruction = program.code[at];
    let is_choice = |(_, operand): (_, Operand)| match operand {
        Operand::Site(site) => matches!(program.sites[usize::from(site)].kind, SiteKind::Choice(_)),
        _ => false,
    };
    if instruction.flow() != Flow::Suspend || !instruction.operands().into_iter().any(is_choice) {
        return next_of(program, at);
    }
    let mut next = vec![];
    instruction.retarget(&mut |b| {
        next.push(b.0);
        b
    });
    next
}
