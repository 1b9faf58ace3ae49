//! The quick player of a game: the best of a greedy (without a score a mobile) player, a search and a player that learns,
//! which all have little time. They are measured against random players, and the two best against each other.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Estimate, Meeting, meet_on};
use crate::cost::{random_game, rounded, seconds_of_a_game};
use houserule_base::clock::Instant;
use houserule_base::interrupt::Interrupt;
use houserule_game::Game;
use houserule_players::agents::{AgentKind, LearnError};
use houserule_players::learned::{TrainingSpeed, can_learn, is_trained, learned, measure_speed, usual_tenth};

/// Games of a meeting, each in all seats.
const GAMES: u64 = 100;

/// Share of the time in which the speeds of searches and trainings are measured.
const MEASURED: f64 = 0.1;

/// Share of the time for trainings, and that after which a training that isn't over is given up.
const TRAINED: f64 = 0.6;
const LATEST: f64 = 0.75;

/// The part of the games that fit into the time, by the first measurement, after which a training ends. Its own time says
/// how many games a second one can have.
const FIRST_PART: f64 = 5.0;

/// How much slower than the first a second training may be. Players who have learned more play longer games.
const SLOWER: f64 = 1.25;

/// Least number of training games.
const FEWEST_TRAINED: u64 = 20;

/// The most work of a search in a game, in random decisions, and how many of these take a second where nothing is timed.
const SEARCH_WORK: f64 = 60_000.0;
const DECISIONS_PER_SECOND: f64 = 1e6;

/// How many times as long as others the games of a search may take that is tried where nobody else plays well.
const PATIENCE: f64 = 3.0;

/// Who plays well wins this share of what random players leave to win: with two players 0.75 of the games against them.
const WELL: f64 = 0.5;

/// The fewest and the most simulations per decision.
const SIMULATIONS: (f64, f64) = (5.0, 200.0);

/// The fewest simulations of a search in worlds that agree with the history. With fewer, one in worlds that agree with what
/// a seat sees now has far more in the same time.
const INFERRED: f64 = 50.0;

/// The part of the usual training that all trainings of a contest have, where nothing is timed: a fourth of a tenth.
const UNTIMED_PART: u64 = 4;

/// How many times as long games with a script take, where nothing is timed.
const SCRIPTED: u64 = 8;

/// Number of simulations of the search that is timed.
const TIMED: u32 = 16;

/// A meeting of fewer games says nothing of a player, who is too slow then.
const FEWEST_MET: u64 = 4;

/// What a contest is about.
#[derive(Clone, Copy, Debug)]
pub struct ContestPlan {
    /// The seed.
    pub seed: u64,
    /// Number of threads.
    pub threads: usize,
    /// Time of the contest, in seconds. Without it, the contest is measured in work instead of by the clock: the same on every
    /// machine.
    pub seconds: Option<f64>,
    /// CPU seconds that a game of the chosen player may take. Without a time, a million random decisions are a second.
    pub of_game: f64,
}

/// A player of a contest.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Contender {
    /// The player.
    pub agent: String,
    /// How much better than random it is, in the worst of the games: the share of wins beyond an equal share, with
    /// partners beyond that of random players alone; in a one-player game points of score.
    pub better: Estimate,
    /// Its share of wins against random players there; in a one-player game its mean score.
    pub own: Estimate,
    /// Games of that meeting.
    pub games: u64,
}

impl Contender {
    /// A player with its meeting with random ones.
    pub fn new(kind: &AgentKind, met: &Meeting) -> Contender {
        Contender { agent: kind.to_string(), better: met.better, own: met.own, games: met.games }
    }
}

/// The result of a contest.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct QuickPlayer {
    /// The chosen player; `random` where there is nothing to decide, or nobody could play in the time.
    #[serde(rename = "agent", serialize_with = "write_name", deserialize_with = "read_name")]
    pub kind: AgentKind,
    /// All that were measured, the best first.
    pub contenders: Vec<Contender>,
    /// Whether nobody has anything to decide.
    pub decides_nothing: bool,
}

impl QuickPlayer {
    /// Returns `true` if it surely beats random players.
    pub fn beats_random(&self) -> bool {
        self.contenders.first().is_some_and(|best| best.better.is_surely_positive())
    }
}

/// Writes the name of an agent.
fn write_name<S: Serializer>(kind: &AgentKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(kind)
}

