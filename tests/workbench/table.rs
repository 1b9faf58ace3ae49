//! A game at the table: lines, dice, hidden hands, other rules.

use std::collections::BTreeSet;
use std::time::SystemTime;

use houserule::workbench::{Ask, PositionTold, Tell};
use serde_json::json;

use crate::{Page, extent, texts};

#[test]
fn an_agent_that_learns_is_trained_when_that_is_asked_for() {
    let mut page = Page::new();
    // No run of the tests before this one has trained it.
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_nanos();
    let text = |size: u32| format!("variant \"Small {now}\" of \"dilido\" {{\n  param size = {size}\n}}\n");
    page.edits("small.rules", 1, &text(3));
    let begin = json!({"ask": "table", "id": 1, "path": "small.rules", "seed": 1, "seats": ["learned:37"]});
    let seated = page.position(&begin);
    assert_eq!((seated.to_train.as_deref(), seated.decision), (Some("learned:37"), 0));
    // It waits, and so it does by other rules.
    assert_eq!(page.position(&json!({"ask": "step", "id": 2})).decision, 0);
    let edited = page.edits("small.rules", 2, &text(4)).expect("the game is replayed");
    assert_eq!(edited.to_train.as_deref(), Some("learned:37"));
    let train: Ask = serde_json::from_value(json!({"ask": "train", "id": 3})).unwrap();
    let (id, run) = page.0.run(&train).expect("a run");
    let mut run = run.unwrap_or_else(|message| panic!("{message}"));
    let mut told = vec![];
    assert!(run.is_long() && !run.step(&mut |tell| told.push(tell)));
    assert!(id == 3 && told.iter().any(|tell| matches!(tell, Tell::Progress { id: 3, .. })));
    assert_eq!(told.last(), Some(&Tell::Done { id: 3, cancelled: false }));
    let played = page.position(&json!({"ask": "step", "id": 4}));
    assert!(played.to_train.is_none() && !played.over.is_empty());
    let refused = page.0.run(&train).expect("an answer").1.err();
    assert!(refused.expect("a refusal").contains("trained"));
}

#[test]
fn acting_at_an_earlier_place_begins_a_line_and_the_old_one_stays() {
    let mut page = Page::new();
    let mut position = page.table("bundled/tic-tac-toe", 1);
    for at in [0, 1, 2] {
        position = page.plays(&position, at);
    }
    assert_eq!((position.decision, position.of, position.lines.len()), (3, 3, 1));
    let before = position.clone();
    assert_eq!(page.goes(json!("undo")).decision, 2);
    let back = page.goes(json!("undo"));
    assert_eq!((back.decision, back.of, texts(&back).len()), (1, 3, 1));
    let branched = page.plays(&back, 5);
    assert_eq!((branched.line, branched.decision, branched.of), (1, 2, 2));
    assert_eq!((branched.lines[1].from_line, branched.lines[1].from_decision), (Some(0), Some(1)));
    assert_eq!(branched.lines[0].decisions, 3);
    let old = page.position(&json!({"ask": "go", "id": 3, "line": 0, "decision": 3}));
    assert_eq!((texts(&old), &old.svg), (texts(&before), &before.svg));
    // What was done there before goes on along the line.
    page.goes(json!(2));
    assert_eq!(page.goes(json!("redo")).decision, 3);
    let place = page.goes(json!(1));
    let again = place.choices.as_ref().unwrap().moves.iter().find(|one| one.name == texts(&before)[1]);
    let again = page.position(&json!({"ask": "act", "id": 4, "action": again.unwrap().action}));
    assert_eq!((again.line, again.decision, again.lines.len()), (0, 2, 2));
    assert!(page.tries(&json!({"ask": "go", "id": 3, "line": 7, "decision": 0})).is_err());
    page.goes(json!(0));
    assert_eq!(
        page.tries(&json!({"ask": "go", "id": 3, "decision": "undo"})).unwrap_err(),
        "there is nothing to take back"
    );
}

