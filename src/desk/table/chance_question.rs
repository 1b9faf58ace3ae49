//! Chance events whose outcomes people report: what real dice show, what was picked.

use super::phrases::{face_names, roll_in_words};
use houserule_base::numbers::counted;
use houserule_game::notation::record::find_outcome;
use houserule_game::values::{BoardNames, event_text};
use houserule_game::{Event, State, family_names};
use houserule_language::diagnostic::did_you_mean;
use houserule_model::Role;

/// Maximum number of elements that a question lists.
const MOST_NAMED: usize = 20;

/// A question about a pending chance event.
#[derive(Clone, Debug)]
pub struct ChanceQuestion {
    /// The text of the question.
    pub question: String,
    /// The name of what is asked for: that of the dice, `pick` or `draw`.
    pub name: String,
    /// The outcome that was reported here before an undo, and its text: `3 5`.
    pub before: Option<(u64, String)>,
    state: State,
    kind: ChanceKind,
}

/// The meaning of an answer to a [`ChanceQuestion`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// An outcome, for [`Table::settle`](super::Table::settle).
    Outcome(u64),
    /// An answer with an error; the message says what is possible.
    Wrong(String),
    /// The text is no answer.
    None,
}

#[derive(Clone, Debug)]
enum ChanceKind {
    Roll { name: String, dice: u32, faces: u64, named: Vec<String> },
    Pick { elements: Vec<PickedElement> },
    Draw { outcomes: u64 },
}

/// An element that chance may pick.
#[derive(Clone, Debug)]
struct PickedElement {
    outcome: u64,
    /// Its name as the board shows it: `♥7`.
    name: String,
    /// Its name in the rules: `hearts-7`.
    rule_name: String,
}

impl ChanceQuestion {
    /// Returns the question for the pending chance event. `reported` is what it came to before an undo, in the
    /// notation of journals.
    pub(super) fn from_state(state: &State, reported: Option<&str>) -> Option<ChanceQuestion> {
        let (question, name, kind) = pending_question(state)?;
        let before = reported.and_then(|event| find_outcome(state, event).ok());
        let before = before.map(|outcome| (outcome, short(state, outcome)));
        Some(ChanceQuestion { question, name, before, state: state.clone(), kind })
    }

    /// Returns the outcomes with their texts, or none if there are more than `most`.
    pub fn outcomes(&self, most: u64) -> Vec<(u64, String)> {
        if self.state.distinct_count() > most {
            return vec![];
        }
        self.state.distinct_outcomes().map(|(outcome, _)| (outcome, short(&self.state, outcome))).collect()
    }

    /// Returns the meaning of an answer. If the outcome was reported before an undo, an empty answer repeats it.
    pub fn answer(&self, answer: &str) -> Answer {
        let answer = answer.trim();
        if let (Some((before, _)), "") = (&self.before, answer) {
            return Answer::Outcome(*before);
        }
        if let Ok(outcome) = find_outcome(&self.state, answer) {
            return Answer::Outcome(outcome);
        }
        match &self.kind {
            ChanceKind::Roll { name, dice, faces, named } => {
                let answer = answer.strip_prefix("roll ").unwrap_or(answer).trim();
                let answer = answer.strip_prefix(name.as_str()).unwrap_or(answer);
                roll(name, *dice, *faces, &numbered(answer, named))
            }
            ChanceKind::Draw { outcomes } => {
                let number = answer.strip_prefix("draw ").unwrap_or(answer).trim();
                let Ok(number) = number.parse::<u64>() else { return Answer::None };
                match number.checked_sub(1).filter(|outcome| outcome < outcomes) {
                    Some(outcome) => Answer::Outcome(outcome),
                    None => Answer::Wrong(format!("expected a number from 1 to {outcomes}, found {number}")),
                }
            }
            ChanceKind::Pick { elements } => match find_outcome(&self.state, &format!("pick {answer}")) {
                Ok(outcome) => Answer::Outcome(outcome),
                Err(_) => picked(elements, answer),
            },
        }
    }
}

/// Returns the meaning of an answer that names a picked element, as the board shows it or as the rules do.
fn picked(elements: &[PickedElement], answer: &str) -> Answer {
    let answer = answer.strip_prefix("pick ").unwrap_or(answer).trim();
    let lower = answer.to_lowercase();
    let is_meant =
        |one: &&PickedElement| one.name.to_lowercase() == lower || one.rule_name.to_lowercase() == lower;
    if let Some(one) = elements.iter().find(is_meant) {
        return Answer::Outcome(one.outcome);
    }
    let names = elements.iter().flat_map(|one| [one.name.as_str(), one.rule_name.as_str()]);
    match did_you_mean(answer, names) {
        Some(meant) => Answer::Wrong(format!("`{answer}` can't be picked; did you mean `{meant}`?")),
        None => Answer::None,
    }
}

