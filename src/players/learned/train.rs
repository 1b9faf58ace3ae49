//! Training: several starts, of which the best continues, and checkpoints.

use std::sync::{Arc, Mutex, PoisonError};

use super::plan::FeaturePlan;
use super::run::{TrainingRun, lock};
use super::selfplay::{TrainingGame, exploration, meet, play};
use super::turn::{Aim, STATE, TurnSearch};
use super::weights::lambda;
use super::{About, Learned, kept};
use houserule_base::clock::{Instant, ThreadClock};
use houserule_base::interrupt;
use houserule_base::pool::Pool;
use houserule_game::{Game, Seat};

/// The length of a training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TrainingBudget {
    /// The total number of games.
    Games(u64),
    /// CPU time on each thread, in seconds, without evaluation.
    Seconds(f64),
    /// About 15 s of CPU time, measured in weight look-ups instead of by the clock, so the number of games is the
    /// same on every machine.
    Usual,
}

/// The parameters of a training.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    /// The length.
    pub budget: TrainingBudget,
    /// The seed of all chance and exploration. The same seed and number of games give the same agent, on any
    /// number of threads.
    pub seed: u64,
    /// The number of threads.
    pub threads: usize,
}

/// Why a game can't be learned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LearnError {
    /// No random game came to an end.
    NoEnds,
    /// A one-player game has neither a score nor a payoff.
    NoScore,
    /// No random game had a decision between actions.
    NoDecisions,
}

impl std::fmt::Display for LearnError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            LearnError::NoEnds => {
                "nothing can be learned: none of 60 random games came to an end without an error; \
                 `houserule check` says how they end"
            }
            LearnError::NoScore => {
                "nothing can be learned: a lone player without a score or a payoff has no aim"
            }
            LearnError::NoDecisions => {
                "nothing can be learned: in no random game had anybody anything to decide"
            }
        })
    }
}

impl std::error::Error for LearnError {}

/// The state of a training.
pub struct Checkpoint {
    /// The agent as it is now.
    pub player: Learned,
    /// The mean advantage over the best agent before, in games of fixed seeds, and its standard error: in points
    /// for a one-player game, else in returns. `None` at the first checkpoint.
    pub gain: Option<(f64, f64)>,
    /// Whether this is now the best agent: the one before isn't significantly better.
    pub is_best: bool,
}

/// Budget of each start, in weight look-ups (about 3 s). An optimistic start is the weaker one at first.
const START: u64 = 900_000_000;

/// Budget of a [`TrainingBudget::Usual`] training, in weight look-ups.
const USUAL: u64 = 3_600_000_000;

/// Two agents are compared in one game for this many training games, so that a short training isn't mostly comparison.
const JUDGING: u64 = 8;

/// Minimum number of games in which two agents are compared.
const FEWEST_JUDGED: u64 = 8;

/// Number of games that are enough to measure their speed.
const ENOUGH_TIMED: u64 = 100;

/// Part of the speed of the first games that a training has: it learns from them, later games are longer, and players are
/// compared.
const TRAINING_SPEED: f64 = 0.35;

/// Factor between the numbers of games at successive checkpoints.
const FURTHER: u64 = 2;

/// Number of games of random players before a training of some games, for each of its games.
const WARM_UP: u64 = 10;

/// The most games of random players before a training.
const MOST_WARM_UP: u64 = 5_000;

/// Number of standard errors by which the earlier agent must be better to be kept.
const SURELY: f64 = 2.0;

/// Optimistic initial values of the starts of a one-player game, in standard deviations of random scores. An agent
/// that expects too much tries the unknown; one that expects too little never finds late rewards.
const OPTIMISM: [f64; 2] = [2.0, 5.0];

/// Callbacks that follow a training. Their time doesn't count towards a time budget.
pub trait TrainingObserver {
    /// Reports the number of games so far, and the used share of the budget, from 0 to 1.
    fn played(&mut self, _games: u64, _share: f64) {}

    /// Reports the agent as it is now.
    fn checkpoint(&mut self, _at: Checkpoint) {}

    /// Returns `true` to end the training with the best agent so far.
    fn is_enough(&mut self) -> bool {
        false
    }
}

/// Follows nothing.
impl TrainingObserver for () {}

