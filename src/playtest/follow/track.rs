//! Games played by one agent in all seats, followed event by event: who decided what among how many actions, how
//! the value of each seat moved, and what stood on the boards. Values are exact if the game was solved, else learned.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use serde::{Deserialize, Serialize};

use super::exact::ExactValues;
use super::places::{Places, SiteUse};
use super::repetition::RepetitionCounter;
use houserule_base::done::DoneCount;
use houserule_base::interrupt::{self, Interrupt};
use houserule_base::rng::Stream;
use houserule_game::hidden::View;
use houserule_game::{ActionId, ApplyError, Event, Game, RuntimeError, Seat, Start, State};
use houserule_model::{CheckedStmtKind, ChoiceId, DomainId, Model, ScoreDirection, SlotId, Type, walk};
use houserule_players::agent::{Agent, agent_stream, apply_choice};
use houserule_players::agents::{AgentError, AgentKind, LearnedAgent};
use houserule_players::learned::learned;

/// A finished game.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Track {
    /// Its index in the run.
    pub index: u64,
    /// What each seat got: its share of the win, or in a one-player game its score.
    pub results: Vec<f64>,
    /// The state before each event, and last the final one.
    pub moments: Vec<Moment>,
    /// The decisions among the events, in order.
    pub choices: Vec<TrackedDecision>,
    /// The number of finished turns.
    pub turns: u64,
    /// Share of positions at decisions that had occurred before in the game.
    pub repeated: f64,
    /// Points between the best score and the next; `None` with one player or without a score.
    #[serde(default)]
    pub margin: Option<i64>,
    /// Which seat has the best score before each decision, if one has; empty if it wasn't asked for, with one player or
    /// without a score.
    #[serde(default)]
    pub leaders: Vec<Option<u32>>,
    /// The index of the moment of the first decision after the setup; `None` if there is none.
    #[serde(default)]
    pub set_up: Option<u32>,
    /// The number of chance events of the setup, before the first decision of play.
    #[serde(default)]
    pub set_up_events: u32,
}

impl Track {
    /// Returns the index of the moment in which play begins: the first decision after the setup, if there is one.
    pub fn begin(&self) -> usize {
        self.set_up.map_or(0, |moment| moment as usize)
    }
}

/// Returns how many of some games are different: those with the same decisions count once.
pub fn different_games<'t>(tracks: impl Iterator<Item = &'t Track>) -> u64 {
    let taken = |track: &Track| track.choices.iter().map(|choice| choice.taken.0).collect::<Vec<u32>>();
    tracks.map(taken).collect::<HashSet<_>>().len() as u64
}

/// A moment of a game: the state before an event.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Moment {
    /// The seat that decides, or `None` before a chance event and at the end.
    pub seat: Option<u32>,
    /// The value for each seat: an exact expectation, or a learned value; empty if there is neither.
    pub values: Vec<f32>,
    /// Number of sites with a piece or a number other than 0; `None` if it was not counted.
    pub occupied: Option<u32>,
    /// The greatest score minus the least; `None` if it was not computed.
    pub score_gap: Option<i64>,
}

/// A decision.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct TrackedDecision {
    /// The index of its moment.
    pub moment: u32,
    /// The seat.
    pub seat: u32,
    /// The number of legal actions.
    pub legal: u32,
    /// The blocks of actions with a legal action; empty if they weren't asked for.
    #[serde(default)]
    pub offered: Vec<u32>,
    /// The action taken.
    pub taken: ActionId,
    /// The values of the actions, if there were several.
    pub values: Option<ActionValues>,
}

/// Values of the legal actions of a decision. More is better.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct ActionValues {
    /// Value of the best action.
    pub best: f32,
    /// Value of the second best.
    pub second: f32,
    /// Mean over the legal actions.
    pub mean: f32,
    /// Value of the worst.
    pub least: f32,
    /// Share of the actions whose value is at least the mean plus three quarters of the best's lead over the mean.
    pub near: f32,
    /// Population variance of the values.
    pub variance: f32,
    /// For each block of actions with a legal action, the best value in it.
    pub blocks: Vec<(u32, f32)>,
}

/// The agent whose games are followed.
pub enum FollowedAgent {
    /// With learned values of states and actions.
    Learned(Box<LearnedAgent>),
    /// Without values.
    Other(Box<dyn Agent>),
}

impl FollowedAgent {
    /// Makes an agent of a training. The player that it needs is trained, unless it is held or kept.
    pub fn seat(game: &Game, kind: &AgentKind, training: u64) -> Result<FollowedAgent, AgentError> {
        let player = match kind {
            AgentKind::Learned(games) => {
                learned(game, *games, training, &mut ()).map_err(AgentError::Learn)?
            }
            AgentKind::Player(file) => Arc::new(file.fit(game).map_err(AgentError::Player)?),
            other => return Ok(FollowedAgent::Other(other.seat_one(game)?)),
        };
        Ok(FollowedAgent::Learned(Box::new(player.agent(game, &kind.to_string()))))
    }

