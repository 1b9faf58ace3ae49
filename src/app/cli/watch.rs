//! `houserule watch`: checks a game whenever one of its files is saved, and reports which results changed.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use clap::Args;

use super::run_flags::{RunFlags, agents};
use super::{GameFlags, one_name};
use crate::terminal::{CliError, Terminal};
use houserule_base::file_watch::{LOOK, WatchedFiles};
use houserule_base::interrupt::Interrupt;
use houserule_base::numbers::parse_count;
use houserule_language::diagnostic::Severity;
use houserule_language::variants::Setting;
use houserule_loader::{LoadError, Loaded, Request, load_noting};
use houserule_page::report::columns::{counted, grouped};
use houserule_page::report::comparison;
use houserule_players::agents::{AgentError, AgentKind};
use houserule_players::learned::can_learn;
use houserule_playtest::{ComparePlan, Comparison, SimulateError, compare, compare_watched};

/// A text that stays unchanged for this long has been written completely.
const SETTLED: Duration = Duration::from_millis(4);

/// Maximum time to wait for a text to be complete.
const LONGEST_WAIT: Duration = Duration::from_millis(40);

/// Minimum interval between polls of the files while games are played.
const SELDOM: Duration = Duration::from_millis(20);

#[derive(Debug, Args)]
#[command(after_help = "Edit and save the file in any editor. Ctrl-C ends the command.")]
pub(super) struct WatchArgs {
    /// The rule file, a path that ends in `.rules`; the rule files and scripts that it uses are watched too
    #[arg(required = true, value_name = "FILE")]
    game: Vec<String>,
    #[command(flatten)]
    flags: GameFlags,
    /// Number of games to play of both versions after each save; with 0, the file is only checked
    #[arg(long, short = 'n', value_name = "N", default_value_t = 2_000, value_parser = parse_count, allow_negative_numbers = true)]
    games: u64,
    /// Agents, named as for `simulate`: the versions are compared once for each agent, which plays all seats.
    /// `learned` is trained for each version in the background, so its results come later
    #[arg(long, value_name = "A,B", default_value = "random,learned")]
    agents: String,
    #[command(flatten)]
    run: RunFlags,
}

pub(super) fn run(args: &WatchArgs, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let mut watch = WatchSession {
        name: one_name(&args.game)?,
        settings: args.flags.settings()?,
        players: args.flags.players,
        plan: ComparePlan {
            games: Some(args.games),
            first: 0,
            seeds: [args.run.seed; 2],
            threads: args.run.threads()?,
            agents: agents(&args.agents)?,
            match_play: false,
            keep_partial: false,
        },
        agents: args.agents.clone(),
        learners: None,
        files: WatchedFiles::new([]),
        good: None,
    };
    watch.begin(terminal)?;
    loop {
        sleep(LOOK);
        watch.hear(terminal)?;
        while watch.files.changed() {
            // Stops the background comparison before the new check.
            watch.learners = None;
            watch.settle();
            watch.answer(terminal)?;
        }
    }
}

/// A comparison by learning agents in the background, of the last good version with the new one.
struct Learners {
    stop: Interrupt,
    found: Receiver<Result<Comparison, SimulateError>>,
    /// The result of the other agents.
    quick: Comparison,
}

impl Learners {
    fn new(good: &Loaded, loaded: &Loaded, plan: &ComparePlan, quick: Comparison) -> Learners {
        let stop = Interrupt::new();
        let (tell, found) = channel();
        let (a, b, plan, flag) = (good.game.clone(), loaded.game.clone(), plan.clone(), stop.clone());
        std::thread::spawn(move || {
            // The receiver may have been dropped; then the result isn't needed.
            let _ = tell.send(compare_watched(&a, &b, &plan, &|_| true, &flag));
        });
        Learners { stop, found, quick }
    }
}

impl Drop for Learners {
    fn drop(&mut self) {
        self.stop.set();
    }
}

struct WatchSession {
    name: String,
    settings: Vec<Setting>,
    players: Option<u32>,
    plan: ComparePlan,
    /// The agents as given; they are parsed again because their scripts may change.
    agents: String,
    learners: Option<Learners>,
    files: WatchedFiles,
    /// The last version without errors.
    good: Option<Loaded>,
}

