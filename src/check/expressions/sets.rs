//! Functions on sites: cells, rows, neighbours, lines and regions.

use super::calls::{Args, lone_name, lone_word};
use crate::checker::Checker;
use crate::draft::Draft;
use crate::names::name_table::Entity;
use crate::names::scopes::Binding;
use crate::values::Val;
use houserule_language::diagnostic::{Code, Diagnostic, Span, did_you_mean};
use houserule_language::syntax;
use houserule_language::syntax::{BinaryOp, ExprKind as S};
use houserule_language::vocabulary::{Function, WordKind};
use houserule_model::board::{LineKinds, Near, Shape};
use houserule_model::*;

/// Splits `level[n]` into the name of a board and its index.
pub(crate) fn board_and_index(e: &syntax::Expr) -> (&syntax::Expr, &[syntax::Expr]) {
    match &e.kind {
        S::Index(base, index) => (base, index),
        _ => (e, &[]),
    }
}

impl<'a> Checker<'a> {
    /// Checks `around(S)` and `beside(S)`.
    pub(super) fn neighbours(&mut self, args: &Args<'a>, want: Option<DomainId>) -> Option<Val> {
        args.check_count(&mut self.draft.messages)?;
        let (of, board) = self.site_set(args.plain[0], want)?;
        self.draft.require_neighbours(args.function.name(), board, args.span)?;
        let near = Near::neighbours(args.function == Function::Beside);
        let kind = CheckedExprKind::Neighbours { board, near, of: Box::new(of) };
        Some(Val::sure(self.draft.build(kind, Type::Set(self.draft.sites_domain(board)), args.span)))
    }

    /// Checks `rows(S)` and `columns(S)`.
    pub(super) fn rows_or_columns(&mut self, args: &Args<'a>) -> Option<Val> {
        args.check_count(&mut self.draft.messages)?;
        let (of, board) = self.site_set(args.plain[0], None)?;
        self.draft.require_rows(args.function.name(), board, args.span)?;
        let topology = &self.draft.model.boards[board.index()].topology;
        let rows = args.function == Function::Rows;
        let most = if rows { topology.height() } else { topology.width() };
        let domain = self.draft.range_domain(1, i64::from(most), args.span)?;
        let of = Box::new(of);
        let kind = if rows { CheckedExprKind::Rows(board, of) } else { CheckedExprKind::Columns(board, of) };
        Some(Val::sure(self.draft.build(kind, Type::Set(domain), args.span)))
    }

    /// Checks `lowest(S)` and `highest(S)`.
    pub(super) fn first_or_last(&mut self, args: &Args<'a>, want: Option<DomainId>) -> Option<Val> {
        args.check_count(&mut self.draft.messages)?;
        if let [of, n] = args.plain[..] {
            return match &of.kind {
                syntax::ExprKind::Values { .. } => self.nth_values(args, of, n),
                _ => self.nth_number(args, of, n),
            };
        }
        let (of, domain) = self.over(args.plain[0], want)?;
        let of = Box::new(of);
        let first = args.function == Function::Lowest;
        let kind = if first { CheckedExprKind::First(of) } else { CheckedExprKind::Last(of) };
        let element = self.draft.build(kind, Type::Element(domain), args.span);
        Some(Val::maybe(element))
    }

    /// Checks `edges(c)`.
    pub(super) fn sides_of_cells(&mut self, args: &Args<'a>) -> Option<Val> {
        args.check_count(&mut self.draft.messages)?;
        let (of, cells) = self.site_set(args.plain[0], None)?;
        let sides = self.sides_declared(cells, args.span)?;
        let kind = CheckedExprKind::SidesOf(sides, Box::new(of));
        Some(Val::sure(self.draft.build(kind, Type::Set(self.draft.sites_domain(sides)), args.span)))
    }

