//! A state as text: boards with coordinates, dice, variables, scores, and whose turn it is.

use crate::engine::drawing::{Instance, draw, instances, lines, symbols};
use crate::engine::values::value_text;
use crate::engine::{Game, Player, State};
use crate::lang::model::{PLAYER, Role, Slot, SlotId, Value, Visibility};

/// Most members of a family that are listed one by one.
const MOST_LISTED: usize = 24;

/// A state as text, as one player sees it; without a player, all of it.
pub fn state(state: &State, viewer: Option<Player>) -> String {
    format!("{}\n{}\n", position(state, viewer), turn(state))
}

/// The same without whose turn it is.
pub fn position(state: &State, viewer: Option<Player>) -> String {
    let mut text = boards(state);
    let legend = legend(state.game());
    if !legend.is_empty() {
        text.push_str(&format!("{legend}\n"));
    }
    let mut rows = dice(state, viewer);
    rows.extend(variables(state, viewer));
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    if !rows.is_empty() && !text.is_empty() {
        text.push('\n');
    }
    for (name, value) in rows {
        text.push_str(&format!("{name:<width$}  {value}\n"));
    }
    text
}

/// The boards; those of a family with their names, side by side as far as a line goes.
pub fn boards(state: &State) -> String {
    let game = state.game();
    let all = instances(game);
    let named = all.len() > 1;
    let blocks: Vec<Vec<String>> = all.iter().map(|instance| board(state, instance, named)).collect();
    side_by_side(&blocks, 96)
}

fn board(state: &State, instance: &Instance, named: bool) -> Vec<String> {
    let game = state.game();
    let board = &game.model().boards[instance.board.index()];
    let drawn = draw(state, instance, &symbols(game, board));
    let name = named.then(|| instance.name.clone());
    name.into_iter().chain(lines(board, &drawn)).collect()
}

