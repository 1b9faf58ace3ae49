//! One game that is tried out over and over from a position: for agents that look ahead.
//!
//! Chance and random players draw from streams of the trial's own, so that nothing here tells how the real
//! game will go.

use super::{Many, Refused};
use crate::engine::game::{Game, Player};
use crate::engine::knowledge::SeenWords;
use crate::engine::machine::Kind;
use crate::engine::outcome::returns;
use crate::engine::run::play;
use crate::engine::tally::Stop;
use crate::engine::{RuntimeError, State};
use crate::hash::hash;
use crate::interrupt;
use crate::program::{OVER, PENDING};
use crate::rng::{Stream, Streams};

/// Where the position is that trials begin at.
const ROOT: usize = 0;
/// Where trials are made.
const TRIAL: usize = 1;
/// Where a trial is kept while its actions are looked at.
const KEPT: usize = 2;

/// A game that is tried out.
pub(crate) struct Playout {
    games: Many,
    /// What somebody sees of the words.
    seen: SeenWords,
    /// Playouts until compiled code is worth its making.
    patience: u32,
}

/// Playouts of the interpreter before a program is compiled: they take about as long as compiling does.
const PATIENCE: u32 = 500;

impl Playout {
    /// For trials of a game.
    pub(crate) fn new(game: &Game) -> Playout {
        Playout { games: Many::new(game, 3), seen: SeenWords::default(), patience: PATIENCE }
    }

    /// The game.
    pub(crate) fn game(&self) -> &Game {
        &self.games.game
    }

    /// Is anything left to chance?
    pub(crate) fn has_chance(&self) -> bool {
        self.game().program().uses_chance
    }

    /// Where trials begin from now on. The state is one of this very game.
    pub(crate) fn begin_at(&mut self, state: &State) {
        self.games.load(ROOT, state);
    }

    /// Where chance and random players draw from now on.
    pub(crate) fn reseed(&mut self, seed: u64) {
        self.games.streams = Streams::new(seed, 0, self.game().players() as usize);
        self.games.chance[TRIAL] = self.games.streams.chance;
    }

    /// Goes back to where trials begin.
    #[inline]
    pub(crate) fn restart(&mut self) {
        self.games.copy(ROOT, TRIAL);
    }

    /// What each action is worth to a player at once: by how much it betters the score against the best of
    /// the others. Chance comes out somehow. The trial stands where it stood.
    pub(crate) fn gains(&mut self, player: u32, actions: &[u32], gains: &mut Vec<f64>) {
        gains.clear();
        self.games.copy(TRIAL, KEPT);
        let before = self.lead_as_it_stands(player);
        for action in actions {
            interrupt::check();
            self.games.copy(KEPT, TRIAL);
            // What fails gains nothing.
            let after = self.apply(*action).ok().and_then(|()| self.lead_as_it_stands(player));
            gains.push(match (before, after) {
                (Some(before), Some(after)) => after - before,
                _ => 0.0,
            });
        }
        self.games.copy(KEPT, TRIAL);
    }

    fn lead_as_it_stands(&mut self, player: u32) -> Option<f64> {
        self.games.work_out_scores(TRIAL).ok()?;
        Some(self.lead(player))
    }

    /// What a player's score is worth against the best of the others, as last computed.
    fn lead(&self, player: u32) -> f64 {
        let others = (0..self.game().players()).filter(|other| *other != player);
        let best = others.map(|other| self.worth(other)).reduce(f64::max).unwrap_or(0.0);
        self.worth(player) - best
    }

    /// What a player's score is worth, as last computed: the greater, the better.
    fn worth(&self, player: u32) -> f64 {
        let direction = self.game().model().score_direction;
        direction.worth(self.games.score(TRIAL, player) as f64)
    }

    /// Who has to decide; nobody once the game is over.
    #[inline]
    pub(crate) fn current_player(&self) -> Option<u32> {
        self.games.current_player(TRIAL)
    }

