//! The command as a program among others: documented JSON, completions, man pages, colors, quiet, exit codes,
//! Ctrl-C.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::Value as Json;

use crate::command::run;

fn houserule(args: &str) -> (u8, String, String) {
    run(&args.split(' ').collect::<Vec<_>>())
}

fn folder() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("manners");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Writes a file to a folder for this test.
fn file(name: &str, text: &str) -> String {
    let path = folder().join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Collects the paths of all values, under their documented names.
fn paths(json: &Json, at: &str, documented: &BTreeSet<String>, found: &mut BTreeSet<String>) {
    match json {
        Json::Object(entries) => {
            // The documentation has a star where any name may be.
            let star = format!("{at}.*");
            let free = documented.iter().any(|path| {
                path.strip_prefix(&star).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
            });
            for (name, value) in entries {
                let under = match (free, at) {
                    (true, _) => star.clone(),
                    (false, "") => name.clone(),
                    (false, _) => format!("{at}.{name}"),
                };
                paths(value, &under, documented, found);
            }
        }
        Json::Array(values) => {
            if values.is_empty() {
                // The keys of its elements are unknown, but not its own.
                found.insert(format!("{at}[]"));
            }
            values.iter().for_each(|value| paths(value, &format!("{at}[]"), documented, found))
        }
        _ => {
            found.insert(at.to_owned());
        }
    }
}

/// What has the format of something else, which the documentation tells once.
const SAME_FORMAT: [(&str, &str); 4] = [
    ("match.total[]", "score[]"),
    ("match.record[]", "score[]"),
    ("beside[]", "pages[].sections[]"),
    ("agents[].course.figures[]", "agents[].quantities[]"),
];

/// Returns the keys in a section of the documentation.
fn documented(verb: &str) -> BTreeSet<String> {
    let text =
        std::fs::read_to_string(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/json.md")).unwrap();
    let section = text.split("\n## ").find(|section| section.lines().next() == Some(verb)).unwrap();
    let cells =
        section.lines().filter(|line| line.starts_with("| `")).map(|line| line.split(" | ").next().unwrap());
    let mut keys: BTreeSet<String> = cells
        .flat_map(|cell| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>())
        .collect();
    for (like, format) in SAME_FORMAT {
        if keys.remove(like) {
            let same: Vec<String> = keys
                .iter()
                .filter_map(|key| key.strip_prefix(format))
                .map(|rest| format!("{like}{rest}"))
                .collect();
            keys.extend(same);
        }
    }
    keys
}

#[test]
fn json_is_as_documented() {
    let played = folder().join("played.jsonl");
    let _ = std::fs::remove_file(&played);
    let played = played.to_str().unwrap().to_owned();
    assert_eq!(houserule(&format!("simulate dilido -n 2 --record {played}")).0, 0);
    let text = std::fs::read_to_string(&played).unwrap();
    let played = file("broken.jsonl", &format!("{text}no record\n"));
    let sheet = file("sheet.txt", "......\n......\n......\n..dddd\n......\n......\npenalties = 3\n");
    let parts = file(
        "parts.rules",
        "game \"Parts\" { players 1 board cell = grid(2, 2) piece dot var extra: 0..9 = 0 \
         turn { choose { put c in empty { put dot at c } } } end when empty is nothing score { sum: 2 * extra + 1 } }",
    );
    let parts_sheet = file("parts.txt", "..\n..\nextra = 3\n");
    let bad = file("bad.rules", "game \"Bad\" { players 1 turn { step a { x = 1 } } score { s: 1 } }");
    let unreached = file(
        "never.rules",
        "game \"Never\" { players 1 var n: 0..9 = 0 turn { choose { go { n += 1 } no where n > 5 { n = 0 } } } end over when n == 3 score { s: n } }",
    );
    let rest = file("rest.rules", "variant \"Rest\" of \"pig\" { extend play { rest \"rest\" { } } }");
    let samples: [(&str, Vec<String>); 18] = [
        (
            "simulate",
            vec![
                "simulate pig -n 5".into(),
                "simulate dilido -n 4 --match".into(),
                "simulate dicrono -n 2 --match".into(),
                "simulate whist -n 2 --match".into(),
                "simulate tests/outside/crew.rules -n 2".into(),
            ],
        ),
        (
            "compare",
            vec![
                "compare dilido dilido + second-joker -n 20 --agents random".into(),
                "compare pig tic-tac-toe -n 20 --agents random".into(),
                "compare dilido dilido + three-dice -n 9 --agents random".into(),
                format!("compare pig {rest} --set goal=10 -n 20 --quick"),
                "compare dilido --set-b jokers=0 -n 100 --agents greedy,learned:100".into(),
            ],
        ),
        ("sweep", vec!["sweep pig --set goal=20,30 -n 9 --agents random,greedy".into()]),
        (
            "tune",
            vec![
                "tune dilido --target turns=15 --vary penalty_limit=1..3 -n 20".into(),
                "tune pig --target p90(turns)<=40 --vary goal=20,30 -n 20 --agents greedy".into(),
                "tune connect-four --target turns=10 --vary width=5,6 -n 20 --agents learned:200".into(),
            ],
        ),
        ("worth", vec!["worth dilido -n 20 --quick".into(), "worth pig -n 20 --quick".into()]),
        ("learn", vec!["learn tic-tac-toe -n 60".into(), "learn pig --set goal=5 -n 60".into()]),
        ("ladder", vec!["ladder tic-tac-toe --agents random,greedy -n 8".into()]),
        ("profile", vec!["profile dilido -n 20".into(), "profile yacht -n 2".into()]),
        (
            "extremes",
            vec![
                "extremes pig --set goal=5".into(),
                "extremes tic-tac-toe".into(),
                "extremes dilido --set size=3 --set jokers=0 --set penalty_limit=1 --of decisions".into(),
            ],
        ),
        (
            "odds",
            vec![
                "odds sum(2d6) --at-least 4 --quantile 0.5".into(),
                "odds tic-tac-toe --agents random".into(),
                "odds pig --set goal=5 --agents random --of turns".into(),
            ],
        ),
        (
            "report",
            vec![
                "report pig --set goal=10 --quick --agent greedy -n 50 --players 2,3".into(),
                "report tic-tac-toe --agent learned:60 -n 220".into(),
            ],
        ),
        (
            "check",
            vec![
                format!("check {bad}"),
                format!("check {unreached}"),
                "check tests/errors/actions-too-many.rules".into(),
                "check pig".into(),
                "check pig --names".into(),
            ],
        ),
        ("list", vec!["list".into()]),
        ("rules", vec!["rules dilido".into()]),
        ("diff", vec!["diff dilido dilido + second-joker".into()]),
        ("show", vec!["show dilido".into(), "show yacht".into(), "show dominoes".into()]),
        ("replay", vec![format!("replay {played}")]),
        ("score", vec![format!("score dilido {sheet}"), format!("score {parts} {parts_sheet}")]),
    ];
    for (verb, commands) in samples {
        let documented = documented(verb);
        let mut found = BTreeSet::new();
        for command in commands {
            let (_, out, err) = houserule(&format!("{command} --json"));
            let json: Json =
                serde_json::from_str(&out).unwrap_or_else(|error| panic!("{command}: {error}\n{out}{err}"));
            assert_eq!(json["version"], 1, "{command}");
            assert_eq!(json.as_object().unwrap().keys().next().unwrap(), "version", "{command}");
            paths(&json, "", &documented, &mut found);
        }
        let is_empty_list = |path: &str| {
            path.ends_with("[]") && documented.iter().any(|key| key.starts_with(&format!("{path}.")))
        };
        let unknown: Vec<&String> =
            found.difference(&documented).filter(|path| !is_empty_list(path)).collect();
        assert!(unknown.is_empty(), "{verb} prints what docs/json.md does not have: {unknown:?}");
        // Keys that hold other values are documented too, and may be null.
        let gone: Vec<&String> = documented
            .iter()
            .filter(|key| !SAME_FORMAT.iter().any(|(like, _)| key.starts_with(like)))
            .filter(|key| {
                !found.iter().any(|path| {
                    path == *key
                        || path.starts_with(&format!("{key}."))
                        || path.starts_with(&format!("{key}["))
                })
            })
            .collect();
        assert!(gone.is_empty(), "docs/json.md has keys that no sample of {verb} prints: {gone:?}");
    }
}

#[test]
fn completions_and_man_pages_come_from_the_command_line_itself() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let (code, out, err) = houserule(&format!("completions {shell}"));
        assert_eq!((code, err.as_str()), (0, ""), "{shell}");
        for word in ["simulate", "completions", "agents", "stop-at-error"] {
            assert!(out.contains(word), "{shell}: {word}");
        }
    }
    let (code, _, err) = houserule("completions tcsh");
    assert!(code == 2 && err.contains("fish"), "{err}");

    let (code, page, err) = houserule("man");
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(page.starts_with(".ie") || page.contains(".TH houserule 1"), "{page}");
    let (_, page, _) = houserule("man simulate");
    assert!(page.contains("houserule\\-simulate") && page.contains("\\-\\-first"), "{page}");
    let (code, _, err) = houserule("man frobnicate");
    assert!(code == 2 && err.contains("simulate"), "{err}");

    let pages = folder().join("man1");
    let (code, out, err) = run(&["man", "-o", pages.to_str().unwrap()]);
    assert_eq!((code, out.as_str(), err.as_str()), (0, "", ""));
    for page in ["houserule.1", "houserule-simulate.1", "houserule-man.1"] {
        assert!(pages.join(page).is_file(), "{page}");
    }
}

