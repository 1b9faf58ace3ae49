//! The games that a report stands on: random and greedy players, learned ones of two trainings, and each against the
//! other.

use std::cell::Cell;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use super::plan::{AnalysisPlan, PRECISE, seconds_ahead};
use crate::coverage::{Tried, try_rules, try_rules_within};
use crate::ladder::Ladder;
use houserule_base::clock::Instant;
use houserule_base::interrupt::Interrupt;
use houserule_base::parts::Parts;
use houserule_game::Game;
use houserule_players::agents::{AgentKind, LearnError};
use houserule_players::learned::{TrainedPart, TrainingObserver};
use houserule_playtest::follow::exact::ExactValues;
use houserule_playtest::follow::followed::FollowedGames;
use houserule_playtest::follow::luck::Luck;
use houserule_playtest::follow::track::{FollowedAgent, TrackPlan, Tracks, different_games, follow};
use houserule_playtest::odds::Odds;
use houserule_playtest::{
    CustomAgents, FIRST_LOOK, GameSinks, Keep, Meeting, QuickPlayer, Report, RunMonitor, SimulateError,
    SimulationPlan, are_monotonous, chooses_at_random, games_within, next_look, simulate_kept,
};

/// Number of trainings, each of which plays an equal part of the games.
pub(super) const TRAININGS: u64 = 2;

/// Work of the random games, in random decisions; see [`games_within`].
const RANDOM_WORK: u64 = 20_000_000;

/// Maximum numbers of random and greedy games.
const MOST_RANDOM: u64 = 10_000;
const MOST_GREEDY: u64 = 2_000;

/// Number of random games in which all rules are tried.
const TRIED_GAMES: u64 = 1000;

/// Work of the greedy games.
const GREEDY_WORK: u64 = 10_000_000;

/// Work of the games of the strong agent.
const STRONG_WORK: u64 = 25_000_000;

/// Share of the time of a report in which games are played. The rest is for the figures of its page.
const GATHERED_SHARE: f64 = 0.95;

/// Shares of the time of a report, if it has one: at most these for random games, greedy games, the try of all rules, and
/// training; see also `choice`. What is left is for the games of the strong agent, but for those between agents and on the same dice.
const RANDOM_SHARE: f64 = 0.1;
const GREEDY_SHARE: f64 = 0.08;
const TRY_SHARE: f64 = 0.06;
pub(super) const TRAINING_SHARE: f64 = 0.4;

/// Seconds after which the first figures are told without those of greedy players.
const SOON: f64 = 0.9;

/// Share of the time that is left for a second choice of a player, if the first found nobody who can play.
const SECOND_CONTEST: f64 = 0.7;

/// Share of the time that is left after the training for the games of the strong agent.
const STRONG_SHARE: f64 = 0.5;

/// The same in a quick report, which has no games between agents.
const QUICK_STRONG_SHARE: f64 = 0.85;

/// Shares of the time that is left then, for the games between agents and for those on the same dice.
const LADDER_SHARE: f64 = 0.6;
const LUCK_SHARE: f64 = 0.8;

/// Share of the time of the strong agent's games in which their speed is measured.
const TIMED_SHARE: f64 = 0.05;

/// Maximum number of games of the strong agent within a time: all are in memory.
const MOST_STRONG: u64 = 20_000;

/// Games in which sites and scores are counted before every event.
const WITH_BOARDS: u64 = 150;

/// The search that shows what more time buys: simulations per decision, and twice doubled.
pub(super) const SEARCH: [u32; 2] = [25, 100];

/// Number of parts into which games of one kind are divided, if other processes play them.
pub(super) const PARTS: u64 = 16;

/// What is being done, and the done share of all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnalysisProgress {
    /// In words: `training`.
    pub phase: &'static str,
    /// From 0 to 1.
    pub share: f64,
}

/// The games of an agent in all seats, and what was found in them.
pub(crate) struct AgentGames {
    pub(crate) agent: String,
    /// One for each training.
    pub(crate) parts: Vec<Report>,
    /// Games of the strong agent of which nearly all are like another.
    pub(crate) alike: Option<AlikeGames>,
}

