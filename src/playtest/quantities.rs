//! Quantities measured in every game, or match, of a comparison: a row of integers.
//!
//! A quantity that two games share has the same [`QuantityKind`], name and seat in both. Depends on games and plays them;
//! independent of the comparison.

use serde::Serialize;

use super::simulate::play_watched;
use super::sums::{FinishedGame, Followed, followed, mask, scores};
use crate::agents::{Agent, AgentKind};
use crate::game::random_games::{Finished, UsageCounts, play_random};
use crate::game::{Game, RuntimeError, State};
use crate::matches::Match;
use crate::model::{MatchRules, ScoreDirection};

/// Units of a win. Divisible by any number of winners up to 16.
const WIN: i64 = 720_720;

/// The kind of a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum QuantityKind {
    /// Total of a match, averaged over the seats.
    Total,
    /// Record of a match, averaged over the seats.
    Record,
    /// Number of games of a match.
    Games,
    /// Score, averaged over the seats; in match play the sum over the games.
    Score,
    /// Points from an item of the score, averaged over the seats.
    Item,
    /// Turns.
    Turns,
    /// Rolls.
    Rolls,
    /// Decisions.
    Decisions,
    /// Wins of a seat; a win shared by k counts 1/k.
    Wins,
    /// Drawn games, or matches.
    Draws,
    /// How much better the first seat's score is than the mean of the others.
    Lead,
    /// Number of times an option was taken.
    Option,
    /// Games that an end decided.
    End,
    /// A variable at the end, averaged over its family.
    Variable,
}

impl QuantityKind {
    /// Returns `true` if it describes whole games rather than their items, options, ends or variables.
    pub(super) fn is_of_games(self) -> bool {
        !matches!(
            self,
            QuantityKind::Item | QuantityKind::Option | QuantityKind::End | QuantityKind::Variable
        )
    }
}

/// A quantity of a game.
#[derive(Clone, Debug)]
pub(super) struct QuantityColumn {
    pub(super) kind: QuantityKind,
    /// Name of the item, option, end or variable; else empty.
    pub(super) name: String,
    pub(super) seat: Option<u32>,
    /// The values are in units of 1/`scale`.
    pub(super) scale: i64,
    /// Indices of the action blocks, ends or followed variables that are added up.
    parts: Vec<usize>,
}

impl QuantityColumn {
    /// Returns `true` if both measure the same quantity.
    pub(super) fn matches(&self, other: &QuantityColumn) -> bool {
        (self.kind, &self.name, self.seat) == (other.kind, &other.name, other.seat)
    }
}

/// Returns the quantities of a game, in display order.
pub(super) fn columns(game: &Game, match_play: bool) -> Vec<QuantityColumn> {
    let model = game.model();
    let players = i64::from(game.players());
    let mut all: Vec<QuantityColumn> = Vec::new();
    let mut add = |kind, name: &str, seat, scale| {
        all.push(QuantityColumn { kind, name: name.to_owned(), seat, scale, parts: vec![] });
    };
    if match_play {
        add(QuantityKind::Total, "", None, players);
        if model.match_rules.as_ref().is_some_and(|rules: &MatchRules| rules.record.is_some()) {
            add(QuantityKind::Record, "", None, players);
        }
        add(QuantityKind::Games, "", None, 1);
    }
    if !model.score.is_empty() {
        add(QuantityKind::Score, "", None, players);
        model.score.iter().for_each(|item| add(QuantityKind::Item, &item.name, None, players));
    }
    for kind in [QuantityKind::Turns, QuantityKind::Rolls, QuantityKind::Decisions] {
        add(kind, "", None, 1);
    }
    if players > 1 {
        // With two players, the wins of the second follow from those of the first.
        let told = if players == 2 { 1 } else { game.players() };
        (0..told).for_each(|seat| add(QuantityKind::Wins, "", Some(seat), WIN));
        add(QuantityKind::Draws, "", None, 1);
        if !model.score.is_empty() && !match_play {
            add(QuantityKind::Lead, "", None, players - 1);
        }
    }
    let options = model.actions.iter().map(|block| (!block.dead).then_some(block.option.as_str()));
    group(&mut all, QuantityKind::Option, options);
    group(&mut all, QuantityKind::End, model.end_names().map(Some));
    if !match_play {
        let followed = followed(model);
        let names = followed.iter().map(|one| Some(model.slots[one.slot.index()].name.as_str()));
        group(&mut all, QuantityKind::Variable, names);
        let variables = all.iter_mut().filter(|column| column.kind == QuantityKind::Variable);
        variables.for_each(|column| column.scale = column.parts.len() as i64);
    }
    all
}

/// Adds a column for each name. Parts with the same name are added up.
fn group<'a>(
    all: &mut Vec<QuantityColumn>,
    kind: QuantityKind,
    names: impl Iterator<Item = Option<&'a str>>,
) {
    for (at, name) in names.enumerate() {
        let Some(name) = name else { continue };
        match all.iter_mut().find(|column| column.kind == kind && column.name == name) {
            Some(column) => column.parts.push(at),
            None => all.push(QuantityColumn {
                kind,
                name: name.to_owned(),
                seat: None,
                scale: 1,
                parts: vec![at],
            }),
        }
    }
}

