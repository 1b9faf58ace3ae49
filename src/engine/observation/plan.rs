//! How observations are made: a list of what comes from where in the words of a state, made once for a game.

use std::sync::Arc;

use super::{Item, Source, items};
use crate::engine::game::Game;
use crate::engine::hidden_copies::kinds;
use crate::engine::state::State;
use crate::lang::model::value_len;
use crate::lang::model::{Content, LocalId, PLAYER, Role, SlotId};
use crate::program::{Program, SiteKind};

/// A part of an observation that is bits, and where these begin.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BitPart {
    pub(super) to: u32,
    pub(super) source: Word,
    pub(super) bits: Bits,
}

/// A part that is a number, and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NumberPart {
    pub(super) to: u32,
    pub(super) source: Word,
    pub(super) number: Number,
}

/// The word that a part comes from.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Word {
    /// Where its addresses begin: one for each player who sees it, or a single one for all.
    pub(super) at: u32,
    pub(super) addresses: u32,
    /// By site, and for when nobody decides: is it shown then? Without, it always is.
    pub(super) during: Option<Arc<[bool]>>,
}

/// What bits say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bits {
    /// Which seat the player has who sees it.
    Seat,
    /// Which choice is pending.
    Choice { size: u32 },
    /// Who decides, from this player on.
    Actor,
    /// Some of the word's own.
    Word { mask: u64 },
    /// A set of players, from this player on.
    Players,
    /// An element; number `low` is the first.
    Element { low: u64, size: u32 },
    /// A player, from this player on.
    Player,
}

/// A number by its place in a range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Number {
    pub(super) low: i64,
    pub(super) scale: f64,
    /// Not the word itself counts, but how many of its bits are set.
    pub(super) bits: bool,
    /// It is added to the part before it.
    pub(super) more: bool,
    /// More is added to it: until then it is the sum, and not yet a place in a range.
    pub(super) open: bool,
}

/// A site where a game may wait.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    /// The number of its choice.
    pub(super) choice: u32,
    /// Where its actor is; none where nobody decides.
    pub(super) me: Option<u16>,
}

/// How the observations of a game are made.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(super) bits: Vec<BitPart>,
    pub(super) numbers: Vec<NumberPart>,
    /// Where words are.
    pub(super) addresses: Vec<u32>,
    pub(super) len: usize,
    pub(super) players: u32,
    /// Words of a state.
    pub(super) frame: usize,
    /// By site; the last one is for when nothing is pending.
    pub(super) pending: Vec<Pending>,
}

impl Plan {
    /// Takes a while: [`Game::observation_plan`] keeps what is made here.
    pub(in crate::engine) fn new(game: &Game) -> Plan {
        let program = game.program();
        let nobody = Pending { choice: u32::MAX, me: None };
        let sites = program.sites.iter().map(|site| match &site.kind {
            SiteKind::Choice(choice) => Pending { choice: choice.choice, me: Some(choice.me) },
            _ => nobody,
        });
        let mut plan = Plan {
            bits: vec![],
            numbers: vec![],
            addresses: vec![],
            len: 0,
            players: game.players(),
            frame: program.frame as usize,
            pending: sites.chain([nobody]).collect(),
        };
        for item in items(game) {
            plan.item(game, program, &item);
            plan.len = item.entry.offset + item.entry.length;
        }
        plan
    }

