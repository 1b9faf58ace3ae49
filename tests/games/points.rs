//! Points: hand-drawn positions through both executors, and random games on fields of many sizes, compared
//! with a model that floods the field for every dot.

mod dots;

use crate::agree::{Came, agree};
use crate::extent;
use dots::Field;
use houserule::board::BitSet;
use houserule::game::{ActionId, Game, Seat, State};
use houserule::loader::{Request, load, load_text};
use houserule::model::{Model, SlotId, Value};
use houserule::oracle;
use houserule::oracle::{Driver, DriverStop, Halt, Situation};
use houserule::rng::Stream;
use houserule::variants::Setting;
use rand::prelude::*;

/// Either colour may place any number of dots, wherever they are legal.
const SET_UP: &str = "variant \"Points, set up\" of \"points\" {
    define zone = cells
    extend place { leave \"leave it to the other\" { } }
}";

fn settings(set: &[(&str, String)]) -> Vec<Setting> {
    set.iter().map(|(key, value)| Setting::new(*key, value)).collect()
}

fn size(width: usize, height: usize) -> Vec<(&'static str, String)> {
    vec![
        ("width", width.to_string()),
        ("height", height.to_string()),
        ("zone_width", width.min(8).to_string()),
        ("zone_height", height.min(15).to_string()),
    ]
}

