//! The sections of a report, each from the evidence: what a designer asks, answered in sentences and figures.

mod board;
mod course;
mod decisions;
mod fair;
mod glance;
mod length;
mod rules;
mod skill;
mod spread;
mod trade;

pub(super) use board::board;
pub(super) use course::course;
pub(super) use decisions::decisions;
pub(super) use fair::fair;
#[cfg(test)]
pub(super) use fair::gap;
pub(super) use glance::glance;
pub(super) use length::length;
pub(super) use rules::rules;
pub(super) use skill::skill;
pub(super) use trade::trade;

use std::ops::RangeInclusive;

use super::evidence::{AgentGames, AlikeGames, Evidence};
use super::page::ReportSection;
use houserule_base::numbers::{counted, grouped};
use houserule_base::statistics::interval::NORMAL;
use houserule_base::statistics::paired::variance_between;
use houserule_base::statistics::sample::{Interval, pooled};
use houserule_base::statistics::share_interval;
use houserule_game::Seat;
use houserule_model::side_in_words;
use houserule_players::agents::LearnError;
use houserule_playtest::{Report, Statistics, WINS};

/// What wins are where some sides share one.
pub(super) const SHARE_OF_WINS: &str = "share of the wins";

/// What that is, for the end of an answer.
pub(super) const SHARES_SPLIT: &str = " A win that k sides share counts 1/k for each of them.";

/// What to do where the time of a report was too short.
pub(super) const MORE_TIME: &str = "allow more time with `--for`";

impl AgentGames {
    /// Number of finished games.
    pub(super) fn games(&self) -> u64 {
        self.parts.iter().map(|part| part.games).sum()
    }

    /// Number of games that an error ended.
    pub(super) fn aborted(&self) -> u64 {
        self.parts.iter().map(|part| part.aborted).sum()
    }

    /// A share of the games, with the spread of the trainings in its interval.
    pub(super) fn share(&self, count: impl Fn(&Report) -> f64) -> Option<Interval> {
        let all = self.games();
        let value = self.parts.iter().map(&count).sum::<f64>() / all as f64;
        let (low, high) = share_interval(value, all)?;
        let parts = self.parts.iter().filter(|part| part.games > 0).map(|part| {
            let share = count(part) / part.games as f64;
            (share, share * (1.0 - share) / part.games as f64)
        });
        let spread = NORMAL * variance_between(&parts.collect::<Vec<_>>()).sqrt();
        let end = |end: f64| (value - end).hypot(spread);
        Some(Interval { value, low: Some(value - end(low)), high: Some(value + end(high)) }.within(0.0, 1.0))
    }

    /// The share of the wins of a seat, which are those of its side.
    pub(super) fn wins(&self, seat: usize) -> Option<Interval> {
        self.share(|report| report.winners.wins.get(seat).copied().unwrap_or(0.0))
    }

    /// Returns `true` if some sides, but not all, shared the win of a game.
    pub(super) fn shares_wins(&self) -> bool {
        self.times(|report| report.winners.shared.games) > 0
    }

    /// The share of the games that a seat's side loses alone.
    pub(super) fn losses(&self, seat: usize) -> Option<Interval> {
        self.share(|report| report.winners.lost_alone.get(seat).copied().unwrap_or(0) as f64)
    }

    /// The mean of a metric, with the spread of the trainings in its interval.
    pub(super) fn mean(&self, of: impl Fn(&Report) -> Option<&Statistics>) -> Option<Interval> {
        if let [one] = self.parts.as_slice() {
            let found = of(one)?;
            return Some(Interval { value: found.mean, low: found.low, high: found.high });
        }
        let parts = self.parts.iter().filter(|part| part.games > 1);
        let parts =
            parts.filter_map(|part| of(part).map(|found| (found.mean, found.se.unwrap_or(0.0).powi(2))));
        pooled(&parts.collect::<Vec<_>>())
    }

