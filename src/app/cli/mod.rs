//! The `houserule` command, with one file per subcommand. Results go to standard output, messages to standard
//! error. Exit codes: 0 success; 1 error in the rules or the game; 2 error in the command line; 74 the output
//! can't be written; 130 stopped by Ctrl-C.

mod aborted;
mod budget;
mod card;
mod check;
mod compare;
mod cost;
mod diff;
mod draw;
mod explain_error;
mod extremes;
mod fmt;
mod ladder;
mod learn;
mod list;
mod lsp;
mod manual;
mod new;
mod odds;
mod page_file;
mod pair;
mod play;
mod print;
mod profile;
mod record_file;
mod replay;
mod report;
mod rules;
mod run_flags;
mod score;
mod sheet;
mod show;
mod simulate;
mod sweep;
mod tune;
mod watch;
#[cfg(feature = "workbench")]
mod workbench;
mod worth;

use std::ffi::OsString;
use std::io::{self, Write};

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use crate::terminal::{CliError, EXIT_CODE, Screen, Terminal};
use houserule_game::{backend_choice, code_failure};
use houserule_language::diagnostic::Screened;
use houserule_language::variants::Setting;
use houserule_picture::paint::Paint;
use houserule_players::agents::AgentKind;

/// Tabletop games as short rule files: play, check, simulate and score them.
#[derive(Debug, Parser)]
#[command(name = "houserule", version)]
#[command(
    after_help = "A GAME is the name of a bundled game (`houserule list`) or a path that ends in `.rules`. \
    Variants follow after `+`: `dilido + torus`.\nExit codes: 0 success, 1 error in the rules or the game, 2 error \
    in the command line, 74 the output can't be written, 130 stopped by Ctrl-C."
)]
struct Cli {
    /// When to use colors [default: auto: on a terminal, unless `NO_COLOR` is set]
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t, hide_default_value = true)]
    color: Color,
    /// Show only results and errors, no progress and no warnings about rules
    #[arg(long, short, global = true)]
    quiet: bool,
    #[command(subcommand)]
    verb: Command,
}

/// When to use colors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Color {
    /// On a terminal, unless `NO_COLOR` is set
    #[default]
    Auto,
    /// Always, in files and pipes too
    Always,
    /// Never
    Never,
}

impl Color {
    /// Applies the option to both streams.
    fn apply(self, terminal: &mut Terminal<'_>) {
        match self {
            Color::Auto => {}
            Color::Always => terminal.colors(true),
            Color::Never => terminal.colors(false),
        }
    }
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the bundled games and variants
    List(list::ListArgs),
    /// Show the parts of a game: players, params, state, actions, score, observation
    Show(show::ShowArgs),
    /// Print the rules of a game in plain words
    Rules(rules::RulesArgs),
    /// Write a new rule file: a game, or a variant that lists everything it can change
    New(new::NewArgs),
    /// Format rule files in the standard layout
    Fmt(fmt::FmtArgs),
    /// Show how the rules of two games differ
    Diff(diff::DiffArgs),
    /// Check rule files and report their errors
    Check(check::CheckArgs),
    /// Explain a kind of message: its meaning, an example, and how to mend it
    ExplainError(explain_error::ExplainErrorArgs),
    /// Play a game at the keyboard: alone, with others, or against agents
    Play(play::PlayArgs),
    /// Draw any position of a game as SVG, PNG, PDF or text
    Draw(draw::DrawArgs),
    /// Print a game on paper: sheets to write on, boards, cards to cut out, and the rules
    Print(print::PrintArgs),
    /// Play many games and report the results
    Simulate(simulate::SimulateArgs),
    /// Train a player by self-play and measure its strength
    Learn(learn::LearnArgs),
    /// Play two games with the same dice and report which results differ
    Compare(compare::CompareArgs),
    /// Report what the rules do to a game, with intervals
    Report(report::ReportArgs),
    /// Make a card of a rule to send around: a picture, figures, the rule file
    Card(card::CardArgs),
    /// Remove each rule of a game in turn and report what it is worth
    Worth(worth::WorthArgs),
    /// Play every combination of params, variants, players and agents
    Sweep(sweep::SweepArgs),
    /// Find the values of params with which the results come nearest to targets
    Tune(tune::TuneArgs),
    /// Rate agents by their games against each other (Elo)
    Ladder(ladder::LadderArgs),
    /// Find the most and the least score, turns, rolls and decisions that are possible
    Extremes(extremes::ExtremesArgs),
    /// Compute exact odds: of an expression with dice, or of a game
    Odds(odds::OddsArgs),
    /// Show where a rule file's time goes: by part and by line
    Profile(profile::ProfileArgs),
    /// Check a rule file whenever it is saved, and report which results changed
    Watch(watch::WatchArgs),
    /// Replay recorded games and report where they differ from their records
    Replay(replay::ReplayArgs),
    /// Compute the score of a drawn position and explain it
    Score(score::ScoreArgs),
    /// Change rules, play and measure in the browser
    #[cfg(feature = "workbench")]
    Workbench(workbench::WorkbenchArgs),
    /// Serve an editor: messages, fixes, completion and more while rules are written
    Lsp(lsp::LspArgs),
    /// Print the completion script for a shell
    Completions(manual::CompletionsArgs),
    /// Print a man page, or write all of them to a folder
    Man(manual::ManArgs),
}

