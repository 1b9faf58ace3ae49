//! The contents of one board, and what the drawings of all kinds of boards share: pieces, highlights, lines,
//! coordinates.

use std::collections::BTreeSet;

use super::boards::counters::{CounterPile, counter_piles};
use super::boards::crop::{self, BoardPart};
use super::boards::site_cards::card_zones;
use super::boards::{fills, marks, men, owners, piles};
use super::canvas::{Anchor, Canvas, Font, ShapeOutline, text_width};
use super::land::{self, links, shapes};
use super::palette::{self, CAN, FRESH, FRESH_EDGE, Ink, PAPER, PIP, QUIET, TEXT};
use super::paper::sums::{LaneSums, lane_sums};
use super::paper::{self, areas};
use super::strokes::{Stroke, borders, strokes};
use super::tiles::names_lanes;
use super::token::PieceLook;
use crate::draw::last::{Last, legal, may_see_legal, sites_of};
use crate::draw::margin::Margin;
use houserule_game::Onlookers;
use houserule_game::drawing::{
    DrawingRow, FACE_DOWN, Instance, Marked, SiteContents, columns, links_of, numbers, rows, sides_of,
};
use houserule_game::explain::things::ActionThings;
use houserule_game::{ActionId, Seat, State};
use houserule_model::board::{BitSet, Shape, Site};
use houserule_model::{Board, BoardId, DomainId, Ground, LookForm, SeatLook, SlotId};

/// A position on the paper.
pub(super) type PaperPoint = (f64, f64);

/// Returns how many things lie side by side if they fill a square.
pub(super) fn side_of_square(count: usize) -> usize {
    (1..).find(|side| side * side >= count).unwrap_or(1)
}

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
    /// Where the piece that the last move moved stood and stands, if it moved a single one.
    pub(super) went: Option<[Site; 2]>,
    /// The sites that legal actions name, if they are shown and say something.
    pub(super) legal: BitSet,
    /// The sites that have a dashed frame.
    pub(super) framed: BitSet,
    /// The part of the board that is drawn, if most of it is empty.
    pub(super) part: Option<BoardPart>,
    /// Sites whose pieces aren't drawn: something else says that they are there.
    covered: BitSet,
    pub(super) strokes: Vec<Stroke>,
    /// The points of its rows and columns, if they are written into its margin.
    pub(super) sums: LaneSums,
    /// The zones whose cards lie on its sites, and their domains.
    pub(super) card_zones: &'s [(SlotId, DomainId)],
    /// Those who look.
    pub(super) sight: Onlookers,
    /// The seat at the bottom of the page.
    pub(super) bottom: usize,
    /// The edges of the board that players have to join.
    pub(super) borders: Vec<(Seat, BitSet)>,
    /// The sides of the cells, if they are sites.
    pub(super) sides: Option<Box<Scene<'s>>>,
    /// The links between the sites, if they are sites of their own.
    pub(super) links: Option<Box<Scene<'s>>>,
    /// The finer board that lies on it.
    pub(super) over: Option<Box<Scene<'s>>>,
    /// The things that actions name.
    pub(super) named: ActionThings,
    /// `true` if columns have numbers in place of their names.
    numbered: bool,
    pub(super) size: SceneSize,
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
            let other = Marked::seen(other, instance, Onlookers::EVERYTHING);
            for (mark, _) in marked.marks.iter_mut().zip(other.marks).filter(|(mark, other)| *mark != other) {
                *mark = SiteContents::Empty;
            }
            for (lying, other) in marked.piles.iter_mut().zip(other.piles) {
                lying.retain(|pile| other.contains(pile));
            }
        }
    }
}

