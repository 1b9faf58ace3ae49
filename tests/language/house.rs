//! The code follows the project's own rules: parts and rooms use only earlier ones, and texts follow the glossary.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use crate::text_snapshots::check_snapshots;
use houserule::agents::AgentKind;

/// The parts, each a crate in a folder of `src`, in order of dependency.
const PARTS: [&str; 13] = [
    "base", "language", "model", "check", "script", "machine", "game", "loader", "players", "lab", "page",
    "desk", "app",
];

/// Returns the path of a file or folder of the project.
fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Returns the files below a folder with an extension.
fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let mut found = vec![];
    let mut open = vec![project(folder)];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => open.push(path),
                false if path.extension().is_some_and(|of| of == ending) => found.push(path),
                false => {}
            }
        }
    }
    found.sort();
    assert!(!found.is_empty());
    found
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("a text")
}

/// A file of code without its unit tests. Its comment lines are empty, so that line numbers stay the same.
struct Source {
    /// The path from the project's folder, with `/`.
    path: String,
    code: String,
}

/// Returns the code below a folder. Files of unit tests are left out.
fn sources(folder: &str) -> Vec<Source> {
    let mut all = vec![];
    for file in files(folder, "rs") {
        let inside = file.strip_prefix(env!("CARGO_MANIFEST_DIR")).expect("a file of the project");
        let names: Vec<_> = inside.iter().map(|name| name.to_string_lossy()).collect();
        if names.iter().any(|name| name.trim_end_matches(".rs").ends_with("tests")) {
            continue;
        }
        let text = read(&file);
        // Unit tests in the file stand at its end.
        let tests = text.match_indices("#[cfg(test)]\nmod ").map(|(at, _)| at);
        let is_block = |at: &usize| text[*at..].lines().nth(1).is_some_and(|line| line.ends_with('{'));
        let code = &text[..tests.into_iter().find(is_block).unwrap_or(text.len())];
        let code = code.lines().map(|line| if line.trim_start().starts_with("//") { "" } else { line });
        all.push(Source { path: names.join("/"), code: code.collect::<Vec<_>>().join("\n") });
    }
    all
}

impl Source {
    /// Returns the place of a byte of the code, as editors open it.
    fn place(&self, at: usize) -> String {
        format!("{}:{}", self.path, 1 + self.code[..at].matches('\n').count())
    }

    /// Returns the names in the path inside a part's folder: the room first.
    fn inside(&self, part: &str) -> Vec<&str> {
        let inside = self.path.strip_prefix(&format!("src/{part}/")).expect("a file of the part");
        inside.trim_end_matches(".rs").split('/').filter(|name| *name != "mod").collect()
    }
}

fn is_name_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the name with which a text begins.
fn first_name(text: &str) -> &str {
    text.split(|c| !is_name_letter(c)).next().unwrap_or_default()
}

/// Returns the names that follow a path such as `crate::`, alone or in a list, each with the place of the path.
fn names_after<'c>(code: &'c str, path: &str) -> Vec<(usize, &'c str)> {
    let mut names = vec![];
    for (at, _) in code.match_indices(path) {
        if code[..at].ends_with(|c| is_name_letter(c) || c == ':') {
            continue;
        }
        let rest = &code[at + path.len()..];
        match rest.strip_prefix('{') {
            Some(list) => names.extend(split_list(list).0.into_iter().map(|item| (at, first_name(item)))),
            None => names.push((at, first_name(rest))),
        }
    }
    names
}

/// Returns the items of a list up to its closing bracket, and the text after it. Commas inside other brackets divide
/// nothing.
fn split_list(list: &str) -> (Vec<&str>, &str) {
    let (mut items, mut start, mut depth, mut last) = (vec![], 0, 0, ' ');
    for (at, c) in list.char_indices() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            // The arrow of a function's type.
            '>' if last == '-' => {}
            ')' | ']' | '}' | '>' if depth > 0 => depth -= 1,
            ',' | ')' | ']' | '}' | '>' if depth == 0 => {
                items.push(list[start..at].trim());
                start = at + c.len_utf8();
                if c != ',' {
                    items.retain(|item| !item.is_empty());
                    return (items, &list[start..]);
                }
            }
            _ => {}
        }
        last = c;
    }
    (items, "")
}

