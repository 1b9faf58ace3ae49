//! Several people at one keyboard, and which hidden information each of them sees.
#![allow(clippy::unwrap_used)]

use crate::table::{Pty, folder, piped, play_command};

const CARDS: &str = r#"
game "Cards" {
  players X, O
  domain card = 1..9
  zone stock of card seen by none
  zone hand[player] of card seen by owner
  zone pile of card
  setup { deal 2 from stock to hand }
  turn { choose { play c in hand[me] { move c to pile } } draw c from stock to hand[me] }
  end over when pile == {1, 2, 3, 4}
}
"#;

fn written(name: &str, rules: &str) -> (std::path::PathBuf, std::path::PathBuf) {
    let folder = folder(name);
    let file = folder.join("game.rules");
    std::fs::write(&file, rules).unwrap();
    (folder, file)
}

/// Returns the cards in a player's hand, as printed on a screen: those of the one who looks, or what is at another seat.
fn cards(screen: &str, name: &str) -> String {
    let seat = screen.lines().rfind(|line| line.get(2..).is_some_and(|line| line.starts_with(name)));
    let seat = seat.unwrap_or_else(|| panic!("{screen}"));
    match seat.ends_with(" you") {
        true => screen.lines().rfind(|line| line.starts_with("hand ")).unwrap()[5..].trim().to_owned(),
        false => seat[2 + name.len()..].trim().to_owned(),
    }
}

#[test]
fn a_hand_appears_only_after_the_keyboard_was_handed_over() {
    let (folder, file) = written("hot-seat", CARDS);
    let mut pty = Pty::new(play_command(&folder).arg(&file).args(["--seed", "3", "--new"]));
    let first = pty.any_prompt();
    assert!(
        first.contains("Pass the keyboard to X, then press Enter.") && !first.contains("stock"),
        "{first}"
    );
    assert!(first.contains("drawn face down") && !first.contains("drawn: "), "{first}");
    let second = pty.bare_line("");
    let own: Vec<String> = cards(&second, "X").split(' ').map(str::to_owned).collect();
    assert_eq!(own.len(), 2, "{second}");
    assert!(own.iter().all(|card| card.parse::<u32>().is_ok()), "{second}");
    // X sees the card drawn by X before the screen is cleared.
    let news = pty.bare_line(&format!("play {}", own[0]));
    assert!(news.contains("drawn: ") && news.contains("Press Enter to hide"), "{news}");
    let drawn = news.split("drawn: ").nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
    let between = pty.bare_line("");
    assert!(between.contains("Pass the keyboard to O") && !between.contains("stock"), "{between}");
    // The escape sequence that clears the screen reaches the terminal unescaped.
    assert!(!between.contains("u{1b}"), "{between}");
    // Only Enter shows the hand.
    let refused = pty.bare_line("play 1");
    assert!(refused.contains("Only Enter goes on here") && !refused.contains("stock"), "{refused}");
    let third = pty.bare_line("");
    assert!(
        third.contains("So far: ") && third.contains(&format!("X: play {}, drawn face down", own[0])),
        "{third}"
    );
    assert!(!cards(&third, "X").split(' ').any(|card| card == own[1] || card == drawn), "{third}");
    assert_eq!(cards(&third, "O").split(' ').count(), 2, "{third}");
    // After an undo it is X's turn, but X no longer has the keyboard.
    let mut back = pty.bare_line("undo");
    assert!(back.contains("Taken back"), "{back}");
    if back.contains("Press Enter to hide") {
        back = pty.bare_line("");
    }
    assert!(back.contains("Pass the keyboard to X"), "{back}");
    assert_eq!(pty.leave("quit"), 0);
}

