//! The verdict of a comparison: what the second rules change for the best players that played, in a paragraph for who
//! designs them.

use super::comparison::{AgentComparison, Comparison, Quantity};
use super::contest::QuickPlayer;
use super::metric::Subject;
use super::sentences::{digits, factor, number};
use houserule_base::numbers::{decimal, grouped};

/// A change of the length by a smaller part is neither for nor against rules.
const LENGTH_MATTERS: f64 = 0.1;

/// Maximum number of new options that are told.
const MOST_OPTIONS: usize = 3;

/// What differences are about, in the order in which they matter.
const MATTERS: [&[&str]; 4] =
    [&["wins", "team"], &["draws"], &["score", "total", "lead"], &["turns", "decisions", "rolls", "games"]];

impl Comparison {
    /// Notes how the player was chosen that needs little time.
    pub fn know_contest(&mut self, contest: QuickPlayer) {
        self.contest = Some(contest);
        self.verdict = self.judged();
    }

    /// Returns the verdict; empty if nothing was played.
    pub(super) fn judged(&self) -> String {
        let Some(agent) = self.agents.iter().rev().find(|agent| agent.games > 0) else {
            return String::new();
        };
        let mut told = vec![];
        let main = main_differences(agent);
        told.extend(main.iter().map(|quantity| quantity.sentence.clone()));
        if main.is_empty() {
            told.push(match agent.identical {
                true => "Nothing differs.".to_owned(),
                false => no_difference(agent),
            });
        }
        told.extend(self.mattered(agent));
        told.extend(new_options(agent));
        told.extend(self.doubts(agent));
        told.extend(for_and_against(agent));
        format!("{}: {}", self.players(agent), told.join(" "))
    }

    /// Who the verdict is about: `Between learned:500 players, who win 91 % against random ones`.
    fn players(&self, agent: &AgentComparison) -> String {
        let mut contenders = self.contest.iter().flat_map(|contest| &contest.contenders);
        let skill = contenders.find(|contender| contender.agent == agent.agent);
        let known = skill.map_or_else(String::new, |contender| match self.a.players {
            1 => {
                let half = contender.better.half.unwrap_or(0.0);
                format!(", who score {} more than random ones", decimal(contender.better.mean, digits(half)))
            }
            _ => format!(", who win {} % against random ones", decimal(100.0 * contender.own.mean, 0)),
        });
        let unit = if self.match_play { "matches" } else { "games" };
        format!("Between {} players{known}, in {} {unit} of each", agent.agent, grouped(agent.games))
    }

    /// The share of the games that the rules change, where the same players play both.
    fn mattered(&self, agent: &AgentComparison) -> Option<String> {
        let is_same = agent.trainings.is_none() && self.seeds[0] == self.seeds[1];
        let some = agent.differing > 0 && agent.differing < agent.games;
        (is_same && some).then(|| {
            let share = 100.0 * agent.differing as f64 / agent.games as f64;
            format!("The rules matter in {} % of the games; the others are the same.", decimal(share, 0))
        })
    }

    /// Why the verdict may not hold for good players.
    fn doubts(&self, agent: &AgentComparison) -> Option<String> {
        if let Some(contest) = &self.contest
            && agent.trainings.is_none_or(|_| contest.kind.to_string() == agent.agent)
        {
            if contest.decides_nothing {
                return Some("Nobody has anything to decide, so this holds for all players.".to_owned());
            }
            let has_aim = self.a.players > 1 || agent.quantities.iter().any(|q| q.kind.name == "score");
            if has_aim && !contest.beats_random() {
                return Some(
                    "No player was found in this time that surely beats random ones, so good players may see it otherwise."
                        .to_owned(),
                );
            }
        }
        None
    }
}