#[test]
fn dice_stay_the_same_unless_others_are_asked_for() {
    let mut page = Page::new();
    let begun = page.table("bundled/dilido", 5);
    let mut first = page.plays(&begun, 3);
    for at in [8, 13, 4] {
        first = page.plays(&first, at);
    }
    let dice = |position: &houserule::workbench::PositionTold| -> Vec<String> {
        texts(position).into_iter().filter(|text| text.starts_with("roll")).collect()
    };
    // Another move, and then the old one on a line of its own.
    let third = page.goes(json!(3));
    let other = page.plays(&third, 0);
    assert_eq!(dice(&other), dice(&first), "the dice don't depend on the move");
    page.goes(json!(3));
    let again = page.plays(&third, 4);
    assert_eq!((again.lines.len(), texts(&again)), (3, texts(&first)));
    // Other dice replace those after the last decision alone.
    let others: BTreeSet<Vec<String>> = (0..8)
        .map(|_| {
            page.position(&json!({"ask": "go", "id": 3, "line": 0, "decision": 4}));
            let other = page.position(&json!({"ask": "other-dice", "id": 4}));
            assert_eq!(other.lines[other.line].from_decision, Some(4));
            let (old, new) = (texts(&first), texts(&other));
            let same = old.len() - 1;
            assert_eq!(old[..same], new[..same]);
            dice(&other)
        })
        .collect();
    assert!(others.len() > 2, "{others:?}");
    assert_eq!(page.position(&json!({"ask": "go", "id": 3, "line": 0, "decision": 4})).svg, first.svg);
}

fn cards(svg: &str) -> BTreeSet<&str> {
    svg.split("data-thing=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .filter(|thing| thing.starts_with("card:"))
        .collect()
}

#[test]
fn hands_are_hidden_behind_a_hand_over() {
    let mut page = Page::new();
    let begun = page.table("bundled/crazy-eights", 3);
    let over = begun.hand_over.clone().expect("a hand-over");
    assert_eq!((over.from, over.to, begun.viewer), (None, 0, None));
    assert!(begun.svg.is_empty() && begun.choices.is_none());
    assert!(texts(&begun).iter().filter(|text| text.is_empty()).count() >= 10, "{:?}", texts(&begun));
    let one = page.position(&json!({"ask": "take-screen", "id": 2}));
    assert_eq!((one.viewer, one.hand_over.is_none()), (Some(0), true));
    let mine = one.svg.clone();
    let played = page.plays(&one, 0);
    let other = match &played.hand_over {
        // Whoever draws sees the card first.
        Some(over) if over.news => page.position(&json!({"ask": "take-screen", "id": 3})),
        Some(over) => {
            assert_eq!((over.from, over.to, played.svg.as_str()), (Some(0), 1, ""));
            page.position(&json!({"ask": "take-screen", "id": 3}))
        }
        None => panic!("the other seat decides next"),
    };
    assert_eq!(other.viewer, Some(1));
    let (mine, theirs) = (cards(&mine), cards(&other.svg));
    assert!(mine.len() > 4 && theirs.len() > 4);
    let common: Vec<&&str> = mine.intersection(&theirs).collect();
    assert!(common.len() <= 2, "only what lies open is in both: {common:?}");
    assert_ne!(texts(&one), texts(&other)[..texts(&one).len()], "each saw other cards dealt");
    assert!(page.tries(&json!({"ask": "take-screen", "id": 4})).is_err());
    // Going back to a place of the other hands the screen over again.
    let back = page.goes(json!(0));
    let over = back.hand_over.expect("a hand-over");
    assert_eq!((over.from, over.to, over.news, back.choices.is_none()), (Some(1), 0, true, true));
    assert_eq!(back.viewer, Some(1), "until then it is the screen of the other");
    assert!(cards(&back.svg).intersection(&mine).count() <= 2);
}

const RULES: &str = "game \"Rows\" {
  players X, O
  board cell = grid(3, 3)
  piece mark[player]
  dice die: 1 of d6
  turn {
    roll die
    choose place { place c in empty { put mark[me] at c } otherwise { end game } }
  }
  score { marks: count(mark[me]) }
}
";

