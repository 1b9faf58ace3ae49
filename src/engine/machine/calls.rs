//! What compiled code calls: one function for each instruction that is large or rare.
//!
//! Every function takes the context and the number of its instruction, finds its operands in the frame and
//! leaves its results there, as the interpreter does, with the very functions that the interpreter calls.
//! It returns what happens next: [`NEXT`], [`JUMP`], [`FAULT`], [`WAIT`], or the body that play goes on at.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::board::kernel::{self, Words};
use crate::engine::copies::{kind_of, several};
use crate::engine::effects::{
    any_line, choose, count_each, draw_some, is_first, longest, move_piece, outcomes_of_some, rarely, score,
    show_dice, show_die, show_some, ways,
};
use crate::engine::enclosure::Asked;
use crate::engine::hooks::{self, Drawing};
use crate::engine::sets::{apply, apply_number, apply_three, elements_where, enclosed, has_line, reach};
use crate::engine::tally::{BUDGET, Fault, Tally};
use crate::engine::trial::{self, Drawn};
use crate::engine::{past, subsets};
use crate::program::{ChoiceSite, Instruction as I, Out, Program, Rows, SetRef, Sets, SiteKind, SiteRef};
use crate::rng::Streams;

/// Compiled code is run only where the processor has what the faster kernels need, so calls use those.
pub(super) const FAST: bool = cfg!(target_arch = "x86_64");

/// The next instruction is the one after.
pub(super) const NEXT: u64 = 0;
/// The next instruction is the target.
pub(super) const JUMP: u64 = 1;
/// The context says what is wrong.
pub(super) const FAULT: u64 = 2;
/// Play stops here until somebody decides or something comes out.
pub(super) const WAIT: u64 = 3;
/// From here on: a body, by the number of its first instruction.
pub(super) const BODY: u64 = 1 << 16;

/// What compiled code is given: where everything is, and room for what it says when it stops. Its fields are
/// words, which the code finds by their places.
#[repr(C)]
pub(super) struct Context {
    pub(super) program: *const Program,
    pub(super) words: *mut u64,
    pub(super) streams: *mut Streams,
    pub(super) tally: *mut Tally,
    /// Where blocks of actions, sites and steps are counted; null where nothing is counted.
    pub(super) options: *mut u64,
    pub(super) sites: *mut u64,
    pub(super) steps: *mut u64,
    /// What is left of the loop budget.
    pub(super) budget: u64,
    /// 1 where chance is drawn, 0 where it stops the game.
    pub(super) draws: u64,
    /// Of whole games: what is left of the words of the seed when they are mixed, the index of the next game, and
    /// how many games are to be played.
    pub(super) seed: u64,
    pub(super) index: u64,
    pub(super) games: u64,
    /// Where the words of a new game stand, and where what is counted of each game goes.
    pub(super) start: *const u64,
    pub(super) rows: *mut u64,
    /// Of a fault: the instruction, the number of the fault, and the value.
    pub(super) at: u64,
    pub(super) fault: u64,
    pub(super) value: i64,
    /// What a call unwound with. Compiled code can't be unwound, so it returns as at a fault first.
    pub(super) unwound: Option<Box<dyn Any + Send>>,
}

/// A function that compiled code calls for an instruction.
pub(super) type Call = extern "C" fn(&mut Context, u32) -> u64;

/// What a call works with.
struct Here<'a> {
    program: &'a Program,
    words: &'a mut [u64],
    streams: &'a mut Streams,
    tally: &'a mut Tally,
    /// Of a fault.
    fault: &'a mut u64,
    value: &'a mut i64,
    budget: &'a mut u64,
    draws: bool,
    options: *mut u64,
}

impl Context {
    fn here(&mut self) -> Here<'_> {
        // SAFETY: whoever runs the code has exclusive references to all of these, which live until it returns,
        // and the frame has as many words as the program says.
        unsafe {
            let program = &*self.program;
            Here {
                program,
                words: std::slice::from_raw_parts_mut(self.words, program.frame as usize),
                streams: &mut *self.streams,
                tally: &mut *self.tally,
                fault: &mut self.fault,
                value: &mut self.value,
                budget: &mut self.budget,
                draws: self.draws != 0,
                options: self.options,
            }
        }
    }

    /// Carries out what may unwind.
    fn guarded(&mut self, work: impl FnOnce(&mut Context) -> u64) -> u64 {
        match catch_unwind(AssertUnwindSafe(|| work(self))) {
            Ok(result) => result,
            Err(unwound) => {
                self.unwound = Some(unwound);
                FAULT
            }
        }
    }
}