/// The differences that matter most: one of each kind.
fn main_differences(agent: &AgentComparison) -> Vec<&Quantity> {
    let certainty = |quantity: &Quantity| match quantity.se > 0.0 {
        true => quantity.difference.abs() / quantity.se,
        false => f64::INFINITY,
    };
    let of_kind = |names: &&[&str]| {
        let of = names.iter().map(|name| {
            let found = agent.quantities.iter().filter(|q| q.differs && q.kind.name == *name);
            found.max_by(|x, y| certainty(x).total_cmp(&certainty(y)))
        });
        of.flatten().next()
    };
    MATTERS.iter().filter_map(of_kind).collect()
}

/// How large a difference of wins and of length may be that was not found.
fn no_difference(agent: &AgentComparison) -> String {
    let most = |names: &[&str]| {
        let of = agent.quantities.iter().filter(|q| q.is_tested() && names.contains(&q.kind.name));
        let most = of.filter_map(|quantity| Some((quantity, quantity.at_most()?)));
        most.max_by(|x, y| x.1.total_cmp(&y.1)).map(|(quantity, most)| {
            let digits = digits(most * factor(quantity.kind));
            let (what, by) = (&quantity.label, number(quantity.kind, most, digits));
            format!("{what} by {by}")
        })
    };
    let bounds: Vec<String> = MATTERS.iter().filter_map(|names| most(names)).collect();
    match bounds.as_slice() {
        [] => "No difference was found.".to_owned(),
        some => format!("No difference was found; there may be one of at most: {}.", some.join(", ")),
    }
}

/// How often options are taken that only the second rules have.
fn new_options(agent: &AgentComparison) -> Vec<String> {
    let options = agent.only_b.iter().filter(|only| only.kind.subject == Subject::Option);
    let told = options.map(|only| match only.mean {
        0.0 => format!("Nobody ever takes `{}`.", only.name),
        mean => format!("`{}` is taken {} times a game.", only.name, decimal(mean, digits(mean / 10.0))),
    });
    told.take(MOST_OPTIONS).collect()
}

/// What speaks for the second rules, and against them.
fn for_and_against(agent: &AgentComparison) -> Option<String> {
    let mut sides: [Vec<String>; 2] = [vec![], vec![]];
    let mut add = |against: bool, what: &str| sides[usize::from(against)].push(what.to_owned());
    let wins: Vec<&Quantity> =
        agent.quantities.iter().filter(|q| ["wins", "team"].contains(&q.kind.name)).collect();
    if wins.iter().any(|quantity| quantity.differs) {
        let gap = |mean: &dyn Fn(&Quantity) -> f64| {
            let means = wins.iter().map(|quantity| mean(quantity));
            let (low, high) =
                means.fold((f64::MAX, f64::MIN), |(low, high), mean| (low.min(mean), high.max(mean)));
            high - low
        };
        let (before, after) = (gap(&|q| q.a.mean), gap(&|q| q.b.mean));
        add(after > before, if after > before { "less fair" } else { "fairer" });
    }
    if let Some(draws) = agent.quantities.iter().find(|q| q.differs && q.kind.name == "draws") {
        let more = draws.difference > 0.0;
        add(more, if more { "more draws" } else { "fewer draws" });
    }
    let length = MATTERS[3].iter().find_map(|name| agent.quantities.iter().find(|q| q.kind.name == *name));
    if let Some(length) = length.filter(|q| q.differs)
        && let Some(part) = length.relative.filter(|part| part.abs() > LENGTH_MATTERS)
    {
        let word = if part > 0.0 { "longer" } else { "shorter" };
        add(part > 0.0, &format!("{word} by {} %", decimal(100.0 * part.abs(), 0)));
    }
    let [good, bad] = sides.map(|side| side.join(", "));
    match (good.is_empty(), bad.is_empty()) {
        (true, true) => None,
        (false, true) => Some(format!("In favour: {good}.")),
        (true, false) => Some(format!("Against: {bad}.")),
        (false, false) => Some(format!("In favour: {good}; against: {bad}.")),
    }
}
