//! Rule files and script files, each read and parsed once.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::catalogue::{misnamed, unknown_game};
use super::tables::is_table;
use crate::bundled;
use houserule_base::files::{FileKind, SCRIPT_ENDING, read_text};
use houserule_check::Names;
use houserule_language::diagnostic::{Diagnostic, FileId, Severity, SourceMap, without_lone_cr};
use houserule_language::syntax;
use houserule_language::syntax::{Item, parse};
use houserule_language::variants::origin;

/// Where a file comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FileSource {
    Bundled(&'static str),
    Path(PathBuf),
    Text,
}

#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) place: FileSource,
    /// Other paths to the same file.
    pub(super) also: Vec<PathBuf>,
    pub(super) id: FileId,
    pub(super) file: syntax::RuleFile,
}

/// Texts that stand in for files, such as those that an editor has not saved, by their paths as [`plain_path`] writes
/// them.
pub type OverlayTexts = Arc<HashMap<PathBuf, Arc<str>>>;

/// Removes `.`, and `..` with the folder before it, from a path. Doesn't look at the disk.
pub fn plain_path(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        let parent = matches!(plain.components().next_back(), Some(Component::Normal(_)));
        match part {
            Component::CurDir => {}
            Component::ParentDir if parent => drop(plain.pop()),
            Component::ParentDir if plain.has_root() => {}
            part => plain.push(part),
        }
    }
    plain
}

/// An item (game or variant) of a file, as indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ItemAt {
    pub(super) file: usize,
    pub(super) item: usize,
}

/// A script file, read once.
#[derive(Debug)]
pub(super) struct ScriptFile {
    pub(super) place: FileSource,
    pub(super) id: FileId,
}

/// A table beside rules.
#[derive(Debug)]
pub(super) struct TableFile {
    pub(super) place: FileSource,
    pub(super) name: String,
    pub(super) text: String,
    /// Its place among the sources, once something names it.
    pub(super) id: Option<FileId>,
    /// The items whose domains it holds: the file and the item.
    pub(super) used_by: Vec<(usize, usize)>,
}

/// The files that have been read, with the errors and warnings in them.
#[derive(Default)]
pub(super) struct LoadedFiles {
    pub(super) sources: SourceMap,
    pub(super) parsed: Vec<Parsed>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The script files.
    pub(super) scripts: Vec<ScriptFile>,
    /// The tables.
    pub(super) tables: Vec<TableFile>,
    /// The paths that were looked up.
    pub(super) paths: Vec<PathBuf>,
    /// The names of the rules, once they are checked.
    pub(super) names: Names,
    /// Texts that are used instead of files.
    pub(super) overlay: OverlayTexts,
}

impl LoadedFiles {
    pub(super) fn item(&self, at: ItemAt) -> &Item {
        &self.parsed[at.file].file.items[at.item]
    }

    pub(super) fn add(&mut self, place: FileSource, name: &str, text: &str) -> usize {
        let text = without_lone_cr(text);
        let id = self.sources.add(name, &*text);
        let (mut file, diagnostics) = parse(id, &text);
        self.diagnostics.extend(diagnostics);
        self.fill_tables(&place, &mut file);
        self.parsed.push(Parsed { place, also: vec![], id, file });
        self.parsed.len() - 1
    }

    /// Returns the index of an already parsed file.
    pub(super) fn known(&self, place: &FileSource) -> Option<usize> {
        let also = |parsed: &Parsed| parsed.also.iter().any(|path| *place == FileSource::Path(path.clone()));
        self.parsed.iter().position(|parsed| parsed.place == *place || also(parsed))
    }

    pub(super) fn add_known(&mut self, file: &origin::RuleText) -> Result<(), String> {
        let (place, also) = match &file.place {
            origin::TextSource::Text => (FileSource::Text, &[][..]),
            origin::TextSource::Bundled(name) => match bundled::find(name).or(bundled::find_script(name)) {
                Some(bundled) => (FileSource::Bundled(bundled.name), &[][..]),
                None => return Err(unknown_game(name)),
            },
            origin::TextSource::Paths(paths) => match paths.split_first() {
                Some((path, also)) => (FileSource::Path(PathBuf::from(path)), also),
                None => (FileSource::Text, &[][..]),
            },
        };
        if is_table(&place) {
            let (name, text) = (file.name.clone(), file.text.clone());
            self.tables.push(TableFile { place, name, text, id: None, used_by: vec![] });
            return Ok(());
        }
        if is_script(&place) {
            self.add_script(place, &file.name, &file.text);
            return Ok(());
        }
        let known = self.add(place, &file.name, &file.text);
        self.parsed[known].also = also.iter().map(PathBuf::from).collect();
        Ok(())
    }

