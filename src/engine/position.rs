//! Positions: any state from a drawing of its boards and `name = value` lines, and back.
//!
//! ```text
//! 3 . X .
//! 2 . O .
//! 1 . . .
//!   a b c
//! legend: X = mark[X], O = mark[O]
//! mover = X
//! ```
//!
//! What is not said has its first value (a `var`'s default, an empty board). A board of a family has
//! a line with its name above it: `cell[X, red]:`. A family can be set at once, in the order of its
//! elements (`penalties = 2 0`), or one by one (`penalties[X] = 2`). What follows `//` is a comment.
//!
//! The mover is at the start of the turn; with dice on the table (`pair = 3 5`) at the first choice, or
//! at any that a line such as `choice = joker` names.
//!
//! The drawing is told in [`super::drawing`].

use std::fmt;

use super::drawing::{self, DrawnLine, EMPTY, Instance, Symbol};
use super::values::value_text;
use super::{Game, RuntimeError, Start, State};
use crate::board::BitSet;
use crate::diagnostic::did_you_mean;
use crate::lang::model::{Builtin, ChoiceId, Content, Role, Slot, SlotId, Value};

/// The name before `=` of where the turn has come to.
const CHOICE: &str = "choice";

/// Something wrong with a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionError {
    /// The line, from 1; 0 for the position as a whole.
    pub line: usize,
    /// What is wrong, and how to mend it.
    pub message: String,
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.message),
            line => write!(f, "line {line}: {}", self.message),
        }
    }
}

impl std::error::Error for PositionError {}

impl Game {
    /// The state that a text draws, or everything that is wrong with the text.
    pub fn position(&self, text: &str) -> Result<State, Vec<PositionError>> {
        let mut reader = Reader::new(self);
        for (at, line) in text.lines().enumerate() {
            reader.line(at + 1, line.split("//").next().unwrap_or(""));
        }
        reader.finish_board();
        let Reader { set, pieces, errors, choice, .. } = reader;
        if !errors.is_empty() {
            return Err(errors);
        }
        let whole = |error: RuntimeError| vec![PositionError { line: 0, message: error.to_string() }];
        let mut state = self.blank().map_err(whole)?;
        for (slot, position, value) in pieces.into_iter().chain(set) {
            state.set_value(slot, position, &value);
        }
        self.go_to(state, choice).map_err(|message| vec![PositionError { line: 0, message }])
    }

    /// Goes to the named choice; without one, to the first if dice lie on the table, else to the start
    /// of the turn.
    fn go_to(&self, state: State, named: Option<ChoiceId>) -> Result<State, String> {
        let slots = self.model().slots.iter().zip((0..).map(SlotId));
        let mut dice = slots.filter(|(slot, _)| matches!(slot.role, Role::Dice { .. }));
        let rolled = dice.any(|(slot, id)| state.value(id, 0) != slot.initial[0]);
        let first = (rolled && !self.model().choices.is_empty()).then_some(ChoiceId(0));
        if let Some(choice) = named.or(first) {
            let mut there = state.clone();
            let arrived = there.settle_at(choice).map_err(|error| error.to_string());
            if arrived.is_ok() && there.pending_choice() == Some(choice) {
                return Ok(there);
            }
            if named.is_some() {
                arrived?;
                let name = &self.model().choices[choice.index()].name;
                return Err(format!("at `choice = {name}` there is nothing to choose in this position"));
            }
        }
        let mut state = state;
        state.settle().map_err(|error| error.to_string())?;
        Ok(state)
    }

    /// The start of a game with nothing set up.
    fn blank(&self) -> Result<State, RuntimeError> {
        let start = Start { explicit_chance: true, ..Start::default() };
        let mut state = self.start_at(&start)?;
        for (slot, at) in self.model().slots.iter().zip(0..) {
            if matches!(slot.role, Role::Empty(_)) {
                continue;
            }
            for (position, value) in slot.initial.iter().enumerate() {
                state.set_value(SlotId(at), position, value);
            }
        }
        Ok(state)
    }
}

struct Reader<'g> {
    game: &'g Game,
    instances: Vec<Instance>,
    /// The characters of each board family.
    symbols: Vec<Vec<Symbol>>,
    /// The board that rows belong to.
    current: Option<usize>,
    /// Its rows so far, with their lines.
    rows: Vec<(usize, Vec<char>)>,
    drawn: Vec<bool>,
    pieces: Vec<(SlotId, usize, Value)>,
    set: Vec<(SlotId, usize, Value)>,
    choice: Option<ChoiceId>,
    errors: Vec<PositionError>,
}

