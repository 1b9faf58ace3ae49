//! The panel next to a board, as data: seats with scores and counters, dice, score sheets and variables.
//! Independent of how it is drawn.

use super::board::DrawnOnBoards;
use super::chain::{Link, links};
use crate::layout::{BoxRow, card_sign, family_signs, sign_in_words};
use houserule_game::Onlookers;
use houserule_game::explain::things;
use houserule_game::values::{BoardNames, value_text};
use houserule_game::{Game, Seat, State, family_names};
use houserule_model::board::BitSet;
use houserule_model::{
    Colour, Content, DisplayForm, DomainId, Model, Order, PLAYER, Role, SeatLook, Slot, SlotId, Value,
};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Maximum width of a value in the table of the seats.
const WIDEST_CELL: usize = 12;

/// Maximum number of rows of a sheet or table.
const MOST_LINES: usize = 40;

/// Maximum total width of a table's column names.
const WIDEST_HEADS: usize = 48;

/// Maximum number of members of a family that are listed.
const MOST_LISTED: usize = 24;

/// The contents of the panel.
#[derive(Clone, Debug, Default)]
pub(super) struct Panel {
    /// The seats.
    pub seats: SeatPanel,
    /// The dice.
    pub(super) dice: Vec<DiceRow>,
    /// Variables with a single value.
    pub(super) values: Vec<Single>,
    /// Families indexed by the player and something else.
    pub(super) sheets: Vec<ScoreSheet>,
    /// Families with two other indices, and subtotals of the score.
    pub(super) tables: Vec<FamilyTable>,
    /// All other families.
    pub(super) families: Vec<FamilyList>,
    /// The zones.
    pub(super) zones: Vec<Zone>,
}

/// The seats with their scores and values.
#[derive(Clone, Debug, Default)]
pub(super) struct SeatPanel {
    /// The names that actions know the seats by.
    pub(super) things: Vec<String>,
    /// The players.
    pub seats: Vec<SeatLook>,
    /// The score of each seat, if the rules have scores.
    pub(super) scores: Option<Vec<String>>,
    /// Further columns with a value for each seat.
    pub(super) columns: Vec<SeatColumn>,
    /// The seat to choose.
    pub(super) mover: Option<usize>,
}

/// A variable with a value for each seat.
#[derive(Clone, Debug)]
pub(super) struct SeatColumn {
    /// The variable.
    pub(super) slot: SlotId,
    /// Its name.
    pub(super) name: String,
    /// The value of each seat.
    pub(super) values: Vec<String>,
    /// For each seat, the boxes, if the variable is shown as boxes and the viewer sees it.
    pub(super) boxes: Vec<Option<BoxRow>>,
}

/// A set of dice, or one of a family.
#[derive(Clone, Debug)]
pub(super) struct DiceRow {
    /// The name that actions know it by, which is that of the whole family.
    pub(super) name: String,
    /// Its label: the name, with its index in a family.
    pub(super) label: String,
    /// The index of its first die among those of the family.
    pub(super) first: usize,
    /// Whether dice of this name show a face.
    pub(super) is_rolled: bool,
    /// The number of faces of a die.
    pub(super) sides: u32,
    /// The names of the faces, if they have any.
    pub(super) names: Vec<String>,
    /// The face each die shows; `None` before a roll or if hidden.
    pub(super) faces: Vec<Option<u32>>,
}

impl DiceRow {
    /// The name of a face: its own, or its number.
    pub(super) fn face(&self, face: u32) -> String {
        let named = (face as usize).checked_sub(1).and_then(|at| self.names.get(at));
        named.cloned().unwrap_or_else(|| face.to_string())
    }
}

/// A variable with a single value.
#[derive(Clone, Debug)]
pub(super) struct Single {
    /// The variable.
    pub(super) slot: SlotId,
    /// Its name.
    pub(super) name: String,
    /// Its value.
    pub(super) text: String,
    /// The value and its maximum, if it is a number that the viewer sees.
    pub(super) of: Option<(i64, i64)>,
    /// Its boxes, if it is shown as boxes to cross.
    pub(super) boxes: Option<BoxRow>,
}

/// An element that lies open.
#[derive(Clone, Debug)]
pub(super) struct Face {
    /// The element, or the kind of copies.
    pub(super) element: u32,
    /// How often it lies there.
    pub(super) copies: u64,
    /// The name that actions know it by.
    pub(super) thing: String,
    /// Its name, with the letters that the rules give.
    pub(super) name: String,
    /// Its colour.
    pub(super) colour: Option<Colour>,
}

