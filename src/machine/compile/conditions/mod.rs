//! Conditions on elements: tested as soon as what they name is bound (`hoist`; `nests`), for a whole set at once (`lift`), or by an
//! instruction of their own (`tested`).

mod hoist;
pub(in crate::compile) mod lift;
mod nests;
pub(in crate::compile) mod tested;