    /// Checks `cells(e)`.
    pub(super) fn cells_at_sides(&mut self, args: &Args<'a>) -> Option<Val> {
        args.check_count_of_form(&mut self.draft.messages, 1)?;
        let (of, sides) = self.site_set(args.plain[0], None)?;
        let Some(cells) = self.draft.model.boards[sides.index()].sides_of else {
            let name = self.draft.model.boards[sides.index()].name.clone();
            let d = Diagnostic::error(
                Code::NotOnThisBoard,
                args.span,
                format!(
                    "`cells(…)` asks which cells lie at a side, and `{name}` has sites that are no sides"
                ),
            )
            .help("sides are declared with `edges side of cell`");
            self.draft.messages.report(d);
            return None;
        };
        let kind = CheckedExprKind::CellsAt(sides, Box::new(of));
        Some(Val::sure(self.draft.build(kind, Type::Set(self.draft.sites_domain(cells)), args.span)))
    }

    /// Checks `empty(board)`, `edge(board)`, `corners(board)` and `cells(board)`.
    pub(super) fn part_of_board(&mut self, args: &Args<'a>) -> Option<Val> {
        args.check_count(&mut self.draft.messages)?;
        let (named, index) = board_and_index(args.plain[0]);
        let board = self.board_named(named)?;
        let index = match index {
            [] => vec![],
            index => {
                let domains = self.draft.model.boards[board.index()].index.clone();
                if index.len() != domains.len() {
                    let name = self.draft.model.boards[board.index()].name.clone();
                    self.draft.report_index_count(&name, &domains, index.len(), args.plain[0].span);
                    return None;
                }
                self.check_index(index, &domains)?
            }
        };
        Some(if args.function == Function::Empty {
            let slot = self.draft.model.boards[board.index()].empty;
            self.slot_value(slot, index, "empty", args.span)
        } else {
            self.draft.board_part(args.function.name(), board, &index, args.span)
        })
    }

    /// Checks `cell(column, row)`, or with a board's name.
    pub(super) fn cell_at(&mut self, board: BoardId, args: &Args<'a>) -> Val {
        self.only_named(args);
        if self.draft.is_track(board) {
            if args.check_count_of_form(&mut self.draft.messages, 1).is_none() {
                return Val::Poison;
            }
            let Some(number) = self.number_of(args.plain[0]) else { return Val::Poison };
            let row = self.draft.number_constant(1, args.span);
            return self.draft.site_in(board, number, row, args.span);
        }
        if self.draft.require_rows(&args.name.text, board, args.span).is_none() {
            return Val::Poison;
        }
        if args.check_count_of_form(&mut self.draft.messages, 0).is_none() {
            return Val::Poison;
        }
        let (column, row) = (self.number_of(args.plain[0]), self.number_of(args.plain[1]));
        let (Some(column), Some(row)) = (column, row) else { return Val::Poison };
        self.draft.site_in(board, column, row, args.span)
    }

    /// Checks a set of sites and returns its board.
    pub(super) fn site_set(
        &mut self,
        e: &'a syntax::Expr,
        want: Option<DomainId>,
    ) -> Option<(CheckedExpr, BoardId)> {
        let want = want.filter(|d| self.draft.board_of(*d).is_some());
        let value = self.expr(e, want);
        let want = match (value.domain(), want) {
            (Some(_), _) => None,
            (None, Some(d)) => Some(d),
            (None, None) => match self.all_boards()[..] {
                [board] => Some(self.draft.sites_domain(board)),
                _ => None,
            },
        };
        if matches!(value.ty(), Some(Type::Number)) {
            self.draft.report_mismatch(e.span, "a set of sites", &value);
            return None;
        }
        let set = self.set(value, want, e.span)?;
        let Type::Set(domain) = set.ty else { return None };
        match self.draft.board_of(domain) {
            Some(board) => Some((set, board)),
            None => {
                self.draft.report_mismatch(e.span, "a set of sites", &Val::sure(set));
                None
            }
        }
    }

    pub(super) fn board_named(&mut self, e: &'a syntax::Expr) -> Option<BoardId> {
        let found = match lone_name(e) {
            Some(name) => self.entity(name),
            None => None,
        };
        match found {
            Some(Entity::Board(board)) => Some(board),
            Some(Entity::Poison) => None,
            _ if lone_word(e)
                .is_some_and(|w| matches!(self.scopes.local(w), Some(Binding::Argument(Val::Poison)))) =>
            {
                None
            }
            _ => {
                let boards = self.all_boards();
                let names: Vec<&str> =
                    boards.iter().map(|b| self.draft.model.boards[b.index()].name.as_str()).collect();
                let better = lone_word(e).and_then(|w| did_you_mean(w, names.iter().copied()));
                let mut d = Diagnostic::error(Code::UnknownBoard, e.span, "expected the name of a board");
                if let Some(better) = better {
                    d = d.help(format!("did you mean `{better}`?"));
                }
                self.draft.messages.report(d);
                None
            }
        }
    }

