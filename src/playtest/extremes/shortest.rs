//! Shortest games, by uniform-cost search (Dijkstra 1959, <https://doi.org/10.1007/BF01386390>): all positions with
//! fewer turns, rolls or decisions are exhausted first, so the first end that comes up is nearest.

use super::meter::CountMeter;
use super::positions::{MOST_OUTCOMES, Positions, Stepper};
use super::rules::EndRules;
use houserule_game::State;
use houserule_game::solve::StateTable;

/// Maximum number of positions.
const MOST_POSITIONS: u32 = 3_000_000;

/// Maximum memory of the positions, in bytes.
const MOST_BYTES: u64 = 768 << 20;

/// The result of a search for a shortest game.
pub(super) enum Shortest {
    /// The moves of a shortest game.
    Game(Vec<u64>),
    /// No game ends, or none below the limit.
    Never,
    /// The search stopped. Every game has at least this length.
    AtLeast(u64),
}

/// Searches for the game with the fewest turns (0), rolls (1) or decisions (2), of those with fewer than `below`.
pub(super) fn shortest(
    rules: &EndRules,
    start: &State,
    of: usize,
    below: u64,
    meter: &mut CountMeter<'_>,
) -> Shortest {
    if start.is_over() {
        return Shortest::Game(vec![]);
    }
    let mut table = StateTable::new(start.persistent().len());
    table.insert(start.persistent());
    // The least length to each position, the position before, and the move.
    let mut found: Vec<(u32, u32, u64)> = vec![(0, 0, 0)];
    let mut buckets: Vec<Vec<u32>> = vec![vec![0]];
    let mut ends: Vec<u32> = vec![];
    let mut stepper = Stepper::new(rules, start);
    let mut length = 0;
    while length < buckets.len() {
        while let Some(at) = buckets[length].pop() {
            if found[at as usize].0 != length as u32 {
                // It was reached by fewer.
                continue;
            }
            if ends.binary_search(&at).is_ok() {
                return Shortest::Game(line_to(&found, at));
            }
            stepper.here.restore(table.words(at));
            // The next roll would be one too many.
            if of == 1 && length as u64 + 1 >= below && rules.is_roll(&stepper.here) {
                continue;
            }
            let moves = rules.moves(&stepper.here, MOST_OUTCOMES);
            let Some(moves) = moves.filter(|moves| meter.take(moves.len() as u64 + 1)) else {
                return Shortest::AtLeast(length as u64);
            };
            for step in moves {
                let Some(gain) = stepper.step(step) else { continue };
                let there = length + gain[of] as usize;
                // Without rounds, an end finishes a turn.
                let ahead = u64::from(of == 0 && !rules.game.model().rounds && !stepper.after.is_over());
                if (there as u64).saturating_add(ahead) >= below {
                    continue;
                }
                let to = table.insert(stepper.after.persistent());
                let is_new = to as usize == found.len();
                if is_new {
                    found.push((u32::MAX, 0, 0));
                    if stepper.after.is_over() {
                        ends.push(to);
                    }
                }
                if there < found[to as usize].0 as usize {
                    found[to as usize] = (there as u32, at, step);
                    if there == length && stepper.after.is_over() {
                        return Shortest::Game(line_to(&found, to));
                    }
                    if buckets.len() <= there {
                        buckets.resize(there + 1, vec![]);
                    }
                    buckets[there].push(to);
                }
            }
            if table.len() > MOST_POSITIONS || table.bytes() + u64::from(table.len()) * 24 > MOST_BYTES {
                return Shortest::AtLeast(length as u64);
            }
        }
        length += 1;
    }
    Shortest::Never
}

fn line_to(found: &[(u32, u32, u64)], to: u32) -> Vec<u64> {
    let mut moves = vec![];
    let mut at = to;
    while at != 0 {
        let (_, from, step) = found[at as usize];
        moves.push(step);
        at = from;
    }
    moves.reverse();
    moves
}

/// Returns the way to the nearest end among completely known positions.
pub(super) fn nearest_end(all: &Positions, of: usize) -> Option<Vec<(u32, u32)>> {
    let mut found: Vec<(u32, u32, u32)> = vec![(u32::MAX, 0, 0); all.len() as usize];
    found[0] = (0, 0, 0);
    let mut buckets: Vec<Vec<u32>> = vec![vec![0]];
    let mut length = 0;
    while length < buckets.len() {
        while let Some(at) = buckets[length].pop() {
            if found[at as usize].0 != length as u32 {
                continue;
            }
            if all.is_over(at) {
                let mut way = vec![];
                let mut at = at;
                while at != 0 {
                    let (_, from, step) = found[at as usize];
                    way.push((from, step));
                    at = from;
                }
                way.reverse();
                return Some(way);
            }
            for edge in all.edges(at) {
                let there = length + usize::from(edge.gain[of]);
                if there < found[edge.to as usize].0 as usize {
                    found[edge.to as usize] = (there as u32, at, edge.step);
                    if buckets.len() <= there {
                        buckets.resize(there + 1, vec![]);
                    }
                    buckets[there].push(edge.to);
                }
            }
        }
        length += 1;
    }
    None
}
