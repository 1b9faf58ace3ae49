//! The contents of one board, and what the drawings of all kinds of boards share: pieces, highlights, lines,
//! coordinates.

use std::collections::BTreeSet;

use super::canvas::{Anchor, Canvas, Font, ShapeOutline, text_width};
use super::palette::{self, FRESH, FRESH_EDGE, Ink, QUIET, TEXT};
use super::piles;
use super::strokes::{Stroke, borders, strokes};
use super::token::PieceLook;
use crate::draw::last::{Last, legal, may_see_legal};
use crate::draw::margin::Margin;
use houserule_game::drawing::{
    FACE_DOWN, Instance, Marked, SiteContents, columns, links_of, numbers, rows, sides_of,
};
use houserule_game::explain::things::ActionThings;
use houserule_game::{Seat, State};
use houserule_model::board::{BitSet, Site};
use houserule_model::{Board, BoardId, SeatLook, SlotId};

/// A position on the paper.
pub(super) type PaperPoint = (f64, f64);

/// One board of a state.
pub(super) struct Scene<'s> {
    pub(super) state: &'s State,
    pub(super) instance: Instance,
    pub(super) board: &'s Board,
    pub(super) marked: Marked<'s>,
    tokens: Vec<PieceLook>,
    /// The players.
    pub seats: Vec<SeatLook>,
    /// The sites that the last move changed.
    pub(super) fresh: BitSet,
    /// The sites that legal actions name, if they are shown.
    pub(super) legal: BitSet,
    strokes: Vec<Stroke>,
    /// The edges of the board that players have to join.
    pub(super) borders: Vec<(Seat, BitSet)>,
    /// The sides of the cells, if they are sites.
    pub(super) sides: Option<Box<Scene<'s>>>,
    /// The links between the sites, if they are sites of their own.
    pub(super) links: Option<Box<Scene<'s>>>,
    /// The things that actions name.
    pub(super) named: ActionThings,
    /// `true` if columns have numbers in place of their names.
    numbered: bool,
    size: SceneSize,
}

/// The pieces and numbers that a board on paper shows.
#[derive(Clone, Debug, Default)]
pub struct KeptMarks {
    /// The slots of which any are shown.
    pub slots: BTreeSet<SlotId>,
    /// Other states: only what is the same in all of them is shown.
    pub others: Vec<State>,
    /// The boards whose columns have numbers, because the rules name them so.
    pub numbered: BTreeSet<BoardId>,
}

impl KeptMarks {
    /// Removes all other marks from a board.
    pub fn remove_others(&self, state: &State, instance: &Instance, marked: &mut Marked<'_>) {
        let numbers = numbers(state.game(), instance.board);
        let slots: Vec<SlotId> = marked.symbols.iter().map(|symbol| symbol.piece).collect();
        marked.piles.iter_mut().for_each(|lying| lying.retain(|pile| self.slots.contains(&pile.slot)));
        let shown = |mark: &SiteContents| match mark {
            SiteContents::Piece(at) => slots.get(*at).is_some_and(|slot| self.slots.contains(slot)),
            SiteContents::Number(_) => numbers.is_some_and(|slot| self.slots.contains(&slot)),
            SiteContents::Empty | SiteContents::Hidden => false,
        };
        for mark in marked.marks.iter_mut().filter(|mark| !shown(mark)) {
            *mark = SiteContents::Empty;
        }
        for other in &self.others {
            let other = Marked::seen(other, instance, None);
            for (mark, _) in marked.marks.iter_mut().zip(other.marks).filter(|(mark, other)| *mark != other) {
                *mark = SiteContents::Empty;
            }
            for (lying, other) in marked.piles.iter_mut().zip(other.piles) {
                lying.retain(|pile| other.contains(pile));
            }
        }
    }
}

/// The corners of sites as cells, and how round they are.
#[derive(Clone, Copy)]
pub(super) struct SiteCorners<'c> {
    pub(super) at: &'c dyn Fn(Site) -> Vec<PaperPoint>,
    pub(super) round: f64,
}

/// Opacity of the colour of a ground.
pub(super) const GROUND: f64 = 0.34;

/// The size of a scene.
#[derive(Clone, Copy, Debug)]
pub(super) enum SceneSize {
    /// Maximum size of the drawing, if its sites can be that small.
    Room(f64),
    /// Distance between neighbouring sites.
    Pitch(f64),
}

