//! Declarations, as parsed.

use super::{Block, Expr, ExprKind, Name, QuotedText};
use crate::diagnostic::Span;

/// A declaration.
#[derive(Clone, Debug)]
pub struct Decl {
    /// The declared thing.
    pub kind: DeclKind,
    /// Its help text.
    pub help: Option<QuotedText>,
    /// The whole declaration.
    pub span: Span,
}

/// A kind of elements of a domain.
#[derive(Clone, Debug)]
pub enum ElementKind {
    /// `{ field: range, … }`: every combination of the fields. A later range may use an earlier field.
    Records(Vec<(Name, TypeExpr)>),
    /// `{ value, … }`: values without fields, each with its help text.
    Values(Vec<(Name, Option<QuotedText>)>),
    /// `{ field: range, … } = [name: (value, …), …]`: named elements, each with a value for every field.
    Rows(Vec<(Name, TypeExpr)>, Vec<ElementRow>),
    /// `from "cards.csv"`: the rows of a table in a file, which the loader puts here as [`ElementKind::Rows`].
    File(QuotedText),
}

/// A named element with the values of its fields: `mine: (3, blue, 0) "help"`.
#[derive(Clone, Debug)]
pub struct ElementRow {
    /// Its name.
    pub name: Name,
    /// A value for each field, as written: several in parentheses, or one.
    pub values: Expr,
    /// Its help text.
    pub help: Option<QuotedText>,
}

impl ElementKind {
    /// The declared fields; none for values without fields.
    pub fn fields(&self) -> &[(Name, TypeExpr)] {
        match self {
            ElementKind::Records(fields) | ElementKind::Rows(fields, _) => fields,
            ElementKind::Values(_) | ElementKind::File(_) => &[],
        }
    }

    /// The elements that have names of their own, each with its help text.
    pub fn named(&self) -> Vec<(&Name, Option<&QuotedText>)> {
        match self {
            ElementKind::Records(_) | ElementKind::File(_) => vec![],
            ElementKind::Values(values) => values.iter().map(|(name, help)| (name, help.as_ref())).collect(),
            ElementKind::Rows(_, rows) => rows.iter().map(|row| (&row.name, row.help.as_ref())).collect(),
        }
    }
}

impl DeclKind {
    /// The modifiers of the declaration.
    pub fn modifiers(&self) -> &[Modifier] {
        match self {
            DeclKind::Param(typed) | DeclKind::Var(typed) | DeclKind::Table(typed) => &typed.modifiers,
            DeclKind::Enum { modifiers, .. }
            | DeclKind::Range { modifiers, .. }
            | DeclKind::Record { modifiers, .. }
            | DeclKind::Board { modifiers, .. }
            | DeclKind::Edges { modifiers, .. }
            | DeclKind::Zone { modifiers, .. }
            | DeclKind::Dice { modifiers, .. }
            | DeclKind::Piece { modifiers, .. }
            | DeclKind::Players(_, modifiers)
            | DeclKind::Define { modifiers, .. }
            | DeclKind::Shown { modifiers, .. } => modifiers,
            _ => &[],
        }
    }
}

impl ElementRow {
    /// The value of each field.
    pub fn values(&self) -> &[Expr] {
        match &self.values.kind {
            ExprKind::Tuple(values) => values,
            _ => std::slice::from_ref(&self.values),
        }
    }
}

