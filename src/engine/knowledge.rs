//! What one player knows of a state: what lies open, what belongs to the player, what was revealed, and
//! how many lie where. [`State::information_state`] tells it, with all that was seen before;
//! [`State::determinize`] makes a state that could be the real one for all that the player knows.
//!
//! What can only be told from how others play (who drew could not play) is not worked out, but for one
//! thing: a state that is drawn has something to choose for whoever has to choose.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::drawing::family_names;
use super::hidden_copies::{Onlooker, kinds};
use super::values::{event_text, value_text};
use super::{ActionId, Bound, Event, Game, Player, State};
use crate::board::BitSet;
use crate::compile::walk;
use crate::lang::model::value_len;
use crate::lang::model::{
    Block, Board, BoardId, Builtin, Content, DomainId, ExprKind, LocalId, Model, PLAYER, Role, Slot, SlotId,
    StmtKind, Value, Visibility,
};
use crate::rng::Stream;

/// How often a hidden part is drawn, if whoever has to choose can choose nothing with it.
const TRIES: usize = 10_000;

/// Before the hidden part of a state was drawn anew.
#[derive(Clone, Debug)]
pub(super) struct Earlier {
    /// For whom it was drawn.
    player: Player,
    /// What it was drawn for.
    of: State,
    /// The state that was drawn.
    pub(super) state: State,
}

/// What a player has been told so far.
struct Told {
    player: Player,
    lines: Vec<String>,
    /// What there was to see last.
    view: Vec<String>,
    /// What has happened since, and where.
    done: Option<(State, Event)>,
}

impl Told {
    fn look(&mut self, state: &State) {
        if let Some((before, Event::Action { player, action })) = self.done.take() {
            // What is committed shows when all is.
            let unseen =
                before.block_together().is_some() && before.block_together() == state.block_together();
            let game = state.game();
            let name = game.model().players.names.get(player.0 as usize).map_or("", String::as_str);
            if player == self.player {
                self.lines.push(format!("> {}", game.action_name(action)));
            } else if !unseen {
                self.lines.push(format!("{name}: {}", before.action_seen(action, state, self.player)));
            }
        }
        let now = state.view(self.player);
        self.lines.extend(now.iter().filter(|line| !self.view.contains(line)).cloned());
        self.view = now;
    }
}

/// Do elements of a domain lie in zones?
fn has_zones(model: &Model, domain: DomainId) -> bool {
    model.slots.iter().any(|slot| slot.role == Role::Zone && slot.content == Content::Set(domain))
}

/// Does a body put what a local stands for into something that not everybody sees, or something there?
fn is_kept(model: &Model, body: &Block, local: LocalId) -> bool {
    let hidden = |slot: &SlotId| model.slots[slot.index()].visibility != Visibility::All;
    let is_of_zones =
        |slot: &SlotId| matches!(model.slots[slot.index()].role, Role::Copies | Role::KnownCopies(_));
    let on = |board: BoardId| model.boards[board.index()].pieces.iter().any(hidden);
    let mut kept = false;
    walk::stmts(model, body, &mut |stmt| {
        let told = match &stmt.kind {
            // Of what lies in zones it counts where it goes.
            StmtKind::Assign { target, value } if hidden(&target.slot) && !is_of_zones(&target.slot) => {
                vec![value]
            }
            StmtKind::Put { piece, at } if hidden(&piece.slot) => vec![at],
            StmtKind::Clear { board, at, .. } if on(*board) => vec![at],
            StmtKind::Move { board, from, to, .. } if on(*board) => vec![from, to],
            _ => vec![],
        };
        for value in told {
            walk::expr(value, &mut |e| kept |= matches!(e.kind, ExprKind::Local(l) if l == local));
        }
    });
    kept
}

/// Whose a place of a family is: the player of its first index.
pub(crate) fn owner(model: &Model, slot: &Slot, place: usize) -> Option<Player> {
    if slot.index.first() != Some(&PLAYER) {
        return None;
    }
    let each: usize = slot.index[1..].iter().map(|d| model.domains[d.index()].size as usize).product();
    Some(Player((place / each.max(1)) as u32))
}

/// Does a player see a value?
pub(crate) fn sees(model: &Model, slot: &Slot, place: usize, player: Player) -> bool {
    match slot.visibility {
        Visibility::All => true,
        Visibility::Owner => owner(model, slot, place) == Some(player),
        Visibility::Nobody => false,
    }
}

