//! The tables of a run in columnar form: its games, their seats, their decisions.
//!
//! Defines the names and values of columns; independent of output formats. Aborted games are in no table.

use super::metric::COUNTS;
use super::plan::SimulationPlan;
use super::rows::{GameRows, HEAD, RowField, RowPlan};
use super::variables::{Encoding, Variable};
use houserule_game::values::{param_text, params_json};
use houserule_game::{Game, Seat, share};
use houserule_model::board::LineKinds;
use houserule_model::{Builtin, Model, PLAYER, ParamKind};

/// A table in columnar form.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DataFrame {
    /// Number of rows.
    pub rows: usize,
    /// The columns in order.
    pub columns: Vec<Column>,
}

/// A named column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name, unique in the table.
    pub name: String,
    /// A value for each row.
    pub values: Values,
    /// The least and the greatest integer that it can have in any game, if they are known.
    pub bounds: Option<(i64, i64)>,
}

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Integers.
    Int(Vec<i64>),
    /// Integers, and whether each is present.
    OptionalInt(Vec<i64>, Vec<bool>),
    /// Unsigned integers: seeds.
    Unsigned(Vec<u64>),
    /// Floating-point numbers.
    Float(Vec<f64>),
    /// Booleans.
    Bool(Vec<bool>),
    /// Strings, dictionary-encoded.
    Text {
        /// For each row, an index into `words`, or -1 for null.
        codes: Vec<i32>,
        /// The strings; they may have duplicates, see [`Values::with_words_once`].
        words: Vec<String>,
    },
}

impl Values {
    /// Creates a column of integers, some of which are null.
    pub(super) fn optional(values: impl Iterator<Item = Option<i64>>) -> Values {
        let (known, values) = values.map(|value| (value.is_some(), value.unwrap_or_default())).unzip();
        Values::OptionalInt(values, known)
    }

    /// Repeats each value.
    fn repeated(self, times: usize) -> Values {
        fn each<T: Clone>(values: Vec<T>, times: usize) -> Vec<T> {
            values.into_iter().flat_map(|value| std::iter::repeat_n(value, times)).collect()
        }
        match self {
            Values::Int(values) => Values::Int(each(values, times)),
            Values::OptionalInt(values, known) => {
                Values::OptionalInt(each(values, times), each(known, times))
            }
            Values::Unsigned(values) => Values::Unsigned(each(values, times)),
            Values::Float(values) => Values::Float(each(values, times)),
            Values::Bool(values) => Values::Bool(each(values, times)),
            Values::Text { codes, words } => Values::Text { codes: each(codes, times), words },
        }
    }

    /// Returns the values with duplicate strings merged.
    #[must_use]
    pub fn with_words_once(self) -> Values {
        match self {
            Values::Text { codes, words } => {
                let (codes, words) = merge_words(codes, words);
                Values::Text { codes, words }
            }
            other => other,
        }
    }
}

/// The tables of a run.
#[derive(Clone, Debug, Default)]
pub struct Frames {
    /// A row for each game.
    pub games: DataFrame,
    /// A row for each game and seat.
    pub seats: DataFrame,
}

/// Computes the values of a column.
type Make<'a> = Box<dyn Fn() -> Values + Send + Sync + 'a>;

/// Column names with the same meaning in the games of every run, besides those of the counts.
const OF_GAMES: [&str; 9] =
    ["game", "variant", "seed", "index", "match", "game_in_match", "agents", "end", "winner"];

/// A column to be computed.
struct PlannedColumn<'a> {
    name: String,
    bounds: Option<(i64, i64)>,
    make: Make<'a>,
}

/// Columns to be computed, with unique names.
struct Columns<'a> {
    made: Vec<PlannedColumn<'a>>,
    /// Names reserved for columns added without a kind.
    kept: Vec<&'static str>,
}

