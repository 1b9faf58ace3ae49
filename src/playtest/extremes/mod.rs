//! The extremes of a game: the most and the least score, turns, rolls and decisions that are possible, each with a game
//! that shows it, and with a proof where one was found.
//!
//! All players are one, and chance is either one with them, so that any sequence of legal actions and of possible outcomes
//! is a game, or their enemy. Depends on games, models and records; independent of agents and of what is likely.

mod assigned;
mod bound;
mod distance;
mod enemy;
mod found;
mod longest;
mod meter;
mod plan;
mod positions;
mod progress;
mod range;
mod rules;
mod search;
mod shortest;
mod soonest;

pub use found::{EventLoop, ExtremeFound, Extremes, Method};
pub use plan::{ChanceRole, Extreme, ExtremeQuantity, ExtremesBudget, ExtremesError, ExtremesPlan, USUAL};

use std::time::Duration;

use crate::{RunMonitor, VERSION};
use bound::{Bounds, Ranges};
use houserule_base::clock::Instant;
use houserule_game::notation::record::Record;
use houserule_game::{Game, Seat, State};
use houserule_model::board::BitSet;
use houserule_model::{Model, PLAYER};
use longest::{Longest, LoopWay};
use meter::CountMeter;
use plan::Goal;
use positions::{Positions, counts};
use progress::{LengthBounds, length_bounds};
use range::{UNBOUNDED, ValueRange};
use rules::EndRules;
use search::{Best, ExtremeSearch};
use shortest::{Shortest, nearest_end, shortest};

/// Maximum number of positions of a game of which all are examined.
const MOST_POSITIONS: u32 = 1_000_000;

/// Number of positions around a state in which a loop is sought.
const LOOP_POSITIONS: u32 = 3_000;

/// What is known of a goal.
struct Known {
    goal: Goal,
    proof: Option<Method>,
    repeat: Option<EventLoop>,
    /// The game of a loop.
    shown: Option<State>,
}

/// Finds the extremes of a game. If `watch` stops it, returns the best so far.
pub fn extremes(game: &Game, plan: &ExtremesPlan, watch: &RunMonitor<'_>) -> Result<Extremes, ExtremesError> {
    let begun = Instant::now();
    let model = game.model();
    if let Some(lacks) = plan.of.iter().find(|quantity| !quantity.applies(model)) {
        return Err(ExtremesError::Lacks(*lacks));
    }
    if plan.chance == ChanceRole::Enemy {
        if !game.program().uses_chance {
            return Err(ExtremesError::LacksChance);
        }
        if !game.program().pasts.is_empty() {
            return Err(ExtremesError::Repeated);
        }
    }
    let rules = EndRules::new(game);
    let start = rules.start().map_err(ExtremesError::Rules)?;
    let mut meter = CountMeter::new(watch.stop, watch.progress);
    let mut goals = vec![];
    for quantity in ExtremeQuantity::ALL {
        let wanted = plan.of.is_empty() || plan.of.contains(&quantity);
        if !wanted || !quantity.applies(model) {
            continue;
        }
        let seats: Vec<Option<u32>> = match quantity {
            ExtremeQuantity::Score => (0..game.players()).map(Some).collect(),
            _ => vec![None],
        };
        for seat in seats {
            goals.extend([Extreme::Most, Extreme::Least].map(|extreme| Goal { quantity, seat, extreme }));
        }
    }
    let mut work = Work {
        rules: &rules,
        start: &start,
        budget: plan.budget,
        begun,
        known: goals
            .iter()
            .map(|goal| Known { goal: *goal, proof: None, repeat: None, shown: None })
            .collect(),
        bests: vec![],
    };
    work.bests = bests(&start, &goals);
    let extremes = match plan.chance {
        ChanceRole::Friend => {
            work.whole(&mut meter);
            work.loops(plan.seed, &mut meter);
            work.search(plan.seed, &mut meter);
            work.into_extremes()
        }
        ChanceRole::Enemy => work.forced(&mut meter),
    };
    Ok(Extremes {
        version: VERSION,
        game: game.identity().name.clone(),
        title: model.title.clone(),
        players: model.players.names.clone(),
        chance: plan.chance,
        seed: plan.seed,
        positions: meter.used,
        interrupted: meter.is_interrupted(),
        seconds: begun.elapsed().as_secs_f64(),
        extremes,
    })
}

