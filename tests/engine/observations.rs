//! Observations, compared with a slow version that reads a state value by value, for every player in every
//! state of random games. Also tests hidden slots, and planes, which hold the same values.

use std::collections::BTreeMap;

use crate::extent;
use houserule::game::{Game, Seat, State};
use houserule::loader::{Request, load, load_text};
use houserule::model::{
    Builtin, Content, DomainId, LocalId, Model, PLAYER, Role, Slot, SlotId, Type, Value, Visibility,
};
use houserule::observe::{EntryKind, ObservationEntry};
use houserule::variants::Setting;

fn game(name: &str, players: Option<u32>, settings: &[Setting]) -> Game {
    load(&Request { name, settings, players }).unwrap_or_else(|error| panic!("{name}: {error}")).game
}

fn text(rules: &str, players: Option<u32>) -> Game {
    let request = Request { name: "test", players, ..Request::default() };
    load_text("test", rules, &request).unwrap_or_else(|error| panic!("{error}")).game
}

/// Returns the same rules with some slots hidden. Models can express this; rule files can't yet.
fn with_hidden(game: &Game, hidden: &[(&str, Visibility)]) -> Game {
    let mut model = game.model().clone();
    for (name, visibility) in hidden {
        let slot = model.slots.iter_mut().find(|slot| slot.name == *name).expect("it is a slot");
        slot.visibility = *visibility;
    }
    Game::new(model, game.identity().clone()).expect("it compiles")
}

/// Encodes a value as numbers, as the module's documentation says.
fn numbers(model: &Model, content: Content, faces: Option<u32>, value: &Value, player: u32) -> Vec<f32> {
    let players = model.players.count;
    let turned =
        |domain: DomainId, seen: u32| if domain == PLAYER { (seen + player) % players } else { seen };
    let size = |domain: DomainId| model.domains[domain.index()].size;
    match (content, value) {
        (_, Value::Number(face)) if faces.is_some() => {
            (1..=i64::from(faces.unwrap_or(0))).map(|f| f32::from(f == *face)).collect()
        }
        (Content::Number { low, high }, Value::Number(n)) => {
            let above = |n: i64| (i128::from(n) - i128::from(low)) as f64;
            vec![if high == low { 0.0 } else { (above(*n) / above(high)) as f32 }]
        }
        (_, Value::Bool(b)) => vec![f32::from(*b)],
        (Content::Element { domain, .. }, Value::Element(e)) => {
            (0..size(domain)).map(|seen| f32::from(*e == Some(turned(domain, seen)))).collect()
        }
        (Content::Set(domain), Value::Set(set)) => {
            (0..size(domain)).map(|seen| f32::from(set.contains(turned(domain, seen)))).collect()
        }
        other => panic!("{other:?}"),
    }
}

/// Returns a slot's numbers as a player sees them.
fn of_slot(state: &State, id: SlotId, player: u32) -> Vec<f32> {
    let owned = state.game().model().slots[id.index()].visibility == Visibility::Owner;
    places(state, id, player, owned, &mut |model, slot, faces, value| {
        numbers(model, slot.content, faces, value, player)
    })
}

/// Returns the size of each zone of a slot that some player can't see.
fn sizes_of(state: &State, id: SlotId, player: u32) -> Vec<f32> {
    places(state, id, player, false, &mut |_, _, _, value| match value {
        Value::Set(set) => vec![set.len() as f32 / set.size() as f32],
        other => panic!("{other:?}"),
    })
}

/// Encodes a value of a slot as numbers. For a die, the number of faces is given.
type NumbersOf<'a> = dyn FnMut(&Model, &Slot, Option<u32>, &Value) -> Vec<f32> + 'a;

