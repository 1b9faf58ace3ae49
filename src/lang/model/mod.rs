//! The checked model: what the rules mean, with every name resolved, every type known, every define
//! and procedure expanded, and every size fixed by the params and the number of players.
//!
//! Both executors start here: one walks it as it stands, the other compiles it. Nothing in it depends
//! on how a game is executed.
//!
//! Values are plain: a number, a truth value, an element (its number in its domain from 0, or none)
//! or a set of elements. Elements of a range domain (`1..6`, `domain pit = 0..13`) are elements here
//! too; [`ExprKind::ValueOf`] and [`ExprKind::ElementOf`] go from one to the number and back.

mod expr;
mod rules;

pub use expr::*;
pub use rules::*;

use crate::board::{BitSet, Topology};
use crate::diagnostic::Span;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index of the list that it numbers.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A domain: index of [`Model::domains`].
    DomainId
    /// A board: index of [`Model::boards`].
    BoardId
    /// A declared or built-in piece of state: index of [`Model::slots`].
    SlotId
    /// A `let`, binder, loop or quantifier variable: index of [`Model::locals`].
    LocalId
    /// A step: index of [`Model::steps`].
    StepId
    /// A place in the rules where a player chooses: index of [`Model::choices`].
    ChoiceId
    /// A block of action numbers: index of [`Model::actions`].
    ActionBlockId
    /// A constant table of numbers: index of [`Model::tables`].
    TableId
    /// What makes two positions the same: index of [`Model::pasts`].
    PastId
}

/// The domain of the players is always the first.
pub const PLAYER: DomainId = DomainId(0);

/// The rules of one game for one number of players.
#[derive(Clone, Debug)]
pub struct Model {
    /// The title.
    pub title: String,
    /// What it is, in a sentence or two.
    pub help: String,
    /// The params with their values.
    pub params: Vec<Param>,
    /// Who plays.
    pub players: Players,
    /// Every domain, the players' first.
    pub domains: Vec<Domain>,
    /// Every board.
    pub boards: Vec<Board>,
    /// All state, built-in slots first (see [`Builtin`]).
    pub slots: Vec<Slot>,
    /// All locals; each is written in one place of the expanded rules.
    pub locals: Vec<Local>,
    /// Constant tables.
    pub tables: Vec<Table>,
    /// The steps, in the order of the rules. An expanded procedure's step has one entry.
    pub steps: Vec<Step>,
    /// The choose sites, in the order of the expanded rules.
    pub choices: Vec<Choice>,
    /// The numbering of actions.
    pub actions: Vec<ActionBlock>,
    /// Runs once, before the first turn.
    pub setup: Block,
    /// One turn; of rules with `round`, one round, in which [`StmtKind::Turns`] are the turns.
    pub turn: Block,
    /// The rules say what a round is.
    pub rounds: bool,
    /// The blocks in which all seats commit themselves unseen.
    pub together: Vec<Together>,
    /// What `repeated` compares, each once.
    pub pasts: Vec<Past>,
    /// The ends, in source order.
    pub ends: Vec<End>,
    /// The items of the score, in source order; empty if the rules have none.
    pub score: Vec<ScoreItem>,
    /// By what the winner is found when no end says it: the first key that differs decides.
    /// Empty for one player.
    pub winner: Vec<Rank>,
    /// Match play, if the rules have it.
    pub match_rules: Option<MatchRules>,
    /// Decisions after which a game is aborted.
    pub limit: u64,
    /// The text of `script`, if there is one.
    pub script: Option<(String, Span)>,
}

/// A param and the value it has in this model.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// What it may be.
    pub kind: ParamKind,
    /// What it is.
    pub value: ParamValue,
    /// What it is unless set.
    pub default: ParamValue,
    /// Made constant by a variant.
    pub fixed: bool,
    /// Its help text; may be empty.
    pub help: String,
    /// Its declaration.
    pub span: Span,
}

