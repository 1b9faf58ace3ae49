//! Merging variants: edits of a syntax tree, before names and types are resolved.
//!
//! A replacement keeps the position of the original, and an addition goes to the end of its list, so
//! that indices given in order stay stable. Every node keeps the span of its own file, so messages can
//! show both files. The checker decides whether the result makes sense.

mod flow;
mod same;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use crate::diagnostic::{Code, Diagnostic, Span, did_you_mean};
use crate::syntax::{
    Decl, DeclKind, Edit, EditKind, EndPlace, Expr, ExprKind, ExtendPart, GameDecl, MatchEntry, Name,
    QuotedText, ScoreEntry, Variant,
};
use crate::vocabulary::{keyword, keywords};

/// A game with its variants merged.
#[derive(Clone, Debug)]
pub struct Merged {
    /// The game. If there are variants, it has their titles and help.
    pub game: GameDecl,
    /// Params that a variant made constant, with the location of its `fix`.
    pub fixed: Vec<Name>,
    /// The names in the edits, and those of replaced parts.
    pub edits: Vec<EditedName>,
}

/// A name outside the merged game that stands for a part of it: the name in an edit, or that of a replaced part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditedName {
    /// Location of the name.
    pub span: Span,
    /// The kind of the part: a keyword such as `param`, `step` or `option`.
    pub kind: &'static str,
    /// The name of the part that is edited, or of the one that replaces it.
    pub part: Name,
}

/// Merges variants into a game, from first to last. A variant of a variant must follow the one it
/// changes.
pub fn merge(base: &GameDecl, variants: &[&Variant]) -> (Merged, Vec<Diagnostic>) {
    let parents = parents(variants);
    let mut merger = Merger {
        game: base.clone(),
        fixed: vec![],
        edits: vec![],
        messages: vec![],
        changed: HashMap::new(),
        helped: HashMap::new(),
        followers: HashMap::new(),
        is_same_declared: same::is_declared(base, variants),
        parents,
        current: 0,
    };
    for (i, variant) in variants.iter().enumerate() {
        merger.current = i;
        for edit in &variant.edits {
            merger.edit(edit);
        }
    }
    // A variant that another one extends is included in that one's title.
    let leaves: Vec<&&Variant> = variants
        .iter()
        .enumerate()
        .filter(|(i, _)| !merger.parents.contains(&Some(*i)))
        .map(|(_, v)| v)
        .collect();
    if let Some(last) = leaves.last() {
        let titles: Vec<&str> = leaves.iter().map(|v| v.title.text.as_str()).collect();
        merger.game.title = Name { text: titles.join(" + "), span: last.title.span };
        let helps: Vec<&str> = leaves.iter().map(|v| v.help.as_str()).filter(|h| !h.is_empty()).collect();
        if !helps.is_empty() {
            merger.game.help = helps.join(" ");
        }
    }
    (Merged { game: merger.game, fixed: merger.fixed, edits: merger.edits }, merger.messages)
}

/// The parent of each variant: the variant that it changes, or `None` for the game. Variants with the
/// same `of` are siblings. The first variant with a new `of` has the variant before it as its parent.
fn parents(variants: &[&Variant]) -> Vec<Option<usize>> {
    let mut parents: Vec<Option<usize>> = vec![];
    for (i, variant) in variants.iter().enumerate() {
        let sibling = variants[..i].iter().position(|v| v.of.text == variant.of.text);
        parents.push(sibling.map_or(i.checked_sub(1), |k| parents[k]));
    }
    parents
}

/// The key of an edited item: its kind, and its name if it has one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct ItemKey {
    kind: &'static str,
    name: String,
}

/// The last change of a key, for the detection of conflicts.
#[derive(Clone, Copy)]
struct KeyChange {
    variant: usize,
    span: Span,
}

struct Merger {
    game: GameDecl,
    fixed: Vec<Name>,
    edits: Vec<EditedName>,
    messages: Vec<Diagnostic>,
    changed: HashMap<ItemKey, KeyChange>,
    /// The variant that gave a step its help text alone, by the name of the step.
    helped: HashMap<String, usize>,
    /// For each step, and for each `end NAME`, those that variants inserted after it, in order.
    followers: HashMap<String, Vec<String>>,
    /// Whether something is called `same`.
    is_same_declared: bool,
    parents: Vec<Option<usize>>,
    current: usize,
}

