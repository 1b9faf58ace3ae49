//! Dominoes, tested by hand: the tiles, the deal, open ends, scores of a round, and a small set played out.

use crate::rules::bundled;
use crate::states::{apply, slot};
use houserule::game::{Game, Seat, Start, State};
use houserule::loader::{Request, load_text};
use houserule::matches::Match;
use houserule::model::{Role, SlotId, Value};
use houserule::variants::Setting;

fn game(name: &str, params: &[(&str, &str)], players: u32) -> Game {
    bundled(name, params, Some(players))
}

fn lying(state: &State, zone: &str, place: usize) -> Vec<String> {
    let at = slot(state.game(), zone);
    let domain = state.game().model().domains.iter().position(|d| d.name == "tile").expect("tiles");
    let Value::Set(set) = state.value(at, place) else { panic!("a zone is a set") };
    let domain = houserule::model::DomainId(domain as u32);
    set.iter().map(|tile| state.game().element_name(domain, tile)).collect()
}

/// Returns the pips in the name of a tile.
fn pips(tile: &str) -> (i64, i64) {
    let (low, high) = tile.split_once('-').expect("two halves");
    (low.parse().expect("pips"), high.parse().expect("pips"))
}

fn is_double(tile: &str) -> bool {
    let (low, high) = pips(tile);
    low == high
}

/// Returns the numbers of the open ends, each as often as it is open.
fn ends(state: &State) -> Vec<usize> {
    let at = slot(state.game(), "ends");
    let count = state.game().model().slots[at.index()].initial.len();
    let open = |number| match state.value(at, number) {
        Value::Number(n) => std::iter::repeat_n(number, n as usize),
        _ => panic!("a number"),
    };
    (0..count).flat_map(open).collect()
}

#[test]
fn the_set_has_28_tiles_and_168_pips() {
    let game = game("dominoes", &[], 2);
    let tiles: Vec<String> = {
        let state = game.start(1, 0).expect("it starts");
        let hands = (0..2).flat_map(|p| lying(&state, "hand", p));
        hands.chain(lying(&state, "boneyard", 0)).chain(lying(&state, "line", 0)).collect()
    };
    assert_eq!(tiles.len(), 28);
    assert_eq!(tiles.iter().map(|t| pips(t).0 + pips(t).1).sum::<i64>(), 168);
    let double_nine = self::game("dominoes-double-nine", &[], 2);
    assert_eq!(double_nine.model().domains.iter().find(|d| d.name == "tile").map(|d| d.size), Some(55));
}

/// The holder of the highest double dealt opens, and the next seat follows.
#[test]
fn the_highest_double_opens() {
    for (name, open) in [("dominoes", 4), ("dominoes-line", 2)] {
        let game = game(name, &[], 4);
        for index in 0..200 {
            let state = game.start(3, index).expect("it starts");
            let [opening] = &lying(&state, "line", 0)[..] else { panic!("one tile is laid") };
            let (low, high) = pips(opening);
            assert_eq!((low, ends(&state)), (high, vec![low as usize; open]));
            let hands: Vec<Vec<String>> = (0..4).map(|p| lying(&state, "hand", p)).collect();
            let higher = |tile: &&String| is_double(tile.as_str()) && pips(tile).0 > low;
            // A player who has drawn since could not play, and may have drawn a higher double.
            let drawn = state.history().len() - 20;
            assert!(drawn > 0 || !hands.iter().flatten().any(|tile| higher(&tile)), "{hands:?}");
            let Value::Element(Some(starter)) = state.value(slot(&game, "starter"), 0) else {
                panic!("somebody starts")
            };
            if drawn == 0 {
                assert_eq!(hands[starter as usize].len(), 4);
                assert_eq!(state.current_player(), Some(Seat((starter + 1) % 4)));
            }
        }
    }
}

#[test]
fn doubles_open_ends() {
    for (opens, first, after) in
        [("3", 4, vec![4, 4, 4, 6, 6, 6]), ("2", 4, vec![4, 4, 4, 6, 6]), ("1", 2, vec![4, 6])]
    {
        let game = game("dominoes", &[("double_opens", opens)], 2);
        let drawn =
            format!("hand = {{4-6, 0-1}} {{6-6, 0-2}}\nline = {{4-4}}\nends[4] = {first}\nmover = player-1");
        let mut state = game.position(&drawn).unwrap_or_else(|errors| panic!("{errors:?}"));
        assert_eq!(ends(&state), vec![4; first]);
        apply(&mut state, "play 4-6 4");
        apply(&mut state, "play 6-6 6");
        assert_eq!(ends(&state), after, "a double opens {opens}");
    }
}

/// Equal ends are one choice. A double matches with both halves, but is listed once.
#[test]
fn equal_ends_are_one_choice() {
    let game = game("dominoes", &[], 2);
    let drawn =
        "hand = {4-6, 6-6, 1-2, 0-4} {0-2}\nline = {4-4, 4-5}\nends[4] = 3\nends[6] = 2\nmover = player-1";
    let state = game.position(drawn).expect("a position");
    let names: Vec<String> = state.legal_actions().iter().map(|a| game.action_name(*a)).collect();
    assert_eq!(names, ["play 0-4 4", "play 4-6 4", "play 4-6 6", "play 6-6 6"]);
}

