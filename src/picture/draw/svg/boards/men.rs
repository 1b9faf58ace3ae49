//! Pieces that are drawn by their names: which kinds have a picture, and how pictures stand on a board.

use super::fills;
use crate::draw::svg::canvas::{Anchor, Canvas, Font, ShapeOutline};
use crate::draw::svg::icons;
use crate::draw::svg::palette::{self, BOARD_EDGE, Colours, PIP, ROAD};
use crate::draw::svg::scene::PaperPoint;
use crate::draw::svg::token::{DiscMark, PieceShape};
use crate::layout::Icon;
use houserule_base::names::plain;
use houserule_game::drawing::Symbol;
use houserule_model::{Board, Colour, DisplayForm, DomainId, DomainKind, Look, LookForm, Model, PLAYER};

/// The chessmen.
const CHESSMEN: [Icon; 6] = [Icon::Pawn, Icon::Knight, Icon::Bishop, Icon::Rook, Icon::Queen, Icon::King];

/// Pictures that pieces have in a form of their own: a disc with the mark of its owner, and a cross of a pencil.
const OWN_FORMS: [Icon; 2] = [Icon::Disc, Icon::Cross];

/// Pictures that are signs, not things. A letter that the rules give says more.
const SIGNS: [Icon; 9] = [
    Icon::Ring,
    Icon::Square,
    Icon::Triangle,
    Icon::Diamond,
    Icon::Star,
    Icon::Tick,
    Icon::Arrow,
    Icon::Eye,
    Icon::Hand,
];

/// The size of a chessman, in units of the maximum radius of a piece. Its square isn't filled to the sides.
const MAN: f64 = 2.3;
/// The size of any other picture, in the same unit.
const THING: f64 = 1.76;
/// Minimum radius of a piece with lines on it.
const LINED: f64 = 9.0;

/// The middle of a chessman in its square, which is 100 wide, from the upper left.
const MIDDLE: PaperPoint = (50.0, 52.0);
/// The eye of a knight in that square, and its radius.
const EYE: (PaperPoint, f64) = ((36.0, 33.6), 2.6);

/// Returns the shape that each kind of piece on a board has because of its name, in the order of the symbols. It has no mark
/// yet. `None` if its letter, its colour or its number says what it looks like.
pub(in crate::draw::svg) fn shapes(model: &Model, board: &Board, all: &[Symbol]) -> Vec<Option<PieceShape>> {
    let given: Vec<Option<Icon>> = all.iter().map(|symbol| given_picture(model, board, symbol)).collect();
    let own =
        |(symbol, given): (&Symbol, &Option<Icon>)| given.or_else(|| picture(model, board, symbol, all));
    let icons: Vec<Option<Icon>> = all.iter().zip(&given).map(own).collect();
    let is_royal = |icon: &Icon| matches!(icon, Icon::King | Icon::Queen);
    // A king among discs is a disc with a crown.
    let has_discs = all.iter().zip(&icons).any(|(symbol, icon)| symbol.player.is_some() && icon.is_none());
    let has_men = icons.iter().flatten().any(|icon| CHESSMEN.contains(icon) && !is_royal(icon));
    let shape_of = |symbol: &Symbol, icon: Option<Icon>| match (icon, family(model, symbol)) {
        (Some(Icon::Wedge), _) if let Some(seat) = symbol.player => {
            Some(PieceShape::Wedge(letter(symbol, all), seat.index() % 2 == 1))
        }
        (Some(Icon::Square), _) if symbol.player.is_none() => Some(PieceShape::Block),
        (Some(Icon::Disc), _) => Some(PieceShape::Disc(DiscMark::None)),
        (Some(Icon::Cross), _) => Some(PieceShape::Cross),
        (Some(icon), _) if is_royal(&icon) && has_discs && !has_men => {
            Some(PieceShape::Crowned(DiscMark::None))
        }
        (Some(icon), _) => Some(PieceShape::Picture(icon, DiscMark::None)),
        (None, _) if symbol.lettered || symbol.player.is_none() => fills::shape(model, board, symbol, all),
        (None, "dot") => Some(PieceShape::Disc(DiscMark::None)),
        (None, "taken" | "captured") => Some(PieceShape::Captured(DiscMark::None)),
        (None, _) => None,
    };
    let mut shapes: Vec<Option<PieceShape>> =
        all.iter().zip(&icons).map(|(symbol, icon)| shape_of(symbol, *icon)).collect();
    for at in 0..all.len() {
        if shapes[at].is_none() && is_plain(all, &shapes, at) {
            shapes[at] = Some(PieceShape::Disc(DiscMark::None));
        }
    }
    shapes
}

/// Returns `true` if all other kinds of a player's pieces have a shape, and none is a disc: then this one needs no letter.
fn is_plain(all: &[Symbol], shapes: &[Option<PieceShape>], at: usize) -> bool {
    let own = |other: &usize| *other != at && all[*other].player == all[at].player;
    let others: Vec<usize> = (0..all.len()).filter(own).collect();
    let is_other = |other: &usize| !matches!(shapes[*other], None | Some(PieceShape::Disc(_)));
    all[at].player.is_some() && !others.is_empty() && others.iter().all(is_other)
}

