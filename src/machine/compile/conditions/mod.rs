//! Conditions on elements: tested as soon as what they name is bound (`hoist`), for a whole set at once (`lift`), or by an
//! instruction of their own (`tested`).

mod hoist;
pub(in crate::compile) mod lift;
pub(in crate::compile) mod tested;
