//! Translates Rhai's errors into messages about scripts, with help.

use rhai::{EvalAltResult, ParseErrorType};

use super::outline::{Script, lower_first};

/// Returns the message and the help for a runtime error.
pub(super) fn running(script: &Script, error: &EvalAltResult) -> (String, String) {
    let plain = |message: String| (message, String::new());
    match error {
        EvalAltResult::ErrorRuntime(value, _) if value.is_unit() => (
            "it throws something without a message".to_owned(),
            "say what is wrong: `throw \"…\"`".to_owned(),
        ),
        EvalAltResult::ErrorRuntime(value, _) => plain(value.to_string()),
        EvalAltResult::ErrorFunctionNotFound(signature, _) => no_function(script, signature),
        EvalAltResult::ErrorMismatchDataType(wanted, found, _) => {
            let (wanted, found) = (kind(wanted), kind(found));
            let help = match (wanted.as_str(), found.as_str()) {
                ("a number", "an element") => {
                    "is this an index too many? The value before `[` may have all its indices already"
                }
                _ => "",
            };
            (format!("expected {wanted}, found {found}"), help.to_owned())
        }
        EvalAltResult::ErrorIndexingType(types, _) => {
            let (of, by) = types.split_once('[').unwrap_or((types, ""));
            let by = by.split(']').next().unwrap_or_default();
            plain(format!("{} can't be indexed by {}", kind(of.trim()), kind(by.trim())))
        }
        EvalAltResult::ErrorArrayBounds(len, index, _) => (
            format!(
                "the list has no place {index}: it has {len} element{}",
                if *len == 1 { "" } else { "s" }
            ),
            "the first element of a list is at 0".to_owned(),
        ),
        EvalAltResult::ErrorStringBounds(len, index, _) => (
            format!(
                "the text has no place {index}: it has {len} character{}",
                if *len == 1 { "" } else { "s" }
            ),
            "the first character of a text is at 0".to_owned(),
        ),
        EvalAltResult::ErrorPropertyNotFound(name, _) => (
            format!("the map has no entry `{name}`"),
            format!("test it first: `if \"{name}\" in MAP {{ … }}`"),
        ),
        EvalAltResult::ErrorDotExpr(said, _) => {
            let mut quoted = said.split('\'').skip(1).step_by(2);
            match (quoted.next(), quoted.next()) {
                (Some(field), Some(of)) => plain(format!("{} has no field `{field}`", kind(of))),
                _ => plain(lower_first(said)),
            }
        }
        EvalAltResult::ErrorFor(_) => (
            "`for` can't go over this".to_owned(),
            "it goes over a set, a zone, a list or a range: `for c in g.empty { … }`, `for i in 0..5 { … }`"
                .to_owned(),
        ),
        error => {
            let said = error.to_string();
            plain(lower_first(said.split(" (line").next().unwrap_or_default()))
        }
    }
}

/// How to call each function of the game.
const CALLS: [(&str, &str); 12] = [
    ("cell", "`g.cell(COLUMN, ROW)` or `g.cell(\"a1\")`"),
    ("element", "`g.element(\"NAME\")`"),
    ("put", "`g.put(\"PIECE\", INDEX, SITES)`, without an index if the piece has none"),
    ("clear", "`g.clear(SITES)`"),
    ("move", "`g.move(FROM, TO)`"),
    ("roll", "`g.roll(6)`"),
    ("pick", "`g.pick(SET)`"),
    ("after", "`g.after(PLAYER)`"),
    ("other", "`g.other(PLAYER)`"),
    ("empty", "`g.empty`, or `g.empty(\"BOARD\")`"),
    ("score", "`g.score(PLAYER)`"),
    ("count", "`g.count(\"ZONE\", INDEX)`"),
];

/// Returns how to call a function of the game.
pub fn how_to_call(name: &str) -> Option<&'static str> {
    CALLS.iter().find(|(known, _)| *known == name).map(|(_, how)| *how)
}

/// Returns the message and the help for a function that doesn't exist, or not for these arguments.
fn no_function(script: &Script, signature: &str) -> (String, String) {
    let (name, types) = signature.split_once(" (").unwrap_or((signature, ""));
    let kinds: Vec<String> =
        types.trim_end_matches(')').split(", ").filter(|ty| !ty.is_empty()).map(kind).collect();
    let family = kinds.iter().any(|kind| kind == FAMILY);
    let indexed = || "name one of its values by an index: `g.NAME[INDEX]`".to_owned();
    if !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        let help = if family { indexed() } else { String::new() };
        let message = match kinds.as_slice() {
            [one] => format!("`{name}` does not work on {one}"),
            [a, b] => format!("`{name}` does not work on {a} and {b}"),
            _ => format!("`{name}` does not work here"),
        };
        return (message, help);
    }
    if kinds.first().is_some_and(|first| first == "the game") {
        let message = match &kinds[1..] {
            [] => format!("`g.{name}` needs something to work on"),
            given => format!("`g.{name}` does not work on {}", given.join(" and ")),
        };
        return (message, how_to_call(name).map_or(String::new(), |how| format!("write {how}")));
    }
    let own: Vec<usize> = script
        .functions
        .iter()
        .filter(|function| function.name == name)
        .map(|function| function.params.len())
        .collect();
    if let [wanted] = own.as_slice() {
        let parameters = if *wanted == 1 { "parameter" } else { "parameters" };
        return (
            format!("`{name}` takes {wanted} {parameters}, and it is called with {}", kinds.len()),
            String::new(),
        );
    }
    let help = if family { indexed() } else { String::new() };
    match kinds.as_slice() {
        [] => (format!("there is no function `{name}` without arguments"), help),
        kinds => (format!("there is no function `{name}` for {}", kinds.join(" and ")), help),
    }
}

