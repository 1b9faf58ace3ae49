//! Records: a game as one JSON object, enough to replay it and to check it by hand.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value as Json;

use crate::ordered::Ordered;
use crate::values::{event_text, params_json, variables_json};
use crate::{ActionId, ApplyError, Game, HistoryOrigin, RuntimeError, Seat, Start, State};
use houserule_language::diagnostic::did_you_mean;

/// The format version. Version 1, which can still be read, does not say how a game ended.
pub const VERSION: u32 = 2;

/// Maximum number of outcomes of a chance event that are searched for the recorded one.
const MOST_OUTCOMES: usize = 100_000;

/// The record of one game. Unknown and missing keys are errors: a misspelt key would not be compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The format version.
    pub houserule: u32,
    /// The name by which the game can be loaded again.
    pub game: String,
    /// The SHA-256 of the rules.
    pub rules_sha256: String,
    /// The params and their values.
    pub params: Ordered<Json>,
    /// Number of players.
    pub players: u32,
    /// The place of the game in its match; missing if it began like a single game.
    #[serde(rename = "match", default, skip_serializing_if = "Option::is_none")]
    pub in_match: Option<InMatch>,
    /// The seed of the dice; null if they were rolled by hand.
    #[serde(deserialize_with = "Option::deserialize")]
    pub seed: Option<u64>,
    /// The index of the game in the run; null if the dice were rolled by hand.
    #[serde(deserialize_with = "Option::deserialize")]
    pub index: Option<u64>,
    /// The agent of each seat, as in `--agents`; missing if unknown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<String>,
    /// Decisions and chance events in the notation that players see.
    pub events: Vec<String>,
    /// How the game ended; null if it is under way. Missing in records of version 1.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub outcome: Option<Option<GameEnd>>,
    /// The score of each seat.
    pub score: Vec<i64>,
    /// The returns of each seat.
    pub returns: Vec<f64>,
    /// The variables, pieces and zones at the end.
    pub variables: Ordered<Json>,
}

/// Reads a value that is present, null or not.
fn present<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Option<GameEnd>>, D::Error> {
    Option::deserialize(from).map(Some)
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "struct Ended")]
pub struct GameEnd {
    /// The name of the end.
    pub end: String,
    /// The seats that share the win; all of them if the game is drawn.
    pub winners: Vec<Seat>,
}

impl GameEnd {
    /// Returns how a state ended, or `None` if the game is under way.
    pub fn from_state(state: &State) -> Option<GameEnd> {
        let outcome = state.outcome()?;
        let end = state.game().model().end_names().nth(outcome.end as usize).unwrap_or_default();
        let winners = (0..).zip(&outcome.winners).filter(|(_, won)| **won).map(|(seat, _)| Seat(seat));
        Some(GameEnd { end: end.to_owned(), winners: winners.collect() })
    }
}

/// The place of a game in its match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InMatch {
    /// The number of the game in the match, from 1.
    pub game: i64,
    /// The seat that starts, from 0.
    pub starter: Seat,
    /// The totals of the seats before the game.
    pub totals: Vec<i64>,
}

impl Record {
    /// Reads the record in a line.
    pub fn read(line: &str) -> Result<Record, String> {
        #[derive(Deserialize)]
        struct FormatVersion {
            houserule: u32,
        }
        let wrong = |error: serde_json::Error| {
            // What the parser of JSON expected says nothing of a line that is none.
            if error.is_syntax() {
                let column = error.column();
                return format!(
                    "no record of a game: a record is an object of JSON, and column {column} is not JSON"
                );
            }
            // The record is a line of a file, and `line 1` would be taken for the line number.
            let place = format!(" at line {} column {}", error.line(), error.column());
            let what = error.to_string();
            format!("no record of a game: {}, column {}", what.trim_end_matches(&place), error.column())
        };
        // Other versions have other keys, which would be reported as misspelt.
        let version = serde_json::from_str::<FormatVersion>(line).map_err(wrong)?.houserule;
        if !(1..=VERSION).contains(&version) {
            return Err(format!(
                "the record has format version {version}, and this program reads versions 1 to {VERSION}"
            ));
        }
        let record: Record = serde_json::from_str(line).map_err(wrong)?;
        match record.outcome {
            None if version > 1 => Err("no record of a game: missing field `outcome`".to_owned()),
            _ => Ok(record),
        }
    }

