//! Games of one player that were followed, with what was expected at their moments.

use super::odds::{Calibration, Expectations, check, courses, exact_courses};
use super::track::Tracks;
use houserule_game::Game;
use houserule_players::agents::AgentKind;

/// Games that one player played in all seats.
pub struct FollowedGames {
    /// The games, event by event.
    pub tracks: Tracks,
    /// What was expected at their moments; empty without values, or for too few games.
    pub courses: Vec<Expectations>,
    /// How well that agrees with what happened.
    pub calibration: Option<Calibration>,
}

impl FollowedGames {
    /// Computes the expectations of games from the values with which they were followed: exact ones, or those that the
    /// player has learned.
    pub fn new(game: &Game, kind: &AgentKind, tracks: Tracks, is_exact: bool) -> FollowedGames {
        let (alone, direction) = (game.players() == 1, game.model().score_direction);
        let worth = |result| if alone { direction.worth(result) } else { result };
        let courses = match kind {
            _ if is_exact => exact_courses(&tracks.games),
            AgentKind::Learned(_) | AgentKind::Player(_) => {
                courses(&tracks.games, &worth).unwrap_or_default()
            }
            _ => vec![],
        };
        let calibration = check(&courses);
        FollowedGames { tracks, courses, calibration }
    }

    /// Returns `true` if figures may be computed from expectations that are not exact.
    pub fn holds(&self) -> bool {
        self.calibration.as_ref().is_some_and(|calibration| !calibration.is_constant() && calibration.holds())
    }
}
