//! Operands of instructions: addresses in the frame, tables, jumps, and immediate numbers.

use super::ResultKind;

/// Address of a number that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct In(pub u16);
/// Address of a number that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Out(pub u16);
/// Address of a number that is read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NumberMut(pub u16);
/// Address of a set that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SetIn(pub u16);
/// Address of a set that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SetOut(pub u16);
/// Address of a set that is read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SetMut(pub u16);
/// Consecutive numbers in the frame, one of which an index selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Numbers {
    /// Address of the first.
    pub at: u16,
    /// Their count.
    pub len: u16,
}
/// Consecutive sets in the frame, one of which an index selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sets {
    /// Address of the first.
    pub at: u16,
    /// Their count.
    pub len: u16,
}
/// An immediate number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Imm(pub i32);
/// A small immediate number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Small(pub i16);
/// The number of elements of a domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size(pub u16);
/// The code address of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CodeAddress(pub u16);
/// Index in [`super::Program::numbers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wide(pub u16);
/// A row of [`super::Program::sets`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SetRef(pub u16);
/// Index in [`super::Program::set_tables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SetTable(pub u16);
/// Index in [`super::Program::number_tables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NumberTable(pub u16);
/// Index in [`super::Program::ranges`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RangeRef(pub u16);
/// Index in [`super::Program::lines`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LineRef(pub u16);
/// Index in [`super::Program::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FunctionRef(pub u16);
/// Index in [`super::Program::dice`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DiceRef(pub u16);
/// Index in [`super::Program::stops`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StopRef(pub u16);
/// Index in [`super::Program::steps`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StepRef(pub u16);
/// Index in the model's hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HookRef(pub u16);
/// Index in [`super::Program::pasts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PositionWordsRef(pub u16);
/// Consecutive live words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span16 {
    /// Address of the first.
    pub at: u16,
    /// Their count.
    pub len: u16,
}
/// An end: an index in the model's [`end_names`](houserule_model::Model::end_names).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EndRef(pub u16);
/// Index in the model's action blocks, for counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OptionRef(pub u16);
/// A bit of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bit(pub u8);
/// An operation on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// Product.
    Multiply,
    /// Quotient, rounded down.
    Divide,
    /// Remainder of the quotient rounded down.
    Modulo,
    /// Minimum.
    Min,
    /// Maximum.
    Max,
}
/// The progress of a `chance … given`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Its draws begin.
    Begins,
    /// Its condition does not hold.
    Fails,
    /// Its condition holds.
    Holds,
}
/// Where elements are laid in a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Laid {
    /// Nowhere: the zone has no order.
    Loose,
    /// On what lies there.
    OnTop,
    /// Below what lies there.
    Below,
}
/// Whether a branch jumps if its condition holds, or if it does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Truth(pub bool);
/// A comparison of a number with a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Test {
    /// Less.
    Less,
    /// Greater or equal.
    GreaterEqual,
    /// Equal.
    Equal,
    /// Not equal.
    NotEqual,
}
/// Why a game fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Failure {
    /// An index is `none`.
    NoneIndex,
    /// A value that must not be `none` is.
    NoneValue,
}

/// An operand, for the verifier and the printer.
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
    Jump(CodeAddress),
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
    /// A stop point.
    Stop(u16),
    /// A step.
    Step(u16),
    /// A position comparison.
    Past(u16),
    /// A hook.
    Hook(u16),
    /// An operand that addresses nothing.
    Plain(i64),
    /// A domain's size: elements below it are bits of a set.
    Size(u16),
}

/// A field of an instruction.
pub trait Describe {
    /// Returns the field as an operand.
    fn describe(&self) -> Operand;

    /// Replaces a jump's target; does nothing for any other field.
    fn retarget(&mut self, _to: &mut dyn FnMut(CodeAddress) -> CodeAddress) {}
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
    StopRef: x => Operand::Stop(x.0);
    StepRef: x => Operand::Step(x.0);
    PositionWordsRef: x => Operand::Past(x.0);
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
    Laid: x => Operand::Plain(x as i64);
    ResultKind: x => Operand::Plain(x as i64);
}

impl Describe for CodeAddress {
    fn describe(&self) -> Operand {
        Operand::Jump(*self)
    }

    fn retarget(&mut self, to: &mut dyn FnMut(CodeAddress) -> CodeAddress) {
        *self = to(*self);
    }
}
