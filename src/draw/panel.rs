//! What stands beside a board, as data: seats with their scores and counters, dice, score sheets,
//! variables. How it looks is said by whoever draws it.

use super::chain::{self, Link};
use crate::engine::drawing::family_names;
use crate::engine::values::value_text;
use crate::engine::{Player, State};
use crate::lang::model::{Content, DomainId, PLAYER, Role, Shown, Slot, SlotId, Value};

/// Widest value that has a column in the table of the seats.
const WIDEST_CELL: usize = 12;

/// Most lines of a sheet.
const MOST_LINES: usize = 40;

/// Widest row of the names of a table's columns.
const WIDEST_HEADS: usize = 48;

/// Most members of a family that are listed one by one.
const MOST_LISTED: usize = 24;

/// All of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Panel {
    /// Who plays.
    pub(super) seats: Seats,
    /// The dice.
    pub(super) dice: Vec<Dice>,
    /// Variables of one value.
    pub(super) values: Vec<Single>,
    /// Families over the players and something else.
    pub(super) sheets: Vec<Sheet>,
    /// Families over two other things.
    pub(super) tables: Vec<Table>,
    /// All other families.
    pub(super) families: Vec<Family>,
    /// What lies in zones.
    pub(super) zones: Vec<Zone>,
}

/// Who plays, and what each has.
#[derive(Clone, Debug, Default)]
pub(super) struct Seats {
    /// Of each seat.
    pub(super) names: Vec<String>,
    /// The score of each seat, if the rules have scores.
    pub(super) scores: Option<Vec<String>>,
    /// What else: a name, and the value of each seat.
    pub(super) columns: Vec<Column>,
    /// Who is to choose.
    pub(super) mover: Option<usize>,
}

/// What each seat has of something.
#[derive(Clone, Debug)]
pub(super) struct Column {
    /// Its name.
    pub(super) name: String,
    /// For each seat.
    pub(super) values: Vec<String>,
    /// For each seat how many of how many boxes are crossed, if it is shown as boxes and the viewer sees it.
    pub(super) boxes: Vec<Option<(i64, i64)>>,
}

/// A set of dice.
#[derive(Clone, Debug)]
pub(super) struct Dice {
    /// Its name.
    pub(super) name: String,
    /// How many faces a die has.
    pub(super) sides: u32,
    /// What each shows; none before a roll, or where it is hidden.
    pub(super) faces: Vec<Option<u32>>,
}

/// A variable of one value.
#[derive(Clone, Debug)]
pub(super) struct Single {
    /// Its name.
    pub(super) name: String,
    /// Its value.
    pub(super) text: String,
    /// Of a number that is seen: how much of how much.
    pub(super) of: Option<(i64, i64)>,
    /// It is shown as boxes to cross.
    pub(super) boxes: bool,
}

/// An element as it lies open.
#[derive(Clone, Debug)]
pub(super) struct Face {
    /// Its name.
    pub(super) name: String,
    /// Of a record of two numbers, both.
    pub(super) halves: Option<(i64, i64)>,
}

/// What lies in one zone.
#[derive(Clone, Debug)]
pub(super) struct Zone {
    /// Its name; of a family with the name of its element.
    pub(super) name: String,
    /// What lies there open, or is known to.
    pub(super) open: Vec<Face>,
    /// How many more lie there.
    pub(super) hidden: usize,
    /// Of tiles that were joined: how they hang together.
    pub(super) chain: Option<Vec<Link>>,
}

/// A variable with a value for each element of something.
#[derive(Clone, Debug)]
pub(super) struct Family {
    /// Its name.
    pub(super) name: String,
    /// The names of the elements, where that says something, and their values.
    pub(super) members: Vec<(String, String)>,
    /// There are more than are listed.
    pub(super) more: bool,
}

/// A family over two things: a line for each element of the one, a column for each of the other.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// Its name.
    pub(super) name: String,
    /// The names of the columns.
    pub(super) heads: Vec<String>,
    /// The names of the lines, and what stands in each column. What is 0 from the start stands as a dot.
    pub(super) lines: Vec<(String, Vec<String>)>,
}

