//! The grammar of English words: prepositions, possession, verbs; `nouns`, and `brackets` that keep words together.

mod brackets;
mod nouns;

pub(super) use brackets::{
    OF_EQUALS, ROUNDED_DOWN, before, case_closed, choice_closed, clause_closed, closed, has_clause,
    lists_criteria, name_closed, opened, operand_closed,
};
pub(super) use nouns::{is_participle, is_several, ordinal, piece, pieces, plural, with_article};

/// Prepositions with which the name of a define may begin or end: `coins_of`, `in_check`.
const PREPOSITIONS: [&str; 13] =
    ["after", "at", "before", "behind", "beside", "by", "for", "from", "in", "of", "on", "to", "with"];

/// Splits the preposition off the end of a noun: `coins of` is `coins` and `of`.
pub(super) fn preposition_after(noun: &str) -> Option<(&str, &str)> {
    noun.rsplit_once(' ').filter(|(_, last)| PREPOSITIONS.contains(last))
}

/// Splits the preposition off the beginning of a noun: `of suit` is `of` and `suit`.
pub(super) fn preposition_before(noun: &str) -> Option<(&str, &str)> {
    noun.split_once(' ').filter(|(first, _)| PREPOSITIONS.contains(first))
}

/// Returns what a player has: `your coins`. A name such as `coins_of` has an `of` too many if nothing follows.
pub(super) fn owned(player: &str, noun: &str, last: bool) -> String {
    match preposition_after(noun) {
        Some((noun, "of")) if last => format!("{} {noun}", owner(player)),
        Some((noun, word)) if last => format!("{noun} {word} {player}"),
        _ => format!("{} {noun}", owner(player)),
    }
}

/// Returns `noun of a and b`, or the noun alone. A name such as `winner_of` or `points_for` has its preposition already.
pub(super) fn of_all(noun: &str, of: &[String]) -> String {
    match (of, preposition_after(noun)) {
        ([], _) => noun.to_owned(),
        // A define may have the name `the`: the two of clubs.
        (of, _) if noun == "the" => format!("the {}", of.join(" of ")),
        (of, Some(_)) => format!("{noun} {}", of.join(" and ")),
        (of, None) => format!("{noun} of {}", of.join(" and ")),
    }
}

/// Describes a condition whose name is a part of a sentence: `c is free`, `you are in check`, `A is a spy`. Returns
/// `None` for other names.
pub(super) fn clause(noun: &str, of: &[String], negated: bool) -> Option<String> {
    let not = if negated { "not " } else { "" };
    // `next to` and `a` need a word after them.
    let is_open = |what: &str| {
        let last = what.rsplit(' ').next().unwrap_or(what);
        matches!(what, "a" | "an") || PREPOSITIONS.contains(&last)
    };
    match (noun.split_once(' '), of) {
        (Some(("is", what)), [one]) if !is_open(what) => Some(format!("{one} {} {not}{what}", are(one))),
        (Some(("is", what)), [one, two]) if is_open(what) => {
            Some(format!("{one} {} {not}{what} {two}", are(one)))
        }
        (Some(("can", what)), [one]) => {
            Some(format!("{one} {} {what}", if negated { "cannot" } else { "can" }))
        }
        (Some(("may", what)), [one]) => Some(format!("{one} may {not}{what}")),
        (_, [one]) if preposition_before(noun).is_some() => Some(format!("{one} {} {not}{noun}", are(one))),
        _ => None,
    }
}

/// Returns what holds of a subject if a name is a verb, such as `fits` and `matches`, or `None`: `c fits`, `c doesn't fit`.
pub(super) fn verb_of(subject: &str, name: &str, negated: bool) -> Option<String> {
    let is_verb =
        name.len() > 3 && name.ends_with('s') && !["ss", "us", "is"].iter().any(|end| name.ends_with(end));
    if !is_verb || name.contains(' ') {
        return None;
    }
    let base = match name {
        _ if name.ends_with("ies") => format!("{}y", name.trim_end_matches("ies")),
        _ if ["xes", "ches", "shes", "sses", "oes"].iter().any(|end| name.ends_with(end)) => {
            name.trim_end_matches("es").to_owned()
        }
        _ => name.trim_end_matches('s').to_owned(),
    };
    Some(match (negated, is_several(subject)) {
        (false, false) => format!("{subject} {name}"),
        (false, true) => format!("{subject} {base}"),
        (true, false) => format!("{subject} doesn't {base}"),
        (true, true) => format!("{subject} don't {base}"),
    })
}

