//! An observed game: a second program of the same rules that records what one seat sees.
//!
//! The record is two sequences. *Looks* are the values visible to the seat, one look for each change. *Acts*
//! are turns to decide (with the seat's own legal actions), actions, and the end of the game. The frame keeps
//! the length and a running hash of each, so rolled-back trials and draws take their observations back. Two
//! states look the same exactly if these words are equal.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use super::weave::{WATCH, weave};
use crate::event::Commitment;
use crate::hidden::hidden_copies::kinds;
use crate::hidden::knowledge::{is_open_to, is_told, owner, slots};
use crate::{ActionId, Event, Game, Seat, Start, State};
use houserule_base::hash::{START, mix};
use houserule_base::rng::Streams;
use houserule_machine::native::RunKind;
use houserule_machine::program::{PENDING, StopKind};
use houserule_model::{CallError, HookCall, Role, Scripts, SlotId, value_len};

/// Number of events applied by the interpreter before the program is compiled. They take about as long as compiling.
pub const PATIENCE: u32 = 5_000;

/// The addresses of the observer's words in a frame.
#[derive(Clone, Copy, Debug)]
struct ObserverWords {
    /// The observing seat.
    seat: usize,
    /// The number of looks.
    looks: usize,
    /// The last look.
    look: usize,
    /// The running hash of all looks.
    seen: usize,
    /// The number of acts.
    acts: usize,
    /// The running hash of all acts.
    done: usize,
    /// The running hash before the last act.
    did: usize,
    /// A hash of what others have committed that the seat isn't told yet, or 0.
    committed: usize,
    /// The hash of the last pending decision, or 0 if an act followed it.
    turn: usize,
}

/// The words of a frame that a seat sees.
#[derive(Clone, Debug, Default)]
struct Eyes {
    /// Visible words.
    open: Vec<u32>,
    /// Hidden zones, as ranges of words. Every seat sees the number of set bits.
    counted: Vec<(u32, u32)>,
    /// Hidden zones of copies, as ranges of words. Every seat sees the sum.
    added: Vec<(u32, u32)>,
}

impl Eyes {
    /// Calls `tell` with each word that the seat sees.
    #[inline]
    fn each(&self, words: &[u64], mut tell: impl FnMut(u64)) {
        let range = |of: &(u32, u32)| &words[of.0 as usize..of.1 as usize];
        for at in &self.open {
            tell(words[*at as usize]);
        }
        for of in &self.counted {
            tell(range(of).iter().fold(0, |sum, word| sum + u64::from(word.count_ones())));
        }
        for of in &self.added {
            tell(range(of).iter().fold(0, |sum, word| sum.wrapping_add(*word)));
        }
    }
}

/// The layout of the frame for the observer.
#[derive(Debug)]
struct ObserverPlan {
    words: ObserverWords,
    /// What each seat sees.
    eyes: Vec<Eyes>,
    /// For each `together` block and each seat: what the seat sees without the others' commitments.
    apart: Vec<Vec<Eyes>>,
    /// For each choice: the words of the locals that all seats see.
    locals: Vec<Vec<Range<usize>>>,
}

impl ObserverPlan {
    /// Records what the seat sees, if it differs from the last look.
    fn record_look(&self, words: &mut [u64], block: Option<usize>) {
        let at = &self.words;
        let seat = words[at.seat] as usize;
        let eyes = match block {
            Some(block) => &self.apart[block][seat],
            None => &self.eyes[seat],
        };
        let mut look = START;
        eyes.each(words, |word| look = mix(look, word));
        if look != words[at.look] {
            words[at.look] = look;
            words[at.looks] += 1;
            words[at.seen] = mix(words[at.seen], look);
        }
    }
}

/// The individual looks of a run.
#[derive(Debug, Default)]
struct Heard {
    /// The number of each look, and the hash of all looks up to it.
    looks: Vec<(u64, u64)>,
    /// The words of the frame at each look, if requested.
    frames: Option<Vec<Vec<u64>>>,
}

thread_local! {
    /// Set while a caller records individual looks.
    static HEARD: RefCell<Option<Heard>> = const { RefCell::new(None) };
}

/// Carries out the calls of the observer and forwards all others.
#[derive(Debug)]
struct Observer {
    scripts: Option<Arc<dyn Scripts>>,
    hook: u32,
    plan: Arc<OnceLock<ObserverPlan>>,
}

