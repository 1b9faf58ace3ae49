//! What lies on the table, as those who look see it: zones by their roles, plates of the seats, facts. Read from the panel and
//! the declarations.

use std::collections::HashSet;

use super::chain::Link;
use super::last::may_see_legal;
use super::panel::{Face, FamilyList, Panel, Zone, current_slot};
use super::spoken::spoken;
use super::svg::land::faces::tile_of;
use super::text::{capitalised, is_out_of_sight};
use crate::layout::{
    CardView, Counter, GameLook, Plate, TableFact, TableRoles, VariableRole, ZoneRole, ZoneRoom, ZoneView,
    card_face, card_sign, card_words, order_in_hand, sign_in_words,
};
use houserule_base::names::{list_words, plain};
use houserule_game::Onlookers;
use houserule_game::explain::evaluate;
use houserule_game::explain::things::ActionThings;
use houserule_game::values::BoardNames;
use houserule_game::{Game, State};
use houserule_model::board::BitSet;
use houserule_model::{
    Content, DisplayForm, DomainId, DomainKind, Icon, PLAYER, Role, Seat, ShownCount, Slot, SlotId, Value,
    Visibility,
};

/// The most facts in the head of a page.
const MOST_FACTS: usize = 6;

/// Letters of a value on a plate, with the gap after its word.
const VALUE_ROOM: usize = 5;

/// Words on a plate at a time.
const WORDS_AT_ONCE: usize = 2;

/// The longest value that is a word on a plate.
const LONGEST_WORD: usize = 24;

/// The longest help text that is a question in the head of a page.
const LONGEST_QUESTION: usize = 40;

/// Returns the picture of what a variable counts. A disc says nothing.
fn counted_picture(slot: &Slot) -> Option<Icon> {
    match &slot.shown {
        DisplayForm::Counters(counters) => counters.look.picture.filter(|picture| *picture != Icon::Disc),
        _ => None,
    }
}

/// A zone of joined tiles.
#[derive(Clone, Debug)]
pub(super) struct ChainView {
    /// Its name in words.
    pub(super) label: String,
    /// What the names of its tiles begin with.
    pub(super) of: String,
    /// Its tiles.
    pub(super) links: Vec<Link>,
}

/// Who looks at a table, and when.
pub(super) struct TableReader<'s> {
    pub(super) state: &'s State,
    /// The state before the last move.
    pub(super) before: Option<&'s State>,
    pub(super) sight: Onlookers,
    pub(super) roles: &'s TableRoles,
    names: BoardNames<'s>,
    /// The things that legal actions name, if they are shown.
    named: HashSet<String>,
}

impl<'s> TableReader<'s> {
    /// Prepares to read a state. With `shows_legal`, the cards that can be chosen are marked.
    pub(super) fn new(
        state: &'s State,
        before: Option<&'s State>,
        sight: Onlookers,
        look: &'s GameLook,
        shows_legal: bool,
    ) -> Self {
        let zones =
            state.game().model().slots.iter().any(|slot| matches!(slot.role, Role::Zone | Role::Copies));
        let named = match shows_legal && zones && may_see_legal(state, sight) {
            true => {
                let things = ActionThings::from_state(state);
                let actions = state.legal_actions().into_iter();
                actions.flat_map(|action| things.named_by(state.game(), action)).collect()
            }
            false => HashSet::new(),
        };
        TableReader { state, before, sight, roles: &look.roles, names: BoardNames::new(state.game()), named }
    }

