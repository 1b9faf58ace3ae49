//! Words of statements that a file declares as names: `piece move`, `var draw: 0..9`.
//!
//! Where such a word can't be the keyword, its first letter is covered. The splitter and the grammar then read it as any other
//! name, and all bytes keep their places. A place is judged by the words around it; independent of the grammar.

use std::collections::HashSet;

use super::tokens::{Token, TokenKind, tokenise};
use crate::diagnostic::{Diagnostic, FileId};
use crate::vocabulary::keywords::{
    self, CONTINUING, DECLARATION, EDIT, ENDS, INFIX, NAMEABLE, OPENING, OPERAND, QUANTIFIER, RESERVED,
};

/// What covers the first letter of a word. A text that has it is read without covers.
const COVER: char = '\u{1f}';

/// A text whose names are covered.
pub(crate) struct Covered {
    pub(crate) text: String,
    /// The file declares these names. Otherwise a game that it changes, or is read with, may.
    pub(crate) declared: bool,
}

/// Covers the names of a text. Returns `None` if there is nothing to cover.
pub(crate) fn cover(text: &str) -> Option<Covered> {
    if text.contains(COVER) {
        return None;
    }
    let tokens = tokenise(FileId(0), text).list;
    let word = |token: &Token| text.get(token.start as usize..token.end as usize).unwrap_or("");
    let words: Vec<&str> = tokens.iter().map(word).collect();
    if !words.iter().any(|word| keywords::has(word, NAMEABLE)) {
        return None;
    }
    let has_head = |head: &str| tokens.iter().zip(&words).any(|(token, word)| token.first && *word == head);
    let declared = has_head("game");
    // A text that is only an expression begins with a value.
    let begins = declared || has_head("variant");
    let reader = |may: &dyn Fn(&str) -> bool| Reader::new(&tokens, &words, begins).read(may);
    let (all, own) = reader(&|_| true);
    let names = if declared { reader(&|word| own.contains(word)).0 } else { all };
    if names.is_empty() {
        return None;
    }
    let mut bytes = text.as_bytes().to_vec();
    names.into_iter().for_each(|at| bytes[tokens[at].start as usize] = COVER as u8);
    Some(Covered { text: String::from_utf8(bytes).ok()?, declared })
}

/// Removes the covers.
pub(crate) fn uncover(text: &str) -> String {
    let mut text = text.to_owned();
    if text.contains(COVER) {
        for word in keywords::with(NAMEABLE) {
            text = text.replace(&format!("{COVER}{}", &word[1..]), word);
        }
    }
    text
}

/// Removes the covers from the texts of a message.
pub(crate) fn uncover_message(message: &mut Diagnostic) {
    let labels =
        std::iter::once(&mut message.primary).chain(&mut message.secondary).map(|label| &mut label.text);
    let texts = labels.chain(&mut message.notes).chain(&mut message.help).chain([&mut message.message]);
    texts.for_each(|text| *text = uncover(text));
}

/// Words before a name that they declare.
const DECLARING: [&str; 16] = [
    "board",
    "define",
    "dice",
    "domain",
    "edges",
    "enum",
    "for",
    "let",
    "param",
    "pick",
    "piece",
    "procedure",
    "table",
    "team",
    "var",
    "zone",
];

/// What an open bracket encloses.
#[derive(Clone, Copy, PartialEq)]
enum Inside {
    /// Statements, declarations or entries.
    Block,
    /// The options of a choice.
    Options,
    /// The values of an enum or a domain.
    Values,
    /// The parameters of a define or a procedure.
    Params,
    /// Parts of an expression.
    Expr,
}

/// Reads tokens from left to right, and tells names from keywords.
struct Reader<'a> {
    tokens: &'a [Token],
    words: &'a [&'a str],
    open: Vec<Inside>,
    /// What the last bracket that was closed enclosed.
    closed: Option<Inside>,
    /// The last token, or the next, that names a step or an option, which any word may.
    label: Option<usize>,
    /// The keyword of the last declaration.
    declaration: &'a str,
    /// Its type may follow.
    typed: bool,
    /// A value, a header or a statement can end before the token, so that a statement can begin with it.
    ended: bool,
}

