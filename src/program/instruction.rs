//! The table of instructions.

use super::ResultKind;

/// A number in the frame that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct In(pub u16);
/// A number in the frame that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Out(pub u16);
/// A set in the frame that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SetIn(pub u16);
/// A set in the frame that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SetOut(pub u16);
/// A set in the frame that is read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SetMut(pub u16);
/// Consecutive numbers in the frame, one of which an index chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Numbers {
    /// The first.
    pub at: u16,
    /// How many.
    pub len: u16,
}
/// Consecutive sets in the frame, one of which an index chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sets {
    /// The first.
    pub at: u16,
    /// How many.
    pub len: u16,
}
/// A number in the instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Imm(pub i32);
/// A small number in the instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Small(pub i16);
/// The number of elements of a domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size(pub u16);
/// A place in the code where a block starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Block(pub u16);
/// Index of [`super::Program::numbers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wide(pub u16);
/// A row of [`super::Program::sets`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SetRef(pub u16);
/// Index of [`super::Program::set_tables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SetTable(pub u16);
/// Index of [`super::Program::number_tables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NumberTable(pub u16);
/// Index of [`super::Program::ranges`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RangeRef(pub u16);
/// Index of [`super::Program::lines`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LineRef(pub u16);
/// Index of [`super::Program::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FunctionRef(pub u16);
/// Index of [`super::Program::dice`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DiceRef(pub u16);
/// Index of [`super::Program::sites`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SiteRef(pub u16);
/// Index of [`super::Program::steps`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StepRef(pub u16);
/// Index of the model's hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HookRef(pub u16);
/// Index of [`super::Program::pasts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PastRef(pub u16);
/// Consecutive live words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span16 {
    /// The first.
    pub at: u16,
    /// How many.
    pub len: u16,
}
/// An end: an index of the model's [`end_names`](crate::lang::model::Model::end_names).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EndRef(pub u16);
/// Index of the model's action blocks, for counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OptionRef(pub u16);
/// Index of [`super::Program::bodies`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BodyRef(pub u16);
/// Index of [`super::Program::few`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FewRef(pub u16);
/// A bit of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bit(pub u8);
/// Arithmetic that is rare enough to share an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rare {
    /// Product.
    Multiply,
    /// Quotient, rounded down.
    Divide,
    /// What rounding down leaves.
    Modulo,
    /// The lesser.
    Min,
    /// The greater.
    Max,
}
/// Where `chance … given` has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Its draws begin.
    Begins,
    /// Its condition does not hold.
    Fails,
    /// Its condition holds.
    Holds,
}
/// What is asked of a number and one that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Test {
    /// Is it less?
    Less,
    /// Is it not less?
    GreaterEqual,
    /// Is it the same?
    Equal,
    /// Is it another?
    NotEqual,
}
/// Why a game fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Failure {
    /// An index is none.
    NoneIndex,
    /// A value that must not be none is.
    NoneValue,
}

/// One operand, as the verifier and the printer see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operand {
    /// A number that is read.
    Read(u16),
    /// A number that is written.
    Write(u16),
    /// A set that is read.
    ReadSet(u16),
    /// A set that is written.
    WriteSet(u16),
    /// A set that is read and written.
    ChangeSet(u16),
    /// Numbers, read or written by index.
    Numbers(Numbers),
    /// Sets, read or written by index.
    Sets(Sets),
    /// Live words that are reset.
    Words(Span16),
    /// A jump.
    Jump(Block),
    /// A constant set.
    SetRef(u16),
    /// A table of sets.
    SetTable(u16),
    /// A table of numbers.
    NumberTable(u16),
    /// A wide number.
    Wide(u16),
    /// A range.
    Range(u16),
    /// Lines.
    Lines(u16),
    /// A function.
    Function(u16),
    /// Dice: drawn and written.
    Dice(u16),
    /// A site.
    Site(u16),
    /// A step.
    Step(u16),
    /// What is compared of positions.
    Past(u16),
    /// A hook.
    Hook(u16),
    /// The bodies of options.
    Bodies(u16),
    /// A choice with few options.
    Few(u16),
    /// Something that touches no memory.
    Plain(i64),
    /// A domain's size: elements below it are bits of a set.
    Size(u16),
}

