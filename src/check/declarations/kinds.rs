//! Which site functions each kind of board supports, and the messages for those it doesn't.

use crate::checker::Checker;
use crate::draft::Draft;
use crate::expressions::calls::{Args, lone_name};
use crate::expressions::sets::board_and_index;
use crate::names::name_table::Entity;
use houserule_language::diagnostic::Span;
use houserule_language::syntax::Name;
use houserule_model::board::Shape;
use houserule_model::*;

impl<'a> Checker<'a> {
    /// The sides of a board's cells, which must have been declared.
    pub(crate) fn sides_declared(&mut self, cells: BoardId, span: Span) -> Option<BoardId> {
        self.resolve_sides();
        let found = self.draft.sides_of(cells);
        if found.is_none() {
            let board = &self.draft.model.boards[cells.index()];
            let (name, kind) = (board.name.clone(), self.draft.kind_of(cells));
            let message = format!("{kind} has no `edges`");
            let help = match board.topology.shape() {
                Shape::Sides { .. } | Shape::Links => String::new(),
                _ => format!("declare them: `edges side of {name}`"),
            };
            self.draft.messages.report_unfit_board(span, message, &help)?;
        }
        found
    }

    /// Returns `true` if the argument is the name of a board of cells, or missing.
    pub(crate) fn names_a_board(&mut self, args: &Args<'a>) -> bool {
        let named = args.plain.first().and_then(|e| lone_name(board_and_index(e).0));
        let Some(name) = named else { return args.plain.is_empty() };
        match self.declared_board(name) {
            Some(board) => self.draft.model.boards[board.index()].sides_of.is_none(),
            None => false,
        }
    }

    fn declared_board(&mut self, name: &Name) -> Option<BoardId> {
        match self.declared_entity(&name.text, name.span) {
            Some(Entity::Board(board)) => Some(board),
            _ => None,
        }
    }

    /// Resolves all declarations of `edges`, because they are found by their cells, not by their names.
    pub(super) fn resolve_sides(&mut self) {
        let game = self.input.game;
        for decl in &game.decls {
            if let houserule_language::syntax::DeclKind::Edges { name, .. } = &decl.kind {
                self.declared_entity(&name.text, name.span);
            }
        }
    }
}

impl Draft {
    /// A board with its kind, for messages: `point` (a graph).
    pub(crate) fn kind_of(&self, board: BoardId) -> String {
        let board = &self.model.boards[board.index()];
        let kind = match board.topology.shape() {
            Shape::Graph => "a graph",
            Shape::Track { .. } => "a track",
            Shape::Sides { .. } => "the sides of cells",
            Shape::Links => "the links between sites",
            Shape::Hex { .. } | Shape::Cut { hex: true, .. } => "a hex board",
            Shape::Cut { .. } if board.topology.has_chosen_diagonals() => "a grid with some diagonals",
            Shape::Cut { .. } => "a grid with sites left out",
            Shape::Grid { .. } => "a grid",
        };
        format!("`{}` ({kind})", board.name)
    }

    /// Reports that `what` needs columns and rows, unless a board has them.
    pub(crate) fn require_rows(&mut self, what: &str, board: BoardId, span: Span) -> Option<()> {
        let topology = &self.model.boards[board.index()].topology;
        if topology.has_rows() {
            return Some(());
        }
        let help = match topology.shape() {
            Shape::Sides { .. } | Shape::Links => "ask the cells at the sides: `cells(e)`".to_owned(),
            _ => {
                let some = topology.sites().take(3).map(|site| format!("@{}", topology.site_name(site)));
                format!("name the sites: `{{{}}}`", some.collect::<Vec<_>>().join(", "))
            }
        };
        let message =
            format!("`{what}` needs a board of columns and rows, and {} has none", self.kind_of(board));
        self.messages.report_unfit_board(span, message, &help)
    }

    /// Returns `true` if a board is a track, whose sites have numbers.
    pub(crate) fn is_track(&self, board: BoardId) -> bool {
        matches!(self.model.boards[board.index()].topology.shape(), Shape::Track { .. })
    }

    /// Reports an error unless the sites of a board have neighbours.
    pub(crate) fn require_neighbours(&mut self, what: &str, board: BoardId, span: Span) -> Option<()> {
        if !matches!(self.model.boards[board.index()].topology.shape(), Shape::Sides { .. } | Shape::Links) {
            return Some(());
        }
        let message =
            format!("`{what}` goes from neighbour to neighbour, and {} have none", self.kind_of(board));
        self.messages.report_unfit_board(
            span,
            message,
            "go by the cells: `cells(e)` lie at a side, `edges(c)` are the sides of a cell",
        )
    }

    /// Reports an error unless a board has lines of the requested kinds.
    pub(crate) fn require_lines(&mut self, args: &Args<'_>, board: BoardId) -> Option<()> {
        let what = &args.name.text;
        match self.model.boards[board.index()].topology.shape() {
            Shape::Sides { .. } | Shape::Links => {
                let message = format!("`{what}` looks along lines, and {} have none", self.kind_of(board));
                self.messages.report_unfit_board(args.span, message, "")
            }
            Shape::Graph | Shape::Track { .. } => match args.named("along") {
                Some(along) => {
                    let message = format!("the lines of {} are of one kind", self.kind_of(board));
                    self.messages.report_unfit_board(along.span, message, "leave `along:` out")
                }
                None => Some(()),
            },
            Shape::Grid { .. } | Shape::Hex { .. } | Shape::Cut { .. } => Some(()),
        }
    }
}
