//! Symmetries of a game, found by test. A rotation or reflection of the boards counts as a symmetry if it commutes
//! with every single step from some random states.

use std::collections::HashMap;

use houserule_game::{Game, State};
use houserule_model::board::{BitSet, Site, Topology};
use houserule_model::{
    BoardId, Content, DomainId, DomainKind, Model, Role, Slot, SlotId, Value, value_words,
};

/// Number of successors after which the test ends.
const LOOKS: usize = 6000;

/// Maximum number of successors of a state. States with more are skipped.
const STEPS: usize = 3000;

/// A permutation of the sites of every board; the identity on boards without columns and rows.
#[derive(Debug)]
pub(super) struct Permutation {
    boards: Vec<Option<Vec<Site>>>,
}

impl Permutation {
    /// The image of a site.
    pub(super) fn site(&self, board: BoardId, site: Site) -> Site {
        self.boards[board.index()].as_ref().map_or(site, |sites| sites[site.index()])
    }

    /// Returns the rotation or reflection `way`: its bits swap left and right, bottom and top, and columns and
    /// rows. Returns `None` if it doesn't map the boards to themselves.
    fn new(game: &Game, way: u32) -> Option<Permutation> {
        // Boards of a family have their first corner in common and may differ in size, so other corners are not its images.
        if game.model().boards.iter().any(|board| !board.own_sites.is_empty()) {
            return None;
        }
        let boards = game.model().boards.iter().map(|board| permuted(&board.topology, way));
        let boards: Option<Vec<_>> = boards.collect();
        let permutation = Permutation { boards: boards? };
        permutation.boards.iter().any(Option::is_some).then_some(permutation)
    }

    /// The image of an element of a domain.
    fn element(&self, game: &Game, domain: DomainId, element: u32) -> u32 {
        match game.model().domains[domain.index()].kind {
            DomainKind::Sites(board) => self.site(board, Site(element)).0,
            _ => element,
        }
    }

    /// The image of a value.
    fn value(&self, game: &Game, content: Content, value: Value) -> Value {
        match (content, value) {
            (Content::Element { domain, .. }, Value::Element(Some(e))) => {
                Value::Element(Some(self.element(game, domain, e)))
            }
            (Content::Set(domain), Value::Set(set)) => Value::Set(BitSet::from_elements(
                set.size(),
                set.iter().map(|e| self.element(game, domain, e)),
            )),
            (_, value) => value,
        }
    }

    /// Calls `tell` with the image of every value that the rules write, and its slot and place.
    fn each(&self, state: &State, mut tell: impl FnMut(SlotId, usize, Value)) {
        let game = state.game();
        let model = game.model();
        for (number, slot) in (0..).zip(&model.slots) {
            let id = SlotId(number);
            let has_image = match slot.role {
                Role::Variable | Role::Piece(_) | Role::Empty(_) => true,
                _ => holds_sites(model, slot),
            };
            if !game.keeps(id) || !has_image {
                continue;
            }
            let sizes: Vec<u32> = slot.index.iter().map(|d| model.domains[d.index()].size).collect();
            for place in 0..slot.initial.len() {
                let (mut rest, mut moved, mut step) = (place as u32, 0, 1);
                for (domain, size) in slot.index.iter().zip(&sizes).rev() {
                    moved += self.element(game, *domain, rest % size) * step;
                    rest /= size;
                    step *= size;
                }
                tell(id, moved as usize, self.value(game, slot.content, state.value(id, place)));
            }
        }
    }

    /// The image of a state.
    fn state(&self, state: &State) -> State {
        let mut moved = state.clone();
        self.each(state, |slot, place, value| moved.set_value(slot, place, &value));
        let words = moved.persistent().to_vec();
        moved.restore(&words);
        moved
    }

    /// A key that identifies the image of a state.
    fn key(&self, state: &State) -> BoardSignature {
        let mut values: Vec<(u32, usize, Vec<u64>)> = vec![];
        let width = state.game().program().width;
        self.each(state, |slot, place, value| values.push((slot.0, place, value_words(width, &value))));
        values.sort();
        (values, state.is_over(), state.score_of_each().unwrap_or_default())
    }
}

