//! What a name stands for where it is used: declarations are resolved and defines are expanded at their uses, and what
//! is known of names that may be none follows from the conditions around a place.

mod declared;
pub(crate) mod defines;
mod facts;
pub(crate) mod lookup;
mod types;

pub(crate) use declared::SAME_STANDS;
