//! A drawing as pixels, and as a PNG file.

use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use super::outline::outlined;

/// The largest width and height of a picture, in pixels.
pub const LARGEST: u32 = 8192;

/// How much larger than the drawing a PNG is if no width is asked for: screens have about two pixels for each of
/// a drawing's.
const PNG_SCALE: f32 = 2.0;

/// Pixels in rows, from the top: red, green and blue of each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    /// The width.
    pub width: usize,
    /// The height.
    pub height: usize,
    /// Three bytes for each pixel.
    pub rgb: Vec<u8>,
}

/// The size of a picture. Without width and height it is that of the drawing; if both are given, the drawing is
/// fitted into them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Room {
    /// The width in pixels, from 1 to [`LARGEST`].
    pub width: Option<u32>,
    /// The height in pixels, from 1 to [`LARGEST`].
    pub height: Option<u32>,
}

/// An SVG as a tree of shapes; texts are outlines.
pub(super) fn tree(svg: &str) -> Result<Tree, String> {
    Tree::from_str(&outlined(svg), &Options::default())
        .map_err(|error| format!("the drawing can't be read: {error}"))
}

/// Renders an SVG. What lies round the paper is black if `dark`, else white.
pub fn pixels(svg: &str, room: Room, dark: bool) -> Result<Pixels, String> {
    let tree = tree(svg)?;
    // It is opaque, so no pixel has to be divided by its opacity.
    let pixmap = render(&tree, room, 1.0, if dark { Color::BLACK } else { Color::WHITE })?;
    let rgb = pixmap.data().chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    Ok(Pixels { width: pixmap.width() as usize, height: pixmap.height() as usize, rgb })
}

/// Renders an SVG as a PNG file, with nothing round the paper; without a width, twice as large as the drawing.
pub fn png(svg: &str, width: Option<u32>) -> Result<Vec<u8>, String> {
    let tree = tree(svg)?;
    let room = Room { width, height: None };
    let pixmap = render(&tree, room, PNG_SCALE, Color::TRANSPARENT)?;
    pixmap.encode_png().map_err(|error| format!("the picture can't be written as PNG: {error}"))
}

fn render(tree: &Tree, room: Room, usual: f32, ground: Color) -> Result<Pixmap, String> {
    let size = tree.size();
    let by_width = room.width.map(|width| width as f32 / size.width());
    let by_height = room.height.map(|height| height as f32 / size.height());
    let scale = match (by_width, by_height) {
        (Some(across), Some(down)) => across.min(down),
        (across, down) => across.or(down).unwrap_or(usual),
    };
    let whole = |length: f32| ((length * scale).round() as u32).clamp(1, LARGEST);
    let width = room.width.unwrap_or_else(|| whole(size.width()));
    let height = room.height.unwrap_or_else(|| whole(size.height()));
    let mut pixmap = Pixmap::new(width, height)
        .ok_or_else(|| format!("a picture of {width} by {height} pixels is too large"))?;
    pixmap.fill(ground);
    let left = (width as f32 - size.width() * scale) / 2.0;
    let placed = Transform::from_row(scale, 0.0, 0.0, scale, left.floor(), 0.0);
    resvg::render(tree, placed, &mut pixmap.as_mut());
    Ok(pixmap)
}
