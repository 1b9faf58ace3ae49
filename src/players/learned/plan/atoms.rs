//! Atoms: the features of a state besides its boards. An atom has one of a few values, its *facts*. Every fact has
//! a weight, and so has every pair of facts.

use std::collections::BTreeMap;

use super::boards::{Boards, seen};
use super::sample::Sample;
use super::{Scratch, WeightAllocator, lead};
use houserule_game::Game;
use houserule_game::many::{RolledDice, Trials};
use houserule_game::observe::{During, Sight, SightKind, sights};
use houserule_model::{Content, DomainKind, Model, PLAYER, SlotId};

/// Maximum number of facts of a number. Larger ranges are binned.
const MOST_STEPS: u32 = 24;

/// Largest lead that is told apart, in either direction. Larger leads are clamped.
const MOST_LEAD: i64 = 40;

/// Maximum size of a domain whose elements are told apart. Values of larger domains are no atoms.
const MOST_ELEMENTS: u32 = 64;

/// Maximum number of facts for which pairs have weights, and maximum number of facts of a throw of several dice.
const MOST_PAIRED: usize = 1500;
const MOST_THROWS: usize = 1000;

/// Number of pairs whose weights are written at once.
const CHUNK: usize = 8;

/// Maximum size of the table that maps counts of faces to throws, in entries.
const MOST_COUNTS: usize = 1 << 20;

/// The atoms of a game.
#[derive(Debug)]
pub(super) struct Atoms {
    pub(super) atoms: Vec<Atom>,
    /// The number of facts.
    facts: usize,
    /// The first weight of single facts, and of pairs if they have weights.
    single: usize,
    pairs: Option<usize>,
}

/// An atom.
#[derive(Debug)]
pub(super) struct Atom {
    source: AtomSource,
    during: Option<During>,
    /// The first of its facts.
    first: u32,
    /// The number of its facts.
    facts: u32,
}

#[derive(Debug)]
enum AtomSource {
    /// A number, one of `values` from `low` on.
    Number { at: Vec<u32>, low: i64, values: u32 },
    /// An element; fact 0 is `none`.
    Element { at: Vec<u32>, size: u32 },
    /// A player, counted from the seat; fact 0 is nobody.
    Player { at: Vec<u32> },
    /// A set, one fact for each element.
    Elements { at: Vec<u32> },
    /// A set of players, counted from the seat.
    Players { at: Vec<u32> },
    /// The size of a zone.
    Size { at: Vec<u32>, words: u32, bits: bool, high: u32 },
    /// The number of elements that a set shares with `mask`.
    Some { at: Vec<u32>, mask: u64 },
    /// The faces of a group of dice as a multiset. A die that is about to be rolled counts as face 0.
    Throw { at: Vec<Vec<u32>>, faces: u32, throws: Vec<u16> },
    /// The number of dice of a group that show a face.
    Face { at: Vec<Vec<u32>>, face: u64 },
    /// The number of occupied sites of a board.
    Filled { first: usize, sites: usize },
    /// The seat's lead.
    Lead,
    /// The stop point where the rules wait.
    Site,
}

/// The facts of the last state, and the weights of each of them and of its pairs with the facts before it.
#[derive(Clone, Debug, Default)]
pub(super) struct PairedFacts {
    /// The first weight of single facts.
    single: u32,
    facts: Vec<u32>,
    weights: Vec<u32>,
}

/// A number for grids: the index of its atom, and the number of its values.
pub(super) struct Dense {
    pub(super) atom: usize,
    pub(super) values: u32,
}