/// Trains an agent.
pub fn train(
    game: &Game,
    course: &Course,
    audience: &mut dyn TrainingObserver,
) -> Result<Learned, LearnError> {
    let mut school = Trainer::new(game, &kept::plan(game), course)?;
    let mut runs = school.starts();
    let total = match course.budget {
        TrainingBudget::Games(games) => games,
        TrainingBudget::Seconds(_) | TrainingBudget::Usual => u64::MAX,
    };
    let warm = school.warm_up_games();
    for run in &mut runs {
        run.warm_up(&mut school.turns, warm, &mut || audience.is_enough());
    }
    // All starts together take at most half of the budget.
    let starts = runs.len() as u64;
    if starts > 1 {
        for (run, number) in runs.iter_mut().zip(1..) {
            let share = number as f64 / (2 * starts) as f64;
            school.play(run, (total / (2 * starts)).max(1), START, share, audience);
        }
    }
    let mut run = school.best_of(runs);
    let lost = school.played - run.games;
    let mut former: Option<Learned> = None;
    let mut next = run.games;
    if next == 0 {
        next = school.games_worth(START as f64);
    }
    loop {
        next = next.saturating_mul(FURTHER);
        school.play(&mut run, next.min(total - lost), u64::MAX, 1.0, audience);
        let over = run.games < next || run.games >= total - lost;
        if audience.is_enough() {
            // Comparing the agent with others would take too long.
            return Ok(former.unwrap_or_else(|| school.player(&run)));
        }
        let player = school.steadier(&run);
        let gain = former.as_ref().map(|former| school.difference(player.plays(), former.plays()));
        let is_best = gain.is_none_or(|(gain, error)| gain >= -SURELY * error);
        audience.checkpoint(Checkpoint { player: player.clone(), gain, is_best });
        let best = match former {
            Some(former) if !is_best => former,
            _ => player,
        };
        if over {
            return Ok(best);
        }
        former = Some(best);
    }
}

/// Returns `Ok` if the game can be learned.
pub fn can_learn(game: &Game) -> Result<(), LearnError> {
    let course = Course { budget: TrainingBudget::Usual, seed: 0, threads: 1 };
    Trainer::new(game, &kept::plan(game), &course).map(drop)
}

/// How fast a game is learned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainingSpeed {
    /// Training games a second, by the clock.
    pub games: f64,
    /// Games of random players a second, from which a training of some games learns first, by the clock.
    pub randoms: f64,
    /// The share of a [`TrainingBudget::Usual`] training that a second does.
    pub usual: f64,
    /// The number of games that a tenth of a usual training plays: see [`usual_tenth`].
    pub tenth: u64,
}

impl TrainingSpeed {
    /// Returns the number of games of a [`TrainingBudget::Games`] training that takes some seconds.
    pub fn count_games(&self, seconds: f64) -> f64 {
        let all_warm_up = MOST_WARM_UP as f64 / self.randoms;
        let with_part = seconds / (1.0 / self.games + WARM_UP as f64 / self.randoms);
        with_part.max((seconds - all_warm_up) * self.games)
    }
}

/// Measures how fast a training on some threads will presumably be, in games on one thread that take about `seconds`. `None` if a
/// flag of the caller, or six times as long, ended the first of them.
pub fn measure_speed(game: &Game, threads: usize, seconds: f64) -> Result<Option<TrainingSpeed>, LearnError> {
    let limit = interrupt::Interrupt::new().within(6.0 * seconds);
    let measured = limit.scope(|| {
        let course = Course { budget: TrainingBudget::Usual, seed: 0, threads: 1 };
        let mut trainer = Trainer::new(game, &kept::plan(game), &course)?;
        let mut starts = trainer.starts();
        let number = starts.len() as f64;
        let Some(run) = starts.last_mut() else { return Ok(None) };
        let tenth = trainer.games_worth(USUAL as f64 / 10.0);
        let turn = &mut trainer.turns[0];
        let (clock, mut log) = (Instant::now(), TrainingGame::default());
        let (mut games, mut spent) = (0, 0.0);
        while games == 0 || spent < seconds && games < ENOUGH_TIMED {
            play(turn, &run.weights, 0, games, exploration(turn, 0), &mut log);
            games += 1;
            spent = clock.elapsed().as_secs_f64().max(1e-9);
        }
        let usual = turn.work as f64 / USUAL as f64;
        // Each start has games of random players. They are played so fast that one thread, which learns from them, sets the pace.
        let randoms = match game.players() {
            1 => f64::INFINITY,
            _ => {
                let clock = Instant::now();
                (0..games).for_each(|index| run.learn_from_random_game(turn, index, &mut log));
                games as f64 / (number * clock.elapsed().as_secs_f64().max(1e-9))
            }
        };
        let factor = TRAINING_SPEED * threads.max(1) as f64 / spent;
        Ok(Some(TrainingSpeed { games: games as f64 * factor, randoms, usual: usual * factor, tenth }))
    });
    interrupt::check();
    measured.unwrap_or(Ok(None))
}

/// Returns the number of games that a tenth of a [`TrainingBudget::Usual`] training plays: the same on every machine.
pub fn usual_tenth(game: &Game) -> Result<u64, LearnError> {
    let course = Course { budget: TrainingBudget::Usual, seed: 0, threads: 1 };
    Ok(Trainer::new(game, &kept::plan(game), &course)?.games_worth(USUAL as f64 / 10.0))
}

