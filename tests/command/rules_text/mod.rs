//! The rules of every bundled game in plain words.

#![allow(clippy::unwrap_used)]

mod clear;
mod course;
mod ends;
mod helps;
mod known;
mod meaning;
mod order;
mod said;
mod sets;
mod sheet;
mod short;
mod wording;

use crate::extent;
use houserule::game::Game;
use houserule::loader::{Request, load, load_text};
use houserule::model::{CheckedExpr, CheckedExprKind, Life, Model, Role, ScoreItem, Slot, Value};
use houserule::prose::{COLUMNS, full_rules, rules as set, sections};
use houserule::variants::Setting;

fn text(name: &str, settings: &[Setting]) -> String {
    rules(&load(&Request { name, settings, players: None }).unwrap().game)
}

/// Returns the rules as a text of the usual width, with its lines joined for searching.
fn rules(game: &Game) -> String {
    set(game, COLUMNS)
}

fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn with_capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Returns whether a slot holds the order of a zone or what players know of it, which follow from the zones.
fn is_place(role: Role) -> bool {
    matches!(role, Role::Place | Role::SeenPlace | Role::Known | Role::KnownCopies(_))
}

/// Returns `true` for a slot of whose help text the page tells. What is forgotten when the turn passes may be told in full only.
fn is_told(slot: &Slot) -> bool {
    let is_forgotten = slot.role == Role::Variable && slot.life == Life::Turn;
    !is_place(slot.role) && !is_forgotten
}

/// Returns `false` for an item of the score that the params set to 0, and that no script computes.
fn counts(model: &Model, item: &ScoreItem) -> bool {
    let is_zero = |e: &CheckedExpr| matches!(e.kind, CheckedExprKind::Constant(Value::Number(0)));
    let hook = format!("score_{}", item.name);
    let is_scripted = model.hooks.iter().any(|one| one.name == hook);
    is_scripted
        || match &item.value.kind {
            CheckedExprKind::If(_, one, other) => !is_zero(one) || !is_zero(other),
            _ => !is_zero(&item.value),
        }
}

/// Fails if a page lacks some words.
fn tells(told: &str, words: &[&str]) {
    for words in words {
        assert!(told.contains(words), "{words}\n{told}");
    }
}

/// Returns the part of a page under a heading.
fn part<'a>(page: &'a str, heading: &str) -> &'a str {
    let from = page.find(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("no {heading}\n{page}"));
    let rest = &page[from + 1..];
    rest.find("\n\n").map_or(rest, |end| &rest[..end])
}

fn rules_of(text: &str) -> String {
    rules(&load_text("game", text, &Request::default()).unwrap().game)
}

/// Returns the page of rules with these declarations.
fn page(rest: &str) -> String {
    let text = format!("game \"Told\" {{ players X, O board cell = grid(3, 3) piece mark[player] {rest} }}");
    joined(&rules(&load_text("told", &text, &Request::default()).unwrap_or_else(|e| panic!("{e}")).game))
}

#[test]
fn every_bundled_game_is_told_on_a_page() {
    for name in extent::bundled("told on a page", 5) {
        let loaded = load(&Request { name, ..Request::default() }).unwrap();
        let (game, text) = (&loaded.game, rules(&loaded.game));
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{name}\n{text}");
        let narrow = set(game, 40);
        assert!(narrow.lines().all(|line| line.chars().count() <= 40), "{name}\n{narrow}");
        let told = joined(&text);
        let model = game.model();
        let helps = [&model.help, &model.title]
            .into_iter()
            .chain(model.params.iter().map(|param| &param.name))
            .chain(model.steps.iter().map(|step| &step.help))
            .chain(model.score.iter().filter(|item| counts(model, item)).map(|item| &item.help))
            .chain(model.slots.iter().filter(|slot| is_told(slot)).map(|slot| &slot.help));
        for help in helps {
            assert!(told.contains(&joined(help)), "{name}: `{help}` is missing\n{text}");
        }
        for help in model.params.iter().map(|param| joined(&param.help)) {
            // It begins a sentence, or goes on with the one before.
            let start = if help.starts_with("and ") { help.clone() } else { with_capital(&help) };
            assert!(told.contains(&start), "{name}: `{help}` is missing\n{text}");
        }
        assert!(!sections(game).iter().any(|section| section.entries.is_empty()));
        assert!(told.contains("The game ends"), "{name}\n{text}");
        if game.sheet().variants.is_empty() {
            assert!(!text.contains('`'), "{name}: something is told as code\n{text}");
        }
    }
}