impl KeptMarks {
    /// Removes all other counters: of those that aren't kept, only their places are shown.
    pub(super) fn remove_counters(&self, piles: &mut [CounterPile]) {
        let others: Vec<Vec<CounterPile>> =
            self.others.iter().map(|other| counter_piles(other, Onlookers::EVERYTHING)).collect();
        for (at, pile) in piles.iter_mut().enumerate() {
            let is_same =
                |other: &Vec<CounterPile>| other.get(at).is_some_and(|other| other.count == pile.count);
            if !self.slots.contains(&pile.slot) || !others.iter().all(is_same) {
                pile.count = Some(0);
            }
        }
    }
}

/// The corners of sites as cells, and how round they are.
#[derive(Clone, Copy)]
pub(super) struct SiteCorners<'c> {
    /// The corners of its ground.
    pub(super) at: &'c dyn Fn(Site) -> Vec<PaperPoint>,
    /// The corners that it has in common with its neighbours.
    pub(super) whole: &'c dyn Fn(Site) -> Vec<PaperPoint>,
    pub(super) round: f64,
}

/// The greatest distance between sites, and where cards lie.
const PITCH: f64 = 66.0;
/// Least width of the name of a row that can be chosen.
const LEAST_LANE: f64 = 24.0;
const CARD_PITCH: f64 = 104.0;

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
    /// Returns the sites of the board that are drawn. A smaller board of a family lacks some.
    pub(super) fn sites(&self) -> impl Iterator<Item = Site> + use<'s> {
        let (board, number, part) = (self.board, self.instance.number, self.part);
        let is_drawn = move |site: &Site| part.is_none_or(|part| part.has_site(board, *site));
        board.topology.sites().filter(move |site| board.has_site(number, *site) && is_drawn(site))
    }

    pub(super) fn new(
        state: &'s State,
        instance: &Instance,
        last: &Last,
        sight: Onlookers,
        shows_legal: bool,
        size: SceneSize,
    ) -> Self {
        let game = state.game();
        let board = &game.model().boards[instance.board.index()];
        let marked = Marked::seen(state, instance, sight);
        let scene = |board| {
            let instance = Instance { board, ..instance.clone() };
            Box::new(Scene::new(state, &instance, last, sight, shows_legal, size))
        };
        let sides = sides_of(game, instance.board).map(scene);
        let links = links_of(game, instance.board).map(scene);
        let over = land::finer(game.model(), instance.board).map(scene);
        let none = BitSet::empty(board.topology.size());
        // A board on paper is whole.
        let may_be_part = matches!(size, SceneSize::Room(_)) && crop::is_large(game.model(), instance.board);
        let open = match (shows_legal || may_be_part) && may_see_legal(state, sight) {
            true => legal(state, instance),
            false => none.clone(),
        };
        let mut scene = Scene {
            state,
            board,
            tokens: PieceLook::all(game, board),
            seats: game.model().seat_looks(),
            fresh: last.changed(state, instance, sight),
            went: None,
            legal: none.clone(),
            framed: none.clone(),
            part: None,
            covered: none,
            strokes: strokes(state, instance, sight),
            sums: if paper::is_meant(board) {
                lane_sums(state, instance, sight)
            } else {
                LaneSums::default()
            },
            card_zones: card_zones(state.game(), instance.board),
            sight,
            bottom: 0,
            borders: borders(state, instance.board),
            sides,
            links,
            over,
            named: ActionThings::default(),
            numbered: false,
            size,
            marked,
            instance: instance.clone(),
        };
        scene.covered = areas::covered(&scene).union(&shapes::covered(&scene));
        // A way bends.
        let is_way = !board.look.places.is_empty() && !matches!(board.topology.shape(), Shape::Graph);
        scene.went = if is_way { None } else { scene.find_moved(last) };
        if may_be_part {
            scene.part = crop::find_part(&scene, &open);
        }
        if shows_legal {
            let sites: Vec<Site> = scene.sites().collect();
            // That a player may choose on the board of another says something anyway.
            scene.legal = match marks::is_of_another(&scene) {
                true => open,
                false => marks::without_plain(&scene.marked, &sites, &open, state.current_player()),
            };
        }
        scene
    }

    /// Frames the sites that legal actions of some options name, as far as they say something.
    pub(super) fn frame_sites_of(&mut self, options: &[String]) {
        if options.is_empty() {
            return;
        }
        let game = self.state.game();
        let of_one = |action: &ActionId| {
            game.action_block(*action).is_some_and(|block| options.contains(&block.option))
        };
        let named = sites_of(self.state, &self.instance, &of_one);
        let shown = self.legal.sites().filter(|site| named.contains(site.0));
        self.framed = BitSet::from_sites(self.legal.size(), shown);
    }

    /// Returns where the only piece that the last move moved stood and stands.
    fn find_moved(&self, last: &Last) -> Option<[Site; 2]> {
        let before = last.before().filter(|_| self.fresh.len() > 1)?;
        let ends = marks::find_moved(&Marked::new(before, &self.instance), &self.marked)?;
        (!marks::is_across_edges(self, ends)).then_some(ends)
    }

    /// Returns `true` if two players have pieces on the board, and no other player has any.
    pub(super) fn has_two_sides(&self) -> bool {
        let mut owners: Vec<Seat> = self.marked.symbols.iter().filter_map(|symbol| symbol.player).collect();
        owners.sort_unstable();
        owners.dedup();
        owners.len() == 2
    }

    /// Creates the scene of a board on paper: without lines, and with some of the pieces and numbers only.
    pub(super) fn printed(state: &'s State, instance: &Instance, kept: &KeptMarks, pitch: f64) -> Self {
        let mut scene = Scene::new(
            state,
            instance,
            &Last::default(),
            Onlookers::EVERYTHING,
            false,
            SceneSize::Pitch(pitch),
        );
        scene.remove_other_marks(kept);
        scene.numbered = kept.numbered.contains(&instance.board);
        scene
    }

    /// Removes all marks that aren't among these, and all lines.
    fn remove_other_marks(&mut self, kept: &KeptMarks) {
        kept.remove_others(self.state, &self.instance, &mut self.marked);
        self.strokes.clear();
        self.sums = LaneSums::default();
        if let Some(sides) = &mut self.sides {
            sides.remove_other_marks(kept);
        }
    }

    /// Returns the distance between neighbouring sites, for a number of columns and rows.
    pub(super) fn pitch(&self, columns: f64, rows: f64) -> f64 {
        let most = if self.card_zones.is_empty() { PITCH } else { CARD_PITCH };
        self.pitch_or(|room| match room / columns.max(rows) {
            narrow if narrow < 11.0 => narrow.max(3.0),
            pitch => pitch.min(most).floor(),
        })
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
            SiteContents::Piece(at) => self.tokens.get(*at).filter(|_| !self.is_unseen(*at)),
            _ => None,
        }
    }

    /// Returns `true` if the piece on a site isn't drawn: something else says that it is there.
    pub(super) fn is_covered(&self, site: Site) -> bool {
        self.covered.contains(site.0)
    }

    /// Returns `true` if a site isn't drawn, because what stands there is shown as nothing.
    pub(super) fn is_left_out(&self, site: Site) -> bool {
        self.marked.lying(site).is_empty()
            && matches!(self.marked.marks.get(site.index()), Some(SiteContents::Piece(at)) if self.is_unseen(*at))
    }

    /// Returns `true` for a kind of piece that the rules show as nothing.
    fn is_unseen(&self, symbol: usize) -> bool {
        let symbol = self.marked.symbols.get(symbol);
        symbol.is_some_and(|symbol| men::is_unseen(self.state.game().model(), symbol))
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
        shapes::draw(self, canvas, at, cell, r);
        canvas.part("grounds", |canvas| {
            let is_filled = |ground: &&Ground| ground.look.form == LookForm::Token;
            for ground in self.board.grounds.iter().filter(is_filled) {
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
                    canvas.text((x, y + size * 0.36), Anchor::Middle, font(size, TEXT), &letter.to_string());
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
                let width = r * if won { 0.26 } else { 0.34 };
                if won {
                    // A rim of paper, so that the line is seen on pieces of any colour.
                    canvas.lines(&through, ShapeOutline { ink: PAPER, width: width + 2.0 });
                }
                canvas.lines(&through, ShapeOutline { ink: stroke.ink, width });
            }
        };
        canvas.part("lines", |canvas| canvas.pale(0.32, |canvas| lines(canvas, false)));
        if let Some(links) = &self.links {
            match links::link_look(links) {
                Some(_) => links::draw(links, canvas, at, links::POINT),
                None => canvas.part("links", |canvas| links.link(canvas, at, r)),
            }
        }
        self.arrow(canvas, at, r);
        canvas.part("pieces", |canvas| {
            for site in self.sites() {
                self.contents(canvas, site, at(site), r);
            }
        });
        land::counters(self, canvas, at, r * 1.5);
        canvas.part("won", |canvas| canvas.pale(0.8, |canvas| lines(canvas, true)));
        owners::draw_owners(self, canvas, at, r);
        self.hints(canvas, at, r);
    }

    /// Draws what a site holds: a pile, a piece or a number.
    pub(super) fn contents(&self, canvas: &mut Canvas<'_>, site: Site, place: PaperPoint, r: f64) {
        let (x, y) = place;
        if piles::lie(self, site) {
            piles::draw(self, canvas, site, place, r);
        } else if let Some(token) = self.token(site) {
            if !self.covered.contains(site.0) && !fills::is_cell(self.board, &token.shape) {
                token.draw(canvas, place, r);
            }
        } else if let Some(number) = self.marked.number(site) {
            let text = number.to_string();
            let size = (r * 0.9).min(r * 1.8 / text_width(&text, font(1.0, TEXT)).max(0.1));
            let is_tile = self.marked.symbols.is_empty() && !paper::is_meant(self.board) && !canvas.prints();
            if is_tile {
                fills::draw_number_tile(canvas, place, r, number);
            }
            let written = Font { size, bold: is_tile, ink: if is_tile { PIP } else { TEXT } };
            canvas.text((x, y + size * 0.36), Anchor::Middle, written, &text);
        } else if self.is_hidden(site) && !self.legal.contains(site.0) {
            // A dot takes its place where it may be chosen.
            let size = r * 0.9;
            let text = FACE_DOWN.to_string();
            canvas.text((x, y + size * 0.36), Anchor::Middle, font(size, TEXT), &text);
        }
        piles::draw_numbers(self, canvas, site, place, r);
    }

    /// Draws the pieces on links between sites as lines, the last one with a bright edge, and marks legal links.
    fn link(&self, canvas: &mut Canvas<'_>, at: &dyn Fn(Site) -> PaperPoint, r: f64) {
        let line = |link: Site| self.board.topology.ends(link).map(|ends| ends.map(at).to_vec());
        let fresh: Vec<Vec<PaperPoint>> = self.fresh.sites().filter_map(line).collect();
        let mut inks: Vec<(Ink, Vec<Vec<PaperPoint>>)> = vec![];
        for link in self.board.topology.sites() {
            let (Some(token), Some(line)) = (self.token(link), line(link)) else { continue };
            let ink = token.colours.stroke();
            match inks.iter_mut().find(|(own, _)| *own == ink) {
                Some((_, lines)) => lines.push(line),
                None => inks.push((ink, vec![line])),
            }
        }
        canvas.lines(&fresh, ShapeOutline { ink: FRESH_EDGE, width: r * 0.8 });
        for (ink, lines) in inks {
            canvas.lines(&lines, ShapeOutline { ink, width: r * 0.4 });
        }
        let legal: Vec<Vec<PaperPoint>> = self.legal.sites().filter_map(line).collect();
        canvas.pale(0.5, |canvas| canvas.lines(&legal, ShapeOutline { ink: CAN, width: r * 0.15 }));
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
                for (at, row) in grid.shown_rows(self) {
                    let (_, y) = grid.middle(0.0, at.into());
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
        let shown = |number: usize| grid.pitch >= 17.0 || number.is_multiple_of(5);
        canvas.part("coordinates", |canvas| {
            for (number, name) in grid.shown_columns(self) {
                if shown(number as usize) {
                    let (x, _) = grid.middle(f64::from(number) - 1.0, 0.0);
                    canvas.text((x, grid.bottom() + out + font.size + 3.0), Anchor::Middle, font, &name);
                }
            }
            for (at, row) in grid.shown_rows(self) {
                if shown(row.number as usize) {
                    let y = grid.middle(0.0, at.into()).1 + font.size * 0.36;
                    canvas.text((grid.left - out - 6.0, y), Anchor::End, font, &row.number.to_string());
                }
            }
        });
    }
}

/// Least size of a text in a picture. On paper smaller ones are legible.
pub(super) const LEAST_SIZE: f64 = 10.5;

/// Returns a regular font.
pub fn font(size: f64, ink: Ink) -> Font {
    Font { size, bold: false, ink }
}

/// The positions of columns and rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct GridPositions {
    /// The number of columns that are drawn.
    pub(super) columns: u32,
    /// The number of rows that are drawn.
    pub(super) rows: u32,
    pub(super) pitch: f64,
    pub(super) left: f64,
    pub(super) top: f64,
    /// The first column and row on the page that are drawn, from 0.
    pub(super) first: (u32, u32),
    /// The number of rows of the whole board.
    all_rows: u32,
}

