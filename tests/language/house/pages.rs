//! Pages name what there is.

use std::path::{Path, PathBuf};

use super::*;
use crate::text_snapshots::check_snapshots;
use houserule::agents::AgentKind;

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
