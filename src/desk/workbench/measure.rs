//! Long work: games of one or two sets of rules, profiles, reports, and the training of agents. A run does it chunk by
//! chunk, on a thread of the host.

use std::sync::{Mutex, PoisonError};

use super::agent_files::AgentFiles;
use super::rules::{RuleTexts, RulesProfile};
use super::{Ask, AskedValues, BinCounts, QuantityTold, Tell};
use houserule_base::interrupt::Interrupt;
use houserule_base::statistics::Histogram;
use houserule_game::Game;
use houserule_lab::analysis::{AnalysisPlan, AnalysisProgress, Pace, analyse};
use houserule_page::report::comparison::{dependences, describe};
use houserule_page::report::page_html;
use houserule_players::agents::{AgentError, AgentKind};
use houserule_players::learned::TrainingObserver;
use houserule_playtest::{ComparePlan, Comparison, GamesRun, RunBudget, RunFigure, answer_seconds};

/// Most games with each agent.
const MOST_GAMES: u64 = 1_000_000;

/// Most agents of a run.
const MOST_AGENTS: usize = 4;

/// Most bins of a picture.
const MOST_BINS: i64 = 40;

/// Parts of a report, or of training, in its progress.
const PARTS: u64 = 100;

/// Long work, with the rules it began with.
pub struct Run {
    id: u64,
    work: RunWork,
    report: Option<String>,
}

enum RunWork {
    Games(Box<GamesRun>, [String; 2]),
    Profile(Box<RulesProfile>),
    Report(Game),
    Training(Game, AgentKind),
    Over,
}

impl Run {
    /// Prepares what is asked for. Returns `None` for another ask.
    pub(super) fn begin(
        ask: &Ask,
        rules: &RuleTexts,
        files: &AgentFiles,
    ) -> Option<(u64, Result<Run, String>)> {
        match ask {
            Ask::Measure { id, .. } => {
                Some((*id, games(ask, rules, files).map(|work| Run { id: *id, work, report: None })))
            }
            Ask::Profile { id, .. } => {
                let work = rules.begin_profile(ask).map(|work| RunWork::Profile(Box::new(work)));
                Some((*id, work.map(|work| Run { id: *id, work, report: None })))
            }
            Ask::Report { id, path, set } => {
                let work = rules.game(path, set, None).map(RunWork::Report);
                Some((*id, work.map(|work| Run { id: *id, work, report: None })))
            }
            _ => None,
        }
    }

    /// Prepares the training of an agent for a game. Once it is done, the agent takes its seat without it.
    pub(super) fn training(id: u64, game: &Game, kind: AgentKind) -> Run {
        Run { id, work: RunWork::Training(game.clone(), kind), report: None }
    }

    /// The number of the request.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// Returns `true` if the next chunk takes many seconds: a report, or the training of a player.
    pub fn is_long(&self) -> bool {
        match &self.work {
            RunWork::Games(games, _) => games.trains_next(),
            RunWork::Report(_) | RunWork::Training(..) => true,
            RunWork::Profile(_) | RunWork::Over => false,
        }
    }

    /// Does the next chunk. Returns `true` if there is more. A run that was interrupted is to be dropped.
    pub fn step(&mut self, tell: &mut (dyn FnMut(Tell) + Send)) -> bool {
        let id = self.id;
        match &mut self.work {
            RunWork::Games(games, names) => {
                let trains = games.trains_next();
                let more = match games.step(&mut |share| tell(learning(id, share))) {
                    Ok(more) => more,
                    Err(error) => {
                        tell(Tell::Wrong { id: Some(id), message: error.to_string() });
                        self.work = RunWork::Over;
                        return false;
                    }
                };
                if trains {
                    return more;
                }
                samples(id, games, names).into_iter().for_each(&mut *tell);
                if !more || games.is_before_training() {
                    tell(measured(id, games, names, more));
                }
                if !more {
                    tell(Tell::Done { id, cancelled: false });
                    self.work = RunWork::Over;
                }
                more
            }
            RunWork::Profile(profile) => {
                let more = profile.step();
                tell(profile.progress(id));
                if !more && let RunWork::Profile(profile) = std::mem::replace(&mut self.work, RunWork::Over) {
                    tell(profile.finish(id));
                    tell(Tell::Done { id, cancelled: false });
                }
                more
            }
            RunWork::Report(game) => {
                match report(id, game, tell) {
                    Ok(text) => self.report = Some(text),
                    Err(message) => tell(Tell::Wrong { id: Some(id), message }),
                }
                self.work = RunWork::Over;
                false
            }
            RunWork::Training(game, kind) => {
                let done = trained(id, game, kind, tell);
                tell(match done {
                    Ok(()) => Tell::Done { id, cancelled: false },
                    Err(error) => Tell::Wrong { id: Some(id), message: error.to_string() },
                });
                self.work = RunWork::Over;
                false
            }
            RunWork::Over => false,
        }
    }

