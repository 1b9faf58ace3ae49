//! Resolves names to a stack: a game and the variants on top of it.

use std::path::{Path, PathBuf};

use super::catalogue::unknown_part;
use super::files::{FileSource, ItemAt, LoadedFiles, OverlayTexts, Parsed, title_of};
use super::tables::is_table_name;
use crate::bundled;
use houserule_language::diagnostic::{Code, Diagnostic, did_you_mean};
use houserule_language::syntax;
use houserule_language::syntax::Item;
use houserule_language::variants::{Origin, StackPart, origin};

/// Maximum number of variants on top of a game.
const MOST_VARIANTS: usize = 32;

fn is_path(name: &str) -> bool {
    let file = split_title(name).0;
    file.ends_with(".rules") || file.contains('/')
}

/// Splits a name at `+`. A path that contains `+` stays whole if there is such a file.
pub fn parts(name: &str) -> Vec<StackPart> {
    let pieces: Vec<&str> = name.split('+').collect();
    let mut parts = Vec::new();
    let mut at = 0;
    while at < pieces.len() {
        // The longest run of pieces that is the path of a file.
        let joined = |end: &usize| pieces[at..*end].join("+");
        let end = (at + 2..=pieces.len().min(at + MOST_VARIANTS)).rev();
        let end = end.map(|end| (end, joined(&end))).find(|(_, path)| is_file(path.trim()));
        let (end, part) = end.unwrap_or_else(|| (at + 1, pieces[at].to_owned()));
        parts.push(StackPart::Named(part.trim().to_owned()));
        at = end;
    }
    parts
}

/// Returns `true` if there is such a rule file. A title may follow its name after a `#`.
fn is_file(path: &str) -> bool {
    let file = split_title(path).0;
    is_path(path) && file.ends_with(".rules") && Path::new(file).is_file()
}

/// Splits a name into the name and the title after `#`. A `#` in the path of an existing file belongs to the
/// path.
fn split_title(name: &str) -> (&str, Option<&str>) {
    if name.contains('#') && name.trim().ends_with(".rules") && Path::new(name.trim()).is_file() {
        return (name.trim(), None);
    }
    // The title follows the last `.rules#`.
    if let Some((file, title)) = name.rsplit_once(".rules#") {
        return (name[..file.len() + ".rules".len()].trim(), Some(title.trim()));
    }
    match name.split_once('#') {
        Some((file, title)) => (file.trim(), Some(title.trim())),
        None => (name.trim(), None),
    }
}

/// Returns a note on how a name was split, if a `+` in it may have been meant as part of a path.
fn divided(parts: &[StackPart]) -> Option<String> {
    let names: Vec<&str> = parts.iter().map(StackPart::name).collect();
    let path = |part: &&str| is_path(part);
    if names.len() < 2 || !names.iter().any(path) {
        return None;
    }
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    Some(format!(
        "there is no file `{}`, so `+` was read as a stack: {}",
        names.join("+"),
        quoted.join(" and ")
    ))
}

impl LoadedFiles {
    /// Reads the texts of an origin and resolves its parts to a stack.
    pub(super) fn from_origin(origin: &Origin) -> (LoadedFiles, Result<Vec<ItemAt>, Vec<String>>) {
        Self::with_overlay(origin, &OverlayTexts::default())
    }

    /// Like [`Self::from_origin`], with texts in place of files.
    pub(super) fn with_overlay(
        origin: &Origin,
        overlay: &OverlayTexts,
    ) -> (LoadedFiles, Result<Vec<ItemAt>, Vec<String>>) {
        let mut files = LoadedFiles { overlay: OverlayTexts::clone(overlay), ..LoadedFiles::default() };
        // Tables come first: the rules that name them are filled with them as soon as they are read.
        let is_rules = |file: &&origin::RuleText| !is_table_name(&file.name);
        let (rules, tables): (Vec<_>, Vec<_>) = origin.files.iter().partition(is_rules);
        for file in tables.into_iter().chain(rules) {
            if let Err(message) = files.add_known(file) {
                return (files, Err(vec![message]));
            }
        }
        let stack = files.stack(&origin.parts);
        (files, stack)
    }

    /// Returns the game and the variants that the parts name, in order.
    fn stack(&mut self, parts: &[StackPart]) -> Result<Vec<ItemAt>, Vec<String>> {
        let name = &name_of_all(parts);
        let mut all: Vec<ItemAt> = Vec::new();
        let mut base = None;
        for part in parts {
            let item = match part {
                StackPart::Text { name, text } => self.text(name, text),
                StackPart::Named(part) if part.trim().is_empty() && parts.len() > 1 => {
                    return Err(vec![format!(
                        "`{name}` has a `+` with nothing on one side; write `GAME + VARIANT`"
                    )]);
                }
                StackPart::Named(part) => {
                    self.named(part.trim(), base.as_deref()).map_err(|message| match divided(parts) {
                        Some(note) => vec![message, note],
                        None => vec![message],
                    })?
                }
            };
            let part = part.name();
            let Some(item) = item else { return Err(vec![]) };
            let Some(chain) = self.chain(item, &all) else { return Err(vec![]) };
            if all.is_empty() {
                base = Some(self.base_name(part, chain[0]));
                all = chain;
                continue;
            }
            if chain.len() == 1 {
                let title = title_of(self.item(item));
                return Err(vec![format!(
                    "`{part}` is the game {title}, not a variant; only variants are allowed after `+`"
                )]);
            }
            if chain[0] != all[0] {
                let (mine, theirs) = (title_of(self.item(all[0])), title_of(self.item(chain[0])));
                return Err(vec![format!("`{part}` is a variant of {theirs} and can't change {mine}")]);
            }
            if all.contains(&item) {
                return Err(vec![format!("`{part}` is in `{name}` twice")]);
            }
            let new: Vec<ItemAt> = chain.into_iter().filter(|item| !all.contains(item)).collect();
            all.extend(new);
        }
        if all.len() > MOST_VARIANTS + 1 {
            return Err(vec![format!(
                "`{name}` stacks {} variants; {MOST_VARIANTS} is the most: use fewer",
                all.len() - 1
            )]);
        }
        Ok(all)
    }