#[test]
fn colors_are_shown_where_they_are_asked_for() {
    let (_, plain, _) = houserule("simulate pig -n 3");
    let (_, colored, _) = houserule("simulate pig -n 3 --color always");
    let (_, never, _) = houserule("--color never simulate pig -n 3");
    assert!(!plain.contains('\x1b') && colored.contains('\x1b') && !never.contains('\x1b'));
    let (code, _, err) = houserule("simulate pig --color=always --gams 3");
    assert!(code == 2 && err.contains('\x1b'), "{err:?}");
    let (code, _, err) = houserule("simulate dilidoo --color always");
    assert!(code == 2 && err.contains('\x1b'), "{err:?}");
    assert_eq!(houserule("simulate pig -n 3 --color sometimes").0, 2);
}

#[test]
fn quiet_leaves_results_and_errors() {
    let warned = file(
        "warned.rules",
        "game \"W\" { players 1 var n: 0..3 = 0 var unused: 0..3 = 0 turn { n += 1 } end over when n == 3 score { s: n } }",
    );
    let (code, loud, warnings) = houserule(&format!("simulate {warned} -n 2"));
    let (quiet_code, out, err) = houserule(&format!("simulate {warned} -n 2 -q"));
    assert_eq!((code, quiet_code, err.as_str()), (0, 0, ""));
    assert!(warnings.is_empty() || !warnings.contains("error"));
    assert_eq!(loud.lines().next(), out.lines().next());
    let (code, _, err) = houserule("simulate dilidoo -q");
    assert!(code == 2 && err.contains("dilidoo"));
}

