//! The grammar of English words: prepositions, possession, plurals, and parentheses that keep words together.

use houserule_base::names::plain;

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
const VERBS: [&str; 58] = [
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
const ADJECTIVES: [&str; 25] = [
    "alive", "alone", "bare", "big", "bound", "caught", "dead", "even", "far", "free", "full", "high",
    "last", "late", "lone", "low", "lost", "near", "odd", "ready", "safe", "small", "soft", "stuck", "won",
];

/// Returns `true` if a name is a verb in the third person.
pub(super) fn is_verb(name: &str) -> bool {
    VERBS.contains(&name)
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
    let is_adjective = || {
        let ends = ["ed", "ing", "able", "ible", "ful", "less", "ous"];
        ADJECTIVES.contains(&name) || name.len() > 4 && ends.iter().any(|end| name.ends_with(end))
    };
    let not = if negated { "not " } else { "" };
    match of {
        _ if name.contains(' ') => None,
        // What holds for a number needn't say what the number is.
        [one] if one.parse::<i64>().is_ok() => None,
        [one] if is_verb(name) => verb_of(one, name, negated),
        // Of two, a verb says what one does to the other.
        [one, two] => Some(format!("{} {two}", verb_of(one, name, negated)?)),
        [one] if is_role(name) => Some(format!("{one} {} {not}the {name}", are(one))),
        [one] if is_adjective() => Some(format!("{one} {} {not}{name}", are(one))),
        _ => None,
    }
}

/// Words to which what follows could belong.
const OPEN: [&str; 8] =
    [" where ", " if ", " for every ", " for any ", " and ", " or ", " without ", ROUNDED_DOWN];

/// The words after a quotient.
pub(super) const ROUNDED_DOWN: &str = ", rounded down";

/// Words that begin a clause, which would take in what follows.
const CLAUSES: [&str; 8] =
    [" where ", " whose ", " if ", " for every ", " for any ", " for which ", " for whom ", " that one can "];

/// Returns words in parentheses if they contain, outside of parentheses, a word to which what follows could belong.
pub(super) fn closed(told: String) -> String {
    enclosed(told, |told| has_outside(told, &OPEN))
}

/// Returns words in parentheses if they contain a clause outside of parentheses.
pub(super) fn clause_closed(told: String) -> String {
    enclosed(told, |told| has_outside(told, &CLAUSES))
}

/// Returns the words before an operator: like [`closed`], and [`clause_closed`].
pub(super) fn operand_closed(told: String) -> String {
    enclosed(told, |told| has_outside(told, &OPEN) || has_outside(told, &CLAUSES))
}

/// Returns the words of a condition in parentheses if they contain alternatives outside of parentheses.
pub(super) fn case_closed(told: String) -> String {
    enclosed(told, |told| has_outside(told, &[", else "]))
}

/// Returns `true` if words contain a condition on elements, or alternatives, outside of parentheses.
pub(super) fn has_clause(told: &str) -> bool {
    has_outside(told, &[" where ", ", else "])
}

/// Returns `true` if words name several criteria, in the order in which they decide, outside of parentheses.
pub(super) fn lists_criteria(told: &str) -> bool {
    has_outside(told, &[", then "])
}

fn enclosed(told: String, is_open: impl FnOnce(&str) -> bool) -> String {
    if !told.starts_with('`') && is_open(&told) { format!("({told})") } else { told }
}

/// Returns `true` if words contain one of some others outside of parentheses.
fn has_outside(told: &str, words: &[&str]) -> bool {
    let mut depth = 0;
    told.char_indices().any(|(at, sign)| {
        match sign {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        depth == 0 && matches!(sign, ' ' | ',') && words.iter().any(|word| told[at..].starts_with(word))
    })
}

/// Returns the verb `be` as a subject needs it.
pub(super) fn are(subject: &str) -> &'static str {
    if is_several(subject) { "are" } else { "is" }
}

/// Returns `true` if a description is plural, judging by its first noun.
pub(super) fn is_several(subject: &str) -> bool {
    let noun = subject.split(" of ").next().unwrap_or(subject);
    let noun = noun.split(" on ").next().unwrap_or(noun);
    let noun = noun.split(" who ").next().unwrap_or(noun);
    let noun = noun.split(" with ").next().unwrap_or(noun);
    let noun = noun.split(" for ").next().unwrap_or(noun);
    // A variable can have the name `s`.
    let ends_so = noun.len() > 2 && noun.ends_with('s') && !noun.ends_with("ss") && !noun.ends_with("us");
    matches!(subject, "you" | "they") || ends_so || noun.ends_with("men")
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

/// Returns the plural of the name of a piece or an element.
pub(super) fn plural(noun: &str) -> String {
    let noun = plain(noun);
    match noun.strip_suffix("man") {
        Some(start) => format!("{start}men"),
        None if ["x", "ch", "sh", "ss"].iter().any(|end| noun.ends_with(end)) => format!("{noun}es"),
        None if noun.ends_with('s') => noun,
        None => match noun.strip_suffix('y') {
            Some(start) if !start.is_empty() && !start.ends_with(['a', 'e', 'i', 'o', 'u']) => {
                format!("{start}ies")
            }
            _ => format!("{noun}s"),
        },
    }
}
