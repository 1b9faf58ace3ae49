//! Display options in rule files: `shown as "W" in grey` for pieces, players and elements, `shown as boxes` for
//! variables, `shown as chain` for zones.

use super::SlotId;

/// A named colour.
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
    /// All names. If a colour has two, lists show the first.
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

    /// Returns the colour called `name`, ignoring case: `red`, `Grey`.
    pub fn named(name: &str) -> Option<Colour> {
        Colour::NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, colour)| *colour)
    }

    /// Returns the colour that a name contains as a word: `green`, `red_ant`, `peg[blue]`. Returns
    /// `None` if its words name several colours.
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

/// The declared display options of a kind of piece, a player or an element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Its colour.
    pub colour: Option<Colour>,
    /// Its character, in text drawings too.
    pub letter: Option<char>,
}

/// A player as drawings show it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeatLook {
    /// The player's name.
    pub name: String,
    /// The colour that the rules give, or the one in the name; the letter that the rules give.
    pub look: Look,
}

/// How drawings show the values of a slot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum DisplayForm {
    /// In the default way.
    #[default]
    Plainly,
    /// For pieces: the look of each kind, in the order of the indices that follow the board's.
    Pieces(Vec<Look>),
    /// For a number: a row of boxes, of which the value gives the number of crossed ones.
    Boxes,
    /// For a zone: tiles of two numbers, each joined to another by a shared number. The variable counts the open
    /// ends of each number.
    Chain(Option<SlotId>),
    /// For dice: the names of the faces.
    Faces(Vec<String>),
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
