//! Coverage of rules by random games, for `houserule check`: options never taken; steps, `otherwise`s and
//! branches never entered; pieces that are covered or fall off the board without the rules saying so. Where there are matches,
//! their later games count as well.

mod later;
mod probes;

use std::collections::BTreeSet;

use houserule_base::clock::ThreadClock;
use houserule_base::interrupt::{self, Interrupt};
use houserule_base::numbers::grouped;
use houserule_game::random_games::{Finished, UsageCounts, play_random};
use houserule_game::{Game, RuntimeError, RuntimeErrorKind};
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_model::{ChoiceId, CountedUses, Model, Players, StepId};
use houserule_players::agents::AgentKind;

use houserule_playtest::{SimulationPlan, play_again};
use later::LaterGames;
use probes::{OtherwiseBlock, Probe, Probed, What, find_otherwise_blocks};

/// Maximum number of games between two calls of `progress`.
const AT_ONCE: u64 = 16;

/// For each this many games, one is played by random players who also take deliberate options.
const BOLD: u64 = 4;

/// For each this many games, one is played in a match, if the rules have matches.
const IN_MATCHES: u64 = 4;

/// Share of the time that single games may take if the rules have matches.
const SINGLE_SHARE: f64 = 0.7;

/// Maximum length of a game with deliberate options, in decisions: players may offer trades for ever.
const LONGEST_BOLD: u64 = 2_000;

/// Minimum number of games, because an error in play may be rare.
const RARE: u64 = 30;

/// Minimum number of games if pieces could be covered or fall off the board.
const SLIPS: u64 = 200;

/// Maximum time for each 1,000 games to play, in seconds; for fewer games it is as much.
const SECONDS: f64 = 30.0;

/// Findings of random games of some rules.
#[derive(Clone, Debug, Default)]
pub struct Tried {
    /// An error that ended a game, or warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// Number of games played.
    pub games: u64,
    /// Number of decisions in the games that came to an end.
    pub decisions: u64,
    /// CPU time of all games, in seconds.
    pub seconds: f64,
    /// `true` if the time was over before all games were played.
    pub cut_short: bool,
    /// What was not reached. Unless the time was over, there are warnings of it.
    pub unreached: Vec<Unreached>,
    /// The rules that did something in games of matches after the first one, such as "option `sell`".
    pub in_later_games: BTreeSet<String>,
}

/// A part of the rules that no game reached before playing stopped early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreached {
    /// What it is: "option `sell`", "a branch".
    pub what: String,
    /// Its place in the rules.
    pub span: Span,
}

/// The time that [`try_rules`] has for this many games, in seconds: 30 for each 1,000, and for fewer as much.
pub fn seconds(games: u64) -> f64 {
    SECONDS * (games as f64 / 1000.0).max(1.0)
}

/// Plays up to `games` random games, at least a few and until everything has been reached, and warns of what has not. Where
/// the rules have matches, it plays at least one of these, too, and some while there is more to reach.
/// Stops early after their [time](seconds), however long a game is: most long games are still fast to play.
/// `progress` gets the number of games played.
pub fn try_rules(game: &Game, games: u64, progress: &dyn Fn(u64)) -> Tried {
    try_rules_within(game, games, seconds(games), progress)
}