/// How a game is loaded.
#[derive(Clone, Debug, Args)]
struct GameFlags {
    /// Set a param of the rules: `--set size=8`, `--set line_points.4=5`; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Number of players [default: the fewest the rules allow]
    #[arg(long, value_name = "N", value_parser = player_count)]
    players: Option<u32>,
}

/// Reads the number of players. Who plays is said elsewhere.
fn player_count(text: &str) -> Result<u32, String> {
    text.parse()
        .map_err(|_| wanted_count(text, "--agents").unwrap_or_else(|| "a number is wanted".to_owned()))
}

/// Says where an agent belongs that was named in place of a number of players.
fn wanted_count(text: &str, flag: &str) -> Option<String> {
    AgentKind::parse(text.split(',').next().unwrap_or(text))
        .is_ok()
        .then(|| format!("it is the number of players; `{flag} {text}` says who plays"))
}

impl GameFlags {
    fn settings(&self) -> Result<Vec<Setting>, CliError> {
        self.set.iter().map(|text| setting(text)).collect()
    }
}

fn setting(text: &str) -> Result<Setting, CliError> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok(Setting::new(name.trim(), value.trim())),
        _ => Err(CliError::Command(format!("`--set {text}`: write `--set NAME=VALUE`"))),
    }
}

/// Exit code if the output can't be written: `EX_IOERR` of sysexits.h.
const OUTPUT_FAILED: u8 = 74;

/// Runs the command with the arguments of the process, the program's name first. Returns the exit code.
pub fn run(args: impl IntoIterator<Item = OsString>) -> u8 {
    // The last line tells of code that couldn't be made; nothing else ends by it.
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !code_failure::makes_code() {
            usual(panic);
        }
    }));
    let (out, mut err) = (io::stdout(), io::stderr());
    let (screen, err_screen) = (Screen::of_output(), Screen::of_errors());
    let mut out: Box<dyn Write> = match screen.terminal {
        true => Box::new(Screened::new(io::BufWriter::new(out.lock()))),
        false => Box::new(io::BufWriter::new(out.lock())),
    };
    let mut terminal = Terminal {
        out: &mut *out,
        err: &mut err,
        paint: screen.paint(screen.wants_colors()),
        err_paint: err_screen.paint(err_screen.wants_colors()),
        screen,
        err_screen,
        quiet: false,
        process: true,
    };
    execute(args, &mut terminal)
}

/// Runs the command with output to `out` and `err`, for tests and programs. Returns the exit code.
pub fn run_to(
    args: impl IntoIterator<Item = OsString>,
    out: &mut dyn Write,
    err: &mut (dyn Write + Send),
) -> u8 {
    let plain = Paint::new(false);
    let (screen, err_screen, quiet, process) = (Screen::NONE, Screen::NONE, false, false);
    execute(
        args,
        &mut Terminal { out, err, paint: plain, err_paint: plain, screen, err_screen, quiet, process },
    )
}

/// Returns the value of `--color` in arguments that may turn out to be invalid.
fn color_asked(args: &[OsString]) -> Color {
    let words: Vec<&str> =
        args.iter().filter_map(|arg| arg.to_str()).take_while(|arg| *arg != "--").collect();
    let apart = words.windows(2).filter(|pair| pair[0] == "--color").map(|pair| pair[1]);
    let joined = words.iter().filter_map(|word| word.strip_prefix("--color="));
    apart.chain(joined).find_map(|when| Color::from_str(when, true).ok()).unwrap_or_default()
}

