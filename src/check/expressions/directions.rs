//! Directions: their domain, and the functions that go in one.

use std::collections::BTreeSet;

use super::calls::{Args, lone_name, lone_word};
use super::expr::SetMember;
use crate::checker::Checker;
use crate::draft::Draft;
use crate::names::scopes::Binding;
use crate::values::{May, Val, constant_set};
use houserule_base::limits;
use houserule_language::diagnostic::{Code, Diagnostic, Span, did_you_mean};
use houserule_language::syntax;
use houserule_language::syntax::{Name, Quantifier};
use houserule_language::vocabulary::{Function, WordKind};
use houserule_model::board::{BitSet, Near, Shape, Site};
use houserule_model::*;

/// The number of directions up to which a function of a computed direction is a case for each.
const FEW: usize = 4;

/// A value that may be none, where it is known to be an element.
fn never_none(value: Val) -> Val {
    match value {
        Val::Expr(e, _) => Val::sure(e),
        other => other,
    }
}

/// A function of a direction, and what it goes from.
struct Going {
    function: Function,
    board: BoardId,
    /// A set of sites.
    of: CheckedExpr,
    /// `of` is a single site.
    single: bool,
    /// The sites that a slide goes through.
    through: Option<CheckedExpr>,
    span: Span,
}

impl<'a> Checker<'a> {
    /// The domain of the directions of all boards, in the order of the boards.
    pub(crate) fn direction_domain(&mut self, span: Span) -> Option<DomainId> {
        if self.names.directions.is_none() {
            let mut names: Vec<String> = vec![];
            for board in self.all_boards() {
                for direction in self.draft.model.boards[board.index()].topology.directions() {
                    if !names.iter().any(|name| name == direction.name) {
                        names.push(direction.name.to_owned());
                    }
                }
            }
            if names.is_empty() {
                let d = Diagnostic::error(Code::NotOnThisBoard, span, "no board has directions")
                    .help("a `grid`, a `hex` board and a `track` have some");
                self.draft.messages.report(d);
                return None;
            }
            let size = names.len() as u32;
            let kind = DomainKind::Enum(names);
            self.names.directions =
                Some(self.draft.add_domain(Domain { name: "direction".into(), kind, size, looks: vec![] }));
        }
        self.names.directions
    }

    /// The direction with this name, if a board has one.
    pub(crate) fn direction_value(&mut self, name: &'a Name, span: Span) -> Option<Val> {
        // A board being resolved can't be asked for its directions.
        if self
            .names
            .resolving
            .iter()
            .any(|(name, _)| self.names.board_names.iter().any(|board| board.text == *name))
        {
            return None;
        }
        let boards = self.all_boards();
        let on = |board: &BoardId| {
            self.draft.model.boards[board.index()].topology.direction_named(&name.text).is_some()
        };
        if !boards.iter().any(on) {
            return None;
        }
        let domain = self.direction_domain(span)?;
        let place = self.draft.enum_names(domain).iter().position(|one| *one == name.text)?;
        self.recorder.refer_to_word(WordKind::Direction, name);
        Some(Val::sure(self.draft.constant_element(domain, place as u32, span)))
    }

    /// Checks `directions(board)`.
    pub(super) fn directions_of(&mut self, args: &Args<'a>) -> Option<Val> {
        args.check_count(&mut self.draft.messages)?;
        let board = self.board_named(args.plain[0])?;
        let orthogonal = match args.plain.get(1) {
            Some(_) => self.orthogonal(args.plain.get(1), Some(board))?,
            None => false,
        };
        self.draft.require_directions(args.function, board, args.span)?;
        let domain = self.direction_domain(args.span)?;
        let (names, size) = (self.draft.enum_names(domain), self.draft.size(domain));
        let topology = &self.draft.model.boards[board.index()].topology;
        let wanted = topology.directions().iter().filter(|d| d.orthogonal || !orthogonal);
        let places = wanted.filter_map(|d| names.iter().position(|name| name == d.name));
        let set = BitSet::from_elements(size, places.map(|place| place as u32));
        Some(Val::sure(self.draft.set_constant(domain, set, args.span)))
    }

