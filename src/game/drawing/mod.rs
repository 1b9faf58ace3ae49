//! Boards drawn as text, so that a position can be typed by hand.
//!
//! A site has one character:
//!
//! | character | stands for |
//! | --- | --- |
//! | `.` | an empty site |
//! | the letter of a set that is `shown as` it | an empty site of that set, for readers only |
//! | a player's initial, in its case | that player's pieces, if each has one kind (`mark[player]`: `X`, `O`) |
//! | `1`, `2`, … | that player's pieces, if the players have no names |
//! | the first free letter of a piece's name | any other piece (`dot`: `d`) |
//!
//! If each player has several kinds, the first player's are in upper case, the others' in lower case. A line
//! `legend: x = dot, o = wild` changes the characters. A board on which no piece can stand shows the numbers
//! of a variable of its sites. The layout depends on the kind of board:
//!
//! - Columns and rows: rows in the order of the board. Row numbers before them, spaces between the sites, and
//!   a line of column names above or below are optional. Rows of hexagons are shifted, but are also read
//!   unshifted.
//! - A graph whose sites are a letter and a number: each site in its column and row, with optional lines
//!   between them. Any other graph, and a track: the sites by name, each before its character.
//! - Cells with sides: corners are `+`, with lines or nothing between them.

mod field;
mod graph;
mod page;
mod piles;
mod read;
mod rows;

pub use page::{Glyph, GlyphRole, MORE, Marked, Page, SiteContents, Tint};
pub use piles::{
    KindOnSites, PileElement, PileKind, SitePile, drawn_on_sites, kinds_on_sites, lying_elements, piles,
};
pub use read::{BoardContents, DrawingReader};
pub use rows::{DrawingRow, columns, rows};

use crate::Onlookers;
use crate::family_names;
use crate::{Game, Seat, State};
use houserule_model::board::Shape;
use houserule_model::{
    Board, BoardId, Colour, Content, DisplayForm, DomainId, DomainKind, Look, Model, PLAYER, Role, Slot,
    SlotId, Visibility,
};

/// Maximum width of a drawing, in characters, if its board allows it.
pub const WIDEST: usize = 100;

/// The character of an empty site.
pub const EMPTY: char = '.';

/// The character of a site of a board that lies face down.
pub const FACE_DOWN: char = '?';

/// The character of a piece on an upright side, if all pieces on sides are of one kind.
pub const LINE: char = '|';

/// A kind of piece on one board: a member of a family of sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Its character.
    pub character: char,
    /// The slot of the piece.
    pub piece: SlotId,
    /// Index of the kind in its family on one board: a position in the product of the index domains that
    /// follow the board's own.
    pub member: usize,
    /// The name, as rule files write it: `dot`, `mark[X]`.
    pub name: String,
    /// The seat of its owner, from 0.
    pub player: Option<Seat>,
    /// The colour from its declaration or its name. Names of players are ignored.
    pub colour: Option<Colour>,
    /// `true` if the rules give it its character.
    pub lettered: bool,
}

/// One of a family of boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// The family.
    pub board: BoardId,
    /// Index of the board in the family.
    pub number: usize,
    /// The name, as positions write it: `cell`, `cell[X, red]`.
    pub name: String,
}

/// Returns every board of a game except sides, which are drawn with their cells.
pub fn instances(game: &Game) -> Vec<Instance> {
    let boards = game.model().boards.iter().enumerate().filter(|(_, board)| board.sides_of.is_none());
    boards
        .flat_map(|(at, board)| {
            let names = family_names(game, &board.name, &board.index);
            let board = BoardId(at as u32);
            names.into_iter().enumerate().map(move |(number, name)| Instance { board, number, name })
        })
        .collect()
}

