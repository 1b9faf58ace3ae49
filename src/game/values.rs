//! Params, events and variables as the text and the JSON that users see.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use super::ordered::Ordered;
use super::{Event, Game, State};
use houserule_model::{
    ActionId, Content, DomainId, DomainKind, Model, PLAYER, ParamValue, PointsTable, Role, Slot, SlotId,
    Value,
};

/// Returns the params of a model with their values: numbers, strings, booleans, and tables as objects.
pub fn params_json(model: &Model) -> Ordered<Json> {
    model.params.iter().map(|param| (param.name.clone(), param_json(&param.value))).collect()
}

fn param_json(value: &ParamValue) -> Json {
    match value {
        ParamValue::Number(number) => json!(number),
        // A word that is a number, as in `8 | 4`, is a number in JSON.
        ParamValue::Word(word) => word.parse::<i64>().map_or_else(|_| json!(word), |number| json!(number)),
        ParamValue::Bool(value) => json!(value),
        ParamValue::Table(points) => {
            let entries = points.entries.iter().map(|(key, value)| (key.to_string(), json!(value)));
            let more = points.and_more.iter().map(|(key, value)| (format!("{key}+"), json!(value)));
            Json::Object(entries.chain(more).collect())
        }
    }
}

/// Returns a param's value as written in rules and on the command line.
pub fn param_text(value: &ParamValue) -> String {
    match value {
        ParamValue::Number(number) => number.to_string(),
        ParamValue::Word(word) => word.clone(),
        ParamValue::Bool(value) => value.to_string(),
        ParamValue::Table(PointsTable { entries, and_more }) => {
            let more = and_more.iter().map(|(key, value)| format!("{key}+: {value}"));
            let entries = entries.iter().map(|(key, value)| format!("{key}: {value}"));
            format!("[{}]", entries.chain(more).collect::<Vec<_>>().join(", "))
        }
    }
}

/// Formats the JSON of a param's value like [`param_text`].
pub fn param_text_of_json(value: &Json) -> String {
    let Json::Object(table) = value else {
        return value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    };
    // The keys of an object are sorted as text.
    let mut entries: Vec<(i64, String)> = table
        .iter()
        .map(|(key, value)| (key.trim_end_matches('+').parse().unwrap_or(0), format!("{key}: {value}")))
        .collect();
    entries.sort();
    format!("[{}]", entries.into_iter().map(|(_, entry)| entry).collect::<Vec<_>>().join(", "))
}

/// Returns an event in the notation that players see: `roll pair 3 5`, `pick c5`, `place c5`.
pub fn event_text(game: &Game, event: &Event) -> String {
    match event {
        Event::Action { action, .. } => game.action_name(*action),
        Event::Roll { slot, family, dice, outcome } => roll_text(game, *slot, *family, *dice, *outcome),
        Event::Draw { outcome, outcomes } => format!("draw {} of {outcomes}", outcome + 1),
        Event::Pick { domain, element } => format!("pick {}", game.element_name(*domain, *element)),
    }
}

/// The names of elements as the board shows them: `♣K` where the rules give letters, `clubs-king` where they don't.
/// Players and sites keep their names. So does an element whose label another element of its domain has, too, as a label or
/// as a name: a name means one element.
#[derive(Debug)]
pub struct BoardNames<'g> {
    game: &'g Game,
    /// The names of each domain that was asked for.
    domains: Vec<OnceCell<Vec<String>>>,
}

