//! Tests from rule text to checked model: the parser, the messages, and the examples of the language
//! reference.

#[path = "../support/agree.rs"]
mod agree;
#[path = "../support/checked.rs"]
mod checked;
#[path = "../support/command.rs"]
mod command;
#[path = "../support/extent.rs"]
mod extent;
#[path = "../support/fences.rs"]
mod fences;
#[path = "../support/rule_files.rs"]
mod rule_files;
#[path = "../support/states.rs"]
mod states;
#[path = "../support/text_snapshots.rs"]
mod text_snapshots;
#[path = "../support/whole_way.rs"]
mod whole_way;

mod check;
mod check_model;
mod docs;
mod edits;
mod errors;
mod growth;
mod hostile;
mod house;
mod limits;
mod loader;
mod looks;
mod meanings;
mod messages;
mod never_changed;
mod origin;
mod own_names;
mod proposals;
mod service;
mod syntax;
mod vocabulary;
