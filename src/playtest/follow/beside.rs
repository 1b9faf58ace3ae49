//! Games of one agent under two rules, followed: how they are decided, and which of the new options are taken where they
//! can be.

use super::course::{CourseFigures, find_winner, shares};
use super::exact::{ExactValues, LIMITS};
use super::followed::FollowedGames;
use super::odds::{Expectations, MOST_MOVEMENT};
use super::track::{FollowedAgent, Track, TrackPlan, Tracks, different_games, follow};
use crate::compare::{CHANCE, ComparePlan, TRAININGS, part_of_training};
use crate::comparison::{Mean, Quantity, relative};
use crate::course::{CourseComparison, NewOption};
use crate::metric::{
    COMEBACKS, DECIDED_POINT, FAVOURITE_WINS, FROM_BEHIND, LEAD_CHANGES, MARGIN, MetricKind, SCORE_LEADS,
};
use crate::plan::SimulateError;
use crate::sentences::sentence;
use houserule_base::clock::Instant;
use houserule_base::interrupt::Interrupt;
use houserule_base::statistics::interval::NORMAL;
use houserule_base::statistics::paired::{MeanDifference, holm, variance_between};
use houserule_base::statistics::sample::{Interval, mean};
use houserule_game::Game;
use houserule_players::agents::AgentKind;
use std::ops::Range;
use std::sync::Arc;

/// Maximum number of games of each that are followed.
const MOST: u64 = 400;

/// Games of each that are timed.
const TIMED: u64 = 4;

/// Shares of the time for solving a game, and for the timed games.
const SOLVE_SHARE: f64 = 0.15;
const TIMED_SHARE: f64 = 0.3;

/// Follows games of an agent under two rules, for some seconds, or as many as the plan says, [`MOST`] of each. Players that
/// are trained must be held. Returns `None` if nothing can be seen, or in no time.
pub fn compare_courses(
    games: [&Game; 2],
    plan: &ComparePlan,
    kind: &AgentKind,
    seconds: Option<f64>,
    stop: &Interrupt,
) -> Result<Option<CourseComparison>, SimulateError> {
    let stop = &stop.within_time(seconds);
    let mut beside = FollowedPair { games, plan, kind, stop, exact: [None, None], names: new_options(games) };
    if plan.match_play || !beside.shows_something() {
        return Ok(None);
    }
    // Without a time it could take minutes.
    if let Some(seconds) = seconds.filter(|_| games.iter().all(|game| game.players() > 1)) {
        let limit = stop.within(SOLVE_SHARE * seconds);
        let solve = |game| limit.scope(|| ExactValues::solve_once(game, &LIMITS, false).ok());
        beside.exact = games.map(|game| solve(game).ok().flatten());
    }
    let trainings = if kind.trains() { TRAININGS } else { 1 };
    let count = match seconds {
        Some(seconds) => beside.count_in(seconds)?,
        None => plan.games.unwrap_or(MOST).min(MOST),
    };
    let mut followed: [Vec<FollowedGames>; 2] = [vec![], vec![]];
    for training in 0..trainings {
        let Range { start, end } = part_of_training(count, training, trainings);
        for (side, followed) in followed.iter_mut().enumerate() {
            let tracks = beside.follow(side, training, start..end, stop)?;
            let is_exact = beside.exact[side].is_some();
            followed.push(FollowedGames::new(games[side], kind, tracks, is_exact));
        }
    }
    let has_games = |of: &Vec<FollowedGames>| of.iter().any(|followed| !followed.tracks.games.is_empty());
    Ok(followed.iter().all(has_games).then(|| beside.compare(&followed)))
}

/// Returns the names of the options that only the second game has.
pub fn new_options([a, b]: [&Game; 2]) -> Vec<String> {
    let mut names: Vec<String> = vec![];
    let known = |name: &String| a.model().actions.iter().any(|block| !block.dead && block.option == *name);
    for block in b.model().actions.iter().filter(|block| !block.dead) {
        if !known(&block.option) && !names.contains(&block.option) {
            names.push(block.option.clone());
        }
    }
    names
}

/// What is followed.
struct FollowedPair<'b> {
    games: [&'b Game; 2],
    plan: &'b ComparePlan,
    kind: &'b AgentKind,
    stop: &'b Interrupt,
    exact: [Option<Arc<ExactValues>>; 2],
    /// The options that only the second game has.
    names: Vec<String>,
}