/// Reads the name of an agent.
fn read_name<'d, D: Deserializer<'d>>(deserializer: D) -> Result<AgentKind, D::Error> {
    AgentKind::parse(&String::deserialize(deserializer)?).map_err(D::Error::custom)
}

/// A player that was measured, with its meetings by game.
struct MeasuredPlayer {
    kind: AgentKind,
    met: Vec<Meeting>,
}

impl MeasuredPlayer {
    /// How much better than random it is, on average over the games.
    fn mean(&self) -> f64 {
        self.met.iter().map(|met| met.better.mean).sum::<f64>() / self.met.len().max(1) as f64
    }

    /// The meeting in which it did worst.
    fn worst(&self) -> Option<&Meeting> {
        self.met.iter().min_by(|a, b| a.better.mean.total_cmp(&b.better.mean))
    }

    /// Returns `true` if it surely beats random players in all games.
    fn beats_random(&self) -> bool {
        self.met.iter().all(|met| met.better.is_surely_positive())
    }

    /// Returns `true` if it plays well in all games. What is a good score is not known.
    fn plays_well(&self, games: &[&Game]) -> bool {
        self.met.iter().zip(games).all(|(met, game)| match game.players() {
            1 => met.better.is_surely_positive(),
            _ => met.better.mean >= WELL * (1.0 - met.other.mean),
        })
    }

    fn contender(&self) -> Option<Contender> {
        self.worst().map(|met| Contender::new(&self.kind, met))
    }
}

/// Chooses the player as [`choose_player`] does, and if none surely beats random ones again for longer. `left` returns the
/// seconds that a second choice may take, if there is time for one.
pub fn choose_player_twice(
    games: &[&Game],
    plan: &ContestPlan,
    left: &dyn Fn() -> Option<f64>,
    stop: &Interrupt,
) -> QuickPlayer {
    let first = choose_player(games, plan, stop);
    if first.decides_nothing || first.beats_random() || stop.is_set() {
        return first;
    }
    // A second choice with less time would find nothing new.
    match left().filter(|seconds| plan.seconds.is_some_and(|before| *seconds > before)) {
        Some(seconds) => {
            let second = choose_player(games, &ContestPlan { seconds: Some(seconds), ..*plan }, stop);
            if second.contenders.is_empty() { first } else { second }
        }
        None => first,
    }
}

/// Chooses the player for one game, or the same for several, such as those of a comparison. If `stop` is set, it is the
/// best until then.
pub fn choose_player(games: &[&Game], plan: &ContestPlan, stop: &Interrupt) -> QuickPlayer {
    let clock = Instant::now();
    let limit = stop.within_time(plan.seconds);
    // The seconds that are left until a share of the time.
    let until = |share: f64| plan.seconds.map(|seconds| share * seconds - clock.elapsed().as_secs_f64());
    let mut found = QuickPlayer { kind: AgentKind::Random, contenders: vec![], decides_nothing: false };
    let part = plan.seconds.map(|seconds| seconds / games.len().max(1) as f64);
    let speed = match part {
        Some(part) => measure_training(games, plan.threads, MEASURED * part, &limit),
        None => by_work(games),
    };
    let is_idle = |game: &&Game| limit.scope(|| can_learn(game)) == Ok(Err(LearnError::NoDecisions));
    if speed == Err(LearnError::NoDecisions) && games.iter().all(is_idle) {
        found.decides_nothing = true;
        return found;
    }
    // Without a score to go by, a greedy player only takes the win before it.
    let is_scored = |game: &&Game| !game.model().score.is_empty();
    let mut kinds = vec![if games.iter().all(is_scored) { AgentKind::Greedy } else { AgentKind::Mobile }];
    kinds.extend(limit.scope(|| fitting_search(games, plan, 1.0)).unwrap_or_default());
    if let Ok(Some(speed)) = speed {
        let trained = |count: u64| {
            let (early, begun) = (limit.within_time(until(LATEST)), Instant::now());
            let trains = || games.iter().all(|game| learned(game, Some(count), 1, &mut ()).is_ok());
            let is_done = count >= FEWEST_TRAINED && early.scope(trains) == Ok(true);
            is_done.then(|| begun.elapsed().as_secs_f64().max(1e-9))
        };
        kinds.extend(
            fitting_training(&speed, part, &|| until(TRAINED), &trained)
                .map(|count| AgentKind::Learned(Some(count))),
        );
    }
    // Besides these, a search that takes its time is measured, and the two best against each other.
    let mut left = (kinds.len() + 2) * games.len();
    let mut measure = |kind: AgentKind| {
        let met = games.iter().map(|game| {
            let slot = until(1.0).map(|seconds| seconds.max(0.0) / left as f64);
            left -= 1;
            meet_in(game, &kind, &AgentKind::Random, plan, slot, &limit)
        });
        let met = met.collect::<Option<Vec<Meeting>>>()?;
        Some(MeasuredPlayer { kind, met })
    };
    let mut measured: Vec<MeasuredPlayer> = kinds.into_iter().filter_map(&mut measure).collect();
    if plan.seconds.is_some() && !measured.iter().any(|player| player.plays_well(games)) {
        let search = limit.scope(|| fitting_search(games, plan, PATIENCE)).unwrap_or_default();
        let is_new = |kind: &AgentKind| measured.iter().all(|player| player.kind != *kind);
        let patient = search.filter(is_new).and_then(&mut measure);
        measured.extend(patient);
    }
    measured.sort_by(|a, b| b.mean().total_cmp(&a.mean()));
    if let [best, second, ..] = measured.as_slice() {
        let slot = until(1.0).map(|seconds| seconds.max(0.0) / games.len() as f64);
        let met: Vec<Meeting> = games
            .iter()
            .filter_map(|game| meet_in(game, &second.kind, &best.kind, plan, slot, &limit))
            .collect();
        let is_better = met.iter().map(|met| met.better.mean).sum::<f64>() > 0.0;
        // Without chance, who has learned plays the same game again and again. A search doesn't.
        let repeats = games.iter().all(|game| !game.program().uses_chance);
        let is_varied = repeats && best.kind.trains() && !second.kind.trains() && second.beats_random();
        let may_be_as_good = met.iter().all(|met| met.better.mean + met.better.half.unwrap_or(0.0) >= 0.0);
        if met.len() == games.len() && (is_better || is_varied && may_be_as_good) {
            measured.swap(0, 1);
        }
    }
    if let Some(best) = measured.first().filter(|best| best.mean() > 0.0) {
        found.kind = best.kind.clone();
    }
    found.contenders = measured.iter().filter_map(MeasuredPlayer::contender).collect();
    found
}

