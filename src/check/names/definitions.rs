//! Names as data: what each name of a game stands for, and where it is used.

use houserule_language::diagnostic::{FileId, Span};

/// The names of a game: what they stand for, and where they are used.
///
/// The definition of a part that a variant changes is in the variant's file. A name in a define that means
/// different things at different uses of the define has a use for each.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// The definitions in the order of their files and places; then the built-in ones.
    pub definitions: Vec<Definition>,
    /// The uses in the order of their files and places.
    pub uses: Vec<NameUse>,
}

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The kind of thing.
    pub kind: DefinitionKind,
    /// The name.
    pub name: String,
    /// Location of the name. `None` for what is built into the language.
    pub span: Option<Span>,
    /// The whole definition. For a local, its name.
    pub whole: Option<Span>,
    /// The help text; empty if there is none.
    pub help: String,
    /// The type as in a declaration, such as `0..9`, `cell?` or `[player] set of cell`; for a function its
    /// signature. `None` if the thing has no type, or one that differs from use to use.
    pub ty: Option<String>,
}

/// A use of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameUse {
    /// Location of the name.
    pub span: Span,
    /// Index of [`Names::definitions`].
    pub definition: usize,
}

/// The kinds of named things.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DefinitionKind {
    /// A param.
    Param,
    /// A variable.
    Variable,
    /// A table.
    Table,
    /// An enum.
    Enum,
    /// A value of an enum, or a word of a type such as `either | ordered`.
    Value,
    /// A domain of numbers or records.
    Domain,
    /// A field of a record.
    Field,
    /// A board.
    Board,
    /// The sides of a board's cells.
    Edges,
    /// A site of a graph.
    Site,
    /// A zone.
    Zone,
    /// Dice.
    Dice,
    /// A piece.
    Piece,
    /// A named player.
    Player,
    /// A team.
    Team,
    /// A define.
    Define,
    /// A procedure.
    Procedure,
    /// A parameter of a define or procedure.
    Parameter,
    /// A local of a `let`, a loop, a binder, a quantifier or a chance event.
    Local,
    /// A setup with a name.
    Setup,
    /// A step.
    Step,
    /// A choice with a name.
    Choice,
    /// An option. Options with the same name are one definition, because they name the same actions.
    Option,
    /// An item of the score.
    ScoreItem,
    /// An end. Statements `end game as` with the same name are one definition.
    End,
    /// A declaration that did not parse.
    Broken,
    /// A function of a script.
    ScriptFunction,
    /// A function of the language.
    Function,
    /// A built-in name.
    BuiltIn,
    /// A word with a meaning in one place only, such as `north`.
    Word,
}

/// Beginnings of the names of hooks, each with the kind of what the rest names and when the rules call it.
pub const HOOKS: [(&str, DefinitionKind, &str); 5] = [
    ("before_", DefinitionKind::Step, "Called when the step begins."),
    ("after_", DefinitionKind::Step, "Called when the step is left, before ends are tested."),
    ("on_", DefinitionKind::Option, "Called after the option's statements, or before it leaves the turn."),
    (
        "allow_",
        DefinitionKind::Option,
        "Called for each action whose `where` holds. Returns `true` if it is legal.",
    ),
    (
        "score_",
        DefinitionKind::ScoreItem,
        "Called whenever the item is needed. Returns the points that count.",
    ),
];

/// The hooks that belong to the whole game, each with when the rules call it.
pub const GAME_HOOKS: [(&str, &str); 2] = [
    ("on_setup", "Called after the setup."),
    ("on_end", "Called once the game is over, before the scores are counted."),
];

/// When the rules call the hook with a name. Empty for another function.
pub(super) fn hook_help(name: &str) -> &'static str {
    let of_game = GAME_HOOKS.iter().find(|(hook, _)| *hook == name).map(|(_, help)| *help);
    let of_part = || HOOKS.iter().find(|(prefix, ..)| name.starts_with(prefix)).map(|(.., help)| *help);
    of_game.or_else(of_part).unwrap_or("")
}

impl DefinitionKind {
    /// The kind in one or two words. For a declaration it is the keyword.
    pub fn text(self) -> &'static str {
        use DefinitionKind as K;
        match self {
            K::Param => "param",
            K::Variable => "var",
            K::Table => "table",
            K::Enum => "enum",
            K::Value => "value",
            K::Domain => "domain",
            K::Field => "field",
            K::Board => "board",
            K::Edges => "edges",
            K::Site => "site",
            K::Zone => "zone",
            K::Dice => "dice",
            K::Piece => "piece",
            K::Player => "player",
            K::Team => "team",
            K::Define => "define",
            K::Procedure => "procedure",
            K::Parameter => "parameter",
            K::Local => "local",
            K::Setup => "setup",
            K::Step => "step",
            K::Choice => "choose",
            K::Option => "option",
            K::ScoreItem => "score",
            K::End => "end",
            K::Broken => "declaration",
            K::ScriptFunction => "script function",
            K::Function => "function",
            K::BuiltIn => "built-in name",
            K::Word => "word",
        }
    }

    /// The kind of what an edit of a variant names with this keyword.
    pub(super) fn of_edit(keyword: &str) -> DefinitionKind {
        use DefinitionKind as K;
        let all = [
            K::Param,
            K::Variable,
            K::Table,
            K::Enum,
            K::Domain,
            K::Board,
            K::Edges,
            K::Zone,
            K::Dice,
            K::Piece,
            K::Define,
            K::Procedure,
            K::Setup,
            K::Step,
            K::Choice,
            K::Option,
            K::ScoreItem,
            K::End,
        ];
        all.into_iter().find(|kind| kind.text() == keyword).unwrap_or(K::Broken)
    }
}

impl Names {
    /// The definition of the name at a place, which may be the definition itself or a use.
    pub fn at(&self, span: Span) -> Option<usize> {
        let used =
            self.uses.binary_search_by_key(&span, |one| one.span).ok().map(|at| self.uses[at].definition);
        used.or_else(|| self.definitions.iter().position(|one| one.span == Some(span)))
    }

    /// All places of a name: that of its definition, and its uses.
    pub fn places(&self, definition: usize) -> impl Iterator<Item = Span> {
        let uses = self.uses.iter().filter(move |one| one.definition == definition).map(|one| one.span);
        self.definitions.get(definition).and_then(|one| one.span).into_iter().chain(uses)
    }

    /// The places of names in a file, in order, each with the number of its first definition.
    pub fn places_in(&self, file: FileId) -> Vec<(Span, usize)> {
        let defined = self.definitions.iter().enumerate().filter_map(|(at, one)| Some((one.span?, at)));
        let uses = self.uses.iter().map(|one| (one.span, one.definition));
        let mut places: Vec<(Span, usize)> =
            defined.chain(uses).filter(|(span, _)| span.file == file).collect();
        places.sort_unstable_by_key(|(span, definition)| (span.start, span.end, *definition));
        places.dedup_by_key(|(span, _)| *span);
        places
    }
}
