//! A game in progress in the reference interpreter. The interpreter asks its driver for every answer, so a
//! state is a starting point and the answers since then. The starting point moves to each turn that begins
//! with a question.

use std::collections::HashMap;
use std::sync::Arc;

use houserule::board::BitSet;
use houserule::game::values::variables_json;
use houserule::game::{ActionId, Game, Seat, Start, State};
use houserule::model::fleeting_dice;
use houserule::model::{Builtin, Content, DomainKind, Role, SlotId, Value};
use houserule::oracle;
use houserule::oracle::{Driver, DriverStop, Ending, GameCounters, Halt, Situation};
use houserule::rng::Stream;
use rand::seq::IndexedRandom;

use super::play::Play;

/// The question that the interpreter waits for.
#[derive(Clone, Debug, PartialEq)]
enum At {
    Choice(Seat, Vec<ActionId>),
    Chance(u64),
    Over(Ending),
}

/// A game in progress.
#[derive(Clone)]
pub(crate) struct Slow {
    game: Game,
    /// The symmetries of the board under which the rules don't change.
    turned: Arc<Vec<Vec<u32>>>,
    /// The packed slots: those that aren't computed and that some rule reads before they change.
    packed: Arc<Vec<bool>>,
    from: oracle::SlotValues,
    /// `true` if `from` is the start of the game, `false` if it is the start of a turn.
    setup: bool,
    answers: Vec<u64>,
    /// The counters at `from`.
    before: GameCounters,
    at: At,
    now: oracle::SlotValues,
    counts: GameCounters,
}

/// Gives the answers in their order and then notes the next question.
struct Script<'a> {
    answers: std::slice::Iter<'a, u64>,
    asked: Option<(At, oracle::SlotValues, GameCounters)>,
}

impl Script<'_> {
    fn answer(&mut self, view: &Situation<'_>, at: impl FnOnce() -> At) -> Result<u64, DriverStop> {
        self.answers.next().copied().ok_or_else(|| {
            self.asked = Some((at(), view.state.clone(), view.counts));
            DriverStop
        })
    }
}

impl Driver for Script<'_> {
    fn choose(&mut self, view: &Situation<'_>, legal: &[ActionId]) -> Result<ActionId, DriverStop> {
        let answer = self.answer(view, || At::Choice(view.me, legal.to_vec()))?;
        Ok(ActionId(answer as u32))
    }

    fn chance(&mut self, view: &Situation<'_>, outcomes: u64) -> Result<u64, DriverStop> {
        self.answer(view, || At::Chance(outcomes))
    }
}

impl Slow {
    /// Replays the answers and returns the next question.
    fn replay(&self) -> (At, oracle::SlotValues, GameCounters) {
        let mut state = self.from.clone();
        let mut script = Script { answers: self.answers.iter(), asked: None };
        let model = self.game.model();
        let halted = match self.setup {
            true => oracle::play(model, &mut state, &mut script),
            false => oracle::resume(model, &mut state, &mut script),
        };
        match (halted, script.asked) {
            (Ok(ending), _) => {
                let counts = ending.counts;
                (At::Over(ending), state, counts)
            }
            (Err(Halt::Stopped), Some(asked)) => asked,
            (Err(halt), _) => panic!("{halt:?} after {:?}", self.answers),
        }
    }

    fn go(&mut self, answer: Option<u64>) {
        self.move_up();
        self.answers.extend(answer);
        let counts;
        (self.at, self.now, counts) = self.replay();
        self.counts = counts;
    }

    /// Moves the starting point to the pending question, if it is the first of a turn.
    fn move_up(&mut self) {
        if self.counts.turns > 0 || self.setup && self.answers.is_empty() {
            self.try_to_move_up();
        }
    }

