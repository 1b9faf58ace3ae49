//! Results of a comparison as data; the fields are the keys of `compare --json`.

use serde::Serialize;

use super::course::CourseComparison;
use super::meeting::Estimate;
use super::metric::{MetricKind, Subject};
use super::sums::AbortedGame;
use crate::meeting::contest::QuickPlayer;
use houserule_base::names::list_words;
use houserule_base::numbers::grouped;
use houserule_base::statistics::Histogram;
use houserule_game::ordered::Ordered;
use houserule_game::values::params_json;
use houserule_game::{Game, Seat};
use houserule_model::{Model, Role, Team, side_in_words, team_in_words};
use houserule_players::agents::AgentKind;

/// The results of a comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// Version of the JSON format.
    pub version: u32,
    /// The first game.
    pub a: ComparedGame,
    /// The second game.
    pub b: ComparedGame,
    /// `true` if rules, params and players are the same. No game is played then.
    pub same_rules: bool,
    /// `true` if matches were compared.
    #[serde(rename = "match")]
    pub match_play: bool,
    /// For each agent, the requested number of games, or matches, of each of the two games.
    pub requested: Vec<u64>,
    /// `true` if the comparison was stopped before all pairs were played.
    pub interrupted: bool,
    /// `true` if it was the time that stopped it.
    #[serde(skip)]
    pub out_of_time: bool,
    /// The players of whom no game was played because it was stopped: `greedy players`.
    #[serde(skip)]
    pub missing: Vec<String>,
    /// Seeds of both games.
    pub seeds: [u64; 2],
    /// Index of the first game, or match.
    pub first: u64,
    /// Number of threads.
    pub threads: usize,
    /// Duration of the comparison, in seconds.
    pub seconds: f64,
    /// Number of quantities tested for a difference, over all agents.
    pub tested: usize,
    /// Results of each agent.
    pub agents: Vec<AgentComparison>,
    /// Differences that depend on how well the game is played.
    pub depends: Vec<Disagreement>,
    /// What the second rules change for the best players that played, in a paragraph; empty if nothing was played.
    pub verdict: String,
    /// How the player was chosen that needs little time; null if agents were named.
    pub contest: Option<QuickPlayer>,
    /// For each game, the first one that an error ended, with its agent.
    #[serde(skip)]
    pub first_aborted: [Option<(AgentKind, AbortedGame)>; 2],
}

/// A compared game.
#[derive(Clone, Debug, Serialize)]
pub struct ComparedGame {
    /// The game, as it can be loaded again.
    pub game: String,
    /// Its title.
    pub title: String,
    /// Fingerprint of the rules.
    pub rules_sha256: String,
    /// Values of the params.
    pub params: Ordered<serde_json::Value>,
    /// Number of players.
    pub players: u32,
    /// The teams, with who plays in them: `the team north south: north and south`.
    #[serde(skip)]
    pub teams: Vec<String>,
    /// What comes by chance; `None` if nothing does.
    #[serde(skip)]
    pub chance: Option<&'static str>,
}

/// A difference on which trained players and others disagree.
#[derive(Clone, Debug, Serialize)]
pub struct Disagreement {
    /// Label of the quantity.
    pub label: String,
    /// Kind of the quantity.
    pub kind: &'static MetricKind,
    /// The trained agent.
    pub learned: String,
    /// The difference for the trained agent.
    pub by_learned: Estimate,
    /// The other agent.
    pub other: String,
    /// The difference for the other agent.
    pub by_other: Estimate,
    /// `true` if the two differences have opposite signs.
    pub changes_sign: bool,
}

/// Results of a comparison with one agent in all seats.
#[derive(Clone, Debug, Serialize)]
pub struct AgentComparison {
    /// The agent.
    pub agent: String,
    /// Number of players trained for each game, with seeds from 1 on; null if none was. All errors include their
    /// spread.
    pub trainings: Option<u64>,
    /// Pairs in which both games, or matches, were finished. All statistics are of these.
    pub games: u64,
    /// Pairs that differ: in a quantity that both games have, or since an option was taken that only one has.
    pub differing: u64,
    /// Pairs in which an error ended a game.
    pub aborted: u64,
    /// Pairs in which an error ended the first game.
    pub aborted_a: u64,
    /// Pairs in which an error ended the second game.
    pub aborted_b: u64,
    /// `true` if all measured quantities were equal in every pair.
    pub identical: bool,
    /// Quantities that both games have.
    pub quantities: Vec<Quantity>,
    /// Quantities that only the first game has.
    pub only_a: Vec<Only>,
    /// Quantities that only the second game has.
    pub only_b: Vec<Only>,
    /// Pairs in which an option was taken that only the second game has; `None` if it has none.
    #[serde(skip)]
    pub using: Option<u64>,
    /// How often each value of the score occurred, or of the first count where there is none.
    #[serde(skip)]
    pub samples: Option<RunSamples>,
    /// Pairs in which this value is greater in the second game, and in which it is less.
    #[serde(skip)]
    pub ordered: [u64; 2],
    /// What was seen on the way of games; null if none was followed.
    pub course: Option<CourseComparison>,
}