/// The state shared by all runs of a training.
struct Trainer<'c> {
    course: &'c Course,
    plan: Arc<FeaturePlan>,
    /// One for each thread.
    turns: Vec<TurnSearch>,
    /// Mean number of features of a state.
    features: f64,
    /// Training time so far, in seconds.
    seconds: f64,
    /// Games of all runs.
    played: u64,
    /// Cost of these games, in weight look-ups.
    work: u64,
    about: About,
}

impl<'c> Trainer<'c> {
    fn new(game: &Game, plan: &Arc<FeaturePlan>, course: &'c Course) -> Result<Trainer<'c>, LearnError> {
        if plan.sample.ended == 0 {
            return Err(LearnError::NoEnds);
        }
        if plan.sample.actions <= 1.0 {
            return Err(LearnError::NoDecisions);
        }
        if game.players() == 1 && game.model().score.is_empty() && !game.pays() {
            return Err(LearnError::NoScore);
        }
        let mut first = TurnSearch::new(game, plan, Aim::Outcome);
        let features = features(&mut first);
        let mut turns: Vec<TurnSearch> = (1..course.threads).map(|_| first.more()).collect();
        turns.push(first);
        let about = About { seed: course.seed, ..About::new(game) };
        Ok(Trainer {
            course,
            plan: Arc::clone(plan),
            turns,
            features,
            seconds: 0.0,
            played: 0,
            work: 0,
            about,
        })
    }

    /// Estimates how many games cost `look_ups` weight look-ups, without a clock.
    fn games_worth(&self, look_ups: f64) -> u64 {
        let sample = &self.plan.sample;
        let state = self.features + STATE as f64;
        (look_ups / (sample.decisions.max(1.0) * sample.actions.max(1.0) * state)).ceil() as u64
    }

    /// Returns the number of games of random players from which a training of some games learns first.
    fn warm_up_games(&self) -> u64 {
        match self.course.budget {
            TrainingBudget::Games(games) if self.about.players > 1 => {
                games.saturating_mul(WARM_UP).min(MOST_WARM_UP)
            }
            TrainingBudget::Games(_) | TrainingBudget::Seconds(_) | TrainingBudget::Usual => 0,
        }
    }

    /// Untrained runs with different optimism or aims.
    fn starts(&self) -> Vec<TrainingRun> {
        let lambda = lambda(self.turns[0].trials.has_chance());
        let run = |each: f64, aim| {
            TrainingRun::new(self.plan.weights(), each as f32, aim, lambda, self.course.seed)
        };
        let model = self.turns[0].trials.game().model();
        if model.payoff.is_some() {
            return vec![run(0.0, Aim::Payoff)];
        }
        if model.players.count == 1 {
            let spread = self.plan.sample.worth.1;
            let optimistic = |optimism: f64| run(optimism * spread / self.features.max(1.0), Aim::Score);
            return OPTIMISM.into_iter().map(optimistic).collect();
        }
        let aims: &[Aim] = if model.score.is_empty() { &[Aim::Outcome] } else { &[Aim::Outcome, Aim::Lead] };
        aims.iter().map(|aim| run(0.0, *aim)).collect()
    }

    /// Trains a run until it has played `until` games or cost `work`, or until `share` of the training's budget is
    /// spent.
    fn play(
        &mut self,
        run: &mut TrainingRun,
        until: u64,
        work: u64,
        share: f64,
        audience: &mut dyn TrainingObserver,
    ) {
        let (time, before, work_before) = (ThreadClock::start(), run.games, run.work);
        let budget = self.course.budget;
        let (seconds_left, most) = match budget {
            TrainingBudget::Games(_) => (f64::INFINITY, u64::MAX),
            TrainingBudget::Seconds(seconds) => (share * seconds - self.seconds, u64::MAX),
            TrainingBudget::Usual => (f64::INFINITY, (share * USUAL as f64) as u64),
        };
        let work_left = most.saturating_sub(self.work).min(work.saturating_sub(run.work));
        let (played, worked, trained) = (self.played, self.work, self.seconds);
        run.play(&mut self.turns, until, &mut |games, work| {
            let played = played + games - before;
            let share = match budget {
                TrainingBudget::Games(games) => played as f64 / games as f64,
                TrainingBudget::Seconds(seconds) => (trained + time.seconds()) / seconds,
                TrainingBudget::Usual => (worked + work - work_before) as f64 / USUAL as f64,
            };
            audience.played(played, share.min(1.0));
            let over = time.seconds() >= seconds_left || work - work_before >= work_left;
            over || audience.is_enough()
        });
        self.work += run.work - work_before;
        self.seconds += time.seconds();
        self.played += run.games - before;
    }

    /// Returns the run that plays best.
    fn best_of(&mut self, runs: Vec<TrainingRun>) -> TrainingRun {
        let mut runs = runs.into_iter();
        let Some(mut best) = runs.next() else { return TrainingRun::new(0, 0.0, Aim::Outcome, 0.0, 0) };
        for run in runs {
            if self.difference((&run.weights, run.aim), (&best.weights, best.aim)).0 > 0.0 {
                best = run;
            }
        }
        best
    }

    /// The mean advantage of agent `one` over `other` in the same games, and its standard error: in payoffs, in scores for
    /// a one-player game, else in returns. `one` plays every seat equally often.
    fn difference(&mut self, one: (&[f32], Aim), other: (&[f32], Aim)) -> (f64, f64) {
        let players = self.turns[0].trials.game().players() as usize;
        // Each game is played once for each seat, and games of more players are longer, so there are fewer of them.
        let seats = players.max(2) as u64;
        let most = ((self.games_worth(START as f64) / 4).clamp(40, 1000) * 4 / (seats * seats)).max(20);
        let games = most.min((self.played / (JUDGING * seats)).max(FEWEST_JUDGED));
        let found: Vec<Mutex<Option<f64>>> = (0..games).map(|_| Mutex::default()).collect();
        let mut pool = Pool::new(self.turns.len());
        // A thread takes any turn that no other thread uses.
        let turns: Mutex<Vec<&mut TurnSearch>> = Mutex::new(self.turns.iter_mut().rev().collect());
        pool.run(found.len(), &|index| {
            let Some(turn) = lock(&turns).pop() else { unreachable!("there is a turn for each thread") };
            let compared = interrupt::catch(|| compare(turn, players, one, other, index as u64));
            lock(&turns).push(turn);
            match compared {
                Ok(difference) => *lock(&found[index]) = difference,
                Err(_) => interrupt::unwind(),
            }
        });
        interrupt::check();
        let differences =
            found.into_iter().filter_map(|one| one.into_inner().unwrap_or_else(PoisonError::into_inner));
        mean_and_error(&differences.collect::<Vec<f64>>())
    }

    /// The agent that a run is now, with averaged weights if they play better.
    fn steadier(&mut self, run: &TrainingRun) -> Learned {
        let (player, weights) = (self.player(run), run.averaged());
        match self.difference((&weights, run.aim), player.plays()).0 > 0.0 {
            true => Learned { weights, ..player },
            false => player,
        }
    }

    /// The agent that a run is now.
    fn player(&self, run: &TrainingRun) -> Learned {
        let about = About { games: self.played, seconds: self.seconds, ..self.about.clone() };
        Learned {
            plan: Arc::clone(&self.plan),
            aim: run.aim,
            start: run.start,
            weights: run.weights.clone(),
            about,
        }
    }
}

/// The advantage of agent `one` over `other` in one game, on average over all seats; `None` if the game comes to no end.
fn compare(
    turn: &mut TurnSearch,
    players: usize,
    one: (&[f32], Aim),
    other: (&[f32], Aim),
    index: u64,
) -> Option<f64> {
    let balanced = turn.trials.game().has_unit_values();
    // The result of a seat played by `one`, with `other` in all other seats.
    let mut played = |seat: usize, one, other| {
        let mut seats = vec![other; players];
        seats[seat] = one;
        meet(turn, &seats, JUDGED, index).map(|returned| returned[seat])
    };
    let sum: Option<f64> = (0..players)
        .map(|seat| match balanced {
            // If all play alike, the returns of all seats sum to 0.
            true => played(seat, one, other),
            false => Some(played(seat, one, other)? - played(seat, other, other)?),
        })
        .sum();
    sum.map(|sum| sum / players as f64)
}

/// The seed of evaluation games.
const JUDGED: u64 = 0x1a77_ed01;

fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    if n < 2.0 {
        return (0.0, f64::INFINITY);
    }
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / (n - 1.0) / n).sqrt())
}

/// Measures the mean number of features of a state in one random game, in at most 500 states.
fn features(turn: &mut TurnSearch) -> f64 {
    let mut stream = crate::agent::agent_stream(JUDGED, 0, Seat(2));
    let (mut seen, mut sum, mut states) = (vec![], 0, 0);
    if turn.trials.start(0, JUDGED, 0).is_ok() {
        while let Some(seat) = turn.trials.current_player(0).filter(|_| states < 500) {
            turn.write_features(0, seat as usize, &mut seen);
            sum += seen.len();
            states += 1;
            let Some(action) = turn.trials.random_action(0, &mut stream) else { break };
            if turn.trials.play(0, action).is_err() {
                break;
            }
        }
    }
    sum as f64 / f64::from(states.max(1))
}