impl Atoms {
    pub(super) fn new(
        game: &Game,
        boards: &Boards,
        sample: &Sample,
        copies: usize,
        layout: &mut WeightAllocator,
    ) -> Atoms {
        let model = game.model();
        let mut atoms = Atoms { atoms: vec![], facts: 0, single: 0, pairs: None };
        let mut dice: BTreeMap<(SlotId, Vec<u32>), Vec<Sight>> = BTreeMap::new();
        for sight in sights(game) {
            if Boards::holds(model, &sight) {
                continue;
            }
            match (sight.kind, sight.slot) {
                (SightKind::Die { .. }, Some(slot)) => {
                    let family = sight.place[..sight.place.len().saturating_sub(1)].to_vec();
                    dice.entry((slot, family)).or_default().push(sight);
                }
                _ => atoms.sight(model, sample, sight),
            }
        }
        let fleeting = houserule_model::fleeting_dice(model);
        for ((slot, _), dice) in dice {
            if !fleeting.contains(&slot) {
                atoms.dice(&dice);
            }
        }
        for board in &boards.boards {
            let source = AtomSource::Filled { first: board.first, sites: board.sites };
            atoms.push(source, None, (board.sites as u32 + 1).min(20));
        }
        if sample.sees_scores && game.players() > 1 {
            atoms.push(AtomSource::Lead, None, 2 * MOST_LEAD as u32 + 1);
        }
        atoms.push(AtomSource::Site, None, game.program().stops.len() as u32 + 1);
        atoms.single = layout.take(copies * atoms.facts);
        let pairs = copies * atoms.facts * atoms.facts;
        if atoms.facts <= MOST_PAIRED && pairs <= layout.left() {
            atoms.pairs = Some(layout.take(pairs));
        }
        atoms
    }

    fn push(&mut self, source: AtomSource, during: Option<During>, facts: u32) {
        self.atoms.push(Atom { source, during, first: self.facts as u32, facts });
        self.facts += facts as usize;
    }

    /// Adds the atom of a visible value, or several for a set.
    fn sight(&mut self, model: &Model, sample: &Sample, sight: Sight) {
        let Sight { at, during, kind, .. } = sight;
        let size = |domain: houserule_model::DomainId| model.domains[domain.index()].size;
        match kind {
            SightKind::Value(Content::Number { low, high }) => {
                let (low, high) = match high.checked_sub(low) {
                    Some(range) if range < 2000 => (low, high),
                    _ => met(sample, &at),
                };
                let values =
                    u32::try_from(high.saturating_sub(low)).unwrap_or(u32::MAX - 1).saturating_add(1);
                if values > 1 {
                    self.push(AtomSource::Number { at, low, values }, during, values.min(MOST_STEPS));
                }
            }
            SightKind::Value(Content::Bool) => {
                self.push(AtomSource::Number { at, low: 0, values: 2 }, during, 2)
            }
            SightKind::Value(Content::Element { domain, .. }) if domain == PLAYER => {
                self.push(AtomSource::Player { at }, during, model.players.count + 1);
            }
            SightKind::Value(Content::Set(domain)) if domain == PLAYER => {
                self.push(AtomSource::Players { at }, during, model.players.count);
            }
            SightKind::Value(Content::Element { domain, .. }) if size(domain) <= MOST_ELEMENTS => {
                self.push(AtomSource::Element { at, size: size(domain) }, during, size(domain) + 1);
            }
            SightKind::Value(Content::Set(domain)) if size(domain) <= MOST_ELEMENTS => {
                let size = size(domain);
                if let DomainKind::Record { fields, .. } = &model.domains[domain.index()].kind {
                    let mut values: Vec<i64> =
                        fields.iter().flat_map(|field| field.values.iter().copied().flatten()).collect();
                    values.sort_unstable();
                    values.dedup();
                    for value in values {
                        let has = |e: &u32| fields.iter().any(|field| field.value(*e) == Some(value));
                        let mask = (0..size).filter(has).fold(0u64, |mask, e| mask | 1 << e);
                        let facts = mask.count_ones().min(8) + 1;
                        self.push(AtomSource::Some { at: at.clone(), mask }, during.clone(), facts);
                    }
                }
                self.push(AtomSource::Elements { at }, during, size);
            }
            SightKind::Size { high, words, bits } => {
                let high = u32::try_from(high).unwrap_or(u32::MAX - 1);
                self.push(AtomSource::Size { at, words, bits, high }, during, (high + 1).min(MOST_STEPS));
            }
            SightKind::Value(_) | SightKind::Die { .. } => {}
        }
    }

