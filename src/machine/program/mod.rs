//! The program of a game: flat instructions over integers and whole bitsets.
//!
//! A program is immutable. Its instructions address a frame of 64-bit words: first the persistent words of a game
//! (hashed, saved), then derived ones (recomputed on load), the action mask, temporaries, and caches. A number
//! takes one word, a set [`Program::width`] words. [`instruction`] has a table of what each instruction reads,
//! writes, draws and where it may jump; the verifier and the printer are generated from it. Depends on boards and
//! spans; independent of the language.

mod instruction;
mod lines;
mod operand;
mod print;
pub(crate) mod tidy;
mod verify;

pub use instruction::{Effects, Flow, Instruction};
pub(crate) use instruction::{instructions, writes_family};
pub use lines::{LineList, LineTable, ShortLine};
pub use operand::*;
pub use verify::VerifyError;

use houserule_language::diagnostic::Span;
use houserule_model::board::GridSize;
use houserule_model::board::kernel::LANES;
use houserule_model::{MOST_DRAWS, Scripts, StateLayout};
use std::sync::Arc;

/// Number of words before the first slot: [`ZERO`], [`PENDING`], [`ENDED_BY`] and [`RESULT`].
pub const HEADER_WORDS: u16 = 4;
/// Address of a word that is always 0: the index where an operand needs no index.
pub const ZERO: u16 = 0;
/// Address of the pending stop point: its index plus 1, 0 before the start, [`OVER`] after the end.
pub const PENDING: u16 = 1;
/// Address of the end of a finished game, see [`EndRef`].
pub const ENDED_BY: u16 = 2;
/// Address of the result of a finished game: a [`ResultKind`] and, above the lowest 8 bits, a player or
/// one bit for each of several players.
pub const RESULT: u16 = 3;
/// Value of [`PENDING`] in a finished game.
pub const OVER: u64 = u64::MAX;

/// Widths of a set, in words, that executors are built for.
pub const WIDTHS: [u16; 6] = [1, 2, 4, 8, 20, 64];

/// The result that an end declares.
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
    /// The players of a set win.
    WinSet,
    /// The players of a set lose.
    LoseSet,
}

impl ResultKind {
    /// Returns `true` if the result names a player or players.
    pub(crate) fn names_players(self) -> bool {
        match self {
            ResultKind::Win | ResultKind::Lose | ResultKind::WinSet | ResultKind::LoseSet => true,
            ResultKind::Scores | ResultKind::Draw => false,
        }
    }
}

/// Maximum number of loop iterations between two decisions; beyond it, a game fails. Long loops and expensive
/// instructions count as several.
pub(crate) const BUDGET: u32 = 1_000_000;

/// A place in the rules from which instructions come: an expression, a statement or an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodePlace {
    /// Index of the place around it; the first place has its own. A define's place lies within that of its use.
    pub within: u32,
    /// Where it is written.
    pub span: Span,
}

/// Where in the rules the instructions of a program come from.
#[derive(Clone, Debug, Default)]
pub struct CodeOrigins {
    /// The places, each after the one around it. The first is the whole of the rules.
    pub places: Vec<CodePlace>,
    /// Index of the innermost place of each instruction.
    pub of_code: Vec<u32>,
}

/// An expression whose values are kept from one evaluation to the next, until what it reads changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptValues {
    /// Where it is written, once.
    pub span: Span,
    /// Number of values: one for each combination of its locals.
    pub values: u16,
    /// Estimated number of instructions that this saves in a decision.
    pub saves: u32,
}

