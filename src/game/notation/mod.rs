//! Games as text, written and read back: positions, records and journals.

mod finished;
pub mod journal;
mod lists;
mod missing_sites;
pub mod position;
pub mod record;