impl Scripts for Observer {
    fn call(&self, call: HookCall<'_>) -> Result<i64, CallError> {
        if call.hook != self.hook {
            return self.scripts.as_ref().ok_or_else(CallError::none)?.call(call);
        }
        let Some(plan) = self.plan.get() else { return Ok(0) };
        plan.record_look(call.words, None);
        HEARD.with_borrow_mut(|heard| {
            let Some(heard) = heard else { return };
            let look = (call.words[plan.words.looks], call.words[plan.words.seen]);
            // Recorded looks from this number on belong to trials or rejected draws that were rolled back.
            let known = heard.looks.partition_point(|(number, _)| *number < look.0);
            heard.looks.truncate(known);
            heard.looks.push(look);
            if let Some(frames) = &mut heard.frames {
                frames.truncate(known);
                frames.push(call.words.to_vec());
            }
        });
        Ok(0)
    }
}

/// A game whose states record what one seat has seen.
#[derive(Debug)]
pub struct Observed {
    /// The game with a record of what the seat sees.
    pub game: Game,
    plan: Arc<OnceLock<ObserverPlan>>,
    /// Ranges of words that the frames of this game and the original game share: start here, start there,
    /// length.
    same: Vec<(usize, usize, usize)>,
    /// The words of the locals that all seats see, likewise.
    locals: Vec<(usize, usize, usize)>,
    /// By action block: whether a seat may not see all bindings.
    hides: Vec<bool>,
    /// The number of events applied so far, in all states.
    pub applied: AtomicU32,
}

/// The observations recorded in a state: the numbers of looks and acts, and their hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Noted {
    pub(super) looks: u64,
    pub(super) seen: u64,
    pub(super) acts: u64,
    pub(super) done: u64,
    /// The hash of all acts but the last.
    pub(super) did: u64,
}

impl Noted {
    /// Returns the number of observations: looks and acts.
    pub(super) fn progress(&self) -> u64 {
        self.looks + self.acts
    }
}

impl Game {
    /// Returns the game with an observer; `None` if nothing is hidden or that program is too large.
    pub fn observed(&self) -> Option<&Observed> {
        let made = || Arc::new(self.hides().then(|| Observed::new(self)).flatten());
        Option::as_ref(self.observer().get_or::<Arc<Option<Observed>>>(made))
    }
}

impl Observed {
    /// Returns the observed version of a game, or `None` if it is too large. Leaves out the calls of the
    /// observer if they make it too large.
    pub fn new(game: &Game) -> Option<Observed> {
        Observed::weave(game, true).or_else(|| Observed::weave(game, false))
    }

    fn weave(game: &Game, calls: bool) -> Option<Observed> {
        let (mut model, hook) = weave(game.model(), calls);
        let plan = Arc::new(OnceLock::new());
        let scripts = model.scripts.take();
        model.scripts = Some(Arc::new(Observer { scripts, hook: hook.0, plan: Arc::clone(&plan) }));
        let observed = Game::new(model, game.identity().clone()).ok()?;
        plan.set(plan_frame(game, &observed)?).ok()?;
        let model = game.model();
        let width = observed.program().width;
        let same = slots(model).filter_map(|(id, slot)| {
            let (here, there) = (observed.slots()[id.index()]?, game.slots()[id.index()]?);
            let len = slot.initial.len() * usize::from(value_len(width, slot.content));
            let derived = matches!(slot.role, Role::Empty(_));
            (!derived).then_some((usize::from(here), usize::from(there), len))
        });
        let same = same.collect();
        let locals = game.shown_locals().iter().filter_map(|shown| {
            let here = observed.local_range(shown.local)?;
            Some((here.start, game.local_range(shown.local)?.start, here.len()))
        });
        let locals = locals.collect();
        if width != game.program().width {
            return None;
        }
        let hides = (0..model.actions.len()).map(|block| game.may_hide(block)).collect();
        Some(Observed { game: observed, plan, same, locals, hides, applied: AtomicU32::new(0) })
    }

    fn plan(&self) -> &ObserverPlan {
        // `weave` sets the plan.
        self.plan.get().unwrap_or_else(|| unreachable!("it has a plan"))
    }

    /// Discards the recorded looks of this thread and records looks from now on.
    fn listen(frames: bool) {
        HEARD.set(Some(Heard { looks: vec![], frames: frames.then(Vec::new) }));
    }

