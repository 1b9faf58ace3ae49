//! Decisions of a batch of consecutive games: compiled code runs them one after the other, with a context
//! that is built once.

#![expect(clippy::needless_range_loop, reason = "plain loops are built alike by every build")]

use std::ops::Range;

use super::{Many, Rejection, Tables};
use crate::game::RuntimeError;
use crate::game::choice_layout::{ActionBit, NO_MOVE};
use crate::machine::run_state::{Fault, Stop};
use crate::native::RunKind;
use crate::observe::BATCH;
use crate::program::{CodeAddress, Flow, Operand, PENDING, Program};

/// Maximum number of words from which scores are compared.
const WORDS: usize = 8;

/// The result of an action.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ActionResult {
    /// No action was requested.
    #[default]
    Nothing,
    /// The action was taken.
    Taken,
    /// The action was taken and the scores were computed, or (`Unchanged`) are what they were before.
    Scored,
    Unchanged,
    /// The action was not legal.
    Illegal,
    /// The rules failed: see [`BatchResults::error`].
    Failed,
}

/// The results of the actions in a batch, by game.
#[derive(Debug, Default)]
pub(crate) struct BatchResults {
    /// Whether an action is requested.
    pub(crate) asked: [bool; BATCH],
    pub(crate) came: [ActionResult; BATCH],
    /// The player who acted.
    pub(crate) actors: [u32; BATCH],
    /// Whether the action was taken and the game waits for another decision.
    pub(crate) waits: [bool; BATCH],
    errors: Vec<(usize, Box<RuntimeError>)>,
}

impl BatchResults {
    /// Takes the error of a game.
    #[cold]
    pub(crate) fn error(&mut self, game: usize) -> Option<Box<RuntimeError>> {
        let at = self.errors.iter().position(|(of, _)| *of == game)?;
        Some(self.errors.swap_remove(at).1)
    }
}

impl Many {
    /// Returns `true` if games may be stepped together, before an opponent decides in any. With `ensuring`
    /// options, only the last game's candidates are known.
    #[inline(always)]
    pub(crate) fn steps_together(&self) -> bool {
        self.tables.moves.is_some()
    }

    /// Takes the requested action in each game of a batch, and continues to the next decision. With `score`,
    /// also computes the scores, which is useful if nothing else is decided before they are read.
    #[inline(always)]
    pub(crate) fn apply_few(
        &mut self,
        games: &Range<usize>,
        actions: &[i64],
        score: bool,
        taken: &mut BatchResults,
    ) {
        if self.patience > 0 {
            // Other games of the same kind may have had it compiled.
            if self.game.machine_if_made(RunKind::Steps).is_none() {
                return self.apply_singly(games, actions, taken);
            }
            self.patience = 0;
        }
        if !self.steps_together() || !self.kinds.make_ready() {
            return self.apply_singly(games, actions, taken);
        }
        let order = self.kinds.order(games);
        let mut first = 0;
        while let Some((at, fault)) = match score {
            true => self.apply_compiled::<true>(games, &order, first, actions, taken),
            false => self.apply_compiled::<false>(games, &order, first, actions, taken),
        } {
            let game = usize::from(order[at]);
            taken.errors.push((game, self.failed(games.start + game, fault.0, fault.1, fault.2)));
            (taken.came[game], taken.waits[game]) = (ActionResult::Failed, false);
            first = at + 1;
        }
    }

