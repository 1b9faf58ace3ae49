//! Snapshot tests of error messages. Every file in `tests/errors` has an error, and beside it is the text
//! that `houserule check` writes about it. With `UPDATE_SNAPSHOTS=1` the texts are written again; read them
//! as a person who has never seen the language.
//!
//! A first line `// stack: Title + Title` checks this stack of games and variants of the file. Otherwise the
//! last one of the file is checked.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::OnceLock;

use crate::command::run;
use crate::extent;
use crate::text_snapshots::check_snapshots;
use houserule::diagnostic::{Code, Diagnostic, FileId, Severity, SourceMap};
use houserule::loader::{LoadError, Request, load};

const FOLDER: &str = "tests/errors";

/// Rules that fail in play.
const PLAYED: &str = "tests/errors/played";

/// Script agents with errors. The first line names the game.
const AGENTS: &str = "tests/errors/agents";

/// Returns the names of the files with an extension, in order.
fn names(ending: &str) -> BTreeSet<String> {
    names_in(FOLDER, ending)
}

fn names_in(folder: &str, ending: &str) -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let with = paths.filter(|path| path.extension().is_some_and(|e| e == ending));
    with.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect()
}

/// Returns the arguments of `houserule check` for a file.
fn asked(name: &str) -> String {
    let path = format!("{FOLDER}/{name}.rules");
    let text = std::fs::read_to_string(&path).unwrap();
    match text.lines().next().and_then(|line| line.strip_prefix("// stack: ")) {
        Some(titles) => titles.split(" + ").map(|t| format!("{path}#{t}")).collect::<Vec<_>>().join(" + "),
        None => path,
    }
}

/// Returns all output of the command for each file, by its name.
fn seen() -> &'static BTreeMap<String, String> {
    static SEEN: OnceLock<BTreeMap<String, String>> = OnceLock::new();
    let check = |name: String| {
        let (code, out, err) = run(&["check", &asked(&name)]);
        (name, format!("{err}{out}exit code {code}\n"))
    };
    SEEN.get_or_init(|| names("rules").into_iter().map(check).collect())
}

#[test]
fn messages_are_as_they_were_read() {
    check_snapshots(seen().iter().map(|(name, seen)| (format!("{FOLDER}/{name}.txt"), seen.clone())));
}

/// Rules whose games take long until they fail. `endless-loop` fails in the same way, and sooner.
const LONG: [&str; 2] = ["endless-loop-nested", "limit-work-of-a-condition"];

/// Runs `houserule simulate`. Returns its exit code and streams.
fn played(args: &[&str]) -> (u8, String, String) {
    run(&[&["simulate"], args].concat())
}

#[test]
fn errors_in_play_show_the_rule_the_state_and_how_to_see_them_again() {
    check_snapshots(names_in(PLAYED, "rules").iter().map(|name| {
        let rules = format!("{PLAYED}/{name}.rules");
        // What uses up the limit of work takes long in each game.
        let is_long = ["endless-loop", "limit-work"].iter().any(|start| name.starts_with(start));
        let games = if is_long { "2" } else { "60" };
        let (code, _, text) = played(&[&rules, "-n", games, "--threads", "2"]);
        assert_eq!(code, 1, "{name}\n{text}");
        // The command in the message shows the same error in the same state.
        if LONG.contains(&name.as_str()) && !extent::everything() {
            return (format!("{PLAYED}/{name}.txt"), text);
        }
        let (_, command) = text.trim_end().rsplit_once("houserule simulate ").unwrap();
        let (code, _, again) = played(&command.split(' ').collect::<Vec<_>>());
        assert_eq!(code, 1, "{name}\n{again}");
        let without_count =
            |text: &str| text.lines().filter(|l| !l.contains("abort")).collect::<Vec<_>>().join("\n");
        assert_eq!(without_count(&again), without_count(&text), "{name}");
        (format!("{PLAYED}/{name}.txt"), text)
    }));
    assert_eq!(names_in(PLAYED, "txt"), names_in(PLAYED, "rules"));
    assert!(names_in(PLAYED, "rules").len() >= 6);
}

/// `check` plays a few games too, and reports the first error in them.
#[test]
fn errors_in_play_are_told_by_check_if_it_meets_them() {
    let mut names = names_in(PLAYED, "rules");
    names.retain(|name| !LONG.contains(&name.as_str()) || extent::everything());
    let mut met = 0;
    for name in &names {
        let (code, out, err) = run(&["check", &format!("{PLAYED}/{name}.rules")]);
        if code == 0 {
            continue;
        }
        let (told, simulated) =
            (out + err.as_str(), std::fs::read_to_string(format!("{PLAYED}/{name}.txt")).unwrap());
        // Other games may fail with other numbers.
        let kind = simulated.split(']').next().unwrap();
        assert!(told.contains(kind) && told.contains(" of seed 0 with random players"), "{name}\n{told}");
        met += 1;
    }
    assert_eq!(met, names.len());
}