impl<'a> Columns<'a> {
    fn new(kept: Vec<&'static str>) -> Self {
        Columns { made: Vec::new(), kept }
    }

    fn add(&mut self, name: &str, make: impl Fn() -> Values + Send + Sync + 'a) {
        self.made.push(PlannedColumn { name: name.to_owned(), bounds: None, make: Box::new(make) });
    }

    /// Adds a column; if another has its name, `kind` becomes a prefix.
    fn add_as(&mut self, name: &str, kind: &str, make: impl Fn() -> Values + Send + Sync + 'a) {
        let taken = |name: &str| self.kept.contains(&name) || self.made.iter().any(|one| one.name == name);
        let mut name = if taken(name) { format!("{kind}_{name}") } else { name.to_owned() };
        while taken(&name) {
            name.push('_');
        }
        self.made.push(PlannedColumn { name, bounds: None, make: Box::new(make) });
    }

    /// Declares the bounds of the last column.
    fn within(&mut self, low: i64, high: i64) {
        if let Some(column) = self.made.last_mut() {
            column.bounds = Some((low, high));
        }
    }

    fn frame(self, rows: usize, threads: usize) -> DataFrame {
        let each = self.made.len().div_ceil(threads.max(1)).max(1);
        let columns = std::thread::scope(|scope| {
            let parts: Vec<_> = self
                .made
                .chunks(each)
                .map(|part| {
                    scope.spawn(move || {
                        let made = part.iter().map(|one| Column {
                            name: one.name.clone(),
                            values: (one.make)().with_words_once(),
                            bounds: one.bounds,
                        });
                        made.collect::<Vec<_>>()
                    })
                })
                .collect();
            let made = parts.into_iter().map(|part| match part.join() {
                Ok(columns) => columns,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            made.flatten().collect()
        });
        DataFrame { rows, columns }
    }
}

/// The kept rows and their layout.
#[derive(Clone, Copy)]
struct RowTable<'a> {
    plan: &'a RowPlan,
    rows: &'a [i64],
    players: usize,
}

impl<'a> RowTable<'a> {
    fn rows(self) -> impl Iterator<Item = &'a [i64]> {
        self.rows.chunks_exact(self.plan.width().max(1))
    }

    fn column(self, at: usize) -> Values {
        Values::Int(self.rows().map(|row| row[at]).collect())
    }

    /// Returns a value for each game and seat.
    fn by_seat<T>(self, value: impl Fn(&[i64], usize) -> T) -> Vec<T> {
        let mut all = Vec::with_capacity(self.rows.len() / self.plan.width().max(1) * self.players);
        for row in self.rows() {
            all.extend((0..self.players).map(|seat| value(row, seat)));
        }
        all
    }
}

fn constant(word: &str, rows: usize) -> Values {
    Values::Text { codes: vec![0; rows], words: vec![word.to_owned()] }
}

