//! Scripts in Rhai: functions that the rules call where the rule language isn't enough, and agents.
//!
//! A script has no memory. It works on a copy of the state, which replaces the state if the call succeeds. For
//! a chance event the call is abandoned, and repeated once the outcome is known. So scripted games can be
//! cloned, undone, replayed and run in threads like any other. Scripts have access to nothing but the state: no
//! files, no modules, no clock, no other script. All their resources are limited.
//!
//! Depends on boards and the model; independent of how a game is executed.

mod agent;
mod bind;
mod caller;
mod context;
mod game;
mod library;
mod limits;
mod memory;
mod meter;
mod outline;
mod piles;
mod said;
mod sandbox;
mod value;
mod words;

pub use agent::{AgentFunctions, ScriptAgent, agent_functions};
pub use bind::bind;
pub use caller::functions;
pub use context::StateView;
pub use limits::ScriptLimits;
pub use memory::CountingAllocator;
pub use outline::{Script, parse};
pub use said::how_to_call;
pub use words::{CALLS, WORDS};
