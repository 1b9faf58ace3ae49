//! What a comparison found, as data: its fields are the keys of `compare --json`.

use serde::Serialize;

use super::meeting::Estimate;
use super::quantities::Kind;
use super::sums::Aborted;
use crate::agents::AgentKind;
use crate::engine::ordered::Ordered;
use crate::numbers::grouped;

/// What a comparison found.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// The version of the JSON format.
    pub version: u32,
    /// The first game.
    pub a: Side,
    /// The second.
    pub b: Side,
    /// Are the rules, the params and the players the same? Then nothing is played.
    pub same_rules: bool,
    /// Were matches compared?
    #[serde(rename = "match")]
    pub match_play: bool,
    /// How many games, or matches, each kind of player was to play of each game.
    pub requested: Vec<u64>,
    /// Was the comparison stopped before all of them were played?
    pub interrupted: bool,
    /// The seeds of both.
    pub seeds: [u64; 2],
    /// The index of the first game, or match.
    pub first: u64,
    /// How many threads worked.
    pub threads: usize,
    /// How long it took.
    pub seconds: f64,
    /// How many quantities were tested for a difference, over all agents.
    pub tested: usize,
    /// What each kind of player came to.
    pub agents: Vec<AgentComparison>,
    /// Differences that depend on how well the game is played.
    pub depends: Vec<Dependence>,
    /// The first game of each that an error ended, with its agent.
    #[serde(skip)]
    pub first_aborted: [Option<(AgentKind, Aborted)>; 2],
}

/// A game that is compared.
#[derive(Clone, Debug, Serialize)]
pub struct Side {
    /// The game, as it can be loaded again.
    pub game: String,
    /// Its title.
    pub title: String,
    /// The rules' fingerprint.
    pub rules_sha256: String,
    /// The params with their values.
    pub params: Ordered<serde_json::Value>,
    /// How many play.
    pub players: u32,
}

/// A difference that players who have learned the game see otherwise than others.
#[derive(Clone, Debug, Serialize)]
pub struct Dependence {
    /// What it is called.
    pub label: String,
    /// What it is about.
    pub kind: Kind,
    /// Who has learned.
    pub learned: String,
    /// The difference as they see it.
    pub by_learned: Estimate,
    /// Who has not.
    pub other: String,
    /// The difference as they see it.
    pub by_other: Estimate,
    /// One is the opposite of the other.
    pub changes_sign: bool,
}

/// What a comparison found with one kind of player in all seats.
#[derive(Clone, Debug, Serialize)]
pub struct AgentComparison {
    /// Who played.
    pub agent: String,
    /// How many were trained for each game, with seeds from 1 on; null where nobody was. The spread is in the errors.
    pub trainings: Option<u64>,
    /// Pairs of games, or of matches, that both were played to the end: all figures are of these.
    pub games: u64,
    /// Pairs that an error ended, in either.
    pub aborted: u64,
    /// Was every pair the same in all that was measured?
    pub identical: bool,
    /// What both games have.
    pub quantities: Vec<Quantity>,
    /// What only the first has.
    pub only_a: Vec<Only>,
    /// What only the second has.
    pub only_b: Vec<Only>,
}

/// A mean.
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
    /// What it is about.
    pub kind: Kind,
    /// The name of an item, option, end or variable; else empty.
    pub name: String,
    /// The seat, from 0; null if it is about all.
    pub seat: Option<u32>,
    /// Who has this seat.
    #[serde(skip)]
    pub seat_name: String,
    /// What it is called.
    pub label: String,
    /// Of the first game.
    pub a: Mean,
    /// Of the second.
    pub b: Mean,
    /// The second mean less the first.
    pub difference: f64,
    /// Its standard error.
    pub se: f64,
    /// The 95 % interval of the difference; null for a single pair.
    pub low: Option<f64>,
    /// Its other end.
    pub high: Option<f64>,
    /// The difference as a part of the first mean; null if that is 0.
    pub relative: Option<f64>,
    /// The chance of a difference as large as this if there is none.
    pub p: f64,
    /// The same, corrected (by Holm) for how many quantities were tested.
    pub p_corrected: f64,
    /// Is it a difference?
    pub differs: bool,
    /// Pairs in which it differs.
    pub differing: u64,
    /// How many times as many games it takes to know the difference as well without pairs; null
    /// where that has no meaning.
    pub pairing: Option<f64>,
    /// It has one value in all games of both.
    pub constant: bool,
    /// The label of a quantity before this one that is the same in every game.
    pub same_as: Option<String>,
    /// The difference in plain words; empty if there is none to tell of.
    pub sentence: String,
}

