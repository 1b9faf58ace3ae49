//! Random rules test what may be `none`, change things, and use it. What the checker accepts never ends a game because a
//! value is none, and both executors play it alike.

use crate::agree::{Came, agree};
use crate::extent;
use houserule::loader::{Request, load_text};
use houserule::rng::Stream;

/// Number of rule files.
const FILES: (u64, u64) = (250, 20_000);

/// Games of each accepted file.
const GAMES: u64 = 12;

/// The decisions of a game.
const QUESTIONS: u32 = 60;

/// The part of the rules before the turn.
const DECLARATIONS: &str = r#"
  players 3
  enum answer { yes }
  board spot = grid(3, 3)
  piece man[player]
  domain card { rank: 1..3, suit: 1..2 } | { suit: 1..2, joker: answer }
  zone stock of card ordered seen by none
  zone hand[player] of card
  zone pile of card ordered
  var bid[player]: 1..4? = none
  var low: spot? = none
  var who: player? = none
  var other_who: player? = none
  var lead: player = player 1
  var place: spot = @b2
  var group: set of player = {}
  var flag: 0..3 = 0
  var points[player]: -999999..999999 = 0
  define ready(p) = bid[p] is some and bid[p] > 1
  define waiting = { p in players where bid[p] is nothing }
  define worth(c) = 2 * c.suit + 1
  define leader = lowest(group)
  procedure drop() { low = none }
  procedure deep() { if flag == 1 { drop() } }
  procedure lose(p) { bid[p] = none }
  procedure pass_on() { lead = after(lead) }
  procedure add(n) { points[me] += n }
  setup { shuffle stock  deal 2 from stock to hand  put man[player 1] at @a1  put man[player 2] at @c3 }
"#;

/// What may be none, a condition that shows it, and what uses it.
const OPTIONALS: [[&str; 3]; 24] = [
    ["bid[me]", "bid[me] is some", "points[me] += bid[me]"],
    ["bid[me]", "me is ready", "points[me] += bid[me]"],
    ["bid[me]", "not (me in waiting)", "add(bid[me])"],
    ["bid[lead]", "bid[lead] is some", "points[me] += bid[lead]"],
    ["bid[lead]", "bid[lead] != none and flag < 3", "points[lead] += bid[lead] * 2"],
    ["bid[after(me)]", "bid[after(me)] is some", "points[me] -= bid[after(me)]"],
    ["low", "low is some", "points[me] += row(low)"],
    ["low", "low in spot - man", "points[me] += column(low)"],
    ["low", "low == place", "points[me] += row(low)"],
    ["who", "who is some", "points[who] += 1"],
    ["who", "who == me", "points[who] += 1"],
    ["bid[who]", "who is some and bid[who] is some", "points[who] += bid[who]"],
    ["top(pile)", "top(pile) is some", "points[me] += worth(top(pile))"],
    ["top(pile).rank", "top(pile).rank is some", "points[me] += top(pile).rank"],
    ["top(pile)", "pile is some and top(pile) is some", "points[me] += top(pile).suit"],
    ["lowest(hand[me])", "hand[me] is some", "points[me] += lowest(hand[me]).suit"],
    ["highest(hand[lead])", "count(hand[lead]) >= 1", "points[me] += highest(hand[lead]).suit"],
    [
        "lowest(hand[me])",
        "hand[me] & { c in card where c.suit == 1 } is some",
        "points[me] += lowest(hand[me] & { c in card where c.suit == 1 }).suit",
    ],
    ["leader", "leader is some", "points[leader] += 1"],
    ["leader", "me in group", "points[lowest(group)] += 1"],
    ["after(me, group)", "group is some", "points[after(me, group)] += 1"],
    ["step(place, north)", "step(place, north) is some", "points[me] += row(step(place, north))"],
    ["step(place, east)", "step(place, east) in empty", "points[me] += column(step(place, east))"],
    [
        "best p in group by points[p]",
        "any p in group: flag >= 0",
        "points[best p in group by points[p]] += 1",
    ],
];

/// What may make something none, or something else of it.
const CHANGES: [&str; 31] = [
    "bid[me] = none",
    "bid[lead] = none",
    "bid[after(me)] = none",
    "bid[me] = 3",
    "low = none",
    "low = @b3",
    "who = none",
    "who = after(me)",
    "other_who = who",
    "if flag == 1 { who = none }",
    "lead = after(lead)",
    "place = @c3",
    "place = @a1",
    "group = {}",
    "group -= { me }",
    "group += { lead }",
    "flag = (flag + 1) % 4",
    "move hand[me] to stock",
    "move hand[lead] to pile",
    "move pile to stock",
    "if stock is some { draw t from stock to pile }",
    "clear man",
    "put man[player 3] at @b3 replacing",
    "drop()",
    "deep()",
    "lose(me)",
    "lose(lead)",
    "pass_on()",
    "as after(me) { bid[me] = none }",
    "for p in players { bid[p] = none }",
    "add(1)",
];