/// Returns the learner whose training takes some seconds in each of the games: `learned` itself, or one of fewer games.
/// `None` if there is no time for any.
pub fn fitting_learner(
    games: &[&Game],
    threads: usize,
    seconds: f64,
    stop: &Interrupt,
) -> Result<Option<AgentKind>, LearnError> {
    if games.iter().all(|game| is_trained(game, None)) {
        return Ok(Some(AgentKind::Learned(None)));
    }
    let Some(speed) = measure_training(games, threads, (seconds / 20.0).min(1.0), stop)? else {
        return Ok(None);
    };
    if speed.usual * seconds >= 1.0 {
        return Ok(Some(AgentKind::Learned(None)));
    }
    let count = rounded(speed.count_games(seconds));
    Ok((count >= FEWEST_TRAINED).then_some(AgentKind::Learned(Some(count))))
}

/// Trains as many games as fit into the time, and returns their number. `left` returns the seconds that are left for trainings,
/// and `train` trains a number of games and returns the seconds that it took, or `None` if there was no time for it.
fn fitting_training(
    speed: &TrainingSpeed,
    seconds: Option<f64>,
    left: &dyn Fn() -> Option<f64>,
    train: &dyn Fn(u64) -> Option<f64>,
) -> Option<u64> {
    let Some(seconds) = seconds else {
        let count = rounded(speed.tenth as f64);
        return train(count).map(|_| count);
    };
    let fits = |games: f64| rounded(games.min(speed.tenth as f64));
    let most = speed.count_games(TRAINED * seconds).min(speed.tenth as f64);
    let first = rounded((most / FIRST_PART).max(FEWEST_TRAINED as f64).min(most));
    let of_first = train(first)?;
    let second = fits(first as f64 * left().unwrap_or(0.0) / (SLOWER * of_first));
    let Some(of_second) = (second > first).then(|| train(second)).flatten() else { return Some(first) };
    // What is the same for all trainings makes the first look slow. Two tell it apart, but not exactly.
    let more = (of_second - of_first) / (second - first) as f64;
    let of_game = more.max(of_second / second as f64 / 2.0);
    let same = (of_second - of_game * second as f64).max(0.0);
    let third = fits((left().unwrap_or(0.0) / SLOWER - same) / of_game);
    Some(if third > second && train(third).is_some() { third } else { second })
}

