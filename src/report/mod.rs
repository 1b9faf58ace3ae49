//! Results as text for people: tables, figures with intervals, and sentences. Depends on the results and on the
//! page's width and colours; prints nothing.

pub(crate) mod columns;
pub(crate) mod comparison;
mod explained;
pub(crate) mod simulation;

pub use explained::{ExampleMessages, example_messages};

use crate::game::Game;
use crate::paint::Paint;
use crate::playtest::{Comparison, Report};

/// Formats a simulation's report as the command prints it, without colours.
pub fn report_text(game: &Game, found: &Report) -> String {
    simulation::text(game, found, Paint::new(false))
}

/// Formats a comparison as the command prints it, without colours.
pub fn comparison_text(found: &Comparison) -> String {
    comparison::report(found, Paint::new(false))
}