/// How often each value of a quantity occurred.
#[derive(Clone, Debug, PartialEq)]
pub struct RunSamples {
    /// Its name in text.
    pub label: String,
    /// The values are in units of 1/`scale`.
    pub scale: i64,
    /// For each game.
    pub histograms: Vec<Histogram>,
}

/// A mean with its standard error.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Its standard error.
    pub se: f64,
}

/// A quantity that both games have. Shares of games are from 0 to 1.
#[derive(Clone, Debug, Serialize)]
pub struct Quantity {
    /// Its kind.
    pub kind: &'static MetricKind,
    /// Name of the item, option, end or variable; else empty.
    pub name: String,
    /// The seat, from 0; null if it is about all seats.
    pub seat: Option<Seat>,
    /// Name of the player in this seat, or of the side whose wins or lead it is.
    #[serde(skip)]
    pub seat_name: String,
    /// Whom a lead is over: the other side of a game of two, or all others.
    #[serde(skip)]
    pub others: String,
    /// Name of the quantity in text.
    pub label: String,
    /// Its mean in the first game.
    pub a: Mean,
    /// Its mean in the second game.
    pub b: Mean,
    /// Its standard deviation among games of the first rules.
    #[serde(skip)]
    pub deviation: f64,
    /// Second mean minus the first.
    pub difference: f64,
    /// Standard error of the difference.
    pub se: f64,
    /// Lower end of the difference's 95 % interval; null for a single pair.
    pub low: Option<f64>,
    /// Its upper end.
    pub high: Option<f64>,
    /// Difference as a fraction of the first mean; null if that is 0 or the means have different signs.
    pub relative: Option<f64>,
    /// p-value: probability of a difference at least this large if there is none.
    pub p: f64,
    /// The p-value, corrected by Holm's method for all tested quantities.
    pub p_corrected: f64,
    /// `true` if it is reported as a difference.
    pub differs: bool,
    /// Pairs in which the quantity differs.
    pub differing: u64,
    /// How many times as many games the same precision would take without pairing; null if the difference never
    /// varies.
    pub pairing: Option<f64>,
    /// `true` if it has one value in all games of both.
    pub constant: bool,
    /// Label of an earlier quantity that is equal in every game.
    pub same_as: Option<String>,
    /// The difference in words; empty if there is none.
    pub sentence: String,
}

/// A quantity that only one of the games has.
#[derive(Clone, Debug, Serialize)]
pub struct Only {
    /// Its kind.
    pub kind: &'static MetricKind,
    /// Name of the item, option, end or variable; else empty.
    pub name: String,
    /// Name of the quantity in text.
    pub label: String,
    /// Its mean.
    pub mean: f64,
}

/// Returns the difference of two means as a part of the first. `None` if that is 0 or they have different signs: a
/// percentage says nothing there.
pub fn relative([a, b]: [f64; 2], difference: f64) -> Option<f64> {
    (a != 0.0 && a * b >= 0.0).then(|| difference / a.abs())
}

/// Any chance but dice: cards that are shuffled and drawn, elements that are picked.
const OTHER_CHANCE: &str = "chance events";

/// Names what comes by chance in a game: dice if it has any. `None` if nothing does.
pub fn chance_in_words(game: &Game) -> Option<&'static str> {
    let has_dice = game.model().slots.iter().any(|slot| matches!(slot.role, Role::Dice { .. }));
    game.program().uses_chance.then_some(if has_dice { "dice" } else { OTHER_CHANCE })
}

/// Names those whom the first side of two games plays against: the other side if both games have two, else all others.
pub(super) fn others_of_first(games: [&Game; 2]) -> String {
    let second = |game: &Game| {
        let sides = game.model().sides();
        let seat = (0..game.players()).filter(|seat| sides >> seat & 1 == 1).nth(1)?;
        (sides.count_ones() == 2).then(|| side_in_words(game.model(), Seat(seat)))
    };
    let [a, b] = games.map(second);
    a.and(b).unwrap_or_else(|| "the others".to_owned())
}

