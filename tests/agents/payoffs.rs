//! Agents in games with payoffs: they maximise the payoff, not the wins.
#![allow(clippy::unwrap_used)]

use crate::states::after;
use houserule::agents::AgentKind;
use houserule::envs::{Env, EnvError, EnvOptions, Opponents, Reward};
use houserule::game::{Game, State};
use houserule::learned::{Aim, Course, TrainingBudget, train};
use houserule::loader::{Request, load_text};
use houserule::rng::Stream;
use houserule::solve::{GraphLimits, solve};

/// Each raises the stake or folds. Who folds loses the stake, and O has to fold in the end.
const WAGER: &str = r#"game "Wager" {
  players X, O
  var stake: 1..32 = 1
  var folded: player? = none
  turn { choose { raise where stake < 32 { stake += stake } fold { folded = me } } }
  end folded when folded == mover: lose mover
  score { stake: 0 }
  payoff zero sum if folded == me then -stake else stake
}"#;

fn wager() -> Game {
    load_text("wager", WAGER, &Request::default()).unwrap_or_else(|error| panic!("{error}")).game
}

fn choice(kind: &str, state: &State, seed: u64) -> String {
    let kind = AgentKind::parse(kind).unwrap();
    let mut agent = AgentKind::seat_all(&[kind], state.game()).unwrap().remove(0);
    let player = state.current_player().unwrap();
    let chosen = agent.choose(&mut state.clone().seen_by(player), &mut Stream::new(seed, 0, 0)).unwrap();
    state.game().action_name(chosen.unwrap())
}

#[test]
fn a_loser_who_can_choose_how_much_to_lose_loses_little() {
    let game = wager();
    // X raises last, so O loses in any case: least at once.
    let state = after(&game, &["raise"]);
    for agent in ["exact", "mcts:400", "ismcts:400"] {
        for seed in 0..5 {
            assert_eq!(choice(agent, &state, seed), "fold", "{agent}");
        }
    }
    // X wins in any case: most after raising as long as O does.
    for agent in ["exact", "mcts:400"] {
        assert_eq!(choice(agent, &after(&game, &[]), 1), "raise", "{agent}");
        assert_eq!(choice(agent, &after(&game, &["raise", "raise"]), 1), "raise", "{agent}");
    }
}

#[test]
fn exact_values_are_payoffs() {
    let solution = solve(&wager(), &GraphLimits::default()).unwrap();
    assert_eq!(solution.start(), [2.0, -2.0]);
}

#[test]
fn a_trained_player_learns_payoffs() {
    let course = Course { budget: TrainingBudget::Games(2000), seed: 1, threads: 1 };
    let player = train(&wager(), &course, &mut ()).unwrap();
    assert_eq!(player.aim(), Aim::Payoff);
    let game = wager();
    let player = std::sync::Arc::new(player);
    let mut agent = player.agent(&game, "learned");
    let raised = after(&game, &["raise"]);
    let value = agent.value(&raised, 0);
    assert!(value > 1.0, "{value}: O loses at least 2");
}

#[test]
fn rewards_are_payoffs_or_wins() {
    let game = wager();
    let reward = |reward: Reward| {
        let options = EnvOptions { reward, opponents: Opponents::SelfPlay, ..EnvOptions::default() };
        let mut env = Env::new(&game, &options).unwrap();
        env.reset(Some(0));
        let mut seats = [0.0; 2];
        env.step(0, &mut seats).unwrap();
        assert_eq!(seats, [0.0, 0.0]);
        let step = env.step(1, &mut seats).unwrap();
        assert!(step.terminated);
        seats
    };
    assert_eq!(reward(Reward::Payoff), [2.0, -2.0]);
    assert_eq!(reward(Reward::Auto), [2.0, -2.0]);
    assert_eq!(reward(Reward::Outcome), [1.0, -1.0]);
    assert_eq!(reward(Reward::Score), [0.0, 0.0]);
    let in_matches = WAGER.replace("score {", "match { games: 3 }\n  score {");
    let matches = load_text("wager", &in_matches, &Request::default()).unwrap().game;
    let options = EnvOptions { match_play: true, reward: Reward::Payoff, ..EnvOptions::default() };
    assert_eq!(Env::new(&matches, &options).err(), Some(EnvError::PayoffMatch));
}