    /// Like `move_up`, if a turn resumed in this state begins with the pending question.
    fn try_to_move_up(&mut self) {
        if matches!(self.at, At::Over(_)) {
            return;
        }
        let mut here = self.clone();
        here.before = self.happened();
        here.counts = GameCounters::default();
        (here.from, here.setup) = (self.now.clone(), false);
        here.answers.clear();
        // The turn's statements before its first question have run, and run again.
        let (at, now, counts) = here.replay();
        if at == self.at && now == self.now && counts == GameCounters::default() {
            *self = here;
        }
    }

    fn happened(&self) -> GameCounters {
        GameCounters {
            turns: self.before.turns + self.counts.turns,
            rolls: self.before.rolls + self.counts.rolls,
            decisions: self.before.decisions + self.counts.decisions,
        }
    }

    /// Returns the words of a state whose board is turned by a symmetry.
    fn words(&self, way: &[u32]) -> Vec<u64> {
        let model = self.game.model();
        let sites = |domain: usize| matches!(model.domains[domain].kind, DomainKind::Sites(_));
        let mut words = vec![];
        for (slot, id) in model.slots.iter().zip((0..).map(SlotId)) {
            if !self.packed[id.index()] {
                continue;
            }
            for value in self.now.family(id) {
                match (value, slot.content) {
                    (Value::Number(n), _) => words.push(*n as u64),
                    (Value::Bool(truth), _) => words.push(u64::from(*truth)),
                    (Value::Element(e), Content::Element { domain, .. }) if sites(domain.index()) => {
                        words.push(e.map_or(u64::MAX, |e| way[e as usize].into()));
                    }
                    (Value::Element(e), _) => words.push(e.map_or(u64::MAX, u64::from)),
                    (Value::Set(set), Content::Set(domain)) if sites(domain.index()) => {
                        let first = words.len();
                        words.extend(vec![0; set.words().len()]);
                        for site in set.iter() {
                            let to = way[site as usize];
                            words[first + to as usize / 64] |= 1 << (to % 64);
                        }
                    }
                    (Value::Set(set), _) => words.extend_from_slice(set.words()),
                }
            }
        }
        words
    }
}

/// Answers at random, and counts the choices from each block of actions.
struct Random<'a> {
    stream: &'a mut Stream,
    taken: Vec<u64>,
}

impl Driver for Random<'_> {
    fn choose(&mut self, view: &Situation<'_>, legal: &[ActionId]) -> Result<ActionId, DriverStop> {
        let action = *legal.choose(self.stream).expect("there are some");
        let block =
            view.model.actions.iter().position(|b| action.0 >= b.first && action.0 - b.first < b.size);
        self.taken[block.expect("an action has a block")] += 1;
        Ok(action)
    }

    fn chance(&mut self, _: &Situation<'_>, outcomes: u64) -> Result<u64, DriverStop> {
        Ok(self.stream.below(outcomes))
    }
}

/// Plays a random game. Returns its ending and the number of choices from each block of actions.
pub(crate) fn play_at_random(game: &Game, stream: &mut Stream) -> (Ending, Vec<u64>) {
    let model = game.model();
    let mut random = Random { stream, taken: vec![0; model.actions.len()] };
    let ending = oracle::play(model, &mut oracle::SlotValues::initial(model, Seat(0)), &mut random);
    (ending.expect("the game ends"), random.taken)
}

/// The results of an action: the probabilities of states with decisions, and of wins.
#[derive(Default)]
struct Leads {
    states: Vec<(usize, f64)>,
    won: f64,
}

/// The states with decisions of a two-player game, in the order in which they were found.
struct Known {
    numbers: HashMap<Box<[u64]>, usize>,
    found: Vec<Slow>,
}

impl Known {
    fn follow(&mut self, mut state: Slow, chance: f64, leads: &mut Leads) {
        match &state.at {
            At::Chance(outcomes) => {
                let outcomes = *outcomes;
                for outcome in 0..outcomes {
                    let mut next = state.clone();
                    next.happen(outcome);
                    self.follow(next, chance / outcomes as f64, leads);
                }
            }
            At::Choice(..) => {
                let number = *self.numbers.entry(state.pack()).or_insert(self.found.len());
                if number == self.found.len() {
                    self.found.push(state);
                }
                leads.states.push((number, chance));
            }
            At::Over(_) => match state.winner() {
                Some(0) => leads.won += chance,
                Some(_) => {}
                None => leads.won += chance / 2.0,
            },
        }
    }
}

