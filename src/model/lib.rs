//! The checked model: the rules with every name resolved, every type known, every define and procedure
//! expanded, and every size fixed by the params and the number of players.
//!
//! Both executors start from the model: the reference interpreter walks it, the other compiles it. The
//! model is independent of how a game is executed.
//!
//! A value is an integer, a boolean, an element (its index in its domain, or none) or a set of elements.
//! An element of a range domain (`1..6`, `domain pit = 0..13`) is an element too. [`CheckedExprKind::ValueOf`]
//! and [`CheckedExprKind::ElementOf`] convert between such an element and its number.

// A room uses only rooms in the paragraphs above its own.
pub mod board;

mod choice;
pub mod constant;
mod copies;
mod domains;
mod expr;
mod fleeting;
pub mod fold;
mod french;
mod hooks;
mod icons;
mod look;
mod order;
mod params;
mod rules;
mod same;
mod state;
mod stmt;
mod symmetric;
mod usage;
pub mod walk;
mod words;

pub use choice::*;
pub use domains::*;
pub use expr::*;
pub use fleeting::{JOINT_OUTCOMES, fleeting_dice};
pub use french::{french_index, suit_called};
pub use hooks::*;
pub use icons::Icon;
pub use look::*;
pub use order::*;
pub use params::*;
pub use rules::*;
pub use same::{is_equal, is_same_index, same_expr};
pub use state::*;
pub use stmt::*;
pub use symmetric::symmetric_dice;
pub use usage::{CountedOption, CountedUses, UNNAMED_CHOICE};
pub use words::{value_len, value_of_words, value_words};

use std::sync::Arc;

use houserule_base::limits;
use houserule_language::diagnostic::{Code, Diagnostic, FileId, Severity, Span};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// Returns the index in the list of [`Model`].
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A domain: index of [`Model::domains`].
    DomainId
    /// A board: index of [`Model::boards`].
    BoardId
    /// A declared or built-in slot of state: index of [`Model::slots`].
    SlotId
    /// A variable of a `let`, binder, loop or quantifier: index of [`Model::locals`].
    LocalId
    /// A step: index of [`Model::steps`].
    StepId
    /// A `choose` in the rules: index of [`Model::choices`].
    ChoiceId
    /// A block of action numbers: index of [`Model::actions`].
    ActionBlockId
    /// A constant table of integers: index of [`Model::tables`].
    TableId
    /// A definition of equal positions: index of [`Model::pasts`].
    PositionKeyId
    /// A function of a script: index of [`Model::hooks`].
    HookId
    /// A seat, from 0: index of [`Players::names`].
    #[derive(Default, serde::Serialize, serde::Deserialize)]
    #[serde(transparent)]
    Seat
}

/// The domain of the players, always the first domain.
pub const PLAYER: DomainId = DomainId(0);

/// The rules of one game for one number of players.
#[derive(Clone, Debug)]
pub struct Model {
    /// The title.
    pub title: String,
    /// Description of the game in a sentence or two.
    pub help: String,
    /// The file of the game, or of the last variant: what other files declare is changed by edits of that variant.
    pub file: Option<FileId>,
    /// The params with their values.
    pub params: Vec<Param>,
    /// The players.
    pub players: Players,
    /// Every domain, the players' first.
    pub domains: Vec<Domain>,
    /// Every board.
    pub boards: Vec<Board>,
    /// All state, built-in slots first (see [`Builtin`]).
    pub slots: Vec<Slot>,
    /// The dice of which some faces are on several sides: for each face, the number of its sides.
    pub sides: Vec<(SlotId, Vec<u32>)>,
    /// The order in ordered zones, one for each domain that has such zones.
    pub orders: Vec<Order>,
    /// All locals. Each is introduced at one place of the expanded rules.
    pub locals: Vec<Local>,
    /// Constant tables.
    pub tables: Vec<ConstantTable>,
    /// The steps, in the order of the rules. A step of an expanded procedure has one entry.
    pub steps: Vec<Step>,
    /// The `choose` statements, in the order of the expanded rules.
    pub choices: Vec<Choice>,
    /// The numbering of actions.
    pub actions: Vec<ActionBlock>,
    /// Runs once, before the first turn.
    pub setup: CheckedBlock,
    /// One turn. In rules with `round`, one round; its [`CheckedStmtKind::Turns`] are the turns.
    pub turn: CheckedBlock,
    /// The rules have a `round`.
    pub rounds: bool,
    /// The blocks of simultaneous choices.
    pub together: Vec<Together>,
    /// The position comparisons used by `repeated`, without duplicates.
    pub pasts: Vec<PositionKey>,
    /// The ends with a condition, in source order.
    pub ends: Vec<End>,
    /// The ends by statement, in the order of the expanded rules. In an outcome, their indices follow
    /// those of [`Model::ends`].
    pub stated_ends: Vec<StatedEnd>,
    /// The items of the score, in source order; empty if the rules have none.
    pub score: Vec<ScoreItem>,
    /// The ranking that finds the winner if no end names one: the first key that differs decides. Empty
    /// for one player.
    pub winner: Vec<Rank>,
    /// Whether a high or a low score is good. All comparisons of scores and totals use it.
    pub score_direction: ScoreDirection,
    /// The players who still have turns, if the rules name them. Otherwise all players have turns.
    pub playing: Option<Playing>,
    /// For each slot that the rules reveal to players: the slot with what they were shown. Its first index is the player.
    pub shown_values: Vec<(SlotId, SlotId)>,
    /// The teams, in source order. Their players win and lose together.
    pub teams: Vec<Team>,
    /// What a game returns to each player, if the rules declare it. It is evaluated when the game is over, into
    /// [`Builtin::Payoff`].
    pub payoff: Option<Payoff>,
    /// Numbers for `me` that a caller adds to the rules, such as the reward of an environment. They change
    /// nothing in a game.
    pub measures: Vec<CheckedExpr>,
    /// The domains that drawings show as tiles.
    pub tiles: Vec<TileLook>,
    /// The tables that drawings print in the cells of a board, or on its crossings.
    pub printed: Vec<TableId>,
    /// The numbers of defines that drawings show.
    pub counts: Vec<ShownCount>,
    /// The tables that drawings show as lines from site to site of a board.
    pub joined: Vec<(TableId, BoardId)>,
    /// The rules of a match, if declared.
    pub match_rules: Option<MatchRules>,
    /// The warnings that the rules accept, each with the part of the text in which it is accepted.
    pub allowed: Vec<(Code, Span)>,
    /// Maximum number of decisions before a game is aborted.
    pub limit: u64,
    /// Statements that run once the game is over, before the scores are counted.
    pub on_end: CheckedBlock,
    /// The script functions that the rules call.
    pub hooks: Vec<Hook>,
    /// The scripts that execute the hooks. Without them, every hook call fails.
    pub scripts: Option<Arc<dyn Scripts>>,
}