#[test]
fn changed_rules_replay_the_game_and_say_where_it_differs() {
    let mut page = Page::new();
    assert!(page.edits("rows.rules", 1, RULES).is_none());
    let mut position = page.table("rows.rules", 4);
    for name in ["place a1", "place c3", "place b2"] {
        position = page.position(&json!({"ask": "type", "id": 2, "text": name}));
    }
    assert!(page.edits("rows.rules", 2, "game \"Rows\" {").is_none(), "rules with errors change nothing");
    let smaller =
        page.edits("rows.rules", 3, &RULES.replace("grid(3, 3)", "grid(2, 2)")).expect("a new position");
    let differs = smaller.differs.clone().expect("the game differs");
    assert_eq!(differs.decision, 1);
    assert_eq!(differs.words, "the new rules don't allow O `place c3` here");
    assert_eq!((smaller.id, smaller.decision, smaller.of), (None, 1, 1));
    assert!(texts(&smaller)[1] == "place a1");
    // What goes nowhere forgets no place.
    assert!(page.tries(&json!({"ask": "type", "id": 2, "text": "place c3"})).is_err());
    page.position(&json!({"ask": "seat", "id": 2, "seat": 0, "agent": "person"}));
    // Another score fits, and the game is all there again.
    let scored = page.edits("rows.rules", 4, &RULES.replace("count(mark[me])", "3 * count(mark[me])"));
    let scored = scored.expect("a new position");
    assert_eq!((scored.differs.as_ref(), scored.decision, scored.of), (None, 3, 3), "the place is back");
    let end = page.goes(json!(3));
    assert_eq!(texts(&end), texts(&position));
    assert_eq!((end.seats[0].score, position.seats[0].score), (Some(6), Some(2)));
    // A place that was gone to stays.
    page.edits("rows.rules", 5, &RULES.replace("grid(3, 3)", "grid(2, 2)"));
    page.goes(json!(0));
    let stays = page.edits("rows.rules", 6, RULES).expect("a new position");
    assert_eq!((stays.decision, stays.of), (0, 3));
    page.goes(json!(3));
    // Acting on a line that was cut off begins another one.
    page.edits("rows.rules", 7, &RULES.replace("grid(3, 3)", "grid(2, 2)"));
    let acted = page.position(&json!({"ask": "type", "id": 2, "text": "place b2"}));
    assert_eq!((acted.line, acted.lines.len()), (1, 2));
    let mended = page.edits("rows.rules", 8, RULES).expect("a new position");
    let whole = page.position(&json!({"ask": "go", "id": 3, "line": 0, "decision": 3}));
    assert_eq!((mended.lines[0].decisions, texts(&whole)), (3, texts(&position)));
    // A shorter game ends before what was played.
    let short =
        page.edits("rows.rules", 9, &RULES.replace("turn {", "end two when count(mark) == 2\n  turn {"));
    let words = short.expect("a new position").differs.expect("the game differs").words;
    assert_eq!(words, "by the new rules the game is over before `roll die 2`", "{words}");
}

