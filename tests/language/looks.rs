//! How things are shown: forms, pictures, places. They are words of their place only, and change nothing in play.

#![allow(clippy::unwrap_used)]

use crate::service::{at, opened};
use houserule::diagnostic::FileId;
use houserule::format::{format, print};
use houserule::game::Game;
use houserule::loader::{Request, load, load_text};
use houserule::model::{BoardForm, Colour, DisplayForm, Icon, LookForm, Model, Slot, SquarePlace};
use houserule::syntax::{Item, parse};
use houserule::vocabulary::LOOK_FORMS;

/// A game in which much has a look. The lines with nothing but a look are those that `bare` leaves out.
const SHOWN: &str = r#"game "Looks" {
  players X, O shown as [X: navy]
  enum suit { hearts, stars, rocket } shown as [hearts: "♥" in red, rocket: rocket in black]
  domain card { suit: suit, rank: 1..3 }
  domain side = 1..2
  domain slab { n: side, e: side, s: side, w: side } shown as tile(n, e, s, w)
  board square = track(8, wrap: true) shown at "0,0: 2e 2n 2w s"
  board lane = grid(3, 2) shown at [1: "4,0: 2e", 2: "4,1: 2e"]
  board point[player] = track(25) shown as triangles
  board cell = grid(2, 2) shown as paper
  board spot = grid(4, 4) shown over cell
  board town = graph("ayr-bern-cork ayr-cork") shown at [ayr: (0, 0), bern: (2, 3), cork: (4, -1)]
  edges road of town shown as line(length) in paid_in
  table length[road]: 1..6 = 2
  table paid_in[road]: hue = red
  table worth[cell]: 1..5 = 3 shown as number
  enum hue { red, blue }
  piece man[player] on square shown as [X: meeple, O: house in gold]
  piece wall on cell shown as area in brown
  piece way on spot shown as line
  piece mark on lane shown as nothing
  piece built[player] on road shown as train
  define bank = {@ayr, @bern} shown as area in lime
  zone stock of card seen by none
  zone laid of card shown as column
  zone bin of card shown as pile
  zone kept of card shown as nothing
  zone tray of slab shown as row
  var points[player]: 0..60 = 0 shown as track(60)
  var left[player]: 0..4 = 4 shown as disc at [1: (2, 2), 2: (6, 2)]
  var hidden_count: 0..9 = 0 shown as nothing
  var land[player]: set of cell shown as area
  define tally = count(laid) shown as number at laid
  setup { put man[X] at @1 }
  turn {
    choose {
      lay c in stock where true { move c to laid points[me] += 1 }
      go { draw c from stock to bin left[me] = max(0, left[me] - 1) }
      otherwise { hidden_count = 1 }
    }
  }
  shown hearts as crown
  shown left as ring in green
  shown man as [X: teal]
  end full when stock is nothing or hidden_count == 1: win me
}
"#;

/// The same without any look.
fn bare() -> String {
    let mut text = SHOWN.to_owned();
    let lines = [" shown hearts as crown\n", " shown left as ring in green\n", " shown man as [X: teal]\n"];
    for line in lines {
        text = text.replace(&format!(" {line}"), "");
    }
    let lines: Vec<&str> = text.lines().map(|line| line.split(" shown ").next().unwrap()).collect();
    format!("{}\n", lines.join("\n"))
}

fn loaded(text: &str) -> Game {
    match load_text("test", text, &Request::default()) {
        Ok(loaded) => loaded.game,
        Err(error) => panic!("{error:?}"),
    }
}

fn slot<'m>(model: &'m Model, name: &str) -> &'m Slot {
    model.slots.iter().find(|slot| slot.name == name).unwrap()
}

