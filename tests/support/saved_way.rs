//! The way of what a program has saved and a person may have changed: snapshots, environments, journals,
//! records and sheets. Whatever the bytes say, it ends without a panic. Property tests and the fuzz targets
//! walk it.
#![allow(dead_code)]

use houserule::draw;
use houserule::engine::explain::explain;
use houserule::engine::journal::{Journal, Over, Played, resume, written};
use houserule::engine::record::{Record, replay};
use houserule::engine::snapshot::{Snapshot, seal};
use houserule::engine::{Game, Player, State};
use houserule::envs::{Env, Options};
use houserule::loader::{Request, load};

/// Games in which everything is that states are made of: dice, zones, copies, positions before, walls.
const GAMES: [&str; 7] =
    ["dilido", "dominoes", "dice-wide-shut", "go", "kalah", "points-small", "tic-tac-toe"];

/// Something to change, made of a game after some decisions.
pub(crate) struct Saved {
    pub(crate) game: Game,
    pub(crate) snapshot: Vec<u8>,
    pub(crate) environment: Vec<u8>,
    pub(crate) journal: Vec<u8>,
    pub(crate) record: Vec<u8>,
    pub(crate) sheet: Vec<u8>,
}

/// One of each game.
pub(crate) fn all() -> Vec<Saved> {
    GAMES.iter().map(|name| saved(name)).collect()
}

fn saved(name: &str) -> Saved {
    let game = load(&Request { name, ..Request::default() }).expect("it comes along").game;
    let mut state = game.start(3, 1).expect("it starts");
    let mut env = Env::new(&game, &Options::default()).expect("they are right for each game");
    env.reset(Some(3));
    let mut rewards = vec![0.0; game.players() as usize];
    for _ in 0..12 {
        let Some(action) = state.random_action() else { break };
        state.apply(action).expect("it is legal");
        let action = env.sample_action();
        let _ = env.step(action, &mut rewards);
    }
    Saved {
        snapshot: state.snapshot().to_bytes(),
        environment: env.save(),
        journal: journal(&game).into_bytes(),
        record: serde_json::to_vec(&Record::of(&state).expect("it has a score")).expect("it is JSON"),
        sheet: state.position().into_bytes(),
        game,
    }
}

/// A game played to its end, with something taken back.
fn journal(game: &Game) -> String {
    use houserule::engine::journal::{Dice, Head, Line, VERSION};
    let head = Head {
        houserule: houserule::engine::record::VERSION,
        journal: VERSION,
        game: game.identity().name.clone(),
        folder: None,
        rules_sha256: game.identity().rules_sha256.clone(),
        params: houserule::engine::values::params_json(game.model()),
        players: game.players(),
        agents: vec!["you".to_owned(); game.players() as usize],
        seed: 3,
        index: 1,
        dice: Dice::Seed,
        match_play: false,
    };
    let mut text = written(&head);
    let Ok(mut played) = Played::begin(game, &head.start(), None, head.dice) else { return text };
    for _ in 0..30 {
        let events = match played.state().clone().random_action() {
            Some(action) => played.act(action),
            None if played.state().is_over() => break,
            None => played.draw_to_decision().map(Option::unwrap_or_default),
        };
        events.into_iter().flatten().for_each(|event| text.push_str(&written(&event)));
    }
    text.push_str(&written(&Line::Undo { undo: 1, rolls: vec![] }));
    if let Ok(over) = Over::of(played.state()) {
        text.push_str(&written(&Line::Over { over }));
    }
    text
}

/// Bytes with some of them changed: each edit says where (two bytes), how many go (one), how many come (one),
/// and which.
pub(crate) fn edited(bytes: &[u8], mut edits: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    while let [low, high, gone, come, rest @ ..] = edits {
        let at = usize::from(u16::from_le_bytes([*low, *high])) % (bytes.len() + 1);
        let (gone, come) =
            (usize::from(*gone % 33).min(bytes.len() - at), usize::from(*come % 33).min(rest.len()));
        bytes.splice(at..at + gone, rest[..come].iter().copied());
        edits = &rest[come..];
    }
    bytes
}

/// All that can be asked of a state, and some moves.
fn look(mut state: State) {
    for _ in 0..6 {
        let _ = (state.score_of_each(), state.outcome(), state.position(), draw::text::state(&state, None));
        for player in (0..state.game().players()).map(Player) {
            let _ = explain(&state, player);
        }
        let went = match state.random_action() {
            Some(action) => state.apply(action).is_ok(),
            None => state.is_chance() && state.apply_outcome(0).is_ok(),
        };
        if !went {
            return;
        }
    }
}

/// Goes on from the bytes of a snapshot, as if they had the right sum; true if they are one.
pub(crate) fn snapshot_way(game: &Game, bytes: &[u8]) -> bool {
    let _ = Snapshot::from_bytes(bytes);
    let Ok(snapshot) = Snapshot::from_bytes(&seal(bytes)) else { return false };
    let Ok(state) = game.restore(&snapshot) else { return false };
    let _ = state.snapshot().to_bytes();
    look(state);
    true
}

/// Goes on from the bytes of an environment, as if they had the right sum; true if they are one.
pub(crate) fn environment_way(game: &Game, bytes: &[u8]) -> bool {
    let Ok(mut env) = Env::new(game, &Options::default()) else { return false };
    let _ = env.go_on_from(bytes);
    if env.go_on_from(&seal(bytes)).is_err() {
        return false;
    }
    let mut rewards = vec![0.0; game.players() as usize];
    for _ in 0..6 {
        let _ = (env.legal_actions(), env.current_player(), env.save());
        let action = env.sample_action();
        if env.step(action, &mut rewards).is_err() {
            break;
        }
    }
    look(env.state());
    true
}

/// Plays a journal again; true if it is one.
pub(crate) fn journal_way(game: &Game, text: &str) -> bool {
    let Ok((journal, whole)) = Journal::read(text) else { return false };
    assert!(whole <= text.len());
    // Head and game go together where a journal is read.
    if journal.head.players != game.players() {
        return true;
    }
    match resume(game, &journal, |_| {}) {
        Ok(resumed) => look(resumed.played.state().clone()),
        Err(error) => drop(error.to_string()),
    }
    true
}

/// Plays a record again, whatever rules it is of; true if it is one.
pub(crate) fn record_way(game: &Game, text: &str) -> bool {
    let Ok(mut record) = Record::read(text) else { return false };
    record.rules_sha256.clone_from(&game.identity().rules_sha256);
    match replay(game, &record) {
        Ok(state) => look(state),
        Err(error) => drop(error.to_string()),
    }
    true
}

/// Reads a sheet; true if it is one.
pub(crate) fn sheet_way(game: &Game, text: &str) -> bool {
    match game.position(text) {
        Ok(state) => {
            look(state);
            true
        }
        Err(errors) => {
            errors.iter().for_each(|error| drop(error.to_string()));
            false
        }
    }
}
