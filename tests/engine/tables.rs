//! Games at a table without a terminal: people, agents, real dice, hidden hands, undo, journals in memory and
//! matches.
#![allow(clippy::unwrap_used)]

use houserule::game::{ActionId, Game, Seat, State};
use houserule::hidden::{GameCourse, Told};
use houserule::model::{DomainId, Role, SlotId, Value};
use houserule::notation::journal::{DiceSource, Journal, JournalHeader, JournalLine};
use houserule::rng::Stream;
use houserule::table::{
    Answer, Audience, HandOver, JournalError, JournalWriter, MoveMatch, Pending, RulesChange, Screens,
    SeenEvent, SeenKind, Settled, Table, TableError, event_phrases, in_memory, match_result,
};

use crate::extent;
use crate::rules::{bundled, game};

fn head(game: &Game, agents: &[&str], seed: u64) -> JournalHeader {
    JournalHeader::new(game, agents.iter().map(|agent| (*agent).to_owned()).collect(), seed)
}

fn begin(game: &Game, agents: &[&str], seed: u64) -> Table<String> {
    Table::begin(game, head(game, agents, seed), in_memory).unwrap()
}

/// Resumes the game of a table from its journal.
fn resumed(table: &Table<String>) -> Table<String> {
    let (journal, whole) = Journal::read(table.journal()).unwrap();
    assert_eq!(whole, table.journal().len());
    Table::resume(table.game(), journal, table.journal().clone(), RulesChange::Refuse).unwrap()
}

/// Types a move at the pending decision.
fn typed(table: &mut Table<String>, text: &str) -> Vec<SeenEvent> {
    let MoveMatch::One(action) = table.moves(80).unwrap().find(text) else { panic!("{text}") };
    table.act(action).unwrap()
}

fn first_move<J: JournalWriter>(table: &Table<J>) -> ActionId {
    table.moves(80).unwrap().all().moves()[0].action
}

fn events(table: &Table<String>) -> Vec<String> {
    Journal::read(table.journal()).unwrap().0.games.pop().unwrap()
}

#[test]
fn a_game_goes_on_from_a_journal_in_memory_with_the_same_state() {
    let mut table = begin(&bundled("tic-tac-toe", &[], None), &["you", "you"], 1);
    assert_eq!(table.pending(), Pending::Decision(Seat(0)));
    let told = typed(&mut table, "b2");
    let seen = SeenEvent {
        index: 0,
        kind: SeenKind::Action(Seat(0)),
        text: Some("place b2".into()),
        said: Some("place b2".into()),
        zone: None,
        turn: None,
        turns: 0,
    };
    assert_eq!(told, [seen]);
    typed(&mut table, "a1");
    typed(&mut table, "c3");
    let undone = table.undo().unwrap();
    assert_eq!((undone.input.as_str(), undone.events), ("place c3", 1));
    table.undo().unwrap();
    assert_eq!(table.pending(), Pending::Decision(Seat(1)));
    // Redo goes forward one input at a time, until there is another input.
    let redone = table.redo().unwrap();
    assert_eq!(event_phrases(table.game(), &redone), ["O: place a1"]);
    typed(&mut table, "a3");
    assert!(matches!(table.redo(), Err(TableError::NothingToRedo)));
    assert_eq!(events(&table), ["place b2", "place a1", "place a3"]);

    let mut again = resumed(&table);
    assert_eq!(again.state().persistent(), table.state().persistent());
    assert_eq!(again.state().history(), table.state().history());
    // Both tables undo the same inputs, and write the same lines.
    for table in [&mut table, &mut again] {
        table.undo().unwrap();
        for text in ["c1", "a2", "a3"] {
            typed(table, text);
        }
        assert_eq!(table.pending(), Pending::Over);
        assert!(table.state().outcome().unwrap().winners[0]);
    }
    assert_eq!(again.journal(), table.journal());
    assert!(Journal::read(table.journal()).unwrap().0.is_over());
    // The end can be undone, too.
    table.undo().unwrap();
    assert!(!Journal::read(table.journal()).unwrap().0.is_over());
    while table.undo().is_ok() {}
    assert!(matches!(table.undo(), Err(TableError::NothingToUndo { in_match: false })));
    assert!(events(&table).is_empty());
}

