//! Local names, and what is known of names that may be none, at the current place.

use super::facts::{Fact, KnownFacts};
use crate::values::Val;
use houserule_language::diagnostic::Span;
use houserule_model::*;
use std::collections::HashMap;

/// Local names in scope: of the rules, or of a define or procedure that is being expanded.
#[derive(Clone, Debug, Default)]
struct Scope {
    /// All names with their locations, innermost last.
    names: Vec<(String, Span, Binding)>,
    /// Indices of each name in `names`.
    places: HashMap<String, Vec<usize>>,
}

impl Scope {
    /// Adds a name.
    fn push(&mut self, name: &str, span: Span, binding: Binding) {
        self.places.entry(name.into()).or_default().push(self.names.len());
        self.names.push((name.into(), span, binding));
    }

    /// Removes all names after the first `depth`.
    fn truncate(&mut self, depth: usize) {
        for (name, ..) in self.names.drain(depth.min(self.names.len())..).rev() {
            if let Some(places) = self.places.get_mut(&name) {
                places.pop();
            }
        }
    }

    fn places(&self, name: &str) -> &[usize] {
        self.places.get(name).map_or(&[], Vec::as_slice)
    }
}

/// The meaning of a local name.
#[derive(Clone, Debug)]
pub(crate) enum Binding {
    /// A local of the model. The flag is `true` if it may be none.
    Local(LocalId, bool),
    /// An argument.
    Argument(Val),
}

/// The local names and the facts at the current place.
#[derive(Debug)]
pub(crate) struct Scopes {
    /// The names of the rules, and of each define or procedure that is being expanded. Only the last are visible.
    frames: Vec<Scope>,
    /// What is known in the blocks around the current place.
    pub(crate) facts: KnownFacts,
}

impl Default for Scopes {
    fn default() -> Self {
        Scopes { frames: vec![Scope::default()], facts: KnownFacts::default() }
    }
}

/// The names and facts of a place that is left for a while.
pub(crate) struct Left {
    frames: Vec<Scope>,
    facts: KnownFacts,
}

impl Scopes {
    /// Leaves all names and facts, to check a declaration that is elsewhere.
    pub(crate) fn leave_all(&mut self) -> Left {
        let frames = std::mem::replace(&mut self.frames, vec![Scope::default()]);
        Left { frames, facts: std::mem::take(&mut self.facts) }
    }

    /// Returns to the names and facts of a place.
    pub(crate) fn return_to(&mut self, left: Left) {
        (self.frames, self.facts) = (left.frames, left.facts);
    }

    /// Hides all names. The facts remain.
    pub(crate) fn enter_expansion(&mut self) {
        self.frames.push(Scope::default());
    }

    /// Removes the names since [`Self::enter_expansion`].
    pub(crate) fn leave_expansion(&mut self) {
        self.frames.pop();
    }

    /// Enters a block that knows `facts`. Returns the number of names, for [`Self::leave_block`].
    pub(crate) fn enter_block(&mut self, facts: Vec<Fact>) -> usize {
        self.facts.enter();
        self.facts.learn(facts);
        self.frames.last().map_or(0, |frame| frame.names.len())
    }

    /// Leaves a block with its facts, and its names after the first `depth`.
    pub(crate) fn leave_block(&mut self, depth: usize) {
        self.facts.leave();
        if let Some(frame) = self.frames.last_mut() {
            frame.truncate(depth);
        }
    }

    /// Adds a name.
    pub(crate) fn push(&mut self, name: &str, span: Span, binding: Binding) {
        if let Some(frame) = self.frames.last_mut() {
            frame.push(name, span, binding);
        }
    }

    /// The innermost local with a name.
    pub(crate) fn local(&self, name: &str) -> Option<&Binding> {
        let frame = self.frames.last()?;
        frame.places(name).last().map(|place| &frame.names[*place].2)
    }

    /// Location where a local is introduced.
    pub(crate) fn local_place(&self, name: &str) -> Option<Span> {
        let frame = self.frames.last()?;
        frame.places(name).last().map(|place| frame.names[*place].1)
    }

    /// Location of the outermost local with a name.
    pub(crate) fn first_place(&self, name: &str) -> Option<Span> {
        let frame = self.frames.last()?;
        frame.places(name).first().map(|place| frame.names[*place].1)
    }

    /// The names of all locals, outermost first.
    pub(crate) fn local_names(&self) -> impl Iterator<Item = &str> {
        self.frames.iter().last().into_iter().flat_map(|frame| &frame.names).map(|(name, ..)| name.as_str())
    }

    /// Notes that a local may be none after all.
    pub(crate) fn make_optional(&mut self, id: LocalId) {
        for (_, _, binding) in self.frames.iter_mut().flat_map(|frame| &mut frame.names) {
            if let Binding::Local(local, may) = binding
                && *local == id
            {
                *may = true;
            }
        }
    }

    /// Suppresses errors about unknown names up to the end of this block.
    pub(crate) fn hide_unknown(&mut self, span: Span) {
        self.push("", span, Binding::Argument(Val::Poison));
    }

    /// Returns `true` where errors about unknown names are suppressed.
    pub(crate) fn hides_unknown(&self) -> bool {
        self.local("").is_some()
    }

    /// Returns `true` if an element isn't none here, or a set has an element.
    pub(crate) fn knows(&self, model: &Model, e: &CheckedExpr) -> bool {
        self.facts.knows(model, e)
    }
}