/// Returns the text of a question, the name of what it asks for, and the kind of its answers.
fn pending_question(state: &State) -> Option<(String, String, ChanceKind)> {
    let game = state.game();
    match state.chance_event(0)? {
        Event::Roll { slot, family, dice, .. } => {
            let declared = &game.model().slots[slot.index()];
            let Role::Dice { count, faces, .. } = declared.role else { return None };
            let owners = &declared.index[..declared.index.len().saturating_sub(1)];
            let name = family_names(game, &declared.name, owners).into_iter().nth(family as usize);
            let name = name.unwrap_or_else(|| declared.name.clone());
            let rolled = dice.count_ones();
            let what = match (rolled, count) {
                (1, 1) => "what does the die show".to_owned(),
                (n, all) if n == all => format!("what do the {n} dice show"),
                (1, _) => format!("what does die {} show", dice.trailing_zeros() + 1),
                _ => {
                    let which = (0..count).filter(|die| dice >> die & 1 == 1);
                    let which: Vec<String> = which.map(|die| (die + 1).to_string()).collect();
                    format!("what do dice {} show, in this order", which.join(", "))
                }
            };
            let named = face_names(game, &declared.name).to_vec();
            let face = |number: u64| match named.get(number as usize) {
                Some(name) => name.clone(),
                None => (number + 1).to_string(),
            };
            let example: Vec<String> =
                (0..rolled).map(|at| face(u64::from(at) * 2 % u64::from(faces))).collect();
            let possible = match &named[..] {
                [] => format!("From 1 to {faces}"),
                named => named.join(", "),
            };
            Some((
                format!("Roll {name}: {what}? {possible}, such as `{}`.", example.join(" ")),
                name.clone(),
                ChanceKind::Roll { name, dice: rolled, faces: faces.into(), named },
            ))
        }
        Event::Pick { .. } => {
            let names = BoardNames::new(game);
            let elements: Vec<PickedElement> = state
                .distinct_outcomes()
                .filter_map(|(outcome, _)| match state.chance_event(outcome)? {
                    Event::Pick { domain, element } => Some(PickedElement {
                        outcome,
                        name: names.picked(domain, element).to_owned(),
                        rule_name: game.element_name(domain, element),
                    }),
                    _ => None,
                })
                .collect();
            let listed = elements.iter().take(MOST_NAMED).map(|one| one.name.as_str());
            let mut listed = listed.collect::<Vec<_>>().join(", ");
            if elements.len() > MOST_NAMED {
                listed.push_str(", …");
            }
            Some((
                format!("Chance picks one of {}: {listed}. Which?", elements.len()),
                "pick".to_owned(),
                ChanceKind::Pick { elements },
            ))
        }
        Event::Draw { outcomes, .. } => Some((
            format!("A script asks for a number from 1 to {outcomes}."),
            "draw".to_owned(),
            ChanceKind::Draw { outcomes },
        )),
        Event::Action { .. } => None,
    }
}

/// Writes the names of faces in an answer as their numbers: `claw 1` as `3 1`.
fn numbered(answer: &str, named: &[String]) -> String {
    let number = |word: &str| named.iter().position(|name| name == word).map(|at| (at + 1).to_string());
    let words = answer.split(|c: char| c.is_whitespace() || c == ',');
    let words: Vec<String> = words.map(|word| number(word).unwrap_or_else(|| word.to_owned())).collect();
    words.join(" ")
}

fn roll(name: &str, dice: u32, faces: u64, answer: &str) -> Answer {
    if !answer.contains(|c: char| c.is_ascii_digit()) || answer.contains(|c: char| c.is_alphabetic()) {
        return Answer::None;
    }
    let mut shown: Vec<&str> =
        answer.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty()).collect();
    // `35` for two dice of six faces.
    let single: Vec<&str>;
    if let [one] = shown.as_slice()
        && dice > 1
        && faces < 10
    {
        single = one.split("").filter(|digit| !digit.is_empty()).collect();
        shown = single;
    }
    let count = shown.len();
    if count != dice as usize {
        let (these, said) = (if dice == 1 { "die is" } else { "dice are" }, answer.trim());
        return Answer::Wrong(format!(
            "{dice} {these} rolled, and `{said}` has {}",
            counted(count, "number")
        ));
    }
    let mut outcome = 0u64;
    for face in shown {
        match face.parse::<u64>().ok().filter(|face| (1..=faces).contains(face)) {
            Some(number) => outcome = outcome.saturating_mul(faces).saturating_add(number - 1),
            None => return Answer::Wrong(format!("a die of {name} shows 1 to {faces}, not {face}")),
        }
    }
    Answer::Outcome(outcome)
}

/// Formats an outcome of the pending chance event briefly: `3 5` for `roll pair 3 5`, `claw 2` for `roll hand 3 2`, `♥7` for
/// `pick hearts-7`.
fn short(state: &State, outcome: u64) -> String {
    let Some(event) = state.chance_event(outcome) else { return String::new() };
    if let Event::Pick { domain, element } = event {
        return BoardNames::new(state.game()).picked(domain, element).to_owned();
    }
    let text = roll_in_words(state.game(), &event_text(state.game(), &event));
    let skipped = if matches!(event, Event::Roll { .. }) { 2 } else { 1 };
    text.split_whitespace().skip(skipped).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_as_people_type_them() {
        let pair = |answer| roll("pair", 2, 6, answer);
        for answer in ["3 5", "35", "3,5", " 3 , 5 ", "3-5", "3/5"] {
            assert_eq!(pair(answer), Answer::Outcome(2 * 6 + 4), "{answer}");
        }
        for (answer, message) in [
            ("3", "2 dice are rolled, and `3` has 1 number"),
            ("3 7", "a die of pair shows 1 to 6, not 7"),
            ("0 3", "a die of pair shows 1 to 6, not 0"),
            ("99999999999999999999 1", "a die of pair shows 1 to 6, not 99999999999999999999"),
        ] {
            assert_eq!(pair(answer), Answer::Wrong(message.into()));
        }
        assert_eq!([pair("undo"), pair(""), pair("c5")], [Answer::None, Answer::None, Answer::None]);
        let named = ["1", "2", "claw", "heart"].map(str::to_owned);
        assert_eq!(numbered("claw, 1  heart", &named), "3  1  4");
        assert_eq!(roll("die", 1, 20, "17"), Answer::Outcome(16));
        let wrong = Answer::Wrong("2 dice are rolled, and `35` has 1 number".into());
        assert_eq!(roll("pair", 2, 12, "35"), wrong);
    }
}