/// Returns the letter of a kind of piece. Text tells players apart by upper and lower case; pictures needn't.
pub(in crate::draw::svg) fn letter(symbol: &Symbol, all: &[Symbol]) -> String {
    let upper = symbol.character.to_ascii_uppercase();
    let is_other = |other: &Symbol| {
        other.piece == symbol.piece && other.player != symbol.player && other.character == upper
    };
    if symbol.player.is_some() && all.iter().any(is_other) { upper } else { symbol.character }.to_string()
}

/// Returns the name of a kind of piece without its index.
fn family<'m>(model: &'m Model, symbol: &Symbol) -> &'m str {
    &model.slots[symbol.piece.index()].name
}

/// Returns how the rules show a kind of piece.
pub(in crate::draw::svg) fn find_look(model: &Model, symbol: &Symbol) -> Look {
    match &model.slots[symbol.piece.index()].shown {
        DisplayForm::Pieces(looks) => looks.get(symbol.member).copied().unwrap_or_default(),
        _ => Look::default(),
    }
}

/// Returns `true` for a kind of piece that the rules show as nothing.
pub(in crate::draw::svg) fn is_unseen(model: &Model, symbol: &Symbol) -> bool {
    find_look(model, symbol).form == LookForm::Nothing
}

/// Returns the picture that the rules give a kind of piece, or its kinds.
fn given_picture(model: &Model, board: &Board, symbol: &Symbol) -> Option<Icon> {
    let of_kind = |(domain, element): (DomainId, u32)| model.element_look(domain, element).picture;
    find_look(model, symbol).picture.or_else(|| kinds(model, board, symbol).into_iter().find_map(of_kind))
}

/// Returns the picture of a kind of piece: its letter, or what its name says.
fn picture(model: &Model, board: &Board, symbol: &Symbol, all: &[Symbol]) -> Option<Icon> {
    let lettered = symbol.lettered;
    if let Some(icon) = Icon::in_character(symbol.character).filter(|_| lettered) {
        return Some(icon);
    }
    // Its letter says what it looks like.
    if fills::shape(model, board, symbol, all).is_some() {
        return None;
    }
    let alike = |other: &&Symbol| {
        other.piece == symbol.piece && other.player == symbol.player && other.colour == symbol.colour
    };
    let kinds = kinds(model, board, symbol);
    let icon = match kinds.into_iter().find(|(domain, _)| has_pictures(model, *domain)) {
        Some((domain, element)) => named(&model.element_name(domain, element)),
        // Kinds of the same name and colour need letters.
        None if all.iter().filter(alike).count() == 1 => named(family(model, symbol)),
        None => None,
    };
    icon.filter(|icon| !(OWN_FORMS.contains(icon) || lettered && SIGNS.contains(icon)))
}

/// Returns the elements that tell a kind of piece from others of its family, without its owner.
fn kinds(model: &Model, board: &Board, symbol: &Symbol) -> Vec<(DomainId, u32)> {
    let index = &model.slots[symbol.piece.index()].index[board.index.len()..];
    let mut rest = symbol.member as u32;
    let mut kinds = vec![];
    for domain in index.iter().rev() {
        let size = model.domains[domain.index()].size.max(1);
        if *domain != PLAYER {
            kinds.push((*domain, rest % size));
        }
        rest /= size;
    }
    kinds
}

/// Returns `true` if most values of an enum have a picture. Otherwise letters for all are clearer.
fn has_pictures(model: &Model, domain: DomainId) -> bool {
    match &model.domains[domain.index()].kind {
        DomainKind::Enum(names) => {
            2 * names.iter().filter(|name| named(name).is_some()).count() > names.len()
        }
        _ => false,
    }
}

/// Returns the picture that a name says, without the colours in it.
fn named(name: &str) -> Option<Icon> {
    let words: Vec<&str> = name.split('_').filter(|word| Colour::named(word).is_none()).collect();
    Icon::named(&words.join("_"))
}

/// Returns `true` for a kind of piece that is explained with the same kind of the first player, whose letter is the same; and
/// its name, without the player's if it explains those of all.
pub(in crate::draw::svg) fn one_for_all(
    model: &Model,
    symbol: &Symbol,
    all: &[Symbol],
    name: String,
) -> (bool, String) {
    let Some(seat) = symbol.player else { return (false, name) };
    let own = letter(symbol, all);
    let is_same = |other: &&Symbol| {
        other.piece == symbol.piece && other.player != symbol.player && letter(other, all) == own
    };
    let others: Vec<&Symbol> = all.iter().filter(is_same).collect();
    if others.iter().any(|other| other.player < symbol.player) {
        return (true, name);
    }
    let player = plain(&model.players.names[seat.index()]);
    match name.strip_prefix(&player).map(str::trim_start).filter(|kind| !kind.is_empty()) {
        Some(kind) if !others.is_empty() => (false, kind.to_owned()),
        _ => (false, name),
    }
}