#[test]
fn a_commitment_is_told_once_all_have_committed() {
    let rules = "game \"Bids\" {
      players X, O
      var bid[player]: 0..9 = 0 each round
      var won[player]: 0..9 = 0
      round {
        together as me { choose { bid n in 1..5 { bid[me] = n } } }
        step count { for p in players { if all o in players - p: bid[o] < bid[p] { won[p] += 1 } } }
      }
      end over of round when round > 2
    }";
    let (folder, file) = written("commitments", rules);
    let mut pty = Pty::new(play_command(&folder).arg(&file).args(["--seed", "3", "--new"]));
    pty.any_prompt();
    pty.bare_line("");
    pty.bare_line("bid 4");
    let mut second = pty.bare_line("");
    if second.contains("Pass the keyboard to O") {
        second = pty.bare_line("");
    }
    assert!(second.contains("So far: X: ?") && !second.contains("bid 4"), "{second}");
    pty.bare_line("bid 2");
    let mut third = pty.bare_line("");
    if third.contains("Pass the keyboard to X") {
        third = pty.bare_line("");
    }
    assert!(third.contains("O: bid 2"), "{third}");
    assert_eq!(pty.leave("quit"), 0);
}

#[test]
fn a_table_without_hands_needs_no_hand_over() {
    let folder = folder("open-seat");
    let (code, out, err) = piped(
        play_command(&folder).args(["tic-tac-toe", "--new", "--seed", "1"]),
        &["place a1".into(), "place b2".into()],
    );
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(
        !out.contains("Pass the keyboard") && out.contains("X: place a1") && out.contains("O: place b2"),
        "{out}"
    );
}

#[test]
fn a_card_that_is_shown_to_all_is_told_with_its_name() {
    let rules = |body: &str| {
        format!(
            "game \"Ask\" {{
              players 2
              domain card {{ suit: 1..2, rank: 1..3 }}
              zone stock of card seen by none
              zone hand[player] of card seen by owner
              var last: card? = none
              var times: 0..9 = 0
              setup {{ deal 2 from stock to hand }}
              turn {{ choose {{ ask c in hand[me] {{ {body} }} }} }}
              end over when round > 2
            }}"
        )
    };
    let told = |name: &str, body: &str| {
        let (folder, file) = written(name, &rules(body));
        let (_, out, _) = piped(
            play_command(&folder).arg(&file).args(["--seed", "3", "--new", "--against", "random"]),
            &["1".into(), "1".into(), "quit".into()],
        );
        let line = out.lines().find(|line| {
            line.contains("player 2 (random): ask")
                || line.contains("player 2 (random)") && line.contains("ask")
        });
        line.unwrap_or_else(|| panic!("{out}")).rsplit(' ').next().unwrap().to_owned()
    };
    for (name, body) in [
        ("shown-revealed", "reveal c to players"),
        ("shown-written", "last = c"),
        ("shown-both", "last = c  reveal c to players"),
    ] {
        let card = told(name, body);
        assert!(card.starts_with(|c: char| c.is_ascii_digit()), "{name}: {card}");
    }
    assert_eq!(told("shown-kept", "times += 1"), "?");
}

#[test]
fn who_has_a_single_move_sees_the_hand_before_it_is_made() {
    let rules = "game \"One\" { players X, O domain card = 1..12
      zone stock of card seen by none zone hand[player] of card seen by owner zone pile of card ordered
      setup { move {1, 3, 5, 7} to hand[X] move {2, 4, 6, 8} to hand[O] }
      turn { choose { lay c in hand[me] where count(pile) > 1 or c == count(pile) + 1 { move c to pile } } }
      end out when hand[me] is nothing: win me }";
    let (folder, file) = written("single-move", rules);
    let mut pty = Pty::new(play_command(&folder).arg(&file).args(["--seed", "3", "--new"]));
    let first = pty.any_prompt();
    assert!(first.contains("Pass the keyboard to X") && !first.contains("lay 1"), "{first}");
    assert_eq!(cards(&pty.bare_line(""), "X"), "7 5 3 1+");
    let passed = pty.bare_line("lay 1");
    assert!(passed.contains("Pass the keyboard to O") && !passed.contains("lay 2"), "{passed}");
    let second = pty.bare_line("");
    assert!(second.contains("X: lay 1") && !second.contains("O: lay 2"), "{second}");
    assert_eq!(cards(&second, "O"), "8 6 4 2+");
    // The single move can be taken back like others, and the game goes on where it was left.
    assert!(pty.bare_line("lay 2").contains("O: lay 2"));
    assert_eq!(pty.leave("quit"), 0);
    let mut again = Pty::new(play_command(&folder).arg(&file).args(["--seed", "3"]));
    again.any_prompt();
    let undone = again.bare_line("undo");
    assert!(undone.contains("Taken back: O: lay 2."), "{undone}");
    assert_eq!(again.leave("quit"), 0);
}

