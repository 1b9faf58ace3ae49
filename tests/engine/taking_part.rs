//! Who takes part: `playing`, the players who still have turns, and teams.
#![allow(clippy::unwrap_used)]

use houserule::agents::AgentKind;
use houserule::game::values::variables_json;
use houserule::game::{Game, Seat, State};
use houserule::loader::{Request, load_text};
use houserule::matches::Match;
use houserule::playtest::{SimulationPlan, simulate};
use houserule::table::match_result;

use crate::agree::{Came, agree};
use crate::rules::{game as made, played};
use crate::states::{apply, legal, set};

/// Each turn goes on, goes out, puts another out, or lets everybody in again. The round is counted.
const TURNS: &str = r#"game "Turns" {
  players 2..4
  var seen: 0..99 = 0 each round
  var rounds: 0..99 = 0
  turn {
    choose {
      stay { }
      leave { playing = playing - me }
      remove p in playing - me { playing = playing - p }
      name p in players where count(playing) > 1 { next p }
      all_in where count(playing) == 1 { playing = players }
    }
    seen += 1
  }
  end late when (sum p in players: turns[p]) > 20
  end late_round of round when round > 6
  score { turns: turns[me] + 10 * round + seen }
}"#;

/// Bids at once of those who play, then a turn of each; the lowest bid leaves.
const ROUNDS: &str = r#"game "Rounds" {
  players 3..4
  var bid[player]: 0..5 = 0 each round
  var kept[player]: 0..99 = 0
  round {
    together as me { choose bid { bid n in 1..5 { bid[me] = n } } }
    step lowest {
      let low = min p in playing: bid[p]
      for p in playing { if bid[p] == low { playing = playing - p } }
    }
    each player from starter as me { choose { keep { kept[me] += bid[me] } go { playing = playing - me } } }
    step each_again { each player from starter as me { choose more { one { kept[me] += 1 } two { kept[me] += 2; done } } } }
    starter = after(starter)
  }
  end late of round when round > 9
  score { kept: kept[me] }
}"#;

/// Two teams of two; the fifth plays alone.
const TEAMS: &str = r#"game "Teams" {
  players A, B, C, D, E
  team odd = {A, C} "those who sit across"
  team even = {B, D}
  var points[player]: -9..9 = 0
  turn { choose { take n in 0..3 { points[me] += n } lost { end game as lost } } }
  end win when points[me] == 6: win me
  end lose when points[me] == 5: lose me
  end even_wins when points[me] == 4: win lowest(even)
  end full when turns[E] == 2
  score { points: points[me] }
  winner most(score)
  ties least(count(team(me)))
}"#;

fn game(rules: &str, players: Option<u32>) -> Game {
    load_text("game", rules, &Request { players, ..Request::default() }).unwrap().game
}

/// A match of two games that the side with more points in all wins.
#[test]
fn a_match_is_won_by_a_team() {
    let rules = r#"game "Sides" {
  players N, E, S, W
  team across = {N, S}
  team along = {E, W}
  var points[player]: 0..99
  turn { choose { take n in 0..9 { points[me] = n } } }
  end full when all p in players: turns[p] == 1
  score { points: points[me] }
  match { games: 2 }
}"#;
    let game = game(rules, None);
    let mut one = Match::new(&game, 1, 0).unwrap();
    // East has the best total of a player, and its side the lesser sum.
    for _ in 0..2 {
        let mut state = one.start().unwrap();
        while let Some(player) = state.current_player() {
            let action = ["take 5", "take 9", "take 5", "take 0"][player.0 as usize];
            state.apply(game.parse_action(action).unwrap()).unwrap();
        }
        one.enter(&state).unwrap();
    }
    assert_eq!(one.leaders(), [true, false, true, false]);
}

/// Who plays together never draws.
#[test]
fn a_cooperative_game_is_won_or_lost() {
    let rules = r#"game "Rescue" {
  players 3
  team everybody = players
  dice die: 1 of d6
  turn { roll die }
  end saved when die[1] == 6: win me
  end late when turns[me] == 3: lose me
}"#;
    let game = game(rules, None);
    let plan = SimulationPlan {
        games: 200,
        first: 0,
        seed: 1,
        threads: 1,
        agents: vec![AgentKind::Random],
        match_play: false,
    };
    let report = simulate(&game, &plan, &|_| {}, None).unwrap();
    assert!(report.winners.draws == 0 && report.winners.draw_share.is_none());
    // They win or lose together: each wins what all win.
    let wins = &report.winners.wins;
    assert!(wins[0] > 100.0 && wins[0] < 200.0 && wins.iter().all(|won| won == &wins[0]), "{wins:?}");
    assert_eq!(report.winners.teams[0].wins, wins[0]);
}