    /// Returns the record of a game so far. It can be replayed if the history of the state begins with the game: see
    /// [`HistoryOrigin::is_start`].
    pub fn from_state(state: &State) -> Result<Record, RuntimeError> {
        let game = state.game();
        let start = state.started();
        let seeded = !start.explicit_chance && state.history_origin() == HistoryOrigin::Seed;
        let fresh =
            start.game_number <= 1 && start.starter == Seat(0) && start.totals.iter().all(|t| *t == 0);
        Ok(Record {
            houserule: VERSION,
            game: game.identity().name.clone(),
            rules_sha256: game.identity().rules_sha256.clone(),
            params: params_json(game.model()),
            players: game.players(),
            in_match: (!fresh).then(|| InMatch {
                game: start.game_number,
                starter: start.starter,
                totals: start.totals.clone(),
            }),
            seed: seeded.then_some(start.seed),
            index: seeded.then_some(start.index),
            agents: vec![],
            events: events(state, 0),
            outcome: Some(GameEnd::from_state(state)),
            score: state.score_of_each()?,
            returns: state.returns(),
            variables: variables_json(state),
        })
    }

    fn start(&self, explicit_chance: bool) -> Start {
        let fresh = InMatch { game: 1, starter: Seat(0), totals: vec![0; self.players as usize] };
        let InMatch { game, starter, totals } = self.in_match.clone().unwrap_or(fresh);
        Start {
            seed: self.seed.unwrap_or(0),
            index: self.index.unwrap_or(0),
            starter,
            game_number: game,
            totals,
            explicit_chance,
        }
    }
}

/// Returns the texts of the events from index `from` on.
pub(crate) fn events(state: &State, from: usize) -> Vec<String> {
    let events = state.history().get(from..).unwrap_or_default();
    events.iter().map(|event| event_text(state.game(), event)).collect()
}

/// Why a record can't be replayed. Events are numbered from 1.
#[derive(Clone, Debug)]
pub enum ReplayError {
    /// The record has another game, other rules or another format version.
    Other {
        /// What differs.
        what: &'static str,
        /// The value in the record.
        recorded: String,
        /// The value in the game.
        here: String,
    },
    /// An event is no legal action, or no outcome of the chance event.
    Event {
        /// The event's number.
        number: usize,
        /// The event.
        event: String,
        /// The player to choose; `None` for chance.
        chooser: Option<String>,
        /// The possible events.
        possible: Vec<String>,
    },
    /// There are events after the end of the game.
    AfterEnd {
        /// The number of the first one.
        number: usize,
        /// The event.
        event: String,
    },
    /// The seed gives another outcome.
    Seed {
        /// The number of the first differing event.
        number: usize,
        /// The event in the record.
        recorded: String,
        /// The event that the seed gives.
        drawn: String,
    },
    /// The events lead to another result.
    Result {
        /// What differs: the outcome, the score, the returns or a variable.
        what: String,
        /// The value in the record.
        recorded: String,
        /// The value in the replay.
        played: String,
    },
    /// An event doesn't fit, and what it is isn't told: it may be hidden from the reader.
    Untold {
        /// The event's number.
        number: usize,
        /// Why it doesn't fit: `is not legal for X`.
        why: String,
    },
    /// A match is replayed, but the rules have no `match`.
    NoMatch,
    /// The rules failed.
    Runtime {
        /// The number of the event that failed; 0 is the setup.
        number: usize,
        /// The error.
        error: RuntimeError,
    },
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::Other { what, recorded, here } => {
                write!(f, "the record is of another game: its {what} is {recorded}, here it is {here}")
            }
            ReplayError::Event { number, event, chooser, possible } => {
                match chooser {
                    Some(chooser) => write!(f, "event {number}, `{event}`, is not legal for {chooser}")?,
                    None => write!(f, "event {number}, `{event}`, can't come up here")?,
                }
                if let Some(meant) = did_you_mean(event, possible.iter().map(String::as_str)) {
                    write!(f, "; did you mean `{meant}`?")?;
                } else if !possible.is_empty() {
                    write!(f, ".")?;
                }
                let shown: Vec<String> = possible.iter().take(12).map(|event| format!("`{event}`")).collect();
                match possible.len() {
                    0 => Ok(()),
                    n if n > shown.len() => {
                        write!(f, " Possible: {}, and {} more", shown.join(", "), n - shown.len())
                    }
                    _ => write!(f, " Possible: {}", shown.join(", ")),
                }
            }
            ReplayError::AfterEnd { number, event } => {
                write!(f, "event {number}, `{event}`, comes after the end of the game")
            }
            ReplayError::Seed { number, recorded, drawn } => {
                write!(f, "event {number} is `{recorded}` in the record, but the seed gives `{drawn}`")
            }
            ReplayError::Result { what, recorded, played } => {
                write!(f, "the record says {what} is {recorded}, but its events give {played}")
            }
            ReplayError::Untold { number, why } => {
                write!(f, "event {number} {why} (the game hides something, so the event isn't told)")
            }
            ReplayError::NoMatch => write!(f, "it is a match, and the rules have no `match`"),
            ReplayError::Runtime { number: 0, error } => write!(f, "the set-up fails: {error}"),
            ReplayError::Runtime { number, error } => write!(f, "event {number} fails: {error}"),
        }
    }
}

