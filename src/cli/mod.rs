//! The `houserule` command, with one file per subcommand. Results go to standard output, messages to standard
//! error. Exit codes: 0 success; 1 error in the rules or the game; 2 error in the command line; 74 the output
//! can't be written; 130 stopped by Ctrl-C.

mod budget;
mod check;
mod compare;
mod cost;
mod diff;
mod draw;
mod explain_error;
mod extremes;
mod fmt;
mod interrupted;
mod ladder;
mod learn;
mod list;
mod lsp;
mod manual;
mod new;
mod pair;
mod play;
mod print;
mod progress;
mod record_file;
mod replay;
mod report;
mod rules;
mod score;
mod screen;
mod sheet;
mod show;
mod simulate;
mod stopped;
mod sweep;
mod tune;
mod watch;
#[cfg(feature = "workbench")]
mod workbench;
mod worth;

use crate::native::choice;
use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, Write};

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use crate::agents::{AgentError, AgentKind, ScriptFault};
use crate::diagnostic::{RenderOptions, Screened, printable, render_all};
use crate::files::FileError;
use crate::loader::{LoadError, Loaded, Request, load};
use crate::paint::Paint;
use crate::playtest::SimulateError;
use crate::report::columns::{counted, wrap};
use crate::variants::Setting;
use screen::Screen;

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

/// Adds how the number of players is set, if it was set as a param.
fn with_players(mut messages: Vec<String>, settings: &[Setting]) -> String {
    let count = settings.iter().find(|setting| setting.name == "players");
    if let Some(count) = count.filter(|_| messages.iter().any(|text| text.contains("no param `players`"))) {
        messages.push(format!("the number of players is set by `--players {}`", count.value));
    }
    messages.join("\n")
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

/// Why a subcommand failed.
#[derive(Debug)]
enum CliError {
    /// An error in the rules or the game, with its message.
    Rules(String),
    /// An error in the rules that has already been reported.
    AlreadyReported,
    /// An error in the command line.
    Command(String),
    /// An error in the script of an agent.
    Script(Box<ScriptFault>),
    /// Stopped by Ctrl-C; the results so far have been reported.
    Interrupted,
    /// The output can't be written because of the disk or device, with the reason.
    Output(String),
    /// Writing the results failed.
    Io(io::Error),
}

impl CliError {
    /// Creates the error for a file that can't be written. It is an error in the command line if the path is
    /// invalid.
    fn writing(name: impl Display, error: &io::Error) -> CliError {
        use io::ErrorKind as Kind;
        let message = format!("`{name}` can't be written: {error}");
        match error.kind() {
            Kind::NotFound
            | Kind::PermissionDenied
            | Kind::AlreadyExists
            | Kind::IsADirectory
            | Kind::NotADirectory
            | Kind::InvalidFilename
            | Kind::InvalidInput => CliError::Command(message),
            _ => CliError::Output(message),
        }
    }
}

/// Exit code if the output can't be written: `EX_IOERR` of sysexits.h.
const OUTPUT_FAILED: u8 = 74;

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> Self {
        CliError::Io(error)
    }
}

impl From<FileError> for CliError {
    fn from(error: FileError) -> Self {
        let message = error.to_string();
        match error {
            FileError::Exists(_) => {
                CliError::Command(format!("{message}; choose another name, or overwrite it with `--force`"))
            }
            FileError::Written(path, error) => CliError::writing(path.display(), &error),
            _ => CliError::Command(message),
        }
    }
}

impl From<AgentError> for CliError {
    fn from(error: AgentError) -> Self {
        match error {
            AgentError::Script(fault) => CliError::Script(fault),
            error => CliError::Command(error.to_string()),
        }
    }
}

impl From<SimulateError> for CliError {
    fn from(error: SimulateError) -> Self {
        match error {
            SimulateError::NoMatch => CliError::Rules(error.to_string()),
            SimulateError::Agent(error) => error.into(),
            error => CliError::Command(error.to_string()),
        }
    }
}

/// The output streams of a subcommand.
struct Terminal<'a> {
    out: &'a mut dyn Write,
    err: &'a mut (dyn Write + Send),
    /// The paint for results.
    paint: Paint,
    /// The paint for messages.
    err_paint: Paint,
    /// The terminal behind `out`.
    screen: Screen,
    /// The terminal behind `err`.
    err_screen: Screen,
    /// Whether to show nothing but results and errors.
    quiet: bool,
    /// Whether this is the command's own process, not a call from a program or a test.
    process: bool,
}