impl<'g> BoardNames<'g> {
    /// Returns the names of a game.
    pub fn new(game: &'g Game) -> BoardNames<'g> {
        BoardNames { game, domains: vec![OnceCell::new(); game.model().domains.len()] }
    }

    /// Returns the name of an element.
    pub fn element(&self, domain: DomainId, element: u32) -> &str {
        let names = self.domains[domain.index()].get_or_init(|| board_names(self.game.model(), domain));
        names.get(element as usize).map_or("", String::as_str)
    }

    /// Returns the name of a picked element. A player's has spaces: `player 2`.
    pub fn picked(&self, domain: DomainId, element: u32) -> &str {
        let players = &self.game.model().players.names;
        match players.get(element as usize) {
            Some(name) if domain == PLAYER => name.as_str(),
            _ => self.element(domain, element),
        }
    }

    /// Returns an action in these names: `play ♣K`.
    pub fn action(&self, action: ActionId) -> String {
        self.action_told(action, &self.game.action_name(action))
    }

    /// Returns an event in these names. `text` is what somebody may be told of it, in the notation of [`event_text`].
    pub fn event(&self, event: &Event, text: &str) -> String {
        match event {
            Event::Action { action, .. } => self.action_told(*action, text),
            Event::Pick { domain, element } => format!("pick {}", self.picked(*domain, *element)),
            Event::Roll { .. } | Event::Draw { .. } => text.to_owned(),
        }
    }

    /// Writes what somebody may be told of an action in these names. Question marks stay.
    fn action_told(&self, action: ActionId, text: &str) -> String {
        let Some(block) = self.game.action_block(action) else { return text.to_owned() };
        let bindings = self.game.action_bindings(action).into_iter().enumerate();
        let mut bound = bindings.flat_map(|(binder, value)| {
            let (domain, elements) = value.elements();
            elements.into_iter().map(move |element| (binder, domain, element))
        });
        let mut words = text.split(' ');
        let mut told = words.next().unwrap_or_default().to_owned();
        for word in words {
            let named = bound.next().filter(|(binder, domain, element)| {
                block.face_name(*binder, *element).is_none()
                    && self.game.element_name(*domain, *element) == word
            });
            told.push(' ');
            told.push_str(named.map_or(word, |(_, domain, element)| self.element(domain, element)));
        }
        told
    }
}

/// Returns the names of a domain's elements as the board shows them.
fn board_names(model: &Model, domain: DomainId) -> Vec<String> {
    let of = &model.domains[domain.index()];
    let names: Vec<String> = (0..of.size).map(|element| model.element_name(domain, element)).collect();
    if matches!(of.kind, DomainKind::Player | DomainKind::Sites(_)) {
        return names;
    }
    let labels: Vec<String> = (0..of.size).map(|element| model.element_sign(domain, element)).collect();
    let unique =
        find_unique_labels(names.iter().zip(&labels).map(|(name, label)| (name.as_str(), label.as_str())));
    // A question mark stands for what is hidden.
    let is_word = |label: &str| !label.contains(|c: char| c.is_whitespace() || c == '?');
    let named = names.into_iter().zip(labels).zip(unique);
    named.map(|((name, label), is_unique)| if is_unique && is_word(&label) { label } else { name }).collect()
}

/// Returns for each thing, given by its name and its label, whether no other thing has the label, be it as a label or as its
/// name. Both can be typed in upper and lower case.
pub fn find_unique_labels<'n>(things: impl Iterator<Item = (&'n str, &'n str)>) -> Vec<bool> {
    let things: Vec<(String, String)> =
        things.map(|(name, label)| (name.to_lowercase(), label.to_lowercase())).collect();
    let mut uses: BTreeMap<&str, u32> = BTreeMap::new();
    for (name, label) in &things {
        if name != label {
            *uses.entry(name).or_default() += 1;
        }
        *uses.entry(label).or_default() += 1;
    }
    things.iter().map(|(_, label)| uses.get(label.as_str()) == Some(&1)).collect()
}

/// Formats a roll: `roll pair 3 5`, `roll hand[X] 1 6`. If only some dice are rolled, says which:
/// `roll hand 2:5 4:1`.
fn roll_text(game: &Game, id: SlotId, family: u32, dice: u32, outcome: u64) -> String {
    let slot = &game.model().slots[id.index()];
    let Role::Dice { count, faces, .. } = slot.role else { return format!("roll {}", slot.name) };
    let owners = &slot.index[..slot.index.len().saturating_sub(1)];
    let name = family_names(game, &slot.name, owners).into_iter().nth(family as usize);
    let mut text = format!("roll {}", name.unwrap_or_else(|| slot.name.clone()).replace(", ", ","));
    let rolled: Vec<u32> = (0..count).filter(|die| dice >> die & 1 == 1).collect();
    let mut rest = outcome;
    let mut shown: Vec<u64> = Vec::new();
    for _ in &rolled {
        shown.push(rest % u64::from(faces.max(1)) + 1);
        rest /= u64::from(faces.max(1));
    }
    for (die, face) in rolled.iter().zip(shown.into_iter().rev()) {
        let which = if rolled.len() < count as usize { format!("{}:", die + 1) } else { String::new() };
        text.push_str(&format!(" {which}{face}"));
    }
    text
}

/// Returns a value as rule files write it: `3`, `true`, `c5`, `none`, `{a1, b2}`.
pub fn value_text(game: &Game, content: Content, value: &Value) -> String {
    match (value, content) {
        (Value::Number(number), _) => number.to_string(),
        (Value::Bool(value), _) => value.to_string(),
        (Value::Element(None), _) => "none".to_owned(),
        (Value::Element(Some(element)), Content::Element { domain, .. }) => {
            game.element_name(domain, *element)
        }
        (Value::Set(set), Content::Set(domain)) => {
            let names: Vec<String> = set.iter().map(|element| game.element_name(domain, element)).collect();
            format!("{{{}}}", names.join(", "))
        }
        (Value::Element(Some(element)), _) => element.to_string(),
        (Value::Set(set), _) => format!("{set:?}"),
    }
}

