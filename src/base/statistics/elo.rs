//! Elo ratings by maximum likelihood.
//!
//! The model is that of Bradley and Terry (1952) with draws (Davidson 1970) and a first-seat advantage (Davidson
//! and Beaver 1977): the first player wins, draws or loses in the proportions πₐγ : ν√(πₐγπᵦ) : πᵦ. The
//! likelihood is that of a multinomial logit, so it has one maximum, which Newton's method finds. Each pair gets
//! one virtual game, half won and half lost, so that a player who wins every game has a finite rating.
//!
//! A standard error is the larger of two: from the observed information, and from White's sandwich estimator
//! (1982) with games of the same number as a cluster (Liang and Zeger 1986), since they share their dice.

use std::collections::BTreeMap;

/// Elo points for a factor e of the odds.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// Virtual games added for each pair and order of seats: half won, half lost.
const VIRTUAL: f64 = 0.5;

/// Maximum number of Newton steps.
const STEPS: usize = 100;

/// The games of two players in one order of seats.
#[derive(Clone, Debug, Default)]
pub struct Pairing {
    /// Index of the player in the first seat.
    pub first: usize,
    /// Index of the other player.
    pub second: usize,
    /// The number of each game with its result: 1 if the first player won, 0 for a draw, -1 if the second won.
    pub results: Vec<(u64, i8)>,
}

/// The rating of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rated {
    /// Its Elo rating; the mean of all players is 0.
    pub elo: f64,
    /// Standard error of its difference from the mean.
    pub se: f64,
    /// Games that it played.
    pub games: u64,
    /// Points per game: 1 for a win, 1/2 for a draw.
    pub points: f64,
    /// Share of drawn games.
    pub draws: f64,
}

/// The ratings of all players.
#[derive(Clone, Debug)]
pub struct Rating {
    /// By player.
    pub players: Vec<Rated>,
    /// Points per game of each player against each other; NaN if they didn't play each other.
    pub pairs: Vec<Vec<f64>>,
    /// Standard error of the difference of each two players' ratings.
    pub apart: Vec<Vec<f64>>,
    /// First-seat advantage, in Elo; `None` for one-player games.
    pub first_seat: Option<f64>,
    /// Standard error of that; `None` for one-player games.
    pub first_seat_error: Option<f64>,
}

/// A term of the likelihood: the design row of each of the three outcomes, and the number of games of each.
struct Cell {
    rows: [Vec<f64>; 3],
    counts: [f64; 3],
}

/// The parameters: the ratings, the draw parameter, the first-seat advantage.
struct RatingModel {
    players: usize,
    /// `true` if some games were drawn and some not. Otherwise a draw counts as half a win for each.
    draws: bool,
    free: Vec<usize>,
}

