//! The keywords that begin statements, each with the statement's forms.

use super::Place;
use super::keywords::{
    DECLARATION, ENDS, JOINING, Keyword, NAMEABLE, NESTS, NO_PROCEDURE, ONLY_STATEMENT, OPENING, OPERAND,
    PART, RESERVED, STATEMENT, VALUE,
};

/// A kind of statement that a keyword begins.
#[derive(Clone, Copy, Debug)]
pub struct Verb {
    /// The keyword.
    pub keyword: Keyword,
    /// Its forms. Words in capitals and single letters stand for operands, `…` for a block's contents.
    pub forms: &'static [&'static str],
    /// The part of the rules where it can be used.
    pub place: Place,
}

const fn verb_row(
    word: &'static str,
    roles: u32,
    place: Place,
    forms: &'static [&'static str],
    help: &'static str,
) -> Verb {
    Verb { keyword: Keyword::new(word, roles | STATEMENT, help), forms, place }
}

use Place::{Blocks, Chooses, Steps, Turns, TurnsAndRounds};

/// The roles of statements that occur nowhere else.
const ONLY: u32 = RESERVED | ONLY_STATEMENT;

/// The statements with a keyword, in alphabetical order.
#[rustfmt::skip]
pub static STATEMENTS: [Verb; 27] = [
    verb_row("again", ONLY | NAMEABLE | ENDS, Turns, &["again"],
        "Leaves the turn, and the same seat starts it again."),
    verb_row("as", RESERVED | JOINING | OPERAND, Blocks, &["as p { … }"],
        "Lets another player act in the block."),
    verb_row("chance", 0, Blocks, &["chance { … } given C"],
        "Repeats the random events of the block until the condition holds."),
    verb_row("choose", ONLY | PART, Blocks, &["choose { … }", "choose NAME { … }"],
        "Lets the acting player take one of the options."),
    verb_row("clear", ONLY | NAMEABLE | JOINING | OPERAND, Blocks, &["clear S", "clear PIECE"],
        "Removes every piece from the sites of a set, or all of a piece."),
    verb_row("deal", ONLY | NAMEABLE, Blocks, &["deal n from S to ZONE", "deal n from S to bottom of ZONE", "deal n from bottom of ZONE to ZONE"],
        "Draws n elements, one after the other, or all that there are."),
    verb_row("done", ONLY | NAMEABLE | ENDS, Turns, &["done"],
        "Leaves the turn; the next seat follows."),
    verb_row("draw", RESERVED | NAMEABLE | ENDS, Blocks, &["draw t from S to ZONE", "draw t from S to bottom of ZONE", "draw t from bottom of ZONE to ZONE"],
        "Moves the top or the bottom of an ordered zone, or one element of a set by chance."),
    verb_row("each", OPENING | super::keywords::GOES_ON, Blocks, &["each player as me { … }", "each player from p as me { … }", "each player of S from p as me { … }", "each player of S from p until C as me { … }"],
        "Lets all seats or some act, one after the other, once or again and again."),
    verb_row("end", DECLARATION, TurnsAndRounds, &["end game", "end game as NAME", "end game as NAME \"help\"", "end game as NAME: lose p"],
        "Ends the game, with a result or by the scores."),
    verb_row("for", ONLY | JOINING | OPERAND, Blocks, &["for x in S { … }", "for x in S from e { … }"],
        "Runs the block for every element of a set, in the order of the domain."),
    verb_row("if", RESERVED | JOINING | OPERAND | NESTS | VALUE, Blocks, &["if C { … }", "if C { … } else { … }"],
        "Runs one block or the other."),
    verb_row("let", ONLY | JOINING, Blocks, &["let x = e", "let x: TYPE = e"],
        "Gives a value a name, from here to the end of the block."),
    verb_row("move", RESERVED | NAMEABLE | JOINING, Blocks, &["move a to b", "move a to b replacing", "move a on BOARD to b on BOARD", "move S to DIRECTION", "move S to ZONE", "move S to bottom of ZONE", "move k from ZONE to ZONE", "move n k from ZONE to ZONE"],
        "Moves the piece on a site to another site, the pieces of a set one step in a direction, or elements to a zone."),
    verb_row("next", OPENING | NO_PROCEDURE | OPERAND | super::keywords::MATCH_VALUE, Blocks, &["next p"],
        "Sets the player of the next turn; the current turn continues."),
    verb_row("pick", OPENING, Blocks, &["pick c in S"],
        "Binds an element of a set by chance, all equally likely."),
    verb_row("prefer", NO_PROCEDURE | OPERAND, Chooses, &["choose { … } prefer C"],
        "States which options an agent tries first."),
    verb_row("put", ONLY | NAMEABLE | JOINING | OPERAND, Blocks, &["put PIECE at S", "put PIECE at S replacing"],
        "Puts a piece on every site of a set."),
    verb_row("repeat", ONLY, Blocks, &["repeat { … } until C"],
        "Runs the block until the condition holds, at least once."),
    verb_row("reveal", ONLY | NAMEABLE, Blocks, &["reveal S to p", "reveal k from ZONE to p"],
        "Shows players where the elements of a set are."),
    verb_row("roll", RESERVED | NAMEABLE | JOINING, Blocks, &["roll DICE", "roll DICE among S"],
        "Rolls dice, or some of them."),
    verb_row("shuffle", ONLY | NAMEABLE, Blocks, &["shuffle ZONE"],
        "Leaves the order of an ordered zone to chance."),
    verb_row("skip", 0, Steps, &["skip"],
        "Leaves the step."),
    verb_row("step", PART, Blocks, &["step NAME { … }", "step NAME \"help\" { … }"],
        "Names a part of the turn."),
    verb_row("swap", OPENING, Blocks, &["swap ZONE, ZONE", "swap x, y", "swap PIECE, PIECE", "swap PIECE, PIECE among S"],
        "Exchanges the contents of two zones, the values of two variables, or pieces of two kinds."),
    verb_row("together", 0, Blocks, &["together as me { … }"],
        "Lets all seats choose before any of them sees the others' choices."),
    verb_row("while", ONLY | OPERAND, Blocks, &["while C { … }"],
        "Runs the block as long as the condition holds."),
];

/// Returns the statement that a word begins.
pub fn verb(word: &str) -> Option<&'static Verb> {
    STATEMENTS.binary_search_by(|verb| verb.keyword.word.cmp(word)).ok().map(|at| &STATEMENTS[at])
}
