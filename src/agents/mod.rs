//! Agents, which choose among the legal actions of a state. Depends on the [`View`] of a seat; independent of rule
//! text and programs.

mod exact;
mod graph;
mod greedy;
pub mod learned;
mod script;
mod search;

use std::fmt;
use std::sync::Arc;

pub use exact::{Exact, GraphLimits, Solution, TooLarge, solve};
pub use greedy::Greedy;
pub use learned::{LearnError, Learned, LearnedAgent, PlayerError, PlayerFile};
pub use script::{AgentFile, ScriptFault};
pub use search::Search;

use crate::diagnostic::{FileId, Span, did_you_mean};
use crate::game::NoWorld;
use crate::game::{ActionId, Game, RuntimeError, RuntimeErrorKind};
use crate::hidden::{View, WorldOptions, Worlds};
use crate::numbers::parse_count;
use crate::rng::{MAX_PLAYERS, Stream};
use crate::script::ENDING;
use learned::Lookahead;
use script::Scripted;

/// An agent, which plays a seat.
pub trait Agent: Send {
    /// The agent's name, as [`AgentKind::parse`] reads it.
    fn name(&self) -> String;

    /// Chooses a legal action, or returns `None` if the seat has no decision. `stream` is the agent's own; the
    /// agent may also draw from the stream of the seat's player.
    fn choose(&mut self, view: &mut View<'_>, stream: &mut Stream) -> Result<Option<ActionId>, RuntimeError>;

    /// Returns an equivalent agent, for another thread.
    fn copy(&self) -> Box<dyn Agent>;
}

/// Returns the agent's own stream for a seat of a game. It is separate from chance and from the seats' players, so
/// an agent's draws never shift the dice.
pub fn agent_stream(seed: u64, index: u64, seat: u32) -> Stream {
    Stream::new(seed, index, MAX_PLAYERS as u64 + 1 + u64::from(seat))
}

/// The kinds of agent, with their parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentKind {
    /// A legal action, uniformly at random.
    Random,
    /// The action with the best score right after it.
    Greedy,
    /// Optimal play, from a solution of the whole game.
    Exact,
    /// Flat Monte Carlo search with this many simulations per decision, equally many for each action.
    Flat(u32),
    /// Monte Carlo tree search (UCT) with this many simulations per decision.
    Mcts(u32),
    /// Information-set Monte Carlo tree search. Plays like `Mcts` if nothing is hidden.
    Ismcts(u32),
    /// An agent trained before it plays. The number of training games, or `None` for the default.
    Learned(Option<u64>),
    /// A trained agent from a file.
    Player(Arc<PlayerFile>),
    /// A script that chooses.
    Script(Arc<AgentFile>),
    /// A lookahead agent, and the script or trained agent that evaluates states for it.
    Judging(Box<AgentKind>, Box<AgentKind>),
}

/// Default number of simulations per decision.
const TRIALS: u32 = 100;

/// Maximum number of simulations per decision.
const MOST_TRIALS: u32 = 10_000_000;

/// Maximum number of training games.
const MOST_GAMES: u64 = 1_000_000_000;

