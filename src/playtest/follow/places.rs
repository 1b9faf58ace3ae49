//! What happens on the boards: which sites are occupied, how much an action on a site is worth, and where runs give
//! points.

use serde::{Deserialize, Serialize};

use houserule_game::drawing::{Instance, instances, numbers, position, rows, symbols};
use houserule_game::explain::explain;
use houserule_game::{ActionId, Game, Seat, State, family_names};
use houserule_model::board::{Shape, Side, Site};
use houserule_model::{BinderValue, Board, BoardId, SlotId, Value};

/// Maximum number of sites of all boards. Larger games are not followed site by site.
const MOST_SITES: usize = 4096;

/// The unit of sums of fractions; divisible by any number of sites up to 16.
pub const UNITS: f64 = 720_720.0;

/// The boards of a game, prepared to be read often.
pub struct Places {
    /// The boards, each once for every index.
    pub boards: Vec<BoardSites>,
    /// Why there are none, in a sentence and as a reason.
    pub none: (&'static str, &'static str),
}

/// One board.
pub struct BoardSites {
    /// The board, and which of its index.
    pub instance: Instance,
    /// Number of sites.
    pub size: usize,
    /// The sets of pieces: slot and position in it.
    pieces: Vec<(SlotId, usize)>,
    /// The variable whose numbers are drawn, if no piece can stand on the board.
    numbers: Option<SlotId>,
    /// `true` if the sites are the sides of cells or the links between sites.
    edges: bool,
}

impl Places {
    /// Finds the places of a game.
    pub fn new(game: &Game) -> Places {
        let model = game.model();
        let cells = instances(game);
        let edges = model.boards.iter().enumerate().filter(|(_, board)| board.sides_of.is_some());
        let edges = edges.flat_map(|(at, board)| {
            let board_id = BoardId(at as u32);
            let names = family_names(game, &board.name, &board.index).into_iter().enumerate();
            names.map(move |(number, name)| Instance { board: board_id, number, name })
        });
        let all: Vec<Instance> = cells.into_iter().chain(edges).collect();
        let none = match all.is_empty() {
            true => ("The game has no board to look at.", "the rules have no board"),
            false => (
                "Nothing on a board of the game can be counted.",
                "no pieces stand on a board, and no variable has a number for each site",
            ),
        };
        let mut boards: Vec<BoardSites> = all
            .into_iter()
            .map(|instance| BoardSites::new(game, instance))
            .filter(|place| !place.pieces.is_empty() || place.numbers.is_some())
            .collect();
        let too_many =
            |boards: &[BoardSites]| boards.iter().map(|place| place.size).sum::<usize>() > MOST_SITES;
        if too_many(&boards) {
            boards.retain(|place| !place.edges);
        }
        match too_many(&boards) {
            false => Places { boards, none },
            true => Places {
                boards: vec![],
                none: (
                    "The boards have too many sites to follow each.",
                    "the boards have more than 4,096 sites with pieces or numbers",
                ),
            },
        }
    }

    /// Returns the only board on which runs can be, among those whose sites aren't sides or links.
    fn board_of_runs(&self) -> Option<usize> {
        let mut cells = (0..self.boards.len()).filter(|at| !self.boards[*at].edges);
        match (cells.next(), cells.next(), self.boards.len()) {
            (Some(only), None, _) => Some(only),
            (None, None, 1) => Some(0),
            _ => None,
        }
    }

    /// Returns `true` if no site is followed.
    pub fn is_empty(&self) -> bool {
        self.boards.is_empty()
    }

    /// Returns the number of sites of all boards.
    pub fn sites(&self) -> usize {
        self.boards.iter().map(|place| place.size).sum()
    }

    /// Returns the number of occupied sites.
    pub fn occupied(&self, state: &State) -> u32 {
        self.boards
            .iter()
            .map(|place| place.occupied(state).iter().filter(|site| **site).count() as u32)
            .sum()
    }
}

