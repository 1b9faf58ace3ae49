//! The colours of the paper, the print and the seats, each for light and dark themes. Seat colours can be told
//! apart with red-green colour blindness, and pieces have marks as well.

use houserule_model::{Colour, Seat, SeatLook};

/// A colour for a purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ink {
    /// The name of its purpose.
    pub(crate) name: &'static str,
    /// On light paper.
    pub(crate) light: &'static str,
    /// On dark paper.
    pub(crate) dark: &'static str,
}

const fn ink(name: &'static str, light: &'static str, dark: &'static str) -> Ink {
    Ink { name, light, dark }
}

impl Ink {
    /// Returns the colour in which a printer draws it. Grounds are white, so that a pencil is seen on them, and lines
    /// are dark enough for a printer without colours.
    pub(super) fn printed(self) -> &'static str {
        match self {
            PAPER | TILE | WOOD | FRESH | DIE => "#ffffff",
            SHADE => "#e3e3e3",
            RULE | DIE_EDGE => "#555555",
            FAINT => "#999999",
            TEXT | PIP => "#000000",
            QUIET => "#444444",
            other => other.light,
        }
    }
}

/// The paper.
pub const PAPER: Ink = ink("paper", "#fdfcf9", "#1b1d20");
/// The edge of the paper.
pub const BRINK: Ink = ink("brink", "#e7e2d8", "#34373c");
/// A cell.
pub const TILE: Ink = ink("tile", "#f0ece3", "#2b2f34");
/// Every other cell, on boards where pieces move.
pub const SHADE: Ink = ink("shade", "#e4dece", "#383d43");
/// A board of lines.
pub const WOOD: Ink = ink("wood", "#f3e8cf", "#37322a");
/// The lines of a board.
pub const RULE: Ink = ink("rule", "#b4ac9d", "#5d6169");
/// Unobtrusive details.
pub const FAINT: Ink = ink("faint", "#ddd7ca", "#3d4147");
/// Text.
pub const TEXT: Ink = ink("text", "#2b2926", "#ebe9e4");
/// Secondary text.
pub const QUIET: Ink = ink("quiet", "#736d62", "#a09d96");
/// Highlights the last move.
pub const FRESH: Ink = ink("fresh", "#f7dfa6", "#574a28");
/// The edge of that highlight.
pub const FRESH_EDGE: Ink = ink("fresh-edge", "#dba53a", "#c79a3c");
/// A seed.
pub const SEED: Ink = ink("seed", "#a9743f", "#d9ae7c");
/// The edge of a seed.
pub const SEED_EDGE: Ink = ink("seed-edge", "#7d5228", "#8f6b43");
/// A die.
pub const DIE: Ink = ink("die", "#fefefe", "#e9e6df");
/// The edge of a die.
pub const DIE_EDGE: Ink = ink("die-edge", "#c9c2b4", "#8b8882");
/// The pips of a die.
pub const PIP: Ink = ink("pip", "#2b2925", "#232120");

/// Minimum contrast of a piece with its background: the WCAG 2.1 requirement for graphical objects.
const LEAST_CONTRAST: f64 = 3.0;

