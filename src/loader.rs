//! From a name to a game: finds rule files, stacks variants, checks and compiles.
//!
//! A name is a path if it ends in `.rules` or has a slash, else a bundled file; nothing shadows.
//! `a + b` stacks variants from left to right, where `dilido + torus` finds `dilido-torus` too. Of a
//! file with several games and variants the last one is meant, unless `FILE.rules#Title` names one.
//! Besides the command, only this module touches files.

use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::bundled;
use crate::diagnostic::{Diagnostic, FileId, Label, Severity, SourceMap, Span, did_you_mean};
use crate::engine::values::param_text;
use crate::engine::{Game, Identity, Sheet};
use crate::lang::check::{Checked, Options, Setting, action_keys, check};
use crate::lang::limits;
use crate::lang::merge::merge;
use crate::lang::origin::{self, Origin, Part};
use crate::lang::parse;
use crate::lang::syntax::{self, DeclKind, EditKind, Item};

/// Most bytes of a rule file.
pub const LONGEST_FILE: u64 = limits::FILE_BYTES as u64;

/// Most variants on top of a game.
const MOST_VARIANTS: usize = 32;

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
        Origin { settings: self.settings.to_vec(), players: self.players, ..Origin::named(self.name) }
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

/// Loads a game by name, and notes every path that was looked for, also of a file that is not there.
pub fn load_noting(request: &Request<'_>, paths: &mut Vec<PathBuf>) -> Result<Loaded, LoadError> {
    let origin = request.origin();
    let (mut files, stack) = Files::of(&origin);
    paths.append(&mut files.paths);
    files.finish(stack, &origin)
}

/// Loads a game from a text; an `of` in it names a bundled game, or a path from the current folder.
pub fn load_text(name: &str, text: &str, request: &Request<'_>) -> Result<Loaded, LoadError> {
    let part = Part::Text { name: name.to_owned(), text: text.to_owned() };
    load_origin(&Origin { parts: vec![part], ..request.origin() })
}

/// A bundled game or variant, as a list of them says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// By which it is loaded.
    pub name: &'static str,
    /// Its title.
    pub title: String,
    /// What it is, in a sentence or two.
    pub help: String,
    /// What it changes, if it is a variant.
    pub of: Option<String>,
}

/// Everything that comes with the program.
pub fn catalogue() -> Vec<Entry> {
    let entry = |file: &bundled::Bundled| {
        let (parsed, _) = parse(FileId(0), file.text);
        let (title, help, of) = match parsed.items.into_iter().next_back()? {
            Item::Game(game) => (game.title.text, game.help, None),
            Item::Variant(variant) => (variant.title.text, variant.help, Some(variant.of.text)),
        };
        Some(Entry { name: file.name, title, help, of })
    };
    bundled::ALL.iter().filter_map(entry).collect()
}

/// Where a file comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    Bundled(&'static str),
    Path(PathBuf),
    Text,
}

#[derive(Debug)]
struct Parsed {
    place: Place,
    /// Other paths that lead to the same file.
    also: Vec<PathBuf>,
    id: FileId,
    file: syntax::File,
}

/// An item of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ItemAt {
    file: usize,
    item: usize,
}

/// The files that have been read, with what was wrong in them.
#[derive(Default)]
struct Files {
    sources: SourceMap,
    parsed: Vec<Parsed>,
    diagnostics: Vec<Diagnostic>,
    /// What was looked for.
    paths: Vec<PathBuf>,
}

fn is_path(name: &str) -> bool {
    let file = name.split('#').next().unwrap_or(name);
    file.ends_with(".rules") || file.contains('/')
}

/// A name and the title after its `#`.
fn split_title(name: &str) -> (&str, Option<&str>) {
    match name.split_once('#') {
        Some((file, title)) => (file.trim(), Some(title.trim())),
        None => (name.trim(), None),
    }
}