impl FollowedPair<'_> {
    /// Returns `true` if games, once followed, show anything.
    fn shows_something(&self) -> bool {
        !self.names.is_empty() || self.is_shared()
    }

    /// Returns `true` if sides play against each other.
    fn is_shared(&self) -> bool {
        self.games.iter().all(|game| game.players() > 1 && !game.model().is_cooperative())
    }

    /// Returns the number of games that can be followed in some seconds, from a few that are timed.
    fn count_in(&self, seconds: f64) -> Result<u64, SimulateError> {
        let clock = Instant::now();
        let limit = self.stop.within(TIMED_SHARE * seconds);
        let mut played = 0;
        for side in 0..2 {
            played += self.follow(side, 0, 0..TIMED, &limit)?.games.len();
        }
        let spent = clock.elapsed().as_secs_f64().max(1e-9);
        let left = seconds * (1.0 - SOLVE_SHARE) - spent;
        Ok((left / spent * played as f64 / 2.0).clamp(0.0, MOST as f64) as u64)
    }

    /// Follows games of a side, by the player of a training.
    fn follow(
        &self,
        side: usize,
        training: u64,
        games: Range<u64>,
        stop: &Interrupt,
    ) -> Result<Tracks, SimulateError> {
        let ComparePlan { first, seeds, threads, .. } = *self.plan;
        let game = self.games[side];
        let player = FollowedAgent::seat(game, self.kind, 1 + training).map_err(SimulateError::Agent)?;
        let with_options = side == 1 && !self.names.is_empty();
        let with_leaders = self.is_shared() && game.model().teams.is_empty();
        let plan = TrackPlan { seed: seeds[side], threads, with_boards: 0, with_options, with_leaders };
        let games = first + games.start..first + games.end;
        Ok(follow(game, &player, self.exact[side].as_deref(), games, &plan, stop, &|_| {}))
    }

    /// Compares the games that were followed.
    fn compare(&self, followed: &[Vec<FollowedGames>; 2]) -> CourseComparison {
        let tracks = |side: usize| followed[side].iter().flat_map(|followed| &followed.tracks.games);
        let trusted = match self.is_shared() {
            true => self.check_expectations(followed),
            false => Err(None),
        };
        let mut figures = score_figures(followed);
        if trusted.is_ok() {
            figures.extend(expected_figures(self.games, followed, self.moves_truly(followed)));
        }
        let corrected = holm(&figures.iter().map(|figure| figure.p).collect::<Vec<_>>());
        for (figure, p) in figures.iter_mut().zip(corrected) {
            figure.p_corrected = p;
            figure.differs = p < CHANCE;
            if figure.differs {
                figure.sentence = sentence(figure, false, false);
            }
        }
        CourseComparison {
            games: [0, 1].map(|side| tracks(side).count() as u64),
            different: [0, 1].map(|side| different_games(tracks(side))),
            figures,
            missing: trusted.err().flatten(),
            options: self.names.iter().map(|name| self.count_uses(name, tracks(1))).collect(),
        }
    }

    /// Fails, with the reason, if no figures may be computed from the expectations.
    fn check_expectations(&self, followed: &[Vec<FollowedGames>; 2]) -> Result<(), Option<String>> {
        let learns = matches!(self.kind, AgentKind::Learned(_) | AgentKind::Player(_));
        for (side, followed) in followed.iter().enumerate() {
            if self.exact[side].is_some() {
                continue;
            }
            if !learns {
                return Err(Some(format!("{} players know no values of positions", self.kind)));
            }
            if followed.iter().any(|followed| followed.courses.is_empty()) {
                let why = "too few games were followed to tell who was expected to win";
                return Err(Some(why.to_owned()));
            }
            if !followed.iter().all(FollowedGames::holds) {
                let why = "what the players have learned doesn't foretell the results well enough";
                return Err(Some(why.to_owned()));
            }
        }
        Ok(())
    }

    /// Returns `true` if expectations move no more than true ones would.
    fn moves_truly(&self, followed: &[Vec<FollowedGames>; 2]) -> bool {
        let moves = |of: &FollowedGames| of.calibration.as_ref().map_or(0.0, |found| found.movement.value);
        let sides = followed.iter().zip(&self.exact).filter(|(_, exact)| exact.is_none());
        sides.flat_map(|(of_side, _)| of_side).all(|of| moves(of) <= MOST_MOVEMENT)
    }

    /// Counts the use of an option of the second game.
    fn count_uses<'t>(&self, name: &str, tracks: impl Iterator<Item = &'t Track>) -> NewOption {
        let model = self.games[1].model();
        let is_it = |block: usize| model.actions[block].option == name;
        let counts = tracks.map(|track| {
            let mut counts = [0; 4];
            for choice in &track.choices {
                if !choice.offered.iter().any(|block| is_it(*block as usize)) {
                    continue;
                }
                let is_open = choice.offered.iter().any(|block| !is_it(*block as usize));
                let is_taken = model.action_block_index(choice.taken).is_some_and(is_it);
                for (count, is) in counts.iter_mut().zip([true, is_open, is_taken, is_open && is_taken]) {
                    *count += u64::from(is);
                }
            }
            counts
        });
        NewOption::new(name, &counts.collect::<Vec<_>>())
    }
}

