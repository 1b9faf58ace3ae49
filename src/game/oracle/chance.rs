//! Execution of rolls, picks and `chance … given`.

use super::eval::{fail, ill_typed};
use super::exec::{Executed, ReferenceRun};
use super::given::DrawMode;
use super::{Halt, MOST_OUTCOMES, Situation};
use crate::RuntimeErrorKind;
use houserule_language::diagnostic::Span;
use houserule_model::{CheckedBlock, CheckedExpr, LocalId, Role, Target, Value};

impl ReferenceRun<'_> {
    pub(crate) fn roll(&mut self, span: Span, dice: &Target, among: Option<&CheckedExpr>) -> Executed<()> {
        let slot = &self.model.slots[dice.slot.index()];
        let Role::Dice { count, faces, .. } = slot.role else { ill_typed() };
        let first = self.eval().target(dice)? * count as usize;
        let chosen: Vec<u32> = match among {
            Some(set) => self.eval().set(set)?.iter().collect(),
            None => (0..count).collect(),
        };
        // All sides of a die are equally likely. Most faces are on one side.
        let of_each = self.model.sides_of(dice.slot);
        let sides = of_each.map_or(u64::from(faces), |of_each| of_each.iter().map(|n| u64::from(*n)).sum());
        let face = |side| Value::Number(face_of_side(of_each, side));
        // A roll is one event. Only if 64 bits can't number its outcomes is each die an event.
        if sides.checked_pow(count).is_none() {
            for (at, die) in chosen.into_iter().enumerate() {
                let side = self.chance(sides)?;
                self.counts.rolls += u64::from(at == 0);
                self.write(dice.slot, first + die as usize, face(side), span)?;
            }
        } else if !chosen.is_empty() {
            let mut outcome = self.chance(sides.pow(chosen.len() as u32))?;
            self.counts.rolls += 1;
            // The first die is the most significant digit.
            for die in chosen.into_iter().rev() {
                let side = outcome % sides;
                outcome /= sides;
                self.write(dice.slot, first + die as usize, face(side), span)?;
            }
        }
        Ok(())
    }

    /// Picks one of the copies in a zone, of some kinds. The result is its kind.
    pub(crate) fn pick_copy(&mut self, local: LocalId, over: &CheckedExpr, zone: &Target) -> Executed<()> {
        let over = self.eval().set(over)?;
        let first = self.eval().target(zone)? * over.size() as usize;
        let mut kinds: Vec<(u32, u64)> = vec![];
        for kind in over.iter() {
            if let Value::Number(copies @ 1..) = self.state.value(zone.slot, first + kind as usize) {
                kinds.push((kind, *copies as u64));
            }
        }
        let copies = kinds.iter().map(|(_, copies)| copies).sum();
        // With a single kind there is nothing to draw.
        let mut chosen = if kinds.len() < 2 { 0 } else { self.chance(copies)? };
        let drawn = kinds.iter().find(|(_, copies)| {
            let here = chosen < *copies;
            chosen = chosen.wrapping_sub(*copies);
            here
        });
        self.locals[local.index()] = Some(Value::Element(drawn.map(|(kind, _)| *kind)));
        Ok(())
    }

    /// Executes the body until the condition holds. A failed attempt leaves state, locals and counters unchanged.
    pub(crate) fn chance_given(
        &mut self,
        span: Span,
        body: &CheckedBlock,
        condition: &CheckedExpr,
    ) -> Executed<()> {
        let ways = self.ways(body, condition);
        if ways.as_ref().is_some_and(Vec::is_empty) {
            return Ok(fail(span, RuntimeErrorKind::Budget)?);
        }
        self.given = DrawMode::through(ways);
        let (state, locals, counts) = (self.state.clone(), self.locals.clone(), self.counts);
        loop {
            self.count_loop(span)?;
            self.block(body)?;
            if self.eval().truth(condition)? {
                break;
            }
            (*self.state, self.locals, self.counts) = (state.clone(), locals.clone(), counts);
        }
        self.given = DrawMode::default();
        Ok(())
    }

    /// Returns every sequence of outcomes in the body for which the condition holds, in order. Returns `None`
    /// if there are too many sequences, if their probabilities differ, or if the rules fail on one.
    fn ways(&mut self, body: &CheckedBlock, condition: &CheckedExpr) -> Option<Vec<Vec<u64>>> {
        let (state, locals) = (self.state.clone(), self.locals.clone());
        let (counts, loops) = (self.counts, self.loops);
        let (mut way, mut all, mut found) = (vec![], None, vec![]);
        let whole = loop {
            self.given = DrawMode::along(way);
            self.loops = 0;
            let gone = self.block(body).and_then(|_| Ok(self.eval().truth(condition)?));
            (*self.state, self.locals) = (state.clone(), locals.clone());
            let (taken, sizes) = self.given.finish_trial();
            let Ok(holds) = gone else { break false };
            let chances = sizes.iter().try_fold(1u64, |product, size| product.checked_mul(*size));
            let Some(chances) = chances.filter(|chances| *chances <= MOST_OUTCOMES) else { break false };
            if *all.get_or_insert(chances) != chances {
                break false;
            }
            if holds {
                found.push(taken.clone());
            }
            // The next sequence increments the last draw that has another outcome.
            let Some(last) = (0..taken.len()).rfind(|at| taken[*at] + 1 < sizes[*at]) else { break true };
            way = taken;
            way.truncate(last + 1);
            way[last] += 1;
        };
        (self.counts, self.loops, self.given) = (counts, loops, DrawMode::default());
        // A block without chance has one sequence, which is no event.
        whole.then_some(found)
    }

    /// Draws one of some outcomes. With a single outcome there is no event.
    pub(crate) fn chance(&mut self, outcomes: u64) -> Executed<u64> {
        if outcomes < 2 {
            return Ok(0);
        }
        if let Some(outcome) = self.given.trial_outcome(outcomes) {
            return Ok(outcome);
        }
        let asked = self.given.ways().unwrap_or(outcomes);
        let view = Situation {
            model: self.model,
            state: self.state,
            me: self.me,
            choice: None,
            counts: self.counts,
            locals: &self.locals,
        };
        let outcome = self.driver.chance(&view, asked)?;
        if outcome < asked { Ok(self.given.drawn(outcome)) } else { Err(Halt::Illegal) }
    }
}

/// Returns the face on a side of a die, counted from 0. The sides with the first face come first. `of_each` is the
/// number of sides of each face, if some face has several.
fn face_of_side(of_each: Option<&[u32]>, side: u64) -> i64 {
    let Some(of_each) = of_each else { return side as i64 + 1 };
    let (mut face, mut before) = (0, 0);
    for sides in of_each {
        face += 1;
        before += u64::from(*sides);
        if side < before {
            break;
        }
    }
    face
}