    /// Returns another agent of the same kind, with the same player if it has learned.
    fn another(&self) -> FollowedAgent {
        match self {
            FollowedAgent::Learned(player) => FollowedAgent::Learned(Box::new(player.another())),
            FollowedAgent::Other(agent) => FollowedAgent::Other(agent.copy()),
        }
    }

    /// Returns the player's own values.
    fn evaluator(&self) -> PositionValues<'static> {
        match self {
            FollowedAgent::Learned(player) => PositionValues::Learned(Box::new(player.another())),
            FollowedAgent::Other(_) => PositionValues::None,
        }
    }

    /// Chooses as in a simulation, and calls `see` with the value of each action, if the player knows them.
    fn choose(
        &mut self,
        view: &mut View<'_>,
        stream: &mut Stream,
        see: &mut dyn FnMut(ActionId, f32),
    ) -> Result<Option<ActionId>, RuntimeError> {
        match self {
            FollowedAgent::Learned(player) => player.choose_with_values(view, stream, see),
            FollowedAgent::Other(agent) => agent.choose(view, stream),
        }
    }

    fn agent(&self) -> &dyn Agent {
        match self {
            FollowedAgent::Learned(player) => &**player,
            FollowedAgent::Other(agent) => &**agent,
        }
    }
}

/// Where the values of states come from.
enum PositionValues<'e> {
    Exact(&'e ExactValues),
    /// Values of a copy of the player that decides. Asked for more values, that player itself would draw other random
    /// numbers than in a simulation.
    Learned(Box<LearnedAgent>),
    None,
}

/// What to follow.
#[derive(Clone, Copy, Debug)]
pub struct TrackPlan {
    /// The seed.
    pub seed: u64,
    /// Number of threads, at least 1.
    pub threads: usize,
    /// Number of games, the first of each run, in which sites and scores are counted before every event.
    pub with_boards: u64,
    /// Whether it is noted which options could be taken.
    pub with_options: bool,
    /// Whether it is noted who leads in score.
    pub with_leaders: bool,
}

/// The games of a run, in the order of their indices, and the use of their sites.
#[derive(Default, Deserialize, Serialize)]
pub struct Tracks {
    /// The games, in the order of their indices.
    pub games: Vec<Track>,
    /// How sites were used; `None` if no boards were followed.
    pub sites: Option<SiteUse>,
    /// Games that an error ended.
    pub aborted: u64,
}

impl Tracks {
    /// Adds games of other threads, or games that follow these.
    pub fn merge(&mut self, mut other: Tracks) {
        self.games.append(&mut other.games);
        self.aborted += other.aborted;
        match (&mut self.sites, other.sites) {
            (Some(mine), Some(theirs)) => mine.merge(&theirs),
            (mine @ None, theirs) => *mine = theirs,
            (Some(_), None) => {}
        }
    }
}

/// Plays games with `player` in all seats. They are the games that a simulation with this agent and seed plays.
/// `exact` values, if there are any, stand instead of learned ones. `report` gets the number of finished games.
pub fn follow(
    game: &Game,
    player: &FollowedAgent,
    exact: Option<&ExactValues>,
    games: Range<u64>,
    plan: &TrackPlan,
    stop: &Interrupt,
    report: &(dyn Fn(u64) + Sync),
) -> Tracks {
    let (next, done) = (AtomicU64::new(games.start), DoneCount::default());
    let all: Mutex<Tracks> = Mutex::default();
    let places = Places::new(game);
    let with_boards = games.start + plan.with_boards;
    let work = |player: FollowedAgent| {
        let mut follower = Follower {
            game,
            seed: plan.seed,
            evaluator: match exact {
                Some(exact) => PositionValues::Exact(exact),
                None => player.evaluator(),
            },
            player,
            places: &places,
            positions: RepetitionCounter::new(game),
            setup: SetupStops::new(game.model()),
            sites: SiteUse::new(&places),
            with_options: plan.with_options,
            with_leaders: plan.with_leaders && game.players() > 1 && !game.model().score.is_empty(),
        };
        let mut tracks = Tracks::default();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= games.end || stop.is_set() {
                break;
            }
            match stop.scope(|| follower.play(index, index < with_boards)) {
                Ok(Ok(track)) => tracks.games.push(track),
                Ok(Err(_)) => tracks.aborted += 1,
                Err(_) => break,
            }
            done.add(1, report);
        }
        tracks.sites = Some(follower.sites);
        all.lock().unwrap_or_else(|e| e.into_inner()).merge(tracks);
    };
    let here = interrupt::current();
    std::thread::scope(|scope| {
        let (work, here) = (&work, &here);
        for _ in 1..plan.threads.max(1) {
            let player = player.another();
            scope.spawn(move || here.scope(|| work(player)));
        }
        work(player.another());
    });
    let mut all = all.into_inner().unwrap_or_else(|e| e.into_inner());
    all.games.sort_by_key(|track| track.index);
    all
}