/// A family over the players and something else: a line for each element, a column for each player.
#[derive(Clone, Debug)]
pub(super) struct Sheet {
    /// Its name.
    pub(super) name: String,
    /// The names of the lines.
    pub(super) lines: Vec<String>,
    /// For each player what stands in each line; none where nothing has been written yet.
    pub(super) columns: Vec<Vec<Option<String>>>,
}

impl Panel {
    /// What a viewer sees of a state; without a viewer, all. Variables that the boards show are left out;
    /// sheets have at most so many columns, a player each.
    pub(super) fn of(state: &State, viewer: Option<Player>, drawn: &[SlotId], columns: usize) -> Panel {
        Reader { state, viewer, columns }.read(drawn)
    }
}

/// The score of each seat, or a question mark where the rules fail to say, or where the viewer does not see what
/// it counts.
pub(super) fn scores(state: &State, viewer: Option<Player>) -> Vec<String> {
    let unknown = || "?".to_owned();
    let score = |seat| match viewer.is_none_or(|viewer| state.sees_score(Player(seat), viewer)) {
        true => state.score(Player(seat)).map_or_else(|_| unknown(), |score| score.to_string()),
        false => unknown(),
    };
    (0..state.game().players()).map(score).collect()
}

/// Boxes of which some are crossed, as text: `[x][x][ ]`, or `[xxxxx.......]` if there are many.
fn boxes_text(crossed: i64, all: i64) -> String {
    const MOST: i64 = 4;
    if all <= MOST {
        return (0..all).map(|at| if at < crossed { "[x]" } else { "[ ]" }).collect();
    }
    let inside: String = (0..all).map(|at| if at < crossed { 'x' } else { '.' }).collect();
    format!("[{inside}]")
}

struct Reader<'s> {
    state: &'s State,
    viewer: Option<Player>,
    columns: usize,
}

impl<'s> Reader<'s> {
    fn read(&self, drawn: &[SlotId]) -> Panel {
        let model = self.state.game().model();
        let (seats, dice, zones) = (self.seats(), self.dice(), self.zones());
        let tables = super::subtotals::tables(self.state, self.viewer);
        let mut panel = Panel { seats, dice, zones, tables, ..Panel::default() };
        let (mut sheets, mut others) = (Vec::new(), Vec::new());
        for (slot, at) in model.slots.iter().zip(0..) {
            let id = SlotId(at);
            if slot.role != Role::Variable || drawn.contains(&id) {
                continue;
            }
            match slot.index.as_slice() {
                [PLAYER] if model.players.count > 1 && self.is_narrow(id, slot) => {
                    let seats = 0..slot.initial.len();
                    let values = seats.clone().map(|seat| self.written(id, slot, seat)).collect();
                    let boxes = seats.map(|seat| self.boxes(id, slot, seat)).collect();
                    panel.seats.columns.push(Column { name: slot.name.clone(), values, boxes });
                }
                [PLAYER, rows] if self.has_sheet(*rows) => sheets.push((id, slot, *rows, self.filled(*rows))),
                _ => others.push((id, slot)),
            }
        }
        // A sheet shows what is filled in by what it leaves open.
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
        let lines = self.state.game().model().domains[rows.index()].size as usize;
        self.names().len() <= self.columns && lines <= MOST_LINES
    }

    /// The only set over the rows of a sheet that each player has.
    fn filled(&self, rows: DomainId) -> Option<SlotId> {
        let slots = self.state.game().model().slots.iter().zip((0..).map(SlotId));
        let sets = slots.filter(|(slot, _)| slot.index == [PLAYER] && slot.content == Content::Set(rows));
        let all: Vec<SlotId> =
            sets.filter(|(slot, _)| slot.role == Role::Variable).map(|(_, id)| id).collect();
        if let [one] = all.as_slice() { Some(*one) } else { None }
    }

