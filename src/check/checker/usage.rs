//! What the rules use, for warnings about the rest.

use houserule_model::SlotId;
use std::collections::HashSet;

/// What the rules use.
#[derive(Debug, Default)]
pub(crate) struct Usage<'a> {
    /// Declared names.
    pub(crate) names: HashSet<&'a str>,
    /// Defines and procedures that have been expanded: indices of their declarations.
    pub(crate) expanded: HashSet<usize>,
    pub(crate) read_slots: HashSet<SlotId>,
    /// The variables that a statement changes, also one of a procedure that is never called.
    pub(crate) changed_slots: HashSet<SlotId>,
    /// How often a param was read.
    pub(crate) params_read: u32,
    /// The round has turns, a `together` block or an `as` block.
    pub(crate) takes_turns: bool,
}
