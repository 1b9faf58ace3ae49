//! A Markov chain over the traces of a game: single-site Metropolis–Hastings on its hidden events (Wingate,
//! Stuhlmüller and Goodman 2011, <https://proceedings.mlr.press/v15/wingate11a.html>).
//!
//! A step changes one hidden event, or exchanges the values of two, and replays what comes after. The other
//! hidden events keep their values, or some of the later ones are redrawn. Every trace that the chain visits
//! agrees with the whole log. The first trace comes from [`super::repair`].

use std::sync::Arc;

use super::ways::Rules;
use crate::{Event, State};
use houserule_base::interrupt;
use houserule_base::rng::Stream;
use houserule_model::Role;

/// Identifies a hidden event across traces: the stop point, the number of observations before the event, and
/// the number of earlier hidden events with both in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EventKey {
    stop: usize,
    at: u64,
    nth: u32,
}

/// An event of a trace.
#[derive(Clone, Debug)]
pub(super) struct TraceStep {
    /// The state before the event.
    pub(super) state: Arc<State>,
    pub(super) event: Event,
    /// The name of the event, if the seat could not identify it.
    pub(super) name: Option<EventKey>,
    /// Logarithm of its probability under [`Rules::draw`]; `weight` is that under the rules and the
    /// opponents.
    drawn: f64,
    weight: f64,
}

/// Number of events after which the chain mixes no more at once: in a game with thousands of hidden events, each step may replay
/// all of them.
const MOST_REPLAYED: usize = 50_000;

/// The work of an event up to which it counts as one: see [`State::work_since`]. Usual events cost a tenth of it at most.
const EVENT_WORK: u64 = 1_000;

/// Work beyond that of usual events after which a way ends. It takes a few seconds at most.
const MOST_EXCESS: u64 = 5_000_000;

/// How far a way agrees with the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reached {
    /// Number of observations of the log that it explains.
    pub(super) progress: u64,
    /// Number of bits by which the visible words differ from the log's, or `IMPOSSIBLE`.
    pub(super) distance: u64,
}

/// A continuation from a state.
#[derive(Clone, Debug)]
pub(super) struct Continuation {
    pub(super) steps: Vec<TraceStep>,
    pub(super) last: State,
    pub(super) reached: Reached,
    /// Logarithm of the probability of all newly drawn events.
    fresh: f64,
    /// The names of the events that kept their values.
    kept: Vec<EventKey>,
    /// Number of outcomes that were tried to find the ways of `chance … given`.
    pub(super) tried: u64,
    /// The work of all events.
    work: u64,
}

/// The distance of an event that can't happen.
const IMPOSSIBLE: u64 = 1 << 32;

/// A trace of a game that agrees with a log.
#[derive(Clone, Debug)]
pub(super) struct Trace {
    pub(super) steps: Vec<TraceStep>,
    /// The state after the last step.
    pub(super) last: State,
    pub(super) reached: Reached,
}

/// The values that a replay gives the hidden events.
pub(super) struct Wanted<'w> {
    /// The events' previous values, in order.
    pub(super) values: &'w [(EventKey, Event)],
    /// The event to change, with its new value.
    pub(super) instead: Option<(EventKey, Event)>,
    /// Redraws an event whose value has become impossible. Otherwise the way ends there.
    pub(super) mends: bool,
}

impl Trace {
    /// Returns a trace without events.
    pub(super) fn empty(rules: Rules<'_>, first: &State) -> Trace {
        let reached = Reached { progress: rules.progress(first), distance: 0 };
        Trace { steps: vec![], last: first.clone(), reached }
    }

    /// Returns the indices of the hidden events.
    pub(super) fn free(&self) -> Vec<usize> {
        (0..self.steps.len()).filter(|at| self.steps[*at].name.is_some()).collect()
    }

    /// Returns the values of the hidden events from step `from` on.
    pub(super) fn values(&self, from: usize) -> Vec<(EventKey, Event)> {
        self.steps[from..].iter().filter_map(|step| Some((step.name?, step.event))).collect()
    }

    /// Returns the name of the hidden event pending in `state`, after the steps `before` and `more`.
    fn name(rules: Rules<'_>, before: &[TraceStep], more: &[TraceStep], state: &State) -> EventKey {
        let (stop, at) = (state.pending_stop().unwrap_or(usize::MAX), rules.progress(state));
        let names = more.iter().rev().chain(before.iter().rev()).filter_map(|step| step.name);
        let nth = names.take_while(|name| name.at == at).filter(|name| name.stop == stop).count();
        EventKey { stop, at, nth: nth as u32 }
    }

