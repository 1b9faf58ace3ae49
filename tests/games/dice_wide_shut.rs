//! Dice Wide Shut: the scores of the sheets in its rules, drawn positions for single rules, and random games
//! compared at every decision with a second version of the rules in this file.
//!
//! Every combination of options is played by every number of players: `GAMES` games each, fewer in `./test`, or as many
//! as the environment says: `DICE_WIDE_SHUT_GAMES=100000 cargo test --release --test games always`.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use crate::agree::{Came, agree};
use crate::extent;
use crate::rules::bundled;
use crate::states::position;
use houserule::draw::svg::PictureStyle;
use houserule::draw::{svg, text};
use houserule::game::random_games::{Finished, UsageCounts, play_random};
use houserule::game::{Game, Seat, State};
use houserule::model::{ChoiceId, CountedUses, Role, SlotId, Value};

const GAMES: u64 = 1000;

fn game(players: u32, params: &[(&str, &str)]) -> Game {
    bundled("dice-wide-shut", params, Some(players))
}

fn names(state: &State) -> BTreeSet<String> {
    state.legal_actions().into_iter().map(|a| state.game().action_name(a)).collect()
}

fn play(state: &mut State, actions: &[&str]) {
    for action in actions {
        let id = state.game().parse_action(action).unwrap_or_else(|| panic!("{action}"));
        state.apply(id).unwrap_or_else(|e| panic!("{action}: {e}\n{}", state.position()));
    }
}

// ---- scores ----

const RED: &str = "cell[player-1, red]:\n";
const BLUE: &str = "cell[player-1, blue]:\n";

/// Columns of 15, 10, 3, 4 and -5.
const RED_SHEET: [&str; 5] = ["x x . x .", "x x . . .", "x x . x .", "x x x x .", "x . x . ."];

/// The second row is crossed out; columns of 8, -5, 7, 8 and 8.
const BLUE_SHEET: [&str; 5] = ["x . . x x", "s s s s s", "x . x x x", "x . x x x", "x . x x x"];

fn sheet(head: &str, rows: &[&str]) -> String {
    format!("{head}{}\n", rows.join("\n"))
}

fn scores(text: &str) -> Vec<i64> {
    position(&game(2, &[]), text).scores(Seat(0)).unwrap()
}

#[test]
fn the_sheets_of_the_rules_score_as_they_are_told() {
    assert_eq!(scores(&sheet(RED, &RED_SHEET)), [27, -25]);
    assert_eq!(scores(&sheet(BLUE, &BLUE_SHEET)), [-25, 26]);
    let both = sheet(RED, &RED_SHEET) + sheet(BLUE, &BLUE_SHEET).as_str();
    assert_eq!(scores(&both), [27, 26]);
    assert_eq!(position(&game(2, &[]), &both).score(Seat(0)), Ok(53));
}

#[test]
fn every_column_scores_by_itself() {
    let columns = |head: &str, rows: [&str; 5], half: usize| -> Vec<i64> {
        let alone = |column: usize| {
            let only = |row: &str| -> String {
                let kept = row.split(' ').enumerate().map(|(at, c)| if at == column { c } else { "." });
                kept.collect::<Vec<_>>().join(" ")
            };
            // The other half has four bare columns.
            scores(&sheet(head, &rows.map(only).each_ref().map(String::as_str)))[half] + 20
        };
        (0..5).map(alone).collect()
    };
    assert_eq!(columns(RED, RED_SHEET, 0), [15, 10, 3, 4, -5]);
    assert_eq!(columns(BLUE, BLUE_SHEET, 1), [8, -5, 7, 8, 8]);
}

#[test]
fn a_half_is_worth_25_less_than_nothing_at_the_least() {
    assert_eq!(scores(""), [-25, -25]);
    // Rows that are crossed out don't improve the score.
    assert_eq!(scores(&sheet(RED, &["s s s s s"; 5])), [-25, -25]);
    assert_eq!(scores(&sheet(BLUE, &["s s s s s"; 5])), [-25, -25]);
}

