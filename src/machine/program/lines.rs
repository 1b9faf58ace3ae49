//! Lines of a board: strides and masks on plain grids, lists of sites on all others.

use houserule_model::board::kernel::LANES;
use houserule_model::board::{GridSize, LineKinds};

/// Maximum number of sites of a line whose runs are looked up.
const SHORT: usize = 8;

/// Data to test or score the lines of a board.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineTable {
    /// The board.
    pub grid: GridSize,
    /// The kinds of lines.
    pub along: LineKinds,
    /// For a test: the length. For a score: the longest length with a mask.
    pub length: u32,
    /// The strides of the orientations.
    pub strides: [u32; LANES],
    /// First row of the masks. For a test, a mask for each orientation: the sites from which `length` sites lie
    /// on the board, empty if the orientation does not count. For a score, such masks for each length from 1.
    pub masks: u32,
    /// Points by length, for a score: index 0 is unused.
    pub points: Vec<i64>,
    /// Second differences of the points, for lengths from 1.
    pub second_differences: Vec<i64>,
    /// Lines as lists of sites, for all boards but plain grids; else empty.
    pub lists: Vec<LineList>,
    /// The first of the lists: lines that are short enough to look up what their runs count.
    pub short: Vec<ShortLine>,
    /// What the runs of short lines count, by the bits of a set that lie in them: their points or, for a test, the
    /// length of the longest.
    pub short_values: Vec<i64>,
    /// Address of a cache: for each set of the tested family, a set without a line.
    pub memory: Option<u16>,
    /// With a cache: maximum steps of lines from each site, up and then down the strides, less than `length`.
    pub limits: Vec<[u8; 2 * LANES]>,
    /// With a cache, and if lines of the tested length are short and near: for each site its windows, which
    /// are the sites of lines through it that lie on the board. The window of a stride has 2 * `length` bits:
    /// the sites before in order, a 0 for the site itself, the sites after, and a 0 as a gap. Else empty.
    pub windows: Vec<u64>,
    /// With windows: for each stride the sites of a window above a site; the nearest is the lowest bit.
    pub above: [u64; LANES],
    /// Like `above` for the sites below; the nearest is the highest bit.
    pub below: [u64; LANES],
}

/// A line as a list of sites.
#[derive(Clone, Debug, PartialEq)]
pub struct LineList {
    /// Its sites in order.
    pub sites: Vec<u16>,
    /// `true` if the last site is beside the first.
    pub cyclic: bool,
    /// If the sites ascend: each word of a set that has some of them, with a mask of these. Else empty.
    pub words: Vec<(u16, u64)>,
}

/// A line of few sites that lie in one word of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShortLine {
    /// Index of the word.
    pub word: u16,
    /// The line's sites in it.
    pub mask: u64,
    /// Index in [`LineTable::short_values`] for a set without any of the sites. For another set, its bits in
    /// `mask`, taken together, are added to the index.
    pub first: u32,
}

impl LineList {
    /// Describes a line of these sites.
    pub fn new(sites: Vec<u16>, cyclic: bool) -> LineList {
        let mut words: Vec<(u16, u64)> = vec![];
        if sites.is_sorted_by(|a, b| a < b) {
            for site in &sites {
                match words.last_mut() {
                    Some((word, mask)) if *word == site / 64 => *mask |= 1 << (site % 64),
                    _ => words.push((site / 64, 1 << (site % 64))),
                }
            }
        }
        LineList { sites, cyclic, words }
    }

    /// Calls `then` with the first index and the length of every maximal run of bits, one bit for each of at most 64
    /// sites.
    #[inline(always)]
    pub fn for_each_run(&self, bits: u64, mut then: impl FnMut(usize, usize)) {
        let n = self.sites.len().max(1);
        let all = u64::MAX >> (64 - n);
        // A cycle is read from the site after a gap. A cycle without a gap is one run of all its sites.
        let turned = if self.cyclic && bits != all { (bits.trailing_ones() as usize + 1) % n } else { 0 };
        let mut rest = if turned > 0 { (bits >> turned | bits << (n - turned)) & all } else { bits };
        let mut at = turned;
        while rest != 0 {
            let gap = rest.trailing_zeros();
            rest >>= gap;
            let length = rest.trailing_ones();
            rest = rest.checked_shr(length).unwrap_or(0);
            at += gap as usize;
            then(at, length as usize);
            at += length as usize;
        }
    }

    fn is_short(&self) -> bool {
        let word = |site: &u16| site / 64;
        (1..=SHORT).contains(&self.sites.len())
            && self.sites.iter().all(|site| word(site) == word(&self.sites[0]))
    }
}

impl LineTable {
    /// Returns the table with these lines. Runs count their points or, for a test, their length.
    pub fn with_lists(self, mut lists: Vec<LineList>, test: bool) -> LineTable {
        lists.sort_by_key(|line| !line.is_short());
        let (mut short, mut short_values) = (vec![], vec![]);
        // Lines whose sites are in the same order share their values.
        let mut known: Vec<(Vec<usize>, bool, u32)> = vec![];
        for line in lists.iter().take_while(|line| line.is_short()) {
            let mut ascending = line.sites.clone();
            ascending.sort_unstable();
            ascending.dedup();
            let order: Vec<usize> =
                line.sites.iter().map(|site| ascending.partition_point(|other| other < site)).collect();
            let found = known.iter().find(|(of, cyclic, _)| *of == order && *cyclic == line.cyclic);
            let first = found.map_or(short_values.len() as u32, |(.., first)| *first);
            if found.is_none() {
                for set in 0..1u64 << ascending.len() {
                    let bits =
                        order.iter().zip(0..).fold(0, |bits, (rank, at)| bits | (set >> rank & 1) << at);
                    let mut value = 0i64;
                    line.for_each_run(bits, |_, length| match test {
                        true => value = value.max(length as i64),
                        false => value = value.wrapping_add(self.points.get(length).copied().unwrap_or(0)),
                    });
                    short_values.push(value);
                }
                known.push((order, line.cyclic, first));
            }
            let mask = ascending.iter().fold(0, |mask, site| mask | 1 << (site % 64));
            short.push(ShortLine { word: ascending[0] / 64, mask, first });
        }
        LineTable { lists, short, short_values, ..self }
    }
}
