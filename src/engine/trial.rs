//! Options that are carried out on trial before they are legal.
//!
//! Playing, a candidate is drawn, what its body may change is kept, and the body runs on the game's own
//! words: if the condition holds behind it, the game simply goes on; else all goes back and another is
//! drawn. Stopping, every candidate is tried, and what is left is the legal set. Both draw the same
//! words, since a random player that stops also draws among the candidates. A body that fails, fails
//! when its action is taken: on trial it counts as legal. Knows programs, not the language.

use super::effects::{bind, ways_among};
use super::run::run;
use super::tally::{BUDGET, Fault, Stop, Tally};
use crate::board::kernel::nth_bit;
use crate::program::{Block, ChoiceSite, Instruction, Part, Program, SiteKind, SiteRef};
use crate::rng::{Stream, Streams};

/// What all trials for one decision may cost together, in turns of loops.
const TRIALS: u32 = 16 * BUDGET;

/// What is known while a candidate is tried.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Trial {
    /// The candidate: a word of the legal set, and its bit.
    word: usize,
    bit: u32,
    /// The budget before the first trial.
    budget: u32,
    /// What trials may still cost.
    left: u32,
    /// The chooser's stream before the first draw.
    stream: Option<Stream>,
}

/// Where to go on once a candidate has been drawn.
pub(super) enum Drawn {
    /// To a body, whose option is taken.
    Taken(Block),
    /// To a body, on trial.
    Tried(Block),
    /// Nothing is legal. The budget is what it was.
    Nothing(u32),
    /// The trials take too long.
    Exhausted,
}

/// The choice of a site.
pub(super) fn choice_of(program: &Program, site: SiteRef) -> Option<&ChoiceSite> {
    match &program.sites.get(usize::from(site.0))?.kind {
        SiteKind::Choice(choice) => Some(choice),
        _ => None,
    }
}

fn region<'w>(choice: &ChoiceSite, words: &'w mut [u64]) -> &'w mut [u64] {
    &mut words[usize::from(choice.region)..][..usize::from(choice.words)]
}

/// Has a choice a candidate?
#[inline(never)]
pub(super) fn any(program: &Program, site: SiteRef, words: &mut [u64]) -> bool {
    choice_of(program, site).is_some_and(|choice| region(choice, words).iter().any(|w| *w != 0))
}

/// Draws the first candidate.
#[inline(never)]
pub(super) fn begin<const BMI: bool>(
    program: &Program,
    site: SiteRef,
    words: &mut [u64],
    streams: &mut Streams,
    tally: &mut Tally,
    budget: u32,
) -> Drawn {
    tally.trial.budget = budget;
    tally.trial.left = TRIALS;
    tally.trial.stream = None;
    draw::<BMI>(program, site, words, streams, tally)
}

/// Takes a candidate back that is not legal, and draws another.
#[inline(never)]
pub(super) fn again<const BMI: bool>(
    program: &Program,
    site: SiteRef,
    words: &mut [u64],
    streams: &mut Streams,
    tally: &mut Tally,
    budget: u32,
) -> Drawn {
    let Some(choice) = choice_of(program, site) else { return Drawn::Exhausted };
    let (word, bit) = (tally.trial.word, tally.trial.bit);
    let cost = price(program, BUDGET - budget);
    if tally.trial.left <= cost {
        return Drawn::Exhausted;
    }
    tally.trial.left -= cost;
    put_back(part_of(choice, word, bit), words);
    region(choice, words)[word] &= !(1 << bit);
    draw::<BMI>(program, site, words, streams, tally)
}

fn draw<const BMI: bool>(
    program: &Program,
    site: SiteRef,
    words: &mut [u64],
    streams: &mut Streams,
    tally: &mut Tally,
) -> Drawn {
    let Some(choice) = choice_of(program, site) else { return Drawn::Exhausted };
    let stream = streams.seat(words[usize::from(choice.me)] as usize);
    let Some((first, n)) = ways_among(choice, region(choice, words)) else {
        // Nobody chooses, so nobody has drawn.
        if let Some(before) = tally.trial.stream {
            *stream = before;
        }
        return Drawn::Nothing(tally.trial.budget);
    };
    let mut k = 0;
    if n > 1 {
        tally.trial.stream.get_or_insert(*stream);
        k = stream.below(n.into()) as u32;
    }
    let (word, bit) = find::<BMI>(region(choice, words), first, k);
    (tally.trial.word, tally.trial.bit) = (word, bit);
    let part = bind(choice, word, bit, |address, e| words[usize::from(address)] = e.into());
    if part.tried.is_none() {
        tally.option(part.block as usize);
        return Drawn::Taken(part.body);
    }
    keep(part, words);
    Drawn::Tried(part.body)
}

