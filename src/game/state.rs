//! A game in progress.

use std::sync::Arc;

use super::event::{ApplyError, Commitment, Event, HistoryOrigin, Start};
use super::game_words::{score_in, value_in, write_value};
use super::given::GivenBlock;
use super::outcome::{Outcome, outcome};
use super::{ActionId, Attached, RuntimeError};
use crate::Onlookers;
use crate::random_games::{UsageCounts, complete};
use crate::{Game, Seat};
use houserule_base::rng::{Stream, Streams};
use houserule_machine::candidates::Candidates;
use houserule_machine::effects::{find, ways_among};
use houserule_machine::past;
use houserule_machine::program::{
    ChoiceStop, CodeAddress, OVER, OptionBits, PENDING, Program, StopKind, StopRef,
};
use houserule_machine::run::run;
use houserule_machine::run_state::{Counters, Fault, RunState, Stop};
use houserule_model::{Builtin, ChoiceId, SlotId, Value};

/// Maximum number of events of a game. With more, a game is aborted as at its limit of decisions.
const MOST_EVENTS: usize = 2_000_000;

/// A game in progress or over: at a decision, at a chance event (if those are explicit), or finished.
#[derive(Clone, Debug)]
pub struct State {
    pub(crate) game: Game,
    pub(crate) words: Vec<u64>,
    /// The random streams.
    pub streams: Streams,
    pub(crate) run_state: RunState,
    pub(crate) start: Start,
    pub(crate) history: Vec<Event>,
    /// What the history, the counters and the seed tell.
    pub(crate) origin: HistoryOrigin,
    /// The candidates of the pending choice, if options are tried.
    pub(crate) candidates: Candidates,
    /// The ways through a pending `chance … given`.
    pub(crate) given: GivenBlock,
    /// The state before its hidden part was redrawn, if it was.
    pub(crate) earlier: Option<Arc<Earlier>>,
    /// In an observed game: what others than the observing seat have committed in the pending `together` block.
    pub(crate) committed: Option<Arc<Commitment>>,
    /// The beliefs of the seats, as far as computed.
    pub(crate) beliefs: Attached,
    /// Those to whom the state is shown, if values hidden from them are reset.
    pub(crate) veiled: Option<Onlookers>,
}

/// A state before and after its hidden part was drawn.
#[derive(Clone, Debug)]
pub(crate) struct Earlier {
    /// The player for whom it was drawn.
    pub(crate) player: Seat,
    /// The state before the draw.
    pub(crate) of: State,
    /// The state that was drawn.
    pub(crate) state: State,
}

impl State {
    /// Returns what others than the observing seat have committed in the pending `together` block, in order.
    pub(crate) fn commitments(&self) -> Vec<&Commitment> {
        let first = self.committed.as_deref();
        let mut all: Vec<_> =
            std::iter::successors(first, |later| later.before.committed.as_deref()).collect();
        all.reverse();
        all
    }
}

impl PartialEq for State {
    /// States are equal if their persistent words are, and the past positions that the rules compare.
    fn eq(&self, other: &State) -> bool {
        let pasts = || self.run_state.pasts.iter().zip(&other.run_state.pasts);
        self.persistent() == other.persistent()
            && self.run_state.pasts.len() == other.run_state.pasts.len()
            && pasts().all(|(mine, its)| mine.same(its))
    }
}

impl Eq for State {}

impl std::hash::Hash for State {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        self.persistent().hash(hasher);
    }
}

impl State {
    /// Returns the game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns how the game started.
    pub fn started(&self) -> &Start {
        &self.start
    }

    /// Returns what the state knows of the game before it.
    pub fn history_origin(&self) -> HistoryOrigin {
        self.origin
    }

    fn program(&self) -> &Program {
        self.game.program()
    }

    /// Clears the history: from here on it begins in the middle of a game.
    pub(crate) fn begin_history_here(&mut self) {
        self.history.clear();
        self.origin = HistoryOrigin::Position;
    }

    /// Returns the persistent words: equal for equal positions.
    pub fn persistent(&self) -> &[u64] {
        &self.words[..self.program().persistent as usize]
    }

    /// Returns the whole frame.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Returns the index of the pending stop point.
    pub(crate) fn pending_stop(&self) -> Option<usize> {
        match self.words[usize::from(PENDING)] {
            0 | OVER => None,
            n => Some(n as usize - 1),
        }
    }

