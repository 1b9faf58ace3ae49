//! What the rules declare: domains, boards, pieces, zones, variables, params, players, ends, scores and matches.

mod board_sizes;
pub(in crate::check) mod boards;
pub(in crate::check) mod copies;
mod dice;
pub(in crate::check) mod domains;
pub(in crate::check) mod kinds;
pub(in crate::check) mod matches;
pub(in crate::check) mod order;
pub(in crate::check) mod params;
pub(in crate::check) mod players;
pub(in crate::check) mod rules;
mod set_tables;
pub(super) mod settings;
pub(in crate::check) mod shown;
pub(in crate::check) mod slots;
pub(in crate::check) mod tables;
pub(in crate::check) mod taking_part;
pub(in crate::check) mod zones;