/// Plays games one by one and measures each.
pub(super) struct Measure<'g> {
    game: &'g Game,
    columns: &'g [QuantityColumn],
    seed: u64,
    match_play: bool,
    /// `None` for random players of single games, which the executor plays by itself.
    agents: Option<Vec<Box<dyn Agent>>>,
    followed: Vec<Followed>,
    counts: UsageCounts,
    /// The measurements of the last game, or match.
    pub(super) row: Vec<i64>,
}

impl<'g> Measure<'g> {
    pub(super) fn new(
        game: &'g Game,
        columns: &'g [QuantityColumn],
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
            followed: followed(game.model()),
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
        let Measure { game, columns, row, counts, followed, .. } = self;
        counts.options.fill(0);
        counts.steps.fill(0);
        let width = usize::from(game.program().width);
        let mut wrong = None;
        let mut finished = |done: Finished<'_>| {
            let played = FinishedGame::of_batch(&done);
            enter(game, columns, row, &played, false, &|at| followed[at].of_batch(&done, width));
        };
        let indices = number..number.saturating_add(1);
        play_random(game, self.seed, indices, counts, &mut finished, &mut |index, error| {
            wrong = Some((index, error));
        });
        enter_options(columns, row, counts);
        wrong.map_or(Ok(()), Err)
    }

    fn play_on(
        &mut self,
        mut state: State,
        index: u64,
        agents: &mut [Box<dyn Agent>],
    ) -> Result<State, RuntimeError> {
        play_watched(&mut state, agents, self.seed, index, &mut |_, _, _| {})?;
        let scores = scores(&state)?;
        let played = FinishedGame::of_state(&state, &scores);
        let value = |at: usize| self.followed[at].of_state(&state);
        enter(self.game, self.columns, &mut self.row, &played, self.match_play, &value);
        enter_options(self.columns, &mut self.row, &state.counts());
        Ok(state)
    }

    fn play_match(&mut self, number: u64, agents: &mut [Box<dyn Agent>]) -> Result<(), (u64, RuntimeError)> {
        let Some(mut one) = Match::new(self.game, self.seed, number) else { return Ok(()) };
        while !one.is_over() {
            let index = one.next_start().index;
            let played = one.start().and_then(|state| self.play_on(state, index, agents));
            played.and_then(|state| one.enter(&state)).map_err(|error| (index, error))?;
        }
        let standings = one.standings();
        let winners = mask(&one.leaders());
        for (column, cell) in self.columns.iter().zip(&mut self.row) {
            match column.kind {
                QuantityKind::Total => *cell = sum(standings.iter().map(|standing| standing.total)),
                QuantityKind::Record => {
                    *cell = sum(standings.iter().map(|standing| standing.record.unwrap_or(0)))
                }
                QuantityKind::Games => *cell = one.played() as i64,
                QuantityKind::Wins => *cell = share(winners, column.seat),
                QuantityKind::Draws => *cell = i64::from(is_draw(winners, self.game.players())),
                _ => {}
            }
        }
        Ok(())
    }
}

/// Adds a finished game to a row.
fn enter(
    game: &Game,
    columns: &[QuantityColumn],
    row: &mut [i64],
    played: &FinishedGame<'_>,
    in_match: bool,
    variable: &dyn Fn(usize) -> i64,
) {
    let players = game.players() as usize;
    let items = played.scores.len() / players.max(1);
    let mut item = 0;
    for (column, cell) in columns.iter().zip(row) {
        let add = match column.kind {
            QuantityKind::Score => sum(played.scores.iter().copied()),
            QuantityKind::Item => {
                item += 1;
                sum(played.scores.iter().skip(item - 1).step_by(items.max(1)).copied())
            }
            QuantityKind::Turns => played.turns as i64,
            QuantityKind::Rolls => played.rolls as i64,
            QuantityKind::Decisions => played.decisions as i64,
            QuantityKind::Wins if !in_match => share(played.winners, column.seat),
            QuantityKind::Draws if !in_match => i64::from(is_draw(played.winners, game.players())),
            QuantityKind::Lead => {
                let all = sum(played.scores.iter().copied());
                let first = sum(played.scores.iter().take(items).copied());
                let lead = first.saturating_mul(players as i64).saturating_sub(all);
                match game.model().score_direction {
                    ScoreDirection::Most => lead,
                    ScoreDirection::Least => lead.saturating_neg(),
                }
            }
            QuantityKind::End => i64::from(column.parts.contains(&(played.end as usize))),
            QuantityKind::Variable => sum(column.parts.iter().map(|at| variable(*at))),
            _ => 0,
        };
        *cell = cell.saturating_add(add);
    }
}

fn enter_options(columns: &[QuantityColumn], row: &mut [i64], counts: &UsageCounts) {
    for (column, cell) in columns.iter().zip(row).filter(|(column, _)| column.kind == QuantityKind::Option) {
        let taken = column.parts.iter().map(|at| counts.options.get(*at).copied().unwrap_or(0) as i64);
        *cell = cell.saturating_add(sum(taken));
    }
}

fn sum(numbers: impl Iterator<Item = i64>) -> i64 {
    numbers.fold(0, i64::saturating_add)
}

/// Returns a seat's share of a win, in units of 1/[`WIN`].
fn share(winners: u32, seat: Option<u32>) -> i64 {
    let won = seat.is_some_and(|seat| winners & (1 << seat) != 0);
    if won { WIN / i64::from(winners.count_ones()) } else { 0 }
}

fn is_draw(winners: u32, players: u32) -> bool {
    winners == 0 || winners.count_ones() == players
}
