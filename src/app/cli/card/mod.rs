//! `houserule card`: a rule on one page to send around.

mod played;

use std::path::PathBuf;

use clap::Args;

use super::budget::BudgetFlags;
use super::draw::ThemeName;
use super::print::file_name;
use super::run_flags::RunFlags;
use super::{GameFlags, one_name};
use crate::terminal::{CliError, Terminal, on_ctrl_c};
use houserule_base::files;
use houserule_loader::load_base_game;
use houserule_page::card::{CardFileForm, RuleCard};
use houserule_picture::draw::svg::Theme;
use houserule_picture::render::raster;
use houserule_players::agents::AgentKind;

#[derive(Debug, Args)]
#[command(mut_arg("seed", |seed| seed.help("Random seed; the same seed gives the same games and the same picture")))]
#[command(mut_arg("count", |games| games.help(
    "Number of games, of a house rule with and without it [default: as many as three minutes allow, or ten seconds with `--quick`]"
)))]
#[command(after_help = "Examples:\n  \
    houserule card mine.rules\n  \
    houserule card mine.rules --quick -o card.png\n  \
    houserule card dilido + torus --agent greedy -n 2000 -o card.pdf\n  \
    houserule card mine.rules --for 10m --theme dark -o card.png")]
pub(super) struct CardArgs {
    /// The rule: a variant, which is compared with the game that it changes, or a whole game; a bundled one or a rule
    /// file, with variants after `+`
    #[arg(required = true, value_name = "RULES")]
    rules: Vec<String>,
    #[command(flatten)]
    flags: GameFlags,
    #[command(flatten)]
    budget: BudgetFlags,
    /// The player, named as for `simulate` [default: the best that the time allows]
    #[arg(long, value_name = "A")]
    agent: Option<String>,
    /// At most 10 seconds, with the best player that can be had so soon
    #[arg(long, conflicts_with = "precision")]
    quick: bool,
    #[command(flatten)]
    run: RunFlags,
    /// Colour theme; `auto` follows the screen in a page, and means `light` in PNG and black on white in PDF
    #[arg(long, value_enum, default_value_t = ThemeName::Auto)]
    theme: ThemeName,
    /// Width of a PNG in pixels [default: twice that of the drawing, to be sharp on most screens]
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(1..=i64::from(raster::LARGEST)))]
    width: Option<u32>,
    /// Output file, by its ending `.png`, `.pdf` or `.html` [default: a PNG in this folder with the name of the rules]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
}

pub(super) fn run(args: &CardArgs, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let name = one_name(&args.rules)?;
    let form = args.output.as_deref().map_or(Ok(CardFileForm::Png), CardFileForm::for_file);
    let form = form.map_err(CliError::Command)?;
    let agent = args.agent.as_deref().map(AgentKind::parse).transpose()?;
    let loaded = terminal.load(&name, &args.flags.settings()?, args.flags.players)?;
    let game = &loaded.game;
    let path = args.output.clone().unwrap_or_else(|| PathBuf::from(file_name(game, "-card.png")));
    // Nothing is played for a file that can't be written.
    if !args.force {
        files::unused(&path)?;
    }
    if let Some(warning) = agent.as_ref().and_then(|agent| agent.warning(game)) {
        terminal.note(&warning)?;
    }
    let stop = on_ctrl_c(terminal);
    let card = match load_base_game(game).filter(|base| base.players() == game.players()) {
        Some(base) => {
            let found = played::compare([&base, game], agent, args, &stop, terminal)?;
            RuleCard::from_comparison([&base, game], &name, &found, args.run.seed)
        }
        None => {
            let found = played::report(game, agent, args, &stop, terminal)?;
            RuleCard::from_report(game, &name, &found)
        }
    };
    if stop.is_set() {
        return Err(CliError::Interrupted);
    }
    let theme = match (Theme::from(args.theme), form) {
        (Theme::Auto, CardFileForm::Png) => Theme::Light,
        (Theme::Auto, CardFileForm::Pdf) => Theme::Print,
        (theme, _) => theme,
    };
    let card = card.file(form, theme, args.width).map_err(CliError::Rules)?;
    files::write(&path, &card, args.force)?;
    terminal.note(&format!("The card is in {}.", path.display()))?;
    Ok(())
}
