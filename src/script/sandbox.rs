//! A sandboxed Rhai engine: scripts can only compute, within limits.

use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicFnPackage, BasicIteratorPackage, BasicMapPackage,
    BasicMathPackage, BasicStringPackage, LanguageCorePackage, LogicPackage, MoreStringPackage, Package,
};
use rhai::{Array, Dynamic, Engine, EvalAltResult, INT, ImmutableString, Position};

use super::limits::ScriptLimits;
use super::meter;

/// Functions and keywords of Rhai that reach out of a script, wait, or print. Each has the reason for its ban.
pub(super) const REFUSED: [(&str, &str); 7] = [
    ("eval", "a script can't make code while it runs: write the function out"),
    ("import", "a script has no modules: put all functions into the one script"),
    ("sleep", "a script can't wait"),
    ("curry", "hand everything over when a function is called"),
    ("exit", "leave a function with `return`"),
    ("print", "nobody sees what a script prints; `throw` something to stop and see it"),
    ("debug", "nobody sees what a script prints; `throw` something to stop and see it"),
];

/// Creates an engine with the given limits.
pub(super) fn engine(limits: &ScriptLimits) -> Engine {
    let mut engine = Engine::new_raw();
    LanguageCorePackage::new().register_into_engine(&mut engine);
    ArithmeticPackage::new().register_into_engine(&mut engine);
    LogicPackage::new().register_into_engine(&mut engine);
    BasicFnPackage::new().register_into_engine(&mut engine);
    BasicIteratorPackage::new().register_into_engine(&mut engine);
    BasicMathPackage::new().register_into_engine(&mut engine);
    BasicStringPackage::new().register_into_engine(&mut engine);
    MoreStringPackage::new().register_into_engine(&mut engine);
    BasicArrayPackage::new().register_into_engine(&mut engine);
    BasicMapPackage::new().register_into_engine(&mut engine);
    for (word, _) in REFUSED {
        engine.disable_symbol(word);
    }
    // They can also be called by a name in a string.
    let refuse = |word: &str| -> Result<(), Box<EvalAltResult>> {
        Err(format!("`{word}` can't be used in scripts").into())
    };
    engine.register_fn("sleep", move |_: Dynamic| refuse("sleep"));
    engine.register_fn("sleep", move |_: INT| refuse("sleep"));
    engine.register_fn("exit", move || refuse("exit"));
    engine.register_fn("exit", move |_: Dynamic| refuse("exit"));
    pad_within(&mut engine, limits);
    meter::attach(&mut engine);
    engine.set_max_call_levels(limits.calls);
    engine.set_max_expr_depths(limits.expressions, limits.expressions);
    engine.set_max_string_size(limits.text);
    engine.set_max_array_size(limits.array);
    engine.set_max_map_size(limits.map);
    engine.set_max_variables(256);
    engine.set_max_functions(256);
    // Names must be defined, so that typos are found when the script is parsed.
    engine.set_strict_variables(true);
    engine.set_fail_on_invalid_map_property(true);
    // In scripts, as in rules, `none` is the missing value.
    #[expect(deprecated, reason = "it is how words of the language are given another meaning")]
    engine.on_parse_token(|token, _, _| match token {
        rhai::Token::Identifier(word) if *word == "none" => rhai::Token::Unit,
        other => other,
    });
    engine
}

/// Registers a `pad` that respects the limits. The version of the packages multiplies sizes before checking
/// them, and never ends with an empty string.
fn pad_within(engine: &mut Engine, limits: &ScriptLimits) {
    let (most_elements, most_text) = (limits.array, limits.text);
    let too_large = |what: &str| -> Box<EvalAltResult> {
        EvalAltResult::ErrorDataTooLarge(what.to_owned(), Position::NONE).into()
    };
    let wanted = |len: INT| usize::try_from(len).unwrap_or(0);
    engine.register_fn("pad", move |list: &mut Array, len: INT, element: Dynamic| {
        let more = wanted(len).saturating_sub(list.len());
        if more > most_elements {
            return Err(too_large("array"));
        }
        // The engine checks nested sizes only afterwards. Until then it counts a nested list as one element.
        let own = element.as_array_ref().map_or(1, |inner| inner.len().max(1));
        if more.saturating_mul(own) > most_elements {
            return Err(too_large("array"));
        }
        list.extend(std::iter::repeat_n(element, more));
        Ok(())
    });
    let padded = move |text: &ImmutableString, len: INT, with: &str| {
        let (now, wanted) = (text.chars().count(), wanted(len));
        if wanted > most_text {
            return Err(too_large("string"));
        }
        let more = with.chars().cycle().take(wanted.saturating_sub(now));
        Ok(ImmutableString::from(text.chars().chain(more).collect::<String>()))
    };
    engine.register_fn(
        "pad",
        move |text: &mut ImmutableString, len: INT, with: char| -> Result<(), Box<EvalAltResult>> {
            *text = padded(text, len, with.encode_utf8(&mut [0; 4]))?;
            Ok(())
        },
    );
    engine.register_fn(
        "pad",
        move |text: &mut ImmutableString,
              len: INT,
              with: ImmutableString|
              -> Result<(), Box<EvalAltResult>> {
            *text = padded(text, len, &with)?;
            Ok(())
        },
    );
}
