//! Graphs from text: sites by name, joined by dashes. `a1-d1-g1 a1-a4-a7` has five sites and two chains.

use std::collections::HashMap;

use super::topology::parse_cell;
use super::{BitSet, Line, LineKinds, Notation, Shape, Topology};

/// Why a text is no graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GraphError {
    /// It names no site.
    Empty,
    /// A site's name that is none: names are letters and digits.
    Name(String),
    /// The same name with other capitals.
    Capitals(String, String),
    /// A site that a chain passes twice.
    Twice(String),
    /// More sites than are allowed.
    Large(u32),
}

impl Topology {
    /// The graph of some chains of names. Sites that follow each other in a chain are neighbours, and
    /// each chain is a line; one that comes back to its first site goes round.
    ///
    /// If every name is a letter and a number, sites are numbered as a grid numbers them: by their
    /// numbers, then by their letters. Otherwise they are numbered as they first come up.
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
        let numbers: HashMap<&str, u32> = names.iter().copied().zip(0..).collect();
        let size = names.len() as u32;
        let mut joined = vec![BitSet::empty(size); names.len()];
        let mut lines = vec![];
        for word in words {
            let mut sites: Vec<u32> = word.split('-').filter_map(|name| numbers.get(name).copied()).collect();
            for pair in sites.windows(2) {
                joined[pair[0] as usize].insert(pair[1]);
                joined[pair[1] as usize].insert(pair[0]);
            }
            let cyclic = sites.len() > 3 && sites.first() == sites.last();
            if cyclic {
                sites.pop();
            }
            let mut passed = BitSet::empty(size);
            for site in &sites {
                if passed.contains(*site) {
                    return Err(GraphError::Twice(names[*site as usize].to_owned()));
                }
                passed.insert(*site);
            }
            lines.push(Line { kind: LineKinds::ACROSS, sites, cyclic });
        }
        let names = names.into_iter().map(str::to_owned).collect();
        Ok(Topology::named(Shape::Graph, names, joined, lines))
    }

    /// The column and the row of every site, from 1, as their names say; none if any name is no letter and
    /// number, or if it is not a graph.
    pub fn places(&self) -> Option<Vec<(u32, u32)>> {
        if *self.shape() != Shape::Graph {
            return None;
        }
        (0..self.size()).map(|site| place(&self.site_name(site))).collect()
    }
}

/// `c4`: column 3, row 4.
fn place(name: &str) -> Option<(u32, u32)> {
    let (column, row) = parse_cell(Notation::Letters, name)?;
    Some((u32::try_from(column).ok()?, u32::try_from(row).ok()?))
}
