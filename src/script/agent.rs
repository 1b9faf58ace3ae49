//! Agents written in Rhai: `choose` returns one of a seat's actions, `value` returns the value of a state for a
//! player. They see only what their seat sees and can't change the game.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::OnceLock;

use rhai::{Array, Dynamic, Engine, ImmutableString};

use super::caller::{Caller, callable, unknown_functions, unknown_words, wrong_answer};
use super::context::{self, ScriptContext, ScriptResult, StateView, at, element, element_of};
use super::limits::ScriptLimits;
use super::outline::Script;
use super::value::{Action, GameHandle, Set, SlotFamily};
use super::words::{AGENT_CALLS, CALLS, GameNames, Meaning};
use houserule_base::rng::Stream;
use houserule_language::diagnostic::{Code, Diagnostic, did_you_mean};
use houserule_model::board::BitSet;
use houserule_model::{ActionId, BinderValue, ChoiceId, Model, PLAYER, ScriptError, ScriptFunction, Seat};

/// The name of the function that chooses an action.
const CHOOSE: &str = "choose";

/// The name of the function that evaluates a state.
const VALUE: &str = "value";

/// Which functions an agent script has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgentFunctions {
    /// It has `choose`.
    pub chooses: bool,
    /// It has `value`.
    pub judges: bool,
}

/// An agent script, ready for one game.
pub struct ScriptAgent {
    caller: Caller,
    script: Script,
    asks_scores: bool,
}

impl fmt::Debug for ScriptAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Player").finish_non_exhaustive()
    }
}

/// Returns which agent functions a script has, or errors for functions that an agent can't have.
pub fn agent_functions(script: &Script) -> Result<AgentFunctions, Vec<Diagnostic>> {
    let has = |name| script.functions.iter().any(|function| function.name == name);
    let agent_functions = AgentFunctions { chooses: has(CHOOSE), judges: has(VALUE) };
    let mut wrong: Vec<Diagnostic> = script.functions.iter().filter_map(misfit).collect();
    if wrong.is_empty() && !agent_functions.chooses && !agent_functions.judges {
        let message = "an agent needs a function `choose` or `value`, and this file has neither";
        wrong.push(Diagnostic::error(Code::ScriptAgent, script.whole(), message).help(HELP));
    }
    if wrong.is_empty() { Ok(agent_functions) } else { Err(wrong) }
}

const HELP: &str =
    "write `fn choose(g, actions) { actions[0] }`, or `fn value(g, player) { g.score(player) }`";

/// Returns the error in a function that has a wrong signature, or that nothing calls.
fn misfit(function: &ScriptFunction) -> Option<Diagnostic> {
    let error = |code, message| Some(Diagnostic::error(code, function.span, message));
    let name = function.name.as_str();
    let given = match name {
        CHOOSE => "g, actions",
        VALUE => "g, player",
        _ if function.called => return None,
        _ => {
            let message = format!("nothing calls `{name}`");
            return Some(match did_you_mean(name, [CHOOSE, VALUE]) {
                Some(meant) => error(Code::UnknownHook, message)?.help(format!("did you mean `{meant}`?")),
                None => error(Code::UnknownHook, message)?.help(HELP),
            });
        }
    };
    if function.params.len() != 2 {
        let parameters = if function.params.len() == 1 { "parameter" } else { "parameters" };
        let message = format!("`{name}` has {} {parameters}, and it needs 2", function.params.len());
        return Some(error(Code::ScriptParameters, message)?.help(format!("write `fn {name}({given})`")));
    }
    if name == VALUE && function.draws {
        let message = "`value` only answers a question, so it can't draw at random".to_owned();
        return Some(error(Code::ScriptChance, message)?.help("draw in `choose`"));
    }
    None
}

impl ScriptAgent {
    /// Prepares a script for a game. Returns errors for names that the game doesn't have.
    pub fn new(script: &Script, model: &Model, limits: ScriptLimits) -> Result<ScriptAgent, Vec<Diagnostic>> {
        static KNOWN: OnceLock<BTreeSet<String>> = OnceLock::new();
        let mut caller = Caller::new(model, limits);
        register(&mut caller.engine);
        let known = KNOWN.get_or_init(|| callable(&caller.engine));
        let mut wrong = changes(script);
        let mut unknown = unknown_words(script, &caller.words, &AGENT_CALLS);
        unknown.retain(|d| wrong.iter().all(|told| told.primary.span != d.primary.span));
        wrong.extend(unknown);
        wrong.extend(unknown_functions(script, known, &AGENT_CALLS));
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let asks_scores = script.words.iter().any(|word| word.called && word.word == "score");
        Ok(ScriptAgent { caller, script: script.clone(), asks_scores })
    }

    /// Returns `true` if the script reads scores.
    pub fn asks_scores(&self) -> bool {
        self.asks_scores
    }