#[test]
fn who_has_more_rows_crossed_out_wins_a_tie() {
    let game = game(2, &[("columns_to_end", "1")]);
    let three_and_one = "x . . . .\nx . . . .\nx . . . .\n. . . . .\nx . . . .\n";
    // The same score, and the first column is full.
    let crossed_out = "x . . . .\nx . . . .\nx . . . .\ns s s s s\nx . . . .\n";
    let ended = |first: &str, second: &str| {
        let drawn = format!(
            "cell[player-1, red]:\n{first}cell[player-2, red]:\n{second}\
             mover = player-2\npool[red, 6] = 1\nchoice = take\n"
        );
        let mut state = position(&game, &drawn);
        play(&mut state, &["six red", "mark_six red 1"]);
        let scores: Vec<i64> = (0..2).map(|p| state.score(Seat(p)).unwrap()).collect();
        (scores, state.outcome().unwrap().winners)
    };
    assert_eq!(ended(three_and_one, crossed_out), (vec![-38, -38], vec![false, true]));
    assert_eq!(ended(crossed_out, three_and_one), (vec![-38, -38], vec![true, false]));
    assert_eq!(ended(crossed_out, crossed_out), (vec![-38, -38], vec![true, true]));
}

// ---- dice ----

#[test]
fn there_are_two_dice_more_of_a_colour_than_players_less_one_and_a_purple_one() {
    for (players, wanted) in [(2, 7), (3, 9), (4, 11), (5, 13)] {
        let game = game(players, &[]);
        let dice = game.model().slots.iter().filter_map(|slot| match slot.role {
            Role::Dice { count, faces, .. } => Some((count, faces)),
            _ => None,
        });
        let dice: Vec<(u32, u32)> = dice.collect();
        assert!(dice.iter().all(|(_, faces)| *faces == 6));
        assert_eq!(dice.iter().map(|(count, _)| count).sum::<u32>(), wanted);
        // All dice are in the pool.
        let state = game.start(3, 0).unwrap();
        assert_eq!(Pool::of(&state).0.iter().flatten().sum::<i64>(), i64::from(wanted));
    }
}

/// The dice in the pool: by colour (red, blue, purple), then by number.
#[derive(Clone, Debug, PartialEq)]
struct Pool([[i64; 6]; 3]);

impl Pool {
    fn of(state: &State) -> Pool {
        let mut pool = Pool([[0; 6]; 3]);
        for (place, value) in family(state, "pool").into_iter().enumerate() {
            let Value::Number(n) = value else { panic!("dice are counted") };
            pool.0[place / 6][place % 6] = n;
        }
        if let [Value::Number(n @ 1..)] = family(state, "purple_left")[..] {
            pool.0[2][n as usize - 1] = 1;
        }
        pool
    }

    fn has(&self, colour: usize, n: usize) -> bool {
        self.0[colour][n - 1] > 0
    }

    fn take(&mut self, colour: usize, n: usize) {
        self.0[colour][n - 1] -= 1;
    }
}

fn family(state: &State, name: &str) -> Vec<Value> {
    let model = state.game().model();
    let slot = model.slots.iter().position(|slot| slot.name == name).unwrap();
    (0..model.slots[slot].initial.len()).map(|place| state.value(SlotId(slot as u32), place)).collect()
}

/// The last player finds three red 3s, a red 5 and a blue 1. One cell of the second row is blank, below a 3.
const LAST: &str = "cell[player-2, red]:\n. . . . .\nx x . x x\n. . . . .\n. . . . .\n. . . . .\n\
    mover = player-2\npool[red, 3] = 3\npool[red, 5] = 1\npool[blue, 1] = 1\nchoice = take\n";

fn set(items: &[&str]) -> BTreeSet<String> {
    items.iter().map(|item| (*item).to_owned()).collect()
}

#[test]
fn the_last_player_may_take_two_of_three_equal_dice() {
    let mut state = position(&game(2, &[]), LAST);
    assert_eq!(names(&state), set(&["die red 3", "die red 5", "die blue 1"]));
    play(&mut state, &["die red 3"]);
    assert_eq!(names(&state), set(&["die 3", "die 5"]));
    play(&mut state, &["die 3"]);
    assert_eq!(names(&state), set(&["mark c1", "mark c2", "mark c3", "mark c4", "mark c5"]));
    // This mark splits the row.
    play(&mut state, &["mark c2"]);
    let drawn = state.position();
    assert!(drawn.contains("1 . . . . .\n2 s s s s s\n3 . . . . .\n"), "{drawn}");
    assert_eq!(names(&state), set(&["mark c1", "mark c3", "mark c4", "mark c5"]));
}

