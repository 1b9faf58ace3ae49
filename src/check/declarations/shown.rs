//! Checks `shown as …`: colours and letters of pieces, players, elements and sets of sites, variables as boxes, and zones
//! as chains.

use crate::checker::Checker;
use crate::draft::Draft;
use crate::messages::Messages;
use crate::names::name_table::Entity;
use crate::resolution::defines::Use;
use crate::values::Val;
use houserule_base::limits;
use houserule_language::diagnostic::{Code, Diagnostic, Span, did_you_mean};
use houserule_language::syntax;
use houserule_language::syntax::{BinaryOp, DeclKind, ExprKind as S, Modifier, ModifierKind};
use houserule_language::vocabulary::WordKind;
use houserule_model::board::BitSet;
use houserule_model::*;

/// Characters reserved by drawings for empty sites, frames and legends.
const TAKEN: &str = ".?|+-,=:\"";

const FORMS: &str = "write a colour, a letter, or both: `shown as grey`, `shown as \"W\"`, `shown as \"W\" in grey`; \
                     for a family, one for each: `shown as [X: red, O: blue]`";

impl<'a> Checker<'a> {
    /// Checks `var … shown as boxes`.
    pub(super) fn shown_var(&mut self, modifiers: &'a [Modifier], content: Content) -> DisplayForm {
        let Some(value) = shown_operand(&mut self.draft.messages, modifiers) else {
            return DisplayForm::Plainly;
        };
        match &value.kind {
            S::Hole => self.draft.messages.add_hole(),
            S::Name(word) if word.text == "boxes" => match content {
                Content::Number { low: 0, high } if high <= limits::BOXES => {
                    self.recorder.refer_to_word(WordKind::Look, word);
                    return DisplayForm::Boxes;
                }
                _ => {
                    let message = "only a number that begins at 0 can be shown as boxes";
                    let message = format!("{message}, and there can be at most {}", limits::BOXES);
                    let d = Diagnostic::error(Code::ShownAsBoxes, value.span, message)
                        .help("give the variable such a type, as in `var penalties: 0..3 shown as boxes`");
                    self.draft.messages.report(d);
                }
            },
            _ => {
                let d = Diagnostic::error(Code::ShownAs, value.span, "a variable can't be shown as this")
                    .help("write `shown as boxes`, or leave it out");
                self.draft.messages.report(d);
            }
        }
        DisplayForm::Plainly
    }

    /// Checks `zone … shown as chain` and `shown as chain(ends)`.
    pub(super) fn shown_zone(&mut self, modifiers: &'a [Modifier], zone: SlotId) -> DisplayForm {
        let Some(value) = shown_operand(&mut self.draft.messages, modifiers) else {
            return DisplayForm::Plainly;
        };
        let counter = match &value.kind {
            S::Hole => {
                self.draft.messages.add_hole();
                return DisplayForm::Plainly;
            }
            S::Name(word) if word.text == "chain" => {
                self.recorder.refer_to_word(WordKind::Look, word);
                None
            }
            S::Call(word, args) if word.text == "chain" && args.len() == 1 => {
                self.recorder.refer_to_word(WordKind::Look, word);
                Some(&args[0].value)
            }
            _ => {
                let d = Diagnostic::error(Code::ShownAs, value.span, "a zone can't be shown as this").help(
                    "write `shown as chain`, `shown as chain(ends)` with the variable that counts the open \
                           ends of each number, or leave it out",
                );
                self.draft.messages.report(d);
                return DisplayForm::Plainly;
            }
        };
        let slot = &self.draft.model.slots[zone.index()];
        let numbers = |domain: DomainId| match &self.draft.model.domains[domain.index()].kind {
            DomainKind::Record { fields, named, .. } => {
                named.is_empty()
                    && fields.len() == 2
                    && fields.iter().all(|field| field.of.is_none() && !field.values.contains(&None))
            }
            _ => false,
        };
        let is_chain = slot.role == Role::Zone
            && slot.visibility == Visibility::All
            && slot.index.is_empty()
            && matches!(slot.content, Content::Set(domain) if numbers(domain));
        if !is_chain {
            let d = Diagnostic::error(Code::ShownAs, value.span, "this zone can't be shown as a chain")
                .note("a chain is one zone that everybody sees, of tiles with two numbers")
                .help("declare such a zone, as in `domain tile { low: 0..6, high: low..6 }` and `zone line of tile`");
            self.draft.messages.report(d);
            return DisplayForm::Plainly;
        }
        let Some(counter) = counter else { return DisplayForm::Chain(None) };
        let S::Name(name) = &counter.kind else {
            report_not_a_counter(&mut self.draft.messages, counter.span);
            return DisplayForm::Plainly;
        };
        match self.entity(name) {
            Some(Entity::Slot(slot)) if self.draft.counts_numbers(slot) => DisplayForm::Chain(Some(slot)),
            Some(Entity::Poison) => DisplayForm::Plainly,
            _ => {
                report_not_a_counter(&mut self.draft.messages, counter.span);
                DisplayForm::Plainly
            }
        }
    }