/// A function with a name.
struct Function<'c> {
    /// Where it stands in its file's code.
    at: usize,
    name: &'c str,
    is_public: bool,
    /// The type whose inherent method it is, if it is one.
    method_of: Option<&'c str>,
    parameters: Vec<&'c str>,
}

/// Returns the functions of a file.
fn functions(code: &str) -> Vec<Function<'_>> {
    let mut all = vec![];
    for (at, keyword) in code.match_indices("fn ") {
        let line = code[..at].rsplit('\n').next().unwrap_or_default();
        let rest = &code[at + keyword.len()..];
        let name = first_name(rest);
        if name.is_empty() || line.ends_with(|c| is_name_letter(c) || c == '"') {
            continue;
        }
        let after = &rest[name.len()..];
        let after_generics = after.strip_prefix('<').map_or(after, |list| split_list(list).1);
        let parameters = after_generics.strip_prefix('(').map(|list| split_list(list).0).unwrap_or_default();
        let is_method = line.starts_with("    ") && !line[4..].starts_with(' ');
        let is_public = line.trim_start().starts_with("pub");
        let method_of = is_method.then(|| inherent_type(&code[..at])).flatten();
        all.push(Function { at, name, is_public, method_of, parameters });
    }
    all
}

/// Returns the type whose inherent `impl` is open at the end of a piece of code.
fn inherent_type(code: &str) -> Option<&str> {
    let block = &code[code.rfind("\nimpl")? + "\nimpl".len()..];
    let (header, body) = block.split_once('{')?;
    if body.contains("\n}") || header.contains(" for ") {
        return None;
    }
    let after_generics = header.strip_prefix('<').map_or(header, |list| split_list(list).1);
    let path = after_generics.trim().split('<').next()?;
    Some(first_name(path.rsplit("::").next()?.trim()))
}

/// The rooms of a part: the modules of its `lib.rs`. Modules without a blank line between them stand on one floor.
struct Rooms {
    part: &'static str,
    floors: HashMap<String, usize>,
}

impl Rooms {
    fn read(part: &'static str) -> Rooms {
        let text = self::read(&project(&format!("src/{part}/lib.rs")));
        let mut floors = HashMap::new();
        for (floor, paragraph) in text.split("\n\n").enumerate() {
            for line in paragraph.lines() {
                let line =
                    ["pub ", "pub(crate) "].iter().find_map(|word| line.strip_prefix(word)).unwrap_or(line);
                if let Some(name) = line.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';')) {
                    floors.insert(name.to_owned(), floor);
                }
            }
        }
        Rooms { part, floors }
    }

    /// Returns the floor of a file of the part; `None` for its `lib.rs`, which stands above all rooms.
    fn floor(&self, source: &Source) -> Option<usize> {
        self.floors.get(source.inside(self.part)[0]).copied()
    }

    /// Returns the floors of the types that the rooms declare. No two types share a name.
    fn floors_of_types(&self, sources: &[Source]) -> HashMap<String, usize> {
        let mut types = HashMap::new();
        for source in sources {
            let Some(floor) = self.floor(source) else { continue };
            types.extend(source.code.lines().filter_map(declared).map(|name| (name.to_owned(), floor)));
        }
        types
    }
}

/// Returns the folder or file of each room and each part, by name.
fn places_of_modules() -> HashMap<String, PathBuf> {
    let mut places = HashMap::new();
    for part in PARTS {
        let folder = project("src").join(part);
        for room in Rooms::read(part).floors.into_keys() {
            places.insert(room.clone(), folder.join(room));
        }
        places.insert(part.to_owned(), folder);
    }
    places
}

