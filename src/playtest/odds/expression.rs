//! Expressions with dice written in place, as games: `sum n in 1..3: highest(4d6, n)`.
//!
//! The expression becomes the score of a game for one player, who rolls its dice and then stops. So all that the language
//! says of dice can be said here, and messages about the game are turned back to the expression.

use std::ops::Range;

use houserule_language::diagnostic::{Diagnostic, FileId, Severity, SourceMap, Span};
use houserule_language::syntax::parse_expression;
use houserule_language::syntax::split::pieces::{PieceKind, TextPiece, pieces};
use houserule_language::syntax::split::tokens::TokenKind;
use houserule_language::vocabulary::keywords;
use houserule_loader::{LoadError, Loaded, Request, bundled, load_text};

/// The name of the expression in messages.
const NAME: &str = "expression";

/// Returns `true` if a text names a game: a bundled one or a rule file, perhaps with variants.
pub fn is_game_name(text: &str) -> bool {
    let first = text.split(['+', '#']).next().unwrap_or_default().trim();
    let is_word = first.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
    let first_is_file =
        text.split('+').any(|part| part.split('#').next().is_some_and(|of| of.trim().ends_with(".rules")));
    first_is_file || bundled::find(first).is_some() || is_word && text.trim() == first && !has_dice(first)
}

/// Returns `true` if a word is a die, or a number.
fn has_dice(word: &str) -> bool {
    let number = word.trim_start_matches(|c: char| c.is_ascii_digit());
    number.is_empty() || is_die(number)
}

/// Returns `true` for the word `d6`, with any number.
fn is_die(word: &str) -> bool {
    let faces = word.strip_prefix('d').unwrap_or_default();
    !faces.is_empty() && faces.bytes().all(|b| b.is_ascii_digit())
}

/// Makes a game of an expression. Declarations and statements may stand before it, each with a `;` after it.
pub fn load_expression(text: &str) -> Result<Loaded, LoadError> {
    let mut writer = ExpressionWriter::new(text);
    let written = writer.game();
    // The expression by itself first, so that a missing bracket isn't sought in the rules around it.
    let (_, diagnostics) = parse_expression(FileId(0), &written.lone.text);
    if diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        return Err(writer.trace_back(diagnostics, &written.lone));
    }
    match load_text(text, &written.game.text, &Request::default()) {
        Err(LoadError::Rules { diagnostics, .. }) => Err(writer.trace_back(diagnostics, &written.game)),
        loaded => loaded,
    }
}

/// A part of a rule text: a part of the expression, or text that was made for one.
#[derive(Clone, Debug)]
enum TextPart {
    /// These bytes of the expression.
    Copied(Range<usize>),
    /// A text, and the bytes of the expression for which it was made.
    Made(String, Option<Range<usize>>),
}

fn made(text: impl Into<String>) -> TextPart {
    TextPart::Made(text.into(), None)
}

/// A text with the origins of its parts.
#[derive(Default)]
struct TracedText {
    text: String,
    /// Bytes of the text, the bytes of the expression that they stand for, and whether they are copied.
    origins: Vec<(Range<usize>, Range<usize>, bool)>,
}

impl TracedText {
    fn add(&mut self, expression: &str, parts: &[TextPart]) {
        for part in parts {
            let at = self.text.len();
            match part {
                TextPart::Copied(range) => {
                    self.text.push_str(&expression[range.clone()]);
                    self.origins.push((at..self.text.len(), range.clone(), true));
                }
                TextPart::Made(text, origin) => {
                    self.text.push_str(text);
                    if let Some(origin) = origin {
                        self.origins.push((at..self.text.len(), origin.clone(), false));
                    }
                }
            }
            self.text.push(' ');
        }
    }

    /// Returns the bytes of the expression for a span of the text, or of the whole expression if there are none.
    fn origin(&self, span: Span, whole: usize) -> Range<usize> {
        let span = span.start as usize..span.end as usize;
        let touched = self.origins.iter().filter(|(at, ..)| {
            at.start < span.end && span.start < at.end || span.is_empty() && at.contains(&span.start)
        });
        let touched = touched.map(|(at, origin, copied)| match copied {
            true => {
                let start = origin.start + span.start.saturating_sub(at.start);
                let end = origin.start + span.end.min(at.end) - at.start;
                start..end
            }
            false => origin.clone(),
        });
        touched.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end)).unwrap_or(0..whole)
    }
}

