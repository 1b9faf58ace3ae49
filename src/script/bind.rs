//! Scripts bound to a model and an engine, ready to be called.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, OnceLock};

use rhai::Dynamic;

use super::caller::{Caller, callable, unknown_functions, unknown_words, wrong_answer};
use super::context;
use super::limits::ScriptLimits;
use super::outline::Script;
use super::value::{GameHandle, Set};
use super::words::CALLS;
use houserule_language::diagnostic::Diagnostic;
use houserule_model::board::BitSet;
use houserule_model::{CallError, Hook, HookCall, HookKind, Model, Scripts, Type};

/// The scripts of a game.
struct BoundScripts {
    caller: Caller,
    scripts: Vec<Script>,
}

impl fmt::Debug for BoundScripts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bound").field("scripts", &self.scripts.len()).finish_non_exhaustive()
    }
}

/// Prepares the scripts of a model for calls. Returns errors for names that the game doesn't have.
pub fn bind(
    scripts: Vec<Script>,
    model: &Model,
    limits: ScriptLimits,
) -> Result<Arc<dyn Scripts>, Vec<Diagnostic>> {
    static KNOWN: OnceLock<BTreeSet<String>> = OnceLock::new();
    let caller = Caller::new(model, limits);
    let known = KNOWN.get_or_init(|| callable(&caller.engine));
    let unknown = |script| {
        [unknown_words(script, &caller.words, &CALLS), unknown_functions(script, known, &CALLS)].concat()
    };
    let wrong: Vec<Diagnostic> = scripts.iter().flat_map(unknown).collect();
    if !wrong.is_empty() {
        return Err(wrong);
    }
    Ok(Arc::new(BoundScripts { caller, scripts }))
}

impl Scripts for BoundScripts {
    fn call(&self, call: HookCall<'_>) -> Result<i64, CallError> {
        let Some(hook) = self.caller.words.model.hooks.get(call.hook as usize) else {
            return Err(CallError::none());
        };
        let Some(script) = self.scripts.get(hook.script as usize) else { return Err(CallError::none()) };
        let only_reads = hook.kind != HookKind::Effect;
        let HookCall { args, me, places, words, hidden, draw, .. } = call;
        let mut drawn = vec![];
        let deadline = self.caller.deadline();
        let said = loop {
            context::lay(
                &self.caller.words,
                places,
                &words[..usize::from(places.end)],
                me,
                only_reads,
                &drawn,
            );
            context::hide(hidden);
            let args = self.arguments(hook, args, places.width);
            let said = self.caller.run(script, &hook.name, args, deadline);
            match (said, context::wanted()) {
                (Err(_), Some(outcomes)) => match draw(outcomes) {
                    // `draw` may have called other scripts, so the context is set up again.
                    Some(outcome) => drawn.push(outcome),
                    None => break Err(CallError::Waits),
                },
                (Ok(value), _) => break self.result_number(script, hook, &value),
                (Err(error), _) => {
                    let mistake = self.caller.mistake(script, &hook.name, &error);
                    break Err(CallError::Wrong(Box::new(mistake)));
                }
            }
        };
        if said.is_ok() && !only_reads {
            context::take(&mut words[..usize::from(places.end)]);
        }
        context::clear();
        said
    }
}

impl BoundScripts {
    /// Returns the arguments of a hook, the game first.
    fn arguments(&self, hook: &Hook, args: &[u64], width: u16) -> Vec<Dynamic> {
        let mut given = vec![Dynamic::from(GameHandle)];
        let mut rest = args;
        for ty in &hook.args {
            let len = if matches!(ty, Type::Set(_)) { usize::from(width) } else { 1 };
            let (own, behind) = rest.split_at(len.min(rest.len()));
            rest = behind;
            let first = own.first().copied().unwrap_or(0);
            given.push(match *ty {
                Type::Number => Dynamic::from_int(first as i64),
                Type::Bool => Dynamic::from_bool(first != 0),
                Type::Element(domain) => match u32::try_from(first) {
                    Ok(number) => context::element(&self.caller.words, domain, number),
                    Err(_) => Dynamic::UNIT,
                },
                Type::Set(domain) => Dynamic::from(Set {
                    domain,
                    bits: BitSet::from_words(self.caller.words.size(domain), own),
                }),
            });
        }
        given
    }

    /// Converts the result of a hook to a number.
    fn result_number(&self, script: &Script, hook: &Hook, value: &Dynamic) -> Result<i64, CallError> {
        let wanted = match hook.kind {
            HookKind::Effect | HookKind::Watch => return Ok(0),
            HookKind::Filter => match value.as_bool() {
                Ok(value) => return Ok(value.into()),
                Err(_) => "true or false",
            },
            HookKind::Points => match value.as_int() {
                Ok(value) => return Ok(value),
                Err(_) => "a number",
            },
        };
        Err(CallError::Wrong(wrong_answer(script, &hook.name, wanted, value)))
    }
}
