//! Checks `shown as …`: colours, letters and pictures of pieces, players, elements and sets of sites, and the forms of
//! variables and zones. `shown NAME as …` counts after what the declaration of the name says.

mod boards;
mod counts;
mod later;
mod places;

use crate::checker::Checker;
use crate::draft::Draft;
use crate::messages::Messages;
use crate::names::name_table::Entity;
use crate::resolution::defines::Use;
use crate::values::Val;
use houserule_base::limits;
use houserule_language::diagnostic::{Code, Diagnostic, Span, did_you_mean};
use houserule_language::syntax;
use houserule_language::syntax::{BinaryOp, DeclKind, ExprKind as S, Modifier, ModifierKind, Name};
use houserule_language::vocabulary::WordKind;
use houserule_model::board::BitSet;
use houserule_model::*;

/// Characters reserved by drawings for empty sites, frames and legends.
const TAKEN: &str = ".?|+-,=:\"";

/// Where all pictures are named.
const PICTURES: &str = "the language reference lists all under \"How pieces and variables are shown\"";

const FORMS: &str = "write a colour, a letter, or both: `shown as grey`, `shown as \"W\"`, `shown as \"W\" in grey`; \
                     or a picture: `shown as rook`, `shown as house in red`; \
                     for a family, one for each: `shown as [X: red, O: blue]`";

impl<'a> Checker<'a> {
    /// Checks how a variable is shown: `boxes`, `track(N)`, a picture, `area`, `nothing`.
    pub(super) fn shown_var(
        &mut self,
        name: &Name,
        modifiers: &'a [Modifier],
        index: &[DomainId],
        content: Content,
    ) -> DisplayForm {
        let looks = self.looks_of(name, modifiers);
        self.allow_looks(&looks, &[ModifierKind::Shown, ModifierKind::ShownAt], "a variable");
        let places = last_operand(&looks, ModifierKind::ShownAt);
        let places = places.map(|value| (value.span, self.counter_places(value, index)));
        let form = match last_operand(&looks, ModifierKind::Shown) {
            Some(value) => self.var_form(value, content),
            None => DisplayForm::Plainly,
        };
        match (form, places) {
            (DisplayForm::Counters(counters), Some((_, places))) => {
                DisplayForm::Counters(CounterLook { places, ..counters })
            }
            (form, Some((span, _))) => {
                let d = Diagnostic::error(Code::ShownAs, span, "only counters have places")
                    .help("say what a counter is, too: `shown as disc at [1: (2, 2), 2: (2, 11)]`");
                self.draft.messages.report(d);
                form
            }
            (form, None) => form,
        }
    }

