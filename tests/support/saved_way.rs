//! Robustness of saved data that may have been changed: snapshots, environments, journals, records, sheets
//! and players. Reading any bytes must not panic. Used by property tests and the fuzz targets.
#![allow(dead_code)]

use std::sync::{Arc, OnceLock};

use houserule::agents::{Agent, PlayerFile, agent_stream};
use houserule::draw;
use houserule::envs::{Env, EnvOptions};
use houserule::explain::explain;
use houserule::game::snapshot::{Snapshot, seal};
use houserule::game::{Game, Seat, State};
use houserule::learned::{Course, TrainingBudget, train};
use houserule::loader::{Request, load};
use houserule::notation::journal::{GameInProgress, Journal, Over, resume, written};
use houserule::notation::record::{Record, replay};

/// Games that together use every part of a state: dice, zones, copies, past positions, walls.
const GAMES: &[&str] =
    &["dilido", "dominoes", "dice-wide-shut", "go", "kalah", "points-small", "tic-tac-toe"];

/// Games that are learned quickly: for one player, open, and with hidden hands.
const LEARNED: &[&str] = &["pig", "tic-tac-toe", "dominoes"];

/// A kind of saved data and how to read it.
pub(crate) struct Way {
    pub(crate) name: &'static str,
    games: &'static [&'static str],
    save: fn(&Game) -> Vec<u8>,
    /// Reads and uses some bytes. Returns `true` if they are valid.
    pub(crate) walk: fn(&Game, &[u8]) -> bool,
}

/// All kinds. Each has a fuzz target.
pub(crate) const WAYS: &[Way] = &[
    Way { name: "snapshots", games: GAMES, save: snapshot, walk: snapshot_way },
    Way { name: "environments", games: GAMES, save: environment, walk: environment_way },
    Way { name: "journals", games: GAMES, save: journal, walk: journal_way },
    Way { name: "records", games: GAMES, save: record, walk: record_way },
    Way { name: "sheets", games: GAMES, save: sheet, walk: sheet_way },
    Way { name: "players", games: LEARNED, save: player, walk: player_way },
];

/// Returns the kind of this name.
pub(crate) fn way(name: &str) -> &'static Way {
    WAYS.iter().find(|way| way.name == name).expect("it is one of them")
}

/// Saved data of one game after some decisions.
pub(crate) struct Saved {
    pub(crate) game: Game,
    pub(crate) bytes: Vec<u8>,
}

impl Way {
    /// Returns valid saved data of each game.
    pub(crate) fn saved(&self) -> Vec<Saved> {
        let game = |name| load(&Request { name, ..Request::default() }).expect("it comes along").game;
        self.games
            .iter()
            .map(|name| game(name))
            .map(|game| Saved { bytes: (self.save)(&game), game })
            .collect()
    }
}

/// The body of a fuzz target. The first byte selects the game. The other bytes are read as saved data, and as
/// edits of valid saved data.
pub(crate) fn fuzz(name: &str, bytes: &[u8]) {
    static SAVED: OnceLock<Vec<Saved>> = OnceLock::new();
    let way = way(name);
    let saved = SAVED.get_or_init(|| way.saved());
    let Some((first, edits)) = bytes.split_first() else { return };
    let of = &saved[usize::from(*first) % saved.len()];
    (way.walk)(&of.game, edits);
    (way.walk)(&of.game, &edited(&of.bytes, edits));
}

/// Returns a state after some random decisions.
fn later(game: &Game) -> State {
    let mut state = game.start(3, 1).expect("it starts");
    for _ in 0..12 {
        let Some(action) = state.random_action() else { break };
        state.apply(action).expect("it is legal");
    }
    state
}

fn snapshot(game: &Game) -> Vec<u8> {
    later(game).snapshot().to_bytes()
}

fn environment(game: &Game) -> Vec<u8> {
    let mut env = Env::new(game, &EnvOptions::default()).expect("they are right for each game");
    env.reset(Some(3));
    let mut rewards = vec![0.0; game.players() as usize];
    for _ in 0..12 {
        let action = env.sample_action();
        let _ = env.step(action, &mut rewards);
    }
    env.save()
}

fn record(game: &Game) -> Vec<u8> {
    serde_json::to_vec(&Record::from_state(&later(game)).expect("it has a score")).expect("it is JSON")
}

fn sheet(game: &Game) -> Vec<u8> {
    later(game).position().into_bytes()
}

/// Returns a player's file before compression.
fn player(game: &Game) -> Vec<u8> {
    let course = Course { budget: TrainingBudget::Games(30), seed: 1, threads: 1 };
    let player = train(game, &course, &mut ()).expect("there is something to learn");
    PlayerFile::unpacked(&player.to_bytes()).expect("it was packed")
}

