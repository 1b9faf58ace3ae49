//! Games that are followed: what is expected at each of their moments, and what the figures of a report make of it.
//!
//! Whatever loops over games for a report stands here, beside simulations; its questions and sentences are the lab's.

pub mod places;

pub mod exact;
mod repetition;
pub mod track;

pub mod odds;

pub mod course;
pub mod followed;
pub mod luck;

pub(crate) mod beside;
