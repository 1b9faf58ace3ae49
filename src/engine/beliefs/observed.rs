//! An observed game: a second program of the same rules that notes, as it runs, what one seat sees.
//!
//! What a seat sees is two sequences. *Looks* are what lies open to it, one for each change; *acts* are what is
//! done before its eyes: whose turn it is to decide, with its own legal actions, what was done, and how the game
//! ended. Each is kept in the frame as a length and a running hash, so trials and vain draws take back what was
//! observed along with everything else, and two states look the same exactly if these words are equal.

use std::cell::RefCell;
use std::sync::{Arc, OnceLock};

use super::weave::{WATCH, woven};
use crate::engine::hidden_copies::kinds;
use crate::engine::knowledge::{is_told, owner, sees, slots};
use crate::engine::{ActionId, Event, Game, Player, Start, State};
use crate::hash::{START, mix};
use crate::hook::{Call, Failure, Scripts};
use crate::lang::model::{Role, SlotId, value_len};
use crate::program::{PENDING, SiteKind};
use crate::rng::Streams;

/// The words of the observer in a frame.
#[derive(Clone, Copy, Debug)]
struct Words {
    /// Who looks on.
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
    /// The same before the last act.
    did: usize,
    /// The decision that was pending last, if nothing has been done since.
    turn: usize,
}

/// What a seat sees of a frame.
#[derive(Clone, Debug, Default)]
struct Eyes {
    /// Words that lie open.
    open: Vec<u32>,
    /// The words of hidden zones, each a range whose bits anybody can count.
    counted: Vec<(u32, u32)>,
    /// The words of hidden zones of copies, each a range of which anybody can see the sum.
    added: Vec<(u32, u32)>,
}

impl Eyes {
    fn words<'w>(&'w self, words: &'w [u64]) -> impl Iterator<Item = u64> + 'w {
        let open = self.open.iter().map(|at| words[*at as usize]);
        let range = |of: &(u32, u32)| &words[of.0 as usize..of.1 as usize];
        let counted =
            self.counted.iter().map(move |of| range(of).iter().map(|w| u64::from(w.count_ones())).sum());
        let added =
            self.added.iter().map(move |of| range(of).iter().fold(0u64, |sum, word| sum.wrapping_add(*word)));
        open.chain(counted).chain(added)
    }
}

/// What the observer knows of the frame.
#[derive(Debug)]
struct Plan {
    words: Words,
    /// For each seat.
    eyes: Vec<Eyes>,
    /// For each block `together` and each seat: while all commit themselves, nobody sees the others'.
    apart: Vec<Vec<Eyes>>,
}

impl Plan {
    /// Notes what the seat sees, if it differs from what it saw last.
    fn look(&self, words: &mut [u64], block: Option<usize>) {
        let at = &self.words;
        let seat = words[at.seat] as usize;
        let eyes = match block {
            Some(block) => &self.apart[block][seat],
            None => &self.eyes[seat],
        };
        let look = eyes.words(words).fold(START, mix);
        if look != words[at.look] {
            words[at.look] = look;
            words[at.looks] += 1;
            words[at.seen] = mix(words[at.seen], look);
        }
    }
}

/// The looks of a run, one by one.
#[derive(Debug, Default)]
struct Heard {
    /// The number of each look, and the hash of all up to it.
    looks: Vec<(u64, u64)>,
    /// The words at each of them, if they are wanted.
    frames: Option<Vec<Vec<u64>>>,
}

thread_local! {
    /// Set while single looks are wanted, and not only where a run ends.
    static HEARD: RefCell<Option<Heard>> = const { RefCell::new(None) };
}

/// Carries out the calls of the observer, and hands all others on.
#[derive(Debug)]
struct Observer {
    scripts: Option<Arc<dyn Scripts>>,
    hook: u32,
    plan: Arc<OnceLock<Plan>>,
}

