//! Scores that a player can compute: they count nothing that is hidden from the player in this state.
//! `points when winners is some` is open as long as the player sees that nobody has won.

use crate::explain::{ItemExplanation, evaluate, explain_pieces};
use crate::{RuntimeError, Seat, State};
use houserule_model::{
    CheckedExpr, CheckedExprKind, HookCall, HookId, LocalId, Role, SlotId, Target, Value, Visibility,
    value_words, walk,
};

/// The knowledge with which a viewer evaluates expressions.
struct Viewer<'s> {
    state: &'s State,
    viewer: Seat,
    /// The player whose score it is.
    me: Seat,
}

impl State {
    /// Returns `true` if a player can see another player's score.
    pub fn sees_score(&self, of: Seat, viewer: Seat) -> bool {
        let items = 0..self.game().model().score.len();
        !self.game().hides() || items.into_iter().all(|item| self.sees_item(item, of, viewer))
    }

    /// Returns `true` if a player can see what is legal for the player who has to choose: nothing hidden decides it.
    pub fn sees_legal(&self, viewer: Seat) -> bool {
        let model = self.game().model();
        let Some(me) = self.current_player().filter(|me| *me != viewer && self.game().hides()) else {
            return true;
        };
        let Some(choice) = self.pending_choice().map(|choice| &model.choices[choice.index()]) else {
            return true;
        };
        let viewer = Viewer { state: self, viewer, me };
        choice.options.iter().all(|option| {
            let mut bound: Vec<LocalId> = option.binders.iter().map(|binder| binder.local).collect();
            let tests = option.binders.iter().map(|binder| &binder.over).chain(&option.filter);
            // A trial may read anything.
            option.ensuring.is_none()
                && tests.into_iter().all(|e| viewer.knows(e, false) && !reads_other_locals(e, &mut bound))
        })
    }

    /// Explains the items of a player's score that all of some viewers see; `None` stands for the others. Without viewers,
    /// all items are seen.
    pub fn explain_seen(
        &self,
        of: Seat,
        viewers: &[Seat],
    ) -> Result<Vec<Option<ItemExplanation>>, RuntimeError> {
        let sees = |slot: SlotId, place: usize| viewers.iter().all(|viewer| self.sees(slot, place, *viewer));
        let items = explain_pieces(self, of, &sees)?.into_iter().enumerate();
        let is_seen = |item: usize| viewers.iter().all(|viewer| self.sees_item(item, of, *viewer));
        Ok(items.map(|(at, item)| is_seen(at).then_some(item)).collect())
    }

    /// Returns `true` if a player can see the value of an item of a score, by its index.
    pub fn sees_item(&self, item: usize, of: Seat, viewer: Seat) -> bool {
        let viewer = Viewer { state: self, viewer, me: of };
        !self.game().hides() || viewer.knows(&self.game().model().score[item].value, true)
    }
}

/// Returns `true` if an expression reads locals other than those that are bound, and that it binds itself. They may have
/// been drawn out of sight.
fn reads_other_locals(e: &CheckedExpr, bound: &mut Vec<LocalId>) -> bool {
    walk::expr(e, &mut |e| match &e.kind {
        CheckedExprKind::Filter { local, .. } | CheckedExprKind::Quantified { local, .. } => {
            bound.push(*local)
        }
        _ => {}
    });
    let mut other = false;
    walk::expr(e, &mut |e| {
        other |= matches!(e.kind, CheckedExprKind::Local(local) if !bound.contains(&local))
    });
    other
}

