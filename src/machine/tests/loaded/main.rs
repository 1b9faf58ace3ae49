//! Tests of programs and machine code that need games.

mod kept;
mod shared_code;
mod verify;