/// Returns the least and the greatest payoff of a player that the rules allow, or `None` if they have no payoffs, or these
/// have no bounds.
pub fn payoff_range(model: &Model) -> Option<(i64, i64)> {
    let payoff = model.payoff.as_ref()?;
    let ranges = assigned::ranges(model);
    let of_seats =
        (0..model.players.count).map(|seat| seat_bounds(model, &ranges, seat).split_number(&payoff.value));
    let range = of_seats.reduce(|all, of_seat| (all.0.min(of_seat.0), all.1.max(of_seat.1)))?;
    let bounded = |bound: i64| bound.unsigned_abs() < UNBOUNDED.unsigned_abs();
    (bounded(range.0) && bounded(range.1)).then_some(range)
}

/// Returns bounds of expressions for a seat as the acting player.
fn seat_bounds<'m>(model: &'m Model, ranges: &Ranges, seat: u32) -> Bounds<'m> {
    let mut of = Bounds::new(model, ranges.clone());
    of.me = ValueRange::Element(BitSet::single(model.domains[PLAYER.index()].size, seat), false);
    of
}

/// Returns the goals with the bounds that follow from the rules alone.
fn bests(start: &State, goals: &[Goal]) -> Vec<Best> {
    let model = start.game().model();
    let lengths = length_bounds(start);
    let soonest = soonest::soonest(start);
    let ranges = assigned::ranges(model);
    let scores: Vec<(i64, i64)> = (0..model.players.count)
        .map(|seat| {
            let of = seat_bounds(model, &ranges, seat);
            model
                .score
                .iter()
                .map(|item| of.split_number(&item.value))
                .fold((0, 0), |sum: (i64, i64), item| {
                    (sum.0.saturating_add(item.0), sum.1.saturating_add(item.1))
                })
        })
        .collect();
    goals
        .iter()
        .map(|goal| {
            let LengthBounds { turns, rolls, decisions } = lengths;
            let length = |most: Option<u64>, least: u64| {
                let bound = if goal.extreme == Extreme::Most { most } else { Some(least) };
                bound.and_then(|bound| i64::try_from(bound).ok())
            };
            let bound = match goal.quantity {
                ExtremeQuantity::Score => {
                    let (low, high) = scores[goal.seat.unwrap_or(0) as usize];
                    Some(if goal.extreme == Extreme::Most { high } else { low })
                }
                ExtremeQuantity::Turns => length(turns, soonest.turns),
                ExtremeQuantity::Rolls => length(rolls, soonest.rolls),
                ExtremeQuantity::Decisions => length(decisions, soonest.decisions),
            };
            let bound = bound.filter(|bound| bound.unsigned_abs() < UNBOUNDED.unsigned_abs());
            Best { goal: *goal, value: None, moves: vec![], bound }
        })
        .collect()
}

/// The work on all goals of a game.
struct Work<'a> {
    rules: &'a EndRules,
    start: &'a State,
    budget: ExtremesBudget,
    begun: Instant,
    known: Vec<Known>,
    bests: Vec<Best>,
}

