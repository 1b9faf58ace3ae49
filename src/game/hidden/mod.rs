//! What a seat knows: who sees what, information states, and worlds that agree with all that a seat has seen.
//! Depends on games; independent of agents.

pub mod beliefs;
mod course;
pub(crate) mod hidden_copies;
pub(crate) mod information;
pub(crate) mod knowledge;
mod moved;
mod moved_unseen;
mod onlookers;
mod open;
mod redraw;
mod shown;
mod shown_locals;
mod sites_in_zones;
mod unfinished;
mod view;
mod visible_values;

pub use beliefs::{Beliefs, Likelihood, OpponentModel, WorldOptions, Worlds};
pub use course::{CourseItem, CourseKind, GameCourse, Told, find_picked_domains};
pub use view::View;
pub use visible_values::{VisibleValue, variables_seen};