/// Writes random statements.
struct Writer {
    draw: Stream,
    /// Number of names so far.
    names: u32,
}

impl Writer {
    fn of<'s, T: ?Sized>(&mut self, all: &[&'s T]) -> &'s T {
        all[self.draw.below(all.len() as u64) as usize]
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("x{}", self.names)
    }

    /// Statements of which some use what `known` shows.
    fn block(&mut self, known: &mut Vec<usize>, depth: u32) -> String {
        let count = 1 + self.draw.below(3);
        let all: Vec<String> = (0..count).map(|_| self.statement(known, depth)).collect();
        all.join("\n")
    }

    fn statement(&mut self, known: &mut Vec<usize>, depth: u32) -> String {
        if !known.is_empty() && self.draw.below(2) == 0 {
            let at = known[self.draw.below(known.len() as u64) as usize];
            return OPTIONALS[at][2].to_owned();
        }
        if depth == 0 {
            return self.of(&CHANGES).to_owned();
        }
        let at = self.draw.below(OPTIONALS.len() as u64) as usize;
        let [optional, shown, _] = OPTIONALS[at];
        let mut inside = known.clone();
        let forms = self.draw.below(16);
        if forms < 6 {
            inside.push(at);
        }
        let body = self.block(&mut inside, depth - 1);
        match forms {
            0..=2 => format!("if {shown} {{ {body} }}"),
            3 => format!("if not ({shown}) {{ {} }} else {{ {body} }}", self.of(&CHANGES)),
            4 => format!("if {shown} and flag < 3 {{ {body} }} else {{ {} }}", self.of(&CHANGES)),
            5 => {
                let choice = self.name();
                format!("choose {choice} {{ {choice} where {shown} {{ {body} }}  pass }}")
            }
            6 => {
                known.push(at);
                format!("if not ({shown}) {{ done }}")
            }
            7 => {
                let name = self.name();
                format!("let {name} = {optional}\nif {name} is some {{ {body} }}")
            }
            8 => format!("for {} in 1..2 {{ {body} }}", self.name()),
            9 => {
                let count = self.name();
                format!("let {count} = 0\nrepeat {{ {count} += 1\n{body} }} until {count} == 2")
            }
            10 => format!("as after(me) {{ {body} }}"),
            11 => {
                let name = self.name();
                format!(
                    "for {name} in {{ p in players where bid[p] is some }} {{ {body}\npoints[{name}] += bid[{name}] }}"
                )
            }
            12 => {
                let name = self.name();
                format!(
                    "for {name} in players {{ if bid[{name}] is some {{ {body}\npoints[{name}] += bid[{name}] }} }}"
                )
            }
            13 => format!("each player as me {{ {body} }}"),
            14 => {
                let name = self.name();
                format!(
                    "for {name} in players - waiting {{ points[{name}] += bid[{name}] }}\n{}",
                    self.of(&CHANGES)
                )
            }
            _ => {
                let name = self.name();
                format!(
                    "points[me] += sum {name} in players where bid[{name}] is some: bid[{name}]\n\
                     points[me] += if {shown} then 1 else 0\n{}",
                    self.of(&CHANGES)
                )
            }
        }
    }
}

/// A game with random statements.
fn random_rules(seed: u64) -> String {
    let mut writer = Writer { draw: Stream::new(seed, 0, 0), names: 0 };
    rules(&writer.block(&mut vec![], 3))
}

/// A game with statements after the choice of a turn.
fn rules(body: &str) -> String {
    format!(
        "game \"Tested\" {{{DECLARATIONS}
  turn {{
    choose {{
      bid n in 1..4 {{ bid[me] = n }}
      aim c in spot {{ low = c }}
      go c in spot {{ place = c }}
      point p in players {{ who = p }}
      join {{ group += {{ me }} }}
      lay c in hand[me] {{ move c to pile }}
    }}
    {body}
  }}
  end late when turns[player 3] == 6
  score {{ points: points[me] }}
}}"
    )
}

#[test]
fn what_the_checker_accepts_is_never_none() {
    let files = extent::tries(FILES.0, FILES.1);
    let mut accepted = 0;
    for seed in 0..files {
        let text = random_rules(seed);
        let game = match load_text("tested", &text, &Request::default()) {
            Ok(loaded) => loaded.game,
            Err(error) => {
                let error = error.to_string();
                let (all, of_none) =
                    (error.matches("error[").count(), error.matches("error[may-be-none]").count());
                assert!(all > 0 && all == of_none, "seed {seed}: {error}\n{text}");
                continue;
            }
        };
        accepted += 1;
        for index in 0..GAMES {
            assert_ne!(agree(&game, seed, index, QUESTIONS), Came::Failed, "seed {seed}: {text}");
        }
    }
    assert!(accepted > files / 4, "only {accepted} of {files} files are accepted");
}

