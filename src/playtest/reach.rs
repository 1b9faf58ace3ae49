//! Options that nobody takes and steps that nobody enters in many random games: rules that look
//! right and do nothing.

use crate::diagnostic::{Diagnostic, Span};
use crate::engine::batch::{Counts, Finished, play_random};
use crate::engine::{Game, RuntimeError};
use crate::lang::model::StepId;

use super::numbers::grouped;

/// Decisions and turns of a game, on average, beyond which games are too long to wait for.
const LONGEST: u64 = 200;

/// Games that tell what a game's length is like.
const FEW: u64 = 7;

/// Plays up to `games` random games, until everything has been reached, and warns of what has not.
/// If a game fails, that is all that is said; nothing is, if games are so long that it would take a while.
pub fn unreached(game: &Game, games: u64) -> Vec<Diagnostic> {
    let model = game.model();
    let mut counts = Counts::default();
    let (mut played, mut part, mut spent) = (0, 1, 0);
    let mut failed: Option<(u64, RuntimeError)> = None;
    let options: Vec<(usize, &str, Span, Option<StepId>)> = model
        .choices
        .iter()
        .flat_map(|choice| choice.options.iter().map(|option| (option, choice.step)))
        // What random players leave alone says nothing.
        .filter(|(option, _)| !option.deliberate)
        .map(|(option, step)| (option.actions.index(), option.name.as_str(), option.span, step))
        .collect();
    let zero = |counts: &[u64], at: usize| counts.get(at).is_none_or(|count| *count == 0);
    while played < games {
        let until = (played + part).min(games);
        let mut finished = |game: Finished<'_>| spent += game.decisions + game.turns;
        let mut fails = |index, error| {
            failed.get_or_insert((index, error));
        };
        play_random(game, 0, played..until, &mut counts, &mut finished, &mut fails);
        if let Some((index, error)) = failed {
            let note =
                format!("it ends game {index} of seed 0 with random players; `simulate` shows the state");
            return vec![error.diagnostic().note(note)];
        }
        let steps = (0..model.steps.len()).all(|step| !zero(&counts.steps, step));
        if steps && options.iter().all(|(block, ..)| !zero(&counts.options, *block)) {
            return vec![];
        }
        // A few games tell those that are far too long.
        if spent > LONGEST * games || (until >= FEW && spent > 2 * LONGEST * until) {
            return vec![];
        }
        (played, part) = (until, part * 2);
    }
    let in_games = format!("in {} random games", grouped(games as i128));
    let mut found: Vec<Diagnostic> = Vec::new();
    for (step, declared) in model.steps.iter().enumerate().filter(|(step, _)| zero(&counts.steps, *step)) {
        // A step may stand in several places; one of them will do.
        let elsewhere = model.steps.iter().zip(&counts.steps);
        if elsewhere.filter(|(other, _)| other.span == declared.span).any(|(_, count)| *count > 0) {
            continue;
        }
        let message = format!("step `{}` was entered by nobody {in_games}", model.steps[step].name);
        found.push(
            Diagnostic::warning("step-never-entered", declared.span, message)
                .help("check the conditions around it, or take it out"),
        );
    }
    for (block, name, span, step) in &options {
        let outer = step.is_some_and(|step| zero(&counts.steps, step.index()));
        if outer || !zero(&counts.options, *block) {
            continue;
        }
        let elsewhere = options.iter().filter(|(_, _, other, _)| other == span);
        if elsewhere.clone().any(|(block, ..)| !zero(&counts.options, *block)) {
            continue;
        }
        let message = format!("option `{name}` was taken by nobody {in_games}");
        found.push(
            Diagnostic::warning("option-never-taken", *span, message)
                .help("check the conditions under which it can be chosen, or take it out"),
        );
    }
    found.dedup_by_key(|diagnostic| diagnostic.primary.span);
    found
}
