//! What a rule does to a game, in a sentence of a fixed set: how large its effect is, the greatest change in words, and how many
//! games use it. Never says that a game is better or worse, which is for who designs it to say.

use super::comparison::{in_order, signed};
use houserule_base::names::plain;
use houserule_base::numbers::{counted, decimal, nouns};
use houserule_base::statistics::interval::NORMAL;
use houserule_playtest::sentences::{capital, digits, factor, percentage_points, unit};
use houserule_playtest::{AgentComparison, Comparison, Quantity, Subject};

/// Greatest effects that change a game a little, and clearly, in standard deviations of a game before. They are Cohen's (1988)
/// for a small effect and one of medium size.
const LITTLE: f64 = 0.2;
const CLEARLY: f64 = 0.5;

/// Parts in words.
const FRACTIONS: [(f64, &str); 7] = [
    (0.1, "a tenth"),
    (0.2, "a fifth"),
    (0.25, "a quarter"),
    (1.0 / 3.0, "a third"),
    (0.5, "half"),
    (2.0 / 3.0, "two thirds"),
    (0.75, "three quarters"),
];

/// Smaller parts are told in percent, and larger ones as multiples.
const LEAST_FRACTION: f64 = 0.075;
const MOST_FRACTION: f64 = 0.875;

/// Shares of games from which every game, most of them or half of them are said to use a rule.
const EVERY: f64 = 0.995;
const MOST: f64 = 0.6;
const HALF: f64 = 0.4;

/// The length of games, as metrics.
const LENGTHS: [&str; 4] = ["turns", "decisions", "rolls", "games"];

/// The verdict on a rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleEffect {
    /// The sentence.
    pub sentence: String,
    /// What agrees or disagrees with it: other players, the length of games, how they end.
    pub more: String,
}

/// Returns the effect of the second rules for the best players that played. `None` if nothing was played.
pub fn find_effect(found: &Comparison) -> Option<RuleEffect> {
    let best = found.strongest()?;
    let main = main_difference(best);
    let games = counted(best.games, unit(found.match_play));
    let uses = share_of_use(best, found);
    let sentence = match main {
        None if best.identical => format!("Changes nothing: every {} is the same", unit(found.match_play)),
        None if best.games == 1 => "One game says nothing of what it changes".to_owned(),
        None => format!("Changes nothing that {games} can show"),
        Some(quantity) => {
            let size = match quantity.difference.abs() / quantity.deviation {
                size if size < LITTLE => "a little",
                size if size < CLEARLY => "clearly",
                _ => "a lot",
            };
            format!("Changes the game {size}: {}", change_in_words(quantity))
        }
    };
    let uses = match (main, uses) {
        (_, None) => ".".to_owned(),
        (Some(_), Some(uses)) => format!(", and {uses}."),
        (None, Some(uses)) if best.using == Some(0) => format!(", and {uses}."),
        (None, Some(uses)) => format!(", though {uses}."),
    };
    let told = [strength(found, main), length(best, main), ends(best)];
    let more = told.into_iter().flatten().collect::<Vec<_>>().join(" ");
    Some(RuleEffect { sentence: format!("{sentence}{uses}"), more })
}

/// The greatest difference in how games end, or else in how long they take.
fn main_difference(agent: &AgentComparison) -> Option<&Quantity> {
    let size = |quantity: &&Quantity| quantity.difference.abs() / quantity.deviation;
    let (lengths, results): (Vec<_>, Vec<_>) = agent.main_differences().into_iter().partition(is_length);
    let largest = results.into_iter().max_by(|x, y| size(x).total_cmp(&size(y)));
    largest.or(lengths.first().copied())
}

fn is_length(quantity: &&Quantity) -> bool {
    LENGTHS.contains(&quantity.kind.name)
}

