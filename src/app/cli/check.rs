//! `houserule check`: reports the errors in rule files.

use std::path::Path;
use std::sync::Arc;

use clap::Args;
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::{GameFlags, names};
use crate::terminal::{CliError, Progress, Terminal, with_players};
use houserule_base::files::{FileKind, read_text, replace};
use houserule_base::names::shell_game;
use houserule_base::numbers::{counted, parse_count};
use houserule_check::Names;
use houserule_desk::service::{LineIndex, PositionEncoding, Workspace, apply_changes};
use houserule_lab::coverage::{Tried, Unreached, seconds, try_rules};
use houserule_language::diagnostic::{Diagnostic, PlaceFinder, Severity, SourceMap, Span, printable};
use houserule_loader::{LoadError, Loaded, Request, load};
use houserule_page::report::columns::wrap;
use houserule_playtest::{ProfilePlan, ProfiledPart, ProfiledPlace, VERSION, profile};

#[derive(Debug, Args)]
#[command(after_help = "`houserule explain-error CODE` explains a message by the code in its brackets.")]
pub(super) struct CheckArgs {
    /// Rule files or games
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    #[command(flatten)]
    flags: GameFlags,
    /// Maximum number of random games to play, to find errors in play, options, steps, `otherwise`
    /// and branches of `if … else` that are never reached, and pieces that are covered or fall off the board; 0 plays
    /// none. Playing stops early once everything has been reached, and after 30 seconds for 1,000 games. Some games also take `deliberate` options
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = parse_count, allow_negative_numbers = true)]
    play: u64,
    /// First change the files where an error's message says what to write, such as another name for what has become a word
    /// of the language. A file is changed only if it then has fewer errors; otherwise a line says why not. What would only be
    /// removed, and "did you mean", stay yours to decide
    #[arg(long, conflicts_with = "json")]
    fix: bool,
    /// Write JSON
    #[arg(long)]
    json: bool,
    /// Add to the JSON what each name stands for, and where it is used
    #[arg(long, requires = "json")]
    names: bool,
}

pub(super) fn run(args: &CheckArgs, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let settings = args.flags.settings()?;
    let mut checked = Vec::new();
    let (mut wrong, mut asked_wrongly) = (false, Vec::new());
    let mut first_code = None;
    for name in names(&args.games) {
        if args.fix {
            fix(&name, terminal)?;
        }
        let request = Request { name: &name, settings: &settings, players: args.flags.players };
        let (mut tried, mut slow) = (Tried::default(), None);
        let (diagnostics, sources, message, resolved) = match load(&request) {
            Ok(mut loaded) => {
                let mut all = std::mem::take(&mut loaded.warnings);
                let bar = Progress::new(terminal, "random games");
                tried = try_rules(&loaded.game, args.play, &|done| bar.show(done, args.play));
                bar.wipe();
                slow = slow_decisions(&loaded, &tried);
                // A warning from the checker isn't repeated if playing finds the same.
                let line = |d: &Diagnostic| {
                    let span = d.primary.span;
                    (span.file, loaded.sources.line_column(span).line)
                };
                let lines: Vec<_> = all.iter().map(line).collect();
                let found = std::mem::take(&mut tried.diagnostics).into_iter();
                all.extend(found.filter(|d| d.severity == Severity::Error || !lines.contains(&line(d))));
                (all, loaded.sources, None, loaded.names)
            }
            Err(LoadError::Rules { diagnostics, sources, names }) => (diagnostics, sources, None, names),
            Err(LoadError::Compile(message)) => {
                (vec![], SourceMap::default(), Some(message), Names::default())
            }
            Err(LoadError::Request(messages)) => {
                asked_wrongly.push(with_players(messages, &settings));
                continue;
            }
        };
        let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
        let warnings = diagnostics.len() - errors;
        let ok = errors == 0 && message.is_none();
        wrong |= !ok;
        if args.json {
            let list: Vec<Json> = diagnostics.iter().map(|d| diagnostic_json(d, &sources)).collect();
            let mut file = json!({
                "game": name,
                "ok": ok,
                "error": message,
                "games": tried.games,
                "cut_short": tried.cut_short,
                "unreached": unreached_json(&tried, &sources),
                "slow": slow,
                "diagnostics": list,
            });
            if args.names {
                let (definitions, uses) = names_json(&resolved, &sources);
                file["definitions"] = definitions;
                file["uses"] = uses;
            }
            checked.push(file);
            continue;
        }
        terminal.diagnostics(&diagnostics, &sources)?;
        first_code = first_code.or(diagnostics.first().map(|diagnostic| diagnostic.code));
        if let Some(message) = message {
            terminal.fault(&message)?;
        }
        let verdict = terminal.verdict(if ok { 0 } else { errors.max(1) }, warnings);
        let untried = match (ok, tried.games, tried.cut_short) {
            (true, _, true) => stopped_early(&tried, args.play, &sources),
            (true, 0, _) => " in what is written; no game was played".to_owned(),
            _ => String::new(),
        };
        write_verdict(&printable(&name), &verdict, &untried, terminal)?;
        if let Some(slow) = slow.filter(|_| ok && !terminal.quiet) {
            writeln!(terminal.out, "{}", slow.text(&name))?;
        }
    }
    if args.json {
        terminal.json(&json!({"version": VERSION, "files": checked}))?;
    }
    // Only people need this; files and programs get the messages alone.
    if let Some(code) = first_code.filter(|_| terminal.err_screen.terminal && !terminal.quiet) {
        let more = format!("`houserule explain-error {code}` says more about this kind of message.");
        writeln!(terminal.err, "{}", terminal.err_paint.quiet(&more))?;
    }
    match (asked_wrongly.is_empty(), wrong) {
        (false, _) => Err(CliError::Command(asked_wrongly.join("\n"))),
        (true, true) => Err(CliError::AlreadyReported),
        (true, false) => Ok(()),
    }
}

