//! The `houserule` command.

fn main() {}
