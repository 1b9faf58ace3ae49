//! Edits of steps, choices and options anywhere in the rules.

use super::{DeclKind, Diagnostic, ExtendPart, Merger, Name, QuotedText, did_you_mean, key, listed};
use crate::diagnostic::{Code, Span};
use crate::syntax::{Block, ChoiceOption, Choose, Decl, Stmt, StmtKind};

impl Merger {
    pub(super) fn insert_step(&mut self, after: bool, anchor: &Name, step: &Stmt) {
        let StmtKind::Step { name, .. } = &step.kind else { return };
        let steps = self.steps();
        if let Some(old) = steps.iter().find(|s| s.text == name.text) {
            let message = format!("step `{}` exists already", name.text);
            let error = Diagnostic::error(Code::ExistsAlready, name.span, message)
                .also(old.span, "it is declared here");
            self.messages.push(error.help("choose another name"));
            return;
        }
        let Some(part) = steps.iter().find(|s| s.text == anchor.text) else {
            return self.no_such("step", anchor, &names(&steps));
        };
        self.name(anchor.span, "step", part.clone());
        let place = if after { "after" } else { "before" };
        let followers = self.followers.entry(anchor.text.clone()).or_default().clone();
        let mut inserted = false;
        self.blocks(&mut |block| {
            let named =
                |stmt: &Stmt| matches!(&stmt.kind, StmtKind::Step { name, .. } if name.text == anchor.text);
            let Some(at) = block.stmts.iter().position(named).filter(|_| !inserted) else { return };
            inserted = true;
            let mut at = if place == "after" { at + 1 } else { at };
            // Steps that earlier variants inserted after the same step stay before this one.
            while after
                && block.stmts.get(at).is_some_and(
                    |s| matches!(&s.kind, StmtKind::Step { name, .. } if followers.contains(&name.text)),
                )
            {
                at += 1;
            }
            block.stmts.insert(at, step.clone());
        });
        if after {
            self.followers.entry(anchor.text.clone()).or_default().push(name.text.clone());
        }
    }

    pub(super) fn without_step(&mut self, name: &str, span: Span) {
        let steps = self.steps();
        let Some(part) = steps.iter().find(|s| s.text == name) else {
            return self.nothing_to_remove("step", name, span, &names(&steps));
        };
        if self.claim("step", name, span) {
            self.name(span, "step", part.clone());
            self.blocks(&mut |block| {
                block.stmts.retain(|s| !matches!(&s.kind, StmtKind::Step { name: n, .. } if n.text == name));
            });
        }
    }

    pub(super) fn change_step_help(&mut self, name: &Name, new: &QuotedText) {
        let steps = self.steps();
        let Some(part) = steps.iter().find(|step| step.text == name.text) else {
            return self.no_such("step", name, &names(&steps));
        };
        // Of two help texts side by side, neither tells what the other variant does.
        let has_another = self.helped.get(&name.text).is_some_and(|variant| self.is_beside(*variant));
        if has_another || self.claim("step", &name.text, name.span) {
            self.name(name.span, "step", part.clone());
            self.helped.insert(name.text.clone(), self.current);
            self.blocks(&mut |block| {
                for stmt in &mut block.stmts {
                    if let StmtKind::Step { name: own, help, .. } = &mut stmt.kind
                        && own.text == name.text
                    {
                        *help = Some(new.clone()).filter(|_| !has_another);
                    }
                }
            });
        }
    }

    /// Replaces a step. Without a help text, it keeps the old one.
    pub(super) fn replace_step(&mut self, step: &Stmt) {
        let StmtKind::Step { name, help, body } = &step.kind else { return };
        let steps = self.steps();
        let Some(part) = steps.iter().find(|old| old.text == name.text) else {
            return self.no_such("step", name, &names(&steps));
        };
        if !self.claim("step", &name.text, name.span) {
            return;
        }
        self.name(part.span, "step", name.clone());
        let mut old = None;
        self.blocks(&mut |block| {
            let mut found = block.stmts.iter();
            let is_it =
                |stmt: &&Stmt| matches!(&stmt.kind, StmtKind::Step { name: own, .. } if own.text == name.text);
            old = old.take().or_else(|| found.find(is_it).cloned());
        });
        let Some(StmtKind::Step { help: old_help, body: old_body, .. }) = old.map(|old| old.kind) else {
            return;
        };
        let mut body = body.clone();
        self.put_same_into_block(&mut body, &old_body);
        let help = help.clone().or(old_help);
        let new = Stmt { kind: StmtKind::Step { name: name.clone(), help, body }, span: step.span };
        let mut is_done = false;
        self.blocks(&mut |block| {
            for stmt in &mut block.stmts {
                if matches!(&stmt.kind, StmtKind::Step { name: own, .. } if own.text == name.text) && !is_done
                {
                    is_done = true;
                    stmt.clone_from(&new);
                }
            }
        });
    }