/// The kinds of declarations.
#[derive(Clone, Debug)]
pub enum DeclKind {
    /// `param NAME: TYPE = default`
    Param(TypedDecl),
    /// `var NAME[indices]: TYPE = default modifiers`
    Var(TypedDecl),
    /// `table NAME[indices]: TYPE = map`
    Table(TypedDecl),
    /// `enum NAME { a, b }`
    Enum {
        /// Its name.
        name: Name,
        /// Its values.
        values: Vec<Name>,
        /// The help text of each value.
        helps: Vec<Option<QuotedText>>,
        /// `shown as …`
        modifiers: Vec<Modifier>,
    },
    /// `domain NAME = lo..hi`
    Range {
        /// Its name.
        name: Name,
        /// Least value.
        low: Expr,
        /// Greatest value.
        high: Expr,
        /// `shown as …`
        modifiers: Vec<Modifier>,
    },
    /// `domain NAME { field: range, … } | { field: range, … } = [name: (value, …), …] | { value, … } | from "FILE"`
    Record {
        /// Its name.
        name: Name,
        /// Its kinds of elements.
        kinds: Vec<ElementKind>,
        /// `shown as …`
        modifiers: Vec<Modifier>,
    },
    /// `board NAME[indices] = grid(…)`
    Board {
        /// The name of its site domain.
        name: Name,
        /// Index domains: one board for each element of their product.
        index: Vec<Expr>,
        /// A call such as `grid(6, 6)`.
        topology: Expr,
        /// `seen by …`, `from top`.
        modifiers: Vec<Modifier>,
    },
    /// `edges NAME of BOARD`
    Edges {
        /// The name of its site domain.
        name: Name,
        /// The board.
        of: Name,
        /// After `by`: the sites that are joined, such as `leap(1, 2)`.
        by: Option<Expr>,
        /// `shown as …`
        modifiers: Vec<Modifier>,
    },
    /// `zone NAME[indices] of DOMAIN`
    Zone {
        /// Its name.
        name: Name,
        /// Index domains, with one zone for each element.
        index: Vec<Expr>,
        /// Domain of its elements.
        of: TypeExpr,
        /// For copies: counts of each kind before the setup.
        value: Option<Expr>,
        /// `seen by …`
        modifiers: Vec<Modifier>,
    },
    /// `dice NAME[indices]: COUNT of DIE`
    Dice {
        /// Its name.
        name: Name,
        /// Index domains, with one set of dice for each element.
        index: Vec<Expr>,
        /// Number of dice.
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
        /// Index domains, with one kind of piece for each element.
        index: Vec<Expr>,
        /// The site domain; needed if there are several boards.
        on: Option<Name>,
        /// `seen by …`
        modifiers: Vec<Modifier>,
    },
    /// `players 1`, `players 2..5`, `players X, O`, with `shown as …`
    Players(PlayersDecl, Vec<Modifier>),
    /// `allow CODE "why"`
    Allow {
        /// The code of a warning.
        code: Name,
        /// What comes after it: the declaration or change in which the warning is accepted.
        within: Span,
    },
    /// `team NAME = {X, Y}`
    Team {
        /// Its name.
        name: Name,
        /// Its players.
        players: Expr,
    },
    /// `define NAME(params) = expr`, with `shown as …`
    Define {
        /// Its name.
        name: Name,
        /// Its parameters.
        params: Vec<Name>,
        /// Its value.
        value: Expr,
        /// `shown as …`
        modifiers: Vec<Modifier>,
    },
    /// `shown NAME as …`: changes how a declared name is shown.
    Shown {
        /// The name.
        name: Name,
        /// `shown as …`, with the span of its part alone.
        modifiers: Vec<Modifier>,
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
        /// Its name, by which a variant can replace it.
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
        /// In a variant: the end before or after which it is tested. Merging puts it there.
        place: Option<EndPlace>,
        /// Time of its test.
        timing: EndTiming,
        /// Its condition.
        when: Expr,
        /// The declared result. Without one, the scores decide.
        result: Option<EndResult>,
    },
    /// `score { item: expr when cond, … }`
    Score(Vec<ScoreEntry>),
    /// `winner most(score)`
    Winner(Expr),
    /// `ties most(…), …`
    Ties(Vec<Expr>),
    /// `payoff EXPR`, `payoff zero sum EXPR`
    Payoff {
        /// Whether the payoffs of all players add up to 0.
        zero_sum: bool,
        /// The payoff of `me`.
        value: Expr,
    },
    /// `limit N`
    Limit(Expr),
    /// `match { key: value, … }`
    Match(Vec<MatchEntry>),
    /// `require COND "reason"`; the reason is the declaration's help.
    Require(Expr),
    /// `script "file.rhai"` or the script's text.
    Script(QuotedText),
    /// A declaration that did not parse, with a reported error. Its names count as declared.
    Hole(Vec<Name>),
}

