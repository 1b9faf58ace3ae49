//! A tabletop game is a short rule file; a house rule is a few lines that change another one.
//!
//! A [`Game`](crate::game::Game) is what loading makes of a rule file: a checked model, a program, and numbered actions.
//! It never changes. A [`State`](crate::game::State) is a game in progress: a row of 64-bit words, random streams, and
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
//! Each module uses only modules above it in this table; a test holds them to the order.
//!
//! | modules | subject |
//! | --- | --- |
//! | [`diagnostic`] | messages about rule files |
//! | [`board`] | boards, sets of sites, lines, regions |
//! | [`hook`], [`interrupt`], [`numbers`], [`rng`], [`limits`] | tools without knowledge of games |
//! | [`vocabulary`] | keywords, statements, functions and built-in names of the language, as tables |
//! | [`syntax`], [`variants`], [`format`] | a rule text as a tree; house rules; the standard layout |
//! | [`model`] | the checked model |
//! | `checker`, `check_expressions`, `check_declarations`, `check_statements`, [`check`] | the checker, which makes a model of a tree: what its passes share, a pass for each subject, and what runs them |
//! | [`files`], [`script`] | files that users name; functions in Rhai |
//! | [`program`], [`compile`] | programs, and how a model becomes one |
//! | [`machine`], [`native`] | the interpreter of programs; programs as machine code |
//! | [`game`] | games and states: how a game starts, takes actions and ends |
//! | [`oracle`], [`explain`] | the reference interpreter; scores explained with it |
//! | [`matches`] | several games in a row |
//! | [`notation`] | positions, records and journals as text |
//! | [`hidden`] | what a seat knows, and the worlds that agree with it |
//! | [`observe`], [`many`] | observations as numbers; many games side by side |
//! | [`bundled`], [`loader`], [`recorded`] | from names and files to games |
//! | [`service`] | what editors ask about rule texts |
//! | [`agent`], [`learned`], [`agents`] | what an agent is; players that learn; all agents |
//! | [`envs`] | training environments |
//! | [`statistics`], [`playtest`], [`ladder`] | sums, intervals, ratings; simulation, comparison; tournaments |
//! | [`analysis`] | what rules do to a game: a designer's questions, answered by figures |
//! | [`data_file`] | tables of results as files of data: Parquet, CSV |
//! | [`study`] | questions answered with several runs: what each rule is worth, sweeps, tuning, training |
//! | [`chart`] | results as charts |
//! | [`extremes`] | the most and the least that a game can come to, with proofs |
//! | [`paint`], [`prose`] | coloured lines of text; rules and their changes in plain words |
//! | [`draw`], [`render`], [`print`], [`report`] | games as pictures; pictures as files; games on paper; results as text |
//! | [`table`] | a game at a table, for people and agents, without a terminal |
//! | [`workbench`] | rules, tables and measurements, for a page that asks for them |
//! | `serve` | the server of the workbench |
//! | [`lsp`] | the language server |
//! | `terminal`, `play` | what a terminal shows and reads; a game at the keyboard |
//! | [`cli`] | the command |
//!
//! # The life of one action
//!
//! 1. [`syntax::parse()`] makes a tree of the rule text, and [`variants::merge()`] applies house rules.
//! 2. [`check`] makes a model of the tree, and numbers the actions.
//! 3. [`compile`] lowers the model to a program, in which each decision is a stop point.
//! 4. [`program`] verifies every address. [`game::Game::start`] runs to the first stop point.
//! 5. [`game::Game::parse_action`] turns a name such as `place b2` into the number of an action.
//! 6. [`game::State::apply`] finds the pending stop point, and the bit of the action in its mask.
//! 7. It writes what the action binds, and continues at the code of the option.
//! 8. [`native`] runs that code as machine code, or [`machine`] interprets it.
//! 9. An instruction changes the bits: a set of sites gets one, the set of empty sites loses one.
//! 10. The code fills the next mask and stops. [`game::State::legal_actions`] reads the mask.

// Some items serve the command alone.
#![cfg_attr(not(feature = "command"), allow(dead_code))]

pub mod diagnostic;

pub mod board;

mod hash;

pub mod hook;

mod clock;

pub mod interrupt;

pub mod parts;

mod pool;

pub mod numbers;

pub mod rng;

pub mod limits;

pub mod vocabulary;

pub mod syntax;

pub mod variants;

pub mod format;

pub mod model;

mod checker;

mod check_expressions;

mod check_declarations;

mod check_statements;

pub mod check;

pub mod files;

mod file_watch;

pub mod script;

pub mod program;

pub mod compile;

pub mod machine;

pub mod native;

pub mod game;

pub mod oracle;

pub mod explain;

pub mod matches;

pub mod notation;

pub mod hidden;

pub mod observe;

pub mod many;

pub mod bundled;

pub mod loader;

pub mod recorded;

pub mod service;

pub mod solve;

pub mod agent;

pub mod learned;

pub mod agents;

pub mod evaluated;

pub mod envs;

pub mod statistics;

pub mod playtest;

pub mod ladder;

pub mod coverage;

pub mod analysis;

pub mod data_file;

pub mod study;

pub mod chart;

pub mod extremes;

pub mod paint;

pub mod prose;

mod lettering;

pub mod render;

pub mod draw;

pub mod print;

pub mod report;

pub mod table;

pub mod workbench;

#[cfg(feature = "workbench")]
pub mod serve;

pub mod lsp;

#[cfg(target_family = "wasm")]
pub mod wasm;

#[cfg(feature = "command")]
mod terminal;

#[cfg(feature = "command")]
mod play;

#[cfg(feature = "command")]
pub mod cli;

// So that what the tests share can name the crate the same way within it and outside.
#[cfg(test)]
extern crate self as houserule;