/// What a param may be.
#[derive(Clone, Debug, PartialEq)]
pub enum ParamKind {
    /// A number in `low..high`.
    Number {
        /// Least.
        low: i64,
        /// Greatest.
        high: i64,
    },
    /// One of some words or numbers, as written.
    Choice(Vec<String>),
    /// `true` or `false`.
    Bool,
    /// A map from numbers to numbers.
    Table,
}

/// The value of a param.
#[derive(Clone, Debug, PartialEq)]
pub enum ParamValue {
    /// Of a [`ParamKind::Number`].
    Number(i64),
    /// Of a [`ParamKind::Choice`].
    Word(String),
    /// Of a [`ParamKind::Bool`].
    Bool(bool),
    /// Of a [`ParamKind::Table`].
    Table(PointsTable),
}

/// A map such as `[3: 1, 4: 3, 6+: 40]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PointsTable {
    /// Keys with their values, ascending.
    pub entries: Vec<(i64, i64)>,
    /// `k+`: the value of `k` and everything above.
    pub and_more: Option<(i64, i64)>,
}

impl PointsTable {
    /// The value of `key`; 0 where the map has none.
    pub fn get(&self, key: i64) -> i64 {
        if let Some((from, value)) = self.and_more
            && key >= from
        {
            return value;
        }
        self.entries.iter().find(|(k, _)| *k == key).map_or(0, |(_, v)| *v)
    }
}

/// Who plays.
#[derive(Clone, Debug)]
pub struct Players {
    /// How many in this model.
    pub count: u32,
    /// Fewest that the rules allow.
    pub least: u32,
    /// Most that the rules allow.
    pub most: u32,
    /// Their names: as declared, or `player 1` and so on. `count` of them.
    pub names: Vec<String>,
}

/// A finite domain.
#[derive(Clone, Debug)]
pub struct Domain {
    /// Its name in messages: `cell`, `player`, `1..6`.
    pub name: String,
    /// What its elements are.
    pub kind: DomainKind,
    /// How many there are.
    pub size: u32,
}

/// What a domain's elements are.
#[derive(Clone, Debug)]
pub enum DomainKind {
    /// The players of the game.
    Player,
    /// Numbers from `low`.
    Range {
        /// The first.
        low: i64,
    },
    /// Named values; names as written.
    Enum(Vec<String>),
    /// Sites of a board.
    Sites(BoardId),
    /// Records, by their fields.
    Record(Vec<Field>),
}

/// A field of records.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// The domain whose element it is; none for a number.
    pub of: Option<DomainId>,
    /// Its value for each element: the number, or which element.
    pub values: Vec<i64>,
}

/// A board.
#[derive(Clone, Debug)]
pub struct Board {
    /// The name of its site domain.
    pub name: String,
    /// Its sites.
    pub domain: DomainId,
    /// There is one board for each element of their product.
    pub index: Vec<DomainId>,
    /// Neighbours, lines, names.
    pub topology: Topology,
    /// Row 1 is drawn at the top.
    pub from_top: bool,
    /// Its sites are the sides of the cells of this board, which has the same index.
    pub sides_of: Option<BoardId>,
    /// The empty sites, a derived slot with the index of the board.
    pub empty: SlotId,
    /// The pieces that stand on it.
    pub pieces: Vec<SlotId>,
}

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
    /// Where it is introduced.
    pub span: Span,
}

/// A constant table of numbers over the product of its index domains, row-major.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// The index domains.
    pub index: Vec<DomainId>,
    /// A value for each; an element is its number, none is -1.
    pub values: Vec<i64>,
}

/// What makes two positions the same. A position is noted whenever a turn begins: behind the setup and
/// whenever the turn passes, not for `again`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Past {
    /// Slots with equal values. Without `of:` all that lives the game, but what the engine counts.
    pub slots: Vec<SlotId>,
    /// And the same player to move. Now that is whoever is next.
    pub mover: bool,
}

