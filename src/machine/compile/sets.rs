//! Lowering of sets: each takes the program's width in words.

use super::keep::held::ToEvaluate;
use super::lower::{Lowering, TableOf};
use crate::program::{
    Imm, In, Instruction as I, Operator, Out, SetFunction, SetIn, SetMut, SetOut, SetTable, Sets, ShiftTable,
    Size, Truth,
};
use houserule_language::syntax::Quantifier;
use houserule_model::board::GridSize;
use houserule_model::board::{BitSet, Near, Shape, Site, Topology, ray, shift};
use houserule_model::{
    BoardId, CheckedExpr, CheckedExprKind, LocalId, SlotId, Target, Type, Value, numbers, numbers_on_board,
    truths,
};

/// Maximum number of moves for the steps to neighbours.
const MOST_MOVES: usize = 12;

/// Maximum size of a constant set over which a loop is unrolled.
const FEW: u32 = 2;

impl Lowering<'_> {
    /// Returns the address of a set: its own place if it has one, else a temporary. The caller must not write to
    /// it.
    pub(super) fn set(&mut self, e: &CheckedExpr) -> SetIn {
        match &e.kind {
            CheckedExprKind::Local(local) if matches!(e.ty, Type::Set(_)) => {
                return SetIn(self.local(*local));
            }
            CheckedExprKind::Read(Target { slot, index }) => {
                if let Some(position) = self.constant_position(*slot, index) {
                    return SetIn(self.slot(*slot) + position as u16 * self.layout.width);
                }
            }
            _ => {}
        }
        if let Some(at) = self.held_at(e) {
            return SetIn(at);
        }
        let d = self.set_temp();
        self.set_to(e, d, true);
        SetIn(d)
    }

    fn empty_set(&self, ty: Type) -> BitSet {
        match ty {
            Type::Set(d) | Type::Element(d) => BitSet::empty(self.model.domains[d.index()].size),
            _ => BitSet::empty(0),
        }
    }

    fn domain_size(&self, ty: Type) -> crate::program::Size {
        match ty {
            Type::Set(d) | Type::Element(d) => crate::program::Size(self.size_of(d)),
            _ => crate::program::Size(0),
        }
    }

    pub(super) fn constant_set(&mut self, set: &BitSet, d: u16) {
        let k = self.set_ref(set);
        self.emit(I::SetConst { d: SetOut(d), k });
    }

    /// Computes a set into words that the expression may read.
    pub(super) fn set_into(&mut self, e: &CheckedExpr, d: u16) {
        self.set_to(e, d, false);
    }

    /// Like [`Lowering::set_into`]; with `fresh`, the expression must not read these words.
    pub(super) fn set_to(&mut self, e: &CheckedExpr, d: u16, fresh: bool) {
        if self.is_full() {
            return;
        }
        let out = SetOut(d);
        let outer = self.enter(e.span);
        if let Some((table, index)) = self.as_set_table(e) {
            self.emit(I::LookSet { d: out, table, index });
        } else if let Some(at) = self.held_at(e) {
            self.emit(I::SetCopy { d: out, a: SetIn(at) });
        } else {
            self.compute_or_look_up(e, d, |this, d, own| this.compute_set(e, SetOut(d), fresh || own));
        }
        self.leave(outer);
    }

    /// Lowers `all best x in S by e`.
    fn all_best(&mut self, local: LocalId, over: &CheckedExpr, body: &CheckedExpr, ty: Type, d: SetOut) {
        let (empty, size) = (self.empty_set(ty), self.domain_size(ty));
        let (t, seen, most) = (self.set_temp(), self.number_temp(), self.number_temp());
        self.constant_set(&empty, t);
        self.emit(I::Const { d: Out(seen), k: Imm(0) });
        self.for_each(local, over, &ToEvaluate::now(body), |this| {
            let (better, equal, next) = (this.label(), this.label(), this.label());
            let a = this.number(body);
            this.emit(I::IfEqualK { a: In(seen), k: Imm(0), is: Truth(true), to: better.block() });
            this.emit(I::IfLess { a, b: In(most), is: Truth(true), to: next.block() });
            this.emit(I::IfLess { a: In(most), b: a, is: Truth(false), to: equal.block() });
            this.bind(better);
            this.emit(I::Const { d: Out(seen), k: Imm(1) });
            this.emit(I::Copy { d: Out(most), a });
            this.constant_set(&empty, t);
            this.bind(equal);
            let e = In(this.local(local));
            this.emit(I::Insert { d: SetMut(t), e, size });
            this.bind(next);
        });
        self.emit(I::SetCopy { d, a: SetIn(t) });
    }

    fn compute_set(&mut self, e: &CheckedExpr, d: SetOut, fresh: bool) {
        match &e.kind {
            _ if fresh && self.is_single(e) => self.single_set(e, d),
            CheckedExprKind::Constant(Value::Set(set)) => self.constant_set(set, d.0),
            CheckedExprKind::Local(_) => {
                let a = self.set(e);
                self.emit(I::SetCopy { d, a });
            }
            CheckedExprKind::Read(Target { slot, index }) => match self.constant_position(*slot, index) {
                Some(_) => {
                    let a = self.set(e);
                    self.emit(I::SetCopy { d, a });
                }
                None => {
                    let (from, index) = self.family_sets(*slot, index);
                    self.emit(I::LoadSet { d, from, index });
                }
            },
            CheckedExprKind::As { player, value } => {
                self.as_player(player, |this| this.set_into(value, d.0));
            }
            CheckedExprKind::Elements(list) => self.listed(list, e.ty, d),
            CheckedExprKind::Union(a, b) if fresh && self.is_single(b) => {
                self.set_to(a, d.0, true);
                let (e, size) = (self.single(b), self.domain_size(b.ty));
                self.emit(I::Insert { d: SetMut(d.0), e, size });
            }
            CheckedExprKind::Union(a, b) => {
                let (a, b) = (self.set(a), self.set(b));
                self.emit(I::Or { d, a, b });
            }
            CheckedExprKind::Intersect(a, b) => self.intersect(a, b, d),
            CheckedExprKind::Minus(a, b) => {
                let (a, b) = (self.set(a), self.set(b));
                self.emit(I::Minus { d, a, b });
            }
            CheckedExprKind::If(c, a, b) => match self.as_set_table_of_two(e) {
                Some((table, index)) => self.emit(I::LookSet { d, table, index }),
                None => self.set_if(c, a, b, d, fresh),
            },
            CheckedExprKind::Filter { local, over, condition } => {
                self.filtered(*local, over, condition, e.ty, d, fresh);
            }
            CheckedExprKind::Quantified { op: Quantifier::AllBest, local, over, body } => {
                self.all_best(*local, over, body, e.ty, d);
            }
            CheckedExprKind::Quantified { op, local, over, body } => {
                self.united(e, *op, *local, over, body, d);
            }
            CheckedExprKind::Column(board, a) => self.numbered_sites(*board, a, false, d),
            CheckedExprKind::Row(board, a) => self.numbered_sites(*board, a, true, d),
            CheckedExprKind::Columns(board, of) => self.touched(*board, of, false, d),
            CheckedExprKind::Rows(board, of) => self.touched(*board, of, true, d),
            CheckedExprKind::Neighbours { board, near, of } => {
                let table = self.neighbour_table(*board, *near);
                let moves = self.moves(*board, *near);
                self.union_of_rows(table, moves, of, d);
            }
            CheckedExprKind::SidesOf(board, of) => {
                let t = self.topology(*board);
                let rows = |cell| t.sides_of(&BitSet::single(t.cells(), cell));
                let table = self.table_by_site(TableOf::SidesOf(*board), t.cells(), t.size(), rows);
                self.union_of_rows(table, None, of, d);
            }
            CheckedExprKind::CellsAt(board, of) => {
                let t = self.topology(*board);
                let rows = |side| t.cells_at(&BitSet::single(t.size(), side));
                let table = self.table_by_site(TableOf::CellsAt(*board), t.size(), t.cells(), rows);
                self.union_of_rows(table, None, of, d);
            }
            CheckedExprKind::Crossing(board, of) => {
                let t = self.topology(*board);
                let size = t.size();
                let rows = |link| t.crossings(&BitSet::single(size, link));
                let table = self.table_by_site(TableOf::Crossing(*board), size, size, rows);
                self.union_of_rows(table, None, of, d);
            }
            CheckedExprKind::Shift { board, direction, of } => self.shifted(*board, *direction, of, d),
            CheckedExprKind::Ray { board, direction, of } => {
                let t = self.topology(*board);
                let rows = |s: Site| ray(t, &BitSet::single(t.size(), s.0), *direction);
                let table = self.site_table(TableOf::Ray(*board, *direction), *board, rows);
                self.union_of_rows(table, None, of, d);
            }
            CheckedExprKind::Slide { board, direction, of, through } => {
                self.slide(*board, *direction, of, through, d);
            }
            CheckedExprKind::Runs { board, along, of, length } => {
                let lines = self.run_lists(*board, *along);
                let f = self.function(SetFunction::Runs { lines });
                let a = self.set(of);
                let n = self.number(length);
                self.emit(I::ApplyN { d, f, a, n });
            }
            CheckedExprKind::Reach { board, orthogonal, seed, within } => {
                let f = self.reach(*board, *orthogonal, seed, within);
                let (a, b, me) = (self.set(seed), self.set(within), In(self.me));
                self.emit(I::Reach { d, f, a, b, me });
            }
            CheckedExprKind::ReachBy { board, sides, orthogonal, joined, seed, within, links } => {
                let near = Near::neighbours(*orthogonal);
                let steps = self.topology(*sides).steps_by(self.topology(*board), near, *joined);
                let index = |site: Site| site.0 as u16;
                let step = |(link, to): &(Option<Site>, Site)| (link.map(index), index(*to));
                let steps = steps.iter().map(|from| from.iter().map(step).collect()).collect();
                let f = self.function(SetFunction::ReachBy { steps, joined: *joined });
                let (a, b, c) = (self.set(seed), self.set(within), self.set(links));
                self.emit(I::Apply3 { d, f, a, b, c });
            }
            CheckedExprKind::Enclosed { board, orthogonal, near, walls } => {
                self.enclosed(*board, *orthogonal, near, walls, d);
            }
            CheckedExprKind::Fill { board, orthogonal, of } => {
                let f = self.enclosure(*board, *orthogonal, None);
                let a = self.set(of);
                self.emit(I::Apply { d, f, a, b: a });
            }
            CheckedExprKind::Custodial { board, from, to, through } => {
                let f = self.custodial(*board);
                let (a, b, c) = (self.set(from), self.set(to), self.set(through));
                self.emit(I::Apply3 { d, f, a, b, c });
            }
            // These expressions are no sets.
            CheckedExprKind::Constant(_)
            | CheckedExprKind::Me
            | CheckedExprKind::Repeated { .. }
            | CheckedExprKind::Tried { .. }
            | CheckedExprKind::Chain(_)
            | CheckedExprKind::RestOfChain
            | CheckedExprKind::Call { .. }
            | numbers!()
            | truths!()
            | numbers_on_board!() => {
                let empty = self.empty_set(e.ty);
                self.constant_set(&empty, d.0);
            }
        }
    }

    /// Computes the union of the sets that a quantifier goes over.
    fn united(
        &mut self,
        e: &CheckedExpr,
        op: Quantifier,
        local: LocalId,
        over: &CheckedExpr,
        body: &CheckedExpr,
        d: SetOut,
    ) {
        let t = self.set_temp();
        let empty = self.empty_set(e.ty);
        self.constant_set(&empty, t);
        if let Some(nest) = self.arranged(e) {
            let end = self.label();
            nest.first.iter().for_each(|condition| self.branch(condition, false, end));
            self.in_nest(&nest, |this| this.set_into(&nest.rest, t));
            self.bind(end);
            return self.emit(I::SetCopy { d, a: SetIn(t) });
        }
        let narrowed = self.without_others(op, local, over, body);
        let (over, body) = narrowed.as_ref().map_or((over, body), |(over, body)| (over, body));
        self.for_each(local, over, &ToEvaluate::now(body), |this| {
            let a = this.set(body);
            this.emit(I::Or { d: SetOut(t), a, b: SetIn(t) });
        });
        if t != d.0 {
            self.emit(I::SetCopy { d, a: SetIn(t) });
        }
    }

    /// Computes the set of listed elements.
    fn listed(&mut self, list: &[CheckedExpr], ty: Type, d: SetOut) {
        let elements: Vec<In> = list.iter().map(|e| self.number(e)).collect();
        let size = self.domain_size(ty);
        let t = self.set_temp();
        let empty = self.empty_set(ty);
        self.constant_set(&empty, t);
        for e in elements {
            self.emit(I::Insert { d: SetMut(t), e, size });
        }
        if t != d.0 {
            self.emit(I::SetCopy { d, a: SetIn(t) });
        }
    }

    /// Computes `a` if the condition `c` holds, else `b`.
    fn set_if(&mut self, c: &CheckedExpr, a: &CheckedExpr, b: &CheckedExpr, d: SetOut, fresh: bool) {
        let (no, end) = (self.label(), self.label());
        let t = if fresh { d.0 } else { self.set_temp() };
        self.branch(c, false, no);
        self.set_into(a, t);
        self.jump(end);
        self.bind(no);
        self.set_into(b, t);
        self.bind(end);
        if t != d.0 {
            self.emit(I::SetCopy { d, a: SetIn(t) });
        }
    }

    /// Computes the elements of a set for which a condition holds.
    fn filtered(
        &mut self,
        local: LocalId,
        over: &CheckedExpr,
        condition: &CheckedExpr,
        ty: Type,
        d: SetOut,
        fresh: bool,
    ) {
        if let Some((of, to, through)) = self.flanks(local, condition) {
            let f = self.function(SetFunction::Flanks(of));
            let t = self.set_temp();
            let (a, b) = (self.set(to), self.set(through));
            self.emit(I::Apply { d: SetOut(t), f, a, b });
            let a = self.set(over);
            self.emit(I::And { d, a, b: SetIn(t) });
            return;
        }
        if let Some(tested) = self.tested(local, condition) {
            return self.elements_where(&tested, over, d);
        }
        // A mask that is no table is computed element by element.
        let is_whole = self.is_everything(over);
        let is_mask = |set: &CheckedExpr| matches!(&set.kind, CheckedExprKind::Filter { local: its, .. } if *its == local);
        if let Some(all) = self.lifted(local, condition, ty).filter(|set| !(is_whole && is_mask(set))) {
            return self.intersect(over, &all, d);
        }
        let narrowed = if is_whole { None } else { self.split_off(local, over, condition) };
        let (over, condition) = match &narrowed {
            Some((narrowed, Some(left))) => (narrowed, left),
            Some((narrowed, None)) => return self.set_to(narrowed, d.0, fresh),
            None => (over, condition),
        };
        let t = if fresh { d.0 } else { self.set_temp() };
        let empty = self.empty_set(ty);
        let size = self.domain_size(ty);
        self.constant_set(&empty, t);
        self.for_each(local, over, &ToEvaluate::now(condition), |this| {
            let next = this.label();
            this.branch(condition, false, next);
            let e = In(this.local(local));
            this.emit(I::Insert { d: SetMut(t), e, size });
            this.bind(next);
        });
        if t != d.0 {
            self.emit(I::SetCopy { d, a: SetIn(t) });
        }
    }

    /// Computes the numbers of the columns in which a set has sites, or of the rows.
    fn touched(&mut self, board: BoardId, of: &CheckedExpr, rows: bool, d: SetOut) {
        let topology = self.topology(board);
        let grid = GridSize { width: topology.width(), height: topology.height() };
        let first = || topology.column(1).unwrap_or_else(|| BitSet::empty(topology.size()));
        if matches!(topology.shape(), Shape::Cut { .. }) {
            let (table, count) = match rows {
                true => (TableOf::RowSets(board), grid.height),
                false => (TableOf::ColumnSets(board), grid.width),
            };
            let number = |s| if rows { topology.row_of(s) } else { topology.column_of(s) };
            let one = |site| BitSet::single(count, number(Site(site)) - 1);
            let table = self.table_by_site(table, topology.size(), count, one);
            return self.union_of_rows(table, None, of, d);
        }
        let a = self.set(of);
        if self.layout.width == 1 && rows {
            let (width, first) = (Size(grid.width as u16), self.set_ref(&first()));
            self.emit(I::Rows { d, a, width, first });
        } else if !rows {
            let (width, height) = (Size(grid.width as u16), Size(grid.height as u16));
            self.emit(I::Columns { d, a, width, height });
        } else {
            let f = self.function(SetFunction::Rows { grid });
            self.emit(I::Apply { d, f, a, b: a });
        }
    }

    /// Computes a set moved one step in a direction.
    fn shifted(&mut self, board: BoardId, direction: u32, of: &CheckedExpr, d: SetOut) {
        let t = self.topology(board);
        let lone = matches!(&of.kind, CheckedExprKind::Elements(list) if list.len() == 1);
        if let (false, Some((by, reached))) = (lone, stride(t, direction)) {
            let k = self.set_ref(&reached);
            let a = self.set(of);
            self.emit(I::Shift { d, a, k, by: Imm(by) });
            return;
        }
        let table = self.shift_table(board, direction);
        self.union_of_rows(table, None, of, d);
    }

    /// Returns the table of the sets of the neighbour of each site in a direction, from none on.
    pub(super) fn shift_table(&mut self, board: BoardId, direction: u32) -> SetTable {
        let t = self.topology(board);
        let rows = |s: Site| shift(t, &BitSet::single(t.size(), s.0), direction);
        self.site_table(TableOf::Shift(board, direction), board, rows)
    }

    /// Computes the areas next to `near` that `walls` enclose.
    fn enclosed(
        &mut self,
        board: BoardId,
        orthogonal: bool,
        near: &CheckedExpr,
        walls: &CheckedExpr,
        d: SetOut,
    ) {
        let f = self.enclosure(board, orthogonal, Some(walls));
        if let CheckedExprKind::Elements(list) = &near.kind
            && let [e] = &list[..]
            && self.remembers(f)
        {
            let (e, me) = (self.number(e), In(self.me));
            let (from, index) = match &walls.kind {
                CheckedExprKind::Read(Target { slot, index }) => self.family_sets(*slot, index),
                _ => (Sets { at: self.set(walls).0, len: 1 }, In(crate::program::ZERO)),
            };
            return self.emit(I::Enclosed { d, f, e, from, index, me });
        }
        let table = self.neighbour_table(board, Near::Beside);
        let moves = self.moves(board, Near::Beside);
        let a = SetIn(self.set_temp());
        self.union_of_rows(table, moves, near, SetOut(a.0));
        let (b, me) = (self.set(walls), In(self.me));
        self.emit(I::Reach { d, f, a, b, me });
    }

    fn intersect(&mut self, a: &CheckedExpr, b: &CheckedExpr, d: SetOut) {
        for (a, b) in [(a, b), (b, a)] {
            if let Some((table, index)) = self.as_set_table(a).or_else(|| self.as_set_table_of_two(a)) {
                let (a, row) = (self.set(b), self.set_temp());
                self.emit(I::LookSet { d: SetOut(row), table, index });
                return self.emit(I::And { d, a: SetIn(row), b: a });
            }
        }
        for (a, b) in [(a, b), (b, a)] {
            if let CheckedExprKind::Constant(Value::Set(set)) = &b.kind {
                if self.is_everything(b) {
                    return self.set_into(a, d.0);
                }
                let a = self.set(a);
                let k = self.set_ref(set);
                self.emit(I::AndK { d, a, k });
                return;
            }
        }
        let (a, b) = (self.set(a), self.set(b));
        self.emit(I::And { d, a, b });
    }

    /// Lowers a column or row by number. It is empty if the board has none of that number.
    fn numbered_sites(&mut self, board: BoardId, n: &CheckedExpr, rows: bool, d: SetOut) {
        let topology = self.topology(board);
        let count = i64::from(if rows { topology.height() } else { topology.width() });
        let table: Vec<BitSet> = (0..=count + 1)
            .map(|n| {
                let sites = if rows { topology.row(n) } else { topology.column(n) };
                sites.unwrap_or_else(|| BitSet::empty(topology.size()))
            })
            .collect();
        let table = self.set_table(0, &table);
        let mut index = self.number(n);
        if self.bounds(n).is_none_or(|(low, high)| low < 0 || high > count + 1) {
            let (t, k) = (self.number_temp(), self.number_temp());
            for (op, bound) in [(Operator::Max, 0), (Operator::Min, count as i32 + 1)] {
                self.emit(I::Const { d: Out(k), k: Imm(bound) });
                self.emit(I::Arithmetic { d: Out(t), op, a: index, b: In(k) });
                index = In(t);
            }
        }
        self.emit(I::LookSet { d, table, index });
    }

    fn site_table(&mut self, of: TableOf, board: BoardId, row: impl Fn(Site) -> BitSet) -> SetTable {
        let size = self.topology(board).size();
        self.table_by_site(of, size, size, |site| row(Site(site)))
    }

    /// Returns a table with a set of `size` elements for each of `sites` sites.
    fn table_by_site(&mut self, of: TableOf, sites: u32, size: u32, row: impl Fn(u32) -> BitSet) -> SetTable {
        // Row -1 is for `none`.
        let rows = || std::iter::once(BitSet::empty(size)).chain((0..sites).map(row)).collect();
        self.set_table_of(of, -1, rows)
    }

    pub(super) fn neighbour_table(&mut self, board: BoardId, near: Near) -> SetTable {
        let t = self.topology(board);
        self.site_table(TableOf::Neighbours(board, near), board, |site| t.near_to(site, near))
    }

    /// Returns the steps to neighbours as moves of whole sets, or `None` if there would be too many.
    pub(super) fn moves(&mut self, board: BoardId, near: Near) -> Option<ShiftTable> {
        let of = (board, near);
        if let Some(known) = self.moves.get(&of) {
            return known.clone();
        }
        let t = self.topology(board);
        let mut by_distance = std::collections::BTreeMap::<i64, BitSet>::new();
        for site in t.sites() {
            for other in t.near_to(site, near).iter() {
                let distance = i64::from(other) - i64::from(site.0);
                by_distance.entry(distance).or_insert_with(|| BitSet::empty(t.size())).insert(site.0);
            }
            if by_distance.len() > MOST_MOVES {
                break;
            }
        }
        // With one or two words a move is one shift with carry, by less than 64.
        let far = by_distance.keys().any(|d| d.unsigned_abs() >= 64) && self.layout.width <= 2;
        let fits = !far && by_distance.len() <= MOST_MOVES && !by_distance.is_empty();
        let moves = fits.then(|| {
            let (down, up): (Vec<_>, Vec<_>) = by_distance.into_iter().partition(|(d, _)| *d <= 0);
            let masks = (self.program.sets.len() / usize::from(self.layout.width)) as u32;
            let count = up.len();
            let mut distances = vec![];
            for (distance, mask) in up.into_iter().chain(down) {
                distances.push(distance.unsigned_abs() as u32);
                let words = houserule_model::value_words(self.layout.width, &Value::Set(mask));
                self.set_row(&words);
            }
            ShiftTable { distances, up: count, masks }
        });
        self.moves.insert(of, moves.clone());
        moves
    }

    /// Computes the union of a table's rows over a set; a lookup for one element.
    fn union_of_rows(&mut self, table: SetTable, moves: Option<ShiftTable>, of: &CheckedExpr, d: SetOut) {
        if let CheckedExprKind::Elements(list) = &of.kind
            && let [e] = &list[..]
        {
            let index = self.number(e);
            self.emit(I::LookSet { d, table, index });
            return;
        }
        let f = self.function(SetFunction::UnionOfRows { table: table.0, moves });
        let a = self.set(of);
        self.emit(I::Apply { d, f, a, b: a });
    }

    /// Lowers `slide`. From one site, on a board where a direction raises or lowers all indices, it is the ray without
    /// the ray beyond the first site that blocks it.
    fn slide(&mut self, board: BoardId, direction: u32, of: &CheckedExpr, through: &CheckedExpr, d: SetOut) {
        let t = self.topology(board);
        let one = match &of.kind {
            CheckedExprKind::Elements(list) if list.len() == 1 => Some(&list[0]),
            _ => None,
        };
        let (Some(from), Some(rises)) = (one, rises(t, direction)) else {
            let table = self.shift_table(board, direction);
            let f = self.function(SetFunction::Slide { table: table.0 });
            let (a, b) = (self.set(of), self.set(through));
            return self.emit(I::Apply { d, f, a, b });
        };
        let rows = |s: Site| ray(t, &BitSet::single(t.size(), s.0), direction);
        let table = self.site_table(TableOf::Ray(board, direction), board, rows);
        let (index, b) = (self.number(from), self.set(through));
        let (beyond, blocked, first) = (self.set_temp(), self.set_temp(), self.number_temp());
        self.emit(I::LookSet { d: SetOut(beyond), table, index });
        self.emit(I::Minus { d: SetOut(blocked), a: SetIn(beyond), b });
        let (to, a) = (Out(first), SetIn(blocked));
        self.emit(if rises { I::First { d: to, a } } else { I::Last { d: to, a } });
        self.emit(I::LookSet { d: SetOut(blocked), table, index: In(first) });
        self.emit(I::Minus { d, a: SetIn(beyond), b: SetIn(blocked) });
    }

    /// Returns a slot's family of sets, and the address of the index.
    pub(super) fn family_sets(&mut self, slot: SlotId, index: &[CheckedExpr]) -> (Sets, In) {
        let sizes: Vec<u16> = self.model.slots[slot.index()].index.iter().map(|d| self.size_of(*d)).collect();
        let (first, len, settled) = self.settled(slot, index);
        if let Some(position) = self.constant_position(slot, index) {
            let at = self.slot(slot) + position as u16 * self.layout.width;
            return (Sets { at, len: 1 }, In(crate::program::ZERO));
        }
        let at = self.slot(slot) + first as u16 * self.layout.width;
        (Sets { at, len: len.min(u16::MAX.into()) as u16 }, self.flat(&index[settled..], &sizes[settled..]))
    }

    /// Emits a loop over the elements of a set, bound to the local. `f` emits the body, which evaluates the expressions `asks`
    /// and must not suspend.
    pub(super) fn for_each(
        &mut self,
        local: LocalId,
        over: &CheckedExpr,
        asks: &[ToEvaluate<'_>],
        mut f: impl FnMut(&mut Self),
    ) {
        if let CheckedExprKind::Constant(Value::Set(set)) = &over.kind
            && is_unrolled(over)
        {
            // Unroll the loop.
            self.scoped(|this| {
                let at = this.number_temp();
                this.locals[local.index()] = Some(at);
                this.sure.insert(local);
                for e in set.iter() {
                    this.emit(I::Const { d: Out(at), k: crate::program::Imm(e as i32) });
                    this.scoped(|this| this.holding(asks, &mut f));
                }
            });
            self.locals[local.index()] = None;
            return;
        }
        self.scoped(|this| {
            let rest = this.set_temp();
            this.set_into(over, rest);
            let at = this.number_temp();
            this.locals[local.index()] = Some(at);
            this.sure.insert(local);
            let (head, end) = (this.here(), this.label());
            this.emit(I::Pop { d: Out(at), from: SetMut(rest), to: end.block() });
            this.scoped(|this| this.holding(asks, &mut f));
            this.emit(I::Loop { to: head.block() });
            this.bind(end);
        });
        self.locals[local.index()] = None;
    }
}

/// Returns `true` if a loop over a set is unrolled.
pub(super) fn is_unrolled(over: &CheckedExpr) -> bool {
    matches!(&over.kind, CheckedExprKind::Constant(Value::Set(set)) if set.len() <= FEW)
}

/// Returns `true` if every step in a direction raises a site's index, `false` if every one lowers it, and `None` if
/// some raise and others lower it.
fn rises(topology: &Topology, direction: u32) -> Option<bool> {
    let steps = topology.sites().filter_map(|s| Some(topology.step(s, direction)? > s));
    let (up, down): (Vec<bool>, Vec<bool>) = steps.partition(|up| *up);
    (up.is_empty() || down.is_empty()).then_some(down.is_empty())
}

/// Returns by how much a step in a direction raises a site's index, if that is the same everywhere, and the sites
/// that such steps reach.
fn stride(topology: &Topology, direction: u32) -> Option<(i32, BitSet)> {
    let steps = topology.sites().filter_map(|s| Some((s, topology.step(s, direction)?)));
    let mut strides = steps.map(|(s, to)| to.0 as i32 - s.0 as i32);
    let by = strides.next()?;
    let all = BitSet::full(topology.size());
    strides.all(|s| s == by).then(|| (by, shift(topology, &all, direction)))
}
