//! Journals: a game under way, written down with one line for each event, so that an interrupted game can go
//! on. Text in, text out; independent of files and agents.
//!
//! Each line is JSON. The first is a [`JournalHeader`]: what a record says about a game before it begins. The others
//! are:
//!
//! | line | what happened |
//! | --- | --- |
//! | `"place c5"`, `"roll pair 3 5"` | an event, in the notation of records |
//! | `{"undo": 3}` | the last three events were taken back; `rolls` has those that were rolled by hand |
//! | `{"next_game": 2}` | the next game of the match began |
//! | `{"rules_sha256": …, "params": …}` | from here on, these rules hold |
//! | `{"over": {"outcome": …, "score": …, "returns": …}}` | the game is over |
//! | `{"match_over": [5, 3]}` | the match is over, with these totals |
//!
//! An incomplete last line is ignored.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::record::{
    GameEnd, ReplayError, end_text, events, not_taken, pass, recorded_action, recorded_outcome,
};
use crate::matches::Match;
use crate::ordered::Ordered;
use crate::values::params_json;
use crate::{ActionId, ApplyError, Event, Game, RuntimeError, Start, State};
use houserule_base::rng::Stream;

/// The format version. Version 1, which can still be read, lacks the end that decided and the winners.
pub const VERSION: u32 = 2;

/// The source of dice rolls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DiceSource {
    /// The seed.
    Seed,
    /// The table: dice are rolled by hand.
    Hand,
}

/// The first line: the game and how it began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "struct Head")]
pub struct JournalHeader {
    /// The format version of records, whose notation events have.
    pub houserule: u32,
    /// The format version of the journal.
    pub journal: u32,
    /// The name by which the game can be loaded again.
    pub game: String,
    /// The working directory, if the name is a path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// The SHA-256 of the rules.
    pub rules_sha256: String,
    /// The params and their values.
    pub params: Ordered<Json>,
    /// Number of players.
    pub players: u32,
    /// The agent of each seat, or `you`.
    pub agents: Vec<String>,
    /// The seed of the dice and of the agents.
    pub seed: u64,
    /// The index of the game in the run; for a match, of the match.
    pub index: u64,
    /// The source of dice rolls.
    pub dice: DiceSource,
    /// `true` if a whole match is played.
    #[serde(rename = "match")]
    pub match_play: bool,
}

impl JournalHeader {
    /// Creates the head of a single game with dice from the seed, to be changed as needed. `agents` has the agent
    /// of each seat, or `you`.
    pub fn new(game: &Game, agents: Vec<String>, seed: u64) -> JournalHeader {
        JournalHeader {
            houserule: super::record::VERSION,
            journal: VERSION,
            game: game.identity().name.clone(),
            folder: None,
            rules_sha256: game.identity().rules_sha256.clone(),
            params: params_json(game.model()),
            players: game.players(),
            agents,
            seed,
            index: 0,
            dice: DiceSource::Seed,
            match_play: false,
        }
    }

    /// Returns how a single game starts.
    pub fn start(&self) -> Start {
        Start { seed: self.seed, index: self.index, explicit_chance: true, ..Start::default() }
    }
}

/// The outcome, scores and returns of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Over {
    /// The end that decided and the winners; `None` in journals of version 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<GameEnd>,
    /// The score of each seat.
    pub score: Vec<i64>,
    /// The returns of each seat.
    pub returns: Vec<f64>,
}

impl Over {
    /// Returns the outcome, scores and returns of a state.
    pub fn from_state(state: &State) -> Result<Over, RuntimeError> {
        Ok(Over {
            outcome: GameEnd::from_state(state),
            score: state.score_of_each()?,
            returns: state.returns(),
        })
    }
}

/// A line after the first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum JournalLine {
    /// A decision or a chance event.
    Event(String),
    /// The last events were taken back.
    Undo {
        /// Number of events.
        undo: usize,
        /// Those that were rolled by hand, by index among the game's chance events, from 0. They are offered
        /// again.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        rolls: Vec<(usize, String)>,
    },
    /// The next game of the match.
    Next {
        /// Its number, from 1.
        next_game: usize,
    },
    /// From here on, other rules hold.
    Rules {
        /// Their SHA-256.
        rules_sha256: String,
        /// Their params.
        params: Ordered<Json>,
    },
    /// The game is over.
    Over {
        /// Its outcome, scores and returns.
        over: Over,
    },
    /// The match is over.
    MatchOver {
        /// The totals of the seats.
        match_over: Vec<i64>,
    },
}

