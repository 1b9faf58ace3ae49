//! The table of instructions.
//!
//! [`instructions`] names each instruction once, with the method that executes it, its mnemonic in a listing, its
//! operands, its control flow, and its effects besides writing its result. The verifier, the printer, the
//! interpreter and the compiler are generated from this table.

use super::ResultKind;
use super::operand::*;

/// The control flow of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Continues with the next instruction.
    Next,
    /// Continues with the next instruction or jumps to its target, which is further on.
    Branch,
    /// Jumps to its target, which is further on.
    Jump,
    /// Jumps to its target, which may be a loop head further back; costs budget.
    Loop,
    /// Ends the run.
    Stop,
    /// Suspends; resumes at the next instruction, at its target, or at a part's body.
    Suspend,
}

/// Possible effects of an instruction besides writing its result and its control flow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// It may fail.
    pub fails: bool,
    /// It changes the remaining budget.
    pub spends: bool,
    /// It counts decisions, turns or rolls.
    pub counts: bool,
}

/// Passes the table of instructions to a macro.
///
/// A row has: the variant, the method that executes it, its mnemonic, its operands, its [`Flow`] and its
/// [`Effects`]. Operands named `d` are written; `a`, `b`, `c` and `e` are read; a jump goes to `to`. A jump with a
/// condition is made if the condition holds and `is` is true, or if it does not hold and `is` is false.
///
/// # Moves between ordered zones
///
/// `places` has the place of every element in its zone: 1 on top, then 2, and so on; 0 where a zone has no order. The
/// elements of a shuffled part share a place. A move of the elements `a` begins with a `lift` for each family of zones
/// where they may lie, with `n` = 0 before the first. `n` counts the elements of `a` that were met so far. A `lift` goes
/// through its zones and gives the elements of `a` new places, as if they formed a pile of their own:
///
/// - Those of an ordered zone keep their order: they get the places from `n` + 1 on.
/// - Those of a zone without an order all get the place `n` + 1, as a shuffled part.
/// - The elements that stay in an ordered zone move up: their places no longer count the elements that leave.
///
/// A `lay` then gives them their places in the zone `to[index]`, before they are added to it. On top of the zone, they
/// keep their places, and the places of the elements that lie there grow by `n`. Below the zone, their own places grow by
/// the number of elements that lie there. In a zone without an order, their places become 0.
macro_rules! instructions {
    ($give_to:ident) => {
        $give_to! {
            /// d = k
            Const constant "const" { d: Out, k: Imm } Next [];
            /// d = k
            ConstWide constant_wide "const" { d: Out, k: Wide } Next [];
            /// d = a
            Copy copy "copy" { d: Out, a: In } Next [];
            /// d = a + b
            Add add "add" { d: Out, a: In, b: In } Next [fails];
            /// d = a + k
            AddK add_k "add" { d: Out, a: In, k: Imm } Next [fails];
            /// d = a - b
            Subtract subtract "subtract" { d: Out, a: In, b: In } Next [fails];
            /// d = a op b
            Arithmetic arithmetic "arithmetic" { d: Out, op: Operator, a: In, b: In } Next [fails];
            /// fails if a is outside the range
            Check check "check" { a: In, range: RangeRef } Next [fails];
            /// fails if a is none
            CheckSome check_some "check-some" { a: In, why: Failure } Next [fails];
            /// d = from[index]
            Load load "load" { d: Out, from: Numbers, index: In } Next [fails];
            /// to[index] = a
            Store store "store" { to: Numbers, index: In, a: In } Next [fails];
            /// d = a * k + b, which makes two indices one
            ScaleAdd scale_add "scale-add" { d: Out, a: In, k: Imm, b: In } Next [];
            /// begins a move between ordered zones, as the comment of the table explains
            Lift lift "lift" { from: Sets, a: SetIn, places: Numbers, n: NumberMut, ordered: Truth } Next [];
            /// ends a move between ordered zones, as the comment of the table explains
            Lay lay "lay" { to: Sets, index: In, a: SetIn, places: Numbers, n: In, laid: Laid } Next [fails];
            /// d = the elements e < size for which from[index + e * stride] passes the test against k
            Where elements_where "where" { d: SetOut, from: Numbers, index: In, stride: Small, size: Size, test: Test, k: Small } Next [fails];
            /// d = how many numbers of from equal a
            CountEqual count_equal "count-equal" { d: Out, from: Numbers, a: In } Next [];
            /// d = table[index]
            Look look_up "look" { d: Out, table: NumberTable, index: In } Next [fails];
            /// continues at the target
            Jump jump "jump" { to: CodeAddress } Jump [];
            /// goes back to the target
            Loop loop_back "loop" { to: CodeAddress } Loop [fails spends];
            /// jumps if (a == b) == is
            IfEqual if_equal "if-equal" { a: In, b: In, is: Truth, to: CodeAddress } Branch [];
            /// jumps if (a < b) == is
            IfLess if_less "if-less" { a: In, b: In, is: Truth, to: CodeAddress } Branch [];
            /// jumps if (a == k) == is
            IfEqualK if_equal_k "if-equal" { a: In, k: Imm, is: Truth, to: CodeAddress } Branch [];
            /// jumps if (a < k) == is
            IfLessK if_less_k "if-less" { a: In, k: Imm, is: Truth, to: CodeAddress } Branch [];
            /// d = k
            SetConst set_constant "set" { d: SetOut, k: SetRef } Next [];
            /// d = a
            SetCopy set_copy "set-copy" { d: SetOut, a: SetIn } Next [];
            /// d = a & b
            And and "and" { d: SetOut, a: SetIn, b: SetIn } Next [];
            /// d = a & k
            AndK and_k "and" { d: SetOut, a: SetIn, k: SetRef } Next [];
            /// d = a | b
            Or or "or" { d: SetOut, a: SetIn, b: SetIn } Next [];
            /// d = a - b
            Minus minus "minus" { d: SetOut, a: SetIn, b: SetIn } Next [];
            /// d = from[index]
            LoadSet load_set "load-set" { d: SetOut, from: Sets, index: In } Next [fails];
            /// to[index] = a
            StoreSet store_set "store-set" { to: Sets, index: In, a: SetIn } Next [fails];
            /// to[index] = to[index] | a
            StoreOr store_or "store-or" { to: Sets, index: In, a: SetIn } Next [fails];
            /// to[index] = to[index] - a
            StoreMinus store_minus "store-minus" { to: Sets, index: In, a: SetIn } Next [fails];
            /// d = table[index]
            LookSet look_up_set "look-set" { d: SetOut, table: SetTable, index: In } Next [fails];
            /// adds e to d, unless e is none
            Insert insert "insert" { d: SetMut, e: In, size: Size } Next [];
            /// d = number of elements of a
            Count count "count" { d: Out, a: SetIn } Next [];
            /// notes that `chance … given` begins a phase
            Given given_phase "given" { phase: Phase } Next [counts];
            /// d = the first element of a, or none
            First first "first" { d: Out, a: SetIn } Next [];
            /// d = the last element of a, or none
            Last last "last" { d: Out, a: SetIn } Next [];
            /// jumps if (a has an element) == is
            IfSome if_some "if-some" { a: SetIn, is: Truth, to: CodeAddress } Branch [];
            /// jumps if (e is in a) == is
            IfIn if_in "if-in" { a: SetIn, e: In, size: Size, is: Truth, to: CodeAddress } Branch [];
            /// jumps if (e is in from[index]) == is
            IfLoadIn if_load_in "if-load-in" { from: Sets, index: In, e: In, size: Size, is: Truth, to: CodeAddress } Branch [fails];
            /// jumps if (every element of a is in b) == is
            IfSubset if_subset "if-subset" { a: SetIn, b: SetIn, is: Truth, to: CodeAddress } Branch [];
            /// jumps if (a == b) == is
            IfSame if_same "if-same" { a: SetIn, b: SetIn, is: Truth, to: CodeAddress } Branch [];
            /// d = the first element of from, which loses it; jumps if from is empty
            Pop pop "pop" { d: Out, from: SetMut, to: CodeAddress } Branch [];
            /// like `pop`, but takes the first element that is at least e, if there is one
            PopFrom pop_from "pop-from" { d: Out, from: SetMut, e: In, to: CodeAddress } Branch [];
            /// d = the columns that a touches, on a grid
            Columns columns "columns" { d: SetOut, a: SetIn, width: Size, height: Size } Next [];
            /// d = the rows that a touches, on a grid of one word; first = the sites of its first column
            Rows rows "rows" { d: SetOut, a: SetIn, width: Size, first: SetRef } Next [];
            /// d = f(a, b)
            Apply apply "apply" { d: SetOut, f: FunctionRef, a: SetIn, b: SetIn } Next [fails spends];
            /// d = f(a, n)
            ApplyN apply_n "apply" { d: SetOut, f: FunctionRef, a: SetIn, n: In } Next [fails spends];
            /// d = f(a, b, c)
            Apply3 apply_3 "apply" { d: SetOut, f: FunctionRef, a: SetIn, b: SetIn, c: SetIn } Next [fails spends];
            /// d = f(a, b), with the cache of player me
            Reach reach "reach" { d: SetOut, f: FunctionRef, a: SetIn, b: SetIn, me: In } Next [fails spends];
            /// d = the sites beside e that the walls from[index] enclose, with the cache of player me
            Enclosed enclosed "enclosed" { d: SetOut, f: FunctionRef, e: In, from: Sets, index: In, me: In } Next [fails spends];
            /// d = the elements of a, each plus `by`, that are in k
            Shift shift "shift" { d: SetOut, a: SetIn, k: SetRef, by: Imm } Next [];
            /// d = the points of the runs in a
            Score score_lines "score-lines" { d: Out, a: SetIn, lines: LineRef } Next [fails spends];
            /// d = the length of the longest run in a
            Longest longest_line "longest" { d: Out, a: SetIn, lines: LineRef } Next [fails spends];
            /// jumps if (from[index] has a run of the tested length) == is
            IfLine if_line "if-line" { from: Sets, index: In, lines: LineRef, is: Truth, to: CodeAddress } Branch [fails];
            /// puts a piece on the site e: adds e to to[index], and removes it from empty; does nothing if e is none
            Place place "place" { to: Sets, index: In, empty: SetMut, e: In, size: Size } Next [fails];
            /// like the row above, on a board of a family: removes e from empty[on]
            PlaceOn place_on "place" { to: Sets, index: In, empty: Sets, on: In, e: In, size: Size } Next [fails];
            /// moves the piece on the site from to the site to; on = the sets of all pieces of the board
            MovePiece move_piece "move" { on: Sets, empty: SetMut, from: In, to: In, size: Size } Next [];
            /// the words get their initial values
            Reset reset "reset" { words: Span16 } Next [];
            /// clears words of a mask of legal actions
            RegionClear region_clear "region-clear" { words: Span16 } Next [];
            /// copies the first words of a set into a mask of legal actions
            RegionSet region_set "region-set" { words: Span16, a: SetIn } Next [];
            /// copies the first words of a set into row `row` of a mask of legal actions
            RegionRow region_row "region-row" { words: Span16, size: Size, row: In, a: SetIn } Next [fails];
            /// sets a bit of a mask of legal actions
            RegionBit region_bit "region-bit" { d: NumberMut, bit: Bit } Next [];
            /// row `row` of a mask of legal actions becomes the subsets of a; the domain has `size` elements
            RegionSubsets region_subsets "region-subsets" { words: Span16, size: Bit, row: In, a: SetIn } Next [fails];
            /// row `row` of a mask of legal actions loses the actions that the table doesn't have
            RegionKeep region_keep "region-keep" { words: Span16, row: In, table: NumberTable } Next [fails];
            /// row `row` of a mask of legal actions loses the subset a; the domain has `size` elements
            RegionDrop region_drop "region-drop" { words: Span16, size: Bit, row: In, a: SetIn } Next [fails];
            /// d becomes the next subset of a; jumps after the last one
            NextSubset next_subset "next-subset" { d: SetMut, a: SetIn, to: CodeAddress } Branch [];
            /// a player chooses d, an element of a; jumps if a is empty
            ChooseOne choose_one "choose-one" { stop: StopRef, option: OptionRef, d: Out, a: SetIn, me: In, to: CodeAddress } Suspend [fails spends counts];
            /// a player chooses an option of the stop point; jumps if none is legal
            Choose choose_any "choose" { stop: StopRef, to: CodeAddress } Suspend [fails spends counts];
            /// rolls dice, as one event
            Roll roll "roll" { stop: StopRef, dice: DiceRef } Suspend [counts];
            /// rolls the dice of a, as one event
            RollSome roll_some "roll-some" { stop: StopRef, dice: DiceRef, a: SetIn } Suspend [counts];
            /// rolls one die
            RollOne roll_one "roll-one" { stop: StopRef, dice: DiceRef, die: In } Suspend [fails counts];
            /// d = an element of a, drawn uniformly at random; none if a is empty
            Pick pick "pick" { stop: StopRef, d: Out, a: SetIn } Suspend [];
            /// d = an element of a, drawn with a chance in proportion to its number in by; none if a is empty
            PickBy pick_by "pick-by" { stop: StopRef, d: Out, a: SetIn, by: Numbers } Suspend [];
            /// like `choose`, where options have `ensuring`: draws a candidate and tries it
            ChooseTried choose_tried "choose-tried" { stop: StopRef, to: CodeAddress } Suspend [fails spends counts];
            /// the candidate is legal: takes it
            Kept keep_tried "kept" { stop: StopRef, option: OptionRef } Next [fails spends counts];
            /// the candidate is not legal: undoes the trial, and draws another candidate; jumps if none is left
            Failed drop_tried "failed" { stop: StopRef, to: CodeAddress } Jump [fails spends counts];
            /// notes the position
            Note note "note" { past: PositionWordsRef } Next [fails];
            /// d = whether this position was noted at least n times
            Repeated repeated "repeated" { d: Out, past: PositionWordsRef, n: In } Next [];
            /// keeps the words aside for an action of a chain; fails if the chain is too long, or too much was tried
            Descend descend "descend" { from: Numbers, depth: NumberMut, tries: NumberMut } Next [fails];
            /// the words get back what they were before an action of a chain
            Ascend ascend "ascend" { to: Numbers, depth: NumberMut } Next [];
            /// d = what a hook returns
            Call call_script "call" { d: Out, hook: HookRef, args: Numbers, me: In } Next [fails spends counts];
            /// d = what a hook returns that may draw chance events
            CallDrawing call_drawing_script "call-drawing" { d: Out, hook: HookRef, args: Numbers, me: In, stop: StopRef } Suspend [fails spends counts];
            /// counts the beginning of a step
            Mark mark_step "step" { step: StepRef } Next [];
            /// ends a turn; the next seat moves
            NextTurn next_turn "next-turn" { mover: NumberMut, to: CodeAddress } Loop [fails spends counts];
            /// ends a turn; the mover has been set already
            SameTurn same_turn "same-turn" { to: CodeAddress } Loop [fails spends counts];
            /// repeats the turn of the same seat
            RepeatTurn repeat_turn "repeat-turn" { to: CodeAddress } Loop [fails spends counts];
            /// fails
            Fail fail "fail" { why: Failure } Stop [fails];
            /// ends the game, and its last turn if `turns` is 1; it is 0 if the game ends between two turns
            Over game_over "over" { end: EndRef, result: ResultKind, player: In, turns: Imm } Stop [counts];
            /// ends a computation
            Halt halt "halt" { } Stop [];
        }
    };
}
pub(crate) use instructions;

