//! Dice: their faces, the names of the faces and the sides that show them.

use crate::checker::Checker;
use crate::draft::Draft;
use crate::messages::Messages;
use crate::names::name_table::Entity;
use crate::values::DiceValue;
use houserule_base::limits;
use houserule_base::numbers::counted;
use houserule_language::diagnostic::{Code, Diagnostic};
use houserule_language::syntax;
use houserule_language::syntax::{ExprKind as S, Modifier, Name};
use houserule_language::vocabulary::Function;
use houserule_model::*;

/// Maximum number of defines, one in the other, in which the names of faces are found.
const DEFINES: u32 = 4;

impl<'a> Checker<'a> {
    /// Resolves `dice NAME[indices]: COUNT of DIE`.
    pub(crate) fn resolve_dice(
        &mut self,
        decl: &'a syntax::Decl,
        name: &'a Name,
        index: &'a [syntax::Expr],
        count: &'a syntax::Expr,
        die: &'a syntax::Expr,
        modifiers: &'a [Modifier],
    ) -> Entity {
        let index = self.index_domains(index);
        let count = self.constant_between(count, "the number of dice", 1..=limits::DICE, Code::LimitDice);
        let faces = self.faces_of(die);
        let sides = self.sides_of_faces(die);
        let (Some(mut index), Some(count), Some(faces), Some(sides)) = (index, count, faces, sides) else {
            return Entity::Poison;
        };
        // Dice rolled for a round keep their values in all of its turns.
        let life = self.draft.turn_life;
        let manner = self.manner(modifiers, &index, life, "dice");
        let Some(dice) = self.draft.range_domain(1, count, name.span) else { return Entity::Poison };
        // For sets such as `{pair[1], pair[2]}`.
        self.draft.range_domain(1, faces, name.span);
        index.push(dice);
        let Some(size) = self.draft.family(&index, name.span) else { return Entity::Poison };
        if !self.draft.afford_words(size as u64, name.span) {
            return Entity::Poison;
        }
        let slot = Slot {
            name: name.text.clone(),
            index,
            content: Content::Number { low: 0, high: faces },
            initial: vec![Value::Number(0); size],
            life: manner.life,
            role: Role::Dice { count: count as u32, faces: faces as u32, ordered: manner.ordered },
            visibility: manner.visibility.unwrap_or(Visibility::All),
            shown: shown_faces(die).map_or(DisplayForm::Plainly, DisplayForm::Faces),
            help: super::slots::help(decl),
            span: Some(decl.span),
        };
        let slot = self.draft.add_slot(slot);
        if !sides.is_empty() {
            self.draft.model.sides.push((slot, sides));
        }
        Entity::Slot(slot)
    }

    /// The number of faces of `d6`, `d(size)`, `{1, 2, claw, heart}` or `[1..4: 1, claw: 2]`.
    fn faces_of(&mut self, die: &'a syntax::Expr) -> Option<i64> {
        let range = 1..=limits::FACES;
        match &die.kind {
            S::Die(faces) => {
                if !range.contains(faces) {
                    let d = Diagnostic::error(
                        Code::LimitFaces,
                        die.span,
                        format!("a die can't have {}", counted(*faces, "face")),
                    )
                    .note(format!("expected a number from 1 to {}", range.end()));
                    self.draft.messages.report(d);
                    return None;
                }
                Some(*faces)
            }
            S::Call(name, args)
                if name.text == Function::D.name() && args.len() == 1 && args[0].name.is_none() =>
            {
                self.recorder.refer_to_function(name.span, Function::D);
                self.constant_between(&args[0].value, "the faces of a die", range, Code::LimitFaces)
            }
            S::Hole => {
                self.draft.messages.add_hole();
                None
            }
            _ => {
                let faces = listed_faces(die);
                if !faces.is_empty() {
                    return fitting_faces(&mut self.draft.messages, die, &faces);
                }
                let d = Diagnostic::error(Code::UnknownDie, die.span, "expected a die").help(
                    "write `d6`, `d(size)`, the faces: `{1, 2, claw, heart}`, or how many sides show each: `[1..5: 1, 6: 3]`",
                );
                self.draft.messages.report(d);
                None
            }
        }
    }

    /// The number of sides of each face of `[blank: 3, hit: 1]`. Empty if all have as many.
    fn sides_of_faces(&mut self, die: &'a syntax::Expr) -> Option<Vec<u32>> {
        let S::Map(entries) = &die.kind else { return Some(vec![]) };
        let mut sides: Vec<u32> = vec![];
        for entry in entries {
            if entry.and_more {
                let d = Diagnostic::error(Code::UnknownDie, entry.key.span, "which faces are these?")
                    .help("name the last one too: `3..6: 1`");
                self.draft.messages.report(d);
                return None;
            }
            let range = 1..=limits::SIDES;
            let count = self.constant_between(
                &entry.value,
                "the number of sides that show a face",
                range,
                Code::LimitFaces,
            )?;
            sides.extend(faces_of_key(&entry.key).map(|_| count as u32));
        }
        // With the fewest sides, the fewest numbers tell them apart.
        let divisor = sides.iter().copied().fold(0, common_divisor).max(1);
        sides.iter_mut().for_each(|count| *count /= divisor);
        if sides.iter().all(|count| *count == 1) {
            sides.clear();
        }
        Some(sides)
    }

