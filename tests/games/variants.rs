//! House rules: the consequences of each bundled variant, counted or computed by hand.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};

use crate::extent;
use crate::tools::*;
use houserule::agents::AgentKind;
use houserule::game::{Seat, State};
use houserule::playtest::{ComparePlan, compare};

/// Means of random games on the same dice, the variant minus its game, with the direction in which the rule
/// changes them.
#[test]
fn means_move_the_way_that_the_rules_push_them() {
    let pushed = [
        // More squares are named, so fewer rolls find no free square.
        ("dilido", "dilido-three-dice", "turns", 1.0),
        // Fewer squares are free from the start.
        ("dilido", "dilido-blocked", "turns", -1.0),
        // A mark is there before the first roll.
        ("dice-wide-shut", "dice-wide-shut-free-start", "rolls", -1.0),
        // Seeds that a capture would have taken stay on the board.
        ("kalah", "kalah-no-capture", "turns", 1.0),
    ];
    for (base, variant, kind, way) in pushed {
        let plan = ComparePlan {
            games: Some(2000),
            seeds: [5, 5],
            threads: 2,
            agents: vec![AgentKind::Random],
            match_play: false,
            first: 0,
            keep_partial: false,
        };
        let found = compare(&game(base), &game(variant), &plan, &|_, _| true).unwrap();
        let quantity =
            found.agents[0].quantities.iter().find(|q| q.kind.name == kind && q.seat.is_none()).unwrap();
        assert!(way * quantity.difference > 4.0 * quantity.se, "{variant}: {quantity:?}");
    }
}

/// Counts runs of at least three in rows, columns and diagonals of a board with sides of `size`.
fn runs_of_three(marks: &BTreeSet<u32>, size: i64) -> i64 {
    let has = |x: i64, y: i64| {
        (0..size).contains(&x) && (0..size).contains(&y) && marks.contains(&((y * size + x) as u32))
    };
    let begins = |x: i64, y: i64| {
        let ways = [(1, 0), (0, 1), (1, 1), (1, -1)];
        let run = |&(dx, dy): &(i64, i64)| {
            !has(x - dx, y - dy) && has(x, y) && has(x + dx, y + dy) && has(x + 2 * dx, y + 2 * dy)
        };
        ways.iter().filter(|way| run(way)).count() as i64
    };
    (0..size).flat_map(|y| (0..size).map(move |x| (x, y))).map(|(x, y)| begins(x, y)).sum()
}

/// 5 + 4 + 3 + …: n lines are worth n (11 − n) / 2, and at most 15.
#[test]
fn dilido_falling_pays_each_line_a_point_less() {
    let game = game("dilido-falling");
    let mut met = BTreeSet::new();
    at_random(&game, extent::tries(300, 3_000), &mut |state| {
        let marks = &sites(state, "dot", 0) | &sites(state, "wild", 0);
        let lines = runs_of_three(&marks, 6);
        let worth = if lines < 5 { lines * (11 - lines) / 2 } else { 15 };
        assert_eq!(state.score(Seat(0)).unwrap(), worth, "{lines} lines");
        met.insert(lines);
    });
    assert!((0..=extent::tries(4, 6)).all(|lines| met.contains(&lines)), "{met:?}");
}

/// On 3×3 with two squares blocked, a roll is no double in 6 of 9 cases. Both squares that it names are
/// blocked in 1 of the 9 · 8 / 2 = 36: 6/9 · 1/36 = 1/54.
#[test]
fn dilido_blocked_takes_the_squares_away_all_alike() {
    let game = game_with("dilido-blocked", &[("size", "3"), ("blocked", "2")]);
    let (mut rolls, mut penalties) = (0, 0);
    for one in outcomes(&waiting(&game)) {
        for both in outcomes(&one) {
            assert_eq!(sites(&both, "hole", 0).len(), 2);
            for rolled in outcomes(&both) {
                rolls += 1;
                penalties += number(&rolled, "penalties", 0);
            }
        }
    }
    assert_eq!((rolls, penalties), (9 * 8 * 9, 12));
    assert_eq!(rolls, 54 * penalties);
}