    /// Checks `piece … shown as …`. `index` is the index of the piece without that of its board.
    pub(super) fn shown_piece(
        &mut self,
        modifiers: &'a [Modifier],
        index: &[DomainId],
        board: BoardId,
    ) -> DisplayForm {
        let Some(value) = shown_operand(&mut self.draft.messages, modifiers) else {
            return DisplayForm::Plainly;
        };
        let size = index.iter().map(|domain| self.draft.size(*domain) as usize).product();
        let mut looks: Vec<Option<Look>> = vec![None; size];
        let whole = self.fill(value, index, &mut looks, &mut |c, e| c.read_look(e, "piece"));
        let looks: Vec<Look> = looks.into_iter().map(Option::unwrap_or_default).collect();
        if whole {
            let pieces = self.draft.model.boards[board.index()].pieces.iter();
            let others = pieces.flat_map(|piece| match &self.draft.model.slots[piece.index()].shown {
                DisplayForm::Pieces(looks) => letters(looks),
                _ => vec![],
            });
            check_letters_differ(
                &mut self.draft.messages,
                others.collect(),
                &looks,
                value,
                "two kinds of pieces of this board",
            );
        }
        DisplayForm::Pieces(looks)
    }

    /// Checks `enum … shown as …`, and the same of numbers and players.
    pub(crate) fn shown_elements(&mut self) {
        let game = self.input.game;
        // To show a thing is not to use it.
        let used = self.usage.names.clone();
        for decl in &game.decls {
            let (noun, name, modifiers) = match &decl.kind {
                DeclKind::Enum { name, modifiers, .. } => ("value", Some(name), modifiers),
                DeclKind::Range { name, modifiers, .. } => ("number", Some(name), modifiers),
                DeclKind::Record { name, kinds, modifiers }
                    if kinds.iter().any(|kind| !kind.named().is_empty()) =>
                {
                    ("value", Some(name), modifiers)
                }
                DeclKind::Record { modifiers, .. } => {
                    if let Some(modifier) = modifiers.first() {
                        let message = "records are shown by their fields";
                        let d = Diagnostic::error(Code::Misplaced, modifier.span, message).help(
                            "write it after the domains of the fields: `enum suit { clubs, hearts } shown as [hearts: \"H\" in red]`",
                        );
                        self.draft.messages.report(d);
                    }
                    continue;
                }
                DeclKind::Players(_, modifiers) => ("player", None, modifiers),
                _ => continue,
            };
            for modifier in modifiers.iter().filter(|modifier| modifier.kind != ModifierKind::Shown) {
                self.draft.messages.error(
                    Code::Misplaced,
                    modifier.span,
                    "only `shown as` goes with this declaration",
                );
            }
            let domain = match name.map(|name| self.names.resolved(&name.text)) {
                None => PLAYER,
                Some(Some(Entity::Domain(domain))) => *domain,
                Some(_) => continue,
            };
            let Some(value) = shown_operand(&mut self.draft.messages, modifiers) else { continue };
            let size = self.draft.size(domain) as usize;
            let mut looks: Vec<Option<Look>> = vec![None; size];
            self.context.may_be_absent = name.is_none();
            // The looks of players who don't play are checked, too.
            if let S::Map(entries) = &value.kind {
                let absent = |key: &syntax::Expr| matches!(key.kind, S::Player(n) if n > size as i64);
                for entry in entries.iter().filter(|entry| absent(&entry.key)) {
                    self.read_look(&entry.value, noun);
                }
            }
            let whole =
                self.in_isolation(|c| c.fill(value, &[domain], &mut looks, &mut |c, e| c.read_look(e, noun)));
            self.context.may_be_absent = false;
            let looks: Vec<Look> = looks.into_iter().map(Option::unwrap_or_default).collect();
            if whole {
                check_letters_differ(
                    &mut self.draft.messages,
                    vec![],
                    &looks,
                    value,
                    &format!("two {noun}s"),
                );
            }
            self.draft.model.domains[domain.index()].looks = looks;
        }
        self.usage.names = used;
    }

