//! Scripts in Rhai: functions that the rules call where the rule language can't say it, and computer players.
//!
//! A script keeps nothing. It works on a copy of the state, which replaces the state when the call succeeds;
//! what a call leaves to chance is asked for from outside, and the call made anew with what came out. So
//! scripted games are cloned, undone, replayed and run in threads like any other. Scripts reach nothing but
//! the state: no files, no modules, no clock, no other script; and all that they use is bounded.
//!
//! Knows boards and the model; knows nothing of how a game is executed.

/// How the files of scripts end.
pub const ENDING: &str = ".rhai";

mod agent;
mod bind;
mod caller;
mod desk;
mod game;
mod library;
mod limits;
mod memory;
mod meter;
mod outline;
mod said;
mod sandbox;
mod value;
mod words;

pub use agent::{Player, Talents, talents};
pub use bind::bind;
pub use caller::functions;
pub use desk::Sight;
pub use limits::Limits;
pub use memory::CountingAllocator;
pub use outline::{Script, parse};