#[test]
fn dice_that_must_differ_are_taken_alone_where_only_equal_ones_are_left() {
    let distinct = game(2, &[("distinct_faces", "true")]);
    let mut state = position(&distinct, LAST);
    play(&mut state, &["die red 3"]);
    assert_eq!(names(&state), set(&["die 5"]));
    // There is only one die of another colour.
    let mut state = position(&distinct, LAST);
    play(&mut state, &["die blue 1"]);
    assert!(names(&state).iter().all(|name| name.starts_with("mark ")), "{:?}", names(&state));
    let mut state = position(&distinct, &LAST.replace("pool[red, 5] = 1\n", ""));
    play(&mut state, &["die red 3"]);
    assert_eq!(names(&state).len(), 5, "{:?}", names(&state));
    play(&mut state, &["mark c1"]);
    assert!(state.is_chance(), "the round is over and the dice are rolled");
}

#[test]
fn a_six_that_was_marked_can_be_burnt_instead_of_splitting_the_row() {
    let six = format!("{LAST}six[player-2, red, 2] = marked\nsix[player-2, red, 4] = marked\n");
    for (power, burnt) in [("always", &["burn 2", "burn 4"][..]), ("only_on_split", &["burn 2"][..])] {
        let mut state = position(&game(2, &[("power", power)]), &six);
        play(&mut state, &["die red 3", "die 3"]);
        let marks = ["mark c1", "mark c2", "mark c3", "mark c4", "mark c5"];
        assert_eq!(names(&state), set(&[&marks[..], burnt].concat()));
        play(&mut state, &["burn 2"]);
        let drawn = state.position();
        assert!(drawn.contains("1 . . . . .\n2 x x . x x\n3 . . . . .\n"), "{drawn}");
        // For the second 3, the six of this row is no longer available.
        let burnt = &burnt[1..];
        assert_eq!(names(&state), set(&[&marks[..], burnt].concat()));
        if power == "always" {
            play(&mut state, &["burn 4"]);
            assert!(state.is_chance(), "the round is over and the dice are rolled");
        } else {
            play(&mut state, &["mark c2"]);
            assert!(state.position().contains("2 s s s s s"));
        }
    }
}

#[test]
fn a_six_marks_any_six_or_one_of_its_half_and_a_purple_one_any() {
    let dice = "mover = player-2\npool[red, 6] = 1\npool[blue, 6] = 1\npurple_left = 6\n\
                choice = take\n";
    let taken = |params: &[(&str, &str)], take: &str| {
        let mut state = position(&game(2, params), dice);
        assert_eq!(names(&state), set(&["six red", "six blue", "purple_six"]));
        play(&mut state, &[take]);
        names(&state).len()
    };
    for (params, coloured) in [(&[][..], 10), (&[("six_marks", "same_half")][..], 5)] {
        assert_eq!(taken(params, "six red"), coloured);
        assert_eq!(taken(params, "six blue"), coloured);
        assert_eq!(taken(params, "purple_six"), 10);
    }
    // If no six is blank, nothing is marked.
    let full = "six = marked marked marked marked marked burnt burnt burnt burnt burnt \
                marked marked marked marked marked burnt burnt burnt burnt burnt\n";
    let mut state = position(&game(2, &[]), &format!("{full}{dice}"));
    play(&mut state, &["purple_six"]);
    assert!(state.is_chance(), "the round is over and the dice are rolled");
}

// ---- the rules once more ----

/// A half of a sheet, rows from the top.
#[derive(Clone, Debug, Default, PartialEq)]
struct Half {
    marked: [[bool; 5]; 5],
    crossed_out: [bool; 5],
    /// 0 blank, 1 marked, 2 burnt.
    sixes: [u32; 5],
}

impl Half {
    fn full_columns(&self) -> usize {
        (0..5).filter(|c| self.marked.iter().all(|row| row[*c])).count()
    }

    fn score(&self, points: [i64; 5]) -> i64 {
        let column = |c: usize| {
            let counts: Vec<bool> = (0..5).map(|r| self.marked[r][c] && !self.crossed_out[r]).collect();
            let runs = counts.split(|counts| !counts).map(<[bool]>::len).filter(|n| *n > 0);
            let runs: Vec<usize> = runs.collect();
            if runs.is_empty() { -5 } else { runs.iter().map(|n| points[n - 1]).sum() }
        };
        (0..5).map(column).sum()
    }
}