    /// Checks `reverse(d)`.
    pub(super) fn reversed(&mut self, args: &Args<'a>) -> Option<Val> {
        args.check_count(&mut self.draft.messages)?;
        let domain = self.direction_domain(args.span)?;
        let value = self.expr(args.plain[0], Some(domain));
        let direction = self.some_element(value, domain, args.plain[0].span)?;
        let names = self.draft.enum_names(domain);
        let back = |name: &String| {
            let on = |board: &Board| {
                let (all, at) = (board.topology.directions(), board.topology.direction_named(name)?);
                let d = &all[at as usize];
                let back = board.topology.direction_toward((-d.dx).into(), (-d.dy).into())?;
                names.iter().position(|one| one == all[back as usize].name)
            };
            self.draft.model.boards.iter().find_map(on).map_or(-1, |place| place as i64)
        };
        let values = names.iter().map(back).collect();
        let table = self.draft.known_table("reverse", vec![domain], values);
        Some(Val::sure(self.draft.build(
            CheckedExprKind::Table(table, vec![direction]),
            Type::Element(domain),
            args.span,
        )))
    }

    /// Checks `leap(S, m, n)`.
    pub(super) fn leap(&mut self, args: &Args<'a>, want: Option<DomainId>) -> Option<Val> {
        args.check_count(&mut self.draft.messages)?;
        let of = self.site_set(args.plain[0], want);
        let side = 0..=limits::BOARD_SIDE;
        let what = "the columns and rows of a leap";
        let columns = self.constant_between(args.plain[1], what, side.clone(), Code::OutOfRange);
        let rows = self.constant_between(args.plain[2], what, side, Code::OutOfRange);
        let ((of, board), columns, rows) = (of?, columns?, rows?);
        if !matches!(
            self.draft.model.boards[board.index()].topology.shape(),
            Shape::Grid { .. } | Shape::Cut { hex: false, .. }
        ) {
            let message = format!(
                "`leap` counts columns and rows of squares, and this is {}",
                self.draft.kind_of(board)
            );
            self.draft.messages.report_unfit_board(
                args.span,
                message,
                "go by directions: `toward(toward(c, d), e)`",
            )?;
        }
        let near = Near::Leap(columns as u32, rows as u32);
        let ty = of.ty;
        Some(Val::sure(self.draft.build(
            CheckedExprKind::Neighbours { board, near, of: Box::new(of) },
            ty,
            args.span,
        )))
    }

    /// Checks `toward(c, d)`, `shift(s, d)`, `ray(c, d)` and `slide(c, d, s)`.
    pub(super) fn directed(&mut self, args: &Args<'a>, want: Option<DomainId>) -> Option<Val> {
        args.check_count(&mut self.draft.messages)?;
        let want = want.filter(|d| self.draft.board_of(*d).is_some());
        let value = self.expr(args.plain[0], want);
        let single = matches!(value.ty(), Some(Type::Element(_)));
        let sure = matches!(value, Val::Expr(_, May::Never)) && single;
        let domain = value.domain().or(want);
        let of = self.set(value, domain, args.plain[0].span)?;
        let Type::Set(domain) = of.ty else { return None };
        let Some(board) = self.draft.board_of(domain) else {
            self.draft.report_mismatch(args.plain[0].span, "a set of sites", &Val::sure(of));
            return None;
        };
        self.draft.require_directions(args.function, board, args.span)?;
        let through = match args.plain.get(2) {
            Some(e) => {
                let (set, on) = self.site_set(e, Some(domain))?;
                if on != board {
                    self.draft.messages.error(
                        Code::TypeMismatch,
                        args.span,
                        "both sets must lie on one board",
                    );
                    return None;
                }
                Some(set)
            }
            None => None,
        };
        let start = self.draft.copy(&of);
        let going = Going { function: args.function, board, of, single, through, span: args.span };
        let value = self.in_direction(args, &going, sure)?;
        match args.named("through").or(args.named("without")) {
            Some(links) => self.along_links(args, &going, start, value, links.span),
            None => Some(value),
        }
    }

