//! Matches: several games in a row by the `match` rules, with totals, starters and records.
//!
//! A seat belongs to one person for the whole match; only the starter changes. Depends on how games start and
//! end; independent of how they are played.

use crate::explain::evaluate_in;
use crate::game_words::{value_in, write_value};
use crate::snapshot::{ByteReader, ByteWriter, Snapshot, SnapshotError};
use crate::{Game, Outcome, RuntimeError, RuntimeErrorKind, Seat, Start, State};
use houserule_model::{Builtin, MatchLength, MatchRecord, MatchRules, MatchStarter, MatchTotal, Value};

/// Maximum number of games of a match whose rules give none.
pub const MOST_GAMES: u64 = 10_000;

/// The standing of a person after some games of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The points in the match.
    pub total: i64,
    /// The highest or lowest score of a single game, if the rules keep it and a game has been played.
    pub record: Option<i64>,
}

/// Returns the maximum number of games of a match.
fn most_games(rules: &MatchRules) -> u64 {
    match rules.length {
        MatchLength::Games(games) => games.into(),
        MatchLength::Until(_) => MOST_GAMES,
    }
}

/// Returns the standings of a match: `games[p]` holds the scores of person *p*, in the order of play. Returns
/// an error if a total does not fit in 64 bits.
pub fn match_totals(rules: &MatchRules, games: &[Vec<i64>]) -> Result<Vec<Standing>, RuntimeError> {
    let standing = |scores: &Vec<i64>| {
        let record = match rules.record {
            Some(MatchRecord::Max) => scores.iter().max().copied(),
            Some(MatchRecord::Min) => scores.iter().min().copied(),
            None => None,
        };
        let total = i64::try_from(total(rules, scores));
        let total =
            total.map_err(|_| RuntimeError { span: rules.span, kind: RuntimeErrorKind::TotalOverflow })?;
        Ok(Standing { total, record })
    };
    games.iter().map(standing).collect()
}

fn total(rules: &MatchRules, scores: &[i64]) -> i128 {
    let at_least = |points: i128| rules.floor.map_or(points, |floor| points.max(floor.into()));
    let kept = |count: u32, high: bool| {
        let mut sorted = scores.to_vec();
        sorted.sort_unstable_by(|a, b| if high { b.cmp(a) } else { a.cmp(b) });
        at_least(sorted.iter().take(count as usize).map(|score| i128::from(*score)).sum())
    };
    match rules.total {
        // The floor holds after every game, not only at the end.
        MatchTotal::Sum => scores.iter().fold(at_least(0), |sum, score| at_least(sum + i128::from(*score))),
        MatchTotal::Highest(count) => kept(count, true),
        MatchTotal::Lowest(count) => kept(count, false),
    }
}

/// Returns who starts the next game. `starter` started the last one; `winners` won it.
pub fn next_starter(rules: &MatchRules, starter: Seat, winners: &[bool]) -> Seat {
    let seats = winners.len() as u32;
    let won = winners.iter().filter(|won| **won).count();
    let drawn = won == 0 || won == winners.len();
    let seat_after = |steps: u32| Seat((starter.0 + steps) % seats.max(1));
    let first = |from: u32, wanted: bool| {
        (from..from + seats)
            .map(seat_after)
            .find(|seat| winners[seat.0 as usize] == wanted)
            .unwrap_or(starter)
    };
    match if drawn { rules.on_draw } else { rules.starter } {
        MatchStarter::Same => starter,
        MatchStarter::Next => seat_after(1),
        MatchStarter::Loser | MatchStarter::Winner if drawn => starter,
        MatchStarter::Loser => first(1, false),
        MatchStarter::Winner => first(0, true),
    }
}

/// A match under way.
#[derive(Clone, Debug)]
pub struct Match {
    game: Game,
    rules: MatchRules,
    seed: u64,
    first_index: u64,
    starter: Seat,
    scores: Vec<Vec<i64>>,
    /// The number of finished games.
    pub played: u64,
    over: bool,
    /// The last game: its match-long values are passed to the next one.
    previous: Option<State>,
}

impl Match {
    /// Creates match `number` of a run with this seed, or returns `None` if the rules have no `match`. Game
    /// *i* of match *n* is game *n* × (games of a match) + *i* of the run.
    pub fn new(game: &Game, seed: u64, number: u64) -> Option<Match> {
        let rules = game.model().match_rules.clone()?;
        let games = most_games(&rules);
        Some(Match {
            scores: vec![Vec::new(); game.players() as usize],
            over: games == 0,
            first_index: number.wrapping_mul(games),
            game: game.clone(),
            rules,
            seed,
            starter: Seat(0),
            played: 0,
            previous: None,
        })
    }

    /// Returns `true` if the match is over.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Returns the number of games played.
    pub fn played(&self) -> u64 {
        self.played
    }