    /// Replays from before step `from` until the way explains `goal` observations, or as far as it agrees
    /// with the log.
    pub(super) fn continuation(
        &self,
        rules: Rules<'_>,
        from: usize,
        goal: u64,
        wanted: &Wanted<'_>,
        stream: &mut Stream,
    ) -> Continuation {
        let before = &self.steps[..from];
        let first = self.steps.get(from).map_or(&self.last, |step| &*step.state);
        let reached = Reached { progress: rules.progress(first), distance: 0 };
        let mut way = Continuation {
            steps: vec![],
            last: first.clone(),
            reached,
            fresh: 0.0,
            kept: vec![],
            tried: 0,
            work: 0,
        };
        let mut looked = 0;
        while way.reached.progress < goal {
            if way.last.is_over() || way.excess() > MOST_EXCESS {
                way.reached.distance = IMPOSSIBLE;
                break;
            }
            let told = rules.identified(&way.last);
            let name = told.is_none().then(|| Trace::name(rules, before, &way.steps, &way.last));
            let mut anew = false;
            let mut value = match (told, name) {
                (Some(event), _) => Some(event),
                (None, Some(name)) => match wanted.instead.filter(|instead| instead.0 == name) {
                    Some((_, event)) => Some(event),
                    None => {
                        let known = wanted.values[looked..].iter().position(|value| value.0 == name);
                        looked += known.map_or(0, |at| at + 1);
                        anew = known.is_none();
                        known.map(|_| wanted.values[looked - 1].1)
                    }
                },
                (None, None) => None,
            };
            if told.is_none() && way.last.current_player() == Some(rules.log.seat) {
                // The log has the seat's own actions; none matches here.
                value = None;
                anew = false;
            }
            if anew
                || wanted.mends
                    && told.is_none()
                    && value.is_none_or(|v| rules.weigh(&way.last, &v).is_none())
            {
                let drawn = match way.last.current_player() == Some(rules.log.seat) {
                    true => None,
                    false => rules.draw(&way.last, stream),
                };
                value = drawn.map(|(event, p)| {
                    way.fresh += p.ln();
                    event
                });
                anew = true;
            }
            let weighed = value.and_then(|event| Some((event, rules.weigh(&way.last, &event)?)));
            let Some((event, (drawn, weight))) = weighed.filter(|(_, (_, weight))| *weight > 0.0) else {
                way.reached.distance = IMPOSSIBLE;
                break;
            };
            if let Some(name) = name.filter(|_| !anew) {
                way.kept.push(name);
            }
            let mut next = way.last.clone();
            std::mem::swap(&mut next, &mut way.last);
            let state = Arc::new(next);
            let followed = rules.observed.follow(&mut way.last, &event, Some(&state));
            way.tried += way.last.tried_ways().saturating_sub(state.tried_ways());
            way.work += way.last.work_since(state.work_mark(), followed);
            let step = |state| TraceStep { state, event, name, drawn: drawn.ln(), weight: weight.ln() };
            if !followed || !rules.agrees(&way.last) {
                way.reached.distance = distance(rules, &state, &way.last);
                way.last = State::clone(&state);
                if name.is_some() {
                    // Another value may agree.
                    way.steps.push(step(state));
                }
                break;
            }
            way.steps.push(step(state));
            way.reached.progress = rules.progress(&way.last);
        }
        way
    }

    /// Replaces the steps from index `from` on.
    pub(super) fn take(&mut self, from: usize, way: Continuation) {
        self.steps.truncate(from);
        self.steps.extend(way.steps);
        self.last = way.last;
        self.reached = way.reached;
    }

    /// Runs the chain for `each` steps per hidden event.
    pub(super) fn walk(&mut self, rules: Rules<'_>, each: usize, stream: &mut Stream) {
        let mut free = self.free();
        self.weigh(rules);
        let steps = each * free.len();
        self.mix(rules, &mut free, steps, stream);
    }

    /// Recomputes the weights of all decisions with the opponent model.
    pub(super) fn weigh(&mut self, rules: Rules<'_>) {
        for step in &mut self.steps {
            if let Event::Action { action, .. } = step.event {
                step.weight = rules.likelihood(&step.state, action).ln();
            }
        }
    }

    /// Makes steps of the chain, `steps` at most and fewer if they replay very many events.
    pub(super) fn mix(&mut self, rules: Rules<'_>, free: &mut Vec<usize>, steps: usize, stream: &mut Stream) {
        let mut left = MOST_REPLAYED;
        for _ in 0..steps {
            interrupt::check();
            let Some(rest) = left.checked_sub(self.step(rules, free, stream)) else { break };
            left = rest;
        }
    }

