//! Games of a family in one array: rule sets that differ only in numbers share their code, their frames and their
//! tables. So a game changes its rules without moving.

use std::ops::Range;
use std::sync::Arc;

use super::{Many, Tables};
use crate::game::state::State;
use crate::game::{Game, Start};
use crate::observe::Number;

/// The kinds of the games of an array.
pub(super) struct Kinds {
    /// At least one; several only in a family.
    all: Arc<[Arc<Tables>]>,
    /// The scales of the numbers of observations, kind by kind; empty if all kinds have the same.
    scales: Arc<[f64]>,
    /// By game: its kind.
    of: Vec<u32>,
}

impl Kinds {
    /// One kind for `games` games.
    pub(super) fn one(tables: Arc<Tables>, games: usize) -> Kinds {
        Kinds { all: Arc::new([tables]), scales: Arc::default(), of: vec![0; games] }
    }

    /// The same kinds for `games` other games, which are of the first one.
    pub(super) fn more(&self, games: usize) -> Kinds {
        Kinds { all: Arc::clone(&self.all), scales: Arc::clone(&self.scales), of: vec![0; games] }
    }

    pub(super) fn first(&self) -> &Arc<Tables> {
        &self.all[0]
    }

    /// Returns the tables of a game's kind.
    #[inline(always)]
    pub(super) fn of(&self, i: usize) -> &Tables {
        &self.all[self.of[i] as usize]
    }

    /// Returns the kind of a game.
    #[inline(always)]
    pub(super) fn number(&self, i: usize) -> u32 {
        self.of[i]
    }

    /// Returns a kind.
    #[inline(always)]
    pub(super) fn get(&self, number: u32) -> &Tables {
        &self.all[number as usize]
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
    pub(crate) fn may_join(&self, other: &Many) -> bool {
        let (one, another) = (&self.game, &other.game);
        one.shares_code(another)
            && one.actions() == another.actions()
            && one.model().actions == another.model().actions
            && one.model().score_direction == another.model().score_direction
            && one.observation_plan().is_alike(another.observation_plan())
    }

    /// Returns an empty array for games of all these kinds, which may be joined.
    pub(crate) fn joined<'m>(kinds: impl Iterator<Item = &'m Many>) -> Many {
        let all: Arc<[Arc<Tables>]> = kinds.map(|many| Arc::clone(&many.tables)).collect();
        let plans = || all.iter().map(|kind| kind.game.observation_plan());
        let differ = plans().any(|plan| plan.numbers != all[0].game.observation_plan().numbers);
        let scales = plans().flat_map(|plan| plan.numbers.iter().map(|part| part.number.scale));
        let scales = if differ { scales.collect() } else { Arc::default() };
        Many::of_kinds(Kinds { all, scales, of: vec![] }, 0)
    }

    /// Changes the kind of a game: an index of those joined. A new game must begin in its place before anything else.
    #[inline]
    pub(crate) fn set_kind(&mut self, i: usize, kind: u32) {
        assert!((kind as usize) < self.kinds.all.len(), "it is one of the kinds");
        self.kinds.of[i] = kind;
    }

    /// Returns any state of a game's kind, as a buffer to store it in.
    pub(crate) fn any_state(&self, i: usize) -> State {
        self.game_of(i).start_or_stop(&Start::default(), None).0
    }

    /// Returns the rules of a game.
    pub(crate) fn game_of(&self, i: usize) -> &Game {
        &self.kinds.of(i).game
    }
}

#[cfg(test)]
mod tests {
    use super::Many;
    use crate::game::Game;
    use crate::loader::{Request, load};
    use crate::many::BatchResults;
    use crate::observe::{BATCH, GameBatch};
    use crate::rng::Stream;
    use crate::variants::Setting;

    fn dilido(settings: &[(&str, i32)]) -> Game {
        let settings: Vec<Setting> =
            settings.iter().map(|(name, value)| Setting::new(*name, value.to_string())).collect();
        let request = Request { name: "dilido", settings: &settings, ..Request::default() };
        load(&request).unwrap_or_else(|error| panic!("{error}")).game
    }

    fn rule_sets() -> Vec<Game> {
        [(2, 0), (3, 1), (9, 4)]
            .map(|(limit, jokers)| dilido(&[("penalty_limit", limit), ("jokers", jokers)]))
            .to_vec()
    }

    #[test]
    fn games_that_differ_in_numbers_may_be_in_one_array() {
        let mut games = rule_sets();
        games.push(dilido(&[("size", 5)]));
        let before = Many::new(&games[0], 0);
        assert!(!before.may_join(&Many::new(&games[1], 0)), "they don't share their code yet");
        Game::share_code(&games);
        let many: Vec<Many> = games.iter().map(|game| Many::new(game, 0)).collect();
        assert!(many[..3].iter().all(|other| many[0].may_join(other)));
        assert!(!many[0].may_join(&many[3]));
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
            let mut kind_of: Vec<usize> = (0..COUNT).map(|i| i % 3).collect();
            let mut episodes = 0;
            for step in 0..400 {
                let mut actions = vec![0; COUNT];
                for i in 0..COUNT {
                    if step == 0 || family.is_over(i) {
                        (kind_of[i], episodes) = ((kind_of[i] + 1) % 3, episodes + 1);
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
                    family.apply_few(&batch, &actions[batch.clone()], false, &mut taken);
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
                        many.observe(&(i..i + 1), &mut few, seen);
                    }
                    assert_eq!(seen[0], seen[1], "step {step}, game {i}");
                }
            }
            assert!(episodes > 3 * COUNT as u64, "{episodes}");
        }
    }
}