    fn seats(&self) -> Seats {
        let game = self.state.game();
        let scored = !game.model().score.is_empty();
        let mover = self.state.current_player().filter(|_| !self.state.is_over());
        Seats {
            names: self.names().to_vec(),
            scores: scored.then(|| scores(self.state, self.viewer)),
            columns: vec![],
            mover: mover.map(|player| player.0 as usize),
        }
    }

    fn dice(&self) -> Vec<Dice> {
        let slots = self.state.game().model().slots.iter().zip(0..);
        slots
            .filter_map(|(slot, at)| {
                let Role::Dice { faces: sides, .. } = slot.role else { return None };
                let face = |position: usize| {
                    let face = match self.state.value(SlotId(at), position) {
                        Value::Element(Some(face)) => face + 1,
                        Value::Number(face) if face > 0 => face as u32,
                        _ => return None,
                    };
                    self.sees(SlotId(at), position).then_some(face)
                };
                let faces = (0..slot.initial.len()).map(face).collect();
                Some(Dice { name: slot.name.clone(), sides, faces })
            })
            .collect()
    }

    /// Zones in the order of the rules, each as a row of what lies there.
    fn zones(&self) -> Vec<Zone> {
        let game = self.state.game();
        let of_zones = |slot: &Slot| matches!(slot.role, Role::Zone | Role::Copies);
        let slots = (0..).map(SlotId).zip(&game.model().slots).filter(|(_, slot)| of_zones(slot));
        let all = slots.flat_map(|(id, slot)| {
            let family = slot.index.len() - usize::from(slot.role == Role::Copies);
            let names = family_names(game, &slot.name, &slot.index[..family]);
            names.into_iter().enumerate().map(move |(place, name)| (id, slot, place, name))
        });
        all.filter_map(|(id, slot, place, name)| {
            if slot.role == Role::Copies {
                return Some(self.copies(id, slot, place, name));
            }
            let (Value::Set(lying), Content::Set(domain)) = (self.state.value(id, place), slot.content)
            else {
                return None;
            };
            let open = match self.viewer {
                Some(viewer) => lying.iter().filter(|e| self.state.locates(domain, *e, viewer)).collect(),
                None => lying.iter().collect::<Vec<u32>>(),
            };
            let hidden = lying.len() as usize - open.len();
            let open = open.into_iter().map(|element| Face {
                name: game.element_name(domain, element),
                halves: chain::halves(game.model(), domain, element),
            });
            let open = open.collect();
            Some(Zone { name, open, hidden, chain: chain::of(self.state, id) })
        })
        .collect()
    }

    /// Counted copies: `3 red`.
    fn copies(&self, id: SlotId, slot: &Slot, place: usize, name: String) -> Zone {
        let lying = self.state.copies_lying(id, place);
        let open = match self.viewer {
            Some(viewer) if !self.state.sees_copies(id, place, viewer) => {
                self.state.copies_known(id, place, viewer)
            }
            _ => lying.clone(),
        };
        let hidden = lying.iter().sum::<u64>().saturating_sub(open.iter().sum());
        let domain = slot.index.last().copied().unwrap_or(PLAYER);
        let face = |(kind, copies): (u32, &u64)| Face {
            name: format!("{copies} {}", self.state.game().element_name(domain, kind)),
            halves: None,
        };
        let open = (0..).zip(&open).filter(|(_, copies)| **copies > 0).map(face).collect();
        Zone { name, open, hidden: hidden as usize, chain: None }
    }

    fn single(&self, id: SlotId, slot: &Slot) -> Single {
        let of = match (slot.content, self.state.value(id, 0)) {
            (Content::Number { low: 0, high }, Value::Number(now)) if self.sees(id, 0) => Some((now, high)),
            _ => None,
        };
        let boxes = self.boxes(id, slot, 0).is_some();
        Single { name: slot.name.clone(), text: self.written(id, slot, 0), of, boxes }
    }