#[test]
fn all_executors_agree_on_who_takes_part() {
    for (rules, players) in [(TURNS, 2), (TURNS, 3), (TURNS, 4), (ROUNDS, 3), (ROUNDS, 4), (TEAMS, 5)] {
        let game = game(rules, Some(players));
        houserule::game::agree(&game, 5, 100).unwrap();
        for index in 0..60 {
            assert!(matches!(agree(&game, 5, index, 1000), Came::Over), "{rules}");
        }
    }
}

#[test]
fn the_turn_passes_to_those_who_play() {
    let game = game(TURNS, Some(4));
    let state = played(&game, &["remove player-2", "stay", "stay"]);
    assert_eq!(state.current_player(), Some(Seat(0)));
    let state = played(&game, &["leave", "leave"]);
    assert_eq!(state.current_player(), Some(Seat(2)));
    // Player 2 is out and gets a turn; then those go on who play.
    let state = played(&game, &["remove player-2", "name player-2"]);
    assert_eq!(state.current_player(), Some(Seat(1)));
    let state = played(&game, &["remove player-2", "name player-2", "stay"]);
    assert_eq!(state.current_player(), Some(Seat(2)));
    // The last who plays has all turns.
    let alone = ["remove player-2", "remove player-4", "leave"];
    assert_eq!(played(&game, &alone).current_player(), Some(Seat(2)));
}

#[test]
fn a_round_closes_where_the_starter_sits() {
    let round = |actions: &[&str]| {
        let state = played(&game(TURNS, Some(4)), actions);
        let names = state.game().model().slots.iter().map(|slot| slot.name.clone());
        let at = names.into_iter().position(|name| name == "round").unwrap();
        state.value(houserule::model::SlotId(at as u32), 0)
    };
    let number = houserule::model::Value::Number;
    assert_eq!(round(&["stay", "stay", "stay"]), number(1));
    assert_eq!(round(&["stay", "stay", "stay", "stay"]), number(2));
    // The starter is out, and the turn passes that seat.
    assert_eq!(round(&["leave", "stay", "stay", "stay"]), number(2));
    assert_eq!(round(&["leave", "stay", "remove player-4"]), number(2));
    assert_eq!(round(&["leave", "stay", "stay"]), number(1));
}

#[test]
fn a_game_in_which_nobody_plays_is_over() {
    let state = played(&game(TURNS, Some(2)), &["leave", "leave"]);
    assert!(state.is_over());
    let end = state.outcome().unwrap().end;
    assert_eq!(state.game().model().end_name(end), "nobody_playing");
}

#[test]
fn who_still_has_turns_is_among_the_variables() {
    let state = played(&game(TURNS, Some(2)), &["leave"]);
    let all = serde_json::to_value(variables_json(&state)).unwrap();
    assert_eq!(all["playing"], serde_json::json!([1]), "{all}");
}

#[test]
fn players_of_a_team_win_and_lose_together() {
    let game = game(TEAMS, None);
    let winners = |actions: &[&str]| played(&game, actions).outcome().unwrap().winners;
    let idle = "take 0";
    let round = |first| [first, idle, idle, idle, idle];
    let two = |a, b| [round(a), round(b)].concat();
    assert_eq!(winners(&two("take 3", "take 3")[..6]), [true, false, true, false, false]);
    assert_eq!(winners(&two("take 3", "take 2")[..6]), [false, true, false, true, true]);
    assert_eq!(winners(&two("take 3", "take 1")[..6]), [false, true, false, true, false]);
    // A and C have 1 and 2, and E has 2 alone: the sums decide.
    let full =
        ["take 1", "take 0", "take 2", "take 1", "take 2", "take 0", "take 0", "take 0", "take 0", "take 0"];
    assert_eq!(winners(&full), [true, false, true, false, false]);
    let equal =
        ["take 1", "take 0", "take 1", "take 1", "take 2", "take 0", "take 0", "take 0", "take 0", "take 0"];
    // Equal sums; the sizes of the teams are added up, too, and the player alone has the least.
    assert_eq!(winners(&equal), [false, false, false, false, true]);
    let shares = played(&game, &full).outcome().unwrap().returns();
    assert_eq!(shares, [0.375, -0.25, 0.375, -0.25, -0.25]);
}

