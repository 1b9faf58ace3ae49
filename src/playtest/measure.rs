//! The metrics of every game, or match, of a comparison: a row of integers.
//!
//! Plays games and fills the columns; independent of the comparison.

use std::collections::BTreeSet;

use super::metric::{FinishedMatch, Metric, MetricKind, SUCCESS, Subject, TEAM, WIN, metrics};
use super::watched::play_watched;
use houserule_base::statistics::paired::Paired;
use houserule_base::statistics::{share_interval, student};
use houserule_game::matches::Match;
use houserule_game::random_games::{Finished, UsageCounts, play_random};
use houserule_game::random_matches::play_random_match;
use houserule_game::{Game, RuntimeError, Seat, State};
use houserule_model::{CountedUses, side_in_words, team_in_words};
use houserule_players::agents::{Agent, AgentKind};

/// A column: the metrics of a kind and a name. Those of all seats or of a family are averaged, those of several ends
/// or blocks of actions added up.
#[derive(Clone, Debug)]
pub struct MetricColumn {
    /// Their kind.
    pub kind: &'static MetricKind,
    /// Name of the item, option, end or variable; else empty.
    pub(crate) name: String,
    /// The seat, if it is of one.
    pub(crate) seat: Option<Seat>,
    /// The values are in units of 1/`scale`.
    pub scale: i64,
    parts: Vec<Metric>,
}

impl MetricColumn {
    /// Returns the name that users write: `turns`, `score`, `score[2]`, `wins[1]`, `option.joker`, `item.lines[2]`.
    /// Seats count from 1, as in rule files.
    pub fn key(&self) -> String {
        metric_key(self.kind, &self.name, self.seat)
    }

    /// Returns its name in text. `shares_wins`: some sides, but not all, shared the win of a game.
    pub fn label(&self, game: &Game, shares_wins: bool) -> String {
        let player = self.player(game);
        let label = self.kind_where(shares_wins).label_of(&self.name, &player);
        match (self.kind.subject, self.seat) {
            (Subject::Score | Subject::Item, Some(_)) => format!("{label}, {player}"),
            _ => label,
        }
    }

    /// Returns how it is told if some sides, but not all, shared the win of a game (`shares_wins`), or if none did.
    pub(super) fn kind_where(&self, shares_wins: bool) -> &'static MetricKind {
        if shares_wins { self.kind.where_wins_are_shared() } else { self.kind }
    }

    /// Returns the name of its player, or of its side if it is of one; empty if it is of all seats.
    pub(super) fn player(&self, game: &Game) -> String {
        let model = game.model();
        match self.kind.subject {
            Subject::Lead | Subject::Success => side_in_words(model, Seat(0)),
            Subject::Team => {
                let team = model.teams.iter().find(|team| team.name == self.name);
                let first = team.and_then(|team| team.players.first());
                first.map_or_else(|| team_in_words(&self.name), |first| side_in_words(model, Seat(first)))
            }
            _ => {
                self.seat.and_then(|seat| model.players.names.get(seat.index())).cloned().unwrap_or_default()
            }
        }
    }

    /// Returns `true` if it can be compared with that of the same key of another game.
    pub fn is_comparable(&self, games: [&Game; 2]) -> bool {
        let [a, b] = games;
        match self.kind.subject {
            // A seat's wins and draws aren't comparable between different numbers of players.
            Subject::Result | Subject::Team => a.players() == b.players(),
            // A player's lead isn't that of a team.
            Subject::Lead => a.model().team_of(Seat(0)).bits() == b.model().team_of(Seat(0)).bits(),
            _ => true,
        }
    }

    /// Returns `true` if it depends on the number of seats: wins, also those of teams, draws, leads, and what is of one
    /// seat.
    pub fn is_of_seats(&self) -> bool {
        self.seat.is_some() || matches!(self.kind.subject, Subject::Result | Subject::Team | Subject::Lead)
    }

    /// Returns the key of the wins of its side if it has the same values: it is of a player of a team, or of a team of all
    /// players.
    pub fn side_key(&self, game: &Game) -> Option<String> {
        let model = game.model();
        match (self.kind.subject, self.seat) {
            (Subject::Result, Some(_)) | (Subject::Team, _) if model.is_cooperative() => {
                Some(SUCCESS.name.to_owned())
            }
            (Subject::Result, Some(seat)) => {
                let team = model.teams.iter().find(|team| team.players.contains(seat.0))?;
                Some(metric_key(&TEAM, &team.name, None))
            }
            _ => None,
        }
    }

    /// Returns `true` if the executor counts it over a batch of games, so that single games must be played one by one.
    pub(super) fn is_of_batches(&self) -> bool {
        matches!(self.kind.subject, Subject::Option | Subject::Step | Subject::Otherwise)
    }

    /// Returns the standard error of the mean of some games, and its 95 % interval. `between` is variance of the mean
    /// beyond that of the games.
    pub fn interval(&self, sums: &Paired, between: f64) -> [Option<f64>; 3] {
        let (mean, games) = (sums.mean(0), sums.pairs());
        let se = (sums.error(0).powi(2) + between).sqrt();
        let (low, high) = match student(games) {
            _ if self.kind.is_share() && between == 0.0 => share_interval(mean, games).unzip(),
            Some(errors) => (Some(mean - errors * se), Some(mean + errors * se)),
            None => (None, None),
        };
        [(games > 1).then_some(se), low, high]
    }

    /// Returns `true` if both measure the same.
    pub fn matches(&self, other: &MetricColumn) -> bool {
        (self.kind.name, &self.name, self.seat) == (other.kind.name, &other.name, other.seat)
    }
}