/// Games that were followed, of which nearly all are like another, or each training always plays the same one: they say little
/// of the rules.
#[derive(Clone, Copy)]
pub(crate) struct AlikeGames {
    pub(crate) games: u64,
    pub(crate) different: u64,
}

impl AlikeGames {
    /// Counts the different games. `None` if there are enough, if chance makes games different whose decisions are the same,
    /// or if the players choose at random.
    fn count(game: &Game, kind: &AgentKind, followed: &[FollowedGames]) -> Option<AlikeGames> {
        if chooses_at_random(kind, game) || game.program().uses_chance {
            return None;
        }
        let tracks = || followed.iter().flat_map(|followed| &followed.tracks.games);
        let (games, different) = (tracks().count() as u64, different_games(tracks()));
        // The games of several trainings are as many observations as they are different, however few they are.
        let plays_one = |followed: &FollowedGames| different_games(followed.tracks.games.iter()) <= 1;
        let are_copies = different < games && followed.iter().all(plays_one);
        (are_copies || are_monotonous(different, games)).then_some(AlikeGames { games, different })
    }
}

/// Results of agents against each other.
pub(crate) enum Strength {
    /// With one player, or two against each other.
    Ladder(Ladder),
    /// With more, or if all win together: the strong agent in every seat in turn, against each of the others in all other
    /// seats.
    Meetings(Vec<(String, Meeting)>),
}

/// All games of a report.
pub(crate) struct Evidence<'g> {
    pub(crate) game: &'g Game,
    pub(crate) plan: &'g AnalysisPlan,
    pub(super) parts: &'g Parts,
    pub(crate) random: AgentGames,
    pub(crate) greedy: Option<AgentGames>,
    pub(crate) strong: Option<AgentGames>,
    /// One for each training.
    pub(crate) followed: Vec<FollowedGames>,
    pub(crate) strength: Option<Strength>,
    /// The agents of the panel, and the components of variance.
    pub(crate) luck: Option<(Vec<String>, u64, Luck)>,
    pub(crate) tried: Option<Tried>,
    /// Exact values, or why there are none; `None` if the report did not try to solve the game.
    pub(crate) exact: OnceLock<Result<Arc<ExactValues>, String>>,
    /// The exact distribution of the score or the winner: under best play, or where nobody decides anything.
    pub(crate) odds: Option<Odds>,
    /// How the player of a quick report was chosen, or that of a game which no player learns in time.
    pub(crate) contest: Option<QuickPlayer>,
    /// Why no player was trained.
    pub(crate) untrained: Option<LearnError>,
    /// Whether not all was played.
    pub(crate) interrupted: bool,
    /// Whether it was the time of the report that ended it.
    pub(crate) out_of_time: bool,
    pub(crate) seconds: f64,
}

