//! The interpreter and compiled code side by side, on many games of every bundled file.
//!
//! `cargo bench --bench machines -- [GAMES [GAME …]]`

#![allow(clippy::print_stdout, reason = "a table for people to read")]

use houserule::game::agree;
use houserule::loader::{Request, load};
use houserule::native::RunKind;

fn main() {
    let mut args = std::env::args().skip(1).filter(|arg| !arg.starts_with('-'));
    let games = args.next().and_then(|n| n.parse().ok()).unwrap_or(1_000);
    let wanted: Vec<String> = args.collect();
    let mut differ = 0;
    for name in houserule::bundled::names() {
        if !wanted.is_empty() && !wanted.iter().any(|w| w == name) {
            continue;
        }
        let Ok(loaded) = load(&Request { name, ..Request::default() }) else { continue };
        let sizes: Vec<String> = RunKind::ALL
            .iter()
            .filter_map(|kind| loaded.game.compiled_size(*kind))
            .map(|size| format!("{:6} B {:5.1} ms", size.bytes, size.time.as_secs_f64() * 1e3))
            .collect();
        match agree(&loaded.game, 1, games) {
            Ok(compared) => println!("{name:30} {compared:6} games, {}", sizes.join(", ")),
            Err(what) => {
                differ += 1;
                println!("{name:30} DIFFERS: {}", what.chars().take(300).collect::<String>());
            }
        }
    }
    assert_eq!(differ, 0, "the machines differ");
}
