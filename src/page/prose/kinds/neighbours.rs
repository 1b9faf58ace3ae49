//! What words for neighbours and directions mean on the boards of a game.

use crate::prose::RulesEntry;
use houserule_model::Model;
use houserule_model::board::{Shape, Topology};

/// Directions in which the number of the row changes.
const UP_OR_DOWN: [&str; 6] = ["north", "northeast", "northwest", "south", "southeast", "southwest"];

/// Describes the words for neighbours and directions that other descriptions have.
pub(in crate::prose) fn neighbours<'e>(
    model: &Model,
    others: impl Iterator<Item = &'e RulesEntry> + Clone,
) -> Vec<RulesEntry> {
    let has = |words: &str| others.clone().any(|entry| entry.text.contains(words));
    let mut all = vec![];
    if has("places beside ") {
        all.extend(across(model, false).map(|told| RulesEntry::new("beside", told)));
    }
    if has("places around ") {
        all.extend(across(model, true).map(|told| RulesEntry::new("around", told)));
    }
    let names_way = |entry: &RulesEntry| {
        let mut words = entry.text.split(|sign: char| !sign.is_alphanumeric());
        words.any(|word| UP_OR_DOWN.contains(&word))
    };
    if others.clone().any(names_way) {
        let rises: Option<Vec<bool>> = model
            .boards
            .iter()
            .filter(|board| is_in_rows(&board.topology))
            .map(|b| rises(&b.topology))
            .collect();
        all.extend(match rises.as_deref() {
            Some([first, rest @ ..]) if rest.iter().all(|one| one == first) => {
                let numbers = if *first { "higher" } else { "lower" };
                Some(RulesEntry::new("north", format!("up, toward the rows with {numbers} numbers")))
            }
            _ => None,
        });
    }
    all
}

/// Says which places are neighbours, across corners as well or not. Returns `None` if boards differ or have no sides.
fn across(model: &Model, corners: bool) -> Option<&'static str> {
    let mut told = model.boards.iter().filter(|board| board.sides_of.is_none()).map(|board| {
        let topology = &board.topology;
        let has_corners = topology.directions().iter().any(|way| !way.orthogonal);
        match topology.shape() {
            Shape::Track { .. } => Some("next to it on the track"),
            Shape::Grid { .. } | Shape::Hex { .. } | Shape::Cut { .. } => {
                Some(match corners && has_corners {
                    true if topology.has_chosen_diagonals() => {
                        "next to it along a side or a diagonal of the board"
                    }
                    true => "sharing a side or a corner",
                    false => "sharing a side",
                })
            }
            _ => None,
        }
    });
    let first = told.next()??;
    told.all(|other| other == Some(first)).then_some(first)
}

fn is_in_rows(topology: &Topology) -> bool {
    matches!(topology.shape(), Shape::Grid { .. } | Shape::Hex { .. } | Shape::Cut { .. })
}

/// Returns `true` if the numbers of rows rise toward the north. Returns `None` if no step leads there from one row to the next.
fn rises(topology: &Topology) -> Option<bool> {
    let ways = (0..).zip(topology.directions()).filter(|(_, way)| way.name.starts_with("north"));
    let mut steps = ways.flat_map(|(way, _)| {
        topology
            .sites()
            .filter_map(move |site| Some((topology.row_of(site), topology.row_of(topology.step(site, way)?))))
    });
    // On a torus, a step over the edge leads to the first row.
    steps.find(|(from, to)| from.abs_diff(*to) == 1).map(|(from, to)| from < to)
}
