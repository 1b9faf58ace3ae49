//! A player's view of a state as a vector of numbers from 0 to 1.
//!
//! All observations of a game have the same length. An observation is relative to one player: values that
//! belong to players begin with that player and follow the order of seats, and players as values are counted
//! the same way. A number is scaled to its range, and a boolean is 0 or 1. An element is one-hot over its
//! domain, and all 0 for none. A set has 1 for each of its elements. A die is one-hot over its faces, and all
//! 0 before it is rolled.
//!
//! The entries, in order:
//!
//! | entry | when | numbers |
//! | --- | --- | --- |
//! | `choice` | the rules have several choices | one for each: which is pending |
//! | `seat` | several players | which seat this player has, counted from seat 1 |
//! | `actor` | others than the mover may decide | who decides now, relative to this player |
//! | locals | names bound before a choice | while they are in scope, else 0 |
//! | slots | all that this player sees | whose turn it is, dice, pieces, zones, variables |
//! | sizes | zones that not every player sees | how many elements lie in each of them |
//!
//! Hidden values are in no observation. A value that only its owner sees is in the owner's observation alone.
//! While all players commit in a `together` block, this also holds for the slots of the block, and the
//! others' values are 0. The engine's own counters are left out, and so is what no rule reads.
//!
//! [`Dtype`] is the data type of the numbers: floats, bytes or bits.
//!
//! [`Game::observation_spec`] names the entries. [`Planes`] is the same observation for boards of rows and
//! columns. [`SharedLayout`] is one layout for several games.

mod dtype;
mod expand;
mod gather;
mod plan;
mod planes;
mod shared;
pub mod sights;

pub use dtype::{Cells, Dtype, DtypeError};
pub use planes::{Planes, PlanesError};
pub use shared::{SharedError, SharedLayout};

pub use dtype::{cut, half, pack};
pub(crate) use expand::{bits_to_bytes, unsigned};
pub use gather::{BATCH, BatchRows, GameBatch, NOBODY, RowsFrom, SpreadRows, own_scale};
pub(crate) use plan::Number;
pub use shared::{RowMaps, SharedForm, SharedMap};
pub use sights::{During, Sight, SightKind, sights};

use crate::Game;
use crate::hidden::knowledge::is_counted;
use houserule_machine::program::StopKind;
use houserule_model::{
    Builtin, ChoiceId, Content, DomainId, DomainKind, LocalId, Model, PLAYER, Role, Slot, SlotId, Visibility,
};

/// The kind of the numbers of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// All are 0, except at most one.
    OneHot,
    /// Each is 0 or 1.
    Bits,
    /// Each is scaled to this range: 0 for the minimum, 1 for the maximum.
    Number {
        /// Minimum.
        low: i64,
        /// Maximum.
        high: i64,
    },
}

/// A part of an observation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObservationEntry {
    /// What it shows: a slot, a local, or `choice`, `seat`, `actor`.
    pub name: String,
    /// Index of its first number.
    pub offset: usize,
    /// Its length, in numbers.
    pub length: usize,
    /// Its shape, outermost dimension first: the index of the slot, then the numbers of a value.
    pub shape: Vec<usize>,
    /// The kind of its numbers.
    pub kind: EntryKind,
    /// Its meaning, in a sentence.
    pub help: String,
}

/// The source of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EntrySource {
    Choice,
    Seat,
    Actor,
    Slot(SlotId),
    Size(SlotId),
    Local(LocalId),
}

/// An entry with what a plan needs.
#[derive(Clone, Debug)]
pub struct EntryPlan {
    entry: ObservationEntry,
    source: EntrySource,
    content: Content,
    /// The domains of the index. If only the owner sees the slot, without the owner.
    index: Vec<DomainId>,
    /// Whether it is one player's part of a slot.
    owned: bool,
    /// Whether it is a slot without the viewer's own part, which comes first: all but the owner see it.
    others: bool,
    /// The choices during which the entry is shown; `None` if it always is.
    during: Option<Vec<ChoiceId>>,
    /// The choices during which only the player's own part is shown.
    apart: Vec<ChoiceId>,
}