    /// Adds the atoms of a group of dice.
    fn dice(&mut self, dice: &[Sight]) {
        let SightKind::Die { faces } = dice[0].kind else { return };
        let seats = dice[0].at.len();
        let at: Vec<Vec<u32>> =
            (0..seats).map(|seat| dice.iter().map(|die| die.at[seat]).collect()).collect();
        let during = dice[0].during.clone();
        if let Some((throws, number)) = throws(dice.len(), faces) {
            self.push(AtomSource::Throw { at: at.clone(), faces, throws }, during.clone(), number);
        }
        if dice.len() > 1 {
            for face in 0..=u64::from(faces.min(MOST_STEPS)) {
                self.push(AtomSource::Face { at: at.clone(), face }, during.clone(), dice.len() as u32 + 1);
            }
        }
    }

    /// The numbers for grids.
    pub(super) fn dense(&self) -> Vec<Dense> {
        let dense = |(atom, it): (usize, &Atom)| match it.source {
            AtomSource::Number { values, .. } => Some(Dense { atom, values }),
            _ => None,
        };
        self.atoms.iter().enumerate().filter_map(dense).collect()
    }

    /// Writes the facts of a state as a seat sees it, and the value of each number, to `scratch`.
    pub(super) fn write_facts(
        &self,
        trials: &Trials,
        i: usize,
        seat: usize,
        site: Option<usize>,
        scratch: &mut Scratch,
    ) {
        let Scratch { tuples, values, on, worths, .. } = scratch;
        let (words, rolled) = (trials.words(i), trials.rolled(i));
        on.clear();
        values.resize(self.atoms.len(), 0);
        for (value, atom) in values.iter_mut().zip(&self.atoms) {
            *value = 0;
            if !seen(&atom.during, site, seat) {
                continue;
            }
            let word = |at: &[u32]| words[at[seat] as usize];
            // Maps a number below `of` to at most `atom.facts` bins.
            let step = |number: u32, of: u32| match of <= atom.facts {
                true => number,
                false => (u64::from(number) * u64::from(atom.facts) / u64::from(of)) as u32,
            };
            let fact = match &atom.source {
                AtomSource::Number { at, low, values } => {
                    *value = (word(at) as i64).saturating_sub(*low).clamp(0, i64::from(values - 1)) as u32;
                    step(*value, *values)
                }
                AtomSource::Element { at, size } => element(word(at), *size),
                AtomSource::Player { at } => {
                    let players = atom.facts - 1;
                    match word(at) {
                        player if player < u64::from(players) => {
                            1 + (player as u32 + players - seat as u32) % players
                        }
                        _ => 0,
                    }
                }
                AtomSource::Elements { at } => {
                    each(word(at), |e| on.push(atom.first + e));
                    continue;
                }
                AtomSource::Players { at } => {
                    let players = atom.facts;
                    each(word(at), |e| on.push(atom.first + (e + players - seat as u32) % players));
                    continue;
                }
                AtomSource::Size { at, words: more, bits, high } => {
                    let all = &words[at[seat] as usize..][..*more as usize];
                    let size: u64 = match bits {
                        true => all.iter().map(|word| u64::from(word.count_ones())).sum(),
                        false => all.iter().sum(),
                    };
                    step(size.min((*high).into()) as u32, high + 1)
                }
                AtomSource::Some { at, mask } => (word(at) & mask).count_ones().min(atom.facts - 1),
                AtomSource::Throw { at, faces, throws } => {
                    let (dice, mut counts) = (&at[seat], 0);
                    for die in dice {
                        let face = face(words, rolled, *die).min((*faces).into()) as u32;
                        counts += (dice.len() + 1).pow(face);
                    }
                    u32::from(throws[counts])
                }
                AtomSource::Face { at, face } => {
                    let mut count = 0;
                    for die in &at[seat] {
                        count += u32::from(self::face(words, rolled, *die) == *face);
                    }
                    count
                }
                AtomSource::Filled { first, sites } => {
                    step(filled(&tuples[seat].codes()[*first..first + sites]), *sites as u32 + 1)
                }
                AtomSource::Lead => {
                    (lead(worths, seat) as i64).clamp(-MOST_LEAD, MOST_LEAD).abs_diff(-MOST_LEAD) as u32
                }
                AtomSource::Site => site.map_or(0, |site| site as u32 + 1),
            };
            on.push(atom.first + fact);
        }
    }

