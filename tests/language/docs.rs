//! Tests of `docs/language.md` and `docs/language-by-task.md`: every example is checked, and played or evaluated; and
//! every word of the language has an example in the first.
//!
//! The word after `rules` on a fence is the kind of the example:
//!
//! - `small`: the small game that the other examples are parts of, once;
//! - `game`: a complete game, played to the end by both executors without a warning;
//! - `variant`: a variant of the small game or of a bundled one, played likewise;
//! - `declarations`: put into the small game, in place of its declarations of the same kind and name;
//! - `script`: functions that the small game calls, played by both executors;
//! - `turn`: statements in place of the small game's turn, played for a round;
//! - `expr`: expressions with their values, `EXPRESSION // VALUE`, in the position of the fence `position`,
//!   evaluated by both executors; a line `with …` before them puts declarations into the small game.
//!
//! With `error` after that word, each line that ends in `// …` has exactly that error, and the other lines
//! have none.

use std::collections::BTreeSet;

use crate::agree::{Came, agree};
use crate::extent;
use crate::fences::{Fence, code, document, fences};
use crate::states::{position, slot};
use houserule::check::{CheckOptions, Checked};
use houserule::diagnostic::{Code, Diagnostic, FileId, RenderOptions, Severity, SourceMap, Span, render_all};
use houserule::game::values::value_text;
use houserule::game::{ActionId, Game, Identity, Seat, State};
use houserule::model::{
    CheckedExpr, CheckedExprKind, CheckedStmtKind, Content, DomainId, SlotId, Type, Value,
};
use houserule::oracle::{Driver, DriverStop, Halt, Situation};
use houserule::syntax::{Decl, DeclKind, Item, Variant, parse};
use houserule::variants::merge;
use houserule::vocabulary::{BuiltInName, Function, MATCH_KEYS, keyword, keywords};
use houserule::{check, oracle, syntax};

const LANGUAGE: &str = "docs/language.md";
const BY_TASK: &str = "docs/language-by-task.md";

/// Returns every example with its document.
fn all_examples() -> impl Iterator<Item = (&'static str, Fence)> {
    [LANGUAGE, BY_TASK]
        .into_iter()
        .flat_map(|path| fences(&document(path)).into_iter().map(move |f| (path, f)))
}

/// Returns the examples of a kind, each with its document.
fn examples(kind: &str) -> Vec<(&'static str, Fence)> {
    let all: Vec<_> = all_examples().filter(|(_, f)| f.info == kind).collect();
    assert!(!all.is_empty(), "there is no example `{kind}`");
    all
}

/// The small game.
fn small() -> String {
    let [(_, only)] = &examples("rules small")[..] else { panic!("there is one small game") };
    only.text.clone()
}

/// The drawn position of the small game.
fn drawn() -> String {
    let [(_, only)] = &examples("position")[..] else { panic!("there is one position") };
    only.text.clone()
}

/// Returns the kind and name of a declaration. Parts that a game has only once have no name.
fn key(decl: &Decl) -> (u32, String) {
    use DeclKind as D;
    let none = String::new();
    match &decl.kind {
        D::Param(t) | D::Var(t) | D::Table(t) => (0, t.name.text.clone()),
        D::Enum { name, .. }
        | D::Range { name, .. }
        | D::Record { name, .. }
        | D::Board { name, .. }
        | D::Edges { name, .. }
        | D::Zone { name, .. }
        | D::Dice { name, .. }
        | D::Piece { name, .. }
        | D::Team { name, .. }
        | D::Define { name, .. }
        | D::Procedure { name, .. } => (0, name.text.clone()),
        D::Players(..) => (1, none),
        D::Setup { name, .. } => (2, name.as_ref().map_or(none, |n| n.text.clone())),
        D::Turn(_) | D::Round(_) => (3, none),
        D::End { name, .. } => (4, name.as_ref().map_or(none, |n| n.text.clone())),
        D::Score(_) => (5, none),
        D::Winner(_) => (6, none),
        D::Ties(_) => (7, none),
        D::Limit(_) => (8, none),
        D::Payoff { .. } => (11, none),
        D::Match(_) => (9, none),
        D::Require(_) | D::Allow { .. } | D::Shown { .. } | D::Script(_) | D::Hole(_) => {
            (10, format!("{:?}", decl.span))
        }
    }
}

/// A text with its source file and the parser's messages.
struct Read {
    sources: SourceMap,
    small: syntax::GameDecl,
    messages: Vec<Diagnostic>,
}

