//! Zones, pieces and domains in scripts: sets to iterate, test and combine, as in the rules.

use crate::rules::game;
use houserule::game::{Game, Seat};

/// Returns a game with one action, whose script counts in `n`.
fn counting(script: &str) -> Game {
    game(&format!(
        "game \"Counted\" {{
          players X, O
          enum cube {{ green, grey, gold }}
          domain card = 1..4
          domain tile {{ low: 0..2, high: low..2 }}
          board cell = grid(3, 2)
          piece mark[player]
          dice pair: 2 of d6
          zone bag of cube = [green: 2, grey: 1]
          zone screen[player] of cube = [gold: 3]
          zone pack of card
          zone pile of card
          zone stock of tile
          zone hand[player] of tile
          var n: 0..999 = 0
          setup {{
            move {{1, 3}} to pile
            move {{ t in tile where t.low == 1 }} to hand[X]
            move {{ t in tile where t.low == 2 }} to hand[O]
            put mark[X] at @a1
            put mark[O] at {{@b1, @c2}}
          }}
          turn {{ choose {{ go {{ }} }} end game }}
          score {{ n: n }}
          script \"\"\"
            fn on_go(g) {{ {script} }}
          \"\"\"
        }}"
    ))
}

/// Returns the count of a script.
#[track_caller]
fn counts(script: &str) -> i64 {
    let mut state = counting(script).start(0, 0).expect("it starts");
    state.apply(state.legal_actions()[0]).unwrap_or_else(|error| panic!("{script}: {error}"));
    state.score(Seat(0)).expect("it has a score")
}

#[test]
fn zones_of_copies_are_the_kinds_that_lie_there() {
    assert_eq!(counts("for k in g.bag { g.n += g.bag[k]; }"), 3);
    assert_eq!(counts("for k in g.bag { g.n += 1; }"), 2);
    assert_eq!(counts("if g.green in g.bag && !(g.gold in g.bag) { g.n = 1; }"), 1);
    assert_eq!(counts("for k in g.bag - g.green { g.n += g.bag[k]; }"), 1);
    assert_eq!(counts("g.n = count(g.bag)"), 3);
    assert_eq!(counts("g.n = count(set(g.bag))"), 2);
    assert_eq!(counts("g.n = g.bag.to_array().len()"), 2);
    assert_eq!(counts("if lowest(g.bag) == g.green && highest(g.bag) == g.grey { g.n = 1; }"), 1);
    assert_eq!(counts("for k in g.screen[g.X] { g.n += g.screen[g.X][k]; }"), 3);
    // In any of the zones of a family.
    assert_eq!(counts("for k in g.screen { g.n += 1; }"), 1);
    assert_eq!(counts("if some(g.bag) && nothing(g.bag - [g.green, g.grey]) { g.n = 1; }"), 1);
}

#[test]
fn domains_are_all_their_elements() {
    assert_eq!(counts("for c in g.card { g.n += c; }"), 10);
    assert_eq!(counts("for t in g.tile { g.n += t.high; }"), 8);
    assert_eq!(counts("for k in g.cube { g.n += 1; }"), 3);
    assert_eq!(counts("for p in g.player { g.n += 1; }"), 2);
    assert_eq!(counts("for c in g.cell { g.n += 1; }"), 6);
    assert_eq!(counts("g.n = count(g.card - g.pile)"), 2);
    assert_eq!(counts("if 3 in g.pile && !(2 in g.pile) && !(9 in g.card) { g.n = 1; }"), 1);
}

#[test]
fn families_without_their_index_are_the_union() {
    assert_eq!(counts("for t in g.hand { g.n += t.low; }"), 4);
    assert_eq!(counts("g.n = count(g.hand)"), 3);
    assert_eq!(counts("g.n = count(g.tile - g.hand)"), 3);
    assert_eq!(counts("g.n = count(g.mark)"), 3);
    assert_eq!(counts("g.n = count(around(g.mark) & g.empty)"), 3);
    assert_eq!(counts("g.n = g.mark.len() + count(g.mark | g.cell(1, 2)) + count(g.cells - g.mark)"), 10);
    assert_eq!(counts("if g.cell(1, 1) in g.mark && !(g.cell(2, 2) in g.mark) { g.n = 1; }"), 1);
}

#[test]
fn what_is_no_set_is_said_so() {
    let mut state = counting("for d in g.pair { g.n += 1; }").start(0, 0).expect("it starts");
    let error = state.apply(state.legal_actions()[0]).expect_err("dice are no set").to_string();
    assert!(error.contains("`pair` is no set"), "{error}");
}

/// Areas are enclosed by walls as in the rules: walls that touch only at corners let the outside through,
/// unless they are connected across corners.
#[test]
fn areas_are_filled_as_the_rules_fill_them() {
    let filled = |script: &str, rule: &str| {
        let game = game(&format!(
            "game \"Filled\" {{
              players 1
              board cell = grid(5, 5)
              piece mark
              var n: 0..99 = 0
              setup {{ put mark at beside(@c3) }}
              turn {{ choose {{ go {{ }} }} end game }}
              score {{ n: n  rule: 100 * count({rule}) }}
              script \"\"\"
                fn on_go(g) {{ g.n = count({script}); }}
              \"\"\"
            }}"
        ));
        let mut state = game.start(0, 0).expect("it starts");
        state.apply(state.legal_actions()[0]).unwrap_or_else(|error| panic!("{script}: {error}"));
        state.score(Seat(0)).expect("it has a score")
    };
    assert_eq!(filled("fill(g.mark)", "fill(mark)"), 404);
    assert_eq!(filled("fill(g.mark, \"four\")", "fill(mark, four)"), 404);
    assert_eq!(filled("fill(g.mark, \"eight\")", "fill(mark, eight)"), 505);
}
