//! Results of a simulation as data; the fields are the keys of `simulate --json`.

use std::sync::Arc;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::metric::{Metric, Subject, metrics};
use super::sums::{AbortedGame, GameSums};
use crate::sums::totals::Totals;
use houserule_base::statistics::Histogram;
use houserule_base::statistics::interval::{share_interval, student};
use houserule_game::Game;
use houserule_game::ordered::Ordered;
use houserule_game::values::params_json;
use houserule_model::{CountedUses, Model};

/// Version of the JSON format.
pub const VERSION: u32 = 1;

/// The quantiles of a report, in percent.
pub const QUANTILES: [u64; 5] = [5, 25, 50, 75, 95];

/// The results of a simulation. Seats are in order, from 0.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Version of the JSON format.
    pub version: u32,
    /// The game, as it can be loaded again.
    pub game: String,
    /// Fingerprint of the rules.
    pub rules_sha256: String,
    /// Values of the params.
    pub params: Ordered<serde_json::Value>,
    /// Number of players.
    pub players: u32,
    /// Results of the matches; null if single games were played.
    #[serde(rename = "match")]
    pub matches: Option<MatchReport>,
    /// Finished games. All statistics are of these.
    pub games: u64,
    /// Games that an error ended.
    pub aborted: u64,
    /// Requested number of games, or matches.
    pub requested: u64,
    /// `true` if the run was stopped before all of them were played.
    pub interrupted: bool,
    /// The seed of the run.
    pub seed: u64,
    /// The index of the first game, or match.
    pub first: u64,
    /// Number of threads.
    pub threads: usize,
    /// The agent of each seat.
    pub agents: Vec<String>,
    /// Duration of the run, in seconds.
    pub seconds: f64,
    /// CPU time of all threads, in seconds.
    pub cpu_seconds: f64,
    /// Finished games per second.
    pub games_per_second: f64,
    /// Decisions in finished games per second.
    pub decisions_per_second: f64,
    /// Scores of each seat.
    pub score: Vec<Statistics>,
    /// Who won the games.
    #[serde(flatten)]
    pub winners: Winners,
    /// Points of each seat from each item of the score.
    pub items: Ordered<Vec<Statistics>>,
    /// Counts of a game, such as turns.
    pub counts: Ordered<Statistics>,
    /// Number of times each option was taken.
    pub options: Ordered<u64>,
    /// Number of times each step was entered.
    pub steps: Ordered<u64>,
    /// Number of times each choice had no legal option, and its `otherwise` was done.
    pub otherwise: Ordered<u64>,
    /// Number of games that each end decided.
    pub ends: Ordered<u64>,
    /// Variables at the end, for each position of the family in order.
    pub variables: Ordered<Vec<Statistics>>,
    /// The first game that an error ended, and the error.
    #[serde(skip)]
    pub first_aborted: Option<AbortedGame>,
    /// The sums that the statistics are computed from.
    #[serde(skip)]
    pub(super) totals: Arc<Totals>,
}

/// A share of the games, with its 95 % interval (Wilson); the interval is null if no game was finished.
#[derive(Clone, Debug, Serialize)]
pub struct Share {
    /// The share, from 0 to 1.
    pub share: f64,
    /// The lower end of the interval.
    pub low: Option<f64>,
    /// The upper end of the interval.
    pub high: Option<f64>,
}

impl Share {
    /// The share of `count` in `all`.
    pub fn from_count(count: f64, all: u64) -> Share {
        let share = count / (all as f64).max(1.0);
        let (low, high) = share_interval(share, all).unzip();
        Share { share, low, high }
    }
}

/// A number of games that were won in some way, and their share of all.
#[derive(Clone, Debug, Serialize)]
pub struct WonGames {
    /// The number of games, or matches.
    pub games: u64,
    /// Their share.
    #[serde(flatten)]
    pub share: Share,
}

