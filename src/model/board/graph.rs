//! Parser for graph boards: named sites joined by dashes. `a1-d1-g1 a1-a4-a7` has five sites and two chains.

use std::collections::HashMap;

use super::topology::parse_cell;
use super::{BitSet, Line, LineKinds, Notation, Shape, Site, Topology};

/// Why a text isn't a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GraphError {
    /// The text names no site.
    Empty,
    /// An invalid site name: names consist of letters, digits and `_`, and `none` is not allowed.
    Name(String),
    /// Two spellings of a name that differ only in case.
    Capitals(String, String),
    /// A site that a chain visits twice.
    Twice(String),
    /// More sites than this maximum.
    Large(u32),
}

impl Topology {
    /// Parses a graph from chains of names. Consecutive sites of a chain are neighbours, and each chain is a
    /// line; a chain that returns to its first site is cyclic. `most` is the maximum number of sites.
    ///
    /// If every name is a letter and a number, sites are ordered as on a grid: by number, then by letter.
    /// Otherwise they are ordered by first occurrence.
    pub fn graph(texts: &[&str], most: u32) -> Result<Topology, GraphError> {
        let words: Vec<&str> = texts.iter().flat_map(|text| text.split_whitespace()).collect();
        let mut names: Vec<&str> = vec![];
        let mut known: HashMap<String, &str> = HashMap::new();
        for name in words.iter().flat_map(|word| word.split('-')) {
            let plain = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
            if !plain || name.eq_ignore_ascii_case("none") {
                return Err(GraphError::Name(name.to_owned()));
            }
            match known.get(&name.to_ascii_lowercase()) {
                Some(first) if *first != name => {
                    return Err(GraphError::Capitals((*first).to_owned(), name.to_owned()));
                }
                Some(_) => {}
                None => {
                    known.insert(name.to_ascii_lowercase(), name);
                    names.push(name);
                }
            }
            if names.len() as u64 > u64::from(most) {
                return Err(GraphError::Large(most));
            }
        }
        if names.is_empty() {
            return Err(GraphError::Empty);
        }
        let places: Option<Vec<(u32, u32)>> = names.iter().map(|name| place(name)).collect();
        if places.is_some() {
            names.sort_by_key(|name| place(name).map(|(column, row)| (row, column)));
        }
        let numbers: HashMap<&str, Site> = names.iter().copied().zip((0..).map(Site)).collect();
        let size = names.len() as u32;
        let mut joined = vec![BitSet::empty(size); names.len()];
        let mut lines = vec![];
        for word in words {
            let mut sites: Vec<Site> =
                word.split('-').filter_map(|name| numbers.get(name).copied()).collect();
            for pair in sites.windows(2) {
                joined[pair[0].index()].insert(pair[1].0);
                joined[pair[1].index()].insert(pair[0].0);
            }
            let cyclic = sites.len() > 3 && sites.first() == sites.last();
            if cyclic {
                sites.pop();
            }
            let mut passed = BitSet::empty(size);
            for site in &sites {
                if passed.contains(site.0) {
                    return Err(GraphError::Twice(names[site.index()].to_owned()));
                }
                passed.insert(site.0);
            }
            lines.push(Line { kind: LineKinds::ACROSS, sites, cyclic });
        }
        let names = names.into_iter().map(str::to_owned).collect();
        Ok(Topology::named(Shape::Graph, names, joined, lines))
    }

    /// Returns the column and the row of every site, counted from 1, read from their names. Returns `None` if a
    /// name is not a letter and a number, or if the board is not a graph.
    pub fn places(&self) -> Option<Vec<(u32, u32)>> {
        if *self.shape() != Shape::Graph {
            return None;
        }
        self.sites().map(|site| place(&self.site_name(site))).collect()
    }
}

/// Parses `c4` as column 3, row 4.
fn place(name: &str) -> Option<(u32, u32)> {
    let (column, row) = parse_cell(Notation::Letters, name)?;
    Some((u32::try_from(column).ok()?, u32::try_from(row).ok()?))
}
