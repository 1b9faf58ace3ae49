//! Rules, a game at a table, and measurements, for a page that asks for them: the workbench without its server.
//!
//! Requests and answers are data ([`Ask`], [`Tell`]). The module has no sockets, threads or clocks, and writes no
//! files. Its host passes on the messages, holds the files, and plays the runs on threads of its own.

mod agent_files;
mod ask;
mod asked;
mod game_table;
mod measure;
pub mod rules;
mod session;
mod told;

pub use ask::{Ask, Tell};
pub use asked::{
    AskedValue, AskedValues, DecisionAsked, DiceAsked, EventAsked, FormAsked, NextPlace, OutcomeAsked,
    RulesAsked,
};
pub use measure::Run;
pub use session::Session;
pub use told::*;
