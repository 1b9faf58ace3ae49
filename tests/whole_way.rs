//! Any rule file is parsed, checked and, if it is a game, played for a while, without a panic, in bounded
//! memory and in a bounded number of steps.

#[path = "support/extent.rs"]
mod extent;
#[path = "support/rule_files.rs"]
mod rule_files;
#[path = "support/whole_way.rs"]
#[allow(unreachable_pub)]
mod way;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use houserule::loader::{Request, load};
use rand::prelude::*;
use rand::rngs::Xoshiro256PlusPlus;
use rule_files::{random_edit, rule_files};
use way::{player_way, script, script_way, whole_way};

/// Maximum memory of a text from parsing to play, in bytes.
const MOST_BYTES: i64 = 256 << 20;

/// Maximum number of allocations of a text from parsing to play. It stands for a limit of steps: almost all
/// long work allocates, and the rest has a budget in the engine.
const MOST_TAKEN: u64 = 20_000_000;

thread_local! {
    static LIVE: Cell<i64> = const { Cell::new(0) };
    static PEAK: Cell<i64> = const { Cell::new(0) };
    static TAKEN: Cell<u64> = const { Cell::new(0) };
}

/// The system's allocator with an account for the current thread. It refuses allocations once the thread
/// holds twice its limit.
struct Capped;

fn take(bytes: i64) -> bool {
    LIVE.set(LIVE.get() + bytes);
    PEAK.set(PEAK.get().max(LIVE.get()));
    TAKEN.set(TAKEN.get() + 1);
    LIVE.get() <= 2 * MOST_BYTES
}

// SAFETY: every call goes to the system's allocator as it came, or is refused; the account is kept in
// plain thread-local numbers that need no memory of their own.
unsafe impl GlobalAlloc for Capped {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !take(layout.size() as i64) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        LIVE.set(LIVE.get() - layout.size() as i64);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !take(size as i64 - layout.size() as i64) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's promises are passed on.
        unsafe { System.realloc(memory, layout, size) }
    }
}

#[global_allocator]
static CAPPED: Capped = Capped;

/// Takes a text through the whole program. Returns the number of moves made, or `None` if the text is no
/// game.
fn walk(text: &str, seed: u64) -> Option<u32> {
    walk_with(text, || whole_way(text, seed))
}

fn walk_with(text: &str, way: impl FnOnce() -> Option<u32> + std::panic::UnwindSafe) -> Option<u32> {
    let (live, taken) = (LIVE.get(), TAKEN.get());
    PEAK.set(live);
    let walked = std::panic::catch_unwind(way);
    let (peak, taken) = (PEAK.get() - live, TAKEN.get() - taken);
    let walked = walked.unwrap_or_else(|_| panic!("this text brings a panic:\n{text}"));
    assert!(peak <= MOST_BYTES, "{peak} bytes for\n{text}");
    assert!(taken <= MOST_TAKEN, "asked for memory {taken} times for\n{text}");
    walked
}

fn texts() -> Vec<String> {
    let files = [rule_files("rules"), rule_files("tests/sketches")].concat();
    let mut texts: Vec<String> = files.into_iter().map(|(_, text)| text).collect();
    texts.push(include_str!("features.rules").to_owned());
    texts
}

#[test]
fn the_account_is_kept() {
    let live = LIVE.get();
    PEAK.set(live);
    drop(std::hint::black_box(vec![0u8; 1 << 20]));
    assert_eq!((LIVE.get(), PEAK.get()), (live, live + (1 << 20)));
}

/// Replaces a word by another word, a number by a number, or a sign by a sign.
fn like_for_like(text: &str, random: &mut impl Rng) -> String {
    let kind = |c: char| match c {
        '0'..='9' => 0,
        _ if c.is_alphanumeric() || c == '_' => 1,
        _ if c.is_whitespace() || "(){}[]\"".contains(c) => 2,
        _ => 3,
    };
    let mut pieces: Vec<(i32, String)> = vec![];
    for c in text.chars() {
        match pieces.last_mut() {
            Some((last, piece)) if *last == kind(c) || *last == 1 && kind(c) == 0 => piece.push(c),
            _ => pieces.push((kind(c), c.to_string())),
        }
    }
    let at = random.random_range(0..pieces.len());
    let alike: Vec<String> = pieces.iter().filter(|p| p.0 == pieces[at].0).map(|p| p.1.clone()).collect();
    if pieces[at].0 != 2 {
        pieces[at].1.clone_from(alike.choose(random).unwrap());
    }
    pieces.into_iter().map(|(_, piece)| piece).collect()
}

/// Tests edited rule files, with one to eight edits each.
fn edited(seed: u64, cases: u64) {
    let texts = texts();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (mut games, mut moved) = (0, 0);
    for case in 0..cases {
        let mut text = texts.choose(&mut random).unwrap().clone();
        let gently = random.random_ratio(2, 3);
        for _ in 0..1 << random.random_range(0..4) {
            text =
                if gently { like_for_like(&text, &mut random) } else { random_edit(&text, &mut random).text };
        }
        let moves = walk(&text, case);
        games += u64::from(moves.is_some());
        moved += u64::from(moves == Some(10));
    }
    // Some must still be games, or play would not be tested.
    let enough = games > cases / 20 && moved > cases / 40 && games < cases / 2;
    assert!(enough, "{games} games, {moved} of them moved");
}

#[test]
fn edited_rule_files_go_the_whole_way() {
    edited(1, extent::tries(750, 3_000));
}

#[test]
fn other_edited_rule_files_go_the_whole_way() {
    edited(2, extent::tries(750, 3_000));
}

