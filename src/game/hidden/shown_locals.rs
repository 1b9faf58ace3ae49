//! Finds the locals that players see while a choice is pending: those in scope that have a range and whose
//! values depend only on what every player sees. Information states and observations show the same.

use std::collections::BTreeMap;

use super::information::is_kept;
use crate::{Game, State};
use houserule_model::board::BitSet;
use houserule_model::{
    Arithmetic, CheckedBlock, CheckedExpr, CheckedExprKind, CheckedOption, CheckedStmtKind, ChoiceId,
    Content, DomainKind, LocalId, Model, Target, Type, Value, Visibility, changes, exits, walk,
};

/// A local that is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct VisibleLocal {
    pub(crate) local: LocalId,
    /// Its content, as of a slot.
    pub(crate) content: Content,
    /// The choices during which it is shown.
    pub(crate) during: Vec<ChoiceId>,
}

impl Game {
    /// Returns the locals that are shown, in the order of the rules.
    pub(crate) fn shown_locals(&self) -> &[VisibleLocal] {
        let kept = |shown: &VisibleLocal| self.local_at(shown.local).is_some();
        self.visible_locals()
            .get_or(|| shown(self.model()).into_iter().filter(kept).collect::<Vec<VisibleLocal>>())
    }

    /// Returns the words of a local in a frame, if it is kept while a decision is pending.
    pub(crate) fn local_range(&self, local: LocalId) -> Option<std::ops::Range<usize>> {
        let at = usize::from(self.local_at(local)?);
        let width = match self.model().locals[local.index()].ty {
            Type::Set(_) => usize::from(self.program().width),
            Type::Number | Type::Bool | Type::Element(_) => 1,
        };
        Some(at..at + width)
    }
}

impl State {
    /// Returns the words of a local while a choice is pending in its scope, for tests of observations: a
    /// number or an element as it is stored (-1 for none), or a set.
    pub fn local_words(&self, local: LocalId) -> Option<&[u64]> {
        Some(&self.words()[self.game().local_range(local)?])
    }

    /// Returns the locals that all players see now, with their values.
    pub(super) fn locals_seen(&self) -> Vec<(&VisibleLocal, Value)> {
        let Some(pending) = self.pending_choice() else { return vec![] };
        let shown = self.game().shown_locals().iter().filter(|shown| shown.during.contains(&pending));
        let value = |shown: &VisibleLocal| {
            let words = self.local_words(shown.local)?;
            let word = words[0] as i64;
            Some(match shown.content {
                Content::Bool => Value::Bool(word != 0),
                Content::Number { .. } => Value::Number(word),
                Content::Element { .. } => Value::Element(u32::try_from(word).ok()),
                Content::Set(domain) => {
                    let size = self.game().model().domains[domain.index()].size;
                    Value::Set(BitSet::from_words(size, &words[..size.div_ceil(64) as usize]))
                }
            })
        };
        shown.filter_map(|shown| Some((shown, value(shown)?))).collect()
    }
}

/// Returns the locals that are shown, in the order of the rules.
fn shown(model: &Model) -> Vec<VisibleLocal> {
    let mut walk = LocalsWalk::new(model);
    for block in [&model.setup, &model.turn] {
        walk.block(block);
    }
    let hidden = walk.hidden();
    let mut found = vec![];
    for (local, during) in &walk.scopes {
        if let Some(content) = walk.content(*local, 0)
            && !hidden[local.index()]
        {
            found.push(VisibleLocal { local: *local, content, during: during.clone() });
        }
    }
    found
}

struct LocalsWalk<'m> {
    model: &'m Model,
    /// Locals in scope, outermost first.
    scope: Vec<LocalId>,
    /// The conditions on which execution of the current statement depends.
    conditions: Vec<&'m CheckedExpr>,
    /// By local: what its value depends on.
    sources: Vec<Vec<&'m CheckedExpr>>,
    /// By local: the numbers that it is given. Empty for a loop variable or binder.
    values: Vec<Vec<&'m CheckedExpr>>,
    scopes: BTreeMap<LocalId, Vec<ChoiceId>>,
}

