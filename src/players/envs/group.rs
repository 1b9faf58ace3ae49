//! The environments of one thread: of one game, or of several rule sets.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::chunk::{Chunk, EnvPhase, Errors, FollowedEnds, StepResult};
use super::config::{EnvConfig, Guests, SeatAgents};
use super::mixed::{MixedChunk, MixedKinds, SetKind};
use super::options::{Autoreset, EnvError, EnvOptions, ObservationForm};
use super::rule_sets::{EnvRules, Home, RuleDraws, RuleOptions, RuleSets};
use super::{EnvBuffers, EpisodeEnd, Outputs};
use houserule_game::many::Many;
use houserule_game::observe::{Cells, Dtype, SharedForm, SharedLayout};
use houserule_game::{ActionId, Game, RuntimeError, State};

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
            EnvRules::One(game) => GroupKinds::of_game(game, options, guests),
            EnvRules::Several(rules) => GroupKinds::of_rules(rules, options, envs, guests),
        }
    }

    fn of_game(
        game: &Game,
        options: &EnvOptions,
        guests: Guests,
    ) -> Result<(Arc<EnvConfig>, GroupKinds), EnvError> {
        let (kind, agents) = EnvConfig::new(game, options, guests)?;
        let many = Box::new(Many::new(&kind.game, 0));
        Ok((Arc::new(kind), GroupKinds::One(agents, many)))
    }

    fn of_rules(
        rules: &RuleOptions,
        options: &EnvOptions,
        envs: usize,
        guests: Guests,
    ) -> Result<(Arc<EnvConfig>, GroupKinds), EnvError> {
        let games = &rules.games;
        let draws = RuleDraws::new(&rules.choice, games.len(), envs)?;
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
            let of_set = |error: EnvError| EnvError::RuleSet {
                rules: game.identity().name.clone(),
                error: Box::new(error),
            };
            game.check_dtype(options.dtype).map_err(EnvError::Dtype).map_err(of_set)?;
            let (kind, agents) = EnvConfig::new(game, &own, copied).map_err(of_set)?;
            let many = Many::new(&kind.game, 0);
            kinds.push((Arc::new(kind), agents, many));
        }
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
        let own: Vec<Game> = kinds.iter().map(|(kind, ..)| kind.game.clone()).collect();
        Game::share_code(&own);
        let layout = Arc::new(SharedLayout::new(&own, form).map_err(EnvError::Shared)?);
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

/// What saved environments lack of how their last episodes ended.
pub(super) struct ReportedEnds {
    /// By environment, the index of the end that decided, and the rule set of that episode.
    ends: Vec<(u16, u32)>,
    errors: Errors,
    followed: FollowedEnds,
}

/// The environments of one thread.
pub(super) enum EnvGroup {
    /// Of one game.
    One(Box<Chunk>),
    /// Of several rule sets.
    Mixed(Box<MixedChunk>),
}

impl EnvGroup {
    /// The configuration.
    pub(super) fn kind(&self) -> &Arc<EnvConfig> {
        match self {
            EnvGroup::One(chunk) => &chunk.kind,
            EnvGroup::Mixed(mixed) => &mixed.kind,
        }
    }

    /// Returns as many new environments with the same configuration.
    pub(super) fn fresh(&self) -> EnvGroup {
        match self {
            EnvGroup::One(chunk) => EnvGroup::One(Box::new(chunk.fresh())),
            EnvGroup::Mixed(mixed) => EnvGroup::Mixed(Box::new(mixed.fresh())),
        }
    }

    /// The number of environments.
    pub(super) fn count(&self) -> usize {
        match self {
            EnvGroup::One(chunk) => chunk.count(),
            EnvGroup::Mixed(mixed) => mixed.count(),
        }
    }

    /// Memory of one environment, in bytes.
    pub(super) fn bytes_each(&self) -> usize {
        match self {
            EnvGroup::One(chunk) => chunk.bytes_each(),
            EnvGroup::Mixed(mixed) => mixed.bytes_each(),
        }
    }

    /// A number that tells the rules from others.
    pub(super) fn fingerprint(&self) -> u64 {
        match self {
            EnvGroup::One(chunk) => chunk.kind.game.fingerprint(),
            EnvGroup::Mixed(mixed) => mixed.rules.fingerprint,
        }
    }

    /// The chunk and the slot of an environment.
    pub(super) fn at(&self, e: usize) -> (&Chunk, usize) {
        match self {
            EnvGroup::One(chunk) => (chunk, e),
            EnvGroup::Mixed(mixed) => mixed.at(e),
        }
    }

    /// Like [`EnvGroup::at`].
    pub(super) fn at_mut(&mut self, e: usize) -> (&mut Chunk, usize) {
        match self {
            EnvGroup::One(chunk) => (chunk, e),
            EnvGroup::Mixed(mixed) => mixed.at_mut(e),
        }
    }