#[test]
fn what_is_set_is_said() {
    let told = joined(&text("connect-four", &[Setting::new("line", "5"), Setting::new("width", "9")]));
    assert!(told.contains("when the mover's discs make a line of at least 5; the mover wins."), "{told}");
    assert!(told.contains("a board of 9 columns and 6 rows"), "{told}");
}

#[test]
fn a_stack_says_what_it_changes() {
    let told = joined(&text("dilido + torus + ordered", &[]));
    assert!(told.contains("What is changed from Di-Li-Do"), "{told}");
    assert!(told.contains("May the two dice be read in either order? Ordered. (reading)"), "{told}");
    assert!(told.contains("whose opposite edges join"), "{told}");
    assert!(!joined(&text("dilido", &[])).contains("changed"));
}

/// The page of a game names everything that its scripts do.
#[test]
fn what_a_script_does_is_told() {
    let text = text("dilido + shapes + staircase", &[]);
    let told = joined(&text);
    assert_eq!(told.matches("- a script takes part").count(), 2, "{text}");
    for line in [
        "What scripts do - dilido-shapes.rhai: says what shapes counts in the score",
        "- dilido-staircase.rhai: says what stairs counts in the score",
    ] {
        assert!(told.contains(line), "{line}\n{text}");
    }
    assert!(!self::text("dilido", &[]).contains("script"));
    let all =
        "game \"All\" { players 1 var n: 0..9 = 0 turn { step go { choose { go { n += 1 } stay { } } } }
        end when n > 3 score { n: n } script \"\"\"
          fn on_setup(g) { g.n = g.roll(2); } fn before_go(g) { } fn after_go(g) { }
          fn allow_stay(g) { true } fn on_go(g) { } fn score_n(g, player, points) { points } fn on_end(g) { }
        \"\"\" }";
    let game = load_text("all", all, &Request::default()).unwrap().game;
    let told = joined(&rules(&game));
    let words = [
        "acts after the setup, and leaves something to chance",
        "acts before the step go",
        "acts after the step go",
        "says when stay is allowed",
        "acts after the option go",
        "says what n counts in the score",
        "acts when the game is over",
    ];
    assert!(told.contains("a script in the rules: "), "{told}");
    assert!(words.iter().all(|words| told.contains(words)), "{told}");
}

#[test]
fn the_page_of_a_game() {
    let page = "\
Tic-tac-toe
===========

Noughts and crosses: the first to make a line of three, across, down or
diagonally, wins.

Players
  - Two: X and O. X begins.

Equipment
  - cell: a board of 3 columns and 3 rows
  - mark: the crosses of X and the noughts of O

The game ends
  - After a turn, when the mover's marks make a line of at least 3; the mover
    wins.
  - After a turn, when there is no empty cell left; it is a draw.
  - If several of these come at once, the first in this list counts.
  - The mover is the player whose turn it is or has just ended.

A turn
  1. place: Put your mark on a free square.

What can be set
  - Squares to a side: 3 (size: 1 to 16)
  - Marks in a line that win: 3 (line: 1 to 16)
";
    assert_eq!(text("tic-tac-toe", &[]), page);
}