/// Formats the head or a later line, including the line break.
pub fn written(line: &impl Serialize) -> String {
    // Lines have string keys and no numbers that JSON lacks.
    serde_json::to_string(line).unwrap_or_default() + "\n"
}

/// The contents of a journal.
#[derive(Clone, Debug, PartialEq)]
pub struct Journal {
    /// The head, with the rules that held last.
    pub head: JournalHeader,
    /// The events of each game of the match, the one under way last. A single game is the only entry.
    pub games: Vec<Vec<String>>,
    /// Undone rolls by hand of the last game, by index among its chance events.
    pub rolls: BTreeMap<usize, String>,
    /// The outcome, scores and returns of each game that is over.
    pub over: Vec<Option<Over>>,
    /// `true` if the match is over.
    pub match_over: bool,
}

impl Journal {
    /// Creates the journal of a game that has not begun.
    pub fn new(head: JournalHeader) -> Journal {
        Journal { head, games: vec![vec![]], rolls: BTreeMap::new(), over: vec![None], match_over: false }
    }

    /// Returns `true` if a text begins like a journal.
    pub fn is_one(text: &str) -> bool {
        let first = text.lines().next().unwrap_or("");
        serde_json::from_str::<Json>(first).is_ok_and(|head| head.get("journal").is_some())
    }

    /// Reads a journal. Also returns the length of its complete lines, in bytes. An incomplete last line is
    /// ignored; an error names its line.
    pub fn read(text: &str) -> Result<(Journal, usize), String> {
        let mut lines = text.split_inclusive('\n');
        let first = lines.next().filter(|line| line.ends_with('\n')).ok_or("the journal is empty")?;
        let head: JournalHeader = serde_json::from_str(first)
            .map_err(|error| format!("line 1 is no head of a journal: {error}"))?;
        if !(1..=VERSION).contains(&head.journal) {
            return Err(format!(
                "the journal has format version {}, and this program reads versions 1 to {VERSION}",
                head.journal
            ));
        }
        let mut journal = Journal::new(head);
        let mut whole = first.len();
        let mut lines = lines.zip(2..).peekable();
        while let Some((line, number)) = lines.next() {
            // After a power failure, the last write may consist of zeros.
            let torn = lines.peek().is_none() && (!line.ends_with('\n') || line.contains('\0'));
            if torn {
                break;
            }
            let read = serde_json::from_str::<JournalLine>(line)
                .map_err(|_| format!("line {number} is no line of a journal: {}", line.trim_end()))?;
            journal.take(read).map_err(|message| format!("line {number}: {message}"))?;
            whole += line.len();
        }
        Ok((journal, whole))
    }

    /// Applies the next line.
    fn take(&mut self, line: JournalLine) -> Result<(), String> {
        let (Some(events), Some(over)) = (self.games.last_mut(), self.over.last_mut()) else {
            return Err("there is no game".to_owned());
        };
        match line {
            JournalLine::Event(event) => events.push(event),
            JournalLine::Undo { undo, rolls } => {
                let left = events.len().checked_sub(undo).ok_or("more is taken back than happened")?;
                events.truncate(left);
                self.rolls.extend(rolls);
                (*over, self.match_over) = (None, false);
            }
            JournalLine::Next { next_game } => {
                if next_game != self.games.len() + 1 {
                    return Err(format!("game {next_game} can't follow game {}", self.games.len()));
                }
                self.games.push(vec![]);
                self.over.push(None);
                self.rolls.clear();
            }
            JournalLine::Rules { rules_sha256, params } => {
                (self.head.rules_sha256, self.head.params) = (rules_sha256, params);
            }
            JournalLine::Over { over: result } => *over = Some(result),
            JournalLine::MatchOver { .. } => self.match_over = true,
        }
        Ok(())
    }

    /// Returns `true` if nothing is left to play.
    pub fn is_over(&self) -> bool {
        self.match_over || (!self.head.match_play && self.over.last().is_some_and(Option::is_some))
    }

