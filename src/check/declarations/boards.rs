//! Boards: their topology, the domain of their sites, and the derived slot of empty sites.

use crate::checker::Checker;
use crate::declarations::board_sizes::numbered;
use crate::draft::Draft;
use crate::expressions::calls::lone_name;
use crate::messages::Messages;
use crate::names::definitions::DefinitionKind;
use crate::names::name_table::{Entity, ResolutionState};
use crate::values::{Val, constant_set, constant_truth};
use houserule_base::limits;
use houserule_language::diagnostic::{Code, Diagnostic, Span, did_you_mean};
use houserule_language::syntax;
use houserule_language::syntax::{Arg, BinaryOp, ExprKind as S, Modifier, ModifierKind, Name};
use houserule_language::vocabulary::{Function, Place, WordKind};
use houserule_model::board::{GraphError, Near, Notation, Shape, Topology};
use houserule_model::*;
use std::collections::HashMap;

/// Help text on the syntax of graphs.
const CHAINS: &str = "write chains of sites joined by dashes: `graph(\"a1-b1-c1 a1-a2\")`";

/// Is this the argument of a grid that says which sites have diagonals?
fn is_diagonal(arg: &Arg) -> bool {
    arg.name.as_ref().is_some_and(|name| name.text == "diagonal")
}

impl<'a> Checker<'a> {
    pub(crate) fn resolve_board(
        &mut self,
        name: &'a Name,
        index: &'a [syntax::Expr],
        topology: &'a syntax::Expr,
        modifiers: &'a [Modifier],
    ) -> Entity {
        if !self.names.board_names.iter().any(|n| n.span == name.span) {
            return Entity::Poison;
        }
        let (written, cuts) = parts(topology);
        let (index, numbered): (Vec<_>, Vec<_>) = index.iter().map(numbered).unzip();
        let index: Vec<Option<DomainId>> = index.into_iter().map(|e| self.index_domain(e)).collect();
        let index: Option<Vec<DomainId>> = index.into_iter().collect();
        let (topology, own_sites) = match (index.as_ref(), numbered.iter().any(Option::is_some)) {
            (Some(index), true) => match self.grids_of_sizes(name, index, &numbered, written, &cuts) {
                Some((topology, own)) => (Some(topology), own),
                None => (None, vec![]),
            },
            (None, true) => (None, vec![]),
            (_, false) => (self.topology(written), vec![]),
        };
        let (Some(index), Some(topology)) = (index, topology) else { return Entity::Poison };
        let manner = self.manner(modifiers, &index, Life::Game, "board");
        let from_top = modifiers.iter().any(|modifier| modifier.kind == ModifierKind::FromTop);
        let topology = if from_top { topology.from_top() } else { topology };
        let visibility = manner.visibility.unwrap_or(Visibility::All);
        let entity = self.draft.add_board(name, index, topology, from_top, visibility, None);
        if let Entity::Board(board) = entity {
            self.draft.keep_own_sites(board, own_sites);
            self.record_sites(board, written);
            // The sites that are left out are named as those of the whole board.
            self.names.set_state(&name.text, ResolutionState::Done(entity.clone()));
            for cut in cuts {
                self.cut_out(board, cut);
            }
            if let S::Call(_, args) = &written.kind
                && let Some(arg) = args.iter().find(|arg| is_diagonal(arg))
            {
                self.keep_diagonals(board, &arg.value);
            }
        }
        entity
    }

    /// Leaves out the diagonal steps that don't lead from one site of a constant set to another.
    fn keep_diagonals(&mut self, board: BoardId, sites: &'a syntax::Expr) {
        let domain = self.draft.model.boards[board.index()].domain;
        let Some((set, over)) = self.set_of(sites, Some(domain)) else { return };
        if over != domain {
            return self.draft.report_mismatch(sites.span, "sites of this board", &Val::sure(set));
        }
        let Some(among) = constant_set(&set).cloned() else {
            return self.draft.messages.report_not_constant(sites.span, "which sites have diagonals");
        };
        let Some(kept) = self.draft.model.boards[board.index()].topology.with_diagonals(&among) else {
            let d =
                Diagnostic::error(Code::WrongArgument, sites.span, "the diagonals of a torus are all there")
                    .help("leave `diagonal:` or `wrap: true` out");
            return self.draft.messages.report(d);
        };
        self.draft.model.boards[board.index()].topology = kept;
    }

