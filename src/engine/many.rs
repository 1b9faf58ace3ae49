//! Many games of one kind side by side, each as small as it can be: its words, its chance and how many
//! decisions it has had. There are no histories and no counts; what a game needs while it runs is shared.
//!
//! Knows how games go on, never who plays them or what for.

mod apply;
mod playout;
mod trials;

use std::ops::Range;
use std::sync::Arc;

pub(crate) use apply::{Came, Taken};
pub(crate) use playout::Playout;
pub(crate) use trials::Trials;

use super::candidates::Candidates;
use super::game::Game;
use super::machine::Kind;
use super::observation::{Few, bits_to_bytes, unsigned};
use super::outcome::{end_of, winners};
use super::past::Past;
use super::run::{Steps, run};
use super::sites::{Move, Site};
use super::snapshot::{Reader, SnapshotError, Writer, check_words, pasts_of};
use super::state::State;
use super::state::score_in;
use super::tally::{Fault, Stop, Tally};
use super::{ActionId, RuntimeError, Start};
use crate::board::kernel::nth_bit;
use crate::program::{Block, OVER, PENDING, Program, SiteKind, SiteRef};
use crate::rng::{Stream, Streams};

/// Runs of the interpreter before a program is compiled: they take about as long as compiling does.
const PATIENCE: u32 = 5_000;

/// Games side by side, by number from 0.
pub(crate) struct Many {
    game: Game,
    tables: Arc<Tables>,
    /// Words of a frame.
    frame: usize,
    words: Vec<u64>,
    chance: Vec<Stream>,
    decisions: Vec<u64>,
    /// By game; empty if the rules never ask for `repeated`.
    pasts: Vec<Vec<Past>>,
    streams: Streams,
    tally: Tally,
    candidates: Candidates,
    /// Runs until compiled code is worth its making; then 0.
    patience: u32,
}

/// Why an action was not taken, or not to its end.
pub(crate) enum Refused {
    /// It is not legal, or nothing is to be decided.
    Illegal,
    /// The rules went wrong.
    Failed(Box<RuntimeError>),
}

impl From<Box<RuntimeError>> for Refused {
    fn from(error: Box<RuntimeError>) -> Self {
        Refused::Failed(error)
    }
}

/// What is the same for all games of a kind.
struct Tables {
    /// By site; none for chance.
    sites: Vec<Option<Site>>,
    /// The words of a game that has just begun, up to where chance comes in.
    start: Vec<u64>,
    /// Where a game goes on from there; none if a decision is pending or it is over.
    go_on: Option<Block>,
    /// By site: its moves by action number; none at all where games can't be stepped together.
    moves: Option<Vec<Vec<Move>>>,
    /// The words that the scores are made of; none if they are made of more than words, or of many.
    scored: Option<Vec<u16>>,
}

impl Tables {
    fn new(game: &Game) -> Tables {
        let program = game.program();
        let site = |site: &crate::program::Site| match &site.kind {
            SiteKind::Choice(choice) => Some(Site::new(game, choice)),
            _ => None,
        };
        let sites: Vec<Option<Site>> = program.sites.iter().map(site).collect();
        let mut tables = Tables {
            moves: moves(game, &sites),
            sites,
            start: game.first_frame(),
            go_on: Some(program.start),
            scored: apply::scored(program),
        };
        // The past is noted on the way, so such games begin at the beginning.
        if program.pasts.is_empty() {
            tables.run_ahead(program);
        }
        tables
    }

    /// Runs from the start up to where chance or a player comes in: that is the same for every game.
    fn run_ahead(&mut self, program: &Program) {
        let mut words = self.start.clone();
        let mut tally = Tally::default();
        match run(program, &mut words, &mut Streams::new(0, 0, 0), &mut tally, program.start, false) {
            Stop::Pending => {
                let number = words[usize::from(PENDING)] as usize - 1;
                self.go_on = match &self.sites[number] {
                    Some(site) if !site.tried => None,
                    _ => Some(program.sites[number].entry),
                };
                self.start = words;
            }
            Stop::Over => (self.start, self.go_on) = (words, None),
            // What goes wrong goes wrong in every game, and says so there.
            _ => {}
        }
    }
}

/// The moves of every site, where nothing is tried and no position is looked back at.
fn moves(game: &Game, sites: &[Option<Site>]) -> Option<Vec<Vec<Move>>> {
    if !game.program().pasts.is_empty() || sites.iter().flatten().any(|site| site.tried) {
        return None;
    }
    let of_site = |site: &Option<Site>| match site {
        Some(site) => site.moves(game.actions()),
        None => Some(vec![]),
    };
    sites.iter().map(of_site).collect()
}

