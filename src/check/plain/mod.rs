//! What the checker adds to rules once they are checked: knowledge of hidden elements, lints, limits.

mod knowledge;
mod known_copies;
pub(crate) mod lints;
mod shown_values;
mod size;
mod tops;
