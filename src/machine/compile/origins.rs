//! Which expression or statement each instruction was lowered from.

use super::lower::Lowering;
use crate::program::{CodeOrigins, CodePlace};
use houserule_language::diagnostic::Span;

/// Number of places beyond which no more are told apart.
const MOST_PLACES: usize = 1 << 20;

impl Lowering<'_> {
    /// From here on, instructions come from a place within the current one. Returns what [`Lowering::leave`] takes.
    pub(super) fn enter(&mut self, span: Span) -> u32 {
        let Some(origins) = &mut self.program.origins else { return 0 };
        let outer = self.origin;
        let is_known = origins.places.get(outer as usize).is_some_and(|place| place.span == span);
        if !is_known && origins.places.len() < MOST_PLACES {
            self.origin = origins.places.len() as u32;
            origins.places.push(CodePlace { within: outer, span });
        }
        outer
    }

    /// Goes back to the place around the current one.
    pub(super) fn leave(&mut self, outer: u32) {
        self.origin = outer;
    }

    /// Notes the place of the instruction that is emitted.
    pub(super) fn note_origin(&mut self) {
        if let Some(origins) = &mut self.program.origins {
            origins.of_code.push(self.origin);
        }
    }

    /// Notes the places of instructions from now on.
    pub(super) fn keep_origins(&mut self) {
        self.program.origins =
            Some(CodeOrigins { places: vec![CodePlace { within: 0, span: self.span }], of_code: vec![] });
    }
}
