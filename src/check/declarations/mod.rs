//! What the rules declare: domains, boards, pieces, zones, variables, params, players, ends, scores and matches.

mod board_sizes;
mod boards;
pub(crate) mod copies;
mod dice;
mod domains;
mod kinds;
mod matches;
mod order;
mod params;
mod players;
mod records;
mod rules;
mod set_tables;
mod settings;
mod shown;
mod slots;
mod tables;
mod taking_part;
pub(crate) mod zones;