    /// The value of a function in the direction that its second argument names.
    fn in_direction(&mut self, args: &Args<'a>, going: &Going, sure: bool) -> Option<Val> {
        let board = going.board;
        let word = args.plain[1];
        let topology = &self.draft.model.boards[board.index()].topology;
        if let Some(name) = lone_name(word)
            && let Some(direction) = topology.direction_named(&name.text)
        {
            self.recorder.refer_to_word(WordKind::Direction, name);
            let leads = sure && self.draft.always_leads(board, direction);
            let value = self.draft.value_in_direction(going, Some(direction));
            return Some(if leads { never_none(value) } else { value });
        }
        let unknown = |word: &&str| self.scopes.local(word).is_none() && !self.names.is_declared(word);
        if let Some(word_text) = lone_word(word).filter(unknown) {
            let names: Vec<&str> = topology.directions().iter().map(|d| d.name).collect();
            let mut d =
                Diagnostic::error(Code::UnknownDirection, word.span, "this is no direction of the board")
                    .note(format!("expected one of {}", names.join(", ")));
            if let Some(better) = did_you_mean(word_text, names.iter().copied()) {
                d = d.help(format!("did you mean `{better}`?"));
            }
            self.draft.messages.report(d);
            return None;
        }
        let domain = self.direction_domain(word.span)?;
        let value = self.expr(word, Some(domain));
        let direction = self.some_element(value, domain, word.span)?;
        let topology = &self.draft.model.boards[board.index()].topology;
        let all = self.draft.enum_names(domain).iter().all(|name| {
            topology.direction_named(name).is_some_and(|direction| self.draft.always_leads(board, direction))
        });
        let value = self.draft.value_by_direction(going, &direction, domain);
        Some(if sure && all { never_none(value) } else { value })
    }

    /// The sites in a direction that can be reached along some links, `through:`, or not across some, `without:`.
    fn along_links(
        &mut self,
        args: &Args<'a>,
        going: &Going,
        start: CheckedExpr,
        value: Val,
        links: Span,
    ) -> Option<Val> {
        let Val::Expr(set, _) = value else { return Some(value) };
        if !going.single {
            let name = going.function.name();
            let message = format!("with links, `{name}` goes from one site");
            let d = Diagnostic::error(Code::WrongArgument, links, message)
                .help(format!("write `union c in S: {name}(c, …)` for those of a set"));
            self.draft.messages.report(d);
            return None;
        }
        let (ty, span) = (set.ty, args.span);
        let from = Box::new(self.draft.copy(&start));
        let line = self.draft.build(CheckedExprKind::Union(Box::new(set), from), ty, span);
        let from = self.draft.copy(&start);
        let reached = Box::new(self.reached(args, going.board, false, from, line)?);
        Some(Val::sure(self.draft.build(CheckedExprKind::Minus(reached, Box::new(start)), ty, span)))
    }

    /// Checks a quantifier over known directions as a case for each: then each case is a plain function of whole sets.
    /// Returns `None` for a quantifier or a set that needs a loop.
    pub(super) fn over_directions(
        &mut self,
        op: Quantifier,
        member: SetMember<'a, '_>,
        over: &CheckedExpr,
        body: &'a syntax::Expr,
        want: Option<DomainId>,
        span: Span,
    ) -> Option<Val> {
        use Quantifier as Q;
        let SetMember { name, domain, filter, .. } = member;
        let places: Vec<u32> = constant_set(over)?.iter().collect();
        if !self.names.is_direction(domain) || matches!(op, Q::Min | Q::Max | Q::Best | Q::AllBest) {
            return None;
        }
        let mut all = vec![];
        for place in places {
            let direction = Val::sure(self.draft.constant_element(domain, place, span));
            let case = self.scoped(vec![], |c| {
                c.bind(name, Binding::Argument(direction));
                let allowed = c.check_filter(filter)?;
                let value = c.expr(body, if op == Q::Union { want } else { None });
                let value = match op {
                    Q::Any | Q::All | Q::Count => c.draft.truth(value, body.span)?,
                    Q::Union => c.set(value, want, body.span)?,
                    Q::Sum | Q::Min | Q::Max | Q::Best | Q::AllBest => c.number(value, body.span)?,
                };
                Some(c.draft.allowed(op, allowed, value, span))
            });
            match case {
                Some(case) => all.push(case),
                None => return Some(Val::Poison),
            }
        }
        let first = all.first()?.ty;
        Some(Val::sure(match (op, first) {
            (Q::Any, _) => self.draft.balanced(all, &mut |c, a, b| {
                c.build(CheckedExprKind::Or(Box::new(a), Box::new(b)), Type::Bool, span)
            })?,
            (Q::All, _) => self.draft.balanced(all, &mut |c, a, b| c.and(a, b, span))?,
            (_, Type::Set(domain)) => self.draft.union_of(all, domain, span),
            _ => self.draft.sum_of(all, span),
        }))
    }
}

