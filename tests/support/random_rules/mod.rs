//! Random rule files that load. Every choice comes from a seed or from bytes.
//!
//! Expressions are built by type, and a value that may be `none` is tested before use, so every file passes
//! the checker. In play its rules may still leave a range, divide by zero or exceed the loop budget.
#![allow(dead_code)]

mod declare;
mod sites;
mod steps;
mod turns;
mod values;

use houserule::rng::Stream;

/// Returns the rule file of a seed.
pub(crate) fn rules(seed: u64) -> String {
    let [stream, piles] = [0, 1].map(|index| Stream::new(seed, index, 0));
    Writer::new(Source { bytes: vec![], at: 0, stream, piles }).file()
}

/// Returns a rule file whose choices are bytes. After the last byte, a random stream makes the choices.
pub(crate) fn rules_from(bytes: &[u8]) -> String {
    let seed = bytes.iter().map(|byte| u64::from(*byte)).sum();
    let [stream, piles] = [(0, 0), (seed, 1)].map(|(seed, index)| Stream::new(seed, index, 0));
    Writer::new(Source { bytes: bytes.to_vec(), at: 0, stream, piles }).file()
}

/// The source of choices.
struct Source {
    bytes: Vec<u8>,
    at: usize,
    stream: Stream,
    /// Decides about ordered zones, so that rules without zones don't depend on them.
    piles: Stream,
}

impl Source {
    fn below(&mut self, n: usize) -> usize {
        let Some(byte) = self.bytes.get(self.at) else { return self.stream.below(n as u64) as usize };
        self.at += 1;
        let mut value = usize::from(*byte);
        if n > 256 {
            value = value << 8 | self.bytes.get(self.at).copied().map_or(0, usize::from);
            self.at += 1;
        }
        value % n
    }
}

/// A domain of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dom {
    Player,
    Colour,
    Tile,
    /// The sites of a board.
    Sites(usize),
    /// A domain of numbers.
    Range(usize),
}

/// The type of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ty {
    Number,
    Truth,
    Element(Dom),
    Maybe(Dom),
    Set(Dom),
}

/// The content of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holds {
    Numbers(i64, i64),
    Int,
    Value(Ty),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Grid,
    Torus,
    Hex,
    Graph,
    Track,
    Ring,
}

struct Board {
    name: &'static str,
    form: Form,
    width: usize,
    height: usize,
    family: Option<Dom>,
    /// Some sites are left out.
    cut: bool,
}

impl Board {
    fn sites(&self) -> usize {
        self.width * self.height
    }

    /// Returns `true` if the board has rows and columns.
    fn is_flat(&self) -> bool {
        matches!(self.form, Form::Grid | Form::Torus | Form::Hex)
    }
}

struct Piece {
    name: &'static str,
    board: usize,
    index: Vec<Dom>,
}

struct Variable {
    name: String,
    index: Vec<Dom>,
    holds: Holds,
    /// `true` if the variable lasts for the whole game.
    lasts: bool,
}

/// Dice: their count and their number of faces.
struct Dice {
    name: &'static str,
    count: usize,
    faces: usize,
}

/// A zone: of copies or of single elements.
struct Zone {
    name: &'static str,
    of: Dom,
    owned: bool,
    copies: bool,
    ordered: bool,
}

/// A define or a procedure.
struct Made {
    name: String,
    params: Vec<Ty>,
    gives: Ty,
}

/// A local in scope.
#[derive(Clone)]
struct Local {
    name: String,
    ty: Ty,
    /// `true` if the local can be assigned to.
    changes: bool,
}

/// Where statements are written, and so which are allowed.
#[derive(Clone, Copy, Default)]
struct Place {
    /// `done`, `again` and `next` are allowed here.
    turn: bool,
    /// `skip` is allowed here.
    step: bool,
    /// No choice, no chance event and no statement that leaves is allowed here.
    plain: bool,
    /// Chance events are allowed here, but no choice and no statement that leaves.
    chance: bool,
    /// Number of loops around this place.
    loops: u32,
}