impl Here<'_> {
    fn get(&self, at: u16) -> i64 {
        self.words[usize::from(at)] as i64
    }

    fn put(&mut self, d: Out, value: i64) {
        self.words[usize::from(d.0)] = value as u64;
    }

    fn set<const W: usize>(&self, a: u16) -> Words<W> {
        let mut set = kernel::none::<W>();
        set.copy_from_slice(&self.words[usize::from(a)..][..W]);
        set
    }

    fn put_set<const W: usize>(&mut self, d: u16, set: &Words<W>) {
        self.words[usize::from(d)..][..W].copy_from_slice(set);
    }

    fn constant<const W: usize>(&self, k: SetRef) -> Words<W> {
        let mut set = kernel::none::<W>();
        set.copy_from_slice(&self.program.sets[usize::from(k.0) * W..][..W]);
        set
    }

    fn fails(&mut self, fault: Fault, value: i64) -> u64 {
        (*self.fault, *self.value) = (fault as u64, value);
        FAULT
    }

    /// The first word of a set of a family.
    fn place<const W: usize>(&mut self, of: Sets, index: i64) -> Result<u16, u64> {
        if index as u64 >= u64::from(of.len) {
            return Err(self.fails(Fault::Index, index));
        }
        Ok(of.at + index as u16 * W as u16)
    }

    /// A row of a table of sets.
    fn row<const W: usize>(&mut self, table: crate::program::SetTable, index: i64) -> Result<Words<W>, u64> {
        let rows: Rows = self.program.set_tables[usize::from(table.0)];
        let place = index.wrapping_sub(rows.low);
        if place as u64 >= u64::from(rows.count) {
            return Err(self.fails(Fault::Index, index));
        }
        let mut set = kernel::none::<W>();
        set.copy_from_slice(&self.program.sets[(rows.first as usize + place as usize) * W..][..W]);
        Ok(set)
    }

    fn function(&self, f: crate::program::FunctionRef) -> &'static crate::program::Function {
        let f: *const _ = &self.program.functions[usize::from(f.0)];
        // SAFETY: the program outlives every call.
        unsafe { &*f }
    }

    fn choice(&self, site: SiteRef) -> Option<&'static ChoiceSite> {
        let SiteKind::Choice(choice) = &self.program.sites[usize::from(site.0)].kind else { return None };
        let choice: *const _ = choice;
        // SAFETY: the program outlives every call.
        Some(unsafe { &*choice })
    }

    fn counts_option(&mut self, block: usize) {
        if !self.options.is_null() {
            self.tally.option(block);
        }
    }

    /// Counts a decision. Returns `true` if there are too many.
    fn decides(&mut self) -> bool {
        self.tally.decisions += 1;
        *self.budget = u64::from(BUDGET);
        self.tally.decisions > self.tally.pause && self.tally.is_too_long(self.program)
    }
}

fn tri(jumps: bool) -> u64 {
    if jumps { JUMP } else { NEXT }
}

/// Makes the streams those of the game that begins.
pub(super) extern "C" fn restart(context: &mut Context, _at: u32) -> u64 {
    let (seed, index) = (context.seed, context.index);
    let here = context.here();
    here.streams.restart_mixed(seed, index, usize::from(here.program.players));
    NEXT
}

/// Forgets the positions of the game before.
pub(super) extern "C" fn forget(context: &mut Context, _at: u32) -> u64 {
    context.here().tally.forget();
    NEXT
}

/// Copies the words of a new game, where they are many.
pub(super) extern "C" fn copy_start(context: &mut Context, _at: u32) -> u64 {
    // SAFETY: whoever runs the code gives as many words to start with as a new game resets.
    let start = unsafe { std::slice::from_raw_parts(context.start, (*context.program).reset as usize) };
    let here = context.here();
    here.words[..start.len()].copy_from_slice(start);
    NEXT
}

/// Looks whether random players go on after so many decisions.
pub(super) extern "C" fn too_long(context: &mut Context, _at: u32) -> u64 {
    context.guarded(|context| {
        let mut here = context.here();
        if here.tally.is_too_long(here.program) { here.fails(Fault::Limit, 0) } else { NEXT }
    })
}

