//! The words of a text by what they are, for colours.

use std::iter::Peekable;
use std::vec::IntoIter;

use super::Workspace;
use super::workspace::is_script;
use houserule_check::DefinitionKind;
use houserule_language::syntax::split::pieces::{PieceKind, pieces};
use houserule_language::syntax::split::tokens::TokenKind;
use houserule_language::vocabulary::{Function, keyword};

/// What a word or sign is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TokenClass {
    /// A comment.
    Comment,
    /// A keyword.
    Keyword,
    /// A text in quotes.
    Text,
    /// A number.
    Number,
    /// An operator.
    Operator,
    /// A variable, a zone or dice: what changes during a game.
    Variable,
    /// A param or a table: what stays the same.
    Constant,
    /// A parameter.
    Parameter,
    /// A local.
    Local,
    /// A domain, a board or a type.
    Domain,
    /// A value of an enum, a player, or a site.
    Value,
    /// A field of a record, or the name of an argument.
    Field,
    /// A kind of piece.
    Piece,
    /// A define, a function or a procedure.
    Function,
    /// A name of a part of the rules: a step, a choice, an option, an item of the score, an end.
    Part,
}

/// A word or sign of a text and what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenSpan {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// What it is.
    pub class: TokenClass,
    /// The name is defined here.
    pub defines: bool,
    /// It is a part of the language.
    pub built_in: bool,
}

impl Workspace {
    /// The words of a rule file, in order. Brackets and other signs that only separate are left out.
    pub fn tokens(&mut self, file: &str) -> Vec<TokenSpan> {
        let Some(text) = self.text(file).filter(|_| !is_script(file)) else { return vec![] };
        // The class of each name: that in the first item that has it.
        let mut known: Vec<TokenSpan> = vec![];
        if let Some(checked) = self.check(file) {
            for item in &checked.items {
                let Some(id) = item.file(file) else { continue };
                for (span, definition) in item.names.places_in(id) {
                    let one = &item.names.definitions[definition];
                    known.push(TokenSpan {
                        start: span.start as usize,
                        end: span.end as usize,
                        class: class_of(one.kind),
                        defines: one.span == Some(span),
                        built_in: one.span.is_none(),
                    });
                }
            }
            if checked.items.len() > 1 {
                known.sort_by_key(|one| (one.start, one.end));
            }
        }
        let mut known = known.into_iter().peekable();
        let span = |start, end, class, defines, built_in| TokenSpan { start, end, class, defines, built_in };
        let mut found = vec![];
        // Whether a piece belongs to the code of a warning, which stands between `allow` and a text.
        let mut in_code = false;
        for piece in pieces(&text) {
            let (start, end) = (piece.start, piece.end);
            let word = &text[piece.range()];
            in_code &= piece.kind != PieceKind::Token(TokenKind::Text);
            let class = match piece.kind {
                PieceKind::Comment => TokenClass::Comment,
                PieceKind::Token(TokenKind::Number) => TokenClass::Number,
                PieceKind::Token(TokenKind::Text) => TokenClass::Text,
                PieceKind::Token(TokenKind::Site) => TokenClass::Value,
                PieceKind::Token(TokenKind::Word | TokenKind::Sign) if in_code => TokenClass::Value,
                PieceKind::Token(TokenKind::Sign) => match word {
                    "{" | "}" | "(" | ")" | "[" | "]" | "," | ";" | ":" | "." => continue,
                    _ => TokenClass::Operator,
                },
                PieceKind::Token(TokenKind::Word) => match name_at(&mut known, start, end) {
                    Some(name) => {
                        found.push(name);
                        continue;
                    }
                    None if keyword(word).is_some() => TokenClass::Keyword,
                    None if Function::named(word).is_some() => TokenClass::Function,
                    None if is_die(word) => TokenClass::Number,
                    None => continue,
                },
            };
            in_code |= class == TokenClass::Keyword && word == "allow";
            let built_in = class == TokenClass::Function;
            found.push(span(start, end, class, false, built_in));
        }
        found
    }
}

/// Takes the name at a place from all that are left, which are in order.
fn name_at(known: &mut Peekable<IntoIter<TokenSpan>>, start: usize, end: usize) -> Option<TokenSpan> {
    while known.next_if(|one| (one.start, one.end) < (start, end)).is_some() {}
    known.next_if(|one| (one.start, one.end) == (start, end))
}

fn is_die(word: &str) -> bool {
    word.strip_prefix('d').is_some_and(|faces| !faces.is_empty() && faces.bytes().all(|b| b.is_ascii_digit()))
}

fn class_of(kind: DefinitionKind) -> TokenClass {
    use DefinitionKind as K;
    match kind {
        K::Variable | K::Zone | K::Dice => TokenClass::Variable,
        K::Param | K::Table => TokenClass::Constant,
        K::Enum | K::Domain | K::Board | K::Edges | K::Team => TokenClass::Domain,
        K::Value | K::Site | K::Player => TokenClass::Value,
        K::Field => TokenClass::Field,
        K::Piece => TokenClass::Piece,
        K::Define | K::Procedure | K::Function | K::ScriptFunction => TokenClass::Function,
        K::Parameter => TokenClass::Parameter,
        K::Local => TokenClass::Local,
        K::Setup | K::Step | K::Choice | K::Option | K::ScoreItem | K::End => TokenClass::Part,
        K::Broken => TokenClass::Variable,
        K::BuiltIn => TokenClass::Variable,
        K::Word => TokenClass::Keyword,
    }
}
