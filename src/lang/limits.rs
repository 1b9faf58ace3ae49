//! How large rules may be. Each limit is stated here once, and each has a message of its own.

/// Columns or rows of a board.
pub const BOARD_SIDE: i64 = 64;
/// Elements of a domain.
pub const DOMAIN: i64 = 4096;
/// Values of one declared family, `var x[a, b]`.
pub const FAMILY: u64 = 65_536;
/// Words of 64 bits that the state of a game may take.
pub const STATE_WORDS: u64 = 60_000;
/// Numbered actions of a game.
pub const ACTIONS: u64 = 1_048_576;
/// Dice rolled together.
pub const DICE: i64 = 20;
/// Faces of a die.
pub const FACES: i64 = 1000;
/// Players.
pub const PLAYERS: i64 = 16;
/// Parts of the rules once every define and procedure is expanded.
pub const NODES: u32 = 200_000;
/// Defines and procedures that are used inside each other.
pub const EXPANSION_DEPTH: usize = 64;
/// Expressions and blocks that stand inside each other, defines and procedures expanded.
pub const NESTING: u32 = 250;
/// What `limit` may say.
pub const DECISIONS: i64 = 1_000_000_000;
/// The limit of decisions unless the rules say another.
pub const DECISIONS_DEFAULT: u64 = 100_000;