/// Statements in which a value is used after a test.
const ACCEPTED: [&str; 28] = [
    "for p in players { if bid[p] is some { points[p] += bid[p] } }",
    "points[me] += sum p in players: if bid[p] is some then bid[p] else 0",
    "points[me] += max p in players where bid[p] is some: bid[p]",
    "points[me] += sum p in me where bid[p] is some: 4 - bid[p]",
    "points[me] += count p in players: bid[p] is nothing or flag > bid[p] - 2",
    "choose again { hit where bid[me] is some { points[me] += bid[me]; bid[me] = none }  pass }",
    "choose again { lay t in hand[me] where top(pile) is nothing or t.suit + 2 > top(pile).suit { move t to pile }  pass }",
    "if bid[me] is nothing { done }  points[me] += bid[me]",
    "if bid[me] is some { points[me] += 1 } else { done }  points[me] += bid[me]",
    "for q in players { if who == q { points[who] += 1 } }",
    "if me is ready { points[me] += bid[me] }",
    "for p in players - waiting - me { points[p] += bid[p] }",
    "for p in { p in players where bid[p] is some } { points[p] += bid[p] }",
    "choose again { copy p in { p in players where bid[p] is some } where bid[p] < 4 { bid[me] = bid[p] + 1 }  pass }",
    "choose again { go a in man, d in directions(spot) where step(a, d) in empty and row(step(a, d)) != 3 {
        points[me] += row(step(a, d))  move a to step(a, d) }  otherwise { done } }",
    "points[me] += sum c in spot where step(c, north) is some: row(step(c, north))",
    "if count(hand[me]) >= 2 { points[me] += highest(hand[me]).suit; move highest(hand[me]) to stock }",
    "if hand[me] & { c in card where c.suit == 1 } is some { points[me] += worth(lowest(hand[me] & { c in card where c.suit == 1 })) }",
    "if hand[me] - { t in card where t.suit == 2 } is some { points[me] += lowest(hand[me]).suit }",
    "if hand[me] is some { points[me] += lowest(hand[me] | pile).suit }",
    "if any p in group: bid[p] == 2 { points[leader] += 1 }",
    "bid[after(me)] = 3  points[me] += bid[after(me)]",
    "if stock is some { draw t from stock to pile  points[me] += t.suit }",
    "if top(pile).rank is some { points[me] += top(pile).rank + worth(top(pile)) }",
    "if bid[me] is some { as after(me) { points[me] += 1 }  points[me] += bid[me] }",
    "if who is some and bid[who] is some { let b = bid[who]  who = none  points[me] += b }",
    "let b = bid[me]  if b is some { if flag == 1 { b = 2 }  points[me] += b }",
    "if low is some { repeat { points[me] += row(low)  place = low } until points[me] > 3 }",
];

/// Statements in which a change follows a test, so that it has to be repeated.
const REFUSED: [&str; 21] = [
    "if bid[lead] is some { lead = after(lead)  points[me] += bid[lead] }",
    "if bid[me] is some { bid[lead] = none  points[me] += bid[me] }",
    "if bid[me] is some { lose(lead)  points[me] += bid[me] }",
    "if bid[me] is some { as after(me) { points[me] += bid[me] } }",
    "if bid[me] is some { each player as me { points[me] += bid[me] } }",
    "if low is some { for n in 1..2 { points[me] += row(low)  deep() } }",
    "if hand[me] is some { move hand[me] to stock  points[me] += lowest(hand[me]).suit }",
    "if top(pile) is some { draw t from pile to stock  points[me] += top(pile).suit }",
    "if step(place, north) in empty { place = @a3  points[me] += row(step(place, north)) }",
    "if bid[me] is some or flag == 1 { points[me] += bid[me] }",
    "if bid[me] is nothing { flag = 1 }  points[me] += bid[me]",
    "if not (bid[me] is some and flag == 1) { points[me] += bid[me] }",
    "for p in { p in players where bid[p] is some } { points[p] += bid[p]  bid[after(p)] = none }",
    "for p in waiting { points[p] += bid[p] }",
    "if who == other_who { points[who] += 1 }",
    "if leader is some { group -= { me }  points[leader] += 1 }",
    "let open = group  if open is some { open = {}  points[lowest(open)] += 1 }",
    "let open = group  if open is some { open -= { me }  points[lowest(open)] += 1 }",
    "let b = bid[me]  if b is some { b = bid[lead]  points[me] += b }",
    "let b = bid[me]  b += 1",
    "if count(group) != 2 { points[lowest(group)] += 1 }",
];

#[test]
fn a_test_shows_what_follows_it() {
    for body in ACCEPTED {
        let text = rules(body);
        let game =
            load_text("tested", &text, &Request::default()).unwrap_or_else(|error| panic!("{body}: {error}"));
        for index in 0..GAMES {
            assert_ne!(agree(&game.game, 1, index, QUESTIONS), Came::Failed, "{body}");
        }
    }
}

#[test]
fn a_change_has_to_be_tested_again() {
    for body in REFUSED {
        let Err(error) = load_text("tested", &rules(body), &Request::default()) else { panic!("{body}") };
        let error = error.to_string();
        assert!(error.contains("may be `none`"), "{body}: {error}");
    }
}
