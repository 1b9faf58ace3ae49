//! The functions of the language: their signatures, where they can be used, and a sentence about each.

use super::Place;

/// What an argument or a result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArgumentKind {
    /// A number.
    Number,
    /// A boolean.
    Truth,
    /// An element of any domain.
    Element,
    /// A set over any domain.
    Set,
    /// A set of numbers.
    Numbers,
    /// A site, or `none`.
    Site,
    /// A set of sites; a site is a set of one.
    Sites,
    /// A player.
    Player,
    /// A set of players.
    Players,
    /// Dice as a whole.
    Dice,
    /// The name of a board.
    Board,
    /// A table of points.
    Points,
    /// A direction.
    Direction,
    /// `four` or `eight`.
    Sides,
    /// `across`, `down`, `diagonal`, or some of them.
    Lines,
    /// Names of pieces, variables and boards.
    Names,
    /// `letters` or `numbers`.
    Notation,
    /// A text in quotes.
    Text,
    /// Several sets of sites, one after the other.
    Parts,
    /// A board without a name.
    Topology,
    /// The name of an ordered zone.
    Zone,
    /// A die.
    Die,
    /// A criterion of a ranking.
    Rank,
    /// The name of an option.
    Option,
}

impl ArgumentKind {
    /// Describes the kind in one or two words: `set of sites`.
    pub fn text(self) -> &'static str {
        use ArgumentKind as K;
        match self {
            K::Number => "number",
            K::Truth => "truth value",
            K::Element => "element",
            K::Set => "set",
            K::Numbers => "set of numbers",
            K::Site => "site",
            K::Sites => "set of sites",
            K::Player => "player",
            K::Players => "set of players",
            K::Dice => "dice",
            K::Board => "board's name",
            K::Points => "table of points",
            K::Direction => "direction",
            K::Sides => "four or eight",
            K::Lines => "across, down or diagonal",
            K::Names => "names",
            K::Notation => "letters or numbers",
            K::Text => "text",
            K::Parts => "sets of sites",
            K::Topology => "board",
            K::Zone => "ordered zone",
            K::Die => "die",
            K::Rank => "rank",
            K::Option => "option's name",
        }
    }
}

/// How an argument is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Given {
    /// It is required.
    Always,
    /// It can be left out.
    Optionally,
    /// It is written with its name, `along: down`, and can be left out.
    ByName,
    /// Any number of further arguments.
    Repeatedly,
}

/// A parameter of a function.
#[derive(Clone, Copy, Debug)]
pub struct FunctionParameter {
    /// Its name: a capital letter for a set.
    pub name: &'static str,
    /// What the argument must be.
    pub kind: ArgumentKind,
    given: Given,
    /// What messages write in its place. By default the name in small letters.
    written: Option<&'static str>,
}

impl FunctionParameter {
    const fn new(name: &'static str, kind: ArgumentKind) -> FunctionParameter {
        FunctionParameter { name, kind, given: Given::Always, written: None }
    }

    const fn optional(self) -> FunctionParameter {
        FunctionParameter { given: Given::Optionally, ..self }
    }

    const fn named(self) -> FunctionParameter {
        FunctionParameter { given: Given::ByName, ..self }
    }

    const fn repeated(self) -> FunctionParameter {
        FunctionParameter { given: Given::Repeatedly, ..self }
    }

    const fn written(self, written: &'static str) -> FunctionParameter {
        FunctionParameter { written: Some(written), ..self }
    }

    /// Returns `true` if the argument can be left out.
    pub fn is_optional(&self) -> bool {
        self.given != Given::Always
    }

    /// Returns `true` if the argument is written with its name.
    pub fn is_named(&self) -> bool {
        self.given == Given::ByName
    }
}

/// One way to call a function.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// The parameters in order. Those with a name come last.
    pub params: &'static [FunctionParameter],
    /// What the call is.
    pub result: ArgumentKind,
}

impl Form {
    /// The least and the greatest number of arguments without a name.
    pub fn arguments(&self) -> (usize, usize) {
        let least = self.params.iter().filter(|param| param.given == Given::Always).count();
        let most = match self.params.iter().any(|param| param.given == Given::Repeatedly) {
            true => usize::MAX,
            false => self.params.iter().filter(|param| !param.is_named()).count(),
        };
        (least, most)
    }

    /// The call as messages write it, without what can be left out: `reach(seed, s)`.
    pub fn written(&self, name: &str) -> String {
        let required = self.params.iter().filter(|param| !param.is_optional());
        let shown =
            required.map(|param| param.written.map_or_else(|| param.name.to_lowercase(), str::to_owned));
        format!("{name}({})", shown.collect::<Vec<_>>().join(", "))
    }