impl Read {
    fn new() -> Read {
        let mut sources = SourceMap::default();
        let text = small();
        let file = sources.add(LANGUAGE, text.as_str());
        let (parsed, messages) = parse(file, &text);
        let Some(Item::Game(small)) = parsed.items.into_iter().next() else { panic!("no game:\n{text}") };
        Read { sources, small, messages }
    }

    fn items(&mut self, text: &str) -> Vec<Item> {
        let file = self.sources.add("example", text);
        let (parsed, messages) = parse(file, text);
        self.messages.extend(messages);
        parsed.items
    }

    /// Returns the small game with these declarations in place of its own.
    fn with(&mut self, declarations: &str) -> syntax::GameDecl {
        // The line breaks keep the lines of the example.
        let items = self.items(&format!("game \"Example\" {{ {declarations}\n}}"));
        let mut game = self.small.clone();
        let Some(Item::Game(example)) = items.into_iter().next() else { return game };
        for decl in example.decls {
            match game.decls.iter_mut().find(|d| key(d) == key(&decl)) {
                Some(old) => *old = decl,
                None => game.decls.push(decl),
            }
        }
        game
    }

    fn check(&mut self, game: &syntax::GameDecl) -> Checked {
        let mut checked = check::check(game, &[], &[], &CheckOptions::default());
        let mut messages = std::mem::take(&mut self.messages);
        messages.append(&mut checked.diagnostics);
        checked.diagnostics = messages;
        checked
    }

    fn shown(&self, messages: &[Diagnostic]) -> String {
        render_all(messages, &self.sources, RenderOptions::default())
    }

    /// Loads a game. Allows only warnings that a part of a game can't avoid.
    fn playable(&mut self, game: &syntax::GameDecl) -> Game {
        let checked = self.check(game);
        let odd: Vec<Diagnostic> = checked
            .diagnostics
            .iter()
            .filter(|d| {
                let is_part = matches!(d.code, Code::Unused | Code::NeverRead | Code::NeverChanged);
                d.severity == Severity::Error || !is_part
            })
            .cloned()
            .collect();
        assert!(odd.is_empty() && checked.model.is_some(), "{}", self.shown(&checked.diagnostics));
        compiled(checked)
    }
}

fn compiled(checked: Checked) -> Game {
    let model = checked.model.expect("a model");
    Game::new(model, Identity::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// Plays random games with both executors.
fn play(game: &Game, games: u64) {
    for index in 0..games {
        assert_ne!(agree(game, 7, index, 300), Came::Failed, "game {index} of {}", game.model().title);
    }
}

/// Calls `f` with every example of a kind, and names the example that fails.
fn each(kind: &str, mut f: impl FnMut(&Fence)) {
    for (path, example) in examples(kind) {
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| f(&example)));
        if let Err(error) = done {
            let why = error.downcast_ref::<String>().map_or("", String::as_str);
            panic!("{path}:{}: this example is not true:\n{}\n{why}", example.line, example.text);
        }
    }
}

const KINDS: [&str; 7] = ["small", "game", "variant", "declarations", "script", "turn", "expr"];

#[test]
fn every_example_is_of_a_kind_that_is_checked() {
    for (path, fence) in all_examples() {
        let mut words = fence.info.split(' ');
        let known = match words.next() {
            Some("rules") => {
                words.next().is_some_and(|kind| KINDS.contains(&kind))
                    && matches!(words.next(), None | Some("error"))
            }
            Some("position") => true,
            _ => false,
        };
        assert!(known, "{path}:{}: an example of kind `{}`", fence.line, fence.info);
    }
}

#[test]
fn games_are_played() {
    for kind in ["rules small", "rules game"] {
        each(kind, |example| {
            let (checked, shown) = crate::checked::check_text(&example.text, &CheckOptions::default());
            assert!(checked.model.is_some() && checked.diagnostics.is_empty(), "{shown}");
            let game = compiled(checked);
            for index in 0..extent::tries(5, 20) {
                assert_eq!(agree(&game, 3, index, u32::MAX), Came::Over);
            }
        });
    }
}

#[test]
fn variants_are_played() {
    let mut read = Read::new();
    each("rules variant", |example| {
        let items = read.items(&example.text);
        let variants: Vec<&Variant> =
            items.iter().filter_map(|i| if let Item::Variant(v) = i { Some(v) } else { None }).collect();
        assert!(!variants.is_empty(), "{}", read.shown(&read.messages));
        let game = match variants[0].of.text.as_str() {
            "small" => {
                let (merged, messages) = merge(&read.small, &variants);
                assert!(messages.is_empty(), "{}", read.shown(&messages));
                read.playable(&merged.game)
            }
            _ => {
                let request = houserule::loader::Request::default();
                let loaded = houserule::loader::load_text("example", &example.text, &request);
                loaded.unwrap_or_else(|error| panic!("{error}")).game
            }
        };
        play(&game, 10);
    });
}

