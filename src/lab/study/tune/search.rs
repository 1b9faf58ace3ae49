//! The search of a tuning: places of a grid, each played for some games, and the place that is nearest to the targets.
//!
//! Races among places (successive halving: Karnin, Koren and Somekh 2013; F-Race: Birattari, Stützle, Paquete and
//! Varrentrapp 2002) give few games to many places and many games to few. Small grids race as a whole. Large ones
//! begin with places that fill the space (Halton 1960); then neighbours of the best places join, and places that a
//! quadratic regression of the means predicts to be good. All places play the same games, so a race compares pairs.
//!
//! Independent of games: [`Bench`] plays.

use std::collections::HashMap;

use houserule_base::rng::Stream;
use rand::RngExt;

use super::certainty::{TunedFigure, figures};

/// Games of a place at the beginning of a race.
const FIRST_GAMES: usize = 16;

/// A race keeps one in this many places, which play this many times as many games.
const KEEP: usize = 3;

/// Number of places at the end of a race.
const LAST: usize = 3;

/// Maximum number of places that are played at the beginning. Grids of no more race as a whole.
const START: usize = 96;

/// Number of places that the regression adds to a race.
const PREDICTED: usize = 6;

/// Maximum number of places of which the regression predicts the means.
const FORESEEN: usize = 20_000;

/// Races without a better place after which the search ends.
const PATIENCE: usize = 2;

/// Maximum number of races.
const RACES: usize = 30;

/// Number of places with all games at the end.
pub(super) const FINALISTS: usize = 5;

/// A place in the grid: for each axis, the index of a value.
pub(super) type GridPlace = Vec<usize>;

/// A row for each game: the values of the targets' metrics, or `None` if an error ended the game.
pub(super) type Rows = Vec<Option<Vec<f64>>>;

/// Plays the games of places.
pub(super) trait Bench {
    type Error;

    /// Returns `false` if the place can't be played, because its settings don't fit together.
    fn open(&mut self, place: &[usize]) -> Result<bool, Self::Error>;

    /// Plays games `from..to` of a place.
    fn play(&mut self, place: &[usize], from: usize, to: usize) -> Result<Rows, Self::Error>;
}

/// What is searched for, and where.
pub(super) struct Space<'s> {
    /// The number of values of each axis.
    pub(super) sizes: Vec<usize>,
    /// The place of the rules as they are, if it is in the grid.
    pub(super) start: Option<GridPlace>,
    /// Games of a place that nothing else excludes.
    pub(super) games: usize,
    /// What is computed for each target.
    pub(super) figures: Vec<TunedFigure>,
    /// Returns the distance of figures from the targets; 0 or less if they meet all, and less the farther they are from their
    /// ends.
    pub(super) distance: &'s dyn Fn(&[f64]) -> f64,
}

/// A place and its games.
#[derive(Clone, Debug)]
pub(super) struct TriedPlace {
    pub(super) place: GridPlace,
    pub(super) rows: Rows,
    /// The figure of each target, or `None` without a finished game.
    pub(super) figures: Option<Vec<f64>>,
    finished: usize,
}

/// A search and what it has found so far.
pub(super) struct SettingSearch<'s> {
    space: Space<'s>,
    pub(super) tried: Vec<TriedPlace>,
    index: HashMap<GridPlace, Option<usize>>,
}

impl<'s> SettingSearch<'s> {
    pub(super) fn new(space: Space<'s>) -> Self {
        SettingSearch { space, tried: vec![], index: HashMap::new() }
    }

    /// Returns the number of games played.
    pub(super) fn games(&self) -> u64 {
        self.tried.iter().map(|tried| tried.rows.len() as u64).sum()
    }

    /// Returns the number of places that can't be played.
    pub(super) fn unplayable(&self) -> usize {
        self.index.values().filter(|at| at.is_none()).count()
    }

    /// Returns the number of places of the grid.
    fn size(&self) -> usize {
        self.space.sizes.iter().fold(1, |all, size| all.saturating_mul(*size))
    }

