//! What the checker adds to rules once they are checked: calls of scripts, knowledge of hidden elements, lints, limits.

mod hooks;
mod knowledge;
mod known_copies;
pub(crate) mod lints;
mod shown_values;
mod size;
mod tops;
