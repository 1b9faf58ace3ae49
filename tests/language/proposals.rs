//! What a message proposes is right: the text that follows it has no errors.

use crate::checked::check_text;
use houserule::check::CheckOptions;
use houserule::diagnostic::{Diagnostic, FileId, Severity};
use houserule::syntax::parse;

/// A row of pins. Its choice has a name.
const PINS: &str = r#"game "Pins" {
  param pins: 2..30 = 12
  players anna, ben
  board spot = track(pins)
  piece pin
  setup { put pin at spot }
  turn {
    step look { }
    step take { choose knock { one a in pin { clear a } two a in pin, b in pin & toward(a, forward) { clear a | b } } }
  }
  end last when pin is nothing: win me
}"#;

/// The same with a choice that has no name.
const UNNAMED: &str = r#"game "Pins" {
  players anna, ben
  board spot = track(12)
  piece pin
  setup { put pin at spot }
  turn { choose { one a in pin { clear a } two a in pin, b in pin & toward(a, forward) { clear a | b } } }
  end last when pin is nothing: win me
}"#;

/// A game of cards.
const CARDS: &str = r#"game "Cards" {
  players 3..4
  enum suit { clubs, diamonds, hearts, spades }
  domain card { suit: suit, rank: 1..13 }
  zone deck of card seen by none
  zone hand[player] of card seen by owner
  zone laid of card
  setup { deal 4 from deck to hand }
  turn { choose lay { play c in hand[me] { move c to laid } otherwise { } } }
  end out when hand[me] is nothing: win me
  score { left: -count(hand[me]) }
}"#;

/// A game of copies and numbers.
const SEEDS: &str = r#"game "Seeds" {
  players 2..3
  board house = grid(6, 2)
  enum colour { red, blue, green }
  domain card { rank: 1..8, colour: colour } = [guard: (1, red), baron: (3, blue), king: (6, green)]
  zone deck of card = [guard: 9, baron: 9, king: 9] seen by none
  zone hand[player] of card seen by owner
  zone laid of card
  var seeds[house]: 0..72 = 3
  var store[player]: 0..72 = 0
  var safe[player]: bool = false
  var trump: colour = red
  define value(p) = sum c in hand[p]: c.rank
  setup { deal 3 from deck to hand }
  turn {
    choose lay { play c in hand[me] { move c from hand[me] to laid  store[me] += 1  safe[me] = true } otherwise { } }
    step count_up { if seeds[@a1] < 72 { seeds[@a1] += 1 }  trump = blue }
  }
  end out when hand[me] is nothing or seeds[@a1] == 72: win me
  score { stored: if safe[me] and trump == red then store[me] else value(me) }
}"#;

/// A wrong change of a game, and what its message says.
struct ProposalCase {
    game: &'static str,
    wrong: &'static str,
    code: &'static str,
    /// What the message marks.
    marked: &'static str,
    /// Words of the message.
    words: &'static str,
    /// What is written if the message is followed.
    right: &'static str,
}

const fn row(
    game: &'static str,
    wrong: &'static str,
    code: &'static str,
    marked: &'static str,
    words: &'static str,
    right: &'static str,
) -> ProposalCase {
    ProposalCase { game, wrong, code, marked, words, right }
}

