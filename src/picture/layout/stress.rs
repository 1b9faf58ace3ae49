//! Places for the sites of a graph that has none: links are as long as they are said to be, and sites that aren't linked lie as far from each
//! other as the shortest way between them is long (stress majorization, begun on a circle). Sums have a fixed order, and
//! the only functions are those that every machine rounds alike, so that the places are the same everywhere.

use std::collections::VecDeque;
use std::f64::consts::{FRAC_PI_2, TAU};

use super::PagePoint;

/// Maximum number of sites that are laid out by their links. More lie on a circle.
const MOST_SITES: usize = 300;
/// Distances that are compared in all rounds together, and the limits of the number of rounds.
const WORK: usize = 3_000_000;
const ROUNDS: (usize, usize) = (30, 400);
/// How much more a link counts than the distance of two other sites.
const LINK: f64 = 6.0;
/// Number of directions that are tried for the longest extent.
const TURNS: u32 = 60;
/// Least difference that counts.
const LEAST: f64 = 1e-9;
/// Maximum radius of a circle of many sites.
const WIDEST: f64 = 8.0;

/// The length of the link between two sites.
pub(super) type LinkLength<'l> = &'l dyn Fn(usize, usize) -> u32;

/// Returns a place for each site, given those beside it and the lengths of the links. The longest extent lies across, and the
/// least coordinates are 0.
pub(super) fn graph_places(beside: &[Vec<usize>], long: LinkLength<'_>) -> Vec<PagePoint> {
    let count = beside.len();
    if count > MOST_SITES {
        return shifted(circle(count, (count as f64 / 2.0 / TAU).min(WIDEST)));
    }
    let far: Vec<Vec<f64>> = distances(beside, long);
    let mut at = circle(count, (count as f64 / TAU).max(1.0));
    let rounds = (WORK / (count * count).max(1)).clamp(ROUNDS.0, ROUNDS.1);
    for _ in 0..rounds {
        at = (0..count).map(|site| better(&at, &far[site], &beside[site], site)).collect();
    }
    shifted(across(at))
}

/// Returns the place of a site at which the distances to the others fit best while these stay.
fn better(at: &[PagePoint], far: &[f64], beside: &[usize], site: usize) -> PagePoint {
    let (x, y) = at[site];
    let (mut to_x, mut to_y, mut weights) = (0.0, 0.0, 0.0);
    for (other, ((other_x, other_y), far)) in
        at.iter().zip(far).enumerate().filter(|(_, (_, far))| **far > 0.0)
    {
        let counts = if beside.contains(&other) { LINK } else { 1.0 };
        let weight = counts / (far * far);
        let (dx, dy) = (x - other_x, y - other_y);
        let scale = far / length(dx, dy).max(LEAST);
        to_x += weight * (other_x + dx * scale);
        to_y += weight * (other_y + dy * scale);
        weights += weight;
    }
    if weights > 0.0 { (to_x / weights, to_y / weights) } else { (x, y) }
}

/// Returns the lengths of the shortest ways between all sites. Parts without a way between them are a link
/// farther from each other than any sites of a part.
fn distances(beside: &[Vec<usize>], long: LinkLength<'_>) -> Vec<Vec<f64>> {
    let ways: Vec<Vec<Option<u32>>> = (0..beside.len()).map(|site| ways_from(beside, long, site)).collect();
    let longest = ways.iter().flatten().flatten().max().copied().unwrap_or(0);
    let far = |way: &Option<u32>| f64::from(way.unwrap_or(longest + 1));
    ways.iter().map(|ways| ways.iter().map(far).collect()).collect()
}

/// Returns the lengths of the shortest ways from a site (Bellman and Ford, with a queue).
fn ways_from(beside: &[Vec<usize>], long: LinkLength<'_>, site: usize) -> Vec<Option<u32>> {
    let mut ways = vec![None; beside.len()];
    ways[site] = Some(0);
    let mut open = VecDeque::from([(site, 0)]);
    while let Some((from, way)) = open.pop_front() {
        for to in &beside[from] {
            let further = way + long(from, *to);
            if ways[*to].is_none_or(|known| further < known) {
                ways[*to] = Some(further);
                open.push_back((*to, further));
            }
        }
    }
    ways
}

/// Turns places so that their longest extent lies across.
fn across(at: Vec<PagePoint>) -> Vec<PagePoint> {
    let mut best = (f64::NEG_INFINITY, at.clone());
    for step in 0..TURNS {
        let (cos, sin) = turn(f64::from(step) / f64::from(2 * TURNS));
        let turned: Vec<PagePoint> = at.iter().map(|(x, y)| (x * cos - y * sin, x * sin + y * cos)).collect();
        let (low, high) = extent(&turned);
        let wide = (high.0 - low.0) - (high.1 - low.1);
        if wide > best.0 + LEAST {
            best = (wide, turned);
        }
    }
    best.1
}