/// Plays what a report needs. `first` gets the evidence of random games, and of greedy ones if it is there soon: within a second or two.
/// `report` gets the progress. `lacking` returns the number of games that will presumably reach the wanted precision, if
/// it isn't reached. After an interruption, what was played until then is evidence.
pub(crate) fn gather<'g>(
    game: &'g Game,
    plan: &'g AnalysisPlan,
    report: &(dyn Fn(AnalysisProgress) + Sync),
    first: &mut dyn FnMut(&Evidence<'g>),
    lacking: &dyn Fn(&Evidence<'g>) -> Option<f64>,
    stop: &Interrupt,
    parts: &'g Parts,
) -> Result<Evidence<'g>, SimulateError> {
    let clock = Instant::now();
    plan.budget.keys(&PRECISE.map(str::to_owned))?;
    plan.budget.end.expect(None);
    // What is begun below takes its time even if there is little, but nothing is begun after an interruption.
    let interrupted = stop;
    let stop = &plan.limit(stop, GATHERED_SHARE);
    let say = |phase, share| report(AnalysisProgress { phase, share });
    say("random games", 0.0);
    let limit = plan.limit(stop, RANDOM_SHARE);
    let games =
        limit.scope(|| games_within(game, &AgentKind::Random, plan.work(RANDOM_WORK), 100..=MOST_RANDOM));
    let mut random = play(game, plan, &AgentKind::Random, games.unwrap_or(Ok(MOST_RANDOM))?, &limit, parts)?;
    if random.games() + random.aborted() == 0 {
        // One game that takes longer says more than none.
        random = play(game, plan, &AgentKind::Random, 1, &plan.limit(stop, 0.5), parts)?;
    }
    let mut all = Evidence {
        game,
        plan,
        parts,
        random,
        greedy: None,
        strong: None,
        followed: vec![],
        strength: None,
        luck: None,
        tried: None,
        exact: OnceLock::new(),
        odds: None,
        contest: None,
        untrained: None,
        interrupted: false,
        out_of_time: false,
        seconds: 0.0,
    };
    let mut tell_first = |all: &mut Evidence<'g>| {
        all.seconds = clock.elapsed().as_secs_f64();
        if parts.is_whole() && !interrupted.is_set() {
            first(all);
        }
    };
    // Where games take long, nobody waits for those of greedy players.
    let is_slow = clock.elapsed().as_secs_f64() > SOON;
    if is_slow {
        tell_first(&mut all);
    }
    let limit = plan.limit(stop, GREEDY_SHARE);
    let games = || games_within(game, &AgentKind::Greedy, plan.work(GREEDY_WORK), 50..=MOST_GREEDY);
    if !interrupted.is_set() {
        let games = limit.scope(games).unwrap_or(Ok(MOST_GREEDY))?;
        all.greedy = Some(play(game, plan, &AgentKind::Greedy, games, &limit, parts)?);
    }
    if !is_slow {
        tell_first(&mut all);
    }
    if parts.is_whole() {
        let tried = || match plan.seconds() {
            Some(seconds) => try_rules_within(game, TRIED_GAMES, TRY_SHARE * seconds, &|_| {}),
            None => try_rules(game, TRIED_GAMES, &|_| {}),
        };
        all.tried = interrupted.scope(tried).ok();
    }
    if !stop.is_set() {
        let run = GatherRun { say: &say, lacking, clock, stop, of_game: Cell::new(None) };
        let gathered = stop.scope(|| match plan.quick {
            true => all.quick_games(&run),
            false => all.strong_games(&run),
        });
        if let Ok(done) = gathered {
            done?;
        }
    }
    if !parts.is_whole() {
        return Err(SimulateError::Stopped);
    }
    all.interrupted = stop.is_set();
    all.out_of_time = all.interrupted && stop.is_late();
    all.seconds = clock.elapsed().as_secs_f64();
    Ok(all)
}

/// Plays games with an agent in all seats.
fn play(
    game: &Game,
    plan: &AnalysisPlan,
    kind: &AgentKind,
    games: u64,
    stop: &Interrupt,
    parts: &Parts,
) -> Result<AgentGames, SimulateError> {
    let agents = || Ok((vec![kind.clone()], None));
    let watch = RunMonitor { progress: &|_| {}, stop };
    let named = NamedParts { parts, name: &kind.to_string(), needs: &[] };
    let played = simulate_parts(game, plan, &agents, 0..games, &watch, &named)?;
    Ok(AgentGames { agent: kind.to_string(), parts: played.into_iter().collect(), alike: None })
}

/// What the games of the strong agent are told to, and when they end.
struct GatherRun<'r, 'g> {
    say: &'r (dyn Fn(&'static str, f64) + Sync),
    lacking: &'r dyn Fn(&Evidence<'g>) -> Option<f64>,
    /// When the report was begun.
    clock: Instant,
    stop: &'r Interrupt,
    /// Seconds of a game of the strong agent, with all that is looked at in it, once they are known.
    of_game: Cell<Option<f64>>,
}

impl GatherRun<'_, '_> {
    /// The seconds that are left for games of a time of the report.
    fn left(&self, seconds: f64) -> f64 {
        (GATHERED_SHARE * seconds - self.clock.elapsed().as_secs_f64()).max(0.0)
    }

