//! Several rule sets in one vector: every environment is held to one of its rule set alone.

use std::collections::HashMap;
use std::sync::Arc;

use houserule::agents::AgentKind;
use houserule::envs::{
    Autoreset, Env, EnvBuffers, EnvError, EnvOptions, LineUp, ObservationForm, Opponents, Outputs, Potential,
    Reward, RuleChoice, RuleOptions, VectorEnv,
};
use houserule::game::{ActionId, Game};
use houserule::observe::{Dtype, SharedLayout};
use houserule::rng::Stream;

use crate::extent;

use super::common::{LOAD_MEASURED, any_action, game_of, legal_action, seeds, text};

const MODES: [Autoreset; 3] = [Autoreset::NextStep, Autoreset::SameStep, Autoreset::Disabled];

fn named(names: &[&str], settings: &[&[(&str, &str)]]) -> Vec<Game> {
    names.iter().flat_map(|name| settings.iter().map(|of| game_of(name, None, of))).collect()
}

/// Rule sets of one player with other params, options, entries and board sizes.
fn dilido() -> Vec<Game> {
    named(
        &["dilido", "dilido+torus", "dilido+second-joker", "dilido+8x8"],
        &[&[("penalty_limit", "2")], &[("penalty_limit", "5")]],
    )
}

/// Rule sets of two players.
fn four() -> Vec<Game> {
    named(&["connect-four", "connect-four+pop-out"], &[&[]])
}

/// A vector of rule sets with its buffers.
struct Mixed {
    envs: VectorEnv,
    observations: Vec<f32>,
    masks: Vec<i8>,
    players: Vec<i32>,
    rewards: Vec<f64>,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
    seats: Vec<f64>,
    finals: Vec<f32>,
}

impl Mixed {
    fn new(rules: &RuleOptions, options: &EnvOptions, count: usize, threads: usize) -> Mixed {
        let envs = VectorEnv::new(rules, options, count, threads).unwrap_or_else(|error| panic!("{error}"));
        Mixed {
            observations: vec![7.0; count * envs.observation_len()],
            masks: vec![7; count * envs.actions()],
            players: vec![0; count],
            rewards: vec![0.0; count],
            terminated: vec![false; count],
            truncated: vec![false; count],
            seats: vec![0.0; count * envs.players()],
            finals: vec![7.0; count * envs.observation_len()],
            envs,
        }
    }

    fn reset(&mut self, seeds: &[Option<u64>], mask: Option<&[bool]>) -> Result<(), EnvError> {
        let view = EnvBuffers {
            observations: (&mut self.observations).into(),
            masks: &mut self.masks,
            current_players: &mut self.players,
        };
        self.envs.reset(seeds, mask, view)
    }

    fn step(&mut self, actions: &[i64]) -> Result<(), EnvError> {
        let out = Outputs {
            view: EnvBuffers {
                observations: (&mut self.observations).into(),
                masks: &mut self.masks,
                current_players: &mut self.players,
            },
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            seat_rewards: &mut self.seats,
            final_observations: (&mut self.finals).into(),
        };
        self.envs.step(actions, out)
    }

    fn mask(&self, e: usize) -> &[i8] {
        let actions = self.envs.actions();
        &self.masks[e * actions..][..actions]
    }

    fn rules(&self) -> Vec<usize> {
        (0..self.envs.count()).map(|e| self.envs.rules(e)).collect()
    }

    /// Steps with legal actions until the next episode of every environment has begun a few times.
    fn play(&mut self, steps: usize) -> Vec<Vec<usize>> {
        let mut actions = vec![0; self.envs.count()];
        let mut rules = vec![];
        for _ in 0..steps {
            self.envs.sample_actions(&mut actions).expect("the slice fits");
            self.step(&actions).unwrap_or_else(|error| panic!("{error}"));
            rules.push(self.rules());
        }
        rules
    }
}