    /// Makes the name of each face of the dice a name of its number.
    pub(crate) fn enter_faces(&mut self) {
        let game = self.input.game;
        for decl in &game.decls {
            let syntax::DeclKind::Dice { die, .. } = &decl.kind else { continue };
            let faces = listed_faces(die);
            if faces.is_empty() {
                continue;
            }
            if let (S::Set(_), Some((first, second))) = (&die.kind, first_twice(&faces)) {
                let d = Diagnostic::error(
                    Code::DuplicateName,
                    second.span,
                    format!("`{}` is listed twice", second.text),
                )
                .also(first.span, "first listed here")
                .help(format!("say how many sides show each face: `{}`", with_sides(&faces)));
                self.draft.messages.report(d);
                continue;
            }
            let Some(domain) = self.draft.range_domain(1, faces.len() as i64, die.span) else { continue };
            let named = faces.iter().zip(0..).filter_map(|(face, place)| match &face.kind {
                S::Name(name) => Some((name, place)),
                _ => None,
            });
            // Other dice may have the same face.
            let is_new = |(name, place): &(&'a Name, u32)| {
                let known = self.names.values.get(name.text.as_str()).into_iter().flatten();
                !known.clone().any(|(of, at)| self.draft.range_low(*of) == Some(1) && at == place)
            };
            let (names, places): (Vec<&Name>, Vec<u32>) = named.filter(is_new).unzip();
            for name in &names {
                let known = self.names.values.get(name.text.as_str()).into_iter().flatten();
                if known.clone().any(|(of, _)| self.draft.range_low(*of) == Some(1)) {
                    let message = format!("`{}` is another face of other dice", name.text);
                    let d = Diagnostic::error(Code::DuplicateName, name.span, message)
                        .note("the name of a face stands for its number")
                        .help("give it the same place among the faces of all dice, or another name");
                    self.draft.messages.report(d);
                }
            }
            self.enter_values(domain, &names, &places, true);
        }
    }

    /// Returns the names of faces that the elements of an option's binders stand for, as in [`ActionBlock::faces`]: those
    /// of the dice of which the set of the binder names a face.
    pub(crate) fn faces_of_binders(
        &self,
        written: &[syntax::Binder],
        binders: &[CheckedBinder],
    ) -> Vec<(usize, u32, String)> {
        let mut named = vec![];
        for (place, binder) in binders.iter().enumerate() {
            let local = &self.draft.model.locals[binder.local.index()].name;
            let Some(written) = written.iter().find(|one| one.name.text == *local) else { continue };
            let Domain { kind: DomainKind::Range { low }, size, .. } =
                &self.draft.model.domains[binder.domain.index()]
            else {
                continue;
            };
            let faces = self.faces_named_in(&written.over);
            for element in 0..*size {
                let number = low + i64::from(element);
                if let Some((_, name)) = faces.iter().find(|(face, _)| *face == number) {
                    named.push((place, element, name.clone()));
                }
            }
        }
        named
    }

    /// Returns the named faces, with their numbers, of all dice of which a set names a face. The faces that the set
    /// names come first.
    fn faces_named_in(&self, set: &syntax::Expr) -> Vec<(i64, String)> {
        let mut names = vec![];
        self.names_in_set(set, DEFINES, &mut names);
        let mut faces: Vec<(i64, String)> = vec![];
        for decl in &self.input.game.decls {
            let syntax::DeclKind::Dice { die, .. } = &decl.kind else { continue };
            let all: Vec<(i64, String)> = (1..)
                .zip(listed_faces(die))
                .filter_map(|(number, face)| match &face.kind {
                    S::Name(name) => Some((number, name.text.clone())),
                    _ => None,
                })
                .collect();
            if all.iter().any(|(_, name)| names.contains(&name.as_str())) {
                faces.extend(all);
            }
        }
        faces.sort_by_key(|(_, name)| !names.contains(&name.as_str()));
        faces
    }

    /// Collects the names in a set, also those in the defines that it names.
    fn names_in_set<'e>(&'e self, set: &'e syntax::Expr, defines: u32, names: &mut Vec<&'e str>) {
        match &set.kind {
            S::Name(name) => {
                names.push(&name.text);
                let value = self.input.game.decls.iter().find_map(|decl| match &decl.kind {
                    syntax::DeclKind::Define { name: of, value, .. } if of.text == name.text => Some(value),
                    _ => None,
                });
                if let (Some(value), Some(fewer)) = (value, defines.checked_sub(1)) {
                    self.names_in_set(value, fewer, names);
                }
            }
            S::Set(all) => all.iter().for_each(|one| self.names_in_set(one, defines, names)),
            S::Range(a, b) | S::Binary(_, a, b) => {
                self.names_in_set(a, defines, names);
                self.names_in_set(b, defines, names);
            }
            S::Comprehension { over, .. } => self.names_in_set(over, defines, names),
            _ => {}
        }
    }
}