    /// Forecasts the end of the report, if it has a time: see [`seconds_ahead`]. Its page takes a part of its time that
    /// grows with the games.
    fn expect(&self, plan: &AnalysisPlan, phase: f64, following: &[(f64, Option<f64>)]) {
        if let Some(seconds) = plan.seconds() {
            let left = self.left(seconds);
            let ahead = seconds_ahead(phase, left, following);
            let page = (1.0 - GATHERED_SHARE) * seconds * ahead / left.max(1e-9);
            plan.budget.end.expect(Some(ahead + page.min(ahead)));
        }
    }
}

/// Number of trainings of a player.
fn trainings(kind: &AgentKind) -> u64 {
    if kind.trains() { TRAININGS } else { 1 }
}

/// How the parts of some games are named, and which other parts they need.
struct NamedParts<'p> {
    parts: &'p Parts,
    /// The beginning of their names.
    name: &'p str,
    needs: &'p [String],
}

/// The agents of a simulation: their kinds, or agents that were made already.
type Simulated = (Vec<AgentKind>, Option<CustomAgents>);

/// Simulates games in parts. Returns `None` if other processes play some of them.
fn simulate_parts(
    game: &Game,
    plan: &AnalysisPlan,
    agents: &dyn Fn() -> Result<Simulated, SimulateError>,
    games: Range<u64>,
    watch: &RunMonitor<'_>,
    named: &NamedParts<'_>,
) -> Result<Option<Report>, SimulateError> {
    let NamedParts { parts, name, needs } = *named;
    let mut whole: Option<Report> = None;
    let size = (games.end - games.start).div_ceil(PARTS);
    for range in parts.ranges(games, size) {
        let name = format!("{name}, games {range:?}");
        let make = || {
            let (kinds, custom) = agents()?;
            let simulation = SimulationPlan {
                games: range.end - range.start,
                first: range.start,
                seed: plan.seed,
                threads: plan.threads,
                agents: kinds,
                match_play: false,
            };
            // Where the time ends a run, long games would be missing among the last.
            let keep = Keep { keep_partial: true, prefix: watch.stop.has_limit(), ..Keep::default() };
            Ok(simulate_kept(game, &simulation, custom, watch, keep, GameSinks::default())?.0)
        };
        let save = |report: &Report| report.saved().ok().map(String::into_bytes);
        let load = |bytes: &[u8]| Report::restored(game, std::str::from_utf8(bytes).ok()?);
        let part = parts.saved_part(&name, needs, make, save, load)?;
        whole = match (whole, part) {
            // The ranges follow one another.
            (Some(whole), Some(part)) => whole.merged(&part, game).ok(),
            (None, part) => part,
            (_, None) => None,
        };
    }
    Ok(whole)
}

impl<'g> Evidence<'g> {
    /// Plays the games of the best player that needs little time.
    fn quick_games(&mut self, run: &GatherRun<'_, 'g>) -> Result<(), SimulateError> {
        (run.say)("choosing a player", 0.3);
        // Without a time it could take minutes.
        if self.plan.seconds().is_some() {
            self.solve_within(run.stop);
            self.spread_within(run.stop);
        }
        let kind = match &self.plan.agent {
            Some(kind) => kind.clone(),
            None => {
                let seconds = self.plan.seconds();
                let left = || seconds.map(|seconds| SECOND_CONTEST * run.left(seconds));
                let Some(kind) = self.choose_in_parts(&left, run.stop)? else { return Ok(()) };
                kind
            }
        };
        if self.plays_only_at_random(&kind) {
            return Ok(());
        }
        // Held while it plays. In one process the contest has trained it.
        let is_divided = !self.parts.is_here();
        let trained = if is_divided { self.train(&kind, 1, run.say, run.stop)? } else { vec![] };
        let needs: Vec<String> = trained.iter().map(|(name, _)| name.clone()).collect();
        if is_divided && self.parts.is_whole() {
            // The processes that followed its games have solved the game for them.
            self.solve();
        }
        self.play_strong_games(&kind, 1, QUICK_STRONG_SHARE, &|_| needs.clone(), run)?;
        Ok(())
    }

