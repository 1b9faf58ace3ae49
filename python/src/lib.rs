//! The native module `houserule._native`: the engine for Python. Every public name of the package comes from
//! `python/houserule`, which decides what is public.

mod agents;
mod arguments;
mod command;
mod compare;
mod data;
mod envs;
mod errors;
mod facts;
mod figures;
mod game;
mod game_methods;
mod ladder;
mod learn;
mod loading;
mod names;
mod picture;
mod replay;
mod simulate;
mod state;
mod tables;
mod watched;

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
    use super::command::main;
    #[pymodule_export]
    use super::compare::compare;
    #[pymodule_export]
    use super::envs::{EnvCore, VectorCore};
    #[pymodule_export]
    use super::facts::facts;
    #[pymodule_export]
    use super::figures::Figures;
    #[pymodule_export]
    use super::game::Game;
    #[pymodule_export]
    use super::ladder::rate;
    #[pymodule_export]
    use super::learn::{Player, learn};
    #[pymodule_export]
    use super::loading::{_game, games, load, parse, stack};
    #[pymodule_export]
    use super::replay::replay;
    #[pymodule_export]
    use super::simulate::{SimulationRun, parse_count, share_interval, simulate, student};
    #[pymodule_export]
    use super::state::State;
    #[pymodule_export]
    use super::tables::ArrowTable;
}
