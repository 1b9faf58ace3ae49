//! Words tell meanings apart: random conditions that are told by the same sentence have the same value in every state, and
//! random statements that are told by the same sentence do the same.

use std::collections::HashMap;

use crate::extent;
use houserule::explain::slot_values;
use houserule::game::{Game, State};
use houserule::loader::{Request, load_text};
use houserule::model::{Seat, Value};
use houserule::oracle::{SlotValues, value_of};
use houserule::prose::{full_sections, sections};
use rand::prelude::*;
use rand::rngs::Xoshiro256PlusPlus;

/// What the expressions speak of, and a turn that reaches states of all kinds.
const RULES: &str = r#"game "Words" {
  players X, O
  board cell = grid(3, 3)
  enum colour { red, blue, green }
  piece mark[player]
  zone bag of colour = 2
  zone hand[player] of colour
  var n: 0..6
  var m: 0..6
  var kept[player]: 0..6
  var dark: set of cell
  var lit: set of cell
  var hues: set of colour
  var ready: bool
  var open: bool
  var tint: colour
  define near(K) = shift(K, east) | shift(K, west)
  define joined(K, L) = K | shift(L, north)
  define worth(h) = h * 2
  define good(h) = h > 2
  turn {
    choose {
      put c in empty { put mark[me] at c }
      count k in 0..6, l in 0..6 { n = k   m = l   kept[me] = k   kept[other] = l }
      darken c in cell { dark = if c in dark then dark - c else dark | c }
      light c in cell { lit = if c in lit then lit - c else lit | c }
      hue k in colour { hues = hues | k   tint = k }
      fade k in colour { hues = hues - k   ready = not ready }
      open { open = not open }
      take k in bag { move k from bag to hand[me] }
    }
  }
"#;

/// Number of expressions in one rule file, and how often each is written.
const BATCH: usize = 8;
const WAYS: usize = 10;

/// Words that can stand in each other's place.
const SUBSTITUTES: [[&str; 2]; 14] = [
    ["ready", "open"],
    ["dark", "lit"],
    ["n", "m"],
    ["me", "other"],
    ["red", "blue"],
    ["edge", "empty"],
    ["row", "column"],
    ["beside", "around"],
    ["any", "all"],
    ["and", "or"],
    ["nothing", "some"],
    ["|", "&"],
    ["==", "!="],
    ["<", ">="],
];

/// Returns a text with one of its words replaced, so that words that leave this one out have told two meanings by one
/// sentence.
fn substituted(text: &str, random: &mut Xoshiro256PlusPlus) -> String {
    let kind = |sign: char| match sign {
        'a'..='z' | '0'..='9' => 0,
        '<' | '>' | '=' | '!' => 1,
        _ => 2,
    };
    let mut words: Vec<&str> = text
        .as_bytes()
        .chunk_by(|a, b| kind(*a as char) < 2 && kind(*a as char) == kind(*b as char))
        .map(|word| std::str::from_utf8(word).expect("rules are ASCII"))
        .collect();
    let replaced = |word: &str| {
        SUBSTITUTES.iter().find_map(|[a, b]| {
            if word == *a {
                Some(*b)
            } else if word == *b {
                Some(*a)
            } else {
                None
            }
        })
    };
    let places: Vec<(usize, &str)> =
        words.iter().enumerate().filter_map(|(at, word)| Some((at, replaced(word)?))).collect();
    if let Some((at, word)) = places.choose(random) {
        words[*at] = word;
    }
    words.concat()
}

/// Returns a text with one of the ways in which its parts may stand: `‹a¦b›` is `a` or `b`.
fn chosen(text: &str, random: &mut Xoshiro256PlusPlus) -> String {
    let mut text = text.to_owned();
    while let Some(from) = text.rfind('‹') {
        let to = from + text[from..].find('›').expect("it is closed");
        let ways: Vec<&str> = text[from + '‹'.len_utf8()..to].split('¦').collect();
        let way = (*ways.choose(random).expect("there are ways")).to_owned();
        text.replace_range(from..to + '›'.len_utf8(), &way);
    }
    text
}

