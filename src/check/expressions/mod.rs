//! Expressions: types, operators, functions, and values known when the rules are loaded.

mod best;
pub(in crate::check) mod build;
pub(in crate::check) mod calls;
pub(in crate::check) mod constants;
mod convert;
pub(in crate::check) mod directions;
pub(in crate::check) mod expr;
pub(in crate::check) mod fit;
pub(in crate::check) mod indexed;
mod lists;
pub(in crate::check) mod operators;
mod owners;
pub(in crate::check) mod past;
mod ranges;
pub(in crate::check) mod sets;
mod subsets;