impl Game {
    /// Returns the entries of a player's observation, in order: the same for all players.
    pub fn observation_spec(&self) -> Vec<ObservationEntry> {
        items(self).into_iter().map(|item| item.entry).collect()
    }

    /// Returns the length of an observation, in numbers.
    pub fn observation_len(&self) -> usize {
        self.observation_plan().len()
    }
}

fn items(game: &Game) -> Vec<EntryPlan> {
    let model = game.model();
    let player = |optional| Content::Element { domain: PLAYER, optional };
    let mut items = vec![];
    if model.choices.len() > 1 {
        let help = "which choice the rules wait for".to_owned();
        items.push(special(model, "choice", EntrySource::Choice, Content::Bool, model.choices.len(), help));
    }
    if game.players() > 1 {
        let help = "which seat the player has who sees this, counted from the first seat".to_owned();
        items.push(special(model, "seat", EntrySource::Seat, player(false), 1, help));
    }
    if decides_out_of_turn(game) {
        let help = "who is to decide".to_owned();
        items.push(special(model, "actor", EntrySource::Actor, player(true), 1, help));
    }
    for shown in game.shown_locals() {
        let local = &model.locals[shown.local.index()];
        let names: Vec<&str> = shown.during.iter().map(|c| model.choices[c.index()].name.as_str()).collect();
        let help = format!("`{}` while {} is pending", local.name, in_words(&names));
        let mut item = special(model, &local.name, EntrySource::Local(shown.local), shown.content, 1, help);
        item.during = Some(shown.during.clone());
        items.push(item);
    }
    for (number, slot) in model.slots.iter().enumerate() {
        let id = SlotId(number as u32);
        if is_seen(game, slot, id) {
            let mut item = of_slot(model, slot, id);
            if items.iter().any(|other| other.entry.name == item.entry.name) {
                item.entry.name.insert_str(0, "var_");
            }
            items.push(item);
        }
        if is_counted(slot) && game.keeps(id) {
            items.push(size_of(model, slot, id));
        }
    }
    let mut offset = 0;
    for item in &mut items {
        item.entry.offset = offset;
        offset += item.entry.length;
    }
    items
}

/// Returns an entry without an index. For `choice`, `size` is the number of choices.
fn special(
    model: &Model,
    name: &str,
    source: EntrySource,
    content: Content,
    size: usize,
    help: String,
) -> EntryPlan {
    let (each, kind) = match source {
        EntrySource::Choice => (size, EntryKind::OneHot),
        _ => numbers_of(model, content),
    };
    let entry =
        ObservationEntry { name: name.to_owned(), offset: 0, length: each, shape: vec![each], kind, help };
    EntryPlan {
        entry,
        source,
        content,
        index: vec![],
        owned: false,
        others: false,
        during: None,
        apart: vec![],
    }
}

fn of_slot(model: &Model, slot: &Slot, id: SlotId) -> EntryPlan {
    let first_player = slot.index.first() == Some(&PLAYER);
    let owned = slot.visibility == Visibility::Owner && first_player;
    let others = slot.visibility == Visibility::Others && first_player;
    let index: Vec<DomainId> = slot.index[usize::from(owned)..].to_vec();
    let (each, kind) = match slot.role {
        Role::Dice { faces, .. } => (faces as usize, EntryKind::OneHot),
        _ => numbers_of(model, slot.content),
    };
    let mut shape: Vec<usize> = index.iter().map(|d| model.domains[d.index()].size as usize).collect();
    shape.iter_mut().take(usize::from(others)).for_each(|players| *players -= 1);
    if each > 1 || shape.is_empty() {
        shape.push(each);
    }
    let length = shape.iter().product();
    let help = if slot.help.is_empty() { meaning(slot) } else { slot.help.clone() };
    let entry = ObservationEntry { name: slot.name.clone(), offset: 0, length, shape, kind, help };
    let together = model.together.iter().filter(|block| block.slots.contains(&id));
    let apart = together.flat_map(|block| block.choices.iter().copied()).collect();
    EntryPlan {
        entry,
        source: EntrySource::Slot(id),
        content: slot.content,
        index,
        owned,
        others,
        during: None,
        apart,
    }
}

