//! The blocks of actions before they are numbered, and the steps by their places.

use houserule_language::diagnostic::Span;
use houserule_model::{DomainId, StepId};
use std::collections::HashMap;

/// The identity of a block of actions, before the blocks are ordered.
#[derive(Clone, Debug)]
pub(crate) struct ActionBlockKey {
    pub(crate) option: String,
    pub(crate) domains: Vec<DomainId>,
    pub(crate) subset: bool,
    /// See [`ActionBlock::faces`](houserule_model::ActionBlock::faces).
    pub(crate) faces: Vec<(usize, u32, String)>,
    pub(crate) span: Span,
}

/// The blocks of actions and the steps that the check has met.
#[derive(Debug, Default)]
pub(crate) struct Actions {
    pub(crate) keys: Vec<ActionBlockKey>,
    pub(crate) steps_by_span: HashMap<Span, StepId>,
}
