//! What is out of the ordinary: at most three things to look at first, each by a stated rule.
//!
//! A flag is raised only if the whole interval is beyond the threshold, at a level corrected for all rules that were
//! looked at (Bonferroni, on intervals taken as normal). There are three groups: sound, fair, worth playing. One flag of each is
//! shown, the one that is furthest beyond its threshold. What needs a strong player stays silent if the strong player
//! doesn't beat random ones.

use super::page::{Figure, Flag, ReportSection};

/// Error level of all rules together.
const LEVEL: f64 = 0.05;

/// A rule.
struct FlagRule {
    group: usize,
    metric: &'static str,
    /// Out of the ordinary above this, or below it.
    above: bool,
    limit: f64,
    /// `{figure}` is the value with its interval, `{seat}` what plays against each other, `{players}` who plays.
    sentence: &'static str,
    reason: &'static str,
}

/// The only metric here that no section has: it is computed from two of their figures.
const LATE_TURNS: &str = "late_turns";

/// By how many minutes a late end must be later than usual to be out of the ordinary.
const LATE_MINUTES: f64 = 15.0;

const SOUND: usize = 0;
const FAIR: usize = 1;
const WORTH_PLAYING: usize = 2;

const RULES: &[FlagRule] = &[
    FlagRule {
        group: SOUND,
        metric: "cut_off",
        above: true,
        limit: 0.001,
        sentence: "{figure} of the games between {players} don't come to an end",
        reason: "more than 1 game in 1,000 is ended by an error or a limit",
    },
    FlagRule {
        group: SOUND,
        metric: LATE_TURNS,
        above: true,
        limit: 2.0,
        sentence: "1 game in 20 between {players} lasts at least {figure} times as long as the median game",
        reason: "the 95th percentile of the turns is more than twice the median, and more than a quarter of an hour later, so \
                 nobody can plan the evening",
    },
    FlagRule {
        group: FAIR,
        metric: "seat_gap",
        above: true,
        limit: 0.1,
        sentence: "between {players}, the {seat}s differ by {figure} of the wins",
        reason: "two {seat}s differ by more than 10 percentage points, as 55 to 45: about 35 Elo",
    },
    FlagRule {
        group: FAIR,
        metric: "draws",
        above: true,
        limit: 0.3,
        sentence: "{figure} of the games between {players} are drawn",
        reason: "more than 3 games in 10 have no winner",
    },
    FlagRule {
        group: FAIR,
        metric: "kingmaking",
        above: true,
        limit: 0.1,
        sentence: "in {figure} of their decisions between {players}, {seat}s that can't win decide who does",
        reason: "more than 1 hopeless decision in 10 makes a king",
    },
    FlagRule {
        group: WORTH_PLAYING,
        metric: "choice",
        above: false,
        limit: 0.4,
        sentence: "only {figure} of the decisions of {players} have several actions",
        reason: "fewer than 4 decisions in 10 need a player",
    },
    FlagRule {
        group: WORTH_PLAYING,
        metric: "decided_point",
        above: false,
        limit: 0.5,
        sentence: "half of the games between {players} are decided after {figure} of their events",
        reason: "the rest of the game, more than half, is procedure",
    },
    FlagRule {
        group: WORTH_PLAYING,
        metric: "skill_share",
        above: false,
        limit: 0.05,
        sentence: "{figure} of the variation of results is the player",
        reason: "less than 5 %: the better player needs more than 19 games before skill is half of a total",
    },
];

