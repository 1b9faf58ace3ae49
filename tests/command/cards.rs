//! Cards: printed with their backs, as pictures, as sheets for virtual tables, from tables and to them.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use crate::command::run;

const MARKET: &str = "game \"Market\" {\n  players 2\n  enum colour { red, blue, green }\n  enum good { coin, wheat, fish }\n  \
    domain ware from \"wares.csv\"\n  zone pack of ware seen by none\n  zone stall of ware\n  \
    zone bought[player] of ware\n  var money[player]: 0..20 = 10\n  setup { draw w from pack to stall }\n  \
    turn { choose { buy w in stall where w.cost <= money[me] { money[me] -= w.cost  move w from stall to bought[me] } \
    otherwise { end game } } }\n  score { worth: sum w in bought[me]: w.points }\n}\n";

const WARES: &str = "\u{feff}name;count;cost;points;colour;needs: set of good;text\r\n\
    Salt fish;3;2;5;Red;fish;\"Take 2 `coin`; keep them.\"\r\nTea;;3;8;blue;wheat, fish;\r\n";

/// Makes an empty folder.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cards").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Writes the market with a table into a folder, and returns the path of its rules.
fn market(folder: &Path, wares: &str) -> String {
    fs::write(folder.join("wares.csv"), wares).unwrap();
    let rules = folder.join("market.rules");
    fs::write(&rules, MARKET).unwrap();
    rules.display().to_string()
}

fn print(game: &str, options: &str, output: &Path) -> (u8, String) {
    let output = output.display().to_string();
    let args: Vec<&str> =
        ["print", game].into_iter().chain(options.split(' ')).chain(["-o", &output, "--force"]).collect();
    let (code, _, err) = run(&args);
    (code, err)
}

fn names(folder: &Path) -> Vec<String> {
    let entries =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = entries.collect();
    names.sort();
    names
}

#[test]
fn pages_say_where_they_are_cut() {
    let folder = folder("boxes");
    let file = folder.join("shop.pdf");
    let options = "--no-rules --cards-as pages --bleed 3 --backs long-edge --ink colour";
    assert_eq!(print("kuhn-poker", options, &file), (0, String::new()));
    let bytes = fs::read(&file).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    // Three cards, each with its back. A poker card is 63 mm wide, 178.58 points.
    assert_eq!((text.matches("/TrimBox").count(), text.matches("/BleedBox").count()), (6, 6));
    let trim = text.split("/TrimBox [").nth(1).and_then(|rest| rest.split(']').next()).unwrap();
    let sides: Vec<f64> = trim.split_whitespace().map(|side| side.parse().unwrap()).collect();
    assert!((sides[2] - sides[0] - 178.58).abs() < 0.1 && (sides[0] - 8.5).abs() < 0.1, "{trim}");
}

#[test]
fn backs_are_on_the_paper_of_their_faces_also_after_counters() {
    let folder = folder("duplex");
    let text = "game \"Both\" {\n  players 2\n  enum gem { ruby, jade }\n  domain card { a: 1..3, b: 1..3 }\n  \
        zone bag of gem = [ruby: 4, jade: 4]\n  zone won[player] of gem\n  zone deck of card seen by none\n  zone hand[player] of card seen by owner\n  \
        turn { choose { take k in bag { move k from bag to won[me]  draw c from deck to hand[me]  end game } } }\n}\n";
    let rules = folder.join("both.rules");
    fs::write(&rules, text).unwrap();
    let pages = |options: &str| {
        let file = folder.join("both.pdf");
        let game = rules.display().to_string();
        assert_eq!(print(&game, &format!("--no-rules {options}"), &file), (0, String::new()), "{options}");
        let bytes = fs::read(file).unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let all = text.matches("/Type /Page").count() - text.matches("/Type /Pages").count();
        (all, text.matches("/TrimBox").count())
    };
    // Counters and cards; with backs a blank page lies between, on the back of the counters.
    assert_eq!(pages("--backs none"), (2, 2));
    assert_eq!(pages("--backs long-edge"), (4, 3));
}

