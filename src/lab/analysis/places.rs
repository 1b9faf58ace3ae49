//! What happens on the boards: which sites are occupied, how much an action on a site is worth, and where runs give
//! points.

use serde::{Deserialize, Serialize};

use houserule_game::drawing::{Instance, instances, numbers, position, rows, symbols};
use houserule_game::explain::explain;
use houserule_game::{ActionId, Game, Seat, State};
use houserule_model::board::{Shape, Site};
use houserule_model::{BinderValue, Board, SlotId, Value};

/// Maximum number of sites of all boards. Larger games are not followed site by site.
const MOST_SITES: usize = 4096;

/// The unit of sums of fractions; divisible by any number of sites up to 16.
pub(crate) const UNITS: f64 = 720_720.0;

/// The boards of a game, prepared to be read often.
pub(crate) struct Places {
    pub(crate) boards: Vec<BoardSites>,
}

/// One board.
pub(crate) struct BoardSites {
    pub(crate) instance: Instance,
    pub(crate) size: usize,
    /// The sets of pieces: slot and position in it.
    pieces: Vec<(SlotId, usize)>,
    /// The variable whose numbers are drawn, if no piece can stand on the board.
    numbers: Option<SlotId>,
}

impl Places {
    pub(crate) fn new(game: &Game) -> Places {
        let boards: Vec<BoardSites> = instances(game)
            .into_iter()
            .map(|instance| {
                let board = &game.model().boards[instance.board.index()];
                let pieces = symbols(game, board);
                let pieces =
                    pieces.iter().map(|symbol| (symbol.piece, position(game, &instance, symbol))).collect();
                let size = board.topology.size() as usize;
                BoardSites { size, pieces, numbers: numbers(game, instance.board), instance }
            })
            .filter(|place| !place.pieces.is_empty() || place.numbers.is_some())
            .collect();
        let sites: usize = boards.iter().map(|place| place.size).sum();
        Places { boards: if sites <= MOST_SITES { boards } else { vec![] } }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.boards.is_empty()
    }

    /// Returns the number of sites of all boards.
    pub(crate) fn sites(&self) -> usize {
        self.boards.iter().map(|place| place.size).sum()
    }

    /// Returns the number of occupied sites.
    pub(crate) fn occupied(&self, state: &State) -> u32 {
        self.boards
            .iter()
            .map(|place| place.occupied(state).iter().filter(|site| **site).count() as u32)
            .sum()
    }
}

impl BoardSites {
    /// Returns which sites have a piece, or a number other than 0.
    fn occupied(&self, state: &State) -> Vec<bool> {
        let mut occupied = vec![false; self.size];
        for (slot, place) in &self.pieces {
            if let Value::Set(sites) = state.value(*slot, *place) {
                sites.iter().for_each(|site| occupied[site as usize] = true);
            }
        }
        if let Some(slot) = self.numbers {
            for (site, occupied) in occupied.iter_mut().enumerate() {
                let number = state.value(slot, self.instance.number * self.size + site);
                *occupied |= matches!(number, Value::Number(number) if number != 0);
            }
        }
        occupied
    }
}

/// Returns where each site of a board is drawn: column and row, from 0 at the upper left.
pub(crate) fn positions(board: &Board) -> Vec<(f64, f64)> {
    /// Sites in a row of a board whose sites have no columns and rows.
    const ROW: u32 = 12;
    let topology = &board.topology;
    let sites = 0..topology.size();
    let row = |site: u32| match board.from_top {
        true => topology.row_of(Site(site)) - 1,
        false => topology.height() - topology.row_of(Site(site)),
    };
    let column = |site: u32| topology.column_of(Site(site)) - 1;
    match topology.shape() {
        Shape::Grid { .. } | Shape::Cut { hex: false, .. } => {
            sites.map(|site| (f64::from(column(site)), f64::from(row(site)))).collect()
        }
        Shape::Hex { .. } | Shape::Cut { hex: true, .. } => {
            let shift = |site: u32| f64::from(topology.row_of(Site(site)) - 1) / 2.0;
            sites.map(|site| (f64::from(column(site)) + shift(site), f64::from(row(site)))).collect()
        }
        Shape::Graph | Shape::Track { .. } | Shape::Sides { .. } | Shape::Links => match topology.places() {
            Some(places) => {
                let rows = rows(board, 0);
                let position = |(column, number): &(u32, u32)| {
                    let row = rows.iter().position(|row| row.number == *number).unwrap_or(0);
                    (f64::from(*column), row as f64)
                };
                places.iter().map(position).collect()
            }
            None => sites.map(|site| (f64::from(site % ROW), f64::from(site / ROW))).collect(),
        },
    }
}