/// Rates players from their games. In one-player games (`alone`), there is no first-seat advantage.
pub fn rate(players: usize, found: &[Pairing], alone: bool) -> Rating {
    let results = || found.iter().flat_map(|pairing| pairing.results.iter().map(|(_, result)| *result));
    let draws = results().any(|result| result == 0) && results().any(|result| result != 0);
    let mut free: Vec<usize> = (0..players).collect();
    free.extend(draws.then_some(players));
    free.extend((!alone).then_some(players + 1));
    let model = RatingModel { players, draws, free };

    let mut cells: Vec<Cell> = found
        .iter()
        .map(|pairing| {
            let count = |result: i8| pairing.results.iter().filter(|(_, of)| *of == result).count() as f64;
            Cell { rows: model.design(pairing.first, pairing.second), counts: [1, 0, -1].map(count) }
        })
        .collect();
    let mut met: Vec<(usize, usize)> = found
        .iter()
        .map(|pairing| (pairing.first.min(pairing.second), pairing.first.max(pairing.second)))
        .collect();
    met.sort_unstable();
    met.dedup();
    for (one, other) in met {
        for rows in [model.design(one, other), model.design(other, one)] {
            cells.push(Cell { rows, counts: [VIRTUAL / 2.0, 0.0, VIRTUAL / 2.0] });
        }
    }

    let mut at = vec![0.0; players + 2];
    for _ in 0..STEPS {
        let (gradient, information) = model.slope(&cells, &at);
        let step = times(&model.inverse(&information), &gradient);
        let longest = step.iter().fold(0.0, |most: f64, of| most.max(of.abs()));
        // Limit the step: the quadratic approximation is valid only nearby.
        let part = (2.0 / longest.max(1e-300)).min(1.0);
        for (param, step) in model.free.iter().zip(&step) {
            at[*param] += step * part;
        }
        if longest < 1e-10 {
            break;
        }
    }
    let mean = at[..players].iter().sum::<f64>() / players.max(1) as f64;
    at[..players].iter_mut().for_each(|rating| *rating -= mean);
    let (_, information) = model.slope(&cells, &at);
    let inverse = model.inverse(&information);
    let sandwich = product(&product(&inverse, &model.clustered(found, &at)), &inverse);
    // Of a weighted sum of the ratings, whose weights sum to 0.
    let error = |weight: &dyn Fn(usize) -> f64| {
        let of = |matrix: &Vec<Vec<f64>>| model.variance(matrix, weight);
        of(&inverse).max(of(&sandwich)).max(0.0).sqrt() * ELO
    };
    let one = |of: usize, player: usize| f64::from(u8::from(of == player));
    let errors = (0..players).map(|player| error(&|of| one(of, player) - 1.0 / players as f64));
    let apart = |a: usize| (0..players).map(|b| error(&|of| one(of, a) - one(of, b))).collect();
    let apart = (0..players).map(apart).collect();
    // The advantage is the last parameter.
    let last = |matrix: &Vec<Vec<f64>>| matrix.last().and_then(|row| row.last()).copied().unwrap_or(0.0);
    let seat_error = last(&inverse).max(last(&sandwich)).max(0.0).sqrt() * ELO;

    let mut rated: Vec<Rated> = errors
        .zip(&at)
        .map(|(se, rating)| Rated { elo: rating * ELO, se, games: 0, points: 0.0, draws: 0.0 })
        .collect();
    let mut points = vec![vec![(0.0, 0u64); players]; players];
    for pairing in found {
        for (_, result) in &pairing.results {
            let sides = [(pairing.first, pairing.second, *result), (pairing.second, pairing.first, -result)];
            for (me, other, result) in sides {
                let won = (f64::from(result) + 1.0) / 2.0;
                rated[me].games += 1;
                rated[me].points += won;
                rated[me].draws += f64::from(u8::from(result == 0));
                points[me][other].0 += won;
                points[me][other].1 += 1;
            }
        }
    }
    for player in &mut rated {
        let games = player.games.max(1) as f64;
        (player.points, player.draws) = (player.points / games, player.draws / games);
    }
    let share = |(points, games): (f64, u64)| if games == 0 { f64::NAN } else { points / games as f64 };
    Rating {
        players: rated,
        pairs: points.into_iter().map(|row| row.into_iter().map(share).collect()).collect(),
        apart,
        first_seat: (!alone).then_some(at[players + 1] * ELO),
        first_seat_error: (!alone).then_some(seat_error),
    }
}

impl RatingModel {
    /// Returns the coefficients of the parameters in each outcome: the first wins, a draw, the second wins.
    fn design(&self, first: usize, second: usize) -> [Vec<f64>; 3] {
        let (draw, seat) = (self.players, self.players + 1);
        let mut rows = [(); 3].map(|()| vec![0.0; self.players + 2]);
        (rows[0][first], rows[0][seat]) = (1.0, 1.0);
        (rows[1][first], rows[1][second], rows[1][draw], rows[1][seat]) = (0.5, 0.5, 1.0, 0.5);
        rows[2][second] = 1.0;
        rows
    }

