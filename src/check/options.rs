//! What a check is asked for, besides the rules, and what it answers to wrong settings.

use houserule_language::syntax;
use houserule_language::variants::{EditedName, Setting};
use houserule_model::ScriptFunction;

/// Settings from outside of the rules.
#[derive(Clone, Copy, Debug, Default)]
pub struct CheckOptions<'a> {
    /// Names of params with values as text.
    pub params: &'a [Setting],
    /// Number of players. `None` means the fewest that the rules allow.
    pub players: Option<u32>,
    /// Functions of the scripts.
    pub script: &'a [ScriptFunction],
    /// The names in the edits of the merged variants, for [`Checked::names`].
    pub edits: &'a [EditedName],
    /// Expressions besides the rules, for [`Model::measures`].
    pub measures: &'a [syntax::Expr],
}

/// The identity of a block of action numbers in a game and its variants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionKey {
    /// The option's name.
    pub option: String,
    /// The name and the size of each binder's domain.
    pub domains: Vec<(String, u32)>,
    /// The last binder has subsets.
    pub subset: bool,
}

/// An error in a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingError {
    /// Name in the setting.
    pub name: String,
    /// Description of the error.
    pub message: String,
    /// Legal alternatives: a range, words, or names of params.
    pub legal: Vec<String>,
    /// Help for correcting it.
    pub help: Option<String>,
}