/// The program of a game.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The instructions.
    pub code: Vec<Instruction>,
    /// The span in the rules of each instruction.
    pub spans: Vec<Span>,
    /// The expressions whose values are kept.
    pub kept: Vec<KeptValues>,
    /// The origin of each instruction, if they were wanted.
    pub origins: Option<CodeOrigins>,
    /// Size of a set, in words: one of [`WIDTHS`].
    pub width: u16,
    /// Number of players.
    pub players: u16,
    /// By player, the players who win and lose together with that player, one bit each.
    pub teams: Vec<u32>,
    /// Size of a frame, in words.
    pub frame: u32,
    /// Number of persistent words, which come first.
    pub persistent: u32,
    /// Number of live words, which come first: persistent words, derived words, action mask.
    pub live: u32,
    /// Number of live words that a new game resets: all but the action mask, which comes last.
    pub reset: u32,
    /// Initial values of the live words.
    pub initial: Vec<u64>,
    /// Constant sets and the rows of set tables, `width` words each.
    pub sets: Vec<u64>,
    /// Tables of sets.
    pub set_tables: Vec<PoolRows>,
    /// Wide constants and the values of number tables.
    pub numbers: Vec<i64>,
    /// Tables of numbers.
    pub number_tables: Vec<PoolRows>,
    /// Ranges of stored values.
    pub ranges: Vec<Range>,
    /// Line tests and scores.
    pub lines: Vec<LineTable>,
    /// Functions of sets.
    pub functions: Vec<SetFunction>,
    /// Position comparisons of `repeated`.
    pub pasts: Vec<PositionWords>,
    /// The dice.
    pub dice: Vec<Dice>,
    /// The stop points.
    pub stops: Vec<StopPoint>,
    /// Number of options that are counted.
    pub options: u16,
    /// Names of the steps, for the printer. After them, each `otherwise` that is counted, which is entered like a step.
    pub steps: Vec<String>,
    /// Steps without a count of their own, each with the step that is entered as often, or `None` for turns.
    pub implied_steps: Vec<(u16, Option<u16>)>,
    /// Where a game starts.
    pub start: CodeAddress,
    /// Where a turn starts; with `round`, where a round starts.
    pub turn: CodeAddress,
    /// `true` if the rules have `round`.
    pub rounds: bool,
    /// Code that computes the scores and the winner's keys; ends with `halt`.
    pub score: Option<CodeAddress>,
    /// Code that recomputes the derived slots; ends with `halt`.
    pub derive: CodeAddress,
    /// Address of each player's score items, player-major, written by `score`.
    pub items: u16,
    /// Number of items of a player.
    pub item_count: u16,
    /// Address of each player's score, the sum of the items, written by `score`; unused without items.
    pub totals: u16,
    /// Address of the winner's keys, player-major, written by `score`.
    pub keys: u16,
    /// Number of keys of a player.
    pub key_count: u16,
    /// For each key of a player, whether the least wins, not the greatest.
    pub least_wins: Vec<bool>,
    /// Address of each player's payoff, written when the game is over, if the rules declare payoffs.
    pub payoffs: Option<u16>,
    /// Code that computes the measures of [`Model::measures`](houserule_model::Model::measures); ends with `halt`.
    pub measure: Option<CodeAddress>,
    /// Address of each player's measures, player-major, written by `measure`.
    pub measures: u16,
    /// Number of measures of a player.
    pub measure_count: u16,
    /// `true` if the program has chance events.
    pub uses_chance: bool,
    /// Maximum number of decisions; beyond it, a game is aborted.
    pub limit: u64,
    /// Maximum number of loop iterations between two decisions: [`BUDGET`], except in tests.
    pub budget: u32,
    /// Runs the hooks.
    pub scripts: Option<Arc<dyn Scripts>>,
    /// Number of hooks.
    pub hooks: u16,
    /// The hook that costs no budget.
    pub free_hook: Option<u16>,
    /// Words of the state that the program doesn't keep up, since nothing in random games reads them.
    pub unread: Vec<Span16>,
    /// Words that may be set before a game begins. All others begin as in [`Program::initial`], on which code for whole games
    /// relies.
    pub given: Vec<Span16>,
    /// Addresses of the state, for scripts.
    pub places: StateLayout,
}

