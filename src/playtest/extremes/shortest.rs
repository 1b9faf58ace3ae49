//! Shortest games, by uniform-cost search (Dijkstra 1959, <https://doi.org/10.1007/BF01386390>): all positions with
//! fewer turns, rolls or decisions are exhausted first, so the nearest end is found before any other is missed.
//!
//! Equal positions are one, unless the rules compare earlier positions (`repeated`): then each way is one of its own.

use super::meter::CountMeter;
use super::positions::{MOST_OUTCOMES, Positions, Stepper};
use super::rules::EndRules;
use houserule_game::State;
use houserule_game::solve::StateTable;

/// Maximum number of positions.
const MOST_POSITIONS: usize = 3_000_000;

/// Maximum memory of the positions, in bytes.
const MOST_BYTES: u64 = 768 << 20;

/// The indices of rolls and decisions among turns, rolls and decisions.
const ROLLS: usize = 1;
const DECISIONS: usize = 2;

/// The result of a search for a shortest game.
pub(super) enum Shortest {
    /// The moves of a shortest game.
    Game(Vec<u64>),
    /// No game ends, or none below the limit.
    Never,
    /// The search stopped.
    Stopped {
        /// Every game has at least this length.
        at_least: u64,
        /// The moves of the shortest game so far.
        game: Option<Vec<u64>>,
    },
}

/// How a position was reached.
#[derive(Clone, Copy)]
struct Arrival {
    /// The least length to it.
    length: u32,
    /// Chance acts.
    is_chance: bool,
    /// The position before.
    from: u32,
    /// The move in it.
    step: u64,
}

/// Positions that were reached, and ways to go back to them.
struct Trails<'r> {
    rules: &'r EndRules,
    start: &'r State,
    stepper: Stepper<'r>,
    reached: Vec<Arrival>,
    /// The positions, if equal ones are one.
    table: Option<StateTable>,
    /// The position before the last one to which the search went back, and its state.
    before: (u32, State),
}