/// Returns a text with parentheses at some of the places that are marked.
fn wrapped(text: &str, random: &mut Xoshiro256PlusPlus) -> String {
    let mut open: Vec<bool> = vec![];
    let signs = text.chars().filter_map(|sign| match sign {
        '⟦' => {
            open.push(random.random());
            open.last().is_some_and(|wrapped| *wrapped).then_some('(')
        }
        '⟧' => open.pop().is_some_and(|wrapped| wrapped).then_some(')'),
        // The end of a block, before or after a statement.
        '⟪' => {
            open.push(random.random());
            open.last().is_some_and(|is_inside| !is_inside).then_some('}')
        }
        '⟫' => open.pop().is_some_and(|is_inside| is_inside).then_some('}'),
        sign => Some(sign),
    });
    signs.collect()
}

/// Returns an expression in several ways: its parts in one of their orders, with parentheses at some of the places that are
/// marked, and half of them with another word somewhere. All are rules, but not the same ones.
fn written(text: &str, random: &mut Xoshiro256PlusPlus) -> Vec<String> {
    let mut ways: Vec<String> = vec![];
    for _ in 0..WAYS {
        let text = chosen(text, random);
        ways.push(wrapped(&text, random));
    }
    let other: Vec<String> = ways.iter().step_by(2).map(|way| substituted(way, random)).collect();
    ways.splice(..other.len(), other);
    ways.sort();
    ways.dedup();
    ways
}

/// Functions of a set, before and after it.
const OF_SETS: [[&str; 2]; 8] = [
    ["around(", ")"],
    ["beside(", ")"],
    ["shift(", ", north)"],
    ["shift(", ", east)"],
    ["fill(", ")"],
    ["near(", ")"],
    ["joined(", ", dark)"],
    ["joined(lit, ", ")"],
];

/// Writes random expressions by type. `sites` are the names in scope. `⟦` and `⟧` are where
/// parentheses may stand, and `‹a¦b›` is one of two ways to put the same words together.
struct Writer {
    random: Xoshiro256PlusPlus,
    sites: Vec<String>,
    names: usize,
}

impl Writer {
    fn pick(&mut self, number: usize) -> usize {
        self.random.random_range(0..number)
    }

    fn one_of(&mut self, words: &[&str]) -> String {
        words[self.pick(words.len())].to_owned()
    }

    /// Writes what `write` makes with a new site in scope.
    fn with_site(&mut self, write: impl FnOnce(&mut Writer, &str) -> String) -> String {
        self.names += 1;
        let name = format!("c{}", self.names);
        self.sites.push(name.clone());
        let text = write(self, &name);
        self.sites.pop();
        text
    }

