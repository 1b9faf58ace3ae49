//! Statements and turns, on models of a few lines.

mod agree;
mod build;
mod dots;
mod play;
mod state;

use super::*;
use houserule_model::SlotId;

/// Answers from a list, and records the questions. A question without an answer stops the game.
#[derive(Default)]
struct AnswerList {
    answers: Vec<u64>,
    asked: Vec<Question>,
    /// The whole state at every question.
    states: Vec<SlotValues>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Question {
    /// The player who chooses, and the legal actions.
    Choice(u32, Vec<u32>),
    /// The player whose name the rules act in, and the number of outcomes.
    Chance(u32, u64),
}

impl AnswerList {
    fn new(answers: &[u64]) -> Self {
        AnswerList { answers: answers.iter().rev().copied().collect(), ..AnswerList::default() }
    }
}

impl Driver for AnswerList {
    fn choose(&mut self, view: &Situation<'_>, legal: &[ActionId]) -> Result<ActionId, DriverStop> {
        assert!(!legal.is_empty() && legal.is_sorted() && view.choice.is_some());
        self.asked.push(Question::Choice(view.me.0, legal.iter().map(|a| a.0).collect()));
        self.states.push(view.state.clone());
        self.answers.pop().map(|a| ActionId(a as u32)).ok_or(DriverStop)
    }

    fn chance(&mut self, view: &Situation<'_>, outcomes: u64) -> Result<u64, DriverStop> {
        assert!(outcomes > 1 && view.choice.is_none());
        self.asked.push(Question::Chance(view.me.0, outcomes));
        self.states.push(view.state.clone());
        self.answers.pop().ok_or(DriverStop)
    }
}

/// Plays with these answers. Also compares the fast executor in random games.
fn run(model: &Model, starter: u32, answers: &[u64]) -> (Result<Ending, Halt>, SlotValues, AnswerList) {
    agree::games(model, 5, 50);
    let mut state = SlotValues::initial(model, Seat(starter));
    let mut script = AnswerList::new(answers);
    let ended = play(model, &mut state, &mut script);
    (ended, state, script)
}

fn number_in(state: &SlotValues, slot: SlotId, place: usize) -> i64 {
    match state.value(slot, place) {
        Value::Number(n) => *n,
        other => panic!("{other:?} is not a number"),
    }
}

fn numbers_in(state: &SlotValues, slot: SlotId) -> Vec<i64> {
    (0..state.family(slot).len()).map(|place| number_in(state, slot, place)).collect()
}
