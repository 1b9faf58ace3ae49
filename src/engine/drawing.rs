//! Boards drawn with one character a site, so that a position can be typed by hand.
//!
//! | character | stands for |
//! | --- | --- |
//! | `.` | an empty site |
//! | the first letter of a player's name, in its case | that player's pieces, if the board has one kind of piece for each player (`mark[player]` of X and O: `X`, `O`) |
//! | `1`, `2`, … | the same, if the players have no names |
//! | the first letter of a piece's name that is still free | any other piece (`dot`: `d`); with one for each player, capital letters are the first player's and small ones the second's |
//!
//! A line `legend: x = dot, o = wild` changes that. Rows stand as on the board, with their numbers
//! before them or without, with spaces between the sites or without; a line of column names may stand
//! above or below.

use super::{Game, State};
use crate::board::{Notation, Topology};
use crate::lang::model::{Board, BoardId, PLAYER, SlotId, Value};

/// An empty site.
pub const EMPTY: char = '.';

/// A kind of piece on one board: a member of a family of sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Its character.
    pub character: char,
    /// The piece.
    pub piece: SlotId,
    /// Which of its family on one board: a position in the product of the index domains that follow
    /// the board's own.
    pub member: usize,
    /// As rule files write it: `dot`, `mark[X]`.
    pub name: String,
}

/// One of a family of boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// The family.
    pub board: BoardId,
    /// Which of it.
    pub number: usize,
    /// As a position names it: `cell`, `cell[X, red]`.
    pub name: String,
}

/// Every board of a game.
pub fn instances(game: &Game) -> Vec<Instance> {
    let boards = game.model().boards.iter().enumerate();
    boards
        .flat_map(|(at, board)| {
            let names = family_names(game, &board.name, &board.index);
            let board = BoardId(at as u32);
            names.into_iter().enumerate().map(move |(number, name)| Instance { board, number, name })
        })
        .collect()
}

/// The names of a family's members: `name`, or `name[a, b]` for each element of its index domains.
pub fn family_names(game: &Game, name: &str, index: &[crate::lang::model::DomainId]) -> Vec<String> {
    let mut parts: Vec<Vec<String>> = vec![vec![]];
    for domain in index {
        let elements = 0..game.model().domains[domain.index()].size;
        let names: Vec<String> = elements.map(|element| game.element_name(*domain, element)).collect();
        parts = parts
            .iter()
            .flat_map(|part| {
                names.iter().map(move |name| part.iter().cloned().chain([name.clone()]).collect())
            })
            .collect();
    }
    let written = |part: Vec<String>| match part.as_slice() {
        [] => name.to_owned(),
        _ => format!("{name}[{}]", part.join(", ")),
    };
    parts.into_iter().map(written).collect()
}

/// The characters of a board's pieces.
pub fn symbols(game: &Game, board: &Board) -> Vec<Symbol> {
    let model = game.model();
    let own = |piece: &SlotId| &model.slots[piece.index()].index[board.index.len()..];
    let by_player = |piece: &&SlotId| own(piece).first() == Some(&PLAYER);
    let one_each = board.pieces.iter().filter(by_player).count() == 1;
    let mut all: Vec<Symbol> = Vec::new();
    for piece in &board.pieces {
        let slot = &model.slots[piece.index()];
        let names = family_names(game, &slot.name, own(piece));
        let per_player = if by_player(&piece) { names.len() / game.players().max(1) as usize } else { 0 };
        for (member, name) in names.into_iter().enumerate() {
            let player = member.checked_div(per_player);
            let wished = match player {
                Some(player) if one_each && per_player == 1 => initial(game, player),
                Some(0) => slot.name.to_uppercase(),
                Some(_) => slot.name.to_lowercase(),
                None => slot.name.clone(),
            };
            let free = |character: &char| {
                character.is_ascii_alphanumeric() && all.iter().all(|symbol| symbol.character != *character)
            };
            let spare = ('a'..='z').chain('A'..='Z').chain('0'..='9');
            let character = wished.chars().chain(slot.name.chars()).chain(spare).find(free).unwrap_or('?');
            all.push(Symbol { character, piece: *piece, member, name });
        }
    }
    all
}

/// What a player's pieces are drawn as, if there is one kind of them.
fn initial(game: &Game, player: usize) -> String {
    let name = game.model().players.names.get(player).map_or("", String::as_str);
    if name.starts_with("player ") { (player + 1).to_string() } else { name.to_owned() }
}

/// Draws one board: a character for each site, rows as they stand on the board.
pub fn draw(state: &State, instance: &Instance, symbols: &[Symbol]) -> Vec<Vec<char>> {
    let board = &state.game().model().boards[instance.board.index()];
    let topology = &board.topology;
    let mut characters = vec![EMPTY; topology.size() as usize];
    for symbol in symbols {
        let Value::Set(sites) = state.value(symbol.piece, position(state.game(), instance, symbol)) else {
            continue;
        };
        sites.iter().for_each(|site| characters[site as usize] = symbol.character);
    }
    rows(board)
        .into_iter()
        .map(|row| {
            let sites = (1..=i64::from(topology.width())).map(|column| topology.site_at(column, row));
            sites.map(|site| site.map_or(' ', |site| characters[site as usize])).collect()
        })
        .collect()
}

