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

/// Messages about one file; after that many, the rest would hardly be read.
pub const MESSAGES: usize = 100;

/// Messages that are collected before they are sorted and cut to [`MESSAGES`].
pub const COLLECTED: usize = 10 * MESSAGES;
