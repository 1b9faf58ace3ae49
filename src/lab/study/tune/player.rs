//! Who plays the games of a tuning for which no agents are named: the best player of the game as it is that needs little
//! time and no training.

use super::{TuneError, TunePlan, prepared};
use houserule_base::interrupt::Interrupt;
use houserule_players::agents::AgentKind;
use houserule_playtest::{ContestPlan, QuickPlayer, choose_player};

/// Seconds of the choice without a time, and its share of a time.
const CONTEST_SECONDS: f64 = 4.0;
const CONTEST_SHARE: f64 = 0.06;

/// CPU seconds of a game of the chosen player without a time.
const GAME_SECONDS: f64 = 0.005;

/// Games of a tuning for which a time suffices, and the share of the time that they may take.
const GAMES_IN_TIME: f64 = 10_000.0;
const GAMES_SHARE: f64 = 0.5;

/// Chooses the player, once everything else is checked. Its agent may be one that is trained, which [`untrained`] passes
/// over.
pub(in crate::study) fn choose(
    plan: &TunePlan,
    seconds: Option<f64>,
    stop: &Interrupt,
) -> Result<QuickPlayer, TuneError> {
    let (base, _) = prepared(plan)?;
    let of_game = match seconds {
        Some(seconds) => GAMES_SHARE * seconds * plan.threads.max(1) as f64 / GAMES_IN_TIME,
        None => GAME_SECONDS,
    };
    let contest = ContestPlan {
        seed: plan.seed,
        threads: plan.threads,
        seconds: seconds.map_or(CONTEST_SECONDS, |seconds| CONTEST_SHARE * seconds),
        of_game,
    };
    let mut found = choose_player(&[&base.game], &contest, stop);
    found.kind = untrained(&found);
    Ok(found)
}

/// Returns the best that plays every setting alike: a player that learns would have to be trained for each, which takes
/// longer than its games.
fn untrained(found: &QuickPlayer) -> AgentKind {
    let better = found.contenders.iter().filter(|contender| contender.better.mean > 0.0);
    let mut kinds = better.filter_map(|contender| AgentKind::parse(&contender.agent).ok());
    kinds.find(|kind| !kind.trains()).unwrap_or(AgentKind::Random)
}
