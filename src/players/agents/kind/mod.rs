//! The kinds of agent: their names, what they cost, and how they are made.
//!
//! This file is the one list of agents. Every `match` on [`AgentKind`] that a new kind must appear in is here, and
//! names all kinds. An agent that only this list names is a module of it. The table in `docs/agents.md` is generated
//! from [`AgentKind::built_in`].

pub(super) mod greedy;
pub(super) mod mobile;

use std::fmt;
use std::sync::Arc;

use self::AgentKind::{
    Exact, Flat, Glance, Greedy, Ismcts, Judging, Learned, Mcts, Mobile, Own, Player, Random, Script,
};
use super::AgentError;
use super::script::{AgentFile, Scripted};
use super::search::Search;
use crate::agent::Agent;
use crate::agent::SearchMethod;
use crate::learned::{self, Lookahead, PlayerFile, TrainingObserver};
use houserule_base::files::{PLAYER_ENDING, SCRIPT_ENDING};
use houserule_base::numbers::parse_count;
use houserule_base::parts::Parts;
use houserule_game::solve::{GraphLimits, Solution, solve};
use houserule_game::{Game, State};

/// The kinds of agent, with their parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentKind {
    /// A legal action, uniformly at random.
    Random,
    /// The action with the best score right after it.
    Greedy,
    /// The action that leaves its side many actions and the others few.
    Mobile,
    /// Optimal play, from a solution of the whole game.
    Exact,
    /// Flat Monte Carlo search with this many simulations per decision, equally many for each action.
    Flat(u32),
    /// Monte Carlo tree search (UCT) with this many simulations per decision.
    Mcts(u32),
    /// Information-set Monte Carlo tree search. Plays like `Mcts` if nothing is hidden.
    Ismcts(u32),
    /// Like `Ismcts`, in worlds that agree with what the seat sees and knows now, not with the history.
    Glance(u32),
    /// An agent trained before it plays. The number of training games, or `None` for the default.
    Learned(Option<u64>),
    /// A trained agent from a file.
    Player(Arc<PlayerFile>),
    /// A script that chooses.
    Script(Arc<AgentFile>),
    /// A lookahead agent, and the script or trained agent that evaluates states for it.
    Judging(Box<AgentKind>, Box<AgentKind>),
    /// An agent that the caller makes, such as a search with an evaluator of the caller.
    Own(OwnAgent),
}

/// Makes agents that no name stands for.
pub trait AgentSource: Send + Sync + fmt::Debug {
    /// The name of the agents in tables.
    fn name(&self) -> &str;

    /// Makes an agent for a game, or says why it can't play the game.
    fn agent(self: Arc<Self>, game: &Game) -> Result<Box<dyn Agent>, AgentError>;

    /// The number of simulations per decision, from which the work of a run is estimated; 0 without a search.
    fn simulations(&self) -> u32;
}

/// An [`AgentSource`] of the caller. It equals only its own copies.
#[derive(Clone, Debug)]
pub struct OwnAgent(pub Arc<dyn AgentSource>);

impl PartialEq for OwnAgent {
    fn eq(&self, other: &OwnAgent) -> bool {
        std::ptr::addr_eq(Arc::as_ptr(&self.0), Arc::as_ptr(&other.0))
    }
}

impl Eq for OwnAgent {}

/// Default number of simulations per decision.
pub(super) const SIMULATIONS: u32 = 100;

/// Maximum number of simulations per decision.
pub const MOST_SIMULATIONS: u32 = 10_000_000;

/// Maximum number of training games.
pub(super) const MOST_GAMES: u64 = 1_000_000_000;

/// Maximum number of states of a game for which [`AgentKind::usual`] has `exact`.
const SOLVED: u32 = 200_000;

/// What may follow the name of a built-in agent after a colon, and how the agent is made of it.
enum Parameter {
    /// Nothing.
    None(fn() -> AgentKind),
    /// A number of simulations, by default [`SIMULATIONS`].
    Simulations(fn(u32) -> AgentKind),
    /// A number of training games, or nothing.
    Games(fn(Option<u64>) -> AgentKind),
}