/// The decisions of a game that are slow, and what makes them slow.
#[derive(Serialize)]
struct SlowDecisions {
    /// CPU time of one, on average.
    milliseconds: f64,
    /// The part of the rules that takes the greatest share of it.
    part: Option<ProfiledPart>,
}

/// Least CPU time of a decision that is told, in milliseconds.
const SLOW: f64 = 1.0;

/// Maximum time in which it is found out what makes decisions slow, in seconds.
const LOOK: f64 = 2.0;

/// Finds out whether decisions are slow in random games, and why.
fn slow_decisions(loaded: &Loaded, tried: &Tried) -> Option<SlowDecisions> {
    let is_unknown = tried.decisions == 0 && !tried.cut_short;
    let a_decision = 1_000.0 * tried.seconds / tried.decisions.max(1) as f64;
    if is_unknown || a_decision < SLOW {
        return None;
    }
    // The games of the last batch took time, but may not have ended.
    let found = profile(loaded, &ProfilePlan { seconds: LOOK, ..ProfilePlan::default() });
    let milliseconds = a_decision.min(found.decision.microseconds / 1_000.0);
    // What contains all that is slow says less than what it contains.
    let of_the_file = |part: &&ProfiledPart| part.kind == "define" && part.cost.share >= 0.2;
    let part = found.parts.iter().find(of_the_file).or(found.parts.first()).cloned();
    (milliseconds >= SLOW).then_some(SlowDecisions { milliseconds, part })
}

impl SlowDecisions {
    fn text(&self, name: &str) -> String {
        let most = self.part.as_ref().map_or(String::new(), |part| {
            let ProfiledPlace { file, line, column, .. } = &part.place;
            let share = 100.0 * part.cost.share;
            format!(", {share:.0} % of it for {} `{}` ({file}:{line}:{column})", part.kind, part.name)
        });
        format!(
            "  a decision takes {:.1} ms{most}; `houserule profile {}` shows more",
            self.milliseconds,
            shell_game(name)
        )
    }
}

/// Mends what messages about a file say how to mend, and writes what was done. A name that is no file is left as it is.
fn fix(name: &str, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let path = Path::new(name);
    if !path.is_file() {
        return Ok(());
    }
    let before = read_text(path, FileKind::Rules)?;
    let mut workspace = Workspace::default();
    workspace.open(name, 0, &before);
    let mut text: Arc<str> = before.as_str().into();
    let mut lines = vec![];
    for fix in workspace.fix_errors(name) {
        for change in &fix.changes {
            let line = find_line(&text, change.place.start);
            lines.push(format!("{}:{line}: {}", printable(name), fix.title));
        }
        text = apply_changes(&text, &fix.changes).into();
    }
    if *text != *before {
        replace(path, text.as_bytes())?;
    }
    for left in workspace.explain_names_left(name) {
        let line = find_line(&text, left.place.start);
        lines.push(format!("{}:{line}: {}", printable(name), left.reason));
    }
    let has_errors = workspace.messages(name).iter().any(|message| message.severity == Severity::Error);
    if lines.is_empty() && has_errors {
        lines.push(format!(
            "{}: nothing is mended: no message says for certain what to write here",
            printable(name)
        ));
    }
    lines.dedup();
    for line in lines {
        writeln!(terminal.out, "{line}")?;
    }
    Ok(())
}

/// Returns the line of a byte, counted from 1, however lines end.
fn find_line(text: &str, byte: usize) -> usize {
    LineIndex::new(text, PositionEncoding::Utf8).position(byte).line + 1
}

