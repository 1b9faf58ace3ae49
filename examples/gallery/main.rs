//! Writes `docs/gallery.md` and its pictures: `cargo run --example gallery`.
//!
//! With `--play` the games are played again first, by agents that try every action in some random playouts:
//! `cargo run --release --example gallery -- --play`. Names after it play only those games.

#![allow(clippy::print_stdout, clippy::print_stderr)]

mod pictures;

use std::path::Path;

use houserule::agents::{Agent, Greedy};
use houserule::board::Site;
use houserule::game::{ActionId, BinderValue, Event, Seat, State};
use houserule::model::Value;
use houserule::rng::Stream;
use pictures::{Played, files, played, rules, start};

/// The games to play: name, number of players, index of the game, agent, and opening actions.
const GAMES: [(&str, u32, u64, Mind, &[&str]); 75] = [
    ("dilido", 1, 3, Mind::Greedy, &[]),
    ("dilido-8x8", 1, 1, Mind::Greedy, &[]),
    ("dilido-torus", 1, 5, Mind::Greedy, &[]),
    ("dicrono", 2, 4, Mind::Greedy, &[]),
    ("dice-wide-shut", 2, 1, Mind::Greedy, &[]),
    ("dominoes", 3, 2, Mind::Greedy, &[]),
    ("points", 2, 1, Mind::Greedy, &[]),
    ("tic-tac-toe", 2, 1, Mind::Tries, &["place b2", "place a3"]),
    ("tic-tac-die", 2, 2, Mind::Tries, &[]),
    ("connect-four", 2, 1, Mind::Tries, &["drop 4"]),
    ("gomoku", 2, 2, Mind::Tries, &["place h8", "place i9", "place g9", "place i7"]),
    ("go", 2, 1, Mind::Greedy, &["play e5", "play c3", "play g7", "play g3", "play c7"]),
    ("reversi", 2, 1, Mind::Tries, &[]),
    ("breakthrough", 2, 1, Mind::Tries, &[]),
    ("hex", 2, 1, Mind::Tries, &["place f6", "place h4"]),
    ("nine-mens-morris", 2, 1, Mind::Tries, &[]),
    ("dots-and-boxes", 3, 1, Mind::Greedy, &[]),
    ("kalah", 2, 1, Mind::Tries, &[]),
    ("pig", 4, 1, Mind::Greedy, &[]),
    ("yacht", 1, 1, Mind::Tries, &[]),
    ("yacht", 3, 2, Mind::Tries, &[]),
    ("liars-poker", 3, 1, Mind::Greedy, &[]),
    ("craps", 1, 1, Mind::Greedy, &[]),
    ("four-rows", 3, 1, Mind::Greedy, &[]),
    ("liars-dice", 3, 1, Mind::Greedy, &[]),
    ("shut-the-box", 1, 1, Mind::Greedy, &[]),
    ("ten-thousand", 3, 1, Mind::Greedy, &[]),
    ("backgammon", 2, 1, Mind::Greedy, &[]),
    ("ludo", 4, 1, Mind::Greedy, &[]),
    ("royal-game-of-ur", 2, 1, Mind::Greedy, &[]),
    ("snakes-and-ladders", 3, 1, Mind::Greedy, &[]),
    ("2048", 1, 1, Mind::Greedy, &[]),
    ("amazons", 2, 1, Mind::Greedy, &[]),
    ("battle", 2, 1, Mind::Greedy, &[]),
    ("battleship", 2, 1, Mind::Greedy, &[]),
    ("black-path", 2, 1, Mind::Greedy, &[]),
    ("blackjack", 1, 1, Mind::Greedy, &[]),
    ("brandubh", 2, 1, Mind::Greedy, &[]),
    ("bridges", 2, 1, Mind::Greedy, &[]),
    ("chess", 2, 1, Mind::Greedy, &[]),
    ("chinese-checkers", 3, 1, Mind::Greedy, &[]),
    ("chinese-chess", 2, 1, Mind::Greedy, &[]),
    ("clobber", 2, 1, Mind::Greedy, &[]),
    ("crazy-eights", 3, 1, Mind::Greedy, &[]),
    ("domineering", 2, 1, Mind::Greedy, &[]),
    ("english-draughts", 2, 1, Mind::Greedy, &[]),
    ("five-with-a-twist", 2, 1, Mind::Greedy, &[]),
    ("fox-and-geese", 2, 1, Mind::Greedy, &[]),
    ("go-fish", 3, 1, Mind::Greedy, &[]),
    ("havannah", 2, 1, Mind::Greedy, &[]),
    ("hearts", 4, 1, Mind::Greedy, &[]),
    ("international-draughts", 2, 1, Mind::Greedy, &[]),
    ("klondike", 1, 1, Mind::Greedy, &[]),
    ("konane", 2, 1, Mind::Greedy, &[]),
    ("kuhn-poker", 2, 1, Mind::Greedy, &[]),
    ("leduc-poker", 2, 1, Mind::Greedy, &[]),
    ("lights-out", 1, 1, Mind::Greedy, &[]),
    ("lines-of-action", 2, 1, Mind::Greedy, &[]),
    ("memory", 2, 1, Mind::Greedy, &[]),
    ("minesweeper", 1, 1, Mind::Greedy, &[]),
    ("minishogi", 2, 1, Mind::Greedy, &[]),
    ("old-maid", 3, 1, Mind::Greedy, &[]),
    ("orchard", 3, 1, Mind::Greedy, &[]),
    ("peg-solitaire", 1, 1, Mind::Greedy, &[]),
    ("phantom-tic-tac-toe", 2, 1, Mind::Greedy, &[]),
    ("push-off", 2, 1, Mind::Greedy, &[]),
    ("ultimate-tic-tac-toe", 2, 1, Mind::Greedy, &[]),
    ("wall-race", 2, 1, Mind::Greedy, &[]),
    ("y", 2, 1, Mind::Greedy, &[]),
    ("five-card-draw", 3, 1, Mind::Greedy, &[]),
    ("cribbage", 2, 1, Mind::Greedy, &[]),
    ("whist", 4, 1, Mind::Greedy, &[]),
    ("hidden-armies", 2, 1, Mind::Greedy, &[]),
    ("lasca", 2, 1, Mind::Greedy, &[]),
    ("mexico", 4, 1, Mind::Greedy, &[]),
];

