//! Games of a family in one array: rule sets whose states lie in the same words, with the same decisions in them. So a
//! game changes its rules without moving. Most share their code too, because they differ only in numbers.

use std::ops::Range;
use std::sync::Arc;

use super::{Many, Tables};
use crate::observe::{BATCH, Number};
use crate::state::State;
use crate::{Game, HistoryOrigin, Start};
use houserule_machine::native::{Machine, RunKind};
use houserule_machine::program::{CodeAddress, Program, StopKind, StopPoint};
use houserule_machine::run::Runner;

/// The kinds of the games of an array.
pub(super) struct Kinds {
    /// At least one; several only in a family.
    all: Arc<[Arc<Tables>]>,
    /// The scales of the numbers of observations, kind by kind; empty if all kinds have the same.
    scales: Arc<[f64]>,
    /// By game: its kind.
    of: Vec<u32>,
    /// By kind, as soon as all are compiled; empty until then.
    ready: Vec<ReadyKind>,
    /// Number of pieces of code.
    codes: usize,
}

/// A kind whose program is compiled, as small as possible: each game of a batch may need another one.
pub(super) struct ReadyKind {
    pub(super) machine: Machine,
    pub(super) game: Game,
    /// Number of its piece of code. Some kinds share one.
    pub(super) code: u32,
}

impl ReadyKind {
    /// Returns what runs the game from one stop to the next.
    pub(super) fn runner(&self) -> Runner<'_> {
        Runner::new(self.game.program(), Some(&self.machine))
    }
}

/// The order of a batch whose games all run the same code.
const IN_ORDER: [u8; BATCH] = {
    let (mut order, mut game) = ([0; BATCH], 0);
    while game < BATCH {
        order[game] = game as u8;
        game += 1;
    }
    order
};

impl Kinds {
    /// One kind for `games` games.
    pub(super) fn one(tables: Arc<Tables>, games: usize) -> Kinds {
        Kinds::of_tables(Arc::new([tables]), Arc::default(), games)
    }

    /// `games` games of the first kind.
    fn of_tables(all: Arc<[Arc<Tables>]>, scales: Arc<[f64]>, games: usize) -> Kinds {
        Kinds { all, scales, of: vec![0; games], ready: vec![], codes: 0 }
    }

    /// The same kinds for `games` other games, which are of the first one.
    pub(super) fn more(&self, games: usize) -> Kinds {
        Kinds::of_tables(Arc::clone(&self.all), Arc::clone(&self.scales), games)
    }

    pub(super) fn first(&self) -> &Arc<Tables> {
        &self.all[0]
    }

    /// Returns the tables of a game's kind.
    #[inline(always)]
    pub(super) fn tables(&self, i: usize) -> &Tables {
        &self.all[self.of[i] as usize]
    }

    /// Returns `true` if there is one kind.
    #[inline(always)]
    pub(super) fn are_alike(&self) -> bool {
        self.all.len() == 1
    }

    /// Returns the kinds of consecutive games.
    #[inline(always)]
    pub(super) fn numbers(&self, games: &Range<usize>) -> &[u32] {
        &self.of[games.clone()]
    }

    /// Returns a kind.
    #[inline(always)]
    pub(super) fn get(&self, number: u32) -> &Tables {
        &self.all[number as usize]
    }

    /// Compiles all kinds, once. Returns `false` if one of them can't be compiled.
    #[inline(always)]
    pub(super) fn make_ready(&mut self) -> bool {
        !self.ready.is_empty() || self.compile()
    }

    #[cold]
    fn compile(&mut self) -> bool {
        let made = self.all.iter().map(|kind| kind.game.machine(RunKind::Steps).cloned());
        let Some(machines) = made.collect::<Option<Vec<Machine>>>() else { return false };
        let (mut ready, mut codes): (Vec<ReadyKind>, u32) = (vec![], 0);
        for (kind, machine) in self.all.iter().zip(machines) {
            let known =
                ready.iter().find(|known| known.machine.has_code_of(&machine)).map(|known| known.code);
            let code = known.unwrap_or(codes);
            codes = codes.max(code + 1);
            ready.push(ReadyKind { machine, game: kind.game.clone(), code });
        }
        (self.ready, self.codes) = (ready, codes as usize);
        true
    }

    /// Returns a kind that has been compiled.
    #[inline(always)]
    pub(super) fn ready(&self, number: u32) -> &ReadyKind {
        &self.ready[number as usize]
    }

    /// Returns the indices of games in a batch, those that run the same code one after the other: the processor foresees
    /// where a call goes if it goes where the last one went.
    #[inline(always)]
    pub(super) fn order(&self, games: &Range<usize>) -> [u8; BATCH] {
        let mut order = IN_ORDER;
        if self.codes > 1 && self.codes <= BATCH {
            self.sort_by_code(games, &mut order);
        }
        order
    }