/// Sides that chance deals: hidden wolves against the others. C wins or loses with E, a team.
const SIDES: &str = r#"game "Sides" {
  players A, B, C, D, E
  team pair = {C, E}
  var wolves: set of player seen by none
  setup { pick p in players   wolves = {A, p} }
  turn { choose { howl { end game as howled } show k subset of players { wolves = k } wait { } hunt { wolves = wolves | me } } }
  end packed when count(wolves) == 3: win wolves
  end lost when count(wolves) == 2 and turns[A] > 1: lose wolves | me
  end gone when wolves is nothing: win {A, B}
  end late of round when round > 4: draw
  score { first: if me == A then 1 else 0 }
}"#;

#[test]
fn a_set_of_players_wins_or_loses() {
    let game = game(SIDES, None);
    let winners = |actions: &[&str]| played(&game, actions).outcome().unwrap().winners;
    assert_eq!(winners(&["show A B D"]), [true, true, false, true, false]);
    assert_eq!(winners(&["show A B C"]), [true, true, true, false, true], "a team wins as one");
    assert_eq!(winners(&["show none"]), [true, true, false, false, false], "a fixed set");
    let waits = ["wait"; 5];
    let lost = [&["show A D"][..], &waits[..4], &["wait"]].concat();
    assert_eq!(winners(&lost), [false, true, true, false, true], "the others win");
    for index in 0..150 {
        assert_eq!(agree(&game, 8, index, 5_000), Came::Over, "game {index}");
    }
    crate::agree::same_in_both_modes(&game, 8, 100);
    // A position that is over says who won.
    let state = played(&game, &["show A B C"]);
    assert!(state.position().contains("A, B, C, E"), "{}", state.position());
    let again = state.game().position(&state.position()).unwrap();
    assert_eq!(again.outcome().unwrap().winners, state.outcome().unwrap().winners);
}

/// Partners lay cards in common piles. A define takes a team.
const MELDS: &str = r#"game "Melds" {
  players A, B, C, D
  team us = {A, C}
  team them = {B, D}
  enum rank { low, mid, high }
  domain card { rank: rank, copy: 1..4 }
  zone stock of card seen by none
  zone hand[player] of card seen by owner
  zone meld[team, rank] of card
  var points[team]: 0..99 = 0
  define opened(t) = any r in rank: meld[t, r] is some
  setup { deal 4 from stock to hand }
  turn {
    let side: team = team(me)
    choose {
      lay c in hand[me] where opened(team(me)) or c.rank == low { move c to meld[team(me), c.rank]; points[side] += 1 }
      pass
    }
  }
  end when turns[me] == 4
  score { points: points[team(me)] + (if opened(team(me)) then 1 else 0) + count({ r in rank where meld[team(me), r] is some }) }
}"#;

#[test]
fn a_define_takes_the_team_of_a_player() {
    let game = made(MELDS);
    for index in 0..30 {
        assert_eq!(agree(&game, 5, index, u32::MAX), Came::Over);
    }
    // A team that hasn't opened lays only low cards; one that has lays any.
    let mut state = game.start(1, 0).expect("it starts");
    let lays = |state: &State| legal(state).iter().filter(|action| action.starts_with("lay")).count();
    let mut opened = [false, false];
    while !state.is_over() {
        let player = state.current_player().expect("somebody acts").index();
        let hand = set(&state, "hand", player);
        let low = hand.iter().filter(|card| **card < 4).count();
        assert_eq!(lays(&state), if opened[player % 2] { hand.len() } else { low });
        let action = legal(&state).first().cloned().expect("there is an action");
        opened[player % 2] |= action.starts_with("lay");
        apply(&mut state, &action);
    }
}

#[test]
fn a_team_that_wins_is_named() {
    let text = |winner: &str| {
        let rules = format!(
            "game \"Pairs\" {{ players N, E, S, W team north_south = {{N, S}} team east_west = {{E, W}}
               var turned: 0..9 = 0 turn {{ choose {{ go {{ turned += 1 }} }} }}
               end over when turned == 4: {winner} }}"
        );
        let game = made(&rules);
        houserule::draw::text::state(&played(&game, &["go", "go", "go", "go"]), None)
    };
    assert!(text("win E").contains("The game is over: the team east west wins."), "{}", text("win E"));
    assert!(text("draw").contains("The game is over: a draw."), "{}", text("draw"));
}