/// The built-in agents: name, parameter, and what it does, as in `docs/agents.md`.
#[rustfmt::skip]
const BUILT_IN: &[(&str, Parameter, &str)] = &[
    ("random", Parameter::None(|| AgentKind::Random),
        "a legal action, uniformly at random; deliberate options only if no other is legal"),
    ("greedy", Parameter::None(|| AgentKind::Greedy),
        "the action with the best score (the least, where [the least is good](language.md#ends-and-scores)) relative to \
         the best of the others, a deliberate option only if it is better than all else; its horizon is the next decision or chance event"),
    ("mobile", Parameter::None(|| AgentKind::Mobile),
        "the action after which its side has the most legal actions at the next decision, or another side the fewest; wins if it can"),
    ("exact", Parameter::None(|| AgentKind::Exact),
        "optimal play, solved over the whole game; for small games without hidden information"),
    ("flat", Parameter::Simulations(AgentKind::Flat),
        "N random playouts, equally many after each action; takes the action with the best mean"),
    ("mcts", Parameter::Simulations(AgentKind::Mcts),
        "N simulations, each with a random playout, in a tree that grows where it looks best (UCT), with a node for \
         each outcome of chance"),
    ("ismcts", Parameter::Simulations(AgentKind::Ismcts),
        "with hidden information, a tree over what the seat sees, each simulation in a world of the seat; else the \
         same as `mcts`"),
    ("glance", Parameter::Simulations(AgentKind::Glance),
        "`ismcts` in worlds that agree with what the seat sees and knows now, but not with how it came about: it draws no \
         conclusions from what the others did, and its worlds cost far less"),
    ("learned", Parameter::Games(AgentKind::Learned),
        "a player that has learned from N games against itself: [below](#players-that-learn)"),
];

/// Returns the names of a built-in agent with their numbers, such as `mcts:N`.
fn forms(name: &str, parameter: &Parameter) -> Vec<String> {
    match parameter {
        Parameter::None(_) => vec![name.to_owned()],
        Parameter::Simulations(_) => vec![format!("{name}:N")],
        Parameter::Games(_) => vec![name.to_owned(), format!("{name}:N")],
    }
}

impl fmt::Display for AgentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AgentKind::Random => f.write_str("random"),
            AgentKind::Greedy => f.write_str("greedy"),
            AgentKind::Mobile => f.write_str("mobile"),
            AgentKind::Exact => f.write_str("exact"),
            AgentKind::Flat(trials) => write!(f, "flat:{trials}"),
            AgentKind::Mcts(trials) => write!(f, "mcts:{trials}"),
            AgentKind::Ismcts(trials) => write!(f, "ismcts:{trials}"),
            AgentKind::Glance(trials) => write!(f, "glance:{trials}"),
            AgentKind::Learned(None) => f.write_str("learned"),
            AgentKind::Learned(Some(games)) => write!(f, "learned:{games}"),
            AgentKind::Player(file) => f.write_str(file.name()),
            AgentKind::Script(file) => f.write_str(file.name()),
            AgentKind::Judging(kind, judge) => write!(f, "{kind}:{judge}"),
            AgentKind::Own(OwnAgent(source)) => f.write_str(source.name()),
        }
    }
}

impl AgentKind {
    /// The names of the built-in agents, without numbers.
    pub const NAMES: [&str; BUILT_IN.len()] = {
        let mut names = [""; BUILT_IN.len()];
        let mut at = 0;
        while at < names.len() {
            names[at] = BUILT_IN[at].0;
            at += 1;
        }
        names
    };

    /// The names of the built-in agents with their numbers, such as `mcts:N`, for lists in messages and help texts.
    pub fn forms() -> impl Iterator<Item = String> {
        BUILT_IN.iter().flat_map(|(name, parameter, _)| forms(name, parameter))
    }

    /// The built-in agents: their names with their numbers, and what each does.
    pub fn built_in() -> impl Iterator<Item = (Vec<String>, &'static str)> {
        BUILT_IN.iter().map(|(name, parameter, help)| (forms(name, parameter), *help))
    }

    /// Lists all agents, built-in ones and files, for help texts.
    pub fn list() -> String {
        let files = [PLAYER_ENDING, SCRIPT_ENDING].map(|ending| format!("FILE{ending}"));
        AgentKind::forms().chain(files).collect::<Vec<_>>().join(", ")
    }

    /// Parses the name of an agent. After a colon comes the number of simulations per decision, by default 100. A
    /// name that ends in `.rhai` or `.player` is the path of a file, which is read. After the colon of a lookahead
    /// agent, such a path or `learned` names its evaluator.
    pub fn parse(name: &str) -> Result<AgentKind, AgentError> {
        AgentKind::parse_with(name, None)
    }