macro_rules! define {
    ($($(#[doc = $doc:literal])* $name:ident $method:ident $word:literal { $($field:ident: $ty:ty),* }
        $flow:ident [$($effect:ident)*];)*) => {
        /// An instruction.
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[expect(missing_docs, reason = "the table describes the operands")]
        pub enum Instruction {
            $($(#[doc = $doc])* $name { $($field: $ty),* },)*
        }

        impl Instruction {
            /// The names of all instructions, in the order of the table.
            pub const NAMES: &[&str] = &[$(stringify!($name),)*];

            /// Returns its unique name in the table.
            pub fn name(&self) -> &'static str {
                match self { $(Instruction::$name { .. } => stringify!($name),)* }
            }

            /// Returns its mnemonic in a listing.
            pub fn word(&self) -> &'static str {
                match self { $(Instruction::$name { .. } => $word,)* }
            }

            /// Returns its operands in order, with their names.
            pub fn operands(&self) -> Vec<(&'static str, Operand)> {
                match self { $(Instruction::$name { $($field),* } => vec![$((stringify!($field), $field.describe())),*],)* }
            }

            /// Replaces the targets of its jumps.
            pub fn retarget(&mut self, to: &mut dyn FnMut(CodeAddress) -> CodeAddress) {
                match self { $(Instruction::$name { $($field),* } => { $($field.retarget(to);)* let _ = to; })* }
            }

            /// Returns its control flow.
            pub fn flow(&self) -> Flow {
                match self { $(Instruction::$name { .. } => Flow::$flow,)* }
            }

            /// Returns its other effects.
            #[allow(clippy::needless_update, reason = "some instructions have every effect")]
            pub fn effects(&self) -> Effects {
                match self { $(Instruction::$name { .. } => Effects { $($effect: true,)* ..Effects::default() },)* }
            }
        }
    };
}

instructions!(define);

impl Instruction {
    /// Calls `tell` with the address and length of all words that its operands may write. A set has `width` words.
    pub(crate) fn for_each_write(&self, width: u16, tell: &mut dyn FnMut(usize, usize)) {
        for (name, operand) in self.operands() {
            let width = usize::from(width);
            let (at, len) = match operand {
                Operand::Write(at) | Operand::Change(at) => (at, 1),
                Operand::WriteSet(at) | Operand::ChangeSet(at) => (at, width),
                Operand::Words(words) => (words.at, words.len.into()),
                Operand::Numbers(numbers) if writes_family(name) => (numbers.at, numbers.len.into()),
                Operand::Sets(sets) if writes_family(name) => (sets.at, usize::from(sets.len) * width),
                _ => continue,
            };
            tell(at.into(), len);
        }
    }
}

/// Returns `true` if an operand that stands for several values in the frame is one where the instruction writes.
pub(crate) fn writes_family(operand: &str) -> bool {
    match operand {
        "to" | "places" | "on" | "empty" => true,
        "from" | "by" | "args" => false,
        other => unreachable!("it isn't known whether `{other}` is written"),
    }
}