    /// Checks `define … shown as …`: a constant set of sites that drawings show.
    pub(crate) fn shown_sets(&mut self) {
        let game = self.input.game;
        for (at, decl) in game.decls.iter().enumerate() {
            let DeclKind::Define { name, params, value, modifiers } = &decl.kind else { continue };
            for modifier in modifiers.iter().filter(|modifier| modifier.kind != ModifierKind::Shown) {
                self.draft.messages.error(
                    Code::Misplaced,
                    modifier.span,
                    "only `shown as` goes with this declaration",
                );
            }
            let Some(shown) = shown_operand(&mut self.draft.messages, modifiers) else { continue };
            let own = self.names.is_declared_at(name);
            let look = self.read_look(shown, "set");
            if !own {
                continue;
            }
            if !params.is_empty() {
                let message = format!("`{}` has parameters, so it is no single set to show", name.text);
                let d = Diagnostic::error(Code::ShownAs, shown.span, message)
                    .help("leave `shown as` out, or write it after a define without parameters");
                self.draft.messages.report(d);
                continue;
            }
            // To show a set is to use it.
            self.usage.names.insert(name.text.as_str());
            let set = self.in_isolation(|c| c.expand(at, Use::Name, value.span));
            let Some((board, sites)) = self.draft.constant_sites(&name.text, set, shown.span) else {
                continue;
            };
            let Some(look) = look else { continue };
            if let Some(letter) = look.letter
                && let Some(other) = self.draft.thing_with(letter, board)
            {
                let message = format!("`{letter}` stands for `{}` and for {other}", name.text);
                let d = Diagnostic::error(Code::ShownAsTwice, shown.span, message)
                    .help("give the set a letter of its own, or a colour alone: `shown as grey`");
                self.draft.messages.report(d);
            }
            let ground = Ground { name: name.text.clone(), sites, look };
            self.draft.model.boards[board.index()].grounds.push(ground);
        }
    }

    fn read_look(&mut self, e: &'a syntax::Expr, noun: &str) -> Option<Look> {
        match &e.kind {
            S::Text(_) => {
                Some(Look { letter: Some(look_letter(&mut self.draft.messages, e, noun)?), colour: None })
            }
            S::Name(_) => Some(Look { colour: Some(self.look_colour(e)?), letter: None }),
            S::Binary(BinaryOp::In, letter, colour) if matches!(letter.kind, S::Text(_)) => {
                let (letter, colour) =
                    (look_letter(&mut self.draft.messages, letter, noun), self.look_colour(colour));
                Some(Look { letter: Some(letter?), colour: Some(colour?) })
            }
            S::Hole => {
                self.draft.messages.add_hole();
                None
            }
            _ => {
                let message = format!("a {noun} can't be shown as this");
                let d = Diagnostic::error(Code::ShownAs, e.span, message).help(FORMS);
                self.draft.messages.report(d);
                None
            }
        }
    }