/// Applies `of` to every value of a slot, in the player's relative order.
fn places(state: &State, id: SlotId, player: u32, owned: bool, of: &mut NumbersOf<'_>) -> Vec<f32> {
    let model = state.game().model();
    let slot = &model.slots[id.index()];
    let faces = if let Role::Dice { faces, .. } = slot.role { Some(faces) } else { None };
    let sizes: Vec<u32> = slot.index.iter().map(|d| model.domains[d.index()].size).collect();
    let mut found = vec![];
    // Visits every index as the player counts, like an odometer.
    let mut seen = vec![0; sizes.len()];
    loop {
        let own = !owned || seen[0] == 0;
        if own {
            let mut place = 0;
            for (i, size) in sizes.iter().enumerate() {
                let players = slot.index[i] == PLAYER;
                place = place * size + if players { (seen[i] + player) % size } else { seen[i] };
            }
            found.extend(of(model, slot, faces, &state.value(id, place as usize)));
        }
        let Some(i) = (0..sizes.len()).rev().find(|i| seen[*i] + 1 < sizes[*i]) else { return found };
        seen[i] += 1;
        seen[i + 1..].fill(0);
    }
}

/// Returns the numbers of an entry that doesn't come from a slot, by its name.
fn special(state: &State, entry: &ObservationEntry, player: u32) -> Option<Vec<f32>> {
    let (model, players) = (state.game().model(), state.game().players());
    let hot =
        |size: u32, one: Option<u32>| (0..size).map(|i| f32::from(one == Some(i))).collect::<Vec<f32>>();
    let from = |other: u32| (other + players - player) % players;
    Some(match entry.name.as_str() {
        "choice" => hot(model.choices.len() as u32, state.pending_choice().map(|choice| choice.0)),
        "seat" => hot(players, Some(player)),
        "actor" => hot(players, state.current_player().map(|actor| from(actor.0))),
        _ => return None,
    })
}

fn is_seen(state: &State, id: SlotId) -> bool {
    let slot = &state.game().model().slots[id.index()];
    match slot.role {
        Role::Builtin(Builtin::Mover) => state.game().players() > 1,
        Role::Builtin(Builtin::Starter) => state.game().players() > 1 && state.keeps(id),
        Role::Builtin(Builtin::Total) => state.keeps(id),
        Role::Builtin(_) | Role::Empty(_) => false,
        _ => slot.visibility != Visibility::Nobody,
    }
}

/// Returns the numbers of each entry that a player sees, without locals.
fn slowly(state: &State, player: u32) -> Vec<(String, Vec<f32>)> {
    let game = state.game();
    let spec = game.observation_spec();
    let mut found: Vec<(String, Vec<f32>)> =
        spec.iter().filter_map(|entry| Some((entry.name.clone(), special(state, entry, player)?))).collect();
    for id in (0..game.model().slots.len() as u32).map(SlotId) {
        if is_seen(state, id) {
            let mut name = game.model().slots[id.index()].name.clone();
            if found.iter().any(|(other, _)| *other == name) {
                name.insert_str(0, "var_");
            }
            found.push((name, of_slot(state, id, player)));
        }
        let slot = &game.model().slots[id.index()];
        if slot.role == Role::Zone && slot.visibility != Visibility::All {
            found.push((format!("{} size", slot.name), sizes_of(state, id, player)));
        }
    }
    found
}

fn close(a: &[f32], b: &[f32]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6)
}