/// Rule sets and the layout that they share.
struct Sharing<'g> {
    games: &'g [Game],
    layout: SharedLayout,
    /// For each rule set, its own number of each action of the layout.
    actions: Vec<Vec<Option<usize>>>,
}

impl Sharing<'_> {
    fn new(games: &[Game], layout: SharedLayout) -> Sharing<'_> {
        let own = |game: &Game| {
            let own: HashMap<String, usize> =
                (0..game.actions()).map(|own| (game.action_name(ActionId(own)), own as usize)).collect();
            layout.actions().iter().map(|name| own.get(name).copied()).collect()
        };
        Sharing { games, actions: games.iter().map(own).collect(), layout }
    }
}

/// An environment of one rule set, and the number of the rule set.
struct Alone {
    rules: usize,
    env: Env,
}

/// Returns the observation and the mask of an environment of one rule set, in the places of a shared layout. Sites and
/// elements are found by their names, so this holds only for entries whose dimensions are the same in all rule sets,
/// or a board of another size.
fn shared(sharing: &Sharing<'_>, rules: usize, own: &[f32], mask: &[i8]) -> (Vec<Option<f32>>, Vec<i8>) {
    let Sharing { games, layout, actions } = sharing;
    let game = &games[rules];
    let length = layout.entries().iter().map(|entry| entry.offset + entry.length).max().unwrap_or(0);
    let mut observation = vec![Some(0.0); length];
    for entry in layout.entries() {
        let place = entry.offset..entry.offset + entry.length;
        match game.observation_spec().iter().find(|own| own.name == entry.name) {
            Some(from) if games.iter().all(|game| has_shape(game, &entry.name, &entry.shape)) => {
                let from = &own[from.offset..][..from.length];
                observation[place].iter_mut().zip(from).for_each(|(to, from)| *to = Some(*from));
            }
            // Elements and sites may lie elsewhere: the sum must be the same.
            Some(_) => observation[place].fill(None),
            None if entry.name == "rules" => observation[place].fill(None),
            None => {}
        }
    }
    (observation, actions[rules].iter().map(|own| own.map_or(0, |own| mask[own])).collect())
}