impl Draft {
    /// The domain of the die's index, `1..count`.
    pub(crate) fn die_domain(&self, dice: &DiceValue) -> DomainId {
        let index = &self.model.slots[dice.slot.index()].index;
        index.last().copied().unwrap_or(PLAYER)
    }
}

/// The faces that `{1, 2, claw}` or `[1..2: 1, claw: 3]` lists, each as the expression that names it. Empty if
/// the die lists none, and one more than allowed if it lists too many.
fn listed_faces(die: &syntax::Expr) -> Vec<&syntax::Expr> {
    match &die.kind {
        S::Set(faces) => faces.iter().collect(),
        S::Map(entries) => {
            let faces = entries.iter().flat_map(|entry| faces_of_key(&entry.key));
            faces.take(limits::FACES as usize + 1).collect()
        }
        _ => vec![],
    }
}

/// The key of a map of faces, once for each face that it names.
fn faces_of_key(key: &syntax::Expr) -> impl Iterator<Item = &syntax::Expr> {
    let count = match &key.kind {
        S::Range(low, high) => match (&low.kind, &high.kind) {
            (S::Number(low), S::Number(high)) => high.saturating_sub(*low).clamp(0, limits::FACES) + 1,
            _ => 1,
        },
        _ => 1,
    };
    std::iter::repeat_n(key, count as usize)
}

/// The first name that is listed again, and where.
fn first_twice<'e>(faces: &[&'e syntax::Expr]) -> Option<(&'e Name, &'e Name)> {
    let names =
        faces.iter().filter_map(|face| if let S::Name(name) = &face.kind { Some(name) } else { None });
    let names: Vec<&Name> = names.collect();
    let first = |at: usize| names[..at].iter().find(|name| name.text == names[at].text);
    (0..names.len()).find_map(|at| Some((*first(at)?, names[at])))
}

/// Faces of which some are listed several times, as a map: `[blank: 2, hit: 1]`.
fn with_sides(faces: &[&syntax::Expr]) -> String {
    let mut told: Vec<(String, u32)> = vec![];
    for (face, number) in faces.iter().zip(1..) {
        let face = match &face.kind {
            S::Name(name) => name.text.clone(),
            _ => number.to_string(),
        };
        match told.iter_mut().find(|(known, _)| *known == face) {
            Some((_, sides)) => *sides += 1,
            None => told.push((face, 1)),
        }
    }
    let told: Vec<String> = told.iter().map(|(face, sides)| format!("{face}: {sides}")).collect();
    format!("[{}]", told.join(", "))
}

/// The names of the faces that drawings show. Faces that are all numbers have none in a map.
fn shown_faces(die: &syntax::Expr) -> Option<Vec<String>> {
    let faces = listed_faces(die);
    let named = faces.iter().any(|face| matches!(face.kind, S::Name(_)));
    if faces.is_empty() || matches!(die.kind, S::Map(_)) && !named {
        return None;
    }
    let name = |(face, number): (&&syntax::Expr, usize)| match &face.kind {
        S::Name(name) => name.text.clone(),
        _ => number.to_string(),
    };
    Some(faces.iter().zip(1..).map(name).collect())
}

fn common_divisor(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

/// Checks the faces that a die lists, and returns their number.
fn fitting_faces(messages: &mut Messages, die: &syntax::Expr, faces: &[&syntax::Expr]) -> Option<i64> {
    for (face, number) in faces.iter().zip(1..) {
        let fits = match &face.kind {
            S::Name(_) | S::Hole => true,
            S::Number(n) => *n == number,
            S::Range(low, high) => {
                matches!((&low.kind, &high.kind), (S::Number(low), S::Number(high)) if (*low..=*high).contains(&number))
            }
            _ => false,
        };
        if !fits {
            let message = format!("this can't be face {number} of a die");
            let d = Diagnostic::error(Code::UnknownDie, face.span, message)
                .label(format!("expected a name, or {number}"))
                .help(
                    "faces are numbered from 1, and a name stands for its number; a table gives faces other \
                     values: `table worth[1..6]: 0..9 = [1: 0, 2..6: 3]`",
                );
            messages.report(d);
            return None;
        }
    }
    if faces.len() as i64 > limits::FACES {
        let message = match &die.kind {
            S::Map(_) => format!("a die can't have more than {} faces", limits::FACES),
            _ => format!("a die can't have {}", counted(faces.len(), "face")),
        };
        messages.error(Code::LimitFaces, die.span, message);
        return None;
    }
    // Where a name is listed twice, there is an error already.
    (first_twice(faces).is_none()).then_some(faces.len() as i64)
}