    /// Checks `row(n)`, `row(c)`, `column(n)` and `column(c)`.
    pub(super) fn row_or_column(&mut self, args: &Args<'a>, want: Option<DomainId>) -> Option<Val> {
        let row = args.function == Function::Row;
        args.check_count(&mut self.draft.messages)?;
        let value = self.expr(args.plain[0], None);
        if matches!(value, Val::Poison) {
            return None;
        }
        if let Some(Type::Element(domain)) = value.ty()
            && let Some(board) = self.draft.board_of(domain)
        {
            // The number of a site on a track is its column.
            if row || !self.draft.is_track(board) {
                self.draft.require_rows(&args.name.text, board, args.span)?;
            }
            let site = Box::new(self.some_element(value, domain, args.plain[0].span)?);
            let kind = if row {
                CheckedExprKind::RowOf(board, site)
            } else {
                CheckedExprKind::ColumnOf(board, site)
            };
            return Some(Val::sure(self.draft.build(kind, Type::Number, args.span)));
        }
        let board = match args.plain.get(1) {
            Some(e) => self.board_named(e),
            None => self.the_board(&args.name.text, want, args.name.span),
        };
        let n = Box::new(self.number(value, args.plain[0].span)?);
        let board = board?;
        self.draft.require_rows(&args.name.text, board, args.span)?;
        let kind = if row { CheckedExprKind::Row(board, n) } else { CheckedExprKind::Column(board, n) };
        Some(Val::sure(self.draft.build(kind, Type::Set(self.draft.sites_domain(board)), args.span)))
    }

    /// Checks `center(width, height)`.
    pub(super) fn center(&mut self, args: &Args<'a>, want: Option<DomainId>) -> Option<Val> {
        args.check_count(&mut self.draft.messages)?;
        let width = self.constant(args.plain[0], "the width of the center");
        let height = self.constant(args.plain[1], "the height of the center");
        let board = match args.plain.get(2) {
            Some(e) => self.board_named(e),
            None => self.the_board("center", want, args.name.span),
        }?;
        let (width, height) = (width?, height?);
        self.draft.require_rows("center", board, args.span)?;
        let topology = &self.draft.model.boards[board.index()].topology;
        match topology.center(width, height) {
            Some(set) => {
                Some(Val::sure(self.draft.set_constant(self.draft.sites_domain(board), set, args.span)))
            }
            None => {
                if !self.draft.is_dead() {
                    let most = format!("{}×{}", topology.width(), topology.height());
                    let message = format!("a center of {width}×{height} does not lie on the board");
                    let d = Diagnostic::error(Code::OutOfRange, args.span, message)
                        .note(format!("the board is {most}"));
                    self.draft.messages.report(d);
                }
                None
            }
        }
    }

    /// Checks `along: across | down`.
    fn along(&mut self, args: &Args<'a>) -> Option<LineKinds> {
        match args.named("along") {
            Some(e) => self.line_kinds(e),
            None => Some(LineKinds::ALL),
        }
    }

    fn line_kinds(&mut self, e: &'a syntax::Expr) -> Option<LineKinds> {
        match &e.kind {
            S::Binary(BinaryOp::Union, a, b) => {
                let (a, b) = (self.line_kinds(a), self.line_kinds(b));
                Some(a?.union(b?))
            }
            S::Hole => {
                self.draft.messages.add_hole();
                None
            }
            _ => {
                let kind = lone_word(e).and_then(LineKinds::named);
                if let (Some(word), true) = (lone_name(e), kind.is_some()) {
                    self.recorder.refer_to_word(WordKind::Line, word);
                }
                if kind.is_none() {
                    let mut d = Diagnostic::error(Code::UnknownWord, e.span, "this is no kind of line")
                        .note("expected `across`, `down` or `diagonal`, or some of them: `across | down`");
                    let word = lone_word(e).unwrap_or("");
                    if let Some(better) = did_you_mean(word, ["across", "down", "diagonal"]) {
                        d = d.help(format!("did you mean `{better}`?"));
                    }
                    self.draft.messages.report(d);
                }
                kind
            }
        }
    }

