//! The scripts of a stack: files next to the rule files, or texts inside them.

use std::path::{Component, Path, PathBuf};

use super::files::{FileSource, LoadedFiles, ScriptFile, plain_path};
use crate::bundled;
use houserule_base::files::SCRIPT_ENDING;
use houserule_base::files::{FileError, FileKind, read_text};
use houserule_game::SheetScript;
use houserule_language::diagnostic::{Code, Diagnostic, FileId, Label};
use houserule_language::syntax;
use houserule_language::syntax::{DeclKind, QuotedText};
use houserule_script::{Script, ScriptLimits};

/// Returns `true` if the text is the path of a script, not a script.
fn is_path(text: &str) -> bool {
    let text = text.trim();
    !text.contains('\n') && (text.ends_with(SCRIPT_ENDING) || !text.contains(['{', '(']))
}

impl LoadedFiles {
    /// Reads the scripts of a game, in order. Errors in them are added to the diagnostics.
    pub(super) fn scripts(&mut self, game: &syntax::GameDecl, limits: &ScriptLimits) -> Vec<Script> {
        let texts: Vec<QuotedText> = texts(game).cloned().collect();
        let mut scripts = vec![];
        for (number, text) in (0..).zip(&texts) {
            let (file, first) = if is_path(&text.text) {
                match self.script_file(text) {
                    Ok(file) => (file, 0),
                    Err(error) => {
                        self.diagnostics.push(*error);
                        continue;
                    }
                }
            } else {
                let quotes = if self.sources.text(text.span).starts_with("\"\"\"") { 3 } else { 1 };
                (text.span.file, text.span.start as usize + quotes)
            };
            let whole = match first {
                0 => self.sources.get(file).text.clone(),
                _ => text.text.clone(),
            };
            match houserule_script::parse(number, &whole, file, first, limits) {
                Ok(script) => scripts.push(script),
                Err(mut wrong) => {
                    self.tell_scripts(game, &mut wrong);
                    self.diagnostics.extend(wrong);
                }
            }
        }
        scripts
    }

    /// Returns the files of a game's scripts, in order.
    pub(super) fn script_files(&self, game: &syntax::GameDecl) -> Vec<FileId> {
        let paths = texts(game).filter(|text| is_path(&text.text));
        let place = paths.filter_map(|text| self.script_place(text).ok());
        place.filter_map(|place| self.known_script(&place)).collect()
    }

    /// Adds to errors in a script file a label where the rules name the file.
    pub(super) fn tell_scripts(&self, game: &syntax::GameDecl, diagnostics: &mut [Diagnostic]) {
        for text in texts(game).filter(|text| is_path(&text.text)) {
            let file = self.script_place(text).ok().and_then(|place| self.known_script(&place));
            let inside = |d: &&mut Diagnostic| Some(d.primary.span.file) == file;
            for diagnostic in diagnostics.iter_mut().filter(inside) {
                let label = Label { span: text.span, text: "the rules name the script here".to_owned() };
                diagnostic.secondary.push(label);
            }
        }
    }

    fn known_script(&self, place: &FileSource) -> Option<FileId> {
        self.scripts.iter().find(|script| script.place == *place).map(|script| script.id)
    }

    /// Opens the file that a `script` declaration names.
    fn script_file(&mut self, text: &QuotedText) -> Result<FileId, Box<Diagnostic>> {
        let error = |code, message: String| Box::new(Diagnostic::error(code, text.span, message));
        let place = self.script_place(text)?;
        if let Some(known) = self.known_script(&place) {
            return Ok(known);
        }
        let (name, whole) = match &place {
            FileSource::Bundled(name) => match bundled::find_script(name) {
                Some(script) => ((*name).to_owned(), script.text.to_owned()),
                None => return Err(error(Code::NoScript, format!("there is no script `{name}`"))),
            },
            FileSource::Path(path) => {
                if !self.paths.contains(path) {
                    self.paths.push(path.clone());
                }
                let name = path.display().to_string();
                if let Some(whole) = self.overlay.get(&plain_path(path)) {
                    (name, whole.to_string())
                } else {
                    let whole = read_text(path, FileKind::Script).map_err(|wrong| {
                        let d = error(Code::NoScript, wrong.to_string());
                        match wrong {
                            FileError::Missing(_) => {
                                Box::new(d.help("write its path as seen from the folder of this rule file"))
                            }
                            _ => d,
                        }
                    })?;
                    inside(path, &text.text).map_err(|message| error(Code::ScriptPath, message))?;
                    (name, whole)
                }
            }
            FileSource::Text => return Err(error(Code::ScriptPath, "a text has no folder".to_owned())),
        };
        Ok(self.add_script(place, &name, &whole))
    }