#[test]
fn output_that_can_not_be_written_has_a_code_of_its_own() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    for args in ["list", "show dilido", "simulate pig -n 2 --json", "check pig", "completions bash", "man"] {
        let words = std::iter::once("houserule").chain(args.split(' ')).map(Into::into);
        let mut err = Vec::new();
        assert_eq!(houserule::cli::run_to(words, &mut Full, &mut err), 74, "{args}");
        assert!(String::from_utf8(err).unwrap().contains("the output can't be written: "), "{args}");
    }
    assert_eq!(houserule::cli::run_to(["houserule".into(), "--help".into()], &mut Full, &mut Vec::new()), 74);
}

/// Writes to a device that is always full.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_not_the_fault_of_the_rules() {
    let done = std::process::Command::new(env!("CARGO_BIN_EXE_houserule"))
        .args(["simulate", "pig", "-n", "2"])
        .stdout(std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap())
        .output()
        .unwrap();
    assert_eq!(done.status.code(), Some(74));
    assert!(String::from_utf8(done.stderr).unwrap().contains("can't be written"));
}

/// Sends Ctrl-C when the command is ready for it.
#[cfg(target_os = "linux")]
fn interrupted(args: &[&str], is_ready: impl Fn(u32) -> bool) -> (Option<i32>, String) {
    signalled("-INT", args, is_ready)
}

