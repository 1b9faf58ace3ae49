//! Choices, and the numbering of actions.

use super::{ActionBlockId, CheckedBlock, CheckedExpr, DomainId, LocalId, Model, StepId, Visibility};
use houserule_language::diagnostic::Span;

/// A step of a turn.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its name.
    pub name: String,
    /// Help text; may be empty.
    pub help: String,
    /// Source location.
    pub span: Span,
}

/// A `choose` in the rules.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Its name, for `extend` and messages.
    pub name: String,
    /// The step that contains it.
    pub step: Option<StepId>,
    /// Its options, in order.
    pub options: Vec<CheckedOption>,
    /// Runs when no option is legal. Without it, play goes on.
    pub otherwise: Option<CheckedBlock>,
    /// Source location.
    pub span: Span,
}

/// One option of a choice.
#[derive(Clone, Debug)]
pub struct CheckedOption {
    /// Its name.
    pub name: String,
    /// Its block of action numbers.
    pub actions: ActionBlockId,
    /// Its binders. A later one may use an earlier one.
    pub binders: Vec<CheckedBinder>,
    /// Condition on the bindings: `where`.
    pub filter: Option<CheckedExpr>,
    /// Condition on the state after the body: `ensuring`. The executor tries the body first, so the body
    /// contains no chance event and no choice, and doesn't leave the turn. An action whose trial fails
    /// with an error is legal; the error is raised when the action is taken.
    pub ensuring: Option<CheckedExpr>,
    /// Which of the other players learn the bindings: all, one player or nobody. Without a value, they learn
    /// as much as they can see.
    pub seen: Option<Visibility>,
    /// Random players never take it.
    pub deliberate: bool,
    /// A pass.
    pub pass: bool,
    /// Its effect.
    pub body: CheckedBlock,
    /// Help text; may be empty.
    pub help: String,
    /// Source location.
    pub span: Span,
}

/// `x in S` or `k subset of S`
#[derive(Clone, Debug)]
pub struct CheckedBinder {
    /// The local: an element of the set, or a subset of it.
    pub local: LocalId,
    /// The domain of the set.
    pub domain: DomainId,
    /// Each subset of the set is an alternative, including the empty one; otherwise each element. Only
    /// the last binder of an option may have subsets.
    pub subset: bool,
    /// The set.
    pub over: CheckedExpr,
}

/// Consecutive action numbers: `first + (e1 * size2 + e2) * size3 + e3 …`. A subset counts as the number
/// in which bit *i* is set for element *i*, and its domain as 2 to the power of its size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionBlock {
    /// The option's name.
    pub option: String,
    /// The domains of its binders.
    pub domains: Vec<DomainId>,
    /// The last binder has subsets.
    pub subset: bool,
    /// For binders whose numbers are faces of dice: the binder, the element and the name of the face.
    pub faces: Vec<(usize, u32, String)>,
    /// The first number.
    pub first: u32,
    /// Number of action numbers.
    pub size: u32,
    /// A variant has removed the option; its numbers stay reserved.
    pub dead: bool,
}

/// The id of an action of a game: a number in one of the blocks of [`Model::actions`], the same in every executor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct ActionId(pub u32);

/// The value of an action's binder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinderValue {
    /// An element of a domain.
    Element(DomainId, u32),
    /// A subset of a domain: bit *i* for element *i*.
    Subset(DomainId, u32),
}

impl BinderValue {
    /// The domain and the bound elements.
    pub fn elements(self) -> (DomainId, Vec<u32>) {
        match self {
            BinderValue::Element(domain, e) => (domain, vec![e]),
            BinderValue::Subset(domain, bits) => (domain, (0..32).filter(|e| bits >> e & 1 == 1).collect()),
        }
    }
}

impl Model {
    /// The block that contains an action's number.
    pub fn action_block(&self, action: ActionId) -> Option<&ActionBlock> {
        self.actions.iter().find(|block| block.contains(action))
    }

    /// The index of the block that contains an action's number.
    pub fn action_block_index(&self, action: ActionId) -> Option<usize> {
        self.actions.iter().position(|block| block.contains(action))
    }

    /// The text of an action: the option and its bindings, `place c5`. A subset is written as its
    /// elements, `reroll 1 3 4`, or as `reroll none`.
    pub fn action_name(&self, action: ActionId) -> String {
        let Some(block) = self.action_block(action) else { return format!("action {}", action.0) };
        let mut name = block.option.clone();
        for (place, bound) in block.bindings(self, action).into_iter().enumerate() {
            let (domain, elements) = bound.elements();
            if elements.is_empty() {
                name.push_str(" none");
            }
            for e in elements {
                name.push(' ');
                match block.face_name(place, e) {
                    Some(face) => name.push_str(face),
                    None => name.push_str(&self.element_name(domain, e)),
                }
            }
        }
        name
    }
}

impl ActionBlock {
    /// Returns `true` if an action's number is one of the block's.
    pub fn contains(&self, action: ActionId) -> bool {
        action.0.wrapping_sub(self.first) < self.size
    }

    /// The bindings of one of its actions, in the order of the binders.
    pub fn bindings(&self, model: &Model, action: ActionId) -> Vec<BinderValue> {
        let mut rest = action.0.saturating_sub(self.first);
        let sizes = self.sizes(model);
        let last = self.domains.len().saturating_sub(1);
        let mut bound: Vec<BinderValue> = vec![];
        for (place, (domain, size)) in self.domains.iter().zip(sizes).enumerate().rev() {
            let number = rest % size.max(1);
            rest /= size.max(1);
            bound.push(match self.subset && place == last {
                true => BinderValue::Subset(*domain, number),
                false => BinderValue::Element(*domain, number),
            });
        }
        bound.reverse();
        bound
    }

    /// The name of the face that an element of a binder stands for, if it stands for one.
    pub fn face_name(&self, binder: usize, element: u32) -> Option<&str> {
        let named = |(of, e, _): &&(usize, u32, String)| (*of, *e) == (binder, element);
        self.faces.iter().find(named).map(|(_, _, name)| name.as_str())
    }

    /// The number of alternatives for each binder.
    pub fn sizes(&self, model: &Model) -> Vec<u32> {
        ways(self.domains.iter().map(|d| model.domains[d.index()].size), self.subset)
    }
}

/// The number of alternatives for each binder over domains of these sizes; `subset` if the last has
/// subsets.
pub fn ways(sizes: impl Iterator<Item = u32>, subset: bool) -> Vec<u32> {
    let mut ways: Vec<u32> = sizes.collect();
    if let (Some(last), true) = (ways.last_mut(), subset) {
        *last = 1u32.checked_shl(*last).unwrap_or(u32::MAX);
    }
    ways
}

impl Choice {
    /// The bodies of the options in order, then `otherwise`.
    pub fn blocks(&self) -> impl Iterator<Item = &CheckedBlock> {
        self.options.iter().map(|option| &option.body).chain(&self.otherwise)
    }

    /// Mutable version of [`Self::blocks`].
    pub fn blocks_mut(&mut self) -> impl Iterator<Item = &mut CheckedBlock> {
        self.options.iter_mut().map(|option| &mut option.body).chain(&mut self.otherwise)
    }
}
