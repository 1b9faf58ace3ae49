//! A small game to start from: it is playable, and comments explain its parts.

/// Returns the file of a new game.
pub(super) fn text(title: &str) -> String {
    TEXT.replace("TITLE", title)
}

const TEXT: &str = r#"/// Roll the die, then take its points or try your luck. The first player to reach the goal wins.
/// (Lines with three slashes describe the game. Write your own description here.)
game "TITLE" {
  // Params: values that a house rule or `--set goal=50` can change. Each has a range, a default and a
  // description.
  param goal: 5..1000 = 30                   "points that win"
  param faces: 2..100 = 6                    "faces of the die"
  param trump: 0..100 = 10                   "points for rolling the highest face when you try your luck"

  // The players and the equipment. A board and its pieces are declared in the same way:
  // `board cell = grid(8, 8)` and `piece stone[player] "…"`.
  players 2..4
  dice die: 1 of d(faces)                    "the die"

  // Variables: each has a range and a value at the start. `points` has a value for each player.
  var points[player]: 0..goal + faces + trump = 0  "points so far"

  // The turn of a player, step by step. In a `choose`, the player takes one of the options.
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

  // The end of the game and its winner. Without `: win me`, the player with the highest score wins.
  end goal when points[me] >= goal: win me
  score {
    points: points[me]                       "points",
  }
}
"#;
