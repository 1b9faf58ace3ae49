//! `reveal` of variables and dice that not all players see: what a player was shown is a variable of its own, which
//! only this player sees. It is `none` once the value changes.

use crate::draft::Draft;
use crate::resolution::lookup::content_type;
use crate::values::{DiceValue, Val};
use houserule_base::limits;
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_model::board::BitSet;
use houserule_model::*;

impl Draft {
    /// Builds `reveal x to p` for a variable or dice. Returns `None` if the value is neither.
    pub(super) fn reveal_value(
        &mut self,
        value: &Val,
        players: &CheckedExpr,
        span: Span,
    ) -> Option<Option<CheckedStmtKind>> {
        let (of, die) = match value {
            Val::Expr(e, _) => match &e.kind {
                CheckedExprKind::Read(target) => (target.clone(), None),
                _ => return None,
            },
            Val::Dice(DiceValue { slot, index, .. }, _) => {
                let die = self.model.slots[slot.index()].index.last().copied();
                (Target { slot: *slot, index: index.clone() }, die)
            }
            _ => return None,
        };
        if !matches!(self.model.slots[of.slot.index()].role, Role::Variable | Role::Dice { .. }) {
            return None;
        }
        Some(self.shown_to(of, die, players, span))
    }

    fn shown_to(
        &mut self,
        of: Target,
        die: Option<DomainId>,
        players: &CheckedExpr,
        span: Span,
    ) -> Option<CheckedStmtKind> {
        let name = self.model.slots[of.slot.index()].name.clone();
        if self.model.slots[of.slot.index()].visibility == Visibility::All {
            let d = Diagnostic::error(Code::Misplaced, span, format!("all players see `{name}` already"))
                .help("leave `reveal` out, or write `seen by owner` or `seen by none` in the declaration");
            self.messages.report(d);
            return None;
        }
        let Some(shown) = self.shown_slot(of.slot, span) else {
            let message = format!("`{name}` has too many values to be revealed");
            let d = Diagnostic::error(Code::LimitDomain, span, message)
                .note(format!("at most {} numbers can be told apart", limits::DOMAIN))
                .help("give the variable a narrower range");
            self.messages.report(d);
            return None;
        };
        let over = self.copy(players);
        Some(self.each_shown(shown, &of, die, over, span, |c, index| {
            let read = CheckedExprKind::Read(Target { slot: of.slot, index });
            c.shown_value(of.slot, read, span)
        }))
    }

    /// The slot with what the players were shown of a slot; created if missing. Returns `None` if there are too many
    /// values.
    fn shown_slot(&mut self, of: SlotId, span: Span) -> Option<SlotId> {
        if let Some(shown) = self.model.shown_of(of) {
            return Some(shown);
        }
        let Slot { name, index, content, initial, life, role, .. } = self.model.slots[of.index()].clone();
        let numbers = |c: &mut Self, low: i64, high: i64| {
            let few = high.checked_sub(low)? < limits::DOMAIN;
            let domain = if few { c.range_domain(low, high, span)? } else { return None };
            Some(Content::Element { domain, optional: true })
        };
        let content = match (role, content) {
            (Role::Dice { faces, .. }, _) => numbers(self, 1, faces.into())?,
            (_, Content::Number { low, high }) => numbers(self, low, high)?,
            (_, Content::Bool) => numbers(self, 0, 1)?,
            (_, Content::Element { domain, .. }) => Content::Element { domain, optional: true },
            (_, Content::Set(domain)) => Content::Set(domain),
        };
        let none = match content {
            Content::Set(domain) => Value::Set(BitSet::empty(self.size(domain))),
            _ => Value::Element(None),
        };
        let shown = self.add_slot(Slot {
            name: format!("shown {name}"),
            index: [vec![PLAYER], index].concat(),
            content,
            initial: vec![none; self.size(PLAYER) as usize * initial.len()],
            life,
            role: Role::Variable,
            visibility: Visibility::Owner,
            shown: DisplayForm::Plainly,
            help: format!("what one was shown of `{name}`"),
            span: None,
        });
        self.model.shown_values.push((of, shown));
        Some(shown)
    }