/// Returns what to look at first, of the sections of a report. `agent` is the strongest player, and `opponents` what plays
/// against each other: `seat`, or `side`.
pub(super) fn flags(sections: &[ReportSection], agent: &str, opponents: &str) -> Vec<Flag> {
    let figures = || sections.iter().flat_map(|section| &section.figures).filter(|f| f.agent.contains(agent));
    let late = late_turns(sections);
    let looked_at: Vec<(&FlagRule, Figure)> = RULES
        .iter()
        .filter_map(|rule| {
            let figure = match rule.metric {
                LATE_TURNS => late.clone()?,
                metric => figures().find(|figure| figure.metric == metric)?.clone(),
            };
            Some((rule, figure))
        })
        .collect();
    let wide =
        houserule_base::statistics::paired::quantile(1.0 - 2.0 * LEVEL / looked_at.len().max(1) as f64, 1e9)
            / houserule_base::statistics::interval::NORMAL;
    let mut found: Vec<(usize, f64, Flag)> = vec![];
    for (rule, figure) in looked_at {
        let (Some(low), Some(high)) = (figure.low, figure.high) else { continue };
        // The ends of an interval of the corrected level.
        let (low, high) =
            (figure.value - wide * (figure.value - low), figure.value + wide * (high - figure.value));
        let beyond = if rule.above { low - rule.limit } else { rule.limit - high };
        if beyond > 0.0 {
            let players = format!("{agent} players");
            let sentence = rule.sentence.replace("{seat}", opponents).replace("{players}", &players);
            let sentence = format!("{}.", capital(&sentence.replace("{figure}", &figure.with_interval())));
            let flag = Flag { sentence, rule: rule.reason.replace("{seat}", opponents), metric: rule.metric };
            found.push((rule.group, beyond / rule.limit, flag));
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
    found.dedup_by_key(|(group, _, _)| *group);
    found.into_iter().map(|(_, _, flag)| flag).collect()
}

/// The 95th percentile of the turns beside their median, unless the games are so short that nobody minds.
fn late_turns(sections: &[ReportSection]) -> Option<Figure> {
    let length = sections.iter().find(|section| section.id == "length")?;
    let (late, median) = (length.get("turns_95")?, length.get("turns_median")?);
    if let (Some(minutes), Some(turns)) = (length.get("minutes"), length.get("turns"))
        && (late.value - median.value) * minutes.value <= LATE_MINUTES * turns.value
    {
        return None;
    }
    let ratio = |late: f64, median: f64| (median > 0.0).then_some(late / median);
    Some(Figure {
        metric: LATE_TURNS,
        value: ratio(late.value, median.value)?,
        low: ratio(late.low?, median.high?),
        high: ratio(late.high?, median.low?),
        ..late.clone()
    })
}

/// Begins a sentence with a capital.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::page::FigureUnit;
    use houserule_base::statistics::sample::Interval;

    fn fair(low: f64, high: f64) -> Vec<ReportSection> {
        let gap = Interval { value: (low + high) / 2.0, low: Some(low), high: Some(high) };
        let mut section = ReportSection { id: "fair", ..ReportSection::default() };
        section.figure("seat_gap", "", Some(gap), FigureUnit::Difference, "greedy");
        vec![section]
    }

    #[test]
    fn only_a_whole_interval_beyond_the_threshold_is_a_flag() {
        assert!(flags(&fair(0.05, 0.3), "greedy", "seat").is_empty());
        let found = flags(&fair(0.15, 0.25), "greedy", "seat");
        assert_eq!(found.len(), 1);
        let seats = "Between greedy players, the seats differ by 20";
        assert!(found[0].sentence.starts_with(seats), "{}", found[0].sentence);
        assert!(flags(&fair(0.15, 0.25), "learned", "seat").is_empty(), "another player's figures");
        let found = flags(&fair(0.15, 0.25), "greedy", "side");
        let sides = "Between greedy players, the sides differ by 20";
        assert!(found[0].sentence.starts_with(sides), "{}", found[0].sentence);
        assert!(found[0].rule.starts_with("two sides differ by"), "{}", found[0].rule);
    }

    #[test]
    fn only_games_that_are_later_by_more_than_a_quarter_of_an_hour_spoil_the_evening() {
        let lasting = |minutes: f64| {
            let mut section = ReportSection { id: "length", ..ReportSection::default() };
            let exact = |value: f64| Interval { value, low: Some(value), high: Some(value) };
            for (metric, value) in [("turns", 12.0), ("turns_median", 10.0), ("turns_95", 30.0)] {
                section.figure(metric, "", Some(exact(value)), FigureUnit::Number, "greedy");
            }
            section.figure("minutes", "", Some(exact(minutes)), FigureUnit::Minutes, "greedy");
            flags(&[section], "greedy", "seat")
        };
        assert!(lasting(2.0).is_empty(), "3.3 minutes more");
        let found = lasting(12.0);
        let told = "1 game in 20 between greedy players lasts at least 3";
        assert!(found.len() == 1 && found[0].sentence.starts_with(told), "{}", found[0].sentence);
    }
}
