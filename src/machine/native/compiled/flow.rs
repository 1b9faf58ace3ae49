//! Flow analysis: where a program goes, and which words of its frame compiled code keeps in registers.
//!
//! A word is kept in a register if every instruction that accesses it names it as an operand: it is not part
//! of an array, and no called function accesses it unseen. Words that are visible between two runs are
//! written back where the code stops; see [`FlowAnalysis::written_back`].

use super::accesses::{
    Touch, draws_inline, for_each_read, for_each_written, is_written_out, own_sets, touches,
};
use crate::candidates::tries_inline;
use crate::native::RunKind;
use crate::program::{
    CodeAddress, In, Instruction as I, LineRef, Operand, Program, SetRef, Sets, Size, Span16, StopKind,
    StopRef,
};

/// Maximum number of live words that are kept in registers for whole games. With more, the processor's
/// registers don't suffice.
const LIVE: usize = 20;

/// Maximum length of a program, in instructions, that is optimised. Longer programs take too long to
/// optimise, and their games get no faster.
pub(super) const OPTIMISED: usize = 1_900;

/// Maximum length of a program, in instructions, of which the code is emitted once for each of two players.
const COPIED: usize = 64;

/// The results of the analysis of a program.
pub(super) struct FlowAnalysis {
    pub(super) kind: RunKind,
    /// The word of the player to move, if the code is emitted once for each player. Each copy then knows the
    /// player.
    pub(super) mover: Option<u16>,
    /// By word of the frame: an upper bound of its value, which is less than the bound and never negative;
    /// `None` if none is known. Only for whole games, because no other code has written to their frame.
    pub(super) below: Vec<Option<u64>>,
    /// By word of the frame: the bits that may be set.
    pub(super) within: Vec<u64>,
    /// By word of the frame: whether it is a set whose size is kept in a variable.
    pub(super) sized: Vec<bool>,
    /// The entry points of the code.
    pub(super) entries: Vec<u16>,
    /// By instruction: whether it is reachable.
    pub(super) reached: Vec<bool>,
    /// By instruction: whether a basic block begins here.
    pub(super) leaders: Vec<bool>,
    /// By instruction: whether control comes only from the instruction before it.
    pub(super) follows: Vec<bool>,
    /// By word of the frame: whether it is kept in a register.
    pub(super) registers: Vec<bool>,
    /// Words in registers that are written to the frame where the code stops.
    pub(super) written_back: Vec<u16>,
    /// For each entry: the words in registers that are read from the frame there.
    pub(super) read_first: Vec<Vec<u16>>,
}