/// Describes who plays in each team.
fn teams_in_words(model: &Model) -> Vec<String> {
    let names = |team: &Team| {
        let names = team.players.iter().map(|player| model.players.names[player as usize].clone());
        format!("{}: {}", team_in_words(&team.name), list_words(&names.collect::<Vec<_>>()))
    };
    model.teams.iter().map(names).collect()
}

impl ComparedGame {
    pub(super) fn new(game: &Game) -> ComparedGame {
        ComparedGame {
            game: game.identity().name.clone(),
            title: game.model().title.clone(),
            rules_sha256: game.identity().rules_sha256.clone(),
            params: params_json(game.model()),
            players: game.players(),
            teams: teams_in_words(game.model()),
            chance: chance_in_words(game),
        }
    }
}

impl Quantity {
    /// Returns half the width of the interval, or `None` for a single pair.
    pub fn half_width(&self) -> Option<f64> {
        Some((self.high? - self.low?) / 2.0)
    }

    /// Returns `true` if the interval of the difference doesn't contain 0.
    pub fn excludes_zero(&self) -> bool {
        self.low.zip(self.high).is_some_and(|(low, high)| low > 0.0 || high < 0.0)
    }

    /// Returns `true` if it is tested for a difference.
    pub fn is_tested(&self) -> bool {
        self.differing > 0 && self.same_as.is_none()
    }

    /// Returns the largest absolute difference inside the interval. `None` if the interval says nothing: there is none, or
    /// shares may differ by half of all games.
    pub fn at_most(&self) -> Option<f64> {
        const HALF: f64 = 0.5;
        let most = self.low?.abs().max(self.high?.abs());
        (!self.kind.is_share() || most < HALF).then_some(most)
    }
}

impl AgentComparison {
    /// For each game, the pairs in which an error ended it.
    pub fn aborted_of(&self) -> [u64; 2] {
        [self.aborted_a, self.aborted_b]
    }

    /// Returns `true` if all players win or lose together.
    pub(super) fn is_cooperative(&self) -> bool {
        self.quantities.iter().any(|quantity| quantity.kind.subject == Subject::Success)
    }
}

impl Comparison {
    /// Returns the differences on which trained agents disagree with the last untrained agent before them: at
    /// least one difference is significant, and their intervals don't overlap. Only kinds about whole games are
    /// compared.
    pub(super) fn dependences(&self) -> Vec<Disagreement> {
        let mut found = vec![];
        for (at, learned) in self.agents.iter().enumerate().filter(|(_, agent)| agent.trainings.is_some()) {
            let Some(other) = self.agents[..at].iter().rev().find(|agent| agent.trainings.is_none()) else {
                continue;
            };
            for mine in
                learned.quantities.iter().filter(|q| q.same_as.is_none() && q.kind.subject.is_of_games())
            {
                let twin =
                    |q: &&Quantity| (q.kind.name, &q.name, q.seat) == (mine.kind.name, &mine.name, mine.seat);
                let Some(theirs) = other.quantities.iter().find(twin) else { continue };
                let apart = (mine.difference - theirs.difference).abs();
                let both =
                    mine.half_width().unwrap_or(f64::INFINITY) + theirs.half_width().unwrap_or(f64::INFINITY);
                if !(mine.differs || theirs.differs) || apart <= both {
                    continue;
                }
                found.push(Disagreement {
                    label: mine.label.clone(),
                    kind: mine.kind,
                    learned: learned.agent.clone(),
                    by_learned: Estimate { mean: mine.difference, half: mine.half_width() },
                    other: other.agent.clone(),
                    by_other: Estimate { mean: theirs.difference, half: theirs.half_width() },
                    // A difference that may be 0 has no direction.
                    changes_sign: mine.excludes_zero()
                        && theirs.excludes_zero()
                        && mine.difference * theirs.difference < 0.0,
                });
            }
        }
        found
    }

    /// Adds what was seen on the way of games of the last agent.
    pub fn know_course(&mut self, course: CourseComparison) {
        if let Some(agent) = self.agents.last_mut() {
            agent.course = Some(course);
        }
        self.verdict = self.judged();
    }

    /// Appends the results of other agents on the same games.
    pub fn extend(&mut self, later: Comparison) {
        self.requested.extend(later.requested);
        self.interrupted |= later.interrupted;
        self.out_of_time |= later.out_of_time;
        self.missing.extend(later.missing);
        self.seconds += later.seconds;
        self.tested += later.tested;
        self.agents.extend(later.agents);
        for (first, later) in self.first_aborted.iter_mut().zip(later.first_aborted) {
            *first = first.take().or(later);
        }
        self.depends = self.dependences();
        self.verdict = self.judged();
    }

    /// Returns `true` if any agent has a significant difference.
    pub fn differs(&self) -> bool {
        self.agents.iter().any(|agent| agent.quantities.iter().any(|quantity| quantity.differs))
    }

