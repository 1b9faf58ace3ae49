//! Names listed in error messages: what is possible, and what was probably meant.

use houserule::diagnostic::did_you_mean;
use houserule::game::ActionId;
use houserule::game::values::event_text;

/// Maximum number of names listed in an error message.
const MOST_NAMES: usize = 20;

/// Lists the legal actions, as the end of a sentence.
pub(crate) fn legal_text(state: &houserule::game::State, given: Option<&str>) -> String {
    let legal = state.legal_actions();
    let name = |action: &ActionId| state.game().action_name(*action);
    let meant = match given {
        // A long list is cut, so the suggestion is searched for among all names.
        Some(given) => {
            let names: Vec<String> = legal.iter().map(name).collect();
            suggest(given, names.iter().map(String::as_str))
        }
        None => String::new(),
    };
    let told = legal.iter().take(MOST_NAMES).map(|action| format!("{} `{}`", action.0, name(action)));
    listed(&meant, "Legal", told, legal.len())
}

/// Lists the possible outcomes, as the end of a sentence.
pub(crate) fn outcomes_text(state: &houserule::game::State, given: Option<&str>) -> String {
    let outcomes = || state.distinct_outcomes().map(|(outcome, _)| outcome);
    let name = |outcome: u64| {
        state.chance_event(outcome).map_or_else(String::new, |event| event_text(state.game(), &event))
    };
    let meant = match given {
        Some(given) => {
            let names: Vec<String> = outcomes().take(1000).map(name).collect();
            suggest(given, names.iter().map(String::as_str))
        }
        None => String::new(),
    };
    let told = outcomes().take(MOST_NAMES).map(|outcome| format!("{outcome} `{}`", name(outcome)));
    listed(&meant, "Possible", told, usize::try_from(state.distinct_count()).unwrap_or(usize::MAX))
}

fn listed(meant: &str, word: &str, told: impl Iterator<Item = String>, count: usize) -> String {
    let told: Vec<String> = told.collect();
    if told.is_empty() {
        return meant.to_owned();
    }
    let more = match count - told.len() {
        0 => String::new(),
        more => format!(" and {more} more ({count} in all)"),
    };
    let stop = if meant.is_empty() { "." } else { meant };
    format!("{stop} {word}: {}{more}", told.join(", "))
}

/// Suggests the name that was probably meant, as part of a sentence.
pub(crate) fn suggest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    did_you_mean(name, known).map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default()
}
