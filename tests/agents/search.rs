//! Search agents: the moves that they find, and the information that they must not use.

#![allow(clippy::unwrap_used)]

use crate::extent;
use crate::states::after;
use houserule::agents::{AgentKind, agent_stream};
use houserule::game::{ActionId, Game, Seat, State};
use houserule::loader::{Request, load, load_text};
use houserule::rng::Stream;
use houserule::solve::{GraphLimits, solve};
use houserule::variants::Setting;

fn game(name: &str) -> Game {
    load(&Request { name, ..Request::default() }).unwrap().game
}

fn choice(kind: &AgentKind, state: &State, seed: u64) -> ActionId {
    let mut agent = AgentKind::seat_all(std::slice::from_ref(kind), state.game()).unwrap().remove(0);
    let player = state.current_player().unwrap();
    agent.choose(&mut state.clone().seen_by(player), &mut Stream::new(seed, 0, 0)).unwrap().unwrap()
}

/// Returns wins, draws and losses of the first of two agents, which take turns in starting.
fn match_of(game: &Game, kinds: [AgentKind; 2], games: u64) -> [u64; 3] {
    let mut counts = [0; 3];
    for index in 0..games {
        let swapped = index % 2 == 1;
        // The same chance in both seats.
        let index = index / 2;
        let mut order = kinds.clone();
        if swapped {
            order.reverse();
        }
        let mut agents = AgentKind::seat_all(&order, game).unwrap();
        let mut streams = [0, 1].map(|seat| agent_stream(7, index, Seat(seat)));
        let mut state = game.start(7, index).unwrap();
        while let Some(player) = state.current_player() {
            let seat = player.0 as usize;
            let action =
                agents[seat].choose(&mut state.seen_by(player), &mut streams[seat]).unwrap().unwrap();
            state.apply(action).unwrap();
        }
        let first = state.returns()[usize::from(swapped)];
        counts[if first > 0.0 {
            0
        } else if first < 0.0 {
            2
        } else {
            1
        }] += 1;
    }
    counts
}

/// A mobile player takes what leaves it many actions and the others few, and a won game before that.
#[test]
fn mobile_players_count_the_actions_that_are_left() {
    let chosen = |options: &str| -> Vec<String> {
        let text = format!(
            "game \"Room\" {{ players 2 var n: 0..9 = 0
               turn {{ if n == 0 {{ choose {{ {options} }} }} else {{ choose answer {{ pick k in 1..9 where k <= n {{ n = 0 }} }} }} }}
               end long when turns[me] == 9: draw end taken when n == 9: win me }}"
        );
        let game = load_text("room", &text, &Request::default()).unwrap().game;
        let state = game.start(1, 0).unwrap();
        let mut found: Vec<String> =
            (0..60).map(|seed| game.action_name(choice(&AgentKind::Mobile, &state, seed))).collect();
        found.sort();
        found.dedup();
        found
    };
    // The other chooses next, unless the turn is taken again.
    assert_eq!(chosen("five { n = 5 } two { n = 2 } four { n = 4 }"), ["two"]);
    assert_eq!(chosen("five { n = 5 again } two { n = 2 } seven { n = 7 again }"), ["seven"]);
    assert_eq!(chosen("two { n = 2 } also_two { n = 2 }"), ["also_two", "two"]);
    assert_eq!(chosen("two { n = 2 } win { n = 9 } one { n = 1 }"), ["win"]);
}

/// It corners a king more often than not. A drawn game counts half.
#[test]
fn mobile_players_beat_random_ones_at_chess() {
    // On a small board, games are shorter.
    let (name, games) = extent::tries(("chess-los-alamos", 40), ("chess", 200));
    let [won, drawn, _] = match_of(&game(name), [AgentKind::Mobile, AgentKind::Random], games);
    let (n, share) = (games as f64, (won as f64 + 0.5 * drawn as f64) / games as f64);
    let standard_error = 0.5 / n.sqrt();
    assert!(share - 3.0 * standard_error > 0.5, "{won} won, {drawn} drawn of {games}");
}