/// Returns the characters of a board's pieces.
pub fn symbols(game: &Game, board: &Board) -> Vec<Symbol> {
    let model = game.model();
    let own = |piece: &SlotId| &model.slots[piece.index()].index[board.index.len()..];
    let by_player = |piece: &SlotId| own(piece).contains(&PLAYER);
    let one_each = board.pieces.iter().filter(|piece| by_player(piece)).count() == 1;
    let mut all: Vec<Symbol> = Vec::new();
    // A single kind of piece on sides is drawn as lines.
    if let ([piece], Shape::Sides { .. }) = (&board.pieces[..], board.topology.shape())
        && own(piece).is_empty()
    {
        let slot = &model.slots[piece.index()];
        let (name, colour) =
            (slot.name.clone(), look_of(slot, 0).colour.or_else(|| Colour::in_name(&slot.name)));
        return vec![Symbol {
            character: LINE,
            piece: *piece,
            member: 0,
            name,
            player: None,
            colour,
            lettered: false,
        }];
    }
    // Other pieces can't have the letters that the rules give to pieces and grounds.
    let given = |piece: &SlotId| match &model.slots[piece.index()].shown {
        DisplayForm::Pieces(looks) => looks.iter().filter_map(|look| look.letter).collect(),
        _ => vec![],
    };
    let grounds = board.grounds.iter().filter_map(|ground| ground.look.letter);
    let given: Vec<char> = board.pieces.iter().flat_map(given).chain(grounds).collect();
    for piece in &board.pieces {
        let slot = &model.slots[piece.index()];
        let names = family_names(game, &slot.name, own(piece));
        let alone = one_each && own(piece) == [PLAYER];
        for (member, name) in names.into_iter().enumerate() {
            let index = elements(model, own(piece), member);
            let player = index.iter().find(|(of, _)| *of == PLAYER).map(|(_, seat)| Seat(*seat));
            let others: Vec<Look> = index
                .iter()
                .filter(|(of, _)| *of != PLAYER)
                .map(|(of, e)| model.element_look(*of, *e))
                .collect();
            let look = look_of(slot, member);
            // The letter of the rules: of the piece, of its player, or of the other index.
            let own_letter =
                player.filter(|_| alone).and_then(|seat| model.element_look(PLAYER, seat.0).letter);
            let kind_letter = others.iter().find_map(|look| look.letter).map(|letter| match player {
                Some(Seat(1..)) => letter.to_lowercase().next().unwrap_or(letter),
                _ => letter,
            });
            // What tells pieces of a family apart: the value of an enum, else the player.
            let is_enum = |of: DomainId| matches!(model.domains[of.index()].kind, DomainKind::Enum(_));
            let kind = index.iter().find(|(of, _)| is_enum(*of)).map(|(of, e)| model.element_name(*of, *e));
            let kind = kind.unwrap_or_else(|| slot.name.clone());
            let wished = match player {
                Some(player) if alone => initial(game, player),
                Some(Seat(0)) => kind.to_uppercase(),
                Some(_) => kind.to_lowercase(),
                // A pencil draws a cross as an `x`.
                None if kind == "cross" => "x".to_owned(),
                None => kind,
            };
            let is_free = |character: &char| {
                !given.contains(character) && all.iter().all(|symbol| symbol.character != *character)
            };
            let of_name = |character: &char| character.is_ascii_alphanumeric() && is_free(character);
            let spare = ('a'..='z').chain('A'..='Z').chain('0'..='9');
            let found = || wished.chars().chain(slot.name.chars()).chain(spare).find(of_name).unwrap_or('?');
            let lettered = look.letter.or(kind_letter.filter(is_free));
            let character = lettered.or(own_letter.filter(is_free)).unwrap_or_else(found);
            // A player's pieces have the player's colour, whatever their kinds are called.
            let colour = look.colour.or_else(|| match player {
                Some(_) => Colour::in_name(&slot.name),
                None => others.iter().find_map(|look| look.colour).or_else(|| Colour::in_name(&name)),
            });
            let lettered = lettered.is_some();
            all.push(Symbol { character, piece: *piece, member, name, player, colour, lettered });
        }
    }
    all
}

/// Returns the elements at a position of the product of some domains.
fn elements(model: &Model, index: &[DomainId], position: usize) -> Vec<(DomainId, u32)> {
    let mut rest = position as u32;
    let mut all: Vec<(DomainId, u32)> = index
        .iter()
        .rev()
        .map(|domain| {
            let size = model.domains[domain.index()].size.max(1);
            let element = rest % size;
            rest /= size;
            (*domain, element)
        })
        .collect();
    all.reverse();
    all
}

/// Returns how the rules show one kind of a family of pieces.
fn look_of(slot: &Slot, member: usize) -> Look {
    match &slot.shown {
        DisplayForm::Pieces(looks) => looks.get(member).copied().unwrap_or_default(),
        _ => Look::default(),
    }
}

/// Returns the name that a player's pieces are drawn by, if there is one kind of them.
fn initial(game: &Game, player: Seat) -> String {
    let name = game.model().players.names.get(player.index()).map_or("", String::as_str);
    if name.starts_with("player ") { (player.0 + 1).to_string() } else { name.to_owned() }
}