    /// How many numbers an observation has.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    fn item(&mut self, game: &Game, program: &Program, item: &Item) {
        let to = item.entry.offset as u32;
        match item.source {
            Source::Choice => self.special(to, Bits::Choice { size: item.entry.length as u32 }),
            Source::Seat => self.special(to, Bits::Seat),
            Source::Actor => self.special(to, Bits::Actor),
            Source::Local(local) => self.local(game, item, local),
            Source::Slot(slot) | Source::Size(slot) => self.slot(game, program, item, slot),
        }
    }

    /// What comes from no word of its own.
    fn special(&mut self, to: u32, bits: Bits) {
        let source = self.word(None, |_| 0);
        self.bits.push(BitPart { to, source, bits });
    }

    /// A word whose address depends on who sees it.
    fn word(&mut self, during: Option<&Arc<[bool]>>, address: impl Fn(u32) -> u32) -> Word {
        let at = self.addresses.len();
        self.addresses.extend((0..self.players).map(address));
        if self.addresses[at..].iter().all(|address| *address == self.addresses[at]) {
            self.addresses.truncate(at + 1);
        }
        let addresses = (self.addresses.len() - at) as u32;
        Word { at: at as u32, addresses, during: during.cloned() }
    }

    fn local(&mut self, game: &Game, item: &Item, local: LocalId) {
        let Some(at) = game.local_at(local) else { return };
        let choices = item.during.as_deref().unwrap_or_default();
        let shown = |site: &Pending| choices.iter().any(|choice| choice.0 == site.choice);
        let during = self.pending.iter().map(shown).collect();
        self.value(game, item.entry.offset as u32, item.content, None, Some(&during), |_| at.into());
    }

    fn slot(&mut self, game: &Game, program: &Program, item: &Item, id: SlotId) {
        let model = game.model();
        let slot = &model.slots[id.index()];
        // Kept are all that are seen.
        let Some(first) = game.slots()[id.index()] else { return };
        let faces = match slot.role {
            Role::Dice { faces, .. } => Some(faces),
            _ => None,
        };
        // Of a zone of copies it is counted how many there are of all kinds, which stand together.
        let (width, bits) = match (item.source, slot.role) {
            (Source::Size(_), Role::Copies) => (kinds(model, slot) as u32, false),
            _ => (u32::from(value_len(program.width, slot.content)), true),
        };
        let sizes: Vec<u32> = item.index.iter().map(|d| model.domains[d.index()].size).collect();
        let places: u32 = sizes.iter().product();
        let mut to = item.entry.offset as u32;
        // A player's own share stands first; the rest may be kept from them for a while.
        let own = places / sizes.first().map_or(1, |size| *size);
        let shown = |site: &Pending| item.apart.iter().all(|choice| choice.0 != site.choice);
        let apart: Option<Arc<[bool]>> =
            (!item.apart.is_empty()).then(|| self.pending.iter().map(shown).collect());
        for place in 0..places {
            let during = apart.as_ref().filter(|_| place >= own);
            // The place as a player counts is another one in the slot: players are turned round.
            let address = |player: u32| {
                let (mut rest, mut real, mut step) = (place, 0, 1);
                for (domain, size) in item.index.iter().zip(&sizes).rev() {
                    let element = rest % size;
                    rest /= size;
                    let element = if *domain == PLAYER { (element + player) % size } else { element };
                    real += element * step;
                    step *= size;
                }
                let owner = if item.owned { player * places } else { 0 };
                u32::from(first) + (owner + real) * width
            };
            match (item.source, item.content) {
                (Source::Size(_), Content::Number { high, .. }) => {
                    for word in 0..width {
                        let source = self.word(None, |player| address(player) + word);
                        let scale = 1.0 / high.max(1) as f64;
                        let number = Number { low: 0, scale, bits, more: word > 0, open: word + 1 < width };
                        self.numbers.push(NumberPart { to, source, number });
                    }
                    to += 1;
                }
                _ => to = self.value(game, to, slot.content, faces, during, address),
            }
        }
    }

    /// A value in the words from an address on; `faces` if it is a die. Returns where the next one goes.
    fn value(
        &mut self,
        game: &Game,
        to: u32,
        content: Content,
        faces: Option<u32>,
        during: Option<&Arc<[bool]>>,
        address: impl Fn(u32) -> u32,
    ) -> u32 {
        let size = |domain: crate::lang::model::DomainId| game.model().domains[domain.index()].size;
        let (bits, size) = match (content, faces) {
            (_, Some(faces)) => (Bits::Element { low: 1, size: faces }, faces),
            (Content::Number { low, high }, _) => {
                let range = (i128::from(high) - i128::from(low)).max(1) as f64;
                let number = Number { low, scale: 1.0 / range, bits: false, more: false, open: false };
                let source = self.word(during, address);
                self.numbers.push(NumberPart { to, source, number });
                return to + 1;
            }
            (Content::Bool, _) => (Bits::Word { mask: 1 }, 1),
            (Content::Element { domain, .. }, _) if domain == PLAYER => (Bits::Player, self.players),
            (Content::Set(domain), _) if domain == PLAYER => (Bits::Players, self.players),
            (Content::Element { domain, .. }, _) => {
                (Bits::Element { low: 0, size: size(domain) }, size(domain))
            }
            (Content::Set(domain), _) => {
                let size = size(domain);
                for word in 0..size.div_ceil(64) {
                    let source = self.word(during, |player| address(player) + word);
                    let mask = u64::MAX >> (64 - (size - word * 64).min(64));
                    self.bits.push(BitPart { to: to + word * 64, source, bits: Bits::Word { mask } });
                }
                return to + size;
            }
        };
        let source = self.word(during, address);
        self.bits.push(BitPart { to, source, bits });
        to + size
    }
}

impl State {
    /// The value of a local as the words have it while a choice is pending in its scope, for those who
    /// check observations: a number or an element as it is kept (-1 for none), a set as words.
    pub fn local_words(&self, local: LocalId) -> Option<&[u64]> {
        use crate::lang::model::Type;
        let game = self.game();
        let at = usize::from(game.local_at(local)?);
        let width = match game.model().locals[local.index()].ty {
            Type::Set(_) => usize::from(game.program().width),
            _ => 1,
        };
        Some(&self.words()[at..at + width])
    }
}
