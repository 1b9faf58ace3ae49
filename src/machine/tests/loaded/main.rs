//! Tests of programs and machine code that need games.

mod kept;
mod left_out;
mod shared_code;
mod verify;
