//! The course of training: several starts, of which the best goes on, and checkpoints.

use std::sync::Arc;

use cpu_time::ThreadTime;

use super::plan::Plan;
use super::run::Run;
use super::selfplay::meet;
use super::turn::{Aim, Turn};
use super::{About, Learned, kept};
use crate::engine::Game;
use crate::interrupt;

/// How long to train.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Budget {
    /// So many games in all.
    Games(u64),
    /// So many seconds of processor time on each thread, judging not counted.
    Seconds(f64),
}

/// A course of training.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    /// How long.
    pub budget: Budget,
    /// What all chance and exploring is drawn from. The same seed and number of games give the same player, on any
    /// number of threads.
    pub seed: u64,
    /// How many threads play.
    pub threads: usize,
}

/// Why nothing could be learned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LearnError {
    /// Of the random games none came to an end.
    NoEnds,
    /// A lone player has no score.
    NoScore,
}

impl std::fmt::Display for LearnError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            LearnError::NoEnds => {
                "nothing can be learned: none of 60 random games came to an end without an error; \
                 `houserule check` says how they end"
            }
            LearnError::NoScore => "nothing can be learned: a lone player without a score has no aim",
        })
    }
}

impl std::error::Error for LearnError {}

/// How far training has come.
pub struct Checkpoint {
    /// The player as it is now.
    pub player: Learned,
    /// By how much it is better than the best before, in the games of fixed seeds, and the standard error: points of
    /// a lone player, else what games return. None at the first checkpoint.
    pub gain: Option<(f64, f64)>,
    /// It is the best from now on: no player before is surely better.
    pub is_best: bool,
}

/// Games of each start: as many as take about so many look-ups of weights, some one or two seconds.
const START: f64 = 1.0e9;

/// The same of a whole course that nobody gave a budget.
const WHOLE: f64 = 1.2e10;

/// By how much the first checkpoint lies behind the starts, and each further one behind the one before.
const FURTHER: u64 = 2;

/// How many standard errors an earlier player must be better by to be kept.
const SURELY: f64 = 2.0;

/// Optimism of a lone player's starts, in standard deviations of the scores of random games. A player that expects
/// too much tries what it does not know; one that expects too little never finds what pays late.
const OPTIMISM: [f64; 2] = [2.0, 5.0];

/// Who looks on while a player is trained. What that takes is no part of a budget of time.
pub trait Audience {
    /// So many games were played so far.
    fn played(&mut self, _games: u64) {}

    /// Here is the player as it is now.
    fn checkpoint(&mut self, _at: Checkpoint) {}

    /// Is it enough? Then training ends, and its result is the best player so far.
    fn is_enough(&mut self) -> bool {
        false
    }
}

/// Nobody looks on.
impl Audience for () {}