impl FlowAnalysis {
    pub(super) fn new(program: &Program, kind: RunKind) -> FlowAnalysis {
        let entries = entries(program, kind);
        let len = program.code.len();
        let (mut reached, mut leaders, mut follows) = (vec![false; len], vec![false; len], vec![true; len]);
        let mut open = entries.clone();
        for at in &entries {
            leaders[usize::from(*at)] = true;
            follows[usize::from(*at)] = false;
        }
        let mut next = Vec::new();
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut reached[usize::from(at)], true) {
                continue;
            }
            successors(program, kind, at, &mut next);
            for to in next.drain(..) {
                leaders[usize::from(to)] |= to != at + 1;
                follows[usize::from(to)] &= to == at + 1;
                open.push(to);
            }
        }
        // A block begins after every instruction that may jump.
        for at in 0..len {
            if reached[at] && ends_block(&program.code[at], kind) && at + 1 < len {
                leaders[at + 1] = true;
            }
        }
        let below = vec![None; program.frame as usize];
        let (registers, written_back, read_first) = (vec![], vec![], vec![]);
        let within = vec![u64::MAX; program.frame as usize];
        let sized = vec![false; program.frame as usize];
        let mut flow = FlowAnalysis {
            kind,
            mover: None,
            below,
            within,
            sized,
            follows,
            entries,
            reached,
            leaders,
            registers,
            written_back,
            read_first,
        };
        let (mut memory, mut uses) = flow.touched(program);
        if kind == RunKind::Games {
            flow.find_below(program, &memory);
            flow.find_mover(program, &memory);
            // If the player is known, the sets of players are individual words.
            (memory, uses) = flow.touched(program);
        }
        flow.choose_registers(program, kind, &memory, &uses);
        if kind == RunKind::Games && program.width == 1 {
            flow.find_within(program, &memory);
            flow.find_sized(program);
        }
        flow.find_read_first(program, kind);
        flow
    }

    /// Returns which words must stay in the frame, and how often each word is accessed.
    fn touched(&self, program: &Program) -> (Vec<bool>, Vec<u32>) {
        let frame = program.frame as usize;
        let (mut memory, mut uses) = (vec![false; frame], vec![0; frame]);
        for (at, instruction) in program.code.iter().enumerate() {
            if self.reached[at] {
                touches(program, instruction, self.mover, &mut |touch| match touch {
                    Touch::Word(at) => uses[usize::from(at)] += 1,
                    Touch::Memory(at, len) => {
                        let end = (usize::from(at) + len).min(frame);
                        memory[usize::from(at).min(end)..end].fill(true);
                    }
                });
            }
        }
        (memory, uses)
    }

    fn choose_registers(&mut self, program: &Program, kind: RunKind, memory: &[bool], uses: &[u32]) {
        let frame = program.frame as usize;
        let whole = kind == RunKind::Games;
        let mut seen = vec![false; frame];
        // The mask of a finished game is not read.
        let live = if whole { program.reset } else { program.live };
        seen[..live as usize].fill(true);
        let players = usize::from(program.players);
        for (at, len) in [
            (program.items, usize::from(program.item_count) * players),
            (program.totals, usize::from(program.item_count.min(1)) * players),
            (program.keys, usize::from(program.key_count) * players),
            (program.measures, usize::from(program.measure_count) * players),
        ] {
            let at = usize::from(at);
            seen[at.min(frame)..(at + len).min(frame)].fill(true);
        }
        for stop in &program.stops {
            if let StopKind::Choice(choice) = &stop.kind {
                seen[usize::from(choice.me)] = true;
            }
        }
        let fits = |at: usize| uses[at] > 0 && !memory[at] && at >= usize::from(crate::program::HEADER_WORDS);
        let mut kept: Vec<usize> = (0..frame).filter(|at| whole && seen[*at] && fits(*at)).collect();
        kept.sort_by_key(|at| (std::cmp::Reverse(uses[*at]), *at));
        kept.truncate(if program.code.len() > OPTIMISED { 0 } else { LIVE });
        self.registers = (0..frame).map(|at| !seen[at] && fits(at)).collect();
        for at in kept {
            self.registers[at] = true;
        }
        let mut written = vec![false; frame];
        for (at, instruction) in program.code.iter().enumerate() {
            if self.reached[at] {
                for_each_written(program, instruction, &mut |at| written[usize::from(at)] = true);
                if let Some(sets) = own_sets(program, instruction, self.mover) {
                    written[usize::from(sets.at)..usize::from(sets.at + sets.len)].fill(true);
                }
            }
        }
        let back = |at: &u16| {
            let at = usize::from(*at);
            self.registers[at] && seen[at] && written[at]
        };
        self.written_back = (0..frame as u16).filter(back).collect();
    }

    /// Finds [`FlowAnalysis::below`]: the least bounds that hold for everything written, by fixed-point iteration.
    fn find_below(&mut self, program: &Program, memory: &[bool]) {
        let initial = |at: usize| i64::try_from(first_word(program, at)?).ok().map(|n| n as u64 + 1);
        self.below = (0..memory.len()).map(|at| initial(at).filter(|_| !memory[at])).collect();
        loop {
            let before = self.below.clone();
            for (at, instruction) in program.code.iter().enumerate() {
                if self.reached[at] {
                    for_each_written(program, instruction, &mut |word| {
                        let written = below(program, instruction, word, &before);
                        let now = &mut self.below[usize::from(word)];
                        *now = now.zip(written).map(|(a, b)| a.max(b));
                    });
                }
            }
            if self.below == before {
                break;
            }
        }
    }

    /// Finds [`FlowAnalysis::read_first`], by liveness analysis: the words in registers that are read, or written
    /// back, before they are written.
    fn find_read_first(&mut self, program: &Program, kind: RunKind) {
        let places: Vec<u16> =
            (0..program.frame as u16).filter(|at| self.registers[usize::from(*at)]).collect();
        let mut number = vec![usize::MAX; program.frame as usize];
        for (n, at) in places.iter().enumerate() {
            number[usize::from(*at)] = n;
        }
        let row = places.len().div_ceil(64).max(1);
        let len = program.code.len();
        let mut before = vec![0u64; len * row];
        let mut at_stop = vec![0u64; row];
        for at in &self.written_back {
            let n = number[usize::from(*at)];
            at_stop[n / 64] |= 1 << (n % 64);
        }
        let (mut reads, mut kills) = (vec![0u64; len * row], vec![0u64; len * row]);
        let mut to: Vec<Vec<u16>> = vec![vec![]; len];
        for at in (0..len).filter(|at| self.reached[*at]) {
            let instruction = &program.code[at];
            for (of, sets) in [(true, &mut reads), (false, &mut kills)] {
                let mut mark = |word: u16| {
                    let n = number[usize::from(word)];
                    if n != usize::MAX {
                        sets[at * row + n / 64] |= 1 << (n % 64);
                    }
                };
                if of {
                    for_each_read(program, instruction, &mut mark);
                    if let Some(sets) = own_sets(program, instruction, self.mover) {
                        (sets.at..sets.at + sets.len).for_each(&mut mark);
                    }
                } else if matches!(instruction.flow(), crate::program::Flow::Next) {
                    for_each_written(program, instruction, &mut mark);
                }
            }
            successors(program, kind, at as u16, &mut to[at]);
        }
        loop {
            let mut changed = false;
            for at in (0..len).rev().filter(|at| self.reached[*at]) {
                for k in 0..row {
                    // The code may stop at every instruction, if only for a fault.
                    let mut after = at_stop[k];
                    for to in &to[at] {
                        after |= before[usize::from(*to) * row + k];
                    }
                    let now = reads[at * row + k] | after & !kills[at * row + k];
                    changed |= now != before[at * row + k];
                    before[at * row + k] = now;
                }
            }
            if !changed {
                break;
            }
        }
        self.read_first = self
            .entries
            .iter()
            .map(|entry| {
                let row = &before[usize::from(*entry) * row..][..row];
                places
                    .iter()
                    .enumerate()
                    .filter(|(n, _)| row[n / 64] >> (n % 64) & 1 == 1)
                    .map(|(_, at)| *at)
                    .collect()
            })
            .collect();
    }
}

