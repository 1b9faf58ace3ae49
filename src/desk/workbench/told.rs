//! The parts of what a page is told: files, messages, positions, samples. Data alone.

use serde::{Deserialize, Serialize};

/// A file that can be opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileTold {
    /// The file.
    pub path: String,
    /// The title of its game.
    pub title: String,
    /// What it holds.
    pub kind: FileHolds,
    /// The file that it changes, if it is a variant.
    #[serde(default)]
    pub of: Option<String>,
    /// The family of a bundled game.
    #[serde(default)]
    pub family: Option<String>,
    /// `true` if it can't be changed.
    pub read_only: bool,
}

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileHolds {
    /// A game.
    Game,
    /// A variant.
    Variant,
    /// A script.
    Script,
    /// Rules with errors.
    Broken,
}

/// An agent that can take a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentTold {
    /// Its name, which can be asked for as it is.
    pub name: String,
    /// Its name with the number that may follow: `mcts:N`. The same as `name` if none may.
    pub form: String,
    /// A sentence about it.
    pub help: String,
}

/// A message about a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MessageTold {
    /// `error` or `warning`.
    pub severity: String,
    /// The code of the message.
    #[serde(default)]
    pub code: Option<String>,
    /// Where the marked text begins.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// What is wrong.
    pub message: String,
    /// The words beside the marked text.
    pub label: String,
    /// Further facts.
    pub notes: Vec<String>,
    /// How to mend it.
    #[serde(default)]
    pub help: Option<String>,
    /// All its words, a line for each part.
    pub words: String,
    /// Other places that explain it.
    pub related: Vec<RelatedTold>,
    /// Changes that mend it.
    pub fixes: Vec<FixTold>,
}

/// Another place that explains a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RelatedTold {
    /// The file.
    pub path: String,
    /// Where it begins.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// Its words.
    pub label: String,
}

/// A change that mends a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FixTold {
    /// What is done.
    pub title: String,
    /// The changes.
    pub edits: Vec<EditTold>,
}

/// A change of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EditTold {
    /// The file.
    pub path: String,
    /// The version of the open text in which the places are counted. `None` if the file isn't open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<i64>,
    /// Where the part that is replaced begins.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// The new text.
    pub text: String,
}

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaceTold {
    /// The file.
    pub path: String,
    /// Where it begins.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
}

/// A word or sign: where it begins and ends, its class, and 1 if it is a definition plus 2 if it is built in.
pub type TokenTold = (usize, usize, String, u8);

/// What can be folded: where it begins and ends.
pub type FoldTold = (usize, usize);

/// Words that the text doesn't write.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HintTold {
    /// Where they would be written.
    pub at: usize,
    /// The words.
    pub text: String,
}

/// The kinds of params.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ParamKindTold {
    /// A number.
    Number,
    /// `true` or `false`.
    Truth,
    /// A value of an enum.
    Choice,
}

/// A param.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParamTold {
    /// Its name.
    pub name: String,
    /// What it is.
    pub help: String,
    /// Its kind.
    pub kind: ParamKindTold,
    /// Its value.
    pub value: super::asked::AskedValue,
    /// Its value in the rules that the text changes.
    #[serde(default)]
    pub usual: Option<super::asked::AskedValue>,
    /// The least number.
    #[serde(default)]
    pub least: Option<i64>,
    /// The greatest number.
    #[serde(default)]
    pub most: Option<i64>,
    /// The values of its enum.
    pub values: Vec<String>,
    /// Where its value stands, if that may be changed.
    #[serde(default)]
    pub place: Option<PlaceTold>,
}

/// A part of rules, with the parts inside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutlineTold {
    /// Its name.
    pub name: String,
    /// What it is, in a keyword.
    pub detail: String,
    /// Its kind.
    pub kind: String,
    /// Where it begins.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// Where its name begins.
    pub name_from: usize,
    /// Where its name ends.
    pub name_to: usize,
    /// The parts inside.
    pub children: Vec<OutlineTold>,
}

/// A word that can stand at a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompletionTold {
    /// The word.
    pub word: String,
    /// Its kind.
    pub kind: String,
    /// Its type or forms.
    pub detail: String,
    /// Sentences about it.
    pub help: String,
    /// Where what it replaces begins.
    pub from: usize,
    /// Where that ends.
    pub to: usize,
}