/// Holds every environment to one of its rule set alone.
fn compare(games: &[Game], options: &EnvOptions, choice: RuleChoice, threads: usize, steps: usize) {
    let count = extent::tries(17, 37);
    let rules = RuleOptions { games: games.to_vec(), choice, show: true };
    let mut mixed = Mixed::new(&rules, options, count, threads);
    let mut alone: Vec<Alone> = vec![];
    let make = |rules: usize| {
        let env = Env::new(&games[rules], options).unwrap_or_else(|error| panic!("{error}"));
        Alone { rules, env }
    };
    mixed.reset(&seeds(50, count), None).expect("it resets");
    for e in 0..count {
        let mut own = make(mixed.envs.rules(e));
        own.env.reset(Some(50 + e as u64));
        alone.push(own);
    }
    let sharing = Sharing::new(games, mixed.envs.shared().expect("it is shared").clone());
    let mut dice = Stream::new(3, 0, 77);
    let mut over = vec![false; count];
    let mut played = vec![false; games.len()];
    for step in 0..steps {
        let actions: Vec<i64> = (0..count).map(|e| any_action(mixed.mask(e), &mut dice)).collect();
        let same_step = options.autoreset == Autoreset::SameStep;
        let next_step = options.autoreset == Autoreset::NextStep;
        if options.autoreset == Autoreset::Disabled && over.iter().any(|over| *over) {
            mixed.reset(&[], Some(&over)).expect("it resets");
            for e in (0..count).filter(|e| over[*e]) {
                alone[e] = next(&alone[e], mixed.envs.rules(e), &make);
            }
            over.fill(false);
            continue;
        }
        let before = over.clone();
        mixed.step(&actions).unwrap_or_else(|error| panic!("{error}"));
        for e in 0..count {
            let rules = mixed.envs.rules(e);
            played[rules] = true;
            let at = format!("{} {options:?} step {step} env {e}", games[rules].identity().name);
            let mut seats = vec![0.0; alone[e].env.players()];
            if next_step && before[e] {
                alone[e] = next(&alone[e], rules, &make);
                assert_eq!((mixed.rewards[e], mixed.terminated[e]), (0.0, false), "{at}");
                over[e] = false;
            } else {
                let numbers = &sharing.actions[alone[e].rules];
                let own = usize::try_from(actions[e]).ok().and_then(|action| *numbers.get(action)?);
                let own = own.map_or(-1, |own| own as i64);
                let told = alone[e].env.step(own, &mut seats).expect("the step is taken");
                assert_eq!(mixed.rewards[e].to_bits(), told.reward.to_bits(), "{at}");
                assert_eq!(
                    (mixed.terminated[e], mixed.truncated[e]),
                    (told.terminated, told.truncated),
                    "{at}"
                );
                assert_eq!(mixed.envs.ended(e), alone[e].env.ended(), "{at}");
                let end = mixed.envs.end(e).map(|end| mixed.envs.end_names()[end as usize].clone());
                assert_eq!(end.as_deref(), alone[e].env.end(), "{at}");
                over[e] = told.terminated || told.truncated;
                if over[e] && same_step {
                    hold(&mixed.finals, &mut alone[e], &sharing, e, None, &at);
                    alone[e] = next(&alone[e], rules, &make);
                    over[e] = false;
                }
            }
            let players = alone[e].env.players();
            assert_eq!(mixed.seats[e * players..][..players], seats, "{at}");
            let mask = mixed.mask(e).to_vec();
            hold(&mixed.observations, &mut alone[e], &sharing, e, Some(&mask), &at);
            let env = &mut alone[e].env;
            assert_eq!(mixed.players[e], env.current_player().map_or(-1, |seat| seat.0 as i32), "{at}");
            assert_eq!(mixed.envs.episode(e), env.episode(), "{at}");
            assert_eq!(mixed.envs.state(e).position(), env.state().position(), "{at}");
        }
    }
    assert!(played.iter().all(|played| *played), "some rule sets were never played");
}

/// Returns an environment of a rule set that begins the episode after that of another environment.
fn next(alone: &Alone, rules: usize, make: &dyn Fn(usize) -> Alone) -> Alone {
    let (seed, index) = alone.env.episode();
    let mut next = make(rules);
    next.env.reset(Some(seed));
    (0..=index).for_each(|_| next.env.reset(None));
    next
}

/// Returns `true` if a game has no entry of this name, or one of this shape.
fn has_shape(game: &Game, name: &str, shape: &[usize]) -> bool {
    game.observation_spec().iter().filter(|own| own.name == name).all(|own| own.shape == shape)
}

fn hold(all: &[f32], alone: &mut Alone, sharing: &Sharing<'_>, e: usize, mask: Option<&[i8]>, at: &str) {
    let Alone { rules, env } = alone;
    let mut own = vec![0.0; env.observation_len()];
    let mut own_mask = vec![0; env.actions()];
    env.observe(&mut own).expect("it fits");
    env.write_mask(&mut own_mask).expect("it fits");
    let over = env.current_player().is_none();
    let (expected, expected_mask) = shared(sharing, *rules, &own, &own_mask);
    let seen = &all[e * expected.len()..][..expected.len()];
    for (cell, (seen, expected)) in seen.iter().zip(&expected).enumerate() {
        assert!(expected.is_none_or(|expected| expected.to_bits() == seen.to_bits()), "{at}: cell {cell}");
    }
    for entry in sharing.layout.entries().iter().filter(|entry| entry.name != "rules") {
        if let Some(from) = env.game().observation_spec().iter().find(|own| own.name == entry.name) {
            let sum = |cells: &[f32]| cells.iter().map(|cell| f64::from(*cell)).sum::<f64>();
            let (own, seen) =
                (sum(&own[from.offset..][..from.length]), sum(&seen[entry.offset..][..entry.length]));
            assert!((own - seen).abs() < 1e-6, "{at}: {}", entry.name);
        }
    }
    if let Some(mask) = mask {
        match over {
            true => assert!(mask.iter().all(|legal| *legal == 1), "{at}"),
            false => assert_eq!(mask, expected_mask, "{at}"),
        }
    }
}