/// Why an agent can't be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentError {
    /// There is no agent of this name.
    Unknown(String),
    /// The number of simulations is missing or out of range.
    Trials(String),
    /// The agent takes no number, but its name has one.
    NoTrials(String),
    /// The game is too large for `exact`.
    TooLarge(TooLarge),
    /// The game hides information, which `exact` can't solve.
    Hidden,
    /// The file of a script can't be read.
    File {
        /// The path of the file.
        path: String,
        /// The reason.
        message: String,
    },
    /// A script has an error.
    Script(Box<ScriptFault>),
    /// A player file is invalid, or doesn't fit the game.
    Player(PlayerError),
    /// The agent can't be trained for this game.
    Learn(LearnError),
    /// The number of training games is out of range.
    Games(String),
    /// The script has no `choose`, so it can't play by itself.
    NoChoose(String),
    /// The script has no `value`, so it can't evaluate states.
    NoValue(String),
    /// The agent doesn't evaluate states, so it can't use an evaluator.
    NoJudge(String),
    /// The agent can't look ahead with a trained agent's evaluation.
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
    /// The names of the built-in agents, without numbers.
    pub const NAMES: [&str; 7] = ["random", "greedy", "exact", "flat", "mcts", "ismcts", "learned"];

    /// Parses the name of an agent. After a colon comes the number of simulations per decision, by default 100. A
    /// name that ends in `.rhai` or `.player` is the path of a file, which is read. After the colon of a lookahead
    /// agent, such a path or `learned` names its evaluator.
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
        // Paths may contain colons too.
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

    /// Parses an evaluator: a script, a player file, or `learned`.
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

    /// Returns the agent of a script, or an error if the script has no `choose`.
    pub fn script(file: Arc<AgentFile>) -> Result<AgentKind, AgentError> {
        match file.agent_functions().chooses {
            true => Ok(AgentKind::Script(file)),
            false => Err(AgentError::NoChoose(file.name().to_owned())),
        }
    }

    /// Returns this lookahead agent with `judge` as the evaluator of its states.
    pub fn judging(self, judge: AgentKind) -> Result<AgentKind, AgentError> {
        match (self, &judge) {
            (AgentKind::Judging(kind, _), _) => kind.judging(judge),
            (AgentKind::Greedy, AgentKind::Learned(_) | AgentKind::Player(_)) => {
                Err(AgentError::NoLookahead(AgentKind::Greedy.to_string()))
            }
            (_, AgentKind::Script(file)) if !file.agent_functions().judges => {
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

    /// The path of the agent's file or of its evaluator's.
    pub fn file(&self) -> Option<&str> {
        match self {
            AgentKind::Script(file) => Some(file.name()),
            AgentKind::Player(file) => Some(file.name()),
            AgentKind::Judging(_, judge) => judge.file(),
            _ => None,
        }
    }

    /// A warning to show before the agent plays `game`.
    pub fn warning(&self, game: &Game) -> Option<String> {
        match self {
            AgentKind::Player(file) => file.warning(game),
            AgentKind::Judging(_, judge) => judge.warning(game),
            _ => None,
        }
    }

    /// The number of simulations per decision, or `None` if the agent makes none.
    pub fn trials(&self) -> Option<u32> {
        match self {
            AgentKind::Flat(trials) | AgentKind::Mcts(trials) | AgentKind::Ismcts(trials) => Some(*trials),
            AgentKind::Judging(kind, _) => kind.trials(),
            _ => None,
        }
    }

    /// Returns `true` if the agent is trained before it plays.
    pub fn trains(&self) -> bool {
        match self {
            AgentKind::Learned(_) => true,
            AgentKind::Judging(_, judge) => judge.trains(),
            _ => false,
        }
    }

    /// Makes an agent for each seat. All `exact` agents share one solution.
    pub fn seat_all(kinds: &[AgentKind], game: &Game) -> Result<Vec<Box<dyn Agent>>, AgentError> {
        AgentKind::seat_trained(kinds, game, 1, &mut ())
    }

    /// Like [`AgentKind::seat_all`], with a training seed and an `audience` that follows the training.
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
        let solution = if wanted {
            Some(solve(game, &GraphLimits::default()).map_err(AgentError::TooLarge)?)
        } else {
            None
        };
        let solution = solution.map(Arc::new);
        // A script is prepared once, however many seats it has.
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
                    // Only `random` is left: `exact` has its solution.
                    _ => Box::new(Random),
                },
            });
        }
        Ok(seated)
    }
}

/// Plays a legal action, uniformly at random. Takes deliberate options only if nothing else is legal.
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

/// The worlds in which the agent of a view looks ahead.
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

/// Returns one of the actions, uniformly at random. A single action draws nothing.
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