/// Counts the action that was tried and is taken.
#[inline(never)]
pub(super) fn taken(program: &Program, site: SiteRef, tally: &mut Tally) {
    let Some(choice) = choice_of(program, site) else { return };
    let block = part_of(choice, tally.trial.word, tally.trial.bit).block;
    tally.option(block as usize);
}

/// Where the candidate of rank `k` from a word on is.
fn find<const BMI: bool>(candidates: &[u64], first: usize, k: u32) -> (usize, u32) {
    let (mut at, mut k) = (first, k);
    loop {
        let here = candidates[at].count_ones();
        if k < here {
            return (at, nth_bit::<BMI>(candidates[at], k));
        }
        k -= here;
        at += 1;
    }
}

fn part_of(choice: &ChoiceSite, word: usize, bit: u32) -> &Part {
    bind(choice, word, bit, |_, _| {})
}

/// What a trial costs beside its loops: rules that are long cost more.
fn price(program: &Program, loops: u32) -> u32 {
    loops + 1 + (program.code.len() / 128) as u32
}

/// Keeps what a trial may change.
fn keep(part: &Part, words: &mut [u64]) {
    for saved in part.tried.iter().flatten() {
        let (at, to) = (usize::from(saved.words.at), usize::from(saved.to));
        words.copy_within(at..at + usize::from(saved.words.len), to);
    }
}

/// Puts back what a trial may have changed.
fn put_back(part: &Part, words: &mut [u64]) {
    for saved in part.tried.iter().flatten() {
        let (at, to) = (usize::from(saved.words.at), usize::from(saved.to));
        words.copy_within(to..to + usize::from(saved.words.len), at);
    }
}

/// The candidates of a choice where some are not legal.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidates {
    /// All of them, laid out as the legal set.
    all: Vec<u64>,
    /// Those that a random player has not drawn.
    left: Vec<u64>,
}

impl Candidates {
    /// With room for what a program needs.
    pub(super) fn new(program: &Program) -> Self {
        let tried = program.sites.iter().filter_map(|site| match &site.kind {
            SiteKind::Choice(choice) if choice.is_tried() => Some(usize::from(choice.words)),
            _ => None,
        });
        let most = tried.max().unwrap_or(0);
        Candidates { all: Vec::with_capacity(most), left: Vec::with_capacity(most) }
    }

    /// A legal action, drawn as a random player draws it who plays on at once.
    pub(super) fn draw(
        &mut self,
        choice: &ChoiceSite,
        legal: &[u64],
        stream: &mut Stream,
    ) -> Option<(usize, u32)> {
        self.left.clone_from(&self.all);
        loop {
            let (first, n) = ways_among(choice, &self.left)?;
            let k = if n == 1 { 0 } else { stream.below(n.into()) as u32 };
            let (word, bit) = find::<false>(&self.left, first, k);
            if legal[word] >> bit & 1 == 1 {
                return Some((word, bit));
            }
            self.left[word] &= !(1 << bit);
        }
    }

    /// Tries every candidate of the choice that is pending at a site, and leaves in its legal set what
    /// is legal. Returns where play goes on if nothing is.
    pub(super) fn try_out(
        &mut self,
        program: &Program,
        site: SiteRef,
        words: &mut [u64],
        streams: &mut Streams,
        tally: &mut Tally,
    ) -> Result<Option<Block>, Fault> {
        let Some(choice) = choice_of(program, site) else { return Ok(None) };
        self.all.clear();
        self.all.extend_from_slice(region(choice, words));
        let spent = tally.spent;
        let mut left = TRIALS;
        for word in 0..self.all.len() {
            let mut bits = self.all[word];
            while bits != 0 {
                let bit = bits.trailing_zeros();
                bits &= bits - 1;
                let part = bind(choice, word, bit, |address, e| words[usize::from(address)] = e.into());
                if part.tried.is_none() {
                    continue;
                }
                keep(part, words);
                tally.spent = 0;
                let stop = run(program, words, streams, tally, part.body, false);
                put_back(part, words);
                let loops = match stop {
                    Stop::Fault { fault: Fault::Budget, .. } => BUDGET,
                    // What it had looped until then is not told.
                    Stop::Fault { .. } => BUDGET / 64,
                    _ => tally.spent,
                };
                if stop == Stop::Failed {
                    region(choice, words)[word] &= !(1 << bit);
                }
                let cost = price(program, loops);
                if left <= cost {
                    return Err(Fault::Budget);
                }
                left -= cost;
            }
        }
        tally.spent = spent;
        if region(choice, words).iter().any(|w| *w != 0) {
            return Ok(None);
        }
        match program.code.get(usize::from(program.sites[usize::from(site.0)].at.0)) {
            Some(Instruction::ChooseTried { to, .. }) => Ok(Some(*to)),
            _ => Ok(None),
        }
    }
}