    /// Returns the number of events.
    pub fn events(&self) -> usize {
        self.games.iter().map(Vec::len).sum()
    }

    /// Returns `true` if the rules and params are those of `game`.
    pub fn same_rules(&self, game: &Game) -> bool {
        game.identity().has_rules(&self.head.rules_sha256) && self.head.params == params_json(game.model())
    }
}

/// A game under way with explicit chance events: drawn one by one from the seed as a simulation draws them,
/// or rolled by hand.
#[derive(Clone, Debug)]
pub struct GameInProgress {
    state: State,
    stream: Option<Stream>,
}

impl GameInProgress {
    /// Starts a game and runs to its first decision or chance event.
    pub fn begin(
        game: &Game,
        start: &Start,
        previous: Option<&State>,
        dice: DiceSource,
    ) -> Result<GameInProgress, RuntimeError> {
        let start = Start { explicit_chance: true, ..start.clone() };
        let state = match previous {
            Some(previous) => game.start_after(previous, &start)?,
            None => game.start_at(&start)?,
        };
        let stream = (dice == DiceSource::Seed).then(|| Stream::new(start.seed, start.index, 0));
        let mut played = GameInProgress { state, stream };
        if played.stream.is_some() {
            // As in a simulation, draws under a condition use rejection sampling.
            played.state.draw_freely();
        }
        Ok(played)
    }

    /// Returns the present state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Draws an outcome of the pending chance event from the seed. Returns `None` if dice are rolled by hand.
    /// Each call advances the stream, so the outcome must be applied.
    pub fn draw(&mut self) -> Option<u64> {
        self.stream.as_mut().map(|stream| self.state.draw_outcome(stream))
    }

    /// Draws the pending and the following chance events from the seed, up to the next decision or the end.
    /// Returns the new events, or `None` if dice are rolled by hand. After an error nothing has changed.
    pub fn draw_to_decision(&mut self) -> Result<Option<Vec<String>>, ApplyError> {
        let Some(mut stream) = self.stream else { return Ok(None) };
        let known = self.state.history().len();
        let mut next = self.state.clone();
        while next.is_chance() {
            let outcome = next.draw_outcome(&mut stream);
            next.apply_outcome(outcome)?;
        }
        (self.state, self.stream) = (next, Some(stream));
        Ok(Some(events(&self.state, known)))
    }

    /// Applies an action and returns the new events. After an error nothing has changed.
    pub fn act(&mut self, action: ActionId) -> Result<Vec<String>, ApplyError> {
        self.step(|state| state.apply(action))
    }

    /// Applies an outcome of the pending chance event and returns the new events. After an error nothing has
    /// changed.
    pub fn settle(&mut self, outcome: u64) -> Result<Vec<String>, ApplyError> {
        self.step(|state| state.apply_outcome(outcome))
    }

    /// Applies a change. Returns its event and those that followed by themselves.
    fn step(
        &mut self,
        does: impl FnOnce(&mut State) -> Result<(), ApplyError>,
    ) -> Result<Vec<String>, ApplyError> {
        let known = self.state.history().len();
        let mut next = self.state.clone();
        does(&mut next)?;
        if let Some(stream) = &mut self.stream {
            draw_on(&mut next, stream)?;
        }
        self.state = next;
        Ok(events(&self.state, known))
    }

    /// Returns all events so far.
    pub fn events(&self) -> Vec<String> {
        self.events_from(0)
    }

    /// Returns the events from an index on.
    pub fn events_from(&self, index: usize) -> Vec<String> {
        events(&self.state, index)
    }

    /// Draws chance from another seed from here on, unless dice are rolled by hand.
    pub fn draw_from(&mut self, seed: u64) {
        let index = self.state.started().index;
        self.stream = self.stream.as_ref().map(|_| Stream::new(seed, index, 0));
    }

    /// Returns the number of chance events so far.
    pub fn rolls(&self) -> usize {
        self.state.history().iter().filter(|event| !matches!(event, Event::Action { .. })).count()
    }

    /// Applies recorded events. Calls `shown` with every state at which a recorded event is due.
    pub fn follow(&mut self, recorded: &[String], mut shown: impl FnMut(&State)) -> Result<(), ReplayError> {
        self.follow_dice(recorded, true, &mut |played| shown(played.state()))
    }