fn check(state: &State, locals: &mut BTreeMap<String, u32>) {
    let game = state.game();
    let spec = game.observation_spec();
    for player in 0..game.players() {
        let seen = state.observation(Seat(player));
        assert_eq!(seen.len(), game.observation_len());
        assert!(seen.iter().all(|number| (0.0..=1.0).contains(number)));
        let mut slow = slowly(state, player).into_iter().peekable();
        let mut at = 0;
        for entry in &spec {
            assert_eq!(entry.offset, at, "{}", entry.name);
            assert_eq!(entry.shape.iter().product::<usize>(), entry.length);
            at += entry.length;
            let here = &seen[entry.offset..at];
            match entry.kind {
                EntryKind::OneHot => {
                    let each = *entry.shape.last().expect("a shape");
                    let ones = |value: &[f32]| value.iter().filter(|number| **number == 1.0).count();
                    assert!(
                        here.chunks(each).all(|value| ones(value) <= 1 && value.iter().sum::<f32>() <= 1.0)
                    );
                }
                EntryKind::Bits => assert!(here.iter().all(|number| *number == 0.0 || *number == 1.0)),
                EntryKind::Number { low, high } => assert!(low <= high),
            }
            if slow.peek().is_some_and(|(name, _)| *name == entry.name) {
                let (name, expected) = slow.next().expect("it was there");
                // What the others have chosen in a block of simultaneous choices isn't seen while it goes on.
                let slot = game.model().slots.iter().position(|slot| slot.name == name);
                let committed = game.model().together.iter().any(|block| {
                    let chooses =
                        state.pending_choice().is_some_and(|choice| block.choices.contains(&choice));
                    chooses && block.slots.iter().any(|id| slot == Some(id.index()))
                });
                if committed {
                    continue;
                }
                assert!(close(here, &expected), "{name} of player {player}: {here:?}, slowly {expected:?}");
            } else {
                *locals.entry(entry.name.clone()).or_default() += u32::from(here.iter().any(|n| *n > 0.0));
            }
        }
        assert_eq!(slow.next(), None, "every visible slot has an entry");
        assert_eq!(at, seen.len());
        if let Ok(planes) = game.planes() {
            check_planes(game, &planes, &seen);
        }
    }
}

/// Asserts that planes hold exactly the values of the flat observation.
fn check_planes(game: &Game, planes: &houserule::observe::Planes, flat: &[f32]) {
    let [channels, height, width] = planes.shape();
    let mut out = vec![9.0; planes.len()];
    planes.write(flat, &mut out);
    assert_eq!(out.len(), channels * height * width);
    let spec = game.observation_spec();
    assert_eq!(planes.spec().len(), spec.len());
    let mut first = 0;
    for (of, entry) in planes.spec().iter().zip(&spec) {
        assert_eq!((of.first, &of.name), (first, &entry.name));
        first += of.channels;
        let here = &out[of.first * height * width..first * height * width];
        let numbers = &flat[entry.offset..][..entry.length];
        if of.sites {
            assert_eq!(here.iter().sum::<f32>(), numbers.iter().sum::<f32>(), "{}", of.name);
        } else {
            assert_eq!(of.channels, entry.length);
            for (plane, number) in here.chunks(height * width).zip(numbers) {
                assert!(plane.iter().all(|shown| shown == number));
            }
        }
    }
    assert_eq!(first, channels);
}

#[test]
fn every_state_of_random_games_is_seen_as_it_is() {
    let mut entries = 0;
    for name in extent::bundled("observed", 8) {
        let small = [Setting::new("size", "5")];
        let settings: &[Setting] =
            if matches!(name, "go" | "go-capture" | "go-openspiel" | "go-pie") { &small } else { &[] };
        for players in [None, Some(3)] {
            if players.is_some() && !matches!(name, "pig" | "yacht" | "yacht-forced") {
                continue;
            }
            let game = game(name, players, settings);
            entries += game.observation_spec().len();
            for index in 0..2 {
                let mut state = game.start(8, index).expect("it starts");
                let mut locals = BTreeMap::new();
                check(&state, &mut locals);
                for _ in 0..50 {
                    let Some(action) = state.random_action() else { break };
                    state.apply(action).expect("it is legal");
                    check(&state, &mut locals);
                }
            }
        }
    }
    assert!(entries > extent::tries(12, 100));
}

#[test]
fn a_lone_player_and_a_single_choice_have_no_entry() {
    let names = |game: &Game| -> Vec<String> {
        game.observation_spec().into_iter().map(|entry| entry.name).collect()
    };
    let dilido = game("dilido", None, &[]);
    assert_eq!(names(&dilido), ["choice", "pair", "dot", "wild", "penalties", "jokers_left", "anchor"]);
    let tic = game("tic-tac-toe", None, &[]);
    assert_eq!(names(&tic), ["seat", "mover", "mark"]);
    assert_eq!(tic.observation_len(), 2 + 2 + 18);
}