    fn look_colour(&mut self, e: &'a syntax::Expr) -> Option<Colour> {
        let S::Name(word) = &e.kind else {
            let d = Diagnostic::error(Code::ShownAs, e.span, "expected the name of a colour").help(FORMS);
            self.draft.messages.report(d);
            return None;
        };
        let name = &word.text;
        let found = Colour::named(name);
        if found.is_some() {
            self.recorder.refer_to_word(WordKind::Look, word);
        } else {
            let mut d =
                Diagnostic::error(Code::UnknownColour, e.span, format!("no colour is called `{name}`"));
            let names = Colour::NAMES.map(|(name, _)| name);
            d = match did_you_mean(name, names) {
                Some(better) => d.help(format!("did you mean `{better}`?")),
                None => d,
            };
            let listed: Vec<&str> =
                Colour::NAMES.iter().filter(|(name, c)| c.name() == *name).map(|(name, _)| *name).collect();
            self.draft.messages.report(d.note(format!("the colours are {}", listed.join(", "))));
        }
        found
    }
}

impl Draft {
    fn counts_numbers(&self, slot: SlotId) -> bool {
        let slot = &self.model.slots[slot.index()];
        let [only] = slot.index[..] else { return false };
        slot.role == Role::Variable
            && slot.visibility == Visibility::All
            && matches!(slot.content, Content::Number { .. })
            && matches!(self.model.domains[only.index()].kind, DomainKind::Range { .. })
    }

    /// The sites of a set that is to be shown, with their board. Reports a set of other things and a set that depends on
    /// the state.
    fn constant_sites(&mut self, name: &str, set: Val, span: Span) -> Option<(BoardId, BitSet)> {
        const FORM: &str = "write it after a set of sites that stays the same, as in \
                            `define goals = {@b2, @c3} shown as \"x\"`";
        let value = match set {
            Val::Poison => return None,
            Val::Expr(value, _) => Some(value),
            _ => None,
        };
        let board = value.as_ref().and_then(|value| {
            let (Type::Set(domain) | Type::Element(domain)) = value.ty else { return None };
            match self.model.domains[domain.index()].kind {
                DomainKind::Sites(board) => Some(board),
                _ => None,
            }
        });
        let (Some(value), Some(board)) = (value, board) else {
            let message = format!("`{name}` is no set of sites, so no board can show it");
            self.messages.report(Diagnostic::error(Code::ShownAs, span, message).help(FORM));
            return None;
        };
        let of = &self.model.boards[board.index()];
        if of.sides_of.is_some() {
            let message = format!("`{name}` is a set of `{}`, which drawings show as lines", of.name);
            let d = Diagnostic::error(Code::ShownAs, span, message)
                .help("only sites that aren't the sides of others or links between them can be shown");
            self.messages.report(d);
            return None;
        }
        match value.kind {
            CheckedExprKind::Constant(Value::Set(sites)) => Some((board, sites)),
            CheckedExprKind::Constant(Value::Element(site)) => {
                Some((board, BitSet::from_elements(of.topology.size(), site)))
            }
            _ => {
                let message = format!("`{name}` may change during the game, so it is no part of the board");
                let d = Diagnostic::error(Code::ShownAs, span, message)
                    .note("only a set that depends on nothing but the board and the params is shown")
                    .help(FORM);
                self.messages.report(d);
                None
            }
        }
    }

