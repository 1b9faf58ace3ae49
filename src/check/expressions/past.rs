//! `repeated`, which tests whether a position has occurred before, and `ensuring`, which tests an option
//! after a trial run.

use super::calls::{Args, lone_name};
use crate::checker::Checker;
use crate::checker::context::StatementContext;
use crate::draft::Draft;
use crate::names::name_table::Entity;
use crate::values::Val;
use houserule_language::diagnostic::{Code, Diagnostic, Span, did_you_mean};
use houserule_language::syntax;
use houserule_language::syntax::ExprKind as S;
use houserule_language::vocabulary::BuiltInName;
use houserule_model::*;

impl<'a> Checker<'a> {
    /// Checks `repeated(n)`, `repeated(n, of: stone)`, `repeated(n, of: [stone, mover])`.
    pub(super) fn repeated(&mut self, args: &Args<'a>) -> Option<Val> {
        args.check_count(&mut self.draft.messages)?;
        let times = self.number_of(args.plain[0]);
        let past = match args.named("of") {
            Some(of) => self.compared(of),
            None => Some(self.draft.all_that_lasts()),
        };
        let note = "positions are noted when a turn begins, and a score can't depend on them";
        self.require_play("repeated", note, args.span);
        let (times, past) = (times?, past?);
        let known = self.draft.model.pasts.iter().position(|p| *p == past);
        let id = known.unwrap_or_else(|| {
            self.draft.model.pasts.push(past);
            self.draft.model.pasts.len() - 1
        });
        let kind = CheckedExprKind::Repeated { past: PositionKeyId(id as u32), times: Box::new(times) };
        Some(Val::sure(self.draft.build(kind, Type::Bool, args.span)))
    }

    /// Reports what can be asked only in a turn, between turns and in an end, if it stands elsewhere.
    pub(crate) fn require_play(&mut self, words: &str, note: &str, span: Span) {
        use StatementContext::{Anywhere, End, Round, Turn};
        if matches!(self.context.place, Turn | Round | End | Anywhere) {
            return;
        }
        let message = format!("`{words}` is used outside a turn and outside `end when`");
        let d = Diagnostic::error(Code::Misplaced, span, message)
            .note(note)
            .help("ask in the turn and keep the answer in a variable");
        self.draft.messages.report(d);
    }

    /// The slots named after `of:`.
    fn compared(&mut self, of: &'a syntax::Expr) -> Option<PositionKey> {
        let names = match &of.kind {
            S::Tuple(names) => names.iter().collect(),
            S::Hole => {
                self.draft.messages.add_hole();
                return None;
            }
            _ => vec![of],
        };
        let mut past = PositionKey { slots: vec![], mover: false };
        let mut whole = true;
        for e in names {
            let name = lone_name(e);
            let entity = name.and_then(|name| self.entity(name));
            let name = name.map_or("", |name| name.text.as_str());
            match entity {
                _ if name == BuiltInName::Mover.name() => {
                    self.recorder.refer_to_built_in(e.span, BuiltInName::Mover);
                    past.mover = true;
                }
                Some(Entity::Slot(slot))
                    if matches!(
                        self.draft.model.slots[slot.index()].role,
                        Role::Variable | Role::Piece(_) | Role::Zone | Role::Copies
                    ) =>
                {
                    self.usage.read_slots.insert(slot);
                    past.slots.push(slot);
                    past.slots.extend(self.draft.model.order_in(slot).map(|order| order.places));
                }
                Some(Entity::Board(board)) => {
                    let pieces = self.draft.model.boards[board.index()].pieces.clone();
                    past.slots.extend(pieces);
                }
                Some(Entity::Poison) => whole = false,
                _ => {
                    whole = false;
                    self.draft.report_nothing_to_compare(e, name);
                }
            }
        }
        past.slots.sort_unstable();
        past.slots.dedup();
        whole.then_some(past)
    }

