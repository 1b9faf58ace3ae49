//! What the engine makes of a model: the two executors, boards, zones and rounds, what players may know, and
//! everything of a game that is written down and taken up again.

#[path = "../support/agree.rs"]
mod agree;
#[path = "../../benches/baseline/mod.rs"]
pub mod baseline;
#[path = "../support/checked.rs"]
mod checked;
#[path = "../support/boards.rs"]
mod on_any_board;
#[path = "../support/rules.rs"]
mod rules;
#[path = "../support/states.rs"]
mod states;

mod boards;
mod bounds;
mod by_hand;
mod check_play;
mod conditions;
mod copies;
mod custodial;
mod exact;
mod executors;
mod given;
mod hidden;
mod hidden_copies;
mod observations;
mod pieces;
mod positions;
mod private_boards;
mod records;
mod remembered;
mod rounds;
mod sandbox;
mod scripts;
mod simplified;
mod snapshots;
mod spreading;
mod streams;
mod subsets;
mod together;
mod trials_and_past;
mod zones;