    /// Like [`GameInProgress::follow`], but the recorded dice hold if the seed gives others.
    pub fn follow_as_recorded(
        &mut self,
        recorded: &[String],
        mut shown: impl FnMut(&GameInProgress),
    ) -> Result<(), ReplayError> {
        self.follow_dice(recorded, false, &mut shown)
    }

    fn follow_dice(
        &mut self,
        recorded: &[String],
        as_drawn: bool,
        shown: &mut dyn FnMut(&GameInProgress),
    ) -> Result<(), ReplayError> {
        let mut known = 0;
        loop {
            if !pass(recorded, &mut known, &self.state)? {
                return Ok(());
            }
            let Some(event) = recorded.get(known) else { return Ok(()) };
            let number = known + 1;
            if self.state.is_over() {
                return Err(ReplayError::AfterEnd { number, event: event.clone() });
            }
            shown(self);
            let done = if let (true, Some(stream)) = (self.state.is_under_condition(), &mut self.stream) {
                draw_on(&mut self.state, stream)
            } else if self.state.is_chance() {
                let outcome = recorded_outcome(&self.state, number, event)?;
                // Equal copies are several outcomes and one event.
                let known = self.state.chance_event(outcome);
                let drawn = self.draw().filter(|drawn| self.state.chance_event(*drawn) != known);
                match drawn.filter(|_| as_drawn) {
                    Some(drawn) => return Err(self.drawn_otherwise(number, event, drawn)),
                    None => self.state.apply_outcome(outcome),
                }
            } else {
                let action = recorded_action(&self.state, number, event)?;
                self.state.apply(action)
            };
            done.map_err(|error| not_taken(&self.state, number, event, error))?;
        }
    }

    fn drawn_otherwise(&self, number: usize, event: &str, drawn: u64) -> ReplayError {
        let drawn = self.state.chance_event(drawn);
        let drawn = drawn.map(|event| crate::values::event_text(self.state.game(), &event));
        ReplayError::Seed { number, recorded: event.to_owned(), drawn: drawn.unwrap_or_default() }
    }
}

/// Draws until the condition of a block holds. Rejected draws leave no event.
fn draw_on(state: &mut State, stream: &mut Stream) -> Result<(), ApplyError> {
    while state.is_under_condition() {
        let outcome = state.draw_outcome(stream);
        state.apply_outcome(outcome)?;
    }
    Ok(())
}

/// A replayed journal.
#[derive(Clone, Debug)]
pub struct Resumed {
    /// The last game.
    pub played: GameInProgress,
    /// The match, with the scores of all games before the last.
    pub in_match: Option<Match>,
    /// The games before the last, as they ended.
    pub before: Vec<State>,
}

/// Replays a journal to its end. For what `shown` gets of the last game, see [`GameInProgress::follow`].
pub fn resume(game: &Game, journal: &Journal, mut shown: impl FnMut(&State)) -> Result<Resumed, ReplayError> {
    let head = &journal.head;
    let failed = |error| ReplayError::Runtime { number: 0, error };
    let mut in_match = match head.match_play {
        true => Some(Match::new(game, head.seed, head.index).ok_or(ReplayError::NoMatch)?),
        false => None,
    };
    let (mut last, mut before) = (None::<GameInProgress>, Vec::new());
    for (number, events) in journal.games.iter().enumerate() {
        let start = in_match.as_ref().map_or_else(|| head.start(), Match::next_start);
        let previous = in_match.as_ref().and_then(Match::previous);
        let mut played = GameInProgress::begin(game, &start, previous, head.dice).map_err(failed)?;
        let under_way = number + 1 == journal.games.len();
        let mut set_up = false;
        played.follow(events, |state| {
            if let (Some(one), false, false) = (&mut in_match, set_up, state.is_chance()) {
                one.begun(state);
                set_up = true;
            }
            if under_way {
                shown(state);
            }
        })?;
        if let Some(Some(over)) = journal.over.get(number) {
            same_result(&played.state, over, events.len())?;
        }
        if let (Some(one), false) = (&mut in_match, under_way) {
            one.enter(&played.state).map_err(failed)?;
        }
        before.extend(last.replace(played).map(|played| played.state));
    }
    let played = match last {
        Some(played) => played,
        None => GameInProgress::begin(game, &head.start(), None, head.dice).map_err(failed)?,
    };
    Ok(Resumed { played, in_match, before })
}

