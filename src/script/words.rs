//! The names that scripts can use on `g`.

use std::collections::HashMap;

use houserule_model::board::BitSet;
use houserule_model::*;

/// What a name refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A declared or built-in slot.
    Slot(SlotId),
    /// A param, by its index.
    Param(usize),
    /// A table.
    Table(TableId),
    /// An element.
    Element(DomainId, u32),
    /// A domain: all its elements.
    Domain(DomainId),
    /// The name of several elements.
    Several,
    /// The player who acts.
    Me,
    /// The other of two players.
    Other,
    /// All players.
    Players,
    /// The empty sites of the first board.
    Empty,
    /// All sites of the first board.
    Cells,
    /// The edge of the first board.
    Edge,
    /// The corners of the first board.
    Corners,
}

/// The names of `g` that the rules don't declare. The names from `empty` on need a board.
pub const WORDS: [&str; 13] = [
    "me",
    "players",
    "mover",
    "starter",
    "turns",
    "round",
    "game_number",
    "total",
    "other",
    "empty",
    "cells",
    "edge",
    "corners",
];

/// The functions of `g` in hooks.
pub const CALLS: [&str; 10] =
    ["cell", "element", "put", "clear", "move", "roll", "pick", "after", "other", "empty"];

/// The functions of `g` in agents, which can't change anything.
pub(super) const AGENT_CALLS: [&str; 9] =
    ["cell", "element", "roll", "pick", "after", "other", "empty", "score", "count"];

/// Sets of sites of a board.
#[derive(Debug)]
pub(super) struct BoardSets {
    pub(super) cells: BitSet,
    pub(super) edge: BitSet,
    pub(super) corners: BitSet,
}

impl BoardSets {
    fn new(model: &Model) -> BoardSets {
        match model.boards.first().map(|board| &board.topology) {
            Some(board) => {
                BoardSets { cells: BitSet::full(board.size()), edge: board.edge(), corners: board.corners() }
            }
            None => BoardSets { cells: BitSet::empty(0), edge: BitSet::empty(0), corners: BitSet::empty(0) },
        }
    }
}

/// The names of a game.
#[derive(Debug)]
pub(super) struct GameNames {
    pub(super) model: Model,
    meanings: HashMap<String, Meaning>,
    /// For each choice, the first action number of each option and the names of its binders.
    pub(super) options: Vec<Vec<(u32, Vec<String>)>>,
    /// Sites of the first board; empty if there is none.
    pub(super) sites: BoardSets,
    /// The lowest number of each range domain.
    pub(super) lows: Vec<Option<i64>>,
}

impl GameNames {
    pub(super) fn new(model: &Model) -> GameNames {
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
                Role::Builtin(Builtin::NextMover | Builtin::ToCome | Builtin::Payoff)
                | Role::Known
                | Role::KnownCopies(_)
                | Role::Place
                | Role::SeenPlace
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
            // Other domains are ranges without a name.
            if domain.name.starts_with(char::is_alphabetic) {
                name(&domain.name, Meaning::Domain(id));
            }
            let names = match &domain.kind {
                DomainKind::Player => &model.players.names,
                DomainKind::Enum(names) => names,
                DomainKind::Record { named, .. } => {
                    for (number, word) in named {
                        name(word, Meaning::Element(id, *number));
                    }
                    continue;
                }
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
        let option = |option: &CheckedOption| {
            let name = |binder: &CheckedBinder| model.locals[binder.local.index()].name.clone();
            (model.actions[option.actions.index()].first, option.binders.iter().map(name).collect())
        };
        let options = model.choices.iter().map(|choice| choice.options.iter().map(option).collect());
        let options = options.collect();
        let mut model = model.clone();
        // Scripts don't need the rules themselves.
        (model.setup, model.turn) = (CheckedBlock::default(), CheckedBlock::default());
        (model.choices, model.scripts) = (vec![], None);
        let lows = model.domains.iter().map(low).collect();
        GameNames { sites: BoardSets::new(&model), model, meanings, options, lows }
    }

    pub(super) fn meaning(&self, word: &str) -> Option<Meaning> {
        self.meanings.get(word).copied()
    }

    /// Iterates over all names and what they refer to.
    pub(super) fn each(&self) -> impl Iterator<Item = (&str, Meaning)> {
        self.meanings.iter().map(|(word, meaning)| (word.as_str(), *meaning))
    }

    /// Returns all names, sorted.
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

    /// Formats a set as the names of its elements.
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
        Builtin::Payoff => "payoff",
    }
}
