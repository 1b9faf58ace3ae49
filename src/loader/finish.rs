//! Turns a stack into a game: merges, checks and compiles it.

use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::files::{ItemAt, LoadedFiles, title_of};
use super::scripts::sheet_scripts;
use super::stack::name_of_all;
use super::{LoadError, Loaded};
use houserule_check::{ActionKey, CheckOptions, Checked, SettingError, action_keys, check};
use houserule_game::values::param_text;
use houserule_game::{Game, Identity, Sheet, SheetScript};
use houserule_language::diagnostic::{Code, Diagnostic, Label, Severity, SourceMap, Span};
use houserule_language::syntax::line_ends::with_lf;
use houserule_language::syntax::{self, DeclKind, EditKind, Item, Name};
use houserule_language::variants::{EditedName, Merged, Origin, Setting, merge};
use houserule_model::{Model, ScriptFunction};
use houserule_script::{Script, ScriptLimits};

/// A stack whose variants are merged: the same for all params.
pub(super) struct MergedStack {
    stack: Vec<ItemAt>,
    merged: Arc<syntax::GameDecl>,
    /// The params that a variant made constant.
    fixed: Vec<String>,
    edits: Vec<EditedName>,
    /// The game alone, with the first variant, with the first two, … , without the last.
    below: Vec<Merged>,
    variants: Arc<Vec<syntax::Variant>>,
    /// The game alone, if it has variants.
    base: Option<Arc<syntax::GameDecl>>,
}

impl LoadedFiles {
    /// Merges, checks and compiles a stack.
    pub(super) fn finish(
        &mut self,
        stack: Result<Vec<ItemAt>, Vec<String>>,
        origin: &Origin,
    ) -> Result<Loaded, LoadError> {
        let stack = match stack {
            Ok(stack) if !self.broken() => stack,
            // An invalid request matters more than errors in the files it led to.
            Err(messages) if !messages.is_empty() => return Err(LoadError::Request(messages)),
            stack => {
                if let Ok(stack) = stack {
                    self.check_around_holes(&stack);
                }
                return Err(self.wrong());
            }
        };
        let merged = self.merge_all(stack)?;
        self.load(&merged, origin)
    }

    /// Merges a stack.
    pub(super) fn merge_all(&mut self, stack: Vec<ItemAt>) -> Result<MergedStack, LoadError> {
        let Some(Merged { game, fixed, edits }) = self.merged(&stack, true) else {
            return Err(self.wrong());
        };
        let below: Vec<Merged> =
            (1..stack.len()).filter_map(|height| self.merged(&stack[..height], false)).collect();
        let variants = stack.iter().filter_map(|item| match self.item(*item) {
            Item::Variant(variant) => Some(variant.clone()),
            Item::Game(_) => None,
        });
        let (merged, variants) = (Arc::new(game), Arc::new(variants.collect()));
        let base = below.first().map(|alone| Arc::new(alone.game.clone()));
        Ok(MergedStack { merged, fixed: texts(fixed), edits, below, variants, base, stack })
    }

    /// Checks and compiles a merged stack with the settings of an origin. The diagnostics, sources and names go to the
    /// result.
    pub(super) fn load(&mut self, merged_stack: &MergedStack, origin: &Origin) -> Result<Loaded, LoadError> {
        let merged = &merged_stack.merged;
        let limits = ScriptLimits::from_settings(&origin.settings)
            .map_err(|message| LoadError::Request(vec![message]))?;
        let scripts = self.scripts(merged, &limits);
        let sheet_scripts = sheet_scripts(merged, &scripts);
        if self.broken() {
            // Without its broken script, a game still tells what the names in its rules stand for.
            let edits = &merged_stack.edits;
            let options = CheckOptions { players: origin.players, edits, ..CheckOptions::default() };
            self.names = check(merged, &merged_stack.fixed, &[], &options).names;
            return Err(self.wrong());
        }
        let measures = self.measures(origin);
        if self.broken() {
            return Err(self.wrong());
        }
        let mut model = self.check_stack(merged_stack, origin, &scripts, &measures)?;
        if !scripts.is_empty() {
            let bound = houserule_script::bind(scripts, &model, limits);
            model.scripts = Some(bound.map_err(|mut wrong| {
                self.tell_scripts(merged, &mut wrong);
                self.diagnostics.extend(wrong);
                self.wrong()
            })?);
        }
        let identity = Identity {
            name: name_of_all(&origin.parts),
            rules_sha256: self.fingerprint(&merged_stack.stack, merged, HashedText::Rules),
            rules_sha256_before: self.fingerprints_before(&merged_stack.stack, merged),
        };
        let sheet = self.sheet(merged_stack, origin, sheet_scripts);
        match Game::with_sheet(model, identity, sheet) {
            Ok(game) => {
                let warnings = std::mem::take(&mut self.diagnostics);
                let names = std::mem::take(&mut self.names);
                Ok(Loaded { game, warnings, sources: std::mem::take(&mut self.sources), names })
            }
            Err(error) => Err(LoadError::Compile(error.to_string())),
        }
    }

