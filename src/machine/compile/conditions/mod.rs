//! Conditions on elements: divided by the elements that they name (`early`), tested as soon as what they name is bound (`hoist`; `nests`), for a
//! whole set at once (`lift`), or by an instruction of their own (`tested`).

mod early;
mod hoist;
pub(in crate::compile) mod lift;
pub(in crate::compile) mod nests;
pub(in crate::compile) mod tested;
