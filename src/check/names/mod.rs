//! What is known of names: the declarations and what they stand for, the local names and facts at the current place,
//! the defines that are being expanded, and the record of all names for editors. Nothing here checks anything.

pub(crate) mod definitions;
pub(crate) mod expansions;
pub(crate) mod facts;
pub(crate) mod mentioned;
pub(crate) mod name_table;
pub(crate) mod recorder;
pub(crate) mod scopes;