    pub(super) fn without_choose(&mut self, name: &str, span: Span) {
        let chooses = self.choose_names();
        let Some(part) = chooses.iter().find(|c| c.text == name) else {
            return self.no_choice(name, span, Code::NothingToRemove, &names(&chooses));
        };
        if self.claim("choose", name, span) {
            self.name(span, "choose", part.clone());
            let mut step = None;
            for decl in &mut self.game.decls {
                each_block(decl, &mut |block, inside| {
                    step = inside.cloned();
                    block.stmts.retain(|s| match &s.kind {
                        StmtKind::Choose(c) => name_of(c, step.as_ref()).is_none_or(|n| n.text != name),
                        _ => true,
                    });
                });
            }
        }
    }

    pub(super) fn without_otherwise(&mut self, name: &str, span: Span) {
        let mut found = None;
        self.chooses(&mut |choose, choice| {
            if choose.otherwise.is_some() && found.is_none() {
                found = choice.filter(|n| n.text == name).cloned();
            }
        });
        let Some(part) = found else {
            let known = names(&self.choose_names());
            if known.iter().any(|known| known == name) {
                return self.nothing_to_remove("otherwise", name, span, &known);
            }
            return self.no_choice(name, span, Code::NothingToRemove, &known);
        };
        if self.claim("otherwise", name, span) {
            self.name(span, "choose", part);
            self.chooses(&mut |choose, choice| {
                if choice.is_some_and(|n| n.text == name) {
                    (choose.otherwise, choose.otherwise_help) = (None, None);
                }
            });
        }
    }

    pub(super) fn without_option(&mut self, name: &str, span: Span) {
        let (mut known, mut holders) = (vec![], vec![]);
        self.chooses(&mut |choose, choice| {
            for option in choose.options.iter().flatten() {
                known.push(option.name.text.clone());
                if option.name.text == name {
                    holders.push((choice.map_or_else(String::new, |n| n.text.clone()), option.name.clone()));
                }
            }
        });
        match holders.as_slice() {
            [] => self.nothing_to_remove("option", name, span, &known),
            [(choice, part)] => {
                if self.claim("option", &format!("{choice}.{name}"), span) {
                    self.name(span, "option", part.clone());
                    self.chooses(&mut |choose, _| {
                        choose.options.retain(|o| o.as_ref().is_none_or(|o| o.name.text != name));
                    });
                }
            }
            [(choice, first), (_, second), ..] => {
                let message = format!("several choices have an option `{name}`");
                let error = Diagnostic::error(Code::Ambiguous, span, message)
                    .also(first.span, "one")
                    .also(second.span, "another");
                self.messages.push(error.help(format!("write `extend {choice} {{ without {name} }}`")));
            }
        }
    }

    pub(super) fn extend(&mut self, name: &Name, parts: &[ExtendPart]) {
        let chooses = self.choose_names();
        let mut found = chooses.iter().filter(|c| c.text == name.text);
        let Some(first) = found.next() else {
            return self.no_choice(&name.text, name.span, Code::UnknownTarget, &names(&chooses));
        };
        if let Some(second) = found.next() {
            let message = format!("several choices are called `{}`", name.text);
            let error = Diagnostic::error(Code::Ambiguous, name.span, message)
                .also(first.span, "one")
                .also(second.span, "another");
            self.messages.push(error.help("give them names of their own: `choose NAME { … }`"));
            return;
        }
        self.name(name.span, "choose", first.clone());
        for part in parts {
            self.extend_part(name, part);
        }
    }

