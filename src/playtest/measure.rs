//! The metrics of every game, or match, of a comparison: a row of integers.
//!
//! Plays games and fills the columns; independent of the comparison.

use super::metric::{FinishedMatch, Metric, MetricKind, Subject, WIN, metrics};
use super::simulate::play_watched;
use crate::agents::{Agent, AgentKind};
use crate::game::random_games::{Finished, UsageCounts, play_random};
use crate::game::{Game, RuntimeError, State};
use crate::matches::Match;

/// A column: the metrics of a kind and a name. Those of all seats or of a family are averaged, those of several ends
/// or blocks of actions added up.
#[derive(Clone, Debug)]
pub(super) struct MetricColumn {
    pub(super) kind: &'static MetricKind,
    /// Name of the item, option, end or variable; else empty.
    pub(super) name: String,
    /// The seat whose wins these are.
    pub(super) seat: Option<u32>,
    /// The values are in units of 1/`scale`.
    pub(super) scale: i64,
    parts: Vec<Metric>,
}

impl MetricColumn {
    /// Returns `true` if both measure the same.
    pub(super) fn matches(&self, other: &MetricColumn) -> bool {
        (self.kind.name, &self.name, self.seat) == (other.kind.name, &other.name, other.seat)
    }
}

/// Returns the columns of a game, in display order.
pub(super) fn columns(game: &Game, match_play: bool) -> Vec<MetricColumn> {
    let has_score = !game.model().score.is_empty();
    let is_compared = |metric: &Metric| match metric.kind.subject {
        Subject::Step => false,
        Subject::Score => has_score || metric.is_of_match(),
        // With two players, the wins of the second follow from those of the first.
        Subject::Result => game.players() != 2 || metric.seat != Some(1),
        Subject::Item | Subject::Count | Subject::Lead => true,
        Subject::Option | Subject::End | Subject::Variable => true,
    };
    let mut all: Vec<MetricColumn> = Vec::new();
    for metric in metrics(game, match_play).into_iter().filter(is_compared) {
        let (kind, name) = (metric.kind, metric.name.clone());
        let seat = metric.seat.filter(|_| kind.subject == Subject::Result);
        let column = MetricColumn { kind, name, seat, scale: 1, parts: vec![] };
        let at = all.iter().position(|other| other.matches(&column)).unwrap_or_else(|| {
            all.push(column);
            all.len() - 1
        });
        all[at].parts.push(metric);
    }
    for column in &mut all {
        column.scale = match column.kind.subject {
            Subject::Score | Subject::Item | Subject::Variable => column.parts.len() as i64,
            Subject::Result if column.seat.is_some() => WIN,
            Subject::Lead => i64::from(game.players()) - 1,
            Subject::Result | Subject::Count | Subject::Option | Subject::Step | Subject::End => 1,
        };
    }
    all
}

/// Plays games one by one and measures each.
pub(super) struct Measure<'g> {
    game: &'g Game,
    columns: &'g [MetricColumn],
    seed: u64,
    match_play: bool,
    /// `None` for random players of single games, which the executor plays by itself.
    agents: Option<Vec<Box<dyn Agent>>>,
    counts: UsageCounts,
    /// The measurements of the last game, or match.
    pub(super) row: Vec<i64>,
}

impl<'g> Measure<'g> {
    pub(super) fn new(
        game: &'g Game,
        columns: &'g [MetricColumn],
        seed: u64,
        match_play: bool,
        agents: Vec<Box<dyn Agent>>,
    ) -> Self {
        let fast = !match_play && agents.iter().all(|agent| agent.name() == AgentKind::Random.to_string());
        Measure {
            game,
            columns,
            seed,
            match_play,
            agents: (!fast).then_some(agents),
            counts: UsageCounts::default(),
            row: vec![0; columns.len()],
        }
    }

    /// Plays and measures a game, or match. An error comes with the index of its game.
    pub(super) fn play(&mut self, number: u64) -> Result<(), (u64, RuntimeError)> {
        self.row.fill(0);
        match (self.agents.take(), self.match_play) {
            (None, _) => self.play_fast(number),
            (Some(mut agents), false) => {
                let played = self.game.start(self.seed, number);
                let played = played.and_then(|state| self.play_on(state, number, &mut agents));
                self.agents = Some(agents);
                played.map(|_| ()).map_err(|error| (number, error))
            }
            (Some(mut agents), true) => {
                let played = self.play_match(number, &mut agents);
                self.agents = Some(agents);
                played
            }
        }
    }

    fn play_fast(&mut self, number: u64) -> Result<(), (u64, RuntimeError)> {
        let Measure { game, columns, row, counts, .. } = self;
        counts.options.fill(0);
        counts.steps.fill(0);
        let mut wrong = None;
        let mut finished = |done: Finished<'_>| enter(columns, row, |metric| metric.of_game(&done));
        let indices = number..number.saturating_add(1);
        play_random(game, self.seed, indices, counts, &mut finished, &mut |index, error| {
            wrong = Some((index, error));
        });
        enter(columns, row, |metric| metric.of_usage(counts));
        wrong.map_or(Ok(()), Err)
    }

    fn play_on(
        &mut self,
        mut state: State,
        index: u64,
        agents: &mut [Box<dyn Agent>],
    ) -> Result<State, RuntimeError> {
        play_watched(&mut state, agents, self.seed, index, &mut |_, _, _| {})?;
        let (scored, counts) = (state.scored()?, state.counts());
        let done = Finished::of_state(&state, &scored);
        enter(self.columns, &mut self.row, |metric| {
            metric.of_game(&done).saturating_add(metric.of_usage(&counts))
        });
        Ok(state)
    }

    fn play_match(&mut self, number: u64, agents: &mut [Box<dyn Agent>]) -> Result<(), (u64, RuntimeError)> {
        let Some(mut one) = Match::new(self.game, self.seed, number) else { return Ok(()) };
        while !one.is_over() {
            let index = one.next_start().index;
            let played = one.start().and_then(|state| self.play_on(state, index, agents));
            played.and_then(|state| one.enter(&state)).map_err(|error| (index, error))?;
        }
        let one = FinishedMatch::new(&one);
        enter(self.columns, &mut self.row, |metric| metric.of_match(&one).unwrap_or(0));
        Ok(())
    }
}

/// Adds values of the metrics to a row.
fn enter(columns: &[MetricColumn], row: &mut [i64], value: impl Fn(&Metric) -> i64) {
    for (column, cell) in columns.iter().zip(row) {
        *cell = column.parts.iter().map(&value).fold(*cell, i64::saturating_add);
    }
}
