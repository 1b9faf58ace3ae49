//! What the checker adds to rules once they are checked: calls of scripts, knowledge of hidden elements, lints, limits.

pub(in crate::check) mod hooks;
pub(in crate::check) mod knowledge;
pub(in crate::check) mod known_copies;
pub(in crate::check) mod lints;
mod shown_values;
pub(in crate::check) mod size;
mod tops;