impl std::error::Error for ReplayError {}

impl ReplayError {
    /// Returns the error without what may be hidden from a player: which event doesn't fit, and what else was possible.
    pub fn untold(self) -> ReplayError {
        let (number, why) = match self {
            ReplayError::Event { number, chooser: Some(chooser), .. } => {
                (number, format!("is not legal for {chooser}"))
            }
            ReplayError::Event { number, chooser: None, .. } => (number, "can't come up here".to_owned()),
            ReplayError::AfterEnd { number, .. } => (number, "comes after the end of the game".to_owned()),
            ReplayError::Seed { number, .. } => (number, "is not what the seed gives".to_owned()),
            error @ (ReplayError::Other { .. }
            | ReplayError::Result { .. }
            | ReplayError::Untold { .. }
            | ReplayError::NoMatch
            | ReplayError::Runtime { .. }) => return error,
        };
        ReplayError::Untold { number, why }
    }
}

/// Replays a record from its events alone, and compares everything: rules, chance of the seed, score,
/// outcome, returns and variables.
pub fn replay(game: &Game, record: &Record) -> Result<State, ReplayError> {
    replay_shown(game, record, &mut |_, _| {})
}

/// Like [`replay`]. Calls `show` with every state in which a recorded event is due, and with that event.
pub fn replay_shown(
    game: &Game,
    record: &Record,
    show: &mut dyn FnMut(&State, &str),
) -> Result<State, ReplayError> {
    same_game(game, record)?;
    let state = follow(game, record, true, show)?;
    if record.seed.is_some() {
        follow(game, record, false, &mut |_, _| {})?;
    }
    same_result(&state, record)?;
    Ok(state)
}

/// Replays the events of a record: all of them, or the decisions with the chance of the seed.
fn follow(
    game: &Game,
    record: &Record,
    explicit_chance: bool,
    show: &mut dyn FnMut(&State, &str),
) -> Result<State, ReplayError> {
    let failed = |number: usize| move |error: RuntimeError| ReplayError::Runtime { number, error };
    let mut state = game.start_at(&record.start(explicit_chance)).map_err(failed(0))?;
    let mut known = 0;
    loop {
        // A chance event with a single outcome happens by itself, and with a seed every chance event does.
        if !pass(&record.events, &mut known, &state)? {
            // The record of an unfinished game may end here.
            return Ok(state);
        }
        let Some(event) = record.events.get(known) else { return Ok(state) };
        let number = known + 1;
        if state.is_over() {
            return Err(ReplayError::AfterEnd { number, event: event.clone() });
        }
        show(&state, event);
        let step = if state.is_chance() {
            let outcome = recorded_outcome(&state, number, event)?;
            state.apply_outcome(outcome)
        } else {
            let action = recorded_action(&state, number, event)?;
            state.apply(action)
        };
        step.map_err(|error| not_taken(&state, number, event, error))?;
    }
}