/// Defines a call for each instruction, and [`call_of`], which finds it.
macro_rules! calls {
    ($($name:ident: $variant:ident { $($field:ident),* }, $here:ident => $body:expr;)*) => {
        $(
            extern "C" fn $name<const W: usize>(context: &mut Context, at: u32) -> u64 {
                fn work<const W: usize>($here: &mut Here<'_>, at: u32) -> u64 {
                    let I::$variant { $($field,)* .. } = $here.program.code[at as usize] else { return FAULT };
                    $body
                }
                work::<W>(&mut context.here(), at)
            }
        )*

        /// The call that carries out an instruction, for sets of a width.
        pub(super) fn call_of(instruction: &I, width: u16) -> Option<Call> {
            Some(match instruction {
                $(I::$variant { .. } => built!($name, width),)*
                I::Call { .. } => call,
                I::CallDrawing { .. } => call_drawing,
                I::Choose { .. } => built!(choose_any, width),
                I::ChooseTried { .. } => built!(choose_tried, width),
                I::Kept { .. } => kept,
                I::Failed { .. } => built!(failed, width),
                _ => return None,
            })
        }
    };
}

macro_rules! built {
    ($name:ident, $width:expr) => {
        match $width {
            1 => $name::<1>,
            2 => $name::<2>,
            4 => $name::<4>,
            8 => $name::<8>,
            20 => $name::<20>,
            _ => $name::<64>,
        }
    };
}

macro_rules! ok {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(fault) => return fault,
        }
    };
}

fn line<const W: usize>(here: &mut Here<'_>, from: Sets, index: i64, lines: usize) -> Result<bool, u64> {
    let at = here.place::<W>(from, index)?;
    let lines = &here.program.lines[lines];
    Ok(if W == 1 {
        any_line::<W>(here.program, lines, &here.set(at))
    } else {
        has_line::<W, FAST>(here.program, lines, here.words, from, index as usize)
    })
}

fn e_in<const W: usize>(set: &Words<W>, e: i64, size: u16) -> bool {
    (e as u64) < u64::from(size) && set[e as usize / 64 % W] >> (e & 63) & 1 == 1
}

