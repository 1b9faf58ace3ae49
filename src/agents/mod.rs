//! Who plays: agents that choose among the legal actions of a state. They get what their seat sees, a
//! [`View`], and know neither rule text nor programs.

mod exact;
mod graph;
mod greedy;
pub mod learned;
mod script;
mod search;

use std::fmt;
use std::sync::Arc;

pub use exact::{Exact, Limits, Solution, TooLarge, solve};
pub use greedy::Greedy;
pub use learned::{LearnError, Learned, LearnedAgent, PlayerError, PlayerFile};
pub use script::{AgentFile, ScriptFault};
pub use search::Search;

use crate::diagnostic::{FileId, Span, did_you_mean};
use crate::engine::{ActionId, Game, NoWorld, RuntimeError, RuntimeErrorKind, View, WorldOptions, Worlds};
use crate::numbers::parse_count;
use crate::rng::{MAX_PLAYERS, Stream};
use crate::script::ENDING;
use learned::Lookahead;
use script::Scripted;

/// Something that plays a seat.
pub trait Agent: Send {
    /// Its name, as [`AgentKind::parse`] takes it.
    fn name(&self) -> String;

    /// Chooses a legal action; none if the seat has nothing to choose. It may draw from the stream of the
    /// seat's player; `stream` is the agent's own.
    fn choose(&mut self, view: &mut View<'_>, stream: &mut Stream) -> Result<Option<ActionId>, RuntimeError>;

    /// Another of the same, for another thread.
    fn copy(&self) -> Box<dyn Agent>;
}

/// The agent's own stream for a seat of a game: apart from chance and from the seats' players, so
/// that what an agent draws never shifts the dice.
pub fn agent_stream(seed: u64, index: u64, seat: u32) -> Stream {
    Stream::new(seed, index, MAX_PLAYERS as u64 + 1 + u64::from(seat))
}

/// The agents by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentKind {
    /// Any legal action, all with the same chance.
    Random,
    /// The best score after one step.
    Greedy,
    /// Best play, worked out over the whole game.
    Exact,
    /// What random play makes most of, every action tried as often; so many trials a move.
    Flat(u32),
    /// What a tree of so many trials finds best (UCT).
    Mcts(u32),
    /// The same with a tree of what the seat sees, where something is hidden.
    Ismcts(u32),
    /// What was learned in so many games, as many as usual without a number.
    Learned(Option<u64>),
    /// What was learned and is kept in a file.
    Player(Arc<PlayerFile>),
    /// A script that chooses.
    Script(Arc<AgentFile>),
    /// One that looks ahead, and judges what it finds by a script or by what was learned.
    Judging(Box<AgentKind>, Box<AgentKind>),
}

/// Trials a move of an agent that is named without a number.
const TRIALS: u32 = 100;

/// Most trials a move.
const MOST_TRIALS: u32 = 10_000_000;

/// Most games of training.
const MOST_GAMES: u64 = 1_000_000_000;

/// Why there is no agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentError {
    /// There is none of this name.
    Unknown(String),
    /// Its number of trials is none.
    Trials(String),
    /// It has a number of trials, and makes none.
    NoTrials(String),
    /// The game is too large for `exact`.
    TooLarge(TooLarge),
    /// Something is hidden, so best play is more than `exact` works out.
    Hidden,
    /// The file of a script can't be read.
    File {
        /// Where it should be.
        path: String,
        /// Why not.
        message: String,
    },
    /// A script is at fault.
    Script(Box<ScriptFault>),
    /// A player's file is at fault, or does not fit the game.
    Player(PlayerError),
    /// There is nothing to learn.
    Learn(LearnError),
    /// Its number of games is none.
    Games(String),
    /// A script that is to choose has no function for it.
    NoChoose(String),
    /// A script that is to judge has no function for it.
    NoValue(String),
    /// It looks at no states, so there is nothing to judge.
    NoJudge(String),
    /// It can't look ahead by what was learned.
    NoLookahead(String),
}

