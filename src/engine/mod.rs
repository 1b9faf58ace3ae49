//! Runs games. Knows models and programs; knows nothing of rule text, of files or of who plays.

mod action;
mod error;
pub mod oracle;

pub use action::ActionId;
pub use error::{RuntimeError, RuntimeErrorKind};
