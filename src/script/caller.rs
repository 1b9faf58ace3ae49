//! Calls script functions, and reports their runtime errors and unknown names.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rhai::{Caches, Dynamic, Engine, EvalAltResult, EvalContext, Position, Scope};

use super::limits::ScriptLimits;
use super::meter::{self, Deadline, Exceeded};
use super::outline::Script;
use super::value::kind;
use super::words::GameNames;
use super::{game, library, said, sandbox};
use houserule_base::interrupt;
use houserule_base::numbers::grouped;
use houserule_language::diagnostic::{Code, Diagnostic, did_you_mean};
use houserule_model::{Model, ScriptError};

/// Maximum number of scripts whose resolved function names a thread caches.
const MOST_RESOLVED: usize = 16;

/// Caches of resolved function names, by the number of the caller and the address of the script's functions.
type Resolved = Vec<((u64, usize), Box<Caches>)>;

thread_local! {
    static RESOLVED: RefCell<Resolved> = const { RefCell::new(vec![]) };
}

/// Functions that are built into Rhai itself.
const BUILT_IN: [&str; 5] = ["Fn", "call", "is_def_fn", "is_def_var", "type_of"];

/// An engine with the names of a game.
pub(super) struct Caller {
    /// A unique id.
    number: u64,
    pub(super) engine: Engine,
    pub(super) words: Arc<GameNames>,
    limits: ScriptLimits,
}

impl Caller {
    pub(super) fn new(model: &Model, limits: ScriptLimits) -> Caller {
        let mut engine = sandbox::engine(&limits);
        game::register(&mut engine);
        library::register(&mut engine);
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let words = GameNames::new(model);
        game::register_words(&mut engine, &words);
        Caller { number, engine, words: Arc::new(words), limits }
    }

    /// Returns the deadline of a call that begins now.
    pub(super) fn deadline(&self) -> Deadline {
        Deadline::after(self.limits.milliseconds)
    }

    /// Calls a function. The caller must have set up the script context. Returns an error if a limit is
    /// exceeded.
    pub(super) fn run(
        &self,
        script: &Script,
        name: &str,
        args: Vec<Dynamic>,
        deadline: Deadline,
    ) -> Result<Dynamic, Box<EvalAltResult>> {
        meter::begin(&self.limits, deadline);
        let lib = script.ast.shared_lib();
        let key = (self.number, Arc::as_ptr(lib) as usize);
        // Names are resolved once per thread, not in each call.
        let mut caches = RESOLVED.with_borrow_mut(|all| {
            let known = all.iter().position(|(known, _)| *known == key);
            known.map_or_else(Box::default, |at| all.remove(at).1)
        });
        let mut args = args;
        let call = || {
            let mut global = self.engine.new_global_runtime_state();
            global.lib.push(lib.clone());
            let mut scope = Scope::new();
            let mut context = EvalContext::new(&self.engine, &mut global, &mut caches, &mut scope, None);
            let mut args: Vec<&mut Dynamic> = args.iter_mut().collect();
            context.call_fn_raw(name, false, false, &mut args)
        };
        let said = catch_unwind(AssertUnwindSafe(call));
        let said = said.unwrap_or_else(|thrown| {
            interrupt::pass_on(thrown.as_ref());
            Err("houserule itself failed here, which is not the script's fault; please report it".into())
        });
        if said.is_ok() {
            RESOLVED.with_borrow_mut(|all| {
                if all.len() == MOST_RESOLVED {
                    // The least recently used.
                    all.remove(0);
                }
                all.push((key, caches));
            });
        }
        // `sort` and `dedup` continue after a limit has ended the function passed to them.
        if said.is_ok() && meter::exceeded().is_some() {
            return Err(EvalAltResult::ErrorTerminated(Dynamic::UNIT, Position::NONE).into());
        }
        said
    }