/// A script agent for dominoes.
const PLAYER: &str = "
fn choose(g, actions) {
  let best = ();
  for a in actions {
    if best == () || worth(g, a) > worth(g, best) { best = a; }
  }
  if g.roll(6) == 6 { g.pick(actions) } else { best }
}

fn worth(g, a) {
  if a.option != \"play\" { return g.count(\"boneyard\") - g.score(g.me); }
  let rest = [];
  for t in g.hand[g.me] { if t != a.t { rest.push(t.low + t.high); } }
  rest.sort();
  count(g.line) * 10 + a.t.low + a.t.high - rest.len()
}
";

/// Only the script is edited.
#[test]
fn edited_scripts_go_the_whole_way() {
    let dominoes = load(&Request { name: "dominoes", ..Request::default() }).unwrap().game;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
    let (mut games, mut moved) = ([0; 2], [0; 2]);
    let cases = extent::tries(1_000, 4_000);
    for case in 0..cases {
        let plays = (case % 2) as usize;
        let mut text = [script(), PLAYER][plays].to_owned();
        for _ in 0..1 << random.random_range(0..3) {
            text = like_for_like(&text, &mut random);
        }
        let way = || match plays {
            0 => script_way(&text, case),
            _ => player_way(&dominoes, &text, case),
        };
        let moves = walk_with(&text, std::panic::AssertUnwindSafe(way));
        games[plays] += u64::from(moves.is_some());
        moved[plays] += u64::from(moves == Some(10));
    }
    assert!(
        games.iter().zip(&moved).all(|(games, moved)| *games > cases / 20 && *moved > cases / 40),
        "{games:?} {moved:?}"
    );
}

#[test]
fn numbers_of_every_size_go_the_whole_way() {
    let texts = texts();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    let sizes = [
        "0",
        "1",
        "2",
        "16",
        "17",
        "63",
        "64",
        "65",
        "100",
        "1000",
        "4096",
        "4097",
        "65536",
        "1000000000",
        "9223372036854775807",
        "9223372036854775808",
        "99999999999999999999999",
    ];
    for case in 0..500 {
        let text = texts.choose(&mut random).unwrap();
        let numbers: Vec<(usize, usize)> = numbers(text);
        if numbers.is_empty() {
            continue;
        }
        let (start, end) = *numbers.choose(&mut random).unwrap();
        let text = format!("{}{}{}", &text[..start], *sizes.choose(&mut random).unwrap(), &text[end..]);
        walk(&text, case);
    }
}

/// Returns the places of the numbers in a text.
fn numbers(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut found = vec![];
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        while at < bytes.len() && bytes[at].is_ascii_digit() {
            at += 1;
        }
        if at > start {
            found.push((start, at));
        }
        at += 1;
    }
    found
}

#[test]
fn words_and_signs_in_any_order_go_the_whole_way() {
    let words = "game variant of players param board grid hex dice d6 piece var domain table define procedure turn step \
        choose option otherwise if else for in where while repeat until roll pick put at let end when score winner \
        most match setup with each round bool set none true and or not is some a b cell empty me count sum lines \
        { } { } ( ) [ ] , : ; = == != < <= > >= + - * / % & | .. ... . ? @a1 \"x\" 0 1 3 99 // \n \u{e9} \u{1f3b2}";
    let words: Vec<&str> = words.split(' ').filter(|word| !word.is_empty()).collect();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
    for case in 0..1_000 {
        let mut text = String::new();
        if random.random() {
            text.push_str("game \"G\" { players 2 board cell = grid(3, 3) piece a[player] turn { ");
        }
        for _ in 0..random.random_range(0..60) {
            text.push_str(*words.choose(&mut random).unwrap());
            text.push(' ');
        }
        walk(&text, case);
    }
}

#[test]
fn bytes_in_any_order_go_the_whole_way() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    for case in 0..1_000 {
        let bytes: Vec<u8> = (0..random.random_range(0..200)).map(|_| random.random()).collect();
        walk(&String::from_utf8_lossy(&bytes), case);
    }
}

#[test]
fn rule_files_that_are_cut_off_go_the_whole_way() {
    for text in texts() {
        for part in 1..12 {
            let mut at = text.len() * part / 12;
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            walk(&text[..at], 1);
            walk(&text[at..], 1);
        }
    }
}

#[test]
fn what_repeats_for_ever_goes_the_whole_way() {
    let long = |part: &str| part.repeat(200_000 / part.len());
    let parts = [
        "(",
        "{",
        "[",
        ")",
        "\"",
        "not ",
        "- ",
        "a.",
        "a + ",
        "if a then b else ",
        "f(",
        "1..",
        "x,",
        "turn {",
        "param a = 1\n",
        "if a { } else ",
        "@",
        "// a\n",
        "choose { o { ",
        "variant \"a\" of \"b\" { ",
    ];
    for part in parts {
        walk(&long(part), 1);
        walk(&format!("game \"G\" {{ players 1 turn {{ {}", long(part)), 1);
        walk(&format!("game \"G\" {{ players 1 define f = {} turn {{ }} }}", long(part)), 1);
    }
}

#[test]
fn loops_that_do_not_end_go_the_whole_way() {
    let turns = [
        "while true { n = 1 }",
        "repeat { n = 0 } until n == 1",
        "n = 0",
        "again",
        "for a in cell { for b in cell { for c in cell { for d in cell { n = 1 } } } }",
        "while n == 0 { while n == 0 { for a in cell { put m at a } clear cell } }",
    ];
    for turn in turns {
        let text = format!(
            "game \"G\" {{\nplayers 1\nboard cell = grid(64, 64)\npiece m\nvar n: 0..1 = 0\nturn {{ {turn} }}\n\
             end when n == 1 and n == 0\nscore {{ n: n }}\n}}"
        );
        assert_eq!(walk(&text, 1), Some(0), "{turn}");
    }
}