impl Viewer<'_> {
    /// Returns `true` if the viewer's knowledge determines the value of an expression. `alone`: it has no
    /// free locals, and `me` is the player whose score it is, so it can be evaluated here.
    fn knows(&self, e: &CheckedExpr, alone: bool) -> bool {
        let both = |a: &CheckedExpr, b: &CheckedExpr| self.knows(a, alone) && self.knows(b, alone);
        match &e.kind {
            CheckedExprKind::Read(target) => self.reads(target, alone),
            // Everybody sees how many elements lie in a zone.
            CheckedExprKind::IsSome(set) | CheckedExprKind::Count(set) if self.is_zone(set) => {
                self.children(set, alone)
            }
            CheckedExprKind::IsSome(kinds) if let Some(zone) = self.state.game().model().kinds_of(kinds) => {
                zone.index.iter().all(|index| self.knows(index, alone))
            }
            CheckedExprKind::Quantified { .. }
                if let Some(zone) = self.state.game().model().counts_all_of(e) =>
            {
                zone.index.iter().all(|index| self.knows(index, alone))
            }
            CheckedExprKind::If(condition, then, otherwise) => match self.truth(condition, alone) {
                Some(true) => self.knows(then, alone),
                Some(false) => self.knows(otherwise, alone),
                None => self.knows(condition, alone) && both(then, otherwise),
            },
            CheckedExprKind::And(a, b) => self.truth(a, alone) == Some(false) || both(a, b),
            CheckedExprKind::Or(a, b) => self.truth(a, alone) == Some(true) || both(a, b),
            CheckedExprKind::Filter { over, condition: body, .. }
            | CheckedExprKind::Quantified { over, body, .. } => {
                self.knows(over, alone) && self.knows(body, false)
            }
            CheckedExprKind::As { player, value } => self.knows(player, alone) && self.knows(value, false),
            // Earlier positions had hidden parts too.
            CheckedExprKind::Repeated { .. } => false,
            CheckedExprKind::Call { hook, args } => {
                alone && self.children(e, alone) && self.can_ask(*hook, args).is_some()
            }
            _ => {
                use walk::Dependence::{Local, Me, None};
                matches!(walk::dependence(e), None | Local | Me) && self.children(e, alone)
            }
        }
    }

    /// Returns the result of a script that may read only what the viewer sees, or `None` if it fails.
    fn can_ask(&self, hook: HookId, args: &[CheckedExpr]) -> Option<i64> {
        let game = self.state.game();
        let places = &game.program().places;
        let mut given = vec![];
        for arg in args {
            given.extend(value_words(places.width, &evaluate(self.state, arg, self.me).ok()?));
        }
        let (words, hidden) = self.state.words_for(self.viewer);
        let (hook, me, mut words) = (hook.0, self.me.0, words.into_owned());
        let call = HookCall {
            hook,
            args: &given,
            me,
            places,
            words: &mut words,
            hidden: &hidden,
            draw: &mut |_| None,
        };
        game.model().scripts.as_ref()?.call(call).ok()
    }

    fn children(&self, e: &CheckedExpr, alone: bool) -> bool {
        let mut all = true;
        walk::children(e, &mut |child| all = all && self.knows(child, alone));
        all
    }

    /// Returns the value of a condition if the viewer knows it.
    fn truth(&self, e: &CheckedExpr, alone: bool) -> Option<bool> {
        if !alone || !self.knows(e, alone) {
            return None;
        }
        match evaluate(self.state, e, self.me) {
            Ok(Value::Bool(value)) => Some(value),
            _ => None,
        }
    }

    fn is_zone(&self, e: &CheckedExpr) -> bool {
        let model = self.state.game().model();
        matches!(&e.kind, CheckedExprKind::Read(target) if model.slots[target.slot.index()].role == Role::Zone)
    }

    fn reads(&self, target: &Target, alone: bool) -> bool {
        let model = self.state.game().model();
        let slot = &model.slots[target.slot.index()];
        let own = || alone && self.viewer == self.me && matches!(target.index[0].kind, CheckedExprKind::Me);
        let seen = match slot.role {
            // The empty sites reveal where pieces stand.
            Role::Empty(board) => model.boards[board.index()].pieces.iter().all(|piece| self.open(*piece)),
            Role::Known => false,
            _ => self.open(target.slot) || slot.visibility == Visibility::Owner && own(),
        };
        seen && target.index.iter().all(|index| self.knows(index, alone))
    }

    /// Returns `true` if the viewer sees all of a slot.
    fn open(&self, slot: SlotId) -> bool {
        let places = self.state.game().model().slots[slot.index()].initial.len();
        (0..places).all(|place| self.state.sees(slot, place, self.viewer))
    }
}
