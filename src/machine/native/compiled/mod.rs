//! What exists only where there is a backend: compiling a program, and running its code.

mod accesses;
mod assembly;
mod backend;
mod calls;
mod flow;
mod implied;
mod lower;
mod memory;
mod packed;
mod runs;

pub use backend::{Machine, Prepared};
