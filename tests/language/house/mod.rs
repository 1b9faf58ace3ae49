//! The code follows the project's own rules: parts and rooms use only earlier ones, and texts follow the glossary.

mod names;
mod pages;
mod parts;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The parts, each a crate in a folder of `src`, in order of dependency.
const PARTS: [&str; 16] = [
    "base", "language", "model", "check", "script", "machine", "game", "loader", "players", "envs",
    "playtest", "lab", "picture", "page", "desk", "app",
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
    code: &'static str,
    functions: OnceLock<Vec<Function<'static>>>,
}

/// Returns the code below `src` or `python/src`, or below a folder in them. Files of unit tests are left out.
fn sources(folder: &str) -> Vec<&'static Source> {
    static ALL: OnceLock<Vec<Source>> = OnceLock::new();
    let all = ALL.get_or_init(|| ["src", "python/src"].into_iter().flat_map(read_sources).collect());
    let within = format!("{folder}/");
    all.iter().filter(|source| source.path.starts_with(&within)).collect()
}

/// Like [`sources`], from the files.
fn read_sources(folder: &str) -> Vec<Source> {
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
        let code = code.collect::<Vec<_>>().join("\n").leak();
        all.push(Source { path: names.join("/"), code, functions: OnceLock::new() });
    }
    all
}

impl Source {
    /// Returns the functions of the file.
    fn functions(&self) -> &[Function<'static>] {
        self.functions.get_or_init(|| functions(self.code))
    }

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
    fn floors_of_types(&self, sources: &[&Source]) -> HashMap<String, usize> {
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
