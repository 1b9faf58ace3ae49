//! Differential test: plays a game with both executors side by side and compares every state.

use houserule::game::random_games::{Finished, UsageCounts, play_random};
use houserule::game::{ActionId, ApplyError, Game, RuntimeError, RuntimeErrorKind, Seat, Start, State};
use houserule::model::SlotId;
use houserule::oracle;
use houserule::oracle::{Driver, DriverStop, Halt, Situation};
use houserule::rng::Stream;

/// How a game that both executors played stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Came {
    /// The game ended by its rules.
    Over,
    /// The rules raised an error.
    Failed,
    /// The limit of questions was reached.
    Stopped,
}

/// Answers the reference interpreter at random, and applies the same answers to the executor.
struct Beside {
    fast: State,
    answers: Stream,
    /// Number of questions that are still answered.
    questions: u32,
    /// The error of the executor, if it failed.
    failed: Option<RuntimeError>,
    /// The questions and answers so far, for the message of a failing test.
    told: Vec<String>,
}

impl Beside {
    fn compare(&self, slow: &oracle::SlotValues) {
        let model = self.fast.game().model();
        for (number, slot) in model.slots.iter().enumerate() {
            let id = SlotId(number as u32);
            if !self.fast.keeps(id) {
                continue;
            }
            for place in 0..slot.initial.len() {
                let (fast, slow) = (self.fast.value(id, place), slow.value(id, place));
                assert_eq!(&fast, slow, "fast and slow {}[{place}] after {:?}", slot.name, self.told);
            }
        }
        // The state fails for all players if the score of one does.
        let slow: Result<Vec<_>, _> =
            (0..model.players.count).map(|player| oracle::score_of(model, slow, Seat(player))).collect();
        for player in 0..model.players.count {
            let fast = self.fast.scores(Seat(player));
            let slow = slow.as_ref().map(|all| &all[player as usize]);
            let both = fast.as_ref().ok().zip(slow.ok());
            assert!(
                both.map_or(fast.is_err() && slow.is_err(), |(f, s)| f == s),
                "scores of {player}: fast {fast:?}, slow {slow:?} after {:?}",
                self.told
            );
        }
    }

    fn ask(&mut self, view: &Situation<'_>) -> Result<(), DriverStop> {
        if self.failed.as_ref().is_some_and(is_limit) {
            return Err(DriverStop);
        }
        assert_eq!(self.failed, None, "the slow executor goes on after {:?}", self.told);
        assert!(!self.fast.is_over(), "the slow executor goes on after {:?}", self.told);
        assert_eq!(self.fast.is_chance(), view.choice.is_none(), "after {:?}", self.told);
        assert_eq!(self.fast.pending_choice(), view.choice, "after {:?}", self.told);
        self.compare(view.state);
        assert_eq!(self.fast.decisions(), view.counts.decisions, "decisions after {:?}", self.told);
        assert_eq!(self.fast.rolls(), view.counts.rolls, "rolls after {:?}", self.told);
        assert_eq!(self.fast.turns(), view.counts.turns, "turns after {:?}", self.told);
        self.questions = self.questions.checked_sub(1).ok_or(DriverStop)?;
        Ok(())
    }

    fn applied(&mut self, result: Result<(), ApplyError>) {
        match result {
            Ok(()) => {}
            Err(ApplyError::Runtime(error)) => self.failed = Some(error),
            Err(other) => panic!("{other} after {:?}", self.told),
        }
    }
}

impl Driver for Beside {
    fn choose(&mut self, view: &Situation<'_>, legal: &[ActionId]) -> Result<ActionId, DriverStop> {
        self.ask(view)?;
        assert_eq!(self.fast.current_player(), Some(view.me), "after {:?}", self.told);
        let mut fast = self.fast.legal_actions();
        fast.sort();
        assert_eq!(fast, legal, "fast and slow legal actions after {:?}", self.told);
        assert!(legal.iter().all(|a| self.fast.is_legal(*a)));
        let action = legal[self.answers.below(legal.len() as u64) as usize];
        self.told.push(self.fast.game().action_name(action));
        let result = self.fast.apply(action);
        self.applied(result);
        Ok(action)
    }

    fn chance(&mut self, view: &Situation<'_>, outcomes: u64) -> Result<u64, DriverStop> {
        self.ask(view)?;
        assert_eq!(self.fast.chance_outcomes(), outcomes, "after {:?}", self.told);
        let outcome = self.answers.below(outcomes);
        self.told.push(format!("chance {outcome} of {outcomes}"));
        let result = self.fast.apply_outcome(outcome);
        self.applied(result);
        Ok(outcome)
    }
}

