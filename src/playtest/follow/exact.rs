//! Expectations under best play of a game that is small enough to be solved, in the units of results: shares of the
//! win, or in a one-player game points of score.

use std::sync::{Arc, Mutex, PoisonError};

use houserule_game::solve::{GraphLimits, Solution, StateWorth, is_surely_larger, solve_with_shares};
use houserule_game::{ActionId, Game, Seat, State};
use houserule_model::ScoreDirection;

/// Limits of a game that is solved, or whose odds are computed.
pub const LIMITS: GraphLimits = GraphLimits { states: 4_000_000, steps: 24_000_000, bytes: 1 << 30 };

/// Limits of a game that is solved for a quick answer to which nobody gave a time.
pub const QUICK_LIMITS: GraphLimits = GraphLimits { states: 200_000, steps: 1_200_000, bytes: 1 << 28 };

/// Values are rounded to this part of a unit, so that rounding errors make no best action.
const UNITS: f64 = 1e9;

/// The exact values of a game.
pub struct ExactValues {
    solution: Solution,
    /// By seat, the number of players of its side.
    sides: Vec<u32>,
    direction: ScoreDirection,
}

/// The game that was solved last for a part of some work, with its identity.
static LAST: Mutex<Option<(String, Solved)>> = Mutex::new(None);

/// Exact values, or why there are none.
type Solved = Result<Arc<ExactValues>, String>;

impl ExactValues {
    /// Solves a game within limits, or says why it can't be solved. With `keeps`, the values stay in memory until another
    /// game is solved so: a process that does many parts of a work solves the game once.
    pub fn solve_once(game: &Game, limits: &GraphLimits, keeps: bool) -> Solved {
        if !keeps {
            return ExactValues::solve(game, limits).map(Arc::new);
        }
        let identity = format!("{} {}", limits.states, houserule_players::learned::key(game));
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((known, solved)) if *known == identity => solved.clone(),
            _ => {
                let solved = ExactValues::solve(game, limits).map(Arc::new);
                *last = Some((identity, solved.clone()));
                solved
            }
        }
    }

    /// Solves a game within limits, or says why it can't be solved.
    pub fn solve(game: &Game, limits: &GraphLimits) -> Result<ExactValues, String> {
        if game.players() == 1 && game.model().score.is_empty() {
            return Err("a lone player without a score has no aim".to_owned());
        }
        if game.pays() {
            return Err("best play is for payoffs, and these figures are about wins".to_owned());
        }
        if game.hides() {
            return Err("the players don't see everything, so a position has no single value".to_owned());
        }
        if is_surely_larger(game, limits.states) {
            return Err(format!(
                "it has more than {} positions",
                houserule_base::numbers::grouped(limits.states)
            ));
        }
        let solution = solve_with_shares(game, limits).map_err(|error| error.reason())?;
        let model = game.model();
        let sides = (0..game.players()).map(|seat| model.team_of(Seat(seat)).len()).collect();
        Ok(ExactValues { solution, sides, direction: model.score_direction })
    }

    /// Returns the number of positions, including chance events and ends.
    pub fn positions(&self) -> u32 {
        self.solution.states()
    }

    /// Returns the expectation of each seat at the start.
    pub fn start(&self) -> Vec<f64> {
        self.results(self.solution.start_worth())
    }

    /// Returns the expectation of each seat; empty for a state that can't be reached.
    pub fn expected(&self, state: &State) -> Vec<f32> {
        let results = self.solution.worth(state).map(|worth| self.results(worth)).unwrap_or_default();
        results.into_iter().map(|result| result as f32).collect()
    }

    /// Returns what each action of a decision is worth to the seat: more is better, so scores of which the least is best
    /// are negative. No action is worth more than the best one.
    pub fn actions(&self, state: &State, seat: u32) -> Vec<(ActionId, f32)> {
        let seat = seat as usize;
        let worths = self.solution.action_worths(state);
        // Players choose by values. Where shares are kept, another action may leave a larger one than the best action does.
        let all = worths.iter().map(|(_, worth)| *worth);
        let best = all.reduce(|best, next| if next.values[seat] > best.values[seat] { next } else { best });
        let best = best.filter(|best| best.shares.is_some());
        let most = best.map_or(f64::INFINITY, |best| self.result(seat, best));
        worths
            .into_iter()
            .map(|(action, worth)| {
                let result = self.result(seat, worth).min(most);
                let worth = if self.sides.len() == 1 { self.direction.worth(result) } else { result };
                (action, worth as f32)
            })
            .collect()
    }

    /// Converts what a state is worth to the results of the seats.
    fn results(&self, worth: StateWorth<'_>) -> Vec<f64> {
        (0..self.sides.len()).map(|seat| self.result(seat, worth)).collect()
    }

    /// Converts what a state is worth to the result of a seat.
    fn result(&self, seat: usize, worth: StateWorth<'_>) -> f64 {
        let value = worth.values.get(seat).copied().unwrap_or_default();
        let result = match (worth.shares, self.sides.len() as f64) {
            (Some(shares), _) => shares.get(seat).copied().unwrap_or_default(),
            (None, 1.0) => self.direction.worth(value),
            // Returns are a linear function of the share that each winner has of the win. A side's share is the sum of those of
            // its players, if the sides have equally many.
            (None, n) => {
                let players = self.sides.get(seat).map_or(1.0, |players| f64::from(*players));
                players * (value * (n - 1.0) + 1.0) / n
            }
        };
        (result * UNITS).round() / UNITS
    }
}