/// Names that are verbs in the third person and nothing else, so that they can say what a single subject does. `jacks`
/// and `doubles` are things.
const VERBS: [&str; 59] = [
    "attacks",
    "beats",
    "begins",
    "belongs",
    "blocks",
    "breaks",
    "brings",
    "captures",
    "closes",
    "comes",
    "connects",
    "covers",
    "crosses",
    "dies",
    "eats",
    "ends",
    "escapes",
    "fits",
    "flees",
    "flies",
    "follows",
    "gets",
    "gives",
    "goes",
    "holds",
    "joins",
    "jumps",
    "keeps",
    "knows",
    "leads",
    "leaves",
    "lies",
    "lives",
    "loses",
    "makes",
    "matches",
    "mates",
    "meets",
    "needs",
    "opens",
    "outranks",
    "owns",
    "pays",
    "proves",
    "reaches",
    "scores",
    "sees",
    "sinks",
    "slides",
    "stands",
    "starts",
    "stays",
    "survives",
    "takes",
    "threatens",
    "touches",
    "wants",
    "wins",
    "works",
];

/// Short adjectives that have none of the usual endings.
const ADJECTIVES: [&str; 32] = [
    "alike", "alive", "alone", "bare", "big", "bound", "caught", "dead", "even", "far", "first", "free",
    "full", "high", "last", "late", "legal", "lone", "loose", "low", "lost", "near", "odd", "open", "own",
    "ready", "safe", "small", "soft", "stuck", "wild", "won",
];

/// Nouns that end like adjectives.
const NOUNS: [&str; 13] = [
    "breed", "building", "cable", "evening", "king", "morning", "ring", "seed", "speed", "spring", "string",
    "table", "wing",
];

/// Past participles that say what a player has done.
const DEEDS: [&str; 17] = [
    "acted", "arrived", "crossed", "declared", "escaped", "jumped", "landed", "moved", "passed", "placed",
    "played", "reached", "rolled", "scored", "started", "stopped", "voted",
];

/// Returns `true` if a name is a verb in the third person.
pub(super) fn is_verb(name: &str) -> bool {
    VERBS.contains(&name)
}

/// Returns `true` if a name is a word that says how somebody or something is, such as `free` and `fitting`.
pub(super) fn is_adjective(name: &str) -> bool {
    let ends = ["ed", "ing", "able", "ible", "ful", "less", "ous"];
    let has_end = name.len() > 4 && !NOUNS.contains(&name) && ends.iter().any(|end| name.ends_with(end));
    ADJECTIVES.contains(&name) || !name.contains(' ') && has_end
}

/// Returns `true` if a name says what a player has done, such as `reached` and `passed`, so that it can't follow `is`.
pub(super) fn is_deed(name: &str) -> bool {
    DEEDS.contains(&name)
}

/// Returns `true` if a name says what somebody is, such as `leader`, and not what is so.
pub(super) fn is_role(name: &str) -> bool {
    let other = [
        "over", "under", "after", "never", "ever", "other", "lower", "upper", "higher", "number", "for", "or",
    ];
    !name.contains(' ')
        && name.len() > 4
        && ["er", "or"].iter().any(|end| name.ends_with(end))
        && !other.contains(&name)
}

/// Describes a condition on one or two subjects whose name is a verb, an adjective or a role: `k flees`, `c is not free`,
/// `you are the leader`. Returns `None` for other names.
pub(super) fn predicate(name: &str, of: &[String], negated: bool) -> Option<String> {
    let not = if negated { "not " } else { "" };
    match of {
        _ if name.contains(' ') => None,
        // What holds for a number needn't say what the number is.
        [one] if one.parse::<i64>().is_ok() => None,
        [one] if is_verb(name) => verb_of(one, name, negated),
        // Of two, a verb says what one does to the other.
        [one, two] => Some(format!("{} {two}", verb_of(one, name, negated)?)),
        [one, others @ ..] if is_verb(name) => {
            Some(format!("{} {}", verb_of(one, name, negated)?, others.join(" and ")))
        }
        [one] if is_role(name) => Some(format!("{one} {} {not}the {name}", are(one))),
        [one] if is_adjective(name) => Some(format!("{one} {} {not}{name}", are(one))),
        _ => None,
    }
}

/// Returns the verb `be` as a subject needs it.
pub(super) fn are(subject: &str) -> &'static str {
    if is_several(subject) { "are" } else { "is" }
}

/// Returns `true` if words begin with whose something is: `your men`, `the other player's men of k`.
pub(super) fn is_owned(told: &str) -> bool {
    let words = [" of ", " on ", " in "].into_iter();
    let start = words.fold(told, |start, word| start.split(word).next().unwrap_or(start));
    ["your ", "their "].iter().any(|own| told.starts_with(own))
        || start.contains("'s ")
        || start.contains("' ")
}

/// Returns the possessive of a player: `your`, `X's`.
pub(super) fn owner(player: &str) -> String {
    match player {
        "you" => "your".to_owned(),
        "they" => "their".to_owned(),
        _ if player.ends_with('s') => format!("{player}'"),
        _ => format!("{player}'s"),
    }
}
