//! House rules with scripts: the consequences of each, computed in a second way.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::extent;
use crate::tools::*;
use houserule::agents::AgentKind;
use houserule::game::{Game, Seat, State};
use houserule::playtest::{SimulationPlan, simulate};

#[test]
fn each_has_a_script_and_is_held_here() {
    let with_script = houserule::bundled::ALL.iter().filter(|file| file.text.contains("\n  script "));
    let names: Vec<&str> = with_script.map(|file| file.name).collect();
    let held = [
        "dice-wide-shut-rooks",
        "dicrono-snake",
        "dilido-shapes",
        "dilido-staircase",
        "dominoes-train",
        "hex-distance",
        "points-rope",
        "tic-tac-toe-called",
        "yacht-sums",
    ];
    assert_eq!(names, held);
    // `houserule new --like` copies a game as one file.
    let of_variants =
        |name: &&str| houserule::bundled::find(name).is_some_and(|file| file.folder == "variants");
    assert!(names.iter().all(of_variants));
}

type Squares = BTreeSet<(i64, i64)>;

/// Returns all fixed polyominoes of n squares, each once and moved as far left and down as possible.
fn fixed_polyominoes(n: usize) -> BTreeSet<Squares> {
    if n == 1 {
        return BTreeSet::from([BTreeSet::from([(0, 0)])]);
    }
    let mut all = BTreeSet::new();
    for smaller in fixed_polyominoes(n - 1) {
        for (x, y) in &smaller {
            for (x, y) in [(x + 1, *y), (x - 1, *y), (*x, y + 1), (*x, y - 1)] {
                let mut squares = smaller.clone();
                if squares.insert((x, y)) {
                    let left = squares.iter().map(|square| square.0).min().unwrap();
                    let low = squares.iter().map(|square| square.1).min().unwrap();
                    all.insert(squares.into_iter().map(|(x, y)| (x - left, y - low)).collect());
                }
            }
        }
    }
    all
}

/// Draws a board, top row first.
fn drawn(size: i64, mark: char, squares: &Squares) -> String {
    let row = |y| (0..size).map(|x| if squares.contains(&(x, y)) { mark } else { '.' }).collect::<String>();
    (0..size).rev().map(row).collect::<Vec<_>>().join("\n")
}

/// There are 1, 1, 2, 5 and 12 free polyominoes of n squares, and 1, 2, 6, 19 and 63 fixed ones (OEIS A000105
/// and A001168). The tetrominoes have 2, 1, 4, 4 and 8 fixed forms, so of the 19² pairs 4 + 1 + 16 + 16 + 64
/// have the same shape.
#[test]
fn dilido_shapes_tells_polyominoes_apart() {
    let params = [("size", "12"), ("line_points", "[12: 1]"), ("shape_points", "1"), ("smallest_shape", "1")];
    let game = game_with("dilido-shapes", &params);
    let shapes = |a: &Squares, b: &Squares| {
        let beside = b.iter().map(|(x, y)| (x + 6, y + 6));
        let squares = a.iter().copied().chain(beside).collect();
        position(&game, &drawn(12, 'd', &squares)).score(Seat(0)).unwrap()
    };
    let known = [(1, 1), (1, 2), (2, 6), (5, 19), (12, 63)];
    for (n, (free, fixed)) in (1..).zip(known).take(extent::tries(4, 5)) {
        let laid = fixed_polyominoes(n);
        assert_eq!(laid.len(), fixed);
        let mut kinds: Vec<Squares> = vec![];
        for squares in laid {
            if kinds.iter().all(|kind| shapes(kind, &squares) == 2) {
                kinds.push(squares);
            }
        }
        assert_eq!(kinds.len(), free, "{n} squares");
    }
    let laid = fixed_polyominoes(4);
    let pairs = laid.iter().flat_map(|a| laid.iter().map(move |b| (a, b)));
    assert_eq!(pairs.filter(|(a, b)| shapes(a, b) == 1).count(), 4 + 1 + 16 + 16 + 64);
}

/// A table of points in which n is worth n.
const COUNT: &str = "[1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 7, 8: 8, 9: 9, 10: 10, 11: 11, 12: 12, 13: 13, \
                     14: 14, 15: 15, 16: 16, 17: 17, 18: 18, 19: 19, 20: 20, 21: 21, 22: 22, 23: 23]";

