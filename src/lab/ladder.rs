//! Ladders: round-robin tournaments of agents, with Elo ratings.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

use houserule_base::done::DoneCount;
use houserule_base::interrupt;
use houserule_base::parts::Parts;
use houserule_base::statistics::interval::NORMAL;
use houserule_base::statistics::{Pairing, rate};
use houserule_game::matches::Match;
use houserule_game::{Game, RuntimeError, Seat};
use houserule_players::agents::{Agent, AgentKind};
use houserule_playtest::{Clock, RunMonitor, Seating, SimulateError, VERSION, last_index};

/// Settings of a ladder.
#[derive(Clone, Debug)]
pub struct LadderPlan {
    /// The agents: at least two, each once.
    pub agents: Vec<AgentKind>,
    /// Games, or matches, of each pair, half of them with exchanged sides; in a one-player game, of each agent.
    pub games: u64,
    /// Index of the first game, or match.
    pub first: u64,
    /// The seed.
    pub seed: u64,
    /// Number of threads; at least 1.
    pub threads: usize,
    /// Play whole matches.
    pub match_play: bool,
}

/// The results of a ladder.
#[derive(Clone, Debug, Serialize)]
pub struct Ladder {
    /// Version of the JSON format.
    pub version: u32,
    /// The game, as it can be loaded again.
    pub game: String,
    /// Its title.
    pub title: String,
    /// Number of players.
    pub players: u32,
    /// `true` if matches were played.
    #[serde(rename = "match")]
    pub match_play: bool,
    /// The seed.
    pub seed: u64,
    /// Index of the first game, or match.
    pub first: u64,
    /// Requested number of games, or matches, of each pair.
    pub requested: u64,
    /// `true` if the ladder was stopped before all games were played.
    pub interrupted: bool,
    /// Games ended by an error of the rules; no statistic includes them.
    pub aborted: u64,
    /// The agents, strongest first.
    pub agents: Vec<Rung>,
    /// Advantage of the first seat, or of the side of that seat, in Elo; null for one-player games.
    pub first_seat: Option<f64>,
    /// Half of its 95 % interval; null for one-player games.
    pub first_seat_half: Option<f64>,
}

/// The result of an agent on a ladder.
#[derive(Clone, Debug, Serialize)]
pub struct Rung {
    /// The agent.
    pub agent: String,
    /// Its Elo rating; the mean of all agents is 0.
    pub elo: f64,
    /// Half of the 95 % interval of its difference from the mean.
    pub half: f64,
    /// Half of the 95 % interval of its difference from each agent of the ladder, in their order.
    #[serde(skip)]
    pub apart: Vec<f64>,
    /// Games, or matches, that it played.
    pub games: u64,
    /// Points per game: 1 for a win, 1/2 for a draw.
    pub points: f64,
    /// Share of drawn games.
    pub draws: f64,
    /// CPU time of one decision, in seconds.
    pub seconds: f64,
    /// Points per game against each agent, in the order of the ladder; null against itself.
    pub against: Vec<Option<f64>>,
}

/// The number and the result of each game.
type Results = Vec<(u64, GameResult)>;

/// Some games of all pairs.
#[derive(Default, Deserialize, Serialize)]
struct LadderGames {
    /// The results of each order of sides.
    results: Vec<Results>,
    /// The CPU time of each agent.
    clocks: Vec<Clock>,
    aborted: u64,
}

impl LadderGames {
    /// Adds games; `self` may be empty.
    fn merge(&mut self, other: LadderGames) {
        self.results.resize_with(other.results.len(), Vec::new);
        self.clocks.resize(other.clocks.len(), Clock::default());
        self.results.iter_mut().zip(other.results).for_each(|(all, more)| all.extend(more));
        for (sum, more) in self.clocks.iter_mut().zip(other.clocks) {
            (sum.seconds, sum.decisions) = (sum.seconds + more.seconds, sum.decisions + more.decisions);
        }
        self.aborted += other.aborted;
    }
}

/// The result of a game. With two sides: 1 if the first won, -1 if the second won, 0 for a draw. With one player: the
/// worth of its score.
type GameResult = f64;

/// Checks that a game is for one player or for two sides.
pub fn check_sides(game: &Game) -> Result<(), SimulateError> {
    let sides = game.model().sides().count_ones();
    let allows_two = game.model().players.least <= 2;
    if game.players() == 1 || sides == 2 { Ok(()) } else { Err(SimulateError::Ladder { sides, allows_two }) }
}

/// Plays all pairs and rates the agents, in a game for one player or for two sides. An agent decides for all players of a
/// side. If `watch` stops it, the games so far are rated.
pub fn ladder(game: &Game, plan: &LadderPlan, watch: &RunMonitor<'_>) -> Result<Ladder, SimulateError> {
    ladder_in_parts(game, plan, watch, &Parts::here(), 1, &[])
}