calls! {
    rarely_: Rarely { d, op, a, b }, here => match rarely(op, here.get(a.0), here.get(b.0)) {
        Ok(value) => { here.put(d, value); NEXT }
        Err(fault) => here.fails(fault, 0),
    };
    where_: Where { d, from, index, stride, size, test, k }, here => {
        let first = here.get(index.0);
        let last = first.saturating_add(i64::from(stride.0) * (i64::from(size.0) - 1));
        if last >= first {
            for place in [first, last] {
                if place as u64 >= u64::from(from.len) {
                    return here.fails(Fault::Index, place);
                }
            }
        }
        let first = i64::from(from.at).wrapping_add(first) as usize;
        let found = elements_where::<W, FAST>(here.words, first, (stride, size), (test, k.0.into()));
        here.put_set(d.0, &found);
        NEXT
    };
    count_equal: CountEqual { d, from, a }, here => {
        let a = here.get(a.0);
        let all = &here.words[usize::from(from.at)..][..usize::from(from.len)];
        let count = all.iter().filter(|n| **n as i64 == a).count();
        here.put(d, count as i64);
        NEXT
    };
    count_each_: CountEach { to, low, from }, here => {
        count_each(here.words, to, low.0.into(), from);
        NEXT
    };
    set_const: SetConst { d, k }, here => {
        let set = here.constant::<W>(k);
        here.put_set(d.0, &set);
        NEXT
    };
    set_copy: SetCopy { d, a }, here => {
        let set = here.set::<W>(a.0);
        here.put_set(d.0, &set);
        NEXT
    };
    and: And { d, a, b }, here => {
        let set = kernel::and::<W>(&here.set(a.0), &here.set(b.0));
        here.put_set(d.0, &set);
        NEXT
    };
    and_k: AndK { d, a, k }, here => {
        let set = kernel::and::<W>(&here.set(a.0), &here.constant(k));
        here.put_set(d.0, &set);
        NEXT
    };
    or: Or { d, a, b }, here => {
        let set = kernel::or::<W>(&here.set(a.0), &here.set(b.0));
        here.put_set(d.0, &set);
        NEXT
    };
    minus: Minus { d, a, b }, here => {
        let set = kernel::minus::<W>(&here.set(a.0), &here.set(b.0));
        here.put_set(d.0, &set);
        NEXT
    };
    load_set: LoadSet { d, from, index }, here => {
        let at = ok!(here.place::<W>(from, here.get(index.0)));
        let set = here.set::<W>(at);
        here.put_set(d.0, &set);
        NEXT
    };
    store_set: StoreSet { to, index, a }, here => {
        let set = here.set::<W>(a.0);
        let at = ok!(here.place::<W>(to, here.get(index.0)));
        here.put_set(at, &set);
        NEXT
    };
    store_or: StoreOr { to, index, a }, here => {
        let set = here.set::<W>(a.0);
        let at = ok!(here.place::<W>(to, here.get(index.0)));
        let set = kernel::or(&here.set::<W>(at), &set);
        here.put_set(at, &set);
        NEXT
    };
    store_minus: StoreMinus { to, index, a }, here => {
        let set = here.set::<W>(a.0);
        let at = ok!(here.place::<W>(to, here.get(index.0)));
        let set = kernel::minus(&here.set::<W>(at), &set);
        here.put_set(at, &set);
        NEXT
    };
    look_set: LookSet { d, table, index }, here => {
        let set = ok!(here.row::<W>(table, here.get(index.0)));
        here.put_set(d.0, &set);
        NEXT
    };
    look_and: LookAnd { d, table, index, a }, here => {
        let set = kernel::and(&ok!(here.row::<W>(table, here.get(index.0))), &here.set(a.0));
        here.put_set(d.0, &set);
        NEXT
    };
    look_first: LookFirst { d, table, index, a }, here => {
        let set = kernel::and(&ok!(here.row::<W>(table, here.get(index.0))), &here.set(a.0));
        here.put(d, kernel::first(&set));
        NEXT
    };
    count: Count { d, a }, here => {
        let count = kernel::count(&here.set::<W>(a.0));
        here.put(d, count.into());
        NEXT
    };
    first: First { d, a }, here => {
        let first = kernel::first(&here.set::<W>(a.0));
        here.put(d, first);
        NEXT
    };
    last: Last { d, a }, here => {
        let last = kernel::last(&here.set::<W>(a.0));
        here.put(d, last);
        NEXT
    };
    if_empty: IfEmpty { a }, here => tri(kernel::is_empty(&here.set::<W>(a.0)));
    if_some: IfSome { a }, here => tri(!kernel::is_empty(&here.set::<W>(a.0)));
    if_load_in: IfLoadIn { from, index, e, size }, here => {
        let at = ok!(here.place::<W>(from, here.get(index.0)));
        tri(e_in(&here.set::<W>(at), here.get(e.0), size.0))
    };
    if_load_not_in: IfLoadNotIn { from, index, e, size }, here => {
        let at = ok!(here.place::<W>(from, here.get(index.0)));
        tri(!e_in(&here.set::<W>(at), here.get(e.0), size.0))
    };
    if_subset: IfSubset { a, b }, here => tri(kernel::is_empty(&kernel::minus::<W>(&here.set(a.0), &here.set(b.0))));
    if_not_subset: IfNotSubset { a, b }, here => {
        tri(!kernel::is_empty(&kernel::minus::<W>(&here.set(a.0), &here.set(b.0))))
    };
    if_same: IfSame { a, b }, here => tri(here.set::<W>(a.0) == here.set::<W>(b.0));
    if_not_same: IfNotSame { a, b }, here => tri(here.set::<W>(a.0) != here.set::<W>(b.0));
    pop: Pop { d, from }, here => {
        let mut set = here.set::<W>(from.0);
        let e = kernel::first(&set);
        if e < 0 {
            return JUMP;
        }
        set[e as usize / 64 % W] &= !(1 << (e & 63));
        here.put_set(from.0, &set);
        here.put(d, e);
        NEXT
    };
    pop_from: PopFrom { d, from, e }, here => {
        let start = here.get(e.0);
        let mut set = here.set::<W>(from.0);
        let e = kernel::first_from(&set, start);
        if e < 0 {
            return JUMP;
        }
        set[e as usize / 64 % W] &= !(1 << (e & 63));
        here.put_set(from.0, &set);
        here.put(d, e);
        NEXT
    };
    columns: Columns { d, a, width, height }, here => {
        let set = kernel::columns(&here.set::<W>(a.0), width.0.into(), height.0.into());
        here.put_set(d.0, &set);
        NEXT
    };
    rows: Rows { d, a, width, first }, here => {
        let mut rows = kernel::none::<W>();
        rows[0] = kernel::rows::<FAST>(here.get(a.0) as u64, width.0.into(), here.constant::<W>(first)[0]);
        here.put_set(d.0, &rows);
        NEXT
    };
    apply_: Apply { d, f, a, b }, here => {
        let f = here.function(f);
        let set = apply::<W, FAST>(here.program, f, &here.set(a.0), &here.set(b.0));
        here.put_set(d.0, &set);
        NEXT
    };
    apply_n: ApplyN { d, f, a, n }, here => {
        let f = here.function(f);
        let set = apply_number::<W>(here.program, f, &here.set(a.0), here.get(n.0));
        here.put_set(d.0, &set);
        NEXT
    };
    apply_3: Apply3 { d, f, a, b, c }, here => {
        let f = here.function(f);
        let set = apply_three::<W, FAST>(here.program, f, &here.set(a.0), &here.set(b.0), &here.set(c.0));
        here.put_set(d.0, &set);
        NEXT
    };
    reach_: Reach { d, f, a, b, me }, here => {
        let f = here.function(f);
        let (a, b, me) = (here.set::<W>(a.0), here.set::<W>(b.0), here.get(me.0) as usize);
        let set = reach::<W, FAST>(here.program, f, here.words, &a, &b, me);
        here.put_set(d.0, &set);
        NEXT
    };
    enclosed_: Enclosed { d, f, e, from, index, me }, here => {
        let f = here.function(f);
        let walls = ok!(here.place::<W>(from, here.get(index.0)));
        let (site, me) = (here.get(e.0), here.get(me.0) as usize);
        let asked = Asked { site, walls: walls.into(), me, to: d.0.into() };
        enclosed::<W, FAST>(here.program, f, here.words, asked);
        NEXT
    };
    shift: Shift { d, a, k, by }, here => {
        let set = kernel::moved(&here.set::<W>(a.0), by.0, &here.constant(k));
        here.put_set(d.0, &set);
        NEXT
    };
    score_: Score { d, a, lines }, here => {
        let points = score::<W>(here.program, &here.program.lines[usize::from(lines.0)], &here.set(a.0));
        here.put(d, points);
        NEXT
    };
    longest_: Longest { d, a, lines }, here => {
        let length = longest::<W>(here.program, &here.program.lines[usize::from(lines.0)], &here.set(a.0));
        here.put(d, length.into());
        NEXT
    };
    if_line: IfLine { from, index, lines }, here => {
        tri(ok!(line::<W>(here, from, here.get(index.0), lines.0.into())))
    };
    if_no_line: IfNoLine { from, index, lines }, here => {
        tri(!ok!(line::<W>(here, from, here.get(index.0), lines.0.into())))
    };
    line_full_next: LineFullNext { from, mover, lines }, here => {
        tri(ok!(line::<W>(here, from, here.get(mover.0), lines.0.into())))
    };
    move_piece_: MovePiece { on, empty, from, to, size }, here => {
        let (from, to) = (here.get(from.0), here.get(to.0));
        move_piece::<W>(here.words, on, empty, (from, to), size);
        NEXT
    };
    region_subsets: RegionSubsets { words, size, row, a }, here => {
        let (row, bits) = (here.get(row.0), here.get(a.0) as u64);
        if subsets::fill(here.words, words, size, row, bits) { NEXT } else { here.fails(Fault::Index, row) }
    };
    region_keep: RegionKeep { words, row, table }, here => {
        let row = here.get(row.0);
        if subsets::keep(here.program, here.words, words, row, table) {
            NEXT
        } else {
            here.fails(Fault::Index, row)
        }
    };
    region_drop: RegionDrop { words, size, row, a }, here => {
        let (row, bits) = (here.get(row.0), here.get(a.0) as u64);
        if subsets::drop(here.words, words, size, row, bits) { NEXT } else { here.fails(Fault::Index, row) }
    };
    roll: Roll { dice }, here => {
        let dice = &here.program.dice[usize::from(dice.0)];
        let outcome = match dice.outcomes {
            0 | 1 => 0,
            outcomes => draw_some(dice, dice.count.into(), outcomes, &mut here.streams.chance),
        };
        here.tally.rolls += 1;
        if dice.count == 1 {
            here.words[usize::from(dice.faces_at)] = outcome + 1;
        } else {
            show_dice(dice, here.words, outcome);
        }
        NEXT
    };
    roll_some: RollSome { dice, a }, here => {
        let some = here.set::<W>(a.0);
        let number = usize::from(dice.0);
        let count = kernel::count(&some);
        let outcomes = outcomes_of_some(here.program, number, count);
        if outcomes > 0 {
            if !here.draws {
                return WAIT;
            }
            let outcome = match outcomes {
                1 => 0,
                _ => draw_some(&here.program.dice[number], count, outcomes, &mut here.streams.chance),
            };
            here.tally.rolls += 1;
            show_some(here.program, here.words, number, &some, outcome);
        }
        NEXT
    };
    roll_one: RollOne { site, dice, die }, here => {
        if !here.draws {
            return WAIT;
        }
        let (faces, count) = {
            let dice = &here.program.dice[usize::from(dice.0)];
            (dice.faces, dice.count)
        };
        let outcome = if faces <= 1 { 0 } else { here.streams.chance.below(faces.into()) };
        let die = here.get(die.0);
        if die < 0 || die >= i64::from(count) {
            return here.fails(Fault::Index, die);
        }
        let SiteKind::RollOne { from, .. } = here.program.sites[usize::from(site.0)].kind else {
            return here.fails(Fault::Index, die);
        };
        here.tally.rolls += u64::from(is_first(here.words, die as u16, from));
        show_die(here.program, here.words, usize::from(dice.0), die as usize, outcome);
        NEXT
    };
    pick: Pick { d, a }, here => {
        let from = here.set::<W>(a.0);
        let n = kernel::count(&from);
        if n <= 1 {
            here.put(d, kernel::first(&from));
        } else if here.draws {
            let k = here.streams.chance.below(n.into());
            here.put(d, kernel::nth::<W, FAST>(&from, k as u32).into());
        } else {
            return WAIT;
        }
        NEXT
    };
    pick_by: PickBy { d, a, by }, here => {
        let from = here.set::<W>(a.0);
        let drawn = match several(here.words, by.at, &from) {
            None => kind_of(here.words, by.at, &from, 0),
            Some(n) if here.draws => {
                kind_of(here.words, by.at, &from, here.streams.chance.below(n))
            }
            Some(_) => return WAIT,
        };
        here.put(d, drawn.map_or(-1, i64::from));
        NEXT
    };
    note: Note { past }, here => {
        if past::note(here.program, &mut here.tally.pasts, here.words, usize::from(past.0)) {
            NEXT
        } else {
            here.fails(Fault::Positions, 0)
        }
    };
    repeated: Repeated { d, past, n }, here => {
        let (number, n) = (usize::from(past.0), here.get(n.0));
        let was = past::repeated(here.program, &mut here.tally.pasts, here.words, number, n);
        here.put(d, i64::from(was));
        NEXT
    };
    given: Given { phase }, here => {
        here.tally.given(phase);
        NEXT
    };
}