/// A figure of a metric, from games of one or more trainings.
struct FigureOf<T> {
    kind: &'static MetricKind,
    from: fn(&T) -> Option<Interval>,
}

impl<T> FigureOf<T> {
    const fn new(kind: &'static MetricKind, from: fn(&T) -> Option<Interval>) -> FigureOf<T> {
        FigureOf { kind, from }
    }

    /// Returns the figure of both sides. Each has all games, and those of each training.
    fn compare(&self, sides: &[(T, Vec<T>); 2]) -> Option<Quantity> {
        let [a, b] = sides.each_ref().map(|(all, each)| with_trainings(all, each, self.from));
        compare_figure(self.kind, [a?, b?])
    }
}

/// Returns the figures of scores: the margin at the end, and how the lead changes, if anybody leads before the end.
fn score_figures(followed: &[Vec<FollowedGames>; 2]) -> Vec<Quantity> {
    let figures: [FigureOf<Vec<&Track>>; 3] = [
        FigureOf::new(&MARGIN, mean_margin),
        FigureOf::new(&SCORE_LEADS, lead_changes),
        FigureOf::new(&FROM_BEHIND, from_behind),
    ];
    let sides = followed.each_ref().map(|followed| {
        let each: Vec<Vec<&Track>> = followed.iter().map(|of| of.tracks.games.iter().collect()).collect();
        (each.concat(), each)
    });
    figures.iter().filter_map(|figure| figure.compare(&sides)).collect()
}

/// Returns the mean margin. `None` if a game has none.
fn mean_margin(tracks: &Vec<&Track>) -> Option<Interval> {
    let margins: Option<Vec<f64>> = tracks.iter().map(|track| Some(track.margin? as f64)).collect();
    mean(&margins?)
}

/// Returns how often the lead in score changes. `None` if nobody ever leads.
fn lead_changes(tracks: &Vec<&Track>) -> Option<Interval> {
    if !tracks.iter().any(|track| track.leaders.iter().any(Option::is_some)) {
        return None;
    }
    let changes = |track: &&Track| {
        let leaders: Vec<u32> = track.leaders.iter().flatten().copied().collect();
        leaders.windows(2).filter(|pair| pair[0] != pair[1]).count() as f64
    };
    mean(&tracks.iter().map(changes).collect::<Vec<_>>())
}

/// Returns the share of the games that are won by who was behind in score at half-time. `None` if nobody ever leads then.
fn from_behind(tracks: &Vec<&Track>) -> Option<Interval> {
    let leader = |track: &&Track| track.leaders.get(track.leaders.len() / 2).copied().flatten();
    tracks.iter().find_map(leader)?;
    let is_behind = |track: &&Track| {
        let winner = find_winner(&track.results)?;
        Some(f64::from(u8::from(leader(track).is_some_and(|leader| leader as usize != winner))))
    };
    let won: Vec<f64> = tracks.iter().filter_map(is_behind).collect();
    mean(&won).map(|by_t| shares(&won, by_t))
}

/// Returns the figures that are computed from expectations. Some sum up changes, and need expectations that move truly.
fn expected_figures(
    games: [&Game; 2],
    followed: &[Vec<FollowedGames>; 2],
    moves_truly: bool,
) -> Vec<Quantity> {
    const WHOLE: [FigureOf<CourseFigures>; 2] = [
        FigureOf::new(&FAVOURITE_WINS, |found| found.favourite),
        FigureOf::new(&COMEBACKS, |found| found.comebacks),
    ];
    const SUMS: [FigureOf<CourseFigures>; 2] = [
        FigureOf::new(&LEAD_CHANGES, |found| found.lead_changes),
        FigureOf::new(&DECIDED_POINT, |found| found.decided),
    ];
    let sides = [0, 1].map(|side: usize| {
        let by_side = |course: &Expectations| course.by_side(games[side].model());
        let each: Vec<Vec<Expectations>> =
            followed[side].iter().map(|of| of.courses.iter().map(by_side).collect()).collect();
        (CourseFigures::new(&each.concat()), each.iter().map(|of| CourseFigures::new(of)).collect::<Vec<_>>())
    });
    let figures = WHOLE.iter().chain(SUMS.iter().filter(|_| moves_truly));
    figures.filter_map(|figure| figure.compare(&sides)).collect()
}

