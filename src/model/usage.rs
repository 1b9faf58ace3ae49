//! What results count of choices: how often each option is taken, and how often no option is legal.

use std::collections::{BTreeSet, HashMap};

use houserule_language::diagnostic::Span;

use super::{ActionBlockId, Choice, ChoiceId, Model};

/// The name of a choice that has none and stands in no step.
pub const UNNAMED_CHOICE: &str = "choose";

/// An option as results count it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedOption {
    /// The option's name in the rules.
    pub option: String,
    /// The name under which results count it: with its place if another choice has an option of that name.
    pub name: String,
    /// Its block of action numbers.
    pub actions: ActionBlockId,
}

/// What results count of the choices of a game. Choices that are written once, in a procedure that several statements
/// call, are counted as one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CountedUses {
    /// The options, by their blocks of action numbers. Options of one name in one choice share their name here.
    pub options: Vec<CountedOption>,
    /// The name of each choice that has an `otherwise`.
    pub otherwise: Vec<String>,
    /// For each choice the index of each of its options.
    of_options: Vec<Vec<u32>>,
    /// For each choice the index of its `otherwise`.
    of_otherwise: Vec<Option<u32>>,
}

impl CountedUses {
    /// Finds what is counted of a model's choices.
    pub fn new(model: &Model) -> CountedUses {
        let mut known: HashMap<Span, usize> = HashMap::new();
        // The choices that are one in the rules, and the index of each choice's group.
        let mut groups: Vec<Vec<&Choice>> = vec![];
        let mut group_of: Vec<usize> = vec![];
        for choice in &model.choices {
            let group = *known.entry(choice.span).or_insert(groups.len());
            if group == groups.len() {
                groups.push(vec![]);
            }
            groups[group].push(choice);
            group_of.push(group);
        }
        let grouped = || model.choices.iter().zip(group_of.iter().copied());
        let blocks: BTreeSet<(ActionBlockId, usize)> = grouped()
            .flat_map(|(choice, group)| choice.options.iter().map(move |option| (option.actions, group)))
            .collect();
        let blocks: Vec<(ActionBlockId, usize)> = blocks.into_iter().collect();
        // The groups that have an option of a name, in order.
        let mut having: HashMap<&str, Vec<usize>> = HashMap::new();
        for (choice, group) in grouped() {
            for option in &choice.options {
                let all = having.entry(option.name.as_str()).or_default();
                if !all.contains(&group) {
                    all.push(group);
                }
            }
        }
        let mut places: HashMap<(&str, usize), String> = HashMap::new();
        for (name, all) in &having {
            let found = name_places(model, &all.iter().map(|group| &groups[*group][..]).collect::<Vec<_>>());
            places.extend(all.iter().zip(found).map(|(group, place)| ((*name, *group), place)));
        }
        let options = blocks.iter().map(|(actions, group)| {
            let option = model.actions[actions.index()].option.clone();
            let place = places.get(&(option.as_str(), *group)).map_or("", String::as_str);
            let name = if place.is_empty() { option.clone() } else { format!("{option} ({place})") };
            CountedOption { option, name, actions: *actions }
        });
        let of_options = grouped().map(|(choice, group)| {
            let index = |block| blocks.binary_search(&block).unwrap_or_default() as u32;
            choice.options.iter().map(|option| index((option.actions, group))).collect()
        });
        let (of_options, options) = (of_options.collect(), options.collect());
        let (otherwise, of_otherwise) = name_otherwise(model, &groups, &group_of);
        CountedUses { options, otherwise, of_options, of_otherwise }
    }

    /// Returns the index of an option of a choice.
    pub fn index_of_option(&self, choice: ChoiceId, option: usize) -> u32 {
        self.of_options[choice.index()][option]
    }

    /// Returns the index of the `otherwise` of a choice, if it has one.
    pub fn index_of_otherwise(&self, choice: ChoiceId) -> Option<u32> {
        self.of_otherwise[choice.index()]
    }
}

/// Returns the name of each `otherwise` that is counted, and its index for each choice.
fn name_otherwise(
    model: &Model,
    groups: &[Vec<&Choice>],
    group_of: &[usize],
) -> (Vec<String>, Vec<Option<u32>>) {
    let has_one = |group: &&Vec<&Choice>| group.iter().any(|choice| choice.otherwise.is_some());
    let having: Vec<&[&Choice]> = groups.iter().filter(has_one).map(Vec::as_slice).collect();
    let mut numbers: Vec<Option<u32>> = vec![];
    let mut next = 0;
    for group in groups {
        let number = has_one(&group).then_some(next);
        next += u32::from(number.is_some());
        numbers.push(number);
    }
    let places = name_places(model, &having);
    let names = having.iter().zip(places).map(|(group, place)| match place.is_empty() {
        true => group.first().map(|choice| choice.name.clone()).unwrap_or_default(),
        false => place,
    });
    let of_choice =
        |(choice, group): (&Choice, &usize)| numbers[*group].filter(|_| choice.otherwise.is_some());
    (names.collect(), model.choices.iter().zip(group_of).map(of_choice).collect())
}

/// Returns a name for the place of each group of choices, different from the others: its steps, its name or its number.
/// One group needs none.
fn name_places(model: &Model, groups: &[&[&Choice]]) -> Vec<String> {
    if groups.len() == 1 {
        return vec![String::new()];
    }
    let steps = |group: &&[&Choice]| {
        let steps = group.iter().filter_map(|choice| choice.step);
        join(steps.map(|step| model.steps[step.index()].name.as_str()))
    };
    let names = |group: &&[&Choice]| {
        join(group.iter().map(|choice| choice.name.as_str()).filter(|name| *name != UNNAMED_CHOICE))
    };
    let by_step: Vec<String> = groups.iter().map(steps).collect();
    let by_name: Vec<String> = groups.iter().map(names).collect();
    for found in [&by_step, &by_name] {
        let different: BTreeSet<&String> = found.iter().collect();
        if different.len() == found.len() && found.iter().all(|place| !place.is_empty()) {
            return found.clone();
        }
    }
    let none = by_name.iter().all(String::is_empty);
    let places = by_name.iter().map(|name| match (name.is_empty(), none) {
        (true, true) => "",
        (true, false) => "elsewhere",
        (false, _) => name.as_str(),
    });
    let places: Vec<&str> = places.collect();
    let count = |place: &str, until: usize| places[..until].iter().filter(|other| **other == place).count();
    let numbered = |(at, place): (usize, &&str)| match count(place, places.len()) {
        1 => (*place).to_owned(),
        _ => format!("{place} {}", count(place, at) + 1).trim_start().to_owned(),
    };
    places.iter().enumerate().map(numbered).collect()
}

/// Joins different names with commas, in their order.
fn join<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut all: Vec<&str> = vec![];
    for name in names {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    all.join(", ")
}