fn execute(args: impl IntoIterator<Item = OsString>, terminal: &mut Terminal<'_>) -> u8 {
    let args: Vec<OsString> = args.into_iter().collect();
    color_asked(&args).apply(terminal);
    let command = Cli::command().term_width(terminal.screen.page());
    let parsed =
        command.try_get_matches_from(args).and_then(|mut matches| Cli::from_arg_matches_mut(&mut matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => {
            let told = error.render();
            let (wrong, paint) =
                (error.use_stderr(), if error.use_stderr() { terminal.err_paint } else { terminal.paint });
            let text = if paint.is_on() { told.ansi().to_string() } else { told.to_string() };
            let stream: &mut dyn Write = if wrong { terminal.err } else { terminal.out };
            return match stream.write_all(text.as_bytes()).and_then(|()| stream.flush()) {
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => OUTPUT_FAILED,
                _ if wrong => 2,
                _ => 0,
            };
        }
    };
    cli.color.apply(terminal);
    terminal.quiet = cli.quiet;
    let done =
        backend_choice().map_err(|wrong| CliError::Command(wrong.to_owned())).and_then(|_| match cli.verb {
            Command::List(args) => list::run(&args, terminal),
            Command::Show(args) => show::run(&args, terminal),
            Command::Rules(args) => rules::run(&args, terminal),
            Command::New(args) => new::run(&args, terminal),
            Command::Fmt(args) => fmt::run(&args, terminal),
            Command::Diff(args) => diff::run(&args, terminal),
            Command::Check(args) => check::run(&args, terminal),
            Command::ExplainError(args) => explain_error::run(&args, terminal),
            Command::Play(args) => play::run(&args, terminal),
            Command::Draw(args) => draw::run(&args, terminal),
            Command::Print(args) => print::run(&args, terminal),
            Command::Simulate(args) => simulate::run(&args, terminal),
            Command::Learn(args) => learn::run(&args, terminal),
            Command::Compare(args) => compare::run(&args, terminal),
            Command::Report(args) => report::run(&args, terminal),
            Command::Card(args) => card::run(&args, terminal),
            Command::Worth(args) => worth::run(&args, terminal),
            Command::Sweep(args) => sweep::run(&args, terminal),
            Command::Tune(args) => tune::run(&args, terminal),
            Command::Ladder(args) => ladder::run(&args, terminal),
            Command::Extremes(args) => extremes::run(&args, terminal),
            Command::Odds(args) => odds::run(&args, terminal),
            Command::Profile(args) => profile::run(&args, terminal),
            Command::Watch(args) => watch::run(&args, terminal),
            Command::Replay(args) => replay::run(&args, terminal),
            Command::Score(args) => score::run(&args, terminal),
            #[cfg(feature = "workbench")]
            Command::Workbench(args) => workbench::run(&args, terminal),
            Command::Lsp(args) => lsp::run(&args, terminal),
            Command::Completions(args) => manual::completions(&args, terminal),
            Command::Man(args) => manual::man(&args, terminal),
        });
    let done = done.and_then(|()| Ok(terminal.out.flush()?));
    let (code, message) = match done {
        Ok(()) => (0, None),
        Err(CliError::AlreadyReported) => (1, None),
        Err(CliError::Rules(message)) => (1, Some(message)),
        Err(CliError::Command(message)) => (2, Some(message)),
        Err(CliError::Script(fault)) => {
            // If this can't be written, the exit code still shows the error.
            let _ = terminal.diagnostics(&fault.diagnostics, &fault.sources);
            (1, None)
        }
        // The reader closed the pipe: it has all it needs.
        Err(CliError::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => return 0,
        Err(CliError::Io(error)) => (OUTPUT_FAILED, Some(format!("the output can't be written: {error}"))),
        Err(CliError::Output(message)) => (OUTPUT_FAILED, Some(message)),
        Err(CliError::Interrupted) => (EXIT_CODE, None),
    };
    let _ = terminal.out.flush();
    if let Some(message) = message {
        let _ = message.lines().try_for_each(|line| terminal.fault(line));
    }
    if let Some(reason) = code_failure::reason() {
        let _ = terminal.note(&format!(
            "No machine code could be made for these rules, so the interpreter played them, which takes longer. It is a \
             mistake of the program: please report it with the rule file ({reason})."
        ));
    }
    code
}

/// Joins words of the command line to names: `dilido + torus` may be three arguments.
fn names(words: &[String]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut joins = false;
    for word in words {
        let starts = word.starts_with('+');
        match names.last_mut() {
            Some(name) if joins || starts => {
                name.push(' ');
                name.push_str(word);
            }
            _ => names.push(word.clone()),
        }
        joins = word.ends_with('+');
    }
    names
}

/// The help of `--agents`.
fn agents_help() -> String {
    format!("Agents, one for all seats or one for each: {}", AgentKind::list())
}

/// Returns the single game that the words name.
fn one_name(words: &[String]) -> Result<String, CliError> {
    match names(words).as_slice() {
        [one] => Ok(one.clone()),
        many => Err(CliError::Command(format!(
            "name one game, not {}; to add variants to a game, join them with `+`: `{}`",
            many.len(),
            many.join(" + ")
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn stacks_may_come_in_several_words() {
        let names = |text: &str| names(&text.split(' ').map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(names("a + b c"), ["a + b", "c"]);
        assert_eq!(names("a+b c +d"), ["a+b", "c +d"]);
        assert_eq!(names("a+ b + c"), ["a+ b + c"]);
    }

    #[test]
    fn settings_need_a_name_and_a_value() {
        assert_eq!(setting("size = 8").unwrap(), Setting::new("size", "8"));
        assert_eq!(setting("points.4=-5").unwrap(), Setting::new("points.4", "-5"));
        assert!(matches!(setting("size"), Err(CliError::Command(_))));
        assert!(matches!(setting("=8"), Err(CliError::Command(_))));
    }
}