impl Scripts for Observer {
    fn call(&self, call: Call<'_>) -> Result<i64, Failure> {
        if call.hook != self.hook {
            return self.scripts.as_ref().ok_or_else(Failure::none)?.call(call);
        }
        let Some(plan) = self.plan.get() else { return Ok(0) };
        plan.look(call.words, None);
        HEARD.with_borrow_mut(|heard| {
            let Some(heard) = heard else { return };
            let look = (call.words[plan.words.looks], call.words[plan.words.seen]);
            // What comes after a look of the same number was tried, or drawn in vain.
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

/// A game whose states note what one seat has seen.
#[derive(Debug)]
pub(in crate::engine) struct Observed {
    game: Game,
    plan: Arc<OnceLock<Plan>>,
    /// Where the same words stand in a frame of this game and of the game itself: the first of each, and how many.
    same: Vec<(usize, usize, usize)>,
    /// Whether what an action binds may be hidden from somebody, by its block.
    hides: Vec<bool>,
}

/// What a state has noted: the number of looks and of acts, and their hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Noted {
    pub(super) looks: u64,
    pub(super) seen: u64,
    pub(super) acts: u64,
    pub(super) done: u64,
    /// The hash of all acts but the last.
    pub(super) did: u64,
}

impl Noted {
    /// How much was observed in all.
    pub(super) fn progress(&self) -> u64 {
        self.looks + self.acts
    }
}

impl Observed {
    /// The observed game of a game; `None` if it is too large.
    pub(in crate::engine) fn new(game: &Game) -> Option<Observed> {
        Observed::woven(game, true).or_else(|| Observed::woven(game, false))
    }

    fn woven(game: &Game, calls: bool) -> Option<Observed> {
        let (mut model, hook) = woven(game.model(), calls);
        let plan = Arc::new(OnceLock::new());
        let scripts = model.scripts.take();
        model.scripts = Some(Arc::new(Observer { scripts, hook: hook.0, plan: Arc::clone(&plan) }));
        let observed = Game::new(model, game.identity().clone()).ok()?;
        plan.set(planned(game, &observed)?).ok()?;
        let model = game.model();
        let width = observed.program().width;
        let same = slots(model).filter_map(|(id, slot)| {
            let (here, there) = (observed.slots()[id.index()]?, game.slots()[id.index()]?);
            let len = slot.initial.len() * usize::from(value_len(width, slot.content));
            let derived = matches!(slot.role, Role::Empty(_));
            (!derived).then_some((usize::from(here), usize::from(there), len))
        });
        let same = same.collect();
        if width != game.program().width {
            return None;
        }
        let hides = (0..model.actions.len()).map(|block| game.may_hide(block)).collect();
        Some(Observed { game: observed, plan, same, hides })
    }

    fn plan(&self) -> &Plan {
        // Set when it was made.
        self.plan.get().unwrap_or_else(|| unreachable!("it has a plan"))
    }

    /// The observed game.
    pub(super) fn game(&self) -> &Game {
        &self.game
    }

    /// Forgets the single looks of runs on this thread, and notes them from now on.
    fn listen(frames: bool) {
        HEARD.set(Some(Heard { looks: vec![], frames: frames.then(Vec::new) }));
    }

    /// The game at its first stop, as a seat sees it.
    pub(super) fn begin(&self, start: &Start, seat: Player) -> Option<State> {
        let mut state = self.game.unstarted(start);
        state.words[self.plan().words.seat] = seat.0.into();
        state.streams = Streams::new(0, u64::MAX, self.game.players() as usize);
        state.set_explicit_chance(true);
        state.run_from(self.game.program().start).ok()?;
        self.settle(&mut state);
        Some(state)
    }

    /// The same with each single look that it took to get there.
    pub(super) fn begin_heard(&self, start: &Start, seat: Player) -> Option<(State, Looks)> {
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

    /// Where a run has come to a decision or to its end, notes what there is to see.
    fn settle(&self, state: &mut State) {
        if state.is_chance() {
            return;
        }
        let block = state.block_together();
        let plan = self.plan();
        plan.look(&mut state.words, block);
        let at = &plan.words;
        if state.is_over() {
            let returns = state.returns();
            let ended = returns.iter().fold(mix(1, state.words[at.looks]), |sum, r| mix(sum, r.to_bits()));
            self.act(state, ended);
            return;
        }
        let (Some(actor), Some(choice)) = (state.current_player(), state.pending_choice()) else { return };
        let mut turn = mix(mix(mix(2, state.words[at.looks]), actor.0.into()), choice.0.into());
        if u64::from(actor.0) == state.words[at.seat] {
            turn = state.region().iter().fold(turn, |sum, word| mix(sum, *word));
        }
        // That somebody committed something unseen, and is to choose again, does not show.
        if state.words[at.turn] != turn {
            self.act(state, turn);
            state.words[at.turn] = turn;
        }
    }

    fn act(&self, state: &mut State, act: u64) {
        let at = &self.plan().words;
        state.words[at.acts] += 1;
        state.words[at.did] = state.words[at.done];
        state.words[at.done] = mix(state.words[at.done], act);
        state.words[at.turn] = 0;
    }

    /// What a state has noted.
    pub(super) fn noted(&self, state: &State) -> Noted {
        let (at, words) = (&self.plan().words, &state.words);
        Noted {
            looks: words[at.looks],
            seen: words[at.seen],
            acts: words[at.acts],
            done: words[at.done],
            did: words[at.did],
        }
    }

    /// Who looks on.
    pub(super) fn seat(&self, state: &State) -> Player {
        Player(state.words[self.plan().words.seat] as u32)
    }

    /// What lies open, word by word.
    pub(super) fn row(&self, state: &State) -> Vec<u64> {
        let seat = self.seat(state).0 as usize;
        let eyes = match state.block_together() {
            Some(block) => &self.plan().apart[block][seat],
            None => &self.plan().eyes[seat],
        };
        let mut row: Vec<u64> = eyes.words(&state.words).collect();
        row.push(state.words[usize::from(PENDING)]);
        if state.current_player() == Some(self.seat(state)) {
            row.extend(state.region());
        }
        row
    }

    /// Takes an action of whoever has to decide. Returns `false` if it is not legal or the rules go wrong.
    pub(super) fn apply(&self, state: &mut State, action: ActionId) -> bool {
        let seat = self.seat(state);
        let (Some(actor), looks) = (state.current_player(), state.words[self.plan().words.looks]) else {
            return false;
        };
        let own = actor == seat;
        let block = state.block_together();
        let blocks = &self.game.model().actions;
        let block_of = blocks.iter().position(|b| action.0 >= b.first && action.0 - b.first < b.size);
        let hides = !own && block_of.is_none_or(|block| self.hides[block]);
        let before = hides.then(|| state.clone());
        if state.apply(action).is_err() {
            return false;
        }
        let unseen = !own && block.is_some() && block == state.block_together();
        if !unseen {
            let who = mix(mix(3, looks), actor.0.into());
            let done = match before {
                Some(before) => {
                    let option = self.game.action_block(action).map_or(0, |block| block.first);
                    let parts = before.bound_seen(action, state, seat).into_iter();
                    parts.fold(mix(who, option.into()), |sum, (_, part)| {
                        mix(sum, part.map_or(u64::MAX, u64::from))
                    })
                }
                None => mix(who, action.0.into()),
            };
            self.act(state, done);
        }
        self.settle(state);
        true
    }

    /// Lets the pending chance event come out in one way. Returns `false` if it can't, or if what was drawn is
    /// drawn anew.
    pub(super) fn apply_outcome(&self, state: &mut State, outcome: u64) -> bool {
        let events = state.history.len();
        if state.apply_outcome(outcome).is_err() || state.history.len() != events + 1 {
            return false;
        }
        self.settle(state);
        true
    }

    /// Lets an event happen that has happened in the game itself. Returns `false` if it can't happen here.
    pub(super) fn follow(&self, state: &mut State, event: &Event) -> bool {
        match event {
            Event::Action { player, action } => {
                state.current_player() == Some(*player) && self.apply(state, *action)
            }
            _ => crate::engine::again::outcome(state, event)
                .is_some_and(|outcome| self.apply_outcome(state, outcome)),
        }
    }

    /// The same with each single look on the way.
    pub(super) fn follow_heard(&self, state: &mut State, event: &Event) -> Option<Looks> {
        Observed::listen(false);
        let done = self.follow(state, event);
        let looks = self.heard(Some(state));
        done.then_some(looks)
    }

    /// Are a state of this game and one of the game itself the same?
    pub(super) fn is_of(&self, state: &State, of: &State) -> bool {
        let (mine, its) = (&state.words, &of.words);
        let same =
            |(here, there, len): &(usize, usize, usize)| mine[*here..here + len] == its[*there..there + len];
        self.same.iter().all(same)
            && state.is_over() == of.is_over()
            && state.pending_choice() == of.pending_choice()
            && state.current_player() == of.current_player()
    }

    /// Plays a game again. `look` gets, for every stop, what there was to see on the way there, that place
    /// last, and the event that comes next. Returns `false` if the events don't lead to the state.
    pub(in crate::engine) fn show(
        &self,
        of: &State,
        seat: Player,
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
                if !self.follow(state, event) {
                    HEARD.take();
                    return false;
                }
            }
        }
        state.is_some_and(|state| self.is_of(&state, of))
    }

    /// A state of the game itself with the words of a frame of this game.
    fn laid(&self, frame: &[u64], at: Option<&State>, blank: &State) -> State {
        let mut laid = blank.clone();
        for (here, there, len) in &self.same {
            laid.words[*there..there + len].copy_from_slice(&frame[*here..here + len]);
        }
        // Stops have other numbers here, and on the way to one none is pending.
        laid.words[usize::from(PENDING)] = 0;
        if let Some(at) = at {
            let pending = (at.pending_choice(), at.current_player());
            let game = laid.game.clone();
            let sites = (1u64..).zip(&game.program().sites);
            let mut choices = sites.filter_map(|(number, site)| match &site.kind {
                SiteKind::Choice(choice) => Some((number, choice)),
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

/// What the observer has to know of the frame.
fn planned(game: &Game, observed: &Game) -> Option<Plan> {
    let model = game.model();
    let first = model.slots.len();
    let at = |k: usize| observed.slots()[first + k].map(usize::from);
    let words = Words {
        seat: at(0)?,
        looks: at(1)?,
        look: at(2)?,
        seen: at(3)?,
        acts: at(4)?,
        done: at(5)?,
        did: at(6)?,
        turn: at(WATCH.len() - 1)?,
    };
    let eyes = |seat: u32, apart: &[SlotId]| {
        let (mut eyes, seat) = (Eyes::default(), Player(seat));
        let width = observed.program().width;
        for (id, slot) in slots(model) {
            let known = matches!(slot.role, Role::KnownCopies(_));
            let kept = is_told(slot) || known;
            let Some(first) = observed.slots()[id.index()].filter(|_| kept && game.keeps(id)) else {
                continue;
            };
            let width = usize::from(value_len(width, slot.content));
            for place in 0..slot.initial.len() {
                let own = owner(model, slot, place) == Some(seat);
                let open = match slot.role {
                    Role::Known | Role::KnownCopies(_) => own,
                    _ => sees(model, slot, place, seat) && (own || !apart.contains(&id)),
                };
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
    Some(Plan { words, eyes: all(&[]), apart })
}
