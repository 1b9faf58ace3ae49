//! How large a rule file and what it says may be. Each limit has a message of its own; none of them
//! is meant to be met by a real game.

/// Bytes of one rule file.
pub const FILE_BYTES: usize = 1 << 20;

/// Brackets within brackets, and blocks within blocks.
pub const NESTING: usize = 100;

/// Operators, prefixes and brackets that wait for one another inside an expression: the depth of its
/// tree.
pub const EXPRESSION_DEPTH: usize = 200;

/// Tokens of one declaration, header or statement without its block.
pub const PIECE_TOKENS: usize = 10_000;

/// Errors about what a game means; after that many, checking stops.
pub const MESSAGES: usize = 100;

/// Errors that are collected while files are read.
pub const COLLECTED: usize = 10 * MESSAGES;

/// Columns or rows of a board.
pub const BOARD_SIDE: i64 = 64;
/// Elements of a domain.
pub const DOMAIN: i64 = 4096;
/// Boards of a game.
pub const BOARDS: usize = 64;
/// Fields of a record.
pub const FIELDS: usize = 16;
/// Values of all tables and all fields of records.
pub const TABLE_VALUES: u64 = 1_000_000;
/// Values of one declared family, `var x[a, b]`.
pub const FAMILY: u64 = 65_536;
/// Words of 64 bits that the state of a game may take.
pub const STATE_WORDS: u64 = 60_000;
/// Numbered actions of a game.
pub const ACTIONS: u64 = 1_048_576;
/// Elements of a set of which any subset can be chosen.
pub const SUBSET: u32 = 16;
/// Copies of a kind that lie in one place before the setup.
pub const COPIES: i64 = 10_000;
/// Dice rolled together.
pub const DICE: i64 = 20;
/// Boxes that a number is shown as.
pub const BOXES: i64 = 40;
/// Faces of a die.
pub const FACES: i64 = 1000;
/// Players.
pub const PLAYERS: i64 = 16;
/// Parts of the rules once every define and procedure is expanded.
pub const NODES: u32 = 200_000;
/// Defines and procedures that are used inside each other.
pub const EXPANSION_DEPTH: usize = 64;
/// Expressions and blocks that stand inside each other, defines and procedures expanded.
pub const EXPANDED_NESTING: u32 = 250;
/// What `limit` may say.
pub const DECISIONS: i64 = 10_000_000;
/// The limit of decisions unless the rules say another.
pub const DECISIONS_DEFAULT: u64 = 100_000;