/// Describes a difference: `half as many points again`, `games become a tenth longer`.
fn change_in_words(quantity: &Quantity) -> String {
    let part = quantity.relative.filter(|_| quantity.a.mean > NORMAL * quantity.a.se);
    let grows = quantity.difference > 0.0;
    let absolute = || {
        let places = digits(quantity.half_width().unwrap_or(0.0) * factor(quantity.kind));
        decimal(quantity.difference.abs() * factor(quantity.kind), places)
    };
    let side = plain(&quantity.seat_name);
    let of_hundred = |deed: &str| {
        let word = if grows { "more" } else { "fewer" };
        format!("{deed} {} {word} of 100 games", absolute())
    };
    match (quantity.kind.subject, quantity.kind.name) {
        (Subject::Score, _) => match part {
            Some(part) => multiple(part, "points"),
            None => format!("{} points {}", absolute(), if grows { "more" } else { "fewer" }),
        },
        (_, "draws") => {
            format!("{} {} of 100 games are drawn", absolute(), if grows { "more" } else { "fewer" })
        }
        (Subject::Result | Subject::Team, _) => of_hundred(&format!("{side} wins")),
        (Subject::Success, _) => of_hundred("all win together in"),
        (_, name) if LENGTHS.contains(&name) => match part {
            Some(part) => format!("games become {}", longer(part)),
            None => {
                let word = if grows { "longer" } else { "shorter" };
                format!("games become {word} by {} {name}", absolute())
            }
        },
        _ => format!(
            "{} {}",
            quantity.label,
            signed(quantity.difference, digits(quantity.half_width().unwrap_or(0.0)))
        ),
    }
}

/// Returns a part in words, or in percent.
fn fraction(part: f64) -> String {
    match part {
        part if part < LEAST_FRACTION => format!("{} %", decimal(100.0 * part, usize::from(part < 0.01))),
        part if part < MOST_FRACTION => {
            let apart = |of: &&(f64, &str)| (of.0 - part).abs();
            let nearest = FRACTIONS.iter().min_by(|x, y| apart(x).total_cmp(&apart(y)));
            nearest.map_or_else(String::new, |(_, word)| (*word).to_owned())
        }
        part => format!("{} %", decimal(100.0 * part, 0)),
    }
}

/// Returns how many more or fewer there are of something, as a part of how many there were.
fn multiple(part: f64, what: &str) -> String {
    let is_half = |part: f64| fraction(part) == "half";
    match part {
        part if part <= 0.0 && is_half(-part) => format!("half as many {what}"),
        part if part <= 0.0 => format!("{} fewer {what}", fraction(-part)),
        part if is_half(part) => format!("half as many {what} again"),
        part if part < MOST_FRACTION => format!("{} more {what}", fraction(part)),
        part if part < 1.25 => format!("twice as many {what}"),
        part if part < 9.5 => {
            let times = (2.0 * (1.0 + part)).round() / 2.0;
            format!("{} times as many {what}", decimal(times, usize::from(times.fract() != 0.0)))
        }
        _ => format!("more than ten times as many {what}"),
    }
}

/// Returns how much longer something takes, as a part of what it took.
fn longer(part: f64) -> String {
    let is_half = fraction(part.abs()) == "half";
    match part {
        part if part <= 0.0 && is_half => "half as long".to_owned(),
        part if part <= 0.0 => format!("{} shorter", fraction(-part)),
        _ if is_half => "half as long again".to_owned(),
        part if part < MOST_FRACTION => format!("{} longer", fraction(part)),
        part if part < 1.25 => "twice as long".to_owned(),
        part => format!("{} times as long", decimal(1.0 + part, 0)),
    }
}

/// Says how many games use the rule: take an option that only the second rules have. Without one, says in how many it matters,
/// where the same players played both.
fn share_of_use(agent: &AgentComparison, found: &Comparison) -> Option<String> {
    let (one, many) = (unit(found.match_play), nouns(2, unit(found.match_play)));
    let part = |count: u64| match count as f64 / agent.games as f64 {
        0.0 => (format!("no {one}"), false),
        share if share >= EVERY => (format!("every {one}"), false),
        share if share >= MOST => (format!("most {many}"), true),
        share if share >= HALF => (format!("half of the {many}"), true),
        _ => (format!("few {many}"), true),
    };
    match agent.using {
        Some(using) => {
            let (words, is_plural) = part(using);
            Some(format!("{words} {} it", if is_plural { "use" } else { "uses" }))
        }
        None if agent.identical || agent.trainings.is_some() || found.seeds[0] != found.seeds[1] => None,
        None => Some(format!("it matters in {}", part(agent.differing).0)).filter(|_| agent.differing > 0),
    }
}

