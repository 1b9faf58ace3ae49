//! `shown NAME as …`: looks that stand apart from what they are about.

use crate::checker::Checker;
use crate::checker::input::declared_name;
use houserule_language::diagnostic::{Code, Diagnostic};
use houserule_language::syntax::{Decl, DeclKind, Modifier, ModifierKind, Name};
use houserule_model::DomainId;

impl<'a> Checker<'a> {
    /// What is said about how a thing is shown: by its own declaration, then by the looks apart, in the order of the text.
    /// Reports a second look in the declaration.
    pub(in crate::declarations) fn looks_of(
        &mut self,
        name: &Name,
        own: &'a [Modifier],
    ) -> Vec<&'a Modifier> {
        self.looks_called(&[&name.text], own)
    }

    /// Like [`Self::looks_of`], of a thing with several names.
    pub(super) fn looks_called(&mut self, names: &[&str], own: &'a [Modifier]) -> Vec<&'a Modifier> {
        let mut looks: Vec<&'a Modifier> = vec![];
        for modifier in own.iter().filter(|modifier| modifier.kind.is_look()) {
            if let Some(first) = looks.iter().find(|look| look.kind == modifier.kind) {
                let message = format!("there is a `{}` already", look_word(modifier.kind));
                let d = Diagnostic::error(Code::Misplaced, modifier.span, message)
                    .also(first.span, "here")
                    .help("leave one of the two out");
                self.draft.messages.report(d);
                continue;
            }
            looks.push(modifier);
        }
        looks.extend(self.later_looks(names));
        looks
    }

    /// Returns the looks apart of a thing with some names, in the order of the text.
    pub(super) fn later_looks(&self, names: &[&str]) -> Vec<&'a Modifier> {
        let game = self.input.game;
        let of = |decl: &'a Decl| match &decl.kind {
            DeclKind::Shown { name, modifiers } if names.contains(&name.text.as_str()) => &modifiers[..],
            _ => &[],
        };
        game.decls.iter().flat_map(of).collect()
    }

    /// Reports looks of kinds that don't go with a thing.
    pub(in crate::declarations) fn allow_looks(
        &mut self,
        looks: &[&'a Modifier],
        kinds: &[ModifierKind],
        what: &str,
    ) {
        for look in looks.iter().filter(|look| !kinds.contains(&look.kind)) {
            let message = format!("`{}` doesn't go with {what}", look_word(look.kind));
            let d = Diagnostic::error(Code::Misplaced, look.span, message).help(match look.kind {
                ModifierKind::Shown => "leave it out: it is drawn in one way only",
                ModifierKind::ShownAt => "boards have places, and counters: `shown as disc at (7, 7)`",
                _ => "a board lies over another one: `board spot = grid(9, 9) shown over cell`",
            });
            self.draft.messages.report(d);
        }
    }

    /// Reports modifiers that are about something else than how a thing is shown.
    pub(super) fn only_looks(&mut self, own: &'a [Modifier]) {
        for modifier in own.iter().filter(|modifier| !modifier.kind.is_look()) {
            let message = "only `shown as` goes with this declaration";
            self.draft.messages.error(Code::Misplaced, modifier.span, message);
        }
    }

    /// Checks the names of the looks apart, and shows the elements that they name.
    pub(super) fn later_elements(&mut self) {
        let game = self.input.game;
        for decl in &game.decls {
            let DeclKind::Shown { name, modifiers } = &decl.kind else { continue };
            let declared = game
                .decls
                .iter()
                .find(|other| declared_name(&other.kind).is_some_and(|own| own.text == name.text));
            if let Some(declared) = declared {
                self.refer_to_declaration(name);
                self.refuse_unshown(name, &declared.kind);
                continue;
            }
            let elements: Vec<(DomainId, u32)> =
                self.names.values.get(name.text.as_str()).cloned().unwrap_or_default();
            let is_players = matches!(name.text.as_str(), "player" | "players");
            match elements[..] {
                _ if is_players || self.names.is_declared(&name.text) => {}
                [] => {
                    let help = "after `shown` there is the name of a board, a piece, a zone, a variable, a domain \
                                or one of its values";
                    self.report_unknown_name_or(&name.text, name.span, None, Some(help.to_owned()));
                }
                [(domain, element)] => self.show_element(name, modifiers, domain, element),
                _ => {
                    let message = format!("several domains have a value `{}`", name.text);
                    let d = Diagnostic::error(Code::AmbiguousName, name.span, message)
                        .help(format!("name the domain: `shown DOMAIN as [{}: …]`", name.text));
                    self.draft.messages.report(d);
                }
            }
        }
    }

    fn show_element(&mut self, name: &Name, modifiers: &'a [Modifier], domain: DomainId, element: u32) {
        self.recorder.refer_to_element(name.span, domain, element);
        let looks: Vec<&'a Modifier> = modifiers.iter().collect();
        self.allow_looks(&looks, &[ModifierKind::Shown], "a value");
        for value in super::operands(&looks, ModifierKind::Shown) {
            let Some(found) = self.read_look(value, "value") else { continue };
            let of = &mut self.draft.model.domains[domain.index()];
            of.looks.resize(of.size as usize, Default::default());
            of.looks[element as usize] = of.looks[element as usize].with(found);
        }
    }

    /// Reports a look of something that drawings never show.
    fn refuse_unshown(&mut self, name: &Name, declared: &DeclKind) {
        let what = match declared {
            DeclKind::Param(_) => "a param",
            DeclKind::Procedure { .. } => "a procedure",
            DeclKind::Team { .. } => "a team",
            DeclKind::Dice { .. } => "dice",
            _ => return,
        };
        let message = format!("`{}` is {what}, and `shown` says nothing about that", name.text);
        let d = Diagnostic::error(Code::Misplaced, name.span, message)
            .help("show a board, a piece, a zone, a variable, a domain, one of its values or the players");
        self.draft.messages.report(d);
    }
}

fn look_word(kind: ModifierKind) -> &'static str {
    match kind {
        ModifierKind::ShownAt => "shown at",
        ModifierKind::ShownOver => "shown over",
        _ => "shown as",
    }
}