    /// Checks `lines(S, table)`, `longest(S)` and `runs(S, n)`.
    pub(super) fn along_lines(&mut self, args: &Args<'a>, want: Option<DomainId>) -> Option<Val> {
        args.check_count(&mut self.draft.messages)?;
        let along = self.along(args);
        let of = self.site_set(args.plain[0], want);
        if let Some((_, board)) = of {
            self.draft.require_lines(args, board)?;
        }
        let kind_and_type = match args.function {
            Function::Lines => {
                let value = self.expr(args.plain[1], None);
                let points = self.draft.points(value, args.plain[1].span);
                let ((of, board), along, points) = (of?, along?, points?);
                self.draft.lint_points(&points, board, along, args.plain[1].span);
                (CheckedExprKind::Lines { board, along, of: Box::new(of), points }, Type::Number)
            }
            Function::Longest => {
                let ((of, board), along) = (of?, along?);
                (CheckedExprKind::Longest { board, along, of: Box::new(of) }, Type::Number)
            }
            _ => {
                let length = self.number_of(args.plain[1]);
                let ((of, board), along, length) = (of?, along?, length?);
                let kind = CheckedExprKind::Runs { board, along, of: Box::new(of), length: Box::new(length) };
                (kind, Type::Set(self.draft.sites_domain(board)))
            }
        };
        Some(Val::sure(self.draft.build(kind_and_type.0, kind_and_type.1, args.span)))
    }

    /// Checks `four` or `eight` and returns `true` for `four`. The default is `four`.
    pub(super) fn orthogonal(
        &mut self,
        e: Option<&&'a syntax::Expr>,
        board: Option<BoardId>,
    ) -> Option<bool> {
        let Some(e) = e else { return Some(true) };
        if let Some(word) = lone_name(e).filter(|word| matches!(word.text.as_str(), "four" | "eight")) {
            self.recorder.refer_to_word(WordKind::Sides, word);
        }
        if let Some(board) = board.map(|b| &self.draft.model.boards[b.index()])
            && !board.topology.has_corners()
            && matches!(lone_word(e), Some("four" | "eight"))
        {
            let message = format!("`{}` has neighbours of one kind only", board.name);
            let d = Diagnostic::error(Code::NotOnThisBoard, e.span, message)
                .note("`four` and `eight` tell the sides of a square from its corners")
                .help("leave it out");
            self.draft.messages.report(d);
            return None;
        }
        match lone_word(e) {
            Some("four") => Some(true),
            Some("eight") => Some(false),
            _ => {
                let d = Diagnostic::error(Code::UnknownWord, e.span, "expected `four` or `eight`")
                    .note("`four` goes across sides only, `eight` across corners as well");
                self.draft.messages.report(d);
                None
            }
        }
    }

    /// Checks `connected(S, A, B)`.
    pub(super) fn connected(&mut self, args: &Args<'a>) -> Option<Val> {
        let span = args.span;
        args.check_count(&mut self.draft.messages)?;
        let within = self.site_set(args.plain[0], None);
        let on = within.as_ref().map(|(_, b)| *b);
        let orthogonal = self.orthogonal(args.plain.get(3), on);
        let want = within.as_ref().map(|(_, b)| self.draft.sites_domain(*b));
        let a = self.site_set(args.plain[1], want);
        let b = self.site_set(args.plain[2], want);
        let ((within, board), (a, _), (b, _), orthogonal) = (within?, a?, b?, orthogonal?);
        self.draft.require_neighbours(args.function.name(), board, span)?;
        // `Reach` starts from sites in both sets.
        let reached = self.reached(args, board, orthogonal, a, within)?;
        let ty = reached.ty;
        let both = self.draft.build(CheckedExprKind::Intersect(Box::new(reached), Box::new(b)), ty, span);
        Some(Val::sure(self.draft.is_some(both, span)))
    }

