//! Pieces. Colour and mark show the owner; picture, shape or letter the kind.

use super::boards::fills::{TileWays, draw_block, draw_face_down, draw_fog, draw_ways};
use super::boards::men;
use super::boards::site_cards::card_zones;
use super::canvas::{Anchor, Canvas, Font, ShapeOutline, text_width};
use super::icons;
use super::land;
use super::palette::{self, CARD, Colours, FAINT, FRESH_EDGE, Ink, PENCILLED, QUIET, TEXT};
use super::paper::{self, areas};
use super::scene::GROUND;
use crate::draw::board::{in_words, one_each};
use crate::draw::margin::Margin;
use crate::layout::Icon;
use houserule_base::names::plain;
use houserule_game::drawing::{LINE, Symbol, kinds_on_sites, symbols};
use houserule_game::{Game, Seat};
use houserule_model::{Board, BoardId, LookForm, SeatLook, Value};

/// The look of a kind of piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceLook {
    /// Its colours.
    pub colours: Colours,
    /// Its shape.
    pub shape: PieceShape,
}

/// The shape of a piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PieceShape {
    /// Two pencil strokes.
    Cross,
    /// A ring drawn in pencil.
    Nought,
    /// A disc with a mark.
    Disc(DiscMark),
    /// A picture with a mark.
    Picture(Icon, DiscMark),
    /// A disc with a crown and a mark.
    Crowned(DiscMark),
    /// A disc with a mark that is struck through.
    Captured(DiscMark),
    /// A disc with a letter.
    Letter(String),
    /// A card with a letter.
    Card(String),
    /// A dot drawn in pencil.
    Dot,
    /// A dot with a ring around it.
    Ringed,
    /// A square.
    Square,
    /// A square standing on a corner.
    Diamond,
    /// A cross with a line through it that joins those of its neighbours.
    Struck,
    /// A ring of a pencil with a cross in it.
    CrossedRing,
    /// An empty box.
    Blank,
    /// A man that points away from its owner, with a letter; `true` if it points down.
    Wedge(String, bool),
    /// A filled square: nobody goes there.
    Block,
    /// A square that can't be looked into.
    Fog,
    /// A tile face down.
    FaceDown,
    /// A tile with two ways over it.
    Ways(TileWays),
    /// A number without a disc.
    Digit(char),
    /// A cell of a set that the rules show, with its letter.
    Ground(String),
}

/// The mark on a disc, which distinguishes seats without colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiscMark {
    /// None: the first seat's.
    None,
    /// A ring.
    Ring,
    /// A square.
    Square,
    /// A bar.
    Bar,
    /// A square standing on a corner.
    Diamond,
    /// A cross.
    Cross,
}

const MARKS: [DiscMark; 6] =
    [DiscMark::None, DiscMark::Ring, DiscMark::Square, DiscMark::Bar, DiscMark::Diamond, DiscMark::Cross];

/// The shapes of pieces without owner, in order. After the last come letters.
const SHAPES: [PieceShape; 4] =
    [PieceShape::Dot, PieceShape::Ringed, PieceShape::Square, PieceShape::Diamond];

impl PieceLook {
    /// Returns the token of a seat, for lists and for boards where each player has one kind of piece.
    pub fn of_seat(seat: Seat, seats: &[SeatLook]) -> PieceLook {
        let colours = palette::seat(seat, seats);
        let own = seats.get(seat.index()).map(|seat| (seat.look.letter, seat.name.as_str()));
        let shape = match own {
            Some((Some(letter), _)) => PieceShape::Letter(letter.to_string()),
            Some((None, "X" | "x")) => PieceShape::Cross,
            Some((None, "O" | "o")) => PieceShape::Nought,
            Some((None, name)) if name.chars().count() == 1 => PieceShape::Letter(name.to_owned()),
            _ => PieceShape::Disc(DiscMark::of_seat(seat, colours)),
        };
        PieceLook { colours, shape }
    }

    /// Returns a disc of a seat, with its mark.
    pub(super) fn of_disc(seat: Seat, seats: &[SeatLook]) -> PieceLook {
        let colours = palette::seat(seat, seats);
        PieceLook { colours, shape: PieceShape::Disc(DiscMark::of_seat(seat, colours)) }
    }

