//! Which edits of several variants stand: what a later variant undid is no change of the game that they make together.

use std::collections::BTreeSet;

use houserule_language::diagnostic::Span;
use houserule_language::format::print;
use houserule_language::syntax::{
    Block, Choose, Decl, DeclKind, Edit, EditKind, ExtendPart, GameDecl, Name, ScoreEntry, StmtKind,
};

/// Parts of a turn that `without` can name.
const OF_TURN: [&str; 4] = ["step", "choose", "option", "otherwise"];

/// What the variants of a game change, compared with the rules that they make together.
pub(super) struct StandingEdits<'a> {
    base: &'a GameDecl,
    decls: &'a [Decl],
    before: WrittenParts,
    now: WrittenParts,
}

impl<'a> StandingEdits<'a> {
    /// Compares a game with the declarations that its variants leave.
    pub(super) fn new(base: &'a GameDecl, decls: &'a [Decl]) -> Self {
        StandingEdits { base, decls, before: written_parts(&base.decls), now: written_parts(decls) }
    }

    /// Returns what stands of an edit: `None` if all of it was undone.
    pub(super) fn standing(&self, edit: &Edit) -> Option<Edit> {
        let holds = match &edit.kind {
            EditKind::Declare { new, decl } => {
                let kind = self.declared(*new, decl)?;
                return Some(Edit { kind, span: edit.span });
            }
            EditKind::Extend { choose, parts } => {
                let parts: Vec<ExtendPart> =
                    parts.iter().filter(|part| self.is_extended(choose, part)).cloned().collect();
                let kind = EditKind::Extend { choose: choose.clone(), parts };
                return is_extension(&kind).then_some(Edit { kind, span: edit.span });
            }
            EditKind::Fix { value, .. } => self.is_written(value.span),
            EditKind::Default { name, value, .. } => {
                let text = setting_text(name, &print::expr(value));
                self.is_written(value.span) && !self.before.texts.contains(&text)
            }
            EditKind::StepHelp { help, .. } => self.is_written(help.span),
            EditKind::InsertStep { step, .. } | EditKind::Step(step) => self.is_written(step.span),
            EditKind::Without { kind, name: Some(name) } => {
                let is_moot = OF_TURN.contains(&kind.text.as_str()) && self.has_new_turn();
                !is_moot && self.is_gone(&part_name(&kind.text, &name.text))
            }
            EditKind::Without { name: None, .. } | EditKind::Hole => true,
        };
        holds.then(|| edit.clone())
    }

    /// Returns what stands of a declaration, with whether it is new to the game.
    fn declared(&self, new: bool, decl: &Decl) -> Option<EditKind> {
        let kind = match &decl.kind {
            DeclKind::Score(entries) => {
                let is_changed = |entry: &&ScoreEntry| {
                    self.is_written(entry.span) && !self.before.texts.contains(&entry_text(entry))
                };
                let left: Vec<ScoreEntry> = entries.iter().filter(is_changed).cloned().collect();
                if left.is_empty() {
                    return None;
                }
                DeclKind::Score(left)
            }
            DeclKind::Match(entries) => {
                let left: Vec<_> =
                    entries.iter().filter(|entry| self.is_written(entry.span)).cloned().collect();
                if left.is_empty() {
                    return None;
                }
                DeclKind::Match(left)
            }
            _ if !self.is_written(decl.span) || self.before.texts.contains(&print::decl(decl)) => {
                return None;
            }
            DeclKind::Define { name, .. } | DeclKind::Procedure { name, .. } if !self.is_used(&name.text) => {
                return None;
            }
            kind => kind.clone(),
        };
        let new = match &decl.kind {
            DeclKind::Zone { .. }
            | DeclKind::Board { .. }
            | DeclKind::Dice { .. }
            | DeclKind::Piece { .. }
            | DeclKind::Table(_)
            | DeclKind::Param(_)
            | DeclKind::Enum { .. }
            | DeclKind::Range { .. }
            | DeclKind::Record { .. }
            | DeclKind::End { name: Some(_), .. } => !self.before.names.contains(&head(decl)),
            _ => new,
        };
        Some(EditKind::Declare { new, decl: Decl { kind, ..decl.clone() } })
    }

    /// Returns `true` if a part of an `extend` stands.
    fn is_extended(&self, choose: &Name, part: &ExtendPart) -> bool {
        match part {
            ExtendPart::Option(option) => self.is_written(option.span),
            ExtendPart::Otherwise { body, .. } => self.is_written(body.span),
            ExtendPart::Around { body, .. } => {
                body.stmts.first().is_some_and(|first| self.is_written(first.span))
            }
            ExtendPart::Without(option) => {
                !self.has_new_turn() && self.is_gone(&option_name(&choose.text, &option.text))
            }
            ExtendPart::Hole => false,
        }
    }

    /// Returns `true` if what is written at a place is in the rules.
    fn is_written(&self, span: Span) -> bool {
        self.now.spans.contains(&span)
    }