/// Can everybody count what lies there?
pub(crate) fn is_counted(slot: &Slot) -> bool {
    matches!(slot.role, Role::Zone | Role::Copies) && slot.visibility != Visibility::All
}

impl Game {
    /// Do players see different things? They do at times where all commit themselves together.
    pub fn hides(&self) -> bool {
        let model = self.model();
        !model.together.is_empty() || model.slots.iter().any(|slot| slot.visibility != Visibility::All)
    }

    /// The words of a state that a player sees, and those of hidden zones, of which anybody can count what lies
    /// there.
    pub(super) fn words_seen(&self, player: Player) -> SeenWords {
        let (model, program) = (self.model(), self.program());
        let mut hidden = vec![false; program.persistent as usize];
        let mut seen = SeenWords::default();
        for (id, slot) in slots(model) {
            let Some(first) = self.slots()[id.index()] else { continue };
            let width = usize::from(value_len(program.width, slot.content));
            for place in 0..slot.initial.len() {
                let open = match slot.role {
                    Role::Known | Role::KnownCopies(_) => owner(model, slot, place) == Some(player),
                    _ => sees(model, slot, place, player),
                };
                let words = usize::from(first) + place * width..usize::from(first) + (place + 1) * width;
                if open || words.end > hidden.len() {
                    continue;
                }
                hidden[words.clone()].fill(true);
                match slot.role {
                    Role::Copies if place % kinds(model, slot) == 0 => {
                        seen.added.push(words.start..words.start + kinds(model, slot));
                    }
                    Role::Zone => seen.counted.extend(words),
                    _ => {}
                }
            }
        }
        seen.open = (0..hidden.len()).filter(|word| !hidden[*word]).collect();
        seen
    }
}

/// The words of a state of which a player knows something.
#[derive(Clone, Debug, Default)]
pub(super) struct SeenWords {
    /// All of it.
    pub(super) open: Vec<usize>,
    /// How many of their bits are set.
    pub(super) counted: Vec<usize>,
    /// Their sums.
    pub(super) added: Vec<Range<usize>>,
}

fn slots(model: &Model) -> impl Iterator<Item = (SlotId, &Slot)> {
    (0..).map(SlotId).zip(&model.slots)
}

/// Is it what lies in zones, or what is known of that?
fn is_of_zones(slot: &Slot) -> bool {
    matches!(slot.role, Role::Zone | Role::Copies | Role::Known | Role::KnownCopies(_))
}

/// Is a slot told to players at all?
fn is_told(slot: &Slot) -> bool {
    match slot.role {
        Role::Empty(_) | Role::KnownCopies(_) => false,
        Role::Builtin(builtin) => matches!(builtin, Builtin::Mover | Builtin::Starter | Builtin::Total),
        _ => true,
    }
}

impl State {
    /// Does a player see a value as the game stands? While all commit themselves, nobody sees what the
    /// others keep there.
    pub(crate) fn sees(&self, id: SlotId, place: usize, player: Player) -> bool {
        let model = self.game().model();
        let slot = &model.slots[id.index()];
        let apart = self.block_together().is_some_and(|block| model.together[block].slots.contains(&id));
        sees(model, slot, place, player) && (!apart || owner(model, slot, place) == Some(player))
    }

    /// The block in which all commit themselves, if a choice of one is pending.
    fn block_together(&self) -> Option<usize> {
        let choice = self.pending_choice()?;
        self.game().model().together.iter().position(|block| block.choices.contains(&choice))
    }

    /// The words in which the slots stand, and which of them a player can't see; none are named where all can
    /// be seen. What can't be seen is 0, but in zones, whose elements can be counted.
    pub(crate) fn words_for(&self, player: Player) -> (Cow<'_, [u64]>, Vec<bool>) {
        let (game, places) = (self.game(), &self.game().program().places);
        let words = self.live_words();
        if !game.hides() {
            return (Cow::Borrowed(words), vec![]);
        }
        let (mut words, mut hidden) = (words.to_vec(), vec![false; words.len()]);
        let model = game.model();
        let all_seen =
            |id: SlotId| (0..model.slots[id.index()].initial.len()).all(|place| self.sees(id, place, player));
        for (id, slot) in slots(model) {
            let Some(first) = places.slots[id.index()].map(usize::from) else { continue };
            let width = usize::from(value_len(places.width, slot.content));
            // Where nothing stands tells where something does.
            let tells = match slot.role {
                Role::Empty(board) => model.boards[board.index()].pieces.iter().all(|piece| all_seen(*piece)),
                _ => true,
            };
            for place in 0..slot.initial.len() {
                let at = first + place * width..first + (place + 1) * width;
                if at.end > words.len() || tells && self.sees(id, place, player) {
                    continue;
                }
                hidden[at.clone()].fill(true);
                if !is_counted(slot) {
                    words[at].fill(0);
                }
            }
        }
        (Cow::Owned(words), hidden)
    }