    /// The call with all parameters and the result:
    /// `reach(A: set of sites, S: set of sites, sides?: four or eight): set of sites`.
    pub fn signature(&self, name: &str) -> String {
        let param = |param: &FunctionParameter| {
            let mark = match param.given {
                Given::Always => "",
                Given::Optionally | Given::ByName => "?",
                Given::Repeatedly => "…",
            };
            format!("{}{mark}: {}", param.name, param.kind.text())
        };
        let params: Vec<String> = self.params.iter().map(param).collect();
        format!("{name}({}): {}", params.join(", "), self.result.text())
    }
}

const fn p(name: &'static str, kind: ArgumentKind) -> FunctionParameter {
    FunctionParameter::new(name, kind)
}

/// Makes the enum of functions and its table. A row is the variant, the name, the place, the forms with their
/// parameters and results (messages show the first), and the help.
macro_rules! functions {
    ($($function:ident $name:literal $place:ident [$([$($param:expr),*] => $result:ident),+] $help:literal)*) => {
        /// A function of the language.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Function {
            $(#[doc = $help] $function,)*
        }

        impl Function {
            /// All functions, in alphabetical order.
            pub const ALL: &'static [Function] = &[$(Function::$function),*];

            /// Its name.
            pub fn name(self) -> &'static str {
                match self { $(Function::$function => $name,)* }
            }

            /// The ways to call it.
            pub fn forms(self) -> &'static [Form] {
                match self {
                    $(Function::$function => const {
                        &[$(Form { params: &[$($param),*], result: ArgumentKind::$result }),+]
                    },)*
                }
            }

            /// The part of the rules where it can be used.
            pub fn place(self) -> Place {
                match self { $(Function::$function => Place::$place,)* }
            }

            /// A sentence that describes it.
            pub fn help(self) -> &'static str {
                match self { $(Function::$function => $help,)* }
            }
        }
    };
}

use ArgumentKind as K;

const SIDES: FunctionParameter = p("sides", K::Sides).optional();
const ALONG: FunctionParameter = p("along", K::Lines).named();
const BOARD: FunctionParameter = p("board", K::Board);
const THROUGH: FunctionParameter = p("through", K::Sites).named();
const WITHOUT: FunctionParameter = p("without", K::Sites).named();
const NAMES: FunctionParameter = p("names", K::Notation).named();
const WRAP: FunctionParameter = p("wrap", K::Truth).named();
const DIAGONAL: FunctionParameter = p("diagonal", K::Sites).named();
const TOWARD: FunctionParameter = p("d", K::Direction).written("north");

