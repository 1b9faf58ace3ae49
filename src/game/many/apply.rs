//! Decisions of a batch of consecutive games: the actions of all are looked up, then compiled code runs one game after
//! the other, with a context that is built once.

#![expect(clippy::needless_range_loop, reason = "plain loops are built alike by every build")]

use std::ops::Range;

use super::{Many, Rejection, Tables};
use crate::observe::BATCH;
use crate::{Patience, RuntimeError};
use houserule_machine::native::RunKind;
use houserule_machine::program::{CodeAddress, Flow, Operand, PENDING, Program};
use houserule_machine::run_state::{Fault, Stop};

/// Maximum number of words from which scores are compared.
const WORDS: usize = 8;

/// The result of an action.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ActionResult {
    /// No action was requested.
    #[default]
    Nothing,
    /// The action was taken.
    Taken,
    /// The action was taken, and the scores were computed.
    Scored,
    /// The action was taken, and the scores are those before it.
    Unchanged,
    /// The action was not legal.
    Illegal,
    /// The rules failed: see [`BatchResults::error`].
    Failed,
}

/// Which scores are computed along with the actions of a batch. [`Many::score`] and [`Many::winners`] then return them
/// without [`Many::compute_scores`], as long as no other action is taken in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchScores {
    /// None.
    Never,
    /// Those of games that are over after their action.
    AtEnds,
    /// Those of every game.
    Always,
}

/// The results of the actions in a batch, by game.
#[derive(Debug, Default)]
pub struct BatchResults {
    /// Whether an action is requested.
    pub requested: [bool; BATCH],
    /// The result of the requested action.
    pub results: [ActionResult; BATCH],
    /// The player who acted.
    pub actors: [u32; BATCH],
    /// Whether the action was taken, and the game waits for another decision.
    pub waits: [bool; BATCH],
    /// Where the code of the action begins, [`NO_CODE`] if none is to run.
    code: [u16; BATCH],
    errors: Vec<(usize, Box<RuntimeError>)>,
}

/// No program has as much code.
const NO_CODE: u16 = u16::MAX;

/// How the rules failed in a game.
struct BatchFailure {
    /// The address of the instruction that failed.
    instruction: u32,
    fault: Fault,
    value: i64,
}

impl BatchResults {
    /// Takes the error of a game.
    #[cold]
    pub fn error(&mut self, game: usize) -> Option<Box<RuntimeError>> {
        let at = self.errors.iter().position(|(of, _)| *of == game)?;
        Some(self.errors.swap_remove(at).1)
    }
}

impl Many {
    /// Returns `true` if games may be stepped together, before an opponent decides in any. With `ensuring`
    /// options, only the last game's candidates are known.
    #[inline(always)]
    pub fn steps_together(&self) -> bool {
        self.tables.moves.is_some()
    }

    /// Takes the requested action in each game of a batch, and continues to the next decision. The result of a game whose
    /// scores are computed too is [`ActionResult::Scored`] or [`ActionResult::Unchanged`].
    #[inline(always)]
    pub fn apply_few(
        &mut self,
        games: &Range<usize>,
        actions: &[i64],
        scores: BatchScores,
        taken: &mut BatchResults,
    ) {
        if self.patience != Patience::OVER {
            // Other games of the same kind may have had it compiled.
            if self.game.machine_if_made(RunKind::Steps).is_none() {
                return self.apply_singly(games, actions, taken);
            }
            self.patience = Patience::OVER;
        }
        if !self.steps_together() || !self.kinds.make_ready() {
            return self.apply_singly(games, actions, taken);
        }
        let one_kind = self.kinds.are_alike();
        match one_kind {
            true => self.bind_few::<false>(games, actions, taken),
            false => self.bind_few::<true>(games, actions, taken),
        }
        let order = self.kinds.order(games);
        let run = match (one_kind, scores) {
            (true, BatchScores::Always) => Many::run_few::<false, true>,
            (true, _) => Many::run_few::<false, false>,
            (false, BatchScores::Always) => Many::run_few::<true, true>,
            (false, _) => Many::run_few::<true, false>,
        };
        let mut first = 0;
        while let Some((at, failure)) = run(self, games, &order, first, scores, taken) {
            self.fails_in_batch(games, usize::from(order[at]), failure, taken);
            first = at + 1;
        }
    }

    #[cold]
    fn fails_in_batch(
        &self,
        games: &Range<usize>,
        game: usize,
        failure: BatchFailure,
        taken: &mut BatchResults,
    ) {
        let BatchFailure { instruction, fault, value } = failure;
        taken.errors.push((game, self.failed(games.start + game, instruction, fault, value)));
        (taken.results[game], taken.waits[game]) = (ActionResult::Failed, false);
        taken.code[game] = NO_CODE;
    }

