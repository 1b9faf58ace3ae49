//! The panel next to a board, as lines of text.

use super::chain;
use super::panel::{DiceRow, Face, FamilyList, FamilyTable, Panel, ScoreSheet, SeatPanel, Single, Zone};
use crate::layout::TableFact;
use crate::paint::line::{TextLine, clipped};
use crate::paint::{Paint, TextStyle};
use houserule_base::names::plain;
use houserule_model::{Seat, SeatLook};

/// Formats a panel as lines of a maximum width.
pub(super) struct Beside {
    pub(super) paint: Paint,
    pub width: usize,
}

/// A label and the words after it.
type LabelRow = (String, Vec<StyledWord>);

/// A word in its style.
pub(super) type StyledWord = (TextStyle, String);

fn plainly(text: String) -> StyledWord {
    (TextStyle::plain(), text)
}

impl Beside {
    /// Formats dice, variables with a single value, and facts.
    pub(super) fn dice_and_values(&self, panel: &Panel, facts: &[TableFact]) -> Vec<TextLine> {
        let fact = |fact: &TableFact| (fact.word.clone(), vec![plainly(fact.value.clone())]);
        let rows = panel.dice.iter().filter_map(dice).chain(panel.values.iter().filter_map(value));
        self.named(rows.chain(facts.iter().map(fact)).collect())
    }

    /// Formats score sheets and tables, each a block.
    pub(super) fn sheets(&self, panel: &Panel) -> Vec<Vec<TextLine>> {
        let sheets = panel.sheets.iter().map(|sheet| self.sheet(&panel.seats.seats, sheet));
        sheets.chain(panel.tables.iter().map(|table| self.table(table))).collect()
    }

    /// Formats all other families of variables as a block.
    pub(super) fn families(&self, panel: &Panel) -> Vec<Vec<TextLine>> {
        let block = self.named(panel.families.iter().map(family).collect());
        if block.is_empty() { vec![] } else { vec![block] }
    }

    /// Formats the chains, which take the whole page: nothing is beside them that could be taken for tiles of theirs.
    pub(super) fn chains(&self, panel: &Panel) -> Vec<Vec<TextLine>> {
        panel.zones.iter().filter(|zone| zone.chain.is_some()).map(|zone| self.chain(zone)).collect()
    }

    /// Formats rows of a label and a value. Long values continue below, aligned with their first line.
    fn named(&self, rows: Vec<LabelRow>) -> Vec<TextLine> {
        let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        let room = self.width.saturating_sub(width + 2).max(12);
        let mut lines = Vec::new();
        for (name, words) in rows {
            for (at, words) in fill(&words, room).into_iter().enumerate() {
                let mut line = TextLine::default();
                if at == 0 {
                    line.push(self.paint, TextStyle::quiet(), &name);
                }
                line.pad_to(width + 2);
                for (at, (style, word)) in words.iter().enumerate() {
                    line.push(self.paint, TextStyle::plain(), if at > 0 { " " } else { "" });
                    line.push(self.paint, *style, word);
                }
                lines.push(line);
            }
        }
        lines
    }

    /// Formats a zone of joined tiles as a tree.
    fn chain(&self, zone: &Zone) -> Vec<TextLine> {
        let lines = chain::lines(zone.chain.as_deref().unwrap_or_default(), self.width.saturating_sub(2));
        let mut drawn = vec![TextLine::default()];
        drawn[0].push(self.paint, TextStyle::quiet(), &plain(&zone.name));
        drawn.extend(lines.iter().map(|text| {
            let mut line = TextLine::default();
            line.push(self.paint, TextStyle::plain(), &format!("  {text}"));
            line
        }));
        drawn
    }