impl GridPositions {
    /// Creates a grid with space for coordinates on the left and below.
    pub(super) fn new(scene: &Scene<'_>, columns: u32, rows: u32) -> GridPositions {
        let whole = BoardPart { first: (0, 0), columns, rows };
        let part = scene.part.unwrap_or(whole);
        let pitch = scene.pitch(part.columns.into(), part.rows.into());
        let longest = rows_label(scene);
        let BoardPart { first, columns, .. } = part;
        let mut grid =
            GridPositions { columns, rows: part.rows, pitch, left: 0.0, top: 0.0, first, all_rows: rows };
        grid.left = text_width(&longest, grid.font()) + 7.0;
        if names_lanes(scene, &scene.named) {
            grid.left = grid.left.max(LEAST_LANE);
        }
        grid
    }

    pub(super) fn font(&self) -> Font {
        font((self.pitch * 0.32).clamp(LEAST_SIZE, 12.0), QUIET)
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
        let (first_column, first_row) = (f64::from(self.first.0), f64::from(self.first.1));
        let (x, y) = (column - first_column + 0.5, row - first_row + 0.5);
        (self.left + x * self.pitch, self.top + y * self.pitch)
    }

    /// Returns the columns that are drawn: the number and the name of each.
    pub(super) fn shown_columns(&self, scene: &Scene<'_>) -> impl Iterator<Item = (u32, String)> {
        let drawn = self.first.0..self.first.0 + self.columns;
        let all = scene.columns(columns(scene.board, scene.instance.number));
        all.filter(move |(number, _)| drawn.contains(&(number - 1)))
    }

    /// Returns the rows that are drawn, each after its place on the page, from 0.
    pub(super) fn shown_rows(&self, scene: &Scene<'_>) -> impl Iterator<Item = (u32, DrawingRow)> {
        let drawn = self.first.1..self.first.1 + self.rows;
        let all = (0u32..).zip(rows(scene.board, scene.instance.number));
        all.filter(move |(at, _)| drawn.contains(at))
    }

    /// Returns the centre of a site of a board with columns and rows.
    pub(super) fn place(&self, board: &Board, site: Site) -> PaperPoint {
        let (column, row) = crop::place(board, site, self.all_rows);
        self.middle(column.into(), row.into())
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
