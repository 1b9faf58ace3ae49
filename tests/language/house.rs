//! The code follows the project's own rules: modules use only earlier modules, and texts follow the glossary.

use std::fs;
use std::path::{Path, PathBuf};

use houserule::agents::AgentKind;

/// Returns the files below a folder with an extension.
fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let mut found = vec![];
    let mut open = vec![PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(folder)];
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

/// Returns the modules that a file declares, in its order.
fn modules_of(file: &str) -> Vec<String> {
    let text = read(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(file));
    let name = |line: &str| {
        let line =
            ["pub ", "pub(crate) "].iter().find_map(|public| line.strip_prefix(public)).unwrap_or(line);
        Some(line.strip_prefix("mod ")?.strip_suffix(';')?.to_owned())
    };
    text.lines().filter_map(name).collect()
}

/// Returns the modules of the crate, in the order of `src/lib.rs`.
fn modules() -> Vec<String> {
    modules_of("src/lib.rs")
}

/// Returns the modules that a line of code names after `path`, such as `crate::`, alone or in a list.
fn named(line: &str, path: &str) -> Vec<String> {
    let mut names = vec![];
    for rest in line.split(path).skip(1) {
        let list = rest.strip_prefix('{').and_then(|list| list.split('}').next());
        for part in list.map_or_else(|| vec![rest], |list| list.split(',').collect()) {
            let name: String = part.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            names.push(name);
        }
    }
    names
}

/// Asserts that the modules in a folder use only those before them in `order`. `paths` is what stands before the name
/// of a module. At least `least` uses must be found.
fn assert_order(folder: &str, order: &[String], paths: &[&str], least: usize) {
    let place = |name: &str| order.iter().position(|module| module == name);
    let (mut wrong, mut uses) = (vec![], 0);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    for path in files(folder, "rs") {
        let inside = path.strip_prefix(&root).expect("a file of the folder");
        let first = inside.components().next().expect("a module").as_os_str().to_string_lossy().into_owned();
        let Some(own) = place(first.trim_end_matches(".rs")) else { continue };
        if inside.components().any(|part| part.as_os_str() == "tests" || part.as_os_str() == "tests.rs") {
            continue;
        }
        let text = read(&path);
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        for (number, line) in
            code.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"))
        {
            let names = paths.iter().flat_map(|path| named(line, path));
            for used in names.filter_map(|name| place(&name)) {
                uses += 1;
                if used > own {
                    wrong.push(format!("{}:{}: uses `{}`", inside.display(), number + 1, order[used]));
                }
            }
        }
    }
    assert!(uses > least, "the uses are found: {uses}");
    assert!(wrong.is_empty(), "modules of `{folder}` use what is declared after them:\n{}", wrong.join("\n"));
}

#[test]
fn modules_use_only_those_before_them() {
    assert_order("src", &modules(), &["crate::"], 500);
}

