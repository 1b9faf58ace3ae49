//! Runs games. Knows models and programs; knows nothing of rule text, of files or of who plays.

mod action;
mod again;
pub mod batch;
pub mod drawing;
mod effects;
mod error;
mod event;
pub mod explain;
mod game;
mod given;
pub mod journal;
pub(crate) mod knowledge;
pub(crate) mod many;
pub mod matches;
pub mod observation;
mod open;
pub mod oracle;
pub mod ordered;
mod outcome;
mod past;
pub mod position;
pub mod record;
mod run;
mod sets;
mod sites;
pub mod snapshot;
mod state;
mod subsets;
mod tally;
pub mod trail;
mod trial;
pub mod values;
mod view;

pub use action::ActionId;
pub use error::{RuntimeError, RuntimeErrorKind};
pub use event::{ApplyError, Event, Start};
pub use game::{Bound, Game, Identity, Player, Sheet};
pub use observation::ObservationEntry;
pub use outcome::Outcome;
#[cfg(target_arch = "x86_64")]
pub(crate) use run::has_bmi2;
pub use state::State;
pub use view::View;
