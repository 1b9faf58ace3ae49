//! Positions: states written as drawings of their boards and `name = value` lines, and read back.
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
//! An ordered zone is written from its top: `pile = [c, {a, b}, d]`, where the order of a and b is left to chance.
//!
//! Everything omitted has its initial value (a `var`'s default, an empty board). The drawing of a board of a
//! family follows a line with its name: `cell[X, red]:`. A family can be set at once, in the order of its
//! elements (`penalties = 2 0`), or one by one (`penalties[X] = 2`). Comments start with `//`.
//!
//! The mover is at the start of the turn, or the starter at the start of the round. With dice on the table
//! (`pair = 3 5`) the mover is at the first choice, and with a line such as `choice = joker` at the named
//! one. If another player chooses there, that line ends with the name: `choice = answer by blue`. In a
//! finished game a line says how it ended: `end = line won by X`.
//!
//! The drawing is specified in [`crate::drawing`].

use std::fmt;

use super::finished::{END, Finish};
use super::lists::{listed, split_list, split_values};
use super::missing_sites::{has_sites, no_site};
use crate::drawing::{self, BoardContents, EMPTY, Instance, LINE, Symbol};
use crate::values::value_text;
use crate::{Game, RuntimeError, Seat, Start, State};
use houserule_language::diagnostic::did_you_mean;
use houserule_model::board::{BitSet, Shape, Site};
use houserule_model::{
    Board, BoardId, Builtin, ChoiceId, Content, DomainId, DomainKind, Role, Slot, SlotId, Value,
};

/// The key of the line that names the pending choice.
const CHOICE: &str = "choice";
/// The text between a choice and the player who chooses there, if that is not the mover.
const BY: &str = " by ";