#[test]
fn parts_depend_only_on_those_before_them() {
    let mut wrong = vec![];
    for (number, part) in PARTS.iter().enumerate() {
        let manifest = read(&project(&format!("src/{part}/Cargo.toml")));
        // Unit tests may look further down.
        let sections = manifest.split("\n[").filter(|section| {
            let name = section.lines().next().unwrap_or_default();
            name.ends_with("dependencies]") && !name.contains("dev-")
        });
        for used in sections.flat_map(str::lines).filter_map(|line| line.strip_prefix("houserule-")) {
            if !PARTS[..number].contains(&first_name(used)) {
                wrong.push(format!("src/{part}/Cargo.toml: {}", first_name(used)));
            }
        }
    }
    assert!(wrong.is_empty(), "parts depend on those after them: {wrong:#?}");
    let folders =
        fs::read_dir(project("src")).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut folders: Vec<String> = folders
        .filter(|path| path.is_dir())
        .map(|path| path.file_name().expect("a name").to_string_lossy().into_owned())
        .collect();
    folders.sort();
    let mut parts = PARTS.to_vec();
    parts.sort_unstable();
    assert_eq!(folders, parts, "each folder of `src` is a part");
}

#[test]
fn rooms_use_only_those_before_them() {
    let (mut wrong, mut uses) = (vec![], 0);
    for part in PARTS {
        let (rooms, sources) = (Rooms::read(part), sources(&format!("src/{part}")));
        let types = rooms.floors_of_types(&sources);
        for source in &sources {
            let Some(own) = rooms.floor(source) else { continue };
            let from_root = "super::".repeat(source.inside(part).len());
            let names = ["crate::", &from_root].into_iter().flat_map(|path| names_after(&source.code, path));
            for (at, name) in names {
                let Some(floor) = rooms.floors.get(name).or(types.get(name)) else { continue };
                uses += usize::from(*floor != own);
                if *floor > own {
                    wrong.push(format!("{}: uses `{name}`", source.place(at)));
                }
            }
        }
    }
    assert!(uses > 400, "the uses are found: {uses}");
    assert!(wrong.is_empty(), "rooms use those after them in `lib.rs`:\n{}", wrong.join("\n"));
}

/// Returns where a method is called, or named by its path.
fn calls_of(code: &str, name: &str) -> Vec<usize> {
    let is_call = |at: &usize| {
        let after = &code[at + name.len()..];
        match after.starts_with(is_name_letter) {
            true => false,
            false if code[..*at].ends_with('.') => after.starts_with(['(', ':']),
            false => code[..*at].ends_with("::"),
        }
    };
    code.match_indices(name).map(|(at, _)| at).filter(is_call).collect()
}

/// Types whose methods call each other in all rooms of their part, with the reason.
const IN_ALL_ROOMS: [(&str, &str); 1] =
    [("Checker", "an expression may need a declaration, and a declaration an expression")];

/// Methods that types of the standard library have too: their calls don't show whose they are.
const OF_STD: [&str; 8] = ["clear", "collect", "filter", "find", "index", "insert", "keys", "map"];

/// A method needs no import, so only its name shows who calls it: a name that no other room of the part defines.
#[test]
fn methods_on_another_rooms_types_go_one_way() {
    let (mut wrong, mut calls) = (vec![], 0);
    for part in PARTS {
        let (rooms, sources) = (Rooms::read(part), sources(&format!("src/{part}")));
        let types = rooms.floors_of_types(&sources);
        // The floors that define each name; and those of methods that extend a type of another floor.
        let mut defined = HashMap::<&str, Vec<Option<usize>>>::new();
        let mut extending = HashMap::<&str, usize>::new();
        for source in &sources {
            let floor = rooms.floor(source);
            for function in functions(&source.code) {
                let floors = defined.entry(function.name).or_default();
                if !floors.contains(&floor) {
                    floors.push(floor);
                }
                let is_free = |name: &&str| IN_ALL_ROOMS.iter().all(|(free, _)| name != free);
                let type_floor = function.method_of.filter(is_free).and_then(|name| types.get(name));
                if let (Some(floor), Some(type_floor)) = (floor, type_floor)
                    && floor != *type_floor
                {
                    extending.insert(function.name, floor);
                }
            }
        }
        extending.retain(|name, _| defined[name].len() == 1 && !OF_STD.contains(name));
        for source in &sources {
            let Some(own) = rooms.floor(source) else { continue };
            for (name, floor) in &extending {
                for at in calls_of(&source.code, name) {
                    calls += 1;
                    if *floor > own {
                        wrong.push(format!("{}: calls `{name}`", source.place(at)));
                    }
                }
            }
        }
    }
    assert!(calls > 50, "the calls are found: {calls}");
    assert!(wrong.is_empty(), "rooms call methods that a later room defines:\n{}", wrong.join("\n"));
}