fn games(
    game: &Game,
    plan: &SimulationPlan,
    agents: &[String],
    all: &RowTable<'_>,
    count: usize,
) -> DataFrame {
    let model = game.model();
    let all = *all;
    let counts = COUNTS.iter().map(|count| count.kind.name);
    let mut columns = Columns::new(OF_GAMES.into_iter().chain(counts).collect());
    let sheet = game.sheet();
    let name = &game.identity().name;
    let base = sheet.names.first().unwrap_or(name).clone();
    let variants = sheet.names.get(1..).unwrap_or_default().join(" + ");
    columns.add("game", move || constant(&base, count));
    columns.add("variant", move || match variants.as_str() {
        "" => Values::Text { codes: vec![-1; count], words: vec![] },
        variants => constant(variants, count),
    });
    for (param, (_, json)) in model.params.iter().zip(params_json(model).0) {
        let text = param_text(&param.value);
        columns.add_as(&param.name, "param", move || match (json.as_i64(), json.as_bool()) {
            (Some(number), _) => Values::Int(vec![number; count]),
            (_, Some(value)) => Values::Bool(vec![value; count]),
            _ => constant(&text, count),
        });
        if let ParamKind::Number { low, high } = param.kind {
            columns.within(low, high);
        }
    }
    let seed = plan.seed;
    columns.add("seed", move || Values::Unsigned(vec![seed; count]));
    columns.add("index", move || all.column(RowField::Index as usize));
    if plan.match_play {
        columns.add("match", move || all.column(RowField::Match as usize));
        columns.add("game_in_match", move || all.column(RowField::GameInMatch as usize));
    }
    let mut called = agents.to_vec();
    called.dedup();
    let called = if called.len() == 1 { called.concat() } else { agents.join(", ") };
    columns.add("agents", move || constant(&called, count));
    for (count, metric) in all.plan.counts.iter().enumerate() {
        columns.add(metric.kind.name, move || all.column(HEAD + count));
        // A game with more takes minutes, and its row can't be written to a file.
        columns.within(0, u32::MAX.into());
    }
    columns.add("end", move || ends(model, all));
    columns.add("winner", move || {
        Values::optional(all.rows().map(|row| match row[RowField::Winners as usize] {
            mask if mask.count_ones() == 1 => Some(i64::from(mask.trailing_zeros())),
            _ => None,
        }))
    });
    columns.within(0, all.players as i64 - 1);
    columns.frame(count, plan.threads)
}

fn ends(model: &Model, all: RowTable<'_>) -> Values {
    let code = |row: &[i64]| row[RowField::End as usize] as i32;
    Values::Text {
        codes: all.rows().map(code).collect(),
        words: model.end_names().map(str::to_owned).collect(),
    }
}

fn seats(plan: &SimulationPlan, agents: &[String], all: &RowTable<'_>, count: usize) -> DataFrame {
    let all = *all;
    let model = all.plan.model();
    let players = all.players;
    let mut columns = Columns::new(vec![]);
    let head = move |head: RowField| move || Values::Int(all.by_seat(|row, _| row[head as usize]));
    columns.add("index", head(RowField::Index));
    if plan.match_play {
        columns.add("match", head(RowField::Match));
        columns.add("game_in_match", head(RowField::GameInMatch));
    }
    let each_seat = move |words: &[String]| {
        let codes = (0..count).map(|at| (at % players.max(1)) as i32).collect();
        Values::Text { codes, words: words.to_vec() }
    };
    columns.add("seat", move || Values::Int(all.by_seat(|_, seat| seat as i64)));
    columns.within(0, players as i64 - 1);
    columns.add("name", move || each_seat(&model.players.names));
    columns.add("starter", move || {
        Values::Bool(all.by_seat(|row, seat| row[RowField::Starter as usize] == seat as i64))
    });
    columns.add("agent", move || {
        let mut words: Vec<String> = agents.to_vec();
        words.sort_unstable();
        words.dedup();
        let place = |agent: &String| words.iter().position(|word| word == agent).map_or(-1, |at| at as i32);
        let codes: Vec<i32> = agents.iter().map(place).collect();
        Values::Text { codes: all.by_seat(|_, seat| codes[seat]), words }
    });
    columns.add("score", move || {
        let items = all.plan.items;
        Values::Int(all.by_seat(|row, seat| {
            let first = all.plan.item_at(seat, 0);
            row[first..first + items].iter().sum()
        }))
    });
    let winners = |row: &[i64]| row[RowField::Winners as usize] as u32;
    let payoffs = all.plan.variables.iter().find(|(_, variable)| variable.slot == Builtin::Payoff.slot());
    columns.add("returns", move || {
        Values::Float(all.by_seat(|row, seat| match payoffs {
            Some((first, _)) => row[first + seat] as f64,
            None => share(winners(row), players as u32, Seat(seat as u32)),
        }))
    });
    columns.add("win_share", move || {
        let sides = model.sides();
        let of = |winners: u32, seat: usize| {
            f64::from(winners >> seat & 1) / f64::from((winners & sides).count_ones().max(1))
        };
        Values::Float(all.by_seat(|row, seat| of(winners(row), seat)))
    });
    for (item, declared) in model.score.iter().enumerate() {
        columns.add_as(&declared.name, "item", move || {
            Values::Int(all.by_seat(|row, seat| row[all.plan.item_at(seat, item)]))
        });
    }
    for (at, variable) in &all.plan.variables {
        let (members, step) = members(all.plan, variable);
        for (name, offset) in members {
            let encoding = variable.encoding;
            columns.add_as(&name, "var", move || values(all, encoding, at + offset, step));
            if let Some((low, high)) = variable.bounds(model, players) {
                columns.within(low, high);
            }
        }
    }
    let mut at = 0;
    for line in &all.plan.lines {
        for (kind, length) in &line.columns {
            let name = format!("{}_{}_{length}", model.score[line.item].name, direction(*kind));
            columns.add_as(&name, "runs", move || {
                Values::Int(all.by_seat(|row, seat| row[all.plan.lines_at(seat) + at]))
            });
            at += 1;
        }
    }
    columns.frame(count, plan.threads)
}