/// Says whether the difference grows with the strength of the players.
fn strength(found: &Comparison, main: Option<&Quantity>) -> Option<String> {
    let main = main?;
    let twin = |agent: &&AgentComparison| {
        let is_twin = |quantity: &&Quantity| {
            (quantity.kind.name, &quantity.name, quantity.seat) == (main.kind.name, &main.name, main.seat)
        };
        agent.quantities.iter().find(is_twin).and_then(|quantity| Some((quantity.low?, quantity.high?)))
    };
    let known: Vec<(f64, f64)> =
        found.agents.iter().filter(|agent| agent.games > 1).filter_map(|agent| twin(&agent)).collect();
    let (weak, strong) = (known.first()?, known.last()?);
    if known.len() < 2 {
        return None;
    }
    let is_apart = weak.1 < strong.0 || strong.1 < weak.0;
    let [weak, strong] = [weak, strong].map(|(low, high)| (low + high) / 2.0);
    Some(match is_apart {
        false => "Weak and strong players see about the same change.".to_owned(),
        true if weak * strong < 0.0 => {
            let players = in_order(found).first().map_or("", |agent| agent.agent.as_str());
            let weakest = found.agents.first().map_or("", |agent| agent.agent.as_str());
            format!("For {weakest} players the change goes the other way than for {players} ones.")
        }
        true if strong.abs() > weak.abs() => "The stronger the player, the larger the change.".to_owned(),
        true => "The stronger the player, the smaller the change.".to_owned(),
    })
}

/// Says how the length of games changes, if that isn't the main change.
fn length(agent: &AgentComparison, main: Option<&Quantity>) -> Option<String> {
    let quantity = agent.main_quantities().into_iter().find(is_length)?;
    if main.is_some_and(|main| is_length(&main)) {
        return None;
    }
    Some(match quantity.differs {
        true => capital(&(change_in_words(quantity) + ".")),
        false => "No difference was found in how long games take.".to_owned(),
    })
}

/// Says whether games end differently.
fn ends(agent: &AgentComparison) -> Option<String> {
    let ends: Vec<&Quantity> =
        agent.quantities.iter().filter(|quantity| quantity.kind.subject == Subject::End).collect();
    let size = |quantity: &&&Quantity| quantity.difference.abs();
    let largest = ends.iter().filter(|quantity| quantity.differs).max_by(|x, y| size(x).total_cmp(&size(y)));
    match largest {
        Some(quantity) => {
            let places = digits(quantity.half_width().unwrap_or(0.0) * 100.0);
            let by = decimal(100.0 * quantity.difference.abs(), places);
            let word = if quantity.difference > 0.0 { "more" } else { "less" };
            let end = plain(&quantity.name);
            Some(format!("Games end with “{end}” {by} {} {word} often.", percentage_points(&by)))
        }
        None if ends.len() > 1 && ends.iter().any(|quantity| quantity.is_tested()) => {
            Some("No difference was found in how they end.".to_owned())
        }
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_told_as_fractions() {
        for (part, said) in [
            (0.03, "3 % more points"),
            (0.11, "a tenth more points"),
            (0.53, "half as many points again"),
            (1.02, "twice as many points"),
            (1.6, "2.5 times as many points"),
            (40.0, "more than ten times as many points"),
            (-0.3, "a third fewer points"),
            (-0.52, "half as many points"),
            (-0.95, "95 % fewer points"),
        ] {
            assert_eq!(multiple(part, "points"), said);
        }
        for (part, said) in [
            (0.12, "a tenth longer"),
            (0.45, "half as long again"),
            (1.0, "twice as long"),
            (-0.5, "half as long"),
            (-0.02, "2 % shorter"),
        ] {
            assert_eq!(longer(part), said);
        }
    }
}
