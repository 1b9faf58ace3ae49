//! The syntax tree: what a rule file says, before names and types mean anything.
//!
//! Every node keeps its span, so that a merged variant can still show both files. A piece that did
//! not parse is a `Hole`: it has been reported, and whatever depends on it stays silent.

mod expr;
mod inner;

pub use expr::*;

use crate::diagnostic::Span;

/// A word with its place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    /// The word.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// A quoted text with its place; the quotes are in the span and not in the text.
pub type Text = Name;

/// One rule file.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// Games and variants in the order of the file.
    pub items: Vec<Item>,
}

/// What stands at the top of a file.
#[derive(Clone, Debug)]
pub enum Item {
    /// `game "…" { … }`
    Game(Game),
    /// `variant "…" of "…" { … }`
    Variant(Variant),
}

/// `game "Title" { … }`
#[derive(Clone, Debug)]
pub struct Game {
    /// The title.
    pub title: Text,
    /// The `///` lines above it, joined by spaces.
    pub help: String,
    /// The declarations, in order.
    pub decls: Vec<Decl>,
    /// The whole block.
    pub span: Span,
}

/// `variant "Title" of "base" { … }`
#[derive(Clone, Debug)]
pub struct Variant {
    /// The title.
    pub title: Text,
    /// The name or path of what it changes.
    pub of: Text,
    /// The `///` lines above it, joined by spaces.
    pub help: String,
    /// The changes, in order.
    pub edits: Vec<Edit>,
    /// The whole block.
    pub span: Span,
}

/// One change of a variant.
#[derive(Clone, Debug)]
pub struct Edit {
    /// What it does.
    pub kind: EditKind,
    /// The whole edit.
    pub span: Span,
}

/// What a change does.
#[derive(Clone, Debug)]
pub enum EditKind {
    /// `DECL` replaces what has the same key; `new DECL` adds.
    Declare {
        /// Written with `new`.
        new: bool,
        /// The declaration.
        decl: Decl,
    },
    /// `fix x = v` makes a param constant.
    Fix {
        /// The param.
        name: Name,
        /// Its value.
        value: Expr,
    },
    /// `param x = v` changes the default alone.
    Default {
        /// The param.
        name: Name,
        /// Its new default.
        value: Expr,
        /// A new help text.
        help: Option<Text>,
    },
    /// `without KIND NAME`
    Without {
        /// The kind word: `step`, `score`, `end`, `option`, `piece`, …
        kind: Name,
        /// The name; empty for a kind that has one thing only (`without winner`).
        name: Option<Name>,
    },
    /// `before STEP step …`, `after STEP step …`
    InsertStep {
        /// After the named step, else before it.
        after: bool,
        /// The named step.
        anchor: Name,
        /// The new step: a [`StmtKind::Step`].
        step: Stmt,
    },
    /// `extend CHOOSE { … }`
    Extend {
        /// The choose.
        choose: Name,
        /// What it gets.
        parts: Vec<ExtendPart>,
    },
    /// It did not parse, and has been reported.
    Hole,
}

/// A part of an `extend`.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there are few of them, and most are options")]
pub enum ExtendPart {
    /// An option that replaces the one of its name, or is added.
    Option(ChoiceOption),
    /// A new `otherwise`.
    Otherwise(Block),
    /// `before OPTION { … }` or `after OPTION { … }`: statements round an option's body.
    Around {
        /// After the body, else before it.
        after: bool,
        /// The option.
        option: Name,
        /// The statements.
        body: Block,
    },
    /// `without OPTION`
    Without(Name),
    /// It did not parse, and has been reported.
    Hole,
}

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

/// `{ … }`
#[derive(Clone, Debug)]
pub struct Block {
    /// The statements.
    pub stmts: Vec<Stmt>,
    /// With the braces.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// The whole statement.
    pub span: Span,
}