impl Merger {
    fn edit(&mut self, edit: &Edit) {
        match &edit.kind {
            EditKind::Declare { new, decl } => self.declare(*new, decl, edit.span),
            EditKind::Fix { name, value } => {
                if self.set_default(name, value, None) {
                    self.fixed.push(name.clone());
                }
            }
            EditKind::Default { name, value, help } => {
                self.set_default(name, value, help.as_ref());
            }
            EditKind::StepHelp { name, help } => self.change_step_help(name, help),
            EditKind::Step(step) => self.replace_step(step),
            EditKind::Without { kind, name } => self.without(kind, name.as_ref()),
            EditKind::InsertStep { after, anchor, step } => self.insert_step(*after, anchor, step),
            EditKind::Extend { choose, parts } => self.extend(choose, parts),
            EditKind::Hole => {}
        }
    }

    /// Records that the name at `span` stands for a part of the game.
    fn name(&mut self, span: Span, kind: &'static str, part: Name) {
        self.edits.push(EditedName { span, kind, part });
    }

    /// Returns whether the current variant changes another, directly or not.
    fn is_ancestor(&self, variant: usize) -> bool {
        let mut ancestor = self.parents.get(self.current).copied().flatten();
        while let Some(parent) = ancestor {
            if parent == variant {
                return true;
            }
            ancestor = self.parents.get(parent).copied().flatten();
        }
        false
    }

    /// Returns whether a variant is another than the current one, and not changed by it.
    fn is_beside(&self, variant: usize) -> bool {
        variant != self.current && !self.is_ancestor(variant)
    }

    /// Records that a key is changed at `span`. Reports an error and returns `false` if this variant or
    /// one that isn't its ancestor has changed it before.
    fn claim(&mut self, kind: &'static str, name: &str, span: Span) -> bool {
        let key = ItemKey { kind, name: name.to_owned() };
        let change = KeyChange { variant: self.current, span };
        let Some(earlier) = self.changed.insert(key, change) else { return true };
        if self.is_ancestor(earlier.variant) {
            return true;
        }
        let what = if name.is_empty() { format!("`{kind}`") } else { format!("{kind} `{name}`") };
        let error = if earlier.variant == self.current {
            Diagnostic::error(Code::Twice, span, format!("this variant changes {what} twice"))
        } else {
            Diagnostic::error(Code::Conflict, span, format!("two variants change {what}"))
                .help("use only one of them, or write a variant that says what both should do together")
        };
        self.messages.push(error.also(earlier.span, "changed here too"));
        false
    }

