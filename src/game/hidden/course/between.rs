//! What the course of a game tells between its events: what moved, what a player was shown, and who had no move.
//!
//! A run is told in parts, each up to a moment that the watcher noted, so that all stands in the order in which it
//! happened.

use super::super::moved::{SeenLegs, ToldMoves};
use super::super::moved_unseen::DrawnWay;
use super::watcher::NotedMoment;
use super::{CourseItem, CourseKind, GameCourse, HeldPass, Told, Untold};
use crate::{Event, Seat, State};
use houserule_base::names::plain;
use houserule_machine::program::PENDING;
use houserule_model::{ChoiceId, Model};

/// A state within a run.
struct RunFrame {
    state: State,
    /// Whether it isn't clear from the numbers at the places what went where since the state before.
    is_unclear: bool,
    /// Whether the statement since then swapped two zones of elements, as everybody sees.
    is_exchange: bool,
}

/// A part of what has not been told yet: the statements of the rules between two items of the course.
struct UntoldPart<'p> {
    untold: &'p Untold,
    /// Whether it is of the setup.
    in_setup: bool,
    /// The states before, between and after its statements.
    frames: &'p [RunFrame],
    /// The number of moments of the run that were noted before it.
    first: usize,
    /// Where drawn elements went in the run.
    ways: &'p [DrawnWay],
    /// The item that comes next.
    to: usize,
    /// The player who acted, if others may not be told yet what that moved.
    veiled_for: Option<Seat>,
}

/// What somebody is told of a part.
struct ToldPhrase {
    kind: CourseKind,
    text: String,
    /// Whether it is told to somebody from whom nothing is hidden, and then to each viewer.
    is_told: Vec<bool>,
}

impl GameCourse {
    /// Adds what moved and what was shown since that was last told, for each viewer as seen then. Draws under a
    /// condition come first, since they may be rejected, and what is dealt in the setup.
    pub(super) fn add_moved(&mut self) {
        if self.state.is_under_condition() || self.watcher.in_setup && self.state.is_chance() {
            return;
        }
        let Some(untold) = self.untold.take() else { return };
        let (cuts, ways) = self.watcher.take_cuts(self.state.words());
        let actor = match self.items.get(untold.item).map(|item| item.kind) {
            Some(CourseKind::Event(Event::Action { player, .. })) => Some(player),
            _ => None,
        };
        let veiled_for = actor.filter(|_| self.state.veils_commitment(&untold.before));
        let mut frames =
            vec![RunFrame { state: untold.before.clone(), is_unclear: false, is_exchange: false }];
        let mut first = 0;
        let mut found: Vec<CourseItem> = vec![];
        let mut places: Vec<usize> = vec![];
        let mut rest = cuts.into_iter().peekable();
        while let Some(cut) = rest.next() {
            let in_setup = untold.in_setup && first == 0;
            let goes_on = !in_setup && rest.peek().is_some_and(|next| cut.goes_on(next));
            let NotedMoment { before: to, words, turn, acting, turns, same_turn, unclear, exchanges } = cut;
            let state = self.at_moment(words);
            frames.push(RunFrame { state, is_unclear: unclear, is_exchange: exchanges });
            if goes_on {
                continue;
            }
            let part =
                UntoldPart { untold: &untold, in_setup, frames: &frames, first, ways: &ways, to, veiled_for };
            let turn = acting.or_else(|| turn.map(|turn| actor.filter(|_| same_turn).unwrap_or(turn)));
            let index = self.items.get(to).map_or(self.state.history().len(), |next| next.index);
            for (kind, all, told) in self.told_of(&part) {
                found.push(CourseItem { index, kind, turn, turns, stays: false, all, told });
                places.push(to);
            }
            let last = frames.len() - 1;
            first += last;
            frames = frames.split_off(last);
        }
        self.unveiled.clear();
        for (at, item) in places.into_iter().zip(found).rev() {
            self.insert_item(at, item);
        }
        self.watcher.items = self.items.len();
    }

    /// Returns the state at a moment of the last run.
    pub(super) fn at_moment(&self, words: Vec<u64>) -> State {
        let mut now = self.state.clone();
        let pending = usize::from(PENDING);
        let last = now.words[pending];
        now.words = words;
        // What all choose together stays hidden as it is now.
        now.words[pending] = last;
        now
    }

