//! The names that every game has, the keys of a match, and words with a meaning in one place only.

/// Makes the enum of built-in names and its table. A row is the variant, the name, the type, and the help.
macro_rules! names {
    ($($variant:ident $name:literal $ty:literal $help:literal)*) => {
        /// A name that every game has. It can't be declared.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum BuiltInName {
            $(#[doc = $help] $variant,)*
        }

        impl BuiltInName {
            /// All built-in names.
            pub const ALL: &'static [BuiltInName] = &[$(BuiltInName::$variant),*];

            /// The word.
            pub fn name(self) -> &'static str {
                match self { $(BuiltInName::$variant => $name,)* }
            }

            /// Its type as in a declaration.
            pub fn ty(self) -> &'static str {
                match self { $(BuiltInName::$variant => $ty,)* }
            }

            /// A sentence that describes it.
            pub fn help(self) -> &'static str {
                match self { $(BuiltInName::$variant => $help,)* }
            }

            /// Returns `true` if the rules can give the word a meaning of their own.
            pub fn can_be_declared(self) -> bool {
                self == BuiltInName::Team
            }

            /// Returns the built-in name with this spelling.
            pub fn named(name: &str) -> Option<BuiltInName> {
                match name { $($name => Some(BuiltInName::$variant),)* _ => None }
            }
        }
    };
}

names! {
    Me "me" "player" "The acting player; in a score, its player; in an end, the player who moved."
    Other "other" "player" "The other of two players."
    Mover "mover" "player" "The player whose turn it is."
    Starter "starter" "player" "The player who began the game."
    Turns "turns" "[player] int" "The turns that a player has finished."
    Round "round" "int" "The number of the round."
    GameNumber "game_number" "int" "The number of the game in a match."
    Total "total" "[player] int" "The points so far in a match."
    Score "score" "int" "The points of the acting player at this moment."
    Payoff "payoff" "int" "What the game would return to the acting player at this moment."
    Player "player" "set of player" "All players."
    Players "players" "set of player" "All players."
    Playing "playing" "set of player" "The players who still have turns. The rules may change it."
    Team "team" "set of team" "All teams. The rules may use the word as a name of their own."
    Direction "direction" "set of direction" "All directions of the boards."
    Empty "empty" "set of sites" "The sites without a piece."
    Edge "edge" "set of sites" "The outermost sites."
    Corners "corners" "set of sites" "The four sites at the corners."
    Cells "cells" "set of sites" "All sites of the board."
    Some "some" "" "After `is`: is there an element?"
    Nothing "nothing" "" "After `is`: is there no element?"
}

/// The keys of a `match`.
pub const MATCH_KEYS: [&str; 7] = ["games", "until", "total", "floor", "starter", "on_draw", "record"];

/// The words after `shown as` that are neither colours nor pictures, each with a sentence that describes it.
pub const LOOK_FORMS: [(&str, &str); 13] = [
    ("area", "Sites beside each other become one shape with an outline."),
    ("boxes", "A number from 0 on is a row of boxes, some of them crossed."),
    ("chain", "Each tile of a zone is joined to another by a number that they share."),
    ("column", "The cards of a zone overlap downwards, the newest in front."),
    ("line", "A line through sites beside each other. For links, `line(table)`: with this number of parts."),
    ("nothing", "It is never drawn."),
    (
        "number",
        "A number that is computed stands beside a zone. The numbers of a table are printed in the cells.",
    ),
    ("paper", "A board is squared paper, on which one writes with a pencil."),
    ("pile", "Of a zone, only the top is seen, with a number."),
    ("row", "The cards of a zone lie open side by side, the oldest at the left."),
    ("tile", "A record is a tile: these fields are its north, east, south and west side, and its middle."),
    ("track", "A number is a marker on a track with this number of holes."),
    ("triangles", "A track for each of two players is the board of backgammon."),
];

/// Returns what a word after `shown as` means.
pub fn look_help(word: &str) -> &'static str {
    let form = LOOK_FORMS.iter().find(|(name, _)| *name == word);
    form.map_or_else(|| WordKind::Look.help(), |(_, help)| *help)
}

/// Words that have a meaning in one place only. Elsewhere they can be names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WordKind {
    /// `north`, `forward`
    Direction,
    /// `four`, `eight`
    Sides,
    /// `across`, `down`, `diagonal`
    Line,
    /// `letters`, `numbers`
    Notation,
    /// The name of an argument: `along`, `of`, `wrap`, `names`.
    Argument,
    /// `bool`, `int`, `table`
    Type,
    /// A colour, a picture, or a form such as `boxes`.
    Look,
    /// A key of a match.
    MatchKey,
    /// A value of a key of a match.
    MatchValue,
    /// The kind of what `without` removes, or `pass`.
    Part,
}

impl WordKind {
    /// The words of a kind that has only a few, and the same ones in every game.
    pub fn words(self) -> &'static [&'static str] {
        match self {
            WordKind::Direction => &[
                "north",
                "northeast",
                "east",
                "southeast",
                "south",
                "southwest",
                "west",
                "northwest",
                "forward",
                "back",
            ],
            WordKind::Sides => &["four", "eight"],
            WordKind::Line => &["across", "down", "diagonal"],
            WordKind::Notation => &["letters", "numbers"],
            WordKind::Argument => &["along", "diagonal", "names", "of", "through", "without", "wrap"],
            WordKind::Type => &["bool", "int", "table"],
            WordKind::MatchKey => &MATCH_KEYS,
            WordKind::Look | WordKind::MatchValue | WordKind::Part => &[],
        }
    }

    /// What such a word is.
    pub fn help(self) -> &'static str {
        match self {
            WordKind::Direction => "A direction of the board.",
            WordKind::Sides => {
                "How sites are connected: `four` across sides, `eight` across corners as well."
            }
            WordKind::Line => "A kind of line: rows (`across`), columns (`down`), diagonals (`diagonal`).",
            WordKind::Notation => "How the sites are named: `letters` as in @c4, `numbers` as in @3:4.",
            WordKind::Argument => "The name of an argument.",
            WordKind::Type => {
                "A type: truth values (`bool`), any numbers (`int`), a table of points (`table`)."
            }
            WordKind::Look => "How something is shown: a colour, a picture or a form.",
            WordKind::MatchKey => "A rule of the match.",
            WordKind::MatchValue => "A value of a rule of the match.",
            WordKind::Part => "A part of the rules.",
        }
    }
}
