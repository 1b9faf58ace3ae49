//! The words of the language by the place where they stand.

/// Words that begin a declaration.
pub(crate) const DECLS: [&str; 22] = [
    "board",
    "define",
    "dice",
    "domain",
    "edges",
    "end",
    "enum",
    "limit",
    "match",
    "param",
    "piece",
    "players",
    "procedure",
    "require",
    "round",
    "score",
    "script",
    "setup",
    "table",
    "ties",
    "turn",
    "var",
];

/// Declarations that need a word of the list above to be whole.
pub(crate) const MORE_DECLS: [&str; 2] = ["winner", "zone"];

/// Words that begin a change of a variant, besides declarations.
pub(crate) const EDITS: [&str; 6] = ["after", "before", "extend", "fix", "new", "without"];

/// Words that begin a statement.
pub(crate) const STMTS: [&str; 26] = [
    "again", "as", "chance", "choose", "clear", "deal", "done", "draw", "each", "end", "for", "if", "let",
    "move", "next", "pick", "put", "repeat", "reveal", "roll", "shuffle", "skip", "step", "together",
    "while", "prefer",
];

/// Words that join two parts: no declaration or statement begins with one.
const INFIX: [&str; 10] = ["and", "or", "not", "in", "is", "then", "else", "where", "of", "ensuring"];

/// Words that go on with a statement or a declaration. All but `until` may be names, too.
const CONTINUING: [&str; 8] = ["among", "at", "by", "from", "given", "to", "until", "when"];

/// Words that begin something, that something must follow, and that may be names, too.
const OPENING: [&str; 4] = ["each", "new", "next", "pick"];

/// Words that may stand behind a declaration's value.
const MODIFIERS: [&str; 6] = ["each", "seen", "ordered", "from", "on", "shown"];

/// Every word that can't be a name.
pub(crate) const RESERVED: [&str; 41] = [
    "and",
    "or",
    "not",
    "in",
    "is",
    "if",
    "then",
    "else",
    "where",
    "for",
    "let",
    "of",
    "as",
    "true",
    "false",
    "none",
    "any",
    "all",
    "count",
    "sum",
    "min",
    "max",
    "union",
    "choose",
    "otherwise",
    "while",
    "repeat",
    "until",
    "put",
    "clear",
    "move",
    "roll",
    "draw",
    "deal",
    "shuffle",
    "reveal",
    "again",
    "done",
    "win",
    "lose",
    "ensuring",
];

pub(crate) fn is_decl(word: &str) -> bool {
    DECLS.contains(&word) || MORE_DECLS.contains(&word)
}

/// Declarations that also go by the name of something an expression may speak of.
pub(crate) fn is_value_like_decl(word: &str) -> bool {
    matches!(
        word,
        "players"
            | "score"
            | "limit"
            | "match"
            | "round"
            | "turn"
            | "dice"
            | "piece"
            | "board"
            | "zone"
            | "winner"
    )
}

pub(crate) fn is_edit(word: &str) -> bool {
    EDITS.contains(&word)
}

pub(crate) fn is_stmt(word: &str) -> bool {
    STMTS.contains(&word)
}

/// A word that begins a statement and can stand nowhere else.
pub(crate) fn is_strong_stmt(word: &str) -> bool {
    matches!(
        word,
        "let"
            | "put"
            | "clear"
            | "choose"
            | "while"
            | "repeat"
            | "for"
            | "deal"
            | "shuffle"
            | "reveal"
            | "again"
            | "done"
            | "otherwise"
    )
}

pub(crate) fn is_infix(word: &str) -> bool {
    INFIX.contains(&word)
}

/// A word that something must follow.
pub(crate) fn is_joining(word: &str) -> bool {
    is_infix(word)
        || matches!(word, "as" | "until" | "if" | "for" | "let" | "put" | "clear" | "move" | "roll")
}

/// A word that goes on with what stands before it. No procedure can be called so.
pub(crate) fn is_continuing(word: &str) -> bool {
    CONTINUING.contains(&word)
}

/// A word that something must follow where it is a keyword, and that is a name elsewhere.
pub(crate) fn is_contextual(word: &str) -> bool {
    CONTINUING.contains(&word) || OPENING.contains(&word)
}

/// A word that no procedure can be called by: its call would be read as the keyword.
pub(crate) fn is_no_procedure(word: &str) -> bool {
    is_continuing(word) || matches!(word, "next" | "prefer")
}

pub(crate) fn is_modifier(word: &str) -> bool {
    MODIFIERS.contains(&word)
}

/// Whether a value can end with this word.
pub(crate) fn ends_value(word: &str) -> bool {
    let ends = matches!(word, "true" | "false" | "none" | "again" | "done" | "draw");
    ends || !is_infix(word) && !RESERVED.contains(&word)
}