extern "C" fn call(context: &mut Context, at: u32) -> u64 {
    context.guarded(|context| {
        let mut here = context.here();
        let I::Call { d, hook, args, me } = here.program.code[at as usize] else { return FAULT };
        let cost = u64::from(hooks::cost(here.program, hook));
        if *here.budget <= cost {
            return here.fails(Fault::Budget, 0);
        }
        *here.budget -= cost;
        let me = here.get(me.0);
        match hooks::call(here.program, here.words, here.tally, hook, args, me) {
            Some(said) => {
                here.put(d, said);
                NEXT
            }
            None => here.fails(Fault::Script, 0),
        }
    })
}

extern "C" fn call_drawing(context: &mut Context, at: u32) -> u64 {
    context.guarded(|context| {
        let mut here = context.here();
        let I::CallDrawing { d, hook, args, me, site } = here.program.code[at as usize] else { return FAULT };
        let cost = u64::from(hooks::COST);
        if *here.budget <= cost {
            return here.fails(Fault::Budget, 0);
        }
        *here.budget -= cost;
        let (me, draws) = (here.get(me.0), here.draws);
        let (words, streams) = (&mut *here.words, &mut *here.streams);
        match hooks::call_drawing(here.program, words, streams, here.tally, hook, args, me, site, draws) {
            Drawing::Said(said) => {
                here.put(d, said);
                NEXT
            }
            Drawing::Waits => WAIT,
            Drawing::Failed => here.fails(Fault::Script, 0),
        }
    })
}

