//! The course of training: several starts, of which the best goes on, and checkpoints.

use std::sync::Arc;

use cpu_time::ThreadTime;

use super::plan::Plan;
use super::run::Run;
use super::selfplay::meet;
use super::turn::{Aim, STATE, Turn};
use super::weights::lambda;
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
    /// As many games as take some 15 seconds of one processor, counted by what is looked at and by no clock: the same
    /// number on every machine.
    Usual,
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
    /// Nobody decides anything.
    NoDecisions,
}

impl std::fmt::Display for LearnError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            LearnError::NoEnds => {
                "nothing can be learned: none of 60 random games came to an end without an error; \
                 `houserule check` says how they end"
            }
            LearnError::NoScore => "nothing can be learned: a lone player without a score has no aim",
            LearnError::NoDecisions => {
                "nothing can be learned: in 60 random games nobody had anything to decide"
            }
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

/// Look-ups of weights in each start, some three seconds: a hopeful player is the worse one at first.
const START: u64 = 900_000_000;

/// Look-ups of weights in the usual budget.
const USUAL: u64 = 3_600_000_000;

/// By how much the first checkpoint lies behind the starts, and each further one behind the one before.
const FURTHER: u64 = 2;

/// How many standard errors an earlier player must be better by to be kept.
const SURELY: f64 = 2.0;

/// Optimism of a lone player's starts, in standard deviations of the scores of random games. A player that expects
/// too much tries what it does not know; one that expects too little never finds what pays late.
const OPTIMISM: [f64; 2] = [2.0, 5.0];

/// Who looks on while a player is trained. What that takes is no part of a budget of time.
pub trait Audience {
    /// So many games were played so far, which is such a share of the budget, from 0 to 1.
    fn played(&mut self, _games: u64, _share: f64) {}

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
        Budget::Seconds(_) | Budget::Usual => u64::MAX,
    };
    // All starts together take half of the course at the most.
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
        let player = school.steadier(&run);
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

/// Can a game be learned?
pub fn can_learn(game: &Game) -> Result<(), LearnError> {
    let course = Course { budget: Budget::Usual, seed: 0, threads: 1 };
    School::new(game, &kept::plan(game), &course).map(drop)
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
    /// What they cost in look-ups.
    work: u64,
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
        if plan.sample.actions <= 1.0 {
            return Err(LearnError::NoDecisions);
        }
        let mut first = Turn::new(game, plan, Aim::Outcome);
        let features = features(&mut first);
        let mut turns: Vec<Turn> = (1..course.threads).map(|_| first.more()).collect();
        turns.push(first);
        let about = About { seed: course.seed, ..About::of(game) };
        Ok(School {
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

    /// How many games take about so many look-ups of weights: a number that no clock has a part in.
    fn games_worth(&self, look_ups: f64) -> u64 {
        let sample = &self.plan.sample;
        let state = self.features + STATE as f64;
        (look_ups / (sample.decisions.max(1.0) * sample.actions.max(1.0) * state)).ceil() as u64
    }

    /// Learners with different hopes or aims.
    fn starts(&self) -> Vec<Run> {
        let lambda = lambda(self.turns[0].trials.has_chance());
        let run = |each: f64, aim| Run::new(self.plan.weights(), each as f32, aim, lambda, self.course.seed);
        let model = self.turns[0].trials.game().model();
        if model.players.count == 1 {
            let spread = self.plan.sample.worth.1;
            let optimistic = |optimism: f64| run(optimism * spread / self.features.max(1.0), Aim::Score);
            return OPTIMISM.into_iter().map(optimistic).collect();
        }
        let aims: &[Aim] = if model.score.is_empty() { &[Aim::Outcome] } else { &[Aim::Outcome, Aim::Lead] };
        aims.iter().map(|aim| run(0.0, *aim)).collect()
    }

    /// Plays on until so many games of the run, or until they have cost so much, or until a share of the budget of the
    /// course is spent.
    fn play(&mut self, run: &mut Run, until: u64, work: u64, share: f64, audience: &mut dyn Audience) {
        let (time, before, work_before) = (ThreadTime::now(), run.games, run.work);
        let budget = self.course.budget;
        let (seconds_left, most) = match budget {
            Budget::Games(_) => (f64::INFINITY, u64::MAX),
            Budget::Seconds(seconds) => (share * seconds - self.seconds, u64::MAX),
            Budget::Usual => (f64::INFINITY, (share * USUAL as f64) as u64),
        };
        let work_left = most.saturating_sub(self.work).min(work.saturating_sub(run.work));
        let (played, worked, trained) = (self.played, self.work, self.seconds);
        run.play(&mut self.turns, until, &mut |games, work| {
            let played = played + games - before;
            let share = match budget {
                Budget::Games(games) => played as f64 / games as f64,
                Budget::Seconds(seconds) => (trained + time.elapsed().as_secs_f64()) / seconds,
                Budget::Usual => (worked + work - work_before) as f64 / USUAL as f64,
            };
            audience.played(played, share.min(1.0));
            let over = time.elapsed().as_secs_f64() >= seconds_left || work - work_before >= work_left;
            over || audience.is_enough()
        });
        self.work += run.work - work_before;
        self.seconds += time.elapsed().as_secs_f64();
        self.played += run.games - before;
    }

    /// The run that plays best.
    fn best_of(&mut self, runs: Vec<Run>) -> Run {
        let mut runs = runs.into_iter();
        let Some(mut best) = runs.next() else { return Run::new(0, 0.0, Aim::Outcome, 0.0, 0) };
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
        let games = (self.games_worth(START as f64) / 4).clamp(40, 1000);
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

    /// The player that a run is now, with the average of its weights where that plays better.
    fn steadier(&mut self, run: &Run) -> Learned {
        let (player, weights) = (self.player(run), run.averaged());
        match self.difference((&weights, run.aim), player.plays()).0 > 0.0 {
            true => Learned { weights, ..player },
            false => player,
        }
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
