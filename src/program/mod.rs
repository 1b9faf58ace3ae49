//! The program of a game: flat instructions over small integers and whole bitsets.
//!
//! A program is made once and never changed. Its instructions address a frame of 64-bit words: first
//! what a game keeps (cloned, hashed, saved), then what is derived from it (cloned, recomputed on
//! load), then temporaries. A number takes one word, a set [`Program::width`] words. [`instruction`]
//! holds the one table that says for each instruction what it reads, writes, draws and where it may
//! jump; the verifier and the printer come from that table. Knows boards and spans, not the language.

mod instruction;
mod operand;
mod print;
mod verify;

pub(crate) use instruction::instructions;
pub use instruction::{Effects, Flow, Instruction};
pub use operand::*;
pub use verify::VerifyError;

use crate::board::LineKinds;
use crate::board::kernel::LANES;
use crate::diagnostic::Span;
use crate::hook::{MOST_DRAWS, Places, Scripts};
use std::sync::Arc;

/// Words before the first slot: see the constants.
pub const HEADER_WORDS: u16 = 4;
/// Always 0: the index of what is not indexed.
pub const ZERO: u16 = 0;
/// The pending site plus 1, or 0 before the start, or [`OVER`].
pub const PENDING: u16 = 1;
/// Once over: the end, see [`EndRef`].
pub const ENDED_BY: u16 = 2;
/// Once over: a [`ResultKind`] and, above the lowest 8 bits, a player.
pub const RESULT: u16 = 3;
/// [`PENDING`] of a finished game.
pub const OVER: u64 = u64::MAX;

/// Widths of a set in words that executors are built for.
pub const WIDTHS: [u16; 6] = [1, 2, 4, 8, 20, 64];

/// What an end says of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ResultKind {
    /// The scores decide.
    Scores,
    /// The player wins.
    Win,
    /// The player loses.
    Lose,
    /// All share.
    Draw,
}

/// Loop turns between two decisions after which a game fails. Long loops and dear instructions count as
/// several.
pub(crate) const BUDGET: u32 = 1_000_000;

/// A game's program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The instructions.
    pub code: Vec<Instruction>,
    /// The place in the rules of each instruction.
    pub spans: Vec<Span>,
    /// Words of a set: one of [`WIDTHS`].
    pub width: u16,
    /// Players.
    pub players: u16,
    /// Words of a frame.
    pub frame: u32,
    /// How many of them persist: the first.
    pub persistent: u32,
    /// How many of them are persistent or derived: what a clone copies.
    pub live: u32,
    /// How many of the live words a new game resets: all but the legal set, which are the first.
    pub reset: u32,
    /// The live words at the start of a game.
    pub initial: Vec<u64>,
    /// Constant sets and the rows of tables of sets, `width` words each.
    pub sets: Vec<u64>,
    /// Tables of sets.
    pub set_tables: Vec<Rows>,
    /// Numbers of tables.
    pub numbers: Vec<i64>,
    /// Tables of numbers.
    pub number_tables: Vec<Rows>,
    /// What a value must lie in.
    pub ranges: Vec<Range>,
    /// Line tests and scores.
    pub lines: Vec<LineTable>,
    /// Functions of sets.
    pub functions: Vec<Function>,
    /// What rules compare that ask for earlier positions.
    pub pasts: Vec<Past>,
    /// The dice.
    pub dice: Vec<Dice>,
    /// Where the rules stop for a decision or a chance event.
    pub sites: Vec<Site>,
    /// Names of the steps, for the printer.
    pub steps: Vec<String>,
    /// Steps that need no count of their own: each is entered as often as the other, or as turns begin.
    pub implied_steps: Vec<(u16, Option<u16>)>,
    /// Where a game starts.
    pub start: Block,
    /// Where a turn starts, or a round where the rules have `round`.
    pub turn: Block,
    /// The rules have `round`: `turn` is where a round starts.
    pub rounds: bool,
    /// Where the scores and the winner's keys are computed; they end with `halt`.
    pub score: Option<Block>,
    /// Where the derived slots are recomputed; it ends with `halt`.
    pub derive: Block,
    /// The number of each player's items, player-major, written by `score`.
    pub items: u16,
    /// How many items each player has.
    pub item_count: u16,
    /// Each player's score, the sum of the items, written by `score`; nothing without items.
    pub totals: u16,
    /// The winner's keys, player-major, greatest wins, written by `score`.
    pub keys: u16,
    /// How many keys each player has.
    pub key_count: u16,
    /// Does the program draw from the chance stream?
    pub uses_chance: bool,
    /// Decisions after which a game is aborted.
    pub limit: u64,
    /// Loop turns between two decisions after which a game is aborted: [`BUDGET`], but for tests.
    pub budget: u32,
    /// What carries out hooks.
    pub scripts: Option<Arc<dyn Scripts>>,
    /// How many hooks there are.
    pub hooks: u16,
    /// The hook that costs no budget.
    pub free_hook: Option<u16>,
    /// Where scripts find the state.
    pub places: Places,
}

