//! State, and the locals.

use super::{BoardId, DomainId, Shown, SlotId, Type};
use crate::board::BitSet;
use crate::diagnostic::Span;

/// State: a family of values, one for each element of the product of `index`, row-major.
#[derive(Clone, Debug)]
pub struct Slot {
    /// Its name.
    pub name: String,
    /// The index domains.
    pub index: Vec<DomainId>,
    /// What each value is.
    pub content: Content,
    /// The value at the start, one for each of the family.
    pub initial: Vec<Value>,
    /// How long it lives.
    pub life: Life,
    /// What it is for.
    pub role: Role,
    /// Who sees it.
    pub visibility: Visibility,
    /// How drawings show it.
    pub shown: Shown,
    /// Its help text; may be empty.
    pub help: String,
    /// Its declaration; none for what is built in.
    pub span: Option<Span>,
}

/// What a slot holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// A number in `low..=high`.
    Number {
        /// Least.
        low: i64,
        /// Greatest.
        high: i64,
    },
    /// True or false.
    Bool,
    /// An element.
    Element {
        /// Of which domain.
        domain: DomainId,
        /// May be none.
        optional: bool,
    },
    /// A set.
    Set(DomainId),
}

/// A constant value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number.
    Number(i64),
    /// A truth value.
    Bool(bool),
    /// An element, or none.
    Element(Option<u32>),
    /// A set.
    Set(BitSet),
}

/// How long a value lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// Until the turn passes.
    Turn,
    /// Until the round ends.
    Round,
    /// The game.
    Game,
    /// The match.
    Match,
}

/// What a slot is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Kept by the engine.
    Builtin(Builtin),
    /// A `var`.
    Variable,
    /// `dice`: the value is the face, 0 before a roll. The last index is the die, from 1.
    Dice {
        /// How many.
        count: u32,
        /// Faces of each.
        faces: u32,
        /// Their order matters to the rules.
        ordered: bool,
    },
    /// A `piece`: the sites where it stands. Its index begins with the board's.
    Piece(BoardId),
    /// The empty sites of a board: derived, all sites less every piece.
    Empty(BoardId),
    /// What a player knows the place of, though it lies hidden.
    Known,
    /// A `zone`: the elements that lie there. Every element of a domain with zones lies in one of them.
    Zone,
    /// A `zone` of counted copies: how many of each kind lie there. Its last index is the kind.
    Copies,
    /// How many copies a player, the first index, knows to lie in the zones of a slot, though they lie hidden.
    KnownCopies(SlotId),
}

/// Built-in slots: the first of [`Model::slots`], in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Builtin {
    /// Whose turn it is: an element of the players. `mover` in rule files.
    Mover,
    /// Who began the game (or the round): an element of the players.
    Starter,
    /// How many turns each player has finished: indexed by player.
    Turns,
    /// The round, from 1.
    Round,
    /// The game of the match, from 1.
    GameNumber,
    /// The points of each player in the match so far: indexed by player.
    Total,
    /// Who takes the next turn, if `next p` said so: an optional player.
    NextMover,
    /// Who still has a turn in this round, in rules with `round`: a set of players.
    ToCome,
}

impl Builtin {
    /// All of them, in order.
    pub const ALL: [Builtin; 8] = [
        Builtin::Mover,
        Builtin::Starter,
        Builtin::Turns,
        Builtin::Round,
        Builtin::GameNumber,
        Builtin::Total,
        Builtin::NextMover,
        Builtin::ToCome,
    ];

    /// Its slot.
    pub fn slot(self) -> SlotId {
        SlotId(self as u32)
    }
}

/// Who sees a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// Everybody.
    All,
    /// The player who is the first index.
    Owner,
    /// Nobody.
    Nobody,
}

/// A local name.
#[derive(Clone, Debug)]
pub struct Local {
    /// As written.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// The least and the greatest number that it holds, if its type says so.
    pub range: Option<(i64, i64)>,
    /// Where it is introduced.
    pub span: Span,
}