    pub(super) fn add_script(&mut self, place: FileSource, name: &str, text: &str) -> FileId {
        let id = self.sources.add(name, text);
        self.scripts.push(ScriptFile { place, id });
        id
    }

    /// Returns the place of the file that a `script` declaration names: next to the rule file or in a folder
    /// below it.
    fn script_place(&self, text: &QuotedText) -> Result<FileSource, Box<Diagnostic>> {
        let error = |message: &str, help: &str| {
            Box::new(Diagnostic::error(Code::ScriptPath, text.span, message).help(help))
        };
        let name = text.text.trim();
        if name.lines().all(|line| line.trim().is_empty() || line.trim().starts_with("//")) {
            return Err(error("this script is empty", "write a function in it, or take it out"));
        }
        if !name.ends_with(SCRIPT_ENDING) {
            return Err(error(
                &format!("`{name}` is neither a script nor the name of a script file"),
                "name a file that ends in `.rhai`, or write `fn …` between two `\"\"\"`",
            ));
        }
        if !lies_below(name) {
            return Err(error(
                "a script must lie in the folder of its rule file, or below it",
                "put it there, and write its path without `..` and without a `/` in front",
            ));
        }
        let Some(parsed) = self.parsed.iter().find(|parsed| parsed.id == text.span.file) else {
            return Err(error("these rules have no folder", "write the script itself between two `\"\"\"`"));
        };
        match &parsed.place {
            FileSource::Bundled(_) => match bundled::find_script(name) {
                Some(script) => Ok(FileSource::Bundled(script.name)),
                None => Err(error(
                    &format!("there is no script `{name}`"),
                    "name one that comes with the program",
                )),
            },
            FileSource::Path(rules) => {
                Ok(FileSource::Path(rules.parent().unwrap_or(Path::new("")).join(name)))
            }
            FileSource::Text => Err(error(
                "rules that are no file have no folder",
                "write the script itself between two `\"\"\"`",
            )),
        }
    }
}

/// Returns the scripts of a game for its [`Sheet`](houserule_game::Sheet).
pub(super) fn sheet_scripts(game: &syntax::GameDecl, scripts: &[Script]) -> Vec<SheetScript> {
    let told = |(text, script): (&QuotedText, &Script)| SheetScript {
        file: is_path(&text.text).then(|| text.text.trim().to_owned()),
        text: script.text().to_owned(),
    };
    texts(game).zip(scripts).map(told).collect()
}

/// Returns the texts of a game's `script` declarations, in order.
fn texts(game: &syntax::GameDecl) -> impl Iterator<Item = &QuotedText> {
    game.decls.iter().filter_map(|decl| match &decl.kind {
        DeclKind::Script(text) => Some(text),
        _ => None,
    })
}

/// Checks that a script file is inside the folder of its rule file after resolving symbolic links.
pub(super) fn inside(path: &Path, name: &str) -> Result<(), String> {
    let depth = Path::new(name.trim()).components().count();
    let folder: PathBuf = path.ancestors().nth(depth).unwrap_or(Path::new("")).to_owned();
    let folder = if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder };
    let real = |path: &Path| {
        path.canonicalize().map_err(|error| format!("`{}` can't be read: {error}", path.display()))
    };
    match real(path)?.starts_with(real(&folder)?) {
        true => Ok(()),
        false => Err(format!("`{}` leads out of the folder of its rule file", name.trim())),
    }
}

/// Returns `true` for the path of a file in the folder of its rule file, or below it.
pub(super) fn lies_below(name: &str) -> bool {
    !name.contains('\\') && Path::new(name).components().all(|part| matches!(part, Component::Normal(_)))
}
