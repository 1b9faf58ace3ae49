//! The outcome of a finished game.

use crate::{Game, Seat};
use houserule_machine::program::{ENDED_BY, Program, RESULT, ResultKind};

/// The outcome of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The end that decided: an index into [`Model::end_names`](houserule_model::Model::end_names).
    pub end: u32,
    /// By player, `true` if the player shares the win. If all do, the game is drawn, or won by players who are all one side.
    pub winners: Vec<bool>,
    /// The payoff of each player, if the rules declare payoffs.
    pub payoffs: Option<Vec<i64>>,
}

impl Outcome {
    /// Returns what the game returns to each player: the payoffs, or without these [`Outcome::returns_of_winning`].
    pub fn returns(&self) -> Vec<f64> {
        match &self.payoffs {
            Some(payoffs) => payoffs.iter().map(|payoff| *payoff as f64).collect(),
            None => self.returns_of_winning(),
        }
    }

    /// Returns each player's share of the win: 1/k if k sides share it, 0 for who didn't win. `sides` has a bit for each
    /// side, as [`Model::sides`](houserule_model::Model::sides).
    pub fn win_shares(&self, sides: u32) -> Vec<f64> {
        let counted = self.winners.iter().enumerate().filter(|(p, won)| **won && sides >> p & 1 == 1);
        let share = 1.0 / counted.count().max(1) as f64;
        self.winners.iter().map(|won| if *won { share } else { 0.0 }).collect()
    }

    /// Returns a number for each player. Of n players, the k who share the win get (n/k − 1)/(n − 1) each,
    /// the others −1/(n − 1): two players get ±1, a draw gives 0. A lone player gets 0.
    pub fn returns_of_winning(&self) -> Vec<f64> {
        let mut values = vec![0.0; self.winners.len()];
        let mask = self.winners.iter().enumerate().fold(0, |mask, (p, won)| mask | u32::from(*won) << p);
        let players = values.len() as u32;
        (0..).zip(&mut values).for_each(|(p, value)| *value = share(mask, players, Seat(p)));
        values
    }
}

/// Returns what a finished frame with computed scores returns to a player: see [`Outcome::returns`].
#[inline]
pub(crate) fn returned(program: &Program, words: &[u64], player: Seat) -> f64 {
    match program.payoffs {
        Some(first) => words[usize::from(first) + player.index()] as i64 as f64,
        None => share(winners(program, words), program.players.into(), player),
    }
}

/// Like [`returned`], for all players.
pub(crate) fn return_all(program: &Program, words: &[u64], values: &mut [f64]) {
    if program.payoffs.is_some() {
        return (0..).zip(values).for_each(|(p, value)| *value = returned(program, words, Seat(p)));
    }
    let winners = winners(program, words);
    for (player, value) in (0..).zip(values) {
        *value = share(winners, program.players.into(), Seat(player));
    }
}

/// Computes one player's return of winning, of `winners` with a bit for each winner: see
/// [`Outcome::returns_of_winning`].
#[inline(always)]
pub fn share(winners: u32, players: u32, player: Seat) -> f64 {
    shares(winners.count_ones(), players)[(winners >> player.0 & 1) as usize]
}

/// Computes the return of every loser and that of every winner, from the number of winners: see [`share`].
#[inline(always)]
pub fn shares(winners: u32, players: u32) -> [f64; 2] {
    if players < 2 {
        return [0.0; 2];
    }
    let (n, k) = (f64::from(players), f64::from(winners.max(1)));
    [-1.0 / (n - 1.0), (n / k - 1.0) / (n - 1.0)]
}

/// Returns the end of a finished frame: see [`Outcome::end`].
pub(crate) fn end_of(words: &[u64]) -> u32 {
    words[usize::from(ENDED_BY)] as u32
}

/// Returns the players who share the win in a finished frame with computed scores, one bit each.
#[inline]
pub(crate) fn winners(program: &Program, words: &[u64]) -> u32 {
    let everybody = (1u32 << program.players) - 1;
    let result = words[usize::from(RESULT)];
    // A damaged frame may name a player who isn't there.
    let player = program.teams.get((result >> 8 & 31) as usize).copied().unwrap_or(0);
    match result & 255 {
        r if r == ResultKind::Win as u64 => player,
        r if r == ResultKind::Lose as u64 => everybody & !player,
        r if r == ResultKind::Draw as u64 => everybody,
        r if r == ResultKind::WinSet as u64 => teams_of(program, result >> 8),
        r if r == ResultKind::LoseSet as u64 => everybody & !teams_of(program, result >> 8),
        _ => ranked(program, words, everybody),
    }
}

/// Returns these players, one bit each, with their teams.
fn teams_of(program: &Program, players: u64) -> u32 {
    let named = program.teams.iter().enumerate().filter(|(p, _)| players >> p & 1 == 1);
    named.fold(0, |all, (_, team)| all | team)
}

/// Returns the players with the lexicographically best keys; equal players share the win.
fn ranked(program: &Program, words: &[u64], everybody: u32) -> u32 {
    let mut remaining = everybody;
    for key in 0..program.key_count {
        let in_play = |set: u32| (0..program.players).filter(move |p| set >> p & 1 == 1);
        let own = |p: u16| i128::from(words[usize::from(program.keys + p * program.key_count + key)] as i64);
        let least_wins = program.least_wins.get(usize::from(key)) == Some(&true);
        // The keys of a team are added up.
        let sum = |p: u16| in_play(program.teams[usize::from(p)]).map(own).sum::<i128>();
        let value = |p: u16| if least_wins { -sum(p) } else { sum(p) };
        let Some(best) = in_play(remaining).map(value).max() else { break };
        let keep = in_play(remaining).filter(|p| value(*p) == best).fold(0, |set, p| set | 1 << p);
        remaining = keep;
    }
    remaining
}

/// Returns the outcome of a finished frame with computed scores.
pub(crate) fn outcome(game: &Game, words: &[u64]) -> Outcome {
    let mask = winners(game.program(), words);
    let payoff = |first: u16| {
        let words = &words[usize::from(first)..][..game.players() as usize];
        words.iter().map(|word| *word as i64).collect()
    };
    Outcome {
        end: end_of(words),
        winners: (0..game.players()).map(|p| mask >> p & 1 == 1).collect(),
        payoffs: game.program().payoffs.map(payoff),
    }
}