/// The words that decide whether two positions are equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionWords {
    /// Words that are compared.
    pub words: Vec<Span16>,
    /// `true` if the mover is compared as well.
    pub with_mover: bool,
    /// Address of the mover.
    pub mover: u16,
    /// Address of the next player, if the rules ever set it. If it is `none`, the next seat follows.
    pub next: Option<u16>,
    /// In rules with rounds: addresses of the seats that still have a turn in the round, and of the starter, who is next
    /// if there are none.
    pub round: Option<(u16, u16)>,
}

/// Consecutive rows of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PoolRows {
    /// Index of the first row in the pool.
    pub first: u32,
    /// The table index that row 0 is for.
    pub low: i64,
    /// Number of rows.
    pub count: u32,
}

/// The range that a stored value must be in.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Range {
    /// Name of the slot or local.
    pub name: String,
    /// Minimum.
    pub low: i64,
    /// Maximum.
    pub high: i64,
    /// `true` for an element: a value below `low` is `none`.
    pub element: bool,
}

/// Functions of sets that don't have an instruction of their own.
#[derive(Clone, Debug, PartialEq)]
pub enum SetFunction {
    /// The union of a table's rows for the elements of a set: neighbours, rays, shifts on any board.
    UnionOfRows {
        /// Index of the table: a row for each element.
        table: u16,
        /// The table as moves of whole sets, if possible.
        moves: Option<ShiftTable>,
    },
    /// The sites of set `a` in runs of length `n` or more.
    Runs {
        /// Index of the line lists.
        lines: u16,
    },
    /// The sites that can be reached from set `a` through set `b` (flood fill).
    Reach {
        /// Index of the table of neighbours.
        table: u16,
        /// The table as moves of whole sets, if possible.
        moves: Option<ShiftTable>,
        /// Address of a cache: for each player the last `a`, `b` and result.
        memory: Option<u16>,
        /// For mostly small results on a plain grid: the grid, and whether steps are orthogonal only. Only the
        /// rows of the result are processed then.
        rows: Option<(GridSize, bool)>,
    },
    /// The sites that can be reached from set `a` through set `b`, by steps that the links of set `c` allow.
    ReachBy {
        /// For each site the steps from it: the link, if any, and where it leads.
        steps: Vec<Vec<(Option<u16>, u16)>>,
        /// `true` if only steps whose link is in set `c` are possible, `false` if only the other steps are.
        joined: bool,
    },
    /// The sites that steps from set `a` come to, each up to the first outside set `b`.
    Slide {
        /// Index of the table of steps: for each site the set of the next one.
        table: u16,
    },
    /// The connected components outside set `b` that hold a site of set `a` and can't reach the edge.
    Enclosed(Enclosure),
    /// A set with its holes filled.
    Fill(Enclosure),
    /// The rows that a set touches.
    Rows {
        /// The board.
        grid: GridSize,
    },
    /// The sites of set `c` in unbroken straight runs from set `a` to set `b`.
    Custodial(Directions),
    /// The sites from which a straight run goes through set `b` to set `a`.
    Flanks(Directions),
    /// Like [`SetFunction::Custodial`], for boards without masks.
    CustodialLists {
        /// Index of the line lists.
        lines: u16,
    },
}

/// Data to compute what is enclosed on a board.
#[derive(Clone, Debug, PartialEq)]
pub struct Enclosure {
    /// `true` if free sites are connected only across sides, on a grid.
    pub orthogonal: bool,
    /// The board, if it is a plain grid.
    pub grid: Option<GridSize>,
    /// Index of the table of neighbours.
    pub table: u16,
    /// The table as moves of whole sets, if possible.
    pub moves: Option<ShiftTable>,
    /// Row of the set of sites at the edge.
    pub edge: u32,
    /// Row of the set of all sites.
    pub all: u32,
    /// Address of a cache of what walls enclose, for each player.
    pub memory: Option<u16>,
}