/// What makes two positions the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Past {
    /// Words that are compared.
    pub words: Vec<Span16>,
    /// Is who moves compared as well?
    pub with_mover: bool,
    /// Where the mover is.
    pub mover: u16,
    /// Where it stands who is next, if the rules ever say so; no player there is the next seat.
    pub next: Option<u16>,
}

/// Consecutive rows of a pool; row 0 is for index `low`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rows {
    /// The first row, in rows of the pool.
    pub first: u32,
    /// The index of the first row.
    pub low: i64,
    /// How many rows.
    pub count: u32,
}

/// What a stored value must lie in.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Range {
    /// The name of what is stored.
    pub name: String,
    /// Least.
    pub low: i64,
    /// Greatest.
    pub high: i64,
    /// The value is an element: below `low` means none.
    pub element: bool,
}

/// How lines of a board are tested and scored.
#[derive(Clone, Debug, PartialEq)]
pub struct LineTable {
    /// The board.
    pub grid: Grid,
    /// Along which lines.
    pub along: LineKinds,
    /// For a test: the length. For a score: the longest length with a mask.
    pub length: u32,
    /// The strides of the orientations.
    pub strides: [u32; LANES],
    /// For a test, a mask for each orientation: the sites from which `length` sites lie on the board,
    /// none if the orientation does not count. For a score, such masks for each length from 1. The
    /// first of their rows of the sets.
    pub masks: u32,
    /// Points by length, for a score: index 0 is unused.
    pub points: Vec<i64>,
    /// The points' second differences, for lengths from 1.
    pub second_differences: Vec<i64>,
    /// Lines as lists, for boards on which masks can't say it (all but plain grids). Empty elsewhere.
    pub lists: Vec<LineList>,
    /// Where for each set of the tested family one without a line is remembered.
    pub memory: Option<u16>,
    /// With a memory: how far lines go from each site, up and then down the strides, less than `length`.
    pub limits: Vec<[u8; 2 * LANES]>,
    /// With a memory, and if all of them lie among the next 64: for each stride the sites of lines above a
    /// site, the next one as the lowest bit, and those below, the next one as the highest. Else 0.
    pub above: [u64; LANES],
    /// See `above`.
    pub below: [u64; LANES],
}

/// A line as a list of sites.
#[derive(Clone, Debug, PartialEq)]
pub struct LineList {
    /// Its sites in order.
    pub sites: Vec<u16>,
    /// The last is beside the first.
    pub cyclic: bool,
}

/// A board that is a grid, as the kernels see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

