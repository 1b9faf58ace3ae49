//! The program for random games leaves out what nothing in them depends on: the games are the same.

use houserule_base::rng::Streams;
use houserule_game::Game;
use houserule_loader::{Request, load_text};
use houserule_machine::compile::{CompileOptions, compile_for_random_games};
use houserule_machine::program::{HEADER_WORDS, Program};
use houserule_machine::run::run;
use houserule_machine::run_state::{Counters, RunState, Stop};
use houserule_model::{Builtin, Life, Role, SlotId, value_len};

use crate::kept::{bundled_games, outside_games};

/// Number of games of each.
const GAMES: u64 = 4;

/// Maximum number of decisions of a game.
const DECISIONS: u64 = 300;

/// What is the same of two random games.
#[derive(Debug, PartialEq, Eq)]
struct PlayedGame {
    ended: bool,
    failed: bool,
    counters: Counters,
    header: Vec<u64>,
    /// The values of declared variables.
    told: Vec<u64>,
    items: Vec<u64>,
    payoffs: Vec<u64>,
    next_draw: u64,
}

fn played(game: &Game, program: &Program) -> Vec<PlayedGame> {
    let players = game.players() as usize;
    let model = game.model();
    let mut words = vec![0; program.frame as usize];
    let mut games = vec![];
    for index in 0..GAMES {
        words[..program.live as usize].copy_from_slice(&program.initial);
        if let Some(at) = game.slots()[Builtin::GameNumber.slot().index()] {
            words[usize::from(at)] = 1;
        }
        let mut streams = Streams::new(7, index, players);
        let mut run_state = RunState::new(program);
        let stop = run(program, &mut words, &mut streams, &mut run_state, program.start, true);
        if let (Stop::Over, Some(score)) = (stop, program.score) {
            run(program, &mut words, &mut streams, &mut run_state, score, true);
        }
        let told = (0..).map(SlotId).zip(&model.slots).filter(|(_, slot)| {
            slot.role == Role::Variable && slot.life != Life::Turn && slot.can_be_named()
        });
        let told = told.filter_map(|(id, slot)| {
            let at = usize::from(game.slots()[id.index()]?);
            let len = slot.initial.len() * usize::from(value_len(program.width, slot.content));
            Some(&words[at..at + len])
        });
        games.push(PlayedGame {
            ended: stop == Stop::Over,
            failed: matches!(stop, Stop::Fault { .. }),
            counters: run_state.counters,
            header: words[..usize::from(HEADER_WORDS)].to_vec(),
            told: told.flatten().copied().collect(),
            items: words[usize::from(program.items)..][..usize::from(program.item_count) * players].to_vec(),
            payoffs: program.payoffs.map_or(vec![], |at| words[usize::from(at)..][..players].to_vec()),
            next_draw: streams.chance.next_word(),
        });
    }
    games
}

/// Returns `true` if the program for random games is shorter than the program for all. Both play the same games.
fn leaves_out(game: &Game) -> bool {
    let random = compile_for_random_games(game.model(), CompileOptions::default()).expect("it compiles");
    let Some(random) = random else { return false };
    let [all, random] = [game.program().clone(), random.program]
        .map(|program| Program { limit: program.limit.min(DECISIONS), ..program });
    let name = &game.identity().name;
    assert_eq!(random.places.slots, all.places.slots, "{name}");
    assert_eq!(random.stops.len(), all.stops.len(), "{name}");
    assert_eq!(played(game, &random), played(game, &all), "{name}");
    random.code.len() < all.code.len()
}

#[test]
fn random_games_are_the_same_without_what_nothing_depends_on() {
    let shorter = bundled_games().chain(outside_games()).filter(leaves_out).count();
    assert!(shorter >= 5, "only {shorter} programs are shorter");
}

#[test]
fn what_is_told_or_decides_is_never_left_out() {
    let rules = |body: &str, end: &str| {
        format!(
            r#"game "Notes" {{
              players one, two
              enum colour {{ red, blue, green }}
              var noted: set of colour = {{}}
              var turned: set of colour = {{}} each turn
              var before: set of colour = {{}} each turn
              turn {{
                step pick "Pick a colour." {{
                  choose {{ take c in colour "a colour" {{ {body} }} }}
                }}
              }}
              end long when {end}: draw "it is over"
            }}"#
        )
    };
    let long = "turns[one] + turns[two] == 6";
    let request = Request { name: "notes", ..Request::default() };
    let shortens = |body: &str, end: &str| {
        let loaded = load_text("notes.rules", &rules(body, end), &request);
        leaves_out(&loaded.unwrap_or_else(|error| panic!("{error:?}")).game)
    };
    assert!(!shortens("noted = noted | {c}", long), "a declared variable is told");
    assert!(shortens("turned = turned | {c}", long), "nothing reads what lives for a turn");
    assert!(shortens("before = {c} turned = before", long), "it is read only for what nothing reads");
    assert!(!shortens("before = {c} noted = noted | before", long), "it is read for what is told");
    assert!(!shortens("turned = turned | {c}", &format!("{long} or turned == {{red}}")), "an end reads it");
    assert!(shortens("let d = {c} turned = d", long), "a local for what nothing reads");
    assert!(!shortens("let d = {c} noted = d", long), "a local for what is told");
    assert!(!shortens("for d in colour - {c} { noted = noted | {d} }", long), "a loop around what is told");
    assert!(
        shortens("for d in colour - {c} { turned = turned | {d} }", long),
        "a loop that does nothing else"
    );
}
