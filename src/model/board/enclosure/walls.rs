//! The cache of walls: the sites that they enclose, and which walls are connected (union-find).

use std::mem::MaybeUninit;

use super::rows::{ROWS, put_row, row_mask, row_of, spread};
use crate::board::GridSize;
use crate::board::kernel::{self, Words};

/// Maximum number of sites of a board.
const MOST: usize = 4096;
/// Maximum number of new walls for an incremental update. With more, the cache is rebuilt.
const FEW: u32 = 24;
/// Number of needlessly flooded sites, per site of the board, after which the union-find is rebuilt.
const IN_VAIN: u32 = 2;

/// The cache of the walls of one player, in words of the frame: the number of sites flooded needlessly since
/// the union-find was built, the walls, the sites that can't reach the edge (walls among them), and the
/// parent of each site in the union-find, in 16 bits: 0 for none, otherwise the index of the parent plus 1.
pub struct WallCache<'a, const W: usize> {
    /// The board.
    pub grid: GridSize,
    /// The sites at the edge.
    pub edge: &'a [u64],
    /// The words of the cache.
    pub of: &'a mut [u64],
}

/// Offset of the walls in the cache, in words. The enclosed sites follow.
const WALLS: usize = 1;

/// The gaps among the eight neighbours of a site. Their places are numbered counterclockwise from the east.
#[derive(Clone, Copy)]
struct Ring {
    /// Number of gaps between walls that contain a side neighbour of the site.
    gaps: u8,
    /// For each gap its side neighbours, as bits of the ring.
    sides: [u8; 4],
    /// The place of the wall before each gap.
    before: [u8; 4],
}

/// Indexed by the walls of the ring, as bits.
static RINGS: [Ring; 256] = rings();

const fn rings() -> [Ring; 256] {
    let mut all = [Ring { gaps: 0, sides: [0; 4], before: [0; 4] }; 256];
    let mut walls = 0;
    while walls < 256 {
        let mut ring = Ring { gaps: 0, sides: [0; 4], before: [0; 4] };
        if walls == 0 {
            ring.gaps = 1;
            ring.sides[0] = 0b0101_0101;
        }
        // Scan from each wall to the next one.
        let mut at = 0;
        while at < 8 {
            if walls >> at & 1 == 1 {
                let (mut sides, mut next) = (0, (at + 1) % 8);
                while walls >> next & 1 == 0 {
                    sides |= 1 << next & 0b0101_0101;
                    next = (next + 1) % 8;
                }
                if sides != 0 {
                    ring.sides[ring.gaps as usize] = sides;
                    ring.before[ring.gaps as usize] = at;
                    ring.gaps += 1;
                }
            }
            at += 1;
        }
        all[walls] = ring;
        walls += 1;
    }
    all
}

/// A side of a new wall while it is flooded: a linked list of sites.
#[derive(Clone, Copy)]
struct WallSide {
    /// The first site of the list.
    begin: u16,
    /// The first site whose neighbours have not been visited.
    first: u16,
    last: u16,
    fate: Fate,
}

#[derive(Clone, Copy, PartialEq)]
enum Fate {
    Unknown,
    Open,
    Shut,
    /// Merged into another side.
    Joined,
}

const NOBODY: u16 = u16::MAX;

