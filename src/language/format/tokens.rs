//! Tokens with the comments and line breaks before them, and the rules for spaces between tokens.

use super::marks::{Holds, Marks};
use crate::diagnostic::FileId;
use crate::syntax::split::names::cover;
use crate::syntax::split::tokens::{TokenKind, tokenise};
use crate::vocabulary::keywords;

/// A comment.
#[derive(Clone, Debug)]
pub(super) struct Comment {
    /// Text with its slashes, without trailing white space.
    pub(super) text: String,
    /// Nothing precedes it on its line.
    pub(super) own_line: bool,
    /// An empty line precedes it.
    pub(super) blank: bool,
}

/// White space and comments before a token.
#[derive(Clone, Debug, Default)]
pub(super) struct Gap {
    pub(super) comments: Vec<Comment>,
    /// It contains a line break.
    pub(super) newline: bool,
    /// An empty line directly precedes the token.
    pub(super) blank: bool,
}

/// A token.
#[derive(Clone, Debug)]
pub(super) struct Tok<'a> {
    pub(super) text: &'a str,
    pub(super) kind: TokenKind,
    pub(super) start: u32,
    pub(super) gap: Gap,
    /// For a bracket: the index of its partner.
    pub(super) partner: Option<usize>,
    /// A `-` with one operand.
    pub(super) unary: bool,
    /// Braces with spaces inside that aren't a block: of enums, records and sets with `where`.
    pub(super) roomy: bool,
    /// A keyword that an operand follows, so a bracket after it is not an argument list.
    pub(super) leads: bool,
}

/// The tokens of a file, without the separators of items.
#[derive(Debug)]
pub(super) struct Toks<'a> {
    pub(super) list: Vec<Tok<'a>>,
    /// White space and comments after the last token.
    pub(super) end: Gap,
}

impl Toks<'_> {
    /// All comments, in order.
    pub(super) fn comments(&self) -> impl Iterator<Item = &str> {
        let gaps = self.list.iter().map(|tok| &tok.gap).chain([&self.end]);
        gaps.flat_map(|gap| &gap.comments).map(|comment| comment.text.as_str())
    }
}

/// Adds the white space and comments of `text[from..to]` to `found`, the gap before an omitted
/// separator.
fn gap(text: &str, from: usize, to: usize, mut found: Gap) -> Gap {
    let mut at = from;
    // Line breaks since the last comment or token.
    let mut breaks = 0;
    while at < to {
        let rest = &text[at..to];
        if rest.starts_with("//") {
            let end = rest.find('\n').unwrap_or(rest.len());
            let own_line = breaks > 0 || (from == 0 && text[..at].trim_matches('\u{feff}').trim().is_empty());
            found.comments.push(Comment {
                text: rest[..end].trim_end().to_owned(),
                own_line,
                blank: breaks > 1,
            });
            breaks = 0;
            at += end;
            continue;
        }
        if rest.starts_with('\n') {
            breaks += 1;
            found.newline = true;
        }
        at += rest.chars().next().map_or(1, char::len_utf8);
    }
    found.blank = breaks > 1;
    found
}

