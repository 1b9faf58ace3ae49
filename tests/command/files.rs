//! Files named on the command line: no file is overwritten without `--force`, no pipe blocks, and a message
//! about an unreadable file names the line.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::table::{folder, piped, play_command};

/// Returns the exit code, standard output and standard error.
fn houserule(folder: &Path, words: &str) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_houserule"));
    let words = words.split(' ').filter(|word| !word.is_empty());
    piped(command.args(words).current_dir(folder).env("XDG_DATA_HOME", folder), &[])
}

const LOOSE: &str = "game \"G\" {\nplayers 1\nvar v:0..9=0\nturn { v += 1 }\nend when v > 3\n}\n";

#[test]
fn fmt_keeps_the_link_and_the_mode_of_a_file() {
    let folder = folder("fmt keeps");
    let (file, link) = (folder.join("a.rules"), folder.join("link.rules"));
    std::fs::write(&file, LOOSE).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
    symlink("a.rules", &link).unwrap();
    let (code, _, err) = houserule(&folder, "fmt link.rules");
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(link.is_symlink());
    assert_ne!(std::fs::read_to_string(&file).unwrap(), LOOSE);
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    // No temporary file is left.
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
}

#[test]
fn a_file_is_named_whatever_the_capitals() {
    let folder = folder("capitals");
    std::fs::write(folder.join("sevens.rules"), LOOSE).unwrap();
    if folder.join("Sevens.rules").is_file() {
        // Here names are the same in capitals.
        return;
    }
    for (name, told) in [
        ("Sevens", "there is a file `sevens.rules`: write its name so"),
        ("Sevens.rules", "there is no file `Sevens.rules`, but `sevens.rules`: write its name so"),
        ("./SEVENS", "there is a file `./sevens.rules`"),
    ] {
        let (code, out, err) = houserule(&folder, &format!("simulate {name}"));
        assert!(code != 0 && out.is_empty() && err.contains(told), "{name}: {err}");
    }
}

