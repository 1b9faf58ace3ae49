//! The verdict of a comparison: what the second rules change for the best players that played, in a paragraph for who
//! designs them.

use super::comparison::{AgentComparison, Comparison, Quantity};
use super::course::{NewOption, are_monotonous};
use super::metric::Subject;
use super::sentences::{bounded, digits, unit};
use crate::meeting::contest::QuickPlayer;
use houserule_base::numbers::{counted, decimal, grouped};
use houserule_base::statistics::interval::NORMAL;

/// A change of the length by a smaller part is neither for nor against rules.
const LENGTH_MATTERS: f64 = 0.1;

/// Maximum number of new options that are told.
const MOST_OPTIONS: usize = 3;

/// Maximum number of differences in how games are decided that are told.
const MOST_OF_COURSE: usize = 2;

/// What differences are about, in the order in which they matter.
const MATTERS: [&[&str]; 4] = [
    &["wins", "team", "success"],
    &["draws"],
    &["score", "total", "lead"],
    &["turns", "decisions", "rolls", "games"],
];

impl Comparison {
    /// Notes how the player was chosen that needs little time.
    pub fn know_contest(&mut self, contest: QuickPlayer) {
        self.contest = Some(contest);
        self.verdict = self.judged();
    }

    /// The results of the best players that played: the last ones.
    pub fn strongest(&self) -> Option<&AgentComparison> {
        self.agents.iter().rev().find(|agent| agent.games > 0)
    }

    /// Returns the verdict; empty if nothing was played.
    pub(super) fn judged(&self) -> String {
        let Some(agent) = self.strongest() else {
            return String::new();
        };
        let mut told = vec![];
        let main = agent.main_differences();
        told.extend(main.iter().map(|quantity| quantity.sentence.clone()));
        if main.is_empty() {
            told.push(match agent.games {
                _ if agent.identical => "Nothing differs.".to_owned(),
                1 => format!("A single {} says nothing of differences.", unit(self.match_play)),
                _ => no_difference(agent),
            });
        }
        told.extend(course_differences(agent));
        told.extend(self.mattered(agent));
        told.extend(new_options(agent));
        // Chance makes games with the same decisions different.
        let monotony = monotony(agent).filter(|_| self.a.chance.is_none() || self.b.chance.is_none());
        // Nothing speaks for or against rules of which little is known.
        let sides = for_and_against(agent, self.a.players).filter(|_| monotony.is_none());
        told.extend(monotony);
        told.extend(self.doubts(agent));
        told.extend(sides);
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
            _ if agent.is_cooperative() => {
                format!(
                    ", of whom one with random partners wins {} %",
                    decimal(100.0 * contender.own.mean, 0)
                )
            }
            _ => format!(", who win {} % against random ones", decimal(100.0 * contender.own.mean, 0)),
        });
        let games = counted(agent.games, unit(self.match_play));
        format!("Between {} players{known}, in {games} of each", agent.agent)
    }

    /// The share of the games that the rules change, where the same players play both.
    fn mattered(&self, agent: &AgentComparison) -> Option<String> {
        let is_same = agent.trainings.is_none() && self.seeds[0] == self.seeds[1];
        let some = agent.differing > 0 && agent.differing < agent.games;
        (is_same && some).then(|| {
            let share = decimal(100.0 * agent.differing as f64 / agent.games as f64, 0);
            let part = match share.as_str() {
                // Few games, or few others, are counted.
                "0" | "100" => format!("{} of {} games", grouped(agent.differing), grouped(agent.games)),
                share => format!("{share} % of the games"),
            };
            let others = match agent.games - agent.differing {
                1 => "the other is",
                _ => "the others are",
            };
            format!("The rules matter in {part}; {others} the same.")
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
                let better = match agent.is_cooperative() {
                    true => "surely wins more often with random partners than a random player does",
                    false => "surely beats random ones",
                };
                return Some(format!(
                    "No player was found in this time that {better}, so good players may see it otherwise."
                ));
            }
        }
        None
    }
}