    /// Makes a model of a merged stack.
    fn check_stack(
        &mut self,
        merged_stack: &MergedStack,
        origin: &Origin,
        scripts: &[Script],
        measures: &[syntax::Expr],
    ) -> Result<Model, LoadError> {
        let MergedStack { stack, merged, fixed, edits, below, .. } = merged_stack;
        let params: Vec<Setting> =
            origin.settings.iter().filter(|setting| !ScriptLimits::is_one(setting)).cloned().collect();
        let functions: Vec<ScriptFunction> =
            scripts.iter().flat_map(|script| script.functions.clone()).collect();
        let options =
            CheckOptions { params: &params, players: origin.players, script: &functions, edits, measures };
        let mut checked = check(merged, fixed, &[], &options);
        if let (Some(model), true) = (&checked.model, stack.len() > 1) {
            // Action numbers continue those of the game below, with the same params.
            let settings: Vec<Setting> = model
                .params
                .iter()
                .map(|param| Setting::new(&param.name, param_text(&param.value)))
                .collect();
            let inherited = inherited(below, &settings, origin.players);
            checked = check(merged, fixed, &inherited, &options);
        }
        let Checked { model, mut diagnostics, settings, names } = checked;
        self.names = names;
        self.tell_scripts(merged, &mut diagnostics);
        self.tell_removed(stack, &mut diagnostics);
        self.diagnostics.extend(diagnostics);
        if self.broken() {
            return Err(self.wrong());
        }
        model.ok_or_else(|| LoadError::Request(settings.iter().map(setting_message).collect()))
    }

    /// Returns what a game says of its rules.
    fn sheet(&mut self, merged_stack: &MergedStack, origin: &Origin, scripts: Vec<SheetScript>) -> Sheet {
        let MergedStack { stack, merged, variants, base, .. } = merged_stack;
        let alone = |files: &mut LoadedFiles, count: usize| {
            files.chain(stack[count - 1], &stack[..count - 1]).is_some_and(|chain| chain == stack[..count])
        };
        let named_by_one = (1..=stack.len()).rev().find(|count| alone(self, *count)).unwrap_or(1);
        Sheet {
            tree: Some(Arc::clone(merged)),
            names: stack.iter().map(|item| self.name_of(*item)).collect(),
            named_by_one,
            base: title_of(self.item(stack[0])).to_owned(),
            base_tree: base.clone(),
            variants: Arc::clone(variants),
            scripts,
            origin: Origin { files: self.known_files(), ..origin.clone() },
            sources: self.sources.clone(),
            warnings: self.diagnostics.clone(),
        }
    }

    /// Parses the expressions besides the rules.
    fn measures(&mut self, origin: &Origin) -> Vec<syntax::Expr> {
        let mut parsed = vec![];
        for measure in &origin.measures {
            let id = self.sources.add(&measure.name, &measure.text);
            let (expr, diagnostics) = syntax::parse_expression(id, &measure.text);
            self.diagnostics.extend(diagnostics);
            parsed.extend(expr);
        }
        parsed
    }

