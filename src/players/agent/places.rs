//! The edges of a node of a search tree, found by their actions.
//!
//! Depends on action ids; independent of trees.

/// Scratch space in which the edges of a node are found by their actions.
#[derive(Debug, Default)]
pub struct EdgePlaces {
    /// By action, the index of its edge plus one; all 0 between calls.
    places: Vec<u32>,
}

impl EdgePlaces {
    /// Appends `new` edges for the `actions` that lack one, and calls `each` with the edge of each action, in this order.
    pub fn find_or_add<E>(
        &mut self,
        edges: &mut Vec<E>,
        actions: &[u32],
        action: impl Fn(&E) -> u32,
        new: impl Fn(u32) -> E,
        mut each: impl FnMut(&mut E),
    ) {
        let known = edges.len();
        let most = edges.iter().map(&action).chain(actions.iter().copied()).max();
        let places = &mut self.places;
        places.resize(places.len().max(most.map_or(0, |most| most as usize + 1)), 0);
        for (place, edge) in (1..).zip(edges.iter()) {
            places[action(edge) as usize] = place;
        }
        for one in actions {
            let place = match places[*one as usize] {
                0 => {
                    edges.push(new(*one));
                    edges.len()
                }
                place => place as usize,
            };
            each(&mut edges[place - 1]);
        }
        for edge in &edges[..known] {
            places[action(edge) as usize] = 0;
        }
    }
}
