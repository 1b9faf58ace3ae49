//! Games and states: how a game starts, takes actions and ends. Depends on models and programs; independent of
//! rule text, files and agents.

mod agree;
mod attached;
mod chance;
pub(crate) mod choice_layout;
mod definition;
pub(crate) mod endless;
mod error;
mod event;
mod given;
pub mod ordered;
pub(crate) mod outcome;
mod piles;
pub mod random_games;
pub(crate) mod replay_history;
pub mod snapshot;
pub(crate) mod state;
pub mod trail;
pub mod values;

pub use agree::agree;
pub(crate) use attached::Attached;
pub use definition::{Game, Identity, Sheet, SheetScript};
pub use error::{IllegalChoice, NoWorld, RuntimeError, RuntimeErrorKind};
pub use event::{ApplyError, Event, Start};
pub use outcome::Outcome;
pub(crate) use outcome::{share, shares};
pub use state::State;
pub use values::family_names;

pub use crate::model::{ActionId, BinderValue, Seat};