    fn choice(&self) -> Option<&ChoiceStop> {
        match &self.program().stops[self.pending_stop()?].kind {
            StopKind::Choice(choice) => Some(choice),
            _ => None,
        }
    }

    /// Returns the pending choice of the model.
    pub fn pending_choice(&self) -> Option<ChoiceId> {
        self.choice().map(|c| ChoiceId(c.choice))
    }

    /// Returns `true` if the game is over.
    pub fn is_over(&self) -> bool {
        self.words[usize::from(PENDING)] == OVER
    }

    /// Returns `true` if a chance event is pending, which needs explicit chance.
    pub fn is_chance(&self) -> bool {
        self.pending_stop().is_some() && self.choice().is_none()
    }

    /// Returns the player who has to decide.
    pub fn current_player(&self) -> Option<Seat> {
        self.choice().map(|c| Seat(self.words[usize::from(c.me)] as u32))
    }

    /// Returns the legal actions, ascending; none if no decision is pending.
    pub fn legal_actions(&self) -> Vec<ActionId> {
        let mut actions = vec![];
        self.for_each_legal(|action| actions.push(action));
        actions.sort_unstable();
        actions
    }

    /// Returns the number of legal actions.
    pub fn legal_count(&self) -> usize {
        self.region().iter().map(|w| w.count_ones() as usize).sum()
    }

    pub(crate) fn region(&self) -> &[u64] {
        match self.choice() {
            Some(c) => &self.words[usize::from(c.region)..usize::from(c.region) + usize::from(c.words)],
            None => &[],
        }
    }

    fn for_each_legal(&self, mut tell: impl FnMut(ActionId)) {
        let Some(choice) = self.choice() else { return };
        for (at, word) in self.region().iter().enumerate() {
            let mut word = *word;
            while word != 0 {
                tell(action_at(choice, at, word.trailing_zeros()));
                word &= word - 1;
            }
        }
    }

    /// Writes 1 for every legal action and 0 for all others: a number for each of [`Game::actions`].
    ///
    /// # Panics
    /// If `out` has another length.
    pub fn write_mask(&self, out: &mut [i8]) {
        assert_eq!(out.len(), self.game.actions() as usize, "a number for each action");
        out.fill(0);
        self.for_each_legal(|action| out[action.0 as usize] = 1);
    }

    /// Like [`State::write_mask`], with booleans.
    ///
    /// # Panics
    /// If `out` has another length.
    pub fn write_mask_bool(&self, out: &mut [bool]) {
        assert_eq!(out.len(), self.game.actions() as usize, "a truth value for each action");
        out.fill(false);
        self.for_each_legal(|action| out[action.0 as usize] = true);
    }

    /// Returns `true` if an action is legal.
    pub fn is_legal(&self, action: ActionId) -> bool {
        self.choice().is_some_and(|choice| {
            place_of(choice, action, &self.game).is_some_and(|(_, at, bit)| self.region()[at] >> bit & 1 == 1)
        })
    }

    /// Returns `true` if an action is deliberate: random players take it only if no other action is legal.
    pub fn is_deliberate(&self, action: ActionId) -> bool {
        let options = self.choice().map(|c| &self.game.model().choices[c.choice as usize].options);
        let block = self.game.model().action_block_index(action);
        options.is_some_and(|o| o.iter().any(|o| Some(o.actions.index()) == block && o.deliberate))
    }

    /// Leaves out deliberate actions if there are others, as random players do.
    pub fn leave_out_deliberate(&self, actions: &mut Vec<ActionId>) {
        if actions.iter().any(|action| !self.is_deliberate(*action)) {
            actions.retain(|action| !self.is_deliberate(*action));
        }
    }

    /// Applies a legal action and runs to the next decision.
    pub fn apply(&mut self, action: ActionId) -> Result<(), ApplyError> {
        let at = self.take(action)?;
        Ok(self.run_from(at)?)
    }