    fn sort_by_code(&self, games: &Range<usize>, order: &mut [u8; BATCH]) {
        let code = |game: usize| self.ready(self.of[games.start + game]).code as usize % BATCH;
        // By code, first the number of its games, then the place of its next one.
        let mut places = [0; BATCH];
        for game in 0..games.len().min(BATCH) {
            places[code(game)] += 1;
        }
        let mut first = 0;
        for place in &mut places[..self.codes] {
            (first, *place) = (first + *place, first);
        }
        for game in 0..games.len().min(BATCH) {
            let place = &mut places[code(game)];
            order[*place % BATCH] = game as u8;
            *place += 1;
        }
    }

    pub(super) fn reserve(&mut self, more: usize) {
        self.of.reserve_exact(more);
    }

    /// Adds a game of the first kind.
    pub(super) fn push(&mut self) {
        self.of.push(0);
    }

    pub(super) fn swap_remove(&mut self, i: usize) {
        self.of.swap_remove(i);
    }

    /// Returns the scale of a number of an observation, by its index and the game's in a batch. Returns `None` if all
    /// kinds have the same scales.
    #[inline(always)]
    pub(super) fn scales(&self, games: &Range<usize>) -> Option<impl Fn(&Number, usize, usize) -> f64> {
        if self.scales.is_empty() {
            return None;
        }
        let (first, numbers) = (games.start, self.scales.len() / self.all.len());
        Some(move |_: &Number, number: usize, game: usize| {
            self.scales[self.of[first + game] as usize * numbers + number]
        })
    }
}

impl Many {
    /// Returns `true` if games of both kinds may be in one array.
    pub fn may_join(&self, other: &Many) -> bool {
        let (one, another) = (&self.game, &other.game);
        let together = self.steps_together() && other.steps_together();
        (one.shares_code(another) || together && have_same_states(one.program(), another.program()))
            && one.actions() == another.actions()
            && one.model().actions == another.model().actions
            && one.model().score_direction == another.model().score_direction
            && one.observation_plan().is_alike(another.observation_plan())
    }

    /// Returns an empty array for games of all these kinds, which may be joined.
    pub fn joined<'m>(kinds: impl Iterator<Item = &'m Many>) -> Many {
        let all: Arc<[Arc<Tables>]> = kinds.map(|many| Arc::clone(&many.tables)).collect();
        let plans = || all.iter().map(|kind| kind.game.observation_plan());
        let differ = plans().any(|plan| plan.numbers != all[0].game.observation_plan().numbers);
        let scales = plans().flat_map(|plan| plan.numbers.iter().map(|part| part.number.scale));
        let scales = if differ { scales.collect() } else { Arc::default() };
        Many::of_kinds(Kinds::of_tables(all, scales, 0), 0)
    }

    /// Changes the kind of a game: an index of those joined. A new game must begin in its place before anything else.
    #[inline]
    pub fn set_kind(&mut self, i: usize, kind: u32) {
        assert!((kind as usize) < self.kinds.all.len(), "it is one of the kinds");
        self.kinds.of[i] = kind;
    }

    /// Returns any state of a game's kind, as a buffer to store it in.
    pub fn any_state(&self, i: usize) -> State {
        let mut state = self.game_of(i).start_or_stop(&Start::default(), None).0;
        state.begin_history_here();
        state.origin = HistoryOrigin::Environment;
        state
    }

    /// Returns the rules of a game.
    pub fn game_of(&self, i: usize) -> &Game {
        &self.kinds.tables(i).game
    }
}

/// Returns `true` if two programs keep their states in the same words and ask for the same decisions in them. Their code
/// and their tables may differ.
fn have_same_states(one: &Program, other: &Program) -> bool {
    let sizes = |p: &Program| ([p.width, p.players], [p.frame, p.persistent, p.live, p.reset], p.uses_chance);
    let results = |p: &Program| {
        let addresses = [p.items, p.item_count, p.totals, p.keys, p.key_count, p.measures, p.measure_count];
        (addresses, p.least_wins.clone(), p.payoffs, p.score.is_some(), p.measure.is_some())
    };
    let decision = |stop: &StopPoint| {
        let mut kind = stop.kind.clone();
        if let StopKind::Choice(choice) = &mut kind {
            choice.parts.iter_mut().for_each(|part| part.body = CodeAddress(0));
        }
        kind
    };
    one.hooks == 0
        && other.hooks == 0
        && sizes(one) == sizes(other)
        && results(one) == results(other)
        && (&one.teams, &one.pasts) == (&other.teams, &other.pasts)
        && one.stops.iter().map(decision).eq(other.stops.iter().map(decision))
}
