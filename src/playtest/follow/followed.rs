//! Games of one player that were followed, with what was expected at their moments.

use super::odds::{Calibration, Expectations, check, courses, exact_courses};
use super::track::Tracks;
use houserule_base::interrupt;
use houserule_game::{Game, Seat};
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

/// The most games that are checked even if the time is over.
const SOON_CHECKED: usize = 1_000;

impl FollowedGames {
    /// Computes the expectations of games from the values with which they were followed: exact ones, or those that the
    /// player has learned. If the work is ended meanwhile, expectations of many games are not checked.
    pub fn new(game: &Game, kind: &AgentKind, tracks: Tracks, is_exact: bool) -> FollowedGames {
        let (alone, direction) = (game.players() == 1, game.model().score_direction);
        let worth = |result| if alone { direction.worth(result) } else { result };
        let courses = match kind {
            _ if is_exact => exact_courses(&tracks.games),
            AgentKind::Learned(_) | AgentKind::Player(_) => {
                let sides: Vec<u32> =
                    (0..game.players()).map(|seat| game.model().side_of(Seat(seat))).collect();
                courses(&tracks.games, &sides, &worth).unwrap_or_default()
            }
            _ => vec![],
        };
        // Few games, as of a run that was ended early, take no time worth ending.
        let calibration = match courses.len() <= SOON_CHECKED {
            true => interrupt::not_within(|| check(&courses)),
            false => interrupt::catch(|| check(&courses)).ok().flatten(),
        };
        FollowedGames { tracks, courses, calibration }
    }

    /// Returns `true` if figures may be computed from expectations that are not exact.
    pub fn holds(&self) -> bool {
        self.calibration.as_ref().is_some_and(|calibration| !calibration.is_constant() && calibration.holds())
    }
}