/// Moves places so that the least coordinates are 0.
fn shifted(at: Vec<PagePoint>) -> Vec<PagePoint> {
    let (low, _) = extent(&at);
    at.into_iter().map(|(x, y)| (x - low.0, y - low.1)).collect()
}

/// Returns the least and the greatest coordinates.
fn extent(at: &[PagePoint]) -> (PagePoint, PagePoint) {
    let least = (f64::INFINITY, f64::INFINITY);
    let greatest = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    at.iter().fold((least, greatest), |(low, high), (x, y)| {
        ((low.0.min(*x), low.1.min(*y)), (high.0.max(*x), high.1.max(*y)))
    })
}

/// Returns places on a circle.
fn circle(count: usize, radius: f64) -> Vec<PagePoint> {
    let place = |at: usize| turn(at as f64 / count as f64);
    (0..count).map(place).map(|(x, y)| (radius * x, radius * y)).collect()
}

/// Returns the length of a line.
fn length(dx: f64, dy: f64) -> f64 {
    (dx * dx + dy * dy).sqrt()
}

/// Returns cosine and sine of a part of a whole turn, as power series. Those of the standard library may differ in the
/// last bit from machine to machine.
fn turn(part: f64) -> PagePoint {
    let quarters = part * 4.0;
    let angle = (quarters - quarters.floor()) * FRAC_PI_2;
    let (mut cos, mut sin, mut term) = (0.0, 0.0, 1.0);
    for power in 0..20 {
        match power % 4 {
            0 => cos += term,
            1 => sin += term,
            2 => cos -= term,
            _ => sin -= term,
        }
        term *= angle / f64::from(power + 1);
    }
    match quarters.floor() as i64 % 4 {
        0 => (cos, sin),
        1 => (-sin, cos),
        2 => (-cos, -sin),
        _ => (sin, -cos),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the sites beside each, given the links.
    fn beside(count: usize, links: &[(usize, usize)]) -> Vec<Vec<usize>> {
        let mut beside = vec![vec![]; count];
        for (a, b) in links {
            beside[*a].push(*b);
            beside[*b].push(*a);
        }
        beside
    }

    fn between(at: &[PagePoint], a: usize, b: usize) -> f64 {
        length(at[a].0 - at[b].0, at[a].1 - at[b].1)
    }

    #[test]
    fn turns_are_cosines_and_sines() {
        for step in 0..48 {
            let part = f64::from(step) / 48.0;
            let (cos, sin) = turn(part);
            assert!(
                (cos - (part * TAU).cos()).abs() < 1e-12 && (sin - (part * TAU).sin()).abs() < 1e-12,
                "{part}"
            );
        }
    }

    #[test]
    fn links_are_of_one_length_and_other_sites_farther_away() {
        let links = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)];
        let at = graph_places(&beside(6, &links), &|_, _| 1);
        for (a, b) in links {
            assert!((0.8..1.2).contains(&between(&at, a, b)), "{a} {b}: {at:?}");
        }
        assert!((1.6..2.4).contains(&between(&at, 0, 3)), "{at:?}");
        assert_eq!(at, graph_places(&beside(6, &links), &|_, _| 1));
    }

    #[test]
    fn a_hub_lies_in_the_middle() {
        let links: Vec<(usize, usize)> = (1..7).map(|end| (0, end)).collect();
        let at = graph_places(&beside(7, &links), &|_, _| 1);
        let all: Vec<f64> = (1..7).map(|end| between(&at, 0, end)).collect();
        assert!(all.iter().all(|far| (0.8..1.3).contains(far)), "{all:?}");
    }

    #[test]
    fn a_row_lies_across_and_begins_at_nothing() {
        let links: Vec<(usize, usize)> = (0..9).map(|site| (site, site + 1)).collect();
        let at = graph_places(&beside(10, &links), &|_, _| 1);
        let (low, high) = extent(&at);
        assert_eq!(low, (0.0, 0.0));
        assert!(high.0 > 4.0 * high.1, "{at:?}");
    }

    #[test]
    fn parts_and_lone_sites_have_places_too() {
        let at = graph_places(&beside(5, &[(0, 1), (2, 3)]), &|_, _| 1);
        for a in 0..5 {
            for b in 0..a {
                assert!(between(&at, a, b) > 0.5, "{a} {b}: {at:?}");
            }
        }
        assert_eq!(graph_places(&beside(1, &[]), &|_, _| 1), [(0.0, 0.0)]);
        assert_eq!(graph_places(&beside(400, &[]), &|_, _| 1).len(), 400);
    }

    #[test]
    fn links_are_as_long_as_they_should_be() {
        let links = [(0, 1), (1, 2), (2, 3), (3, 0)];
        // A rectangle, three times as wide as high.
        let at = graph_places(&beside(4, &links), &|one, other| if one + other == 3 { 1 } else { 3 });
        let far = |one: usize, other: usize| (at[one].0 - at[other].0).hypot(at[one].1 - at[other].1);
        let long = (far(0, 1) + far(2, 3)) / (far(1, 2) + far(3, 0));
        assert!(long > 1.5, "{at:?}");
    }
}
