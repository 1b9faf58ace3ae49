//! Exact counts and chances over the tree of a game, with equal states merged.

use std::collections::HashMap;
use std::fmt;

use houserule::engine::State;

/// A fraction in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fraction {
    over: u128,
    under: u128,
}

impl Fraction {
    /// Nothing.
    pub(crate) const ZERO: Fraction = Fraction { over: 0, under: 1 };
    /// Certainty.
    pub(crate) const ONE: Fraction = Fraction { over: 1, under: 1 };

    fn new(over: u128, under: u128) -> Self {
        let divisor = gcd(over, under).max(1);
        Fraction { over: over / divisor, under: under / divisor }
    }

    /// `3/4`, `0`, `1`.
    pub(crate) fn parse(text: &str) -> Self {
        let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("`{text}` is no number"));
        match text.split_once('/') {
            Some((over, under)) => Self::new(number(over), number(under)),
            None => Self::new(number(text), 1),
        }
    }

    /// The sum.
    pub(crate) fn plus(self, other: Fraction) -> Self {
        let shared = gcd(self.under, other.under);
        let under = (self.under / shared).checked_mul(other.under).expect("the fraction fits");
        let over = self.over * (under / self.under) + other.over * (under / other.under);
        Self::new(over, under)
    }

    /// An equal part.
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

/// Leaves after exactly `depth` decisions; games that end with the last of them count.
pub(crate) fn leaves(state: &State, depth: usize) -> u64 {
    if depth == 0 {
        return 1;
    }
    if state.is_over() {
        return 0;
    }
    assert!(!state.is_chance(), "only games without chance have leaves to count");
    let after = |action| {
        let mut next = state.clone();
        next.apply(action).expect("a legal action can be taken");
        leaves(&next, depth - 1)
    };
    state.legal_actions().into_iter().map(after).sum()
}

/// Visits the end of every line of play, by decisions and chance alike, with its chance if all
/// options are as likely.
pub(crate) fn ends(state: &State, chance: Fraction, seen: &mut impl FnMut(&State, Fraction)) {
    if state.is_over() {
        return seen(state, chance);
    }
    for (next, chance) in successors(state, chance) {
        ends(&next, chance, seen);
    }
}

/// What a state leads to, all with the same chance.
fn successors(state: &State, chance: Fraction) -> Vec<(State, Fraction)> {
    let mut found = vec![];
    if state.is_chance() {
        let outcomes = state.chance_outcomes();
        for outcome in 0..outcomes {
            let mut next = state.clone();
            next.apply_outcome(outcome).expect("an outcome can be applied");
            found.push((next, chance.part(outcomes)));
        }
    } else {
        let actions = state.legal_actions();
        for action in &actions {
            let mut next = state.clone();
            next.apply(*action).expect("a legal action can be taken");
            found.push((next, chance.part(actions.len() as u64)));
        }
    }
    found
}

/// The states of a game from one roll to the next, each with its chance, merged where equal.
pub(crate) struct Front {
    /// Where the states are unpacked.
    state: State,
    states: HashMap<Vec<u64>, Fraction>,
}

impl Front {
    /// At the first roll.
    pub(crate) fn new(start: &State) -> Self {
        let mut front = Front { state: start.clone(), states: HashMap::new() };
        let mut states = HashMap::new();
        front.settle(Fraction::ONE, &mut |state, chance| {
            assert!(!state.is_over(), "the game is over before a roll");
            states.insert(state.persistent().to_vec(), chance);
        });
        front.states = states;
        front
    }

    /// Rolls once more and lets random players decide what follows; hands over the games that end,
    /// with their chances.
    pub(crate) fn roll(&mut self, ended: &mut impl FnMut(&State, Fraction)) {
        let mut states = HashMap::new();
        let front = Front { state: self.state.clone(), states: std::mem::take(&mut self.states) };
        front.last_roll(&mut |state, chance| {
            if state.is_over() {
                return ended(state, chance);
            }
            let sum = states.entry(state.persistent().to_vec()).or_insert(Fraction::ZERO);
            *sum = sum.plus(chance);
        });
        self.states = states;
    }

    /// Rolls once more and hands over every state that may follow, without keeping any.
    pub(crate) fn last_roll(mut self, seen: &mut impl FnMut(&State, Fraction)) {
        for (words, chance) in std::mem::take(&mut self.states) {
            self.state.restore(&words);
            let outcomes = self.state.chance_outcomes();
            for outcome in 0..outcomes {
                self.state.restore(&words);
                self.state.apply_outcome(outcome).expect("an outcome can be applied");
                self.settle(chance.part(outcomes), seen);
            }
        }
    }

    /// Resolves the decisions of the state at hand until chance acts or the game is over.
    fn settle(&mut self, chance: Fraction, seen: &mut impl FnMut(&State, Fraction)) {
        while !self.state.is_over() && !self.state.is_chance() {
            let actions = self.state.legal_actions();
            if let [only] = actions[..] {
                self.state.apply(only).expect("a legal action can be taken");
                continue;
            }
            let words = self.state.persistent().to_vec();
            for action in &actions {
                self.state.restore(&words);
                self.state.apply(*action).expect("a legal action can be taken");
                self.settle(chance.part(actions.len() as u64), seen);
            }
            return;
        }
        seen(&self.state, chance);
    }
}
