//! Rule files from outside, of which none may change: each is checked and played as it was when it came.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::extent;
use crate::text_snapshots::difference;
use houserule::game::Game;
use houserule::game::random_games::{Finished, UsageCounts, play_random};
use houserule::loader::{Request, load};
use houserule::model::Seat;
use houserule::notation::record::{Record, replay};
use sha2::{Digest, Sha256};

const FOLDER: &str = "tests/outside";

/// Number of games, and of those that are recorded.
const GAMES: u64 = 200;
const RECORDS: u64 = 3;

const SEED: u64 = 1;

/// A game that takes half a second: each turn tries all parts of the hand. `./test` plays four.
const SLOW: &str = "palace-natural";

/// Returns what came of the games: a line for the text of the file, and one for each game.
fn games(text: &str, game: &Game, games: u64) -> String {
    let hash: String = Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect();
    let mut lines = format!("text {hash}\n");
    let line = |game: Finished<'_>| {
        let scores: Vec<String> =
            (0..game.game.players()).map(|seat| game.score(Seat(seat)).to_string()).collect();
        let (decisions, winners) = (game.counters.decisions, game.winners);
        format!(
            "{} decisions {decisions} end {} winners {winners:b} scores {}\n",
            game.index,
            game.end,
            scores.join(" ")
        )
    };
    let (mut finished, mut aborted) = (String::new(), String::new());
    play_random(
        game,
        SEED,
        0..games,
        &mut UsageCounts::default(),
        &mut |game| finished += &line(game),
        &mut |index, error| writeln!(aborted, "{index} aborted {error}").expect("a text"),
    );
    lines += &finished;
    lines += &aborted;
    lines
}

/// Returns the records of the first games, a line each.
fn records(game: &Game) -> String {
    let record = |index| {
        let mut state = game.start(SEED, index).expect("a game starts");
        while let Some(action) = state.random_action() {
            state.apply(action).expect("a legal action");
        }
        let mut record = Record::from_state(&state).expect("scores");
        // The path is that of one machine.
        record.game = record.game.replace(env!("CARGO_MANIFEST_DIR"), "").trim_start_matches('/').to_owned();
        serde_json::to_string(&record).expect("JSON") + "\n"
    };
    (0..RECORDS).map(record).collect()
}

/// Returns the text of a file of the folder. Where there is none, it is written if snapshots are updated.
fn frozen(name: &str, make: impl FnOnce() -> String) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER).join(name);
    if !path.exists() && std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        fs::write(&path, make()).expect("the file is written");
    }
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{FOLDER}/{name}: {error}"))
}

/// Returns what differs from the day when a file came.
fn differences(file: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER).join(format!("{file}.rules"));
    let text = fs::read_to_string(&path).expect("a text");
    let request = Request { name: path.to_str().expect("a path"), ..Request::default() };
    let game = match load(&request) {
        Ok(loaded) => loaded.game,
        Err(error) => return Some(format!("{file}: {error}")),
    };
    let count = if file == SLOW { extent::tries(4, GAMES) } else { GAMES };
    let now = games(&text, &game, count);
    let then = frozen(&format!("{file}.games"), || games(&text, &game, GAMES));
    let then: String = then.split_inclusive('\n').take(1 + count as usize).collect();
    if now != then {
        return Some(format!("{file}.games{}", difference(&then, &now)));
    }
    for line in frozen(&format!("{file}.records"), || records(&game)).lines() {
        let mut record = Record::read(line).unwrap_or_else(|error| panic!("{file}: {error}"));
        // The rules of a variant change with those of its base.
        if text.contains("\nvariant ") {
            record.rules_sha256.clone_from(&game.identity().rules_sha256);
        }
        match replay(&game, &record) {
            Err(error) => return Some(format!("{file}.records: {error}")),
            Ok(state)
                if Record::from_state(&state)
                    .is_ok_and(|now| now.outcome == record.outcome && now.score == record.score) => {}
            Ok(_) => return Some(format!("{file}.records: the game ends otherwise")),
        }
    }
    None
}

#[test]
fn files_from_outside_are_played_as_when_they_came() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER);
    let mut files: Vec<String> = fs::read_dir(folder)
        .expect("the folder")
        .map(|entry| entry.expect("a file").file_name().into_string().expect("a name"))
        .filter_map(|name| name.strip_suffix(".rules").map(str::to_owned))
        .collect();
    files.sort();
    assert!(files.len() >= 16, "{files:?}");
    // Each half has a processor of its own; the slow file is alone in the second.
    let (slow, fast): (Vec<&String>, Vec<&String>) = files.iter().partition(|file| *file == SLOW);
    let differ: Vec<String> = std::thread::scope(|scope| {
        let slow = scope.spawn(|| slow.iter().filter_map(|file| differences(file)).collect::<Vec<_>>());
        let mut differ: Vec<String> = fast.iter().filter_map(|file| differences(file)).collect();
        differ.extend(slow.join().expect("the slow file is played"));
        differ
    });
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}
