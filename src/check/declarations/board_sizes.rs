//! Boards of a family that differ in size: which sites each has, and the sites that statements and sets on them mean.

use std::collections::HashMap;

use crate::checker::Checker;
use crate::draft::Draft;
use crate::values::Val;
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_language::syntax::{self, BinaryOp, ExprKind as S, Name};
use houserule_model::board::{BitSet, Notation, Shape, Site, Topology};
use houserule_model::*;

/// Splits `n in 1..4` into the index and the name of its element. Another index has no name.
pub(super) fn numbered(index: &syntax::Expr) -> (&syntax::Expr, Option<&Name>) {
    match &index.kind {
        S::Binary(BinaryOp::In, name, of) => match &name.kind {
            S::Name(name) => (of, Some(name)),
            _ => (index, None),
        },
        _ => (index, None),
    }
}

impl<'a> Checker<'a> {
    /// The grids of a family that differ in size (`board level[n in 1..4] = grid(n, n)`): a grid as wide as the widest and
    /// as high as the highest, and the sites that each has. No sites if all have the same size.
    pub(super) fn grids_of_sizes(
        &mut self,
        name: &'a Name,
        index: &[DomainId],
        numbered: &[Option<&'a Name>],
        written: &'a syntax::Expr,
        cuts: &[&'a syntax::Expr],
    ) -> Option<(Topology, Vec<BitSet>)> {
        let family = self.draft.family(index, name.span)?;
        let mut known: HashMap<Vec<u32>, (u32, u32)> = HashMap::new();
        let (mut sizes, mut notation) = (vec![], Notation::Letters);
        for place in 0..family {
            let elements = self.draft.elements_at(index, place);
            let named = numbered.iter().zip(&elements).filter_map(|(name, element)| name.map(|_| *element));
            let named: Vec<u32> = named.collect();
            if let Some(size) = known.get(&named) {
                sizes.push(*size);
                continue;
            }
            let arguments: Vec<(&'a Name, Val)> = numbered
                .iter()
                .zip(index.iter().zip(elements))
                .filter_map(|(name, (domain, element))| {
                    let name = (*name)?;
                    Some((name, Val::sure(self.draft.constant_element(*domain, element, name.span))))
                })
                .collect();
            let of_this = |c: &mut Self| c.topology(written);
            let topology = self.with_arguments(arguments, known.is_empty(), of_this)?;
            let Shape::Grid { width, height, wrap: false } = *topology.shape() else {
                let message = "only the size of a `grid` may depend on the index";
                let d = Diagnostic::error(Code::WrongArgument, written.span, message)
                    .help("write `grid(width, height)`, without `wrap: true`");
                self.draft.messages.report(d);
                return None;
            };
            notation = topology.notation();
            known.insert(named, (width, height));
            sizes.push((width, height));
        }
        let width = sizes.iter().map(|(width, _)| *width).max()?;
        let height = sizes.iter().map(|(_, height)| *height).max()?;
        let largest = Topology::grid(width, height, false, notation);
        if sizes.iter().all(|size| *size == (width, height)) {
            return Some((largest, vec![]));
        }
        if let Some(cut) = cuts.first() {
            let message = "boards that differ in size can't lack sites";
            let d = Diagnostic::error(Code::WrongArgument, cut.span, message)
                .help("give the boards one size, or leave the sites in");
            self.draft.messages.report(d);
            return None;
        }
        let own = sizes.iter().map(|(width, height)| {
            let inside = |site: &Site| largest.column_of(*site) <= *width && largest.row_of(*site) <= *height;
            BitSet::from_elements(largest.size(), largest.sites().filter(inside).map(|site| site.0))
        });
        let own = own.collect();
        Some((largest, own))
    }
}

impl Draft {
    /// The element of each index domain at a place of a family.
    fn elements_at(&self, index: &[DomainId], mut place: usize) -> Vec<u32> {
        let mut elements: Vec<u32> = index
            .iter()
            .rev()
            .map(|domain| {
                let size = self.size(*domain) as usize;
                let element = place % size;
                place /= size;
                element as u32
            })
            .collect();
        elements.reverse();
        elements
    }

    /// Leaves out the sites that the boards of a family lack.
    pub(super) fn keep_own_sites(&mut self, board: BoardId, own: Vec<BitSet>) {
        let empty = self.model.boards[board.index()].empty;
        for (initial, sites) in self.model.slots[empty.index()].initial.iter_mut().zip(&own) {
            *initial = Value::Set(sites.clone());
        }
        self.model.boards[board.index()].own_sites = own;
    }

    /// The sites of the board of a family with an index, as a set. Returns `None` if every board has all sites.
    pub(super) fn sites_on(
        &mut self,
        board: BoardId,
        index: &[CheckedExpr],
        span: Span,
    ) -> Option<CheckedExpr> {
        let of = &self.model.boards[board.index()];
        let (domains, own, domain) = (of.index.clone(), of.own_sites.clone(), of.domain);
        (!own.is_empty()).then(|| self.set_at(&own, index, &domains, domain, span))
    }

    /// One of some constant sets, by an index.
    pub(crate) fn set_at(
        &mut self,
        sets: &[BitSet],
        index: &[CheckedExpr],
        domains: &[DomainId],
        of: DomainId,
        span: Span,
    ) -> CheckedExpr {
        let (Some((first, rest)), Some((domain, domains))) = (index.split_first(), domains.split_first())
        else {
            return self.set_constant(of, sets[0].clone(), span);
        };
        if sets.iter().all(|set| *set == sets[0]) {
            return self.set_constant(of, sets[0].clone(), span);
        }
        let each = sets.len() / self.size(*domain).max(1) as usize;
        let mut parts: Vec<CheckedExpr> =
            sets.chunks(each.max(1)).map(|part| self.set_at(part, rest, domains, of, span)).collect();
        let Some(mut chosen) = parts.pop() else { return self.empty_set(of, span) };
        for (element, part) in (0..parts.len() as u32).zip(parts).rev() {
            let (index, element) = (self.copy(first), self.constant_element(*domain, element, span));
            let same =
                self.build(CheckedExprKind::Same(Box::new(index), Box::new(element)), Type::Bool, span);
            let kind = CheckedExprKind::If(Box::new(same), Box::new(part), Box::new(chosen));
            chosen = self.build(kind, Type::Set(of), span);
        }
        chosen
    }

    /// The sites of a set that the board of a family has.
    pub(crate) fn sites_there(
        &mut self,
        board: BoardId,
        index: &[CheckedExpr],
        at: CheckedExpr,
    ) -> CheckedExpr {
        let (span, ty) = (at.span, at.ty);
        match self.sites_on(board, index, span) {
            Some(own) => self.build(CheckedExprKind::Intersect(Box::new(at), Box::new(own)), ty, span),
            None => at,
        }
    }

    /// A site, or none if the board of a family lacks it.
    pub(crate) fn fitting_site(
        &mut self,
        board: BoardId,
        index: &[CheckedExpr],
        site: CheckedExpr,
    ) -> CheckedExpr {
        let (span, ty) = (site.span, site.ty);
        let Some(own) = self.sites_on(board, index, span) else { return site };
        let element = Box::new(self.copy(&site));
        let there = self.build(CheckedExprKind::Contains { set: Box::new(own), element }, Type::Bool, span);
        let none = self.build(CheckedExprKind::Constant(Value::Element(None)), ty, span);
        self.build(CheckedExprKind::If(Box::new(there), Box::new(site), Box::new(none)), ty, span)
    }
}