/// Returns the name of a direction, as rules write it.
fn direction(kind: LineKinds) -> &'static str {
    kind.names().next().unwrap_or("line")
}

/// Returns the columns of a variable: the name, and the offset of seat 0's value in the family; and the distance
/// between the values of two seats, which is 0 if all seats share them.
fn members(plan: &RowPlan, variable: &Variable) -> (Vec<(String, usize)>, usize) {
    let model = plan.model();
    let slot = &model.slots[variable.slot.index()];
    // The first index over players is the seat; every other index makes columns.
    let own = slot.index.iter().position(|domain| *domain == PLAYER);
    let mut columns = vec![(slot.name.clone(), 0)];
    let mut step = 0;
    for (at, domain) in slot.index.iter().enumerate() {
        let size = model.domains[domain.index()].size as usize;
        step *= size;
        columns.iter_mut().for_each(|(_, offset)| *offset *= size);
        if own == Some(at) {
            step = 1;
            continue;
        }
        let names = plan.element_names(*domain);
        let each = |(name, offset): (String, usize)| {
            let elements = names.iter().enumerate();
            elements.map(move |(at, element)| (format!("{name}_{element}"), offset + at)).collect::<Vec<_>>()
        };
        columns = columns.into_iter().flat_map(each).collect();
    }
    (columns, step)
}

fn values(all: RowTable<'_>, encoding: Encoding, first: usize, step: usize) -> Values {
    let value = |row: &[i64], seat: usize| row[first + seat * step];
    let element = |low: i64| {
        let element = |row: &[i64], seat| Some(value(row, seat)).filter(|at| *at >= 0).map(|at| low + at);
        Values::optional(all.by_seat(element).into_iter())
    };
    match encoding {
        Encoding::Number | Encoding::Size => Values::Int(all.by_seat(value)),
        Encoding::Bool => Values::Bool(all.by_seat(|row, seat| value(row, seat) != 0)),
        Encoding::Range(low) => element(low),
        Encoding::Seat => element(0),
        Encoding::Name(domain) => Values::Text {
            codes: all.by_seat(|row, seat| value(row, seat) as i32),
            words: all.plan.element_names(domain),
        },
    }
}

/// Merges duplicate strings and remaps the codes.
fn merge_words(codes: Vec<i32>, words: Vec<String>) -> (Vec<i32>, Vec<String>) {
    let mut seen = std::collections::HashMap::new();
    let mut kept = Vec::new();
    let place: Vec<i32> = words
        .into_iter()
        .map(|word| {
            *seen.entry(word).or_insert_with_key(|word| {
                kept.push(word.clone());
                kept.len() as i32 - 1
            })
        })
        .collect();
    let code = |code: i32| usize::try_from(code).map_or(-1, |at| place[at]);
    (codes.into_iter().map(code).collect(), kept)
}