    /// Formats the seats with their scores and other columns, and marks whose turn it is.
    pub(super) fn seats(&self, seats: &SeatPanel) -> Vec<TextLine> {
        if let [_] = seats.seats.as_slice() {
            let score = seats
                .scores
                .iter()
                .map(|scores| ("score".to_owned(), scores.iter().cloned().map(plainly).collect()));
            return self.named(score.collect());
        }
        let mut head = vec![String::new()];
        head.extend(seats.scores.iter().map(|_| "score".to_owned()));
        head.extend(seats.columns.iter().map(|column| plain(&column.name)));
        let row = |seat: usize| -> Vec<String> {
            let name = seats.seats[seat].name.clone();
            let score = seats.scores.iter().map(|scores| scores[seat].clone());
            let more = seats.columns.iter().map(|column| column.values[seat].clone());
            [name].into_iter().chain(score).chain(more).collect()
        };
        let rows: Vec<Vec<String>> = (0..seats.seats.len()).map(row).collect();
        // Columns that don't fit are listed below the table.
        let width = |column: usize| {
            let cells = rows.iter().map(|row| row[column].chars().count());
            cells.chain([head[column].chars().count()]).max().unwrap_or(0)
        };
        let mut used = 2 + width(0);
        let fitting = (1..head.len())
            .take_while(|column| {
                used += 2 + width(*column);
                used <= self.width
            })
            .count();
        let mut lines = Vec::new();
        if fitting > 0 {
            let mut line = TextLine::default();
            line.pad_to(2 + width(0));
            for (column, name) in head.iter().enumerate().skip(1).take(fitting) {
                line.push(self.paint, TextStyle::quiet(), &format!("  {name:>0$}", width(column)));
            }
            lines.push(line);
        }
        for (seat, row) in rows.iter().enumerate() {
            let mut line = TextLine::default();
            line.push(self.paint, TextStyle::head(), if seats.mover == Some(seat) { "> " } else { "  " });
            line.push(self.paint, TextStyle::seat(Seat(seat as u32), &seats.seats), &row[0]);
            line.pad_to(2 + width(0));
            for (column, text) in row.iter().enumerate().skip(1).take(fitting) {
                line.push(self.paint, TextStyle::plain(), &format!("  {text:>0$}", width(column)));
            }
            lines.push(line);
        }
        let below = (fitting + 1..head.len())
            .map(|column| {
                let words = rows.iter().map(|row| plainly(format!("{}:\u{a0}{}", row[0], row[column])));
                (head[column].clone(), words.collect())
            })
            .collect();
        lines.extend(self.named(below));
        lines
    }