    /// Checks `reach(A, S)` and `component(c, S)`.
    pub(super) fn regions(&mut self, args: &Args<'a>, want: Option<DomainId>) -> Option<Val> {
        let span = args.span;
        args.check_count(&mut self.draft.messages)?;
        let within = self.site_set(args.plain[1], want);
        let on = within.as_ref().map(|(_, b)| *b);
        let orthogonal = self.orthogonal(args.plain.get(2), on);
        let want = within.as_ref().map(|(_, b)| self.draft.sites_domain(*b));
        let seed = self.site_set(args.plain[0], want);
        let ((within, board), (seed, from), orthogonal) = (within?, seed?, orthogonal?);
        if from != board {
            let d = Diagnostic::error(Code::TypeMismatch, span, "both sets must lie on one board");
            self.draft.messages.report(d);
            return None;
        }
        self.draft.require_neighbours(args.function.name(), board, span)?;
        Some(Val::sure(self.reached(args, board, orthogonal, seed, within)?))
    }

    /// What can be reached, by links if an argument names some.
    pub(super) fn reached(
        &mut self,
        args: &Args<'a>,
        board: BoardId,
        orthogonal: bool,
        seed: CheckedExpr,
        within: CheckedExpr,
    ) -> Option<CheckedExpr> {
        let ty = within.ty;
        let (seed, within) = (Box::new(seed), Box::new(within));
        let (joined, links) = match (args.named("through"), args.named("without")) {
            (None, None) => {
                let kind = CheckedExprKind::Reach { board, orthogonal, seed, within };
                return Some(self.draft.build(kind, ty, args.span));
            }
            (Some(through), None) => (true, through),
            (None, Some(without)) => (false, without),
            (Some(_), Some(without)) => {
                let message = "steps go along some links, `through:`, or not across some, `without:`";
                self.draft.messages.report(
                    Diagnostic::error(Code::WrongArgument, without.span, message).help("use one of them"),
                );
                return None;
            }
        };
        let sides = self.sides_declared(board, args.span)?;
        let (set, on) = self.site_set(links, Some(self.draft.sites_domain(sides)))?;
        if on != sides {
            let name = self.draft.model.boards[sides.index()].name.clone();
            self.draft.report_mismatch(links.span, &format!("a set of `{name}`"), &Val::sure(set));
            return None;
        }
        let links = Box::new(set);
        let kind = CheckedExprKind::ReachBy { board, sides, orthogonal, joined, seed, within, links };
        Some(self.draft.build(kind, ty, args.span))
    }

    /// Checks `crossing(e)`.
    pub(super) fn crossing_lines(&mut self, args: &Args<'a>) -> Option<Val> {
        args.check_count(&mut self.draft.messages)?;
        let (of, board) = self.site_set(args.plain[0], None)?;
        if *self.draft.model.boards[board.index()].topology.shape() != Shape::Links {
            let message = format!(
                "`crossing` asks which links cross, and the sites of {} are none",
                self.draft.kind_of(board)
            );
            self.draft.messages.report_unfit_board(
                args.span,
                message,
                "links are declared with `edges link of cell by leap(1, 2)`",
            )?;
        }
        let ty = of.ty;
        Some(Val::sure(self.draft.build(CheckedExprKind::Crossing(board, Box::new(of)), ty, args.span)))
    }

