//! Results for people: text with tables, figures with intervals and sentences; reports as Markdown and HTML. Depends
//! on the results and on the page's width and colours; prints nothing.

pub mod columns;
pub mod comparison;
pub mod comparison_page;
pub mod effect;
pub mod extremes;
pub mod figures;
pub mod head;
pub mod html;
pub mod moment;
pub mod odds;
pub mod page;
pub mod parts;
pub mod profile;
pub mod rule_words;
pub mod simulation;
pub mod sweep;
pub mod tune;
pub mod worth;

use houserule_game::Game;
use houserule_lab::analysis::GameReport;
use houserule_lab::study::Worth;
use houserule_lab::study::sweep::Sweep;
use houserule_lab::study::tune::Tuning;
use houserule_picture::paint::Paint;
use houserule_playtest::extremes::Extremes;
use houserule_playtest::odds::Odds;
use houserule_playtest::{Comparison, Profile, Report};

/// Formats a simulation's report as the command prints it, without colours.
pub fn report_text(game: &Game, found: &Report) -> String {
    simulation::text(game, found, Paint::new(false))
}

/// Formats a comparison as the command prints it, without colours.
pub fn comparison_text(found: &Comparison) -> String {
    comparison::report(found, Paint::new(false))
}

/// Formats a profile as the command prints it, without colours.
pub fn profile_text(found: &Profile) -> String {
    profile::text(found, profile::LISTED, Paint::new(false))
}

/// Formats a sweep as the command prints it, without colours. `metrics` chooses what is shown; empty: those of whole
/// games that vary. Fails with a message if there is no such metric.
pub fn sweep_text(found: &Sweep, metrics: &[String]) -> Result<String, String> {
    sweep::text(found, metrics, Paint::new(false))
}

/// Draws a sweep: a panel for each metric, with the first param along it and the others in colours.
pub fn sweep_chart(found: &Sweep, metrics: &[String]) -> Result<crate::chart::Chart, String> {
    sweep::chart(found, metrics)
}

/// Returns the table of a sweep, as files of data have it.
pub fn sweep_frame(found: &Sweep) -> houserule_playtest::DataFrame {
    sweep::frame(found)
}

/// Returns the rows of a sweep as a table: the names of its columns, and the cells of each row.
pub fn sweep_table(found: &Sweep) -> (Vec<String>, Vec<Vec<String>>) {
    sweep::table(found)
}

/// Formats a tuning as the command prints it, without colours.
pub fn tuning_text(found: &Tuning) -> String {
    tune::text(found, Paint::new(false))
}

/// Formats what the rules are worth as the command prints it, without colours.
pub fn worth_text(found: &Worth) -> String {
    worth::report(found, false, Paint::new(false))
}

/// Formats exact odds as the command prints them, without colours.
pub fn odds_text(found: &Odds) -> String {
    odds::text(found, Paint::new(false))
}

/// Formats the extremes of a game as the command prints them, without colours.
pub fn extremes_text(found: &Extremes) -> String {
    extremes::text(found, None, Paint::new(false))
}

/// Formats a report on a game as the command prints it, without colours.
pub fn page_text(page: &GameReport) -> String {
    page::text(page, Paint::new(false))
}

/// Formats a report on a game as Markdown.
pub fn page_markdown(page: &GameReport) -> String {
    page::document(&[], &[page])
}

/// Formats a report on a game as a self-contained HTML file, with a picture of the game.
pub fn page_html(game: &Game, page: &GameReport) -> String {
    let glance = head::GameGlance::find(game, page.seed);
    html::html(&page::heading(page), &[], &[html::GlancedReport { page, glance: Some(&glance) }])
}