#[test]
fn scripts_have_a_part_in_the_small_game() {
    each("rules script", |example| {
        let text = small();
        let (rules, _) = text.rsplit_once('}').expect("the end of the game");
        let text = format!("{rules}script \"\"\"\n{}\"\"\"\n}}", example.text);
        let loaded = houserule::loader::load_text("example", &text, &houserule::loader::Request::default());
        play(&loaded.unwrap_or_else(|error| panic!("{error}")).game, 20);
    });
}

#[test]
fn declarations_fit_into_the_small_game() {
    let mut read = Read::new();
    each("rules declarations", |example| {
        let game = read.with(&example.text);
        play(&read.playable(&game), 5);
    });
}

/// Returns the identifiers of a text that aren't keywords, without those in texts and comments, with their places.
fn identifiers(text: &str) -> Vec<(usize, &str)> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let (mut found, mut at) = (vec![], 0);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = match c {
            '"' if rest.starts_with("\"\"\"") => rest[3..].find("\"\"\"").map_or(rest.len(), |n| n + 6),
            '"' => rest[1..].find('"').map_or(rest.len(), |n| n + 2),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '@' => 1 + rest[1..].find(|c: char| !is_word(c) && c != ':').unwrap_or(rest.len() - 1),
            c if is_word(c) => rest.find(|c: char| !is_word(c)).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        let word = &rest[..length];
        if word == "allow" {
            // The code of a warning follows.
            at += rest.find('"').unwrap_or(rest.len());
            continue;
        }
        let is_die = word.strip_prefix('d').is_some_and(|n| n.parse::<u32>().is_ok());
        if c.is_ascii_alphabetic() && !is_die && keyword(word).is_none() {
            found.push((at, word));
        }
        at += length;
    }
    found
}

#[test]
fn every_name_in_an_example_is_resolved() {
    let mut count = 0;
    for kind in ["rules declarations", "rules turn"] {
        each(kind, |example| {
            let mut read = Read::new();
            let text = match kind {
                "rules turn" => turn(&example.text),
                _ => example.text.clone(),
            };
            let game = read.with(&text);
            let names = read.check(&game).names;
            // The small game is the first file, and the example the second.
            let (file, source) = read.sources.iter().last().expect("the example");
            for (at, word) in identifiers(&source.text) {
                let span = Span::new(file, at, at + word.len());
                assert!(names.at(span).is_some(), "`{word}` is not resolved");
                count += 1;
            }
        });
    }
    assert!(count > 500, "{count}");
}

/// Returns rules with a turn, and an end after one round.
fn turn(text: &str) -> String {
    format!("turn {{ {text}\n}}\nend example of round when true")
}

#[test]
fn turns_are_played() {
    let mut read = Read::new();
    each("rules turn", |example| {
        let game = read.with(&turn(&example.text));
        play(&read.playable(&game), 20);
    });
}

/// `CODE  // COMMENT`
fn commented(line: &str) -> Option<(&str, &str)> {
    let (code, comment) = line.rsplit_once("// ")?;
    let (code, comment) = (code.trim(), comment.trim());
    (!code.is_empty() && !comment.is_empty()).then_some((code, comment))
}

#[test]
fn wrong_examples_get_the_message_that_is_stated() {
    let mut stated = 0;
    for kind in ["declarations", "turn", "expr"] {
        let kind = format!("rules {kind} error");
        if all_examples().all(|(_, f)| f.info != kind) {
            continue;
        }
        each(&kind, |example| {
            let parts: Vec<String> = match kind.as_str() {
                "rules expr error" => example.text.lines().map(|l| turn(&format!("let e = {l}"))).collect(),
                "rules turn error" => vec![turn(&example.text)],
                _ => vec![example.text.clone()],
            };
            for text in parts {
                let mut read = Read::new();
                let game = read.with(&text);
                let checked = read.check(&game);
                let mut found: Vec<(usize, String)> = vec![];
                for d in checked.diagnostics.iter().filter(|d| d.severity == Severity::Error) {
                    assert_ne!(d.primary.span.file, FileId(0), "{}", read.shown(&checked.diagnostics));
                    let line = read.sources.line_column(d.primary.span).line;
                    found.push((line, d.message.clone()));
                }
                let told: Vec<(usize, String)> = (1..)
                    .zip(text.lines())
                    .filter_map(|(n, line)| commented(line).map(|(_, told)| (n, told.to_owned())))
                    .collect();
                found.sort_unstable();
                assert_eq!(found, told, "{}", read.shown(&checked.diagnostics));
                stated += told.len();
            }
        });
    }
    assert!(stated > 10);
}

