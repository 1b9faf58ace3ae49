//! Chance events whose outcomes people report: what real dice show, what was picked. A question tells the people at the
//! screen no more than they may know: what may be picked depends on what lies in hidden zones.

use std::collections::BTreeMap;

use super::phrases::{face_names, roll_in_words};
use houserule_base::numbers::counted;
use houserule_game::notation::record::find_outcome;
use houserule_game::values::{BoardNames, event_text};
use houserule_game::{Event, Seat, State, family_names};
use houserule_language::diagnostic::did_you_mean;
use houserule_model::{Content, DomainId, Model, Role, Slot, Visibility};

/// Maximum number of elements that a question lists.
const MOST_NAMED: usize = 20;

/// The text of an outcome that the people at the screen may not know.
const UNTOLD: &str = "the same";

/// A question about a pending chance event.
#[derive(Clone, Debug)]
pub struct ChanceQuestion {
    /// The text of the question.
    pub question: String,
    /// The name of what is asked for: that of the dice, `pick` or `draw`.
    pub name: String,
    /// The outcome that was reported here before an undo, and its text: `3 5`. If not all at the screen may know it, the
    /// text is `the same`.
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
    Pick(PickedElements),
    Draw { outcomes: u64 },
}

/// The elements of a domain, of which chance picks one.
#[derive(Clone, Debug)]
struct PickedElements {
    all: Vec<PickedElement>,
    /// Whether all at the screen may know which of them can be picked.
    are_told: bool,
}

/// An element of a domain of which chance picks one.
#[derive(Clone, Debug)]
struct PickedElement {
    /// The outcome that picks it, if it can be picked now.
    outcome: Option<u64>,
    /// Whether it may be picked as far as the people at the screen know.
    may_come: bool,
    /// Its name as it is listed: `♥7`.
    name: String,
    /// What the board shows, which may stand for several elements.
    label: String,
    /// Its name in the rules: `hearts-7`.
    rule_name: String,
}

impl ChanceQuestion {
    /// Returns the question for the pending chance event, as `viewers` may be asked it; without viewers, nothing is hidden.
    /// `reported` is what it came to before an undo, in the notation of journals.
    pub(super) fn from_state(
        state: &State,
        reported: Option<&str>,
        viewers: &[Seat],
    ) -> Option<ChanceQuestion> {
        let (question, name, kind) = pending_question(state, viewers)?;
        let before = reported.and_then(|event| find_outcome(state, event).ok());
        let text = |outcome: u64| match is_seen(state, outcome, viewers) {
            true => short(state, outcome),
            false => UNTOLD.to_owned(),
        };
        let before = before.map(|outcome| (outcome, text(outcome)));
        Some(ChanceQuestion { question, name, before, state: state.clone(), kind })
    }

    /// Returns the outcomes with their texts, or none if there are more than `most`, or if they would tell what is hidden from
    /// somebody at the screen.
    pub fn outcomes(&self, most: u64) -> Vec<(u64, String)> {
        let are_told = match &self.kind {
            ChanceKind::Pick(elements) => elements.are_told,
            ChanceKind::Roll { .. } | ChanceKind::Draw { .. } => true,
        };
        if !are_told || self.state.distinct_count() > most {
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
        let written = || find_outcome(&self.state, answer).ok();
        match &self.kind {
            ChanceKind::Pick(elements) => elements.answer(answer),
            ChanceKind::Roll { .. } | ChanceKind::Draw { .. } if let Some(outcome) = written() => {
                Answer::Outcome(outcome)
            }
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
        }
    }
}

impl PickedElements {
    /// Returns the elements of the domain of a pending pick. What may be picked is told as far as all `viewers` know it: an
    /// element comes in question unless all of them know that it lies elsewhere.
    fn from_state(state: &State, domain: DomainId, viewers: &[Seat]) -> PickedElements {
        let (game, names) = (state.game(), BoardNames::new(state.game()));
        let model = game.model();
        let mut outcomes: BTreeMap<u32, u64> = BTreeMap::new();
        for (outcome, _) in state.distinct_outcomes() {
            if let Some(Event::Pick { element, .. }) = state.chance_event(outcome) {
                outcomes.entry(element).or_insert(outcome);
            }
        }
        let is_located = |element: u32| viewers.iter().all(|viewer| state.locates(domain, element, *viewer));
        let are_told = viewers.is_empty()
            || !may_be_hidden(model, domain)
            || outcomes.keys().all(|element| is_located(*element));
        let elements = 0..model.domains[domain.index()].size;
        let all = elements.map(|element| {
            let outcome = outcomes.get(&element).copied();
            PickedElement {
                outcome,
                may_come: outcome.is_some() || !are_told && !is_located(element),
                name: names.picked(domain, element).to_owned(),
                label: model.element_sign(domain, element),
                rule_name: game.element_name(domain, element),
            }
        });
        PickedElements { all: all.collect(), are_told }
    }