struct Writer {
    source: Source,
    players: usize,
    /// Names of the seats, if they have any.
    seats: Vec<&'static str>,
    colours: Vec<&'static str>,
    /// Pips of the tiles, or `None` if there are no tiles.
    pips: Option<usize>,
    ranges: Vec<(String, i64, i64)>,
    boards: Vec<Board>,
    /// The sides of the first board's cells are a board of their own.
    sides: bool,
    pieces: Vec<Piece>,
    variables: Vec<Variable>,
    dice: Vec<Dice>,
    /// Each player has dice.
    cups: bool,
    zones: Vec<Zone>,
    defines: Vec<Made>,
    procedures: Vec<Made>,
    /// The rules have rounds.
    rounds: bool,
    /// Turns begin with a choice of which `no action` can ask.
    opens: bool,
    /// Only what is known before a turn may be read.
    known: bool,
    /// `repeated` is allowed here.
    remembers: bool,
    /// Only values that last for the whole game may be read.
    lasting: bool,
    /// A score is being written: the only player in scope is `me`.
    scoring: bool,
    /// No expression may fail.
    sound: bool,
    locals: Vec<Local>,
    named_steps: Vec<String>,
    /// Number of names generated so far.
    names: usize,
    /// Number of loops over large domains around this place. Another one would take too long.
    large: u32,
    text: String,
}

impl Writer {
    fn new(source: Source) -> Writer {
        Writer {
            source,
            players: 2,
            seats: vec![],
            colours: vec![],
            pips: None,
            ranges: vec![],
            boards: vec![],
            sides: false,
            pieces: vec![],
            variables: vec![],
            dice: vec![],
            cups: false,
            zones: vec![],
            defines: vec![],
            procedures: vec![],
            rounds: false,
            opens: false,
            known: false,
            remembers: false,
            lasting: false,
            scoring: false,
            sound: false,
            locals: vec![],
            named_steps: vec![],
            names: 0,
            large: 0,
            text: String::new(),
        }
    }

    fn file(mut self) -> String {
        self.declarations();
        self.body();
        self.endings();
        format!("game \"Random\" {{\n{}}}\n", self.text)
    }

    fn below(&mut self, n: usize) -> usize {
        self.source.below(n)
    }

    /// Returns a number below `n`, for a choice about ordered zones.
    fn piled(&mut self, n: u64) -> u64 {
        self.source.piles.below(n)
    }

    /// Returns `true` with probability 1/`n`.
    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// Returns a number from a range, both ends included.
    fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as usize) as i64
    }

    fn one_of<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }

    /// Returns a name that nothing else has.
    fn name(&mut self, start: &str) -> String {
        self.names += 1;
        format!("{start}{}", self.names)
    }

    /// Appends a line to the file.
    fn line(&mut self, line: &str) {
        self.text.push_str("  ");
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Calls `write` with additional locals in scope.
    fn with<T>(&mut self, locals: &[(&str, Ty)], write: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.locals.len();
        let new = locals.iter().map(|(name, ty)| Local { name: (*name).to_owned(), ty: *ty, changes: false });
        self.locals.extend(new);
        let written = write(self);
        self.locals.truncate(before);
        written
    }

    /// Like `with`, for a local that runs over a domain.
    fn for_each<T>(&mut self, dom: Dom, name: &str, write: impl FnOnce(&mut Self) -> T) -> T {
        let large = u32::from(self.size(dom) > 30);
        self.large += large;
        let written = self.with(&[(name, Ty::Element(dom))], write);
        self.large -= large;
        written
    }

    /// Returns the number of elements of a domain.
    fn size(&self, dom: Dom) -> usize {
        match dom {
            Dom::Player => self.players,
            Dom::Colour => self.colours.len(),
            Dom::Tile => self.pips.map_or(0, |pips| (pips + 1) * (pips + 2) / 2),
            Dom::Sites(board) => self.boards[board].sites(),
            Dom::Range(range) => (self.ranges[range].2 - self.ranges[range].1 + 1) as usize,
        }
    }

    /// Returns the name of a domain.
    fn called(&self, dom: Dom) -> String {
        match dom {
            Dom::Player => "player".to_owned(),
            Dom::Colour => "colour".to_owned(),
            Dom::Tile => "tile".to_owned(),
            Dom::Sites(board) => self.boards[board].name.to_owned(),
            Dom::Range(range) => self.ranges[range].0.clone(),
        }
    }

    /// Returns all domains of the game.
    fn domains(&self) -> Vec<Dom> {
        let mut all = vec![Dom::Player, Dom::Colour];
        all.extend(self.pips.map(|_| Dom::Tile));
        all.extend((0..self.boards.len()).map(Dom::Sites));
        all.extend((0..self.ranges.len()).map(Dom::Range));
        all
    }

    fn domain(&mut self) -> Dom {
        let all = self.domains();
        all[self.below(all.len())]
    }
}
