//! The characters of a drawing, each with what it stands for, so that the caller can print them with or
//! without colours.

use super::{Instance, PileElement, SitePile, Symbol, numbers, piles, position, symbols};
use crate::Onlookers;
use crate::{Game, State};
use houserule_model::board::Site;
use houserule_model::{BoardId, Colour, Content, Ground, Seat, Value};

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
        /// The piece, as an index of [`symbols`]; `None` for anything else.
        symbol: Option<usize>,
        /// The colour of anything else.
        tint: Option<Tint>,
    },
}

/// The colour of what lies on a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tint {
    /// That of a player.
    Seat(Seat),
    /// A named colour.
    Colour(Colour),
}

impl Tint {
    /// Returns the colour of an element: that of its owner, or its own.
    pub fn from_element(element: &PileElement) -> Option<Tint> {
        element.colour.map(Tint::Colour).or(element.owner.map(Tint::Seat))
    }
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

    /// Writes glyphs from a place on.
    pub(super) fn put_all(&mut self, x: usize, y: usize, glyphs: &[Glyph]) {
        for (x, glyph) in (x..).zip(glyphs) {
            self.put(x, y, glyph.character.encode_utf8(&mut [0; 4]), glyph.ink);
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
    /// What lies on each site besides, if the drawing shows it.
    pub piles: Vec<Vec<SitePile>>,
    /// Whether a 0 is drawn as an empty site.
    is_blank_zero: bool,
    /// Whether empty sites show their ground. Positions have none.
    has_grounds: bool,
}

impl<'s> Marked<'s> {
    /// Reads one board of a state as those who look see it, with what lies on its sites.
    pub fn seen(state: &'s State, instance: &Instance, sight: Onlookers) -> Self {
        let mut marked = Marked::new(state, instance);
        marked.piles = piles(state, instance, sight);
        marked.has_grounds = true;
        // If negative numbers are possible, 0 is a number like any other.
        marked.is_blank_zero = numbers(state.game(), instance.board).is_some_and(|slot| {
            matches!(state.game().model().slots[slot.index()].content, Content::Number { low: 0, .. })
        });
        marked
    }

    /// Reads one board of a state, for a drawing that is a position.
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
        Marked {
            game,
            board: instance.board,
            symbols,
            marks,
            piles: vec![],
            is_blank_zero: false,
            has_grounds: false,
        }
    }

    /// Returns `true` if a site has neither a piece nor a number, and nothing lies there.
    pub fn is_empty(&self, site: Site) -> bool {
        self.marks[site.index()] == SiteContents::Empty && self.lying(site).is_empty()
    }

    /// Returns the number on a site. A 0 is one if it can be more or less than nothing.
    pub fn number(&self, site: Site) -> Option<i64> {
        match self.marks[site.index()] {
            SiteContents::Number(0) if self.is_blank_zero => None,
            SiteContents::Number(number) => Some(number),
            _ => None,
        }
    }

    /// Returns the ground of a site on which nothing is drawn.
    pub fn open_ground(&self, site: Site) -> Option<&Ground> {
        let is_open = match self.marks[site.index()] {
            SiteContents::Empty | SiteContents::Number(_) => {
                self.number(site).is_none() && self.lying(site).is_empty()
            }
            SiteContents::Piece(_) | SiteContents::Hidden => false,
        };
        if !is_open || !self.has_grounds {
            return None;
        }
        self.game.model().boards[self.board.index()].ground(site)
    }

    /// Returns what lies on a site.
    pub fn lying(&self, site: Site) -> &[SitePile] {
        self.piles.get(site.index()).map_or(&[], Vec::as_slice)
    }

    /// Returns a site as it is drawn. What lies there is cut to `room` characters.
    pub(super) fn site(&self, site: Site, room: usize) -> Vec<Glyph> {
        let mut glyphs = vec![];
        let mut write = |text: &str, symbol, tint| {
            let ink = GlyphRole::Site { board: self.board, site, symbol, tint };
            glyphs.extend(text.chars().map(|character| Glyph { character, ink }));
        };
        let lying = self.lying(site);
        match self.marks[site.index()] {
            SiteContents::Piece(at) => write(&self.symbols[at].character.to_string(), Some(at), None),
            SiteContents::Hidden => write(&super::FACE_DOWN.to_string(), None, None),
            SiteContents::Number(_) | SiteContents::Empty => match self.number(site) {
                Some(number) => write(&number.to_string(), None, None),
                None if lying.is_empty() => {
                    let look = self.open_ground(site).map(|ground| ground.look).unwrap_or_default();
                    let character = look.letter.unwrap_or(super::EMPTY);
                    write(&character.to_string(), None, look.colour.map(Tint::Colour));
                }
                None => {}
            },
        }
        lying.iter().for_each(|pile| write(&pile.text(), None, Tint::from_element(pile.top())));
        if !lying.is_empty() && glyphs.len() > room {
            let ink = GlyphRole::Site { board: self.board, site, symbol: None, tint: None };
            glyphs.truncate(room.max(2) - 1);
            glyphs.push(Glyph { character: MORE, ink });
        }
        glyphs
    }

    /// Returns the length of the longest text on a site.
    pub(super) fn widest(&self, room: usize) -> usize {
        (0..self.marks.len() as u32).map(|site| self.site(Site(site), room).len()).max().unwrap_or(1)
    }

    /// Returns `true` if a site has more than fits into `room` characters.
    pub(super) fn is_cut(&self, site: Site, room: usize) -> bool {
        self.site(site, room).len() < self.site(site, usize::MAX).len()
    }
}

/// The sign for more than fits on a site.
pub const MORE: char = '+';