impl Enclosure {
    /// Returns the size of the cache for one player, in words, for sets of `width` words.
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
    /// First row of the masks: for each orientation the sites that a step up its stride may reach; then the same
    /// for steps down.
    pub masks: u32,
    /// How often a reach doubles until it is as long as the longest line.
    pub doublings: u32,
}

/// Steps on a board as moves of whole sets: all sites of a mask move up or down by one distance.
#[derive(Clone, Debug, PartialEq)]
pub struct ShiftTable {
    /// The distances; the distances up come first.
    pub distances: Vec<u32>,
    /// Number of distances up.
    pub up: usize,
    /// First row of the masks, one for each distance: the sites that can move.
    pub masks: u32,
}

/// Dice that are rolled together.
#[derive(Clone, Debug, PartialEq)]
pub struct Dice {
    /// Address of the first die's face; the others follow.
    pub faces_at: u16,
    /// Number of dice.
    pub count: u16,
    /// Number of faces of a die.
    pub faces: u32,
    /// Address of the index of the joint outcome, if kept; `outcomes` while unrolled.
    pub outcome_at: Option<u16>,
    /// For dice of which some faces are on several sides: the number of sides with each face or one before it.
    /// Empty if each face has one side.
    pub sides: Vec<u32>,
    /// `faces` to the power of `count`; 0 if 64 bits can't number the sides, and each die is a stop of its own.
    pub outcomes: u64,
    /// [`Dice::inverse_of`] of its faces.
    pub inverse: u64,
    /// Its slot in the model, for records.
    pub slot: u32,
    /// Its index among the families of the slot, for records.
    pub family: u32,
}

impl Dice {
    /// Returns the factor that replaces division by `faces`: for a number below 2³² / `faces`, the product
    /// shifted right by 32 bits is the quotient.
    pub fn inverse_of(faces: u32) -> u64 {
        (1 << 32) / u64::from(faces.max(1)) + 1
    }

    /// Returns `true` if some faces are on several sides, so that not all faces are equally likely.
    pub fn is_weighted(&self) -> bool {
        !self.sides.is_empty()
    }

    /// Returns the number of sides of a die, which are equally likely.
    pub fn side_count(&self) -> u64 {
        self.sides.last().copied().unwrap_or(self.faces).into()
    }

    /// Returns the sides, less 1, with a face, less 1.
    fn sides_of(&self, face: u64) -> std::ops::Range<u64> {
        let Some(end) = self.sides.get(face as usize) else { return face..face + 1 };
        let first = (face as usize).checked_sub(1).map_or(0, |before| self.sides[before]);
        first.into()..u64::from(*end)
    }

    /// Returns the faces of a roll of `count` dice as digits in base `faces`, given its sides as digits in base
    /// [`Dice::side_count`].
    pub fn shown(&self, count: u32, sides: u64) -> u64 {
        if !self.is_weighted() {
            return sides;
        }
        let (mut rest, mut outcome, mut place) = (sides, 0, 1);
        for _ in 0..count {
            let side = rest % self.side_count();
            rest /= self.side_count();
            let face = self.sides.partition_point(|end| u64::from(*end) <= side) as u64;
            outcome += face * place;
            place = place.wrapping_mul(self.faces.into());
        }
        outcome
    }

    /// Returns the first roll of sides with these faces, and the number of such rolls. The inverse of
    /// [`Dice::shown`].
    pub fn sides_that_show(&self, count: u32, outcome: u64) -> (u64, u64) {
        let (mut rest, mut first, mut ways, mut place) = (outcome, 0, 1, 1u64);
        for _ in 0..count {
            let sides = self.sides_of(rest % u64::from(self.faces));
            rest /= u64::from(self.faces);
            first += sides.start * place;
            ways *= sides.end - sides.start;
            place = place.wrapping_mul(self.side_count());
        }
        (first, ways)
    }
}