impl<'s> Scene<'s> {
    /// Returns the sites of the board that is drawn. A smaller board of a family lacks some.
    pub(super) fn sites(&self) -> impl Iterator<Item = Site> + use<'s> {
        let (board, number) = (self.board, self.instance.number);
        board.topology.sites().filter(move |site| board.has_site(number, *site))
    }

    pub(super) fn new(
        state: &'s State,
        instance: &Instance,
        last: &Last,
        viewer: Option<Seat>,
        shows_legal: bool,
        size: SceneSize,
    ) -> Self {
        let game = state.game();
        let board = &game.model().boards[instance.board.index()];
        let marked = Marked::seen(state, instance, viewer);
        let none = BitSet::empty(board.topology.size());
        let scene = |board| {
            let instance = Instance { board, ..instance.clone() };
            Box::new(Scene::new(state, &instance, last, viewer, shows_legal, size))
        };
        let sides = sides_of(game, instance.board).map(scene);
        let links = links_of(game, instance.board).map(scene);
        Scene {
            state,
            board,
            tokens: PieceLook::all(game, board),
            seats: game.model().seat_looks(),
            fresh: last.changed(state, instance, viewer),
            legal: if shows_legal && may_see_legal(state, viewer) {
                legal(state, instance.board)
            } else {
                none
            },
            strokes: strokes(state, instance, viewer),
            borders: borders(state, instance.board),
            sides,
            links,
            named: ActionThings::default(),
            numbered: false,
            size,
            marked,
            instance: instance.clone(),
        }
    }

    /// Creates the scene of a board on paper: without lines, and with some of the pieces and numbers only.
    pub(super) fn printed(state: &'s State, instance: &Instance, kept: &KeptMarks, pitch: f64) -> Self {
        let mut scene = Scene::new(state, instance, &Last::default(), None, false, SceneSize::Pitch(pitch));
        scene.remove_other_marks(kept);
        scene.numbered = kept.numbered.contains(&instance.board);
        scene
    }

    /// Removes all marks that aren't among these, and all lines.
    fn remove_other_marks(&mut self, kept: &KeptMarks) {
        kept.remove_others(self.state, &self.instance, &mut self.marked);
        self.strokes.clear();
        if let Some(sides) = &mut self.sides {
            sides.remove_other_marks(kept);
        }
    }

    /// Returns the distance between neighbouring sites, for a number of columns and rows.
    pub(super) fn pitch(&self, columns: f64, rows: f64) -> f64 {
        self.pitch_or(|room| (room / columns.max(rows)).clamp(11.0, 64.0).floor())
    }

    /// Returns the distance between neighbouring sites, which `usual` computes from the room if it isn't given.
    pub(super) fn pitch_or(&self, usual: impl FnOnce(f64) -> f64) -> f64 {
        match self.size {
            SceneSize::Room(room) => usual(room),
            SceneSize::Pitch(pitch) => pitch,
        }
    }

    /// Returns the piece on a site.
    pub(super) fn token(&self, site: Site) -> Option<&PieceLook> {
        match self.marked.marks.get(site.index())? {
            SiteContents::Piece(at) => self.tokens.get(*at),
            _ => None,
        }
    }

    /// Returns `true` if a site is face down.
    pub(super) fn is_hidden(&self, site: Site) -> bool {
        self.marked.marks.get(site.index()) == Some(&SiteContents::Hidden)
    }

    /// Draws the sets of sites that the rules show, below the pieces: in the colour of each, with its letter where nothing
    /// stands. `cell` returns the corners of a site; without it, a site is a disc. `r` is the maximum radius of a piece.
    pub(super) fn grounds(
        &self,
        canvas: &mut Canvas<'_>,
        at: &dyn Fn(Site) -> PaperPoint,
        cell: Option<SiteCorners<'_>>,
        r: f64,
    ) {
        canvas.part("grounds", |canvas| {
            for ground in &self.board.grounds {
                let ink = palette::ground(ground.look.colour);
                let own = |site: &Site| self.board.ground(*site).is_some_and(|it| std::ptr::eq(it, ground));
                let sites: Vec<Site> = self.sites().filter(own).collect();
                if sites.is_empty() {
                    continue;
                }
                canvas.pale(GROUND, |canvas| match cell {
                    Some(corners) => {
                        let cells: Vec<Vec<PaperPoint>> =
                            sites.iter().map(|site| (corners.at)(*site)).collect();
                        canvas.shapes(&cells, corners.round, ink);
                    }
                    None => sites.iter().for_each(|site| canvas.circle(at(*site), r, Some(ink), None)),
                });
                let Some(letter) = ground.look.letter else { continue };
                let size = r * 0.9;
                for site in sites.into_iter().filter(|site| self.marked.open_ground(*site).is_some()) {
                    let (x, y) = at(site);
                    canvas.text((x, y + size * 0.36), Anchor::Middle, font(size, QUIET), &letter.to_string());
                }
            }
        });
    }

    /// Draws the contents of the sites: lines that count, pieces, numbers, winning lines, and legal actions.
    /// `r` is the maximum radius of a piece.
    pub(super) fn stand(&self, canvas: &mut Canvas<'_>, at: &dyn Fn(Site) -> PaperPoint, r: f64) {
        let lines = |canvas: &mut Canvas<'_>, won: bool| {
            for stroke in self.strokes.iter().filter(|stroke| stroke.won == won) {
                let through: Vec<Vec<PaperPoint>> =
                    stroke.runs.iter().map(|run| run.iter().map(|site| at(*site)).collect()).collect();
                canvas.lines(
                    &through,
                    ShapeOutline { ink: stroke.ink, width: r * if won { 0.26 } else { 0.34 } },
                );
            }
        };
        canvas.part("lines", |canvas| canvas.pale(0.32, |canvas| lines(canvas, false)));
        if let Some(links) = &self.links {
            canvas.part("links", |canvas| links.link(canvas, at, r));
        }
        canvas.part("pieces", |canvas| {
            for site in self.sites() {
                if piles::lie(self, site) {
                    piles::draw(self, canvas, site, at(site), r);
                } else if let Some(token) = self.token(site) {
                    token.draw(canvas, at(site), r);
                } else if let Some(number) = self.marked.number(site) {
                    let (text, (x, y)) = (number.to_string(), at(site));
                    let size = (r * 0.9).min(r * 1.8 / text_width(&text, font(1.0, TEXT)).max(0.1));
                    canvas.text((x, y + size * 0.36), Anchor::Middle, font(size, TEXT), &text);
                } else if self.is_hidden(site) {
                    let ((x, y), size) = (at(site), r * 0.9);
                    let text = FACE_DOWN.to_string();
                    canvas.text((x, y + size * 0.36), Anchor::Middle, font(size, QUIET), &text);
                }
                piles::draw_numbers(self, canvas, site, at(site), r);
            }
        });
        canvas.part("won", |canvas| canvas.pale(0.8, |canvas| lines(canvas, true)));
        self.hints(canvas, at, r);
    }

    /// Draws the pieces on links between sites as lines, the last one with a bright edge, and marks legal links.
    fn link(&self, canvas: &mut Canvas<'_>, at: &dyn Fn(Site) -> PaperPoint, r: f64) {
        let line = |link: Site| self.board.topology.ends(link).map(|ends| ends.map(at).to_vec());
        for link in self.board.topology.sites() {
            let (Some(token), Some(line)) = (self.token(link), line(link)) else { continue };
            if self.fresh.contains(link.0) {
                canvas.lines(std::slice::from_ref(&line), ShapeOutline { ink: FRESH_EDGE, width: r * 0.8 });
            }
            canvas.lines(&[line], ShapeOutline { ink: token.colours.stroke(), width: r * 0.4 });
        }
        let legal: Vec<Vec<PaperPoint>> = self.legal.sites().filter_map(line).collect();
        canvas.pale(0.3, |canvas| canvas.lines(&legal, ShapeOutline { ink: QUIET, width: r * 0.15 }));
    }

    /// Marks the sites of legal actions.
    pub(super) fn hints(&self, canvas: &mut Canvas<'_>, at: &dyn Fn(Site) -> PaperPoint, r: f64) {
        canvas.part("legal", |canvas| {
            canvas.pale(0.45, |canvas| {
                for site in self.legal.sites() {
                    match self.marked.is_empty(site) || self.is_hidden(site) {
                        true => canvas.circle(at(site), r * 0.2, Some(QUIET), None),
                        false => canvas.circle(
                            at(site),
                            r * 1.02,
                            None,
                            Some(ShapeOutline { ink: QUIET, width: r * 0.1 }),
                        ),
                    }
                }
            });
        });
    }

    /// Draws discs behind the sites that the last move changed, on boards without cells.
    pub(super) fn halos(&self, canvas: &mut Canvas<'_>, at: &dyn Fn(Site) -> PaperPoint, r: f64) {
        canvas.part("last", |canvas| {
            for site in self.fresh.sites() {
                let edge = ShapeOutline { ink: FRESH_EDGE, width: (r * 0.12).max(1.0) };
                canvas.circle(at(site), r * 1.14, Some(FRESH), Some(edge));
            }
        });
    }

    /// Draws the margin at the ends of the rows. Returns its width.
    pub(super) fn margin(&self, canvas: &mut Canvas<'_>, grid: &GridPositions) -> f64 {
        let game = self.state.game();
        let (r, step) = (grid.pitch * 0.32, grid.pitch * 0.86);
        let margins = Margin::all(game, self.instance.board);
        canvas.part("margin", |canvas| {
            for (column, margin) in margins.iter().enumerate() {
                let x = grid.width() + (column as f64 + 0.5) * step;
                for (at, row) in rows(self.board, self.instance.number).iter().enumerate() {
                    let y = grid.top + (at as f64 + 0.5) * grid.pitch;
                    let value = margin.value(self.state, &self.instance, row.number);
                    let token = PieceLook::of_margin(game, margin, &value);
                    token.draw(canvas, (x, y), r);
                }
            }
        });
        step * margins.len() as f64
    }

    /// Returns the numbers of the columns with their names, which are numbers too if the board has these.
    pub(super) fn columns(&self, names: Vec<String>) -> impl Iterator<Item = (u32, String)> {
        let numbered = self.numbered;
        (1u32..)
            .zip(names)
            .map(move |(number, name)| (number, if numbered { number.to_string() } else { name }))
    }

    /// Draws the names of columns and rows, at a distance `out` from the grid.
    pub(super) fn coordinates(&self, canvas: &mut Canvas<'_>, grid: &GridPositions, out: f64) {
        let font = grid.font();
        let shown = |number: usize| grid.pitch >= 13.0 || number.is_multiple_of(5);
        canvas.part("coordinates", |canvas| {
            for (number, name) in self.columns(columns(self.board, self.instance.number)) {
                if shown(number as usize) {
                    let x = grid.left + (f64::from(number) - 0.5) * grid.pitch;
                    canvas.text((x, grid.bottom() + out + font.size + 3.0), Anchor::Middle, font, &name);
                }
            }
            for (at, row) in rows(self.board, self.instance.number).iter().enumerate() {
                if shown(row.number as usize) {
                    let y = grid.top + (at as f64 + 0.5) * grid.pitch + font.size * 0.36;
                    canvas.text((grid.left - out - 6.0, y), Anchor::End, font, &row.number.to_string());
                }
            }
        });
    }
}

