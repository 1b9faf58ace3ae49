//! Games as text and as pictures.

#[path = "../support/rule_files.rs"]
mod rule_files;

mod drawings;
mod pictures;
