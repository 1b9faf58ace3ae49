//! Colours and page width of text for terminals. This module assigns colours to purposes; the caller decides
//! whether to use colours, and the width.

pub mod line;

use anstyle::{Ansi256Color, AnsiColor, Color, Style};

use houserule_model::{Colour, Seat, SeatLook};

/// Default width of a page of text, in columns.
pub const COLUMNS: usize = 100;

/// Whether to colour text, and the width of the page.
#[derive(Clone, Copy, Debug)]
pub struct Paint {
    on: bool,
    columns: usize,
}

/// The colours of seats and pieces, in order. After the last, they repeat underlined, then in italics.
const SEATS: [AnsiColor; 6] = [
    AnsiColor::BrightRed,
    AnsiColor::BrightCyan,
    AnsiColor::BrightGreen,
    AnsiColor::BrightMagenta,
    AnsiColor::BrightYellow,
    AnsiColor::BrightBlue,
];

/// The style of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextStyle(Style);

impl TextStyle {
    /// Normal text.
    pub fn plain() -> TextStyle {
        TextStyle(Style::new())
    }

    /// Secondary text.
    pub fn quiet() -> TextStyle {
        TextStyle(Style::new().dimmed())
    }

    /// A headline.
    pub fn head() -> TextStyle {
        TextStyle(Style::new().bold())
    }

    /// The look of a seat, given those of all seats in the rules. Seats without a colour get one that no other
    /// seat has.
    pub fn seat(seat: Seat, seats: &[SeatLook]) -> TextStyle {
        let own: Vec<Option<Colour>> = seats.iter().map(|seat| seat.look.colour).collect();
        if let Some(Some(colour)) = own.get(seat.index()) {
            return TextStyle::coloured(*colour);
        }
        // The colours that no seat has taken, in order.
        let taken: Vec<TextStyle> = own.iter().flatten().map(|colour| TextStyle::coloured(*colour)).collect();
        let free: Vec<AnsiColor> =
            SEATS.into_iter().filter(|colour| !taken.contains(&TextStyle::numbered(0, &[*colour]))).collect();
        let number = own.iter().take(seat.index()).filter(|colour| colour.is_none()).count();
        TextStyle::numbered(number, if free.is_empty() { &SEATS } else { &free })
    }

    /// The look of a kind of piece without owner or colour. `taken` are the colours of the other pieces.
    pub fn piece(number: usize, taken: &[Colour]) -> TextStyle {
        const ALL: [AnsiColor; 3] =
            [AnsiColor::BrightYellow, AnsiColor::BrightMagenta, AnsiColor::BrightGreen];
        let taken: Vec<TextStyle> = taken.iter().map(|colour| TextStyle::coloured(*colour)).collect();
        let free = ALL.into_iter().filter(|colour| !taken.contains(&TextStyle::numbered(0, &[*colour])));
        let free: Vec<AnsiColor> = free.collect();
        TextStyle::numbered(number, if free.is_empty() { &ALL } else { &free })
    }

    /// The look of a colour. Black and white are the terminal's own colour, dimmed and bold, so that both are
    /// readable on dark and light backgrounds.
    pub fn coloured(colour: Colour) -> TextStyle {
        let bold = Style::new().bold();
        let ansi = |colour: AnsiColor| TextStyle(bold.fg_color(Some(colour.into())));
        let one_of_256 = |number: u8| TextStyle(bold.fg_color(Some(Color::Ansi256(Ansi256Color(number)))));
        match colour {
            Colour::Red => ansi(AnsiColor::BrightRed),
            Colour::Orange => one_of_256(208),
            Colour::Yellow => ansi(AnsiColor::BrightYellow),
            Colour::Gold => one_of_256(178),
            Colour::Lime => one_of_256(112),
            Colour::Green => ansi(AnsiColor::BrightGreen),
            Colour::Teal => one_of_256(30),
            Colour::Cyan => ansi(AnsiColor::BrightCyan),
            Colour::Blue => ansi(AnsiColor::BrightBlue),
            Colour::Navy => ansi(AnsiColor::Blue),
            Colour::Purple => one_of_256(135),
            Colour::Magenta => ansi(AnsiColor::BrightMagenta),
            Colour::Pink => one_of_256(211),
            Colour::Brown => one_of_256(130),
            Colour::Black => TextStyle(Style::new().dimmed()),
            Colour::White => TextStyle(bold),
            Colour::Grey => one_of_256(245),
            Colour::Silver => one_of_256(250),
        }
    }