/// Returns all boards of 3×3, as sets of squares.
fn small_boards() -> impl Iterator<Item = Squares> {
    (0..512).map(|bits| (0..9).filter(|n| bits >> n & 1 == 1).map(|n| (n % 3, n / 3)).collect())
}

/// Every staircase is a part of one of the six paths from one corner to the other. On a full board of n
/// squares per side it has 2n − 1.
#[test]
fn dilido_staircase_goes_up_and_to_the_right() {
    let of_size = |size: i64| {
        let params = [("size", &*size.to_string()), ("line_points", "[12: 1]"), ("stair_points", COUNT)];
        game_with("dilido-staircase", &params)
    };
    let game = of_size(3);
    let mut ways = vec![];
    for rights in 0..16_u32 {
        if rights.count_ones() == 2 {
            let mut way = vec![(0, 0)];
            for step in 0..4 {
                let (x, y) = way[step];
                way.push(if rights >> step & 1 == 1 { (x + 1, y) } else { (x, y + 1) });
            }
            ways.push(way);
        }
    }
    assert_eq!(ways.len(), 6);
    for board in small_boards() {
        let run = |way: &Vec<(i64, i64)>| {
            let mut runs = way.split(|square| !board.contains(square)).map(<[_]>::len);
            runs.by_ref().max().unwrap()
        };
        let longest = ways.iter().map(run).max().unwrap() as i64;
        let state = position(&game, &drawn(3, 'd', &board));
        assert_eq!(state.score(Seat(0)).unwrap(), longest, "{board:?}");
    }
    for size in 3..12_i64 {
        let game = of_size(size);
        let full = (0..size).flat_map(|x| (0..size).map(move |y| (x, y))).collect();
        let state = position(&game, &drawn(size, 'd', &full));
        assert_eq!(state.score(Seat(0)).unwrap(), 2 * size - 1);
    }
}

/// On 3×3 there are 40 paths through all squares (OEIS A096969). Every other path is the beginning of a path
/// that can't be extended.
#[test]
fn dicrono_snake_finds_the_longest_way() {
    let params = [
        ("size", "3"),
        ("line_points", "[12: 1]"),
        ("snake_points", COUNT),
        ("longest_snake", "8"),
        ("penalty_score", "0"),
    ];
    let game = game_with("dicrono-snake", &params);
    // All paths that visit no square twice.
    let mut ways: Vec<Vec<(i64, i64)>> = (0..9).map(|n| vec![(n % 3, n / 3)]).collect();
    let mut at = 0;
    while at < ways.len() {
        let (x, y) = *ways[at].last().unwrap();
        for next in [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)] {
            let on_board = (0..3).contains(&next.0) && (0..3).contains(&next.1);
            if on_board && !ways[at].contains(&next) {
                let longer = ways[at].iter().copied().chain([next]).collect();
                ways.push(longer);
            }
        }
        at += 1;
    }
    assert_eq!(ways.iter().filter(|way| way.len() == 9).count(), 40);
    for board in small_boards() {
        let inside = ways.iter().filter(|way| way.iter().all(|square| board.contains(square)));
        let longest = inside.map(|way| way.len().min(8)).max().unwrap_or(0) as i64;
        let state = position(&game, &drawn(3, 'X', &board));
        let scores = [0, 1].map(|seat| state.score(Seat(seat)).unwrap());
        assert_eq!(scores, [longest, 0], "{board:?}");
    }
}

/// Returns all permutations of five.
fn orders() -> Vec<[usize; 5]> {
    let mut all = vec![];
    for n in 0..3125_usize {
        let order = [n % 5, n / 5 % 5, n / 25 % 5, n / 125 % 5, n / 625];
        if (0..5).all(|k| order.contains(&k)) {
            all.push(order);
        }
    }
    all
}

