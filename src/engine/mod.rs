//! Games being played: states, chance, results. Knows models and programs; knows nothing of rule
//! text, of files or of who plays.

mod action;
mod effects;
mod error;
pub mod oracle;
mod run;

pub use action::ActionId;
pub use error::{RuntimeError, RuntimeErrorKind};
