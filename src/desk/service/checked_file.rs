//! One file, loaded with everything that it stands on.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::TextPlace;
use super::workspace::is_bundled;
use houserule_check::Names;
use houserule_game::Game;
use houserule_language::diagnostic::{Diagnostic, FileId, SourceMap, Span};
use houserule_language::syntax::{Item, RuleFile, parse};
use houserule_language::variants::{Origin, StackPart};
use houserule_loader::{LoadError, OverlayTexts, load_with_tree, plain_path};

/// A game or variant of a file, checked.
#[derive(Debug)]
pub(super) struct CheckedItem {
    /// Its names, as far as they could be resolved.
    pub(super) names: Names,
    /// The names of the files, by their ids.
    files: Vec<String>,
    pub(super) sources: SourceMap,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Errors without a place.
    pub(super) faults: Vec<String>,
    /// The game, if there are no errors.
    pub(super) game: Option<Game>,
    /// No other item of the file is a variant of it.
    pub(super) top: bool,
}

impl CheckedItem {
    /// The place of a span.
    pub(super) fn place(&self, span: Span) -> TextPlace {
        let file = self.files.get(span.file.0 as usize).cloned().unwrap_or_default();
        TextPlace { file, start: span.start as usize, end: span.end as usize }
    }

    /// The span of a place, if its file was read.
    pub(super) fn span(&self, place: &TextPlace) -> Option<Span> {
        Some(Span::new(self.file(&place.file)?, place.start, place.end))
    }

    /// The id of a file, if it was read.
    pub(super) fn file(&self, file: &str) -> Option<FileId> {
        self.files.iter().position(|one| one == file).map(|at| FileId(at as u32))
    }
}

/// A file, checked.
#[derive(Debug)]
pub(super) struct CheckedFile {
    pub(super) name: String,
    pub(super) tree: Arc<RuleFile>,
    /// Its games and variants. Without any there is one entry, which has the errors.
    pub(super) items: Vec<CheckedItem>,
    /// All files that were read or looked for.
    pub(super) files: BTreeSet<String>,
}

/// The name of a file for the service: the path without detours, or the name of a bundled file.
fn file_name(name: &str) -> String {
    if is_bundled(name) { name.to_owned() } else { plain_path(Path::new(name)).display().to_string() }
}

/// Loads every item of a rule file.
pub(super) fn check_file(file: &str, text: &str, overlay: &OverlayTexts) -> CheckedFile {
    let mut files = BTreeSet::from([file.to_owned()]);
    // The last item is what the file's name alone names.
    let (last, tree) = check_item(file, None, text, overlay, true, &mut files);
    let tree = tree.unwrap_or_else(|| parse(FileId(0), text).0);
    let title = |item: &Item| match item {
        Item::Game(game) => game.title.text.clone(),
        Item::Variant(variant) => variant.title.text.clone(),
    };
    let titles: Vec<String> = tree.items.iter().map(title).collect();
    let of = |item: &Item| match item {
        Item::Game(_) => None,
        Item::Variant(variant) => Some(variant.of.text.rsplit('#').next().unwrap_or("").trim().to_owned()),
    };
    let bases: BTreeSet<String> = tree.items.iter().filter_map(of).collect();
    let mut items = vec![last];
    for (at, title) in titles.iter().enumerate().take(titles.len().saturating_sub(1)) {
        if !titles[at + 1..].contains(title) {
            let top = !bases.contains(title);
            items.push(check_item(file, Some(title), text, overlay, top, &mut files).0);
        }
    }
    CheckedFile { name: file.to_owned(), tree: Arc::new(tree), items, files }
}

/// Loads an item of a file. Also returns the tree of the file, unless it can't be read.
fn check_item(
    file: &str,
    title: Option<&str>,
    text: &str,
    overlay: &OverlayTexts,
    top: bool,
    files: &mut BTreeSet<String>,
) -> (CheckedItem, Option<RuleFile>) {
    let is_path = is_bundled(file) || file.contains(['/', '\\']) || file.ends_with(".rules");
    let part = match title {
        Some(title) if is_path => StackPart::Named(format!("{file}#{title}")),
        None if is_path => StackPart::Named(file.to_owned()),
        // A text that was never saved has no path.
        _ => StackPart::Text { name: file.to_owned(), text: text.to_owned() },
    };
    let origin = Origin { parts: vec![part], ..Origin::default() };
    let mut paths: Vec<PathBuf> = vec![];
    let mut game = None;
    let (loaded, tree) = load_with_tree(&origin, overlay, &mut paths);
    let (diagnostics, sources, names, faults) = match loaded {
        Ok(loaded) => {
            game = Some(loaded.game);
            (loaded.warnings, loaded.sources, loaded.names, vec![])
        }
        Err(LoadError::Rules { diagnostics, sources, names }) => (diagnostics, sources, names, vec![]),
        Err(LoadError::Compile(message)) => (vec![], SourceMap::default(), Names::default(), vec![message]),
        Err(LoadError::Request(messages)) => (vec![], SourceMap::default(), Names::default(), messages),
    };
    let read: Vec<String> = sources.iter().map(|(_, source)| file_name(&source.name)).collect();
    files.extend(read.iter().cloned());
    files.extend(paths.iter().map(|path| plain_path(path).display().to_string()));
    (CheckedItem { names, files: read, sources, diagnostics, faults, game, top }, tree)
}

/// A checked file that several questions share.
pub(super) type SharedFile = Arc<CheckedFile>;
