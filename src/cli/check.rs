//! `houserule check`: everything that is wrong with rule files.

use clap::Args;
use serde_json::{Value as Json, json};

use super::simulate::whole;
use super::{Fault, GameFlags, Terminal, names};
use crate::diagnostic::{Diagnostic, Severity, SourceMap};
use crate::loader::{LoadError, Request, load};
use crate::playtest::unreached;

#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// Rule files or games
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    #[command(flatten)]
    flags: GameFlags,
    /// How many random games to look for options and steps that nobody reaches, at most; 0 plays none
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = whole, allow_negative_numbers = true)]
    play: u64,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &CheckArgs, terminal: &mut Terminal<'_>) -> Result<(), Fault> {
    let settings = args.flags.settings()?;
    let mut told = Vec::new();
    let (mut wrong, mut asked_wrongly) = (false, Vec::new());
    for name in names(&args.games) {
        let request = Request { name: &name, settings: &settings, players: args.flags.players };
        let (diagnostics, sources, message) = match load(&request) {
            Ok(loaded) => {
                let mut warnings = loaded.warnings;
                // What is known to be wrong is mended first.
                if warnings.is_empty() {
                    warnings = unreached(&loaded.game, args.play);
                }
                (warnings, loaded.sources, None)
            }
            Err(LoadError::Rules { diagnostics, sources }) => (diagnostics, sources, None),
            Err(LoadError::Compile(message)) => (vec![], SourceMap::default(), Some(message)),
            Err(LoadError::Request(messages)) => {
                asked_wrongly.extend(messages);
                continue;
            }
        };
        let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
        let warnings = diagnostics.len() - errors;
        let ok = errors == 0 && message.is_none();
        wrong |= !ok;
        if args.json {
            let list: Vec<Json> = diagnostics.iter().map(|d| diagnostic_json(d, &sources)).collect();
            told.push(json!({"game": name, "ok": ok, "error": message, "diagnostics": list}));
            continue;
        }
        terminal.diagnostics(&diagnostics, &sources)?;
        if let Some(message) = message {
            terminal.fault(&message)?;
        }
        let verdict = terminal.verdict(if ok { 0 } else { errors.max(1) }, warnings);
        writeln!(terminal.out, "{name}: {verdict}")?;
    }
    if args.json {
        terminal.json(&told)?;
    }
    match (asked_wrongly.is_empty(), wrong) {
        (false, _) => Err(Fault::Command(asked_wrongly.join("\n"))),
        (true, true) => Err(Fault::Told),
        (true, false) => Ok(()),
    }
}

fn diagnostic_json(diagnostic: &Diagnostic, sources: &SourceMap) -> Json {
    let place = sources.line_column(diagnostic.primary.span);
    json!({
        "severity": match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        "code": diagnostic.code,
        "message": diagnostic.message,
        "file": sources.get(diagnostic.primary.span.file).name,
        "line": place.line,
        "column": place.column,
        "text": sources.text(diagnostic.primary.span),
        "notes": diagnostic.notes,
        "help": diagnostic.help,
    })
}
