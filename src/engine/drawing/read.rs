//! Reads the drawing of a board line by line: which text stands on which site. What the text stands for
//! is not its concern, since a legend may follow the drawing.

use super::rows::{Row, columns, rows};
use super::{EMPTY, Instance, WIDEST, field, graph, numbers, sides_of};
use crate::board::{BitSet, Shape};
use crate::engine::Game;
use crate::lang::model::{Board, BoardId};

/// What a drawing says of the sites of a board: the line and the text of each that is not empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// The board: of the cells, or of their sides.
    pub board: BoardId,
    /// Sites with the line and the text that they have there.
    pub sites: Vec<(u32, usize, String)>,
}

/// How the sites lie on the page.
enum Form {
    /// A line for each row.
    Rows(Vec<Row>),
    /// A name and what stands there, as often as there are sites.
    List,
    /// A line of corners and sides, then one of cells and sides, and so on.
    Field(Vec<Row>),
}

/// Reads the drawing of one board.
pub struct Reader<'g> {
    game: &'g Game,
    board: &'g Board,
    instance: Instance,
    form: Form,
    /// Sites hold numbers.
    numbers: bool,
    /// The line it began on.
    first: Option<usize>,
    /// How many rows (or lines of a field, or sites of a list) there have been.
    found: usize,
    /// The sites of a list that there have been.
    listed: BitSet,
    /// Where the corners begin.
    origin: usize,
    cells: Vec<(u32, usize, String)>,
    sides: Vec<(u32, usize, String)>,
}

impl<'g> Reader<'g> {
    /// Nothing read so far.
    pub fn new(game: &'g Game, instance: Instance) -> Self {
        let board = &game.model().boards[instance.board.index()];
        let form = match board.topology.shape() {
            Shape::Graph if board.topology.places().is_none() => Form::List,
            Shape::Track { .. } => Form::List,
            _ if sides_of(game, instance.board).is_some() => Form::Field(rows(board)),
            _ => Form::Rows(rows(board)),
        };
        let numbers = numbers(game, instance.board).is_some();
        let (cells, sides) = (vec![], vec![]);
        let listed = BitSet::empty(board.topology.size());
        Reader {
            game,
            board,
            instance,
            form,
            numbers,
            first: None,
            found: 0,
            listed,
            origin: 0,
            cells,
            sides,
        }
    }

    /// Which of the boards it is.
    pub fn instance(&self) -> &Instance {
        &self.instance
    }

    /// The line on which the drawing began.
    pub fn first(&self) -> Option<usize> {
        self.first
    }

    /// Reads the line of a number, from 1.
    pub fn line(&mut self, number: usize, line: &str) -> Result<(), String> {
        if self.is_columns(line) {
            return Ok(());
        }
        let begins = self.first.is_none();
        // Cells without their sides may be drawn as the rows of any other board.
        if let Form::Field(rows) = &self.form
            && begins
            && !line.trim_start().starts_with(field::CORNER)
        {
            self.form = Form::Rows(rows.clone());
        }
        let result = match &self.form {
            Form::Rows(_) => self.row(number, line),
            Form::List => self.entries(number, line),
            Form::Field(_) => self.field_line(number, line),
        };
        if begins && (self.found > 0 || result.is_err()) {
            self.first = Some(number);
        }
        result
    }

    /// What has been drawn of the board and of its sides; an error if that is not all of it.
    pub fn finish(self) -> Result<Vec<Drawn>, String> {
        let (found, name) = (self.found, &self.instance.name);
        match &self.form {
            Form::Rows(rows) if found < rows.len() => {
                return Err(format!("the board has {} rows, and {found} are drawn", rows.len()));
            }
            Form::List if found < self.board.topology.size() as usize => {
                let size = self.board.topology.size();
                return Err(format!("`{name}` has {size} sites, and {found} are listed"));
            }
            Form::Field(rows) if found < 2 * rows.len() + 1 => {
                let all = 2 * rows.len() + 1;
                return Err(format!(
                    "the field has {all} lines (rows and what is between them), and {found} are drawn"
                ));
            }
            _ => {}
        }
        let mut all = vec![Drawn { board: self.instance.board, sites: self.cells }];
        if let Some(board) = sides_of(self.game, self.instance.board) {
            all.push(Drawn { board, sites: self.sides });
        }
        Ok(all)
    }