    /// Leaves out the sites of a constant set.
    fn cut_out(&mut self, board: BoardId, sites: &'a syntax::Expr) {
        let domain = self.draft.model.boards[board.index()].domain;
        let Some((set, over)) = self.set_of(sites, Some(domain)) else { return };
        if over != domain {
            return self.draft.report_mismatch(sites.span, "sites of this board", &Val::sure(set));
        }
        let Some(gone) = constant_set(&set).cloned() else {
            return self.draft.messages.report_not_constant(sites.span, "which sites a board lacks");
        };
        let of = &self.draft.model.boards[board.index()];
        let Some(cut) = of.topology.without(&gone) else {
            let message = match of.topology.has_rows() {
                true => "this leaves no site of the board".to_owned(),
                false => format!("sites can't be left out of {}", self.draft.kind_of(board)),
            };
            let d = Diagnostic::error(Code::NotOnThisBoard, sites.span, message);
            return self.draft.messages.report(d.note("a `grid` or a `hex` board keeps at least one site"));
        };
        let (empty, size) = (of.empty, cut.size());
        self.draft.model.boards[board.index()].topology = cut;
        self.draft.model.domains[domain.index()].size = size;
        let full = Value::Set(houserule_model::board::BitSet::full(size));
        self.draft.model.slots[empty.index()].initial.fill(full);
    }

    /// Records the names of the sites in the texts of a graph. The first occurrence of a name is its definition.
    fn record_sites(&mut self, board: BoardId, topology: &'a syntax::Expr) {
        let S::Call(_, args) = &topology.kind else { return };
        let board = &self.draft.model.boards[board.index()];
        let mut places: HashMap<&str, Span> = HashMap::new();
        for arg in args {
            let S::Text(text) = &arg.value.kind else { continue };
            let span = arg.value.span;
            let quotes = ((span.end - span.start) as usize).saturating_sub(text.len()) / 2;
            for (at, name) in site_names(text) {
                let start = span.start as usize + quotes + at;
                let place = Span::new(span.file, start, start + name.len());
                match places.get(name) {
                    Some(first) => self.recorder.refer(place, *first),
                    None => {
                        places.insert(name, place);
                        self.recorder.add(DefinitionKind::Site, name, place, place, None);
                        if let Some(site) = board.topology.parse_site(name) {
                            self.recorder.name_element(board.domain, site.0, place);
                        }
                    }
                }
            }
        }
    }