/// Returns the contrast ratio of two colours, from 1 to 21, as defined by WCAG 2.1.
fn contrast(one: &str, other: &str) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// Returns the relative luminance of a colour such as `#c2473a`.
fn luminance(colour: &str) -> f64 {
    let channel = |at: usize| {
        let value =
            colour.get(at..at + 2).and_then(|digits| u8::from_str_radix(digits, 16).ok()).unwrap_or(0);
        let value = f64::from(value) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

/// The colours of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colours {
    /// The piece.
    pub(crate) body: Ink,
    /// Its outline.
    pub(crate) edge: Ink,
    /// The mark on it.
    pub(crate) mark: Ink,
}

impl Colours {
    /// Returns the colour for lines on paper: the body if it has enough contrast, else the outline.
    pub fn stroke(self) -> Ink {
        let seen = |body: &str, paper: &str| contrast(body, paper) >= LEAST_CONTRAST;
        let everywhere = seen(self.body.light, PAPER.light) && seen(self.body.dark, PAPER.dark);
        if everywhere { self.body } else { self.edge }
    }

    /// Returns `true` for black and white, which need no mark to be told apart.
    pub(super) fn are_plain(self) -> bool {
        self == BLACK || self == WHITE
    }
}

/// Makes the colours of a piece: a name, the body and its edge in both themes, and the mark.
macro_rules! colours {
    ($name:literal, $body:literal $body_dark:literal, $edge:literal $edge_dark:literal, $mark:expr) => {
        Colours {
            body: ink($name, $body, $body_dark),
            edge: ink(concat!($name, "-edge"), $edge, $edge_dark),
            mark: $mark,
        }
    };
}

/// Marks on a coloured piece.
const ON: Ink = ink("on", "#fdfdfd", "#17181a");
/// Marks on a piece of a bright colour.
const ON_BRIGHT: Ink = ink("on-bright", "#33302a", "#33302b");
/// Marks on a piece that is dark in both themes.
const ON_DARK: Ink = ink("on-dark", "#fcfcfc", "#ebe9e4");
/// Marks on a white piece.
const ON_WHITE: Ink = ink("on-white", "#2c2a27", "#2c2a26");

const RED: Colours = colours!("red", "#c2473a" "#e67566", "#97321f" "#bd5344", ON);
const BLUE: Colours = colours!("blue", "#2d6da8" "#72b0e6", "#1e4f7e" "#4a86ba", ON);
const GREEN: Colours = colours!("green", "#3b8a5c" "#77c696", "#286444" "#4f9a6c", ON);
const PURPLE: Colours = colours!("purple", "#82569f" "#bd99d8", "#5f3c78" "#9370b0", ON);
const OCHRE: Colours = colours!("ochre", "#b07d12" "#dcb654", "#835b08" "#ae8a32", ON);
const TEAL: Colours = colours!("teal", "#24858a" "#6fcaca", "#166064" "#459c9d", ON);
const ROSE: Colours = colours!("rose", "#b5517f" "#e592b6", "#883659" "#b9688b", ON);
const SLATE: Colours = colours!("slate", "#66707c" "#a4afbb", "#474f59" "#79838e", ON);
const ORANGE: Colours = colours!("orange", "#cf6f1e" "#eda25f", "#9c500f" "#bf783a", ON);
const YELLOW: Colours = colours!("yellow", "#f2cf3c" "#f3d757", "#8f7214" "#b89a2f", ON_BRIGHT);
const GOLD: Colours = colours!("gold", "#d9a722" "#dfb648", "#7d5d0c" "#a98428", ON_BRIGHT);
const LIME: Colours = colours!("lime", "#a5cf3d" "#b4dc57", "#5d7a14" "#86ab36", ON_BRIGHT);
const CYAN: Colours = colours!("cyan", "#4fc6de" "#63d3ea", "#1a7689" "#3a9cb2", ON_BRIGHT);
const NAVY: Colours = colours!("navy", "#27376f" "#3a4f9c", "#18244d" "#93a5e8", ON_DARK);
const MAGENTA: Colours = colours!("magenta", "#b3329c" "#e27fd0", "#832273" "#b555a3", ON);
const PINK: Colours = colours!("pink", "#eda0b9" "#f0aec4", "#a3496a" "#c07591", ON_BRIGHT);
const BROWN: Colours = colours!("brown", "#7d5230" "#8a5c38", "#57371d" "#cf9d74", ON_DARK);
const SILVER: Colours = colours!("silver", "#c3c8ce" "#c9ced4", "#6a727b" "#8d959e", ON_BRIGHT);
const BLACK: Colours = colours!("black", "#2c2a28" "#0d0e0f", "#151412" "#868b92", ON_DARK);
const WHITE: Colours = colours!("white", "#ffffff" "#f1eee7", "#7d7669" "#c4bfb4", ON_WHITE);

/// A card or tile without a colour.
pub const CARD: Colours = Colours { body: DIE, edge: DIE_EDGE, mark: PIP };

/// The back of a card.
pub const BACK: Colours = Colours { body: SHADE, edge: RULE, mark: QUIET };

/// The colours of seats, in order. After the last they repeat.
const SEATS: [Colours; 8] = [RED, BLUE, GREEN, OCHRE, PURPLE, TEAL, ROSE, SLATE];

/// The colours of pieces without owner and colour name, in order.
const PIECES: [Colours; 6] =
    [Colours { body: TEXT, edge: TEXT, mark: PAPER }, RED, BLUE, GREEN, OCHRE, PURPLE];

/// Returns a colour for words on a card, which is light in both themes.
pub(super) const fn on_card(colour: Colour) -> Ink {
    const fn print(name: &'static str, shade: &'static str) -> Ink {
        ink(name, shade, shade)
    }
    match colour {
        Colour::Red => print("red-print", "#b8322a"),
        Colour::Orange => print("orange-print", "#b4560f"),
        Colour::Yellow => print("yellow-print", "#8a6a00"),
        Colour::Gold => print("gold-print", "#8f6508"),
        Colour::Lime => print("lime-print", "#55780f"),
        Colour::Green => print("green-print", "#2b7a48"),
        Colour::Teal => print("teal-print", "#12696e"),
        Colour::Cyan => print("cyan-print", "#0f6f8a"),
        Colour::Blue => print("blue-print", "#245f9e"),
        Colour::Navy => print("navy-print", "#202f63"),
        Colour::Purple => print("purple-print", "#734a90"),
        Colour::Magenta => print("magenta-print", "#9a2386"),
        Colour::Pink => print("pink-print", "#b23a68"),
        Colour::Brown => print("brown-print", "#6d4526"),
        Colour::Black => PIP,
        Colour::White => print("white-print", "#6f695e"),
        Colour::Grey => print("grey-print", "#565f6a"),
        Colour::Silver => print("silver-print", "#5f6870"),
    }
}

/// Returns every ink, those with the same light colour once: they have the same dark one.
pub(super) fn all() -> Vec<Ink> {
    let mut all = listed();
    all.sort_by_key(|ink| ink.light);
    all.dedup_by_key(|ink| ink.light);
    all
}

fn listed() -> Vec<Ink> {
    let mut all = vec![PAPER, BRINK, TILE, SHADE, WOOD, RULE, FAINT, TEXT, QUIET, FRESH, FRESH_EDGE];
    all.extend([SEED, SEED_EDGE, DIE, DIE_EDGE, PIP]);
    all.extend(Colour::NAMES.map(|(_, colour)| on_card(colour)));
    let colours =
        Colour::NAMES.map(|(_, colour)| piece_colours(colour)).into_iter().chain(SEATS).chain(PIECES);
    all.extend(colours.flat_map(|colours| [colours.body, colours.edge, colours.mark]));
    all
}

/// Returns the piece colours of a named colour.
pub fn piece_colours(colour: Colour) -> Colours {
    match colour {
        Colour::Red => RED,
        Colour::Orange => ORANGE,
        Colour::Yellow => YELLOW,
        Colour::Gold => GOLD,
        Colour::Lime => LIME,
        Colour::Green => GREEN,
        Colour::Teal => TEAL,
        Colour::Cyan => CYAN,
        Colour::Blue => BLUE,
        Colour::Navy => NAVY,
        Colour::Purple => PURPLE,
        Colour::Magenta => MAGENTA,
        Colour::Pink => PINK,
        Colour::Brown => BROWN,
        Colour::Black => BLACK,
        Colour::White => WHITE,
        Colour::Grey => SLATE,
        Colour::Silver => SILVER,
    }
}

/// Returns the colour of a set of sites that the rules show, which is drawn palely.
pub(super) fn ground(colour: Option<Colour>) -> Ink {
    match colour {
        None => QUIET,
        // White isn't seen on a light board.
        Some(Colour::White) => WHITE.edge,
        Some(colour) => piece_colours(colour).body,
    }
}

/// Returns the colour of something named after a colour.
pub(super) fn called(name: &str) -> Option<Ink> {
    Colour::named(name).map(|colour| piece_colours(colour).stroke())
}

/// Returns the colours of a seat: the one in the rules, or one of those that no other seat has, in order.
pub fn seat(seat: Seat, seats: &[SeatLook]) -> Colours {
    let own: Vec<Option<Colours>> = seats.iter().map(|seat| seat.look.colour.map(piece_colours)).collect();
    if let Some(Some(colours)) = own.get(seat.index()) {
        return *colours;
    }
    let free: Vec<Colours> = SEATS.into_iter().filter(|colours| !own.contains(&Some(*colours))).collect();
    let number = own.iter().take(seat.index()).filter(|colours| colours.is_none()).count();
    free.get(number % free.len().max(1)).copied().unwrap_or(SLATE)
}

/// Returns the colours of a kind of piece without owner, given its index among those without a colour. `taken`
/// are the colours of the other pieces.
pub fn piece(number: usize, taken: &[Colours]) -> Colours {
    let free: Vec<Colours> = PIECES.into_iter().filter(|colours| !taken.contains(colours)).collect();
    free.get(number % free.len().max(1)).copied().unwrap_or(SLATE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_model::Look;

    fn seats(names: &[&str]) -> Vec<SeatLook> {
        let seat = |name: &&str| SeatLook {
            name: (*name).to_owned(),
            look: Look { colour: Colour::in_name(name), letter: None },
        };
        names.iter().map(seat).collect()
    }

    #[test]
    fn seats_have_colours_of_their_own() {
        let sets: [&[&str]; 4] = [&["X", "O"], &["red", "yellow"], &["white", "Red", "x"], &["a"; 8]];
        for names in sets {
            let looks = seats(names);
            let all: Vec<Colours> = (0..looks.len() as u32).map(|at| seat(Seat(at), &looks)).collect();
            for (at, colours) in all.iter().enumerate() {
                assert!(!all[..at].contains(colours), "{names:?}, seat {at}");
            }
        }
        assert_eq!(seat(Seat(1), &seats(&["x", "Blue"])), BLUE);
    }

    #[test]
    fn pieces_are_seen_on_every_ground_and_their_marks_on_them() {
        let grounds = [PAPER, TILE, SHADE, WOOD];
        for (name, colour) in Colour::NAMES {
            let colours = piece_colours(colour);
            for (light, side) in [(true, "light"), (false, "dark")] {
                let shade = |ink: Ink| if light { ink.light } else { ink.dark };
                for ground in grounds {
                    let [body, edge] =
                        [colours.body, colours.edge].map(|ink| contrast(shade(ink), shade(ground)));
                    assert!(
                        body.max(edge) >= LEAST_CONTRAST,
                        "{name} on {}, {side}: {body:.2} {edge:.2}",
                        ground.name
                    );
                }
                let mark = contrast(shade(colours.mark), shade(colours.body));
                assert!(mark >= LEAST_CONTRAST, "the mark on {name}, {side}: {mark:.2}");
                let word = contrast(shade(on_card(colour)), shade(DIE));
                assert!(word >= LEAST_CONTRAST, "{name} on a card, {side}: {word:.2}");
            }
        }
    }

    #[test]
    fn a_light_colour_has_one_dark_side() {
        let all = listed();
        for (at, ink) in all.iter().enumerate() {
            for other in &all[..at] {
                assert!(
                    ink.light != other.light || ink.dark == other.dark,
                    "{} and {}",
                    ink.name,
                    other.name
                );
            }
        }
    }

    #[test]
    fn more_seats_than_colours_begin_again() {
        let looks = seats(&["a"; 16]);
        assert_eq!(seat(Seat(8), &looks), seat(Seat(0), &looks));
    }
}