/// Returns the journal of a finished game with an undo.
fn journal(game: &Game) -> Vec<u8> {
    use houserule::notation::journal::{DiceSource, JournalHeader, JournalLine, VERSION};
    let head = JournalHeader {
        houserule: houserule::notation::record::VERSION,
        journal: VERSION,
        game: game.identity().name.clone(),
        folder: None,
        rules_sha256: game.identity().rules_sha256.clone(),
        params: houserule::game::values::params_json(game.model()),
        players: game.players(),
        agents: vec!["you".to_owned(); game.players() as usize],
        seed: 3,
        index: 1,
        dice: DiceSource::Seed,
        match_play: false,
    };
    let mut text = written(&head);
    let Ok(mut played) = GameInProgress::begin(game, &head.start(), None, head.dice) else {
        return text.into_bytes();
    };
    for _ in 0..30 {
        let events = match played.state().clone().random_action() {
            Some(action) => played.act(action),
            None if played.state().is_over() => break,
            None => played.draw_to_decision().map(Option::unwrap_or_default),
        };
        events.into_iter().flatten().for_each(|event| text.push_str(&written(&event)));
    }
    text.push_str(&written(&JournalLine::Undo { undo: 1, rolls: vec![] }));
    if let Ok(over) = Over::from_state(played.state()) {
        text.push_str(&written(&JournalLine::Over { over }));
    }
    text.into_bytes()
}

/// Returns `bytes` with edits. Each edit states its place (two bytes), the number of removed bytes (one), the
/// number of inserted bytes (one), and the inserted bytes.
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

/// Queries everything of a state, and makes some moves.
fn look(mut state: State) {
    for _ in 0..6 {
        let _ = (state.score_of_each(), state.outcome(), state.position(), draw::text::state(&state, None));
        for player in (0..state.game().players()).map(Seat) {
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

/// Continues from the bytes of a snapshot with a corrected checksum. Returns `true` if they are valid.
fn snapshot_way(game: &Game, bytes: &[u8]) -> bool {
    let _ = Snapshot::from_bytes(bytes);
    let Ok(snapshot) = Snapshot::from_bytes(&seal(bytes)) else { return false };
    let Ok(state) = game.restore(&snapshot) else { return false };
    let _ = state.snapshot().to_bytes();
    look(state);
    true
}

/// Continues from the bytes of an environment with a corrected checksum. Returns `true` if they are valid.
fn environment_way(game: &Game, bytes: &[u8]) -> bool {
    let Ok(mut env) = Env::new(game, &EnvOptions::default()) else { return false };
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

/// Replays a journal. Returns `true` if it is valid.
fn journal_way(game: &Game, bytes: &[u8]) -> bool {
    let text = &*String::from_utf8_lossy(bytes);
    let Ok((journal, whole)) = Journal::read(text) else { return false };
    assert!(whole <= text.len());
    // Readers of journals take the game from the head, so both always agree.
    if journal.head.players != game.players() {
        return true;
    }
    match resume(game, &journal, |_| {}) {
        Ok(resumed) => look(resumed.played.state().clone()),
        Err(error) => drop(error.to_string()),
    }
    true
}

/// Replays a record, regardless of its rules. Returns `true` if it is valid.
fn record_way(game: &Game, bytes: &[u8]) -> bool {
    let text = &*String::from_utf8_lossy(bytes);
    let Ok(mut record) = Record::read(text) else { return false };
    record.rules_sha256.clone_from(&game.identity().rules_sha256);
    match replay(game, &record) {
        Ok(state) => look(state),
        Err(error) => drop(error.to_string()),
    }
    true
}

/// Reads a sheet. Returns `true` if it is valid.
fn sheet_way(game: &Game, bytes: &[u8]) -> bool {
    let text = &*String::from_utf8_lossy(bytes);
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

/// Compresses an edited player's file and lets the player play. Returns `true` if the file is valid.
fn player_way(game: &Game, bytes: &[u8]) -> bool {
    let _ = PlayerFile::from_bytes("", bytes);
    let Ok(file) = PlayerFile::from_bytes("", &PlayerFile::packed(bytes)) else { return false };
    let _ = file.warning(game);
    let Ok(player) = file.fit(game) else { return false };
    let mut agent = Arc::new(player).agent(game, "");
    let mut state = game.start(3, 1).expect("it starts");
    for _ in 0..3 {
        let Some(seat) = state.current_player() else { break };
        let mut stream = agent_stream(3, 1, seat);
        let Ok(Some(action)) = agent.choose(&mut state.seen_by(seat), &mut stream) else { break };
        state.apply(action).expect("agents choose legal actions");
    }
    true
}