#[test]
fn a_model_has_the_looks() {
    let game = loaded(SHOWN);
    let model = game.model();
    let suit = model.domains.iter().find(|domain| domain.name == "suit").unwrap();
    let looks: Vec<_> = suit.looks.iter().map(|look| (look.letter, look.picture, look.colour)).collect();
    let wanted = [
        (Some('♥'), Some(Icon::Crown), Some(Colour::Red)),
        (None, None, None),
        (None, Some(Icon::Rocket), Some(Colour::Black)),
    ];
    assert_eq!(looks, wanted);
    let pieces = |name: &str| match &slot(model, name).shown {
        DisplayForm::Pieces(looks) => looks.iter().map(|l| (l.picture, l.form, l.colour)).collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    let men = [
        (Some(Icon::Meeple), LookForm::Token, Some(Colour::Teal)),
        (Some(Icon::House), LookForm::Token, Some(Colour::Gold)),
    ];
    assert_eq!(pieces("man"), men);
    assert_eq!(pieces("wall"), [(None, LookForm::Area, Some(Colour::Brown))]);
    assert_eq!(pieces("way"), [(None, LookForm::Line, None)]);
    assert_eq!(pieces("mark"), [(None, LookForm::Nothing, None)]);
    let forms = [
        ("laid", DisplayForm::Column),
        ("bin", DisplayForm::Pile),
        ("kept", DisplayForm::Nothing),
        ("tray", DisplayForm::Row),
        ("points", DisplayForm::Track(60)),
        ("hidden_count", DisplayForm::Nothing),
        ("land", DisplayForm::Area),
    ];
    for (name, form) in forms {
        assert_eq!(slot(model, name).shown, form, "{name}");
    }
    let DisplayForm::Counters(left) = &slot(model, "left").shown else { panic!() };
    assert_eq!((left.look.picture, left.look.colour), (Some(Icon::Ring), Some(Colour::Green)));
    assert_eq!(left.places, [Some(SquarePlace { x: 2, y: 2 }), Some(SquarePlace { x: 6, y: 2 })]);
    let board = |name: &str| model.boards.iter().find(|board| board.name == name).unwrap();
    let places = |name: &str| board(name).look.places.iter().map(|p| (p.x, p.y)).collect::<Vec<_>>();
    assert_eq!(places("square"), [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1)]);
    assert_eq!(places("lane"), [(4, 0), (5, 0), (6, 0), (4, 1), (5, 1), (6, 1)]);
    assert_eq!(places("town"), [(0, 0), (2, 3), (4, -1)]);
    let look = |name: &str| &board(name).look;
    assert_eq!((look("point").form, look("cell").form), (BoardForm::Triangles, BoardForm::Paper));
    assert_eq!(look("spot").over.map(|board| model.boards[board.index()].name.as_str()), Some("cell"));
    let links = look("road").links.as_ref().unwrap();
    assert_eq!((&links.parts[..], &links.colours[..]), (&[2; 3][..], &[Some(Colour::Red); 3][..]));
    assert_eq!(model.tiles[0].fields, [0, 1, 2, 3]);
    assert_eq!(model.printed.len(), 1);
    let counts: Vec<(&str, bool)> =
        model.counts.iter().map(|count| (count.name.as_str(), count.zone.is_some())).collect();
    assert_eq!(counts, [("tally", true)]);
    assert_eq!(board("town").grounds.len(), 1);
}

/// Looks are outside of the rules: the hash, the program and the games are those of the file without them.
#[test]
fn looks_change_nothing_in_play() {
    let (shown, bare) = (loaded(SHOWN), loaded(&bare()));
    assert_eq!(shown.identity().rules_sha256, bare.identity().rules_sha256);
    assert!(bare.identity().rules_sha256_before.is_empty());
    let before = &shown.identity().rules_sha256_before;
    assert!(
        before.len() == 1 && shown.identity().has_rules(&before[0]) && !bare.identity().has_rules(&before[0])
    );
    assert_eq!(shown.program().to_string(), bare.program().to_string());
    assert_eq!(shown.fingerprint(), bare.fingerprint());
    let played = |game: &Game| crate::service::played(game);
    assert_eq!(played(&shown), played(&bare));
}