impl WonGames {
    /// `games` of `all`.
    fn new(games: u64, all: u64) -> WonGames {
        WonGames { games, share: Share::from_count(games as f64, all) }
    }
}

/// Statistics of a metric. In JSON, scores have all keys but `name`, items of the score only those up to `se`, counts
/// and variables no `sd`, `quantiles` and `histogram`.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// The variable in the notation of the rules: `penalties`, `points[X]`, `seen[5]`; else empty.
    pub name: String,
    /// The mean.
    pub mean: f64,
    /// The lower end of the mean's 95 % interval; null for fewer than two games.
    pub low: Option<f64>,
    /// The upper end of the mean's 95 % interval; null for fewer than two games.
    pub high: Option<f64>,
    /// The standard error of the mean; null for fewer than two games.
    pub se: Option<f64>,
    /// The standard deviation; null for fewer than two games. Only of scores.
    pub sd: Option<f64>,
    /// The minimum; null if no game was finished.
    pub min: Option<i64>,
    /// The smallest index of a game, or match, with the minimum.
    pub min_index: Option<u64>,
    /// The maximum; null if no game was finished.
    pub max: Option<i64>,
    /// The smallest index of a game, or match, with the maximum.
    pub max_index: Option<u64>,
    /// For some percentages: the lowest number that at least that many percent of the games don't exceed. Only of
    /// scores.
    pub quantiles: Ordered<Option<i64>>,
    /// Number of games with each number. Only of scores.
    pub histogram: Vec<(i64, u64)>,
    detail: Detail,
}

/// What statistics contain.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub(super) enum Detail {
    /// The mean.
    Mean,
    /// The mean and the range.
    #[default]
    Range,
    /// The mean, the range and the distribution.
    Full,
}

impl Statistics {
    pub(super) fn new(sum: &Histogram, detail: Detail) -> Statistics {
        let (mean, errors) = (sum.mean(), student(sum.len()));
        let half = errors.map(|errors| errors * sum.error());
        let mut found = Statistics {
            mean,
            low: half.map(|half| mean - half),
            high: half.map(|half| mean + half),
            se: errors.map(|_| sum.error()),
            detail,
            ..Statistics::default()
        };
        if detail >= Detail::Range {
            (found.min, found.min_index) = sum.least().unzip();
            (found.max, found.max_index) = sum.most().unzip();
        }
        if detail == Detail::Full {
            found.sd = errors.map(|_| sum.deviation());
            found.quantiles = QUANTILES.iter().map(|q| (q.to_string(), sum.quantile(*q))).collect();
            found.histogram = sum.entries();
        }
        found
    }
}

impl Serialize for Statistics {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if !self.name.is_empty() {
            map.serialize_entry("name", &self.name)?;
        }
        map.serialize_entry("mean", &self.mean)?;
        map.serialize_entry("low", &self.low)?;
        map.serialize_entry("high", &self.high)?;
        map.serialize_entry("se", &self.se)?;
        if self.detail == Detail::Full {
            map.serialize_entry("sd", &self.sd)?;
        }
        if self.detail >= Detail::Range {
            map.serialize_entry("min", &self.min)?;
            map.serialize_entry("min_index", &self.min_index)?;
            map.serialize_entry("max", &self.max)?;
            map.serialize_entry("max_index", &self.max_index)?;
        }
        if self.detail == Detail::Full {
            map.serialize_entry("quantiles", &self.quantiles)?;
            let by_number = self.histogram.iter().map(|(number, games)| (number.to_string(), *games));
            map.serialize_entry("histogram", &by_number.collect::<Ordered<u64>>())?;
        }
        map.end()
    }
}

/// The results of the matches of a simulation.
#[derive(Clone, Debug, Serialize)]
pub struct MatchReport {
    /// Matches played to the end.
    pub matches: u64,
    /// Number of games in a match.
    pub games: Statistics,
    /// The total of each person.
    pub total: Vec<Statistics>,
    /// The best game of each person, if the rules keep it.
    pub record: Vec<Statistics>,
    /// Who won the matches.
    #[serde(flatten)]
    pub winners: Winners,
}

