//! `houserule play` for people and scripts: on a terminal and on pipes, killed, undone and resumed.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::time::Duration;

use crate::extent;
use crate::table::{Piped, Plan, Pty, folder, load, piped, play_command};
use houserule::game::Game;
use houserule::notation::journal::{Journal, JournalLine, written};
use rand::prelude::*;
use rand::rngs::Xoshiro256PlusPlus;

fn journal(path: &Path) -> Journal {
    Journal::read(&std::fs::read_to_string(path).unwrap()).unwrap().0
}

/// Asserts that output fits the page. Lines with a path have no such limit.
fn fits(text: &str) {
    for line in text.lines().filter(|line| !line.contains('/')) {
        assert!(line.chars().count() <= 100, "{line}\n{text}");
    }
}

fn replays(path: &Path) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let args = ["houserule".into(), "replay".into(), path.into()];
    let code = houserule::cli::run_to(args, &mut out, &mut err);
    let out = String::from_utf8_lossy(&out).into_owned();
    assert_eq!(code, 0, "{path:?}\n{out}\n{}", String::from_utf8_lossy(&err));
    assert!(out.contains("again exactly as recorded"), "{out}");
}

/// Number of typed moves from the first prompt on, and at the end.
const FIRST: usize = 4;
const LAST: usize = 3;

#[test]
fn every_game_from_the_first_prompt_to_the_explained_score() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
    for name in extent::bundled("play", 24) {
        let plan = Plan::random(&load(name), name, random.random_range(0..1000), &mut random);
        let folder = folder(&format!("whole-{name}"));
        let file = folder.join("game.jsonl");
        let seed = plan.head.seed.to_string();

        let mut pty = Pty::new(play_command(&folder).args([name, "--seed", &seed, "--journal"]).arg(&file));
        let first = pty.prompt();
        assert!(first.contains("Kept after every move in") && first.contains("`rules`"), "{first}");
        for number in 0..plan.typed.len().min(FIRST) {
            let shown = pty.line(&plan.move_at(number));
            fits(&shown);
        }
        // Killed here. The middle of the game is played elsewhere.
        pty.kill();
        let typed = plan.typed.len().saturating_sub(LAST);
        let at = if plan.typed.len() > FIRST { plan.typed[typed.max(FIRST)] } else { plan.events.len() };
        let kept = journal(&file).games[0].len();
        assert_eq!(journal(&file).games[0], plan.events[..kept], "{name}");
        let more: String =
            plan.events[kept..at.max(kept)].iter().map(|e| written(&JournalLine::Event(e.clone()))).collect();
        std::fs::write(&file, std::fs::read_to_string(&file).unwrap() + more.as_str()).unwrap();

        let mut pty = Pty::new(play_command(&folder).args([name, "--journal"]).arg(&file));
        let mut last = pty.prompt();
        for number in (0..plan.typed.len()).filter(|number| plan.typed[*number] >= at.max(kept)) {
            fits(&last);
            last = pty.line(&plan.move_at(number));
        }
        fits(&last);
        assert!(last.contains("The game is over: "), "{name}\n{last}");
        let state = plan.end();
        let model = state.game().model();
        for (seat, player) in model.players.names.iter().enumerate().filter(|_| !model.score.is_empty()) {
            let score = state.score(houserule::game::Seat(seat as u32)).unwrap();
            let who = if model.players.count > 1 {
                format!("{player}: {score} point")
            } else {
                format!("{score} point")
            };
            assert!(last.contains(&who), "{name}: {who}\n{last}");
        }
        for item in &model.score {
            let lines = last.lines().filter(|line| line.trim().starts_with(&format!("{}: ", item.name)));
            assert_eq!(lines.count(), model.players.count as usize, "{name}: {}\n{last}", item.name);
        }
        assert_eq!(pty.leave(""), 0, "{name}");
        let journal = journal(&file);
        assert!(journal.is_over());
        assert_eq!(journal.games[0], plan.events, "{name}");
        replays(&file);
    }
}