/// Returns the names of the elements of a zone that lie face down for a player.
fn hidden_from<J: JournalWriter>(table: &Table<J>, player: Seat) -> Vec<String> {
    let (state, model) = (table.state(), table.game().model());
    let zones = (0u32..).zip(&model.slots).filter(|(_, slot)| slot.role == Role::Zone);
    let mut names = vec![];
    for (id, slot) in zones {
        for place in 0..slot.initial.len() {
            let open = slot.name == "line" || slot.name == "hand" && place == player.0 as usize;
            if let (false, Value::Set(lying)) = (open, state.value(SlotId(id), place)) {
                let domain = model.domains.iter().position(|domain| domain.name == "tile").unwrap();
                names.extend(
                    lying.iter().map(|tile| table.game().element_name(DomainId(domain as u32), tile)),
                );
            }
        }
    }
    assert!(!names.is_empty());
    names
}

/// Asserts that a text doesn't name what is hidden from a player.
fn hides(table: &Table<String>, player: Seat, text: &str) {
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '-').collect();
    for name in hidden_from(table, player) {
        assert!(!words.contains(&name.as_str()), "{name} is hidden from {player:?}:\n{text}");
    }
}

/// Asserts that nothing that is told to the people at a screen names what is hidden from them.
fn told_safely(table: &Table<String>, told: &[SeenEvent]) {
    if table.state().is_over() {
        return;
    }
    let viewers = match table.audience() {
        Audience::One(viewer) => vec![viewer],
        Audience::Each(people) => people,
        Audience::All => panic!("hands are hidden"),
    };
    for viewer in viewers {
        hides(table, viewer, &event_phrases(table.game(), told).join("\n"));
    }
}

#[test]
fn nobody_is_told_what_the_others_hold() {
    let game = bundled("dominoes", &[], Some(2));
    let mut hand_overs = 0;
    for seed in 0..8 {
        let mut table = begin(&game, &["you", "you"], seed);
        let mut at_screen = None;
        while table.pending() != Pending::Over {
            let told = match table.pending() {
                Pending::HandOver(HandOver { from, to, .. }) => {
                    assert_eq!(from, at_screen);
                    assert!(table.moves(80).is_none() && table.act(ActionId(0)).is_err());
                    hand_overs += 1;
                    table.leave_screen();
                    assert_eq!(table.viewer(), None);
                    told_safely(&table, &table.seen_at_screen(0));
                    at_screen = Some(to);
                    table.take_screen(to)
                }
                Pending::Decision(player) => {
                    assert_eq!(at_screen, Some(player));
                    for player in [Seat(0), Seat(1)] {
                        let seen = table.seen_by(player, 0);
                        // The player has seen the own tiles come, and not those of the other.
                        let own = |event: &SeenEvent| event.kind == SeenKind::Pick && event.text.is_some();
                        assert!(seen.iter().any(own) && seen.iter().any(|event| event.text.is_none()));
                        hides(&table, player, &event_phrases(&game, &seen).join("\n"));
                        hides(&table, player, &table.visible(player).join("\n"));
                        hides(&table, player, &table.drawing(player));
                    }
                    // Neither undo nor a resumed game shows the screen to the wrong person.
                    assert!(matches!(resumed(&table).pending(), Pending::HandOver(_)));
                    table.act(first_move(&table)).unwrap()
                }
                _ => table.step().unwrap(),
            };
            told_safely(&table, &told);
        }
    }
    assert!(hand_overs > 16, "{hand_overs} hand-overs");
}

/// Returns what a player is told of a game.
fn course_told(state: &State, player: Seat) -> Vec<(usize, Told)> {
    let mut course = GameCourse::begin(state.game(), state.started(), None, vec![player]).unwrap();
    assert!(course.follow(state));
    let told = course.items().iter().map(|item| (item.index, item.seen(Some(0)).clone()));
    told.filter(|item| item.1 != Told::default()).collect()
}