impl WatchSession {
    /// Checks the files for the first time. A request that no edit can fix ends the watch.
    fn begin(&mut self, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
        let begun = Instant::now();
        let loaded = self.load();
        if self.files.paths().is_empty() {
            return match loaded {
                Err(LoadError::Request(messages)) => Err(CliError::Command(messages.join("\n"))),
                _ => Err(CliError::Command(format!(
                    "`{}` comes with the program, so it never changes: name a file of your own, a path that \
                     ends in `.rules`",
                    self.name
                ))),
            };
        }
        let scripts: Vec<PathBuf> =
            self.plan.agents.iter().filter_map(AgentKind::file).map(PathBuf::from).collect();
        self.files.add(scripts);
        terminal.clear()?;
        let took = format!("checked in {} ms", begun.elapsed().as_millis());
        let loaded = self.report(loaded, &took, terminal)?;
        let files: Vec<String> = self.files.paths().iter().map(|path| path.display().to_string()).collect();
        let line = terminal.paint.quiet(&format!("Watching {}; Ctrl-C ends.", files.join(", ")));
        writeln!(terminal.out, "{line}")?;
        terminal.out.flush()?;
        self.good = loaded;
        Ok(())
    }

    /// Waits until a file has been written completely.
    fn settle(&mut self) {
        let begun = Instant::now();
        while begun.elapsed() < LONGEST_WAIT {
            sleep(SETTLED);
            if !self.files.changed() {
                break;
            }
        }
    }

    /// Loads the game and watches the files it was read from.
    fn load(&mut self) -> Result<Loaded, LoadError> {
        let mut paths: Vec<PathBuf> = Vec::new();
        let request = Request { name: &self.name, settings: &self.settings, players: self.players };
        let loaded = load_noting(&request, &mut paths);
        // A file stays watched, even if an error now prevents it from being read. New files are added after
        // they were read; a save in between is rare, and the next save is noticed.
        self.files.add(paths);
        loaded
    }

    /// Handles a save.
    fn answer(&mut self, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
        let seen = Instant::now();
        let loaded = self.load();
        terminal.clear()?;
        let took = match self.files.written().map(|written| SystemTime::now().duration_since(written)) {
            Some(Ok(since)) if since < Duration::from_secs(1) => {
                format!("checked {} ms after the save", since.as_millis())
            }
            _ => format!("checked in {} ms", seen.elapsed().as_millis()),
        };
        let Some(loaded) = self.report(loaded, &took, terminal)? else { return Ok(()) };
        match agents(&self.agents) {
            Ok(agents) => self.plan.agents = agents,
            Err(error) => return tell_agent(error, terminal),
        }
        let Some(good) = self.good.take() else {
            self.good = Some(loaded);
            return Ok(());
        };
        if self.plan.games == Some(0) {
            self.good = Some(loaded);
            return Ok(());
        }
        let (later, quick): (Vec<_>, Vec<_>) = self.plan.agents.iter().cloned().partition(AgentKind::trains);
        let found = self.compare(&good, &loaded, quick);
        match found {
            Ok(found) => {
                let aborted = tell_moved(&found, &good, &loaded, terminal)?;
                let both = [&good, &loaded];
                let can = || both.into_iter().all(|of| can_learn(&of.game).is_ok());
                if !later.is_empty() && !found.same_rules && !aborted && can() {
                    let line = terminal.paint.quiet(
                        "Now players are trained for both versions, in the background, until the next save.",
                    );
                    writeln!(terminal.out, "{line}")?;
                    let plan = ComparePlan { agents: later, ..self.plan.clone() };
                    self.learners = Some(Learners::new(&good, &loaded, &plan, found));
                }
                self.good = Some(if aborted { good } else { loaded });
            }
            // Saved again: compare the newest version with the last good one.
            Err(SimulateError::Stopped) => self.good = Some(good),
            Err(error) => {
                match error {
                    SimulateError::Agent(error) => tell_agent(error, terminal)?,
                    error => terminal.fault(&error.to_string())?,
                }
                self.good = Some(loaded);
            }
        }
        terminal.out.flush()?;
        Ok(())
    }

    /// Reports the result of the learning agents once it is available.
    fn hear(&mut self, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
        let Some(learners) = &mut self.learners else { return Ok(()) };
        match learners.found.try_recv() {
            Err(TryRecvError::Empty) => return Ok(()),
            Err(TryRecvError::Disconnected) => {
                terminal.fault(
                    "the training in the background failed: an error of the program, which you can report",
                )?;
            }
            Ok(Err(error)) => terminal.fault(&error.to_string())?,
            Ok(Ok(found)) => {
                for agent in &found.agents {
                    let trained = counted(agent.trainings.unwrap_or(0), "training");
                    let line = format!(
                        "By {} players, {trained} for each version, {} of each:",
                        agent.agent,
                        counted(agent.games, "game")
                    );
                    writeln!(terminal.out, "{}", terminal.paint.quiet(&line))?;
                }
                for line in comparison::brief(&found) {
                    writeln!(terminal.out, "{line}")?;
                }
                learners.quick.extend(found);
                for line in comparison::dependences(&learners.quick) {
                    writeln!(terminal.out, "Depends on how well the game is played: {line}")?;
                }
            }
        }
        terminal.out.flush()?;
        self.learners = None;
        Ok(())
    }