/// A driver that takes the first action, once.
struct Once(bool);

impl Driver for Once {
    fn choose(&mut self, _: &Situation<'_>, legal: &[ActionId]) -> Result<ActionId, DriverStop> {
        let first = !std::mem::replace(&mut self.0, true);
        legal.first().copied().filter(|_| first).ok_or(DriverStop)
    }

    fn chance(&mut self, _: &Situation<'_>, _: u64) -> Result<u64, DriverStop> {
        Err(DriverStop)
    }
}

/// An expression and the value stated for it.
struct Stated<'a> {
    line: usize,
    expr: &'a str,
    value: &'a str,
}

#[test]
fn expressions_have_the_values_that_are_stated() {
    each("rules expr", |example| {
        let mut wrong = String::new();
        let mut stated = vec![];
        let mut with = String::new();
        for (at, line) in example.text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
            if let Some(declarations) = line.strip_prefix("with ") {
                with += declarations;
                with.push('\n');
                continue;
            }
            let (expr, value) = commented(line).unwrap_or_else(|| panic!("no value is stated: {line}"));
            stated.push(Stated { line: example.line + at, expr, value });
        }
        let last = stated.len();
        let tests: Vec<String> =
            (1..).zip(&stated).map(|(n, s)| format!("passed[{n}] = ({}) == ({})", s.expr, s.value)).collect();
        let text = format!(
            "{with}var passed[1..{last}]: bool = false\nturn {{ choose test {{ test {{\n{}\nend game\n}} }} }}",
            tests.join("\n")
        );
        let mut read = Read::new();
        let game = read.with(&text);
        let game = read.playable(&game);
        let slot = slot(&game, "passed");
        let mut fast = begun(&game);
        let mut slow = slow_state(&fast);
        let action = fast.legal_actions()[0];
        fast.apply(action).unwrap_or_else(|error| panic!("{error}"));
        match oracle::resume(game.model(), &mut slow, &mut Once(false)) {
            Ok(_) => {}
            Err(Halt::Error(error)) => panic!("{error}"),
            Err(other) => panic!("{other:?}"),
        }
        for (at, stated) in stated.iter().enumerate() {
            let both = [fast.value(slot, at), slow.value(slot, at).clone()];
            if both != [Value::Bool(true), Value::Bool(true)] {
                let is = actual(&game, at);
                wrong += &format!(
                    "line {}: {} is {is} and not {}; fast and slow: {both:?}\n",
                    stated.line, stated.expr, stated.value
                );
            }
        }
        assert!(wrong.is_empty(), "{wrong}");
    });
}

/// Returns the drawn position. If lines are drawn between the cells, returns the state after the setup,
/// without dice.
fn begun(game: &Game) -> State {
    let boards = &game.model().boards;
    if boards.iter().any(|b| b.sides_of.is_some()) {
        return game.start(1, 0).unwrap_or_else(|error| panic!("{error}"));
    }
    // With several boards, the drawing shows the first.
    let heading = if boards.len() > 1 { "cell:\n" } else { "" };
    position(game, &format!("{heading}{}", drawn()))
}

/// Returns the same state for the reference interpreter.
fn slow_state(state: &State) -> oracle::SlotValues {
    let model = state.game().model();
    let mut slow = oracle::SlotValues::initial(model, Seat(0));
    for (at, slot) in (0..).zip(&model.slots) {
        for place in 0..slot.initial.len() {
            slow.set(SlotId(at), place, state.value(SlotId(at), place));
        }
    }
    slow
}

/// Returns the left side of the test at index `at`, unless it was folded away.
fn actual(game: &Game, at: usize) -> String {
    let body = &game.model().choices[0].options[0].body;
    let Some(CheckedStmtKind::Assign { value, .. }) = body.stmts.get(at).map(|s| &s.kind) else {
        return "?".into();
    };
    let left: &CheckedExpr = match &value.kind {
        CheckedExprKind::Same(a, _) | CheckedExprKind::Compare(_, a, _) => a,
        _ => value,
    };
    let state = slow_state(&begun(game));
    let content = match left.ty {
        Type::Element(domain) => Content::Element { domain, optional: true },
        Type::Set(domain) => Content::Set(domain),
        _ => Content::Set(DomainId(0)),
    };
    match oracle::value_of(game.model(), &state, left, Seat(0)) {
        Ok(value) => value_text(game, content, &value),
        Err(error) => error.to_string(),
    }
}

