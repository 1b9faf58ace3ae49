//! What a player observes of a game: the visible part of a state, the visible actions, and both together as a
//! text, the information state.

use super::hidden_copies::Onlooker;
use super::knowledge::{is_counted, is_told, sees, slots};
use super::sites_in_zones::{chooses_from_zones, has_zones, lie_in_zones_alone};
use crate::values::{event_text, value_text};
use crate::{ActionId, BinderValue, Event, Game, Seat, State, family_names};
use houserule_model::board::BitSet;
use houserule_model::{
    BoardId, CheckedBlock, CheckedExprKind, CheckedOption, CheckedStmtKind, Content, DomainId, LocalId,
    Model, Role, Slot, SlotId, Value, Visibility, changes, exits, sets_local, walk, with_blocks,
};

/// Work after which [`State::may_confuse_outcome`] compares no more outcomes: see [`State::work_since`]. It takes about a
/// second at most.
const MOST_COMPARED: u64 = 2_000_000;

/// Elements that lay open on their way: for each, whether a seat saw it.
#[derive(Clone, Debug, Default)]
pub(crate) struct ShownElements(pub(crate) Vec<(DomainId, u32, Vec<bool>)>);

impl ShownElements {
    /// Returns `true` if a player saw an element.
    pub(crate) fn contains(&self, domain: DomainId, element: u32, player: Seat) -> bool {
        let is = |(of, one, seats): &(DomainId, u32, Vec<bool>)| {
            (*of, *one) == (domain, element) && seats.get(player.0 as usize) == Some(&true)
        };
        self.0.iter().any(is)
    }
}

/// The observations of a player so far.
struct ObservationLog {
    player: Seat,
    lines: Vec<String>,
    /// The lines of the last view.
    view: Vec<String>,
    /// The event since that view, with the state before it.
    done: Option<(State, Event)>,
    /// What the others have committed in a `together` block that goes on, with the states before.
    committed: Vec<(State, Seat, ActionId)>,
}

impl ObservationLog {
    /// Adds what the player saw on the way to a stop of the game, the last of `looks`.
    fn add_views(&mut self, looks: &[State]) {
        let Some(now) = looks.last() else { return };
        if let Some((before, Event::Action { player, action })) = self.done.take() {
            let (game, veiled) = (now.game(), now.veils_commitment(&before));
            match player == self.player {
                true => self.lines.push(format!("> {}", game.action_name(action))),
                false => self.committed.push((before, player, action)),
            }
            let told = if veiled { vec![] } else { std::mem::take(&mut self.committed) };
            for (before, player, action) in told {
                let name = game.model().players.names.get(player.0 as usize).map_or("", String::as_str);
                let seen = before.action_told(action, now, self.player, &ShownElements::default());
                self.lines.push(format!("{name}: {seen}"));
            }
        }
        for state in looks {
            let now = state.view(self.player);
            self.lines.extend(now.iter().filter(|line| !self.view.contains(line)).cloned());
            self.view = now;
        }
    }
}

/// Returns `true` if a body uses `local` out of somebody's sight: as a value for a hidden slot, or as a site
/// where hidden pieces change.
pub(crate) fn is_kept(model: &Model, body: &CheckedBlock, local: LocalId) -> bool {
    let hidden = |slot: &SlotId| model.slots[slot.index()].visibility != Visibility::All;
    let is_of_zones = |slot: &SlotId| {
        use Role as R;
        let role = model.slots[slot.index()].role;
        matches!(role, R::Known | R::Copies | R::KnownCopies(_) | R::Place | R::SeenPlace)
    };
    let on = |board: BoardId| model.boards[board.index()].pieces.iter().any(hidden);
    let mut kept = false;
    walk::stmts(model, body, &mut |stmt| {
        use CheckedStmtKind as S;
        let told = match &stmt.kind {
            // For elements of zones, the destination decides.
            S::Assign { target, value } if hidden(&target.slot) && !is_of_zones(&target.slot) => vec![value],
            S::Put { piece, at, .. } if hidden(&piece.slot) => vec![at],
            S::Clear { board, at, .. } if on(*board) => vec![at],
            S::Move { board, from, to, .. } if on(*board) => vec![from, to],
            // They show what they change, or change nothing themselves.
            S::Choose(_) | S::Roll { .. } | S::Call { .. } | S::Next(_) => vec![],
            sets_local!() | exits!() | with_blocks!() | changes!() => vec![],
        };
        for value in told {
            walk::expr(value, &mut |e| kept |= matches!(e.kind, CheckedExprKind::Local(l) if l == local));
        }
    });
    kept
}