    /// Names what comes by chance in both games; `None` if nothing does in one of them.
    pub fn common_chance(&self) -> Option<&'static str> {
        let (a, b) = (self.a.chance?, self.b.chance?);
        Some(if a == b { a } else { OTHER_CHANCE })
    }

    /// Explains the figures and the correction for multiple tests.
    pub fn note(&self) -> String {
        let same = if self.seeds[0] == self.seeds[1] { "the same" } else { "different" };
        let pairs = match (self.common_chance(), self.a.chance.or(self.b.chance)) {
            (Some(dice), _) if self.seeds[0] == self.seeds[1] => {
                format!("Both games were played with the same {dice}.")
            }
            (Some(dice), _) => format!("The games were played with different {dice}."),
            (None, None) => format!("The games have no chance events; their players had {same} seeds."),
            (None, Some(_)) => {
                format!("Only one of the games has chance events; the players of both had {same} seeds.")
            }
        };
        let tested = if self.tested == 1 {
            "One quantity was tested: it is said to differ if chance does so in fewer than 1 of 20 such runs."
                .to_owned()
        } else {
            format!(
                "{} quantities were tested; what is said to differ passes Holm's correction for that \
                 many: of runs with no difference at all, fewer than 1 in 20 says there is one.",
                grouped(self.tested as i128)
            )
        };
        let is_cooperative = self.agents.iter().any(AgentComparison::is_cooperative);
        let players = match (self.a.players == self.b.players, is_cooperative) {
            (true, _) => "",
            (false, true) => " Scores are means over the seats.",
            (false, false) => {
                " Scores are means over the seats; wins among other numbers of players are not compared."
            }
        };
        format!("{pairs} ± is half a 95 % confidence interval of the difference. {tested}{players}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ComparePlan, compare};
    use houserule_loader::{Request, load};

    #[test]
    fn games_that_use_a_new_option_are_counted_and_values_are_kept() {
        let game = |name| load(&Request { name, ..Request::default() }).unwrap().game;
        let (a, b) = (game("connect-four"), game("connect-four-pop-out"));
        let plan = ComparePlan {
            games: Some(30),
            first: 0,
            seeds: [1, 1],
            threads: 2,
            agents: vec![AgentKind::Random],
            match_play: false,
            keep_partial: false,
        };
        let found = compare(&a, &b, &plan, &|_, _| true).unwrap();
        let best = found.strongest().unwrap();
        let using = best.using.unwrap();
        assert!(0 < using && using <= best.differing, "{using} of {}", best.differing);
        let samples = best.samples.as_ref().unwrap();
        assert!(samples.histograms.iter().all(|of_side| of_side.len() == 30), "{samples:?}");
        assert!(best.ordered.iter().sum::<u64>() <= 30);
        let same = compare(&b, &a, &plan, &|_, _| true).unwrap();
        assert_eq!(same.strongest().unwrap().using, None, "the second rules have no new option");
        assert_eq!([same.agents[0].ordered[1], same.agents[0].ordered[0]], best.ordered);
    }

    #[test]
    fn a_difference_that_may_be_0_has_no_direction() {
        let game = load(&Request { name: "pig", ..Request::default() }).unwrap().game;
        let other = load(&Request { name: "pig", players: Some(3), ..Request::default() }).unwrap().game;
        let agents = vec![AgentKind::Random];
        let (games, seeds) = (Some(20), [1, 1]);
        let plan = ComparePlan {
            games,
            first: 0,
            seeds,
            threads: 1,
            agents,
            match_play: false,
            keep_partial: false,
        };
        let mut found = compare(&game, &other, &plan, &|_, _| true).unwrap();
        found.agents[0].quantities.truncate(1);
        found.agents.push(AgentComparison { trainings: Some(2), ..found.agents[0].clone() });
        let mut signs = |learned: f64, untrained: f64| {
            for (agent, difference) in found.agents.iter_mut().zip([untrained, learned]) {
                let quantity = &mut agent.quantities[0];
                quantity.difference = difference;
                (quantity.low, quantity.high) = (Some(difference - 1.0), Some(difference + 1.0));
                (quantity.same_as, quantity.differs) = (None, true);
            }
            found.dependences().iter().map(|one| one.changes_sign).collect::<Vec<_>>()
        };
        assert_eq!(signs(5.0, -5.0), [true]);
        assert_eq!(signs(5.0, -0.5), [false], "the other may be 0");
        assert_eq!(signs(0.5, -5.0), [false], "the learned one may be 0");
        assert_eq!(signs(9.0, 5.0), [false]);
    }
}
