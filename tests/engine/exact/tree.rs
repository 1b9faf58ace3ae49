//! Exact counts and probabilities over the tree of a game, with equal states merged.

use std::collections::HashMap;
use std::fmt;

use super::play::Play;

/// A fraction in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fraction {
    over: u128,
    under: u128,
}

impl Fraction {
    /// Zero.
    pub(crate) const ZERO: Fraction = Fraction { over: 0, under: 1 };
    /// One.
    pub(crate) const ONE: Fraction = Fraction { over: 1, under: 1 };

    fn new(over: u128, under: u128) -> Self {
        let divisor = gcd(over, under).max(1);
        Fraction { over: over / divisor, under: under / divisor }
    }

    /// Parses `3/4`, `0` or `1`.
    pub(crate) fn parse(text: &str) -> Self {
        let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("`{text}` is no number"));
        match text.split_once('/') {
            Some((over, under)) => Self::new(number(over), number(under)),
            None => Self::new(number(text), 1),
        }
    }

    /// Returns the sum of two fractions.
    pub(crate) fn plus(self, other: Fraction) -> Self {
        let shared = gcd(self.under, other.under);
        let under = (self.under / shared).checked_mul(other.under).expect("the fraction fits");
        let over = self.over * (under / self.under) + other.over * (under / other.under);
        Self::new(over, under)
    }

    /// Returns the fraction divided by `of`.
    pub(crate) fn part(self, of: u64) -> Self {
        Self::new(self.over, self.under.checked_mul(u128::from(of)).expect("the fraction fits"))
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.under == 1 { write!(f, "{}", self.over) } else { write!(f, "{}/{}", self.over, self.under) }
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Returns the number of leaves after exactly `depth` decisions, including games that end with the last one.
pub(crate) fn leaves<P: Play>(state: &P, depth: usize) -> u64 {
    if depth == 0 {
        return 1;
    }
    if state.is_over() {
        return 0;
    }
    assert!(!state.is_chance(), "only games without chance have leaves to count");
    let after = |action| {
        let mut next = state.clone();
        next.decide(action);
        leaves(&next, depth - 1)
    };
    state.legal().into_iter().map(after).sum()
}

/// Returns the successors of a state, which are equally likely under uniformly random choices.
pub(crate) fn successors<P: Play>(state: &P) -> Vec<P> {
    let mut found = vec![];
    if state.is_chance() {
        for outcome in 0..state.outcomes() {
            let mut next = state.clone();
            next.happen(outcome);
            found.push(next);
        }
    } else {
        for action in state.legal() {
            let mut next = state.clone();
            next.decide(action);
            found.push(next);
        }
    }
    found
}

/// The states of a game at one roll, each with its probability. Equal states are merged.
pub(crate) struct Front<P: Play> {
    /// The state into which packed states are restored.
    state: P,
    states: HashMap<P::Packed, Fraction>,
}

impl<P: Play> Front<P> {
    /// Returns the states at the first roll.
    pub(crate) fn new(start: &P) -> Self {
        let mut states = HashMap::new();
        settle(start.clone(), Fraction::ONE, &mut |state, chance| {
            assert!(!state.is_over(), "the game is over before a roll");
            states.insert(state.clone().pack(), chance);
        });
        Front { state: start.clone(), states }
    }

    /// Rolls once and lets random players decide until the next roll. Passes finished games to `ended`, with
    /// their probabilities.
    pub(crate) fn roll(&mut self, ended: &mut impl FnMut(&P, Fraction)) {
        let mut states = HashMap::new();
        let front = Front { state: self.state.clone(), states: std::mem::take(&mut self.states) };
        front.last_roll(&mut |state, chance| {
            if state.is_over() {
                return ended(state, chance);
            }
            let sum = states.entry(state.clone().pack()).or_insert(Fraction::ZERO);
            *sum = sum.plus(chance);
        });
        self.states = states;
    }

    /// Rolls once and passes every possible next state to `seen`, without storing any.
    pub(crate) fn last_roll(mut self, seen: &mut impl FnMut(&P, Fraction)) {
        for (packed, chance) in std::mem::take(&mut self.states) {
            self.state.unpack(&packed);
            let outcomes = self.state.outcomes();
            for outcome in 0..outcomes {
                let mut next = self.state.clone();
                next.happen(outcome);
                settle(next, chance.part(outcomes), seen);
            }
        }
    }
}

/// Resolves the decisions of a state until a chance event or the end of the game.
fn settle<P: Play>(mut state: P, chance: Fraction, seen: &mut impl FnMut(&P, Fraction)) {
    while !state.is_over() && !state.is_chance() {
        let actions = state.legal();
        if let [only] = actions[..] {
            state.decide(only);
            continue;
        }
        for action in &actions {
            let mut next = state.clone();
            next.decide(*action);
            settle(next, chance.part(actions.len() as u64), seen);
        }
        return;
    }
    seen(&state, chance);
}
