//! How much pages may take. `docs/workbench.md` lists the limits.

use std::time::Duration;

/// Longest message in bytes, of a page or to it in one frame.
pub(super) const MESSAGE: usize = 1 << 20;

/// Bytes of the messages of a page that wait to be answered. While more wait, nothing is read from its socket.
pub(super) const WAITING: usize = 4 << 20;

/// Bytes that a message takes beside its text.
pub(super) const OVERHEAD: usize = 1 << 10;

/// Answers that wait for a page to read them. While more wait, its session waits.
pub(super) const ANSWERS: usize = 16;

/// Pages at a time.
pub(super) const PAGES: usize = 32;

/// Connections at a time that aren't pages. Others wait to be accepted.
pub(super) const CONNECTIONS: usize = 64;

/// Time for a connection that doesn't become a page, from its first byte to its last, and for a page to say its token.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// Interval at which a silent page is asked whether it is there. After two without an answer it counts as gone.
pub(super) const PING: Duration = Duration::from_secs(20);

/// Time for a page to read one answer.
pub(super) const READING: Duration = Duration::from_secs(30);

/// Longest time for an ask that isn't a run, in seconds.
pub(super) const ASK_SECONDS: f64 = 60.0;

/// Longest time for a run, in seconds, without the time for which it waits.
pub(super) const RUN_SECONDS: f64 = 600.0;

/// Runs at a time, of all pages; one of them can make a report or train a player. A page has one.
pub(super) const RUNS: usize = 2;

/// Reports of a page that are kept.
pub(super) const REPORTS: usize = 4;

/// Stack of a page's thread, in bytes. Rules may be nested.
pub(super) const STACK: usize = 8 << 20;

/// Interval at which the folder is looked at.
pub(super) const LOOK: Duration = Duration::from_millis(100);

/// Longest head of a request in bytes.
pub(super) const HEADERS: usize = 16 << 10;