impl<'m> LocalsWalk<'m> {
    fn new(model: &'m Model) -> Self {
        let none = || vec![vec![]; model.locals.len()];
        LocalsWalk {
            model,
            scope: vec![],
            conditions: vec![],
            sources: none(),
            values: none(),
            scopes: BTreeMap::new(),
        }
    }

    fn block(&mut self, block: &'m CheckedBlock) {
        let (scope, conditions) = (self.scope.len(), self.conditions.len());
        for stmt in &block.stmts {
            match &stmt.kind {
                CheckedStmtKind::Let { local, value } => {
                    self.sources[local.index()].push(value);
                    self.values[local.index()].push(value);
                    self.scope.push(*local);
                }
                CheckedStmtKind::SetLocal { local, value } => {
                    self.sources[local.index()].push(value);
                    self.sources[local.index()].extend(&self.conditions);
                    self.values[local.index()].push(value);
                }
                CheckedStmtKind::Pick { local, over, .. } => {
                    self.sources[local.index()].push(over);
                    self.scope.push(*local);
                }
                CheckedStmtKind::For { local, over, from, body } => {
                    self.sources[local.index()].push(over);
                    self.sources[local.index()].extend(from);
                    self.scope.push(*local);
                    self.conditions.push(over);
                    self.block(body);
                    self.conditions.pop();
                    self.scope.pop();
                }
                CheckedStmtKind::If { condition, then, otherwise } => {
                    self.conditions.push(condition);
                    self.block(then);
                    self.block(otherwise);
                    self.conditions.pop();
                }
                CheckedStmtKind::While { condition, body }
                | CheckedStmtKind::Repeat { body, until: condition }
                | CheckedStmtKind::Chance { body, given: condition } => {
                    self.conditions.push(condition);
                    self.block(body);
                    self.conditions.pop();
                }
                CheckedStmtKind::Step { body, .. }
                | CheckedStmtKind::As { body, .. }
                | CheckedStmtKind::Turns { body, .. } => {
                    self.block(body);
                }
                CheckedStmtKind::Choose(choice) => self.choose(*choice),
                CheckedStmtKind::Roll { .. }
                | CheckedStmtKind::Call { .. }
                | CheckedStmtKind::Next(_)
                | exits!()
                | changes!() => {}
            }
        }
        self.scope.truncate(scope);
        self.conditions.truncate(conditions);
    }

    fn choose(&mut self, id: ChoiceId) {
        for local in &self.scope {
            self.scopes.entry(*local).or_default().push(id);
        }
        let choice = &self.model.choices[id.index()];
        for option in &choice.options {
            let scope = self.scope.len();
            for binder in &option.binders {
                let sources = &mut self.sources[binder.local.index()];
                sources.push(&binder.over);
                sources.extend(&option.filter);
                sources.extend(&option.ensuring);
                self.scope.push(binder.local);
            }
            self.block(&option.body);
            self.scope.truncate(scope);
        }
        if let Some(otherwise) = &choice.otherwise {
            self.block(otherwise);
        }
    }

    /// Returns, by local, whether its value depends on something that not every player sees.
    fn hidden(&self) -> Vec<bool> {
        let mut hidden = vec![false; self.model.locals.len()];
        for local in self.model.together.iter().flat_map(|block| &block.locals) {
            hidden[local.index()] = true;
        }
        let secret = |option: &&CheckedOption| option.seen.is_some_and(|seen| seen != Visibility::All);
        let options = self.model.choices.iter().flat_map(|choice| &choice.options);
        for binder in options.filter(secret).flat_map(|option| &option.binders) {
            hidden[binder.local.index()] = true;
        }
        // Picked or chosen elements that not every player sees afterwards.
        for local in self.scopes.keys().filter(|local| self.values[local.index()].is_empty()) {
            let kept = |block| is_kept(self.model, block, *local);
            hidden[local.index()] |= kept(&self.model.setup) || kept(&self.model.turn);
        }
        loop {
            let before = hidden.clone();
            for (local, sources) in self.sources.iter().enumerate() {
                hidden[local] = hidden[local] || sources.iter().any(|e| self.tells(e, &before));
            }
            if hidden == before {
                return hidden;
            }
        }
    }