    /// Returns a disc of nobody.
    pub(super) fn plain() -> PieceLook {
        PieceLook { colours: palette::piece(0, &[]), shape: PieceShape::Disc(DiscMark::None) }
    }

    /// Returns the tokens of a board, in the order of its symbols.
    pub(super) fn all(game: &Game, board: &Board) -> Vec<PieceLook> {
        let all = symbols(game, board);
        let seats = &game.model().seat_looks();
        let one_each = |symbol: &Symbol| {
            let same = all.iter().filter(|other| other.player == symbol.player);
            same.count() == 1
        };
        let own: Vec<Option<Colours>> =
            all.iter().map(|symbol| symbol.colour.map(palette::piece_colours)).collect();
        let taken: Vec<Colours> = own.iter().copied().flatten().collect();
        let mut nobodys = 0;
        let is_paper = paper::is_meant(board);
        let of_nobody = |number: usize, taken: &[Colours]| match is_paper {
            true => PENCILLED,
            false => palette::piece(number, taken),
        };
        let shapes = men::shapes(game.model(), board, &all);
        let tokens = all.iter().zip(&own).zip(shapes).map(|((symbol, own), shape)| {
            let letter = || PieceShape::Letter(men::letter(symbol, &all));
            if let (Some(player), Some(shape)) = (symbol.player, &shape) {
                let colours = match shape {
                    PieceShape::Wedge(..) => men::wedge_colours(game.model(), board, symbol),
                    _ => own.unwrap_or_else(|| palette::seat(player, seats)),
                };
                return PieceLook { colours, shape: shape.marked(DiscMark::of_seat(player, colours)) };
            }
            if let Some(shape) = shape {
                nobodys += usize::from(own.is_none());
                let colours = own.unwrap_or_else(|| of_nobody(nobodys - 1, &taken));
                return PieceLook { colours, shape };
            }
            match (symbol.player, own) {
                // A man alone of its side needs no letter.
                (Some(player), _) if one_each(symbol) => {
                    let token = PieceLook::of_seat(player, seats);
                    PieceLook { colours: own.unwrap_or(token.colours), ..token }
                }
                (Some(player), _) => PieceLook {
                    colours: own.unwrap_or_else(|| palette::seat(player, seats)),
                    shape: letter(),
                },
                (None, _) if pencilled(&symbol.name).is_some() && !symbol.lettered => {
                    nobodys += 1;
                    let shape = pencilled(&symbol.name).unwrap_or(PieceShape::Cross);
                    PieceLook { colours: own.unwrap_or(of_nobody(0, &[])), shape }
                }
                (None, Some(colours)) => {
                    let alone = taken.iter().filter(|other| *other == colours).count() == 1;
                    // Black and white need no mark to be told apart.
                    let plain = colours.are_plain() && alone && !symbol.lettered;
                    let shape = match symbol.character {
                        LINE => PieceShape::Dot,
                        _ if plain => PieceShape::Disc(DiscMark::None),
                        _ => letter(),
                    };
                    PieceLook { colours: *colours, shape }
                }
                (None, None) => {
                    nobodys += 1;
                    let colours = of_nobody(nobodys - 1, &taken);
                    let shape = match SHAPES.get(nobodys - 1) {
                        _ if symbol.character == LINE => PieceShape::Dot,
                        Some(shape) if !symbol.lettered => shape.clone(),
                        _ => letter(),
                    };
                    PieceLook { colours, shape }
                }
            }
        });
        tokens.collect()
    }

    /// Returns the token of a value in the margin.
    pub(super) fn of_margin(game: &Game, margin: &Margin, value: &Value) -> PieceLook {
        match margin.is_first(game, value) {
            true => PieceLook { colours: palette::piece(0, &[]), shape: PieceShape::Blank },
            false => PieceLook::of_sign(margin, &margin.sign(game, value)),
        }
    }