#[test]
fn agents_go_on_step_by_step_and_an_earlier_place_has_their_moves() {
    let mut page = Page::new();
    let ask = json!({"ask": "table", "id": 1, "path": "bundled/tic-tac-toe", "seed": 9, "seats": ["person", "greedy"]});
    let begun = page.position(&ask);
    assert_eq!(begun.seats.iter().map(|seat| seat.agent.as_str()).collect::<Vec<_>>(), ["person", "greedy"]);
    let acted = page.plays(&begun, 0);
    assert!(acted.choices.is_none() && acted.seat == Some(1), "the agent waits for a step");
    let stepped = page.position(&json!({"ask": "step", "id": 2}));
    assert_eq!((stepped.decision, stepped.choices.is_some()), (2, true));
    assert_eq!(page.position(&json!({"ask": "step", "id": 2})).decision, 2, "a person is asked");
    let back = page.goes(json!("undo"));
    assert_eq!((back.decision, back.of), (0, 2));
    assert_eq!(texts(&page.goes(json!("redo"))), texts(&stepped));
    page.position(&json!({"ask": "seat", "id": 4, "seat": 0, "agent": "random"}));
    let over = page.position(&json!({"ask": "step", "id": 5}));
    assert!(!over.over.is_empty() && over.decision > 4, "{:?}", over.over);
    assert!(
        page.tries(&json!({"ask": "seat", "id": 4, "seat": 0, "agent": "gredy"}))
            .unwrap_err()
            .contains("greedy")
    );
    assert!(page.tries(&json!({"ask": "act", "id": 4, "action": 0})).is_err());
}

#[test]
fn dice_can_be_reported() {
    let mut page = Page::new();
    let ask = json!({"ask": "table", "id": 1, "path": "bundled/dilido", "seed": 1, "dice": "reported"});
    let begun = page.position(&ask);
    let chance = begun.chance.expect("a question");
    assert_eq!(chance.outcomes.len(), 36);
    let wanted = chance.outcomes.iter().find(|one| one.name == "3 5").expect("an outcome");
    let rolled = page.position(&json!({"ask": "settle", "id": 2, "outcome": wanted.outcome}));
    assert_eq!(texts(&rolled), ["roll pair 3 5"]);
    page.goes(json!("undo"));
    let typed = page.position(&json!({"ask": "settle", "id": 3, "outcome": "4 6"}));
    assert_eq!((texts(&typed), typed.line), (vec!["roll pair 4 6".to_owned()], 1));
    page.goes(json!("undo"));
    assert!(page.tries(&json!({"ask": "type", "id": 4, "text": "4 7"})).unwrap_err().contains("1 to 6"));
}

#[test]
fn a_game_is_resumed_from_what_was_told() {
    for (game, seed) in [("bundled/dilido", 3), ("bundled/crazy-eights", 4), ("bundled/kalah", 5)] {
        let seats = json!(["random", "random"][..if game.ends_with("dilido") { 1 } else { 2 }]);
        let mut page = Page::new();
        let ask = json!({"ask": "table", "id": 1, "path": game, "seed": seed, "seats": seats});
        page.position(&ask);
        let mut played = page.position(&json!({"ask": "step", "id": 2, "one": true}));
        for _ in 0..10 {
            played = page.position(&json!({"ask": "step", "id": 2, "one": true}));
        }
        let mut again = ask.clone();
        again["events"] = json!(played.events);
        let resumed = Page::new().position(&again);
        assert_eq!((texts(&resumed), resumed.svg), (texts(&played), played.svg), "{game}");
    }
}

#[test]
fn a_score_is_explained_with_its_sites() {
    let mut page = Page::new();
    let mut position = page.table("bundled/dilido", 2);
    while position.over.is_empty() {
        position = page.plays(&position, 0);
    }
    let score = &position.scores[0];
    assert_eq!(Some(score.total), position.seats[0].score);
    let run = score.items.iter().find(|item| item.things.len() > 2).expect("a run with sites");
    assert!(run.words.contains("dots"), "{}", run.words);
    assert!(run.things.iter().all(|thing| position.svg.contains(&format!("data-thing=\"{thing}\""))));
}

