//! A small game to start from: it is playable, and comments explain its parts.

/// Returns the file of a new game.
pub(super) fn text(title: &str) -> String {
    TEXT.replace("TITLE", title)
}

const TEXT: &str = r#"/// Roll, then take what the die shows or try your luck: the first to reach the goal wins.
/// (Say here, in lines with three slashes, what the game is about.)
game "TITLE" {
  // What a house rule or `--set goal=50` may change: what it may be, what it is, and what it means.
  param goal: 5..1000 = 30                   "points that win"
  param faces: 2..100 = 6                    "faces of the die"
  param trump: 0..100 = 10                   "points for rolling the highest face when you try your luck"

  // Who plays, and with what. Other things are declared alike: a board and its pieces are
  // `board cell = grid(8, 8)` and `piece stone[player] "…"`.
  players 2..4
  dice die: 1 of d(faces)                    "the die"

  // What has to be remembered: what it may be, and what it is at the start. Each player has points.
  var points[player]: 0..goal + faces + trump = 0  "points so far"

  // What a player does in one turn, step by step.
  turn {
    step roll "Roll the die." { roll die }
    step decide "Take what it shows, or try your luck." {
      choose {
        take "take the points that the die shows" { points[me] += die[1] }
        luck "roll again: only the highest face counts, but it counts a lot" {
          roll die
          if die[1] == faces { points[me] += trump }
        }
      }
    }
  }

  // When the game ends and who wins then; without a result (`: win me`), the highest score wins.
  end goal when points[me] >= goal: win me
  score {
    points: points[me]                       "points",
  }
}
"#;
