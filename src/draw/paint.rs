//! Colours and width of text for terminals. Knows what a colour is for; whether there are any, and how
//! wide a page is, the caller says.

use anstyle::{Ansi256Color, AnsiColor, Color, Style};

use crate::lang::model::Colour;

/// Columns that a page of text may fill if no terminal is narrower.
pub const COLUMNS: usize = 100;

/// Paints text, or leaves it as it is; and the width of the page.
#[derive(Clone, Copy, Debug)]
pub struct Paint {
    on: bool,
    columns: usize,
}

/// The colours of seats and of pieces, in order; then they begin again, underlined, then slanted.
const SEATS: [AnsiColor; 6] = [
    AnsiColor::BrightRed,
    AnsiColor::BrightCyan,
    AnsiColor::BrightGreen,
    AnsiColor::BrightMagenta,
    AnsiColor::BrightYellow,
    AnsiColor::BrightBlue,
];

/// What a piece of text looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look(Style);

impl Look {
    /// As text usually is.
    pub fn plain() -> Look {
        Look(Style::new())
    }

    /// What can be passed over.
    pub fn quiet() -> Look {
        Look(Style::new().dimmed())
    }

    /// A headline.
    pub fn head() -> Look {
        Look(Style::new().bold())
    }

    /// A seat and what is its own, by the names of all seats: a seat that is called by a colour has it
    /// if that leaves the seats apart.
    pub fn seat(seat: usize, names: &[String]) -> Look {
        let own: Vec<Option<Colour>> = names.iter().map(|name| Colour::in_name(name)).collect();
        if let Some(Some(colour)) = own.get(seat) {
            return Look::coloured(*colour);
        }
        // The colours that no name has taken, in order.
        let taken: Vec<Look> = own.iter().flatten().map(|colour| Look::coloured(*colour)).collect();
        let free: Vec<AnsiColor> =
            SEATS.into_iter().filter(|colour| !taken.contains(&Look::numbered(0, &[*colour]))).collect();
        let number = own.iter().take(seat).filter(|colour| colour.is_none()).count();
        Look::numbered(number, if free.is_empty() { &SEATS } else { &free })
    }

    /// A kind of piece that is nobody's own and has no colour; `taken` are the colours of the others.
    pub fn piece(number: usize, taken: &[Colour]) -> Look {
        const ALL: [AnsiColor; 3] =
            [AnsiColor::BrightYellow, AnsiColor::BrightMagenta, AnsiColor::BrightGreen];
        let taken: Vec<Look> = taken.iter().map(|colour| Look::coloured(*colour)).collect();
        let free = ALL.into_iter().filter(|colour| !taken.contains(&Look::numbered(0, &[*colour])));
        let free: Vec<AnsiColor> = free.collect();
        Look::numbered(number, if free.is_empty() { &ALL } else { &free })
    }

    /// What has a colour. Black and white are the terminal's own, pale and bold: both can be read on dark and on
    /// light ground.
    pub fn coloured(colour: Colour) -> Look {
        let bold = Style::new().bold();
        let ansi = |colour: AnsiColor| Look(bold.fg_color(Some(colour.into())));
        let one_of_256 = |number: u8| Look(bold.fg_color(Some(Color::Ansi256(Ansi256Color(number)))));
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
            Colour::Black => Look(Style::new().dimmed()),
            Colour::White => Look(bold),
            Colour::Grey => one_of_256(245),
            Colour::Silver => one_of_256(250),
        }
    }

    fn numbered(number: usize, colours: &[AnsiColor]) -> Look {
        let style = Style::new().bold().fg_color(Some(colours[number % colours.len()].into()));
        Look(match number / colours.len() {
            0 => style,
            1 => style.underline(),
            _ => style.italic(),
        })
    }

    /// The same, as what has just changed.
    pub fn changed(self) -> Look {
        Look(self.0.invert())
    }
}

impl Paint {
    /// With colours, or without.
    pub fn new(on: bool) -> Self {
        Paint { on, columns: COLUMNS }
    }

    /// Without.
    pub fn plain() -> Self {
        Paint::new(false)
    }

    /// The same colours on a page of another width.
    #[must_use]
    pub fn with_columns(self, columns: usize) -> Self {
        Paint { columns, ..self }
    }

    /// Columns that a line may fill.
    pub fn columns(self) -> usize {
        self.columns
    }

    /// With colours?
    pub fn is_on(self) -> bool {
        self.on
    }

    /// A text that looks so.
    pub fn text(self, look: Look, text: &str) -> String {
        if !self.on || text.is_empty() || look == Look::plain() {
            return text.to_owned();
        }
        format!("{}{text}{}", look.0.render(), look.0.render_reset())
    }

    fn with(self, colour: AnsiColor, text: &str) -> String {
        self.text(Look(Style::new().fg_color(Some(colour.into()))), text)
    }

    /// A headline.
    pub fn head(self, text: &str) -> String {
        self.text(Look::head(), text)
    }

    /// What can be passed over.
    pub fn quiet(self, text: &str) -> String {
        self.text(Look::quiet(), text)
    }

    /// A bar.
    pub fn bar(self, text: &str) -> String {
        self.with(AnsiColor::Cyan, text)
    }

    /// What went wrong.
    pub fn error(self, text: &str) -> String {
        self.text(Look(Style::new().bold().fg_color(Some(AnsiColor::Red.into()))), text)
    }

    /// What went well.
    pub fn good(self, text: &str) -> String {
        self.with(AnsiColor::Green, text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_are_told_apart() {
        let sets: [&[&str]; 4] = [&["X", "O"], &["red", "yellow"], &["white", "Red"], &["a"; 16]];
        for names in sets {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            let looks: Vec<Look> = (0..names.len()).map(|seat| Look::seat(seat, &names)).collect();
            for (at, look) in looks.iter().enumerate() {
                assert!(!looks[..at].contains(look), "{names:?}, seat {at}");
            }
        }
    }

    #[test]
    fn nothing_is_painted_without_colours() {
        assert_eq!(Paint::plain().text(Look::seat(0, &[]).changed(), "X"), "X");
        assert_eq!(Paint::new(true).text(Look::plain(), "X"), "X");
        assert!(Paint::new(true).text(Look::head(), "X").contains("\u{1b}["));
    }
}