    /// The words in which the slots stand.
    pub(crate) fn live_words(&self) -> &[u64] {
        &self.words[..usize::from(self.game().program().places.end)]
    }

    /// The state with what a player does not see as it is at the start, but for zones, whose elements can
    /// be counted; none if nothing else is hidden. To be shown: it is no state that a game comes to.
    pub fn veiled(&self, player: Player) -> Option<State> {
        let model = self.game().model();
        let mut veiled = None;
        for (id, slot) in slots(model).filter(|(_, slot)| !is_of_zones(slot)) {
            for place in (0..slot.initial.len()).filter(|place| !self.sees(id, *place, player)) {
                let state = veiled.get_or_insert_with(|| State { veiled: Some(player), ..self.clone() });
                state.set_value(id, place, &slot.initial[place]);
            }
        }
        veiled
    }

    /// Does one of the boards of a family lie face down for whom a state is shown to?
    pub(crate) fn is_face_down(&self, board: &Board, number: usize) -> bool {
        let each: usize = board
            .index
            .iter()
            .skip(1)
            .map(|d| self.game().model().domains[d.index()].size as usize)
            .product();
        self.veiled.is_some_and(|viewer| match board.visibility {
            Visibility::All => false,
            Visibility::Owner => number / each.max(1) != viewer.0 as usize,
            Visibility::Nobody => true,
        })
    }

    /// What a player knows of the place of the elements of a domain beyond what lies open.
    fn known(&self, domain: DomainId, player: Player) -> BitSet {
        let model = self.game().model();
        let is = |slot: &Slot| slot.role == Role::Known && slot.content == Content::Set(domain);
        let found = slots(model).find(|(_, slot)| is(slot));
        match found.map(|(id, _)| self.value(id, player.0 as usize)) {
            Some(Value::Set(known)) => known,
            _ => BitSet::empty(model.domains[domain.index()].size),
        }
    }