/// Who has no score to go by and gives nothing up on purpose is not worse than at random.
#[test]
fn greedy_takes_a_deliberate_option_only_if_it_is_better() {
    let rules = |wins: &str| {
        let text = format!(
            "game \"Purpose\" {{ players 2 var n: 0..9 = 0
               turn {{ choose {{ go {{ }} deliberate stop {{ n = 1 }} deliberate rest {{ }} }} }}
               end stopped when n == 1: {wins} end long when turns[me] == 9: draw }}"
        );
        load_text("purpose", &text, &Request::default()).unwrap().game
    };
    let chosen = |wins: &str| -> Vec<String> {
        let game = rules(wins);
        let state = game.start(1, 0).unwrap();
        let mut found: Vec<String> =
            (0..60).map(|seed| game.action_name(choice(&AgentKind::Greedy, &state, seed))).collect();
        found.sort();
        found.dedup();
        found
    };
    assert_eq!(chosen("win me"), ["stop"]);
    assert_eq!(chosen("lose me"), ["go"]);
}

#[test]
fn a_win_in_one_is_taken_and_a_loss_in_one_is_stopped() {
    let game = game("tic-tac-toe");
    let win = after(&game, &["place a1", "place a2", "place b1", "place b2"]);
    let block = after(&game, &["place a1", "place b2", "place b1"]);
    for seed in 0..20 {
        for kind in [AgentKind::Mcts(50), AgentKind::Flat(400)] {
            assert_eq!(game.action_name(choice(&kind, &win, seed)), "place c1");
            assert_eq!(game.action_name(choice(&kind, &block, seed)), "place c1");
        }
    }
}

#[test]
fn what_is_solved_is_never_lost() {
    let [wins, draws, losses] =
        match_of(&game("tic-tac-toe"), [AgentKind::Mcts(2_000), AgentKind::Exact], 20);
    assert_eq!((wins, draws, losses), (0, 20, 0));
}

#[test]
fn more_trials_are_stronger() {
    let game = game("connect-four");
    let [wins, _, losses] = match_of(&game, [AgentKind::Mcts(200), AgentKind::Mcts(20)], 40);
    assert!(wins > 2 * losses, "{wins} to {losses}");
    let [wins, _, losses] = match_of(&game, [AgentKind::Mcts(200), AgentKind::Greedy], 20);
    assert!(wins > 4 * losses, "{wins} to {losses}");
}

/// With more actions than simulations, almost every simulation must try a promising action.
#[test]
fn many_actions_are_searched_where_it_pays() {
    let settings = [Setting::new("width", "12"), Setting::new("height", "12")];
    let game =
        load(&Request { name: "points-small", settings: &settings, ..Request::default() }).unwrap().game;
    let games = extent::tries(3, 10);
    let [wins, _, losses] = match_of(&game, [AgentKind::Mcts(200), AgentKind::Greedy], games);
    assert!(wins * 10 >= games * 8, "{wins} to {losses}");
}

#[test]
fn chance_is_met_as_often_as_it_comes() {
    let settings = [Setting::new("goal", "12")];
    let game = load(&Request { name: "pig", settings: &settings, players: Some(2) }).unwrap().game;
    let solution = solve(&game, &GraphLimits::default()).unwrap();
    let (mut asked, mut lost) = (0, 0.0f64);
    for index in 0..12 {
        let mut state = game.start(3, index).unwrap();
        while let Some(player) = state.current_player() {
            let worth = |action| {
                let mut next = state.clone();
                next.set_explicit_chance(true);
                next.apply(action).unwrap();
                solution.values(&next).unwrap()[player.0 as usize]
            };
            let action = choice(&AgentKind::Mcts(2_000), &state, index);
            let best = state.legal_actions().into_iter().map(worth).fold(f64::NEG_INFINITY, f64::max);
            asked += 1;
            lost += best - worth(action);
            state.apply(action).unwrap();
        }
    }
    assert!(asked > 50);
    assert!(lost / f64::from(asked) < 0.02, "{lost} in {asked} decisions");
}