/// Functions of sets that are not worth an instruction of their own.
#[derive(Clone, Debug, PartialEq)]
pub enum Function {
    /// The union of a table's rows for the elements of a set: neighbours, rays, shifts on any board.
    UnionOfRows {
        /// A row for each element.
        table: u16,
        /// The same as moves of whole sets, if it can be said so.
        moves: Option<Moves>,
    },
    /// The sites in runs of at least the number `b`.
    Runs {
        /// The lines, as lists.
        lines: u16,
    },
    /// What can be reached from set `a` through set `b`.
    Reach {
        /// Neighbours of each site.
        table: u16,
        /// The same as moves of whole sets, if it can be said so.
        moves: Option<Moves>,
        /// Where for each player the last `a`, `b` and what was reached are remembered.
        memory: Option<u16>,
        /// A plain grid where seldom much is reached, and whether steps across corners are none: then
        /// only the rows of what is reached are looked at.
        rows: Option<(Grid, bool)>,
    },
    /// The parts of all but set `b` that hold a site of set `a` and can't reach the edge.
    Enclosed(Enclosure),
    /// A set with its holes.
    Fill(Enclosure),
    /// The rows that a set touches.
    Rows {
        /// The board.
        grid: Grid,
    },
    /// The sites of set `c` in unbroken straight runs from set `a` to set `b`.
    Custodial(Directions),
    /// The sites from which such a run goes through set `b` to set `a`.
    Flanks(Directions),
    /// What [`Function::Custodial`] says, for boards on which masks can't say it.
    CustodialLists {
        /// The lines, as lists.
        lines: u16,
    },
}

/// How something is shut off from the edge of a board.
#[derive(Clone, Debug, PartialEq)]
pub struct Enclosure {
    /// Do the free sites hang together across sides only, on a grid?
    pub orthogonal: bool,
    /// The board, if it is a plain grid.
    pub grid: Option<Grid>,
    /// Neighbours of each site.
    pub table: u16,
    /// The same as moves of whole sets, if it can be said so.
    pub moves: Option<Moves>,
    /// The sites at the edge, as a row of the sets.
    pub edge: u32,
    /// All sites, as a row of the sets.
    pub all: u32,
    /// Where for each player it is remembered what walls shut off.
    pub memory: Option<u16>,
}

impl Enclosure {
    /// Words that are remembered for each player, where a set has so many.
    pub fn memory_words(&self, width: usize) -> usize {
        let sites = self.grid.map_or(0, |g| (g.width * g.height) as usize);
        1 + 2 * width + sites.div_ceil(4)
    }
}

/// The eight directions of a grid, as shifts.
#[derive(Clone, Debug, PartialEq)]
pub struct Directions {
    /// The strides of the four orientations.
    pub strides: [u32; LANES],
    /// For each orientation a set: the sites that a step up its stride may reach; then the same for
    /// steps down. The first of their rows of the sets.
    pub masks: u32,
    /// How often a reach doubles until it is as long as the longest line.
    pub doublings: u32,
}

/// Steps on a board as moves of whole sets: every site of a mask goes up or down by one distance.
#[derive(Clone, Debug, PartialEq)]
pub struct Moves {
    /// The distances; those up come first.
    pub distances: Vec<u32>,
    /// How many of them go up.
    pub up: usize,
    /// A mask for each, of the sites that can go: the first of their rows of the sets.
    pub masks: u32,
}

/// Dice that are rolled together.
#[derive(Clone, Debug, PartialEq)]
pub struct Dice {
    /// The faces of the first die; the others follow.
    pub faces_at: u16,
    /// How many dice.
    pub count: u16,
    /// Faces of each.
    pub faces: u32,
    /// Where the number of the whole outcome is kept, if it is: the number of outcomes while unrolled.
    pub outcome_at: Option<u16>,
    /// `faces` to the power of `count`; 0 if 64 bits don't number the outcomes, and each die stops the game.
    pub outcomes: u64,
    /// What [`Dice::inverse_of`] says of its faces.
    pub inverse: u64,
    /// Its slot in the model, for records.
    pub slot: u32,
    /// Which of the slot's families, for records.
    pub family: u32,
}