    /// Returns the elements that may be picked, as far as the people at the screen know.
    fn listed(&self) -> impl Iterator<Item = &PickedElement> {
        self.all.iter().filter(|one| one.may_come)
    }

    /// Returns the meaning of an answer that names an element as it is listed, as the board shows it or as the rules do. What
    /// is typed in the same upper and lower case comes first. A wrong answer doesn't tell what would be right.
    fn answer(&self, answer: &str) -> Answer {
        let typed = answer.split_whitespace().collect::<Vec<_>>().join(" ");
        let typed = typed.strip_prefix("pick ").unwrap_or(&typed);
        let lower = typed.to_lowercase();
        let tests: [&dyn Fn(&PickedElement) -> bool; 3] =
            [&|one| one.name == typed, &|one| one.names().contains(&typed), &|one| {
                one.names().iter().any(|name| name.to_lowercase() == lower)
            }];
        for test in tests {
            let meant: Vec<&PickedElement> = self.all.iter().filter(|one| test(one)).collect();
            match meant.as_slice() {
                [] => {}
                [one] => {
                    let wrong = || Answer::Wrong(format!("`{typed}` can't be picked now"));
                    return one.outcome.map_or_else(wrong, Answer::Outcome);
                }
                several => {
                    let names: Vec<String> = several.iter().map(|one| format!("`{}`", one.name)).collect();
                    return Answer::Wrong(format!("`{typed}` may be {}", names.join(" or ")));
                }
            }
        }
        let meant = did_you_mean(typed, self.listed().flat_map(PickedElement::names));
        let meant = meant.and_then(|name| self.listed().find(|one| one.names().contains(&name)));
        match meant {
            Some(one) => Answer::Wrong(format!("`{typed}` can't be picked; did you mean `{}`?", one.name)),
            None => Answer::None,
        }
    }
}

impl PickedElement {
    /// Returns the names by which it can be typed.
    fn names(&self) -> [&str; 3] {
        [&self.name, &self.label, &self.rule_name]
    }
}

/// Returns `true` if what may be picked of a domain may depend on something that isn't seen by all.
fn may_be_hidden(model: &Model, domain: DomainId) -> bool {
    let is_of = |slot: &Slot| {
        slot.index.contains(&domain)
            || matches!(slot.content, Content::Set(of) | Content::Element { domain: of, .. } if of == domain)
    };
    model.slots.iter().any(|slot| slot.visibility != Visibility::All && is_of(slot))
}

/// Returns `true` if all viewers may be told an outcome of the pending chance event.
fn is_seen(state: &State, outcome: u64, viewers: &[Seat]) -> bool {
    if viewers.is_empty() || !state.game().hides() {
        return true;
    }
    let mut next = state.clone();
    match (state.chance_event(outcome), next.apply_outcome(outcome)) {
        (Some(event), Ok(())) => {
            viewers.iter().all(|viewer| next.event_seen(state, &event, *viewer).is_some())
        }
        _ => false,
    }
}

/// Returns the text of a question, the name of what it asks for, and the kind of its answers.
fn pending_question(state: &State, viewers: &[Seat]) -> Option<(String, String, ChanceKind)> {
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
        Event::Pick { domain, .. } => {
            let elements = PickedElements::from_state(state, domain, viewers);
            let names: Vec<&str> = elements.listed().map(|one| one.name.as_str()).collect();
            let mut listed = names[..names.len().min(MOST_NAMED)].join(", ");
            if names.len() > MOST_NAMED {
                listed.push_str(", …");
            }
            let question = format!("Chance picks one of {}: {listed}. Which?", names.len());
            Some((question, "pick".to_owned(), ChanceKind::Pick(elements)))
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