    /// Formats a table.
    fn table(&self, table: &FamilyTable) -> Vec<TextLine> {
        let wide = |text: &String| text.chars().count();
        let label = table.lines.iter().map(|(name, _)| wide(name) + 2).chain([wide(&table.name)]).max();
        let label = label.unwrap_or(0);
        let width = |at: usize| {
            let cells = table.lines.iter().filter_map(|(_, cells)| cells.get(at)).map(wide);
            cells.chain([wide(&table.heads[at])]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..table.heads.len()).map(width).collect();
        let row = |name: &str, cells: &[String], looks: (TextStyle, TextStyle)| {
            let mut line = TextLine::default();
            line.push(self.paint, looks.0, name);
            line.pad_to(label);
            for (text, width) in cells.iter().zip(&widths) {
                line.pad_to(line.width() + 2 + width - wide(text));
                line.push(self.paint, looks.1, text);
            }
            line
        };
        let mut lines =
            vec![row(&plain(&table.name), &table.heads, (TextStyle::quiet(), TextStyle::quiet()))];
        let looks = (TextStyle::plain(), TextStyle::head());
        lines.extend(table.lines.iter().map(|(name, cells)| row(&format!("  {name}"), cells, looks)));
        lines
    }

    /// Formats a sheet: a row for each element, a column for each player.
    fn sheet(&self, players: &[SeatLook], sheet: &ScoreSheet) -> Vec<TextLine> {
        let label = sheet.lines.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let label = label.max(sheet.name.chars().count());
        let cell = |seat: usize, row: usize| sheet.columns[seat][row].as_deref().unwrap_or("–");
        let width = |seat: usize| {
            let cells = (0..sheet.lines.len()).map(|row| cell(seat, row).chars().count());
            let name = if players.len() > 1 { players[seat].name.chars().count() } else { 0 };
            cells.chain([name]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..players.len()).map(width).collect();
        let mut head = TextLine::default();
        head.push(self.paint, TextStyle::quiet(), &plain(&sheet.name));
        if players.len() > 1 {
            head.pad_to(label);
            for (seat, width) in widths.iter().enumerate() {
                let name = &players[seat].name;
                head.pad_to(head.width() + 2 + width - name.chars().count());
                head.push(self.paint, TextStyle::seat(Seat(seat as u32), players), name);
            }
        }
        let mut lines = vec![head];
        for (row, name) in sheet.lines.iter().enumerate() {
            let mut line = TextLine::default();
            line.push(self.paint, TextStyle::plain(), name);
            line.pad_to(label);
            for (seat, width) in widths.iter().enumerate() {
                let text = cell(seat, row);
                line.pad_to(line.width() + 2 + width - text.chars().count());
                line.push(self.paint, TextStyle::head(), text);
            }
            lines.push(line);
        }
        lines
    }
}

/// Formats dice, or returns `None` before the first roll.
fn dice(dice: &DiceRow) -> Option<LabelRow> {
    let face = |face: &Option<u32>| face.map_or_else(|| "–".to_owned(), |face| dice.face(face));
    dice.is_rolled.then(|| (dice.label.clone(), dice.faces.iter().map(face).map(plainly).collect()))
}

/// Formats a variable, or returns `None` if its value is none.
fn value(value: &Single) -> Option<LabelRow> {
    (value.text != "none").then(|| (plain(&value.name), vec![plainly(value.text.clone())]))
}

fn open_word(face: &Face) -> StyledWord {
    (face.colour.map_or(TextStyle::plain(), TextStyle::coloured), face.name.clone())
}

/// Formats an ordered zone from the bottom to the top: `7 ?×3 {2 ?}`. Braces are around a shuffled part of which an element is
/// open.
pub(super) fn in_order(zone: &Zone) -> Vec<StyledWord> {
    let unknown = |hidden: usize| match hidden {
        1 => "?".to_owned(),
        _ => format!("?×{hidden}"),
    };
    let (mut words, mut hidden) = (vec![], 0);
    for part in &zone.parts {
        if part.open.is_empty() {
            hidden += part.hidden;
            continue;
        }
        if hidden > 0 {
            words.push(plainly(unknown(hidden)));
            hidden = 0;
        }
        let mut inside: Vec<StyledWord> =
            part.open.iter().filter_map(|at| zone.open.get(*at)).map(open_word).collect();
        if part.hidden > 0 {
            inside.push(plainly(unknown(part.hidden)));
        }
        if inside.len() > 1 {
            if let Some((_, first)) = inside.first_mut() {
                first.insert(0, '{');
            }
            if let Some((_, last)) = inside.last_mut() {
                last.push('}');
            }
        }
        words.extend(inside);
    }
    if hidden > 0 {
        words.push(plainly(unknown(hidden)));
    }
    words
}

fn family(family: &FamilyList) -> LabelRow {
    let member = |(name, value): &(String, String)| {
        // A non-breaking space keeps name and value on one line.
        if name.is_empty() { value.clone() } else { format!("{name}:\u{a0}{value}") }
    };
    let mut words: Vec<StyledWord> = family.members.iter().map(member).map(plainly).collect();
    if family.more {
        words.push(plainly("…".to_owned()));
    }
    (plain(&family.name), words)
}

/// Wraps words to lines of at most `width` columns. What should stay on one line, such as a set, is broken if it is wider.
fn fill(words: &[StyledWord], width: usize) -> Vec<Vec<StyledWord>> {
    let mut lines = vec![vec![]];
    let mut used = 0;
    let fitting = words.iter().flat_map(|(style, word)| {
        let parts: Vec<String> = match word.chars().count() > width {
            true => word.split([' ', '\u{a0}']).map(str::to_owned).collect(),
            false => vec![word.replace('\u{a0}', " ")],
        };
        parts.into_iter().map(|part| (*style, part))
    });
    for (style, word) in fitting {
        let word = clipped(&word, width);
        let wide = word.chars().count();
        if used > 0 && used + 1 + wide > width {
            lines.push(vec![]);
            used = 0;
        }
        used += wide + usize::from(used > 0);
        if let Some(last) = lines.last_mut() {
            last.push((style, word));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_fill_lines() {
        let fill = |words: &[&str], width: usize| -> Vec<String> {
            let words: Vec<StyledWord> = words.iter().map(|word| plainly((*word).to_owned())).collect();
            let lines = fill(&words, width).into_iter();
            let text =
                |line: Vec<StyledWord>| line.into_iter().map(|(_, word)| word).collect::<Vec<_>>().join(" ");
            lines.map(text).collect()
        };
        assert_eq!(fill(&["a:\u{a0}1", "b:\u{a0}22", "c:\u{a0}3"], 10), ["a: 1 b: 22", "c: 3"]);
        assert_eq!(
            fill(&["{a1, b2, c3}"], 8),
            ["{a1, b2,", "c3}"],
            "a set has a line break between elements"
        );
        assert_eq!(fill(&["abcdefghi"], 8), ["abcdefg…"]);
        assert_eq!(
            fill(&["ace", "and\u{a0}3\u{a0}face\u{a0}down"], 10),
            ["ace and 3", "face down"],
            "nothing is cut off"
        );
    }
}