impl<'g> Reader<'g> {
    fn new(game: &'g Game) -> Self {
        let instances = drawing::instances(game);
        Reader {
            game,
            symbols: game.model().boards.iter().map(|board| drawing::symbols(game, board)).collect(),
            current: if instances.len() == 1 { Some(0) } else { None },
            drawn: vec![false; instances.len()],
            instances,
            rows: Vec::new(),
            pieces: Vec::new(),
            set: Vec::new(),
            choice: None,
            errors: Vec::new(),
        }
    }

    fn error(&mut self, line: usize, message: impl Into<String>) {
        self.errors.push(PositionError { line, message: message.into() });
    }

    fn line(&mut self, number: usize, line: &str) {
        let line = line.trim();
        if line.is_empty() {
        } else if let Some(legend) = line.strip_prefix("legend:") {
            self.legend(number, legend);
        } else if let Some(name) = line.strip_suffix(':') {
            self.header(number, name);
        } else if let Some((name, value)) = line.split_once('=') {
            if let Err(message) = self.assignment(name.trim(), value.trim()) {
                self.error(number, message);
            }
        } else {
            self.row(number, line);
        }
    }

    fn header(&mut self, number: usize, name: &str) {
        self.finish_board();
        let plain = |name: &str| name.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        self.current = self.instances.iter().position(|instance| plain(&instance.name) == plain(name));
        if self.current.is_none() {
            let names = self.instances.iter().map(|instance| instance.name.as_str());
            let hint = match did_you_mean(name, names.clone()) {
                Some(meant) => format!("did you mean `{meant}:`?"),
                None => format!("there are {}", list(names.map(str::to_owned))),
            };
            self.error(number, format!("no board is called `{name}`; {hint}"));
        }
    }