/// Returns the position of a symbol's set in its slot, on this board.
pub fn position(game: &Game, instance: &Instance, symbol: &Symbol) -> usize {
    let model = game.model();
    let board = &model.boards[instance.board.index()];
    let own = model.slots[symbol.piece.index()].index.iter().skip(board.index.len());
    let members: usize = own.map(|domain| model.domains[domain.index()].size as usize).product();
    instance.number * members + symbol.member
}

/// Returns the board of the sides of a board's cells.
pub fn sides_of(game: &Game, cells: BoardId) -> Option<BoardId> {
    edges_of(game, cells).filter(|board| !is_of_links(game, *board))
}

/// Returns the board of the links between a board's sites.
pub fn links_of(game: &Game, cells: BoardId) -> Option<BoardId> {
    edges_of(game, cells).filter(|board| is_of_links(game, *board))
}

fn edges_of(game: &Game, cells: BoardId) -> Option<BoardId> {
    let at = game.model().boards.iter().position(|board| board.sides_of == Some(cells))?;
    Some(BoardId(at as u32))
}

fn is_of_links(game: &Game, board: BoardId) -> bool {
    *game.model().boards[board.index()].topology.shape() == Shape::Links
}

/// Returns the variable whose numbers are drawn on the sites of a board: the first with a number for each
/// site, if no piece can stand there.
pub fn numbers(game: &Game, id: BoardId) -> Option<SlotId> {
    let model = game.model();
    let board = &model.boards[id.index()];
    if !board.pieces.is_empty() || sides_of(game, id).is_some() || board.sides_of.is_some() {
        return None;
    }
    let index: Vec<_> = board.index.iter().copied().chain([board.domain]).collect();
    let drawn = model.slots.iter().position(|slot| {
        slot.role == Role::Variable
            && (slot.visibility == Visibility::All || slot.visibility == board.visibility)
            && matches!(slot.content, Content::Number { .. })
            && slot.index == index
    })?;
    Some(SlotId(drawn as u32))
}

/// Draws one board of a state, with the sides of its cells if they are a board. The drawing is a part of a position: it
/// can be read back.
pub fn page(state: &State, instance: &Instance) -> Page {
    laid_out(state, instance, &Marked::new(state, instance), WIDEST)
}

/// Like [`page`], as a viewer sees it, with what lies on the sites, for a page of `columns` columns: a board that is
/// too wide is drawn more closely.
pub fn page_seen(state: &State, instance: &Instance, sight: Onlookers, columns: usize) -> Page {
    laid_out(state, instance, &Marked::seen(state, instance, sight), columns)
}

/// Returns the places of zones and variables that a drawing of a board doesn't show in full.
pub fn left_out(
    state: &State,
    instance: &Instance,
    sight: Onlookers,
    columns: usize,
) -> Vec<(SlotId, usize)> {
    let marked = Marked::seen(state, instance, sight);
    let board = &state.game().model().boards[instance.board.index()];
    let topology = &board.topology;
    let room =
        match (sides_of(state.game(), instance.board), topology.has_rows() || topology.places().is_some()) {
            (Some(_), _) => field::pitch(board, columns) - 1,
            (None, true) => rows::room(rows::columns(board, instance.number).len(), columns),
            (None, false) => rows::room(1, columns),
        };
    let sites = topology.sites().flat_map(|site| {
        let cut = marked.is_cut(site, room);
        marked.lying(site).iter().filter(move |pile| cut || !pile.says_all(1))
    });
    sites.map(|pile| (pile.slot, pile.place)).collect()
}

fn laid_out(state: &State, instance: &Instance, marked: &Marked<'_>, columns: usize) -> Page {
    let game = state.game();
    let board = &game.model().boards[instance.board.index()];
    if let Some(sides) = sides_of(game, instance.board) {
        let sides = Marked::new(state, &Instance { board: sides, ..instance.clone() });
        return field::draw(board, marked, &sides, columns);
    }
    match (board.topology.shape(), board.topology.places()) {
        (Shape::Graph, Some(places)) => graph::draw(board, &places, marked, columns),
        (Shape::Graph | Shape::Track { .. }, None) => graph::list(board, marked, columns),
        _ => rows::draw(board, instance.number, marked, columns),
    }
}
