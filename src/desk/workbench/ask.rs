//! What a page asks and what it is told, one JSON object a message. Nothing here knows how messages travel.
//!
//! Places in texts are offsets in UTF-16 code units from the beginning of the text. A path is relative to the folder
//! that was opened, with `/`; that of a bundled file is `bundled/NAME`.

use serde::{Deserialize, Serialize};

use super::asked::{AskedValues, DecisionAsked, DiceAsked, EventAsked, FormAsked, OutcomeAsked, RulesAsked};
use super::told::{
    AgentTold, BinCounts, CompletionTold, DiffLineTold, EditTold, ExpressionCostTold, FileTold, FoldTold,
    HintTold, LineCostTold, MessageTold, OutlineTold, ParamTold, PartCostTold, PlaceTold, PositionTold,
    QuantityTold, TokenTold,
};

/// A request of a page. One with an `id` is answered with the same `id`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Ask {
    /// The first message of a page.
    Hello {
        /// The word that proves that the page is ours.
        token: String,
    },
    /// The text of a file.
    Open {
        /// Number of the request.
        id: u64,
        /// The file.
        path: String,
    },
    /// Writes a file.
    Save {
        /// Number of the request.
        id: u64,
        /// The file.
        path: String,
        /// Its new text.
        text: String,
        /// The hash of the text that was changed; none for a new file.
        #[serde(default)]
        base: Option<String>,
    },
    /// The text of an open file, when it is opened and after each edit.
    Text {
        /// The file.
        path: String,
        /// A number that grows with each edit.
        version: i64,
        /// The text.
        text: String,
    },
    /// The file is no longer open.
    Close {
        /// The file.
        path: String,
    },
    /// What the word at a place is.
    Hover {
        /// Number of the request.
        id: u64,
        /// The file.
        path: String,
        /// The place.
        at: usize,
    },
    /// The words that can stand at a place.
    Complete {
        /// Number of the request.
        id: u64,
        /// The file.
        path: String,
        /// The place.
        at: usize,
    },
    /// Where the name at a place is defined.
    Define {
        /// Number of the request.
        id: u64,
        /// The file.
        path: String,
        /// The place.
        at: usize,
    },
    /// Where the name at a place is used.
    References {
        /// Number of the request.
        id: u64,
        /// The file.
        path: String,
        /// The place.
        at: usize,
    },
    /// The edits that give the name at a place another spelling.
    Rename {
        /// Number of the request.
        id: u64,
        /// The file.
        path: String,
        /// The place.
        at: usize,
        /// The new name.
        new: String,
    },
    /// The edits that bring a file into the standard layout.
    Format {
        /// Number of the request.
        id: u64,
        /// The file.
        path: String,
    },
    /// What a house rule changes.
    Diff {
        /// Number of the request.
        id: u64,
        /// The file.
        path: String,
        /// Values for its params.
        #[serde(default)]
        set: AskedValues,
    },
    /// The text of a new variant.
    HouseRule {
        /// Number of the request.
        id: u64,
        /// The file that it changes.
        of: String,
        /// Its title.
        title: String,
        /// The values that it gives to params.
        #[serde(default)]
        set: AskedValues,
    },
    /// A game at a table, in place of the one before.
    Table {
        /// Number of the request.
        id: u64,
        /// The file.
        path: String,
        /// Values for its params.
        #[serde(default)]
        set: AskedValues,
        /// Number of players; none for the smallest.
        #[serde(default)]
        players: Option<u32>,
        /// The name of each seat's player: `person`, or an agent.
        #[serde(default)]
        seats: Vec<String>,
        /// The seed.
        seed: u64,
        /// Where the dice come from.
        #[serde(default)]
        dice: DiceAsked,
        /// The form of its drawings.
        #[serde(default)]
        form: FormAsked,
        /// The events of the game so far. They are replayed as far as the rules allow.
        #[serde(default)]
        events: Vec<EventAsked>,
    },
    /// Takes an action.
    Act {
        /// Number of the request.
        id: u64,
        /// The action.
        action: u32,
    },
    /// Takes the action, or reports the outcome, that a text names.
    Type {
        /// Number of the request.
        id: u64,
        /// The text.
        text: String,
    },
    /// Reports an outcome.
    Settle {
        /// Number of the request.
        id: u64,
        /// The outcome.
        outcome: OutcomeAsked,
    },
    /// Lets agents and chance go on.
    Step {
        /// Number of the request.
        id: u64,
        /// Only up to the next decision, not up to the next question of a person.
        #[serde(default)]
        one: bool,
    },
    /// The person to decide takes the screen.
    TakeScreen {
        /// Number of the request.
        id: u64,
    },
    /// Shows another place of the game.
    Go {
        /// Number of the request.
        id: u64,
        /// The line; none for the one that is shown.
        #[serde(default)]
        line: Option<usize>,
        /// The place in it.
        decision: DecisionAsked,
    },
    /// Draws chance since the last decision of a person again, on a new line.
    OtherDice {
        /// Number of the request.
        id: u64,
    },
    /// Draws the table in another form.
    Arrange {
        /// Number of the request.
        id: u64,
        /// The form.
        form: FormAsked,
    },
    /// Gives a seat another player.
    Seat {
        /// Number of the request.
        id: u64,
        /// The seat.
        seat: u32,
        /// `person`, or an agent.
        agent: String,
    },
    /// Plays many games, of one or two sets of rules.
    Measure {
        /// Number of the request.
        id: u64,
        /// The file.
        path: String,
        /// Values for its params.
        #[serde(default)]
        set: AskedValues,
        /// The rules to compare with; none for the base of a variant.
        #[serde(default)]
        base: Option<RulesAsked>,
        /// Compares with nothing.
        #[serde(default)]
        alone: bool,
        /// The agents: each in turn plays all seats.
        #[serde(default)]
        agents: Vec<String>,
        /// Number of players; none for the smallest.
        #[serde(default)]
        players: Option<u32>,
        /// Number of games with each agent; none for as many as take some seconds.
        #[serde(default)]
        games: Option<u64>,
        /// The seed.
        seed: u64,
    },
    /// Plays random games for some seconds to find where the time of the rules goes.
    Profile {
        /// Number of the request.
        id: u64,
        /// The file.
        path: String,
        /// Values for its params.
        #[serde(default)]
        set: AskedValues,
        /// Maximum number of games; none for the usual one.
        #[serde(default)]
        games: Option<u64>,
        /// The seed.
        seed: u64,
    },
    /// Makes the report of a game.
    Report {
        /// Number of the request.
        id: u64,
        /// The file.
        path: String,
        /// Values for its params.
        #[serde(default)]
        set: AskedValues,
    },
    /// Trains the agent at the table that is to decide.
    Train {
        /// Number of the request.
        id: u64,
    },
    /// Ends the run with this number.
    Cancel {
        /// The number of the request that began it.
        id: u64,
    },
}