/// Words that say nothing as the name of a function: a name says what is returned or done.
const NO_NAMES: [&str; 9] = ["of", "told", "tell", "look", "came", "kept", "tried", "asked", "meant"];

#[test]
fn functions_have_verbs() {
    let mut wrong = vec![];
    for source in sources("src").into_iter().chain(sources("python/src")) {
        let functions = functions(&source.code).into_iter();
        let functions = functions.filter(|function| NO_NAMES.contains(&function.name));
        wrong.extend(functions.map(|function| format!("{}: `{}`", source.place(function.at), function.name)));
    }
    assert!(wrong.is_empty(), "functions that need another name:\n{}", wrong.join("\n"));
}

#[test]
fn no_function_takes_a_tuple_apart() {
    let (mut wrong, mut parameters) = (vec![], 0);
    for source in sources("src").into_iter().chain(sources("python/src")) {
        for function in functions(&source.code) {
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

/// Returns the type that a line of code declares. The associated types of a trait's implementation don't count:
/// the trait names them.
fn declared(line: &str) -> Option<&str> {
    let mut rest = line.trim_start();
    let is_inner = rest.len() < line.len();
    if let Some(after) = rest.strip_prefix("pub") {
        rest = if after.starts_with('(') { after.split_once(") ")?.1 } else { after.trim_start() };
    }
    let (keyword, rest) = rest.strip_prefix("unsafe ").unwrap_or(rest).split_once(' ')?;
    let declares = ["struct", "enum", "union", "trait"].contains(&keyword) || keyword == "type" && !is_inner;
    let name = rest.split(|c: char| !c.is_alphanumeric()).next().filter(|name| !name.is_empty());
    name.filter(|_| declares)
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
    let bare = ["src/base/", "src/machine/", "src/game/many/", "src/players/", "src/lab/"];
    let is_bare =
        |path: &str| !path.starts_with("src/players/envs/") && bare.iter().any(|bare| path.starts_with(bare));
    let (mut wrong, mut excused, mut count) = (vec![], vec![], 0);
    for source in sources("src").into_iter().filter(|source| !is_bare(&source.path)) {
        for function in functions(&source.code).into_iter().filter(|function| function.is_public) {
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

/// Returns the parts of a text that are quoted in backticks, outside of fences.
fn quoted(text: &str) -> Vec<&str> {
    text.split("```").step_by(2).flat_map(|prose| prose.split('`').skip(1).step_by(2)).collect()
}

#[test]
fn pages_name_files_and_modules_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = ["README.md", "CONTRIBUTING.md", "SECURITY.md"].map(|page| root.join(page));
    let folders = ["src", "tests", "benches", "examples", "python", "rules", "fuzz", "notebooks", "docs"];
    let modules = places_of_modules();
    let (mut missing, mut named) = (vec![], 0);
    for page in files("docs", "md").into_iter().chain(pages) {
        let text = read(&page);
        for name in quoted(&text) {
            let is_path = name.chars().all(|c| c.is_alphanumeric() || "/._-".contains(c));
            let is_file = name.split_once('/').is_some_and(|(first, _)| folders.contains(&first));
            let module = name.split_once("::").and_then(|(first, rest)| Some((modules.get(first)?, rest)));
            let exists = if is_path && is_file && !name.contains("NAME") {
                root.join(name).exists()
            } else if let Some((folder, rest)) = module {
                let rest = rest.split("::").take_while(|part| part.starts_with(char::is_lowercase));
                let path = folder.join(rest.collect::<PathBuf>());
                // The last name may be that of a function.
                [Some(path.as_path()), path.parent()]
                    .into_iter()
                    .flatten()
                    .any(|path| path.is_dir() || path.with_extension("rs").is_file())
            } else {
                continue;
            };
            named += 1;
            if !exists {
                missing.push(format!("{}: `{name}`", page.strip_prefix(root).unwrap_or(&page).display()));
            }
        }
    }
    assert!(named > 150, "the names are found: {named}");
    assert!(missing.is_empty(), "pages name what does not exist:\n{}", missing.join("\n"));
}

/// Returns the rows of the table after a heading of `docs/architecture.md`.
fn rows_after<'p>(page: &'p str, heading: &str) -> impl Iterator<Item = &'p str> {
    let (_, rest) = page.split_once(heading).unwrap_or_else(|| panic!("a heading `{}`", heading.trim()));
    rest.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'))
}

/// Returns the files and folders of `src` in the first column of a row.
fn listed(row: &str) -> impl Iterator<Item = &str> {
    let cell = row.split('|').nth(1).unwrap_or_default();
    quoted(cell).into_iter().filter_map(|path| Some(path.strip_prefix("src/")?.trim_end_matches(".rs")))
}

#[test]
fn the_architecture_lists_every_part_and_room_in_order() {
    let page = read(&project("docs/architecture.md"));
    assert_eq!(rows_after(&page, "\n## Parts\n").flat_map(listed).collect::<Vec<_>>(), PARTS);
    for part in PARTS {
        let rooms = Rooms::read(part);
        let rows: Vec<&str> = rows_after(&page, &format!("\n### {part}\n")).collect();
        let inside = |path: &'_ str| path.split_once('/').map(|(_, room)| room.to_owned());
        let named: Vec<String> = rows.iter().flat_map(|row| listed(row)).filter_map(inside).collect();
        let floor = |room: &String| rooms.floors.get(room).copied();
        for room in &named {
            assert!(
                floor(room).is_some(),
                "`docs/architecture.md` lists `src/{part}/{room}`, which is no room"
            );
        }
        assert!(
            named.iter().is_sorted_by_key(floor),
            "the order of `src/{part}/lib.rs` is another: {named:?}"
        );
        // The row of the part's own folder is that of all other files, and names other folders.
        let own = rows.iter().find(|row| listed(row).any(|path| path == part));
        for room in rooms.floors.keys().filter(|room| !named.contains(room)) {
            let is_folder = project(&format!("src/{part}/{room}")).is_dir();
            let is_named = own.is_some_and(|row| !is_folder || row.contains(&format!("`{room}`")));
            assert!(is_named, "`docs/architecture.md` lacks `src/{part}/{room}`");
        }
    }
}

/// Maximum number of lines of the files of a folder, without unit tests and folders in it.
const FOLDER_LINES: usize = 6_000;

#[test]
fn no_folder_outgrows_its_subject() {
    let mut lines = BTreeMap::<String, usize>::new();
    for source in sources("src") {
        let (folder, _) = source.path.rsplit_once('/').expect("a folder");
        *lines.entry(folder.to_owned()).or_default() += source.code.lines().count();
    }
    assert!(lines.len() > 60, "the folders are found: {}", lines.len());
    lines.retain(|_, lines| *lines > FOLDER_LINES);
    assert!(lines.is_empty(), "folders of more than {FOLDER_LINES} lines: {lines:?}");
}

/// Files of the shared core that read or write files, for hosts that have any: those of journals.
const WITH_FILES: [&str; 2] = ["src/desk/table/journal.rs", "src/desk/table/journal_file.rs"];

/// Returns `true` if all names that are imported are those of constants, such as the ending of a kind of file.
fn are_constants(names: &str) -> bool {
    !names.contains(char::is_lowercase) && names.contains(char::is_uppercase)
}

/// Servers, editors, notebooks and a page without a server share this part, so it asks its host for all else.
#[test]
fn the_shared_core_has_no_sockets_threads_clocks_or_files() {
    let outside = ["fs", "net", "thread", "time", "process", "env"].map(|part| format!("std::{part}"));
    let (mut found, mut excused) = (vec![], vec![]);
    for source in sources("src/desk") {
        for (at, line) in (1..).zip(source.code.lines()) {
            let lists = line.trim_start().starts_with("use std::{");
            let own = ["houserule_base::files", "houserule_base::clock"];
            if lists
                || outside.iter().any(|part| line.contains(part))
                || own.iter().any(|own| line.split_once(own).is_some_and(|(_, names)| !are_constants(names)))
            {
                match WITH_FILES.contains(&source.path.as_str()) {
                    true => excused.push(source.path.clone()),
                    false => found.push(format!("{}:{at}: {line}", source.path)),
                }
            }
        }
    }
    assert!(found.is_empty(), "the core uses what only its host has:\n{}", found.join("\n"));
    assert!(WITH_FILES.iter().all(|path| excused.iter().any(|one| one == path)), "{excused:?}");
}

#[test]
fn modules_of_the_python_crate_have_no_circle() {
    let mut uses = BTreeMap::<String, Vec<String>>::new();
    for source in sources("python/src") {
        let inside = source.path.strip_prefix("python/src/").expect("a file of the crate");
        let own = first_name(inside);
        let used = names_after(&source.code, "crate::").into_iter().map(|(_, module)| module.to_owned());
        uses.entry(own.to_owned()).or_default().extend(used.filter(|module| module != own));
    }
    // What uses nothing that is left is taken away, until nothing is left or only circles are.
    while let Some(module) = uses
        .iter()
        .find(|(_, used)| !used.iter().any(|module| uses.contains_key(module)))
        .map(|(module, _)| module.clone())
    {
        uses.remove(&module);
    }
    assert!(uses.is_empty(), "modules in a circle, or that use one: {:?}", uses.keys());
}

/// Returns the names of the dependencies in a `Cargo.toml`, except the project's own crates.
fn dependencies(manifest: &str) -> Vec<String> {
    let text = read(&project(manifest));
    let (mut names, mut is_list) = (vec![], false);
    for line in text.lines() {
        if line.starts_with('[') {
            is_list = line.trim_end_matches(']').ends_with("dependencies");
        } else if let (true, Some((name, _))) = (is_list, line.split_once(" = ")) {
            let name = name.trim_end_matches(".workspace").to_owned();
            names.extend(
                Some(name).filter(|name| !name.starts_with(['#', '"']) && !name.starts_with("houserule")),
            );
        }
    }
    names
}

#[test]
fn every_dependency_has_its_reason() {
    let page = read(&project("docs/architecture.md"));
    let (_, section) = page.split_once("\n## Dependencies\n").expect("the section");
    let rows: Vec<&str> = section
        .lines()
        .take_while(|line| !line.starts_with("## "))
        .filter(|line| line.starts_with("| `"))
        .collect();
    let first = |row: &&str| row.split(" | ").next().unwrap_or_default().to_owned();
    let named: String = rows.iter().map(first).collect();
    // `Cargo.toml` lists those of all parts.
    let used = [dependencies("Cargo.toml"), dependencies("python/Cargo.toml")].concat();
    assert!(used.len() > 30, "the dependencies are found: {used:?}");
    let missing: Vec<&String> = used.iter().filter(|name| !named.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty(), "`docs/architecture.md` has no reason for {missing:?}");
    let gone: Vec<&str> =
        named.split('`').skip(1).step_by(2).filter(|name| !used.iter().any(|used| used == name)).collect();
    assert!(gone.is_empty(), "`docs/architecture.md` has dependencies that are gone: {gone:?}");
    let manifests = PARTS.map(|part| format!("src/{part}/Cargo.toml"));
    let manifests = manifests.iter().map(String::as_str).chain(["Cargo.toml", "python/Cargo.toml"]);
    let manifests: String = manifests.map(|manifest| read(&project(manifest))).collect();
    let is_used = |name: &str| {
        [".workspace", " = { workspace"].iter().any(|form| manifests.contains(&format!("\n{name}{form}")))
    };
    let unused = dependencies("Cargo.toml").into_iter().filter(|name| !is_used(name)).collect::<Vec<_>>();
    assert!(unused.is_empty(), "no part uses {unused:?}");
}

#[test]
fn the_table_of_agents_is_that_of_the_list() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/agents.md");
    let text = read(&path);
    let start = text.find("| `random` |").expect("the first row");
    let end = start + text[start..].find("| `FILE.player` |").expect("the row after the built-in agents");
    let row = |(forms, help): (Vec<String>, &str)| format!("| `{}` | {help} |\n", forms.join("`, `"));
    let rows: String = AgentKind::built_in().map(row).collect();
    check_snapshots([("docs/agents.md".to_owned(), format!("{}{rows}{}", &text[..start], &text[end..]))]);
}
