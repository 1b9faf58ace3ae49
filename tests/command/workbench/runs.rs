//! Long runs: they take turns, can be cancelled, and end with their page.

use serde_json::{Value as Json, json};

use super::client::Served;
use super::{GAME, VARIANT};

const FILES: [(&str, &str); 2] = [("coin.rules", GAME), ("long.rules", VARIANT)];

/// A game in which nobody decides anything and nothing is to be won, so that its report is soon made.
const ROLLS: &str = "game \"Rolls\" {\n  players 1\n  dice die: 1 of d6\n  var times: 0..3 = 0\n  \
     turn { roll die times += 1 }\n  end enough when times == 3\n}\n";

fn measure(id: u64, path: &str, games: u64) -> Json {
    json!({"ask": "measure", "id": id, "path": path, "agents": ["random"], "games": games, "seed": 1})
}

fn report(id: u64, path: &str) -> Json {
    json!({"ask": "report", "id": id, "path": path})
}

#[test]
fn a_run_tells_samples_and_then_its_result() {
    let served = Served::new("run", &FILES);
    let (mut page, _) = served.page();
    page.ask(&measure(1, "long.rules", 5000));
    let first = page.hear_kind("samples");
    assert!(
        first["games"].as_u64() <= Some(5000) && first["sides"].as_array().map(Vec::len) == Some(2),
        "{first}"
    );
    let measured = page.hear_kind("measured");
    assert_eq!((&measured["games"], &page.hear_kind("done")["cancelled"]), (&json!(5000), &json!(false)));
}

#[test]
fn a_run_ends_when_it_is_cancelled_or_replaced() {
    let served = Served::new("cancel", &FILES);
    let (mut page, _) = served.page();
    page.ask(&measure(1, "long.rules", 1_000_000));
    page.hear_kind("samples");
    page.ask(&json!({"ask": "cancel", "id": 1}));
    let done = page.hear_kind("done");
    assert_eq!((&done["id"], &done["cancelled"]), (&json!(1), &json!(true)));
    // Asks about texts are answered during a run.
    page.ask(&measure(2, "long.rules", 1_000_000));
    assert_eq!(
        page.answer(&json!({"ask": "hover", "id": 3, "path": "coin.rules", "at": 50}))["tell"],
        "hovered"
    );
    page.ask(&measure(4, "coin.rules", 100));
    // The one that ends may say so after the next is done.
    let mut ended = [page.hear_kind("done"), page.hear_kind("done")];
    ended.sort_by_key(|done| done["id"].as_u64());
    assert_eq!((&ended[0]["id"], &ended[0]["cancelled"]), (&json!(2), &json!(true)));
    assert_eq!((&ended[1]["id"], &ended[1]["cancelled"]), (&json!(4), &json!(false)));
    assert_eq!(page.answer(&measure(5, "coin.rules", 0))["tell"], "wrong");
    assert_eq!(page.answer(&measure(6, "none.rules", 9))["tell"], "wrong");
}

#[test]
fn a_profile_is_told_with_its_progress_and_ends_when_it_is_cancelled() {
    let served = Served::new("profile", &FILES);
    let (mut page, _) = served.page();
    let profile = |id: u64, path: &str| json!({"ask": "profile", "id": id, "path": path, "seed": 1});
    page.ask(&profile(1, "long.rules"));
    assert_eq!(page.hear_kind("progress")["id"], 1);
    let profiled = page.hear_kind("profiled");
    assert!(profiled["lines"].as_array().is_some_and(|lines| !lines.is_empty()), "{profiled}");
    assert_eq!((&profiled["id"], &page.hear_kind("done")["cancelled"]), (&json!(1), &json!(false)));
    // One that takes three seconds.
    page.ask(&profile(2, "bundled/chess"));
    page.hear_kind("progress");
    page.ask(&json!({"ask": "cancel", "id": 2}));
    assert_eq!(page.hear_kind("done")["cancelled"], true);
    assert_eq!(page.answer(&profile(3, "none.rules"))["tell"], "wrong");
}

#[test]
fn runs_of_many_pages_take_turns() {
    let served = Served::new("turns", &FILES);
    let mut pages: Vec<_> = (0..8).map(|_| served.page().0).collect();
    assert!(pages.iter_mut().all(|page| page.ask(&measure(1, "long.rules", 1_000_000))));
    for page in &mut pages {
        let samples = page.hear_one(|heard| heard["tell"] == "samples" && heard["games"].as_u64() > Some(0));
        assert!(samples["games"].as_u64() < Some(1_000_000), "{samples}");
    }
}

