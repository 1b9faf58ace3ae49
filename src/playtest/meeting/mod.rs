//! Evaluation of one agent against another, in every seat with common random numbers.

pub(crate) mod contest;

use std::ops::Range;

use serde::{Deserialize, Serialize};

use houserule_base::clock::ThreadClock;
use houserule_base::interrupt;
use houserule_base::rng::Stream;
use houserule_base::statistics::interval::student;
use houserule_game::{Game, RuntimeError, Seat, State};
use houserule_players::agent::{Agent, agent_stream, apply_choice};

/// A mean and its 95 % interval.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Half of the interval's width, by Student's distribution; `None` for fewer than two numbers.
    pub half: Option<f64>,
}

impl Estimate {
    /// Estimates the mean of independent numbers.
    pub fn from_numbers(numbers: &[f64]) -> Estimate {
        let n = numbers.len() as f64;
        let mean = numbers.iter().sum::<f64>() / n.max(1.0);
        let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
        let half = student(numbers.len() as u64).map(|wide| wide * (squares / (n - 1.0) / n).sqrt());
        Estimate { mean, half }
    }

    /// Returns `true` if the whole interval is above 0.
    pub fn is_surely_positive(&self) -> bool {
        self.half.is_some_and(|half| self.mean > half)
    }
}

/// The result of an agent against another.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Meeting {
    /// Games that it played.
    pub games: u64,
    /// Its win rate, where a win shared by k counts 1/k; in a one-player game its mean score.
    pub own: Estimate,
    /// The baseline: an equal share of wins; in a one-player game the other agent's mean score in the same games; in a game
    /// with partners the mean share of all seats if the other agent has them all, in the same games.
    pub other: Estimate,
    /// Mean improvement over the baseline in the same games.
    pub better: Estimate,
    /// CPU seconds per decision of the agent.
    pub own_seconds: f64,
    /// CPU seconds per decision of the other agent.
    pub other_seconds: f64,
}

/// Plays games `0..games` of a seed with `player` in every seat in turn, until `enough` returns `true`. In a
/// one-player game and in one with partners, `other` plays each game by itself as well.
pub fn meet(
    game: &Game,
    player: &mut dyn Agent,
    other: &mut dyn Agent,
    seed: u64,
    games: u64,
    enough: &mut dyn FnMut() -> bool,
) -> Result<Meeting, RuntimeError> {
    let mut met = Met::default();
    met.play(game, player, other, seed, 0..games, enough)?;
    Ok(met.summary(game))
}

