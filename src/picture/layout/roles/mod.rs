//! What the zones and variables of a game are on a table: the hand of a player, a trick, a stock; a counter of a seat, a mark
//! on a site. Read from the declarations and from what the statements of the rules move and read. Names don't matter.

mod moves;
mod reads;

use std::collections::BTreeSet;

use houserule_game::Game;
use houserule_model::{
    ChoiceId, Content, DisplayForm, DomainId, DomainKind, Life, Model, PLAYER, Role, Slot, SlotId, Value,
    Visibility, walk,
};
use moves::{MoveSource, MovedPart, ZoneMove, zone_moves};
use reads::read_variables;

/// What a zone is on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZoneRole {
    /// It lies on the sites of a board.
    OnBoard,
    /// Joined tiles: `shown as chain`.
    Chain,
    /// What only its player sees: a fan.
    Hand,
    /// What its player doesn't see, but the others do.
    Slots,
    /// Face down below another zone, that with the same index.
    Below(SlotId),
    /// A pile at a seat, face down.
    Covered,
    /// Not drawn: only the setup uses it, or it lies on a board as pieces.
    Unused,
    /// A pile in the middle, face down.
    Stock,
    /// Ordered zones side by side, of which elements are moved with those on them: all are seen.
    Columns,
    /// Ordered zones side by side, of which the top is seen.
    Piles,
    /// An ordered zone, of which the top is seen.
    Pile,
    /// What each player has played, in the middle: all of it is moved at once.
    Trick,
    /// What a seat has won: sets that stay there. Counted.
    Won,
    /// Open at a seat.
    Open,
    /// Zones side by side that don't belong to seats.
    Groups,
    /// Sets that were used. Counted.
    Used,
    /// Open in the middle.
    Row,
}

impl ZoneRole {
    /// Returns `true` if a zone lies as a pile.
    pub fn is_pile(self) -> bool {
        matches!(
            self,
            ZoneRole::Piles | ZoneRole::Stock | ZoneRole::Pile | ZoneRole::Covered | ZoneRole::Used
        )
    }
}

/// What a variable becomes in a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableRole {
    /// Never shown: something else shows what it holds.
    Nothing,
    /// Its name at the seats that it holds.
    Seat,
    /// Its name on the elements that it holds, where these lie.
    OnElement,
    /// A number at each seat.
    Counter,
    /// A word at each seat.
    Word,
    /// The card or tile that it holds.
    Element,
    /// A fact while the options of a choice depend on it: see [`TableRoles::is_read_by`].
    InTurn,
    /// A number or condition that only ends test: a fact once an end is near.
    Ending,
    /// A fact that concerns the whole table; with an index, a sheet or a table.
    Fact,
    /// On the sites of a board, or at the ends of its rows.
    OnBoard,
}

/// The roles of all zones and variables of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableRoles {
    zones: Vec<(SlotId, ZoneRole)>,
    variables: Vec<(SlotId, VariableRole)>,
    /// The zones to which actions move something.
    filled: Vec<SlotId>,
    /// The variables of a turn with the choices whose options read them.
    read_by: Vec<(SlotId, ChoiceId)>,
    /// What the setup gives values.
    set_up: BTreeSet<SlotId>,
}

impl TableRoles {
    /// Finds the roles. They are the same in all states, so once for a game is enough.
    pub fn from_game(game: &Game) -> TableRoles {
        let model = game.model();
        let reader = RoleReader { model, moves: zone_moves(model) };
        let slots = (0..).map(SlotId).zip(&model.slots);
        let variables = slots.filter(|(_, slot)| slot.is_declared_variable());
        let mut roles = TableRoles {
            zones: reader.zones().map(|(id, slot)| (id, reader.zone_role(id, slot))).collect(),
            variables: variables.map(|(id, slot)| (id, reader.variable_role(id, slot))).collect(),
            filled: reader.moves.iter().filter(|one| one.by_action).map(|one| one.to).collect(),
            read_by: vec![],
            set_up: walk::writes(model, &model.setup),
        };
        let with_role = |role: VariableRole, fits: fn(&Slot) -> bool| {
            let all =
                roles.variables.iter().filter(|(id, own)| *own == role && fits(&model.slots[id.index()]));
            all.map(|(id, _)| *id).collect::<Vec<SlotId>>()
        };
        let may_end = with_role(VariableRole::Fact, counts_up);
        let of_turn = with_role(VariableRole::InTurn, |_| true);
        let reads = read_variables(model, &may_end, &of_turn);
        for (id, role) in &mut roles.variables {
            if reads.ending.contains(id) {
                *role = VariableRole::Ending;
            }
        }
        roles.read_by = reads.of_choices;
        roles
    }