    fn strong_games(&mut self, run: &GatherRun<'_, 'g>) -> Result<(), SimulateError> {
        let stop = run.stop;
        (run.say)("solving the game", 0.0);
        // A part of the work solves the game only to follow games.
        if self.parts.is_whole() {
            self.solve_within(stop);
            self.spread_within(stop);
        }
        let mut kind = self.strong_kind(stop);
        let limit = self.plan.limit(stop, 1.5 * TRAINING_SHARE);
        let trained = match limit.scope(|| self.train(&kind, trainings(&kind), run.say, &limit)) {
            Ok(trained) => trained?,
            // The training took longer than was foreseen.
            Err(_) if !stop.is_set() && self.plan.agent.is_none() => {
                kind = self.choose(stop);
                vec![]
            }
            Err(_) => return Ok(()),
        };
        if stop.is_set() || self.plays_only_at_random(&kind) {
            return Ok(());
        }
        let needs = |training: u64| -> Vec<String> {
            trained.get(training as usize).map(|(name, _)| name.clone()).into_iter().collect()
        };
        if !self.play_strong_games(&kind, trainings(&kind), STRONG_SHARE, &needs, run)? {
            return Ok(());
        }
        (run.say)("games between players", 0.7);
        let luck_games = self.count_luck_games(&kind)?;
        let luck = run.of_game.get().map(|each| each * self.count_luck_plays(&kind, luck_games) as f64);
        let left = |share: f64| self.plan.seconds().map(|seconds| share * run.left(seconds));
        run.expect(self.plan, 0.0, &[(LADDER_SHARE, None), (LUCK_SHARE, luck)]);
        let expect = |seconds: f64| run.expect(self.plan, seconds, &[(LUCK_SHARE, luck)]);
        let strength = self.measure_strength(&kind, left(LADDER_SHARE), stop, &needs(0), &expect)?;
        self.strength = strength;
        (run.say)("the same dice for all", 0.9);
        let left = self.plan.seconds().map(|seconds| LUCK_SHARE * run.left(seconds));
        run.expect(self.plan, 0.0, &[(LUCK_SHARE, luck)]);
        let limit = stop.within_time(left);
        self.luck = self.measure_luck(&kind, luck_games, &limit, &needs(0))?;
        Ok(())
    }

    /// Plays the games of the strong agent until they are as many as the plan says, or enough for its precision. They may
    /// take a share of the time that is left. Returns `false` if they were stopped.
    fn play_strong_games(
        &mut self,
        kind: &AgentKind,
        trainings: u64,
        share: f64,
        needs: &dyn Fn(u64) -> Vec<String>,
        run: &GatherRun<'_, 'g>,
    ) -> Result<bool, SimulateError> {
        /// The fewest games that are usual.
        const FEWEST: u64 = 200;
        let plan = self.plan;
        let usual = || {
            let (work, most) = if plan.quick { (STRONG_WORK / 5, 2_000) } else { (STRONG_WORK, 5_000) };
            games_within(self.game, kind, plan.work(work), FEWEST..=most)
        };
        let most = match (plan.games, plan.seconds()) {
            (Some(games), _) => games,
            (None, Some(seconds)) => {
                let seconds = share * run.left(seconds);
                let each = self.seconds_of_a_game(kind, seconds, run.stop)?;
                run.of_game.set(Some(each).filter(|each| each.is_finite()));
                let fit = ((seconds / each) as u64).clamp(TRAININGS, MOST_STRONG);
                // Who gave a time wants it used.
                if plan.budget.seconds.is_some() || fit <= FEWEST { fit } else { fit.min(usual()?) }
            }
            (None, None) if !plan.budget.precision.is_empty() => MOST_STRONG,
            (None, None) => usual()?,
        };
        let mut games = if plan.budget.precision.is_empty() { most } else { most.min(FIRST_LOOK) };
        if let Some(each) = run.of_game.get() {
            let following: &[(f64, Option<f64>)] =
                if plan.quick { &[] } else { &[(LADDER_SHARE, None), (LUCK_SHARE, None)] };
            run.expect(plan, each * most as f64, following);
        }
        loop {
            self.play_strong(kind, games, trainings, needs, run.say, run.stop)?;
            if run.stop.is_set() {
                return Ok(false);
            }
            match (run.lacking)(self) {
                Some(needed) if games < most => games = next_look(games, needed).min(most),
                _ => return Ok(true),
            }
        }
    }