    fn compare(
        &self,
        good: &Loaded,
        loaded: &Loaded,
        agents: Vec<AgentKind>,
    ) -> Result<Comparison, SimulateError> {
        let paths = self.files.paths();
        let looked = Mutex::new((Instant::now(), WatchedFiles::new(paths)));
        let progress = |_: u64, _: u64| {
            let Ok(mut looked) = looked.try_lock() else { return true };
            if looked.0.elapsed() < SELDOM {
                return true;
            }
            looked.0 = Instant::now();
            !looked.1.changed()
        };
        let plan = ComparePlan { agents, ..self.plan.clone() };
        compare(&good.game, &loaded.game, &plan, &progress)
    }

    /// Reports the errors and warnings, and returns the game if there are no errors.
    fn report(
        &self,
        loaded: Result<Loaded, LoadError>,
        took: &str,
        terminal: &mut Terminal<'_>,
    ) -> Result<Option<Loaded>, CliError> {
        let (mut mistakes, mut warnings) = (0, 0);
        let mut count = |diagnostics: &[houserule_language::diagnostic::Diagnostic]| {
            mistakes = diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
            warnings = diagnostics.len() - mistakes;
        };
        let loaded = match loaded {
            Ok(loaded) => {
                count(&loaded.warnings);
                terminal.diagnostics(&loaded.warnings, &loaded.sources)?;
                Some(loaded)
            }
            Err(LoadError::Rules { diagnostics, sources, .. }) => {
                count(&diagnostics);
                terminal.diagnostics(&diagnostics, &sources)?;
                None
            }
            Err(LoadError::Compile(message)) => {
                mistakes = 1;
                terminal.fault(&message)?;
                None
            }
            Err(LoadError::Request(messages)) => {
                mistakes = messages.len();
                messages.iter().try_for_each(|message| terminal.fault(message))?;
                None
            }
        };
        terminal.err.flush()?;
        let verdict = terminal.verdict(if loaded.is_some() { 0 } else { mistakes.max(1) }, warnings);
        writeln!(terminal.out, "{}: {verdict}, {took}", self.name)?;
        terminal.out.flush()?;
        Ok(loaded)
    }
}

fn tell_agent(error: AgentError, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    match error {
        AgentError::Script(fault) => terminal.diagnostics(&fault.diagnostics, &fault.sources)?,
        error => terminal.fault(&error.to_string())?,
    }
    Ok(())
}

/// Reports the changes since the last good version. Returns `true` if an error ended games of the new version.
fn tell_moved(
    found: &Comparison,
    good: &Loaded,
    loaded: &Loaded,
    terminal: &mut Terminal<'_>,
) -> Result<bool, CliError> {
    let [_, aborted] = &found.first_aborted;
    if let Some((_, first)) = aborted {
        let games: u64 = found.agents.iter().map(|agent| agent.aborted_b).sum();
        let of: u64 = found.agents.iter().map(|agent| agent.games + agent.aborted).sum();
        let note = format!("this error ended {} of {} games", grouped(games), grouped(of));
        let sources = first.error.sources(&loaded.sources);
        terminal.diagnostics(&[first.error.diagnostic_in(&loaded.game, None).note(note)], &sources)?;
    }
    if good.game.players() != loaded.game.players() {
        writeln!(
            terminal.out,
            "The number of players is now {}, not {}.",
            loaded.game.players(),
            good.game.players()
        )?;
    }
    if found.same_rules || !found.agents.is_empty() {
        for line in comparison::brief(found) {
            writeln!(terminal.out, "{line}")?;
        }
    }
    if !found.same_rules && !found.agents.is_empty() {
        let games = found.agents.iter().map(|agent| agent.games).max().unwrap_or(0);
        let line = format!(
            "Against the last good version: {} of each in {:.2} s.",
            counted(games, "game"),
            found.seconds
        );
        writeln!(terminal.out, "{}", terminal.paint.quiet(&line))?;
    }
    Ok(aborted.is_some())
}