    fn family(&self, id: SlotId, slot: &Slot) -> Family {
        let game = self.state.game();
        let members = slot.initial.len();
        let names: Vec<String> = match slot.index.as_slice() {
            // A lone player needs no name.
            [PLAYER] if members == 1 => vec![String::new()],
            [one] => (0..members as u32).map(|element| game.element_name(*one, element)).collect(),
            index => {
                let names = family_names(game, "", index);
                names.iter().map(|name| name.trim_matches(['[', ']']).to_owned()).collect()
            }
        };
        let listed = names.into_iter().enumerate().take(MOST_LISTED);
        Family {
            name: slot.name.clone(),
            members: listed.map(|(position, name)| (name, self.written(id, slot, position))).collect(),
            more: members > MOST_LISTED,
        }
    }

    fn sheet(&self, id: SlotId, slot: &Slot, rows: DomainId, filled: Option<SlotId>) -> Sheet {
        let game = self.state.game();
        let size = game.model().domains[rows.index()].size;
        let cell = |seat: usize, row: usize| {
            let text = self.written(id, slot, seat * size as usize + row);
            let open = filled.is_some_and(|filled| {
                matches!(self.state.value(filled, seat), Value::Set(set) if !set.contains(row as u32))
            });
            (!open || text != "0").then_some(text)
        };
        Sheet {
            name: slot.name.clone(),
            lines: (0..size).map(|element| game.element_name(rows, element)).collect(),
            columns: (0..self.names().len())
                .map(|seat| (0..size as usize).map(|row| cell(seat, row)).collect())
                .collect(),
        }
    }

    fn has_table(&self, id: SlotId, slot: &Slot, lines: DomainId, columns: DomainId) -> bool {
        let game = self.state.game();
        let size = |domain: DomainId| game.model().domains[domain.index()].size;
        let heads = (0..size(columns)).map(|element| game.element_name(columns, element).chars().count() + 3);
        size(lines) as usize <= MOST_LINES && heads.sum::<usize>() <= WIDEST_HEADS && self.is_narrow(id, slot)
    }

    fn table(&self, id: SlotId, slot: &Slot, lines: DomainId, columns: DomainId) -> Table {
        let game = self.state.game();
        let size = |domain: DomainId| game.model().domains[domain.index()].size;
        let names = |domain| (0..size(domain)).map(move |element| game.element_name(domain, element));
        let width = size(columns) as usize;
        let cell = |position: usize| {
            let text = self.written(id, slot, position);
            if text == "0" && slot.initial[position] == Value::Number(0) { "·".to_owned() } else { text }
        };
        let line = |at: usize| (at * width..(at + 1) * width).map(cell).collect();
        Table {
            name: slot.name.clone(),
            heads: names(columns).collect(),
            lines: names(lines).enumerate().map(|(at, name)| (name, line(at))).collect(),
        }
    }

    fn is_narrow(&self, id: SlotId, slot: &Slot) -> bool {
        !matches!(slot.content, Content::Set(_))
            && (0..slot.initial.len()).all(|seat| self.written(id, slot, seat).chars().count() <= WIDEST_CELL)
    }

    /// A value, or a question mark where it is hidden.
    fn written(&self, id: SlotId, slot: &Slot, position: usize) -> String {
        if !self.sees(id, position) {
            return "?".to_owned();
        }
        if let Some((crossed, all)) = self.boxes(id, slot, position) {
            return boxes_text(crossed, all);
        }
        let value = self.state.value(id, position);
        match value {
            Value::Element(None) if !slot.index.is_empty() => "–".to_owned(),
            value => value_text(self.state.game(), slot.content, &value),
        }
    }

    /// How many of how many boxes are crossed, if a number is shown as boxes and the viewer sees it.
    fn boxes(&self, id: SlotId, slot: &Slot, position: usize) -> Option<(i64, i64)> {
        match (&slot.shown, slot.content, self.state.value(id, position)) {
            (Shown::Boxes, Content::Number { high, .. }, Value::Number(now)) if self.sees(id, position) => {
                Some((now, high))
            }
            _ => None,
        }
    }

    /// Does the viewer see a member of a family?
    fn sees(&self, id: SlotId, position: usize) -> bool {
        self.viewer.is_none_or(|viewer| self.state.sees(id, position, viewer))
    }
}
