//! What the course of a game tells between its events: what moved, what a player was shown, and who had no move.
//!
//! A run is told in parts, each up to a moment that the watcher noted, so that all stands in the order in which it
//! happened.

use super::super::moved::ToldMoves;
use super::super::moved_unseen::FaceDownTold;
use super::watcher::NotedMoment;
use super::{CourseItem, CourseKind, GameCourse, HeldPass, Told, Untold};
use crate::{Event, Seat, State};
use houserule_base::names::plain;
use houserule_machine::program::PENDING;
use houserule_model::{ChoiceId, Model};

/// A part of what has not been told yet: from a state to a later one.
struct UntoldPart<'p> {
    untold: &'p Untold,
    /// Whether it is of the setup.
    in_setup: bool,
    earlier: &'p State,
    now: &'p State,
    /// The items that belong to it.
    from: usize,
    to: usize,
    /// The player who acted, if others may not be told yet what that moved.
    veiled_for: Option<Seat>,
}

impl GameCourse {
    /// Adds what moved and what was shown since that was last told, for each viewer as seen then. Draws under a
    /// condition come first, since they may be rejected, and what is dealt in the setup.
    pub(super) fn add_moved(&mut self) {
        if self.state.is_under_condition() || self.watcher.in_setup && self.state.is_chance() {
            return;
        }
        let Some(untold) = self.untold.take() else { return };
        let mut cuts = self.watcher.take_cuts(self.state.words());
        cuts.push(NotedMoment {
            before: self.items.len(),
            words: self.state.words().to_vec(),
            turn: self.watcher.turn(self.state.words()),
            turns: self.watcher.turns,
            same_turn: self.watcher.is_same_turn(),
        });
        let actor = match self.items.get(untold.item).map(|item| item.kind) {
            Some(CourseKind::Event(Event::Action { player, .. })) => Some(player),
            _ => None,
        };
        let veiled_for = actor.filter(|_| self.state.veils_commitment(&untold.before));
        let mut earlier = untold.before.clone();
        let mut from = untold.item;
        let mut found: Vec<CourseItem> = vec![];
        let mut places: Vec<usize> = vec![];
        for (number, cut) in cuts.into_iter().enumerate() {
            let now = self.at_moment(cut.words);
            let to = cut.before;
            let in_setup = untold.in_setup && number == 0;
            let part =
                UntoldPart { untold: &untold, in_setup, earlier: &earlier, now: &now, from, to, veiled_for };
            let turn = cut.turn.map(|turn| actor.filter(|_| cut.same_turn).unwrap_or(turn));
            let index = self.items.get(to).map_or(self.state.history().len(), |next| next.index);
            let turns = cut.turns;
            for (kind, all, told) in self.told_of(&part) {
                found.push(CourseItem { index, kind, turn, turns, all, told });
                places.push(to);
            }
            (earlier, from) = (now, to);
        }
        let unseen = self.moved_unseen(&untold);
        self.unveiled.clear();
        for (at, item) in places.into_iter().zip(found).rev() {
            self.insert_item(at, item);
        }
        for item in unseen.into_iter().rev() {
            self.insert_item(untold.item + 1, item);
        }
        self.watcher.items = self.items.len();
    }

    /// Returns the items of what went face down from zone to zone since the stop before. Only the stops count: what lies in
    /// between nobody sees.
    fn moved_unseen(&self, untold: &Untold) -> Vec<CourseItem> {
        let Some(first) = self.items.get(untold.item).filter(|_| !untold.in_setup) else { return vec![] };
        let seen_by = |(viewer, seat): (usize, &Seat)| {
            let mut told = FaceDownTold::default();
            for item in untold.late.iter().copied().chain(untold.item..self.items.len()) {
                told.add(self.state.game(), &self.items[item], viewer);
            }
            self.state.moved_unseen_since(&untold.before, *seat, &told, &self.places)
        };
        let each: Vec<Vec<String>> = self.viewers.iter().enumerate().map(seen_by).collect();
        let mut phrases: Vec<&String> = vec![];
        for phrase in each.iter().flatten() {
            if !phrases.contains(&phrase) {
                phrases.push(phrase);
            }
        }
        let turn = match first.kind {
            CourseKind::Event(Event::Action { player, .. }) => Some(player),
            _ => first.turn,
        };
        let item = |phrase: &String| {
            let told =
                |seen: &Vec<String>| Told { text: seen.contains(phrase).then(|| phrase.clone()), zone: None };
            CourseItem {
                index: first.index + 1,
                kind: CourseKind::Moved,
                turn,
                turns: first.turns,
                all: Told::default(),
                told: each.iter().map(told).collect(),
            }
        };
        phrases.into_iter().map(item).collect()
    }

