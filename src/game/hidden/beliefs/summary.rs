//! The beliefs of a seat about the values that it does not see, as probabilities.

use std::collections::BTreeMap;

use super::worlds::Worlds;
use crate::NoWorld;
use crate::hidden::knowledge::{is_told, slots};
use crate::values::value_text;
use crate::{State, family_names};
use houserule_base::rng::Stream;
use houserule_model::{Content, Role, Value};

/// The beliefs of a seat about everything that it does not see.
#[derive(Clone, Debug, PartialEq)]
pub struct Beliefs {
    /// Whether the probabilities are exact under the opponent model. Otherwise they are proportions of
    /// sampled worlds.
    pub exact: bool,
    /// The number of different worlds if `exact`, otherwise the number of samples.
    pub worlds: usize,
    /// By name, in the order of the rules: the probability of each value, by its text. For zones and pieces:
    /// the probability that each element lies there.
    pub values: Vec<(String, BTreeMap<String, f64>)>,
}

impl Worlds {
    /// Aggregates all worlds, if they are known, or `samples` of them. `state` is the state that the worlds
    /// belong to.
    pub fn beliefs(
        &mut self,
        state: &State,
        samples: usize,
        stream: &mut Stream,
    ) -> Result<Beliefs, NoWorld> {
        let all = match self.all() {
            Some(all) => all,
            None => {
                let part = 1.0 / samples.max(1) as f64;
                (0..samples)
                    .map(|_| Ok((self.next(stream)?.clone(), part)))
                    .collect::<Result<_, NoWorld>>()?
            }
        };
        let (game, seat) = (state.game(), self.seat());
        let model = game.model();
        let mut values = vec![];
        for (id, slot) in slots(model).filter(|(id, slot)| is_told(slot) && state.keeps(*id)) {
            if slot.role == Role::Known {
                continue;
            }
            let names = family_names(game, &slot.name, &slot.index);
            for (place, name) in names.into_iter().enumerate().filter(|(at, _)| !state.sees(id, *at, seat)) {
                let mut chances: BTreeMap<String, f64> = BTreeMap::new();
                for (world, p) in &all {
                    match (world.value(id, place), slot.content) {
                        (Value::Set(set), Content::Set(domain)) => set.iter().for_each(|element| {
                            *chances.entry(game.element_name(domain, element)).or_default() += p;
                        }),
                        (value, content) => {
                            *chances.entry(value_text(game, content, &value)).or_default() += p;
                        }
                    }
                }
                // Sums of many probabilities are rounded, but none is more than certain.
                chances
                    .values_mut()
                    .for_each(|chance| *chance = if *chance > 1.0 - 1e-12 { 1.0 } else { *chance });
                values.push((name, chances));
            }
        }
        Ok(Beliefs { exact: self.is_exact(), worlds: all.len(), values })
    }
}
