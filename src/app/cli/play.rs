//! `houserule play`: a game at the keyboard. Every event is saved in a journal.

use houserule_base::numbers::counted;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use etcetera::{BaseStrategy, choose_base_strategy};

use super::{GameFlags, one_name};
use crate::play::{TerminalSession, UNRECORDED};
use crate::terminal::{CliError, Terminal};
use houserule_base::names::{shell_game, shell_quoted};
use houserule_desk::table::{JournalFile, RulesChange, Table, TableError, YOU, seat_names};
use houserule_game::notation::journal::{DiceSource, Journal, JournalHeader};
use houserule_loader::Loaded;
use houserule_loader::recorded::load_with;
use houserule_players::agents::AgentKind;

/// Exclusive maximum of random seeds, so that they are easy to type.
const SEEDS: u64 = 1_000_000;

#[derive(Debug, Args)]
pub(super) struct PlayArgs {
    /// The game, with variants on top of it; not needed with the `--journal` of a game under way
    #[arg(required_unless_present = "journal", value_name = "GAME")]
    game: Vec<String>,
    #[command(flatten)]
    flags: GameFlags,
    #[arg(long, value_name = "AGENT", conflicts_with = "agents", help = against_help())]
    against: Option<String>,
    /// Who plays each seat, `you` or an agent: `you,greedy,you`. An agent alone plays all seats
    #[arg(long, value_name = "A,B")]
    agents: Option<String>,
    /// Where dice come from: the seed, or `ask` for real dice on your table
    #[arg(long, value_name = "SOURCE")]
    dice: Option<DiceFlag>,
    /// Seed of the dice [default: random]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Play a whole match, game after game
    #[arg(long = "match")]
    match_play: bool,
    /// The file that keeps the game. If a game is under way in it, that goes on
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Begin a new game, even if one is unfinished (which is kept)
    #[arg(long)]
    new: bool,
    /// Go on though the rules have changed since the game began
    #[arg(long, conflicts_with = "new")]
    changed_rules: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DiceFlag {
    Seed,
    Ask,
}

impl From<DiceFlag> for DiceSource {
    fn from(flag: DiceFlag) -> DiceSource {
        match flag {
            DiceFlag::Seed => DiceSource::Seed,
            DiceFlag::Ask => DiceSource::Hand,
        }
    }
}

pub(super) fn run(args: &PlayArgs, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let name = if args.game.is_empty() { None } else { Some(one_name(&args.game)?) };
    match (&args.journal, name) {
        (Some(path), name) if path.exists() => {
            if args.new {
                return Err(CliError::Command(format!(
                    "`{}` has a game in it already: name another file, or leave `--new` away to go on with it",
                    path.display()
                )));
            }
            go_on(args, path, name.as_deref(), terminal)
        }
        (Some(path), None) => Err(CliError::Command(format!(
            "there is no journal `{}`; to begin one, name a game: `houserule play GAME --journal FILE`",
            path.display()
        ))),
        (Some(path), Some(name)) => begin(args, &name, Some(path), terminal),
        (None, Some(name)) if args.new => begin(args, &name, None, terminal),
        (None, Some(name)) => match unfinished(args, &name, terminal)? {
            Some(path) => go_on(args, &path, Some(&name), terminal),
            None => begin(args, &name, None, terminal),
        },
        (None, None) => Err(CliError::Command("name a game".to_owned())),
    }
}

/// Returns the newest unfinished game with this name that matches the command line.
fn unfinished(args: &PlayArgs, name: &str, terminal: &mut Terminal<'_>) -> Result<Option<PathBuf>, CliError> {
    // Without a folder no game has been kept.
    let Ok(folder) = default_folder() else { return Ok(None) };
    let here = folder_of(name);
    for (path, journal) in JournalFile::unfinished(&folder, name) {
        if journal.head.folder != here || differs(args, &journal)?.is_some() {
            continue;
        }
        let same = as_recorded(&journal.head).is_ok_and(|loaded| journal.same_rules(&loaded.game));
        if same || args.changed_rules {
            return Ok(Some(path));
        }
        writeln!(
            terminal.err,
            "The unfinished game in `{0}` was begun by other rules, so a new one begins. To go on with it by the \
             rules of today:\n  houserule play --journal {1} --changed-rules",
            path.display(),
            shell_quoted(&path.display().to_string())
        )?;
        return Ok(None);
    }
    Ok(None)
}

/// Returns the default folder of journals, or why there is none.
fn default_folder() -> Result<PathBuf, String> {
    let strategy =
        choose_base_strategy().map_err(|error| format!("there is no place for the journal: {error}"))?;
    Ok(strategy.data_dir().join("houserule").join("play"))
}

/// Creates a journal in the default folder, or returns why that can't be.
fn create_by_default(head: &JournalHeader) -> Result<JournalFile, String> {
    JournalFile::create_in(&default_folder()?, head).map_err(|error| error.to_string())
}

/// Returns the current folder if the name of a game is a path.
fn folder_of(name: &str) -> Option<String> {
    let path = name.contains('/') || name.contains(".rules");
    path.then(|| std::env::current_dir().ok().map(|folder| folder.display().to_string())).flatten()
}

/// Describes how a journal differs from what the command line asks for, or returns `None`.
fn differs(args: &PlayArgs, journal: &Journal) -> Result<Option<String>, CliError> {
    let head = &journal.head;
    if let Some(players) = args.flags.players.filter(|players| *players != head.players) {
        return Ok(Some(format!("it has {}, not {players}", counted(head.players, "player"))));
    }
    if let Some(seed) = args.seed.filter(|seed| *seed != head.seed) {
        return Ok(Some(format!("its seed is {}, not {seed}", head.seed)));
    }
    if let Some(flag) = args.dice.filter(|flag| DiceSource::from(*flag) != head.dice) {
        let its = if head.dice == DiceSource::Hand { "are rolled by hand" } else { "come from its seed" };
        let flag = if flag == DiceFlag::Ask { "ask" } else { "seed" };
        return Ok(Some(format!("its dice {its}; `--dice {flag}` is for a new game")));
    }
    if args.match_play && !head.match_play {
        return Ok(Some("it is a single game and no match".to_owned()));
    }
    if args.agents.is_some() || args.against.is_some() {
        let wanted = seated(args, head.players)?;
        if wanted != head.agents {
            return Ok(Some(format!("its seats are {}", head.agents.join(","))));
        }
    }
    for setting in args.flags.settings()? {
        let key = setting.name.split('.').next().unwrap_or("");
        let value = head.params.get(key).map(houserule_game::values::param_text_of_json);
        // An entry of a table isn't compared.
        if !setting.name.contains('.') && value.as_deref() != Some(setting.value.as_str()) {
            let value = value.unwrap_or_else(|| "not there".to_owned());
            return Ok(Some(format!("its `{key}` is {value}, not {}", setting.value)));
        }
    }
    Ok(None)
}

/// Loads the game of a journal, with the same params and number of players.
fn as_recorded(head: &JournalHeader) -> Result<Loaded, String> {
    if let Some(folder) = &head.folder
        && folder_of(&head.game).as_ref() != Some(folder)
    {
        return Err(format!("`{}` is a path from `{folder}`: go there first", head.game));
    }
    load_with(&head.game, &head.params, head.players)
}

fn begin(
    args: &PlayArgs,
    name: &str,
    path: Option<&Path>,
    terminal: &mut Terminal<'_>,
) -> Result<(), CliError> {
    let loaded = terminal.load(name, &args.flags.settings()?, args.flags.players)?;
    let game = &loaded.game;
    if args.match_play && game.model().match_rules.is_none() {
        return Err(CliError::Command(format!(
            "the rules of {} have no `match`: leave `--match` away",
            name
        )));
    }
    let seed = args.seed.unwrap_or_else(|| RandomState::new().build_hasher().finish() % SEEDS);
    let head = JournalHeader {
        game: name.to_owned(),
        folder: folder_of(name),
        dice: args.dice.map_or(DiceSource::Seed, DiceSource::from),
        match_play: args.match_play,
        ..JournalHeader::new(game, seated(args, game.players())?, seed)
    };
    let agents = head.agents.clone();
    let mut reason = None;
    let table = waited_for(&agents, terminal, || {
        Table::begin(game, head, |head| match path {
            Some(path) => JournalFile::create(path, head).map(Some),
            None => Ok(create_by_default(head).map_err(|error| reason = Some(error)).ok()),
        })
    })??;
    if let Some(reason) = reason {
        writeln!(terminal.err, "{UNRECORDED}: {reason}. `--journal FILE` records it in another place")?;
    }
    TerminalSession::new(loaded, table).play(false, terminal)
}

/// The help of `--against`.
fn against_help() -> String {
    format!("Agent of all seats but the first, which is yours: {}", AgentKind::list())
}

/// Returns the player of each seat, given the options of the command line.
fn seated(args: &PlayArgs, players: u32) -> Result<Vec<String>, CliError> {
    let named: Vec<String> = match (&args.agents, &args.against) {
        (Some(agents), _) => agents.split(',').map(|name| name.trim().to_owned()).collect(),
        (None, Some(_)) if players < 2 => {
            return Err(CliError::Command(
                "`--against` needs a game for two or more; `--agents` lets an agent play alone".to_owned(),
            ));
        }
        (None, Some(against)) => {
            let others = std::iter::repeat_n(against.trim().to_owned(), players as usize - 1);
            std::iter::once(YOU.to_owned()).chain(others).collect()
        }
        (None, None) => vec![],
    };
    Ok(seat_names(&named, players)?)
}

/// Sets up a table. An agent that solves the game first may take a while.
fn waited_for<T>(
    agents: &[String],
    terminal: &mut Terminal<'_>,
    set_up: impl FnOnce() -> T,
) -> Result<T, CliError> {
    let exact = AgentKind::Exact.to_string();
    let waits = terminal.err_screen.terminal && agents.contains(&exact);
    if waits {
        write!(terminal.err, "`{exact}` works the whole game out, which may take a while; Ctrl-C leaves … ")?;
        terminal.err.flush()?;
    }
    let table = set_up();
    if waits {
        writeln!(terminal.err)?;
    }
    Ok(table)
}

fn go_on(
    args: &PlayArgs,
    path: &Path,
    name: Option<&str>,
    terminal: &mut Terminal<'_>,
) -> Result<(), CliError> {
    let (file, journal) = JournalFile::open(path)?;
    let shown = path.display();
    let other = |what: String| {
        CliError::Command(format!("`{shown}` has another game: {what}. For a new game name another file"))
    };
    if let Some(name) = name.filter(|name| *name != journal.head.game) {
        return Err(other(format!("it is of {}, not of {name}", journal.head.game)));
    }
    if let Some(what) = differs(args, &journal)? {
        return Err(other(what));
    }
    let loaded = as_recorded(&journal.head)
        .map_err(|error| CliError::Rules(format!("the game in `{shown}` can't be loaded: {error}")))?;
    let changed = !journal.same_rules(&loaded.game);
    if changed && !args.changed_rules {
        return Err(CliError::Rules(format!(
            "the rules of {} have changed since the game in `{shown}` began.\n\
             What has been played ({}) is kept. Bring the old rules back to go on by them; or go on by those of today, as far \
             as they allow what has been played: add `--changed-rules`; or begin a new game: `houserule play {} --new`",
            journal.head.game,
            counted(journal.events(), "event"),
            shell_game(&journal.head.game),
        )));
    }
    let agents = journal.head.agents.clone();
    let table = waited_for(&agents, terminal, || {
        let accepted = if args.changed_rules { RulesChange::Accept } else { RulesChange::Refuse };
        Table::resume(&loaded.game, journal, Some(file), accepted)
    })?;
    let table = table.map_err(|error| match error {
        TableError::Resume(error) => {
            let why = if changed {
                "by the rules of today it can't have been played so"
            } else {
                "it does not play again"
            };
            CliError::Rules(format!("`{shown}`: {why}: {error}. The journal is as it was"))
        }
        error => error.into(),
    })?;
    TerminalSession::new(loaded, table).play(true, terminal)
}
