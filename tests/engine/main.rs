//! Tests of the engine: the two executors, boards, zones, rounds, visibility, and saved and resumed games.

#[path = "../support/agree.rs"]
mod agree;
#[path = "../support/attack/mod.rs"]
mod attack;
#[path = "../../benches/baseline/mod.rs"]
pub mod baseline;
#[path = "../support/checked.rs"]
mod checked;
#[path = "../support/extent.rs"]
mod extent;
#[path = "../support/boards.rs"]
mod on_any_board;
#[path = "../support/random_rules/mod.rs"]
mod random_rules;
#[path = "../support/rule_files.rs"]
mod rule_files;
#[path = "../support/rules.rs"]
mod rules;
#[path = "../support/saved_way.rs"]
#[allow(unreachable_pub)]
mod saved_way;
#[path = "../support/states.rs"]
mod states;
#[path = "../support/text_snapshots.rs"]
mod text_snapshots;

use houserule::script::CountingAllocator;

/// Limits the memory of scripts, as in the command.
#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

mod across;
mod assigned;
mod boards;
mod bounds;
mod by_hand;
mod chains;
mod check_play;
mod chosen;
mod committed_moves;
mod conditions;
mod copies;
mod coverage;
mod custodial;
mod diagonals;
mod endless_rolls;
mod ends;
mod exact;
mod executors;
mod explained;
mod far_numbers;
mod finished;
mod given;
mod hidden;
mod hidden_copies;
mod kinds;
mod laps;
mod levels;
mod lists;
mod lowering;
mod machine;
mod no_action;
mod nth;
mod observations;
mod others;
mod parts;
mod payoffs;
mod pieces;
mod piles;
mod positions;
mod private_boards;
mod pushed;
mod random_games;
mod records;
mod remembered;
mod rolls;
mod rounds;
mod rows;
mod sandbox;
mod saved;
mod score_direction;
mod script_sets;
mod scripts;
mod seen_by_name;
mod set_tables;
mod sets;
mod site_zones;
mod snapshots;
mod spreading;
mod steps;
mod streams;
mod subset_conditions;
mod subsets;
mod swaps;
mod tables;
mod taking_part;
mod tested_none;
mod together;
mod told_alike;
mod tops;
mod trials_and_past;
mod weighted_dice;
mod who_learns;
mod winners;
mod worlds;
mod zones;
