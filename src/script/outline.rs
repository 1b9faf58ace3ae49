//! Parses a script and lists its functions with the names that each uses.

use std::collections::BTreeSet;

use rhai::{AST, ASTNode, Expr, FnPtr, ParseErrorType, Position, Stmt};

use super::limits::ScriptLimits;
use super::said;
use super::sandbox::{self, REFUSED};
use houserule_language::diagnostic::{Code, Diagnostic, FileId, Span, without_lone_cr};
use houserule_model::ScriptFunction;

/// The functions that create chance events.
pub(super) const DRAWING: [&str; 2] = ["roll", "pick"];

/// The functions of the game whose first argument, a text, names something of the rules.
const NAMING: [&str; 2] = ["put", "empty"];

/// A parsed script.
#[derive(Clone, Debug)]
pub struct Script {
    pub(super) ast: AST,
    pub(super) text: ScriptText,
    /// Its functions, as the rules see them.
    pub functions: Vec<ScriptFunction>,
    /// Names accessed on a function's first parameter, the game: `g.NAME`.
    pub(super) words: Vec<NameAccess>,
    /// The functions called without the game.
    pub(super) calls: Vec<(String, Position)>,
}

impl Script {
    /// Returns the whole text.
    pub fn text(&self) -> &str {
        &self.text.text
    }
}

/// A name accessed on the game: `g.word`.
#[derive(Clone, Debug)]
pub(super) struct NameAccess {
    pub(super) word: String,
    /// Whether it is called: `g.word(…)`.
    pub(super) called: bool,
    pub(super) at: Position,
}

impl Script {
    /// Returns the span of the first line.
    pub(super) fn whole(&self) -> Span {
        self.text.whole()
    }

    /// Returns the span of a function's name in its definition.
    pub(super) fn head(&self, name: &str) -> Option<Span> {
        self.functions.iter().find(|function| function.name == name).map(|function| function.span)
    }
}

/// The text of a script and its position: a whole file, or a part of one.
#[derive(Clone, Debug)]
pub(super) struct ScriptText {
    file: FileId,
    /// The byte offset in the file where the script begins.
    first: usize,
    text: String,
}

impl ScriptText {
    /// Returns the span of the word or single character at a position.
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

    /// Returns the span of a word in quotes, without them, given where the opening one is. `None` if it is written with
    /// escapes.
    fn inside_quotes(&self, word: &str, at: Position) -> Option<Span> {
        let start = self.span(at)?.start as usize + 1;
        let span = Span::new(self.file, start, start + word.len());
        (self.at(span) == word).then_some(span)
    }

    /// Returns the text of a span.
    fn at(&self, span: Span) -> &str {
        let (start, end) = (span.start as usize - self.first, span.end as usize - self.first);
        self.text.get(start..end).unwrap_or_default()
    }

    /// Returns the word or the run of operator characters at a position.
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

    /// Returns the text before a span, on its line.
    fn before(&self, span: Span) -> &str {
        let before = self.text.get(..span.start as usize - self.first).unwrap_or_default();
        before.rsplit('\n').next().unwrap_or_default()
    }

    fn whole(&self) -> Span {
        Span::new(self.file, self.first, self.first + self.text.find('\n').unwrap_or(self.text.len()))
    }

    /// Returns the span of the name in the definition of a function, given where its body begins.
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

/// Parses the script with index `number` of a game. It begins at the byte offset `first` of `file`.
pub fn parse(
    number: u32,
    text: &str,
    file: FileId,
    first: usize,
    limits: &ScriptLimits,
) -> Result<Script, Vec<Diagnostic>> {
    let text = ScriptText { file, first, text: without_lone_cr(text).into_owned() };
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
        let mut found =
            UsedNames { game: function.params.first().map(ToString::to_string), ..UsedNames::default() };
        let mut alone = ast.clone_functions_only();
        alone.retain_functions(|_, _, name, params| {
            *name == *function.name && params == function.params.len()
        });
        alone.walk(&mut |path| {
            if let Some(node) = path.last() {
                found.visit(node);
            }
            true
        });
        let span = text.head(&function.name, function.body.start_position()).unwrap_or_else(|| text.whole());
        functions.push(ScriptFunction {
            script: number,
            name: function.name.to_string(),
            params: function.params.iter().map(ToString::to_string).collect(),
            draws: found.draws,
            // An anonymous function is called by the function that contains it.
            called: function.name.starts_with("anon$"),
            names: std::mem::take(&mut found.names),
            words: vec![],
            calls: vec![],
            span,
        });
        all.push(found);
    }
    reach(&mut functions, &all);
    // The first parameter of a helper function is taken for the game if it has the same name as in a function
    // that the rules call.
    let entries = functions.iter().zip(&all).filter(|(function, _)| !function.called);
    let games: BTreeSet<Option<String>> = entries.map(|(_, found)| found.game.clone()).collect();
    let heads: BTreeSet<String> = functions.iter().map(|function| function.name.clone()).collect();
    let has_game: Vec<bool> = functions
        .iter()
        .zip(&all)
        .map(|(function, found)| !function.called || games.contains(&found.game))
        .collect();
    let (mut words, mut places) = (vec![], vec![]);
    for ((function, found), has_game) in functions.iter_mut().zip(all).zip(has_game) {
        let own = if has_game { found.words } else { vec![] };
        // Names after the game are checked separately.
        let calls: Vec<(String, Position)> =
            found.places.into_iter().filter(|(_, at)| !own.iter().any(|word| word.at == *at)).collect();
        let named =
            own.iter().filter(|word| !word.called).map(|word| (word.word.as_str(), text.span(word.at)));
        let quoted = found.quoted.iter().filter(|_| has_game);
        let quoted = quoted.map(|(word, at)| (word.as_str(), text.inside_quotes(word, *at)));
        let placed = |(word, span): (&str, Option<Span>)| Some((word.to_owned(), span?));
        function.words = named.chain(quoted).filter_map(placed).collect();
        let called = calls.iter().filter(|(name, _)| heads.contains(name));
        function.calls =
            called.map(|(name, at)| (name.as_str(), text.span(*at))).filter_map(placed).collect();
        places.extend(calls);
        words.extend(own);
    }
    if let Some(refused) = places.iter().find_map(|(name, at)| refused(&text, name, *at)) {
        return Err(vec![refused]);
    }
    functions.sort_by_key(|function| function.span);
    Ok(Script { ast, text, functions, words, calls: places })
}