impl Draft {
    fn require_directions(&mut self, function: Function, board: BoardId, span: Span) -> Option<()> {
        let topology = &self.model.boards[board.index()].topology;
        if !topology.directions().is_empty() {
            return Some(());
        }
        let name = function.name();
        let message = format!("`{name}` goes in a direction, and {} has none", self.kind_of(board));
        let mut d = Diagnostic::error(Code::NotOnThisBoard, span, message);
        if *topology.shape() == Shape::Graph {
            d = d.help("`beside(c)` are the sites that are joined to a site, and `runs` and `longest` go along the chains");
        }
        self.messages.report(d);
        None
    }

    /// A set moved one step in a direction that may be computed.
    pub(crate) fn shifted(
        &mut self,
        board: BoardId,
        of: CheckedExpr,
        direction: &CheckedExpr,
        span: Span,
    ) -> Option<CheckedExpr> {
        self.require_directions(Function::Shift, board, span)?;
        let Type::Element(domain) = direction.ty else { return None };
        let going = Going { function: Function::Shift, board, of, single: false, through: None, span };
        match self.value_by_direction(&going, direction, domain) {
            Val::Expr(set, _) => Some(set),
            _ => None,
        }
    }

    /// Returns `true` if a direction leads from every site of a board to another, as on a ring.
    fn always_leads(&self, board: BoardId, direction: u32) -> bool {
        let topology = &self.model.boards[board.index()].topology;
        topology.sites().all(|site| topology.step(site, direction).is_some())
    }

    /// The value of a function in a direction of the board. Without a direction it has no sites.
    fn value_in_direction(&mut self, going: &Going, direction: Option<u32>) -> Val {
        let (board, ty, span) = (going.board, going.of.ty, going.span);
        let Type::Set(domain) = ty else { return Val::Poison };
        let single = going.single && matches!(going.function, Function::Toward | Function::Step);
        let set = match direction {
            Some(direction) => {
                let of = Box::new(self.copy(&going.of));
                let through = going.through.as_ref().map(|through| Box::new(self.copy(through)));
                let kind = match (going.function, through) {
                    (_, Some(through)) => CheckedExprKind::Slide { board, direction, of, through },
                    (Function::Ray, None) => CheckedExprKind::Ray { board, direction, of },
                    _ => CheckedExprKind::Shift { board, direction, of },
                };
                self.build(kind, ty, span)
            }
            None => self.empty_set(domain, span),
        };
        if single {
            return Val::maybe(self.build(
                CheckedExprKind::First(Box::new(set)),
                Type::Element(domain),
                span,
            ));
        }
        Val::sure(set)
    }

