//! Renders a state as a self-contained SVG. It uses the same data as the text drawing, and is identical on
//! every machine for the same state and style.
//!
//! Each kind of board has a module that draws a `Picture`; the page arranges the pictures. Parts that programs
//! may look for have names: `data-part="pieces"`.

mod boards;
pub mod canvas;
mod cards;
mod chain;
pub mod dice;
mod faces;
mod graph;
mod hex;
mod hits;
mod icons;
mod laid;
pub(super) mod land;
pub mod page;
pub mod palette;
pub mod panel;
mod paper;
mod path;
mod plates;
pub mod printed;
pub mod scene;
mod sheet;
mod strokes;
mod tiles;
pub mod token;
mod track;

pub use canvas::Theme;
use canvas::{Palette, Picture};
pub use sheet::style_sheet;

use crate::layout::PageWidth;
use houserule_game::{Seat, State};

/// The style of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PictureStyle {
    /// The colour theme.
    pub theme: Theme,
    /// Display width in pixels; `None` for the natural width. The contents are scaled.
    pub width: Option<u32>,
    /// Whether to highlight legal actions.
    pub legal: bool,
    /// The player who looks at the picture, from whom hidden things are hidden. Without one, only what all see is shown.
    pub viewer: Option<Seat>,
    /// Whether all is shown if nobody in particular looks.
    pub open: bool,
    /// The width for which the page is arranged.
    pub form: PageWidth,
    /// Whether each thing that actions can name has a transparent shape over it, with its name in `data-thing` and its
    /// title. Such a picture has the theme of the page that shows it, whose styles include [`style_sheet`]. It has no
    /// frame, and doesn't say the title of the game and who is to move, which its page says.
    pub things: bool,
}

/// Renders a state as SVG.
///
/// ```
/// use houserule_picture::draw::svg;
/// use houserule_picture::draw::svg::{PictureStyle, Theme};
/// use houserule_loader::{Request, load};
///
/// let game = load(&Request { name: "tic-tac-toe", ..Request::default() })?.game;
/// let picture = svg(&game.start(1, 0)?, &PictureStyle { theme: Theme::Light, ..PictureStyle::default() });
/// assert!(picture.starts_with("<svg ") && picture.contains("Tic-tac-toe"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn svg(state: &State, style: &PictureStyle) -> String {
    page::page(state, None, style)
}

/// Like [`svg()`], faster in a long game. To show the last move, the game is replayed from an `earlier` state, which must
/// be in an earlier turn than that move.
pub fn svg_since(state: &State, earlier: &State, style: &PictureStyle) -> String {
    page::page(state, Some(earlier), style)
}

/// Draws a state for a page that has its own frame, title and colours. The sites that actions of some `options` name have a
/// dashed frame.
pub fn picture(state: &State, style: &PictureStyle, options: &[String], palette: &Palette) -> Picture {
    page::bare(state, style, options, palette)
}
