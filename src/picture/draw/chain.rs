//! The layout of a zone that is `shown as chain`: each tile of two numbers is joined to another by a shared
//! number. It is reconstructed from the history, because the action that lays a tile names the number.

use crate::layout::halves;
use houserule_game::{BinderValue, Event, State};
use houserule_model::board::BitSet;
use houserule_model::{Content, DisplayForm, DomainId, DomainKind, Model, SlotId, Value};

/// Open ends of a double if no variable counts them: of the first tile, and of a tile joined later.
const OPENS: (i64, i64) = (4, 3);

/// Width of a tile and its connector, in characters.
const TILE: usize = 8;

/// A tile on the table.
#[derive(Clone, Debug)]
pub(super) struct Link {
    /// The tile.
    pub(super) tile: u32,
    /// The number by which it is joined, then the other.
    pub(super) halves: (i64, i64),
    /// Indices of the tiles joined to it, in the order of play.
    pub(super) joined: Vec<usize>,
    /// The number of tiles that may still be joined to it.
    open: i64,
}

impl Link {
    pub(super) fn is_double(&self) -> bool {
        self.halves.0 == self.halves.1
    }
}

/// Returns the tiles of a zone that is `shown as chain`, in the order they were joined. Returns `None` for other
/// zones, and if the order can't be reconstructed.
pub(super) fn links(state: &State, id: SlotId) -> Option<Vec<Link>> {
    let game = state.game();
    let slot = &game.model().slots[id.index()];
    let Content::Set(domain) = slot.content else { return None };
    let DisplayForm::Chain(counter) = slot.shown else { return None };
    let counter = counter.map(|counter| (counter, lowest(game.model(), counter)));
    let mut chain: Vec<Link> = vec![];
    let mut before: Option<State> = None;
    let mut by: Option<i64> = None;
    let mut whole = true;
    let mut add_new_tile = |now: &State, by: Option<i64>| {
        let (was, is) = (before.as_ref().map(|s| lying(s, id)), lying(now, id));
        let was = was.unwrap_or_else(|| BitSet::empty(is.size()));
        let (new, gone) = (is.minus(&was), was.minus(&is));
        whole &= gone.is_empty() && new.len() <= 1;
        if let (true, Some(tile)) = (whole, new.first()) {
            let opened = counter.zip(halves(game.model(), domain, tile)).map(|((slot, low), (n, _))| {
                let count = |state: &State| number(state, slot, n - low);
                count(now) - before.as_ref().map_or(0, count)
            });
            whole &= halves(game.model(), domain, tile)
                .is_some_and(|pair| join(&mut chain, tile, pair, by, opened));
        }
        before = Some(now.clone());
    };
    let led_here = state.replay_history(&mut |now, event| {
        add_new_tile(now, by);
        by = match event {
            Event::Action { action, .. } => joint(now, *action, domain),
            _ => None,
        };
    });
    add_new_tile(state, by);
    (led_here && whole && chain.len() > 1).then_some(chain)
}

/// Joins a tile to the first open end with a matching number. `by` is the number that the action named, `opened` the
/// number of ends that it opened, if a variable counts them. Returns `false` if no end matches.
fn join(chain: &mut Vec<Link>, tile: u32, halves: (i64, i64), by: Option<i64>, opened: Option<i64>) -> bool {
    let (low, high) = halves;
    let double = low == high;
    if chain.is_empty() {
        let open = if double { opened.unwrap_or(OPENS.0) } else { 2 };
        chain.push(Link { tile, halves, joined: vec![], open });
        return true;
    }
    // The first tile has two ends, unless it is a double.
    let is_open = |at: usize, near: i64| {
        let link: &Link = &chain[at];
        let taken = || link.joined.iter().any(|other| chain[*other].halves.0 == near);
        match (at, link.is_double()) {
            (0, false) => (link.halves.0 == near || link.halves.1 == near) && !taken(),
            _ => link.open > 0 && link.halves.1 == near,
        }
    };
    // Without a number that the action names, the tile lies where it fits.
    let nears = match by.filter(|by| *by == low || *by == high) {
        Some(by) => vec![by],
        None => vec![low, high],
    };
    let ends = nears.into_iter().flat_map(|near| (0..chain.len()).map(move |at| (near, at)));
    let Some((near, on)) = ends.into_iter().find(|(near, at)| is_open(*at, *near)) else { return false };
    let far = low + high - near;
    let open = if double { opened.map_or(OPENS.1, |opened| opened + 1) } else { 1 };
    let number = chain.len();
    chain[on].open -= 1;
    chain[on].joined.push(number);
    chain.push(Link { tile, halves: (near, far), joined: vec![], open });
    true
}

/// Returns the lowest number that a variable counts.
fn lowest(model: &Model, counter: SlotId) -> i64 {
    match model.slots[counter.index()].index[..] {
        [only] => match model.domains[only.index()].kind {
            DomainKind::Range { low } => low,
            _ => 0,
        },
        _ => 0,
    }
}

fn number(state: &State, slot: SlotId, place: i64) -> i64 {
    let family = state.game().model().slots[slot.index()].initial.len();
    match usize::try_from(place).ok().filter(|place| *place < family).map(|place| state.value(slot, place)) {
        Some(Value::Number(n)) => n,
        _ => 0,
    }
}

fn lying(state: &State, id: SlotId) -> BitSet {
    match state.value(id, 0) {
        Value::Set(lying) => lying,
        _ => BitSet::empty(0),
    }
}