/// A choice of random players.
extern "C" fn choose_any<const W: usize>(context: &mut Context, at: u32) -> u64 {
    context.guarded(|context| {
        let mut here = context.here();
        let I::Choose { site, .. } = here.program.code[at as usize] else { return FAULT };
        let Some(choice) = here.choice(site) else { return here.fails(Fault::Index, 0) };
        let Some((first, n)) = ways(choice, here.words) else { return JUMP };
        if here.decides() {
            return here.fails(Fault::Limit, 0);
        }
        let seat = here.words[usize::from(choice.me)] as usize;
        let k = if n == 1 { 0 } else { here.streams.seat(seat).below(n.into()) };
        let part = choose::<FAST>(choice, here.words, first, k as u32);
        here.counts_option(part.block as usize);
        BODY + u64::from(part.body.0)
    })
}

fn try_next(here: &mut Here<'_>, drawn: Drawn) -> u64 {
    match drawn {
        Drawn::Taken(_) if here.decides() => here.fails(Fault::Limit, 0),
        Drawn::Taken(body) => BODY + u64::from(body.0),
        Drawn::Tried(body) => {
            *here.budget = u64::from(BUDGET);
            BODY + u64::from(body.0)
        }
        Drawn::Nothing(before) => {
            *here.budget = u64::from(before);
            JUMP
        }
        Drawn::Exhausted => here.fails(Fault::Budget, 0),
    }
}

