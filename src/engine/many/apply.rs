//! Decisions of a few games that follow one another: compiled code runs them one after the other, and what it is given
//! is put together once.

#![expect(clippy::needless_range_loop, reason = "plain loops are built alike by every build")]

use std::ops::Range;

use super::{Many, Refused};
use crate::engine::RuntimeError;
use crate::engine::observation::FEW;
use crate::engine::run::Steps;
use crate::engine::sites::NO_MOVE;
use crate::engine::tally::{Fault, Stop};
use crate::program::{Block, Flow, Operand, PENDING, Program};

/// Most words that scores are compared by.
const WORDS: usize = 8;

/// What an action came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Came {
    /// No action was asked for.
    #[default]
    Nothing,
    /// It was taken.
    Taken,
    /// It was taken. The scores have been worked out, or are what they were before.
    Scored,
    Unchanged,
    /// It was not legal.
    Illegal,
    /// The rules went wrong: [`Taken::error`] says how.
    Failed,
}

/// What the actions of a few games came to, by game.
#[derive(Debug, Default)]
pub(crate) struct Taken {
    /// Is an action asked for?
    pub(crate) asked: [bool; FEW],
    pub(crate) came: [Came; FEW],
    /// Whose action it was.
    pub(crate) actors: [u32; FEW],
    errors: Vec<(usize, Box<RuntimeError>)>,
}

impl Taken {
    /// What went wrong in a game.
    #[cold]
    pub(crate) fn error(&mut self, game: usize) -> Option<Box<RuntimeError>> {
        let at = self.errors.iter().position(|(of, _)| *of == game)?;
        Some(self.errors.swap_remove(at).1)
    }
}

impl Many {
    /// May games be stepped together, before an opponent decides in any of them? Where options are tried, the candidates
    /// of the last game alone are known.
    #[inline(always)]
    pub(crate) fn steps_together(&self) -> bool {
        self.tables.moves.is_some()
    }

    /// Takes an action in each of a few games that is asked for one, and goes on to the next decision. With
    /// `score`, which is of use where nothing else is decided before the scores are wanted, scores are worked out.
    #[inline(always)]
    pub(crate) fn apply_few(
        &mut self,
        games: &Range<usize>,
        actions: &[i64],
        score: bool,
        taken: &mut Taken,
    ) {
        if self.patience > 0 {
            return self.apply_singly(games, actions, taken);
        }
        let mut first = 0;
        loop {
            match self.apply_compiled(games, first, actions, score, taken) {
                Left::Nothing => return,
                Left::All => return self.apply_singly(games, actions, taken),
                Left::After(game, (at, fault, value)) => {
                    taken.errors.push((game, self.failed(at, fault, value)));
                    taken.came[game] = Came::Failed;
                    first = game + 1;
                }
            }
        }
    }

    #[inline(never)]
    fn apply_singly(&mut self, games: &Range<usize>, actions: &[i64], taken: &mut Taken) {
        for (k, i) in games.clone().enumerate() {
            taken.actors[k] = 0;
            if !taken.asked[k] {
                taken.came[k] = Came::Nothing;
                continue;
            }
            // No game has so many actions.
            let action = u32::try_from(actions[k]).unwrap_or(u32::MAX);
            taken.came[k] = match self.apply(i, action, &mut taken.actors[k]) {
                Ok(()) => Came::Taken,
                Err(Refused::Illegal) => Came::Illegal,
                Err(Refused::Failed(error)) => {
                    taken.errors.push((k, error));
                    Came::Failed
                }
            };
        }
    }

    /// The same by compiled code, from a game on. Returns what is left to do.
    #[inline(always)]
    fn apply_compiled(
        &mut self,
        games: &Range<usize>,
        first: usize,
        actions: &[i64],
        score: bool,
        taken: &mut Taken,
    ) -> Left {
        let Many { game, tables, frame, words, chance, decisions, streams, tally, .. } = self;
        let Some(moves) = &tables.moves else { return Left::All };
        let program = game.program();
        let Some(mut code) = Steps::compiled(game).prepare(streams, tally) else { return Left::All };
        let scores = if score { program.score } else { None };
        // What says whether they have changed.
        let compared = if scores.is_some() { tables.scored.as_deref().unwrap_or_default() } else { &[] };
        let (uses_chance, limit) = (program.uses_chance, program.limit);
        // Plain loops: what is more is a call in some builds.
        for k in first..games.len().min(FEW) {
            let i = games.start + k;
            let (words, chance) = (&mut words[i * *frame..][..*frame], &mut chance[i]);
            let decisions = &mut decisions[i];
            taken.actors[k] = 0;
            taken.came[k] = Came::Nothing;
            if !taken.asked[k] {
                continue;
            }
            taken.came[k] = Came::Illegal;
            // Neither 0 nor "over" is the number of a site.
            let site = words[usize::from(PENDING)].wrapping_sub(1) as usize;
            let Some(Some(choice)) = tables.sites.get(site) else { continue };
            taken.actors[k] = words[choice.me] as u32;
            let Some(listed) = moves[site].get(actions[k] as usize) else { continue };
            if listed.binds == NO_MOVE || words[usize::from(listed.word)] >> listed.bit & 1 == 0 {
                continue;
            }
            if listed.binds > 0 {
                words[usize::from(listed.at[0])] = listed.element[0].into();
                if listed.binds > 1 {
                    words[usize::from(listed.at[1])] = listed.element[1].into();
                }
            }
            *decisions += 1;
            if *decisions > limit {
                return Left::After(k, (program.sites[site].at.0.into(), Fault::Limit, 0));
            }
            let mut before = [0; WORDS];
            for number in 0..compared.len().min(WORDS) {
                before[number] = words[usize::from(compared[number])];
            }
            if uses_chance {
                code.lent().0.chance = *chance;
            }
            let stopped = code.run(words, Block(listed.body));
            if uses_chance {
                *chance = code.lent().0.chance;
            }
            taken.came[k] = Came::Taken;
            if let Stop::Fault { at, fault, value } = stopped {
                return Left::After(k, (at, fault, value));
            }
            if let Some(score) = scores {
                // Before the first decision nothing was scored.
                let mut changed = *decisions == 1 || tables.scored.is_none();
                for number in 0..compared.len().min(WORDS) {
                    changed |= before[number] != words[usize::from(compared[number])];
                }
                if !changed {
                    taken.came[k] = Came::Unchanged;
                } else if code.run(words, score) == Stop::Halt {
                    taken.came[k] = Came::Scored;
                }
            }
        }
        Left::Nothing
    }
}

/// What compiled code has left to do.
enum Left {
    Nothing,
    /// It can't run at all.
    All,
    /// The games after one in which an instruction went wrong.
    After(usize, (u32, Fault, i64)),
}

/// The live words that a program's scores are made of. Returns `None` if they are made of anything else, or of many.
pub(super) fn scored(program: &Program) -> Option<Vec<u16>> {
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
    // What is not live is written before it is read. The word that is always 0 does not change.
    let words: Vec<u16> = (1..program.live as u16).filter(|at| read[usize::from(*at)]).collect();
    (words.len() <= WORDS).then_some(words)
}