impl Model {
    /// Creates rules for one player that declare nothing and say nothing.
    pub fn new(title: &str, help: &str) -> Model {
        Model {
            title: title.to_owned(),
            help: help.to_owned(),
            file: None,
            params: vec![],
            players: Players { count: 1, least: 1, most: 1, names: vec![] },
            domains: vec![Domain { name: "player".into(), kind: DomainKind::Player, size: 1, looks: vec![] }],
            boards: vec![],
            slots: vec![],
            sides: vec![],
            orders: vec![],
            locals: vec![],
            tables: vec![],
            steps: vec![],
            choices: vec![],
            actions: vec![],
            setup: CheckedBlock::default(),
            turn: CheckedBlock::default(),
            rounds: false,
            together: vec![],
            pasts: vec![],
            ends: vec![],
            stated_ends: vec![],
            score: vec![],
            winner: vec![],
            score_direction: ScoreDirection::default(),
            playing: None,
            shown_values: vec![],
            teams: vec![],
            payoff: None,
            measures: vec![],
            tiles: vec![],
            printed: vec![],
            counts: vec![],
            joined: vec![],
            match_rules: None,
            allowed: vec![],
            limit: limits::DECISIONS_DEFAULT,
            on_end: CheckedBlock::default(),
            hooks: vec![],
            scripts: None,
        }
    }

    /// Returns the slot with what players were shown of a slot, if the rules reveal it.
    pub fn shown_of(&self, slot: SlotId) -> Option<SlotId> {
        self.shown_values.iter().find(|(of, _)| *of == slot).map(|(_, shown)| *shown)
    }

    /// Returns `true` if the rules accept a warning.
    pub fn allows(&self, warning: &Diagnostic) -> bool {
        let place = warning.primary.span;
        let holds = |within: &Span| {
            within.file == place.file && within.start <= place.start && place.end <= within.end
        };
        let accepts = |(code, within): &(Code, Span)| *code == warning.code && holds(within);
        warning.severity == Severity::Warning && self.allowed.iter().any(accepts)
    }

    /// Returns `true` if a part of the rules is written in another file than the last variant.
    pub fn is_of_base(&self, place: Span) -> bool {
        self.file.is_some_and(|file| file != place.file)
    }

    /// The names of all ends, those with a condition first. The end of an outcome is an index into this
    /// list.
    pub fn end_names(&self) -> impl Iterator<Item = &str> {
        let stated = self.stated_ends.iter().map(|end| end.name.as_str());
        self.ends.iter().map(|end| end.name.as_str()).chain(stated)
    }

    /// Returns `true` for the name of an end that no rule says: nobody still plays.
    pub fn is_implied_end(&self, name: &str) -> bool {
        let mut ends = self.ends.iter().filter(|end| end.name == name).peekable();
        ends.peek().is_some() && ends.all(|end| end.implied)
    }

    /// The name of the end that decided a game.
    pub fn end_name(&self, end: u32) -> &str {
        self.end_names().nth(end as usize).unwrap_or("end game")
    }
}