    /// Like [`AgentKind::parse`]; `content` is that of the agent's file, which isn't read.
    pub fn parse_with(name: &str, content: Option<&[u8]>) -> Result<AgentKind, AgentError> {
        let name = name.trim();
        let is_file = name.ends_with(SCRIPT_ENDING) || name.ends_with(PLAYER_ENDING);
        let word = name.split(':').next().unwrap_or_default().trim();
        if is_file && !AgentKind::NAMES.contains(&word) {
            return match AgentKind::judge(name, content)? {
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
            AgentKind::parse_word(kind)?.judging(AgentKind::judge(judge, content)?)
        } else {
            AgentKind::parse_word(name)
        }
    }

    /// Parses an evaluator: a script, a player file, or `learned`.
    fn judge(name: &str, content: Option<&[u8]>) -> Result<AgentKind, AgentError> {
        if name.ends_with(SCRIPT_ENDING) {
            let file = match content {
                Some(content) => AgentFile::from_text(name, &String::from_utf8_lossy(content)),
                None => AgentFile::read(name),
            };
            return file.map(|file| AgentKind::Script(Arc::new(file)));
        }
        if name.ends_with(PLAYER_ENDING) {
            let file = match content {
                Some(content) => PlayerFile::from_bytes(name, content),
                None => PlayerFile::read(name),
            };
            return Ok(AgentKind::Player(Arc::new(file.map_err(AgentError::Player)?)));
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
        match self {
            Judging(kind, _) => return kind.judging(judge),
            Greedy | Flat(_) | Mcts(_) | Ismcts(_) | Glance(_) => {}
            Random | Mobile | Exact | Learned(_) | Player(_) | Script(_) | Own(_) => {
                return Err(AgentError::NoJudge(self.to_string()));
            }
        }
        match &judge {
            Script(file) if file.agent_functions().judges => {}
            Learned(_) | Player(_) if self == Greedy => {
                return Err(AgentError::NoLookahead(self.to_string()));
            }
            Learned(_) | Player(_) => {}
            Script(_) | Random | Greedy | Mobile | Exact | Flat(_) | Mcts(_) | Ismcts(_) | Glance(_)
            | Judging(..) | Own(_) => {
                return Err(AgentError::NoValue(judge.to_string()));
            }
        }
        Ok(Judging(Box::new(self), Box::new(judge)))
    }

    fn parse_word(name: &str) -> Result<AgentKind, AgentError> {
        let (word, number) = match name.split_once(':') {
            Some((word, number)) => (word.trim(), Some(number.trim())),
            None => (name, None),
        };
        let Some((_, parameter, _)) = BUILT_IN.iter().find(|(known, ..)| *known == word) else {
            return Err(AgentError::Unknown(name.to_owned()));
        };
        let count = |most: u64, number: &str| parse_count(number).ok().filter(|n| (1..=most).contains(n));
        match (parameter, number) {
            (Parameter::None(kind), None) => Ok(kind()),
            (Parameter::None(_), Some(_)) => Err(AgentError::NoNumber(word.to_owned())),
            (Parameter::Simulations(kind), None) => Ok(kind(SIMULATIONS)),
            (Parameter::Simulations(kind), Some(number)) => count(MOST_SIMULATIONS.into(), number)
                .and_then(|n| u32::try_from(n).ok())
                .map(kind)
                .ok_or_else(|| AgentError::Simulations(word.to_owned())),
            (Parameter::Games(kind), None) => Ok(kind(None)),
            (Parameter::Games(kind), Some(number)) => count(MOST_GAMES, number)
                .map(|games| kind(Some(games)))
                .ok_or_else(|| AgentError::Games(word.to_owned())),
        }
    }

    /// The path of the agent's file or of its evaluator's.
    pub fn file(&self) -> Option<&str> {
        match self {
            Script(file) => Some(file.name()),
            Player(file) => Some(file.name()),
            Judging(_, judge) => judge.file(),
            Random | Greedy | Mobile | Exact | Flat(_) | Mcts(_) | Ismcts(_) | Glance(_) | Learned(_)
            | Own(_) => None,
        }
    }

    /// A warning to show before the agent plays `game`.
    pub fn warning(&self, game: &Game) -> Option<String> {
        match self {
            Player(file) => file.warning(game),
            Judging(_, judge) => judge.warning(game),
            Random | Greedy | Mobile | Exact | Flat(_) | Mcts(_) | Ismcts(_) | Glance(_) | Learned(_)
            | Script(_) | Own(_) => None,
        }
    }

    /// The method of the agent's search and its number of simulations per decision, or `None` if it doesn't search.
    fn search(&self) -> Option<(SearchMethod, u32)> {
        match self {
            Flat(simulations) => Some((SearchMethod::Flat, *simulations)),
            Mcts(simulations) => Some((SearchMethod::Mcts, *simulations)),
            Ismcts(simulations) => Some((SearchMethod::Ismcts, *simulations)),
            Glance(simulations) => Some((SearchMethod::Glance, *simulations)),
            Judging(kind, _) => kind.search(),
            Random | Greedy | Mobile | Exact | Learned(_) | Player(_) | Script(_) | Own(_) => None,
        }
    }

    /// Returns `true` if the agent is trained before it plays.
    pub fn trains(&self) -> bool {
        match self {
            Learned(_) => true,
            Judging(kind, judge) => kind.trains() || judge.trains(),
            Random | Greedy | Mobile | Exact | Flat(_) | Mcts(_) | Ismcts(_) | Glance(_) | Player(_)
            | Script(_) | Own(_) => false,
        }
    }

    /// Trains the player that the agent is or looks ahead with, as a part of some work. Returns the part's name, and the
    /// player unless another process trains it. While the caller holds the player, [`AgentKind::seat_trained`] takes
    /// it. `None` for an agent that isn't trained.
    pub fn train_in_parts(
        &self,
        game: &Game,
        training: u64,
        audience: &mut dyn TrainingObserver,
        parts: &Parts,
    ) -> Result<Option<learned::TrainedPart>, AgentError> {
        match self {
            Learned(games) => learned::learned_in_parts(game, *games, training, audience, parts)
                .map(Some)
                .map_err(AgentError::Learn),
            Judging(_, judge) => judge.train_in_parts(game, training, audience, parts),
            Random | Greedy | Mobile | Exact | Flat(_) | Mcts(_) | Ismcts(_) | Glance(_) | Player(_)
            | Script(_) | Own(_) => Ok(None),
        }
    }

    /// Returns `true` if the agent can be seated without training, because it needs none or was trained for this game
    /// before. Fails for a game that can't be learned.
    pub fn is_ready(&self, game: &Game) -> Result<bool, AgentError> {
        match self {
            Learned(games) => {
                learned::can_learn(game).map_err(AgentError::Learn)?;
                Ok(learned::is_trained(game, *games))
            }
            Judging(_, judge) => judge.is_ready(game),
            Random | Greedy | Mobile | Exact | Flat(_) | Mcts(_) | Ismcts(_) | Glance(_) | Player(_)
            | Script(_) | Own(_) => Ok(true),
        }
    }

    /// Returns `true` if the agent works on the game before it plays: it is trained, or solves the game.
    pub fn prepares(&self) -> bool {
        self.trains() || *self == AgentKind::Exact
    }

    /// Estimates the work of one decision, in random decisions.
    pub fn work(&self, state: &State) -> u64 {
        /// The work of evaluating an action one step ahead.
        const LOOK: u64 = 8;
        /// The work of a simulation of a search.
        const SIMULATION: u64 = 32;
        /// The work of calling a script.
        const CALL: u64 = 200;
        let actions = state.legal_count() as u64;
        match self {
            Random | Exact => 0,
            Greedy | Mobile => LOOK * actions,
            Flat(simulations) | Mcts(simulations) | Ismcts(simulations) | Glance(simulations) => {
                SIMULATION * u64::from(*simulations)
            }
            // A trained agent looks through its whole turn.
            Learned(_) | Player(_) => 4 * LOOK * actions,
            Script(_) => CALL + LOOK * actions,
            Own(OwnAgent(source)) => SIMULATION * u64::from(source.simulations()),
            Judging(kind, judge) => {
                let judged = kind.search().map_or(actions, |(_, simulations)| simulations.into());
                let each = match **judge {
                    Script(_) => u64::from(state.game().players()) * CALL,
                    // The judge evaluates every action in the position where a simulation ends.
                    Learned(_) | Player(_) => LOOK * actions,
                    // These evaluate nothing.
                    Random | Greedy | Mobile | Exact | Flat(_) | Mcts(_) | Ismcts(_) | Glance(_)
                    | Judging(..) | Own(_) => 0,
                };
                kind.work(state) + judged * each
            }
        }
    }

    /// The agents to compare in a game if nobody names any, those that can play it.
    pub fn usual(game: &Game) -> Vec<AgentKind> {
        let search: fn(u32) -> AgentKind = if game.hides() { AgentKind::Ismcts } else { AgentKind::Mcts };
        let mut agents = vec![AgentKind::Random, AgentKind::Greedy, search(100)];
        if learned::can_learn(game).is_ok() {
            agents.push(AgentKind::Learned(None));
            agents.extend(search(50).judging(AgentKind::Learned(None)));
        }
        let limits = GraphLimits { states: SOLVED, ..GraphLimits::default() };
        if !game.hides() && solve(game, &limits).is_ok() {
            agents.push(AgentKind::Exact);
        }
        agents
    }

    /// Makes an agent for each seat. All `exact` agents share one solution.
    pub fn seat_all(kinds: &[AgentKind], game: &Game) -> Result<Vec<Box<dyn Agent>>, AgentError> {
        AgentKind::seat_trained(kinds, game, 1, &mut ())
    }

    /// Makes one agent, which can play any seat.
    pub fn seat_one(&self, game: &Game) -> Result<Box<dyn Agent>, AgentError> {
        Ok(AgentKind::seat_all(std::slice::from_ref(self), game)?.swap_remove(0))
    }

    /// Like [`AgentKind::seat_all`], with a training seed and an `audience` that follows the training.
    pub fn seat_trained(
        kinds: &[AgentKind],
        game: &Game,
        training: u64,
        audience: &mut dyn TrainingObserver,
    ) -> Result<Vec<Box<dyn Agent>>, AgentError> {
        let mut maker = AgentMaker { game, training, audience, solution: None, scripts: vec![] };
        if kinds.contains(&AgentKind::Exact) {
            // A game that can't be solved is reported before others are trained.
            maker.solution()?;
        }
        kinds.iter().map(|kind| maker.make(kind)).collect()
    }
}

/// Makes the agents of a game. What several seats share is made once.
struct AgentMaker<'m> {
    game: &'m Game,
    /// The seed of trainings.
    training: u64,
    audience: &'m mut dyn TrainingObserver,
    solution: Option<Arc<Solution>>,
    scripts: Vec<Scripted>,
}

impl AgentMaker<'_> {
    fn make(&mut self, kind: &AgentKind) -> Result<Box<dyn Agent>, AgentError> {
        let game = self.game;
        Ok(match kind {
            Random => Box::new(super::Random),
            Greedy => Box::new(super::Greedy::default()),
            Mobile => Box::new(super::Mobile::default()),
            Exact => Box::new(super::Exact::new(self.solution()?)),
            Flat(n) => Box::new(Search::new(kind.to_string(), SearchMethod::Flat, *n, None)),
            Mcts(n) => Box::new(Search::new(kind.to_string(), SearchMethod::Mcts, *n, None)),
            Ismcts(n) => Box::new(Search::new(kind.to_string(), SearchMethod::Ismcts, *n, None)),
            Glance(n) => Box::new(Search::new(kind.to_string(), SearchMethod::Glance, *n, None)),
            Learned(_) | Player(_) => Box::new(self.player(kind)?.agent(game, &kind.to_string())),
            Script(file) => Box::new(self.script(file)?),
            Own(OwnAgent(source)) => Arc::clone(source).agent(game)?,
            Judging(plain, judge) => return self.make_judging(kind.to_string(), plain, judge),
        })
    }

