//! Describes a state in which a runtime error stopped a game, with the last events.

use super::board::DrawnOnBoards;
use super::panel::Panel;
use super::table::TableReader;
use super::text::TextOptions;
use crate::layout::{GameLook, ZoneRole};
use crate::paint::line::wrap;
use houserule_base::names::plain;
use houserule_base::rng::MAX_PLAYERS;
use houserule_game::values::{BoardNames, event_text};
use houserule_game::{Onlookers, Seat, State};
use houserule_model::SlotId;

/// Maximum number of events that are listed.
const MOST_EVENTS: usize = 6;

/// Width of a page, in columns.
const PAGE: usize = 80;

/// Maximum number of values that are listed.
const MOST_VALUES: usize = 60;

/// Describes the state at the error and the last events. `decisions` is their number in words: `12 decisions`.
pub fn stopped(state: &State, decisions: &str) -> String {
    let history = state.history();
    let mut text = format!("The game at that moment, after {decisions}:\n\n");
    for line in super::text::table(state, &TextOptions::open()).lines() {
        text.push_str(if line.is_empty() { "" } else { "  " });
        text.push_str(line);
        text.push('\n');
    }
    let values = values_left_out(state);
    if !values.is_empty() {
        text.push('\n');
        let shown = values.len().min(MOST_VALUES);
        let more = if shown < values.len() { ", …" } else { "" };
        let listed = format!("Other values: {}{more}", values[..shown].join(", "));
        wrap(&listed, PAGE - 2).iter().for_each(|line| text.push_str(&format!("  {line}\n")));
    }
    let last = &history[history.len().saturating_sub(MOST_EVENTS)..];
    if !last.is_empty() {
        let names = BoardNames::new(state.game());
        let in_words = |event| names.event(event, &event_text(state.game(), event));
        let told: Vec<String> = last.iter().map(in_words).collect();
        let before = if last.len() < history.len() { "… " } else { "" };
        text.push_str(&format!("\nThe last events: {before}{}\n", told.join(", ")));
    }
    text
}

/// Returns what the drawing for players leaves out, by the names of the rule file: variables that only the rules use or that
/// say nothing yet, and what lies in piles.
fn values_left_out(state: &State) -> Vec<String> {
    let (model, sight) = (state.game().model(), Onlookers::EVERYTHING);
    let panel = Panel::from_state(state, sight, &DrawnOnBoards::in_text(state, sight, PAGE), MAX_PLAYERS);
    let look = GameLook::find(state.game());
    let reader = TableReader::new(state, None, sight, look, true);
    let (facts, told) = reader.facts(&panel);
    let name = |slot: SlotId| &model.slots[slot.index()].name;
    let is_fact = |word: &str| facts.iter().any(|fact| fact.word == plain(word));
    let mut values = vec![];
    for single in panel.values.iter().filter(|single| told.contains(&single.slot) && !is_fact(&single.name)) {
        values.push(format!("{} {}", name(single.slot), single.text));
    }
    for column in &panel.seats.columns {
        for (seat, value) in column.values.iter().enumerate() {
            if !reader.says_something(column.slot, Seat(seat as u32)) {
                values.push(format!("{}[{}] {value}", name(column.slot), panel.seats.seats[seat].name));
            }
        }
    }
    for family in panel.families.iter().filter(|family| reader.is_left_out(family.slot)) {
        let more = if family.more { " …" } else { "" };
        let members = family.members.iter().map(|(index, value)| format!("{index}: {value}"));
        values.push(format!("{} {}{more}", name(family.slot), members.collect::<Vec<_>>().join(" ")));
    }
    for zone in &panel.zones {
        let is_pile = !matches!(
            look.roles.zone(zone.slot),
            Some(
                ZoneRole::Hand
                    | ZoneRole::Slots
                    | ZoneRole::Open
                    | ZoneRole::Row
                    | ZoneRole::Columns
                    | ZoneRole::Trick
            )
        );
        if is_pile && zone.chain.is_none() && zone.open.len() > 1 {
            let faces = zone.open.iter().map(|face| match face.copies {
                1 => face.name.clone(),
                copies => format!("{} × {copies}", face.name),
            });
            values.push(format!("{} {}", zone.name, faces.collect::<Vec<_>>().join(" ")));
        }
    }
    values
}