    /// Binds a legal action and adds it to the history. Returns where to continue.
    pub(crate) fn take(&mut self, action: ActionId) -> Result<CodeAddress, ApplyError> {
        if self.is_over() {
            return Err(ApplyError::Over);
        }
        let game = self.game.clone();
        let Some(stop) = self.pending_stop() else { return Err(ApplyError::WrongKind) };
        let StopKind::Choice(choice) = &game.program().stops[stop].kind else {
            return Err(ApplyError::WrongKind);
        };
        let found = place_of(choice, action, &self.game);
        let Some((part, at, bit)) = found else { return Err(ApplyError::Illegal(action)) };
        if self.region()[at] >> bit & 1 == 0 {
            return Err(ApplyError::Illegal(action));
        }
        let player = Seat(self.words[usize::from(choice.me)] as u32);
        let mut rest = action.0 - part.first_action;
        for (address, size) in part.binders.iter().zip(&part.sizes).rev() {
            self.words[usize::from(*address)] = (rest % size).into();
            rest /= size;
        }
        self.history.push(Event::Action { player, action });
        self.run_state.counters.decisions += 1;
        self.run_state.count_option(part.counted);
        if self.run_state.counters.decisions > game.program().limit || self.history.len() > MOST_EVENTS {
            return Err(self
                .game
                .error(game.program().stops[stop].at.0.into(), Fault::Limit, 0, &self.run_state)
                .into());
        }
        Ok(part.body)
    }

    /// Runs to the next decision with the whole loop budget.
    pub(crate) fn run_from(&mut self, at: CodeAddress) -> Result<(), RuntimeError> {
        self.run_state.spent = 0;
        self.go_on(at)
    }

    /// Runs to the next decision with the rest of the loop budget. Chance events do not refill it: otherwise
    /// rules that roll forever would never end.
    pub(crate) fn go_on(&mut self, at: CodeAddress) -> Result<(), RuntimeError> {
        self.go_on_by(at, |game, words, streams, run_state, at| {
            game.steps().run(words, streams, run_state, at)
        })
    }

    /// Runs to the next decision, from one stop to the next by `run`.
    pub(crate) fn go_on_by(
        &mut self,
        at: CodeAddress,
        mut run: impl FnMut(&Game, &mut [u64], &mut Streams, &mut RunState, CodeAddress) -> Stop,
    ) -> Result<(), RuntimeError> {
        let game = self.game.clone();
        let mut at = at;
        self.given.resume();
        loop {
            (self.run_state.begun, self.run_state.closed) = (false, None);
            let stop = run(&game, &mut self.words, &mut self.streams, &mut self.run_state, at);
            self.given.note(&self.run_state, &mut self.history);
            match stop {
                Stop::Pending
                    if self.is_chance() && (!self.start.explicit_chance || self.raw_outcomes() < 2) =>
                {
                    let outcome = self.drawn(State::draw_raw);
                    let stop = self.pending_stop().map_or(0, |stop| game.program().stops[stop].at.0);
                    at = self
                        .settle_chance(outcome)
                        .map_err(|_| game.error(stop.into(), Fault::Index, 0, &RunState::default()))?;
                }
                Stop::Pending => match self.try_out()? {
                    Some(next) => at = next,
                    None => return self.look_ahead(),
                },
                // The candidate that is now taken was tried when the choice came up.
                Stop::Kept(next) => at = CodeAddress(next),
                Stop::Fault { at, fault, value } => {
                    return Err(game.error(at, fault, value, &self.run_state));
                }
                _ => return Ok(()),
            }
        }
    }

    /// Tries the candidates of the pending choice. Returns where play continues if none is legal.
    fn try_out(&mut self) -> Result<Option<CodeAddress>, RuntimeError> {
        let Some(stop) = self.pending_stop().filter(|_| self.choice().is_some_and(ChoiceStop::is_tried))
        else {
            return Ok(None);
        };
        let game = self.game.clone();
        let steps = game.steps();
        let (words, streams, run_state) = (&mut self.words, &mut self.streams, &mut self.run_state);
        let tried = self.candidates.try_out(steps, StopRef(stop as u16), words, streams, run_state);
        tried.map_err(|fault| game.error(steps.program.stops[stop].at.0.into(), fault, 0, &self.run_state))
    }

    /// Draws a legal action uniformly at random from the stream of the player to decide; a single one takes
    /// no random number. Draws deliberate actions only if no other is legal.
    pub fn random_action(&mut self) -> Option<ActionId> {
        let game = self.game.clone();
        if let Some(stop) = self.pending_stop()
            && let StopKind::Choice(choice) = &game.program().stops[stop].kind
            && choice.is_tried()
        {
            let legal = &self.words[usize::from(choice.region)..][..usize::from(choice.words)];
            let stream = self.streams.seat(self.words[usize::from(choice.me)] as usize);
            let (word, bit) = self.candidates.draw(choice, legal, stream)?;
            return Some(action_at(choice, word, bit));
        }
        let choice = self.choice()?;
        let (first, n) = ways_among(choice, self.region())?;
        let seat = self.words[usize::from(choice.me)] as usize;
        let k = if n == 1 { 0 } else { self.streams.seat(seat).below(n.into()) as u32 };
        let (word, bit) = find(self.region(), first, k);
        Some(action_at(self.choice()?, word, bit))
    }

