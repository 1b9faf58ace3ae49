//! How strong the players of a report are, and what of their results is luck: games between agents, and of a panel of agents on
//! the same chance.

use std::ops::Range;

use super::evidence::{Evidence, PARTS, SEARCH, Strength, search};
use crate::ladder::{LadderPlan, ladder_in_parts};
use houserule_base::interrupt::Interrupt;
use houserule_players::agents::AgentKind;
use houserule_playtest::follow::luck::{Luck, luck};
use houserule_playtest::{
    Meeting, RunMonitor, SimulateError, games_within, meet_on, results_on_dice, rounded, seconds_of_a_game,
};

/// Work of the games between agents.
const LADDER_WORK: u64 = 60_000_000;

/// The fewest and the most games of a pair of agents.
const LADDER_GAMES: (u64, u64) = (20, 400);

/// The same of a meeting of more than two players, or of players who win together, each played in all seats.
const MEETING_GAMES: (u64, u64) = (10, 100);

/// Pairs of agents of which one searches, in games of the larger search.
const SEARCHING_PAIRS: f64 = 4.0;

impl Evidence<'_> {
    /// Plays the strong agent against random, greedy and a search of two sizes, for some seconds if they are given. Searches
    /// for which there is no time are left out. `expect` gets the seconds that the games of searches presumably take.
    pub(super) fn measure_strength(
        &self,
        strong: &AgentKind,
        seconds: Option<f64>,
        stop: &Interrupt,
        needs: &[String],
        expect: &dyn Fn(f64),
    ) -> Result<Option<Strength>, SimulateError> {
        let (game, plan) = (self.game, self.plan);
        if !self.parts.want("ladder") {
            return Ok(None);
        }
        let limit = stop.within_time(seconds);
        let mut kinds = vec![AgentKind::Random, AgentKind::Greedy];
        let dearest = search(game, SEARCH[1]);
        let (threads, players) = (plan.threads as f64, game.players());
        // Seconds of a game of the larger search, if there is a time.
        let of_game = seconds.filter(|_| !self.decides_nothing()).and_then(|_| {
            let searches = vec![dearest.clone(); players as usize];
            limit.scope(|| seconds_of_a_game(game, &searches, plan.seed, false)).ok().flatten()
        });
        let searches = match (seconds, of_game) {
            _ if self.decides_nothing() => false,
            (None, _) => true,
            (Some(_), None) => false,
            (Some(seconds), Some(each)) => LADDER_GAMES.0 as f64 * SEARCHING_PAIRS * each < seconds * threads,
        };
        if searches {
            kinds.extend(SEARCH.map(|simulations| search(game, simulations)));
        }
        if !kinds.contains(strong) {
            kinds.push(strong.clone());
        }
        // The number of games of a pair, of which `searching` games of the larger search are played at a time.
        let number = |(fewest, most): (u64, u64), work: u64, searching: f64| match (seconds, of_game) {
            // Without a search the games are quick, and the limit ends them.
            _ if !searches => Ok(fewest),
            (Some(seconds), Some(each)) => {
                let fit = seconds * threads / (searching * each).max(1e-9);
                let games = rounded(fit.min(most as f64)).max(fewest);
                expect(games as f64 * searching * each / threads);
                Ok(games)
            }
            _ => games_within(game, &dearest, work, fewest..=most),
        };
        if players <= 2 && !game.model().is_cooperative() {
            let pairs = (kinds.len() * (kinds.len() - 1) / 2) as u64;
            let each = if players == 1 { kinds.len() as u64 } else { pairs };
            let games = number(LADDER_GAMES, plan.work(LADDER_WORK) / each, SEARCHING_PAIRS)?;
            let ladder_plan = LadderPlan {
                agents: kinds,
                games,
                first: 0,
                seed: plan.seed + 1,
                threads: plan.threads,
                match_play: false,
            };
            let watch = RunMonitor { progress: &|_| {}, stop: &limit };
            let found = ladder_in_parts(game, &ladder_plan, &watch, self.parts, PARTS, needs);
            return match found {
                Err(SimulateError::Stopped) => Ok(None),
                found => Ok(Some(Strength::Ladder(found?))),
            };
        }
        let seat = |kind: &AgentKind| kind.seat_one(game).map_err(SimulateError::Agent);
        let mut found = vec![];
        let work = plan.work(LADDER_WORK) / 4 / u64::from(players);
        let games = number(MEETING_GAMES, work, 4.0 * f64::from(players))?;
        for other in kinds.iter().filter(|kind| *kind != strong) {
            let make = || {
                let (player, against) = (seat(strong)?, seat(other)?);
                let stop = || limit.is_set();
                // A game that an error ends is reported with the other games.
                Ok(meet_on(game, &*player, &*against, plan.seed + 1, games, plan.threads, &stop).ok())
            };
            let met: Option<Option<Meeting>> = self.parts.part(&format!("ladder, {other}"), needs, make)?;
            found.extend(met.flatten().map(|met| (other.to_string(), met)));
        }
        Ok(Some(Strength::Meetings(found)))
    }

    /// Returns the agents of the panel that plays on the same chance.
    fn list_panel(&self, strong: &AgentKind) -> Vec<AgentKind> {
        let mut kinds = vec![AgentKind::Random, AgentKind::Greedy];
        if !kinds.contains(strong) {
            kinds.push(strong.clone());
        }
        kinds
    }

    /// Returns the number of games on the same chance; 0 if other processes play them.
    pub(super) fn count_luck_games(&self, strong: &AgentKind) -> Result<u64, SimulateError> {
        if !self.parts.want("luck") {
            return Ok(0);
        }
        let work = self.plan.work(LADDER_WORK) / 20 / u64::from(self.game.players());
        games_within(self.game, strong, work, 50..=1_000)
    }

    /// Returns how often these are played: by each agent of the panel in each seat.
    pub(super) fn count_luck_plays(&self, strong: &AgentKind, games: u64) -> u64 {
        games * self.list_panel(strong).len() as u64 * u64::from(self.game.players())
    }

    /// Plays a panel of agents on the same chance.
    pub(super) fn measure_luck(
        &self,
        strong: &AgentKind,
        games: u64,
        stop: &Interrupt,
        needs: &[String],
    ) -> Result<Option<(Vec<String>, u64, Luck)>, SimulateError> {
        let (game, plan) = (self.game, self.plan);
        if !self.parts.want("luck") {
            return Ok(None);
        }
        let kinds = self.list_panel(strong);
        let seat = |kind: &AgentKind| kind.seat_one(game).map_err(SimulateError::Agent);
        let play = |range: Range<u64>| -> Result<Vec<Vec<f64>>, SimulateError> {
            let agents = kinds.iter().map(seat).collect::<Result<Vec<_>, _>>()?;
            let other = seat(&AgentKind::Greedy)?;
            // In order, so that the rows are the same for any number of threads.
            let (threads, games) = (plan.threads.max(1) as u64, range.end - range.start);
            let start = |at: u64| range.start + games * at / threads;
            let here = houserule_base::interrupt::current();
            Ok(std::thread::scope(|scope| {
                let spawned: Vec<_> = (0..threads)
                    .map(|at| {
                        let mut agents: Vec<_> = agents.iter().map(|agent| agent.copy()).collect();
                        let (mut other, here, range) = (other.copy(), &here, start(at)..start(at + 1));
                        scope.spawn(move || {
                            here.scope(|| {
                                let stop = || stop.is_set();
                                results_on_dice(game, &mut agents, &mut *other, plan.seed + 2, range, &stop)
                            })
                        })
                    })
                    .collect();
                spawned.into_iter().filter_map(|thread| thread.join().ok()?.ok()).flatten().collect()
            }))
        };
        let mut rows: Vec<Vec<f64>> = vec![];
        for range in self.parts.ranges(0..games, games.div_ceil(PARTS)) {
            let part = self.parts.part(&format!("luck, games {range:?}"), needs, || play(range.clone()))?;
            rows.extend(part.unwrap_or_default());
        }
        if !self.parts.is_whole() {
            return Ok(None);
        }
        let names = kinds.iter().map(AgentKind::to_string).collect();
        Ok(luck(&rows).map(|found| (names, rows.len() as u64, found)))
    }
}