    /// Returns the game at its first stop, observed by `seat`.
    pub fn begin(&self, start: &Start, seat: Seat) -> Option<State> {
        let mut state = self.game.unstarted(start);
        state.words[self.plan().words.seat] = seat.0.into();
        state.streams = Streams::new(0, u64::MAX, self.game.players() as usize);
        state.set_explicit_chance(true);
        // Nobody reads the usage counts of candidates.
        (state.run_state.options, state.run_state.steps) = (vec![], vec![]);
        state.run_from(self.game.program().start).ok()?;
        self.settle(&mut state);
        Some(state)
    }

    /// Like [`Observed::begin`], with the individual looks.
    pub(super) fn begin_heard(&self, start: &Start, seat: Seat) -> Option<(State, Looks)> {
        Observed::listen(false);
        let state = self.begin(start, seat);
        let looks = self.heard(state.as_ref());
        Some((state?, looks))
    }

    fn heard(&self, state: Option<&State>) -> Looks {
        let heard = HEARD.take().unwrap_or_default();
        let mut all = heard.looks;
        if let Some(state) = state {
            let last = self.noted(state);
            all.truncate(all.partition_point(|(number, _)| *number < last.looks));
            if last.looks > 0 {
                all.push((last.looks, last.seen));
            }
        }
        all
    }

    /// Records what the seat sees, if the run has stopped at a decision or at the end of the game.
    fn settle(&self, state: &mut State) {
        if state.is_chance() {
            return;
        }
        let block = state.block_together();
        let plan = self.plan();
        plan.record_look(&mut state.words, block);
        let at = &plan.words;
        if state.is_over() {
            let returns = state.returns();
            let ended = returns.iter().fold(mix(1, state.words[at.looks]), |sum, r| mix(sum, r.to_bits()));
            self.act(state, ended);
            return;
        }
        let (Some(actor), Some(choice)) = (state.current_player(), state.pending_choice()) else { return };
        let mut turn = mix(mix(mix(2, state.words[at.looks]), actor.0.into()), choice.0.into());
        turn = self.locals_seen(state).fold(turn, mix);
        if u64::from(actor.0) == state.words[at.seat] {
            turn = state.region().iter().fold(turn, |sum, word| mix(sum, *word));
        }
        // An unseen commitment after which the same player chooses again doesn't show.
        if state.words[at.turn] != turn {
            self.act(state, turn);
            state.words[at.turn] = turn;
        }
    }

    /// Returns the words of the locals that the seat sees.
    fn locals_seen<'s>(&'s self, state: &'s State) -> impl Iterator<Item = u64> + 's {
        let shown = state.pending_choice().map_or(&[][..], |choice| &self.plan().locals[choice.index()]);
        shown.iter().flat_map(|words| state.words[words.clone()].iter().copied())
    }

    fn act(&self, state: &mut State, act: u64) {
        let at = &self.plan().words;
        state.words[at.acts] += 1;
        state.words[at.did] = state.words[at.done];
        state.words[at.done] = mix(state.words[at.done], act);
        state.words[at.turn] = 0;
    }

    /// Returns the observations recorded in a state.
    pub fn noted(&self, state: &State) -> Noted {
        let (at, words) = (&self.plan().words, &state.words);
        Noted {
            looks: words[at.looks],
            seen: words[at.seen],
            acts: words[at.acts],
            done: words[at.done],
            did: words[at.did],
        }
    }

    /// Returns the observing seat.
    pub(super) fn seat(&self, state: &State) -> Seat {
        Seat(state.words[self.plan().words.seat] as u32)
    }

    /// Returns the visible words, the pending stop point and, at the seat's own decision, the legal actions.
    pub(super) fn row(&self, state: &State) -> Vec<u64> {
        let seat = self.seat(state).0 as usize;
        let eyes = match state.block_together() {
            Some(block) => &self.plan().apart[block][seat],
            None => &self.plan().eyes[seat],
        };
        let mut row = vec![];
        eyes.each(&state.words, |word| row.push(word));
        row.extend(self.locals_seen(state));
        row.push(state.words[usize::from(PENDING)]);
        if state.current_player() == Some(self.seat(state)) {
            row.extend(state.region());
        }
        row
    }

    /// Counts an event, and compiles the program when there have been many.
    fn count_event(&self) {
        if self.applied.fetch_add(1, Ordering::Relaxed) == PATIENCE {
            self.game.machine(RunKind::Steps);
        }
    }