#[test]
fn a_slow_agent_can_be_interrupted_and_the_game_stays() {
    let mut page = Page::new();
    let seats = json!(["mcts:1000000", "person"]);
    page.position(&json!({"ask": "table", "id": 1, "path": "bundled/gomoku", "seed": 1, "seats": seats}));
    let stop = houserule::interrupt::Interrupt::new();
    stop.set();
    assert!(stop.scope(|| page.position(&json!({"ask": "step", "id": 2}))).is_err());
    let still = page.goes(json!(0));
    assert_eq!((still.decision, still.of, still.lines.len()), (0, 0, 1));
}

#[test]
fn a_place_is_drawn_as_from_the_whole_history() {
    let games =
        [("bundled/chess", 2), ("bundled/kalah", 2), ("bundled/dilido", 1), ("bundled/crazy-eights", 2)];
    for (game, seats) in extent::some_of("table", 2, games) {
        let mut page = Page::new();
        let seats = vec!["random"; seats];
        let mut ask = json!({"ask": "table", "id": 1, "path": game, "seed": 3, "seats": seats});
        page.position(&ask);
        let played = page.position(&json!({"ask": "step", "id": 2}));
        for decision in [0, 1, 2, 3, 7, 16] {
            let place = page.goes(json!(decision));
            ask["events"] = json!(played.events[..place.events.len()]);
            // A resumed game has other places, of which one is before each event.
            let resumed = Page::new().position(&ask);
            assert_eq!(place.svg, resumed.svg, "{game}, {decision}");
            assert!(decision == 0 || place.svg.contains("Last move"), "{game}, {decision}");
        }
    }
}

/// Each has cards that nobody else sees, and plays one.
const ORDER: &str = "game \"Order\" {
  players 2
  domain card = 1..9
  zone stock of card seen by none
  zone hand[player] of card seen by owner
  zone laid of card
  var points[player]: 0..99
  setup deal { for n in 1..2 { deal 1 from stock to hand } }
  turn { choose { play c in hand[me] { move c to laid; points[me] += c } } }
  end when hand is nothing
  score { points: points[me] }
}
";

#[test]
fn a_card_that_is_played_does_not_tell_when_it_was_drawn() {
    let mut page = Page::new();
    page.edits("order.rules", 1, ORDER);
    let mut told = |events: [&str; 5], seats: [&str; 2]| {
        let ask = json!({"ask": "table", "id": 1, "path": "order.rules", "seed": 1, "seats": seats, "events": events});
        page.position(&ask)
    };
    let (first, second) = (
        ["pick 3", "pick 1", "pick 7", "pick 2", "play 7"],
        ["pick 7", "pick 1", "pick 3", "pick 2", "play 7"],
    );
    let seen = told(first, ["random", "person"]);
    assert_eq!(seen, told(second, ["random", "person"]));
    assert_eq!(texts(&seen), ["", "pick 1", "", "pick 2", "play 7"]);
    let zones: Vec<Option<&str>> = seen.events.iter().map(|event| event.zone.as_deref()).collect();
    let (mine, other) = (Some("hand[player-2]"), Some("hand[player-1]"));
    assert_eq!(zones, [other, mine, other, mine, None]);
    // The player who drew them sees them.
    assert_ne!(told(first, ["person", "random"]), told(second, ["person", "random"]));
}

#[test]
fn where_changed_rules_differ_names_nothing_hidden() {
    let mut named = 0;
    for seed in 1..9 {
        let mut page = Page::new();
        page.edits("order.rules", 1, ORDER);
        let ask = json!({"ask": "table", "id": 1, "path": "order.rules", "seed": seed, "seats": ["person", "random"]});
        let known: Vec<String> = texts(&page.position(&ask));
        for (version, cards) in [(2, "1..6"), (3, "1..5"), (4, "1..6")] {
            let edited =
                page.edits("order.rules", version, &ORDER.replace("1..9", cards)).expect("a new position");
            let Some(differs) = edited.differs else { continue };
            let event = differs.words.split('`').nth(1);
            assert!(event.is_none_or(|event| known.iter().any(|text| text == event)), "{}", differs.words);
            named += usize::from(event.is_some());
        }
    }
    assert!(named > 0, "the own cards are named");
}