/// Returns agents that use a player learned in a few games.
fn learners(names: [&str; 3]) -> [AgentKind; 3] {
    names.map(|name| AgentKind::parse(name).unwrap())
}

#[test]
fn agents_know_nothing_of_the_dice_to_come() {
    for name in ["dilido", "dicrono", "pig", "yacht"] {
        let game = game(name);
        let kinds = [AgentKind::Greedy, AgentKind::Flat(60), AgentKind::Mcts(60)];
        for kind in
            kinds.into_iter().chain(learners(["learned:20", "mcts:20:learned:20", "flat:20:learned:20"]))
        {
            for seed in 0..extent::tries(4, 10) {
                let mut state = game.start(seed, 0).unwrap();
                for _ in 0..seed {
                    if let Some(action) = state.random_action() {
                        state.apply(action).unwrap();
                    }
                }
                if state.is_over() {
                    continue;
                }
                let (before, mut other) = (state.clone(), state.clone());
                other.reseed(99);
                assert_eq!(choice(&kind, &state, seed), choice(&kind, &other, seed), "{name}");
                // The search uses other streams than the state.
                assert_eq!(state.random_action(), before.clone().random_action());
                assert_eq!((&state, state.history()), (&before, before.history()));
            }
        }
    }
}

#[test]
fn agents_know_nothing_of_what_their_seat_does_not_see() {
    for (name, players) in [("dominoes", 2), ("dominoes", 3), ("dominoes-block", 2)] {
        let game = load(&Request { name, players: Some(players), ..Request::default() }).unwrap().game;
        let kinds = [AgentKind::Greedy, AgentKind::Flat(60), AgentKind::Mcts(110), AgentKind::Ismcts(60)];
        let learners = learners(["learned:20", "ismcts:20:learned:20", "mcts:60:learned:20"]);
        let kinds: Vec<AgentKind> = kinds.into_iter().chain(learners).collect();
        let (mut asked, mut stream) = (0, Stream::new(1, 2, 3));
        for index in 0..extent::tries(1, 6) {
            let mut state = game.start(2, index).unwrap();
            while let Some(me) = state.current_player() {
                let other = state.determinize(me, &mut stream).unwrap();
                asked += u32::from(state.legal_count() > 1 && state != other);
                for kind in kinds.clone() {
                    assert_eq!(choice(&kind, &state, index), choice(&kind, &other, index), "{name} {kind}");
                }
                let action = state.random_action().unwrap();
                state.apply(action).unwrap();
            }
        }
        assert!(asked > extent::tries(3, 20), "{asked} decisions");
    }
}

/// All players bid at once. The highest unique bid wins.
const BIDS: &str = r#"game "Bids" {
  players 2
  var bid[player]: 0..5 = 0 each round
  var points[player]: 0..99 = 0
  round {
    together as me { choose { bid n in 1..5 { bid[me] = n } } }
    step take { for p in players { if all o in players - p: bid[o] < bid[p] { points[p] += 6 - bid[p] } } }
  }
  end when round >= 3
  score { points: points[me] }
}"#;

#[test]
fn agents_know_nothing_of_what_is_done_together() {
    let game = load_text("bids", BIDS, &Request::default()).unwrap().game;
    let kinds = [AgentKind::Greedy, AgentKind::Flat(40), AgentKind::Mcts(110), AgentKind::Ismcts(40)];
    let learners = learners(["learned:20", "ismcts:20:learned:20", "flat:20:learned:20"]);
    for kind in kinds.into_iter().chain(learners) {
        for seed in 0..4 {
            let chosen = (1..=5).map(|n| {
                let mut state = game.start(1, 0).unwrap();
                state.apply(game.parse_action(&format!("bid {n}")).unwrap()).unwrap();
                choice(&kind, &state, seed)
            });
            let chosen: Vec<ActionId> = chosen.collect();
            assert!(chosen.iter().all(|action| *action == chosen[0]), "{kind}: {chosen:?}");
        }
    }
}