impl Many {
    /// As many games, none of which has begun.
    pub(crate) fn new(game: &Game, games: usize) -> Many {
        Many::with_tables(game, Arc::new(Tables::new(game)), games)
    }

    /// More games of the same kind; what does not change is shared.
    pub(crate) fn more(&self, games: usize) -> Many {
        Many::with_tables(&self.game, Arc::clone(&self.tables), games)
    }

    fn with_tables(game: &Game, tables: Arc<Tables>, games: usize) -> Many {
        let program = game.program();
        let frame = program.frame as usize;
        let pasts = || program.pasts.iter().map(Past::small).collect();
        Many {
            frame,
            words: tables.start.iter().copied().cycle().take(frame * games).collect(),
            chance: vec![Stream::from_words([0; 4]); games],
            decisions: vec![0; games],
            pasts: if program.pasts.is_empty() { vec![] } else { (0..games).map(|_| pasts()).collect() },
            streams: Streams::new(0, 0, 0),
            tally: Tally { draws_chance: true, ..Tally::default() },
            candidates: Candidates::new(program),
            // Code that has been made is worth its making.
            patience: if game.machine_if_made(Kind::Steps).is_some() { 0 } else { PATIENCE },
            game: game.clone(),
            tables,
        }
    }

    /// Bytes that one game takes, but for the positions that `repeated` looks at.
    pub(crate) fn bytes_each(&self) -> usize {
        8 * self.frame + size_of::<Stream>() + size_of::<u64>()
    }

    /// Begins game `index` of a run.
    #[inline(always)]
    pub(crate) fn start(&mut self, i: usize, seed: u64, index: u64) -> Result<(), Box<RuntimeError>> {
        let kept = self.game.program().live as usize;
        self.words[i * self.frame..][..kept].copy_from_slice(&self.tables.start[..kept]);
        self.decisions[i] = 0;
        if self.game.program().uses_chance {
            self.chance[i] = Stream::new(seed, index, 0);
        }
        if let Some(pasts) = self.pasts.get_mut(i) {
            pasts.iter_mut().for_each(Past::clear);
        }
        match self.tables.go_on {
            Some(at) => self.go_on(i, at),
            None => Ok(()),
        }
    }

    #[inline(always)]
    fn frame(&self, i: usize) -> &[u64] {
        &self.words[i * self.frame..][..self.frame]
    }

    fn frame_mut(&mut self, i: usize) -> &mut [u64] {
        &mut self.words[i * self.frame..][..self.frame]
    }

    #[inline(always)]
    fn site(&self, i: usize) -> Option<&Site> {
        match self.frame(i)[usize::from(PENDING)] {
            0 | OVER => None,
            site => self.tables.sites[site as usize - 1].as_ref(),
        }
    }

