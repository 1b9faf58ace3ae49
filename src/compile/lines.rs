//! Lines of a board as the kernels want them: strides and masks, or lists where masks can't say it.

use super::layout::value_words;
use super::lower::Lower;
use crate::board::kernel::LANES;
use crate::board::{BitSet, LineKinds, Shape, Topology};
use crate::lang::model::{BoardId, PointsTable, Value};
use crate::program::{Grid, LineList, LineRef, LineTable};

impl Lower<'_> {
    /// A line test for runs of at least `length`.
    pub(super) fn line_test(&mut self, board: BoardId, along: LineKinds, length: u32) -> LineRef {
        self.lines(board, along, Some(length), None)
    }

    /// What scores lines, or finds the longest.
    pub(super) fn line_score(
        &mut self,
        board: BoardId,
        along: LineKinds,
        points: Option<&PointsTable>,
    ) -> LineRef {
        self.lines(board, along, None, points)
    }

    /// Lines as lists, for what masks can't say.
    pub(super) fn run_lists(&mut self, board: BoardId, along: LineKinds) -> u16 {
        if let Some(lines) = self.line_lists.get(&(board, along)) {
            return *lines;
        }
        let topology = self.topology(board);
        let Shape::Grid { width, height, .. } = *topology.shape();
        let lists = topology.lines().iter().filter(|l| along.contains(l.kind));
        let lists =
            lists.map(|l| LineList { sites: l.sites.iter().map(|s| *s as u16).collect(), cyclic: l.cyclic });
        let lines = LineTable {
            grid: Grid { width, height },
            along,
            length: 0,
            strides: [0; LANES],
            masks: 0,
            points: vec![],
            second_differences: vec![],
            lists: lists.collect(),
        };
        let lines = self.keep_lines(lines).0;
        self.line_lists.insert((board, along), lines);
        lines
    }

    fn keep_lines(&mut self, lines: LineTable) -> LineRef {
        let at = self.program.lines.iter().position(|l| *l == lines).unwrap_or_else(|| {
            self.program.lines.push(lines);
            self.program.lines.len() - 1
        });
        LineRef(at as u16)
    }

    fn lines(
        &mut self,
        board: BoardId,
        along: LineKinds,
        test: Option<u32>,
        points: Option<&PointsTable>,
    ) -> LineRef {
        let topology = self.topology(board);
        let longest = topology.lines().iter().map(|l| l.sites.len() as u32).max().unwrap_or(1);
        let Shape::Grid { width, height, wrap } = *topology.shape();
        let length = test.unwrap_or(longest);
        let table: Vec<i64> = (0..=i64::from(longest)).map(|n| points.map_or(0, |p| p.get(n))).collect();
        let key = (board, along, test, table.clone());
        if let Some(lines) = self.lines.get(&key) {
            return *lines;
        }
        let mut lines = LineTable {
            grid: Grid { width, height },
            along,
            length,
            strides: [0; LANES],
            masks: 0,
            points: table,
            second_differences: vec![],
            lists: vec![],
        };
        if wrap {
            lines.lists = topology
                .lines()
                .iter()
                .filter(|l| along.contains(l.kind))
                .map(|l| LineList { sites: l.sites.iter().map(|s| *s as u16).collect(), cyclic: l.cyclic })
                .collect();
        } else {
            if test.is_none() {
                let p = |n: i64| if n > 0 { lines.points[n as usize] } else { 0 };
                lines.second_differences = (1..=i64::from(longest))
                    .map(|n| p(n).wrapping_sub(p(n - 1).wrapping_mul(2)).wrapping_add(p(n - 2)))
                    .collect();
            }
            let mut masks = vec![];
            for n in if test.is_some() { length..=length } else { 1..=longest } {
                for (lane, (kind, dx, dy)) in orientations().into_iter().enumerate() {
                    lines.strides[lane] = (dy * width as i32 + dx) as u32;
                    let starts = match along.contains(kind) {
                        true => window_starts(topology, dx, dy, n),
                        false => BitSet::empty(topology.size()),
                    };
                    masks.extend(value_words(self.layout.width, &Value::Set(starts)));
                }
            }
            lines.masks = self.set_row(&masks);
        }
        let lines = self.keep_lines(lines);
        self.lines.insert(key, lines);
        lines
    }
}

/// The four orientations of lines on a grid, as steps that raise a site's number.
fn orientations() -> [(LineKinds, i32, i32); 4] {
    [
        (LineKinds::ACROSS, 1, 0),
        (LineKinds::DOWN, 0, 1),
        (LineKinds::DIAGONAL, 1, 1),
        (LineKinds::DIAGONAL, -1, 1),
    ]
}

/// The sites from which `n` sites in a direction lie on the board.
fn window_starts(topology: &Topology, dx: i32, dy: i32, n: u32) -> BitSet {
    let inside = |x: i64, y: i64| topology.site_at(x, y).is_some();
    BitSet::from_elements(
        topology.size(),
        (0..topology.size()).filter(|s| {
            let (x, y) = (i64::from(topology.column_of(*s)), i64::from(topology.row_of(*s)));
            let k = i64::from(n.max(1)) - 1;
            inside(x + k * i64::from(dx), y + k * i64::from(dy))
        }),
    )
}