    /// Which sites `edges … by` joins.
    fn linked(&mut self, by: &'a syntax::Expr) -> Option<Near> {
        if let S::Name(name) | S::Call(name, _) = &by.kind
            && let Some(function) = Function::named(&name.text)
        {
            self.recorder.refer_to_function(name.span, function);
        }
        match &by.kind {
            S::Name(name) if name.text == Function::Beside.name() => Some(Near::Beside),
            S::Name(name) if name.text == Function::Around.name() => Some(Near::Around),
            S::Call(name, args) if name.text == Function::Leap.name() && args.len() == 2 => {
                let mut number = |arg: &'a Arg| {
                    self.constant_between(
                        &arg.value,
                        "the columns and rows of a leap",
                        0..=limits::BOARD_SIDE,
                        Code::OutOfRange,
                    )
                };
                let (columns, rows) = (number(&args[0]), number(&args[1]));
                Some(Near::Leap(columns? as u32, rows? as u32))
            }
            _ => {
                let d = Diagnostic::error(Code::WrongArgument, by.span, "this joins no sites")
                    .note("expected `beside`, `around` or a leap such as `leap(1, 2)`");
                self.draft.messages.report(d);
                None
            }
        }
    }

    /// Resolves `edges NAME of BOARD`.
    pub(crate) fn resolve_edges(
        &mut self,
        name: &'a Name,
        of: &'a Name,
        by: Option<&'a syntax::Expr>,
    ) -> Entity {
        let cells = match self.entity(of) {
            Some(Entity::Board(board)) => board,
            Some(Entity::Poison) => return Entity::Poison,
            _ => {
                let boards = self.all_boards();
                let names: Vec<&str> =
                    boards.iter().map(|b| self.draft.model.boards[b.index()].name.as_str()).collect();
                let better = did_you_mean(&of.text, names.iter().copied()).map(str::to_string);
                let message = format!("no board is called `{}`", of.text);
                let mut d = Diagnostic::error(Code::UnknownBoard, of.span, message);
                if let Some(better) = better {
                    d = d.help(format!("did you mean `{better}`?"));
                }
                self.draft.messages.report(d);
                return Entity::Poison;
            }
        };
        if let Some(first) = self.draft.sides_of(cells) {
            let first = self.draft.model.boards[first.index()].name.clone();
            let message = format!("the sides of `{}` are already called `{first}`", of.text);
            self.draft.messages.error(Code::DuplicateEdges, name.span, message);
            return Entity::Poison;
        }
        if !self.draft.model.boards[cells.index()].own_sites.is_empty() {
            let message = format!("the boards `{}` differ in size, so they have no common `edges`", of.text);
            self.draft.messages.error(Code::EdgesOfNoGrid, of.span, message);
            return Entity::Poison;
        }
        let board = &self.draft.model.boards[cells.index()];
        let (index, from_top, visibility) = (board.index.clone(), board.from_top, board.visibility);
        let (near, span) = (by.map(|by| (self.linked(by), by.span)), of.span);
        let board = &self.draft.model.boards[cells.index()];
        let topology = match (near, *board.topology.shape()) {
            (None, Shape::Grid { width, height, wrap: false }) => {
                Some(Topology::sides(width, height, board.topology.notation(), from_top))
            }
            (None, Shape::Sides { .. } | Shape::Links) => None,
            (None, _) => Topology::links(&board.topology, Near::Beside),
            (Some((Some(near), _)), _) => Topology::links(&board.topology, near),
            (Some((None, _)), _) => return Entity::Poison,
        };
        let Some(topology) = topology else {
            let message = format!("no two sites of `{}` are joined so", of.text);
            let d = Diagnostic::error(Code::EdgesOfNoGrid, near.map_or(span, |(_, at)| at), message).note(
                "`edges` are the sides of the cells of a grid, or links between the sites of another board",
            );
            self.draft.messages.report(d);
            return Entity::Poison;
        };
        if i64::from(topology.size()) > limits::DOMAIN {
            let size = u64::from(topology.size());
            self.draft.report_large_domain(&format!("`{}`", name.text), size, name.span);
            return Entity::Poison;
        }
        self.draft.add_board(name, index, topology, from_top, visibility, Some(cells))
    }

    /// Builds `hexagon(side)`, `star(side)` or `triangle(side)`.
    fn outlined(&mut self, function: Function, args: &'a [Arg], span: Span) -> Option<Topology> {
        let (plain, _, notation) = self.board_arguments(function, args);
        let name = function.name();
        let [side] = plain[..] else {
            let message =
                format!("`{name}` takes the length of a side, and here it has {} numbers", plain.len());
            let d = Diagnostic::error(Code::WrongArgumentCount, span, message);
            self.draft.messages.report(d.help(format!("write `{name}(5)`")));
            return None;
        };
        let most = match function {
            Function::Hexagon => (limits::BOARD_SIDE + 1) / 2,
            Function::Star => (limits::BOARD_SIDE - 1) / 4,
            _ => limits::BOARD_SIDE,
        };
        let side = self.constant_between(side, "the side of a board", 1..=most, Code::LimitBoard)? as u32;
        match function {
            Function::Hexagon => Topology::hexagon(side, notation?),
            Function::Star => Topology::star(side, notation?),
            _ => Topology::triangle(side, notation?),
        }
    }

    pub(super) fn topology(&mut self, e: &'a syntax::Expr) -> Option<Topology> {
        let S::Call(kind, args) = &e.kind else {
            if matches!(e.kind, S::Hole) {
                self.draft.messages.add_hole();
            }
            if !matches!(e.kind, S::Hole) {
                self.draft.messages.error(
                    Code::UnknownBoard,
                    e.span,
                    "expected a board such as `grid(6, 6)`",
                );
            }
            return None;
        };
        let function = Function::named(&kind.text).filter(|function| function.place() == Place::Boards);
        let Some(function) = function else {
            let mut d = Diagnostic::error(
                Code::UnknownBoard,
                kind.span,
                format!("there is no board called `{}`", kind.text),
            )
            .note("expected `grid(width, height)`, `hex(width, height)`, `hexagon(side)`, `star(side)`, `triangle(side)`, `track(length)` or `graph(\"a1-b1 …\")`");
            let boards = Function::of_place(Place::Boards).map(Function::name);
            if let Some(better) = did_you_mean(&kind.text, boards) {
                d = d.help(format!("did you mean `{better}`?"));
            }
            self.draft.messages.report(d);
            return None;
        };
        self.recorder.refer_to_function(kind.span, function);
        match function {
            Function::Graph => graph_topology(&mut self.draft.messages, args, e.span),
            Function::Track => self.track(args, e.span),
            Function::Hexagon | Function::Star | Function::Triangle => self.outlined(function, args, e.span),
            _ => self.in_rows(kind, function, args, e.span),
        }
    }

    /// The plain arguments of a board with columns and rows, its `wrap:` and its `names:`; `None` after an error in one.
    fn board_arguments(
        &mut self,
        function: Function,
        args: &'a [Arg],
    ) -> (Vec<&'a syntax::Expr>, Option<bool>, Option<Notation>) {
        let (mut wrap, mut notation) = (Some(false), Some(Notation::Letters));
        let mut plain = vec![];
        for arg in args {
            match arg.name.as_ref() {
                None => plain.push(&arg.value),
                Some(name) if name.text == "wrap" && function == Function::Grid => {
                    self.recorder.refer_to_word(WordKind::Argument, name);
                    wrap = self.wraps(&arg.value);
                }
                Some(name) if name.text == "names" => {
                    self.recorder.refer_to_word(WordKind::Argument, name);
                    if let Some(word) = lone_name(&arg.value) {
                        self.recorder.refer_to_word(WordKind::Notation, word);
                    }
                    notation = match &arg.value.kind {
                        S::Name(Name { text: n, .. }) if n == "letters" => Some(Notation::Letters),
                        S::Name(Name { text: n, .. }) if n == "numbers" => Some(Notation::Numbers),
                        _ => {
                            let message = "expected `letters` (c4) or `numbers` (3:4)";
                            self.draft.messages.error(Code::UnknownWord, arg.value.span, message);
                            None
                        }
                    };
                }
                // The board's sites have no names before it is built.
                Some(name) if name.text == "diagonal" && function == Function::Grid => {
                    self.recorder.refer_to_word(WordKind::Argument, name);
                }
                Some(name) => report_unknown_argument(&mut self.draft.messages, function, name),
            }
        }
        (plain, wrap, notation)
    }

    /// Builds `grid(…)` or `hex(…)`.
    fn in_rows(&mut self, kind: &Name, function: Function, args: &'a [Arg], span: Span) -> Option<Topology> {
        let hex = function == Function::Hex;
        let (sides, wrap, notation) = self.board_arguments(function, args);
        let [width, height] = sides[..] else {
            let name = &kind.text;
            let d = Diagnostic::error(
                Code::WrongArgumentCount,
                if sides.is_empty() { span } else { kind.span },
                format!("`{name}` takes a width and a height, and here it has {}", sides.len()),
            );
            self.draft
                .messages
                .report(d.help(format!("write `{name}({})`", if hex { "11, 11" } else { "6, 6" })));
            return None;
        };
        let sides = 1..=limits::BOARD_SIDE;
        let wide = self.constant_between(width, "the width of a board", sides.clone(), Code::LimitBoard);
        let high = self.constant_between(height, "the height of a board", sides, Code::LimitBoard);
        let (wide, high, notation) = (wide? as u32, high? as u32, notation?);
        Some(if hex {
            Topology::hex(wide, high, notation)
        } else {
            Topology::grid(wide, high, wrap?, notation)
        })
    }

    /// The value of `wrap:`.
    fn wraps(&mut self, e: &'a syntax::Expr) -> Option<bool> {
        let value = self.expr(e, None);
        let truth = self.draft.truth(value, e.span)?;
        let wrap = constant_truth(&truth);
        if wrap.is_none() {
            self.draft.messages.report_not_constant(e.span, "whether a board wraps");
        }
        wrap
    }

    /// Builds `track(length)`.
    fn track(&mut self, args: &'a [Arg], span: Span) -> Option<Topology> {
        let (mut wrap, mut lengths) = (Some(false), vec![]);
        for arg in args {
            match arg.name.as_ref() {
                None => lengths.push(&arg.value),
                Some(name) if name.text == "wrap" => {
                    self.recorder.refer_to_word(WordKind::Argument, name);
                    wrap = self.wraps(&arg.value);
                }
                Some(name) => report_unknown_argument(&mut self.draft.messages, Function::Track, name),
            }
        }
        let [length] = lengths[..] else {
            let message = format!("`track` takes a length, and here it has {} numbers", lengths.len());
            self.draft
                .messages
                .report(Diagnostic::error(Code::WrongArgumentCount, span, message).help("write `track(40)`"));
            return None;
        };
        let length =
            self.constant_between(length, "the length of a track", 1..=limits::DOMAIN, Code::LimitBoard)?;
        Some(Topology::track(length as u32, wrap?))
    }

    /// All boards, resolved.
    pub(crate) fn all_boards(&mut self) -> Vec<BoardId> {
        let mut boards = vec![];
        for name in self.names.board_names.clone() {
            if let Some(Entity::Board(board)) = self.declared_entity(&name.text, name.span) {
                boards.push(board);
            }
        }
        boards
    }

    /// All boards, followed by those of the sides of their cells.
    pub(crate) fn boards_and_sides(&mut self) -> Vec<BoardId> {
        let mut boards = self.all_boards();
        self.resolve_sides();
        let sides = boards.iter().filter_map(|cells| self.draft.sides_of(*cells)).collect::<Vec<_>>();
        boards.extend(sides);
        boards
    }

    /// The default board: that of domain `want`, or the only one. Otherwise reports an error.
    pub(crate) fn the_board(&mut self, what: &str, want: Option<DomainId>, span: Span) -> Option<BoardId> {
        if let Some(board) = want.and_then(|d| self.draft.board_of(d)) {
            return Some(board);
        }
        let boards = self.all_boards();
        match boards[..] {
            [board] => Some(board),
            [] => {
                if self.names.board_names.is_empty()
                    && !self.input.has_hole()
                    && !self.draft.messages.has_reported(Code::NoBoard)
                {
                    let d = Diagnostic::error(
                        Code::NoBoard,
                        span,
                        format!("`{what}` needs a board, and there is none"),
                    )
                    .help(match what {
                        "empty" => {
                            "`empty` is the set of the sites without a piece; whether a set has elements is asked by \
                             `… is nothing` and `… is some`"
                        }
                        _ => "declare one: `board cell = grid(6, 6)`",
                    });
                    self.draft.messages.report(d);
                }
                None
            }
            _ => {
                let names = boards.iter().map(|b| self.draft.model.boards[b.index()].name.as_str());
                let help = match what {
                    "empty" | "edge" | "corners" | "cells" => {
                        let calls: Vec<String> = names.map(|name| format!("`{what}({name})`")).collect();
                        format!("write {}", calls.join(" or "))
                    }
                    "row" | "column" | "center" => {
                        let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
                        format!("name the board last: {}", names.join(" or "))
                    }
                    "cell" => {
                        let calls: Vec<String> = names.map(|name| format!("`{name}(column, row)`")).collect();
                        format!("write {}", calls.join(" or "))
                    }
                    _ => {
                        let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
                        format!("the boards are {}", names.join(", "))
                    }
                };
                let d = Diagnostic::error(
                    Code::AmbiguousName,
                    span,
                    format!("there are several boards: which `{what}`?"),
                )
                .help(help);
                self.draft.messages.report(d);
                None
            }
        }
    }
}