    /// Returns the token of a sign in the margin, for a value other than the initial one.
    fn of_sign(margin: &Margin, sign: &str) -> PieceLook {
        PieceLook {
            colours: palette::piece(margin.place(sign), &[]),
            shape: PieceShape::Letter(sign.to_owned()),
        }
    }

    /// Draws the token at a position. `r` is the maximum radius of a piece.
    pub fn draw(&self, canvas: &mut Canvas<'_>, centre: (f64, f64), r: f64) {
        let (x, y) = centre;
        let Colours { body, edge, mark } = self.colours;
        let pencil = ShapeOutline { ink: body, width: r * 0.3 };
        if r < LEAST_OUTLINED && matches!(self.shape, PieceShape::Disc(_) | PieceShape::Letter(_)) {
            canvas.circle((x, y), r * 0.92, Some(self.colours.stroke()), None);
            return;
        }
        match &self.shape {
            PieceShape::Cross => {
                let d = r * 0.6;
                let strokes = [vec![(x - d, y - d), (x + d, y + d)], vec![(x - d, y + d), (x + d, y - d)]];
                canvas.lines(&strokes, pencil);
            }
            PieceShape::Struck => {
                PieceLook { colours: self.colours, shape: PieceShape::Cross }.draw(canvas, (x, y), r);
                // Joins the lines of neighbouring sites.
                canvas.line(
                    &[(x - r * 1.3, y), (x + r * 1.3, y)],
                    ShapeOutline { ink: FRESH_EDGE, width: r * 0.3 },
                );
            }
            PieceShape::Blank => {
                canvas.circle((x, y), r * 0.8, None, Some(ShapeOutline { ink: FAINT, width: r * 0.2 }));
            }
            PieceShape::CrossedRing => {
                let width = r * 0.2;
                canvas.circle((x, y), r * 0.8, None, Some(ShapeOutline { ink: body, width }));
                let d = r * 0.5;
                let strokes = [vec![(x - d, y - d), (x + d, y + d)], vec![(x - d, y + d), (x + d, y - d)]];
                canvas.lines(&strokes, ShapeOutline { ink: body, width });
            }
            PieceShape::Nought => canvas.circle((x, y), r * 0.68, None, Some(pencil)),
            PieceShape::Disc(on) => {
                canvas.circle((x, y), r * 0.88, Some(body), Some(ShapeOutline { ink: edge, width: r * 0.1 }));
                on.draw(canvas, (x, y), r * 0.42, mark);
            }
            PieceShape::Picture(icon, on) => men::draw(canvas, *icon, *on, self.colours, (x, y), r),
            PieceShape::Crowned(on) => {
                canvas.circle((x, y), r * 0.88, Some(body), Some(ShapeOutline { ink: edge, width: r * 0.1 }));
                // A mark of the owner stands below the crown.
                let (up, size) = if *on == DiscMark::None { (0.0, 1.05) } else { (r * 0.18, 0.85) };
                icons::icon(canvas, Icon::Crown, (x, y - up), r * size, mark, None);
                on.draw(canvas, (x, y + r * 0.52), r * 0.18, mark);
            }
            PieceShape::Captured(on) => {
                PieceLook { colours: self.colours, shape: PieceShape::Disc(*on) }.draw(canvas, (x, y), r);
                let d = r * 0.86;
                canvas.line(&[(x - d, y + d), (x + d, y - d)], ShapeOutline { ink: TEXT, width: r * 0.26 });
            }
            PieceShape::Letter(letter) => {
                canvas.circle((x, y), r * 0.88, Some(body), Some(ShapeOutline { ink: edge, width: r * 0.1 }));
                word(canvas, (x, y), r, mark, letter);
            }
            PieceShape::Card(letter) => {
                let edge = ShapeOutline { ink: edge, width: r * 0.1 };
                canvas.rect((x - r * 0.8, y - r * 0.8), (r * 1.6, r * 1.6), r * 0.25, Some(body), Some(edge));
                word(canvas, (x, y), r, mark, letter);
            }
            PieceShape::Ground(letter) => {
                let (corner, size) = ((x - r * 0.9, y - r * 0.9), (r * 1.8, r * 1.8));
                canvas.pale(GROUND, |canvas| canvas.rect(corner, size, r * 0.3, Some(body), None));
                word(canvas, (x, y), r, mark, letter);
            }
            PieceShape::Wedge(letter, points_down) => {
                men::draw_wedge(canvas, self.colours, letter, *points_down, centre, r);
            }
            PieceShape::Block => draw_block(canvas, centre, r, self.colours),
            PieceShape::Fog => draw_fog(canvas, centre, r),
            PieceShape::FaceDown => draw_face_down(canvas, centre, r),
            PieceShape::Ways(ways) => draw_ways(canvas, centre, r, *ways),
            PieceShape::Digit(digit) => {
                let font = Font { size: r * 1.3, bold: true, ink: self.colours.stroke() };
                canvas.text((x, y + font.size * 0.36), Anchor::Middle, font, &digit.to_string());
            }
            PieceShape::Dot => canvas.circle((x, y), r * 0.52, Some(body), None),
            PieceShape::Ringed => {
                canvas.circle((x, y), r * 0.36, Some(body), None);
                canvas.circle((x, y), r * 0.74, None, Some(ShapeOutline { ink: body, width: r * 0.16 }));
            }
            PieceShape::Square => {
                let d = r * 0.62;
                canvas.rect((x - d, y - d), (2.0 * d, 2.0 * d), r * 0.14, Some(body), None);
            }
            PieceShape::Diamond => {
                let d = r * 0.76;
                canvas.shapes(&[vec![(x, y - d), (x + d, y), (x, y + d), (x - d, y)]], r * 0.1, body);
            }
        }
    }
}

