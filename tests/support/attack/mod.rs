//! Sends a random rule file through everything that reads rules and plays games, and compares what must be equal.
//! Used by the tests of the engine and by a fuzz target. Depends on `random_rules` and `agree` beside it.
#![allow(dead_code)]

mod environments;
mod machines;
mod reports;
mod saved;
mod words;
mod worlds;

use std::collections::BTreeSet;

use crate::random_rules::RandomRules;
use houserule::diagnostic::{Code, Diagnostic, FileId, Severity};
use houserule::format::format;
use houserule::game::{Game, RuntimeError, RuntimeErrorKind, State};
use houserule::loader::{LoadError, load_origin};
use houserule::model::ParamKind;
use houserule::program::Instruction;
use houserule::variants::{
    Origin, Setting, StackPart,
    origin::{RuleText, TextSource},
};

/// Maximum number of instructions per byte of a rule file. What a file costs is bounded by its program.
const CODE_PER_BYTE: usize = 60;

/// The titles in a text.
const GAME: &str = "Random";
const VARIANT: &str = "Other";

/// A report, which is dear, is made of every file of this many.
const REPORTED: u64 = 60;

/// What came up in some files.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// The instructions of all programs.
    pub(crate) instructions: BTreeSet<&'static str>,
    /// The errors of games.
    pub(crate) faults: BTreeSet<&'static str>,
    /// How often each part of the attack had something to compare.
    pub(crate) parts: std::collections::BTreeMap<&'static str, u64>,
}

impl Seen {
    /// Counts one comparison of a part.
    fn note(&mut self, part: &'static str) {
        *self.parts.entry(part).or_default() += 1;
    }

    /// Adds what came up elsewhere.
    pub(crate) fn add(&mut self, other: Seen) {
        self.instructions.extend(other.instructions);
        self.faults.extend(other.faults);
        for (part, times) in other.parts {
            *self.parts.entry(part).or_default() += times;
        }
    }
}

/// A game, and the same game loaded again, which no part compiles to machine code.
struct Both {
    compiled: Game,
    interpreted: Game,
}

/// Returns `true` if the only errors are of an end that asks for what isn't known before a turn. The writer of random rules
/// doesn't follow what a choice reads after its body.
fn only_asks_too_early(diagnostics: &[Diagnostic]) -> bool {
    diagnostics
        .iter()
        .filter(|one| one.severity == Severity::Error)
        .all(|one| one.code == Code::NoFirstChoice)
}

/// Sends a game and its variant through everything. Panics at the first difference.
pub(crate) fn attack(rules: &RandomRules, seed: u64, seen: &mut Seen) {
    let text = format!("{}{}", rules.game, rules.variant);
    let laid_out = formatted(&text);
    let game = match load(&text, GAME, &[]) {
        Ok(game) => game,
        Err(LoadError::Rules { diagnostics, .. }) if only_asks_too_early(&diagnostics) => {
            return seen.note("ends that ask too early");
        }
        Err(error) => panic!("the game doesn't load: {error}"),
    };
    size(&game, &rules.game);
    let again =
        load(&laid_out, GAME, &[]).unwrap_or_else(|error| panic!("the formatted game doesn't load: {error}"));
    alike(&game, &again);
    let both = Both { compiled: game, interpreted: again };
    machines::attack(&both, seed, seen);
    saved::attack(&both.interpreted, seed, seen);
    environments::attack(&both, seed, seen);
    worlds::attack(&both.interpreted, seed, seen);
    match load(&text, VARIANT, &[]) {
        Ok(variant) => {
            seen.note("variants");
            if seed.is_multiple_of(3) {
                machines::attack_variant(&variant, seed, seen);
            }
            let other = load(&laid_out, VARIANT, &[]);
            let other = other.unwrap_or_else(|error| panic!("the formatted variant doesn't load: {error}"));
            alike(&variant, &other);
            words::attack(&both.interpreted, &other, seen);
        }
        // What changes may not fit what stays: a constant leaves a range.
        Err(LoadError::Rules { .. }) => seen.note("variants that don't load"),
        Err(error) => panic!("the variant doesn't load: {error}"),
    }
    if seed % REPORTED == REPORTED - 1 {
        reports::attack(&both.interpreted, seed, seen);
    }
    let settings = extremes(&both.compiled, seed % 3 == 1);
    match load(&text, GAME, &settings) {
        Ok(game) => {
            seen.note("other params");
            if !seed.is_multiple_of(3) {
                machines::attack_variant(&game, seed, seen);
            }
        }
        // Some rules need a param between its ends.
        Err(LoadError::Rules { .. } | LoadError::Compile(_)) => {}
        Err(error) => panic!("{settings:?}: {error}"),
    }
}

