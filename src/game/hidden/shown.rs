//! What a player has been shown of what lies in hidden zones.

use super::hidden_copies::{Copies, copies_text};
use super::knowledge::{is_counted, slots};
use crate::values::family_names;
use crate::{Seat, State};
use houserule_model::board::BitSet;
use houserule_model::{Content, DomainId, Role, SlotId, Value};

impl State {
    /// Returns what a player knows to lie in hidden zones and could not locate in an earlier state, a line for each
    /// place: `hand[2]: guard`.
    pub fn shown_since(&self, earlier: &State, player: Seat) -> Vec<String> {
        let game = self.game();
        let model = game.model();
        let mut lines = vec![];
        for (id, slot) in slots(model).filter(|(id, slot)| is_counted(slot) && self.keeps(*id)) {
            match (slot.role, slot.content) {
                (Role::Copies, _) => {
                    let Some((domain, family)) = slot.index.split_last() else { continue };
                    for (place, name) in family_names(game, &slot.name, family).iter().enumerate() {
                        let new = self.copies_shown_since(earlier, (id, place, *domain), player);
                        if new.iter().any(|n| *n > 0) && !self.sees_copies(id, place, player) {
                            let text = copies_text(game, *domain, &new);
                            lines.push(format!("{name}: {}", text.trim_matches(['{', '}'])));
                        }
                    }
                }
                (_, Content::Set(domain)) => {
                    let new = self.known(domain, player).minus(&earlier.located(domain, player));
                    for (place, name) in family_names(game, &slot.name, &slot.index).iter().enumerate() {
                        let Value::Set(lying) = self.value(id, place) else { continue };
                        let here = lying.intersect(&new);
                        if !here.is_empty() && !self.sees(id, place, player) {
                            let names = here.iter().map(|element| game.element_name(domain, element));
                            lines.push(format!("{name}: {}", names.collect::<Vec<_>>().join(", ")));
                        }
                    }
                }
                _ => {}
            }
        }
        lines
    }

    /// The elements of a domain that lie in zones whose contents a player sees, or whose place the player knows.
    fn located(&self, domain: DomainId, player: Seat) -> BitSet {
        let mut all = self.known(domain, player);
        let zones = slots(self.game().model()).filter(|(id, slot)| {
            slot.role == Role::Zone && slot.content == Content::Set(domain) && self.keeps(*id)
        });
        for (id, slot) in zones {
            for place in (0..slot.initial.len()).filter(|place| self.sees(id, *place, player)) {
                if let Value::Set(lying) = self.value(id, place) {
                    all = all.union(&lying);
                }
            }
        }
        all
    }

    /// The copies that a player has come to know at a place of a zone, as far as the player has located more copies of
    /// their kind in all.
    fn copies_shown_since(&self, earlier: &State, at: (SlotId, usize, DomainId), player: Seat) -> Copies {
        let (id, place, domain) = at;
        let (now, before) = (self.copies_located(domain, player), earlier.copies_located(domain, player));
        let here =
            self.copies_known(id, place, player).into_iter().zip(earlier.copies_known(id, place, player));
        let more = now.into_iter().zip(before);
        here.zip(more)
            .map(|((now, before), (all_now, all_before))| {
                now.saturating_sub(before).min(all_now.saturating_sub(all_before))
            })
            .collect()
    }

    /// The number of copies of each kind whose place a player sees or knows.
    fn copies_located(&self, domain: DomainId, player: Seat) -> Copies {
        let model = self.game().model();
        let size = model.domains[domain.index()].size as usize;
        let mut all = vec![0; size];
        for (id, slot) in model.copies(domain).filter(|(id, _)| self.keeps(*id)) {
            for place in 0..slot.initial.len() / size.max(1) {
                let located = self.copies_seen(id, place, Some(player));
                all.iter_mut().zip(located).for_each(|(all, copies)| *all += copies);
            }
        }
        all
    }
}