    #[inline(never)]
    fn apply_singly(&mut self, games: &Range<usize>, actions: &[i64], taken: &mut BatchResults) {
        for (k, i) in games.clone().enumerate() {
            (taken.actors[k], taken.waits[k]) = (0, false);
            if !taken.requested[k] {
                taken.results[k] = ActionResult::Nothing;
                continue;
            }
            // No game has `u32::MAX` actions.
            let action = u32::try_from(actions[k]).unwrap_or(u32::MAX);
            taken.results[k] = match self.apply(i, action, &mut taken.actors[k]) {
                Ok(()) => {
                    taken.waits[k] = self.is_waiting(i);
                    ActionResult::Taken
                }
                Err(Rejection::Illegal) => ActionResult::Illegal,
                Err(Rejection::Failed(error)) => {
                    taken.errors.push((k, error));
                    ActionResult::Failed
                }
            };
        }
    }

    /// Finds the code of the requested actions, and writes what they bind.
    ///
    /// A function of its own, like [`Many::run_few`]: among other code, its variables would be kept in memory.
    #[inline(never)]
    fn bind_few<const FAMILY: bool>(
        &mut self,
        games: &Range<usize>,
        actions: &[i64],
        taken: &mut BatchResults,
    ) {
        let Many { kinds, frame, words, decisions, .. } = self;
        let (mut kind, mut rules) = (0, kinds.get(0));
        let mut moves = rules.moves.as_deref().unwrap_or_default();
        let mut limit = rules.game.program().limit;
        let (frame, count) = (*frame, games.len().min(BATCH));
        let mut rest = &mut words[games.start * frame..games.end * frame];
        let (numbers, decisions) = (&kinds.numbers(games)[..count], &mut decisions[games.clone()][..count]);
        let (actions, mut too_long) = (&actions[..count], false);
        // Plain loops: in some builds, iterators become calls.
        for k in 0..count {
            let (words, more) = rest.split_at_mut(frame);
            rest = more;
            if !taken.requested[k] {
                (taken.results[k], taken.actors[k], taken.code[k]) = (ActionResult::Nothing, 0, NO_CODE);
                continue;
            }
            if FAMILY && numbers[k] != kind {
                (kind, rules) = (numbers[k], kinds.get(numbers[k]));
                moves = rules.moves.as_deref().unwrap_or_default();
                limit = rules.game.program().limit;
            }
            // Neither 0 nor `OVER` is the number of a stop point.
            let stop = words[usize::from(PENDING)].wrapping_sub(1) as usize;
            let listed = moves.get(stop).and_then(|moves| moves.get(actions[k] as usize));
            let Some(listed) =
                listed.filter(|listed| words[usize::from(listed.word)] >> (listed.bit & 63) & 1 == 1)
            else {
                let choice = rules.stops.get(stop).and_then(Option::as_ref);
                taken.actors[k] = choice.map_or(0, |choice| words[choice.me] as u32);
                (taken.results[k], taken.code[k]) = (ActionResult::Illegal, NO_CODE);
                continue;
            };
            taken.actors[k] = words[usize::from(listed.me)] as u32;
            if listed.binds > 0 {
                words[usize::from(listed.at[0])] = listed.element[0].into();
                if listed.binds > 1 {
                    words[usize::from(listed.at[1])] = listed.element[1].into();
                }
            }
            (taken.results[k], taken.code[k]) = (ActionResult::Taken, listed.body);
            decisions[k] += 1;
            too_long |= decisions[k] > limit;
        }
        if too_long {
            self.reach_limit(games, taken);
        }
    }

    /// Stops the games of a batch that have taken one decision more than their limit.
    #[cold]
    #[inline(never)]
    fn reach_limit(&self, games: &Range<usize>, taken: &mut BatchResults) {
        for (game, i) in games.clone().enumerate() {
            let program = self.game_of(i).program();
            if taken.code[game] != NO_CODE && self.decisions[i] > program.limit {
                let stop = self.frame(i)[usize::from(PENDING)] as usize - 1;
                let instruction = program.stops[stop].at.0.into();
                self.fails_in_batch(
                    games,
                    game,
                    BatchFailure { instruction, fault: Fault::Limit, value: 0 },
                    taken,
                );
            }
        }
    }

