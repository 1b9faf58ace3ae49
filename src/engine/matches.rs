//! Matches: several games in a row by the `match` rules, with totals, starters and records.
//!
//! A seat belongs to a person for the whole match; what moves on is who starts. Knows how games are
//! started and what they end with, never how they are played.

use super::explain::evaluate;
use super::snapshot::{Reader, Snapshot, SnapshotError, Writer};
use super::{Game, Outcome, Player, RuntimeError, Start, State};
use crate::lang::model::{Builtin, MatchLength, MatchRecord, MatchRules, MatchStarter, MatchTotal, Value};

/// Most games of a match whose rules give no number.
pub const MOST_GAMES: u64 = 10_000;

/// What a person has after some games of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The points in the match.
    pub total: i64,
    /// What is kept of single games, if the rules keep it and a game has been played.
    pub record: Option<i64>,
}

/// How many games a match has at the most.
fn most_games(rules: &MatchRules) -> u64 {
    match rules.length {
        MatchLength::Games(games) => games.into(),
        MatchLength::Until(_) => MOST_GAMES,
    }
}

/// What the games of a match come to: `games[p]` holds the scores of person *p*, in the order of
/// play.
pub fn match_totals(rules: &MatchRules, games: &[Vec<i64>]) -> Vec<Standing> {
    games
        .iter()
        .map(|scores| {
            let record = match rules.record {
                Some(MatchRecord::Max) => scores.iter().max().copied(),
                Some(MatchRecord::Min) => scores.iter().min().copied(),
                None => None,
            };
            Standing { total: total(rules, scores), record }
        })
        .collect()
}

fn total(rules: &MatchRules, scores: &[i64]) -> i64 {
    let at_least = |points: i64| rules.floor.map_or(points, |floor| points.max(floor));
    let kept = |count: u32, best: bool| {
        let mut sorted = scores.to_vec();
        sorted.sort_unstable_by(|a, b| if best { b.cmp(a) } else { a.cmp(b) });
        let kept = sorted.iter().take(count as usize);
        at_least(kept.fold(0i64, |sum, score| sum.saturating_add(*score)))
    };
    match rules.total {
        // The floor holds after every game, not only at the end.
        MatchTotal::Sum => scores.iter().fold(at_least(0), |sum, score| at_least(sum.saturating_add(*score))),
        MatchTotal::Best(count) => kept(count, true),
        MatchTotal::Worst(count) => kept(count, false),
    }
}

/// Who starts the game after one that `starter` started and that these won.
pub fn next_starter(rules: &MatchRules, starter: Player, winners: &[bool]) -> Player {
    let seats = winners.len() as u32;
    let won = winners.iter().filter(|won| **won).count();
    let drawn = won == 0 || won == winners.len();
    let seat_after = |steps: u32| Player((starter.0 + steps) % seats.max(1));
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
    starter: Player,
    scores: Vec<Vec<i64>>,
    played: u64,
    over: bool,
    /// The last game: what lives as long as the match goes over to the next one.
    previous: Option<State>,
}

