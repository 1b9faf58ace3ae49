//! The colours: of the paper and what is printed on it, and of the seats. Each has a light and a dark
//! side. Seats keep apart for those who don't see red and green; pieces have marks besides.

/// A colour by what it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ink {
    /// Within a picture that has both.
    pub(super) name: &'static str,
    /// On light paper.
    pub(super) light: &'static str,
    /// On dark paper.
    pub(super) dark: &'static str,
}

const fn ink(name: &'static str, light: &'static str, dark: &'static str) -> Ink {
    Ink { name, light, dark }
}

/// The paper.
pub(super) const PAPER: Ink = ink("paper", "#fdfcf9", "#1b1d20");
/// The brink of the paper.
pub(super) const BRINK: Ink = ink("brink", "#e7e2d8", "#34373c");
/// A cell.
pub(super) const TILE: Ink = ink("tile", "#f0ece3", "#2b2f34");
/// Every other cell, where pieces move.
pub(super) const SHADE: Ink = ink("shade", "#e4dece", "#383d43");
/// A board of lines.
pub(super) const WOOD: Ink = ink("wood", "#f3e8cf", "#37322a");
/// The lines of a board.
pub(super) const RULE: Ink = ink("rule", "#b4ac9d", "#5d6169");
/// What is there and hardly to be seen.
pub(super) const FAINT: Ink = ink("faint", "#ddd7ca", "#3d4147");
/// Text.
pub(super) const TEXT: Ink = ink("text", "#2b2926", "#ebe9e4");
/// Text that can be passed over.
pub(super) const QUIET: Ink = ink("quiet", "#736d62", "#a09d96");
/// What the last move changed.
pub(super) const FRESH: Ink = ink("fresh", "#f7dfa6", "#574a28");
/// The brink of that.
pub(super) const FRESH_EDGE: Ink = ink("fresh-edge", "#dba53a", "#c79a3c");
/// A seed.
pub(super) const SEED: Ink = ink("seed", "#a9743f", "#d9ae7c");
/// The brink of a seed.
pub(super) const SEED_EDGE: Ink = ink("seed-edge", "#7d5228", "#8f6b43");
/// A die.
pub(super) const DIE: Ink = ink("die", "#ffffff", "#e9e6df");
/// The brink of a die.
pub(super) const DIE_EDGE: Ink = ink("die-edge", "#c9c2b4", "#8b8882");
/// The pips of a die.
pub(super) const PIP: Ink = ink("pip", "#2b2926", "#232120");

/// The colours of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Colours {
    /// The piece.
    pub(super) body: Ink,
    /// Its brink.
    pub(super) edge: Ink,
    /// What stands on it.
    pub(super) mark: Ink,
}

impl Colours {
    /// Of lines on the paper: the part that is seen there.
    pub(super) fn stroke(self) -> Ink {
        if self == WHITE || self == BLACK || self == YELLOW { self.edge } else { self.body }
    }

    /// Are these black or white, which nobody takes for anything else?
    pub(super) fn are_plain(self) -> bool {
        self == BLACK || self == WHITE
    }
}

const fn colours(body: Ink, edge: Ink) -> Colours {
    Colours { body, edge, mark: ON }
}

/// What stands on a coloured piece.
const ON: Ink = ink("on", "#fffdf8", "#17181a");

const RED: Colours = colours(ink("red", "#c2473a", "#e67566"), ink("red-edge", "#97321f", "#bd5344"));
const BLUE: Colours = colours(ink("blue", "#2d6da8", "#72b0e6"), ink("blue-edge", "#1e4f7e", "#4a86ba"));
const GREEN: Colours = colours(ink("green", "#3b8a5c", "#77c696"), ink("green-edge", "#286444", "#4f9a6c"));
const PURPLE: Colours =
    colours(ink("purple", "#82569f", "#bd99d8"), ink("purple-edge", "#5f3c78", "#9370b0"));
