//! What looks back and what looks ahead: `repeated`, which asks whether a position was there before,
//! and what an option may do whose outcome is tried before it is legal.

use super::Checker;
use super::calls::Args;
use super::place::Place;
use super::scope::Entity;
use super::value::Val;
use crate::diagnostic::{Diagnostic, Span, did_you_mean};
use crate::lang::model::*;
use crate::lang::syntax::{self, ExprKind as S};

impl<'a> Checker<'a> {
    /// `repeated(n)`, `repeated(n, of: stone)`, `repeated(n, of: [stone, mover])`
    pub(super) fn repeated(&mut self, args: &Args<'a>) -> Option<Val> {
        self.takes(args, 1, 1, "repeated(2)")?;
        if self.has_round() {
            self.not_yet(args.span, "`repeated` in rules with `round`");
        }
        let times = self.number_of(args.plain[0]);
        let past = match args.named("of") {
            Some(of) => self.compared(of),
            None => Some(self.all_that_lasts()),
        };
        if !matches!(self.place, Place::Turn | Place::End | Place::Anywhere) {
            let message = "`repeated` belongs into a turn or behind `end when`";
            let d = Diagnostic::error("misplaced", args.span, message)
                .note("positions are noted when a turn begins, and scores must stand without them")
                .help("ask in the turn and keep the answer in a variable");
            self.report(d);
        }
        let (times, past) = (times?, past?);
        let known = self.model.pasts.iter().position(|p| *p == past);
        let id = known.unwrap_or_else(|| {
            self.model.pasts.push(past);
            self.model.pasts.len() - 1
        });
        let kind = ExprKind::Repeated { past: PastId(id as u32), times: Box::new(times) };
        Some(Val::sure(self.mk(kind, Type::Bool, args.span)))
    }

    /// All state that lives the game, but what the engine counts, and who moves.
    fn all_that_lasts(&self) -> Past {
        let lasts = |slot: &Slot| {
            slot.life == Life::Game
                && matches!(slot.role, Role::Variable | Role::Piece(_) | Role::Zone | Role::Copies)
        };
        let slots = self.model.slots.iter().zip((0..).map(SlotId));
        Past { slots: slots.filter(|(slot, _)| lasts(slot)).map(|(_, id)| id).collect(), mover: true }
    }

    /// The names behind `of:`.
    fn compared(&mut self, of: &'a syntax::Expr) -> Option<Past> {
        let names = match &of.kind {
            S::Tuple(names) => names.iter().collect(),
            S::Hole => {
                self.holes = true;
                return None;
            }
            _ => vec![of],
        };
        let mut past = Past { slots: vec![], mover: false };
        let mut whole = true;
        for e in names {
            let name = match &e.kind {
                S::Name(name) => name.as_str(),
                _ => "",
            };
            match self.entity(name, e.span) {
                _ if name == "mover" => past.mover = true,
                Some(Entity::Slot(slot))
                    if matches!(
                        self.model.slots[slot.index()].role,
                        Role::Variable | Role::Piece(_) | Role::Zone | Role::Copies
                    ) =>
                {
                    self.read_slots.insert(slot);
                    past.slots.push(slot);
                }
                Some(Entity::Board(board)) => {
                    let pieces = self.model.boards[board.index()].pieces.clone();
                    past.slots.extend(pieces);
                }
                Some(Entity::Poison) => whole = false,
                _ => {
                    whole = false;
                    self.nothing_to_compare(e, name);
                }
            }
        }
        past.slots.sort_unstable();
        past.slots.dedup();
        whole.then_some(past)
    }

    fn nothing_to_compare(&mut self, e: &syntax::Expr, name: &str) {
        let message = "`of:` takes the names of pieces, variables and boards, and `mover`";
        let mut d = Diagnostic::error("wrong-argument", e.span, message);
        let known = self.model.slots.iter().filter(|s| s.span.is_some()).map(|s| s.name.as_str());
        d = match did_you_mean(name, known) {
            Some(better) => d.help(format!("did you mean `{better}`?")),
            None => d.help("write a name without its index; several stand in brackets: `of: [a, b]`"),
        };
        self.report(d);
    }

    /// What `ensuring` asks of an option that has been carried out on trial. None if it always holds or
    /// is wrong.
    pub(super) fn ensured(&mut self, e: &'a syntax::Expr, body: &Block) -> Option<Expr> {
        let params = self.params_read;
        let condition = self.condition(e);
        if let Some((word, span)) = untried(body, &self.model.hooks) {
            let message = format!("`{word}` can't stand in an option with `ensuring`");
            let d = Diagnostic::error("not-on-trial", span, message)
                .also(e.span, "this is tested after the option has been carried out on trial")
                .note("what is tried must come out in one way and go back, so it may not choose, draw lots or leave the turn")
                .help(format!("put the `{word}` behind the `choose`"));
            self.report(d);
            return None;
        }
        match condition.as_ref().and_then(super::build::constant_truth) {
            Some(true) => None,
            Some(false) if params == self.params_read => {
                self.never_legal(e.span, "this is never true");
                condition
            }
            _ => condition,
        }
    }
}

/// The first statement that can't be carried out on trial.
fn untried<'m>(block: &'m Block, hooks: &'m [Hook]) -> Option<(&'m str, Span)> {
    block.stmts.iter().find_map(|stmt| {
        let word = match &stmt.kind {
            StmtKind::Choose(_) => "choose",
            StmtKind::Roll { .. } => "roll",
            StmtKind::Pick { .. } => "pick",
            StmtKind::Again => "again",
            StmtKind::Done => "done",
            StmtKind::Skip => "skip",
            StmtKind::EndGame => "end game",
            StmtKind::Step { .. } => "step",
            StmtKind::Turns { .. } => "each player",
            StmtKind::Call { hook, .. } if hooks[hook.index()].draws => &hooks[hook.index()].name,
            _ => return stmt.blocks().into_iter().find_map(|block| untried(block, hooks)),
        };
        Some((word, stmt.span))
    })
}
