//! Where players choose, and how what they choose is numbered.

use super::{ActionBlockId, Block, DomainId, Expr, LocalId, Model, StepId};
use crate::diagnostic::Span;

/// A step.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its name.
    pub name: String,
    /// Its help text; may be empty.
    pub help: String,
    /// Its place.
    pub span: Span,
}

/// A place in the rules where a player chooses.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Its name, for `extend` and messages.
    pub name: String,
    /// The step it stands in.
    pub step: Option<StepId>,
    /// What can be chosen, in order.
    pub options: Vec<ChoiceOption>,
    /// Runs when no option is legal. Without it, and with nothing legal, play goes on.
    pub otherwise: Option<Block>,
    /// Its place.
    pub span: Span,
}

/// One option of a choice.
#[derive(Clone, Debug)]
pub struct ChoiceOption {
    /// Its name.
    pub name: String,
    /// Its action numbers.
    pub actions: ActionBlockId,
    /// Its binders; a later one may use an earlier one.
    pub binders: Vec<Binder>,
    /// What must hold of the bindings.
    pub filter: Option<Expr>,
    /// What must hold once the body has run, which is tried first: the body draws nothing, chooses
    /// nothing and stays in the turn. Whatever goes wrong in it goes wrong when the action is taken,
    /// so an action whose trial fails with an error is legal.
    pub ensuring: Option<Expr>,
    /// Never taken by random players.
    pub deliberate: bool,
    /// A pass.
    pub pass: bool,
    /// What it does.
    pub body: Block,
    /// Its help text; may be empty.
    pub help: String,
    /// Its place.
    pub span: Span,
}

/// `x in S` or `k subset of S`
#[derive(Clone, Debug)]
pub struct Binder {
    /// The local: an element of the set's domain, or a set over it.
    pub local: LocalId,
    /// The domain.
    pub domain: DomainId,
    /// Each subset of the set is a choice of its own, the empty one included; else each element is.
    /// Only the last binder of an option may be one of subsets.
    pub subset: bool,
    /// Of what.
    pub over: Expr,
}

/// Consecutive action numbers: `first + (e1 * size2 + e2) * size3 + e3 …`. A subset counts as the
/// number whose bit *i* is set if element *i* is in it, and its domain as two to the power of its size.
#[derive(Clone, Debug)]
pub struct ActionBlock {
    /// The option's name.
    pub option: String,
    /// The domains of its binders.
    pub domains: Vec<DomainId>,
    /// The last binder is one of subsets.
    pub subset: bool,
    /// The first number.
    pub first: u32,
    /// How many numbers.
    pub size: u32,
    /// A variant has removed it; the numbers stay.
    pub dead: bool,
}

/// What an action binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// An element of a domain.
    Element(DomainId, u32),
    /// A subset of a domain: bit *i* for element *i*.
    Subset(DomainId, u32),
}

impl Bound {
    /// The domain, and the elements.
    pub fn elements(self) -> (DomainId, Vec<u32>) {
        match self {
            Bound::Element(domain, e) => (domain, vec![e]),
            Bound::Subset(domain, bits) => (domain, (0..32).filter(|e| bits >> e & 1 == 1).collect()),
        }
    }
}

impl Model {
    /// The block of an action's number.
    pub fn action_block(&self, action: u32) -> Option<&ActionBlock> {
        self.actions.iter().find(|b| action >= b.first && action - b.first < b.size)
    }

    /// An action as the player sees it: the option and what it binds, `place c5`; of a subset all its
    /// elements, `reroll 1 3 4`, or `reroll none`.
    pub fn action_name(&self, action: u32) -> String {
        let Some(block) = self.action_block(action) else { return format!("action {action}") };
        let mut name = block.option.clone();
        for bound in block.bindings(self, action) {
            let (domain, elements) = bound.elements();
            if elements.is_empty() {
                name.push_str(" none");
            }
            for e in elements {
                name.push(' ');
                name.push_str(&self.element_name(domain, e));
            }
        }
        name
    }
}

impl ActionBlock {
    /// What one of its actions binds, in the order of the binders.
    pub fn bindings(&self, model: &Model, action: u32) -> Vec<Bound> {
        let mut rest = action.saturating_sub(self.first);
        let sizes = self.sizes(model);
        let last = self.domains.len().saturating_sub(1);
        let mut bound: Vec<Bound> = vec![];
        for (place, (domain, size)) in self.domains.iter().zip(sizes).enumerate().rev() {
            let number = rest % size.max(1);
            rest /= size.max(1);
            bound.push(match self.subset && place == last {
                true => Bound::Subset(*domain, number),
                false => Bound::Element(*domain, number),
            });
        }
        bound.reverse();
        bound
    }

    /// How many ways there are for each binder.
    pub fn sizes(&self, model: &Model) -> Vec<u32> {
        ways(self.domains.iter().map(|d| model.domains[d.index()].size), self.subset)
    }
}

/// How many ways there are for each binder over domains of these sizes; `subset` if the last is one of
/// subsets.
pub fn ways(sizes: impl Iterator<Item = u32>, subset: bool) -> Vec<u32> {
    let mut ways: Vec<u32> = sizes.collect();
    if let (Some(last), true) = (ways.last_mut(), subset) {
        *last = 1u32.checked_shl(*last).unwrap_or(u32::MAX);
    }
    ways
}