    #[inline(never)]
    fn apply_singly(&mut self, games: &Range<usize>, actions: &[i64], taken: &mut BatchResults) {
        for (k, i) in games.clone().enumerate() {
            (taken.actors[k], taken.waits[k]) = (0, false);
            if !taken.asked[k] {
                taken.came[k] = ActionResult::Nothing;
                continue;
            }
            // No game has `u32::MAX` actions.
            let action = u32::try_from(actions[k]).unwrap_or(u32::MAX);
            taken.came[k] = match self.apply(i, action, &mut taken.actors[k]) {
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

    /// Like [`Many::apply_few`], with compiled code, for the games in `order` from index `first` on. If an instruction
    /// fails, returns the index in `order` of its game; the games after it are left to do.
    #[inline(always)]
    fn apply_compiled<const SCORE: bool>(
        &mut self,
        games: &Range<usize>,
        order: &[u8; BATCH],
        first: usize,
        actions: &[i64],
        taken: &mut BatchResults,
    ) -> Option<(usize, (u32, Fault, i64))> {
        let Many { kinds, frame, words, chance, decisions, streams, run_state, .. } = self;
        let (mut kind, mut ready) = (0, kinds.ready(0));
        let mut rules = KindRules::of::<SCORE>(kinds.get(0));
        let mut code = ready.runner().prepare(streams, run_state)?;
        let uses_chance = rules.program.uses_chance;
        let (frame, count) = (*frame, games.len().min(BATCH));
        let words = &mut words[games.start * frame..games.end * frame];
        let (chance, decisions) = (&mut chance[games.clone()], &mut decisions[games.clone()]);
        let (numbers, actions) = (&kinds.numbers(games)[..count], &actions[..count]);
        // Plain loops: in some builds, iterators become calls.
        for at in first..count {
            let k = usize::from(order[at]) % BATCH;
            (taken.actors[k], taken.waits[k]) = (0, false);
            if !taken.asked[k] {
                taken.came[k] = ActionResult::Nothing;
                continue;
            }
            let words = &mut words[k * frame..][..frame];
            if numbers[k] != kind {
                kind = numbers[k];
                let next = kinds.ready(kind);
                // Kinds that share their code differ in nothing else that is read here.
                if next.code != ready.code {
                    rules = KindRules::of::<SCORE>(kinds.get(kind));
                }
                ready = next;
                code.change_to(&ready.machine, ready.game.program());
            }
            let KindRules { tables, program, moves, scores, compared } = rules;
            // Neither 0 nor `OVER` is the number of a stop point.
            let site = words[usize::from(PENDING)].wrapping_sub(1) as usize;
            let listed = moves.get(site).and_then(|moves| moves.get(actions[k] as usize));
            let Some(listed) = listed.filter(|listed| {
                listed.binds != NO_MOVE && words[usize::from(listed.word)] >> listed.bit & 1 == 1
            }) else {
                taken.came[k] = ActionResult::Illegal;
                if let Some(Some(choice)) = tables.sites.get(site) {
                    taken.actors[k] = words[choice.me] as u32;
                }
                continue;
            };
            taken.actors[k] = words[usize::from(listed.me)] as u32;
            if listed.binds > 0 {
                words[usize::from(listed.at[0])] = listed.element[0].into();
                if listed.binds > 1 {
                    words[usize::from(listed.at[1])] = listed.element[1].into();
                }
            }
            decisions[k] += 1;
            if decisions[k] > program.limit {
                return Some((at, (program.sites[site].at.0.into(), Fault::Limit, 0)));
            }
            let mut before = [0; WORDS];
            // Without scores nothing is compared, which only a constant tells the compiler.
            let compared = if SCORE { compared } else { &[] };
            for number in 0..compared.len().min(WORDS) {
                before[number] = words[usize::from(compared[number])];
            }
            if uses_chance {
                code.lent().0.chance = chance[k];
            }
            let stopped = code.run(words, CodeAddress(listed.body));
            if uses_chance {
                chance[k] = code.lent().0.chance;
            }
            taken.came[k] = ActionResult::Taken;
            taken.waits[k] = stopped == Stop::Pending;
            if let Stop::Fault { at: instruction, fault, value } = stopped {
                return Some((at, (instruction, fault, value)));
            }
            if SCORE && let Some(score) = scores {
                // No scores were computed before the first decision.
                let mut changed = decisions[k] == 1 || tables.scored.is_none();
                for number in 0..compared.len().min(WORDS) {
                    changed |= before[number] != words[usize::from(compared[number])];
                }
                if !changed {
                    taken.came[k] = ActionResult::Unchanged;
                } else if code.run(words, score) == Stop::Halt {
                    taken.came[k] = ActionResult::Scored;
                }
            }
        }
        None
    }
}

/// The rules of the games of a kind, ready for their decisions.
#[derive(Clone, Copy)]
struct KindRules<'a> {
    tables: &'a Tables,
    program: &'a Program,
    /// By site, the moves by action id.
    moves: &'a [Vec<ActionBit>],
    /// The code that computes the scores, if they are requested and there are any.
    scores: Option<CodeAddress>,
    /// Words that show whether scores have changed.
    compared: &'a [u16],
}

impl<'a> KindRules<'a> {
    #[inline(always)]
    fn of<const SCORE: bool>(tables: &'a Tables) -> KindRules<'a> {
        let program = tables.game.program();
        let scores = if SCORE { program.score } else { None };
        let compared = if scores.is_some() { tables.scored.as_deref().unwrap_or_default() } else { &[] };
        KindRules { tables, program, moves: tables.moves.as_deref().unwrap_or_default(), scores, compared }
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
                | Operand::Site(_)
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