#[test]
fn cards_that_go_unseen_are_told_alike_in_all_worlds() {
    let hands = game(
        "game \"Hands\" { players A, B, C domain card = 1..18
          zone deck of card seen by none zone hand[player] of card seen by owner
          setup { deal 5 from deck to hand }
          turn { draw n from deck to hand[me]
            choose {
              hand_on { move {highest(hand[me]), lowest(hand[me])} to hand[after(me)] }
              give_back { move {highest(hand[me])} to hand[before(me)] }
              wait { }
            } }
          end late of round when round == 3 }",
    );
    let (mut counted, mut worlds) = (0, 0);
    for seed in 0..extent::tries(5, 12) {
        let mut state = hands.start(seed, 0).unwrap();
        while let Some(player) = state.current_player() {
            let wait = hands.parse_action("wait").filter(|_| player == Seat(2));
            let action = wait.or_else(|| state.random_action()).unwrap();
            state.apply(action).unwrap();
            let told = course_told(&state, Seat(2));
            let is_counted =
                |item: &&(usize, Told)| item.1.text.as_deref() == Some("2 face down from hand[A] to hand[B]");
            counted += told.iter().filter(is_counted).count();
            for number in 0..3 {
                let mut stream = Stream::new(seed, number, 1);
                let Ok(world) = state.determinize(Seat(2), &mut stream) else { continue };
                assert_eq!(course_told(&world, Seat(2)), told, "{:?}", state.history());
                worlds += 1;
            }
        }
    }
    let (cards, least) = extent::tries((2, 20), (5, 50));
    assert!(counted > cards && worlds > least, "{counted} in {worlds} worlds");
}

#[test]
fn who_passes_the_screen_on_has_news_and_who_takes_it_catches_up() {
    let game = game(
        "game \"Cards\" {
          players X, O
          domain card = 1..9
          zone stock of card seen by none
          zone hand[player] of card seen by owner
          zone pile of card
          setup { deal 2 from stock to hand }
          turn { choose { play c in hand[me] { move c to pile } } draw c from stock to hand[me] }
          end over when pile == {1, 2, 3, 4}
        }",
    );
    let mut table = begin(&game, &["you", "you"], 3);
    table.advance().unwrap();
    let first = HandOver { from: None, to: Seat(0), news: false };
    assert_eq!(table.pending(), Pending::HandOver(first));
    assert_eq!(table.take_screen(Seat(0)).len(), 4);
    table.act(first_move(&table)).unwrap();
    // X reads the card that X has drawn, before O takes the screen.
    assert_eq!(table.audience(), Audience::One(Seat(0)));
    let drawn = table.advance().unwrap();
    assert!(drawn.iter().all(|event| event.text.is_some()), "{drawn:?}");
    let next = HandOver { from: Some(Seat(0)), to: Seat(1), news: true };
    assert_eq!(table.pending(), Pending::HandOver(next));
    table.leave_screen();
    let next = HandOver { from: None, to: Seat(1), news: false };
    assert_eq!(table.pending(), Pending::HandOver(next));
    assert_eq!(table.take_screen(Seat(1)).len(), 6);
    table.act(first_move(&table)).unwrap();
    table.advance().unwrap();
    // X has seen six events.
    let unseen = table.take_screen(Seat(0));
    assert_eq!(unseen.iter().map(|event| event.index).collect::<Vec<_>>(), [6, 7]);
    let phrases = event_phrases(&game, &unseen);
    assert!(phrases[0].starts_with("O: play ") && phrases[1] == "drawn face down to O's hand", "{phrases:?}");
}

#[test]
fn names_of_several_words_are_told_with_their_owners() {
    let game = game(
        "game \"Words\" {
           players A, B
           domain card = 1..9
           zone draw_pile of card seen by none
           zone my_hand[player] of card seen by owner
           turn { choose { take { draw c from draw_pile to my_hand[me] } } }
           end over when round == 3: win A
         }",
    );
    let mut table = begin(&game, &["you", "you"], 1);
    table.advance().unwrap();
    table.take_screen(Seat(0));
    typed(&mut table, "take");
    table.advance().unwrap();
    let told = event_phrases(&game, &table.seen_by(Seat(1), 0));
    assert_eq!(told, ["A: take", "drawn face down to A's my hand"]);
}

