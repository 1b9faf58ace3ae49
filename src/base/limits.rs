//! Limits on the size of rule files and games. Exceeding one of them is an error with its own message.
//! No real game is expected to reach them.

/// Maximum size of a rule file, in bytes.
pub const FILE_BYTES: usize = 1 << 20;

/// Maximum nesting depth of brackets, and of blocks.
pub const NESTING: usize = 100;

/// Maximum depth of an expression tree: operators, prefixes and brackets inside each other.
pub const EXPRESSION_DEPTH: usize = 200;

/// Maximum number of tokens in a declaration, header or statement without its block.
pub const PIECE_TOKENS: usize = 10_000;

/// Maximum number of semantic errors; checking stops after that many.
pub const MESSAGES: usize = 100;

/// Maximum number of errors collected while parsing; further ones are dropped.
pub const COLLECTED: usize = 10 * MESSAGES;

/// Maximum width and height of a board, in sites.
pub const BOARD_SIDE: i64 = 64;
/// Maximum number of elements of a domain.
pub const DOMAIN: i64 = 4096;
/// Maximum number of boards of a game.
pub const BOARDS: usize = 64;
/// Maximum number of fields of a record.
pub const FIELDS: usize = 16;
/// Maximum number of values in all tables and record fields together.
pub const TABLE_VALUES: u64 = 1_000_000;
/// Maximum number of values of a declared family, `var x[a, b]`.
pub const FAMILY: u64 = 65_536;
/// Maximum size of a game's state, in 64-bit words.
pub const STATE_WORDS: u64 = 60_000;
/// Maximum number of actions of a game.
pub const ACTIONS: u64 = 1_048_576;
/// Maximum number of words in which an executor marks the legal actions of one choice.
pub const CHOICE_WORDS: u64 = 32_768;
/// Maximum number of elements of a domain from which a subset is chosen.
pub const SUBSET: u32 = 16;
/// Maximum size of a subset of a larger set than that.
pub const TAKEN: u32 = 8;
/// Maximum number of copies in a part of a zone.
pub const PART: u32 = 12;
/// Number of actions above which a subset of a larger set is chosen in steps, one element after the other.
pub const SUBSET_ACTIONS: u64 = 1 << 18;
/// Maximum number of copies of a kind in a zone before the setup.
pub const COPIES: i64 = 10_000;
/// Maximum number of dice in a set.
pub const DICE: i64 = 20;
/// Maximum number of boxes that a variable is drawn as.
pub const BOXES: i64 = 40;
/// Maximum number of places of a track that a variable is drawn on.
pub const TRACK_PLACES: i64 = 1000;
/// Maximum number of faces of a die.
pub const FACES: i64 = 1000;
/// Maximum number of sides of a die with the same face.
pub const SIDES: i64 = 10_000;
/// Maximum number of players.
pub const PLAYERS: i64 = 16;
/// Maximum number of nodes of the rules after all defines and procedures are expanded.
pub const NODES: u32 = 200_000;
/// Maximum depth of defines and procedures that use each other.
pub const EXPANSION_DEPTH: usize = 64;
/// Maximum nesting depth of expressions and blocks after expansion of defines and procedures.
pub const EXPANDED_NESTING: u32 = 250;
/// Maximum value of `limit`, in decisions.
pub const DECISIONS: i64 = 10_000_000;
/// Default limit, in decisions, after which a game is aborted.
pub const DECISIONS_DEFAULT: u64 = 100_000;

/// Most actions in a row of a chain that `longest_chain` looks for.
pub const CHAIN_ACTIONS: u32 = 64;

/// Most actions that `longest_chain` tries for one value.
pub const CHAIN_TRIES: u32 = 100_000;