    fn tells(&self, e: &CheckedExpr, hidden: &[bool]) -> bool {
        let mut found = false;
        walk::expr(e, &mut |e| match &e.kind {
            CheckedExprKind::Read(Target { slot, .. }) => {
                found |= self.model.slots[slot.index()].visibility != Visibility::All;
            }
            CheckedExprKind::Local(local) => found |= hidden[local.index()],
            _ => {}
        });
        found
    }

    fn content(&self, local: LocalId, depth: u32) -> Option<Content> {
        Some(match self.model.locals[local.index()].ty {
            Type::Bool => Content::Bool,
            Type::Element(domain) => Content::Element { domain, optional: true },
            Type::Set(domain) => Content::Set(domain),
            Type::Number => {
                let values = &self.values[local.index()];
                let mut range: Option<(i64, i64)> = None;
                for value in values {
                    let (low, high) = self.bounds(value, depth)?;
                    let (least, most) = range.unwrap_or((low, high));
                    range = Some((least.min(low), most.max(high)));
                }
                let (low, high) = range?;
                Content::Number { low, high }
            }
        })
    }

    /// Returns the minimum and maximum of a number, as far as the declarations tell.
    fn bounds(&self, e: &CheckedExpr, depth: u32) -> Option<(i64, i64)> {
        // A local that is computed from its own value has no bounds.
        if depth > 20 {
            return None;
        }
        let model = self.model;
        let bounds = |e: &CheckedExpr| self.bounds(e, depth + 1);
        Some(match &e.kind {
            CheckedExprKind::Constant(Value::Number(n)) => (*n, *n),
            CheckedExprKind::Read(target) => match model.slots[target.slot.index()].content {
                Content::Number { low, high } => (low, high),
                _ => return None,
            },
            CheckedExprKind::Local(local) => match self.content(*local, depth + 1)? {
                Content::Number { low, high } => (low, high),
                _ => return None,
            },
            CheckedExprKind::ValueOf(a) => {
                let Type::Element(d) = a.ty else { return None };
                let domain = &model.domains[d.index()];
                let DomainKind::Range { low } = domain.kind else { return None };
                (low, low + i64::from(domain.size) - 1)
            }
            CheckedExprKind::Count(a) => {
                let Type::Set(d) = a.ty else { return None };
                (0, model.domains[d.index()].size.into())
            }
            CheckedExprKind::If(_, a, b) => {
                let ((al, ah), (bl, bh)) = (bounds(a)?, bounds(b)?);
                (al.min(bl), ah.max(bh))
            }
            CheckedExprKind::As { value, .. } => bounds(value)?,
            CheckedExprKind::Table(table, _) => {
                let values = &model.tables[table.index()].values;
                (*values.iter().min()?, *values.iter().max()?)
            }
            CheckedExprKind::Longest { board, .. } => (0, model.boards[board.index()].topology.size().into()),
            CheckedExprKind::Arithmetic(op, a, b) => {
                let ((al, ah), (bl, bh)) = (bounds(a)?, bounds(b)?);
                match op {
                    Arithmetic::Add => (al.checked_add(bl)?, ah.checked_add(bh)?),
                    Arithmetic::Subtract => (al.checked_sub(bh)?, ah.checked_sub(bl)?),
                    Arithmetic::Min => (al.min(bl), ah.min(bh)),
                    Arithmetic::Max => (al.max(bl), ah.max(bh)),
                    Arithmetic::Modulo if bl == bh && bl > 0 => (0, bl - 1),
                    _ => return None,
                }
            }
            _ => return None,
        })
    }
}
