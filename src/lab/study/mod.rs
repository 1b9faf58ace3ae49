//! Questions about a game that take several runs: what each rule is worth, sweeps over settings, tuning, and
//! the training of players, whose strength is measured meanwhile.
//!
//! Depends on simulations and comparisons, and on the loader for changed rules; does no input or output.

mod answer;
mod budget;
mod edited;
mod removal;
mod run;
pub mod setting;
pub mod sweep;
mod training;
pub mod tune;
mod worth;

pub use answer::{AnswerPlan, AnswerStep, BestComparison, compare_by_best};
pub use budget::{
    BudgetedStudy, StudyEnd, TUNE_SECONDS, compare_within, sweep_within, tune_within, worth_within,
};
pub use removal::{Removal, RuleKind, removals};
pub use run::StudyRun;
pub use training::{Against, OPPONENTS, Stage, Training, TrainingError, learn};
pub use worth::{
    AgentWorth, FixedRule, RuleWorth, Worth, WorthError, WorthPlan, WorthPoints, WorthProgress, remove_rules,
    worth, worth_in_parts, worth_in_time,
};