fn unknown_game(name: &str) -> String {
    match did_you_mean(name, bundled::names()) {
        Some(meant) => {
            format!("no game is called `{name}`; did you mean `{meant}`? (a path ends in `.rules`)")
        }
        None => {
            let names: Vec<&str> = bundled::names().collect();
            format!("no game is called `{name}`; there are {}, and a path ends in `.rules`", names.join(", "))
        }
    }
}

impl Files {
    fn item(&self, at: ItemAt) -> &Item {
        &self.parsed[at.file].file.items[at.item]
    }

    fn add(&mut self, place: Place, name: &str, text: &str) -> usize {
        let id = self.sources.add(name, text);
        let (file, diagnostics) = parse(id, text);
        self.diagnostics.extend(diagnostics);
        self.parsed.push(Parsed { place, also: vec![], id, file });
        self.parsed.len() - 1
    }

    /// A place whose text is known.
    fn known(&self, place: &Place) -> Option<usize> {
        let also = |parsed: &Parsed| parsed.also.iter().any(|path| *place == Place::Path(path.clone()));
        self.parsed.iter().position(|parsed| parsed.place == *place || also(parsed))
    }

    /// The texts that an origin brings, and the stack that its parts stand for.
    fn of(origin: &Origin) -> (Files, Result<Vec<ItemAt>, Vec<String>>) {
        let mut files = Files::default();
        for file in &origin.files {
            if let Err(message) = files.add_known(file) {
                return (files, Err(vec![message]));
            }
        }
        let stack = files.stack(&origin.parts);
        (files, stack)
    }

    fn add_known(&mut self, file: &origin::File) -> Result<(), String> {
        let (place, also) = match &file.place {
            origin::Place::Text => (Place::Text, &[][..]),
            origin::Place::Bundled(name) => match bundled::find(name) {
                Some(bundled) => (Place::Bundled(bundled.name), &[][..]),
                None => return Err(unknown_game(name)),
            },
            origin::Place::Paths(paths) => match paths.split_first() {
                Some((path, also)) => (Place::Path(PathBuf::from(path)), also),
                None => (Place::Text, &[][..]),
            },
        };
        let known = self.add(place, &file.name, &file.text);
        self.parsed[known].also = also.iter().map(PathBuf::from).collect();
        Ok(())
    }

    /// All texts, with the places that they came from.
    fn known_files(&self) -> Vec<origin::File> {
        let written = |path: &PathBuf| path.to_string_lossy().into_owned();
        let file = |parsed: &Parsed| {
            let source = self.sources.get(parsed.id);
            let place = match &parsed.place {
                Place::Text => origin::Place::Text,
                Place::Bundled(name) => origin::Place::Bundled((*name).to_owned()),
                Place::Path(path) => {
                    origin::Place::Paths(std::iter::once(path).chain(&parsed.also).map(written).collect())
                }
            };
            origin::File { place, name: source.name.clone(), text: source.text.clone() }
        };
        self.parsed.iter().map(file).collect()
    }

    /// Reads a place once.
    fn open(&mut self, place: Place) -> Result<usize, String> {
        if let Some(known) = self.known(&place) {
            return Ok(known);
        }
        if let Place::Path(path) = &place
            && !self.paths.contains(path)
        {
            self.paths.push(path.clone());
        }
        let (name, text) = match &place {
            Place::Bundled(name) => (name.to_string(), bundled::find(name).map(|f| f.text.to_owned())),
            Place::Path(path) => (path.display().to_string(), Some(read_file(path)?)),
            Place::Text => (String::new(), None),
        };
        Ok(self.add(place, &name, &text.unwrap_or_default()))
    }

    /// The item of a title, else the last of a file. A file without items has its own message.
    fn pick(&self, file: usize, title: Option<&str>) -> Option<ItemAt> {
        let items = &self.parsed[file].file.items;
        let item = match title {
            Some(title) => items.iter().position(|item| title_of(item) == title)?,
            None => items.len().checked_sub(1)?,
        };
        Some(ItemAt { file, item })
    }