/// The result of a game that ends with its only action, in a few words and as a sentence.
fn told(players: &str, result: &str) -> (String, String) {
    let rules = format!(
        "game \"Short\" {{ {players}
           turn {{ choose {{ go {{ end game as finished: {result} }} }} }} }}"
    );
    let state = played(&made(&rules), &["go"]);
    let text = houserule::draw::text::state(&state, None);
    let sentence = text.lines().find_map(|line| line.strip_prefix("The game is over: ")).map(str::to_owned);
    (
        houserule::draw::text::status(&state, houserule::game::Onlookers::EVERYTHING),
        sentence.expect("the game is over"),
    )
}

#[test]
fn players_of_one_team_win_or_lose_together() {
    for (result, words) in
        [("win me", "all win together"), ("lose me", "all lose"), ("draw", "all win together")]
    {
        let (status, sentence) = told("players 3 team crew = players", result);
        assert_eq!(sentence, format!("{words}."));
        assert_eq!(status.to_lowercase(), format!("{words} · finished"));
    }
}

#[test]
fn the_scores_of_a_result_stand_after_colons() {
    let rules = "game \"Short\" { players 2 var n: 0..9 = 0
       turn { choose { go { n += 2 end game as finished: win player 2 } } }
       score { points: n when me == player 2 } }";
    let text = houserule::draw::text::state(&played(&made(rules), &["go"]), None);
    assert!(text.contains("The game is over: player 2 wins (player 1: 0, player 2: 2)."), "{text}");
}

#[test]
fn a_side_that_loses_alone_is_named() {
    let six = "players A, B, C, D, E, F team red_ones = {A, B} team blue = {C, D} team green = {E, F}";
    for (players, result, words) in [
        ("players A, B, C", "lose B", "B loses."),
        ("players A, B, C", "win {A, C}", "B loses."),
        ("players A, B, C", "win B", "B wins."),
        ("players A, B, C", "draw", "a draw."),
        ("players A, B", "lose B", "A wins."),
        ("players A, B, C, D", "win {A, B}", "A and B share the win."),
        (six, "lose A", "the team red ones loses."),
        (six, "win F", "the team green wins."),
        ("players A, B, C, D team odd = {A, C} team even = {B, D}", "lose A", "the team even wins."),
        (
            "players A, B, C, D, E team red_ones = {A, B}",
            "win {A, C}",
            "the team red ones and C share the win.",
        ),
    ] {
        assert_eq!(told(players, result).1, words, "{players}: {result}");
    }
    assert_eq!(told("players A, B, C", "lose B").0, "B loses · finished");
    assert_eq!(told(six, "win F").0, "The team green wins · finished");
}

#[test]
fn a_match_is_won_by_sides() {
    let result = |players: &str| {
        let rules = format!(
            "game \"Cup\" {{ {players}
               turn {{ choose {{ go {{ end game as finished }} }} }}
               score {{ n: if me == A or me == C then 1 else 0 }}
               match {{ games: 2 }} }}"
        );
        let game = made(&rules);
        let mut whole = Match::new(&game, 1, 0).unwrap();
        while !whole.is_over() {
            let mut state = whole.start().unwrap();
            apply(&mut state, "go");
            whole.enter(&state).unwrap();
        }
        match_result(&game, &whole)
    };
    let teams = "players A, B, C, D team red_ones = {A, C} team blue = {B, D}";
    assert_eq!(result(teams), "The match is over: the team red ones wins it.");
    assert_eq!(result("players A, B, C, D"), "The match is over: A and C share it.");
    assert_eq!(result("players A, B, C team crew = players"), "The match is over.");
}

#[test]
fn a_written_end_with_the_name_of_the_implied_one_is_another_one() {
    let rules = "game \"Out\" { players 2 var n[player]: 0..9 = 0
      turn { choose { stay { n[me] += 1 } leave { playing -= me } } }
      end nobody_playing when n[me] > 2: win me }";
    let name = |actions: &[&str]| {
        let state = played(&made(rules), actions);
        let end = state.outcome().unwrap().end;
        state.game().model().end_name(end).to_owned()
    };
    assert_eq!(name(&["leave", "leave"]), "nobody playing");
    assert_eq!(name(&["stay"; 5]), "nobody_playing");
}
