//! All states that a game can reach, with the probabilities from each to the next.
//!
//! A solution has another graph (`game::solve`). Both are built breadth first on [`StateTable`] and [`Merging`]. The rest of
//! the loops differs, and one loop with a hook for each difference would be harder to read than both:
//!
//! - A solution keeps all actions of a decision, in order. Here only those that are taken count, and equal steps are joined.
//! - A step here counts turns, rolls or decisions, and its ways need 64 bits: rolls of equal dice are merged, so an event can
//!   have more outcomes than a graph has edges. A solution allows no such event, and its edges take half the memory.
//! - Ends have other values, memory is estimated otherwise, and each limit has a message of its own.

use houserule_base::interrupt;
use houserule_base::numbers::grouped;
use houserule_game::solve::{Merging, Solution, StateTable, solve};
use houserule_game::{ActionId, ApplyError, Game, RuntimeError, Seat, Start, State};
use houserule_model::UNNAMED_CHOICE;
use houserule_model::walk::{self, Dependence};
use houserule_players::agents::AgentKind;

use super::found::{Distribution, WinnerNames};
use super::plan::{OddsError, OddsPlan, OddsQuantity, OddsQuestion};
use super::spread::Spread;
use crate::follow::exact::LIMITS;

/// What is asked at the end of a game, or counted on the way.
pub(super) struct Asked<'a> {
    game: &'a Game,
    of: &'a OddsQuantity,
}

impl<'a> Asked<'a> {
    pub(super) fn new(game: &'a Game, of: &'a OddsQuantity) -> Result<Asked<'a>, OddsError> {
        match of {
            OddsQuantity::Score if game.model().score.is_empty() => Err(OddsError::NoScore),
            OddsQuantity::Winner if game.players() < 2 => Err(OddsError::NoWinner),
            _ => Ok(Asked { game, of }),
        }
    }

    /// Number of distributions.
    pub(super) fn columns(&self) -> usize {
        match self.of {
            OddsQuantity::Measure(_) if !self.is_of_each_seat() => 1,
            OddsQuantity::Score | OddsQuantity::Measure(_) => self.game.players() as usize,
            OddsQuantity::Winner | OddsQuantity::Turns | OddsQuantity::Rolls | OddsQuantity::Decisions => 1,
        }
    }

    /// Returns `true` if the value of the expression depends on who `me` is, or that isn't known.
    fn is_of_each_seat(&self) -> bool {
        let mut depends = false;
        for measure in &self.game.model().measures {
            walk::expr(measure, &mut |expr| {
                depends |= match walk::dependence(expr) {
                    Dependence::Me | Dependence::Past | Dependence::Script | Dependence::Trial => true,
                    Dependence::None | Dependence::Slot(_) | Dependence::Local | Dependence::OtherMe => false,
                };
            });
        }
        depends
    }

    /// Returns the number of counted things since a state was restored.
    fn counted(&self, state: &State) -> u64 {
        match self.of {
            OddsQuantity::Turns => state.turns(),
            OddsQuantity::Rolls => state.rolls(),
            OddsQuantity::Decisions => state.decisions(),
            OddsQuantity::Score | OddsQuantity::Winner | OddsQuantity::Measure(_) => 0,
        }
    }

    /// Returns the values of a finished game. To a count, the things on the way are added.
    fn values(&self, state: &State) -> Result<Vec<i64>, RuntimeError> {
        match self.of {
            OddsQuantity::Score => state.score_of_each(),
            OddsQuantity::Measure(_) => {
                (0..self.columns() as u32).map(|seat| state.measured(Seat(seat), 0)).collect()
            }
            OddsQuantity::Winner => {
                state.score_of_each()?;
                let winners = state.outcome().map(|outcome| outcome.winners).unwrap_or_default();
                Ok(vec![winners.iter().enumerate().map(|(seat, won)| i64::from(*won) << seat).sum()])
            }
            OddsQuantity::Turns | OddsQuantity::Rolls | OddsQuantity::Decisions => Ok(vec![0]),
        }
    }

    /// Returns the distributions of a result.
    pub(super) fn distributions(&self, spread: Spread, questions: &[OddsQuestion]) -> Vec<Distribution> {
        let names = match self.of {
            OddsQuantity::Winner => Some(WinnerNames::of_winners(self.game.model())),
            _ => None,
        };
        let seats = spread.columns.len() > 1 || matches!(self.of, OddsQuantity::Score);
        let columns = spread.columns.iter().zip(0..);
        let distribution = |(column, seat)| {
            let mut found = Distribution::new(seats.then_some(seat), column, names.as_ref());
            found.asked = questions.iter().map(|question| found.answer(question)).collect();
            found
        };
        columns.map(distribution).collect()
    }
}