impl<const W: usize> WallCache<'_, W> {
    #[inline(always)]
    fn has(&self, set: usize, site: usize) -> bool {
        self.of[set + site / 64] >> (site % 64) & 1 == 1
    }

    #[inline(always)]
    fn is_wall(&self, site: usize) -> bool {
        self.has(WALLS, site)
    }

    #[inline(always)]
    fn is_shut(&self, site: usize) -> bool {
        self.has(WALLS + W, site)
    }

    fn set(&self, at: usize) -> Words<W> {
        *kernel::words_at(self.of, at)
    }

    /// Returns the enclosed connected components that contain one of the sites `near`.
    pub fn shut_off(&self, near: &Words<W>) -> Words<W> {
        let mut found = kernel::none::<W>();
        kernel::for_each(near, |site| {
            let site = site as usize;
            if self.is_shut(site) && !self.is_wall(site) && found[site / 64] >> (site % 64) & 1 == 0 {
                self.part(&[site], &mut found);
            }
        });
        found
    }

    /// Adds the connected components of the enclosed sites `from` to `found`.
    #[inline(never)]
    fn part(&self, from: &[usize], found: &mut [u64]) {
        let mut stack = [const { MaybeUninit::<u16>::uninit() }; MOST];
        let mut height = 0;
        for site in from {
            found[site / 64] |= 1 << (site % 64);
            stack[height] = MaybeUninit::new(*site as u16);
            height += 1;
        }
        while height > 0 {
            height -= 1;
            // SAFETY: everything below `height` has been written.
            let site = usize::from(unsafe { stack[height].assume_init() });
            for next in self.beside(site) {
                let (word, bit) = (next / 64, 1 << (next % 64));
                if !self.is_wall(next) && found[word] & bit == 0 {
                    found[word] |= bit;
                    stack[height] = MaybeUninit::new(next as u16);
                    height += 1;
                }
            }
        }
    }

    /// Writes the enclosed components beside a site. Returns `true` if there are any.
    #[inline(always)]
    pub fn shut_beside(&mut self, site: usize, to: &mut Words<W>) -> bool {
        let mut near = [0; 4];
        let mut count = 0;
        let off = if self.is_edge(site) { self.ring_at_edge(site).1 } else { 0 };
        for place in [0, 2, 4, 6] {
            if off >> place & 1 == 0 {
                let next = self.around(site, place);
                if self.is_shut(next) && !self.is_wall(next) {
                    near[count] = next;
                    count += 1;
                }
            }
        }
        *to = kernel::none();
        if count > 0 {
            self.part(&near[..count], to);
        }
        count > 0
    }

    #[inline(always)]
    fn is_edge(&self, site: usize) -> bool {
        self.edge[site / 64] >> (site % 64) & 1 == 1
    }

    /// Returns the four side neighbours of a site that is not at the edge.
    #[inline(always)]
    fn beside(&self, site: usize) -> [usize; 4] {
        let width = self.grid.width as usize;
        [site + 1, site + width, site - 1, site - width]
    }

    /// Updates the cache to these walls.
    #[allow(clippy::needless_range_loop, reason = "plain loops are unrolled by every build")]
    #[inline(always)]
    pub fn come_to(&mut self, walls: &Words<W>) {
        let before: &Words<W> = kernel::words_at(self.of, WALLS);
        // Usually one word differs, by one new wall. Compare a few words at a time to find it.
        let few = W.min(4);
        let mut differing = 0u32;
        for k in 0..W / few {
            let mut differs = 0;
            for i in k * few..(k + 1) * few {
                differs |= walls[i] ^ before[i];
            }
            differing |= u32::from(differs != 0) << k;
        }
        let (mut fresh, mut gone) = (0, 0);
        let mut rest = differing;
        while rest != 0 {
            let at = rest.trailing_zeros() as usize * few;
            for i in at..at + few {
                fresh += (walls[i] & !before[i]).count_ones();
                gone += (before[i] & !walls[i]).count_ones();
            }
            rest &= rest - 1;
        }
        // If more walls are gone than are left, as in a new game, a rebuild is cheaper.
        let few_left = || gone > walls.iter().map(|word| word.count_ones()).sum();
        if fresh > FEW || gone > FEW && few_left() {
            return self.begin(walls);
        }
        if gone > 0 {
            self.take_away(walls);
        }
        let mut rest = differing;
        while rest != 0 {
            let at = rest.trailing_zeros() as usize * few;
            for i in at..at + few {
                let mut more = walls[i] & !self.of[WALLS + i];
                while more != 0 {
                    self.add(i * 64 + more.trailing_zeros() as usize);
                    more &= more - 1;
                }
            }
            rest &= rest - 1;
        }
    }

    /// Rebuilds the whole cache.
    #[cold]
    #[inline(never)]
    fn begin(&mut self, walls: &Words<W>) {
        let (count, all) = (self.grid.height as usize, row_mask(self.grid));
        let (mut free, mut open) = ([0; ROWS], [0; ROWS]);
        let edge = kernel::words_at::<W>(self.edge, 0);
        for r in 0..count {
            free[r] = all & !row_of(walls, self.grid, r as u32);
            open[r] = free[r] & row_of(edge, self.grid, r as u32);
        }
        spread(&mut open[..count], &free[..count], true);
        let mut shut = kernel::none::<W>();
        for (r, open) in open[..count].iter().enumerate() {
            put_row(&mut shut, self.grid, r as u32, all & !open);
        }
        self.of[WALLS..WALLS + W].copy_from_slice(walls);
        self.of[WALLS + W..WALLS + 2 * W].copy_from_slice(&shut);
        self.join_all();
    }

    /// Rebuilds the union-find of the walls.
    #[cold]
    #[inline(never)]
    fn join_all(&mut self) {
        self.of[0] = 0;
        self.of[WALLS + 2 * W..].fill(0);
        let walls = self.set(WALLS);
        kernel::for_each(&walls, |site| {
            let site = site as usize;
            self.set_parent(site, site);
            let ring = self.ring(site).0;
            // The neighbours with smaller indices: west, and the three below.
            for place in (4..8).filter(|place| ring >> place & 1 == 1) {
                let (a, b) = (self.root(self.around(site, place)), self.root(site));
                self.set_parent(a, b);
            }
        });
    }

    /// Removes walls that are gone. What they enclosed may now be open.
    #[inline(never)]
    fn take_away(&mut self, walls: &Words<W>) {
        let mut gone = kernel::none::<W>();
        for i in 0..W {
            gone[i] = self.of[WALLS + i] & !walls[i];
            self.of[WALLS + i] &= walls[i];
        }
        let mut stack = [const { MaybeUninit::<u16>::uninit() }; MOST];
        kernel::for_each(&gone, |site| {
            let site = site as usize;
            if !self.is_shut(site) {
                return;
            }
            if !self.is_edge(site) && self.beside(site).iter().all(|next| self.is_shut(*next)) {
                return;
            }
            self.of[WALLS + W + site / 64] &= !(1 << (site % 64));
            stack[0] = MaybeUninit::new(site as u16);
            let mut height = 1;
            while height > 0 {
                height -= 1;
                // SAFETY: everything below `height` has been written.
                let site = usize::from(unsafe { stack[height].assume_init() });
                let (ring, off) = self.ring(site);
                for place in [0, 2, 4, 6] {
                    if (ring | off) >> place & 1 == 1 {
                        continue;
                    }
                    let next = self.around(site, place);
                    if self.is_shut(next) {
                        self.of[WALLS + W + next / 64] &= !(1 << (next % 64));
                        stack[height] = MaybeUninit::new(next as u16);
                        height += 1;
                    }
                }
            }
        });
    }

    /// Returns a neighbour by its place in the ring. It must be on the board.
    #[inline(always)]
    fn around(&self, site: usize, place: u32) -> usize {
        let width = self.grid.width as usize;
        match place {
            0 => site + 1,
            1 => site + width + 1,
            2 => site + width,
            3 => site + width - 1,
            4 => site - 1,
            5 => site - width - 1,
            6 => site - width,
            _ => site - width + 1,
        }
    }

    /// Returns the walls around a site and the places off the board, as bits of the ring.
    #[inline(always)]
    fn ring(&self, site: usize) -> (u32, u32) {
        let width = self.grid.width as usize;
        if self.is_edge(site) {
            return self.ring_at_edge(site);
        }
        // Three sites from the west: in the site's row, and in those below and above it.
        let three = |at: usize| {
            let (word, bit) = (WALLS + at / 64, at % 64);
            // Another word always follows the walls.
            (self.of[word] >> bit | self.of[word + 1] << 1 << (63 - bit)) as u32 & 7
        };
        let (above, own, below) = (three(site + width - 1), three(site - 1), three(site - width - 1));
        let ring = own >> 2
            | above >> 1 & 2
            | above << 1 & 4
            | above << 3 & 8
            | own << 4 & 16
            | below << 5 & 32
            | below << 5 & 64
            | below << 5 & 128;
        (ring, 0)
    }

    #[inline(never)]
    fn ring_at_edge(&self, site: usize) -> (u32, u32) {
        let (width, height) = (self.grid.width as usize, self.grid.height as usize);
        let (column, row) = (site % width, site / width);
        let (mut ring, mut off) = (0, 0);
        for place in 0..8 {
            let beyond = matches!(place, 0 | 1 | 7) && column + 1 == width
                || matches!(place, 3..=5) && column == 0
                || matches!(place, 1..=3) && row + 1 == height
                || matches!(place, 5..=7) && row == 0;
            if beyond {
                off |= 1 << place;
            } else if self.is_wall(self.around(site, place)) {
                ring |= 1 << place;
            }
        }
        (ring, off)
    }

    #[inline(always)]
    fn parent(&self, site: usize) -> usize {
        let at = WALLS + 2 * W + site / 4;
        usize::from((self.of[at] >> (site % 4 * 16)) as u16).wrapping_sub(1)
    }

    #[inline(always)]
    fn set_parent(&mut self, site: usize, parent: usize) {
        let (at, shift) = (WALLS + 2 * W + site / 4, site % 4 * 16);
        self.of[at] = self.of[at] & !(0xffff << shift) | (parent as u64 + 1) << shift;
    }

    /// Returns the root of a wall in the union-find, with path halving.
    #[inline(always)]
    fn root(&mut self, mut site: usize) -> usize {
        loop {
            let parent = self.parent(site);
            if parent == site {
                return site;
            }
            let next = self.parent(parent);
            if next != parent {
                self.set_parent(site, next);
            }
            site = next;
        }
    }

    /// Adds a wall.
    #[inline(always)]
    fn add(&mut self, site: usize) {
        let (word, bit) = (site / 64, 1 << (site % 64));
        self.of[WALLS + word] |= bit;
        let was_open = self.of[WALLS + W + word] & bit == 0;
        self.of[WALLS + W + word] |= bit;
        let (walls, off) = self.ring(site);
        let ring = RINGS[walls as usize];
        // A wall that comes back is still in its old class.
        if self.parent(site) == usize::MAX {
            self.set_parent(site, site);
        }
        if walls == 0 {
            return;
        }
        if ring.gaps < 2 {
            let near = self.around(site, walls.trailing_zeros());
            let (near, own) = (self.root(near), self.root(site));
            return self.set_parent(own, near);
        }
        let gaps = usize::from(ring.gaps);
        let mut roots = [usize::MAX; 4];
        for (root, place) in roots.iter_mut().zip(ring.before).take(gaps) {
            *root = self.root(self.around(site, place.into()));
        }
        let twice = (1..gaps).any(|k| roots[..k].contains(&roots[k]));
        let mut own = self.root(site);
        for root in &roots[..gaps] {
            let root = self.root(*root);
            if root != own {
                self.set_parent(own, root);
                own = root;
            }
        }
        if twice && was_open {
            self.divide(site, ring, off, roots);
        }
    }

    /// Floods the sides of a new wall between walls that may be connected elsewhere: it may enclose some.
    #[inline(never)]
    fn divide(&mut self, site: usize, ring: Ring, off: u32, roots: [usize; 4]) {
        let gaps = usize::from(ring.gaps);
        // Walls that meet the new one only once can be walked around, which connects the gaps on both sides.
        let mut side_of = [0, 1, 2, 3];
        for k in 0..gaps {
            let once = (0..gaps).all(|other| other == k || roots[other] != roots[k]);
            if once {
                let (from, to) = (side_of[k], side_of[(k + gaps - 1) % gaps]);
                side_of.iter_mut().filter(|side| **side == from).for_each(|side| *side = to);
            }
        }
        // For each seen site, the next one of its list and the side that saw it.
        let mut next = [const { MaybeUninit::<u16>::uninit() }; MOST];
        let mut seen_by = [const { MaybeUninit::<u8>::uninit() }; MOST];
        let mut seen = kernel::none::<W>();
        let mut sides = [WallSide { begin: NOBODY, first: NOBODY, last: NOBODY, fate: Fate::Joined }; 4];
        for (gap, k) in side_of.into_iter().enumerate().take(gaps) {
            if sides[k].fate == Fate::Joined {
                sides[k].fate = Fate::Unknown;
            }
            for place in [0, 2, 4, 6].into_iter().filter(|place| ring.sides[gap] >> place & 1 == 1) {
                if off >> place & 1 == 1 {
                    sides[k].fate = Fate::Open;
                    continue;
                }
                let start = self.around(site, place);
                seen[start / 64 % W] |= 1 << (start % 64);
                seen_by[start] = MaybeUninit::new(k as u8);
                sides[k].see(start, &mut next);
                if self.is_edge(start) {
                    sides[k].fate = Fate::Open;
                }
            }
        }
        let mut open = sides.iter().any(|side| side.fate == Fate::Open);
        let mut unknown = sides.iter().filter(|side| side.fate == Fate::Unknown).count();
        // The side that each has been merged into.
        let mut part_of = [0, 1, 2, 3];
        let mut flooded = 0;
        let (mut joined, mut shut) = (false, false);
        let mut k = 0;
        // The site of the new wall was open, so one of its sides is open: the last one, if no other.
        while unknown > usize::from(!open) {
            k = (k + 1) % 4;
            if sides[k].fate != Fate::Unknown {
                continue;
            }
            if sides[k].first == NOBODY {
                sides[k].fate = Fate::Shut;
                shut = true;
                unknown -= 1;
                let mut site = sides[k].begin;
                while site != NOBODY {
                    let at = usize::from(site);
                    self.of[WALLS + W + at / 64] |= 1 << (at % 64);
                    // SAFETY: all entries of a list have been written.
                    site = unsafe { next[at].assume_init() };
                }
                continue;
            }
            let at = usize::from(sides[k].first);
            // SAFETY: as above.
            sides[k].first = unsafe { next[at].assume_init() };
            flooded += 1;
            for near in self.beside(at) {
                let (word, bit) = (near / 64 % W, 1 << (near % 64));
                if self.is_wall(near) {
                    continue;
                }
                if seen[word] & bit != 0 {
                    // SAFETY: `seen_by` was written together with the bit in `seen`.
                    let other = part_of[usize::from(unsafe { seen_by[near].assume_init() })];
                    if other == k {
                        continue;
                    }
                    // Both sides are one region. The other one visits this one's sites again.
                    let WallSide { begin, last, .. } = sides[k];
                    sides[other].add(begin, last, &mut next);
                    sides[k].fate = Fate::Joined;
                    part_of.iter_mut().filter(|part| **part == k).for_each(|part| *part = other);
                    unknown -= 1;
                    joined = true;
                    break;
                }
                if self.is_edge(near) {
                    sides[k].fate = Fate::Open;
                    open = true;
                    unknown -= 1;
                    break;
                }
                seen[word] |= bit;
                seen_by[near] = MaybeUninit::new(k as u8);
                sides[k].see(near, &mut next);
            }
        }
        // The walls may be connected only through walls that are gone.
        if joined || !shut {
            self.of[0] += flooded;
            if self.of[0] > u64::from(IN_VAIN * self.grid.width * self.grid.height) {
                self.join_all();
            }
        }
    }
}

impl WallSide {
    /// Adds a newly seen site, to be visited.
    #[inline(always)]
    fn see(&mut self, site: usize, next: &mut [MaybeUninit<u16>; MOST]) {
        next[site] = MaybeUninit::new(NOBODY);
        self.add(site as u16, site as u16, next);
    }

    /// Appends a list of sites, to be visited.
    #[inline(always)]
    fn add(&mut self, first: u16, last: u16, next: &mut [MaybeUninit<u16>; MOST]) {
        if self.begin == NOBODY {
            self.begin = first;
        } else {
            next[usize::from(self.last)] = MaybeUninit::new(first);
        }
        if self.first == NOBODY {
            self.first = first;
        }
        self.last = last;
    }
}