/// Of 216 rolls, 120 show three numbers, which name six squares; 90 show two, which name three; 6 show one,
/// which names one.
#[test]
fn dilido_three_dice_name_up_to_six_squares() {
    let mut named = BTreeMap::new();
    for rolled in outcomes(&waiting(&game("dilido-three-dice"))) {
        *named.entry(rolled.legal_count()).or_insert(0) += 1;
    }
    assert_eq!(named, BTreeMap::from([(1, 6), (3, 90), (6, 120)]));
    // In order, three numbers name three squares: those of the first two dice, the outer two, the last two.
    let mut named = BTreeMap::new();
    for rolled in outcomes(&waiting(&game_with("dilido-three-dice", &[("reading", "ordered")]))) {
        *named.entry(rolled.legal_count()).or_insert(0) += 1;
    }
    // Two alike: aab names aa and ab, abb names ab and bb, aba all three of ab, aa and ba.
    assert_eq!(named, BTreeMap::from([(1, 6), (2, 60), (3, 150)]));
}

/// One of 49 rolls, the double of the middle, names no other square.
#[test]
fn dicrono_neutral_centre_costs_who_rolls_it() {
    for size in ["5", "7", "9"] {
        let game = game_with("dicrono-neutral-centre", &[("size", size)]);
        let rolled = outcomes(&waiting(&game));
        assert_eq!(rolled.len(), size.parse::<usize>().unwrap().pow(2));
        assert_eq!(rolled.iter().map(|state| number(state, "penalties", 0)).sum::<i64>(), 1);
    }
}

/// Two marks make a line with the middle in four directions: both on one side of it, both on the other, or
/// one on each. So 12 pairs of the 48 squares do, and none if the middle counts for no player.
#[test]
fn dicrono_shared_centre_makes_lines_with_two_marks() {
    for (name, lines) in [("dicrono-shared-centre", 12), ("dicrono-neutral-centre", 0)] {
        let game = game(name);
        let (mut pairs, mut scored) = (0, 0);
        for a in 0..49 {
            for b in a + 1..49 {
                if a == 24 || b == 24 {
                    continue;
                }
                let mut cells = ['.'; 49];
                (cells[a], cells[b], cells[24]) = ('X', 'X', 'n');
                let rows: Vec<String> = cells.chunks(7).map(|row| row.iter().collect()).collect();
                let state = position(&game, &rows.join("\n"));
                pairs += 1;
                scored += state.score(Seat(0)).unwrap();
                assert_eq!(state.score(Seat(1)).unwrap(), 0);
            }
        }
        assert_eq!((pairs, scored), (48 * 47 / 2, lines));
    }
}

/// A mark is a run of one, for 1 point, and its column is no longer bare: 1 − 9 · 5 instead of −10 · 5.
#[test]
fn dice_wide_shut_free_start_is_worth_six_points() {
    let game = game("dice-wide-shut-free-start");
    let start = game.start(1, 0).unwrap();
    assert_eq!(start.score(Seat(0)).unwrap(), -50);
    assert_eq!(start.legal_count(), 50);
    for (seat, mine) in (0..).zip(start.legal_actions()) {
        let mut state = start.clone();
        state.apply(mine).unwrap();
        assert_eq!((state.current_player(), state.legal_count()), (Some(Seat(1)), 50));
        let other = state.legal_actions()[(seat * 7) % 50];
        state.apply(other).unwrap();
        assert_eq!([state.score(Seat(0)).unwrap(), state.score(Seat(1)).unwrap()], [-44, -44]);
        assert!(legal(&state).iter().all(|name| !name.starts_with("free")));
    }
}

