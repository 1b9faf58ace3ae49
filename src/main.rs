//! The `houserule` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(houserule::cli::run(std::env::args_os()))
}
