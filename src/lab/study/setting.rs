//! Settings of a game to be tried: the values of params, variants and numbers of players, and their combinations.
//!
//! Depends on how games are loaded; plays nothing.

use houserule_base::numbers::grouped;
use houserule_language::variants::Setting;
use houserule_loader::{LoadError, Loaded, Request, load};

/// Maximum number of combinations of a run that plays all of them.
pub const MOST_COMBINATIONS: u64 = 4_096;

/// Maximum number of values of a param.
const MOST_VALUES: i64 = 1_000;

/// A param and the values to be tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choices {
    /// Name of the param, or of the param and a key of its table.
    pub name: String,
    /// The values as text, as in [`Setting`].
    pub values: Vec<String>,
}

impl Choices {
    /// Reads `penalty_limit=1..7`, `jokers=0,1,2`, `line_points.3=1..3,5` or `topology=plain,torus`.
    pub fn parse(text: &str) -> Result<Choices, String> {
        let how = "write `NAME=1..7`, `NAME=0,1,2` or `NAME=VALUE`";
        let named = text.split_once('=').map(|(name, values)| (name.trim(), values.trim()));
        let Some((name, values)) = named.filter(|(name, values)| !name.is_empty() && !values.is_empty())
        else {
            return Err(format!("`{text}` names no param with values: {how}"));
        };
        Ok(Choices {
            name: name.to_owned(),
            values: values_of(values).map_err(|why| format!("`{text}`: {why}"))?,
        })
    }
}

/// Reads a list of values and ranges of integers, each value once.
pub fn values_of(text: &str) -> Result<Vec<String>, String> {
    let mut values = vec![];
    for part in text.split(',').map(str::trim) {
        if part.is_empty() {
            return Err("a value is missing before or after a comma".to_owned());
        }
        let ends = part.split_once("..");
        let range = ends.and_then(|(low, high)| {
            Some((low.trim().parse::<i64>().ok()?, high.trim().parse::<i64>().ok()?))
        });
        match (ends, range) {
            (Some(_), Some((low, high))) if low > high => {
                return Err(format!("`{part}` is an empty range: write the smaller number first"));
            }
            (Some(_), Some((low, high))) if high.checked_sub(low).is_none_or(|more| more >= MOST_VALUES) => {
                return Err(format!("`{part}` has more than {} values", grouped(MOST_VALUES)));
            }
            (Some(_), Some((low, high))) => values.extend((low..=high).map(|value| value.to_string())),
            (Some(_), None) => return Err(format!("`{part}` is no range of integers such as `1..7`")),
            (None, _) => values.push(part.to_owned()),
        }
    }
    let mut once: Vec<String> = vec![];
    values.into_iter().for_each(|value| {
        if !once.contains(&value) {
            once.push(value);
        }
    });
    Ok(once)
}

/// Everything that is tried of a game: all combinations of these.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SettingGrid {
    /// The game, with variants that all combinations have.
    pub game: String,
    /// The params and their values; those with a single value are set in all combinations.
    pub params: Vec<Choices>,
    /// Stacks of variants such as `torus` or `torus + falling`; an empty name is the game without any. Empty: only
    /// the game.
    pub variants: Vec<String>,
    /// The numbers of players. Empty: the fewest that the rules allow.
    pub players: Vec<u32>,
}

/// One combination of settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Combination {
    /// The variants on top of the game; empty if there are none.
    pub variant: String,
    /// The values of params.
    pub settings: Vec<Setting>,
    /// The number of players; `None` for the fewest.
    pub players: Option<u32>,
}

impl Combination {
    /// Loads the game with these settings.
    pub fn load(&self, game: &str) -> Result<Loaded, LoadError> {
        let name =
            if self.variant.is_empty() { game.to_owned() } else { format!("{game} + {}", self.variant) };
        load(&Request { name: &name, settings: &self.settings, players: self.players })
    }

    /// Describes the settings: `torus, penalty_limit = 3, 2 players`.
    pub fn label(&self) -> String {
        let variant = (!self.variant.is_empty()).then(|| self.variant.clone());
        let settings = self.settings.iter().map(|Setting { name, value }| format!("{name} = {value}"));
        let players = self.players.map(|players| houserule_base::numbers::counted(players, "player"));
        let all: Vec<String> = variant.into_iter().chain(settings).chain(players).collect();
        if all.is_empty() { "as the rules have it".to_owned() } else { all.join(", ") }
    }
}

impl SettingGrid {
    /// Returns the number of combinations.
    pub fn size(&self) -> u64 {
        let counts = self.params.iter().map(|param| param.values.len());
        let counts = counts.chain([self.variants.len().max(1), self.players.len().max(1)]);
        counts.fold(1u64, |all, count| all.saturating_mul(count as u64))
    }