/// Returns the entry for the sizes of a family's zones.
fn size_of(model: &Model, slot: &Slot, id: SlotId) -> EntryPlan {
    let (high, index) = match (slot.content, slot.index.split_last()) {
        (Content::Set(domain), _) => (model.domains[domain.index()].size.into(), &slot.index[..]),
        (_, Some((domain, family))) => (model.copies_in_all(*domain), family),
        _ => (1, &slot.index[..]),
    };
    let counted = Slot {
        name: format!("{} size", slot.name),
        content: Content::Number { low: 0, high },
        visibility: Visibility::All,
        shown: houserule_model::DisplayForm::Plainly,
        help: format!("how many lie in `{}`", slot.name),
        index: index.to_vec(),
        ..slot.clone()
    };
    EntryPlan { source: EntrySource::Size(id), ..of_slot(model, &counted, id) }
}

/// Returns how many numbers a value takes, and their kind.
fn numbers_of(model: &Model, content: Content) -> (usize, EntryKind) {
    let size = |domain: DomainId| model.domains[domain.index()].size as usize;
    match content {
        Content::Number { low, high } => (1, EntryKind::Number { low, high }),
        Content::Bool => (1, EntryKind::Bits),
        Content::Element { domain, .. } => (size(domain), EntryKind::OneHot),
        Content::Set(domain) => (size(domain), EntryKind::Bits),
    }
}

/// Describes a slot without a help text.
fn meaning(slot: &Slot) -> String {
    match slot.role {
        Role::Builtin(Builtin::Mover) => "whose turn it is".to_owned(),
        Role::Builtin(Builtin::Starter) => "who began".to_owned(),
        Role::Builtin(Builtin::ToCome) => "who still has a turn in this round".to_owned(),
        Role::Builtin(Builtin::Total) => "points in the match so far".to_owned(),
        Role::Dice { .. } => format!("the faces of `{}`", slot.name),
        Role::Piece(_) => format!("where `{}` stands", slot.name),
        Role::Zone => format!("what lies in `{}`", slot.name),
        Role::Place | Role::SeenPlace => "places from the top of ordered zones".to_owned(),
        Role::Copies => format!("how many of each lie in `{}`", slot.name),
        _ => format!("`{}`", slot.name),
    }
}

/// Returns `true` if a slot is in observations. The engine's own counters are not, but the mover and the
/// state of the match are.
fn is_seen(game: &Game, slot: &Slot, id: SlotId) -> bool {
    match slot.role {
        // A single player is always the mover.
        Role::Builtin(Builtin::Mover) => game.players() > 1,
        Role::Builtin(Builtin::ToCome) => game.players() > 2 && game.model().rounds,
        Role::Builtin(Builtin::Starter) => game.players() > 1 && game.slots()[id.index()].is_some(),
        Role::Builtin(Builtin::Total) => game.slots()[id.index()].is_some(),
        Role::Builtin(_) | Role::Empty(_) => false,
        // A single player has no others.
        _ if slot.visibility == Visibility::Others && game.players() == 1 => false,
        _ => slot.visibility != Visibility::Nobody && game.slots()[id.index()].is_some(),
    }
}

/// Returns `true` if any choice may belong to a player other than the mover.
fn decides_out_of_turn(game: &Game) -> bool {
    let mover = game.slots()[Builtin::Mover.slot().index()];
    game.program().stops.iter().any(|site| match &site.kind {
        StopKind::Choice(choice) => Some(choice.me) != mover,
        _ => false,
    })
}

/// Returns a list such as `a`, `b` or `c`.
fn in_words(names: &[&str]) -> String {
    let mut unique: Vec<String> = vec![];
    for name in names {
        let quoted = format!("`{name}`");
        if !unique.contains(&quoted) {
            unique.push(quoted);
        }
    }
    match unique.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => "nothing".to_owned(),
    }
}

/// Returns the board whose sites a domain is, if it is one.
fn board_of(model: &Model, domain: DomainId) -> Option<&houserule_model::Board> {
    match model.domains[domain.index()].kind {
        DomainKind::Sites(board) => Some(&model.boards[board.index()]),
        _ => None,
    }
}
