//! What zones and variables are on a table: the roles in all games, and in small ones for each way to find them.

use std::fmt::Write;

use crate::rule_files::rule_files;
use crate::text_snapshots::check_snapshots;
use houserule::game::Game;
use houserule::layout::{TableRoles, VariableRole, ZoneRole};
use houserule::loader::{Request, catalogue, load, load_text};
use houserule::model::{ChoiceId, Model, SlotId};

/// The roles of all games.
const TABLE: &str = "tests/data/roles.txt";

/// What some zones are, by what their rules say.
const ZONES: [(&str, &str, &str); 61] = [
    ("battle", "pack", "Unused"),
    ("battle", "pile", "Covered"),
    ("battle", "shown", "Piles"),
    ("battle", "aside", "Stock"),
    ("blackjack", "shoe", "Stock"),
    ("blackjack", "hand", "Groups"),
    ("crazy-eights", "stock", "Stock"),
    ("crazy-eights", "pile", "Row"),
    ("cribbage", "deck", "Stock"),
    ("cribbage", "crib", "Stock"),
    ("cribbage", "cut", "Row"),
    ("cribbage", "row", "Row"),
    ("cribbage", "played", "Used"),
    ("dominoes", "boneyard", "Stock"),
    ("dominoes", "hand", "Hand"),
    ("dominoes", "line", "Chain"),
    ("five-card-draw", "discards", "Stock"),
    ("go-fish", "pond", "Stock"),
    ("go-fish", "books", "Won"),
    ("hearts", "deck", "Unused"),
    ("hearts", "hand", "Hand"),
    ("hearts", "trick", "Trick"),
    ("hearts", "taken", "Won"),
    ("hidden-armies", "camp", "Hand"),
    ("hidden-armies", "place", "OnBoard"),
    ("hidden-armies", "fallen", "Row"),
    ("klondike", "stock", "Stock"),
    ("klondike", "waste", "Pile"),
    ("klondike", "down", "Below(up)"),
    ("klondike", "up", "Columns"),
    ("klondike", "built", "Piles"),
    ("kuhn-poker", "deck", "Unused"),
    ("lasca", "column_at", "OnBoard"),
    ("leduc-poker", "table_card", "Row"),
    ("minishogi", "field", "Unused"),
    ("minishogi", "hand", "Open"),
    ("old-maid", "pairs", "Used"),
    ("old-maid", "removed", "Unused"),
    ("orchard", "tray", "Open"),
    ("whist", "trick", "Trick"),
    ("whist", "taken", "Won"),
    ("tests/outside/battleline.rules", "side", "OnBoard"),
    ("tests/outside/belote.rules", "trick", "Trick"),
    ("tests/outside/belote.rules", "taken", "Won"),
    ("tests/outside/belote.rules", "turned", "Row"),
    ("tests/outside/crazyhouse.rules", "outside", "Unused"),
    ("tests/outside/crew.rules", "open_card", "Open"),
    ("tests/outside/crew.rules", "trick", "Trick"),
    ("tests/outside/crew.rules", "taken", "Won"),
    ("tests/outside/crew.rules", "todo", "Open"),
    ("tests/outside/crew.rules", "fulfilled", "Row"),
    ("tests/outside/kings.rules", "pile", "OnBoard"),
    ("tests/outside/palace.rules", "open", "Open"),
    ("tests/outside/palace.rules", "blind", "Covered"),
    ("tests/outside/palace.rules", "pile", "Pile"),
    ("tests/outside/palace.rules", "burnt", "Used"),
    ("tests/outside/red7.rules", "palette", "Open"),
    ("tests/outside/red7.rules", "canvas", "Pile"),
    ("tests/outside/wizard.rules", "pack", "Stock"),
    ("tests/outside/wizard.rules", "trick", "Trick"),
    ("tests/outside/wizard.rules", "used", "Used"),
];

/// What some variables become.
const VARIABLES: [(&str, &str, VariableRole); 27] = [
    ("backgammon", "men", VariableRole::OnBoard),
    ("backgammon", "off", VariableRole::Counter),
    ("chess", "quiet", VariableRole::Ending),
    ("chess", "stuck", VariableRole::Ending),
    ("chess", "passed", VariableRole::OnBoard),
    ("crazy-eights", "last_card", VariableRole::OnElement),
    ("crazy-eights", "wanted", VariableRole::Fact),
    ("crazy-eights", "drawn", VariableRole::InTurn),
    ("cribbage", "dealer", VariableRole::Seat),
    ("cribbage", "points", VariableRole::Counter),
    ("cribbage", "shown", VariableRole::Nothing),
    ("dice-wide-shut", "six", VariableRole::OnBoard),
    ("dominoes", "ends", VariableRole::Nothing),
    ("dominoes", "passes", VariableRole::Ending),
    ("five-card-draw", "folded", VariableRole::Seat),
    ("go-fish", "asked", VariableRole::Element),
    ("hearts", "gift", VariableRole::OnElement),
    ("hearts", "led", VariableRole::Fact),
    ("hearts", "broken", VariableRole::Fact),
    ("kalah", "seeds", VariableRole::OnBoard),
    ("klondike", "most_built", VariableRole::Ending),
    ("klondike", "deals_left", VariableRole::Fact),
    ("orchard", "kept", VariableRole::Word),
    ("pig", "pot", VariableRole::InTurn),
    ("points", "area", VariableRole::OnBoard),
    ("yacht", "filled", VariableRole::Nothing),
    ("tests/outside/belote.rules", "points", VariableRole::Counter),
];