fn scores(game: &Game, drawn: &str) -> Vec<i64> {
    let state = game.position(drawn).unwrap_or_else(|errors| panic!("{errors:?}"));
    (0..game.players()).map(|p| state.score(Seat(p)).expect("a score")).collect()
}

#[test]
fn a_round_scores_what_the_others_hold() {
    let four = game("dominoes", &[], 4);
    let out = "hand = {} {6-6} {2-5} {4-6, 5-5}\nboneyard = {0-0}\nline = ";
    let rest = |hands: &[&str]| {
        let all: Vec<String> = (0..7).flat_map(|a| (a..7).map(move |b| format!("{a}-{b}"))).collect();
        let played: Vec<String> = all.into_iter().filter(|t| !hands.contains(&t.as_str())).collect();
        played.join(", ")
    };
    let line = rest(&["6-6", "2-5", "4-6", "5-5", "0-0"]);
    assert_eq!(scores(&four, &format!("{out}{{{line}}}")), [39, 0, 0, 0]);
    // An empty hand wins, though 0-0 has no more pips.
    assert_eq!(scores(&four, "hand = {0-0} {} {2-5} {4-6}"), [0, 17, 0, 0]);
    // In the middle of a round no player has points, because the others' hands are hidden.
    assert_eq!(scores(&four, "hand = {0-1} {6-6} {2-5} {4-6}\nends[3] = 1"), [0, 0, 0, 0]);
    let two = game("dominoes", &[], 2);
    assert_eq!(scores(&two, "hand = {1-2} {4-5}\npasses = 2"), [6, 0]);
    let three = game("dominoes", &[], 3);
    let tie = "hand = {0-4} {1-3} {4-6}\npasses = 3";
    assert_eq!(scores(&three, tie), [0, 0, 0]);
    let shared = game("dominoes", &[("blocked_tie", "shared")], 3);
    assert_eq!(scores(&shared, tie), [6, 6, 0]);
}

/// A probability in a chance tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ratio(u128, u128);

impl Ratio {
    fn new(n: u128, of: u128) -> Ratio {
        let (mut a, mut b) = (n, of);
        while b > 0 {
            (a, b) = (b, a % b);
        }
        Ratio(n / a.max(1), of / a.max(1))
    }

    fn plus(self, other: Ratio) -> Ratio {
        Ratio::new(self.0 * other.1 + other.0 * self.1, self.1 * other.1)
    }

    fn times(self, n: u128) -> Ratio {
        Ratio::new(self.0 * n, self.1)
    }
}

/// The players' strategy in a tree: the first legal tile, on the first or the last end that it matches.
#[derive(Clone, Copy)]
enum On {
    First,
    Last,
}

/// Calls `f` for every end of the chance tree with its probability.
fn tree(state: &State, on: On, chance: Ratio, f: &mut dyn FnMut(&State, Ratio)) {
    let mut state = state.clone();
    while !state.is_over() {
        if state.is_chance() {
            let outcomes = state.chance_outcomes();
            let each = Ratio::new(chance.0, chance.1 * u128::from(outcomes));
            // Equal outcomes are visited once, with their weight.
            let mut seen: Vec<(Option<houserule::game::Event>, u64, u128)> = vec![];
            for outcome in 0..outcomes {
                let event = state.chance_event(outcome);
                match seen.iter_mut().find(|(e, ..)| *e == event) {
                    Some((.., times)) => *times += 1,
                    None => seen.push((event, outcome, 1)),
                }
            }
            for (_, outcome, times) in seen {
                let mut next = state.clone();
                next.apply_outcome(outcome).expect("an outcome");
                tree(&next, on, each.times(times), f);
            }
            return;
        }
        let legal = state.legal_actions();
        let name = |action| state.game().action_name(action);
        let tile = |action| name(action).split(' ').nth(1).map(str::to_owned);
        let alike = legal.iter().take_while(|action| tile(**action) == tile(legal[0]));
        let chosen = match on {
            On::First => legal[0],
            On::Last => *alike.last().expect("a legal action"),
        };
        state.apply(chosen).expect("it is legal");
    }
    f(&state, chance);
}

fn explicit(game: &Game) -> State {
    game.start_at(&Start { explicit_chance: true, ..Start::default() }).expect("it starts")
}