    fn truth(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.pick(4 + usize::from(!self.sites.is_empty())) {
                0 => self.one_of(&["ready", "open"]),
                1 => format!("{} in hues", self.one_of(&["tint", "red", "blue"])),
                2 => format!("n {} {}", self.comparison(), self.one_of(&["m", "2", "kept[me]"])),
                3 => format!("{} {}", self.sites(0), self.one_of(&["is nothing", "is some"])),
                _ => format!("{} in {}", self.sites[self.sites.len() - 1].clone(), self.sites(0)),
            };
        }
        let less = depth - 1;
        match self.pick(12) {
            10 => {
                let (set, inside, beside) = (self.inner_sites(less), self.truth(0), self.truth(0));
                let is = self.one_of(&["is nothing", "is some"]);
                self.with_site(|_, name| {
                    let within = format!("{{ {name} in {set} where ⟦{inside}⟧");
                    format!("‹{within} and {beside} }} {is}¦{within} }} {is} and {beside}›")
                })
            }
            11 => {
                let (set, inside, beside) = (self.inner_sites(less), self.truth(0), self.truth(0));
                self.with_site(|_, name| {
                    let within = format!("good(count({{ {name} in {set} where ⟦{inside}⟧");
                    format!("‹{within} and {beside} }}))¦{within} }})) and {beside}›")
                })
            }
            0 => format!("not {}", self.inner_truth(less)),
            1 | 2 => format!("{} and {}", self.inner_truth(less), self.inner_truth(less)),
            3 | 4 => format!("{} or {}", self.inner_truth(less), self.inner_truth(less)),
            5 => format!("{} {} {}", self.number(less), self.comparison(), self.number(less)),
            6 => format!("{} {}", self.inner_sites(less), self.one_of(&["is nothing", "is some"])),
            7 => format!("{} in {}", self.inner_sites(less), self.inner_sites(less)),
            8 => {
                let (quantifier, set) = (self.one_of(&["any", "all"]), self.inner_sites(less));
                self.with_site(|writer, name| {
                    format!("({quantifier} {name} in {set}: {})", writer.truth(less))
                })
            }
            _ => format!(
                "(if {} then {} else {})",
                self.truth(less),
                self.inner_truth(less),
                self.inner_truth(less)
            ),
        }
    }

    fn inner_truth(&mut self, depth: u32) -> String {
        format!("⟦{}⟧", self.truth(depth))
    }

    fn comparison(&mut self) -> String {
        self.one_of(&["<", "<=", ">", ">=", "==", "!="])
    }

    /// Writes statements. `⟪` and `⟫` are where a block may end.
    fn statements(&mut self, depth: u32) -> String {
        let less = depth.saturating_sub(1);
        match self.pick(if depth == 0 { 4 } else { 9 }) {
            0 => format!("{} = {}", self.one_of(&["ready", "open"]), self.truth(less)),
            1 => format!("{} = max(0, min(6, {}))", self.one_of(&["n", "m"]), self.number(less)),
            2 => format!("{} = {}", self.one_of(&["dark", "lit"]), self.sites(less)),
            3 => format!("clear {}", self.inner_sites(less)),
            4 | 5 => {
                let (inside, last) = (self.statements(less), self.statements(less));
                format!("if {} {{ {inside}   ⟪ {last} ⟫", self.truth(less))
            }
            6 => {
                let [inside, other, last] = [0; 3].map(|_| self.statements(less));
                format!("if {} {{ {inside} }} else {{ {other}   ⟪ {last} ⟫", self.truth(less))
            }
            7 => {
                let (set, last) = (self.inner_sites(less), self.statements(less));
                self.with_site(|writer, name| {
                    format!("for {name} in {set} {{ {}   ⟪ {last} ⟫", writer.statements(less))
                })
            }
            _ => format!("{}   {}", self.statements(less), self.statements(less)),
        }
    }

    fn number(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.one_of(&[
                "n",
                "m",
                "kept[me]",
                "kept[other]",
                "1",
                "2",
                "count(dark)",
                "bag[red]",
                "hand[me, blue]",
            ]);
        }
        let less = depth - 1;
        match self.pick(13) {
            9 => {
                let [one, other, more] = [0; 3].map(|_| self.inner_number(less));
                let (which, sign) = (self.one_of(&["max", "min"]), self.one_of(&["+", "-", "*"]));
                format!("‹{which}({one}, {other} {sign} {more})¦{which}({one}, {other}) {sign} {more}›")
            }
            10 => {
                let [one, more] = [0; 2].map(|_| self.inner_number(less));
                let (of, sign) = (self.one_of(&["abs", "worth"]), self.one_of(&["+", "-", "*"]));
                format!("‹{of}({one} {sign} {more})¦{of}({one}) {sign} {more}›")
            }
            11 => {
                let (set, sign) = (self.inner_sites(less), self.one_of(&["+", "-"]));
                let [bound, more] = [0; 2].map(|_| self.number(0));
                self.with_site(|_, name| {
                    let within = format!("count({{ {name} in {set} where column({name}) > {bound}");
                    format!("‹{within} {sign} {more} }})¦{within} }}) {sign} {more}›")
                })
            }
            12 => format!(
                "(if (if {} then {} else {}) then {} else {})",
                self.truth(0),
                self.inner_truth(less),
                self.truth(0),
                self.inner_number(less),
                self.inner_number(less)
            ),
            0 | 1 => format!("{} + {}", self.inner_number(less), self.inner_number(less)),
            2 | 3 => format!("{} - {}", self.inner_number(less), self.inner_number(less)),
            4 => format!("{} * {}", self.inner_number(less), self.inner_number(less)),
            5 => format!("count({})", self.sites(less)),
            6 => format!("{}({}, {})", self.one_of(&["max", "min"]), self.number(less), self.number(less)),
            7 => {
                let set = self.inner_sites(less);
                self.with_site(|writer, name| format!("(sum {name} in {set}: {})", writer.number(less)))
            }
            _ => format!(
                "(if {} then {} else {})",
                self.truth(less),
                self.inner_number(less),
                self.inner_number(less)
            ),
        }
    }

    fn inner_number(&mut self, depth: u32) -> String {
        format!("⟦{}⟧", self.number(depth))
    }

    fn sites(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.one_of(&[
                "dark",
                "lit",
                "mark",
                "mark[me]",
                "mark[other]",
                "empty",
                "edge",
                "row(1)",
                "column(2)",
            ]);
        }
        let less = depth - 1;
        match self.pick(12) {
            9 | 10 => {
                let ([one, after], [other, end]) = (self.of_set(), self.of_set());
                let set = self.sites(less);
                format!("‹{one}{other}{set}{end}{after}¦{other}{one}{set}{after}{end}›")
            }
            11 => {
                let [of, end] = self.of_set();
                let (set, other) = (self.inner_sites(less), self.inner_sites(less));
                let sign = self.one_of(&["|", "&", "-"]);
                format!("‹{of}{set} {sign} {other}{end}¦{of}{set}{end} {sign} {other}›")
            }
            0 | 1 => format!("{} | {}", self.inner_sites(less), self.inner_sites(less)),
            2 | 3 => format!("{} & {}", self.inner_sites(less), self.inner_sites(less)),
            4 | 5 => format!("{} - {}", self.inner_sites(less), self.inner_sites(less)),
            6 => format!("{}({})", self.one_of(&["beside", "around"]), self.sites(less)),
            7 => {
                let set = self.inner_sites(less);
                self.with_site(|writer, name| format!("{{ {name} in {set} where {} }}", writer.truth(less)))
            }
            _ => format!(
                "(if {} then {} else {})",
                self.truth(less),
                self.inner_sites(less),
                self.inner_sites(less)
            ),
        }
    }

    fn inner_sites(&mut self, depth: u32) -> String {
        format!("⟦{}⟧", self.sites(depth))
    }

    fn of_set(&mut self) -> [&'static str; 2] {
        OF_SETS[self.pick(OF_SETS.len())]
    }
}