fn game(name: &str) -> Game {
    load(&Request { name, ..Request::default() }).unwrap_or_else(|error| panic!("{name}: {error}")).game
}

fn written(rules: &str) -> Game {
    load_text("test.rules", rules, &Request::default())
        .unwrap_or_else(|error| panic!("{error}\n{rules}"))
        .game
}

fn slot(model: &Model, name: &str) -> SlotId {
    let place = model.slots.iter().position(|slot| slot.name == name);
    SlotId(place.unwrap_or_else(|| panic!("{} has no {name}", model.title)) as u32)
}

/// The name of a role, with that of the zone above.
fn role_name(model: &Model, role: ZoneRole) -> String {
    match role {
        ZoneRole::Below(above) => format!("Below({})", model.slots[above.index()].name),
        role => format!("{role:?}"),
    }
}

fn zone_role(game: &Game, zone: &str) -> String {
    let (model, roles) = (game.model(), TableRoles::from_game(game));
    let role = roles.zone(slot(model, zone)).unwrap_or_else(|| panic!("{zone} is no zone"));
    role_name(model, role)
}

/// The roles of a game, a line each.
fn lines(game: &Game) -> String {
    let (model, roles) = (game.model(), TableRoles::from_game(game));
    let (mut zones, mut variables) = (String::new(), String::new());
    for (id, slot) in (0..).map(SlotId).zip(&model.slots) {
        if let Some(role) = roles.zone(id) {
            let filled = if roles.can_be_filled(id) { ", filled by actions" } else { "" };
            writeln!(zones, "  zone {}: {}{filled}", slot.name, role_name(model, role)).expect("a text");
        }
        if let Some(role) = roles.variable(id) {
            writeln!(variables, "  var {}: {role:?}", slot.name).expect("a text");
        }
    }
    zones + variables.as_str()
}

#[test]
fn each_zone_and_variable_has_its_role() {
    let bundled = catalogue().into_iter().filter(|entry| entry.of.is_none());
    let mut games: Vec<(String, Game)> =
        bundled.map(|entry| (entry.name.to_owned(), game(entry.name))).collect();
    games.sort_by(|(a, _), (b, _)| a.cmp(b));
    for (path, _) in rule_files("tests/outside") {
        let name = path.file_stem().expect("a name").to_string_lossy();
        games.push((format!("outside/{name}"), game(path.to_str().expect("a path"))));
    }
    let mut text = String::new();
    for (name, game) in games {
        let lines = lines(&game);
        if !lines.is_empty() {
            write!(text, "{name}\n{lines}").expect("a text");
        }
    }
    check_snapshots([(TABLE.to_owned(), text)]);
}

#[test]
fn roles_agree_with_the_rules() {
    for (name, zone, role) in ZONES {
        assert_eq!(zone_role(&game(name), zone), role, "{name}: {zone}");
    }
    for (name, variable, role) in VARIABLES {
        let game = game(name);
        let found = TableRoles::from_game(&game).variable(slot(game.model(), variable));
        assert_eq!(found, Some(role), "{name}: {variable}");
    }
}

#[test]
fn only_slots_of_the_rules_have_roles() {
    let game = game("hearts");
    let (model, roles) = (game.model(), TableRoles::from_game(&game));
    for (id, slot) in (0..).map(SlotId).zip(&model.slots) {
        let has_role = roles.zone(id).is_some() || roles.variable(id).is_some();
        assert_eq!(has_role, slot.span.is_some(), "{}", slot.name);
    }
}