    /// Applies an action of the player to move. `before` is an equal state, if the caller has one. Returns `false` if
    /// the action is not legal or the rules fail.
    pub fn apply(&self, state: &mut State, action: ActionId, before: Option<&State>) -> bool {
        let seat = self.seat(state);
        let (Some(actor), looks) = (state.current_player(), state.words[self.plan().words.looks]) else {
            return false;
        };
        let own = actor == seat;
        let together = state.block_together().is_some();
        let hides = !own && self.may_hide(action);
        let kept = ((hides || together) && before.is_none()).then(|| state.clone());
        let before = before.filter(|_| hides || together).or(kept.as_ref());
        self.count_event();
        if state.apply(action).is_err() {
            return false;
        }
        let at = self.plan().words.committed;
        match before.filter(|before| state.veils_commitment(before)) {
            Some(before) if !own => {
                state.words[at] = mix(state.words[at], action.0.into());
                state.committed = Some(Arc::new(Commitment { before: before.clone(), action }));
            }
            veiled => {
                let mut done = self.mix_told(
                    before.filter(|_| hides),
                    action,
                    state,
                    mix(mix(3, looks), actor.0.into()),
                );
                if veiled.is_none() {
                    for Commitment { before, action } in state.commitments() {
                        done = self.mix_told(
                            Some(before).filter(|_| self.may_hide(*action)),
                            *action,
                            state,
                            done,
                        );
                    }
                    (state.committed, state.words[at]) = (None, 0);
                }
                self.act(state, done);
            }
        }
        self.settle(state);
        true
    }

    /// Returns `true` if others may not see everything that an action binds.
    fn may_hide(&self, action: ActionId) -> bool {
        let block = self.game.model().action_block_index(action);
        block.is_none_or(|block| self.hides[block])
    }

    /// Mixes what the seat is told in `after` of an action into a hash. `before` is the state in which it was taken, or
    /// `None` if it is told in full.
    fn mix_told(&self, before: Option<&State>, action: ActionId, after: &State, sum: u64) -> u64 {
        let Some(before) = before else { return mix(sum, action.0.into()) };
        let option = self.game.action_block(action).map_or(0, |block| block.first);
        let parts = before.bound_seen(action, after, self.seat(after)).into_iter();
        parts.fold(mix(sum, option.into()), |sum, (_, part)| mix(sum, part.map_or(u64::MAX, u64::from)))
    }

    /// Applies an outcome of the pending chance event. Returns `false` if it is impossible, or if the rules
    /// reject it and draw again.
    pub fn apply_outcome(&self, state: &mut State, outcome: u64) -> bool {
        let events = state.history.len();
        self.count_event();
        if state.apply_outcome(outcome).is_err() || state.history.len() != events + 1 {
            return false;
        }
        self.settle(state);
        true
    }

    /// Applies an event of the original game. `before` is an equal state, if the caller has one. Returns `false` if the
    /// event can't happen here.
    pub(super) fn follow(&self, state: &mut State, event: &Event, before: Option<&State>) -> bool {
        match event {
            Event::Action { player, action } => {
                state.current_player() == Some(*player) && self.apply(state, *action, before)
            }
            _ => crate::replay_history::outcome(state, event)
                .is_some_and(|outcome| self.apply_outcome(state, outcome)),
        }
    }

    /// Like [`Observed::follow`], with the individual looks.
    pub(super) fn follow_heard(&self, state: &mut State, event: &Event) -> Option<Looks> {
        Observed::listen(false);
        let done = self.follow(state, event, None);
        let looks = self.heard(Some(state));
        done.then_some(looks)
    }

    /// Returns `true` if `state`, of this game, and `of`, of the original game, are equal.
    pub(super) fn is_of(&self, state: &State, of: &State) -> bool {
        let (mine, its) = (&state.words, &of.words);
        let same =
            |(here, there, len): &(usize, usize, usize)| mine[*here..here + len] == its[*there..there + len];
        self.same.iter().all(same)
            && state.is_over() == of.is_over()
            && state.pending_choice() == of.pending_choice()
            && state.current_player() == of.current_player()
    }