impl FlowAnalysis {
    /// Finds [`FlowAnalysis::within`] for sets of one word: the fewest bits that hold for everything written, by
    /// fixed-point iteration.
    fn find_within(&mut self, program: &Program, memory: &[bool]) {
        let initial = |at: usize| first_word(program, at).unwrap_or(u64::MAX);
        self.within = (0..memory.len()).map(|at| if memory[at] { u64::MAX } else { initial(at) }).collect();
        loop {
            let before = self.within.clone();
            let of = |at: u16| before[usize::from(at)];
            for (_, instruction) in program.code.iter().enumerate().filter(|(at, _)| self.reached[*at]) {
                let bits = match *instruction {
                    I::SetConst { k, .. } => program.sets[usize::from(k.0)],
                    I::SetCopy { a, .. } | I::Minus { a, .. } => of(a.0),
                    I::And { a, b, .. } => of(a.0) & of(b.0),
                    I::AndK { a, k, .. } => of(a.0) & program.sets[usize::from(k.0)],
                    I::Or { a, b, .. } => of(a.0) | of(b.0),
                    I::Place { empty, .. } => of(empty.0),
                    I::Reset { .. } => 0,
                    _ => u64::MAX,
                };
                for_each_written(program, instruction, &mut |word| self.within[usize::from(word)] |= bits);
                if let Some(sets) = own_sets(program, instruction, self.mover) {
                    let bits = match *instruction {
                        I::Place { size, .. } => first_elements(size.0.into()),
                        I::LoadSet { .. } | I::IfLoadIn { .. } | I::IfLine { .. } => 0,
                        _ => u64::MAX,
                    };
                    let own = usize::from(sets.at)..usize::from(sets.at + sets.len);
                    self.within[own].iter_mut().for_each(|within| *within |= bits);
                }
            }
            if self.within == before {
                break;
            }
        }
    }