/// Wins and draws of games, or matches.
#[derive(Clone, Debug, Serialize)]
pub struct Winners {
    /// Wins of each seat; a win shared by k sides counts 1/k. Players of a team win what it wins. Empty for one player.
    pub wins: Vec<f64>,
    /// Share of the wins of each seat, of all games.
    pub win_shares: Vec<Share>,
    /// Games that each seat won and no other side. Empty for one player.
    pub alone: Vec<WonGames>,
    /// Games that all share or that nobody wins.
    pub draws: u64,
    /// Share of drawn games; null for one player, and for players who are all of one team.
    pub draw_share: Option<Share>,
    /// Share of the games won by players who are all of one team; else null.
    pub success: Option<Share>,
    /// Wins of each team, in the order of the rules.
    pub teams: Vec<TeamWins>,
    /// Games that each seat won, alone or with others, but not with all. Only people read them.
    #[serde(skip)]
    pub among: Vec<WonGames>,
    /// Games that each seat's side lost alone, so that all others share the win. Only reports tell them.
    #[serde(skip)]
    pub lost_alone: Vec<u64>,
    /// Games that some players shared, but not all.
    #[serde(skip)]
    pub shared: WonGames,
    /// All players are one team.
    #[serde(skip)]
    pub is_cooperative: bool,
}

/// Wins of a team.
#[derive(Clone, Debug, Serialize)]
pub struct TeamWins {
    /// Its name.
    pub name: String,
    /// Its wins; a win shared by k sides counts 1/k.
    pub wins: f64,
    /// Its share of the wins, of all games.
    #[serde(flatten)]
    pub share: Share,
    /// Games that nobody else won.
    pub alone: WonGames,
    /// A bit for each of its players.
    #[serde(skip)]
    pub players: u32,
}

impl Winners {
    /// Reads the number of games by set of winners.
    pub(super) fn new(by_winners: &[u64], model: &Model) -> Winners {
        let teams = model.teams.iter().map(|team| (team.name.as_str(), team.players.bits()));
        let players = model.players.count as usize;
        Self::from_counts(by_winners, players, model.sides(), &teams.collect::<Vec<_>>())
    }