    /// Returns the probability of each outcome.
    fn chances(&self, rows: &[Vec<f64>; 3], at: &[f64]) -> [f64; 3] {
        let mut worth = rows.each_ref().map(|row| dot(row, at));
        if !self.draws {
            worth[1] = f64::NEG_INFINITY;
        }
        let most = worth.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let odds = worth.map(|worth| (worth - most).exp());
        let all: f64 = odds.iter().sum();
        odds.map(|odds| odds / all)
    }

    /// Returns the gradient of the log-likelihood and the observed information of the free parameters.
    fn slope(&self, cells: &[Cell], at: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let n = self.free.len();
        let (mut gradient, mut information) = (vec![0.0; n], vec![vec![0.0; n]; n]);
        for Cell { rows, counts } in cells {
            let counts = match self.draws {
                true => *counts,
                // A draw is half a win for each.
                false => [counts[0] + counts[1] / 2.0, 0.0, counts[2] + counts[1] / 2.0],
            };
            let all: f64 = counts.iter().sum();
            let chances = self.chances(rows, at);
            let row = |outcome: usize| self.free.iter().map(move |param| rows[outcome][*param]);
            let rows: Vec<Vec<f64>> = (0..3).map(|outcome| row(outcome).collect()).collect();
            let mean: Vec<f64> = (0..n).map(|i| (0..3).map(|o| chances[o] * rows[o][i]).sum()).collect();
            for i in 0..n {
                gradient[i] += (0..3).map(|o| (counts[o] - all * chances[o]) * rows[o][i]).sum::<f64>();
                for j in 0..n {
                    let square: f64 = (0..3).map(|o| chances[o] * rows[o][i] * rows[o][j]).sum();
                    information[i][j] += all * (square - mean[i] * mean[j]);
                }
            }
        }
        (gradient, information)
    }

    /// Returns the sum of outer products of the gradient of each cluster (games of one number).
    fn clustered(&self, found: &[Pairing], at: &[f64]) -> Vec<Vec<f64>> {
        let n = self.free.len();
        let mut clusters: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
        for pairing in found {
            let rows = self.design(pairing.first, pairing.second);
            let chances = self.chances(&rows, at);
            for (number, result) in &pairing.results {
                let cluster = clusters.entry(*number).or_insert_with(|| vec![0.0; n]);
                for (sum, param) in cluster.iter_mut().zip(&self.free) {
                    let row = rows.each_ref().map(|row| row[*param]);
                    let seen = match self.draws {
                        true => row[(1 - result) as usize],
                        false => (row[0] + row[2]) / 2.0 + f64::from(*result) * (row[0] - row[2]) / 2.0,
                    };
                    *sum += seen - (0..3).map(|o| chances[o] * row[o]).sum::<f64>();
                }
            }
        }
        let mut squares = vec![vec![0.0; n]; n];
        for cluster in clusters.values() {
            for i in 0..n {
                for j in 0..n {
                    squares[i][j] += cluster[i] * cluster[j];
                }
            }
        }
        squares
    }