    /// What a player sees now, a line for each thing.
    pub(super) fn view(&self, player: Player) -> Vec<String> {
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
                    lines.push(format!("{name} = {}", value_text(game, slot.content, &value)));
                } else if let (true, Value::Set(lying), Content::Set(domain)) =
                    (is_counted(slot), value, slot.content)
                {
                    let known = Value::Set(lying.intersect(&self.known(domain, player)));
                    let known = match &known {
                        Value::Set(set) if set.is_empty() => String::new(),
                        set => format!(", with {}", value_text(game, slot.content, set)),
                    };
                    lines.push(format!("{name} has {}{known}", lying.len()));
                }
            }
        }
        let choice = self.pending_choice().map(|choice| model.choices[choice.index()].name.as_str());
        if let (Some(actor), Some(choice)) = (self.current_player(), choice) {
            let name = model.players.names.get(actor.0 as usize).map_or("", String::as_str);
            lines.push(format!("{name} has to choose: {choice}"));
        }
        lines
    }

    /// All that a player knows, as text: what there was to see at each moment, as far as it changed, and
    /// what was done before the player's eyes. Equal for states that the player can't tell apart. Of a
    /// state that was built or restored, what there is to see now.
    pub fn information_state(&self, player: Player) -> String {
        let mut told = Told { player, lines: vec![], view: vec![], done: None };
        if let Some(earlier) = self.earlier.as_ref().filter(|earlier| earlier.player == player) {
            told.lines.push(earlier.of.information_state(player));
            told.view = earlier.state.view(player);
        }
        let led_here = self.play_again(&mut |state, event| {
            told.look(state);
            told.done = Some((state.clone(), *event));
        });
        if !led_here {
            (told.lines, told.view, told.done) = (vec![], vec![], None);
        }
        told.look(self);
        told.lines.join("\n")
    }

    /// A state that could be this one for all that a player knows: what is hidden is drawn anew, each way
    /// to lie with the same chance, and so is all chance to come. A hidden variable is drawn from its
    /// range. None if nothing was found with which whoever has to choose can choose something.
    pub fn determinize(&self, player: Player, stream: &mut Stream) -> Option<State> {
        let mut drawn = self.clone();
        if !self.redraw(player, stream, &mut drawn) {
            return None;
        }
        drawn.begin_chance(stream.next_word());
        drawn.history.clear();
        drawn.earlier = None;
        drawn.earlier = Some(Arc::new(Earlier { player, of: self.clone(), state: drawn.clone() }));
        Some(drawn)
    }

    /// Draws what a player does not know, as [`State::determinize`] does, into a state of the same game that
    /// was cloned from this one. False if nothing was found.
    pub(crate) fn redraw(&self, player: Player, stream: &mut Stream, drawn: &mut State) -> bool {
        (0..TRIES).any(|_| {
            drawn.words.copy_from_slice(&self.words);
            drawn.draw_hidden(player, stream);
            let before = drawn.persistent().to_vec();
            drawn.derive();
            // Where nothing is legal, the rules have gone on; and everybody sees what one may do oneself.
            drawn.persistent() == before
                && (self.current_player() != Some(player) || drawn.region() == self.region())
        })
    }

    /// What a player sees another do: what stays hidden of it is a question mark.
    pub(crate) fn action_seen(&self, action: ActionId, after: &State, player: Player) -> String {
        let (game, model) = (self.game(), self.game().model());
        let Some(block) = game.action_block(action) else { return String::new() };
        let options = self.pending_choice().map(|choice| &model.choices[choice.index()].options);
        let option = options
            .and_then(|all| all.iter().find(|o| model.actions[o.actions.index()].first == block.first));
        let mut text = block.option.clone();
        let mut onlooker = Onlooker { model, actor: self.current_player(), viewer: player, bound: vec![] };
        for (bound, binder) in
            game.action_bindings(action).into_iter().zip(option.iter().flat_map(|o| &o.binders))
        {
            if let Bound::Element(_, element) = bound {
                onlooker.bound.push((binder.local, element));
            }
        }
        for (k, bound) in game.action_bindings(action).into_iter().enumerate() {
            let (domain, elements) = bound.elements();
            let binder = option.and_then(|option| Some((option, option.binders.get(k)?)));
            let kept = binder.is_some_and(|(option, binder)| {
                is_kept(model, &option.body, binder.local)
                    || onlooker.moved_unseen(&option.body, binder.local)
            });
            for element in elements {
                let place =
                    || self.locates(domain, element, player) || after.locates(domain, element, player);
                let hidden = kept || has_zones(model, domain) && !place();
                text.push(' ');
                text.push_str(&if hidden { "?".to_owned() } else { game.element_name(domain, element) });
            }
        }
        text
    }

    /// An event that led here as a player sees it, by the state before it; none if nothing of it is seen.
    pub(crate) fn event_seen(&self, before: &State, event: &Event, player: Player) -> Option<String> {
        match event {
            Event::Action { player: who, action } if *who != player => {
                Some(before.action_seen(*action, self, player))
            }
            Event::Pick { domain, element }
                if has_zones(self.game().model(), *domain) && !self.locates(*domain, *element, player) =>
            {
                None
            }
            Event::Pick { .. } if before.hides_draw(event, player) => None,
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

    /// Does a player know where an element lies?
    pub(crate) fn locates(&self, domain: DomainId, element: u32, player: Player) -> bool {
        let model = self.game().model();
        let lies = |id: SlotId, place: usize| matches!(self.value(id, place), Value::Set(lying) if lying.contains(element));
        self.known(domain, player).contains(element)
            || slots(model).filter(|(_, s)| s.role == Role::Zone && s.content == Content::Set(domain)).any(
                |(id, slot)| {
                    (0..slot.initial.len()).any(|place| sees(model, slot, place, player) && lies(id, place))
                },
            )
    }

    fn draw_hidden(&mut self, player: Player, stream: &mut Stream) {
        let game = self.game().clone();
        let model = game.model();
        let mut shuffled: Vec<DomainId> = vec![];
        for (id, slot) in slots(model) {
            if !is_told(slot) || !self.keeps(id) || slot.role == Role::Known {
                continue;
            }
            if let (Role::Copies, Some(domain)) = (slot.role, slot.index.last()) {
                if !shuffled.contains(domain) {
                    shuffled.push(*domain);
                    self.shuffle_copies(*domain, player, stream);
                }
                continue;
            }
            if let (Role::Zone, Content::Set(domain)) = (slot.role, slot.content) {
                if !shuffled.contains(&domain) {
                    shuffled.push(domain);
                    self.shuffle_zones(domain, player, stream);
                }
                continue;
            }
            let hidden = (0..slot.initial.len()).filter(|place| !self.sees(id, *place, player));
            for place in hidden.collect::<Vec<_>>() {
                let value = self.drawn_value(id, place, stream);
                self.set_value(id, place, &value);
            }
        }
    }

    /// Lays the elements that a player does not know the place of somewhere else, as many in each zone as
    /// before.
    fn shuffle_zones(&mut self, domain: DomainId, player: Player, stream: &mut Stream) {
        let game = self.game().clone();
        let model = game.model();
        let known = self.known(domain, player);
        let mut hidden: Vec<(SlotId, usize, BitSet)> = vec![];
        for (id, slot) in
            slots(model).filter(|(_, s)| s.role == Role::Zone && s.content == Content::Set(domain))
        {
            for place in (0..slot.initial.len()).filter(|place| !sees(model, slot, *place, player)) {
                if let Value::Set(lying) = self.value(id, place) {
                    hidden.push((id, place, lying));
                }
            }
        }
        let mut pool: Vec<u32> =
            hidden.iter().flat_map(|(_, _, lying)| lying.minus(&known).iter().collect::<Vec<_>>()).collect();
        pool.sort_unstable();
        for (id, place, lying) in hidden {
            let mut now = lying.intersect(&known);
            for _ in 0..lying.minus(&known).len() {
                now.insert(pool.swap_remove(stream.below(pool.len() as u64) as usize));
            }
            self.set_value(id, place, &Value::Set(now));
        }
    }

    /// A value that a hidden one might have.
    fn drawn_value(&self, id: SlotId, place: usize, stream: &mut Stream) -> Value {
        let model = self.game().model();
        let slot = &model.slots[id.index()];
        let now = self.value(id, place);
        let size = |domain: DomainId| model.domains[domain.index()].size;
        match (slot.content, &now) {
            // Dice that have not been rolled show nothing, and everybody knows it.
            (_, Value::Number(0)) if matches!(slot.role, Role::Dice { .. }) => now,
            (Content::Number { high, .. }, _) if matches!(slot.role, Role::Dice { .. }) => {
                Value::Number(1 + stream.below(high as u64) as i64)
            }
            (Content::Number { low, high }, _) => match u64::try_from(i128::from(high) - i128::from(low)) {
                Ok(span) if span < u64::MAX => Value::Number(low.wrapping_add(stream.below(span + 1) as i64)),
                _ => now,
            },
            (Content::Bool, _) => Value::Bool(stream.below(2) == 1),
            (_, Value::Element(None)) => now,
            (Content::Element { domain, .. }, _) => {
                Value::Element(Some(stream.below(size(domain).into()) as u32))
            }
            (Content::Set(domain), Value::Set(set)) => {
                let free = match slot.role {
                    Role::Piece(board) => self.free_sites(board, id, place, set),
                    _ => BitSet::full(size(domain)),
                };
                let mut pool: Vec<u32> = free.iter().collect();
                let mut drawn = BitSet::empty(size(domain));
                for _ in 0..set.len() {
                    drawn.insert(pool.swap_remove(stream.below(pool.len() as u64) as usize));
                }
                Value::Set(drawn)
            }
            _ => now,
        }
    }

    /// Where a piece can stand: where it stands, and where nothing does.
    fn free_sites(&self, board: BoardId, id: SlotId, place: usize, own: &BitSet) -> BitSet {
        let model = self.game().model();
        let board = &model.boards[board.index()];
        let each = |index: &[DomainId]| -> usize {
            index.iter().map(|d| model.domains[d.index()].size as usize).product()
        };
        let kinds = each(&model.slots[id.index()].index[board.index.len()..]).max(1);
        let which = place / kinds;
        let mut free = BitSet::full(own.size());
        for piece in &board.pieces {
            let kinds = each(&model.slots[piece.index()].index[board.index.len()..]);
            for at in which * kinds..(which + 1) * kinds {
                if let Value::Set(standing) = self.value(*piece, at) {
                    free = free.minus(&standing);
                }
            }
        }
        free.union(own)
    }
}
