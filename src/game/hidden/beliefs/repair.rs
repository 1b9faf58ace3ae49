//! The search for a first trace that agrees with a log: it repairs disagreements one hidden event at a time. If that
//! doesn't lead to one, it also exchanges what two hidden events pick, such as two cards that were dealt to places where
//! the log has them the other way round. Depends only on the log: the same log leads to the same trace.

use std::ops::Range;

use super::chain::{Continuation, EventKey, Reached, Trace, Wanted, one_die};
use super::log::Identified;
use super::ways::Rules;
use crate::{BinderValue, Event, State};
use houserule_base::interrupt;
use houserule_base::rng::Stream;

/// Maximum number of replays without progress. After it the search starts a new trace. It matters to budgets above the
/// default one, which is as large.
const PATIENCE: u64 = 5_000;

/// Number of outcomes, tried to find the ways of `chance … given`, that cost as much as a replay.
const TRIED_IN_A_REPLAY: u64 = 250;

/// Work, beyond that of usual events, that costs as much as a replay: that of a replay of usual length.
const WORK_IN_A_REPLAY: u64 = 25_000;

/// The replays that a search may still make.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchBudget {
    /// Replays that change one hidden event.
    changes: u64,
    /// Replays that may exchange two as well.
    exchanges: u64,
}

impl SearchBudget {
    /// Returns a budget with `replays` of each.
    pub(super) fn new(replays: u64) -> SearchBudget {
        SearchBudget { changes: replays, exchanges: replays }
    }

    /// Takes a replay. Returns whether it may exchange two events, or `None` if nothing is left.
    fn take(&mut self) -> Option<bool> {
        let exchanges = self.changes == 0;
        let left = if exchanges { &mut self.exchanges } else { &mut self.changes };
        *left = left.checked_sub(1)?;
        Some(exchanges)
    }

    /// Takes what a replay cost beyond its events.
    fn charge(&mut self, way: &Continuation) {
        let left = if self.changes == 0 { &mut self.exchanges } else { &mut self.changes };
        *left = left.saturating_sub(way.tried / TRIED_IN_A_REPLAY + way.excess() / WORK_IN_A_REPLAY);
    }
}

/// Extends a trace to `goal` observations within a budget. Returns `false` if it is used up or no hidden event is left
/// to change.
pub(super) fn extend(
    trace: &mut Trace,
    rules: Rules<'_>,
    goal: u64,
    budget: &mut SearchBudget,
    stream: &mut Stream,
) -> bool {
    let from = trace.steps.len();
    let nothing = Wanted { values: &[], instead: None, mends: true };
    let way = trace.continuation(rules, from, goal, &nothing, stream);
    budget.charge(&way);
    trace.take(from, way);
    let (mut stuck, mut started_anew) = (0, false);
    while trace.reached.progress < goal {
        interrupt::check();
        let Some(exchanges) = budget.take() else { return false };
        stuck += 1;
        let free = trace.free();
        if free.is_empty() || stuck > PATIENCE {
            // The trace at hand may lack what a new one has, once.
            if free.is_empty() && started_anew {
                return false;
            }
            started_anew |= free.is_empty();
            stuck = 0;
            let way = trace.continuation(rules, 0, goal, &nothing, stream);
            budget.charge(&way);
            trace.take(0, way);
            continue;
        }
        let reached = trace.reached;
        let change = match exchanges && stream.below(2) == 0 {
            true => exchange(trace, rules, goal, &free, stream),
            false => repair(trace, rules, goal, &free, stream),
        };
        let Some((from, wanted, values)) = change else { continue };
        let wanted = Wanted { values: &values, instead: Some(wanted), mends: true };
        let way = trace.continuation(rules, from, goal, &wanted, stream);
        budget.charge(&way);
        if is_no_worse(way.reached, reached) {
            if way.reached.progress > reached.progress {
                stuck = 0;
            }
            trace.take(from, way);
        }
    }
    true
}

fn is_no_worse(new: Reached, old: Reached) -> bool {
    (new.progress, u64::MAX - new.distance) >= (old.progress, u64::MAX - old.distance)
}

/// A hidden event, and the value that it gets.
type EventReplacement = (EventKey, Event);

