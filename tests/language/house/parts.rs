//! Parts and rooms use only those before them, and none outgrows its subject.

use std::collections::BTreeMap;
use std::fs;

use super::*;

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
            let names = ["crate::", &from_root].into_iter().flat_map(|path| names_after(source.code, path));
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

/// Returns the methods that are called, or named by their paths, each with its place.
fn calls(code: &str) -> Vec<(usize, &str)> {
    let mut found = vec![];
    let mut after = code;
    while let Some(from) = after.find(is_name_letter) {
        let at = code.len() - after.len() + from;
        let name = first_name(&code[at..]);
        after = &code[at + name.len()..];
        let is_called = code[..at].ends_with('.') && after.starts_with(['(', ':']);
        if is_called || code[..at].ends_with("::") {
            found.push((at, name));
        }
    }
    found
}

/// Types whose methods call each other in all rooms of their part, with the reason.
const IN_ALL_ROOMS: [(&str, &str); 1] =
    [("Checker", "an expression may need a declaration, and a declaration an expression")];

/// Methods that types of the standard library have too: their calls don't show whose they are.
const OF_STD: [&str; 8] = ["clear", "collect", "filter", "find", "index", "insert", "keys", "map"];

/// A method needs no import, so only its name shows who calls it: a name that no other room of the part defines.
#[test]
fn methods_on_another_rooms_types_go_one_way() {
    let (mut wrong, mut count) = (vec![], 0);
    for part in PARTS {
        let (rooms, sources) = (Rooms::read(part), sources(&format!("src/{part}")));
        let types = rooms.floors_of_types(&sources);
        // The floors that define each name; and those of methods that extend a type of another floor.
        let mut defined = HashMap::<&str, Vec<Option<usize>>>::new();
        let mut extending = HashMap::<&str, usize>::new();
        for source in &sources {
            let floor = rooms.floor(source);
            for function in source.functions() {
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
            for (at, name) in calls(source.code) {
                let Some(floor) = extending.get(name) else { continue };
                count += 1;
                if *floor > own {
                    wrong.push(format!("{}: calls `{name}`", source.place(at)));
                }
            }
        }
    }
    assert!(count > 50, "the calls are found: {count}");
    assert!(wrong.is_empty(), "rooms call methods that a later room defines:\n{}", wrong.join("\n"));
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
        let used = names_after(source.code, "crate::").into_iter().map(|(_, module)| module.to_owned());
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