    /// Is a line the names of the columns, or of some of them?
    fn is_columns(&self, line: &str) -> bool {
        if matches!(self.form, Form::List) {
            return false;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let names = columns(&self.board.topology);
        if words == names || words.concat() == names.concat() {
            return true;
        }
        // Every fifth, on a board that has no room for all of them.
        let fifth: Vec<&String> = names.iter().skip(4).step_by(5).collect();
        names.len() > 26 && words == fifth
    }

    /// Notes what stands on a site, if anything does.
    fn note(&mut self, site: u32, line: usize, text: &str) {
        if text != EMPTY.to_string() {
            self.cells.push((site, line, text.to_owned()));
        }
    }

    fn row(&mut self, number: usize, line: &str) -> Result<(), String> {
        let drawn_lines = *self.board.topology.shape() == Shape::Graph;
        let blank = |c: char| if drawn_lines && graph::LINES.contains(&c) { ' ' } else { c };
        let line: String = line.chars().map(blank).collect();
        if line.trim().is_empty() {
            return Ok(());
        }
        let Form::Rows(rows) = &self.form else { return Ok(()) };
        let height = rows.len();
        let due = rows.get(self.found).cloned();
        let width = due.as_ref().or(rows.last()).map_or(0, |row| row.sites.len());
        let label = due.as_ref().map(|row| row.number);
        let read = read_row(width, label, &line, self.numbers);
        let Some(due) = due else {
            return match read {
                Line::Row(_) => Err(format!("the board has {height} rows, and this is one more")),
                _ => Err(wrong_width(
                    width,
                    line.split_whitespace().map(|word| word.chars().count()).sum::<usize>(),
                )),
            };
        };
        self.found += 1;
        match read {
            Line::Row(texts) => {
                for (site, text) in due.sites.into_iter().zip(texts) {
                    self.note(site, number, &text);
                }
                Ok(())
            }
            Line::WrongNumber(word) => Err(wrong_number(due.number, &word)),
            Line::WrongWidth(found) => Err(wrong_width(width, found)),
        }
    }

    fn entries(&mut self, number: usize, line: &str) -> Result<(), String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        for pair in words.chunks(2) {
            let Some(site) = self.board.topology.parse_site(pair[0]) else {
                let name = &self.instance.name;
                return Err(format!(
                    "`{}` is no site of `{name}`: write each site before what stands there",
                    pair[0]
                ));
            };
            let Some(text) = pair.get(1) else {
                return Err(format!("what stands on {}? `{EMPTY}` is an empty site", pair[0]));
            };
            if self.listed.contains(site) {
                return Err(format!("{} is drawn twice", pair[0]));
            }
            self.listed.insert(site);
            self.found += 1;
            self.note(site, number, text);
        }
        Ok(())
    }

    fn field_line(&mut self, number: usize, line: &str) -> Result<(), String> {
        let Form::Field(rows) = &self.form else { return Ok(()) };
        if line.trim().is_empty() {
            return Ok(());
        }
        let Some(row) = rows.get((self.found / 2).min(rows.len() - 1)).cloned() else { return Ok(()) };
        let all = 2 * rows.len() + 1;
        if self.found == all {
            return Err(format!("the field has {all} lines, and this is one more"));
        }
        let at = self.found;
        self.found += 1;
        let Some(sides) = sides_of(self.game, self.instance.board) else { return Ok(()) };
        let sides = &self.game.model().boards[sides.index()];
        let (above, upright, below) = field::sides_of_row(self.board, sides, row.number);
        let pitch = field::pitch(self.board, WIDEST);
        let characters: Vec<char> = line.chars().collect();
        let here = |x: usize| characters.get(x).copied().unwrap_or(' ');
        let width = row.sites.len();
        let stray = |x: usize| Err(format!("`{}` stands between the places of the field; {HOW}", here(x)));
        if at.is_multiple_of(2) {
            let Some(origin) = characters.iter().position(|c| !c.is_whitespace()) else { return Ok(()) };
            let corners = |x: usize| (0..=width).all(|column| here(x + column * pitch) == field::CORNER);
            if !corners(origin) {
                return Err(format!("a line of {} corners is due here; {HOW}", width + 1));
            }
            if let Some(x) = (origin + width * pitch + 1..characters.len()).find(|x| here(*x) != ' ') {
                return stray(x);
            }
            self.origin = origin;
            for (column, side) in if at + 1 == all { below } else { above }.into_iter().enumerate() {
                let inside: String = (1..pitch).map(|x| here(origin + column * pitch + x)).collect();
                match inside.trim().trim_matches('-') {
                    "" if inside.trim().is_empty() => {}
                    "" => self.sides.push((side, number, super::LINE.to_string())),
                    text => self.sides.push((side, number, text.to_owned())),
                }
            }
            return Ok(());
        }
        let label: String = characters.iter().take(self.origin).collect();
        if !label.trim().is_empty() && label.trim() != row.number.to_string() {
            return Err(wrong_number(row.number, label.trim()));
        }
        let origin = self.origin;
        if let Some(x) = (origin + width * pitch + 1..characters.len()).find(|x| here(*x) != ' ') {
            return stray(x);
        }
        let blank = |text: &str| text.is_empty() || text == EMPTY.to_string();
        for (column, side) in upright.into_iter().enumerate() {
            let text = here(origin + column * pitch).to_string();
            if !blank(text.trim()) {
                self.sides.push((side, number, text));
            }
        }
        for (column, site) in row.sites.into_iter().enumerate() {
            let inside: String = (1..pitch).map(|x| here(origin + column * pitch + x)).collect();
            if !blank(inside.trim()) {
                self.note(site, number, inside.trim());
            }
        }
        Ok(())
    }
}

