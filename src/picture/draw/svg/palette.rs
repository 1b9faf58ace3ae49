//! The colours of the paper, the table, the print and the seats, each for light and dark themes. Seat colours can be
//! told apart also by people who do not see red, green or blue, and pieces have marks as well.

use super::canvas::Theme;
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
    /// Returns the colour in a theme; the light one if the viewer decides.
    pub fn in_theme(self, theme: Theme) -> &'static str {
        match theme {
            Theme::Light | Theme::Auto => self.light,
            Theme::Dark => self.dark,
            Theme::Print => self.printed(),
        }
    }

    /// Returns the colour in which a printer draws it. Grounds are white, so that a pencil is seen on them, and lines
    /// are dark enough for a printer without colours.
    pub(super) fn printed(self) -> &'static str {
        match self {
            PAPER | TILE | WOOD | FRESH | FRESH_FACE | DIE | SHEET => "#ffffff",
            MAT | PLATE | CARD_BACK | BOARD_A => "#ffffff",
            LAND | MEADOW | ROAD => "#ffffff",
            TOWN => "#dcdcdc",
            TOWN_EDGE => "#000000",
            SHADE => "#e3e3e3",
            BOARD_B => "#d9d9d9",
            FAINT | MAT_EDGE | PLACE => "#999999",
            BACK_LINE => "#777777",
            GRID => "#bbbbbb",
            RULE | DIE_EDGE | BACK_EDGE | BOARD_EDGE | ROAD_EDGE => "#555555",
            QUIET => "#444444",
            TEXT | PIP | PENCIL | FRESH_EDGE | CAN | KNOWN => "#000000",
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
pub const QUIET: Ink = ink("quiet", "#625c52", "#b2afa8");
/// Highlights the last move.
pub const FRESH: Ink = ink("fresh", "#f7dfa6", "#4a3f21");
/// The edge of that highlight.
pub const FRESH_EDGE: Ink = ink("fresh-edge", "#a46c06", "#e8bb58");
/// Highlights the last move on something that is light in both themes: a card, a white piece.
pub const FRESH_FACE: Ink = ink("fresh-face", "#f7dfa7", "#efd083");
/// Marks what may be chosen.
pub const CAN: Ink = ink("can", "#12626b", "#6fd0d6");
/// Marks what the viewer knows in another's hand.
pub const KNOWN: Ink = ink("known", "#7a4d96", "#c8a4e2");
/// The cloth in the middle of the table.
pub const MAT: Ink = ink("mat", "#e9efe8", "#232a29");
/// The edge of the cloth.
pub const MAT_EDGE: Ink = ink("mat-edge", "#cdd8cc", "#3a4543");
/// The plate of a seat.
pub const PLATE: Ink = ink("plate", "#f5f2eb", "#26292e");
/// The back of a card.
pub const CARD_BACK: Ink = ink("back", "#5b7288", "#4a6076");
/// The lines on the back of a card.
pub const BACK_LINE: Ink = ink("back-line", "#c3d0db", "#8fa5b8");
/// The edge of the back of a card.
pub const BACK_EDGE: Ink = ink("back-edge", "#3f5366", "#7f96ab");
/// The outline of an empty place.
pub const PLACE: Ink = ink("place", "#a9b5a7", "#55625f");
/// Every other cell of a wooden board: the light ones.
pub const BOARD_A: Ink = ink("board-a", "#efe3cc", "#332e27");
/// Every other cell of a wooden board: the dark ones.
pub const BOARD_B: Ink = ink("board-b", "#c9a97c", "#534533");
/// The edge of a wooden board.
pub const BOARD_EDGE: Ink = ink("board-edge", "#8a6a41", "#9a7d55");
/// A sheet of paper on the table.
pub const SHEET: Ink = ink("sheet", "#fffefd", "#2b2f33");
/// The lines of squared paper.
pub const GRID: Ink = ink("grid", "#bcd3e3", "#35505f");
/// What is written and drawn with a pencil.
pub const PENCIL: Ink = ink("pencil", "#4a4d52", "#d5d3cd");
/// The ground of a map.
pub const LAND: Ink = ink("land", "#f1efe2", "#25292b");
/// Fields of a landscape.
pub const MEADOW: Ink = ink("meadow", "#b9d08b", "#4c6529");
/// The roads of a landscape.
pub const ROAD: Ink = ink("road", "#fbf7ea", "#e7dfc8");
/// The edge of roads, and of tiles.
pub const ROAD_EDGE: Ink = ink("road-edge", "#8f8263", "#2d2a22");
/// The towns of a landscape.
pub const TOWN: Ink = ink("town", "#c99a62", "#80582d");
/// The walls of towns.
pub const TOWN_EDGE: Ink = ink("town-edge", "#64400f", "#f7d9ae");
/// The shadow of a card, which is drawn palely.
pub const SHADOW: Ink = ink("shadow", "#000000", "#000000");
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
pub fn contrast(one: &str, other: &str) -> f64 {
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
        match everywhere {
            true => self.body,
            // The outline of gold is dark on dark paper, too.
            false if self.edge == GOLD.edge => GOLD_LINE,
            false => self.edge,
        }
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

/// Marks on a coloured piece, and words on the edge of a board.
pub(super) const ON: Ink = ink("on", "#fdfdfd", "#17181a");
/// Marks on a piece of a bright colour.
const ON_BRIGHT: Ink = ink("on-bright", "#33302a", "#33302b");
/// Marks on a piece that is dark in both themes.
const ON_DARK: Ink = ink("on-dark", "#fcfcfc", "#ebe9e4");
/// Marks on a white piece.
const ON_WHITE: Ink = ink("on-white", "#2c2a27", "#2c2a26");

const RED: Colours = colours!("red", "#c2473a" "#e67566", "#97321f" "#bd5344", ON);
const BLUE: Colours = colours!("blue", "#2d6da8" "#6bafeb", "#1e4f7e" "#4a86ba", ON);
const GREEN: Colours = colours!("green", "#338b53" "#77c696", "#286444" "#4f9a6c", ON);
const PURPLE: Colours = colours!("purple", "#5e2b8a" "#e0c8f5", "#3f1b61" "#a98fc4", ON);
const OCHRE: Colours = colours!("ochre", "#b07d12" "#dcb654", "#835b08" "#ae8a32", ON);
const TEAL: Colours = colours!("teal", "#24858a" "#6fcaca", "#166064" "#459c9d", ON);
const ROSE: Colours = colours!("rose", "#b5517f" "#e592b6", "#883659" "#b9688b", ON);
const SLATE: Colours = colours!("slate", "#66707c" "#acb6c1", "#474f59" "#79838e", ON);
const ORANGE: Colours = colours!("orange", "#cf6f1e" "#eda25f", "#9c500f" "#bf783a", ON);
const YELLOW: Colours = colours!("yellow", "#f2cf3c" "#f3d757", "#8f7214" "#b89a2f", ON_BRIGHT);
const GOLD: Colours = colours!("gold", "#d9a722" "#dfb648", "#6f5209" "#241b02", ON_BRIGHT);
/// Lines in gold on paper.
const GOLD_LINE: Ink = ink("gold-line", "#6f520a", "#dfb648");
const LIME: Colours = colours!("lime", "#a5cf3d" "#b4dc57", "#5d7a14" "#86ab36", ON_BRIGHT);
const CYAN: Colours = colours!("cyan", "#4fc6de" "#63d3ea", "#1a7689" "#3a9cb2", ON_BRIGHT);
const NAVY: Colours = colours!("navy", "#27376f" "#3a4f9c", "#18244d" "#93a5e8", ON_DARK);
const MAGENTA: Colours = colours!("magenta", "#b3329c" "#e27fd0", "#832273" "#b555a3", ON);
const PINK: Colours = colours!("pink", "#eda0b9" "#f0aec4", "#a3496a" "#c07591", ON_BRIGHT);
const BROWN: Colours = colours!("brown", "#7d5230" "#8a5c38", "#57371d" "#dcae87", ON_DARK);
const SILVER: Colours = colours!("silver", "#c3c8ce" "#c9ced4", "#6a727b" "#8d959e", ON_BRIGHT);
const BLACK: Colours = colours!("black", "#2c2a28" "#0d0e0f", "#151412" "#acb1b7", ON_DARK);
const WHITE: Colours = colours!("white", "#ffffff" "#f1eee7", "#5c564b" "#c4bfb4", ON_WHITE);

/// Marks on an orange card.
const ON_ORANGE: Ink = ink("on-orange", "#322f29", "#17181a");
/// A green card: darker than a green piece, so that small digits are legible.
const GREEN_CARD: Colours = colours!("green-card", "#337f53" "#77c696", "#286444" "#4f9a6c", ON);
/// A teal card.
const TEAL_CARD: Colours = colours!("teal-card", "#227f84" "#6fcaca", "#166064" "#459c9d", ON);
/// An orange card: lighter than an orange piece, with dark marks.
const ORANGE_CARD: Colours = colours!("orange-card", "#e08b3c" "#eda25f", "#8f4a0d" "#bf783a", ON_ORANGE);

/// A card or tile without a colour.
pub const CARD: Colours = Colours { body: DIE, edge: DIE_EDGE, mark: PIP };

/// What belongs to nobody on a sheet of paper.
pub const PENCILLED: Colours = Colours { body: PENCIL, edge: PENCIL, mark: SHEET };

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
        Colour::Orange => print("orange-print", "#a64b07"),
        Colour::Yellow => print("yellow-print", "#7d6000"),
        Colour::Gold => print("gold-print", "#875f08"),
        Colour::Lime => print("lime-print", "#4f700e"),
        Colour::Green => print("green-print", "#297444"),
        Colour::Teal => print("teal-print", "#12696e"),
        Colour::Cyan => print("cyan-print", "#0f6f8a"),
        Colour::Blue => print("blue-print", "#245f9e"),
        Colour::Navy => print("navy-print", "#202f63"),
        Colour::Purple => print("purple-print", "#734a90"),
        Colour::Magenta => print("magenta-print", "#9a2386"),
        Colour::Pink => print("pink-print", "#b23a68"),
        Colour::Brown => print("brown-print", "#6d4526"),
        Colour::Black => PIP,
        Colour::White => print("white-print", "#6c665c"),
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
    all.extend([SEED, SEED_EDGE, DIE, DIE_EDGE, PIP, FRESH_FACE, CAN, KNOWN, MAT, MAT_EDGE, PLATE]);
    all.extend([CARD_BACK, BACK_LINE, BACK_EDGE, PLACE, BOARD_A, BOARD_B, BOARD_EDGE, SHADOW]);
    all.extend([GOLD_LINE, SHEET, GRID, PENCIL, LAND, MEADOW, ROAD, ROAD_EDGE, TOWN, TOWN_EDGE]);
    all.extend(Colour::NAMES.map(|(_, colour)| on_card(colour)));
    let named =
        Colour::NAMES.into_iter().flat_map(|(_, colour)| [piece_colours(colour), card_colours(colour)]);
    let colours = named.chain(SEATS).chain(PIECES);
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

/// Returns the colours of a card that is filled with a named colour. Digits on it are legible.
pub(super) fn card_colours(colour: Colour) -> Colours {
    match colour {
        Colour::Green => GREEN_CARD,
        Colour::Teal => TEAL_CARD,
        Colour::Orange => ORANGE_CARD,
        other => piece_colours(other),
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

/// Returns the colours of a landscape in a named colour: its ground and its edge.
pub(super) fn land(colour: Colour) -> (Ink, Ink) {
    match colour {
        Colour::Lime | Colour::Green => (MEADOW, ROAD_EDGE),
        Colour::Brown => (TOWN, TOWN_EDGE),
        Colour::White => (ROAD, ROAD_EDGE),
        other => {
            let colours = piece_colours(other);
            (colours.body, colours.edge)
        }
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
            look: Look { colour: Colour::in_name(name), ..Look::default() },
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
        let grounds = [PAPER, SHEET, TILE, SHADE, WOOD, MAT, PLATE, BOARD_A];
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
                let line = contrast(shade(colours.stroke()), shade(PAPER));
                assert!(line >= LEAST_CONTRAST, "a line in {name}, {side}: {line:.2}");
                let mark = contrast(shade(colours.mark), shade(colours.body));
                assert!(mark >= LEAST_CONTRAST, "the mark on {name}, {side}: {mark:.2}");
                let word = contrast(shade(on_card(colour)), shade(DIE));
                assert!(word >= WORDS, "{name} on a card, {side}: {word:.2}");
                let card = card_colours(colour);
                let digit = contrast(shade(card.mark), shade(card.body));
                assert!(digit >= WORDS, "the index of a {name} card, {side}: {digit:.2}");
            }
        }
    }

    #[test]
    fn words_and_marks_are_seen_on_every_ground() {
        let grounds = [PAPER, SHEET, TILE, SHADE, WOOD, MAT, PLATE, BOARD_A];
        let marks = [FRESH_EDGE, CAN, KNOWN].map(|ink| (ink, LEAST_CONTRAST));
        let words = [TEXT, QUIET].map(|ink| (ink, WORDS));
        let on_grounds = marks.into_iter().chain(words);
        let on_cards = [(PIP, DIE), (PIP, FRESH_FACE)];
        let all = on_grounds
            .flat_map(|(ink, least)| grounds.map(|ground| (ink, ground, least)))
            .chain(on_cards.map(|(ink, ground)| (ink, ground, LEAST_CONTRAST)))
            .chain([(TEXT, BOARD_B, WORDS), (PENCIL, SHEET, WORDS), (PENCIL, TILE, WORDS)]);
        for (ink, ground, least) in all {
            for (one, other, side) in [(ink.light, ground.light, "light"), (ink.dark, ground.dark, "dark")] {
                let ratio = contrast(one, other);
                assert!(ratio >= least, "{} on {}, {side}: {ratio:.2}", ink.name, ground.name);
            }
        }
    }

    /// Minimum contrast of words with their ground: the WCAG 2.1 requirement.
    const WORDS: f64 = 4.5;

    /// How people see the linear red, green and blue of a screen: as they are; without red-sensitive cones; without
    /// green-sensitive ones; without blue-sensitive ones. From G. M. Machado, M. M. Oliveira and L. A. F. Fernandes, "A physiologically-based model for
    /// simulation of color vision deficiency", IEEE TVCG 15 (2009), severity 1.
    const SIGHTS: [(&str, [[f64; 3]; 3]); 4] = [
        ("normal", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        (
            "protan",
            [
                [0.152286, 1.052583, -0.204868],
                [0.114503, 0.786281, 0.099216],
                [-0.003882, -0.048116, 1.051998],
            ],
        ),
        (
            "deutan",
            [
                [0.367322, 0.860646, -0.227968],
                [0.280085, 0.672501, 0.047413],
                [-0.011820, 0.042940, 0.968881],
            ],
        ),
        (
            "tritan",
            [
                [1.255528, -0.076749, -0.178779],
                [-0.078411, 0.930809, 0.147602],
                [0.004733, 0.691367, 0.303900],
            ],
        ),
    ];

    /// Minimum distance of the colours of two seats.
    const SEATS_APART: f64 = 13.0;

    /// Returns a colour such as `#c2473a` in CIELAB, as people with a sight see it.
    fn lab(colour: &str, sight: [[f64; 3]; 3]) -> [f64; 3] {
        let linear = [1, 3, 5].map(|at| {
            let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        });
        let times = |row: [f64; 3]| row.iter().zip(linear).map(|(part, value)| part * value).sum::<f64>();
        let [red, green, blue] = sight.map(|row| times(row).clamp(0.0, 1.0));
        let x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047;
        let y = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
        let z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883;
        let [x, y, z] = [x, y, z].map(|t| if t > 0.008856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 });
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    /// Returns the distance of two colours: CIE76.
    fn distance(one: [f64; 3], other: [f64; 3]) -> f64 {
        one.iter().zip(other).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    }

    #[test]
    fn the_first_five_seats_are_apart_for_everybody() {
        for (name, sight) in SIGHTS {
            for (at, one) in SEATS[..5].iter().enumerate() {
                for other in &SEATS[..at] {
                    for (a, b) in [(one.body.light, other.body.light), (one.body.dark, other.body.dark)] {
                        let apart = distance(lab(a, sight), lab(b, sight));
                        assert!(apart >= SEATS_APART, "{a} and {b}, {name}: {apart:.1}");
                    }
                }
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
