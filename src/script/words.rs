//! What scripts can name: the words of a game behind `g`.

use std::collections::HashMap;

use crate::board::BitSet;
use crate::lang::model::*;

/// What a word stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A declared or built-in slot.
    Slot(SlotId),
    /// A param, by its place.
    Param(usize),
    /// A table.
    Table(TableId),
    /// An element by its name.
    Element(DomainId, u32),
    /// A domain: all its elements.
    Domain(DomainId),
    /// A name of several elements.
    Several,
    /// Who acts.
    Me,
    /// The other of two players.
    Other,
    /// All players.
    Players,
    /// The empty sites of the first board.
    Empty,
    /// All sites of the first board.
    Cells,
    /// Its edge.
    Edge,
    /// Its corners.
    Corners,
}

/// What is called behind `g`.
pub(super) const CALLS: [&str; 10] =
    ["cell", "element", "put", "clear", "move", "roll", "pick", "after", "other", "empty"];

/// What is called there by agents, who change nothing.
pub(super) const AGENT_CALLS: [&str; 9] =
    ["cell", "element", "roll", "pick", "after", "other", "empty", "score", "count"];

/// Sites of a board.
#[derive(Debug)]
pub(super) struct Sites {
    pub(super) cells: BitSet,
    pub(super) edge: BitSet,
    pub(super) corners: BitSet,
}

impl Sites {
    fn of(model: &Model) -> Sites {
        match model.boards.first().map(|board| &board.topology) {
            Some(board) => {
                Sites { cells: BitSet::full(board.size()), edge: board.edge(), corners: board.corners() }
            }
            None => Sites { cells: BitSet::empty(0), edge: BitSet::empty(0), corners: BitSet::empty(0) },
        }
    }
}

/// The words of a game.
#[derive(Debug)]
pub(super) struct Words {
    pub(super) model: Model,
    meanings: HashMap<String, Meaning>,
    /// For each choice the first action number of its options, and what they call their bindings.
    pub(super) options: Vec<Vec<(u32, Vec<String>)>>,
    /// Of the first board; empty if there is none.
    pub(super) sites: Sites,
    /// Least number of each range domain.
    pub(super) lows: Vec<Option<i64>>,
}

impl Words {
    pub(super) fn of(model: &Model) -> Words {
        let mut meanings = HashMap::new();
        let mut name = |word: &str, meaning: Meaning| {
            meanings
                .entry(word.to_owned())
                .and_modify(|known| {
                    if matches!((&known, meaning), (Meaning::Element(..), Meaning::Element(..))) {
                        *known = Meaning::Several;
                    }
                })
                .or_insert(meaning);
        };
        for (word, meaning) in [("me", Meaning::Me), ("players", Meaning::Players)] {
            name(word, meaning);
        }
        if model.players.count == 2 {
            name("other", Meaning::Other);
        }
        if !model.boards.is_empty() {
            for (word, meaning) in [
                ("empty", Meaning::Empty),
                ("cells", Meaning::Cells),
                ("edge", Meaning::Edge),
                ("corners", Meaning::Corners),
            ] {
                name(word, meaning);
            }
        }
        for (id, slot) in (0..).map(SlotId).zip(&model.slots) {
            match slot.role {
                Role::Variable | Role::Dice { .. } | Role::Piece(_) | Role::Zone | Role::Copies => {
                    name(&slot.name, Meaning::Slot(id));
                }
                Role::Builtin(Builtin::NextMover | Builtin::ToCome)
                | Role::Known
                | Role::KnownCopies(_)
                | Role::Empty(_) => {}
                Role::Builtin(builtin) => name(word_of(builtin), Meaning::Slot(id)),
            }
        }
        for (at, param) in model.params.iter().enumerate() {
            name(&param.name, Meaning::Param(at));
        }
        for (id, table) in (0..).map(TableId).zip(&model.tables) {
            name(&table.name, Meaning::Table(id));
        }
        for (id, domain) in (0..).map(DomainId).zip(&model.domains) {
            // Others are ranges that have no name.
            if domain.name.starts_with(char::is_alphabetic) {
                name(&domain.name, Meaning::Domain(id));
            }
            let names = match &domain.kind {
                DomainKind::Player => &model.players.names,
                DomainKind::Enum(names) => names,
                _ => continue,
            };
            for (number, word) in (0..).zip(names) {
                name(word, Meaning::Element(id, number));
            }
        }
        let low = |domain: &Domain| match domain.kind {
            DomainKind::Range { low } => Some(low),
            _ => None,
        };
        let option = |option: &ChoiceOption| {
            let name = |binder: &Binder| model.locals[binder.local.index()].name.clone();
            (model.actions[option.actions.index()].first, option.binders.iter().map(name).collect())
        };
        let options = model.choices.iter().map(|choice| choice.options.iter().map(option).collect());
        let options = options.collect();
        let mut model = model.clone();
        // Of the rules themselves nothing is asked here.
        (model.setup, model.turn) = (Block::default(), Block::default());
        (model.choices, model.scripts) = (vec![], None);
        let lows = model.domains.iter().map(low).collect();
        Words { sites: Sites::of(&model), model, meanings, options, lows }
    }

    pub(super) fn meaning(&self, word: &str) -> Option<Meaning> {
        self.meanings.get(word).copied()
    }

    /// All words with what they stand for.
    pub(super) fn each(&self) -> impl Iterator<Item = (&str, Meaning)> {
        self.meanings.iter().map(|(word, meaning)| (word.as_str(), *meaning))
    }

    /// All words, in order.
    pub(super) fn all(&self) -> Vec<&str> {
        let mut all: Vec<&str> = self.meanings.keys().map(String::as_str).collect();
        all.sort_unstable();
        all
    }

    pub(super) fn slot(&self, slot: SlotId) -> &Slot {
        &self.model.slots[slot.index()]
    }

    pub(super) fn size(&self, domain: DomainId) -> u32 {
        self.model.domains[domain.index()].size
    }

    /// The elements of a set by name.
    pub(super) fn set_name(&self, domain: DomainId, set: &BitSet) -> String {
        let names: Vec<String> = set.iter().map(|number| self.model.element_name(domain, number)).collect();
        format!("{{{}}}", names.join(", "))
    }

    pub(super) fn board_of(&self, domain: DomainId) -> Option<&Board> {
        match self.model.domains[domain.index()].kind {
            DomainKind::Sites(board) => self.model.boards.get(board.index()),
            _ => None,
        }
    }
}

fn word_of(builtin: Builtin) -> &'static str {
    match builtin {
        Builtin::Mover => "mover",
        Builtin::Starter => "starter",
        Builtin::Turns => "turns",
        Builtin::Round => "round",
        Builtin::GameNumber => "game_number",
        Builtin::Total => "total",
        Builtin::NextMover => "next",
        Builtin::ToCome => "to_come",
    }
}
