//! Making groups of environments: checks of their options, and the families of rule sets.

use std::sync::Arc;

use super::chunk::Chunk;
use super::config::{EnvConfig, Guests, SeatAgents};
use super::group::EnvGroup;
use super::mixed::{MixedChunk, MixedKinds, SetKind};
use super::options::{Autoreset, EnvError, EnvOptions, ObservationForm};
use super::rule_sets::{EnvRules, Home, RuleDraws, RuleOptions, RuleSets};
use houserule_game::Game;
use houserule_game::many::Many;
use houserule_game::observe::{Dtype, SharedForm, SharedLayout};

/// What groups of environments are made of.
pub(super) enum GroupKinds {
    /// The agents and the games of a single game.
    One(SeatAgents, Box<Many>),
    /// The rule sets.
    Mixed(RuleSets, MixedKinds),
}

impl GroupKinds {
    /// Checks the options of `envs` environments.
    pub(super) fn new(
        rules: EnvRules<'_>,
        options: &EnvOptions,
        envs: usize,
        guests: Guests,
    ) -> Result<(Arc<EnvConfig>, GroupKinds), EnvError> {
        match rules {
            EnvRules::One(game) => GroupKinds::for_game(game, options, guests),
            EnvRules::Several(rules) => GroupKinds::for_rules(rules, options, envs, guests),
        }
    }

    fn for_game(
        game: &Game,
        options: &EnvOptions,
        guests: Guests,
    ) -> Result<(Arc<EnvConfig>, GroupKinds), EnvError> {
        let (kind, agents) = EnvConfig::new(game, options, guests)?;
        let many = Box::new(Many::new(&kind.game, 0));
        Ok((Arc::new(kind), GroupKinds::One(agents, many)))
    }

    fn for_rules(
        rules: &RuleOptions,
        options: &EnvOptions,
        envs: usize,
        guests: Guests,
    ) -> Result<(Arc<EnvConfig>, GroupKinds), EnvError> {
        let games = &rules.games;
        let draws = RuleDraws::new(&rules.choice, games.len(), envs)?;
        let kinds = set_kinds(games, options, &guests)?;
        let form = SharedForm {
            planes: options.observation == ObservationForm::Planes,
            most: match options.dtype {
                Dtype::Float32 | Dtype::Float16 => None,
                Dtype::Uint8 => Some(255),
                Dtype::Bool | Dtype::Bits => Some(1),
            },
            show: rules.show,
        };
        // Not the given games: with measures their frames differ.
        let measured: Vec<Game> = kinds.iter().map(|(kind, ..)| kind.game.clone()).collect();
        Game::share_code(&measured);
        let layout = Arc::new(SharedLayout::new(&measured, form).map_err(EnvError::Shared)?);
        let first = &kinds[0].0;
        let kind = EnvConfig {
            game: games[0].clone(),
            options: options.clone(),
            agents: first.agents.clone(),
            line_ups: first.line_ups.clone(),
            planes: first.planes.clone(),
            measured: first.measured,
            rewards_score: first.rewards_score,
            rewards_payoff: first.rewards_payoff,
            shares: first.shares.clone(),
            players: first.players,
            actions: layout.actions().len(),
            cells: options.dtype.size(layout.len()),
            shared: Some(Arc::clone(&layout)),
            takes_long: kinds.iter().any(|(kind, ..)| kind.takes_long),
        };
        let (homes, families) = families(kinds, &layout);
        let sets = RuleSets {
            layout,
            draws,
            ends: Arc::new(ends(games)),
            fingerprint: fingerprint(games),
            homes: homes.into(),
        };
        Ok((Arc::new(kind), GroupKinds::Mixed(sets, MixedKinds { families })))
    }

    /// Makes `count` environments; `first` is the index of the first one among all.
    pub(super) fn group(&self, kind: &Arc<EnvConfig>, first: usize, count: usize) -> EnvGroup {
        match self {
            GroupKinds::One(agents, many) => {
                let agents = agents.iter().map(|agent| agent.copy()).collect();
                EnvGroup::One(Box::new(Chunk::new(kind, agents, many.more(count), first as u64, count)))
            }
            GroupKinds::Mixed(rules, kinds) => {
                EnvGroup::Mixed(Box::new(MixedChunk::new(kind, rules, kinds, first, count)))
            }
        }
    }
}