functions! {
    Above "above" Values [[p("t", K::Element)] => Set]
        "The elements that lie on an element in its ordered zone."
    Abs "abs" Values [[p("n", K::Number)] => Number]
        "The number without its sign."
    After "after" Values [[p("p", K::Player), p("S", K::Players).optional()] => Player]
        "The next player in seat order, or the next in a set."
    Around "around" Values [[p("S", K::Sites)] => Sites]
        "The neighbours on all eight sides."
    Before "before" Values [[p("p", K::Player), p("S", K::Players).optional()] => Player]
        "The previous player in seat order, or the previous in a set."
    Beside "beside" Values [[p("S", K::Sites)] => Sites]
        "The neighbours across a side."
    Bottom "bottom" Values [[p("pile", K::Zone)] => Element]
        "The lowest element of an ordered zone; none if chance decides it."
    Cell "cell" Values [
        [p("column", K::Number), p("row", K::Number)] => Site,
        [p("number", K::Number)] => Site
    ]
        "The site there; none off the board."
    Cells "cells" Values [[BOARD] => Sites, [p("e", K::Sites)] => Sites]
        "All sites of a board, or the cells beside a side."
    Center "center" Values [[p("width", K::Number), p("height", K::Number), BOARD.optional()] => Sites]
        "A block of sites in the middle."
    Column "column" Values [
        [p("n", K::Number), BOARD.optional()] => Sites,
        [p("c", K::Site)] => Number
    ]
        "All sites of a column, or the column of a site."
    Columns "columns" Values [[p("S", K::Sites)] => Numbers]
        "The numbers of the columns in which a set has sites."
    Component "component" Values [[p("c", K::Site), p("S", K::Sites), SIDES, THROUGH, WITHOUT] => Sites]
        "The connected part of a set that a site belongs to."
    Components "components" Loops [[p("S", K::Sites), SIDES] => Parts]
        "The connected parts of a set, in the order of their first sites."
    Connected "connected" Values [
        [p("S", K::Sites), p("A", K::Sites), p("B", K::Sites), SIDES, THROUGH, WITHOUT] => Truth
    ]
        "Does a set connect a site of A with a site of B?"
    Corners "corners" Values [[BOARD] => Sites]
        "The four sites at the corners."
    Count "count" Values [[p("S", K::Set)] => Number, [p("dice", K::Dice)] => Number]
        "The number of elements, or of dice."
    Crossing "crossing" Values [[p("e", K::Sites)] => Sites]
        "The links that cross a link."
    Custodial "custodial" Values [
        [p("c", K::Site), p("S", K::Sites), p("T", K::Sites)] => Sites
    ]
        "The sites of T in unbroken straight rows between c and a site of S."
    D "d" Dice [[p("n", K::Number)] => Die]
        "A die with n faces."
    Directions "directions" Values [[BOARD, SIDES] => Set]
        "The directions of a board, or with `four` those across its sides."
    Double "double" Values [[p("dice", K::Dice)] => Truth]
        "Do all dice show the same number?"
    Edge "edge" Values [[BOARD] => Sites]
        "The outermost sites."
    Edges "edges" Values [[p("c", K::Sites)] => Sites]
        "The sides of one or more cells."
    Empty "empty" Values [[BOARD] => Sites]
        "The sites without a piece."
    Enclosed "enclosed" Values [[p("c", K::Site), p("S", K::Sites), SIDES] => Sites]
        "The areas that lie across a side of c and that a set separates from the edge."
    Faces "faces" Values [[p("dice", K::Dice), p("n", K::Number)] => Number]
        "The number of dice that show n."
    Fill "fill" Values [[p("S", K::Sites), SIDES] => Sites]
        "A set with its holes."
    Graph "graph" Boards [[p("text", K::Text), p("texts", K::Text).repeated()] => Topology]
        "A board of sites that are joined by dashes."
    Grid "grid" Boards [[p("width", K::Number), p("height", K::Number), WRAP, NAMES, DIAGONAL] => Topology]
        "A board of squares in columns and rows."
    Hex "hex" Boards [[p("width", K::Number), p("height", K::Number), NAMES] => Topology]
        "A board of six-sided cells in columns and rows."
    Hexagon "hexagon" Boards [[p("side", K::Number), NAMES] => Topology]
        "A hexagon of six-sided cells, with that many along each side."
    Highest "highest" Values [[p("S", K::Set)] => Element, [p("dice", K::Dice), p("n", K::Number)] => Number]
        "The last element in the order of the domain; the number on the nth highest die, or the nth highest of several numbers."
    Leap "leap" Values [[p("S", K::Sites).written("c"), p("m", K::Number), p("n", K::Number)] => Sites]
        "The sites m columns and n rows away, or n columns and m rows."
    Least "least" Rankings [[p("n", K::Number)] => Rank]
        "The least number wins."
    Lines "lines" Values [
        [p("S", K::Sites), p("table", K::Points).written("[3: 1, 4: 3]"), ALONG] => Number
    ]
        "The points of all runs by a table of points."
    Longest "longest" Values [[p("S", K::Sites), ALONG] => Number]
        "The length of the longest run."
    LongestChain "longest_chain" TurnsAndEnds [[p("o", K::Option).written("jump")] => Number]
        "The most times in a row that an option can be taken."
    Lowest "lowest" Values [[p("S", K::Set)] => Element, [p("dice", K::Dice), p("n", K::Number)] => Number]
        "The first element in the order of the domain; the number on the nth lowest die, or the nth lowest of several numbers."
    Max "max" Values [
        [p("a", K::Number), p("b", K::Number), p("more", K::Number).repeated()] => Number,
        [p("dice", K::Dice)] => Number
    ]
        "The greatest of some numbers, or of the numbers that dice show."
    Min "min" Values [
        [p("a", K::Number), p("b", K::Number), p("more", K::Number).repeated()] => Number,
        [p("dice", K::Dice)] => Number
    ]
        "The least of some numbers, or of the numbers that dice show."
    Most "most" Rankings [[p("n", K::Number)] => Rank]
        "The greatest number wins."
    Nothing "nothing" Values [[p("S", K::Set)] => Truth]
        "Is there no element?"
    Other "other" Values [[p("p", K::Player)] => Player]
        "The other of two players."
    Owner "owner" Values [[p("t", K::Element)] => Player]
        "The player in whose zone an element is, or whose piece is on a site, or none."
    Ray "ray" Values [[p("S", K::Sites).written("c"), TOWARD, THROUGH, WITHOUT] => Sites]
        "All sites beyond a set in a direction."
    Reach "reach" Values [[p("A", K::Sites).written("seed"), p("S", K::Sites), SIDES, THROUGH, WITHOUT] => Sites]
        "The sites that can be reached from A through S."
    Repeated "repeated" TurnsAndEnds [
        [p("n", K::Number).written("2"), p("of", K::Names).named()] => Truth
    ]
        "Did the same position occur at least n times before?"
    Reverse "reverse" Values [[TOWARD] => Element]
        "The direction that leads back."
    Row "row" Values [
        [p("n", K::Number), BOARD.optional()] => Sites,
        [p("c", K::Site)] => Number
    ]
        "All sites of a row, or the row of a site."
    Rows "rows" Values [[p("S", K::Sites)] => Numbers]
        "The numbers of the rows in which a set has sites."
    Runs "runs" Values [[p("S", K::Sites), p("n", K::Number), ALONG] => Sites]
        "All sites in runs of at least n."
    Shift "shift" Values [[p("S", K::Sites), TOWARD] => Sites]
        "All sites moved by one in a direction."
    Slide "slide" Values [
        [p("S", K::Sites).written("c"), TOWARD, p("T", K::Sites).written("empty"), THROUGH, WITHOUT] => Sites
    ]
        "The sites beyond a site in a direction, up to the first that is not in a set."
    Some "some" Values [[p("S", K::Set)] => Truth]
        "Is there an element?"
    Star "star" Boards [[p("side", K::Number), NAMES] => Topology]
        "A hexagon of six-sided cells with a triangle of that many rows on each side."
    Step "step" Values [[p("c", K::Site), TOWARD] => Site]
        "The neighbour in a direction."
    Sum "sum" Values [[p("dice", K::Dice)] => Number]
        "The sum of the numbers that dice show."
    Team "team" Values [[p("p", K::Player)] => Players]
        "The players who win and lose with a player."
    Top "top" Values [[p("pile", K::Zone)] => Element]
        "The element on top of an ordered zone; none if chance decides it."
    Toward "toward" Values [[p("c", K::Site), TOWARD] => Site]
        "The neighbour in a direction."
    Track "track" Boards [[p("n", K::Number), WRAP] => Topology]
        "A board of sites in a row."
    Triangle "triangle" Boards [[p("side", K::Number), NAMES] => Topology]
        "A triangle of six-sided cells, with that many along each side."
}

