//! The native module `houserule._native`: the engine for Python. Every public name of the package comes from
//! `python/houserule`, which decides what is public.

mod agent_files;
mod agents;
mod arguments;
mod command;
mod compare;
mod data;
mod env_arrays;
mod env_options;
mod env_queue;
mod env_single;
mod env_work;
mod envs;
mod errors;
mod extremes;
mod facts;
mod figures;
mod game;
mod game_methods;
mod ladder;
mod learn;
mod loading;
mod names;
mod odds;
mod parts;
mod picture;
mod profile;
mod replay;
mod report;
mod rules;
mod search;
mod simulate;
mod state;
mod study;
mod tables;
mod watched;
mod worth;

use houserule::script::CountingAllocator;
use pyo3::prelude::*;

/// Counts allocations, to limit the memory of scripts.
#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// The engine of `houserule`.
#[pymodule(gil_used = false)]
mod _native {
    /// The version of the package.
    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    use super::agent_files::{PyAgentFile, agent_path};
    #[pymodule_export]
    use super::command::main;
    #[pymodule_export]
    use super::compare::compare;
    #[pymodule_export]
    use super::env_arrays::EnvSizes;
    #[pymodule_export]
    use super::env_options::dtype_name;
    #[pymodule_export]
    use super::env_queue::QueueCore;
    #[pymodule_export]
    use super::env_single::EnvCore;
    #[pymodule_export]
    use super::envs::VectorCore;
    #[pymodule_export]
    use super::extremes::find_extremes;
    #[pymodule_export]
    use super::facts::{facts, payoff_bounds};
    #[pymodule_export]
    use super::figures::Figures;
    #[pymodule_export]
    use super::game::PyGame;
    #[pymodule_export]
    use super::ladder::rate;
    #[pymodule_export]
    use super::learn::{PyPlayer, learn};
    #[pymodule_export]
    use super::loading::{_game, games, load, parse, stack};
    #[pymodule_export]
    use super::odds::{exact_odds, is_expression};
    #[pymodule_export]
    use super::parts::{HeldPlayers, PyParts, trained};
    #[pymodule_export]
    use super::replay::replay;
    #[pymodule_export]
    use super::report::report;
    #[pymodule_export]
    use super::rules::load_all;
    #[pymodule_export]
    use super::search::PySearch;
    #[pymodule_export]
    use super::simulate::{SimulationRun, parse_count, share_interval, simulate, student};
    #[pymodule_export]
    use super::state::PyState;
    #[pymodule_export]
    use super::study::{sweep, tune};
    #[pymodule_export]
    use super::tables::ArrowTable;
    #[pymodule_export]
    use super::worth::worth;
}