/// The options of the rules.
#[derive(Clone, Copy, Debug)]
struct Options {
    distinct: bool,
    only_on_split: bool,
    same_half: bool,
}

impl Options {
    fn all() -> impl Iterator<Item = Options> {
        (0..8).map(|k| Options { distinct: k & 1 > 0, only_on_split: k & 2 > 0, same_half: k & 4 > 0 })
    }

    fn game(self, players: u32) -> Game {
        let power = if self.only_on_split { "only_on_split" } else { "always" };
        let six_marks = if self.same_half { "same_half" } else { "either_half" };
        let distinct = if self.distinct { "true" } else { "false" };
        game(players, &[("distinct_faces", distinct), ("power", power), ("six_marks", six_marks)])
    }
}

/// A second implementation of the game, which the engine's game must follow.
struct Table {
    state: State,
    options: Options,
    sheets: Vec<[Half; 2]>,
}

const HALVES: [&str; 2] = ["red", "blue"];

impl Table {
    /// Returns a random action of these, or `None` if there are none. Then the engine's game must continue by
    /// itself.
    fn decide(&mut self, choice: &str, seat: usize, legal: BTreeSet<String>) -> Option<String> {
        if legal.is_empty() {
            return None;
        }
        let model = self.state.game().model();
        let pending = self.state.pending_choice().map(|c| model.choices[c.index()].name.as_str());
        assert_eq!(pending, Some(choice), "{}", self.state.position());
        assert_eq!(self.state.current_player(), Some(Seat(seat as u32)));
        assert_eq!(names(&self.state), legal, "{}", self.state.position());
        let action = self.state.random_action().unwrap();
        let name = self.state.game().action_name(action);
        self.state.apply(action).unwrap();
        Some(name)
    }

    fn turn(&mut self, seat: usize, pool: &mut Pool) {
        let mut takes = BTreeSet::new();
        for (half, name) in HALVES.iter().enumerate() {
            takes.extend((1..6).filter(|n| pool.has(half, *n)).map(|n| format!("die {name} {n}")));
            takes.extend((1..6).filter(|n| pool.has(2, *n)).map(|_| format!("purple {name}")));
            takes.extend(pool.has(half, 6).then(|| format!("six {name}")));
        }
        takes.extend(pool.has(2, 6).then(|| "purple_six".to_owned()));
        let taken = self.decide("take", seat, takes).expect("there is always something to take");
        let words: Vec<&str> = taken.split(' ').collect();
        let half = words.get(1).map_or(2, |name| HALVES.iter().position(|h| h == name).unwrap());
        let colour = if words[0].starts_with("purple") { 2 } else { half };
        if words[0].ends_with("six") {
            pool.take(colour, 6);
            return self.mark_six(seat, (colour < 2 && self.options.same_half).then_some(half));
        }
        let purple = || (1..6).find(|n| pool.has(2, *n)).unwrap();
        let n = words.get(2).map_or_else(purple, |n| n.parse().unwrap());
        pool.take(colour, n);
        let mut numbers = vec![n];
        let differs = |m: &usize| !self.options.distinct || *m != n;
        let mut more: BTreeSet<String> =
            (1..6).filter(|m| pool.has(half, *m)).filter(differs).map(|m| format!("die {m}")).collect();
        more.extend((1..6).filter(|m| pool.has(2, *m)).filter(differs).map(|_| "purple".to_owned()));
        if let Some(second) = self.decide("add", seat, more) {
            let purple = || (1..6).find(|n| pool.has(2, *n)).unwrap();
            let m = second.split_once(' ').map_or_else(purple, |(_, m)| m.parse().unwrap());
            pool.take(if second == "purple" { 2 } else { half }, m);
            numbers.push(m);
        }
        for n in numbers {
            self.mark(seat, half, n);
        }
    }

    fn mark_six(&mut self, seat: usize, only: Option<usize>) {
        let mut blank = BTreeSet::new();
        for half in (0..2).filter(|half| only.is_none_or(|only| only == *half)) {
            let rows = (0..5).filter(|r| self.sheets[seat][half].sixes[*r] == 0);
            blank.extend(rows.map(|r| format!("mark_six {} {}", HALVES[half], r + 1)));
        }
        let Some(marked) = self.decide("mark_six", seat, blank) else { return };
        let words: Vec<&str> = marked.split(' ').collect();
        let half = HALVES.iter().position(|h| *h == words[1]).unwrap();
        self.sheets[seat][half].sixes[words[2].parse::<usize>().unwrap() - 1] = 1;
    }