/// Compares the new events of a state with the recorded ones. Returns `false` if the record ends first.
pub(crate) fn pass(recorded: &[String], known: &mut usize, state: &State) -> Result<bool, ReplayError> {
    for event in events(state, *known) {
        match recorded.get(*known) {
            Some(line) if same_text(line, &event) || same_action(state, line, &event) => *known += 1,
            Some(line) => {
                let (number, recorded) = (*known + 1, line.clone());
                return Err(ReplayError::Seed { number, recorded, drawn: event });
            }
            None => return Ok(false),
        }
    }
    Ok(true)
}

/// Returns the outcome of the pending chance event that is recorded.
pub(crate) fn recorded_outcome(state: &State, number: usize, event: &str) -> Result<u64, ReplayError> {
    find_outcome(state, event).map_err(|possible| {
        let event = event.to_owned();
        ReplayError::Event { number, event, chooser: None, possible }
    })
}

/// Returns the legal action that is recorded.
pub(crate) fn recorded_action(state: &State, number: usize, event: &str) -> Result<ActionId, ReplayError> {
    let action = state.game().parse_action(event).filter(|action| state.is_legal(*action));
    action.ok_or_else(|| illegal(state, number, event))
}

/// Returns why a recorded event was not applied.
pub(crate) fn not_taken(state: &State, number: usize, event: &str, error: ApplyError) -> ReplayError {
    match error {
        ApplyError::Runtime(error) => ReplayError::Runtime { number, error },
        _ => illegal(state, number, event),
    }
}

/// Returns `true` if two texts name the same action: a face of dice goes by its name and by its number.
fn same_action(state: &State, a: &str, b: &str) -> bool {
    let action = state.game().parse_action(a);
    action.is_some() && action == state.game().parse_action(b)
}

/// Compares two texts; ignores spaces and case.
fn same_text(a: &str, b: &str) -> bool {
    let mut pairs = a.split_whitespace().zip(b.split_whitespace());
    a.split_whitespace().count() == b.split_whitespace().count()
        && pairs.all(|(a, b)| a.eq_ignore_ascii_case(b))
}

/// Returns the error for an event that is no legal action.
fn illegal(state: &State, number: usize, event: &str) -> ReplayError {
    let game = state.game();
    let name = |player: Seat| game.model().players.names.get(player.0 as usize).cloned();
    ReplayError::Event {
        number,
        event: event.to_owned(),
        chooser: Some(state.current_player().and_then(name).unwrap_or_else(|| "anybody".to_owned())),
        possible: state.legal_actions().into_iter().map(|action| game.action_name(action)).collect(),
    }
}

fn same_game(game: &Game, record: &Record) -> Result<(), ReplayError> {
    let same = |what, recorded: String, here: String| {
        if recorded == here { Ok(()) } else { Err(ReplayError::Other { what, recorded, here }) }
    };
    if !(1..=VERSION).contains(&record.houserule) {
        same("format version", record.houserule.to_string(), VERSION.to_string())?;
    }
    same("number of players", record.players.to_string(), game.players().to_string())?;
    for (name, value) in params_json(game.model()).0 {
        let recorded = record.params.get(&name).map_or_else(|| "missing".to_owned(), Json::to_string);
        same("value of a param", format!("{name} = {recorded}"), format!("{name} = {value}"))?;
    }
    let here = params_json(game.model());
    if let Some((name, value)) = record.params.0.iter().find(|(name, _)| here.get(name).is_none()) {
        same("value of a param", format!("{name} = {value}"), format!("{name} = missing"))?;
    }
    let identity = game.identity();
    match identity.has_rules(&record.rules_sha256) {
        true => Ok(()),
        false => same("fingerprint of the rules", record.rules_sha256.clone(), identity.rules_sha256.clone()),
    }
}