/// Returns `true` if a body always writes the value of `local` to a variable that everybody sees, or puts a piece
/// there that everybody sees.
fn is_written_openly(model: &Model, body: &CheckedBlock, local: LocalId) -> bool {
    body.stmts.iter().any(|stmt| match &stmt.kind {
        CheckedStmtKind::Assign { target, value } => {
            let slot = &model.slots[target.slot.index()];
            let open = slot.role == Role::Variable && slot.visibility == Visibility::All;
            open && matches!(value.kind, CheckedExprKind::Local(written) if written == local)
        }
        CheckedStmtKind::Put { piece, at, .. } => {
            let open = model.slots[piece.slot.index()].visibility == Visibility::All;
            let CheckedExprKind::Elements(sites) = &at.kind else { return false };
            open && matches!(sites.as_slice(), [site] if matches!(site.kind, CheckedExprKind::Local(l) if l == local))
        }
        _ => false,
    })
}

impl Game {
    /// Returns `true` if others may not see everything that an action of a block binds.
    pub fn may_hide(&self, block: usize) -> bool {
        let model = self.model();
        let options = model.choices.iter().flat_map(|choice| &choice.options);
        options.filter(|option| option.actions.index() == block).any(|option| {
            if let Some(seen) = option.seen {
                return seen != Visibility::All;
            }
            option.binders.iter().any(|binder| {
                is_kept(model, &option.body, binder.local)
                    || chooses_from_zones(model, option, binder)
                    || model.has_copies(binder.domain)
            })
        })
    }
}

impl State {
    /// Returns the elements of a domain whose hidden place a player knows.
    pub(crate) fn known(&self, domain: DomainId, player: Seat) -> BitSet {
        let model = self.game().model();
        let is = |slot: &Slot| slot.role == Role::Known && slot.content == Content::Set(domain);
        let found = slots(model).find(|(_, slot)| is(slot));
        match found.map(|(id, _)| self.value(id, player.0 as usize)) {
            Some(Value::Set(known)) => known,
            _ => BitSet::empty(model.domains[domain.index()].size),
        }
    }

    /// Returns what a player sees now, one line for each visible value.
    pub fn view(&self, player: Seat) -> Vec<String> {
        let game = self.game();
        let model = game.model();
        let mut lines = vec![];
        for (id, slot) in slots(model).filter(|(id, slot)| is_told(slot) && self.keeps(*id)) {
            if slot.role == Role::Copies {
                self.view_copies(id, player, &mut lines);
                continue;
            }
            let names = family_names(game, &slot.name, &slot.index);
            for (place, name) in names.iter().enumerate() {
                let value = self.value(id, place);
                if self.sees(id, place, player) {
                    let text = self.pile_text(id, place);
                    let text = text.unwrap_or_else(|| value_text(game, slot.content, &value));
                    lines.push(format!("{name} = {text}"));
                } else if let (true, Value::Set(lying), Content::Set(domain)) =
                    (is_counted(slot), value, slot.content)
                {
                    let known = lying.intersect(&self.known(domain, player));
                    let name_of = |element| match model.order_in(id) {
                        Some(order) => {
                            let place = self.place_from_top(order, element);
                            format!("{}: {place}", game.element_name(domain, element))
                        }
                        None => game.element_name(domain, element),
                    };
                    let known: Vec<String> = known.iter().map(name_of).collect();
                    let known = match known.is_empty() {
                        true => String::new(),
                        false => format!(", with {{{}}}", known.join(", ")),
                    };
                    lines.push(format!("{name} has {}{known}", lying.len()));
                }
            }
        }
        for (shown, value) in self.locals_seen() {
            let name = &model.locals[shown.local.index()].name;
            lines.push(format!("{name} = {}", value_text(game, shown.content, &value)));
        }
        if let (Some(actor), Some(choice)) = (self.current_player(), self.pending_choice()) {
            let name = model.players.names.get(actor.0 as usize).map_or("", String::as_str);
            let choices = &model.choices[..=choice.index()];
            let choice = &model.choices[choice.index()].name;
            // Several choices may have one name.
            let number = match choices.iter().filter(|other| other.name == *choice).count() {
                1 => String::new(),
                number => format!(" ({number})"),
            };
            lines.push(format!("{name} has to choose: {choice}{number}"));
        }
        lines
    }