fn same_result(state: &State, over: &Over, number: usize) -> Result<(), ReplayError> {
    let here = Over::from_state(state).map_err(|error| ReplayError::Runtime { number, error })?;
    let differs = |what: &str, recorded: String, played: String| {
        Err(ReplayError::Result { what: what.to_owned(), recorded, played })
    };
    if over.outcome.is_some() && here.outcome != over.outcome {
        return differs("the outcome", end_text(over.outcome.as_ref()), end_text(here.outcome.as_ref()));
    }
    if here.score != over.score {
        return differs("the score", format!("{:?}", over.score), format!("{:?}", here.score));
    }
    if here.returns != over.returns {
        return differs("the list of returns", format!("{:?}", over.returns), format!("{:?}", here.returns));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = r#"{"houserule":1,"journal":1,"game":"g","rules_sha256":"ab","params":{"size":6},"players":1,"agents":["you"],"seed":7,"index":0,"dice":"hand","match":true}"#;

    fn read(lines: &str) -> Result<(Journal, usize), String> {
        Journal::read(&format!("{HEAD}\n{lines}"))
    }

    #[test]
    fn heads_and_lines_are_read_as_they_are_written() {
        let (journal, whole) = read("").unwrap();
        assert_eq!((written(&journal.head), whole), (format!("{HEAD}\n"), HEAD.len() + 1));
        for line in [
            r#""place c5""#,
            r#"{"undo":2}"#,
            r#"{"undo":2,"rolls":[[0,"roll pair 3 5"]]}"#,
            r#"{"next_game":2}"#,
            r#"{"rules_sha256":"cd","params":{"size":8}}"#,
            r#"{"over":{"score":[3],"returns":[0.0]}}"#,
            r#"{"over":{"outcome":{"end":"full","winners":[0,1]},"score":[3,3],"returns":[0.0,0.0]}}"#,
            r#"{"over":{"outcome":{"end":"over","winners":[]},"score":[3],"returns":[0.0]}}"#,
            r#"{"match_over":[3,5]}"#,
        ] {
            let read: JournalLine = serde_json::from_str(line).unwrap();
            assert_eq!(written(&read).trim_end(), line, "{read:?}");
        }
    }

    #[test]
    fn a_torn_last_line_is_not_there() {
        let whole = "\"roll pair 3 5\"\n\"place c5\"\n";
        for torn in ["", "\"ro", "\"roll pair 3 5\"", "{\"undo\"", "\"place\0\0\0\n"] {
            let (journal, bytes) = read(&format!("{whole}{torn}")).unwrap();
            assert_eq!(journal.games, [["roll pair 3 5", "place c5"]], "{torn:?}");
            assert_eq!(bytes, HEAD.len() + 1 + whole.len());
        }
        for wrong in
            ["\"roll\n", "{\"undo\":1,\"rols\":[]}\n", "{\"over\":{\"scores\":[1],\"returns\":[0.0]}}\n"]
        {
            for behind in ["", "\"place c5\"\n"] {
                let error = read(&format!("{wrong}{behind}")).unwrap_err();
                assert!(error.starts_with("line 2 is no line of a journal"), "{error}");
            }
        }
    }

    #[test]
    fn what_is_undone_is_not_there_and_its_rolls_are_offered() {
        let lines = "\"a\"\n\"roll 3\"\n\"b\"\n{\"undo\":2,\"rolls\":[[0,\"roll 3\"]]}\n\"c\"\n";
        let (journal, _) = read(lines).unwrap();
        assert_eq!(journal.games, [["a", "c"]]);
        assert_eq!(journal.rolls.get(&0).map(String::as_str), Some("roll 3"));
        let (journal, _) = read(&format!("{lines}{{\"next_game\":2}}\n")).unwrap();
        assert_eq!((journal.games.len(), journal.events(), journal.rolls.len()), (2, 2, 0));
        assert_eq!(read("{\"undo\":1}\n").unwrap_err(), "line 2: more is taken back than happened");
        assert_eq!(read("{\"next_game\":3}\n").unwrap_err(), "line 2: game 3 can't follow game 1");
    }
}