/// The contents of a zone.
#[derive(Clone, Debug)]
pub(super) struct Zone {
    /// The zone, and which of its family.
    pub(super) slot: SlotId,
    pub(super) place: usize,
    /// What its elements are.
    pub(super) domain: DomainId,
    /// Its name, with the index if it is one of a family.
    pub(super) name: String,
    /// The name that actions know its index by, if it is one of a family with one index.
    pub(super) thing: Option<String>,
    /// What the names that actions know its elements by begin with.
    pub(super) of: String,
    /// The elements that are open or known to the viewer.
    pub(super) open: Vec<Face>,
    /// The number of other elements.
    pub(super) hidden: usize,
    /// The parts of an ordered zone from the bottom to the top, if they tell where elements lie among others that are hidden.
    pub(super) parts: Vec<ZonePart>,
    /// The chain of joined tiles, if it is one.
    pub(super) chain: Option<Vec<Link>>,
}

/// An element of an ordered zone, or a shuffled part of it.
#[derive(Clone, Debug, Default)]
pub(super) struct ZonePart {
    /// The places of its open elements in [`Zone::open`].
    pub(super) open: Vec<usize>,
    /// The number of other elements.
    pub(super) hidden: usize,
}

/// A variable with a value for each element of something.
#[derive(Clone, Debug)]
pub(super) struct FamilyList {
    /// The variable.
    pub(super) slot: SlotId,
    /// Its name.
    pub(super) name: String,
    /// The members: the element's name, which may be empty, and its value.
    pub(super) members: Vec<(String, String)>,
    /// Whether there are more members than listed.
    pub(super) more: bool,
}

/// A family with two indices: a row for each element of the first, a column for each element of the second.
#[derive(Clone, Debug)]
pub(super) struct FamilyTable {
    /// Its name.
    pub(super) name: String,
    /// The names of the columns.
    pub(super) heads: Vec<String>,
    /// The rows: name and values. A 0 that is the initial value is shown as a dot.
    pub(super) lines: Vec<(String, Vec<String>)>,
}

/// A family indexed by the player and something else: a row for each element, a column for each player.
#[derive(Clone, Debug)]
pub(super) struct ScoreSheet {
    /// The names that actions know its rows by.
    pub(super) things: Vec<String>,
    /// Its name.
    pub(super) name: String,
    /// The names of the rows.
    pub(super) lines: Vec<String>,
    /// For each player, the values of the rows; `None` where nothing has been filled in.
    pub(super) columns: Vec<Vec<Option<String>>>,
}

impl Panel {
    /// Reads what those who look see of a state. Omits what is `drawn` on the boards.
    /// Sheets have at most `columns` players.
    pub(super) fn from_state(
        state: &State,
        sight: Onlookers,
        drawn: &DrawnOnBoards,
        columns: usize,
    ) -> Panel {
        PanelReader { state, sight, columns, board_names: BoardNames::new(state.game()) }.read(drawn)
    }

    /// Leaves out a value of the seats that is the score itself.
    pub(super) fn leave_out_score(&mut self, model: &Model) {
        if let [item] = model.score.as_slice() {
            let scores = self.seats.scores.as_deref().unwrap_or_default();
            self.seats.columns.retain(|column| column.name != item.name || column.values != scores);
            self.values.retain(|single| single.name != item.name || scores.first() != Some(&single.text));
        }
    }

    /// Makes single values of the variables that each player has, if there is one player.
    pub(super) fn single_out_lone_values(&mut self, state: &State, sight: Onlookers) {
        let model = state.game().model();
        if model.players.count > 1 {
            return;
        }
        let reader = PanelReader { state, sight, columns: 1, board_names: BoardNames::new(state.game()) };
        let is_lone = |family: &FamilyList| model.slots[family.slot.index()].index == [PLAYER];
        let (lone, others) = std::mem::take(&mut self.families).into_iter().partition(is_lone);
        self.families = others;
        let lone: Vec<FamilyList> = lone;
        self.values
            .extend(lone.iter().map(|family| reader.single(family.slot, &model.slots[family.slot.index()])));
    }
}

/// Returns the score of each seat, or a question mark if the rules fail to compute it or those who look can't see
/// all that it depends on.
pub(super) fn scores(state: &State, sight: Onlookers) -> Vec<String> {
    let unknown = || "?".to_owned();
    let score = |seat| match sight.sees(|viewer| state.sees_score(Seat(seat), viewer)) {
        true => state.score(Seat(seat)).map_or_else(|_| unknown(), |score| score.to_string()),
        false => unknown(),
    };
    (0..state.game().players()).map(score).collect()
}