impl<'a> Reader<'a> {
    fn new(tokens: &'a [Token], words: &'a [&'a str], ended: bool) -> Self {
        Reader {
            tokens,
            words,
            open: vec![],
            closed: None,
            label: None,
            declaration: "",
            typed: false,
            ended,
        }
    }

    /// Returns the tokens that are names, of those words that may be names, and the words that are declared.
    fn read(mut self, may: &dyn Fn(&str) -> bool) -> (Vec<usize>, HashSet<&'a str>) {
        let (mut names, mut declared) = (vec![], HashSet::new());
        for (i, word) in self.words.iter().enumerate() {
            if keywords::has(word, NAMEABLE) && may(word) && self.is_name(i) {
                names.push(i);
                if self.declares(i) {
                    declared.insert(*word);
                }
                self.ended = true;
            } else {
                self.ended = self.ends_with(i);
            }
        }
        (names, declared)
    }

    fn word(&self, i: usize) -> &'a str {
        self.words.get(i).copied().unwrap_or("")
    }

    /// The `n`th word before a token.
    fn before(&self, i: usize, n: usize) -> &'a str {
        i.checked_sub(n).map_or("", |at| self.word(at))
    }

    fn kind(&self, i: usize) -> Option<TokenKind> {
        self.tokens.get(i).map(|token| token.kind)
    }

    fn is_in(&self, inside: Inside) -> bool {
        self.open.last() == Some(&inside)
    }

    /// Returns `true` if a word that can begin a statement is a name here.
    fn is_name(&self, i: usize) -> bool {
        let (word, before, after) = (self.word(i), self.before(i, 1), self.word(i + 1));
        // A call of it would be read as the statement.
        let is_called = matches!(word, "again" | "done" | "lose" | "win");
        if before == "procedure" {
            return is_called;
        }
        if !self.ended || self.is_in(Inside::Options) || before == "step" {
            return !self.is_result(i);
        }
        match self.kind(i + 1) {
            Some(TokenKind::Word) => {
                let binds = matches!(after, "subset" | "part") && self.word(i + 2) == "of";
                binds || keywords::has(after, INFIX)
            }
            Some(TokenKind::Sign) if after == "(" => is_called,
            Some(TokenKind::Sign) => !matches!(after, "{" | "}" | ";" | "-"),
            Some(TokenKind::Text) => !matches!(word, "again" | "done"),
            _ => false,
        }
    }

    /// Returns `true` if this is the result of an end: `: draw`, `: win me`.
    fn is_result(&self, i: usize) -> bool {
        let (word, after) = (self.word(i), self.word(i + 1));
        let of_game = self.before(i, 2) == "game" || self.before(i, 4) == "game" && self.before(i, 3) == "as";
        let of_end =
            of_game || self.declaration == "end" && self.open.last().is_none_or(|it| *it == Inside::Block);
        let fits = match self.kind(i + 1) {
            Some(TokenKind::Word) => !keywords::has(after, INFIX),
            Some(TokenKind::Sign) if word == "draw" => matches!(after, "}" | ";"),
            Some(TokenKind::Sign) => after == "(",
            kind => word == "draw" || kind == Some(TokenKind::Number),
        };
        matches!(word, "draw" | "lose" | "win") && self.before(i, 1) == ":" && of_end && fits
    }

    /// Returns `true` if a name is declared here.
    fn declares(&self, i: usize) -> bool {
        let (before, after) = (self.before(i, 1), self.word(i + 1));
        let listed = matches!(before, "{" | "[" | ",") && self.is_in(Inside::Values)
            || self.is_in(Inside::Params)
            || self.declaration == "players" && matches!(before, "players" | ",");
        let declared = DECLARING.contains(&before);
        // `var kept: win | draw = win`
        let typed = self.typed && (before == "|" || after == "|");
        let leads = |n: usize| {
            let is_word = i >= n && self.kind(i - n) == Some(TokenKind::Word);
            is_word && !keywords::has(self.before(i, n), INFIX | OPERAND)
        };
        let binds = matches!(after, "in" | "subset" | "part")
            && (matches!(before, "," | "{")
                || before == "(" && leads(2)
                || self.is_in(Inside::Options) && !keywords::has(before, INFIX)
                || leads(1)
                || keywords::has(before, QUANTIFIER));
        listed || declared || typed || binds || before == "draw" && after == "from"
    }

    /// Returns `true` if a word names an option: it is the first of the options, or another option ends before it.
    fn names_option(&self, i: usize) -> bool {
        let before = self.before(i, 1);
        let begins = match i.checked_sub(1).and_then(|at| self.kind(at)) {
            Some(TokenKind::Sign) => {
                matches!(before, "{" | ";") || before == "}" && self.closed == Some(Inside::Block)
            }
            Some(TokenKind::Word) => {
                matches!(before, "deliberate" | "new")
                    || before == "pass" && !keywords::has(self.word(i), INFIX)
            }
            // `pass "stay"` has no block.
            Some(TokenKind::Text) => true,
            _ => false,
        };
        begins && self.is_in(Inside::Options)
    }

    /// Returns `true` if a word is a `before` or `after` that adds to a step or an option: the name of that follows.
    fn adds_to(&self, i: usize) -> bool {
        let is_named = self.kind(i + 1) == Some(TokenKind::Word) && matches!(self.word(i + 2), "step" | "{");
        matches!(self.word(i), "before" | "after") && is_named
    }

    /// Takes a token that is no name of a statement's word, and returns whether a statement can begin after it.
    fn ends_with(&mut self, i: usize) -> bool {
        let (word, after) = (self.word(i), self.word(i + 1));
        let is_sign = self.kind(i + 1) == Some(TokenKind::Sign);
        match self.kind(i) {
            Some(TokenKind::Word) if self.label == Some(i) || self.names_option(i) => {
                self.label = Some(if self.adds_to(i) && self.label != Some(i) { i + 1 } else { i });
                true
            }
            Some(TokenKind::Word)
                if word == "step" && self.ended && self.kind(i + 1) == Some(TokenKind::Word) =>
            {
                self.label = Some(i + 1);
                true
            }
            // A declaration follows.
            Some(TokenKind::Word) if word == "new" => self.ended,
            // `var wins: 0..9 = 0 match`
            Some(TokenKind::Word) if word == "match" && after != "{" => true,
            Some(TokenKind::Word)
                if keywords::has(word, DECLARATION | EDIT) && self.ended && (after == "{" || !is_sign) =>
            {
                if self.adds_to(i) {
                    self.label = Some(i + 1);
                }
                let places_end = matches!(word, "before" | "after") && self.word(i + 2) != "step";
                // `end game when …` declares an end of that name, `end game` is a statement.
                let ends_now = word == "end" && after == "game" && !self.declares_end(i);
                if !(places_end || ends_now) {
                    self.declaration = word;
                    self.typed = matches!(word, "param" | "var" | "table" | "domain");
                }
                false
            }
            Some(TokenKind::Word) if word == "draw" => self.is_result(i),
            Some(TokenKind::Word) if keywords::has(word, RESERVED) => {
                keywords::has(word, ENDS) || word == "all" && self.before(i, 1) == "by"
            }
            Some(TokenKind::Word) => !(self.ended && keywords::has(word, CONTINUING | OPENING | OPERAND)),
            Some(TokenKind::Sign) => match word {
                "{" | "(" | "[" => {
                    let inside = self.inside(i);
                    self.open.push(inside);
                    matches!(inside, Inside::Block | Inside::Options)
                }
                "}" | ")" | "]" => {
                    self.closed = self.open.pop();
                    true
                }
                _ => {
                    self.typed &= word != "=";
                    matches!(word, "?" | ";")
                }
            },
            _ => true,
        }
    }

    /// Returns `true` if an `end game` is the declaration of an end, which is outside of all blocks with statements.
    fn declares_end(&self, i: usize) -> bool {
        self.open.len() < 2 && matches!(self.word(i + 2), "when" | "of" | "at" | "before" | "after")
    }

    /// What the opening bracket at a token encloses.
    fn inside(&self, i: usize) -> Inside {
        let (first, second) = (self.before(i, 1), self.before(i, 2));
        let is_help = i.checked_sub(1).and_then(|at| self.kind(at)) == Some(TokenKind::Text);
        let is_labelled = self.label.is_some_and(|at| at + 1 == i || at + 2 == i && is_help);
        let begins_block = keywords::has(first, DECLARATION | OPENING)
            || matches!(first, "choose" | "else" | "otherwise" | "repeat");
        match self.word(i) {
            "{" if is_labelled => Inside::Block,
            _ if matches!(self.declaration, "enum" | "domain") => Inside::Values,
            "(" if matches!(second, "define" | "procedure") => Inside::Params,
            "{" if first == "choose" || matches!(second, "choose" | "extend") => Inside::Options,
            "{" if self.ended || begins_block => Inside::Block,
            _ => Inside::Expr,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with a `'` before each name.
    fn names(text: &str) -> String {
        cover(text).map_or(text.to_owned(), |covered| {
            assert_eq!(uncover(&covered.text), text);
            uncover(&covered.text.replace(COVER, "'\u{1f}"))
        })
    }

    #[test]
    fn words_of_statements_are_names_where_no_statement_can_begin() {
        for text in [
            "x = 'draw + 1 draw t from deck to hand[me] x = a\nmove c to d",
            "if 'win > 3 { 'win = 'draw 'roll[me] += 1 roll 'roll, cup } else { deal 1 from 'deal to 'move[me] }",
            "again 'again = 'again or x again",
            "choose { 'move 'draw in {'win, 'lose}, k in S where 'draw in T { move 'draw to 'roll } pass 'deal { again } }",
            "end 'draw when 'draw[me] > 'win: draw end 'win before 'draw when any 'move in S: 'move: win 'win end x when a: draw",
            "for 'move in S { put 'move[me] at {'draw} shuffle 'shuffle reveal 'reveal to me }",
            "enum e { 'win \"w\", 'draw } domain t { 'move: 0..3 } = ['put: 1, 'roll: 2]",
            "var 'win: 0..9 = 0 match piece 'put\nturn { after x step y { draw t from 'draw } }",
            "var x: a | 'win | 'draw = 'win choose { by 'roll in S { } }",
            "new piece 'move new end 'draw when 'roll > 0: draw fix 'put = 3",
            "'win('draw) draw(x) y = 'draw(2) end game: draw z = sum k in S: 'draw end game as all: win p",
            "turn { step when { roll cup } step choose \"c\" { roll cup x = 'roll } step end { draw t from deck } }",
            "turn { choose { let { roll cup } to \"t\" { roll cup } choose { roll cup } in { draw t from 'draw } } }",
            "turn { choose { when where x in {a, 'draw} { roll cup } pass \"p\" if { x = 'roll roll cup } } }",
            "turn { choose { end { roll cup } otherwise { roll cup } } choose at { of { roll cup } deliberate by { again } } }",
            "after when { roll cup } before of step as { roll cup } extend choose { after from { roll cup } new if { roll cup } }",
            "end game when die == 'win: win me end game of round when 'draw > 2: draw end game at once when 'lose: lose me",
        ] {
            let text = format!("variant \"V\" of \"G\" {{ {text}");
            assert_eq!(names(&text.replace('\'', "")), text);
        }
        assert_eq!(names("draw - 1"), "'draw - 1");
    }

    #[test]
    fn a_game_has_the_names_that_it_declares() {
        for text in [
            "game \"G\" { var 'draw: 0..9 = 0 define f('win) = 'win turn { x = 'draw + move } }",
            "game \"G\" { enum e { 'win, pass } turn { end game } end game when die == 'win: win me }",
            "game \"G\" { enum e { 'roll, pass } turn { step when { roll die } choose { move { k = 'roll roll die } } } }",
        ] {
            assert_eq!(names(&text.replace('\'', "")), text);
        }
        for text in [
            "game \"G\" { procedure draw() { x = draw } }",
            "game \"G\" { turn { if draw in a { x = {draw} move c to d } draw = 3 } }",
        ] {
            assert_eq!(names(text), text);
        }
        for text in
            ["{'draw in card where 'draw in b}", "lowest('move in card: 'move, 1)", "any 'roll in b: 'roll"]
        {
            let text = format!("game \"G\" {{ define f = {text}");
            assert_eq!(names(&text.replace('\'', "")), text);
        }
    }
}
