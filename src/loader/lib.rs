//! Loads a game by its name: finds rule files, stacks variants, checks and compiles.
//!
//! A name that ends in `.rules` or contains a slash is a path; any other name is a bundled file. `a + b` stacks
//! variants from left to right, and `dilido + torus` finds `dilido-torus`, too. In a file with several games
//! and variants the last one is loaded, unless `FILE.rules#Title` names another.

// A room uses only rooms in the paragraphs above its own.
pub mod bundled;

mod catalogue;
mod csv;

mod files;
mod finish;
mod scripts;
mod stack;
mod tables;

mod all;
mod base_game;
pub mod folders;
pub mod recorded;

pub use all::{LoadAllError, load_all};
pub use base_game::load_base_game;
pub use catalogue::{CatalogueEntry, catalogue};
pub use files::{OverlayTexts, plain_path};
pub use stack::parts;

use std::fmt;
use std::path::PathBuf;

use self::files::LoadedFiles;
use houserule_check::Names;
use houserule_game::Game;
use houserule_language::diagnostic::{Diagnostic, FileId, SourceMap};
use houserule_language::syntax::RuleFile;
use houserule_language::variants::Setting;
use houserule_language::variants::{Origin, StackPart};

/// What to load.
#[derive(Clone, Copy, Debug, Default)]
pub struct Request<'a> {
    /// The name, such as `dilido`, `dilido + torus` or `mine.rules`.
    pub name: &'a str,
    /// Values for params.
    pub settings: &'a [Setting],
    /// Number of players; `None` for the smallest number that the rules allow.
    pub players: Option<u32>,
}

impl Request<'_> {
    fn origin(&self) -> Origin {
        let parts = stack::parts(self.name);
        Origin { parts, settings: self.settings.to_vec(), players: self.players, ..Origin::default() }
    }
}

/// A loaded game with its warnings and sources.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The game.
    pub game: Game,
    /// Warnings about its rules.
    pub warnings: Vec<Diagnostic>,
    /// The files it was read from.
    pub sources: SourceMap,
    /// The names in its rules.
    pub names: Names,
}

/// Why loading failed.
#[derive(Clone, Debug)]
pub enum LoadError {
    /// The rules have errors.
    Rules {
        /// The errors and warnings.
        diagnostics: Vec<Diagnostic>,
        /// The files they are in.
        sources: SourceMap,
        /// The names that could be resolved.
        names: Names,
    },
    /// The rules are too large to be compiled.
    Compile(String),
    /// The request is invalid: there is no such game, param or number of players.
    Request(Vec<String>),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Rules { diagnostics, sources, .. } => {
                let text = houserule_language::diagnostic::render_all(
                    diagnostics,
                    sources,
                    houserule_language::diagnostic::RenderOptions::default(),
                );
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

/// Loads a game from the origin of another. Texts that the origin contains aren't read again; other parts of
/// the stack are looked up.
pub fn load_origin(origin: &Origin) -> Result<Loaded, LoadError> {
    let (mut files, stack) = LoadedFiles::from_origin(origin);
    files.paths.clear();
    files.finish(stack, origin)
}

/// Returns a file that an origin names and that doesn't exist.
pub fn missing_file(origin: &Origin) -> Option<PathBuf> {
    LoadedFiles::from_origin(origin).0.paths.into_iter().find(|path| !path.exists())
}

/// Loads a game by name and adds every path that was looked up to `paths`, including files that don't exist.
pub fn load_noting(request: &Request<'_>, paths: &mut Vec<PathBuf>) -> Result<Loaded, LoadError> {
    load_over(&request.origin(), &OverlayTexts::default(), paths)
}

/// Loads a game from an origin with texts in place of files, and adds every path that was looked up to `paths`,
/// including files that don't exist.
pub fn load_over(
    origin: &Origin,
    overlay: &OverlayTexts,
    paths: &mut Vec<PathBuf>,
) -> Result<Loaded, LoadError> {
    load_with_tree(origin, overlay, paths).0
}

/// Like [`load_over`]. Also returns the tree of the first file, unless it can't be read.
pub fn load_with_tree(
    origin: &Origin,
    overlay: &OverlayTexts,
    paths: &mut Vec<PathBuf>,
) -> (Result<Loaded, LoadError>, Option<RuleFile>) {
    let (mut files, stack) = LoadedFiles::with_overlay(origin, overlay);
    let loaded = files.finish(stack, origin);
    // Scripts are looked up last.
    paths.append(&mut files.paths);
    let first = files.parsed.into_iter().find(|parsed| parsed.id == FileId(0));
    (loaded, first.map(|parsed| parsed.file))
}

/// Loads a game from a text. An `of` in it names a bundled game or a path relative to the current folder.
pub fn load_text(name: &str, text: &str, request: &Request<'_>) -> Result<Loaded, LoadError> {
    let part = StackPart::Text { name: name.to_owned(), text: text.to_owned() };
    load_origin(&Origin { parts: vec![part], ..request.origin() })
}