/// Sends a signal when the command is ready for it.
#[cfg(target_os = "linux")]
fn signalled(signal: &str, args: &[&str], is_ready: impl Fn(u32) -> bool) -> (Option<i32>, String) {
    use std::io::Read;
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_houserule"))
        .args(args)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let begun = std::time::Instant::now();
    while !is_ready(child.id()) {
        assert!(child.try_wait().unwrap().is_none(), "{args:?} ended by itself");
        if begun.elapsed().as_secs() > 60 {
            child.kill().unwrap();
            panic!("{args:?} was not ready after a minute");
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let kill = std::process::Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    let code = child.wait().unwrap().code();
    assert!(begun.elapsed().as_secs() < 120, "{args:?} went on for {:?}", begun.elapsed());
    (code, out)
}

/// Other programs end a command by SIGTERM: it tells what it has.
#[cfg(target_os = "linux")]
#[test]
fn a_program_that_ends_the_command_gets_what_was_found() {
    let record = folder().join("terminated.jsonl");
    let _ = std::fs::remove_file(&record);
    let args = ["simulate", "pig", "-n", "100M", "--record", record.to_str().unwrap()];
    let has_records = |_| std::fs::metadata(&record).is_ok_and(|told| told.len() > 0);
    let (code, out) = signalled("-TERM", &args, has_records);
    std::fs::remove_file(&record).unwrap();
    assert!(
        code == Some(130) && out.contains("Interrupted after ") && out.contains("mean"),
        "{code:?} {out}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_tells_what_was_found_so_far() {
    // Once there are records, games have been played.
    for (at, more) in [&[][..], &["--json"]].into_iter().enumerate() {
        let record = folder().join(format!("interrupted-{at}.jsonl"));
        let _ = std::fs::remove_file(&record);
        let args = ["simulate", "pig", "-n", "100M", "--record", record.to_str().unwrap()];
        let has_records = |_| std::fs::metadata(&record).is_ok_and(|told| told.len() > 0);
        let (code, out) = interrupted(&[&args[..], more].concat(), has_records);
        let kept = std::fs::read_to_string(&record).unwrap();
        std::fs::remove_file(&record).unwrap();
        assert_eq!(code, Some(130), "{out}");
        // The records are those of the first games, each on a complete line.
        assert!(kept.ends_with('\n'));
        for (index, line) in kept.lines().enumerate() {
            let told: Json = serde_json::from_str(line).unwrap();
            assert_eq!(told["index"], index);
        }
        if more.is_empty() {
            assert!(out.contains("Interrupted after ") && out.contains(" of 100,000,000 games"), "{out}");
            assert!(out.contains("partial") && out.contains("mean"), "{out}");
            continue;
        }
        let json: Json = serde_json::from_str(&out).unwrap();
        assert_eq!((&json["interrupted"], &json["requested"]), (&Json::Bool(true), &Json::from(100_000_000)));
        let games = json["games"].as_u64().unwrap();
        assert!(games > 0 && games < 100_000_000);
        assert_eq!(kept.lines().count() as u64, games, "what is recorded is counted");
        // Unfinished games are not counted.
        let counted: u64 = json["ends"].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum();
        assert_eq!(counted, games);
    }
    // The mask of the signals that the process catches.
    let listens = |process: u32| {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        caught
            .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
            .is_some_and(|mask| mask >> 1 & 1 == 1)
    };
    let (code, out) = interrupted(&["compare", "dilido", "dilido", "+", "torus", "-n", "1e12"], listens);
    assert!(code == Some(130) && out.contains("Interrupted: all figures are partial"), "{code:?} {out}");
}

#[test]
fn the_interpreter_plays_on_if_no_code_can_be_made() {
    let played = |name: &str, value: &str| {
        let done = std::process::Command::new(env!("CARGO_BIN_EXE_houserule"))
            .args(["simulate", "tic-tac-toe", "--games", "3000", "--seed", "1", "--threads", "2", "--json"])
            .env_remove("HOUSERULE_MACHINE")
            .env(name, value)
            .output()
            .unwrap();
        assert!(done.status.success());
        let mut found: Json = serde_json::from_slice(&done.stdout).unwrap();
        for changing in ["seconds", "cpu_seconds", "games_per_second", "decisions_per_second"] {
            found.as_object_mut().unwrap().shift_remove(changing);
        }
        (found, String::from_utf8(done.stderr).unwrap())
    };
    let (usual, quiet) = played("HOUSERULE_MACHINE", "interpret");
    let (found, note) = played("HOUSERULE_NO_CODE", "1");
    assert_eq!(found, usual);
    assert_eq!(quiet, "");
    assert!(note.contains("so the interpreter played them") && note.contains("please report it"), "{note}");
    assert_eq!(note.lines().count(), 1, "{note}");
}

#[test]
fn printed_commands_can_be_pasted() {
    let rules = |body: &str| {
        format!(
            "game \"Long\" {{ param rounds: 1..50 = 3 players 2 dice die: 1 of d6 var n: 0..3 = 0
             turn {{ choose {{ left {{ roll die }} right {{ roll die }} }} {body} }}
             end over of round when round == rounds: win me }}"
        )
    };
    // A path with a space, as it must be typed.
    let long = file("my long game.rules", &rules(""));
    let (code, out, err) = run(&["report", &long, "--quick", "-n", "50", "--set", "rounds=2", "--json"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains(&format!("`houserule simulate '{long}' --set rounds=2 --agents ")), "{out}");
    let wrong = file("my wrong game.rules", &rules("n += 1"));
    let (_, out, err) = run(&["simulate", &wrong, "-n", "5", "--set", "rounds=7"]);
    let again = format!("To see it again: houserule simulate '{wrong}' --games 1 --first ");
    assert!(err.contains(&again), "{out}{err}");
    let variant = folder().join("my variant.rules").display().to_string();
    let (code, out, err) = run(&["new", &variant, "--from", &long, "--force"]);
    assert_eq!(code, 0, "{err}");
    let then = format!("then: houserule check '{variant}', houserule diff '{long}' '{variant}'");
    assert!(out.split_whitespace().collect::<Vec<_>>().join(" ").contains(&then), "{out}");
}
