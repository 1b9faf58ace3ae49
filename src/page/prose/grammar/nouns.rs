//! Nouns: plurals, articles, and names that need a noun.

use houserule_base::names::plain;

/// Past participles without the usual ending. Those that are nouns, too, such as `set` and `cut`, are missing.
const PARTICIPLES: [&str; 32] = [
    "beaten", "bought", "broken", "built", "burnt", "caught", "chosen", "drawn", "dug", "eaten", "fallen",
    "frozen", "given", "hidden", "kept", "laid", "lit", "lost", "paid", "seen", "shown", "shut", "sold",
    "spent", "stolen", "struck", "sunk", "taken", "thrown", "torn", "used", "won",
];

/// Returns `true` if a name says what has happened to things, such as `taken` and `turned up`, and not what they are.
pub(in crate::prose) fn is_participle(name: &str) -> bool {
    let ends = [" up", " down", " out", " off", " over"];
    let main = ends.into_iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    let last = main.rsplit(' ').next().unwrap_or(main);
    PARTICIPLES.contains(&last) || last.len() > 4 && last.ends_with("ed") && !last.ends_with("eed")
}

/// Returns the noun for a piece of this name: `taken piece` for `taken`.
pub(in crate::prose) fn piece(name: &str) -> String {
    let name = plain(name);
    if is_participle(&name) { format!("{name} piece") } else { name }
}

/// Returns the noun for several pieces of this name.
pub(in crate::prose) fn pieces(name: &str) -> String {
    plural(&piece(name))
}

/// Returns a noun after `a` or `an`.
pub(in crate::prose) fn with_article(noun: &str) -> String {
    format!("{} {noun}", if noun.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" })
}

/// Returns `true` if a description is plural, judging by its first noun.
pub(in crate::prose) fn is_several(subject: &str) -> bool {
    // A number: `the most times in a row`.
    if subject.trim_start_matches('(').starts_with("the most ") {
        return false;
    }
    let noun = subject.split(" of ").next().unwrap_or(subject);
    let noun = noun.split(" on ").next().unwrap_or(noun);
    let noun = noun.split(" who ").next().unwrap_or(noun);
    let noun = noun.split(" with ").next().unwrap_or(noun);
    let noun = noun.split(" for ").next().unwrap_or(noun);
    let noun = noun.split(" in ").next().unwrap_or(noun);
    let noun = noun.split(" that ").next().unwrap_or(noun);
    let noun = noun.split(" around ").next().unwrap_or(noun);
    // A variable can have the name `s`.
    let ends_so = noun.len() > 2 && noun.ends_with('s') && !noun.ends_with("ss") && !noun.ends_with("us");
    let last = noun.rsplit(' ').next().unwrap_or(noun);
    let is_irregular = IRREGULAR.iter().any(|(_, plural)| *plural == last);
    let ends_so = ends_so && !SINGULAR.contains(&last);
    matches!(subject, "you" | "they") || ends_so || noun.ends_with("men") || is_irregular
}

/// Singular nouns with the ending of a plural.
const SINGULAR: [&str; 11] =
    ["atlas", "axis", "basis", "bias", "canvas", "chaos", "crisis", "gas", "lens", "oasis", "iris"];

/// Nouns with plurals of their own.
const IRREGULAR: [(&str, &str); 13] = [
    ("child", "children"),
    ("die", "dice"),
    ("elf", "elves"),
    ("foot", "feet"),
    ("goose", "geese"),
    ("half", "halves"),
    ("knife", "knives"),
    ("leaf", "leaves"),
    ("mouse", "mice"),
    ("sheep", "sheep"),
    ("thief", "thieves"),
    ("tooth", "teeth"),
    ("wolf", "wolves"),
];

/// Returns the plural of the name of a piece or an element.
pub(in crate::prose) fn plural(noun: &str) -> String {
    let noun = plain(noun);
    let last = noun.rsplit(' ').next().unwrap_or(&noun);
    if let Some((one, many)) = IRREGULAR.iter().find(|(one, _)| *one == last) {
        return format!("{}{many}", noun.strip_suffix(*one).unwrap_or_default());
    }
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

/// Writes which in a row: `second`, `nth`.
pub(in crate::prose) fn ordinal(n: &str) -> String {
    match n {
        "1" => "first".to_owned(),
        "2" => "second".to_owned(),
        "3" => "third".to_owned(),
        other => format!("{other}th"),
    }
}