#[test]
fn a_player_who_is_picked_out_of_sight_is_no_card() {
    let game = game(
        "game \"Spies\" {
           players A, B, C
           domain card = 1..9
           zone stock of card seen by none
           zone hand[player] of card seen by owner
           var spy: player? = none seen by none
           turn { choose { hire { pick q in players spy = q } take { draw c from stock to hand[me] } } }
           end over when round == 2
           score { spies: if spy == me then 1 else 0 }
         }",
    );
    let mut table = begin(&game, &["you", "you", "you"], 1);
    table.advance().unwrap();
    for (seat, text) in [(0, "hire"), (1, "take")] {
        table.take_screen(Seat(seat));
        typed(&mut table, text);
        table.advance().unwrap();
    }
    let told = event_phrases(&game, &table.seen_by(Seat(2), 0));
    assert_eq!(told, ["A: hire", "picked out of sight", "B: take", "drawn face down to B's hand"]);
}

#[test]
fn what_an_action_shows_is_read_before_the_screen_is_handed_over() {
    let game = game(
        "game \"Look\" {
           players A, B
           enum kind { red, blue }
           domain card = 1..8
           zone pack of card seen by none
           zone hand[player] of card seen by owner
           zone box of kind = [red: 3, blue: 1] seen by none
           zone bag[player] of kind seen by none
           setup { deal 2 from pack to hand deal 2 from box to bag }
           turn { choose {
             look { reveal hand[other] to me }
             feel { reveal red from bag[other] to me }
             show c in hand[me] { reveal c to other }
             pass
           } }
           end over when round == 4: draw
         }",
    );
    let mut table = begin(&game, &["you", "you"], 1);
    table.advance().unwrap();
    table.take_screen(Seat(0));
    typed(&mut table, "look");
    let hand = table.visible(Seat(1)).into_iter().find(|line| line.starts_with("hand[B]")).unwrap();
    let cards = hand.split_once('{').unwrap().1.trim_end_matches('}');
    assert_eq!(table.shown(), [format!("hand[B]: {cards}")]);
    let next = HandOver { from: Some(Seat(0)), to: Seat(1), news: true };
    assert_eq!(table.pending(), Pending::HandOver(next));
    table.take_screen(Seat(1));
    // What A is shown is not told to B, who is at the screen.
    let show = table
        .moves(80)
        .unwrap()
        .all()
        .moves()
        .iter()
        .find(|one| one.name.starts_with("show"))
        .unwrap()
        .action;
    table.act(show).unwrap();
    assert_eq!(table.shown(), Vec::<String>::new());
    let next = HandOver { from: Some(Seat(1)), to: Seat(0), news: false };
    assert_eq!(table.pending(), Pending::HandOver(next));
    table.take_screen(Seat(0));
    typed(&mut table, "feel");
    assert_eq!(table.shown(), ["bag[B]: 1 red"]);
    table.take_screen(Seat(1));
    typed(&mut table, "pass");
    assert_eq!(table.shown(), Vec::<String>::new());
    table.take_screen(Seat(0));
    typed(&mut table, "look");
    assert_eq!(table.shown(), Vec::<String>::new(), "A knows these cards");
}

/// Returns the names of the legal moves that begin with a word.
fn moves_of(table: &Table<String>, option: &str) -> Vec<String> {
    let menu = table.moves(80).unwrap();
    let names = menu.all().moves().iter().map(|one| one.name.clone());
    names.filter(|name| name.split(' ').next() == Some(option)).collect()
}

/// Takes the legal move with this name.
fn takes(table: &mut Table<String>, name: &str) {
    let menu = table.moves(80).unwrap();
    let action = menu.all().moves().iter().find(|one| one.name == name).unwrap().action;
    table.act(action).unwrap();
}

/// Begins a game of two people who have screens of their own.
fn apart(game: &Game, seed: u64) -> Table<String> {
    let mut table = begin(game, &["you", "you"], seed);
    table.set_screens(Screens::Own);
    table.advance().unwrap();
    table
}