/// A diamond of 4r dots encloses 2r(r − 1) + 1 crossings, among them one enemy dot.
#[test]
fn points_area_counts_what_a_ring_shuts_in() {
    let field = [("width", "11"), ("height", "11"), ("zone_width", "11"), ("zone_height", "11")];
    for (name, land) in [("points", false), ("points-area", true)] {
        let game = game_with(name, &field);
        for r in [1, 2, 3, 4_i64] {
            let mut state = game.start(1, 0).unwrap();
            let diamond =
                (-r..=r).flat_map(|x| (-r..=r).map(move |y| (x, y))).filter(|(x, y)| x.abs() + y.abs() == r);
            let site = |x: i64, y: i64| format!("place {}{y}", char::from(b'`' + x as u8));
            for (n, (x, y)) in (1..).zip(diamond) {
                apply(&mut state, &site(6 + x, 6 + y));
                // The opponent's first dot is in the middle, the others are in corners outside of the ring.
                let corners = [(1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (1, 10), (1, 11), (2, 11), (3, 11)];
                let more = [(11, 1), (11, 2), (10, 1), (11, 3), (11, 11), (10, 11), (11, 10), (11, 9)];
                let far: Vec<_> = corners.into_iter().chain(more).collect();
                if n < 4 * r {
                    let (x, y) = if n == 1 { (6, 6) } else { far[n as usize] };
                    apply(&mut state, &site(x, y));
                }
            }
            let inside = 2 * r * (r - 1) + 1;
            assert_eq!(state.score(Seat(0)).unwrap(), if land { inside } else { 1 }, "{name} {r}");
            assert_eq!(state.score(Seat(1)).unwrap(), 0);
        }
    }
}

/// A player without a disc at the bottom can only drop. So there are 7 and 7 · 7 lines. Then red has 7 drops
/// and a pop: 7 · 7 · 8. Of the 42 cases with two columns, yellow has 8 moves whatever red did. Of the 7 with
/// one column, yellow's disc is on red's, and is at the bottom only after the pop: 42 · 8 · 8 + 7 · (7 · 7 +
/// 8) = 3087.
#[test]
fn connect_four_pop_out_has_a_pop_for_each_own_disc_at_the_bottom() {
    let game = game("connect-four-pop-out");
    assert_eq!((1..=4).map(|depth| leaves(&game, depth)).collect::<Vec<_>>(), [7, 49, 392, 3087]);
}

#[test]
fn connect_four_pop_out_lets_all_above_fall() {
    let game = game("connect-four-pop-out");
    let column = ["drop 4", "drop 4", "drop 4", "drop 4", "drop 1", "drop 7"];
    let mut state = after(&game, &column);
    let discs = |state: &State| [sites(state, "disc", 0), sites(state, "disc", 1)];
    // Site 3 is d1, site 10 is d2 and so on.
    assert_eq!(discs(&state), [BTreeSet::from([0, 3, 17]), BTreeSet::from([6, 10, 24])]);
    apply(&mut state, "pop 4");
    assert_eq!(discs(&state), [BTreeSet::from([0, 10]), BTreeSet::from([3, 6, 17])]);
    // A pop that makes a row of four for yellow loses, unless red gets a row as well.
    let below = ["drop 4", "drop 1", "drop 1", "drop 2", "drop 2", "drop 3", "drop 3", "drop 4", "drop 7"];
    let mut state = after(&game, &below[..8]);
    apply(&mut state, "pop 4");
    assert_eq!(wins_of(&state), [false, true]);
    let mut state = after(&game, &below);
    apply(&mut state, "drop 6");
    apply(&mut state, "drop 4");
    apply(&mut state, "drop 6");
    apply(&mut state, "pop 4");
    assert_eq!(wins_of(&state), [true, false]);
}

/// The games are those of tic-tac-toe, 255,168 in all (131,184 with a line of X and 77,904 with one of O),
/// and a line loses. Best play is a draw: Gardner, "Ticktacktoe" (Scientific American, 1957).
#[test]
fn tic_tac_toe_misere_turns_the_wins_around() {
    let game = game("tic-tac-toe-misere");
    let (mut wins, mut draws) = ([0, 0], 0);
    walk(&game.start(1, 0).unwrap(), 9, &mut |state, _| match wins_of(state)[..] {
        [true, false] => wins[0] += 1,
        [false, true] => wins[1] += 1,
        _ => draws += 1,
    });
    assert_eq!((wins, draws), ([77_904, 131_184], 46_080));
    assert_eq!(solved(&game).start(), [0.0, 0.0]);
}

/// Two marks for each square: 18 · 16 · 14 sequences of three, of which the 8 lines of 2 marks end 6 each.
/// The first player wins, with any mark in the middle.
#[test]
fn tic_tac_toe_wild_is_won_by_who_begins() {
    let game = game("tic-tac-toe-wild");
    let (mut all, mut over) = (0, 0);
    walk(&game.start(1, 0).unwrap(), 3, &mut |state, _| {
        all += 1;
        over += u64::from(state.is_over());
        assert!(!state.is_over() || wins_of(state) == [true, false]);
    });
    assert_eq!((all, over), (18 * 16 * 14, 8 * 2 * 6));
    let solution = solved(&game);
    assert_eq!(solution.start(), [1.0, -1.0]);
    let best = solution.best_actions(&game.start(1, 0).unwrap());
    let best: BTreeSet<String> = best.into_iter().map(|action| game.action_name(action)).collect();
    assert_eq!(best, BTreeSet::from(["place b2 O".to_owned(), "place b2 X".to_owned()]));
}

/// Returns `true` if the player to move can force a win within `decisions` decisions.
fn forced(state: &State, decisions: u32) -> bool {
    let me = state.current_player().unwrap();
    decisions > 0
        && state.legal_actions().into_iter().any(|action| {
            let mut next = state.clone();
            next.apply(action).unwrap();
            if next.is_over() {
                return wins_of(&next)[me.0 as usize] && !wins_of(&next).iter().all(|won| *won);
            }
            decisions > 2
                && next.legal_actions().into_iter().all(|answer| {
                    let mut then = next.clone();
                    then.apply(answer).unwrap();
                    !then.is_over() && forced(&then, decisions - 2)
                })
        })
}

/// The first player completes one of 24 lines of three with the third mark: two adjacent marks in the middle
/// can be extended at both ends. On 3×3 that is impossible.
#[test]
fn tic_tac_toe_on_four_is_won_with_the_third_mark() {
    let (three, four) = (game("tic-tac-toe"), game("tic-tac-toe-4x4"));
    assert!(forced(&four.start(1, 0).unwrap(), 5));
    assert!(!forced(&four.start(1, 0).unwrap(), 3));
    assert!(!forced(&three.start(1, 0).unwrap(), 9));
    // 24 lines in 3! orders, against any two of the other 13 squares.
    let mut lines = 0;
    walk(&four.start(1, 0).unwrap(), 5, &mut |state, _| lines += u64::from(state.is_over()));
    assert_eq!(lines, 24 * 6 * 13 * 12);
}

/// 5 · 2 rows, 5 · 2 columns and 2 · 4 diagonals: of the 12,650 sets of four squares 28 win.
#[test]
fn tic_tac_toe_on_five_has_28_lines() {
    let start = game("tic-tac-toe-5x5").start(1, 0).unwrap();
    let squares = start.legal_actions();
    let (mut sets, mut lines) = (0, 0);
    for set in 0_u32..1 << 25 {
        if set.count_ones() != 4 {
            continue;
        }
        let (mine, others): (Vec<_>, Vec<_>) = (0..25).partition(|n| set >> n & 1 == 1);
        let mut state = start.clone();
        // O's three marks can't make a line of four.
        for turn in 0..4 {
            state.apply(squares[mine[turn]]).unwrap();
            if turn < 3 {
                state.apply(squares[others[turn]]).unwrap();
            }
        }
        sets += 1;
        lines += u64::from(state.is_over());
    }
    assert_eq!((sets, lines), (12_650, 28));
}

/// Of 36 rolls, one shows two 1s and ten show one. The other 25 score 8 pips on average.
#[test]
fn pig_two_dice_loses_by_a_one_and_loses_all_by_two() {
    let game = game("pig-two-dice");
    let mut state = position(&game, "points = 50 20\npot = 10\n");
    state.set_explicit_chance(true);
    apply(&mut state, "roll");
    let rolled = outcomes(&state);
    assert_eq!(rolled.len(), 36);
    let (mut kept, mut lost, mut pots) = (0, 0, 0);
    for state in rolled {
        match (number(&state, "points", 0), state.current_player()) {
            (50, Some(Seat(1))) => kept += 1,
            (0, Some(Seat(1))) => lost += 1,
            (50, Some(Seat(0))) => pots += number(&state, "pot", 0),
            other => panic!("{other:?}"),
        }
        assert_eq!(number(&state, "points", 1), 20);
    }
    assert_eq!((kept, lost, pots), (10, 1, 25 * (10 + 8)));
}

/// The opening double d has four ends. The first tile d-n leaves three of them and n: 3d + n points if
/// that is a multiple of five.
#[test]
fn dominoes_fives_scores_what_the_open_ends_come_to() {
    let game = game("dominoes-fives");
    let mut scoring = BTreeMap::new();
    for d in 0..=6_i64 {
        for n in (0..=6).filter(|n| *n != d) {
            let tile = format!("{}-{}", d.min(n), d.max(n));
            let spare = (0..=6).find(|s| ![d, n].contains(s)).unwrap();
            let hands = format!("hand = {{{tile}, {spare}-{spare}}} {{{n}-{n}}}");
            let mut state = position(&game, &format!("{hands}\nline = {{{d}-{d}}}\nends[{d}] = 4\n"));
            apply(&mut state, &format!("play {tile} {d}"));
            let open = 3 * d + n;
            assert_eq!(number(&state, "gained", 0), if open % 5 == 0 { open } else { 0 }, "{tile}");
            if open % 5 == 0 {
                scoring.insert((d, n), state.score(Seat(0)).unwrap());
            }
        }
    }
    let worth =
        [((0, 5), 5), ((1, 2), 5), ((2, 4), 10), ((3, 1), 10), ((3, 6), 15), ((4, 3), 15), ((5, 0), 15)];
    let worth = worth.into_iter().chain([((6, 2), 20)]);
    assert_eq!(scoring, worth.collect());
}

/// The last tile fits both ends, fits one end, or is a double.
#[test]
fn dominoes_both_ends_pays_for_a_last_tile_that_closes_both() {
    let game = game("dominoes-both-ends");
    for (hand, ends, score) in [
        ("3-5", [3, 5], [1 + 1 + 25, 0]),
        ("3-5", [3, 4], [2, 0]),
        ("3-5", [3, 3], [2, 0]),
        ("3-3", [3, 3], [2, 0]),
        ("3-3", [3, 5], [2, 0]),
        ("3-5, 0-0", [3, 5], [0, 0]),
    ] {
        let mut open = BTreeMap::new();
        ends.iter().for_each(|end| *open.entry(end).or_insert(0) += 1);
        let open: String = open.into_iter().map(|(end, n)| format!("ends[{end}] = {n}\n")).collect();
        let mut state = position(&game, &format!("hand = {{{hand}}} {{1-1}}\nline = {{2-4}}\n{open}"));
        apply(&mut state, &format!("play {} 3", &hand[..3]));
        assert_eq!([0, 1].map(|seat| state.score(Seat(seat)).unwrap()), score, "{hand} {ends:?}");
    }
}

/// For every opening, taking the two stones gains the second player what taking the one stone loses. The
/// second player takes the better of both, and so is never worse off.
#[test]
fn gomoku_swap_leaves_the_first_player_no_advantage() {
    let game = game_with("gomoku-swap", &[("size", "3"), ("line", "3")]);
    let solution = solved(&game);
    let (mut laid, mut even) = (0, 0);
    walk(&game.start(1, 0).unwrap(), 3, &mut |state, _| {
        assert_eq!(
            (state.current_player(), legal(state)),
            (Some(Seat(1)), vec!["swap".into(), "keep".into()])
        );
        let worth = |side: &str| {
            let mut state = state.clone();
            let stones = [sites(&state, "stone", 0), sites(&state, "stone", 1)];
            apply(&mut state, side);
            let swapped = [sites(&state, "stone", 1), sites(&state, "stone", 0)];
            let mover = Seat(u32::from(side == "keep"));
            assert_eq!(state.current_player(), Some(mover));
            assert_eq!(stones == swapped, side == "swap");
            solution.values(&state).unwrap()[1]
        };
        assert_eq!(worth("swap"), -worth("keep"));
        laid += 1;
        even += u64::from(worth("keep") == 0.0);
    });
    assert_eq!(laid, 9 * 8 * 7);
    assert!(0 < even && even < laid, "{even}");
    assert_eq!(solution.start(), [0.0, 0.0]);
}

/// The first player wins on a board with an even number of cells per side: Lagarias and Sleator, "Who wins
/// misère Hex?" (1999).
#[test]
fn hex_misere_is_won_by_who_begins_on_even_boards() {
    for size in 1..=3 {
        let game = game_with("hex-misere", &[("size", &size.to_string())]);
        let first = if size % 2 == 0 { 1.0 } else { -1.0 };
        assert_eq!(solved(&game).start(), [first, -first], "{size}");
    }
}

/// Stores receive only sown seeds. Of n seeds from a pit at distance d, these are the d-th and every
/// thirteenth after it.
#[test]
fn kalah_without_capture_only_sows_into_stores() {
    let game = game("kalah-no-capture");
    let mut last: Option<State> = None;
    let mut first_laps = 0;
    for index in 0..300 {
        let mut state = game.start(7, index).unwrap();
        while let Some(action) = state.random_action() {
            let before = state.clone();
            state.apply(action).unwrap();
            let mover = before.current_player().unwrap().0 as usize;
            let name = game.action_name(action);
            let column = i64::from(name.as_bytes()[4] - b'a');
            let (pit, away) = if mover == 0 { (column, 6 - column) } else { (column + 6, column + 1) };
            let seeds = number(&before, "seeds", pit as usize);
            let gained = if seeds < away { 0 } else { 1 + (seeds - away) / 13 };
            first_laps += u64::from(gained == 1);
            assert_eq!(number(&state, "store", mover) - number(&before, "store", mover), gained, "{name}");
            assert_eq!(number(&state, "store", 1 - mover), number(&before, "store", 1 - mover));
        }
        last = Some(state);
    }
    let last = last.unwrap();
    assert_eq!(last.score(Seat(0)).unwrap() + last.score(Seat(1)).unwrap(), 48);
    assert!(first_laps > 300);
}

/// On an empty board no player has a point. After two passes only the komi remains, for the second player.
#[test]
fn go_pie_gives_the_komi_to_who_moves_second() {
    let game = game("go-pie");
    for named in 0..=40 {
        for (side, first) in [("first", Seat(1)), ("second", Seat(0))] {
            let mut state = after(&game, &[&format!("name {named}"), side]);
            assert_eq!(state.current_player(), Some(first), "{side}");
            apply(&mut state, "pass");
            apply(&mut state, "pass");
            let second = 1 - first.0 as usize;
            let wins: Vec<bool> = (0..2).map(|seat| seat == second || named == 0).collect();
            assert_eq!(wins_of(&state), wins, "{named} {side}");
            assert_eq!(state.score(Seat(second as u32)).unwrap(), named);
        }
    }
}

/// Two black and two white discs have six arrangements, equally likely: two crosswise and four side by side.
/// Black has four moves in each.
#[test]
fn reversi_random_start_has_six_openings() {
    let mut openings = BTreeMap::new();
    for one in outcomes(&waiting(&game("reversi-random-start"))) {
        for both in outcomes(&one) {
            assert_eq!(both.legal_count(), 4);
            *openings.entry(sites(&both, "disc", 0)).or_insert(0) += 1;
        }
    }
    assert_eq!(openings.into_values().collect::<Vec<_>>(), [2; 6]);
}

/// White places or slides in the third decision. There are 24 · 23 · 22 ways to place. For each of the 64
/// steps along a line to a neighbouring point, black's man can be on 22 other points.
#[test]
fn lasker_morris_slides_from_the_second_turn_on() {
    let ways = |name| (1..=3).map(|depth| leaves(&game(name), depth)).collect::<Vec<_>>();
    assert_eq!(ways("nine-mens-morris"), [24, 24 * 23, 24 * 23 * 22]);
    assert_eq!(ways("nine-mens-morris-lasker"), [24, 24 * 23, 24 * 23 * 22 + 64 * 22]);
}

/// Three of each are 3 · 21 = 63.
#[test]
fn yacht_upper_bonus_takes_three_of_each() {
    let game = game("yacht-upper-bonus");
    for (boxes, bonus) in
        [("3 6 9 12 15 18", 35), ("2 6 9 12 15 18", 0), ("5 4 12 8 15 18", 0), ("0 4 9 16 10 24", 35)]
    {
        let sum: i64 = boxes.split(' ').map(|n| n.parse::<i64>().unwrap()).sum();
        let state = position(&game, &format!("points = {boxes} 30 0 0 0 0 50\n"));
        assert_eq!(state.score(Seat(0)).unwrap(), sum + 80 + bonus, "{boxes}");
    }
}

/// A turn has three rolls. A player who takes only one in each of n turns has 2n more in the next one.
#[test]
fn yacht_saved_rolls_add_up() {
    let game = game("yacht-saved-rolls");
    for kept in 0..12 {
        let mut state = game.start(1, 0).unwrap();
        let fill = |state: &mut State| {
            let action = state.legal_actions()[0];
            state.apply(action).unwrap();
        };
        for _ in 0..kept {
            apply(&mut state, "reroll none");
            fill(&mut state);
        }
        let mut rerolls = 0;
        while legal(&state)[0].starts_with("reroll") {
            apply(&mut state, "reroll 1");
            rerolls += 1;
        }
        assert_eq!(rerolls, 2 * (kept + 1));
        assert_eq!(number(&state, "saved", 0), 0);
    }
}