    /// Checks `enclosed(c, s)` and `fill(s)`.
    pub(super) fn enclosed(&mut self, args: &Args<'a>, want: Option<DomainId>) -> Option<Val> {
        let span = args.span;
        let name = args.function.name();
        let of = if args.function == Function::Fill { 0 } else { 1 };
        args.check_count(&mut self.draft.messages)?;
        let set = self.site_set(args.plain[of], want);
        let on = set.as_ref().map(|(_, b)| *b);
        let orthogonal = self.orthogonal(args.plain.get(of + 1), on);
        let want = on.map(|b| self.draft.sites_domain(b));
        let near = if of == 1 { Some(self.site_set(args.plain[0], want)) } else { None };
        let ((set, board), orthogonal) = (set?, orthogonal?);
        self.draft.require_neighbours(name, board, span)?;
        if self.draft.model.boards[board.index()].topology.edge().is_empty() {
            let message = format!(
                "`{name}` asks what can't reach the edge, and {} has none",
                self.draft.kind_of(board)
            );
            self.draft.messages.error(Code::NotOnThisBoard, span, message);
            return None;
        }
        let ty = Type::Set(self.draft.sites_domain(board));
        let set = Box::new(set);
        let kind = match near {
            Some(near) => {
                let (near, of_near) = near?;
                if of_near != board {
                    self.draft.messages.error(Code::TypeMismatch, span, "both sets must lie on one board");
                    return None;
                }
                CheckedExprKind::Enclosed { board, orthogonal, near: Box::new(near), walls: set }
            }
            // A set connected across sides stops paths across corners, and vice versa.
            None => CheckedExprKind::Fill { board, orthogonal: !orthogonal, of: set },
        };
        Some(Val::sure(self.draft.build(kind, ty, span)))
    }

    /// Checks `components(s)`: returns the set, its board and whether only sides connect its sites.
    pub(crate) fn components(&mut self, args: &Args<'a>) -> Option<(CheckedExpr, BoardId, bool)> {
        self.recorder.refer_to_function(args.name.span, args.function);
        self.only_named(args);
        args.check_count(&mut self.draft.messages)?;
        let set = self.site_set(args.plain[0], None);
        let orthogonal = self.orthogonal(args.plain.get(1), set.as_ref().map(|(_, b)| *b));
        let ((set, board), orthogonal) = (set?, orthogonal?);
        self.draft.require_neighbours("components", board, args.span)?;
        Some((set, board, orthogonal))
    }

    /// Checks `custodial(c, s, t)`.
    pub(super) fn custodial(&mut self, args: &Args<'a>, want: Option<DomainId>) -> Option<Val> {
        let span = args.span;
        args.check_count(&mut self.draft.messages)?;
        let from = self.site_set(args.plain[0], want);
        let want = from.as_ref().map(|(_, b)| self.draft.sites_domain(*b));
        let to = self.site_set(args.plain[1], want);
        let through = self.site_set(args.plain[2], want);
        let ((from, board), (to, of_to), (through, of_through)) = (from?, to?, through?);
        if of_to != board || of_through != board {
            let names = [board, of_to, of_through].map(|b| self.draft.model.boards[b.index()].name.clone());
            let d = Diagnostic::error(Code::TypeMismatch, span, "all three must lie on one board")
                .note(format!("they lie on `{}`, `{}` and `{}`", names[0], names[1], names[2]));
            self.draft.messages.report(d);
            return None;
        }
        self.draft.require_lines(args, board)?;
        let (from, to, through) = (Box::new(from), Box::new(to), Box::new(through));
        let kind = CheckedExprKind::Custodial { board, from, to, through };
        Some(Val::sure(self.draft.build(kind, Type::Set(self.draft.sites_domain(board)), span)))
    }
}

impl Draft {
    /// The site in a column and a row. It is never none if the ranges of both show that the board has it.
    fn site_in(&mut self, board: BoardId, column: CheckedExpr, row: CheckedExpr, span: Span) -> Val {
        let topology = &self.model.boards[board.index()].topology;
        let within = |(low, high): &(i64, i64), most: u32| *low >= 1 && *high <= i64::from(most);
        let columns = self.sure_bounds(&column).filter(|range| within(range, topology.width()));
        let rows = self.sure_bounds(&row).filter(|range| within(range, topology.height()));
        let sure = columns.zip(rows).is_some_and(|((left, right), (low, high))| {
            (left..=right).all(|column| (low..=high).all(|row| topology.site_at(column, row).is_some()))
        });
        let kind = CheckedExprKind::Cell { board, column: Box::new(column), row: Box::new(row) };
        let site = self.build(kind, Type::Element(self.sites_domain(board)), span);
        if sure { Val::sure(site) } else { Val::maybe(site) }
    }

    fn sites_domain(&self, board: BoardId) -> DomainId {
        self.model.boards[board.index()].domain
    }
}
