//! Runs games. Knows models and programs; knows nothing of rule text, of files or of who plays.

mod action;
pub mod batch;
pub mod drawing;
mod effects;
mod error;
pub mod explain;
mod game;
pub mod matches;
mod observation;
pub mod oracle;
pub mod ordered;
mod outcome;
pub mod position;
pub mod record;
mod run;
mod state;
pub mod values;

pub use action::ActionId;
pub use error::{RuntimeError, RuntimeErrorKind};
pub use game::{Game, Identity, Player};
pub use observation::ObservationEntry;
pub use outcome::Outcome;
pub use state::{ApplyError, Event, Start, State};