    /// Returns the role of a zone, or `None` if the slot isn't one.
    pub fn zone(&self, slot: SlotId) -> Option<ZoneRole> {
        self.zones.iter().find(|(id, _)| *id == slot).map(|(_, role)| *role)
    }

    /// Returns the role of a variable that the rules declare, or `None` if the slot isn't one.
    pub fn variable(&self, slot: SlotId) -> Option<VariableRole> {
        self.variables.iter().find(|(id, _)| *id == slot).map(|(_, role)| *role)
    }

    /// Returns `true` if an action can put something into a zone, so that its empty places are drawn.
    pub fn can_be_filled(&self, slot: SlotId) -> bool {
        self.filled.contains(&slot)
    }

    /// Returns `true` if the setup gives a variable its value.
    pub fn is_set_up(&self, slot: SlotId) -> bool {
        self.set_up.contains(&slot)
    }

    /// Returns `true` if options of some choice read a variable whose role is [`VariableRole::InTurn`].
    pub fn is_read_in_turn(&self, slot: SlotId) -> bool {
        self.read_by.iter().any(|(read, _)| *read == slot)
    }

    /// Returns `true` if options of a choice read a variable whose role is [`VariableRole::InTurn`].
    pub fn is_read_by(&self, slot: SlotId, choice: ChoiceId) -> bool {
        self.read_by.contains(&(slot, choice))
    }
}

/// Returns `true` for a variable that may count up to an end: a single number from 0 on, or a condition.
fn counts_up(slot: &Slot) -> bool {
    let counts = match slot.content {
        Content::Number { low, high } => low == 0 && high > 0,
        Content::Bool => true,
        Content::Element { .. } | Content::Set(_) => false,
    };
    counts && slot.index.is_empty() && slot.shown == DisplayForm::Plainly
}

/// Returns the index of a zone in its family, without that of a kind of copies.
fn family_domains(slot: &Slot) -> &[DomainId] {
    match slot.role {
        Role::Copies => &slot.index[..slot.index.len().saturating_sub(1)],
        _ => &slot.index,
    }
}

/// Reads roles from the model of a game.
struct RoleReader<'m> {
    model: &'m Model,
    moves: Vec<ZoneMove>,
}

