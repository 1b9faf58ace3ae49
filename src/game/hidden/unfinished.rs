//! Actions whose options go on with further decisions of the same player, as for a subset that is chosen in steps. What
//! such an action binds may lie open only once the last of these decisions has moved it.

use super::information::ShownElements;
use super::sites_in_zones::moves;
use crate::{ActionId, Seat, State};
use houserule_model::{CheckedStmtKind, ChoiceId, DomainId, walk};

/// An action whose option goes on with a further decision.
#[derive(Clone, Debug)]
pub(super) struct UnfinishedAction {
    /// The item of the course.
    pub(super) item: usize,
    pub(super) player: Seat,
    action: ActionId,
    before: State,
    after: State,
    /// The choices in the body of its option.
    choices: Vec<ChoiceId>,
    /// What others have seen of it on the way.
    shown: ShownElements,
}

impl UnfinishedAction {
    /// Returns an action that led from a state to another one, if its option goes on there.
    pub(super) fn new(
        item: usize,
        action: ActionId,
        before: &State,
        after: &State,
        shown: ShownElements,
    ) -> Option<UnfinishedAction> {
        let player = before.current_player()?;
        let mut choices = vec![];
        let option = before.option_taken(action)?;
        walk::stmts(before.game().model(), &option.body, &mut |stmt| {
            if let CheckedStmtKind::Choose(choice) = stmt.kind {
                choices.push(choice);
            }
        });
        goes_on(player, &choices, after).then(|| UnfinishedAction {
            item,
            player,
            action,
            before: before.clone(),
            after: after.clone(),
            choices,
            shown,
        })
    }

    /// Returns `true` if the same player decides in its option next.
    pub(super) fn goes_on(&self, state: &State) -> bool {
        goes_on(self.player, &self.choices, state)
    }

    /// Returns the elements that it binds and that the option of a later action moves by the same name.
    pub(super) fn moved_by(&self, before: &State, action: ActionId) -> Vec<(DomainId, u32)> {
        let (game, model) = (before.game(), before.game().model());
        let (Some(own), Some(later)) = (self.before.option_taken(self.action), before.option_taken(action))
        else {
            return vec![];
        };
        let mut all = vec![];
        for (bound, binder) in game.action_bindings(self.action).into_iter().zip(&own.binders) {
            if moves(model, &later.body, binder.local) {
                let (domain, elements) = bound.elements();
                all.extend(elements.into_iter().map(|element| (domain, element)));
            }
        }
        all
    }

    /// Adds what others have seen of it on the way.
    pub(super) fn show(&mut self, shown: ShownElements) {
        self.shown.0.extend(shown.0);
    }

    /// Returns what another player may be told of it.
    pub(super) fn text(&self, viewer: Seat) -> String {
        self.before.action_shown(self.action, &self.after, viewer, &self.shown)
    }
}

/// Returns `true` if a player has to decide one of some choices.
fn goes_on(player: Seat, choices: &[ChoiceId], state: &State) -> bool {
    state.current_player() == Some(player)
        && state.pending_choice().is_some_and(|choice| choices.contains(&choice))
}