impl fmt::Display for AgentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AgentError::Unknown(name) => {
                write!(f, "no agent is called `{name}`")?;
                match did_you_mean(name.split(':').next().unwrap_or(name), AgentKind::NAMES) {
                    Some(meant) => write!(f, "; did you mean `{meant}`?"),
                    None => write!(
                        f,
                        "; there are `random`, `greedy`, `exact`, `flat:N`, `mcts:N`, `ismcts:N`, `learned`, \
                         `learned:N`, players that were trained: `FILE{}`, and scripts of your own: `FILE{ENDING}`",
                        learned::ENDING
                    ),
                }
            }
            AgentError::Trials(name) => write!(
                f,
                "`{name}` needs a whole number of trials from 1 to {MOST_TRIALS} behind a colon, as in `mcts:1000`"
            ),
            AgentError::NoTrials(name) => {
                write!(f, "`{name}` makes no trials: nothing stands behind its name")
            }
            AgentError::TooLarge(error) => error.fmt(f),
            AgentError::File { message, .. } => f.write_str(message),
            AgentError::Script(fault) => fault.fmt(f),
            AgentError::Player(error) => error.fmt(f),
            AgentError::Learn(error) => error.fmt(f),
            AgentError::Games(name) => write!(
                f,
                "`{name}` needs a whole number of training games from 1 to {MOST_GAMES} behind a colon, as in \
                 `learned:50k`, or none"
            ),
            AgentError::NoChoose(name) => write!(
                f,
                "`{name}` has no `choose`, so it can't play by itself; `greedy:{name}` and `mcts:{TRIALS}:{name}` \
                 play by its `value`"
            ),
            AgentError::NoValue(name) => write!(
                f,
                "`{name}` has no `value` to judge by: add `fn value(g, player)`, or let it choose by itself: `{name}`"
            ),
            AgentError::NoJudge(name) => write!(
                f,
                "`{name}` judges nothing: what is judged by stands behind `greedy`, `flat:N`, `mcts:N` or `ismcts:N`"
            ),
            AgentError::NoLookahead(name) => write!(
                f,
                "`{name}` does not look ahead by what was learned: `flat:N`, `mcts:N` and `ismcts:N` do, as in \
                 `mcts:200:learned`; `learned` alone looks through its own turn"
            ),
            AgentError::Hidden => f.write_str(
                "`exact` is for games in which everybody sees everything; `ismcts:1000` plays this one",
            ),
        }
    }
}

impl std::error::Error for AgentError {}

impl fmt::Display for AgentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AgentKind::Random => f.write_str("random"),
            AgentKind::Greedy => f.write_str("greedy"),
            AgentKind::Exact => f.write_str("exact"),
            AgentKind::Flat(trials) => write!(f, "flat:{trials}"),
            AgentKind::Mcts(trials) => write!(f, "mcts:{trials}"),
            AgentKind::Ismcts(trials) => write!(f, "ismcts:{trials}"),
            AgentKind::Learned(None) => f.write_str("learned"),
            AgentKind::Learned(Some(games)) => write!(f, "learned:{games}"),
            AgentKind::Player(file) => f.write_str(file.name()),
            AgentKind::Script(file) => f.write_str(file.name()),
            AgentKind::Judging(kind, judge) => write!(f, "{kind}:{judge}"),
        }
    }
}

impl AgentKind {
    /// What they are called, without their numbers.
    pub const NAMES: [&str; 7] = ["random", "greedy", "exact", "flat", "mcts", "ismcts", "learned"];

    /// The agent of a name. Behind a colon stand the trials a move, 100 without it. A name that ends in
    /// `.rhai` or `.player` is the path of a script or of a player, which is read; behind a colon it is what another
    /// judges by, and so is `learned`.
    pub fn parse(name: &str) -> Result<AgentKind, AgentError> {
        let name = name.trim();
        let is_file = name.ends_with(ENDING) || name.ends_with(learned::ENDING);
        let word = name.split(':').next().unwrap_or_default().trim();
        if is_file && !AgentKind::NAMES.contains(&word) {
            return match AgentKind::judge(name)? {
                AgentKind::Script(file) => AgentKind::script(file),
                player => Ok(player),
            };
        }
        // Paths may have colons too.
        let rest = name.split_once(':').map_or("", |(_, rest)| rest);
        let number = rest.split(':').next().unwrap_or_default();
        let is_number = number.trim().parse::<i64>().is_ok() || parse_count(number).is_ok();
        let (kind, judge) = match is_number.then(|| rest.split_once(':')).flatten() {
            Some((_, judge)) => (&name[..name.len() - judge.len() - 1], judge.trim()),
            None => (word, rest.trim()),
        };
        let learned = |judge: &str| judge.split(':').next().is_some_and(|word| word.trim() == "learned");
        if is_file || learned(judge) {
            AgentKind::parse_word(kind)?.judging(AgentKind::judge(judge)?)
        } else {
            AgentKind::parse_word(name)
        }
    }

    /// What is judged by: a script, what was learned, or a player's file.
    fn judge(name: &str) -> Result<AgentKind, AgentError> {
        if name.ends_with(ENDING) {
            return AgentFile::read(name).map(|file| AgentKind::Script(Arc::new(file)));
        }
        if name.ends_with(learned::ENDING) {
            let file = PlayerFile::read(name).map_err(AgentError::Player)?;
            return Ok(AgentKind::Player(Arc::new(file)));
        }
        AgentKind::parse_word(name)
    }