fn uniform(sets: usize) -> RuleChoice {
    RuleChoice::Weights(vec![1.0; sets])
}

#[test]
fn each_environment_plays_as_one_of_its_rule_set_alone() {
    for (at, autoreset) in MODES.into_iter().enumerate() {
        for threads in [1, 2].into_iter().skip(at % extent::tries(2, 1)).step_by(extent::tries(2, 1)) {
            let options = EnvOptions { autoreset, ..EnvOptions::default() };
            compare(&dilido(), &options, uniform(8), threads, extent::tries(50, 150));
            let options = EnvOptions { skip_forced: true, ..options };
            compare(&dilido(), &options, RuleChoice::Slices, threads, extent::tries(20, 60));
        }
    }
}

#[test]
fn opponents_and_self_play_are_those_of_the_rule_set() {
    let all = [
        Opponents::SelfPlay,
        Opponents::Agents(vec![AgentKind::Random]),
        Opponents::Agents(vec![AgentKind::Greedy]),
    ];
    // Each mode with some opponents, and each opponents in some modes.
    let part = extent::tries(3, 1);
    for (at, opponents) in all.into_iter().enumerate() {
        for autoreset in MODES.into_iter().skip(at % part).step_by(part) {
            for reward in [Reward::Outcome, Reward::Score] {
                let options =
                    EnvOptions { autoreset, reward, opponents: opponents.clone(), ..EnvOptions::default() };
                compare(&four(), &options, uniform(2), 2, 60);
            }
        }
    }
}

#[test]
fn rules_are_the_same_for_any_number_of_threads_and_depend_on_the_episode_alone() {
    let rules = RuleOptions::uniform(dilido());
    let options = EnvOptions::default();
    let mut seen = vec![];
    for threads in [1, 2, 3] {
        let mut mixed = Mixed::new(&rules, &options, 600, threads);
        mixed.reset(&seeds(9, 600), None).expect("it resets");
        seen.push((mixed.play(80), mixed.observations.clone(), mixed.masks.clone()));
    }
    assert!(seen.windows(2).all(|pair| pair[0] == pair[1]));
    // The first episode of a seed plays the same rules in any environment.
    let mut mixed = Mixed::new(&rules, &options, 5, 1);
    mixed.reset(&[Some(13), Some(9), Some(13), Some(12), Some(600)], None).expect("it resets");
    let first = &{
        let mut mixed = Mixed::new(&rules, &options, 600, 1);
        mixed.reset(&seeds(9, 600), None).expect("it resets");
        mixed.rules()
    };
    assert_eq!(mixed.rules(), [first[4], first[0], first[4], first[3], first[591]]);
    let counts = (0..8).map(|set| first.iter().filter(|of| **of == set).count());
    assert!(counts.clone().all(|count| (45..105).contains(&count)), "{:?}", counts.collect::<Vec<_>>());
}

#[test]
fn weights_choose_and_may_change_for_the_next_episodes() {
    let choice = RuleChoice::Weights(vec![0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0.0]);
    let rules = RuleOptions { games: dilido(), choice, show: true };
    let mut mixed = Mixed::new(&rules, &EnvOptions::default(), 400, 2);
    mixed.reset(&seeds(1, 400), None).expect("it resets");
    let first = mixed.rules();
    let sixth = first.iter().filter(|set| **set == 6).count();
    assert!(first.iter().all(|set| [1, 6].contains(set)) && (260..340).contains(&sixth), "{sixth}");
    mixed.envs.set_rule_weights(&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]).expect("weights");
    assert_eq!(mixed.rules(), first);
    for rules in mixed.play(200) {
        assert!(rules.iter().zip(&first).all(|(now, first)| now == first || *now == 0));
    }
    assert!(mixed.rules().iter().all(|set| *set == 0));
    for (weights, wrong) in [
        (vec![1.0; 3], "3 weights for 8 rule sets"),
        (vec![0.0; 8], "all weights are 0"),
        (vec![f64::NAN; 8], "is NaN"),
    ] {
        let error = mixed.envs.set_rule_weights(&weights).expect_err("they are wrong").to_string();
        assert!(error.contains(wrong), "{error}");
    }
}