    /// Returns the state at a moment of the last run.
    fn at_moment(&self, words: Vec<u64>) -> State {
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
        let all = self.moves_seen(part, None);
        let viewers = 0..self.viewers.len();
        let moved: Vec<Vec<String>> =
            viewers.clone().map(|viewer| self.moves_seen(part, Some(viewer))).collect();
        let shown: Vec<Vec<String>> = viewers.map(|viewer| self.shown_to(part, viewer)).collect();
        let mut items = vec![];
        for (kind, all, each) in [(CourseKind::Moved, all, moved), (CourseKind::Shown, vec![], shown)] {
            let mut phrases: Vec<&String> = vec![];
            for phrase in all.iter().chain(each.iter().flatten()) {
                if !phrases.contains(&phrase) {
                    phrases.push(phrase);
                }
            }
            for phrase in phrases {
                let told = |seen: &Vec<String>| Told {
                    text: seen.contains(phrase).then(|| phrase.clone()),
                    zone: None,
                };
                items.push((kind, told(&all), each.iter().map(told).collect()));
            }
        }
        items
    }

    /// Returns what a viewer, by the index, was told of elements on their way up to the end of a part.
    fn told_moves(&self, part: &UntoldPart<'_>, viewer: Option<usize>) -> ToldMoves {
        let mut told = ToldMoves::default();
        let earlier = self.unveiled.iter().chain(&part.untold.late).map(|item| (&self.items[*item], true));
        let own = self.items.iter().enumerate().take(part.to).skip(part.untold.item);
        for (item, here) in earlier.chain(own.map(|(at, item)| (item, at >= part.from))) {
            told.add(item, viewer, here);
        }
        told.first.clone_from(&part.untold.first);
        told.in_setup = part.in_setup;
        told
    }

    fn moves_seen(&self, part: &UntoldPart<'_>, viewer: Option<usize>) -> Vec<String> {
        let seat = viewer.map(|viewer| self.viewers[viewer]);
        if part.veiled_for.is_some() && seat.is_some() && seat != part.veiled_for {
            return vec![];
        }
        part.now.moved_since(part.earlier, seat, &self.told_moves(part, viewer), &self.places)
    }

    /// Returns what a viewer, by the index, came to know of what lies in hidden zones, and neither drew nor saw lie open.
    fn shown_to(&self, part: &UntoldPart<'_>, viewer: usize) -> Vec<String> {
        let (now, seat) = (part.now, self.viewers[viewer]);
        let told = self.told_moves(part, Some(viewer));
        let open = told.first.iter().filter(|first| first.is_open(now.game().model(), Some(seat)));
        let open = open.map(|first| now.game().element_name(first.domain, first.element));
        let known: Vec<String> = told.drawn.iter().map(|drawn| drawn.name.clone()).chain(open).collect();
        now.shown_since(part.earlier, seat, &known)
    }

    /// Puts an item between others.
    fn insert_item(&mut self, at: usize, item: CourseItem) {
        self.items.insert(at, item);
        self.watcher.insert_item(at);
        self.veiled.iter_mut().filter(|(one, _)| *one >= at).for_each(|(one, _)| *one += 1);
        self.unfinished.iter_mut().filter(|one| one.item >= at).for_each(|one| one.item += 1);
    }

    /// Returns an item that tells that a player could decide nothing. `is_told`: for each viewer.
    fn pass(&self, player: Seat, words: &str, is_told: impl Fn(Seat) -> bool) -> CourseItem {
        let told = |is_told: bool| Told { text: is_told.then(|| words.to_owned()), zone: None };
        CourseItem {
            index: self.state.history().len(),
            kind: CourseKind::Pass,
            turn: Some(player),
            turns: self.watcher.turns,
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
        // The others are still to choose, and don't see what was chosen before.
        if self.state.block_together().is_some_and(in_block) && now == moment {
            if open {
                self.held.push(HeldPass { player, words: words.clone(), since: self.state.clone() });
            }
            return self.pass(player, &words, |viewer| viewer == player);
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
        for pass in open.into_iter().rev() {
            let mut item = self.pass(pass.player, &pass.words, |viewer| viewer != pass.player);
            item.all.text = None;
            item.index = self.items.get(at).map_or(item.index, |next| next.index);
            self.insert_item(at, item);
        }
        self.watcher.items = self.items.len();
    }
}

/// Says that a choice has no legal option, with the step if other steps have choices, too.
fn no_move(model: &Model, choice: ChoiceId) -> String {
    let step = model.choices[choice.index()].step;
    match step.filter(|_| model.choices.iter().any(|other| other.step != step)) {
        Some(step) => format!("no move in step {}", plain(&model.steps[step.index()].name)),
        None => "no move".to_owned(),
    }
}
