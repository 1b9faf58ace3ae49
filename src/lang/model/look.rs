//! How a rule file says that pieces and variables are to be shown: `shown as grey "W"`, `shown as boxes`.

/// A colour by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Colour {
    /// `red`
    Red,
    /// `orange`
    Orange,
    /// `yellow`
    Yellow,
    /// `gold`
    Gold,
    /// `lime`
    Lime,
    /// `green`
    Green,
    /// `teal`
    Teal,
    /// `cyan`
    Cyan,
    /// `blue`
    Blue,
    /// `navy`
    Navy,
    /// `purple`, `violet`
    Purple,
    /// `magenta`
    Magenta,
    /// `pink`
    Pink,
    /// `brown`
    Brown,
    /// `black`
    Black,
    /// `white`
    White,
    /// `grey`, `gray`
    Grey,
    /// `silver`
    Silver,
}

impl Colour {
    /// All names. The first name of a colour is the one that lists show.
    pub const NAMES: [(&'static str, Colour); 20] = [
        ("red", Colour::Red),
        ("orange", Colour::Orange),
        ("yellow", Colour::Yellow),
        ("gold", Colour::Gold),
        ("lime", Colour::Lime),
        ("green", Colour::Green),
        ("teal", Colour::Teal),
        ("cyan", Colour::Cyan),
        ("blue", Colour::Blue),
        ("navy", Colour::Navy),
        ("purple", Colour::Purple),
        ("violet", Colour::Purple),
        ("magenta", Colour::Magenta),
        ("pink", Colour::Pink),
        ("brown", Colour::Brown),
        ("black", Colour::Black),
        ("white", Colour::White),
        ("grey", Colour::Grey),
        ("gray", Colour::Grey),
        ("silver", Colour::Silver),
    ];

    /// The colour of a name, in any case: `red`, `Grey`.
    pub fn named(name: &str) -> Option<Colour> {
        Colour::NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, colour)| *colour)
    }

    /// The colour that a name consists of or has as one of its words: `green`, `red_ant`, `peg[blue]`.
    /// Returns `None` if its words name several colours.
    pub fn in_name(name: &str) -> Option<Colour> {
        let words = name.split(|c: char| !c.is_alphanumeric());
        let mut colours = words.filter_map(Colour::named);
        let first = colours.next()?;
        colours.all(|other| other == first).then_some(first)
    }

    /// The name of the colour.
    pub fn name(self) -> &'static str {
        Colour::NAMES.iter().find(|(_, colour)| *colour == self).map_or("", |(name, _)| name)
    }
}

/// How a kind of piece is shown, as far as its declaration says so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Its colour.
    pub colour: Option<Colour>,
    /// The character that stands for it, in drawings as text too.
    pub letter: Option<char>,
}

/// How the values of a slot are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Shown {
    /// As usual.
    #[default]
    Plainly,
    /// Pieces: a look for each of their kinds, in the order of the indices that follow the board's.
    Pieces(Vec<Look>),
    /// A number: as boxes in a row, of which as many are crossed as the number says.
    Boxes,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_colours() {
        for (name, colour) in [
            ("red", Some(Colour::Red)),
            ("Gray", Some(Colour::Grey)),
            ("red_ant", Some(Colour::Red)),
            ("peg[blue]", Some(Colour::Blue)),
            ("peg[blue, red]", None),
            ("black[black]", Some(Colour::Black)),
            ("blackbird", None),
            ("dot", None),
        ] {
            assert_eq!(Colour::in_name(name), colour, "{name}");
        }
        assert_eq!(Colour::Grey.name(), "grey");
    }
}
