//! A state as SVG: a picture that needs nothing besides itself. It is made of what the text drawing is
//! made of, and is the same for the same state and style, on every machine.
//!
//! Each kind of board has a file of its own: what it draws is a [`Picture`], and the page puts those
//! together. What programs may look for has a name: `data-part="pieces"`.

mod areas;
mod canvas;
mod chain;
mod dice;
mod faces;
mod field;
mod graph;
mod hex;
mod page;
mod palette;
mod panel;
mod pits;
mod points;
mod scene;
mod strokes;
mod tiles;
mod token;
mod track;
mod zones;

pub use canvas::Theme;

use crate::engine::{Player, State};

/// How a picture is to look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Style {
    /// In whose light.
    pub theme: Theme,
    /// How wide it is shown, in pixels; without it, as wide as it is drawn. Nothing else changes.
    pub width: Option<u32>,
    /// What may be done is marked.
    pub legal: bool,
    /// By whom it is looked at: what is hidden from this player is not shown. Without a player, all is.
    pub viewer: Option<Player>,
}

/// Draws a state.
///
/// ```
/// use houserule::draw::svg;
/// use houserule::draw::svg::{Style, Theme};
/// use houserule::loader::{Request, load};
///
/// let game = load(&Request { name: "tic-tac-toe", ..Request::default() })?.game;
/// let picture = svg(&game.start(1, 0)?, &Style { theme: Theme::Light, ..Style::default() });
/// assert!(picture.starts_with("<svg ") && picture.contains("Tic-tac-toe"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn svg(state: &State, style: &Style) -> String {
    page::page(state, style)
}
