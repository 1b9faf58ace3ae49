//! Tests of programs and machine code that need games.

mod shared_code;
mod verify;