/// Returns the first player's probability of winning a two-player game under best play, or `None` if it has
/// more than `most` states with decisions.
pub(crate) fn chance_to_win(game: &Game, most: usize) -> Option<f64> {
    let mut known = Known { numbers: HashMap::new(), found: vec![] };
    known.follow(Slow::start(game), 1.0, &mut Leads::default());
    let mut graph: Vec<(Seat, Vec<Leads>)> = vec![];
    while graph.len() < known.found.len() {
        if known.found.len() > most {
            return None;
        }
        let state = known.found[graph.len()].clone();
        let At::Choice(me, legal) = &state.at else { panic!("only choices are noted") };
        let mut actions = vec![];
        for action in legal {
            let (mut next, mut leads) = (state.clone(), Leads::default());
            next.decide(*action);
            known.follow(next, 1.0, &mut leads);
            actions.push(leads);
        }
        graph.push((*me, actions));
    }
    let mut values = vec![0.5; graph.len()];
    let mut change = 1.0;
    while change > 1e-13 {
        change = 0.0;
        // States that were found last are nearest to the end.
        for (number, (me, actions)) in graph.iter().enumerate().rev() {
            let worth =
                |leads: &Leads| leads.won + leads.states.iter().map(|(n, c)| values[*n] * c).sum::<f64>();
            let worths = actions.iter().map(worth);
            let best = if *me == Seat(0) { worths.fold(0.0, f64::max) } else { worths.fold(1.0, f64::min) };
            change = f64::max(change, (best - values[number]).abs());
            values[number] = best;
        }
    }
    Some(values[0])
}

/// Returns the symmetries of a square board under which the rules don't change: those of the diagonals if a
/// double is a roll of its own, those of all axes if it isn't. Other games have only the identity.
fn ways(game: &Game) -> Vec<Vec<u32>> {
    let [board] = &game.model().boards[..] else { return vec![] };
    let size = board.topology.size();
    let side = size.isqrt();
    let name = &game.identity().name;
    let doubles = name.starts_with("dilido");
    let even = ["dicrono", "tic-tac-"].iter().any(|game| name.starts_with(game));
    if side * side != size || !doubles && !even {
        return vec![(0..size).collect()];
    }
    let flips: &[(bool, bool)] = if even {
        &[(false, false), (true, false), (false, true), (true, true)]
    } else {
        &[(false, false), (true, true)]
    };
    let mut ways = vec![];
    for (across, down) in flips {
        let flip = |at: u32, turned: bool| if turned { side - 1 - at } else { at };
        for swap in [false, true] {
            let way = (0..size).map(|site| {
                let (column, row) = (flip(site % side, *across), flip(site / side, *down));
                if swap { column * side + row } else { row * side + column }
            });
            ways.push(way.collect());
        }
    }
    ways
}

impl Play for Slow {
    type Packed = Box<[u64]>;

    const EXECUTOR: &str = "slow";

    fn start_at(game: &Game, start: &Start) -> Self {
        let model = game.model();
        let mut state = oracle::SlotValues::initial(model, start.starter);
        state.set(Builtin::GameNumber.slot(), 0, Value::Number(start.game_number));
        for (seat, total) in start.totals.iter().enumerate() {
            state.set(Builtin::Total.slot(), seat, Value::Number(*total));
        }
        let fast = game.start_at(start).expect("the game starts");
        let fleeting = fleeting_dice(model);
        let packed = (0..).map(SlotId).zip(&model.slots).map(|(id, slot)| {
            fast.keeps(id) && !matches!(slot.role, Role::Empty(_)) && !fleeting.contains(&id)
        });
        let mut slow = Slow {
            game: game.clone(),
            packed: Arc::new(packed.collect()),
            turned: Arc::new(ways(game)),
            from: state.clone(),
            setup: true,
            answers: vec![],
            before: GameCounters::default(),
            at: At::Chance(0),
            now: state,
            counts: GameCounters::default(),
        };
        (slow.at, slow.now, slow.counts) = slow.replay();
        slow
    }