/// Trains a player.
pub fn train(game: &Game, course: &Course, audience: &mut dyn Audience) -> Result<Learned, LearnError> {
    let mut school = School::new(game, &kept::plan(game), course)?;
    let mut runs = school.starts();
    let total = match course.budget {
        Budget::Games(games) => games,
        Budget::Seconds(_) => u64::MAX,
    };
    let each = school.games_worth(START).min(total / (2 * runs.len() as u64)).max(1);
    if runs.len() > 1 {
        for run in &mut runs {
            school.play(run, each, audience);
        }
    }
    let mut run = school.best_of(runs);
    let lost = school.played - run.games;
    let mut former: Option<Learned> = None;
    let mut next = run.games.max(each);
    loop {
        next = next.saturating_mul(FURTHER);
        school.play(&mut run, next.min(total - lost), audience);
        let over = run.games < next || run.games >= total - lost;
        let player = school.player(&run);
        if audience.is_enough() {
            // Whether it is better than the one before takes too long to find out.
            return Ok(former.unwrap_or(player));
        }
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

/// The number of games that take about as long as an unhurried course: what `learned` alone means.
pub fn usual_games(game: &Game) -> Result<u64, LearnError> {
    let course = Course { budget: Budget::Games(0), seed: 0, threads: 1 };
    Ok(School::new(game, &kept::plan(game), &course)?.games_worth(WHOLE))
}

/// What a course needs all the time.
struct School<'c> {
    course: &'c Course,
    plan: Arc<Plan>,
    /// One for each thread.
    turns: Vec<Turn>,
    /// Features of a state, on the average.
    features: f64,
    /// Seconds of training so far.
    seconds: f64,
    /// Games of all runs.
    played: u64,
    about: About,
}

impl<'c> School<'c> {
    fn new(game: &Game, plan: &Arc<Plan>, course: &'c Course) -> Result<School<'c>, LearnError> {
        if plan.sample.ended == 0 {
            return Err(LearnError::NoEnds);
        }
        if game.players() == 1 && game.model().score.is_empty() {
            return Err(LearnError::NoScore);
        }
        let mut first = Turn::new(game, plan, Aim::Outcome);
        let features = features(&mut first);
        let mut turns: Vec<Turn> = (1..course.threads).map(|_| first.more()).collect();
        turns.push(first);
        let about = About { seed: course.seed, ..About::of(game) };
        Ok(School { course, plan: Arc::clone(plan), turns, features, seconds: 0.0, played: 0, about })
    }

    /// How many games take about so many look-ups of weights: a number that no clock has a part in.
    fn games_worth(&self, look_ups: f64) -> u64 {
        let sample = &self.plan.sample;
        // What a state costs besides its features, in look-ups.
        let state = self.features + 100.0;
        (look_ups / (sample.decisions.max(1.0) * sample.actions.max(1.0) * state)).ceil() as u64
    }

    /// Learners with different hopes or aims.
    fn starts(&self) -> Vec<Run> {
        let run = |each: f64, aim| Run::new(self.plan.weights(), each as f32, aim, self.course.seed);
        let model = self.turns[0].trials.game().model();
        if model.players.count == 1 {
            let spread = self.plan.sample.worth.1;
            let optimistic = |optimism: f64| run(optimism * spread / self.features.max(1.0), Aim::Score);
            return OPTIMISM.into_iter().map(optimistic).collect();
        }
        let aims: &[Aim] = if model.score.is_empty() { &[Aim::Outcome] } else { &[Aim::Outcome, Aim::Lead] };
        aims.iter().map(|aim| run(0.0, *aim)).collect()
    }

    /// Plays on until so many games of the run, or until the time is over.
    fn play(&mut self, run: &mut Run, until: u64, audience: &mut dyn Audience) {
        let (time, before) = (ThreadTime::now(), run.games);
        let left = match self.course.budget {
            Budget::Games(_) => f64::INFINITY,
            Budget::Seconds(seconds) => seconds - self.seconds,
        };
        let played = self.played;
        run.play(&mut self.turns, until, &mut |games| {
            audience.played(played + games - before);
            time.elapsed().as_secs_f64() >= left || audience.is_enough()
        });
        self.seconds += time.elapsed().as_secs_f64();
        self.played += run.games - before;
    }

    /// The run that plays best.
    fn best_of(&mut self, runs: Vec<Run>) -> Run {
        let mut runs = runs.into_iter();
        let Some(mut best) = runs.next() else { return Run::new(0, 0.0, Aim::Outcome, 0) };
        for run in runs {
            if self.difference((&run.weights, run.aim), (&best.weights, best.aim)).0 > 0.0 {
                best = run;
            }
        }
        best
    }

    /// By how much one player is better than another in the same games, and the standard error: scores of a lone
    /// player, else what games return, every seat as often.
    fn difference(&mut self, one: (&[f32], Aim), other: (&[f32], Aim)) -> (f64, f64) {
        let players = self.turns[0].trials.game().players() as usize;
        let games = (self.games_worth(START) / 4).clamp(40, 1000);
        let turn = &mut self.turns[0];
        let mut differences = vec![];
        for index in 0..games {
            interrupt::check();
            // What a seat returns to one player, with the other in all other seats.
            let mut played = |seat: usize, one, other| {
                let mut seats = vec![other; players];
                seats[seat] = one;
                meet(turn, &seats, JUDGED, index).map(|returned| returned[seat])
            };
            let difference: Option<f64> = (0..players)
                .map(|seat| match players {
                    1 => Some(played(seat, one, other)? - played(seat, other, one)?),
                    // What all seats return adds up to nothing where all play alike.
                    _ => played(seat, one, other),
                })
                .sum();
            differences.extend(difference.map(|sum| sum / players as f64));
        }
        mean_and_error(&differences)
    }

    /// The player that a run is now.
    fn player(&self, run: &Run) -> Learned {
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

/// The seed of games between learners.
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

/// How many features a state has, on the average of a random game.
fn features(turn: &mut Turn) -> f64 {
    let mut stream = crate::agents::agent_stream(JUDGED, 0, 2);
    let (mut seen, mut sum, mut states) = (vec![], 0, 0);
    if turn.trials.start(0, JUDGED, 0).is_ok() {
        while let Some(seat) = turn.trials.current_player(0).filter(|_| states < 500) {
            turn.look(0, seat as usize, &mut seen);
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