    /// Inverts an information matrix. A common shift of all ratings changes nothing, so a penalty on it makes the
    /// matrix regular; it doesn't affect differences.
    fn inverse(&self, information: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let n = information.len();
        let mut matrix = information.to_vec();
        let scale = (0..n).map(|i| matrix[i][i]).fold(1e-9, f64::max);
        for (i, row) in matrix.iter_mut().enumerate() {
            for (j, cell) in row.iter_mut().enumerate() {
                *cell += if i < self.players && j < self.players { scale } else { 0.0 };
                // A parameter on which the games have no information keeps its value.
                *cell += if i == j { scale * 1e-12 } else { 0.0 };
            }
        }
        let mut inverse: Vec<Vec<f64>> =
            (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
        for i in 0..n {
            let pivot =
                (i..n).max_by(|a, b| matrix[*a][i].abs().total_cmp(&matrix[*b][i].abs())).unwrap_or(i);
            matrix.swap(i, pivot);
            inverse.swap(i, pivot);
            let by = matrix[i][i];
            for j in 0..n {
                matrix[i][j] /= by;
                inverse[i][j] /= by;
            }
            for other in (0..n).filter(|other| *other != i) {
                let by = matrix[other][i];
                for j in 0..n {
                    matrix[other][j] -= by * matrix[i][j];
                    inverse[other][j] -= by * inverse[i][j];
                }
            }
        }
        inverse
    }

    /// Returns the variance of a weighted sum of the ratings.
    fn variance(&self, covariance: &[Vec<f64>], weight: &dyn Fn(usize) -> f64) -> f64 {
        let pairs = (0..self.players).flat_map(|i| (0..self.players).map(move |j| (i, j)));
        pairs.map(|(i, j)| weight(i) * weight(j) * covariance[i][j]).sum()
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn times(matrix: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| dot(row, vector)).collect()
}

fn product(a: &[Vec<f64>], b: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let column = |j: usize| b.iter().map(|row| row[j]).collect::<Vec<f64>>();
    let columns: Vec<Vec<f64>> = (0..b.len()).map(column).collect();
    a.iter().map(|row| columns.iter().map(|column| dot(row, column)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(wins: usize, draws: usize, losses: usize) -> Vec<(u64, i8)> {
        let all = [(1, wins), (0, draws), (-1, losses)];
        (0..).zip(all.into_iter().flat_map(|(result, times)| vec![result; times])).collect()
    }

    #[test]
    fn ratings_by_hand() {
        // 300 of 400 points: odds of 3, slightly less because of the virtual game.
        let found = [
            Pairing { first: 0, second: 1, results: results(150, 0, 50) },
            Pairing { first: 1, second: 0, results: results(50, 0, 150) },
        ];
        let rating = rate(2, &found, false);
        let [one, other] = rating.players[..] else { panic!("two play") };
        let expected = ELO * (300.5f64 / 100.5).ln();
        assert!((one.elo - other.elo - expected).abs() < 1e-6, "{} {expected}", one.elo - other.elo);
        assert!((one.elo + other.elo).abs() < 1e-9 && rating.first_seat.unwrap().abs() < 1e-6);
        assert_eq!((one.games, one.points, rating.pairs[1][0]), (400, 0.75, 0.25));
        // With the virtual games there are 200.5 games in each order of seats. A game has the information pq of the difference
        // of the ratings, and as much of the advantage of the first seat. The errors of the two are independent.
        let (p, q) = (300.5 / 401.0, 100.5 / 401.0);
        let information: f64 = 401.0 * p * q;
        // An error from the mean of two players is half that of their difference.
        let expected = ELO / information.sqrt() / 2.0;
        assert!((one.se - expected).abs() < 1e-6 && (one.se - 10.01).abs() < 0.01, "{} {expected}", one.se);
        // Two games of each number form a cluster. In 50 clusters the first seat has q + p more wins than expected, in 100 it
        // has q - q, and in 50 it has -p - q. So the squares sum to 100, which is more than the information.
        let (seat, expected) = (rating.first_seat_error.unwrap(), ELO * 100f64.sqrt() / information);
        assert!((seat - expected).abs() < 1e-6 && (seat - 23.07).abs() < 0.01, "{seat} {expected}");
        assert!(rate(2, &found, true).first_seat_error.is_none());
    }

    #[test]
    fn whoever_wins_all_or_none_has_a_rating() {
        let always = rate(2, &[Pairing { first: 0, second: 1, results: results(50, 0, 0) }], true);
        assert!(always.players[0].elo > 200.0 && always.players[0].elo.is_finite());
        let never = rate(2, &[Pairing { first: 0, second: 1, results: results(0, 50, 0) }], false);
        assert!(never.players.iter().all(|player| player.elo.abs() < 1e-6 && player.draws == 1.0));
    }
}
