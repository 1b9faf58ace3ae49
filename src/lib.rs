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
//! | [`interrupt`], [`numbers`], [`rng`], [`limits`] | tools without knowledge of games |
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
//! | [`hidden`] | what a seat knows, and the worlds that agree with it |
//! | [`drawing`], [`notation`] | boards as text; positions, records and journals as text |
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

#[cfg(all(feature = "command", feature = "workbench"))]
pub use houserule_app::serve;
#[cfg(feature = "command")]
pub use houserule_app::{cli, lsp};
pub use houserule_base::{clock, files, interrupt, limits, numbers, parts, rng, statistics};
pub use houserule_check as check;
#[cfg(target_family = "wasm")]
pub use houserule_desk::wasm;
pub use houserule_desk::{service, table, workbench};
pub use houserule_game::{
    self as game, drawing, explain, hidden, many, matches, notation, observe, oracle, solve,
};
pub use houserule_lab::{analysis, coverage, data_file, extremes, ladder, playtest, study};
pub use houserule_language::{diagnostic, format, syntax, variants, vocabulary};
pub use houserule_loader::{self as loader, bundled, recorded};
pub use houserule_machine::{self as machine, compile, native, program};
pub use houserule_model::{self as model, board};
pub use houserule_page::{chart, draw, paint, print, prose, render, report};
pub use houserule_players::{agent, agents, envs, evaluated, learned};
pub use houserule_script as script;
