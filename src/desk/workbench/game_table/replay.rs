//! A game replayed: after it was resumed, and under other rules.

use super::super::rules::RuleTexts;
use super::super::{DiffersTold, PositionTold};
use super::line::{GameLine, decisions};
use super::{GameTable, TableRefusal, begin, head, refused};
use crate::table::YOU;
use houserule_game::notation::record::ReplayError;

impl GameTable {
    /// Replays recorded events. Those whose text is hidden are drawn again, if they are chance.
    pub(super) fn resume(&mut self, events: &[Option<&str>]) -> Result<(), TableRefusal> {
        let mut known: Vec<String> = vec![];
        let mut rest = events;
        loop {
            let open = rest.iter().take_while(|event| event.is_some()).count();
            let (told, hidden) = rest.split_at(open);
            known.extend(told.iter().flatten().map(|text| (*text).to_owned()));
            if !self.follow(&known) {
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

    /// Replays the line that is shown up to the end of some events. Returns `false` if not all of them fit the rules.
    fn follow(&mut self, events: &[String]) -> bool {
        let mut places = vec![];
        let followed = self.table.follow(events, |place| places.push(place));
        let line = &mut self.lines[self.line];
        places.into_iter().chain([self.table.place()]).for_each(|place| line.push(place));
        self.at = line.last();
        let Err(error) = followed else { return true };
        let decision = decisions(&line.places[line.last()]);
        line.differs = Some(DiffersTold { decision, words: in_words(&error) });
        line.events.extend(events.iter().skip(line.events.len()).cloned());
        false
    }

    /// Replays the game if its rules have changed and have no errors. The line and the place that are shown stay, and are
    /// back as soon as the rules allow them again.
    pub(in super::super) fn follow_rules(&mut self, rules: &RuleTexts) -> Option<PositionTold> {
        let game = rules.game(&self.path, &self.set, self.players).ok()?;
        if game.identity().rules_sha256 == self.table.game().identity().rules_sha256 {
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
        let (path, set, players) = (self.path.clone(), self.set.clone(), self.players);
        let mut new =
            GameTable { path, set, players, kinds, table, lines: vec![], line: 0, at: 0, cut: None };
        for (at, old) in self.lines.iter().enumerate() {
            houserule_base::interrupt::check();
            new.table.go_to(&first);
            new.line = at;
            new.lines.push(GameLine { from: old.from, ..GameLine::new(&old.name, first.clone()) });
            new.follow(&old.events);
        }
        let wanted = self.cut.unwrap_or_else(|| self.decision());
        new.show(self.line, new.lines[self.line].at_decision(wanted));
        new.cut = (new.decision() < wanted).then_some(wanted);
        // An interruption before this leaves the old game.
        *self = new;
        Some(self.position(None))
    }
}

/// Says why an event doesn't fit changed rules.
fn in_words(error: &ReplayError) -> String {
    match error {
        ReplayError::Event { event, chooser: Some(chooser), .. } => {
            format!("the new rules don't allow {chooser} `{event}` here")
        }
        ReplayError::Event { event, chooser: None, .. } => {
            format!("by the new rules `{event}` can't come up here")
        }
        ReplayError::AfterEnd { event, .. } => {
            format!("by the new rules the game is over before `{event}`")
        }
        ReplayError::Seed { recorded, drawn, .. } => {
            format!("by the new rules `{drawn}` comes up here, and not `{recorded}`")
        }
        ReplayError::Runtime { error, .. } => format!("the new rules fail here: {error}"),
        other => other.to_string(),
    }
}
