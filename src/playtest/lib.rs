//! Simulation and comparison of games and agents, with their statistics.
//!
//! All sums are integers, so a report is the same for any number of threads. Depends on games and agents; does no
//! input or output.

// A room uses only rooms in the paragraphs above its own, those of one paragraph each other.
mod metric;
mod variables;
mod watched;

mod measure;
mod plan;
mod precision;
mod report;
mod rows;
mod simulate;
mod sums;

mod again;
mod cost;
mod frame;
mod meeting;
mod sample;

mod comparison;
mod course;
pub mod data_file;
pub mod sentences;
mod summary;
mod verdict;

mod compare;
pub mod extremes;
pub mod follow;
pub mod odds;
mod profile;

pub use again::{Reopen, Stopped, play_again, reopen};
pub use compare::{CHANCE, TRAININGS, compared_keys};
pub use compare::{
    ComparePlan, CompareProgress, GamesRun, RunFigure, compare, compare_in_parts, compare_watched,
    usual_pairs,
};
pub use comparison::{
    AgentComparison, ComparedGame, Comparison, Disagreement, Mean, Only, Quantity, RunSamples,
};
pub use comparison::{chance_in_words, relative};
pub use cost::{games_within, rounded, seconds_of_a_game};
pub use course::{CourseComparison, NewOption, are_monotonous, chooses_at_random};
pub use follow::beside::{compare_courses, new_options};
pub use frame::{Column, DataFrame, Frames, Values};
pub use measure::{MetricColumn, common_side, keyed_columns, metric_key, metric_named};
pub use meeting::contest::{
    Contender, ContestPlan, QuickPlayer, choose_player, choose_player_twice, fitting_learner, meet_in,
};
pub use meeting::{Clock, Seating, has_partners, meet_on, results_on_dice};
pub use meeting::{Estimate, Meeting, meet};
pub use metric::{COURSE, Metric, MetricKind, PAYOFF, SCORE, SUCCESS, Subject, WIN, WINS, metrics};
pub use plan::last_index;
pub use plan::{
    CustomAgents, GameSinks, Keep, LAST, RecordSink, RowSink, RunMonitor, SimulateError, SimulationPlan,
};
pub use precision::{FIRST_LOOK, MOST_IN_TIME, MOST_UNTIL_PRECISE, Precision, RunBudget, simulate_within};
pub use precision::{answer_seconds, game_seconds, needed, next_look};
pub use profile::{
    Profile, ProfilePlan, ProfileRun, ProfiledCost, ProfiledExpression, ProfiledLine, ProfiledPart,
    ProfiledPlace, profile,
};
pub use report::{MatchReport, QUANTILES, Report, Share, Statistics, TeamWins, VERSION, Winners, WonGames};
pub use rows::{Decision, GameRows};
pub use sample::{MetricSample, SamplePlan, ScaledColumn, sample};
pub use simulate::{simulate, simulate_kept};
pub use summary::summary;
pub use sums::AbortedGame;
pub use sums::totals::MergeError;
pub use verdict::describe_option;
pub use watched::{play_watched, play_while};
