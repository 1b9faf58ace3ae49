//! Cards as files: a picture of each, sheets of pictures for virtual tables, and tables for spreadsheets.

use super::{CardOptions, Deck, DeckCard, decks, large_deck};
use crate::print::{MM, PrintError, Printer};
use houserule_base::numbers::counted;
use houserule_game::Game;
use houserule_model::{DomainKind, Field, Model, SetField};
use houserule_picture::draw::svg::canvas::{Canvas, Palette, Picture, Theme};
use houserule_picture::draw::svg::page::document;
use houserule_picture::draw::svg::palette::PAPER;
use houserule_picture::draw::svg::printed::CardCut;
use houserule_picture::render::raster;

/// Pixels per millimetre of a picture for a print shop: 300 per inch.
const SHARP: f64 = 300.0 / 25.4;
/// Greatest number of columns and rows of a sheet of pictures: what Tabletop Simulator reads.
const SPRITES: (usize, usize) = (10, 7);
/// Greatest side of a sheet of pictures, in pixels.
const LARGEST: f64 = 4096.0;

/// What files are made of the cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeckFileForm {
    /// A PNG for each card, and one for the back.
    Png,
    /// Sheets with up to 10 by 7 cards as PNG, and the back: what virtual tables import.
    Sprites,
    /// A table of the cards for a spreadsheet.
    Csv,
}

/// A file to write.
#[derive(Clone, Debug)]
pub struct CardFile {
    /// Its name.
    pub name: String,
    /// Its contents.
    pub bytes: Vec<u8>,
    /// What it is, in words: `10 x 6, 54 cards`.
    pub about: String,
}

/// Makes files of the cards of a game. Compared with an older game, only of those that it doesn't have.
pub fn card_files(
    game: &Game,
    since: Option<&Game>,
    form: DeckFileForm,
    options: &CardOptions,
) -> Result<Vec<CardFile>, PrintError> {
    let decks = decks(game, since);
    if decks.is_empty() {
        return Err(match since {
            Some(_) => PrintError::Unchanged,
            None => large_deck(game).unwrap_or(PrintError::NoCards),
        });
    }
    let mut files = vec![];
    for deck in &decks {
        match form {
            DeckFileForm::Png => files.extend(pictures(game, deck, options)?),
            DeckFileForm::Sprites => files.extend(sprites(game, deck, options)?),
            DeckFileForm::Csv => files.push(table(game, deck)),
        }
    }
    Ok(files)
}