    /// Takes the page of a report that is finished. The host tells where it is shown, and that the run is done.
    pub fn take_report(&mut self) -> Option<String> {
        self.report.take()
    }
}

fn games(ask: &Ask, rules: &RuleTexts, files: &AgentFiles) -> Result<RunWork, String> {
    let Ask::Measure { path, set, base, alone, agents, players, games, seed, .. } = ask else {
        return Err("no games are asked for".to_owned());
    };
    let game = rules.game(path, set, *players)?;
    let base = match base {
        _ if *alone => None,
        Some(base) => Some(rules.game(&base.path, &base.set, *players)?),
        // Without a base, values of params differ from the usual ones.
        None => match rules.base_for(&game, *players) {
            None if !set.is_empty() => Some(rules.game(path, &AskedValues::new(), *players)?),
            base => base,
        },
    };
    let mut kinds: Vec<AgentKind> = agents.iter().map(|name| files.agent(name)).collect::<Result<_, _>>()?;
    if kinds.is_empty() {
        kinds.push(AgentKind::Random);
    }
    if kinds.len() > MOST_AGENTS {
        return Err(format!("at most {MOST_AGENTS} agents play at a time"));
    }
    if games.is_some_and(|games| games == 0 || games > MOST_GAMES) {
        return Err(format!("a run has 1 to {MOST_GAMES} games"));
    }
    let plan = ComparePlan {
        games: *games,
        first: 0,
        seeds: [*seed, *seed],
        threads: 1,
        agents: kinds,
        match_play: false,
        keep_partial: false,
    };
    let name = |game: &Game| game.model().title.clone();
    let names = [base.as_ref().map_or_else(String::new, name), name(&game)];
    let run = GamesRun::new(base.as_ref(), &game, plan).map_err(|error| error.to_string())?;
    Ok(RunWork::Games(Box::new(run), names))
}

/// The samples so far, if any quantity is worth a picture.
fn samples(id: u64, run: &GamesRun, names: &[String; 2]) -> Option<Tell> {
    let (samples, figures) = run.samples()?;
    let bins = bins(&samples.histograms, samples.scale);
    let ends = |value: Option<(i64, u64)>| Some(value?.0 as f64 / samples.scale as f64);
    let (first, last) = (bins.first().copied(), bins.last().copied());
    let beyond = [
        samples.histograms.iter().filter_map(|one| ends(one.least())).any(|value| first > Some(value)),
        samples.histograms.iter().filter_map(|one| ends(one.most())).any(|value| last <= Some(value)),
    ];
    let settled = run.settled_before();
    let names = names.iter().skip(2 - samples.histograms.len());
    let sides =
        samples.histograms.iter().zip(&figures).zip(names).map(|((histogram, figure), name)| BinCounts {
            name: name.clone(),
            counts: counts(histogram, samples.scale, &bins),
            mean: figure[0],
            low: figure[1],
            high: figure[2],
        });
    Some(Tell::Samples {
        id,
        games: run.played(),
        of: run.games(),
        about: samples.label.clone(),
        sides: sides.collect(),
        bins,
        beyond,
        quantities: quantities(run, settled.as_ref()),
        players: run.players(),
    })
}

fn quantity(figure: RunFigure, differs: Option<bool>) -> QuantityTold {
    let mean = |side: usize| figure.means.get(side).and_then(|mean| mean[0]);
    let alone = figure.means.first().copied().unwrap_or_default();
    let [difference, low, high] = figure.difference.unwrap_or([None, alone[1], alone[2]]);
    QuantityTold {
        a: mean(0),
        b: mean(1),
        difference,
        low,
        high,
        differs,
        players: figure.agent,
        name: figure.label,
    }
}

/// The quantities so far, with a verdict on those of agents whose games are all played.
fn quantities(run: &GamesRun, settled: Option<&Comparison>) -> Vec<QuantityTold> {
    let differs = |figure: &RunFigure| {
        let agent = settled?.agents.iter().find(|agent| agent.agent == figure.agent)?;
        Some(agent.quantities.iter().find(|quantity| quantity.label == figure.label)?.differs)
    };
    let figures = run.figures().into_iter().map(|figure| {
        let verdict = differs(&figure);
        quantity(figure, verdict)
    });
    figures.collect()
}