/// Formats boxes, the first ones crossed: `[x][x][ ]`, or `[xxxxx.......]` if there are many.
fn boxes_text(row: BoxRow) -> String {
    const MOST: i64 = 4;
    let BoxRow { crossed, all, .. } = row;
    if all <= MOST {
        return (0..all).map(|at| if at < crossed { "[x]" } else { "[ ]" }).collect();
    }
    let inside: String = (0..all).map(|at| if at < crossed { 'x' } else { '.' }).collect();
    format!("[{inside}]")
}

/// Returns the variable that has a value now. While all choose at the same time, a player's own values are those of the
/// copy that the player writes.
pub(super) fn current_slot(state: &State, sight: Onlookers, id: SlotId, position: usize) -> SlotId {
    let model = state.game().model();
    let Some(block) = state.block_together() else { return id };
    let slot = &model.slots[id.index()];
    let name = format!("committed {}", slot.name);
    let is_copy = |copy: &&SlotId| {
        let copy = &model.slots[copy.index()];
        copy.name == name && copy.index == slot.index && copy.content == slot.content
    };
    let copy = model.together[block].slots.iter().find(is_copy).copied();
    let is_seen = |copy: &SlotId| sight.sees(|viewer| state.sees(*copy, position, viewer));
    copy.filter(is_seen).unwrap_or(id)
}

/// Returns `true` if a domain has few enough elements for the rows of a sheet.
pub fn has_sheet(game: &Game, rows: DomainId) -> bool {
    game.model().domains[rows.index()].size as usize <= MOST_LINES
}

struct PanelReader<'s> {
    state: &'s State,
    sight: Onlookers,
    columns: usize,
    board_names: BoardNames<'s>,
}

impl<'s> PanelReader<'s> {
    fn read(&self, drawn: &DrawnOnBoards) -> Panel {
        let model = self.state.game().model();
        let (seats, dice, zones) = (self.seats(), self.dice(), self.zones(drawn));
        let tables = super::subtotals::tables(self.state, self.sight);
        let mut panel = Panel { seats, dice, zones, tables, ..Panel::default() };
        let (mut sheets, mut others) = (Vec::new(), Vec::new());
        for (slot, at) in model.slots.iter().zip(0..) {
            let id = SlotId(at);
            // Variables without a name, in which players commit what they choose, aren't those of the rules.
            if !slot.is_declared_variable() || drawn.shows(id) || slot.shown == DisplayForm::Nothing {
                continue;
            }
            match slot.index.as_slice() {
                [PLAYER] if model.players.count > 1 && self.is_narrow(id, slot) => {
                    let seats = 0..slot.initial.len();
                    let values = seats.clone().map(|seat| self.written(id, slot, seat)).collect();
                    let boxes = seats.map(|seat| self.boxes(id, slot, seat)).collect();
                    panel.seats.columns.push(SeatColumn { slot: id, name: slot.name.clone(), values, boxes });
                }
                [PLAYER, rows] if self.has_sheet(*rows) => sheets.push((id, slot, *rows, self.filled(*rows))),
                _ => others.push((id, slot)),
            }
        }
        // A sheet already shows which rows are filled in: the others are blank.
        let shown: Vec<SlotId> = sheets.iter().filter_map(|(.., filled)| *filled).collect();
        others.retain(|(id, _)| !shown.contains(id));
        panel.sheets =
            sheets.into_iter().map(|(id, slot, rows, filled)| self.sheet(id, slot, rows, filled)).collect();
        for (id, slot) in others {
            match slot.index.as_slice() {
                [] => panel.values.push(self.single(id, slot)),
                [lines, columns] if self.has_table(id, slot, *lines, *columns) => {
                    panel.tables.push(self.table(id, slot, *lines, *columns));
                }
                _ => panel.families.push(self.family(id, slot)),
            }
        }
        panel
    }

