//! Zones `seen by top`: after every statement that may change what lies on top, all players know it, as after
//! `reveal top(pile) to players`. What they know of other elements lasts as in any hidden zone.

use crate::draft::Draft;
use houserule_language::diagnostic::Span;
use houserule_model::*;

impl Draft {
    /// Inserts the updates of what players know of tops. A statement of the rules can be several of the model, with the
    /// same span: players see what is on top after all of them. `within` is the span of the statement around the block.
    pub(super) fn weave_tops(&mut self, block: &mut CheckedBlock, within: Option<Span>) {
        let mut at = 0;
        while let Some(stmt) = block.stmts.get_mut(at) {
            let span = stmt.span;
            stmt.blocks_mut().into_iter().for_each(|inner| self.weave_tops(inner, Some(span)));
            at += 1;
            let moved = if within == Some(span) { None } else { moved_in(&block.stmts[at - 1], &self.model) };
            if let Some(update) = moved.and_then(|domain| self.tops_seen(domain, span)) {
                block.stmts.insert(at, update);
                at += 1;
            }
        }
    }

    /// Lets all players know the tops of the open zones of a domain.
    fn tops_seen(&mut self, domain: DomainId, span: Span) -> Option<CheckedStmt> {
        let Order { places, open_tops, .. } = self.model.order(domain)?.clone();
        if open_tops.is_empty() {
            return None;
        }
        let known = self.already_known(domain)?;
        let mut tops = vec![];
        for zone in open_tops {
            let domains = self.model.slots[zone.index()].index.clone();
            for index in self.every_index(vec![], &domains, span)? {
                let pile = CheckedExprKind::Read(Target { slot: zone, index });
                let pile = self.build(pile, Type::Set(domain), span);
                tops.push(self.known_top(pile, domain, places, span));
            }
        }
        let tops = self.union_of(tops, domain, span);
        let local = self.new_local("player", Type::Element(PLAYER), span);
        let player = self.build(CheckedExprKind::Local(local), Type::Element(PLAYER), span);
        let target = Target { slot: known, index: vec![player] };
        let now = self.read_of(&target, domain, span);
        let value =
            self.build(CheckedExprKind::Union(Box::new(now), Box::new(tops)), Type::Set(domain), span);
        let body = CheckedBlock {
            stmts: vec![CheckedStmt { kind: CheckedStmtKind::Assign { target, value }, span }],
        };
        let over = self.full_set(PLAYER, span);
        Some(CheckedStmt { kind: CheckedStmtKind::For { local, over, from: None, body }, span })
    }
}

/// The domain of which a statement of the rules moves elements.
fn moved_in(stmt: &CheckedStmt, model: &Model) -> Option<DomainId> {
    match &stmt.kind {
        CheckedStmtKind::MoveTo { zone, .. } => match model.slots[zone.slot.index()].content {
            Content::Set(domain) => Some(domain),
            _ => None,
        },
        _ => {
            let all = stmt.blocks().into_iter().flat_map(|block| &block.stmts);
            all.filter(|inner| inner.span == stmt.span).find_map(|inner| moved_in(inner, model))
        }
    }
}
