//! Parses the drawing of a board line by line into the text of each site. Independent of what the texts stand
//! for, since a legend may follow the drawing.

use super::rows::{DrawingRow, columns, rows};
use super::{EMPTY, Instance, WIDEST, field, graph, numbers, sides_of};
use crate::Game;
use houserule_base::numbers::counted;
use houserule_model::board::{BitSet, Shape, Site};
use houserule_model::{Board, BoardId};

/// The sites of a board that are not empty in a drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardContents {
    /// The board: of the cells, or of their sides.
    pub board: BoardId,
    /// Each site with the number of its line, and its text.
    pub sites: Vec<(Site, usize, String)>,
}

/// The layout of the sites on the page.
enum PageLayout {
    /// One line per row.
    Rows(Vec<DrawingRow>),
    /// Pairs of a site's name and its contents.
    List,
    /// Lines of corners and sides, alternating with lines of cells and sides.
    Field(Vec<DrawingRow>),
}

/// A parser of the drawing of one board.
pub struct DrawingReader<'g> {
    game: &'g Game,
    board: &'g Board,
    instance: Instance,
    form: PageLayout,
    /// Whether sites hold numbers.
    numbers: bool,
    /// The line number at which it began.
    first: Option<usize>,
    /// Number of rows (or lines of a field, or sites of a list) read so far.
    found: usize,
    /// The sites of a list read so far.
    listed: BitSet,
    /// The column of the first corner.
    origin: usize,
    cells: Vec<(Site, usize, String)>,
    sides: Vec<(Site, usize, String)>,
}