/// The position of the examples is the setup of the small game, with rolled dice.
#[test]
fn the_position_is_that_of_the_setup() {
    let mut read = Read::new();
    let small = read.small.clone();
    let game = read.playable(&small);
    let (set_up, drawn) = (game.start(1, 0).expect("a start"), position(&game, &drawn()));
    for (at, slot) in (0..).zip(&game.model().slots) {
        if set_up.keeps(SlotId(at)) && slot.name != "pair" {
            for place in 0..slot.initial.len() {
                let both = (set_up.value(SlotId(at), place), drawn.value(SlotId(at), place));
                assert_eq!(both.0, both.1, "{}", slot.name);
            }
        }
    }
}

fn words_of(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|w| !w.is_empty()).collect()
}

#[test]
fn every_word_of_the_language_is_told() {
    let code = code(&document(LANGUAGE));
    let told = words_of(&code);
    let topology = document("src/model/board/topology.rs");
    let directions =
        topology.lines().filter(|l| l.contains("direction(\"") || l.contains("across_a_side(\""));
    let directions = directions.flat_map(|l| l.split('"').skip(1).step_by(2));
    let names = BuiltInName::ALL.iter().map(|name| name.name());
    let functions = Function::ALL.iter().map(|function| function.name());
    let keywords = keywords::all().map(|keyword| keyword.word);
    let words: BTreeSet<&str> =
        keywords.chain(functions).chain(names).chain(MATCH_KEYS).chain(directions).collect();
    assert!(words.len() > 150, "{words:?}");
    let missing: Vec<&&str> = words.iter().filter(|w| !told.contains(**w)).collect();
    assert!(missing.is_empty(), "{LANGUAGE} says nothing of {missing:?}");
    // Declarations, statements and changes need an example; a mention isn't enough.
    let shown: String = fences(&document(LANGUAGE)).into_iter().map(|f| f.text).collect();
    let shown = words_of(&shown);
    let openings = keywords::with(keywords::DECLARATION | keywords::STATEMENT | keywords::EDIT);
    assert!(openings.len() > 50, "{openings:?}");
    let missing: Vec<&&str> = openings.iter().filter(|w| !shown.contains(**w)).collect();
    assert!(missing.is_empty(), "no example in {LANGUAGE} shows {missing:?}");
    // A function needs an example with a value.
    let examples: String = examples("rules expr")
        .into_iter()
        .filter(|(path, _)| *path == LANGUAGE)
        .map(|(_, f)| f.text)
        .collect();
    let shown = |f: &&str| examples.contains(&format!("{f}(")) || examples.contains(&format!("is {f}"));
    let functions = Function::ALL.iter().filter(|function| function.is_of_values());
    let missing: Vec<&str> = functions.map(|function| function.name()).filter(|f| !shown(f)).collect();
    assert!(missing.is_empty(), "no example shows the value of {missing:?}");
}

/// Returns the inline code of a text.
fn in_quotes(text: &str) -> BTreeSet<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Returns the words that the checker rejects with the code `not-yet`.
fn not_built() -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    let mut folders = vec![std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src/check"))];
    while let Some(folder) = folders.pop() {
        for file in std::fs::read_dir(folder).expect("the checker") {
            let path = file.expect("a file").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(path).expect("a text");
            let said = text.lines().filter(|l| l.contains("report_unsupported("));
            words.extend(said.flat_map(in_quotes).filter(|word| !word.contains('{')));
        }
    }
    words
}

#[test]
fn what_is_not_built_is_said_to_be_so() {
    let document = document(LANGUAGE);
    let part = document.split("## Not built yet").nth(1).expect("a part `Not built yet`");
    let (words, told) = (not_built(), in_quotes(part.split("```").next().unwrap_or("")));
    assert!(!words.is_empty());
    let missing: Vec<&String> = words.iter().filter(|w| !part.contains(&format!("`{w}`"))).collect();
    assert!(missing.is_empty(), "not built, and not said to be so: {missing:?}");
    let built: Vec<&String> = told.difference(&words).collect();
    assert!(built.is_empty(), "said not to be built: {built:?}");
}
