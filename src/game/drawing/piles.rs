//! What lies on the sites of a board: the elements of zones with a value for each site, as piles, and the numbers of
//! variables with a value for each site.

use std::collections::HashMap;

use super::{FACE_DOWN, Instance, elements, initial, numbers};
use crate::Onlookers;
use crate::State;
use houserule_model::{
    Board, BoardId, Colour, Content, DomainId, DomainKind, Model, PLAYER, Role, Seat, Slot, SlotId, Value,
};

/// Range of the numbers that are drawn beside other things.
const SMALL: std::ops::RangeInclusive<i64> = -9..=99;

/// Elements of one zone on a site, or the number of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SitePile {
    /// The zone or the variable.
    pub slot: SlotId,
    /// The place in its family.
    pub place: usize,
    /// What it is.
    pub kind: PileKind,
    /// The elements from the bottom to the top; for a heap or a number, one that stands for all.
    pub elements: Vec<PileElement>,
    /// The number of elements, or the number.
    pub height: i64,
}

/// The kinds of piles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PileKind {
    /// Elements of an ordered zone.
    Ordered,
    /// Elements that look alike, of a zone without an order.
    Heap,
    /// A number.
    Number,
}

/// An element of a pile, as a viewer sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PileElement {
    /// Its owner: the player of a field, or of the zone's index.
    pub owner: Option<Seat>,
    /// The letter of its owner.
    pub initial: Option<char>,
    /// Its own colour, that of its value in a legend. It may have an owner too.
    pub colour: Option<Colour>,
    /// What tells it from others of its owner: the letters and numbers of the fields that rules read.
    pub label: String,
    /// Whether it lies face down for the viewer.
    pub hidden: bool,
}

impl SitePile {
    /// Returns the element on top.
    pub fn top(&self) -> &PileElement {
        // A pile has an element.
        &self.elements[self.elements.len() - 1]
    }

    /// Returns its text: the top, and the height if there is more than one, or the number.
    pub(super) fn text(&self) -> String {
        let mut text = self.top().text();
        if self.kind == PileKind::Number || self.height > 1 {
            if text.ends_with(|last: char| last.is_ascii_digit()) {
                text.push(':');
            }
            text += &self.height.to_string();
        }
        text
    }

    /// Returns `true` if a drawing of the `layers` elements on top says everything about it.
    pub fn says_all(&self, layers: usize) -> bool {
        let top = self.top();
        let alike = |element: &PileElement| element.label == top.label && !element.hidden;
        let same = |element: &PileElement| element == top;
        self.elements.iter().all(same) || self.elements.len() <= layers && self.elements.iter().all(alike)
    }
}

impl PileElement {
    /// Returns its text: the letter of its owner, and its label.
    pub fn text(&self) -> String {
        let label = if self.hidden { FACE_DOWN.to_string() } else { self.label.clone() };
        self.initial.into_iter().collect::<String>() + label.as_str()
    }
}

/// Returns what lies on each site of a board, as those who look see it.
pub fn piles(state: &State, instance: &Instance, sight: Onlookers) -> Vec<Vec<SitePile>> {
    let game = state.game();
    let model = game.model();
    let board = &model.boards[instance.board.index()];
    let size = board.topology.size() as usize;
    let mut all: Vec<Vec<SitePile>> = vec![vec![]; size];
    let mut reader = PileReader { state, sight, labels: Labels::new(state) };
    let number = numbers(game, instance.board);
    for (id, slot) in (0..).map(SlotId).zip(&model.slots).filter(|(id, _)| Some(*id) != number) {
        let Some(others) = family(model, instance.board, slot) else { continue };
        let members: usize =
            others.iter().map(|domain| model.domains[domain.index()].size as usize).product();
        for member in 0..members {
            let first = (instance.number * members + member) * size;
            let whose = reader.labels.index(model, &elements(model, others, member));
            for (site, lying) in all.iter_mut().enumerate() {
                lying.extend(reader.read(id, slot, first + site, &whose));
            }
        }
    }
    all
}

/// Returns the elements at a place of a zone, from the bottom to the top if it has an order: `None` for one that those who
/// look don't see.
pub fn lying_elements(state: &State, zone: SlotId, place: usize, sight: Onlookers) -> Vec<Option<u32>> {
    let slot = &state.game().model().slots[zone.index()];
    match (slot.role, slot.content) {
        (Role::Zone, Content::Set(domain)) => {
            let seen =
                |element: u32| sight.sees(|seat| state.locates(domain, element, seat)).then_some(element);
            if let Some(parts) = state.parts(zone, place) {
                let mut lying = vec![];
                for part in parts.iter().rev() {
                    // Chance decides the order of a shuffled part.
                    let is_known = part.len() == 1;
                    lying.extend(part.iter().map(|element| if is_known { seen(element) } else { None }));
                }
                return lying;
            }
            match state.value(zone, place) {
                Value::Set(lying) => lying.iter().map(seen).collect(),
                _ => vec![],
            }
        }
        (Role::Copies, _) => {
            let open = state.copies_seen(zone, place, sight);
            let hidden =
                state.copies_lying(zone, place).iter().sum::<u64>().saturating_sub(open.iter().sum());
            let copies = (0..).zip(&open).flat_map(|(kind, count)| (0..*count).map(move |_| Some(kind)));
            copies.chain((0..hidden).map(|_| None)).collect()
        }
        _ => vec![],
    }
}

