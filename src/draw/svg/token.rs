//! Pieces. Colour and mark show the owner, shape or letter the kind.

use super::canvas::{Anchor, Canvas, Edge, Font};
use super::palette::{self, Colours, FAINT, FRESH_EDGE, Ink};
use crate::draw::board::one_each;
use crate::draw::margin::Margin;
use crate::draw::words::plain;
use crate::engine::Game;
use crate::engine::drawing::{LINE, Symbol, symbols};
use crate::lang::model::{Board, BoardId, Value};

/// The look of a kind of piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) colours: Colours,
    pub(super) shape: Shape,
}

/// The shape of a piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Two pencil strokes.
    Cross,
    /// A ring drawn in pencil.
    Nought,
    /// A disc with a mark.
    Disc(Mark),
    /// A disc with a letter.
    Letter(String),
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
    /// An empty box.
    Blank,
}

/// The mark on a disc, which distinguishes seats without colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    None,
    Ring,
    Square,
    Bar,
    Diamond,
    Cross,
}

const MARKS: [Mark; 6] = [Mark::None, Mark::Ring, Mark::Square, Mark::Bar, Mark::Diamond, Mark::Cross];

/// The shapes of pieces without owner, in order. After the last come letters.
const SHAPES: [Shape; 4] = [Shape::Dot, Shape::Ringed, Shape::Square, Shape::Diamond];

impl Token {
    /// Returns the token of a seat, for lists and for boards where each player has one kind of piece.
    pub(super) fn of_seat(seat: usize, names: &[String]) -> Token {
        let colours = palette::seat(seat, names);
        let shape = match names.get(seat).map(String::as_str) {
            Some("X" | "x") => Shape::Cross,
            Some("O" | "o") => Shape::Nought,
            Some(name) if name.chars().count() == 1 => Shape::Letter(name.to_owned()),
            // Black and white need no mark.
            _ if colours.are_plain() => Shape::Disc(Mark::None),
            _ => Shape::Disc(MARKS[seat % MARKS.len()]),
        };
        Token { colours, shape }
    }

    /// Returns the tokens of a board, in the order of its symbols.
    pub(super) fn all(game: &Game, board: &Board) -> Vec<Token> {
        let all = symbols(game, board);
        let names = &game.model().players.names;
        let one_each = |symbol: &Symbol| {
            let same = all.iter().filter(|other| other.player == symbol.player);
            same.count() == 1
        };
        let own: Vec<Option<Colours>> = all.iter().map(|symbol| symbol.colour.map(palette::of)).collect();
        let taken: Vec<Colours> = own.iter().copied().flatten().collect();
        let mut nobodys = 0;
        let tokens = all.iter().zip(&own).map(|(symbol, own)| {
            let letter = || Shape::Letter(symbol.character.to_string());
            match (symbol.player, own) {
                (Some(player), _) if one_each(symbol) && !symbol.lettered => {
                    let token = Token::of_seat(player, names);
                    Token { colours: own.unwrap_or(token.colours), ..token }
                }
                (Some(player), _) => {
                    Token { colours: own.unwrap_or_else(|| palette::seat(player, names)), shape: letter() }
                }
                (None, _) if pencilled(&symbol.name).is_some() && !symbol.lettered => {
                    nobodys += 1;
                    let shape = pencilled(&symbol.name).unwrap_or(Shape::Cross);
                    Token { colours: own.unwrap_or(palette::piece(0, &[])), shape }
                }
                (None, Some(colours)) => {
                    let alone = taken.iter().filter(|other| *other == colours).count() == 1;
                    // Black and white need no mark to be told apart.
                    let plain = colours.are_plain() && alone && !symbol.lettered;
                    let shape = match symbol.character {
                        LINE => Shape::Dot,
                        _ if plain => Shape::Disc(Mark::None),
                        _ => letter(),
                    };
                    Token { colours: *colours, shape }
                }
                (None, None) => {
                    nobodys += 1;
                    let colours = palette::piece(nobodys - 1, &taken);
                    let shape = match SHAPES.get(nobodys - 1) {
                        _ if symbol.character == LINE => Shape::Dot,
                        Some(shape) if !symbol.lettered => shape.clone(),
                        _ => letter(),
                    };
                    Token { colours, shape }
                }
            }
        });
        tokens.collect()
    }

    /// Returns the token of a value in the margin.
    pub(super) fn of_margin(game: &Game, margin: &Margin, value: &Value) -> Token {
        match margin.is_first(game, value) {
            true => Token { colours: palette::piece(0, &[]), shape: Shape::Blank },
            false => Token::of_sign(margin, &margin.sign(game, value)),
        }
    }