/// Plays random games like [`try_rules`], and stops after this many seconds. The games of the last batch then don't count.
pub fn try_rules_within(game: &Game, games: u64, seconds: f64, progress: &dyn Fn(u64)) -> Tried {
    let (whole_clock, time) = (Interrupt::new().within(seconds), ThreadClock::start());
    let has_matches = game.model().match_rules.is_some();
    let clock = if has_matches { whole_clock.within(SINGLE_SHARE * seconds) } else { whole_clock.clone() };
    let mut tried = Tried::default();
    let blocks = find_otherwise_blocks(game);
    // Without the counters, games still show which options, steps and `otherwise`s are reached.
    let (game, mut probes) = match Probed::new(game) {
        Some(probed) => (probed.game, probed.probes),
        None => (game.clone(), vec![]),
    };
    let bold = take_deliberate(&game);
    let (mut counts, mut part) = (UsageCounts::default(), 1);
    let mut failed: Option<(u64, RuntimeError)> = None;
    let options = OptionList::new(game.model());
    let slips = probes.iter().any(|probe| probe.what.is_slip());
    let least = if slips { SLIPS } else { RARE };
    let is_whole = |counts: &UsageCounts, probes: &[Probe]| {
        (0..game.model().steps.len()).all(|step| !zero(&counts.steps, step))
            && options.all.iter().all(|option| !zero(&counts.options, option.counted))
            && blocks.iter().all(|block| !zero(&counts.otherwise, block.counted))
            && probes.iter().all(|probe| probe.what.is_slip() || probe.count > 0)
    };
    while tried.games < games {
        let until = (tried.games + part).min(games);
        let first = tried.games;
        let played = clock.scope(|| {
            let mut finished = |game: Finished<'_>| {
                tried.decisions += game.counters.decisions;
                Probed::add(probes.iter_mut(), &game);
            };
            let mut fails = |index, error| {
                failed.get_or_insert((index, error));
            };
            for from in (first..until).step_by(AT_ONCE as usize) {
                let to = (from + AT_ONCE).min(until);
                play_random(&game, 0, from..to, &mut counts, &mut finished, &mut fails);
                tried.games = to;
                progress(to);
                // One game may be so short that no pause of it looks at the time.
                if clock.is_set() {
                    break;
                }
            }
        });
        if let Some((index, error)) = failed.take() {
            let note =
                format!("it ends game {index} of seed 0 with random players; `simulate` shows the state");
            tried.diagnostics = vec![located(&game, index, &error, false).note(note)];
            return tried;
        }
        tried.seconds = time.seconds();
        // A flag of the caller is passed on.
        interrupt::check();
        let mut in_time = played.is_ok() && !clock.is_set();
        if let (Some(bold), true) = (&bold, in_time) {
            // Their games may be long, and only what they reach counts.
            let mut finished = |game: Finished<'_>| {
                Probed::add(probes.iter_mut().filter(|probe| !probe.what.is_slip()), &game);
            };
            let mut fails = |index, error: RuntimeError| {
                if !matches!(error.kind, RuntimeErrorKind::Limit { .. }) {
                    failed.get_or_insert((index, error));
                }
            };
            let games = first.div_ceil(BOLD)..until.div_ceil(BOLD);
            let played = clock.scope(|| play_random(bold, 0, games, &mut counts, &mut finished, &mut fails));
            interrupt::check();
            in_time = played.is_ok();
            if let Some((index, error)) = failed.take() {
                let note = format!(
                    "it ends game {index} of seed 0 with random players who also take `deliberate` options"
                );
                tried.diagnostics = vec![located(bold, index, &error, false).note(note)];
                return tried;
            }
        }
        if is_whole(&counts, &probes) && until >= least.min(games) {
            break;
        }
        if !in_time {
            tried.cut_short = tried.games < games;
            break;
        }
        part *= 2;
    }
    let mut later = LaterGames::default();
    if has_matches && tried.games > 0 {
        let wanted = tried.games.div_ceil(IN_MATCHES);
        let played = whole_clock.scope(|| {
            loop {
                let mut finished = |done: &Finished<'_>, used: &UsageCounts| {
                    counts.add(used);
                    // Slips are counted by single games.
                    Probed::add(probes.iter_mut().filter(|probe| !probe.what.is_slip()), done);
                };
                let wrong = later.play_match(&game, wanted, &mut finished);
                if wrong.is_some() || later.games >= wanted || is_whole(&counts, &probes) {
                    break wrong;
                }
            }
        });
        interrupt::check();
        if let Ok(Some((index, error))) = played {
            let note = format!(
                "it ends game {index} of seed 0 in a match of random players; `simulate --match` shows the state"
            );
            tried.diagnostics = vec![located(&game, index, &error, true).note(note)];
            return tried;
        }
        tried.in_later_games = later.rules(game.model());
    }
    let in_games = in_games(game.model(), tried.games, later.games);
    let never = never_reached(game.model(), &counts, &options, &blocks, &probes, &in_games);
    if tried.games > 0 || tried.cut_short {
        let kept = never.iter().filter(|warning| !game.model().allows(warning));
        tried.unreached =
            kept.map(|warning| Unreached { what: subject(warning), span: warning.primary.span }).collect();
    }
    if tried.games > 0 && !tried.cut_short {
        tried.diagnostics = never;
    }
    tried.diagnostics.extend(probes.iter().filter_map(|probe| slip(probe, tried.games)));
    tried.diagnostics.retain(|warning| !game.model().allows(warning));
    tried
}