    /// Finds [`FlowAnalysis::sized`]: the sets of which an element is chosen and removed at once. Their size is
    /// decremented, so the next choice need not wait for a count.
    fn find_sized(&mut self, program: &Program) {
        for at in 0..program.code.len() {
            if let Some(set) = self.takes_chosen(program, at)
                && self.registers[usize::from(set)]
            {
                self.sized[usize::from(set)] = true;
            }
        }
    }

    /// Returns the set from which an instruction removes an element that was chosen from it just before.
    pub(super) fn takes_chosen(&self, program: &Program, at: usize) -> Option<u16> {
        let (I::Place { empty, e, .. }, Some(before)) = (&program.code[at], at.checked_sub(1)) else {
            return None;
        };
        let I::ChooseOne { d, a, to, .. } = &program.code[before] else { return None };
        let follows = self.reached[at] && self.follows[at] && usize::from(to.0) != at;
        (follows && d.0 == e.0 && a.0 == empty.0).then_some(empty.0)
    }

    /// Returns an element that is in every line of the set that an instruction tests for lines. It is the
    /// element that was just added: the set had no line before, because it starts empty and a line ends the
    /// game. If no element was added, the set has no line.
    pub(super) fn new_line(&self, program: &Program, at: usize) -> Option<In> {
        let I::IfLine { from, index, lines, .. } = program.code[at] else { return None };
        if self.kind != RunKind::Games || program.lines[usize::from(lines.0)].memory.is_none() {
            return None;
        }
        let own = usize::from(from.at)..usize::from(from.at + from.len * program.width);
        let is_empty = own.clone().all(|word| first_word(program, word) == Some(0));
        // A placement that a test for a line follows, or an instruction that leaves the sets as they are.
        let keeps = |at: usize| match &program.code[at] {
            I::Place { to, index, .. } if *to == from => {
                Self::tests_at(program, at + 1, (from, *index, lines))
            }
            I::LoadSet { .. } | I::IfLoadIn { .. } | I::IfLine { .. } => true,
            other => {
                let mut keeps = true;
                touches(program, other, self.mover, &mut |touch| {
                    let (first, len) = match touch {
                        Touch::Word(word) => (usize::from(word), 1),
                        Touch::Memory(word, len) => (usize::from(word), len),
                    };
                    keeps &= first >= own.end || first + len <= own.start;
                });
                keeps
            }
        };
        if !is_empty || !(0..program.code.len()).filter(|at| self.reached[*at]).all(keeps) {
            return None;
        }
        match program.code[at.checked_sub(1)?] {
            I::Place { to, index: of, e, size, .. } if (to, of) == (from, index) => {
                let is_inside = self.below[usize::from(e.0)].is_some_and(|below| below <= size.0.into());
                is_inside.then_some(e)
            }
            _ => None,
        }
    }

    /// Returns `true` if an instruction tests for lines, and a line ends the game.
    fn tests_at(program: &Program, at: usize, of: (Sets, In, LineRef)) -> bool {
        let Some(I::IfLine { from, index, lines, is, to }) = program.code.get(at) else { return false };
        let with_line = if is.0 { usize::from(to.0) } else { at + 1 };
        (*from, *index, *lines) == of && matches!(program.code.get(with_line), Some(I::Over { .. }))
    }

    /// Returns `true` if an instruction chooses among the columns of a board that have room. Most moves fill
    /// no column, so the number of choices is usually the same as last time.
    pub(super) fn is_steady(&self, program: &Program, at: usize) -> bool {
        let (I::ChooseOne { a, .. }, Some(before)) = (&program.code[at], at.checked_sub(1)) else {
            return false;
        };
        let made = matches!(program.code[before], I::Columns { d, width, .. } if d.0 == a.0 && is_folded(program, width));
        made && self.follows[at] && !self.sized[usize::from(a.0)]
    }