/// The position of a symbol's set in its slot, on this board.
pub fn position(game: &Game, instance: &Instance, symbol: &Symbol) -> usize {
    let model = game.model();
    let board = &model.boards[instance.board.index()];
    let own = model.slots[symbol.piece.index()].index.iter().skip(board.index.len());
    let members: usize = own.map(|domain| model.domains[domain.index()].size as usize).product();
    instance.number * members + symbol.member
}

/// The numbers of the rows from the top of the page down.
pub fn rows(board: &Board) -> Vec<i64> {
    let rows = 1..=i64::from(board.topology.height());
    if board.from_top { rows.collect() } else { rows.rev().collect() }
}

/// The names of the columns.
pub fn columns(topology: &Topology) -> Vec<String> {
    let column = |number: u32| match (topology.notation(), topology.site_at(i64::from(number), 1)) {
        (Notation::Letters, Some(site)) => {
            let name = topology.site_name(site);
            if name.contains(':') {
                number.to_string()
            } else {
                name.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned()
            }
        }
        _ => number.to_string(),
    };
    (1..=topology.width()).map(column).collect()
}

/// A board as text, with the numbers of its rows and the names of its columns.
pub fn lines(board: &Board, drawn: &[Vec<char>]) -> Vec<String> {
    let numbers: Vec<String> = rows(board).iter().map(i64::to_string).collect();
    let columns = columns(&board.topology);
    let margin = numbers.iter().map(String::len).max().unwrap_or(0);
    let cell = columns.iter().map(String::len).max().unwrap_or(1);
    let join = |label: &str, cells: &mut dyn Iterator<Item = String>| {
        let cells: String = cells.map(|text| format!(" {text:>cell$}")).collect();
        format!("{label:>margin$}{cells}")
    };
    let row = |(number, row): (&String, &Vec<char>)| join(number, &mut row.iter().map(char::to_string));
    let mut all: Vec<String> = numbers.iter().zip(drawn).map(row).collect();
    all.push(join("", &mut columns.into_iter()));
    all
}

/// What a line of a drawing is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DrawnLine {
    /// The sites of a row.
    Row(Vec<char>),
    /// The names of the columns.
    Columns,
    /// A row with another number than the one that is due.
    WrongNumber(String),
    /// A row with too few or too many sites.
    WrongWidth(usize),
}

/// Reads a line of a drawing, where the row of this number is due.
pub fn read_line(topology: &Topology, due: Option<i64>, line: &str) -> DrawnLine {
    let words: Vec<&str> = line.split_whitespace().collect();
    if words == columns(topology) || words.concat() == columns(topology).concat() {
        return DrawnLine::Columns;
    }
    let width = topology.width() as usize;
    let characters = |words: &[&str]| words.concat().chars().collect::<Vec<char>>();
    let all = characters(&words);
    if all.len() == width {
        return DrawnLine::Row(all);
    }
    // A number may stand right before its row.
    let label = due.map(|due| due.to_string()).unwrap_or_default();
    if all.len() == width + label.len() && all.iter().copied().take(label.len()).eq(label.chars()) {
        return DrawnLine::Row(all[label.len()..].to_vec());
    }
    let rest = characters(words.get(1..).unwrap_or_default());
    match words.first().map(|word| (word, word.parse::<i64>())) {
        Some((_, Ok(number))) if rest.len() == width && due.is_none_or(|due| due == number) => {
            DrawnLine::Row(rest)
        }
        Some((word, Ok(_))) if rest.len() == width => DrawnLine::WrongNumber((*word).to_owned()),
        Some((_, Ok(_))) => DrawnLine::WrongWidth(rest.len()),
        _ => DrawnLine::WrongWidth(all.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(width: u32, height: u32) -> Topology {
        Topology::grid(width, height, false, Notation::Letters)
    }

    #[test]
    fn rows_are_read_in_every_form() {
        let board = grid(3, 3);
        let row = DrawnLine::Row(vec!['.', 'X', 'O']);
        for line in [".XO", ". X O", "2 .XO", " 2  . X O ", ".X O", "2.XO"] {
            assert_eq!(read_line(&board, Some(2), line), row, "{line}");
        }
        assert_eq!(read_line(&board, Some(2), "  a b c"), DrawnLine::Columns);
        assert_eq!(read_line(&board, Some(2), "abc"), DrawnLine::Columns);
        assert_eq!(read_line(&board, Some(2), "3 .XO"), DrawnLine::WrongNumber("3".into()));
        assert_eq!(read_line(&board, Some(2), "2 .XOX"), DrawnLine::WrongWidth(4));
        assert_eq!(read_line(&board, Some(2), ".X"), DrawnLine::WrongWidth(2));
    }

    #[test]
    fn columns_have_letters_or_numbers() {
        assert_eq!(columns(&grid(3, 2)), ["a", "b", "c"]);
        assert_eq!(columns(&Topology::grid(2, 2, false, Notation::Numbers)), ["1", "2"]);
        let wide = columns(&grid(30, 2));
        assert_eq!((wide[0].as_str(), wide[29].as_str()), ("1", "30"));
    }
}
