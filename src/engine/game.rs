//! A game: the model, its program, and the names of its actions. Immutable, shared by all its states.

use std::sync::{Arc, OnceLock};

use super::beliefs::Observed;
use super::endless::endless_loop;
use super::machine::{Kind, Machine, Machines, Size};
use super::observation::Plan;
use super::tally::{Fault, Tally};
use super::{ActionId, RuntimeError, RuntimeErrorKind};
use crate::compile::{CompileError, Compiled, compile};
use crate::diagnostic::{Diagnostic, SourceMap, Span};
use crate::lang::model::{ActionBlock, Bound, Builtin, DomainId, DomainKind, LocalId, Model, SlotId};
use crate::lang::origin::Origin;
use crate::lang::syntax;
use crate::program::{Instruction, Operand, Program};

/// Whole games from which on a program is compiled. Compiling takes a few milliseconds, in which the
/// interpreter plays about so many games of the shorter kind.
const MANY: u64 = 1_000;

/// A seat, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Player(pub u32);

/// What a record needs to find a game's rules again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// As the user wrote it: `dilido + torus`.
    pub name: String,
    /// Of all the texts that the rules were read from, in hexadecimal.
    pub rules_sha256: String,
}

/// The rules as they are written, for whoever shows them to people. Nothing plays by it.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// The game with its variants worked in.
    pub tree: Option<syntax::Game>,
    /// The names by which the game and each of its variants are loaded.
    pub names: Vec<String>,
    /// Of how many of these the last one stands on the others by itself, so that it alone names them.
    pub named_by_one: usize,
    /// The title of the game without its variants.
    pub base: String,
    /// The variants, first to last.
    pub variants: Vec<syntax::Variant>,
    /// The scripts, by their numbers.
    pub scripts: Vec<SheetScript>,
    /// The texts, and how they were put together.
    pub origin: Origin,
    /// The texts, for messages about the rules.
    pub sources: SourceMap,
    /// What looks wrong with the rules.
    pub warnings: Vec<Diagnostic>,
}

/// A script as it is written.
#[derive(Clone, Debug)]
pub struct SheetScript {
    /// Its file; none if it stands in the rules.
    pub file: Option<String>,
    /// The whole text.
    pub text: String,
}

/// A game that can be played. Cloning it is cheap.
#[derive(Clone, Debug)]
pub struct Game(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    model: Model,
    compiled: Compiled,
    identity: Identity,
    sheet: Sheet,
    actions: u32,
    /// Made when it is first wanted.
    plan: OnceLock<Plan>,
    /// Made when it is first wanted; `None` where nothing is hidden.
    observed: OnceLock<Option<Observed>>,
    /// Compiled code, which reads the tables of the program beside it: neither moves.
    machines: Machines,
}

impl Game {
    /// Compiles a model.
    pub fn new(model: Model, identity: Identity) -> Result<Game, CompileError> {
        Game::with_sheet(model, identity, Sheet::default())
    }

    /// Is this the very same game, not only one of the same rules?
    pub(crate) fn is(&self, other: &Game) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Compiles a model, and keeps the rules as they are written.
    pub fn with_sheet(model: Model, identity: Identity, sheet: Sheet) -> Result<Game, CompileError> {
        let compiled = compile(&model)?;
        let actions = model.actions.iter().map(|b| b.first + b.size).max().unwrap_or(0);
        let (plan, observed, machines) = (OnceLock::new(), OnceLock::new(), Machines::default());
        Ok(Game(Arc::new(Inner { model, compiled, identity, sheet, actions, plan, observed, machines })))
    }

    /// The rules.
    pub fn model(&self) -> &Model {
        &self.0.model
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.0.compiled.program
    }

    /// The compiled code for a way of running the program, compiled now if it has not been. Returns `None`
    /// where the interpreter runs it.
    pub(crate) fn machine(&self, kind: Kind) -> Option<&Machine> {
        self.0.machines.get(self.program(), kind)
    }

    /// So many whole games of random players are about to be played: compiles the program if that is worth it.
    pub fn prepare(&self, games: u64) {
        if games >= MANY {
            self.machine(Kind::Games);
        }
    }

    /// The compiled code for a way of running the program, if it has been compiled.
    pub(crate) fn machine_if_made(&self, kind: Kind) -> Option<&Machine> {
        self.0.machines.made(self.program(), kind)
    }

    /// Compiles the program for a way of running it. Returns `None` where the interpreter runs it.
    pub fn compiled_size(&self, kind: Kind) -> Option<Size> {
        self.machine(kind).map(Machine::size)
    }

    /// Where the rules come from.
    pub fn identity(&self) -> &Identity {
        &self.0.identity
    }

    /// The rules as they are written.
    pub fn sheet(&self) -> &Sheet {
        &self.0.sheet
    }

    /// The first word of each slot; none for what the program does not keep.
    pub(super) fn slots(&self) -> &[Option<u16>] {
        &self.program().places.slots
    }

    /// The frame before the set-up of a match's first game, which the first seat starts.
    pub(super) fn first_frame(&self) -> Vec<u64> {
        let program = self.program();
        let mut words = program.initial.clone();
        words.resize(program.frame as usize, 0);
        if let Some(at) = self.slots()[Builtin::GameNumber.slot().index()] {
            words[usize::from(at)] = 1;
        }
        words
    }

    /// Does the program keep a slot? If not, no rule reads it, and it has the value of the start.
    pub fn keeps(&self, slot: SlotId) -> bool {
        self.slots()[slot.index()].is_some()
    }

    /// The first word of a local, if it is kept while the game waits for a decision.
    pub(super) fn local_at(&self, local: LocalId) -> Option<u16> {
        self.0.compiled.locals[local.index()]
    }

