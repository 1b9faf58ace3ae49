//! Local names, and what is known of names that may be none, at the current place.

use crate::values::{Fact, Val};
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
    /// An argument, with the id of its binding.
    Argument(Val, u32),
}

/// The local names and the facts at the current place.
#[derive(Debug)]
pub(crate) struct Scopes {
    /// The names of the rules, and of each define or procedure that is being expanded. Only the last are visible.
    frames: Vec<Scope>,
    /// What is known in each of the blocks around the current place.
    facts: Vec<Vec<Fact>>,
    next_argument: u32,
}

impl Default for Scopes {
    fn default() -> Self {
        Scopes { frames: vec![Scope::default()], facts: vec![vec![]], next_argument: 0 }
    }
}

/// The names and facts of a place that is left for a while.
pub(crate) struct Left {
    frames: Vec<Scope>,
    facts: Vec<Vec<Fact>>,
}

impl Scopes {
    /// Leaves all names and facts, to check a declaration that is elsewhere.
    pub(crate) fn leave_all(&mut self) -> Left {
        let frames = std::mem::replace(&mut self.frames, vec![Scope::default()]);
        Left { frames, facts: std::mem::replace(&mut self.facts, vec![vec![]]) }
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
        self.facts.push(facts);
        self.frames.last().map_or(0, |frame| frame.names.len())
    }

    /// Leaves a block with its facts, and its names after the first `depth`.
    pub(crate) fn leave_block(&mut self, depth: usize) {
        self.facts.pop();
        if let Some(frame) = self.frames.last_mut() {
            frame.truncate(depth);
        }
    }

    /// Returns an id for the next argument of a define.
    pub(crate) fn new_argument(&mut self) -> u32 {
        self.next_argument += 1;
        self.next_argument - 1
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

    /// The name and the value of an argument.
    pub(crate) fn argument(&self, number: u32) -> Option<(&str, &Val)> {
        let mut names = self.frames.last()?.names.iter();
        names.find_map(|(name, _, binding)| match binding {
            Binding::Argument(value, own) if *own == number => Some((name.as_str(), value)),
            _ => None,
        })
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
        self.push("", span, Binding::Argument(Val::Poison, 0));
    }

    /// Returns `true` where errors about unknown names are suppressed.
    pub(crate) fn hides_unknown(&self) -> bool {
        self.local("").is_some()
    }

    /// Returns `true` if a fact holds here.
    pub(crate) fn knows(&self, model: &Model, fact: Fact) -> bool {
        self.facts.iter().flatten().any(|known| *known == fact || implies(model, *known, fact))
    }

    /// Adds facts up to the end of this block.
    pub(crate) fn learn(&mut self, facts: impl IntoIterator<Item = Fact>) {
        if let Some(level) = self.facts.last_mut() {
            level.extend(facts);
        }
    }

    /// Drops a fact and those about its fields and its owner.
    pub(crate) fn forget(&mut self, fact: Fact) {
        let owner = match fact {
            Fact::Local(local) => Some(Fact::Owner(local)),
            _ => None,
        };
        self.retain_facts(|f| {
            *f != fact && Some(*f) != owner && f.owner().is_none_or(|(owner, _)| owner != fact)
        });
    }

    /// Drops facts about who owns elements, because elements move.
    pub(crate) fn forget_owners(&mut self) {
        self.retain_facts(|fact| !matches!(fact, Fact::Owner(_)));
    }

    /// Drops facts about state that a script function may change.
    pub(crate) fn forget_state(&mut self) {
        self.retain_facts(|fact| !matches!(fact, Fact::Slot(_) | Fact::Define(_)));
    }

    fn retain_facts(&mut self, keep: impl Fn(&Fact) -> bool) {
        self.facts.iter_mut().for_each(|level| level.retain(&keep));
    }
}

/// Does a fact about a field show another about the same element? What has the field is an element, and it has all
/// other fields of the elements that have this one.
fn implies(model: &Model, known: Fact, fact: Fact) -> bool {
    let Some((owner, table)) = known.owner() else { return false };
    if owner == fact {
        return true;
    }
    let Some((_, wanted)) = fact.owner().filter(|(other, _)| *other == owner) else { return false };
    let values = |table: TableId| model.tables[table.index()].values.iter();
    values(table).zip(values(wanted)).all(|(known, wanted)| *known < 0 || *wanted >= 0)
}