    /// The game and the variants that parts stand for, in order.
    fn stack(&mut self, parts: &[Part]) -> Result<Vec<ItemAt>, Vec<String>> {
        let name = &name_of_all(parts);
        let mut all: Vec<ItemAt> = Vec::new();
        let mut base = None;
        for part in parts {
            let item = match part {
                Part::Text { name, text } => self.text(name, text),
                Part::Named(part) if part.trim().is_empty() && parts.len() > 1 => {
                    return Err(vec![format!(
                        "`{name}` has a `+` with nothing on one side; write `GAME + VARIANT`"
                    )]);
                }
                Part::Named(part) => {
                    self.named(part.trim(), base.as_deref()).map_err(|message| vec![message])?
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
                    "`{part}` is the game {title} and no variant: what stands after a `+` changes what stands before it"
                )]);
            }
            if chain[0] != all[0] {
                let (mine, theirs) = (title_of(self.item(all[0])), title_of(self.item(chain[0])));
                return Err(vec![format!("`{part}` is a variant of {theirs} and can't change {mine}")]);
            }
            if all.contains(&item) {
                return Err(vec![format!("`{part}` stands in `{name}` twice")]);
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

    /// The item of a text, which is read once.
    fn text(&mut self, name: &str, text: &str) -> Option<ItemAt> {
        let same = |parsed: &Parsed| {
            let source = self.sources.get(parsed.id);
            parsed.place == Place::Text && source.name == name && source.text == text
        };
        let known = self.parsed.iter().position(same);
        let file = known.unwrap_or_else(|| self.add(Place::Text, name, text));
        self.pick(file, None)
    }

    /// What short names of variants are put after: the name of the bundled game itself.
    fn base_name(&self, part: &str, root: ItemAt) -> String {
        match self.parsed[root.file].place {
            Place::Bundled(name) => name.to_owned(),
            _ => part.to_owned(),
        }
    }

    /// The item that a name stands for; none if its file is broken.
    fn named(&mut self, part: &str, base: Option<&str>) -> Result<Option<ItemAt>, String> {
        let (name, title) = split_title(part);
        let place = if is_path(part) {
            Place::Path(PathBuf::from(name))
        } else if let Some(file) = bundled::find(name) {
            Place::Bundled(file.name)
        } else if let Some(file) = base.and_then(|base| bundled::find(&format!("{base}-{name}"))) {
            Place::Bundled(file.name)
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

    /// A game, or a variant with all that it stands on, the game first. None after an error. `below` is
    /// what it is put on: it can be named by its title.
    fn chain(&mut self, item: ItemAt, below: &[ItemAt]) -> Option<Vec<ItemAt>> {
        let mut chain = vec![item];
        let mut top = item;
        while let Item::Variant(variant) = self.item(top) {
            let of = variant.of.clone();
            let base = self.base(top.file, &of, below)?;
            if chain.contains(&base) {
                let message = format!("`{}` stands on itself", title_of(self.item(base)));
                let error = Diagnostic::error("base-cycle", of.span, message);
                self.diagnostics.push(error.help("name another game or variant after `of`"));
                return None;
            }
            if chain.len() > MOST_VARIANTS {
                let message = format!("more than {MOST_VARIANTS} variants stand on each other");
                let error = Diagnostic::error("too-many-variants", of.span, message);
                self.diagnostics.push(error.help("use fewer: put what several of them change into one"));
                return None;
            }
            chain.push(base);
            top = base;
        }
        chain.reverse();
        Some(chain)
    }

    /// What an `of` names, seen from a file.
    fn base(&mut self, file: usize, of: &syntax::Text, below: &[ItemAt]) -> Option<ItemAt> {
        let (name, title) = split_title(&of.text);
        let opened = if is_path(&of.text) {
            match &self.parsed[file].place {
                Place::Path(from) => {
                    let folder = from.parent().unwrap_or(Path::new(""));
                    let path = folder.join(name);
                    let place = Place::Path(path.clone());
                    // A file may name itself with a title.
                    if self.known(&place).is_none() && same_file(&path, from) {
                        self.parsed[file].also.push(path);
                    }
                    self.open(place)
                }
                _ => self.open(Place::Path(PathBuf::from(name))),
            }
        } else if let Some(bundled) = bundled::find(name) {
            self.open(Place::Bundled(bundled.name))
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
                let error = Diagnostic::error("unknown-base", of.span, message);
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
            self.diagnostics.push(Diagnostic::error("unknown-base", of.span, message));
        }
        item
    }

    fn broken(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// By which an item is loaded; its title too where it is not the last of its file.
    fn name_of(&self, at: ItemAt) -> String {
        let parsed = &self.parsed[at.file];
        let name = &self.sources.get(parsed.id).name;
        if at.item + 1 == parsed.file.items.len() {
            return name.clone();
        }
        format!("{name}#{}", title_of(self.item(at)))
    }

    /// Merges, checks and compiles a stack.
    fn finish(
        mut self,
        stack: Result<Vec<ItemAt>, Vec<String>>,
        origin: &Origin,
    ) -> Result<Loaded, LoadError> {
        let stack = match stack {
            Ok(stack) if !self.broken() => stack,
            // A wrong request matters more than what is wrong with the files that it led to.
            Err(messages) if !messages.is_empty() => return Err(LoadError::Request(messages)),
            stack => {
                match stack {
                    Ok(stack) => self.check_around_holes(&stack),
                    Err(_) if !self.broken() => self.report_nothing(),
                    Err(_) => {}
                }
                return Err(LoadError::Rules { diagnostics: self.diagnostics, sources: self.sources });
            }
        };
        let Some((merged, fixed)) = self.merged(&stack, true) else {
            return Err(LoadError::Rules { diagnostics: self.diagnostics, sources: self.sources });
        };
        let options = Options { params: &origin.settings, players: origin.players };
        let mut checked = check(&merged, &fixed, &[], &options);
        if let (Some(model), true) = (&checked.model, stack.len() > 1) {
            // Action numbers carry on from what the variants stand on, with the same params.
            let settings: Vec<Setting> = model
                .params
                .iter()
                .map(|param| Setting::new(&param.name, param_text(&param.value)))
                .collect();
            let inherited = self.inherited(&stack, &settings, origin.players);
            checked = check(&merged, &fixed, &inherited, &options);
        }
        let Checked { model, mut diagnostics, settings } = checked;
        self.tell_removed(&stack, &mut diagnostics);
        self.diagnostics.extend(diagnostics);
        if self.broken() {
            return Err(LoadError::Rules { diagnostics: self.diagnostics, sources: self.sources });
        }
        let Some(model) = model else {
            return Err(LoadError::Request(settings.iter().map(setting_message).collect()));
        };
        let identity = Identity { name: name_of_all(&origin.parts), rules_sha256: self.fingerprint(&stack) };
        let variants = stack.iter().filter_map(|item| match self.item(*item) {
            Item::Variant(variant) => Some(variant.clone()),
            Item::Game(_) => None,
        });
        let base = title_of(self.item(stack[0])).to_owned();
        let variants = variants.collect();
        let names = stack.iter().map(|item| self.name_of(*item)).collect();
        let alone = |files: &mut Files, count: usize| {
            files.chain(stack[count - 1], &stack[..count - 1]).is_some_and(|chain| chain == stack[..count])
        };
        let named_by_one = (1..=stack.len()).rev().find(|count| alone(&mut self, *count)).unwrap_or(1);
        let sheet = Sheet {
            tree: Some(merged),
            names,
            named_by_one,
            base,
            variants,
            origin: Origin { files: self.known_files(), ..origin.clone() },
            sources: self.sources.clone(),
            warnings: self.diagnostics.clone(),
        };
        match Game::with_sheet(model, identity, sheet) {
            Ok(game) => Ok(Loaded { game, warnings: self.diagnostics, sources: self.sources }),
            Err(error) => Err(LoadError::Compile(error.to_string())),
        }
    }

    /// Some pieces of the files did not parse: what is wrong with the others is told too, unless it is
    /// unclear where pieces begin and end.
    fn check_around_holes(&mut self, stack: &[ItemAt]) {
        const SHAPE: [&str; 3] = ["nesting", "file-too-large", "empty-file"];
        // What is not closed has been closed where the lines say; other brackets leave it open.
        const CLOSED: [&str; 2] = ["unclosed-brace", "unclosed-bracket"];
        let unclear =
            |code: &str| (code.contains("brac") && !CLOSED.contains(&code)) || SHAPE.contains(&code);
        if self.diagnostics.iter().any(|diagnostic| unclear(diagnostic.code)) {
            return;
        }
        let line = |sources: &SourceMap, span: Span| (span.file, sources.line_column(span).line);
        let told: Vec<_> = self.diagnostics.iter().map(|d| line(&self.sources, d.primary.span)).collect();
        let Some((merged, fixed)) = self.merged(stack, true) else { return };
        let mut found = check(&merged, &fixed, &[], &Options::default()).diagnostics;
        found.retain(|d| {
            d.severity == Severity::Error && !told.contains(&line(&self.sources, d.primary.span))
        });
        self.tell_removed(stack, &mut found);
        self.diagnostics.extend(found);
    }

    /// What is unknown since a variant removed it says so.
    fn tell_removed(&self, stack: &[ItemAt], diagnostics: &mut [Diagnostic]) {
        let edits = stack.iter().filter_map(|item| match self.item(*item) {
            Item::Variant(variant) => Some(&variant.edits),
            Item::Game(_) => None,
        });
        let removed: Vec<(&str, Span)> = edits
            .flatten()
            .filter_map(|edit| match &edit.kind {
                EditKind::Without { name: Some(name), .. } => Some((name.text.as_str(), edit.span)),
                _ => None,
            })
            .collect();
        for diagnostic in diagnostics.iter_mut().filter(|d| d.code.starts_with("unknown-")) {
            let text = self.sources.text(diagnostic.primary.span);
            if let Some((_, span)) = removed.iter().find(|(name, _)| *name == text) {
                diagnostic.secondary.push(Label { span: *span, text: "it is removed here".to_owned() });
                diagnostic.help = Some("change what still uses it too, or replace it instead".to_owned());
            }
        }
    }

    /// A file with neither a game nor a variant, where the parser had nothing to say.
    fn report_nothing(&mut self) {
        let empty = self.parsed.iter().find(|parsed| parsed.file.items.is_empty());
        if let Some(parsed) = empty {
            let span = Span::new(parsed.id, 0, 0);
            let error = Diagnostic::error("nothing-here", span, "the file has no game and no variant");
            self.diagnostics
                .push(error.help("write `game \"Title\" { … }` or `variant \"Title\" of \"game\" { … }`"));
        }
    }

    /// The tree of a stack, with the params that it fixes; none after an error.
    fn merged(&mut self, stack: &[ItemAt], report: bool) -> Option<(syntax::Game, Vec<String>)> {
        let (first, rest) = stack.split_first()?;
        let Item::Game(game) = self.item(*first) else { return None };
        let variants: Vec<&syntax::Variant> = rest
            .iter()
            .filter_map(|item| match self.item(*item) {
                Item::Variant(variant) => Some(variant),
                Item::Game(_) => None,
            })
            .collect();
        let (merged, diagnostics) = merge(game, &variants);
        let wrong = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
        if report {
            self.diagnostics.extend(diagnostics);
        }
        (!wrong).then_some((merged.game, merged.fixed.into_iter().map(|name| name.text).collect()))
    }

    /// The action blocks of what the last variant of a stack stands on.
    fn inherited(
        &mut self,
        stack: &[ItemAt],
        settings: &[Setting],
        players: Option<u32>,
    ) -> Vec<crate::lang::check::ActionKey> {
        let mut keys = Vec::new();
        for height in 1..stack.len() {
            let Some((merged, fixed)) = self.merged(&stack[..height], false) else { continue };
            let has = |name: &str| {
                let is =
                    |decl: &syntax::Decl| matches!(&decl.kind, DeclKind::Param(p) if p.name.text == name);
                merged.decls.iter().any(is) && !fixed.iter().any(|fixed| fixed == name)
            };
            let known: Vec<Setting> = settings.iter().filter(|setting| has(&setting.name)).cloned().collect();
            // With what the variants make possible (a larger range, more players) the base alone may
            // be wrong; then its own values have to do.
            let with = |params: &[Setting], players| {
                check(&merged, &fixed, &keys, &Options { params, players }).model
            };
            if let Some(model) = with(&known, players).or_else(|| with(&[], None)) {
                keys = action_keys(&model);
            }
        }
        keys
    }

    /// A fingerprint of the titles and texts of a stack, in order, each with its length.
    fn fingerprint(&self, stack: &[ItemAt]) -> String {
        let mut hash = Sha256::new();
        let mut put = |text: &str| {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text.as_bytes());
        };
        for item in stack {
            put(title_of(self.item(*item)));
            put(&self.sources.get(self.parsed[item.file].id).text);
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

fn title_of(item: &Item) -> &str {
    match item {
        Item::Game(game) => &game.title.text,
        Item::Variant(variant) => &variant.title.text,
    }
}

fn unknown_part(name: &str, base: Option<&str>) -> String {
    let Some(base) = base else { return unknown_game(name) };
    let variants = || bundled::names().filter_map(|full| full.strip_prefix(base)?.strip_prefix('-'));
    match did_you_mean(name, variants()) {
        Some(meant) => format!("no variant of {base} is called `{name}`; did you mean `{meant}`?"),
        None => {
            let names: Vec<&str> = variants().collect();
            let there =
                if names.is_empty() { String::new() } else { format!("; there are {}", names.join(", ")) };
            format!("no variant of {base} is called `{name}`{there} (a path ends in `.rules`)")
        }
    }
}

fn setting_message(error: &crate::lang::check::SettingError) -> String {
    let mut message = error.message.clone();
    if let Some(help) = &error.help {
        message.push_str(&format!("; {help}"));
    }
    if !error.legal.is_empty() {
        message.push_str(&format!("; possible: {}", error.legal.join(", ")));
    }
    message
}

/// The name of a stack, with one space round each `+`.
fn name_of_all(parts: &[Part]) -> String {
    parts.iter().map(Part::name).collect::<Vec<_>>().join(" + ")
}

fn same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    }
}

/// Reads a rule file; why it can't be read is said in a sentence.
pub fn read_file(path: &Path) -> Result<String, String> {
    let shown = path.display();
    let file = std::fs::File::open(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => format!("there is no file `{shown}`"),
        _ => format!("`{shown}` can't be read: {error}"),
    })?;
    let mut bytes = Vec::new();
    let read = file.take(LONGEST_FILE + 1).read_to_end(&mut bytes);
    read.map_err(|error| format!("`{shown}` can't be read: {error}"))?;
    if bytes.len() as u64 > LONGEST_FILE {
        return Err(format!(
            "`{shown}` has more than {LONGEST_FILE} bytes, the most of a rule file; leave out what the game \
             does not need, or put part of it into a variant"
        ));
    }
    String::from_utf8(bytes).map_err(|_| format!("`{shown}` is no text (in UTF-8), and no rule file"))
}