#[test]
fn what_moved_is_told_as_each_player_saw_it() {
    let game = game(
        "game \"Aside\" {
           players A, B
           domain card = 1..12
           zone stock of card seen by none
           zone hand[player] of card seen by owner
           zone aside of card
           zone cellar of card seen by none
           setup { deal 3 from stock to hand }
           turn { choose {
             keep c in hand[me] { move hand[me] - {c} to aside }
             bury c in hand[me] { move hand[me] - {c} to cellar }
           } }
           end over when round == 3: draw
         }",
    );
    let mut table = apart(&game, 3);
    let told = |table: &Table<String>, player: u32, from: usize| {
        event_phrases(&game, &table.seen_by(Seat(player), from)).join(", ")
    };
    let dealt = table.state().history().len();
    let keeps = moves_of(&table, "keep");
    takes(&mut table, &keeps[1]);
    let cards: Vec<&str> = keeps.iter().map(|name| name.strip_prefix("keep ").unwrap()).collect();
    let [first, kept, last] = cards.as_slice() else { panic!("{cards:?}") };
    let own = format!("A: keep {kept}, moved: {first}, {last} from A's hand to aside");
    assert_eq!(told(&table, 0, dealt), own);
    assert_eq!(told(&table, 1, dealt), format!("A: keep ?, moved: {first}, {last} from A's hand to aside"));
    // What goes out of sight is counted for those who see neither where it was nor where it goes.
    let bury = "B: bury ?, moved: 2 face down from B's hand to cellar";
    let buries = moves_of(&table, "bury");
    takes(&mut table, &buries[1]);
    assert_eq!(told(&table, 0, dealt + 1), bury);
    assert_eq!(told(&table, 0, dealt), format!("{own}, {bury}"));
    // The whole history has no more of it.
    assert!(told(&table, 0, 0).ends_with(&format!("{own}, {bury}")));
}

#[test]
fn a_card_that_the_last_step_of_a_move_shows_is_named() {
    let rules = |option: &str, body: &str| {
        format!(
            "game \"Steps\" {{
               players A, B
               domain card = 1..40
               zone stock of card seen by none
               zone hand[player] of card seen by owner
               zone table of card
               zone won[player] of card
               zone cellar of card seen by none
               setup {{ deal 3 from stock to hand deal 6 from stock to table }}
               turn {{ choose {{
                 {option} c in hand[me], k subset of table where count(k) in 2..4 {{ {body} }}
               }} }}
               end over when round == 3: draw
             }}"
        )
    };
    for (option, body, shows) in [
        ("take", "move k | c to won[me]", true),
        ("think", "move k to won[me]", false),
        ("tuck", "move k | c to cellar", false),
        ("throw", "move hand[me] to table", false),
    ] {
        let game = game(&rules(option, body));
        let mut table = apart(&game, 3);
        let dealt = table.state().history().len();
        let text = |table: &Table<String>| table.seen_by(Seat(1), dealt)[0].text.clone().unwrap();
        let first = moves_of(&table, option)[0].clone();
        let [_, card, other] = first.split(' ').collect::<Vec<_>>()[..] else { panic!("{first}") };
        let hidden = format!("{option} ? {other}");
        takes(&mut table, &first);
        assert_eq!(text(&table), hidden);
        let next = moves_of(&table, option)[0].clone();
        takes(&mut table, &next);
        assert_eq!(text(&table), hidden);
        takes(&mut table, "done");
        assert_eq!(text(&table), if shows { format!("{option} {card} {other}") } else { hidden });
    }
}

#[test]
fn people_with_screens_of_their_own_hand_nothing_over() {
    let mut table = begin(&bundled("dominoes", &[], Some(2)), &["you", "you"], 1);
    table.set_screens(Screens::Own);
    while table.pending() != Pending::Over {
        let told = match table.pending() {
            Pending::Decision(_) => table.act(first_move(&table)).unwrap(),
            Pending::HandOver(hand_over) => panic!("{hand_over:?}"),
            _ => table.advance().unwrap(),
        };
        told_safely(&table, &told);
    }
}