const OCHRE: Colours = colours(ink("ochre", "#b07d12", "#dcb654"), ink("ochre-edge", "#835b08", "#ae8a32"));
const TEAL: Colours = colours(ink("teal", "#24858a", "#6fcaca"), ink("teal-edge", "#166064", "#459c9d"));
const ROSE: Colours = colours(ink("rose", "#b5517f", "#e592b6"), ink("rose-edge", "#883659", "#b9688b"));
const SLATE: Colours = colours(ink("slate", "#66707c", "#a4afbb"), ink("slate-edge", "#474f59", "#79838e"));
const ORANGE: Colours =
    colours(ink("orange", "#cf6f1e", "#eda25f"), ink("orange-edge", "#9c500f", "#bf783a"));
const YELLOW: Colours = Colours {
    body: ink("yellow", "#ecbf3f", "#f0cd62"),
    edge: ink("yellow-edge", "#bb9120", "#bd9a38"),
    mark: ink("on-yellow", "#5a4307", "#4d3a08"),
};
const BLACK: Colours = Colours {
    body: ink("black", "#2c2a28", "#0d0e0f"),
    edge: ink("black-edge", "#151412", "#868b92"),
    mark: ink("on-black", "#fdfcf9", "#ebe9e4"),
};
const WHITE: Colours = Colours {
    body: ink("white", "#ffffff", "#f1eee7"),
    edge: ink("white-edge", "#8c8577", "#c4bfb4"),
    mark: ink("on-white", "#2c2a28", "#2c2a28"),
};

/// The colours of seats, in order; then they begin again.
const SEATS: [Colours; 8] = [RED, BLUE, GREEN, OCHRE, PURPLE, TEAL, ROSE, SLATE];

/// Names that are colours.
const NAMED: [(&str, Colours); 12] = [
    ("red", RED),
    ("blue", BLUE),
    ("green", GREEN),
    ("purple", PURPLE),
    ("magenta", ROSE),
    ("pink", ROSE),
    ("cyan", TEAL),
    ("orange", ORANGE),
    ("yellow", YELLOW),
    ("black", BLACK),
    ("white", WHITE),
    ("grey", SLATE),
];

/// The ink of what is called by a colour.
pub(super) fn called(name: &str) -> Option<Ink> {
    named(name).map(Colours::stroke)
}

fn named(name: &str) -> Option<Colours> {
    NAMED.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, colours)| *colours)
}

/// The colours of a seat, by the names of all: a seat that is called by a colour has it, the others
/// those that are left.
pub(super) fn seat(seat: usize, names: &[String]) -> Colours {
    let own: Vec<Option<Colours>> = names.iter().map(|name| named(name)).collect();
    if let Some(Some(colours)) = own.get(seat) {
        return *colours;
    }
    let free: Vec<Colours> = SEATS.into_iter().filter(|colours| !own.contains(&Some(*colours))).collect();
    let number = own.iter().take(seat).filter(|colours| colours.is_none()).count();
    free.get(number % free.len().max(1)).copied().unwrap_or(SLATE)
}

/// The colours of a kind of piece that is nobody's own.
pub(super) fn piece(number: usize) -> Colours {
    const PENCIL: Colours = Colours { body: TEXT, edge: TEXT, mark: PAPER };
    [PENCIL, RED, BLUE, GREEN, OCHRE, PURPLE][number % 6]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_have_colours_of_their_own() {
        let sets: [&[&str]; 4] = [&["X", "O"], &["red", "yellow"], &["white", "Red", "x"], &["a"; 8]];
        for names in sets {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            let all: Vec<Colours> = (0..names.len()).map(|at| seat(at, &names)).collect();
            for (at, colours) in all.iter().enumerate() {
                assert!(!all[..at].contains(colours), "{names:?}, seat {at}");
            }
        }
        assert_eq!(seat(1, &["x".into(), "Blue".into()]), BLUE);
    }

    #[test]
    fn more_seats_than_colours_begin_again() {
        let names = vec!["a".to_owned(); 16];
        assert_eq!(seat(8, &names), seat(0, &names));
    }
}
