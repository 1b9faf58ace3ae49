//! Upper confidence bounds (UCB1) of the edges of a node.
//!
//! Depends on edges; independent of how a search goes.

use crate::agent::Edge;

/// Maximum difference between the two ways in which a bound is computed, as a share of the bound and [`MOST_SPREAD`].
const ERROR: f64 = 1e-13;

/// More than the root of the logarithm of any number of visits.
const MOST_SPREAD: f64 = 10.0;

/// What bounds are computed from.
#[derive(Debug, Default)]
pub(super) struct BoundTables {
    /// By number, its natural logarithm and the root of that, as far as they were needed.
    logs: Vec<[f64; 2]>,
    /// By number, 1 divided by its root.
    inverse_roots: Vec<f64>,
}

/// How bounds weigh values and visits.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoundScale {
    /// Factor of the mean values.
    pub(super) values: f64,
    /// Factor of the roots (the exploration constant).
    pub(super) exploration: f64,
}

impl BoundScale {
    /// Returns the bound of a visited edge, with the logarithm of the number of visits that it is compared with.
    #[inline]
    pub(super) fn bound(self, edge: &Edge, log: f64) -> f64 {
        edge.mean * self.values + self.exploration * (log / f64::from(edge.visits)).sqrt()
    }

    /// Returns the bound of an edge but for an [`ERROR`]. `spread` is the root of the logarithm, times the constant.
    #[inline(always)]
    fn nearly(
        self,
        edge: &Edge,
        spread: f64,
        inverse_roots: &[f64],
        solved: &Option<impl Fn(&Edge) -> Option<f64>>,
    ) -> f64 {
        if let Some(solved) = solved
            && let Some(value) = solved(edge)
        {
            return value;
        }
        edge.mean * self.values + spread * inverse_roots[edge.visits as usize]
    }
}

impl BoundTables {
    /// Returns the natural logarithm of a number that grows one by one, and its root.
    #[inline]
    pub(super) fn log(&mut self, number: u32) -> [f64; 2] {
        while self.logs.len() <= number as usize {
            let next = self.logs.len() as f64;
            self.logs.push([next.ln(), next.ln().sqrt()]);
            self.inverse_roots.push(1.0 / next.sqrt());
        }
        self.logs[number as usize]
    }

    /// Returns the first edge with the greatest bound, of edges that have all been visited, together at most `visits`
    /// times. `solved` returns the bounds of edges that lead to solved positions, if there are any.
    ///
    /// Most bounds are computed without a division and a root of their own, which differs in the last digits; only those
    /// that could be the greatest are computed by [`BoundScale::bound`].
    #[inline]
    pub(super) fn best(
        &mut self,
        edges: &[Edge],
        visits: u32,
        scale: BoundScale,
        solved: Option<impl Fn(&Edge) -> Option<f64>>,
    ) -> u32 {
        let [log, root] = self.log(visits);
        let spread = scale.exploration * root;
        let inverse_roots = self.inverse_roots.as_slice();
        let (mut first, mut most, mut second) = (0, f64::NEG_INFINITY, f64::NEG_INFINITY);
        let mut at = 0;
        while at < edges.len() {
            let bound = scale.nearly(&edges[at], spread, inverse_roots, &solved);
            // Choices, not a branch: nothing foresees which bound is the greatest.
            let is_better = bound > most;
            let lower = if is_better { most } else { bound };
            second = if lower > second { lower } else { second };
            most = if is_better { bound } else { most };
            first = if is_better { at } else { first };
            at += 1;
        }
        let least = most - (most.abs() + MOST_SPREAD) * ERROR;
        if second < least && most > f64::NEG_INFINITY {
            return first as u32;
        }
        let (mut best, mut most) = (0, f64::NEG_INFINITY);
        let mut known = (f64::NAN, 0);
        for (at, edge) in (0..).zip(edges) {
            if scale.nearly(edge, spread, inverse_roots, &solved) < least {
                continue;
            }
            let bound = match solved.as_ref().and_then(|solved| solved(edge)) {
                Some(value) => value,
                // Its bound was compared already.
                None if (edge.mean, edge.visits) == known => continue,
                None => {
                    known = (edge.mean, edge.visits);
                    scale.bound(edge, log)
                }
            };
            if bound > most {
                (best, most) = (at, bound);
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_base::rng::Stream;

    /// The first of the greatest bounds, each computed by itself.
    fn plainly(edges: &[Edge], log: f64, scale: BoundScale, solved: impl Fn(&Edge) -> Option<f64>) -> u32 {
        let mut best = (f64::NEG_INFINITY, 0);
        for (at, edge) in (0..).zip(edges) {
            let bound = solved(edge).unwrap_or_else(|| scale.bound(edge, log));
            if bound > best.0 {
                best = (bound, at);
            }
        }
        best.1
    }

    #[test]
    fn the_best_edge_is_the_first_with_the_greatest_bound() {
        let (mut bounds, mut stream, mut ties) = (BoundTables::default(), Stream::new(1, 0, 1), 0);
        for round in 0..20_000 {
            let wide = 1 + stream.below(if round % 50 == 0 { 100 } else { 8 });
            // Few different numbers of visits, so that bounds are often equal.
            let (most, factor) = (1 + stream.below(30), [1.0, 0.4, 1e-9, 1e6, 0.0][round % 5]);
            let mut edges = vec![];
            for action in 0..wide as u32 {
                let mut edge = Edge::new(action);
                edge.visits = 1 + stream.below(most) as u32;
                for _ in 0..edge.visits {
                    edge.total += stream.below(3) as f64 - 1.0;
                }
                // Means that differ in the last digit.
                edge.mean =
                    edge.total / f64::from(edge.visits) * (1.0 + stream.below(2) as f64 * f64::EPSILON);
                if round % 997 == 0 {
                    edge.mean = [f64::INFINITY, f64::NAN, f64::NEG_INFINITY][stream.below(3) as usize];
                }
                edges.push(edge);
            }
            let visits = edges.iter().map(|edge| edge.visits).sum();
            let scale = BoundScale { values: factor, exploration: 1.0 };
            let is_solved = round % 3 == 0;
            let solved = |edge: &Edge| {
                (is_solved && edge.action.is_multiple_of(3)).then_some(f64::from(edge.action % 2) * factor)
            };
            let found = bounds.best(&edges, visits, scale, is_solved.then_some(solved));
            let [log, root] = bounds.log(visits);
            assert_eq!((log, root), (f64::from(visits).ln(), f64::from(visits).ln().sqrt()));
            assert_eq!(found, plainly(&edges, log, scale, solved), "{round}: {edges:?}");
            let best = scale.bound(&edges[found as usize], log);
            ties += u32::from(edges.iter().any(|e| e.action > found && scale.bound(e, log) == best));
        }
        assert!(ties > 500, "{ties} times two bounds were equal");
    }
}