    /// What has a letter on a board already.
    fn thing_with(&self, letter: char, board: BoardId) -> Option<String> {
        let of = &self.model.boards[board.index()];
        let has = |look: &Look| look.letter == Some(letter);
        if let Some(ground) = of.grounds.iter().find(|ground| has(&ground.look)) {
            return Some(format!("`{}`", ground.name));
        }
        for piece in &of.pieces {
            let slot = &self.model.slots[piece.index()];
            let given = matches!(&slot.shown, DisplayForm::Pieces(looks) if looks.iter().any(has));
            // The pieces of a player or of a kind have its letter, which may be in lower case.
            let own = slot.index[of.index.len()..].iter().any(|domain| {
                let small = letter.to_uppercase().next();
                let looks = &self.model.domains[domain.index()].looks;
                let named = |name: &String| name.chars().eq([letter]);
                looks.iter().any(|look| has(look) || look.letter.is_some() && look.letter == small)
                    || *domain == PLAYER && self.model.players.names.iter().any(named)
            });
            if given || own {
                return Some(format!("the piece `{}`", slot.name));
            }
        }
        None
    }
}

fn letters(looks: &[Look]) -> Vec<char> {
    looks.iter().filter_map(|look| look.letter).collect()
}

/// Returns `true` if a character is visible and takes one column of a terminal.
fn is_narrow(letter: char) -> bool {
    !letter.is_control() && !letter.is_whitespace() && unicode_width(letter) == 1
}

fn unicode_width(letter: char) -> usize {
    match letter as u32 {
        // Combining marks, and characters that only control text direction or layout.
        0x300..=0x36f | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0xfe00..=0xfe0f | 0xfeff => 0,
        0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xfe30..=0xfe6f => 2,
        0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f000..=0x1faff | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

fn spaced(characters: &str) -> String {
    characters.chars().map(|c| format!("`{c}`")).collect::<Vec<_>>().join(" ")
}

/// Reports a letter that stands for two things.
fn check_letters_differ(
    messages: &mut Messages,
    mut used: Vec<char>,
    looks: &[Look],
    value: &syntax::Expr,
    what: &str,
) {
    let mut twice: Option<char> = None;
    for letter in letters(looks) {
        if used.contains(&letter) {
            twice = Some(letter);
        }
        used.push(letter);
    }
    if let Some(letter) = twice {
        let message = format!("`{letter}` stands for {what}");
        let d = Diagnostic::error(Code::ShownAsTwice, value.span, message)
            .help("give each kind a letter of its own: `shown as [big: \"B\", small: \"s\"]`");
        messages.report(d);
    }
}

fn look_letter(messages: &mut Messages, e: &syntax::Expr, noun: &str) -> Option<char> {
    let S::Text(text) = &e.kind else { return None };
    let mut characters = text.chars();
    let (first, rest) = (characters.next(), characters.next());
    match first {
        Some(letter) if rest.is_none() && !TAKEN.contains(letter) && is_narrow(letter) => Some(letter),
        _ => {
            let message = match rest {
                Some(_) => format!("a {noun} is shown as one character"),
                None => format!("`{text}` can't stand for a {noun}"),
            };
            let d = Diagnostic::error(Code::ShownAsLetter, e.span, message)
                .note(format!("drawings need the characters {} for other things", spaced(TAKEN)))
                .help("write one letter, digit or sign, such as \"W\"");
            messages.report(d);
            None
        }
    }
}

fn report_not_a_counter(messages: &mut Messages, span: Span) {
    let d = Diagnostic::error(Code::ShownAs, span, "this doesn't count the open ends of a chain")
        .help("name a variable that everybody sees, with a number for each number of a tile: `var ends[0..6]: 0..10`");
    messages.report(d);
}

/// The operand of `shown as`. Reports a second one.
fn shown_operand<'a>(messages: &mut Messages, modifiers: &'a [Modifier]) -> Option<&'a syntax::Expr> {
    let mut all = modifiers.iter().filter(|modifier| modifier.kind == ModifierKind::Shown);
    let first = all.next()?;
    if let Some(second) = all.next() {
        let message = "there is a `shown as` already";
        let d = Diagnostic::error(Code::Misplaced, second.span, message)
            .also(first.span, "here")
            .help("leave one of the two out");
        messages.report(d);
    }
    first.value.as_deref()
}
