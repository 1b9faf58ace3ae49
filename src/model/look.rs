//! Display options in rule files: `shown as "W" in grey` for pieces, players and elements, `shown as boxes` for
//! variables, `shown as chain` for zones, `shown at …` for the places of boards and counters.

use super::{BoardId, CheckedExpr, DomainId, Icon, SlotId};

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
    /// Its picture.
    pub picture: Option<Icon>,
    /// What is drawn at its sites.
    pub form: LookForm,
}

impl Look {
    /// Returns this look with what `later` says about it.
    pub fn with(self, later: Look) -> Look {
        // A form, a picture or a letter is drawn in the place of another.
        let is_drawn = later.letter.is_some() || later.picture.is_some() || later.form != LookForm::Token;
        Look {
            colour: later.colour.or(self.colour),
            letter: later.letter.or(self.letter),
            picture: if is_drawn { later.picture } else { self.picture },
            form: if is_drawn { later.form } else { self.form },
        }
    }
}

/// What is drawn at the sites of a kind of piece, or of a set of sites.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LookForm {
    /// A piece on each, or a fill of each.
    #[default]
    Token,
    /// One shape for sites beside each other: `area`.
    Area,
    /// A line through sites beside each other: `line`.
    Line,
    /// Nothing: `nothing`.
    Nothing,
}

/// A place on the page, in squares: to the right and up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SquarePlace {
    /// To the right.
    pub x: i64,
    /// Up.
    pub y: i64,
}

/// How drawings show a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardLook {
    /// Its form.
    pub form: BoardForm,
    /// The place of each site. Empty if drawings choose.
    pub places: Vec<SquarePlace>,
    /// The coarser board that it lies on.
    pub over: Option<BoardId>,
    /// For links between sites, how they are drawn.
    pub links: Option<LinkLook>,
}

/// The form of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BoardForm {
    /// As its topology says.
    #[default]
    Plain,
    /// The triangles of backgammon, with a bar.
    Triangles,
    /// Squared paper.
    Paper,
    /// Not at all.
    Nothing,
}

/// How links between sites are drawn: `shown as line(length) in paid_in`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkLook {
    /// The number of parts of each link. Empty if links are whole.
    pub parts: Vec<u32>,
    /// The colour of each link. Empty if links have none.
    pub colours: Vec<Option<Colour>>,
}

/// How drawings show the records of a domain as tiles: `shown as tile(n, e, s, w, mid)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileLook {
    /// The domain.
    pub domain: DomainId,
    /// The indices of the fields that are the north, east, south and west side, and of the one in the middle, if any.
    pub fields: Vec<usize>,
}

/// A define whose number drawings show: `define tally = … shown as number at row`.
#[derive(Clone, Debug)]
pub struct ShownCount {
    /// The name of the define.
    pub name: String,
    /// The zone beside which the number stands. Without one, it is a fact of the table.
    pub zone: Option<SlotId>,
    /// The number, which all see.
    pub value: CheckedExpr,
}

/// How drawings show a number, or a set, of counters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CounterLook {
    /// The look of one counter.
    pub look: Look,
    /// Where the counters of each index stand. Empty if drawings choose.
    pub places: Vec<Option<SquarePlace>>,
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
    /// For a variable or a zone: never.
    Nothing,
    /// For a zone: open, side by side, the oldest at the left.
    Row,
    /// For a zone: each overlaps the one before it downwards.
    Column,
    /// For a zone: only the top, with a number.
    Pile,
    /// For a number: markers on a track with this number of places.
    Track(u32),
    /// For a set of crossings or sites: one shape where they are beside each other.
    Area,
    /// For a number: counters with this look.
    Counters(CounterLook),
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
