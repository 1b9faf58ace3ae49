//! Journals: a game as it is being played, a line for everything that happens, so that a game that is
//! cut short goes on where it was. Text in, text out; knows nothing of files or of who plays.
//!
//! Each line is JSON. The first is a [`Head`]: what a record says of a game before it begins. Then
//!
//! | line | what happened |
//! | --- | --- |
//! | `"place c5"`, `"roll pair 3 5"` | an event, in the notation of records |
//! | `{"undo": 3}` | the last three events were taken back; `rolls` has those that were rolled by hand |
//! | `{"next_game": 2}` | the next game of the match began |
//! | `{"rules_sha256": …, "params": …}` | from here on these rules held |
//! | `{"over": {"outcome": …, "score": …, "returns": …}}` | the game is over |
//! | `{"match_over": [5, 3]}` | and with it the match, with these totals |
//!
//! A last line that was not written to its end is as if it were not there.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::matches::Match;
use super::ordered::Ordered;
use super::record::{Ended, ReplayError, events, not_taken, pass, recorded_action, recorded_outcome, told};
use super::values::params_json;
use super::{ActionId, ApplyError, Event, Game, RuntimeError, Start, State};
use crate::rng::Stream;

/// The version of the form. Form 1, which is still read, does not say which end decided and who won.
pub const VERSION: u32 = 2;

/// Where dice come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dice {
    /// From the seed.
    Seed,
    /// From the table, by hand.
    Hand,
}

/// The first line: which game, and how it began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// The version of records, whose notation events have.
    pub houserule: u32,
    /// The version of this form.
    pub journal: u32,
    /// The game, as it can be loaded again.
    pub game: String,
    /// From where, if its name is a path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// The rules' fingerprint.
    pub rules_sha256: String,
    /// The params with their values.
    pub params: Ordered<Json>,
    /// How many play.
    pub players: u32,
    /// Who plays each seat: `you`, or an agent.
    pub agents: Vec<String>,
    /// The seed of the dice and of the agents.
    pub seed: u64,
    /// The game of the run; of a match, the match.
    pub index: u64,
    /// Where dice come from.
    pub dice: Dice,
    /// A whole match is played.
    #[serde(rename = "match")]
    pub match_play: bool,
}

impl Head {
    /// How a single game begins.
    pub fn start(&self) -> Start {
        Start { seed: self.seed, index: self.index, explicit_chance: true, ..Start::default() }
    }
}

/// How a game came out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Over {
    /// Which end decided, and who won; journals of form 1 do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Ended>,
    /// The score of each seat.
    pub score: Vec<i64>,
    /// What the game returns to each seat.
    pub returns: Vec<f64>,
}

impl Over {
    /// Of a state.
    pub fn of(state: &State) -> Result<Over, RuntimeError> {
        Ok(Over { outcome: Ended::of(state), score: state.score_of_each()?, returns: state.returns() })
    }
}

/// A line after the first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Line {
    /// A decision or a chance event.
    Event(String),
    /// The last events were taken back.
    Undo {
        /// How many.
        undo: usize,
        /// Those that were rolled by hand, by their number among the game's chance events from 0: they
        /// are offered again.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        rolls: Vec<(usize, String)>,
    },
    /// The next game of the match.
    Next {
        /// Its number, from 1.
        next_game: usize,
    },
    /// From here on other rules hold.
    Rules {
        /// Their fingerprint.
        rules_sha256: String,
        /// Their params.
        params: Ordered<Json>,
    },
    /// The game is over.
    Over {
        /// How it came out.
        over: Over,
    },
    /// The match is over.
    MatchOver {
        /// The totals of the seats.
        match_over: Vec<i64>,
    },
}

/// A head or a later line as it is written, with its end.
pub fn written(line: &impl Serialize) -> String {
    // What is written here has text for keys and no numbers that JSON lacks.
    serde_json::to_string(line).unwrap_or_default() + "\n"
}

/// What a journal says.
#[derive(Clone, Debug, PartialEq)]
pub struct Journal {
    /// Which game. The rules are those that held last.
    pub head: Head,
    /// The events of each game of the match, the last one under way; of a single game, of that.
    pub games: Vec<Vec<String>>,
    /// Rolls by hand of the last game that were taken back, by their number among its chance events.
    pub rolls: BTreeMap<usize, String>,
    /// How each game came out, as far as they are over.
    pub over: Vec<Option<Over>>,
    /// The match is over.
    pub match_over: bool,
}