    /// Like [`Winners::new`], with a bit for each side, and the name and the players of each team.
    fn from_counts(by_winners: &[u64], players: usize, sides: u32, teams: &[(&str, u32)]) -> Winners {
        let games = by_winners.iter().sum();
        let seats = if players < 2 { 0 } else { players };
        let is_cooperative = seats > 0 && sides.count_ones() == 1;
        let win = |seat: usize| {
            let shared = by_winners.iter().enumerate().filter(|(who, _)| who & (1 << seat) != 0);
            shared
                .map(|(who, games)| *games as f64 / f64::from((who as u32 & sides).count_ones().max(1)))
                .sum()
        };
        let wins: Vec<f64> = (0..seats).map(win).collect();
        let drawn = by_winners.first().into_iter().chain(by_winners.last()).sum();
        // Who plays together wins or loses.
        let may_draw = seats > 0 && !is_cooperative;
        let draws = if may_draw { drawn } else { 0 };
        let sole = |players: u32| by_winners.get(players as usize).copied().unwrap_or(0);
        let side_of = |seat: usize| {
            let own = teams.iter().map(|(_, players)| *players).find(|players| players >> seat & 1 == 1);
            own.unwrap_or(1 << seat)
        };
        let all = by_winners.last().copied().unwrap_or(0);
        let among = |seat: usize| {
            let won = by_winners.iter().enumerate().filter(|(who, _)| who & (1 << seat) != 0);
            won.map(|(_, games)| games).sum::<u64>() - all
        };
        let alone: Vec<u64> = (0..seats).map(|seat| sole(side_of(seat))).collect();
        let everybody = (1u32 << players) - 1;
        let lost_alone = match sides.count_ones() {
            // One side loses with nobody, and of two the other wins.
            0..3 => vec![0; seats],
            _ => (0..seats).map(|seat| sole(everybody & !side_of(seat))).collect(),
        };
        let teams = if seats == 0 { &[] } else { teams };
        let teams: Vec<TeamWins> = teams
            .iter()
            .map(|(name, players)| {
                let won = wins.get(players.trailing_zeros() as usize).copied().unwrap_or(0.0);
                let (share, alone) = (Share::from_count(won, games), WonGames::new(sole(*players), games));
                TeamWins { name: (*name).to_owned(), wins: won, share, alone, players: *players }
            })
            .collect();
        let of_sides = (0..seats).filter(|seat| sides >> seat & 1 == 1);
        let decided = of_sides.map(|seat| alone[seat]).sum::<u64>() + draws;
        let shared = if is_cooperative || seats == 0 { 0 } else { games - decided.min(games) };
        Winners {
            success: is_cooperative.then(|| Share::from_count(all as f64, games)),
            alone: alone.into_iter().map(|wins| WonGames::new(wins, games)).collect(),
            among: (0..seats).map(|seat| WonGames::new(among(seat), games)).collect(),
            lost_alone,
            shared: WonGames::new(shared, games),
            is_cooperative,
            teams,
            win_shares: wins.iter().map(|wins| Share::from_count(*wins, games)).collect(),
            wins,
            draws,
            draw_share: may_draw.then(|| Share::from_count(draws as f64, games)),
        }
    }
}

impl Report {
    pub(super) fn new(game: &Game, totals: Totals) -> Report {
        let model = game.model();
        let totals = Arc::new(totals);
        let Totals { sums, matches, run } = &*totals;
        let games = sums.games();
        let per_second = |n: f64| if run.seconds > 0.0 { n / run.seconds } else { 0.0 };
        let decisions = sums.count("decisions").map_or(0, Histogram::sum);
        let mut report = Report {
            version: VERSION,
            game: game.identity().name.clone(),
            rules_sha256: game.identity().rules_sha256.clone(),
            params: params_json(model),
            players: game.players(),
            matches: matches.as_ref().map(|matches| matches.report(game)),
            games,
            aborted: sums.aborted,
            requested: run.requested,
            interrupted: run.interrupted,
            seed: run.seed,
            first: run.first,
            threads: run.threads,
            agents: run.agents.clone(),
            seconds: run.seconds,
            cpu_seconds: run.cpu_seconds,
            games_per_second: per_second(games as f64),
            decisions_per_second: per_second(decisions as f64),
            score: Vec::new(),
            winners: Winners::new(&sums.winners, model),
            items: Ordered::default(),
            counts: Ordered::default(),
            options: Ordered::default(),
            otherwise: Ordered::default(),
            steps: Ordered::default(),
            ends: Ordered::default(),
            variables: Ordered::default(),
            first_aborted: sums.first_aborted.clone(),
            totals: Arc::clone(&totals),
        };
        report.enter(game, sums);
        report
    }

    /// Returns how many games have each value of a count, such as `decisions`.
    pub fn lengths(&self, count: &str) -> Vec<(i64, u64)> {
        self.totals.sums.count(count).map_or_else(Vec::new, Histogram::entries)
    }

