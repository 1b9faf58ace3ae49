//! Random rule files that load. Every choice comes from a seed or from bytes.
//!
//! Expressions are built by type, and a value that may be `none` is tested before use, so every file passes
//! the checker. In play its rules may still leave a range, divide by zero or exceed the loop budget.
#![allow(dead_code)]

mod committed;
mod declare;
mod sites;
mod steps;
mod turns;
mod values;
mod variant;

use houserule::rng::Stream;

/// A random game and a variant of it.
#[derive(Clone, Debug)]
pub(crate) struct RandomRules {
    /// The game.
    pub(crate) game: String,
    /// The variant, which needs the game before it in the same text.
    pub(crate) variant: String,
}

/// Returns the game of a seed and its variant.
pub(crate) fn rules(seed: u64) -> RandomRules {
    let [stream, piles, later] = [0, 1, 2].map(|index| Stream::new(seed, index, 0));
    Writer::new(Source { bytes: vec![], at: 0, stream, piles, later }).rules()
}

/// Returns a game and its variant whose choices are bytes. After the last byte, a random stream makes the choices.
pub(crate) fn rules_from(bytes: &[u8]) -> RandomRules {
    let seed = bytes.iter().map(|byte| u64::from(*byte)).sum();
    let [stream, piles, later] =
        [(0, 0), (seed, 1), (seed, 2)].map(|(seed, index)| Stream::new(seed, index, 0));
    Writer::new(Source { bytes: bytes.to_vec(), at: 0, stream, piles, later }).rules()
}

/// The source of choices.
struct Source {
    bytes: Vec<u8>,
    at: usize,
    stream: Stream,
    /// Decides about ordered zones, so that rules without zones don't depend on them.
    piles: Stream,
    /// Decides about what was added later, so that all other choices of a seed stay as they are.
    later: Stream,
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
    /// Not all players see the variable.
    hidden: bool,
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

/// A choice that a variant may extend.
struct Offered {
    name: String,
    /// Its options. An option with `ensuring` is tried, so what a variant adds to it has to be plain.
    options: Vec<(String, bool)>,
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
    /// Each player sees only the own dice of these.
    secret_cups: bool,
    zones: Vec<Zone>,
    defines: Vec<Made>,
    procedures: Vec<Made>,
    /// The rules have rounds.
    rounds: bool,
    /// Turns begin with a choice of which `no action` can ask.
    opens: bool,
    /// Turns have an option of which `longest_chain` can ask.
    chains: bool,
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
    /// All players are in teams, and `tally[team]` is a number.
    sided: bool,
    /// Some players are in a team.
    teamed: bool,
    /// The rules have matches.
    matched: bool,
    /// Params that are numbers, with the ranges that they may be set to.
    settings: Vec<(&'static str, i64, i64)>,
    /// Conditions on params.
    flags: Vec<&'static str>,
    choices: Vec<Offered>,
    ends: Vec<String>,
    items: Vec<String>,
    scripted: bool,
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
            secret_cups: false,
            zones: vec![],
            defines: vec![],
            procedures: vec![],
            rounds: false,
            opens: false,
            chains: false,
            known: false,
            remembers: false,
            lasting: false,
            scoring: false,
            sound: false,
            locals: vec![],
            sided: false,
            teamed: false,
            matched: false,
            settings: vec![],
            flags: vec![],
            choices: vec![],
            ends: vec![],
            items: vec![],
            scripted: false,
            named_steps: vec![],
            names: 0,
            large: 0,
            text: String::new(),
        }
    }

    fn rules(mut self) -> RandomRules {
        self.declarations();
        self.body();
        self.endings();
        let game = format!("game \"Random\" {{\n{}}}\n", self.text);
        RandomRules { game, variant: self.variant() }
    }

    fn below(&mut self, n: usize) -> usize {
        self.source.below(n)
    }

    /// Returns a number below `n`, for a choice about ordered zones.
    fn piled(&mut self, n: u64) -> u64 {
        self.source.piles.below(n)
    }

    /// Returns a number below `n`, for a choice that was added later.
    fn later(&mut self, n: u64) -> usize {
        self.source.later.below(n) as usize
    }

    /// Returns a number from a range, both ends included, for a choice that was added later.
    fn later_between(&mut self, low: i64, high: i64) -> i64 {
        low + self.later((high - low + 1) as u64) as i64
    }

    /// Returns one of some texts, for a choice that was added later.
    fn later_of(&mut self, from: &[&'static str]) -> &'static str {
        from[self.later(from.len() as u64)]
    }

    /// Returns a help text with a space before it, or nothing.
    fn help(&mut self) -> &'static str {
        match self.later(4) {
            0 => self.later_of(&[
                " \"what everybody talks about\"",
                " \"a long text that says all there is to say of this, and a little more, so that it needs a second line\"",
                " \"Read on.\"",
                " \"ünlike — others…\"",
            ]),
            _ => "",
        }
    }

    /// Returns the name of a seat in the rules.
    fn seat(&self, seat: usize) -> String {
        self.seats.get(seat).map_or_else(|| format!("player {}", seat + 1), |name| (*name).to_owned())
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
