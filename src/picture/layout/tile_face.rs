//! Tiles with sides: `shown as tile(n, e, s, w, middle)`.

use super::Icon;
use houserule_model::{Colour, DisplayForm, DomainId, DomainKind, Look, LookForm, Model, Role};

/// What a side or the middle of a tile looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TilePart {
    /// Its colour.
    pub colour: Option<Colour>,
    /// Its picture.
    pub icon: Option<Icon>,
    /// `true` for a way that leads to the middle, `false` for what fills its part of the tile.
    pub is_line: bool,
}

/// What a tile with sides shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileFace {
    /// The north, east, south and west side.
    pub sides: [TilePart; 4],
    /// The middle, if a field says what it is.
    pub middle: Option<TilePart>,
    /// What is below everything: the first value of the north side's domain.
    pub ground: TilePart,
}

/// Returns what an element shows as a tile, if the rules show its domain as tiles and it has all the fields.
pub(super) fn tile_face(model: &Model, domain: DomainId, element: u32) -> Option<TileFace> {
    let look = model.tiles.iter().find(|look| look.domain == domain)?;
    let DomainKind::Record { fields, .. } = &model.domains[domain.index()].kind else { return None };
    let part = |at: usize| {
        let field = &fields[at];
        let value = u32::try_from(field.values.get(element as usize).copied().flatten()?).ok()?;
        Some(tile_part(model, field.of, value))
    };
    let sides: Vec<TilePart> = look.fields.iter().take(4).map(|at| part(*at)).collect::<Option<_>>()?;
    let first = look.fields.first()?;
    Some(TileFace {
        sides: sides.try_into().ok()?,
        middle: look.fields.get(4).and_then(|at| part(*at)),
        ground: tile_part(model, fields[*first].of, 0),
    })
}

fn tile_part(model: &Model, domain: Option<DomainId>, value: u32) -> TilePart {
    let Some(domain) = domain else { return TilePart::default() };
    let own = model.element_look(domain, value);
    let look = if own == Look::default() { piece_look(model, domain, value).unwrap_or(own) } else { own };
    TilePart {
        colour: look.colour.or_else(|| model.element_colour(domain, value)),
        icon: look.picture,
        is_line: look.form == LookForm::Line,
    }
}

/// Returns the look of the pieces that are indexed by a domain alone.
fn piece_look(model: &Model, domain: DomainId, value: u32) -> Option<Look> {
    model.slots.iter().find_map(|slot| match &slot.shown {
        DisplayForm::Pieces(looks)
            if matches!(slot.role, Role::Piece(_)) && slot.index.last() == Some(&domain) =>
        {
            looks.get(value as usize).copied()
        }
        _ => None,
    })
}