/// Returns a game in which random players also take deliberate options. Returns `None` if it has none.
fn take_deliberate(game: &Game) -> Option<Game> {
    let mut model = game.model().clone();
    let mut options = model.choices.iter_mut().flat_map(|choice| &mut choice.options);
    let deliberate = options.by_ref().filter(|option| option.deliberate);
    let found = deliberate.map(|option| option.deliberate = false).count();
    if found == 0 {
        return None;
    }
    model.limit = model.limit.min(LONGEST_BOLD);
    Game::with_sheet(model, game.identity().clone(), game.sheet().clone()).ok()
}

/// Returns the message about an error that ended a random game, or one of a match.
fn located(game: &Game, index: u64, error: &RuntimeError, match_play: bool) -> Diagnostic {
    let agents = vec![AgentKind::Random];
    let plan = SimulationPlan { games: 1, first: index, seed: 0, threads: 1, agents, match_play };
    let stopped = play_again(game, &plan, index);
    error.diagnostic_in(game, stopped.as_ref().map(|stopped| &stopped.state))
}

/// What a warning of [`never_reached`] is about.
fn subject(warning: &Diagnostic) -> String {
    match warning.code {
        Code::StepNeverEntered | Code::OptionNeverTaken => {
            warning.message.split(" was ").next().unwrap_or_default().to_owned()
        }
        _ => "a branch".to_owned(),
    }
}

fn zero(counts: &[u64], at: usize) -> bool {
    counts.get(at).is_none_or(|count| *count == 0)
}

/// The options that random players may take.
struct OptionList<'a> {
    all: Vec<OptionAt<'a>>,
}

struct OptionAt<'a> {
    choice: ChoiceId,
    /// Index of its count.
    counted: usize,
    name: &'a str,
    span: Span,
    step: Option<StepId>,
}

impl<'a> OptionList<'a> {
    fn new(model: &'a Model) -> OptionList<'a> {
        let counted = &CountedUses::new(model);
        let all = model.choices.iter().enumerate().flat_map(|(at, choice)| {
            // Random players never take deliberate options, so these can't be checked.
            let own = choice.options.iter().enumerate().filter(|(_, option)| !option.deliberate);
            own.map(move |(number, option)| OptionAt {
                choice: ChoiceId(at as u32),
                counted: counted.index_of_option(ChoiceId(at as u32), number) as usize,
                name: &option.name,
                span: option.span,
                step: choice.step,
            })
        });
        OptionList { all: all.collect() }
    }
}

/// Says in how many games something never happened, of which some were games of matches.
fn in_games(model: &Model, games: u64, of_matches: u64) -> String {
    let Players { count, least, most, .. } = &model.players;
    let mut told = format!("in {} random games", grouped(i128::from(games)));
    if of_matches > 0 {
        told += &format!(" and {} games of matches", grouped(i128::from(of_matches)));
    }
    if least < most {
        told += &format!(" of {count} players (`--players` asks for another number)");
    }
    told
}

fn never_reached(
    model: &Model,
    counts: &UsageCounts,
    options: &OptionList<'_>,
    blocks: &[OtherwiseBlock],
    probes: &[Probe],
    in_games: &str,
) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for (step, declared) in model.steps.iter().enumerate().filter(|(step, _)| zero(&counts.steps, *step)) {
        // A step may occur in several places; one of them is enough.
        let elsewhere = model.steps.iter().zip(&counts.steps);
        if elsewhere.filter(|(other, _)| other.span == declared.span).any(|(_, count)| *count > 0) {
            continue;
        }
        let message = format!("step `{}` was entered by nobody {in_games}", model.steps[step].name);
        found.push(Diagnostic::warning(Code::StepNeverEntered, declared.span, message).help(mend(
            model,
            declared.span,
            "check the conditions around it",
            || format!("without step {}", declared.name),
        )));
    }
    let left_out = |step: Option<StepId>| step.is_some_and(|step| zero(&counts.steps, step.index()));
    for OptionAt { choice, counted, name, span, step } in &options.all {
        if left_out(*step) || !zero(&counts.options, *counted) {
            continue;
        }
        let mut elsewhere = options.all.iter().filter(|other| other.span == *span);
        if elsewhere.any(|other| !zero(&counts.options, other.counted)) {
            continue;
        }
        let message = format!("option `{name}` was taken by nobody {in_games}");
        found.push(Diagnostic::warning(Code::OptionNeverTaken, *span, message).help(mend(
            model,
            *span,
            "check the conditions under which it can be chosen",
            || {
                let is_other = |other: &OptionAt<'_>| other.name == *name && other.span != *span;
                match options.all.iter().any(is_other) {
                    true => format!("extend {} {{ without {name} }}", model.choices[choice.index()].name),
                    false => format!("without option {name}"),
                }
            },
        )));
    }
    for block in blocks.iter().filter(|block| zero(&counts.otherwise, block.counted)) {
        // If the choice itself was never reached, the warning belongs to an earlier place.
        let mut own = options.all.iter().filter(|option| block.choices.contains(&option.choice));
        if !own.any(|option| !zero(&counts.options, option.counted)) {
            continue;
        }
        let choice = block.choices.first().map_or("", |choice| model.choices[choice.index()].name.as_str());
        let message = format!("this `otherwise` was entered by nobody {in_games}");
        found.push(
            Diagnostic::warning(Code::OtherwiseNeverEntered, block.span, message)
                .label("something was always possible")
                .help(mend(model, block.span, "check the conditions of the options", || {
                    format!("without otherwise {choice}").trim_end().to_owned()
                })),
        );
    }
    found.extend(one_sided(model, probes, in_games));
    found.dedup_by_key(|diagnostic| diagnostic.primary.span);
    found
}