    /// Plays until the best places have all games.
    pub(super) fn run<B: Bench>(&mut self, bench: &mut B) -> Result<(), B::Error> {
        let top = (self.space.games / 4).max(self.space.games.min(FIRST_GAMES));
        let is_whole = self.size() <= START;
        let first = if is_whole { self.places() } else { self.filling() };
        self.race(first, top, bench)?;
        let (mut stale, mut best) = (0, self.best());
        let mut races = 0;
        while !is_whole && stale < PATIENCE && races < RACES {
            let joining = self.joining(top, races);
            if joining.is_empty() {
                break;
            }
            self.race(joining, top, bench)?;
            let now = self.best();
            stale = if now == best { stale + 1 } else { 0 };
            (best, races) = (now, races + 1);
        }
        // The finalists play all games. Those that fall behind make room for others.
        loop {
            let order = self.order();
            let short = |at: &&usize| self.tried[**at].rows.len() < self.space.games;
            let Some(next) = order.iter().take(FINALISTS).find(short).copied() else { return Ok(()) };
            self.extend(next, self.space.games, bench)?;
        }
    }

    /// Races places: all play some games, and the better ones go on with more.
    fn race<B: Bench>(&mut self, places: Vec<GridPlace>, top: usize, bench: &mut B) -> Result<(), B::Error> {
        let mut racing = vec![];
        for place in places {
            if let Some(at) = self.enter(place, bench)?
                && !racing.contains(&at)
            {
                racing.push(at);
            }
        }
        let mut games = FIRST_GAMES.min(top);
        loop {
            for at in &racing {
                self.extend(*at, games, bench)?;
            }
            if games >= top {
                return Ok(());
            }
            racing.sort_by(|a, b| self.distance(*a).total_cmp(&self.distance(*b)));
            racing.truncate(racing.len().div_ceil(KEEP).max(LAST));
            games = (games * KEEP).min(top);
        }
    }

    /// Returns the index of a place, or `None` if it can't be played.
    fn enter<B: Bench>(&mut self, place: GridPlace, bench: &mut B) -> Result<Option<usize>, B::Error> {
        if let Some(known) = self.index.get(&place) {
            return Ok(*known);
        }
        let at = bench.open(&place)?.then_some(self.tried.len());
        self.index.insert(place.clone(), at);
        if at.is_some() {
            self.tried.push(TriedPlace { place, rows: vec![], figures: None, finished: 0 });
        }
        Ok(at)
    }

    fn extend<B: Bench>(&mut self, at: usize, games: usize, bench: &mut B) -> Result<(), B::Error> {
        let tried = &mut self.tried[at];
        let played = tried.rows.len();
        if played < games {
            let rows = bench.play(&tried.place, played, games)?;
            tried.finished += rows.iter().flatten().count();
            tried.rows.extend(rows);
            tried.figures = figures(&tried.rows, &self.space.figures);
        }
        Ok(())
    }

    /// Returns the distance of a tried place, infinite without a finished game.
    pub(super) fn distance(&self, at: usize) -> f64 {
        self.tried[at].figures.as_ref().map_or(f64::INFINITY, |figures| (self.space.distance)(figures))
    }

    /// Returns the tried places, those of the longest races first, and in each the nearest first. A place with few
    /// games may be near by luck.
    pub(super) fn order(&self) -> Vec<usize> {
        let top = (self.space.games / 4).max(self.space.games.min(FIRST_GAMES));
        let mut order: Vec<usize> = (0..self.tried.len()).collect();
        order.sort_by(|a, b| {
            let long = |at: usize| self.tried[at].rows.len() >= top;
            long(*b).cmp(&long(*a)).then(self.distance(*a).total_cmp(&self.distance(*b)))
        });
        order
    }

    fn best(&self) -> Option<usize> {
        self.order().first().copied()
    }

    /// Returns all places, the last axis fastest.
    fn places(&self) -> Vec<GridPlace> {
        let size = self.size();
        (0..size).map(|index| self.place(index)).collect()
    }

    fn place(&self, mut index: usize) -> GridPlace {
        let mut place: GridPlace = self
            .space
            .sizes
            .iter()
            .rev()
            .map(|size| {
                let at = index % size;
                index /= size;
                at
            })
            .collect();
        place.reverse();
        place
    }