/// Like [`meet`], on several threads: the same games and results, if `stop` doesn't return `true`.
pub fn meet_on(
    game: &Game,
    player: &dyn Agent,
    other: &dyn Agent,
    seed: u64,
    games: u64,
    threads: usize,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Meeting, RuntimeError> {
    let threads = threads.max(1) as u64;
    let here = interrupt::current();
    let parts: Vec<Result<Met, RuntimeError>> = std::thread::scope(|scope| {
        let part = |at: u64| {
            let (mut player, mut other, here) = (player.copy(), other.copy(), &here);
            let range = games * at / threads..games * (at + 1) / threads;
            scope.spawn(move || {
                here.scope(|| {
                    let mut met = Met::default();
                    met.play(game, &mut *player, &mut *other, seed, range, &mut || stop())?;
                    Ok(met)
                })
            })
        };
        let spawned: Vec<_> = (0..threads).map(part).collect();
        spawned.into_iter().filter_map(|thread| thread.join().ok()?.ok()).collect()
    });
    let mut all = Met::default();
    for part in parts {
        all.merge(part?);
    }
    Ok(all.summary(game))
}

/// The games of a meeting.
#[derive(Default)]
struct Met {
    /// By game: the mean share of wins over all seats, or in a one-player game the score.
    own: Vec<f64>,
    /// The same of the other agent by itself, in a one-player game and in one with partners.
    others: Vec<f64>,
    clocks: [Clock; 2],
}

impl Met {
    fn play(
        &mut self,
        game: &Game,
        player: &mut dyn Agent,
        other: &mut dyn Agent,
        seed: u64,
        games: Range<u64>,
        enough: &mut dyn FnMut() -> bool,
    ) -> Result<(), RuntimeError> {
        let seats = game.players();
        for index in games {
            if self.own.len() > 1 && enough() {
                break;
            }
            let clocks = &mut self.clocks;
            let mut play = |seats: &[usize]| -> Result<State, RuntimeError> {
                let mut state = game.start(seed, index)?;
                let agents: &mut [&mut dyn Agent] = &mut [&mut *player, &mut *other];
                Seating { agents, seats, clocks: &mut *clocks }.play(&mut state, seed, index)?;
                Ok(state)
            };
            if seats == 1 {
                self.own.push(play(&[0])?.score(Seat(0))? as f64);
                self.others.push(play(&[1])?.score(Seat(0))? as f64);
                continue;
            }
            let mut sum = 0.0;
            for seat in 0..seats {
                let seats: Vec<usize> = (0..seats).map(|of| usize::from(of != seat)).collect();
                sum += share_of(&play(&seats)?, seat);
            }
            if has_partners(game) {
                let state = play(&vec![1; seats as usize])?;
                let shares: f64 = (0..seats).map(|seat| share_of(&state, seat)).sum();
                self.others.push(shares / f64::from(seats));
            }
            self.own.push(sum / f64::from(seats));
        }
        Ok(())
    }

    /// Adds the games that follow.
    fn merge(&mut self, mut next: Met) {
        self.own.append(&mut next.own);
        self.others.append(&mut next.others);
        for (clock, next) in self.clocks.iter_mut().zip(next.clocks) {
            clock.seconds += next.seconds;
            clock.decisions += next.decisions;
        }
    }

    fn summary(&self, game: &Game) -> Meeting {
        let seats = game.players();
        // The lower score may be the better one.
        let direction = game.model().score_direction;
        let (even, differences): (_, Vec<f64>) = if seats == 1 || has_partners(game) {
            let differences = self.own.iter().zip(&self.others).map(|(own, other)| match seats {
                1 => direction.worth(own - other),
                _ => own - other,
            });
            (Estimate::from_numbers(&self.others), differences.collect())
        } else {
            let even = 1.0 / f64::from(seats);
            (Estimate { mean: even, half: Some(0.0) }, self.own.iter().map(|own| own - even).collect())
        };
        let [own_clock, other_clock] = self.clocks;
        Meeting {
            games: self.own.len() as u64 * u64::from(seats),
            own: Estimate::from_numbers(&self.own),
            other: even,
            better: Estimate::from_numbers(&differences),
            own_seconds: own_clock.per_decision(),
            other_seconds: other_clock.per_decision(),
        }
    }
}

/// Returns the result of each agent in games `0..games` of a seed, all on the same chance: a row for each game. With one
/// player a result is the worth of the score; with several, the mean share of the win over all seats, with `other` in
/// the other seats. A game that an error ends has no row. Stops with the rows so far once `stop` returns `true`.
pub fn results_on_dice(
    game: &Game,
    agents: &mut [Box<dyn Agent>],
    other: &mut dyn Agent,
    seed: u64,
    games: Range<u64>,
    stop: &dyn Fn() -> bool,
) -> Vec<Vec<f64>> {
    let seats = game.players();
    let mut result = |agent: &mut dyn Agent, index: u64| -> Result<f64, RuntimeError> {
        let mut clocks = [Clock::default(); 2];
        let mut sum = 0.0;
        for seat in 0..seats {
            let taken: Vec<usize> = (0..seats).map(|of| usize::from(of != seat)).collect();
            let mut state = game.start(seed, index)?;
            let both: &mut [&mut dyn Agent] = &mut [&mut *agent, &mut *other];
            Seating { agents: both, seats: &taken, clocks: &mut clocks }.play(&mut state, seed, index)?;
            sum += match seats {
                1 => state.worth_of_each()?[0],
                _ => share_of(&state, seat),
            };
        }
        Ok(sum / f64::from(seats))
    };
    let mut rows = vec![];
    for index in games {
        let row: Result<Vec<f64>, RuntimeError> =
            agents.iter_mut().map(|agent| result(&mut **agent, index)).collect();
        if stop() {
            break;
        }
        rows.extend(row.ok());
    }
    rows
}

/// Returns `true` if some players win and lose together. An equal share of the wins says nothing of them.
pub fn has_partners(game: &Game) -> bool {
    game.model().sides().count_ones() < game.players()
}

/// Returns a seat's share of the win in a finished game.
fn share_of(state: &State, seat: u32) -> f64 {
    let sides = state.game().model().sides();
    state.outcome().map_or(0.0, |outcome| outcome.win_shares(sides)[seat as usize])
}

/// CPU time of an agent's decisions.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
pub struct Clock {
    /// Seconds of CPU time.
    pub seconds: f64,
    /// Number of decisions.
    pub decisions: u64,
}

impl Clock {
    /// Returns the mean CPU time of a decision, in seconds.
    pub fn per_decision(&self) -> f64 {
        self.seconds / self.decisions.max(1) as f64
    }
}

/// Agents in their seats.
pub struct Seating<'p> {
    /// The agents.
    pub agents: &'p mut [&'p mut dyn Agent],
    /// The index of each seat's agent.
    pub seats: &'p [usize],
    /// The clock of each agent.
    pub clocks: &'p mut [Clock],
}

