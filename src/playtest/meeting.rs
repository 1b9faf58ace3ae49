//! One player against others, in all seats on the same chance.

use cpu_time::ThreadTime;

use super::interval::student;
use crate::agents::{Agent, agent_stream};
use crate::engine::{ApplyError, Game, Player, RuntimeError};
use crate::interrupt;
use crate::rng::Stream;

/// How a player did.
#[derive(Clone, Debug, PartialEq)]
pub struct Meeting {
    /// Games that were played.
    pub games: u64,
    /// Its mean share of wins, where a win that several share counts in parts; of a lone player its mean score.
    pub mean: f64,
    /// Half of the 95 % interval, by Student's distribution over the chance that games shared.
    pub half: Option<f64>,
    /// Seconds of processor time of a decision, its own and of the others.
    pub seconds: (f64, f64),
}

/// Plays games `0..games` of a seed, each in every seat, until `enough` says so. Who sits in the other seats is no
/// matter to a lone player.
pub fn meet(
    game: &Game,
    player: &mut dyn Agent,
    other: &mut dyn Agent,
    seed: u64,
    games: u64,
    enough: &mut dyn FnMut() -> bool,
) -> Result<Meeting, RuntimeError> {
    let seats = game.players();
    let (mut results, mut played) = (vec![], 0);
    let mut times = [(0.0, 0u64); 2];
    for index in 0..games {
        if index > 1 && enough() {
            break;
        }
        let mut sum = 0.0;
        for seat in 0..seats {
            sum += play(game, player, other, seat, (seed, index), &mut times)?;
            played += 1;
        }
        results.push(sum / f64::from(seats));
    }
    let n = results.len() as f64;
    let mean = results.iter().sum::<f64>() / n.max(1.0);
    let squares: f64 = results.iter().map(|result| (result - mean).powi(2)).sum();
    let half = student(results.len() as u64).map(|wide| wide * (squares / (n - 1.0) / n).sqrt());
    let [own, others] = times.map(|(seconds, decisions)| seconds / decisions.max(1) as f64);
    Ok(Meeting { games: played, mean, half, seconds: (own, others) })
}

/// A game with the player in a seat: its share of the win, or the score of a lone player.
fn play(
    game: &Game,
    player: &mut dyn Agent,
    other: &mut dyn Agent,
    seat: u32,
    (seed, index): (u64, u64),
    times: &mut [(f64, u64); 2],
) -> Result<f64, RuntimeError> {
    let mut state = game.start(seed, index)?;
    let mut streams: Vec<Stream> = (0..game.players()).map(|seat| agent_stream(seed, index, seat)).collect();
    while let Some(current) = state.current_player() {
        interrupt::check();
        let (own, begun) = (current.0 == seat, ThreadTime::now());
        let (stream, mut view) = (&mut streams[current.0 as usize], state.seen_by(current));
        let chosen = if own { player.choose(&mut view, stream)? } else { other.choose(&mut view, stream)? };
        let Some(action) = chosen else { break };
        let time = &mut times[usize::from(!own)];
        *time = (time.0 + begun.elapsed().as_secs_f64(), time.1 + 1);
        match state.apply(action) {
            Ok(()) => {}
            Err(ApplyError::Runtime(error)) => return Err(error),
            // Agents choose among the legal actions.
            Err(_) => break,
        }
    }
    if game.players() == 1 {
        return Ok(state.score(Player(0))? as f64);
    }
    let winners = state.outcome().map_or_else(Vec::new, |outcome| outcome.winners);
    let won = winners.get(seat as usize).copied().unwrap_or(false);
    let shared = winners.iter().filter(|won| **won).count();
    Ok(if won { 1.0 / shared as f64 } else { 0.0 })
}