/// Like [`ladder`], in about `count` parts that several processes can do. A part is a range of games, and needs the parts
/// `needs`. If `parts` is a list or a single part, there is no result, and the error is [`SimulateError::Stopped`].
pub(crate) fn ladder_in_parts(
    game: &Game,
    plan: &LadderPlan,
    watch: &RunMonitor<'_>,
    parts: &Parts,
    count: u64,
    needs: &[String],
) -> Result<Ladder, SimulateError> {
    if plan.match_play && game.model().match_rules.is_none() {
        return Err(SimulateError::NoMatch);
    }
    check_sides(game)?;
    let alone = game.players() == 1;
    let each = if alone { plan.games } else { plan.games.div_ceil(2) };
    last_index(game, plan.match_play, plan.first, each)?;
    let all = 0..plan.agents.len();
    let orders: Vec<Vec<usize>> = match alone {
        true => all.map(|one| vec![one]).collect(),
        false => all
            .clone()
            .flat_map(|one| all.clone().filter(move |other| *other != one).map(move |other| vec![one, other]))
            .collect(),
    };
    let mut found = LadderGames::default();
    for range in parts.ranges(plan.first..plan.first + each, each.div_ceil(count)) {
        let make = || games(game, plan, &orders, range.clone(), watch);
        if let Some(part) = parts.part(&format!("ladder, games {range:?}"), needs, make)? {
            found.merge(part);
        }
    }
    if !parts.is_whole() {
        return Err(SimulateError::Stopped);
    }
    let LadderGames { mut results, clocks, aborted } = found;
    results.resize_with(orders.len(), Vec::new);
    let pairings = if alone { compared(&results) } else { met(&orders, &results) };
    let rating = rate(plan.agents.len(), &pairings, alone);
    let mut order: Vec<usize> = (0..plan.agents.len()).collect();
    order.sort_by(|a, b| rating.players[*b].elo.total_cmp(&rating.players[*a].elo));
    let rung = |at: &usize| {
        let rated = rating.players[*at];
        let against =
            order.iter().map(|other| Some(rating.pairs[*at][*other]).filter(|share| !share.is_nan()));
        Rung {
            agent: plan.agents[*at].to_string(),
            elo: rated.elo,
            half: NORMAL * rated.se,
            apart: order.iter().map(|other| NORMAL * rating.apart[*at][*other]).collect(),
            games: if alone { results[*at].len() as u64 } else { rated.games },
            points: rated.points,
            draws: rated.draws,
            seconds: clocks.get(*at).map_or(0.0, |clock| clock.per_decision()),
            against: against.collect(),
        }
    };
    Ok(Ladder {
        version: VERSION,
        game: game.identity().name.clone(),
        title: game.model().title.clone(),
        players: game.players(),
        match_play: plan.match_play,
        seed: plan.seed,
        first: plan.first,
        requested: if alone { each } else { 2 * each },
        interrupted: watch.stop.is_set(),
        aborted,
        agents: order.iter().map(rung).collect(),
        first_seat: rating.first_seat,
        first_seat_half: rating.first_seat_error.map(|error| NORMAL * error),
    })
}

/// Returns the number of each seat's side.
fn side_of_seats(game: &Game) -> Vec<usize> {
    (0..game.players()).map(|seat| game.model().side_of(Seat(seat)) as usize).collect()
}

/// Plays games of all orders of sides.
fn games(
    game: &Game,
    plan: &LadderPlan,
    orders: &[Vec<usize>],
    range: Range<u64>,
    watch: &RunMonitor<'_>,
) -> Result<LadderGames, SimulateError> {
    // Train or solve once, and copy for each thread.
    let seated = watch
        .stop
        .scope(|| plan.agents.iter().map(|kind| kind.seat_one(game)).collect::<Result<Vec<_>, _>>());
    let agents = seated.map_err(|_| SimulateError::Stopped)?.map_err(SimulateError::Agent)?;
    let (next, done) = (AtomicU64::new(0), DoneCount::default());
    let sides = side_of_seats(game);
    let seats: Vec<Vec<usize>> =
        orders.iter().map(|order| sides.iter().map(|side| order[*side]).collect()).collect();
    let tasks = (range.end - range.start) * orders.len() as u64;
    let all: Mutex<LadderGames> = Mutex::default();
    let work = |mut agents: Vec<Box<dyn Agent>>| {
        let clocks = vec![Clock::default(); agents.len()];
        let mut own = LadderGames { results: vec![vec![]; orders.len()], clocks, aborted: 0 };
        loop {
            // Alternate between the pairs, so that all have as many games if the ladder is stopped.
            let task = next.fetch_add(1, Ordering::Relaxed);
            if task >= tasks || watch.stop.is_set() {
                break;
            }
            let number = range.start + task / orders.len() as u64;
            let at = (task % orders.len() as u64) as usize;
            let mut table: Vec<&mut dyn Agent> = agents.iter_mut().map(|agent| &mut **agent as _).collect();
            let mut seated = Seating { agents: &mut table, seats: &seats[at], clocks: &mut own.clocks };
            match watch.stop.scope(|| play(game, plan, number, &mut seated)) {
                Ok(Ok(came)) => own.results[at].push((number, came)),
                Ok(Err(_)) => own.aborted += 1,
                Err(_) => break,
            }
            done.add(1, watch.progress);
        }
        all.lock().unwrap_or_else(|e| e.into_inner()).merge(own);
    };
    let here = interrupt::current();
    std::thread::scope(|scope| {
        let (work, here) = (&work, &here);
        for _ in 1..plan.threads.max(1) {
            let copies: Vec<_> = agents.iter().map(|agent| agent.copy()).collect();
            scope.spawn(move || here.scope(|| work(copies)));
        }
        work(agents.iter().map(|agent| agent.copy()).collect());
    });
    interrupt::check();
    let mut all = all.into_inner().unwrap_or_else(|e| e.into_inner());
    all.results.iter_mut().for_each(|results| results.sort_by_key(|(number, _)| *number));
    Ok(all)
}

