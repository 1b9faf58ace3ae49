//! Positions in the source that the formatter takes from the syntax tree: the `{` of blocks, the starts
//! of items and the help strings of declarations.

use std::collections::{HashMap, HashSet};

use crate::diagnostic::Span;
use crate::syntax::{
    Block, ChoiceOption, Choose, Decl, DeclKind, Edit, EditKind, ExtendPart, Item, QuotedText, RuleFile,
    Stmt, StmtKind,
};

/// The contents of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// Declarations or edits, each on a line of its own.
    Decls,
    /// Statements.
    Stmts,
    /// The options of a choice.
    Options,
    /// Entries separated by commas.
    Entries,
}

/// Positions in a file, as byte offsets.
#[derive(Debug, Default)]
pub(super) struct Marks {
    /// Each `{` that opens a block.
    pub(super) blocks: HashMap<u32, Holds>,
    /// Start of each item: declaration, statement, option or entry.
    pub(super) items: HashSet<u32>,
    /// Help strings after declarations and entries.
    pub(super) helps: HashSet<u32>,
    /// Codes of warnings, of several tokens without a space between them.
    pub(super) codes: Vec<Span>,
}

pub(super) fn marks(file: &RuleFile, text: &str) -> Marks {
    let mut walk = MarkWalk { text, marks: Marks::default() };
    for item in &file.items {
        match item {
            Item::Game(game) => {
                walk.head(game.span, game.title.span);
                for decl in &game.decls {
                    walk.marks.items.insert(decl.span.start);
                    walk.decl(decl);
                }
            }
            Item::Variant(variant) => {
                walk.head(variant.span, variant.of.span);
                for edit in &variant.edits {
                    walk.marks.items.insert(edit.span.start);
                    walk.edit(edit);
                }
            }
        }
    }
    walk.marks
}

struct MarkWalk<'a> {
    text: &'a str,
    marks: Marks,
}

impl MarkWalk<'_> {
    /// Marks a game or a variant, and its `{`, which follows the last part of its head.
    fn head(&mut self, item: Span, last: Span) {
        self.marks.items.insert(item.start);
        self.brace_after(last.end, Holds::Decls);
    }

    /// Marks the first `{` at or after `from`. Only white space, comments and names precede it.
    fn brace_after(&mut self, from: u32, holds: Holds) {
        let bytes = self.text.as_bytes();
        let mut at = from as usize;
        while at < bytes.len() {
            if bytes[at] == b'{' {
                self.marks.blocks.insert(at as u32, holds);
                return;
            }
            if bytes[at..].starts_with(b"//") {
                at = self.text[at..].find('\n').map_or(bytes.len(), |n| at + n);
            }
            at += 1;
        }
    }

    /// Marks the last word before a byte offset.
    fn word_before(&mut self, at: u32) {
        let Some(before) = self.text.get(..at as usize) else { return };
        // Comments may come between the word and `at`; they are skipped.
        let mut end = before.len();
        loop {
            let kept = before[..end].trim_end();
            let line = kept.rfind('\n').map_or(0, |n| n + 1);
            match kept[line..].find("//") {
                Some(comment) => end = line + comment,
                None => {
                    end = kept.len();
                    break;
                }
            }
        }
        let word = before[..end].rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |n| n + 1);
        self.marks.items.insert(word as u32);
    }

    fn edit(&mut self, edit: &Edit) {
        match &edit.kind {
            EditKind::Declare { decl, .. } => self.decl(decl),
            EditKind::Default { help, .. } => {
                self.marks.helps.extend(help.iter().map(|help| help.span.start))
            }
            EditKind::InsertStep { step, .. } | EditKind::Step(step) => self.stmt(step),
            EditKind::Extend { choose, parts } => {
                self.brace_after(choose.span.end, Holds::Options);
                for part in parts {
                    match part {
                        ExtendPart::Option(option) => self.option(option),
                        ExtendPart::Otherwise { help, body } => self.otherwise(help.as_ref(), body),
                        ExtendPart::Around { option, body, .. } => {
                            self.word_before(option.span.start);
                            self.block(body);
                        }
                        ExtendPart::Without(name) => self.word_before(name.span.start),
                        ExtendPart::Hole => {}
                    }
                }
            }
            EditKind::StepHelp { .. } | EditKind::Fix { .. } | EditKind::Without { .. } | EditKind::Hole => {}
        }
    }

    fn decl(&mut self, decl: &Decl) {
        let mut help = decl.help.as_ref().map(|help| help.span.start);
        match &decl.kind {
            DeclKind::Procedure { body, .. } => {
                help = None;
                self.block(body);
            }
            DeclKind::Setup { body, .. } | DeclKind::Turn(body) | DeclKind::Round(body) => {
                help = None;
                self.block(body);
            }
            DeclKind::Score(entries) => {
                self.brace_after(decl.span.start, Holds::Entries);
                for entry in entries {
                    self.marks.items.insert(entry.span.start);
                    self.marks.helps.extend(entry.help.iter().map(|help| help.span.start));
                }
            }
            DeclKind::Match(entries) => {
                self.brace_after(decl.span.start, Holds::Entries);
                self.marks.items.extend(entries.iter().map(|entry| entry.span.start));
            }
            DeclKind::Allow { code, .. } => self.marks.codes.push(code.span),
            _ => {}
        }
        self.marks.helps.extend(help);
    }

    /// Marks a block. The `else` block of an `else if` has no braces and isn't marked.
    fn block(&mut self, block: &Block) {
        let braced = self.text.as_bytes().get(block.span.start as usize) == Some(&b'{');
        if braced {
            self.marks.blocks.insert(block.span.start, Holds::Stmts);
        }
        for one in &block.stmts {
            if braced {
                self.marks.items.insert(one.span.start);
            }
            self.stmt(one);
        }
    }

    fn option(&mut self, option: &ChoiceOption) {
        self.marks.items.insert(option.span.start);
        self.block(&option.body);
    }

    fn choose(&mut self, start: u32, choose: &Choose) {
        self.brace_after(start, Holds::Options);
        for option in choose.options.iter().flatten() {
            self.option(option);
        }
        if let Some(body) = &choose.otherwise {
            self.otherwise(choose.otherwise_help.as_ref(), body);
        }
    }

    /// Marks an `otherwise`, whose word precedes its help or its block.
    fn otherwise(&mut self, help: Option<&QuotedText>, body: &Block) {
        self.word_before(help.map_or(body.span, |help| help.span).start);
        self.block(body);
    }

    fn stmt(&mut self, one: &Stmt) {
        match &one.kind {
            StmtKind::Choose(choose) => self.choose(one.span.start, choose),
            _ => one.blocks().into_iter().for_each(|body| self.block(body)),
        }
    }
}
