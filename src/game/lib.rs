//! Games and states: how a game starts, takes actions and ends. Depends on models and programs; independent of
//! rule text, files and agents.

// A room uses only rooms in the paragraphs above its own.
mod agree;
mod attached;
mod chance;
pub mod choice_layout;
mod definition;
pub mod endless;
mod error;
mod event;
mod forget;
mod game_words;
mod given;
pub mod metered;
mod onlookers;
pub mod ordered;
pub mod outcome;
mod piles;
pub mod random_games;
pub mod replay_history;
pub mod snapshot;
mod start;
pub mod state;
pub mod trail;
pub mod values;
mod watched;
mod work;
mod worth;

pub mod oracle;

pub mod explain;

pub mod matches;

pub mod random_matches;

pub mod hidden;

pub mod drawing;

pub mod notation;

pub mod observe;

pub mod many;

pub mod solve;

pub use agree::{agree, agree_within};
pub use attached::Attached;
pub use definition::{Game, Identity, Sheet, SheetScript};
pub use error::{IllegalChoice, NoWorld, RuntimeError, RuntimeErrorKind};
pub use event::{ApplyError, Event, HistoryOrigin, Start};
pub use onlookers::Onlookers;
pub use outcome::Outcome;
pub use outcome::{share, shares};
pub use state::State;
pub use values::family_names;
pub use worth::Patience;

pub use houserule_machine::native::{RunKind, choice as backend_choice, failure as code_failure};
pub use houserule_model::{ActionId, BinderValue, Seat};

// So that what the tests share can name things the same way here and outside.
#[cfg(test)]
extern crate self as houserule;
#[cfg(test)]
use {crate as game, houserule_base::rng, houserule_model as model};
