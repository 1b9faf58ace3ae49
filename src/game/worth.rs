//! When compiling a program pays: as soon as interpreting costs more.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use houserule_base::clock::Instant;

/// What compiling costs for each instruction of a program, in nanoseconds: 8 to 20 µs. Source: `docs/performance.md`, compile times.
const PER_INSTRUCTION: u64 = 15_000;

/// Compiled code takes about this share of the interpreter's time. Source: `cargo bench --bench machines`.
const COMPILED_SHARE: f64 = 0.3;

/// What random games of a program have cost so far, on all threads.
#[derive(Debug, Default)]
pub(crate) struct GameCosts {
    /// What it takes to make another program of the rules, for random games, in nanoseconds.
    lowering: u64,
    /// Number of games that were announced.
    announced: AtomicU64,
    interpreted: AtomicU64,
    nanoseconds: AtomicU64,
    /// One thread compiles; the others go on with the interpreter.
    is_taken: AtomicBool,
}

impl GameCosts {
    /// Returns the costs before the first game. `lowering` is how long it took to make the program of the rules.
    pub(crate) fn new(lowering: Duration) -> GameCosts {
        GameCosts { lowering: lowering.as_nanos() as u64, ..GameCosts::default() }
    }

    /// Notes that a run is to play this many games.
    pub(crate) fn announce(&self, games: u64) {
        self.announced.fetch_add(games, Ordering::Relaxed);
    }

    /// Notes an interpreted game.
    pub(crate) fn add(&self, time: Duration) {
        self.interpreted.fetch_add(1, Ordering::Relaxed);
        self.nanoseconds.fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
    }

    /// Returns `true`, once, when the caller should compile a program of this many instructions. `left` is the number of
    /// games that the caller knows of. Either what was interpreted took as long as compiling, so the whole takes at
    /// most twice the time of the better choice; or the games to come save more than it costs.
    pub(crate) fn pay_for(&self, instructions: usize, left: u64) -> bool {
        let costs = instructions as u64 * PER_INSTRUCTION + self.lowering;
        let (games, spent) =
            (self.interpreted.load(Ordering::Relaxed), self.nanoseconds.load(Ordering::Relaxed));
        let left = left.max(self.announced.load(Ordering::Relaxed).saturating_sub(games));
        let to_come = spent as f64 / games.max(1) as f64 * left as f64;
        let pays = spent >= costs || to_come * (1.0 - COMPILED_SHARE) > costs as f64;
        pays && !self.is_taken.swap(true, Ordering::Relaxed)
    }
}

/// The time that the interpreter may still take before a program is compiled, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience(u64);

impl Patience {
    /// The program is compiled at once.
    pub const OVER: Patience = Patience(0);

    /// The program is never compiled.
    pub const ENDLESS: Patience = Patience(u64::MAX);

    /// Lets the interpreter take as long as compiling a program of this many instructions.
    pub(crate) fn new(instructions: usize) -> Patience {
        Patience(instructions as u64 * PER_INSTRUCTION)
    }

    /// Returns a clock for the interpreter's next run; `None` if the program is to be compiled.
    #[inline(always)]
    pub(crate) fn clock(self) -> Option<Instant> {
        (self != Patience::OVER).then(Instant::now)
    }

    /// Notes the time of a run. Even the shortest one counts.
    pub(crate) fn spend(&mut self, clock: Instant) {
        self.0 = self.0.saturating_sub((clock.elapsed().as_nanos() as u64).max(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compiling_pays_when_interpreting_costs_as_much() {
        let costs = GameCosts::default();
        // Compiling 200 instructions takes 3 ms.
        costs.add(Duration::from_millis(1));
        assert!(!costs.pay_for(200, 0));
        // Four more games as long save 2.8 ms, five save 3.5.
        assert!(!costs.pay_for(200, 4));
        costs.announce(6);
        assert!(costs.pay_for(200, 0));
        assert!(!costs.pay_for(200, 0), "another thread compiles");
        let spent = GameCosts::default();
        spent.add(Duration::from_millis(3));
        assert!(spent.pay_for(200, 0));
        // Another program must be made first, which takes 2 ms.
        let slow = GameCosts::new(Duration::from_millis(2));
        slow.add(Duration::from_millis(3));
        assert!(!slow.pay_for(200, 0));
        slow.add(Duration::from_millis(2));
        assert!(slow.pay_for(200, 0));
    }
}