/// Returns the key of the wins of the side if two columns, each of its game, have the same values as these; see
/// [`MetricColumn::side_key`].
pub fn common_side(columns: [&MetricColumn; 2], games: [&Game; 2]) -> Option<String> {
    let [a, b] = [0, 1].map(|at| columns[at].side_key(games[at]));
    a.filter(|key| b.as_ref() == Some(key))
}

/// Returns the name of a metric, see [`MetricColumn::key`].
pub fn metric_key(kind: &MetricKind, name: &str, seat: Option<Seat>) -> String {
    let name = match name {
        "" => kind.name.to_owned(),
        name => format!("{}.{name}", kind.name),
    };
    seat.map_or(name.clone(), |seat| format!("{name}[{}]", seat.0 + 1))
}

/// Returns the columns of each of two games, in display order. Options of one name from different choices have a column each,
/// unless the games have them in different places.
pub(super) fn columns_of_both(games: [&Game; 2], match_play: bool) -> [Vec<MetricColumn>; 2] {
    let [a, b] = games.map(|game| CountedUses::new(game.model()).options);
    let is_apart = |name: &str| {
        let [a, b] = [&a, &b].map(|all| {
            let own = all.iter().filter(|option| option.option == name);
            own.map(|option| option.name.as_str()).collect::<BTreeSet<&str>>()
        });
        a == b || a.is_empty() || b.is_empty()
    };
    games.map(|game| columns(game, match_play, &is_apart))
}

/// Returns the columns of a game, in display order.
fn columns(game: &Game, match_play: bool, is_apart: &dyn Fn(&str) -> bool) -> Vec<MetricColumn> {
    let has_score = !game.model().score.is_empty();
    let is_compared = |metric: &Metric| match metric.kind.subject {
        Subject::Step | Subject::Course => false,
        Subject::Score => has_score || metric.is_of_match(),
        // With two players, the wins of the second follow from those of the first.
        Subject::Result => game.players() != 2 || metric.seat != Some(Seat(1)),
        Subject::Item | Subject::Count | Subject::Team | Subject::Success | Subject::Lead => true,
        Subject::Option | Subject::Otherwise | Subject::End | Subject::Variable => true,
    };
    let placed = |metric: Metric| match metric.kind.subject {
        Subject::Option if is_apart(&metric.name) => metric.placed(),
        _ => metric,
    };
    let all = metrics(game, match_play).into_iter().filter(is_compared).map(placed);
    grouped(game, all, Subject::is_by_seat)
}

/// Returns all columns of a game that have a [`MetricColumn::key`], in display order: those of [`columns`], the wins of
/// every seat, each seat's own scores and items, and for options of one name from different choices also those of each choice.
pub fn keyed_columns(game: &Game, match_play: bool) -> Vec<MetricColumn> {
    let has_score = !game.model().score.is_empty();
    let measured: Vec<Metric> = metrics(game, match_play)
        .into_iter()
        .filter(|metric| match metric.kind.subject {
            Subject::Step | Subject::Course => false,
            Subject::Score => has_score || metric.is_of_match(),
            _ => true,
        })
        .collect();
    let apart = measured
        .iter()
        .filter(|metric| game.players() > 1 && matches!(metric.kind.subject, Subject::Score | Subject::Item));
    let apart = grouped(game, apart.cloned(), |_| true);
    let mut all = Vec::new();
    for column in grouped(game, measured.into_iter(), Subject::is_by_seat) {
        let own = |other: &&MetricColumn| {
            (other.kind.name, &other.name) == (column.kind.name, &column.name) && column.seat.is_none()
        };
        let seats: Vec<MetricColumn> = apart.iter().filter(own).cloned().collect();
        let mut places: Vec<MetricColumn> = vec![];
        if column.kind.subject == Subject::Option {
            places = grouped(game, column.parts.iter().cloned().map(Metric::placed), |_| false);
            places.retain(|place| place.name != column.name);
        }
        all.push(column);
        all.extend(seats);
        all.extend(places);
    }
    all
}