/// How to mend what nobody reaches: by `check`, or by leaving it out, in a variant by an edit.
fn mend(model: &Model, place: Span, check: &str, edit: impl FnOnce() -> String) -> String {
    match model.is_of_base(place) {
        true => format!("{check}, or write `{}` in the variant", edit()),
        false => format!("{check}, or take it out"),
    }
}

/// Returns a warning for each branch of an `if … else` that was never entered while the other was.
fn one_sided(model: &Model, probes: &[Probe], in_games: &str) -> Vec<Diagnostic> {
    let pairs = probes.iter().filter_map(|second| {
        let partner = second.partner?;
        let first = probes.iter().find(|probe| probe.what == What::Then && probe.span == partner)?;
        Some((first, second))
    });
    let warned = pairs.filter_map(|(first, second)| {
        let (probe, branch, always) = match (first.count, second.count) {
            (0, 1..) => (first, "the first branch of this `if`", "its condition never held"),
            (1.., 0) => (second, "this `else`", "the condition of its `if` always held"),
            _ => return None,
        };
        let message = format!("{branch} was entered by nobody {in_games}");
        let help = match model.is_of_base(probe.span) {
            true => "check what the variant changes of the condition; to leave the branch out, write its step or its procedure anew in the variant",
            false => "check the condition, or take the branch out",
        };
        Some(Diagnostic::warning(Code::BranchNeverEntered, probe.span, message).label(always).help(help))
    });
    warned.collect()
}

/// Returns the warning about pieces that were covered or fell off the board.
fn slip(probe: &Probe, games: u64) -> Option<Diagnostic> {
    if probe.count == 0 {
        return None;
    }
    let (code, what, help) = match probe.what {
        What::PutCovers => (
            Code::Covers,
            "this `put` covered another piece",
            "write `replacing` after it if that is meant; else put it on sites that are empty: `… & empty`",
        ),
        What::MoveCovers => (
            Code::Covers,
            "this `move` covered a piece",
            "write `replacing` after it if that is meant; else move to sites that are empty",
        ),
        What::PutFalls => (
            Code::Falls,
            "this `put` named a site off the board, where nothing is put",
            "test first: `let there = …  if there is some { put … at there }`; or name a set: `{…}`",
        ),
        What::MoveFalls => (
            Code::Falls,
            "this `move` went off the board, where nothing moves",
            "test first: `let there = …  if there is some { move … to there }`",
        ),
        What::ScriptCovers => (
            Code::Covers,
            "the script put a piece where another stood",
            "call `g.clear(…)` first if that is meant; else ask whether the site is in `g.empty`",
        ),
        What::ScriptFalls => {
            (Code::Falls, "the script put a piece on no site", "test first: `if c != none { g.put(…) }`")
        }
        What::Then | What::Else => return None,
    };
    let all = grouped(i128::from(games));
    let in_games = match (probe.games, games) {
        (1, 1) => "in the one random game".to_owned(),
        (some, _) => format!("in {} of {all} random games", grouped(i128::from(some))),
    };
    let mean = probe.count as f64 / games as f64;
    let often = if mean >= 0.1 { format!(", {mean:.1} times a game") } else { String::new() };
    Some(Diagnostic::warning(code, probe.span, format!("{in_games} {what}{often}")).help(help))
}