impl Journal {
    /// Of a game that has not begun.
    pub fn new(head: Head) -> Journal {
        Journal { head, games: vec![vec![]], rolls: BTreeMap::new(), over: vec![None], match_over: false }
    }

    /// Does a text begin like a journal?
    pub fn is_one(text: &str) -> bool {
        let first = text.lines().next().unwrap_or("");
        serde_json::from_str::<Json>(first).is_ok_and(|head| head.get("journal").is_some())
    }

    /// Reads a journal. Returns with it how many bytes of the text are whole lines; what is wrong with
    /// any but the last line is an error that names the line.
    pub fn read(text: &str) -> Result<(Journal, usize), String> {
        let mut lines = text.split_inclusive('\n');
        let first = lines.next().filter(|line| line.ends_with('\n')).ok_or("the journal is empty")?;
        let head: Head = serde_json::from_str(first)
            .map_err(|error| format!("line 1 is no head of a journal: {error}"))?;
        if !(1..=VERSION).contains(&head.journal) {
            return Err(format!(
                "the journal has form {}, and this program reads forms 1 to {VERSION}",
                head.journal
            ));
        }
        let mut journal = Journal::new(head);
        let mut whole = first.len();
        let mut lines = lines.zip(2..).peekable();
        while let Some((line, number)) = lines.next() {
            // A disk that lost power may have left zeros in the place of what was written last.
            let torn = lines.peek().is_none() && (!line.ends_with('\n') || line.contains('\0'));
            if torn {
                break;
            }
            let read = serde_json::from_str::<Line>(line)
                .map_err(|_| format!("line {number} is no line of a journal: {}", line.trim_end()))?;
            journal.take(read).map_err(|message| format!("line {number}: {message}"))?;
            whole += line.len();
        }
        Ok((journal, whole))
    }

    /// Takes in the next line.
    fn take(&mut self, line: Line) -> Result<(), String> {
        let (Some(events), Some(over)) = (self.games.last_mut(), self.over.last_mut()) else {
            return Err("there is no game".to_owned());
        };
        match line {
            Line::Event(event) => events.push(event),
            Line::Undo { undo, rolls } => {
                let left = events.len().checked_sub(undo).ok_or("more is taken back than happened")?;
                events.truncate(left);
                self.rolls.extend(rolls);
                (*over, self.match_over) = (None, false);
            }
            Line::Next { next_game } => {
                if next_game != self.games.len() + 1 {
                    return Err(format!("game {next_game} can't follow game {}", self.games.len()));
                }
                self.games.push(vec![]);
                self.over.push(None);
                self.rolls.clear();
            }
            Line::Rules { rules_sha256, params } => {
                (self.head.rules_sha256, self.head.params) = (rules_sha256, params);
            }
            Line::Over { over: result } => *over = Some(result),
            Line::MatchOver { .. } => self.match_over = true,
        }
        Ok(())
    }

    /// Is there nothing left to play?
    pub fn is_over(&self) -> bool {
        self.match_over || (!self.head.match_play && self.over.last().is_some_and(Option::is_some))
    }

    /// How many events there are.
    pub fn events(&self) -> usize {
        self.games.iter().map(Vec::len).sum()
    }

    /// Is it of these rules?
    pub fn same_rules(&self, game: &Game) -> bool {
        self.head.rules_sha256 == game.identity().rules_sha256
            && self.head.params == params_json(game.model())
    }
}

/// A game under way, whose chance events are told apart: drawn one by one from the seed as a
/// simulation draws them, or rolled by hand.
#[derive(Clone, Debug)]
pub struct Played {
    state: State,
    stream: Option<Stream>,
}

impl Played {
    /// A game at its first decision or chance event.
    pub fn begin(
        game: &Game,
        start: &Start,
        previous: Option<&State>,
        dice: Dice,
    ) -> Result<Played, RuntimeError> {
        let start = Start { explicit_chance: true, ..start.clone() };
        let state = match previous {
            Some(previous) => game.start_after(previous, &start)?,
            None => game.start_at(&start)?,
        };
        let stream = (dice == Dice::Seed).then(|| Stream::new(start.seed, start.index, 0));
        let mut played = Played { state, stream };
        if played.stream.is_some() {
            // As a simulation draws: what does not hold is drawn anew.
            played.state.draw_freely();
        }
        Ok(played)
    }