impl Draft {
    fn add_board(
        &mut self,
        name: &Name,
        index: Vec<DomainId>,
        topology: Topology,
        from_top: bool,
        visibility: Visibility,
        sides_of: Option<BoardId>,
    ) -> Entity {
        let Some(family) = self.family(&index, name.span) else { return Entity::Poison };
        let size = topology.size();
        if !self.afford_sets(size, family, name.span) {
            return Entity::Poison;
        }
        let board = BoardId(self.model.boards.len() as u32);
        let kind = DomainKind::Sites(board);
        let domain = self.add_domain(Domain { name: name.text.clone(), kind, size, looks: vec![] });
        let empty = SlotId(self.model.slots.len() as u32);
        let full = Value::Set(houserule_model::board::BitSet::full(size));
        self.model.slots.push(Slot {
            name: "empty".into(),
            index: index.clone(),
            content: Content::Set(domain),
            initial: vec![full; family],
            life: Life::Game,
            role: Role::Empty(board),
            visibility: Visibility::All,
            shown: DisplayForm::Plainly,
            help: String::new(),
            span: Some(name.span),
        });
        let name = name.text.clone();
        self.model.boards.push(Board {
            name,
            domain,
            index,
            topology,
            own_sites: vec![],
            from_top,
            visibility,
            sides_of,
            empty,
            pieces: vec![],
            grounds: vec![],
            look: BoardLook::default(),
        });
        Entity::Board(board)
    }