impl Work<'_> {
    /// Allows a share of what is left of the budget, in percent.
    fn allow(&self, meter: &mut CountMeter<'_>, percent: u64) -> u64 {
        match self.budget {
            ExtremesBudget::Positions(all) => {
                let positions = all.saturating_sub(meter.used) / 100 * percent;
                meter.allow(positions, None);
                positions
            }
            ExtremesBudget::Seconds(seconds) => {
                let all = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
                let left = all.saturating_sub(self.begun.elapsed());
                let time = left.mul_f64(percent as f64 / 100.0);
                meter.allow(u64::MAX / 2, Some(time));
                // So that the parts of a search get their shares: about a million positions in a second.
                ((time.as_secs_f64() * 1e6) as u64).max(1_000)
            }
        }
    }

    /// Can positions be examined one by one?
    fn is_exact(&self, goal: &Goal) -> bool {
        self.rules.merges && self.counts_right(goal)
    }

    /// Does every step count what it adds?
    fn counts_right(&self, goal: &Goal) -> bool {
        goal.quantity != ExtremeQuantity::Rolls || self.rules.counts_rolls
    }

    /// Examines all positions, if they are not too many.
    fn whole(&mut self, meter: &mut CountMeter<'_>) {
        if !self.rules.merges {
            return;
        }
        self.allow(meter, 20);
        let all = Positions::explore(self.rules, self.start, MOST_POSITIONS, meter);
        // A loop is shown by a game that is played to its end.
        self.allow(meter, 5);
        for at in 0..self.known.len() {
            let goal = self.known[at].goal;
            if !self.is_exact(&goal) {
                continue;
            }
            let way = match (goal.quantity, goal.extreme) {
                (ExtremeQuantity::Score, _) if all.complete => self.best_score(&all, &goal),
                (ExtremeQuantity::Score, _) => None,
                (of, Extreme::Least) if all.complete => nearest_end(&all, of.count()),
                (_, Extreme::Least) => None,
                (of, Extreme::Most) if all.complete => match longest::longest(&all, of.count()) {
                    Longest::Game(way) => Some(way),
                    Longest::Never => None,
                    Longest::Unlimited(found) => {
                        self.show_loop(at, &[], &all, self.start, &found, 1, meter);
                        None
                    }
                },
                (of, Extreme::Most) => {
                    if let Some(found) = longest::find_loop(&all, of.count()) {
                        self.show_loop(at, &[], &all, self.start, &found, 1, meter);
                    }
                    None
                }
            };
            let moves = way.and_then(|way| all.moves(self.rules, self.start, &way));
            if let Some(moves) = moves {
                self.keep(at, moves, Method::Positions);
            }
        }
    }

    /// Returns the way to the end with the best score.
    fn best_score(&self, all: &Positions, goal: &Goal) -> Option<longest::Way> {
        let mut here = self.start.clone();
        let mut best: Option<(i64, u32)> = None;
        for at in (0..all.len()).filter(|at| all.is_over(*at)) {
            here.restore(all.words(at));
            let Ok(score) = here.score(Seat(goal.seat.unwrap_or(0))) else { continue };
            let worth = goal.extreme.worth(score);
            if best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, at));
            }
        }
        best.map(|(_, at)| all.way_to(at))
    }

    /// Keeps a proved game. Its value is that of the game played again.
    fn keep(&mut self, at: usize, moves: Vec<u64>, method: Method) {
        let Some(state) = self.rules.replay(&moves).filter(State::is_over) else { return };
        let value = self.known[at].goal.value(&state);
        if let Some(value) = value {
            let best = &mut self.bests[at];
            (best.value, best.moves, best.bound) = (Some(value), moves, Some(value));
            self.known[at].proof = Some(method);
        }
    }

    /// Shows a loop by a game that runs through it twice. `before` leads to the state from which `all` was explored.
    #[allow(clippy::too_many_arguments)]
    fn show_loop(
        &mut self,
        at: usize,
        before: &[u64],
        all: &Positions,
        from: &State,
        found: &LoopWay,
        seed: u64,
        meter: &mut CountMeter<'_>,
    ) {
        let goal = self.known[at].goal;
        let ways = [all.way_to(found.at), found.around.clone()];
        let [Some(to), Some(around)] = ways.map(|way| all.moves(self.rules, from, &way)) else { return };
        let mut moves = [before, &to].concat();
        let Some(first) = self.played(&moves) else { return };
        moves.extend(&around);
        let Some(second) = self.played(&moves) else { return };
        moves.extend(&around);
        let Some(third) = self.played(&moves) else { return };
        let count = |state: &State| counts(state)[goal.quantity.count()];
        let grows = count(&first) < count(&second) && count(&second) < count(&third);
        if first != second || second != third || !grows {
            return;
        }
        let mut search = ExtremeSearch::new(self.rules, self.start, vec![], seed, meter);
        for _ in 0..50 {
            let mut whole = moves.clone();
            if search.finish(third.clone(), &mut whole).is_none() {
                continue;
            }
            let Some(end) = self.rules.replay(&whole).filter(State::is_over) else { continue };
            self.known[at].proof = Some(Method::Loop);
            self.known[at].repeat =
                Some(EventLoop { first: first.history().len() + 1, last: second.history().len() });
            self.known[at].shown = Some(end);
            return;
        }
    }

    /// Plays moves from the start, as searches do.
    fn played(&self, moves: &[u64]) -> Option<State> {
        let mut state = self.start.clone();
        moves.iter().all(|step| self.rules.apply(&mut state, *step)).then_some(state)
    }

    /// Looks for loops later in the game, around the positions of random games.
    fn loops(&mut self, seed: u64, meter: &mut CountMeter<'_>) {
        let is_open = |known: &Known, best: &Best| {
            known.proof.is_none()
                && known.goal.quantity != ExtremeQuantity::Score
                && known.goal.extreme == Extreme::Most
                && best.bound.is_none()
        };
        for game in 0..6 {
            let open: Vec<usize> = (0..self.known.len())
                .filter(|at| {
                    is_open(&self.known[*at], &self.bests[*at]) && self.is_exact(&self.known[*at].goal)
                })
                .collect();
            if open.is_empty() {
                return;
            }
            self.allow(meter, 5);
            let mut moves = vec![];
            let mut search =
                ExtremeSearch::new(self.rules, self.start, vec![], seed.wrapping_add(1 + game), meter);
            // A game that is too long to finish has its loops too.
            let _ = search.finish(self.start.clone(), &mut moves);
            for part in 1..=6 {
                self.allow(meter, 5);
                let before = &moves[..moves.len() * part / 7];
                let Some(from) = self.played(before).filter(|state| !state.is_over()) else { continue };
                let near = Positions::explore(self.rules, &from, LOOP_POSITIONS, meter);
                for at in
                    open.iter().copied().filter(|at| self.known[*at].proof.is_none()).collect::<Vec<_>>()
                {
                    if let Some(found) = longest::find_loop(&near, self.known[at].goal.quantity.count()) {
                        self.show_loop(at, before, &near, &from, &found, seed, meter);
                    }
                }
            }
        }
    }

    /// Finds what players can force while chance works against them.
    fn forced(&self, meter: &mut CountMeter<'_>) -> Vec<ExtremeFound> {
        self.allow(meter, 100);
        let all = Positions::explore(self.rules, self.start, MOST_POSITIONS, meter);
        self.bests.iter().map(|best| self.forced_extreme(&all, best)).collect()
    }

    fn forced_extreme(&self, all: &Positions, best: &Best) -> ExtremeFound {
        let goal = best.goal;
        let mut one = ExtremeFound {
            of: goal.quantity,
            seat: goal.seat,
            extreme: goal.extreme,
            value: None,
            unlimited: false,
            proved: false,
            // What can't be done with the help of chance can't be forced.
            bound: best.bound,
            method: Method::Enemy,
            repeat: None,
            record: None,
        };
        if !self.is_exact(&goal) {
            return one;
        }
        // What can be forced if unknown positions are as bad as possible, and if they are as good.
        let [sure, hoped] = match goal.quantity {
            ExtremeQuantity::Score => {
                let worth = |at| {
                    let mut end = self.start.clone();
                    end.restore(all.words(at));
                    Some(goal.extreme.worth(end.score(Seat(goal.seat.unwrap_or(0))).ok()?))
                };
                [false, true].map(|hopeful| enemy::scores(all, &worth, hopeful))
            }
            // Chance hurries where the players want a long game.
            of => {
                let most = goal.extreme == Extreme::Most;
                [most, !most].map(|near| enemy::lengths(all, of.count(), most, near))
            }
        };
        let value = |forced: &enemy::Forced| forced.start().filter(|value| *value != enemy::ANY);
        let is_length = goal.quantity != ExtremeQuantity::Score;
        // A length that can't be had: with the most, the players go on for ever; with the least, chance does.
        let endless = if goal.extreme == Extreme::Most { &sure } else { &hoped };
        if is_length && endless.start().is_none() {
            return ExtremeFound { unlimited: true, proved: true, bound: None, ..one };
        }
        one.proved = sure.start() == hoped.start();
        let before = counts(self.start)[goal.quantity.count()] as i64;
        let told = |worth: i64| if is_length { before + worth } else { goal.extreme.worth(worth) };
        if let Some(hoped) = value(&hoped).map(told) {
            let nearer = |bound: i64| goal.extreme.worth(bound).min(goal.extreme.worth(hoped));
            one.bound = Some(best.bound.map_or(hoped, |bound| goal.extreme.worth(nearer(bound))));
        }
        let Some(found) = value(&sure).map(told) else { return one };
        one.value = Some(found);
        one.proved |= one.bound == Some(found);
        let moves = all.moves(self.rules, self.start, &sure.best_line(all));
        let state = moves.and_then(|moves| self.rules.replay(&moves)).filter(State::is_over);
        one.record = state.and_then(|state| Record::from_state(&state).ok());
        one
    }

    /// Searches for what is not proved yet.
    fn search(&mut self, seed: u64, meter: &mut CountMeter<'_>) {
        let count = self.known.len();
        for at in 0..count {
            let is_open = |at: &usize| self.known[*at].proof.is_none() && !self.bests[*at].is_reached();
            let left = (at..count).filter(is_open).count() as u64;
            if self.known[at].proof.is_some() || self.bests[at].is_reached() {
                continue;
            }
            let goal = self.known[at].goal;
            let is_shortest = goal.quantity != ExtremeQuantity::Score && goal.extreme == Extreme::Least;
            if is_shortest && self.counts_right(&goal) {
                // A short game makes the search for shorter ones small.
                let budget = self.allow(meter, 10 / left);
                self.search_for(at, budget, seed, meter);
                if self.bests[at].is_reached() {
                    continue;
                }
                // Where equal positions are not one, there are soon too many.
                self.allow(meter, if self.rules.merges { (80 / left).max(40) } else { 33 });
                self.exhaust_shorter(at, meter);
            }
            if self.known[at].proof.is_some() {
                continue;
            }
            let budget = self.allow(meter, 100 / left.max(1));
            self.search_for(at, budget, seed, meter);
        }
    }

    /// Examines all that fewer turns, rolls or decisions can reach than the best game has.
    fn exhaust_shorter(&mut self, at: usize, meter: &mut CountMeter<'_>) {
        let goal = self.known[at].goal;
        let below = self.bests[at].value.map_or(u64::MAX, i64::unsigned_abs);
        match shortest(self.rules, self.start, goal.quantity.count(), below, meter) {
            Shortest::Game(moves) => self.keep(at, moves, Method::Shortest),
            Shortest::Stopped { at_least, game } => {
                let state = game.as_ref().and_then(|moves| self.rules.replay(moves)).filter(State::is_over);
                let best = &mut self.bests[at];
                if let (Some(moves), Some(state)) = (game, state) {
                    (best.value, best.moves) = (goal.value(&state), moves);
                }
                best.bound = best.bound.max(i64::try_from(at_least).ok());
            }
            Shortest::Never => {
                if self.bests[at].value.is_some() {
                    self.known[at].proof = Some(Method::Shortest);
                    self.bests[at].bound = self.bests[at].value;
                }
            }
        }
    }

    /// Searches for a better game of a goal.
    fn search_for(&mut self, at: usize, budget: u64, seed: u64, meter: &mut CountMeter<'_>) {
        let bests = std::mem::take(&mut self.bests);
        let mut search =
            ExtremeSearch::new(self.rules, self.start, bests, seed.wrapping_add(at as u64), meter);
        search.run(at, budget);
        self.bests = search.bests;
    }

    /// Returns the extremes that were found.
    fn into_extremes(mut self) -> Vec<ExtremeFound> {
        let mut found = vec![];
        for at in 0..self.known.len() {
            let shown = self.known[at].shown.take();
            let (known, best) = (&self.known[at], &self.bests[at]);
            let goal = known.goal;
            let unlimited = known.repeat.is_some();
            let state = match shown {
                Some(state) => Some(state),
                None if best.value.is_some() => self.rules.replay(&best.moves).filter(State::is_over),
                None => None,
            };
            let value = best.value.filter(|_| !unlimited && state.is_some());
            let is_score = goal.quantity == ExtremeQuantity::Score;
            let reached = value.is_some() && value == best.bound;
            let method = match known.proof {
                Some(method) => method,
                None if reached => Method::Bound,
                None => Method::ExtremeSearch,
            };
            found.push(ExtremeFound {
                of: goal.quantity,
                seat: goal.seat,
                extreme: goal.extreme,
                value,
                unlimited,
                proved: unlimited || reached || known.proof.is_some() && value.is_some(),
                // That no length is less than 0 is no news.
                bound: best.bound.filter(|bound| !unlimited && (reached || is_score || *bound != 0)),
                method,
                repeat: known.repeat,
                record: state.and_then(|state| Record::from_state(&state).ok()),
            });
        }
        found
    }
}