    fn numbered(number: usize, colours: &[AnsiColor]) -> TextStyle {
        let style = Style::new().bold().fg_color(Some(colours[number % colours.len()].into()));
        TextStyle(match number / colours.len() {
            0 => style,
            1 => style.underline(),
            _ => style.italic(),
        })
    }

    /// Highlights a look as changed.
    pub fn changed(self) -> TextStyle {
        TextStyle(self.0.invert())
    }
}

impl Paint {
    /// Creates a paint with or without colours.
    pub fn new(on: bool) -> Self {
        Paint { on, columns: COLUMNS }
    }

    /// Creates a paint without colours.
    pub fn plain() -> Self {
        Paint::new(false)
    }

    /// Changes the width of the page.
    #[must_use]
    pub fn with_columns(self, columns: usize) -> Self {
        Paint { columns, ..self }
    }

    /// Returns the width of the page, in columns.
    pub fn columns(self) -> usize {
        self.columns
    }

    /// Returns `true` if colours are used.
    pub fn is_on(self) -> bool {
        self.on
    }

    /// Formats a text with a look.
    pub fn text(self, look: TextStyle, text: &str) -> String {
        if !self.on || text.is_empty() || look == TextStyle::plain() {
            return text.to_owned();
        }
        format!("{}{text}{}", look.0.render(), look.0.render_reset())
    }

    fn with(self, colour: AnsiColor, text: &str) -> String {
        self.text(TextStyle(Style::new().fg_color(Some(colour.into()))), text)
    }

    /// Formats a headline.
    pub fn head(self, text: &str) -> String {
        self.text(TextStyle::head(), text)
    }

    /// Formats secondary text.
    pub fn quiet(self, text: &str) -> String {
        self.text(TextStyle::quiet(), text)
    }

    /// Formats a bar.
    pub fn bar(self, text: &str) -> String {
        self.with(AnsiColor::Cyan, text)
    }

    /// Formats an error.
    pub fn error(self, text: &str) -> String {
        self.text(TextStyle(Style::new().bold().fg_color(Some(AnsiColor::Red.into()))), text)
    }

    /// Formats a success.
    pub fn good(self, text: &str) -> String {
        self.with(AnsiColor::Green, text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_model::Look;

    #[test]
    fn seats_are_told_apart() {
        let sets: [&[&str]; 4] = [&["X", "O"], &["red", "yellow"], &["white", "Red"], &["a"; 16]];
        for names in sets {
            let seat = |name: &&str| SeatLook {
                name: (*name).to_owned(),
                look: Look { colour: Colour::in_name(name), ..Look::default() },
            };
            let seats: Vec<SeatLook> = names.iter().map(seat).collect();
            let looks: Vec<TextStyle> =
                (0..seats.len() as u32).map(|seat| TextStyle::seat(Seat(seat), &seats)).collect();
            for (at, look) in looks.iter().enumerate() {
                assert!(!looks[..at].contains(look), "{names:?}, seat {at}");
            }
        }
    }

    #[test]
    fn nothing_is_painted_without_colours() {
        assert_eq!(Paint::plain().text(TextStyle::seat(Seat(0), &[]).changed(), "X"), "X");
        assert_eq!(Paint::new(true).text(TextStyle::plain(), "X"), "X");
        assert!(Paint::new(true).text(TextStyle::head(), "X").contains("\u{1b}["));
    }
}