#[test]
fn slices_play_one_rule_set_each() {
    let rules = RuleOptions { games: dilido(), choice: RuleChoice::Slices, show: true };
    let mut mixed = Mixed::new(&rules, &EnvOptions::default(), 20, 2);
    mixed.reset(&seeds(1, 20), None).expect("it resets");
    let sliced: Vec<usize> = (0..20).map(|e| e * 8 / 20).collect();
    assert!(mixed.play(100).iter().all(|rules| *rules == sliced));
    assert!(mixed.envs.set_rule_weights(&[1.0; 8]).is_err());
    let few = VectorEnv::new(&rules, &EnvOptions::default(), 7, 1).map(|_| ());
    assert!(few.expect_err("too few").to_string().contains("at least as many environments"));
}

#[test]
fn a_function_chooses_and_an_error_of_it_changes_nothing() {
    for autoreset in MODES {
        let fails = Arc::new(std::sync::atomic::AtomicBool::new(false));
        let failing = Arc::clone(&fails);
        let function = move |seed: u64, index: u64, env: usize| {
            if failing.load(std::sync::atomic::Ordering::Relaxed) {
                return Err(format!("no rules for {seed}"));
            }
            Ok((seed as usize + index as usize * 3 + env) % 8)
        };
        let rules =
            RuleOptions { games: dilido(), choice: RuleChoice::Function(Arc::new(function)), show: true };
        let options = EnvOptions { autoreset, ..EnvOptions::default() };
        let mut mixed = Mixed::new(&rules, &options, 30, 2);
        mixed.reset(&seeds(5, 30), None).expect("it resets");
        let mut failures = 0;
        let mut dice = Stream::new(1, 2, 3);
        for _ in 0..120 {
            let actions: Vec<i64> = (0..30).map(|e| legal_action(mixed.mask(e), &mut dice)).collect();
            let over: Vec<bool> = (0..30).map(|e| mixed.envs.is_over(e)).collect();
            let before = mixed.envs.save();
            fails.store(true, std::sync::atomic::Ordering::Relaxed);
            let by_hand = autoreset == Autoreset::Disabled && over.contains(&true);
            let tried = if by_hand { mixed.reset(&[], Some(&over)) } else { mixed.step(&actions) };
            fails.store(false, std::sync::atomic::Ordering::Relaxed);
            if let Err(error) = tried {
                failures += 1;
                assert!(error.to_string().starts_with("no rules for "), "{error}");
                assert!(mixed.envs.save() == before);
                let again = if by_hand { mixed.reset(&[], Some(&over)) } else { mixed.step(&actions) };
                again.unwrap_or_else(|error| panic!("{error}"));
            }
            for e in 0..30 {
                let (seed, index) = mixed.envs.episode(e);
                assert_eq!(mixed.envs.rules(e), (seed as usize + index as usize * 3 + e) % 8);
            }
        }
        assert!(failures > 0, "{autoreset:?}");
    }
}

#[test]
fn saved_environments_keep_the_rules_of_their_episodes() {
    let rules = RuleOptions::uniform(dilido());
    let mut one = Mixed::new(&rules, &EnvOptions::default(), 50, 1);
    one.reset(&seeds(3, 50), None).expect("it resets");
    one.play(37);
    let mut other = Mixed::new(&rules, &EnvOptions::default(), 50, 2);
    other.envs.go_on_from(&one.envs.save()).expect("it is read");
    assert_eq!(other.rules(), one.rules());
    assert_eq!(other.play(60), one.play(60));
    assert!(other.observations == one.observations && other.envs.save() == one.envs.save());
    let fewer = RuleOptions::uniform(dilido()[1..].to_vec());
    let mut other = Mixed::new(&fewer, &EnvOptions::default(), 50, 1);
    assert!(other.envs.go_on_from(&one.envs.save()).is_err());
}