/// The texts made of an expression.
struct ExpressionTexts {
    /// The game.
    game: TracedText,
    /// The expression with its dice named.
    lone: TracedText,
}

struct ExpressionWriter<'t> {
    text: &'t str,
    tokens: Vec<TextPiece>,
    /// Declarations of the game.
    declarations: Vec<TextPart>,
    /// Names that were made, and the parts of the expression for which.
    names: Vec<(String, String)>,
}

/// An expression with named dice, and what happens before it is evaluated.
#[derive(Default)]
struct PreparedExpression {
    before: Vec<TextPart>,
    value: Vec<TextPart>,
}

impl<'t> ExpressionWriter<'t> {
    fn new(text: &'t str) -> ExpressionWriter<'t> {
        let tokens = pieces(text).into_iter().filter(|piece| piece.kind != PieceKind::Comment).collect();
        ExpressionWriter { text, tokens, declarations: vec![], names: vec![] }
    }

    fn word(&self, at: usize) -> &'t str {
        self.tokens.get(at).map_or("", |token| &self.text[token.range()])
    }

    fn range(&self, from: usize, to: usize) -> Range<usize> {
        self.tokens[from].start..self.tokens[to - 1].end
    }

    fn copied(&self, at: usize) -> TextPart {
        TextPart::Copied(self.tokens[at].range())
    }

    /// Returns a name that is neither in the text nor made before.
    fn name(&mut self, word: &str, stands_for: Range<usize>) -> String {
        let known = |name: &str| {
            self.names.iter().any(|(known, _)| known == name)
                || (0..self.tokens.len()).any(|at| self.word(at) == name)
        };
        let name = (1..).map(|n| format!("{word}_{n}")).find(|name| !known(name)).unwrap_or_default();
        self.names.push((name.clone(), self.text[stands_for].to_owned()));
        name
    }

    /// Writes the game.
    fn game(&mut self) -> ExpressionTexts {
        let mut depth = 0;
        let mut ends: Vec<usize> = vec![];
        for at in 0..self.tokens.len() {
            match self.word(at) {
                "{" | "(" | "[" => depth += 1,
                "}" | ")" | "]" => depth -= 1,
                ";" if depth == 0 => ends.push(at),
                _ => {}
            }
        }
        let mut before = self.first_rolls();
        let mut from = 0;
        for end in ends {
            let prepared = self.prepared(from..end);
            if self.is_declaration(from) {
                self.declarations.extend(prepared.value);
                self.declarations.push(made("\n"));
            } else {
                before.extend(prepared.before);
                before.extend(prepared.value);
                before.push(made("\n"));
            }
            from = end + 1;
        }
        let prepared = self.prepared(from..self.tokens.len());
        before.extend(prepared.before);
        let mut game = TracedText::default();
        let mut add = |parts: &[TextPart]| game.add(self.text, parts);
        add(&[made("/// The odds of an expression.\ngame \"Expression\" {\nplayers 1\n")]);
        add(&self.declarations);
        add(&[made("turn {\n")]);
        add(&before);
        add(&[made("}\nend over when turns[me] == 1\nscore { value: 0 + (")]);
        add(&prepared.value);
        add(&[made(") }\n}\n")]);
        let mut lone = TracedText::default();
        lone.add(self.text, &prepared.value);
        ExpressionTexts { game, lone }
    }

    fn is_declaration(&self, at: usize) -> bool {
        let declares = keywords::keyword(self.word(at)).is_some_and(|word| word.has(keywords::DECLARATION));
        declares && self.tokens.get(at + 1).is_some_and(|next| next.is(TokenKind::Word))
    }