    fn legend(&mut self, number: usize, text: &str) {
        for entry in split_list(text) {
            let entry = entry.trim();
            let Some((character, name)) = entry.split_once('=').map(|(c, n)| (c.trim(), n.trim())) else {
                self.error(number, format!("`{entry}` is no entry of a legend: write `x = PIECE`"));
                continue;
            };
            let mut characters = character.chars();
            let (Some(character), None) = (characters.next(), characters.next()) else {
                self.error(number, format!("`{character}` stands for one site: write a single character"));
                continue;
            };
            let plain = |name: &str| name.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            let mut found = false;
            for symbols in &mut self.symbols {
                let Some(at) = symbols.iter().position(|s| plain(&s.name) == plain(name)) else { continue };
                found = true;
                let old = std::mem::replace(&mut symbols[at].character, character);
                // Whoever had the character takes the one that is free now.
                if let Some(other) =
                    (0..symbols.len()).find(|other| *other != at && symbols[*other].character == character)
                {
                    symbols[other].character = old;
                }
            }
            if !found {
                let names = || self.symbols.iter().flatten().map(|symbol| symbol.name.as_str());
                let hint = match did_you_mean(name, names()) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => format!("there are {}", list(names().map(str::to_owned))),
                };
                self.error(number, format!("no piece is called `{name}`; {hint}"));
            }
        }
    }

    fn row(&mut self, number: usize, line: &str) {
        let Some(current) = self.current else {
            let message = if self.instances.is_empty() {
                "this game has no board: write lines like `name = value`".to_owned()
            } else {
                let names = list(self.instances.iter().map(|instance| format!("{}:", instance.name)));
                format!("which board is this row of? Write one of {names} above it")
            };
            return self.error(number, message);
        };
        let board = &self.game.model().boards[self.instances[current].board.index()];
        let due = drawing::rows(board).get(self.rows.len()).copied();
        let width = board.topology.width();
        match drawing::read_line(&board.topology, due, line) {
            DrawnLine::Columns => {}
            DrawnLine::Row(characters) if due.is_some() => self.rows.push((number, characters)),
            DrawnLine::Row(_) => {
                let height = board.topology.height();
                self.error(number, format!("the board has {height} rows, and this is one more"));
            }
            DrawnLine::WrongNumber(word) => {
                let due = due.unwrap_or(0);
                self.error(number, format!("this row is row {due}, not {word}: rows stand as on the board"));
                self.rows.push((number, vec![EMPTY; width as usize]));
            }
            DrawnLine::WrongWidth(found) => {
                self.error(
                    number,
                    format!("a row has {width} sites, and this line has {found}; `{EMPTY}` is an empty site, and a line that is no row has a `=`"),
                );
                self.rows.push((number, vec![EMPTY; width as usize]));
            }
        }
    }

    /// Takes the rows of the current board.
    fn finish_board(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        let Some(current) = self.current else { return };
        let Some((first, _)) = rows.first() else { return };
        let first = *first;
        let game = self.game;
        let instance = self.instances[current].clone();
        let board = &game.model().boards[instance.board.index()];
        let (height, found) = (board.topology.height(), rows.len());
        if found < height as usize {
            return self.error(first, format!("the board has {height} rows, and {found} are drawn"));
        }
        if std::mem::replace(&mut self.drawn[current], true) {
            return self.error(first, format!("`{}` is drawn twice", instance.name));
        }
        let symbols = self.symbols[instance.board.index()].clone();
        let mut sets = vec![BitSet::empty(board.topology.size()); symbols.len()];
        for (row, (line, characters)) in drawing::rows(board).into_iter().zip(rows) {
            for (column, character) in (1..).zip(characters) {
                let Some(site) = board.topology.site_at(column, row) else { continue };
                match symbols.iter().position(|symbol| symbol.character == character) {
                    Some(symbol) => sets[symbol].insert(site),
                    None if character == EMPTY => {}
                    None => {
                        let known = list(symbols.iter().map(|s| format!("{} = {}", s.character, s.name)));
                        let site = board.topology.site_name(site);
                        self.error(line, format!("`{character}` on {site} is no piece; there are {known}, and `{EMPTY}` is an empty site"));
                    }
                }
            }
        }
        for (symbol, set) in symbols.iter().zip(sets) {
            let position = drawing::position(game, &instance, symbol);
            self.pieces.push((symbol.piece, position, Value::Set(set)));
        }
    }

    fn assignment(&mut self, target: &str, text: &str) -> Result<(), String> {
        let (name, index) = match target.split_once('[') {
            Some((name, rest)) => {
                let index = rest.trim_end().strip_suffix(']').ok_or("`[` without `]`")?;
                (name.trim(), Some(index))
            }
            None => (target, None),
        };
        let model = self.game.model();
        let told = || model.slots.iter().enumerate().filter(|(_, slot)| is_told(slot));
        if name == CHOICE && told().all(|(_, slot)| slot.name != CHOICE) {
            self.choice = Some(self.choice_named(text)?);
            return Ok(());
        }
        let Some((at, slot)) = told().find(|(_, slot)| slot.name == name) else {
            let names = told().map(|(_, slot)| slot.name.as_str());
            return Err(match did_you_mean(name, names.clone()) {
                Some(meant) => format!("no variable is called `{name}`; did you mean `{meant}`?"),
                None => {
                    format!("no variable is called `{name}`; there are {}", list(names.map(str::to_owned)))
                }
            });
        };
        let id = SlotId(at as u32);
        if let Some(index) = index {
            let position = self.position_of(slot, index)?;
            self.set.push((id, position, self.value(slot, text)?));
            return Ok(());
        }
        let words = split_values(text);
        if words.len() != slot.initial.len() {
            let n = slot.initial.len();
            let values = if n == 1 { "one value" } else { "values" };
            return Err(match n {
                1 => format!("`{name}` has {values}, and `{text}` is {}", words.len()),
                _ => format!(
                    "`{name}` has {n} {values}, and `{text}` has {}: name one ({name}[…]) or all",
                    words.len()
                ),
            });
        }
        for (position, word) in words.iter().enumerate() {
            self.set.push((id, position, self.value(slot, word)?));
        }
        Ok(())
    }

    fn choice_named(&self, name: &str) -> Result<ChoiceId, String> {
        let names = || self.game.model().choices.iter().map(|choice| choice.name.as_str());
        let found = names().position(|known| known == name);
        found.map(|at| ChoiceId(at as u32)).ok_or_else(|| match did_you_mean(name, names()) {
            Some(meant) => format!("no choice is called `{name}`; did you mean `{meant}`?"),
            None => format!("no choice is called `{name}`; there are {}", list(names().map(str::to_owned))),
        })
    }

    fn position_of(&self, slot: &Slot, index: &str) -> Result<usize, String> {
        let words = split_list(index);
        if words.len() != slot.index.len() {
            let (n, found) = (slot.index.len(), words.len());
            return Err(format!("`{}` has {n} index values, and `[{index}]` has {found}", slot.name));
        }
        let mut position = 0;
        for (domain, word) in slot.index.iter().zip(words) {
            let size = self.game.model().domains[domain.index()].size as usize;
            let element = self.element(*domain, word.trim())?;
            position = position * size + element as usize;
        }
        Ok(position)
    }

    fn element(&self, domain: crate::lang::model::DomainId, word: &str) -> Result<u32, String> {
        self.game.parse_element(domain, word).ok_or_else(|| {
            let domain_name = &self.game.model().domains[domain.index()].name;
            let size = self.game.model().domains[domain.index()].size;
            let names: Vec<String> = (0..size.min(200)).map(|e| self.game.element_name(domain, e)).collect();
            match did_you_mean(word, names.iter().map(String::as_str)) {
                Some(meant) => format!("`{word}` is no {domain_name}; did you mean `{meant}`?"),
                None => format!("`{word}` is no {domain_name}; there are {}", list(names.into_iter())),
            }
        })
    }

    fn value(&self, slot: &Slot, word: &str) -> Result<Value, String> {
        let name = &slot.name;
        match slot.content {
            Content::Number { low, high } => match word.parse::<i64>() {
                Ok(number) if (low..=high).contains(&number) => Ok(Value::Number(number)),
                Ok(number) => Err(format!("`{name}` is {low}..{high}, and {number} is not")),
                Err(_) => Err(format!("`{name}` is a number in {low}..{high}, and `{word}` is none")),
            },
            Content::Bool => match word {
                "true" => Ok(Value::Bool(true)),
                "false" => Ok(Value::Bool(false)),
                _ => Err(format!("`{name}` is `true` or `false`, not `{word}`")),
            },
            Content::Element { optional: true, .. } if word == "none" => Ok(Value::Element(None)),
            Content::Element { domain, .. } => Ok(Value::Element(Some(self.element(domain, word)?))),
            Content::Set(domain) => {
                let inner = word.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
                let inner = inner.ok_or_else(|| format!("`{name}` is a set: write `{name} = {{a, b}}`"))?;
                let mut set = BitSet::empty(self.game.model().domains[domain.index()].size);
                for word in split_list(inner).into_iter().filter(|word| !word.trim().is_empty()) {
                    set.insert(self.element(domain, word.trim())?);
                }
                Ok(Value::Set(set))
            }
        }
    }
}