    /// The value of a function in a computed direction: a case for each direction that it can be.
    fn value_by_direction(&mut self, going: &Going, direction: &CheckedExpr, domain: DomainId) -> Val {
        let possible: Vec<u32> = self.possible(direction, domain).into_iter().collect();
        let site = match &going.of.kind {
            CheckedExprKind::Elements(list) if list.len() == 1 => Some(&list[0]),
            _ => None,
        };
        if let (Function::Toward | Function::Step, true, Some(site)) =
            (going.function, possible.len() > FEW, site)
        {
            let index = vec![self.copy(direction), self.copy(site)];
            let table = self.steps(going.board, domain);
            let ty = site.ty;
            return Val::maybe(self.build(CheckedExprKind::Table(table, index), ty, going.span));
        }
        let names = self.enum_names(domain);
        let mut result = None;
        for place in possible.into_iter().rev() {
            let topology = &self.model.boards[going.board.index()].topology;
            let number = topology.direction_named(&names[place as usize]);
            let Val::Expr(here, may) = self.value_in_direction(going, number) else { return Val::Poison };
            let e = match result.take() {
                None => here,
                Some((rest, _)) => {
                    let (one, ty) = (self.constant_element(domain, place, going.span), here.ty);
                    let asked = self.copy(direction);
                    let same = CheckedExprKind::Same(Box::new(asked), Box::new(one));
                    let same = self.build(same, Type::Bool, going.span);
                    let kind = CheckedExprKind::If(Box::new(same), Box::new(here), Box::new(rest));
                    self.build(kind, ty, going.span)
                }
            };
            result = Some((e, may));
        }
        result.map_or(Val::Poison, |(e, may)| Val::Expr(e, may))
    }

    /// The elements that an expression can be, as far as its form shows them.
    fn possible(&self, e: &CheckedExpr, domain: DomainId) -> BTreeSet<u32> {
        match &e.kind {
            CheckedExprKind::Constant(Value::Element(Some(place))) => BTreeSet::from([*place]),
            CheckedExprKind::Table(table, _) => {
                let values = &self.model.tables[table.index()].values;
                values.iter().filter_map(|value| u32::try_from(*value).ok()).collect()
            }
            CheckedExprKind::If(_, a, b) => &self.possible(a, domain) | &self.possible(b, domain),
            _ => (0..self.size(domain)).collect(),
        }
    }

    /// The table of the neighbour in each direction of each site.
    fn steps(&mut self, board: BoardId, domain: DomainId) -> TableId {
        let (names, board) = (self.enum_names(domain), &self.model.boards[board.index()]);
        let topology = &board.topology;
        let row = |name: &String| {
            let direction = topology.direction_named(name);
            let to = move |site: Site| direction.and_then(|d| topology.step(site, d));
            topology
                .sites()
                .map(move |site| to(site).map_or(-1, |site| i64::from(site.0)))
                .collect::<Vec<_>>()
        };
        let values = names.iter().flat_map(row).collect();
        let (name, index) = (format!("toward on {}", board.name), vec![domain, board.domain]);
        self.known_table(&name, index, values)
    }

    /// The table with this name, which is added unless it is known.
    pub(crate) fn known_table(&mut self, name: &str, index: Vec<DomainId>, values: Vec<i64>) -> TableId {
        let same = |table: &ConstantTable| table.name == name && table.index == index;
        let known = self.model.tables.iter().position(same);
        let at = known.unwrap_or_else(|| {
            self.model.tables.push(ConstantTable { name: name.to_owned(), index, values });
            self.model.tables.len() - 1
        });
        TableId(at as u32)
    }

    /// One case of a quantifier, as far as its `where` allows it.
    fn allowed(
        &mut self,
        op: Quantifier,
        allowed: Option<CheckedExpr>,
        value: CheckedExpr,
        span: Span,
    ) -> CheckedExpr {
        let value = match op {
            Quantifier::Count => {
                let (one, zero) = (self.number_constant(1, span), self.number_constant(0, span));
                let kind = CheckedExprKind::If(Box::new(value), Box::new(one), Box::new(zero));
                self.build(kind, Type::Number, span)
            }
            _ => value,
        };
        let Some(allowed) = allowed else { return value };
        let without = match (op, value.ty) {
            (_, Type::Set(domain)) => self.empty_set(domain, span),
            (Quantifier::Any, _) => self.truth_constant(false, span),
            (Quantifier::All, _) => self.truth_constant(true, span),
            _ => self.number_constant(0, span),
        };
        let ty = value.ty;
        self.build(CheckedExprKind::If(Box::new(allowed), Box::new(value), Box::new(without)), ty, span)
    }
}