impl Seating<'_> {
    /// Plays game `index` of a seed from `state` to its end.
    pub fn play(&mut self, state: &mut State, seed: u64, index: u64) -> Result<(), RuntimeError> {
        let players = state.game().players();
        let mut streams: Vec<Stream> =
            (0..players).map(|seat| agent_stream(seed, index, Seat(seat))).collect();
        while let Some(current) = state.current_player() {
            interrupt::check();
            let seat = current.0 as usize;
            let agent = self.seats[seat];
            let begun = ThreadClock::start();
            let chosen = self.agents[agent].choose(&mut state.seen_by(current), &mut streams[seat])?;
            self.clocks[agent].seconds += begun.seconds();
            self.clocks[agent].decisions += 1;
            apply_choice(state, &*self.agents[agent], chosen)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::*;
    use houserule_loader::{Request, load, load_text};
    use houserule_players::agents::AgentKind;

    #[test]
    fn a_meeting_is_the_same_on_any_number_of_threads() {
        for (name, players, games) in [("dilido", 1, 30), ("tic-tac-toe", 2, 11), ("dominoes", 3, 5)] {
            let game = load(&Request { name, players: Some(players), ..Request::default() }).unwrap().game;
            let agent = |name: &str| {
                let kinds = vec![AgentKind::parse(name).unwrap(); players as usize];
                AgentKind::seat_all(&kinds, &game).unwrap().swap_remove(0)
            };
            let (mut one, mut other) = (agent("greedy"), agent("random"));
            let figures = |met: &Meeting| (met.games, met.own, met.other, met.better);
            let whole = meet(&game, &mut *one, &mut *other, 3, games, &mut || false).unwrap();
            for threads in [1, 2, 7, 64] {
                let met = meet_on(&game, &*one, &*other, 3, games, threads, &|| false).unwrap();
                assert_eq!(figures(&met), figures(&whole), "{name} on {threads} threads");
            }
        }
    }

    #[test]
    fn partners_are_held_to_what_the_other_agent_wins_alone() {
        let rules = "game \"Both\" { players 2 team crew = players var points: 0..2 = 0
            turn { choose { pass { } make { points += 1 } } }
            end won when points == 2: win me
            end lost of round when round == 1: lose me }";
        let game = load_text("game", rules, &Request::default()).unwrap().game;
        let agent = |name: &str| AgentKind::parse(name).unwrap().seat_one(&game).unwrap();
        let (mut one, mut other) = (agent("greedy"), agent("random"));
        let met = meet(&game, &mut *one, &mut *other, 3, 1000, &mut || false).unwrap();
        // Two random players make both points in a game of four. A greedy one makes the second point if it can: in the second
        // seat, a game of two. Standard errors are below 0.014.
        assert!((met.other.mean - 0.25).abs() < 0.07, "{met:?}");
        assert!((met.own.mean - 0.375).abs() < 0.07, "{met:?}");
        assert!((met.better.mean - (met.own.mean - met.other.mean)).abs() < 1e-9, "{met:?}");
        assert!(met.better.is_surely_positive(), "{met:?}");
        assert_eq!(met.games, 2000);
    }
}