    /// Returns the item of a text. The same text is parsed once.
    fn text(&mut self, name: &str, text: &str) -> Option<ItemAt> {
        let same = |parsed: &Parsed| {
            let source = self.sources.get(parsed.id);
            parsed.place == FileSource::Text && source.name == name && source.text == text
        };
        let known = self.parsed.iter().position(same);
        let file = known.unwrap_or_else(|| self.add(FileSource::Text, name, text));
        self.pick(file, None)
    }

    /// Returns the prefix for short names of variants: the name of the bundled game.
    fn base_name(&self, part: &str, root: ItemAt) -> String {
        match self.parsed[root.file].place {
            FileSource::Bundled(name) => name.to_owned(),
            _ => part.to_owned(),
        }
    }

    /// Returns the item with this name, or `None` if its file has errors.
    fn named(&mut self, part: &str, base: Option<&str>) -> Result<Option<ItemAt>, String> {
        let (name, title) = split_title(part);
        let place = if is_path(part) {
            FileSource::Path(PathBuf::from(name))
        } else if let Some(file) = bundled::find(name) {
            FileSource::Bundled(file.name)
        } else if let Some(file) = base.and_then(|base| bundled::find(&format!("{base}-{name}"))) {
            FileSource::Bundled(file.name)
        } else {
            return Err(unknown_part(name, base));
        };
        let file = self.open(place)?;
        let item = self.pick(file, title);
        if let (None, Some(title)) = (item, title) {
            let titles: Vec<&str> = self.parsed[file].file.items.iter().map(title_of).collect();
            let meant = did_you_mean(title, titles.iter().copied());
            let meant = meant.map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
            return Err(format!("`{name}` has no game or variant called `{title}`{meant}"));
        }
        Ok(item)
    }

    /// Returns an item with everything it builds on, the game first, or `None` after an error. `below` is the
    /// stack so far: `of` may name its items by title.
    pub(super) fn chain(&mut self, item: ItemAt, below: &[ItemAt]) -> Option<Vec<ItemAt>> {
        let mut chain = vec![item];
        let mut top = item;
        while let Item::Variant(variant) = self.item(top) {
            let of = variant.of.clone();
            let base = self.base(top.file, &of, below)?;
            if chain.contains(&base) {
                let message = format!("`{}` is a variant of itself", title_of(self.item(base)));
                let error = Diagnostic::error(Code::BaseCycle, of.span, message);
                self.diagnostics.push(error.help("name another game or variant after `of`"));
                return None;
            }
            if chain.len() > MOST_VARIANTS {
                let message = format!("more than {MOST_VARIANTS} variants are stacked");
                let error = Diagnostic::error(Code::TooManyVariants, of.span, message);
                self.diagnostics.push(error.help("use fewer: put what several of them change into one"));
                return None;
            }
            chain.push(base);
            top = base;
        }
        chain.reverse();
        Some(chain)
    }

    /// Returns the item that an `of` in a file names.
    fn base(&mut self, file: usize, of: &syntax::QuotedText, below: &[ItemAt]) -> Option<ItemAt> {
        let (name, title) = split_title(&of.text);
        // A head without a game didn't parse, and that has been said.
        if of.text.is_empty() && self.broken() {
            return None;
        }
        let opened = if is_path(&of.text) {
            match &self.parsed[file].place {
                FileSource::Path(from) => {
                    let folder = from.parent().unwrap_or(Path::new(""));
                    let path = folder.join(name);
                    let place = FileSource::Path(path.clone());
                    // A file may refer to itself with a title.
                    if self.known(&place).is_none() && same_file(&path, from) {
                        self.parsed[file].also.push(path);
                    }
                    self.open(place)
                }
                _ => self.open(FileSource::Path(PathBuf::from(name))),
            }
        } else if let Some(bundled) = bundled::find(name) {
            self.open(FileSource::Bundled(bundled.name))
        } else if let Some(item) = self.pick(file, Some(name)) {
            return Some(item);
        } else if let Some(item) = below.iter().rev().find(|item| title_of(self.item(**item)) == name) {
            return Some(*item);
        } else {
            Err(format!("no game is called `{name}`"))
        };
        let file = match opened {
            Ok(file) => file,
            Err(message) => {
                let error = Diagnostic::error(Code::UnknownBase, of.span, message);
                let error = error.label("this is what the variant changes");
                self.diagnostics.push(match did_you_mean(name, bundled::names()) {
                    Some(meant) => error.help(format!("did you mean `{meant}`?")),
                    None => {
                        error.help("name a bundled game (`houserule list`), or a path that ends in `.rules`")
                    }
                });
                return None;
            }
        };
        let item = self.pick(file, title);
        if item.is_none() && !self.broken() {
            let message = match title {
                Some(title) => format!("`{name}` has no game or variant called `{title}`"),
                None => format!("`{name}` has no game and no variant"),
            };
            self.diagnostics.push(Diagnostic::error(Code::UnknownBase, of.span, message));
        }
        item
    }
}

/// Returns the name of a stack, with one space around each `+`.
pub(super) fn name_of_all(parts: &[StackPart]) -> String {
    parts.iter().map(StackPart::name).collect::<Vec<_>>().join(" + ")
}

fn same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    }
}
