//! Restricted play: a player against the same player, where one seat has to do without an option.
//!
//! Both games of a pair have the same seed and index. Depends on agents that can be restricted, and on paired sums.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use houserule_base::interrupt::{self, Interrupt};
use houserule_base::statistics::paired::Paired;
use houserule_base::statistics::paired::variance_between;
use houserule_game::{ActionId, Game, RuntimeError, Seat, State};
use houserule_model::side_in_words;
use houserule_players::agents::{Agent, Barred};
use houserule_playtest::play_watched;
use houserule_playtest::relative;
use houserule_playtest::{Mean, Quantity};
use houserule_playtest::{MetricKind, PAYOFF, SCORE, SUCCESS, Subject, WIN, WINS};

/// How some games turned out: for each game the results of its seats, or `None` for an aborted game.
pub(super) type Played = Vec<Option<Vec<i64>>>;

/// What restricted play found, and its number of games.
pub(super) struct RestrictedPlay {
    pub(super) games: u64,
    pub(super) quantities: Vec<Quantity>,
}

/// How an option was used in some games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct BarredUse {
    /// It was possible.
    possible: bool,
    /// It was possible beside another option.
    beside_others: bool,
    /// It was taken where another option was possible.
    taken: bool,
}

impl BarredUse {
    /// Says why nothing changes for a seat that must not use the option. `has_matches` tells whether the rules have matches, of
    /// which these games are first ones.
    pub(super) fn sentence(self, has_matches: bool) -> &'static str {
        match self {
            BarredUse { possible: false, .. } if has_matches => {
                "the games are the same, because it is never possible in the first game of a match."
            }
            BarredUse { possible: false, .. } => "the games are the same, because it is never possible.",
            BarredUse { beside_others: false, .. } => {
                "the games are the same, because no other option is ever possible beside it."
            }
            BarredUse { taken: false, .. } => {
                "the games are the same, because it is never taken where something else is possible."
            }
            _ => "the results are the same in all games.",
        }
    }
}

/// Games to be played on some threads.
pub(super) struct RestrictedGames<'g> {
    pub(super) game: &'g Game,
    pub(super) seed: u64,
    pub(super) threads: usize,
    pub(super) stop: &'g Interrupt,
}

impl RestrictedGames<'_> {
    /// Plays games of these indices. The result of a seat is its payoff if the game has payoffs, its score in a
    /// one-player game, else its share of the win in units of 1/[`WIN`]. Returns `None` if the run was stopped.
    pub(super) fn play(&self, agents: &[Box<dyn Agent>], games: Range<u64>) -> Option<Played> {
        let next = AtomicU64::new(games.start);
        let work = |mut agents: Vec<Box<dyn Agent>>| {
            let mut played = vec![];
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= games.end || self.stop.is_set() {
                    return played;
                }
                let one = self.stop.scope(|| self.play_one(&mut agents, index));
                let Ok(one) = one else { return played };
                played.push((index, one.ok()));
            }
        };
        let copies = || agents.iter().map(|agent| agent.copy()).collect::<Vec<_>>();
        let here = interrupt::current();
        let mut all = std::thread::scope(|scope| {
            let (work, here) = (&work, &here);
            let others: Vec<_> = (1..self.threads)
                .map(|_| {
                    let agents = copies();
                    scope.spawn(move || here.scope(|| work(agents)))
                })
                .collect();
            let mut all = work(copies());
            for other in others {
                match other.join() {
                    Ok(played) => all.extend(played.into_iter().flatten()),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            all
        });
        interrupt::check();
        all.sort_by_key(|(index, _)| *index);
        (all.len() as u64 == games.end - games.start).then(|| all.into_iter().map(|(_, one)| one).collect())
    }

    /// Looks how agents use an option in games of these indices. Returns `None` if the run was stopped.
    pub(super) fn use_of(
        &self,
        agents: &[Box<dyn Agent>],
        option: &Barred,
        games: Range<u64>,
    ) -> Option<BarredUse> {
        let mut agents: Vec<Box<dyn Agent>> = agents.iter().map(|agent| agent.copy()).collect();
        let mut found = BarredUse::default();
        for index in games {
            let mut see = |state: &State, _: Seat, action: ActionId| {
                let legal = state.legal_actions();
                if !legal.iter().any(|action| option.has(action.0)) {
                    return;
                }
                found.possible = true;
                if legal.iter().any(|action| !option.has(action.0)) {
                    found.beside_others = true;
                    found.taken |= option.has(action.0);
                }
            };
            let played = self.stop.scope(|| {
                let mut state = self.game.start(self.seed, index)?;
                play_watched(&mut state, &mut agents, self.seed, index, &mut see)
            });
            if played.is_err() {
                return None;
            }
            if found.taken {
                break;
            }
        }
        Some(found)
    }

    fn play_one(&self, agents: &mut [Box<dyn Agent>], index: u64) -> Result<Vec<i64>, RuntimeError> {
        let mut state = self.game.start(self.seed, index)?;
        play_watched(&mut state, agents, self.seed, index, &mut |_, _, _| {})?;
        let outcome = state.outcome();
        if let Some(payoffs) = outcome.as_ref().and_then(|outcome| outcome.payoffs.clone()) {
            return Ok(payoffs);
        }
        if self.game.players() == 1 {
            return Ok(vec![state.score(Seat(0))?]);
        }
        let shares = outcome.map_or_else(Vec::new, |outcome| outcome.win_shares(self.game.model().sides()));
        Ok(shares.into_iter().map(|share| (share * WIN as f64).round() as i64).collect())
    }
}