/// An agent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mind {
    /// Takes the best score after one action.
    Greedy,
    /// Takes the action with the best random playouts.
    Tries,
}

/// Number of playout decisions spent on one decision.
const EFFORT: usize = 40_000;

/// Maximum number of actions that are all tried. With more, only those near occupied sites are tried.
const MANY: usize = 130;

fn main() -> std::io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut names = std::env::args().skip_while(|arg| arg != "--play");
    if names.next().is_some() {
        let (names, before): (Vec<String>, Vec<Played>) = (names.collect(), played());
        let kept = |name: &str, players: u32| {
            let kept = before.iter().find(|one| one.game == name && one.players == players)?;
            (!names.is_empty() && names.iter().all(|other| other != name)).then(|| kept.clone())
        };
        let games = GAMES.iter().map(|game| kept(game.0, game.1).unwrap_or_else(|| play(*game)));
        let games: Vec<Played> = games.collect();
        let lines: Vec<String> =
            games.iter().map(|game| serde_json::to_string(game).unwrap_or_default()).collect();
        return std::fs::write(
            root.join("examples/gallery/games.json"),
            format!("[\n{}\n]\n", lines.join(",\n")),
        );
    }
    let files = files();
    std::fs::create_dir_all(root.join("docs/gallery"))?;
    // Delete pictures that are no longer shown.
    for entry in std::fs::read_dir(root.join("docs/gallery"))? {
        let path = entry?.path();
        if !files.iter().any(|file| root.join(&file.path) == path) {
            std::fs::remove_file(path)?;
        }
    }
    let bytes: usize = files.iter().map(|file| file.text.len()).sum();
    for file in &files {
        std::fs::write(root.join(&file.path), &file.text)?;
    }
    println!("{} games, {} files, {} kB", played().len(), files.len(), bytes / 1000);
    Ok(())
}