    /// Runs the code of the actions in the games in `order` from index `first` on. If an instruction fails, returns the
    /// index in `order` of its game; the games after it are left to do.
    #[inline(never)]
    fn run_few<const FAMILY: bool, const ALWAYS: bool>(
        &mut self,
        games: &Range<usize>,
        order: &[u8; BATCH],
        first: usize,
        scores: BatchScores,
        taken: &mut BatchResults,
    ) -> Option<(usize, BatchFailure)> {
        let Many { kinds, frame, words, chance, decisions, streams, run_state, .. } = self;
        let (mut kind, mut ready) = (0, kinds.ready(0));
        let mut scored = KindScores::for_kind(kinds.get(0), scores);
        let mut code = ready.runner().prepare(streams, run_state)?;
        let uses_chance = ready.game.program().uses_chance;
        let (frame, count) = (*frame, games.len().min(BATCH));
        let words = &mut words[games.start * frame..games.end * frame];
        let (chance, decisions) = (&mut chance[games.clone()], &decisions[games.clone()]);
        let numbers = &kinds.numbers(games)[..count];
        for at in first..count {
            let k = if FAMILY { usize::from(order[at]) % BATCH } else { at };
            if taken.code[k] == NO_CODE {
                taken.waits[k] = false;
                continue;
            }
            let words = &mut words[k * frame..][..frame];
            if FAMILY && numbers[k] != kind {
                kind = numbers[k];
                let next = kinds.ready(kind);
                // Kinds that share their code differ in nothing else that is read here.
                if next.code != ready.code {
                    scored = KindScores::for_kind(kinds.get(kind), scores);
                }
                ready = next;
                code.change_to(&ready.machine, ready.game.program());
            }
            let mut before = [0; WORDS];
            // Unless scores are always computed nothing is compared, which only a constant tells the compiler.
            let compared = if ALWAYS { scored.compared.unwrap_or_default() } else { &[] };
            for number in 0..compared.len().min(WORDS) {
                before[number] = words[usize::from(compared[number])];
            }
            if uses_chance {
                code.lent().0.chance = chance[k];
            }
            let body = CodeAddress(taken.code[k]);
            taken.waits[k] = code.reaches_decision(words, body);
            if !taken.waits[k] {
                let stopped = code.finish(words, body);
                taken.waits[k] = stopped == Stop::Pending;
                if let Stop::Fault { at: instruction, fault, value } = stopped {
                    if uses_chance {
                        chance[k] = code.lent().0.chance;
                    }
                    return Some((at, BatchFailure { instruction, fault, value }));
                }
            }
            if uses_chance {
                chance[k] = code.lent().0.chance;
            }
            if !ALWAYS && taken.waits[k] {
                continue;
            }
            let Some(score) = scored.code else { continue };
            // No scores were computed before the first decision.
            let mut changed = !ALWAYS || decisions[k] == 1 || scored.compared.is_none();
            for number in 0..compared.len().min(WORDS) {
                changed |= before[number] != words[usize::from(compared[number])];
            }
            if !changed {
                taken.results[k] = ActionResult::Unchanged;
            } else if code.completes(words, score) {
                taken.results[k] = ActionResult::Scored;
            }
        }
        None
    }
}

/// The scores of the games of a kind.
#[derive(Clone, Copy)]
struct KindScores<'a> {
    /// The code that computes them, if they are requested and there are any.
    code: Option<CodeAddress>,
    /// Words that show whether they have changed; `None` if no words do.
    compared: Option<&'a [u16]>,
}

impl<'a> KindScores<'a> {
    #[inline(always)]
    fn for_kind(tables: &'a Tables, scores: BatchScores) -> KindScores<'a> {
        let code = if scores == BatchScores::Never { None } else { tables.game.program().score };
        KindScores { code, compared: tables.scored.as_deref() }
    }
}

/// Returns the live words that a program's scores depend on. Returns `None` if they depend on anything else,
/// or on more than [`WORDS`] words.
pub(crate) fn scored(program: &Program) -> Option<Vec<u16>> {
    let mut reached = vec![false; program.code.len()];
    let mut open = vec![program.score?.0];
    let mut read = vec![false; program.frame as usize];
    while let Some(at) = open.pop() {
        let at = usize::from(at);
        if at >= reached.len() || std::mem::replace(&mut reached[at], true) {
            continue;
        }
        let instruction = &program.code[at];
        for (_, operand) in instruction.operands() {
            let (first, len) = match operand {
                Operand::Read(at) | Operand::Change(at) => (at, 1),
                Operand::ReadSet(at) | Operand::ChangeSet(at) => (at, program.width),
                Operand::Numbers(of) => (of.at, of.len),
                Operand::Sets(of) => (of.at, of.len * program.width),
                Operand::Words(of) => (of.at, of.len),
                Operand::Jump(to) => {
                    open.push(to.0);
                    continue;
                }
                Operand::Dice(_)
                | Operand::Stop(_)
                | Operand::Step(_)
                | Operand::Past(_)
                | Operand::Hook(_) => return None,
                _ => continue,
            };
            read[usize::from(first)..usize::from(first + len)].fill(true);
        }
        match instruction.flow() {
            Flow::Next | Flow::Branch => open.push(at as u16 + 1),
            Flow::Jump | Flow::Loop | Flow::Stop => {}
            Flow::Suspend => return None,
        }
    }
    // Words that are not live are written before they are read. The word that is always 0 does not change.
    let words: Vec<u16> = (1..program.live as u16).filter(|at| read[usize::from(*at)]).collect();
    (words.len() <= WORDS).then_some(words)
}