#[rustfmt::skip]
const PROPOSALS: &[ProposalCase] = &[
    row(PINS, "end last when pin is empty: win me", "unknown-property", "empty", "write `is nothing`",
        "end last when pin is nothing: win me"),
    row(PINS, "end last when pin is not empty: win me", "unknown-property", "empty", "write `is some`",
        "end last when pin is some: win me"),
    row(PINS, "end last when any a in spot: a is empty: win me", "unknown-property", "empty", "write `in empty`",
        "end last when any a in spot: a in empty: win me"),
    row(PINS, "end last when any a in spot: a is not occupied: win me", "unknown-property", "occupied", "write `in empty`",
        "end last when any a in spot: a in empty: win me"),
    row(PINS, "end last when any a in spot: a is pin: win me", "unknown-property", "pin", "write `in pin`",
        "end last when any a in spot: a in pin: win me"),
    row(CARDS, "end out when hand[me] == empty: win me", "no-board", "empty", "`… is nothing`",
        "end out when hand[me] is nothing: win me"),

    row(PINS, "extend knock {\n pair a in pin, b in pin & toward(a, forward) { clear a | b }\n new skip_it where count(pin) > 3 \"leave\" { } }",
        "stray-word", "new", "an option that is added to a choice needs no `new`",
        "extend knock {\n pair a in pin, b in pin & toward(a, forward) { clear a | b }\n skip_it where count(pin) > 3 \"leave\" { } }"),
    row(PINS, "extend knock { change one a in pin where count(pin) > 3 { clear a } }", "stray-word", "change",
        "an option of that name replaces the old one, and needs no `change`",
        "extend knock { one a in pin where count(pin) > 3 { clear a } }"),
    row(PINS, "extend knock { new otherwise { } }", "stray-word", "new", "`otherwise` needs no `new` here",
        "extend knock { otherwise { } }"),
    row(PINS, "extend knock { remove two }", "stray-word", "remove two", "write `without two`", "extend knock { without two }"),
    row(PINS, "extend knock { without option two }", "stray-word", "option", "leave `option` out", "extend knock { without two }"),
    row(PINS, "extend knock { extend two { end game } }", "stray-word", "extend", "`after two { … }`",
        "extend knock { after two { end game } }"),
    row(PINS, "new extend knock { without two }", "stray-word", "new", "leave `new` out", "extend knock { without two }"),
    row(PINS, "extend choose knock { without two }", "stray-word", "choose", "leave `choose` out", "extend knock { without two }"),
    row(PINS, "extend two { without two }", "unknown-target", "two", "write `extend knock { … }`", "extend knock { without two }"),
    row(PINS, "extend knock { three a, b in pin { clear a | b } }", "expected-sign", ",", "`a in pin, b in pin`",
        "extend knock { three a in pin, b in pin { clear a | b } }"),
    row(PINS, "after step more { }", "expected-name", "step", "write `after STEP step more { … }`", "after look step more { }"),
    row(PINS, "after look more { }", "expected-word", "more", "`after look step more { … }`", "after look step more { }"),

    row(UNNAMED, "extend choose { without two }", "unknown-target", "choose", "write `choose NAME { … }`",
        "turn { choose { one a in pin { clear a } } }"),
    row(UNNAMED, "extend turn { without two }", "unknown-target", "turn", "replace the whole `turn { … }`",
        "turn { choose { one a in pin { clear a } } }"),
    row(UNNAMED, "without otherwise choose", "nothing-to-remove", "choose", "this choice has no name", ""),
    row(UNNAMED, "without choose turn", "nothing-to-remove", "turn", "this choice has no name", ""),
    row(UNNAMED, "after look step more { }", "unknown-target", "look", "it has no steps", ""),

    row(CARDS, "end out when owner(card(clubs, 1)) == me: win me", "not-a-function", "card",
        "`{ c in card where c.suit == clubs and c.rank == 1 }`",
        "end out when owner(lowest({ c in card where c.suit == clubs and c.rank == 1 })) == me: win me"),
    row(CARDS, "end out when owner(card[clubs, 1]) == me: win me", "not-indexed", "card",
        "`{ c in card where c.suit == clubs and c.rank == 1 }`", ""),
    row(CARDS, "end out when clubs-1 in laid: win me", "type-mismatch", "clubs-1",
        "`{ c in card where c.suit == clubs and c.rank == 1 }`",
        "end out when { c in card where c.suit == clubs and c.rank == 1 } in laid: win me"),
    row(CARDS, "end out when clubs_1 in laid: win me", "unknown-name", "clubs_1",
        "`{ c in card where c.suit == clubs and c.rank == 1 }`", ""),
    row(CARDS, "end out when suit(clubs) == clubs: win me", "not-a-function", "suit", "written alone: `clubs`", ""),
    row(CARDS, "end out when players[1] == me: win me", "not-indexed", "players", "`player 1`",
        "end out when player 1 == me: win me"),
    row(CARDS, "end out when any c in hand[me]: c == 7: win me", "type-mismatch", "7", "`.rank`",
        "end out when any c in hand[me]: c.rank == 7: win me"),
    row(CARDS, "end out when any c in hand[me]: c > 7: win me", "type-mismatch", "c", "`.rank`",
        "end out when any c in hand[me]: c.rank > 7: win me"),
    row(CARDS, "end out when any c in hand[me]: c == clubs: win me", "type-mismatch", "clubs", "`.suit`",
        "end out when any c in hand[me]: c.suit == clubs: win me"),
    row(PINS, "end last when pin(1): win me", "not-a-function", "pin", "write `pin`", ""),
    row(PINS, "end last when any a in pin: a == spot[3]: win me", "not-indexed", "spot", "`spot(3)`",
        "end last when any a in pin: a == spot(3): win me"),
    row(PINS, "end last when any a in pin: any b in pin: b == a + 1: win me", "type-mismatch", "a", "`step(c, forward)`",
        "end last when any a in pin: any b in pin: b == step(a, forward): win me"),
    row(PINS, "end last when any a in pin: a == 3: win me", "type-mismatch", "3", "`spot(…)`",
        "end last when any a in pin: a == spot(3): win me"),

    row(CARDS, "fix players = 3", "nothing-to-replace", "players", "write `players 3`", "players 3"),
    row(CARDS, "param players = 3", "nothing-to-replace", "players", "write `players 3`", "players 3"),
    row(CARDS, "new param players = 3", "expected-name", "players", "write `players 3`", "players 3"),

    row(CARDS, "score { without left }", "stray-word", "without", "write `without score left`", "without score left"),
    row(CARDS, "score { change left: 1 }", "stray-word", "change", "leave `change` out", "score { left: 1 }"),
    row(CARDS, "score { add more: 1 }", "stray-word", "add", "`new more: …`", "score { new more: 1 }"),
    row(CARDS, "setup { deal all from deck to hand }", "expected-value", "all", "deal 1 from deck to hand[p]",
        "setup { while deck is some { for p in players { deal 1 from deck to hand[p] } } }"),
    row(CARDS, "setup { deal all from deck to hand[player 1] }", "expected-value", "all",
        "write `deal count(deck) from deck to hand[player 1]`", "setup { deal count(deck) from deck to hand[player 1] }"),
    row(CARDS, "setup { move all from deck to laid }", "expected-value", "all", "write `move deck to laid`",
        "setup { move deck to laid }"),
    row(CARDS, "setup { draw all from deck to laid }", "expected-name", "all", "`deal count(deck) from deck to laid`",
        "setup { deal count(deck) from deck to laid }"),
    row(CARDS, "setup { deal from deck to hand }", "expected-value", "from", "`deal n from S to ZONE`",
        "setup { deal 4 from deck to hand }"),
    row(CARDS, "setup { deal 4 to hand }", "expected-word", "to", "`deal n from S to ZONE`", "setup { deal 4 from deck to hand }"),
    row(CARDS, "turn { choose lay { play c in hand[me] { remove c } } }", "unknown-statement", "remove", "`move CARD to ZONE`",
        "turn { choose lay { play c in hand[me] { move c to laid } } }"),
    row(CARDS, "end out when hand[me] is nothing: lose max p in players: count(hand[p])", "type-mismatch",
        "max p in players: count(hand[p])", "`best p in players by count(hand[p])`",
        "end out when hand[me] is nothing: lose best p in players by count(hand[p])"),
    row(CARDS, "end out when hand[me] is nothing: lose most(hand)", "unknown-function", "most", "`best x in S by VALUE`", ""),
    row(CARDS, "end out when hand[me] is nothing: lose fewest(hand)", "unknown-function", "fewest", "`best x in S by -VALUE`", ""),
    row(CARDS, "end out when max(hand[me]) == 3: win me", "type-mismatch", "hand[me]", "`max x in S: VALUE`", ""),

    row(PINS, "end last when (1 if pin is nothing else 2) == 1: win me", "wrong-sign", "if",
        "write `if pin is nothing then 1 else 2`", "end last when (if pin is nothing then 1 else 2) == 1: win me"),
    row(PINS, "end last when (pin is nothing ? 1 : 2) == 1: win me", "wrong-sign", "?",
        "write `if pin is nothing then 1 else 2`", "end last when (if pin is nothing then 1 else 2) == 1: win me"),
    row(PINS, "new define gone = 1 if pin is nothing", "wrong-sign", "if", "write `if pin is nothing then 1 else …`",
        "new define gone = if pin is nothing then 1 else 2"),
    row(SEEDS, "after count_up step more { let n = seeds[@a1] if trump == red else 2 }", "wrong-sign", "if",
        "write `if trump == red then seeds[@a1] else 2`",
        "after count_up step more { let n = if trump == red then seeds[@a1] else 2 }"),
    row(SEEDS, "after count_up step more { store[me] += 1 if trump == red }", "expected-block", "}",
        "write `if trump == red { store[me] += 1 }`", "after count_up step more { if trump == red { store[me] += 1 } }"),
    row(SEEDS, "after count_up step more { seeds[@a1] == 0 }", "unknown-statement", "seeds",
        "write `seeds[@a1] = 0`; `==` compares", "after count_up step more { seeds[@a1] = 0 }"),
    row(SEEDS, "end out if hand[me] is nothing: win me", "expected-word", "if", "a condition is written `when …`",
        "end out when hand[me] is nothing: win me"),
    row(SEEDS, "setup { deal 3 from deck to hand[player] }", "type-mismatch", "player", "write `deal 3 from deck to hand` to deal to each, or `hand[me]`",
        "setup { deal 3 from deck to hand }"),
    row(SEEDS, "setup { deal 3 from deck to hand[players - starter] }", "type-mismatch", "players - starter",
        "write `for p in players - starter { deal 3 from deck to hand[p] }`",
        "setup { for p in players - starter { deal 3 from deck to hand[p] } }"),
    row(SEEDS, "after count_up step more { seeds[row(1)] = 0 }", "type-mismatch", "row(1)",
        "write `for c in row(1) { seeds[c] = 0 }`", "after count_up step more { for c in row(1) { seeds[c] = 0 } }"),
    row(SEEDS, "end out when hand[players] is nothing: win me", "type-mismatch", "players",
        "write `hand` for that of all, or `hand[me]`", "end out when hand is nothing: win me"),
    row(SEEDS, "end out when seeds[row(1)] == 0: win me", "type-mismatch", "row(1)", "`(sum c in row(1): seeds[c]) == …`",
        "end out when (sum c in row(1): seeds[c]) == 0: win me"),
    row(SEEDS, "end out when safe[players]: win me", "type-mismatch", "players", "`any p in players: safe[p]`",
        "end out when any p in players: safe[p]: win me"),
    row(SEEDS, "end out when seeds[@a1] == 2 or 3: win me", "type-mismatch", "3", "write `seeds[@a1] in {2, 3}`",
        "end out when seeds[@a1] in {2, 3}: win me"),
    row(SEEDS, "end out when safe[me] and trump != red and blue: win me", "type-mismatch", "blue",
        "write `trump not in {red, blue}`", "end out when safe[me] and trump not in {red, blue}: win me"),
    row(SEEDS, "end out when seeds[@a1] > 2 or 3: win me", "type-mismatch", "3", "write `seeds[@a1] > 2 or seeds[@a1] > 3`",
        "end out when seeds[@a1] > 2 or seeds[@a1] > 3: win me"),
    row(SEEDS, "define value(p) = hand[p].rank", "unknown-field", "rank",
        "`sum c in hand[p]: c.rank * hand[p, c]` adds the numbers", "define value(p) = sum c in hand[p]: c.rank * hand[p, c]"),
    row(CARDS, "score { left: hand[me].rank }", "unknown-field", "rank", "`sum c in hand[me]: c.rank`",
        "score { left: sum c in hand[me]: c.rank }"),
    row(CARDS, "end out when hand[me].suit == clubs: win me", "unknown-field", "suit",
        "`any c in hand[me]: c.suit == …`", "end out when any c in hand[me]: c.suit == clubs: win me"),
    row(SEEDS, "end out when deck is nothing: win best p in playing by value(p)", "may-be-none", "best p in playing by value(p)",
        "declare `define first = best p in playing by value(p)`, and write `… and first is some: win first`",
        "new define first = best p in playing by value(p)\n end out when deck is nothing and first is some: win first"),
    row(SEEDS, "end out when deck is nothing: lose best p in playing by value(p)", "may-be-none", "best p in playing by value(p)",
        "`lose all best p in playing by value(p)`", "end out when deck is nothing: lose all best p in playing by value(p)"),
    row(SEEDS, "new match { until: total >= 11 }", "wrong-index-count", "total", "write `any p in players: total[p] >= 11`",
        "new match { until: any p in players: total[p] >= 11 }"),
    row(SEEDS, "new match { until: store > 11 and game_number > 2 }", "wrong-index-count", "store",
        "write `any p in players: store[p] > 11 and game_number > 2`",
        "new match { until: any p in players: store[p] > 11 and game_number > 2 }"),
    row(SEEDS, "new match { until: total }", "wrong-index-count", "total", "write `any p in players: total[p] >= 50`",
        "new match { until: any p in players: total[p] >= 50 }"),
];

