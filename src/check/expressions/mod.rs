//! Expressions: types, operators, functions, and values known when the rules are loaded.

mod best;
pub(crate) mod calls;
pub(crate) mod constants;
mod convert;
mod directions;
mod expr;
mod fit;
mod indexed;
mod lists;
mod meant;
mod operators;
mod owners;
pub(crate) mod past;
mod ranges;
pub(crate) mod sets;
pub(crate) mod several;
mod subsets;
mod tested;
