//! Slots of state, and locals.

use super::{BoardId, DisplayForm, DomainId, Seat, SlotId, Type};
use crate::board::BitSet;
use houserule_language::diagnostic::Span;

/// A family of state values, one for each element of the product of `index`, row-major.
#[derive(Clone, Debug)]
pub struct Slot {
    /// Its name.
    pub name: String,
    /// The index domains.
    pub index: Vec<DomainId>,
    /// Type of each value.
    pub content: Content,
    /// The initial values, one for each element of the product.
    pub initial: Vec<Value>,
    /// Lifetime of the values.
    pub life: Life,
    /// Purpose of the slot.
    pub role: Role,
    /// Who sees the values.
    pub visibility: Visibility,
    /// How drawings show it.
    pub shown: DisplayForm,
    /// Help text; may be empty.
    pub help: String,
    /// Its declaration, or `None` for a built-in slot.
    pub span: Option<Span>,
}

impl Slot {
    /// Returns `true` if the rules can name it. A variable that holds what players move in `together` until all have
    /// chosen has a name with a space.
    pub fn can_be_named(&self) -> bool {
        !self.name.contains(' ')
    }

    /// Returns `true` for a variable that the rules declare.
    pub fn is_declared_variable(&self) -> bool {
        self.role == Role::Variable && self.can_be_named()
    }

    /// Returns `true` for a declared variable whose values at the end of a game are told: they outlive the turn.
    pub fn is_told_at_end(&self) -> bool {
        self.is_declared_variable() && self.life != Life::Turn
    }
}

/// The type of a slot's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// An integer in `low..=high`.
    Number {
        /// Least.
        low: i64,
        /// Greatest.
        high: i64,
    },
    /// A boolean.
    Bool,
    /// An element.
    Element {
        /// Its domain.
        domain: DomainId,
        /// It may be none.
        optional: bool,
    },
    /// A set over a domain.
    Set(DomainId),
}

/// A constant value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// An integer.
    Number(i64),
    /// A boolean.
    Bool(bool),
    /// An element, or none.
    Element(Option<u32>),
    /// A set.
    Set(BitSet),
}

/// The lifetime of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// Until the turn passes.
    Turn,
    /// Until the round ends.
    Round,
    /// Until the game ends.
    Game,
    /// Until the match ends.
    Match,
}

/// The purpose of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Maintained by the engine.
    Builtin(Builtin),
    /// A `var`.
    Variable,
    /// `dice`: the value is the face, 0 before a roll. The last index is the die.
    Dice {
        /// Number of dice.
        count: u32,
        /// Number of faces of each die.
        faces: u32,
        /// Their order matters to the rules.
        ordered: bool,
    },
    /// A `piece`: the sites where it stands. The index begins with that of its board.
    Piece(BoardId),
    /// The empty sites of a board, derived: all sites except those of the pieces.
    Empty(BoardId),
    /// The hidden elements of which a player knows the place.
    Known,
    /// A `zone`: the elements in it. Each element of a domain with zones is in exactly one of them.
    Zone,
    /// The place of each element from the top of its ordered zone: see [`Order`](super::Order).
    Place,
    /// The place of each element as far as a player sees it, else 0. The first index is the player.
    SeenPlace,
    /// A `zone` of counted copies: the count of each kind. The last index is the kind.
    Copies,
    /// The number of hidden copies that a player knows to be in the zones of a slot. The first index is
    /// the player.
    KnownCopies(SlotId),
}

/// Built-in slots: the first of [`Model::slots`], in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Builtin {
    /// The player whose turn it is: `mover` in rule files.
    Mover,
    /// The player who began the game (or the round).
    Starter,
    /// Number of turns that each player has finished, indexed by player.
    Turns,
    /// Number of the round, from 1.
    Round,
    /// Number of the game in the match, from 1.
    GameNumber,
    /// Points of each player in the match so far, indexed by player.
    Total,
    /// The player that `next p` set for the next turn; optional.
    NextMover,
    /// The players who still have a turn in this round, in rules with `round`.
    ToCome,
    /// What a finished game returns to each player, if the rules have a `payoff`; indexed by player.
    Payoff,
}

impl Builtin {
    /// All built-in slots, in order.
    pub const ALL: [Builtin; 9] = [
        Builtin::Mover,
        Builtin::Starter,
        Builtin::Turns,
        Builtin::Round,
        Builtin::GameNumber,
        Builtin::Total,
        Builtin::NextMover,
        Builtin::ToCome,
        Builtin::Payoff,
    ];

    /// The id of its slot.
    pub fn slot(self) -> SlotId {
        SlotId(self as u32)
    }
}

/// Who sees a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// Everybody.
    All,
    /// The player of the first index.
    Owner,
    /// All but the player of the first index.
    Others,
    /// One player, whom the rules name.
    Player(Seat),
    /// Nobody.
    Nobody,
}

impl Visibility {
    /// Returns `true` if a player sees a value, who is or isn't the player of its first index.
    pub fn shows(self, player: Seat, owner: bool) -> bool {
        match self {
            Visibility::Player(seat) => seat == player,
            Visibility::All => true,
            Visibility::Owner => owner,
            Visibility::Others => !owner,
            Visibility::Nobody => false,
        }
    }

    /// Returns `true` if the player of the first index sees another set of values than the other players.
    pub fn is_of_owner(self) -> bool {
        matches!(self, Visibility::Owner | Visibility::Others)
    }
}

/// A local variable.
#[derive(Clone, Debug)]
pub struct Local {
    /// Name as written.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// The least and the greatest number it can hold, if its type limits them.
    pub range: Option<(i64, i64)>,
    /// Location of its introduction.
    pub span: Span,
}