    fn game(&self) -> &'s Game {
        self.state.game()
    }

    fn slot(&self, slot: SlotId) -> &'s Slot {
        &self.game().model().slots[slot.index()]
    }

    /// Returns the index of a place of a family, one element for each domain.
    fn index(&self, slot: &Slot, place: usize) -> Vec<(DomainId, u32)> {
        let family = slot.index.len() - usize::from(slot.role == Role::Copies);
        let mut rest = place;
        let mut index = vec![];
        for domain in slot.index[..family].iter().rev() {
            let size = self.game().model().domains[domain.index()].size.max(1) as usize;
            index.push((*domain, (rest % size) as u32));
            rest /= size;
        }
        index.reverse();
        index
    }

    /// Returns the seat to which a place of a zone belongs: the first of its index, or the first seat of that team.
    fn seat(&self, index: &[(DomainId, u32)]) -> Option<Seat> {
        let (domain, element) = index.first()?;
        let model = self.game().model();
        if *domain == PLAYER {
            return Some(Seat(*element));
        }
        let names: Vec<&String> = model.teams.iter().map(|team| &team.name).collect();
        let is_team =
            matches!(&model.domains[domain.index()].kind, DomainKind::Enum(own) if own.iter().eq(names));
        let team = model.teams.get(*element as usize).filter(|_| is_team)?;
        team.players.first().map(Seat)
    }

    /// Returns the zones that lie on the table, and the chains of tiles.
    pub(super) fn zones(&self, panel: &Panel) -> (Vec<ZoneView>, Vec<ChainView>) {
        let (mut zones, mut chains) = (vec![], vec![]);
        for zone in &panel.zones {
            let slot = self.slot(zone.slot);
            let role = self.roles.zone(zone.slot).unwrap_or(ZoneRole::Row);
            let is_empty = zone.open.is_empty() && zone.hidden == 0;
            // Tiles that don't form a chain lie in a row.
            let role = if role == ZoneRole::Chain && zone.chain.is_none() && !is_empty {
                ZoneRole::Row
            } else {
                role
            };
            if role == ZoneRole::Chain {
                let links = zone.chain.clone().unwrap_or_default();
                chains.push(ChainView { label: plain(&zone.name), of: zone.of.clone(), links });
                continue;
            }
            if matches!(role, ZoneRole::Unused | ZoneRole::Won) {
                continue;
            }
            zones.push(self.zone(zone, slot, role));
        }
        (zones, chains)
    }

    /// Returns `true` if a variable of the whole table that everybody sees holds a card, such as the last one of a pile.
    fn is_held(&self, domain: DomainId, element: u32) -> bool {
        let slots = (0..).map(SlotId).zip(&self.game().model().slots);
        let mut holders = slots.filter(|(id, slot)| {
            self.roles.variable(*id).is_some()
                && slot.index.is_empty()
                && slot.visibility == Visibility::All
                && matches!(slot.content, Content::Element { domain: of, .. } if of == domain)
        });
        holders.any(|(id, _)| self.state.value(id, 0) == Value::Element(Some(element)))
    }

    fn zone(&self, zone: &Zone, slot: &Slot, role: ZoneRole) -> ZoneView {
        let index = self.index(slot, zone.place);
        let seat = self.seat(&index);
        let own = if seat.is_some() { &index[1..] } else { &index[..] };
        let parts: Vec<String> =
            own.iter().map(|(domain, element)| self.element(*domain, *element)).collect();
        let is_in_hand = matches!(role, ZoneRole::Hand | ZoneRole::Slots | ZoneRole::Trick);
        let label = match parts.as_slice() {
            [] if is_in_hand => String::new(),
            [] => plain(&slot.name),
            // What the board doesn't show in full.
            parts if role == ZoneRole::OnBoard => format!("{} {}", plain(&slot.name), parts.join(", ")),
            parts => parts.join(", "),
        };
        let model = self.game().model();
        let mut open: Vec<&Face> = zone.open.iter().collect();
        // What lies in no order is sorted as a player would.
        if model.order_in(zone.slot).is_none() {
            open.sort_by_key(|face| order_in_hand(model, zone.domain, face.element));
        }
        let elements: Vec<u32> = open.iter().map(|face| face.element).collect();
        let cards: Vec<CardView> = open
            .into_iter()
            .map(|face| CardView {
                thing: face.thing.clone(),
                title: card_words(model, zone.domain, face.element),
                short: card_sign(model, zone.domain, face.element),
                face: card_face(model, zone.domain, face.element),
                copies: face.copies,
                is_fresh: self.is_fresh(zone, face.element),
                can_be_chosen: self.named.contains(&face.thing),
            })
            .collect();
        let order = match zone.parts.is_empty() {
            // On top is what came last, as far as that is known.
            true if zone.hidden == 0 => {
                let held = elements.iter().position(|element| self.is_held(zone.domain, *element));
                let latest = held.or_else(|| cards.iter().position(|card| card.is_fresh));
                let others = (0..cards.len()).filter(|at| Some(*at) != latest);
                others.chain(latest).map(Some).collect()
            }
            true => vec![],
            false => zone
                .parts
                .iter()
                .flat_map(|part| {
                    let hidden = (0..part.hidden).map(|_| None);
                    part.open.iter().copied().map(Some).chain(hidden)
                })
                .collect(),
        };
        ZoneView {
            slot: zone.slot,
            place: zone.place,
            role: if role == ZoneRole::OnBoard { ZoneRole::Row } else { role },
            seat,
            label,
            is_row: slot.shown == DisplayForm::Row,
            count: self.count_beside(zone),
            thing: zone.thing.clone(),
            cards,
            hidden: zone.hidden,
            order,
            is_open: slot.visibility == Visibility::All || zone.hidden == 0 && self.is_own(seat),
            has_place: matches!(
                role,
                ZoneRole::Stock | ZoneRole::Pile | ZoneRole::Piles | ZoneRole::Groups | ZoneRole::Columns
            ) || self.roles.can_be_filled(zone.slot),
            room: ZoneRoom::default(),
        }
    }

    /// Returns `true` if a seat is that of the one who looks.
    fn is_own(&self, seat: Option<Seat>) -> bool {
        self.sight.is_everything() || seat.is_none() || self.sight.seat() == seat
    }

    /// Returns `true` if the last move put an element into a zone, and those who look know that: they see the zone or
    /// its top, or knew where the element was before.
    fn is_fresh(&self, zone: &Zone, element: u32) -> bool {
        let Some(before) = self.before else { return false };
        let order = self.game().model().order_in(zone.slot);
        let has_open_top = order.is_some_and(|order| order.open_tops.contains(&zone.slot));
        let is_seen = |seat: Seat| {
            self.state.sees(zone.slot, zone.place, seat) || before.locates(zone.domain, element, seat)
        };
        if !has_open_top && !self.sight.sees(is_seen) {
            return false;
        }
        let lay = |state: &State| match state.value(zone.slot, zone.place) {
            Value::Set(lying) => Some(lying.contains(element)),
            _ => None,
        };
        lay(before) == Some(false) && lay(self.state) == Some(true)
    }

    /// Returns the plates of the seats; none for a single player.
    pub(super) fn plates(&self, panel: &Panel, winners: &[bool]) -> Vec<Plate> {
        let model = self.game().model();
        if model.players.count < 2 {
            return vec![];
        }
        let mut plates: Vec<Plate> = panel
            .seats
            .seats
            .iter()
            .enumerate()
            .map(|(seat, look)| Plate {
                thing: panel.seats.things[seat].clone(),
                name: capitalised(&plain(&look.name)),
                score: panel.seats.scores.as_ref().map(|scores| scores[seat].clone()),
                is_viewer: self.sight.seat() == Some(Seat(seat as u32)),
                is_to_play: panel.seats.mover == Some(seat),
                has_won: winners.get(seat).copied().unwrap_or(false),
                ..Plate::default()
            })
            .collect();
        for zone in &panel.zones {
            self.count_zone(zone, &mut plates);
        }
        for column in &panel.seats.columns {
            for (seat, plate) in plates.iter_mut().enumerate() {
                let value = &column.values[seat];
                if !self.says_something(column.slot, Seat(seat as u32)) {
                    continue;
                }
                match value.as_str() {
                    "yes" | "true" => plate.words.push(plain(&column.name)),
                    "no" | "false" | "none" | "–" => {}
                    _ => plate.counters.push(Counter {
                        value: plain(value),
                        word: plain(&column.name),
                        boxes: column.boxes[seat],
                        icon: counted_picture(self.slot(column.slot)),
                    }),
                }
            }
        }
        for family in panel.families.iter().filter(|family| self.is_on_plates(family)) {
            for (seat, (plate, (_, value))) in plates.iter_mut().zip(&family.members).enumerate() {
                if !self.is_silent(self.slot(family.slot), family.slot, seat) {
                    plate.words.push(spoken(value));
                }
            }
        }
        for (id, slot) in (0..).map(SlotId).zip(&model.slots) {
            if self.roles.variable(id) == Some(VariableRole::Seat)
                && slot.index.is_empty()
                && self.sight.sees(|seat| self.state.sees(id, 0, seat))
                && let Value::Element(Some(seat)) = self.state.value(id, 0)
                && let Some(plate) = plates.get_mut(seat as usize)
                && !self.is_silent(slot, id, 0)
            {
                plate.words.push(plain(&slot.name));
            }
        }
        let room = self.plate_room(panel);
        plates.iter_mut().for_each(|plate| plate.room = room);
        plates
    }

    /// Returns `true` if people at the table want to know a value of a seat.
    pub(super) fn says_something(&self, id: SlotId, seat: Seat) -> bool {
        let is_used = match self.roles.variable(id) {
            Some(VariableRole::Nothing) => false,
            Some(VariableRole::InTurn) => self.is_read_now(id),
            _ => true,
        };
        is_used && !self.is_silent(self.slot(id), id, seat.index())
    }

    /// Returns the number of letters that the values and words of a plate have at most, if few of the words are shown
    /// at a time.
    fn plate_room(&self, panel: &Panel) -> usize {
        let length = |name: &str| name.chars().count();
        let roles = |slot: SlotId| self.roles.variable(slot);
        let values =
            panel.seats.columns.iter().filter(|column| roles(column.slot) != Some(VariableRole::Nothing));
        let values = values.map(|column| match column.boxes.first().copied().flatten() {
            Some(row) => length(&column.name) + row.letters(),
            None => length(&column.name) + VALUE_ROOM,
        });
        let is_first =
            |zone: &&Zone| self.seat(&self.index(self.slot(zone.slot), zone.place)) == Some(Seat(0));
        let counted =
            panel.zones.iter().filter(is_first).filter_map(|zone| match self.roles.zone(zone.slot)? {
                ZoneRole::Won => Some(length(&self.slot(zone.slot).name) + VALUE_ROOM),
                ZoneRole::Hand if !self.sight.is_everything() => {
                    Some(length("in ") + length(&self.slot(zone.slot).name) + VALUE_ROOM)
                }
                _ => None,
            });
        let words = (0..)
            .map(SlotId)
            .zip(&self.game().model().slots)
            .filter(|(id, _)| matches!(roles(*id), Some(VariableRole::Seat | VariableRole::Word)));
        let mut words: Vec<usize> = words.map(|(_, slot)| self.longest_word(slot) + 2).collect();
        words.sort_unstable();
        let words = words.into_iter().rev().take(WORDS_AT_ONCE);
        values.sum::<usize>() + counted.sum::<usize>() + words.sum::<usize>()
    }

    /// Returns the number of letters of the longest word that a variable is on a plate: its name, or one of its values.
    fn longest_word(&self, slot: &Slot) -> usize {
        let model = self.game().model();
        let values = match slot.content {
            Content::Element { domain, .. } if domain != PLAYER => {
                let all = 0..model.domains[domain.index()].size;
                all.map(|element| model.element_name(domain, element).chars().count()).max()
            }
            _ => None,
        };
        let longest = values.filter(|letters| *letters <= LONGEST_WORD).unwrap_or(0);
        longest.max(slot.name.chars().count())
    }

    /// Counts what lies in a hand that isn't seen, or in what a seat has won.
    fn count_zone(&self, zone: &Zone, plates: &mut [Plate]) {
        let slot = self.slot(zone.slot);
        let index = self.index(slot, zone.place);
        let role = self.roles.zone(zone.slot);
        let is_counted = match role {
            Some(ZoneRole::Won) => true,
            Some(ZoneRole::Hand) => zone.hidden > 0,
            _ => false,
        };
        let Some(seat) = self.seat(&index).filter(|_| is_counted) else { return };
        let count = zone.hidden + zone.open.iter().map(|face| face.copies as usize).sum::<usize>();
        let Some(plate) = plates.get_mut(seat.index()).filter(|_| count > 0) else { return };
        let word = match role {
            Some(ZoneRole::Hand) => format!("in {}", plain(&slot.name)),
            _ => plain(&slot.name),
        };
        plate.counters.push(Counter { value: count.to_string(), word, boxes: None, icon: None });
    }

    /// Returns `true` for a variable of each player whose values are words on the plates.
    pub(super) fn is_on_plates(&self, family: &FamilyList) -> bool {
        let slot = self.slot(family.slot);
        slot.index == [PLAYER]
            && self.game().model().players.count > 1
            && self.roles.variable(family.slot) == Some(VariableRole::Word)
            && !matches!(slot.content, Content::Set(_))
            && family.members.iter().all(|(_, value)| value.chars().count() <= LONGEST_WORD)
    }

    /// Returns `true` if a variable is none, or an empty set.
    fn holds_nothing(&self, id: SlotId) -> bool {
        match self.state.value(id, 0) {
            Value::Element(None) => true,
            Value::Set(set) => set.is_empty(),
            _ => false,
        }
    }

    /// Returns `true` if a value says nothing yet: it is what it begins with, and no resource of which there is less and less. Of
    /// a value that isn't seen, that can't be told.
    fn is_silent(&self, slot: &Slot, id: SlotId, place: usize) -> bool {
        let begins = &slot.initial[place];
        let is_resource = matches!(begins, Value::Number(first) if *first > 0);
        let now = current_slot(self.state, self.sight, id, place);
        let is_seen = self.sight.sees(|seat| self.state.sees(now, place, seat));
        // The first value of an enum may be that of the setup: trumps.
        let is_chosen = matches!(begins, Value::Element(Some(_))) && self.roles.is_set_up(id);
        is_seen && !is_resource && !is_chosen && self.state.value(now, place) == *begins
    }

    /// Returns what concerns the whole table, and the variables that this tells.
    pub(super) fn facts(&self, panel: &Panel) -> (Vec<TableFact>, Vec<SlotId>) {
        let (mut facts, mut told) = (vec![], vec![]);
        for single in &panel.values {
            let slot = self.slot(single.slot);
            let role = self.roles.variable(single.slot).unwrap_or(VariableRole::Fact);
            let is_shown = match role {
                VariableRole::Nothing | VariableRole::Seat => false,
                VariableRole::InTurn if !self.is_read_now(single.slot) => false,
                VariableRole::Ending => matches!(single.of, Some((now, most)) if 2 * now >= most && now > 0),
                // A tile is drawn.
                _ if tile_of(self.game().model(), slot).is_some() => false,
                // Nowhere on a board is nothing to tell.
                VariableRole::OnBoard if self.holds_nothing(single.slot) => false,
                _ => !self.is_silent(slot, single.slot, 0) && single.boxes.is_none(),
            };
            if single.boxes.is_some() {
                continue;
            }
            if !is_shown || facts.len() == MOST_FACTS {
                told.extend((!is_shown).then_some(single.slot));
                continue;
            }
            told.push(single.slot);
            let value = match (role, single.of) {
                (VariableRole::Ending, Some((now, most))) => format!("{now} of {most}"),
                _ => self.value_in_words(slot, single.slot).unwrap_or_else(|| plain(&single.text)),
            };
            let is_question = slot.help.ends_with('?') && slot.help.chars().count() <= LONGEST_QUESTION;
            let word = if slot.content == Content::Bool && is_question {
                slot.help.trim_end_matches('?').to_owned() + "?"
            } else {
                plain(&single.name)
            };
            facts.push(TableFact { word, value, help: slot.help.clone() });
        }
        for count in self.game().model().counts.iter().filter(|count| count.zone.is_none()) {
            if let Ok(Value::Number(number)) = evaluate(self.state, &count.value, Seat(0)) {
                facts.push(TableFact {
                    word: plain(&count.name),
                    value: number.to_string(),
                    help: String::new(),
                });
            }
        }
        (facts, told)
    }

    /// Returns the number that rules show beside a zone: `tally 14`.
    fn count_beside(&self, zone: &Zone) -> Option<String> {
        let counts = &self.game().model().counts;
        let count = counts.iter().find(|count| count.zone == Some(zone.slot) && zone.place == 0)?;
        Some(self.count_in_words(count)).filter(|text| !text.is_empty())
    }

    /// Returns a number that rules show, with its name. It is empty if the rules fail to compute the number.
    fn count_in_words(&self, count: &ShownCount) -> String {
        match evaluate(self.state, &count.value, Seat(0)) {
            Ok(Value::Number(number)) => format!("{} {number}", plain(&count.name)),
            _ => String::new(),
        }
    }

    /// Returns `true` if options of the pending choice read a variable, and those who look know which choice that is.
    fn is_read_now(&self, slot: SlotId) -> bool {
        !is_out_of_sight(self.state, self.sight)
            && self.state.pending_choice().is_some_and(|choice| self.roles.is_read_by(slot, choice))
    }

    /// Returns `true` if the game has variables that concern the whole table.
    pub(super) fn can_have_facts(&self) -> bool {
        let slots = (0..).map(SlotId).zip(&self.game().model().slots);
        let is_fact = |role: Option<VariableRole>| {
            matches!(
                role,
                Some(
                    VariableRole::Fact
                        | VariableRole::Element
                        | VariableRole::Ending
                        | VariableRole::OnElement
                )
            )
        };
        let has_counts = self.game().model().counts.iter().any(|count| count.zone.is_none());
        has_counts
            || slots.into_iter().any(|(id, slot)| {
                let role = self.roles.variable(id);
                let is_read = role == Some(VariableRole::InTurn) && self.roles.is_read_in_turn(id);
                slot.is_declared_variable() && slot.index.is_empty() && (is_read || is_fact(role))
            })
    }

    /// Returns the name of an element, as the board shows it, in words.
    fn element(&self, domain: DomainId, element: u32) -> String {
        sign_in_words(self.game().model(), domain, element, self.names.element(domain, element))
    }

    /// Returns an element in words, a set of them as a list; nothing for other values.
    fn value_in_words(&self, slot: &Slot, id: SlotId) -> Option<String> {
        if !self.sight.sees(|seat| self.state.sees(id, 0, seat)) {
            return None;
        }
        let list = |set: &BitSet, domain: DomainId| {
            let names: Vec<String> = set.iter().map(|e| self.element(domain, e)).collect();
            if names.is_empty() { "none".to_owned() } else { list_words(&names) }
        };
        match (slot.content, self.state.value(id, 0)) {
            (Content::Bool, Value::Bool(value)) => Some(if value { "yes" } else { "no" }.to_owned()),
            (Content::Element { domain, .. }, Value::Element(Some(element))) if domain == PLAYER => {
                Some(plain(self.names.picked(domain, element)))
            }
            (Content::Element { domain, .. }, Value::Element(Some(element))) => {
                Some(self.element(domain, element))
            }
            (Content::Set(domain), Value::Set(set)) => Some(list(&set, domain)),
            _ => None,
        }
    }

    /// Returns `true` if only the rules use a variable, or what it holds is shown elsewhere.
    pub(super) fn is_internal(&self, slot: SlotId) -> bool {
        matches!(self.roles.variable(slot), Some(VariableRole::Nothing | VariableRole::OnElement))
    }

    /// Returns `true` if nobody has to see a family of variables: it says nothing yet, or only the rules use it.
    pub(super) fn is_left_out(&self, slot: SlotId) -> bool {
        let declared = self.slot(slot);
        if (0..declared.initial.len()).all(|place| self.is_silent(declared, slot, place)) {
            return true;
        }
        self.is_internal(slot)
            || self.roles.variable(slot) == Some(VariableRole::InTurn) && !self.is_read_now(slot)
    }
}