/// Least radius of a piece whose outline and mark are seen.
const LEAST_OUTLINED: f64 = 4.0;

/// Least size of a letter on a piece.
const LEAST_LETTER: f64 = 6.0;

/// Writes a letter or a short word on a piece.
fn word(canvas: &mut Canvas<'_>, centre: (f64, f64), r: f64, ink: Ink, text: &str) {
    let (x, y) = centre;
    let wide = text_width(text, Font { size: 1.0, bold: true, ink });
    if wide > 0.0 {
        let scale = r * (1.38 / wide).min(1.0);
        // The legend tells colours, and a letter that small tells nothing.
        if scale * 1.05 < LEAST_LETTER {
            return;
        }
        canvas.text(
            (x, y + scale * 0.37),
            Anchor::Middle,
            Font { size: scale * 1.05, bold: true, ink },
            text,
        );
    }
}

/// Returns the pencil shape of pieces with certain names.
fn pencilled(name: &str) -> Option<PieceShape> {
    match name {
        "cross" => Some(PieceShape::Cross),
        "struck" => Some(PieceShape::Struck),
        _ => None,
    }
}

impl PieceShape {
    /// Returns the shape with another mark, if it has one.
    fn marked(&self, mark: DiscMark) -> PieceShape {
        match self {
            PieceShape::Picture(icon, _) => PieceShape::Picture(*icon, mark),
            PieceShape::Crowned(_) => PieceShape::Crowned(mark),
            PieceShape::Captured(_) => PieceShape::Captured(mark),
            PieceShape::Disc(_) => PieceShape::Disc(mark),
            other => other.clone(),
        }
    }

    /// Returns `true` for a dot of a pencil.
    pub(super) fn is_dot(&self) -> bool {
        matches!(self, PieceShape::Dot | PieceShape::Ringed)
    }
}

impl DiscMark {
    /// Returns the mark of a seat's pieces of some colours. Black and white need none.
    pub(super) fn of_seat(seat: Seat, colours: Colours) -> DiscMark {
        if colours.are_plain() { DiscMark::None } else { MARKS[seat.index() % MARKS.len()] }
    }