    fn var_form(&mut self, value: &'a syntax::Expr, content: Content) -> DisplayForm {
        let number = match content {
            Content::Number { low: 0, high } => Some(high),
            _ => None,
        };
        match &value.kind {
            S::Hole => self.draft.messages.add_hole(),
            S::Name(word) if word.text == "nothing" => {
                self.recorder.refer_to_word(WordKind::Look, word);
                return DisplayForm::Nothing;
            }
            S::Name(word) if word.text == "area" => {
                self.recorder.refer_to_word(WordKind::Look, word);
                if let Content::Set(domain) = content
                    && self.draft.board_of(domain).is_some()
                {
                    return DisplayForm::Area;
                }
                let message = "only a set of sites can be shown as an area";
                let d = Diagnostic::error(Code::ShownAs, value.span, message).help(
                    "give the variable such a type, as in `var land[player]: set of cell shown as area`",
                );
                self.draft.messages.report(d);
            }
            S::Call(word, args) if word.text == "track" && args.len() == 1 => {
                self.recorder.refer_to_word(WordKind::Look, word);
                let range = 2..=limits::TRACK_PLACES;
                let what = "the length of a track";
                let size = self.constant_between(&args[0].value, what, range, Code::ShownAs);
                let Content::Number { .. } = content else {
                    let message = "only a number can be shown on a track";
                    let d = Diagnostic::error(Code::ShownAs, value.span, message)
                        .help("give the variable such a type, as in `var points[player]: 0..121 shown as track(121)`");
                    self.draft.messages.report(d);
                    return DisplayForm::Plainly;
                };
                return size.map_or(DisplayForm::Plainly, |size| DisplayForm::Track(size as u32));
            }
            S::Name(word) if word.text == "boxes" => match number {
                Some(high) if high <= limits::BOXES => {
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
                if let Some(look) = self.picture_look(value) {
                    let is_set_of_sites =
                        matches!(content, Content::Set(domain) if self.draft.board_of(domain).is_some());
                    if number.is_some() || is_set_of_sites {
                        return DisplayForm::Counters(CounterLook { look, places: vec![] });
                    }
                    let message = "only a number that begins at 0, or a set of sites, can be shown as pictures, one for each";
                    let d = Diagnostic::error(Code::ShownAs, value.span, message).help(
                        "give the variable such a type, as in `var left[player]: 0..7 = 7 shown as meeple`",
                    );
                    self.draft.messages.report(d);
                    return DisplayForm::Plainly;
                }
                let words = ["boxes", "track", "area", "nothing"];
                let d = Diagnostic::error(Code::ShownAs, value.span, "a variable can't be shown as this")
                    .help(near_look(value, &words).unwrap_or_else(|| {
                    "write `shown as boxes`, `shown as track(60)`, a picture such as `shown as meeple`, or \
                         `shown as nothing`; or leave it out"
                        .to_owned()
                }));
                self.draft.messages.report(d);
            }
        }
        DisplayForm::Plainly
    }

    /// Checks `zone … shown as row`, `column`, `pile`, `nothing`, `chain` and `chain(ends)`.
    pub(super) fn shown_zone(&mut self, name: &Name, modifiers: &'a [Modifier], zone: SlotId) -> DisplayForm {
        let looks = self.looks_of(name, modifiers);
        self.allow_looks(&looks, &[ModifierKind::Shown], "a zone");
        let Some(value) = last_operand(&looks, ModifierKind::Shown) else {
            return DisplayForm::Plainly;
        };
        let form = match &value.kind {
            S::Name(word) => zone_form(&word.text).map(|form| (word, form)),
            _ => None,
        };
        if let Some((word, form)) = form {
            self.recorder.refer_to_word(WordKind::Look, word);
            return form;
        }
        if matches!(value.kind, S::Hole) {
            self.draft.messages.add_hole();
            return DisplayForm::Plainly;
        }
        let Some((word, counter)) = word_with(value, "chain") else {
            let d = Diagnostic::error(Code::ShownAs, value.span, "a zone can't be shown as this").help(
                near_look(value, &["row", "column", "pile", "nothing", "chain"]).unwrap_or_else(|| {
                    "write `shown as row`, `column`, `pile`, `nothing`, `chain`, or `chain(ends)` with the \
                     variable that counts the open ends of each number; or leave it out"
                        .to_owned()
                }),
            );
            self.draft.messages.report(d);
            return DisplayForm::Plainly;
        };
        self.recorder.refer_to_word(WordKind::Look, word);
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
        name: &Name,
        modifiers: &'a [Modifier],
        index: &[DomainId],
        board: BoardId,
    ) -> DisplayForm {
        let all = self.looks_of(name, modifiers);
        self.allow_looks(&all, &[ModifierKind::Shown], "a piece");
        let Some(value) = last_operand(&all, ModifierKind::Shown) else { return DisplayForm::Plainly };
        let size = index.iter().map(|domain| self.draft.size(*domain) as usize).product();
        let mut looks = vec![Look::default(); size];
        let mut whole = true;
        for value in operands(&all, ModifierKind::Shown) {
            whole &= self.overlay(value, index, &mut looks, "piece");
        }
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
            let (noun, name) = match &decl.kind {
                DeclKind::Enum { name, .. } => ("value", Some(name)),
                DeclKind::Range { name, .. } => ("number", Some(name)),
                DeclKind::Record { name, .. } if self.is_shown_as_tile(name, decl) => {
                    self.shown_tile(name, decl);
                    continue;
                }
                DeclKind::Record { name, kinds, .. } if kinds.iter().any(|kind| !kind.named().is_empty()) => {
                    ("value", Some(name))
                }
                DeclKind::Record { name, .. } => {
                    if let Some(modifier) = self.looks_of(name, decl.kind.modifiers()).first() {
                        let message = "records are shown by their fields";
                        let d = Diagnostic::error(Code::Misplaced, modifier.span, message).help(
                            "write it after the domains of the fields: `enum suit { clubs, hearts } shown as [hearts: \"H\" in red]`",
                        );
                        self.draft.messages.report(d);
                    }
                    continue;
                }
                DeclKind::Players(..) => ("player", None),
                _ => continue,
            };
            let modifiers = match name {
                Some(name) => self.looks_of(name, decl.kind.modifiers()),
                None => self.looks_called(&["player", "players"], decl.kind.modifiers()),
            };
            self.only_looks(decl.kind.modifiers());
            self.allow_looks(&modifiers, &[ModifierKind::Shown], "this declaration");
            let domain = match name.map(|name| self.names.resolved(&name.text)) {
                None => PLAYER,
                Some(Some(Entity::Domain(domain))) => *domain,
                Some(_) => continue,
            };
            let Some(value) = last_operand(&modifiers, ModifierKind::Shown) else { continue };
            let size = self.draft.size(domain) as usize;
            let mut looks = vec![Look::default(); size];
            let mut whole = true;
            self.context.may_be_absent = name.is_none();
            for value in operands(&modifiers, ModifierKind::Shown) {
                // The looks of players who don't play are checked, too.
                if let S::Map(entries) = &value.kind {
                    let absent = |key: &syntax::Expr| matches!(key.kind, S::Player(n) if n > size as i64);
                    for entry in entries.iter().filter(|entry| absent(&entry.key)) {
                        self.read_look(&entry.value, noun);
                    }
                }
                whole &= self.in_isolation(|c| c.overlay(value, &[domain], &mut looks, noun));
            }
            self.context.may_be_absent = false;
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
        self.later_elements();
        self.usage.names = used;
    }

    /// Puts the looks of `value` over those of a family.
    fn overlay(
        &mut self,
        value: &'a syntax::Expr,
        index: &[DomainId],
        looks: &mut [Look],
        noun: &str,
    ) -> bool {
        let mut found: Vec<Option<Look>> = vec![None; looks.len()];
        let whole = self.fill(value, index, &mut found, &mut |c, e| c.read_look(e, noun));
        for (look, found) in looks.iter_mut().zip(found) {
            *look = look.with(found.unwrap_or_default());
        }
        whole
    }

    /// Checks `define … shown as …`: a constant set of sites that drawings show.
    pub(crate) fn shown_sets(&mut self) {
        let game = self.input.game;
        for (at, decl) in game.decls.iter().enumerate() {
            let DeclKind::Define { name, params, value, modifiers } = &decl.kind else { continue };
            self.only_looks(modifiers);
            let looks = self.looks_of(name, modifiers);
            let Some(shown) = last_operand(&looks, ModifierKind::Shown) else {
                self.allow_looks(&looks, &[ModifierKind::Shown], "this declaration");
                continue;
            };
            if let S::Name(word) = &shown.kind
                && word.text == "number"
            {
                self.allow_looks(&looks, &[ModifierKind::Shown, ModifierKind::ShownAt], "this declaration");
                self.shown_number(at, word, params, last_operand(&looks, ModifierKind::ShownAt));
                continue;
            }
            self.allow_looks(&looks, &[ModifierKind::Shown], "this declaration");
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
            S::Text(_) => Some(Look {
                letter: Some(look_letter(&mut self.draft.messages, e, noun)?),
                ..Look::default()
            }),
            S::Name(_) => match self.drawn_look(e, noun) {
                Some(look) => Some(look),
                None => Some(Look { colour: Some(self.look_colour(e)?), ..Look::default() }),
            },
            S::Binary(BinaryOp::In, drawn, colour) if matches!(drawn.kind, S::Text(_)) => {
                let (letter, colour) =
                    (look_letter(&mut self.draft.messages, drawn, noun), self.look_colour(colour));
                Some(Look { letter: Some(letter?), colour: Some(colour?), ..Look::default() })
            }
            S::Binary(BinaryOp::In, drawn, colour) if matches!(drawn.kind, S::Name(_)) => {
                let look = self.drawn_look(drawn, noun);
                let colour = self.look_colour(colour);
                let Some(look) = look else {
                    self.report_no_picture(drawn, noun);
                    return None;
                };
                Some(Look { colour: Some(colour?), ..look })
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

    /// The look that is a picture, or a form of the sites of pieces and sets: `area`, `line`, `nothing`.
    fn drawn_look(&mut self, e: &'a syntax::Expr, noun: &str) -> Option<Look> {
        let S::Name(word) = &e.kind else { return None };
        let form = match word.text.as_str() {
            "area" => Some(LookForm::Area),
            "line" => Some(LookForm::Line),
            "nothing" => Some(LookForm::Nothing),
            _ => None,
        };
        let form = form.filter(|_| matches!(noun, "piece" | "set"));
        let picture = Icon::in_rules(&word.text);
        if form.is_none() && picture.is_none() {
            return None;
        }
        self.recorder.refer_to_word(WordKind::Look, word);
        Some(Look { picture, form: form.unwrap_or_default(), ..Look::default() })
    }

    /// The look of a counter: a picture, or a picture in a colour. Returns `None`, and reports nothing, for other words.
    fn picture_look(&mut self, e: &'a syntax::Expr) -> Option<Look> {
        let drawn = match &e.kind {
            S::Binary(BinaryOp::In, drawn, _) => drawn,
            _ => e,
        };
        let S::Name(word) = &drawn.kind else { return None };
        Icon::in_rules(&word.text)?;
        self.read_look(e, "counter")
    }

    /// Reports a word before `in` that is neither a picture nor a form.
    fn report_no_picture(&mut self, e: &syntax::Expr, noun: &str) {
        let S::Name(word) = &e.kind else { return };
        let name = &word.text;
        let d = Diagnostic::error(Code::UnknownPicture, e.span, format!("no picture is called `{name}`"));
        self.draft.messages.report(match near_word(name, noun) {
            Some(better) => d.help(format!("did you mean `{better}`?")),
            None => d.help(list_near_pictures(name)),
        });
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
            let whose = match name.as_str() {
                "nothing" => Some("boards, pieces, zones and variables"),
                "area" => Some("pieces and sets of sites"),
                "line" => Some("pieces, links and tables"),
                _ => None,
            };
            if let Some(whose) = whose {
                let message =
                    format!("`{name}` is no colour or picture, and only {whose} are shown as `{name}`");
                let d = Diagnostic::error(Code::ShownAs, e.span, message)
                    .help("write a colour, a letter or a picture: `shown as red`, `shown as \"W\"`, `shown as rook`");
                self.draft.messages.report(d);
                return None;
            }
            if let Some(better) = near_word(name, "piece").filter(|word| Colour::named(word).is_none()) {
                let message = format!("no colour or picture is called `{name}`");
                let d = Diagnostic::error(Code::UnknownPicture, e.span, message);
                self.draft.messages.report(d.help(format!("did you mean `{better}`?")));
                return None;
            }
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
    let message = match (characters.next(), characters.next()) {
        (None, _) => format!("an empty text can't stand for a {noun}"),
        (Some(letter), None) if is_narrow(letter) && !TAKEN.contains(letter) => return Some(letter),
        (Some(letter), None) if TAKEN.contains(letter) => format!("`{text}` can't stand for a {noun}"),
        (Some(letter), None) if unicode_width(letter) == 2 => {
            format!("`{text}` takes two columns of a terminal, and text drawings have one for a {noun}")
        }
        (Some(_), None) => format!("nothing is seen of this character, so it can't stand for a {noun}"),
        // Signs that are put together: letters with accents of their own, flags, emoji with a colour.
        _ if is_put_together(text) => {
            format!("`{text}` is put together from several characters, and a {noun} is shown as one")
        }
        _ => format!("a {noun} is shown as one character, found {}", text.chars().count()),
    };
    let mut d = Diagnostic::error(Code::ShownAsLetter, e.span, message);
    if text.chars().count() == 1 && TAKEN.contains(text) {
        d = d.note(format!("drawings need the characters {} for other things", spaced(TAKEN)));
    }
    let named = text.chars().all(|c| c.is_ascii_alphabetic() || c == '_').then(|| near_word(text, noun));
    d = match named.flatten().filter(|_| text.len() > 1) {
        Some(word) => d.help(format!(
            "write one character, such as \"W\"; names of colours and pictures have no quotes: `shown as {word}`"
        )),
        None => d.help("write one letter, digit or sign, such as \"W\", or the name of a picture: `shown as rook`"),
    };
    messages.report(d);
    None
}

/// Returns `true` if a text of several characters looks like one.
fn is_put_together(text: &str) -> bool {
    let mut later = text.chars().skip(1);
    let is_flag = |c: char| ('\u{1f1e6}'..='\u{1f1ff}').contains(&c);
    let is_joined = |c: char| unicode_width(c) == 0 || ('\u{1f3fb}'..='\u{1f3ff}').contains(&c);
    later.clone().next().is_some_and(is_joined) || text.chars().count() == 2 && later.all(is_flag)
}

fn report_not_a_counter(messages: &mut Messages, span: Span) {
    let d = Diagnostic::error(Code::ShownAs, span, "this doesn't count the open ends of a chain")
        .help("name a variable that everybody sees, with a number for each number of a tile: `var ends[0..6]: 0..10`");
    messages.report(d);
}

/// The operands of one kind, in order.
fn operands<'a>(looks: &[&'a Modifier], kind: ModifierKind) -> impl Iterator<Item = &'a syntax::Expr> {
    let all: Vec<&'a Modifier> = looks.iter().copied().filter(|modifier| modifier.kind == kind).collect();
    all.into_iter().filter_map(|modifier| modifier.value.as_deref())
}

/// Returns a word, with its argument if it has one: `line`, `line(length)`.
fn word_with<'e>(e: &'e syntax::Expr, word: &str) -> Option<(&'e Name, Option<&'e syntax::Expr>)> {
    match &e.kind {
        S::Name(own) if own.text == word => Some((own, None)),
        S::Call(own, args) if own.text == word && args.len() == 1 => Some((own, Some(&args[0].value))),
        _ => None,
    }
}

/// The last operand of one kind, which counts.
fn last_operand<'a>(looks: &[&'a Modifier], kind: ModifierKind) -> Option<&'a syntax::Expr> {
    operands(looks, kind).last()
}

