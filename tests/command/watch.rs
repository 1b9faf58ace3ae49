//! `watch` as a process: its output after each kind of save. The program prints its times; they decide
//! nothing in these tests.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::command::run;

/// Maximum time to wait. Longer waits fail the test.
const LONG: Duration = Duration::from_secs(60);

struct Watch {
    program: Child,
    out: Receiver<String>,
    err: Receiver<String>,
    told: Vec<String>,
}

impl Watch {
    fn new(file: &Path, more: &[&str]) -> Watch {
        let mut program = Command::new(env!("CARGO_BIN_EXE_houserule"))
            .arg("watch")
            .arg(file)
            .args(["--threads", "1"])
            .args(more)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let out = lines(program.stdout.take().unwrap());
        let err = lines(program.stderr.take().unwrap());
        Watch { program, out, err, told: vec![] }
    }

    /// Waits for a result with all these words, and returns it.
    fn expect(&mut self, words: &[&str]) -> String {
        Self::wait(&self.out, &mut self.told, words)
    }

    /// Waits for a message with all these words.
    fn complains(&mut self, words: &[&str]) {
        Self::wait(&self.err, &mut self.told, words);
    }

    fn wait(lines: &Receiver<String>, told: &mut Vec<String>, words: &[&str]) -> String {
        loop {
            let Ok(line) = lines.recv_timeout(LONG) else {
                panic!("no line with {words:?}, only\n{}", told.join("\n"));
            };
            told.push(line.clone());
            if words.iter().all(|word| line.contains(word)) {
                return line;
            }
        }
    }
}

fn lines(stream: impl std::io::Read + Send + 'static) -> Receiver<String> {
    let (send, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            let _ = send.send(line);
        }
    });
    lines
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("watch").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn rules(goal: u32) -> String {
    format!(
        "game \"Race\" {{ players 1 dice d: 1 of d6 var n: 0..99 = 0 turn {{ roll d; n += d[1] }} \
         end home when n >= {goal} score {{ way: n }} }}"
    )
}

#[test]
fn what_moved_is_said_after_each_good_save() {
    let folder = folder("moved");
    let file = folder.join("race.rules");
    std::fs::write(&file, rules(20)).unwrap();
    let mut watch = Watch::new(&file, &[]);
    watch.expect(&["race.rules: no errors", "checked in"]);
    watch.expect(&["Watching", "race.rules"]);

    std::fs::write(&file, rules(30)).unwrap();
    println!("{}", watch.expect(&["race.rules: no errors", "ms after the save"]));
    watch.expect(&["Scores are", "points higher"]);
    watch.expect(&["Games last", "turns longer"]);
    watch.expect(&["2,000 games of each"]);

    // Invalid rules get a message, and later versions are compared with the last valid one.
    std::fs::write(&file, rules(40).replace("roll d", "roll dd")).unwrap();
    watch.complains(&["error", "`dd`"]);
    watch.expect(&["race.rules: 1 error,"]);
    std::fs::write(&file, "").unwrap();
    watch.expect(&["1 error"]);
    std::fs::write(&file, rules(30) + " // as before").unwrap();
    watch.expect(&["race.rules: no errors"]);
    watch.expect(&["The games are the same, 2,000 games of each."]);

    // An editor that writes a new file and renames it.
    std::fs::write(folder.join("race.rules~"), rules(20)).unwrap();
    std::fs::rename(folder.join("race.rules~"), &file).unwrap();
    watch.expect(&["race.rules: no errors"]);
    watch.expect(&["Games last", "turns shorter"]);
    assert!(watch.program.try_wait().unwrap().is_none());
}

#[test]
fn what_a_variant_stands_on_is_watched_also_before_it_is_there() {
    let folder = folder("stacked");
    let (base, file) = (folder.join("base.rules"), folder.join("mine.rules"));
    std::fs::write(&file, "variant \"Mine\" of \"base.rules\" { end home when n >= 25 }").unwrap();
    let mut watch = Watch::new(&file, &["-n", "200"]);
    watch.complains(&["error", "there is no file"]);
    watch.expect(&["mine.rules: 1 error"]);
    watch.expect(&["Watching", "base.rules"]);
    std::fs::write(&base, rules(20)).unwrap();
    watch.expect(&["mine.rules: no errors"]);
    std::fs::write(&base, rules(20).replace("1 of d6", "1 of d4")).unwrap();
    watch.expect(&["mine.rules: no errors"]);
    watch.expect(&["Games last", "turns longer"]);
    watch.expect(&["200 games of each"]);
}

