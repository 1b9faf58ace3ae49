//! What words for neighbours and directions mean on the boards of a game.

use crate::prose::RulesEntry;
use houserule_base::names::plain;
use houserule_model::board::{Shape, Topology};
use houserule_model::{Board, Content, DomainKind, Model};

/// Directions in which the number of the row changes.
const UP_OR_DOWN: [&str; 6] = ["north", "northeast", "northwest", "south", "southeast", "southwest"];

/// Words of the rules that come before a direction.
const BEFORE_WAY: [&str; 5] = ["direction", "opposite", "places", "step", "toward"];

/// Describes the words for neighbours and directions that other descriptions have.
pub(in crate::prose) fn neighbours<'e>(
    model: &Model,
    others: impl Iterator<Item = &'e RulesEntry> + Clone,
) -> Vec<RulesEntry> {
    let has = |word: &str| others.clone().any(|entry| tells_places(model, &entry.text, word));
    let mut all = vec![];
    if has("beside") {
        all.extend(across(model, false).map(|told| RulesEntry::new("beside", told)));
    }
    if has("around") {
        all.extend(across(model, true).map(|told| RulesEntry::new("around", told)));
    }
    let others_have = UP_OR_DOWN.map(|way| has_other(model, way) && !holds_ways(model));
    let names_way = |entry: &RulesEntry| {
        let words: Vec<&str> = entry.text.split(|sign: char| !sign.is_alphanumeric()).collect();
        (0..words.len()).any(|at| {
            let way = UP_OR_DOWN.iter().position(|way| *way == words[at]);
            // A player or a thing may have the name, too.
            way.is_some_and(|way| !others_have[way] || at > 0 && BEFORE_WAY.contains(&words[at - 1]))
        })
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

/// Returns `true` if a text has places with this word after them: `places beside a`, `empty places of cell beside a`.
fn tells_places(model: &Model, text: &str, word: &str) -> bool {
    let word = format!(" {word} ");
    let mut before: Vec<&str> = text.split(word.as_str()).collect();
    before.pop();
    before.iter().any(|before| {
        let of_board = |board: &Board| before.ends_with(&format!("places of {}", plain(&board.name)));
        before.ends_with("places") || model.boards.iter().any(of_board)
    })
}

/// Says which places are neighbours, across corners as well or not. Returns `None` if boards differ or have no sides.
fn across(model: &Model, corners: bool) -> Option<&'static str> {
    let mut told = model.boards.iter().filter(|board| board.sides_of.is_none()).map(|board| {
        let topology = &board.topology;
        let has_corners = topology.directions().iter().any(|way| !way.orthogonal);
        match topology.shape() {
            Shape::Track { .. } => Some("next to it on the track"),
            Shape::Graph => Some("joined by a link"),
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

/// Returns `true` if a player, a team, an element or something that is kept has the name of a direction.
fn has_other(model: &Model, way: &str) -> bool {
    let lists = |kind: &DomainKind| match kind {
        DomainKind::Enum(values) => values.iter().any(|value| value == way),
        DomainKind::Record { named, .. } => named.iter().any(|(_, value)| value == way),
        _ => false,
    };
    model.players.names.iter().any(|name| name == way)
        || model.teams.iter().any(|team| team.name == way)
        || model.slots.iter().any(|slot| slot.name == way)
        || model.domains.iter().any(|domain| domain.name != "direction" && lists(&domain.kind))
}

/// Returns `true` if a variable holds a direction.
fn holds_ways(model: &Model) -> bool {
    model.slots.iter().any(|slot| match slot.content {
        Content::Element { domain, .. } => model.domains[domain.index()].name == "direction",
        _ => false,
    })
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