    /// Returns all combinations. The last param changes fastest, then the ones before it, the number of players and
    /// the variant. Fails if there are more than [`MOST_COMBINATIONS`].
    pub fn combinations(&self) -> Result<Vec<Combination>, String> {
        if self.size() > MOST_COMBINATIONS {
            return Err(format!(
                "there are {} combinations, and at most {} can be played: give fewer values",
                grouped(self.size()),
                grouped(MOST_COMBINATIONS)
            ));
        }
        if let Some(twice) = self.params.iter().enumerate().find_map(|(at, one)| {
            self.params[..at].iter().any(|other| other.name == one.name).then_some(&one.name)
        }) {
            return Err(format!(
                "`{twice}` is set twice: give all of its values at once, such as `{twice}=1,2`"
            ));
        }
        let variants = if self.variants.is_empty() { vec![String::new()] } else { self.variants.clone() };
        let players: Vec<Option<u32>> = match self.players.is_empty() {
            true => vec![None],
            false => self.players.iter().map(|players| Some(*players)).collect(),
        };
        let mut all = vec![];
        for variant in &variants {
            for players in &players {
                all.push(Combination { variant: variant.clone(), settings: vec![], players: *players });
            }
        }
        for Choices { name, values } in &self.params {
            let with = |one: &Combination| {
                let one = one.clone();
                let set = values.iter().map(move |value| {
                    let mut one = one.clone();
                    one.settings.push(Setting::new(name, value));
                    one
                });
                set.collect::<Vec<_>>()
            };
            all = all.iter().flat_map(with).collect();
        }
        Ok(all)
    }

    /// Returns the index of the combination with some settings, `NAME=VALUE` separated by commas, where `variant` and
    /// `players` are names too. What isn't named has its first value.
    pub fn index_of(&self, text: &str) -> Result<usize, String> {
        let all = self.combinations()?;
        let Some(mut wanted) = all.first().cloned() else { return Ok(0) };
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let Some((name, value)) = part.split_once('=').map(|(name, value)| (name.trim(), value.trim()))
            else {
                return Err(format!("`{part}`: write `NAME=VALUE`"));
            };
            match name {
                "variant" => wanted.variant = if value == PLAIN { String::new() } else { value.to_owned() },
                "players" => {
                    let players = value.parse().map_err(|_| format!("`{value}` is no number of players"))?;
                    wanted.players = Some(players);
                }
                _ => match wanted.settings.iter_mut().find(|setting| setting.name == name) {
                    Some(setting) => value.clone_into(&mut setting.value),
                    None => {
                        let names: Vec<&str> = self.params.iter().map(|param| param.name.as_str()).collect();
                        return Err(format!("`{name}` is not varied; varied are {}", listed(&names)));
                    }
                },
            }
        }
        all.iter()
            .position(|one| *one == wanted)
            .ok_or_else(|| format!("no combination has {}: name values that are tried", wanted.label()))
    }
}

/// The word for a game without variants.
pub const PLAIN: &str = "none";

/// Lists names in backticks; `nothing` without any.
pub(crate) fn listed(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    if quoted.is_empty() { "nothing".to_owned() } else { quoted.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_lists_and_ranges() {
        assert_eq!(values_of("1..3,5, 2").unwrap(), ["1", "2", "3", "5"]);
        assert_eq!(values_of("-1..1").unwrap(), ["-1", "0", "1"]);
        assert_eq!(values_of("plain,torus").unwrap(), ["plain", "torus"]);
        for (text, why) in [
            ("3..1", "an empty range"),
            ("1..5000", "more than 1,000 values"),
            ("a..b", "no range of integers"),
            ("1,,2", "a value is missing"),
            ("-9223372036854775808..9223372036854775807", "more than 1,000 values"),
        ] {
            let found = values_of(text).unwrap_err();
            assert!(found.contains(why), "{text}: {found}");
        }
        assert!(Choices::parse("jokers").unwrap_err().contains("NAME=1..7"));
        assert!(Choices::parse("=1").is_err() && Choices::parse("a=").is_err());
    }

    fn grid() -> SettingGrid {
        let params = ["a=1,2", "b=x,y,z"].map(|text| Choices::parse(text).unwrap());
        let variants = vec![String::new(), "torus".to_owned()];
        SettingGrid { game: "g".to_owned(), params: params.into(), variants, players: vec![2, 3] }
    }

    #[test]
    fn the_last_param_changes_fastest() {
        let all = grid().combinations().unwrap();
        assert_eq!((all.len() as u64, grid().size()), (24, 24));
        let labels: Vec<String> = all.iter().map(Combination::label).collect();
        assert_eq!(labels[..2], ["a = 1, b = x, 2 players", "a = 1, b = y, 2 players"]);
        assert_eq!(labels[3], "a = 2, b = x, 2 players");
        assert_eq!(labels[6], "a = 1, b = x, 3 players");
        assert_eq!(labels[12], "torus, a = 1, b = x, 2 players");
    }

    #[test]
    fn a_base_is_named_by_its_settings() {
        assert_eq!(grid().index_of("").unwrap(), 0);
        assert_eq!(grid().index_of("b=z, a=2, players=3, variant=torus").unwrap(), 23);
        assert_eq!(grid().index_of("variant=none").unwrap(), 0);
        assert!(grid().index_of("c=1").unwrap_err().contains("varied are `a`, `b`"));
        assert!(grid().index_of("a=9").unwrap_err().contains("no combination"));
    }

    #[test]
    fn too_many_and_twice() {
        let many = |text: &str| Choices::parse(text).unwrap();
        let grid = SettingGrid { params: vec![many("a=1..100"), many("b=1..100")], ..SettingGrid::default() };
        assert!(grid.combinations().unwrap_err().contains("10,000 combinations, and at most 4,096"));
        let grid = SettingGrid { params: vec![many("a=1"), many("a=2")], ..SettingGrid::default() };
        assert!(grid.combinations().unwrap_err().contains("`a` is set twice"));
    }
}