    /// Returns `true` if the words of random streams are drawn ahead. Where one of at most two elements is
    /// chosen, a word is drawn only if there are two, which a processor can't predict; with words drawn
    /// ahead, this takes no branch. Other choices gain nothing.
    pub(super) fn draws_ahead(&self, program: &Program) -> bool {
        let has_one_of_two = program.code.iter().enumerate().any(|(at, instruction)| match instruction {
            I::ChooseOne { a, .. } => self.reached[at] && self.most_elements(program, at, a.0) <= 2,
            _ => false,
        });
        has_one_of_two && draws_inline(program)
    }

    /// Returns the maximum number of elements of the set in a word before an instruction, as far as the
    /// instructions just before it show.
    pub(super) fn most_elements(&self, program: &Program, at: usize, word: u16) -> u32 {
        let Some(before) = at.checked_sub(1).filter(|_| self.follows[at] && program.width == 1) else {
            return u32::MAX;
        };
        let most = |word: u16| self.most_elements(program, before, word);
        let constant = |k: SetRef| program.sets[usize::from(k.0)].count_ones();
        match program.code[before] {
            I::LookSet { d, table, .. } if d.0 == word => {
                let rows = program.set_tables[usize::from(table.0)];
                let sets = program.sets.iter().skip(rows.first as usize).take(rows.count as usize);
                sets.map(|set| set.count_ones()).max().unwrap_or(0)
            }
            I::And { d, a, b } if d.0 == word => most(a.0).min(most(b.0)),
            I::AndK { d, a, k } if d.0 == word => most(a.0).min(constant(k)),
            I::Minus { d, a, .. } if d.0 == word => most(a.0),
            I::LookSet { .. } | I::And { .. } | I::AndK { .. } | I::Minus { .. } => most(word),
            _ => u32::MAX,
        }
    }

    /// Finds [`FlowAnalysis::mover`], for one player and for short programs for two. Only the end of a turn may write it.
    fn find_mover(&mut self, program: &Program, memory: &[bool]) {
        let reached =
            || program.code.iter().zip(&self.reached).filter(|(_, reached)| **reached).map(|(i, _)| i);
        let mover = reached().find_map(|i| match i {
            I::NextTurn { mover, .. } => Some(mover.0),
            _ => None,
        });
        let is_short = program.code.len() <= COPIED;
        let Some(mover) = mover.filter(|_| program.players == 1 || program.players == 2 && is_short) else {
            return;
        };
        let mut only = !memory[usize::from(mover)] && first_word(program, usize::from(mover)) == Some(0);
        for instruction in reached() {
            for_each_written(program, instruction, &mut |word| {
                only &= word != mover || matches!(instruction, I::NextTurn { .. });
            });
        }
        self.mover = only.then_some(mover);
    }
}

/// Returns a word of a game that begins, if it is the same in all games.
fn first_word(program: &Program, at: usize) -> Option<u64> {
    let is_given = |span: &Span16| (usize::from(span.at)..usize::from(span.at + span.len)).contains(&at);
    (!program.given.iter().any(is_given)).then(|| program.initial.get(at).copied().unwrap_or(0))
}

/// Returns the bound of a word after an instruction writes it, if known.
fn below(program: &Program, instruction: &I, word: u16, before: &[Option<u64>]) -> Option<u64> {
    match *instruction {
        I::Const { k, .. } => u64::try_from(k.0).ok().map(|k| k + 1),
        I::Copy { a, .. } => before[usize::from(a.0)],
        I::NextTurn { .. } => Some(program.players.into()),
        I::ChooseOne { stop, .. } if is_written_out(program) => elements(program, stop).map(u64::from),
        I::Roll { dice, .. } | I::RollSome { dice, .. } => {
            let dice = &program.dice[usize::from(dice.0)];
            let faces = dice.faces_at..dice.faces_at + dice.count;
            Some(if faces.contains(&word) { u64::from(dice.faces) + 1 } else { dice.outcomes })
        }
        I::Reset { .. } => {
            Some(*program.initial.get(usize::from(word))?).filter(|n| *n < 1 << 32).map(|n| n + 1)
        }
        _ => None,
    }
}

