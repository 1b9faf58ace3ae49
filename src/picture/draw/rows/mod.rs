//! Tables of cards and dice as rows of text: a head, a row for each seat, for a trick, for a hand, piles in one row.

mod cards;
mod head;
mod line;
mod seats;
mod zones;

use super::beside::Beside;
use super::board::side_by_side;
use super::panel::Panel;
use super::table::TableReader;
use super::text::{below, status, winners};
use crate::layout::{Plate, TableFact, ZoneRole, ZoneView};
use crate::paint::Paint;
use crate::paint::line::TextLine;
use cards::CardWriter;
use houserule_model::{Role, SlotId};
use line::labelled;
use zones::ZoneRows;

/// The width of rows on a wider page, in columns.
pub(super) const ROWS: usize = 80;

/// A table to be written in rows.
pub(super) struct RowedTable<'t> {
    reader: &'t TableReader<'t>,
    panel: &'t Panel,
    zones: Vec<ZoneView>,
    plates: Vec<Plate>,
}

/// Parts of a table in rows.
struct RowParts {
    /// A row for each seat.
    seats: Vec<TextLine>,
    /// Rows for what lies in the middle, and for the viewer's hand.
    zones: Vec<TextLine>,
    /// The marks that were used.
    legend: Vec<TextLine>,
}

impl<'t> RowedTable<'t> {
    pub(super) fn new(reader: &'t TableReader<'t>, panel: &'t Panel) -> RowedTable<'t> {
        let (zones, _) = reader.zones(panel);
        RowedTable { reader, panel, zones, plates: reader.plates(panel, &winners(reader.state)) }
    }

    /// Formats all of it, with a head: title, facts, and who is to do what.
    pub(super) fn page(&self, facts: &[TableFact], paint: Paint) -> Vec<TextLine> {
        let (columns, width) = (paint.columns(), paint.columns().min(ROWS));
        let mut lines = self.head(facts, paint, width);
        let RowParts { seats, zones, legend } = self.rows(paint, width);
        lines.extend(seats);
        let beside = Beside { paint, width: columns.saturating_sub(2) };
        lines.extend(beside.dice_and_values(self.panel, &[]));
        lines.extend(zones);
        let blocks = [beside.sheets(self.panel), beside.families(self.panel)].concat();
        if !blocks.is_empty() {
            lines.push(TextLine::default());
            lines.extend(side_by_side(&blocks, columns));
        }
        lines = below(lines, beside.chains(self.panel));
        lines.extend(legend);
        lines
    }

    /// Formats all but boards and chains as blocks of related lines, for a place beside or below boards.
    pub(super) fn blocks(&self, facts: &[TableFact], paint: Paint, width: usize) -> Vec<Vec<TextLine>> {
        let beside = Beside { paint, width };
        let told = beside.dice_and_values(self.panel, facts);
        let RowParts { seats, zones, legend } = self.rows(paint, width.min(ROWS));
        // Values of all seats form a table, unless something lies at the seats.
        let is_laid_out = has_zones(self.reader) || self.zones.iter().any(|zone| zone.seat.is_some());
        let is_table = seats.is_empty() || !is_laid_out;
        let seats = if is_table { beside.seats(&self.panel.seats) } else { seats };
        let mut blocks = vec![seats, told];
        blocks.extend(beside.sheets(self.panel));
        blocks.push([zones, legend].concat());
        blocks.extend(beside.families(self.panel));
        blocks.retain(|block| !block.is_empty());
        blocks
    }

    /// Formats the head.
    fn head(&self, facts: &[TableFact], paint: Paint, width: usize) -> Vec<TextLine> {
        let state = self.reader.state;
        let title = &state.game().model().title;
        let mut facts = facts.to_vec();
        if let ([_], Some([score])) = (&self.panel.seats.seats[..], self.panel.seats.scores.as_deref()) {
            let score = TableFact { word: "score".to_owned(), value: score.clone(), help: String::new() };
            facts.insert(0, score);
        }
        head::head(title, &facts, &status(state, self.reader.sight), paint, width)
    }

    /// Formats seats and zones.
    fn rows(&self, paint: Paint, width: usize) -> RowParts {
        let rows = ZoneRows {
            model: self.reader.state.game().model(),
            zones: &self.zones,
            panel: &self.panel.zones,
            plates: &self.plates,
            seats: &self.panel.seats.seats,
        };
        let mut writer = CardWriter::new(paint);
        let seats = seats::seat_rows(&rows, &mut writer, width);
        let mut zones = labelled(&rows.piles(&mut writer), paint, width);
        zones.extend(labelled(&rows.columns(&mut writer), paint, width));
        let others = [rows.tricks(&mut writer), rows.open(&mut writer), rows.hands(&mut writer)].concat();
        zones.extend(labelled(&others, paint, width));
        let legend = line::fill(TextLine::default(), 0, &writer.legend(), paint, width);
        let legend = legend.into_iter().filter(|line| line.width() > 0).collect();
        RowParts { seats, zones, legend }
    }
}

/// Returns `true` if a game has zones that lie on its table, in all of its states.
fn has_zones(reader: &TableReader<'_>) -> bool {
    let slots = (0..).map(SlotId).zip(&reader.state.game().model().slots);
    let mut zones = slots.filter(|(_, slot)| matches!(slot.role, Role::Zone | Role::Copies));
    zones.any(|(id, _)| {
        !matches!(reader.roles.zone(id), None | Some(ZoneRole::OnBoard | ZoneRole::Unused | ZoneRole::Chain))
    })
}
