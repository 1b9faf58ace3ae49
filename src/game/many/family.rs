//! Games of a family in one array: rule sets whose states lie in the same words, with the same decisions in them. So a
//! game changes its rules without moving. Most share their code too, because they differ only in numbers.

use std::ops::Range;
use std::sync::Arc;

use super::{Many, Tables};
use crate::state::State;
use crate::{Game, Start};
use houserule_machine::native::run::Runner;
use houserule_machine::native::{Machine, RunKind};
use crate::observe::{BATCH, Number};
use houserule_machine::program::{CodeAddress, Program, StopKind, StopPoint};

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
    pub(super) fn of(&self, i: usize) -> &Tables {
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
        self.game_of(i).start_or_stop(&Start::default(), None).0
    }

    /// Returns the rules of a game.
    pub fn game_of(&self, i: usize) -> &Game {
        &self.kinds.of(i).game
    }
}

/// Returns `true` if two programs keep their states in the same words and ask for the same decisions in them. Their code
/// and their tables may differ.
fn have_same_states(one: &Program, other: &Program) -> bool {
    let sizes = |p: &Program| ([p.width, p.players], [p.frame, p.persistent, p.live, p.reset], p.uses_chance);
    let results = |p: &Program| {
        let addresses = [p.items, p.item_count, p.totals, p.keys, p.key_count, p.measures, p.measure_count];
        (addresses, p.payoffs, p.score.is_some(), p.measure.is_some())
    };
    let decision = |site: &StopPoint| {
        let mut kind = site.kind.clone();
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
        && one.sites.iter().map(decision).eq(other.sites.iter().map(decision))
}

#[cfg(test)]
mod tests {
    use super::Many;
    use crate::Game;
    use houserule_loader::{Request, load_all, load_text, parts};
    use crate::many::{BatchResults, BatchScores};
    use crate::observe::{BATCH, GameBatch};
    use houserule_base::rng::Stream;
    use houserule_language::variants::{Origin, Setting};

    fn dilido(name: &str, settings: &[(&str, i32)]) -> Game {
        let settings: Vec<Setting> =
            settings.iter().map(|(name, value)| Setting::new(*name, value.to_string())).collect();
        let origin = Origin { parts: parts(name), settings, ..Origin::default() };
        load_all(&[origin], 1).unwrap_or_else(|error| panic!("{error}")).remove(0)
    }

    /// The last two have code of their own.
    fn rule_sets() -> Vec<Game> {
        let sets = [("dilido", 2, 0), ("dilido", 3, 1), ("dilido+torus", 9, 4), ("dilido+ordered", 3, 1)];
        sets.map(|(name, limit, jokers)| dilido(name, &[("penalty_limit", limit), ("jokers", jokers)]))
            .to_vec()
    }

    #[test]
    fn games_whose_states_lie_in_the_same_words_may_be_in_one_array() {
        let mut games = rule_sets();
        games.push(dilido("dilido", &[("size", 5)]));
        games.push(dilido("dilido+second-joker", &[]));
        Game::share_code(&games);
        let many: Vec<Many> = games.iter().map(|game| Many::new(game, 0)).collect();
        let joins: Vec<bool> = many.iter().map(|other| many[0].may_join(other)).collect();
        assert_eq!(joins, [true, true, true, true, false, false]);
        let shares: Vec<bool> = games.iter().map(|game| games[0].shares_code(game)).collect();
        assert_eq!(shares, [true, true, false, false, false, false]);
    }

    #[test]
    fn a_game_plays_by_the_rules_of_its_kind_with_and_without_compiled_code() {
        const COUNT: usize = BATCH + 7;
        for patience in [0, u32::MAX] {
            let (games, alone) = (rule_sets(), rule_sets());
            Game::share_code(&games);
            let kinds: Vec<Many> = games.iter().map(|game| Many::new(game, 0)).collect();
            let mut family = Many::joined(kinds.iter());
            (0..COUNT).for_each(|_| family.push());
            let mut alone: Vec<Many> = alone.iter().map(|game| Many::new(game, COUNT)).collect();
            alone.iter_mut().chain([&mut family]).for_each(|many| many.patience = patience);
            let (mut few, mut taken, mut choices) =
                (GameBatch::new(), BatchResults::default(), Stream::new(1, 2, 3));
            let live = games[0].program().live as usize;
            let mut kind_of: Vec<usize> = (0..COUNT).map(|i| i % games.len()).collect();
            let mut episodes = 0;
            for step in 0..400 {
                let mut actions = vec![0; COUNT];
                for i in 0..COUNT {
                    if step == 0 || family.is_over(i) {
                        (kind_of[i], episodes) = ((kind_of[i] + 1) % games.len(), episodes + 1);
                        family.set_kind(i, kind_of[i] as u32);
                        for many in [&mut family, &mut alone[kind_of[i]]] {
                            assert!(many.start(i, 5, episodes).is_ok());
                        }
                    }
                    actions[i] = family.any_action::<false>(i, &mut choices).map_or(0, i64::from);
                }
                for first in (0..COUNT).step_by(BATCH) {
                    let batch = first..COUNT.min(first + BATCH);
                    taken.asked = [true; BATCH];
                    family.apply_few(&batch, &actions[batch.clone()], BatchScores::Never, &mut taken);
                }
                for i in 0..COUNT {
                    let own = &mut alone[kind_of[i]];
                    assert!(own.apply(i, actions[i] as u32, &mut 0).is_ok());
                    assert_eq!(family.frame(i)[..live], own.frame(i)[..live], "step {step}, game {i}");
                    let mut seen =
                        [vec![0.0; games[0].observation_len()], vec![0.0; games[0].observation_len()]];
                    for (many, seen) in [&mut family, own].into_iter().zip(&mut seen) {
                        many.look(&(i..i + 1), &mut few);
                        few.viewers[0] = 0;
                        many.observe::<false>(&(i..i + 1), &mut few, seen);
                    }
                    assert_eq!(seen[0], seen[1], "step {step}, game {i}");
                }
            }
            assert!(episodes > 3 * COUNT as u64, "{episodes}");
        }
    }

    #[test]
    fn an_error_in_one_game_stops_no_other_whatever_code_they_run() {
        // With 2 the number gets out of its range earlier than with 1.
        let rules = |step| {
            format!(
                "game \"Count\" {{ players 1 var n: 0..3 = 0 turn {{ choose {{ go {{ n = n + n + {step} }} }} }} end over when turns[me] == 9 }}"
            )
        };
        let games = [1, 2].map(|step| {
            load_text("count", &rules(step), &Request::default())
                .unwrap_or_else(|error| panic!("{error}"))
                .game
        });
        let kinds: Vec<Many> = games.iter().map(|game| Many::new(game, 0)).collect();
        assert!(kinds[0].may_join(&kinds[1]) && !games[0].shares_code(&games[1]));
        let mut family = Many::joined(kinds.iter());
        (0..BATCH).for_each(|_| family.push());
        family.patience = 0;
        for i in 0..BATCH {
            family.set_kind(i, i as u32 % 2);
            assert!(family.start(i, 1, i as u64).is_ok());
        }
        let mut taken = BatchResults::default();
        taken.asked = [true; BATCH];
        let mut failed = vec![];
        for _ in 0..3 {
            family.apply_few(&(0..BATCH), &[0; BATCH], BatchScores::Never, &mut taken);
            failed.push((0..BATCH).map(|i| taken.error(i).is_some()).collect::<Vec<_>>());
        }
        let of = |one: bool, other: bool| (0..BATCH).map(|i| [one, other][i % 2]).collect::<Vec<_>>();
        // 1, 3, 7 and 2, 6.
        assert_eq!(failed[..2], [of(false, false), of(false, true)]);
        assert!((0..BATCH).step_by(2).all(|i| failed[2][i]));
    }
}