    /// Plays the games of the strong agent, an equal part of them by each training, and follows them.
    fn play_strong(
        &mut self,
        kind: &AgentKind,
        games: u64,
        trainings: u64,
        needs: &dyn Fn(u64) -> Vec<String>,
        say: &(dyn Fn(&'static str, f64) + Sync),
        stop: &Interrupt,
    ) -> Result<(), SimulateError> {
        let (game, plan) = (self.game, self.plan);
        let first = |training: u64| games * training / trainings;
        let (mut parts, mut all_followed) = (vec![], vec![]);
        for training in 0..trainings {
            let range = first(training)..first(training + 1);
            let done = AtomicU64::new(0);
            let report = |count: u64| {
                done.store(count, Ordering::Relaxed);
                let share = (range.start + count) as f64 / games.max(1) as f64;
                say("games of the strong player", 0.5 + 0.2 * share.min(1.0));
            };
            let watch = RunMonitor { progress: &report, stop };
            let seated = || self.seated(kind, training);
            let name = format!("{kind}, training {training}");
            let needs = needs(training);
            let named = NamedParts { parts: self.parts, name: &name, needs: &needs };
            parts.extend(simulate_parts(game, plan, &seated, range.clone(), &watch, &named)?);
            // An agent that looks ahead with a learned player is followed once.
            if training == 0 || matches!(kind, AgentKind::Learned(_)) {
                let tracks = self.follow_parts(kind, training, range.clone(), stop, &named)?;
                let is_exact = self.solved().is_some();
                all_followed.push(FollowedGames::new(game, kind, tracks, is_exact));
            }
            if stop.is_set() {
                break;
            }
        }
        let alike = AlikeGames::count(game, kind, &all_followed);
        self.followed = all_followed;
        self.strong = Some(AgentGames { agent: kind.to_string(), parts, alike });
        Ok(())
    }

    /// Returns the seconds that a game of the strong agent takes, with all that is looked at in it, from a few that are timed
    /// within a part of some seconds. It is infinite if none of them was over.
    fn seconds_of_a_game(
        &self,
        kind: &AgentKind,
        seconds: f64,
        stop: &Interrupt,
    ) -> Result<f64, SimulateError> {
        let mut games = 4;
        let limit = stop.within(seconds / 2.0);
        let watch = RunMonitor { progress: &|_| {}, stop: &limit };
        loop {
            let clock = Instant::now();
            let named = NamedParts { parts: &Parts::here(), name: "timed", needs: &[] };
            let seated = || self.seated(kind, 0);
            let report = simulate_parts(self.game, self.plan, &seated, 0..games, &watch, &named)?;
            let player = FollowedAgent::seat(self.game, kind, 1).map_err(SimulateError::Agent)?;
            let AnalysisPlan { seed, threads, .. } = *self.plan;
            let plan = TrackPlan {
                seed,
                threads,
                with_boards: WITH_BOARDS,
                with_options: false,
                with_leaders: false,
            };
            let tracks = follow(self.game, &player, self.solved(), 0..games, &plan, &limit, &|_| {});
            let is_exact = self.solved().is_some();
            let _ = limit.scope(|| FollowedGames::new(self.game, kind, tracks, is_exact));
            let spent = clock.elapsed().as_secs_f64();
            if spent > seconds * TIMED_SHARE || games >= MOST_STRONG || stop.is_set() {
                let played = report.map_or(0, |report| report.games + report.aborted);
                return Ok(spent.max(1e-9) / played as f64);
            }
            games *= 4;
        }
    }

    /// Trains the players of an agent. Returns the names of the parts that do, and the players unless other processes
    /// train them. While they are held, agents are made of them.
    fn train(
        &self,
        kind: &AgentKind,
        trainings: u64,
        say: &(dyn Fn(&'static str, f64) + Sync),
        stop: &Interrupt,
    ) -> Result<Vec<TrainedPart>, SimulateError> {
        let mut players = vec![];
        for training in 0..trainings {
            let mut observer = TrainingReporter { say, done: training, of: trainings, stop };
            let player = kind.train_in_parts(self.game, 1 + training, &mut observer, self.parts);
            players.extend(player.map_err(SimulateError::Agent)?);
        }
        Ok(players)
    }

    /// Follows the games of one training.
    fn follow_parts(
        &self,
        kind: &AgentKind,
        training: u64,
        games: Range<u64>,
        stop: &Interrupt,
        named: &NamedParts<'_>,
    ) -> Result<Tracks, SimulateError> {
        let AnalysisPlan { seed, threads, .. } = *self.plan;
        let boards_until = games.start + WITH_BOARDS;
        let size = (games.end - games.start).div_ceil(PARTS);
        let mut all = Tracks::default();
        for range in self.parts.ranges(games, size) {
            let make = || {
                self.solve();
                let player =
                    FollowedAgent::seat(self.game, kind, 1 + training).map_err(SimulateError::Agent)?;
                let with_boards = boards_until.saturating_sub(range.start);
                let plan = TrackPlan { seed, threads, with_boards, with_options: false, with_leaders: false };
                Ok(follow(self.game, &player, self.solved(), range.clone(), &plan, stop, &|_| {}))
            };
            let name = format!("{}, followed {range:?}", named.name);
            if let Some(tracks) = named.parts.part(&name, named.needs, make)? {
                all.merge(tracks);
            }
        }
        Ok(all)
    }

    /// The agents of one training.
    fn seated(&self, kind: &AgentKind, training: u64) -> Result<Simulated, SimulateError> {
        let kinds = vec![kind.clone(); self.game.players() as usize];
        let agents = AgentKind::seat_trained(&kinds, self.game, 1 + training, &mut ())
            .map_err(SimulateError::Agent)?;
        let names = kinds.iter().map(AgentKind::to_string).collect();
        Ok((vec![], Some(CustomAgents { names, agents })))
    }
}

/// Returns the search that suits a game.
pub(super) fn search(game: &Game, simulations: u32) -> AgentKind {
    if game.hides() { AgentKind::Ismcts(simulations) } else { AgentKind::Mcts(simulations) }
}

/// Reports the progress of a training.
struct TrainingReporter<'t> {
    say: &'t (dyn Fn(&'static str, f64) + Sync),
    done: u64,
    of: u64,
    stop: &'t Interrupt,
}

impl TrainingObserver for TrainingReporter<'_> {
    fn played(&mut self, _games: u64, share: f64) {
        (self.say)("training", 0.5 * (self.done as f64 + share) / self.of as f64);
    }