/// Returns the zones and variables that are drawn on the sites of a board.
pub fn drawn_on_sites(model: &Model, id: BoardId) -> Vec<SlotId> {
    let all = (0..).map(SlotId).zip(&model.slots);
    all.filter(|(_, slot)| family(model, id, slot).is_some()).map(|(id, _)| id).collect()
}

/// A value whose letter is drawn on sites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindOnSites {
    /// Its letter.
    pub letter: char,
    /// Its name.
    pub name: String,
    /// Its colour.
    pub colour: Option<Colour>,
}

/// Returns the values whose letters are drawn on the sites of a board, for a legend.
pub fn kinds_on_sites(model: &Model, id: BoardId) -> Vec<KindOnSites> {
    let mut domains: Vec<DomainId> = vec![];
    for slot in drawn_on_sites(model, id).into_iter().map(|slot| &model.slots[slot.index()]) {
        domains.extend(slot.index.iter().copied());
        if let Content::Set(domain) = slot.content {
            domains.push(domain);
        }
    }
    let fields = |domain: &DomainId| match &model.domains[domain.index()].kind {
        DomainKind::Record { fields, .. } => {
            fields.iter().filter(|field| field.read).filter_map(|field| field.of).collect()
        }
        _ => vec![*domain],
    };
    let mut kinds: Vec<KindOnSites> = vec![];
    for domain in domains.iter().flat_map(fields) {
        let DomainKind::Enum(names) = &model.domains[domain.index()].kind else { continue };
        for ((name, letter), element) in names.iter().zip(letters(model, domain, names)).zip(0..) {
            let kind =
                KindOnSites { letter, name: name.clone(), colour: model.element_colour(domain, element) };
            if *name != letter.to_string() && !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
    }
    kinds
}

/// Returns the index of a zone or variable between those of a board and its sites, if it has a value for each site.
fn family<'m>(model: &'m Model, id: BoardId, slot: &'m Slot) -> Option<&'m [DomainId]> {
    let board: &Board = &model.boards[id.index()];
    let index = match slot.role {
        Role::Copies => slot.index.split_last()?.1,
        Role::Zone => &slot.index[..],
        Role::Variable => match slot.content {
            Content::Number { low, high } if SMALL.contains(&low) && SMALL.contains(&high) => &slot.index[..],
            _ => return None,
        },
        _ => return None,
    };
    let (last, before) = index.split_last()?;
    let others = before.strip_prefix(&board.index[..])?;
    (*last == board.domain && board.sides_of.is_none()).then_some(others)
}

/// Reads piles.
struct PileReader<'s> {
    state: &'s State,
    sight: Onlookers,
    labels: Labels,
}

impl PileReader<'_> {
    /// Reads the piles at a place. `whose` is the index of the family as an element.
    fn read(&mut self, slot_id: SlotId, slot: &Slot, place: usize, whose: &PileElement) -> Vec<SitePile> {
        let pile = |kind, elements, height| SitePile { slot: slot_id, place, kind, elements, height };
        let (state, model) = (self.state, self.state.game().model());
        match (slot.role, slot.content) {
            (Role::Zone, Content::Set(domain)) => {
                let look = |reader: &mut Self, element| {
                    let seen = |seat| state.locates(domain, element, seat);
                    reader.labels.element(model, domain, element, whose, reader.sight.sees(seen))
                };
                if let Some(parts) = state.parts(slot_id, place) {
                    let mut lying = vec![];
                    for part in parts.iter().rev() {
                        let first = lying.len();
                        lying.extend(part.iter().map(|element| look(self, element)));
                        // Chance decides the order of a shuffled part.
                        if lying[first..].iter().any(|element| *element != lying[first]) {
                            lying[first..].iter_mut().for_each(PileElement::turn_down);
                        }
                    }
                    let height = lying.len() as i64;
                    return Some(pile(PileKind::Ordered, lying, height))
                        .filter(|_| height > 0)
                        .into_iter()
                        .collect();
                }
                let Value::Set(lying) = state.value(slot_id, place) else { return vec![] };
                let mut heaps: Vec<SitePile> = vec![];
                for element in lying.iter().map(|element| look(self, element)) {
                    match heaps.iter_mut().find(|heap| *heap.top() == element) {
                        Some(heap) => heap.height += 1,
                        None => heaps.push(pile(PileKind::Heap, vec![element], 1)),
                    }
                }
                heaps
            }
            (Role::Copies, _) => {
                let Some(domain) = slot.index.last() else { return vec![] };
                let lying = state.copies_lying(slot_id, place);
                let open = state.copies_seen(slot_id, place, self.sight);
                let rest = lying.iter().sum::<u64>().saturating_sub(open.iter().sum());
                let mut heaps: Vec<SitePile> = vec![];
                for (kind, count) in (0..).zip(&open).filter(|(_, count)| **count > 0) {
                    let element = self.labels.element(model, *domain, kind, whose, true);
                    heaps.push(pile(PileKind::Heap, vec![element], *count as i64));
                }
                if rest > 0 {
                    let mut back = whose.clone();
                    back.turn_down();
                    heaps.push(pile(PileKind::Heap, vec![back], rest as i64));
                }
                heaps
            }
            _ => match state.value(slot_id, place) {
                Value::Number(number)
                    if number != 0 && self.sight.sees(|seat| state.sees(slot_id, place, seat)) =>
                {
                    vec![pile(PileKind::Number, vec![whose.clone()], number)]
                }
                _ => vec![],
            },
        }
    }
}

