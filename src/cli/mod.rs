//! The `houserule` command: one file a verb. Results go to standard output, messages to standard
//! error. The exit code is 0 if all went well, 1 if the rules or the game are at fault, 2 if the
//! command line is.

mod check;
mod compare;
mod diff;
mod draw;
mod files;
mod fmt;
mod list;
mod moved;
mod new;
mod pair;
mod play;
mod progress;
mod replay;
mod report;
mod rules;
mod score;
mod sheet;
mod show;
mod simulate;
mod stopped;
mod table;
mod watch;

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};

use clap::{Args, Parser, Subcommand};

use crate::agents::{AgentError, ScriptFault};
use crate::diagnostic::{Style, render_all};
use crate::draw::paint::Paint;
use crate::lang::check::Setting;
use crate::loader::{LoadError, Loaded, Request, load};
use crate::playtest::SimulateError;
use table::plural;

/// Tabletop games as short rule files: play, check, simulate and score them.
#[derive(Debug, Parser)]
#[command(name = "houserule", version, max_term_width = 100)]
#[command(
    after_help = "A GAME is a bundled game (`houserule list`), or a path that ends in `.rules`; `dilido + torus` \
    puts variants on top of it.\nExit code: 0 done, 1 the rules or the game are at fault, 2 the command line is."
)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// List the games and variants that come with the program
    List(list::ListArgs),
    /// Show a game: params, players, actions, state
    Show(show::ShowArgs),
    /// Say the rules of a game in plain words
    Rules(rules::RulesArgs),
    /// Begin a rule file: a game, or a variant that lists all it may change
    New(new::NewArgs),
    /// Put rule files into the layout that all of them share
    Fmt(fmt::FmtArgs),
    /// Say what differs between two games
    Diff(diff::DiffArgs),
    /// Check rule files and say all that is wrong with them
    Check(check::CheckArgs),
    /// Play a game: alone, with others at the keyboard, or against agents
    Play(play::PlayArgs),
    /// Draw a game as a picture, at its start, at its end or in between
    Draw(draw::DrawArgs),
    /// Play many games and report what was found
    Simulate(simulate::SimulateArgs),
    /// Play two games on the same dice and say what differs
    Compare(compare::CompareArgs),
    /// Check a file whenever it is saved, and say what moved
    Watch(watch::WatchArgs),
    /// Play recorded games again and compare them with their records
    Replay(replay::ReplayArgs),
    /// Score a drawn position and say what counted
    Score(score::ScoreArgs),
}

/// How a game is loaded.
#[derive(Clone, Debug, Args)]
struct GameFlags {
    /// Set a param (`--set size=8`, `--set line_points.4=5`)
    #[arg(long = "set", value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// How many play; without it, the fewest that the rules allow
    #[arg(long, value_name = "N")]
    players: Option<u32>,
}

impl GameFlags {
    fn settings(&self) -> Result<Vec<Setting>, Fault> {
        self.set.iter().map(|text| setting(text)).collect()
    }
}

fn setting(text: &str) -> Result<Setting, Fault> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok(Setting::new(name.trim(), value.trim())),
        _ => Err(Fault::Command(format!("`--set {text}`: write `--set NAME=VALUE`"))),
    }
}

/// Why a verb did not do its work.
#[derive(Debug)]
enum Fault {
    /// The rules or the game are at fault; this says what is wrong.
    Rules(String),
    /// The rules are at fault, and what is wrong has been said.
    Told,
    /// The command line is at fault.
    Command(String),
    /// The script of an agent is at fault.
    Script(Box<ScriptFault>),
    /// Writing failed.
    Io(io::Error),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Fault::Io(error)
    }
}

impl From<AgentError> for Fault {
    fn from(error: AgentError) -> Self {
        match error {
            AgentError::Script(fault) => Fault::Script(fault),
            error => Fault::Command(error.to_string()),
        }
    }
}

impl From<SimulateError> for Fault {
    fn from(error: SimulateError) -> Self {
        match error {
            SimulateError::NoMatch => Fault::Rules(error.to_string()),
            SimulateError::Agent(error) => error.into(),
            error => Fault::Command(error.to_string()),
        }
    }
}

/// Where a verb writes.
struct Terminal<'a> {
    out: &'a mut dyn Write,
    err: &'a mut (dyn Write + Send),
    /// How results are painted.
    paint: Paint,
    /// How messages are painted.
    err_paint: Paint,
    /// Messages go to somebody who watches.
    watched: bool,
    /// Results go to a screen.
    screen: bool,
}