/// The methods of the one `Checker` call each other across its modules; what these import has an order.
#[test]
fn modules_of_the_checker_import_only_those_before_them() {
    let passes: Vec<String> = modules().into_iter().filter(|module| module.starts_with("check")).collect();
    assert_eq!(passes, ["checker", "check_expressions", "check_declarations", "check_statements", "check"]);
    assert_order("src", &passes, &["crate::"], 100);
    let shared = modules_of("src/check/checker/mod.rs");
    assert_eq!(shared, ["options", "value", "place", "state", "names"]);
    assert_order("src/check/checker", &shared, &["crate::checker::", "super::super::"], 5);
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
    let mut places = std::collections::BTreeMap::<String, Vec<String>>::new();
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
    let rooms = [
        "board", "model", "script", "game", "oracle", "explain", "matches", "notation", "hidden", "observe",
        "envs", "paint", "draw", "report", "table", "terminal", "play", "cli",
    ];
    let (mut wrong, mut excused, mut functions) = (vec![], vec![], 0);
    for path in files("src", "rs") {
        let inside = path.strip_prefix(concat!(env!("CARGO_MANIFEST_DIR"), "/src")).expect("a file of `src`");
        let mut parts = inside.iter().map(|part| part.to_string_lossy().trim_end_matches(".rs").to_owned());
        let is_test = parts.clone().any(|part| part.ends_with("tests"));
        if is_test || !parts.next().is_some_and(|first| rooms.contains(&first.as_str())) {
            continue;
        }
        let text = read(&path);
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        for (before, after) in code.match_indices("fn ").map(|(at, _)| code.split_at(at)) {
            let start = before.rsplit('\n').next().unwrap_or_default();
            if !start.trim_start().starts_with("pub") || start.contains("//") {
                continue;
            }
            functions += 1;
            let head = after.split(['{', ';']).next().unwrap_or_default();
            let name = head["fn ".len()..].split(|c: char| !c.is_alphanumeric() && c != '_').next();
            let name = name.unwrap_or_default();
            let words: Vec<&str> = head.split(|c: char| c.is_whitespace() || "(),&".contains(c)).collect();
            let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
            for pair in words.windows(2) {
                let is_named = ["site:", "seat:", "player:", "action:"].contains(&pair[0]);
                let is_bare = ["u32", "usize", "Option<u32>", "Option<usize>"].contains(&pair[1]);
                if !is_named || !is_bare {
                    continue;
                }
                match BARE.iter().any(|(known, _)| *known == name) {
                    true => excused.push(name.to_owned()),
                    false => {
                        wrong.push(format!("{}: `{name}` has `{} {}`", inside.display(), pair[0], pair[1]))
                    }
                }
            }
        }
    }
    assert!(functions > 900, "the functions are found: {functions}");
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
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(phrase)
        .any(|(at, _)| !line[..at].ends_with(is_letter) && !line[at + phrase.len()..].starts_with(is_letter))
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
    let (mut missing, mut named) = (vec![], 0);
    for page in files("docs", "md").into_iter().chain(pages) {
        let text = read(&page);
        for name in quoted(&text) {
            let is_path = name.chars().all(|c| c.is_alphanumeric() || "/._-".contains(c));
            let is_file = name.split_once('/').is_some_and(|(first, _)| folders.contains(&first));
            let mut parts = name.split("::");
            let is_module =
                modules().iter().any(|module| parts.next() == Some(module)) && name.contains("::");
            let exists = if is_path && is_file && !name.contains("NAME") {
                root.join(name).exists()
            } else if is_module {
                let module = name.split("::").take_while(|part| part.starts_with(char::is_lowercase));
                let path = root.join("src").join(module.collect::<PathBuf>());
                // The last part may be a function.
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

#[test]
fn the_architecture_lists_every_module_in_order() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = read(&root.join("docs/architecture.md"));
    let (_, table) = page.split_once("| module | responsibility |").expect("the table");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let listed: Vec<String> = rows
        .flat_map(|row| quoted(row.split('|').nth(1).unwrap_or_default()))
        .filter_map(|path| Some(path.strip_prefix("src/")?.trim_end_matches(".rs").to_owned()))
        .filter(|module| module != "main")
        .collect();
    assert_eq!(listed, modules());
}

/// Maximum number of lines of a module without its unit tests.
const MODULE_LINES: usize = 6_000;

#[test]
fn no_module_outgrows_its_subject() {
    let mut lines = std::collections::BTreeMap::<String, usize>::new();
    for path in files("src", "rs") {
        let inside = path.strip_prefix(concat!(env!("CARGO_MANIFEST_DIR"), "/src")).expect("a file of `src`");
        let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
        if parts.iter().any(|part| part.trim_end_matches(".rs").ends_with("tests")) {
            continue;
        }
        let text = read(&path);
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        *lines.entry(parts[0].trim_end_matches(".rs").to_owned()).or_default() += code.lines().count();
    }
    lines.retain(|_, lines| *lines > MODULE_LINES);
    assert!(lines.is_empty(), "modules of more than {MODULE_LINES} lines: {lines:?}");
}

/// Servers, editors, notebooks and a page without a server share these modules, so they ask their host for all else.
#[test]
fn the_shared_core_has_no_sockets_threads_clocks_or_files() {
    let outside = ["fs", "net", "thread", "time", "process", "env"].map(|part| format!("std::{part}"));
    let mut found = vec![];
    for path in ["src/desk/service", "src/desk/workbench"].into_iter().flat_map(|folder| files(folder, "rs"))
    {
        for (at, line) in (1..).zip(read(&path).lines()) {
            let code = line.split("//").next().unwrap_or_default();
            let lists = code.trim_start().starts_with("use std::{");
            if lists || outside.iter().any(|part| code.contains(part)) || code.contains("crate::files") {
                found.push(format!("{}:{at}: {line}", path.display()));
            }
        }
    }
    assert!(found.is_empty(), "the core uses what only its host has:\n{}", found.join("\n"));
}

#[test]
fn modules_of_the_python_crate_have_no_circle() {
    let mut uses = std::collections::BTreeMap::<String, Vec<String>>::new();
    for path in files("python/src", "rs") {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/python/src");
        let inside = path.strip_prefix(root).expect("a file of the crate");
        let first = inside.iter().next().expect("a module").to_string_lossy();
        let own = first.trim_end_matches(".rs").to_owned();
        let text = read(&path);
        let used = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let used = used.flat_map(|line| named(line, "crate::"));
        uses.entry(own.clone()).or_default().extend(used.filter(|module| *module != own));
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

/// Returns the names of the dependencies in a `Cargo.toml`.
fn dependencies(manifest: &str) -> Vec<String> {
    let text = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(manifest));
    let (mut names, mut is_list) = (vec![], false);
    for line in text.lines() {
        if line.starts_with('[') {
            is_list = line.trim_end_matches(']').ends_with("dependencies");
        } else if let (true, Some((name, _))) = (is_list, line.split_once(" = ")) {
            names.push(name.to_owned());
        }
    }
    assert!(names.len() > 5, "{manifest}");
    names
}

#[test]
fn every_dependency_has_its_reason() {
    let page = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/architecture.md"));
    let (_, section) = page.split_once("\n## Dependencies\n").expect("the section");
    let rows: Vec<&str> = section
        .lines()
        .take_while(|line| !line.starts_with("## "))
        .filter(|line| line.starts_with("| `"))
        .collect();
    let first = |row: &&str| row.split(" | ").next().unwrap_or_default().to_owned();
    let named: String = rows.iter().map(first).collect();
    let used = [dependencies("Cargo.toml"), dependencies("python/Cargo.toml")].concat();
    let missing: Vec<&String> =
        used.iter().filter(|name| *name != "houserule" && !named.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty(), "`docs/architecture.md` has no reason for {missing:?}");
    let gone: Vec<&str> =
        named.split('`').skip(1).step_by(2).filter(|name| !used.iter().any(|used| used == name)).collect();
    assert!(gone.is_empty(), "`docs/architecture.md` has dependencies that are gone: {gone:?}");
}

#[test]
fn the_table_of_agents_is_that_of_the_list() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/agents.md");
    let text = read(&path);
    let start = text.find("| `random` |").expect("the first row");
    let end = start + text[start..].find("| `FILE.player` |").expect("the row after the built-in agents");
    let row = |(forms, help): (Vec<String>, &str)| format!("| `{}` | {help} |\n", forms.join("`, `"));
    let rows: String = AgentKind::built_in().map(row).collect();
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        let renewed = format!("{}{rows}{}", &text[..start], &text[end..]);
        return fs::write(path, renewed).expect("the page is written");
    }
    assert!(
        text[start..end] == rows,
        "renew docs/agents.md: UPDATE_SNAPSHOTS=1 cargo test --test language house"
    );
}
