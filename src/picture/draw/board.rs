//! Boards as coloured lines of text: players' colours, faint empty sites, and highlighted changes.

use std::collections::{HashMap, HashSet};

use super::margin::Margin;
use crate::paint::line::TextLine;
use crate::paint::{Paint, TextStyle};
use houserule_base::names::plain;
use houserule_game::Onlookers;
use houserule_game::drawing::{
    EMPTY, FACE_DOWN, GlyphRole, Instance, MORE, Symbol, Tint, WIDEST, drawn_on_sites, instances,
    kinds_on_sites, left_out, numbers, page_seen, symbols,
};
use houserule_game::{Game, Seat, State};
use houserule_model::board::Site;
use houserule_model::{Board, BoardId, Colour, PLAYER, SlotId};

/// How boards are formatted as text.
#[derive(Clone, Copy)]
pub(super) struct BoardText<'s> {
    /// Whose eyes see them.
    pub(super) sight: Onlookers,
    /// An earlier state. Changes since then are highlighted.
    pub(super) before: Option<&'s State>,
    /// The colours.
    pub(super) paint: Paint,
    /// The width of the page.
    pub width: usize,
}

/// Formats the boards of a state, side by side as far as the page allows. If there are several, each has its
/// name. Boards with several indices are grouped by the first.
pub(super) fn boards(state: &State, form: BoardText<'_>) -> Vec<TextLine> {
    let BoardText { paint, width, .. } = form;
    let game = state.game();
    let groups = groups(game);
    let alone = groups.iter().map(|group| group.boards.len()).sum::<usize>() == 1;
    let mut blocks: Vec<Vec<TextLine>> = vec![];
    for group in &groups {
        let named = group.boards.iter().map(|(name, instance)| {
            let name = (!alone).then(|| TextLine::painted(paint, TextStyle::head(), name));
            name.into_iter().chain(board(state, instance, form)).collect()
        });
        let named: Vec<Vec<TextLine>> = named.collect();
        match &group.name {
            None => blocks.extend(named),
            Some(name) => {
                let look = group
                    .seat
                    .map_or(TextStyle::head(), |seat| TextStyle::seat(seat, &game.model().seat_looks()));
                let title = TextLine::painted(paint, look, name);
                blocks.push([title].into_iter().chain(side_by_side(&named, width)).collect());
            }
        }
    }
    side_by_side(&blocks, width)
}

/// A group of boards that are drawn together.
pub(super) struct BoardGroup {
    /// The name of the group, if the boards have several indices.
    pub(super) name: Option<String>,
    /// The seat that owns the group, if the first index is the player.
    pub(super) seat: Option<Seat>,
    /// The boards with their names.
    pub(super) boards: Vec<(String, Instance)>,
}