    /// Returns the items of a player's score, in any state. The scores of all players are computed at once, so this fails if
    /// one of them does.
    pub fn scores(&self, player: Seat) -> Result<Vec<i64>, RuntimeError> {
        Ok(self.items(&self.scored()?, player).collect())
    }

    /// Returns a player's score: the sum of the items.
    pub fn score(&self, player: Seat) -> Result<i64, RuntimeError> {
        Ok(score_in(self.program(), &self.scored()?, player))
    }

    /// Returns the score of every player.
    pub fn score_of_each(&self) -> Result<Vec<i64>, RuntimeError> {
        let words = self.scored()?;
        Ok((0..self.game.players()).map(|player| score_in(self.program(), &words, Seat(player))).collect())
    }

    /// Returns the items of a player's score from words with computed scores.
    fn items<'w>(&self, words: &'w [u64], player: Seat) -> impl Iterator<Item = i64> + use<'w> {
        let (program, items) = (self.program(), usize::from(self.program().item_count));
        let first = usize::from(program.items) + player.0 as usize * items;
        words[first..first + items].iter().map(|word| *word as i64)
    }

    /// Returns a copy of the words with computed scores.
    pub fn scored(&self) -> Result<Vec<u64>, RuntimeError> {
        let mut words = self.words.clone();
        if let Some(score) = self.program().score {
            let mut streams = self.streams.clone();
            let mut run_state = RunState::default();
            let stop = run(self.program(), &mut words, &mut streams, &mut run_state, score, false);
            if let Stop::Fault { at, fault, value } = stop {
                return Err(self.game.error(at, fault, value, &run_state));
            }
        }
        Ok(words)
    }

    /// Returns measure `k` of [`Model::measures`](houserule_model::Model::measures) for a player.
    pub fn measured(&self, player: Seat, k: usize) -> Result<i64, RuntimeError> {
        let program = self.program();
        let mut words = self.words.clone();
        if let Some(measure) = program.measure {
            let (mut streams, mut run_state) = (self.streams.clone(), RunState::default());
            let stop = run(program, &mut words, &mut streams, &mut run_state, measure, false);
            if let Stop::Fault { at, fault, value } = stop {
                return Err(self.game.error(at, fault, value, &run_state));
            }
        }
        let first = usize::from(program.measures) + player.index() * usize::from(program.measure_count);
        Ok(words[first + k] as i64)
    }

    /// Returns the outcome, or `None` if the game is not over or its scores fail.
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.is_over() {
            return None;
        }
        self.scored().ok().map(|words| outcome(&self.game, &words))
    }

    /// Returns what the game returns to each player: see [`Outcome::returns`]; 0 for all before it is over.
    pub fn returns(&self) -> Vec<f64> {
        self.outcome().map_or_else(|| vec![0.0; self.game.players() as usize], |o| o.returns())
    }

    /// Returns the value of a finished game for each player: the returns, or for a lone player without payoffs the
    /// score, negated if the least score is best.
    pub fn worth_of_each(&self) -> Result<Vec<f64>, RuntimeError> {
        if self.game.players() > 1 || self.game.pays() {
            return Ok(self.returns());
        }
        let direction = self.game.model().score_direction;
        Ok(self.score_of_each()?.into_iter().map(|score| direction.worth(score as f64)).collect())
    }

    /// Returns a value of a slot. A slot that the program does not keep has its initial value.
    pub fn value(&self, slot: SlotId, place: usize) -> Value {
        value_in(&self.game, &self.words, slot, place)
    }

    /// Returns `true` if the program keeps a slot. If not, no rule reads it.
    pub fn keeps(&self, slot: SlotId) -> bool {
        self.game.keeps(slot)
    }

    pub(crate) fn write(&mut self, slot: SlotId, place: usize, value: &Value) {
        write_value(&self.game, &mut self.words, slot, place, value);
    }

    /// Sets a value of a slot, to build a position. [`State::settle`] then makes it a game.
    pub fn set_value(&mut self, slot: SlotId, place: usize, value: &Value) {
        self.write(slot, place, value);
    }

    /// After [`State::set_value`]: computes derived values and starts the mover's turn.
    pub fn settle(&mut self) -> Result<(), RuntimeError> {
        self.settle_values();
        self.run_from(self.program().turn)
    }

    /// After [`State::set_value`]: computes derived values and goes to a choice of player `by`, or else of
    /// the mover. If nothing is legal there, the game goes on as it does after such a choice.
    pub fn settle_at(&mut self, choice: ChoiceId, by: Option<Seat>) -> Result<(), RuntimeError> {
        self.settle_values();
        let game = self.game.clone();
        let program = game.program();
        let found = (1u64..).zip(&program.stops).find_map(|(number, stop)| match &stop.kind {
            StopKind::Choice(c) if c.choice == choice.0 => Some((number, stop.entry, usize::from(c.me))),
            _ => None,
        });
        // A choice that the compiler found unreachable has no stop point.
        let Some((number, entry, me)) = found else { return self.run_from(program.turn) };
        if let Value::Element(Some(mover)) = self.value(Builtin::Mover.slot(), 0) {
            self.words[me] = by.map_or(mover, |by| by.0).into();
        }
        self.words[usize::from(PENDING)] = number;
        self.note_position();
        self.run_from(entry)
    }

    /// Makes this the start of a game with the streams of a seed, and clears the history. A pending chance
    /// event is drawn, unless chance is explicit.
    pub fn begin_here(&mut self, seed: u64, index: u64, explicit_chance: bool) -> Result<(), RuntimeError> {
        let players = self.game.players() as usize;
        self.start = Start { seed, index, explicit_chance, ..self.start.clone() };
        self.streams = Streams::new(seed, index, players);
        if self.is_chance() && !explicit_chance {
            let outcome = self.drawn(State::draw_outcome);
            // The outcome exists, so no other error is possible.
            if let Err(ApplyError::Runtime(error)) = self.apply_outcome(outcome) {
                return Err(error);
            }
        }
        self.begin_history_here();
        Ok(())
    }

    pub(crate) fn settle_values(&mut self) {
        let game = self.game.clone();
        let program = game.program();
        for dice in &program.dice {
            let faces = &self.words[usize::from(dice.faces_at)..][..usize::from(dice.count)];
            let number =
                faces.iter().try_fold(0u64, |n, f| Some(n * u64::from(dice.faces) + f.checked_sub(1)?));
            if let Some(at) = dice.outcome_at {
                self.words[usize::from(at)] = number.unwrap_or(dice.outcomes);
            }
        }
        run(program, &mut self.words, &mut self.streams, &mut self.run_state, program.derive, false);
        self.words[usize::from(PENDING)] = 0;
        self.begin_history_here();
        self.run_state.forget();
    }

    /// Clears the past positions and notes the present one.
    fn note_position(&mut self) {
        self.run_state.forget();
        for past in 0..self.run_state.pasts.len() {
            past::note(self.game.program(), &mut self.run_state.pasts, &self.words, past);
        }
    }

    /// Goes to a state of this game, given by its [`State::persistent`] words. Keeps the streams. Everything that came
    /// before is forgotten: the history is empty, the past positions for `repeated` start with this one, and the counters
    /// start from 0.
    pub fn restore(&mut self, persistent: &[u64]) {
        let kept = self.program().persistent as usize;
        self.words[..kept].copy_from_slice(persistent);
        self.begin_history_here();
        self.note_position();
        self.derive();
        self.run_state.counters = Counters::default();
    }

    /// Goes to a state of this game that was [restored](State::restore), without computing again what follows from its words.
    pub fn restore_copy(&mut self, restored: &State) {
        self.words.copy_from_slice(&restored.words);
        self.run_state.clone_from(&restored.run_state);
        self.candidates.clone_from(&restored.candidates);
        self.given.clone_from(&restored.given);
        self.begin_history_here();
    }

    /// Computes what follows from the persistent words: the derived slots and the mask.
    pub(crate) fn derive(&mut self) {
        let game = self.game.clone();
        let program = game.program();
        self.run_state.spent = 0;
        let (words, streams, run_state) = (&mut self.words, &mut self.streams, &mut self.run_state);
        run(program, words, streams, run_state, program.derive, false);
        if let Some(stop) = self.pending_stop() {
            let (words, streams, run_state) = (&mut self.words, &mut self.streams, &mut self.run_state);
            run(program, words, streams, run_state, program.stops[stop].entry, false);
        }
        // The game stopped here before, so something is legal.
        let _ = self.try_out();
        self.given = GivenBlock::default();
        // The ways through the block were found here before.
        let _ = self.look_ahead();
    }

    /// Returns the stream of a seat's player, for environments that keep streams apart.
    pub fn seat_stream(&mut self, player: Seat) -> &mut Stream {
        self.streams.seat(player.0 as usize)
    }

    /// Gives chance and every player other streams from here on, so that what is tried reveals nothing about
    /// the game to come.
    pub fn reseed(&mut self, seed: u64) {
        self.streams = Streams::new(seed, 0, self.game.players() as usize);
        if self.origin == HistoryOrigin::Seed {
            self.origin = HistoryOrigin::Drawn;
        }
    }

    /// Like [`State::reseed`], as game 0 of the seed: [`State::started`] reveals nothing about the chance
    /// before.
    pub(crate) fn begin_chance(&mut self, seed: u64) {
        self.reseed(seed);
        (self.start.seed, self.start.index) = (seed, 0);
    }

    /// Sets the seed and the index that [`State::started`] has, of a state that environments store their games in.
    pub fn tell_seed(&mut self, seed: u64, index: u64) {
        (self.start.seed, self.start.index) = (seed, index);
    }

    /// Sets whether the caller decides chance events from now on, or they are drawn.
    pub fn set_explicit_chance(&mut self, explicit: bool) {
        self.start.explicit_chance = explicit;
    }

    /// Draws from the stream of chance.
    fn drawn(&mut self, draw: impl FnOnce(&State, &mut Stream) -> u64) -> u64 {
        let mut stream = self.streams.chance;
        let outcome = draw(self, &mut stream);
        self.streams.chance = stream;
        outcome
    }

    /// Returns how often each option was taken, and each step and `otherwise` entered.
    pub fn counts(&self) -> UsageCounts {
        let mut run_state = self.run_state.clone();
        let begun =
            self.run_state.counters.turns + self.run_state.counters.repeats + u64::from(!self.is_over());
        complete(self.program(), &mut run_state, begun);
        let mut counts = UsageCounts::default();
        counts.add_run(self.game(), &run_state);
        counts
    }

    /// Returns the number of decisions.
    pub fn decisions(&self) -> u64 {
        self.run_state.counters.decisions
    }

    /// Returns the number of finished turns.
    pub fn turns(&self) -> u64 {
        self.run_state.counters.turns
    }

    /// Returns the number of rolls. A roll that `chance … given` draws again counts once.
    pub fn rolls(&self) -> u64 {
        self.run_state.counters.rolls
    }

    /// Returns the counters of the game.
    pub(crate) fn counters(&self) -> Counters {
        self.run_state.counters
    }

    /// Returns all decisions and chance events so far, without picks and script events with a single outcome.
    pub fn history(&self) -> &[Event] {
        &self.history
    }
}