#[test]
fn every_branch_of_an_otherwise_is_told() {
    let joker = load(&Request { name: "dilido-second-joker", ..Request::default() }).unwrap().game;
    let page = full_rules(&joker, COLUMNS);
    for heading in ["A turn", "What is changed from Di-Li-Do"] {
        let told = joined(part(&page, heading));
        for words in [
            "if pair is a double",
            "earned becomes true and jokers left goes up by 1",
            "if not: penalties go up by 1",
        ] {
            assert!(told.contains(words), "{words}\n{page}");
        }
    }
    let nested = |otherwise: &str| {
        let rules = format!(
            "game \"Base\" {{ players 1 var n: 0..99 = 0 var extra: 0..99 = 0
               turn {{ step place {{ choose {{ place where n > 90 {{ n += 2 }} otherwise {{ {otherwise} }} }} }} }}
               end over when turns[me] > 3 score {{ n: n }} }}"
        );
        joined(part(&rules_of(&rules), "A turn"))
    };
    assert_eq!(
        nested("if n > 3 { if extra == 0 { extra = 2 } } else { n += 1 }"),
        "A turn 1. place - place: if n is more than 90; n goes up by 2 - if nothing of this is possible: \
         - if n is more than 3: if extra is 0, extra becomes 2 - if not: n goes up by 1"
    );
    assert_eq!(
        nested("for k in 1..3 { n += k } while n > 50 { n -= 7 } as me { extra = 5 }"),
        "A turn 1. place - place: if n is more than 90; n goes up by 2 - if nothing of this is possible: \
         - for each k from 1 to 3: n goes up by k - as long as n is more than 50: n goes down by 7 - you act: extra becomes 5"
    );
    assert_eq!(
        nested("choose more { few where n > 3 { n -= 1 } all { n = 0 extra += 4 } otherwise { extra = 9 } }"),
        "A turn 1. place - place: if n is more than 90; n goes up by 2 - if nothing of this is possible, choose one: \
         - few: if n is more than 3; n goes down by 1 - all: n becomes 0; extra goes up by 4 \
         - if nothing of this is possible: extra becomes 9"
    );
}

#[test]
fn a_house_rule_tells_what_it_does_and_by_how_much() {
    let variant = "variant \"Second chance\" of \"dilido\" {
      param penalty_limit = 5
      new var chances: 0..1 = 1 \"second chances not used yet\"
      extend place {
        otherwise {
          if pair is double { anchor = first } else {
            choose chance {
              chance c in around(named) & empty where chances == 1 \"use a second chance\" {
                put dot at c; anchor = c; chances -= 1
              }
              otherwise { penalties += 2 }
            }
          }
        }
        after place { penalties -= 1 }
      }
    }";
    let page = rules_of(variant);
    let changes = joined(part(&page, "What is changed from Di-Li-Do"));
    for words in [
        "Penalty points that end a game: 5 (penalty_limit)",
        "in what is kept, chances: second chances not used yet (1 at first)",
        "if nothing of place is possible: - if pair is a double: anchor becomes first - if not, choose one: \
         - chance: use a second chance - c is one of the empty places around named, \
         if chances are 1 - if nothing of this is possible: penalties go up by 2",
        "in place, after place: penalties go down by 1",
    ] {
        assert!(changes.contains(words), "{words}\n{page}");
    }
    let turn = joined(part(&page, "A turn"));
    assert!(
        turn.contains("if pair is a double: anchor becomes first - if not, choose one: - chance"),
        "{page}"
    );
}

#[test]
fn a_procedure_is_told_by_its_help_or_with_what_it_is_given() {
    let told = page(
        "var spent[player]: 0..9 = 0
         procedure pay(p, n) \"the player pays\" { spent[p] += n }
         procedure owe(p, n) { if spent[p] < n { spent[p] = n } for c in mark[p] { clear c } }
         turn { choose {
             a c in empty { put mark[me] at c owe(other, 2) }
             b { pay(me, 1) }
             c where empty is some \"rest\" { owe(me, 4) }
             otherwise { owe(me, 3) } } }
         end when empty is nothing",
    );
    tells(
        &told,
        &[
            "b: the player pays",
            "owe (the other player; 2):",
            "if the other player's spent is less than 2: the other player's spent becomes 2",
            "for each c of the other player's marks",
            "c: rest",
            "if nothing of this is possible: - owe (you; 3), as above",
        ],
    );
    assert!(!told.contains('`'), "{told}");
}

