//! The end of a game, the match that it belongs to, and the next game.

use super::journal::JournalWriter;
use super::{Table, TableError};
use houserule_game::matches::Match;
use houserule_game::notation::journal::{GameInProgress, JournalLine, Over};
use houserule_game::{RuntimeError, State};

impl<J: JournalWriter> Table<J> {
    /// Returns the match as it was before this game, or `None` for a single game.
    pub fn in_match(&self) -> Option<&Match> {
        self.in_match.as_ref()
    }

    /// Returns the match with this game entered, or `None` if no match is played or this game is not over.
    pub fn standing(&self) -> Result<Option<Match>, TableError> {
        self.entered(self.state()).transpose().map_err(TableError::Rules)
    }

    /// Begins the next game of the match.
    pub fn next_game(&mut self) -> Result<(), TableError> {
        let standing = self.standing()?.filter(|one| !one.is_over());
        let Some(entered) = standing else { return Err(self.not_asked("the next game of a match")) };
        let (start, previous) = (entered.next_start(), entered.previous());
        let played = GameInProgress::begin(self.game(), &start, previous, self.head.dice);
        let played = played.map_err(TableError::Rules)?;
        let number = entered.played() as usize + 1;
        let before = self.in_match.replace(entered);
        let mut lines = vec![JournalLine::Next { next_game: number }];
        lines.extend(played.events().into_iter().map(JournalLine::Event));
        self.starter_known = false;
        lines.extend(self.endings(&played));
        if let Err(error) = self.write(&lines) {
            (self.in_match, self.starter_known) = (before, true);
            return Err(error.into());
        }
        self.played = played;
        self.asked.clear();
        self.undone.clear();
        self.rolls.clear();
        self.before = None;
        self.at_screen = None;
        self.noted.clear();
        self.note_starter();
        Ok(())
    }

    /// Notes who starts this game as soon as the setup is over.
    pub(super) fn note_starter(&mut self) {
        let state = self.played.state();
        if let (Some(one), false, false) = (&mut self.in_match, self.starter_known, state.is_chance()) {
            one.begun(state);
            self.starter_known = true;
        }
    }

    /// Returns the match with a finished game entered.
    fn entered(&self, state: &State) -> Option<Result<Match, RuntimeError>> {
        let mut one = self.in_match.clone().filter(|_| state.is_over())?;
        if !self.starter_known {
            one.begun(state);
        }
        Some(one.enter(state).map(|()| one))
    }

    /// Returns the lines of the journal that follow the last event of a finished game. If the rules fail to score
    /// it, there are none.
    pub(super) fn endings(&self, played: &GameInProgress) -> Vec<JournalLine> {
        let state = played.state();
        if !state.is_over() {
            return vec![];
        }
        let over = Over::from_state(state).ok().map(|over| JournalLine::Over { over });
        let entered = self.entered(state).and_then(Result::ok).filter(Match::is_over);
        let match_over = entered.map(|one| JournalLine::MatchOver {
            match_over: one.standings().iter().map(|standing| standing.total).collect(),
        });
        over.into_iter().chain(match_over).collect()
    }
}