/// Draws something as PNG in colours.
fn drawn(
    title: &str,
    size: (f64, f64),
    pixels: f64,
    draw: impl FnOnce(&mut Canvas<'_>),
) -> Result<Vec<u8>, PrintError> {
    let palette = Palette::new(Theme::Light);
    let mut canvas = Printer { palette: &palette }.canvas();
    draw(&mut canvas);
    let picture: Picture = canvas.done(size.0, size.1);
    let svg = document(title, &picture, &palette);
    raster::png(&svg, Some((pixels.round() as u32).clamp(1, raster::LARGEST))).map_err(PrintError::File)
}

/// Returns a part of the name of a file: letters, digits and hyphens.
fn file_part(name: &str) -> String {
    name.replace(|c: char| !c.is_alphanumeric() && c != '_', "-")
}

/// Draws each card with its bleed, and the back.
fn pictures(game: &Game, deck: &Deck, options: &CardOptions) -> Result<Vec<CardFile>, PrintError> {
    let cut = deck.cut(options);
    let size = cut.outer();
    let (corner, pixels) = ((cut.bleed, cut.bleed), size.0 / MM * SHARP);
    let mut files = vec![];
    for card in deck.cards.iter().filter(|card| card.count > 0) {
        let bytes =
            drawn(&card.name, size, pixels, |canvas| deck.draw_face(game, canvas, corner, cut, card))?;
        let copies = if card.count > 1 { format!("-x{}", card.count) } else { String::new() };
        let name = format!("{}-{}{copies}.png", file_part(&deck.name), file_part(&card.name));
        files.push(CardFile { name, bytes, about: String::new() });
    }
    if deck.has_backs() {
        let bytes = drawn("back", size, pixels, |canvas| deck.draw_back(canvas, corner, cut))?;
        files.push(CardFile {
            name: format!("{}-back.png", file_part(&deck.name)),
            bytes,
            about: String::new(),
        });
    }
    Ok(files)
}

/// Draws sheets of cards without bleed, and the back.
fn sprites(game: &Game, deck: &Deck, options: &CardOptions) -> Result<Vec<CardFile>, PrintError> {
    let cut = CardCut { bleed: 0.0, ..deck.cut(options) };
    let all: Vec<&DeckCard> = deck.each().collect();
    let (most_columns, most_rows) = SPRITES;
    let mut files = vec![];
    for (number, cards) in (1..).zip(all.chunks(most_columns * most_rows)) {
        let columns = cards.len().clamp(2, most_columns);
        let rows = cards.len().div_ceil(columns).clamp(2, most_rows);
        let size = (columns as f64 * cut.width, rows as f64 * cut.height);
        let pixels = (size.0 / MM * SHARP).min(LARGEST).min(LARGEST * size.0 / size.1);
        let bytes = drawn(&deck.name, size, pixels, |canvas| {
            canvas.rect((0.0, 0.0), size, 0.0, Some(PAPER), None);
            for (at, card) in cards.iter().enumerate() {
                let corner = ((at % columns) as f64 * cut.width, (at / columns) as f64 * cut.height);
                deck.draw_face(game, canvas, corner, cut, card);
            }
        })?;
        let name = format!("{}-sheet-{number}.png", file_part(&deck.name));
        files.push(CardFile {
            name,
            bytes,
            about: format!("{columns} x {rows}, {}", counted(cards.len(), "card")),
        });
    }
    let width = (cut.width / MM * SHARP).min(LARGEST / 4.0);
    let bytes =
        drawn("back", (cut.width, cut.height), width, |canvas| deck.draw_back(canvas, (0.0, 0.0), cut))?;
    files.push(CardFile { name: format!("{}-back.png", file_part(&deck.name)), bytes, about: String::new() });
    Ok(files)
}

/// Writes the cards of a deck as a table: name, number, fields and text. `domain NAME from "FILE"` reads it.
fn table(game: &Game, deck: &Deck) -> CardFile {
    let model = game.model();
    let mut columns: Vec<String> = vec!["name".to_owned(), "count".to_owned()];
    let (mut fields, mut sets): (&[Field], &[SetField]) = (&[], &[]);
    if let DomainKind::Record { fields: own, sets: own_sets, .. } = &model.domains[deck.domain.index()].kind {
        (fields, sets) = (own, own_sets);
        columns.extend(fields.iter().map(|field| field_head(model, field)));
        columns.extend(
            sets.iter()
                .map(|field| format!("{}: set of {}", field.name, model.domains[field.of.index()].name)),
        );
    }
    let has_text = deck.cards.iter().any(|card| !card.text.is_empty());
    columns.extend(has_text.then(|| "text".to_owned()));
    let mut lines = vec![columns];
    for card in &deck.cards {
        let mut cells = vec![card.name.replace('-', "_"), card.count.to_string()];
        cells.extend(fields.iter().map(|field| match field.element(model, card.element) {
            Some((domain, value)) => model.element_name(domain, value),
            None => field.value(card.element).map(|value| value.to_string()).unwrap_or_default(),
        }));
        cells.extend(sets.iter().map(|field| {
            let set = field.values.get(card.element as usize);
            let names = set.into_iter().flat_map(|set| set.iter()).map(|e| model.element_name(field.of, e));
            format!("{{{}}}", names.collect::<Vec<_>>().join(", "))
        }));
        cells.extend(has_text.then(|| card.text.clone()));
        lines.push(cells);
    }
    let line = |cells: &Vec<String>| cells.iter().map(|cell| quoted(cell)).collect::<Vec<_>>().join(",");
    // Spreadsheets and the format itself end lines so.
    let text: String = lines.iter().map(|cells| line(cells) + "\r\n").collect();
    let about = counted(deck.pieces() as i64, "card");
    CardFile { name: format!("{}.csv", file_part(&deck.name)), bytes: text.into_bytes(), about }
}

/// Returns the head of a column: the name of a field with its type.
fn field_head(model: &Model, field: &Field) -> String {
    let numbers = || field.values.iter().flatten();
    match field.of {
        Some(of) => format!("{}: {}", field.name, model.domains[of.index()].name),
        None => match numbers().min().zip(numbers().max()) {
            Some((low, high)) => format!("{}: {low}..{high}", field.name),
            None => field.name.clone(),
        },
    }
}

/// Returns a cell of a table, in quotes if it needs them.
fn quoted(cell: &str) -> String {
    if cell.contains(['"', ',', ';', '\n', '\r']) {
        return format!("\"{}\"", cell.replace('"', "\"\""));
    }
    cell.to_owned()
}