pub(super) fn tokens<'a>(text: &'a str, marks: &Marks) -> Toks<'a> {
    let mut list: Vec<Tok<'a>> = vec![];
    let mut open: Vec<usize> = vec![];
    let mut end = 0;
    let mut left = Gap::default();
    // The kinds of elements of a domain are written alike, also those after `|`.
    let mut in_domain = false;
    // A word that is a name here is no keyword.
    let covered = cover(text);
    let covered = covered.as_ref().map_or(text, |covered| &covered.text);
    for token in tokenise(FileId(0), text).list {
        let (from, to) = (token.start as usize, token.end as usize);
        let gap = gap(text, end, from, std::mem::take(&mut left));
        end = to;
        let word = text.get(from..to).unwrap_or("");
        let in_entries =
            open.last().is_some_and(|at: &usize| marks.blocks.get(&list[*at].start) == Some(&Holds::Entries));
        if token.kind == TokenKind::Sign && (word == ";" || word == "," && in_entries) {
            left = gap;
            continue;
        }
        if marks.items.contains(&token.start) || list.last().is_some_and(|tok| tok.text == "new") {
            in_domain = word == "domain";
        }
        let unary = word == "-" && !list.last().is_some_and(ends_operand);
        let begins = marks.items.contains(&token.start);
        let leads = token.kind == TokenKind::Word
            && is_followed_by_operand(covered.get(from..to).unwrap_or(word), begins, list.last());
        let start = token.start;
        let mut tok =
            Tok { text: word, kind: token.kind, start, gap, partner: None, unary, roomy: false, leads };
        if token.kind == TokenKind::Sign && matches!(word, "}" | ")" | "]") {
            if let Some(at) = open.pop() {
                tok.partner = Some(at);
                tok.roomy = list[at].roomy;
                let own = list.len();
                list[at].partner = Some(own);
            }
        } else if token.kind == TokenKind::Sign && matches!(word, "{" | "(" | "[") {
            let declares = |tok: &Tok<'_>| matches!(tok.text, "enum" | "domain");
            let joined = in_domain && word == "{" && list.last().is_some_and(|tok| tok.text == "|");
            tok.roomy = joined || list.len().checked_sub(2).is_some_and(|at| declares(&list[at]));
            open.push(list.len());
        } else if token.kind == TokenKind::Word
            && word == "where"
            && let Some(at) = open.last().copied().filter(|at| list[*at].text == "{")
        {
            list[at].roomy = true;
        }
        list.push(tok);
    }
    Toks { list, end: gap(text, end, text.len(), left) }
}

/// Returns `true` if an operand follows this word: after `in`, after the keyword of a statement such as `move`, which is a
/// name elsewhere, and after `zero sum`.
fn is_followed_by_operand(word: &str, begins: bool, before: Option<&Tok<'_>>) -> bool {
    let begins_statement =
        keywords::has(word, keywords::STATEMENT) && keywords::has(word, keywords::RESERVED);
    keywords::has(word, keywords::OPERAND)
        || begins && (begins_statement || word == "players")
        || word == "sum" && before.is_some_and(|tok| tok.text == "zero")
}

/// Returns `true` if this token can end an operand. A `-` after it is then binary.
fn ends_operand(tok: &Tok<'_>) -> bool {
    match tok.kind {
        TokenKind::Word => !tok.leads,
        TokenKind::Number | TokenKind::Text | TokenKind::Site => true,
        TokenKind::Sign => matches!(tok.text, ")" | "]" | "}" | "?"),
    }
}

/// Returns `true` if there is a space between two tokens of an item.
pub(super) fn space(before: &Tok<'_>, tok: &Tok<'_>, after: Option<&Tok<'_>>, marks: &Marks) -> bool {
    let word = tok.text;
    let at = tok.start;
    if marks.codes.iter().any(|code| code.start < at && at < code.end) {
        return false;
    }
    if tok.kind == TokenKind::Sign {
        match word {
            ")" | "]" | "," | ":" | "?" | "." | ".." => return false,
            "}" => return tok.roomy && before.text != "{",
            "+" if after.is_some_and(|after| after.text == ":" && after.kind == TokenKind::Sign) => {
                return false;
            }
            "(" | "[" if before.kind == TokenKind::Word => {
                return before.leads;
            }
            "(" | "[" if before.kind == TokenKind::Sign && matches!(before.text, ")" | "]" | "}") => {
                return false;
            }
            _ => {}
        }
    }
    if before.kind == TokenKind::Sign {
        match before.text {
            "(" | "[" | "." | ".." => return false,
            "{" if !marks.blocks.contains_key(&before.start) => return before.roomy,
            "-" if before.unary => return false,
            _ => {}
        }
    }
    true
}
