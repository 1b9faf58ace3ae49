//! `houserule report`: what the rules do to a game, on one page.

use clap::Args;
use serde::Serialize;

use super::budget::{BudgetBar, BudgetFlags};
use super::page_file::{PageFile, PageForm};
use super::run_flags::RunFlags;
use super::{budget, names, setting, wanted_count};
use crate::terminal::{CliError, Terminal, on_ctrl_c};
use houserule_base::interrupt::Interrupt;
use houserule_game::Game;
use houserule_lab::analysis::{
    AnalysisPlan, AnalysisProgress, GameReport, Pace, ReportSection, analyse, by_players, two_games,
};
use houserule_lab::study::{BudgetedStudy, StudyEnd};
use houserule_language::variants::Setting;
use houserule_loader::Loaded;
use houserule_page::report::head::GameGlance;
use houserule_page::report::html::{GlancedReport, html};
use houserule_page::report::page;
use houserule_players::agents::{AgentKind, LearnError};
use houserule_players::learned::can_learn;
use houserule_playtest::{Precision, RunBudget, VERSION};

#[derive(Debug, Args)]
#[command(mut_arg("seed", |seed| seed.help("Random seed; the same seed gives the same report")))]
#[command(mut_arg("count", |games| games.help(
    "Number of games of the strong player [default: as many as three minutes allow, or ten seconds with `--quick`]"
)))]
#[command(after_help = "Examples:\n  \
    houserule report dilido\n  \
    houserule report dice-wide-shut --players 2..5 -o report.html\n  \
    houserule report dilido dilido + torus\n  \
    houserule report mine.rules --quick\n  \
    houserule report mine.rules --for 10m -o report.html\n  \
    houserule report mine.rules --precision score=0.5 --precision drama=0.01")]
