//! Runs games. Knows models and programs; knows nothing of rule text, of files or of who plays.

mod action;
pub mod batch;
pub mod drawing;
mod effects;
mod error;
mod event;
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
mod tally;
pub mod values;

pub use action::ActionId;
pub use error::{RuntimeError, RuntimeErrorKind};
pub use event::{ApplyError, Event, Start};
pub use game::{Game, Identity, Player};
pub use observation::ObservationEntry;
pub use outcome::Outcome;
pub use state::State;
