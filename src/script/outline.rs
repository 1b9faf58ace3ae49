//! From the text of a script to its functions, and what they name.

use std::collections::BTreeSet;

use rhai::{AST, ASTNode, Expr, FnPtr, ParseErrorType, Position, Stmt};

use super::limits::Limits;
use super::said;
use super::sandbox::{self, REFUSED};
use crate::diagnostic::{Diagnostic, FileId, Span};
use crate::lang::model::ScriptFunction;

/// What leaves something to chance.
pub(super) const DRAWING: [&str; 2] = ["roll", "pick"];

/// A script that has been read.
#[derive(Clone, Debug)]
pub struct Script {
    pub(super) ast: AST,
    pub(super) text: Text,
    /// Its functions, as the rules need to know them.
    pub functions: Vec<ScriptFunction>,
    /// Words behind the first parameter of a function, which is the game.
    pub(super) words: Vec<Word>,
    /// What is called that is not behind the game.
    pub(super) calls: Vec<(String, Position)>,
}

impl Script {
    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text.text
    }
}

/// A word behind the game: `g.word`.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) word: String,
    /// It is called: `g.word(…)`.
    pub(super) called: bool,
    pub(super) at: Position,
}

impl Script {
    /// Its first line.
    pub(super) fn whole(&self) -> Span {
        self.text.whole()
    }

    /// The place of a function's name in its head.
    pub(super) fn head(&self, name: &str) -> Option<Span> {
        self.functions.iter().find(|function| function.name == name).map(|function| function.span)
    }
}

/// Where a script stands: a whole file, or a part of one.
#[derive(Clone, Debug)]
pub(super) struct Text {
    file: FileId,
    /// Where in the file it begins.
    first: usize,
    text: String,
}

impl Text {
    /// A place in the script: a word, or a single character.
    pub(super) fn span(&self, at: Position) -> Option<Span> {
        let (line, column) = (at.line()?, at.position().unwrap_or(1));
        let start: usize = self.text.split_inclusive('\n').take(line - 1).map(str::len).sum();
        let line = self.text.get(start..)?.split('\n').next()?;
        let before: usize = line.chars().take(column.saturating_sub(1)).map(char::len_utf8).sum();
        let rest = &line[before..];
        let word: usize =
            rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').map(char::len_utf8).sum();
        let len = if word > 0 { word } else { rest.chars().next().map_or(0, char::len_utf8) };
        let start = self.first + start + before;
        Some(Span::new(self.file, start, start + len))
    }

    /// What stands there.
    fn at(&self, span: Span) -> &str {
        let (start, end) = (span.start as usize - self.first, span.end as usize - self.first);
        self.text.get(start..end).unwrap_or_default()
    }

    /// The word or the run of signs that stands there.
    fn symbol(&self, at: Position) -> &str {
        let Some(span) = self.span(at) else { return "" };
        let rest = self.text.get(span.start as usize - self.first..).unwrap_or_default();
        let word = self.at(span);
        if word.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
            return word;
        }
        let sign = |c: char| "+-=>?".contains(c);
        let signs = rest.find(|c| !sign(c)).unwrap_or(rest.len());
        if signs > 0 { &rest[..signs] } else { word.trim() }
    }

    /// What stands in front of a place, on its line.
    fn before(&self, span: Span) -> &str {
        let before = self.text.get(..span.start as usize - self.first).unwrap_or_default();
        before.rsplit('\n').next().unwrap_or_default()
    }

    fn whole(&self) -> Span {
        Span::new(self.file, self.first, self.first + self.text.find('\n').unwrap_or(self.text.len()))
    }

    /// The name in the head of a function whose body begins somewhere.
    fn head(&self, name: &str, body: Position) -> Option<Span> {
        let body = self.span(body)?.start as usize - self.first;
        let before = self.text.get(..body)?;
        let at = before.rmatch_indices("fn").find_map(|(at, _)| {
            let rest = &before[at + 2..];
            let skipped = rest.len() - rest.trim_start().len();
            (skipped > 0 && rest.trim_start().starts_with(name)).then_some(at + 2 + skipped)
        })?;
        Some(Span::new(self.file, self.first + at, self.first + at + name.len()))
    }
}