/// Five rooks that don't attack each other have 120 arrangements. A half counts as many as the best
/// arrangement matches.
#[test]
fn dice_wide_shut_rooks_stand_in_rows_and_columns_of_their_own() {
    let (plain, rooks) =
        (game("dice-wide-shut"), game_with("dice-wide-shut-rooks", &[("rook_points", "10")]));
    let (ways, mut met) = (orders(), BTreeSet::new());
    assert_eq!(ways.len(), 120);
    for index in 0..extent::tries(20, 60) {
        let [mut base, mut state] = [&plain, &rooks].map(|game| game.start(7, index).unwrap());
        while let Some(action) = state.random_action() {
            state.apply(action).unwrap();
            base.apply(action).unwrap();
        }
        for seat in 0..2 {
            let best = |half: usize| {
                let crosses = sites(&state, "cross", 2 * seat + half);
                let stand = |way: &[usize; 5]| {
                    way.iter()
                        .enumerate()
                        .filter(|(row, column)| crosses.contains(&((row * 5 + *column) as u32)))
                        .count() as i64
                };
                ways.iter().map(stand).max().unwrap()
            };
            let (red, blue) = (best(0), best(1));
            let player = Seat(seat as u32);
            let more = state.score(player).unwrap() - base.score(player).unwrap();
            assert_eq!(more, 10 * (red + blue), "game {index}");
            met.extend([red, blue]);
        }
    }
    assert!([1, 2, 3, 4, 5].iter().all(|n| met.contains(n)), "{met:?}");
}

/// Returns `true` if these tiles can be laid in one line. Tries all orders.
fn is_line(end: Option<i64>, tiles: &[(i64, i64)]) -> bool {
    tiles.is_empty()
        || tiles.iter().enumerate().any(|(at, (low, high))| {
            let mut rest = tiles.to_vec();
            rest.remove(at);
            [(*low, *high), (*high, *low)]
                .into_iter()
                .any(|(near, far)| end.is_none_or(|end| end == near) && is_line(Some(far), &rest))
        })
}

/// Returns the first player's score for going out while the second holds some tiles.
fn out_against(game: &Game, all: &[(i64, i64)], held: &[(i64, i64)]) -> i64 {
    let name = |(low, high): &(i64, i64)| format!("{low}-{high}");
    let last = all.iter().find(|tile| !held.contains(tile)).unwrap();
    let hand = held.iter().map(name).collect::<Vec<_>>().join(", ");
    let mut state =
        position(game, &format!("hand = {{{}}} {{{hand}}}\nline = {{}}\nends[{}] = 1\n", name(last), last.0));
    apply(&mut state, &format!("play {} {}", name(last), last.0));
    assert_eq!(wins_of(&state), [true, false]);
    state.score(Seat(0)).unwrap()
}

fn set_of_tiles(most: i64) -> Vec<(i64, i64)> {
    (0..=most).flat_map(|low| (low..=most).map(move |high| (low, high))).collect()
}

/// Of the 1365 hands of four tiles of a double-four set, 495 make a line. A whole double-six set does,
/// because each number is on eight halves. A whole double-five set doesn't, because each is on seven.
#[test]
fn dominoes_train_forgives_what_makes_a_line() {
    let params = |pips| [("max_pips", pips), ("hand_size", "4")];
    let game = game_with("dominoes-train", &params("4"));
    let all = set_of_tiles(4);
    let (mut hands, mut lines) = (0, 0);
    for bits in 0_u32..1 << 15 {
        if bits.count_ones() != 4 {
            continue;
        }
        let held: Vec<(i64, i64)> = (0..15).filter(|n| bits >> n & 1 == 1).map(|n| all[n]).collect();
        let pips: i64 = held.iter().map(|(low, high)| low + high).sum();
        let line = is_line(None, &held);
        assert_eq!(out_against(&game, &all, &held), if line { 0 } else { pips }, "{held:?}");
        hands += 1;
        lines += i64::from(line);
    }
    assert_eq!((hands, lines), (1365, 495));
    // Without one tile, two numbers are odd in the double-six set, and four in the double-five set.
    for (most, line) in [("6", true), ("5", false)] {
        let game = game_with("dominoes-train", &params(most));
        let all = set_of_tiles(most.parse().unwrap());
        // The first player lays the opening 0-1.
        let held: Vec<_> = all.iter().copied().filter(|tile| *tile != (0, 1)).collect();
        assert_eq!(out_against(&game, &all, &held) == 0, line, "double-{most}");
    }
}