#[test]
fn undo_gives_the_same_dice_again() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    for (round, name) in ["dilido", "dicrono", "dilido + torus", "pig", "dicrono + steals"].iter().enumerate()
    {
        let plan = Plan::random(&load(name), name, 40 + round as u64, &mut random);
        let folder = folder(&format!("undo-{round}"));
        let file = folder.join("game.jsonl");
        // At random places another move is made and undone, or several are.
        let mut lines: Vec<String> = Vec::new();
        let most = plan.typed.len().min(30);
        for number in 0..most {
            if random.random_ratio(1, 3) {
                let back = random.random_range(0..=number.min(3));
                let other = plan.other_move_at(number, &mut random);
                lines.push(other);
                lines.push("undo".to_owned());
                lines.extend((0..back).map(|_| "undo".to_owned()));
                lines.extend((number - back..number).map(|again| plan.move_at(again)));
            }
            lines.push(plan.move_at(number));
        }
        let seed = plan.head.seed.to_string();
        let (code, out, err) =
            piped(play_command(&folder).args([name, "--seed", &seed, "--journal"]).arg(&file), &lines);
        assert_eq!((code, err.as_str()), (0, ""), "{out}");
        let kept = journal(&file).games[0].clone();
        assert!(kept.len() >= plan.typed[most - 1], "{name}\n{out}");
        assert_eq!(kept, plan.events[..kept.len()], "{name}\n{out}");
        assert!(out.contains("Taken back: "), "{out}");
    }
}

#[test]
fn a_killed_game_goes_on_with_nothing_lost() {
    let games = ["dilido", "dicrono", "reversi", "pig", "connect-four"];
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2026);
    let (mut kills, mut lost_nothing, mut moves) = (0, 0, 0);
    // After so many kills in one game, another game is started.
    let (wanted, of_a_game) = extent::tries((30, 6), (100, 30));
    for round in 0.. {
        if kills >= wanted {
            break;
        }
        let name = games[round % games.len()];
        let plan = Plan::random(&load(name), name, 100 + round as u64, &mut random);
        let folder = folder(&format!("kill-{round}"));
        let file = folder.join("game.jsonl");
        let seed = plan.head.seed.to_string();
        let mut acknowledged = 0;
        for _ in 0..of_a_game {
            let kept = if file.exists() { journal(&file).games[0].len() } else { 0 };
            assert!(kept >= acknowledged, "{name}: {acknowledged} events were told, {kept} are kept");
            assert_eq!(journal_events(&file), plan.events[..kept], "{name}");
            let left = plan.typed_from(kept);
            if left.is_empty() || kills >= wanted {
                break;
            }
            let child =
                Piped::new(play_command(&folder).args([name, "--seed", &seed, "--journal"]).arg(&file));
            let typed: Vec<String> = left.iter().map(|number| plan.move_at(*number)).collect();
            let lines = random.random_range(1..=60);
            let later = Duration::from_micros(random.random_range(0..3000));
            let (killed, out) = child.kill_after(&typed, lines, later);
            kills += usize::from(killed);
            let told = plan.told(kept, &out);
            moves += told;
            acknowledged = kept + told;
            lost_nothing += usize::from(told > 0);
        }
        if file.exists() {
            let kept = journal(&file).games[0].len();
            assert!(kept >= acknowledged, "{name}: {acknowledged} events were told, {kept} are kept");
        }
    }
    // Most of the kills came in the middle of a game.
    assert!(
        kills >= wanted && lost_nothing > wanted / 2 && moves > 2 * wanted,
        "{kills} kills, {lost_nothing} after moves, {moves}"
    );
}

fn journal_events(file: &Path) -> Vec<String> {
    if file.exists() { journal(file).games[0].clone() } else { vec![] }
}