/// Returns all boards of a game, in groups.
pub(super) fn groups(game: &Game) -> Vec<BoardGroup> {
    let model = game.model();
    let mut groups: Vec<(Option<(BoardId, u32)>, BoardGroup)> = vec![];
    for instance in instances(game) {
        let board = &model.boards[instance.board.index()];
        let (first, rest) = match &board.index[..] {
            [first, rest @ ..] if !rest.is_empty() => (first, rest),
            _ => {
                let boards = vec![(instance.name.clone(), instance)];
                groups.push((None, BoardGroup { name: None, seat: None, boards }));
                continue;
            }
        };
        let mut number = instance.number as u32;
        let mut names = vec![];
        for domain in rest.iter().rev() {
            let size = model.domains[domain.index()].size;
            names.push(game.element_name(*domain, number % size));
            number /= size;
        }
        names.reverse();
        let key = Some((instance.board, number));
        let name = names.join(", ");
        match groups.last_mut() {
            Some((last, group)) if *last == key => group.boards.push((name, instance)),
            _ => {
                let seat = (*first == PLAYER).then_some(Seat(number));
                let of = match seat {
                    Some(seat) => model.players.names[seat.index()].clone(),
                    None => game.element_name(*first, number),
                };
                // With several families of boards, the name of the family is shown too.
                let of = if model.boards.len() > 1 { format!("{} {of}", board.name) } else { of };
                groups.push((key, BoardGroup { name: Some(of), seat, boards: vec![(name, instance)] }));
            }
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// The characters on each site, as a drawing shows them.
type SiteCharacters = HashMap<(BoardId, Site), String>;

fn shown(state: &State, instance: &Instance, sight: Onlookers) -> SiteCharacters {
    let mut shown = SiteCharacters::new();
    for glyph in page_seen(state, instance, sight, WIDEST).lines.into_iter().flatten() {
        if let GlyphRole::Site { board, site, .. } = glyph.ink {
            shown.entry((board, site)).or_default().push(glyph.character);
        }
    }
    shown
}

fn board(state: &State, instance: &Instance, form: BoardText<'_>) -> Vec<TextLine> {
    let BoardText { sight, before: earlier, paint, width } = form;
    let game = state.game();
    let before = earlier.map(|before| (shown(before, instance, sight), shown(state, instance, sight)));
    let seats = game.model().seat_looks();
    let looks: HashMap<BoardId, Vec<TextStyle>> = (0..game.model().boards.len() as u32)
        .map(|board| (BoardId(board), symbol_styles(game, BoardId(board))))
        .collect();
    let look = |character: char, ink: GlyphRole| match ink {
        GlyphRole::Frame => TextStyle::quiet(),
        GlyphRole::Label => TextStyle::plain(),
        GlyphRole::Site { board, site, symbol, tint } => {
            let look = match (symbol, tint) {
                (Some(symbol), _) => looks[&board].get(symbol).copied().unwrap_or(TextStyle::head()),
                (None, Some(Tint::Seat(seat))) => TextStyle::seat(seat, &seats),
                (None, Some(Tint::Colour(colour))) => TextStyle::coloured(colour),
                (None, None) if [EMPTY, FACE_DOWN, MORE].contains(&character) => TextStyle::quiet(),
                (None, None) => TextStyle::plain(),
            };
            let changed = before.as_ref().is_some_and(|(before, now)| {
                before.get(&(board, site)).is_some_and(|was| now.get(&(board, site)) != Some(was))
            });
            if changed { look.changed() } else { look }
        }
    };
    let margins = Margin::all(game, instance.board);
    let topology = &game.model().boards[instance.board.index()].topology;
    page_seen(state, instance, sight, width)
        .lines
        .iter()
        .map(|glyphs| {
            let mut line = TextLine::default();
            let mut run: Option<(TextStyle, String)> = None;
            let end = glyphs.iter().rposition(|glyph| glyph.character != ' ').map_or(0, |last| last + 1);
            for glyph in &glyphs[..end] {
                // The colour of a blank is invisible; setting it would only make the line longer.
                let own = if glyph.character == ' ' {
                    TextStyle::plain()
                } else {
                    look(glyph.character, glyph.ink)
                };
                match &mut run {
                    Some((look, text)) if *look == own => text.push(glyph.character),
                    _ => {
                        if let Some((look, text)) = run.replace((own, glyph.character.to_string())) {
                            line.push(paint, look, &text);
                        }
                    }
                }
            }
            if let Some((look, text)) = run {
                line.push(paint, look, &text);
            }
            let row = glyphs.iter().find_map(|glyph| match glyph.ink {
                GlyphRole::Site { site, .. } => Some(topology.row_of(site)),
                _ => None,
            });
            for (margin, row) in margins.iter().filter_map(|margin| Some((margin, row?))) {
                let value = margin.value(state, instance, row);
                let look = if margin.is_first(game, &value) { TextStyle::quiet() } else { TextStyle::head() };
                let changed = earlier.is_some_and(|earlier| margin.value(earlier, instance, row) != value);
                let look = if changed { look.changed() } else { look };
                line.push(paint, TextStyle::plain(), "  ");
                line.push(paint, look, &margin.sign(game, &value));
            }
            line
        })
        .collect()
}

/// Returns the style of each symbol of a board.
fn symbol_styles(game: &Game, board: BoardId) -> Vec<TextStyle> {
    let model = game.model();
    let all = symbols(game, &model.boards[board.index()]);
    let taken: Vec<Colour> = all.iter().filter_map(|symbol| symbol.colour).collect();
    let seats = model.seat_looks();
    let mut nobodys = 0;
    all.iter()
        .map(|symbol| match (symbol.colour, symbol.player) {
            (Some(colour), _) => TextStyle::coloured(colour),
            (None, Some(player)) => TextStyle::seat(player, &seats),
            (None, None) => {
                nobodys += 1;
                TextStyle::piece(nobodys - 1, &taken)
            }
        })
        .collect()
}

/// What boards show, which the panel omits.
#[derive(Clone, Debug, Default)]
pub(super) struct DrawnOnBoards {
    /// Variables and zones.
    pub slots: Vec<SlotId>,
    /// The places among them that the boards don't show in full.
    pub(super) left_out: HashSet<(SlotId, usize)>,
}

impl DrawnOnBoards {
    /// Returns the variables and zones that are drawn with the boards: on their sites, or at the ends of their rows.
    pub(super) fn for_game(game: &Game) -> DrawnOnBoards {
        let boards = (0..game.model().boards.len() as u32).map(BoardId);
        let slots = boards.flat_map(|board| {
            let margins = Margin::all(game, board).into_iter().map(|margin| margin.slot);
            let lying = drawn_on_sites(game.model(), board);
            numbers(game, board).into_iter().chain(margins).chain(lying)
        });
        DrawnOnBoards { slots: slots.collect(), left_out: HashSet::new() }
    }

    /// Returns what text drawings show.
    pub(super) fn in_text(state: &State, sight: Onlookers, width: usize) -> DrawnOnBoards {
        let all = instances(state.game());
        let left_out = all.iter().flat_map(|instance| left_out(state, instance, sight, width)).collect();
        DrawnOnBoards { left_out, ..DrawnOnBoards::for_game(state.game()) }
    }

    /// Returns `true` if the boards show all of a variable.
    pub(super) fn shows(&self, slot: SlotId) -> bool {
        self.slots.contains(&slot) && self.left_out.iter().all(|(known, _)| *known != slot)
    }

    /// Returns `true` if the boards show a place of a zone.
    pub(super) fn shows_place(&self, slot: SlotId, place: usize) -> bool {
        self.slots.contains(&slot) && !self.left_out.contains(&(slot, place))
    }
}

/// Returns `true` if each player has exactly one kind of piece on a board.
pub(super) fn one_each(game: &Game, board: BoardId) -> bool {
    let model = game.model();
    let board = &model.boards[board.index()];
    let own = |piece: &SlotId| &model.slots[piece.index()].index[board.index.len()..];
    board
        .pieces
        .iter()
        .filter(|piece| own(piece).first() == Some(&PLAYER))
        .map(|piece| own(piece).len())
        .eq([1])
}

/// Returns the name of a kind of piece in words: its index, after the name of the family if the board has several.
pub(super) fn in_words(symbol: &Symbol, board: &Board) -> String {
    match symbol.name.split_once('[') {
        None => plain(&symbol.name),
        Some((family, index)) => {
            let index = plain(index.trim_end_matches(']')).replace(", ", " ");
            if board.pieces.len() == 1 { index } else { format!("{} {index}", plain(family)) }
        }
    }
}

/// Returns the legend of the characters on the boards.
pub(super) fn legend(game: &Game, paint: Paint) -> Vec<(TextLine, String)> {
    let model = game.model();
    let boards = (0..model.boards.len() as u32).map(BoardId);
    let mut told: Vec<(TextLine, String)> = Vec::new();
    for board in boards {
        let styles = symbol_styles(game, board);
        for (symbol, look) in symbols(game, &model.boards[board.index()]).into_iter().zip(styles) {
            let character = symbol.character.to_string();
            let owned = symbol.player.map(|seat| model.players.names[seat.index()].clone());
            let name = match owned {
                // A piece whose character is the player's name needs no explanation.
                Some(name) if name == character => continue,
                Some(name) if one_each(game, board) => name,
                _ => in_words(&symbol, &model.boards[board.index()]),
            };
            let entry = (TextLine::painted(paint, look, &character), name);
            if !told.contains(&entry) {
                told.push(entry);
            }
        }
        for ground in &model.boards[board.index()].grounds {
            let look = ground.look.colour.map_or(TextStyle::plain(), TextStyle::coloured);
            // In text without colours, a set without a letter looks like the rest of the board.
            if let Some(letter) = ground.look.letter {
                told.push((TextLine::painted(paint, look, &letter.to_string()), plain(&ground.name)));
            }
        }
        for kind in kinds_on_sites(model, board) {
            let look = kind.colour.map_or(TextStyle::head(), TextStyle::coloured);
            told.push((TextLine::painted(paint, look, &kind.letter.to_string()), plain(&kind.name)));
        }
        for (letter, name) in Margin::all(game, board).iter().flat_map(|margin| margin.legend(game)) {
            told.push((TextLine::painted(paint, TextStyle::head(), &letter.to_string()), plain(&name)));
        }
    }
    told
}

/// Arranges blocks of lines next to each other, in as many rows as the width requires.
pub(super) fn side_by_side(blocks: &[Vec<TextLine>], width: usize) -> Vec<TextLine> {
    const GAP: usize = 3;
    let block_width = |block: &Vec<TextLine>| block.iter().map(TextLine::width).max().unwrap_or(0);
    let mut lines = Vec::new();
    let mut rest = blocks;
    while !rest.is_empty() {
        let (mut used, mut taken) = (0, 0);
        for block in rest {
            used += block_width(block) + GAP;
            if taken > 0 && used > width + GAP {
                break;
            }
            taken += 1;
        }
        let (row, later) = rest.split_at(taken);
        let height = row.iter().map(Vec::len).max().unwrap_or(0);
        for at in 0..height {
            let mut line = TextLine::default();
            let mut column = 0;
            for block in row {
                if let Some(part) = block.get(at).filter(|part| part.width() > 0) {
                    line.pad_to(column);
                    line.append(part);
                }
                column += block_width(block) + GAP;
            }
            lines.push(line);
        }
        rest = later;
        if !rest.is_empty() {
            lines.push(TextLine::default());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(lines: &[&str]) -> Vec<TextLine> {
        lines.iter().map(|line| TextLine::painted(Paint::plain(), TextStyle::plain(), line)).collect()
    }

    fn text(lines: &[TextLine]) -> String {
        lines.iter().map(|line| format!("{}\n", line.text())).collect()
    }

    #[test]
    fn blocks_stand_side_by_side_as_far_as_they_fit() {
        let blocks = [block(&["ab", "c"]), block(&["d"]), block(&["efg", "h", "i"])];
        assert_eq!(text(&side_by_side(&blocks, 20)), "ab   d   efg\nc        h\n         i\n");
        assert_eq!(text(&side_by_side(&blocks, 7)), "ab   d\nc\n\nefg\nh\ni\n");
        assert_eq!(text(&side_by_side(&blocks[2..], 1)), "efg\nh\ni\n");
    }
}
