//! The plan of a game's observations: which part comes from which words of a state. Made once for each game.

use std::sync::Arc;

use super::sights::{During, PendingStop, Sight, SightKind, pending, sights_of};
use super::{EntryPlan, EntrySource, items};
use crate::Game;
use houserule_model::{Content, DomainId, PLAYER};

/// A part of an observation that is bits, and their first index.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BitPart {
    pub(crate) to: u32,
    pub(crate) source: WordSource,
    pub(crate) bits: Bits,
}

/// A part that is a number, and its index.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NumberPart {
    pub(crate) to: u32,
    pub(crate) source: WordSource,
    pub(crate) number: Number,
}

/// The word that a part comes from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WordSource {
    /// Index of its first address. There is one address for each viewer, or a single one for all.
    pub(crate) at: u32,
    pub(crate) addresses: u32,
    /// When it is shown, and to whom. `None` if always, to all.
    pub(crate) during: Option<During>,
}

/// The meaning of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bits {
    /// The viewer's seat.
    Seat,
    /// The pending choice.
    Choice { size: u32 },
    /// The player to move, relative to the viewer.
    Actor,
    /// Bits of the word itself.
    Word { mask: u64 },
    /// A set of players, relative to the viewer.
    Players,
    /// An element or a face; `low` is the first value.
    Element { low: u64, size: u32 },
    /// A player, relative to the viewer.
    Player,
}

/// A number that is scaled to a range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    pub(crate) low: i64,
    pub(crate) scale: f64,
    /// Whether the number is the word's count of set bits.
    pub(crate) bits: bool,
    /// It is added to the part before it.
    pub(crate) more: bool,
    /// The next part is added to it: until then it is a sum, not yet scaled.
    pub(crate) open: bool,
}

/// The plan of a game's observations.
#[derive(Clone, Debug)]
pub(crate) struct ObservationPlan {
    pub(crate) bits: Vec<BitPart>,
    pub(crate) numbers: Vec<NumberPart>,
    /// The addresses of all words.
    pub(crate) addresses: Vec<u32>,
    pub(crate) len: usize,
    pub(crate) players: u32,
    /// Size of a frame, in words.
    pub(crate) frame: usize,
    /// By stop point, and last for nothing pending.
    pub(crate) pending: Vec<PendingStop>,
}

impl Game {
    /// Returns the plan by which observations are written.
    pub(crate) fn observation_plan(&self) -> &Arc<ObservationPlan> {
        self.observation().get_or(|| Arc::new(ObservationPlan::new(self)))
    }
}

impl ObservationPlan {
    /// Makes the plan of a game. Slow: [`Game::observation_plan`] caches the result.
    pub(crate) fn new(game: &Game) -> ObservationPlan {
        let pending = pending(game);
        let mut plan = ObservationPlan {
            bits: vec![],
            numbers: vec![],
            addresses: vec![],
            len: 0,
            players: game.players(),
            frame: game.program().frame as usize,
            pending: vec![],
        };
        for item in items(game) {
            plan.item(game, &pending, &item);
            plan.len = item.entry.offset + item.entry.length;
        }
        ObservationPlan { pending, ..plan }
    }

    /// Returns the plan with every part at another place, in observations of `len` numbers. Numbers without a part
    /// are 0. Returns `None` if the numbers of a part don't stay together.
    pub(crate) fn moved(&self, len: usize, place: impl Fn(usize) -> usize) -> Option<ObservationPlan> {
        let move_all = |to: u32, count: u32| {
            let first = place(to as usize);
            let together = (0..count as usize).all(|next| place(to as usize + next) == first + next);
            together.then_some(first as u32)
        };
        let mut moved = ObservationPlan { len, ..self.clone() };
        for part in &mut moved.bits {
            let count = match part.bits {
                Bits::Seat | Bits::Actor | Bits::Players | Bits::Player => self.players,
                Bits::Choice { size } | Bits::Element { size, .. } => size,
                Bits::Word { mask } => u64::BITS - mask.leading_zeros(),
            };
            part.to = move_all(part.to, count)?;
        }
        for part in &mut moved.numbers {
            part.to = move_all(part.to, 1)?;
        }
        Some(moved)
    }