/// Checks the options for each rule set. Returns their configurations, agents and empty arrays of games.
fn set_kinds(games: &[Game], options: &EnvOptions, guests: &Guests) -> Result<Vec<SetKind>, EnvError> {
    // Bits are written as bytes and halves as floats until they are in their places; an episode's next one begins
    // when its rule set is drawn.
    let own = EnvOptions {
        dtype: match options.dtype {
            Dtype::Bits => Dtype::Uint8,
            Dtype::Float16 => Dtype::Float32,
            Dtype::Float32 | Dtype::Uint8 | Dtype::Bool => options.dtype,
        },
        autoreset: match options.autoreset {
            Autoreset::SameStep => Autoreset::Disabled,
            Autoreset::NextStep | Autoreset::Disabled => options.autoreset,
        },
        ..options.clone()
    };
    let mut kinds = vec![];
    for game in games {
        let copied = guests.iter().map(|guest| guest.as_ref().map(|guest| guest.copy())).collect();
        let in_set = |error: EnvError| EnvError::RuleSet {
            rules: game.identity().name.clone(),
            error: Box::new(error),
        };
        game.check_dtype(options.dtype).map_err(EnvError::Dtype).map_err(in_set)?;
        let (kind, agents) = EnvConfig::new(game, &own, copied).map_err(in_set)?;
        let many = Many::new(&kind.game, 0);
        kinds.push((Arc::new(kind), agents, many));
    }
    Ok(kinds)
}

/// Puts rule sets whose environments may be in one chunk into families. Returns the home of each rule set, and the
/// configuration, the agents and an empty array of games of each family.
fn families(kinds: Vec<SetKind>, layout: &SharedLayout) -> (Vec<Home>, Vec<SetKind>) {
    let mut homes: Vec<Home> = vec![];
    let mut families: Vec<Vec<usize>> = vec![];
    for (set, (config, _, many)) in kinds.iter().enumerate() {
        let is_home = |family: &Vec<usize>| {
            let (first, _, first_many) = &kinds[family[0]];
            layout.maps[set].has_places_of(&layout.maps[family[0]])
                && config.may_join(first)
                && many.may_join(first_many)
        };
        let family = families.iter().position(is_home).unwrap_or_else(|| {
            families.push(vec![]);
            families.len() - 1
        });
        homes.push(Home { family: family as u32, kind: families[family].len() as u32 });
        families[family].push(set);
    }
    let joined: Vec<Many> =
        families.iter().map(|sets| Many::joined(sets.iter().map(|set| &kinds[*set].2))).collect();
    let firsts = kinds.into_iter().zip(&homes).filter(|(_, home)| home.kind == 0).map(|(kind, _)| kind);
    let all = firsts.zip(joined).map(|((config, agents, _), many)| (config, agents, many)).collect();
    (homes, all)
}

/// Returns the names of all ends of games, and by game the index of each of its own.
fn ends(games: &[Game]) -> (Vec<String>, Vec<Vec<u16>>) {
    let mut names: Vec<String> = vec![];
    let mut own = vec![];
    for game in games {
        let ends = game.model().end_names().map(|name| {
            let at = names.iter().position(|known| known == name).unwrap_or_else(|| {
                names.push(name.to_owned());
                names.len() - 1
            });
            u16::try_from(at).unwrap_or(u16::MAX)
        });
        own.push(ends.collect());
    }
    (names, own)
}

/// Returns a number that tells rule sets from others.
fn fingerprint(games: &[Game]) -> u64 {
    let all: Vec<u64> = games.iter().map(Game::fingerprint).collect();
    houserule_base::hash::hash(&all)
}

#[cfg(test)]
mod tests {
    use super::{EnvOptions, GroupKinds, RuleOptions};
    use houserule_language::variants::{Origin, Setting};
    use houserule_loader::{load_all, parts};

    /// Returns the number of families of Di-Li-Do and a variant, or of the game alone, with these numbers of jokers.
    fn families(names: &[&str], jokers: &[i32]) -> usize {
        let mut origins = vec![];
        for name in names {
            for limit in 2..5 {
                for jokers in jokers {
                    let settings = [("penalty_limit", limit), ("jokers", *jokers)];
                    let settings = settings.map(|(name, value)| Setting::new(name, value.to_string()));
                    origins.push(Origin {
                        parts: parts(name),
                        settings: settings.to_vec(),
                        ..Origin::default()
                    });
                }
            }
        }
        let games = load_all(&origins, 1).unwrap_or_else(|error| panic!("{error}"));
        let rules = RuleOptions::uniform(games);
        match GroupKinds::for_rules(&rules, &EnvOptions::default(), 8, vec![]) {
            Ok((_, GroupKinds::Mixed(_, kinds))) => kinds.families.len(),
            Ok(_) => panic!("there are several rule sets"),
            Err(error) => panic!("{error}"),
        }
    }

    #[test]
    fn rule_sets_that_differ_only_in_numbers_are_a_family() {
        assert_eq!(families(&["dilido"], &[1, 2, 4]), 1);
        assert_eq!(families(&["dilido", "dilido+second-joker"], &[1, 2, 4]), 2);
    }

    #[test]
    fn variants_whose_states_lie_in_the_same_words_are_in_the_family() {
        assert_eq!(families(&["dilido", "dilido+torus", "dilido+ordered"], &[1, 2, 4]), 1);
    }

    #[test]
    fn an_option_that_some_rule_sets_never_offer_keeps_them_in_a_family() {
        assert_eq!(families(&["dilido"], &[0, 1, 2]), 1);
    }
}
