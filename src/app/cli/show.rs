//! `houserule show`: shows the parts of a game.

use clap::Args;
use houserule_base::numbers::counted;

use super::{GameFlags, one_name};
use crate::terminal::{CliError, Terminal};
use houserule_game::Game;
use houserule_game::RunKind;
use houserule_game::values::param_text;
use houserule_loader::Loaded;
use houserule_model::board::Shape;
use houserule_model::{
    ActionBlock, DisplayForm, DomainId, Look, LookForm, Model, Role, Slot, SlotId, Visibility,
};
use houserule_page::report::columns::{TextTable, grouped, wrap};
use houserule_page::report::parts::{
    content_name, domain_name, game_json, kind_name, life_name, possible, seen_by, seen_by_others,
    visibility_name,
};

#[derive(Debug, Args)]
pub(super) struct ShowArgs {
    /// The game: a bundled one or a rule file, with variants after `+` (`dilido + torus`)
    #[arg(required = true, value_name = "GAME")]
    game: Vec<String>,
    #[command(flatten)]
    flags: GameFlags,
    /// Print the text of the rule files
    #[arg(long, conflicts_with_all = ["code", "json"])]
    source: bool,
    /// Print the program that the rules are compiled to, and the size of its machine code
    #[arg(long, alias = "program", conflicts_with = "json")]
    code: bool,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &ShowArgs, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let name = one_name(&args.game)?;
    let loaded = terminal.load(&name, &args.flags.settings()?, args.flags.players)?;
    if args.source {
        for (number, (_, source)) in loaded.sources.iter().enumerate() {
            if number > 0 {
                writeln!(terminal.out)?;
            }
            writeln!(terminal.out, "{}", terminal.paint.quiet(&format!("// {}", source.name)))?;
            write!(terminal.out, "{}", source.text)?;
        }
        return Ok(());
    }
    if args.code {
        return code(&loaded, terminal);
    }
    if args.json {
        return terminal.json(&game_json(&loaded.game, &loaded.sources));
    }
    text(&loaded.game, terminal)
}

/// Writes the program, and the size of its machine code for each way of running it.
fn code(loaded: &Loaded, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let game = &loaded.game;
    writeln!(terminal.out, "{}", game.program())?;
    let mut kept = TextTable::with_words().head(&["where", "values", "saves", ""]);
    for one in &game.program().kept {
        let place = loaded.sources.line_column(one.span);
        let words: Vec<&str> = loaded.sources.text(one.span).split_whitespace().collect();
        kept.row([
            format!("{}:{}", place.line, place.column),
            grouped(one.values),
            grouped(one.saves),
            words.join(" "),
        ]);
    }
    if !kept.is_empty() {
        let head = "Values that are kept until what they read changes, and instructions that this may save in a decision";
        writeln!(terminal.out, "{}\n{}", terminal.paint.head(head), kept.text(terminal.paint))?;
    }
    let ways = ["whole games of random players", "random playouts from a position", "single decisions"];
    let mut table = TextTable::default();
    for (kind, way) in RunKind::ALL.into_iter().zip(ways) {
        if let Some(size) = game.compiled_size(kind) {
            let milliseconds = size.time.as_secs_f64() * 1e3;
            table.row([
                way.to_owned(),
                format!("{} bytes", grouped(size.bytes as u32)),
                format!("compiled in {milliseconds:.1} ms"),
            ]);
        }
    }
    if table.is_empty() {
        writeln!(terminal.out, "No machine code: the interpreter runs the program.")?;
    } else {
        writeln!(terminal.out, "{}", terminal.paint.head("Machine code"))?;
        write!(terminal.out, "{}", table.text(terminal.paint))?;
    }
    Ok(())
}

fn text(game: &Game, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let model = game.model();
    writeln!(terminal.out, "{} ({})", terminal.paint.head(&model.title), game.identity().name)?;
    for line in wrap(&model.help, 96) {
        writeln!(terminal.out, "  {line}")?;
    }
    let mut section = |name: &str, table: &TextTable| -> Result<(), CliError> {
        if !table.is_empty() {
            writeln!(terminal.out, "\n{}", terminal.paint.head(name))?;
            write!(terminal.out, "{}", table.text(terminal.paint))?;
        }
        Ok(())
    };
    section("Players", &players(model))?;
    section("Params (--set NAME=VALUE)", &params(model))?;
    section("State", &state(game))?;
    section("Steps of a turn", &steps(model))?;
    section(&format!("Actions ({})", grouped(game.actions())), &actions(game))?;
    section("Ends", &ends(model))?;
    section("Score", &score(model))?;
    section("Match", &match_rules(model))?;
    section("Observation of a player", &observation(game))?;
    Ok(())
}