    /// Makes a lookahead agent with an evaluator.
    fn make_judging(
        &mut self,
        name: String,
        kind: &AgentKind,
        judge: &AgentKind,
    ) -> Result<Box<dyn Agent>, AgentError> {
        let by_script = match judge {
            Script(file) => Some(self.script(file)?),
            Learned(_) | Player(_) => None,
            Random | Greedy | Mobile | Exact | Flat(_) | Mcts(_) | Ismcts(_) | Glance(_) | Judging(..)
            | Own(_) => {
                return Err(AgentError::NoValue(judge.to_string()));
            }
        };
        Ok(match (kind.search(), by_script) {
            (Some((method, n)), Some(script)) => Box::new(Search::new(name, method, n, Some(script))),
            (Some((method, n)), None) => {
                Box::new(Lookahead::new(name, method, n, self.player(judge)?, self.game))
            }
            (None, Some(script)) if *kind == Greedy => {
                Box::new(super::Greedy { judge: Some(script), ..super::Greedy::default() })
            }
            (None, None) if *kind == Greedy => return Err(AgentError::NoLookahead(kind.to_string())),
            (None, _) => return Err(AgentError::NoJudge(kind.to_string())),
        })
    }

    /// Solves the game, once.
    fn solution(&mut self) -> Result<Arc<Solution>, AgentError> {
        if self.game.hides() {
            return Err(AgentError::Hidden);
        }
        let solution = match self.solution.take() {
            Some(solution) => solution,
            None => Arc::new(solve(self.game, &GraphLimits::default()).map_err(AgentError::TooLarge)?),
        };
        Ok(Arc::clone(self.solution.insert(solution)))
    }