    /// Converts an error to a message with help.
    pub(super) fn mistake(&self, script: &Script, name: &str, error: &EvalAltResult) -> ScriptError {
        let error = error.unwrap_inner();
        let ScriptLimits { operations, calls, text, array, map, memory, milliseconds, .. } = self.limits;
        let limit = |name: &str, most: (String, u64)| {
            let (most, value) = most;
            let more = value.saturating_mul(10).min(ScriptLimits::most(name));
            format!(
                "a call may use at most {most}; write it shorter, or raise the limit: `--set script.{name}={more}`"
            )
        };
        let (message, help) = match error {
            EvalAltResult::ErrorTerminated(..) => match meter::exceeded() {
                Some(Exceeded::Memory) => (
                    "it takes too much memory".to_owned(),
                    limit("memory", (format!("{memory} MiB"), memory)),
                ),
                Some(Exceeded::Time) => (
                    "it takes too much time".to_owned(),
                    limit("milliseconds", (format!("{} ms", grouped(milliseconds)), milliseconds)),
                ),
                _ => (
                    "it runs for too long, perhaps in a loop that never ends".to_owned(),
                    limit("operations", (format!("{} operations", grouped(operations)), operations)),
                ),
            },
            EvalAltResult::ErrorStackOverflow(_) => (
                "too many functions call each other".to_owned(),
                limit("calls", (format!("{calls} functions inside of each other"), calls as u64)),
            ),
            EvalAltResult::ErrorDataTooLarge(what, _) => {
                let (kind, name, most) = match what.to_lowercase().as_str() {
                    what if what.contains("array") => {
                        ("list", "array", (format!("{array} elements"), array as u64))
                    }
                    what if what.contains("map") => ("map", "map", (format!("{map} entries"), map as u64)),
                    _ => ("text", "text", (format!("{text} characters"), text as u64)),
                };
                (format!("a {kind} grows too large"), limit(name, most))
            }
            error => said::running(script, error),
        };
        let span = Some(error.position()).filter(|at| *at != Position::NONE);
        let span = span.and_then(|at| script.text.span(at)).or_else(|| script.head(name));
        ScriptError { hook: name.to_owned(), message, help, span, file: None }
    }
}

/// Creates the error for a function whose result has the wrong type.
pub(super) fn wrong_answer(script: &Script, name: &str, wanted: &str, said: &Dynamic) -> Box<ScriptError> {
    Box::new(ScriptError {
        hook: name.to_owned(),
        message: format!("expected {wanted} as its result, found {}", kind(said)),
        help: "the last expression of a function is its result; an `if` without `else` may have none"
            .to_owned(),
        span: script.head(name),
        file: None,
    })
}

/// Returns errors for the names after `g.` that the game doesn't have.
pub(super) fn unknown_words(script: &Script, words: &GameNames, calls: &[&'static str]) -> Vec<Diagnostic> {
    let mut wrong = vec![];
    for word in &script.words {
        let known = match word.called {
            true => calls.contains(&word.word.as_str()),
            false => words.meaning(&word.word).is_some(),
        };
        let Some(span) = script.text.span(word.at).filter(|_| !known) else { continue };
        let all = words.all();
        let (message, among) = match word.called {
            true => (format!("`g` has no function `{}`", word.word), calls.to_vec()),
            false => (format!("the game has nothing called `{}`", word.word), all),
        };
        let d = Diagnostic::error(Code::ScriptWord, span, message);
        wrong.push(match did_you_mean(&word.word, among.iter().copied()) {
            Some(meant) => d.help(format!("did you mean `{meant}`?")),
            None => d.help(format!("there are {}", among.join(", "))),
        });
    }
    wrong
}

/// Returns the names of all functions that the scripts of rules can call without `g`.
pub fn functions() -> BTreeSet<String> {
    let mut engine = sandbox::engine(&ScriptLimits::default());
    game::register(&mut engine);
    library::register(&mut engine);
    callable(&engine)
}

/// Returns the names of all functions that a script can call with this engine.
pub(super) fn callable(engine: &Engine) -> BTreeSet<String> {
    let names = engine.collect_fn_metadata(None, |f| Some(f.metadata.name.to_string()), true);
    names.into_iter().chain(BUILT_IN.map(str::to_owned)).collect()
}

/// Returns errors for calls of functions that don't exist.
pub(super) fn unknown_functions(
    script: &Script,
    known: &BTreeSet<String>,
    calls: &[&'static str],
) -> Vec<Diagnostic> {
    let own = || script.functions.iter().map(|function| function.name.as_str());
    let mut wrong = vec![];
    for (name, at) in &script.calls {
        if known.contains(name) || own().any(|own| own == name) {
            continue;
        }
        let Some(span) = script.text.span(*at) else { continue };
        let message = format!("there is no function `{name}`");
        let d = Diagnostic::error(Code::ScriptFunction, span, message);
        let named = known.iter().map(String::as_str).filter(|known| known.starts_with(char::is_alphabetic));
        wrong.push(match did_you_mean(name, own().chain(named)) {
            Some(meant) if calls.contains(&meant) => d.help(format!("did you mean `g.{meant}`?")),
            Some(meant) => d.help(format!("did you mean `{meant}`?")),
            None => d,
        });
    }
    wrong
}