/// Plays a game to its end.
fn play((name, players, index, mind, opening): (&str, u32, u64, Mind, &[&str])) -> Played {
    let game = rules(name, players);
    let mut chance = Stream::new(7, index, 0);
    let mut own = Stream::new(7, index, 1);
    let mut state = start(&game);
    let mut opening = opening.iter();
    while !state.is_over() {
        if state.is_chance() {
            let outcome = chance.below(state.chance_outcomes());
            state.apply_outcome(outcome).unwrap_or_else(|error| panic!("{name}: {error}"));
            continue;
        }
        let Some(player) = state.current_player() else { break };
        let chosen = match (opening.next(), mind) {
            (Some(known), _) => game.parse_action(known),
            (None, Mind::Greedy) => {
                Greedy::default().choose(&mut state.seen_by(player), &mut own).ok().flatten()
            }
            (None, Mind::Tries) => tried(&state, &mut own),
        };
        let Some(action) = chosen else { break };
        state.apply(action).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    let text = |event| houserule::game::values::event_text(&game, event);
    let events: Vec<String> = state.history().iter().map(text).collect();
    eprintln!("{name}: {} events", events.len());
    Played { game: name.to_owned(), players, middle: events.len() * 11 / 20, events }
}

/// Returns the action with the best random playouts, among those after which no opponent wins at once. With
/// many actions, an action counts wherever it occurs in a playout.
fn tried(state: &State, stream: &mut Stream) -> Option<ActionId> {
    let player = state.current_player()?;
    let mut actions = state.legal_actions();
    if let Some(won) = actions.iter().find(|action| wins(state, **action)) {
        return Some(*won);
    }
    if actions.len() > MANY && state.decisions() > 0 {
        actions.retain(|action| is_near(state, *action));
    }
    let anywhere = actions.len() > 60;
    let mut sums = vec![(0.0, 0.0); actions.len()];
    let mut spent = 0;
    while spent < EFFORT {
        for at in 0..actions.len() {
            let mut game = state.clone();
            game.apply(actions[at]).ok()?;
            while !game.is_over() {
                if game.is_chance() {
                    let outcome = stream.below(game.chance_outcomes());
                    game.apply_outcome(outcome).ok()?;
                    continue;
                }
                let legal = game.legal_actions();
                game.apply(*legal.get(stream.below(legal.len() as u64) as usize)?).ok()?;
                spent += 1;
            }
            spent += 1;
            let worth = worth(&game, player);
            let mut count = |at: usize| {
                sums[at].0 += worth;
                sums[at].1 += 1.0;
            };
            count(at);
            for event in game.history()[state.history().len() + 1..].iter().filter(|_| anywhere) {
                if let Event::Action { player: who, action } = event
                    && *who == player
                    && let Ok(at) = actions.binary_search(action)
                {
                    count(at);
                }
            }
        }
    }
    let mut ranked: Vec<usize> = (0..actions.len()).collect();
    ranked.sort_by(|a, b| (sums[*b].0 / sums[*b].1).total_cmp(&(sums[*a].0 / sums[*a].1)));
    let ranked: Vec<ActionId> = ranked.into_iter().map(|at| actions[at]).collect();
    ranked.iter().copied().find(|action| is_safe(state, *action)).or(ranked.first().copied())
}

/// Returns the value of a finished game for a player: the win, or the score of a game with dice.
fn worth(game: &State, player: Seat) -> f64 {
    match game.game().program().dice.is_empty() {
        true => game.returns()[player.0 as usize],
        false => game.score(player).unwrap_or(0) as f64,
    }
}

/// Returns `true` if an action wins at once.
fn wins(state: &State, action: ActionId) -> bool {
    let (mut game, player) = (state.clone(), state.current_player());
    game.apply(action).is_ok() && player.is_some_and(|player| game.returns()[player.0 as usize] > 0.0)
}

/// Returns `true` if no opponent can win at once after an action.
fn is_safe(state: &State, action: ActionId) -> bool {
    let mut game = state.clone();
    if game.apply(action).is_err() || game.current_player() == state.current_player() {
        return true;
    }
    game.legal_actions().into_iter().all(|reply| !wins(&game, reply))
}

/// Returns `true` if an action names a site beside an occupied one.
fn is_near(state: &State, action: ActionId) -> bool {
    let model = state.game().model();
    state.game().action_bindings(action).into_iter().any(|bound| match bound {
        BinderValue::Element(domain, site) => model.boards.iter().any(|board| {
            let Value::Set(empty) = state.value(board.empty, 0) else { return false };
            board.domain == domain && !board.topology.around(Site(site)).is_subset(&empty)
        }),
        BinderValue::Subset(..) => false,
    })
}
