//! Boards: their topology, their sites as a domain, and the derived slot of empty sites.

use super::Checker;
use super::build::constant_truth;
use super::scope::Entity;
use crate::board::{Notation, Topology};
use crate::diagnostic::{Diagnostic, Span, did_you_mean};
use crate::lang::limits;
use crate::lang::model::*;
use crate::lang::syntax::{self, Arg, ExprKind as S, Modifier, ModifierKind, Name};

impl<'a> Checker<'a> {
    pub(super) fn resolve_board(
        &mut self,
        name: &'a Name,
        index: &'a [syntax::Expr],
        topology: &'a syntax::Expr,
        modifiers: &'a [Modifier],
    ) -> Entity {
        if !self.board_names.iter().any(|n| n.span == name.span) {
            return Entity::Poison;
        }
        let index = self.index_domains(index);
        let topology = self.topology(topology);
        let mut from_top = false;
        for modifier in modifiers {
            match modifier.kind {
                ModifierKind::FromTop => from_top = true,
                ModifierKind::SeenByAll => {}
                ModifierKind::SeenByOwner | ModifierKind::SeenByNone => {
                    self.not_yet(modifier.span, "a board that not everybody sees");
                }
                _ => self.error("misplaced", modifier.span, "this does not go with a board"),
            }
        }
        let (Some(index), Some(topology)) = (index, topology) else { return Entity::Poison };
        let Some(family) = self.family(&index, name.span) else { return Entity::Poison };
        let size = topology.size();
        if !self.afford_sets(size, family, name.span) {
            return Entity::Poison;
        }
        let board = BoardId(self.model.boards.len() as u32);
        let kind = DomainKind::Sites(board);
        let domain = self.add_domain(Domain { name: name.text.clone(), kind, size });
        let empty = SlotId(self.model.slots.len() as u32);
        let full = Value::Set(crate::board::BitSet::full(size));
        self.model.slots.push(Slot {
            name: "empty".into(),
            index: index.clone(),
            content: Content::Set(domain),
            initial: vec![full; family],
            life: Life::Game,
            role: Role::Empty(board),
            visibility: Visibility::All,
            help: String::new(),
            span: Some(name.span),
        });
        let name = name.text.clone();
        self.model.boards.push(Board { name, domain, index, topology, from_top, empty, pieces: vec![] });
        Entity::Board(board)
    }

    fn topology(&mut self, e: &'a syntax::Expr) -> Option<Topology> {
        let S::Call(kind, args) = &e.kind else {
            self.holes |= matches!(e.kind, S::Hole);
            if !matches!(e.kind, S::Hole) {
                self.error("unknown-board", e.span, "expected a board such as `grid(6, 6)`");
            }
            return None;
        };
        match kind.text.as_str() {
            "grid" => self.grid(kind, args, e.span),
            "hex" | "track" | "graph" => {
                self.not_yet(kind.span, &format!("a `{}` board", kind.text));
                None
            }
            other => {
                let mut d = Diagnostic::error(
                    "unknown-board",
                    kind.span,
                    format!("there is no board called `{other}`"),
                )
                .note("expected `grid(width, height)`");
                if let Some(better) = did_you_mean(other, ["grid", "hex", "track", "graph"]) {
                    d = d.help(format!("did you mean `{better}`?"));
                }
                self.report(d);
                None
            }
        }
    }

    fn grid(&mut self, kind: &Name, args: &'a [Arg], span: Span) -> Option<Topology> {
        let (mut wrap, mut notation) = (Some(false), Some(Notation::Letters));
        let mut sides = vec![];
        for arg in args {
            match arg.name.as_ref() {
                None => sides.push(&arg.value),
                Some(name) if name.text == "wrap" => {
                    let value = self.expr(&arg.value, None);
                    let truth = self.truth(value, arg.value.span);
                    wrap = truth.as_ref().and_then(constant_truth);
                    if truth.is_some() && wrap.is_none() {
                        self.not_constant(arg.value.span, "whether a board wraps");
                    }
                }
                Some(name) if name.text == "names" => {
                    notation = match &arg.value.kind {
                        S::Name(n) if n == "letters" => Some(Notation::Letters),
                        S::Name(n) if n == "numbers" => Some(Notation::Numbers),
                        _ => {
                            let message = "expected `letters` (c4) or `numbers` (3:4)";
                            self.error("unknown-word", arg.value.span, message);
                            None
                        }
                    };
                }
                Some(name) => {
                    let d = Diagnostic::error(
                        "wrong-argument",
                        name.span,
                        format!("`grid` has no `{}:`", name.text),
                    )
                    .note("expected `wrap:` or `names:`");
                    self.report(d);
                }
            }
        }
        let [width, height] = sides[..] else {
            let d = Diagnostic::error(
                "wrong-argument-count",
                if sides.is_empty() { span } else { kind.span },
                format!("`grid` takes a width and a height, and here it has {}", sides.len()),
            );
            self.report(d.help("write `grid(6, 6)`"));
            return None;
        };
        let sides = (1, limits::BOARD_SIDE);
        let wide = self.constant_between(width, "the width of a board", sides, "limit-board");
        let high = self.constant_between(height, "the height of a board", sides, "limit-board");
        Some(Topology::grid(wide? as u32, high? as u32, wrap?, notation?))
    }

    /// The board whose sites a domain is.
    pub(super) fn board_of(&self, domain: DomainId) -> Option<BoardId> {
        match self.model.domains[domain.index()].kind {
            DomainKind::Sites(board) => Some(board),
            _ => None,
        }
    }

    /// Every board, resolved.
    pub(super) fn all_boards(&mut self) -> Vec<BoardId> {
        let mut boards = vec![];
        for name in self.board_names.clone() {
            if let Some(Entity::Board(board)) = self.entity(&name.text, name.span) {
                boards.push(board);
            }
        }
        boards
    }

    /// The board that is meant where none is named: the wanted one, or the only one.
    pub(super) fn the_board(&mut self, what: &str, want: Option<DomainId>, span: Span) -> Option<BoardId> {
        if let Some(board) = want.and_then(|d| self.board_of(d)) {
            return Some(board);
        }
        let boards = self.all_boards();
        match boards[..] {
            [board] => Some(board),
            [] => {
                if self.board_names.is_empty() && !self.has_hole() && !self.told("no-board") {
                    let d = Diagnostic::error(
                        "no-board",
                        span,
                        format!("`{what}` needs a board, and there is none"),
                    )
                    .help("declare one: `board cell = grid(6, 6)`");
                    self.report(d);
                }
                None
            }
            _ => {
                let names: Vec<String> =
                    boards.iter().map(|b| format!("`{}`", self.model.boards[b.index()].name)).collect();
                let d = Diagnostic::error(
                    "ambiguous-name",
                    span,
                    format!("there are several boards: which `{what}`?"),
                )
                .help(format!("name the board in parentheses: {}", names.join(", ")));
                self.report(d);
                None
            }
        }
    }
}
