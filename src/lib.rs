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
//! # Parts
//!
//! The package is a façade. The program has sixteen parts, each a folder of `src` and a crate; a part uses only parts
//! above it. What is public of them has its module here. `docs/architecture.md` says what is in each.
//!
//! | part | what it is | modules |
//! | --- | --- | --- |
//! | base | what knows neither rules nor games | [`clock`], [`files`], [`interrupt`], [`limits`], [`numbers`], [`parts`], [`rng`], [`statistics`] |
//! | language | rules as text | [`diagnostic`], [`format`], [`syntax`], [`variants`], [`vocabulary`] |
//! | model | what checked rules are | [`model`], [`board`] |
//! | check | from trees to models | [`check`] |
//! | script | functions in Rhai | [`script`] |
//! | machine | programs, and what runs them | [`machine`], [`compile`], [`native`], [`program`] |
//! | game | games and states, what is seen of them, and what their rules mean | [`game`], [`drawing`], [`explain`], [`hidden`], [`many`], [`matches`], [`notation`], [`observe`], [`oracle`], [`solve`] |
//! | loader | from names and files to games | [`loader`], [`bundled`], [`recorded`] |
//! | players | agents, and players that learn | [`agent`], [`agents`], [`learned`] |
//! | envs | training environments, with the feature `environments` | `envs`, `evaluated` |
//! | playtest | simulations and comparisons, and what they measure | [`playtest`], [`data_file`], [`extremes`], [`odds`] |
//! | lab | questions answered with many runs | [`analysis`], [`coverage`], [`ladder`], [`study`] |
//! | picture | states as pictures and as text | [`draw`], [`layout`], [`lettering`], [`paint`], [`render`] |
//! | page | what people read: words, paper, charts, results | [`chart`], [`print`](mod@print), [`prose`], [`report`] |
//! | desk | what editors, tables and the workbench ask | [`service`], [`table`], [`workbench`] |
//! | app | the command: its subcommands, the terminal, the servers | `cli`, `lsp`, `serve` |
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
#[cfg(feature = "environments")]
pub use houserule_envs::{self as envs, evaluated};
pub use houserule_game::{
    self as game, drawing, explain, hidden, many, matches, notation, observe, oracle, solve,
};
pub use houserule_lab::{analysis, coverage, ladder, study};
pub use houserule_language::{diagnostic, format, syntax, variants, vocabulary};
pub use houserule_loader::{self as loader, bundled, recorded};
pub use houserule_machine::{self as machine, compile, native, program};
pub use houserule_model::{self as model, board};
pub use houserule_page::{chart, print, prose, report};
pub use houserule_picture::{draw, layout, lettering, paint, render};
pub use houserule_players::{agent, agents, learned};
pub use houserule_playtest::{self as playtest, data_file, extremes, odds};
pub use houserule_script as script;