fn players(model: &Model) -> TextTable {
    let players = &model.players;
    let mut table = TextTable::default();
    let range = if players.least == players.most {
        String::new()
    } else {
        format!(" (of {} to {}: --players N)", players.least, players.most)
    };
    table.row([format!("{}{range}: {}", players.count, players.names.join(", "))]);
    table
}

fn params(model: &Model) -> TextTable {
    let mut table = TextTable::with_words().left(2);
    for param in &model.params {
        let mut help = param.help.clone();
        if param.fixed {
            help = format!("fixed by a variant; {help}");
        } else if param.value != param.default {
            help = format!("{help} (default: {})", param_text(&param.default));
        }
        table.row([format!("{} = {}", param.name, param_text(&param.value)), possible(param), help]);
    }
    table
}

fn slot_name(model: &Model, slot: &Slot) -> String {
    let index: Vec<&str> = slot.index.iter().map(|domain| domain_name(model, *domain)).collect();
    if index.is_empty() { slot.name.clone() } else { format!("{}[{}]", slot.name, index.join(", ")) }
}

/// Describes how drawings show a slot, if the rules specify it: `shown as boxes`.
fn shown_name(model: &Model, shown: &DisplayForm) -> Option<String> {
    let look = |look: &Look| {
        let form = match look.form {
            LookForm::Token => None,
            LookForm::Area => Some("area".to_owned()),
            LookForm::Line => Some("line".to_owned()),
            LookForm::Nothing => Some("nothing".to_owned()),
        };
        let picture = form.or(look.picture.map(|picture| picture.name().to_owned()));
        match (picture.or(look.letter.map(String::from)), look.colour) {
            (Some(drawn), Some(colour)) => format!("{drawn} in {}", colour.name()),
            (Some(drawn), None) => drawn,
            (None, Some(colour)) => colour.name().to_owned(),
            (None, None) => "–".to_owned(),
        }
    };
    match shown {
        DisplayForm::Plainly => None,
        DisplayForm::Nothing => Some("shown as nothing".to_owned()),
        DisplayForm::Row => Some("shown as row".to_owned()),
        DisplayForm::Column => Some("shown as column".to_owned()),
        DisplayForm::Pile => Some("shown as pile".to_owned()),
        DisplayForm::Area => Some("shown as area".to_owned()),
        DisplayForm::Track(size) => Some(format!("shown as track({size})")),
        DisplayForm::Counters(counters) => Some(format!("shown as {}", look(&counters.look))),
        DisplayForm::Boxes => Some("shown as boxes".to_owned()),
        DisplayForm::Faces(names) => Some(format!("faces {}", names.join(", "))),
        DisplayForm::Chain(None) => Some("shown as chain".to_owned()),
        DisplayForm::Chain(Some(counter)) => {
            Some(format!("shown as chain({})", model.slots[counter.index()].name))
        }
        DisplayForm::Pieces(looks) => {
            let mut told: Vec<String> = looks.iter().map(look).collect();
            told.dedup();
            Some(format!("shown as {}", told.join(", ")))
        }
    }
}

fn state(game: &Game) -> TextTable {
    let model = game.model();
    let mut table = TextTable::with_words().left(3);
    let slots = model.slots.iter().zip((0..).map(SlotId));
    let told = slots.filter(|(slot, _)| !matches!(slot.role, Role::Builtin(_) | Role::Empty(_)));
    for board in &model.boards {
        let (width, height) = (board.topology.width(), board.topology.height());
        let size = match *board.topology.shape() {
            Shape::Grid { .. } | Shape::Hex { .. } => format!("{width} by {height}"),
            Shape::Cut { .. } | Shape::Graph | Shape::Track { .. } | Shape::Sides { .. } | Shape::Links => {
                counted(board.topology.size(), "site")
            }
        };
        let index: Vec<&str> = board.index.iter().map(|domain| domain_name(model, *domain)).collect();
        let name = if index.is_empty() {
            board.name.clone()
        } else {
            format!("{}[{}]", board.name, index.join(", "))
        };
        let seen = match board.visibility {
            Visibility::All => String::new(),
            other => format!("(seen by {})", visibility_name(model, other)),
        };
        table.row(["board".to_owned(), name, size, seen]);
    }
    for (slot, id) in told {
        let mut help = slot.help.clone();
        let life = life_name(slot.life);
        if !life.is_empty() {
            help = format!("{help} ({life})");
        }
        if slot.visibility != Visibility::All {
            help = format!("{help} (seen by {})", seen_by(model, slot));
        }
        let content = match slot.role {
            Role::Dice { count, faces, .. } => match model.sides_of(id) {
                None => format!("{count} of d{faces}"),
                Some(sides) => {
                    let sides: Vec<String> = sides.iter().map(u32::to_string).collect();
                    format!("{count} of d{faces}, sides {}", sides.join(" "))
                }
            },
            _ => content_name(model, slot.content),
        };
        if let Some(shown) = shown_name(model, &slot.shown) {
            help = format!("{help} ({shown})");
        }
        let kind = kind_name(slot.role).to_owned();
        table.row([kind, slot_name(model, slot), content, help.trim().to_owned()]);
    }
    table
}

