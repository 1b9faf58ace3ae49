//! The keywords, each with its roles. The keywords of statements are in [`super::statements`].

use super::statements::STATEMENTS;

/// A keyword and its roles.
#[derive(Clone, Copy, Debug)]
pub struct Keyword {
    /// The word.
    pub word: &'static str,
    roles: u32,
}

/// It can't be a name.
pub const RESERVED: u32 = 1;
/// It begins a declaration.
pub const DECLARATION: u32 = 1 << 1;
/// It begins a declaration, and is also a name in expressions or a modifier.
pub const DECLARATION_OR_VALUE: u32 = 1 << 2;
/// It begins an edit of a variant.
pub const EDIT: u32 = 1 << 3;
/// It begins a statement.
pub const STATEMENT: u32 = 1 << 4;
/// It begins a statement or the last part of a choice, and occurs nowhere else.
pub const ONLY_STATEMENT: u32 = 1 << 5;
/// It joins two parts: no declaration or statement begins with it.
pub const INFIX: u32 = 1 << 6;
/// Something must follow it.
pub const JOINING: u32 = 1 << 7;
/// It continues a statement or a declaration. All except `until` can also be names.
pub const CONTINUING: u32 = 1 << 8;
/// It begins a construct and needs something after it. It can also be a name.
pub const OPENING: u32 = 1 << 9;
/// At the start of a line, it continues the declaration of the line before.
pub const GOES_ON: u32 = 1 << 10;
/// A procedure can't have this name: a call would be read as the keyword.
pub const NO_PROCEDURE: u32 = 1 << 11;
/// An operand follows, so a bracket after it is not an argument list.
pub const OPERAND: u32 = 1 << 12;
/// The expression after it is nested in the one around it.
pub const NESTS: u32 = 1 << 13;
/// It begins a value.
pub const VALUE: u32 = 1 << 14;
/// It joins two values.
pub const OPERATOR: u32 = 1 << 15;
/// It begins `WORD x in S: e`.
pub const QUANTIFIER: u32 = 1 << 16;
/// A value or a statement can end with it, although it is reserved.
pub const ENDS: u32 = 1 << 17;
/// It is a value in `match { … }`.
pub const MATCH_VALUE: u32 = 1 << 18;
/// `without` removes parts of this kind, which no declaration begins.
pub const PART: u32 = 1 << 19;

/// The roles of the quantifiers that can't be names.
const COUNTS: u32 = RESERVED | NESTS | VALUE | QUANTIFIER;

impl Keyword {
    pub(super) const fn new(word: &'static str, roles: u32) -> Keyword {
        Keyword { word, roles }
    }

    /// Returns `true` if the keyword has one of these roles.
    pub fn has(&self, roles: u32) -> bool {
        self.roles & roles != 0
    }
}

const fn word(word: &'static str, roles: u32) -> Keyword {
    Keyword::new(word, roles)
}