/// Returns the agents with one seat restricted, or `None` if its agent can't be.
pub(super) fn with_restricted(
    agents: &[Box<dyn Agent>],
    seat: usize,
    barred: &Barred,
) -> Option<Vec<Box<dyn Agent>>> {
    let restricted = agents.get(seat)?.restricted(barred)?;
    let mut agents: Vec<Box<dyn Agent>> = agents.iter().map(|agent| agent.copy()).collect();
    agents[seat] = restricted;
    Some(agents)
}

/// The results of one training: those of games in which no seat was restricted, and for each seat those of the same
/// games in which it was.
pub(super) struct Part<'p> {
    pub(super) free: &'p [Option<Vec<i64>>],
    pub(super) restricted: Vec<Played>,
}

impl Part<'_> {
    /// Returns `true` if some sides, but not all, shared the win of a game.
    fn shares_wins(&self, game: &Game) -> bool {
        let sides = i64::from(game.model().sides().count_ones());
        let mut results = self.free.iter().chain(self.restricted.iter().flatten()).flatten().flatten();
        // An equal share of all sides may be rounded.
        results.any(|won| *won > 0 && *won < WIN && won.saturating_mul(sides) > WIN + sides)
    }
}

/// Returns what the option brings the seat that has it: the mean over all seats first, then each seat if there are
/// several. `a` is without the option, `b` with it.
pub(super) fn quantities(game: &Game, parts: &[Part<'_>]) -> Vec<Quantity> {
    let seats = game.players() as usize;
    let (kind, unit): (&'static MetricKind, i64) = match (game.pays(), seats) {
        (true, _) => (&PAYOFF, 1),
        (false, 1) => (&SCORE, 1),
        _ if game.model().is_cooperative() => (&SUCCESS, WIN),
        _ if parts.iter().any(|part| part.shares_wins(game)) => (WINS.where_wins_are_shared(), WIN),
        _ => (&WINS, WIN),
    };
    let of_seats = |seats: Range<usize>| {
        let scale = unit * seats.len() as i64;
        let sums: Vec<Paired> = parts.iter().map(|part| sums(part, seats.clone(), scale)).collect();
        sums
    };
    let mut all = vec![quantity(game, kind, None, &of_seats(0..seats))];
    if seats > 1 {
        let each =
            (0..seats).map(|seat| quantity(game, kind, Some(Seat(seat as u32)), &of_seats(seat..seat + 1)));
        all.extend(each);
    }
    all
}

/// Names a quantity, and whose result it is. `seat` is the one that is without the option in turn, `None` for the mean of all.
fn names_of(game: &Game, kind: &MetricKind, seat: Option<Seat>) -> (String, String) {
    let player = seat.and_then(|seat| game.model().players.names.get(seat.index())).cloned();
    if kind.subject == Subject::Success {
        let side = side_in_words(game.model(), Seat(0));
        let label = kind.label_of("", &side);
        return (player.map_or_else(|| label.clone(), |player| format!("{label}, with {player}")), side);
    }
    match player {
        _ if kind.subject == Subject::Score => {
            (kind.label_of("", ""), player.unwrap_or_else(|| "a seat".to_owned()))
        }
        Some(player) => (kind.label_of("", &player), player),
        None => {
            let what = match kind.is_share() {
                true if kind.is_share_of_wins() => "share of the wins of the seat",
                true => "win rate of the seat",
                false => "payoff of the seat",
            };
            (what.to_owned(), "a seat".to_owned())
        }
    }
}

/// Adds up the results of some seats, each in the games in which it was restricted.
fn sums(part: &Part<'_>, seats: Range<usize>, scale: i64) -> Paired {
    let mut sums = Paired::new(scale, scale);
    for (at, free) in part.free.iter().enumerate() {
        let (mut without, mut with) = (0, 0);
        let complete = seats.clone().all(|seat| {
            let (Some(free), Some(bound)) = (free, &part.restricted[seat][at]) else { return false };
            with += free[seat];
            without += bound[seat];
            true
        });
        if complete {
            sums.add(without, with);
        }
    }
    sums
}

fn quantity(game: &Game, kind: &'static MetricKind, seat: Option<Seat>, parts: &[Paired]) -> Quantity {
    let mut all = parts[0].clone();
    parts[1..].iter().for_each(|part| all.merge(part));
    let between =
        |of: &dyn Fn(&Paired) -> (f64, f64)| variance_between(&parts.iter().map(of).collect::<Vec<_>>());
    let mean = |side: usize| {
        let between = between(&|part| (part.mean(side), part.error(side).powi(2)));
        Mean { mean: all.mean(side), se: (all.error(side).powi(2) + between).sqrt() }
    };
    let between = between(&|part| {
        let difference = part.difference(0.0);
        (difference.mean, difference.se.powi(2))
    });
    let difference = match kind.is_share() {
        true => all.difference_of_shares(between),
        false => all.difference(between),
    };
    let bound = |sign: f64| {
        let bound = difference.mean + sign * difference.half_width;
        bound.is_finite().then_some(bound)
    };
    let variance = all.variance_of_difference();
    let (label, seat_name) = names_of(game, kind, seat);
    Quantity {
        kind,
        name: String::new(),
        seat,
        seat_name,
        others: String::new(),
        label,
        a: mean(0),
        b: mean(1),
        deviation: all.variance(0).sqrt(),
        difference: difference.mean,
        se: difference.se,
        low: bound(-1.0),
        high: bound(1.0),
        relative: relative([all.mean(0), all.mean(1)], difference.mean),
        p: difference.p,
        p_corrected: 1.0,
        differs: false,
        differing: all.differing,
        pairing: (variance > 0.0).then(|| (all.variance(0) + all.variance(1)) / variance),
        constant: all.is_constant(),
        same_as: None,
        sentence: String::new(),
    }
}
