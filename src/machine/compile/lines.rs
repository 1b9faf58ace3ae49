//! Line tables for the board kernels: strides and masks on plain grids, lists of sites on other boards.

use super::conditions::lift::mentions;
use super::lower::{Lowering, WALL_WORDS};
use crate::program::{Directions, Enclosure, FunctionRef, LineList, LineRef, LineTable, SetFunction, Sets};
use houserule_model::board::GridSize;
use houserule_model::board::kernel::LANES;
use houserule_model::board::{BitSet, LineKinds, Near, Shape, Site, Topology};
use houserule_model::{
    BoardId, CheckedExpr, CheckedExprKind, LocalId, PointsTable, Role, Value, value_words, walk,
};

/// Maximum length of a tested line with windows: four of them fit in a word.
const WINDOW: u32 = 64 / (2 * LANES as u32);

impl Lowering<'_> {
    /// Returns a line test for runs of at least `length`.
    pub(super) fn line_test(&mut self, board: BoardId, along: LineKinds, length: u32) -> LineRef {
        self.lines(board, along, Some(length), None)
    }

    /// Returns a table to score lines, or without points to find the longest.
    pub(super) fn line_score(
        &mut self,
        board: BoardId,
        along: LineKinds,
        points: Option<&PointsTable>,
    ) -> LineRef {
        self.lines(board, along, None, points)
    }

    /// Returns the lines as lists of sites.
    pub(super) fn run_lists(&mut self, board: BoardId, along: LineKinds) -> u16 {
        if let Some(lines) = self.line_lists.get(&(board, along)) {
            return *lines;
        }
        let topology = self.topology(board);
        let lines = LineTable { lists: lists(topology, along), ..no_lines(topology, along) };
        let lines = self.keep_lines(lines).0;
        self.line_lists.insert((board, along), lines);
        lines
    }

    /// Returns the line test with a cache: for each set of a family, a set without a line. Sets of one word get
    /// no cache, because testing them is cheaper.
    pub(super) fn remembering(&mut self, board: BoardId, lines: LineRef, from: Sets) -> LineRef {
        let table = &self.program.lines[usize::from(lines.0)];
        if self.layout.width == 1 || !table.lists.is_empty() || from.at >= self.layout.live {
            return lines;
        }
        if let Some(known) = self.remembered_lines.get(&(lines.0, from.at)) {
            return *known;
        }
        let mut table = table.clone();
        let Some(memory) = self.remember(usize::from(from.len) * usize::from(self.layout.width)) else {
            return lines;
        };
        table.memory = Some(memory);
        let topology = self.topology(board);
        let mut limits = vec![[0; 2 * LANES]; topology.size() as usize];
        for (lane, (kind, dx, dy)) in orientations().into_iter().enumerate() {
            for (sign, lane) in [(1, lane), (-1, lane + LANES)] {
                for n in (2..=table.length).filter(|_| table.along.contains(kind)) {
                    for site in window_starts(topology, sign * dx, sign * dy, n).iter() {
                        limits[site as usize][lane] = (n - 1).min(255) as u8;
                    }
                }
            }
        }
        let is_near = |stride: &u32| (1..=64).contains(&(stride * (table.length - 1)));
        if table.length <= WINDOW && table.strides.iter().all(is_near) {
            for (lane, stride) in table.strides.into_iter().enumerate() {
                for n in 1..table.length {
                    table.above[lane] |= 1 << (stride * n - 1);
                    table.below[lane] |= 1 << (64 - stride * n);
                }
            }
            table.windows = limits.iter().map(|limits| windows(table.length, limits)).collect();
        }
        table.limits = limits;
        self.program.lines.push(table);
        let known = LineRef((self.program.lines.len() - 1) as u16);
        self.remembered_lines.insert((lines.0, from.at), known);
        known
    }

    /// Returns the function for what can be reached, with a cache for each player.
    pub(super) fn reach(
        &mut self,
        board: BoardId,
        orthogonal: bool,
        seed: &CheckedExpr,
        within: &CheckedExpr,
    ) -> FunctionRef {
        let near = Near::neighbours(orthogonal);
        let (table, moves) = (self.neighbour_table(board, near).0, self.moves(board, near));
        let key = (table, format!("{within:?}"));
        if let Some(known) = self.remembered_reaches.get(&key) {
            return *known;
        }
        let words = 3 * usize::from(self.layout.width) * usize::from(self.program.players);
        // A computed set differs every time, and so does the component of a single site: a cache would never
        // hit. On large boards, the component of a site in a stored set has a cache all the same.
        let part = matches!(&seed.kind, CheckedExprKind::Elements(list) if list.len() == 1);
        let kept = matches!(within.kind, CheckedExprKind::Read(_));
        // As pieces are placed, the empty sites get fewer: if only the start or only the region is made of
        // empty sites, the two don't grow together.
        let is_opposed = self.reads_empty(seed) != self.reads_empty(within);
        let passing = matches!(within.kind, CheckedExprKind::Local(_))
            || part && (!kept || self.layout.width <= 2)
            || is_opposed;
        let memory = if passing { None } else { self.remember(words) };
        let topology = self.topology(board);
        let grid = GridSize { width: topology.width(), height: topology.height() };
        let plain = matches!(topology.shape(), Shape::Grid { wrap: false, .. });
        let rows = (passing && plain && self.layout.width > 2).then_some((grid, orthogonal));
        let f = self.function(SetFunction::Reach { table, moves, memory, rows });
        self.remembered_reaches.insert(key, f);
        f
    }

    /// Returns `true` if an expression reads the empty sites of a board.
    fn reads_empty(&self, e: &CheckedExpr) -> bool {
        let (slots, _) = walk::reads(e);
        slots.iter().any(|slot| matches!(self.model.slots[slot.index()].role, Role::Empty(_)))
    }

    /// Returns `true` if an enclosure function has a cache.
    pub(super) fn remembers(&self, f: FunctionRef) -> bool {
        matches!(&self.program.functions[usize::from(f.0)], SetFunction::Enclosed(of) if of.memory.is_some())
    }

    /// Returns the function for what is enclosed: by `walls`, with a cache for each player, or by any set (the
    /// fill).
    pub(super) fn enclosure(
        &mut self,
        board: BoardId,
        orthogonal: bool,
        walls: Option<&CheckedExpr>,
    ) -> FunctionRef {
        let near = Near::neighbours(orthogonal);
        let table = self.neighbour_table(board, near);
        let key = (table.0, walls.map(|walls| format!("{walls:?}")));
        if let Some(known) = self.enclosures.get(&key) {
            return *known;
        }
        let topology = self.topology(board);
        let plain = matches!(topology.shape(), Shape::Grid { wrap: false, .. });
        let mut of = Enclosure {
            orthogonal,
            grid: plain.then_some(GridSize { width: topology.width(), height: topology.height() }),
            table: table.0,
            moves: self.moves(board, near),
            edge: self.set_ref(&topology.edge()).0.into(),
            all: self.set_ref(&BitSet::full(topology.size())).0.into(),
            memory: None,
        };
        let f = match walls {
            Some(_) => {
                if plain && orthogonal {
                    let each = of.memory_words(self.layout.width.into());
                    of.memory = self.remember_within(each * usize::from(self.program.players), WALL_WORDS);
                }
                SetFunction::Enclosed(of)
            }
            None => SetFunction::Fill(of),
        };
        let f = self.function(f);
        self.enclosures.insert(key, f);
        f
    }

    /// Returns the function for the sites between two others.
    pub(super) fn custodial(&mut self, board: BoardId) -> FunctionRef {
        let function = match self.directions(board) {
            Some(directions) => SetFunction::Custodial(directions),
            None => SetFunction::CustodialLists { lines: self.run_lists(board, LineKinds::ALL) },
        };
        self.function(function)
    }

    /// Returns the directions of a board as shifts, or `None` if it is no plain grid.
    fn directions(&mut self, board: BoardId) -> Option<Directions> {
        let topology = self.topology(board);
        let Shape::Grid { width, height, wrap: false } = *topology.shape() else { return None };
        let strides = orientations().map(|(_, dx, dy)| (dy * width as i32 + dx) as u32);
        let masks = match self.direction_rows.get(&board) {
            Some(row) => *row,
            None => {
                let mut masks = vec![];
                for (sign, (_, dx, dy)) in [1, -1].into_iter().flat_map(|s| orientations().map(|o| (s, o))) {
                    // A step reaches the sites from which a step back is possible.
                    let reached = window_starts(topology, -sign * dx, -sign * dy, 2);
                    masks.extend(value_words(self.layout.width, &Value::Set(reached)));
                }
                let row = self.set_row(&masks);
                self.direction_rows.insert(board, row);
                row
            }
        };
        Some(Directions { strides, masks, doublings: doublings(width.max(height)) })
    }

    /// Matches a condition that a straight run leads from a site through a set to others. It can be evaluated for
    /// all sites at once. Returns the directions, the others and the set between.
    pub(super) fn flanks<'e>(
        &mut self,
        local: LocalId,
        condition: &'e CheckedExpr,
    ) -> Option<(Directions, &'e CheckedExpr, &'e CheckedExpr)> {
        if !self.is_flanks(local, condition) {
            return None;
        }
        let CheckedExprKind::IsSome(of) = &condition.kind else { return None };
        let CheckedExprKind::Custodial { board, to, through, .. } = &of.kind else { return None };
        Some((self.directions(*board)?, to, through))
    }

    /// Returns `true` if [`Lowering::flanks`] applies to a condition.
    pub(super) fn is_flanks(&self, local: LocalId, condition: &CheckedExpr) -> bool {
        let CheckedExprKind::IsSome(of) = &condition.kind else { return false };
        let CheckedExprKind::Custodial { board, from, to, through } = &of.kind else { return false };
        let CheckedExprKind::Elements(list) = &from.kind else { return false };
        let own = |e: &CheckedExpr| matches!(e.kind, CheckedExprKind::Local(site) if site == local);
        let fixed = |e: &CheckedExpr| !mentions(e, local) && self.never_fails(e);
        matches!(self.topology(*board).shape(), Shape::Grid { wrap: false, .. })
            && matches!(&list[..], [site] if own(site))
            && fixed(to)
            && fixed(through)
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
        // Strides and masks describe the lines of a plain grid; other boards need lists.
        let listed = !matches!(topology.shape(), Shape::Grid { wrap: false, .. });
        let length = test.unwrap_or(longest);
        let table: Vec<i64> = (0..=i64::from(longest)).map(|n| points.map_or(0, |p| p.get(n))).collect();
        let key = (board, along, test, table.clone());
        if let Some(lines) = self.lines.get(&key) {
            return *lines;
        }
        let mut lines = LineTable { length, points: table, ..no_lines(topology, along) };
        if listed {
            lines = lines.with_lists(lists(topology, along), points.is_none());
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
                    lines.strides[lane] = (dy * topology.width() as i32 + dx) as u32;
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

/// Returns a table without lines.
fn no_lines(topology: &Topology, along: LineKinds) -> LineTable {
    let grid = GridSize { width: topology.width(), height: topology.height() };
    LineTable { grid, along, ..LineTable::default() }
}

fn lists(topology: &Topology, along: LineKinds) -> Vec<LineList> {
    let lines = topology.lines().iter().filter(|line| along.contains(line.kind));
    let sites = |sites: &[Site]| sites.iter().map(|site| site.0 as u16).collect();
    lines.map(|line| LineList::new(sites(&line.sites), line.cyclic)).collect()
}

/// Returns the windows of a site from which this many steps of lines are possible.
fn windows(length: u32, limits: &[u8; 2 * LANES]) -> u64 {
    let steps = |n: u8| (1u64 << n) - 1;
    (0..LANES).fold(0, |windows, lane| {
        let (after, before) = (limits[lane], limits[LANES + lane]);
        let sites = steps(before) << (length - 1 - u32::from(before)) | steps(after) << length;
        windows | sites << (2 * length * lane as u32)
    })
}

/// Returns how often a reach of 1 must double to cover a line of this length.
fn doublings(longest: u32) -> u32 {
    longest.next_power_of_two().trailing_zeros()
}

/// The four orientations of lines on a grid, as steps that raise a site's index.
fn orientations() -> [(LineKinds, i32, i32); 4] {
    [
        (LineKinds::ACROSS, 1, 0),
        (LineKinds::DOWN, 0, 1),
        (LineKinds::DIAGONAL, 1, 1),
        (LineKinds::DIAGONAL, -1, 1),
    ]
}

/// Returns the sites from which `n` sites in a direction are on the board.
fn window_starts(topology: &Topology, dx: i32, dy: i32, n: u32) -> BitSet {
    let inside = |x: i64, y: i64| topology.site_at(x, y).is_some();
    BitSet::from_sites(
        topology.size(),
        topology.sites().filter(|s| {
            let (x, y) = (i64::from(topology.column_of(*s)), i64::from(topology.row_of(*s)));
            let k = i64::from(n.max(1)) - 1;
            inside(x + k * i64::from(dx), y + k * i64::from(dy))
        }),
    )
}