/// Returns the game whose ends `e0`, `e1`, … have these conditions, and whose options `o0`, `o1`, … do these statements.
fn game(conditions: &[String], statements: &[String]) -> Result<Game, String> {
    let options = (0..).zip(statements).map(|(at, text)| format!("      deliberate o{at} {{ {text} }}\n"));
    let ends = (0..).zip(conditions).map(|(at, condition)| format!("  end e{at} when {condition}\n"));
    let rules = RULES.replace("    }\n  }\n", &(options.collect::<String>() + "    }\n  }\n"));
    let rules = format!("{rules}{}  end long when turns[me] > 100\n}}\n", ends.collect::<String>());
    load_text("words", &rules, &Request::default())
        .map(|loaded| loaded.game)
        .map_err(|error| error.to_string())
}

/// Returns the sentences of the ends or options whose names begin with a letter and a number.
fn sentences(game: &Game, letter: char) -> HashMap<String, String> {
    let is_asked = |name: &str| {
        name.strip_prefix(letter).is_some_and(|rest| rest.chars().all(|sign| sign.is_ascii_digit()))
    };
    let mut found: HashMap<String, String> = HashMap::new();
    // Only in full do all ends have their names.
    let told = if letter == 'e' { full_sections(game) } else { sections(game) };
    for section in told {
        let mut entries = section.entries.into_iter().peekable();
        while let Some(entry) = entries.next() {
            if is_asked(&entry.name) {
                // Long words go on in entries below their own.
                let mut words = entry.text;
                while let Some(below) = entries.next_if(|next| next.depth > entry.depth) {
                    words += &format!("\n      {}{} {}", "  ".repeat(below.depth), below.name, below.text);
                }
                found.insert(entry.name, words);
            }
        }
    }
    found
}

/// Returns states of all kinds: random players take no option that is tried.
fn states(game: &Game) -> Vec<State> {
    let mut found = vec![];
    for index in 0..24 {
        let mut state = game.start(5, index).expect("it starts");
        for moves in 0..36 {
            if moves % 6 == 5 {
                found.push(state.clone());
            }
            let Some(action) = state.random_action() else { break };
            state.apply(action).expect("a legal action");
        }
    }
    found
}