/// `NAME[indices]: TYPE = value modifiers`
#[derive(Clone, Debug)]
pub struct TypedDecl {
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
    /// The type without `?`.
    pub kind: TypeKind,
    /// Written with `?`.
    pub optional: bool,
    /// Source location.
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
    /// A type that did not parse.
    Hole,
}

/// A modifier of a declaration.
#[derive(Clone, Debug)]
pub struct Modifier {
    /// Kind of modifier.
    pub kind: ModifierKind,
    /// For `shown as`, `shown at` and `shown over`: its operand.
    pub value: Option<Box<Expr>>,
    /// Source location.
    pub span: Span,
}

/// The kinds of modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModifierKind {
    /// `each turn`
    EachTurn,
    /// `each round`
    EachRound,
    /// `each game`
    EachGame,
    /// `match`, `each match`: the value lives through all games of a match.
    Match,
    /// `seen by all`
    SeenByAll,
    /// `seen by owner`
    SeenByOwner,
    /// `seen by others`: all but the player of the first index.
    SeenByOthers,
    /// `seen by none`
    SeenByNone,
    /// `seen by NAME`, of a player; the value is the name
    SeenByPlayer,
    /// `seen by top`: of an ordered zone all see the top.
    SeenByTop,
    /// `ordered`
    Ordered,
    /// `from top`
    FromTop,
    /// `shown as …`
    Shown,
    /// `shown at …`, or the `at …` of `shown as … at …`
    ShownAt,
    /// `shown over BOARD`, or the `over …` of `shown as … over …`; the value is the name
    ShownOver,
}

impl ModifierKind {
    /// Returns `true` for what is only about how something is shown.
    pub fn is_look(self) -> bool {
        matches!(self, ModifierKind::Shown | ModifierKind::ShownAt | ModifierKind::ShownOver)
    }
}

/// Players.
#[derive(Clone, Debug)]
pub enum PlayersDecl {
    /// `players 3`
    Count(Expr),
    /// `players 2..5`
    Range(Expr, Expr),
    /// `players X, O`
    Named(Vec<Name>),
}

/// `before OTHER`, `after OTHER`: where a variant adds an end.
#[derive(Clone, Debug)]
pub struct EndPlace {
    /// `after`, else `before`.
    pub after: bool,
    /// The named end.
    pub anchor: Name,
}

/// The moment when an end is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndTiming {
    /// `end when`: when the turn finishes.
    Turn,
    /// `end at once when`: also after every step.
    AtOnce,
    /// `end of round when`: when the last seat has finished.
    Round,
}

/// The declared result of an end, with players as expressions of the tree or of the model.
#[derive(Clone, Debug)]
pub enum EndResult<E = Expr> {
    /// `: win p`: this player, or these players, win with their teams.
    Win(E),
    /// `: lose p`: this player, or these players, lose with their teams; all others win.
    Lose(E),
    /// `: draw`: all players share the win.
    Draw,
}

/// A score item: `item: expr when cond "help"`.
#[derive(Clone, Debug)]
pub struct ScoreEntry {
    /// Written with `new` (in variants).
    pub new: bool,
    /// Its name.
    pub name: Name,
    /// The points.
    pub value: Expr,
    /// Condition, if any.
    pub when: Option<Expr>,
    /// Its help text.
    pub help: Option<QuotedText>,
    /// The whole entry.
    pub span: Span,
}

/// An entry of `match`: `key: value`.
#[derive(Clone, Debug)]
pub struct MatchEntry {
    /// The key.
    pub key: Name,
    /// The value. `best 12` is [`MatchValue::Ranked`]; words such as `sum` or `loser` are `Word`.
    pub value: MatchValue,
    /// The whole entry.
    pub span: Span,
}

/// The value of a `match` key.
#[derive(Clone, Debug)]
pub enum MatchValue {
    /// `sum`, `max`, `loser`, `same`, …: a single word that has a meaning here.
    Word(Name),
    /// `best K`, `worst K`
    Ranked {
        /// `best`, else `worst`.
        best: bool,
        /// The number K.
        count: Expr,
    },
    /// Any other value.
    Expr(Expr),
}