#[test]
fn a_run_ends_with_its_page() {
    let served = Served::new("gone", &FILES);
    let (mut first, mut second) = (served.page().0, served.page().0);
    // One report is made at a time, and this one takes minutes.
    first.ask(&report(1, "bundled/dilido"));
    first.hear_kind("progress");
    second.ask(&report(1, "bundled/dilido"));
    assert_eq!(
        second.answer(&json!({"ask": "hover", "id": 2, "path": "coin.rules", "at": 50}))["tell"],
        "hovered"
    );
    drop(first);
    second.hear_kind("progress");
}

#[test]
fn a_report_is_shown_to_its_page_alone_and_runs_nothing() {
    let served = Served::new("report", &[("rolls.rules", ROLLS)]);
    let (mut page, _) = served.page();
    page.ask(&report(1, "rolls.rules"));
    let address = page.hear_kind("reported")["address"].as_str().expect("an address").to_owned();
    assert_eq!(page.hear_kind("done")["id"], 1);
    let shown = served.get(&address, "");
    let policy = shown.lines().find(|line| line.starts_with("content-security-policy")).expect("a policy");
    assert!(
        policy.contains("sandbox") && policy.contains("default-src 'none'") && !policy.contains("script-src")
    );
    assert!(shown.contains("<html") && shown.contains("Rolls") && !shown.contains("<script"));
    let dark = served.get(&format!("{address}?theme=dark"), "");
    assert!(dark.contains("<html lang=\"en\" data-theme=\"dark\">"), "the colours of the page around it");
    let guess = format!("{}0", &address[..address.len() - 1]);
    let other = served.get(if guess == address { "/report/0" } else { &guess }, "");
    assert!(other.starts_with("HTTP/1.1 404"), "{other}");
    drop(page);
    while served.get(&address, "").starts_with("HTTP/1.1 200") {}
}

#[test]
fn agents_in_files_of_the_folder_play_and_others_are_refused() {
    const LAST: &str = "fn choose(g, actions) { actions[actions.len() - 1] }\n";
    let files = [FILES[0], FILES[1], ("bots/last.rhai", LAST), ("rules.rhai", "fn other(g) { 1 }\n")];
    let served = Served::new("agents", &files);
    let outside = served.folder.with_extension("rhai");
    std::fs::write(&outside, LAST).expect("a file");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&outside, served.folder.join("link.rhai")).expect("a link");
    let (mut page, _) = served.page();
    let seats = |agent: &str| json!({"ask": "table", "id": 1, "path": "coin.rules", "seats": ["person", agent], "seed": 1});
    let outside_name = outside.display().to_string();
    let parent = format!("../{}", outside.file_name().expect("a name").to_string_lossy());
    for bad in [
        "/etc/x.rhai",
        outside_name.as_str(),
        parent.as_str(),
        "link.rhai",
        "flat:9:../x.rhai",
        "bots/../bots/last.rhai",
        "none.player",
        "coin.rules",
        // It has no `choose`.
        "rules.rhai",
    ] {
        assert_eq!(page.answer(&seats(bad))["tell"], "wrong", "{bad}");
        let run = json!({"ask": "measure", "id": 2, "path": "coin.rules", "agents": [bad], "seed": 1});
        assert_eq!(page.answer(&run)["tell"], "wrong", "{bad}");
    }
    let position = page.answer(&seats("bots/last.rhai"));
    assert_eq!(position["seats"][1]["agent"], "bots/last.rhai", "{position}");
    page.answer(&json!({"ask": "type", "id": 3, "text": "one"}));
    let played = page.answer(&json!({"ask": "step", "id": 4}));
    assert_eq!(played["events"][1]["text"], "two", "{played}");
    let seat = json!({"ask": "seat", "id": 5, "seat": 1, "agent": "flat:9:bots/last.rhai"});
    assert_eq!(page.answer(&seat)["tell"], "wrong", "it has no `value`");
    let run = json!({"ask": "measure", "id": 6, "path": "coin.rules", "agents": ["bots/last.rhai"], "games": 20, "seed": 1});
    page.ask(&run);
    assert_eq!(page.hear_kind("measured")["players"], "bots/last.rhai");
    std::fs::remove_file(&outside).expect("the file");
}

#[test]
fn a_game_follows_the_rules() {
    let served = Served::new("table", &FILES);
    let (mut page, _) = served.page();
    page.ask(&super::text("coin.rules", 1, GAME));
    let table =
        json!({"ask": "table", "id": 1, "path": "coin.rules", "seats": ["person", "random"], "seed": 1});
    page.answer(&table);
    let position = page.answer(&json!({"ask": "type", "id": 2, "text": "two"}));
    assert_eq!((&position["tell"], &position["decision"]), (&json!("position"), &json!(1)));
    page.ask(&super::text("coin.rules", 2, &GAME.replace("two {", "double {")));
    let replayed = page.hear_kind("position");
    assert_eq!(replayed["differs"]["decision"], 0, "{replayed}");
}