    /// Returns `true` if the game had a part that the variants leave out.
    fn is_gone(&self, name: &str) -> bool {
        self.before.names.contains(name) && !self.now.names.contains(name)
    }

    /// Returns `true` if a variant has written the whole turn or round, which is told as it stands.
    fn has_new_turn(&self) -> bool {
        let is_turn = |decl: &&Decl| matches!(decl.kind, DeclKind::Turn(_) | DeclKind::Round(_));
        let is_old = |decl: &Decl| self.base.decls.iter().any(|old| old.span == decl.span);
        self.decls.iter().filter(is_turn).any(|decl| !is_old(decl))
    }

    /// Returns `true` if rules other than its own use a define or a procedure. Scripts may use any.
    fn is_used(&self, name: &str) -> bool {
        self.decls.iter().any(|decl| match &decl.kind {
            DeclKind::Script(_) => true,
            DeclKind::Define { name: own, .. } | DeclKind::Procedure { name: own, .. }
                if own.text == name =>
            {
                false
            }
            _ => words_of(&print::decl_code(decl)).any(|word| word == name),
        })
    }
}

/// Returns `true` for an `extend` that has parts.
fn is_extension(kind: &EditKind) -> bool {
    matches!(kind, EditKind::Extend { parts, .. } if !parts.is_empty())
}

/// The parts of a game.
#[derive(Default)]
struct WrittenParts {
    /// Where they are written. Merged variants keep the places of their own files.
    spans: BTreeSet<Span>,
    /// Their kinds and names, such as `step roll` and `option play.pass`.
    names: BTreeSet<String>,
    /// How declarations, items of the score and params are written.
    texts: BTreeSet<String>,
}

/// Collects the parts of a game.
fn written_parts(decls: &[Decl]) -> WrittenParts {
    let mut all = WrittenParts::default();
    for decl in decls {
        all.spans.insert(decl.span);
        all.names.insert(head(decl));
        all.texts.insert(print::decl(decl));
        match &decl.kind {
            DeclKind::Param(param) => {
                if let Some(value) = &param.value {
                    all.spans.insert(value.span);
                    all.texts.insert(setting_text(&param.name, &print::expr(value)));
                }
            }
            DeclKind::Score(entries) => {
                for entry in entries {
                    all.spans.insert(entry.span);
                    all.names.insert(part_name("score", &entry.name.text));
                    all.texts.insert(entry_text(entry));
                }
            }
            DeclKind::Match(entries) => {
                for entry in entries {
                    all.spans.insert(entry.span);
                    all.names.insert(part_name("match", &entry.key.text));
                }
            }
            DeclKind::Turn(body)
            | DeclKind::Round(body)
            | DeclKind::Setup { body, .. }
            | DeclKind::Procedure { body, .. } => all.add_block(body, ""),
            _ => {}
        }
    }
    all
}

impl WrittenParts {
    /// Adds the parts of a block, given the step that contains it.
    fn add_block(&mut self, block: &Block, step: &str) {
        self.spans.insert(block.span);
        for one in &block.stmts {
            self.spans.insert(one.span);
            match &one.kind {
                StmtKind::Step { name, help, body } => {
                    self.names.insert(part_name("step", &name.text));
                    self.spans.extend(help.as_ref().map(|help| help.span));
                    self.add_block(body, &name.text);
                }
                StmtKind::Choose(choose) => self.add_choice(choose, step),
                _ => one.blocks().into_iter().for_each(|body| self.add_block(body, step)),
            }
        }
    }

    fn add_choice(&mut self, choose: &Choose, step: &str) {
        let name = choose.name.as_ref().map_or(step, |name| name.text.as_str());
        self.names.insert(part_name("choose", name));
        for option in choose.options.iter().flatten() {
            self.spans.insert(option.span);
            self.names.insert(part_name("option", &option.name.text));
            self.names.insert(option_name(name, &option.name.text));
            self.add_block(&option.body, step);
        }
        if let Some(body) = &choose.otherwise {
            self.names.insert(part_name("otherwise", name));
            self.add_block(body, step);
        }
    }
}

fn part_name(kind: &str, name: &str) -> String {
    format!("{kind} {name}")
}

fn option_name(choose: &str, option: &str) -> String {
    format!("option {choose}.{option}")
}

fn setting_text(name: &Name, value: &str) -> String {
    format!("param {} is {value}", name.text)
}

/// Returns how an item of the score is written, with its help text.
fn entry_text(entry: &ScoreEntry) -> String {
    let entry = ScoreEntry { new: false, ..entry.clone() };
    let help = entry.help.as_ref().map_or("", |help| help.text.as_str());
    format!("score {} {}", print::score_entry(&entry), print::quoted(help))
}

/// Returns the kind and the name of a declaration: `zone hand`.
fn head(decl: &Decl) -> String {
    let code = print::decl_code(decl);
    words_of(&code).take(2).collect::<Vec<_>>().join(" ")
}

fn words_of(code: &str) -> impl Iterator<Item = &str> {
    code.split(|sign: char| !sign.is_alphanumeric() && sign != '_').filter(|word| !word.is_empty())
}