impl<'r> Trails<'r> {
    fn new(rules: &'r EndRules, start: &'r State) -> Trails<'r> {
        let table = rules.merges.then(|| {
            let mut table = StateTable::new(start.persistent().len());
            table.insert(start.persistent());
            table
        });
        Trails {
            rules,
            start,
            stepper: Stepper::new(rules, start),
            reached: vec![Arrival { length: 0, is_chance: start.is_chance(), from: 0, step: 0 }],
            table,
            before: (0, start.clone()),
        }
    }

    /// Goes back to a position. Returns the number of moves that were played again.
    fn go_to(&mut self, at: u32) -> u64 {
        let here = &mut self.stepper.here;
        if let Some(table) = &self.table {
            here.restore(table.words(at));
            return 0;
        }
        if at == 0 {
            here.restore_copy(self.start);
            return 0;
        }
        let Arrival { from, step, .. } = self.reached[at as usize];
        let mut again = 1;
        if self.before.0 != from {
            let moves = line_to(&self.reached, from);
            again += moves.len() as u64;
            self.before.0 = from;
            self.before.1.restore_copy(self.start);
            for step in moves {
                self.rules.apply(&mut self.before.1, step);
            }
        }
        here.restore_copy(&self.before.1);
        self.rules.apply(here, step);
        again
    }

    /// Returns the index of the position after the last move if no way to it is as short.
    fn reach(&mut self, length: usize, from: u32, step: u64) -> Option<u32> {
        let after = &self.stepper.after;
        let to = match &mut self.table {
            Some(table) => table.insert(after.persistent()) as usize,
            None => self.reached.len(),
        };
        let reached = Arrival { length: length as u32, is_chance: after.is_chance(), from, step };
        match self.reached.get_mut(to) {
            Some(known) if known.length <= reached.length => return None,
            Some(known) => *known = reached,
            None => self.reached.push(reached),
        }
        Some(to as u32)
    }

    fn is_full(&self) -> bool {
        let bytes = self.reached.len() * (size_of::<Arrival>() + size_of::<u32>());
        let table = self.table.as_ref().map_or(0, StateTable::bytes);
        self.reached.len() > MOST_POSITIONS || table + bytes as u64 > MOST_BYTES
    }
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
    // Without rounds, an end finishes a turn.
    let ends_turns = of == 0 && !rules.game.model().rounds;
    let mut trails = Trails::new(rules, start);
    let mut buckets: Vec<Vec<u32>> = vec![vec![0]];
    let mut below = below;
    let mut best: Option<Vec<u64>> = None;
    let mut length = 0;
    while length < buckets.len() && (length as u64) < below {
        while let Some(at) = buckets[length].pop() {
            let Arrival { length: least, is_chance, .. } = trails.reached[at as usize];
            // The next decision would be one too many.
            let is_late = of == DECISIONS && !is_chance && length as u64 + 1 >= below;
            // It was reached by fewer.
            if is_late || least != length as u32 {
                continue;
            }
            let again = trails.go_to(at);
            if of == ROLLS && length as u64 + 1 >= below && rules.is_roll(&trails.stepper.here) {
                continue;
            }
            let moves = rules.moves(&trails.stepper.here, MOST_OUTCOMES);
            let moves = moves.filter(|moves| meter.take(again + moves.len() as u64 + 1));
            let Some(moves) = moves.filter(|_| !trails.is_full()) else {
                // No position that is left is an end.
                let decides = |at: &u32| !trails.reached[*at as usize].is_chance;
                let is_next = of == DECISIONS && decides(&at) && buckets[length].iter().all(decides);
                let at_least = length as u64 + u64::from(is_next);
                if at_least >= below {
                    return best.map_or(Shortest::Never, Shortest::Game);
                }
                return Shortest::Stopped { at_least, game: best };
            };
            for step in moves {
                let Some(gain) = trails.stepper.step(step) else { continue };
                let is_over = trails.stepper.after.is_over();
                let there = length + gain[of] as usize;
                let ahead = u64::from(ends_turns && !is_over);
                if (there as u64).saturating_add(ahead) >= below {
                    continue;
                }
                if is_over {
                    below = there as u64;
                    best = Some([line_to(&trails.reached, at), vec![step]].concat());
                    continue;
                }
                let Some(to) = trails.reach(there, at, step) else { continue };
                if buckets.len() <= there {
                    buckets.resize(there + 1, vec![]);
                }
                buckets[there].push(to);
            }
        }
        length += 1;
    }
    best.map_or(Shortest::Never, Shortest::Game)
}

fn line_to(reached: &[Arrival], to: u32) -> Vec<u64> {
    let mut moves = vec![];
    let mut at = to;
    while at != 0 {
        let Arrival { from, step, .. } = reached[at as usize];
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

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_base::interrupt::Interrupt;
    use houserule_loader::{Request, load};

    #[test]
    fn chess_takes_four_moves() {
        let game = load(&Request { name: "chess", ..Request::default() }).unwrap().game;
        let rules = EndRules::new(&game);
        assert!(!rules.merges);
        let start = rules.start().unwrap();
        let stop = Interrupt::new();
        let search = |below, positions| {
            let mut meter = CountMeter::new(&stop, &|_| ());
            meter.allow(positions, None);
            (shortest(&rules, &start, DECISIONS, below, &mut meter), meter.used)
        };
        let (Shortest::Game(moves), used) = search(u64::MAX, 240_000) else { panic!("a game ends") };
        assert!(rules.replay(&moves).unwrap().is_over() && moves.len() == 4 && used > 9_322);
        // The game is known, and none is shorter.
        let (Shortest::Never, used) = search(4, 20_000) else { panic!("no game is shorter") };
        assert!(used < 20_000, "{used}");
        // All first moves were examined, not all of the second player.
        let (Shortest::Stopped { at_least: 2, game: None }, _) = search(u64::MAX, 100) else {
            panic!("it is stopped")
        };
    }
}