/// What an instruction's field is.
pub trait Describe {
    /// As an operand.
    fn describe(&self) -> Operand;

    /// Renames a jump's target; any other field stays.
    fn retarget(&mut self, _to: &mut dyn FnMut(Block) -> Block) {}

    /// Renames a number or a set in the frame; any other field stays.
    fn rename(&mut self, _to: &mut dyn FnMut(Operand) -> u16) {}
}

macro_rules! describe {
    ($($ty:ty: $self:ident => $operand:expr;)*) => {$(
        impl Describe for $ty {
            fn describe(&self) -> Operand {
                let $self = *self;
                $operand
            }
        }
    )*};
    (in the frame: $($ty:ty => $operand:ident;)*) => {$(
        impl Describe for $ty {
            fn describe(&self) -> Operand {
                Operand::$operand(self.0)
            }

            fn rename(&mut self, to: &mut dyn FnMut(Operand) -> u16) {
                self.0 = to(self.describe());
            }
        }
    )*};
}

describe! { in the frame:
    In => Read;
    Out => Write;
    SetIn => ReadSet;
    SetOut => WriteSet;
    SetMut => ChangeSet;
}

describe! {
    Numbers: x => Operand::Numbers(x);
    Sets: x => Operand::Sets(x);
    Imm: x => Operand::Plain(x.0.into());
    Small: x => Operand::Plain(x.0.into());
    Size: x => Operand::Size(x.0);
    Wide: x => Operand::Wide(x.0);
    SetRef: x => Operand::SetRef(x.0);
    SetTable: x => Operand::SetTable(x.0);
    NumberTable: x => Operand::NumberTable(x.0);
    RangeRef: x => Operand::Range(x.0);
    LineRef: x => Operand::Lines(x.0);
    FunctionRef: x => Operand::Function(x.0);
    DiceRef: x => Operand::Dice(x.0);
    SiteRef: x => Operand::Site(x.0);
    StepRef: x => Operand::Step(x.0);
    PastRef: x => Operand::Past(x.0);
    HookRef: x => Operand::Hook(x.0);
    BodyRef: x => Operand::Bodies(x.0);
    FewRef: x => Operand::Few(x.0);
    Span16: x => Operand::Words(x);
    EndRef: x => Operand::Plain(x.0.into());
    OptionRef: x => Operand::Plain(x.0.into());
    Bit: x => Operand::Plain(x.0.into());
    Rare: x => Operand::Plain(x as i64);
    Test: x => Operand::Plain(x as i64);
    Failure: x => Operand::Plain(x as i64);
    Phase: x => Operand::Plain(x as i64);
    ResultKind: x => Operand::Plain(x as i64);
}

impl Describe for Block {
    fn describe(&self) -> Operand {
        Operand::Jump(*self)
    }

    fn retarget(&mut self, to: &mut dyn FnMut(Block) -> Block) {
        *self = to(*self);
    }
}