/// Writes the last line about a game. What was not tried goes below it if the line would be too long.
fn write_verdict(
    name: &str,
    verdict: &str,
    untried: &str,
    terminal: &mut Terminal<'_>,
) -> Result<(), CliError> {
    // The width with a verdict of usual length.
    let length = name.chars().count() + ": no errors".len() + untried.chars().count();
    let columns = terminal.screen.messages().filter(|columns| length > *columns && !untried.is_empty());
    let Some(columns) = columns else { return Ok(writeln!(terminal.out, "{name}: {verdict}{untried}")?) };
    writeln!(terminal.out, "{name}: {verdict}")?;
    for line in wrap(untried.trim_start_matches("; ").trim(), columns - 2) {
        writeln!(terminal.out, "  {line}")?;
    }
    Ok(())
}

fn unreached_json(tried: &Tried, sources: &SourceMap) -> Vec<Json> {
    let place = |one: &Unreached| {
        let place = sources.line_column(one.span);
        json!({
            "what": one.what,
            "file": sources.get(one.span.file).name,
            "line": place.line,
            "column": place.column,
        })
    };
    tried.unreached.iter().map(place).collect()
}

/// Maximum number of places in the last line that were not reached.
const PLACES: usize = 3;

/// Says how many games were played before playing stopped early, and what they didn't reach.
fn stopped_early(tried: &Tried, asked: u64, sources: &SourceMap) -> String {
    // Fewer than 1,000 games have as much time as 1,000.
    let games = asked.max(1_000).saturating_mul(10);
    let more = format!("`check --play {games}` has ten times as long");
    let time = counted(seconds(asked).round() as u64, "second");
    if tried.games == 0 {
        return format!("; games are long, so no random game was finished in {time}. {more}");
    }
    let played = counted(tried.games, "random game");
    let were = if tried.games == 1 { "was" } else { "were" };
    let played = format!("; games are long, so only {played} {were} played in {time}");
    let (shown, rest) = tried.unreached.split_at(tried.unreached.len().min(PLACES));
    if shown.is_empty() {
        return format!("{played}, which reached every option and branch");
    }
    let place = |one: &Unreached| {
        let place = sources.line_column(one.span);
        format!("{} ({}:{}:{})", one.what, sources.get(one.span.file).name, place.line, place.column)
    };
    let shown: Vec<String> = shown.iter().map(place).collect();
    let rest = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
    format!("{played}. Not reached: {}{rest}. {more}", shown.join(", "))
}

fn diagnostic_json(diagnostic: &Diagnostic, sources: &SourceMap) -> Json {
    let place = sources.line_column(diagnostic.primary.span);
    json!({
        "severity": match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        "code": diagnostic.code.as_str(),
        "message": diagnostic.message,
        "file": sources.get(diagnostic.primary.span.file).name,
        "line": place.line,
        "column": place.column,
        "text": sources.text(diagnostic.primary.span),
        "notes": diagnostic.notes,
        "help": diagnostic.help,
    })
}

/// The definitions and the uses of names.
fn names_json(names: &Names, sources: &SourceMap) -> (Json, Json) {
    let mut places = PlaceFinder::new(sources);
    let mut place = |span: Option<Span>| match span {
        Some(span) => {
            let from = places.find(span);
            let end = from.column + sources.text(span).chars().count();
            let file = &sources.get(span.file).name;
            json!({"file": file, "line": from.line, "column": from.column, "end_column": end})
        }
        None => json!({"file": null, "line": null, "column": null, "end_column": null}),
    };
    let definitions = names.definitions.iter().map(|definition| {
        let mut told = json!({
            "name": definition.name,
            "kind": definition.kind.text(),
            "type": definition.ty,
            "help": definition.help,
        });
        merge(&mut told, place(definition.span));
        told
    });
    let definitions = definitions.collect();
    let uses = names.uses.iter().map(|one| {
        let mut told = place(Some(one.span));
        told["definition"] = one.definition.into();
        told
    });
    (definitions, uses.collect())
}

/// Adds the entries of one object to another.
fn merge(into: &mut Json, more: Json) {
    if let (Json::Object(into), Json::Object(more)) = (into, more) {
        into.extend(more);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_tells_what_was_not_reached_in_which_time() {
        let mut sources = SourceMap::default();
        let file = sources.add("long.rules", "option never");
        let span = Span { file, start: 7, end: 12 };
        let unreached = vec![Unreached { what: "option `never`".to_owned(), span }];
        let mut tried = Tried { games: 3, cut_short: true, unreached, ..Tried::default() };
        assert_eq!(
            stopped_early(&tried, 500, &sources),
            "; games are long, so only 3 random games were played in 30 seconds. Not reached: option `never` \
             (long.rules:1:8). `check --play 10000` has ten times as long"
        );
        tried.unreached.clear();
        let told = stopped_early(&tried, 2_000, &sources);
        assert!(told.ends_with("played in 60 seconds, which reached every option and branch"), "{told}");
        tried.games = 0;
        let told = stopped_early(&tried, 2_000, &sources);
        assert!(told.contains("no random game was finished in 60 seconds. `check --play 20000`"), "{told}");
    }
}