/// How a field is drawn.
const HOW: &str = "a cell is drawn `+---+` above, `|   |` beside, with blanks where no line is";

/// What a line is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Line {
    /// A row, with the text of each site.
    Row(Vec<String>),
    /// A row with another number than the one that is due.
    WrongNumber(String),
    /// A row with too few or too many sites.
    WrongWidth(usize),
}

fn wrong_number(due: u32, found: &str) -> String {
    format!("this row is row {due}, not {found}: rows stand as on the board")
}

fn wrong_width(width: usize, found: usize) -> String {
    format!(
        "a row has {width} sites, and this line has {found}; `{EMPTY}` is an empty site, and a line that is no row has a `=`"
    )
}

/// Reads a row of so many sites, where the row of a number is due.
fn read_row(width: usize, due: Option<u32>, line: &str, numbers: bool) -> Line {
    let words: Vec<&str> = line.split_whitespace().collect();
    let split = |words: &[&str]| -> Vec<String> {
        if numbers {
            return words.iter().map(|word| (*word).to_owned()).collect();
        }
        words.concat().chars().map(String::from).collect()
    };
    let all = split(&words);
    if all.len() == width {
        return Line::Row(all);
    }
    // A number may stand right before its row.
    let label = due.map(|due| due.to_string()).unwrap_or_default();
    if !numbers && all.len() == width + label.len() && all.concat().starts_with(&label) {
        return Line::Row(all[label.len()..].to_vec());
    }
    let rest = split(words.get(1..).unwrap_or_default());
    match words.first().map(|word| (word, word.parse::<u32>())) {
        Some((_, Ok(number))) if rest.len() == width && due.is_none_or(|due| due == number) => {
            Line::Row(rest)
        }
        Some((word, Ok(_))) if rest.len() == width => Line::WrongNumber((*word).to_owned()),
        Some((_, Ok(_))) => Line::WrongWidth(rest.len()),
        _ => Line::WrongWidth(all.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_in_every_form() {
        let row = Line::Row([".", "X", "O"].map(String::from).to_vec());
        for line in [".XO", ". X O", "2 .XO", " 2  . X O ", ".X O", "2.XO"] {
            assert_eq!(read_row(3, Some(2), line, false), row, "{line}");
        }
        assert_eq!(read_row(3, Some(2), "3 .XO", false), Line::WrongNumber("3".into()));
        assert_eq!(read_row(3, Some(2), "2 .XOX", false), Line::WrongWidth(4));
        assert_eq!(read_row(3, Some(2), ".X", false), Line::WrongWidth(2));
    }

    #[test]
    fn numbers_are_words() {
        let row = Line::Row(["10", "0", "4"].map(String::from).to_vec());
        for line in ["10 0 4", "2 10 0 4", " 2  10  0  4 "] {
            assert_eq!(read_row(3, Some(2), line, true), row, "{line}");
        }
        assert_eq!(read_row(3, Some(2), "1 10 0 4", true), Line::WrongNumber("1".into()));
        assert_eq!(
            read_row(3, Some(2), "2 10 0", true),
            Line::Row(["2", "10", "0"].map(String::from).to_vec())
        );
    }
}