/// Returns the sites of a board that an action names, with the board's index.
pub(crate) fn named_sites(game: &Game, action: ActionId) -> Vec<(usize, u32)> {
    let boards = &game.model().boards;
    let sites = game.action_bindings(action).into_iter().filter_map(|binding| match binding {
        BinderValue::Element(domain, site) => {
            boards.iter().position(|board| board.domain == domain).map(|board| (board, site))
        }
        BinderValue::Subset(..) => None,
    });
    sites.collect()
}

/// Sums over games for each site of each board.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct SiteUse {
    /// Number of finished games.
    pub(crate) games: u64,
    /// Number of games with explained scores.
    pub(crate) explained: u64,
    pub(crate) boards: Vec<BoardUse>,
}

/// Sums over games for the sites of a board.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct BoardUse {
    /// Games in which the site is occupied at the end.
    pub(crate) occupied: Vec<u64>,
    /// Sum of the values of the actions that name the site, relative to the mean of all actions of the decision, in
    /// units of 1/[`UNITS`]. Integers, so the sum doesn't depend on the order of the games.
    pub(crate) worth: Vec<i64>,
    /// Number of these actions.
    pub(crate) actions: Vec<u64>,
    /// Points of runs through the site, divided equally among the sites of a run, in units of 1/[`UNITS`].
    pub(crate) points: Vec<i64>,
}

impl SiteUse {
    pub(crate) fn new(places: &Places) -> SiteUse {
        let board = |place: &BoardSites| BoardUse {
            occupied: vec![0; place.size],
            worth: vec![0; place.size],
            actions: vec![0; place.size],
            points: vec![0; place.size],
        };
        SiteUse { boards: places.boards.iter().map(board).collect(), ..SiteUse::default() }
    }

    /// Adds the values of the actions of a decision, to the last site that each names.
    pub(crate) fn weigh(&mut self, places: &Places, game: &Game, actions: &[(ActionId, f32)], mean: f32) {
        if self.boards.is_empty() {
            return;
        }
        for (action, value) in actions {
            let Some((board, site)) = named_sites(game, *action).pop() else { continue };
            // An index of the board stands in a variable, so only single boards are known by the action.
            let mut boards = places.boards.iter().zip(&mut self.boards);
            if let Some((_, sums)) = boards.find(|(place, _)| place.instance.board.index() == board) {
                sums.worth[site as usize] += (f64::from(value - mean) * UNITS) as i64;
                sums.actions[site as usize] += 1;
            }
        }
    }

    /// Adds a finished game; `explains` its score run by run as well, which takes long.
    pub(crate) fn end(&mut self, places: &Places, state: &State, explains: bool) {
        self.games += 1;
        for (place, sums) in places.boards.iter().zip(&mut self.boards) {
            let occupied = place.occupied(state);
            sums.occupied.iter_mut().zip(occupied).for_each(|(sum, is)| *sum += u64::from(is));
        }
        if !explains || self.boards.len() != 1 || state.game().model().score.is_empty() {
            return;
        }
        let board = &state.game().model().boards[places.boards[0].instance.board.index()];
        let names: Vec<String> =
            (0..board.topology.size()).map(|site| board.topology.site_name(Site(site))).collect();
        for player in 0..state.game().players() {
            let Ok(items) = explain(state, Seat(player)) else { return };
            for run in items.iter().flat_map(|item| &item.runs) {
                for site in &run.sites {
                    if let Some(at) = names.iter().position(|name| name == site) {
                        self.boards[0].points[at] +=
                            (run.points as f64 * UNITS / run.sites.len() as f64) as i64;
                    }
                }
            }
        }
        self.explained += 1;
    }

    pub(crate) fn merge(&mut self, other: &SiteUse) {
        self.games += other.games;
        self.explained += other.explained;
        for (mine, other) in self.boards.iter_mut().zip(&other.boards) {
            mine.occupied.iter_mut().zip(&other.occupied).for_each(|(sum, more)| *sum += more);
            mine.worth.iter_mut().zip(&other.worth).for_each(|(sum, more)| *sum += more);
            mine.actions.iter_mut().zip(&other.actions).for_each(|(sum, more)| *sum += more);
            mine.points.iter_mut().zip(&other.points).for_each(|(sum, more)| *sum += more);
        }
    }
}