impl<'g> DrawingReader<'g> {
    /// Returns an empty parser.
    pub fn new(game: &'g Game, instance: Instance) -> Self {
        let board = &game.model().boards[instance.board.index()];
        let form = match board.topology.shape() {
            Shape::Graph if board.topology.places().is_none() => PageLayout::List,
            Shape::Track { .. } => PageLayout::List,
            _ if sides_of(game, instance.board).is_some() => PageLayout::Field(rows(board, instance.number)),
            _ => PageLayout::Rows(rows(board, instance.number)),
        };
        let numbers = numbers(game, instance.board).is_some();
        let (cells, sides) = (vec![], vec![]);
        let listed = BitSet::empty(board.topology.size());
        DrawingReader {
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

    /// Returns the board that is drawn.
    pub fn instance(&self) -> &Instance {
        &self.instance
    }

    /// Returns the line number at which the drawing began.
    pub fn first(&self) -> Option<usize> {
        self.first
    }

    /// Reads the line with this number, from 1.
    pub fn line(&mut self, number: usize, line: &str) -> Result<(), String> {
        if self.is_columns(line) {
            return Ok(());
        }
        let begins = self.first.is_none();
        // Cells with sides may also be drawn without them, like the rows of any other board.
        if let PageLayout::Field(rows) = &self.form
            && begins
            && !line.trim_start().starts_with(field::CORNER)
        {
            self.form = PageLayout::Rows(rows.clone());
        }
        let result = match &self.form {
            PageLayout::Rows(_) => self.row(number, line),
            PageLayout::List => self.entries(number, line),
            PageLayout::Field(_) => self.field_line(number, line),
        };
        if begins && (self.found > 0 || result.is_err()) {
            self.first = Some(number);
        }
        result
    }

    /// Returns what was drawn of the board and of its sides, or an error if the drawing is incomplete.
    pub fn finish(self) -> Result<Vec<BoardContents>, String> {
        let (found, name) = (self.found, &self.instance.name);
        match &self.form {
            PageLayout::Rows(rows) if found < rows.len() => {
                return Err(format!(
                    "the board has {}, and {found} {} drawn",
                    counted(rows.len(), "row"),
                    is(found)
                ));
            }
            PageLayout::List if found < self.board.topology.size() as usize => {
                let size = self.board.topology.size();
                return Err(format!(
                    "`{name}` has {}, and {found} {} listed",
                    counted(size, "site"),
                    is(found)
                ));
            }
            PageLayout::Field(rows) if found < 2 * rows.len() + 1 => {
                let all = 2 * rows.len() + 1;
                return Err(format!(
                    "the field has {all} lines (rows and what is between them), and {found} {} drawn",
                    is(found)
                ));
            }
            _ => {}
        }
        let mut all = vec![BoardContents { board: self.instance.board, sites: self.cells }];
        if let Some(board) = sides_of(self.game, self.instance.board) {
            all.push(BoardContents { board, sites: self.sides });
        }
        Ok(all)
    }

    /// Returns `true` if a line holds all column names, or every fifth.
    fn is_columns(&self, line: &str) -> bool {
        if matches!(self.form, PageLayout::List) {
            return false;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let names = columns(self.board, self.instance.number);
        if words == names || words.concat() == names.concat() {
            return true;
        }
        // A board with no room for all names shows every fifth.
        let fifth: Vec<&String> = names.iter().skip(4).step_by(5).collect();
        names.len() > 26 && words == fifth
    }

    /// Records the text of a site unless it is empty.
    fn note(&mut self, site: Site, line: usize, text: &str) {
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
        let PageLayout::Rows(rows) = &self.form else { return Ok(()) };
        let height = rows.len();
        let due = rows.get(self.found).cloned();
        let width = due.as_ref().or(rows.last()).map_or(0, |row| row.sites.len());
        let label = due.as_ref().map(|row| row.number);
        let read = read_row(width, label, &line, self.numbers);
        let Some(due) = due else {
            return match read {
                RowReading::Row(_) => {
                    Err(format!("the board has {}, and this is one more", counted(height, "row")))
                }
                _ => Err(wrong_width(
                    width,
                    line.split_whitespace().map(|word| word.chars().count()).sum::<usize>(),
                )),
            };
        };
        self.found += 1;
        match read {
            RowReading::Row(texts) => {
                for (site, text) in due.sites.into_iter().zip(texts) {
                    self.note(site, number, &text);
                }
                Ok(())
            }
            RowReading::WrongNumber(word) => Err(wrong_number(due.number, &word)),
            RowReading::WrongWidth(found) => Err(wrong_width(width, found)),
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
            if self.listed.contains(site.0) {
                return Err(format!("{} is drawn twice", pair[0]));
            }
            self.listed.insert(site.0);
            self.found += 1;
            self.note(site, number, text);
        }
        Ok(())
    }

    fn field_line(&mut self, number: usize, line: &str) -> Result<(), String> {
        let PageLayout::Field(rows) = &self.form else { return Ok(()) };
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

/// The help text for fields in messages.
const HOW: &str = "a cell is drawn `+---+` above, `|   |` beside, with blanks where no line is";

/// The result of reading a row.
#[derive(Clone, Debug, PartialEq, Eq)]
enum RowReading {
    /// A row, with the text of each site.
    Row(Vec<String>),
    /// A row whose number isn't the expected one.
    WrongNumber(String),
    /// A row with too few or too many sites.
    WrongWidth(usize),
}

/// The verb for a number of things.
fn is(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

fn wrong_number(due: u32, found: &str) -> String {
    format!("this row is row {due}, not {found}: rows stand as on the board")
}

fn wrong_width(width: usize, found: usize) -> String {
    let more = if found > width { "; leave out what is printed beside and below a board" } else { "" };
    format!(
        "a row has {}, and this line has {found}; `{EMPTY}` is an empty site, and a line that is no row has a `=`{more}",
        counted(width, "site")
    )
}

/// Parses a row of `width` sites. `due` is the expected row number.
fn read_row(width: usize, due: Option<u32>, line: &str, numbers: bool) -> RowReading {
    let words: Vec<&str> = line.split_whitespace().collect();
    let split = |words: &[&str]| -> Vec<String> {
        if numbers {
            return words.iter().map(|word| (*word).to_owned()).collect();
        }
        words.concat().chars().map(String::from).collect()
    };
    let all = split(&words);
    if all.len() == width {
        return RowReading::Row(all);
    }
    // The number may directly precede the row.
    let label = due.map(|due| due.to_string()).unwrap_or_default();
    if !numbers && all.len() == width + label.len() && all.concat().starts_with(&label) {
        return RowReading::Row(all[label.len()..].to_vec());
    }
    let rest = split(words.get(1..).unwrap_or_default());
    match words.first().map(|word| (word, word.parse::<u32>())) {
        Some((_, Ok(number))) if rest.len() == width && due.is_none_or(|due| due == number) => {
            RowReading::Row(rest)
        }
        Some((word, Ok(_))) if rest.len() == width => RowReading::WrongNumber((*word).to_owned()),
        Some((_, Ok(_))) => RowReading::WrongWidth(rest.len()),
        _ => RowReading::WrongWidth(all.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_in_every_form() {
        let row = RowReading::Row([".", "X", "O"].map(String::from).to_vec());
        for line in [".XO", ". X O", "2 .XO", " 2  . X O ", ".X O", "2.XO"] {
            assert_eq!(read_row(3, Some(2), line, false), row, "{line}");
        }
        assert_eq!(read_row(3, Some(2), "3 .XO", false), RowReading::WrongNumber("3".into()));
        assert_eq!(read_row(3, Some(2), "2 .XOX", false), RowReading::WrongWidth(4));
        assert_eq!(read_row(3, Some(2), ".X", false), RowReading::WrongWidth(2));
    }

    #[test]
    fn numbers_are_words() {
        let row = RowReading::Row(["10", "0", "4"].map(String::from).to_vec());
        for line in ["10 0 4", "2 10 0 4", " 2  10  0  4 "] {
            assert_eq!(read_row(3, Some(2), line, true), row, "{line}");
        }
        assert_eq!(read_row(3, Some(2), "1 10 0 4", true), RowReading::WrongNumber("1".into()));
        assert_eq!(
            read_row(3, Some(2), "2 10 0", true),
            RowReading::Row(["2", "10", "0"].map(String::from).to_vec())
        );
    }
}
