//! What a player has been shown of what lies in hidden zones, and of variables and dice.

use super::hidden_copies::Copies;
use super::knowledge::{is_counted, slots};
use crate::Onlookers;
use crate::values::{BoardNames, family_names, value_text};
use crate::{Game, Seat, State};
use houserule_model::board::BitSet;
use houserule_model::{Content, DisplayForm, DomainId, Role, Slot, SlotId, Value};

impl State {
    /// Returns what a player knows to lie in hidden zones and could not locate in an earlier state, a line for each
    /// place, with the names that the board shows: `hand[2]: guard`. What was drawn since openly, by its name in the rules,
    /// needs no line. After that come variables and dice that the player was shown: `code: 3`.
    pub fn shown_since(&self, earlier: &State, player: Seat, drawn: &[String]) -> Vec<String> {
        let game = self.game();
        let model = game.model();
        let names = BoardNames::new(game);
        let mut lines = vec![];
        for (id, slot) in slots(model).filter(|(id, slot)| is_counted(slot) && self.keeps(*id)) {
            match (slot.role, slot.content) {
                (Role::Copies, _) => {
                    let Some((domain, family)) = slot.index.split_last() else { continue };
                    for (place, name) in family_names(game, &slot.name, family).iter().enumerate() {
                        let new = self.copies_shown_since(earlier, (id, place, *domain), player);
                        let times = |kind: u32| {
                            let name = game.element_name(*domain, kind);
                            drawn.iter().filter(|drawn| **drawn == name).count() as u64
                        };
                        let new: Copies =
                            (0u32..).zip(new).map(|(kind, n)| n.saturating_sub(times(kind))).collect();
                        if new.iter().any(|n| *n > 0) && !self.sees_copies(id, place, player) {
                            let some = (0u32..).zip(&new).filter(|(_, n)| **n > 0);
                            let told: Vec<String> = some
                                .map(|(kind, n)| format!("{n} {}", names.element(*domain, kind)))
                                .collect();
                            lines.push(format!("{name}: {}", told.join(", ")));
                        }
                    }
                }
                (_, Content::Set(domain)) => {
                    let new = self.known(domain, player).minus(&earlier.located(domain, player));
                    for (place, name) in family_names(game, &slot.name, &slot.index).iter().enumerate() {
                        let Value::Set(lying) = self.value(id, place) else { continue };
                        if self.sees(id, place, player) {
                            continue;
                        }
                        let here = lying.intersect(&new);
                        let is_drawn = |element: u32| drawn.contains(&game.element_name(domain, element));
                        let undrawn = here.iter().filter(|element| !is_drawn(*element));
                        let told: Vec<&str> = undrawn.map(|element| names.element(domain, element)).collect();
                        if !told.is_empty() {
                            lines.push(format!("{name}: {}", told.join(", ")));
                        }
                    }
                }
                _ => {}
            }
        }
        self.add_values_shown(earlier, player, &mut lines);
        lines
    }

    /// Adds what a player was shown since an earlier state of variables and dice that the player doesn't see.
    fn add_values_shown(&self, earlier: &State, player: Seat, lines: &mut Vec<String>) {
        let (game, model) = (self.game(), self.game().model());
        for (of, shown) in model.shown_values.iter().filter(|(_, shown)| self.keeps(*shown)) {
            let (slot, content) = (&model.slots[of.index()], model.slots[shown.index()].content);
            let first = player.0 as usize * slot.initial.len();
            for (place, name) in family_names(game, &slot.name, &slot.index).iter().enumerate() {
                let value = self.value(*shown, first + place);
                let is_new = value != earlier.value(*shown, first + place);
                if is_new && !self.sees(*of, place, player) {
                    lines.extend(
                        shown_text(game, slot, content, &value).map(|text| format!("{name}: {text}")),
                    );
                }
            }
        }
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
            .zip(self.copies_passed(earlier, domain, player))
            .map(|(((now, before), (all_now, all_before)), passed)| {
                let new = now.saturating_sub(before).saturating_sub(passed);
                new.min(all_now.saturating_sub(all_before))
            })
            .collect()
    }

    /// The copies of each kind that a player saw where some have come and others have left since. All of them may have
    /// left, as when hands are passed on.
    fn copies_passed(&self, earlier: &State, domain: DomainId, player: Seat) -> Copies {
        let model = self.game().model();
        let size = model.domains[domain.index()].size as usize;
        let mut all = vec![0; size];
        for (id, slot) in model.copies(domain).filter(|(id, _)| self.keeps(*id)) {
            let places = 0..slot.initial.len() / size.max(1);
            for place in places.filter(|place| earlier.sees_copies(id, *place, player)) {
                let (was, is) = (earlier.copies_lying(id, place), self.copies_lying(id, place));
                let came = was.iter().zip(&is).any(|(was, is)| is > was);
                let left = was.iter().zip(&is).any(|(was, is)| is < was);
                if came && left {
                    all.iter_mut().zip(was).for_each(|(all, was)| *all += was);
                }
            }
        }
        all
    }

    /// The number of copies of each kind whose place a player sees or knows.
    fn copies_located(&self, domain: DomainId, player: Seat) -> Copies {
        let model = self.game().model();
        let size = model.domains[domain.index()].size as usize;
        let mut all = vec![0; size];
        for (id, slot) in model.copies(domain).filter(|(id, _)| self.keeps(*id)) {
            for place in 0..slot.initial.len() / size.max(1) {
                let located = self.copies_seen(id, place, Onlookers::from_seat(player));
                all.iter_mut().zip(located).for_each(|(all, copies)| *all += copies);
            }
        }
        all
    }
}

/// Returns a value of a slot that a player was shown, as the board writes it. `content`: that of what the player was shown.
/// Returns `None` if that is nothing.
fn shown_text(game: &Game, slot: &Slot, content: Content, value: &Value) -> Option<String> {
    match (value, content) {
        (Value::Element(None), _) => None,
        (Value::Set(set), _) if set.is_empty() => None,
        (Value::Element(Some(element)), _) if matches!(slot.content, Content::Bool) => {
            Some((*element == 1).to_string())
        }
        (Value::Element(Some(element)), Content::Element { domain, .. }) => {
            let face = match &slot.shown {
                DisplayForm::Faces(faces) => faces.get(*element as usize).cloned(),
                _ => None,
            };
            Some(face.unwrap_or_else(|| BoardNames::new(game).element(domain, *element).to_owned()))
        }
        _ => Some(value_text(game, content, value)),
    }
}
