//! Runs that gave points, in words.

use super::plural;
use crate::State;
use houserule_model::board::{LineKinds, LineRun, Site, Topology};
use houserule_model::{BoardId, SlotId, Value};

/// A run that gave points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedRun {
    /// The board.
    pub board: BoardId,
    /// For example `row 3`, `column c` or `rising diagonal`.
    pub line: String,
    /// The kind of line.
    pub kind: LineKinds,
    /// Its direction.
    pub direction: LineDirection,
    /// The sites, in the order of the line.
    pub sites: Vec<String>,
    /// For example `4 dots` or `3 dots, 1 wild`.
    pub pieces: String,
    /// The points.
    pub points: i64,
}

/// The direction of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LineDirection {
    /// Along a row.
    Across,
    /// Along a column.
    Down,
    /// Along a diagonal, up to the right.
    Rising,
    /// Along a diagonal, down to the right.
    Falling,
    /// Any other line, as on hexes and graphs.
    Other,
}

impl LineDirection {
    /// All directions, in the order of lists.
    pub const ALL: [LineDirection; 5] = [
        LineDirection::Across,
        LineDirection::Down,
        LineDirection::Rising,
        LineDirection::Falling,
        LineDirection::Other,
    ];

    /// Returns `across`, `down`, `rising`, `falling` or `other lines`.
    pub fn name(self) -> &'static str {
        match self {
            LineDirection::Across => "across",
            LineDirection::Down => "down",
            LineDirection::Rising => "rising",
            LineDirection::Falling => "falling",
            LineDirection::Other => "other lines",
        }
    }

    /// Returns the direction of a line of a board.
    pub fn from_line(topology: &Topology, line: usize) -> LineDirection {
        let line = &topology.lines()[line];
        if !topology.has_rows() {
            return LineDirection::Other;
        }
        // A line of a torus may begin anywhere. Two neighbours that are not at opposite edges tell its
        // direction.
        let steps = line.sites.windows(2).map(|pair| {
            let step = |of: &dyn Fn(Site) -> u32| i64::from(of(pair[1])) - i64::from(of(pair[0]));
            (step(&|site| topology.column_of(site)), step(&|site| topology.row_of(site)))
        });
        let step = steps.into_iter().find(|(across, up)| across.abs() <= 1 && up.abs() <= 1);
        match step {
            _ if line.kind == LineKinds::ACROSS => LineDirection::Across,
            _ if line.kind == LineKinds::DOWN && topology.has_corners() => LineDirection::Down,
            Some((across, up)) if topology.has_corners() && across * up == 1 => LineDirection::Rising,
            Some((across, up)) if topology.has_corners() && across * up == -1 => LineDirection::Falling,
            _ => LineDirection::Other,
        }
    }
}

/// Describes a run and its points in words, with the pieces that are seen.
pub(crate) fn counted(
    state: &State,
    sees: &dyn Fn(SlotId, usize) -> bool,
    board: BoardId,
    run: LineRun,
    points: i64,
) -> CountedRun {
    let topology = &state.game().model().boards[board.index()].topology;
    let sites: Vec<Site> = run.sites(topology).collect();
    let direction = LineDirection::from_line(topology, run.line);
    CountedRun {
        board,
        line: line_name(topology, direction, &sites),
        kind: topology.lines()[run.line].kind,
        direction,
        sites: sites.iter().map(|site| topology.site_name(*site)).collect(),
        pieces: pieces(state, sees, board, &sites),
        points,
    }
}

fn line_name(topology: &Topology, direction: LineDirection, sites: &[Site]) -> String {
    match direction {
        LineDirection::Rising => return "rising diagonal".to_owned(),
        LineDirection::Falling => return "falling diagonal".to_owned(),
        _ => {}
    }
    let (Some(first), Some(second)) = (sites.first(), sites.get(1).or(sites.first())) else {
        return String::new();
    };
    if !topology.has_rows() {
        return "line".to_owned();
    }
    let (column, row) = (topology.column_of(*first), topology.row_of(*first));
    let (next_column, next_row) = (topology.column_of(*second), topology.row_of(*second));
    if direction == LineDirection::Across || row == next_row && direction != LineDirection::Down {
        format!("row {row}")
    } else if column == next_column {
        let names = topology.column_names();
        format!("column {}", names.get(column as usize - 1).map_or("", String::as_str))
    } else {
        "diagonal".to_owned()
    }
}

/// Returns the pieces that are seen on some sites of a board in words, counted by kind.
fn pieces(state: &State, sees: &dyn Fn(SlotId, usize) -> bool, board: BoardId, sites: &[Site]) -> String {
    let model = state.game().model();
    let mut told = Vec::new();
    for slot in &model.boards[board.index()].pieces {
        let count = sites.iter().filter(|site| stands(state, sees, *slot, **site)).count();
        let name = &model.slots[slot.index()].name;
        match count {
            0 => {}
            1 => told.push(format!("1 {name}")),
            _ => told.push(format!("{count} {}", plural(name))),
        }
    }
    told.join(", ")
}

fn stands(state: &State, sees: &dyn Fn(SlotId, usize) -> bool, slot: SlotId, site: Site) -> bool {
    let positions = state.game().model().slots[slot.index()].initial.len();
    let lies = |at: usize| matches!(state.value(slot, at), Value::Set(set) if set.contains(site.0));
    (0..positions).any(|at| sees(slot, at) && lies(at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_model::board::Notation;

    #[test]
    fn lines_have_names() {
        let board = Topology::grid(6, 6, false, Notation::Letters);
        let sites = |names: &[&str]| names.iter().map(|n| board.parse_site(n).unwrap()).collect::<Vec<_>>();
        let name = |names: &[&str]| {
            let wanted = sites(names);
            let has = |line: &usize| wanted.iter().all(|site| board.lines()[*line].sites.contains(site));
            let line = (0..board.lines().len()).find(has).unwrap();
            line_name(&board, LineDirection::from_line(&board, line), &wanted)
        };
        assert_eq!(name(&["c3", "d3", "e3"]), "row 3");
        assert_eq!(name(&["b2", "b3"]), "column b");
        assert_eq!(name(&["a1", "b2"]), "rising diagonal");
        assert_eq!(name(&["a6", "b5"]), "falling diagonal");
    }

    #[test]
    fn every_line_of_a_torus_has_a_direction() {
        let board = Topology::grid(6, 6, true, Notation::Letters);
        for direction in &LineDirection::ALL[..4] {
            let lines =
                (0..board.lines().len()).filter(|line| LineDirection::from_line(&board, *line) == *direction);
            assert_eq!(lines.count(), 6, "{direction:?}");
        }
    }
}