    /// The chunk of environments of one game, or `None` if there are several rule sets.
    pub(super) fn of_one_game(&mut self) -> Option<&mut Chunk> {
        match self {
            EnvGroup::One(chunk) => Some(chunk),
            EnvGroup::Mixed(_) => None,
        }
    }

    /// Sets the seed of the first environment, and those after it of the others, before they are reset.
    pub(super) fn begin_with(&mut self, first: u64) {
        for e in 0..self.count() {
            let (chunk, slot) = self.at_mut(e);
            chunk.begin_with(slot, first + e as u64);
        }
    }

    /// The rule set that an environment plays; 0 if there is one game.
    pub(super) fn rules_of(&self, e: usize) -> usize {
        match self {
            EnvGroup::One(_) => 0,
            EnvGroup::Mixed(mixed) => mixed.rules_of(e),
        }
    }

    /// The progress of an environment.
    pub(super) fn phase(&self, e: usize) -> EnvPhase {
        let (chunk, slot) = self.at(e);
        chunk.metas[slot].phase
    }

    /// The learner's seat; in self-play the seat that took the last step.
    pub(super) fn seat(&self, e: usize) -> u32 {
        let (chunk, slot) = self.at(e);
        chunk.metas[slot].seat
    }

    /// The seed and the index of the episode.
    pub(super) fn episode(&self, e: usize) -> (u64, u64) {
        let (chunk, slot) = self.at(e);
        (chunk.metas[slot].seed, chunk.metas[slot].index)
    }

    /// How the episode ended that the last step reported.
    pub(super) fn ended(&self, e: usize) -> EpisodeEnd {
        let (chunk, slot) = self.at(e);
        chunk.ended(slot)
    }

    /// The end that decided the last episode ended by the rules: an index of [`EnvGroup::end_names`].
    pub(super) fn end(&self, e: usize) -> u16 {
        match self {
            EnvGroup::One(chunk) => chunk.metas[e].end,
            EnvGroup::Mixed(mixed) => mixed.end(e),
        }
    }

    /// The names of the ends.
    pub(super) fn end_names(&self) -> Vec<String> {
        match self {
            EnvGroup::One(chunk) => chunk.kind.game.model().end_names().map(str::to_owned).collect(),
            EnvGroup::Mixed(mixed) => mixed.rules.ends.0.clone(),
        }
    }

    /// The error that aborted the episode that the last step reported, if any.
    pub(super) fn error(&self, e: usize) -> Option<&RuntimeError> {
        let (chunk, slot) = self.at(e);
        chunk.error(slot)
    }

    /// Returns the game of an environment as a state, without its history.
    pub(super) fn state(&mut self, e: usize) -> State {
        let (chunk, slot) = self.at_mut(e);
        chunk.state(slot)
    }

    /// Replaces how rule sets are drawn.
    pub(super) fn set_draws(&mut self, draws: &RuleDraws) {
        match self {
            EnvGroup::One(_) => {}
            EnvGroup::Mixed(mixed) => mixed.set_draws(draws),
        }
    }

    /// Asks the function for the rule sets of the episodes that a reset may begin.
    pub(super) fn choose_for_reset(
        &mut self,
        seeds: &[Option<u64>],
        mask: Option<&[bool]>,
    ) -> Result<(), EnvError> {
        match self {
            EnvGroup::One(_) => Ok(()),
            EnvGroup::Mixed(mixed) => {
                mixed.choose(|e, _| mask.is_none_or(|mask| mask[e]).then(|| seeds.get(e).copied().flatten()))
            }
        }
    }

    /// Asks the function for the rule sets of the episodes that a step may begin.
    pub(super) fn choose_for_step(&mut self) -> Result<(), EnvError> {
        let EnvGroup::Mixed(mixed) = self else { return Ok(()) };
        let autoreset = mixed.kind.options.autoreset;
        mixed.choose(|_, phase| match (autoreset, phase) {
            (Autoreset::Disabled, _) => None,
            (Autoreset::SameStep, _) | (Autoreset::NextStep, EnvPhase::New | EnvPhase::Over) => Some(None),
            (Autoreset::NextStep, EnvPhase::Playing | EnvPhase::OverAtStart) => None,
        })
    }

    /// Returns an error if this step must be refused. Called only if the options allow refusing.
    pub(super) fn check(&self, first: usize, actions: &[i64]) -> Result<(), EnvError> {
        match self {
            EnvGroup::One(chunk) => chunk.check(first, actions),
            EnvGroup::Mixed(mixed) => mixed.check(first, actions),
        }
    }

    /// Steps every environment.
    pub(super) fn step(&mut self, actions: &[i64], out: &mut Outputs<'_>) {
        match self {
            EnvGroup::One(chunk) => chunk.step(actions, out),
            EnvGroup::Mixed(mixed) => mixed.step(actions, out),
        }
    }

    /// Resets the environments in `mask`, or all, and shows all.
    pub(super) fn reset(&mut self, seeds: &[Option<u64>], mask: Option<&[bool]>, view: &mut EnvBuffers<'_>) {
        match self {
            EnvGroup::One(chunk) => chunk.reset(seeds, mask, view),
            EnvGroup::Mixed(mixed) => mixed.reset(seeds, mask, view),
        }
    }

