//! What a name stands for: declarations, locals, built-in names, and defines expanded where they are used.

pub(crate) mod defines;
pub(crate) mod definitions;
pub(crate) mod lookup;
pub(crate) mod mentioned;
pub(super) mod record;
pub(crate) mod scope;
pub(crate) mod tables;
mod types;