#[test]
fn what_is_committed_out_of_sight_is_told_at_the_next_turn() {
    let rules = "game \"Bids\" { players X, O
      var bid[player]: 0..9 = 0 each round
      round { together as me { choose { bid n in 1..5 { bid[me] = n } } } }
      end over of round when round > 2 }";
    let (folder, file) = written("owed", rules);
    let mut pty = Pty::new(play_command(&folder).arg(&file).args(["--seed", "3", "--new"]));
    pty.prompt();
    let second = pty.line("bid 4");
    assert!(second.contains("X: ?") && !second.contains("bid 4, "), "{second}");
    let third = pty.line("bid 2");
    let fourth = pty.line("bid 1");
    assert!(third.contains("O: bid 2") && fourth.contains("X: bid 4"), "{third}\n{fourth}");
    assert_eq!(pty.leave("quit"), 0);
}

/// Cards that are laid aside out of sight, from hands that are the same in every game.
const BURY: &str = "game \"Bury\" { players X, O domain card = 1..9
  zone stock of card seen by none zone hand[player] of card seen by owner zone aside of card seen by none
  setup { move {1, 3, 5} to hand[X] move {2, 4, 6} to hand[O] }
  turn { choose { bury c in hand[me] { move c to aside } } }
  end over of round when round == 3 }";

#[test]
fn what_is_taken_back_is_told_as_far_as_the_screen_may_tell_it() {
    let (folder, file) = written("taken-back", BURY);
    let mut pty = Pty::new(play_command(&folder).arg(&file).args(["--seed", "3", "--new"]));
    pty.any_prompt();
    pty.bare_line("");
    // Before the other player has taken the screen, and after.
    let mut passed = pty.bare_line("bury 3");
    assert!(passed.contains("X: bury 3") && passed.contains("Pass the keyboard to O"), "{passed}");
    let undone = pty.bare_line("undo");
    assert!(undone.contains("Taken back: X: bury ?.") && !undone.contains("bury 3"), "{undone}");
    pty.bare_line("");
    passed = pty.bare_line("bury 3");
    assert!(passed.contains("Pass the keyboard to O"), "{passed}");
    pty.bare_line("");
    let undone = pty.bare_line("undo");
    assert!(undone.contains("Taken back: X: bury ?.") && !undone.contains("bury 3"), "{undone}");
    assert_eq!(pty.leave("quit"), 0);

    // Of a choice in `together` nothing is told before all have chosen.
    let rules = "game \"Bids\" { players X, O
      var bid[player]: 0..9 = 0 each round
      round { together as me { choose { bid n in 1..5 { bid[me] = n } } } }
      end over of round when round > 2 }";
    let (folder, file) = written("taken-back-together", rules);
    let mut pty = Pty::new(play_command(&folder).arg(&file).args(["--seed", "3", "--new"]));
    pty.any_prompt();
    pty.bare_line("");
    let passed = pty.bare_line("bid 4");
    assert!(passed.contains("Pass the keyboard to O"), "{passed}");
    let undone = pty.bare_line("undo");
    assert!(undone.contains("Taken back: X: ?.") && !undone.contains("bid 4"), "{undone}");
    assert_eq!(pty.leave("quit"), 0);
}

#[test]
fn changed_rules_tell_nothing_of_a_hidden_hand() {
    let (folder, file) = written("changed-hands", BURY);
    let play = |more: &[&str], lines: &[&str]| {
        let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        piped(play_command(&folder).args(["game.rules", "--journal", "game.jsonl"]).args(more), &lines)
    };
    let (code, out, _) = play(&["--seed", "3"], &["", "bury 3"]);
    assert!(code == 0 && out.contains("X: bury 3"), "{out}");
    std::fs::write(&file, BURY.replace("c in hand[me]", "c in hand[me] - {3}")).unwrap();
    let (code, out, err) = play(&["--changed-rules"], &[]);
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(err.contains("event 1 is not legal for X") && !err.contains("bury"), "{err}");
}