    /// Is the game over?
    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.games.is_over(TRIAL)
    }

    /// Puts every legal action into `actions`, in the order of the legal set.
    pub(crate) fn legal_actions(&self, actions: &mut Vec<u32>) {
        actions.clear();
        self.games.for_each_legal(TRIAL, |action| actions.push(action));
    }

    /// Takes a legal action, lets chance come out as it does, and goes on to the next decision.
    #[inline]
    pub(crate) fn apply(&mut self, action: u32) -> Result<(), Box<RuntimeError>> {
        match self.games.apply(TRIAL, action, &mut 0) {
            Ok(()) => Ok(()),
            Err(Refused::Failed(error)) => Err(error),
            Err(Refused::Illegal) => unreachable!("the action is legal"),
        }
    }

    /// From now on [`Playout::view`] is what a player sees.
    pub(crate) fn look_as(&mut self, player: Player) {
        self.seen = self.game().words_seen(player);
    }

    /// A number that differs, as good as surely, between positions that differ.
    #[inline]
    pub(crate) fn position(&self) -> u64 {
        let persistent = self.game().program().persistent as usize;
        hash(&self.games.frame(TRIAL)[..persistent])
    }

    /// A number that differs, as good as surely, between positions that look different.
    pub(crate) fn view(&self) -> u64 {
        self.seen.hash(self.games.frame(TRIAL))
    }

    /// Has random players play to the end, who never take what is deliberate.
    pub(crate) fn play_out(&mut self) -> Result<(), Box<RuntimeError>> {
        let game = self.games.game.clone();
        let program = game.program();
        let at = match self.games.frame(TRIAL)[usize::from(PENDING)] {
            OVER => return Ok(()),
            site => program.sites[site as usize - 1].entry,
        };
        let words = &mut self.games.words[TRIAL * self.games.frame..][..self.games.frame];
        let (streams, tally) = (&mut self.games.streams, &mut self.games.tally);
        streams.chance = self.games.chance[TRIAL];
        (tally.spent, tally.decisions) = (0, self.games.decisions[TRIAL]);
        if let Some(pasts) = self.games.pasts.get_mut(TRIAL) {
            std::mem::swap(pasts, &mut tally.pasts);
        }
        let machine = match self.patience {
            0 => self.games.game.machine(Kind::Rollout),
            _ => {
                self.patience -= 1;
                self.games.game.machine_if_made(Kind::Rollout)
            }
        };
        let stop = play(program, machine, words, streams, tally, at);
        self.games.chance[TRIAL] = streams.chance;
        if let Some(pasts) = self.games.pasts.get_mut(TRIAL) {
            std::mem::swap(pasts, &mut tally.pasts);
        }
        match stop {
            Stop::Fault { at, fault, value } => Err(self.games.failed(at, fault, value)),
            _ => Ok(()),
        }
    }

    /// Has random players play on for so many decisions at the most, who never take what is deliberate.
    pub(crate) fn play_some(&mut self, decisions: u32, stream: &mut Stream) -> Result<(), Box<RuntimeError>> {
        for _ in 0..decisions {
            let Some(action) = self.games.random_action::<false>(TRIAL, stream) else { break };
            self.apply(action)?;
        }
        Ok(())
    }

    /// The words of the trial in which the slots stand.
    pub(crate) fn live_words(&self) -> &[u64] {
        &self.games.frame(TRIAL)[..usize::from(self.game().program().places.end)]
    }

    /// The players' scores in the trial as it stands.
    pub(crate) fn scores(&mut self) -> Result<Vec<i64>, Box<RuntimeError>> {
        self.games.work_out_scores(TRIAL)?;
        Ok((0..self.game().players()).map(|player| self.games.score(TRIAL, player)).collect())
    }

    /// What the trial is worth to each player: what a finished game returns if there are several players,
    /// else the worth of the score as it stands.
    pub(crate) fn values(&mut self, values: &mut [f64]) -> Result<(), Box<RuntimeError>> {
        self.games.work_out_scores(TRIAL)?;
        match values {
            [lone] => *lone = self.worth(0),
            _ if self.is_over() => returns(self.games.winners(TRIAL), values),
            _ => values.fill(0.0),
        }
        Ok(())
    }
}