const FAMILY: &str = "a family of values";

/// Returns how messages name a Rhai type.
fn kind(name: &str) -> String {
    let plain = match name {
        "i64" => "a number",
        "bool" => "true or false",
        "()" => "none",
        "array" => "a list",
        "map" => "a map",
        "char" => "a character",
        "Fn" => "a function",
        "set" => "a set",
        "element" => "an element",
        "action" => "an action",
        "table" => "a table",
        "family" => FAMILY,
        "game" => "the game",
        name if name.contains("String") || name == "string" || name == "&str" => "a text",
        name => match name.rsplit("::").next().unwrap_or(name) {
            "Element" => "an element",
            "Set" => "a set",
            "Family" => FAMILY,
            "Game" => "the game",
            "Action" => "an action",
            "Lookup" | "Points" => "a table",
            other => return format!("`{other}`"),
        },
    };
    plain.to_owned()
}

/// Returns the message and the help for a syntax error. `word` is the text at the error, `before` the text
/// before it on its line.
pub(super) fn reading(error: &ParseErrorType, word: &str, before: &str) -> (String, Option<String>) {
    let before = before.trim_end();
    if let Some((wanted, why)) = foreign(word, before) {
        return (format!("scripts have no `{wanted}`"), Some(why.to_owned()));
    }
    match error {
        ParseErrorType::VariableUndefined(name) => (
            format!("there is no variable `{name}` here"),
            Some(format!(
                "read the game's state with `g.{name}`; a variable of a function begins with `let {name} = …`"
            )),
        ),
        ParseErrorType::PropertyExpected
            if before.trim_end_matches('.').ends_with(|c: char| c.is_ascii_digit()) =>
        {
            (
                "numbers are integers, as in rules".to_owned(),
                Some("to work with halves, double all numbers".to_owned()),
            )
        }
        ParseErrorType::PropertyExpected => ("expected a name after `.`".to_owned(), None),
        ParseErrorType::ExprTooDeep => {
            ("this expression is too long".to_owned(), Some("give parts of it names with `let`".to_owned()))
        }
        ParseErrorType::MissingToken(token, _) if token == ";" => (
            format!("expected `;` before {}", quote(word)),
            Some("every statement but the last of a block ends with `;`".to_owned()),
        ),
        ParseErrorType::MissingToken(token, _) if token == "}" => {
            ("`}` is missing".to_owned(), Some("a `{` further up is never closed".to_owned()))
        }
        ParseErrorType::MissingToken(token, why) => {
            (format!("expected `{token}` {why}, found {}", quote(word)), None)
        }
        ParseErrorType::MismatchedType(wanted, found) if wanted.contains("boolean") => (
            format!("a condition is true or false, and this is {found}"),
            Some("compare it with something, or use `some(SET)`".to_owned()),
        ),
        ParseErrorType::MismatchedType(wanted, found) if wanted.contains("iterable") => (
            format!("`for` can't go over {found}"),
            Some("write a range for numbers: `for i in 0..5 { … }`".to_owned()),
        ),
        ParseErrorType::VariableExpected => {
            (format!("expected a name for a variable, found {}", quote(word)), None)
        }
        ParseErrorType::AssignmentToConstant(name) => (
            format!("`{name}` is a constant and can't be changed"),
            Some(format!("begin it with `let {name} = …`")),
        ),
        ParseErrorType::BadInput(rhai::LexError::UnterminatedString) => {
            ("this text is never closed".to_owned(), Some("put `\"` behind it".to_owned()))
        }
        ParseErrorType::BadInput(rhai::LexError::MalformedChar(_)) => (
            "a text stands in double quotes".to_owned(),
            Some("write `\"…\"`; single quotes hold one character".to_owned()),
        ),
        ParseErrorType::WrongFnDefinition => (
            "a function can't stand inside of another".to_owned(),
            Some("put it behind this one; `|x| x + 1` is a function without a name".to_owned()),
        ),
        error if error.to_string().contains("typo of '=='") => (
            "`=` sets a value and can't stand in a condition".to_owned(),
            Some("write `==` to compare".to_owned()),
        ),
        error => {
            let said = error.to_string().replace("Expecting", "expected").replace('\'', "`");
            (lower_first(&said), None)
        }
    }
}

/// Returns a token as messages show it; an empty one is the end of the text.
fn quote(word: &str) -> String {
    if word.is_empty() { "the end".to_owned() } else { format!("`{word}`") }
}

/// Returns a keyword of another language, or of the rules, and how to write it in scripts.
fn foreign(word: &str, before: &str) -> Option<(&'static str, &'static str)> {
    const WORDS: [(&str, &str); 14] = [
        ("elif", "write `else if`"),
        ("elseif", "write `else if`"),
        ("and", "write `&&`"),
        ("or", "write `||`"),
        ("not", "write `!`: `!done`, `!(a in b)`"),
        ("is", "write `x == none` or `some(x)`"),
        ("var", "write `let`"),
        ("function", "write `fn NAME(…) { … }`, outside of all other functions"),
        ("def", "write `fn NAME(…) { … }`, outside of all other functions"),
        ("++", "write `x += 1`"),
        ("--", "write `x -= 1`"),
        ("?", "write `if a { b } else { c }`, which has a value"),
        ("=>", "a function without a name is written `|x| x + 1`"),
        ("===", "write `==`"),
    ];
    let known = |word: &str| WORDS.iter().find(|(known, _)| *known == word).copied();
    // In `(x) => …` the error is at the name in the parentheses.
    let last = before.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    known(word).or_else(|| known(last).filter(|(last, _)| *last == "not"))
}