    /// Rolls the declared dice of which no statement rolls all.
    fn first_rolls(&self) -> Vec<TextPart> {
        let mut rolls = vec![];
        for at in 0..self.tokens.len() {
            if self.word(at) != "dice" || self.word(at + 2) != ":" {
                continue;
            }
            let name = self.word(at + 1);
            let is_rolled = |of: usize| {
                matches!(self.word(of), "roll" | ",")
                    && self.word(of + 1) == name
                    && self.word(of + 2) != "among"
            };
            let rolled = (0..self.tokens.len()).find(|of| self.word(*of) == "roll");
            if !rolled.is_some_and(|from| (from..self.tokens.len()).any(is_rolled)) {
                rolls.extend([made("roll"), self.copied(at + 1), made("\n")]);
            }
        }
        rolls
    }

    /// Returns the number of tokens of the dice that are written here: `4d6`, `4 of d6` or `d6`.
    fn dice_at(&self, at: usize) -> Option<usize> {
        let number = self.tokens.get(at)?.is(TokenKind::Number);
        match number {
            true if is_die(self.word(at + 1)) => Some(2),
            true if self.word(at + 1) == "of" && is_die(self.word(at + 2)) => Some(3),
            false if is_die(self.word(at)) => Some(1),
            _ => None,
        }
    }

    /// Returns the number and the kind of the dice that are written here.
    fn count_of(&self, at: usize, tokens: usize) -> Vec<TextPart> {
        let count = if tokens > 1 { self.copied(at) } else { made("1") };
        vec![count, made("of"), self.copied(at + tokens - 1)]
    }

    /// Names the dice of an expression, and rolls them.
    fn prepared(&mut self, of: Range<usize>) -> PreparedExpression {
        let mut prepared = PreparedExpression::default();
        let mut at = of.start;
        while at < of.end {
            at = self
                .highest(at, &mut prepared)
                .or_else(|| self.declared_dice(at, &mut prepared))
                .or_else(|| self.repeated(at, of.end, &mut prepared))
                .or_else(|| self.dice(at, &mut prepared))
                .unwrap_or_else(|| {
                    prepared.value.push(self.copied(at));
                    at + 1
                });
        }
        prepared
    }

    /// Names dice. Returns the token after them.
    fn dice(&mut self, at: usize, prepared: &mut PreparedExpression) -> Option<usize> {
        let tokens = self.dice_at(at)?;
        let origin = self.range(at, at + tokens);
        let name = self.name("dice", origin.clone());
        let count = self.count_of(at, tokens);
        let named = TextPart::Made(name, Some(origin));
        self.declarations.extend([made("dice"), named.clone(), made(":")]);
        self.declarations.extend(count);
        self.declarations.push(made("each game\n"));
        prepared.before.extend([made("roll"), named.clone(), made("\n")]);
        prepared.value.push(named);
        Some(at + tokens)
    }

    /// Copies the dice of a declaration, which stay until they are rolled again: `dice cup: 4d6`.
    fn declared_dice(&mut self, at: usize, prepared: &mut PreparedExpression) -> Option<usize> {
        if self.word(at) != "dice" || self.word(at + 2) != ":" {
            return None;
        }
        let tokens = self.dice_at(at + 3)?;
        prepared.value.extend((at..at + 3).map(|token| self.copied(token)));
        prepared.value.extend(self.count_of(at + 3, tokens));
        let after = at + 3 + tokens;
        if !matches!(self.word(after), "each" | "match") {
            prepared.value.push(made("each game"));
        }
        Some(after)
    }

    /// Writes the sum of some dice: `sum of 4d6`, `sum of the 3 highest of 4d6`. Returns the token after it.
    fn highest(&mut self, at: usize, prepared: &mut PreparedExpression) -> Option<usize> {
        let mut from = at;
        if self.word(from) == "sum" && self.word(from + 1) == "of" {
            from += 2;
            if self.dice_at(from).is_some() {
                prepared.value.extend([self.copied(at), made("(")]);
                let after = self.dice(from, prepared);
                prepared.value.push(made(")"));
                return after;
            }
        }
        from += usize::from(self.word(from) == "the");
        let is_number = self.tokens.get(from)?.is(TokenKind::Number);
        if !is_number || !matches!(self.word(from + 1), "highest" | "lowest") || self.word(from + 2) != "of" {
            return None;
        }
        let name = self.name("place", self.range(at, from + 2));
        prepared.value.push(made(format!("(sum {name} in 1..")));
        prepared.value.extend([self.copied(from), made(":"), self.copied(from + 1), made("(")]);
        let after = match self.dice(from + 3, prepared) {
            Some(after) => after,
            None => {
                self.tokens.get(from + 3)?;
                prepared.value.push(self.copied(from + 3));
                from + 4
            }
        };
        prepared.value.push(made(format!(", {name}))")));
        Some(after)
    }