/// The statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `step NAME "help" { … }`
    Step {
        /// Its name.
        name: Name,
        /// Its help text.
        help: Option<Text>,
        /// Its statements.
        body: Block,
    },
    /// `choose NAME? { … } prefer …`
    Choose(Choose),
    /// `if cond { … } else { … }`; `else if` is an else with one `If`.
    If {
        /// What must hold.
        condition: Expr,
        /// If it holds.
        then: Block,
        /// If not.
        otherwise: Option<Block>,
    },
    /// `for x in S from start { … }`
    For {
        /// The loop's name for an element.
        name: Name,
        /// What it goes over.
        over: Expr,
        /// Where it begins, for players in seat order.
        from: Option<Expr>,
        /// The body.
        body: Block,
    },
    /// `while cond { … }`
    While {
        /// What must hold.
        condition: Expr,
        /// The body.
        body: Block,
    },
    /// `repeat { … } until cond`
    Repeat {
        /// The body.
        body: Block,
        /// When it stops.
        until: Expr,
    },
    /// `chance { … } given cond`
    Chance {
        /// The body.
        body: Block,
        /// What must hold afterwards.
        given: Expr,
    },
    /// `each player from starter as me { … }`
    EachPlayer {
        /// The first seat.
        from: Option<Expr>,
        /// The body.
        body: Block,
    },
    /// `together as me { … }`
    Together(Block),
    /// `as p { … }`
    As {
        /// Who acts.
        player: Expr,
        /// The body.
        body: Block,
    },
    /// `let x = e`
    Let {
        /// The local.
        name: Name,
        /// Its value.
        value: Expr,
    },
    /// `x = e`, `x += e`, `x -= e`
    Assign {
        /// A name or an indexed name.
        target: Expr,
        /// Which of the three.
        op: AssignOp,
        /// The right side.
        value: Expr,
    },
    /// `put PIECE at S`
    Put {
        /// The piece, indexed.
        piece: Expr,
        /// Where.
        at: Expr,
    },
    /// `clear S`: takes whatever stands there; `clear PIECE`: all of a piece.
    Clear(Expr),
    /// `move a to b`
    Move {
        /// From.
        from: Expr,
        /// To.
        to: Expr,
    },
    /// `roll DICE, … among k`
    Roll {
        /// The dice.
        dice: Vec<Expr>,
        /// Only these of them.
        among: Option<Expr>,
    },
    /// `pick x in S`
    Pick {
        /// The local, from here to the end of the block.
        name: Name,
        /// From what, evenly.
        over: Expr,
    },
    /// `draw x from ZONE to ZONE`
    Draw {
        /// The local.
        name: Name,
        /// From.
        from: Expr,
        /// To.
        to: Option<Expr>,
    },
    /// `deal N from ZONE to ZONE`
    Deal {
        /// How many.
        count: Expr,
        /// From.
        from: Expr,
        /// To.
        to: Expr,
    },
    /// `shuffle ZONE`
    Shuffle(Expr),
    /// `reveal X to p`
    Reveal {
        /// What.
        what: Expr,
        /// To whom.
        to: Expr,
    },
    /// `next p`
    Next(Expr),
    /// `again`: the same seat's turn once more.
    Again,
    /// `done`: leave the turn.
    Done,
    /// `skip`: leave the step.
    Skip,
    /// `end game`
    EndGame,
    /// `name(args)`
    Call {
        /// The procedure.
        name: Name,
        /// Its arguments.
        args: Vec<Arg>,
    },
    /// It did not parse, and has been reported.
    Hole,
}

/// The assignments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssignOp {
    /// `=`
    Set,
    /// `+=`
    Add,
    /// `-=`
    Subtract,
}

/// `choose NAME { … }`
#[derive(Clone, Debug)]
pub struct Choose {
    /// Its name; without one, the name of the step it stands in.
    pub name: Option<Name>,
    /// Its options, in order, with those that did not parse as `None`.
    pub options: Vec<Option<ChoiceOption>>,
    /// What happens when nothing is legal.
    pub otherwise: Option<Block>,
    /// `prefer cond`
    pub prefer: Vec<Expr>,
}

/// `NAME binders where C ensuring C "help" { … }`
#[derive(Clone, Debug)]
pub struct ChoiceOption {
    /// Its name; `pass` for a pass.
    pub name: Name,
    /// `pass`
    pub pass: bool,
    /// Legal, but never taken by random players.
    pub deliberate: bool,
    /// Its binders, in order.
    pub binders: Vec<Binder>,
    /// `where`
    pub filter: Option<Expr>,
    /// `ensuring`
    pub ensuring: Option<Expr>,
    /// Its help text.
    pub help: Option<Text>,
    /// Its body; empty for a bare `pass`.
    pub body: Block,
    /// The whole option.
    pub span: Span,
}

/// `x in S` or `k subset of S`
#[derive(Clone, Debug)]
pub struct Binder {
    /// The local.
    pub name: Name,
    /// A subset, else an element.
    pub subset: bool,
    /// Of what.
    pub over: Expr,
}