    fn is_enough(&mut self) -> bool {
        self.stop.is_set()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_game::ActionId;
    use houserule_loader::{Request, load};
    use houserule_playtest::follow::track::{Track, TrackedDecision};

    /// Games of a training, each with one decision.
    fn follow_games(taken: &[u32]) -> FollowedGames {
        let track = |taken: &u32| {
            let taken = ActionId(*taken);
            let choice =
                TrackedDecision { moment: 0, seat: 0, legal: 9, offered: vec![], taken, values: None };
            Track { choices: vec![choice], ..Track::default() }
        };
        let tracks = Tracks { games: taken.iter().map(track).collect(), ..Tracks::default() };
        FollowedGames { tracks, courses: vec![], calibration: None }
    }

    #[test]
    fn a_game_that_a_training_plays_again_is_one_game() {
        let game = load(&Request { name: "tic-tac-toe", ..Request::default() }).unwrap().game;
        let count = |trainings: &[&[u32]]| {
            let followed: Vec<FollowedGames> = trainings.iter().map(|taken| follow_games(taken)).collect();
            let alike = AlikeGames::count(&game, &AgentKind::Mobile, &followed);
            alike.map(|alike| (alike.games, alike.different))
        };
        assert_eq!(count(&[&[1, 1]]), Some((2, 1)));
        assert_eq!(count(&[&[1; 10]]), Some((10, 1)));
        assert_eq!(count(&[&[1, 1], &[2, 2]]), Some((4, 2)));
        assert_eq!(count(&[&[1], &[1]]), Some((2, 1)));
        assert_eq!(count(&[&[1]]), None);
        assert_eq!(count(&[&[1], &[2]]), None);
        assert_eq!(count(&[&[1, 1, 2], &[3, 3]]), None);
    }
}