    fn declare(&mut self, new: bool, decl: &Decl, span: Span) {
        match &decl.kind {
            DeclKind::Score(entries) => return self.merge_score(entries, decl),
            DeclKind::Match(entries) => return self.merge_match(entries, decl),
            // It is about what follows it, not about the game.
            DeclKind::Allow { .. } => return self.game.decls.push(decl.clone()),
            // Of two, the last counts.
            DeclKind::Shown { .. } => return self.game.decls.push(decl.clone()),
            DeclKind::Hole(names) => {
                if names.iter().all(|name| !self.declares(&name.text)) {
                    self.game.decls.push(decl.clone());
                }
                return;
            }
            _ => {}
        }
        let (kind, name) = key(&decl.kind);
        let text = name.map_or("", |name| name.text.as_str());
        let place = name.map_or(span, |name| name.span);
        let found = self.find(kind, text);
        if kind == "require" {
            if !new {
                self.messages.push(
                    Diagnostic::error(
                        Code::NewMissing,
                        span,
                        "a `require` has no name and can't replace another",
                    )
                    .help("write `new require …` to add one"),
                );
            }
            self.game.decls.push(decl.clone());
            return;
        }
        match (new, found.as_slice()) {
            // Scripts accumulate: each of them is called.
            _ if kind == "script" => self.game.decls.push(decl.clone()),
            _ if !new && end_place(decl).is_some() => {
                let d =
                    Diagnostic::error(Code::Misplaced, span, "an end that replaces another keeps its place")
                        .help("write `new end` to add one, or remove the old one first: `without end NAME`");
                self.messages.push(d);
            }
            (true, []) => {
                self.changed.insert(
                    ItemKey { kind, name: text.to_owned() },
                    KeyChange { variant: self.current, span: place },
                );
                self.add(decl);
            }
            (true, _) if kind == "end" && name.is_none() => self.add(decl),
            (true, [first, ..]) => {
                let what = describe(kind, text);
                let error = Diagnostic::error(Code::ExistsAlready, place, format!("{what} exists already"))
                    .also(self.game.decls[*first].span, "it is declared here");
                let help = match kind {
                    "setup" if name.is_none() => "give the new one a name: `new setup NAME { … }`",
                    _ => "leave out `new` to replace it, or choose another name",
                };
                self.messages.push(error.help(help));
            }
            (false, [one]) => {
                if self.claim(kind, text, place) {
                    if let (Some(old), Some(new)) = (key(&self.game.decls[*one].kind).1.cloned(), name) {
                        self.name(old.span, kind, new.clone());
                    }
                    let mut decl = decl.clone();
                    let old = self.game.decls[*one].clone();
                    self.put_same_into_decl(&mut decl, &old);
                    let kept = if is_told_by_help(kind) { None } else { old.help };
                    self.game.decls[*one] = Decl { help: decl.help.clone().or(kept), ..decl };
                }
            }
            (false, [])
                if self.in_a_hole(text)
                    || name.is_none() && matches!(kind, "setup" | "winner" | "ties" | "payoff" | "limit") =>
            {
                if self.claim(kind, text, place) {
                    self.game.decls.push(decl.clone());
                }
            }
            (false, []) => self.nothing_to_replace(kind, text, place, value_of(&decl.kind)),
            (false, [first, second, ..]) => {
                let message = format!(
                    "there are several of kind `{kind}` without a name, so it is not clear which to replace"
                );
                self.messages.push(
                    Diagnostic::error(Code::Ambiguous, place, message)
                        .also(self.game.decls[*first].span, "one of them")
                        .also(self.game.decls[*second].span, "another")
                        .help(format!("give them names: `{kind} NAME …`")),
                );
            }
        }
    }

    /// Adds a declaration: after all others, or, for an end, before or after another.
    fn add(&mut self, decl: &Decl) {
        let Some(EndPlace { after, anchor }) = end_place(decl).cloned() else {
            return self.game.decls.push(decl.clone());
        };
        let mut decl = decl.clone();
        if let DeclKind::End { place, .. } = &mut decl.kind {
            *place = None;
        }
        let Some(found) = self.find("end", &anchor.text).first().copied() else {
            if !self.in_a_hole(&anchor.text) {
                let known: Vec<String> = self.names_of("end").into_iter().map(str::to_owned).collect();
                self.no_such("end", &anchor, &known);
            }
            return;
        };
        if let Some(part) = key(&self.game.decls[found].kind).1.cloned() {
            self.name(anchor.span, "end", part);
        }
        let mut at = if after { found + 1 } else { found };
        if after {
            // Ends that earlier variants inserted after the same end stay before this one.
            let before = self.followers.entry(format!("end {}", anchor.text)).or_default();
            let follows = |decl: &Decl| key(&decl.kind).1.is_some_and(|name| before.contains(&name.text));
            while self.game.decls.get(at).is_some_and(follows) {
                at += 1;
            }
            before.extend(key(&decl.kind).1.map(|name| name.text.clone()));
        }
        self.game.decls.insert(at, decl);
    }

    /// Indices of the declarations with a key.
    fn find(&self, kind: &str, name: &str) -> Vec<usize> {
        let same = |decl: &Decl| {
            let (k, n) = key(&decl.kind);
            k == kind && n.map_or("", |n| n.text.as_str()) == name
        };
        self.game.decls.iter().enumerate().filter(|(_, decl)| same(decl)).map(|(i, _)| i).collect()
    }

    fn declares(&self, name: &str) -> bool {
        self.game.decls.iter().any(|decl| key(&decl.kind).1.is_some_and(|n| n.text == name))
            || self.in_a_hole(name)
    }

