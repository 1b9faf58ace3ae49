//! Rule files from outside, of which none may change: each is checked and played as it was when it came.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::text_snapshots::difference;
use houserule::bundled;
use houserule::game::Game;
use houserule::game::random_games::{Finished, UsageCounts, play_random};
use houserule::loader::load_origin;
use houserule::model::Seat;
use houserule::notation::record::{Record, replay};
use houserule::variants::origin::{Origin, RuleText, StackPart, TextSource};
use sha2::{Digest, Sha256};

const FOLDER: &str = "tests/outside";

/// Number of games of each file, and of those that are recorded. All are played in every run: together they take
/// ten seconds of one processor. The longest, 770,000 decisions of `palace-natural`, take less than one.
const GAMES: u64 = 200;
const RECORDS: u64 = 3;

const SEED: u64 = 1;

/// Returns what came of the games: a line for the text of the file, and one for each game.
fn games(text: &str, game: &Game) -> String {
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
        0..GAMES,
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

/// Loads a file of the folder. `texts` stand in for bundled rules.
fn load_file(path: &Path, texts: Vec<RuleText>) -> Result<Game, String> {
    let parts = vec![StackPart::Named(path.to_str().expect("a path").to_owned())];
    let origin = Origin { parts, files: texts, ..Origin::default() };
    load_origin(&origin).map(|loaded| loaded.game).map_err(|error| error.to_string())
}

/// Returns the bundled rules that a variant changes, as they were when it came. A game has none.
fn read_base(file: &str, game: &Game) -> Vec<RuleText> {
    let read = |name: &String| {
        let now = || bundled::find(name).expect("bundled rules").text.to_owned();
        let text = frozen(&format!("{file}.{name}"), now);
        RuleText { place: TextSource::Bundled(name.clone()), name: name.clone(), text }
    };
    let names = &game.sheet().names;
    names[..names.len() - 1].iter().map(read).collect()
}

/// Compares the games and records of a file with those of the day when it came. An error says what differs. The hash of
/// the rules is compared too, unless `hash` replaces that of the records.
fn compare(file: &str, text: &str, game: &Game, hash: Option<&str>) -> Result<(), String> {
    let now = games(text, game);
    let then = frozen(&format!("{file}.games"), || now.clone());
    if now != then {
        return Err(format!("{file}.games{}", difference(&then, &now)));
    }
    for line in frozen(&format!("{file}.records"), || records(game)).lines() {
        let mut record = Record::read(line).unwrap_or_else(|error| panic!("{file}: {error}"));
        if let Some(hash) = hash {
            hash.clone_into(&mut record.rules_sha256);
        }
        match replay(game, &record) {
            Err(error) => return Err(format!("{file}.records: {error}")),
            Ok(state)
                if Record::from_state(&state)
                    .is_ok_and(|now| now.outcome == record.outcome && now.score == record.score) => {}
            Ok(_) => return Err(format!("{file}.records: the game ends otherwise")),
        }
    }
    Ok(())
}

/// Checks and plays a file. An error says what differs from the day when it came.
fn check(file: &str) -> Result<(), String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER).join(format!("{file}.rules"));
    let text = fs::read_to_string(&path).expect("a text");
    let today = load_file(&path, vec![]).map_err(|error| format!("{file}: {error}"))?;
    let base = read_base(file, &today);
    if base.is_empty() {
        return compare(file, &text, &today, None);
    }
    // The hash of a variant's rules is also that of its base: it is the same only with the base as it was.
    let then = load_file(&path, base).map_err(|error| format!("{file}, with its base as it was: {error}"))?;
    compare(file, &text, &then, None)?;
    let hash = &today.identity().rules_sha256;
    compare(file, &text, &today, Some(hash)).map_err(|error| format!("with today's base: {error}"))
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
    // Each thread takes the next file that none has taken.
    let next = AtomicUsize::new(0);
    let check_some = || {
        let mut differ = vec![];
        while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            differ.extend(check(file).err());
        }
        differ
    };
    let differ: Vec<String> = std::thread::scope(|scope| {
        let other = scope.spawn(check_some);
        let mut differ = check_some();
        differ.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        differ
    });
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}