    /// Makes one step of the chain. Returns the number of events that it replayed; much work counts as more events.
    fn step(&mut self, rules: Rules<'_>, free: &mut Vec<usize>, stream: &mut Stream) -> usize {
        let Some(many) = u64::try_from(free.len()).ok().filter(|many| *many > 0) else { return 0 };
        let from = free[stream.below(many) as usize];
        // Sometimes a quarter of the later hidden events is redrawn, or all of them, to reach worlds that
        // differ in several events at once.
        let anew = match stream.below(8) {
            0 => 4,
            1 | 2 => 1,
            _ => 0,
        };
        let Some(change) = self.change(rules, from, anew == 0, stream) else { return 0 };
        let mut values = self.values(from + 1);
        values.retain(|_| anew == 0 || stream.below(4) >= anew);
        if let Some((at, event)) = change.partner {
            values[at].1 = event;
        }
        let Some(name) = self.steps[from].name else { return 0 };
        let wanted = Wanted { values: &values, instead: Some((name, change.event)), mends: false };
        let goal = self.reached.progress;
        let way = self.continuation(rules, from, goal, &wanted, stream);
        let replayed = way.steps.len() + (way.excess() / EVENT_WORK) as usize;
        if way.reached.progress < goal {
            return replayed;
        }
        if let Some((at, _)) = change.partner
            && !way.exchanges_back(values[at].0, self.steps[from].event)
        {
            return replayed;
        }
        // The way back would redraw the events that only the old trace has.
        let old = &self.steps[from..];
        let lost = |step: &&TraceStep| step.name.is_some_and(|n| n != name && !way.kept.contains(&n));
        let stale: f64 = old.iter().filter(lost).map(|step| step.drawn).sum();
        let weight = |steps: &[TraceStep]| steps.iter().map(|step| step.weight).sum::<f64>();
        let now =
            free.partition_point(|at| *at < from) + way.steps.iter().filter(|s| s.name.is_some()).count();
        let ratio = weight(&way.steps) - weight(old) + (many as f64).ln() - (now as f64).ln() + stale
            - way.fresh
            + change.ratio;
        if ratio >= 0.0 || ((stream.below(1 << 53) as f64 + 0.5) / (1u64 << 53) as f64).ln() < ratio {
            self.take(from, way);
            *free = self.free();
        }
        replayed
    }

    /// Proposes another value for a hidden event.
    fn change(&self, rules: Rules<'_>, from: usize, alone: bool, stream: &mut Stream) -> Option<Proposal> {
        let step = &self.steps[from];
        if let Some(event) = one_die(&step.state, &step.event, stream)
            && stream.below(4) > 0
        {
            return (event != step.event).then_some(Proposal { event, partner: None, ratio: 0.0 });
        }
        let (event, p) = rules.draw(&step.state, stream)?;
        if event == step.event && alone {
            return None;
        }
        let ratio = step.drawn - p.ln();
        let exchanges = alone && matches!(event, Event::Pick { .. }) && stream.below(2) == 0;
        if !exchanges {
            return Some(Proposal { event, partner: None, ratio });
        }
        let at = self.values(from + 1).iter().position(|(_, later)| *later == event)?;
        Some(Proposal { event, partner: Some((at, step.event)), ratio })
    }
}

/// A proposal of the chain.
struct Proposal {
    event: Event,
    /// The later hidden event that takes the old value in exchange, by its index among those.
    partner: Option<(usize, Event)>,
    /// Logarithm of the proposal ratio, way back to way there.
    ratio: f64,
}

impl Continuation {
    /// Returns the work beyond that of usual events.
    pub(super) fn excess(&self) -> u64 {
        self.work.saturating_sub(EVENT_WORK * (self.steps.len() as u64 + 1))
    }

    /// Returns `true` if the same exchange leads back. The partner is the first later event with the value
    /// given away.
    fn exchanges_back(&self, partner: EventKey, value: Event) -> bool {
        let mut later = self.steps.iter().skip(1).filter(|step| step.name.is_some());
        later.find(|step| step.event == value).is_some_and(|step| step.name == Some(partner))
    }
}

/// Returns a roll with one of its dice rolled again, or `None` if the event isn't a roll of several dice.
pub(super) fn one_die(state: &State, event: &Event, stream: &mut Stream) -> Option<Event> {
    let Event::Roll { slot, family, dice, outcome } = *event else { return None };
    let Role::Dice { faces, .. } = state.game().model().slots[slot.index()].role else { return None };
    let count = dice.count_ones();
    if count < 2 {
        return None;
    }
    let place = u64::from(faces).checked_pow(stream.below(count.into()) as u32)?;
    let old = outcome / place % u64::from(faces);
    let outcome = outcome - old * place + stream.below(faces.into()) * place;
    Some(Event::Roll { slot, family, dice, outcome })
}

/// Returns the number of differing bits between the visible words after an event and the log's.
fn distance(rules: Rules<'_>, before: &State, after: &State) -> u64 {
    let row = rules.observed.row(after);
    let wanted = rules.log.row_at(rules.progress(before) + 1);
    let bits = |(a, b): (&u64, &u64)| u64::from((a ^ b).count_ones());
    let apart = row.len().abs_diff(wanted.len()) as u64 * 64;
    apart + row.iter().zip(wanted).map(bits).sum::<u64>()
}