/// The first candidate that random players try.
extern "C" fn choose_tried<const W: usize>(context: &mut Context, at: u32) -> u64 {
    context.guarded(|context| {
        let mut here = context.here();
        let I::ChooseTried { site, .. } = here.program.code[at as usize] else { return FAULT };
        let budget = *here.budget as u32;
        let drawn = trial::begin::<FAST>(here.program, site, here.words, here.streams, here.tally, budget);
        try_next(&mut here, drawn)
    })
}

/// The next candidate.
extern "C" fn failed<const W: usize>(context: &mut Context, at: u32) -> u64 {
    context.guarded(|context| {
        let mut here = context.here();
        let I::Failed { site, .. } = here.program.code[at as usize] else { return FAULT };
        let budget = *here.budget as u32;
        let drawn = trial::again::<FAST>(here.program, site, here.words, here.streams, here.tally, budget);
        try_next(&mut here, drawn)
    })
}

/// The candidate is taken.
extern "C" fn kept(context: &mut Context, at: u32) -> u64 {
    context.guarded(|context| {
        let mut here = context.here();
        let I::Kept { site } = here.program.code[at as usize] else { return FAULT };
        here.tally.decisions += 1;
        if here.tally.decisions > here.tally.pause && here.tally.is_too_long(here.program) {
            return here.fails(Fault::Limit, 0);
        }
        trial::taken(here.program, site, here.tally);
        NEXT
    })
}

/// Is there a candidate to stop for?
pub(super) extern "C" fn any_tried(context: &mut Context, at: u32) -> u64 {
    let here = context.here();
    let I::ChooseTried { site, .. } = here.program.code[at as usize] else { return FAULT };
    tri(!trial::any(here.program, site, here.words))
}

/// The bit of a rank of a word.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "bmi1,bmi2,lzcnt,popcnt"))]
pub(super) extern "C" fn nth_bit(word: u64, k: u64) -> u64 {
    kernel::nth_bit::<FAST>(word, k as u32).into()
}

/// The element of a rank of a set of several words.
pub(super) fn nth_of(width: u16) -> *const u8 {
    extern "C" fn nth<const W: usize>(set: &Words<W>, k: u64) -> u64 {
        kernel::nth::<W, FAST>(set, k as u32).into()
    }
    macro_rules! address {
        ($($w:literal)*) => {
            match width {
                $($w => nth::<$w> as extern "C" fn(&Words<$w>, u64) -> u64 as *const u8,)*
                _ => nth::<64> as extern "C" fn(&Words<64>, u64) -> u64 as *const u8,
            }
        };
    }
    address!(1 2 4 8 20)
}