/// Blocks of lines next to each other, in as many rows of blocks as a width needs.
fn side_by_side(blocks: &[Vec<String>], width: usize) -> String {
    const GAP: usize = 3;
    let block_width = |block: &Vec<String>| block.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    let mut rest = blocks;
    while !rest.is_empty() {
        let (mut used, mut taken) = (0, 0);
        for block in rest {
            used += block_width(block) + GAP;
            if taken > 0 && used > width + GAP {
                break;
            }
            taken += 1;
        }
        let (row, later) = rest.split_at(taken);
        let height = row.iter().map(Vec::len).max().unwrap_or(0);
        for at in 0..height {
            let mut line = String::new();
            for block in row {
                let part = block.get(at).map_or("", String::as_str);
                line.push_str(&format!("{part:<width$}", width = block_width(block) + GAP));
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        rest = later;
        if !rest.is_empty() {
            text.push('\n');
        }
    }
    text
}

/// What the characters on the boards stand for.
pub fn legend(game: &Game) -> String {
    let all = game.model().boards.iter().flat_map(|board| symbols(game, board));
    let mut told: Vec<String> = all.map(|symbol| format!("{} {}", symbol.character, symbol.name)).collect();
    told.dedup();
    told.join(", ")
}

/// Does the viewer see a member of a family?
fn seen(slot: &Slot, per_first: usize, position: usize, viewer: Option<Player>) -> bool {
    match (slot.visibility, viewer) {
        (Visibility::All, _) | (_, None) => true,
        (Visibility::Owner, Some(viewer)) => {
            slot.index.first() == Some(&PLAYER) && position / per_first.max(1) == viewer.0 as usize
        }
        (Visibility::Nobody, Some(_)) => false,
    }
}

/// The dice that lie on the table.
fn dice(state: &State, viewer: Option<Player>) -> Vec<(String, String)> {
    let slots = state.game().model().slots.iter().zip(0..);
    let sets = slots.filter(|(slot, _)| matches!(slot.role, Role::Dice { .. }));
    sets.filter_map(|(slot, at)| {
        let seats = state.game().players() as usize;
        let faces = (0..slot.initial.len()).map(|position| {
            let seen = seen(slot, slot.initial.len() / seats.max(1), position, viewer);
            match state.value(SlotId(at), position) {
                Value::Element(Some(face)) if seen => (face + 1).to_string(),
                Value::Number(face) if seen && face > 0 => face.to_string(),
                _ => "–".to_owned(),
            }
        });
        let faces: Vec<String> = faces.collect();
        let rolled = faces.iter().any(|face| face != "–");
        rolled.then(|| (slot.name.clone(), faces.join(" ")))
    })
    .collect()
}

fn variables(state: &State, viewer: Option<Player>) -> Vec<(String, String)> {
    let slots = state.game().model().slots.iter().zip(0..);
    let told = slots.filter(|(slot, _)| slot.role == Role::Variable);
    told.flat_map(|(slot, at)| variable(state, slot, SlotId(at), viewer)).collect()
}

fn variable(state: &State, slot: &Slot, id: SlotId, viewer: Option<Player>) -> Vec<(String, String)> {
    let game = state.game();
    let members = slot.initial.len();
    let per_first = match slot.index.first() {
        Some(domain) => members / (game.model().domains[domain.index()].size as usize).max(1),
        None => members,
    };
    let written = |position: usize| {
        let seen = seen(slot, per_first, position, viewer);
        if seen { value_text(game, slot.content, &state.value(id, position)) } else { "?".to_owned() }
    };
    let by_player = slot.index == [PLAYER];
    if by_player {
        let names = &game.model().players.names;
        let values = (0..members).map(|position| match names.get(position) {
            Some(name) => format!("{name} {}", written(position)),
            None => written(position),
        });
        return vec![(slot.name.clone(), values.collect::<Vec<_>>().join(", "))];
    }
    let mut values: Vec<String> = (0..members.min(MOST_LISTED)).map(written).collect();
    if members > MOST_LISTED {
        values.push("…".to_owned());
    }
    vec![(slot.name.clone(), values.join(" "))]
}

/// Whose turn it is, or how the game has ended.
pub fn turn(state: &State) -> String {
    let game = state.game();
    let names = &game.model().players.names;
    let name = |player: Player| names.get(player.0 as usize).map_or("somebody", String::as_str);
    if let Some(outcome) = state.outcome() {
        return format!("The game is over: {}", result(game, &outcome.winners, &scores(state)));
    }
    let standing = match game.players() {
        1 => format!("score {}", score(state, 0)),
        n => {
            (0..n).map(|p| format!("{} {}", name(Player(p)), score(state, p))).collect::<Vec<_>>().join(", ")
        }
    };
    let who = match state.current_player() {
        Some(player) if game.players() > 1 => format!("{} to choose", name(player)),
        Some(_) => "your choice".to_owned(),
        None => "chance is next".to_owned(),
    };
    if game.model().score.is_empty() { who } else { format!("{who}; {standing}") }
}

fn scores(state: &State) -> Vec<String> {
    (0..state.game().players()).map(|player| score(state, player)).collect()
}

/// A score, or a question mark where the rules fail to say.
fn score(state: &State, player: u32) -> String {
    state.score(Player(player)).map_or_else(|_| "?".to_owned(), |score| score.to_string())
}

/// Who has won, with the scores.
fn result(game: &Game, winners: &[bool], scores: &[String]) -> String {
    let names = &game.model().players.names;
    let scored = !game.model().score.is_empty();
    if game.players() == 1 {
        return format!("{} points.", scores.first().map_or("0", String::as_str));
    }
    let won: Vec<&str> =
        names.iter().zip(winners).filter(|(_, won)| **won).map(|(name, _)| name.as_str()).collect();
    let who = match won.as_slice() {
        [one] => format!("{one} wins"),
        many if many.is_empty() || many.len() == names.len() => "a draw".to_owned(),
        many => format!("{} share the win", many.join(" and ")),
    };
    let points: Vec<String> =
        names.iter().zip(scores).map(|(name, score)| format!("{name} {score}")).collect();
    if scored { format!("{who} ({}).", points.join(", ")) } else { format!("{who}.") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(lines: &[&str]) -> Vec<String> {
        lines.iter().map(|line| (*line).to_owned()).collect()
    }

    #[test]
    fn blocks_stand_side_by_side_as_far_as_they_fit() {
        let blocks = [block(&["ab", "c"]), block(&["d"]), block(&["efg", "h", "i"])];
        assert_eq!(side_by_side(&blocks, 20), "ab   d   efg\nc        h\n         i\n");
        assert_eq!(side_by_side(&blocks, 7), "ab   d\nc\n\nefg\nh\ni\n");
        assert_eq!(side_by_side(&blocks[2..], 1), "efg\nh\ni\n");
    }
}