/// The keywords that begin no statement, in alphabetical order.
static OTHERS: [Keyword; 89] = [
    word("action", 0),
    word("after", EDIT),
    word("all", COUNTS),
    word("allow", DECLARATION),
    word("among", CONTINUING | OPERAND),
    word("and", RESERVED | INFIX | OPERAND | NESTS | OPERATOR),
    word("any", COUNTS),
    word("at", CONTINUING | GOES_ON | OPERAND),
    word("before", EDIT),
    word("best", NESTS | VALUE | QUANTIFIER),
    word("board", DECLARATION | DECLARATION_OR_VALUE),
    word("bottom", 0),
    word("by", CONTINUING | GOES_ON | OPERAND),
    word("count", COUNTS),
    word("define", DECLARATION),
    word("deliberate", 0),
    word("dice", DECLARATION | DECLARATION_OR_VALUE),
    word("domain", DECLARATION),
    word("edges", DECLARATION),
    word("else", RESERVED | INFIX | OPERAND | NESTS),
    word("ensuring", RESERVED | INFIX | OPERAND),
    word("enum", DECLARATION),
    word("extend", EDIT),
    word("false", RESERVED | VALUE | ENDS),
    word("fix", EDIT),
    word("from", CONTINUING | GOES_ON | OPERAND),
    word("game", 0),
    word("given", CONTINUING | OPERAND),
    word("in", RESERVED | INFIX | OPERAND | NESTS | OPERATOR),
    word("is", RESERVED | INFIX | OPERAND | NESTS | OPERATOR),
    word("limit", DECLARATION | DECLARATION_OR_VALUE | OPERAND),
    word("lose", RESERVED | OPERAND),
    word("loser", MATCH_VALUE),
    word("match", DECLARATION | DECLARATION_OR_VALUE),
    word("max", COUNTS | MATCH_VALUE),
    word("me", 0),
    word("min", COUNTS | MATCH_VALUE),
    word("new", EDIT | OPENING),
    word("no", 0),
    word("none", RESERVED | VALUE | ENDS),
    word("not", RESERVED | INFIX | OPERAND | NESTS | VALUE),
    word("of", RESERVED | INFIX | OPERAND),
    word("on", GOES_ON),
    word("once", 0),
    word("option", PART),
    word("or", RESERVED | INFIX | OPERAND | NESTS | OPERATOR),
    word("ordered", GOES_ON),
    word("otherwise", RESERVED | ONLY_STATEMENT | PART),
    word("owner", 0),
    word("param", DECLARATION),
    word("part", 0),
    word("pass", 0),
    word("payoff", DECLARATION | DECLARATION_OR_VALUE | OPERAND),
    word("piece", DECLARATION | DECLARATION_OR_VALUE),
    word("player", 0),
    word("players", DECLARATION | DECLARATION_OR_VALUE),
    word("procedure", DECLARATION),
    word("replacing", 0),
    word("require", DECLARATION | OPERAND),
    word("round", DECLARATION | DECLARATION_OR_VALUE),
    word("same", MATCH_VALUE),
    word("score", DECLARATION | DECLARATION_OR_VALUE),
    word("script", DECLARATION),
    word("seen", GOES_ON),
    word("set", 0),
    word("setup", DECLARATION),
    word("shown", GOES_ON),
    word("subset", 0),
    word("sum", COUNTS | MATCH_VALUE),
    word("table", DECLARATION),
    word("team", DECLARATION),
    word("then", RESERVED | INFIX | OPERAND),
    word("ties", DECLARATION | OPERAND),
    word("to", CONTINUING | GOES_ON | OPERAND),
    word("top", 0),
    word("true", RESERVED | VALUE | ENDS),
    word("turn", DECLARATION | DECLARATION_OR_VALUE),
    word("union", COUNTS),
    word("until", RESERVED | JOINING | CONTINUING | OPERAND),
    word("var", DECLARATION),
    word("variant", 0),
    word("when", CONTINUING | GOES_ON | OPERAND),
    word("where", RESERVED | INFIX | OPERAND),
    word("win", RESERVED | OPERAND),
    word("winner", DECLARATION | DECLARATION_OR_VALUE | OPERAND | MATCH_VALUE),
    word("without", EDIT),
    word("worst", 0),
    word("zero", 0),
    word("zone", DECLARATION | DECLARATION_OR_VALUE),
];

/// Returns the keyword with this spelling.
pub fn keyword(word: &str) -> Option<&'static Keyword> {
    let other = OTHERS.binary_search_by(|one| one.word.cmp(word)).ok().map(|at| &OTHERS[at]);
    other.or_else(|| super::statements::verb(word).map(|verb| &verb.keyword))
}

/// Iterates over all keywords.
pub fn all() -> impl Iterator<Item = &'static Keyword> {
    OTHERS.iter().chain(STATEMENTS.iter().map(|verb| &verb.keyword))
}

/// Returns the keywords with one of these roles.
pub fn with(roles: u32) -> Vec<&'static str> {
    all().filter(|one| one.has(roles)).map(|one| one.word).collect()
}

/// Returns `true` if a word is a keyword with one of these roles.
pub fn has(word: &str, roles: u32) -> bool {
    keyword(word).is_some_and(|one| one.has(roles))
}

/// Returns `true` if a value can end with this word.
pub fn ends_value(word: &str) -> bool {
    has(word, ENDS) || !has(word, INFIX | RESERVED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_keyword_is_found_once() {
        assert!(OTHERS.is_sorted_by(|a, b| a.word < b.word));
        assert!(STATEMENTS.is_sorted_by(|a, b| a.keyword.word < b.keyword.word));
        for one in all() {
            assert_eq!(all().filter(|other| other.word == one.word).count(), 1, "{}", one.word);
            assert!(keyword(one.word).is_some_and(|found| std::ptr::eq(found, one)), "{}", one.word);
        }
        assert!(keyword("nonesuch").is_none());
    }
}
