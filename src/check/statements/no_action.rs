//! Checks `no action for p`: does the first choice of a player's turn offer nothing?
//!
//! The options of that choice are expanded like a define, from the point of view of the player. What begins again with a
//! turn is set for a trial, which is undone.

use std::collections::BTreeSet;

use super::choice::OptionParts;
use crate::checker::Checker;
use crate::checker::context::LookAhead;
use crate::draft::Draft;
use crate::values::{Val, constant_truth};
use houserule_language::diagnostic::{Code, Diagnostic, Span};
use houserule_language::syntax::{self, Choose, DeclKind, Quantifier, StmtKind as T};
use houserule_model::*;

/// What the options of a choice read that begins again with a turn.
#[derive(Default)]
struct TurnStart {
    /// They read `mover`.
    mover: bool,
    /// The variables `each turn`.
    slots: BTreeSet<SlotId>,
}

impl<'a> Checker<'a> {
    pub(crate) fn no_action(&mut self, player: &'a syntax::Expr, span: Span) -> Val {
        self.require_play("no action", "what a player can do is known while turns are taken", span);
        let player = self.player(player);
        if self.context.looks_ahead != LookAhead::No {
            let d = Diagnostic::error(Code::Cycle, span, "an option of the first choice needs itself here")
                .help("`no action` can't be asked in an option of the choice that it asks about");
            self.draft.messages.report(d);
            return Val::Poison;
        }
        let (Some(player), Some(choose)) = (player, self.first_choice(span)) else { return Val::Poison };
        let options = choose.options.iter().flatten();
        let legal = self.expand_ahead(LookAhead::FirstChoice, options, |draft, option, parts| {
            draft.is_legal(option, parts, span)
        });
        let Some(legal) = legal else { return Val::Poison };
        let none = self.draft.truth_constant(false, span);
        let any = legal.into_iter().fold(none, |any, legal| {
            let kind = CheckedExprKind::Or(Box::new(any), Box::new(legal));
            self.draft.build(kind, Type::Bool, span)
        });
        let Some(fresh) = self.draft.find_turn_start(&any, span) else { return Val::Poison };
        let some = self.draft.at_turn_start(player, any, &fresh, span);
        Val::sure(self.draft.not(some))
    }

    /// Finds the choice with which a turn begins.
    fn first_choice(&mut self, span: Span) -> Option<&'a Choose> {
        let (mut block, mut in_turn) = self.input.game.decls.iter().find_map(|decl| match &decl.kind {
            DeclKind::Turn(body) => Some((body, true)),
            DeclKind::Round(body) => Some((body, false)),
            _ => None,
        })?;
        loop {
            let first = block.stmts.first();
            match first.map(|stmt| &stmt.kind) {
                Some(T::Choose(choose)) if in_turn => return Some(choose),
                Some(T::EachPlayer { of: None, until: None, body, .. }) if !in_turn => {
                    (block, in_turn) = (body, true)
                }
                Some(T::Step { name, body, .. })
                    if !self.hooks.is_defined(&format!("before_{}", name.text)) =>
                {
                    block = body;
                }
                Some(T::Hole) => {
                    self.draft.messages.add_hole();
                    return None;
                }
                kind => {
                    let rolls = matches!(
                        kind,
                        Some(
                            T::Roll { .. }
                                | T::Pick { .. }
                                | T::Draw { .. }
                                | T::Deal { .. }
                                | T::Chance { .. }
                        )
                    );
                    let message = match rolls {
                        true => "nobody knows what will be legal: the turn draws before its first choice",
                        false => {
                            "`no action` asks about the choice with which a turn begins, and this one begins otherwise"
                        }
                    };
                    let at = first.map_or(block.span, |stmt| stmt.span);
                    let d = Diagnostic::error(Code::NoFirstChoice, span, message)
                        .also(at, "the turn begins with this")
                        .help("ask for what the player needs, such as `{ c in … where … } is nothing`, or begin the turn with the `choose`");
                    self.draft.messages.report(d);
                    return None;
                }
            }
        }
    }
}

