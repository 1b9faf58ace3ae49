//! What instructions work with: places in the frame, tables, jumps, and numbers of their own.

use super::ResultKind;

/// A number in the frame that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct In(pub u16);
/// A number in the frame that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Out(pub u16);
/// A number in the frame that is read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NumberMut(pub u16);
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
/// A bit of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bit(pub u8);
/// What is worked out of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
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
/// Does a branch jump if what it asks holds, or if it does not?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Truth(pub bool);
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
    /// A number that is read and written.
    Change(u16),
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
}

describe! {
    In: x => Operand::Read(x.0);
    Out: x => Operand::Write(x.0);
    NumberMut: x => Operand::Change(x.0);
    SetIn: x => Operand::ReadSet(x.0);
    SetOut: x => Operand::WriteSet(x.0);
    SetMut: x => Operand::ChangeSet(x.0);
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
    Span16: x => Operand::Words(x);
    EndRef: x => Operand::Plain(x.0.into());
    OptionRef: x => Operand::Plain(x.0.into());
    Bit: x => Operand::Plain(x.0.into());
    Operator: x => Operand::Plain(x as i64);
    Test: x => Operand::Plain(x as i64);
    Truth: x => Operand::Plain(x.0.into());
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
