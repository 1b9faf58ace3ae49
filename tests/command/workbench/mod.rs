//! The server of the workbench, through plain sockets.

mod client;
mod command;
mod files;
mod pages;
mod runs;
mod safety;

use serde_json::{Value as Json, json};

/// A game of a few lines, with a param.
pub(crate) const GAME: &str = "/// A coin.\ngame \"Coin\" {\n  param goal: 1..9 = 3 \"points that win\"\n  players 2\n  \
     var points[player]: 0..20 = 0\n  turn {\n    choose {\n      one { points[me] += 1 }\n      two { points[me] += 2 }\n    }\n  }\n  \
     end goal when points[me] >= goal\n  score { points: points[me] }\n}\n";

/// A variant of it.
pub(crate) const VARIANT: &str = "variant \"Long coin\" of \"coin.rules\" {\n  param goal = 5\n}\n";

fn text(path: &str, version: i64, text: &str) -> Json {
    json!({"ask": "text", "path": path, "version": version, "text": text})
}