#[test]
fn a_torn_line_is_as_if_it_were_not_there() {
    let folder = folder("torn");
    let file = folder.join("game.jsonl");
    let lines = ["c5", "pass"].map(str::to_owned);
    let dice = |command: &mut std::process::Command| {
        command.args(["dilido", "--dice", "ask", "--journal"]).arg(&file);
    };
    let mut command = play_command(&folder);
    dice(&mut command);
    piped(&mut command, &["3 5".to_owned(), lines[0].clone(), lines[1].clone(), "2 2".to_owned()]);
    let whole = std::fs::read(&file).unwrap();
    let events = journal(&file).games[0].clone();
    assert_eq!(events, ["roll pair 3 5", "place c5", "pass", "roll pair 2 2", "place b2"]);
    let ends: Vec<usize> = (0..whole.len()).filter(|at| whole[*at] == b'\n').map(|at| at + 1).collect();
    for cut in [whole.len() - 1, whole.len() - 5, ends[3] + 1, ends[3] - 1, ends[1] + 4] {
        std::fs::write(&file, &whole[..cut]).unwrap();
        let kept = ends.iter().filter(|end| **end <= cut).count() - 1;
        let mut command = play_command(&folder);
        dice(&mut command);
        let (code, out, err) = piped(&mut command, &[]);
        assert_eq!((code, err.as_str()), (0, ""), "{out}");
        // Automatic events happen again.
        let again = journal(&file).games[0].clone();
        assert!(again.len() >= kept && events.starts_with(&again), "{again:?}");
        assert!(out.contains(&format!("Goes on after {kept} event")), "{out}");
    }
    // An incomplete line before the last one is an error.
    let mut text = String::from_utf8(whole).unwrap();
    text = text.replacen("\"place c5\"", "\"place", 1);
    std::fs::write(&file, &text).unwrap();
    let mut command = play_command(&folder);
    dice(&mut command);
    let (code, _, err) = piped(&mut command, &[]);
    assert!(code == 1 && err.contains("line 3 is no line of a journal"), "{err}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
}

#[test]
fn real_dice_are_asked_for() {
    let folder = folder("dice");
    let file = folder.join("game.jsonl");
    let lines = ["x", "7 1", "3", "35", "e3", "undo", "undo", "", "undo", "undo", "1 2", "place a2", "quit"];
    let (code, out, _) = piped(
        play_command(&folder).args(["dilido", "--dice", "ask", "--journal"]).arg(&file),
        &lines.map(str::to_owned),
    );
    assert_eq!(code, 0);
    for told in [
        "Roll pair: what do the 2 dice show? From 1 to 6",
        "`x` is no answer",
        "a die of pair shows 1 to 6, not 7",
        "2 dice are rolled, and `3` has 1 number",
        "pair rolled: 3 5",
        "Taken back: place e3.",
        "Taken back: pair rolled: 3 5.",
        "Enter alone: 3 5 again",
        "pair rolled: 1 2",
        "place a2",
    ] {
        assert!(out.contains(told), "{told}\n{out}");
    }
    assert_eq!(journal(&file).games[0], ["roll pair 1 2", "place a2"]);
    replays(&file);
    assert!(out.contains(" You roll the dice and draw the cards: type what comes.\n"), "{out}");
    // A pick has a prompt as well.
    let file = folder.join("die.jsonl");
    let lines = ["z9", "b2", "a1"].map(str::to_owned);
    let (_, out, _) =
        piped(play_command(&folder).args(["tic-tac-die", "--dice", "ask", "--journal"]).arg(&file), &lines);
    assert!(out.contains("z9"), "{out}");
    assert!(!journal(&file).games[0].is_empty(), "{out}");
}

const RULES: &str = r#"
game "Little" {
  param size: 2..4 = 3
  players X, O
  board cell = grid(size, 2)
  piece mark[player]
  turn { step place { choose { place c in empty { put mark[me] at c } } } }
  end full when empty is nothing: draw
}
"#;

#[test]
fn changed_rules_are_noticed_and_the_journal_is_kept() {
    let folder = folder("changed");
    let rules = folder.join("little.rules");
    std::fs::write(&rules, RULES).unwrap();
    let file = folder.join("game.jsonl");
    let play = |more: &[&str], lines: &[&str]| {
        let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        piped(play_command(&folder).arg("little.rules").args(more), &lines)
    };
    let kept = ["--journal", "game.jsonl"];
    play(&kept, &["a1", "b2"]);
    std::fs::write(&rules, RULES.replace("full when", "filled when")).unwrap();
    let before = std::fs::read_to_string(&file).unwrap();
    let (code, _, err) = play(&kept, &["c1"]);
    assert_eq!(code, 1);
    assert!(
        err.contains("the rules of little.rules have changed") && err.contains("--changed-rules"),
        "{err}"
    );
    assert!(err.contains("(2 events) is kept"), "{err}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), before);
    let (code, out, _) = play(&["--journal", "game.jsonl", "--changed-rules"], &["c1"]);
    assert!(code == 0 && out.contains("Goes on after 2 events"), "{out}");
    assert_eq!(journal(&file).games[0], ["place a1", "place b2", "place c1"]);
    let (code, ..) = play(&kept, &["c2"]);
    assert_eq!(code, 0, "the journal is of the new rules now");
    replaced(&rules, "in empty", "in empty where c != cell(3, 2)");
    let before = std::fs::read_to_string(&file).unwrap();
    let (code, _, err) = play(&["--journal", "game.jsonl", "--changed-rules"], &[]);
    assert_eq!(code, 1);
    assert!(err.contains("by the rules of today it can't have been played so: event 4"), "{err}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), before);

    // Without a named journal a new game begins, and the output names the old one.
    std::fs::write(&rules, RULES).unwrap();
    play(&[], &["a1"]);
    let (_, out, _) = play(&[], &["b1"]);
    assert!(out.contains("Goes on after 1 event ("), "{out}");
    replaced(&rules, "full when", "filled when");
    let (code, out, err) = play(&[], &[]);
    assert!(code == 0 && !out.contains("Goes on") && err.contains("was begun by other rules"), "{out}{err}");
}

fn replaced(path: &Path, old: &str, new: &str) {
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.contains(old));
    std::fs::write(path, text.replace(old, new)).unwrap();
}

#[test]
fn what_is_not_understood_is_answered() {
    let folder = folder("wrong");
    let lines =
        ["place d4", "plaec b2", "b2", "b2", "b", "help", "moves c", "zzz", "", "hist", "/undo", "save", "?"];
    let (code, out, _) =
        piped(play_command(&folder).args(["tic-tac-toe", "--seed", "1"]), &lines.map(str::to_owned));
    assert_eq!(code, 0);
    for told in [
        "`place d4` is no move and no command.",
        "Did you mean `place b2`",
        "`b2` is no move and no command",
        "`b` fits several moves: `place b1`, `place b3`.",
        "take back your last move",
        "`zzz` is no move and no command.",
        "Type a move, or `help`.",
        "X: place b2",
        "Taken back: place b2.",
        "houserule play --journal '",
        "The game is kept.",
    ] {
        assert!(out.contains(told), "{told}\n{out}");
    }
    assert!(!out.contains('\u{1b}'), "pipes have no colours");
    for (args, told) in [
        (&["tic-tac-toe", "--against", "gredy"][..], "did you mean `greedy`?"),
        (&["dilido", "--against", "greedy"], "needs a game for two"),
        (&["tic-tac-toe", "--match"], "have no `match`"),
        (&["tic-tac-toe", "--agents", "you,random,random"], "3 agents are named, and the game has 2 seats"),
        (&["--journal", "none.jsonl"], "there is no journal `none.jsonl`"),
        (&["tic-tac-tow"], "did you mean `tic-tac-toe`?"),
    ] {
        let (code, _, err) = piped(play_command(&folder).args(args), &[]);
        assert!(code == 2 && err.contains(told), "{told}\n{err}");
    }
}

#[test]
fn unfinished_games_go_on_and_new_ones_are_kept_apart() {
    let folder = folder("apart");
    let play = |args: &[&str], lines: &[&str]| {
        let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        piped(play_command(&folder).args(args), &lines)
    };
    play(&["tic-tac-toe"], &["a1"]);
    let (_, out, _) = play(&["tic-tac-toe"], &["b1", "quit"]);
    assert!(out.contains("Goes on after 1 event ("), "{out}");
    let (_, out, _) = play(&["tic-tac-toe", "--new"], &["a1"]);
    assert!(!out.contains("Goes on") && out.contains("tic-tac-toe-2.jsonl"), "{out}");
    // Other params are another game.
    let (_, out, _) = play(&["tic-tac-toe", "--set", "size=4"], &["d4"]);
    assert!(out.contains("tic-tac-toe-3.jsonl") && out.contains("X: place d4"), "{out}");
    let (_, out, _) = play(&["tic-tac-toe", "--set", "size=4"], &[]);
    assert!(out.contains("Goes on after 1 event ("), "{out}");
    let (code, _, err) =
        play(&["tic-tac-toe", "--journal", "houserule/play/tic-tac-toe-1.jsonl", "--seed", "9"], &[]);
    assert!(code == 2 && err.contains("has another game: its seed is"), "{err}");
    let (code, _, err) = play(&["pig", "--journal", "houserule/play/tic-tac-toe-1.jsonl"], &[]);
    assert!(code == 2 && err.contains("it is of tic-tac-toe, not of pig"), "{err}");
    let (code, _, err) =
        play(&["tic-tac-toe", "--new", "--journal", "houserule/play/tic-tac-toe-1.jsonl"], &[]);
    assert!(code == 2 && err.contains("has a game in it already"), "{err}");
    // A game in progress in another process is left alone.
    let mut pty = Pty::new(play_command(&folder).args(["--journal", "houserule/play/tic-tac-toe-1.jsonl"]));
    pty.prompt();
    let (code, _, err) = play(&["--journal", "houserule/play/tic-tac-toe-1.jsonl"], &["c1"]);
    assert!(code == 2 && err.contains("is being played elsewhere"), "{err}");
    // Ctrl-C exits without losing anything.
    pty.line("c3");
    assert_eq!(pty.leave("\u{3}"), 0);
    let kept = journal(&folder.join("houserule/play/tic-tac-toe-1.jsonl"));
    assert_eq!(kept.games[0], ["place a1", "place b1", "place c3"]);
}

#[test]
fn computers_play_their_seats() {
    let folder = folder("computers");
    let play = |args: &[&str], lines: &[&str]| {
        let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        piped(play_command(&folder).args(args), &lines)
    };
    let (code, out, err) = play(&["connect-four", "--agents", "random,greedy", "--seed", "4"], &[]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("red (random): drop ") && out.contains("yellow (greedy): drop "), "{out}");
    assert!(out.contains("The game is over: ") && !out.contains("> "), "{out}");
    let (code, out, _) = play(&["tic-tac-toe", "--against", "exact", "--seed", "4"], &["b2", "undo", "b2"]);
    assert_eq!(code, 0);
    assert!(out.contains("You are X; O is exact."), "{out}");
    // The agent answers the same move in the same way.
    let answers: Vec<&str> = out.lines().filter(|line| line.contains("O (exact): ")).collect();
    assert!(answers.len() == 2 && answers[0] == answers[1], "{out}");
    let (_, out, _) = play(&["pig", "--players", "3", "--agents", "random,you,greedy", "--seed", "1"], &[]);
    assert!(out.contains("player 1 (random): ") && out.contains("player 2> "), "{out}");
    let (code, out, _) = play(&["dilido", "--agents", "greedy", "--seed", "1", "--match"], &[]);
    assert_eq!(code, 0);
    assert!(out.contains("Game 16 of 16.") && out.contains("The match is over."), "{out}");
    replays(&folder.join("houserule/play/dilido-1.jsonl"));
}

#[test]
fn a_match_goes_on_game_after_game() {
    let folder = folder("match");
    let file = folder.join("match.jsonl");
    let name = "dicrono";
    let args = ["dicrono", "--set", "match_games=3", "--seed", "6", "--match", "--journal"];
    // Always the first move of the list. The end of a game is answered with Enter.
    let mut pty = Pty::new(play_command(&folder).args(args).arg(&file));
    let (mut shown, mut all) = (pty.prompt(), String::new());
    for typed in 0.. {
        assert!(typed < 2000, "{shown}");
        all.push_str(&shown);
        if shown.contains("The match is over") {
            break;
        }
        // In the middle of the second game the process is killed and the match resumed.
        if all.contains("Game 2 of 3.") && typed % 7 == 0 && !all.contains("Goes on after") {
            pty.kill();
            pty = Pty::new(play_command(&folder).args([name, "--journal"]).arg(&file));
            shown = pty.prompt();
            continue;
        }
        shown = pty.line(if shown.ends_with("over> ") { "" } else { "1" });
    }
    for told in ["Game 1 of 3.", "Game 2 of 3.", "Game 3 of 3.", "Goes on after", "The match", "total"] {
        assert!(all.contains(told), "{told}\n{all}");
    }
    assert_eq!(pty.leave(""), 0);
    let journal = journal(&file);
    assert!(journal.is_over() && journal.games.len() == 3);
    replays(&file);
}

#[test]
fn rules_that_fail_lose_no_move() {
    let folder = folder("fails");
    let text = RULES
        .replace("piece mark[player]", "piece mark[player]\n  var n: 0..1 = 0")
        .replace("put mark[me] at c }", "put mark[me] at c  n += 1 }");
    std::fs::write(folder.join("little.rules"), text).unwrap();
    let lines = ["a1", "b1", "b1", "quit"].map(str::to_owned);
    let (code, out, err) =
        piped(play_command(&folder).args(["little.rules", "--journal", "g.jsonl"]), &lines);
    assert_eq!(code, 0, "{out}");
    assert!(err.contains("`n` would become 2") && err.contains("this was not played"), "{err}");
    assert_eq!(journal(&folder.join("g.jsonl")).games[0], ["place a1"]);
}

#[test]
fn plans_are_random_games() {
    let game: Game = load("dilido");
    let plan = Plan::random(&game, "dilido", 3, &mut Xoshiro256PlusPlus::seed_from_u64(1));
    assert!(plan.end().is_over() && plan.typed.len() > 5);
}

/// Cubes in a bag. A player sees which were drawn for the own hand, and how many for the other's.
const CUBES: &str = r#"game "Cubes" {
  players 2
  enum colour { red, blue, green }
  zone bag of colour = [red: 9, blue: 8, green: 7] seen by none
  zone hand[player] of colour seen by owner
  zone table of colour
  setup { deal 3 from bag to hand }
  turn {
    draw k from bag to table
    choose { lay c in hand[me] { move c from hand[me] to table } }
  }
  end when hand[me] is nothing
}
"#;

#[test]
fn draws_of_copies_are_told_as_they_are_seen() {
    let folder = folder("cubes");
    std::fs::write(folder.join("cubes.rules"), CUBES).unwrap();
    for seed in ["1", "2", "3", "4"] {
        let args = ["cubes.rules", "--agents", "you,random", "--seed", seed, "--new"];
        let (code, out, _) = piped(play_command(&folder).args(args), &["hist".to_owned()]);
        assert_eq!(code, 0, "{out}");
        let told: Vec<&str> = out.lines().map(str::trim).collect();
        // Three for the own hand, and three for the other's.
        let drawn = told.iter().find_map(|line| line.strip_prefix("drawn: ")).unwrap();
        let own = drawn.strip_suffix(" to player 1's hand, and 3 face down to player 2's hand").unwrap();
        let open: Vec<&str> = own.split(", ").collect();
        assert_eq!(open.len(), 3, "{out}");
        // One in the open, in the turn of the first player.
        let turn = told.iter().find_map(|line| line.strip_prefix("player 1: drawn: ")).unwrap();
        assert!(
            turn.strip_suffix(" to table").is_some_and(|kind| ["red", "blue", "green"].contains(&kind)),
            "{out}"
        );
        let row = |start: &str| out.lines().find(|line| line.starts_with(start)).unwrap();
        let held = row("hand ");
        for colour in ["red", "blue", "green"] {
            let drawn = open.iter().filter(|kind| **kind == colour).count();
            let counted = if drawn > 1 { format!("{colour} ×{drawn}") } else { colour.to_owned() };
            assert_eq!(held.contains(&counted), drawn > 0, "{held}\n{out}");
        }
        let other = row("  Player 2 ");
        assert!(other.contains("3 in hand"), "{other}");
    }
}

/// All bid at once, and then speak in turn within a step.
const BIDS: &str = r#"game "Bids" {
  players 2
  var bid[player]: 0..5 = 0 each round
  round {
    together as me { choose secret { secret n in 1..3 "bid in secret" { bid[me] = n } } }
    step talk "Everybody says something." {
      each player from starter as me { choose { speak { } hush where bid[me] == 0 { } listen { } } }
    }
  }
  end late of round when round == 2
}
"#;