fn steps(model: &Model) -> TextTable {
    let mut table = TextTable::with_words();
    for step in &model.steps {
        table.row([step.name.clone(), step.help.clone()]);
    }
    table
}

fn actions(game: &Game) -> TextTable {
    let model = game.model();
    let mut table = TextTable::with_words().left(3).head(&["", "numbers", "example", ""]);
    for (number, block) in model.actions.iter().enumerate().filter(|(_, block)| !block.dead) {
        let option = format!("{} {}", block.option, bound_names(model, block).join(" "));
        let numbers = match block.size {
            1 => block.first.to_string(),
            size => format!("{} to {}", block.first, block.first + size.max(1) - 1),
        };
        let example = game.action_name(houserule_game::ActionId(block.first));
        let options = model.choices.iter().flat_map(|choice| &choice.options);
        let help = options.filter(|option| option.name == block.option).map(|o| o.help.clone()).next();
        let mut help = help.unwrap_or_default();
        let seen = match seen_by_others(game, number) {
            "all" => "",
            "option" => "(the others learn only the option)",
            _ => "(the others learn what they see of it)",
        };
        if !seen.is_empty() {
            help = format!("{help} {seen}").trim().to_owned();
        }
        table.row([option.trim().to_owned(), numbers, example, help]);
    }
    table
}

/// Returns the domain of each binder of an action block: `cell`, or `subset of 1..5`.
fn bound_names(model: &Model, block: &ActionBlock) -> Vec<String> {
    let last = block.domains.len().saturating_sub(1);
    let name = |(place, domain): (usize, &DomainId)| match block.subset && place == last {
        true => format!("subset of {}", domain_name(model, *domain)),
        false => domain_name(model, *domain).to_owned(),
    };
    block.domains.iter().enumerate().map(name).collect()
}

fn ends(model: &Model) -> TextTable {
    use houserule_language::syntax::EndTiming;
    let mut table = TextTable::with_words();
    for end in &model.ends {
        let timing = match end.timing {
            EndTiming::Turn => "after a turn",
            EndTiming::AtOnce => "at once",
            EndTiming::Round => "at the end of a round",
        };
        table.row([end.name.clone(), timing.to_owned()]);
    }
    for end in &model.stated_ends {
        table.row([end.name.clone(), "by `end game`".to_owned()]);
    }
    table
}

fn score(model: &Model) -> TextTable {
    let mut table = TextTable::with_words();
    for item in &model.score {
        table.row([item.name.clone(), item.help.clone()]);
    }
    table
}

fn match_rules(model: &Model) -> TextTable {
    use houserule_model::{MatchLength, MatchTotal};
    let mut table = TextTable::with_words();
    if let Some(rules) = &model.match_rules {
        let length = match rules.length {
            MatchLength::Games(games) => format!("{games}"),
            MatchLength::Until(_) => "until a condition holds".to_owned(),
        };
        let total = match rules.total {
            MatchTotal::Sum => "sum of all games".to_owned(),
            MatchTotal::Highest(count) => format!("the {count} highest scores"),
            MatchTotal::Lowest(count) => format!("the {count} lowest scores"),
        };
        table.row(["games".to_owned(), length]);
        table.row(["total".to_owned(), total]);
        if let Some(floor) = rules.floor {
            table.row(["floor".to_owned(), format!("never below {floor}")]);
        }
    }
    table
}

fn observation(game: &Game) -> TextTable {
    let mut table = TextTable::default();
    for entry in game.observation_spec() {
        let numbers =
            if entry.length == 1 { "1 number".to_owned() } else { format!("{} numbers", entry.length) };
        table.row([entry.name, numbers, format!("from {}", entry.offset)]);
    }
    table
}
