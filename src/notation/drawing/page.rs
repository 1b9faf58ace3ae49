//! The characters of a drawing, each with what it stands for, so that the caller can print them with or
//! without colours.

use super::{Instance, Symbol, numbers, position, symbols};
use crate::board::Site;
use crate::game::{Game, State};
use crate::model::{BoardId, Value};

/// What a character of a drawing stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlyphRole {
    /// A blank, or part of a line between sites.
    Frame,
    /// The name of a row, a column or a site.
    Label,
    /// A site.
    Site {
        /// The board.
        board: BoardId,
        /// The site on it.
        site: Site,
        /// The piece, as an index of [`symbols`]; `None` for nothing or a number.
        symbol: Option<usize>,
    },
}

/// A character of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glyph {
    /// The character.
    pub character: char,
    /// What it stands for.
    pub ink: GlyphRole,
}

/// A drawing: lines of characters, from the top.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// The lines. They may differ in length.
    pub lines: Vec<Vec<Glyph>>,
}

impl Page {
    /// Returns the lines as text, without blanks at their ends.
    pub fn text(&self) -> Vec<String> {
        let text = |line: &Vec<Glyph>| line.iter().map(|glyph| glyph.character).collect::<String>();
        self.lines.iter().map(|line| text(line).trim_end().to_owned()).collect()
    }

    /// Writes text from a place on.
    pub(super) fn put(&mut self, x: usize, y: usize, text: &str, ink: GlyphRole) {
        if self.lines.len() <= y {
            self.lines.resize(y + 1, vec![]);
        }
        let line = &mut self.lines[y];
        let blank = Glyph { character: ' ', ink: GlyphRole::Frame };
        for (x, character) in (x..).zip(text.chars()) {
            if line.len() <= x {
                line.resize(x + 1, blank);
            }
            line[x] = Glyph { character, ink };
        }
    }

    /// Returns the character at a place.
    pub(super) fn at(&self, x: usize, y: usize) -> char {
        self.lines.get(y).and_then(|line| line.get(x)).map_or(' ', |glyph| glyph.character)
    }
}

/// The contents of a site, as drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SiteContents {
    /// Nothing stands there.
    Empty,
    /// A piece, as an index of the symbols.
    Piece(usize),
    /// The number of a variable.
    Number(i64),
    /// The board lies face down.
    Hidden,
}

/// One board of a state with the contents of its sites, from which every drawing of it is made.
#[derive(Clone, Debug)]
pub struct Marked<'s> {
    /// The game.
    pub game: &'s Game,
    /// The board.
    pub board: BoardId,
    /// Its kinds of pieces.
    pub symbols: Vec<Symbol>,
    /// The contents of each site.
    pub marks: Vec<SiteContents>,
}

impl<'s> Marked<'s> {
    /// Reads one board of a state.
    pub fn new(state: &'s State, instance: &Instance) -> Self {
        let game = state.game();
        let board = &game.model().boards[instance.board.index()];
        let symbols = symbols(game, board);
        let size = board.topology.size() as usize;
        let face_down = state.is_face_down(board, instance.number);
        let mut marks = vec![if face_down { SiteContents::Hidden } else { SiteContents::Empty }; size];
        for (at, symbol) in symbols.iter().enumerate() {
            if let Value::Set(sites) = state.value(symbol.piece, position(game, instance, symbol)) {
                sites.sites().for_each(|site| marks[site.index()] = SiteContents::Piece(at));
            }
        }
        if let Some(slot) = numbers(game, instance.board).filter(|_| !face_down) {
            for (site, mark) in marks.iter_mut().enumerate() {
                if let Value::Number(number) = state.value(slot, instance.number * size + site) {
                    *mark = SiteContents::Number(number);
                }
            }
        }
        Marked { game, board: instance.board, symbols, marks }
    }

    /// Returns a site's text, and what it stands for.
    pub(super) fn site(&self, site: Site) -> (String, GlyphRole) {
        let (text, symbol) = match self.marks[site.index()] {
            SiteContents::Empty => (super::EMPTY.to_string(), None),
            SiteContents::Piece(at) => (self.symbols[at].character.to_string(), Some(at)),
            SiteContents::Number(number) => (number.to_string(), None),
            SiteContents::Hidden => (super::FACE_DOWN.to_string(), None),
        };
        (text, GlyphRole::Site { board: self.board, site, symbol })
    }

    /// Returns the length of the longest text on a site.
    pub(super) fn widest(&self) -> usize {
        (0..self.marks.len() as u32).map(|site| self.site(Site(site)).0.chars().count()).max().unwrap_or(1)
    }
}