#[test]
fn a_turn_at_the_table_is_explained() {
    let folder = folder("bids");
    std::fs::write(folder.join("bids.rules"), BIDS).unwrap();
    let args = ["bids.rules", "--agents", "random,you", "--seed", "1", "--new"];
    let lines = ["7", "secret 2", "hush", "speak"].map(str::to_owned);
    let (code, out, _) = piped(play_command(&folder).args(args), &lines);
    assert_eq!(code, 0, "{out}");
    for words in [
        // The moves have numbers of their own.
        "`7` is no move: these moves have no numbers.",
        // The choice of the other player is told once all have chosen.
        "player 1 chose secret ",
        // The step is around the turns of the round.
        "Everybody says something.",
        "`hush` is an option here, but no move of it is legal now; `rules` says when it is.",
    ] {
        assert!(out.split_whitespace().collect::<Vec<_>>().join(" ").contains(words), "{words}\n{out}");
    }
    // And it has no other line before.
    assert!(!out.contains("player 1 (random): ?"), "{out}");
}

/// Returns what `play` writes for rules with agents and typed lines.
fn played(name: &str, rules: &str, agents: &str, seed: u64, typed: &[&str]) -> String {
    let folder = folder(name);
    std::fs::write(folder.join("game.rules"), rules).unwrap();
    let seed = seed.to_string();
    let args = ["game.rules", "--agents", agents, "--seed", &seed, "--new"];
    let lines: Vec<String> = typed.iter().map(|line| (*line).to_owned()).collect();
    let (code, out, _) = piped(play_command(&folder).args(args), &lines);
    assert_eq!(code, 0, "{out}");
    out
}