#[test]
fn a_turn_without_a_move_is_in_the_log_and_is_no_event() {
    let rules = "game \"Pay\" { players 2 domain card = 1..6
      zone stock of card seen by none zone hand[player] of card seen by owner zone pile of card ordered
      setup { deal 3 from stock to hand }
      turn { choose { lay c in hand[me] where c == count(pile) + 1 { move c to pile } otherwise { } } }
      end out when hand[me] is nothing: win me }";
    let mut page = Page::new();
    page.edits("pay.rules", 1, rules);
    let mut passed = 0;
    for seed in 1..5 {
        let ask = |events: serde_json::Value| json!({"ask": "table", "id": 1, "path": "pay.rules", "seed": seed, "seats": ["random", "random"], "events": events});
        page.position(&ask(json!([])));
        let over = page.position(&json!({"ask": "step", "id": 2}));
        passed += texts(&over).iter().filter(|text| **text == "no move").count();
        // A page takes the game up again from what it was told.
        let again = page.position(&ask(serde_json::to_value(&over.events).unwrap()));
        assert_eq!((texts(&again), again.decision), (texts(&over), over.decision));
    }
    assert!(passed > 0);
}

#[test]
fn what_goes_from_zone_to_zone_is_in_the_log_and_is_no_event() {
    let rules = "game \"Aside\" { players 2 domain card = 1..12
      zone stock of card seen by none zone hand[player] of card seen by owner zone aside of card
      setup { deal 3 from stock to hand }
      turn { choose { keep c in hand[me] { move hand[me] - {c} to aside } } }
      end over when round == 2 }";
    let mut page = Page::new();
    page.edits("aside.rules", 1, rules);
    let ask = |events: serde_json::Value| json!({"ask": "table", "id": 1, "path": "aside.rules", "seed": 3, "seats": ["random", "random"], "events": events});
    page.position(&ask(json!([])));
    let played = page.position(&json!({"ask": "step", "id": 2, "one": true}));
    let is_moved =
        |text: &str| text.starts_with("moved: ") && text.ends_with(" from hand[player-1] to aside");
    let moved = played.events.iter().find(|event| event.text.as_deref().is_some_and(is_moved));
    let moved = moved.expect("a line of what was moved");
    assert_eq!((json!(moved.kind), moved.decision, moved.seat), (json!("moved"), 1, None));
    // A page takes the game up again from what it was told.
    let again = page.position(&ask(serde_json::to_value(&played.events).unwrap()));
    assert_eq!((texts(&again), again.decision), (texts(&played), played.decision));
}

#[test]
fn the_count_of_copies_in_a_hand_does_not_tell_their_kinds() {
    let rules = "game \"Count\" { players 2 enum fruit { apple, pear, plum }
      zone box of fruit = [apple: 6, pear: 6, plum: 6] seen by none zone hand[player] of fruit seen by owner zone pile of fruit
      setup { deal 4 from box to hand }
      turn { choose { lay f in hand[me] { move f from hand[me] to pile } wait { } } }
      end over when round == 9
      score { cards: count(hand[me]) } }";
    let mut page = Page::new();
    page.edits("count.rules", 1, rules);
    let ask = json!({"ask": "table", "id": 1, "path": "count.rules", "seed": 2, "seats": ["person", "random"], "events": []});
    let scores = page.position(&ask).scores;
    assert_eq!(scores.iter().map(|score| (score.seat, score.total)).collect::<Vec<_>>(), [(0, 4), (1, 4)]);
    // The own hand is told kind by kind, that of the other only as a number.
    let kinds = ["apple", "pear", "plum"];
    assert!(scores[0].items.iter().all(|item| kinds.contains(&item.words.as_str())), "{:?}", scores[0]);
    assert_eq!(scores[1].items.len(), 1, "{:?}", scores[1]);
    assert!(!kinds.contains(&scores[1].items[0].words.as_str()), "{:?}", scores[1]);
}