    #[inline(always)]
    fn region<'a>(&'a self, i: usize, site: &Site) -> &'a [u64] {
        &self.frame(i)[site.region..][..site.words]
    }

    /// Is anybody to decide?
    #[inline(always)]
    pub(crate) fn is_waiting(&self, i: usize) -> bool {
        !matches!(self.frame(i)[usize::from(PENDING)], 0 | OVER)
    }

    /// Is a game over?
    #[inline(always)]
    pub(crate) fn is_over(&self, i: usize) -> bool {
        self.frame(i)[usize::from(PENDING)] == OVER
    }

    /// Who has to decide.
    #[inline(always)]
    pub(crate) fn current_player(&self, i: usize) -> Option<u32> {
        self.site(i).map(|site| self.frame(i)[site.me] as u32)
    }

    /// Makes a game a copy of another, with the chance that it has itself.
    #[inline]
    pub(crate) fn copy(&mut self, from: usize, to: usize) {
        let Many { frame, words, decisions, pasts, .. } = self;
        words.copy_within(from * *frame..(from + 1) * *frame, to * *frame);
        decisions[to] = decisions[from];
        if !pasts.is_empty() {
            let mut past = std::mem::take(&mut pasts[to]);
            past.clone_from(&pasts[from]);
            pasts[to] = past;
        }
    }

    /// Ends a game without an outcome: nothing is pending any more.
    pub(crate) fn stop(&mut self, i: usize) {
        self.frame_mut(i)[usize::from(PENDING)] = 0;
    }

    /// How many actions are legal.
    #[inline(always)]
    pub(crate) fn legal_count(&self, i: usize) -> u32 {
        self.site(i).map_or(0, |site| self.region(i, site).iter().map(|word| word.count_ones()).sum())
    }

    /// Is an action legal?
    #[inline(always)]
    pub(crate) fn is_legal(&self, i: usize, action: u32) -> bool {
        self.site(i).is_some_and(|site| {
            site.place_of(action).is_some_and(|(_, word, bit)| self.region(i, site)[word] >> bit & 1 == 1)
        })
    }

    /// Every legal action, ascending.
    pub(crate) fn legal_actions(&self, i: usize) -> Vec<ActionId> {
        let mut actions = vec![];
        self.for_each_legal(i, |action| actions.push(ActionId(action)));
        actions.sort_unstable();
        actions
    }

    /// Tells every legal action, in the order of the legal set.
    #[inline(always)]
    fn for_each_legal(&self, i: usize, mut tell: impl FnMut(u32)) {
        let Some(site) = self.site(i) else { return };
        for (at, word) in self.region(i, site).iter().enumerate() {
            let mut word = *word;
            while word != 0 {
                tell(site.action_at(at, word.trailing_zeros()));
                word &= word - 1;
            }
        }
    }

    /// Takes an action, and goes on to the next decision. Tells in `actor` whose it was, if anybody's.
    #[inline(always)]
    pub(crate) fn apply(&mut self, i: usize, action: u32, actor: &mut u32) -> Result<(), Refused> {
        let frame = &mut self.words[i * self.frame..][..self.frame];
        let number = match frame[usize::from(PENDING)] {
            0 | OVER => return Err(Refused::Illegal),
            site => site as usize - 1,
        };
        let Some(site) = &self.tables.sites[number] else { return Err(Refused::Illegal) };
        *actor = frame[site.me] as u32;
        let Some((part, word, bit)) = site.place_of(action) else { return Err(Refused::Illegal) };
        if frame[site.region + word] >> bit & 1 == 0 {
            return Err(Refused::Illegal);
        }
        part.bind(action, |_, address, element| frame[usize::from(address)] = element.into());
        let body = part.body;
        self.decisions[i] += 1;
        let program = self.game.program();
        if self.decisions[i] > program.limit {
            return Err(self.failed(program.sites[number].at.0.into(), Fault::Limit, 0).into());
        }
        Ok(self.go_on(i, body)?)
    }

    /// Runs a game on to the next decision.
    #[inline(always)]
    fn go_on(&mut self, i: usize, at: Block) -> Result<(), Box<RuntimeError>> {
        let program = self.game.program();
        let words = &mut self.words[i * self.frame..][..self.frame];
        let (streams, tally) = (&mut self.streams, &mut self.tally);
        if program.uses_chance {
            streams.chance = self.chance[i];
        }
        if let Some(pasts) = self.pasts.get_mut(i) {
            std::mem::swap(pasts, &mut tally.pasts);
        }
        tally.spent = 0;
        let steps = if self.patience == 0 {
            Steps::compiled(&self.game)
        } else {
            self.patience -= 1;
            Steps::of(&self.game)
        };
        let mut at = at;
        let stopped = loop {
            match steps.run(words, streams, tally, at) {
                Stop::Pending => {
                    let site = words[usize::from(PENDING)] as usize - 1;
                    if !self.tables.sites[site].as_ref().is_some_and(|site| site.tried) {
                        break Ok(());
                    }
                    match self.candidates.try_out(steps, SiteRef(site as u16), words, streams, tally) {
                        Ok(None) => break Ok(()),
                        Ok(Some(next)) => at = next,
                        Err(fault) => break Err((program.sites[site].at.0.into(), fault, 0)),
                    }
                }
                // What is taken now has been tried before.
                Stop::Kept(next) => at = Block(next),
                Stop::Fault { at, fault, value } => break Err((at, fault, value)),
                _ => break Ok(()),
            }
        };
        if program.uses_chance {
            self.chance[i] = streams.chance;
        }
        if let Some(pasts) = self.pasts.get_mut(i) {
            std::mem::swap(pasts, &mut tally.pasts);
        }
        match stopped {
            Ok(()) => Ok(()),
            Err((at, fault, value)) => Err(self.failed(at, fault, value)),
        }
    }

    #[cold]
    #[inline(never)]
    fn failed(&self, at: u32, fault: Fault, value: i64) -> Box<RuntimeError> {
        Box::new(self.game.error(at, fault, value, &self.tally))
    }

    /// One of the legal actions, all with the same chance; a single one draws nothing.
    #[inline(always)]
    pub(crate) fn any_action<const BMI: bool>(&self, i: usize, stream: &mut Stream) -> Option<u32> {
        let site = self.site(i)?;
        draw::<BMI>(site, self.region(i, site), 0, stream)
    }

    /// What a random player takes, who draws as it does in every other place.
    #[inline(always)]
    pub(crate) fn random_action<const BMI: bool>(&mut self, i: usize, stream: &mut Stream) -> Option<u32> {
        let number = match self.frame(i)[usize::from(PENDING)] {
            0 | OVER => return None,
            site => site as usize - 1,
        };
        let site = self.tables.sites[number].as_ref()?;
        let legal = &self.words[i * self.frame + site.region..][..site.words];
        if site.tried {
            let (word, bit) = self.candidates.draw(&site.choice, legal, stream)?;
            return Some(site.action_at(word, bit));
        }
        let (ordinary, _) = legal.split_at(site.random_words);
        match ordinary.iter().all(|word| *word == 0) {
            true => draw::<BMI>(site, legal, site.random_words, stream),
            false => draw::<BMI>(site, ordinary, 0, stream),
        }
    }

    /// Works out the scores of a game; [`Many::score`] and [`Many::winners`] tell them.
    #[inline(always)]
    pub(crate) fn work_out_scores(&mut self, i: usize) -> Result<(), Box<RuntimeError>> {
        let program = self.game.program();
        let Some(score) = program.score else { return Ok(()) };
        let words = &mut self.words[i * self.frame..][..self.frame];
        self.tally.spent = 0;
        match Steps::of(&self.game).run(words, &mut self.streams, &mut self.tally, score) {
            Stop::Fault { at, fault, value } => Err(self.failed(at, fault, value)),
            _ => Ok(()),
        }
    }

    /// A player's score as last worked out.
    #[inline(always)]
    pub(crate) fn score(&self, i: usize, player: u32) -> i64 {
        score_in(self.game.program(), self.frame(i), player)
    }

    /// Who shares the win of a finished game, a bit for each player; the scores have been worked out.
    #[inline(always)]
    pub(crate) fn winners(&self, i: usize) -> u32 {
        winners(self.game.program(), self.frame(i))
    }

    /// Which end decided a game that is over: see [`Outcome::end`](super::Outcome::end).
    #[inline(always)]
    pub(crate) fn end(&self, i: usize) -> u16 {
        // The program has no more ends than fit.
        end_of(self.frame(i)) as u16
    }

    /// The words of games that follow one another.
    #[inline(always)]
    fn frames(&self, games: &Range<usize>) -> &[u64] {
        &self.words[games.start * self.frame..games.end * self.frame]
    }

    /// Finds out what is pending in games that follow one another.
    #[inline(always)]
    pub(crate) fn look(&self, games: &Range<usize>, few: &mut Few) {
        self.game.observation_plan().look(self.frames(games), few);
    }

    /// Writes what the viewers see in games that were looked at. What is behind in `out` may be written over.
    #[inline(always)]
    pub(crate) fn observe(&self, games: &Range<usize>, few: &mut Few, out: &mut [f32]) {
        self.game.observation_plan().write(self.frames(games), few, out);
    }

    /// The same in bytes: see [`Dtype::Uint8`](super::observation::Dtype::Uint8).
    #[inline(always)]
    pub(crate) fn observe_bytes<const BMI: bool>(&self, games: &Range<usize>, few: &mut Few, out: &mut [u8]) {
        self.game.observation_plan().write_bytes::<BMI>(self.frames(games), few, out);
    }

    /// The same in bits: see [`Dtype::Bits`](super::observation::Dtype::Bits).
    #[inline(always)]
    pub(crate) fn observe_packed(&self, games: &Range<usize>, few: &mut Few, out: &mut [u8]) {
        self.game.observation_plan().write_packed(self.frames(games), few, out);
    }

    /// Writes 1 for every legal action of games that were looked at, and 0 for all others. What is behind in
    /// `out` may be written over.
    #[inline(always)]
    pub(crate) fn write_masks<const BMI: bool>(&self, games: &Range<usize>, few: &mut Few, out: &mut [i8]) {
        let actions = self.game.actions() as usize;
        if actions <= 64 {
            for game in 0..few.sites().len() {
                let mut row = 0;
                if let Some(Some(site)) = self.tables.sites.get(few.sites()[game] as usize) {
                    for (action, _, bits) in site.legal(self.frame(games.start + game)) {
                        row |= bits << action;
                    }
                }
                bits_to_bytes::<BMI>(|_| row, actions, unsigned(&mut out[game * actions..]));
            }
            return;
        }
        few.clear_rows(actions);
        for game in 0..few.sites().len() {
            if let Some(Some(site)) = self.tables.sites.get(few.sites()[game] as usize) {
                for (action, _, bits) in site.legal(self.frame(games.start + game)) {
                    few.put(game, action, bits);
                }
            }
        }
        few.write_bytes::<BMI>(actions, unsigned(out));
    }

    /// Writes 1 for every legal action of one game, and 0 for all others.
    pub(crate) fn write_mask(&self, i: usize, out: &mut [i8]) {
        out.fill(0);
        let Some(site) = self.site(i) else { return };
        for (action, count, bits) in site.legal(self.frame(i)) {
            let out = &mut out[action as usize..][..count as usize];
            bits_to_bytes::<false>(|_| bits, count as usize, unsigned(out));
        }
    }

    /// Makes a state of a game, but for the history and the counts. The state is one of the same game.
    pub(crate) fn store(&mut self, i: usize, state: &mut State) {
        state.words.copy_from_slice(self.frame(i));
        state.streams.chance = self.chance[i];
        state.tally.decisions = self.decisions[i];
        if let Some(pasts) = self.pasts.get(i) {
            state.tally.pasts.clone_from(pasts);
        }
        std::mem::swap(&mut state.candidates, &mut self.candidates);
    }

    /// Gives back what [`Many::store`] has lent.
    pub(crate) fn give_back(&mut self, state: &mut State) {
        std::mem::swap(&mut state.candidates, &mut self.candidates);
    }

    /// Makes a state a game.
    pub(crate) fn load(&mut self, i: usize, state: &State) {
        self.frame_mut(i).copy_from_slice(&state.words);
        self.chance[i] = state.streams.chance;
        self.decisions[i] = state.tally.decisions;
        if let Some(pasts) = self.pasts.get_mut(i) {
            pasts.clone_from(&state.tally.pasts);
        }
        self.candidates.clone_from(&state.candidates);
    }

    /// Saves a game.
    pub(crate) fn write(&self, i: usize, out: &mut Writer) {
        let persistent = self.game.program().persistent as usize;
        out.list(self.frame(i)[..persistent].iter().copied());
        out.words(&self.chance[i].to_words());
        out.word(self.decisions[i]);
        self.pasts.get(i).into_iter().flatten().for_each(|past| out.past(&past.to_parts()));
    }

    /// Goes on from a game that was saved. If that fails, the game is as it was.
    pub(crate) fn read(&mut self, i: usize, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        let program = self.game.program();
        let words = from.list()?;
        if words.len() != program.persistent as usize {
            return Err(SnapshotError::OtherGame);
        }
        check_words(&self.game, &words)?;
        let mut state = self.game.unstarted(&Start::default());
        state.words[..words.len()].copy_from_slice(&words);
        let chance = from.stream()?;
        state.tally.decisions = from.word()?;
        if state.tally.decisions > program.limit.saturating_add(1) {
            return Err(SnapshotError::Damaged);
        }
        let pasts: Result<Vec<_>, _> = program.pasts.iter().map(|_| from.past()).collect();
        // What is legal may depend on what was there before.
        state.tally.pasts = pasts_of(program, &pasts?)?;
        state.derive();
        state.streams.chance = chance;
        self.load(i, &state);
        Ok(())
    }
}

/// One of the bits of a legal set from a word on, all with the same chance, as an action.
#[inline(always)]
fn draw<const BMI: bool>(site: &Site, legal: &[u64], first: usize, stream: &mut Stream) -> Option<u32> {
    if let [word] = legal {
        let n = word.count_ones();
        if n == 0 {
            return None;
        }
        let k = stream.below_if(n > 1, n.into()) as u32;
        return Some(site.action_at(0, nth_bit::<BMI>(*word, k)));
    }
    let mut n = 0;
    for word in &legal[first..] {
        n += word.count_ones();
    }
    if n == 0 {
        return None;
    }
    let mut k = if n == 1 { 0 } else { stream.below(n.into()) as u32 };
    for (at, word) in legal.iter().enumerate().skip(first) {
        let here = word.count_ones();
        if k < here {
            return Some(site.action_at(at, nth_bit::<BMI>(*word, k)));
        }
        k -= here;
    }
    None
}