/// Returns the number that an action names in addition to the tile: itself, or as that at a place, such as an end of the
/// chain, in a variable.
fn joint(state: &State, action: houserule_game::ActionId, tiles: DomainId) -> Option<i64> {
    let bound = state.game().action_bindings(action);
    let model = state.game().model();
    let lays = bound.iter().any(|b| matches!(b, BinderValue::Element(domain, _) if *domain == tiles));
    let tile = bound.iter().find_map(|b| match b {
        BinderValue::Element(domain, element) if *domain == tiles => halves(model, tiles, *element),
        _ => None,
    });
    let fits = |n: &i64| tile.is_some_and(|(low, high)| [low, high].contains(n));
    let at_place = |domain: DomainId, element: u32| {
        let mut slots = (0..).map(SlotId).zip(&model.slots);
        slots.find_map(|(id, slot)| match state.value(id, element as usize % slot.initial.len().max(1)) {
            Value::Number(n) if slot.is_declared_variable() && slot.index == [domain] => Some(n).filter(fits),
            _ => None,
        })
    };
    let named = bound.iter().find_map(|b| match b {
        BinderValue::Element(domain, element) if *domain != tiles => match model.domains[domain.index()].kind
        {
            DomainKind::Range { low } => Some(low + i64::from(*element)),
            _ => at_place(*domain, *element),
        },
        _ => None,
    });
    named.filter(|_| lays)
}

/// Formats the chain as a tree in lines of at most `width` columns: a joined tile follows its predecessor,
/// branches are below each other. Doubles are shown crosswise: `6‖6`.
pub(super) fn lines(chain: &[Link], width: usize) -> Vec<String> {
    let mut lines = vec![];
    branch(chain, 0, width, String::new(), String::new(), &mut lines);
    lines
}

/// Formats a tile and all tiles joined to it. `head` precedes it on its line, `rest`, which is as wide, the
/// lines below.
fn branch(chain: &[Link], from: usize, width: usize, head: String, rest: String, lines: &mut Vec<String>) {
    let (mut line, mut at) = (head, from);
    loop {
        let link = &chain[at];
        let (near, far) = link.halves;
        line.push_str(&format!("{near}{}{far}", if link.is_double() { '‖' } else { '|' }));
        match link.joined.as_slice() {
            [] => return lines.push(line),
            [only] if line.chars().count() + TILE > width => {
                lines.push(format!("{line} ─"));
                line = format!("{rest}  ");
                at = *only;
            }
            [only] => {
                line.push_str(" ─ ");
                at = *only;
            }
            [first, more @ ..] => {
                let fork = line.chars().count() + 1;
                let below = format!("{rest}{}", " ".repeat(fork - rest.chars().count().min(fork)));
                branch(chain, *first, width, format!("{line} ┬ "), format!("{below}│ "), lines);
                for (k, next) in more.iter().enumerate() {
                    let last = k + 1 == more.len();
                    let (head, rest) = if last { ("└ ", "  ") } else { ("├ ", "│ ") };
                    branch(chain, *next, width, format!("{below}{head}"), format!("{below}{rest}"), lines);
                }
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(tiles: &[((i64, i64), &[usize])]) -> Vec<Link> {
        tiles
            .iter()
            .map(|(halves, joined)| Link { tile: 0, halves: *halves, joined: joined.to_vec(), open: 0 })
            .collect()
    }

    /// Joins tiles in the order of play. Returns the numbers of each, the one by which it is joined first.
    fn joined(tiles: &[(i64, i64)], by: &[Option<i64>]) -> Option<Vec<(i64, i64)>> {
        let mut chain = vec![];
        let fits = tiles.iter().zip(by).all(|(tile, by)| join(&mut chain, 0, *tile, *by, None));
        fits.then(|| chain.iter().map(|link| link.halves).collect())
    }

    #[test]
    fn a_line_grows_at_both_ends() {
        let tiles = [(1, 2), (2, 3), (0, 1), (0, 3)];
        assert_eq!(joined(&tiles, &[None; 4]), Some(vec![(1, 2), (2, 3), (1, 0), (0, 3)]));
        let by = [None, None, Some(1), Some(3)];
        assert_eq!(joined(&tiles, &by), Some(vec![(1, 2), (2, 3), (1, 0), (3, 0)]));
        // Each end takes one tile.
        assert_eq!(joined(&[(1, 2), (2, 3), (2, 4)], &[None; 3]), None);
    }

    #[test]
    fn branches_stand_below_each_other() {
        let chain = chain(&[
            ((6, 6), &[1, 2, 3]),
            ((6, 4), &[4]),
            ((6, 1), &[]),
            ((6, 2), &[]),
            ((4, 4), &[5, 6]),
            ((4, 0), &[]),
            ((4, 5), &[]),
        ]);
        let drawn = ["6‖6 ┬ 6|4 ─ 4‖4 ┬ 4|0", "    │           └ 4|5", "    ├ 6|1", "    └ 6|2"];
        assert_eq!(lines(&chain, 80), drawn);
    }

    #[test]
    fn long_lines_go_on_below() {
        let chain = chain(&[((0, 1), &[1]), ((1, 2), &[2]), ((2, 3), &[3]), ((3, 4), &[])]);
        assert_eq!(lines(&chain, 16), ["0|1 ─ 1|2 ─", "  2|3 ─ 3|4"]);
    }
}
