//! Caches of feature plans and trained agents, in memory and in the user's cache directory.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use etcetera::{BaseStrategy, choose_base_strategy};
use sha2::{Digest, Sha256};

use super::plan::FeaturePlan;
use super::{About, Course, LearnError, Learned, PlayerFile, TrainingBudget, TrainingObserver, train};
use houserule_base::files::{FileKind, PLAYER_ENDING, read_bytes, replace};
use houserule_base::parts::{PLAYER, Parts};
use houserule_game::Game;

/// Number of entries of each cache in memory beyond which entries that nothing else holds are dropped.
const MOST: usize = 16;

/// Versions of the training of some games and of the usual one, part of the cache key. Raise one whenever the same seed and
/// budget give other weights.
const TRAINING_OF_GAMES: u32 = 6;
const USUAL_TRAINING: u32 = 5;

type SharedCache<T> = OnceLock<Mutex<HashMap<String, Arc<T>>>>;

static PLANS: SharedCache<FeaturePlan> = OnceLock::new();
static PLAYERS: SharedCache<Learned> = OnceLock::new();

/// Returns the cached value of `key`, making it if necessary.
fn get_or_make<T, E>(
    all: &SharedCache<T>,
    key: &str,
    make: impl FnOnce() -> Result<T, E>,
) -> Result<Arc<T>, E> {
    let lock = || all.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = lock().get(key) {
        return Ok(Arc::clone(known));
    }
    // Making takes a while, so the lock is released.
    let made = Arc::new(make()?);
    let mut all = lock();
    if all.len() >= MOST {
        all.retain(|_, kept| Arc::strong_count(kept) > 1);
    }
    all.insert(key.to_owned(), Arc::clone(&made));
    Ok(made)
}

/// Writes bytes as hexadecimal digits.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The cache key of a game: its rules, number of players and params.
pub fn key(game: &Game) -> String {
    let About { rules_sha256, params, players, .. } = About::new(game);
    // A game without rule text is identified by its model.
    let rules = match rules_sha256.is_empty() {
        true => hex(&Sha256::digest(format!("{:?}", game.model()))),
        false => rules_sha256,
    };
    format!("{rules} {players} {params:?}")
}

/// Returns the plan of a game.
pub(super) fn plan(game: &Game) -> Arc<FeaturePlan> {
    let made: Result<_, std::convert::Infallible> =
        get_or_make(&PLANS, &key(game), || Ok(FeaturePlan::new(game)));
    made.unwrap_or_else(|never| match never {})
}

/// Returns an agent trained in `games` self-play games, or the default number. It is trained if no cache has it,
/// and then written to the user's cache directory. `seed` is the seed of the training; `audience` follows it.
pub fn learned(
    game: &Game,
    games: Option<u64>,
    seed: u64,
    audience: &mut dyn TrainingObserver,
) -> Result<Arc<Learned>, LearnError> {
    let budget = games.map_or(TrainingBudget::Usual, TrainingBudget::Games);
    get_or_make(&PLAYERS, &format!("{seed} {budget:?} {}", key(game)), || {
        Ok(stored(game, budget, seed, audience)?.player)
    })
}

/// Returns `true` if [`learned`] has the agent of the first training without training it.
pub fn is_trained(game: &Game, games: Option<u64>) -> bool {
    const FIRST: u64 = 1;
    let budget = games.map_or(TrainingBudget::Usual, TrainingBudget::Games);
    let name = format!("{FIRST} {budget:?} {}", key(game));
    let held = PLAYERS.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    held.contains_key(&name) || file(game, budget, FIRST).is_some_and(|file| file.exists())
}

/// The name of a part of some work that trains a player, and the player unless another process trains it.
pub type TrainedPart = (String, Option<Arc<Learned>>);

/// Like [`learned`], as a part of some work. Returns the part's name, and the agent unless another process trains it.
pub fn learned_in_parts(
    game: &Game,
    games: Option<u64>,
    seed: u64,
    audience: &mut dyn TrainingObserver,
    parts: &Parts,
) -> Result<TrainedPart, LearnError> {
    let budget = games.map_or(TrainingBudget::Usual, TrainingBudget::Games);
    let name = format!("{seed} {budget:?} {}", key(game));
    let part = format!("{PLAYER}{name}");
    let load = |bytes: &[u8]| StoredPlayer::from_bytes(bytes.to_vec(), game);
    let make = || stored(game, budget, seed, audience);
    let player = parts.saved_part(&part, &[], make, |stored| Some(stored.bytes.clone()), load)?;
    let keep = |stored: StoredPlayer| get_or_make(&PLAYERS, &name, || Ok::<_, LearnError>(stored.player));
    Ok((part, player.map(keep).transpose()?))
}

/// A trained agent as it is read back from its file, and the contents of the file.
struct StoredPlayer {
    player: Learned,
    bytes: Vec<u8>,
}

impl StoredPlayer {
    fn from_bytes(bytes: Vec<u8>, game: &Game) -> Option<StoredPlayer> {
        let player = PlayerFile::from_bytes("", &bytes).ok()?.fit(game).ok()?;
        Some(StoredPlayer { player, bytes })
    }
}

/// Reads an agent from the user's cache directory, or trains it and writes it there.
fn stored(
    game: &Game,
    budget: TrainingBudget,
    seed: u64,
    audience: &mut dyn TrainingObserver,
) -> Result<StoredPlayer, LearnError> {
    let file = file(game, budget, seed);
    let read = |path: &PathBuf| StoredPlayer::from_bytes(read_bytes(path, FileKind::Player).ok()?, game);
    if let Some(known) = file.as_ref().and_then(read) {
        return Ok(known);
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let course = Course { budget, seed, threads };
    let mut player = train(game, &course, audience)?;
    // The same training gives the same bytes, however long it took.
    player.about.seconds = 0.0;
    let bytes = player.to_bytes();
    // Without a cache directory the agent is trained again next time.
    if let Some(path) = file
        && let Some(folder) = path.parent()
        && std::fs::create_dir_all(folder).is_ok()
    {
        // A damaged file, or one of another version, is replaced.
        let _ = replace(&path, &bytes);
    }
    Ok(StoredPlayer { player: player.as_saved(), bytes })
}

/// The path of the cached player file, or `None` if the agent isn't cached on disk.
fn file(game: &Game, budget: TrainingBudget, seed: u64) -> Option<PathBuf> {
    if game.identity().rules_sha256.is_empty() {
        return None;
    }
    let version = match budget {
        TrainingBudget::Games(_) => TRAINING_OF_GAMES,
        TrainingBudget::Usual | TrainingBudget::Seconds(_) => USUAL_TRAINING,
    };
    let text = format!("{version} {seed} {budget:?} {} {}", key(game), plan(game).hash());
    let name = hex(&Sha256::digest(text.as_bytes())[..12]);
    let folder = choose_base_strategy().ok()?.cache_dir().join("houserule").join("players");
    Some(folder.join(format!("{name}{PLAYER_ENDING}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_game::Identity;
    use houserule_loader::{Request, load};

    #[test]
    fn a_game_without_text_has_the_key_of_its_rules() {
        let without_text = |name| {
            let game = load(&Request { name, ..Request::default() }).unwrap().game;
            Game::new(game.model().clone(), Identity::default()).unwrap()
        };
        let (pig, other, kalah) = (without_text("pig"), without_text("pig"), without_text("kalah"));
        assert_eq!(key(&pig), key(&other), "the same rules at two addresses");
        assert_ne!(key(&pig), key(&kalah));
    }
}