#[test]
fn the_last_card_of_a_deal_is_told_although_it_had_to_come() {
    let rules = "game \"Deal\" { players 2 domain card = 1..8
      zone stock of card seen by none zone hand[player] of card seen by owner zone pile of card
      setup { deal 4 from stock to hand }
      turn { choose { play c in hand[me] { move c to pile } } }
      end out when hand is nothing }";
    for seed in 1..5 {
        let out = played("last-card", rules, "you,random", seed, &["quit"]);
        let deal = out.lines().find_map(|line| line.trim().strip_prefix("drawn: ")).unwrap();
        let own = deal.strip_suffix(" to player 1's hand, and 4 face down to player 2's hand").unwrap();
        assert_eq!(own.split(", ").count(), 4, "{out}");
    }
}

#[test]
fn a_card_that_is_turned_up_is_told_also_if_nothing_can_be_done_with_it() {
    let rules = "game \"Up\" { players 2 enum card { ace, king, queen }
      zone deck of card = [ace: 6, king: 6, queen: 6] seen by none zone drawn of card
      turn { move drawn to deck deal 1 from deck to drawn
        choose { greet where ace in drawn { } otherwise { } } }
      end over when turns[me] == 8 }";
    let out = played("turned-up", rules, "random,random", 3, &["quit"]);
    let told: Vec<&str> = out.lines().map(str::trim).collect();
    let cards = told.iter().filter(|line| line.contains(": drawn: ") && line.ends_with(" to drawn"));
    // The game ends in the eighth turn of the second player.
    assert!((15..=16).contains(&cards.count()) && !out.contains("face down"), "{out}");
    for (at, line) in told.iter().enumerate().filter(|(_, line)| line.ends_with("has no move")) {
        let player = line.strip_suffix(" has no move").unwrap();
        assert!(
            told[at - 1].starts_with(&format!("{player}: drawn: ")) && !told[at - 1].contains("ace"),
            "{out}"
        );
    }
    let aces = told.iter().filter(|line| line.contains("drawn: ace")).count();
    assert_eq!(told.iter().filter(|line| line.ends_with("(random): greet")).count(), aces, "{out}");
}