    /// Returns how the next game starts.
    pub fn next_start(&self) -> Start {
        Start {
            seed: self.seed,
            index: self.first_index.wrapping_add(self.played),
            starter: self.starter,
            game_number: self.played as i64 + 1,
            totals: self.standings().iter().map(|standing| standing.total).collect(),
            explicit_chance: false,
        }
    }

    /// Returns the number of the match with game `index` of a run, or `None` if the rules have no `match`.
    pub fn number_of(game: &Game, index: u64) -> Option<u64> {
        index.checked_div(most_games(game.model().match_rules.as_ref()?))
    }

    /// Returns the last game that [`Match::enter`] entered.
    pub fn previous(&self) -> Option<&State> {
        self.previous.as_ref()
    }

    /// Starts the next game, with chance sampled.
    pub fn start(&mut self) -> Result<State, RuntimeError> {
        let start = self.next_start();
        let state = match &self.previous {
            Some(previous) => self.game.start_after(previous, &start)?,
            None => self.game.start_at(&start)?,
        };
        self.begun(&state);
        Ok(state)
    }

    /// Notes who starts a game after its setup, which may decide that.
    pub fn begun(&mut self, state: &State) {
        self.note_starter(state.words());
    }

    /// Notes who started the game with these words.
    pub(crate) fn note_starter(&mut self, words: &[u64]) {
        let told = Builtin::Starter.slot();
        if let (true, Value::Element(Some(player))) =
            (self.game.keeps(told), value_in(&self.game, words, told, 0))
        {
            self.starter = Seat(player);
        }
    }

    /// Returns the standings so far.
    pub fn standings(&self) -> Vec<Standing> {
        // Scores are entered only if the totals fit.
        match_totals(&self.rules, &self.scores).unwrap_or_default()
    }

    /// Returns the scores of the games so far, by person.
    pub fn scores(&self) -> &[Vec<i64>] {
        &self.scores
    }

    /// Enters the game that was started last and is now over.
    pub fn enter(&mut self, finished: &State) -> Result<(), RuntimeError> {
        let scores = finished.score_of_each()?;
        let winners = finished.outcome().map_or_else(Vec::new, |Outcome { winners, .. }| winners);
        self.enter_scores(&scores, self.starter, &winners)?;
        self.previous = Some(finished.clone());
        self.end_if_due(finished.words())
    }

    /// Enters a game that was played elsewhere, by its words at the end. The next game can't be started from here.
    pub(crate) fn enter_words(
        &mut self,
        words: &[u64],
        scores: &[i64],
        winners: &[bool],
    ) -> Result<(), RuntimeError> {
        self.enter_scores(scores, self.starter, winners)?;
        self.end_if_due(words)
    }

    /// Ends the match if its `until` holds after the game with these words.
    fn end_if_due(&mut self, words: &[u64]) -> Result<(), RuntimeError> {
        if let (MatchLength::Until(until), false) = (&self.rules.length, self.over) {
            let mut last = words.to_vec();
            for (person, standing) in self.standings().into_iter().enumerate() {
                let total = Value::Number(standing.total);
                write_value(&self.game, &mut last, Builtin::Total.slot(), person, &total);
            }
            self.over = evaluate_in(&self.game, &last, until, self.starter)? == Value::Bool(true);
        }
        Ok(())
    }

    /// Enters the scores of a game, its actual starter and its winners. Ends the match only by the number of
    /// games, not by an `until`.
    pub fn enter_scores(
        &mut self,
        scores: &[i64],
        starter: Seat,
        winners: &[bool],
    ) -> Result<(), RuntimeError> {
        let mut entered = self.scores.clone();
        for (games, score) in entered.iter_mut().zip(scores) {
            games.push(*score);
        }
        match_totals(&self.rules, &entered)?;
        self.scores = entered;
        self.starter = next_starter(&self.rules, starter, winners);
        self.played += 1;
        self.over = self.played >= most_games(&self.rules);
        Ok(())
    }

    /// Saves the match without the game under way.
    pub fn write(&self, out: &mut ByteWriter) {
        out.words(&[self.seed, self.first_index, self.starter.0.into(), self.played, self.over.into()]);
        self.scores.iter().for_each(|scores| out.list(scores.iter().map(|score| *score as u64)));
        out.bytes(&self.previous.as_ref().map_or_else(Vec::new, |state| state.snapshot().to_bytes()));
    }