/// Reads a script, the `number`th of a game, that stands in a file from some place on.
pub fn parse(
    number: u32,
    text: &str,
    (file, first): (FileId, usize),
    limits: &Limits,
) -> Result<Script, Vec<Diagnostic>> {
    let text = Text { file, first, text: text.to_owned() };
    let engine = sandbox::engine(limits);
    let ast = match engine.compile(&text.text) {
        Ok(ast) => ast,
        Err(error) => {
            return Err(vec![
                own_instead(&text, &error, limits).unwrap_or_else(|| syntax_error(&text, &error)),
            ]);
        }
    };
    if let Some(own) = own_state(&text, &ast) {
        return Err(vec![own]);
    }
    let (mut functions, mut all) = (vec![], vec![]);
    for function in ast.iter_fn_def() {
        let mut found = Found { game: function.params.first().map(ToString::to_string), ..Found::default() };
        let mut alone = ast.clone_functions_only();
        alone.retain_functions(|_, _, name, params| {
            *name == *function.name && params == function.params.len()
        });
        alone.walk(&mut |path| {
            if let Some(node) = path.last() {
                found.look(node);
            }
            true
        });
        let span = text.head(&function.name, function.body.start_position()).unwrap_or_else(|| text.whole());
        functions.push(ScriptFunction {
            script: number,
            name: function.name.to_string(),
            params: function.params.iter().map(ToString::to_string).collect(),
            draws: found.draws,
            // A function without a name is called by the one that it stands in.
            called: function.name.starts_with("anon$"),
            names: std::mem::take(&mut found.names),
            span,
        });
        all.push(found);
    }
    reach(&mut functions, &all);
    // What is handed to a function of the script's own is the game if it is called as the game is elsewhere.
    let entries = functions.iter().zip(&all).filter(|(function, _)| !function.called);
    let games: BTreeSet<Option<String>> = entries.map(|(_, found)| found.game.clone()).collect();
    let (mut words, mut places) = (vec![], vec![]);
    for (function, found) in functions.iter().zip(all) {
        let has_game = !function.called || games.contains(&found.game);
        let own = if has_game { found.words } else { vec![] };
        // What is behind the game is looked for among its words.
        places.extend(found.places.into_iter().filter(|(_, at)| !own.iter().any(|word| word.at == *at)));
        words.extend(own);
    }
    if let Some(refused) = places.iter().find_map(|(name, at)| refused(&text, name, *at)) {
        return Err(vec![refused]);
    }
    functions.sort_by_key(|function| function.span);
    Ok(Script { ast, text, functions, words, calls: places })
}

/// What a function calls may leave something to chance, and read something, in its name.
fn reach(functions: &mut [ScriptFunction], found: &[Found]) {
    loop {
        let mut changed = false;
        for at in 0..functions.len() {
            for other in 0..functions.len() {
                if at == other || !found[at].calls.contains(&functions[other].name) {
                    continue;
                }
                changed |= !functions[other].called || (functions[other].draws && !functions[at].draws);
                functions[other].called = true;
                functions[at].draws |= functions[other].draws;
            }
        }
        if !changed {
            return;
        }
    }
}

/// What a function names.
#[derive(Default)]
struct Found {
    calls: BTreeSet<String>,
    places: Vec<(String, Position)>,
    names: Vec<String>,
    words: Vec<Word>,
    draws: bool,
    /// The function's first parameter.
    game: Option<String>,
}

