//! A game: the model, its program, and the names of its actions. Immutable, shared by all its states.

use std::sync::Arc;

use super::tally::Fault;
use super::{ActionId, RuntimeError, RuntimeErrorKind};
use crate::compile::{CompileError, Compiled, compile};
use crate::diagnostic::Span;
use crate::lang::model::{ActionBlock, DomainId, DomainKind, Model};
use crate::program::{Instruction, Operand, Program};

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

/// A game that can be played. Cloning it is cheap.
#[derive(Clone, Debug)]
pub struct Game(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    model: Model,
    compiled: Compiled,
    identity: Identity,
    actions: u32,
}

impl Game {
    /// Compiles a model.
    pub fn new(model: Model, identity: Identity) -> Result<Game, CompileError> {
        let compiled = compile(&model)?;
        let actions = model.actions.iter().map(|b| b.first + b.size).max().unwrap_or(0);
        Ok(Game(Arc::new(Inner { model, compiled, identity, actions })))
    }

    /// The rules.
    pub fn model(&self) -> &Model {
        &self.0.model
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.0.compiled.program
    }

    /// Where the rules come from.
    pub fn identity(&self) -> &Identity {
        &self.0.identity
    }

    /// The first word of each slot; none for what the program does not keep.
    pub(super) fn slots(&self) -> &[Option<u16>] {
        &self.0.compiled.slots
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
        self.0.model.actions.iter().find(|b| action.0 >= b.first && action.0 - b.first < b.size)
    }

    /// The elements that an action binds, in the order of the binders.
    pub fn action_elements(&self, action: ActionId) -> Vec<(DomainId, u32)> {
        let Some(block) = self.action_block(action) else { return vec![] };
        let mut rest = action.0 - block.first;
        let mut elements: Vec<(DomainId, u32)> = block
            .domains
            .iter()
            .rev()
            .map(|d| {
                let size = self.0.model.domains[d.index()].size.max(1);
                let e = rest % size;
                rest /= size;
                (*d, e)
            })
            .collect();
        elements.reverse();
        elements
    }

    /// An action as the player sees it: the option and what it binds, `place c5`.
    pub fn action_name(&self, action: ActionId) -> String {
        let Some(block) = self.action_block(action) else { return format!("action {}", action.0) };
        let mut name = block.option.clone();
        for (domain, e) in self.action_elements(action) {
            name.push(' ');
            name.push_str(&self.element_name(domain, e));
        }
        name
    }

    /// The action of a name as [`Game::action_name`] writes it; spaces and case don't matter.
    pub fn parse_action(&self, text: &str) -> Option<ActionId> {
        let mut words = text.split_whitespace();
        let option = words.next()?;
        let words: Vec<&str> = words.collect();
        let named = |b: &&ActionBlock| {
            b.option.eq_ignore_ascii_case(option) && b.domains.len() == words.len() && !b.dead
        };
        self.0.model.actions.iter().filter(named).find_map(|block| {
            let mut id = 0;
            for (domain, word) in block.domains.iter().zip(&words) {
                id = id * self.0.model.domains[domain.index()].size + self.parse_element(*domain, word)?;
            }
            Some(ActionId(block.first + id))
        })
    }

    /// An element as the player sees it.
    pub fn element_name(&self, domain: DomainId, e: u32) -> String {
        let model = &self.0.model;
        match &model.domains[domain.index()].kind {
            DomainKind::Player => model
                .players
                .names
                .get(e as usize)
                .cloned()
                .unwrap_or_else(|| (e + 1).to_string())
                .replace(' ', "-"),
            DomainKind::Range { low } => (low + i64::from(e)).to_string(),
            DomainKind::Enum(names) => names.get(e as usize).cloned().unwrap_or_default(),
            DomainKind::Sites(board) => model.boards[board.index()].topology.site_name(e),
            DomainKind::Record(fields) => {
                let values = fields.iter().map(|(_, v)| v.get(e as usize).copied().unwrap_or(0).to_string());
                values.collect::<Vec<_>>().join("-")
            }
        }
    }

    /// The element of a name; case does not matter.
    pub fn parse_element(&self, domain: DomainId, text: &str) -> Option<u32> {
        let size = self.0.model.domains[domain.index()].size;
        if let DomainKind::Sites(board) = self.0.model.domains[domain.index()].kind {
            return self.0.model.boards[board.index()].topology.parse_site(&text.to_lowercase());
        }
        (0..size).find(|e| self.element_name(domain, *e).eq_ignore_ascii_case(text))
    }

    /// A fault of the executor as an error of the rules.
    pub(super) fn error(&self, at: u32, fault: Fault, value: i64) -> RuntimeError {
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
            (Fault::OutOfRange | Fault::Overflow, _) => RuntimeErrorKind::Overflow,
            (Fault::Index | Fault::NoneIndex, _) => RuntimeErrorKind::NoneIndex,
            (Fault::DivisionByZero, _) => RuntimeErrorKind::DivisionByZero,
            (Fault::NoneValue, _) => RuntimeErrorKind::NoneValue,
            (Fault::Budget, _) => RuntimeErrorKind::Budget,
            (Fault::Limit, _) => RuntimeErrorKind::Limit { decisions: self.model().limit },
        };
        RuntimeError { span, kind }
    }
}