/// The hider has four places. The seeker wins with `one` in a quarter of the worlds, else with `rest`.
const GUESS: &str = r#"game "Guess" {
  players Hider, Seeker
  var place[player]: 0..4 = 0 seen by owner
  var guess: 0..2 = 0
  turn {
    if me == Hider { choose { hide n in 1..4 { place[me] = n } } }
    if me == Seeker { choose { one { guess = 1 } rest { guess = 2 } } }
  }
  end found when guess == 1 and place[Hider] == 1 or guess == 2 and place[Hider] > 1: win Seeker
  end lost when guess > 0: win Hider
}"#;

#[test]
fn a_proof_in_the_last_world_decides_nothing() {
    let game = load_text("guess", GUESS, &Request::default()).unwrap().game;
    let state = after(&game, &["hide 2"]);
    for seed in 0..20 {
        assert_eq!(game.action_name(choice(&AgentKind::Mcts(2_000), &state, seed)), "rest", "{seed}");
    }
}

#[test]
fn hidden_hands_are_played_well() {
    let game = game("dominoes-block");
    let kinds = [AgentKind::Ismcts(200), AgentKind::Glance(200), AgentKind::Mcts(200), AgentKind::Flat(200)];
    for kind in extent::some_of("hidden", 4, kinds) {
        let [wins, _, losses] = match_of(&game, [kind.clone(), AgentKind::Random], 300);
        // Three standard errors from one half.
        assert!(
            wins as f64 > losses as f64 + 3.0 * ((wins + losses) as f64).sqrt(),
            "{kind}: {wins} to {losses}"
        );
    }
}

#[test]
fn best_play_is_not_worked_out_where_something_is_hidden() {
    let error = AgentKind::seat_all(&[AgentKind::Exact], &game("dominoes")).err().unwrap().to_string();
    assert_eq!(
        error,
        "`exact` is for games in which everybody sees everything; `ismcts:1000` plays this one"
    );
}

#[test]
fn every_bundled_game_can_be_searched() {
    // Worlds of a large field of mines are found by replays that hardly ever agree.
    let small = ["width=4", "height=4", "mines=2"].map(|setting| {
        let (name, value) = setting.split_once('=').unwrap();
        Setting::new(name, value)
    });
    for entry in extent::some_of("search", 24, houserule::loader::catalogue()) {
        let settings: &[Setting] = if entry.name.starts_with("minesweeper") { &small } else { &[] };
        let game = load(&Request { name: entry.name, settings, ..Request::default() }).unwrap().game;
        for kind in [AgentKind::Flat(4), AgentKind::Mcts(12), AgentKind::Ismcts(12), AgentKind::Glance(12)] {
            let mut state = game.start(5, 0).unwrap();
            for step in 0..6 {
                if state.is_over() {
                    break;
                }
                let action = choice(&kind, &state, step);
                assert!(state.is_legal(action), "{}", entry.name);
                state.apply(action).unwrap();
            }
        }
    }
}

/// Each player has a board of his own, and no other state that looks the same is found: the players are weaker, but the
/// game goes on.
#[test]
fn who_finds_no_world_plays_on() {
    let text = include_str!("../data/agents/dark.rules");
    let game = load_text("dark.rules", text, &Request::default()).unwrap().game;
    for name in ["greedy", "ismcts:4", "glance:4", "mcts:4", "flat:4", "learned:20", "ismcts:4:learned:20"] {
        let kinds = vec![AgentKind::parse(name).unwrap(); 2];
        let mut agents = AgentKind::seat_all(&kinds, &game).unwrap();
        let mut state = game.start(1, 1).unwrap();
        let mut stream = Stream::new(1, 1, 9);
        let mut decisions = 0;
        while let Some(player) = state.current_player().filter(|_| decisions < extent::tries(4, 30)) {
            let chosen = agents[player.index()].choose(&mut state.seen_by(player), &mut stream);
            let action = chosen.unwrap_or_else(|error| panic!("{name}: {error}")).unwrap();
            assert!(state.is_legal(action), "{name}");
            state.apply(action).unwrap();
            decisions += 1;
        }
        assert!(decisions > 0, "{name}");
    }
}
