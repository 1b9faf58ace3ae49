//! Abstract values: what an expression can be in any state of a group of states. A number is an interval, a set a
//! pair of the elements that are certain and those that are possible (interval analysis; Cousot and Cousot 1977,
//! <https://doi.org/10.1145/512950.512973>).

use houserule_model::board::{BitSet, LineKinds, Topology};
use houserule_model::{Content, DomainId, Model, PointsTable, Type, Value};

/// A number beyond this is unbounded.
pub(super) const UNBOUNDED: i64 = 1 << 60;

/// What a value can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ValueRange {
    /// An integer between these two; ±[`UNBOUNDED`] for no limit.
    Number(i64, i64),
    /// Can it be false, can it be true?
    Bool(bool, bool),
    /// The elements that it can be, and whether it can be none.
    Element(BitSet, bool),
    /// A set that contains all of the first and nothing beyond the second.
    Set(BitSet, BitSet),
}

impl ValueRange {
    /// Returns the range of all values of a type.
    pub(super) fn any(model: &Model, ty: Type) -> ValueRange {
        match ty {
            Type::Number => ValueRange::Number(-UNBOUNDED, UNBOUNDED),
            Type::Bool => ValueRange::Bool(true, true),
            Type::Element(domain) => ValueRange::Element(full(model, domain), true),
            Type::Set(domain) => ValueRange::Set(BitSet::empty(size(model, domain)), full(model, domain)),
        }
    }

    /// Returns the range that a slot's declaration allows.
    pub(super) fn declared(model: &Model, content: Content) -> ValueRange {
        match content {
            Content::Number { low, high } => ValueRange::number(low, high),
            Content::Bool => ValueRange::any(model, Type::Bool),
            Content::Element { domain, optional } => ValueRange::Element(full(model, domain), optional),
            Content::Set(domain) => ValueRange::any(model, Type::Set(domain)),
        }
    }

    /// Returns the range of a single value. `size` is that of its domain.
    pub(super) fn single(value: &Value, size: u32) -> ValueRange {
        match value {
            Value::Number(n) => ValueRange::number(*n, *n),
            Value::Bool(b) => ValueRange::Bool(!*b, *b),
            Value::Element(Some(e)) => ValueRange::Element(BitSet::single(size, *e), false),
            Value::Element(None) => ValueRange::Element(BitSet::empty(size), true),
            Value::Set(set) => ValueRange::Set(set.clone(), set.clone()),
        }
    }

    pub(super) fn number(low: i64, high: i64) -> ValueRange {
        ValueRange::Number(low.clamp(-UNBOUNDED, UNBOUNDED), high.clamp(-UNBOUNDED, UNBOUNDED))
    }

    /// Returns the least range that contains both.
    pub(super) fn join(self, other: ValueRange) -> ValueRange {
        match (self, other) {
            (ValueRange::Number(a, b), ValueRange::Number(c, d)) => ValueRange::Number(a.min(c), b.max(d)),
            (ValueRange::Bool(a, b), ValueRange::Bool(c, d)) => ValueRange::Bool(a || c, b || d),
            (ValueRange::Element(a, none), ValueRange::Element(b, other)) => {
                ValueRange::Element(a.union(&b), none || other)
            }
            (ValueRange::Set(a, b), ValueRange::Set(c, d)) => ValueRange::Set(a.intersect(&c), b.union(&d)),
            (mine, _) => mine,
        }
    }

    /// Returns the values of a number that are in both ranges, or `self` for other types and disjoint ranges.
    pub(super) fn within(self, other: &ValueRange) -> ValueRange {
        match (&self, other) {
            (ValueRange::Number(a, b), ValueRange::Number(c, d)) if a.max(c) <= b.min(d) => {
                ValueRange::Number(*a.max(c), *b.min(d))
            }
            (ValueRange::Element(a, none), ValueRange::Element(b, other)) => {
                ValueRange::Element(a.intersect(b), *none && *other)
            }
            (ValueRange::Bool(a, b), ValueRange::Bool(c, d)) => ValueRange::Bool(*a && *c, *b && *d),
            _ => self,
        }
    }

    /// Returns the number of values, if they can be listed one by one.
    pub(super) fn count(&self) -> u64 {
        match self {
            ValueRange::Number(low, high) => high.abs_diff(*low).saturating_add(1),
            ValueRange::Bool(no, yes) => u64::from(*no) + u64::from(*yes),
            ValueRange::Element(set, none) => u64::from(set.len()) + u64::from(*none),
            ValueRange::Set(certain, possible) if certain == possible => 1,
            ValueRange::Set(..) => u64::MAX,
        }
    }

    /// Splits a range of several listed values into two.
    pub(super) fn halves(&self) -> Option<[ValueRange; 2]> {
        match self {
            ValueRange::Number(low, high) if low < high => {
                let middle = low + (high - low) / 2;
                Some([ValueRange::Number(*low, middle), ValueRange::Number(middle + 1, *high)])
            }
            ValueRange::Bool(true, true) => {
                Some([ValueRange::Bool(true, false), ValueRange::Bool(false, true)])
            }
            ValueRange::Element(set, none) if self.count() > 1 => {
                let kept = set.iter().take(set.len() as usize / 2);
                let first = BitSet::from_elements(set.size(), kept);
                let rest = set.minus(&first);
                Some([ValueRange::Element(first, *none), ValueRange::Element(rest, false)])
            }
            _ => None,
        }
    }
}