/// Returns the variables, pieces and zones of a state. A family over the players is a list by seat, any other
/// an object by the names of its elements. Players are seats, elements of a range numbers, other elements
/// names, sets lists; `none` is null. An ordered zone is a list from the top, in which a shuffled part is a list.
pub fn variables_json(state: &State) -> Ordered<Json> {
    let model = state.game().model();
    let slots = model.slots.iter().enumerate();
    let told = slots.filter(|(_, slot)| is_named(slot));
    told.map(|(at, slot)| {
        let json = family_json(state, SlotId(at as u32), &slot.index, &mut 0);
        (slot.name.clone(), json)
    })
    .collect()
}

/// Returns `true` if a slot is a variable, piece or zone of the rules.
pub(crate) fn is_named(slot: &Slot) -> bool {
    matches!(slot.role, Role::Variable | Role::Piece(_) | Role::Zone | Role::Copies) && slot.can_be_named()
}

/// Returns the values of a family from a position on, which moves past them. `index` is what is left of its index.
pub(crate) fn family_json(state: &State, slot: SlotId, index: &[DomainId], position: &mut usize) -> Json {
    let game = state.game();
    let Some((domain, rest)) = index.split_first() else {
        let (content, place) = (game.model().slots[slot.index()].content, *position);
        *position += 1;
        let name = |element| match content {
            Content::Set(domain) => element_json(game, domain, element),
            _ => Json::Null,
        };
        return state
            .pile_json(slot, place, name)
            .unwrap_or_else(|| value_json(game, content, &state.value(slot, place)));
    };
    let elements = 0..game.model().domains[domain.index()].size;
    if *domain == PLAYER {
        return elements.map(|_| family_json(state, slot, rest, position)).collect();
    }
    let entries: serde_json::Map<String, Json> = elements
        .map(|element| (game.element_name(*domain, element), family_json(state, slot, rest, position)))
        .collect();
    Json::Object(entries)
}

fn element_json(game: &Game, domain: DomainId, element: u32) -> Json {
    match game.model().domains[domain.index()].kind {
        DomainKind::Range { low } => json!(low + i64::from(element)),
        DomainKind::Player => json!(element),
        _ => json!(game.element_name(domain, element)),
    }
}

fn value_json(game: &Game, content: Content, value: &Value) -> Json {
    let name = |domain: DomainId, element: u32| element_json(game, domain, element);
    match (value, content) {
        (Value::Number(number), _) => json!(number),
        (Value::Bool(value), _) => json!(value),
        (Value::Element(Some(element)), Content::Element { domain, .. }) => name(domain, *element),
        (Value::Set(set), Content::Set(domain)) => set.iter().map(|element| name(domain, element)).collect(),
        _ => Json::Null,
    }
}

/// Returns the names of a family's members: `name`, or `name[a, b]` for each element of its index domains.
pub fn family_names(game: &Game, name: &str, index: &[DomainId]) -> Vec<String> {
    let mut parts: Vec<Vec<String>> = vec![vec![]];
    for domain in index {
        let elements = 0..game.model().domains[domain.index()].size;
        let names: Vec<String> = elements.map(|element| game.element_name(*domain, element)).collect();
        parts = parts
            .iter()
            .flat_map(|part| {
                names.iter().map(move |name| part.iter().cloned().chain([name.clone()]).collect())
            })
            .collect();
    }
    let written = |part: Vec<String>| match part.as_slice() {
        [] => name.to_owned(),
        _ => format!("{name}[{}]", part.join(", ")),
    };
    parts.into_iter().map(written).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn params_as_text_and_json() {
        let table = PointsTable { entries: vec![(3, 1), (10, 3)], and_more: Some((12, 40)) };
        let all = [
            (ParamValue::Number(-3), "-3", "-3"),
            (ParamValue::Word("either".into()), "either", "\"either\""),
            (ParamValue::Word("8".into()), "8", "8"),
            (ParamValue::Bool(true), "true", "true"),
            (ParamValue::Table(table), "[3: 1, 10: 3, 12+: 40]", "{\"3\":1,\"10\":3,\"12+\":40}"),
        ];
        for (value, text, json) in all {
            assert_eq!(param_text(&value), text);
            assert_eq!(param_json(&value).to_string(), json);
            assert_eq!(param_text_of_json(&param_json(&value)), text);
        }
    }
}