    /// Returns everything that a player knows, as text: what the player saw at each moment, as far as it
    /// changed, and the visible part of every action. States that the player can't tell apart have equal
    /// texts. For a state that was built or restored, it is what the player sees now.
    pub fn information_state(&self, player: Seat) -> String {
        let mut told = ObservationLog { player, lines: vec![], view: vec![], done: None, committed: vec![] };
        if let Some(earlier) = self.earlier.as_ref().filter(|earlier| earlier.player == player) {
            told.lines.push(earlier.of.information_state(player));
            told.view = earlier.state.view(player);
        }
        let observed = self.game().observed().filter(|_| self.earlier.is_none());
        let led_here = match observed {
            Some(observed) => observed.show(self, player, &mut |looks, event| {
                told.add_views(looks);
                told.done = event.map(|event| (looks[looks.len() - 1].clone(), *event));
            }),
            None => {
                let led_here = self.replay_history(&mut |state, event| {
                    told.add_views(std::slice::from_ref(state));
                    told.done = Some((state.clone(), *event));
                });
                led_here && {
                    told.add_views(std::slice::from_ref(self));
                    true
                }
            }
        };
        if !led_here {
            if self.earlier.is_none() {
                told.lines.clear();
                told.view.clear();
            }
            told.done = None;
            told.committed.clear();
            told.add_views(std::slice::from_ref(self));
        }
        told.lines.join("\n")
    }

    /// Returns another player's action as `player` sees it. A question mark stands for what stays hidden, or for the
    /// whole action until all players have committed.
    pub fn action_seen(&self, action: ActionId, after: &State, player: Seat) -> String {
        self.action_shown(action, after, player, &ShownElements::default())
    }

    /// Like [`State::action_seen`], where the player may also have seen elements on their way.
    pub(crate) fn action_shown(
        &self,
        action: ActionId,
        after: &State,
        player: Seat,
        shown: &ShownElements,
    ) -> String {
        match after.veils_commitment(self) {
            true => "?".to_owned(),
            false => self.action_told(action, after, player, shown),
        }
    }

    /// Like [`State::action_shown`], once all players have committed.
    pub(crate) fn action_told(
        &self,
        action: ActionId,
        after: &State,
        player: Seat,
        shown: &ShownElements,
    ) -> String {
        let game = self.game();
        let Some(block) = game.action_block(action) else { return String::new() };
        let mut text = block.option.clone();
        // Only the last binder binds several elements.
        let last = block.domains.len().saturating_sub(1);
        for (at, (domain, element)) in self.bound_shown(action, after, player, shown).into_iter().enumerate()
        {
            text.push(' ');
            match element {
                Some(element) => match block.face_name(at.min(last), element) {
                    Some(face) => text.push_str(face),
                    None => text.push_str(&game.element_name(domain, element)),
                },
                None => text.push('?'),
            }
        }
        text
    }

    /// Returns what `player` sees another player's action bind: each element with its domain, `None` for a
    /// hidden one. Of an option that the player doesn't see there is one `None` for each binder.
    pub(crate) fn bound_seen(
        &self,
        action: ActionId,
        after: &State,
        player: Seat,
    ) -> Vec<(DomainId, Option<u32>)> {
        self.bound_shown(action, after, player, &ShownElements::default())
    }

    /// Returns the option of the pending choice that an action takes.
    pub(super) fn option_taken(&self, action: ActionId) -> Option<&CheckedOption> {
        let model = self.game().model();
        let block = self.game().action_block(action)?;
        let options = &model.choices[self.pending_choice()?.index()].options;
        options.iter().find(|option| model.actions[option.actions.index()].first == block.first)
    }

    fn bound_shown(
        &self,
        action: ActionId,
        after: &State,
        player: Seat,
        shown: &ShownElements,
    ) -> Vec<(DomainId, Option<u32>)> {
        let (game, model) = (self.game(), self.game().model());
        let option = self.option_taken(action);
        let bindings = game.action_bindings(action);
        match option.and_then(|option| option.seen) {
            Some(seen) if !seen.shows(player, false) => {
                return bindings.into_iter().map(|bound| (bound.elements().0, None)).collect();
            }
            Some(_) => {
                let all = bindings.into_iter().map(BinderValue::elements);
                return all.flat_map(|(domain, of)| of.into_iter().map(move |e| (domain, Some(e)))).collect();
            }
            None => {}
        }
        let mut onlooker = Onlooker { model, actor: self.current_player(), viewer: player, bound: vec![] };
        for (bound, binder) in bindings.iter().zip(option.iter().flat_map(|o| &o.binders)) {
            if let BinderValue::Element(_, element) = bound {
                onlooker.bound.push((binder.local, *element));
            }
        }
        let mut seen = vec![];
        for (k, bound) in bindings.into_iter().enumerate() {
            let (domain, elements) = bound.elements();
            let binder = option.and_then(|option| Some((option, option.binders.get(k)?)));
            let kept = binder.is_some_and(|(option, binder)| {
                is_kept(model, &option.body, binder.local)
                    || onlooker.moved_unseen(&option.body, binder.local)
            });
            // Without its option, an element is hidden if its place is.
            let of_zones = binder.map_or_else(
                || has_zones(model, domain),
                |(option, binder)| chooses_from_zones(model, option, binder),
            );
            let open =
                binder.is_some_and(|(option, binder)| is_written_openly(model, &option.body, binder.local));
            for element in elements {
                // Knowing what lies in a hidden zone doesn't tell which of it goes.
                let place = || {
                    open || shown.contains(domain, element, player)
                        || self.sees_lying(domain, element, player)
                        || after.locates(domain, element, player)
                };
                let hidden = kept || of_zones && !place();
                seen.push((domain, (!hidden).then_some(element)));
            }
        }
        seen
    }

