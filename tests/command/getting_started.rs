//! Tests of `docs/getting-started.md`, `docs/house-rules.md` and `docs/odds.md`: their commands are run in an empty folder,
//! one after the other, and must write the output shown.
//!
//! - a fence `console` holds commands (`$ …`) with their output, to either stream; typed input follows the
//!   program's prompt, `> `;
//! - `houserule watch …` runs in the background, and a later fence `console watch` holds its next output;
//! - a fence `rules FILE` or `rhai FILE` is written to that file;
//! - a fence `diff FILE` removes the lines that begin with `-` from it and inserts those with `+`.
//!
//! `…` in a line stands for any text, and on a line of its own for any lines: times, or output that is too
//! long to show. With `UPDATE_SNAPSHOTS=1` the documents are written again with the actual output.
//!
//! Commands that play for seconds are played as they are told in `./test --all`, and with `UPDATE_SNAPSHOTS=1`. Otherwise
//! they have a small form, of which the lines that are the same in both are compared: see `small_form`.

#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::extent;
use crate::fences::{Fence, document, fences};
use crate::text_snapshots::update_snapshot;

const HOUR: &str = "docs/getting-started.md";
const HOUSE: &str = "docs/house-rules.md";
const ODDS: &str = "docs/odds.md";

/// The wildcard in shown output.
const ANYTHING: &str = "…";

/// Returns an empty folder for this test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A command with its shown output.
struct Step {
    command: String,
    shown: Vec<String>,
}

fn steps(fence: &Fence) -> Vec<Step> {
    let mut steps: Vec<Step> = vec![];
    for line in fence.text.lines() {
        match line.strip_prefix("$ ") {
            Some(command) => steps.push(Step { command: command.to_owned(), shown: vec![] }),
            None => {
                let step = steps.last_mut().unwrap_or_else(|| panic!("line {}: no command", fence.line));
                step.shown.push(line.to_owned());
            }
        }
    }
    steps
}

/// Starts a command in a folder, with both streams in one.
fn shell(command: &str, folder: &Path) -> Child {
    let binary = Path::new(env!("CARGO_BIN_EXE_houserule")).parent().unwrap();
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap_or_default());
    Command::new("sh")
        .arg("-c")
        .arg(format!("exec 2>&1; {command}"))
        .current_dir(folder)
        .env("PATH", path)
        .env("HOME", folder)
        .env_remove("RUST_BACKTRACE")
        .env_remove("XDG_DATA_HOME")
        .env_remove("XDG_STATE_HOME")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Runs a command with typed input, and returns its output by lines.
fn run(command: &str, typed: &str, folder: &Path) -> Vec<String> {
    let mut shell = shell(command, folder);
    // A command that reads no input may have exited.
    let _ = shell.stdin.take().unwrap().write_all(typed.as_bytes());
    let written = shell.wait_with_output().unwrap();
    let text = String::from_utf8(written.stdout).unwrap();
    text.lines().map(|line| line.trim_end().to_owned()).collect()
}

/// A command running in the background, with its output so far.
struct Watch {
    child: Child,
    lines: Arc<Mutex<Vec<String>>>,
    /// Number of lines that have been compared.
    seen: usize,
}

impl Watch {
    fn new(command: &str, folder: &Path) -> Watch {
        let mut child = shell(&format!("exec {command}"), folder);
        let written = BufReader::new(child.stdout.take().unwrap());
        let lines = Arc::new(Mutex::new(vec![]));
        let all = Arc::clone(&lines);
        std::thread::spawn(move || {
            for line in written.lines().map_while(Result::ok) {
                all.lock().unwrap().push(line.trim_end().to_owned());
            }
        });
        Watch { child, lines, seen: 0 }
    }

