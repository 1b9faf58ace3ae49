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
        let places = name_places(model, &groups);
        // The groups that have an option of a name.
        let mut having: HashMap<&str, BTreeSet<usize>> = HashMap::new();
        for (choice, group) in grouped() {
            for option in &choice.options {
                having.entry(option.name.as_str()).or_default().insert(group);
            }
        }
        let options = blocks.iter().map(|(actions, group)| {
            let option = model.actions[actions.index()].option.clone();
            let is_alone = having.get(option.as_str()).is_none_or(|all| all.len() < 2);
            let name = if is_alone { option.clone() } else { format!("{option} ({})", places[*group]) };
            CountedOption { option, name, actions: *actions }
        });
        let of_options = grouped().map(|(choice, group)| {
            let index = |block| blocks.binary_search(&block).unwrap_or_default() as u32;
            choice.options.iter().map(|option| index((option.actions, group))).collect()
        });
        let (of_options, options) = (of_options.collect(), options.collect());
        let has_otherwise = |group: &&usize| groups[**group].iter().any(|choice| choice.otherwise.is_some());
        let with_otherwise: Vec<usize> = (0..groups.len()).filter(|group| has_otherwise(&group)).collect();
        let otherwise = with_otherwise.iter().map(|group| places[*group].clone()).collect();
        let of_otherwise = grouped().map(|(choice, group)| {
            let index = with_otherwise.binary_search(&group).ok().map(|index| index as u32);
            index.filter(|_| choice.otherwise.is_some())
        });
        CountedUses { options, otherwise, of_options, of_otherwise: of_otherwise.collect() }
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

/// Returns a name for the place of each group of choices, different from the others: its steps, its name, or a number.
fn name_places(model: &Model, groups: &[Vec<&Choice>]) -> Vec<String> {
    let steps = |group: &Vec<&Choice>| {
        let steps = group.iter().filter_map(|choice| choice.step);
        join(steps.map(|step| model.steps[step.index()].name.as_str()))
    };
    let is_named = |choice: &&&Choice| choice.step.is_some() || choice.name != UNNAMED_CHOICE;
    let names = |group: &Vec<&Choice>| join(group.iter().filter(is_named).map(|choice| choice.name.as_str()));
    let by_step: Vec<String> = groups.iter().map(steps).collect();
    let different: BTreeSet<&String> = by_step.iter().collect();
    if different.len() == by_step.len() && by_step.iter().all(|place| !place.is_empty()) {
        return by_step;
    }
    let by_name: Vec<String> = groups.iter().map(names).collect();
    let unnamed = match by_name.iter().any(|name| !name.is_empty()) {
        true => "elsewhere",
        false if groups.len() == 1 => UNNAMED_CHOICE,
        false => "",
    };
    let places: Vec<&str> =
        by_name.iter().map(|name| if name.is_empty() { unnamed } else { name.as_str() }).collect();
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