    pub(super) fn draw(self, canvas: &mut Canvas<'_>, centre: (f64, f64), r: f64, ink: Ink) {
        let (x, y) = centre;
        let edge = ShapeOutline { ink, width: r * 0.42 };
        match self {
            DiscMark::None => {}
            DiscMark::Ring => canvas.circle((x, y), r * 0.86, None, Some(edge)),
            DiscMark::Square => {
                canvas.rect((x - r * 0.75, y - r * 0.75), (r * 1.5, r * 1.5), r * 0.2, Some(ink), None)
            }
            DiscMark::Bar => canvas.line(&[(x - r, y), (x + r, y)], edge),
            DiscMark::Diamond => {
                canvas.shapes(&[vec![(x, y - r), (x + r, y), (x, y + r), (x - r, y)]], r * 0.1, ink)
            }
            DiscMark::Cross => {
                let d = r * 0.8;
                let strokes = [vec![(x - d, y - d), (x + d, y + d)], vec![(x - d, y + d), (x + d, y - d)]];
                canvas.lines(&strokes, edge);
            }
        }
    }
}

/// Returns the pieces that neither the list of seats nor their pictures explain, each once, with its name.
pub fn named(game: &Game) -> Vec<(PieceLook, String)> {
    let model = game.model();
    let mut told: Vec<(PieceLook, String)> = Vec::new();
    for (at, board) in (0..).zip(&model.boards) {
        let tokens = PieceLook::all(game, board);
        let all = symbols(game, board);
        for (symbol, token) in all.iter().cloned().zip(tokens.iter().cloned()) {
            let look = men::find_look(model, &symbol);
            let is_dot = paper::is_meant(board) && matches!(token.shape, PieceShape::Disc(_));
            let explained = look.form == LookForm::Nothing
                || is_dot && symbol.player.is_some()
                || look.form != LookForm::Token && land::lies_on_another(model, BoardId(at))
                || symbol.player.is_some() && one_each(game, BoardId(at))
                || symbol.character == LINE
                || look.form == LookForm::Token && matches!(token.shape, PieceShape::Picture(..))
                || symbol.player.is_none() && areas::are_drawn_on(model, board);
            let token = match look.form {
                LookForm::Area | LookForm::Line => {
                    let (body, edge) = look.colour.map_or((QUIET, TEXT), palette::land);
                    let colours = Colours { body, edge, mark: QUIET };
                    PieceLook { colours, shape: PieceShape::Ground(String::new()) }
                }
                _ => token,
            };
            // Kinds that look the same have the name of all.
            let kinds = all.iter().zip(&tokens).filter(|(other, _)| other.piece == symbol.piece);
            let name = match kinds.filter(|(_, other)| **other == token).count() {
                1 => in_words(&symbol, board),
                _ => plain(&model.slots[symbol.piece.index()].name),
            };
            // The men of one player explain those of all, if their letters are the same.
            let (is_other, name) = match &token.shape {
                PieceShape::Letter(_) | PieceShape::Wedge(..) => men::one_for_all(model, &symbol, &all, name),
                _ => (false, name),
            };
            if !explained && !is_other && told.iter().all(|(known, _)| *known != token) {
                told.push((token, name));
            }
        }
        for ground in &board.grounds {
            let ink = palette::ground(ground.look.colour);
            let letter = ground.look.letter.map_or_else(String::new, String::from);
            told.push((
                PieceLook {
                    colours: Colours { body: ink, edge: ink, mark: QUIET },
                    shape: PieceShape::Ground(letter),
                },
                plain(&ground.name),
            ));
        }
        let are_cards = !card_zones(game, BoardId(at)).is_empty();
        for kind in kinds_on_sites(model, BoardId(at)).into_iter().filter(|_| !are_cards) {
            let colours = kind.colour.map_or(CARD, palette::card_colours);
            told.push((
                PieceLook { colours, shape: PieceShape::Card(kind.letter.to_string()) },
                plain(&kind.name),
            ));
        }
        for margin in &Margin::all(game, BoardId(at)) {
            for (letter, name) in margin.legend(game) {
                let token = PieceLook::of_sign(margin, &letter.to_string());
                let shape = match margin.place(&letter.to_string()) {
                    _ if !paper::is_meant(board) => token.shape,
                    0 => PieceShape::Nought,
                    _ => PieceShape::CrossedRing,
                };
                let colours = if paper::is_meant(board) { PENCILLED } else { token.colours };
                told.push((PieceLook { colours, shape }, plain(&name)));
            }
        }
    }
    told
}