    /// Returns the new output once it matches `wanted`, or after a timeout.
    fn writes(&mut self, wanted: &[String]) -> Vec<String> {
        let end = Instant::now() + Duration::from_secs(60);
        loop {
            let new = self.lines.lock().unwrap()[self.seen..].to_vec();
            if lines_match(wanted, &new) || Instant::now() > end {
                self.seen += new.len();
                return new;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns `true` if a line matches a pattern, in which `…` stands for any text.
fn line_matches(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split(ANYTHING);
    let Some(mut rest) = parts.next().and_then(|first| line.strip_prefix(first)) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// Returns `true` if lines match a pattern, in which a line `…` stands for any lines.
fn lines_match(pattern: &[String], lines: &[String]) -> bool {
    match pattern.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first == ANYTHING => {
            (0..=lines.len()).any(|skipped| lines_match(rest, &lines[skipped..]))
        }
        Some((first, rest)) => lines
            .split_first()
            .is_some_and(|(line, lines)| line_matches(first, line) && lines_match(rest, lines)),
    }
}

/// Returns actual output with the same lines left out as in the shown output.
fn shortened(shown: &[String], written: &[String]) -> Vec<String> {
    let like = |line: &String| {
        let old = shown.iter().find(|pattern| pattern.as_str() != ANYTHING && line_matches(pattern, line));
        old.unwrap_or(line).clone()
    };
    let lines: Vec<String> = written.iter().map(like).collect();
    let Some(gap) = shown.iter().position(|line| line == ANYTHING) else { return lines };
    let behind = shown.len() - gap - 1;
    if gap + behind >= lines.len() {
        return lines;
    }
    let mut short = lines[..gap].to_vec();
    short.push(ANYTHING.to_owned());
    short.extend_from_slice(&lines[lines.len() - behind..]);
    short
}

/// Removes the lines with `-` from a file and inserts those with `+`.
fn edit(fence: &Fence, path: &Path) {
    let mut text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("line {}: {e}", fence.line));
    let (mut old, mut new) = (String::new(), String::new());
    let mut change = |old: &mut String, new: &mut String| {
        if !old.is_empty() {
            assert_eq!(text.matches(old.as_str()).count(), 1, "line {}:\n{old}in\n{text}", fence.line);
            text = text.replacen(old.as_str(), new, 1);
        }
        old.clear();
        new.clear();
    };
    for line in fence.text.lines() {
        if let Some(line) = line.strip_prefix('+') {
            new += &format!("{line}\n");
            continue;
        }
        if !new.is_empty() {
            change(&mut old, &mut new);
        }
        match line.strip_prefix('-') {
            Some(line) => old += &format!("{line}\n"),
            // Context lines locate the change.
            None => {
                old += &format!("{}\n", line.strip_prefix(' ').unwrap_or(line));
                new += &format!("{}\n", line.strip_prefix(' ').unwrap_or(line));
            }
        }
    }
    change(&mut old, &mut new);
    // The rename is atomic, so `watch` never reads half a file.
    let beside = path.with_extension("new");
    std::fs::write(&beside, text).unwrap();
    std::fs::rename(&beside, path).unwrap();
}

/// Returns the input for a program: the text after its prompts in the shown output.
fn typed(shown: &[String]) -> String {
    let behind = |line: &String| {
        let (prompt, typed) = line.split_once('>')?;
        let asked = prompt.chars().all(|c| c.is_alphanumeric() || c == ' ') && !prompt.ends_with(' ');
        (asked && (typed.is_empty() || typed.starts_with(' '))).then(|| format!("{}\n", typed.trim()))
    };
    shown.iter().filter_map(behind).collect()
}

/// Whether output agrees with what is shown.
type Agrees = fn(&[String], &[String]) -> bool;

/// A command that takes less time than the one that is told.
struct SmallForm {
    command: String,
    /// Whether its output agrees with what is shown of the other's.
    agrees: Agrees,
}

/// Returns the small form of a command that plays for seconds. Players that nobody names are the longest part of it, so
/// that random or greedy ones stand for them.
fn small_form(command: &str) -> Option<SmallForm> {
    if extent::everything() || std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        return None;
    }
    let verb = command.strip_prefix("houserule ")?.split(' ').next()?;
    let small = match verb {
        "compare" => SmallForm {
            command: command.replace("--quick", "--agents random"),
            agrees: |shown, written| told_of_random(written).starts_with(&told_of_random(shown)),
        },
        "worth" => SmallForm {
            command: format!("{command} --only place"),
            agrees: |shown, written| told_of_place(written) == told_of_place(shown),
        },
        "report" => SmallForm {
            command: command.replace("-n 2000", "-n 100 --agent greedy"),
            agrees: |shown, written| written.first() == shown.first(),
        },
        "tune" => SmallForm { command: format!("{command} --agents random"), agrees: lines_match },
        _ => return None,
    };
    Some(small)
}

/// Returns what a comparison tells first, of the two games, and what it tells of random players.
fn told_of_random(lines: &[String]) -> Vec<String> {
    let games = lines.iter().take_while(|line| !line.is_empty());
    let mut random = lines.iter().skip_while(|line| !line.starts_with("Random players, "));
    let first = random.next();
    let more = random.take_while(|line| line.is_empty() || line.starts_with(' '));
    games.chain(first).chain(more).cloned().collect()
}

/// Returns what is told of what the option `place` is worth. Tables of fewer rules are narrower.
fn told_of_place(lines: &[String]) -> Vec<String> {
    let of_place = lines.iter().filter(|line| line.contains("option place") || line.contains("`place`"));
    of_place.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn the_first_hour_goes_as_it_is_told() {
    goes_as_it_is_told(HOUR);
}

#[test]
fn house_rules_go_as_they_are_told() {
    goes_as_it_is_told(HOUSE);
}

#[test]
fn odds_are_as_they_are_told() {
    goes_as_it_is_told(ODDS);
}

fn goes_as_it_is_told(page: &str) {
    let text = document(page);
    let folder = folder(page);
    let lines: Vec<&str> = text.lines().collect();
    let mut told: Vec<String> = vec![];
    let (mut wrong, mut commands, mut next) = (String::new(), 0, 0);
    let mut watch: Option<Watch> = None;
    for fence in fences(&text) {
        let (first, count) = (fence.line - 1, fence.text.lines().count());
        told.extend(lines[next..first].iter().map(ToString::to_string));
        next = first + count;
        let mut compare = |command: Option<&str>, shown: Vec<String>, written: Vec<String>, agrees: bool| {
            told.extend(command.map(|command| format!("$ {command}")));
            if agrees {
                return told.extend(shown);
            }
            wrong += &format!(
                "{page}:{}: {}\n--- as it is told\n{}\n--- as it is\n{}\n\n",
                fence.line,
                command.unwrap_or("watch"),
                shown.join("\n"),
                written.join("\n")
            );
            told.extend(shortened(&shown, &written));
        };
        match fence.info.split_once(' ') {
            None if fence.info == "console" => {
                for Step { command, shown } in steps(&fence) {
                    commands += 1;
                    let small = small_form(&command);
                    let written = if command.starts_with("houserule watch ") {
                        watch.insert(Watch::new(&command, &folder)).writes(&shown)
                    } else {
                        let command = small.as_ref().map_or(&command, |small| &small.command);
                        run(command, &typed(&shown), &folder)
                    };
                    let agrees: Agrees = match small {
                        Some(small) => small.agrees,
                        None => lines_match,
                    };
                    let is_as_told = agrees(&shown, &written);
                    compare(Some(&command), shown, written, is_as_told);
                }
                continue;
            }
            Some(("console", "watch")) => {
                let shown: Vec<String> = fence.text.lines().map(str::to_owned).collect();
                let watch = watch.as_mut().unwrap_or_else(|| panic!("{page}: nothing is watched"));
                let written = watch.writes(&shown);
                let is_as_told = lines_match(&shown, &written);
                compare(None, shown, written, is_as_told);
                continue;
            }
            Some(("rules" | "rhai", file)) => std::fs::write(folder.join(file), &fence.text).unwrap(),
            Some(("diff", file)) => edit(&fence, &folder.join(file)),
            _ => panic!("{page}:{}: a fence `{}`", fence.line, fence.info),
        }
        told.extend(fence.text.lines().map(str::to_owned));
    }
    told.extend(lines[next..].iter().map(ToString::to_string));
    if update_snapshot(page, &(told.join("\n") + "\n")) {
        return;
    }
    assert!(wrong.is_empty(), "{wrong}(UPDATE_SNAPSHOTS=1 writes it again)");
    assert_eq!(told, lines, "a document that is true is not written anew");
    assert!(commands >= 5);
}

/// The example on the front page is the result of the first hour.
#[test]
fn the_front_page_shows_what_the_hour_comes_to() {
    let hour = document(HOUR);
    let page = fences(&document("README.md"));
    let mut mended = String::new();
    let folder = folder("front-page");
    for fence in fences(&hour) {
        let path = folder.join("chance.rules");
        match fence.info.as_str() {
            "rules chance.rules" => std::fs::write(&path, &fence.text).unwrap(),
            "diff chance.rules" => edit(&fence, &path),
            _ if fence.text.contains("$ houserule compare dilido chance.rules") => break,
            _ => continue,
        }
        mended = std::fs::read_to_string(&path).unwrap();
    }
    // The layout doesn't matter.
    let plain = |text: &str| text.replace(';', " ").split_whitespace().collect::<Vec<_>>().join(" ");
    let variant = page.iter().find(|f| f.text.contains("variant")).unwrap();
    assert_eq!(plain(&variant.text), plain(&mended));
    let told: Vec<&str> = hour.lines().collect();
    let compared = page.iter().find(|f| f.text.contains("$ houserule compare")).unwrap();
    for line in compared.text.lines().filter(|line| *line != ANYTHING) {
        assert!(told.contains(&line), "README.md: {line}");
    }
}

/// Returns the numbers with a decimal point in a text.
fn decimals(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| !c.is_ascii_digit() && c != '.').map(|word| word.trim_matches('.'));
    words.filter(|word| word.contains('.')).collect()
}

#[test]
fn what_the_pages_say_is_what_they_show() {
    for (page, least) in [(HOUR, 5), (HOUSE, 1)] {
        let text = document(page);
        let shown: String = fences(&text).into_iter().map(|fence| fence.text).collect();
        let (shown, mut said) = (decimals(&shown), 0);
        for (number, prose) in text.split("```").step_by(2).flat_map(decimals).zip(1..) {
            assert!(shown.contains(&number), "{page} says {number} and shows it nowhere");
            said = prose;
        }
        assert!(said >= least);
    }
}

/// Links of these documents lead to existing files and headings.
#[test]
fn links_lead_somewhere() {
    let slug = |heading: &str| -> String {
        let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.collect::<String>().trim().to_lowercase().replace(' ', "-")
    };
    for page in [
        "README.md",
        HOUR,
        HOUSE,
        "docs/language.md",
        "docs/messages.md",
        "docs/architecture.md",
        "docs/words.md",
        "docs/performance.md",
    ] {
        let folder = Path::new(page).parent().unwrap();
        for link in
            document(page).split("](").skip(1).filter_map(|rest| rest.split(')').next().map(str::to_owned))
        {
            if link.starts_with("http") {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((&link, ""));
            let path = if file.is_empty() { PathBuf::from(page) } else { folder.join(file) };
            let whole = Path::new(env!("CARGO_MANIFEST_DIR")).join(&path);
            assert!(whole.exists(), "{page}: {link}");
            if !heading.is_empty() {
                let target = std::fs::read_to_string(&whole).unwrap();
                let mut headings: Vec<String> = vec![];
                for line in target.lines().filter(|line| line.starts_with('#')) {
                    let name = slug(line.trim_start_matches('#'));
                    let before = headings.iter().filter(|h| **h == name).count();
                    if before > 0 {
                        headings.push(format!("{name}-{before}"))
                    }
                    headings.push(name);
                }
                assert!(headings.iter().any(|h| h == heading), "{page}: {link}");
            }
        }
    }
}

#[test]
fn the_front_page_names_every_verb() {
    let help = run("houserule --help", "", &folder("verbs"));
    let listed = help.iter().skip_while(|line| *line != "Commands:").skip(1);
    let verbs: Vec<&str> = listed
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(verbs.len() >= 13, "{help:?}");
    let page = document("README.md");
    for verb in verbs.into_iter().filter(|verb| *verb != "help") {
        assert!(
            page.contains(&format!("| `houserule {verb} "))
                || page.contains(&format!("| `houserule {verb}`"))
        );
    }
}

#[test]
fn dots_stand_for_anything() {
    let lines = |text: &str| -> Vec<String> { text.lines().map(str::to_owned).collect() };
    for (pattern, text) in [
        ("a\nb", "a\nb"),
        ("… s on … threads", "0.1 s on 12 threads"),
        ("a\n…\nd", "a\nd"),
        ("a\n…\nd", "a\nb\nc\nd"),
        ("…", ""),
    ] {
        assert!(lines_match(&lines(pattern), &lines(text)), "{pattern} / {text}");
    }
    for (pattern, text) in [
        ("a", "b"),
        ("a", ""),
        ("a\nb", "a"),
        ("… s on 2 threads", "0.1 s on 12 threads"),
        ("a…b", "ab c"),
        ("a\n…\nd", "a\nb\nc"),
    ] {
        assert!(!lines_match(&lines(pattern), &lines(text)), "{pattern} / {text}");
    }
    assert_eq!(
        typed(&lines("Board\n> place c3\nX> 2\nvalue > 3 is not typed\n  --> file\n>")),
        "place c3\n2\n\n"
    );
}