/// Returns the size of the domain that an element is chosen from, at a choice with one option and one binder.
pub(super) fn elements(program: &Program, stop: StopRef) -> Option<u32> {
    let StopKind::Choice(choice) = &program.stops[usize::from(stop.0)].kind else { return None };
    match choice.parts.as_slice() {
        [part] if part.sizes.len() == 1 => part.sizes.first().copied(),
        _ => None,
    }
}

/// Returns the entry points of a program in a kind of run.
fn entries(program: &Program, kind: RunKind) -> Vec<u16> {
    if kind == RunKind::Games {
        return vec![program.start.0];
    }
    let mut entries = vec![program.start.0, program.turn.0];
    for stop in &program.stops {
        entries.push(stop.entry.0);
    }
    if kind == RunKind::Steps {
        entries.push(program.derive.0);
        entries.extend(program.score.map(|score| score.0));
        entries.extend(program.measure.map(|measure| measure.0));
        for stop in &program.stops {
            match &stop.kind {
                StopKind::Choice(choice) => {
                    entries.extend(choice.parts.iter().map(|part| part.body.0));
                    if let I::ChooseTried { to, .. } = program.code[usize::from(stop.at.0)] {
                        entries.push(to.0);
                        entries.extend(tries_inline(choice).then_some(stop.at.0));
                    }
                }
                // The outcome is already in the frame.
                _ => entries.push(stop.at.0 + 1),
            }
        }
        let kept = |(_, i): &(usize, &I)| matches!(i, I::Kept { .. });
        entries.extend(program.code.iter().enumerate().filter(kept).map(|(at, _)| at as u16 + 1));
    }
    entries.sort_unstable();
    entries.dedup();
    entries.retain(|at| usize::from(*at) < program.code.len());
    entries
}

/// Returns `true` if an instruction ends its block.
fn ends_block(instruction: &I, kind: RunKind) -> bool {
    use crate::program::Flow as F;
    let flow = instruction.flow();
    matches!(flow, F::Branch | F::Jump | F::Loop | F::Stop | F::Suspend)
        || kind != RunKind::Steps && flow != F::Next
}

/// Adds the possible successors of an instruction.
pub(super) fn successors(program: &Program, kind: RunKind, at: u16, to: &mut Vec<u16>) {
    use crate::program::Flow as F;
    let plays = kind != RunKind::Steps;
    let instruction = &program.code[usize::from(at)];
    let bodies = |stop: u16, to: &mut Vec<u16>| {
        if let StopKind::Choice(choice) = &program.stops[usize::from(stop)].kind {
            to.extend(choice.parts.iter().map(|part| part.body.0));
        }
    };
    for (_, operand) in instruction.operands() {
        if let Operand::Jump(block) = operand {
            to.push(block.0);
        }
    }
    match instruction {
        I::ChooseOne { .. } | I::Kept { .. } => to.extend(plays.then_some(at + 1)),
        I::Choose { stop, .. } | I::ChooseTried { stop, .. } if plays => bodies(stop.0, to),
        I::Failed { stop, .. } if plays => bodies(stop.0, to),
        I::Failed { .. } => to.clear(),
        I::Choose { .. } | I::ChooseTried { .. } => {}
        I::Over { .. } if kind == RunKind::Games => to.extend(program.score.map(|CodeAddress(score)| score)),
        _ => match instruction.flow() {
            F::Next | F::Branch | F::Suspend => to.push(at + 1),
            F::Jump | F::Loop | F::Stop => {}
        },
    }
}

/// Returns the set of the first elements of a domain, at most 64.
pub(super) fn first_elements(size: u32) -> u64 {
    u64::MAX.checked_shr(64u32.saturating_sub(size)).unwrap_or(0)
}

/// Returns `true` if the rows of a grid of this width are folded inline.
pub(super) fn is_folded(program: &Program, width: Size) -> bool {
    program.width == 1 && width.0 < u64::BITS as u16
}
