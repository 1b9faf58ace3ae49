//! Runs of a set along lines that are lists of sites: boards that wrap around, tracks, graphs.

use super::processor::on_this_processor;
use crate::program::{LineList, LineTable};
use houserule_model::board::kernel::{self, Words};

/// A maximal run of a set along a line.
#[derive(Clone, Copy)]
pub(crate) struct ListedRun<'l> {
    line: &'l LineList,
    /// Index of its first site in the line.
    first: usize,
    /// Number of its sites.
    pub(crate) length: usize,
}

impl<'l> ListedRun<'l> {
    /// Returns its sites in order.
    pub(crate) fn sites(self) -> impl Iterator<Item = u16> + 'l {
        let sites = &self.line.sites;
        (self.first..self.first + self.length).map(move |i| sites[i % sites.len()])
    }
}

on_this_processor! {
    /// Returns the points of the runs of a set.
    score [W], score_fast, score_here, (lines: &LineTable, a: &Words<W>) -> i64
}

#[inline(always)]
fn score_here<const W: usize, const BMI: bool>(lines: &LineTable, a: &Words<W>) -> i64 {
    let mut sum = short::<W, BMI>(lines, a).fold(0, i64::wrapping_add);
    each_run::<W, BMI>(&lines.lists[lines.short.len()..], a, |run| {
        sum = sum.wrapping_add(lines.points.get(run.length).copied().unwrap_or(0));
    });
    sum
}

on_this_processor! {
    /// Returns the length of the longest run of a set.
    longest [W], longest_fast, longest_here, (lines: &LineTable, a: &Words<W>) -> u32
}

#[inline(always)]
fn longest_here<const W: usize, const BMI: bool>(lines: &LineTable, a: &Words<W>) -> u32 {
    let mut most = short::<W, BMI>(lines, a).max().unwrap_or(0) as usize;
    each_run::<W, BMI>(&lines.lists[lines.short.len()..], a, |run| most = most.max(run.length));
    most as u32
}

/// Returns what the runs of each short line count.
#[inline(always)]
fn short<const W: usize, const BMI: bool>(lines: &LineTable, a: &Words<W>) -> impl Iterator<Item = i64> {
    lines.short.iter().map(|line| {
        let bits = kernel::gather::<BMI>(a[usize::from(line.word) % W], line.mask);
        lines.short_values[line.first as usize + bits as usize]
    })
}

/// Calls `then` with every maximal run of a set along lines.
pub(crate) fn for_each_run<const W: usize>(
    lines: &[LineList],
    a: &Words<W>,
    then: impl FnMut(ListedRun<'_>),
) {
    each_run::<W, false>(lines, a, then);
}

#[inline(always)]
fn each_run<'l, const W: usize, const BMI: bool>(
    lines: &'l [LineList],
    a: &Words<W>,
    mut then: impl FnMut(ListedRun<'l>),
) {
    for line in lines {
        if line.sites.len() <= 64 {
            line.for_each_run(bits::<W, BMI>(line, a), |first, length| {
                then(ListedRun { line, first, length })
            });
        } else {
            runs_of_sites(line, a, &mut then);
        }
    }
}

/// Returns a bit for each site of a line of at most 64 sites: whether the set has it.
#[inline(always)]
fn bits<const W: usize, const BMI: bool>(line: &LineList, a: &Words<W>) -> u64 {
    let (mut bits, mut shift) = (0, 0);
    if line.words.is_empty() {
        for site in &line.sites {
            bits |= (a[usize::from(*site) / 64 % W] >> (site % 64) & 1) << shift;
            shift += 1;
        }
        return bits;
    }
    for (word, mask) in &line.words {
        bits |= kernel::gather::<BMI>(a[usize::from(*word) % W], *mask) << shift;
        shift += mask.count_ones() & 63;
    }
    bits
}

/// Calls `then` with every maximal run of a set along a line of any length.
#[inline(never)]
fn runs_of_sites<'l, const W: usize>(line: &'l LineList, a: &Words<W>, then: &mut impl FnMut(ListedRun<'l>)) {
    let n = line.sites.len();
    let has = |i: usize| {
        let site = line.sites[i % n];
        a[usize::from(site) / 64 % W] >> (site % 64) & 1 == 1
    };
    let turned = if line.cyclic { (0..n).find(|i| !has(*i)).map_or(0, |gap| gap + 1) } else { 0 };
    let mut at = turned;
    while at < turned + n {
        let first = at;
        while at < turned + n && has(at) {
            at += 1;
        }
        if at > first {
            then(ListedRun { line, first, length: at - first });
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::processor::has_bmi2;
    use houserule_base::rng::Stream;

    /// Returns the runs of a set along a line, each as its sites.
    fn runs<const BMI: bool>(line: &LineList, a: &Words<3>) -> [Vec<Vec<u16>>; 2] {
        let mut found = [vec![], vec![]];
        runs_of_sites(line, a, &mut |run| found[0].push(run.sites().collect()));
        line.for_each_run(bits::<3, BMI>(line, a), |first, length| {
            found[1].push(ListedRun { line, first, length }.sites().collect());
        });
        found
    }

    #[test]
    fn runs_of_bits_are_those_of_sites() {
        let mut stream = Stream::new(5, 0, 0);
        for n in 1..=64u16 {
            let up = (0..n).map(|i| 3 * i).collect();
            let down: Vec<u16> = (0..n).rev().map(|i| 2 * i).collect();
            for (sites, cyclic) in [(up, true), (down.clone(), false), (down, true)] {
                let line = LineList::new(sites, cyclic);
                for density in [1, 2, 9] {
                    let mut word = || (0..density).fold(u64::MAX, |all, _| all & stream.next_word());
                    let some = [word(), !word(), word()];
                    for a in [some, some.map(|word| !word), [0; 3], [u64::MAX; 3]] {
                        let [slow, quick] = runs::<false>(&line, &a);
                        assert_eq!(slow, quick, "{line:?} {a:x?}");
                        if has_bmi2() {
                            assert_eq!(slow, runs::<true>(&line, &a)[1], "{line:?} {a:x?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn short_lines_count_as_their_runs_do() {
        let mut stream = Stream::new(6, 0, 0);
        let points = vec![0, 1, -2, 7, 30, 5, 60, 11, 900];
        for cyclic in [false, true] {
            let lists: Vec<LineList> = (1..=12u16)
                .flat_map(|n| {
                    [1, 5, 7].map(|step| (0..n).map(|i| 64 * (n % 3) + (step * i + n) % 64).collect())
                })
                .map(|sites| LineList::new(sites, cyclic))
                .collect();
            let table = |test| {
                let lines = LineTable { points: points.clone(), ..LineTable::default() };
                lines.with_lists(lists.clone(), test)
            };
            let (scored, tested) = (table(false), table(true));
            assert!(scored.short.len() > 10 && scored.lists.len() > scored.short.len());
            for _ in 0..200 {
                let a: Words<3> = [0; 3].map(|_: u64| stream.next_word() | stream.next_word());
                let (mut sum, mut most) = (0, 0);
                for line in &lists {
                    runs_of_sites(line, &a, &mut |run| {
                        sum += points.get(run.length).copied().unwrap_or(0);
                        most = most.max(run.length as u32);
                    });
                }
                assert_eq!((score(&scored, &a), longest(&tested, &a)), (sum, most));
                let plain = (score_here::<3, false>(&scored, &a), longest_here::<3, false>(&tested, &a));
                assert_eq!(plain, (sum, most));
            }
        }
    }
}