/// The asks about the game at the table, as a pattern that binds their numbers.
macro_rules! about_game {
    ($id:ident) => {
        $crate::workbench::Ask::Act { $id, .. }
            | $crate::workbench::Ask::Type { $id, .. }
            | $crate::workbench::Ask::Settle { $id, .. }
            | $crate::workbench::Ask::Step { $id, .. }
            | $crate::workbench::Ask::TakeScreen { $id }
            | $crate::workbench::Ask::Go { $id, .. }
            | $crate::workbench::Ask::OtherDice { $id }
            | $crate::workbench::Ask::Arrange { $id, .. }
            | $crate::workbench::Ask::Seat { $id, .. }
    };
}
pub(super) use about_game;

impl Ask {
    /// Reads an ask from JSON. Otherwise returns what the page is told.
    pub fn from_json(text: &[u8]) -> Result<Ask, Box<Tell>> {
        let wrong = |error| Box::new(Tell::Wrong { id: None, message: format!("this is no ask: {error}") });
        serde_json::from_slice(text).map_err(wrong)
    }

    /// The number of the request, which its answers repeat. None for an ask without a number.
    pub fn id(&self) -> Option<u64> {
        match self {
            Ask::Hello { .. } | Ask::Text { .. } | Ask::Close { .. } => None,
            Ask::Open { id, .. }
            | Ask::Save { id, .. }
            | Ask::Hover { id, .. }
            | Ask::Complete { id, .. }
            | Ask::Define { id, .. }
            | Ask::References { id, .. }
            | Ask::Rename { id, .. }
            | Ask::Format { id, .. }
            | Ask::Diff { id, .. }
            | Ask::HouseRule { id, .. }
            | Ask::Table { id, .. }
            | about_game!(id)
            | Ask::Measure { id, .. }
            | Ask::Profile { id, .. }
            | Ask::Report { id, .. }
            | Ask::Train { id }
            | Ask::Cancel { id } => Some(*id),
        }
    }
}