#[test]
fn a_turn_without_a_move_has_a_line() {
    let rules = "game \"Pay\" { players 2 domain card = 1..12
      zone stock of card seen by none zone hand[player] of card seen by owner zone pile of card ordered
      var coins[player]: 0..40 = 20
      setup { deal 6 from stock to hand }
      turn { choose { lay c in hand[me] where c == count(pile) + 1 { move c to pile } otherwise { coins[me] -= 1 } } }
      end out when hand[me] is nothing: win me }";
    let rounds = "game \"Pay\" { players 2 domain card = 1..12
      zone stock of card seen by none zone hand[player] of card seen by owner zone pile of card ordered
      setup { deal 6 from stock to hand }
      round { each player from starter as me {
        choose { lay c in hand[me] where c == count(pile) + 1 { move c to pile } } } }
      end out when any p in players: hand[p] is nothing }";
    for (name, rules) in [("pays", rules), ("pays-in-rounds", rounds)] {
        for seed in 1..4 {
            let out = played(name, rules, "random,random", seed, &["quit"]);
            let turns: Vec<&str> = out
                .lines()
                .map(str::trim)
                .filter(|line| line.contains("(random): lay ") || line.ends_with(" has no move"))
                .map(|line| &line[.."player 1".len()])
                .collect();
            assert!(turns.len() > 8 && turns.windows(2).all(|two| two[0] != two[1]), "{turns:?}\n{out}");
        }
    }
}

