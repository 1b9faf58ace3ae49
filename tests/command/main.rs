//! Tests of the command.

#[path = "../support/command.rs"]
mod command;
#[path = "../support/extent.rs"]
mod extent;
#[path = "../support/fences.rs"]
mod fences;
#[path = "../support/rule_files.rs"]
mod rule_files;
#[path = "../support/rules.rs"]
mod rules;
#[cfg(unix)]
#[path = "../support/table.rs"]
mod table;
#[path = "../support/text_snapshots.rs"]
mod text_snapshots;
#[path = "../support/written.rs"]
mod written;

mod alike;
mod answers;
mod card;
mod cards;
mod check;
mod cli;
mod compare;
mod diff;
mod endless_rolls;
mod explain_error;
mod extremes;
mod figures;
mod files;
mod fmt;
mod getting_started;
#[cfg(unix)]
mod hot_seat;
mod ladder;
mod manners;
mod many_moves;
mod metrics;
mod new;
mod odds;
mod play;
mod play_told;
mod play_typed;
mod print;
mod profile;
mod report;
mod report_theory;
mod rules_text;
mod scale;
mod sides;
mod simulate;
mod sweep;
mod told;
mod tune;
mod watch;
#[cfg(feature = "workbench")]
mod workbench;
mod worth;
