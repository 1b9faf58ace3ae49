//! A game replayed: after it was resumed, and under other rules.

use std::sync::Arc;

use super::super::rules::RuleTexts;
use super::super::{DiffersTold, PositionTold};
use super::line::{GameLine, decisions};
use super::{GameTable, TableRefusal, begin, head, refused};
use crate::table::{SeenEvent, YOU};
use houserule_game::notation::record::ReplayError;
use houserule_game::values::BoardNames;

impl GameTable {
    /// Replays recorded events. Those whose text is hidden are drawn again, if they are chance.
    pub(super) fn resume(&mut self, events: &[Option<&str>]) -> Result<(), TableRefusal> {
        let mut known: Vec<String> = vec![];
        let mut rest = events;
        loop {
            let open = rest.iter().take_while(|event| event.is_some()).count();
            let (told, hidden) = rest.split_at(open);
            known.extend(told.iter().flatten().map(|text| (*text).to_owned()));
            let told: Vec<Option<String>> = self.said(&known).into_iter().map(Some).collect();
            if !self.follow(&known, &told) {
                return Ok(());
            }
            // Some events follow others by themselves.
            let passed = self.state().history().len().saturating_sub(known.len());
            rest = hidden.get(passed..).unwrap_or_default();
            match rest.first() {
                Some(None) if self.state().is_chance() && !self.table.chance_is_reported() => {
                    self.table.draw_one().map_err(refused)?;
                    self.note();
                    rest = &rest[1..];
                }
                Some(Some(_)) => {}
                _ => return Ok(()),
            }
            known = self.shown().events.clone();
        }
    }

    /// Returns events in the notation of journals with the names that the board shows, if they are actions.
    fn said(&self, events: &[String]) -> Vec<String> {
        let game = self.table.game();
        let names = BoardNames::new(game);
        let said = |event: &String| game.parse_action(event).map(|action| names.action(action));
        events.iter().map(|event| said(event).unwrap_or_else(|| event.clone())).collect()
    }

    /// Replays the line that is shown up to the end of some events. `told` is what people were told of each. Returns
    /// `false` if not all of them fit the rules.
    fn follow(&mut self, events: &[String], told: &[Option<String>]) -> bool {
        let mut places = vec![];
        let followed = self.table.follow(events, |place| places.push(place));
        let line = &mut self.lines[self.line];
        places.into_iter().chain([self.table.place()]).for_each(|place| line.push(place));
        self.at = line.last();
        let Err(error) = followed else { return true };
        let decision = decisions(&line.places[line.last()]);
        line.differs = Some(DiffersTold { decision, words: in_words(&error, told) });
        line.told = told.iter().skip(line.events.len()).cloned().collect();
        line.events.extend(events.iter().skip(line.events.len()).cloned());
        false
    }

    /// Replays the game if its rules, or how they show things, have changed and have no errors. The line and the place that are shown stay, and are
    /// back as soon as the rules allow them again.
    pub(in super::super) fn follow_rules(&mut self, rules: &RuleTexts) -> Option<PositionTold> {
        let game = rules.game(&self.path, &self.set, self.players).ok()?;
        if game.identity() == self.table.game().identity() {
            return None;
        }
        let old = self.table.head();
        let mut names = old.agents.clone();
        let mut kinds = self.kinds.clone();
        // Other rules may have another number of seats; people take the new ones.
        names.resize(game.players() as usize, YOU.to_owned());
        kinds.resize(game.players() as usize, None);
        let (seed, dice) = (old.seed, old.dice);
        let mut table = begin(&game, head(&game, &names, seed, dice), &kinds).ok()?;
        let viewer = self.table.viewer().filter(|seat| self.table.is_secret() && seat.0 < game.players());
        if let Some(viewer) = viewer {
            table.take_screen(viewer);
        }
        let first = table.place();
        let (path, set, players, form) = (self.path.clone(), self.set.clone(), self.players, self.form);
        let mut new =
            GameTable { path, set, players, form, kinds, table, lines: vec![], line: 0, at: 0, cut: None };
        let lines: Vec<GameLine> = self.lines.clone();
        for (at, old) in lines.iter().enumerate() {
            houserule_base::interrupt::check();
            let told = self.told_of(old);
            new.table.go_to(&first);
            new.line = at;
            new.lines.push(GameLine { from: old.from, ..GameLine::new(&old.name, first.clone()) });
            new.follow(&old.events, &told);
        }
        // An interruption before this leaves the old game.
        let shown = Arc::clone(&self.shown().places[self.at]);
        self.table.go_to(&shown);
        let wanted = self.cut.unwrap_or_else(|| self.decision());
        new.show(self.line, new.lines[self.line].at_decision(wanted));
        new.cut = (new.decision() < wanted).then_some(wanted);
        *self = new;
        Some(self.position(None))
    }

    /// Returns what people at the screen were told of each event of a line, with the names that the board shows. Goes to its
    /// last place.
    fn told_of(&mut self, line: &GameLine) -> Vec<Option<String>> {
        self.table.go_to(&line.places[line.last()]);
        let seen = self.table.seen_at_screen(0).into_iter().filter(SeenEvent::is_recorded);
        seen.map(|event| event.said).chain(line.told.iter().cloned()).collect()
    }
}

/// Says why an event doesn't fit changed rules. `told` is what people may know of each event.
fn in_words(error: &ReplayError, told: &[Option<String>]) -> String {
    let known = |number: &usize| number.checked_sub(1).and_then(|at| told.get(at)).and_then(Option::as_ref);
    match error {
        ReplayError::Event { number, chooser: Some(chooser), .. } => match known(number) {
            Some(event) => format!("the new rules don't allow {chooser} `{event}` here"),
            None => format!("the new rules don't allow here what {chooser} did"),
        },
        ReplayError::Event { number, chooser: None, .. } => match known(number) {
            Some(event) => format!("by the new rules `{event}` can't come up here"),
            None => "by the new rules something hidden can't come up here".to_owned(),
        },
        ReplayError::AfterEnd { number, .. } => match known(number) {
            Some(event) => format!("by the new rules the game is over before `{event}`"),
            None => "by the new rules the game is over before this".to_owned(),
        },
        ReplayError::Seed { number, recorded, drawn } => match known(number) {
            Some(_) => format!("by the new rules `{drawn}` comes up here, and not `{recorded}`"),
            None => "by the new rules something else comes up here".to_owned(),
        },
        ReplayError::Runtime { error, .. } => format!("the new rules fail here: {error}"),
        other => other.to_string(),
    }
}