/// What a page is told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "tell", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Tell {
    /// The page may ask.
    Welcome {
        /// The version of the program.
        version: String,
        /// The folder that was opened.
        folder: String,
        /// The file to open first.
        start: String,
        /// The files of the folder, and the bundled ones.
        files: Vec<FileTold>,
        /// Those of them that can be played.
        games: Vec<FileTold>,
        /// The agents.
        agents: Vec<AgentTold>,
        /// `true` if the folder holds no file, and no game was named.
        first: bool,
    },
    /// The files have changed.
    Files {
        /// All files.
        files: Vec<FileTold>,
    },
    /// A file.
    File {
        /// The number of the request.
        id: u64,
        /// The file.
        path: String,
        /// Its text.
        text: String,
        /// The hash of the text.
        hash: String,
        /// `true` if it can't be changed.
        read_only: bool,
        /// The file that it changes, if it is a variant.
        #[serde(default)]
        of: Option<String>,
    },
    /// The file was written.
    Saved {
        /// The number of the request.
        id: u64,
        /// The file.
        path: String,
        /// The hash of the new text.
        hash: String,
    },
    /// The file was not written: its text is not the one that was changed.
    Conflict {
        /// The number of the request.
        id: u64,
        /// The file.
        path: String,
        /// Its text; none if the file is gone.
        #[serde(default)]
        text: Option<String>,
        /// The hash of that text.
        #[serde(default)]
        hash: Option<String>,
    },
    /// A file was changed outside.
    Changed {
        /// The file.
        path: String,
        /// Its text; none if the file is gone.
        #[serde(default)]
        text: Option<String>,
        /// The hash of that text.
        #[serde(default)]
        hash: Option<String>,
    },
    /// The messages of a text. [`Tell::Facts`] follows, unless a newer version of the text comes first.
    Messages {
        /// The file.
        path: String,
        /// The version of the text.
        version: i64,
        /// The title of its game.
        title: String,
        /// The file that it changes, if it is a variant.
        #[serde(default)]
        of: Option<String>,
        /// Errors and warnings.
        messages: Vec<MessageTold>,
        /// Fixes are being looked for: the messages are told again once all are found.
        #[serde(default)]
        fixing: bool,
    },
    /// What else was found in a text.
    Facts {
        /// The file.
        path: String,
        /// The version of the text.
        version: i64,
        /// The words by what they are.
        tokens: Vec<TokenTold>,
        /// The params.
        params: Vec<ParamTold>,
        /// The parts of the text.
        outline: Vec<OutlineTold>,
        /// Types that the text doesn't write.
        hints: Vec<HintTold>,
        /// What can be folded.
        folds: Vec<FoldTold>,
    },
    /// What a word is; nothing if it isn't known.
    Hovered {
        /// The number of the request.
        id: u64,
        /// Where the word begins.
        #[serde(default)]
        from: Option<usize>,
        /// Where it ends.
        #[serde(default)]
        to: Option<usize>,
        /// What it is, as code.
        #[serde(default)]
        code: Option<String>,
        /// Sentences about it.
        #[serde(default)]
        help: Option<String>,
    },
    /// Words that can stand at a place.
    Completions {
        /// The number of the request.
        id: u64,
        /// The words.
        items: Vec<CompletionTold>,
    },
    /// Places of a name.
    Places {
        /// The number of the request.
        id: u64,
        /// The places.
        places: Vec<PlaceTold>,
    },
    /// Changes of texts.
    Edits {
        /// The number of the request.
        id: u64,
        /// The changes.
        edits: Vec<EditTold>,
    },
    /// What a house rule changes.
    Differences {
        /// The number of the request.
        id: u64,
        /// The file that it changes.
        #[serde(default)]
        of: Option<String>,
        /// The changes in words.
        changes: Vec<String>,
        /// The rules beside those of the base.
        lines: Vec<DiffLineTold>,
    },
    /// A new variant.
    Drafted {
        /// The number of the request.
        id: u64,
        /// A name for its file.
        name: String,
        /// Its text.
        text: String,
    },
    /// A place of the game at the table.
    Position(Box<PositionTold>),
    /// Samples of the games so far.
    Samples {
        /// The number of the request.
        id: u64,
        /// Number of games played, of each rules and with each agent: a contiguous prefix.
        games: u64,
        /// Number of games to play.
        of: u64,
        /// What is counted.
        about: String,
        /// The edges of the bins, one more than bins.
        bins: Vec<f64>,
        /// `true` if the first bin counts values below it too, and the last bin values above it.
        beyond: [bool; 2],
        /// The counts of the base, if there is one, then of the rules.
        sides: Vec<BinCounts>,
        /// The quantities, with a verdict on those of agents that have played all their games.
        quantities: Vec<QuantityTold>,
        /// Who has played.
        players: String,
    },
    /// The result of all games, or first of those by agents that need no training.
    Measured {
        /// The number of the request.
        id: u64,
        /// What the change does, in words.
        sentences: Vec<String>,
        /// The quantities, each with a verdict.
        quantities: Vec<QuantityTold>,
        /// Who has played.
        players: String,
        /// Number of games with each agent.
        games: u64,
        /// `true` if players are trained next, and then play.
        #[serde(default)]
        more: bool,
    },
    /// Where the time of the rules goes.
    Profiled {
        /// The number of the request.
        id: u64,
        /// What was played.
        played: String,
        /// What a decision costs, in a sentence.
        decision: String,
        /// What keeps the figures from being those of whole games.
        cautions: Vec<String>,
        /// The parts, with all that they use; the greatest share first.
        parts: Vec<PartCostTold>,
        /// The lines, without what they use from other lines, in the order of the texts.
        lines: Vec<LineCostTold>,
        /// Expressions and statements with all that they use, in the order of the texts.
        expressions: Vec<ExpressionCostTold>,
    },
    /// How far a report, a profile or a training is.
    Progress {
        /// The number of the request.
        id: u64,
        /// What is done.
        done: u64,
        /// Of how much.
        of: u64,
        /// What is being done.
        words: String,
    },
    /// A report is ready.
    Reported {
        /// The number of the request.
        id: u64,
        /// Where it is shown.
        address: String,
    },
    /// A run has ended.
    Done {
        /// The number of the request.
        id: u64,
        /// `true` if it was ended early.
        #[serde(default)]
        cancelled: bool,
    },
    /// A request failed.
    Wrong {
        /// The number of the request.
        #[serde(default)]
        id: Option<u64>,
        /// Why, in sentences.
        message: String,
    },
}

impl Tell {
    /// Writes it as JSON.
    pub fn to_json(&self) -> String {
        // Its maps have strings as keys, and JSON has all of its numbers.
        serde_json::to_string(self).unwrap_or_default()
    }
}