/// Returns `true` for a zone whose elements are sites.
fn holds_sites(model: &Model, slot: &Slot) -> bool {
    let of = match (slot.role, slot.content) {
        (Role::Zone, Content::Set(domain)) => Some(domain),
        (Role::Copies, _) => slot.index.last().copied(),
        _ => None,
    };
    of.is_some_and(|domain| matches!(model.domains[domain.index()].kind, DomainKind::Sites(_)))
}

type BoardSignature = (Vec<(u32, usize, Vec<u64>)>, bool, Vec<i64>);

/// Returns the symmetries of the game that the states don't refute, without the identity. Returns none for a game
/// with hidden information.
pub(super) fn symmetries_in(game: &Game, states: &[State]) -> Vec<Permutation> {
    let model = game.model();
    let piled = |slot: &Slot| match slot.content {
        Content::Set(domain) => model.order(domain).is_some() && holds_sites(model, slot),
        _ => false,
    };
    // The order of sites in a zone has no image.
    if game.hides() || states.is_empty() || model.slots.iter().any(piled) {
        return vec![];
    }
    let nothing = Permutation { boards: vec![None; game.model().boards.len()] };
    let keys = |state: &State, by: &Permutation| {
        let mut keys: Vec<BoardSignature> = steps(state).iter().map(|after| by.key(after)).collect();
        keys.sort();
        keys
    };
    let same = |permutation: &Permutation| {
        let mut looked = 0;
        for state in states {
            let moved = keys(state, permutation);
            looked += moved.len();
            if moved != keys(&permutation.state(state), &nothing) {
                return false;
            }
            if looked > LOOKS {
                break;
            }
        }
        // If every state has too many successors, nothing is known.
        looked > 0
    };
    (1..8).filter_map(|way| Permutation::new(game, way)).filter(same).collect()
}

/// Returns the successors of a state by one action, after every outcome of a pending chance event. Returns none if
/// there are too many.
fn steps(state: &State) -> Vec<State> {
    let mut before = vec![state.clone()];
    if state.is_chance() {
        let come_out = |(outcome, _): (u64, u64)| {
            let mut after = state.clone();
            after.apply_outcome(outcome).is_ok().then_some(after)
        };
        before = state.distinct_outcomes().filter_map(come_out).collect();
    }
    let mut after = vec![];
    for state in before {
        for action in state.legal_actions() {
            let mut next = state.clone();
            if next.apply(action).is_ok() {
                after.push(next);
            }
        }
        if after.len() > STEPS {
            return vec![];
        }
    }
    after
}

/// The image of each site of a board: `Some(None)` for the identity, `None` if the board isn't mapped to itself.
fn permuted(topology: &Topology, way: u32) -> Option<Option<Vec<Site>>> {
    let Some(places) = places(topology) else { return Some(None) };
    let (width, height) = (topology_width(&places), topology_height(&places));
    if way & 4 != 0 && width != height {
        return None;
    }
    let sites: HashMap<(u32, u32), Site> =
        topology.sites().zip(&places).map(|(site, place)| (*place, site)).collect();
    let moved = places.iter().map(|(x, y)| {
        let x = if way & 1 != 0 { width - x } else { *x };
        let y = if way & 2 != 0 { height - y } else { *y };
        sites.get(&if way & 4 != 0 { (y, x) } else { (x, y) }).copied()
    });
    moved.collect::<Option<Vec<Site>>>().map(Some)
}

/// The centre of each site, in half cells, or `None` for a board without columns and rows.
fn places(topology: &Topology) -> Option<Vec<(u32, u32)>> {
    let place = |site: Site| match topology.side(site) {
        Some(side) if side.upright => Some((2 * side.line, 2 * side.along + 1)),
        Some(side) => Some((2 * side.along + 1, 2 * side.line)),
        None if topology.has_rows() => {
            Some((2 * topology.column_of(site) - 1, 2 * topology.row_of(site) - 1))
        }
        None => None,
    };
    topology.sites().map(place).collect()
}

/// The width of a board, in half cells: its sites are equally far from both edges.
fn topology_width(places: &[(u32, u32)]) -> u32 {
    extent(places.iter().map(|place| place.0))
}

fn topology_height(places: &[(u32, u32)]) -> u32 {
    extent(places.iter().map(|place| place.1))
}

fn extent(along: impl Iterator<Item = u32> + Clone) -> u32 {
    along.clone().max().unwrap_or(0) + along.min().unwrap_or(0)
}