/// Of the 7776 rolls, the 60 of one pattern make 20 sums. The mean is 14.56.
#[test]
fn yacht_sums_counts_different_sums() {
    let game = game_with("yacht-sums", &[("rolls", "1")]);
    let mut met = BTreeMap::new();
    let part = extent::tries(12, 1);
    for rolled in outcomes(&waiting(&game)).into_iter().step_by(part) {
        let mut bits = 1_u64;
        for die in 0..5 {
            bits |= bits << number(&rolled, "hand", die);
        }
        let mut state = rolled;
        state.set_explicit_chance(true);
        apply(&mut state, "fill sums");
        let points = state.score(Seat(0)).unwrap();
        assert_eq!(points, i64::from(bits.count_ones()) - 1);
        *met.entry(points).or_insert(0) += 1;
    }
    if part > 1 {
        return assert!(met.len() > 10, "{met:?}");
    }
    assert_eq!(met.values().sum::<i64>(), 7776);
    assert_eq!(met.iter().map(|(points, rolls)| points * rolls).sum::<i64>(), 113_180);
    assert_eq!((met[&5], met[&15], met[&20]), (6, 1480, 60));
}

/// Counts the steps of a king from the first dot over the player's own dots. No enemy dot counts.
#[test]
fn points_rope_counts_steps_from_dot_to_dot() {
    let field = [("width", "9"), ("height", "7"), ("zone_width", "9"), ("zone_height", "7")];
    let plain = game_with("points", &field);
    let rope = game_with("points-rope", &[&field[..], &[("rope_length", "1")]].concat());
    let mut longest = 0;
    for index in 0..extent::tries(12, 100) {
        let [mut base, mut state] = [&plain, &rope].map(|game| game.start(7, index).unwrap());
        let mut first: [Option<u32>; 2] = [None; 2];
        while let Some(action) = state.random_action() {
            let seat = state.current_player().unwrap().0 as usize;
            let before = sites(&state, "dot", seat);
            state.apply(action).unwrap();
            base.apply(action).unwrap();
            if first[seat].is_none() {
                first[seat] = sites(&state, "dot", seat).difference(&before).next().copied();
            }
            for (seat, first) in first.iter().enumerate() {
                let captured = sites(&state, "area", 1 - seat);
                let free = &sites(&state, "taken", seat) - &captured;
                let dots = &sites(&state, "dot", seat) | &free;
                let mut away: BTreeMap<u32, i64> = BTreeMap::new();
                let mut queue: VecDeque<u32> =
                    first.iter().copied().filter(|dot| dots.contains(dot)).collect();
                away.extend(queue.iter().map(|dot| (*dot, 0)));
                while let Some(dot) = queue.pop_front() {
                    let near = |other: &&u32| {
                        let (x, y) = ((dot % 9).abs_diff(*other % 9), (dot / 9).abs_diff(*other / 9));
                        x.max(y) == 1
                    };
                    for other in dots.iter().filter(near) {
                        if !away.contains_key(other) {
                            away.insert(*other, away[&dot] + 1);
                            queue.push_back(*other);
                        }
                    }
                }
                let steps = away.values().max().copied().unwrap_or(0);
                let player = Seat(seat as u32);
                let more = state.score(player).unwrap() - base.score(player).unwrap();
                assert_eq!(more, steps, "game {index}");
                longest = longest.max(steps);
            }
        }
    }
    assert!(longest > 10, "{longest}");
}