    /// Returns the items of a part: the kind, what is told in full, and what each viewer may be told.
    fn told_of(&self, part: &UntoldPart<'_>) -> Vec<(CourseKind, Told, Vec<Told>)> {
        let viewers = (0..self.viewers.len()).map(Some);
        let mut joined: Vec<ToldPhrase> = vec![];
        for (number, viewer) in [None].into_iter().chain(viewers).enumerate() {
            let mut from = 0;
            for (kind, text) in self.phrases(part, viewer) {
                let is_same = |one: &ToldPhrase| one.kind == kind && one.text == text;
                let found = joined[from..].iter().position(is_same).map(|at| from + at);
                let at = found.unwrap_or(from);
                if found.is_none() {
                    let is_told = vec![false; self.viewers.len() + 1];
                    joined.insert(at, ToldPhrase { kind, text, is_told });
                }
                joined[at].is_told[number] = true;
                from = at + 1;
            }
        }
        let item = |phrase: ToldPhrase| {
            let told = |is_told: &bool| Told { text: is_told.then(|| phrase.text.clone()), zone: None };
            let mut all: Vec<Told> = phrase.is_told.iter().map(told).collect();
            let full = all.remove(0);
            (phrase.kind, full, all)
        };
        joined.into_iter().map(item).collect()
    }

    /// Returns what a viewer, by the index, is told of a part, in order; with `None`, everything.
    fn phrases(&self, part: &UntoldPart<'_>, viewer: Option<usize>) -> Vec<(CourseKind, String)> {
        let seat = viewer.map(|viewer| self.viewers[viewer]);
        let is_veiled = part.veiled_for.is_some() && seat.is_some() && seat != part.veiled_for;
        let as_moved = |text: String| (CourseKind::Moved, text);
        let mut phrases = vec![];
        let mut legs = SeenLegs::default();
        for (number, frames) in part.frames.windows(2).enumerate() {
            let [earlier, now] = frames else { continue };
            let mut told = self.told_moves(part, viewer, part.first + number);
            told.is_unclear = now.is_unclear;
            if !is_veiled {
                let swapped = seat
                    .filter(|_| now.is_exchange && !part.in_setup)
                    .and_then(|seat| now.state.describe_exchange_since(&earlier.state, seat, &self.places));
                if let Some(swapped) = swapped {
                    phrases.extend(legs.take_phrases().into_iter().chain([swapped]).map(as_moved));
                }
                now.state.add_legs_since(&earlier.state, seat, &told, &self.places, &mut legs);
            }
            let shown = seat.map_or(vec![], |seat| shown_to(earlier, now, seat, &told));
            if !shown.is_empty() {
                phrases.extend(legs.take_phrases().into_iter().map(as_moved));
                phrases.extend(shown.into_iter().map(|text| (CourseKind::Shown, text)));
            }
        }
        phrases.extend(legs.take_phrases().into_iter().map(as_moved));
        phrases
    }

    /// Returns what a viewer, by the index, was told of elements on their way up to the end of a part. `moment`: the number
    /// of moments that were noted before the statement of which it is told.
    fn told_moves(&self, part: &UntoldPart<'_>, viewer: Option<usize>, moment: usize) -> ToldMoves {
        let mut told = ToldMoves::default();
        let here: Vec<&DrawnWay> = part.ways.iter().filter(|way| way.moment == moment).collect();
        let earlier = self.unveiled.iter().chain(&part.untold.late).map(|item| (*item, &self.items[*item]));
        let own = self.items.iter().enumerate().take(part.to).skip(part.untold.item);
        for (at, item) in earlier.chain(own) {
            told.add(item, viewer, here.iter().any(|way| way.item == at));
        }
        if let Some(viewer) = viewer {
            told.face_down.together = part.untold.before.block_together().is_some();
            for item in self.items.iter().skip(self.under_way(part.untold.item)) {
                told.face_down.add(self.state.game(), item, viewer);
            }
            let is_told = |way: &DrawnWay| {
                let item = self.items.get(way.item);
                way.laid || item.is_some_and(|item| item.seen(Some(viewer)).zone.is_some())
            };
            told.face_down.ways = here.into_iter().copied().filter(is_told).collect();
        }
        told.first.clone_from(&part.untold.first);
        told.in_setup = part.in_setup;
        told.in_steps = part.untold.in_steps;
        told
    }

    /// Returns the item of the action that is under way at an item, or else that item.
    fn under_way(&self, item: usize) -> usize {
        let is_action = |one: &CourseItem| matches!(one.kind, CourseKind::Event(Event::Action { .. }));
        let turns = self.items.get(item).map(|item| item.turns);
        let last = self.items.iter().take(item + 1).rposition(is_action);
        last.filter(|at| Some(self.items[*at].turns) == turns).unwrap_or(item)
    }