    fn extend_part(&mut self, choice: &Name, part: &ExtendPart) {
        let mut known = vec![];
        self.change(choice, |choose| {
            known.extend(choose.options.iter().flatten().map(|o| o.name.clone()));
        });
        let named = |name: &Name| known.iter().find(|option| option.text == name.text).cloned();
        let key = |name: &Name| format!("{}.{}", choice.text, name.text);
        match part {
            ExtendPart::Option(option) => {
                let old = named(&option.name);
                if self.claim("option", &key(&option.name), option.name.span) {
                    let mut option = option.clone();
                    let mut before = None;
                    self.change(choice, |choose| {
                        let mut options = choose.options.iter().flatten();
                        before = options.find(|old| old.name.text == option.name.text).cloned();
                    });
                    if let Some(before) = before {
                        self.put_same_into_option(&mut option, &before);
                    }
                    self.change(choice, |choose| put_option(choose, &option, old.is_some()));
                    if let Some(old) = old {
                        self.name(old.span, "option", option.name.clone());
                    }
                }
            }
            ExtendPart::Otherwise { help, body } => {
                if self.claim("otherwise", &choice.text, body.span) {
                    let mut body = body.clone();
                    let mut before = None;
                    self.change(choice, |choose| before.clone_from(&choose.otherwise));
                    if let Some(before) = before {
                        self.put_same_into_block(&mut body, &before);
                    }
                    self.change(choice, |choose| {
                        choose.otherwise = Some(body);
                        choose.otherwise_help.clone_from(help);
                    });
                }
            }
            ExtendPart::Around { option, .. } | ExtendPart::Without(option) if named(option).is_none() => {
                self.no_such("option", option, &names(&known));
            }
            ExtendPart::Around { after, option, body } => {
                if let Some(part) = named(option) {
                    self.name(option.span, "option", part);
                }
                self.change(choice, |choose| {
                    for old in choose.options.iter_mut().flatten().filter(|o| o.name.text == option.text) {
                        let at = if *after { old.body.stmts.len() } else { 0 };
                        old.body.stmts.splice(at..at, body.stmts.iter().cloned());
                    }
                });
            }
            ExtendPart::Without(option) => {
                if self.claim("option", &key(option), option.span) {
                    if let Some(part) = named(option) {
                        self.name(option.span, "option", part);
                    }
                    self.change(choice, |choose| {
                        choose.options.retain(|o| o.as_ref().is_none_or(|o| o.name.text != option.text));
                    });
                }
            }
            ExtendPart::Hole => {}
        }
    }

    /// Reports that no choice has a name. A choice without one, and an option that has it, may be meant.
    fn no_choice(&mut self, name: &str, span: Span, code: Code, known: &[String]) {
        let message = match name {
            "" => "the name of the choice is missing".to_owned(),
            _ => format!("the game has no choice `{name}`"),
        };
        let mut error = Diagnostic::error(code, span, message);
        let unnamed = self.choices_without_name();
        let mut holder: Option<Name> = None;
        self.chooses(&mut |choose, choice| {
            let holds = choose.options.iter().flatten().any(|option| option.name.text == name);
            holder = holder.take().or_else(|| choice.filter(|_| holds).cloned());
        });
        if let Some(meant) = did_you_mean(name, known.iter().map(String::as_str)) {
            error = error.help(format!("did you mean `{meant}`?"));
        } else if let Some(choice) = holder {
            let choice = &choice.text;
            error = error.help(format!(
                "`{name}` is an option of the choice `{choice}`: write `extend {choice} {{ … }}`"
            ));
        } else if let Some((place, at)) = unnamed.first() {
            if !known.is_empty() {
                error = error.note(listed(known));
            }
            error = error.also(*at, "this choice has no name").help(format!(
                "its choice has no name: write `choose NAME {{ … }}` there, or replace {place}"
            ));
        } else if !known.is_empty() {
            error = error.note(listed(known));
        }
        self.messages.push(error);
    }

    /// The choices that have no name, neither their own nor that of a step: what they stand in, in words, and where.
    fn choices_without_name(&mut self) -> Vec<(String, Span)> {
        let mut found = vec![];
        for decl in &mut self.game.decls {
            let (kind, name) = key(&decl.kind);
            let name = name.map_or(String::new(), |name| format!(" {}", name.text));
            let whole = if kind == "procedure" { "(…) { … }" } else { " { … }" };
            let place = format!("the whole `{kind}{name}{whole}`");
            each_block(decl, &mut |block, step| {
                for stmt in &block.stmts {
                    if let StmtKind::Choose(choose) = &stmt.kind
                        && name_of(choose, step).is_none()
                    {
                        let end = stmt.span.start.saturating_add("choose".len() as u32).min(stmt.span.end);
                        found.push((place.clone(), Span { end, ..stmt.span }));
                    }
                }
            });
        }
        found
    }

