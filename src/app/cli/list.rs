//! `houserule list`: lists the bundled games by family, each with its variants.

use clap::Args;
use serde_json::json;

use crate::terminal::{CliError, Terminal};
use houserule_loader::{CatalogueEntry, catalogue};
use houserule_page::report::columns::TextTable;
use houserule_playtest::VERSION;
use houserule_playtest::sentences::capital;

#[derive(Debug, Args)]
pub(super) struct ListArgs {
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &ListArgs, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let entries = catalogue();
    if args.json {
        let one = |entry: &CatalogueEntry| {
            let CatalogueEntry { name, title, help, of, family } = entry;
            json!({"name": name, "title": title, "help": help, "of": of, "family": family})
        };
        let all: Vec<_> = entries.iter().map(one).collect();
        return terminal.json(&json!({"version": VERSION, "games": all}));
    }
    let rows: Vec<ListedGame<'_>> =
        entries.iter().filter(|entry| entry.of.is_none()).flat_map(|game| rows(game, &entries, 0)).collect();
    let mut families: Vec<&str> = rows.iter().map(|row| row.entry.family).collect();
    families.dedup();
    // The descriptions of all families begin in one column.
    let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
    for (number, family) in families.into_iter().enumerate() {
        let mut table = TextTable::with_words();
        for row in rows.iter().filter(|row| row.entry.family == family) {
            table.row([format!("{:<width$}", row.name), row.entry.help.clone()]);
        }
        let gap = if number > 0 { "\n" } else { "" };
        writeln!(terminal.out, "{gap}{}", terminal.paint.head(&capital(family)))?;
        write!(terminal.out, "{}", table.text(terminal.paint))?;
    }
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

/// A line of the list.
struct ListedGame<'a> {
    /// The name, indented below the game that it changes.
    name: String,
    entry: &'a CatalogueEntry,
}

/// A game or variant, and its variants.
fn rows<'a>(entry: &'a CatalogueEntry, all: &'a [CatalogueEntry], depth: usize) -> Vec<ListedGame<'a>> {
    let mut found = vec![ListedGame { name: format!("{}{}", "  ".repeat(depth), entry.name), entry }];
    // Bundled files aren't variants of themselves; the limit ends the list even if one were.
    if depth < 8 {
        let variants = all.iter().filter(|other| other.of.as_deref() == Some(entry.name));
        found.extend(variants.flat_map(|variant| rows(variant, all, depth + 1)));
    }
    found
}
