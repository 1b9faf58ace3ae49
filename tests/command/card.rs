//! `card`: a rule on one page to send around.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use crate::command::run;

const CHANCE: &str = "/// Once in a game, a roll may be used on a free neighbour of a named square.
variant \"Second chance\" of \"dilido\" {
  new var chances: 0..1 = 1  \"second chances not used yet\"
  extend place { otherwise {
    if pair is double { anchor = first } else {
      choose chance {
        chance c in around(named) & empty where chances == 1 \"use a second chance\" {
          put dot at c; anchor = c; chances -= 1
        }
        otherwise { penalties += 1 }
      }
    }
  } }
}
";

fn path(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("card");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    let _ = std::fs::remove_file(&path);
    path
}

fn rules(name: &str, text: &str) -> String {
    let file = path(name);
    std::fs::write(&file, text).unwrap();
    file.display().to_string()
}

/// Makes a card and returns its bytes.
fn card(args: &[&str], name: &str) -> Vec<u8> {
    let file = path(name);
    let words = ["card"].into_iter().chain(args.iter().copied());
    let output = file.display().to_string();
    let (code, out, err) = run(&words.chain(["-o", &output]).collect::<Vec<_>>());
    assert_eq!((code, out.as_str()), (0, ""), "{err}");
    assert!(err.contains("The card is in "), "{err}");
    std::fs::read(file).unwrap()
}

#[test]
fn a_house_rule_is_on_its_card_with_a_picture_figures_and_its_file() {
    let rule = rules("second-chance.rules", CHANCE);
    let page = String::from_utf8(card(&[&rule, "--agent", "random", "-n", "200"], "card.html")).unwrap();
    for part in [
        "A house rule for Di-Li-Do, for one player. Second chance · NEW: Once in a game",
        "data-part=\"framed\"",
        "To choose: use a second chance",
        "Changes the game ",
        " points a game (+",
        "of the games use it",
        "second-chance.rules to copy",
        "<pre>/// Once in a game",
        "200 games each, random players",
        "prefers-color-scheme:dark",
    ] {
        assert!(page.contains(part), "no {part}");
    }
    let alone = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!alone.contains("http") && !alone.contains("<script"), "nothing is loaded or run");
    for wrong in ["better", "worse"] {
        assert!(!page.contains(wrong), "{wrong}");
    }
    let again = card(&[&rule, "--agent", "random", "-n", "200"], "again.html");
    assert_eq!(page.as_bytes(), again, "the same seed gives the same card");
    assert!(card(&[&rule, "--agent", "random", "-n", "50"], "card.pdf").starts_with(b"%PDF-"));
    let light = card(&[&rule, "--agent", "random", "-n", "50"], "light.png");
    let dark = card(&[&rule, "--agent", "random", "-n", "50", "--theme", "dark"], "dark.png");
    assert!(light.starts_with(b"\x89PNG") && dark.starts_with(b"\x89PNG") && light != dark);
}

#[test]
fn a_game_has_a_card_with_figures_of_its_own_and_the_command_in_place_of_a_long_file() {
    let page = card(&["breakthrough", "--agent", "random", "-n", "20", "--quick"], "game.html");
    let page = String::from_utf8(page).unwrap();
    for part in ["A game for 2 players. Breakthrough", "houserule play breakthrough", "random players"] {
        assert!(page.contains(part), "no {part}");
    }
    assert!(!page.contains("<pre>") && !page.contains("NEW"), "the file is too long, and nothing is new");
}

#[test]
fn a_card_needs_a_name_with_a_known_ending_that_is_free() {
    let (code, _, err) = run(&["card", "pig", "-o", "card.svg"]);
    assert!(code == 2 && err.contains("must end in `.png`, `.pdf` or `.html`"), "{err}");
    let file = path("there.png");
    std::fs::write(&file, "").unwrap();
    let (code, _, err) = run(&["card", "pig", "-o", &file.display().to_string()]);
    assert!(code == 2 && err.contains("exists already"), "{err}");
}

/// A number of games ends a quick card before its ten seconds, and doesn't prolong it.
#[test]
fn a_quick_card_takes_no_longer_with_a_number_of_games() {
    let begun = std::time::Instant::now();
    card(&["pig", "-n", "30000000", "--quick"], "quick.html");
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
}