/// Returns a regular font.
pub fn font(size: f64, ink: Ink) -> Font {
    Font { size, bold: false, ink }
}

/// The positions of columns and rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct GridPositions {
    pub(super) columns: u32,
    pub(super) rows: u32,
    pub(super) pitch: f64,
    pub(super) left: f64,
    pub(super) top: f64,
}

impl GridPositions {
    /// Creates a grid with space for coordinates on the left and below.
    pub(super) fn new(scene: &Scene<'_>, columns: u32, rows: u32) -> GridPositions {
        let pitch = scene.pitch(columns.into(), rows.into());
        let longest = rows_label(scene);
        let mut grid = GridPositions { columns, rows, pitch, left: 0.0, top: 0.0 };
        grid.left = text_width(&longest, grid.font()) + 7.0;
        grid
    }

    pub(super) fn font(&self) -> Font {
        font((self.pitch * 0.32).clamp(8.0, 12.0), QUIET)
    }

    pub(super) fn width(&self) -> f64 {
        self.left + self.pitch * f64::from(self.columns)
    }

    pub(super) fn bottom(&self) -> f64 {
        self.top + self.pitch * f64::from(self.rows)
    }

    /// Returns the height including the names of the columns.
    pub(super) fn height(&self) -> f64 {
        self.bottom() + self.font().size + 6.0
    }

    /// Returns the centre of a site, given its column and row on the page from 0.
    pub(super) fn middle(&self, column: f64, row: f64) -> PaperPoint {
        (self.left + (column + 0.5) * self.pitch, self.top + (row + 0.5) * self.pitch)
    }

    /// Returns the centre of a site of a board with columns and rows.
    pub(super) fn place(&self, board: &Board, site: Site) -> PaperPoint {
        let (column, row) = (board.topology.column_of(site) - 1, board.topology.row_of(site));
        // A smaller board of a family has fewer rows than the topology. Its missing sites are never drawn.
        let down = if board.from_top { row - 1 } else { self.rows.max(row) - row };
        self.middle(column.into(), down.into())
    }
}

/// Returns the longest name of a row.
fn rows_label(scene: &Scene<'_>) -> String {
    rows(scene.board, scene.instance.number)
        .iter()
        .map(|row| row.number.to_string())
        .max_by_key(String::len)
        .unwrap_or_default()
}
