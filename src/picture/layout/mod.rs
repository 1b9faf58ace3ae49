//! What a picture of a state shows, and where: seats around a table, zones by their roles, boards. Without any form of
//! drawing: SVG and text are made from it.

mod arrange;
mod blocks;
mod card_text;
mod faces;
mod game_look;
mod middle;
mod roles;
mod room;
mod signs;
mod stress;
mod table;
mod tile_face;
mod zones;

pub use arrange::arrange;
pub use blocks::{Area, AreaBlock, AreaItem, AreaKind, ItemContent, PagePoint, PageSize};
pub use card_text::{CardTextPart, read_card_text, read_field_line};
pub use faces::{
    CardFace, CardForm, CardSize, card_face, card_words, halves, inner_card, order_in_hand, sign_of_colour,
    sign_of_value,
};
pub use game_look::GameLook;
pub use tile_face::{TileFace, TilePart};

pub use houserule_model::Icon;
pub use roles::{TableRoles, VariableRole, ZoneRole};
pub use room::ZoneRoom;
pub use signs::{card_sign, family_signs, sign_in_words};
pub use table::{
    BoxRow, CardView, Counter, PageWidth, PartKind, PartSize, Plate, TableFact, TableView, ZoneView,
    zone_families,
};
