//! Score direction: matches, agents and best play use it. Scores and totals that don't fit are errors.

#![allow(clippy::unwrap_used)]

use crate::rules::{bundled, game as whole};
use houserule::agents::AgentKind;
use houserule::game::{Game, RuntimeErrorKind, State};
use houserule::matches::Match;
use houserule::model::ScoreDirection;
use houserule::playtest::{Report, SimulationPlan, simulate};

fn game(rules: &str) -> Game {
    whole(&format!("game \"Made up\" {{ {rules} }}"))
}

/// Returns a game in which each player takes many points or few, once.
fn take(players: u32, more: &str) -> Game {
    game(&format!(
        "players {players}
        var points[player]: 0..9 = 0
        turn {{ choose {{ many {{ points[me] = 5 }} few {{ points[me] = 1 }} }} }}
        end all of round when round == 1
        score {{ points: points[me] }}
        {more}"
    ))
}

fn report(game: &Game, agents: &str, games: u64) -> Report {
    let agents = agents.split(',').map(|name| AgentKind::parse(name).unwrap()).collect();
    let plan = SimulationPlan { games, first: 0, seed: 3, threads: 1, agents, match_play: false };
    simulate(game, &plan, &|_| {}, None).unwrap()
}

#[test]
fn the_winner_says_it_once() {
    let direction = |players, more: &str| take(players, more).model().score_direction;
    for players in [1, 2] {
        assert_eq!(direction(players, ""), ScoreDirection::Most);
        assert_eq!(direction(players, "winner most(score)"), ScoreDirection::Most);
        assert_eq!(direction(players, "winner least(score)"), ScoreDirection::Least);
        // If `winner` isn't about scores, the tie-breaks may set the direction.
        assert_eq!(direction(players, "winner least(turns[me])"), ScoreDirection::Most);
        assert_eq!(direction(players, "winner most(turns[me]) ties least(score)"), ScoreDirection::Least);
    }
}

#[test]
fn agents_take_the_better_score() {
    for agent in ["greedy", "flat:20", "mcts:50", "ismcts:50", "exact"] {
        for (more, best) in [("winner least(score)", 1.0), ("winner most(score)", 5.0), ("", 5.0)] {
            assert_eq!(report(&take(1, more), agent, 10).score[0].mean, best, "{agent}, {more}");
        }
    }
    let least = report(&take(2, "winner least(score)"), "greedy,random", 20);
    assert_eq!(least.score[0].mean, 1.0);
}

#[test]
fn greedy_wins_a_misere_game() {
    let game = bundled("dots-and-boxes-misere", &[("width", "2"), ("height", "2")], None);
    let wins = report(&game, "greedy,random", 100).winners.wins;
    assert!(wins[0] > wins[1], "{wins:?}");
}

#[test]
fn best_play_alone_leaves_a_loop_at_last() {
    // Staying is free and possible forever. Leaving costs a point, and is the only end.
    let game = game(
        "players 1
        var cost: 0..9 = 0
        turn { choose { stay { } leave { cost = 1  end game } dear { cost = 5  end game } } }
        score { cost: cost }
        winner least(score)",
    );
    let found = report(&game, "exact", 20);
    assert_eq!((found.score[0].mean, found.aborted), (1.0, 0));
}

fn matches(more: &str, total: &str) -> (Vec<i64>, Vec<bool>) {
    let game = take(2, &format!("{more}\nmatch {{ games: 3, total: {total} }}"));
    let mut one = Match::new(&game, 1, 0).unwrap();
    for first in ["many", "few", "many"] {
        let mut state: State = one.start().unwrap();
        while let Some(player) = state.current_player() {
            let name = if player.0 == 0 { first } else { "many" };
            state.apply(game.parse_action(name).unwrap()).unwrap();
        }
        one.enter(&state).unwrap();
    }
    (one.standings().iter().map(|standing| standing.total).collect(), one.leaders())
}

#[test]
fn the_best_total_wins_a_match() {
    assert_eq!(matches("winner least(score)", "sum"), (vec![11, 15], vec![true, false]));
    assert_eq!(matches("winner most(score)", "sum"), (vec![11, 15], vec![false, true]));
    // The best and worst games are chosen by the score direction.
    assert_eq!(matches("winner least(score)", "best 2").0, [6, 10]);
    assert_eq!(matches("winner least(score)", "worst 2").0, [10, 10]);
    assert_eq!(matches("winner most(score)", "best 2").0, [10, 10]);
}

#[test]
fn a_score_beyond_64_bits_is_an_error_that_names_its_item() {
    let game = game(
        "players 1
        var n: int = 9000000000000000000
        turn { n -= 1 }
        end over when n < 9000000000000000000
        score { one: n, two: n }",
    );
    let found = report(&game, "random", 1);
    let kind = RuntimeErrorKind::ScoreOverflow { item: "two".to_owned() };
    assert_eq!(found.first_aborted.map(|first| first.error.kind), Some(kind));
    let state = game.start(1, 0).unwrap();
    assert!(state.score_of_each().is_err());
}
