//! A tabletop game is a short rule file; a house rule is a few lines that change another one.
//!
//! A [`Game`](engine::Game) is what loading makes of a rule file: a checked model, a program, and numbered actions.
//! It never changes. A [`State`](engine::State) is a game in progress: a row of 64-bit words, random streams, and
//! the history. The seed and the index of a game fix all of its chance.
//!
//! ```
//! use houserule::loader::{Request, load};
//!
//! let game = load(&Request { name: "tic-tac-toe", ..Request::default() })?.game;
//! let mut state = game.start(7, 0)?;
//! let action = state.random_action().ok_or("the game is over")?;
//! state.apply(action)?;
//! assert!(game.action_name(action).starts_with("place ") && state.decisions() == 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Modules
//!
//! Each module may use everything further down; the arrows lead to what it uses most.
//!
//! ```text
//!        cli, Python package               commands, classes
//!        │        │        │
//!        ▼        ▼        ▼
//!     loader     draw    playtest, envs    from names to games; pictures; statistics, training
//!        │        │        │
//!        │        │        ▼
//!        │        │      agents            who decides
//!        ▼        ▼        ▼
//!               engine                     games, states, records; the reference interpreter
//!                 ▼
//!              machine                     runs programs: interpreter, machine code
//!                 ▼
//!              compile                     from model to program
//!              │     │
//!              ▼     ▼
//! script ──▶ lang   program                Rhai; from text to model; instructions
//!              │     │
//!              ▼     ▼
//!     board, diagnostic, hook, rng         boards, messages, random numbers
//! ```
//!
//! # The life of one action
//!
//! 1. [`lang::parse()`] makes a tree of the rule text, and [`lang::merge`] applies variants.
//! 2. [`lang::check`] makes a model of the tree, and numbers the actions.
//! 3. [`compile`] lowers the model to a program, in which each decision is a stop point.
//! 4. [`program`] verifies every address. [`engine::Game::start`] runs to the first stop point.
//! 5. [`engine::Game::parse_action`] turns a name such as `place b2` into the number of an action.
//! 6. [`engine::State::apply`] finds the pending stop point, and the bit of the action in its mask.
//! 7. It writes what the action binds, and continues at the code of the option.
//! 8. [`machine`] runs that code, compiled or interpreted.
//! 9. An instruction changes the bits: a set of sites gets one, the set of empty sites loses one.
//! 10. The code fills the next mask and stops. [`engine::State::legal_actions`] reads the mask.

// Messages.
pub mod diagnostic;

// Boards, and tools without knowledge of games.
pub mod board;
mod hash;
pub mod hook;
pub mod interrupt;
pub mod numbers;
pub mod rng;

// From rule text to a checked model.
pub mod lang;

// Files that users name.
pub mod files;

// Functions in Rhai, which rules and agents call.
pub mod script;

// Programs: what they are, how a model becomes one, and what runs them.
pub mod program;

pub mod compile;

pub mod machine;

// Games and states.
pub mod engine;

// From names and files to games.
pub mod bundled;
pub mod loader;
pub mod recorded;

// What plays games: agents, environments, simulations.
pub mod agents;
pub mod envs;
pub mod playtest;

// What shows games.
pub mod draw;

// The command.
pub mod cli;

// So that what the tests share can name the crate the same way within it and outside.
#[cfg(test)]
extern crate self as houserule;
