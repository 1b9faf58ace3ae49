//! Tests of text drawings and pictures.

#[path = "../support/command.rs"]
mod command;
#[path = "../support/extent.rs"]
mod extent;
#[path = "../support/boards.rs"]
mod on_any_board;
#[path = "../support/rule_files.rs"]
mod rule_files;
#[path = "../support/text_snapshots.rs"]
mod text_snapshots;

mod checks;
mod drawings;
mod pictures;
mod roles;
mod rows;
mod things;