    /// Writes a value of several rolls: `max of 6 rolls: sum(3d6)`. Returns the token after it.
    fn repeated(&mut self, at: usize, end: usize, prepared: &mut PreparedExpression) -> Option<usize> {
        let word = self.word(at);
        let is_one = matches!(word, "any" | "all" | "count" | "sum" | "min" | "max");
        let rest = [self.word(at + 1), self.word(at + 3), self.word(at + 4)];
        if !is_one || rest != ["of", "rolls", ":"] {
            return None;
        }
        // As with other quantifiers, the value reaches as far to the right as it can.
        let (mut depth, mut after) = (0, at + 5);
        while after < end {
            match self.word(after) {
                "{" | "(" | "[" => depth += 1,
                "}" | ")" | "]" if depth == 0 => break,
                "," if depth == 0 => break,
                "}" | ")" | "]" => depth -= 1,
                _ => {}
            }
            after += 1;
        }
        let head = self.range(at, at + 4);
        let [total, number, now] = ["total", "roll", "now"].map(|word| self.name(word, head.clone()));
        let inner = self.prepared(at + 5..after);
        let (first, kind) = match word {
            "any" => ("false", "bool"),
            "all" => ("true", "bool"),
            _ => ("0", "int"),
        };
        self.declarations.push(made(format!("var {total}: {kind} = {first}\n")));
        prepared.before.push(made(format!("{total} = {first}\nfor {number} in 1..")));
        prepared.before.extend([self.copied(at + 2), made("{\n")]);
        prepared.before.extend(inner.before);
        let (open, close) = match word {
            "any" => ("if (".to_owned(), format!(") {{ {total} = true }}\n")),
            "all" => ("if not (".to_owned(), format!(") {{ {total} = false }}\n")),
            "count" => ("if (".to_owned(), format!(") {{ {total} += 1 }}\n")),
            "sum" => (format!("{total} = {total} + ("), ")\n".to_owned()),
            _ => {
                let sign = if word == "max" { ">" } else { "<" };
                let keep = format!(")\nif {number} == 1 or {now} {sign} {total} {{ {total} = {now} }}\n");
                (format!("let {now} = 0 + ("), keep)
            }
        };
        prepared.before.push(made(open));
        prepared.before.extend(inner.value);
        prepared.before.extend([made(close), made("}\n")]);
        prepared.value.push(TextPart::Made(total, Some(head)));
        Some(after)
    }

    /// Turns messages about a text back to the expression.
    fn trace_back(&self, diagnostics: Vec<Diagnostic>, traced: &TracedText) -> LoadError {
        let mut sources = SourceMap::default();
        let file = sources.add(NAME, self.text);
        let span = |span: &mut Span| {
            let origin = traced.origin(*span, self.text.len());
            *span = Span::new(file, origin.start, origin.end);
        };
        let words = |text: &mut String| {
            // `dice_1` is a part of `dice_10`, so later names come first.
            for (name, stands_for) in self.names.iter().rev() {
                *text = text.replace(name, stands_for);
            }
        };
        let told = |mut diagnostic: Diagnostic| {
            span(&mut diagnostic.primary.span);
            words(&mut diagnostic.message);
            words(&mut diagnostic.primary.text);
            diagnostic.secondary.iter_mut().for_each(|label| {
                span(&mut label.span);
                words(&mut label.text);
            });
            diagnostic.notes.iter_mut().chain(&mut diagnostic.help).for_each(words);
            diagnostic
        };
        let errors = diagnostics.into_iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
        LoadError::Rules { diagnostics: errors.map(told).collect(), sources, names: Default::default() }
    }
}
