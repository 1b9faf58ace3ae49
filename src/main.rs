//! The `houserule` command.

use std::process::ExitCode;

use houserule::script::CountingAllocator;

/// Bounds the memory of scripts.
#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn main() -> ExitCode {
    ExitCode::from(houserule::cli::run(std::env::args_os()))
}