/// Returns the colours of a man that points to the other side. Only its letter has the colour of its kind.
pub(in crate::draw::svg) fn wedge_colours(model: &Model, board: &Board, symbol: &Symbol) -> Colours {
    let colour = kinds(model, board, symbol)
        .into_iter()
        .find_map(|(domain, element)| model.element_look(domain, element).colour);
    Colours { body: ROAD, edge: BOARD_EDGE, mark: colour.map_or(PIP, palette::on_card) }
}

/// Draws a man that points up or down, with its letter.
pub(in crate::draw::svg) fn draw_wedge(
    canvas: &mut Canvas<'_>,
    colours: Colours,
    letter: &str,
    points_down: bool,
    centre: PaperPoint,
    r: f64,
) {
    let (x, y) = centre;
    let size = if points_down { -r * 2.05 } else { r * 2.05 };
    let edge = ShapeOutline { ink: colours.edge, width: (r * 0.08).max(0.75) };
    icons::icon(canvas, Icon::Wedge, centre, size, colours.body, Some(edge));
    let font = Font { size: r * 1.1, bold: true, ink: colours.mark };
    let base = y + font.size * 0.36 + if points_down { -r * 0.06 } else { r * 0.06 };
    canvas.text((x, base), Anchor::Middle, font, letter);
}

/// Draws a picture as a piece, with the mark of its owner. `r` is the maximum radius of a piece.
pub(in crate::draw::svg) fn draw(
    canvas: &mut Canvas<'_>,
    picture: Icon,
    mark: DiscMark,
    colours: Colours,
    centre: PaperPoint,
    r: f64,
) {
    let (x, y) = centre;
    let is_man = CHESSMEN.contains(&picture);
    let size = r * if is_man { MAN } else { THING };
    // White on a light board needs a dark outline.
    let is_white = colours == palette::piece_colours(Colour::White);
    let ink = if is_white { colours.mark } else { colours.edge };
    let width = (r * 0.065).clamp(0.5, 2.0);
    icons::icon(canvas, picture, (x, y), size, colours.body, Some(ShapeOutline { ink, width }));
    let place =
        |spot: &PaperPoint| (x + (spot.0 - MIDDLE.0) / 100.0 * size, y + (spot.1 - MIDDLE.1) / 100.0 * size);
    if is_man && mark == DiscMark::None && r >= LINED {
        let line = ShapeOutline { ink: colours.mark, width };
        let lines: Vec<Vec<PaperPoint>> =
            lines_on(picture).iter().map(|line| line.iter().map(place).collect()).collect();
        canvas.lines(&lines, line);
        if picture == Icon::Knight {
            canvas.circle(place(&EYE.0), EYE.1 / 100.0 * size, None, Some(line));
        }
    }
    // A ring has nothing in its middle.
    let ink = if picture == Icon::Ring { colours.body } else { colours.mark };
    let (dx, dy, part) = mark_on(picture);
    mark.draw(canvas, (x + dx * size, y + dy * size), part * size, ink);
}

/// Returns where the mark of the owner is on a picture, from its middle, and the radius of the mark, in units of the
/// picture's size.
fn mark_on(picture: Icon) -> (f64, f64, f64) {
    match picture {
        Icon::Pawn => (0.0, 0.2, 0.07),
        Icon::Knight => (0.05, 0.12, 0.09),
        Icon::Bishop | Icon::Rook | Icon::Queen | Icon::King => (0.0, 0.12, 0.09),
        Icon::House => (0.0, -0.1, 0.11),
        Icon::Meeple => (0.0, 0.02, 0.13),
        _ => (0.0, 0.06, 0.12),
    }
}

/// Returns the lines on a chessman, in its square.
fn lines_on(picture: Icon) -> &'static [&'static [PaperPoint]] {
    match picture {
        Icon::Pawn => &[&[(32.0, 82.0), (68.0, 82.0)]],
        Icon::Rook => &[&[(35.0, 42.0), (65.0, 42.0)], &[(33.0, 72.0), (67.0, 72.0)]],
        Icon::Bishop => {
            &[&[(40.0, 59.0), (60.0, 59.0)], &[(50.0, 30.0), (50.0, 46.0)], &[(43.0, 38.0), (57.0, 38.0)]]
        }
        Icon::Queen => &[&[(29.0, 66.0), (71.0, 66.0)], &[(27.5, 75.0), (72.5, 75.0)]],
        Icon::King => {
            &[&[(29.0, 66.0), (71.0, 66.0)], &[(27.5, 75.0), (72.5, 75.0)], &[(50.0, 36.0), (50.0, 60.0)]]
        }
        // The mane.
        Icon::Knight => &[&[(56.0, 24.0), (61.25, 29.25), (65.0, 36.0), (67.25, 44.25), (68.0, 54.0)]],
        _ => &[],
    }
}