    fn mark(&mut self, seat: usize, half: usize, n: usize) {
        let sheet = &self.sheets[seat][half];
        let cells = (0..5).flat_map(|r| (0..5).map(move |c| (r, c)));
        let cells: Vec<(usize, usize)> =
            cells.filter(|(r, c)| [*c, *r][half] + 1 == n && !sheet.marked[*r][*c]).collect();
        let completes = |r: usize| sheet.marked[r].iter().filter(|marked| !**marked).count() == 1;
        let burns = cells.iter().filter(|(r, _)| sheet.sixes[*r] == 1);
        let burns = burns.filter(|(r, _)| !self.options.only_on_split || completes(*r));
        let mut all: BTreeSet<String> = burns.map(|(r, _)| format!("burn {}", r + 1)).collect();
        all.extend(cells.iter().map(|(r, c)| format!("mark {}{}", ["a", "b", "c", "d", "e"][*c], r + 1)));
        let Some(done) = self.decide("mark", seat, all) else { return };
        let (word, place) = done.split_once(' ').unwrap();
        let sheet = &mut self.sheets[seat][half];
        if word == "burn" {
            sheet.sixes[place.parse::<usize>().unwrap() - 1] = 2;
            return;
        }
        let column = usize::from(place.as_bytes()[0] - b'a');
        let row = place[1..].parse::<usize>().unwrap() - 1;
        sheet.marked[row][column] = true;
        sheet.crossed_out[row] = sheet.marked[row] == [true; 5];
    }

    /// Returns the sheets of the engine's state.
    fn read(&self) -> Vec<[Half; 2]> {
        let mut sheets = vec![<[Half; 2]>::default(); self.sheets.len()];
        for (name, struck) in [("cross", false), ("struck", true)] {
            for (place, sites) in family(&self.state, name).into_iter().enumerate() {
                let Value::Set(sites) = sites else { panic!("pieces are sets") };
                let half = &mut sheets[place / 2][place % 2];
                for site in sites.iter() {
                    let (row, column) = (site as usize / 5, site as usize % 5);
                    half.marked[row][column] = true;
                    half.crossed_out[row] |= struck;
                }
            }
        }
        for (place, six) in family(&self.state, "six").into_iter().enumerate() {
            let Value::Element(Some(six)) = six else { panic!("a six is in one of three ways") };
            sheets[place / 10][place / 5 % 2].sixes[place % 5] = six;
        }
        sheets
    }
}

fn held_to_the_rules(game: &Game, options: Options, players: usize, index: u64) {
    let state = game.start(21, index).unwrap();
    let mut table = Table { state, options, sheets: vec![<[Half; 2]>::default(); players] };
    for round in 0.. {
        let mut pool = Pool::of(&table.state);
        let rolled = family(&table.state, "red_dice");
        for n in 1..7 {
            let showing = rolled.iter().filter(|face| **face == Value::Number(n as i64)).count();
            assert_eq!(pool.0[0][n - 1], showing as i64);
        }
        assert_eq!(pool.0[2].iter().sum::<i64>(), 1);
        for seat in (0..players).map(|k| (round + k) % players) {
            assert!(!table.state.is_over(), "all have equally many turns");
            table.turn(seat, &mut pool);
            assert_eq!(table.read(), table.sheets, "{}", table.state.position());
        }
        let ends = table.sheets.iter().flatten().any(|half| half.full_columns() >= 3);
        assert_eq!(table.state.is_over(), ends, "{}", table.state.position());
        if ends {
            break;
        }
    }
    let score = |sheet: &[Half; 2]| sheet[0].score([1, 3, 6, 10, 15]) + sheet[1].score([1, 3, 7, 12, 18]);
    let rows = |sheet: &[Half; 2]| sheet.iter().flat_map(|half| half.crossed_out).filter(|out| *out).count();
    let told: Vec<(i64, usize)> = table.sheets.iter().map(|sheet| (score(sheet), rows(sheet))).collect();
    let best = told.iter().max().unwrap();
    let winners: Vec<bool> = told.iter().map(|one| one == best).collect();
    let scores: Vec<i64> = (0..players).map(|p| table.state.score(Seat(p as u32)).unwrap()).collect();
    assert_eq!(scores, told.iter().map(|(score, _)| *score).collect::<Vec<_>>());
    assert_eq!(table.state.outcome().unwrap().winners, winners);
}