#[test]
fn mistakes_of_computer_players_show_the_script_the_state_and_how_to_see_them_again() {
    check_snapshots(names_in(AGENTS, "rhai").iter().map(|name| {
        let path = format!("{AGENTS}/{name}.rhai");
        let text = std::fs::read_to_string(&path).unwrap();
        let game = text.lines().next().and_then(|line| line.strip_prefix("// of ")).unwrap();
        let (code, _, err) = played(&[game, "-n", "20", "--threads", "2", "--agents", &path]);
        let text = format!("{err}exit code {code}\n");
        if let Some((_, command)) = err.trim_end().rsplit_once("houserule simulate ") {
            let (code, _, again) = played(&command.split(' ').collect::<Vec<_>>());
            assert_eq!((code, again.matches("error[").count()), (1, 1), "{name}\n{again}");
        }
        (format!("{AGENTS}/{name}.txt"), text)
    }));
    assert_eq!(names_in(AGENTS, "txt"), names_in(AGENTS, "rhai"));
    assert!(names_in(AGENTS, "rhai").len() >= 12);
}

#[test]
fn many_errors_in_play_are_told_once() {
    let rules = format!("{PLAYED}/out-of-range.rules");
    let (code, out, err) = played(&[&rules, "-n", "20000", "--threads", "2"]);
    assert_eq!((code, err.matches("error[").count()), (1, 1), "{err}");
    assert!(err.contains(" of 20,000 games were aborted by errors"), "{err}");
    assert!(out.contains("were aborted and count in no figure"), "{out}");
}

#[test]
fn a_run_ends_with_the_first_error_if_asked() {
    let rules = format!("{PLAYED}/script-throw.rules");
    for threads in ["1", "2"] {
        let (code, _, err) = played(&[&rules, "-n", "100000", "--threads", threads, "--stop-at-error"]);
        assert_eq!(code, 1, "{err}");
        assert!(err.contains("games were aborted by errors, this is the first: game 2"), "{err}");
        let of = err.split(" of ").nth(1).and_then(|rest| rest.split(' ').next()).expect("so many games");
        let games: u64 = of.replace(',', "").parse().expect("a number");
        assert!(games < 10_000, "{games} games were begun");
    }
}

#[test]
fn every_snapshot_has_its_rules() {
    assert_eq!(names("txt"), names("rules"));
    assert!(names("rules").len() >= 140);
}

#[test]
fn mistakes_of_all_kinds_have_a_place_in_the_file() {
    let mut codes: BTreeMap<Code, usize> = BTreeMap::new();
    // The loader doesn't report messages that only play can find.
    for name in names("rules").into_iter().filter(|name| name != "lint-never-reached") {
        let request = Request { name: &asked(&name), ..Request::default() };
        let (diagnostics, sources) = match load(&request) {
            Ok(loaded) => (loaded.warnings, loaded.sources),
            Err(LoadError::Rules { diagnostics, sources, .. }) => (diagnostics, sources),
            Err(other) => panic!("{name}: {other}"),
        };
        assert!(!diagnostics.is_empty(), "{name}");
        let wrong = diagnostics.iter().any(|d| d.severity == Severity::Error);
        assert_eq!(wrong, !name.starts_with("lint-"), "{name}");
        // Rules without an end fail in play.
        let wrong = wrong || name == "lint-end-missing";
        assert!(seen()[&name].ends_with(if wrong { "exit code 1\n" } else { "exit code 0\n" }), "{name}");
        for diagnostic in &diagnostics {
            *codes.entry(diagnostic.code).or_default() += 1;
            let places = std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary);
            assert!(places.into_iter().all(|label| lies_in(label.span, &sources)), "{name}: {diagnostic:?}");
        }
        let places =
            |d: &Diagnostic| [&d.primary].into_iter().chain(&d.secondary).map(|l| l.span.file).collect();
        let told = |file| diagnostics.iter().map(places).any(|files: Vec<FileId>| files.contains(&file));
        let own = sources.iter().find(|(_, source)| source.name == format!("{FOLDER}/{name}.rules"));
        assert!(told(own.unwrap().0), "{name}: nothing is said of the file itself");
    }
    assert!(codes.len() >= 50, "{} kinds: {codes:?}", codes.len());
}

/// Returns `true` if a span lies in its source. It may be empty, where something is missing.
fn lies_in(span: houserule::diagnostic::Span, sources: &SourceMap) -> bool {
    sources.get(span.file).text.get(span.start as usize..span.end as usize).is_some()
}

#[test]
fn messages_speak_the_language_of_the_rules() {
    // Internal names, and paths of a machine.
    let words =
        ["Some(", "Expr", "Kind", "Decl", "SlotId", "DomainId", "Element(", "Hole", "::<", "usize", "i64"];
    for name in names("txt") {
        let text = std::fs::read_to_string(format!("{FOLDER}/{name}.txt")).unwrap();
        for word in words.iter().chain(&[env!("CARGO_MANIFEST_DIR")]) {
            assert!(!text.contains(word), "{name}: {word}\n{text}");
        }
        assert!(!text.contains('\u{1b}') && !text.contains("--> /"), "{name}\n{text}");
        assert!(text.lines().all(|line| line == line.trim_end()), "{name}\n{text}");
    }
}
