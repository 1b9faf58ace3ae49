//! Many pages and many asks: answered fairly, in little memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use serde_json::json;

use super::client::Served;
use super::{GAME, VARIANT, text};
use crate::extent;

#[test]
fn a_text_is_answered_with_what_is_found_in_it() {
    let served = Served::new("texts", &[("coin.rules", GAME), ("long.rules", VARIANT)]);
    let (mut page, _) = served.page();
    page.ask(&text("long.rules", 1, VARIANT));
    assert_eq!(page.hear_kind("messages")["of"], "coin.rules");
    page.ask(&text("coin.rules", 1, &GAME.replace("points[me] >= goal", "points[me] >= gaol")));
    let first = page.hear_one(|heard| heard["path"] == "coin.rules");
    let message = &first["messages"][0];
    assert_eq!((&message["severity"], &message["code"]), (&json!("error"), &json!("unknown-name")));
    // What stands on it has the error too.
    let affected = page.hear_one(|heard| heard["path"] == "long.rules");
    assert_eq!(affected["messages"].as_array().map(Vec::len), Some(1));
    // The fixes follow when nothing else is to be done.
    let fixed = page.hear_one(|heard| heard["messages"][0]["fixes"][0] != json!(null));
    assert_eq!(fixed["messages"][0]["fixes"][0]["edits"][0]["text"], "goal");
    page.ask(&text("coin.rules", 1, GAME));
    page.hear_one(|heard| heard["path"] == "coin.rules" && heard["messages"] == json!([]));
}

#[test]
fn a_flood_is_answered_and_nobody_else_waits_for_it() {
    let served = Served::new("flood", &[("coin.rules", GAME)]);
    let (mut flood, _) = served.page();
    let (mut other, _) = served.page();
    let mut flooded = flood.share();
    let answered = Arc::new(AtomicBool::new(false));
    let ends = Arc::clone(&answered);
    // The flood goes on until the other page is answered.
    let writer = std::thread::spawn(move || {
        let big = format!("{GAME}// {}\n", "x".repeat(200_000));
        let mut version = 0;
        while version < extent::tries(20, 100) || !ends.load(Ordering::Relaxed) {
            assert!(flooded.ask(&text("coin.rules", version, &big)), "the page is open");
            version += 1;
        }
        flooded.ask(&json!({"ask": "hover", "id": 1, "path": "coin.rules", "at": 50}));
        version - 1
    });
    let reader = std::thread::spawn(move || {
        let mut last = json!(null);
        loop {
            let heard = flood.hear().expect("the page is open");
            if heard["tell"] == "messages" {
                last = heard;
            } else if heard["id"] == 1 {
                return last;
            }
        }
    });
    for id in 0..extent::tries(5, 20) {
        other.answer(&json!({"ask": "hover", "id": id, "path": "bundled/dilido", "at": 40}));
    }
    answered.store(true, Ordering::Relaxed);
    let version = writer.join().expect("the flood is written");
    let last = reader.join().expect("the flood is answered");
    assert_eq!((&last["version"], &last["messages"]), (&json!(version), &json!([])));
}

#[test]
fn twenty_pages_are_answered_alike() {
    // Answers that each page wants, and those after which a page waits for the others no longer.
    const MOST: u32 = 6_000;
    let wanted = extent::tries(5, 15);
    let served = Served::new("twenty", &[("coin.rules", GAME)]);
    let counts: Vec<AtomicU32> = (0..20).map(|_| AtomicU32::new(0)).collect();
    let pages: Vec<_> = counts.iter().map(|_| served.page().0).collect();
    let left_behind = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for (mut page, count) in pages.into_iter().zip(&counts) {
            let (counts, left_behind) = (&counts, &left_behind);
            scope.spawn(move || {
                let all_have = || counts.iter().all(|count| count.load(Ordering::Relaxed) >= wanted);
                for version in 0..MOST {
                    page.ask(&text("coin.rules", version.into(), GAME));
                    page.hear_one(|heard| heard["version"] == version);
                    count.store(version + 1, Ordering::Relaxed);
                    if all_have() || left_behind.load(Ordering::Relaxed) {
                        return;
                    }
                }
                left_behind.store(true, Ordering::Relaxed);
            });
        }
    });
    assert!(
        !left_behind.into_inner(),
        "one page has {MOST} answers, others have fewer than {wanted}: {counts:?}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn memory_stays_the_same_over_thousands_of_edits() {
    let served = Served::apart("memory", &[("coin.rules", GAME), ("long.rules", VARIANT)]);
    let (mut page, _) = served.page();
    page.ask(&text("long.rules", 1, VARIANT));
    let mut edit = |count: i64| {
        let value = count % 7 + 1;
        let edited = match count % 3 {
            0 => GAME.replace("= 3", &format!("= {value}")),
            1 => GAME.replace("goal:", "goal"),
            _ => GAME.replace("one {", &format!("one{value} {{")),
        };
        page.ask(&text("coin.rules", count, &edited));
        page.hear_one(|heard| heard["path"] == "coin.rules" && heard["version"] == count);
        let at = json!({"ask": "complete", "id": count, "path": "coin.rules", "at": 60});
        page.answer(&at);
    };
    let (first, count) = extent::tries((100, 300), (1000, 4000));
    (0..first).for_each(&mut edit);
    let before = served.memory();
    (first..first + count).for_each(&mut edit);
    let more = served.memory().saturating_sub(before);
    // One text and its game for each edit would be 25 KB.
    assert!(more < count as usize * (5 << 10), "{more} bytes more after {count} edits");
}