impl Match {
    /// Match `number` of a run with this seed; none if the rules say nothing of matches. Game *i*
    /// of match *n* is game *n* × (games of a match) + *i* of the run.
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
            starter: Player(0),
            played: 0,
            previous: None,
        })
    }

    /// Is it over?
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// How many games have been played.
    pub fn played(&self) -> u64 {
        self.played
    }

    /// How the next game begins.
    pub fn next_start(&self) -> Start {
        Start {
            seed: self.seed,
            index: self.first_index.wrapping_add(self.played),
            starter: self.starter.0,
            game_number: self.played as i64 + 1,
            totals: self.standings().iter().map(|standing| standing.total).collect(),
            explicit_chance: false,
        }
    }

    /// The number of the match that has a game of a run in it; none if the rules say nothing of matches.
    pub fn number_of(game: &Game, index: u64) -> Option<u64> {
        index.checked_div(most_games(game.model().match_rules.as_ref()?))
    }

    /// The game before the next one.
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

    /// Notes who begins a game whose set-up is done: the set-up may say so.
    pub fn begun(&mut self, state: &State) {
        let told = Builtin::Starter.slot();
        if let (true, Value::Element(Some(player))) = (state.keeps(told), state.value(told, 0)) {
            self.starter = Player(player);
        }
    }

    /// What everybody has so far.
    pub fn standings(&self) -> Vec<Standing> {
        match_totals(&self.rules, &self.scores)
    }

    /// The scores of the games so far, by person.
    pub fn scores(&self) -> &[Vec<i64>] {
        &self.scores
    }

    /// Enters the game that was started last, now over.
    pub fn enter(&mut self, finished: &State) -> Result<(), RuntimeError> {
        let scores = finished.score_of_each()?;
        let winners = finished.outcome().map_or_else(Vec::new, |Outcome { winners, .. }| winners);
        self.enter_scores(&scores, self.starter, &winners);
        self.previous = Some(finished.clone());
        if let MatchLength::Until(until) = self.rules.length.clone()
            && !self.over
        {
            let mut last = finished.clone();
            for (person, standing) in self.standings().into_iter().enumerate() {
                last.set_value(Builtin::Total.slot(), person, &Value::Number(standing.total));
            }
            self.over = evaluate(&last, &until, self.starter)? == Value::Bool(true);
        }
        Ok(())
    }

    /// Enters the scores of a game, who really started it, and who won. Sees only the number of
    /// games, not an `until`.
    pub fn enter_scores(&mut self, scores: &[i64], starter: Player, winners: &[bool]) {
        for (games, score) in self.scores.iter_mut().zip(scores) {
            games.push(*score);
        }
        self.starter = next_starter(&self.rules, starter, winners);
        self.played += 1;
        self.over = self.played >= most_games(&self.rules);
    }

    /// Saves it, the game at hand excepted.
    pub(crate) fn write(&self, out: &mut Writer) {
        out.words(&[self.seed, self.first_index, self.starter.0.into(), self.played, self.over.into()]);
        self.scores.iter().for_each(|scores| out.list(scores.iter().map(|score| *score as u64)));
        out.bytes(&self.previous.as_ref().map_or_else(Vec::new, |state| state.snapshot().to_bytes()));
    }

    /// The match that [`Match::write`] saved.
    pub(crate) fn read(game: &Game, from: &mut Reader<'_>) -> Result<Match, SnapshotError> {
        let mut read = Match::new(game, from.word()?, 0).ok_or(SnapshotError::OtherGame)?;
        read.first_index = from.word()?;
        read.starter = Player(from.small()?);
        if read.starter.0 >= game.players() {
            return Err(SnapshotError::Damaged);
        }
        (read.played, read.over) = (from.word()?, from.word()? != 0);
        for scores in &mut read.scores {
            *scores = from.list()?.into_iter().map(|score| score as i64).collect();
        }
        let previous = from.bytes()?;
        if !previous.is_empty() {
            read.previous = Some(game.restore(&Snapshot::from_bytes(&previous)?)?);
        }
        Ok(read)
    }

    /// Who has won so far: everybody with the greatest total.
    pub fn leaders(&self) -> Vec<bool> {
        let totals: Vec<i64> = self.standings().iter().map(|standing| standing.total).collect();
        let most = totals.iter().max().copied().unwrap_or(0);
        totals.iter().map(|total| *total == most).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{FileId, Span};

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
        let rules = rules(MatchTotal::Best(12), None, MatchStarter::Same);
        let standing = &match_totals(&rules, &[(1..=16).collect()])[0];
        assert_eq!(*standing, Standing { total: 126, record: Some(16) });
    }

    #[test]
    fn totals_never_fall_below_the_floor() {
        let rules = rules(MatchTotal::Sum, Some(0), MatchStarter::Loser);
        // 4:−1, then −1:1, then 0:1.
        let standings = match_totals(&rules, &[vec![4, -1, 0], vec![-1, 1, 1]]);
        assert_eq!(standings.iter().map(|s| s.total).collect::<Vec<_>>(), [3, 2]);
    }

    #[test]
    fn the_worst_and_too_few_games() {
        let worst = rules(MatchTotal::Worst(2), None, MatchStarter::Same);
        assert_eq!(match_totals(&worst, &[vec![5, 1, 3]])[0].total, 4);
        assert_eq!(match_totals(&worst, &[vec![5]])[0].total, 5);
        assert_eq!(match_totals(&worst, &[vec![]])[0], Standing { total: 0, record: None });
    }

    #[test]
    fn who_starts_next() {
        let next = |rule, starter, winners: &[bool]| {
            next_starter(&rules(MatchTotal::Sum, None, rule), Player(starter), winners).0
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