    /// Enters the metrics of the games.
    fn enter(&mut self, game: &Game, sums: &GameSums) {
        let counted = CountedUses::new(game.model());
        for Metric { kind, name, member, at, .. } in &metrics(game, false) {
            let at = *at;
            match kind.subject {
                Subject::Score => self.score.push(Statistics::new(&sums.scores[at], Detail::Full)),
                Subject::Item => {
                    self.items.entry(name).push(Statistics::new(sums.item(at), Detail::Mean));
                }
                Subject::Count => {
                    *self.counts.entry(kind.name) = Statistics::new(&sums.counts[at], Detail::Range)
                }
                Subject::Option => *self.options.entry(&counted.options[at].name) += sums.options[at],
                Subject::Step => *self.steps.entry(name) += sums.steps[at],
                Subject::Otherwise => *self.otherwise.entry(&counted.otherwise[at]) += sums.otherwise[at],
                Subject::End => *self.ends.entry(name) += sums.ends[at],
                Subject::Variable => {
                    let statistics = Statistics::new(&sums.variables[at], Detail::Range);
                    self.variables.entry(name).push(Statistics { name: member.clone(), ..statistics });
                }
                // The shares of the winners are above; a lead and the course are only compared.
                Subject::Result | Subject::Team | Subject::Success => {}
                Subject::Lead | Subject::Course => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_wins_are_split() {
        // Nobody 1, first 2, second 4, both 3.
        let found = Winners::from_counts(&[1, 2, 4, 3], 2, 0b11, &[]);
        assert_eq!((found.wins, found.draws), (vec![3.5, 5.5], 4));
        let mut three = vec![0; 8];
        three[0b011] = 4;
        three[0b111] = 3;
        three[0b100] = 2;
        let found = Winners::from_counts(&three, 3, 0b111, &[]);
        assert_eq!((found.wins, found.draws), (vec![3.0, 3.0, 3.0], 3));
        let alone: Vec<u64> = found.alone.iter().map(|won| won.games).collect();
        assert_eq!((alone, found.shared.games), (vec![0, 0, 2], 4));
        let among: Vec<u64> = found.among.iter().map(|won| won.games).collect();
        assert_eq!(among, [4, 4, 2], "alone or with others");
        assert_eq!(found.lost_alone, [0, 0, 4], "the first two won and the third alone didn't");
    }

    #[test]
    fn a_team_of_all_has_one_result() {
        let found = Winners::from_counts(&[3, 0, 0, 1], 2, 0b1, &[("all", 0b11)]);
        assert_eq!((found.alone[0].games, found.shared.games, found.draws), (1, 0, 0));
        assert_eq!(found.success.map(|success| success.share), Some(0.25));
        assert_eq!((found.wins, found.teams[0].wins), (vec![1.0, 1.0], 1.0));
    }

    #[test]
    fn a_team_wins_what_its_players_win() {
        // Nobody 1, north and south 4, east and west 2, all 3.
        let mut four = vec![0; 16];
        (four[0], four[0b0101], four[0b1010], four[0b1111]) = (1, 4, 2, 3);
        let found = Winners::from_counts(&four, 4, 0b0011, &[("ns", 0b0101), ("ew", 0b1010)]);
        let wins: Vec<(f64, u64)> = found.teams.iter().map(|team| (team.wins, team.alone.games)).collect();
        assert_eq!(wins, vec![(5.5, 4), (3.5, 2)]);
        assert_eq!(found.wins, vec![5.5, 3.5, 5.5, 3.5], "a player wins what the team wins");
        assert_eq!((found.draws, found.shared.games), (4, 0));
        let alone: Vec<u64> = found.alone.iter().map(|won| won.games).collect();
        assert_eq!(alone, [4, 2, 4, 2], "what the team wins alone");
        assert!(found.success.is_none());
        assert!((found.teams[0].share.share - 0.55).abs() < 1e-12);
        assert_eq!(found.lost_alone, [0; 4], "of two sides one loses where the other wins");
    }

    #[test]
    fn one_player_wins_nothing() {
        let found = Winners::from_counts(&[3, 4], 1, 0b1, &[]);
        assert_eq!((found.wins, found.draws, found.shared.games), (vec![], 0, 0));
        assert!(found.win_shares.is_empty() && found.draw_share.is_none());
    }
}