    /// Returns places that fill the grid evenly, the rules as they are, and the middle.
    fn filling(&self) -> Vec<GridPlace> {
        let axes = self.space.sizes.len();
        let wanted = (16 * axes).clamp(32, START);
        let middle = self.space.sizes.iter().map(|size| size / 2).collect();
        let mut places: Vec<GridPlace> = self.space.start.iter().cloned().chain([middle]).collect();
        // In a grid of small axes several points fall on the same place.
        for number in 1..=10 * wanted as u64 {
            if places.len() >= wanted {
                break;
            }
            let place = self.halton(number);
            if !places.contains(&place) {
                places.push(place);
            }
        }
        places
    }

    /// Returns a point of the Halton sequence.
    fn halton(&self, number: u64) -> GridPlace {
        const PRIMES: [u64; 16] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53];
        let coordinate = |(axis, size): (usize, &usize)| {
            let base = PRIMES[axis % PRIMES.len()];
            // Axes beyond the primes take another part of the sequence.
            let (mut rest, mut part, mut value) = (number + 1_009 * (axis / PRIMES.len()) as u64, 1.0, 0.0);
            while rest > 0 {
                part /= base as f64;
                value += part * (rest % base) as f64;
                rest /= base;
            }
            ((value * *size as f64) as usize).min(size - 1)
        };
        self.space.sizes.iter().enumerate().map(coordinate).collect()
    }

    /// Returns the places that join the next race: neighbours of the best, and those predicted to be near.
    fn joining(&self, top: usize, race: usize) -> Vec<GridPlace> {
        let order = self.order();
        let mut joining: Vec<GridPlace> = vec![];
        let is_open = |place: &GridPlace| match self.index.get(place) {
            Some(Some(at)) => self.tried[*at].rows.len() < top,
            Some(None) => false,
            None => true,
        };
        let mut push = |place: GridPlace| {
            if is_open(&place) && !joining.contains(&place) {
                joining.push(place);
            }
        };
        self.predicted(race, &is_open).into_iter().for_each(&mut push);
        for (rank, at) in order.iter().take(2).enumerate() {
            let place = &self.tried[*at].place;
            for (axis, size) in self.space.sizes.iter().enumerate() {
                let wide = (size / 8).max(1);
                let steps = if rank == 0 && wide > 1 { vec![1, wide] } else { vec![1] };
                for step in steps {
                    let mut near = |value: usize| {
                        let mut place = place.clone();
                        place[axis] = value;
                        // What lost a race is not played again only because it is a neighbour.
                        if !self.index.contains_key(&place) {
                            push(place);
                        }
                    };
                    if place[axis] >= step {
                        near(place[axis] - step);
                    }
                    if place[axis] + step < *size {
                        near(place[axis] + step);
                    }
                }
            }
        }
        joining
    }

    /// Returns the open places whose predicted figures are nearest to the targets.
    fn predicted(&self, race: usize, is_open: &dyn Fn(&GridPlace) -> bool) -> Vec<GridPlace> {
        let Some(best) = self.best() else { return vec![] };
        let best = self.tried[best].place.clone();
        // Later races look at a smaller region, in which the means are nearer to a quadratic function.
        let width = 2.0 / (1.0 + race as f64);
        let centre = self.scaled(&best);
        let mut models = vec![Regression::new(self.space.sizes.len()); self.space.figures.len()];
        for tried in &self.tried {
            let Some(figures) = &tried.figures else { continue };
            let x = self.scaled(&tried.place);
            let apart: f64 = x.iter().zip(&centre).map(|(a, b)| (a - b).powi(2)).sum();
            let weight = tried.finished as f64 * (-apart / width.powi(2)).exp();
            models.iter_mut().zip(figures).for_each(|(model, figure)| model.add(&x, *figure, weight));
        }
        let models: Vec<Vec<f64>> = models.into_iter().map(Regression::solve).collect();
        let candidates: Vec<GridPlace> = match self.size() {
            size if size <= FORESEEN => self.places(),
            _ => self.around(&best, race),
        };
        let mut near: Vec<(f64, GridPlace)> = candidates
            .into_iter()
            .filter(|place| is_open(place))
            .map(|place| {
                let features = features(&self.scaled(&place));
                let means: Vec<f64> = models
                    .iter()
                    .map(|model| model.iter().zip(&features).map(|(factor, feature)| factor * feature).sum())
                    .collect();
                ((self.space.distance)(&means), place)
            })
            .collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0));
        near.into_iter().take(PREDICTED).map(|(_, place)| place).collect()
    }

    /// Returns places all over a large grid, and more of them near a place.
    fn around(&self, best: &GridPlace, race: usize) -> Vec<GridPlace> {
        let far = (1..=FORESEEN as u64 / 2).map(|number| self.halton(number + race as u64 * 7_919));
        let mut stream = Stream::new(race as u64, 0, 0);
        let mut step = |at: usize, size: usize| {
            let (at, reach) = (at as i64, (size / 6).max(2) as i64);
            stream.random_range(at - reach..=at + reach).clamp(0, size as i64 - 1) as usize
        };
        let near: Vec<GridPlace> = (0..FORESEEN / 2)
            .map(|_| best.iter().zip(&self.space.sizes).map(|(at, size)| step(*at, *size)).collect())
            .collect();
        let mut all: Vec<GridPlace> = far.chain(near).collect();
        all.sort();
        all.dedup();
        all
    }

    /// Returns the coordinates of a place from -1 to 1.
    fn scaled(&self, place: &[usize]) -> Vec<f64> {
        let scaled = |(at, size): (&usize, &usize)| 2.0 * *at as f64 / (size - 1).max(1) as f64 - 1.0;
        place.iter().zip(&self.space.sizes).map(scaled).collect()
    }
}

