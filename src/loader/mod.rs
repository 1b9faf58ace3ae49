//! From a name to a game: finds rule files, stacks variants, checks and compiles.
//!
//! A name is a path if it ends in `.rules` or has a slash, else a bundled file; nothing shadows.
//! `a + b` stacks variants from left to right, where `dilido + torus` finds `dilido-torus` too. Of a
//! file with several games and variants the last one is meant, unless `FILE.rules#Title` names one.
//! Besides the command, only this module touches files.

mod catalogue;
mod files;
mod finish;
mod scripts;
mod stack;

pub use catalogue::{Entry, catalogue};
pub use stack::parts;

use std::fmt;
use std::path::PathBuf;

use self::files::Files;
use crate::diagnostic::{Diagnostic, SourceMap};
use crate::engine::Game;
use crate::lang::check::Setting;
use crate::lang::origin::{Origin, Part};

/// What to load.
#[derive(Clone, Copy, Debug, Default)]
pub struct Request<'a> {
    /// `dilido`, `dilido + torus`, `mine.rules`.
    pub name: &'a str,
    /// Params with their values.
    pub settings: &'a [Setting],
    /// How many play; without it, the fewest that the rules allow.
    pub players: Option<u32>,
}

impl Request<'_> {
    fn origin(&self) -> Origin {
        let parts = stack::parts(self.name);
        Origin { parts, settings: self.settings.to_vec(), players: self.players, ..Origin::default() }
    }
}

/// A game with what it was made of.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The game.
    pub game: Game,
    /// What looks wrong with its rules.
    pub warnings: Vec<Diagnostic>,
    /// The files it was read from.
    pub sources: SourceMap,
}

/// Why there is no game.
#[derive(Clone, Debug)]
pub enum LoadError {
    /// The rules are at fault.
    Rules {
        /// What is wrong.
        diagnostics: Vec<Diagnostic>,
        /// The files.
        sources: SourceMap,
    },
    /// The rules are too large to be compiled.
    Compile(String),
    /// Whoever asked is at fault: there is no such game, setting or number of players.
    Request(Vec<String>),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Rules { diagnostics, sources } => {
                let text =
                    crate::diagnostic::render_all(diagnostics, sources, crate::diagnostic::Style::default());
                f.write_str(text.trim_end())
            }
            LoadError::Compile(message) => f.write_str(message),
            LoadError::Request(messages) => f.write_str(&messages.join("\n")),
        }
    }
}

impl std::error::Error for LoadError {}

/// Loads a game by name.
pub fn load(request: &Request<'_>) -> Result<Loaded, LoadError> {
    load_origin(&request.origin())
}

/// Makes a game of what another was made of: its texts are not looked for again. What is not among
/// them, the parts of a new stack say, is.
pub fn load_origin(origin: &Origin) -> Result<Loaded, LoadError> {
    let (mut files, stack) = Files::of(origin);
    files.paths.clear();
    files.finish(stack, origin)
}

/// The file that an origin names and that is not there.
pub fn missing_file(origin: &Origin) -> Option<PathBuf> {
    Files::of(origin).0.paths.into_iter().find(|path| !path.exists())
}

/// Loads a game by name, and notes every path that was looked for, also of a file that is not there.
pub fn load_noting(request: &Request<'_>, paths: &mut Vec<PathBuf>) -> Result<Loaded, LoadError> {
    let origin = request.origin();
    let (mut files, stack) = Files::of(&origin);
    let loaded = files.finish(stack, &origin);
    // Scripts are looked for last.
    paths.append(&mut files.paths);
    loaded
}

/// Loads a game from a text; an `of` in it names a bundled game, or a path from the current folder.
pub fn load_text(name: &str, text: &str, request: &Request<'_>) -> Result<Loaded, LoadError> {
    let part = Part::Text { name: name.to_owned(), text: text.to_owned() };
    load_origin(&Origin { parts: vec![part], ..request.origin() })
}