/// Plays a game or a match and returns its result.
fn play(
    game: &Game,
    plan: &LadderPlan,
    number: u64,
    seated: &mut Seating<'_>,
) -> Result<GameResult, RuntimeError> {
    let direction = game.model().score_direction;
    let alone = game.players() == 1;
    let (winners, score) = if plan.match_play
        && let Some(mut whole) = Match::new(game, plan.seed, number)
    {
        while !whole.is_over() {
            let index = whole.next_start().index;
            let mut state = whole.start()?;
            seated.play(&mut state, plan.seed, index)?;
            whole.enter(&state)?;
        }
        (whole.leaders(), whole.standings().first().map_or(0, |standing| standing.total))
    } else {
        let mut state = game.start(plan.seed, number)?;
        seated.play(&mut state, plan.seed, number)?;
        let winners = state.outcome().map_or_else(Vec::new, |outcome| outcome.winners);
        (winners, if alone { state.score(Seat(0))? } else { 0 })
    };
    if alone {
        return Ok(direction.worth(score as f64));
    }
    let won = |side: u32| {
        let mut seats = (0u32..).map(Seat).zip(&winners);
        f64::from(u8::from(seats.any(|(seat, won)| *won && game.model().side_of(seat) == side)))
    };
    Ok(won(0) - won(1))
}

/// Returns the pairings of a game of two sides.
fn met(orders: &[Vec<usize>], found: &[Results]) -> Vec<Pairing> {
    let pairing = |(seats, results): (&Vec<usize>, &Results)| Pairing {
        first: seats[0],
        second: seats[1],
        results: results.iter().map(|(number, came)| (*number, *came as i8)).collect(),
    };
    orders.iter().zip(found).map(pairing).collect()
}

/// Returns the pairings of a one-player game: in each game the better score wins.
fn compared(found: &[Results]) -> Vec<Pairing> {
    let mut pairings = vec![];
    for (first, one) in found.iter().enumerate() {
        for (second, other) in found.iter().enumerate().skip(first + 1) {
            let result = |(number, own): &(u64, GameResult)| {
                let theirs = other.binary_search_by_key(number, |(number, _)| *number).ok()?;
                Some((*number, own.total_cmp(&other[theirs].1) as i8))
            };
            let results = one.iter().filter_map(result).collect();
            pairings.push(Pairing { first, second, results });
        }
    }
    pairings
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_base::interrupt::Interrupt;
    use houserule_loader::{Request, load, load_text};

    #[test]
    fn a_game_for_three_has_no_ladder() {
        let game = load(&Request { name: "pig", players: Some(3), ..Request::default() }).unwrap().game;
        let agents = vec![AgentKind::Random, AgentKind::Greedy];
        let plan = LadderPlan { agents, games: 2, first: 0, seed: 1, threads: 1, match_play: false };
        let watch = RunMonitor { progress: &|_| {}, stop: &Interrupt::new() };
        assert!(matches!(
            ladder(&game, &plan, &watch),
            Err(SimulateError::Ladder { sides: 3, allows_two: true })
        ));
    }

    #[test]
    fn an_agent_plays_a_whole_side() {
        let rules = "game \"Pairs\" { players A, B, C, D team odd = {A, C} team even = {B, D}
            var points[player]: 0..9 = 0
            turn { choose { take n in 0..2 { points[me] += n } } }
            end when turns[D] == 2 and me == D
            score { points: points[me] } winner most(score) }";
        let game = load_text("game", rules, &Request::default()).unwrap().game;
        assert_eq!(side_of_seats(&game), [0, 1, 0, 1]);
        let agents = vec![AgentKind::Random, AgentKind::Greedy];
        let plan = LadderPlan { agents, games: 40, first: 0, seed: 1, threads: 2, match_play: false };
        let watch = RunMonitor { progress: &|_| {}, stop: &Interrupt::new() };
        let found = ladder(&game, &plan, &watch).unwrap();
        let best = &found.agents[0];
        // Greedy players make all points that there are, so their side never loses.
        assert_eq!((best.agent.as_str(), best.games), ("greedy", 40));
        assert!(best.points + best.draws / 2.0 >= 1.0 - 1e-9 && best.points > 0.9, "{best:?}");
    }
}
