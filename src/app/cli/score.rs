//! `houserule score`: scores a drawn position and explains the score.

use std::path::Path;

use clap::Args;
use serde_json::{Value as Json, json};

use super::sheet::position;
use super::{GameFlags, one_name};
use crate::terminal::{CliError, Terminal};
use houserule_game::explain::explain;
use houserule_game::{RuntimeError, Seat, State};
use houserule_page::prose::part_name;
use houserule_picture::draw;
use houserule_picture::draw::score::{item_text_with, points, which_are_best};
use houserule_picture::paint::line::hanging;
use houserule_playtest::VERSION;

#[derive(Debug, Args)]
pub(super) struct ScoreArgs {
    /// The game, with variants after `+`, and last the position: a text file with the drawn board and lines such as
    /// `penalties = 2`; `-` is standard input
    #[arg(required = true, num_args = 2.., value_names = ["GAME", "SHEET.txt"])]
    words: Vec<String>,
    #[command(flatten)]
    flags: GameFlags,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &ScoreArgs, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let Some((sheet, game)) = args.words.split_last() else {
        return Err(CliError::Command(
            "name a game and a position: `houserule score GAME SHEET.txt`".to_owned(),
        ));
    };
    let name = one_name(game)?;
    let loaded = terminal.load(&name, &args.flags.settings()?, args.flags.players)?;
    let state = position(&loaded.game, Path::new(sheet))?;
    let players: Vec<Seat> = (0..loaded.game.players()).map(Seat).collect();
    let failed = |error: RuntimeError| CliError::Rules(format!("{sheet}: {error}"));
    if args.json {
        let seats: Result<Vec<Json>, _> = players.iter().map(|player| seat_json(&state, *player)).collect();
        let seats = seats.map_err(failed)?;
        return terminal.json(&json!({"version": VERSION, "seats": seats}));
    }
    write!(terminal.out, "{}", draw::text::boards(&state, terminal.paint.columns()))?;
    writeln!(terminal.out)?;
    if state.is_over() {
        writeln!(terminal.out, "{}\n", draw::text::turn(&state, terminal.paint))?;
    }
    for player in &players {
        let name = if players.len() > 1 {
            loaded.game.model().players.names[player.0 as usize].clone()
        } else {
            String::new()
        };
        let score = points(state.score(*player).map_err(failed)?);
        let least = which_are_best(loaded.game.model());
        let name = if name.is_empty() { name } else { format!("{name}: ") };
        let head = terminal.paint.head(&format!("{name}{score}{least}"));
        writeln!(terminal.out, "{head}")?;
        for item in explain(&state, *player).map_err(failed)? {
            write!(
                terminal.out,
                "{}",
                hanging(
                    &item_text_with(&item, &|part| part_name(&loaded.game, part)),
                    terminal.paint.columns()
                )
            )?;
        }
    }
    Ok(())
}

fn seat_json(state: &State, player: Seat) -> Result<Json, RuntimeError> {
    let items: Vec<Json> = explain(state, player)?
        .iter()
        .map(|item| {
            let runs: Vec<Json> = item
                .runs
                .iter()
                .map(|run| json!({"line": run.line, "sites": run.sites, "pieces": run.pieces, "points": run.points}))
                .collect();
            let rest: Vec<Json> =
                item.rest.iter().map(|part| json!({"name": part.name, "points": part.points})).collect();
            json!({"item": item.name, "points": item.points, "runs": runs, "rest": rest})
        })
        .collect();
    Ok(json!({"player": player.0, "score": state.score(player)?, "items": items}))
}
