//! How often the positions of a game occur again in it: decision by decision, as the rules compare positions.

use houserule_base::hash::{hash, mix};
use houserule_game::{Game, State};
use houserule_model::{Builtin, Life, PositionKey, Role, Slot, SlotId};
use std::collections::HashSet;

/// Counts the decisions of a game whose position occurred before in it, with the same seat to move.
///
/// The whole state makes a position, without the counters of turns and rounds. Where the rules use `repeated`, what lasts the
/// game counts only if `repeated` compares it. With several such comparisons, a position has to be known to one of them.
pub(super) struct RepetitionCounter {
    /// For each comparison of the rules, the slots that are no part of a position.
    left_out: Vec<Vec<SlotId>>,
    /// The positions of this game, each with the index of the comparison.
    seen: HashSet<(usize, u64)>,
    decisions: u64,
    repeated: u64,
}

impl RepetitionCounter {
    pub(super) fn new(game: &Game) -> RepetitionCounter {
        let left_out = match game.model().pasts.as_slice() {
            [] => vec![leave_out(game, None)],
            keys => keys.iter().map(|key| leave_out(game, Some(key))).collect(),
        };
        RepetitionCounter { left_out, seen: HashSet::new(), decisions: 0, repeated: 0 }
    }

    /// Begins another game.
    pub(super) fn clear(&mut self) {
        self.seen.clear();
        (self.decisions, self.repeated) = (0, 0);
    }

    /// Notes the position of a decision.
    pub(super) fn note(&mut self, state: &State) {
        let seat = state.current_player().map_or(u64::MAX, |seat| seat.0.into());
        let mut is_repeated = false;
        for (comparison, left_out) in self.left_out.iter().enumerate() {
            let position = mix(hash_without(state, left_out), seat);
            // Each comparison notes it, even if another one knows it already.
            is_repeated |= !self.seen.insert((comparison, position));
        }
        self.decisions += 1;
        self.repeated += u64::from(is_repeated);
    }

    /// Returns the share of the decisions whose position occurred before.
    pub(super) fn share(&self) -> f64 {
        self.repeated as f64 / self.decisions.max(1) as f64
    }
}

/// Returns the slots that are no part of a position in a comparison of the rules, or in rules without one.
fn leave_out(game: &Game, compared: Option<&PositionKey>) -> Vec<SlotId> {
    let is_left_out = |id: SlotId, slot: &Slot| match slot.role {
        Role::Builtin(builtin) => matches!(builtin, Builtin::Turns | Builtin::Round),
        Role::Dice { .. } => false,
        _ => {
            let lasts = matches!(slot.life, Life::Game | Life::Match);
            lasts && compared.is_some_and(|key| !key.slots.contains(&id))
        }
    };
    let slots = (0..).map(SlotId).zip(&game.model().slots);
    slots.filter(|(id, slot)| game.keeps(*id) && is_left_out(*id, slot)).map(|(id, _)| id).collect()
}

/// Returns a hash of a state in which some slots have their initial values.
fn hash_without(state: &State, left_out: &[SlotId]) -> u64 {
    if left_out.is_empty() {
        return hash(state.persistent());
    }
    let mut bare = state.clone();
    for slot in left_out {
        let initial = &state.game().model().slots[slot.index()].initial;
        initial.iter().enumerate().for_each(|(place, value)| bare.set_value(*slot, place, value));
    }
    hash(bare.persistent())
}

#[cfg(test)]
mod tests {
    use super::super::track::{FollowedAgent, TrackPlan, follow};
    use houserule_base::interrupt::Interrupt;
    use houserule_loader::{Request, load_text};
    use houserule_players::agents::AgentKind;

    /// Returns the turns of a game without choices, and the share of its positions that occurred before.
    fn play(rules: &str) -> (u64, f64) {
        let game = load_text("loop.rules", rules, &Request::default()).unwrap().game;
        let player = FollowedAgent::seat(&game, &AgentKind::Random, 1).unwrap();
        let plan =
            TrackPlan { seed: 1, threads: 1, with_boards: 0, with_options: false, with_leaders: false };
        let tracks = follow(&game, &player, None, 0..1, &plan, &Interrupt::new(), &|_| {});
        (tracks.games[0].turns, tracks.games[0].repeated)
    }

    /// A lamp that each player switches, and other lines of the rules.
    fn lamp(body: &str, lines: &str) -> String {
        format!(
            "game \"Lamp\" {{
              players 2
              var lit: 0..1 = 0
              var quiet: 0..99 = 0
              turn {{ choose {{ switch {{ lit = 1 - lit {body} }} }} }}
              {lines}
            }}"
        )
    }

    #[test]
    fn positions_are_repeated_that_the_rules_call_so() {
        // The positions before the turns are 0, 1, 0, 1, and the game ends with 0 for the third time.
        let counting = "quiet += 1";
        let end = "end again when repeated(2, of: [lit, mover]): draw";
        assert_eq!(play(&lamp(counting, end)), (4, 0.5));
        // The comparison without the counter says so, the other one never does.
        let more = "end still when repeated(90): draw end again when repeated(2, of: [lit, mover]): draw";
        assert_eq!(play(&lamp(counting, more)), (4, 0.5));
        // A counter makes other positions where no rule says otherwise.
        assert_eq!(play(&lamp(counting, "end long when quiet == 8: draw")), (8, 0.0));
        // That of the turns is on no table.
        assert_eq!(play(&lamp("", "end long when turns[me] == 4: draw")).1, 5.0 / 7.0);
    }
}