/// A block in which all seats commit themselves, one after the other and without seeing each other: each
/// changes only variables whose first index is `me`, and reads no others of those. As a statement it is a
/// loop in which the seats act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Together {
    /// The choices in it. While one of them is pending, nobody sees what the others have of …
    pub choices: Vec<ChoiceId>,
    /// … these slots, and nobody sees …
    pub slots: Vec<SlotId>,
    /// … these locals.
    pub locals: Vec<LocalId>,
}

/// A step.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its name.
    pub name: String,
    /// Its help text; may be empty.
    pub help: String,
    /// Its place.
    pub span: Span,
}

/// A place in the rules where a player chooses.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Its name, for `extend` and messages.
    pub name: String,
    /// The step it stands in.
    pub step: Option<StepId>,
    /// What can be chosen, in order.
    pub options: Vec<ChoiceOption>,
    /// Runs when no option is legal. Without it, and with nothing legal, play goes on.
    pub otherwise: Option<Block>,
    /// Its place.
    pub span: Span,
}

/// One option of a choice.
#[derive(Clone, Debug)]
pub struct ChoiceOption {
    /// Its name.
    pub name: String,
    /// Its action numbers.
    pub actions: ActionBlockId,
    /// Its binders; a later one may use an earlier one.
    pub binders: Vec<Binder>,
    /// What must hold of the bindings.
    pub filter: Option<Expr>,
    /// What must hold once the body has run, which is tried first: the body draws nothing, chooses
    /// nothing and stays in the turn. Whatever goes wrong in it goes wrong when the action is taken,
    /// so an action whose trial fails with an error is legal.
    pub ensuring: Option<Expr>,
    /// Never taken by random players.
    pub deliberate: bool,
    /// A pass.
    pub pass: bool,
    /// What it does.
    pub body: Block,
    /// Its help text; may be empty.
    pub help: String,
    /// Its place.
    pub span: Span,
}

/// `x in S` or `k subset of S`
#[derive(Clone, Debug)]
pub struct Binder {
    /// The local: an element of the set's domain, or a set over it.
    pub local: LocalId,
    /// The domain.
    pub domain: DomainId,
    /// Each subset of the set is a choice of its own, the empty one included; else each element is.
    /// Only the last binder of an option may be one of subsets.
    pub subset: bool,
    /// Of what.
    pub over: Expr,
}

/// Consecutive action numbers: `first + (e1 * size2 + e2) * size3 + e3 …`. A subset counts as the
/// number whose bit *i* is set if element *i* is in it, and its domain as two to the power of its size.
#[derive(Clone, Debug)]
pub struct ActionBlock {
    /// The option's name.
    pub option: String,
    /// The domains of its binders.
    pub domains: Vec<DomainId>,
    /// The last binder is one of subsets.
    pub subset: bool,
    /// The first number.
    pub first: u32,
    /// How many numbers.
    pub size: u32,
    /// A variant has removed it; the numbers stay.
    pub dead: bool,
}

impl ActionBlock {
    /// How many ways there are for each binder.
    pub fn sizes(&self, model: &Model) -> Vec<u32> {
        ways(self.domains.iter().map(|d| model.domains[d.index()].size), self.subset)
    }
}

/// How many ways there are for each binder over domains of these sizes; `subset` if the last is one of
/// subsets.
pub fn ways(sizes: impl Iterator<Item = u32>, subset: bool) -> Vec<u32> {
    let mut ways: Vec<u32> = sizes.collect();
    if let (Some(last), true) = (ways.last_mut(), subset) {
        *last = 1u32.checked_shl(*last).unwrap_or(u32::MAX);
    }
    ways
}

/// Statements in order.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The statements.
    pub stmts: Vec<Stmt>,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Its place.
    pub span: Span,
}

/// One value of a slot's family.
#[derive(Clone, Debug)]
pub struct Target {
    /// The slot.
    pub slot: SlotId,
    /// An element for each index domain. None is an error at run time.
    pub index: Vec<Expr>,
}