/// Returns a figure of all games, whose error includes the spread of the trainings.
fn with_trainings<T>(all: &T, each: &[T], figure: fn(&T) -> Option<Interval>) -> Option<Interval> {
    let whole = figure(all)?;
    let part = |of: &T| {
        let found = figure(of)?;
        Some((found.value, (found.half()? / NORMAL).powi(2)))
    };
    let parts: Vec<(f64, f64)> = each.iter().filter_map(part).collect();
    let half = whole.half()?.hypot(NORMAL * variance_between(&parts).sqrt());
    Some(Interval::around(whole.value, Some(half)))
}

/// Returns a figure of both sides with their difference; `None` without errors.
fn compare_figure(kind: &'static MetricKind, [a, b]: [Interval; 2]) -> Option<Quantity> {
    let difference = MeanDifference::between(a, b)?;
    let error = |of: Interval| Some(Mean { mean: of.value, se: of.half()? / NORMAL });
    Some(Quantity {
        kind,
        name: String::new(),
        seat: None,
        seat_name: String::new(),
        others: String::new(),
        label: kind.label_of("", ""),
        a: error(a)?,
        b: error(b)?,
        deviation: 0.0,
        difference: difference.mean,
        se: difference.se,
        low: Some(difference.mean - difference.half_width),
        high: Some(difference.mean + difference.half_width),
        relative: relative([a.value, b.value], difference.mean),
        p: difference.p,
        p_corrected: difference.p,
        differs: false,
        // Games are not compared one by one.
        differing: 1,
        pairing: None,
        constant: difference.se == 0.0 && difference.mean == 0.0,
        same_as: None,
        sentence: String::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_loader::{Request, load, load_text};

    fn game(name: &str) -> Game {
        load(&Request { name, ..Request::default() }).unwrap().game
    }

    fn plan(games: u64, kind: &AgentKind) -> ComparePlan {
        ComparePlan {
            games: Some(games),
            first: 0,
            seeds: [1; 2],
            threads: 2,
            agents: vec![kind.clone()],
            match_play: false,
            keep_partial: false,
        }
    }

    #[test]
    fn what_players_learned_tells_how_games_are_decided() {
        let kind = AgentKind::Learned(Some(2_000));
        // Held, so that each is trained once.
        let short = "variant \"Short\" of \"pig\" { param goal = 60 }";
        let (a, b) = (game("pig"), load_text("short", short, &Request::default()).unwrap().game);
        let held: Vec<_> = [1, 2]
            .into_iter()
            .flat_map(|training| [&a, &b].map(|game| FollowedAgent::seat(game, &kind, training).unwrap()))
            .collect();
        let found =
            compare_courses([&a, &b], &plan(400, &kind), &kind, None, &Interrupt::new()).unwrap().unwrap();
        assert_eq!((found.games, found.options.len(), held.len()), ([400, 400], 0, 4));
        let names: Vec<&str> = found.figures.iter().map(|figure| figure.kind.name).collect();
        assert_eq!(
            names[..5],
            ["margin", "score_leads", "from_behind", "favourite_wins", "comebacks"],
            "{:?}",
            found.missing
        );
        for figure in &found.figures {
            assert!(
                figure.low < Some(figure.difference) && Some(figure.difference) < figure.high,
                "{}",
                figure.label
            );
            assert_eq!(figure.differs, figure.p_corrected < CHANCE && !figure.sentence.is_empty());
        }
    }

    #[test]
    fn players_without_values_say_so_and_others_have_exact_ones() {
        let [a, b] = [game("tic-tac-toe"), game("tic-tac-toe-misere")];
        let kind = AgentKind::Greedy;
        let compared = |seconds| {
            compare_courses([&a, &b], &plan(50, &kind), &kind, seconds, &Interrupt::new()).unwrap().unwrap()
        };
        let found = compared(None);
        assert!(found.figures.is_empty());
        assert_eq!(found.missing.unwrap(), "greedy players know no values of positions");
        // With a time the games are solved.
        let found = compared(Some(20.0));
        assert!(found.missing.is_none() && !found.figures.is_empty());
    }

    #[test]
    fn a_new_option_is_counted_where_it_can_be_taken() {
        let variant = "variant \"Twice\" of \"pig\" { extend play { rest \"rest\" { } } }";
        let a = game("pig");
        let b = load_text("twice", variant, &Request::default()).unwrap().game;
        let kind = AgentKind::Random;
        let found =
            compare_courses([&a, &b], &plan(50, &kind), &kind, None, &Interrupt::new()).unwrap().unwrap();
        let [rest] = found.options.as_slice() else { panic!("{:?}", found.options) };
        assert_eq!(rest.name, "rest");
        assert!(rest.offered == rest.open && rest.offered > rest.taken && rest.taken > 1.0, "{rest:?}");
        let share = rest.share.unwrap();
        assert!((0.2..0.45).contains(&share), "a third: {share}");
    }
}