#[test]
fn ones_own_things_come_first() {
    let game = game("tic-tac-toe", None, &[]);
    let mut state = game.start(0, 0).expect("it starts");
    for action in ["place b2", "place a1", "place c1"] {
        let action = game.parse_action(action).expect("it is one");
        state.apply(action).expect("it is legal");
    }
    // a1 b1 c1 a2 b2 …: X has c1 and b2, O has a1 and is to move.
    let x = [0., 0., 1., 0., 1., 0., 0., 0., 0.];
    let o = [1., 0., 0., 0., 0., 0., 0., 0., 0.];
    let of = |seat: [f32; 2], mover: [f32; 2], own: [f32; 9], other: [f32; 9]| -> Vec<f32> {
        seat.into_iter().chain(mover).chain(own).chain(other).collect()
    };
    assert_eq!(state.observation(Seat(0)), of([1., 0.], [0., 1.], x, o));
    assert_eq!(state.observation(Seat(1)), of([0., 1.], [1., 0.], o, x));
    let planes = game.planes().expect("a grid");
    assert_eq!(planes.shape(), [6, 3, 3]);
    let mut out = vec![0.0; planes.len()];
    planes.write(&state.observation(Seat(1)), &mut out);
    assert_eq!(out[4 * 9..], [o, x].concat());
    assert_eq!(out[..4 * 9], [[0.0f32; 9], [1.; 9], [1.; 9], [0.; 9]].concat());
}

const HIDDEN: &str = "game \"Hidden\" {
  players 2..4
  domain card = 1..6
  var hand[player]: set of card = {}
  var deck: set of card = {1, 2, 3, 4, 5, 6}
  var shown: set of card = {}
  var rounds: 0..30 = 0
  setup {
    for p in players {
      pick a in deck
      deck = deck - {a}
      pick b in deck
      deck = deck - {b}
      hand[p] = {a, b}
    }
  }
  turn {
    choose { show c in hand[me] { hand[me] = hand[me] - {c}; shown = shown | {c} } pass }
    rounds += 1
  }
  end over when rounds == 30
}";

#[test]
fn what_is_hidden_changes_nobody_elses_view() {
    let hidden = [("hand", Visibility::Owner), ("deck", Visibility::Nobody)];
    let game = with_hidden(&text(HIDDEN, Some(3)), &hidden);
    let slot = |name: &str| {
        SlotId(game.model().slots.iter().position(|slot| slot.name == name).expect("it is a slot") as u32)
    };
    let names: Vec<String> = game.observation_spec().into_iter().map(|entry| entry.name).collect();
    assert_eq!(names, ["seat", "mover", "hand", "shown", "rounds"]);
    let state = game.start(3, 1).expect("it starts");
    let set =
        |elements: &[u32]| Value::Set(houserule::board::BitSet::from_elements(6, elements.iter().copied()));
    for player in 0..3 {
        let before = state.observation(Seat(player));
        let mut other = state.clone();
        other.set_value(slot("deck"), 0, &set(&[0, 3]));
        for someone in (0..3).filter(|p| *p != player) {
            other.set_value(slot("hand"), someone as usize, &set(&[5, 1, someone]));
        }
        assert_eq!(other.observation(Seat(player)), before, "player {player}");
        other.set_value(slot("hand"), player as usize, &set(&[0, 1, 2, 3, 4, 5]));
        assert_ne!(other.observation(Seat(player)), before, "player {player} sees the own hand");
    }
}

#[test]
fn planes_need_a_board_of_rows_and_columns() {
    let error = game("pig", None, &[]).planes().map(|_| ()).expect_err("no such board").to_string();
    assert!(error.contains("no board") && error.contains("`flat`"), "{error}");
    let error = game("nine-mens-morris", None, &[]).planes().map(|_| ()).expect_err("no such board");
    assert_eq!(error.boards, ["graph"]);
    assert!(error.to_string().contains("graph"), "{error}");
}