    /// Returns `true` if a declaration of this name didn't parse.
    fn in_a_hole(&self, name: &str) -> bool {
        !name.is_empty()
            && self.game.decls.iter().any(|decl| match &decl.kind {
                DeclKind::Hole(names) => names.iter().any(|n| n.text == name),
                _ => false,
            })
    }

    /// Reports that there is nothing to replace. `value` is what the part would get.
    fn nothing_to_replace(&mut self, kind: &'static str, name: &str, span: Span, value: Option<&Expr>) {
        let called =
            if name.is_empty() { format!("no `{kind}`") } else { format!("nothing called `{name}`") };
        let mut error =
            Diagnostic::error(Code::NothingToReplace, span, format!("the game has {called} to replace"));
        let same_name = self.game.decls.iter().find(|decl| key(&decl.kind).1.is_some_and(|n| n.text == name));
        let known: Vec<&str> = self.names_of(kind);
        if kind == "param" && keywords::has(name, keywords::DECLARATION) {
            // `param players = 3`
            error = error.help(match (name, value.map(|value| &value.kind)) {
                ("players" | "limit", Some(ExprKind::Number(number))) => {
                    format!("`{name}` is no param: write `{name} {number}`")
                }
                _ => format!("`{name}` is no param: it is changed by what begins with the word, `{name} …`"),
            });
        } else if let Some(other) = same_name.filter(|_| !name.is_empty()) {
            let (was, _) = key(&other.kind);
            error = error.also(other.span, format!("here `{name}` is of kind `{was}`")).help(format!(
                "write `without {was} {name}` and `new {kind} {name} …` to make it something else"
            ));
        } else if let Some(meant) = did_you_mean(name, known) {
            error = error.help(format!("did you mean `{meant}`? To add something, write `new {kind} …`"));
        } else {
            error = error.help(format!("to add it, write `new {kind} …`"));
        }
        self.messages.push(error);
    }

    fn names_of(&self, kind: &str) -> Vec<&str> {
        let of_kind = self.game.decls.iter().map(|decl| key(&decl.kind)).filter(|(k, _)| *k == kind);
        of_kind.filter_map(|(_, name)| name.map(|n| n.text.as_str())).collect()
    }

    fn set_default(&mut self, name: &Name, value: &Expr, help: Option<&QuotedText>) -> bool {
        let found = self.find("param", &name.text);
        let Some(at) = found.first().copied() else {
            if !self.in_a_hole(&name.text) {
                self.nothing_to_replace("param", &name.text, name.span, Some(value));
            }
            return false;
        };
        if !self.claim("param", &name.text, name.span) {
            return false;
        }
        if let Some(param) = key(&self.game.decls[at].kind).1.cloned() {
            self.name(name.span, "param", param);
        }
        let mut value = value.clone();
        if let DeclKind::Param(typed) = &self.game.decls[at].kind
            && let Some(old) = &typed.value
        {
            self.put_same_into_value(&mut value, old);
        }
        let decl = &mut self.game.decls[at];
        if let DeclKind::Param(typed) = &mut decl.kind {
            typed.value = Some(value);
        }
        if let Some(help) = help {
            decl.help = Some(help.clone());
        }
        true
    }

    fn merge_score(&mut self, entries: &[ScoreEntry], decl: &Decl) {
        let found = self.game.decls.iter().position(|d| matches!(d.kind, DeclKind::Score(_)));
        let Some(at) = found else {
            self.game.decls.push(decl.clone());
            return;
        };
        for entry in entries {
            let DeclKind::Score(items) = &self.game.decls[at].kind else { return };
            let old = items.iter().position(|item| item.name.text == entry.name.text);
            let first = old.map(|i| items[i].span);
            let old_name = old.map(|i| items[i].name.span);
            let known: Vec<String> = items.iter().map(|item| item.name.text.clone()).collect();
            let (name, place) = (&entry.name.text, entry.name.span);
            match (entry.new, old, first) {
                (true, Some(_), Some(span)) => {
                    let message = format!("score item `{name}` exists already");
                    self.messages.push(
                        Diagnostic::error(Code::ExistsAlready, place, message)
                            .also(span, "it is declared here")
                            .help("leave out `new` to replace it, or choose another name"),
                    );
                }
                (false, None, _) => {
                    let message = format!("the game has no score item `{name}` to replace");
                    let error = Diagnostic::error(Code::NothingToReplace, place, message);
                    let known = known.iter().map(String::as_str);
                    self.messages.push(match did_you_mean(name, known) {
                        Some(meant) => error
                            .help(format!("did you mean `{meant}`? To add an item, write `new {name}: …`")),
                        None => error.help(format!("to add it, write `new {name}: …`")),
                    });
                }
                _ => {
                    if !self.claim("score", name, place) {
                        continue;
                    }
                    if let Some(old) = old_name {
                        self.name(old, "score", entry.name.clone());
                    }
                    let mut entry = ScoreEntry { new: false, ..entry.clone() };
                    let DeclKind::Score(items) = &self.game.decls[at].kind else { return };
                    if let Some(old) = old.map(|i| items[i].clone()) {
                        self.put_same_into_entry(&mut entry, &old);
                    }
                    let DeclKind::Score(items) = &mut self.game.decls[at].kind else { return };
                    match old {
                        // Words tell the help text of an item in place of its formula.
                        Some(i) => items[i] = entry,
                        None => items.push(entry),
                    }
                }
            }
        }
    }