    /// Replays the game of the state `of`. For every stop, `look` gets the states that the seat saw on the
    /// way, with the stop last, and the next event. Returns `false` if the events don't lead to `of`.
    pub(crate) fn show(
        &self,
        of: &State,
        seat: Seat,
        look: &mut dyn FnMut(&[State], Option<&Event>),
    ) -> bool {
        let start = Start { explicit_chance: true, ..of.started().clone() };
        let blank = State { history: vec![], ..of.clone() };
        Observed::listen(true);
        let mut state = self.begin(&start, seat);
        for event in of.history().iter().map(Some).chain([None]) {
            let heard = HEARD.take().unwrap_or_default();
            let Some(state) = &mut state else { return false };
            let last = self.noted(state).looks;
            let mut looks = vec![];
            for ((number, _), frame) in heard.looks.iter().zip(heard.frames.unwrap_or_default()) {
                if *number <= last {
                    looks.push(self.laid(&frame, None, &blank));
                }
            }
            looks.push(self.laid(&state.words, Some(state), &blank));
            look(&looks, event);
            if let Some(event) = event {
                Observed::listen(true);
                if !self.follow(state, event, None) {
                    HEARD.take();
                    return false;
                }
            }
        }
        state.is_some_and(|state| self.is_of(&state, of))
    }

    /// Returns a state of the original game with the words of a frame of this game.
    fn laid(&self, frame: &[u64], at: Option<&State>, blank: &State) -> State {
        let mut laid = blank.clone();
        for (here, there, len) in self.same.iter().chain(&self.locals) {
            laid.words[*there..there + len].copy_from_slice(&frame[*here..here + len]);
        }
        // Stop points have other indices in the original program, and between stops none is pending.
        laid.words[usize::from(PENDING)] = 0;
        if let Some(at) = at {
            let pending = (at.pending_choice(), at.current_player());
            let game = laid.game.clone();
            let sites = (1u64..).zip(&game.program().stops);
            let mut choices = sites.filter_map(|(number, site)| match &site.kind {
                StopKind::Choice(choice) => Some((number, choice)),
                _ => None,
            });
            if let (Some(choice), Some(actor)) = pending
                && let Some((number, site)) = choices.find(|(_, site)| site.choice == choice.0)
            {
                laid.words[usize::from(PENDING)] = number;
                laid.words[usize::from(site.me)] = actor.0.into();
            }
        }
        laid
    }
}

/// The looks of a run: their numbers, and the hash of all looks up to each.
pub(super) type Looks = Vec<(u64, u64)>;

/// Returns the observer's plan of the frame.
fn plan_frame(game: &Game, observed: &Game) -> Option<ObserverPlan> {
    let model = game.model();
    let first = model.slots.len();
    let at = |k: usize| observed.slots()[first + k].map(usize::from);
    let words = ObserverWords {
        seat: at(0)?,
        looks: at(1)?,
        look: at(2)?,
        seen: at(3)?,
        acts: at(4)?,
        done: at(5)?,
        did: at(6)?,
        committed: at(7)?,
        turn: at(WATCH.len() - 1)?,
    };
    let eyes = |seat: u32, apart: &[SlotId]| {
        let (mut eyes, seat) = (Eyes::default(), Seat(seat));
        let width = observed.program().width;
        for (id, slot) in slots(model) {
            let known = matches!(slot.role, Role::KnownCopies(_) | Role::Place | Role::SeenPlace);
            let kept = is_told(slot) || known;
            let Some(first) = observed.slots()[id.index()].filter(|_| kept && game.keeps(id)) else {
                continue;
            };
            let width = usize::from(value_len(width, slot.content));
            for place in 0..slot.initial.len() {
                let own = owner(model, slot, place) == Some(seat);
                let open = is_open_to(model, slot, place, seat) && (own || !apart.contains(&id));
                let from = u32::from(first) + (place * width) as u32;
                if open {
                    eyes.open.extend(from..from + width as u32);
                    continue;
                }
                match slot.role {
                    Role::Copies if place % kinds(model, slot) == 0 => {
                        eyes.added.push((from, from + kinds(model, slot) as u32));
                    }
                    Role::Zone => eyes.counted.push((from, from + width as u32)),
                    _ => {}
                }
            }
        }
        eyes
    };
    let all = |apart: &[SlotId]| (0..game.players()).map(|seat| eyes(seat, apart)).collect::<Vec<_>>();
    let apart = model.together.iter().map(|block| all(&block.slots)).collect();
    let mut locals = vec![vec![]; model.choices.len()];
    for shown in game.shown_locals() {
        let words = observed.local_range(shown.local)?;
        shown.during.iter().for_each(|choice| locals[choice.index()].push(words.clone()));
    }
    Some(ObserverPlan { words, eyes: all(&[]), apart, locals })
}