impl AgentComparison {
    /// The quantities that matter most, whether they differ or not: one of each kind, of the ends of games and of their length.
    pub fn main_quantities(&self) -> Vec<&Quantity> {
        let differing = self.main_differences();
        let of_kind = |names: &&[&str]| {
            let is_one = |quantity: &&&Quantity| names.contains(&quantity.kind.name);
            let tested = || self.quantities.iter().filter(|quantity| quantity.is_tested());
            differing.iter().find(is_one).copied().or_else(|| tested().find(|quantity| is_one(&quantity)))
        };
        MATTERS.iter().filter_map(of_kind).collect()
    }

    /// The differences that matter most: one of each kind, of the ends of games and of their length.
    pub fn main_differences(&self) -> Vec<&Quantity> {
        let certainty = |quantity: &Quantity| match quantity.se > 0.0 {
            true => quantity.difference.abs() / quantity.se,
            false => f64::INFINITY,
        };
        let of_kind = |names: &&[&str]| {
            let of = names.iter().map(|name| {
                let found = self.quantities.iter().filter(|q| q.differs && q.kind.name == *name);
                found.max_by(|x, y| certainty(x).total_cmp(&certainty(y)))
            });
            of.flatten().next()
        };
        MATTERS.iter().filter_map(of_kind).collect()
    }
}

/// How large a difference of wins and of length may be that was not found.
fn no_difference(agent: &AgentComparison) -> String {
    let tested = || agent.quantities.iter().filter(|quantity| quantity.is_tested());
    let most = |names: &[&str]| {
        let of = tested().filter(|quantity| names.contains(&quantity.kind.name));
        // Where one of them isn't known, the others say nothing of the greatest.
        let most: Option<Vec<_>> = of.map(|quantity| Some((quantity, quantity.at_most()?))).collect();
        let (quantity, most) = most?.into_iter().max_by(|x, y| x.1.total_cmp(&y.1))?;
        Some(format!("{} ({})", bounded(quantity.kind, most), quantity.label))
    };
    let bounds: Vec<String> = MATTERS.iter().filter_map(|names| most(names)).collect();
    match bounds.as_slice() {
        [] if tested().any(|quantity| quantity.at_most().is_none()) => {
            "No difference was found, but so few games tell little.".to_owned()
        }
        [] => "No difference was found.".to_owned(),
        some => format!("No difference was found; there may be one of at most {}.", some.join(", ")),
    }
}

/// The differences in how games are decided.
fn course_differences(agent: &AgentComparison) -> impl Iterator<Item = String> {
    let figures = agent.course.iter().flat_map(|course| &course.figures);
    figures.filter(|quantity| quantity.differs).take(MOST_OF_COURSE).map(|quantity| quantity.sentence.clone())
}

/// Why the games of players who always do the same say little.
fn monotony(agent: &AgentComparison) -> Option<String> {
    let course = agent.course.as_ref().filter(|course| course.is_monotonous())?;
    let [a, b] = [0, 1].map(|side| different_games(course.different[side], course.games[side]));
    Some(format!(
        "These players nearly always do the same: of the games that were followed, A has {a} and B {b}, so their figures say \
         little of the rules."
    ))
}

/// Formats `only 3 different ones`.
fn different_games(different: u64, games: u64) -> String {
    let only = if are_monotonous(different, games) { "only " } else { "" };
    match different {
        1 => format!("{only}one"),
        some => format!("{only}{} different ones", grouped(some)),
    }
}

/// How options are taken that only the second rules have.
fn new_options(agent: &AgentComparison) -> Vec<String> {
    if let Some(course) = agent.course.as_ref().filter(|course| !course.options.is_empty()) {
        return course.options.iter().take(MOST_OPTIONS).map(describe_option).collect();
    }
    let options = agent.only_b.iter().filter(|only| only.kind.subject == Subject::Option);
    let told = options.map(|only| match only.mean {
        0.0 => format!("Nobody ever takes `{}`.", only.name),
        mean => format!("`{}` is taken {} times a game.", only.name, decimal(mean, digits(mean / 10.0))),
    });
    told.take(MOST_OPTIONS).collect()
}