    /// Gives what each player of a set was shown another value: for every die, if `die` is their domain. `value` builds
    /// the value for an index of the hidden slot.
    fn each_shown(
        &mut self,
        shown: SlotId,
        of: &Target,
        die: Option<DomainId>,
        players: CheckedExpr,
        span: Span,
        value: impl FnOnce(&mut Self, Vec<CheckedExpr>) -> CheckedExpr,
    ) -> CheckedStmtKind {
        let element = |c: &mut Self, name: &str, domain: DomainId| {
            let local = c.new_local(name, Type::Element(domain), span);
            (local, c.build(CheckedExprKind::Local(local), Type::Element(domain), span))
        };
        let (player, who) = element(self, "player", PLAYER);
        let mut index: Vec<CheckedExpr> = of.index.iter().map(|e| self.copy(e)).collect();
        let each_die = die.map(|domain| {
            let (local, e) = element(self, "die", domain);
            index.push(e);
            (local, self.full_set(domain, span))
        });
        let value = value(self, index.clone());
        let target = Target { slot: shown, index: [vec![who], index].concat() };
        let mut kind = CheckedStmtKind::Assign { target, value };
        let loops = each_die.into_iter().chain([(player, players)]);
        for (local, over) in loops {
            let body = CheckedBlock { stmts: vec![CheckedStmt { kind, span }] };
            kind = CheckedStmtKind::For { local, over, from: None, body };
        }
        kind
    }

    /// The value of a hidden slot as it is shown: a number as the element of a range.
    fn shown_value(&mut self, of: SlotId, read: CheckedExprKind, span: Span) -> CheckedExpr {
        let content = self.model.slots[of.index()].content;
        let shown = self.model.shown_of(of).map(|shown| self.model.slots[shown.index()].content);
        let (Content::Number { .. } | Content::Bool, Some(Content::Element { domain, .. })) =
            (content, shown)
        else {
            return self.build(read, content_type(content), span);
        };
        let number = match content {
            Content::Bool => {
                let (one, zero) = (self.number_constant(1, span), self.number_constant(0, span));
                let holds = Box::new(self.build(read, Type::Bool, span));
                self.build(CheckedExprKind::If(holds, Box::new(one), Box::new(zero)), Type::Number, span)
            }
            _ => self.build(read, Type::Number, span),
        };
        self.build(CheckedExprKind::ElementOf(Box::new(number)), Type::Element(domain), span)
    }

    /// Inserts before each change of a value that nobody has been shown it any more.
    pub(crate) fn weave_shown_values(&mut self) {
        if self.model.shown_values.is_empty() {
            return;
        }
        let mut choices = std::mem::take(&mut self.model.choices);
        let mut blocks = [std::mem::take(&mut self.model.setup), std::mem::take(&mut self.model.turn)];
        for block in blocks.iter_mut().chain(choices.iter_mut().flat_map(Choice::blocks_mut)) {
            walk::each_block_mut(block, &mut |stmts| {
                let mut at = 0;
                while at < stmts.len() {
                    if let Some(before) = self.hidden_again(&stmts[at]) {
                        stmts.insert(at, before);
                        at += 1;
                    }
                    at += 1;
                }
            });
        }
        [self.model.setup, self.model.turn] = blocks;
        self.model.choices = choices;
    }

    fn hidden_again(&mut self, stmt: &CheckedStmt) -> Option<CheckedStmt> {
        let (of, die) = match &stmt.kind {
            CheckedStmtKind::Assign { target, .. } => (target, None),
            CheckedStmtKind::Roll { dice, .. } => {
                (dice, self.model.slots[dice.slot.index()].index.last().copied())
            }
            _ => return None,
        };
        let shown = self.model.shown_of(of.slot)?;
        let (span, content) = (stmt.span, self.model.slots[shown.index()].content);
        let all = self.full_set(PLAYER, span);
        let kind = self.each_shown(shown, of, die, all, span, |c, _| match content {
            Content::Set(domain) => c.empty_set(domain, span),
            content => c.build(CheckedExprKind::Constant(Value::Element(None)), content_type(content), span),
        });
        Some(CheckedStmt { kind, span })
    }
}