/// The terms of a quadratic function.
fn features(x: &[f64]) -> Vec<f64> {
    let mut all = vec![1.0];
    all.extend(x);
    for (at, a) in x.iter().enumerate() {
        all.extend(x[at..].iter().map(|b| a * b));
    }
    all
}

/// A weighted quadratic regression, kept from overfitting by a small penalty (ridge).
#[derive(Clone, Debug)]
struct Regression {
    /// The normal equations: a row for each term, with its right side last.
    rows: Vec<Vec<f64>>,
}

impl Regression {
    fn new(axes: usize) -> Self {
        let terms = 1 + axes + axes * (axes + 1) / 2;
        Regression { rows: vec![vec![0.0; terms + 1]; terms] }
    }

    fn add(&mut self, x: &[f64], value: f64, weight: f64) {
        let features = features(x);
        for (row, one) in self.rows.iter_mut().zip(&features) {
            for (cell, other) in row.iter_mut().zip(features.iter().chain([&value])) {
                *cell += weight * one * other;
            }
        }
    }

    /// Returns the factor of each term, by elimination.
    fn solve(mut self) -> Vec<f64> {
        let terms = self.rows.len();
        let penalty = 1e-4 * self.rows[0][0].max(1e-9);
        (1..terms).for_each(|term| self.rows[term][term] += penalty);
        for term in 0..terms {
            let most =
                (term..terms).max_by(|a, b| self.rows[*a][term].abs().total_cmp(&self.rows[*b][term].abs()));
            self.rows.swap(term, most.unwrap_or(term));
            let pivot = self.rows[term].clone();
            if pivot[term].abs() < 1e-12 {
                continue;
            }
            for (at, row) in self.rows.iter_mut().enumerate() {
                if at != term {
                    let factor = row[term] / pivot[term];
                    row.iter_mut().zip(&pivot).for_each(|(cell, pivot)| *cell -= factor * pivot);
                }
            }
        }
        let value = |term: usize| {
            let (own, right) = (self.rows[term][term], self.rows[term][terms]);
            if own.abs() < 1e-12 { 0.0 } else { right / own }
        };
        (0..terms).map(value).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays a made-up game: means are functions of the place, and values have noise that all places share in part.
    struct Made<'m> {
        means: &'m dyn Fn(&[usize]) -> Vec<f64>,
        noise: f64,
        unplayable: usize,
        games: usize,
    }

    impl Bench for Made<'_> {
        type Error = ();

        fn open(&mut self, place: &[usize]) -> Result<bool, ()> {
            Ok(self.unplayable == 0 || place.iter().sum::<usize>() % self.unplayable != 0)
        }