impl Dice {
    /// What a number below 2³² / `faces` times this has above its lowest 32 bits is its quotient by `faces`.
    pub fn inverse_of(faces: u32) -> u64 {
        (1 << 32) / u64::from(faces.max(1)) + 1
    }
}

/// Where the rules stop.
#[derive(Clone, Debug, PartialEq)]
pub struct Site {
    /// What is wanted there.
    pub kind: SiteKind,
    /// From here the legal set (or the set to pick from) is computed.
    pub entry: Block,
    /// The instruction that stops.
    pub at: Block,
    /// Of a chance event in `chance … given`: the word that says whether all its draws are made as one,
    /// so that the condition holds (1), or until it does (0).
    pub given: Option<u16>,
}

/// What is wanted at a site.
#[derive(Clone, Debug, PartialEq)]
pub enum SiteKind {
    /// A decision.
    Choice(ChoiceSite),
    /// A roll of all dice.
    Roll {
        /// Which.
        dice: u16,
    },
    /// A roll of some dice as one event.
    RollSome {
        /// Of which.
        dice: u16,
        /// The set of those that are rolled.
        from: u16,
    },
    /// One die of a roll whose outcomes 64 bits don't number.
    RollOne {
        /// Of which.
        dice: u16,
        /// The die.
        die: u16,
        /// The set of those that are rolled; without it all are.
        from: Option<u16>,
    },
    /// Something that a script leaves to chance.
    Draw {
        /// Where it stands how much has come out in this call, how many outcomes the next event has, and
        /// what has come out.
        at: u16,
    },
    /// A pick.
    Pick {
        /// The model's domain, for records.
        domain: u32,
        /// The set that is picked from.
        from: u16,
        /// Where the element goes.
        to: u16,
        /// Where the numbers are that say how many there are of each; without it, there is one.
        by: Option<u16>,
    },
}

/// How a choice's legal set is laid out.
#[derive(Clone, Debug, PartialEq)]
pub struct ChoiceSite {
    /// The model's choice.
    pub choice: u32,
    /// Where the acting player is.
    pub me: u16,
    /// The legal set: `words` words.
    pub region: u16,
    /// How many.
    pub words: u16,
    /// How many of them random players look at first; the rest holds deliberate options.
    pub random_words: u16,
    /// The options.
    pub parts: Vec<Part>,
    /// For each word the part that it belongs to (the first, where several share it).
    pub part_of_word: Vec<u16>,
}

/// An option's place in a legal set.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Its number among the choice's options.
    pub option: u32,
    /// The action number of its first combination.
    pub first_action: u32,
    /// Its block of actions.
    pub block: u32,
    /// The first of its words in the region.
    pub first_word: u16,
    /// Without binders: its bit in that word.
    pub bit: u8,
    /// How many ways there are for each binder. The last one's are bits, the others' rows. Where the last
    /// is a subset, its number is the first word of the set.
    pub sizes: Vec<u32>,
    /// Where the bound elements go.
    pub binders: Vec<u16>,
    /// Its body.
    pub body: Block,
    /// If its body is tried before it is legal: what goes back afterwards.
    pub tried: Option<Vec<Saved>>,
}

/// Live words that a trial may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Saved {
    /// The words.
    pub words: Span16,
    /// Where they are kept meanwhile: the first of as many temporaries.
    pub to: u16,
}

/// Words of what has come out in a script.
pub const DRAW_WORDS: u16 = 2 + MOST_DRAWS as u16;

impl ChoiceSite {
    /// Is an option tried before it is legal?
    pub fn is_tried(&self) -> bool {
        self.parts.iter().any(|part| part.tried.is_some())
    }
}

impl Part {
    /// Words of one row.
    pub fn row_words(&self) -> u32 {
        self.sizes.last().map_or(1, |n| n.div_ceil(64))
    }
}