/// Describes how an option is taken: `` `swap` is taken at 12 % of its opportunities, 0.4 times a game. ``
pub fn describe_option(option: &NewOption) -> String {
    let NewOption { name, offered, open, taken, share } = option;
    let times = |mean: f64| format!("{} times a game", decimal(mean, digits(mean / 10.0)));
    match share {
        _ if *offered == 0.0 => format!("In the games that were followed, nobody could take `{name}`."),
        None => format!("`{name}` is taken {}: nothing else can be done then.", times(*taken)),
        Some(0.0) if *taken == 0.0 => {
            format!("`{name}` is never taken, though it could be {}.", times(*offered))
        }
        Some(1.0) => {
            format!("`{name}` is taken at every opportunity, {}: it is no choice.", times(*taken))
        }
        Some(share) => format!(
            "`{name}` is taken at {} % of its opportunities, which come {}.",
            decimal(100.0 * share, if *share < 0.01 || *share > 0.99 { 1 } else { 0 }),
            times(*open)
        ),
    }
}

/// What speaks for the second rules, and against them.
fn for_and_against(agent: &AgentComparison, players: u32) -> Option<String> {
    let mut sides: [Vec<String>; 2] = [vec![], vec![]];
    let mut add = |against: bool, what: &str| sides[usize::from(against)].push(what.to_owned());
    if let Some(is_less) = is_less_fair(agent, players) {
        add(is_less, if is_less { "less fair" } else { "fairer" });
    }
    if let Some(draws) = agent.quantities.iter().find(|q| q.differs && q.kind.name == "draws") {
        let more = draws.difference > 0.0;
        add(more, if more { "more draws" } else { "fewer draws" });
    }
    // Of the signs of an exciting game, more is for the rules, but for the margin of the winner.
    for (name, [more, fewer]) in [
        ("margin", ["the winner is further ahead", "closer games"]),
        ("comebacks", ["more comebacks", "fewer comebacks"]),
        ("lead_changes", ["more changes of the lead", "fewer changes of the lead"]),
        ("score_leads", ["more changes of the lead in score", "fewer changes of the lead in score"]),
    ] {
        let figures = agent.course.iter().flat_map(|course| &course.figures);
        for figure in figures.filter(|figure| figure.differs && figure.kind.name == name) {
            let grows = figure.difference > 0.0;
            add(grows == (name == "margin"), if grows { more } else { fewer });
        }
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

/// Returns whether the wins of the sides surely moved away from equal shares (`true`) or towards them (`false`). `None` if
/// neither is sure.
fn is_less_fair(agent: &AgentComparison, players: u32) -> Option<bool> {
    let wins = agent.quantities.iter().filter(|quantity| ["wins", "team"].contains(&quantity.kind.name));
    let wins: Vec<&Quantity> = wins.collect();
    let teams: Vec<&Quantity> = wins.iter().copied().filter(|side| side.kind.name == "team").collect();
    let equal = equal_share(&teams, players)?;
    let moved: Vec<bool> = wins.iter().filter_map(|side| moves_away(side, equal)).collect();
    let (first, others) = moved.split_first()?;
    let gap = |mean: &dyn Fn(&Quantity) -> f64| {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for side in &wins {
            (low, high) = (low.min(mean(side)), high.max(mean(side)));
        }
        high - low
    };
    // With two players, the share of the first says all.
    let agrees = wins.len() == 1 || (gap(&|q| q.b.mean) > gap(&|q| q.a.mean)) == *first;
    (agrees && others.iter().all(|other| other == first)).then_some(*first)
}

/// Returns an equal share of the wins for each side: a team, or a player without one. `None` if the players are one side, or
/// if it isn't known how many sides there are.
fn equal_share(teams: &[&Quantity], players: u32) -> Option<f64> {
    let all = |mean: &dyn Fn(&Quantity) -> f64| teams.iter().map(|team| mean(team)).sum::<f64>();
    match teams.len() {
        0 => Some(1.0 / f64::from(players)),
        1 => None,
        // Players without a team have what is missing.
        sides => {
            let least = all(&|q| q.a.mean).min(all(&|q| q.b.mean));
            (least > 1.0 - 1e-9).then_some(1.0 / sides as f64)
        }
    }
}

/// Returns whether a side's wins surely moved away from an equal share (`true`) or towards it (`false`).
fn moves_away(side: &Quantity, equal: f64) -> Option<bool> {
    let wide = match side.half_width() {
        Some(half) if side.se > 0.0 => half / side.se,
        _ => NORMAL,
    };
    let [a, b] = [side.a.se.powi(2), side.b.se.powi(2)];
    let common = ((a + b - side.se.powi(2)) / 2.0).max(0.0);
    // The distance grows if both shares together are on the side of an equal one to which the share moves.
    let beyond = side.a.mean + side.b.mean - 2.0 * equal;
    let is_sure = side.differs && beyond.abs() > (wide * (a + b + 2.0 * common).sqrt()).max(1e-9);
    is_sure.then_some((beyond > 0.0) == (side.difference > 0.0))
}

#[cfg(test)]
mod tests {
    use super::super::comparison::Mean;
    use super::super::metric::WINS;
    use super::*;

    /// The shares of the wins of a side in independent games of two rules.
    fn side(shares: [f64; 2], games: f64) -> Quantity {
        let [a, b] = shares.map(|mean| Mean { mean, se: (mean * (1.0 - mean) / games).sqrt() });
        let (difference, se) = (b.mean - a.mean, a.se.hypot(b.se));
        let (low, high) = (difference - NORMAL * se, difference + NORMAL * se);
        Quantity {
            kind: &WINS,
            name: String::new(),
            seat: None,
            seat_name: String::new(),
            others: String::new(),
            label: String::new(),
            a,
            b,
            deviation: 0.5,
            difference,
            se,
            low: Some(low),
            high: Some(high),
            relative: None,
            p: 0.0,
            p_corrected: 0.0,
            differs: low > 0.0 || high < 0.0,
            differing: 1,
            pairing: None,
            constant: false,
            same_as: None,
            sentence: String::new(),
        }
    }

    #[test]
    fn only_a_share_that_surely_came_nearer_to_an_equal_one_is_fairer() {
        let moves = |shares: [f64; 2], games: f64| moves_away(&side(shares, games), 0.5);
        // What crosses an equal share may end as far from it as it began.
        assert_eq!(moves([0.48, 0.54], 1000.0), None);
        assert_eq!(moves([0.48, 0.56], 500.0), None);
        assert_eq!(moves([0.48, 0.56], 100_000.0), Some(true));
        assert_eq!([[0.6, 0.52], [0.4, 0.48]].map(|shares| moves(shares, 1000.0)), [Some(false); 2]);
        assert_eq!([[0.52, 0.6], [0.48, 0.4]].map(|shares| moves(shares, 1000.0)), [Some(true); 2]);
        // From all to nothing is as far as before.
        assert_eq!(moves([1.0, 0.0], 1000.0), None);
    }

    #[test]
    fn only_few_different_games_are_said_to_be_few() {
        let games = [(1, 400), (1, 5), (1, 1), (2, 400), (390, 400)];
        let told = games.map(|(different, games)| different_games(different, games));
        assert_eq!(told, ["only one", "only one", "one", "only 2 different ones", "390 different ones"]);
    }

    #[test]
    fn an_equal_share_is_one_of_the_sides() {
        assert_eq!(equal_share(&[], 3), Some(1.0 / 3.0));
        let (one, other) = (side([0.6, 0.5], 100.0), side([0.4, 0.5], 100.0));
        assert_eq!(equal_share(&[&one], 2), None, "all players win together");
        assert_eq!(equal_share(&[&one, &other], 4), Some(0.5));
        assert_eq!(equal_share(&[&other, &other], 5), None, "others win as well");
    }

    #[test]
    fn the_use_of_an_option_is_told_by_its_opportunities() {
        // Decisions in which it can be taken, those with another option, how often it is taken, and how often then.
        let told = |counts: [u64; 4]| describe_option(&NewOption::new("swap", &[counts, [0; 4]]));
        assert!(told([0, 0, 0, 0]).contains("nobody could take `swap`"));
        assert!(
            told([4, 4, 0, 0]).contains("never taken, though it could be 2.0 times a game"),
            "{}",
            told([4, 4, 0, 0])
        );
        assert!(told([4, 4, 4, 4]).contains("at every opportunity, 2.0 times a game: it is no choice"));
        assert!(told([4, 0, 4, 0]).contains("nothing else can be done then"));
        assert!(told([8, 8, 2, 2]).contains("at 25 % of its opportunities, which come 4.0 times a game"));
    }
}
