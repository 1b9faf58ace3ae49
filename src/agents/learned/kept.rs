//! Players and plans that were made before, in this process or another.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use etcetera::{BaseStrategy, choose_base_strategy};

use super::plan::Plan;
use super::{About, Audience, Budget, Course, ENDING, LearnError, Learned, PlayerFile, train};
use crate::engine::Game;
use crate::files::write_new;

/// Plans and players that a process keeps at the most.
const MOST: usize = 16;

/// Which players a seed and a budget come to: to be raised by whoever changes that, or old ones are found in caches.
const TRAINING: u32 = 3;

type Kept<T> = OnceLock<Mutex<HashMap<String, Arc<T>>>>;

static PLANS: Kept<Plan> = OnceLock::new();
static PLAYERS: Kept<Learned> = OnceLock::new();

/// What was kept under a key, or what is made now.
fn kept<T, E>(all: &Kept<T>, key: &str, make: impl FnOnce() -> Result<T, E>) -> Result<Arc<T>, E> {
    let lock = || all.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = lock().get(key) {
        return Ok(Arc::clone(known));
    }
    // Not under the lock: it takes a while.
    let made = Arc::new(make()?);
    let mut all = lock();
    if all.len() >= MOST {
        all.clear();
    }
    all.insert(key.to_owned(), Arc::clone(&made));
    Ok(made)
}

/// What tells games apart that are learned apart.
fn key(game: &Game) -> String {
    let About { rules_sha256, params, players, .. } = About::of(game);
    // Games that were made of no text are told apart by all that they are.
    let rules = if rules_sha256.is_empty() { format!("{:p}", game.model()) } else { rules_sha256 };
    format!("{rules} {players} {params:?}")
}

/// The plan of a game.
pub(super) fn plan(game: &Game) -> Arc<Plan> {
    let made: Result<_, std::convert::Infallible> = kept(&PLANS, &key(game), || Ok(Plan::new(game)));
    made.unwrap_or_else(|never| match never {})
}

/// A player that has learned a game in so many games of its own, as many as usual without a number. It is trained if
/// that was not done before; what was trained is kept in a file of the user's cache.
/// The seed is that of the training, at which the audience looks on.
pub(crate) fn learned(
    game: &Game,
    games: Option<u64>,
    seed: u64,
    audience: &mut dyn Audience,
) -> Result<Arc<Learned>, LearnError> {
    let budget = games.map_or(Budget::Usual, Budget::Games);
    kept(&PLAYERS, &format!("{seed} {budget:?} {}", key(game)), || {
        let file = file(game, budget, seed);
        if let Some(known) =
            file.as_ref().and_then(|path| PlayerFile::read(path.to_str()?).ok()?.fit(game).ok())
        {
            return Ok(known);
        }
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let course = Course { budget, seed, threads };
        let player = train(game, &course, audience)?;
        // Without a cache it is trained again the next time.
        if let Some(path) = file
            && let Some(folder) = path.parent()
            && std::fs::create_dir_all(folder).is_ok()
        {
            let _ = write_new(&path, &player.to_bytes());
        }
        Ok(player.as_saved())
    })
}

/// Where a player is kept.
fn file(game: &Game, budget: Budget, seed: u64) -> Option<PathBuf> {
    use sha2::{Digest, Sha256};
    if game.identity().rules_sha256.is_empty() {
        return None;
    }
    let text = format!("{TRAINING} {seed} {budget:?} {} {}", key(game), plan(game).hash());
    let digest = Sha256::digest(text.as_bytes());
    let name: String = digest[..12].iter().map(|byte| format!("{byte:02x}")).collect();
    let folder = choose_base_strategy().ok()?.cache_dir().join("houserule").join("players");
    Some(folder.join(format!("{name}{ENDING}")))
}