/// How a line of rules differs from the base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DiffLineKind {
    /// It is in both.
    Same,
    /// It is new.
    Added,
    /// It is only in the base.
    Removed,
    /// It stands for lines that are left out.
    Gap,
}

/// A line of rules beside those of the base.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiffLineTold {
    /// How it differs.
    pub kind: DiffLineKind,
    /// The line.
    pub text: String,
}

/// A place of the game at the table, and all that can be done there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PositionTold {
    /// The number of the request; none if the rules were changed.
    #[serde(default)]
    pub id: Option<u64>,
    /// The title of the game.
    pub game: String,
    /// The lines of the game.
    pub lines: Vec<LineTold>,
    /// The line that is shown.
    pub line: usize,
    /// The number of decisions before the place that is shown.
    pub decision: usize,
    /// The number of decisions of the line.
    pub of: usize,
    /// The drawing; empty while the screen is handed over.
    pub svg: String,
    /// A sentence about what happens now.
    pub heading: String,
    /// The players.
    pub seats: Vec<SeatTold>,
    /// The seat that decides.
    #[serde(default)]
    pub seat: Option<u32>,
    /// The seat that looks at the drawing; none sees everything.
    #[serde(default)]
    pub viewer: Option<u32>,
    /// The screen is to be handed over before anything else.
    #[serde(default)]
    pub hand_over: Option<HandOverTold>,
    /// What a person may do.
    #[serde(default)]
    pub choices: Option<ChoicesTold>,
    /// What a person is asked about dice.
    #[serde(default)]
    pub chance: Option<ChanceTold>,
    /// The events until here, as the viewer may know them.
    pub events: Vec<EventTold>,
    /// The scores, as far as they are open to the viewer.
    pub scores: Vec<ScoreTold>,
    /// How the game ended; empty before that.
    pub over: Vec<String>,
    /// Where the rules of now first differ from those by which the game was played.
    #[serde(default)]
    pub differs: Option<DiffersTold>,
    /// The agent that is to decide and has to be trained before.
    #[serde(default)]
    pub to_train: Option<String>,
}

/// A line of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineTold {
    /// Its name.
    pub name: String,
    /// The line from which it branches.
    #[serde(default)]
    pub from_line: Option<usize>,
    /// The decision at which it branches.
    #[serde(default)]
    pub from_decision: Option<usize>,
    /// Its number of decisions.
    pub decisions: usize,
}

/// A player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatTold {
    /// The player's name in the rules.
    pub name: String,
    /// `person`, or an agent.
    pub agent: String,
    /// `true` for a person.
    pub person: bool,
    /// The score; none if it is hidden or fails.
    #[serde(default)]
    pub score: Option<i64>,
}

/// A hand-over of the screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandOverTold {
    /// The person at the screen.
    #[serde(default)]
    pub from: Option<u32>,
    /// The person to decide.
    pub to: u32,
    /// `true` if `from` should look at something first: until then the drawing and the events are those of `from`.
    pub news: bool,
}

/// What a person may do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChoicesTold {
    /// The seat that decides.
    pub seat: u32,
    /// The options.
    pub options: Vec<OptionTold>,
    /// The legal actions.
    pub moves: Vec<MoveTold>,
    /// Number of legal actions that were left out.
    pub more: usize,
}

/// An option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OptionTold {
    /// Its name.
    pub name: String,
    /// Its help text.
    pub help: String,
    /// Its number of legal actions.
    pub moves: usize,
}

/// A legal action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoveTold {
    /// The action.
    pub action: u32,
    /// Its name in the notation of journals: `play clubs-king`.
    pub name: String,
    /// The same with the names that the board shows: `play ♣K`.
    pub words: String,
    /// The index of its option.
    pub option: usize,
    /// The things that it names, in order: `cell:12`.
    pub things: Vec<String>,
}

/// A question about chance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChanceTold {
    /// The question.
    pub question: String,
    /// The outcomes, if they are few.
    pub outcomes: Vec<OutcomeTold>,
}

/// An outcome of chance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutcomeTold {
    /// The outcome.
    pub outcome: u64,
    /// Its name.
    pub name: String,
}