#[test]
fn a_page_holds_as_many_cards_as_fit() {
    let folder = folder("sizes");
    let text = "game \"Pack\" {\n  players 2\n  domain card { a: 1..6, b: 1..7 }\n  zone deck of card\n  \
        turn { choose { take c in deck { end game } } }\n}\n";
    let rules = folder.join("pack.rules");
    fs::write(&rules, text).unwrap();
    let game = rules.display().to_string();
    let page = |options: &str| {
        let file = folder.join("page.svg");
        assert_eq!(print(&game, &format!("--no-rules {options}"), &file), (0, String::new()), "{options}");
        fs::read_to_string(file).unwrap()
    };
    let backs = |page: &str| {
        page.split("data-part=\"backs\"")
            .nth(1)
            .map_or(0, |rest| rest.split("</g>").next().unwrap().matches("<circle").count())
    };
    assert!(!page("--backs long-edge").contains("data-part=\"backs\""));
    assert_eq!(backs(&page("--backs fold")), 4);
    assert!(
        page("--bleed 3").contains("data-part=\"marks\"")
            && !page("--bleed 3").contains("data-part=\"cuts\"")
    );
    let (code, err) = print(&game, "--no-rules --cards 190x200 --backs fold", &folder.join("no.pdf"));
    assert!(code == 2 && err.contains("190 x 200 mm") && err.contains("--cards-as pages"), "{err}");
    let (code, err) = print(&game, "--cards huge", &folder.join("no.pdf"));
    assert!(code == 2 && err.contains("poker, bridge, mini, tarot or WIDTHxHEIGHT"), "{err}");
}

#[test]
fn tables_are_part_of_the_rules() {
    let folder = folder("tables");
    let game = market(&folder, WARES);
    let hash = |game: &str| {
        let (code, out, err) = run(&["show", game, "--json"]);
        assert_eq!(code, 0, "{err}");
        out.split("\"rules_sha256\": \"").nth(1).map(|rest| rest[..64].to_owned())
    };
    let (code, out, err) = run(&["check", &game]);
    assert_eq!(code, 0, "{out}{err}");
    let one = hash(&game);
    market(&folder, &WARES.replace("Tea;;3", "Tea;;4"));
    assert_ne!(one, hash(&game));
    let (_, out, _) = run(&["rules", &game]);
    assert!(out.contains("Salt fish"), "{out}");
}

#[test]
fn what_is_wrong_in_a_table_has_its_place() {
    let folder = folder("wrong");
    let all = [
        (WARES.replace("name;", "title;"), "wares.csv:1:", "no column `name`"),
        (WARES.replace("Tea;;3", "Tea;;three"), "wares.csv:3:", "column `cost`"),
        (WARES.replace("Tea;;3", "Tea;;1.5"), "wares.csv:3:", "double all numbers of the column"),
        (
            WARES.replace("fish;3;2;", "fish;3;2,5;").replace("Tea;;3", "Tea;;1.5"),
            "wares.csv:2:",
            "not an integer",
        ),
        (WARES.replace("Tea;;3", "Tea;;99999999999999999999"), "wares.csv:3:", "too large"),
        (WARES.replace("cost;", "cost: 0..5;").replace("Tea;;3", "Tea;;-5"), "wares.csv:3:", "`cost: -5..5`"),
        (WARES.replace("cost;", "cost: 0..5;").replace("Tea;;3", "Tea;;1.5"), "wares.csv:3:", "from 0 to 5"),
        (WARES.replace("Tea;", "Salt fish;"), "wares.csv:3:", "a column `count`"),
        (WARES.replace("fish;3;", "fish;0;").replace("Tea;;", "Tea;0;"), "wares.csv:1:", "in this column"),
        (WARES.replace(";Red;", ";Rde;"), "wares.csv:2:", "did you mean `red`?"),
        (WARES.replace("Tea;;", "Tea;many;"), "wares.csv:3:5", "no number of cards"),
        (WARES.replace("keep them.\"", "keep them."), "wares.csv:2:", "never closed"),
        (WARES.replace("Tea;", "Salt fish;"), "wares.csv:3:", "Salt_fish"),
        (WARES.replace("Tea;", "7th;"), "wares.csv:3:", "can't be a name"),
        (WARES.replace("wheat, fish;", "wheat, fish;;;x"), "wares.csv:3:", "more cells"),
        (
            WARES.replace("colour;", "shade;").replace(";Red;", ";dark;"),
            "wares.csv:1:",
            "`shade: dark | blue`",
        ),
        ("name;cost\r\n".to_owned(), "market.rules:5:", "no rows"),
    ];
    for (wares, place, message) in all {
        let game = market(&folder, &wares);
        let (code, out, err) = run(&["check", &game]);
        let told = format!("{out}{err}");
        assert!(code == 1 && told.contains(place) && told.contains(message), "{place} {message}\n{told}");
    }
    let game = market(&folder, WARES);
    fs::remove_file(folder.join("wares.csv")).unwrap();
    let (code, out, err) = run(&["check", &game]);
    assert!(code == 1 && format!("{out}{err}").contains("no-table"), "{out}{err}");
}