/// Proposes a change: the step to replay from, the event with its new value, and the values that later events
/// keep.
fn repair(
    trace: &Trace,
    rules: Rules<'_>,
    goal: u64,
    free: &[usize],
    stream: &mut Stream,
) -> Option<(usize, EventReplacement, Vec<EventReplacement>)> {
    // Half of the time one of the last, which are the likeliest causes.
    let back = (stream.next_word().trailing_zeros() as usize).min(free.len() - 1);
    let from = match stream.below(2) {
        0 => free[free.len() - 1 - back],
        _ => free[stream.below(free.len() as u64) as usize],
    };
    let step = &trace.steps[from];
    let named = find_named(rules, trace.reached.progress..goal);
    let event = propose_value(rules, &named, step.event, &step.state, stream)?;
    let mut values = trace.values(from + 1);
    if stream.below(2) == 0
        && let Some(later) = values.iter_mut().find(|(_, later)| *later == event)
    {
        later.1 = step.event;
    }
    Some((from, (step.name?, event), values))
}

/// Proposes that a pick of an element that the next event of the log names and another pick of the domain exchange what
/// they pick.
fn exchange(
    trace: &Trace,
    rules: Rules<'_>,
    goal: u64,
    free: &[usize],
    stream: &mut Stream,
) -> Option<(usize, EventReplacement, Vec<EventReplacement>)> {
    let named = find_named(rules, trace.reached.progress..goal);
    let wanted = *named.get(stream.below(named.len().max(1) as u64) as usize)?;
    let picks = |at: &usize| match trace.steps[*at].event {
        Event::Pick { domain, element } => Some((*at, domain, element)),
        _ => None,
    };
    let (of, domain, _) = free.iter().filter_map(picks).find(|(_, _, element)| *element == wanted)?;
    let others: Vec<usize> = free
        .iter()
        .filter_map(picks)
        .filter(|(at, other, _)| *at != of && *other == domain)
        .map(|(at, ..)| at)
        .collect();
    let with = *others.get(stream.below(others.len().max(1) as u64) as usize)?;
    let (first, second) = (&trace.steps[of.min(with)], &trace.steps[of.max(with)]);
    let mut values = trace.values(of.min(with) + 1);
    values.iter_mut().find(|(name, _)| Some(*name) == second.name)?.1 = first.event;
    Some((of.min(with), (first.name?, second.event), values))
}

/// Proposes another value for a hidden event: another roll of one die, an element that the next event of the
/// log names, or a random one.
fn propose_value(
    rules: Rules<'_>,
    named: &[u32],
    now: Event,
    state: &State,
    stream: &mut Stream,
) -> Option<Event> {
    if let Some(event) = one_die(state, &now, stream)
        && stream.below(4) > 0
    {
        return Some(event);
    }
    if stream.below(2) == 0 && !named.is_empty() {
        let element = named[stream.below(named.len() as u64) as usize];
        if let Some(event) = name_element(rules, state, now, element, stream) {
            return Some(event);
        }
    }
    rules.draw(state, stream).map(|(event, _)| event)
}

/// Returns an event like `now` that names `element`, if possible.
fn name_element(
    rules: Rules<'_>,
    state: &State,
    now: Event,
    element: u32,
    stream: &mut Stream,
) -> Option<Event> {
    match now {
        Event::Pick { domain, .. } => {
            let event = Event::Pick { domain, element };
            rules.weigh(state, &event).map(|_| event)
        }
        Event::Action { player, .. } => {
            let game = state.game();
            let names = |action: &crate::ActionId| {
                game.action_bindings(*action).into_iter().any(|bound| bound.elements().1.contains(&element))
            };
            let fit: Vec<_> = state.legal_actions().into_iter().filter(names).collect();
            let action = *fit.get(stream.below(fit.len().max(1) as u64) as usize)?;
            Some(Event::Action { player, action })
        }
        _ => None,
    }
}

/// Returns the elements that the next event of the log names, if it comes within these numbers of observations. Later ones
/// aren't known to those who ask at the goal.
fn find_named(rules: Rules<'_>, within: Range<u64>) -> Vec<u32> {
    let Some(hint) = rules.log.hint_from(within.start).filter(|hint| hint.at < within.end) else {
        return vec![];
    };
    match hint.told {
        Identified::All(Event::Pick { element, .. }) => vec![element],
        Identified::All(Event::Action { action, .. }) => {
            let bound = rules.observed.game.action_bindings(action).into_iter();
            bound.flat_map(|bound: BinderValue| bound.elements().1).collect()
        }
        _ => vec![],
    }
}