impl GameRows {
    /// Makes the tables of the games and seats. `agents` are the names of the agents by seat.
    pub fn frames(&self, game: &Game, plan: &SimulationPlan, agents: &[String]) -> Frames {
        let row_plan = RowPlan::new(game);
        let all = RowTable { plan: &row_plan, rows: &self.games, players: game.players() as usize };
        let count = self.games.len() / row_plan.width().max(1);
        Frames {
            games: games(game, plan, agents, &all, count),
            seats: seats(plan, agents, &all, count * all.players),
        }
    }

    /// Makes a table with a row for each game and seat: the columns of the games, then those of the seats. A column of
    /// the seats with the name of another gets the prefix `seat_`.
    pub fn joined(&self, game: &Game, plan: &SimulationPlan, agents: &[String]) -> DataFrame {
        let Frames { games, seats } = self.frames(game, plan, agents);
        let players = game.players() as usize;
        let mut columns: Vec<Column> = games.columns;
        for column in &mut columns {
            let values = std::mem::replace(&mut column.values, Values::Int(vec![]));
            column.values = if players > 1 { values.repeated(players) } else { values };
        }
        let shared = ["index", "match", "game_in_match"];
        for mut column in seats.columns.into_iter().filter(|column| !shared.contains(&&*column.name)) {
            while columns.iter().any(|other| other.name == column.name) {
                column.name.insert_str(0, "seat_");
            }
            columns.push(column);
        }
        DataFrame { rows: seats.rows, columns }
    }

    /// Returns the number of games.
    pub fn games(&self, game: &Game) -> usize {
        self.games.len() / RowPlan::new(game).width().max(1)
    }

    /// Appends the games of later rows.
    pub fn extend(&mut self, later: GameRows) {
        self.games.extend(later.games);
        self.decisions.extend(later.decisions);
    }

    /// Makes the table of the decisions.
    pub fn decision_frame(&self, game: &Game, plan: &SimulationPlan) -> DataFrame {
        let model = game.model();
        let all = &self.decisions;
        let mut columns = Columns::new(vec![]);
        columns.add("index", || Values::Int(all.iter().map(|one| one.index as i64).collect()));
        columns.add("ply", || Values::Int(all.iter().map(|one| one.ply.into()).collect()));
        columns.add("turn", || Values::Int(all.iter().map(|one| one.turn.into()).collect()));
        columns.add("seat", || Values::Int(all.iter().map(|one| one.seat.into()).collect()));
        columns.add("step", || {
            let words: Vec<String> = model.steps.iter().map(|step| step.name.clone()).collect();
            Values::Text {
                codes: all.iter().map(|one| one.step.map_or(-1, |step| step as i32)).collect(),
                words,
            }
        });
        columns.add("option", || {
            let words: Vec<String> = model.actions.iter().map(|block| block.option.clone()).collect();
            let block =
                |one: &super::Decision| model.action_block_index(one.action).map_or(-1, |at| at as i32);
            Values::Text { codes: all.iter().map(block).collect(), words }
        });
        columns.add("action", || {
            // Only name the actions that were taken: a game may have a million.
            let mut code = vec![-1i32; game.actions() as usize];
            let mut words = Vec::new();
            let mut codes = Vec::with_capacity(all.len());
            for one in all {
                let at = &mut code[one.action.0 as usize];
                if *at < 0 {
                    *at = words.len() as i32;
                    words.push(game.action_name(one.action));
                }
                codes.push(*at);
            }
            Values::Text { codes, words }
        });
        columns.add("n_legal", || Values::Int(all.iter().map(|one| one.legal.into()).collect()));
        columns.add("score_before", || Values::optional(all.iter().map(|one| one.score)));
        columns.frame(all.len(), plan.threads)
    }
}