    /// The mean of a count such as `turns`.
    pub(super) fn count(&self, name: &str) -> Option<Interval> {
        self.mean(|report| report.counts.get(name))
    }

    /// The numbers of a count with how many games have each.
    pub(super) fn lengths(&self, name: &str) -> Vec<(i64, u64)> {
        let mut all = std::collections::BTreeMap::new();
        for (number, games) in self.parts.iter().flat_map(|part| part.lengths(name)) {
            *all.entry(number).or_insert(0) += games;
        }
        all.into_iter().collect()
    }

    /// How often an option was taken, a step entered, an end decided, in all games.
    pub(super) fn times(&self, of: impl Fn(&Report) -> u64) -> u64 {
        self.parts.iter().map(of).sum()
    }
}

impl Evidence<'_> {
    /// The games of the strongest agent that played.
    pub(super) fn best(&self) -> &AgentGames {
        self.strong
            .as_ref()
            .filter(|games| games.games() > 0)
            .or(self.greedy.as_ref().filter(|games| games.games() > 0))
            .unwrap_or(&self.random)
    }

    /// The games of all agents that played any, or of random ones if none did, the strongest first. The strong agent may
    /// be one of the others: its games count once.
    pub(super) fn agents(&self) -> Vec<&AgentGames> {
        let strong = self.strong.as_ref().filter(|games| games.games() > 0);
        let other = |games: &&AgentGames| strong.is_none_or(|strong| strong.agent != games.agent);
        let weaker = self.greedy.iter().filter(|games| games.games() > 0).chain([&self.random]).filter(other);
        strong.into_iter().chain(weaker).collect()
    }

    /// An empty section, without intervals of the strongest agent if nearly all of its games are alike.
    pub(super) fn section(&self) -> ReportSection {
        let best = self.best();
        ReportSection { alike: best.alike.map(|_| best.agent.clone()), ..ReportSection::default() }
    }

    /// What is said where nearly all games of the strongest agent are alike.
    pub(super) fn alike(&self) -> Option<String> {
        let best = self.best();
        let AlikeGames { games: count, different } = best.alike?;
        let games = grouped(count);
        Some(match different {
            1 if count == 2 => format!("{} players play one game twice: both are the same.", best.agent),
            1 => format!("{} players play one game again and again: all {games} are the same.", best.agent),
            different => format!(
                "{} players play nearly the same game again and again: of {games}, only {} are different.",
                best.agent,
                grouped(different)
            ),
        })
    }

    /// The count that tells how long a game is: turns, in games of rounds without turns decisions, or else rolls.
    pub(super) fn length_unit(&self) -> &'static str {
        let is_counted =
            |name: &&str| self.best().lengths(name).iter().any(|(number, games)| *number > 0 && *games > 0);
        ["turns", "decisions", "rolls"].into_iter().find(is_counted).unwrap_or("turns")
    }

    /// The name of a seat.
    pub(super) fn seat(&self, seat: usize) -> String {
        self.game.model().players.names.get(seat).cloned().unwrap_or_default()
    }

    /// The seats that stand for the sides: the first of each.
    pub(super) fn sides(&self) -> Vec<usize> {
        let sides = self.game.model().sides();
        (0..self.game.players() as usize).filter(|seat| sides >> seat & 1 == 1).collect()
    }

    /// What plays against each other: seats, or sides if there are teams.
    pub(super) fn opponents(&self) -> &'static str {
        if self.sides().len() < self.game.players() as usize { "side" } else { "seat" }
    }

    /// The name of a seat's side, as people read it.
    pub(super) fn side(&self, seat: usize) -> String {
        side_in_words(self.game.model(), Seat(seat as u32))
    }

    /// How to play with one of some other numbers of players; `None` if the rules allow none of them.
    pub(super) fn with_players(&self, wanted: RangeInclusive<u32>) -> Option<String> {
        let players = &self.game.model().players;
        let number = players.least.max(*wanted.start());
        (number <= players.most.min(*wanted.end())).then(|| format!("play with `--players {number}`"))
    }

    /// Says for how many players the rules are.
    pub(super) fn allowed_players(&self) -> String {
        let players = &self.game.model().players;
        let most = counted(players.most, "player");
        match players.least == players.most {
            true => format!("the rules are for {most}"),
            false => format!("the rules are for {} to {most}", players.least),
        }
    }

    /// Returns `true` if some sides, but not all, shared the win of a game: who has a smaller share of the wins than another may
    /// have won more games.
    pub(super) fn shares_wins(&self) -> bool {
        self.agents().iter().any(|games| games.shares_wins())
    }

    /// Names the wins of a seat's side: `red wins`, or `red's share of the wins`.
    pub(super) fn wins_of(&self, seat: usize) -> String {
        let kind = if self.shares_wins() { WINS.where_wins_are_shared() } else { &WINS };
        kind.label_of("", &self.side(seat))
    }

    /// What is said where no player was found that surely beats random ones.
    pub(super) fn unskilled(&self) -> Option<&'static str> {
        let contest = self.contest.as_ref()?;
        let model = self.game.model();
        let has_aim = model.players.count > 1 || !model.score.is_empty() || self.game.pays();
        (has_aim && !contest.decides_nothing && !contest.beats_random()).then_some(
            match model.is_cooperative() {
                true => {
                    "No player was found in this time that surely wins more often with random partners than a random \
                     player does: these are figures of players who can't play this yet."
                }
                false => {
                    "No player was found in this time that surely beats random ones: these are figures of players who can't \
                     play this yet."
                }
            },
        )
    }

    /// What is said where the best player of the contest beats random ones, but finished no game.
    pub(super) fn unplayed(&self) -> Option<String> {
        let kind = self.contest.as_ref().filter(|contest| contest.beats_random())?.kind.to_string();
        // Games that an error ended are told as such.
        let is_stopped = self.strong.as_ref().is_none_or(|games| games.games() + games.aborted() == 0);
        let when = if self.out_of_time { "in this time" } else { "before the report was interrupted" };
        (is_stopped && self.interrupted && self.best().agent != kind).then(|| {
            format!(
                "The best player that was found, {kind}, finished no game {when}: these are figures of weaker players."
            )
        })
    }

    /// Why there are no figures of a strong player, and what to do about it.
    pub(super) fn why_not_strong(&self) -> (String, &'static str) {
        let best = self.best();
        if self.strong.is_none() && best.games() == 0 && best.aborted() > 0 {
            return (
                format!("no game came to an end, of {}", counted(best.aborted(), "game")),
                "mend the rules so that games end (`houserule check` says how they end), or raise `limit`",
            );
        }
        if self.plan.quick && self.strong.is_none() && self.unplayed().is_none() {
            return (
                "they need a good player, and none was found so quickly".to_owned(),
                "leave out `--quick`, or give it more time: `--for 1m`",
            );
        }
        if self.out_of_time {
            return ("the time was over before the strong player had played".to_owned(), MORE_TIME);
        }
        if self.interrupted {
            return (
                "the report was interrupted before the strong player had played".to_owned(),
                "let it finish",
            );
        }
        let followed = || self.followed.iter().map(|followed| &followed.tracks);
        match &self.untrained {
            _ if !self.followed.is_empty() && followed().all(|tracks| tracks.games.is_empty()) => (
                format!(
                    "an error or the limit of decisions ended all {} games of the strong player",
                    grouped(followed().map(|tracks| tracks.aborted).sum::<u64>())
                ),
                "mend the rules so that games end (`houserule check` says how they end), or raise `limit`",
            ),
            Some(why) => (
                format!("no player can learn this game: {why}"),
                match why {
                    LearnError::NoEnds => "change the rules so that random games end, or raise `limit`",
                    LearnError::NoScore => "give the rules a `score`",
                    LearnError::NoDecisions => {
                        "give the players something to decide, if the game is meant to have it"
                    }
                },
            ),
            None => (
                "the strong player has no learned values".to_owned(),
                "use `--agent learned` or `--agent FILE.player`",
            ),
        }
    }

    /// Why some games of the strong player were not played, and what to do about it.
    pub(super) fn why_not_played(&self) -> (String, &'static str) {
        match self.plan.quick {
            true => ("a quick report plays no games between players".to_owned(), "leave out `--quick`"),
            false if self.out_of_time => ("the time was over before".to_owned(), MORE_TIME),
            false => {
                ("the report was interrupted before".to_owned(), "let it finish, or allow more with `--for`")
            }
        }
    }

    /// All courses of games whose expectations are exact or agree with what happened, or why there are none.
    pub(super) fn trusted(
        &self,
    ) -> Result<Vec<&houserule_playtest::follow::odds::Expectations>, (String, &'static str)> {
        let has_values = |followed: &houserule_playtest::follow::followed::FollowedGames| {
            followed
                .tracks
                .games
                .iter()
                .any(|track| track.moments.iter().any(|moment| !moment.values.is_empty()))
        };
        if !self.followed.iter().any(has_values) {
            return Err(self.why_not_strong());
        }
        let all = || self.followed.iter().flat_map(|followed| &followed.courses).collect();
        if self.solved().is_some() {
            return Ok(all());
        }
        let games: usize = self.followed.iter().map(|followed| followed.courses.len()).sum();
        if games == 0 {
            let least = houserule_playtest::follow::odds::LEAST_GAMES;
            return Err((
                format!("fewer than {least} games of each training were played"),
                "ask for more games: `--games 1000`",
            ));
        }
        let wrong = self.followed.iter().filter_map(|followed| followed.calibration.as_ref());
        let wrong: Vec<_> =
            wrong.filter(|calibration| calibration.is_constant() || !calibration.holds()).collect();
        if wrong.iter().any(|calibration| calibration.is_constant()) {
            return Err((
                "all games of the strong player ended alike, so there is nothing to foretell".to_owned(),
                "look at games of other players: `--agent mcts:25`, or a learned player with less training",
            ));
        }
        if let Some(calibration) = wrong.first() {
            return Err((
                match calibration.relative_error() {
                    error if error > houserule_playtest::follow::odds::MOST_ERROR => format!(
                        "the learned values don't foretell the results well enough: their error is {:.1} % and must be at \
                         most {:.0} %",
                        100.0 * error,
                        100.0 * houserule_playtest::follow::odds::MOST_ERROR
                    ),
                    _ => "the learned values foretell the results no better than their mean does".to_owned(),
                },
                "train longer: `houserule learn GAME --for 5m -o FILE.player`, and then `--agent FILE.player`",
            ));
        }
        Ok(all())
    }
}

impl Evidence<'_> {
    /// What the expectations are, for the beginning of a sentence.
    pub(super) fn by_exact_values(&self) -> &'static str {
        if self.solved().is_some() { "By exact values, " } else { "" }
    }

    /// Returns `Ok` if the expectations are exact or move about as much as true ones would, or why figures that sum up their changes
    /// can't be had.
    pub(super) fn moves_truly(&self) -> Result<(), (String, &'static str)> {
        if self.solved().is_some() {
            return Ok(());
        }
        let most = houserule_playtest::follow::odds::MOST_MOVEMENT;
        let found =
            self.followed.iter().filter_map(|followed| Some(followed.calibration.as_ref()?.movement.value));
        match found.reduce(f64::max).filter(|movement| *movement > most) {
            None => Ok(()),
            Some(movement) => Err((
                format!(
                    // Rounded up, since it is more than the most.
                    "the expectations move {:.2} times as much as true ones would, and figures of their changes allow {most} times at \
                     most",
                    (100.0 * movement).ceil() / 100.0
                ),
                "train longer: `houserule learn GAME --for 5m -o FILE.player`, and then `--agent FILE.player`",
            )),
        }
    }
}