fn set_up(width: usize, height: usize, more: &[(&'static str, &str)]) -> Game {
    let mut set = size(width, height);
    set.extend(more.iter().map(|(k, v)| (*k, (*v).to_string())));
    load_text("set-up.rules", SET_UP, &Request { settings: &settings(&set), ..Request::default() })
        .unwrap_or_else(|e| panic!("{e}"))
        .game
}

fn points(width: usize, height: usize, more: &[(&'static str, &str)]) -> Game {
    let mut set = size(width, height);
    set.extend(more.iter().map(|(k, v)| (*k, (*v).to_string())));
    load(&Request { name: "points", settings: &settings(&set), ..Request::default() })
        .unwrap_or_else(|e| panic!("{e}"))
        .game
}

fn slot(model: &Model, name: &str) -> SlotId {
    let at = model.slots.iter().position(|s| s.name == name);
    SlotId(at.unwrap_or_else(|| panic!("there is no `{name}`")) as u32)
}

fn as_set(value: &Value) -> BitSet {
    match value {
        Value::Set(set) => set.clone(),
        other => panic!("{other:?} is no set"),
    }
}

/// What an executor computes for a position.
struct Seen {
    free: BitSet,
    area: [BitSet; 2],
    dot: [BitSet; 2],
    taken: [BitSet; 2],
}

impl Seen {
    fn of(model: &Model, value: &dyn Fn(SlotId, usize) -> Value) -> Seen {
        let both = |name: &str| [0, 1].map(|p| as_set(&value(slot(model, name), p)));
        Seen {
            free: as_set(&value(slot(model, "empty"), 0)),
            area: both("area"),
            dot: both("dot"),
            taken: both("taken"),
        }
    }

    fn fast(state: &State) -> Seen {
        Seen::of(state.game().model(), &|slot, place| state.value(slot, place))
    }

    fn captured(&self, player: usize) -> u32 {
        self.taken[1 - player].intersect(&self.area[player]).len()
    }
}

/// Plays named actions with the reference interpreter, and notes the state after the last one.
struct Script<'a> {
    game: &'a Game,
    actions: std::vec::IntoIter<ActionId>,
    seen: Option<Seen>,
    legal: Vec<ActionId>,
}

impl Driver for Script<'_> {
    fn choose(&mut self, view: &Situation<'_>, legal: &[ActionId]) -> Result<ActionId, DriverStop> {
        match self.actions.next() {
            Some(action) => {
                assert!(legal.contains(&action), "{} is not legal", self.game.action_name(action));
                Ok(action)
            }
            None => {
                self.seen = Some(Seen::of(view.model, &|slot, place| view.state.value(slot, place).clone()));
                self.legal = legal.to_vec();
                Err(DriverStop)
            }
        }
    }

    fn chance(&mut self, _: &Situation<'_>, _: u64) -> Result<u64, DriverStop> {
        panic!("nothing is left to chance")
    }
}

/// The result of some actions in both executors.
struct Both {
    fast: State,
    slow: Seen,
    /// Score items by player, if the game is over.
    slow_scores: Option<Vec<Vec<i64>>>,
}

fn play(game: &Game, actions: &[String]) -> Both {
    let ids: Vec<ActionId> =
        actions.iter().map(|a| game.parse_action(a).unwrap_or_else(|| panic!("{a}"))).collect();
    let mut fast = game.start(1, 0).expect("the game starts");
    for (name, id) in actions.iter().zip(&ids) {
        fast.apply(*id).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
    let mut slow = oracle::SlotValues::initial(game.model(), Seat(0));
    let mut script = Script { game, actions: ids.into_iter(), seen: None, legal: vec![] };
    match oracle::play(game.model(), &mut slow, &mut script) {
        Ok(ending) => {
            assert!(fast.is_over());
            let seen = Seen::of(game.model(), &|slot, place| slow.value(slot, place).clone());
            Both { fast, slow: seen, slow_scores: Some(ending.scores) }
        }
        Err(Halt::Stopped) => {
            let mut legal = fast.legal_actions();
            legal.sort();
            assert_eq!(legal, script.legal);
            Both { fast, slow: script.seen.expect("it was asked"), slow_scores: None }
        }
        Err(other) => panic!("{other:?}"),
    }
}

/// Returns the actions for moves such as `R0,1`, counted from the top left, with passes if a colour moves
/// twice.
fn actions(moves: &[&str], height: usize, columns_by_number: bool) -> Vec<String> {
    let mut found = vec![];
    let mut turn = 0;
    for one in moves {
        let player = usize::from(one.starts_with('B'));
        let (x, y) = one[1..].split_once(',').expect("x,y");
        let (x, y): (usize, usize) = (x.parse().expect("x"), y.parse().expect("y"));
        if player != turn {
            found.push("leave".to_string());
        }
        let site = if columns_by_number {
            format!("{}:{}", x + 1, height - y)
        } else {
            format!("{}{}", char::from(b'a' + x as u8), height - y)
        };
        found.push(format!("place {site}"));
        turn = 1 - player;
    }
    found
}

#[test]
fn positions_that_were_counted_by_hand() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/facts/points/positions.json");
    let text = std::fs::read_to_string(path).expect("the facts are there");
    let facts: serde_json::Value = serde_json::from_str(&text).expect("they are JSON");
    let all = facts["positions"].as_array().expect("they are a list");
    assert_eq!(all.len(), 17);
    for fact in all {
        let name = fact["name"].as_str().expect("each has a name");
        let number = |value: &serde_json::Value| value.as_u64().expect("a number") as u32;
        let (width, height) = (number(&fact["width"]) as usize, number(&fact["height"]) as usize);
        let moves: Vec<&str> =
            fact["moves"].as_array().expect("moves").iter().map(|m| m.as_str().expect("a move")).collect();
        let played = actions(&moves, height, false);
        for (when, key) in [("immediate", "captured"), ("owner_go", "captured_owner_go")] {
            let game = set_up(width, height, &[("base_capture", when)]);
            let both = play(&game, &played);
            for seen in [Seen::fast(&both.fast), both.slow] {
                for (player, colour) in ["R", "B"].into_iter().enumerate() {
                    assert_eq!(seen.captured(player), number(&fact[key][colour]), "{name}, {when}, {colour}");
                }
                if when == "immediate" {
                    assert_eq!(seen.free.len(), number(&fact["free_cells"]), "{name}");
                }
            }
        }
        let game = set_up(width, height, &[("base_capture", "immediate")]);
        for (player, colour) in ["R", "B"].into_iter().enumerate() {
            let mut played = played.clone();
            // At least two turns, and the stopper is to move.
            played.extend(["leave".to_string(), "leave".to_string()]);
            let turn = play(&game, &played).fast.current_player().expect("it goes on");
            if turn != Seat(player as u32) {
                played.push("leave".to_string());
            }
            played.push("stop".to_string());
            let both = play(&game, &played);
            let items = |player: usize| {
                let fast = both.fast.scores(Seat(player as u32)).expect("it has scores");
                assert_eq!(Some(&fast), both.slow_scores.as_ref().map(|s| &s[player]), "{name}");
                fast
            };
            let loss = items(1 - player)[1] - items(player)[2];
            assert_eq!(loss as u32, number(&fact["stop_loss"][colour]), "{name}: {colour} stops");
        }
    }
}

/// Dots drawn as R and B. Dots drawn small are placed first, then the blue ones, then the red ones, and last
/// `*`. The result is drawn likewise: `r` and `b` are captured or freed, `-` is barred.
fn drawn(when: &str, last: char, before: &str, after: &str) {
    let rows: Vec<Vec<char>> = before.split_whitespace().map(|row| row.chars().collect()).collect();
    let (width, height) = (rows[0].len(), rows.len());
    let sites = || (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let mut moves = vec![];
    for letter in ['r', 'b', 'B', 'R', '*'] {
        let colour = if letter == '*' { last } else { letter.to_ascii_uppercase() };
        moves
            .extend(sites().filter(|(x, y)| rows[*y][*x] == letter).map(|(x, y)| format!("{colour}{x},{y}")));
    }
    let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
    let both = play(&set_up(width, height, &[("base_capture", when)]), &actions(&moves, height, false));
    for seen in [Seen::fast(&both.fast), both.slow] {
        let letter = |x: usize, y: usize| {
            let site = ((height - 1 - y) * width + x) as u32;
            let live =
                [('R', &seen.dot[0]), ('B', &seen.dot[1]), ('r', &seen.taken[0]), ('b', &seen.taken[1])];
            let found = live.into_iter().find(|(_, set)| set.contains(site)).map(|(letter, _)| letter);
            found.unwrap_or(if seen.free.contains(site) { '.' } else { '-' })
        };
        let rows: Vec<String> = (0..height).map(|y| (0..width).map(|x| letter(x, y)).collect()).collect();
        assert_eq!(rows, after.split_whitespace().collect::<Vec<_>>(), "{before}");
    }
}

#[test]
fn a_ring_closes_what_is_inside() {
    drawn("immediate", 'R', ".R.. RB*. .R..", ".R.. RbR. .R..");
    // A diagonal step connects; a gap doesn't.
    drawn("immediate", 'R', ".RR. RBB* .R..", ".RR. RBBR .R..");
    // With empty crossings inside.
    drawn("immediate", 'R', "..R.. .R.R. R.B.* .R.R. ..R..", "..R.. .R-R. R-b-R .R-R. ..R..");
    // A red dot inside doesn't connect the blue ones.
    drawn("immediate", 'R', ".RRR. RBRBR .R*R.", ".RRR. RbRbR .RRR.");
    // A dot that touches the edge can't be captured.
    drawn("immediate", 'R', "BR. R*. ...", "BR. RR. ...");
    drawn("immediate", 'R', "RBR R*R ...", "RBR RRR ...");
}

#[test]
fn a_ring_closes_what_a_smaller_ring_shuts_off_inside() {
    // The last dot closes both: the smaller ring has it in common with the other.
    let before = ".RRRR. R....R R.R..R .*.RBR R.R..R R....R .RRRR.";
    drawn("immediate", 'R', before, ".RRRR. R----R R-R--R .R-RbR R-R--R R----R .RRRR.");
    // Blue enters a free area round such a ring.
    let entered = ".RRRR. R....R R.R..R .R.R*R R.R..R R....R .RRRR.";
    drawn("immediate", 'B', entered, ".RRRR. R----R R-R--R .R-RbR R-R--R R----R .RRRR.");
}

#[test]
fn an_area_of_an_area_changes_hands() {
    // Blue holds a red dot. Red encloses both, and frees its own dot.
    drawn("immediate", 'R', "..R.. .RBR. RBrB* .RBR. ..R..", "..R.. .RbR. RbrbR .RbR. ..R..");
}

#[test]
fn a_free_area_closes_when_it_is_entered() {
    let before = "..R.. .R.R. R.*.R .R.R. ..R..";
    drawn("immediate", 'B', before, "..R.. .R-R. R-b-R .R-R. ..R..");
    drawn("owner_go", 'B', before, "..R.. .R.R. R.B.R .R.R. ..R..");
    // Only the area that was entered.
    drawn("immediate", 'B', ".R.R. R.R*R .R.R.", ".R.R. R.RbR .R.R.");
    // A dot that captures is not captured.
    for when in ["immediate", "owner_go"] {
        drawn(when, 'B', "..B.. .BRB. .R*R. ..R.. .....", "..B.. .BrB. .RBR. ..R.. .....");
    }
}

/// Plays a game and compares every ply of the engine with the model.
fn beside_the_model(game: &Game, width: usize, height: usize, immediate: bool, seed: u64) {
    let mut answers = Stream::new(seed, 0, 0);
    let mut state = game.start(seed, 0).expect("the game starts");
    let mut field = Field::new(width, height, immediate);
    let model = game.model();
    let names = ["empty", "dot", "taken", "area", "base", "entered"];
    let [empty, dot, taken, area, base, entered] = names.map(|name| slot(model, name));
    let mut placed = 0;
    let mut ever_closed = vec![false; width * height];
    while !state.is_over() {
        let player = state.current_player().expect("somebody is to move").0 as usize;
        let legal = state.legal_actions();
        let action = *legal.choose(&mut answers).expect("there are some");
        let site = action.0 as usize;
        assert!(site < width * height, "random games only place");
        if placed > 1 {
            let may = field.count(|s| field.may_place(s, player));
            let places = legal.iter().filter(|a| (a.0 as usize) < width * height);
            assert_eq!(places.clone().count(), may);
            assert!(places.into_iter().all(|a| field.may_place(a.0 as usize, player)));
        }
        let before = field.clone();
        state.apply(action).expect("it is legal");
        field.place(player, site);
        if state.is_over() && field.count(|s| field.dots[s].is_none() && field.closed[s].is_none()) > 0 {
            // Every remaining area was entered. Closing them leaves none.
            field.close_entered(1 - player);
        }
        placed += 1;
        let told = || {
            let moved = format!("dot {placed} of player {player} at {site}");
            format!("{width}×{height}, seed {seed}, {moved}\n{before}\n{field}")
        };
        let set = |slot, place| as_set(&state.value(slot, place));
        let same = |set: BitSet, holds: &dyn Fn(usize) -> bool, what: &str| {
            let mut count = 0;
            for s in (0..width * height).filter(|s| holds(*s)) {
                assert!(set.contains(s as u32), "{what} {s}: {}", told());
                count += 1;
            }
            assert_eq!(set.len(), count, "{what}: {}", told());
        };
        same(set(empty, 0), &|s| field.dots[s].is_none() && field.closed[s].is_none(), "free");
        for p in 0..2 {
            same(set(dot, p), &|s| field.is_live(s, p), "live");
            same(set(taken, p), &|s| field.dots[s] == Some(p) && field.closed[s].is_some(), "taken");
            same(set(area, p), &|s| field.closed[s] == Some(p), "area");
            same(set(base, p), &|s| field.base[p][s], "base");
            same(set(entered, p), &|s| field.entered[p][s], "entered");
            assert_eq!(state.scores(Seat(p as u32)).expect("scores")[0], field.captured(p) as i64);
        }
        let all = set(dot, 0).len() + set(dot, 1).len() + set(taken, 0).len() + set(taken, 1).len();
        assert_eq!(all, placed, "{}", told());
        for (s, was_closed) in ever_closed.iter_mut().enumerate() {
            let closed = field.closed[s].is_some();
            assert!(!(closed && field.at_brink(s)), "closed at the brink: {}", told());
            assert!(closed || !*was_closed, "opened again: {}", told());
            *was_closed = closed;
        }
    }
}

#[test]
fn random_games_are_those_of_the_model() {
    let fields = [
        (3, 3, 2500),
        (3, 4, 2000),
        (4, 4, 2500),
        (5, 4, 1500),
        (5, 5, 1000),
        (6, 5, 400),
        (7, 7, 150),
        (9, 8, 60),
        (3, 20, 60),
        (12, 9, 20),
        (20, 20, 2),
        (64, 3, 2),
        (39, extent::tries(8, 32), 1),
    ];
    let part = extent::tries(20, 1);
    let mut games = 0;
    for (width, height, count) in fields {
        for immediate in [false, true] {
            let when = if immediate { "immediate" } else { "owner_go" };
            let game = points(width, height, &[("base_capture", when), ("stop", "off")]);
            for seed in 0..u64::div_ceil(count, part) {
                beside_the_model(&game, width, height, immediate, seed);
                games += 1;
            }
        }
    }
    assert!(games >= 20_000 / part, "{games}");
}

/// Plays the same dots with both ways to close entered areas, and mirrored and with colours swapped.
#[test]
fn mirrored_games_and_both_ways_to_close_agree() {
    for (width, height, count) in
        [(4, 4, 400), (5, 5, 300), (6, 4, 200), (9, 9, 40), (13, 8, 20), (20, 20, 2)]
    {
        let owner = points(width, height, &[("stop", "off")]);
        let at_once = points(width, height, &[("base_capture", "immediate"), ("stop", "off")]);
        let swapped = set_up(width, height, &[]);
        let leave = swapped.parse_action("leave").expect("there is such an option");
        let names = ["area", "taken", "entered", "dot"];
        let [area, taken, entered, dot] = names.map(|name| slot(owner.model(), name));
        for seed in 0..u64::div_ceil(count, extent::tries(20, 1)) {
            let mut answers = Stream::new(seed, 1, 0);
            let mut first = owner.start(seed, 0).expect("it starts");
            let mut second = at_once.start(seed, 0).expect("it starts");
            // Each symmetry, the first of them with the colours swapped.
            let turns = if width == height { 8 } else { 4 };
            let turned = |site: usize, k: usize| {
                let (mut x, mut y) = (site % width, site / width);
                if k & 1 == 1 {
                    x = width - 1 - x;
                }
                if k & 2 == 2 {
                    y = height - 1 - y;
                }
                if k & 4 == 4 {
                    (x, y) = (y, x);
                }
                y * width + x
            };
            let mut others: Vec<State> =
                (0..turns).map(|_| swapped.start(seed, 0).expect("it starts")).collect();
            others[0].apply(leave).expect("red leaves it to blue");
            while !first.is_over() {
                let player = first.current_player().expect("somebody is to move").0 as usize;
                let (legal, again) = (first.legal_actions(), second.legal_actions());
                assert_eq!(legal, again, "{width}×{height}, seed {seed}");
                let action = *legal.choose(&mut answers).expect("there are some");
                first.apply(action).expect("it is legal");
                second.apply(action).expect("it is legal");
                for p in 0..2 {
                    let set = |state: &State, slot| as_set(&state.value(slot, p));
                    // Entered areas count as closed by their owner.
                    let waits = set(&first, entered);
                    let enemy_waits = as_set(&first.value(entered, 1 - p));
                    let area_then = set(&first, area).union(&waits).minus(&enemy_waits);
                    assert_eq!(area_then, set(&second, area), "{width}×{height}, seed {seed}");
                    let all = waits.union(&enemy_waits);
                    let taken_then = set(&first, taken).union(&set(&first, dot).intersect(&all));
                    assert_eq!(taken_then, set(&second, taken), "{width}×{height}, seed {seed}");
                    if p == player {
                        assert!(waits.is_empty());
                    }
                }
                for (k, other) in others.iter_mut().enumerate() {
                    if other.is_over() {
                        continue;
                    }
                    let there = ActionId(turned(action.0 as usize, k) as u32);
                    other.apply(there).unwrap_or_else(|e| panic!("{width}×{height}, seed {seed}, {k}: {e}"));
                    let whose = |p: usize| if k == 0 { 1 - p } else { p };
                    for p in 0..2 {
                        for slot in [area, taken, dot] {
                            let here = as_set(&first.value(slot, p));
                            let there = as_set(&other.value(slot, whose(p)));
                            let mapped = here.iter().map(|s| turned(s as usize, k) as u32);
                            assert_eq!(there, BitSet::from_elements(here.size(), mapped), "seed {seed}, {k}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn first_dots_go_into_the_zone() {
    let game = load(&Request { name: "points", ..Request::default() }).unwrap_or_else(|e| panic!("{e}")).game;
    let mut state = game.start(1, 0).expect("it starts");
    assert_eq!(state.legal_actions().len(), 120);
    state.apply(state.legal_actions()[60]).expect("it is legal");
    assert_eq!(state.legal_actions().len(), 119);
    state.apply(state.legal_actions()[0]).expect("it is legal");
    // All crossings but two, and Stop.
    assert_eq!(state.legal_actions().len(), 38 * 31 - 2 + 1);
    for (name, first) in [("points-39x32", 120), ("points-small", 64), ("points-crossed", 38 * 31 - 4)] {
        let game = load(&Request { name, ..Request::default() }).unwrap_or_else(|e| panic!("{e}")).game;
        assert_eq!(game.start(1, 0).expect("it starts").legal_actions().len(), first, "{name}");
    }
}

#[test]
fn stop_is_worked_out_or_played() {
    let names = |state: &State| -> Vec<String> {
        state.legal_actions().iter().map(|a| state.game().action_name(*a)).collect()
    };
    let take = |state: &mut State, action: &str| {
        let id = state.game().parse_action(action).unwrap_or_else(|| panic!("{action}"));
        state.apply(id).unwrap_or_else(|e| panic!("{action}: {e}"));
    };
    // Computed: the result of Stop in random positions, compared with the model.
    let game = points(7, 6, &[]);
    for seed in 0..extent::tries(60, 300) {
        let mut field = Field::new(7, 6, false);
        let mut answers = Stream::new(seed, 2, 0);
        let mut state = game.start(seed, 0).expect("it starts");
        for _ in 0..answers.random_range(2..36) {
            let player = state.current_player().expect("it goes on").0 as usize;
            let legal: Vec<ActionId> = state.legal_actions().into_iter().filter(|a| a.0 < 42).collect();
            if legal.len() < 2 {
                break;
            }
            let action = *legal.choose(&mut answers).expect("there are some");
            state.apply(action).expect("it is legal");
            field.place(player, action.0 as usize);
            if state.is_over() {
                break;
            }
        }
        if state.is_over() || !names(&state).contains(&"stop".to_string()) {
            continue;
        }
        let stopper = state.current_player().expect("it goes on").0 as usize;
        take(&mut state, "stop");
        assert!(state.is_over());
        let (dots, freed) = field.lost_by_stop(stopper);
        let other = 1 - stopper;
        let total = |p: usize| state.score(Seat(p as u32)).expect("a score");
        assert_eq!(total(other), (field.captured(other) + dots) as i64, "seed {seed}");
        assert_eq!(total(stopper), field.captured(stopper) as i64 - freed as i64, "seed {seed}");
    }
    // Played: the opponent continues alone, up to a number of dots.
    let game = points(9, 9, &[("stop", "play"), ("stop_goes", "3")]);
    let mut state = game.start(1, 0).expect("it starts");
    for dot in ["place e5", "place f5", "place d5"] {
        take(&mut state, dot);
    }
    assert!(!names(&state).contains(&"finish".to_string()));
    take(&mut state, "stop");
    assert_eq!(state.current_player(), Some(Seat(0)));
    assert!(!names(&state).contains(&"stop".to_string()));
    assert!(names(&state).contains(&"finish".to_string()));
    for dot in ["place g5", "place f6"] {
        take(&mut state, dot);
        assert_eq!(state.current_player(), Some(Seat(0)));
    }
    take(&mut state, "place f4");
    assert!(state.is_over());
    assert_eq!(state.scores(Seat(0)).expect("scores")[0], 1);
    // Without Stop.
    let game = points(9, 9, &[("stop", "off")]);
    let mut state = game.start(1, 0).expect("it starts");
    for dot in ["place e5", "place f5"] {
        take(&mut state, dot);
    }
    assert_eq!(names(&state).len(), 79);
}

#[test]
fn an_area_that_was_entered_stays_open_when_its_owner_stops() {
    let game = set_up(5, 5, &[("stop", "play")]);
    let moves = ["R2,0", "R1,1", "R3,1", "R2,2", "R0,4", "B2,1"];
    let mut played = actions(&moves, 5, false);
    played.push("stop".to_string());
    let both = play(&game, &played);
    let seen = Seen::fast(&both.fast);
    assert_eq!((seen.captured(0), both.slow.captured(0)), (0, 0));
    // A base of the stopper that is entered later stays open too.
    let moves = ["R2,0", "R1,1", "R3,1", "R2,2", "R0,4", "B4,4"];
    let mut played = actions(&moves, 5, false);
    played.extend(["stop".to_string(), "place c4".to_string()]);
    for when in ["immediate", "owner_go"] {
        let game = set_up(5, 5, &[("stop", "play"), ("base_capture", when)]);
        let both = play(&game, &played);
        assert_eq!((Seen::fast(&both.fast).captured(0), both.slow.captured(0)), (0, 0));
        assert!(Seen::fast(&both.fast).dot[1].len() == 2);
    }
}

#[test]
fn players_may_agree_to_end_the_game() {
    let game = points(5, 5, &[("agreement", "on"), ("stop", "off")]);
    let played = |more: &[&str]| {
        let all: Vec<String> =
            ["place c3", "place b3"].iter().chain(more).map(|a| (*a).to_string()).collect();
        play(&game, &all).fast
    };
    let offered = played(&["offer"]);
    assert_eq!(offered.current_player(), Some(Seat(1)));
    assert!(played(&["offer", "accept"]).is_over());
    let declined = played(&["offer", "decline"]);
    assert_eq!(declined.current_player(), Some(Seat(0)));
    let names: Vec<String> = declined.legal_actions().iter().map(|a| game.action_name(*a)).collect();
    assert!(!names.contains(&"offer".to_string()), "once in a turn");
    assert_eq!(played(&["offer", "decline", "place d4", "offer"]).current_player(), Some(Seat(0)));
}

#[test]
fn both_executors_play_the_same_games() {
    for (name, set, games) in [
        ("points", size(4, 4), 8),
        ("points", size(6, 7), 4),
        ("points-small", size(11, 9), 2),
        ("points-crossed", size(8, 9), 2),
    ] {
        for (when, stop, agreement) in
            [("owner_go", "adjudicate", "on"), ("immediate", "play", "off"), ("owner_go", "off", "off")]
        {
            let mut set = set.clone();
            for (key, value) in [("base_capture", when), ("stop", stop), ("agreement", agreement)] {
                set.push((key, value.to_string()));
            }
            let loaded = load(&Request { name, settings: &settings(&set), ..Request::default() })
                .unwrap_or_else(|e| panic!("{name}: {e}"));
            for index in 0..games {
                assert_eq!(agree(&loaded.game, 8, index, u32::MAX), Came::Over, "{name}, {when}, {stop}");
            }
        }
    }
}

/// Enclosure by walls, defined with two floods of the whole field for each dot.
const FLOODED: &str = "variant \"Points, flooded\" of \"points\" {
    define shut_in(c) = reach(beside(c), cells - dot[me], four) - reach(edge, cells - dot[me], four)
}";

#[test]
fn a_field_that_is_flooded_for_each_dot_has_the_same_games() {
    for (width, height, games) in
        [(8, 8, extent::tries(8, 40)), (13, 11, extent::tries(2, 10)), (38, 31, 1), (60, 60, 1)]
    {
        let mut set = size(width, height);
        set.push(("stop", "off".to_string()));
        let settings = settings(&set);
        let request = Request { settings: &settings, ..Request::default() };
        let flooded = load_text("flooded.rules", FLOODED, &request).unwrap_or_else(|e| panic!("{e}")).game;
        let game = load(&Request { name: "points", ..request }).unwrap_or_else(|e| panic!("{e}")).game;
        for index in 0..games {
            let mut both = [&game, &flooded].map(|game| game.start(9, index).expect("it starts"));
            while let Some(action) = both[0].random_action() {
                assert_eq!(both[1].random_action(), Some(action));
                both.iter_mut().for_each(|state| state.apply(action).expect("it is legal"));
                assert_eq!(both[0].persistent(), both[1].persistent(), "{width}×{height}, game {index}");
            }
        }
    }
}