/// The kinds of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventKindTold {
    /// A decision.
    Action,
    /// A roll of dice.
    Roll,
    /// A pick or draw of an element.
    Pick,
    /// A number for a script.
    Draw,
    /// A pick or draw that could come out in one way only. It isn't recorded.
    Certain,
    /// A choice without a legal option, or a turn without a decision. It isn't recorded.
    Pass,
    /// What went from zone to zone, or what someone was shown. It isn't recorded.
    Moved,
}

/// An event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventTold {
    /// Its index in the line.
    pub index: usize,
    /// The number of decisions before it.
    pub decision: usize,
    /// The seat that decided, or could not decide.
    #[serde(default)]
    pub seat: Option<u32>,
    /// Its kind.
    pub kind: EventKindTold,
    /// Its text in the notation of journals; none if it is hidden.
    #[serde(default)]
    pub text: Option<String>,
    /// The same with the names that the board shows: `play ♣K`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said: Option<String>,
    /// The zone to which an element was drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
}

/// The score of a seat, item by item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScoreTold {
    /// The seat.
    pub seat: u32,
    /// The items.
    pub items: Vec<ScoreItemTold>,
    /// Their sum.
    pub total: i64,
}

/// An item of a score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScoreItemTold {
    /// Its name.
    pub name: String,
    /// Its points.
    pub points: i64,
    /// What they are for, in words.
    pub words: String,
    /// The things that they are for: `cell:12`.
    pub things: Vec<String>,
}

/// Where a game first differs under changed rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiffersTold {
    /// The number of decisions before it.
    pub decision: usize,
    /// Why.
    pub words: String,
}

/// How often each bin was met.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BinCounts {
    /// What was played.
    pub name: String,
    /// The number of samples in each bin.
    pub counts: Vec<u64>,
    /// The mean; none before the first sample.
    #[serde(default)]
    pub mean: Option<f64>,
    /// The lower end of its confidence interval.
    #[serde(default)]
    pub low: Option<f64>,
    /// The upper end of that interval.
    #[serde(default)]
    pub high: Option<f64>,
}

/// A quantity of one or two sets of rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuantityTold {
    /// Its name.
    pub name: String,
    /// Who plays.
    pub players: String,
    /// Its mean with the base, or with the only rules.
    #[serde(default)]
    pub a: Option<f64>,
    /// Its mean with the changed rules.
    #[serde(default)]
    pub b: Option<f64>,
    /// The difference, `b` less `a`.
    #[serde(default)]
    pub difference: Option<f64>,
    /// The lower end of the confidence interval, of the difference if there is one.
    #[serde(default)]
    pub low: Option<f64>,
    /// The upper end of that interval.
    #[serde(default)]
    pub high: Option<f64>,
    /// Whether the rules differ in it beyond chance; only once its agent has played all games.
    #[serde(default)]
    pub differs: Option<bool>,
}

/// What something costs random games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CostTold {
    /// Its share of the time, from 0 to 1.
    pub share: f64,
    /// How often it is evaluated or executed in a decision.
    pub evaluations: f64,
    /// Instructions a decision.
    pub instructions: f64,
    /// The share of these instructions, from 0 to 1, that compute again what was computed in the same decision.
    pub repeated: f64,
}

/// What a named part of the rules costs, with all that it uses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartCostTold {
    /// Its kind, as the rules call it: `define`, `step`, ….
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Where its name is declared.
    pub place: PlaceTold,
    /// The line of that, from 1.
    pub line: usize,
    /// Its share of the time without what it uses from other parts, from 0 to 1.
    pub own_share: f64,
    /// Its costs.
    pub cost: CostTold,
}

/// What a line costs, without what it uses from other lines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineCostTold {
    /// Where its first expression begins.
    pub place: PlaceTold,
    /// The line, from 1.
    pub line: usize,
    /// Its text.
    pub text: String,
    /// Its costs. The evaluations are those of what is evaluated most often.
    pub cost: CostTold,
}

/// What an expression or a statement costs, with all that it uses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpressionCostTold {
    /// Where it is.
    pub place: PlaceTold,
    /// The line in which it begins, from 1.
    pub line: usize,
    /// The column in which it begins, from 1.
    pub column: usize,
    /// Its text, with one blank between words; a long one ends in `…`.
    pub text: String,
    /// Its costs.
    pub cost: CostTold,
}