#[test]
fn random_games_keep_the_rules_at_every_decision() {
    for options in Options::all() {
        for players in 2..6 {
            let game = options.game(players as u32);
            for index in 0..extent::tries(1, 12) {
                held_to_the_rules(&game, options, players, index);
            }
        }
    }
}

#[test]
fn both_executors_agree_for_every_number_of_players() {
    for (at, options) in Options::all().enumerate() {
        let game = options.game(2 + at as u32 % 4);
        for index in 0..extent::tries(1, 6) {
            assert_eq!(agree(&game, 8, index, u32::MAX), Came::Over, "{options:?}, game {index}");
        }
    }
}

#[test]
fn there_is_always_something_to_take() {
    let few = extent::tries(GAMES / 20, GAMES);
    let games = std::env::var("DICE_WIDE_SHUT_GAMES").map_or(few, |n| n.parse().unwrap());
    for options in Options::all() {
        for players in 2..6 {
            let game = options.game(players);
            let mut counts = UsageCounts::default();
            let (mut turns, mut ended) = (0, 0);
            let mut finished = |f: Finished<'_>| {
                turns += f.counters.turns;
                ended += 1;
                assert_eq!((f.end, f.counters.turns % u64::from(players)), (0, 0), "game {}", f.index);
            };
            let mut failed = |index, error| panic!("{options:?}, {players} players, game {index}: {error}");
            play_random(&game, 5, 0..games, &mut counts, &mut finished, &mut failed);
            assert_eq!(ended, games);
            let model = game.model();
            let first = model.choices.iter().position(|choice| choice.name == "take").unwrap();
            let (id, counted) = (ChoiceId(first as u32), CountedUses::new(model));
            let own = (0..model.choices[first].options.len()).map(|at| counted.index_of_option(id, at));
            let taken: u64 = own.map(|option| counts.options[option as usize]).sum();
            assert_eq!(taken, turns, "{options:?}, {players} players: a turn without a die");
        }
    }
}

// ---- drawings ----

#[test]
fn sheets_are_drawn_as_on_paper() {
    let drawn = sheet(RED, &RED_SHEET)
        + sheet(BLUE, &BLUE_SHEET).as_str()
        + "six[player-1, red, 2] = marked\nsix[player-1, blue, 2] = burnt\nsix[player-2, blue, 5] = marked\n\
           mover = player-2\npool[red, 3] = 3\npurple_left = 5\nchoice = take\n";
    let state = position(&game(2, &[]), &drawn);
    let wanted = "\
player 1                          player 2                                       score
red              blue             red              blue                player 1     53
1 x x . x .  .   1 x . . x x  .   1 . . . . .  .   1 . . . . .  .    > player 2    -50
2 x x . . .  m   2 s s s s s  b   2 . . . . .  .   2 . . . . .  .
3 x x . x .  .   3 x . x x x  .   3 . . . . .  .   3 . . . . .  .    purple left  5
4 x x x x .  .   4 x . x x x  .   4 . . . . .  .   4 . . . . .  .
5 x . x . .  .   5 x . x x x  .   5 . . . . .  .   5 . . . . .  m    pool    1  2  3  4  5  6
  a b c d e        a b c d e        a b c d e        a b c d e         red   ·  ·  3  ·  ·  ·
x cross, s struck, m marked six, b burnt six                           blue  ·  ·  ·  ·  ·  ·
";
    assert_eq!(text::position(&state, None), wanted);
    // A drawing is read back, except for the text at the ends of the rows.
    assert_eq!(position(state.game(), &state.position()).position(), state.position());
}

#[test]
fn pictures_show_what_is_crossed_out_and_the_sixes() {
    let drawn = sheet(BLUE, &BLUE_SHEET) + "six[player-1, blue, 2] = burnt\n";
    let picture = svg(&position(&game(3, &[]), &drawn), &PictureStyle::default());
    assert_eq!(picture.matches("data-part=\"margin\"").count(), 6);
    assert_eq!(picture.matches("data-part=\"table\"").count(), 1);
    assert!(picture.contains(">burnt six<") && picture.contains(">struck<"));
}