fn in_variant(game: &str, change: &str) -> String {
    format!("{game}\nvariant \"Changed\" of \"game\" {{\n  {change}\n}}\n")
}

fn errors(text: &str) -> Vec<Diagnostic> {
    let (checked, _) = check_text(text, &CheckOptions::default());
    checked.diagnostics.into_iter().filter(|message| message.severity == Severity::Error).collect()
}

/// All words of a message.
fn said(message: &Diagnostic) -> String {
    let beside: Vec<&str> = message.secondary.iter().map(|label| label.text.as_str()).collect();
    format!("{} {:?} {:?} {beside:?}", message.message, message.help, message.notes)
}

#[test]
fn who_follows_a_message_has_no_error() {
    let mut wrong = String::new();
    for case in PROPOSALS {
        let text = in_variant(case.game, case.wrong);
        let found = errors(&text);
        let is_right = match found.as_slice() {
            [one] => {
                let marked = &text[one.primary.span.start as usize..one.primary.span.end as usize];
                one.code.as_str() == case.code && marked == case.marked && said(one).contains(case.words)
            }
            _ => false,
        };
        if !is_right {
            wrong += &format!("{}\n  {found:?}\n", case.wrong);
        }
        let left = errors(&in_variant(case.game, case.right));
        if !left.is_empty() {
            wrong += &format!("{}\n  {left:?}\n", case.right);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A word of a change can be the name of an option.
#[test]
fn options_may_be_called_like_words_of_changes() {
    for option in
        ["new a in pin { clear a }", "add where count(pin) > 3 { }", "remove a in pin { clear a }", "new { }"]
    {
        let text = in_variant(PINS, &format!("extend knock {{ {option} }}"));
        let (_, messages) = parse(FileId(0), &text);
        assert!(messages.is_empty(), "{option}: {messages:?}");
    }
}

#[test]
fn the_head_of_a_variant_names_its_game_in_quotes() {
    for (head, words) in [
        ("variant \"Moved\" of chess", "write `\"chess\"`"),
        ("variant \"Moved\" of my.rules", "write `\"my.rules\"`"),
        ("variant \"Moved\" of", "`of \"GAME\"`"),
        ("variant \"Moved\"", "of \"GAME\" { … }`"),
    ] {
        let (_, messages) = parse(FileId(0), &format!("{head} {{ }}\n"));
        let helps: Vec<&str> = messages.iter().filter_map(|message| message.help.as_deref()).collect();
        assert!(messages.len() == 1 && helps.iter().all(|help| help.contains(words)), "{head}: {messages:?}");
        assert_eq!(helps.len(), 1, "{head}");
    }
}