    pub(super) fn no_such(&mut self, what: &str, name: &Name, known: &[String]) {
        let message = format!("the game has no {what} `{}`", name.text);
        let mut error = Diagnostic::error(Code::UnknownTarget, name.span, message);
        if let Some(meant) = did_you_mean(&name.text, known.iter().map(String::as_str)) {
            error = error.help(format!("did you mean `{meant}`?"));
        } else if !known.is_empty() {
            error = error.note(listed(known));
        } else if what == "step" {
            error = error
                .note("it has no steps")
                .help("write the whole `turn { … }` anew, or add to an option: `extend CHOICE { after OPTION { … } }`");
        }
        self.messages.push(error);
    }

    /// Applies `f` to the first choice with a name. A body added by an edit may contain choices without
    /// a name, which take the same name from their step.
    fn change(&mut self, choice: &Name, f: impl FnOnce(&mut Choose)) {
        let mut change = Some(f);
        self.chooses(&mut |choose, name| {
            if name.is_some_and(|n| n.text == choice.text)
                && let Some(f) = change.take()
            {
                f(choose);
            }
        });
    }

    /// The names of all steps.
    fn steps(&mut self) -> Vec<Name> {
        let mut steps = vec![];
        self.blocks(&mut |block| {
            for stmt in &block.stmts {
                if let StmtKind::Step { name, .. } = &stmt.kind {
                    steps.push(name.clone());
                }
            }
        });
        steps
    }

    /// The names of all choices, own or taken from their steps, with their locations.
    fn choose_names(&mut self) -> Vec<Name> {
        let mut found = vec![];
        self.chooses(&mut |_, name| found.extend(name.cloned()));
        found
    }

    fn blocks(&mut self, f: &mut impl FnMut(&mut Block)) {
        for decl in &mut self.game.decls {
            each_block(decl, &mut |block, _| f(block));
        }
    }

    fn chooses(&mut self, f: &mut impl FnMut(&mut Choose, Option<&Name>)) {
        for decl in &mut self.game.decls {
            each_block(decl, &mut |block, step| {
                for stmt in &mut block.stmts {
                    if let StmtKind::Choose(choose) = &mut stmt.kind {
                        let name = name_of(choose, step).cloned();
                        f(choose, name.as_ref());
                    }
                }
            });
        }
    }
}

fn names(list: &[Name]) -> Vec<String> {
    list.iter().map(|n| n.text.clone()).collect()
}

fn name_of<'a>(choose: &'a Choose, step: Option<&'a Name>) -> Option<&'a Name> {
    choose.name.as_ref().or(step)
}

fn put_option(choose: &mut Choose, option: &ChoiceOption, exists: bool) {
    if !exists {
        choose.options.push(Some(option.clone()));
        return;
    }
    for old in choose.options.iter_mut().flatten().filter(|o| o.name.text == option.name.text) {
        // Words tell the help text of an option in place of its statements.
        old.clone_from(option);
    }
}

/// Calls `f` with every block in a declaration, outer ones first, and the step that contains it.
fn each_block(decl: &mut Decl, f: &mut dyn FnMut(&mut Block, Option<&Name>)) {
    match &mut decl.kind {
        DeclKind::Turn(body) | DeclKind::Round(body) => visit(body, None, f),
        DeclKind::Setup { body, .. } | DeclKind::Procedure { body, .. } => visit(body, None, f),
        _ => {}
    }
}

fn visit(block: &mut Block, step: Option<&Name>, f: &mut dyn FnMut(&mut Block, Option<&Name>)) {
    f(block, step);
    for stmt in &mut block.stmts {
        match &mut stmt.kind {
            StmtKind::Step { name, body, .. } => visit(body, Some(&name.clone()), f),
            _ => stmt.blocks_mut().into_iter().for_each(|body| visit(body, step, f)),
        }
    }
}

#[cfg(test)]
impl Merger {
    /// The options of a choice.
    pub(super) fn options_of(&mut self, choice: &str) -> Vec<ChoiceOption> {
        let mut found = vec![];
        self.chooses(&mut |choose, name| {
            if name.is_some_and(|n| n.text == choice) {
                found.extend(choose.options.iter().flatten().cloned());
            }
        });
        found
    }
}