/// Notes the instructions of a game and its variant, and how games fail. Compares nothing.
pub(crate) fn look(rules: &RandomRules, seed: u64, seen: &mut Seen) {
    let text = format!("{}{}", rules.game, rules.variant);
    for title in [GAME, VARIANT] {
        if let Ok(game) = load(&text, title, &[]) {
            seen.instructions.extend(instructions(&game));
            machines::look(&game, seed, seen);
        }
    }
}

/// Loads the game or the variant of a text, as if the text lay in a file.
fn load(text: &str, title: &str, settings: &[Setting]) -> Result<Game, LoadError> {
    let path = "/random/random.rules".to_owned();
    let file =
        RuleText { place: TextSource::Paths(vec![path.clone()]), name: path.clone(), text: text.into() };
    let parts = vec![StackPart::Named(format!("{path}#{title}"))];
    let origin = Origin { parts, files: vec![file], settings: settings.to_vec(), ..Origin::default() };
    load_origin(&origin).map(|loaded| loaded.game)
}

/// Asserts that a program isn't out of proportion to its rules.
fn size(game: &Game, text: &str) {
    let code = game.program().code.len();
    assert!(code <= CODE_PER_BYTE * text.len(), "{code} instructions for {} bytes", text.len());
}

/// Returns a text in the standard layout, which has to be the layout of that text, too.
fn formatted(text: &str) -> String {
    let once = format(FileId(0), text).unwrap_or_else(|errors| panic!("it can't be formatted: {errors:?}"));
    let twice =
        format(FileId(0), &once).unwrap_or_else(|errors| panic!("it can't be formatted again: {errors:?}"));
    assert_eq!(once, twice, "formatting it again changes it");
    once
}

/// Asserts that two games have the same programs, but for places in their texts.
fn alike(one: &Game, other: &Game) {
    let parts = |game: &Game| {
        let program = houserule::program::Program { spans: vec![], kept: vec![], ..game.program().clone() };
        format!("{program:?}")
    };
    assert_eq!(parts(one), parts(other), "the formatted file has another program");
    assert_eq!(one.actions(), other.actions());
}

/// Returns the lowest or the highest value of each param that has one.
fn extremes(game: &Game, high: bool) -> Vec<Setting> {
    let params = game.model().params.iter().filter(|param| !param.fixed);
    params
        .filter_map(|param| {
            let value = match &param.kind {
                ParamKind::Number { low, high: most } => if high { most } else { low }.to_string(),
                ParamKind::Choice(values) => if high { values.last() } else { values.first() }?.clone(),
                ParamKind::Bool => high.to_string(),
                ParamKind::Table => return None,
            };
            Some(Setting::new(param.name.clone(), value))
        })
        .collect()
}

/// Returns the instructions of a game's program.
fn instructions(game: &Game) -> impl Iterator<Item = &'static str> + '_ {
    game.program().code.iter().map(Instruction::name)
}

/// Returns a state of a game after some random decisions. It is over, or an error came up, if there are fewer.
fn played(game: &Game, seed: u64, index: u64, decisions: u32) -> Option<State> {
    let mut state = game.start(seed, index).ok()?;
    for _ in 0..decisions {
        let Some(action) = state.random_action() else { break };
        state.apply(action).ok()?;
    }
    Some(state)
}

/// Returns the name of an error that random rules may cause.
fn fault(error: &RuntimeError) -> &'static str {
    match error.kind {
        RuntimeErrorKind::OutOfRange { .. } => "out of range",
        RuntimeErrorKind::Overflow | RuntimeErrorKind::ScoreOverflow { .. } => "overflow",
        RuntimeErrorKind::DivisionByZero => "division by zero",
        RuntimeErrorKind::NoneIndex => "index is none",
        RuntimeErrorKind::NoneValue => "value is none",
        RuntimeErrorKind::Budget => "budget",
        RuntimeErrorKind::Limit { .. } => "limit",
        RuntimeErrorKind::PayoffSum { .. } => "payoff sum",
        _ => "another",
    }
}
