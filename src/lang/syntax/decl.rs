//! The declarations.

use super::{Block, Expr, Name, Text};
use crate::diagnostic::Span;

/// A declaration.
#[derive(Clone, Debug)]
pub struct Decl {
    /// What it declares.
    pub kind: DeclKind,
    /// Its help text.
    pub help: Option<Text>,
    /// The whole declaration.
    pub span: Span,
}

/// What a declaration declares.
#[derive(Clone, Debug)]
pub enum DeclKind {
    /// `param NAME: TYPE = default`
    Param(Typed),
    /// `var NAME[indices]: TYPE = default modifiers`
    Var(Typed),
    /// `table NAME[indices]: TYPE = map`
    Table(Typed),
    /// `enum NAME { a, b }`
    Enum {
        /// Its name.
        name: Name,
        /// Its values.
        values: Vec<Name>,
    },
    /// `domain NAME = lo..hi`
    Range {
        /// Its name.
        name: Name,
        /// Lowest value.
        low: Expr,
        /// Highest value.
        high: Expr,
    },
    /// `domain NAME { field: range, … }`
    Record {
        /// Its name.
        name: Name,
        /// Its fields; a later range may use an earlier field.
        fields: Vec<(Name, TypeExpr)>,
    },
    /// `board NAME[indices] = grid(…)`
    Board {
        /// The name of its site domain.
        name: Name,
        /// Domains with one board for each element.
        index: Vec<Expr>,
        /// A call such as `grid(6, 6)`.
        topology: Expr,
        /// `seen by …`, `from top`.
        modifiers: Vec<Modifier>,
    },
    /// `edges NAME of BOARD`
    Edges {
        /// The name of the edge domain.
        name: Name,
        /// The board.
        of: Name,
    },
    /// `zone NAME[indices] of DOMAIN`
    Zone {
        /// Its name.
        name: Name,
        /// Domains with one zone for each element.
        index: Vec<Expr>,
        /// What it holds.
        of: TypeExpr,
        /// How many copies of each lie there before the setup.
        value: Option<Expr>,
        /// `seen by …`
        modifiers: Vec<Modifier>,
    },
    /// `dice NAME[indices]: COUNT of DIE`
    Dice {
        /// Its name.
        name: Name,
        /// Domains with one set of dice for each element.
        index: Vec<Expr>,
        /// How many dice.
        count: Expr,
        /// [`ExprKind::Die`] or a call `d(n)`.
        die: Expr,
        /// `seen by …`, `ordered`.
        modifiers: Vec<Modifier>,
    },
    /// `piece NAME[indices] on BOARD`
    Piece {
        /// Its name.
        name: Name,
        /// Domains with one kind of piece for each element.
        index: Vec<Expr>,
        /// The site domain, where there is more than one.
        on: Option<Name>,
        /// `seen by …`
        modifiers: Vec<Modifier>,
    },
    /// `players 1`, `players 2..5`, `players X, O`
    Players(PlayersDecl),
    /// `define NAME(params) = expr`
    Define {
        /// Its name.
        name: Name,
        /// Its parameters.
        params: Vec<Name>,
        /// Its meaning.
        value: Expr,
    },
    /// `procedure NAME(params) { … }`
    Procedure {
        /// Its name.
        name: Name,
        /// Its parameters.
        params: Vec<Name>,
        /// Its statements.
        body: Block,
    },
    /// `setup { … }` or `setup NAME { … }`
    Setup {
        /// Its name, so that a variant can replace it alone.
        name: Option<Name>,
        /// Its statements.
        body: Block,
    },
    /// `turn { … }`
    Turn(Block),
    /// `round { … }`
    Round(Block),
    /// `end NAME when COND: result`
    End {
        /// Its name.
        name: Option<Name>,
        /// When it is tested.
        timing: EndTiming,
        /// What must hold.
        when: Expr,
        /// What the result is; without it, the scores decide.
        result: Option<EndResult>,
    },
    /// `score { item: expr when cond, … }`
    Score(Vec<ScoreEntry>),
    /// `winner most(score)`
    Winner(Expr),
    /// `ties most(…), …`
    Ties(Vec<Expr>),
    /// `limit N`
    Limit(Expr),
    /// `match { key: value, … }`
    Match(Vec<MatchEntry>),
    /// `require COND "why"`; the why is the declaration's help.
    Require(Expr),
    /// `script "file.rhai"` or the script itself.
    Script(Text),
    /// It did not parse, and has been reported. Names it may have declared are taken as known.
    Hole(Vec<Name>),
}

