//! Colours for terminals. Knows what a colour is for; whether there are any is said from outside.

use anstyle::{AnsiColor, Style};

/// Paints text, or leaves it as it is.
#[derive(Clone, Copy, Debug)]
pub struct Paint {
    on: bool,
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

/// Names that are colours.
const NAMED: [(&str, AnsiColor); 7] = [
    ("red", AnsiColor::BrightRed),
    ("yellow", AnsiColor::BrightYellow),
    ("green", AnsiColor::BrightGreen),
    ("blue", AnsiColor::BrightBlue),
    ("purple", AnsiColor::BrightMagenta),
    ("magenta", AnsiColor::BrightMagenta),
    ("cyan", AnsiColor::BrightCyan),
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
        let of = |name: &String| NAMED.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        let own: Vec<_> = names.iter().map(|name| of(name).map(|(_, colour)| *colour)).collect();
        if let Some(Some(colour)) = own.get(seat) {
            return Look(Style::new().bold().fg_color(Some((*colour).into())));
        }
        // The colours that no name has taken, in order.
        let free: Vec<AnsiColor> = SEATS.into_iter().filter(|colour| !own.contains(&Some(*colour))).collect();
        let number = own.iter().take(seat).filter(|colour| colour.is_none()).count();
        Look::numbered(number, if free.is_empty() { &SEATS } else { &free })
    }

    /// A kind of piece that is nobody's own.
    pub fn piece(number: usize) -> Look {
        Look::numbered(number, &[AnsiColor::BrightYellow, AnsiColor::BrightMagenta, AnsiColor::BrightGreen])
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
        Paint { on }
    }

    /// Without.
    pub fn plain() -> Self {
        Paint::new(false)
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