#[test]
fn agents_choose_the_same_after_undo_and_resume() {
    for (name, agent) in [("connect-four", "random"), ("dicrono", "random"), ("connect-four", "mcts:10")] {
        let game = bundled(name, &[], Some(2));
        let mut whole = begin(&game, &["you", agent], 5);
        let mut parts = begin(&game, &["you", agent], 5);
        for input in 0..12 {
            for table in [&mut whole, &mut parts] {
                table.advance().unwrap();
            }
            if whole.pending() == Pending::Over {
                break;
            }
            let menu = whole.moves(80).unwrap();
            let action = menu.all().moves()[input * 5 % menu.all().moves().len()].action;
            whole.act(action).unwrap();
            if input % 3 == 1 {
                parts = resumed(&parts);
            }
            parts.act(action).unwrap();
            parts.advance().unwrap();
            if input % 2 == 1 {
                parts.undo().unwrap();
                parts.act(action).unwrap();
            }
        }
        for table in [&mut whole, &mut parts] {
            table.advance().unwrap();
        }
        assert!(events(&whole).len() > 10);
        assert_eq!(events(&parts), events(&whole), "{name} {agent}");
    }
}

#[test]
fn real_dice_are_reported_and_offered_again_after_undo() {
    let game = bundled("dilido", &[], None);
    let head = JournalHeader { dice: DiceSource::Hand, ..head(&game, &["you"], 1) };
    let mut table = Table::begin(&game, head, in_memory).unwrap();
    assert_eq!(table.pending(), Pending::Chance);
    let asked = table.chance_question().unwrap();
    assert_eq!(asked.name, "pair");
    assert!(asked.question.starts_with("Roll pair: what do the 2 dice show?"), "{}", asked.question);
    assert_eq!(asked.answer("7 1"), Answer::Wrong("a die of pair shows 1 to 6, not 7".into()));
    assert_eq!([asked.answer("what"), asked.answer("")], [Answer::None, Answer::None]);
    let report = |table: &mut Table<String>, answer: &str| {
        let Answer::Outcome(outcome) = table.chance_question().unwrap().answer(answer) else {
            panic!("{answer}")
        };
        table.settle(outcome).unwrap()
    };
    let Settled::Done(told) = report(&mut table, "3 5") else { panic!("dice have no condition") };
    assert_eq!(
        (told[0].kind, event_phrases(&game, &told)),
        (SeenKind::Roll, vec!["pair rolled: 3 5".into()])
    );
    typed(&mut table, "c5");
    table.undo().unwrap();
    assert_eq!(table.undo().unwrap().input, "pair rolled: 3 5");
    let mut again = resumed(&table);
    for table in [&mut table, &mut again] {
        assert_eq!(table.chance_question().unwrap().before.unwrap().1, "3 5");
        report(table, "");
        assert_eq!(events(table), ["roll pair 3 5"]);
        table.undo().unwrap();
        report(table, "21");
        assert_eq!(events(table), ["roll pair 2 1"]);
    }
}

#[test]
fn reported_tiles_are_dealt_again_until_the_condition_of_the_rules_holds() {
    let game = bundled("dominoes", &[], Some(2));
    let head = JournalHeader { dice: DiceSource::Hand, ..head(&game, &["you", "you"], 1) };
    let mut table = Table::begin(&game, head, in_memory).unwrap();
    // Without a double, the tiles are dealt again.
    let mut again = 0;
    for tile in ["0-1", "0-2", "0-3", "0-4", "0-5", "1-2", "1-3", "1-4", "1-5", "2-3"] {
        let Answer::Outcome(outcome) = table.chance_question().unwrap().answer(tile) else {
            panic!("{tile}")
        };
        again += usize::from(table.settle(outcome).unwrap() == Settled::Again);
    }
    assert_eq!((again, events(&table).len(), table.pending()), (1, 0, Pending::Chance));
    assert!(matches!(table.undo(), Err(TableError::NothingToUndo { .. })));
    assert_eq!(resumed(&table).state().persistent(), table.state().persistent());
}