/// Returns the index of the key that a name means: itself, or that of an item, a variable, an option, an end or a
/// team.
pub fn metric_named(name: &str, keys: &[String]) -> Result<usize, String> {
    let at = |wanted: &str| keys.iter().position(|key| key == wanted);
    let kinds = ["item", "variable", "option", "end", "team"];
    let found = at(name).or_else(|| kinds.into_iter().find_map(|kind| at(&format!("{kind}.{name}"))));
    found.ok_or_else(|| {
        let near = keys.iter().map(|key| (strsim::damerau_levenshtein(key, name), key)).min();
        let near = near.filter(|(apart, _)| *apart <= 2);
        let near = near.map(|(_, key)| format!("; did you mean `{key}`? There"));
        let keys: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
        let list = near.unwrap_or_else(|| "; there".to_owned());
        format!("there is no metric `{name}`{list} are {}", keys.join(", "))
    })
}

/// Returns the columns of some metrics. Those `by_seat` have one for each seat.
fn grouped(
    game: &Game,
    metrics: impl Iterator<Item = Metric>,
    by_seat: impl Fn(Subject) -> bool,
) -> Vec<MetricColumn> {
    let mut all: Vec<MetricColumn> = Vec::new();
    for metric in metrics {
        let (kind, name) = (metric.kind, metric.name.clone());
        let seat = metric.seat.filter(|_| by_seat(kind.subject));
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
            Subject::Team | Subject::Success => WIN,
            Subject::Result if column.seat.is_some() => WIN,
            Subject::Lead => i64::from(game.model().sides().count_ones()) - 1,
            Subject::Result | Subject::Count | Subject::Option | Subject::Step | Subject::End => 1,
            Subject::Otherwise | Subject::Course => 1,
        };
    }
    all
}

impl Subject {
    /// Returns `true` if a comparison doesn't average it over the seats.
    fn is_by_seat(self) -> bool {
        self == Subject::Result
    }
}

/// Plays games one by one and measures each.
pub(super) struct Measure<'g> {
    game: &'g Game,
    columns: &'g [MetricColumn],
    seed: u64,
    match_play: bool,
    /// `None` for random players of games that the executor plays by itself.
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
        let fast = agents.iter().all(|agent| agent.name() == AgentKind::Random.to_string());
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

    /// Returns `true` if some sides, but not all, shared the win of the last game, or match.
    pub(super) fn shares_win(&self) -> bool {
        let sides = i64::from(self.game.model().sides().count_ones());
        let wins = self.columns.iter().zip(&self.row).filter(|(column, _)| column.kind.is_of_wins());
        let mut won = wins.map(|(_, won)| *won);
        won.any(|won| won > 0 && won < WIN && won.saturating_mul(sides) > WIN)
    }

    /// Plays and measures a game, or match. An error comes with the index of its game.
    pub(super) fn play(&mut self, number: u64) -> Result<(), (u64, RuntimeError)> {
        self.row.fill(0);
        match (self.agents.take(), self.match_play) {
            (None, false) => self.play_fast(number),
            (None, true) => self.play_match_fast(number),
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
        counts.clear();
        let mut wrong = None;
        let mut finished = |done: Finished<'_>| enter(columns, row, |metric| metric.measure_game(&done));
        let indices = number..number.saturating_add(1);
        play_random(game, self.seed, indices, counts, &mut finished, &mut |index, error| {
            wrong = Some((index, error));
        });
        enter(columns, row, |metric| metric.measure_usage(counts));
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
            metric.measure_game(&done).saturating_add(metric.measure_usage(&counts))
        });
        Ok(state)
    }

    fn play_match_fast(&mut self, number: u64) -> Result<(), (u64, RuntimeError)> {
        let Measure { game, columns, row, .. } = self;
        let played = play_random_match(game, self.seed, number, &mut |_, done, counts| {
            enter(columns, row, |metric| {
                metric.measure_game(done).saturating_add(metric.measure_usage(counts))
            });
        })?;
        if let Some(one) = played {
            let one = FinishedMatch::new(&one);
            enter(columns, row, |metric| metric.measure_match(&one).unwrap_or(0));
        }
        Ok(())
    }

    fn play_match(&mut self, number: u64, agents: &mut [Box<dyn Agent>]) -> Result<(), (u64, RuntimeError)> {
        let Some(mut one) = Match::new(self.game, self.seed, number) else { return Ok(()) };
        while !one.is_over() {
            let index = one.next_start().index;
            let played = one.start().and_then(|state| self.play_on(state, index, agents));
            played.and_then(|state| one.enter(&state)).map_err(|error| (index, error))?;
        }
        let one = FinishedMatch::new(&one);
        enter(self.columns, &mut self.row, |metric| metric.measure_match(&one).unwrap_or(0));
        Ok(())
    }
}

/// Adds values of the metrics to a row.
pub(super) fn enter(columns: &[MetricColumn], row: &mut [i64], value: impl Fn(&Metric) -> i64) {
    for (column, cell) in columns.iter().zip(row) {
        *cell = column.parts.iter().map(&value).fold(*cell, i64::saturating_add);
    }
}
