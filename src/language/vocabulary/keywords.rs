//! The keywords, each with its roles. The keywords of statements are in [`super::statements`].

use super::statements::STATEMENTS;

/// A keyword and its roles.
#[derive(Clone, Copy, Debug)]
pub struct Keyword {
    /// The word.
    pub word: &'static str,
    roles: u32,
    /// A sentence that describes it.
    pub help: &'static str,
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
/// It is reserved, but a name in a file that declares it, where no statement can begin with it.
pub const NAMEABLE: u32 = 1 << 20;

/// The roles of the quantifiers that can't be names.
const COUNTS: u32 = RESERVED | NESTS | VALUE | QUANTIFIER;

impl Keyword {
    pub(super) const fn new(word: &'static str, roles: u32, help: &'static str) -> Keyword {
        Keyword { word, roles, help }
    }

    /// Returns `true` if the keyword has one of these roles.
    pub fn has(&self, roles: u32) -> bool {
        self.roles & roles != 0
    }
}

const fn word(word: &'static str, roles: u32, help: &'static str) -> Keyword {
    Keyword::new(word, roles, help)
}

/// The keywords that begin no statement, in alphabetical order.
#[rustfmt::skip]
static OTHERS: [Keyword; 92] = [
    word("action", 0, "In `no action`: does the first choice of a turn offer nothing?"),
    word("after", EDIT, "Inserts a step or an end after another, or statements after those of an option."),
    word("all", COUNTS, "Does a condition hold for every element of a set?"),
    word("allow", DECLARATION, "Accepts a warning in the declaration or change that follows, for a reason."),
    word("among", CONTINUING | OPERAND, "Rolls only these dice."),
    word("and", RESERVED | INFIX | OPERAND | NESTS | OPERATOR, "Do both conditions hold?"),
    word("any", COUNTS, "Does a condition hold for at least one element of a set?"),
    word("at", CONTINUING | GOES_ON | OPERAND, "The sites where a piece is put. In `end at once`: tested after every step."),
    word("before", EDIT, "Inserts a step or an end before another, or statements before those of an option."),
    word("best", NESTS | VALUE | QUANTIFIER, "The element with the greatest value. In a match: the games that count."),
    word("board", DECLARATION | DECLARATION_OR_VALUE, "Declares a board: its sites, and how they are connected."),
    word("bottom", 0, "In `to bottom of`, `from bottom of`: the lower end of an ordered zone."),
    word("by", CONTINUING | GOES_ON | OPERAND, "After it comes what `best` compares, or what joins the links of `edges`."),
    word("count", COUNTS, "The number of elements of a set for which a condition holds."),
    word("define", DECLARATION, "Gives an expression a name. It is evaluated wherever the name is used."),
    word("deliberate", 0, "Random players never take this option."),
    word("dice", DECLARATION | DECLARATION_OR_VALUE, "Declares dice that are rolled together."),
    word("domain", DECLARATION, "Declares a domain: a range of numbers, or records with fields."),
    word("edges", DECLARATION, "Declares the sides of a board's cells, or links between its sites, as sites of their own."),
    word("else", RESERVED | INFIX | OPERAND | NESTS, "What follows if the condition doesn't hold."),
    word("ensuring", RESERVED | INFIX | OPERAND, "A condition that must hold after the option: otherwise it is illegal."),
    word("enum", DECLARATION, "Declares a domain of named values."),
    word("extend", EDIT, "Changes the options of a choice."),
    word("false", RESERVED | VALUE | ENDS, "The condition doesn't hold."),
    word("fix", EDIT, "Makes a param constant."),
    word("from", CONTINUING | GOES_ON | OPERAND, "Where elements come from, or where a loop begins."),
    word("game", 0, "Begins a game. In `end game`: ends the game now."),
    word("given", CONTINUING | OPERAND, "The condition for which the random events of `chance` are repeated until it holds."),
    word("in", RESERVED | INFIX | OPERAND | NESTS | OPERATOR, "Is an element or a set contained in a set? In a binder: the set."),
    word("is", RESERVED | INFIX | OPERAND | NESTS | OPERATOR, "Tests a value by a define with one parameter, or by `some` and `nothing`."),
    word("language", 0, "At the beginning of a file: the version of the language that it is written in."),
    word("limit", DECLARATION | DECLARATION_OR_VALUE | OPERAND, "The most decisions of a game. With more it is aborted."),
    word("lose", RESERVED | NAMEABLE | OPERAND, "This player loses, and all others win."),
    word("loser", MATCH_VALUE, "In a match: the loser of the last game starts."),
    word("match", DECLARATION | DECLARATION_OR_VALUE, "Declares how several games in a row are played. As a modifier: the value lasts through the match."),
    word("max", COUNTS | MATCH_VALUE, "The greatest value over the elements of a set; 0 for no elements."),
    word("me", 0, "The acting player."),
    word("min", COUNTS | MATCH_VALUE, "The least value over the elements of a set; 0 for no elements."),
    word("new", EDIT | OPENING, "Adds a declaration, a step or an item of the score to the game that a variant changes."),
    word("no", 0, "In `no action`: does the first choice of a turn offer nothing?"),
    word("none", RESERVED | VALUE | ENDS, "No element: the value of an optional variable without an element."),
    word("not", RESERVED | INFIX | OPERAND | NESTS | VALUE, "Does the condition not hold?"),
    word("of", RESERVED | INFIX | OPERAND, "What something belongs to or consists of."),
    word("on", GOES_ON | OPERAND, "The board of a piece, or of a site that is on several boards."),
    word("once", 0, "In `end at once`: tested after every step, not only at the end of the turn."),
    word("option", PART, "In a variant: an option of a choice, which `without` removes."),
    word("or", RESERVED | INFIX | OPERAND | NESTS | OPERATOR, "Does at least one of two conditions hold?"),
    word("ordered", GOES_ON, "An ordered zone is a pile with a top and a bottom. Ordered dice can be told apart."),
    word("others", 0, "In `seen by others`: all players but that of the first index see it."),
    word("otherwise", RESERVED | ONLY_STATEMENT | PART, "Runs if no option of the choice is legal."),
    word("over", 0, "In `shown over`: the coarser board on which a finer one is drawn."),
    word("owner", 0, "In `seen by owner`: only the player of the first index sees it."),
    word("param", DECLARATION, "Declares a value of the rules that is set when a game is loaded. In a variant: changes its default."),
    word("part", 0, "In `part of`: any copies or dice of these, of which equal ones are not told apart."),
    word("pass", 0, "The option to do nothing."),
    word("payoff", DECLARATION | DECLARATION_OR_VALUE | OPERAND, "Declares what a finished game returns to each player."),
    word("piece", DECLARATION | DECLARATION_OR_VALUE, "Declares a kind of piece that stands on the sites of a board."),
    word("player", 0, "A player by number, such as `player 2`. In `each player`: every seat in turn."),
    word("players", DECLARATION | DECLARATION_OR_VALUE, "Declares how many players there are, or their names."),
    word("procedure", DECLARATION, "Gives statements a name. They are called with parentheses."),
    word("replacing", 0, "Pieces that stand there already are removed intentionally."),
    word("require", DECLARATION | OPERAND, "A condition that the params must fulfil, with its reason."),
    word("round", DECLARATION | DECLARATION_OR_VALUE, "Declares what happens in a round, if it is not just one turn of each player."),
    word("same", MATCH_VALUE, "In a match: the same player starts every game. In a variant: what is replaced, `same()` for statements."),
    word("score", DECLARATION | DECLARATION_OR_VALUE, "Declares the items of the score. Their sum is the score of a player."),
    word("script", DECLARATION, "Adds functions in Rhai: a file, or a text between `\"\"\"`."),
    word("seen", GOES_ON, "In `seen by`: the players who see the value."),
    word("set", 0, "In `set of`: the type of sets over a domain."),
    word("setup", DECLARATION, "Declares what happens before the first turn."),
    word("shown", GOES_ON, "In `shown as`: how it is drawn. In `shown at`: where. `shown NAME as` changes how a declared name is drawn."),
    word("subset", 0, "In `subset of`: any elements of this set."),
    word("sum", COUNTS | MATCH_VALUE, "The sum of the values over the elements of a set; 0 for no elements."),
    word("table", DECLARATION, "Declares constant values, one for each index."),
    word("team", DECLARATION, "Declares players who win and lose together."),
    word("then", RESERVED | INFIX | OPERAND, "The value of an `if` whose condition holds."),
    word("ties", DECLARATION | OPERAND, "Declares how ties of the score are broken."),
    word("to", CONTINUING | GOES_ON | OPERAND, "Where pieces or elements go, or who sees them."),
    word("top", 0, "In `from top`: the rows of the board are numbered from the top. In `seen by top`: all see the top of an ordered zone."),
    word("true", RESERVED | VALUE | ENDS, "The condition holds."),
    word("turn", DECLARATION | DECLARATION_OR_VALUE, "Declares what a player does in a turn."),
    word("union", COUNTS, "The union of sets over the elements of a set."),
    word("until", RESERVED | JOINING | CONTINUING | OPERAND, "The condition that ends `repeat`. In a match: the total that ends it."),
    word("var", DECLARATION, "Declares a variable: a value that changes during a game."),
    word("variant", 0, "Begins a variant: changes to a game."),
    word("when", CONTINUING | GOES_ON | OPERAND, "The condition of an end or of an item of the score."),
    word("where", RESERVED | INFIX | OPERAND, "The condition that elements must fulfil."),
    word("win", RESERVED | NAMEABLE | OPERAND, "This player wins alone."),
    word("winner", DECLARATION | DECLARATION_OR_VALUE | OPERAND | MATCH_VALUE, "Declares by what the winner is found, such as `most(score)`."),
    word("without", EDIT, "Removes a part of the game that a variant changes."),
    word("worst", 0, "In a match: the games that count are the worst ones."),
    word("zero", 0, "In `payoff zero sum`: the payoffs of all players add up to 0."),
    word("zone", DECLARATION | DECLARATION_OR_VALUE, "Declares a place for elements that are dealt, drawn and moved, such as a hand."),
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

/// Returns `true` if a file can't declare a word as a name.
pub fn is_refused(word: &str) -> bool {
    has(word, RESERVED) && !has(word, NAMEABLE)
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