        fn play(&mut self, place: &[usize], from: usize, to: usize) -> Result<Rows, ()> {
            self.games += to - from;
            let own = place.iter().fold(7, |key, at| key * 31 + *at as u64);
            let game = |game: usize| {
                let uniform = |stream: &mut Stream| stream.random_range(-1.0..1.0);
                let (mut shared, mut own) =
                    (Stream::new(1, game as u64, 0), Stream::new(own, game as u64, 0));
                let noisy = (self.means)(place).into_iter();
                Some(
                    noisy
                        .map(|mean| mean + self.noise * (uniform(&mut shared) + uniform(&mut own)))
                        .collect(),
                )
            };
            Ok((from..to).map(game).collect())
        }
    }

    fn search<'s>(sizes: &[usize], targets: usize, distance: &'s dyn Fn(&[f64]) -> f64) -> SettingSearch<'s> {
        let figures = vec![TunedFigure::Mean; targets];
        SettingSearch::new(Space { sizes: sizes.to_vec(), start: None, games: 1_000, figures, distance })
    }

    #[test]
    fn a_planted_optimum_is_found_with_a_hundredth_of_the_games() {
        // Means are products and sums, so the axes depend on each other.
        let means = |place: &[usize]| {
            let [a, b, c, d] = [0, 1, 2, 3].map(|axis| place[axis] as f64 + 1.0);
            vec![a * b, b + c, c * d, a + 2.0 * d]
        };
        for planted in [[2, 6, 1, 5], [7, 0, 8, 3], [4, 4, 4, 4], [0, 8, 0, 8]] {
            let wanted = means(&planted);
            let distance = |found: &[f64]| {
                let apart = found.iter().zip(&wanted).map(|(found, wanted)| ((found - wanted) / 0.5).powi(2));
                apart.sum::<f64>().sqrt()
            };
            let mut bench = Made { means: &means, noise: 3.0, unplayable: 0, games: 0 };
            let mut search = search(&[9, 9, 9, 9], 4, &distance);
            search.run(&mut bench).unwrap();
            let best = search.order()[0];
            assert_eq!(search.tried[best].place, planted, "of {} tried", search.tried.len());
            assert_eq!(bench.games as u64, search.games());
            let exhaustive = 9 * 9 * 9 * 9 * 1_000;
            assert!(bench.games * 100 < exhaustive, "{planted:?}: {} games", bench.games);
        }
    }

    #[test]
    fn a_small_grid_races_as_a_whole() {
        let means = |place: &[usize]| vec![place[0] as f64 * 2.0, place[1] as f64];
        let distance = |found: &[f64]| ((found[0] - 4.0).powi(2) + (found[1] - 3.0).powi(2)).sqrt();
        let mut bench = Made { means: &means, noise: 1.0, unplayable: 7, games: 0 };
        let mut search = search(&[5, 6], 2, &distance);
        search.run(&mut bench).unwrap();
        assert_eq!(search.tried[search.order()[0]].place, [2, 3]);
        // Places whose indices add up to 0 or 7.
        assert_eq!((search.unplayable(), search.tried.len()), (1 + 3, 26));
        let played = |tried: &&TriedPlace| tried.rows.len() == 1_000;
        assert_eq!(search.tried.iter().filter(played).count(), FINALISTS);
        assert!(search.games() < 26 * 1_000 / 3, "{}", search.games());
    }

    /// Places that meet a bound by more come before those that barely do.
    #[test]
    fn the_deepest_within_a_bound_comes_first() {
        let means = |place: &[usize]| vec![place[0] as f64];
        let distance = |found: &[f64]| 3.0 - found[0];
        let mut bench = Made { means: &means, noise: 3.0, unplayable: 0, games: 0 };
        let mut search = search(&[9], 1, &distance);
        search.run(&mut bench).unwrap();
        assert_eq!(search.tried[search.order()[0]].place, [8]);
    }

    #[test]
    fn the_regression_recovers_a_quadratic_function() {
        let value = |x: &[f64]| 3.0 - x[0] + 2.0 * x[1] + 0.5 * x[0] * x[1] - x[1] * x[1];
        let mut model = Regression::new(2);
        for a in -3..=3 {
            for b in -3..=3 {
                let x = [f64::from(a) / 3.0, f64::from(b) / 3.0];
                model.add(&x, value(&x), 10.0);
            }
        }
        let found = model.solve();
        let wanted = [3.0, -1.0, 2.0, 0.0, 0.5, -1.0];
        assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-2), "{found:?}");
    }
}