    /// The board of the sides of a board's cells, if declared.
    pub(super) fn sides_of(&self, cells: BoardId) -> Option<BoardId> {
        let at = self.model.boards.iter().position(|b| b.sides_of == Some(cells))?;
        Some(BoardId(at as u32))
    }

    /// The board whose sites form a domain.
    pub(crate) fn board_of(&self, domain: DomainId) -> Option<BoardId> {
        match self.model.domains[domain.index()].kind {
            DomainKind::Sites(board) => Some(board),
            _ => None,
        }
    }
}

/// The names of the sites in the text of a graph, with their byte offsets.
fn site_names(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let start = text.as_ptr() as usize;
    let names = text.split(|c: char| c.is_whitespace() || c == '-').filter(|name| !name.is_empty());
    names.map(move |name| (name.as_ptr() as usize - start, name))
}

/// Divides `BOARD - S - T` into the board and the sets that are left out.
fn parts(written: &syntax::Expr) -> (&syntax::Expr, Vec<&syntax::Expr>) {
    let (mut board, mut cuts) = (written, vec![]);
    while let S::Binary(BinaryOp::Subtract, from, gone) = &board.kind {
        cuts.push(&**gone);
        board = from;
    }
    cuts.reverse();
    (board, cuts)
}

/// Builds `graph("a1-d1-g1 …", …)`.
fn graph_topology(messages: &mut Messages, args: &[Arg], span: Span) -> Option<Topology> {
    let mut texts = vec![];
    for arg in args {
        match (&arg.name, &arg.value.kind) {
            (Some(name), _) => {
                report_unknown_argument(messages, Function::Graph, name);
                return None;
            }
            (None, S::Text(text)) => texts.push(text.as_str()),
            (None, S::Hole) => {
                messages.add_hole();
                return None;
            }
            (None, _) => {
                let d = Diagnostic::error(Code::WrongArgument, arg.value.span, "a graph is written as text")
                    .help(CHAINS);
                messages.report(d);
                return None;
            }
        }
    }
    let most = limits::DOMAIN as u32;
    let error = match Topology::graph(&texts, most) {
        Ok(topology) => {
            report_repeated_links(messages, args);
            return Some(topology);
        }
        Err(error) => error,
    };
    let holds = |word: &str| {
        args.iter().find(|a| matches!(&a.value.kind, S::Text(t) if t.contains(word))).map(|a| a.value.span)
    };
    let (code, at, message, help) = match &error {
        GraphError::Empty => {
            (Code::GraphEmpty, span, "this graph has no site".to_string(), CHAINS.to_string())
        }
        GraphError::Name(name) if name.is_empty() => (
            Code::GraphName,
            holds("--").or_else(|| holds("- ")).or_else(|| holds(" -")).unwrap_or(span),
            "a dash joins two sites, and here one has none beside it".to_string(),
            CHAINS.to_string(),
        ),
        GraphError::Name(name) => (
            Code::GraphName,
            holds(name).unwrap_or(span),
            format!("`{name}` can't be the name of a site"),
            "names are letters and digits; `none` is no site".to_string(),
        ),
        GraphError::Capitals(first, second) => (
            Code::GraphName,
            holds(second).unwrap_or(span),
            format!("`{first}` and `{second}` differ only in capitals"),
            "players may type either, so write each site in one way".to_string(),
        ),
        GraphError::Twice(name) => (
            Code::GraphChain,
            holds(name).unwrap_or(span),
            format!("a chain comes through `{name}` twice"),
            "begin another chain there; only a ring comes back, to its first site: `a-b-c-a`".to_string(),
        ),
        GraphError::Large(most) => (
            Code::LimitBoard,
            span,
            format!("this graph has more than {most} sites"),
            "make it smaller".to_string(),
        ),
    };
    messages.report(Diagnostic::error(code, at, message).help(help));
    None
}