/// Returns the outcome of the pending chance event with the text `event`, or the texts of the possible
/// outcomes.
pub fn find_outcome(state: &State, event: &str) -> Result<u64, Vec<String>> {
    let written = |outcome: u64| state.chance_event(outcome).map(|event| event_text(state.game(), &event));
    // Several dice have thousands of outcomes: the faces in the text tell which to test first.
    if let Some(outcome) = outcome_of_faces(state, event)
        && written(outcome).is_some_and(|name| same_text(&name, event))
    {
        return Ok(outcome);
    }
    let mut possible = Vec::new();
    for (outcome, _) in state.distinct_outcomes().take(MOST_OUTCOMES) {
        let Some(name) = written(outcome) else { continue };
        if same_text(&name, event) {
            return Ok(outcome);
        }
        possible.push(name);
    }
    Err(possible)
}

/// Returns the outcome of a pending roll with the faces at the end of a text.
fn outcome_of_faces(state: &State, event: &str) -> Option<u64> {
    let (dice, _) = state.pending_dice()?;
    let words: Vec<&str> = event.split_whitespace().collect();
    let first = words.len().checked_sub(dice as usize)?;
    let face = |word: &&str| word.rsplit(':').next()?.parse().ok();
    state.outcome_of_faces(&words[first..].iter().map(face).collect::<Option<Vec<u64>>>()?)
}

/// Formats how a game ended, for a message.
pub(crate) fn end_text(ended: Option<&GameEnd>) -> String {
    match ended {
        None => "a game under way".to_owned(),
        Some(ended) => {
            let seats: Vec<String> = ended.winners.iter().map(|seat| seat.0.to_string()).collect();
            format!("`{}`, winners [{}]", ended.end, seats.join(", "))
        }
    }
}

fn same_result(state: &State, record: &Record) -> Result<(), ReplayError> {
    let same = |what: &str, recorded: String, played: String| {
        if recorded == played {
            Ok(())
        } else {
            Err(ReplayError::Result { what: what.to_owned(), recorded, played })
        }
    };
    let number = record.events.len();
    let score = state.score_of_each().map_err(|error| ReplayError::Runtime { number, error })?;
    same("the score", format!("{:?}", record.score), format!("{score:?}"))?;
    if let Some(outcome) = &record.outcome {
        let played = GameEnd::from_state(state);
        if *outcome != played {
            same("the outcome", end_text(outcome.as_ref()), end_text(played.as_ref()))?;
        }
    }
    same("the list of returns", format!("{:?}", record.returns), format!("{:?}", state.returns()))?;
    let here = variables_json(state);
    if let Some((name, value)) = record.variables.0.iter().find(|(name, _)| here.get(name).is_none()) {
        same(&format!("`{name}`"), value.to_string(), "no variable of that name".to_owned())?;
    }
    for (name, value) in here.0 {
        let recorded = record.variables.get(&name).map_or_else(|| "missing".to_owned(), Json::to_string);
        same(&format!("`{name}`"), recorded, value.to_string())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_and_case_do_not_matter() {
        assert!(same_text(" roll  pair 3 5", "Roll pair 3 5 "));
        assert!(!same_text("roll pair 3 5", "roll pair 35"));
    }

    #[test]
    fn errors_say_what_was_possible() {
        let error = ReplayError::Event {
            number: 5,
            event: "place c9".into(),
            chooser: Some("X".into()),
            possible: vec!["place c5".into(), "place e3".into()],
        };
        let text = "event 5, `place c9`, is not legal for X; did you mean `place c5`? Possible: `place c5`, `place e3`";
        assert_eq!(error.to_string(), text);
        let untold = error.untold().to_string();
        assert!(untold.starts_with("event 5 is not legal for X (") && !untold.contains("place"), "{untold}");
    }
}