    /// Returns the token of a sign in the margin, for a value other than the initial one.
    fn of_sign(margin: &Margin, sign: &str) -> Token {
        Token { colours: palette::piece(margin.place(sign), &[]), shape: Shape::Letter(sign.to_owned()) }
    }

    /// Draws the token at a position. `r` is the maximum radius of a piece.
    pub(super) fn draw(&self, canvas: &mut Canvas<'_>, (x, y): (f64, f64), r: f64) {
        let Colours { body, edge, mark } = self.colours;
        let pencil = Edge { ink: body, width: r * 0.3 };
        match &self.shape {
            Shape::Cross => {
                let d = r * 0.6;
                let strokes = [vec![(x - d, y - d), (x + d, y + d)], vec![(x - d, y + d), (x + d, y - d)]];
                canvas.lines(&strokes, pencil);
            }
            Shape::Struck => {
                Token { colours: self.colours, shape: Shape::Cross }.draw(canvas, (x, y), r);
                // Joins the lines of neighbouring sites.
                canvas.line(&[(x - r * 1.3, y), (x + r * 1.3, y)], Edge { ink: FRESH_EDGE, width: r * 0.3 });
            }
            Shape::Blank => {
                canvas.circle((x, y), r * 0.8, None, Some(Edge { ink: FAINT, width: r * 0.2 }));
            }
            Shape::Nought => canvas.circle((x, y), r * 0.68, None, Some(pencil)),
            Shape::Disc(on) => {
                canvas.circle((x, y), r * 0.88, Some(body), Some(Edge { ink: edge, width: r * 0.1 }));
                on.draw(canvas, (x, y), r * 0.42, mark);
            }
            Shape::Letter(letter) => {
                canvas.circle((x, y), r * 0.88, Some(body), Some(Edge { ink: edge, width: r * 0.1 }));
                let font = Font { size: r * 1.05, bold: true, ink: mark };
                canvas.text((x, y + r * 0.37), Anchor::Middle, font, letter);
            }
            Shape::Dot => canvas.circle((x, y), r * 0.52, Some(body), None),
            Shape::Ringed => {
                canvas.circle((x, y), r * 0.36, Some(body), None);
                canvas.circle((x, y), r * 0.74, None, Some(Edge { ink: body, width: r * 0.16 }));
            }
            Shape::Square => {
                let d = r * 0.62;
                canvas.rect((x - d, y - d), (2.0 * d, 2.0 * d), r * 0.14, Some(body), None);
            }
            Shape::Diamond => {
                let d = r * 0.76;
                canvas.shapes(&[vec![(x, y - d), (x + d, y), (x, y + d), (x - d, y)]], r * 0.1, body);
            }
        }
    }
}

/// Returns the pencil shape of pieces with certain names.
fn pencilled(name: &str) -> Option<Shape> {
    match name {
        "cross" => Some(Shape::Cross),
        "struck" => Some(Shape::Struck),
        _ => None,
    }
}

impl Mark {
    fn draw(self, canvas: &mut Canvas<'_>, (x, y): (f64, f64), r: f64, ink: Ink) {
        let edge = Edge { ink, width: r * 0.42 };
        match self {
            Mark::None => {}
            Mark::Ring => canvas.circle((x, y), r * 0.86, None, Some(edge)),
            Mark::Square => {
                canvas.rect((x - r * 0.75, y - r * 0.75), (r * 1.5, r * 1.5), r * 0.2, Some(ink), None)
            }
            Mark::Bar => canvas.line(&[(x - r, y), (x + r, y)], edge),
            Mark::Diamond => {
                canvas.shapes(&[vec![(x, y - r), (x + r, y), (x, y + r), (x - r, y)]], r * 0.1, ink)
            }
            Mark::Cross => {
                let d = r * 0.8;
                let strokes = [vec![(x - d, y - d), (x + d, y + d)], vec![(x - d, y + d), (x + d, y - d)]];
                canvas.lines(&strokes, edge);
            }
        }
    }
}

/// Returns the pieces that the list of seats doesn't explain, each once, with its name.
pub(super) fn named(game: &Game) -> Vec<(Token, String)> {
    let model = game.model();
    let mut told: Vec<(Token, String)> = Vec::new();
    for (at, board) in (0..).zip(&model.boards) {
        let tokens = Token::all(game, board);
        for (symbol, token) in symbols(game, board).into_iter().zip(tokens) {
            let explained =
                symbol.player.is_some() && one_each(game, BoardId(at)) || symbol.character == LINE;
            if !explained && told.iter().all(|(known, _)| *known != token) {
                told.push((token, plain(&symbol.name)));
            }
        }
        for margin in &Margin::all(game, BoardId(at)) {
            for (letter, name) in margin.legend(game) {
                told.push((Token::of_sign(margin, &letter.to_string()), plain(&name)));
            }
        }
    }
    told
}