/// Propagates through calls: a function that calls one with chance events has them, too, and a called function
/// is marked as such.
fn reach(functions: &mut [ScriptFunction], found: &[UsedNames]) {
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

/// The names that a function uses.
#[derive(Default)]
struct UsedNames {
    calls: BTreeSet<String>,
    places: Vec<(String, Position)>,
    names: Vec<String>,
    words: Vec<NameAccess>,
    /// Texts that name something of the rules.
    quoted: Vec<(String, Position)>,
    draws: bool,
    /// The name of the function's first parameter.
    game: Option<String>,
}

impl UsedNames {
    fn visit(&mut self, node: &ASTNode<'_>) {
        match node {
            ASTNode::Expr(Expr::FnCall(call, at) | Expr::MethodCall(call, at))
            | ASTNode::Stmt(Stmt::FnCall(call, at)) => {
                self.draws |= DRAWING.contains(&call.name.as_str());
                self.calls.insert(call.name.to_string());
                if !call.is_operator_call() && call.name.starts_with(|c: char| c.is_alphabetic()) {
                    self.places.push((call.name.to_string(), *at));
                }
            }
            // An anonymous function, or a function given by its name: `Fn("roll")`.
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
                    Expr::MethodCall(call, at) => {
                        if let (true, Some(Expr::StringConstant(text, at))) =
                            (NAMING.contains(&call.name.as_str()), call.args.first())
                        {
                            self.quoted.push((text.to_string(), *at));
                        }
                        (call.name.to_string(), true, *at)
                    }
                    _ => return,
                };
                self.names.push(word.clone());
                self.words.push(NameAccess { word, called, at });
            }
            _ => {}
        }
    }
}

/// Returns the first part of a chain of fields and indices.
fn first_of(e: &Expr) -> &Expr {
    match e {
        Expr::Dot(parts, ..) | Expr::Index(parts, ..) => first_of(&parts.lhs),
        e => e,
    }
}

/// Returns the error about a global variable, if an unknown name is declared outside all functions.
fn own_instead(text: &ScriptText, error: &rhai::ParseError, limits: &ScriptLimits) -> Option<Diagnostic> {
    let ParseErrorType::VariableUndefined(name) = error.err_type() else { return None };
    let mut engine = sandbox::engine(limits);
    engine.set_strict_variables(false);
    let ast = engine.compile(&text.text).ok()?;
    let declares = |stmt: &Stmt| matches!(stmt, Stmt::Var(variable, ..) if variable.0.name.as_str() == name);
    ast.statements().iter().any(declares).then(|| own_state(text, &ast)).flatten()
}

/// Returns the error for the first statement outside functions: it would be state that the script keeps.
fn own_state(text: &ScriptText, ast: &AST) -> Option<Diagnostic> {
    let mut stray = ast.statements().iter().filter(|stmt| !stmt.is_noop());
    stray.next().map(|stmt| {
        let span = text.span(stmt.position()).unwrap_or_else(|| text.whole());
        let what = match stmt {
            Stmt::Var(variable, ..) => {
                format!("scripts can't have global constants or variables: `{}`", variable.0.name)
            }
            _ => "scripts can't have statements outside their functions".to_owned(),
        };
        Diagnostic::error(Code::ScriptState, span, what)
            .label("declared outside a function")
            .note("all state is declared in the rules, so that a game can be cloned, saved and replayed")
            .help("declare a `var` in the rules and write `g.NAME`, or use `let` inside a function")
    })
}

/// Returns the error for a name that scripts can't use.
fn refused(text: &ScriptText, word: &str, at: Position) -> Option<Diagnostic> {
    let (word, why) = REFUSED.iter().find(|(refused, _)| *refused == word)?;
    let span = text.span(at).unwrap_or_else(|| text.whole());
    let message = format!("`{word}` can't be used in scripts");
    Some(Diagnostic::error(Code::ScriptRefused, span, message).help(*why))
}

fn syntax_error(text: &ScriptText, error: &rhai::ParseError) -> Diagnostic {
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
    let d = Diagnostic::error(Code::ScriptSyntax, span, message);
    match help {
        Some(help) => d.help(help),
        None => d,
    }
}

/// Lower-cases the first letter of a sentence, for use in a message.
pub(super) fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    let second = chars.clone().nth(1);
    match chars.next() {
        // Not if it is an acronym.
        Some(first) if second.is_none_or(|c| !c.is_uppercase()) => {
            first.to_lowercase().chain(chars).collect()
        }
        _ => text.to_owned(),
    }
}