    /// Moves the diagnostics into an error, so that they are reported once.
    fn wrong(&mut self) -> LoadError {
        LoadError::Rules {
            diagnostics: std::mem::take(&mut self.diagnostics),
            sources: std::mem::take(&mut self.sources),
            names: std::mem::take(&mut self.names),
        }
    }

    /// Checks the rest of the files if parts of them did not parse, and reports errors there, too. Does nothing
    /// if it is unclear where the parts begin and end.
    fn check_around_holes(&mut self, stack: &[ItemAt]) {
        // The parser closes an open brace or bracket itself, judging by how lines begin. After these errors it
        // doesn't know where the parts end.
        let unclear = |d: &Diagnostic| {
            matches!(
                d.code,
                Code::MissingBrace
                    | Code::StrayBracket
                    | Code::WrongBracket
                    | Code::Nesting
                    | Code::FileTooLarge
                    | Code::EmptyFile
            )
        };
        if self.diagnostics.iter().any(unclear) {
            return;
        }
        let line = |sources: &SourceMap, span: Span| (span.file, sources.line_column(span).line);
        let told: Vec<_> = self.diagnostics.iter().map(|d| line(&self.sources, d.primary.span)).collect();
        let Some(merged) = self.merged(stack, true) else { return };
        let options = CheckOptions { edits: &merged.edits, ..CheckOptions::default() };
        let Checked { diagnostics: mut found, names, .. } =
            check(&merged.game, &texts(merged.fixed), &[], &options);
        self.names = names;
        found.retain(|d| {
            d.severity == Severity::Error && !told.contains(&line(&self.sources, d.primary.span))
        });
        self.tell_removed(stack, &mut found);
        self.diagnostics.extend(found);
    }

    /// Adds to errors about unknown names that a variant removed them.
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
        for diagnostic in diagnostics.iter_mut().filter(|d| d.code.is_unknown()) {
            let text = self.sources.text(diagnostic.primary.span);
            if let Some((_, span)) = removed.iter().find(|(name, _)| *name == text) {
                diagnostic.secondary.push(Label { span: *span, text: "it is removed here".to_owned() });
                diagnostic.help = Some("change what still uses it too, or replace it instead".to_owned());
            }
        }
    }

    /// Returns the merged tree of a stack, or `None` after an error.
    fn merged(&mut self, stack: &[ItemAt], report: bool) -> Option<Merged> {
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
        (!wrong).then_some(merged)
    }

    /// Returns `true` if a line of the rules doesn't end in LF alone.
    fn sources_have_cr(&self) -> bool {
        let texts =
            self.parsed.iter().map(|parsed| parsed.id).chain(self.scripts.iter().map(|script| script.id));
        texts.into_iter().any(|id| self.sources.get(id).text.contains('\r'))
    }

    /// Returns the fingerprints that earlier versions had of a stack, if they differ.
    fn fingerprints_before(&self, stack: &[ItemAt], merged: &syntax::GameDecl) -> Vec<String> {
        // The looks of all games and variants of a file were part of it.
        let has_looks = stack.iter().any(|at| {
            let items = &self.parsed[at.file].file.items;
            items.iter().any(|item| !look_spans(item).is_empty())
        });
        let with_looks = has_looks.then_some(HashedText::WithLooks);
        let as_written = self.sources_have_cr().then_some(HashedText::AsWritten);
        let all = with_looks.into_iter().chain(as_written);
        all.map(|text| self.fingerprint(stack, merged, text)).collect()
    }

    /// Returns the SHA-256 of the titles and texts of a stack, in order, each preceded by its length, followed
    /// by its script files and tables.
    fn fingerprint(&self, stack: &[ItemAt], merged: &syntax::GameDecl, hashed: HashedText) -> String {
        let mut hash = Sha256::new();
        let mut put = |text: &str| {
            let text = if hashed == HashedText::AsWritten { text.into() } else { with_lf(text) };
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text.as_bytes());
        };
        for item in stack {
            let text = &self.sources.get(self.parsed[item.file].id).text;
            if hashed != HashedText::Rules {
                put(title_of(self.item(*item)));
                put(text);
            } else if !is_look(self.item(*item)) {
                put(title_of(self.item(*item)));
                let items = &self.parsed[item.file].file.items;
                put(&without_looks(text, items.iter().flat_map(look_spans).collect()));
            }
        }
        for file in self.script_files(merged) {
            put(&self.sources.get(file).text);
        }
        for table in &self.tables {
            let of_stack =
                |(file, item): &(usize, usize)| stack.contains(&ItemAt { file: *file, item: *item });
            if table.used_by.iter().any(of_stack) {
                put(&table.text);
            }
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// What a fingerprint is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HashedText {
    /// The rules without what is only about how things are shown.
    Rules,
    /// All of the text, with lines that end in LF.
    WithLooks,
    /// The bytes of the files.
    AsWritten,
}