#[test]
fn fmt_without_room_leaves_the_old_file() {
    let folder = folder("fmt without room");
    let file = folder.join("a.rules");
    let loose: String = (0..400).map(|v| format!("var v{v}:0..9=0\n")).collect();
    let loose = format!("game \"G\" {{\nplayers 1\n{loose}turn {{ v0 += 1 }}\nend when v0 > 3\n}}\n");
    std::fs::write(&file, &loose).unwrap();
    // The shell limits the size of files, in blocks of 512 or 1,024 bytes.
    let mut command = Command::new("sh");
    let script = format!("trap '' XFSZ; ulimit -f 2; exec '{}' fmt a.rules", env!("CARGO_BIN_EXE_houserule"));
    let (code, _, err) = piped(command.args(["-c", &script]).current_dir(&folder), &[]);
    assert!(code != 0 && err.contains("`a.rules` can't be written"), "{code} {err}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), loose);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
}

#[test]
fn outputs_spare_what_is_there() {
    let folder = folder("outputs spare");
    let kept = [("mine.rules", LOOSE), ("mine.rhai", "fn on_place(g, c) { }\n"), ("notes.txt", "notes\n")];
    for (name, text) in kept {
        std::fs::write(folder.join(name), text).unwrap();
    }
    for (name, text) in kept {
        for words in ["simulate pig -n 2 --record", "draw pig -o"] {
            let (code, _, err) = houserule(&folder, &format!("{words} {name}"));
            assert!(code == 2 && err.contains(&format!("`{name}`")), "{words} {name}: {code} {err}");
            assert_eq!(std::fs::read_to_string(folder.join(name)).unwrap(), text, "{words}");
        }
    }
    // `--force` overwrites other files, but never rules or scripts.
    for name in ["mine.rules", "mine.rhai"] {
        for words in ["simulate pig -n 2 --force --record", "draw pig --format text --force -o"] {
            assert_eq!(houserule(&folder, &format!("{words} {name}")).0, 2, "{words} {name}");
        }
    }
    assert_eq!(houserule(&folder, "draw pig --format text --force -o notes.txt").0, 0);
    assert_eq!(houserule(&folder, "simulate pig -n 2 --force --record notes.txt").0, 0);
    assert!(houserule(&folder, "replay notes.txt").1.contains("2 games play again exactly as recorded"));
    assert_eq!(std::fs::read_to_string(folder.join("mine.rules")).unwrap(), LOOSE);
    // An empty file has nothing to lose, and a device overwrites nothing.
    std::fs::write(folder.join("empty"), "").unwrap();
    assert_eq!(houserule(&folder, "simulate pig -n 2 --record empty").0, 0);
    assert_eq!(houserule(&folder, "draw pig --format text -o /dev/null").0, 0);
    assert_eq!(houserule(&folder, "simulate pig -n 2 --record /dev/null").0, 0);
    let (code, _, err) = houserule(&folder, "draw pig --format text -o .");
    assert!(code == 2 && err.contains("`.` is a folder, not a file"), "{err}");
}

#[test]
fn a_game_under_way_is_not_written_over() {
    let folder = folder("journal under way");
    let mut command = play_command(&folder);
    command.args(["dilido", "--seed", "1", "--journal", "j.jsonl"]);
    let mut play = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    while std::fs::read_to_string(folder.join("j.jsonl")).map_or(0, |text| text.lines().count()) < 2 {
        assert!(begun.elapsed() < Duration::from_secs(60), "the game does not begin");
        std::thread::sleep(Duration::from_millis(10));
    }
    let before = std::fs::read_to_string(folder.join("j.jsonl")).unwrap();
    for words in [
        "simulate pig -n 2 --record",
        "simulate pig -n 2 --force --record",
        "draw pig --format text --force -o",
    ] {
        let (code, _, err) = houserule(&folder, &format!("{words} j.jsonl"));
        assert_eq!(code, 2, "{words}: {err}");
    }
    assert_eq!(std::fs::read_to_string(folder.join("j.jsonl")).unwrap(), before);
    drop(play.stdin.take());
    play.wait().unwrap();
}

#[test]
fn a_game_goes_on_where_no_journal_can_be_written() {
    let folder = folder("no journal");
    // No folder can be made in a file.
    let home = folder.join("home");
    std::fs::write(&home, "").unwrap();
    let play = |words: &str| {
        let mut command = play_command(&folder);
        command.args(words.split(' ')).env("XDG_DATA_HOME", &home);
        piped(&mut command, &["help".to_owned(), "save".to_owned(), "quit".to_owned()])
    };
    let (code, out, err) = play("pig --seed 1");
    assert_eq!(code, 0, "{err}");
    let place = home.join("houserule").join("play").join("pig-1.jsonl");
    let begin = format!("This game isn't recorded: the journal `{}` can't be written: ", place.display());
    assert!(err.starts_with(&begin), "{err}");
    assert!(
        err.ends_with(". `--journal FILE` records it in another place\n") && err.lines().count() == 1,
        "{err}"
    );
    for said in [
        "This game isn't recorded: nothing of it is kept.\n",
        "This game isn't recorded; `--journal FILE` records the next one.\n",
    ] {
        assert!(out.contains(said), "{out}");
    }
    assert!(out.ends_with("This game isn't recorded, so it ends here.\n"), "{out}");
    assert!(!out.contains("Kept after every move") && !out.contains("To go on"), "{out}");
    // A file that is named must be written.
    let (code, out, err) = play("pig --seed 1 --journal home/j.jsonl");
    assert!(code == 2 && out.is_empty(), "{code} {out}");
    assert!(err.contains("the journal `home/j.jsonl` can't be written"), "{err}");
}

#[test]
fn a_game_goes_on_without_room_for_its_journal() {
    let folder = folder("no room for a journal");
    let script =
        format!("trap '' XFSZ; ulimit -f 0; exec '{}' play pig --seed 1", env!("CARGO_BIN_EXE_houserule"));
    let mut command = Command::new("sh");
    command.args(["-c", &script]).current_dir(&folder).env("XDG_DATA_HOME", &folder);
    let (code, out, err) = piped(&mut command, &["quit".to_owned()]);
    assert!(code == 0 && err.starts_with("This game isn't recorded: "), "{code} {err}");
    assert!(out.ends_with("This game isn't recorded, so it ends here.\n"), "{out}");
    let play = folder.join("houserule").join("play");
    assert_eq!(std::fs::read_dir(play).unwrap().count(), 0, "no empty journal stays");
}

#[test]
fn a_new_game_begins_where_the_old_one_is_read_only() {
    let folder = folder("read-only journal");
    let play = || {
        let (code, out, err) =
            piped(play_command(&folder).args(["pig", "--seed", "1"]), &["quit".to_owned()]);
        assert_eq!(code, 0, "{err}");
        out
    };
    play();
    let kept = folder.join("houserule").join("play");
    let first = kept.join("pig-1.jsonl");
    assert!(play().contains("Goes on after"));
    std::fs::set_permissions(&first, std::fs::Permissions::from_mode(0o444)).unwrap();
    // The superuser can write read-only files.
    if std::fs::OpenOptions::new().append(true).open(&first).is_err() {
        assert!(play().contains("Kept after every move in") && kept.join("pig-2.jsonl").is_file());
    }
}

#[test]
fn a_run_that_was_cut_short_goes_on() {
    let folder = folder("resume");
    let file = folder.join("r.jsonl");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(houserule(&folder, "simulate dilido -n 40 --seed 5 --record whole.jsonl").0, 0);
    let whole = read("whole.jsonl");
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    // As after a kill or a power failure: whole lines, or a part of one.
    for cut in [0, 1, 17, 40] {
        for torn in ["", &lines[cut.min(39)][..30]] {
            let begun = lines[..cut].concat() + torn;
            std::fs::write(&file, &begun).unwrap();
            if !begun.is_empty() {
                let (code, _, err) = houserule(&folder, "simulate dilido -n 40 --seed 5 --record r.jsonl");
                assert!(code == 2 && err.contains("--resume"), "{err}");
            }
            for words in
                ["--seed 6", "--seed 5 --agents greedy", "--seed 5 --set jokers=2", "--seed 5 --first 18"]
            {
                if cut > 0 {
                    let words = format!("simulate dilido -n 40 {words} --resume --record r.jsonl");
                    let (code, _, err) = houserule(&folder, &words);
                    assert!(code == 2 && err.contains("nothing was changed"), "{words}: {code} {err}");
                    assert_eq!(read("r.jsonl"), begun);
                }
            }
            let (code, _, err) =
                houserule(&folder, "simulate dilido -n 40 --seed 5 --resume --record r.jsonl");
            assert_eq!(code, 0, "{err}");
            assert_eq!(cut > 0, err.contains("recorded already"), "{err}");
            assert_eq!(read("r.jsonl"), whole, "{cut}");
        }
    }
}

#[test]
fn a_match_that_was_cut_short_is_played_again() {
    let folder = folder("resume a match");
    assert_eq!(houserule(&folder, "simulate dicrono --match -n 3 --record whole.jsonl").0, 0);
    let whole = std::fs::read_to_string(folder.join("whole.jsonl")).unwrap();
    for cut in [1, 10, 14] {
        let begun: String = whole.split_inclusive('\n').take(cut).collect();
        std::fs::write(folder.join("r.jsonl"), begun).unwrap();
        assert_eq!(houserule(&folder, "simulate dicrono --match -n 3 --resume --record r.jsonl").0, 0);
        assert_eq!(std::fs::read_to_string(folder.join("r.jsonl")).unwrap(), whole);
    }
}

#[test]
fn killed_runs_leave_whole_records_to_go_on_with() {
    let folder = folder("killed runs");
    let file = folder.join("r.jsonl");
    let mut command = Command::new(env!("CARGO_BIN_EXE_houserule"));
    command.current_dir(&folder).args(["simulate", "dilido", "-n", "3000000", "--record", "r.jsonl"]);
    let mut run = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    while std::fs::metadata(&file).map_or(0, |metadata| metadata.len()) < 100_000 {
        assert!(begun.elapsed() < Duration::from_secs(60), "the run does not begin");
        std::thread::sleep(Duration::from_millis(5));
    }
    // A second run on the same file is refused while the first one writes.
    for words in ["", "--force", "--resume"] {
        let words = format!("simulate dilido -n 5 --seed 2 {words} --record r.jsonl");
        let (code, _, err) = houserule(&folder, &words);
        assert!(code == 2 && err.contains("another process writes to `r.jsonl`"), "{words}: {code} {err}");
    }
    run.kill().unwrap();
    run.wait().unwrap();
    let kept = std::fs::read_to_string(&file).unwrap();
    assert!(kept.ends_with('\n'));
    let games = kept.lines().count();
    let words = format!("simulate dilido -n {} --resume --record r.jsonl", games + 5);
    let (code, _, err) = houserule(&folder, &words);
    assert_eq!(code, 0, "{err}");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.starts_with(&kept) && text.ends_with('\n'));
    for (index, line) in text.lines().enumerate() {
        let json: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(json["index"], index as u64);
    }
    assert_eq!(text.lines().count(), games + 5);
}