#[test]
fn the_sides_of_cells_lie_between_them() {
    let game = game("dots-and-boxes", None, &[Setting::new("width", "2"), Setting::new("height", "1")]);
    let planes = game.planes().expect("a grid");
    assert_eq!(planes.shape()[1..], [3, 5]);
    let spec = game.observation_spec();
    for of in planes.spec().iter().filter(|of| of.sites) {
        let entry = spec.iter().find(|entry| entry.name == of.name).expect("the same");
        let each = entry.length / of.channels;
        let (odd, what) = if each == 2 { (1, "cells") } else { (0, "sides") };
        for site in 0..each {
            let mut flat = vec![0.0; game.observation_len()];
            flat[entry.offset + site] = 1.0;
            let mut out = vec![0.0; planes.len()];
            planes.write(&flat, &mut out);
            let at = out[of.first * 15..][..15].iter().position(|n| *n == 1.0).expect("it is shown");
            let (row, column) = (at / 5, at % 5);
            assert_eq!((row % 2 == 1 && column % 2 == 1) as u32, odd, "{what}");
            assert!(odd == 1 || row % 2 != column % 2, "sides are between, not at corners");
        }
    }
    assert!(planes.spec().iter().any(|of| of.sites));
}

const LOCALS: &str = "game \"Locals\" {
  players 3
  domain thing = 1..5
  var left: set of thing = {1, 2, 3, 4, 5}
  var points[player]: 0..50 = 0
  var secret: 0..9 = 4
  turn {
    pick lot in left
    let bonus = count(left) + 1
    let dark = secret + 1
    for p in players from me {
      as p {
        choose bid { take where points[p] < 40 { points[me] += bonus } pass }
      }
    }
    if dark > 3 { left = left - {lot} }
  }
  end over when left is nothing
}";

#[test]
fn names_bound_before_a_choice_are_seen_while_they_last() {
    let game = with_hidden(&text(LOCALS, None), &[("secret", Visibility::Nobody)]);
    let spec = game.observation_spec();
    let names: Vec<&str> = spec.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names[..5], ["seat", "actor", "lot", "bonus", "p"], "{names:?}");
    assert!(!names.contains(&"dark") && !names.contains(&"secret"), "they tell what nobody sees");
    let model = game.model();
    let local = |name: &str| {
        LocalId(model.locals.iter().position(|local| local.name == name).expect("it is a local") as u32)
    };
    let mut state = game.start(2, 0).expect("it starts");
    while let Some(actor) = state.current_player() {
        let word = |name: &str| state.local_words(local(name)).expect("it is kept")[0] as i64;
        for player in 0..3 {
            let seen = state.observation(Seat(player));
            let of = |name: &str| {
                let entry = spec.iter().find(|entry| entry.name == name).expect("an entry");
                &seen[entry.offset..][..entry.length]
            };
            let hot = |name: &str| of(name).iter().position(|n| *n == 1.0).expect("one is hot") as i64;
            assert_eq!(hot("lot"), word("lot"));
            assert!((of("bonus")[0] - (word("bonus") - 1) as f32 / 5.0).abs() < 1e-6);
            assert_eq!(hot("p"), (i64::from(actor.0) + 3 - i64::from(player)) % 3);
            assert_eq!(hot("actor"), hot("p"));
            assert_eq!(model.locals[local("lot").index()].ty, Type::Element(DomainId(1)));
        }
        let action = state.random_action().expect("one is legal");
        state.apply(action).expect("it is legal");
    }
    let over = state.observation(Seat(0));
    let shown = spec.iter().filter(|entry| ["lot", "bonus", "p", "actor"].contains(&entry.name.as_str()));
    shown.for_each(|entry| assert!(over[entry.offset..][..entry.length].iter().all(|n| *n == 0.0)));
}
