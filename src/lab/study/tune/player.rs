//! Who plays the games of a tuning for which no agents are named: the best player of the game as it is that needs little
//! time. One that learns is trained for every setting; the number of training games is one with which all trainings fit into
//! their share of the time.

use super::{GridPlace, TuneError, TunePlan, load_with, prepared, settings};
use houserule_base::interrupt::Interrupt;
use houserule_game::Game;
use houserule_players::agents::AgentKind;
use houserule_players::learned::{measure_speed, usual_tenth};
use houserule_playtest::{
    Contender, ContestPlan, QuickPlayer, answer_seconds, choose_player, meet_in, rounded,
};

/// Share of the time of the choice.
const CONTEST_SHARE: f64 = 0.06;

/// Games of a tuning for which a time suffices, and the share of the time that they may take.
const GAMES_IN_TIME: f64 = 10_000.0;
const GAMES_SHARE: f64 = 0.5;

/// Share of the time of all trainings, and their number of games without a time: in tenths of a usual training.
const TRAINING_SHARE: f64 = 0.4;
const TRAINING_TENTHS: u64 = 60;

/// Maximum number of settings that are counted on to be trained for: a search of a large grid plays about this number.
const TRAINED: u64 = 200;

/// Seconds in which the speed of trainings is measured with one setting.
const MEASURED: f64 = 0.1;

/// Least number of training games.
const FEWEST: u64 = 100;

/// Share of the time of the choice for the meeting of a shorter training with random players.
const MEETING_SHARE: f64 = 0.3;

/// Chooses the player, once everything else is checked.
pub(in crate::study) fn choose(
    plan: &TunePlan,
    seconds: Option<f64>,
    stop: &Interrupt,
) -> Result<QuickPlayer, TuneError> {
    let (base, _) = prepared(plan)?;
    let of_game =
        GAMES_SHARE * seconds.unwrap_or(answer_seconds(false)) * plan.threads.max(1) as f64 / GAMES_IN_TIME;
    let contest = ContestPlan {
        seed: plan.seed,
        threads: plan.threads,
        seconds: seconds.map(|seconds| CONTEST_SHARE * seconds),
        of_game,
    };
    let mut found = choose_player(&[&base.game], &contest, stop);
    if let AgentKind::Learned(Some(games)) = found.kind {
        let fitting = match seconds {
            Some(seconds) => fitting_games(plan, &base.game, games, TRAINING_SHARE * seconds, stop),
            // By work, the same on every machine.
            None => {
                let all = TRAINING_TENTHS.saturating_mul(usual_tenth(&base.game).unwrap_or(0));
                games.min(rounded(all as f64 / plan.settings().min(TRAINED) as f64))
            }
        };
        if fitting < games {
            found.kind = untrained(&found);
            let kind = AgentKind::Learned(Some(fitting));
            let limit = stop.within_time(contest.seconds);
            let meeting = contest.seconds.map(|seconds| MEETING_SHARE * seconds);
            if fitting >= FEWEST
                && let Some(met) = meet_in(&base.game, &kind, &AgentKind::Random, &contest, meeting, &limit)
            {
                let shorter = Contender::new(&kind, &met);
                let agent = found.kind.to_string();
                let other = found.contenders.iter().find(|one| one.agent == agent);
                if shorter.better.mean > other.map_or(0.0, |other| other.better.mean) {
                    found.kind = kind;
                }
                let better = |one: &Contender| one.better.mean >= shorter.better.mean;
                let at = found.contenders.iter().take_while(|one| better(one)).count();
                found.contenders.insert(at, shorter);
            }
        }
    }
    Ok(found)
}

/// Returns the best contender that isn't trained; random players if none is better.
fn untrained(found: &QuickPlayer) -> AgentKind {
    let better = found.contenders.iter().filter(|contender| contender.better.mean > 0.0);
    let mut kinds = better.filter_map(|contender| AgentKind::parse(&contender.agent).ok());
    kinds.find(|kind| !kind.trains()).unwrap_or(AgentKind::Random)
}

/// Returns the number of training games, at most `games`, with which the trainings for all settings take some seconds. Speed
/// is that of the slowest of the game as it is and of both ends of the grid.
fn fitting_games(plan: &TunePlan, base: &Game, games: u64, seconds: f64, stop: &Interrupt) -> u64 {
    let least: GridPlace = vec![0; plan.vary.len()];
    let most: GridPlace = plan.vary.iter().map(|choices| choices.values.len().saturating_sub(1)).collect();
    let ends = [least, most].map(|place| load_with(plan, &settings(plan, &place)).ok());
    let mut speeds = vec![];
    for game in [base].into_iter().chain(ends.iter().flatten().map(|end| &end.game)) {
        // A setting in which nobody decides needs no training.
        if let Ok(Ok(Some(speed))) = stop.scope(|| measure_speed(game, plan.threads, MEASURED)) {
            speeds.push(speed);
        }
    }
    let each = seconds / plan.settings().min(TRAINED) as f64;
    match speeds.iter().map(|speed| speed.count_games(each)).reduce(f64::min) {
        Some(fitting) if fitting < games as f64 => rounded(fitting),
        Some(_) => games,
        None => 0,
    }
}