/// A called game ends as exact play would have ended it, in every reachable position with this number of free
/// squares.
#[test]
fn tic_tac_toe_called_ends_as_it_would_have_ended() {
    let solution = solved(&game("tic-tac-toe"));
    for free in extent::tries(4, 3)..=5_u32 {
        let called = game_with("tic-tac-toe-called", &[("free", &free.to_string())]);
        let (mut ended, mut over, mut known) = (BTreeMap::new(), 0, BTreeMap::new());
        walk(&game("tic-tac-toe").start(1, 0).unwrap(), 9 - free, &mut |plain, left| {
            if left > 0 {
                return;
            }
            let marks = [0, 1].map(|seat| sites(plain, "mark", seat));
            let worth = known.entry(marks).or_insert_with(|| {
                let mut state = called.start(1, 0).unwrap();
                for event in plain.history() {
                    if let houserule::game::Event::Action { action, .. } = event {
                        state.apply(*action).unwrap();
                    }
                }
                let worth = match plain.outcome() {
                    Some(outcome) => outcome.winners,
                    None => {
                        let x = solution.values(plain).unwrap()[0];
                        vec![x >= 0.0, x <= 0.0]
                    }
                };
                assert_eq!(wins_of(&state), worth, "{:?}", plain.history());
                worth
            });
            *ended.entry(worth.clone()).or_insert(0) += 1;
            over += i64::from(plain.is_over());
        });
        // Of the 15,120 ways to place five marks, 1,440 end with a line of X.
        if free == 4 {
            assert_eq!((ended.values().sum::<i64>(), over), (15_120, 1_440));
        }
        assert_eq!(ended.len(), 3, "{free}: {ended:?}");
    }
}

/// Returns the stones missing on the shortest path across, found cell by cell.
fn missing(state: &State, seat: usize, size: i64) -> Option<i64> {
    let (own, other) = (sites(state, "stone", seat), sites(state, "stone", 1 - seat));
    let at = |x: i64, y: i64| (y * size + x) as u32;
    let cost = |x: i64, y: i64| match at(x, y) {
        cell if own.contains(&cell) => Some(0),
        cell if other.contains(&cell) => None,
        _ => Some(1),
    };
    let mut least: BTreeMap<(i64, i64), i64> = BTreeMap::new();
    let begin = |n| if seat == 0 { (n, 0) } else { (0, n) };
    for (x, y) in (0..size).map(begin) {
        least.extend(cost(x, y).map(|cost| ((x, y), cost)));
    }
    // Repeat until no distance decreases.
    loop {
        let mut better = vec![];
        for ((x, y), so_far) in &least {
            // Two cells across the corner of a rhombus are neighbours, the other two are not.
            for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)] {
                let (x, y) = (x + dx, y + dy);
                if (0..size).contains(&x)
                    && (0..size).contains(&y)
                    && let Some(cost) = cost(x, y)
                    && least.get(&(x, y)).is_none_or(|known| *known > so_far + cost)
                {
                    better.push(((x, y), so_far + cost));
                }
            }
        }
        if better.is_empty() {
            break;
        }
        for (cell, cost) in better {
            let known = least.entry(cell).or_insert(cost);
            *known = cost.min(*known);
        }
    }
    let end = |n| if seat == 0 { (n, size - 1) } else { (size - 1, n) };
    (0..size).filter_map(|n| least.get(&end(n)).copied()).min()
}

#[test]
fn hex_distance_says_how_many_stones_are_missing() {
    for size in [3, 5, 6_i64] {
        let game = game_with("hex-distance", &[("size", &size.to_string())]);
        let mut met = BTreeSet::new();
        at_random(&game, extent::tries(10, 30), &mut |state| {
            for seat in 0..2 {
                let near = missing(state, seat, size).map_or(0, |missing| size - missing);
                assert_eq!(state.score(Seat(seat as u32)).unwrap(), near, "{:?}", state.history());
                met.insert(near);
            }
            // A player who has connected the sides blocks the opponent.
            if state.is_over() {
                let scores: BTreeSet<i64> = (0..2).map(|seat| state.score(Seat(seat)).unwrap()).collect();
                assert_eq!(scores, BTreeSet::from([0, size]));
            }
        });
        assert_eq!(met.len() as i64, size + 1, "{met:?}");
    }
}

/// The score guides a greedy player: it rarely loses to random play. Without the score it plays at random.
#[test]
fn hex_distance_teaches_greedy_players() {
    let games = extent::tries(20, 60);
    let wins = |name| {
        let game = game_with(name, &[("size", "4")]);
        let agents = vec![AgentKind::Greedy, AgentKind::Random];
        let plan = SimulationPlan { games, first: 0, seed: 5, threads: 2, agents, match_play: false };
        simulate(&game, &plan, &|_| {}, None).unwrap().winners.wins[0] / games as f64
    };
    let (near, plain) = (wins("hex-distance"), wins("hex"));
    assert!(near >= 0.95 && plain < 50.0 / 60.0, "{near} {plain}");
}