#[test]
fn what_people_read_has_the_names_that_the_board_shows() {
    let rules = "game \"Up\" { players 2 enum suit { clubs, hearts } shown as [clubs: \"♣\", hearts: \"♥\"]
      domain card { suit: suit, rank: 7..9 }
      dice die: 1 of {1, 2, claw, heart}
      zone deck of card zone pile of card
      turn { roll die choose { take c in deck { move c to pile } } }
      end over when round == 3
      score { cards: sum c in pile: c.rank } }";
    let mut page = Page::new();
    page.edits("up.rules", 1, rules);
    let ask = json!({"ask": "table", "id": 1, "path": "up.rules", "seed": 1, "dice": "reported"});
    let chance = page.position(&ask).chance.expect("a question");
    let outcomes: Vec<&str> = chance.outcomes.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(outcomes, ["1", "2", "claw", "heart"]);
    let claw = chance.outcomes[2].outcome;
    let rolled = page.position(&json!({"ask": "settle", "id": 2, "outcome": claw}));
    let moves = &rolled.choices.as_ref().expect("a decision").moves;
    assert_eq!((moves[0].name.as_str(), moves[0].words.as_str()), ("take clubs-7", "take ♣7"));
    let taken = page.plays(&rolled, 0);
    let said = |position: &houserule::workbench::PositionTold| -> Vec<String> {
        position.events.iter().map(|event| event.said.clone().unwrap_or_default()).collect()
    };
    assert_eq!((texts(&taken)[0].as_str(), texts(&taken)[1].as_str()), ("roll die 3", "take clubs-7"));
    assert_eq!((said(&taken)[0].as_str(), said(&taken)[1].as_str()), ("roll die claw", "take ♣7"));
    assert!(taken.scores[0].items.iter().any(|item| item.words == "♣7"), "{:?}", taken.scores);
    // The game is resumed from what was told.
    let mut again = ask.clone();
    again["events"] = json!(taken.events);
    let mut resumed = Page::new();
    resumed.edits("up.rules", 1, rules);
    let resumed = resumed.position(&again);
    assert_eq!((texts(&resumed), said(&resumed)), (texts(&taken), said(&taken)));
    // Why the game differs under other rules is said in these names, too.
    let other = rules.replace("take c in deck", "take c in deck where c.rank == 9");
    let edited = page.edits("up.rules", 2, &other).expect("a new position");
    let mut resumed = Page::new();
    resumed.edits("up.rules", 1, &other);
    for position in [edited, resumed.position(&again)] {
        let differs = position.differs.expect("the game differs");
        assert_eq!(differs.words, "the new rules don't allow player 1 `take ♣7` here");
    }
}

#[test]
fn moved_cards_are_said_as_the_board_shows_them() {
    let rules =
        "game \"Aside\" { players 2 enum suit { clubs, hearts } shown as [clubs: \"♣\", hearts: \"♥\"]
      domain card { suit: suit, rank: 1..6 }
      zone stock of card seen by none zone hand[player] of card seen by owner zone aside of card
      setup { deal 3 from stock to hand }
      turn { choose { keep c in hand[me] { move hand[me] - {c} to aside } } }
      end over when round == 2 }";
    let mut page = Page::new();
    page.edits("aside.rules", 1, rules);
    page.position(
        &json!({"ask": "table", "id": 1, "path": "aside.rules", "seed": 3, "seats": ["random", "random"]}),
    );
    let played = page.position(&json!({"ask": "step", "id": 2, "one": true}));
    let said = played.events.iter().filter_map(|event| event.said.as_deref());
    let moved = said.clone().find(|said| said.starts_with("moved: ")).expect("a line of what was moved");
    assert!(moved.ends_with(" from hand[player-1] to aside") && moved.contains(['♣', '♥']), "{moved}");
    for said in said {
        assert!(!said.contains("clubs") && !said.contains("hearts"), "{said}");
    }
}