impl Found {
    fn look(&mut self, node: &ASTNode<'_>) {
        match node {
            ASTNode::Expr(Expr::FnCall(call, at) | Expr::MethodCall(call, at))
            | ASTNode::Stmt(Stmt::FnCall(call, at)) => {
                self.draws |= DRAWING.contains(&call.name.as_str());
                self.calls.insert(call.name.to_string());
                if !call.is_operator_call() && call.name.starts_with(|c: char| c.is_alphabetic()) {
                    self.places.push((call.name.to_string(), *at));
                }
            }
            // A function without a name of its own, or by its name: `Fn("roll")`.
            ASTNode::Expr(Expr::DynamicConstant(value, _)) => {
                if let Some(function) = value.read_lock::<FnPtr>() {
                    self.calls.insert(function.fn_name().to_owned());
                }
            }
            ASTNode::Expr(Expr::StringConstant(text, _)) => {
                self.draws |= DRAWING.contains(&text.as_str());
                self.calls.insert(text.to_string());
                self.names.push(text.to_string());
            }
            ASTNode::Expr(Expr::Dot(parts, ..)) => {
                let Expr::Variable(variable, ..) = &parts.lhs else { return };
                if Some(variable.1.as_str()) != self.game.as_deref() {
                    return;
                }
                let (word, called, at) = match first_of(&parts.rhs) {
                    Expr::Property(property, at) => (property.2.to_string(), false, *at),
                    Expr::MethodCall(call, at) => (call.name.to_string(), true, *at),
                    _ => return,
                };
                self.names.push(word.clone());
                self.words.push(Word { word, called, at });
            }
            _ => {}
        }
    }
}

/// What comes first in a chain of fields and indices.
fn first_of(e: &Expr) -> &Expr {
    match e {
        Expr::Dot(parts, ..) | Expr::Index(parts, ..) => first_of(&parts.lhs),
        e => e,
    }
}

/// Where a name is unknown, it may be that of a variable outside of all functions.
fn own_instead(text: &Text, error: &rhai::ParseError, limits: &Limits) -> Option<Diagnostic> {
    let ParseErrorType::VariableUndefined(name) = error.err_type() else { return None };
    let mut engine = sandbox::engine(limits);
    engine.set_strict_variables(false);
    let ast = engine.compile(&text.text).ok()?;
    let declares = |stmt: &Stmt| matches!(stmt, Stmt::Var(variable, ..) if variable.0.name.as_str() == name);
    ast.statements().iter().any(declares).then(|| own_state(text, &ast)).flatten()
}

/// What stands outside of functions would be a memory of the script's own.
fn own_state(text: &Text, ast: &AST) -> Option<Diagnostic> {
    let mut stray = ast.statements().iter().filter(|stmt| !stmt.is_noop());
    stray.next().map(|stmt| {
        let span = text.span(stmt.position()).unwrap_or_else(|| text.whole());
        let what = match stmt {
            Stmt::Var(variable, ..) => {
                format!("scripts can't have global constants or variables: `{}`", variable.0.name)
            }
            _ => "scripts can't have statements outside their functions".to_owned(),
        };
        Diagnostic::error("script-state", span, what)
            .label("declared outside a function")
            .note("all state is declared in the rules, so that a game can be cloned, saved and replayed")
            .help("declare a `var` in the rules and write `g.NAME`, or use `let` inside a function")
    })
}

/// What is said of a word that scripts can't have.
fn refused(text: &Text, word: &str, at: Position) -> Option<Diagnostic> {
    let (word, why) = REFUSED.iter().find(|(refused, _)| *refused == word)?;
    let span = text.span(at).unwrap_or_else(|| text.whole());
    let message = format!("`{word}` can't be used in scripts");
    Some(Diagnostic::error("script-refused", span, message).help(*why))
}

fn syntax_error(text: &Text, error: &rhai::ParseError) -> Diagnostic {
    let span = text.span(error.position()).unwrap_or_else(|| text.whole());
    let word = match error.err_type() {
        ParseErrorType::Reserved(word) => word.as_str(),
        ParseErrorType::BadInput(rhai::LexError::ImproperSymbol(word, _)) => word.as_str(),
        _ => text.at(span),
    };
    if let Some(refused) = refused(text, word, error.position()) {
        return refused;
    }
    let (message, help) = said::reading(error.err_type(), text.symbol(error.position()), text.before(span));
    let d = Diagnostic::error("script-syntax", span, message);
    match help {
        Some(help) => d.help(help),
        None => d,
    }
}

/// A sentence as messages have it.
pub(super) fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    let second = chars.clone().nth(1);
    match chars.next() {
        // Not of a name.
        Some(first) if second.is_none_or(|c| !c.is_uppercase()) => {
            first.to_lowercase().chain(chars).collect()
        }
        _ => text.to_owned(),
    }
}