/// An error in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionError {
    /// The line, from 1; 0 for the position as a whole.
    pub line: usize,
    /// What is wrong, and how to fix it.
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
    /// Returns the state that a text describes, or all errors in the text.
    pub fn position(&self, text: &str) -> Result<State, Vec<PositionError>> {
        let mut reader = PositionReader::new(self);
        for (at, line) in text.lines().enumerate() {
            reader.line(at + 1, line.split("//").next().unwrap_or(""));
        }
        reader.finish_board();
        reader.finish_zones();
        reader.finish_copies();
        let PositionReader { set, pieces, piles, errors, choice, finish, .. } = reader;
        if !errors.is_empty() {
            return Err(errors);
        }
        let whole = |error: RuntimeError| vec![PositionError { line: 0, message: error.to_string() }];
        let mut state = self.blank().map_err(whole)?;
        for (slot, position, value) in pieces.into_iter().chain(set) {
            state.set_value(slot, position, &value);
        }
        for order in &self.model().orders {
            state.set_order(order, &piles);
        }
        if let Some(finish) = finish {
            let over = state.finish(finish).map(|()| state);
            return over.map_err(|message| vec![PositionError { line: 0, message }]);
        }
        self.go_to(state, choice).map_err(|message| vec![PositionError { line: 0, message }])
    }

    /// Goes to the named choice. Without one, goes to the first choice if dice lie on the table and something
    /// is legal there, else to the start of the turn.
    fn go_to(&self, state: State, named: Option<PlayerChoice>) -> Result<State, String> {
        let slots = self.model().slots.iter().zip((0..).map(SlotId));
        let mut dice = slots.filter(|(slot, _)| matches!(slot.role, Role::Dice { .. }));
        let rolled = dice.any(|(slot, id)| state.value(id, 0) != slot.initial[0]);
        let first = (rolled && !self.model().choices.is_empty()).then_some((ChoiceId(0), None));
        if let Some((choice, by)) = named.or(first) {
            let mut there = state.clone();
            let arrived = there.settle_at(choice, by).map_err(|error| error.to_string());
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

    /// Returns the start of a game without its setup.
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

/// A choice and the player who chooses there; `None` for the mover.
type PlayerChoice = (ChoiceId, Option<Seat>);

struct PositionReader<'g> {
    game: &'g Game,
    instances: Vec<Instance>,
    /// The symbols of each board family.
    symbols: Vec<Vec<Symbol>>,
    /// The board of the rows that follow.
    current: Option<drawing::DrawingReader<'g>>,
    drawn: Vec<Instance>,
    pieces: Vec<(SlotId, usize, Value)>,
    set: Vec<(SlotId, usize, Value)>,
    /// The parts of ordered zones, from the top.
    piles: Vec<(SlotId, usize, Vec<BitSet>)>,
    choice: Option<PlayerChoice>,
    finish: Option<Finish>,
    errors: Vec<PositionError>,
}

impl<'g> PositionReader<'g> {
    fn new(game: &'g Game) -> Self {
        let instances = drawing::instances(game);
        PositionReader {
            game,
            symbols: game.model().boards.iter().map(|board| drawing::symbols(game, board)).collect(),
            current: match &instances[..] {
                [only] => Some(drawing::DrawingReader::new(game, only.clone())),
                _ => None,
            },
            drawn: Vec::new(),
            instances,
            pieces: Vec::new(),
            set: Vec::new(),
            piles: Vec::new(),
            choice: None,
            finish: None,
            errors: Vec::new(),
        }
    }

    fn error(&mut self, line: usize, message: impl Into<String>) {
        self.errors.push(PositionError { line, message: message.into() });
    }

    fn line(&mut self, number: usize, drawn: &str) {
        let line = drawn.trim();
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
            // Leading spaces may matter in a drawing.
            self.row(number, drawn);
        }
    }

    fn header(&mut self, number: usize, name: &str) {
        self.finish_board();
        let found = self.instances.iter().find(|instance| plain(&instance.name) == plain(name));
        self.current = found.map(|instance| drawing::DrawingReader::new(self.game, instance.clone()));
        if self.current.is_none() {
            let names = self.instances.iter().map(|instance| instance.name.as_str());
            let hint = match did_you_mean(name, names.clone()) {
                Some(meant) => format!("did you mean `{meant}:`?"),
                None => format!("there are {}", listed(names.map(str::to_owned))),
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
            let mut found = false;
            for symbols in &mut self.symbols {
                let Some(at) = symbols.iter().position(|s| plain(&s.name) == plain(name)) else { continue };
                found = true;
                let old = std::mem::replace(&mut symbols[at].character, character);
                // The other piece with this character takes the one that is now free.
                if let Some(other) =
                    (0..symbols.len()).find(|other| *other != at && symbols[*other].character == character)
                {
                    symbols[other].character = old;
                }
            }
            if !found {
                let names = || self.symbols.iter().flatten().map(|symbol| symbol.name.as_str());
                self.error(number, format!("no piece is called `{name}`; {}", hint(name, names())));
            }
        }
    }

    fn row(&mut self, number: usize, line: &str) {
        let Some(reader) = &mut self.current else {
            let message = if self.instances.is_empty() {
                "this game has no board: write lines like `name = value`".to_owned()
            } else {
                let names = listed(self.instances.iter().map(|instance| format!("{}:", instance.name)));
                format!("which board is this row of? Write one of {names} above it")
            };
            return self.error(number, message);
        };
        if let Err(message) = reader.line(number, line) {
            self.error(number, message);
        }
    }

    /// Finishes the current board and stores its drawing.
    fn finish_board(&mut self) {
        let Some(reader) = self.current.take() else { return };
        let Some(first) = reader.first() else { return };
        let instance = reader.instance().clone();
        if self.drawn.contains(&instance) {
            return self.error(first, format!("`{}` is drawn twice", instance.name));
        }
        self.drawn.push(instance.clone());
        match reader.finish() {
            Ok(all) => all.into_iter().for_each(|drawn| self.take(&instance, drawn)),
            Err(message) => self.error(first, message),
        }
    }

    /// Stores the pieces or numbers on the sites of a board.
    fn take(&mut self, instance: &Instance, drawn: BoardContents) {
        let game = self.game;
        let board = &game.model().boards[drawn.board.index()];
        if let Some(slot) = drawing::numbers(game, drawn.board) {
            for (site, line, text) in drawn.sites {
                let position = instance.number * board.topology.size() as usize + site.index();
                match self.value(&game.model().slots[slot.index()], &text) {
                    Ok(value) => self.pieces.push((slot, position, value)),
                    Err(_) if is_ground(board, site, &text) => {}
                    Err(message) => self.error(line, message),
                }
            }
            return;
        }
        let symbols = self.symbols[drawn.board.index()].clone();
        let sided = board.sides_of.is_some();
        let mut sets = vec![BitSet::empty(board.topology.size()); symbols.len()];
        for (site, line, text) in drawn.sites {
            let is = |symbol: &Symbol| text == symbol.character.to_string();
            // If there is one kind of piece, a line stands for it.
            let lone = sided && symbols.len() == 1 && text == LINE.to_string();
            match symbols.iter().position(|symbol| is(symbol) || lone) {
                Some(symbol) => sets[symbol].insert(site.0),
                // Drawings show the ground of an empty site.
                None if is_ground(board, site, &text) => {}
                None => {
                    let known = listed(symbols.iter().map(|s| format!("{} = {}", s.character, s.name)));
                    let site = board.topology.site_name(site);
                    self.error(line, format!("`{text}` on {site} is no piece; there are {known}, and `{EMPTY}` is an empty site"));
                }
            }
        }
        let instance = Instance { board: drawn.board, ..instance.clone() };
        for (symbol, set) in symbols.iter().zip(sets) {
            let position = drawing::position(game, &instance, symbol);
            self.pieces.push((symbol.piece, position, Value::Set(set)));
        }
    }

    /// Puts elements of zones that are named nowhere in the zone where all lie before the setup. Every
    /// element lies in one zone.
    fn finish_zones(&mut self) {
        let slots = (0..).map(SlotId).zip(&self.game.model().slots);
        let zones: Vec<(SlotId, &Slot)> = slots.filter(|(_, slot)| slot.role == Role::Zone).collect();
        let first = zones.iter().filter(|(_, slot)| slot.initial.iter().any(|v| *v != empty_like(v)));
        for (first, slot) in first {
            let (mut lying, Content::Set(domain)) = (slot.initial[0].clone(), slot.content) else { continue };
            let mut told = false;
            for (id, place, value) in &self.set {
                if let (Value::Set(named), Value::Set(rest)) = (value, &mut lying)
                    && zones.iter().any(|(zone, slot)| zone == id && slot.content == Content::Set(domain))
                {
                    told |= (id, *place) == (first, 0);
                    if let Some(twice) = named.minus(rest).first() {
                        let name = self.game.element_name(domain, twice);
                        self.errors
                            .push(PositionError { line: 0, message: format!("`{name}` lies in two zones") });
                        return;
                    }
                    *rest = rest.minus(named);
                }
            }
            match &lying {
                Value::Set(rest) if told => {
                    if let Some(nowhere) = rest.first() {
                        let message =
                            format!("`{}` lies in no zone", self.game.element_name(domain, nowhere));
                        self.errors.push(PositionError { line: 0, message });
                    }
                }
                _ => self.set.push((*first, 0, lying)),
            }
        }
    }

    /// Puts copies that are named nowhere in the zone with the most copies before the setup.
    fn finish_copies(&mut self) {
        let model = self.game.model();
        for at in 0..model.domains.len() as u32 {
            let domain = DomainId(at);
            let kinds = model.domains[domain.index()].size as usize;
            let mut places: Vec<(SlotId, usize)> = vec![];
            for (zone, slot) in model.copies(domain) {
                places.extend((0..slot.initial.len() / kinds).map(|place| (zone, place)));
            }
            let first = |(zone, place): &(SlotId, usize), kind: usize| match model.slots[zone.index()].initial
                [place * kinds + kind]
            {
                Value::Number(n) => n,
                _ => 0,
            };
            let all = |place: &(SlotId, usize)| (0..kinds).map(|kind| first(place, kind)).sum::<i64>();
            let Some(home) = places.iter().max_by_key(|place| (all(place), std::cmp::Reverse(place.0)))
            else {
                continue;
            };
            for kind in 0..kinds {
                let told = |(zone, place): &(SlotId, usize)| {
                    let named =
                        self.set.iter().rev().find(|(id, at, _)| (*id, *at) == (*zone, place * kinds + kind));
                    named.map(|(_, _, value)| if let Value::Number(n) = value { *n } else { 0 })
                };
                let there: i64 = places.iter().map(|place| first(place, kind)).sum();
                let elsewhere: i64 = places
                    .iter()
                    .filter(|place| *place != home)
                    .map(|place| told(place).unwrap_or(first(place, kind)))
                    .sum();
                let left = there - elsewhere;
                if told(home).is_some_and(|n| n != left) || left < 0 {
                    let name = self.game.element_name(domain, kind as u32);
                    let lying = elsewhere + told(home).unwrap_or(0);
                    let message = format!("there are {there} of `{name}`, and {lying} lie in zones");
                    self.errors.push(PositionError { line: 0, message });
                    return;
                }
                self.set.push((home.0, home.1 * kinds + kind, Value::Number(left)));
            }
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
            let (name, by) = text.split_once(BY).map_or((text, None), |(name, by)| (name, Some(by)));
            let by = by.map(|by| self.player(by.trim())).transpose()?;
            self.choice = Some((self.choice_named(name.trim())?, by));
            return Ok(());
        }
        if name == END && told().all(|(_, slot)| slot.name != END) {
            self.finish = Some(Finish::read(self.game, text)?);
            return Ok(());
        }
        let Some((at, slot)) = told().find(|(_, slot)| slot.name == name) else {
            let names = told().map(|(_, slot)| slot.name.as_str());
            return Err(format!("no variable is called `{name}`; {}", hint(name, names)));
        };
        let id = SlotId(at as u32);
        if let Some(index) = index {
            let position = self.position_of(slot, index)?;
            return self.set_to(id, position, text);
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
            self.set_to(id, position, word)?;
        }
        Ok(())
    }

    /// Sets a value to what a text says.
    fn set_to(&mut self, id: SlotId, position: usize, text: &str) -> Result<(), String> {
        let slot = &self.game.model().slots[id.index()];
        let value = match self.pile(id, text)? {
            Some((all, parts)) => {
                self.piles.push((id, position, parts));
                all
            }
            None => self.value(slot, text)?,
        };
        if let (Role::Piece(board), Value::Set(sites)) = (slot.role, &value) {
            has_sites(self.game, board, id, position, sites)?;
        }
        self.set.push((id, position, value));
        Ok(())
    }

    /// Reads an ordered zone from the top, `[c, {a, b}, d]`: its elements and its parts. Returns `None` for any other
    /// value.
    fn pile(&self, id: SlotId, text: &str) -> Result<Option<(Value, Vec<BitSet>)>, String> {
        let (model, Some(inner)) = (self.game.model(), text.strip_prefix('[')) else { return Ok(None) };
        let Slot { name, content: Content::Set(domain), .. } = &model.slots[id.index()] else {
            return Ok(None);
        };
        if model.order_in(id).is_none() {
            return Err(format!("`{name}` has no order: write `{name} = {{a, b}}`"));
        }
        let inner = inner.strip_suffix(']').ok_or("`[` without `]`")?;
        let (mut all, mut parts) = (BitSet::empty(model.domains[domain.index()].size), vec![]);
        for word in split_list(inner).into_iter().map(str::trim).filter(|word| !word.is_empty()) {
            let part = match word.starts_with('{') {
                true => self.value(&model.slots[id.index()], word)?,
                false => Value::Set(BitSet::single(all.size(), self.element(*domain, word)?)),
            };
            let Value::Set(part) = part else { continue };
            if let Some(twice) = all.intersect(&part).first() {
                return Err(format!("`{}` lies twice in `{name}`", self.game.element_name(*domain, twice)));
            }
            all = all.union(&part);
            parts.push(part);
        }
        Ok(Some((Value::Set(all), parts)))
    }

    fn choice_named(&self, name: &str) -> Result<ChoiceId, String> {
        let names = || self.game.model().choices.iter().map(|choice| choice.name.as_str());
        let found = names().position(|known| known == name);
        let found = found.map(|at| ChoiceId(at as u32));
        found.ok_or_else(|| format!("no choice is called `{name}`; {}", hint(name, names())))
    }

    fn player(&self, name: &str) -> Result<Seat, String> {
        let mover = &self.game.model().slots[Builtin::Mover.slot().index()];
        let Content::Element { domain, .. } = mover.content else { return Ok(Seat(0)) };
        self.element(domain, name).map(Seat)
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

    fn element(&self, domain: houserule_model::DomainId, word: &str) -> Result<u32, String> {
        self.game.parse_element(domain, word).ok_or_else(|| {
            let model = self.game.model();
            if let DomainKind::Sites(board) = model.domains[domain.index()].kind
                && let board = &model.boards[board.index()]
                && board.topology.has_rows()
            {
                return no_site(word, &board.name, board.topology.width(), board.topology.height());
            }
            let domain_name = &model.domains[domain.index()].name;
            let size = model.domains[domain.index()].size;
            let names: Vec<String> = (0..size.min(200)).map(|e| self.game.element_name(domain, e)).collect();
            format!("`{word}` is no {domain_name}; {}", hint(word, names.iter().map(String::as_str)))
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

/// Returns `true` if a text is the letter that drawings show on an empty site.
fn is_ground(board: &Board, site: Site, text: &str) -> bool {
    let letter = board.ground(site).and_then(|ground| ground.look.letter);
    letter.is_some_and(|letter| text == letter.to_string())
}

/// Returns a name without its white space.
fn plain(name: &str) -> String {
    name.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Returns a hint: the name that may be meant, or all names.
fn hint<'a>(name: &str, names: impl Iterator<Item = &'a str> + Clone) -> String {
    match did_you_mean(name, names.clone()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("there are {}", listed(names.map(str::to_owned))),
    }
}

/// Returns the empty set for a set, else the value.
fn empty_like(value: &Value) -> Value {
    match value {
        Value::Set(set) => Value::Set(BitSet::empty(set.size())),
        other => other.clone(),
    }
}

/// Returns `true` if a position may name the slot.
fn is_told(slot: &Slot) -> bool {
    !matches!(slot.role, Role::Empty(_) | Role::Place | Role::SeenPlace)
}

impl State {
    /// Returns the state as a position, which [`Game::position`] reads.
    pub fn position(&self) -> String {
        let game = self.game();
        let model = game.model();
        let instances = drawing::instances(game);
        let mut text = String::new();
        for instance in &instances {
            if instances.len() > 1 {
                text.push_str(&format!("{}:\n", instance.name));
            }
            for line in drawing::page(self, instance).text() {
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
        let boards = (0..model.boards.len() as u32).map(BoardId);
        let shown: Vec<SlotId> = boards.filter_map(|board| drawing::numbers(game, board)).collect();
        for (slot, at) in model.slots.iter().zip(0..) {
            if shown.contains(&SlotId(at)) {
                continue;
            }
            if let Some(line) = self.assignment(SlotId(at), slot) {
                text.push_str(&line);
                text.push('\n');
            }
        }
        // A round does not begin at a choice, even if there is only one.
        let told = model.choices.len() > 1 || model.rounds;
        if let (Some(choice), true) = (self.pending_choice(), told) {
            text.push_str(&format!("{CHOICE} = {}", model.choices[choice.index()].name));
            let mover = self.value(Builtin::Mover.slot(), 0);
            if let Some(by) = self.current_player().filter(|by| mover != Value::Element(Some(by.0))) {
                let slot = &model.slots[Builtin::Mover.slot().index()];
                let name = value_text(game, slot.content, &Value::Element(Some(by.0)));
                text.push_str(&format!("{BY}{name}"));
            }
            text.push('\n');
        }
        if let Some(line) = self.finish_line() {
            text.push_str(&line);
            text.push('\n');
        }
        text
    }

    /// Returns the line of a slot, or `None` if it has its initial values or is drawn.
    fn assignment(&self, id: SlotId, slot: &Slot) -> Option<String> {
        let drawn = match slot.role {
            Role::Empty(_) | Role::Place | Role::SeenPlace => true,
            Role::Piece(board) => *self.game().model().boards[board.index()].topology.shape() != Shape::Links,
            _ => false,
        };
        if drawn {
            return None;
        }
        let values: Vec<Value> = (0..slot.initial.len()).map(|position| self.value(id, position)).collect();
        let always = slot.role == Role::Builtin(Builtin::Mover) && self.game().players() > 1;
        let is_shuffled = |place| self.parts(id, place).is_none_or(|parts| parts.len() <= 1);
        if values == slot.initial && (0..values.len()).all(is_shuffled) && !always {
            return None;
        }
        let text = |(place, value): (usize, &Value)| {
            let pile = self.pile_text(id, place);
            pile.unwrap_or_else(|| value_text(self.game(), slot.content, value))
        };
        let words: Vec<String> = values.iter().enumerate().map(text).collect();
        Some(format!("{} = {}", slot.name, words.join(" ")))
    }
}