/// Counted by hand over all 720 orders of the six tiles: the score of a round, how often the opening player
/// wins, and the number of tiles drawn. The choice of the end only decides who goes out.
#[test]
fn the_smallest_set_is_played_out_exactly() {
    let game = game("dominoes", &[("max_pips", "2"), ("hand_size", "2")], 2);
    let starter = slot(&game, "starter");
    for (on, wins) in [(On::First, Ratio(13, 15)), (On::Last, Ratio(8, 9))] {
        let (mut all, mut points, mut won, mut draws) = (Ratio(0, 1), Ratio(0, 1), Ratio(0, 1), Ratio(0, 1));
        tree(&explicit(&game), on, Ratio(1, 1), &mut |state, chance| {
            all = all.plus(chance);
            let scores: i64 = (0..2).map(|p| state.score(Seat(p)).expect("a score")).sum();
            points = points.plus(chance.times(scores as u128));
            let Value::Element(Some(starter)) = state.value(starter, 0) else { panic!("somebody starts") };
            let winners = state.outcome().expect("it is over").winners;
            if winners[starter as usize] {
                assert!(!winners[1 - starter as usize], "nobody shares");
                won = won.plus(chance);
            }
            let left = lying(state, "boneyard", 0).len() as u128;
            draws = draws.plus(chance.times(2 - left));
        });
        assert_eq!((all, points, won, draws), (Ratio(1, 1), Ratio(149, 90), wins, Ratio(23, 45)));
    }
}

/// The deal alone, without its condition.
const DEAL: &str = r#"variant "Deal" of "dominoes" {
  setup { deal hand_size from boneyard to hand }
  turn { choose { stop { end game } } }
}"#;

fn deal(params: &[(&str, &str)]) -> Game {
    let settings: Vec<Setting> = params.iter().map(|(name, value)| Setting::new(*name, *value)).collect();
    let request = Request { settings: &settings, players: Some(2), ..Request::default() };
    load_text("deal", DEAL, &request).unwrap_or_else(|error| panic!("{error}")).game
}

fn no_double(state: &State) -> bool {
    !(0..2).any(|p| lying(state, "hand", p).iter().any(|tile| is_double(tile)))
}

/// For n tiles, m of them no doubles, k tiles contain no double with probability (m choose k) / (n choose k).
#[test]
fn a_deal_without_a_double_is_as_rare_as_counting_says() {
    let choose = |n: u128, k: u128| (0..k).fold(1, |product, i| product * (n - i) / (i + 1));
    for (pips, size, n, m) in [("2", "1", 6, 3), ("3", "1", 10, 6), ("3", "2", 10, 6)] {
        let game = deal(&[("max_pips", pips), ("hand_size", size)]);
        let k = 2 * size.parse::<u128>().expect("a number");
        let mut none = Ratio(0, 1);
        tree(&explicit(&game), On::First, Ratio(1, 1), &mut |state, chance| {
            if no_double(state) {
                none = none.plus(chance);
            }
        });
        assert_eq!(none, Ratio::new(choose(m, k), choose(n, k)));
    }
    // The whole set, with ten tiles dealt.
    assert_eq!(Ratio::new(choose(21, 10), choose(28, 10)), Ratio(34, 1265));
    let (game, games) = (deal(&[]), 20_000u64);
    let found = (0..games).filter(|i| no_double(&game.start(5, *i).expect("it starts"))).count() as f64;
    let p = 34.0 / 1265.0;
    let error = (games as f64 * p * (1.0 - p)).sqrt();
    assert!((found - games as f64 * p).abs() < 4.0 * error, "{found} of {games}");
}

/// No tile is ever lost or duplicated. HOUSERULE_DOMINOES sets the number of games.
#[test]
fn every_tile_lies_somewhere_once() {
    let games = std::env::var("HOUSERULE_DOMINOES").ok().and_then(|n| n.parse().ok()).unwrap_or(1_000u64);
    for (players, share) in [(2, 2), (3, 4), (4, 4)] {
        let game = game("dominoes", &[], players);
        let zones: Vec<(SlotId, usize)> = (0..)
            .map(SlotId)
            .zip(&game.model().slots)
            .filter(|(_, slot)| slot.role == Role::Zone)
            .flat_map(|(id, slot)| (0..slot.initial.len()).map(move |place| (id, place)))
            .collect();
        for index in 0..games / share {
            let mut state = game.start(17, index).expect("it starts");
            loop {
                let (mut count, mut bits) = (0, 0u64);
                for (zone, place) in &zones {
                    let Value::Set(lying) = state.value(*zone, *place) else { panic!("a set") };
                    count += lying.len();
                    bits |= lying.words()[0];
                }
                assert_eq!((count, bits), (28, (1 << 28) - 1), "game {index} of {players} players");
                let Some(action) = state.random_action() else { break };
                state.apply(action).expect("it is legal");
            }
            assert!(state.is_over());
        }
    }
}

/// A match ends as soon as a player has reached the target.
#[test]
fn matches_are_played_to_the_target() {
    let game = game("dominoes", &[("target", "60")], 3);
    for number in 0..20 {
        let mut played = Match::new(&game, 2, number).expect("the rules of a match");
        while !played.is_over() {
            assert!(played.standings().iter().all(|s| s.total < 60));
            let mut state = played.start().expect("it starts");
            while let Some(action) = state.random_action() {
                state.apply(action).expect("it is legal");
            }
            played.enter(&state).expect("it counts");
        }
        assert!(played.standings().iter().any(|s| s.total >= 60));
    }
}
