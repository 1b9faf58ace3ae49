//! Runs games. Knows models and programs; knows nothing of rule text, of files or of who plays.

mod action;
pub mod batch;
mod effects;
mod error;
mod game;
pub mod oracle;
mod outcome;
mod run;
mod state;

pub use action::ActionId;
pub use error::{RuntimeError, RuntimeErrorKind};
pub use game::{Game, Identity, Player};
pub use outcome::Outcome;
pub use state::{ApplyError, Event, Start, State};