#[test]
fn a_record_that_is_no_text_is_named_and_hides_no_other() {
    let folder = folder("broken record");
    assert_eq!(houserule(&folder, "simulate dilido -n 5 --record r.jsonl").0, 0);
    let text = std::fs::read(folder.join("r.jsonl")).unwrap();
    let mut lines: Vec<Vec<u8>> = text.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    lines[2][3] = 0xff;
    std::fs::write(folder.join("r.jsonl"), lines.concat()).unwrap();
    let (code, out, err) = houserule(&folder, "replay r.jsonl");
    assert!(code == 1 && err.contains("line 3: a byte is not UTF-8"), "{err}");
    assert!(out.contains("1 of 5 games differ"), "{out}");
    let draw =
        |which: u32| houserule(&folder, &format!("draw --record r.jsonl --game {which} --format text"));
    assert_eq!(draw(5).0, 0);
    assert!(draw(3).2.contains("line 3: a byte is not UTF-8"));
    assert!(draw(6).2.contains("has 5 games, counted from 1"));
}

#[test]
fn a_journal_that_is_no_text_stays_as_it_is() {
    let folder = folder("broken journal");
    let typed: Vec<String> = vec!["1".to_owned(); 12];
    piped(play_command(&folder).args(["dilido", "--seed", "3", "--journal", "j.jsonl"]), &typed);
    let file = folder.join("j.jsonl");
    let mut bytes = std::fs::read(&file).unwrap();
    let starts: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at] == b'\n').collect();
    bytes[starts[7] + 3] = 0xff;
    std::fs::write(&file, &bytes).unwrap();
    for words in ["play --journal j.jsonl", "replay j.jsonl", "draw --record j.jsonl --format text"] {
        let (code, _, err) = houserule(&folder, words);
        assert!(code != 0 && err.contains("line 9: a byte is not UTF-8"), "{words}: {code} {err}");
        assert_eq!(std::fs::read(&file).unwrap(), bytes, "{words}");
    }
    // A file that is too long to be read isn't truncated.
    std::fs::OpenOptions::new().write(true).open(&file).unwrap().set_len((256 << 20) + 1).unwrap();
    let (code, _, err) = houserule(&folder, "play --journal j.jsonl");
    assert!(
        code == 2 && err.contains("has more than 268435456 bytes, the most of a journal"),
        "{code} {err}"
    );
    assert_eq!(std::fs::metadata(&file).unwrap().len(), (256 << 20) + 1);
}