/// A step from a state to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct StateStep {
    /// The state that follows.
    pub(super) to: u32,
    /// The number of counted things on the way.
    pub(super) counted: u32,
    /// The number of equally likely ways that take it.
    pub(super) times: u64,
}

/// The states and the steps between them.
pub(super) struct StateGraph {
    /// Start of each state's steps, then the end of the last.
    first: Vec<u32>,
    steps: Vec<StateStep>,
    /// The number of ends before each state, and of all.
    ends: Vec<u32>,
    /// The values of the ends, one after the other.
    values: Vec<i64>,
    columns: usize,
    /// Things counted before the first state.
    pub(super) before: i64,
}

impl StateGraph {
    pub(super) fn len(&self) -> u32 {
        self.first.len() as u32 - 1
    }

    pub(super) fn step_count(&self) -> usize {
        self.steps.len()
    }

    pub(super) fn steps(&self, state: u32) -> &[StateStep] {
        &self.steps[self.first[state as usize] as usize..self.first[state as usize + 1] as usize]
    }

    /// Returns the values of an end, or `None` if the game goes on.
    pub(super) fn values(&self, state: u32) -> Option<&[i64]> {
        let [end, next] = [state, state + 1].map(|at| self.ends[at as usize] as usize);
        (next > end).then(|| &self.values[end * self.columns..next * self.columns])
    }

    /// Finds all states of a game, breadth first.
    pub(super) fn from_game(
        game: &Game,
        plan: &OddsPlan,
        asked: &Asked<'_>,
        progress: &dyn Fn(u64),
    ) -> Result<StateGraph, OddsError> {
        if !game.program().pasts.is_empty() {
            return Err(OddsError::Repeated);
        }
        let deciders = Deciders::new(game, plan)?;
        let start = Start { explicit_chance: true, ..Start::default() };
        let mut here = game.start_at(&start).map_err(OddsError::Rules)?;
        let before = asked.counted(&here) as i64;
        let mut after = here.clone();
        // A solution has the positions as they are reached, not with other dice in their places.
        let merging = match deciders.solution {
            Some(_) => Merging::of_dead_values(game),
            None => Merging::of_equal_dice(game),
        };
        merging.merge(&mut here);
        let mut table = StateTable::new(here.persistent().len());
        table.insert(here.persistent());
        let mut graph = StateGraph {
            first: vec![0],
            steps: vec![],
            ends: vec![0],
            values: vec![],
            columns: asked.columns(),
            before,
        };
        let mut at = 0;
        while at < table.len() {
            interrupt::check();
            if at % 1024 == 0 {
                progress(u64::from(at));
            }
            here.restore(table.words(at));
            let from = graph.steps.len();
            let mut arrive = |after: &mut State, times: u64| {
                let counted = asked.counted(after) as u32;
                merging.merge(after);
                graph.steps.push(StateStep { to: table.insert(after.persistent()), counted, times });
                let bytes = table.bytes() + graph.steps.len() as u64 * size_of::<StateStep>() as u64 * 3 / 2;
                let exceeded = match () {
                    () if table.len() > LIMITS.states => {
                        format!("more than {} states", grouped(LIMITS.states))
                    }
                    () if graph.steps.len() > LIMITS.steps as usize => {
                        format!("more than {} steps between states", grouped(LIMITS.steps))
                    }
                    () if bytes > LIMITS.bytes => {
                        format!("states that take more than {} MiB", LIMITS.bytes >> 20)
                    }
                    () => return Ok(()),
                };
                Err(OddsError::TooLarge(exceeded, at))
            };
            if here.is_over() {
                graph.values.extend(asked.values(&here).map_err(OddsError::Rules)?);
            } else if here.is_chance() {
                let (mut outcomes, most) = (vec![], u64::from(LIMITS.steps));
                let count =
                    merging.outcomes(&here, most, &mut |outcome, times| outcomes.push((outcome, times)));
                if count > most {
                    let many = format!("a chance event of {} outcomes", grouped(count));
                    return Err(OddsError::TooLarge(many, at));
                }
                for (number, (outcome, times)) in outcomes.into_iter().enumerate() {
                    if number % 4096 == 4095 {
                        interrupt::check();
                    }
                    after.restore_copy(&here);
                    after.apply_outcome(outcome).map_err(failed)?;
                    arrive(&mut after, times)?;
                }
            } else {
                for action in deciders.actions(&here)? {
                    after.restore_copy(&here);
                    after.apply(action).map_err(failed)?;
                    arrive(&mut after, 1)?;
                }
            }
            graph.join(from);
            graph.first.push(graph.steps.len() as u32);
            let ends = graph.ends.last().copied().unwrap_or(0);
            graph.ends.push(ends + u32::from(here.is_over()));
            at += 1;
        }
        Ok(graph)
    }