    /// Draws a legal action for every environment in play, and 0 for the others.
    pub(super) fn sample(&mut self, actions: &mut [i64]) {
        match self {
            EnvGroup::One(chunk) => chunk.sample(actions),
            EnvGroup::Mixed(mixed) => mixed.sample(actions),
        }
    }

    /// Seeds the streams of sampled actions.
    pub(super) fn seed_samples(&mut self, first: u64, seed: u64) {
        match self {
            EnvGroup::One(chunk) => chunk.seed_samples(first, seed),
            EnvGroup::Mixed(mixed) => mixed.seed_samples(first, seed),
        }
    }

    /// Begins a new episode in one environment.
    pub(super) fn reset_one(&mut self, e: usize, seed: Option<u64>) {
        match self {
            EnvGroup::One(chunk) => chunk.reset_one::<false>(e, seed),
            EnvGroup::Mixed(mixed) => mixed.reset_one(e, seed),
        }
    }

    /// Takes a step in one environment.
    pub(super) fn step_one(&mut self, e: usize, action: i64, seats: &mut [f64]) -> StepResult {
        match self {
            EnvGroup::One(chunk) => chunk.step_alone(e, action, seats),
            EnvGroup::Mixed(mixed) => {
                let own = mixed.map(e).own_action(action);
                let (chunk, slot) = mixed.at_mut(e);
                chunk.step_alone(slot, own, seats)
            }
        }
    }

    /// Writes the learner's observation of one environment.
    pub(super) fn observe(&mut self, e: usize, out: Cells<'_>) {
        match self {
            EnvGroup::One(chunk) => chunk.observe(e, out),
            EnvGroup::Mixed(mixed) => mixed.observe(e, out),
        }
    }

    /// Writes the action mask of one environment: all 1 after the end of an episode.
    pub(super) fn write_mask(&mut self, e: usize, out: &mut [i8]) {
        match self {
            EnvGroup::One(chunk) => {
                chunk.many.write_mask(e, out);
                if chunk.many.current_player(e).is_none() {
                    out.fill(1);
                }
            }
            EnvGroup::Mixed(mixed) => mixed.write_mask(e, out),
        }
    }

    /// The legal actions of one environment, ascending.
    pub(super) fn legal_actions(&self, e: usize) -> Vec<ActionId> {
        let (chunk, slot) = self.at(e);
        let mut legal = chunk.many.legal_actions(slot);
        if let EnvGroup::Mixed(mixed) = self {
            let map = mixed.map(e);
            legal.iter_mut().for_each(|action| action.0 = map.shared_action(action.0));
            legal.sort_unstable();
        }
        legal
    }

    /// The seat that must decide in one environment.
    pub(super) fn current_player(&self, e: usize) -> Option<u32> {
        let (chunk, slot) = self.at(e);
        chunk.many.current_player(slot)
    }

    /// Moves an environment that has not begun to a rule set.
    pub(super) fn place(&mut self, e: usize, set: usize) {
        match self {
            EnvGroup::One(_) => {}
            EnvGroup::Mixed(mixed) => {
                mixed.move_to(e, set);
                mixed.set_ended_in(e, set);
            }
        }
    }

    /// Copies what saved environments lack of how their last episodes ended.
    pub(super) fn reported_ends(&self) -> ReportedEnds {
        let mut reported = ReportedEnds { ends: vec![], errors: BTreeMap::new(), followed: BTreeMap::new() };
        for e in 0..self.count() {
            let (chunk, slot) = self.at(e);
            let set = match self {
                EnvGroup::One(_) => 0,
                EnvGroup::Mixed(mixed) => mixed.ended_in(e),
            };
            reported.ends.push((chunk.metas[slot].end, set));
            if let Some(error) = chunk.errors.get(&slot) {
                reported.errors.insert(e, error.clone());
            }
            if let Some(followed) = chunk.followed.get(&slot) {
                reported.followed.insert(e, followed.clone());
            }
        }
        reported
    }

    /// Restores what [`EnvGroup::reported_ends`] copied.
    pub(super) fn set_reported_ends(&mut self, reported: ReportedEnds) {
        let ReportedEnds { ends, mut errors, mut followed } = reported;
        for (e, (end, set)) in ends.into_iter().enumerate() {
            let (chunk, slot) = self.at_mut(e);
            chunk.metas[slot].end = end;
            chunk.errors.remove(&slot);
            chunk.followed.remove(&slot);
            if let Some(error) = errors.remove(&e) {
                chunk.errors.insert(slot, error);
            }
            if let Some(followed) = followed.remove(&e) {
                chunk.followed.insert(slot, followed);
            }
            if let EnvGroup::Mixed(mixed) = self {
                mixed.set_ended_in(e, set as usize);
            }
        }
    }
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
        match GroupKinds::of_rules(&rules, &EnvOptions::default(), 8, vec![]) {
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