/// Plays and follows games, one after the other.
struct Follower<'g> {
    game: &'g Game,
    seed: u64,
    player: FollowedAgent,
    evaluator: PositionValues<'g>,
    places: &'g Places,
    /// The positions of this game.
    positions: RepetitionCounter,
    setup: SetupStops,
    sites: SiteUse,
    with_options: bool,
    with_leaders: bool,
}

impl Follower<'_> {
    /// Plays a game. `counts`: sites and scores are counted before every event.
    fn play(&mut self, index: u64, counts: bool) -> Result<Track, RuntimeError> {
        let players = self.game.players();
        let mut streams: Vec<Stream> =
            (0..players).map(|seat| agent_stream(self.seed, index, Seat(seat))).collect();
        let start = Start { seed: self.seed, index, explicit_chance: true, ..Start::default() };
        let mut state = self.game.start_at(&start)?;
        let mut track = Track { index, ..Track::default() };
        self.positions.clear();
        let mut actions: Vec<(ActionId, f32)> = vec![];
        let mut sets_up = true;
        loop {
            interrupt::check();
            let seat = state.current_player();
            let mut moment = self.look_at(&state, seat.map(|seat| seat.0), counts);
            if let Some(seat) = seat {
                self.positions.note(&state, seat);
                let is_set_up =
                    state.pending_choice().is_none_or(|choice| !self.setup.choices.contains(&choice));
                if is_set_up && track.set_up.is_none() {
                    track.set_up = Some(track.moments.len() as u32);
                }
                actions.clear();
                let stream = &mut streams[seat.0 as usize];
                let mut see = |action, value| actions.push((action, value));
                let chosen = self.player.choose(&mut state.seen_by(seat), stream, &mut see)?;
                if let PositionValues::Exact(exact) = &self.evaluator {
                    actions = exact.actions(&state, seat.0);
                }
                let values = ActionValues::from_actions(self.game, &actions);
                if let Some(values) = &values {
                    if let PositionValues::Learned(_) = self.evaluator {
                        moment.values[seat.0 as usize] = values.best;
                    }
                    self.sites.weigh(self.places, self.game, &actions, values.mean);
                }
                let legal = state.legal_count() as u32;
                if self.with_leaders {
                    track.leaders.push(find_leader(&state)?);
                }
                let offered = if self.with_options { find_offered(&state) } else { vec![] };
                track.moments.push(moment);
                let taken = apply_choice(&mut state, self.player.agent(), chosen)?;
                let moment = track.moments.len() as u32 - 1;
                track.choices.push(TrackedDecision { moment, seat: seat.0, legal, offered, taken, values });
                continue;
            }
            track.moments.push(moment);
            let Some(outcome) = state.random_outcome() else { break };
            sets_up &= track.set_up.is_none()
                && state.turns() == 0
                && state.chance_event(outcome).is_some_and(|event| self.setup.has(event));
            track.set_up_events += u32::from(sets_up);
            if let Err(ApplyError::Runtime(error)) = state.apply_outcome(outcome) {
                return Err(error);
            }
        }
        self.sites.end(self.places, &state, counts);
        track.turns = state.turns();
        track.results = find_results(&state)?;
        track.margin = measure_margin(&state)?;
        track.repeated = self.positions.share();
        Ok(track)
    }

    /// Returns what is noted of a state.
    fn look_at(&mut self, state: &State, seat: Option<u32>, counts: bool) -> Moment {
        let players = self.game.players();
        let values = match &mut self.evaluator {
            PositionValues::Exact(exact) => exact.expected(state),
            PositionValues::Learned(learned) => (0..players).map(|seat| learned.value(state, seat)).collect(),
            PositionValues::None => vec![],
        };
        let occupied = (counts && !self.places.is_empty()).then(|| self.places.occupied(state));
        let score_gap = match counts && !self.game.model().score.is_empty() {
            true => state.score_of_each().ok().and_then(|scores| {
                Some(scores.iter().max()? - scores.iter().min().filter(|_| players > 1).unwrap_or(&0))
            }),
            false => None,
        };
        Moment { seat, values, occupied, score_gap }
    }
}