#[test]
fn a_match_is_played_game_after_game() {
    let game = bundled("dicrono", &[("match_games", "3")], None);
    let head = JournalHeader { match_play: true, ..head(&game, &["you", "random"], 4) };
    let mut table = Table::begin(&game, head, in_memory).unwrap();
    let mut scores = vec![vec![]; 2];
    for number in 0..3 {
        assert_eq!(table.in_match().unwrap().played(), number);
        assert!(table.next_game().is_err() && table.standing().unwrap().is_none());
        if number > 0 {
            assert!(matches!(table.undo(), Err(TableError::NothingToUndo { in_match: true })));
        }
        let mut inputs = 0;
        loop {
            table.advance().unwrap();
            let Pending::Decision(_) = table.pending() else { break };
            inputs += 1;
            if inputs == 2 {
                table = resumed(&table);
            }
            table.act(first_move(&table)).unwrap();
        }
        for (scores, score) in scores.iter_mut().zip(table.state().score_of_each().unwrap()) {
            scores.push(score);
        }
        let standing = table.standing().unwrap().unwrap();
        assert_eq!((standing.scores(), standing.is_over()), (&scores[..], number == 2));
        // A new table at the end of a game has the same standing, and repeats no line.
        let again = resumed(&table);
        assert_eq!(again.standing().unwrap().unwrap().scores(), &scores[..]);
        assert_eq!(again.journal(), table.journal());
        if number < 2 {
            assert!(!Journal::read(table.journal()).unwrap().0.is_over());
            table.next_game().unwrap();
        }
    }
    assert!(table.next_game().is_err());
    let (journal, _) = Journal::read(table.journal()).unwrap();
    assert!(journal.is_over() && journal.games.len() == 3 && journal.over.iter().all(Option::is_some));
    let standing = table.standing().unwrap().unwrap();
    assert!(match_result(&game, &standing).starts_with("The match is over: "));
    assert_eq!(table.journal().matches("match_over").count(), 1);
}

/// A journal that rejects lines while it is full.
#[derive(Default)]
struct Limited {
    lines: Vec<JournalLine>,
    full: bool,
}

impl JournalWriter for Limited {
    fn append(&mut self, lines: &[JournalLine]) -> Result<(), JournalError> {
        if self.full {
            return Err(JournalError::Other("it is full".into()));
        }
        self.lines.extend_from_slice(lines);
        Ok(())
    }
}

#[test]
fn what_the_journal_rejects_was_not_played() {
    let game = bundled("tic-tac-toe", &[], None);
    let full = |_: &JournalHeader| Ok(Limited { full: true, ..Limited::default() });
    let mut table = Table::begin(&game, head(&game, &["you", "random"], 1), full).unwrap();
    let action = first_move(&table);
    let error = table.act(action).unwrap_err();
    assert_eq!(error.to_string(), "the journal can't be written: it is full");
    assert!(table.state().history().is_empty() && table.before().is_none());
    assert!(matches!(table.undo(), Err(TableError::NothingToUndo { .. })));
}

#[test]
fn an_answer_to_another_question_is_refused() {
    let game = bundled("tic-tac-toe", &[], None);
    let mut table = begin(&game, &["you", "random"], 1);
    let error = table.settle(0).unwrap_err();
    assert_eq!(error.to_string(), "an outcome is not what the table waits for: X decides");
    assert!(matches!(table.step(), Err(TableError::NotAsked { .. })));
    assert!(matches!(table.next_game(), Err(TableError::NotAsked { .. })));
    assert!(matches!(table.act(ActionId(999)), Err(TableError::Apply(_))));
    assert!(table.state().history().is_empty());
    typed(&mut table, "b2");
    assert_eq!(table.pending(), Pending::Agent(Seat(1)));
    assert!(matches!(table.act(ActionId(0)), Err(TableError::NotAsked { .. })));
}

#[test]
fn changed_rules_are_refused_unless_they_are_accepted() {
    let rules = |end: &str| {
        format!(
            "game \"Little\" {{
              players X, O
              board cell = grid(2, 2)
              piece mark[player]
              turn {{ choose {{ place c in empty {{ put mark[me] at c }} }} }}
              end {end} when empty is nothing: draw
            }}"
        )
    };
    let (old, new) = (game(&rules("full")), game(&rules("filled")));
    let mut table = begin(&old, &["you", "you"], 1);
    typed(&mut table, "a1");
    let read = || Journal::read(table.journal()).unwrap().0;
    let refused = Table::resume(&new, read(), table.journal().clone(), RulesChange::Refuse).unwrap_err();
    assert!(matches!(refused, TableError::OtherRules { events: 1, .. }), "{refused}");
    let accepted = Table::resume(&new, read(), table.journal().clone(), RulesChange::Accept).unwrap();
    assert_eq!(accepted.state().persistent(), table.state().persistent());
    // From here on it is a journal of the new rules.
    assert_eq!(events(&resumed(&accepted)), ["place a1"]);
}
