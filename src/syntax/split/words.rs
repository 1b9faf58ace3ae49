//! The keywords of the language, grouped by the places where they occur.

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

/// More words that begin a declaration, in addition to [`DECLS`].
pub(crate) const MORE_DECLS: [&str; 2] = ["winner", "zone"];

/// Words that begin an edit of a variant, in addition to declarations.
pub(crate) const EDITS: [&str; 6] = ["after", "before", "extend", "fix", "new", "without"];

/// Words that begin a statement.
pub(crate) const STMTS: [&str; 26] = [
    "again", "as", "chance", "choose", "clear", "deal", "done", "draw", "each", "end", "for", "if", "let",
    "move", "next", "pick", "put", "repeat", "reveal", "roll", "shuffle", "skip", "step", "together",
    "while", "prefer",
];

/// Words that join two parts. No declaration or statement begins with one.
const INFIX: [&str; 10] = ["and", "or", "not", "in", "is", "then", "else", "where", "of", "ensuring"];

/// Words that continue a statement or a declaration. All except `until` may also be names.
const CONTINUING: [&str; 8] = ["among", "at", "by", "from", "given", "to", "until", "when"];

/// Words that begin a construct and need something after them. They may also be names.
const OPENING: [&str; 4] = ["each", "new", "next", "pick"];

/// Words that begin a modifier after a declaration's value.
const MODIFIERS: [&str; 6] = ["each", "seen", "ordered", "from", "on", "shown"];

/// Reserved words: all words that can't be names.
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

/// Words that begin a declaration but also have a meaning in expressions.
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

/// Words that begin a statement and can't occur elsewhere.
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

/// Words that need something after them.
pub(crate) fn is_joining(word: &str) -> bool {
    is_infix(word)
        || matches!(word, "as" | "until" | "if" | "for" | "let" | "put" | "clear" | "move" | "roll")
}

/// Words that continue what precedes them. They can't be names of procedures.
pub(crate) fn is_continuing(word: &str) -> bool {
    CONTINUING.contains(&word)
}

/// Words that need something after them as keywords, but may be names elsewhere.
pub(crate) fn is_contextual(word: &str) -> bool {
    CONTINUING.contains(&word) || OPENING.contains(&word)
}

/// Words that can't be names of procedures, because a call would be read as the keyword.
pub(crate) fn is_no_procedure(word: &str) -> bool {
    is_continuing(word) || matches!(word, "next" | "prefer")
}

pub(crate) fn is_modifier(word: &str) -> bool {
    MODIFIERS.contains(&word)
}

/// Returns `true` if a value can end with this word.
pub(crate) fn ends_value(word: &str) -> bool {
    let ends = matches!(word, "true" | "false" | "none" | "again" | "done" | "draw");
    ends || !is_infix(word) && !RESERVED.contains(&word)
}
