//! Rule texts for any board.

/// A game in which each player marks one site per turn.
pub(crate) fn marks(players: &str, boards: &str, at: &str) -> String {
    format!(
        "game \"Marks\" {{
          players {players}
          {boards}
          turn {{ choose mark {{ mark c in empty({at}) {{ put mark[me] at c }} otherwise {{ end game }} }} }}
          score {{ marks: count(mark[me]) }}
        }}"
    )
}

/// A game in which players draw sides of cells, with towers on the cells.
pub(crate) const LINES: &str = "game \"Lines\" {
  players X, O
  board cell = grid(4, 3) from top
  edges side of cell
  piece line[player] on side
  piece tower on cell
  turn { choose draw {
    draw e in empty(side) { put line[me] at e }
    build c in empty(cell) where count(edges(c) & line[me]) >= 2 { put tower at c }
    otherwise { end game }
  } }
  score { lines: count(line[me]) }
}";