#[test]
fn a_deck_goes_to_a_table_and_back() {
    let folder = folder("back");
    let game = market(&folder, WARES);
    let out = folder.join("out");
    let (code, err) = print(&game, "--cards-as csv", &out);
    assert!(code == 0 && err.contains("4 cards"), "{err}");
    let table = fs::read_to_string(out.join("ware.csv")).unwrap();
    let head = "name,count,cost: 2..3,points: 5..8,colour: colour,needs: set of good,text\r\n";
    assert!(table.starts_with(head), "{table}");
    // The table that is written gives the same cards.
    market(&folder, &table);
    assert_eq!(print(&game, "--cards-as csv", &out).0, 0);
    assert_eq!(fs::read_to_string(out.join("ware.csv")).unwrap(), table);
}

/// What there is none of now keeps its row, so that the table has the same cards.
#[test]
fn a_table_has_the_cards_of_which_there_are_none() {
    let folder = folder("none");
    let game = market(&folder, &WARES.replace("Tea;;", "Tea;0;"));
    let out = folder.join("out");
    let (code, err) = print(&game, "--cards-as csv", &out);
    assert!(code == 0 && err.contains("3 cards"), "{err}");
    let table = fs::read_to_string(out.join("ware.csv")).unwrap();
    assert!(table.contains("\r\nTea,0,3,"), "{table}");
    market(&folder, &table);
    assert_eq!(print(&game, "--cards-as csv", &out).0, 0);
    assert_eq!(fs::read_to_string(out.join("ware.csv")).unwrap(), table);
    let pictures = folder.join("png");
    assert_eq!(print(&game, "--cards-as png --cards mini", &pictures).0, 0);
    assert_eq!(names(&pictures), ["ware-Salt_fish-x3.png", "ware-back.png"]);
}

#[test]
fn a_deck_that_is_too_large_says_so() {
    let folder = folder("large");
    let game = market(&folder, &WARES.replace("fish;3;", "fish;1000;"));
    for form in ["csv", "png", "sprites"] {
        let (code, err) = print(&game, &format!("--cards-as {form}"), &folder.join(form));
        assert!(code == 2 && err.contains("1,001 cards") && err.contains("at most 1,000"), "{err}");
    }
}

