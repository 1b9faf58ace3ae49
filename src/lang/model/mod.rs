//! The checked model: what the rules mean, with every name resolved, every type known, every define
//! and procedure expanded, and every size fixed by the params and the number of players.
//!
//! Both executors start here: one walks it as it stands, the other compiles it. Nothing in it depends
//! on how a game is executed.
//!
//! Values are plain: a number, a truth value, an element (its number in its domain from 0, or none)
//! or a set of elements. Elements of a range domain (`1..6`, `domain pit = 0..13`) are elements here
//! too; [`ExprKind::ValueOf`] and [`ExprKind::ElementOf`] go from one to the number and back.

mod choice;
mod copies;
mod domains;
mod expr;
mod hooks;
mod inner;
mod look;
mod params;
mod rules;
mod state;
mod stmt;
mod words;

pub use choice::*;
pub use domains::*;
pub use expr::*;
pub use hooks::*;
pub use look::*;
pub use params::*;
pub use rules::*;
pub use state::*;
pub use stmt::*;
pub(crate) use words::{value_len, value_of_words, value_words};

use std::sync::Arc;

use crate::hook::Scripts;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index of the list that it numbers.
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
    /// A declared or built-in piece of state: index of [`Model::slots`].
    SlotId
    /// A `let`, binder, loop or quantifier variable: index of [`Model::locals`].
    LocalId
    /// A step: index of [`Model::steps`].
    StepId
    /// A place in the rules where a player chooses: index of [`Model::choices`].
    ChoiceId
    /// A block of action numbers: index of [`Model::actions`].
    ActionBlockId
    /// A constant table of numbers: index of [`Model::tables`].
    TableId
    /// What makes two positions the same: index of [`Model::pasts`].
    PastId
    /// A function of a script: index of [`Model::hooks`].
    HookId
}

/// The domain of the players is always the first.
pub const PLAYER: DomainId = DomainId(0);

/// The rules of one game for one number of players.
#[derive(Clone, Debug)]
pub struct Model {
    /// The title.
    pub title: String,
    /// What it is, in a sentence or two.
    pub help: String,
    /// The params with their values.
    pub params: Vec<Param>,
    /// Who plays.
    pub players: Players,
    /// Every domain, the players' first.
    pub domains: Vec<Domain>,
    /// Every board.
    pub boards: Vec<Board>,
    /// All state, built-in slots first (see [`Builtin`]).
    pub slots: Vec<Slot>,
    /// All locals; each is written in one place of the expanded rules.
    pub locals: Vec<Local>,
    /// Constant tables.
    pub tables: Vec<Table>,
    /// The steps, in the order of the rules. An expanded procedure's step has one entry.
    pub steps: Vec<Step>,
    /// The choose sites, in the order of the expanded rules.
    pub choices: Vec<Choice>,
    /// The numbering of actions.
    pub actions: Vec<ActionBlock>,
    /// Runs once, before the first turn.
    pub setup: Block,
    /// One turn; of rules with `round`, one round, in which [`StmtKind::Turns`] are the turns.
    pub turn: Block,
    /// The rules say what a round is.
    pub rounds: bool,
    /// The blocks in which all seats commit themselves unseen.
    pub together: Vec<Together>,
    /// What `repeated` compares, each once.
    pub pasts: Vec<Past>,
    /// The ends with a condition, in source order.
    pub ends: Vec<End>,
    /// The ends by statement, in the order of the expanded rules. As the end that decided a game, they
    /// are numbered after [`Model::ends`].
    pub stated_ends: Vec<StatedEnd>,
    /// The items of the score, in source order; empty if the rules have none.
    pub score: Vec<ScoreItem>,
    /// By what the winner is found when no end says it: the first key that differs decides.
    /// Empty for one player.
    pub winner: Vec<Rank>,
    /// Which way the score is good: whatever compares scores or totals goes by it.
    pub score_direction: ScoreDirection,
    /// Match play, if the rules have it.
    pub match_rules: Option<MatchRules>,
    /// Decisions after which a game is aborted.
    pub limit: u64,
    /// What happens once the game is over, before the scores are counted.
    pub on_end: Block,
    /// The functions of scripts that the rules call.
    pub hooks: Vec<Hook>,
    /// What carries them out; without it a hook fails.
    pub scripts: Option<Arc<dyn Scripts>>,
}

impl Model {
    /// The names of all ends, those with a condition first: what an outcome's end is an index of.
    pub fn end_names(&self) -> impl Iterator<Item = &str> {
        let stated = self.stated_ends.iter().map(|end| end.name.as_str());
        self.ends.iter().map(|end| end.name.as_str()).chain(stated)
    }

    /// The name of the end that decided a game.
    pub fn end_name(&self, end: u32) -> &str {
        self.end_names().nth(end as usize).unwrap_or("end game")
    }
}