pub(super) struct ReportArgs {
    /// The game: a bundled one or a rule file, with variants after `+` (`dilido + torus`). With a second game, both side
    /// by side
    #[arg(required = true, value_name = "GAME")]
    game: Vec<String>,
    /// Set a param of the rules: `--set size=8`, `--set line_points.4=5`; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Number of players, or several numbers side by side: `3`, `2..5`, `2,4` [default: the fewest the rules allow]
    #[arg(long, value_name = "N")]
    players: Option<String>,
    #[command(flatten)]
    file: PageFile,
    #[command(flatten)]
    budget: BudgetFlags,
    /// The strong player, named as for `simulate` [default: learned]
    #[arg(long, value_name = "A")]
    agent: Option<String>,
    /// At most 10 seconds, with the best player that can be had so soon
    #[arg(long, conflicts_with = "precision")]
    quick: bool,
    #[command(flatten)]
    run: RunFlags,
    /// Seconds that a person takes for a decision among several actions
    #[arg(long, value_name = "S", default_value_t = Pace::default().decision, allow_negative_numbers = true)]
    decision_seconds: f64,
    /// Seconds for a roll or another chance event
    #[arg(long, value_name = "S", default_value_t = Pace::default().roll, allow_negative_numbers = true)]
    roll_seconds: f64,
    /// Seconds for counting the score at the end
    #[arg(long, value_name = "S", default_value_t = Pace::default().counting, allow_negative_numbers = true)]
    counting_seconds: f64,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &ReportArgs, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let file = args.file.target("a report", &[PageForm::Html, PageForm::Markdown, PageForm::Json])?;
    let pace =
        Pace { decision: args.decision_seconds, roll: args.roll_seconds, counting: args.counting_seconds };
    if [pace.decision, pace.roll, pace.counting].iter().any(|seconds| !seconds.is_finite() || *seconds < 0.0)
    {
        return Err(CliError::Command("seconds must be 0 or more".to_owned()));
    }
    let mut plan = AnalysisPlan {
        seed: args.run.seed,
        threads: args.run.threads()?,
        games: args.budget.games()?,
        budget: args.budget.budget(),
        agent: args.agent.as_deref().map(AgentKind::parse).transpose()?,
        quick: args.quick,
        most_seconds: None,
        pages: 1,
        pace,
    };
    let all = args.loaded(terminal)?;
    plan.pages = all.len().max(1) as u64;
    plan.most_seconds = plan.usual_seconds();
    for seconds in plan.budget.seconds.iter_mut().chain(&mut plan.most_seconds) {
        *seconds /= plan.pages as f64;
    }
    let stop = on_ctrl_c(terminal);
    let mut pages: Vec<GameReport> = vec![];
    for loaded in &all {
        if let Some(kind) = &plan.agent
            && let Some(warning) = kind.warning(&loaded.game)
        {
            terminal.note(&warning)?;
        }
        pages.push(one(&loaded.game, &plan, &stop, all.len(), terminal)?);
        if stop.is_set() {
            break;
        }
    }
    let pages: Vec<&GameReport> = pages.iter().collect();
    let beside = match pages.as_slice() {
        [_] => vec![],
        [a, b] if a.game != b.game || a.params != b.params => vec![two_games(a, b)],
        many => vec![by_players(many)],
    };
    match &file {
        Some(file) => {
            let text = match file.form {
                PageForm::Html => {
                    let glances: Vec<GameGlance> = all
                        .iter()
                        .take(pages.len())
                        .map(|loaded| GameGlance::find(&loaded.game, args.run.seed))
                        .collect();
                    let glanced = pages.iter().zip(&glances);
                    let glanced = glanced.map(|(page, glance)| GlancedReport { page, glance: Some(glance) });
                    html(&title(&pages), &beside, &glanced.collect::<Vec<_>>())
                }
                PageForm::Markdown => page::document(&beside, &pages),
                PageForm::Json => json(&beside, &pages)?,
            };
            file.write(&text)?;
            for page in &pages {
                let answer = page.sections.first().map(|section| section.answer.as_str()).unwrap_or_default();
                writeln!(terminal.out, "{}: {answer}", page::heading(page))?;
            }
            terminal.note(&format!("The report is in {}.", file.path.display()))?;
        }
        None if args.json => write!(terminal.out, "{}", json(&beside, &pages)?)?,
        None => {
            for page in &pages {
                write!(terminal.out, "{}", page::text(page, terminal.paint))?;
            }
            write!(terminal.out, "{}", page::sections(&beside, terminal.paint))?;
        }
    }
    match pages.iter().any(|page| page.interrupted) {
        true if stop.is_set() => return Err(CliError::Interrupted),
        true => {
            terminal.note("The time was over before all was played: what is missing needs more of it.")?
        }
        false => {
            for page in pages.iter().filter(|_| !args.quick) {
                report_end(page, &plan.budget, terminal)?;
            }
        }
    }
    Ok(())
}

/// Says how many games a page took to use up its budget, and of what it has no precision.
fn report_end(page: &GameReport, budget: &RunBudget, terminal: &mut Terminal<'_>) -> Result<(), CliError> {
    let Some(strongest) = page.agents.first() else { return Ok(()) };
    for Precision { metric, .. } in &budget.precision {
        if page.half_width(metric).is_none() {
            let strongest = &strongest.agent;
            terminal.note(&format!(
                "The report has no interval of `{metric}` for {strongest}: it has no precision."
            ))?;
        }
    }
    let end = match !budget.precision.is_empty() && page.lacking(&budget.precision).is_none() {
        true => StudyEnd::Reached,
        false => StudyEnd::UsedUp,
    };
    let games = strongest.games + strongest.aborted;
    budget::report_end(&BudgetedStudy { found: (), games, end }, budget, terminal)
}

