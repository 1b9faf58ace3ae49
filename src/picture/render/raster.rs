//! Renders a drawing as pixels or as a PNG file.

use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use crate::lettering::outlined;

/// Maximum width and height of a picture, in pixels.
pub const LARGEST: u32 = 8192;

/// Default scale of a PNG: many screens have two pixels for each pixel of a drawing.
const PNG_SCALE: f32 = 2.0;

/// Pixels in rows from the top, as red, green and blue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    /// The width in pixels.
    pub width: usize,
    /// The height in pixels.
    pub height: usize,
    /// Three bytes per pixel.
    pub rgb: Vec<u8>,
}

/// The size of a picture. Without width and height it is the size of the drawing; with both, the drawing is
/// scaled to fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PictureSize {
    /// The width in pixels, from 1 to [`LARGEST`].
    pub width: Option<u32>,
    /// The height in pixels, from 1 to [`LARGEST`].
    pub height: Option<u32>,
}

/// Parses an SVG without texts.
pub(super) fn tree(svg: &str) -> Result<Tree, String> {
    Tree::from_str(svg, &Options::default()).map_err(|error| format!("the drawing can't be read: {error}"))
}

/// Renders an SVG. The area around the paper is black if `dark` is true, else white.
pub fn pixels(svg: &str, room: PictureSize, dark: bool) -> Result<Pixels, String> {
    let tree = tree(&outlined(svg))?;
    // The image is opaque, so no pixel must be divided by its alpha.
    let pixmap = render(&tree, room, 1.0, if dark { Color::BLACK } else { Color::WHITE })?;
    let rgb = pixmap.data().chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    Ok(Pixels { width: pixmap.width() as usize, height: pixmap.height() as usize, rgb })
}

/// Renders an SVG as a PNG file, transparent around the paper. Without a width it is twice the size of the
/// drawing.
pub fn png(svg: &str, width: Option<u32>) -> Result<Vec<u8>, String> {
    png_on(svg, width, Color::TRANSPARENT)
}

/// Like [`png()`], on white paper, which black ink needs wherever the picture is looked at.
pub fn png_of_page(svg: &str) -> Result<Vec<u8>, String> {
    png_on(svg, None, Color::WHITE)
}

fn png_on(svg: &str, width: Option<u32>, ground: Color) -> Result<Vec<u8>, String> {
    let tree = tree(&outlined(svg))?;
    let room = PictureSize { width, height: None };
    let pixmap = render(&tree, room, PNG_SCALE, ground)?;
    pixmap.encode_png().map_err(|error| format!("the picture can't be written as PNG: {error}"))
}

fn render(tree: &Tree, room: PictureSize, usual: f32, ground: Color) -> Result<Pixmap, String> {
    let size = tree.size();
    let by_width = room.width.map(|width| width as f32 / size.width());
    let by_height = room.height.map(|height| height as f32 / size.height());
    let longest = size.width().max(size.height());
    let scale = match (by_width, by_height) {
        (Some(across), Some(down)) => across.min(down),
        (across, down) => across.or(down).unwrap_or_else(|| usual.min(LARGEST as f32 / longest)),
    };
    if room.height.is_none() && size.height() * scale > LARGEST as f32 + 0.5 {
        let most = (LARGEST as f32 / size.height() * size.width()).floor();
        return Err(format!(
            "it would be more than {LARGEST} pixels high; choose a width of {most} pixels at most"
        ));
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_white_and_a_picture_transparent() {
        let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"></svg>"#;
        let corner = |png: Result<Vec<u8>, String>| {
            let pixmap = Pixmap::decode_png(&png.expect("a picture")).expect("a PNG file");
            pixmap.pixel(0, 0).map(|pixel| (pixel.red(), pixel.alpha()))
        };
        assert_eq!(corner(png_of_page(svg)), Some((255, 255)));
        assert_eq!(corner(png(svg, None)), Some((0, 0)));
    }

    #[test]
    fn nothing_of_a_high_picture_is_cut() {
        let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="20000"></svg>"#;
        let pixmap = Pixmap::decode_png(&png(svg, None).expect("a picture")).expect("a PNG file");
        assert_eq!((pixmap.width(), pixmap.height()), (41, LARGEST));
        let error = png(svg, Some(50)).expect_err("too high");
        assert!(error.contains("choose a width of 40 pixels at most"), "{error}");
    }
}