    /// Checks the condition after `ensuring`. Returns `None` if it always holds or has an error.
    pub(crate) fn ensured(&mut self, e: &'a syntax::Expr, body: &CheckedBlock) -> Option<CheckedExpr> {
        let params = self.usage.params_read;
        let condition = self.condition(e);
        if let Some((word, span)) = first_not_in_trial(body, &self.draft.model.hooks) {
            let message = format!("`{word}` isn't allowed in an option with `ensuring`");
            let d = Diagnostic::error(Code::NotOnTrial, span, message)
                .also(e.span, "tested after a trial run of the option")
                .note("the body is run once to test the condition and may be undone, so it can't contain a choice, a roll or draw, or leave the turn")
                .help(format!("move `{word}` after the `choose`"));
            self.draft.messages.report(d);
            return None;
        }
        match condition.as_ref().and_then(crate::values::constant_truth) {
            Some(true) => None,
            Some(false) if params == self.usage.params_read => {
                self.draft.report_never_legal(e.span, "this is never true");
                condition
            }
            _ => condition,
        }
    }
}

impl Draft {
    /// All variables, pieces and zones that live the game, and the player to move.
    fn all_that_lasts(&self) -> PositionKey {
        let lasts = |slot: &Slot| {
            slot.life == Life::Game
                && matches!(
                    slot.role,
                    Role::Variable | Role::Piece(_) | Role::Zone | Role::Copies | Role::Place
                )
        };
        let slots = self.model.slots.iter().zip((0..).map(SlotId));
        PositionKey { slots: slots.filter(|(slot, _)| lasts(slot)).map(|(_, id)| id).collect(), mover: true }
    }

    fn report_nothing_to_compare(&mut self, e: &syntax::Expr, name: &str) {
        let base = match &e.kind {
            syntax::ExprKind::Index(base, _) => match &base.kind {
                syntax::ExprKind::Name(syntax::Name { text: name, .. }) => Some(name.as_str()),
                _ => None,
            },
            _ => None,
        };
        let found = match base {
            Some(name) => format!("`of:` needs a name without an index, found `{name}[…]`"),
            None if name.is_empty() => {
                "`of:` needs names of pieces, variables and boards, or `mover`".to_owned()
            }
            None => {
                format!("`of:` needs the name of a piece, a variable or a board, or `mover`, found `{name}`")
            }
        };
        let name = base.unwrap_or(name);
        let mut d = Diagnostic::error(Code::WrongArgument, e.span, found);
        let known = self.model.slots.iter().filter(|s| s.span.is_some()).map(|s| s.name.as_str());
        let better = if base.is_some() { None } else { did_you_mean(name, known) };
        d = match better {
            Some(better) => d.help(format!("did you mean `{better}`?")),
            None if name.is_empty() => d.help("write `of: NAME`, or a list: `of: [NAME, mover]`"),
            None => d.help(format!("write `of: {name}`, or a list: `of: [{name}, mover]`")),
        };
        self.messages.report(d);
    }
}

/// The first statement that isn't allowed in a trial run.
pub(crate) fn first_not_in_trial<'m>(block: &'m CheckedBlock, hooks: &'m [Hook]) -> Option<(&'m str, Span)> {
    block.stmts.iter().find_map(|stmt| {
        let word = match stmt.kind.control() {
            Control::Choice(_) => "choose",
            Control::Event(word) => word,
            Control::Exit(exit) => exit.word(),
            Control::Step(_) => "step",
            Control::Turns(_) => "each player",
            Control::Call(hook) if hooks[hook.index()].draws => &hooks[hook.index()].name,
            Control::Call(_)
            | Control::Branch(..)
            | Control::Loop(_)
            | Control::Chance(_)
            | Control::As(_)
            | Control::Plain => {
                return stmt.blocks().into_iter().find_map(|block| first_not_in_trial(block, hooks));
            }
        };
        Some((word, stmt.span))
    })
}
