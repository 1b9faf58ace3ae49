//! Rewards: by score, by outcome or by payoff, in a game or in a match.

use super::EpisodeEnd;
use super::chunk::{Chunk, EnvPhase, StepResult};
use houserule_game::Seat;
use houserule_game::many::ActionResult;
use houserule_game::matches::{Match, match_totals};

impl Chunk {
    /// Ends an episode and returns the result of its last step.
    #[inline(always)]
    pub(super) fn finish(&mut self, e: usize, seats: &mut [f64], came: ActionResult) -> StepResult {
        self.metas[e].phase = EnvPhase::Over;
        let ended = self.metas[e].ended;
        self.metas[e].end = self.many.end(e);
        let reward = match (self.kind.rewards_score, ended) {
            (true, _) => self.gained(e, seats, came),
            (false, EpisodeEnd::Over) => self.returned(e, seats, came),
            (false, _) => 0.0,
        };
        StepResult { reward, terminated: ended.is_terminated(), truncated: ended.is_truncated() }
    }

    /// How much the score has improved since the last step. In self-play, writes that of every seat to `seats`.
    #[inline(always)]
    pub(super) fn gained(&mut self, e: usize, seats: &mut [f64], came: ActionResult) -> f64 {
        if came == ActionResult::Unchanged {
            let gained = self.gain(0, 0);
            seats.fill(gained);
            return gained;
        }
        // If the scores can't be computed, the game was aborted for that error.
        if came != ActionResult::Scored && self.many.compute_scores(e).is_err() {
            return 0.0;
        }
        let own = self.metas[e].seat;
        if !self.kind.self_play() {
            let score = self.score(e, Seat(own));
            let before = std::mem::replace(&mut self.metas[e].score, score);
            return self.gain(before, score);
        }
        let (mut reward, players) = (0.0, self.kind.players);
        for seat in 0..players {
            let score = self.score(e, Seat(seat as u32));
            let before = std::mem::replace(&mut self.scores[e * players + seat], score);
            let gained = self.gain(before, score);
            if let Some(to) = seats.get_mut(seat) {
                *to = gained;
            }
            if seat == own as usize {
                reward = gained;
            }
        }
        reward
    }

    /// The score of a player; in a match the total as if the current game ended now.
    #[inline(always)]
    pub(super) fn score(&self, e: usize, seat: Seat) -> i64 {
        match self.matches.get(e) {
            None => self.many.score(e, seat.0),
            Some(play) => self.match_score(play.as_ref(), e, seat.0),
        }
    }

    #[inline(never)]
    fn match_score(&self, play: Option<&Match>, e: usize, player: u32) -> i64 {
        let (Some(play), Some(rules)) = (play, &self.kind.game.model().match_rules) else { return 0 };
        let mut scores = play.scores()[player as usize].clone();
        if !play.is_over() {
            scores.push(self.many.score(e, player));
        }
        // A total that overflows aborts the match.
        let totals = match_totals(rules, &[scores]).unwrap_or_default();
        totals.first().map_or(0, |standing| standing.total)
    }

    /// The reward for a change of the score.
    #[inline(always)]
    fn gain(&self, before: i64, score: i64) -> f64 {
        // Converting 128-bit numbers to floats takes a call.
        let change = match score.checked_sub(before) {
            Some(change) => change as f64,
            None => (i128::from(score) - i128::from(before)) as f64,
        };
        self.kind.game.model().score_direction.worth(change)
    }

    /// The returns of a finished game or match.
    #[inline(always)]
    fn returned(&mut self, e: usize, seats: &mut [f64], came: ActionResult) -> f64 {
        let winners = match self.matches.get(e) {
            None if came != ActionResult::Scored && self.many.compute_scores(e).is_err() => return 0.0,
            None if self.kind.rewards_payoff => {
                (0..).zip(seats).for_each(|(seat, to)| *to = self.many.returned(e, seat));
                return self.many.returned(e, self.metas[e].seat);
            }
            None => self.many.winners(e),
            Some(play) => {
                let leaders = play.as_ref().map(|play| play.leaders()).unwrap_or_default();
                leaders.iter().enumerate().fold(0, |set, (seat, leads)| set | u32::from(*leads) << seat)
            }
        };
        let shares = self.kind.shares[winners.count_ones() as usize];
        for (seat, to) in seats.iter_mut().enumerate() {
            *to = shares[(winners >> seat & 1) as usize];
        }
        shares[(winners >> self.metas[e].seat & 1) as usize]
    }
}