    fn names(&self) -> &'s [String] {
        &self.state.game().model().players.names
    }

    fn has_sheet(&self, rows: DomainId) -> bool {
        self.names().len() <= self.columns && has_sheet(self.state.game(), rows)
    }

    /// Returns the set of filled rows: the only set over the rows of a sheet that each player has.
    fn filled(&self, rows: DomainId) -> Option<SlotId> {
        let slots = self.state.game().model().slots.iter().zip((0..).map(SlotId));
        let sets = slots.filter(|(slot, _)| slot.index == [PLAYER] && slot.content == Content::Set(rows));
        let all: Vec<SlotId> =
            sets.filter(|(slot, _)| slot.is_declared_variable()).map(|(_, id)| id).collect();
        if let [one] = all.as_slice() { Some(*one) } else { None }
    }

    fn seats(&self) -> SeatPanel {
        let game = self.state.game();
        let scored = !game.model().score.is_empty();
        let mover = self.state.current_player().filter(|_| !self.state.is_over());
        SeatPanel {
            things: (0..game.players()).map(|seat| things::player(game.model(), Seat(seat))).collect(),
            seats: game.model().seat_looks(),
            scores: scored.then(|| scores(self.state, self.sight)),
            columns: vec![],
            mover: mover.map(|player| player.0 as usize),
        }
    }

    fn dice(&self) -> Vec<DiceRow> {
        let slots = self.state.game().model().slots.iter().zip(0..);
        slots
            .flat_map(|(slot, at)| {
                let Role::Dice { faces: sides, .. } = slot.role else { return vec![] };
                let face = |position: usize| {
                    let face = match self.state.value(SlotId(at), position) {
                        Value::Element(Some(face)) => face + 1,
                        Value::Number(face) if face > 0 => face as u32,
                        _ => return None,
                    };
                    self.sees(SlotId(at), position).then_some(face)
                };
                let faces: Vec<Option<u32>> = (0..slot.initial.len()).map(face).collect();
                let is_rolled = faces.iter().any(Option::is_some);
                let names = if let DisplayForm::Faces(names) = &slot.shown { names.clone() } else { vec![] };
                // The last index is that of the dice in a set.
                let index = slot.index.split_last().map_or(&[][..], |(_, index)| index);
                let labels = family_signs(self.state.game().model(), &slot.name, index);
                let each = (faces.len() / labels.len().max(1)).max(1);
                let rows =
                    faces.chunks(each).zip(labels).enumerate().map(|(number, (faces, label))| DiceRow {
                        name: slot.name.clone(),
                        label,
                        first: number * each,
                        is_rolled,
                        sides,
                        names: names.clone(),
                        faces: faces.to_vec(),
                    });
                rows.collect()
            })
            .collect()
    }

    /// Reads the zones, in the order of the rules.
    fn zones(&self, drawn: &DrawnOnBoards) -> Vec<Zone> {
        let game = self.state.game();
        let of_zones = |slot: &Slot| {
            matches!(slot.role, Role::Zone | Role::Copies) && slot.shown != DisplayForm::Nothing
        };
        let slots = (0..).map(SlotId).zip(&game.model().slots).filter(|(_, slot)| of_zones(slot));
        let all = slots.flat_map(|(id, slot)| {
            let family = slot.index.len() - usize::from(slot.role == Role::Copies);
            let names = family_names(game, &slot.name, &slot.index[..family]);
            names.into_iter().enumerate().map(move |(place, name)| (id, slot, place, name))
        });
        let told = all.filter(|(id, _, place, _)| !drawn.shows_place(*id, *place));
        told.filter_map(|(id, slot, place, name)| {
            if slot.role == Role::Copies {
                return Some(self.copies(id, slot, place, name));
            }
            let (Value::Set(lying), Content::Set(domain)) = (self.state.value(id, place), slot.content)
            else {
                return None;
            };
            let is_located =
                |element: &u32| self.sight.sees(|seat| self.state.locates(domain, *element, seat));
            let mut open: Vec<u32> = lying.iter().filter(is_located).collect();
            // From the bottom to the top.
            let mut parts = vec![];
            if let Some(order) = game.model().order_in(id) {
                open.sort_by_key(|element| Reverse(self.state.place_from_top(order, *element)));
                parts = self.parts(order, &lying, &open);
            }
            let hidden = lying.len() as usize - open.len();
            let open = open.into_iter().map(|element| Face {
                element,
                copies: 1,
                thing: things::element(game.model(), domain, element),
                name: card_sign(game.model(), domain, element),
                colour: game.model().element_colour(domain, element),
            });
            let open = open.collect();
            let thing = self.index_thing(&slot.index, place);
            let of = game.model().domains[domain.index()].name.clone();
            let chain = links(self.state, id);
            Some(Zone { slot: id, place, domain, name, thing, of, open, hidden, parts, chain })
        })
        .collect()
    }

    /// Reads the parts of an ordered zone from the bottom to the top. Returns nothing if they don't tell where an open element
    /// lies among hidden ones.
    fn parts(&self, order: &Order, lying: &BitSet, open: &[u32]) -> Vec<ZonePart> {
        if open.is_empty() || open.len() == lying.len() as usize {
            return vec![];
        }
        let mut parts: BTreeMap<Reverse<i64>, ZonePart> = BTreeMap::new();
        for element in lying.iter() {
            let part = parts.entry(Reverse(self.state.place_from_top(order, element))).or_default();
            match open.iter().position(|one| *one == element) {
                Some(at) => part.open.push(at),
                None => part.hidden += 1,
            }
        }
        if parts.len() > 1 { parts.into_values().collect() } else { vec![] }
    }

    /// Reads a zone of counted copies: `3 red`, `2×7`.
    fn copies(&self, id: SlotId, slot: &Slot, place: usize, name: String) -> Zone {
        let lying = self.state.copies_lying(id, place);
        let open = self.state.copies_seen(id, place, self.sight);
        let hidden = lying.iter().sum::<u64>().saturating_sub(open.iter().sum());
        let domain = slot.index.last().copied().unwrap_or(PLAYER);
        let model = self.state.game().model();
        let thing = self.index_thing(&slot.index[..slot.index.len() - 1], place);
        let counted = |kind: u32, copies: &u64| {
            let sign = card_sign(model, domain, kind);
            match sign.starts_with(|first: char| first.is_ascii_digit()) {
                true => format!("{copies}×{sign}"),
                false => format!("{copies} {sign}"),
            }
        };
        let face = |(kind, copies): (u32, &u64)| Face {
            element: kind,
            copies: *copies,
            thing: format!("{name}:{kind}"),
            name: counted(kind, copies),
            colour: model.element_colour(domain, kind),
        };
        let open = (0..).zip(&open).filter(|(_, copies)| **copies > 0).map(face).collect();
        let hidden = hidden as usize;
        let of = name.clone();
        Zone { slot: id, place, domain, of, name, thing, open, hidden, parts: vec![], chain: None }
    }

    /// Returns the name that actions know the index of a zone by, if it has one. Players are marked in their list.
    fn index_thing(&self, index: &[DomainId], place: usize) -> Option<String> {
        let [only] = index else { return None };
        (*only != PLAYER).then(|| things::element(self.state.game().model(), *only, place as u32))
    }

    fn single(&self, id: SlotId, slot: &Slot) -> Single {
        let of = match (slot.content, self.state.value(id, 0)) {
            (Content::Number { low: 0, high }, Value::Number(now)) if self.sees(id, 0) => Some((now, high)),
            _ => None,
        };
        let boxes = self.boxes(id, slot, 0);
        Single {
            slot: id,
            name: slot.name.clone(),
            text: self.written(id, slot, 0),
            of: boxes.map(|row| (row.crossed, row.all)).or(of),
            boxes,
        }
    }

    fn family(&self, id: SlotId, slot: &Slot) -> FamilyList {
        let members = slot.initial.len();
        let names: Vec<String> = match slot.index.as_slice() {
            // With one player, the name is omitted.
            [PLAYER] if members == 1 => vec![String::new()],
            [one] => self.elements(*one),
            index => {
                let each = index.iter().map(|domain| self.elements(*domain));
                let joined = each.reduce(|names, more| {
                    names
                        .iter()
                        .flat_map(|name| more.iter().map(move |other| format!("{name}, {other}")))
                        .collect()
                });
                joined.unwrap_or_default()
            }
        };
        let listed = names.into_iter().enumerate().take(MOST_LISTED);
        FamilyList {
            slot: id,
            name: slot.name.clone(),
            members: listed.map(|(position, name)| (name, self.written(id, slot, position))).collect(),
            more: members > MOST_LISTED,
        }
    }

    fn sheet(&self, id: SlotId, slot: &Slot, rows: DomainId, filled: Option<SlotId>) -> ScoreSheet {
        let game = self.state.game();
        let size = game.model().domains[rows.index()].size;
        let cell = |seat: usize, row: usize| {
            let text = self.written(id, slot, seat * size as usize + row);
            let open = filled.is_some_and(|filled| {
                matches!(self.state.value(filled, seat), Value::Set(set) if !set.contains(row as u32))
            });
            (!open || text != "0").then_some(text)
        };
        ScoreSheet {
            things: (0..size).map(|element| things::element(game.model(), rows, element)).collect(),
            name: slot.name.clone(),
            lines: self.elements(rows),
            columns: (0..self.names().len())
                .map(|seat| (0..size as usize).map(|row| cell(seat, row)).collect())
                .collect(),
        }
    }

    fn has_table(&self, id: SlotId, slot: &Slot, lines: DomainId, columns: DomainId) -> bool {
        let game = self.state.game();
        let size = |domain: DomainId| game.model().domains[domain.index()].size;
        let heads = self.elements(columns).iter().map(|name| name.chars().count() + 3).sum::<usize>();
        size(lines) as usize <= MOST_LINES && heads <= WIDEST_HEADS && self.is_narrow(id, slot)
    }

    fn table(&self, id: SlotId, slot: &Slot, lines: DomainId, columns: DomainId) -> FamilyTable {
        let game = self.state.game();
        let width = game.model().domains[columns.index()].size as usize;
        let cell = |position: usize| {
            let text = self.written(id, slot, position);
            if text == "0" && slot.initial[position] == Value::Number(0) { "·".to_owned() } else { text }
        };
        let line = |at: usize| (at * width..(at + 1) * width).map(cell).collect();
        FamilyTable {
            name: slot.name.clone(),
            heads: self.elements(columns),
            lines: self.elements(lines).into_iter().enumerate().map(|(at, name)| (name, line(at))).collect(),
        }
    }

    fn is_narrow(&self, id: SlotId, slot: &Slot) -> bool {
        let text = |seat: usize| match self.boxes(id, slot, seat) {
            Some(row) => boxes_text(row),
            None => self.written(id, slot, seat),
        };
        !matches!(slot.content, Content::Set(_))
            && (0..slot.initial.len()).all(|seat| text(seat).chars().count() <= WIDEST_CELL)
    }

    /// Formats a value, or a question mark if it is hidden.
    fn written(&self, id: SlotId, slot: &Slot, position: usize) -> String {
        let id = current_slot(self.state, self.sight, id, position);
        if !self.sees(id, position) {
            return "?".to_owned();
        }
        if let Some(row) = self.boxes(id, slot, position) {
            let number = row.number().map(|number| number + " ");
            return format!("{}{}", number.unwrap_or_default(), boxes_text(row));
        }
        let value = self.state.value(id, position);
        match value {
            Value::Element(None) if !slot.index.is_empty() => "–".to_owned(),
            value => self.value(slot.content, &value),
        }
    }

    /// Formats a value like rule files, with the names that the board shows: `♣K`, `{♣5, ♣T}`.
    fn value(&self, content: Content, value: &Value) -> String {
        match (value, content) {
            (Value::Element(Some(element)), Content::Element { domain, .. }) => {
                self.element(domain, *element)
            }
            (Value::Set(set), Content::Set(domain)) => {
                let names: Vec<String> = set.iter().map(|element| self.element(domain, element)).collect();
                format!("{{{}}}", names.join(", "))
            }
            _ => value_text(self.state.game(), content, value),
        }
    }

    /// Returns the names of a domain's elements, as the board shows them.
    fn elements(&self, domain: DomainId) -> Vec<String> {
        let size = self.state.game().model().domains[domain.index()].size;
        (0..size).map(|element| self.element(domain, element)).collect()
    }

    /// Returns the name of an element, as the board shows it, in words.
    fn element(&self, domain: DomainId, element: u32) -> String {
        let given = self.board_names.element(domain, element);
        sign_in_words(self.state.game().model(), domain, element, given)
    }

    /// Returns the boxes of a number, if it is shown as boxes and the viewer sees it.
    fn boxes(&self, id: SlotId, slot: &Slot, position: usize) -> Option<BoxRow> {
        let id = current_slot(self.state, self.sight, id, position);
        match (&slot.shown, slot.content, self.state.value(id, position)) {
            (DisplayForm::Boxes, Content::Number { high, .. }, Value::Number(now))
                if self.sees(id, position) =>
            {
                // What there is less and less of has as many boxes as there were, and those that are used are crossed.
                match slot.initial[position] {
                    Value::Number(first) if first > 0 && now <= first => {
                        Some(BoxRow { crossed: first - now, all: first, is_left: true })
                    }
                    _ => Some(BoxRow { crossed: now, all: high, is_left: false }),
                }
            }
            _ => None,
        }
    }

    /// Returns `true` if the viewer sees a member of a family.
    fn sees(&self, id: SlotId, position: usize) -> bool {
        self.sight.sees(|viewer| self.state.sees(id, position, viewer))
    }
}
