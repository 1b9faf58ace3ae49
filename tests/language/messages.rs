//! Tests of the table of message codes: its sentences, its examples, and the page `docs/messages.md`, which
//! `UPDATE_SNAPSHOTS=1` writes again.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::text_snapshots::check_snapshots;
use houserule::diagnostic::{Code, CodeExample, RenderOptions, render};
use houserule::service::example_messages;

const PAGE: &str = "docs/messages.md";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// A message, or what an example causes instead of it.
type Caused = Result<String, String>;

/// Returns the messages that the examples of codes cause.
fn messages() -> &'static BTreeMap<Code, Caused> {
    static MESSAGES: OnceLock<BTreeMap<Code, Caused>> = OnceLock::new();
    MESSAGES.get_or_init(|| Code::ALL.iter().filter_map(|code| Some((*code, message(*code)?))).collect())
}

/// Returns the message that the example of a code causes.
fn message(code: Code) -> Option<Caused> {
    let example = example_messages(code)?;
    let shown = |own: bool| {
        let some = example.diagnostics.iter().filter(|diagnostic| !own || diagnostic.code == code);
        some.map(|d| render(d, &example.sources, RenderOptions::default())).collect::<Vec<_>>()
    };
    Some(match shown(true).as_slice() {
        [one] => Ok(one.clone()),
        found => {
            Err(format!("{code}: {} messages have the code\n{}", found.len(), shown(false).join("\n\n")))
        }
    })
}

#[test]
fn every_example_causes_its_message_once() {
    let wrong: Vec<&str> =
        messages().values().filter_map(|message| message.as_ref().err()).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn codes_are_in_alphabetical_order_and_explained_in_whole_sentences() {
    assert!(Code::ALL.windows(2).all(|pair| pair[0].as_str() < pair[1].as_str()));
    for code in Code::ALL {
        for text in [code.meaning(), code.mend()] {
            let is_sentence = text.ends_with('.') && !text.starts_with(char::is_lowercase);
            assert!(is_sentence && !text.contains('\n'), "{code}: {text}");
        }
        // A period at the end of a sentence is followed by a space and a capital.
        assert!(!code.meaning().contains(". "), "{code}: a meaning is one sentence");
    }
}

#[test]
fn every_example_file_belongs_to_a_code() {
    let has_example = |code: &&Code| !matches!(code.example(), CodeExample::None(_));
    let wanted: BTreeSet<&str> = Code::ALL.iter().filter(has_example).map(|code| code.as_str()).collect();
    let found = files(&root().join("src/language/diagnostic/examples"));
    let found: BTreeSet<&str> = found.iter().filter_map(|path| path.file_stem()?.to_str()).collect();
    assert_eq!(found, wanted);
}

#[test]
fn error_cases_have_codes_of_the_table() {
    let mut count = 0;
    for path in files(&root().join("tests/errors")) {
        if path.extension().is_none_or(|ending| ending != "txt") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a text");
        let codes = text.lines().filter_map(|line| {
            let rest = line.strip_prefix("error[").or(line.strip_prefix("warning["))?;
            Some(rest.split(']').next().unwrap_or_default())
        });
        for code in codes {
            assert!(Code::named(code).is_some(), "{}: no code is called `{code}`", path.display());
            count += 1;
        }
    }
    assert!(count > 300, "the codes are found");
}

/// Returns the page of all codes.
fn page() -> String {
    let mut page = String::from(
        "# Messages\n\n\
        Every message about rules and scripts has a code, in brackets after `error` or `warning`. This page explains all codes: the meaning, rules\n\
        that cause the message, the message, and its mend. `houserule explain-error CODE` prints the same. A test generates the page and runs its\n\
        examples.\n\n\
        Errors in the command line have no code: they name no place in a file.\n",
    );
    let letter = |code: &Code| code.as_str().chars().next().unwrap_or_default().to_ascii_uppercase();
    let groups: Vec<&[Code]> = Code::ALL.chunk_by(|a, b| letter(a) == letter(b)).collect();
    let links = groups.iter().map(|group| letter(&group[0]));
    let links = links.map(|letter| format!("[{letter}](#{})", letter.to_ascii_lowercase()));
    page += &format!("\n{}\n", links.collect::<Vec<_>>().join(" · "));
    for group in groups {
        page += &format!("\n## {}\n", letter(&group[0]));
        for code in group {
            page += &format!("\n### {code}\n\n{}\n", code.meaning());
            let (language, text) = match code.example() {
                CodeExample::Rules(text) => ("rules", text),
                CodeExample::Agent(text) => ("rhai", text),
                CodeExample::None(reason) => {
                    page += &format!("\nThere is no example: {reason}.\n\n**Mend.** {}\n", code.mend());
                    continue;
                }
            };
            let message = messages().get(code).and_then(|message| message.as_ref().ok());
            let message = message.map_or("", String::as_str);
            page += &format!(
                "\n```{language}\n{text}```\n\n```text\n{message}\n```\n\n**Mend.** {}\n",
                code.mend()
            );
        }
    }
    page
}

#[test]
fn the_page_of_messages_is_up_to_date() {
    check_snapshots([(PAGE.to_owned(), page())]);
}