/// `NAME[indices]: TYPE = value modifiers`
#[derive(Clone, Debug)]
pub struct Typed {
    /// The name.
    pub name: Name,
    /// The index domains.
    pub index: Vec<Expr>,
    /// The type.
    pub ty: TypeExpr,
    /// The value after `=`.
    pub value: Option<Expr>,
    /// `each turn`, `seen by owner`, …
    pub modifiers: Vec<Modifier>,
}

/// A type as written.
#[derive(Clone, Debug)]
pub struct TypeExpr {
    /// What it is without `?`.
    pub kind: TypeKind,
    /// Written with `?`.
    pub optional: bool,
    /// Its place.
    pub span: Span,
}

/// The forms of a type.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// `lo..hi`
    Range(Box<Expr>, Box<Expr>),
    /// A domain's name, or `bool`, `int`, `table`.
    Named(Name),
    /// `either | ordered`
    Words(Vec<Name>),
    /// `8 | 4`
    Numbers(Vec<(i64, Span)>),
    /// `set of T`
    Set(Box<TypeExpr>),
    /// It did not parse.
    Hole,
}

/// What follows a declaration's value.
#[derive(Clone, Debug)]
pub struct Modifier {
    /// Which it is.
    pub kind: ModifierKind,
    /// What follows `shown as`.
    pub value: Option<Box<Expr>>,
    /// Its place.
    pub span: Span,
}

/// The modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModifierKind {
    /// `each turn`
    EachTurn,
    /// `each round`
    EachRound,
    /// `match`, `each match`: lives through the games of a match.
    Match,
    /// `seen by all`
    SeenByAll,
    /// `seen by owner`
    SeenByOwner,
    /// `seen by none`
    SeenByNone,
    /// `ordered`
    Ordered,
    /// `from top`
    FromTop,
    /// `shown as …`
    Shown,
}

/// Who plays.
#[derive(Clone, Debug)]
pub enum PlayersDecl {
    /// `players 3`
    Count(Expr),
    /// `players 2..5`
    Range(Expr, Expr),
    /// `players X, O`
    Named(Vec<Name>),
}

/// When an end is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndTiming {
    /// `end when`: when a turn's body finishes.
    Turn,
    /// `end at once when`: after every step.
    AtOnce,
    /// `end of round when`: when the last seat has finished.
    Round,
}

/// What an end says of the result.
#[derive(Clone, Debug)]
pub enum EndResult {
    /// `: win p`
    Win(Expr),
    /// `: lose p`
    Lose(Expr),
    /// `: draw`
    Draw,
}

/// `item: expr when cond "help"`
#[derive(Clone, Debug)]
pub struct ScoreEntry {
    /// Written with `new` (variants).
    pub new: bool,
    /// Its name.
    pub name: Name,
    /// What it counts.
    pub value: Expr,
    /// Without it, always.
    pub when: Option<Expr>,
    /// Its help text.
    pub help: Option<Text>,
    /// The whole entry.
    pub span: Span,
}

/// `key: value`
#[derive(Clone, Debug)]
pub struct MatchEntry {
    /// The key.
    pub key: Name,
    /// `best 12` is [`MatchValue::Ranked`]; words such as `sum` or `loser` are `Word`.
    pub value: MatchValue,
    /// The whole entry.
    pub span: Span,
}

/// The value of a match key.
#[derive(Clone, Debug)]
pub enum MatchValue {
    /// `sum`, `max`, `loser`, `same`, …: a lone word that is one of those the language knows here.
    Word(Name),
    /// `best K`, `worst K`
    Ranked {
        /// `best`, else `worst`.
        best: bool,
        /// How many.
        count: Expr,
    },
    /// Anything else.
    Expr(Expr),
}