#[test]
fn nobody_waits_for_a_pipe() {
    let folder = folder("pipes");
    for name in ["pipe.rules", "pipe.rhai", "pipe.jsonl", "pipe.txt"] {
        assert!(Command::new("mkfifo").arg(folder.join(name)).status().unwrap().success());
    }
    std::fs::write(folder.join("script.rules"), "variant \"S\" of \"dilido\" { script \"pipe.rhai\" }\n")
        .unwrap();
    std::fs::write(folder.join("base.rules"), "variant \"S\" of \"pipe.rules\" { }\n").unwrap();
    for words in [
        "check pipe.rules",
        "show pipe.rules",
        "fmt pipe.rules",
        "rules pipe.rules",
        "diff dilido pipe.rules",
        "compare dilido pipe.rules",
        "simulate pipe.rules -n 1",
        "check script.rules",
        "check base.rules",
        "new new.rules --from pipe.rules",
        "simulate dilido -n 1 --agents pipe.rhai",
        "simulate dilido -n 1 --agents mcts:10:pipe.rhai",
        "simulate dilido -n 1 --record pipe.jsonl",
        "draw dilido -o pipe.txt --format text",
        "draw dilido --position pipe.txt --format text",
        "draw --record pipe.jsonl --format text",
        "score dilido pipe.txt",
        "replay pipe.jsonl",
        "play --journal pipe.jsonl",
        "play tic-tac-toe --against pipe.rhai",
    ] {
        let (code, _, err) = houserule(&folder, words);
        assert!((code == 1 || code == 2) && err.contains("is a pipe, not a file"), "{words}: {code} {err}");
    }
    for words in ["check .rules", "score dilido .", "replay .", "play --journal ."] {
        std::fs::create_dir_all(folder.join(".rules")).unwrap();
        let (code, _, err) = houserule(&folder, words);
        assert!((code == 1 || code == 2) && err.contains("is a folder"), "{words}: {code} {err}");
    }
}

