//! Names of functions, parameters and types, and words of comments.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::*;

/// Words that say nothing as the name of a function: a name says what is returned or done.
const NO_NAMES: [&str; 9] = ["of", "told", "tell", "look", "came", "kept", "tried", "asked", "meant"];

#[test]
fn functions_have_verbs() {
    let mut wrong = vec![];
    for source in sources("src").into_iter().chain(sources("python/src")) {
        let functions = source.functions().iter();
        let functions = functions.filter(|function| NO_NAMES.contains(&function.name));
        wrong.extend(functions.map(|function| format!("{}: `{}`", source.place(function.at), function.name)));
    }
    assert!(wrong.is_empty(), "functions that need another name:\n{}", wrong.join("\n"));
}

#[test]
fn no_function_takes_a_tuple_apart() {
    let (mut wrong, mut parameters) = (vec![], 0);
    for source in sources("src").into_iter().chain(sources("python/src")) {
        for function in source.functions() {
            parameters += function.parameters.len();
            let takes_apart = |parameter: &&str| parameter.trim_start_matches('&').starts_with('(');
            if function.parameters.iter().any(takes_apart) {
                wrong.push(format!("{}: `{}`", source.place(function.at), function.name));
            }
        }
    }
    assert!(parameters > 10_000, "the parameters are found: {parameters}");
    assert!(wrong.is_empty(), "pass single values, or a type with named fields:\n{}", wrong.join("\n"));
}

#[test]
fn no_two_types_share_a_name() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut places = BTreeMap::<String, Vec<String>>::new();
    for path in files("src", "rs").into_iter().chain(files("python/src", "rs")) {
        let text = read(&path);
        // The ids of the model are declared by a macro, a name to a line.
        let ids =
            text.split_once("\nids! {").and_then(|(_, rest)| rest.split_once("\n}")).map(|(ids, _)| ids);
        let ids = ids.into_iter().flat_map(str::lines).map(str::trim);
        let ids = ids.filter(|line| line.starts_with(char::is_uppercase));
        for name in text.lines().filter_map(declared).chain(ids) {
            let path = path.strip_prefix(root).unwrap_or(&path).display().to_string();
            places.entry(name.to_owned()).or_default().push(path);
        }
    }
    assert!(places.len() > 800 && places.contains_key("Seat"), "the types are found: {}", places.len());
    places.retain(|_, places| places.len() > 1);
    assert!(places.is_empty(), "names that several types share: {places:#?}");
}

/// Functions that take a bare number for a site, a seat, a player or an action, with the reason.
const BARE: [(&str, &str); 1] =
    [("shut_beside", "a square of the union-find's own board, which has a margin around the sites")];

#[test]
fn sites_seats_and_actions_are_no_bare_numbers() {
    // Parts and rooms that know no games, or work on rows and sets of bare numbers.
    let bare = ["src/base/", "src/machine/", "src/game/many/", "src/players/", "src/playtest/", "src/lab/"];
    let is_bare = |path: &str| bare.iter().any(|bare| path.starts_with(bare));
    let (mut wrong, mut excused, mut count) = (vec![], vec![], 0);
    for source in sources("src").into_iter().filter(|source| !is_bare(&source.path)) {
        for function in source.functions().iter().filter(|function| function.is_public) {
            count += 1;
            for parameter in &function.parameters {
                let Some((name, kind)) = parameter.split_once(':') else { continue };
                let is_named = ["site", "seat", "player", "action"].contains(&name.trim());
                let is_bare = ["u32", "usize", "Option<u32>", "Option<usize>"].contains(&kind.trim());
                if is_named && is_bare && BARE.iter().any(|(known, _)| *known == function.name) {
                    excused.push(function.name.to_owned());
                } else if is_named && is_bare {
                    wrong.push(format!(
                        "{}: `{}` has `{parameter}`",
                        source.place(function.at),
                        function.name
                    ));
                }
            }
        }
    }
    assert!(count > 900, "the functions are found: {count}");
    assert!(wrong.is_empty(), "write `Site`, `Seat` or `ActionId`:\n{}", wrong.join("\n"));
    for (name, _) in BARE {
        assert!(
            excused.iter().any(|one| one == name),
            "`{name}` takes no bare number; take it from the list"
        );
    }
}

/// Returns the table "Words that are not used": each word and its replacement.
fn dropped() -> Vec<(String, String)> {
    let glossary = read(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/words.md"));
    let (_, table) = glossary.split_once("## Words that are not used").expect("the table");
    let mut words = vec![];
    for row in table.lines().filter(|line| line.starts_with("| ")).skip(2) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        words.extend(cells[1].split(", ").map(|word| (word.to_owned(), cells[2].to_owned())));
    }
    assert!(words.len() > 10);
    words
}

/// Returns `true` if a line contains a word or phrase, and not only as a part of a longer word.
fn has(line: &str, phrase: &str) -> bool {
    line.match_indices(phrase).any(|(at, _)| {
        !line[..at].ends_with(is_name_letter) && !line[at + phrase.len()..].starts_with(is_name_letter)
    })
}

#[test]
fn dropped_words_are_not_used() {
    let dropped = dropped();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = ["README.md", "CONTRIBUTING.md", "SECURITY.md"].map(|page| root.join(page));
    // The page of environments shows the words of rule files.
    let docs = files("docs", "md").into_iter().chain(pages);
    let docs = docs.filter(|page| !page.ends_with("words.md") && !page.ends_with("environments.md"));
    let comments = files("src", "rs").into_iter().chain(files("python/src", "rs"));
    let mut found = vec![];
    for path in docs.chain(comments) {
        let is_code = path.extension().is_some_and(|of| of == "rs");
        let mut is_fenced = false;
        for (number, line) in read(&path).lines().enumerate() {
            // Output and rules are quoted in fences.
            is_fenced ^= !is_code && line.trim_start().starts_with("```");
            if is_fenced || is_code && !line.trim_start().starts_with("//") {
                continue;
            }
            for (word, instead) in dropped.iter().filter(|(word, _)| has(line, word)) {
                let path = path.strip_prefix(root).unwrap_or(&path).display();
                found.push(format!("{path}:{}: `{word}`; write {instead}", number + 1));
            }
        }
    }
    assert!(found.is_empty(), "words that `docs/words.md` has dropped:\n{}", found.join("\n"));
}