    /// The keys of a `match` are fixed by the language, so an entry that the game doesn't have is added.
    fn merge_match(&mut self, entries: &[MatchEntry], decl: &Decl) {
        for entry in entries {
            if !self.claim("match", &entry.key.text, entry.key.span) {
                continue;
            }
            let found = self.game.decls.iter().position(|d| matches!(d.kind, DeclKind::Match(_)));
            let Some(at) = found else {
                self.game.decls.push(Decl { kind: DeclKind::Match(vec![entry.clone()]), ..decl.clone() });
                continue;
            };
            if let DeclKind::Match(items) = &mut self.game.decls[at].kind {
                match items.iter_mut().find(|item| item.key.text == entry.key.text) {
                    Some(item) => *item = entry.clone(),
                    None => items.push(entry.clone()),
                }
            }
        }
    }

    fn without(&mut self, kind: &Name, name: Option<&Name>) {
        let text = name.map_or("", |n| n.text.as_str());
        let span = name.map_or(kind.span, |n| n.span);
        match kind.text.as_str() {
            "step" => return self.without_step(text, span),
            "option" => return self.without_option(text, span),
            "otherwise" => return self.without_otherwise(text, span),
            "choose" => return self.without_choose(text, span),
            "score" if name.is_some() => return self.without_entry("score", text, span),
            "match" if name.is_some() => return self.without_entry("match", text, span),
            _ => {}
        }
        let Some(known) =
            keyword(&kind.text).filter(|known| known.has(keywords::DECLARATION)).map(|known| known.word)
        else {
            let error = Diagnostic::error(
                Code::UnknownKind,
                kind.span,
                format!("`{}` is no kind of thing", kind.text),
            );
            let all = keywords::with(keywords::DECLARATION | keywords::PART);
            self.messages.push(match did_you_mean(&kind.text, all) {
                Some(meant) => error.help(format!("did you mean `{meant}`?")),
                None => error.help(
                    "write the word that declares it, such as `without step joker` or `without score lines`",
                ),
            });
            return;
        };
        let found = self.find(known, text);
        if found.is_empty() {
            if !self.in_a_hole(text) {
                let names: Vec<String> = self.names_of(known).into_iter().map(str::to_owned).collect();
                self.nothing_to_remove(known, text, span, &names);
            }
        } else if self.claim(known, text, span) {
            for at in &found {
                if let (Some(name), Some(part)) = (name, key(&self.game.decls[*at].kind).1.cloned()) {
                    self.name(name.span, known, part);
                }
            }
            let mut i = 0;
            self.game.decls.retain(|_| {
                i += 1;
                !found.contains(&(i - 1))
            });
        }
    }