    /// Where the game stands.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// How the pending chance event comes out by the seed; none if it is rolled by hand. Each call
    /// draws: what is drawn has to be applied.
    pub fn draw(&mut self) -> Option<u64> {
        self.stream.as_mut().map(|stream| self.state.draw_outcome(stream))
    }

    /// Draws the pending chance event and those that follow it from the seed, up to the next decision or
    /// the end. None if dice are rolled by hand. After an error nothing has changed.
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

    /// Takes an action. After an error nothing has changed.
    pub fn act(&mut self, action: ActionId) -> Result<Vec<String>, ApplyError> {
        self.step(|state| state.apply(action))
    }

    /// Lets the pending chance event come out in one way. After an error nothing has changed.
    pub fn settle(&mut self, outcome: u64) -> Result<Vec<String>, ApplyError> {
        self.step(|state| state.apply_outcome(outcome))
    }

    /// Does something, and says what came of it: it, and what followed by itself.
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

    /// All events so far.
    pub fn events(&self) -> Vec<String> {
        events(&self.state, 0)
    }

    /// How many chance events there were.
    pub fn rolls(&self) -> usize {
        self.state.history().iter().filter(|event| !matches!(event, Event::Action { .. })).count()
    }

    /// Plays events. Each state at which something is to happen is shown.
    pub fn follow(&mut self, recorded: &[String], mut shown: impl FnMut(&State)) -> Result<(), ReplayError> {
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
            shown(&self.state);
            let done = if let (true, Some(stream)) = (self.state.is_under_condition(), &mut self.stream) {
                draw_on(&mut self.state, stream)
            } else if self.state.is_chance() {
                let outcome = recorded_outcome(&self.state, number, event)?;
                match self.draw().filter(|drawn| *drawn != outcome) {
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
        let drawn = drawn.map(|event| super::values::event_text(self.state.game(), &event));
        ReplayError::Seed { number, recorded: event.to_owned(), drawn: drawn.unwrap_or_default() }
    }
}

/// Draws on until a condition holds: what was drawn in vain is no event.
fn draw_on(state: &mut State, stream: &mut Stream) -> Result<(), ApplyError> {
    while state.is_under_condition() {
        let outcome = state.draw_outcome(stream);
        state.apply_outcome(outcome)?;
    }
    Ok(())
}

/// A journal played again.
#[derive(Clone, Debug)]
pub struct Resumed {
    /// The last game.
    pub played: Played,
    /// The match, with all games before it entered.
    pub in_match: Option<Match>,
    /// Those games, as they ended.
    pub before: Vec<State>,
}

/// Plays a journal again, up to where it stops. What the last game shows, see [`Played::follow`].
pub fn resume(game: &Game, journal: &Journal, mut shown: impl FnMut(&State)) -> Result<Resumed, ReplayError> {
    let head = &journal.head;
    let failed = |error| ReplayError::Runtime { number: 0, error };
    let mut in_match = match head.match_play {
        true => Some(Match::new(game, head.seed, head.index).ok_or(ReplayError::NoMatch)?),
        false => None,
    };
    let (mut last, mut before) = (None::<Played>, Vec::new());
    for (number, events) in journal.games.iter().enumerate() {
        let start = in_match.as_ref().map_or_else(|| head.start(), Match::next_start);
        let previous = in_match.as_ref().and_then(Match::previous);
        let mut played = Played::begin(game, &start, previous, head.dice).map_err(failed)?;
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
        None => Played::begin(game, &head.start(), None, head.dice).map_err(failed)?,
    };
    Ok(Resumed { played, in_match, before })
}

fn same_result(state: &State, over: &Over, number: usize) -> Result<(), ReplayError> {
    let here = Over::of(state).map_err(|error| ReplayError::Runtime { number, error })?;
    let differs = |what: &str, recorded: String, played: String| {
        Err(ReplayError::Result { what: what.to_owned(), recorded, played })
    };
    if over.outcome.is_some() && here.outcome != over.outcome {
        return differs("the outcome", told(over.outcome.as_ref()), told(here.outcome.as_ref()));
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
            let read: Line = serde_json::from_str(line).unwrap();
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