    /// The agent that a script is.
    pub fn script(file: Arc<AgentFile>) -> Result<AgentKind, AgentError> {
        match file.talents().chooses {
            true => Ok(AgentKind::Script(file)),
            false => Err(AgentError::NoChoose(file.name().to_owned())),
        }
    }

    /// The same agent, which judges what it finds when it looks ahead: by a script, or by what was learned.
    pub fn judging(self, judge: AgentKind) -> Result<AgentKind, AgentError> {
        match (self, &judge) {
            (AgentKind::Judging(kind, _), _) => kind.judging(judge),
            (AgentKind::Greedy, AgentKind::Learned(_) | AgentKind::Player(_)) => {
                Err(AgentError::NoLookahead(AgentKind::Greedy.to_string()))
            }
            (_, AgentKind::Script(file)) if !file.talents().judges => {
                Err(AgentError::NoValue(file.name().to_owned()))
            }
            (kind, _) if kind == AgentKind::Greedy || kind.trials().is_some() => {
                Ok(AgentKind::Judging(Box::new(kind), Box::new(judge)))
            }
            (kind, _) => Err(AgentError::NoJudge(kind.to_string())),
        }
    }

    fn parse_word(name: &str) -> Result<AgentKind, AgentError> {
        let (word, number) = match name.split_once(':') {
            Some((word, number)) => (word.trim(), Some(number.trim())),
            None => (name, None),
        };
        let asked = |number: &str| parse_count(number).ok().and_then(|number| u32::try_from(number).ok());
        let trials = || match number.map_or(Some(TRIALS), asked) {
            Some(trials) if (1..=MOST_TRIALS).contains(&trials) => Ok(trials),
            _ => Err(AgentError::Trials(word.to_owned())),
        };
        let kind = match word {
            "random" => AgentKind::Random,
            "greedy" => AgentKind::Greedy,
            "exact" => AgentKind::Exact,
            "flat" => return trials().map(AgentKind::Flat),
            "mcts" => return trials().map(AgentKind::Mcts),
            "ismcts" => return trials().map(AgentKind::Ismcts),
            "learned" => {
                return match number.map(parse_count) {
                    None => Ok(AgentKind::Learned(None)),
                    Some(Ok(games)) if (1..=MOST_GAMES).contains(&games) => {
                        Ok(AgentKind::Learned(Some(games)))
                    }
                    Some(_) => Err(AgentError::Games(word.to_owned())),
                };
            }
            _ => return Err(AgentError::Unknown(name.to_owned())),
        };
        match number {
            None => Ok(kind),
            Some(_) => Err(AgentError::NoTrials(word.to_owned())),
        }
    }

    /// The path of the file that it is, or judges by.
    pub fn file(&self) -> Option<&str> {
        match self {
            AgentKind::Script(file) => Some(file.name()),
            AgentKind::Player(file) => Some(file.name()),
            AgentKind::Judging(_, judge) => judge.file(),
            _ => None,
        }
    }

    /// What is to be said before it plays a game, if anything is.
    pub fn warning(&self, game: &Game) -> Option<String> {
        match self {
            AgentKind::Player(file) => file.warning(game),
            AgentKind::Judging(_, judge) => judge.warning(game),
            _ => None,
        }
    }

    /// Trials that it makes for a move.
    pub fn trials(&self) -> Option<u32> {
        match self {
            AgentKind::Flat(trials) | AgentKind::Mcts(trials) | AgentKind::Ismcts(trials) => Some(*trials),
            AgentKind::Judging(kind, _) => kind.trials(),
            _ => None,
        }
    }

    /// Is it trained before it plays?
    pub fn trains(&self) -> bool {
        match self {
            AgentKind::Learned(_) => true,
            AgentKind::Judging(_, judge) => judge.trains(),
            _ => false,
        }
    }

    /// An agent for each seat. What `exact` works out is shared by all of them.
    pub fn seat_all(kinds: &[AgentKind], game: &Game) -> Result<Vec<Box<dyn Agent>>, AgentError> {
        AgentKind::seat_trained(kinds, game, 1, &mut ())
    }