/// May a position name it?
fn is_told(slot: &Slot) -> bool {
    !matches!(slot.role, Role::Empty(_))
}

/// Names for a sentence; many are cut short.
fn list(names: impl Iterator<Item = String>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    match names.len() {
        0 => "none".to_owned(),
        1..=20 => names.join(", "),
        n => format!("{}, and {} more", names[..20].join(", "), n - 20),
    }
}

/// The parts between commas that stand in no brackets.
fn split_list(text: &str) -> Vec<&str> {
    let mut depth = 0;
    let outside = |c: char| {
        depth += i32::from(matches!(c, '[' | '{')) - i32::from(matches!(c, ']' | '}'));
        c == ',' && depth == 0
    };
    text.split(outside).collect()
}

/// The parts between commas and white space that stand in no brackets.
fn split_values(text: &str) -> Vec<&str> {
    let mut depth = 0;
    let outside = |c: char| {
        depth += i32::from(matches!(c, '[' | '{')) - i32::from(matches!(c, ']' | '}'));
        (c == ',' || c.is_whitespace()) && depth == 0
    };
    text.split(outside).filter(|part| !part.is_empty()).collect()
}

impl State {
    /// The state as a position: what [`Game::position`] reads.
    pub fn position(&self) -> String {
        let game = self.game();
        let model = game.model();
        let instances = drawing::instances(game);
        let mut text = String::new();
        for instance in &instances {
            let board = &model.boards[instance.board.index()];
            if instances.len() > 1 {
                text.push_str(&format!("{}:\n", instance.name));
            }
            let drawn = drawing::draw(self, instance, &drawing::symbols(game, board));
            for line in drawing::lines(board, &drawn) {
                text.push_str(&line);
                text.push('\n');
            }
        }
        let symbols = model.boards.iter().flat_map(|board| drawing::symbols(game, board));
        let legend: Vec<String> =
            symbols.map(|symbol| format!("{} = {}", symbol.character, symbol.name)).collect();
        if !legend.is_empty() {
            text.push_str(&format!("legend: {}\n", legend.join(", ")));
        }
        for (slot, at) in model.slots.iter().zip(0..) {
            if let Some(line) = self.assignment(SlotId(at), slot) {
                text.push_str(&line);
                text.push('\n');
            }
        }
        if let (Some(choice), 2..) = (self.pending_choice(), model.choices.len()) {
            text.push_str(&format!("{CHOICE} = {}\n", model.choices[choice.index()].name));
        }
        text
    }

    /// The line of a slot; none if it has its first values, or is drawn.
    fn assignment(&self, id: SlotId, slot: &Slot) -> Option<String> {
        if matches!(slot.role, Role::Empty(_) | Role::Piece(_)) {
            return None;
        }
        let values: Vec<Value> = (0..slot.initial.len()).map(|position| self.value(id, position)).collect();
        let always = slot.role == Role::Builtin(Builtin::Mover) && self.game().players() > 1;
        if values == slot.initial && !always {
            return None;
        }
        let words: Vec<String> =
            values.iter().map(|value| value_text(self.game(), slot.content, value)).collect();
        Some(format!("{} = {}", slot.name, words.join(" ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_respect_brackets() {
        assert_eq!(split_list("x = mark[X, red], o = dot"), ["x = mark[X, red]", " o = dot"]);
        assert_eq!(split_values("3 5"), ["3", "5"]);
        assert_eq!(split_values("{a1, b2}, {} none"), ["{a1, b2}", "{}", "none"]);
    }
}
