//! Many games at once: each stack is read and merged once, and the games are checked and compiled over threads.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use super::LoadError;
use super::files::LoadedFiles;
use houserule_base::pool::Pool;
use houserule_game::Game;
use houserule_language::variants::Origin;

/// Games of one stack that a thread loads at a time.
const TOGETHER: usize = 16;

/// Why one of several games couldn't be loaded.
#[derive(Clone, Debug)]
pub struct LoadAllError {
    /// Its index.
    pub index: usize,
    /// The reason.
    pub error: LoadError,
}

impl fmt::Display for LoadAllError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.error)
    }
}

impl std::error::Error for LoadAllError {}

/// Loads a game for each origin, over `threads` threads. Equal origins share one game, and games of one stack share its
/// tree. On errors, returns that of the first origin that has one.
pub fn load_all(origins: &[Origin], threads: usize) -> Result<Vec<Game>, LoadAllError> {
    // Indices into `origins`: by stack, then by settings, each of them once.
    let mut stacks: Vec<Vec<usize>> = vec![];
    let mut known: Vec<HashMap<String, usize>> = vec![];
    let mut first_equal: Vec<usize> = vec![];
    for (index, origin) in origins.iter().enumerate() {
        let of_stack = |stack: &Vec<usize>| {
            let other = &origins[stack[0]];
            other.parts == origin.parts && other.files == origin.files
        };
        // The last stack is the most likely one.
        let at = stacks.iter().rposition(of_stack).unwrap_or_else(|| {
            stacks.push(vec![]);
            known.push(HashMap::new());
            stacks.len() - 1
        });
        let key = format!("{:?} {:?}", origin.settings, origin.players);
        let first = *known[at].entry(key).or_insert(index);
        first_equal.push(first);
        if first == index {
            stacks[at].push(index);
        }
    }
    let tasks: Vec<&[usize]> = stacks.iter().flat_map(|stack| stack.chunks(TOGETHER)).collect();
    let loaded: Vec<Mutex<Option<Result<Game, LoadError>>>> =
        origins.iter().map(|_| Mutex::new(None)).collect();
    let put = |index: usize, game: Result<Game, LoadError>| {
        *loaded[index].lock().unwrap_or_else(PoisonError::into_inner) = Some(game);
    };
    Pool::new(threads).run(tasks.len(), &|task| {
        let indices = tasks[task];
        let first = &origins[indices[0]];
        let (mut files, stack) = LoadedFiles::from_origin(first);
        files.paths.clear();
        let merged = match stack {
            Ok(stack) if !files.broken() => files.merge_all(stack),
            // This reports all that is wrong.
            stack => {
                let wrong = files.finish(stack, first).map(|loaded| loaded.game);
                return indices.iter().for_each(|index| put(*index, wrong.clone()));
            }
        };
        let merged = match merged {
            Ok(merged) => merged,
            Err(wrong) => return indices.iter().for_each(|index| put(*index, Err(wrong.clone()))),
        };
        for index in indices {
            // Loading a game moves these out.
            let (diagnostics, sources) = (files.diagnostics.clone(), files.sources.clone());
            let scripts = files.scripts.len();
            put(*index, files.load(&merged, &origins[*index]).map(|loaded| loaded.game));
            (files.diagnostics, files.sources) = (diagnostics, sources);
            files.scripts.truncate(scripts);
        }
    });
    let mut games: Vec<Game> = Vec::with_capacity(origins.len());
    for (index, known) in first_equal.into_iter().enumerate() {
        if known < index {
            games.push(games[known].clone());
            continue;
        }
        match loaded[index].lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(Ok(game)) => games.push(game),
            Some(Err(error)) => return Err(LoadAllError { index, error }),
            None => unreachable!("a task loads each of them"),
        }
    }
    Ok(games)
}
