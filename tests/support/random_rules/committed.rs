//! Random blocks in which all seats choose at the same time.

use super::{Dom, Writer};

impl Writer {
    /// Returns a `together` block with what is done afterwards, and declares the variables that it writes.
    pub(super) fn committed(&mut self) -> String {
        let loose = |name: &str, writer: &Writer| {
            writer.zones.iter().any(|zone| zone.name == name && zone.of == Dom::Tile && !zone.ordered)
        };
        let cards = loose("hand", self) && loose("played", self);
        let name = self.name("note");
        match self.later(if cards { 4 } else { 2 }) {
            // A value for this turn or round.
            0 => {
                let life = if self.rounds { "round" } else { "turn" };
                self.text.push_str(&format!("  var {name}[player]: 0..5 = 0 each {life}\n"));
                format!(
                    "together as me {{ choose {name}c {{ bid b0 in 1..5 where b0 <= turns[me] + 2 {{ {name}[me] = b0 }} pass }} }}
    step {name}s {{ for q0 in players {{ if all o0 in players - q0: {name}[o0] < {name}[q0] {{ counter = min(30, counter + {name}[q0]) }} }} }}
    "
                )
            }
            // A value that lasts changes after the block, for all players at once.
            1 => {
                let seen = self.later_of(&["", " seen by owner"]);
                self.text.push_str(&format!("  var {name}[player]: 0..9 = 0{seen}\n"));
                format!(
                    "together as me {{ choose {name}c {{ write n in 0..9 where n != {name}[me] and n % 3 != counter % 3 {{ {name}[me] = n }} keep }} }}
    step {name}s {{ if (sum p in players: {name}[p]) > 9 {{ counter = max(0, counter - 2) }} }}
    "
                )
                .replace("keep }", "pass }")
            }
            2 => format!(
                "together as me {{ choose {name}c {{ play t in hand[me] where t.low < 3 {{ move t to played }} pass }} }}
    step {name}s {{ for t in played {{ counter = min(30, counter + t.low) }} }}
    "
            ),
            _ => "together as me { move hand[me] to hand[after(me)] }\n    ".to_owned(),
        }
    }
}