/// Makes the report of a game, and shows its first figures as soon as random and greedy players have played.
fn one(
    game: &Game,
    plan: &AnalysisPlan,
    stop: &Interrupt,
    of: usize,
    terminal: &mut Terminal<'_>,
) -> Result<GameReport, CliError> {
    let bar = BudgetBar::new(terminal, "", plan.seconds(), &plan.budget);
    let told = |progress: AnalysisProgress| bar.show_share(progress.share);
    let mut noted = Ok(());
    let next = || match plan.quick {
        // Nobody has anything to decide.
        _ if can_learn(game) == Err(LearnError::NoDecisions) => "More figures follow",
        true => "A better player is looked for next",
        false => "A strong player is trained next",
    };
    // What is soon over has nothing to tell before its end.
    let is_silent = terminal.quiet || plan.quick && plan.seconds().is_none();
    let mut first = |page: &GameReport| {
        if is_silent {
            return;
        }
        let answer = page.sections.first().map(|section| section.answer.clone()).unwrap_or_default();
        let name =
            if of > 1 { format!("{}, {}: ", page::heading(page), players(page)) } else { String::new() };
        bar.without(|| {
            noted = terminal.note(&format!("{name}{answer} {}; Ctrl-C stops with these figures.", next()));
        });
    };
    let found = analyse(game, plan, &told, &mut first, stop);
    bar.wipe();
    noted?;
    Ok(found?)
}

/// The number of players in words.
fn players(page: &GameReport) -> String {
    houserule_base::numbers::counted(page.players, "player")
}

/// The title of a document of several reports.
fn title(pages: &[&GameReport]) -> String {
    let mut names: Vec<String> = pages.iter().map(|page| page::heading(page)).collect();
    names.dedup();
    names.join(" and ")
}

/// The JSON of reports.
#[derive(Serialize)]
struct Document<'p> {
    version: u32,
    /// What stands side by side.
    beside: &'p [ReportSection],
    pages: &'p [&'p GameReport],
}

fn json(beside: &[ReportSection], pages: &[&GameReport]) -> Result<String, CliError> {
    let text = serde_json::to_string_pretty(&Document { version: VERSION, beside, pages });
    text.map(|text| text + "\n").map_err(|error| CliError::Rules(error.to_string()))
}

impl ReportArgs {
    /// Loads the games: one, two, or one for each number of players.
    fn loaded(&self, terminal: &mut Terminal<'_>) -> Result<Vec<Loaded>, CliError> {
        let settings: Vec<Setting> = self.set.iter().map(|text| setting(text)).collect::<Result<_, _>>()?;
        let counts = self.players.as_deref().map(counts).transpose()?.unwrap_or_default();
        match (names(&self.game).as_slice(), counts.as_slice()) {
            ([one], []) => Ok(vec![terminal.load(one, &settings, None)?]),
            ([one], many) => {
                many.iter().map(|players| terminal.load(one, &settings, Some(*players))).collect()
            }
            ([a, b], [] | [_]) => {
                let players = counts.first().copied();
                Ok(vec![terminal.load(a, &settings, players)?, terminal.load(b, &settings, players)?])
            }
            ([_, _], _) => Err(CliError::Command(
                "two games can be compared with one number of players: write `--players N`".to_owned(),
            )),
            (many, _) => Err(CliError::Command(format!(
                "a report is of one game, or of two side by side, not {}; to add variants to a game, join them with `+`",
                many.len()
            ))),
        }
    }
}

/// Reads numbers of players: `3`, `2..5`, `2,4`.
fn counts(text: &str) -> Result<Vec<u32>, CliError> {
    let wrong = || {
        let why = wanted_count(text, "--agent");
        let why = why.unwrap_or_else(|| "write a number, a range or a list: `3`, `2..5`, `2,4`".to_owned());
        CliError::Command(format!("`--players {text}`: {why}"))
    };
    let number =
        |text: &str| text.trim().parse::<u32>().ok().filter(|n| (1..=16).contains(n)).ok_or_else(wrong);
    let mut all = vec![];
    for part in text.split(',') {
        match part.split_once("..") {
            Some((from, to)) => all.extend(number(from)?..=number(to.trim_start_matches('='))?),
            None => all.push(number(part)?),
        }
    }
    all.dedup();
    if all.is_empty() { Err(wrong()) } else { Ok(all) }
}