impl Terminal<'_> {
    /// Clears the screen and the scrollback, if the terminal can.
    fn clear(&mut self) -> Result<(), CliError> {
        if self.screen.terminal && !self.screen.dumb {
            // Bypasses `out`, which escapes control characters.
            self.out.flush()?;
            let mut out = io::stdout();
            write!(out, "\x1b[2J\x1b[3J\x1b[H")?;
            out.flush()?;
        }
        Ok(())
    }

    /// Applies the `--color` option.
    fn colors(&mut self, color: Color) {
        let wanted = match color {
            Color::Auto => return,
            Color::Always => true,
            Color::Never => false,
        };
        (self.paint, self.err_paint) = (self.screen.paint(wanted), self.err_screen.paint(wanted));
    }

    /// Writes a result as JSON.
    fn json(&mut self, value: &impl serde::Serialize) -> Result<(), CliError> {
        let text = serde_json::to_string_pretty(value).map_err(|error| CliError::Rules(error.to_string()))?;
        Ok(writeln!(self.out, "{text}")?)
    }

    /// Loads a game and reports its errors and warnings.
    fn load(&mut self, name: &str, settings: &[Setting], players: Option<u32>) -> Result<Loaded, CliError> {
        let request = Request { name, settings, players };
        match load(&request) {
            Ok(loaded) => {
                if !self.quiet {
                    self.diagnostics(&loaded.warnings, &loaded.sources)?;
                }
                Ok(loaded)
            }
            Err(LoadError::Rules { diagnostics, sources, .. }) => {
                self.diagnostics(&diagnostics, &sources)?;
                Err(CliError::AlreadyReported)
            }
            Err(LoadError::Compile(message)) => Err(CliError::Rules(message)),
            Err(LoadError::Request(messages)) => Err(CliError::Command(with_players(messages, settings))),
        }
    }

    /// Returns the style for rendering messages about rules.
    fn style(&self) -> RenderOptions {
        let style = RenderOptions { color: self.err_paint.is_on(), ..RenderOptions::default() };
        match self.err_screen.messages() {
            Some(width) => RenderOptions { width, wrap: true, ..style },
            None => style,
        }
    }

    fn diagnostics(
        &mut self,
        diagnostics: &[crate::diagnostic::Diagnostic],
        sources: &crate::diagnostic::SourceMap,
    ) -> Result<(), CliError> {
        if diagnostics.is_empty() {
            return Ok(());
        }
        let text = render_all(diagnostics, sources, self.style());
        Ok(writeln!(self.err, "{}", text.trim_end())?)
    }

    /// Formats the number of errors and warnings of a file.
    fn verdict(&self, errors: usize, warnings: usize) -> String {
        match (errors, warnings) {
            (0, 0) => self.paint.good("no errors"),
            (0, n) => self.paint.good(&format!("no errors, {}", counted(n, "warning"))),
            (n, _) => self.paint.error(&counted(n, "error")),
        }
    }

    /// Writes a note: useful information that isn't an error.
    fn note(&mut self, message: &str) -> io::Result<()> {
        writeln!(self.err, "{}", printable(message))
    }

    fn fault(&mut self, message: &str) -> io::Result<()> {
        let message = printable(message);
        // The terminal would break lines within words.
        let lines = match self.err_screen.messages() {
            Some(columns) => wrap(&message, columns - "error: ".len()),
            None => vec![message.into_owned()],
        };
        writeln!(self.err, "{} {}", self.err_paint.error("error:"), lines.join("\n  "))
    }
}

/// Runs the command with the arguments of the process, the program's name first. Returns the exit code.
pub fn run(args: impl IntoIterator<Item = OsString>) -> u8 {
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
    terminal.colors(color_asked(&args));
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
    terminal.colors(cli.color);
    terminal.quiet = cli.quiet;
    let done = choice().map_err(|wrong| CliError::Command(wrong.to_owned())).and_then(|_| match cli.verb {
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
        Command::Worth(args) => worth::run(&args, terminal),
        Command::Sweep(args) => sweep::run(&args, terminal),
        Command::Tune(args) => tune::run(&args, terminal),
        Command::Ladder(args) => ladder::run(&args, terminal),
        Command::Extremes(args) => extremes::run(&args, terminal),
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
        Err(CliError::Interrupted) => (interrupted::EXIT_CODE, None),
    };
    let _ = terminal.out.flush();
    if let Some(message) = message {
        let _ = message.lines().try_for_each(|line| terminal.fault(line));
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