    /// Returns all texts with the places they came from.
    pub(super) fn known_files(&self) -> Vec<origin::RuleText> {
        let written = |path: &PathBuf| path.to_string_lossy().into_owned();
        let file = |parsed: &Parsed| {
            let source = self.sources.get(parsed.id);
            let place = match &parsed.place {
                FileSource::Text => origin::TextSource::Text,
                FileSource::Bundled(name) => origin::TextSource::Bundled((*name).to_owned()),
                FileSource::Path(path) => origin::TextSource::Paths(
                    std::iter::once(path).chain(&parsed.also).map(written).collect(),
                ),
            };
            origin::RuleText { place, name: source.name.clone(), text: source.text.clone() }
        };
        let script = |script: &ScriptFile| {
            let source = self.sources.get(script.id);
            let place = match &script.place {
                FileSource::Bundled(name) => origin::TextSource::Bundled((*name).to_owned()),
                FileSource::Path(path) => origin::TextSource::Paths(vec![written(path)]),
                FileSource::Text => origin::TextSource::Text,
            };
            origin::RuleText { place, name: source.name.clone(), text: source.text.clone() }
        };
        let table = |table: &TableFile| {
            let paths = match &table.place {
                FileSource::Path(path) => vec![written(path)],
                _ => vec![],
            };
            let place = origin::TextSource::Paths(paths);
            origin::RuleText { place, name: table.name.clone(), text: table.text.clone() }
        };
        let tables = self.tables.iter().map(table);
        self.parsed.iter().map(file).chain(self.scripts.iter().map(script)).chain(tables).collect()
    }

    /// Opens a file and returns its index. Each place is read only once.
    pub(super) fn open(&mut self, place: FileSource) -> Result<usize, String> {
        if let Some(known) = self.known(&place) {
            return Ok(known);
        }
        if let FileSource::Path(path) = &place
            && !self.paths.contains(path)
        {
            self.paths.push(path.clone());
        }
        let (name, text) = match &place {
            FileSource::Bundled(name) => (name.to_string(), bundled::find(name).map(|f| f.text.to_owned())),
            FileSource::Path(path) => {
                let text = match self.overlay.get(&plain_path(path)) {
                    Some(text) => text.to_string(),
                    None => read_text(path, FileKind::Rules)
                        .map_err(|error| misnamed(path).unwrap_or_else(|| error.to_string()))?,
                };
                (path.display().to_string(), Some(text))
            }
            FileSource::Text => (String::new(), None),
        };
        Ok(self.add(place, &name, &text.unwrap_or_default()))
    }

    /// Returns the item with a title, or the last item of the file without a title. The parser already reports
    /// a file without items.
    pub(super) fn pick(&self, file: usize, title: Option<&str>) -> Option<ItemAt> {
        let items = &self.parsed[file].file.items;
        let item = match title {
            Some(title) => items.iter().position(|item| title_of(item) == title)?,
            None => items.len().checked_sub(1)?,
        };
        Some(ItemAt { file, item })
    }

    pub(super) fn broken(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Returns the name under which an item is loaded; with its title if it isn't the last of its file.
    pub(super) fn name_of(&self, at: ItemAt) -> String {
        let parsed = &self.parsed[at.file];
        let name = &self.sources.get(parsed.id).name;
        if at.item + 1 == parsed.file.items.len() {
            return name.clone();
        }
        format!("{name}#{}", title_of(self.item(at)))
    }
}

pub(super) fn title_of(item: &Item) -> &str {
    match item {
        Item::Game(game) => &game.title.text,
        Item::Variant(variant) => &variant.title.text,
    }
}

pub(super) fn is_script(place: &FileSource) -> bool {
    match place {
        FileSource::Bundled(name) => name.ends_with(SCRIPT_ENDING),
        FileSource::Path(path) => path.to_string_lossy().ends_with(SCRIPT_ENDING),
        FileSource::Text => false,
    }
}