/// The fingerprint of a file with looks in another of its variants was another one, and is still known.
#[test]
fn looks_of_others_in_the_file_were_part_of_the_fingerprint() {
    let text = format!("{}\nvariant \"Blue\" of \"Looks\" {{ shown suit as [stars: blue] }}\n", bare());
    let file = std::env::temp_dir().join(format!("houserule-looks-beside-{}.rules", std::process::id()));
    std::fs::write(&file, &text).unwrap();
    let name = format!("{}#Looks", file.display());
    let game = load(&Request { name: &name, ..Request::default() }).unwrap().game;
    assert_eq!(game.identity().rules_sha256_before.len(), 1);
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn a_variant_of_looks_is_the_same_game() {
    let variants = r#"
variant "Four colours" of "Looks" { shown suit as [stars: blue]; shown square as nothing }
variant "Later" of "Four colours" { shown suit as [stars: star in gold] }
variant "Other" of "Looks" { shown suit as [stars: green] }
"#;
    let text = format!("{SHOWN}{variants}");
    let file = std::env::temp_dir().join(format!("houserule-looks-{}.rules", std::process::id()));
    std::fs::write(&file, &text).unwrap();
    let titled = |titles: &str| {
        let parts: Vec<String> =
            titles.split(" + ").map(|title| format!("{}#{title}", file.display())).collect();
        load(&Request { name: &parts.join(" + "), ..Request::default() }).unwrap().game
    };
    let look = |game: &Game| {
        let model = game.model();
        model.domains.iter().find(|domain| domain.name == "suit").unwrap().looks[1]
    };
    let base = titled("Looks");
    let cases = [
        ("Four colours", Some(Colour::Blue), None),
        ("Later", Some(Colour::Gold), Some(Icon::Star)),
        // Of two, the last counts, and they don't clash.
        ("Four colours + Other", Some(Colour::Green), None),
    ];
    for (titles, colour, picture) in cases {
        let game = titled(titles);
        assert_eq!((look(&game).colour, look(&game).picture), (colour, picture), "{titles}");
        assert_eq!(game.identity().rules_sha256, base.identity().rules_sha256, "{titles}");
    }
    std::fs::remove_file(&file).unwrap();
}

/// The words have a meaning after `shown` alone.
#[test]
fn words_of_looks_are_names() {
    let words = LOOK_FORMS.iter().map(|(word, _)| *word).filter(|word| *word != "nothing");
    for word in words.chain(["over", "at", "meeple", "house", "in_hand"]) {
        let kinds = [
            format!("board {word} = grid(3, 3) shown as paper piece stone[player] on {word}
              turn {{ choose {{ place c in {word} where c in empty {{ put stone[me] at c }} }} }} end full when empty is nothing: draw"),
            format!("board cell = grid(3, 3) piece {word}[player] on cell
              turn {{ choose {{ place c in empty {{ put {word}[me] at c }} }} }} end full when empty is nothing: draw"),
            format!("enum card {{ c1, c2, c3 }} zone pack of card zone {word} of card shown as row
              turn {{ choose {{ take c in pack {{ move c to {word} }} }} }} end over when count({word}) == 3: win me
              shown {word} as pile"),
            format!("var {word}: 0..9 = 0 shown as boxes
              turn {{ choose {{ go {{ {word} = {word} + 1 }} }} }} end full when {word} == 9: draw
              shown {word} as nothing"),
            format!("enum {word} {{ c1, c2, c3 }} shown as [c1: meeple] var n: {word} = c1
              turn {{ choose {{ go v in {word} where v != n {{ n = v }} }} }} end full when n == c3: draw
              shown {word} as [c2: house in red]"),
        ];
        for kind in kinds {
            let text = format!("game \"Named\" {{ players 2 {kind} }}");
            let game = loaded(&text);
            assert!(!game.model().actions.is_empty(), "{text}");
            let formatted = format(FileId(0), &text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
            assert_eq!(loaded(&formatted).program().to_string(), game.program().to_string(), "{formatted}");
        }
    }
}

#[test]
fn the_layout_keeps_looks() {
    let formatted = format(FileId(0), SHOWN).unwrap();
    let (game, again) = (loaded(SHOWN), loaded(&formatted));
    let slots = |game: &Game| game.model().slots.iter().map(|slot| slot.shown.clone()).collect::<Vec<_>>();
    let boards = |game: &Game| game.model().boards.iter().map(|board| board.look.clone()).collect::<Vec<_>>();
    assert_eq!((slots(&game), boards(&game)), (slots(&again), boards(&again)));
    assert_eq!(format(FileId(0), &formatted).unwrap(), formatted);
    // Printed trees have them, too.
    let (file, _) = parse(FileId(0), SHOWN);
    let Item::Game(tree) = &file.items[0] else { panic!() };
    let lines: Vec<String> = tree.decls.iter().map(print::decl).collect();
    for line in [
        "shown left as ring in green",
        "board square = track(8, wrap: true) shown at \"0,0: 2e 2n 2w s\"",
        "board spot = grid(4, 4) shown over cell",
        "edges road of town shown as line(length) in paid_in",
        "var left[player]: 0..4 = 4 shown as disc at [1: (2, 2), 2: (6, 2)]",
        "define tally = count(laid) shown as number at laid",
    ] {
        assert!(lines.iter().any(|own| own == line), "{line}: {lines:#?}");
    }
}

#[test]
fn editors_know_looks() {
    let text = SHOWN.replace("zone bin of card shown as pile", "zone bin of card shown as pi");
    let mut workspace = opened("/looks.rules", &text);
    let offered = workspace.complete("/looks.rules", at(&text, "shown as pi", 0) + 11);
    for word in ["pile", "row", "meeple", "navy"] {
        assert!(offered.iter().any(|one| one.word == word), "{word}");
    }
    let mut workspace = opened("/looks.rules", SHOWN);
    let mut hover =
        |words: &str, plus: usize| workspace.hover("/looks.rules", at(SHOWN, words, 0) + plus).unwrap();
    assert!(hover("shown as pile", 10).help.contains("only the top is seen"));
    assert_eq!(hover("shown left as", 7).code, "var left: [player] 0..4");
    assert!(hover("shown hearts as", 8).code.contains("hearts"));
}
