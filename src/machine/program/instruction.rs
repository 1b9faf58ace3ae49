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
/// [`Effects`]. Operands named `d` are written; `a`, `b`, `c` and `e` are read; a jump goes to `to`; `is` says
/// whether it jumps if the condition holds, or if it does not.
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
            /// fails if a is out of range
            Check check "check" { a: In, range: RangeRef } Next [fails];
            /// fails if a is none
            CheckSome check_some "check-some" { a: In, why: Failure } Next [fails];
            /// d = from[index]
            Load load "load" { d: Out, from: Numbers, index: In } Next [fails];
            /// to[index] = a
            Store store "store" { to: Numbers, index: In, a: In } Next [fails];
            /// d = a * k + b, an index of several parts
            ScaleAdd scale_add "scale-add" { d: Out, a: In, k: Imm, b: In } Next [];
            /// numbers of the elements of a that lie in a zone of the family: their places from the top, after n others, as which they count then; where the zone is ordered, those that stay close up
            Lift lift "lift" { from: Sets, a: SetIn, places: Numbers, n: NumberMut, ordered: Truth } Next [];
            /// the elements of a, n in all, get their places in to[index]
            Lay lay "lay" { to: Sets, index: In, a: SetIn, places: Numbers, n: In, laid: Laid } Next [fails];
            /// d = the elements e, of `size`, for which from[index + e * stride] passes a test against k
            Where elements_where "where" { d: SetOut, from: Numbers, index: In, stride: Small, size: Size, test: Test, k: Small } Next [fails];
            /// d = how many of some numbers are a
            CountEqual count_equal "count-equal" { d: Out, from: Numbers, a: In } Next [];
            /// d = table[index]
            Look look "look" { d: Out, table: NumberTable, index: In } Next [fails];
            /// goes on at the target
            Jump jump "jump" { to: CodeAddress } Jump [];
            /// goes back to the target
            Loop loop_back "loop" { to: CodeAddress } Loop [fails spends];
            /// jumps if a == b, or if not
            IfEqual if_equal "if-equal" { a: In, b: In, is: Truth, to: CodeAddress } Branch [];
            /// jumps if a < b, or if not
            IfLess if_less "if-less" { a: In, b: In, is: Truth, to: CodeAddress } Branch [];
            /// jumps if a == k, or if not
            IfEqualK if_equal_k "if-equal" { a: In, k: Imm, is: Truth, to: CodeAddress } Branch [];
            /// jumps if a < k, or if not
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
            LookSet look_set "look-set" { d: SetOut, table: SetTable, index: In } Next [fails];
            /// adds an element, if it is one
            Insert insert "insert" { d: SetMut, e: In, size: Size } Next [];
            /// d = how many
            Count count "count" { d: Out, a: SetIn } Next [];
            /// notes where `chance … given` has come to
            Given given_phase "given" { phase: Phase } Next [counts];
            /// d = the first element
            First first "first" { d: Out, a: SetIn } Next [];
            /// d = the last element
            Last last "last" { d: Out, a: SetIn } Next [];
            /// jumps if the set has an element, or if not
            IfSome if_some "if-some" { a: SetIn, is: Truth, to: CodeAddress } Branch [];
            /// jumps if the element is in the set, or if not
            IfIn if_in "if-in" { a: SetIn, e: In, size: Size, is: Truth, to: CodeAddress } Branch [];
            /// jumps if the element is in from[index], or if not
            IfLoadIn if_load_in "if-load-in" { from: Sets, index: In, e: In, size: Size, is: Truth, to: CodeAddress } Branch [fails];
            /// jumps if every element of a is in b, or if not
            IfSubset if_subset "if-subset" { a: SetIn, b: SetIn, is: Truth, to: CodeAddress } Branch [];
            /// jumps if the sets are equal, or if not
            IfSame if_same "if-same" { a: SetIn, b: SetIn, is: Truth, to: CodeAddress } Branch [];
            /// takes the first element out, or jumps if there is none
            Pop pop "pop" { d: Out, from: SetMut, to: CodeAddress } Branch [];
            /// takes the first element from `e` on out, else the first of all, or jumps if there is none
            PopFrom pop_from "pop-from" { d: Out, from: SetMut, e: In, to: CodeAddress } Branch [];
            /// d = the columns that a touches, on a grid
            Columns columns "columns" { d: SetOut, a: SetIn, width: Size, height: Size } Next [];
            /// d = the rows that a touches, on a grid of one word; `first` are the sites of its first column
            Rows rows "rows" { d: SetOut, a: SetIn, width: Size, first: SetRef } Next [];
            /// d = f(a, b)
            Apply apply "apply" { d: SetOut, f: FunctionRef, a: SetIn, b: SetIn } Next [fails spends];
            /// d = f(a, n)
            ApplyN apply_n "apply" { d: SetOut, f: FunctionRef, a: SetIn, n: In } Next [fails spends];
            /// d = f(a, b, c)
            Apply3 apply_3 "apply" { d: SetOut, f: FunctionRef, a: SetIn, b: SetIn, c: SetIn } Next [fails spends];
            /// d = f(a, b), as `me` asks it
            Reach reach "reach" { d: SetOut, f: FunctionRef, a: SetIn, b: SetIn, me: In } Next [fails spends];
            /// d = what from[index] shuts off beside the site e, as `me` asks it
            Enclosed enclosed "enclosed" { d: SetOut, f: FunctionRef, e: In, from: Sets, index: In, me: In } Next [fails spends];
            /// d = a raised by a number, or lowered if that is below 0, as far as it lies in k
            Shift shift "shift" { d: SetOut, a: SetIn, k: SetRef, by: Imm } Next [];
            /// d = points of the lines in a
            Score score_lines "score-lines" { d: Out, a: SetIn, lines: LineRef } Next [fails spends];
            /// d = the length of the longest run
            Longest longest_line "longest" { d: Out, a: SetIn, lines: LineRef } Next [fails spends];
            /// jumps if from[index] has a run of the tested length, or if not
            IfLine if_line "if-line" { from: Sets, index: In, lines: LineRef, is: Truth, to: CodeAddress } Branch [fails];
            /// to[index] gets e, which leaves the empty sites; none changes nothing
            Place place "place" { to: Sets, index: In, empty: SetMut, e: In, size: Size } Next [fails];
            /// to[index] gets e, which leaves empty[on]; none changes nothing
            PlaceOn place_on "place" { to: Sets, index: In, empty: Sets, on: In, e: In, size: Size } Next [fails];
            /// moves what stands on a site to another; the pieces of the board are in `on`
            MovePiece move_piece "move" { on: Sets, empty: SetMut, from: In, to: In, size: Size } Next [];
            /// the words become those of the start
            Reset reset "reset" { words: Span16 } Next [];
            /// clears words of a mask of legal actions
            RegionClear region_clear "region-clear" { words: Span16 } Next [];
            /// copies the first words of a set into a mask of legal actions
            RegionSet region_set "region-set" { words: Span16, a: SetIn } Next [];
            /// copies the first words of a set into row `row` of a mask of legal actions
            RegionRow region_row "region-row" { words: Span16, size: Size, row: In, a: SetIn } Next [fails];
            /// sets a bit of a mask of legal actions
            RegionBit region_bit "region-bit" { d: NumberMut, bit: Bit } Next [];
            /// row `row` of a mask of legal actions becomes the subsets of a, of `size` elements
            RegionSubsets region_subsets "region-subsets" { words: Span16, size: Bit, row: In, a: SetIn } Next [fails];
            /// row `row` of a mask of legal actions loses what is not in the table's words
            RegionKeep region_keep "region-keep" { words: Span16, row: In, table: NumberTable } Next [fails];
            /// row `row` of a mask of legal actions loses a, a subset of `size` elements
            RegionDrop region_drop "region-drop" { words: Span16, size: Bit, row: In, a: SetIn } Next [fails];
            /// d becomes the next subset of a, or jumps behind the last
            NextSubset next_subset "next-subset" { d: SetMut, a: SetIn, to: CodeAddress } Branch [];
            /// one of the elements of a; jumps if there is none
            ChooseOne choose_one "choose-one" { site: StopRef, option: OptionRef, d: Out, a: SetIn, me: In, to: CodeAddress } Suspend [fails spends counts];
            /// chooses as the site says; jumps if nothing is legal
            Choose choose_any "choose" { site: StopRef, to: CodeAddress } Suspend [fails spends counts];
            /// rolls dice, as one event
            Roll roll "roll" { site: StopRef, dice: DiceRef } Suspend [counts];
            /// rolls those dice of a set, as one event
            RollSome roll_some "roll-some" { site: StopRef, dice: DiceRef, a: SetIn } Suspend [counts];
            /// rolls one die
            RollOne roll_one "roll-one" { site: StopRef, dice: DiceRef, die: In } Suspend [fails counts];
            /// an element of a, uniformly at random; none if there is none
            Pick pick "pick" { site: StopRef, d: Out, a: SetIn } Suspend [];
            /// an element of a, each with the chance that its number gives it; none if there is none
            PickBy pick_by "pick-by" { site: StopRef, d: Out, a: SetIn, by: Numbers } Suspend [];
            /// draws a candidate as the site says, on trial where an option must ensure something; jumps if none is legal
            ChooseTried choose_tried "choose-tried" { site: StopRef, to: CodeAddress } Suspend [fails spends counts];
            /// the action that was tried is legal: it is taken
            Kept keep_tried "kept" { site: StopRef, option: OptionRef } Next [fails spends counts];
            /// the action that was tried is not legal: all goes back, and another candidate is drawn; jumps if none is left
            Failed drop_tried "failed" { site: StopRef, to: CodeAddress } Jump [fails spends counts];
            /// notes the position
            Note note "note" { past: PositionWordsRef } Next [fails];
            /// d = was this position noted at least n times?
            Repeated repeated "repeated" { d: Out, past: PositionWordsRef, n: In } Next [];
            /// d = what a script says
            Call call_script "call" { d: Out, hook: HookRef, args: Numbers, me: In } Next [fails spends counts];
            /// the same, of one that may leave something to chance
            CallDrawing call_drawing_script "call-drawing" { d: Out, hook: HookRef, args: Numbers, me: In, site: StopRef } Suspend [fails spends counts];
            /// a step begins
            Mark mark_step "step" { step: StepRef } Next [];
            /// a turn ends, the next seat moves
            NextTurn next_turn "next-turn" { mover: NumberMut, to: CodeAddress } Loop [fails spends counts];
            /// a turn ends, the mover is as it is
            SameTurn same_turn "same-turn" { to: CodeAddress } Loop [fails spends counts];
            /// the same seat's turn once more
            RepeatTurn repeat_turn "repeat-turn" { to: CodeAddress } Loop [fails spends counts];
            /// fails
            Fail fail "fail" { why: Failure } Stop [fails];
            /// the game is over, and with it `turns` turns: one, or none if it ends between two
            Over game_over "over" { end: EndRef, result: ResultKind, player: In, turns: Imm } Stop [counts];
            /// the end of a computation
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
        #[expect(missing_docs, reason = "the fields are told with the table")]
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