#[test]
fn bytes_and_bits_are_the_numbers_of_floats() {
    let games = named(&["connect-four", "connect-four+pop-out"], &[&[]]);
    let rules = RuleOptions::uniform(games);
    let count = 20;
    let make = |dtype| {
        let options = EnvOptions { dtype, opponents: Opponents::SelfPlay, ..EnvOptions::default() };
        VectorEnv::new(&rules, &options, count, 1).unwrap_or_else(|error| panic!("{error}"))
    };
    let (mut floats, mut bytes, mut bits) = (make(Dtype::Float32), make(Dtype::Uint8), make(Dtype::Bits));
    let length = floats.observation_len();
    let mut seen = vec![0.0f32; count * length];
    let mut small = vec![9u8; count * length];
    let mut packed = vec![9u8; count * length.div_ceil(8)];
    let view = |observations| EnvBuffers { observations, ..EnvBuffers::default() };
    floats.reset(&seeds(0, count), None, view((&mut seen).into())).expect("it resets");
    bytes.reset(&seeds(0, count), None, view((&mut small).into())).expect("it resets");
    bits.reset(&seeds(0, count), None, view((&mut packed).into())).expect("it resets");
    assert!(seen.iter().zip(&small).all(|(float, byte)| *float == f32::from(*byte)));
    for e in 0..count {
        for cell in 0..length {
            let bit = packed[e * length.div_ceil(8) + cell / 8] >> (cell % 8) & 1;
            assert_eq!(f32::from(bit), seen[e * length + cell]);
        }
    }
}

#[test]
fn planes_are_joined_where_boards_are_of_one_size_and_else_refused() {
    let options = EnvOptions { observation: ObservationForm::Planes, ..EnvOptions::default() };
    let same = RuleOptions::uniform(named(&["dilido", "dilido+torus"], &[&[]]));
    let mut mixed = Mixed::new(&same, &options, 10, 1);
    mixed.reset(&seeds(0, 10), None).expect("it resets");
    let [channels, rows, columns] = mixed.envs.planes().expect("planes");
    assert_eq!(channels * rows * columns, mixed.envs.observation_len());
    for e in 0..10 {
        let game = &same.games[mixed.envs.rules(e)];
        let mut alone = Env::new(game, &options).expect("it is made");
        alone.reset(Some(e as u64));
        let mut own = vec![0.0; alone.observation_len()];
        alone.observe(&mut own).expect("it fits");
        let seen = &mixed.observations[e * channels * rows * columns..];
        assert_eq!(&seen[..own.len()], own);
        assert!(seen[own.len()..][..rows * columns].iter().all(|cell| *cell == seen[own.len()]));
    }
    let other = RuleOptions::uniform(named(&["dilido", "dilido+8x8"], &[&[]]));
    let refused = VectorEnv::new(&other, &options, 10, 1).map(|_| ());
    let error = refused.expect_err("other sizes").to_string();
    assert!(error.contains("planes need boards of one size") && error.contains("has 8 and 8"), "{error}");
}

#[test]
fn rule_sets_that_share_no_layout_are_refused_with_the_reason() {
    let refused = |games: Vec<Game>| {
        let rules = RuleOptions::uniform(games);
        let made = VectorEnv::new(&rules, &EnvOptions::default(), 4, 1).map(|_| ());
        made.expect_err("they share nothing").to_string()
    };
    let error = refused(vec![game_of("pig", Some(2), &[]), game_of("pig", Some(3), &[])]);
    assert!(error.contains("same number of players") && error.contains("`pig` has 3"), "{error}");
    let with = |declaration: &str| {
        text(&format!(
            "game \"One\" {{ players 1  {declaration}  turn {{ choose {{ pass }} }}  end when turns[me] > 3  score {{ turns: turns[me] }} }}"
        ))
    };
    let error = refused(vec![with("var seen: 0..9"), with("var seen: left | right")]);
    assert!(error.contains("the entry `seen`"), "{error}");
    let error = refused(vec![]);
    assert!(error.contains("there are 0 rule sets"), "{error}");
}