macro_rules! instructions {
    ($($(#[doc = $doc:literal])* $name:ident $word:literal { $($field:ident: $ty:ty),* } $flow:ident;)*) => {
        /// One instruction. Fields named `d` are written, `a`, `b` and `e` read; a jump goes to `to`.
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[expect(missing_docs, reason = "the fields are told above")]
        pub enum Instruction {
            $($(#[doc = $doc])* $name { $($field: $ty),* },)*
        }

        impl Instruction {
            /// Its name in a listing.
            pub fn word(&self) -> &'static str {
                match self { $(Instruction::$name { .. } => $word,)* }
            }

            /// Its operands in order, with their names.
            pub fn operands(&self) -> Vec<(&'static str, Operand)> {
                match self { $(Instruction::$name { $($field),* } => vec![$((stringify!($field), $field.describe())),*],)* }
            }

            /// Renames the targets of its jumps.
            pub fn retarget(&mut self, to: &mut dyn FnMut(Block) -> Block) {
                match self { $(Instruction::$name { $($field),* } => { $($field.retarget(to);)* let _ = to; })* }
            }

            /// Renames the numbers and sets of the frame that it names, one by one.
            pub fn rename(&mut self, to: &mut dyn FnMut(Operand) -> u16) {
                match self { $(Instruction::$name { $($field),* } => { $($field.rename(to);)* let _ = to; })* }
            }

            /// How it hands on.
            pub fn flow(&self) -> Flow {
                match self { $(Instruction::$name { .. } => Flow::$flow,)* }
            }
        }
    };
}

/// How an instruction hands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// To the next one.
    Next,
    /// To the next one or to its target, which is further on.
    Branch,
    /// To its target, which is further on.
    Jump,
    /// To its target, which may be a loop head further back; costs budget.
    Loop,
    /// Nowhere.
    Stop,
    /// It suspends; resumed, it goes to the next one, to its target, or to a part's body.
    Suspend,
}

instructions! {
    /// d = k
    Const "const" { d: Out, k: Imm } Next;
    /// d = k
    ConstWide "const" { d: Out, k: Wide } Next;
    /// d = a
    Copy "copy" { d: Out, a: In } Next;
    /// d = a, if a is in range
    CopyIn "copy-in" { d: Out, a: In, range: RangeRef } Next;
    /// d = a + b
    Add "add" { d: Out, a: In, b: In } Next;
    /// d = a + k
    AddK "add" { d: Out, a: In, k: Imm } Next;
    /// d = a + b, if that is in range
    AddIn "add-in" { d: Out, a: In, b: In, range: RangeRef } Next;
    /// d = a + k, if that is in range
    AddKIn "add-in" { d: Out, a: In, k: Imm, range: RangeRef } Next;
    /// d = a - b
    Subtract "subtract" { d: Out, a: In, b: In } Next;
    /// d = a op b
    Rarely "arithmetic" { d: Out, op: Rare, a: In, b: In } Next;
    /// fails if a is out of range
    Check "check" { a: In, range: RangeRef } Next;
    /// fails if a is none
    CheckSome "check-some" { a: In, why: Failure } Next;
    /// d = from[index]
    Load "load" { d: Out, from: Numbers, index: In } Next;
    /// to[index] = a
    Store "store" { to: Numbers, index: In, a: In } Next;
    /// to[index] = to[index] + a, if that is in range
    StoreAddIn "store-add-in" { to: Numbers, index: In, a: In, range: RangeRef } Next;
    /// d = from[index] + a
    LoadAdd "load-add" { d: Out, from: Numbers, index: In, a: In } Next;
    /// jumps if from[index] < k
    IfLoadLessK "if-load-less" { from: Numbers, index: In, k: Imm, to: Block } Branch;
    /// jumps if from[index] >= k
    IfLoadGreaterEqualK "if-load-greater-equal" { from: Numbers, index: In, k: Imm, to: Block } Branch;
    /// d = a * k + b, an index of several parts
    ScaleAdd "scale-add" { d: Out, a: In, k: Imm, b: In } Next;
    /// d = those of so many elements e for which from[index + e * stride] passes a test against k
    Where "where" { d: SetOut, from: Numbers, index: In, stride: Small, size: Size, test: Test, k: Small } Next;
    /// d = how many of some numbers are a
    CountEqual "count-equal" { d: Out, from: Numbers, a: In } Next;
    /// each of some numbers becomes how many of others are as much as `low` and its place
    CountEach "count-each" { to: Numbers, low: Imm, from: Numbers } Next;
    /// d = table[index]
    Look "look" { d: Out, table: NumberTable, index: In } Next;
    /// goes on at the target
    Jump "jump" { to: Block } Jump;
    /// goes back to the target
    Loop "loop" { to: Block } Loop;
    /// jumps if a == b
    IfEqual "if-equal" { a: In, b: In, to: Block } Branch;
    /// jumps if a != b
    IfNotEqual "if-not-equal" { a: In, b: In, to: Block } Branch;
    /// jumps if a < b
    IfLess "if-less" { a: In, b: In, to: Block } Branch;
    /// jumps if a <= b
    IfLessEqual "if-less-equal" { a: In, b: In, to: Block } Branch;
    /// jumps if a == k
    IfEqualK "if-equal" { a: In, k: Imm, to: Block } Branch;
    /// jumps if a != k
    IfNotEqualK "if-not-equal" { a: In, k: Imm, to: Block } Branch;
    /// jumps if a < k
    IfLessK "if-less" { a: In, k: Imm, to: Block } Branch;
    /// jumps if a >= k
    IfGreaterEqualK "if-greater-equal" { a: In, k: Imm, to: Block } Branch;
    /// d = a < b
    Less "less" { d: Out, a: In, b: In } Next;
    /// d = k
    SetConst "set" { d: SetOut, k: SetRef } Next;
    /// d = a
    SetCopy "set-copy" { d: SetOut, a: SetIn } Next;
    /// d = a & b
    And "and" { d: SetOut, a: SetIn, b: SetIn } Next;
    /// d = a & k
    AndK "and" { d: SetOut, a: SetIn, k: SetRef } Next;
    /// d = a | b
    Or "or" { d: SetOut, a: SetIn, b: SetIn } Next;
    /// d = a - b
    Minus "minus" { d: SetOut, a: SetIn, b: SetIn } Next;
    /// d = from[index]
    LoadSet "load-set" { d: SetOut, from: Sets, index: In } Next;
    /// to[index] = a
    StoreSet "store-set" { to: Sets, index: In, a: SetIn } Next;
    /// to[index] = to[index] | a
    StoreOr "store-or" { to: Sets, index: In, a: SetIn } Next;
    /// to[index] = to[index] - a
    StoreMinus "store-minus" { to: Sets, index: In, a: SetIn } Next;
    /// d = table[index]
    LookSet "look-set" { d: SetOut, table: SetTable, index: In } Next;
    /// d = table[index] & a
    LookAnd "look-and" { d: SetOut, table: SetTable, index: In, a: SetIn } Next;
    /// d = the first element of table[index] & a
    LookFirst "look-first" { d: Out, table: SetTable, index: In, a: SetIn } Next;
    /// adds an element, if it is one
    Insert "insert" { d: SetMut, e: In, size: Size } Next;
    /// takes an element out
    Remove "remove" { d: SetMut, e: In, size: Size } Next;
    /// d = how many
    Count "count" { d: Out, a: SetIn } Next;
    /// notes where `chance … given` has come to
    Given "given" { phase: Phase } Next;
    /// d = the first element
    First "first" { d: Out, a: SetIn } Next;
    /// d = the last element
    Last "last" { d: Out, a: SetIn } Next;
    /// jumps if the set is empty
    IfEmpty "if-empty" { a: SetIn, to: Block } Branch;
    /// jumps if it is not
    IfSome "if-some" { a: SetIn, to: Block } Branch;
    /// jumps if the element is in the set
    IfIn "if-in" { a: SetIn, e: In, size: Size, to: Block } Branch;
    /// jumps if it is not
    IfNotIn "if-not-in" { a: SetIn, e: In, size: Size, to: Block } Branch;
    /// jumps if the element is in from[index]
    IfLoadIn "if-load-in" { from: Sets, index: In, e: In, size: Size, to: Block } Branch;
    /// jumps if it is not
    IfLoadNotIn "if-load-not-in" { from: Sets, index: In, e: In, size: Size, to: Block } Branch;
    /// jumps if every element of a is in b
    IfSubset "if-subset" { a: SetIn, b: SetIn, to: Block } Branch;
    /// jumps if that is not so
    IfNotSubset "if-not-subset" { a: SetIn, b: SetIn, to: Block } Branch;
    /// jumps if the sets are equal
    IfSame "if-same" { a: SetIn, b: SetIn, to: Block } Branch;
    /// jumps if they are not
    IfNotSame "if-not-same" { a: SetIn, b: SetIn, to: Block } Branch;
    /// takes the first element out, or jumps if there is none
    Pop "pop" { d: Out, from: SetMut, to: Block } Branch;
    /// takes the first element from `e` on out, else the first of all, or jumps if there is none
    PopFrom "pop-from" { d: Out, from: SetMut, e: In, to: Block } Branch;
    /// d = the columns that a touches, on a grid
    Columns "columns" { d: SetOut, a: SetIn, width: Size, height: Size } Next;
    /// d = the rows that a touches, on a grid of one word; `first` are the sites of its first column
    Rows "rows" { d: SetOut, a: SetIn, width: Size, first: SetRef } Next;
    /// d = f(a, b)
    Apply "apply" { d: SetOut, f: FunctionRef, a: SetIn, b: SetIn } Next;
    /// d = f(a, n)
    ApplyN "apply" { d: SetOut, f: FunctionRef, a: SetIn, n: In } Next;
    /// d = f(a, b, c)
    Apply3 "apply" { d: SetOut, f: FunctionRef, a: SetIn, b: SetIn, c: SetIn } Next;
    /// d = f(a, b), as `me` asks it
    Reach "reach" { d: SetOut, f: FunctionRef, a: SetIn, b: SetIn, me: In } Next;
    /// d = what from[index] shuts off beside the site e, as `me` asks it
    Enclosed "enclosed" { d: SetOut, f: FunctionRef, e: In, from: Sets, index: In, me: In } Next;
    /// d = a raised by a number, or lowered if that is below 0, as far as it lies in k
    Shift "shift" { d: SetOut, a: SetIn, k: SetRef, by: Imm } Next;
    /// d = points of the lines in a
    Score "score-lines" { d: Out, a: SetIn, lines: LineRef } Next;
    /// d = the length of the longest run
    Longest "longest" { d: Out, a: SetIn, lines: LineRef } Next;
    /// jumps if from[index] has a run of the tested length
    IfLine "if-line" { from: Sets, index: In, lines: LineRef, to: Block } Branch;
    /// jumps if it has not
    IfNoLine "if-no-line" { from: Sets, index: In, lines: LineRef, to: Block } Branch;
    /// to[index] gets e, which leaves the empty sites; none changes nothing
    Place "place" { to: Sets, index: In, empty: SetMut, e: In, size: Size } Next;
    /// to[index] gets e, which leaves empty[on]; none changes nothing
    PlaceOn "place" { to: Sets, index: In, empty: Sets, on: In, e: In, size: Size } Next;
    /// d = the first element of table[index] & empty, which is placed; the [`Instruction::Place`] behind it is passed over
    PlaceFirst "place-first" { d: Out, to: Sets, seat: In, empty: SetMut, table: SetTable, index: In } Next;
    /// moves what stands on a site to another; the pieces of the board are in `on`
    MovePiece "move" { on: Sets, empty: SetMut, from: In, to: In, size: Size } Next;
    /// the words become those of the start
    Reset "reset" { words: Span16 } Next;
    /// one word becomes that of the start
    Reset1 "reset" { d: Out } Next;
    /// clears words of a legal set
    RegionClear "region-clear" { words: Span16 } Next;
    /// copies the first words of a set into a legal set
    RegionSet "region-set" { words: Span16, a: SetIn } Next;
    /// copies the first words of a set into row `row` of a legal set
    RegionRow "region-row" { words: Span16, size: Size, row: In, a: SetIn } Next;
    /// sets a bit of a legal set
    RegionBit "region-bit" { d: Out, bit: Bit } Next;
    /// sets a bit of a legal set if a < k
    RegionBitIfLess "region-bit-if-less" { d: Out, bit: Bit, a: In, k: Imm } Next;
    /// a word of a legal set: some bits, and one more if a < k
    RegionBitsIfLess "region-bits-if-less" { d: Out, bits: Imm, bit: Bit, a: In, k: Imm } Next;
    /// row `row` of a legal set becomes the subsets of a, of `size` elements
    RegionSubsets "region-subsets" { words: Span16, size: Bit, row: In, a: SetIn } Next;
    /// row `row` of a legal set loses what is not in the table's words
    RegionKeep "region-keep" { words: Span16, row: In, table: NumberTable } Next;
    /// row `row` of a legal set loses a, a subset of `size` elements
    RegionDrop "region-drop" { words: Span16, size: Bit, row: In, a: SetIn } Next;
    /// d becomes the next subset of a, or jumps behind the last
    NextSubset "next-subset" { d: SetMut, a: SetIn, to: Block } Branch;
    /// one of the elements of a; jumps if there is none
    ChooseOne "choose-one" { site: SiteRef, option: OptionRef, d: Out, a: SetIn, me: In, to: Block } Suspend;
    /// one of the elements of table[index] & a; jumps if there is none
    LookChoose "look-choose" { site: SiteRef, d: Out, table: SetTable, index: In, a: SetIn, to: Block } Suspend;
    /// chooses as the site says; jumps if nothing is legal
    Choose "choose" { site: SiteRef, to: Block } Suspend;
    /// chooses an option without binders by the bits of a; jumps if there is none
    ChooseBits "choose-bits" { site: SiteRef, a: In, me: In, first: BodyRef, to: Block } Suspend;
    /// chooses as the site says, where that is among few options; jumps if nothing is legal
    ChooseFew "choose-few" { site: SiteRef, few: FewRef, me: In, to: Block } Suspend;
    /// chooses one of the empty sites and places it; the [`Instruction::Place`] behind it is for the resumed game
    ChoosePlace "choose-place" { site: SiteRef, d: Out, on: Sets, me: In, empty: SetMut, to: Block } Suspend;
    /// rolls dice, as one event
    Roll "roll" { site: SiteRef, dice: DiceRef } Suspend;
    /// rolls those dice of a set, as one event
    RollSome "roll-some" { site: SiteRef, dice: DiceRef, a: SetIn } Suspend;
    /// rolls one die
    RollOne "roll-one" { site: SiteRef, dice: DiceRef, die: In } Suspend;
    /// an element of a, all with the same chance; none if there is none
    Pick "pick" { site: SiteRef, d: Out, a: SetIn } Suspend;
    /// an element of a, each with the chance that its number gives it; none if there is none
    PickBy "pick-by" { site: SiteRef, d: Out, a: SetIn, by: Numbers } Suspend;
    /// draws a candidate as the site says, on trial where an option must ensure something; jumps if none is legal
    ChooseTried "choose-tried" { site: SiteRef, to: Block } Suspend;
    /// the action that was tried is legal: it is taken
    Kept "kept" { site: SiteRef } Next;
    /// the action that was tried is not legal: all goes back, and another candidate is drawn; jumps if none is left
    Failed "failed" { site: SiteRef, to: Block } Jump;
    /// notes the position
    Note "note" { past: PastRef } Next;
    /// d = was this position noted at least n times?
    Repeated "repeated" { d: Out, past: PastRef, n: In } Next;
    /// d = what a script says
    Call "call" { d: Out, hook: HookRef, args: Numbers, me: In } Next;
    /// the same, of one that may leave something to chance
    CallDrawing "call-drawing" { d: Out, hook: HookRef, args: Numbers, me: In, site: SiteRef } Suspend;
    /// a step begins
    Mark "step" { step: StepRef } Next;
    /// resets words; a turn ends, the next seat moves
    ResetNextTurn "reset-next-turn" { words: Span16, mover: Out, to: Block } Loop;
    /// a turn ends, the next seat moves
    NextTurn "next-turn" { mover: Out, to: Block } Loop;
    /// a turn ends, the mover is as it is
    SameTurn "same-turn" { to: Block } Loop;
    /// the same seat's turn once more
    RepeatTurn "repeat-turn" { to: Block } Loop;
    /// a line of the mover's wins, a full board ends, else the next seat moves
    LineFullNext "line-full-next" { from: Sets, mover: Out, lines: LineRef, empty: SetIn, won: Block, full: Block } Loop;
    /// fails
    Fail "fail" { why: Failure } Stop;
    /// the game is over, and with it so many turns: one, or none if it ends between two
    Over "over" { end: EndRef, result: ResultKind, player: In, turns: Imm } Stop;
    /// the end of a computation
    Halt "halt" { } Stop;
}