/// A stop point: where the program stops for a decision or a chance event.
#[derive(Clone, Debug, PartialEq)]
pub struct StopPoint {
    /// The kind of decision or event.
    pub kind: StopKind,
    /// Code that computes the action mask (or the set to pick from).
    pub entry: CodeAddress,
    /// The instruction that stops.
    pub at: CodeAddress,
    /// For a chance event in `chance … given`: address of a word that is 1 if its draws are made jointly so that
    /// the condition holds, and 0 if they are repeated until it does.
    pub given: Option<u16>,
}

/// The kind of a stop point.
#[derive(Clone, Debug, PartialEq)]
pub enum StopKind {
    /// A decision.
    Choice(ChoiceStop),
    /// A roll of all dice.
    Roll {
        /// Index of the dice.
        dice: u16,
    },
    /// A roll of some dice as one event.
    RollSome {
        /// Index of the dice.
        dice: u16,
        /// Address of the set of dice that are rolled.
        from: u16,
    },
    /// A roll of one die, if the number of joint outcomes exceeds 64 bits.
    RollOne {
        /// Index of the dice.
        dice: u16,
        /// The die.
        die: u16,
        /// Address of the set of dice that are rolled; `None` for all.
        from: Option<u16>,
    },
    /// A chance event in a script.
    Draw {
        /// Address of the draws: their number in this call, the number of outcomes of the next event, and each
        /// outcome.
        at: u16,
    },
    /// A pick.
    Pick {
        /// The model's domain, for records.
        domain: u32,
        /// Address of the set that is picked from.
        from: u16,
        /// Address of the picked element.
        to: u16,
        /// Address of the number of copies of each element; `None` if there is one of each.
        by: Option<u16>,
    },
}

/// The layout of a choice's action mask.
#[derive(Clone, Debug, PartialEq)]
pub struct ChoiceStop {
    /// The model's choice.
    pub choice: u32,
    /// Address of the acting player.
    pub me: u16,
    /// Address of the action mask.
    pub region: u16,
    /// Size of the action mask, in words.
    pub words: u16,
    /// Number of words that random players look at first; the rest holds deliberate options.
    pub random_words: u16,
    /// The options.
    pub parts: Vec<OptionBits>,
    /// For each word the index of its part (the first, if several share it).
    pub part_of_word: Vec<u16>,
}

/// An option's place in an action mask.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionBits {
    /// Its index among the choice's options.
    pub option: u32,
    /// The action number of its first combination.
    pub first_action: u32,
    /// Its block of actions.
    pub block: u32,
    /// The index of its count.
    pub counted: u32,
    /// Index of its first word in the mask.
    pub first_word: u16,
    /// Without binders: its bit in that word.
    pub bit: u8,
    /// Number of values of each binder. The values of the last binder are bits, those of the other binders rows. If the
    /// last binder is a subset, the index of a value is the first word of the set.
    pub sizes: Vec<u32>,
    /// Addresses of the bound elements.
    pub binders: Vec<u16>,
    /// Code of its body.
    pub body: CodeAddress,
    /// With `ensuring`: the words to restore after its body was tried.
    pub tried: Option<Vec<SavedWords>>,
}

/// Live words that a trial may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SavedWords {
    /// The words.
    pub words: Span16,
    /// Address of the temporaries that keep them meanwhile.
    pub to: u16,
}

/// Size of the draws of a script, in words.
pub const DRAW_WORDS: u16 = 2 + MOST_DRAWS as u16;

impl ChoiceStop {
    /// Returns `true` if an option is tried before it is legal.
    pub fn is_tried(&self) -> bool {
        self.parts.iter().any(|part| part.tried.is_some())
    }
}

impl OptionBits {
    /// Returns the size of one row, in words.
    pub fn row_words(&self) -> u32 {
        self.sizes.last().map_or(1, |n| n.div_ceil(64))
    }
}
