//! Searches stay within their memory limit, however large the states of a game are.

use houserule::loader::{Request, load, load_text};
use houserule::solve::{GraphLimits, TooLarge, solve};

#[test]
fn exact_is_bounded_in_bytes() {
    let request = Request { name: "tic-tac-toe", ..Request::default() };
    let few = GraphLimits { bytes: 1 << 20, ..GraphLimits::default() };
    let game = load(&request).expect("it loads").game;
    assert_eq!(solve(&game, &few).err(), Some(TooLarge::Memory(1 << 20)));
    assert!(solve(&game, &GraphLimits::default()).is_ok());

    // A state has four thousand words. Eight million states would take 256 GB.
    let text = "game \"Wide\" {
      players 1
      board cell = grid(64, 64)
      var n[cell]: int
      var moves: int
      turn { choose { up a in cell { n[a] += 1 moves += 1 } } }
      end when moves == 100000
    }";
    let wide = load_text("wide.rules", text, &Request::default()).expect("it loads").game;
    let few = GraphLimits { bytes: 100 << 20, ..GraphLimits::default() };
    let error = solve(&wide, &few).err().expect("it is too large");
    assert_eq!(error, TooLarge::Memory(100 << 20));
    assert!(error.to_string().contains("it takes more than 100 MiB of memory"), "{error}");
}