#[test]
fn what_is_given_at_the_same_time_has_a_line_each() {
    let rules = "game \"Gifts\" { players 3 domain card = 1..12
      zone stock of card seen by none zone hand[player] of card seen by owner zone gift[player] of card seen by owner
      setup { deal 4 from stock to hand }
      round { together as me { choose give { give c in hand[me] { move c to gift[me] } } }
        step pass_on { for p in players { move gift[p] to hand[after(p)] } } }
      end over of round when round == 3 }";
    let out = played("gifts", rules, "you,random,random", 3, &["1", "quit"]);
    let moved = out.split("player 1> ").nth(1).unwrap();
    for player in ["player 1", "player 2", "player 3"] {
        let lines =
            moved.lines().filter(|line| line.starts_with(&format!("  {player}")) && line.contains("give"));
        assert_eq!(lines.count(), 1, "{player}\n{moved}");
    }
    assert!(!out.contains("committed"), "{out}");
}

#[test]
fn scores_are_explained_in_words() {
    let folder = folder("score-words");
    let args = ["dice-wide-shut", "--agents", "you,random", "--seed", "3", "--new"];
    let (_, out, _) = piped(play_command(&folder).args(args), &["score".to_owned()]);
    let told = out.split("player 1> ").nth(1).unwrap();
    assert!(
        told.contains("red: -25 points") && !told.contains(['_', '*']) && !told.contains("(me"),
        "{told}"
    );
}