#[test]
fn how_much_another_player_has_chosen_together_is_not_in_the_log() {
    let rules = "game \"Haggle\" { players A, B, C var bid[player]: 0..9 = 0 each round
      round {
        together as me { choose {
          haggle { choose { offer n in 0..3 { bid[me] = n } } choose { again_ n in 0..3 { bid[me] = n } } }
          hold { }
        } }
      }
      end late of round when round == 4 score { bid: bid[me] } }";
    let mut page = Page::new();
    page.edits("haggle.rules", 1, rules);
    page.table("haggle.rules", 3);
    page.position(&json!({"ask": "take-screen", "id": 2}));
    for text in ["haggle", "offer 1", "again_ 2"] {
        page.position(&json!({"ask": "type", "id": 2, "text": text}));
    }
    let second = page.position(&json!({"ask": "take-screen", "id": 3}));
    assert_eq!((second.viewer, texts(&second)), (Some(1), vec!["?".to_owned()]));
    page.position(&json!({"ask": "type", "id": 2, "text": "hold"}));
    page.position(&json!({"ask": "take-screen", "id": 3}));
    page.position(&json!({"ask": "type", "id": 2, "text": "hold"}));
    // Once all have chosen, each choice is a line.
    let all = page.position(&json!({"ask": "take-screen", "id": 3}));
    assert_eq!(texts(&all), ["haggle", "offer 1", "again_ 2", "hold", "hold"]);
    let seats: Vec<Option<u32>> = all.events.iter().map(|event| event.seat).collect();
    assert_eq!(seats, [Some(0), Some(0), Some(0), Some(1), Some(2)]);
}

/// The natural width of a drawing.
fn width(position: &PositionTold) -> f64 {
    let (_, after) = position.svg.split_once("viewBox=\"0 0 ").expect("a viewBox");
    after.split(' ').next().expect("a width").parse().expect("a number")
}

#[test]
fn the_table_is_drawn_for_the_width_of_the_page() {
    let mut page = Page::new();
    let begins =
        |form: &str| json!({"ask": "table", "id": 1, "path": "bundled/whist", "seed": 1, "form": form});
    page.table("bundled/whist", 1);
    let wide = page.position(&json!({"ask": "take-screen", "id": 2}));
    let narrow = page.position(&json!({"ask": "arrange", "id": 4, "form": "narrow"}));
    assert!(width(&narrow) < 600.0 && 900.0 < width(&wide));
    // The place is the same, and the next move keeps the form.
    assert_eq!((narrow.decision, narrow.events.len()), (wide.decision, wide.events.len()));
    let played = page.plays(&narrow, 0);
    assert!(played.hand_over.is_some());
    assert!(width(&page.position(&json!({"ask": "take-screen", "id": 5}))) < 600.0);
    page.position(&begins("narrow"));
    assert!(width(&page.position(&json!({"ask": "take-screen", "id": 6}))) < 600.0);
}

#[test]
fn the_shapes_of_a_table_begin_with_the_hand() {
    let mut page = Page::new();
    page.table("bundled/whist", 1);
    let shown = page.position(&json!({"ask": "take-screen", "id": 2}));
    let things: Vec<&str> =
        shown.svg.split("data-thing=\"").skip(1).filter_map(|one| one.split('"').next()).collect();
    let cards = things.iter().take_while(|thing| thing.starts_with("card:")).count();
    assert!(cards >= 13, "{things:?}");
    assert!(things[cards..].iter().any(|thing| thing.starts_with("player:")), "{things:?}");
    // Each card is a group of its own, which the page can lift.
    assert!(shown.svg.matches("<g class=\"card\">").count() >= 13);
}