/// The decisions and the chance events that the setup has.
#[derive(Default)]
struct SetupStops {
    choices: Vec<ChoiceId>,
    /// The dice that it rolls.
    dice: Vec<SlotId>,
    /// The domains of which it picks elements.
    picked: Vec<DomainId>,
    /// Whether one of its scripts draws.
    draws: bool,
}

impl SetupStops {
    fn new(model: &Model) -> SetupStops {
        let mut found = SetupStops::default();
        walk::stmts(model, &model.setup, &mut |stmt| match &stmt.kind {
            CheckedStmtKind::Choose(choice) => found.choices.push(*choice),
            CheckedStmtKind::Roll { dice, .. } => found.dice.push(dice.slot),
            CheckedStmtKind::Pick { over, .. } => {
                if let Type::Set(domain) = over.ty {
                    found.picked.push(domain);
                }
            }
            CheckedStmtKind::Call { hook, .. } => found.draws |= model.hooks[hook.index()].draws,
            _ => {}
        });
        found
    }

    /// Returns `true` if a chance event before the first decision of play may be one of the setup.
    fn has(&self, event: Event) -> bool {
        match event {
            Event::Action { .. } => false,
            Event::Roll { slot, .. } => self.dice.contains(&slot),
            Event::Draw { .. } => self.draws,
            Event::Pick { domain, .. } => self.picked.contains(&domain),
        }
    }
}

/// Returns the blocks of actions with a legal action.
fn find_offered(state: &State) -> Vec<u32> {
    let model = state.game().model();
    let of_action = |action: &ActionId| model.action_block_index(*action).map(|block| block as u32);
    let mut offered: Vec<u32> = state.legal_actions().iter().filter_map(of_action).collect();
    offered.sort_unstable();
    offered.dedup();
    offered
}

/// Returns the score of each seat, of which more is better.
fn find_worths(state: &State) -> Result<Vec<i64>, RuntimeError> {
    let mut worth = state.score_of_each()?;
    if state.game().model().score_direction == ScoreDirection::Least {
        worth.iter_mut().for_each(|score| *score = score.saturating_neg());
    }
    Ok(worth)
}

/// Returns the seat with the best score, if no other has as much.
fn find_leader(state: &State) -> Result<Option<u32>, RuntimeError> {
    let worth = find_worths(state)?;
    let most = worth.iter().max();
    let mut best = (0..).zip(&worth).filter(|(_, score)| Some(*score) == most);
    Ok(best.next().filter(|_| best.next().is_none()).map(|(seat, _)| seat))
}

/// Returns the points between the best score and the next of a finished game with several players.
fn measure_margin(state: &State) -> Result<Option<i64>, RuntimeError> {
    let model = state.game().model();
    if state.game().players() == 1 || model.score.is_empty() {
        return Ok(None);
    }
    let mut worth = find_worths(state)?;
    worth.sort_unstable();
    Ok(Some(worth[worth.len() - 1].saturating_sub(worth[worth.len() - 2])))
}

/// Returns what each seat of a finished game got: its share of the win, or in a one-player game the score.
fn find_results(state: &State) -> Result<Vec<f64>, RuntimeError> {
    if state.game().players() == 1 {
        return Ok(vec![state.score_of_each()?[0] as f64]);
    }
    let sides = state.game().model().sides();
    Ok(state.outcome().map_or_else(Vec::new, |outcome| outcome.win_shares(sides)))
}

impl ActionValues {
    /// Summarises the values of actions; `None` for fewer than two.
    fn from_actions(game: &Game, actions: &[(ActionId, f32)]) -> Option<ActionValues> {
        if actions.len() < 2 {
            return None;
        }
        let (mut best, mut second, mut least) = (f32::NEG_INFINITY, f32::NEG_INFINITY, f32::INFINITY);
        let mut blocks: Vec<(u32, f32)> = vec![];
        for (action, value) in actions {
            if *value > best {
                (best, second) = (*value, best);
            } else {
                second = second.max(*value);
            }
            least = least.min(*value);
            let Some(block) = game.model().action_block_index(*action) else { continue };
            match blocks.iter_mut().find(|(at, _)| *at == block as u32) {
                Some((_, most)) => *most = most.max(*value),
                None => blocks.push((block as u32, *value)),
            }
        }
        let n = actions.len() as f64;
        let mean = actions.iter().map(|(_, value)| f64::from(*value)).sum::<f64>() / n;
        let variance = actions.iter().map(|(_, value)| (f64::from(*value) - mean).powi(2)).sum::<f64>() / n;
        let high = mean + 0.75 * (f64::from(best) - mean);
        let near = actions.iter().filter(|(_, value)| f64::from(*value) >= high).count() as f64 / n;
        Some(ActionValues {
            best,
            second,
            mean: mean as f32,
            least,
            near: near as f32,
            variance: variance as f32,
            blocks,
        })
    }
}