pub(super) fn size(model: &Model, domain: DomainId) -> u32 {
    model.domains[domain.index()].size
}

pub(super) fn full(model: &Model, domain: DomainId) -> BitSet {
    BitSet::full(size(model, domain))
}

/// Returns bounds of the points of all runs of a set that contains `certain` and lies in `possible`. Each line is
/// bounded exactly, by itself.
pub(super) fn line_points(
    topology: &Topology,
    along: LineKinds,
    points: &PointsTable,
    certain: &BitSet,
    possible: &BitSet,
) -> ValueRange {
    let (mut low, mut high) = (0i64, 0i64);
    for line in topology.lines().iter().filter(|line| along.contains(line.kind)) {
        let sites: Vec<UncertainSite> = line
            .sites
            .iter()
            .map(|site| UncertainSite {
                may_lack: !certain.contains(site.0),
                may_have: possible.contains(site.0),
            })
            .collect();
        let (least, most) = line_bounds(&sites, line.cyclic, points);
        (low, high) = (low.saturating_add(least), high.saturating_add(most));
    }
    ValueRange::number(low, high)
}

#[derive(Clone, Copy, Debug)]
struct UncertainSite {
    may_lack: bool,
    may_have: bool,
}

/// Returns the least and the most points of the runs on one line.
fn line_bounds(sites: &[UncertainSite], cyclic: bool, points: &PointsTable) -> (i64, i64) {
    if !cyclic {
        return open_bounds(sites, points);
    }
    // A cyclic line is full, or it is cut at a site that the set lacks.
    let whole = sites.iter().all(|site| site.may_have).then(|| {
        let all = points.get(sites.len() as i64);
        (all, all)
    });
    let cuts = (0..sites.len()).filter(|at| sites[*at].may_lack).map(|at| {
        let around: Vec<UncertainSite> = sites[at + 1..].iter().chain(&sites[..at]).copied().collect();
        open_bounds(&around, points)
    });
    let both = |a: (i64, i64), b: (i64, i64)| (a.0.min(b.0), a.1.max(b.1));
    whole.into_iter().chain(cuts).reduce(both).unwrap_or((0, 0))
}

/// Dynamic programming over the last site that the set lacks.
fn open_bounds(sites: &[UncertainSite], points: &PointsTable) -> (i64, i64) {
    // Bounds of the points before each site that the set lacks; the first entry stands before the line.
    let mut lacking: Vec<Option<(i64, i64)>> = vec![Some((0, 0))];
    for end in 0..=sites.len() {
        if end < sites.len() && !sites[end].may_lack {
            lacking.push(None);
            continue;
        }
        let mut best: Option<(i64, i64)> = None;
        // `start` is the first site of the run that ends before `end`.
        for (length, start) in (0..=end).rev().enumerate() {
            if let Some((least, most)) = lacking[start] {
                let run = if length == 0 { 0 } else { points.get(length as i64) };
                let here = (least.saturating_add(run), most.saturating_add(run));
                best = Some(best.map_or(here, |b| (b.0.min(here.0), b.1.max(here.1))));
            }
            if start == 0 || !sites[start - 1].may_have {
                break;
            }
        }
        lacking.push(best);
    }
    lacking.last().copied().flatten().unwrap_or((0, 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_model::board::{self, Notation};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lines_are_bounded_exactly_on_one_line(
            wrap: bool,
            width in 1u32..8,
            certain in 0u32..256,
            more in 0u32..256,
            worth in prop::collection::vec(-3i64..9, 8),
        ) {
            let topology = Topology::grid(width, 1, wrap, Notation::Letters);
            let possible = (certain | more) & ((1 << width) - 1);
            let certain = certain & possible;
            let set = |bits: u32| BitSet::from_elements(width, (0..width).filter(|e| bits >> e & 1 == 1));
            let entries = (1..).zip(worth.iter().copied()).collect();
            let points = PointsTable { entries, and_more: None };
            let values: Vec<i64> = (0..1u32 << width)
                .filter(|bits| bits & certain == certain && bits & !possible == 0)
                .filter_map(|bits| {
                    board::line_points(&topology, &set(bits), LineKinds::ACROSS, |n| points.get(n.into()))
                })
                .collect();
            let wanted = ValueRange::number(*values.iter().min().unwrap(), *values.iter().max().unwrap());
            let found = line_points(&topology, LineKinds::ACROSS, &points, &set(certain), &set(possible));
            prop_assert_eq!(found, wanted);
        }
    }

    #[test]
    fn halves_are_all_of_it() {
        for range in [
            ValueRange::Number(-3, 4),
            ValueRange::Bool(true, true),
            ValueRange::Element(BitSet::from_elements(9, [1, 4, 7]), true),
            ValueRange::Element(BitSet::from_elements(9, [3]), true),
        ] {
            let [a, b] = range.halves().unwrap();
            assert_eq!(a.count() + b.count(), range.count());
            assert_eq!(a.join(b), range);
        }
        assert_eq!(ValueRange::Number(2, 2).halves(), None);
    }
}