/// What moves at once for all players is a trick, also in a loop and of copies.
#[test]
fn a_trick_is_moved_as_a_whole() {
    let cards = "domain card = 1..12 zone deck of card seen by none zone hand[player] of card seen by owner";
    let looped = written(&format!(
        "game \"Loop\" {{ players 3 {cards} zone trick[player] of card zone taken[player] of card seen by none
        setup {{ deal 4 from deck to hand }}
        turn {{
          choose {{ play c in hand[me] {{ move c to trick[me] }} }}
          if count(trick) == 3 {{ for p in players {{ move trick[p] to taken[me] }} }}
        }}
        end over when hand is nothing: draw }}"
    ));
    for (zone, role) in [("deck", "Unused"), ("hand", "Hand"), ("trick", "Trick"), ("taken", "Covered")] {
        assert_eq!(zone_role(&looped, zone), role, "{zone}");
    }
    // Each player's own cards go to a pile of that player.
    let apart = written(&format!(
        "game \"Apart\" {{ players 3 {cards} zone shown[player] of card zone kept[player] of card
        setup {{ deal 4 from deck to hand }}
        turn {{
          choose {{ play c in hand[me] {{ move c to shown[me] }} }}
          if count(shown) == 3 {{ for p in players {{ move shown[p] to kept[p] }} }}
        }}
        end over when hand is nothing: draw }}"
    ));
    for (zone, role) in [("shown", "Open"), ("kept", "Won")] {
        assert_eq!(zone_role(&apart, zone), role, "{zone}");
    }
    let copies = written(
        "game \"Fruit\" { players 2 enum fruit { apple, pear }
        zone basket of fruit = [apple: 6, pear: 6] seen by none
        zone hand[player] of fruit seen by owner zone trick[player] of fruit zone taken[player] of fruit
        setup { deal 3 from basket to hand }
        turn {
          choose { play f in hand[me] { move f from hand[me] to trick[me] } }
          if count(trick) == 2 { move trick to taken[me] }
        }
        end over when hand is nothing: draw }",
    );
    for (zone, role) in [("basket", "Unused"), ("trick", "Trick"), ("taken", "Won")] {
        assert_eq!(zone_role(&copies, zone), role, "{zone}");
    }
}

/// Cards that are swept together for the next deal were no trick, and nobody has lost what lay in a pile of won cards.
#[test]
fn what_goes_back_for_the_next_deal_stays_what_it_is() {
    let game = written(
        "game \"Sweep\" { players 2 domain card = 1..12
        zone deck of card seen by none zone hand[player] of card seen by owner
        zone shown[player] of card zone won[player] of card
        setup { deal 3 from deck to hand }
        turn {
          choose { lay c in hand[me] { move c to shown[me] } }
          if count(shown[me]) == 2 { move shown[me] to won[me] }
          if hand is nothing { move shown to deck; move won to deck; deal 3 from deck to hand }
        }
        end over when turns[me] == 9: draw }",
    );
    for (zone, role) in [("deck", "Stock"), ("hand", "Hand"), ("shown", "Open"), ("won", "Won")] {
        assert_eq!(zone_role(&game, zone), role, "{zone}");
    }
    let roles = TableRoles::from_game(&game);
    let filled = ["deck", "hand", "shown", "won"].map(|zone| roles.can_be_filled(slot(game.model(), zone)));
    assert_eq!(filled, [false, false, true, false]);
}

#[test]
fn zones_that_others_see_or_of_which_the_top_is_seen() {
    let game = written(
        "game \"Tops\" { players 2 domain card = 1..20
        zone pack of card ordered seen by none
        zone held[player, 1..2] of card seen by others
        zone column[1..2] of card ordered seen by top
        zone heap of card ordered seen by top
        zone laid of card
        setup { for p in players { for n in 1..2 { deal 1 from pack to held[p, n] } } deal 1 from pack to column[1] }
        turn { choose {
          play n in 1..2 where held[me, n] is some { move held[me, n] to laid }
          carry n in 1..2 where column[n] is some { draw c from column[n] to column[3 - n] }
          more where pack is some { draw c from pack to heap }
        } }
        end over when turns[me] == 9: draw }",
    );
    let expected =
        [("pack", "Stock"), ("held", "Slots"), ("column", "Piles"), ("heap", "Pile"), ("laid", "Row")];
    for (zone, role) in expected {
        assert_eq!(zone_role(&game, zone), role, "{zone}");
    }
}

/// A variable of a turn is shown while options read it.
#[test]
fn options_read_variables_of_a_turn() {
    let game = written(
        "game \"Pot\" { players 2
        var pot: 0..9 = 0 each turn  var drawn: 0..9 = 0 each turn  var kept[player]: 0..99 = 0
        turn {
          choose first { stop { kept[me] += pot } go_on { pot += 1 } }
          choose second { draw where drawn < 2 { drawn += 1 } pass }
        }
        end over when turns[me] == 9: draw }",
    );
    let (model, roles) = (game.model(), TableRoles::from_game(&game));
    for (variable, read_by) in [("pot", [true, false]), ("drawn", [false, true])] {
        let id = slot(model, variable);
        assert_eq!(roles.variable(id), Some(VariableRole::InTurn), "{variable}");
        assert_eq!([0, 1].map(|choice| roles.is_read_by(id, ChoiceId(choice))), read_by, "{variable}");
    }
    assert_eq!(roles.variable(slot(model, "kept")), Some(VariableRole::Counter));
}
