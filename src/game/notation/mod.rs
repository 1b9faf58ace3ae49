//! Games as text, written and read back: drawn boards, positions, records and journals.

pub mod drawing;
mod finished;
pub mod journal;
mod lists;
mod missing_sites;
pub mod position;
pub mod record;