impl BoardSites {
    fn new(game: &Game, instance: Instance) -> BoardSites {
        let board = &game.model().boards[instance.board.index()];
        let pieces = symbols(game, board);
        let pieces = pieces.iter().map(|symbol| (symbol.piece, position(game, &instance, symbol))).collect();
        let (size, edges) = (board.topology.size() as usize, board.sides_of.is_some());
        BoardSites { size, pieces, numbers: numbers(game, instance.board), edges, instance }
    }

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
pub fn positions(boards: &[Board], of: BoardId) -> Vec<(f64, f64)> {
    let board = &boards[of.index()];
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
        Shape::Sides { height, .. } => sites
            .filter_map(|site| topology.side(Site(site)))
            .map(|side| side_position(side, *height, board))
            .collect(),
        Shape::Links => link_positions(boards, board),
        Shape::Graph | Shape::Track { .. } => match topology.places() {
            Some(places) => {
                let rows = rows(board, 0);
                let position = |(column, number): &(u32, u32)| {
                    let row = rows.iter().position(|row| row.number == *number).unwrap_or(0);
                    (f64::from(*column), row as f64)
                };
                places.iter().map(position).collect()
            }
            None => in_rows(topology.size()),
        },
    }
}

/// Returns positions for sites that have no columns and rows.
fn in_rows(sites: u32) -> Vec<(f64, f64)> {
    /// Sites in a row.
    const ROW: u32 = 12;
    (0..sites).map(|site| (f64::from(site % ROW), f64::from(site / ROW))).collect()
}

/// Returns where a side is drawn, if its cells are two apart.
fn side_position(side: Side, height: u32, board: &Board) -> (f64, f64) {
    // Rows of cells, and of the lines between them, are counted like the rows of the board.
    let down = |at: u32, most: u32| f64::from(if board.from_top { at } else { most - at });
    match side.upright {
        true => (2.0 * f64::from(side.line), 2.0 * down(side.along, height - 1) + 1.0),
        false => (2.0 * f64::from(side.along) + 1.0, 2.0 * down(side.line, height)),
    }
}

/// Returns where links are drawn: half-way between the sites that they join, which are two apart, or a third of the way
/// where links cross. Without columns and rows they are in rows.
fn link_positions(boards: &[Board], board: &Board) -> Vec<(f64, f64)> {
    let Some(cells) = board.sides_of else { return in_rows(board.topology.size()) };
    let topology = &boards[cells.index()].topology;
    if !topology.has_rows() && topology.places().is_none() {
        return in_rows(board.topology.size());
    }
    let sites = positions(boards, cells);
    let along = |near: f64| -> Vec<(f64, f64)> {
        let ends = board.topology.sites().filter_map(|link| board.topology.ends(link));
        let at = |[a, b]: [Site; 2]| {
            let ((ax, ay), (bx, by)) = (sites[a.index()], sites[b.index()]);
            (near * ax + bx, near * ay + by)
        };
        ends.map(at).collect()
    };
    let half_way = along(1.0);
    let mut apart = half_way.clone();
    apart.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1)));
    match apart.windows(2).any(|pair| pair[0] == pair[1]) {
        true => along(2.0),
        false => half_way,
    }
}

/// Returns the sites of a board that an action names, with the board's index.
pub fn named_sites(game: &Game, action: ActionId) -> Vec<(usize, u32)> {
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
pub struct SiteUse {
    /// Number of finished games.
    pub games: u64,
    /// Number of games with explained scores.
    pub explained: u64,
    /// The boards, as in [`Places`].
    pub boards: Vec<BoardUse>,
}

/// Sums over games for the sites of a board.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct BoardUse {
    /// Games in which the site is occupied at the end.
    pub occupied: Vec<u64>,
    /// Sum of the values of the actions that name the site, relative to the mean of all actions of the decision, in
    /// units of 1/[`UNITS`]. Integers, so the sum doesn't depend on the order of the games.
    pub worth: Vec<i64>,
    /// Number of these actions.
    pub actions: Vec<u64>,
    /// Points of runs through the site, divided equally among the sites of a run, in units of 1/[`UNITS`].
    pub points: Vec<i64>,
}

impl SiteUse {
    /// Starts without a game.
    pub fn new(places: &Places) -> SiteUse {
        let board = |place: &BoardSites| BoardUse {
            occupied: vec![0; place.size],
            worth: vec![0; place.size],
            actions: vec![0; place.size],
            points: vec![0; place.size],
        };
        SiteUse { boards: places.boards.iter().map(board).collect(), ..SiteUse::default() }
    }