/// The values of an expression in all states.
fn values(game: &Game, end: usize, states: &[SlotValues]) -> Vec<bool> {
    let model = game.model();
    let value = |state: &SlotValues, seat| match value_of(model, state, &model.ends[end].when, Seat(seat)) {
        Ok(Value::Bool(truth)) => truth,
        other => panic!("{other:?}"),
    };
    states.iter().flat_map(|state| [0, 1].map(|seat| value(state, seat))).collect()
}

/// The sentences that were told, each with what it was told of.
struct Told<M> {
    by_sentence: HashMap<String, (String, M)>,
    count: usize,
    /// How many were told by the sentence of another.
    shared: usize,
    wrong: Vec<String>,
}

impl<M: PartialEq> Told<M> {
    fn new() -> Self {
        Told { by_sentence: HashMap::new(), count: 0, shared: 0, wrong: vec![] }
    }

    fn add(&mut self, sentence: &str, text: String, meaning: M) {
        self.count += 1;
        match self.by_sentence.get(sentence) {
            Some((other, same)) if *same != meaning => {
                self.wrong.push(format!("{sentence}\n    {other}\n    {text}"));
            }
            Some((other, _)) => self.shared += usize::from(*other != text),
            None => drop(self.by_sentence.insert(sentence.to_owned(), (text, meaning))),
        }
    }

    fn check(&self) {
        let (wrong, first) = (self.wrong.len(), self.wrong.iter().take(20).map(String::as_str));
        let first: Vec<&str> = first.collect();
        assert!(wrong == 0, "{wrong} of {} are told as what they are not:\n{}", self.count, first.join("\n"));
        assert!(self.shared > self.count / 50, "sentences are compared: {} of {}", self.shared, self.count);
    }
}

/// Returns random texts of a batch, each in several ways.
fn batch(seed: u64, write: impl Fn(&mut Writer, u32) -> String) -> Vec<String> {
    let mut writer = Writer { random: Xoshiro256PlusPlus::seed_from_u64(seed), sites: vec![], names: 0 };
    let texts: Vec<String> = (0..BATCH).map(|at| write(&mut writer, 1 + at as u32 % 3)).collect();
    texts.iter().flat_map(|text| written(text, &mut writer.random)).collect()
}

#[test]
fn conditions_of_one_sentence_hold_in_the_same_states() {
    let (game, mut told) = (game(&[], &[]).unwrap_or_else(|error| panic!("{error}")), Told::new());
    let states: Vec<SlotValues> = states(&game).iter().map(slot_values).collect();
    for seed in 0..extent::tries(16, 2_600) {
        let conditions = batch(seed, Writer::truth);
        let game = self::game(&conditions, &[]).unwrap_or_else(|error| panic!("{error}"));
        let sentences = sentences(&game, 'e');
        for (at, condition) in conditions.into_iter().enumerate() {
            let values = values(&game, at, &states);
            // An end that can't come isn't told.
            let Some(sentence) = sentences.get(&format!("e{at}")) else {
                assert!(!values.contains(&true), "no sentence for {condition}");
                continue;
            };
            told.add(sentence, condition, values);
        }
    }
    told.check();
}

#[test]
fn statements_of_one_sentence_do_the_same() {
    let mut told = Told::new();
    for seed in 0..extent::tries(6, 800) {
        let statements = batch(seed, Writer::statements);
        let game = game(&[], &statements).unwrap_or_else(|error| panic!("{error}"));
        let (sentences, states) = (sentences(&game, 'o'), states(&game));
        for (at, text) in statements.into_iter().enumerate() {
            let action = game.parse_action(&format!("o{at}")).expect("an option");
            let after = |state: &State| {
                let mut state = state.clone();
                state.apply(action).map(|()| slot_values(&state)).map_err(|error| error.to_string())
            };
            let meaning: Vec<Result<SlotValues, String>> = states.iter().map(after).collect();
            told.add(&sentences[&format!("o{at}")], text, meaning);
        }
    }
    told.check();
}