/// The form of a zone with this name.
fn zone_form(word: &str) -> Option<DisplayForm> {
    match word {
        "row" => Some(DisplayForm::Row),
        "column" => Some(DisplayForm::Column),
        "pile" => Some(DisplayForm::Pile),
        "nothing" => Some(DisplayForm::Nothing),
        _ => None,
    }
}

/// The colour, the picture or the form whose name is most similar.
fn near_word(name: &str, noun: &str) -> Option<&'static str> {
    let forms = if matches!(noun, "piece" | "set") { &["area", "line", "nothing"][..] } else { &[] };
    let colours = Colour::NAMES.iter().map(|(name, _)| *name);
    let pictures = Icon::NAMES.iter().map(|(name, _)| *name);
    did_you_mean(name, colours.chain(pictures).chain(forms.iter().copied()))
}

/// A help that names the similar one of some words and pictures.
fn near_look(value: &syntax::Expr, words: &[&'static str]) -> Option<String> {
    let (S::Name(word) | S::Call(word, _)) = &value.kind else { return None };
    let pictures = Icon::NAMES.iter().map(|(name, _)| *name);
    let better = did_you_mean(&word.text, words.iter().copied().chain(pictures))?;
    Some(format!("did you mean `{better}`?"))
}

/// A help that names the pictures with the same first letter, or a few others, and where all are.
fn list_near_pictures(name: &str) -> String {
    let names = || Icon::NAMES.iter().map(|(name, _)| *name);
    let near: Vec<&str> = names().filter(|picture| picture.chars().next() == name.chars().next()).collect();
    let few: Vec<&str> = if near.is_empty() { names().take(6).collect() } else { near };
    format!("some pictures are {}; {PICTURES}", few.join(", "))
}