/// Rules with a script, in which chance may double a step.
#[test]
fn scripts_are_watched_with_their_rules_also_before_they_are_there() {
    let folder = folder("scripted");
    let (file, script) = (folder.join("race.rules"), folder.join("race.rhai"));
    let text =
        rules(20).replace("roll d;", "step go { roll d }").replace("score {", "script \"race.rhai\" score {");
    std::fs::write(&file, text).unwrap();
    let mut watch = Watch::new(&file, &["-n", "200"]);
    watch.complains(&["error", "there is no file"]);
    watch.expect(&["Watching", "race.rhai"]);
    std::fs::write(&script, "fn after_go(g) { g.n += 1; }").unwrap();
    watch.expect(&["race.rules: no errors"]);
    std::fs::write(&script, "fn after_go(g) { g.n += g.roll(6); }").unwrap();
    watch.expect(&["race.rules: no errors"]);
    watch.expect(&["Games last", "turns shorter"]);
    std::fs::write(&script, "fn after_go(g) { g.m += 1; }").unwrap();
    watch.complains(&["error", "`m`"]);
    watch.expect(&["race.rules: 1 error"]);
}

/// A script agent may be edited while its game is watched.
#[test]
fn scripts_of_players_are_watched() {
    let folder = folder("player");
    let (file, player) = (folder.join("race.rules"), folder.join("player.rhai"));
    let text = rules(20).replace("roll d; n += d[1]", "choose { step { n += 1 } leap { n += 4 } }");
    std::fs::write(&file, &text).unwrap();
    std::fs::write(&player, "fn choose(g, actions) { actions[0] }").unwrap();
    let mut watch = Watch::new(&file, &["-n", "20", "--agents", player.to_str().unwrap()]);
    watch.expect(&["Watching", "player.rhai"]);
    std::fs::write(&player, "fn choose(g, actions) { actions[").unwrap();
    watch.complains(&["error"]);
    std::fs::write(&player, "fn choose(g, actions) { actions[1] }").unwrap();
    watch.expect(&["The rules are the same."]);
    // Steps of four pass 22 as they pass 20; steps of one don't.
    std::fs::write(&file, text.replace("n >= 20", "n >= 22")).unwrap();
    watch.expect(&["Games last", "longer", "6", "instead of 5"]);
}

/// Learning agents answer after the others, in the background. An earlier save ends their work.
#[test]
fn players_that_learn_answer_in_the_background() {
    let file = folder("learned").join("race.rules");
    let text = |more: u32| {
        let turn = format!("roll d; choose {{ take {{ n += d[1] }} leave {{ n += {more} }} }}");
        rules(60).replace("roll d; n += d[1]", &turn)
    };
    std::fs::write(&file, text(1)).unwrap();
    let mut watch = Watch::new(&file, &["-n", "200", "--agents", "random,learned:200"]);
    watch.expect(&["Watching"]);
    std::fs::write(&file, text(3)).unwrap();
    watch.expect(&["Games last", "shorter"]);
    watch.expect(&["Against the last good version"]);
    watch.expect(&["Now players are trained"]);
    watch.expect(&["By learned:200 players, 2 trainings for each version, 200 games of each"]);
    watch.expect(&["Games last", "shorter"]);
    // The next save ends a training that would take forever.
    drop(watch);
    let mut watch = Watch::new(&file, &["-n", "200", "--agents", "random,learned:10M"]);
    watch.expect(&["Watching"]);
    std::fs::write(&file, text(4)).unwrap();
    watch.expect(&["Now players are trained"]);
    std::fs::write(&file, text(5)).unwrap();
    watch.expect(&["Games last", "shorter"]);
    watch.expect(&["Now players are trained"]);
    assert!(watch.program.try_wait().unwrap().is_none());
}

#[test]
fn games_that_fail_are_told_and_not_taken_for_good() {
    let file = folder("failing").join("race.rules");
    std::fs::write(&file, rules(20)).unwrap();
    let mut watch = Watch::new(&file, &["-n", "100"]);
    watch.expect(&["Watching"]);
    std::fs::write(&file, rules(20).replace("0..99", "0..21")).unwrap();
    watch.complains(&["0..21"]);
    watch.complains(&["of 100 games"]);
    std::fs::write(&file, rules(20) + " ").unwrap();
    watch.expect(&["The games are the same, 100 games of each."]);
}

#[test]
fn what_can_not_change_is_not_watched() {
    for (name, word) in [("dilido", "comes with the program"), ("dilidoo", "did you mean `dilido`?")] {
        let (code, _, err) = run(&["watch", name]);
        assert!(code == 2 && err.contains(word), "{err}");
    }
}