    /// Joins equal steps of the last state.
    fn join(&mut self, from: usize) {
        let mut steps = self.steps.split_off(from);
        steps.sort_unstable();
        for step in steps {
            match self.steps[from..].last_mut() {
                Some(last) if (last.to, last.counted) == (step.to, step.counted) => last.times += step.times,
                _ => self.steps.push(step),
            }
        }
    }
}

/// Converts the error of an action or outcome, which is legal here.
fn failed(error: ApplyError) -> OddsError {
    match error {
        ApplyError::Runtime(error) => OddsError::Rules(error),
        other => OddsError::TooLarge(format!("a state in which nothing is legal ({other})"), 0),
    }
}

/// Who decides.
struct Deciders {
    /// For each seat, `Some(true)` if it plays best and `Some(false)` if at random.
    seats: Vec<Option<bool>>,
    solution: Option<Solution>,
}

impl Deciders {
    fn new(game: &Game, plan: &OddsPlan) -> Result<Deciders, OddsError> {
        let seats = game.players();
        let plays_best = |kind: &AgentKind| match kind {
            AgentKind::Random => Ok(Some(false)),
            AgentKind::Exact => Ok(Some(true)),
            other => Err(OddsError::Agent(other.to_string())),
        };
        let agents: Vec<Option<bool>> = plan.agents.iter().map(plays_best).collect::<Result<_, _>>()?;
        let seats = match agents[..] {
            [] => vec![None; seats as usize],
            [one] => vec![one; seats as usize],
            _ if agents.len() == seats as usize => agents,
            _ => return Err(OddsError::AgentCount(agents.len(), seats)),
        };
        let solution = match seats.contains(&Some(true)) {
            true if game.hides() => {
                let reason = "the players don't see everything, so a position has no single best action";
                return Err(OddsError::Exact(reason.to_owned()));
            }
            true => Some(solve(game, &LIMITS).map_err(|error| OddsError::Exact(error.reason()))?),
            false => None,
        };
        Ok(Deciders { seats, solution })
    }

    /// Returns the actions of a decision that are taken, all equally likely.
    fn actions(&self, state: &State) -> Result<Vec<ActionId>, OddsError> {
        let mut legal = state.legal_actions();
        let seat = state.current_player().unwrap_or(Seat(0));
        match self.seats[seat.index()] {
            Some(true) => {
                let solution = self.solution.as_ref();
                let best = solution.map(|solution| solution.best_actions(state)).unwrap_or_default();
                match best.is_empty() {
                    true => Err(OddsError::Exact("one of its positions was not solved".to_owned())),
                    false => Ok(best),
                }
            }
            Some(false) => {
                state.leave_out_deliberate(&mut legal);
                Ok(legal)
            }
            None if legal.len() > 1 => Err(decision(state, &legal)),
            None => Ok(legal),
        }
    }
}

/// Describes the first decision of a game in which nobody decides.
fn decision(state: &State, legal: &[ActionId]) -> OddsError {
    let model = state.game().model();
    let choice = state.pending_choice().map(|choice| &model.choices[choice.index()]);
    let step = choice.and_then(|choice| choice.step).map(|step| &model.steps[step.index()].name);
    let name = match (step, choice) {
        (Some(step), _) => format!("step `{step}`"),
        (None, Some(choice)) if choice.name == UNNAMED_CHOICE => "a `choose`".to_owned(),
        (None, Some(choice)) => format!("`choose {}`", choice.name),
        (None, None) => "a choice".to_owned(),
    };
    let actions = legal.iter().take(2).map(|action| state.game().action_name(*action));
    OddsError::Decision { choice: name, actions: actions.collect() }
}