#[test]
fn names_and_what_the_board_shows_can_be_mixed() {
    let rules = "game \"Call\" { players red_one, blue shown as [red_one: \"Q\" in red, blue: \"W\" in blue]
      enum suit { clubs, hearts } shown as [clubs: \"♣\", hearts: \"♥\"]
      var trumps: suit = clubs
      turn { choose { call s in suit, p in players { trumps = s } } }
      end over when round == 2: draw }";
    let folder = folder("mixed-names");
    std::fs::write(folder.join("call.rules"), rules).unwrap();
    for typed in ["call hearts blue", "call ♥ W", "call ♥ blue", "Call Hearts w", "♥ blue"] {
        let lines = [typed.to_owned(), "Call ♣A1".to_owned()];
        let args = ["call.rules", "--seed", "3", "--new"];
        let (_, out, _) = piped(play_command(&folder).args(args), &lines);
        assert!(out.contains("  red_one: call ♥ blue\n"), "{typed}\n{out}");
        // What isn't understood is quoted as it was typed.
        assert!(out.contains("`Call ♣A1` is no move"), "{out}");
    }
}

#[test]
fn each_player_reads_the_whole_help_of_a_step_once() {
    let rules = "game \"Stones\" { players red, blue
      board cell = grid(3, 3)
      piece stone[player]
      turn {
        step place \"Put a stone on a free cell. It stays there.\" {
          choose { place c in empty { put stone[me] at c } }
        }
      }
      end full when empty is nothing: draw }";
    let folder = folder("help-once");
    std::fs::write(folder.join("stones.rules"), rules).unwrap();
    let lines: Vec<String> = ["place a1", "place a2", "place a3", "quit"].map(str::to_owned).into();
    let (_, out, _) = piped(play_command(&folder).args(["stones.rules", "--new"]), &lines);
    assert_eq!(out.matches("Put a stone on a free cell.").count(), 4, "{out}");
    assert_eq!(out.matches("It stays there.").count(), 2, "{out}");
}