    /// Puts an item between others.
    fn insert_item(&mut self, at: usize, item: CourseItem) {
        self.items.insert(at, item);
        self.watcher.insert_item(at);
        self.veiled.iter_mut().filter(|(one, _)| *one >= at).for_each(|(one, _)| *one += 1);
        self.unfinished.iter_mut().filter(|one| one.item >= at).for_each(|one| one.item += 1);
        self.held.iter_mut().filter(|pass| pass.item >= at).for_each(|pass| pass.item += 1);
    }

    /// Returns an item that tells that a player could decide nothing. `is_told`: for each viewer.
    fn pass(&self, player: Seat, words: &str, is_told: impl Fn(Seat) -> bool) -> CourseItem {
        let told = |is_told: bool| Told { text: is_told.then(|| words.to_owned()), zone: None };
        CourseItem {
            index: self.state.history().len(),
            kind: CourseKind::Pass,
            turn: Some(player),
            turns: self.watcher.turns,
            stays: false,
            all: told(true),
            told: self.viewers.iter().map(|viewer| told(is_told(*viewer))).collect(),
        }
    }

    /// Returns an item for a choice without a legal option. `moment`: the turns that had ended, and the round.
    pub(super) fn without_option(
        &mut self,
        player: Seat,
        choice: ChoiceId,
        moment: (u64, u64),
    ) -> CourseItem {
        let model = self.state.game().model();
        let words = no_move(model, choice);
        let open = self.open_choices[choice.index()];
        let in_block = |block: usize| model.together[block].choices.contains(&choice);
        let now = (self.state.turns(), self.watcher.round(self.state.words()));
        // The others are still to choose, and don't see what was chosen before, nor that nothing could be.
        if self.state.block_together().is_some_and(in_block) && now == moment {
            let item = self.items.len();
            self.held.push(HeldPass { player, item, words: words.clone(), open, since: self.state.clone() });
            let mut pass = self.pass(player, &words, |viewer| viewer == player);
            for told in pass.told.iter_mut().filter(|told| told.text.is_none()) {
                told.text = Some("?".to_owned());
            }
            return pass;
        }
        self.pass(player, &words, |viewer| open || viewer == player)
    }

    /// Returns an item for a turn in which its player could decide nothing. `told`: the choice of which some have been
    /// told already that it had no legal option. If all have been, the item tells nothing.
    pub(super) fn turn_passed(&self, player: Seat, told: Option<ChoiceId>) -> CourseItem {
        let Some(choice) = told else { return self.pass(player, "no move", |_| true) };
        let open = self.open_choices[choice.index()];
        let mut item = self.pass(player, "no move", |viewer| !open && viewer != player);
        item.all.text = None;
        item
    }

    /// Tells the others of choices without a legal option, once all have chosen.
    pub(super) fn add_held(&mut self, at: usize) {
        let (held, open): (Vec<_>, Vec<_>) = std::mem::take(&mut self.held)
            .into_iter()
            .partition(|pass| self.state.veils_commitment(&pass.since));
        self.held = held;
        for pass in &open {
            let others = self.items[pass.item].told.iter_mut().zip(&self.viewers);
            others.filter(|(_, viewer)| **viewer != pass.player).for_each(|(told, _)| told.text = None);
        }
        for pass in open.into_iter().filter(|pass| pass.open).rev() {
            let mut item = self.pass(pass.player, &pass.words, |viewer| viewer != pass.player);
            item.all.text = None;
            item.index = self.items.get(at).map_or(item.index, |next| next.index);
            self.insert_item(at, item);
        }
        self.watcher.items = self.items.len();
    }
}

/// Returns what a player came to know of what lies in hidden zones, and neither drew, named nor saw lie open.
fn shown_to(earlier: &RunFrame, now: &RunFrame, seat: Seat, told: &ToldMoves) -> Vec<String> {
    let (earlier, now) = (&earlier.state, &now.state);
    let game = now.game();
    let open = told.first.iter().filter_map(|first| {
        let name = game.element_name(first.domain, first.element);
        let is_named = told.named.iter().any(|(_, named)| *named == name);
        (is_named || first.is_open(game.model(), Some(seat))).then_some(name)
    });
    let known: Vec<String> = told.drawn.iter().map(|drawn| drawn.name.clone()).chain(open).collect();
    now.shown_since(earlier, seat, &known)
}

/// Says that a choice has no legal option, with the step if other steps have choices, too.
fn no_move(model: &Model, choice: ChoiceId) -> String {
    let step = model.choices[choice.index()].step;
    match step.filter(|_| model.choices.iter().any(|other| other.step != step)) {
        Some(step) => format!("no move in step {}", plain(&model.steps[step.index()].name)),
        None => "no move".to_owned(),
    }
}
