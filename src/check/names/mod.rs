//! What a name stands for: declarations, locals, built-in names, and defines expanded where they are used.

pub(in crate::check) mod defines;
pub(super) mod definitions;
pub(in crate::check) mod lookup;
pub(in crate::check) mod mentioned;
pub(in crate::check) mod record;
pub(in crate::check) mod scope;
pub(in crate::check) mod tables;
#[cfg(test)]
mod tests;
pub(in crate::check) mod types;