/// The result of all games, or of those of agents that aren't trained if there are `more`.
fn measured(id: u64, run: &GamesRun, names: &[String; 2], more: bool) -> Tell {
    let found = run.settled();
    let several = found.as_ref().is_some_and(|found| found.agents.len() > 1);
    let mut sentences = vec![];
    if let Some(found) = &found {
        for agent in &found.agents {
            let who = if several { format!("{}: ", agent.agent) } else { String::new() };
            let told = describe(agent, found, names.each_ref().map(String::as_str));
            sentences.extend(told.into_iter().map(|line| format!("{who}{line}")));
        }
        let depends = dependences(found).into_iter();
        sentences.extend(depends.map(|line| format!("Depends on how well the game is played: {line}")));
        match found.same_rules {
            true => sentences.push("The rules are the same.".to_owned()),
            false => sentences.push(found.note()),
        }
    }
    Tell::Measured {
        id,
        sentences,
        quantities: quantities(run, found.as_ref()),
        players: run.players(),
        games: run.played(),
        more,
    }
}

/// The values that a picture spreads out: all, or without a long tail, whose values are counted in the last bins.
fn spread_out(histograms: &[Histogram]) -> Option<(i64, i64)> {
    let least = histograms.iter().filter_map(Histogram::least).map(|(least, _)| least).min()?;
    let most = histograms.iter().filter_map(Histogram::most).map(|(most, _)| most).max()?;
    let low = histograms.iter().filter_map(|one| one.quantile(1)).min()?;
    let high = histograms.iter().filter_map(|one| one.quantile(99)).max()?;
    // A tail is long if it is longer than half of what lies between the tails.
    let between = high.saturating_sub(low);
    let kept = |end: i64, cut: i64| if end.abs_diff(cut) > between.unsigned_abs() / 2 { cut } else { end };
    Some(if between > 0 { (kept(least, low), kept(most, high)) } else { (least, most) })
}

/// The edges of bins: as wide as a unit, or a round number of units.
fn bins(histograms: &[Histogram], scale: i64) -> Vec<f64> {
    let Some((least, most)) = spread_out(histograms) else { return vec![] };
    let (low, high) = (least.div_euclid(scale), most.div_euclid(scale));
    let widths = (0..18).flat_map(|power| [1, 2, 5].map(|digit| digit * 10i64.pow(power)));
    let fits = |width: &i64| high.div_euclid(*width) - low.div_euclid(*width) < MOST_BINS;
    let width = widths.into_iter().find(fits).unwrap_or(i64::MAX / 4);
    let (first, last) = (low.div_euclid(width), high.div_euclid(width));
    (first..=last + 1).map(|edge| (edge * width) as f64).collect()
}

fn counts(histogram: &Histogram, scale: i64, bins: &[f64]) -> Vec<u64> {
    let mut counts = vec![0; bins.len().saturating_sub(1)];
    for (value, times) in histogram.entries() {
        let value = value as f64 / scale as f64;
        // What lies outside counts in the first or the last bin.
        let at = bins.partition_point(|edge| *edge <= value).saturating_sub(1);
        let at = at.min(counts.len().saturating_sub(1));
        if let Some(count) = counts.get_mut(at) {
            *count += times;
        }
    }
    counts
}

/// How far a training is.
fn learning(id: u64, share: f64) -> Tell {
    let (done, words) = ((share * PARTS as f64) as u64, "training".to_owned());
    Tell::Progress { id, done, of: PARTS, words }
}

/// Trains an agent. It is kept for those who seat it.
fn trained(
    id: u64,
    game: &Game,
    kind: &AgentKind,
    tell: &mut (dyn FnMut(Tell) + Send),
) -> Result<(), AgentError> {
    struct TrainingTold<'t>(u64, &'t mut (dyn FnMut(Tell) + Send));
    impl TrainingObserver for TrainingTold<'_> {
        fn played(&mut self, _games: u64, share: f64) {
            (self.1)(learning(self.0, share));
        }
    }
    AgentKind::seat_trained(std::slice::from_ref(kind), game, 1, &mut TrainingTold(id, tell)).map(drop)
}

/// Makes the page of a report.
fn report(id: u64, game: &Game, tell: &mut (dyn FnMut(Tell) + Send)) -> Result<String, String> {
    let plan = AnalysisPlan {
        seed: 1,
        threads: 1,
        games: None,
        budget: RunBudget::default(),
        agent: None,
        quick: false,
        most_seconds: Some(answer_seconds(false)),
        pages: 1,
        pace: Pace::default(),
    };
    let tell = Mutex::new(tell);
    let progress = |progress: AnalysisProgress| {
        let done = (progress.share * PARTS as f64) as u64;
        let words = progress.phase.to_owned();
        tell.lock().unwrap_or_else(PoisonError::into_inner)(Tell::Progress { id, done, of: PARTS, words });
    };
    let found =
        analyse(game, &plan, &progress, &mut |_| {}, &Interrupt::new()).map_err(|error| error.to_string())?;
    Ok(page_html(game, &found))
}