/// Returns the places of what is only about how things are shown.
fn look_spans(item: &Item) -> Vec<Span> {
    let of_decl = |kind: &DeclKind, whole: Span| match kind {
        DeclKind::Shown { .. } => vec![whole],
        kind => {
            let looks = kind.modifiers().iter().filter(|modifier| modifier.kind.is_look());
            looks.map(|look| look.span).collect()
        }
    };
    match item {
        Item::Game(game) => game.decls.iter().flat_map(|decl| of_decl(&decl.kind, decl.span)).collect(),
        Item::Variant(variant) => {
            let looks = variant.edits.iter().filter_map(|edit| match &edit.kind {
                EditKind::Declare { decl, .. } => Some(of_decl(&decl.kind, edit.span)),
                _ => None,
            });
            looks.flatten().collect()
        }
    }
}

/// Returns `true` for a variant that only changes how things are shown.
fn is_look(item: &Item) -> bool {
    let is_shown = |edit: &syntax::Edit| matches!(&edit.kind, EditKind::Declare { decl, .. } if matches!(decl.kind, DeclKind::Shown { .. }));
    match item {
        Item::Game(_) => false,
        Item::Variant(variant) => !variant.edits.is_empty() && variant.edits.iter().all(is_shown),
    }
}

/// Returns a text without some places, and without the white space before each.
fn without_looks(text: &str, mut spans: Vec<Span>) -> String {
    spans.sort();
    let (mut rest, mut from) = (String::with_capacity(text.len()), 0);
    for span in spans {
        let before = text.get(from..span.start as usize).unwrap_or("");
        rest.push_str(before.trim_end());
        from = span.end as usize;
    }
    rest.push_str(text.get(from..).unwrap_or(""));
    rest
}

/// Returns the action blocks of the game below the last variant of a stack.
fn inherited(below: &[Merged], settings: &[Setting], players: Option<u32>) -> Vec<ActionKey> {
    let mut keys = Vec::new();
    for Merged { game: merged, fixed, .. } in below {
        let fixed = texts(fixed.clone());
        let has = |name: &str| {
            let is = |decl: &syntax::Decl| matches!(&decl.kind, DeclKind::Param(p) if p.name.text == name);
            merged.decls.iter().any(is) && !fixed.iter().any(|fixed| fixed == name)
        };
        let known: Vec<Setting> = settings.iter().filter(|setting| has(&setting.name)).cloned().collect();
        // Values that only the variants allow (a larger range, more players) may be invalid for the base
        // alone; then its own defaults are used.
        let with = |params: &[Setting], players| {
            let options = CheckOptions { params, players, ..CheckOptions::default() };
            check(merged, &fixed, &keys, &options).model
        };
        if let Some(model) = with(&known, players).or_else(|| with(&[], None)) {
            keys = action_keys(&model);
        }
    }
    keys
}

fn texts(names: Vec<Name>) -> Vec<String> {
    names.into_iter().map(|name| name.text).collect()
}

fn setting_message(error: &SettingError) -> String {
    let mut message = error.message.clone();
    if let Some(help) = &error.help {
        message.push_str(&format!("; {help}"));
    }
    if !error.legal.is_empty() {
        // A help is a question.
        let before = if error.help.is_some() { " Possible" } else { "; possible" };
        message.push_str(&format!("{before}: {}", error.legal.join(", ")));
    }
    message
}