#[test]
fn what_is_wrong_with_a_script_is_said_of_a_script() {
    let folder = folder("script messages");
    std::fs::write(folder.join("a.rules"), "variant \"S\" of \"dilido\" { script \"a.rhai\" }\n").unwrap();
    let long = format!("// {}\n", "x".repeat(1_100_000)).into_bytes();
    for (script, message) in [
        (long, "the most of a script"),
        (b"//\n// \xff\n".to_vec(), "line 2: a byte is not UTF-8, and a script is text"),
    ] {
        std::fs::write(folder.join("a.rhai"), script).unwrap();
        for words in ["check a.rules", "simulate dilido -n 1 --agents a.rhai"] {
            let (code, _, err) = houserule(&folder, words);
            assert!(code != 0 && err.contains(message) && !err.contains("rule file"), "{words}: {err}");
        }
    }
}

/// A player that was cut off in the cache is trained once more and kept, and not at every run.
#[test]
fn a_damaged_player_in_the_cache_is_replaced() {
    let folder = folder("damaged player");
    let cache = folder.join("cache");
    let play = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_houserule"));
        let words = "simulate tic-tac-toe -n 20 --agents learned:100 -q".split(' ');
        let found = piped(command.args(words).env("XDG_CACHE_HOME", &cache).env("HOME", &folder), &[]);
        assert_eq!(found.0, 0, "{}", found.2);
    };
    play();
    let players = cache.join("houserule").join("players");
    let file = std::fs::read_dir(players).unwrap().next().unwrap().unwrap().path();
    let whole = std::fs::read(&file).unwrap();
    std::fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    play();
    assert!(std::fs::read(&file).unwrap() == whole, "the same training gives the same bytes");
    let written = || std::fs::metadata(&file).unwrap().modified().unwrap();
    let before = written();
    play();
    assert_eq!(written(), before, "it is read, and not trained again");
}