/// The number of training games by work alone.
fn by_work(games: &[&Game]) -> Result<Option<TrainingSpeed>, LearnError> {
    let each = games.iter().map(|game| usual_tenth(game)).collect::<Result<Vec<u64>, _>>()?;
    let parts = UNTIMED_PART * each.len() as u64 * untimed_cost(games);
    Ok(each.iter().min().map(|tenth| TrainingSpeed {
        games: 0.0,
        randoms: 0.0,
        usual: 0.0,
        tenth: tenth / parts,
    }))
}

/// Returns how many times as long as others the games take, where nothing is timed.
fn untimed_cost(games: &[&Game]) -> u64 {
    if games.iter().any(|game| game.model().scripts.is_some()) { SCRIPTED } else { 1 }
}

/// Measures the speed of training for some seconds in each game, and returns that of the slowest. `None` if there was no
/// time for it. Fails if one of them can't be learned.
fn measure_training(
    games: &[&Game],
    threads: usize,
    seconds: f64,
    stop: &Interrupt,
) -> Result<Option<TrainingSpeed>, LearnError> {
    let mut slowest: Option<TrainingSpeed> = None;
    let mut error = None;
    for game in games {
        match stop.scope(|| measure_speed(game, threads, seconds)).unwrap_or(Ok(None)) {
            Ok(Some(one)) => {
                slowest = Some(slowest.map_or(one, |other| TrainingSpeed {
                    games: one.games.min(other.games),
                    randoms: one.randoms.min(other.randoms),
                    usual: one.usual.min(other.usual),
                    tenth: one.tenth.min(other.tenth),
                }));
            }
            Ok(None) => return Ok(None),
            Err(why) => error = Some(why),
        }
    }
    match (slowest, error) {
        (_, Some(why)) => Err(why),
        (slowest, None) => Ok(slowest),
    }
}

/// Plays games of one player against another, for some seconds if they are given; a training before isn't part of them.
/// `None` if too few were finished.
pub fn meet_in(
    game: &Game,
    one: &AgentKind,
    other: &AgentKind,
    plan: &ContestPlan,
    seconds: Option<f64>,
    limit: &Interrupt,
) -> Option<Meeting> {
    let seated = limit.scope(|| Some((one.seat_one(game).ok()?, other.seat_one(game).ok()?)));
    let (one, other) = seated.ok()??;
    let within = |factor: f64| limit.within_time(seconds.map(|seconds| factor * seconds));
    // A game that is begun in time may end late, but not much.
    let (enough, late) = (within(1.0), within(2.0));
    let stop = || enough.is_set();
    let met = late.scope(|| meet_on(game, &*one, &*other, plan.seed, GAMES, plan.threads, &stop).ok());
    met.ok().flatten().filter(|met| met.games >= FEWEST_MET * u64::from(game.players()))
}

/// Returns the search whose games take `patience` times the time that they may, in all games. Where something is hidden, it
/// draws conclusions from what others did only if games are short and the clock says that there is time for that: what such
/// worlds cost isn't known in advance.
fn fitting_search(games: &[&Game], plan: &ContestPlan, patience: f64) -> Option<AgentKind> {
    let fitting = |kind: fn(u32) -> AgentKind, fewest: f64| {
        let most = fitting_simulations(games, plan, patience, kind)?;
        (most >= fewest).then(|| kind(rounded(most) as u32))
    };
    if games.iter().all(|game| !game.hides()) {
        return fitting(AgentKind::Mcts, SIMULATIONS.0);
    }
    let glance = fitting(AgentKind::Glance, SIMULATIONS.0)?;
    let is_cheap = plan.seconds.is_some() && glance == AgentKind::Glance(SIMULATIONS.1 as u32);
    let concludes = if is_cheap { fitting(AgentKind::Ismcts, INFERRED) } else { None };
    Some(concludes.unwrap_or(glance))
}

