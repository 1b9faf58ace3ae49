//! Expectations under best play of a game that is small enough to be solved, in the units of results: shares of the
//! win, or in a one-player game points of score.

use std::sync::{Arc, Mutex, PoisonError};

use crate::game::{ActionId, Game, Start, State};
use crate::hash::hash;
use crate::model::ScoreDirection;
use crate::model::fleeting_dice;
use crate::solve::{GraphLimits, Solution, solve};

/// Limits of a game that a report solves.
pub(crate) const LIMITS: GraphLimits = GraphLimits { states: 4_000_000, steps: 24_000_000, bytes: 1 << 30 };

/// Values are rounded to this part of a unit, so that rounding errors make no best action.
const UNITS: f64 = 1e9;

/// Positions of random games that estimate the size of a game.
const DRAWN: usize = 40_000;

/// The exact values of a game.
pub(crate) struct ExactValues {
    solution: Solution,
    players: u32,
    direction: ScoreDirection,
}

/// The game that was solved last for a part of some work, with its identity.
static LAST: Mutex<Option<(String, Solved)>> = Mutex::new(None);

/// Exact values, or why there are none.
type Solved = Result<Arc<ExactValues>, String>;

impl ExactValues {
    /// Solves a game, or says why it can't be solved. With `keeps`, the values stay in memory until another game is
    /// solved so: a process that does many parts of a work solves the game once.
    pub(crate) fn kept(game: &Game, keeps: bool) -> Solved {
        if !keeps {
            return ExactValues::of(game).map(Arc::new);
        }
        let identity = crate::learned::key(game);
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((known, solved)) if *known == identity => solved.clone(),
            _ => {
                let solved = ExactValues::of(game).map(Arc::new);
                *last = Some((identity, solved.clone()));
                solved
            }
        }
    }

    /// Solves a game, or says why it can't be solved.
    pub(crate) fn of(game: &Game) -> Result<ExactValues, String> {
        if game.players() == 1 && game.model().score.is_empty() {
            return Err("a lone player without a score has no aim".to_owned());
        }
        if game.pays() {
            return Err("best play is for payoffs, and these figures are about wins".to_owned());
        }
        if game.hides() {
            return Err("the players don't see everything, so a position has no single value".to_owned());
        }
        if is_surely_larger(game, LIMITS.states) {
            return Err(format!("it has more than {} positions", crate::numbers::grouped(LIMITS.states)));
        }
        let solution = solve(game, &LIMITS).map_err(|error| error.reason())?;
        Ok(ExactValues { solution, players: game.players(), direction: game.model().score_direction })
    }

    /// Number of positions, including chance events and ends.
    pub(crate) fn positions(&self) -> u32 {
        self.solution.states()
    }

    /// The expectation of each seat at the start.
    pub(crate) fn start(&self) -> Vec<f64> {
        self.solution.start().iter().map(|value| self.result(*value)).collect()
    }

    /// The expectation of each seat; empty for a state that can't be reached.
    pub(crate) fn expected(&self, state: &State) -> Vec<f32> {
        let values = self.solution.values(state).unwrap_or_default();
        values.iter().map(|value| self.result(*value) as f32).collect()
    }

    /// Returns what each action of a decision is worth to the seat: more is better, so scores of which the least is best
    /// are negative.
    pub(crate) fn actions(&self, state: &State, seat: u32) -> Vec<(ActionId, f32)> {
        let values = self.solution.action_values(state).into_iter();
        values
            .map(|(action, values)| {
                let result = self.result(values[seat as usize]);
                let worth = if self.players == 1 { self.direction.worth(result) } else { result };
                (action, worth as f32)
            })
            .collect()
    }

    /// Converts a value of the solution to a result.
    fn result(&self, value: f64) -> f64 {
        let result = match f64::from(self.players) {
            1.0 => self.direction.worth(value),
            // Returns are a linear function of the share of the win.
            n => (value * (n - 1.0) + 1.0) / n,
        };
        (result * UNITS).round() / UNITS
    }
}

/// Returns `true` if random games show that a game has more than `most` positions. Of `n` positions drawn from `most`, at least
/// n²/(2 `most`) pairs are expected to be equal, whatever their probabilities are (Cauchy and Schwarz). Far fewer equal pairs
/// mean more positions. So a large game costs no attempt to solve it.
fn is_surely_larger(game: &Game, most: u32) -> bool {
    /// Maximum number of games, and of their events.
    const GAMES: u64 = 4_000;
    const EVENTS: usize = 400_000;
    let fleeting = fleeting_dice(game.model());
    let mut seen: Vec<u64> = vec![];
    let (mut here, mut events) = (vec![], 0);
    for index in 0..GAMES {
        crate::interrupt::check();
        let start = Start { index, explicit_chance: true, ..Start::default() };
        let Ok(mut state) = game.start_at(&start) else { return false };
        here.clear();
        while !state.is_over() && events < EVENTS {
            // As in the graph, dice that no rule reads again make no difference.
            fleeting.iter().for_each(|dice| state.forget_dice(*dice));
            here.push(hash(state.persistent()));
            events += 1;
            let done = match state.random_outcome() {
                Some(outcome) => state.apply_outcome(outcome).is_ok(),
                None => state.random_action().is_some_and(|action| state.apply(action).is_ok()),
            };
            if !done {
                break;
            }
        }
        // Equal positions of one game say nothing. Games begin alike, so only their second halves tell games apart.
        here.drain(..here.len() / 2);
        here.sort_unstable();
        here.dedup();
        seen.extend(&here);
        if seen.len() >= DRAWN || events >= EVENTS {
            break;
        }
    }
    let n = seen.len() as f64;
    let expected = n * n / (2.0 * f64::from(most));
    seen.sort_unstable();
    let pairs: f64 = seen
        .chunk_by(|a, b| a == b)
        .map(|same| same.len() as f64)
        .map(|same| same * (same - 1.0) / 2.0)
        .sum();
    expected >= 20.0 && pairs < expected / 4.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loader::{Request, load};
    use crate::variants::Setting;

    fn game(name: &str, settings: &[Setting]) -> Game {
        load(&Request { name, settings, ..Request::default() }).unwrap().game
    }

    #[test]
    fn the_size_of_a_game_is_estimated_from_below() {
        // Pig has less than the limit and more than the smaller ones.
        let small = game("pig", &[Setting::new("goal", "50")]);
        let positions = ExactValues::of(&small).unwrap().positions();
        assert!(!is_surely_larger(&small, positions));
        assert!(is_surely_larger(&small, 500) || positions < 2_000, "{positions}");
        for large in ["dilido", "dice-wide-shut", "yacht", "reversi"] {
            assert!(is_surely_larger(&game(large, &[]), LIMITS.states), "{large}");
        }
        assert!(!is_surely_larger(&game("tic-tac-toe", &[]), 5_478));
    }

    #[test]
    fn values_are_results() {
        let drawn = ExactValues::of(&game("tic-tac-toe", &[])).unwrap();
        assert_eq!(drawn.start(), [0.5, 0.5]);
        let pig = ExactValues::of(&game("pig", &[Setting::new("goal", "10")])).unwrap();
        assert!((pig.start()[0] - 0.709_424_322_598_303_2).abs() < 1e-8);
        assert!(ExactValues::of(&game("dominoes", &[])).is_err());
    }
}