impl<'m> RoleReader<'m> {
    fn slot(&self, id: SlotId) -> &'m Slot {
        &self.model.slots[id.index()]
    }

    /// Returns the zones of the rules with their slots.
    fn zones(&self) -> impl Iterator<Item = (SlotId, &'m Slot)> {
        let slots = (0..).map(SlotId).zip(&self.model.slots);
        slots.filter(|(_, slot)| matches!(slot.role, Role::Zone | Role::Copies))
    }

    fn is_site(&self, domain: DomainId) -> bool {
        matches!(self.model.domains[domain.index()].kind, DomainKind::Sites(_))
    }

    /// Returns `true` for the players and for the teams.
    fn names_seats(&self, domain: DomainId) -> bool {
        let teams = &self.model.teams;
        domain == PLAYER
            || match &self.model.domains[domain.index()].kind {
                DomainKind::Enum(names) => {
                    !teams.is_empty() && names.iter().eq(teams.iter().map(|team| &team.name))
                }
                _ => false,
            }
    }

    /// Returns `true` if the elements of a domain lie in zones, each in one.
    fn lies_in_zones(&self, domain: DomainId) -> bool {
        self.zones().any(|(_, zone)| zone.role == Role::Zone && zone.content == Content::Set(domain))
    }

    fn zone_role(&self, id: SlotId, slot: &Slot) -> ZoneRole {
        let index = family_domains(slot);
        match slot.shown {
            DisplayForm::Chain(_) => return ZoneRole::Chain,
            DisplayForm::Nothing => return ZoneRole::Unused,
            DisplayForm::Row => return ZoneRole::Row,
            DisplayForm::Column => return ZoneRole::Columns,
            DisplayForm::Pile if slot.visibility == Visibility::Nobody && !self.has_open_top(id) => {
                return ZoneRole::Stock;
            }
            DisplayForm::Pile => return ZoneRole::Pile,
            _ => {}
        }
        if self.lies_on_sites(slot) {
            return ZoneRole::OnBoard;
        }
        if self.stands_as_pieces(slot) {
            return ZoneRole::Unused;
        }
        let is_ordered = self.model.order_in(id).is_some();
        let is_of_seats = index.first().is_some_and(|domain| self.names_seats(*domain));
        match slot.visibility {
            Visibility::Owner => ZoneRole::Hand,
            Visibility::Others => ZoneRole::Slots,
            Visibility::Nobody if !self.has_open_top(id) => self.hidden_role(id, slot, is_of_seats),
            _ if is_ordered && index.is_empty() => ZoneRole::Pile,
            _ if is_ordered && self.takes_with_those_above(id) => ZoneRole::Columns,
            _ if is_ordered => ZoneRole::Piles,
            _ if is_of_seats && self.is_trick(id) => ZoneRole::Trick,
            _ if is_of_seats && self.is_filled_by_sets(id) && !self.is_emptied(id) => ZoneRole::Won,
            _ if is_of_seats => ZoneRole::Open,
            _ if !index.is_empty() => ZoneRole::Groups,
            _ if self.is_filled_by_sets(id) || self.holds_sites(slot) => ZoneRole::Used,
            _ => ZoneRole::Row,
        }
    }

    /// The role of a zone that nobody sees.
    fn hidden_role(&self, id: SlotId, slot: &Slot, is_of_seats: bool) -> ZoneRole {
        if is_of_seats {
            return ZoneRole::Covered;
        }
        let goes_up = |one: &&ZoneMove| {
            let is_open = self.slot(one.to).visibility != Visibility::Nobody || self.has_open_top(one.to);
            let has_same_family = family_domains(self.slot(one.to)) == family_domains(slot);
            one.to != id && is_open && has_same_family && takes(one, id, |source| source.keeps_index)
        };
        if let Some(above) = self.moves.iter().find(goes_up) {
            return ZoneRole::Below(above.to);
        }
        let uses = |one: &ZoneMove| one.in_play && (one.to == id || takes(one, id, |_| true));
        if self.moves.iter().any(uses) { ZoneRole::Stock } else { ZoneRole::Unused }
    }

    /// Returns `true` if a zone has a place for each site of a board.
    fn lies_on_sites(&self, slot: &Slot) -> bool {
        family_domains(slot).iter().any(|domain| self.is_site(*domain))
    }

    /// Returns `true` for an open zone of copies that holds them at first, if their kinds are also those of pieces: what is in it
    /// stands on a board.
    fn stands_as_pieces(&self, slot: &Slot) -> bool {
        let (Role::Copies, [kind]) = (slot.role, &slot.index[..]) else { return false };
        let is_piece = |other: &Slot| matches!(other.role, Role::Piece(_)) && other.index.contains(kind);
        slot.visibility == Visibility::All
            && slot.initial.iter().any(|count| *count != Value::Number(0))
            && self.model.slots.iter().any(is_piece)
    }

    /// Returns `true` for an ordered zone of which all players see the top.
    fn has_open_top(&self, id: SlotId) -> bool {
        self.model.order_in(id).is_some_and(|order| order.open_tops.contains(&id))
    }

    fn holds_sites(&self, slot: &Slot) -> bool {
        matches!(slot.content, Content::Set(domain) if self.is_site(domain))
    }

    fn takes_with_those_above(&self, id: SlotId) -> bool {
        self.moves.iter().any(|one| takes(one, id, |source| source.is_carried))
    }

    /// Returns `true` if all zones of a family are moved at once, and nothing else with them.
    fn is_trick(&self, id: SlotId) -> bool {
        let is_alone = |one: &ZoneMove| one.sources.iter().all(|source| source.zone == id);
        let takes_all = |one: &ZoneMove| takes(one, id, |source| source.part == MovedPart::Family);
        self.moves.iter().any(|one| one.in_play && takes_all(one) && is_alone(one) && !self.gathers(one))
    }

    /// Returns `true` if whole zones go back to where elements are drawn from.
    fn gathers(&self, one: &ZoneMove) -> bool {
        let is_whole = one.sources.iter().all(|source| source.part >= MovedPart::Zone);
        let is_drawn_from = |other: &ZoneMove| other.is_drawn && takes(other, one.to, |_| true);
        is_whole && self.slot(one.to).visibility == Visibility::Nobody && self.moves.iter().any(is_drawn_from)
    }

    fn is_filled_by_sets(&self, id: SlotId) -> bool {
        self.moves.iter().any(|one| one.to == id && !one.is_single && !self.comes_from_one_place(one))
    }

    /// Returns `true` if all that moves lies on a site, or in one of the places of a player: it may be more, but stands for one.
    fn comes_from_one_place(&self, one: &ZoneMove) -> bool {
        let is_place = |source: &MoveSource| {
            let slot = self.slot(source.zone);
            let has_places = match family_domains(slot) {
                [owner, _, ..] => self.names_seats(*owner),
                _ => false,
            };
            source.part <= MovedPart::Zone && (has_places || self.lies_on_sites(slot))
        };
        !one.sources.is_empty() && one.sources.iter().all(is_place)
    }

    /// Returns `true` if something is taken from a zone in play, other than everything for the next deal.
    fn is_emptied(&self, id: SlotId) -> bool {
        let leaves = |one: &ZoneMove| one.in_play && one.to != id && takes(one, id, |_| true);
        self.moves.iter().any(|one| leaves(one) && !self.gathers(one))
    }

    fn variable_role(&self, id: SlotId, slot: &Slot) -> VariableRole {
        let is_turn = slot.life == Life::Turn;
        if slot.shown == DisplayForm::Nothing {
            return VariableRole::Nothing;
        }
        if self.model.slots.iter().any(|zone| zone.shown == DisplayForm::Chain(Some(id))) {
            return VariableRole::Nothing;
        }
        if self.is_on_board(slot) {
            return VariableRole::OnBoard;
        }
        let is_of_seats = match slot.index.as_slice() {
            [] => false,
            [only] if self.names_seats(*only) => true,
            _ if is_turn => return VariableRole::InTurn,
            _ => return VariableRole::Fact,
        };
        match slot.content {
            Content::Element { domain, .. } if self.lies_in_zones(domain) => VariableRole::OnElement,
            Content::Set(domain) if self.lies_in_zones(domain) && is_turn => VariableRole::OnElement,
            // Where they lie says as much.
            Content::Set(domain) if self.lies_in_zones(domain) => VariableRole::Nothing,
            Content::Number { .. } if is_of_seats => VariableRole::Counter,
            Content::Element { domain, .. } if is_of_seats && self.is_range(domain) => VariableRole::Counter,
            Content::Set(rows) if is_of_seats && self.has_sheet(rows) => VariableRole::Nothing,
            _ if is_of_seats => VariableRole::Word,
            Content::Element { domain, .. } | Content::Set(domain) if self.names_seats(domain) => {
                VariableRole::Seat
            }
            Content::Element { domain, .. } if self.has_faces(domain) => VariableRole::Element,
            _ if is_turn => VariableRole::InTurn,
            _ => VariableRole::Fact,
        }
    }

    /// Returns `true` if a variable has a value for each site, or holds sites, or stands at the ends of rows.
    fn is_on_board(&self, slot: &Slot) -> bool {
        let holds_sites = match slot.content {
            Content::Element { domain, .. } | Content::Set(domain) => self.is_site(domain),
            Content::Number { .. } | Content::Bool => false,
        };
        holds_sites || slot.index.iter().any(|domain| self.is_site(*domain)) || self.is_at_rows(slot)
    }

    /// Returns `true` for a variable with a value for each row of each board of a family, which is drawn at their ends.
    fn is_at_rows(&self, slot: &Slot) -> bool {
        let Some((last, first)) = slot.index.split_last() else { return false };
        let rows = &self.model.domains[last.index()];
        let counts_rows =
            |height: u32| matches!(rows.kind, DomainKind::Range { low: 1 }) && rows.size == height;
        let is_seen = slot.visibility == Visibility::All && !matches!(slot.content, Content::Set(_));
        let mut boards = self.model.boards.iter().filter(|board| !board.index.is_empty());
        is_seen
            && boards.any(|board| {
                let topology = &board.topology;
                board.index[..] == *first && topology.has_rows() && counts_rows(topology.height())
            })
    }

    fn is_range(&self, domain: DomainId) -> bool {
        matches!(self.model.domains[domain.index()].kind, DomainKind::Range { .. })
    }

    /// Returns `true` if a variable of each player has a value for each of these rows, as on a score sheet.
    fn has_sheet(&self, rows: DomainId) -> bool {
        self.model.slots.iter().any(|slot| slot.is_declared_variable() && slot.index == [PLAYER, rows])
    }

    /// Returns `true` for cards and tiles of which there are copies, and for records.
    fn has_faces(&self, domain: DomainId) -> bool {
        self.model.has_copies(domain)
            || matches!(self.model.domains[domain.index()].kind, DomainKind::Record { .. })
    }
}

/// Returns `true` if a move takes something from a zone in a certain way.
fn takes(one: &ZoneMove, zone: SlotId, fits: impl Fn(&MoveSource) -> bool) -> bool {
    one.sources.iter().any(|source| source.zone == zone && fits(source))
}