/// The statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// A step: its body, then every `end at once`.
    Step {
        /// Which.
        step: StepId,
        /// Its statements.
        body: Block,
    },
    /// A player chooses: `me`.
    Choose(ChoiceId),
    /// A test.
    If {
        /// A truth value.
        condition: Expr,
        /// If it holds.
        then: Block,
        /// If not.
        otherwise: Block,
    },
    /// The body for each element of a set, which is evaluated once, in the order of the domain.
    For {
        /// The element.
        local: LocalId,
        /// A set.
        over: Expr,
        /// Where it begins, cyclically; none is an error at run time.
        from: Option<Expr>,
        /// The body.
        body: Block,
    },
    /// The body as long as the condition holds.
    While {
        /// A truth value.
        condition: Expr,
        /// The body.
        body: Block,
    },
    /// The body until the condition holds afterwards.
    Repeat {
        /// The body.
        body: Block,
        /// A truth value.
        until: Expr,
    },
    /// What is left to chance in the body, given a condition: if it does not hold afterwards, everything
    /// goes back to as it was before the body, which is carried out anew. The body draws something, and
    /// chooses nothing, leaves nothing and holds no other of its kind.
    Chance {
        /// The body.
        body: Block,
        /// A truth value.
        given: Expr,
    },
    /// Another seat acts: `me` is this player inside.
    As {
        /// A player; none is an error at run time.
        player: Expr,
        /// The body.
        body: Block,
    },
    /// A turn of every player, in seat order, each with the ends of a turn behind it. Inside, `mover` is
    /// whose turn it is, and who acts; afterwards it is the starter. Only in rules with `round`, and not
    /// where another seat acts.
    Turns {
        /// Who is first; none is an error at run time.
        from: Expr,
        /// One turn.
        body: Block,
    },
    /// Gives a local its value.
    Let {
        /// The local.
        local: LocalId,
        /// Its value.
        value: Expr,
    },
    /// Gives a local that has a value another (`n -= 1` after `let n = …`).
    SetLocal {
        /// The local.
        local: LocalId,
        /// Its value.
        value: Expr,
    },
    /// Gives a slot a value. What does not fit its content is an error at run time.
    Assign {
        /// The slot.
        target: Target,
        /// Its value.
        value: Expr,
    },
    /// Puts a piece on every site of a set, in place of whatever stands there.
    Put {
        /// The piece.
        piece: Target,
        /// A set of sites.
        at: Expr,
    },
    /// Takes whatever stands on the sites of a set.
    Clear {
        /// The board.
        board: BoardId,
        /// Which of its boards: an element for each of its index domains.
        index: Vec<Expr>,
        /// A set of sites.
        at: Expr,
    },
    /// Takes one kind of piece off every site.
    ClearPiece {
        /// The piece.
        piece: Target,
    },
    /// Moves whatever stands on a site to another, in place of what stands there. Nothing moves if
    /// either is none or nothing stands there.
    Move {
        /// The board.
        board: BoardId,
        /// Which of its boards.
        index: Vec<Expr>,
        /// An element.
        from: Expr,
        /// An element.
        to: Expr,
    },
    /// Takes elements out of the zones that they lie in, and puts them into another.
    MoveTo {
        /// A set.
        what: Expr,
        /// The zone.
        zone: Target,
    },
    /// Rolls the dice of a slot.
    Roll {
        /// The dice, without the die's index.
        dice: Target,
        /// Only these: a set of the die domain.
        among: Option<Expr>,
    },
    /// An element of a set, all with the same chance; none of an empty set.
    Pick {
        /// The local.
        local: LocalId,
        /// A set.
        over: Expr,
    },
    /// Says who takes the next turn; none is an error at run time.
    Next(Expr),
    /// Ends the turn; the same seat takes another.
    Again,
    /// Ends the turn.
    Done,
    /// Ends the step.
    Skip,
    /// Ends the game; the scores decide, as for an end without a result.
    EndGame,
}