    /// The same, where those that are trained are trained by a seed, and somebody looks on.
    pub fn seat_trained(
        kinds: &[AgentKind],
        game: &Game,
        training: u64,
        audience: &mut dyn learned::Audience,
    ) -> Result<Vec<Box<dyn Agent>>, AgentError> {
        let wanted = kinds.contains(&AgentKind::Exact);
        if wanted && game.hides() {
            return Err(AgentError::Hidden);
        }
        let solution =
            if wanted { Some(solve(game, &Limits::default()).map_err(AgentError::TooLarge)?) } else { None };
        let solution = solution.map(Arc::new);
        // A script is made ready once, however many seats it has.
        let mut scripts: Vec<Scripted> = vec![];
        let mut seated: Vec<Box<dyn Agent>> = vec![];
        for kind in kinds {
            let (plain, judge) = match kind {
                AgentKind::Judging(plain, judge) => (&**plain, Some(&**judge)),
                kind => (kind, None),
            };
            let script = match judge.unwrap_or(plain) {
                AgentKind::Script(file) => Some(match scripts.iter().find(|script| script.is_of(file)) {
                    Some(known) => known.clone(),
                    None => {
                        scripts.push(Scripted::new(file, game)?);
                        scripts[scripts.len() - 1].clone()
                    }
                }),
                _ => None,
            };
            let player = match judge.unwrap_or(plain) {
                AgentKind::Learned(games) => {
                    Some(learned::learned(game, *games, training, audience).map_err(AgentError::Learn)?)
                }
                AgentKind::Player(file) => Some(Arc::new(file.fit(game).map_err(AgentError::Player)?)),
                _ => None,
            };
            seated.push(match (plain, &solution) {
                (AgentKind::Exact, Some(solution)) => Box::new(Exact::new(Arc::clone(solution))),
                (AgentKind::Greedy, _) => Box::new(Greedy { judge: script }),
                (AgentKind::Flat(trials) | AgentKind::Mcts(trials) | AgentKind::Ismcts(trials), _) => {
                    match (player, judge) {
                        (Some(player), Some(by)) => {
                            Box::new(Lookahead::new(plain.clone(), &player, game, &by.to_string()))
                        }
                        _ => Box::new(Search::new(plain.clone(), *trials, script)),
                    }
                }
                _ => match (player, script) {
                    (Some(player), _) => Box::new(player.agent(game, &plain.to_string())),
                    (_, Some(script)) => Box::new(script),
                    // `exact` has its solution.
                    _ => Box::new(Random),
                },
            });
        }
        Ok(seated)
    }
}

/// Any legal action, all with the same chance; deliberate options only if there is nothing else.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl Agent for Random {
    fn name(&self) -> String {
        AgentKind::Random.to_string()
    }

    fn choose(&mut self, view: &mut View<'_>, _: &mut Stream) -> Result<Option<ActionId>, RuntimeError> {
        Ok(view.random_action())
    }

    fn copy(&self) -> Box<dyn Agent> {
        Box::new(*self)
    }
}

/// Worlds to look ahead in, for the seat of a view.
fn worlds(view: &View<'_>) -> Result<Worlds, RuntimeError> {
    view.worlds(&WorldOptions::default()).map_err(|none| no_world(view, none))
}

/// The error of an agent that found no world.
fn no_world(view: &View<'_>, none: NoWorld) -> RuntimeError {
    let choices = &view.game().model().choices;
    let choice = view.pending_choice().map_or(0, |choice| choice.index());
    let span = choices.get(choice).map_or(Span::new(FileId(0), 0, 0), |choice| choice.span);
    RuntimeError { span, kind: RuntimeErrorKind::NoWorld(Box::new(none)) }
}

/// One of the actions, evenly; a single one draws nothing.
fn one_of(actions: &[ActionId], stream: &mut Stream) -> Option<ActionId> {
    match actions {
        [] => None,
        [one] => Some(*one),
        many => many.get(stream.below(many.len() as u64) as usize).copied(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_by_name() {
        use AgentKind::{Exact, Flat, Greedy, Ismcts, Learned, Mcts, Random};
        for kind in
            [Random, Greedy, Exact, Flat(1), Mcts(MOST_TRIALS), Ismcts(7), Learned(None), Learned(Some(9))]
        {
            assert_eq!(AgentKind::parse(&kind.to_string()).as_ref(), Ok(&kind));
        }
        assert_eq!(AgentKind::parse(" mcts "), Ok(Mcts(100)));
        let error = |name| AgentKind::parse(name).unwrap_err().to_string();
        assert_eq!(error("gredy"), "no agent is called `gredy`; did you mean `greedy`?");
        assert_eq!(error("mtcs:10"), "no agent is called `mtcs:10`; did you mean `mcts`?");
        assert!(
            error("alphazero")
                .contains("`learned:N`, players that were trained: `FILE.player`, and scripts of your own")
        );
        for wrong in ["mcts:", "mcts:0", "mcts:x", "flat:-1", "mcts:99999999999"] {
            assert!(error(wrong).contains("a whole number of trials from 1 to 10000000"), "{wrong}");
        }
        assert_eq!(error("greedy:10"), "`greedy` makes no trials: nothing stands behind its name");
    }

    #[test]
    fn agents_draw_from_streams_of_their_own() {
        for seat in 0..MAX_PLAYERS as u32 {
            for source in 0..=MAX_PLAYERS as u64 {
                assert_ne!(agent_stream(1, 2, seat), Stream::new(1, 2, source));
            }
        }
    }
}