    /// Prepares a script, once.
    fn script(&mut self, file: &Arc<AgentFile>) -> Result<Scripted, AgentError> {
        if let Some(known) = self.scripts.iter().find(|script| script.is_of(file)) {
            return Ok(known.clone());
        }
        let script = Scripted::new(file, self.game)?;
        self.scripts.push(script.clone());
        Ok(script)
    }

    /// Returns the trained agent of a kind: trains it, or fits that of a file to the game.
    fn player(&mut self, kind: &AgentKind) -> Result<Arc<learned::Learned>, AgentError> {
        match kind {
            Learned(games) => {
                let player = learned::learned(self.game, *games, self.training, self.audience);
                player.map_err(AgentError::Learn)
            }
            Player(file) => Ok(Arc::new(file.fit(self.game).map_err(AgentError::Player)?)),
            Random | Greedy | Mobile | Exact | Flat(_) | Mcts(_) | Ismcts(_) | Glance(_) | Script(_)
            | Judging(..) | Own(_) => Err(AgentError::NoValue(kind.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_by_name() {
        for kind in [
            Random,
            Greedy,
            Mobile,
            Exact,
            Flat(1),
            Mcts(MOST_SIMULATIONS),
            Ismcts(7),
            Glance(9),
            Learned(None),
            Learned(Some(9)),
        ] {
            assert_eq!(AgentKind::parse(&kind.to_string()).as_ref(), Ok(&kind));
        }
        for name in AgentKind::NAMES {
            assert_eq!(AgentKind::parse(name).unwrap().to_string().split(':').next(), Some(name));
        }
        assert_eq!(AgentKind::parse(" mcts "), Ok(Mcts(100)));
        let error = |name| AgentKind::parse(name).unwrap_err().to_string();
        assert_eq!(error("gredy"), "no agent is called `gredy`; did you mean `greedy`?");
        assert_eq!(error("mtcs:10"), "no agent is called `mtcs:10`; did you mean `mcts`?");
        assert!(error("alphazero").contains(
            "there are `random`, `greedy`, `mobile`, `exact`, `flat:N`, `mcts:N`, `ismcts:N`, `glance:N`, `learned`, `learned:N`, players \
             that were trained: `FILE.player`, and scripts of your own"
        ));
        for wrong in ["mcts:", "mcts:0", "mcts:x", "flat:-1", "mcts:99999999999"] {
            assert!(error(wrong).contains("a number of simulations from 1 to 10,000,000"), "{wrong}");
        }
        assert_eq!(error("greedy:10"), "`greedy` takes no number: write `greedy` alone");
    }

    #[test]
    fn only_scripts_and_learned_players_evaluate_states() {
        let judging = |kind: AgentKind, judge| kind.judging(judge).map(|kind| kind.to_string());
        assert_eq!(judging(Mcts(5), Learned(None)), Ok("mcts:5:learned".to_owned()));
        assert_eq!(judging(Mcts(5), Random), Err(AgentError::NoValue("random".to_owned())));
        assert_eq!(judging(Exact, Learned(None)), Err(AgentError::NoJudge("exact".to_owned())));
        assert_eq!(judging(Greedy, Learned(None)), Err(AgentError::NoLookahead("greedy".to_owned())));
    }
}