/// Returns the number of simulations per decision with which games of a search take `patience` times the time that they may.
fn fitting_simulations(
    games: &[&Game],
    plan: &ContestPlan,
    patience: f64,
    kind: fn(u32) -> AgentKind,
) -> Option<f64> {
    let mut most = SIMULATIONS.1;
    for game in games {
        let decisions = random_game(game, plan.seed, |_| {})? as f64;
        let work = match plan.seconds {
            Some(_) => patience * SEARCH_WORK,
            None => SEARCH_WORK.min(DECISIONS_PER_SECOND * plan.of_game / untimed_cost(games) as f64),
        };
        most = most.min(work / (decisions * decisions / 2.0).max(1.0));
        if plan.seconds.is_some() {
            let kinds = vec![kind(TIMED); game.players() as usize];
            let seconds = seconds_of_a_game(game, &kinds, plan.seed, false)?;
            most = most.min(f64::from(TIMED) * patience * plan.of_game / seconds.max(1e-9));
        }
    }
    Some(most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::precision::sizes::some_of;
    use houserule_loader::{Request, load};

    fn game(name: &str) -> Game {
        load(&Request { name, ..Request::default() }).unwrap().game
    }

    #[test]
    fn the_best_of_a_contest_beats_random_players_and_is_the_same_everywhere() {
        let plan = |threads| ContestPlan { seed: 1, threads, seconds: None, of_game: 1.0 };
        let stop = Interrupt::new();
        let games = [("tic-tac-toe", 0.9), ("pig", 0.9), ("connect-four", 0.9), ("mexico", 0.6)];
        for (name, least) in some_of("contest", 2, games) {
            let game = game(name);
            let found = choose_player(&[&game], &plan(1), &stop);
            assert!(found.beats_random() && !found.decides_nothing, "{name}: {found:?}");
            assert_eq!(found.kind.to_string(), found.contenders[0].agent, "{name}");
            assert!(found.contenders[0].own.mean > least, "{name}: {found:?}");
            assert_eq!(found, choose_player(&[&game], &plan(3), &stop), "{name}");
            // Another process gets it as JSON.
            let json = serde_json::to_string(&found).unwrap();
            assert_eq!(found, serde_json::from_str::<QuickPlayer>(&json).unwrap(), "{name}: {json}");
        }
    }

    #[test]
    fn nobody_is_chosen_where_nothing_is_decided_or_there_is_no_time() {
        let plan = ContestPlan { seed: 1, threads: 1, seconds: None, of_game: 1.0 };
        let idle = choose_player(&[&game("snakes-and-ladders")], &plan, &Interrupt::new());
        assert!(idle.decides_nothing && idle.kind == AgentKind::Random && idle.contenders.is_empty());
        let soon = ContestPlan { seconds: Some(0.0), ..plan };
        let late = choose_player(&[&game("chess")], &soon, &Interrupt::new());
        assert!(!late.decides_nothing && late.kind == AgentKind::Random && !late.beats_random());
    }

    /// A training takes some seconds, and some for each game, of a speed that was measured as `factor` times as high. There are
    /// `seconds` for the contest.
    fn trained_in(same: f64, of_game: f64, factor: f64, seconds: f64) -> Option<u64> {
        let left = std::cell::Cell::new(seconds * LATEST);
        let train = |count: u64| {
            let needed = same + count as f64 * of_game;
            left.set(left.get() - needed);
            (count >= FEWEST_TRAINED && left.get() >= 0.0).then_some(needed)
        };
        let (games, randoms) = (factor / of_game, f64::INFINITY);
        let speed = TrainingSpeed { games, randoms, usual: 0.0, tenth: 1_000_000 };
        let until = || Some(left.get() - seconds * (LATEST - TRAINED));
        fitting_training(&speed, Some(seconds), &until, &train)
    }

    #[test]
    fn a_training_is_as_long_as_its_first_parts_say() {
        // 300 games fit into 0.3 seconds, and 1,200 by the measured speed.
        assert_eq!(trained_in(0.0, 0.001, 4.0, 0.5), Some(200));
        assert_eq!(trained_in(0.0, 0.1, 4.0, 0.5), None);
        // A training of 20 games takes 0.12 seconds, one of 50 says that most of that is the same for all.
        assert_eq!(trained_in(0.1, 0.001, 0.4, 1.0), Some(100));
    }

    #[test]
    fn no_conclusions_are_drawn_without_a_clock() {
        let plan = ContestPlan { seed: 1, threads: 1, seconds: None, of_game: 1.0 };
        let kind = |name| fitting_search(&[&game(name)], &plan, 1.0);
        assert!(matches!(kind("dominoes"), Some(AgentKind::Glance(_))), "{:?}", kind("dominoes"));
        assert!(matches!(kind("tic-tac-toe"), Some(AgentKind::Mcts(_))));
    }

    #[test]
    fn numbers_are_rounded_down_to_few_digits() {
        assert_eq!([0.0, 1.0, 4.9, 5.0, 19.0, 2000.0, 49_999.0].map(rounded), [1, 1, 2, 5, 10, 2000, 20_000]);
    }
}