/// A help text that replaces a procedure doesn't count as the place where the procedure is explained.
#[test]
fn a_procedure_behind_a_help_is_told_where_there_is_none() {
    let told = page(
        "procedure sweep(p) { if mark[p] is some { clear mark[p] } for c in empty { put mark[p] at c } }
         turn { choose { a c in empty \"mark\" { put mark[me] at c sweep(me) } otherwise { sweep(other) } } }
         end when empty is nothing",
    );
    assert!(told.contains("if nothing of this is possible: - sweep (the other player):"), "{told}");
    assert!(told.contains("if the other player has marks: take away the other player's marks"), "{told}");
}

#[test]
fn cards_played_together_are_told_as_moves() {
    let rules = r#"game "Show" {
        players 2
        domain card = 1..9
        zone stock of card seen by none
        zone hand[player] of card seen by owner
        zone played[player] of card
        setup { deal 3 from stock to hand }
        round { together as me { choose { show c in hand[me] { move c to played[me] } } } }
        end done of round when hand is nothing
    }"#;
    let text = joined(&set(&load_text("show", rules, &Request::default()).unwrap().game, 200));
    assert!(text.contains("show: c is one of the cards in your hand; move c to your played cards"), "{text}");
    // What the engine keeps until all have chosen is no part of the rules.
    assert!(!text.contains("committed"), "{text}");
}

#[test]
fn tables_of_two_indices_are_told_row_by_row() {
    let told = page(
        "enum card { road, city }
         enum token { wood, ore }
         table cost[card, token]: 0..3 = [road: [wood: 1, ore: 0], (city, wood): 2, (city, ore): 3]
         table worth[1..4]: 0..9 = [1..3: 5, 4: 9]
         var n: 0..9 = 0
         turn { choose { a c in empty { put mark[me] at c n = worth[2] + cost[road, wood] } } }
         end when empty is nothing",
    );
    assert!(told.contains("cost - road: wood: 1, ore: 0 - city: wood: 2, ore: 3"), "{told}");
    assert!(told.contains("worth: 1 to 3: 5, 4: 9"), "{told}");
}

#[test]
fn elements_with_rows_are_told_with_their_fields() {
    let told = page(
        "enum gem { red, blue }
         domain card { cost: 0..9, gives: gem? } = [mine: (3, blue) \"in the hills\", bank: (4, none)] | { wild }
         zone stock of card seen by none
         zone hand[player] of card seen by others
         setup { deal 1 from stock to hand }
         turn { choose { a c in empty { put mark[me] at c } } if hand[other] & {mine} is some { done } }
         end when empty is nothing",
    );
    tells(
        &told,
        &[
            "card: 3: 2, each with its own name, cost and gives; wild",
            "mine: cost 3, gives blue; in the hills",
            "bank: cost 4",
            "hand: cards of each player (seen by all but its owner)",
        ],
    );
}

#[test]
fn a_help_text_leaves_the_conditions_of_options_and_of_nested_choices() {
    let told = page(
        "var n: 0..9 = 0
         procedure pay() \"a coin is paid\" { n += 1 }
         procedure rob() \"the robber moves\" { choose { rob c in empty \"move it\" { n = 2 } } }
         turn { step act \"Do one thing.\" {
             if n > 2 { choose extra { more where n < 5 \"more\" { pay() } less \"less\" { n = 0 } } } else { n = 3 }
             choose {
                 a c in empty where row(c) > n \"mark a square\" {
                     put mark[me] at c
                     pay()
                     if n == 4 { rob() }
                     for p in players - me { as p { choose answer { yes \"agree\" { n = 1 } no \"refuse\" { n = 2 } } } }
                 }
                 b c in empty - edge \"mark the middle\" { put mark[me] at c }
                 plain c in empty \"mark any\" { put mark[me] at c }
             } } }
         end when empty is nothing",
    );
    for words in [
        "act: Do one thing. - if n is more than 2: - more - if n is less than 5 - a coin is paid - less - if not: n becomes 3 - then choose one: - a:",
        "a: mark a square - c is one of the empty places, if the row of c is more than n - a coin is paid \
         - if n is 4: - rob: the robber moves - rob: move it - each of the other players chooses: - yes: agree - no: refuse",
        "b: mark the middle - c is one of the empty places without edge - plain: mark any",
    ] {
        assert!(told.contains(words), "{words}\n{told}");
    }
}

#[test]
fn in_full_a_help_text_has_its_statements_and_its_formula_beside_it() {
    let text = "game \"Told\" {
        players 1
        var n: 0..9 = 0
        define late = n > 7 \"it is late\"
        setup { n = 1 } \"begin with one\"
        turn { step act \"Go on.\" { choose { go k in 1..2 \"go some steps\" { if late { n = 9 } else { n += k } } } } }
        end far when n > 8 \"you are far\"
        score { steps: n \"steps gone\" } }";
    let game = load_text("told", text, &Request::default()).unwrap().game;
    let (short, full) = (joined(&rules(&game)), joined(&full_rules(&game, COLUMNS)));
    for (told, more) in [
        ("when you are far", " (n is more than 8)"),
        ("begin with one", " - n becomes 1"),
        ("go some steps", " - k is from 1 to 2 - if late is true: n becomes 9 - if not: n goes up by k"),
        ("steps: steps gone", " (n)"),
        ("late: it is late", " (true if n is more than 7)"),
    ] {
        let all = format!("{told}{more}");
        assert!(short.contains(told) && !short.contains(&all), "{all}\n{short}");
        assert!(full.contains(&all), "{all}\n{full}");
    }
}

#[test]
fn conditions_one_after_another_are_told_side_by_side() {
    let told = page(
        "var n: 0..9 = 0
         turn { choose { a c in empty { put mark[me] at c
             if n == 1 { n = 2 n += 1 } else if n == 2 { n = 3 n += 1 } else if n == 3 { n = 4 n += 1 } else { n = 0 } } } }
         end when empty is nothing",
    );
    let words = "- if n is 1: n becomes 2; n goes up by 1 - if not, and n is 2: n becomes 3; n goes up by 1 \
                 - if not, and n is 3: n becomes 4; n goes up by 1 - if not: n becomes 0";
    assert!(told.contains(words), "{told}");
}

#[test]
fn defines_that_sentences_name_are_terms() {
    let told = page(
        "define deep(c) = row(c) > 1
         define near(c) = around(c) & mark[me] is some and c is deep
         define unnamed(c) = row(c) == 3
         turn { choose { a c in empty where near(c) \"mark\" { put mark[me] at c }
                         b c in empty { put mark[me] at c } } }
         end when empty is nothing",
    );
    let terms = &told[told.find("Terms").unwrap()..];
    assert!(terms.contains("- deep of c: true if the row of c is more than 1"), "{told}");
    assert!(
        terms.contains("- near of c: true if you have marks on the places around c and c is deep"),
        "{told}"
    );
    assert!(!terms.contains("unnamed"), "{told}");
}

#[test]
fn zones_items_and_ties_without_a_help_are_told() {
    let told = page(
        "enum card { red, blue }
         domain tile = 1..8
         zone box of tile
         zone bought[player] of card \"cards that a player has bought\"
         zone pot of card = 2
         zone bag of tile = [1: 1, 2: 3, 3: 3, 4: 3, 5: 3, 6: 3, 7: 3, 8: 0] seen by none \"tiles to draw\"
         var coins[player]: 0..9 = 3 \"coins of a player\"
         turn { choose { a c in empty \"mark\" { put mark[me] at c coins[me] += 1 } } }
         end top when mark[X] is some: win X \"a mark lies there: who set it wins\"
         end low when mark[O] is some: lose O \"a mark of O lies there\"
         end when empty is nothing
         score { coins: coins[me] }
         ties least(count(bought[me]))",
    );
    tells(
        &told,
        &[
            "- box: numbers from 1 to 8",
            "- pot: cards, of which several may be alike; at first 2 of each card",
            "- bag: tiles to draw (seen by nobody); at first 3 of each tile, but 1 of 1 and none of 8",
            "- coins: your coins (coins of a player)",
            "among equals the fewest bought cards (cards that a player has bought);",
            "- After a turn, when a mark lies there: who set it wins.",
            "- After a turn, when a mark of O lies there; O loses.",
            "- coins: coins of a player (3 at first)",
        ],
    );
}

#[test]
fn the_caller_of_a_procedure_in_which_others_act_has_a_name() {
    let told = rules_of(
        "game \"T\" {
           players 3
           var doubted[player]: bool each turn
           procedure ask(p) { together as me { choose c { doubt where me != p { doubted[me] = true } otherwise {} } } }
           procedure pay(p) { doubted[p] = false }
           turn { step s { choose { draw { ask(me) pay(me) } keep { playing -= me } } } }
           end over when count(playing) <= 1: win playing
         }",
    );
    let told = joined(&told);
    for words in ["ask (p: you)", "if you are not p", "pay (you)", "the players who still play win"] {
        assert!(told.contains(words), "{words}\n{told}");
    }
}

#[test]
fn swaps_lists_and_biddings_are_told_in_words() {
    let told = rules_of(
        "game \"T\" {
           players 3
           domain card { rank: 1..5, copy: 1..2 }
           zone stock of card seen by none
           zone hand[player] of card seen by owner
           var points[player]: 0..9 = 3
           var bidders: set of player = {}
           define worth(p) = (points[p], count(hand[p]))
           setup { deal 2 from stock to hand }
           turn {
             step trade {
               choose {
                 trade p in players - me where worth(me) > worth(p) and (points[me], 2) >= (points[p], 1) { swap hand[me], hand[p] }
                 even where (points[me], 1) == (3, 1) { swap points[me], points[after(me)] }
                 otherwise { }
               }
             }
             step bid {
               bidders = players
               each player of bidders from after(me) until count(bidders) == 1 as me { choose { drop { bidders -= me } } }
             }
           }
           end when turns[me] == 5
           score { points: points[me] }
         }",
    );
    let told = joined(&told);
    tells(
        &told,
        &[
            "(your points, then 2) is at least (p's points, then 1), where the first difference decides; swap your hand and p's hand",
            "your points are 3 and 1 is 1; swap your points and",
            "each player of bidders, from the player after you on, in turn again and again until the number of bidders is 1",
            "worth of p: p's points, then the number of cards in p's hand",
        ],
    );
}

#[test]
fn who_chooses_one_of_some_options_is_told() {
    let told = page(
        "var bid[player]: 0..9 = 0 each turn
         procedure bids(n) { choose { more { bid[me] += n  let k = n  if k > 1 { bid[me] = 1 } else { bid[me] = 2 } } less { } } }
         turn {
             each player as me { choose { high { bid[me] += 1 } low { } } }
             as best p in players by bid[p] { choose { lead c in empty { put mark[me] at c } otherwise { } } }
             each player of players - mover from other as me { bid[me] = 3 choose { yes { } no { bid[me] = 4 } } }
             together as me { choose { up { bid[me] += 1 } down { } } }
             if bid[me] > 2 { choose { pay { bid[me] -= 1 } keep { } } }
             as other { bid[me] = 2 bids(1) } }
         end when empty is nothing",
    );
    tells(
        &told,
        &[
            "each player chooses one: - high: your bid goes up by 1 - low",
            "(the player with the highest bid, of equals the first in the order of seats) chooses one: - lead:",
            "from the other player on: - your bid becomes 3 - this player chooses one: - yes - no:",
            "both players choose one at once, without seeing what the other does: - up:",
            "if your bid is more than 2, choose one: - pay:",
            "the other player acts: - the other player's bid becomes 2 - bids (1), the other player chooses one: - more:",
        ],
    );
}

#[test]
fn what_a_variant_does_before_and_after_an_option_is_told_at_the_option() {
    let page = rules_of(
        "variant \"Toll\" of \"dilido\" { extend place {
           before place { penalties += 1 }
           after place { if penalties > 1 { penalties -= 2 } }
         } }",
    );
    let turn = joined(part(&page, "A turn"));
    assert!(
        turn.contains(
            "- c is one of the empty places that are named - first, penalties go up by 1 \
             - then: - if penalties are more than 1: penalties go down by 2"
        ),
        "{page}"
    );
}

#[test]
fn every_index_is_told() {
    let rules = "game \"T\" {
           players 2
           enum colour { red, blue }
           board square = track(8, wrap: true)
           piece stone[colour] on square
           var track[player, colour]: 0..9 = 0 \"points\"
           var hits[1..5]: 0..4 = 0 \"pegs\"
           turn { choose { a c in empty { put stone[red] at c } } }
           end when empty is nothing
         }";
    let told = joined(&full_rules(&load_text("game", rules, &Request::default()).unwrap().game, COLUMNS));
    tells(
        &told,
        &[
            "square: a track of 8 places, whose ends join",
            "stone: pieces for each colour",
            "track: points (from 0 to 9, for each player and colour)",
            "hits: pegs (from 0 to 4, for each number from 1 to 5)",
            "a: c is one of the empty places; put a stone of red at c",
        ],
    );
}

/// No table is left out, however long it is.
#[test]
fn long_tables_are_told_with_equal_entries_together() {
    let entries: Vec<String> = (1..=60).map(|n| format!("{n}: {}", if n < 50 { 1 } else { n })).collect();
    let suits: Vec<String> = (1..=60)
        .map(|n| {
            format!(
                "{n}: [{}: 1, {}: 2]",
                if n == 7 { "blue" } else { "red" },
                if n == 7 { "red" } else { "blue" }
            )
        })
        .collect();
    let rules = format!(
        "game \"Tables\" {{ players 1 enum colour {{ red, blue }}
           table worth[1..60]: 0..99 = [{}] table pays[1..60, colour]: 0..9 = [{}]
           var n: 0..99 = 0
           turn {{ choose {{ go k in 1..60 {{ n = worth[k] + pays[k, red] }} }} }} end when n > 40 score {{ n: n }} }}",
        entries.join(", "),
        suits.join(", ")
    );
    let told = joined(&rules_of(&rules));
    tells(
        &told,
        &[
            "- worth: 1 to 49: 1; 50: 50; 51: 51; 52: 52;",
            "- pays - 1 to 6: red: 1, blue: 2 - 7: blue: 1, red: 2 - 8 to 60: red: 1, blue: 2",
        ],
    );
}

/// A reader can draw the board.
#[test]
fn gaps_and_diagonals_of_a_board_are_told() {
    let board = |board: &str| {
        joined(&rules_of(&format!(
            "game \"Board\" {{ players 2 board cell = {board} piece mark[player]
               turn {{ choose {{ a c in empty {{ put mark[me] at c }} }} }} end when empty is nothing }}"
        )))
    };
    let told = board("grid(3, 3, diagonal: { c in cell where (column(c) + row(c)) % 2 == 0 })");
    let words =
        "a board of 9 points in 3 rows, with diagonals between neighbours among a1, c1, b2, a3 and c3";
    assert!(told.contains(words), "{told}");
    let told = board("grid(4, 4) - {@a1, @b3}");
    let words = "a board of 14 squares in 4 rows (row 1: b to d; rows 2 and 4: a to d; row 3: a, c, d)";
    assert!(told.contains(words), "{told}");
    assert!(board("hexagon(2)").contains("a board of 7 hexagons in 3 rows (2, 3 and 2 to a row)"));
}