    /// Appends the weights of the facts `on` and of their pairs to `out`. Only rows from the first fact on that `last` lacks
    /// are written again: states that follow one decision share most facts. Leaves `on` with other facts.
    pub(super) fn append_weights(
        &self,
        copy: usize,
        on: &mut Vec<u32>,
        last: &mut PairedFacts,
        out: &mut Vec<u32>,
    ) {
        let single = (self.single + copy * self.facts) as u32;
        let Some(pairs) = self.pairs else { return out.extend(on.iter().map(|fact| single + fact)) };
        let pairs = pairs + copy * self.facts * self.facts;
        let (facts, known) = (on.len(), last.facts.len().min(on.len()));
        let mut first = 0;
        while last.single == single && first < known && on[first] == last.facts[first] {
            first += 1;
        }
        // Pairs are written in whole chunks, which is faster; the next fact's weights replace what is too much.
        on.resize(facts.next_multiple_of(CHUNK), 0);
        let end = facts * (facts + 1) / 2;
        if last.weights.len() < end + CHUNK {
            last.weights.resize(end + CHUNK, 0);
        }
        let mut at = first * (first + 1) / 2;
        for k in first..facts {
            last.weights[at] = single + on[k];
            let row = (pairs + on[k] as usize * self.facts) as u32;
            let (into, mut other) = (&mut last.weights[at + 1..], 0);
            while other < k {
                let (Some(into), Some(others)) = (into[other..].first_chunk_mut(), on[other..].first_chunk())
                else {
                    break;
                };
                let mut weights: [u32; CHUNK] = *others;
                for weight in &mut weights {
                    *weight += row;
                }
                *into = weights;
                other += CHUNK;
            }
            at += 1 + k;
        }
        on.truncate(facts);
        out.extend_from_slice(&last.weights[..end]);
        last.single = single;
        std::mem::swap(on, &mut last.facts);
    }
}

/// The number of codes that aren't 0.
fn filled(codes: &[u8]) -> u32 {
    let mut filled = 0;
    // Sums of bytes are fast, and those of 255 bytes fit in one.
    for codes in codes.chunks(255) {
        let mut some = 0u8;
        for code in codes {
            some += u8::from(*code != 0);
        }
        filled += u32::from(some);
    }
    filled
}

fn element(word: u64, size: u32) -> u32 {
    if word < u64::from(size) { word as u32 + 1 } else { 0 }
}

/// The face of a die, or 0 if it is about to be rolled.
#[inline(always)]
fn face(words: &[u64], rolled: RolledDice, die: u32) -> u64 {
    if rolled.has(die) { 0 } else { words[die as usize] }
}

fn each(mut word: u64, mut tell: impl FnMut(u32)) {
    while word != 0 {
        tell(word.trailing_zeros());
        word &= word - 1;
    }
}

/// The range of a number in the sample, widened by half its width on either side.
fn met(sample: &Sample, at: &[u32]) -> (i64, i64) {
    let ranges =
        at.iter().filter_map(|at| sample.numbers.get(*at as usize)).filter(|range| range.0 <= range.1);
    let (low, high) =
        ranges.fold((i64::MAX, i64::MIN), |all, range| (all.0.min(range.0), all.1.max(range.1)));
    if low > high {
        return (0, 0);
    }
    let more = high.saturating_sub(low) / 2;
    (low.saturating_sub(more), high.saturating_add(more))
}

/// Returns the index of the throw for counts of each face from 0, each count a digit, and the number of throws.
/// Returns `None` if there are too many.
fn throws(dice: usize, faces: u32) -> Option<(Vec<u16>, u32)> {
    let base = dice + 1;
    let words = (0..=faces).try_fold(1usize, |words, _| words.checked_mul(base))?;
    if words > MOST_COUNTS {
        return None;
    }
    let (mut throws, mut number) = (vec![0; words], 0u32);
    for (counts, throw) in throws.iter_mut().enumerate() {
        let (mut rest, mut all) = (counts, 0);
        while rest > 0 {
            all += rest % base;
            rest /= base;
        }
        if all == dice {
            *throw = number as u16;
            number += 1;
        }
    }
    (number as usize <= MOST_THROWS).then_some((throws, number))
}