    /// Returns an event that led from `before` to this state as a player sees it, or `None` if it is hidden.
    pub fn event_seen(&self, before: &State, event: &Event, player: Seat) -> Option<String> {
        // What is drawn of sites may lie in a zone or be a place on the board: its effects show which.
        let of_zones = |domain: DomainId| lie_in_zones_alone(self.game().model(), domain);
        match event {
            Event::Action { player: who, action } if *who != player => {
                Some(before.action_seen(*action, self, player))
            }
            Event::Pick { domain, element }
                if of_zones(*domain) && !self.locates(*domain, *element, player) =>
            {
                None
            }
            Event::Pick { domain, .. } if of_zones(*domain) => Some(event_text(self.game(), event)),
            Event::Pick { .. } | Event::Draw { .. } if before.hides_outcome(event, player) => None,
            Event::Roll { slot, family, .. } => {
                let declared = &self.game().model().slots[slot.index()];
                let count =
                    declared.index.last().map_or(1, |die| self.game().model().domains[die.index()].size);
                let place = (family * count) as usize;
                sees(self.game().model(), declared, place, player).then(|| event_text(self.game(), event))
            }
            _ => Some(event_text(self.game(), event)),
        }
    }

    /// Returns `true` if the outcome of a chance event may be hidden from a player. Whether it is depends on
    /// its effects, and is tested in the state before it.
    fn may_hide_outcome(&self, event: &Event) -> bool {
        self.game().hides() && matches!(event, Event::Pick { .. } | Event::Draw { .. })
    }

    /// Returns `true` if the outcome of the pending pick or draw is hidden from a player: with another
    /// outcome, the player may see the same. An event that is not pending here is hidden.
    fn hides_outcome(&self, event: &Event, player: Seat) -> bool {
        if !self.may_hide_outcome(event) {
            return false;
        }
        let looks = |outcome: u64| {
            let mut next = self.clone();
            next.apply_outcome(outcome).ok().map(|()| (next.is_chance(), next.view(player)))
        };
        let is = |(outcome, _): &(u64, u64)| self.chance_event(*outcome) == Some(*event);
        let drawn = self.distinct_outcomes().find(is).filter(|_| self.veiled.is_none());
        let Some((stops, look)) = drawn.and_then(|(outcome, _)| looks(outcome)) else { return true };
        // If a chance event follows one outcome and not the other, what the player sees at that stop can't
        // tell the two outcomes apart.
        self.may_confuse_outcome(event, |next, other| {
            let applied = next.apply_outcome(other).ok();
            applied.map(|()| next.is_chance() != stops || next.view(player) == look)
        })
    }

    /// Returns `true` if an observer may take another outcome of the pending chance event for `event`. `try_other` applies
    /// such an outcome to a copy of this state. It returns whether the outcome looks the same to the observer, or `None` if
    /// the outcome is impossible. Returns `true` as well if that is too much work to find out.
    pub(super) fn may_confuse_outcome(
        &self,
        event: &Event,
        mut try_other: impl FnMut(&mut State, u64) -> Option<bool>,
    ) -> bool {
        let (mark, mut work) = (self.work_mark(), 0);
        for (other, _) in self.distinct_outcomes() {
            if self.chance_event(other) == Some(*event) {
                continue;
            }
            let mut next = self.clone();
            let looks_the_same = try_other(&mut next, other);
            work += next.work_since(mark, looks_the_same.is_some());
            if looks_the_same == Some(true) || work > MOST_COMPARED {
                return true;
            }
        }
        false
    }

    /// Returns `true` if a player knows where an element lies.
    pub fn locates(&self, domain: DomainId, element: u32, player: Seat) -> bool {
        self.known(domain, player).contains(element) || self.sees_lying(domain, element, player)
    }

    /// Returns `true` if an element lies in a zone that a player sees.
    fn sees_lying(&self, domain: DomainId, element: u32, player: Seat) -> bool {
        let model = self.game().model();
        let lies = |id: SlotId, place: usize| matches!(self.value(id, place), Value::Set(lying) if lying.contains(element));
        let zones = slots(model).filter(|(_, s)| s.role == Role::Zone && s.content == Content::Set(domain));
        zones.into_iter().any(|(id, slot)| {
            (0..slot.initial.len()).any(|place| sees(model, slot, place, player) && lies(id, place))
        })
    }
}
