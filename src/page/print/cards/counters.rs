//! Counters: a disc in the colour of its kind, or its picture, with its name.

use crate::print::typeset::measure;
use crate::print::{MM, bold};
use houserule_base::names::plain;
use houserule_game::Game;
use houserule_model::{Colour, DomainId};
use houserule_picture::draw::svg::canvas::{Anchor, Canvas};
use houserule_picture::draw::svg::palette::{PAPER, TEXT, piece_colours};
use houserule_picture::draw::svg::printed::{CardCut, draw_picture};
use houserule_picture::draw::svg::token::{PieceLook, PieceShape};
use houserule_picture::layout::sign_of_value;

/// Draws a counter of a kind, with its corner where it is cut.
pub(super) fn draw_counter(
    game: &Game,
    canvas: &mut Canvas<'_>,
    kind: (DomainId, u32),
    corner: (f64, f64),
    cut: CardCut,
) {
    let (domain, element) = kind;
    let model = game.model();
    let name = plain(&model.element_name(domain, element));
    let (x, y) = (corner.0 + cut.width / 2.0, corner.1 + cut.height / 2.0);
    let (ground, size) = cut.ground(corner);
    canvas.rect(ground, size, 0.0, Some(PAPER), None);
    let room = cut.width - 2.0 * MM;
    let colour = model.element_colour(domain, element).or_else(|| Colour::in_name(&name));
    let sign = sign_of_value(model, domain, element);
    let above = (x, y - 1.5 * MM);
    match (sign, colour) {
        (Some((sign, _)), None) => draw_picture(canvas, sign, above, 9.0 * MM),
        (_, Some(colour)) => {
            let letter = model.element_look(domain, element).letter.or_else(|| name.chars().next());
            let letter = letter.unwrap_or('?').to_uppercase().to_string();
            let token = PieceLook { colours: piece_colours(colour), shape: PieceShape::Letter(letter) };
            token.draw(canvas, above, 4.5 * MM);
        }
        (None, None) => {}
    }
    let has_picture = sign.is_some() || colour.is_some();
    let most: f64 = if has_picture { 9.0 } else { 13.0 };
    let size = most.min(room / measure(&name, bold(1.0, TEXT)));
    let base = if has_picture { y + 6.5 * MM } else { y + size * 0.36 };
    canvas.text((x, base), Anchor::Middle, bold(size, TEXT), &name);
}