#[test]
fn cards_are_pictures() {
    let folder = folder("pictures");
    let game = market(&folder, WARES);
    let out = folder.join("png");
    assert_eq!(print(&game, "--cards-as png --cards mini", &out).0, 0);
    assert_eq!(names(&out), ["ware-Salt_fish-x3.png", "ware-Tea.png", "ware-back.png"]);
    let bytes = fs::read(out.join("ware-Tea.png")).unwrap();
    // 44 mm at 300 pixels to an inch.
    assert_eq!(u32::from_be_bytes(bytes[16..20].try_into().unwrap()), 520);
    let out = folder.join("sprites");
    let (code, err) = print(&game, "--cards-as sprites", &out);
    assert!(code == 0 && err.contains("4 x 2, 4 cards"), "{err}");
    assert_eq!(names(&out), ["ware-back.png", "ware-sheet-1.png"]);
    let (code, _, err) = run(&["print", &game, "--cards-as", "png"]);
    assert!(code == 2 && err.contains("-o FOLDER"), "{err}");
    let (code, err) = print("hex", "--cards-as png", &out);
    assert!(code == 2 && err.contains("no cards"), "{err}");
}

#[test]
fn only_what_changed_is_printed() {
    let folder = folder("changed");
    let game = market(&folder, WARES);
    let other = folder.join("other");
    fs::create_dir_all(&other).unwrap();
    let newer = market(&other, &WARES.replace("Tea;;3", "Tea;;4").replace("fish;3;", "fish;4;"));
    let out = folder.join("png");
    assert_eq!(print(&newer, &format!("--cards-as png --changed-since {game}"), &out).0, 0);
    // One more fish, and the dearer tea.
    assert_eq!(names(&out), ["ware-Salt_fish.png", "ware-Tea.png", "ware-back.png"]);
    let (code, err) = print(&game, &format!("--changed-since {game}"), &folder.join("same.pdf"));
    assert!(code == 2 && err.contains("nothing to print again"), "{err}");
    let page = folder.join("page.svg");
    assert_eq!(print(&newer, &format!("--no-rules --changed-since {game}"), &page), (0, String::new()));
    // The sheet of the score is the same, also below the title of a house rule.
    let rule = folder.join("rule.rules");
    fs::write(&rule, "variant \"Rich\" of \"market.rules\" {\n  var money[player]: 0..20 = 12\n}\n").unwrap();
    let options = format!("--no-rules --changed-since {game}");
    let (code, err) = print(&rule.display().to_string(), &options, &folder.join("same.pdf"));
    assert!(code == 2 && err.contains("nothing to print again"), "{err}");
    // Two cards beside each other have three cuts down and two across, each with a mark on both ends.
    let page = fs::read_to_string(page).unwrap();
    let marks = page.split("data-part=\"marks\"").nth(1).unwrap().split("</g>").next().unwrap();
    assert_eq!(marks.matches('M').count(), 10, "{marks}");
}

#[test]
fn matches_and_what_is_used_up_have_sheets() {
    let folder = folder("sheets");
    let text = "game \"Stones\" {\n  players 2\n  var stones[player]: 0..5 = 5\n  var points[player]: 0..9 = 0\n  \
        turn { choose { put where stones[me] > 0 { stones[me] -= 1  points[me] += 1 } otherwise { end game } } }\n  \
        score { points: points[me] }\n  match { games: 3, total: sum }\n}\n";
    let rules = folder.join("stones.rules");
    fs::write(&rules, text).unwrap();
    let game = rules.display().to_string();
    let page = folder.join("page.svg");
    assert_eq!(print(&game, "--no-rules", &page), (0, String::new()));
    let page = fs::read_to_string(page).unwrap();
    let boxes = page.split("data-part=\"boxes\"").nth(1).unwrap().split("</g>").next().unwrap();
    assert_eq!(boxes.matches("<rect").count(), 10, "five for each player");
    // The sheet of the match is a page of its own.
    let file = folder.join("all.pdf");
    assert_eq!(print(&game, "--no-rules", &file).0, 0);
    let bytes = fs::read(&file).unwrap();
    assert!(String::from_utf8_lossy(&bytes).contains("/Count 2"));
}