impl Function {
    /// Returns the function with a name.
    pub fn named(name: &str) -> Option<Function> {
        let at = Function::ALL.binary_search_by(|function| function.name().cmp(name)).ok()?;
        Some(Function::ALL[at])
    }

    /// Returns the function with a name that can be used in expressions. Defines can't have its name.
    pub fn of_values(name: &str) -> Option<Function> {
        Function::named(name).filter(|function| function.is_of_values())
    }

    /// Returns `true` if it can be used in expressions.
    pub fn is_of_values(self) -> bool {
        matches!(self.place(), Place::Values | Place::TurnsAndEnds)
    }

    /// Iterates over the functions of one part of the rules.
    pub fn of_place(place: Place) -> impl Iterator<Item = Function> {
        Function::ALL.iter().copied().filter(move |function| function.place() == place)
    }

    /// The least and the greatest number of arguments without a name, over all forms.
    pub fn arguments(self) -> (usize, usize) {
        let counts = self.forms().iter().map(Form::arguments);
        counts.fold((usize::MAX, 0), |(least, most), (low, high)| (least.min(low), most.max(high)))
    }

    /// The names of the arguments that are written with a name.
    pub fn named_arguments(self) -> impl Iterator<Item = &'static str> {
        let params = self.forms().iter().flat_map(|form| form.params);
        params.filter(|param| param.is_named()).map(|param| param.name)
    }

    /// Its signatures, one for each form.
    pub fn signature(self) -> String {
        let all: Vec<String> = self.forms().iter().map(|form| form.signature(self.name())).collect();
        all.join("; ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_found_by_their_names() {
        assert!(Function::ALL.is_sorted_by(|a, b| a.name() < b.name()));
        for function in Function::ALL {
            assert_eq!(Function::named(function.name()), Some(*function));
        }
        assert_eq!(Function::named("neighbours"), None);
        assert_eq!((Function::of_values("components"), Function::of_values("grid")), (None, None));
    }

    #[test]
    fn forms_tell_what_can_be_left_out() {
        assert_eq!(Function::Min.arguments(), (1, usize::MAX));
        assert_eq!(Function::Connected.arguments(), (3, 4));
        assert_eq!(Function::Lines.named_arguments().collect::<Vec<_>>(), ["along"]);
        assert_eq!(Function::Reach.forms()[0].written("reach"), "reach(seed, s)");
        assert_eq!(
            Function::Runs.signature(),
            "runs(S: set of sites, n: number, along?: across, down or diagonal): set of sites"
        );
    }
}
