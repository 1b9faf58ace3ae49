//! `houserule list`: lists the bundled games and variants.

use clap::Args;
use serde_json::json;

use super::{CliError, Terminal};
use crate::loader::{CatalogueEntry, catalogue};
use crate::playtest::VERSION;
use crate::report::columns::TextTable;

#[derive(Debug, Args)]
pub(super) struct ListArgs {
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &ListArgs, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let entries = catalogue();
    if args.json {
        let all: Vec<_> = entries
            .iter()
            .map(
                |entry| json!({"name": entry.name, "title": entry.title, "help": entry.help, "of": entry.of}),
            )
            .collect();
        return terminal.json(&json!({"version": VERSION, "games": all}));
    }
    let mut table = TextTable::with_words();
    for game in entries.iter().filter(|entry| entry.of.is_none()) {
        add(&mut table, game, &entries, 0);
    }
    write!(terminal.out, "{}", table.text(terminal.paint))?;
    let stacked = |entry: &CatalogueEntry| {
        let game = entry.of.as_deref()?;
        let rest = entry.name.strip_prefix(game)?.strip_prefix('-')?;
        let name = entry.name;
        Some(format!("`+` adds variants to a game: `houserule simulate {game} + {rest}` plays `{name}`."))
    };
    if let Some(example) = entries.iter().find_map(stacked) {
        writeln!(terminal.out, "\n  {}", terminal.paint.quiet(&example))?;
    }
    Ok(())
}

/// Adds a game or variant, with its variants indented below it.
fn add(table: &mut TextTable, entry: &CatalogueEntry, all: &[CatalogueEntry], depth: usize) {
    table.row([format!("{}{}", "  ".repeat(depth), entry.name), entry.help.clone()]);
    // Bundled files aren't variants of themselves; the limit ends the list even if one were.
    if depth < 8 {
        for variant in all.iter().filter(|other| other.of.as_deref() == Some(entry.name)) {
            add(table, variant, all, depth + 1);
        }
    }
}