/// Warns of links of a graph that are written again, in either direction.
fn report_repeated_links(messages: &mut Messages, args: &[Arg]) {
    let mut links: HashMap<(&str, &str), Span> = HashMap::new();
    for arg in args {
        let S::Text(text) = &arg.value.kind else { continue };
        let span = arg.value.span;
        let quotes = ((span.end - span.start) as usize).saturating_sub(text.len()) / 2;
        for chain in text.split_whitespace() {
            let names: Vec<&str> = chain.split('-').collect();
            let mut start = span.start as usize + quotes + (chain.as_ptr() as usize - text.as_ptr() as usize);
            for pair in names.windows(2) {
                let (first, second) = (pair[0], pair[1]);
                let place = Span::new(span.file, start, start + first.len() + 1 + second.len());
                start += first.len() + 1;
                let Some(known) = links.insert((first.min(second), first.max(second)), place) else {
                    continue;
                };
                let message =
                    format!("`{first}` and `{second}` are linked twice, but two sites have one link at most");
                let d = Diagnostic::warning(Code::GraphLinkTwice, place, message)
                    .also(known, "linked here")
                    .help(format!(
                        "write it once; for a second way, put a site into it: `{first}-{first}_{second}-{second}`"
                    ));
                messages.report(d);
            }
        }
    }
}

/// Reports an argument with a name that a kind of board doesn't have.
fn report_unknown_argument(messages: &mut Messages, function: Function, name: &Name) {
    let message = format!("`{}` has no `{}:`", function.name(), name.text);
    let known: Vec<String> = function.named_arguments().map(|name| format!("`{name}:`")).collect();
    let mut d = Diagnostic::error(Code::WrongArgument, name.span, message);
    if !known.is_empty() {
        d = d.note(format!("expected {}", known.join(" or ")));
    }
    messages.report(d);
}