/// What one of the games has alone.
#[derive(Clone, Debug, Serialize)]
pub struct Only {
    /// What it is about.
    pub kind: Kind,
    /// The name of an item, option, end or variable; else empty.
    pub name: String,
    /// What it is called.
    pub label: String,
    /// The mean.
    pub mean: f64,
}

impl Quantity {
    /// Half the width of the interval; none for a single pair.
    pub fn half_width(&self) -> Option<f64> {
        Some((self.high? - self.low?) / 2.0)
    }

    /// Is it tested for a difference?
    pub fn is_tested(&self) -> bool {
        self.differing > 0 && self.same_as.is_none()
    }

    /// A difference greater than this is unlikely.
    pub fn at_most(&self) -> Option<f64> {
        Some(self.low?.abs().max(self.high?.abs()))
    }
}

impl Comparison {
    /// The differences that those who were trained see otherwise than the best of those before them: one of both is
    /// sure of a difference, and their intervals do not touch. Counts of options and the like are left out.
    pub(super) fn dependences(&self) -> Vec<Dependence> {
        let mut found = vec![];
        for (at, learned) in self.agents.iter().enumerate().filter(|(_, agent)| agent.trainings.is_some()) {
            let Some(other) = self.agents[..at].iter().rev().find(|agent| agent.trainings.is_none()) else {
                continue;
            };
            for mine in learned.quantities.iter().filter(|q| q.same_as.is_none() && q.kind.is_of_games()) {
                let twin = |q: &&Quantity| (q.kind, &q.name, q.seat) == (mine.kind, &mine.name, mine.seat);
                let Some(theirs) = other.quantities.iter().find(twin) else { continue };
                let apart = (mine.difference - theirs.difference).abs();
                let both =
                    mine.half_width().unwrap_or(f64::INFINITY) + theirs.half_width().unwrap_or(f64::INFINITY);
                if !(mine.differs || theirs.differs) || apart <= both {
                    continue;
                }
                found.push(Dependence {
                    label: mine.label.clone(),
                    kind: mine.kind,
                    learned: learned.agent.clone(),
                    by_learned: Estimate { mean: mine.difference, half: mine.half_width() },
                    other: other.agent.clone(),
                    by_other: Estimate { mean: theirs.difference, half: theirs.half_width() },
                    changes_sign: mine.difference * theirs.difference < 0.0,
                });
            }
        }
        found
    }

    /// Adds what other kinds of players came to, in the same games.
    pub fn extend(&mut self, later: Comparison) {
        self.requested.extend(later.requested);
        self.interrupted |= later.interrupted;
        self.seconds += later.seconds;
        self.tested += later.tested;
        self.agents.extend(later.agents);
        for (first, later) in self.first_aborted.iter_mut().zip(later.first_aborted) {
            *first = first.take().or(later);
        }
        self.depends = self.dependences();
    }

    /// Did any kind of player find a difference?
    pub fn differs(&self) -> bool {
        self.agents.iter().any(|agent| agent.quantities.iter().any(|quantity| quantity.differs))
    }

    /// How chance finds are guarded against, and how to read the figures.
    pub fn note(&self) -> String {
        let pairs = match self.seeds[0] == self.seeds[1] {
            true => "Both games were played with the same dice.",
            false => "The games were played with different dice.",
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
        let players = match self.a.players == self.b.players {
            true => "",
            false => {
                " Scores are means over the seats; wins among other numbers of players are not compared."
            }
        };
        format!("{pairs} ± is half a 95 % confidence interval of the difference. {tested}{players}")
    }
}