impl Terminal<'_> {
    /// Writes a result as JSON.
    fn json(&mut self, value: &impl serde::Serialize) -> Result<(), Fault> {
        let text = serde_json::to_string_pretty(value).map_err(|error| Fault::Rules(error.to_string()))?;
        Ok(writeln!(self.out, "{text}")?)
    }

    /// Loads a game; what is wrong or looks wrong with it is said.
    fn load(&mut self, name: &str, settings: &[Setting], players: Option<u32>) -> Result<Loaded, Fault> {
        let request = Request { name, settings, players };
        match load(&request) {
            Ok(loaded) => {
                self.diagnostics(&loaded.warnings, &loaded.sources)?;
                Ok(loaded)
            }
            Err(LoadError::Rules { diagnostics, sources }) => {
                self.diagnostics(&diagnostics, &sources)?;
                Err(Fault::Told)
            }
            Err(LoadError::Compile(message)) => Err(Fault::Rules(message)),
            Err(LoadError::Request(messages)) => Err(Fault::Command(messages.join("\n"))),
        }
    }

    fn diagnostics(
        &mut self,
        diagnostics: &[crate::diagnostic::Diagnostic],
        sources: &crate::diagnostic::SourceMap,
    ) -> Result<(), Fault> {
        if diagnostics.is_empty() {
            return Ok(());
        }
        let style = Style { color: self.err_paint.is_on(), ..Style::default() };
        let text = render_all(diagnostics, sources, style);
        Ok(writeln!(self.err, "{}", text.trim_end())?)
    }

    /// How many mistakes a file has, in a word or two.
    fn verdict(&self, mistakes: usize, warnings: usize) -> String {
        match (mistakes, warnings) {
            (0, 0) => self.paint.good("no mistakes"),
            (0, n) => self.paint.good(&format!("no mistakes, {n} warning{}", plural(n))),
            (n, _) => self.paint.error(&format!("{n} mistake{}", plural(n))),
        }
    }

    fn fault(&mut self, message: &str) -> io::Result<()> {
        writeln!(self.err, "{} {message}", self.err_paint.error("error:"))
    }
}

/// Runs the command with the arguments of a process, its name first.
pub fn run(args: impl IntoIterator<Item = OsString>) -> u8 {
    let (out, mut err) = (io::stdout(), io::stderr());
    let colours = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let (out_watched, err_watched) = (out.is_terminal(), err.is_terminal());
    let mut out = io::BufWriter::new(out.lock());
    let mut terminal = Terminal {
        out: &mut out,
        err: &mut err,
        paint: Paint::new(colours && out_watched),
        err_paint: Paint::new(colours && err_watched),
        watched: err_watched,
        screen: out_watched,
    };
    execute(args, &mut terminal)
}

/// A simulation's report as the command prints it, without colours.
pub fn report_text(game: &crate::engine::Game, found: &crate::playtest::Report) -> String {
    report::text(game, found, Paint::new(false))
}

/// A comparison as the command prints it, without colours.
pub fn comparison_text(found: &crate::playtest::Comparison) -> String {
    moved::report(found, Paint::new(false))
}

/// Runs the command, with its output as text: for tests and for programs.
pub fn run_to(
    args: impl IntoIterator<Item = OsString>,
    out: &mut dyn Write,
    err: &mut (dyn Write + Send),
) -> u8 {
    let plain = Paint::new(false);
    execute(args, &mut Terminal { out, err, paint: plain, err_paint: plain, watched: false, screen: false })
}

fn execute(args: impl IntoIterator<Item = OsString>, terminal: &mut Terminal<'_>) -> u8 {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => {
            let told = error.render();
            let (wrong, paint) =
                (error.use_stderr(), if error.use_stderr() { terminal.err_paint } else { terminal.paint });
            let text = if paint.is_on() { told.ansi().to_string() } else { told.to_string() };
            let stream: &mut dyn Write = if wrong { terminal.err } else { terminal.out };
            // Nobody is left to be told that nobody listens.
            let _ = stream.write_all(text.as_bytes()).and_then(|()| stream.flush());
            return if wrong { 2 } else { 0 };
        }
    };
    let done = match cli.verb {
        Verb::List(args) => list::run(&args, terminal),
        Verb::Show(args) => show::run(&args, terminal),
        Verb::Rules(args) => rules::run(&args, terminal),
        Verb::New(args) => new::run(&args, terminal),
        Verb::Fmt(args) => fmt::run(&args, terminal),
        Verb::Diff(args) => diff::run(&args, terminal),
        Verb::Check(args) => check::run(&args, terminal),
        Verb::Play(args) => play::run(&args, terminal),
        Verb::Draw(args) => draw::run(&args, terminal),
        Verb::Simulate(args) => simulate::run(&args, terminal),
        Verb::Compare(args) => compare::run(&args, terminal),
        Verb::Watch(args) => watch::run(&args, terminal),
        Verb::Replay(args) => replay::run(&args, terminal),
        Verb::Score(args) => score::run(&args, terminal),
    };
    let done = done.and_then(|()| Ok(terminal.out.flush()?));
    let (code, message) = match done {
        Ok(()) => (0, None),
        Err(Fault::Told) => (1, None),
        Err(Fault::Rules(message)) => (1, Some(message)),
        Err(Fault::Command(message)) => (2, Some(message)),
        Err(Fault::Script(fault)) => {
            // If nobody hears it, the code says it.
            let _ = terminal.diagnostics(&fault.diagnostics, &fault.sources);
            (1, None)
        }
        // Whoever read the output has seen enough.
        Err(Fault::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => return 0,
        Err(Fault::Io(error)) => (1, Some(error.to_string())),
    };
    let _ = terminal.out.flush();
    if let Some(message) = message {
        let _ = message.lines().try_for_each(|line| terminal.fault(line));
    }
    code
}

/// Names from words on the command line: `dilido + torus` may come as three words.
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

/// The one game that words name.
fn one_name(words: &[String]) -> Result<String, Fault> {
    match names(words).as_slice() {
        [one] => Ok(one.clone()),
        many => Err(Fault::Command(format!(
            "name one game, not {}; variants are put on top of it with `+`: `{}`",
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
        use clap::CommandFactory;
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
        assert!(matches!(setting("size"), Err(Fault::Command(_))));
        assert!(matches!(setting("=8"), Err(Fault::Command(_))));
    }
}