    /// Reads the match that [`Match::write`] saved.
    pub fn read(game: &Game, from: &mut ByteReader<'_>) -> Result<Match, SnapshotError> {
        let mut read = Match::new(game, from.word()?, 0).ok_or(SnapshotError::OtherGame)?;
        read.first_index = from.word()?;
        read.starter = Seat(from.small()?);
        if read.starter.0 >= game.players() {
            return Err(SnapshotError::Damaged);
        }
        (read.played, read.over) = (from.word()?, from.word()? != 0);
        for scores in &mut read.scores {
            *scores = from.list()?.into_iter().map(|score| score as i64).collect();
        }
        let (most, fixed) = (most_games(&read.rules), matches!(read.rules.length, MatchLength::Games(_)));
        let fits = read.played <= most
            && (read.over || read.played < most)
            && (!read.over || !fixed || read.played == most)
            && read.scores.iter().all(|scores| scores.len() as u64 == read.played)
            && match_totals(&read.rules, &read.scores).is_ok();
        if !fits {
            return Err(SnapshotError::Damaged);
        }
        let previous = from.bytes()?;
        if !previous.is_empty() {
            read.previous = Some(game.restore(&Snapshot::from_bytes(&previous)?)?);
        }
        Ok(read)
    }

    /// Returns who leads the match: everybody with the best total, or whose team has the best sum of totals.
    pub fn leaders(&self) -> Vec<bool> {
        let model = self.game.model();
        let own: Vec<i64> = self.standings().iter().map(|standing| standing.total).collect();
        let of_team = |player: u32| {
            let team = model.team_of(Seat(player));
            team.iter().fold(0i64, |sum, member| sum.saturating_add(own[member as usize]))
        };
        let totals: Vec<i64> = (0..model.players.count).map(of_team).collect();
        let best = model.score_direction.best(totals.iter().copied());
        totals.iter().map(|total| Some(*total) == best).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_language::diagnostic::{FileId, Span};

    fn rules(total: MatchTotal, floor: Option<i64>, starter: MatchStarter) -> MatchRules {
        MatchRules {
            length: MatchLength::Games(16),
            total,
            floor,
            starter,
            on_draw: MatchStarter::Same,
            record: Some(MatchRecord::Max),
            span: Span::new(FileId(0), 0, 0),
        }
    }

    #[test]
    fn the_best_twelve_of_sixteen() {
        let rules = rules(MatchTotal::Highest(12), None, MatchStarter::Same);
        let standing = &match_totals(&rules, &[(1..=16).collect()]).expect("it fits")[0];
        assert_eq!(*standing, Standing { total: 126, record: Some(16) });
    }

    #[test]
    fn totals_never_fall_below_the_floor() {
        let rules = rules(MatchTotal::Sum, Some(0), MatchStarter::Loser);
        // 4:−1, then −1:1, then 0:1.
        let standings = match_totals(&rules, &[vec![4, -1, 0], vec![-1, 1, 1]]).expect("they fit");
        assert_eq!(standings.iter().map(|s| s.total).collect::<Vec<_>>(), [3, 2]);
    }

    #[test]
    fn the_worst_and_too_few_games() {
        let worst = rules(MatchTotal::Lowest(2), None, MatchStarter::Same);
        let standing = |scores: Vec<i64>| match_totals(&worst, &[scores]).expect("it fits").remove(0);
        assert_eq!(standing(vec![5, 1, 3]).total, 4);
        assert_eq!(standing(vec![5]).total, 5);
        assert_eq!(standing(vec![]), Standing { total: 0, record: None });
    }

    #[test]
    fn a_total_is_exact_or_an_error() {
        let sum = rules(MatchTotal::Sum, None, MatchStarter::Same);
        let total = |scores: &[i64]| match_totals(&sum, &[scores.to_vec()]).map(|all| all[0].total);
        assert_eq!(total(&[i64::MAX, 1, -1]), Ok(i64::MAX));
        assert_eq!(total(&[i64::MAX, 1]).map_err(|e| e.kind), Err(RuntimeErrorKind::TotalOverflow));
        assert_eq!(total(&[i64::MIN, -1]).map_err(|e| e.kind), Err(RuntimeErrorKind::TotalOverflow));
    }

    #[test]
    fn who_starts_next() {
        let next = |rule, starter, winners: &[bool]| {
            next_starter(&rules(MatchTotal::Sum, None, rule), Seat(starter), winners).0
        };
        assert_eq!(next(MatchStarter::Loser, 0, &[true, false]), 1);
        assert_eq!(next(MatchStarter::Loser, 1, &[true, false]), 1);
        assert_eq!(next(MatchStarter::Loser, 0, &[true, true]), 0, "a draw: the same");
        assert_eq!(next(MatchStarter::Loser, 1, &[false, false]), 1, "nobody won: the same");
        assert_eq!(next(MatchStarter::Loser, 2, &[false, true, false]), 0, "the first after the starter");
        assert_eq!(next(MatchStarter::Winner, 2, &[true, true, false]), 0, "the first from the starter");
        assert_eq!(next(MatchStarter::Winner, 1, &[true, true, false]), 1);
        assert_eq!(next(MatchStarter::Next, 1, &[true, false]), 0);
        assert_eq!(next(MatchStarter::Same, 1, &[true, false]), 1);
    }
}
