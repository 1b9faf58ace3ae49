//! House rules: how variants change a syntax tree, and the origin of a game that stands on them.

mod merge;
pub mod origin;

pub use merge::{EditedName, Merged, merge};
pub use origin::{MeasureText, Origin, Setting, StackPart};
