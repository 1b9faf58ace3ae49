//! The parts of a file as a tree, its foldable parts, and its layout.

use std::ops::Range;

use super::workspace::is_script;
use super::{TextChange, TextPlace, Workspace};
use houserule_language::diagnostic::{FileId, Span};
use houserule_language::format::format;
use houserule_language::syntax::split::pieces::{PieceKind, blocks, pieces};
use houserule_language::syntax::{
    Block, ChoiceOption, Decl, DeclKind, EditKind, ExtendPart, Item, Name, PlayersDecl, Stmt, StmtKind,
};

/// The kinds of parts in an outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutlineKind {
    /// A game or a variant.
    File,
    /// A param or a table.
    Constant,
    /// A variable, a zone or dice.
    Variable,
    /// An enum, a domain or a board.
    Domain,
    /// A value of an enum, or a player.
    Value,
    /// A field of a record.
    Field,
    /// A piece.
    Piece,
    /// A define or a procedure.
    Function,
    /// A step, a turn, a setup or another block of rules.
    Block,
    /// A choice.
    Choice,
    /// An option.
    Option,
    /// An end.
    End,
    /// An item of the score.
    ScoreItem,
    /// A change of a variant without a declaration.
    Change,
}

/// A part of a file, with the parts inside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineEntry {
    /// Its name.
    pub name: String,
    /// What it is: a keyword, or the first words of a change.
    pub detail: String,
    /// The kind.
    pub kind: OutlineKind,
    /// All of it.
    pub range: Range<usize>,
    /// Its name, or the word that stands for it.
    pub name_range: Range<usize>,
    /// The parts inside.
    pub children: Vec<OutlineEntry>,
}

