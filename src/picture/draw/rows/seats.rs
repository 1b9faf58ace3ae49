//! The seats as rows: who is to move, name, score, counters, and what lies there.

use super::cards::CardWriter;
use super::line::{RowPiece, fill};
use super::zones::ZoneRows;
use crate::layout::{Counter, Plate};
use crate::paint::TextStyle;
use crate::paint::line::{TextLine, clipped};
use houserule_model::Seat;

/// The widest name of a player in rows, in columns.
const WIDEST_NAME: usize = 16;

/// What the word for the number of cards in a hand begins with.
const IN: &str = "in ";

/// What the viewer is called.
const YOU: &str = "you";

/// Returns a row for each seat.
pub(super) fn seat_rows(table: &ZoneRows<'_>, writer: &mut CardWriter, width: usize) -> Vec<TextLine> {
    let plates = table.plates;
    let name = |plate: &Plate| clipped(&plate.name, WIDEST_NAME.min(width / 2));
    let name_width = plates.iter().map(|plate| name(plate).chars().count()).max().unwrap_or(0);
    let scores: Vec<Option<String>> = plates.iter().map(score).collect();
    let scores = SeatCells::of_seats(scores);
    let mut words: Vec<&str> = vec![];
    for counter in plates.iter().flat_map(|plate| &plate.counters) {
        if !words.contains(&counter.word.as_str()) {
            words.push(&counter.word);
        }
    }
    // The numbers of cards in hands come last. The viewer sees them, and has a word there instead.
    words.sort_by_key(|word| word.starts_with(IN));
    let has_hands = words.last().is_some_and(|word| word.starts_with(IN));
    let mut columns: Vec<SeatCells> = words.iter().map(|word| counters(plates, word)).collect();
    let mut is_told_you = false;
    for (seat, _) in plates.iter().enumerate().filter(|(_, plate)| plate.is_viewer && has_hands) {
        if let Some(last) = columns.last_mut().filter(|last| last.cells[seat].is_none()) {
            last.cells[seat] = Some(YOU.to_owned());
            last.width = last.width.max(YOU.len());
            is_told_you = true;
        }
    }
    let mut lines = vec![];
    for (at, plate) in plates.iter().enumerate() {
        let mut line = TextLine::default();
        line.push(writer.paint, TextStyle::head(), if plate.is_to_play { "> " } else { "  " });
        let style = TextStyle::seat(Seat(at as u32), table.seats);
        line.push(writer.paint, style, &name(plate));
        let column = 2 + name_width + 2;
        line.pad_to(column);
        let cells = [&scores].into_iter().chain(&columns).filter(|cells| cells.width > 0);
        let mut pieces: Vec<RowPiece> = cells.map(|cells| cells.piece(at)).collect();
        let words = plate.words.iter().map(String::as_str).chain(plate.has_won.then_some("wins"));
        let words = words.chain((plate.is_viewer && !is_told_you).then_some(YOU));
        pieces.extend(words.map(|word| RowPiece::after(2, TextStyle::plain(), word)));
        pieces.extend(table.at_seat(Seat(at as u32), writer));
        lines.extend(fill(line, column, &pieces, writer.paint, width));
    }
    lines
}

/// A column of the seats' rows.
struct SeatCells {
    width: usize,
    cells: Vec<Option<String>>,
}

impl SeatCells {
    fn of_seats(cells: Vec<Option<String>>) -> SeatCells {
        let wide = |cell: &String| cell.chars().count();
        SeatCells { width: cells.iter().flatten().map(wide).max().unwrap_or(0), cells }
    }

    /// Returns the cell of a seat, as wide as the column.
    fn piece(&self, seat: usize) -> RowPiece {
        let text = self.cells[seat].as_deref().unwrap_or_default();
        RowPiece::after(2, TextStyle::plain(), format!("{text:<0$}", self.width))
    }
}

/// Returns the score of a seat in words.
fn score(plate: &Plate) -> Option<String> {
    let score = plate.score.as_ref()?;
    Some(if score == "1" { "1 point".to_owned() } else { format!("{score} points") })
}

/// Returns a counter of all seats that have it. Numbers end in the same column.
fn counters(plates: &[Plate], word: &str) -> SeatCells {
    let counter = |plate: &Plate| plate.counters.iter().find(|counter| counter.word == word).cloned();
    let all: Vec<Option<Counter>> = plates.iter().map(counter).collect();
    let wide = all.iter().flatten().map(|counter| counter.value.chars().count()).max().unwrap_or(0);
    let is_number = |counter: &Counter| counter.value.parse::<i64>().is_ok();
    let is_counted = all.iter().flatten().all(is_number) && (word.ends_with('s') || word.starts_with(IN));
    let text = |counter: Counter| {
        let value = &counter.value;
        match is_counted {
            true if value == "1" => format!("{value:>wide$} {}", singular(word)),
            true => format!("{value:>wide$} {word}"),
            false => format!("{word} {value}"),
        }
    };
    SeatCells::of_seats(all.into_iter().map(|counter| counter.map(text)).collect())
}

/// Returns the singular of a plural: `trick` for `tricks`, `pass` for `passes`.
fn singular(word: &str) -> &str {
    let is_hissed = ["sses", "xes", "ches", "shes"].iter().any(|end| word.ends_with(end));
    let stem = if is_hissed { word.strip_suffix("es") } else { word.strip_suffix('s') };
    stem.filter(|stem| !stem.ends_with('s') || is_hissed).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_many_is_in_the_singular() {
        for (word, one) in [("tricks", "trick"), ("passes", "pass"), ("boxes", "box"), ("in hand", "in hand")]
        {
            assert_eq!(singular(word), one, "{word}");
        }
        assert_eq!(singular("progress"), "progress");
    }
}