    /// Returns `true` if two plans differ at most in the scales of numbers.
    pub(crate) fn is_alike(&self, other: &ObservationPlan) -> bool {
        let unscaled = |part: &NumberPart| {
            let number = Number { scale: 0.0, ..part.number };
            NumberPart { number, ..part.clone() }
        };
        let numbers = self.numbers.iter().map(unscaled).eq(other.numbers.iter().map(unscaled));
        let sizes = |plan: &ObservationPlan| (plan.len, plan.players, plan.frame);
        numbers
            && sizes(self) == sizes(other)
            && (&self.bits, &self.addresses, &self.pending) == (&other.bits, &other.addresses, &other.pending)
    }

    /// Returns the length of an observation, in numbers.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    fn item(&mut self, game: &Game, pending: &[PendingStop], item: &EntryPlan) {
        let mut to = item.entry.offset as u32;
        match item.source {
            EntrySource::Choice => self.special(to, Bits::Choice { size: item.entry.length as u32 }),
            EntrySource::Seat => self.special(to, Bits::Seat),
            EntrySource::Actor => self.special(to, Bits::Actor),
            EntrySource::Local(_) | EntrySource::Slot(_) | EntrySource::Size(_) => {
                for sight in sights_of(game, pending, item) {
                    to = self.sight(game, to, &sight);
                }
            }
        }
    }

    /// Adds a part that has no word of its own.
    fn special(&mut self, to: u32, bits: Bits) {
        let source = self.word(None, |_| 0);
        self.bits.push(BitPart { to, source, bits });
    }

    /// Returns a word whose address depends on the viewer.
    fn word(&mut self, during: Option<&During>, address: impl Fn(u32) -> u32) -> WordSource {
        let at = self.addresses.len();
        self.addresses.extend((0..self.players).map(address));
        if self.addresses[at..].iter().all(|address| *address == self.addresses[at]) {
            self.addresses.truncate(at + 1);
        }
        let addresses = (self.addresses.len() - at) as u32;
        WordSource { at: at as u32, addresses, during: during.cloned() }
    }

    /// Adds a value that seats see. Returns the index of the next number.
    fn sight(&mut self, game: &Game, to: u32, sight: &Sight) -> u32 {
        let during = sight.during.as_ref();
        let word = |plan: &mut ObservationPlan, more: u32| {
            plan.word(during, |player| sight.at[player as usize] + more)
        };
        let size = |domain: DomainId| game.model().domains[domain.index()].size;
        let (bits, size) = match sight.kind {
            SightKind::Size { high, words, bits } => {
                for more in 0..words {
                    let source = word(self, more);
                    let scale = 1.0 / high.max(1) as f64;
                    let number = Number { low: 0, scale, bits, more: more > 0, open: more + 1 < words };
                    self.numbers.push(NumberPart { to, source, number });
                }
                return to + 1;
            }
            SightKind::Die { faces } => (Bits::Element { low: 1, size: faces }, faces),
            SightKind::Value(Content::Number { low, high }) => {
                let range = (i128::from(high) - i128::from(low)).max(1) as f64;
                let number = Number { low, scale: 1.0 / range, bits: false, more: false, open: false };
                let source = word(self, 0);
                self.numbers.push(NumberPart { to, source, number });
                return to + 1;
            }
            SightKind::Value(Content::Bool) => (Bits::Word { mask: 1 }, 1),
            SightKind::Value(Content::Element { domain, .. }) if domain == PLAYER => {
                (Bits::Player, self.players)
            }
            SightKind::Value(Content::Set(domain)) if domain == PLAYER => (Bits::Players, self.players),
            SightKind::Value(Content::Element { domain, .. }) => {
                (Bits::Element { low: 0, size: size(domain) }, size(domain))
            }
            SightKind::Value(Content::Set(domain)) => {
                let size = size(domain);
                for more in 0..size.div_ceil(64) {
                    let source = word(self, more);
                    let mask = u64::MAX >> (64 - (size - more * 64).min(64));
                    self.bits.push(BitPart { to: to + more * 64, source, bits: Bits::Word { mask } });
                }
                return to + size;
            }
        };
        let source = word(self, 0);
        self.bits.push(BitPart { to, source, bits });
        to + size
    }
}