    /// How observations are made.
    pub(crate) fn observation_plan(&self) -> &Plan {
        self.0.plan.get_or_init(|| Plan::new(self))
    }

    /// The game with an observer; `None` where nothing is hidden.
    pub(super) fn observed(&self) -> Option<&Observed> {
        let made = || self.hides().then(|| Observed::new(self)).flatten();
        self.0.observed.get_or_init(made).as_ref()
    }

    /// How many players.
    pub fn players(&self) -> u32 {
        self.0.model.players.count
    }

    /// How many action numbers, dead ones included.
    pub fn actions(&self) -> u32 {
        self.0.actions
    }

    /// The block of an action.
    pub fn action_block(&self, action: ActionId) -> Option<&ActionBlock> {
        self.0.model.action_block(action.0)
    }

    /// What an action binds, in the order of the binders.
    pub fn action_bindings(&self, action: ActionId) -> Vec<Bound> {
        self.action_block(action).map_or_else(Vec::new, |block| block.bindings(&self.0.model, action.0))
    }

    /// An action as the player sees it: see [`Model::action_name`].
    pub fn action_name(&self, action: ActionId) -> String {
        self.0.model.action_name(action.0)
    }

    /// The action of a name as [`Game::action_name`] writes it; spaces and case don't matter.
    pub fn parse_action(&self, text: &str) -> Option<ActionId> {
        let mut words = text.split_whitespace();
        let option = words.next()?;
        let words: Vec<&str> = words.collect();
        let named = |b: &&ActionBlock| {
            let fits =
                if b.subset { b.domains.len() <= words.len() + 1 } else { b.domains.len() == words.len() };
            b.option.eq_ignore_ascii_case(option) && fits && !b.dead
        };
        self.0.model.actions.iter().filter(named).find_map(|block| {
            let single = block.domains.len() - usize::from(block.subset);
            let (single, listed) = words.split_at(single);
            let sizes = block.sizes(&self.0.model);
            let mut id = 0;
            for ((domain, word), size) in block.domains.iter().zip(single).zip(&sizes) {
                id = id * size + self.parse_element(*domain, word)?;
            }
            if block.subset {
                let (domain, size) = (block.domains.last()?, sizes.last()?);
                id = id * size + self.parse_subset(*domain, listed)?;
            }
            Some(ActionId(block.first + id))
        })
    }

    /// The number of a subset whose elements are listed once each, in any order; `none` is the empty one.
    fn parse_subset(&self, domain: DomainId, words: &[&str]) -> Option<u32> {
        if let [none] = words
            && none.eq_ignore_ascii_case("none")
        {
            return Some(0);
        }
        let mut bits = 0u32;
        for word in words {
            let bit = 1u32.checked_shl(self.parse_element(domain, word)?)?;
            if bits & bit != 0 {
                return None;
            }
            bits |= bit;
        }
        (!words.is_empty()).then_some(bits)
    }

    /// An element as the player sees it.
    pub fn element_name(&self, domain: DomainId, e: u32) -> String {
        self.0.model.element_name(domain, e)
    }

    /// The element of a name; case does not matter.
    pub fn parse_element(&self, domain: DomainId, text: &str) -> Option<u32> {
        let size = self.0.model.domains[domain.index()].size;
        if let DomainKind::Sites(board) = self.0.model.domains[domain.index()].kind {
            return self.0.model.boards[board.index()].topology.parse_site(&text.to_lowercase());
        }
        (0..size).find(|e| self.element_name(domain, *e).eq_ignore_ascii_case(text))
    }

    /// A fault of the executor as an error of the rules. The tally is the one that it was run with.
    pub(super) fn error(&self, at: u32, fault: Fault, value: i64, tally: &Tally) -> RuntimeError {
        let program = self.program();
        let span = program
            .spans
            .get(at as usize)
            .copied()
            .unwrap_or_else(|| Span::new(crate::diagnostic::FileId(0), 0, 0));
        let range = program.code.get(at as usize).and_then(|i: &Instruction| {
            i.operands().into_iter().find_map(|(_, o)| match o {
                Operand::Range(r) => program.ranges.get(usize::from(r)),
                _ => None,
            })
        });
        let kind = match (fault, range) {
            (Fault::OutOfRange, Some(range)) if range.element => RuntimeErrorKind::NoneValue,
            (Fault::OutOfRange, Some(range)) => RuntimeErrorKind::OutOfRange {
                name: range.name.clone(),
                value,
                low: range.low,
                high: range.high,
            },
            (Fault::Overflow, _) => match self.model().score.iter().find(|item| item.span == span) {
                // Only where the items are added up is the code of a whole item.
                Some(item) => RuntimeErrorKind::ScoreOverflow { item: item.name.clone() },
                None => RuntimeErrorKind::Overflow,
            },
            (Fault::OutOfRange, _) => RuntimeErrorKind::Overflow,
            (Fault::Index | Fault::NoneIndex, _) => RuntimeErrorKind::NoneIndex,
            (Fault::DivisionByZero, _) => RuntimeErrorKind::DivisionByZero,
            (Fault::NoneValue, _) => RuntimeErrorKind::NoneValue,
            (Fault::Budget, _) => RuntimeErrorKind::Budget,
            (Fault::Positions, _) => RuntimeErrorKind::Positions,
            (Fault::Script, _) => RuntimeErrorKind::Script(tally.mistake.clone().unwrap_or_default()),
            (Fault::Limit, _) => RuntimeErrorKind::Limit { decisions: self.model().limit },
        };
        let span = match kind {
            RuntimeErrorKind::Budget => endless_loop(self.model(), span),
            _ => span,
        };
        RuntimeError { span, kind }
    }
}
