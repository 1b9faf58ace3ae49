//! Sites in the text of a position that a board lacks.

use crate::Game;
use crate::values::family_names;
use houserule_base::numbers::counted;
use houserule_model::board::BitSet;
use houserule_model::{BoardId, SlotId};

/// Returns an error if a piece stands on a site that its board, one of a family, lacks. `position` is that of the value in
/// the family of the piece.
pub(super) fn has_sites(
    game: &Game,
    board: BoardId,
    piece: SlotId,
    position: usize,
    sites: &BitSet,
) -> Result<(), String> {
    let model = game.model();
    let number = position / model.values_on_each_board(board, piece);
    let board = &model.boards[board.index()];
    match sites.sites().find(|site| !board.has_site(number, *site)) {
        None => Ok(()),
        Some(site) => Err(no_site(
            &board.topology.site_name(site),
            &family_names(game, &board.name, &board.index)[number],
            board.width_of(number),
            board.height_of(number),
        )),
    }
}

/// Says that a board of this size has no such site.
pub(super) fn no_site(site: &str, board: &str, width: u32, height: u32) -> String {
    let (columns, rows) = (counted(u64::from(width), "column"), counted(u64::from(height), "row"));
    format!("`{site}` is no site of `{board}`, which has {columns} and {rows}")
}