    fn without_entry(&mut self, kind: &'static str, name: &str, span: Span) {
        let mut entries: Vec<&Name> = vec![];
        for decl in &self.game.decls {
            match &decl.kind {
                DeclKind::Score(items) if kind == "score" => entries.extend(items.iter().map(|i| &i.name)),
                DeclKind::Match(items) if kind == "match" => entries.extend(items.iter().map(|i| &i.key)),
                _ => {}
            }
        }
        let Some(part) = entries.iter().find(|entry| entry.text == name).map(|entry| (*entry).clone()) else {
            let known: Vec<String> = entries.iter().map(|entry| entry.text.clone()).collect();
            return self.nothing_to_remove(kind, name, span, &known);
        };
        if self.claim(kind, name, span) {
            // The keys of a match are words of the language.
            if kind == "score" {
                self.name(span, kind, part);
            }
            for decl in &mut self.game.decls {
                match &mut decl.kind {
                    DeclKind::Score(items) if kind == "score" => items.retain(|i| i.name.text != name),
                    DeclKind::Match(items) if kind == "match" => items.retain(|i| i.key.text != name),
                    _ => {}
                }
            }
        }
    }

    fn nothing_to_remove(&mut self, kind: &str, name: &str, span: Span, known: &[String]) {
        let message = format!("the game has no {} to remove", describe(kind, name));
        let mut error = Diagnostic::error(Code::NothingToRemove, span, message);
        if let Some(meant) = did_you_mean(name, known.iter().map(String::as_str)) {
            error = error.help(format!("did you mean `{meant}`?"));
        } else if !known.is_empty() {
            error = error.note(listed(known));
        }
        self.messages.push(error);
    }
}

/// What there is in place of a name that there isn't.
fn listed(known: &[String]) -> String {
    let list: Vec<String> = known.iter().take(8).map(|name| format!("`{name}`")).collect();
    format!("it has {}", list.join(", "))
}

fn describe(kind: &str, name: &str) -> String {
    if name.is_empty() { format!("`{kind}`") } else { format!("{kind} `{name}`") }
}

/// The value that a declaration gives a param.
fn value_of(kind: &DeclKind) -> Option<&Expr> {
    match kind {
        DeclKind::Param(typed) => typed.value.as_ref(),
        _ => None,
    }
}

/// The end before or after which a new end is put.
fn end_place(decl: &Decl) -> Option<&EndPlace> {
    match &decl.kind {
        DeclKind::End { place, .. } => place.as_ref(),
        _ => None,
    }
}

/// Returns whether words tell the help text of such a declaration in place of its formula or statements.
fn is_told_by_help(kind: &str) -> bool {
    matches!(kind, "define" | "procedure" | "setup" | "end")
}

/// The kind and the name of a declaration.
fn key(kind: &DeclKind) -> (&'static str, Option<&Name>) {
    match kind {
        DeclKind::Param(typed) => ("param", Some(&typed.name)),
        DeclKind::Var(typed) => ("var", Some(&typed.name)),
        DeclKind::Table(typed) => ("table", Some(&typed.name)),
        DeclKind::Enum { name, .. } => ("enum", Some(name)),
        DeclKind::Range { name, .. } | DeclKind::Record { name, .. } => ("domain", Some(name)),
        DeclKind::Board { name, .. } => ("board", Some(name)),
        DeclKind::Edges { name, .. } => ("edges", Some(name)),
        DeclKind::Zone { name, .. } => ("zone", Some(name)),
        DeclKind::Dice { name, .. } => ("dice", Some(name)),
        DeclKind::Piece { name, .. } => ("piece", Some(name)),
        DeclKind::Players(..) => ("players", None),
        DeclKind::Team { name, .. } => ("team", Some(name)),
        DeclKind::Define { name, .. } => ("define", Some(name)),
        DeclKind::Procedure { name, .. } => ("procedure", Some(name)),
        DeclKind::Setup { name, .. } => ("setup", name.as_ref()),
        DeclKind::Turn(_) => ("turn", None),
        DeclKind::Round(_) => ("round", None),
        DeclKind::End { name, .. } => ("end", name.as_ref()),
        DeclKind::Score(_) => ("score", None),
        DeclKind::Winner(_) => ("winner", None),
        DeclKind::Ties(_) => ("ties", None),
        DeclKind::Payoff { .. } => ("payoff", None),
        DeclKind::Limit(_) => ("limit", None),
        DeclKind::Match(_) => ("match", None),
        DeclKind::Require(_) => ("require", None),
        DeclKind::Allow { .. } => ("allow", None),
        DeclKind::Shown { .. } => ("shown", None),
        DeclKind::Script(_) => ("script", None),
        DeclKind::Hole(_) => ("", None),
    }
}
