//! How often the positions of a game occur again in it: decision by decision, as the rules compare positions.

use houserule_base::hash::{START, mix};
use houserule_game::{Game, Seat, State};
use houserule_model::{Builtin, Life, PositionKey, Role, Slot, SlotId, value_len};
use std::collections::HashSet;

/// Counts the decisions of a game whose position occurred before in it, with the same seat to move.
///
/// The whole state makes a position, without the counters of turns and rounds. Where the rules use `repeated`, what lasts the
/// game counts only if `repeated` compares it. With several such comparisons, a position has to be known to one of them.
pub(super) struct RepetitionCounter {
    /// For each comparison of the rules, the words of a state that make a position.
    compared: Vec<Vec<usize>>,
    /// The positions of this game, each with the index of the comparison.
    seen: HashSet<(usize, u64)>,
    decisions: u64,
    repeated: u64,
}

impl RepetitionCounter {
    pub(super) fn new(game: &Game) -> RepetitionCounter {
        let compared = match game.model().pasts.as_slice() {
            [] => vec![find_words(game, None)],
            keys => keys.iter().map(|key| find_words(game, Some(key))).collect(),
        };
        RepetitionCounter { compared, seen: HashSet::new(), decisions: 0, repeated: 0 }
    }

    /// Begins another game.
    pub(super) fn clear(&mut self) {
        self.seen.clear();
        (self.decisions, self.repeated) = (0, 0);
    }

    /// Notes the position of a decision of a seat.
    pub(super) fn note(&mut self, state: &State, seat: Seat) {
        let words = state.persistent();
        let mut is_repeated = false;
        for (comparison, compared) in self.compared.iter().enumerate() {
            let begun = mix(START, seat.0.into());
            let position = compared.iter().fold(begun, |sum, at| mix(sum, words[*at]));
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

/// Returns the words of a state that make a position in a comparison of the rules, or in rules without one.
fn find_words(game: &Game, compared: Option<&PositionKey>) -> Vec<usize> {
    let is_left_out = |id: SlotId, slot: &Slot| match slot.role {
        Role::Builtin(builtin) => matches!(builtin, Builtin::Turns | Builtin::Round),
        Role::Dice { .. } => false,
        _ => {
            let lasts = matches!(slot.life, Life::Game | Life::Match);
            lasts && compared.is_some_and(|key| !key.slots.contains(&id))
        }
    };
    let program = game.program();
    let mut is_part = vec![true; program.persistent as usize];
    let slots = (0..).map(SlotId).zip(&game.model().slots).zip(game.slots());
    for ((id, slot), first) in slots {
        let Some(first) = first.map(usize::from).filter(|_| is_left_out(id, slot)) else { continue };
        let len = slot.initial.len() * usize::from(value_len(program.width, slot.content));
        is_part.iter_mut().skip(first).take(len).for_each(|is_part| *is_part = false);
    }
    (0..is_part.len()).filter(|at| is_part[*at]).collect()
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