/// Returns `true` if the loop budget is used up. The executor counts iterations within expressions, too, which the
/// reference interpreter doesn't.
fn is_limit(error: &RuntimeError) -> bool {
    error.kind == RuntimeErrorKind::Budget
}

/// Plays a random game with both executors, for at most `questions` questions. Panics if they differ.
pub(crate) fn agree(game: &Game, seed: u64, index: u64, questions: u32) -> Came {
    let model = game.model();
    let mut answers = Stream::new(seed, index, 0);
    let starter = answers.below(model.players.count.into()) as u32;
    let start = Start { starter: Seat(starter), explicit_chance: true, ..Start::default() };
    let mut slow = oracle::SlotValues::initial(model, Seat(starter));
    let (fast, failed) = match game.start_at(&start) {
        Ok(fast) => (fast, None),
        Err(error) => {
            let halt = oracle::play(model, &mut slow, &mut Unasked);
            assert!(
                is_limit(&error) || matches!(&halt, Err(Halt::Error(slow)) if slow.kind == error.kind),
                "setup: fast {error:?}, slow {halt:?}"
            );
            return Came::Failed;
        }
    };
    let mut beside = Beside { fast, answers, questions, failed, told: vec![] };
    let ended = oracle::play(model, &mut slow, &mut beside);
    if beside.failed.as_ref().is_some_and(is_limit) {
        return Came::Failed;
    }
    let told = &beside.told;
    match ended {
        Ok(ending) => {
            assert_eq!(beside.failed, None, "the slow executor ends after {told:?}");
            assert!(beside.fast.is_over(), "the slow executor ends after {told:?}");
            beside.compare(&slow);
            let outcome = beside.fast.outcome().expect("a game that is over has an outcome");
            assert_eq!(outcome.end as usize, ending.end, "end after {told:?}");
            assert_eq!(outcome.winners, ending.winners, "winners after {told:?}");
            assert_eq!(outcome.payoffs.is_some(), model.payoff.is_some());
            let scores = (0..model.players.count).map(|p| beside.fast.scores(Seat(p)));
            let scores: Result<Vec<Vec<i64>>, RuntimeError> = scores.collect();
            assert_eq!(scores.as_ref(), Ok(&ending.scores), "scores after {told:?}");
            let counts = (beside.fast.turns(), beside.fast.rolls(), beside.fast.decisions());
            let slow = (ending.counts.turns, ending.counts.rolls, ending.counts.decisions);
            assert_eq!(counts, slow, "turns, rolls and decisions after {told:?}");
            Came::Over
        }
        Err(Halt::Error(error)) => {
            // The reference interpreter points at the expression, the executor at the statement.
            let fast = &beside.fast;
            // If a game is over and its scores fail, the executor raises the error when the scores are
            // requested.
            let scores = || (0..model.players.count).find_map(|p| fast.scores(Seat(p)).err());
            let failed = beside.failed.clone().or_else(|| if fast.is_over() { scores() } else { None });
            let failed = failed.map(|error| error.kind);
            assert_eq!(failed.as_ref(), Some(&error.kind), "the slow executor fails after {told:?}");
            Came::Failed
        }
        Err(Halt::Stopped) => Came::Stopped,
        Err(Halt::Illegal) => unreachable!("answers are legal"),
    }
}

/// A driver that must never be called.
struct Unasked;

impl Driver for Unasked {
    fn choose(&mut self, _: &Situation<'_>, _: &[ActionId]) -> Result<ActionId, DriverStop> {
        Err(DriverStop)
    }

    fn chance(&mut self, _: &Situation<'_>, _: u64) -> Result<u64, DriverStop> {
        Err(DriverStop)
    }
}

/// Asserts that games are the same whether they stop at every decision or are played in one go.
#[allow(dead_code)]
pub(crate) fn same_in_both_modes(game: &Game, seed: u64, games: u64) {
    let mut whole = vec![];
    let mut failed = |index, error| panic!("game {index}: {error}");
    let mut finished = |game: Finished<'_>| {
        whole
            .push((game.scores.to_vec(), [game.counters.turns, game.counters.rolls, game.counters.decisions]))
    };
    play_random(game, seed, 0..games, &mut UsageCounts::default(), &mut finished, &mut failed);
    assert_eq!(whole.len() as u64, games);
    for (index, (scores, counts)) in (0..).zip(whole) {
        let mut state = game.start(seed, index).expect("it starts");
        while let Some(action) = state.random_action() {
            state.apply(action).expect("it is legal");
        }
        let of = |player| state.scores(Seat(player)).expect("it has a score");
        let own: Vec<i64> = (0..game.players()).flat_map(of).collect();
        assert_eq!(own, scores, "game {index}");
        assert_eq!([state.turns(), state.rolls(), state.decisions()], counts, "game {index}");
    }
}