fn bytes(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

fn entry(kind: OutlineKind, detail: &str, name: &Name, whole: Span) -> OutlineEntry {
    OutlineEntry {
        name: name.text.clone(),
        detail: detail.to_owned(),
        kind,
        range: bytes(whole),
        name_range: bytes(name.span),
        children: vec![],
    }
}

/// An entry for a part without a name, called by its keyword at its start.
fn unnamed(kind: OutlineKind, word: &str, whole: Span) -> OutlineEntry {
    let span = Span { end: whole.start + word.len() as u32, ..whole };
    entry(kind, "", &Name { text: word.to_owned(), span }, whole)
}

impl OutlineEntry {
    fn with(self, children: Vec<OutlineEntry>) -> OutlineEntry {
        OutlineEntry { children, ..self }
    }
}

impl Workspace {
    /// The parts of a rule file.
    pub fn outline(&mut self, file: &str) -> Vec<OutlineEntry> {
        let Some(tree) = self.tree(file) else { return vec![] };
        let item = |item: &Item| match item {
            Item::Game(game) => {
                let children = game.decls.iter().filter_map(declaration).collect();
                entry(OutlineKind::File, "game", &game.title, game.span).with(children)
            }
            Item::Variant(variant) => {
                let children =
                    variant.edits.iter().filter_map(|edit| change(&edit.kind, edit.span)).collect();
                let detail = format!("variant of {}", variant.of.text);
                entry(OutlineKind::File, &detail, &variant.title, variant.span).with(children)
            }
        };
        tree.items.iter().map(item).collect()
    }

    /// The parts of a file that can be folded: blocks in braces and comments of several lines. A comment has the second
    /// word `true`.
    pub fn folds(&self, file: &str) -> Vec<(Range<usize>, bool)> {
        let Some(text) = self.text(file) else { return vec![] };
        let all = pieces(&text);
        let is_long = |range: &Range<usize>| text[range.clone()].contains('\n');
        let mut found: Vec<(Range<usize>, bool)> =
            blocks(&text, &all).into_iter().filter(is_long).map(|range| (range, false)).collect();
        let mut comment: Option<Range<usize>> = None;
        for piece in &all {
            let is_comment = piece.kind == PieceKind::Comment;
            match &mut comment {
                Some(open) if is_comment && text[open.end..piece.start].matches('\n').count() == 1 => {
                    open.end = piece.end;
                }
                _ => {
                    found.extend(comment.take().filter(is_long).map(|range| (range, true)));
                    comment = is_comment.then(|| piece.range());
                }
            }
        }
        found.extend(comment.filter(is_long).map(|range| (range, true)));
        found
    }

    /// The changes that bring a rule file into the standard layout. Otherwise the reason why it stays as it is.
    pub fn format(&self, file: &str) -> Result<Vec<TextChange>, String> {
        let Some(text) = self.text(file).filter(|_| !is_script(file)) else { return Ok(vec![]) };
        let new = format(FileId(0), &text).map_err(|errors| {
            errors
                .first()
                .map_or_else(String::new, |error| format!("this text isn't formatted: {}", error.message))
        })?;
        if *text == *new {
            return Ok(vec![]);
        }
        // Lines that stay at both ends aren't replaced, so the editor keeps its marks in them.
        let lines = |text: &str| text.split_inclusive('\n').map(str::len).collect::<Vec<_>>();
        let (old_lines, new_lines) = (lines(&text), lines(&new));
        let same = |a: &str, b: &str| a == b;
        let mut start = 0;
        for (old, fresh) in old_lines.iter().zip(&new_lines) {
            if old != fresh || !same(&text[start..start + old], &new[start..start + fresh]) {
                break;
            }
            start += old;
        }
        let (mut old_end, mut new_end) = (text.len(), new.len());
        for (old, fresh) in old_lines.iter().rev().zip(new_lines.iter().rev()) {
            let fits = old_end - start >= *old && new_end - start >= *fresh;
            if !fits || !same(&text[old_end - old..old_end], &new[new_end - fresh..new_end]) {
                break;
            }
            (old_end, new_end) = (old_end - old, new_end - fresh);
        }
        let place = TextPlace::new(file, start..old_end);
        Ok(vec![TextChange { place, text: new[start..new_end].to_owned() }])
    }
}

/// Returns the entry of a declaration, or `None` if it has no name and no parts.
fn declaration(decl: &Decl) -> Option<OutlineEntry> {
    use OutlineKind as K;
    let span = decl.span;
    let named = |kind, word, name| Some(entry(kind, word, name, span));
    let values = |kind, names: &[Name]| names.iter().map(|name| entry(kind, "", name, name.span)).collect();
    match &decl.kind {
        DeclKind::Param(typed) => named(K::Constant, "param", &typed.name),
        DeclKind::Table(typed) => named(K::Constant, "table", &typed.name),
        DeclKind::Var(typed) => named(K::Variable, "var", &typed.name),
        DeclKind::Enum { name, values: all, .. } => {
            Some(entry(K::Domain, "enum", name, span).with(values(K::Value, all)))
        }
        DeclKind::Range { name, .. } => named(K::Domain, "domain", name),
        DeclKind::Record { name, kinds, .. } => {
            let parts = kinds.iter().flat_map(|kind| {
                let fields: Vec<Name> = kind.fields().iter().map(|(field, _)| field.clone()).collect();
                let named: Vec<Name> = kind.named().into_iter().map(|(value, _)| value.clone()).collect();
                // Those of a table are in another file.
                let [fields, named] = [fields, named].map(|names| -> Vec<Name> {
                    names.into_iter().filter(|name| name.span.file == span.file).collect()
                });
                let mut parts: Vec<_> = values(K::Field, &fields);
                parts.extend(values(K::Value, &named));
                parts
            });
            Some(entry(K::Domain, "domain", name, span).with(parts.collect()))
        }
        DeclKind::Board { name, .. } => named(K::Domain, "board", name),
        DeclKind::Edges { name, .. } => named(K::Domain, "edges", name),
        DeclKind::Zone { name, .. } => named(K::Variable, "zone", name),
        DeclKind::Dice { name, .. } => named(K::Variable, "dice", name),
        DeclKind::Piece { name, .. } => named(K::Piece, "piece", name),
        DeclKind::Players(players, _) => {
            let names: &[Name] = if let PlayersDecl::Named(names) = players { names } else { &[] };
            Some(unnamed(K::Domain, "players", span).with(values(K::Value, names)))
        }
        DeclKind::Team { name, .. } => named(K::Domain, "team", name),
        DeclKind::Define { name, .. } => named(K::Function, "define", name),
        DeclKind::Procedure { name, body, .. } => {
            Some(entry(K::Function, "procedure", name, span).with(statements(body)))
        }
        DeclKind::Setup { name, body } => {
            let setup = match name {
                Some(name) => entry(K::Block, "setup", name, span),
                None => unnamed(K::Block, "setup", span),
            };
            Some(setup.with(statements(body)))
        }
        DeclKind::Turn(body) => Some(unnamed(K::Block, "turn", span).with(statements(body))),
        DeclKind::Round(body) => Some(unnamed(K::Block, "round", span).with(statements(body))),
        DeclKind::End { name: Some(name), .. } => named(K::End, "end", name),
        DeclKind::End { name: None, .. } => Some(unnamed(K::End, "end", span)),
        DeclKind::Score(entries) => {
            let item =
                |one: &houserule_language::syntax::ScoreEntry| entry(K::ScoreItem, "", &one.name, one.span);
            Some(unnamed(K::Block, "score", span).with(entries.iter().map(item).collect()))
        }
        DeclKind::Winner(_) => Some(unnamed(K::Block, "winner", span)),
        DeclKind::Payoff { .. } => Some(unnamed(K::Block, "payoff", span)),
        DeclKind::Match(_) => Some(unnamed(K::Block, "match", span)),
        DeclKind::Script(_) => Some(unnamed(K::Block, "script", span)),
        DeclKind::Ties(_)
        | DeclKind::Limit(_)
        | DeclKind::Require(_)
        | DeclKind::Allow { .. }
        | DeclKind::Shown { .. }
        | DeclKind::Hole(_) => None,
    }
}

/// The steps, choices and options in a block, with those inside them.
fn statements(block: &Block) -> Vec<OutlineEntry> {
    block.stmts.iter().flat_map(statement).collect()
}

fn statement(stmt: &Stmt) -> Vec<OutlineEntry> {
    match &stmt.kind {
        StmtKind::Step { name, body, .. } => {
            vec![entry(OutlineKind::Block, "step", name, stmt.span).with(statements(body))]
        }
        StmtKind::Choose(choose) => {
            let one = match &choose.name {
                Some(name) => entry(OutlineKind::Choice, "choose", name, stmt.span),
                None => unnamed(OutlineKind::Choice, "choose", stmt.span),
            };
            vec![one.with(choose.options.iter().flatten().map(option).collect())]
        }
        _ => stmt.blocks().into_iter().flat_map(statements).collect(),
    }
}

fn option(option: &ChoiceOption) -> OutlineEntry {
    entry(OutlineKind::Option, "option", &option.name, option.span).with(statements(&option.body))
}

/// Returns the entry of a change in a variant, or `None` if it did not parse.
fn change(kind: &EditKind, span: Span) -> Option<OutlineEntry> {
    use OutlineKind as K;
    match kind {
        EditKind::Declare { new, decl } => {
            let mut entry = declaration(decl)?;
            if *new {
                entry.detail = format!("new {}", entry.detail).trim_end().to_owned();
            }
            entry.range = bytes(span);
            Some(entry)
        }
        EditKind::Fix { name, .. } => Some(entry(K::Change, "fix", name, span)),
        EditKind::Default { name, .. } => Some(entry(K::Constant, "param", name, span)),
        EditKind::Step(step) => statement(step).into_iter().next(),
        EditKind::StepHelp { name, .. } => Some(entry(K::Change, "step", name, span)),
        EditKind::Without { kind, name } => {
            let detail = format!("without {}", kind.text);
            Some(entry(K::Change, &detail, name.as_ref().unwrap_or(kind), span))
        }
        EditKind::InsertStep { after, anchor, step } => {
            let mut inner = statement(step).into_iter().next()?;
            let place = if *after { "after" } else { "before" };
            inner.detail = format!("{place} {}", anchor.text);
            inner.range = bytes(span);
            Some(inner)
        }
        EditKind::Extend { choose, parts } => {
            let part = |part: &ExtendPart| match part {
                ExtendPart::Option(one) => Some(option(one)),
                ExtendPart::Otherwise { body: block, .. } => {
                    // The keyword is before the block.
                    let span = Span { end: block.span.start, ..block.span };
                    let name = Name { text: "otherwise".to_owned(), span };
                    Some(entry(K::Block, "", &name, block.span).with(statements(block)))
                }
                ExtendPart::Around { after, option, body } => {
                    let place = if *after { "after" } else { "before" };
                    Some(entry(K::Change, place, option, option.span.to(body.span)).with(statements(body)))
                }
                ExtendPart::Without(option) => Some(entry(K::Change, "without", option, option.span)),
                ExtendPart::Hole => None,
            };
            Some(entry(K::Choice, "extend", choose, span).with(parts.iter().filter_map(part).collect()))
        }
        EditKind::Hole => None,
    }
}