impl PileElement {
    fn turn_down(&mut self) {
        (self.hidden, self.colour) = (true, None);
        self.label.clear();
    }
}

/// The letters of players and values.
struct Labels {
    seats: Vec<char>,
    enums: HashMap<DomainId, Vec<char>>,
}

impl Labels {
    fn new(state: &State) -> Labels {
        let game = state.game();
        let names: Vec<String> = (0..game.players()).map(|seat| initial(game, Seat(seat))).collect();
        Labels { seats: letters(game.model(), PLAYER, &names), enums: HashMap::new() }
    }

    /// Returns an index as an element: its player as the owner, and what the others are.
    fn index(&mut self, model: &Model, index: &[(DomainId, u32)]) -> PileElement {
        let mut whose = PileElement::default();
        for (domain, element) in index {
            self.add(&mut whose, model, *domain, *element);
        }
        whose
    }

    /// Returns an element with its owner and its label.
    fn element(
        &mut self,
        model: &Model,
        domain: DomainId,
        element: u32,
        whose: &PileElement,
        seen: bool,
    ) -> PileElement {
        let mut shown = whose.clone();
        if !seen {
            shown.turn_down();
            return shown;
        }
        let fields = match &model.domains[domain.index()].kind {
            DomainKind::Record { fields, named, .. } if named.iter().all(|(place, _)| *place != element) => {
                fields
            }
            _ => {
                self.add(&mut shown, model, domain, element);
                return shown;
            }
        };
        for field in fields.iter().filter(|field| field.read || field.of == Some(PLAYER)) {
            match field.element(model, element) {
                Some((domain, value)) => self.add(&mut shown, model, domain, value),
                None => shown.add_label(&field.sign(model, element).unwrap_or_default()),
            }
        }
        shown
    }

    fn add(&mut self, shown: &mut PileElement, model: &Model, domain: DomainId, element: u32) {
        if domain == PLAYER {
            shown.owner = Some(Seat(element));
            shown.initial = self.seats.get(element as usize).copied();
            return;
        }
        if shown.colour.is_none() {
            shown.colour = model.element_colour(domain, element);
        }
        match &model.domains[domain.index()].kind {
            DomainKind::Enum(names) => {
                let letters = self.enums.entry(domain).or_insert_with(|| letters(model, domain, names));
                shown.add_label(&letters.get(element as usize).copied().unwrap_or(FACE_DOWN).to_string());
            }
            _ => shown.add_label(&model.element_sign(domain, element)),
        }
    }
}

impl PileElement {
    fn add_label(&mut self, more: &str) {
        let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        if digit(self.label.chars().last()) && digit(more.chars().next()) {
            self.label.push('-');
        }
        self.label += more;
    }
}

/// Returns a letter for each element: the one that the rules give, or the first of its name that is free.
fn letters(model: &Model, domain: DomainId, names: &[String]) -> Vec<char> {
    let given: Vec<char> =
        model.domains[domain.index()].looks.iter().filter_map(|look| look.letter).collect();
    let mut all: Vec<char> = vec![];
    for (name, element) in names.iter().zip(0..) {
        let free = |letter: &char| {
            letter.is_ascii_alphanumeric() && !given.contains(letter) && !all.contains(letter)
        };
        let spare = ('a'..='z').chain('A'..='Z').chain('0'..='9');
        let found = || name.chars().chain(spare).find(free).unwrap_or(FACE_DOWN);
        all.push(model.element_look(domain, element).letter.unwrap_or_else(found));
    }
    all
}