    fn game(&self) -> &Game {
        &self.game
    }

    fn is_over(&self) -> bool {
        matches!(self.at, At::Over(_))
    }

    fn outcomes(&self) -> u64 {
        if let At::Chance(outcomes) = self.at { outcomes } else { 0 }
    }

    fn legal(&self) -> Vec<ActionId> {
        if let At::Choice(_, legal) = &self.at { legal.clone() } else { vec![] }
    }

    fn decide(&mut self, action: ActionId) {
        assert!(matches!(self.at, At::Choice(..)), "a decision is pending");
        self.go(Some(action.0.into()));
    }

    fn happen(&mut self, outcome: u64) {
        assert!(outcome < self.outcomes(), "a chance event is pending and has this outcome");
        self.go(Some(outcome));
    }

    fn items(&self, seat: u32) -> Vec<i64> {
        oracle::score_of(self.game.model(), &self.now, Seat(seat)).expect("the score can be counted")
    }

    fn winners(&self) -> Vec<bool> {
        let At::Over(ending) = &self.at else { panic!("the game is over") };
        ending.winners.clone()
    }

    fn rolls(&self) -> u64 {
        self.happened().rolls
    }

    fn decisions(&self) -> u64 {
        self.happened().decisions
    }

    fn variables(&self) -> serde_json::Value {
        // The executor's state only carries the values to the code that writes them.
        let mut told = <State as Play>::start(&self.game);
        for (number, slot) in self.game.model().slots.iter().enumerate() {
            let id = SlotId(number as u32);
            for place in 0..slot.initial.len() {
                told.set_value(id, place, self.now.value(id, place));
            }
        }
        serde_json::to_value(variables_json(&told)).expect("variables are JSON")
    }

    fn outcome_of(&self, dice: &str, faces: &[u32]) -> u64 {
        let slot =
            self.game.model().slots.iter().find(|slot| slot.name == dice).expect("there are such dice");
        let Role::Dice { count, faces: most, .. } = slot.role else { panic!("{dice} are dice") };
        assert_eq!(faces.len(), count as usize, "{faces:?}");
        faces.iter().fold(0, |n, face| n * u64::from(most) + u64::from(face - 1))
    }

    fn pack(&mut self) -> Box<[u64]> {
        if self.setup || !self.answers.is_empty() {
            self.try_to_move_up();
        }
        assert!(self.answers.is_empty() && !self.setup, "only a turn that begins with a question is packed");
        let words = self.turned.iter().map(|way| self.words(way)).min();
        words.unwrap_or_else(|| self.words(&[])).into()
    }

    fn unpack(&mut self, packed: &Box<[u64]>) {
        let model = self.game.model();
        let mut words = packed.iter().copied();
        let mut next = || words.next().expect("a packed state is whole");
        for (slot, id) in model.slots.iter().zip((0..).map(SlotId)) {
            if !self.packed[id.index()] {
                continue;
            }
            for (place, initial) in slot.initial.iter().enumerate() {
                let value = match initial {
                    Value::Number(_) => Value::Number(next() as i64),
                    Value::Bool(_) => Value::Bool(next() == 1),
                    Value::Element(_) => Value::Element(u32::try_from(next()).ok()),
                    Value::Set(set) => {
                        let words: Vec<u64> = set.words().iter().map(|_| next()).collect();
                        Value::Set(BitSet::from_words(set.size(), &words))
                    }
                };
                self.from.set(id, place, value);
            }
        }
        self.setup = false;
        self.answers.clear();
        self.before = GameCounters::default();
        (self.at, self.now, self.counts) = self.replay();
    }
}