/// Returns the action of a bit of the mask.
fn action_at(choice: &ChoiceStop, word: usize, bit: u32) -> ActionId {
    let part = usize::from(choice.part_of_word[word]);
    let part = match choice.parts[part].sizes.is_empty() {
        // Options without binders share a word, with one bit each.
        true => &choice.parts[part + bit as usize],
        false => &choice.parts[part],
    };
    let id = part.sizes.last().map_or(0, |size| {
        let within = word as u32 - u32::from(part.first_word);
        let (row, last) = (within / part.row_words(), within % part.row_words() * 64 + bit);
        row * size + last
    });
    ActionId(part.first_action + id)
}

/// Returns an action's option, and the action's word and bit in the mask.
fn place_of<'a>(
    choice: &'a ChoiceStop,
    action: ActionId,
    game: &Game,
) -> Option<(&'a OptionBits, usize, u32)> {
    let part = choice.parts.iter().find(|p| {
        let size = game.model().actions[p.block as usize].size;
        action.0 >= p.first_action && action.0 - p.first_action < size
    })?;
    let Some(size) = part.sizes.last() else {
        return Some((part, usize::from(part.first_word), part.bit.into()));
    };
    let id = action.0 - part.first_action;
    let (row, last) = (id / size, id % size);
    let word = u32::from(part.first_word) + row * part.row_words() + last / 64;
    Some((part, word as usize, last % 64))
}