#[test]
fn every_rule_set_has_its_own_measured_rewards() {
    let expression = Reward::Expression("score + 15 * jokers_left".to_owned());
    let potential = Potential { expression: "5 * jokers_left - penalties".to_owned(), gamma: 0.9 };
    let part = extent::tries(3, 1);
    for (at, autoreset) in MODES.into_iter().enumerate() {
        let rewards =
            [(expression.clone(), None), (Reward::Auto, Some(potential.clone())), (Reward::Margin, None)];
        for (reward, potential) in rewards.into_iter().skip(at % part).step_by(part) {
            let load_measured = LOAD_MEASURED;
            let options = EnvOptions { autoreset, reward, potential, load_measured, ..EnvOptions::default() };
            compare(&dilido(), &options, RuleChoice::Weights(vec![1.0; 8]), 2, extent::tries(25, 70));
        }
    }
}

#[test]
fn every_rule_set_draws_from_the_mixture_of_opponents() {
    let line_up = |kind: AgentKind, weight| LineUp { name: kind.to_string(), weight, agents: vec![kind] };
    let line_ups = vec![line_up(AgentKind::Random, 1.0), line_up(AgentKind::Greedy, 2.0)];
    for autoreset in MODES {
        let opponents = Opponents::Mixture(line_ups.clone());
        let options = EnvOptions { autoreset, opponents, reward: Reward::Margin, ..EnvOptions::default() };
        compare(&four(), &options, RuleChoice::Weights(vec![1.0, 1.0]), 2, 60);
    }
}

#[test]
fn halves_and_truth_values_are_the_numbers_of_floats() {
    let rules = RuleOptions::uniform(named(&["connect-four", "connect-four+pop-out"], &[&[]]));
    let count = 20;
    let make = |dtype| {
        let options = EnvOptions { dtype, opponents: Opponents::SelfPlay, ..EnvOptions::default() };
        VectorEnv::new(&rules, &options, count, 1).unwrap_or_else(|error| panic!("{error}"))
    };
    let (mut floats, mut halves, mut truths) =
        (make(Dtype::Float32), make(Dtype::Float16), make(Dtype::Bool));
    let length = floats.observation_len();
    let (mut seen, mut half, mut truth) =
        (vec![0.5f32; count * length], vec![9u16; count * length], vec![9u8; count * length]);
    let view = |observations| EnvBuffers { observations, ..EnvBuffers::default() };
    floats.reset(&seeds(0, count), None, view((&mut seen).into())).expect("it resets");
    halves.reset(&seeds(0, count), None, view(half.as_mut_slice().into())).expect("it resets");
    truths.reset(&seeds(0, count), None, view((&mut truth).into())).expect("it resets");
    for ((float, half), truth) in seen.iter().zip(&half).zip(&truth) {
        let expected = if *float == 1.0 { (0x3c00, 1) } else { (0, 0) };
        assert_eq!((*half, *truth), expected);
    }
}

#[test]
fn rule_sets_have_no_starts_and_keep_their_opponents() {
    let rules = RuleOptions::uniform(four());
    let mut envs = VectorEnv::new(&rules, &EnvOptions::default(), 4, 1).expect("they fit");
    let position = four()[0].start(1, 0).expect("it starts").position();
    let error = envs.set_starts(&[position]).expect_err("positions of one game").to_string();
    assert!(error.contains("a position belongs to one game"), "{error}");
    let others = Opponents::Agents(vec![AgentKind::Greedy]);
    let error = envs.set_opponents(others, vec![]).expect_err("of all rule sets").to_string();
    assert!(error.contains("keep their opponents"), "{error}");
}