    /// Returns one of `actions`, by its number. The script's random numbers come from `stream`.
    pub fn choose(
        &self,
        sight: &StateView<'_>,
        choice: ChoiceId,
        actions: &[ActionId],
        stream: &mut Stream,
    ) -> Result<ActionId, Box<ScriptError>> {
        let list = |action: &ActionId| Dynamic::from(Action { number: action.0, choice });
        let given = vec![Dynamic::from(GameHandle), actions.iter().map(list).collect::<Array>().into()];
        context::lay_sight(&self.caller.words, sight, Some(*stream));
        let said = self.ask(CHOOSE, given);
        if let Some(own) = context::own() {
            *stream = own;
        }
        context::clear();
        let said = said?;
        match said.clone().try_cast::<Action>() {
            Some(action) if actions.contains(&ActionId(action.number)) => Ok(ActionId(action.number)),
            _ => Err(wrong_answer(&self.script, CHOOSE, "one of `actions`", &said)),
        }
    }

    /// Returns the value of a state for the player whose view it is.
    pub fn value(&self, sight: &StateView<'_>) -> Result<i64, Box<ScriptError>> {
        let words = &self.caller.words;
        let given = vec![Dynamic::from(GameHandle), element(words, PLAYER, sight.me.0)];
        context::lay_sight(words, sight, None);
        let said = self.ask(VALUE, given);
        context::clear();
        let said = said?;
        said.as_int().map_err(|_| wrong_answer(&self.script, VALUE, "a number", &said))
    }

    fn ask(&self, name: &str, given: Vec<Dynamic>) -> Result<Dynamic, Box<ScriptError>> {
        let said = self.caller.run(&self.script, name, given, self.caller.deadline());
        said.map_err(|error| Box::new(self.caller.mistake(&self.script, name, &error)))
    }
}

/// Returns an error for each call that would change the game.
fn changes(script: &Script) -> Vec<Diagnostic> {
    let changing = |word: &&str| CALLS.contains(word) && !AGENT_CALLS.contains(word);
    let words = script.words.iter().filter(|word| word.called && changing(&word.word.as_str()));
    let told = words.filter_map(|word| {
        let message = format!("an agent can't change the game, so it has no `g.{}`", word.word);
        let d = Diagnostic::error(Code::ScriptChanges, script.text.span(word.at)?, message);
        Some(d.help("only the action that `choose` returns changes the game"))
    });
    told.collect()
}

/// Registers the functions that agents have in addition to those of hooks.
fn register(engine: &mut Engine) {
    engine.register_type_with_name::<Action>("action");
    engine.register_fn("==", |a: Action, b: Action| a == b);
    engine.register_fn("!=", |a: Action, b: Action| a != b);
    for name in ["to_string", "to_debug"] {
        engine.register_fn(name, |a: &mut Action| -> ScriptResult<String> {
            let number = a.number;
            at(|_, words| Ok(words.model.action_name(ActionId(number))))
        });
    }
    engine.register_indexer_get(|a: &mut Action, name: ImmutableString| {
        let a = *a;
        at(|_, words| binding(words, a, &name))
    });
    engine.register_fn("score", |_: &mut GameHandle, player: Dynamic| {
        at(|context, words| context.score(words, Seat(element_of(words, &player, PLAYER)?)))
    });
    engine.register_fn("count", |_: &mut GameHandle, name: ImmutableString| counted(&name, &[]));
    engine.register_fn("count", |_: &mut GameHandle, name: ImmutableString, a: Dynamic| counted(&name, &[a]));
    engine.register_fn("count", |_: &mut GameHandle, name: ImmutableString, a: Dynamic, b: Dynamic| {
        counted(&name, &[a, b])
    });
}

/// Returns the number of elements in a set or zone, given its name.
fn counted(name: &str, index: &[Dynamic]) -> ScriptResult<i64> {
    at(|context, words| {
        let Some(Meaning::Slot(slot)) = words.meaning(name) else {
            return Err(format!("no zone is called `{name}`"));
        };
        let start = SlotFamily { slot, known: 0, place: 0 };
        let family =
            index.iter().try_fold(start, |family, index| ScriptContext::index(words, family, index))?;
        context.count(words, family)
    })
}

/// Returns a field of an action: its option, or a binding by its name in the rules.
fn binding(words: &GameNames, action: Action, name: &str) -> Result<Dynamic, String> {
    let Some(block) = words.model.action_block(ActionId(action.number)) else { return Ok(Dynamic::UNIT) };
    let options = words.options.get(action.choice.index()).into_iter().flatten();
    let names: &[String] = options
        .filter(|(first, _)| *first == block.first)
        .map(|(_, names)| names.as_slice())
        .next()
        .unwrap_or_default();
    let Some(place) = names.iter().position(|known| known == name) else {
        if name == "option" {
            return Ok(block.option.clone().into());
        }
        let (action, names) = (words.model.action_name(ActionId(action.number)), names.join("`, `"));
        return Err(match names.as_str() {
            "" => format!("`{action}` has no `{name}`: it binds nothing, and has no more than its `option`"),
            names => format!("`{action}` has no `{name}`; it has `option`, `{names}`"),
        });
    };
    Ok(match block.bindings(&words.model, ActionId(action.number)).get(place) {
        Some(BinderValue::Element(domain, number)) => element(words, *domain, *number),
        Some(BinderValue::Subset(domain, bits)) => {
            let bits = BitSet::from_words(words.size(*domain), &[u64::from(*bits)]);
            Dynamic::from(Set { domain: *domain, bits })
        }
        None => Dynamic::UNIT,
    })
}