    /// Adds the values of the actions of a decision, to the last site that each names.
    pub fn weigh(&mut self, places: &Places, game: &Game, actions: &[(ActionId, f32)], mean: f32) {
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
    pub fn end(&mut self, places: &Places, state: &State, explains: bool) {
        self.games += 1;
        for (place, sums) in places.boards.iter().zip(&mut self.boards) {
            let occupied = place.occupied(state);
            sums.occupied.iter_mut().zip(occupied).for_each(|(sum, is)| *sum += u64::from(is));
        }
        let Some(of_runs) = places.board_of_runs() else { return };
        if !explains || state.game().model().score.is_empty() {
            return;
        }
        let board = &state.game().model().boards[places.boards[of_runs].instance.board.index()];
        let names: Vec<String> =
            (0..board.topology.size()).map(|site| board.topology.site_name(Site(site))).collect();
        for player in 0..state.game().players() {
            let Ok(items) = explain(state, Seat(player)) else { return };
            for run in items.iter().flat_map(|item| &item.runs) {
                for site in &run.sites {
                    if let Some(at) = names.iter().position(|name| name == site) {
                        self.boards[of_runs].points[at] +=
                            (run.points as f64 * UNITS / run.sites.len() as f64) as i64;
                    }
                }
            }
        }
        self.explained += 1;
    }

    /// Adds the games of another.
    pub fn merge(&mut self, other: &SiteUse) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_model::board::{Near, Notation, Topology};
    use houserule_model::{DomainId, Visibility};

    fn board(topology: Topology, sides_of: Option<BoardId>, from_top: bool) -> Board {
        Board {
            name: "board".to_owned(),
            domain: DomainId(0),
            index: vec![],
            topology,
            own_sites: vec![],
            from_top,
            visibility: Visibility::All,
            sides_of,
            empty: SlotId(0),
            pieces: vec![],
            grounds: vec![],
            look: houserule_model::BoardLook::default(),
        }
    }

    fn place_of(boards: &[Board], name: &str) -> (f64, f64) {
        let site = boards[1].topology.parse_site(name).unwrap();
        positions(boards, BoardId(1))[site.index()]
    }

    /// Sides lie between their cells, which are two apart. North is at the top of the page.
    #[test]
    fn sides_are_drawn_between_cells() {
        for from_top in [false, true] {
            let cells = Topology::grid(2, 3, false, Notation::Letters);
            let sides = Topology::sides(2, 3, Notation::Letters, from_top);
            let boards = [board(cells, None, from_top), board(sides, Some(BoardId(0)), from_top)];
            let row = if from_top { 0.0 } else { 2.0 };
            for (side, at) in [
                ("a1-west", (0.0, 2.0 * row + 1.0)),
                ("a1-east", (2.0, 2.0 * row + 1.0)),
                ("b1-north", (3.0, 2.0 * row)),
                ("b1-south", (3.0, 2.0 * row + 2.0)),
            ] {
                assert_eq!(place_of(&boards, side), at, "{side}, from the top: {from_top}");
            }
        }
    }

    /// Links lie half-way between their sites, but the two diagonals of a square lie apart.
    #[test]
    fn links_are_drawn_apart() {
        for (near, at, most) in [(Near::Beside, (1.0, 2.0), 2.0), (Near::Around, (1.0, 3.0), 3.0)] {
            let cells = Topology::grid(2, 2, false, Notation::Letters);
            let links = Topology::links(&cells, near).unwrap();
            let boards = [board(cells, None, false), board(links, Some(BoardId(0)), false)];
            assert_eq!(place_of(&boards, "a1_b1"), at);
            let all = positions(&boards, BoardId(1));
            assert!(all.iter().all(|(x, y)| (0.0..=most).contains(x) && (0.0..=most).contains(y)), "{all:?}");
            let is_twice = |at: usize| all[at + 1..].contains(&all[at]);
            assert!(!(0..all.len()).any(is_twice), "{all:?}");
        }
    }
}
