//! Benchmark of pictures: all games of the shelf in a few states of a random game, as SVG, for nobody in particular and for
//! the first seat. Prints the milliseconds of a picture with the CPU, median and most, and the kilobytes. The last move is
//! found from a state of the turns before it, as the workbench does; what is computed once for a game isn't counted.
//! Wanted: at most 5 ms, median 1.
//!
//! `cargo bench --bench pictures [-- GAME …]`

#![allow(clippy::print_stdout, reason = "a table for people to read")]

use std::collections::VecDeque;

use cpu_time::ThreadTime;
use houserule::draw::svg::{PictureStyle, Theme, svg_since};
use houserule::game::{Seat, State};
use houserule::loader::{Request, catalogue, load};

/// Times that a picture is drawn. The fastest counts.
const ROUNDS: usize = 5;

/// Actions between states that are drawn, and the most actions of a game.
const BETWEEN: usize = 25;
const MOST_ACTIONS: usize = 300;

/// Returns states of a random game, each with one of earlier turns.
fn states(name: &str) -> Vec<(State, State)> {
    let Ok(loaded) = load(&Request { name, ..Request::default() }) else { panic!("{name} does not load") };
    let Ok(mut state) = loaded.game.start(1, 0) else { panic!("{name} does not start") };
    let mut before = VecDeque::from([state.clone()]);
    let mut states = vec![];
    for at in 0..=MOST_ACTIONS {
        if at % BETWEEN == 0 {
            states.push((state.clone(), before[0].clone()));
        }
        if state.random_action().is_none_or(|action| state.apply(action).is_err()) {
            break;
        }
        before.push_back(state.clone());
        while before.len() > 2 && before[1].turns() + 2 <= state.turns() {
            before.pop_front();
        }
    }
    states
}

/// Returns the milliseconds of a picture, and its bytes.
fn measure(state: &State, earlier: &State, style: &PictureStyle) -> (f64, usize) {
    let mut fastest = f64::INFINITY;
    let mut bytes = 0;
    for _ in 0..ROUNDS {
        let begun = ThreadTime::now();
        bytes = std::hint::black_box(svg_since(state, earlier, style)).len();
        fastest = fastest.min(begun.elapsed().as_secs_f64() * 1000.0);
    }
    (fastest, bytes)
}

/// Returns the median of some numbers and the largest.
fn median_and_most(mut all: Vec<f64>) -> (f64, f64) {
    all.sort_by(f64::total_cmp);
    (all[all.len() / 2], all[all.len() - 1])
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    println!("{:24} {:>8} {:>8} {:>8} {:>8}", "game", "ms", "most", "kB", "most");
    let (mut all_times, mut all_bytes) = (vec![], vec![]);
    for entry in catalogue().into_iter().filter(|entry| entry.of.is_none()) {
        if !wanted.is_empty() && !wanted.iter().any(|name| name == entry.name) {
            continue;
        }
        let (mut times, mut bytes) = (vec![], vec![]);
        for (state, earlier) in states(entry.name) {
            for viewer in [None, Some(Seat(0))] {
                let style =
                    PictureStyle { theme: Theme::Light, legal: true, viewer, ..PictureStyle::default() };
                let (time, size) = measure(&state, &earlier, &style);
                times.push(time);
                bytes.push(size as f64 / 1000.0);
            }
        }
        let ((time, longest), (size, largest)) =
            (median_and_most(times.clone()), median_and_most(bytes.clone()));
        println!("{:24} {time:8.2} {longest:8.2} {size:8.1} {largest:8.1}", entry.name);
        all_times.extend(times);
        all_bytes.extend(bytes);
    }
    if !all_times.is_empty() {
        let ((time, longest), (size, largest)) = (median_and_most(all_times), median_and_most(all_bytes));
        println!("{:24} {time:8.2} {longest:8.2} {size:8.1} {largest:8.1}", "all");
    }
}