impl Draft {
    /// Returns a boolean expression for a player as it will be at the start of that player's turn.
    fn at_turn_start(
        &mut self,
        player: CheckedExpr,
        any: CheckedExpr,
        fresh: &TurnStart,
        span: Span,
    ) -> CheckedExpr {
        if constant_truth(&any).is_some() {
            return any;
        }
        if !fresh.mover && fresh.slots.is_empty() {
            return self.as_seat(player, any, span);
        }
        let mut stmts = vec![];
        let player = self.keep_value("player", player, &mut stmts);
        if fresh.mover {
            let target = Target { slot: Builtin::Mover.slot(), index: vec![] };
            stmts.push(CheckedStmt { kind: CheckedStmtKind::Assign { target, value: player.clone() }, span });
        }
        for slot in &fresh.slots {
            let Slot { index, initial, content, .. } = self.model.slots[slot.index()].clone();
            for (place, value) in initial.into_iter().enumerate() {
                let mut rest = place as u32;
                let mut elements: Vec<CheckedExpr> = vec![];
                for domain in index.iter().rev() {
                    let size = self.size(*domain);
                    let kind = CheckedExprKind::Constant(Value::Element(Some(rest % size)));
                    elements.insert(0, self.build(kind, Type::Element(*domain), span));
                    rest /= size;
                }
                let ty = match content {
                    Content::Number { .. } => Type::Number,
                    Content::Bool => Type::Bool,
                    Content::Element { domain, .. } => Type::Element(domain),
                    Content::Set(domain) => Type::Set(domain),
                };
                let value = self.build(CheckedExprKind::Constant(value), ty, span);
                let target = Target { slot: *slot, index: elements };
                stmts.push(CheckedStmt { kind: CheckedStmtKind::Assign { target, value }, span });
            }
        }
        let value = Box::new(self.as_seat(player, any, span));
        let body = CheckedBlock { stmts };
        self.build(CheckedExprKind::Tried { body, value }, Type::Bool, span)
    }

    /// Returns whether an option is legal, as a boolean expression.
    fn is_legal(
        &mut self,
        option: &syntax::ChoiceOption,
        parts: OptionParts,
        span: Span,
    ) -> Option<CheckedExpr> {
        let OptionParts { binders, filter, ensuring, body } = parts;
        let plain = ensuring.is_none();
        let mut holds = filter;
        if let Some(condition) = ensuring {
            let at = condition.span;
            let kind = CheckedExprKind::Tried { body, value: Box::new(condition) };
            let after = self.build(kind, Type::Bool, at);
            holds = Some(match holds {
                Some(filter) => self.and(filter, after, at),
                None => after,
            });
        }
        for (number, CheckedBinder { local, domain, subset, over }) in binders.into_iter().enumerate().rev() {
            let at = over.span;
            holds = match holds {
                // Every set has a subset, the empty one.
                None if subset => None,
                Some(_) if subset => {
                    let message =
                        format!("`no action` can't look through the subsets of `{}`", option.name.text);
                    let d = Diagnostic::error(Code::NoFirstChoice, span, message)
                        .also(option.name.span, "this option chooses a subset under a condition")
                        .help("ask for what the player needs, or let the option choose elements");
                    self.messages.report(d);
                    return None;
                }
                None => Some(self.is_some(over, at)),
                Some(condition) if plain && number + 1 == option.binders.len() => {
                    let (over, condition) = (Box::new(over), Box::new(condition));
                    let kind = CheckedExprKind::Filter { local, over, condition };
                    let some = self.build(kind, Type::Set(domain), at);
                    Some(self.is_some(some, at))
                }
                Some(condition) => {
                    Some(self.quantified(Quantifier::Any, local, over, condition, Type::Bool, at))
                }
            };
        }
        Some(holds.unwrap_or_else(|| self.truth_constant(true, span)))
    }

    /// Finds what begins again with a turn. Reports what isn't known before it.
    fn find_turn_start(&mut self, any: &CheckedExpr, span: Span) -> Option<TurnStart> {
        let mut fresh = TurnStart::default();
        let mut unknown: Option<(Span, String)> = None;
        walk::expr(any, &mut |e| {
            let why = match &e.kind {
                CheckedExprKind::Repeated { .. } => "the position of that turn isn't noted yet".to_owned(),
                CheckedExprKind::Call { .. } => "a script may read what changes with the turn".to_owned(),
                CheckedExprKind::Read(target) => {
                    let slot = &self.model.slots[target.slot.index()];
                    match (slot.role, slot.life) {
                        (Role::Builtin(Builtin::Mover), _) => {
                            fresh.mover = true;
                            return;
                        }
                        (Role::Dice { .. }, _) => format!("`{}` isn't rolled yet", slot.name),
                        (Role::Builtin(Builtin::Round), _) | (_, Life::Round) => {
                            format!("a new round may begin before, and with it another `{}`", slot.name)
                        }
                        (_, Life::Turn) => {
                            fresh.slots.insert(target.slot);
                            return;
                        }
                        _ => return,
                    }
                }
                _ => return,
            };
            unknown.get_or_insert((e.span, why));
        });
        let Some((at, why)) = unknown else { return Some(fresh) };
        let message = "what will be legal in the player's turn isn't known here";
        let d = Diagnostic::error(Code::NoFirstChoice, span, message)
            .also(at, why)
            .help("ask for what the player needs instead");
        self.messages.report(d);
        None
    }

    fn as_seat(&mut self, player: CheckedExpr, value: CheckedExpr, span: Span) -> CheckedExpr {
        let kind = CheckedExprKind::As { player: Box::new(player), value: Box::new(value) };
        self.build(kind, Type::Bool, span)
    }
}
